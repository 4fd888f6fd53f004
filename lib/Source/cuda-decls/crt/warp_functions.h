//===- crt/warp_functions.h - Shuffles, votes, matches, reductions
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "../host_defines.h"

#define __cpr_shuffle(T)                                                                           \
  __device__ T __shfl_sync(unsigned int, T, int, int = 32);                                        \
  __device__ T __shfl_up_sync(unsigned int, T, unsigned int, int = 32);                            \
  __device__ T __shfl_down_sync(unsigned int, T, unsigned int, int = 32);                          \
  __device__ T __shfl_xor_sync(unsigned int, T, int, int = 32);                                    \
  __device__ T __shfl(T, int, int = 32);                                                           \
  __device__ T __shfl_up(T, unsigned int, int = 32);                                               \
  __device__ T __shfl_down(T, unsigned int, int = 32);                                             \
  __device__ T __shfl_xor(T, int, int = 32);
__cpr_shuffle(int)
__cpr_shuffle(unsigned int)
__cpr_shuffle(long)
__cpr_shuffle(unsigned long)
__cpr_shuffle(long long)
__cpr_shuffle(unsigned long long)
__cpr_shuffle(float)
__cpr_shuffle(double)
#undef __cpr_shuffle

__device__ void __syncwarp(unsigned int = 0xffffffff);
__device__ void __barrier_sync(unsigned int);
__device__ void __barrier_sync_count(unsigned int, unsigned int);
__device__ int __all_sync(unsigned int, int);
__device__ int __any_sync(unsigned int, int);
__device__ int __uni_sync(unsigned int, int);
__device__ unsigned int __ballot_sync(unsigned int, int);
__device__ unsigned int __activemask();
__device__ int __all(int);
__device__ int __any(int);
__device__ unsigned int __ballot(int);

#define __cpr_match(T)                                                                             \
  __device__ unsigned int __match_any_sync(unsigned int, T);                                       \
  __device__ unsigned int __match_all_sync(unsigned int, T, int *);
__cpr_match(int)
__cpr_match(unsigned int)
__cpr_match(long)
__cpr_match(unsigned long)
__cpr_match(long long)
__cpr_match(unsigned long long)
__cpr_match(float)
__cpr_match(double)
#undef __cpr_match

#if __CUDA_ARCH__ >= 800
__device__ unsigned int __reduce_add_sync(unsigned int, unsigned int);
__device__ int __reduce_add_sync(unsigned int, int);
__device__ unsigned int __reduce_min_sync(unsigned int, unsigned int);
__device__ int __reduce_min_sync(unsigned int, int);
__device__ unsigned int __reduce_max_sync(unsigned int, unsigned int);
__device__ int __reduce_max_sync(unsigned int, int);
__device__ unsigned int __reduce_and_sync(unsigned int, unsigned int);
__device__ unsigned int __reduce_or_sync(unsigned int, unsigned int);
__device__ unsigned int __reduce_xor_sync(unsigned int, unsigned int);
#endif

#if __CUDA_ARCH__ >= 900
struct dim3;
__device__ unsigned int __isCtaShared(const void *);
__device__ unsigned int __isClusterShared(const void *);
__device__ void *__cluster_map_shared_rank(const void *, unsigned int);
__device__ unsigned int __cluster_query_shared_rank(const void *);
__device__ dim3 __clusterDim();
__device__ dim3 __clusterRelativeBlockIdx();
__device__ dim3 __clusterGridDimInClusters();
__device__ dim3 __clusterIdx();
__device__ unsigned int __clusterRelativeBlockRank();
__device__ unsigned int __clusterSizeInBlocks();
__device__ void __cluster_barrier_arrive();
__device__ void __cluster_barrier_arrive_relaxed();
__device__ void __cluster_barrier_wait();
__device__ void __threadfence_cluster();
#endif

#ifdef __CPR_EMULATE__
#include "../emulate/warp.h"
#endif
