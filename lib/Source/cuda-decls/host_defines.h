//===- host_defines.h - Qualifiers
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#define __HOST_DEFINES_H__
#define __CRT_HOST_DEFINES_H__

#define __CUDACC__
#define CUDART_VERSION 12080
#define CUDA_VERSION 12080

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device)) // Clang knows managed variables in HIP only
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#if __has_attribute(cluster_dims)
#define __cluster_dims__(...) __attribute__((cluster_dims(__VA_ARGS__)))
#else
#define __cluster_dims__(...)
#endif
#define __grid_constant__ __attribute__((grid_constant))
#define __block_size__(...)
#define __maxnreg__(...)
#define __tile_global__ __global__
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __align__(n) __attribute__((aligned(n)))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __inline_hint__
#define __no_return__ __attribute__((noreturn))
#define __nv_pure__ __attribute__((pure))
#define __thread__ __thread
#define __cudart_builtin__
#define __device_builtin__
#define __device_builtin_texture_type__
#define __device_builtin_surface_type__
#define __location__(a) __attribute__((a))
#define __annotate__(a) __attribute__((a))
#define __import__
#define __export__
#define CUDARTAPI
#define CUDART_CB
#define __host_device__ __host__ __device__
