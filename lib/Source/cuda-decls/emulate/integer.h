//===- emulate/integer.h - Integers, bits, and the rest of device_functions.h
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "machine.h"

// Barriers, fences, control. Clang has __syncthreads() itself.
__cpr_body int __syncthreads_count(int p) { return (int)__cpr_emu_barrier(0, 0, p != 0); }
__cpr_body int __syncthreads_and(int p) { return __cpr_emu_barrier(0, 0, p == 0) == 0; }
__cpr_body int __syncthreads_or(int p) { return __cpr_emu_barrier(0, 0, p != 0) != 0; }
__cpr_body void __threadfence() { __cpr_emu_fence(); }
// Within a block threads take turns; whether an order is guaranteed is decided by barriers.
__cpr_body void __threadfence_block() {}
__cpr_body void __threadfence_system() { __cpr_emu_fence(); }
// The other threads' turn: to meet oneself is to wait for nobody.
__cpr_body void __nanosleep(unsigned int) {
  char Nothing = 0;
  __cpr_emu_exchange(1u << __cpr_emu_lane(), &Nothing, 1);
}
__cpr_body void __trap() { __cpr_emu_fault("the kernel executes __trap()"); }
__cpr_body void __brkpt() { __cpr_emu_fault("the kernel executes __brkpt()"); }
__cpr_body void __brkpt(int) { __cpr_emu_fault("the kernel executes __brkpt()"); }
__cpr_body unsigned int __pm0() __cpr_unsupported("__pm0")
__cpr_body unsigned int __pm1() __cpr_unsupported("__pm1")
__cpr_body unsigned int __pm2() __cpr_unsupported("__pm2")
__cpr_body unsigned int __pm3() __cpr_unsupported("__pm3")
__cpr_body void __prof_trigger(int) {}

// Address spaces: an address in a window is the generic one.
__cpr_body unsigned int __isGlobal(const void *p) { return __cpr_emu_is_space(p, "global"); }
__cpr_body unsigned int __isShared(const void *p) { return __cpr_emu_is_space(p, "shared"); }
__cpr_body unsigned int __isConstant(const void *p) { return __cpr_emu_is_space(p, "const"); }
__cpr_body unsigned int __isLocal(const void *p) { return __cpr_emu_is_space(p, "local"); }
__cpr_body unsigned int __isGridConstant(const void *) __cpr_unsupported("__isGridConstant")
__cpr_body size_t __cvta_generic_to_global(const void *p) { return (size_t)p; }
__cpr_body size_t __cvta_generic_to_shared(const void *p) { return (size_t)p; }
__cpr_body size_t __cvta_generic_to_constant(const void *p) { return (size_t)p; }
__cpr_body size_t __cvta_generic_to_local(const void *p) { return (size_t)p; }
__cpr_body void *__cvta_global_to_generic(size_t a) { return (void *)a; }
__cpr_body void *__cvta_shared_to_generic(size_t a) { return (void *)a; }
__cpr_body void *__cvta_constant_to_generic(size_t a) { return (void *)a; }
__cpr_body void *__cvta_local_to_generic(size_t a) { return (void *)a; }
extern "C" {
__cpr_body size_t __nv_cvta_generic_to_global_impl(const void *p) { return (size_t)p; }
__cpr_body size_t __nv_cvta_generic_to_shared_impl(const void *p) { return (size_t)p; }
__cpr_body uint32_t __nvvm_get_smem_pointer(void *p) { return (uint32_t)(size_t)p; }
}

// Fast single precision: as good as the slow one. Nothing may rely on the error of these.
__cpr_body float __cosf(float x) { return __cpr_host_cosf(x); }
__cpr_body float __sinf(float x) { return __cpr_host_sinf(x); }
__cpr_body float __tanf(float x) { return __cpr_host_tanf(x); }
__cpr_body float __tanhf(float x) { return __cpr_host_tanhf(x); }
__cpr_body void __sincosf(float x, float *s, float *c) {
  *s = __cpr_host_sinf(x);
  *c = __cpr_host_cosf(x);
}
__cpr_body float __expf(float x) { return __cpr_host_expf(x); }
__cpr_body float __exp10f(float x) { return __cpr_host_exp10f(x); }
__cpr_body float __logf(float x) { return __cpr_host_logf(x); }
__cpr_body float __log2f(float x) { return __cpr_host_log2f(x); }
__cpr_body float __log10f(float x) { return __cpr_host_log10f(x); }
__cpr_body float __powf(float x, float y) { return __cpr_host_powf(x, y); }
__cpr_body float __fdividef(float x, float y) { return x / y; }
__cpr_body double __fdivide(double x, double y) { return x / y; }
__cpr_body float __saturatef(float x) { return x > 0 ? (x < 1 ? x : 1) : 0; }
__cpr_body float __frsqrt_rn(float x) { return (float)(1 / __builtin_sqrt((double)x)); }

