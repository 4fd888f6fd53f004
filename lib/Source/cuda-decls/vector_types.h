//===- vector_types.h - char1 to double4, dim3
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#define __VECTOR_TYPES_H__

#include "host_defines.h"

// Sizes and alignments are those of the CUDA programming guide: they decide whether a copy may be
// 16 bytes wide.
#define __cpr_vector(T, Name, Align2, Align4)                                                      \
  struct Name##1 {                                                                                 \
    T x;                                                                                           \
  };                                                                                               \
  struct __align__(Align2) Name##2 {                                                               \
    T x, y;                                                                                        \
  };                                                                                               \
  struct Name##3 {                                                                                 \
    T x, y, z;                                                                                     \
  };                                                                                               \
  struct __align__(Align4) Name##4 {                                                               \
    T x, y, z, w;                                                                                  \
  };

__cpr_vector(signed char, char, 2, 4)
__cpr_vector(unsigned char, uchar, 2, 4)
__cpr_vector(short, short, 4, 8)
__cpr_vector(unsigned short, ushort, 4, 8)
__cpr_vector(int, int, 8, 16)
__cpr_vector(unsigned int, uint, 8, 16)
__cpr_vector(long, long, 16, 16)
__cpr_vector(unsigned long, ulong, 16, 16)
__cpr_vector(long long, longlong, 16, 16)
__cpr_vector(unsigned long long, ulonglong, 16, 16)
__cpr_vector(float, float, 8, 16)
__cpr_vector(double, double, 16, 16)
#undef __cpr_vector

// CUDA 13 names the alignment of the 32-byte vectors.
#define __cpr_vector4(T, Name)                                                                     \
  struct __align__(16) Name##4_16a {                                                               \
    T x, y, z, w;                                                                                  \
  };                                                                                               \
  struct __align__(32) Name##4_32a {                                                               \
    T x, y, z, w;                                                                                  \
  };
__cpr_vector4(long, long)
__cpr_vector4(unsigned long, ulong)
__cpr_vector4(long long, longlong)
__cpr_vector4(unsigned long long, ulonglong)
__cpr_vector4(double, double)
#undef __cpr_vector4

struct dim3 {
  unsigned int x, y, z;
#if __cplusplus >= 201103L
  __host__ __device__ constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
      : x(vx), y(vy), z(vz) {}
  __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __host__ __device__ constexpr operator uint3() const { return uint3{x, y, z}; }
#else
  __host__ __device__ dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1);
  __host__ __device__ dim3(uint3 v);
  __host__ __device__ operator uint3() const;
#endif
};
