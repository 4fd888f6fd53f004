//===- crt/half_types.h - What __half and __nv_bfloat16 have in common
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// The two 16-bit types have the same operators and, under the same names, the same intrinsics.
/// Which special members are user-provided follows CUDA's headers: a pair is copied by a function
/// of its own there, and code that asks whether a type is trivially copyable must get one answer.
///
//===----------------------------------------------------------------------===//
#pragma once

#include "cuda_runtime.h"

#define __cpr_both __host__ __device__

// Constructors, assignments and conversions of the scalar type T, from its bits and to them.
#define __cpr_half_members(T, Raw)                                                                 \
  T() = default;                                                                                   \
  __cpr_both constexpr T(const Raw &r) : __x(r.x) {}                                               \
  __cpr_both T &operator=(const Raw &);                                                            \
  __cpr_both volatile T &operator=(const Raw &) volatile;                                          \
  __cpr_both operator Raw() const;                                                                 \
  __cpr_both operator Raw() const volatile;
// What __CUDA_NO_HALF_CONVERSIONS__ and its like leave out.
#define __cpr_half_member_conversions(T)                                                           \
  __cpr_both T(float);                                                                             \
  __cpr_both T(double);                                                                            \
  __cpr_both T(short);                                                                             \
  __cpr_both T(unsigned short);                                                                    \
  __cpr_both T(int);                                                                               \
  __cpr_both T(unsigned int);                                                                      \
  __cpr_both T(long);                                                                              \
  __cpr_both T(unsigned long);                                                                     \
  __cpr_both T(long long);                                                                         \
  __cpr_both T(unsigned long long);                                                                \
  __cpr_both T &operator=(float);                                                                  \
  __cpr_both T &operator=(double);                                                                 \
  __cpr_both T &operator=(short);                                                                  \
  __cpr_both T &operator=(unsigned short);                                                         \
  __cpr_both T &operator=(int);                                                                    \
  __cpr_both T &operator=(unsigned int);                                                           \
  __cpr_both T &operator=(long long);                                                              \
  __cpr_both T &operator=(unsigned long long);                                                     \
  __cpr_both operator float() const;                                                               \
  __cpr_both operator signed char() const;                                                         \
  __cpr_both operator unsigned char() const;                                                       \
  __cpr_both operator char() const;                                                                \
  __cpr_both operator short() const;                                                               \
  __cpr_both operator unsigned short() const;                                                      \
  __cpr_both operator int() const;                                                                 \
  __cpr_both operator unsigned int() const;                                                        \
  __cpr_both operator long() const;                                                                \
  __cpr_both operator unsigned long() const;                                                       \
  __cpr_both operator long long() const;                                                           \
  __cpr_both operator unsigned long long() const;                                                  \
  __cpr_both constexpr operator bool() const { return (__x & 0x7fffu) != 0; }

// Constructors, assignments and conversions of the pair T2.
#define __cpr_half2_members(T2, T, Raw2)                                                           \
  T2() = default;                                                                                  \
  __cpr_both T2(const T2 &&);                                                                      \
  __cpr_both T2(const T2 &);                                                                       \
  __cpr_both constexpr T2(const T &a, const T &b) : x(a), y(b) {}                                  \
  __cpr_both T2(const Raw2 &);                                                                     \
  __cpr_both T2 &operator=(const T2 &&);                                                           \
  __cpr_both T2 &operator=(const T2 &);                                                            \
  __cpr_both T2 &operator=(const Raw2 &);                                                          \
  __cpr_both operator Raw2() const;

// What __CUDA_NO_HALF_OPERATORS__, __CUDA_NO_HALF2_OPERATORS__ and their like leave out.
#define __cpr_half_operators(T)                                                                    \
  __cpr_both T operator+(const T &, const T &);                                                    \
  __cpr_both T operator-(const T &, const T &);                                                    \
  __cpr_both T operator*(const T &, const T &);                                                    \
  __cpr_both T operator/(const T &, const T &);                                                    \
  __cpr_both T &operator+=(T &, const T &);                                                        \
  __cpr_both T &operator-=(T &, const T &);                                                        \
  __cpr_both T &operator*=(T &, const T &);                                                        \
  __cpr_both T &operator/=(T &, const T &);                                                        \
  __cpr_both T &operator++(T &);                                                                   \
  __cpr_both T &operator--(T &);                                                                   \
  __cpr_both T operator++(T &, int);                                                               \
  __cpr_both T operator--(T &, int);                                                               \
  __cpr_both T operator+(const T &);                                                               \
  __cpr_both T operator-(const T &);                                                               \
  __cpr_both bool operator==(const T &, const T &);                                                \
  __cpr_both bool operator!=(const T &, const T &);                                                \
  __cpr_both bool operator>(const T &, const T &);                                                 \
  __cpr_both bool operator<(const T &, const T &);                                                 \
  __cpr_both bool operator>=(const T &, const T &);                                                \
  __cpr_both bool operator<=(const T &, const T &);