// Bit casts.
__cpr_body int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
__cpr_body unsigned int __float_as_uint(float x) { return __builtin_bit_cast(unsigned, x); }
__cpr_body float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
__cpr_body float __uint_as_float(unsigned int x) { return __builtin_bit_cast(float, x); }
__cpr_body long long __double_as_longlong(double x) { return __builtin_bit_cast(long long, x); }
__cpr_body double __longlong_as_double(long long x) { return __builtin_bit_cast(double, x); }
__cpr_body int __double2hiint(double x) { return (int)(__builtin_bit_cast(long long, x) >> 32); }
__cpr_body int __double2loint(double x) { return (int)__builtin_bit_cast(long long, x); }
__cpr_body double __hiloint2double(int h, int l) {
  return __builtin_bit_cast(double, (unsigned long long)(unsigned)h << 32 | (unsigned)l);
}

// Integers. What C++ leaves undefined is computed in unsigned numbers.
__cpr_body int __clz(int x) { return x ? __builtin_clz((unsigned)x) : 32; }
__cpr_body int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
__cpr_body int __ffs(int x) { return x ? __builtin_ctz((unsigned)x) + 1 : 0; }
__cpr_body int __ffsll(long long x) { return x ? __builtin_ctzll((unsigned long long)x) + 1 : 0; }
__cpr_body int ffs(int x) { return __ffs(x); }
__cpr_body int __popc(unsigned int x) { return __builtin_popcount(x); }
__cpr_body int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
__cpr_body unsigned int __brev(unsigned int x) { return __builtin_bitreverse32(x); }
__cpr_body unsigned long long __brevll(unsigned long long x) { return __builtin_bitreverse64(x); }
__cpr_body unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int s) {
  unsigned long long Both = (unsigned long long)y << 32 | x;
  unsigned int r = 0;
  for (int i = 0; i < 4; ++i) // the fourth bit of a selector is ignored
    r |= (unsigned)(Both >> (s >> (4 * i) & 7) * 8 & 0xff) << (8 * i);
  return r;
}
__cpr_body unsigned int __fns(unsigned int Mask, unsigned int Base, int Offset) {
  if (Base > 31)
    return ~0u;
  int Left = Offset;
  if (Offset == 0)
    return Mask >> Base & 1 ? Base : ~0u;
  int Step = Offset > 0 ? 1 : -1;
  for (int i = (int)Base; i >= 0 && i < 32; i += Step)
    if ((Mask >> i & 1) && (Left -= Step) == 0)
      return (unsigned)i;
  return ~0u;
}
__cpr_body int __mul24(int a, int b) {
  return (int)((unsigned)((int)((unsigned)a << 8) >> 8) * (unsigned)((int)((unsigned)b << 8) >> 8));
}
__cpr_body unsigned int __umul24(unsigned int a, unsigned int b) {
  return (a & 0xffffff) * (b & 0xffffff);
}
__cpr_body int mul24(int a, int b) { return __mul24(a, b); }
__cpr_body unsigned int umul24(unsigned int a, unsigned int b) { return __umul24(a, b); }
__cpr_body int __mulhi(int a, int b) { return (int)((long long)a * b >> 32); }
__cpr_body unsigned int __umulhi(unsigned int a, unsigned int b) {
  return (unsigned)((unsigned long long)a * b >> 32);
}
__cpr_body long long __mul64hi(long long a, long long b) {
  return (long long)((__int128)a * b >> 64);
}
__cpr_body unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return (unsigned long long)((unsigned __int128)a * b >> 64);
}
__cpr_body int mulhi(int a, int b) { return __mulhi(a, b); }
__cpr_body unsigned int __sad(int a, int b, unsigned int c) {
  return c + (a > b ? (unsigned)a - (unsigned)b : (unsigned)b - (unsigned)a);
}
__cpr_body unsigned int __usad(unsigned int a, unsigned int b, unsigned int c) {
  return c + (a > b ? a - b : b - a);
}
__cpr_body int __hadd(int a, int b) { return (int)(((long long)a + b) >> 1); }
__cpr_body int __rhadd(int a, int b) { return (int)(((long long)a + b + 1) >> 1); }
__cpr_body unsigned int __uhadd(unsigned int a, unsigned int b) {
  return (unsigned)(((unsigned long long)a + b) >> 1);
}
__cpr_body unsigned int __urhadd(unsigned int a, unsigned int b) {
  return (unsigned)(((unsigned long long)a + b + 1) >> 1);
}
__cpr_body unsigned int __funnelshift_l(unsigned int l, unsigned int h, unsigned int n) {
  return (unsigned)(((unsigned long long)h << 32 | l) << (n & 31) >> 32);
}
__cpr_body unsigned int __funnelshift_lc(unsigned int l, unsigned int h, unsigned int n) {
  return n >= 32 ? l : __funnelshift_l(l, h, n);
}
__cpr_body unsigned int __funnelshift_r(unsigned int l, unsigned int h, unsigned int n) {
  return (unsigned)(((unsigned long long)h << 32 | l) >> (n & 31));
}
__cpr_body unsigned int __funnelshift_rc(unsigned int l, unsigned int h, unsigned int n) {
  return n >= 32 ? h : __funnelshift_r(l, h, n);
}

