//===- emulate/atomics.h - Bodies of the atomic functions
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Atomic instructions of LLVM, which are checked as atomic accesses. Scope and order make no
/// difference to threads that take turns.
///
//===----------------------------------------------------------------------===//
#pragma once

#include "machine.h"

// Op(old) for what has no instruction: a loop in form only, for nobody comes in between.
template <class Word, class Op> __cpr_body Word __cpr_atomic_update(Word *p, Op New) {
  Word Old = __atomic_load_n(p, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(p, &Old, New(Old), false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
  return Old;
}

#define __cpr_atomic(T, f, Expression)                                                             \
  __cpr_body T f(T *p, T v) { return Expression; }                                                 \
  __cpr_body T f##_block(T *p, T v) { return Expression; }                                         \
  __cpr_body T f##_system(T *p, T v) { return Expression; }
#define __cpr_fetch(T, f, op) __cpr_atomic(T, f, __atomic_fetch_##op(p, v, __ATOMIC_RELAXED))
__cpr_fetch(int, atomicAdd, add)
__cpr_fetch(unsigned int, atomicAdd, add)
__cpr_fetch(unsigned long long, atomicAdd, add)
__cpr_fetch(float, atomicAdd, add)
__cpr_fetch(double, atomicAdd, add)
__cpr_fetch(int, atomicSub, sub)
__cpr_fetch(unsigned int, atomicSub, sub)
__cpr_fetch(int, atomicMin, min)
__cpr_fetch(unsigned int, atomicMin, min)
__cpr_fetch(long long, atomicMin, min)
__cpr_fetch(unsigned long long, atomicMin, min)
__cpr_fetch(int, atomicMax, max)
__cpr_fetch(unsigned int, atomicMax, max)
__cpr_fetch(long long, atomicMax, max)
__cpr_fetch(unsigned long long, atomicMax, max)
__cpr_fetch(int, atomicAnd, and)
__cpr_fetch(unsigned int, atomicAnd, and)
__cpr_fetch(unsigned long long, atomicAnd, and)
__cpr_fetch(int, atomicOr, or)
__cpr_fetch(unsigned int, atomicOr, or)
__cpr_fetch(unsigned long long, atomicOr, or)
__cpr_fetch(int, atomicXor, xor)
__cpr_fetch(unsigned int, atomicXor, xor)
__cpr_fetch(unsigned long long, atomicXor, xor)
#undef __cpr_fetch
template <class T> __cpr_body T __cpr_atomic_exchange(T *p, T v) {
  T Old;
  __atomic_exchange(p, &v, &Old, __ATOMIC_RELAXED);
  return Old;
}
__cpr_atomic(int, atomicExch, __cpr_atomic_exchange(p, v))
__cpr_atomic(unsigned int, atomicExch, __cpr_atomic_exchange(p, v))
__cpr_atomic(unsigned long long, atomicExch, __cpr_atomic_exchange(p, v))
__cpr_atomic(float, atomicExch, __cpr_atomic_exchange(p, v))
struct __cpr_increment {
  unsigned int Limit;
  __cpr_member_body unsigned int operator()(unsigned int x) const { return x >= Limit ? 0 : x + 1; }
};
struct __cpr_decrement {
  unsigned int Limit;
  __cpr_member_body unsigned int operator()(unsigned int x) const {
    return x == 0 || x > Limit ? Limit : x - 1;
  }
};
__cpr_atomic(unsigned int, atomicInc, __cpr_atomic_update(p, __cpr_increment{v}))
__cpr_atomic(unsigned int, atomicDec, __cpr_atomic_update(p, __cpr_decrement{v}))
#if __CUDA_ARCH__ >= 900
// Every component is atomic, the vector is not.
__cpr_body float2 __cpr_atomic_add(float2 *p, float2 v) {
  __cpr_emu_access(3, p, sizeof(*p), sizeof(*p));
  return float2{atomicAdd(&p->x, v.x), atomicAdd(&p->y, v.y)};
}
__cpr_body float4 __cpr_atomic_add(float4 *p, float4 v) {
  __cpr_emu_access(3, p, sizeof(*p), sizeof(*p));
  return float4{atomicAdd(&p->x, v.x), atomicAdd(&p->y, v.y), atomicAdd(&p->z, v.z),
                atomicAdd(&p->w, v.w)};
}
__cpr_atomic(float2, atomicAdd, __cpr_atomic_add(p, v))
__cpr_atomic(float4, atomicAdd, __cpr_atomic_add(p, v))
#endif
#undef __cpr_atomic
#define __cpr_cas_one(T, f)                                                                        \
  __cpr_body T f(T *p, T Expected, T v) {                                                          \
    __atomic_compare_exchange_n(p, &Expected, v, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);       \
    return Expected;                                                                               \
  }
#define __cpr_cas(T)                                                                               \
  __cpr_cas_one(T, atomicCAS) __cpr_cas_one(T, atomicCAS_block) __cpr_cas_one(T, atomicCAS_system)
__cpr_cas(int)
__cpr_cas(unsigned int)
__cpr_cas(unsigned long long)
__cpr_cas(unsigned short)
#undef __cpr_cas
#undef __cpr_cas_one