// Loads, stores, shuffles, atomics of either.
#define __cpr_half_memory(T)                                                                       \
  __device__ T __ldg(const T *);                                                                   \
  __device__ T __ldca(const T *);                                                                  \
  __device__ T __ldcg(const T *);                                                                  \
  __device__ T __ldcs(const T *);                                                                  \
  __device__ T __ldlu(const T *);                                                                  \
  __device__ T __ldcv(const T *);                                                                  \
  __device__ void __stwb(T *, T);                                                                  \
  __device__ void __stcg(T *, T);                                                                  \
  __device__ void __stcs(T *, T);                                                                  \
  __device__ void __stwt(T *, T);                                                                  \
  __device__ T __shfl_sync(unsigned int, T, int, int = 32);                                        \
  __device__ T __shfl_up_sync(unsigned int, T, unsigned int, int = 32);                            \
  __device__ T __shfl_down_sync(unsigned int, T, unsigned int, int = 32);                          \
  __device__ T __shfl_xor_sync(unsigned int, T, int, int = 32);                                    \
  __device__ T atomicAdd(T *, T);

#define __cpr_half_compare(T, T2, op)                                                              \
  __cpr_both bool __h##op(T, T);                                                                   \
  __cpr_both bool __h##op##u(T, T);                                                                \
  __cpr_both T2 __h##op##2(T2, T2);                                                                \
  __cpr_both T2 __h##op##u2(T2, T2);                                                               \
  __cpr_both unsigned int __h##op##2_mask(T2, T2);                                                 \
  __cpr_both unsigned int __h##op##u2_mask(T2, T2);                                                \
  __cpr_both bool __hb##op##2(T2, T2);                                                             \
  __cpr_both bool __hb##op##u2(T2, T2);

#define __cpr_half_math(T, T2, f)                                                                  \
  __device__ T h##f(T);                                                                            \
  __device__ T2 h2##f(T2);

#define __cpr_half_common(T, T2)                                                                   \
  __cpr_half_memory(T)                                                                             \
  __cpr_half_memory(T2)                                                                            \
  __cpr_half_compare(T, T2, eq)                                                                    \
  __cpr_half_compare(T, T2, ne)                                                                    \
  __cpr_half_compare(T, T2, lt)                                                                    \
  __cpr_half_compare(T, T2, le)                                                                    \
  __cpr_half_compare(T, T2, gt)                                                                    \
  __cpr_half_compare(T, T2, ge)                                                                    \
  __cpr_half_math(T, T2, ceil)                                                                     \
  __cpr_half_math(T, T2, floor)                                                                    \
  __cpr_half_math(T, T2, rint)                                                                     \
  __cpr_half_math(T, T2, trunc)                                                                    \
  __cpr_half_math(T, T2, sin)                                                                      \
  __cpr_half_math(T, T2, cos)                                                                      \
  __cpr_half_math(T, T2, exp)                                                                      \
  __cpr_half_math(T, T2, exp2)                                                                     \
  __cpr_half_math(T, T2, exp10)                                                                    \
  __cpr_half_math(T, T2, log)                                                                      \
  __cpr_half_math(T, T2, log2)                                                                     \
  __cpr_half_math(T, T2, log10)                                                                    \
  __cpr_half_math(T, T2, rcp)                                                                      \
  __cpr_half_math(T, T2, sqrt)                                                                     \
  __cpr_half_math(T, T2, rsqrt)                                                                    \
  __cpr_half_math(T, T2, tanh)                                                                     \
  __cpr_half_math(T, T2, tanh_approx)                                                              \
  __cpr_both T __hadd(T, T);                                                                       \
  __cpr_both T __hadd_rn(T, T);                                                                    \
  __cpr_both T __hadd_sat(T, T);                                                                   \
  __cpr_both T __hsub(T, T);                                                                       \
  __cpr_both T __hsub_rn(T, T);                                                                    \
  __cpr_both T __hsub_sat(T, T);                                                                   \
  __cpr_both T __hmul(T, T);                                                                       \
  __cpr_both T __hmul_rn(T, T);                                                                    \
  __cpr_both T __hmul_sat(T, T);                                                                   \
  __cpr_both T __hdiv(T, T);                                                                       \
  __device__ T __hfma(T, T, T);                                                                    \
  __device__ T __hfma_sat(T, T, T);                                                                \
  __device__ T __hfma_relu(T, T, T);                                                               \
  __cpr_both T __habs(T);                                                                          \
  __cpr_both T __hneg(T);                                                                          \
  __cpr_both T __hmax(T, T);                                                                       \
  __cpr_both T __hmin(T, T);                                                                       \
  __cpr_both T __hmax_nan(T, T);                                                                   \
  __cpr_both T __hmin_nan(T, T);                                                                   \
  __cpr_both bool __hisnan(T);                                                                     \
  __cpr_both int __hisinf(T);                                                                      \
  __cpr_both T2 __hadd2(T2, T2);                                                                   \
  __cpr_both T2 __hadd2_rn(T2, T2);                                                                \
  __cpr_both T2 __hadd2_sat(T2, T2);                                                               \
  __cpr_both T2 __hsub2(T2, T2);                                                                   \
  __cpr_both T2 __hsub2_rn(T2, T2);                                                                \
  __cpr_both T2 __hsub2_sat(T2, T2);                                                               \
  __cpr_both T2 __hmul2(T2, T2);                                                                   \
  __cpr_both T2 __hmul2_rn(T2, T2);                                                                \
  __cpr_both T2 __hmul2_sat(T2, T2);                                                               \
  __cpr_both T2 __h2div(T2, T2);                                                                   \
  __device__ T2 __hfma2(T2, T2, T2);                                                               \
  __device__ T2 __hfma2_sat(T2, T2, T2);                                                           \
  __device__ T2 __hfma2_relu(T2, T2, T2);                                                          \
  __device__ T2 __hcmadd(T2, T2, T2);                                                              \
  __cpr_both T2 __habs2(T2);                                                                       \
  __cpr_both T2 __hneg2(T2);                                                                       \
  __cpr_both T2 __hmax2(T2, T2);                                                                   \
  __cpr_both T2 __hmin2(T2, T2);                                                                   \
  __cpr_both T2 __hmax2_nan(T2, T2);                                                               \
  __cpr_both T2 __hmin2_nan(T2, T2);                                                               \
  __cpr_both T2 __hisnan2(T2);                                                                     \
  __cpr_both float __low2float(T2);                                                                \
  __cpr_both float __high2float(T2);                                                               \
  __cpr_both T2 __lowhigh2highlow(T2);