// Dot products of bytes. Part i of a word, of Bits bits, as a number.
__cpr_body int __cpr_part(int w, int Bits, int i) {
  return (int)((unsigned)w << (32 - Bits * (i + 1))) >> (32 - Bits);
}
__cpr_body unsigned int __cpr_part(unsigned int w, int Bits, int i) {
  return w << (32 - Bits * (i + 1)) >> (32 - Bits);
}
template <class T, class V> __cpr_body T __cpr_word(V v) { return __builtin_bit_cast(T, v); }
#define __cpr_dot(I, V4, V2)                                                                       \
  __cpr_body I __dp4a(I a, I b, I c) {                                                             \
    unsigned r = (unsigned)c;                                                                      \
    for (int i = 0; i < 4; ++i)                                                                    \
      r += (unsigned)(__cpr_part(a, 8, i) * __cpr_part(b, 8, i));                                  \
    return (I)r;                                                                                   \
  }                                                                                                \
  __cpr_body I __cpr_dp2a(I a, I b, I c, int First) {                                              \
    unsigned r = (unsigned)c;                                                                      \
    for (int i = 0; i < 2; ++i)                                                                    \
      r += (unsigned)(__cpr_part(a, 16, i) * __cpr_part(b, 8, First + i));                         \
    return (I)r;                                                                                   \
  }                                                                                                \
  __cpr_body I __dp2a_lo(I a, I b, I c) { return __cpr_dp2a(a, b, c, 0); }                         \
  __cpr_body I __dp2a_hi(I a, I b, I c) { return __cpr_dp2a(a, b, c, 2); }                         \
  __cpr_body I __dp4a(V4 a, V4 b, I c) { return __dp4a(__cpr_word<I>(a), __cpr_word<I>(b), c); }   \
  __cpr_body I __dp2a_lo(V2 a, V4 b, I c) {                                                        \
    return __dp2a_lo(__cpr_word<I>(a), __cpr_word<I>(b), c);                                       \
  }                                                                                                \
  __cpr_body I __dp2a_hi(V2 a, V4 b, I c) {                                                        \
    return __dp2a_hi(__cpr_word<I>(a), __cpr_word<I>(b), c);                                       \
  }
__cpr_dot(int, char4, short2)
__cpr_dot(unsigned int, uchar4, ushort2)
#undef __cpr_dot

// Two 16-bit or four 8-bit numbers in a word: s and t are parts of a and b as signed numbers, u and
// v as unsigned ones. Join adds a part to the result: the low bits of an expression, or to a sum.
#define __cpr_simd(f, Join)                                                                        \
  __cpr_body unsigned int __cpr_simd_##f(unsigned int a, unsigned int b, int Bits) {               \
    const int Most = (1 << (Bits - 1)) - 1, Least = -Most - 1, Full = 2 * Most + 1;                \
    unsigned int r = 0;                                                                            \
    for (int i = 0; i < 32; i += Bits) {                                                           \
      int u = (int)(a >> i) & Full, v = (int)(b >> i) & Full;                                      \
      int s = (u ^ Least) - Least, t = (v ^ Least) - Least;                                        \
      (void)s, (void)t, (void)Most;                                                                \
      Join;                                                                                        \
    }                                                                                              \
    return r;                                                                                      \
  }
