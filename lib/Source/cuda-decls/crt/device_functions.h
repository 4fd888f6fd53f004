//===- crt/device_functions.h - Barriers, fast mathematics, integers, casts
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#define __DEVICE_FUNCTIONS_H__

#include "../vector_types.h"

// Barriers, fences, control. Clang declares __syncthreads() itself.
__device__ int __syncthreads_count(int);
__device__ int __syncthreads_and(int);
__device__ int __syncthreads_or(int);
__device__ void __threadfence();
__device__ void __threadfence_block();
__device__ void __threadfence_system();
__device__ void __nanosleep(unsigned int);
__device__ void __trap();
__device__ void __brkpt();
__device__ void __brkpt(int);
__device__ unsigned int __pm0();
__device__ unsigned int __pm1();
__device__ unsigned int __pm2();
__device__ unsigned int __pm3();
__device__ void __prof_trigger(int);

// Address spaces.
__device__ unsigned int __isGlobal(const void *);
__device__ unsigned int __isShared(const void *);
__device__ unsigned int __isConstant(const void *);
__device__ unsigned int __isLocal(const void *);
__device__ unsigned int __isGridConstant(const void *);
__device__ size_t __cvta_generic_to_global(const void *);
__device__ size_t __cvta_generic_to_shared(const void *);
__device__ size_t __cvta_generic_to_constant(const void *);
__device__ size_t __cvta_generic_to_local(const void *);
__device__ void *__cvta_global_to_generic(size_t);
__device__ void *__cvta_shared_to_generic(size_t);
__device__ void *__cvta_constant_to_generic(size_t);
__device__ void *__cvta_local_to_generic(size_t);
extern "C" {
__device__ size_t __nv_cvta_generic_to_global_impl(const void *);
__device__ size_t __nv_cvta_generic_to_shared_impl(const void *);
__device__ uint32_t __nvvm_get_smem_pointer(void *);
}

// Fast single precision.
__device__ float __cosf(float);
__device__ float __sinf(float);
__device__ float __tanf(float);
__device__ float __tanhf(float);
__device__ void __sincosf(float, float *, float *);
__device__ float __expf(float);
__device__ float __exp10f(float);
__device__ float __logf(float);
__device__ float __log2f(float);
__device__ float __log10f(float);
__device__ float __powf(float, float);
__device__ float __fdividef(float, float);
__device__ double __fdivide(double, double);
__device__ float __saturatef(float);
__device__ float __frsqrt_rn(float);

// The four roundings.
#define __cpr_rounded(R, f, ...)                                                                   \
  __device__ R f##_rn(__VA_ARGS__);                                                                \
  __device__ R f##_rz(__VA_ARGS__);                                                                \
  __device__ R f##_ru(__VA_ARGS__);                                                                \
  __device__ R f##_rd(__VA_ARGS__);
__cpr_rounded(float, __fadd, float, float)
__cpr_rounded(float, __fsub, float, float)
__cpr_rounded(float, __fmul, float, float)
__cpr_rounded(float, __fdiv, float, float)
__cpr_rounded(float, __frcp, float)
__cpr_rounded(float, __fsqrt, float)
__cpr_rounded(float, __fmaf, float, float, float)
__cpr_rounded(float, __fmaf_ieee, float, float, float)
__cpr_rounded(double, __dadd, double, double)
__cpr_rounded(double, __dsub, double, double)
__cpr_rounded(double, __dmul, double, double)
__cpr_rounded(double, __ddiv, double, double)
__cpr_rounded(double, __drcp, double)
__cpr_rounded(double, __dsqrt, double)
__cpr_rounded(double, __fma, double, double, double)
__cpr_rounded(int, __float2int, float)
__cpr_rounded(unsigned int, __float2uint, float)
__cpr_rounded(long long, __float2ll, float)
__cpr_rounded(unsigned long long, __float2ull, float)
__cpr_rounded(int, __double2int, double)
__cpr_rounded(unsigned int, __double2uint, double)
__cpr_rounded(long long, __double2ll, double)
__cpr_rounded(unsigned long long, __double2ull, double)
__cpr_rounded(float, __double2float, double)
__cpr_rounded(float, __int2float, int)
__cpr_rounded(float, __uint2float, unsigned int)
__cpr_rounded(float, __ll2float, long long)
__cpr_rounded(double, __ll2double, long long)
__cpr_rounded(float, __ull2float, unsigned long long)
__cpr_rounded(double, __ull2double, unsigned long long)
#undef __cpr_rounded
__device__ double __int2double_rn(int);
__device__ double __uint2double_rn(unsigned int);

// Bit casts.
__device__ int __float_as_int(float);
__device__ unsigned int __float_as_uint(float);
__device__ float __int_as_float(int);
__device__ float __uint_as_float(unsigned int);
__device__ long long __double_as_longlong(double);
__device__ double __longlong_as_double(long long);
__device__ int __double2hiint(double);
__device__ int __double2loint(double);
__device__ double __hiloint2double(int, int);