// Conversions whose names contain the type's: `__int2half_rn`, `__half2int_rz`.
#define __cpr_half_to(T, name, I, i)                                                               \
  __cpr_both I __##name##2##i##_rz(T);                                                             \
  __device__ I __##name##2##i##_rn(T);                                                             \
  __device__ I __##name##2##i##_ru(T);                                                             \
  __device__ I __##name##2##i##_rd(T);                                                             \
  __cpr_both T __##i##2##name##_rn(I);                                                             \
  __cpr_both T __##i##2##name##_rz(I);                                                             \
  __cpr_both T __##i##2##name##_ru(I);                                                             \
  __cpr_both T __##i##2##name##_rd(I);
#define __cpr_half_conversions(T, T2, name)                                                        \
  __cpr_half_to(T, name, int, int)                                                                 \
  __cpr_half_to(T, name, unsigned int, uint)                                                       \
  __cpr_half_to(T, name, short, short)                                                             \
  __cpr_half_to(T, name, unsigned short, ushort)                                                   \
  __cpr_half_to(T, name, long long, ll)                                                            \
  __cpr_half_to(T, name, unsigned long long, ull)                                                  \
  __cpr_both signed char __##name##2char_rz(T);                                                    \
  __cpr_both unsigned char __##name##2uchar_rz(T);                                                 \
  __cpr_both short __##name##_as_short(T);                                                         \
  __cpr_both unsigned short __##name##_as_ushort(T);                                               \
  __cpr_both T __short_as_##name(short);                                                           \
  __cpr_both T __ushort_as_##name(unsigned short);                                                 \
  __cpr_both T __float2##name(float);                                                              \
  __cpr_both T __float2##name##_rn(float);                                                         \
  __cpr_both T __float2##name##_rz(float);                                                         \
  __cpr_both T __float2##name##_ru(float);                                                         \
  __cpr_both T __float2##name##_rd(float);                                                         \
  __cpr_both T __double2##name(double);                                                            \
  __cpr_both float __##name##2float(T);                                                            \
  __cpr_both T2 __float2##name##2_rn(float);                                                       \
  __cpr_both T2 __floats2##name##2_rn(float, float);                                               \
  __cpr_both T2 __float22##name##2_rn(float2);                                                     \
  __cpr_both float2 __##name##22float2(T2);                                                        \
  __cpr_both T2 __##name##2##name##2(T);                                                           \
  __cpr_both T __low2##name(T2);                                                                   \
  __cpr_both T __high2##name(T2);                                                                  \
  __cpr_both T2 __low2##name##2(T2);                                                               \
  __cpr_both T2 __high2##name##2(T2);                                                              \
  __cpr_both T2 __lows2##name##2(T2, T2);                                                          \
  __cpr_both T2 __highs2##name##2(T2, T2);                                                         \
  __cpr_both T2 make_##name##2(T, T);