#define __cpr_simd1(f, Expression)                                                                 \
  __cpr_simd(f, r |= ((unsigned)(Expression) & Full) << i)                                         \
  __cpr_body unsigned int f##2(unsigned int a) { return __cpr_simd_##f(a, 0, 16); }                \
  __cpr_body unsigned int f##4(unsigned int a) { return __cpr_simd_##f(a, 0, 8); }
#define __cpr_simd_both(f)                                                                         \
  __cpr_body unsigned int f##2(unsigned int a, unsigned int b) { return __cpr_simd_##f(a, b, 16); } \
  __cpr_body unsigned int f##4(unsigned int a, unsigned int b) { return __cpr_simd_##f(a, b, 8); }
#define __cpr_simd2(f, Expression)                                                                 \
  __cpr_simd(f, r |= ((unsigned)(Expression) & Full) << i) __cpr_simd_both(f)
#define __cpr_simd_sum(f, Expression)                                                              \
  __cpr_simd(f, r += (unsigned)(Expression)) __cpr_simd_both(f)
#define __cpr_clamp(x) ((x) < Least ? Least : (x) > Most ? Most : (x))
__cpr_simd1(__vabs, s < 0 ? -s : s)
__cpr_simd1(__vabsss, __cpr_clamp(s < 0 ? -s : s))
__cpr_simd1(__vneg, -s)
__cpr_simd1(__vnegss, __cpr_clamp(-s))
__cpr_simd2(__vabsdiffs, s < t ? t - s : s - t)
__cpr_simd2(__vabsdiffu, u < v ? v - u : u - v)
__cpr_simd2(__vadd, u + v)
__cpr_simd2(__vaddss, __cpr_clamp(s + t))
__cpr_simd2(__vaddus, u + v > Full ? Full : u + v)
__cpr_simd2(__vavgs, (s + t + (s + t >= 0)) >> 1)
__cpr_simd2(__vavgu, (u + v + 1) >> 1)
__cpr_simd2(__vhaddu, (u + v) >> 1)
__cpr_simd2(__vmaxs, s > t ? s : t)
__cpr_simd2(__vmaxu, u > v ? u : v)
__cpr_simd2(__vmins, s < t ? s : t)
__cpr_simd2(__vminu, u < v ? u : v)
__cpr_simd_sum(__vsads, s < t ? t - s : s - t)
__cpr_simd_sum(__vsadu, u < v ? v - u : u - v)
__cpr_simd2(__vsub, u - v)
__cpr_simd2(__vsubss, __cpr_clamp(s - t))
__cpr_simd2(__vsubus, u < v ? 0 : u - v)
#define __cpr_simd_compare(Name, Expression)                                                       \
  __cpr_simd2(__vcmp##Name, (Expression) ? Full : 0) __cpr_simd2(__vset##Name, (Expression) ? 1 : 0)
__cpr_simd_compare(eq, (u == v))
__cpr_simd_compare(ne, (u != v))
__cpr_simd_compare(ges, (s >= t))
__cpr_simd_compare(geu, (u >= v))
__cpr_simd_compare(gts, (s > t))
__cpr_simd_compare(gtu, (u > v))
__cpr_simd_compare(les, (s <= t))
__cpr_simd_compare(leu, (u <= v))
__cpr_simd_compare(lts, (s < t))
__cpr_simd_compare(ltu, (u < v))
#undef __cpr_simd_compare
#undef __cpr_clamp
#undef __cpr_simd1
#undef __cpr_simd2
#undef __cpr_simd
#undef __cpr_simd_both
#undef __cpr_simd_sum
#define __cpr_dpx3(T, f, Expression)                                                               \
  __cpr_body T f(T a, T b, T c) { return Expression; }
__cpr_dpx3(int, __vimax3_s32, max(max(a, b), c))
__cpr_dpx3(int, __vimin3_s32, min(min(a, b), c))
__cpr_dpx3(unsigned int, __vimax3_u32, max(max(a, b), c))
__cpr_dpx3(unsigned int, __vimin3_u32, min(min(a, b), c))
__cpr_dpx3(int, __viaddmax_s32, max((int)((unsigned)a + (unsigned)b), c))
__cpr_dpx3(int, __viaddmin_s32, min((int)((unsigned)a + (unsigned)b), c))
__cpr_dpx3(unsigned int, __viaddmax_u32, max(a + b, c))
__cpr_dpx3(unsigned int, __viaddmin_u32, min(a + b, c))
#undef __cpr_dpx3
