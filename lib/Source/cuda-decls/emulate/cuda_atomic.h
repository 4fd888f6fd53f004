//===- emulate/cuda_atomic.h - Bodies of cuda::atomic and cuda::atomic_ref
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Threads take turns, so that the order makes no difference to what is read; but what is released to other blocks is a
/// fence in front of it.
///
//===----------------------------------------------------------------------===//
#pragma once

#include "machine.h"

namespace cuda {
inline namespace __4 {

// By compare and exchange, for types and operations that have no instruction.
template <class T> struct __cpr_min_of {
  T v;
  __cpr_both_body T operator()(T x) const { return v < x ? v : x; }
};
template <class T> struct __cpr_max_of {
  T v;
  __cpr_both_body T operator()(T x) const { return x < v ? v : x; }
};
template <class T, class Op> __cpr_both_body T __cpr_update(T *p, const Op &New) {
  T Old;
  __atomic_load(p, &Old, __ATOMIC_RELAXED);
  for (;;) {
    T v = New(Old);
    if (__atomic_compare_exchange(p, &Old, &v, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      return Old;
  }
}

__cpr_both_body void __cpr_release(memory_order Order, thread_scope Scope) {
#ifdef __CUDA_ARCH__
  if ((Order == memory_order_release || Order == memory_order_acq_rel || Order == memory_order_seq_cst) &&
      (Scope == thread_scope_device || Scope == thread_scope_system))
    __cpr_emu_fence();
#endif
}

// Head: the template's; A: the class; P: where the value is.
#define __cpr_atomic_bodies(A, P)                                                                  \
  __cpr_atomic_head __cpr_both_body void A<T, Scope>::store(T v, memory_order Order) {             \
    __cpr_release(Order, Scope);                                                                   \
    __atomic_store(P, &v, __ATOMIC_RELAXED);                                                       \
  }                                                                                                \
  __cpr_atomic_head __cpr_both_body T A<T, Scope>::load(memory_order) const {                      \
    T v;                                                                                           \
    __atomic_load(P, &v, __ATOMIC_RELAXED);                                                        \
    return v;                                                                                      \
  }                                                                                                \
  __cpr_atomic_head __cpr_both_body T A<T, Scope>::exchange(T v, memory_order Order) {             \
    __cpr_release(Order, Scope);                                                                   \
    T Old;                                                                                         \
    __atomic_exchange(P, &v, &Old, __ATOMIC_RELAXED);                                              \
    return Old;                                                                                    \
  }                                                                                                \
  __cpr_atomic_exchange_body(A, P, weak) __cpr_atomic_exchange_body(A, P, strong)                  \
  __cpr_atomic_fetch(A, add, __atomic_fetch_add(P, v, __ATOMIC_RELAXED))                           \
  __cpr_atomic_fetch(A, sub, __atomic_fetch_sub(P, v, __ATOMIC_RELAXED))                           \
  __cpr_atomic_fetch(A, and, __atomic_fetch_and(P, v, __ATOMIC_RELAXED))                           \
  __cpr_atomic_fetch(A, or, __atomic_fetch_or(P, v, __ATOMIC_RELAXED))                             \
  __cpr_atomic_fetch(A, xor, __atomic_fetch_xor(P, v, __ATOMIC_RELAXED))                           \
  __cpr_atomic_fetch(A, min, __cpr_update(P, __cpr_min_of<T>{v}))                                  \
  __cpr_atomic_fetch(A, max, __cpr_update(P, __cpr_max_of<T>{v}))                                  \
  __cpr_atomic_head __cpr_both_body void A<T, Scope>::wait(T, memory_order) const                  \
      __cpr_unsupported("cuda::" #A "::wait")                                                      \
  __cpr_atomic_head __cpr_both_body void A<T, Scope>::notify_one() {}                              \
  __cpr_atomic_head __cpr_both_body void A<T, Scope>::notify_all() {}                              \
  __cpr_atomic_head __cpr_both_body T A<T, Scope>::operator=(T v) {                                \
    store(v);                                                                                      \
    return v;                                                                                      \
  }                                                                                                \
  __cpr_atomic_head __cpr_both_body A<T, Scope>::operator T() const { return load(); }             \
  __cpr_atomic_head __cpr_both_body T A<T, Scope>::operator++() { return (T)(fetch_add(1) + 1); }  \
  __cpr_atomic_head __cpr_both_body T A<T, Scope>::operator++(int) { return fetch_add(1); }        \
  __cpr_atomic_head __cpr_both_body T A<T, Scope>::operator+=(T v) { return (T)(fetch_add(v) + v); } \
  __cpr_atomic_head __cpr_both_body T A<T, Scope>::operator-=(T v) { return (T)(fetch_sub(v) - v); }
#define __cpr_atomic_head template <class T, thread_scope Scope>
#define __cpr_atomic_fetch(A, op, Expression)                                                      \
  __cpr_atomic_head __cpr_both_body T A<T, Scope>::fetch_##op(T v, memory_order Order) {           \
    __cpr_release(Order, Scope);                                                                   \
    return Expression;                                                                             \
  }
#define __cpr_atomic_exchange_body(A, P, Kind)                                                     \
  __cpr_atomic_head __cpr_both_body bool A<T, Scope>::compare_exchange_##Kind(T &Expected, T v,    \
                                                                              memory_order Order) { \
    return compare_exchange_##Kind(Expected, v, Order, memory_order_relaxed);                      \
  }                                                                                                \
  __cpr_atomic_head __cpr_both_body bool A<T, Scope>::compare_exchange_##Kind(                     \
      T &Expected, T v, memory_order Order, memory_order) {                                        \
    __cpr_release(Order, Scope);                                                                   \
    return __atomic_compare_exchange(P, &Expected, &v, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED); \
  }
__cpr_atomic_bodies(atomic, &__value)
__cpr_atomic_bodies(atomic_ref, __pointer)
__cpr_atomic_head __cpr_both_body atomic_ref<T, Scope>::atomic_ref(T &v) : __pointer(&v) {}
#undef __cpr_atomic_bodies
#undef __cpr_atomic_fetch
#undef __cpr_atomic_exchange_body
#undef __cpr_atomic_head
__cpr_both_body void atomic_thread_fence(memory_order Order, thread_scope Scope) {
  if (Order != memory_order_relaxed && Scope == thread_scope_device || Scope == thread_scope_system)
    __cpr_emu_fence();
}

} // namespace __4
} // namespace cuda