// Integers.
__device__ int __clz(int);
__device__ int __clzll(long long);
__device__ int __ffs(int);
__device__ int __ffsll(long long);
__device__ int ffs(int);
__device__ int __popc(unsigned int);
__device__ int __popcll(unsigned long long);
__device__ unsigned int __brev(unsigned int);
__device__ unsigned long long __brevll(unsigned long long);
__device__ unsigned int __byte_perm(unsigned int, unsigned int, unsigned int);
__device__ unsigned int __fns(unsigned int, unsigned int, int);
__device__ int __mul24(int, int);
__device__ unsigned int __umul24(unsigned int, unsigned int);
__device__ int mul24(int, int);
__device__ unsigned int umul24(unsigned int, unsigned int);
__device__ int __mulhi(int, int);
__device__ unsigned int __umulhi(unsigned int, unsigned int);
__device__ long long __mul64hi(long long, long long);
__device__ unsigned long long __umul64hi(unsigned long long, unsigned long long);
__device__ int mulhi(int, int);
__device__ unsigned int __sad(int, int, unsigned int);
__device__ unsigned int __usad(unsigned int, unsigned int, unsigned int);
__device__ int __hadd(int, int);
__device__ int __rhadd(int, int);
__device__ unsigned int __uhadd(unsigned int, unsigned int);
__device__ unsigned int __urhadd(unsigned int, unsigned int);
__device__ unsigned int __funnelshift_l(unsigned int, unsigned int, unsigned int);
__device__ unsigned int __funnelshift_lc(unsigned int, unsigned int, unsigned int);
__device__ unsigned int __funnelshift_r(unsigned int, unsigned int, unsigned int);
__device__ unsigned int __funnelshift_rc(unsigned int, unsigned int, unsigned int);

// Dot products of bytes.
__device__ int __dp4a(int, int, int);
__device__ unsigned int __dp4a(unsigned int, unsigned int, unsigned int);
__device__ int __dp4a(char4, char4, int);
__device__ unsigned int __dp4a(uchar4, uchar4, unsigned int);
__device__ int __dp2a_lo(int, int, int);
__device__ unsigned int __dp2a_lo(unsigned int, unsigned int, unsigned int);
__device__ int __dp2a_lo(short2, char4, int);
__device__ unsigned int __dp2a_lo(ushort2, uchar4, unsigned int);
__device__ int __dp2a_hi(int, int, int);
__device__ unsigned int __dp2a_hi(unsigned int, unsigned int, unsigned int);
__device__ int __dp2a_hi(short2, char4, int);
__device__ unsigned int __dp2a_hi(ushort2, uchar4, unsigned int);

// Two 16-bit or four 8-bit numbers in a word.
#define __cpr_simd1(f)                                                                             \
  __device__ unsigned int f##2(unsigned int);                                                      \
  __device__ unsigned int f##4(unsigned int);
#define __cpr_simd2(f)                                                                             \
  __device__ unsigned int f##2(unsigned int, unsigned int);                                        \
  __device__ unsigned int f##4(unsigned int, unsigned int);
__cpr_simd1(__vabs)
__cpr_simd1(__vabsss)
__cpr_simd1(__vneg)
__cpr_simd1(__vnegss)
__cpr_simd2(__vabsdiffs)
__cpr_simd2(__vabsdiffu)
__cpr_simd2(__vadd)
__cpr_simd2(__vaddss)
__cpr_simd2(__vaddus)
__cpr_simd2(__vavgs)
__cpr_simd2(__vavgu)
__cpr_simd2(__vhaddu)
__cpr_simd2(__vmaxs)
__cpr_simd2(__vmaxu)
__cpr_simd2(__vmins)
__cpr_simd2(__vminu)
__cpr_simd2(__vsads)
__cpr_simd2(__vsadu)
__cpr_simd2(__vsub)
__cpr_simd2(__vsubss)
__cpr_simd2(__vsubus)
__cpr_simd2(__vcmpeq)
__cpr_simd2(__vcmpne)
__cpr_simd2(__vcmpges)
__cpr_simd2(__vcmpgeu)
__cpr_simd2(__vcmpgts)
__cpr_simd2(__vcmpgtu)
__cpr_simd2(__vcmples)
__cpr_simd2(__vcmpleu)
__cpr_simd2(__vcmplts)
__cpr_simd2(__vcmpltu)
__cpr_simd2(__vseteq)
__cpr_simd2(__vsetne)
__cpr_simd2(__vsetges)
__cpr_simd2(__vsetgeu)
__cpr_simd2(__vsetgts)
__cpr_simd2(__vsetgtu)
__cpr_simd2(__vsetles)
__cpr_simd2(__vsetleu)
__cpr_simd2(__vsetlts)
__cpr_simd2(__vsetltu)
#undef __cpr_simd1
#undef __cpr_simd2
#define __cpr_dpx3(T, f) __device__ T f(T, T, T);
__cpr_dpx3(int, __vimax3_s32)
__cpr_dpx3(int, __vimin3_s32)
__cpr_dpx3(unsigned int, __vimax3_u32)
__cpr_dpx3(unsigned int, __vimin3_u32)
__cpr_dpx3(int, __viaddmax_s32)
__cpr_dpx3(int, __viaddmin_s32)
__cpr_dpx3(unsigned int, __viaddmax_u32)
__cpr_dpx3(unsigned int, __viaddmin_u32)
#undef __cpr_dpx3

#ifdef __CPR_EMULATE__
#include "../emulate/rounding.h"
#include "../emulate/integer.h"
#endif
