//===- emulate/warp.h - Bodies of the warp functions
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// All of them are one exchange: every lane gives a value and sees those of the others.
///
//===----------------------------------------------------------------------===//
#pragma once

#include "machine.h"

// What lane Lane gives. From a lane that takes no part anything may come: large numbers.
template <class T> __cpr_body T __cpr_from_lane(unsigned int Mask, T Mine, unsigned int Lane) {
  const T *Slots = (const T *)__cpr_emu_exchange(Mask, &Mine, sizeof(T));
  if (Mask >> Lane & 1)
    return Slots[Lane];
  T Nobody = Mine;
  __builtin_memset((void *)&Nobody, 0x7e, sizeof(T));
  return Nobody;
}

// The lane that a shuffle reads; Width lanes are a segment.
__cpr_body unsigned int __cpr_shfl_lane(unsigned int Lane, int Index, int Width) {
  return (Lane & ~((unsigned)Width - 1)) | ((unsigned)Index & ((unsigned)Width - 1));
}
__cpr_body unsigned int __cpr_shfl_up_lane(unsigned int Lane, unsigned int Delta, int Width) {
  unsigned int Rank = Lane & ((unsigned)Width - 1);
  return Rank < (Delta & 31) ? Lane : Lane - (Delta & 31);
}
__cpr_body unsigned int __cpr_shfl_down_lane(unsigned int Lane, unsigned int Delta, int Width) {
  unsigned int Rank = Lane & ((unsigned)Width - 1);
  return Rank + (Delta & 31) >= (unsigned)Width ? Lane : Lane + (Delta & 31);
}
__cpr_body unsigned int __cpr_shfl_xor_lane(unsigned int Lane, int Bits, int Width) {
  unsigned int Last = Lane | ((unsigned)Width - 1);
  unsigned int From = Lane ^ ((unsigned)Bits & 31);
  return From <= Last ? From : Lane;
}

#define __cpr_shuffle_one(T, f, D)                                                                 \
  __cpr_body T __##f##_sync(unsigned int Mask, T v, D d, int Width) {                              \
    return __cpr_from_lane(Mask, v, __cpr_##f##_lane(__cpr_emu_lane(), d, Width));                 \
  }
#define __cpr_shuffle_sync(T)                                                                      \
  __cpr_shuffle_one(T, shfl, int)                                                                  \
  __cpr_shuffle_one(T, shfl_up, unsigned int)                                                      \
  __cpr_shuffle_one(T, shfl_down, unsigned int)                                                    \
  __cpr_shuffle_one(T, shfl_xor, int)
#define __cpr_shuffle(T)                                                                           \
  __cpr_shuffle_sync(T)                                                                            \
  __cpr_body T __shfl(T v, int d, int Width) {                                                     \
    return __shfl_sync(__cpr_emu_active_mask(), v, d, Width);                                      \
  }                                                                                                \
  __cpr_body T __shfl_up(T v, unsigned int d, int Width) {                                         \
    return __shfl_up_sync(__cpr_emu_active_mask(), v, d, Width);                                   \
  }                                                                                                \
  __cpr_body T __shfl_down(T v, unsigned int d, int Width) {                                       \
    return __shfl_down_sync(__cpr_emu_active_mask(), v, d, Width);                                 \
  }                                                                                                \
  __cpr_body T __shfl_xor(T v, int d, int Width) {                                                 \
    return __shfl_xor_sync(__cpr_emu_active_mask(), v, d, Width);                                  \
  }
__cpr_shuffle(int)
__cpr_shuffle(unsigned int)
__cpr_shuffle(long)
__cpr_shuffle(unsigned long)
__cpr_shuffle(long long)
__cpr_shuffle(unsigned long long)
__cpr_shuffle(float)
__cpr_shuffle(double)
#undef __cpr_shuffle

__cpr_body void __syncwarp(unsigned int Mask) { __cpr_emu_sync_warp(Mask); }
__cpr_body void __barrier_sync(unsigned int Id) { __cpr_emu_barrier(Id, 0, 0); }
__cpr_body void __barrier_sync_count(unsigned int Id, unsigned int Threads) {
  __cpr_emu_barrier(Id, Threads, 0);
}

// The lanes of Mask whose predicate is set.
__cpr_body unsigned int __cpr_ballot(unsigned int Mask, bool p) {
  const bool *Slots = (const bool *)__cpr_emu_exchange(Mask, &p, 1);
  unsigned int r = 0;
  for (unsigned int i = 0; i < 32; ++i)
    r |= (unsigned)(Slots[i] && (Mask >> i & 1)) << i;
  return r;
}
__cpr_body unsigned int __ballot_sync(unsigned int Mask, int p) {
  return __cpr_ballot(Mask, p != 0);
}
__cpr_body int __all_sync(unsigned int Mask, int p) { return __cpr_ballot(Mask, p == 0) == 0; }
__cpr_body int __any_sync(unsigned int Mask, int p) { return __cpr_ballot(Mask, p != 0) != 0; }
__cpr_body int __uni_sync(unsigned int Mask, int p) {
  unsigned int Set = __cpr_ballot(Mask, p != 0);
  return Set == 0 || Set == __cpr_emu_met_lanes();
}
__cpr_body unsigned int __activemask() { return __cpr_emu_active_mask(); }
__cpr_body int __all(int p) { return __all_sync(__cpr_emu_active_mask(), p); }
__cpr_body int __any(int p) { return __any_sync(__cpr_emu_active_mask(), p); }
__cpr_body unsigned int __ballot(int p) { return __ballot_sync(__cpr_emu_active_mask(), p); }

// Lanes with the same bits.
template <class Word> __cpr_body unsigned int __cpr_match(unsigned int Mask, Word v) {
  const Word *Slots = (const Word *)__cpr_emu_exchange(Mask, &v, sizeof(v));
  unsigned int r = 0;
  for (unsigned int i = 0; i < 32; ++i)
    r |= (unsigned)(Slots[i] == v) << i;
  return r & __cpr_emu_met_lanes();
}
#define __cpr_match_type(T, Word)                                                                  \
  __cpr_body unsigned int __match_any_sync(unsigned int Mask, T v) {                               \
    return __cpr_match(Mask, __builtin_bit_cast(Word, v));                                         \
  }                                                                                                \
  __cpr_body unsigned int __match_all_sync(unsigned int Mask, T v, int *p) {                       \
    unsigned int Same = __cpr_match(Mask, __builtin_bit_cast(Word, v));                            \
    unsigned int Present = __cpr_emu_met_lanes();                                                  \
    bool All = Same == Present;                                                                    \
    *p = All;                                                                                      \
    return All ? Present : 0;                                                                      \
  }
__cpr_match_type(int, unsigned int)
__cpr_match_type(unsigned int, unsigned int)
__cpr_match_type(long, unsigned long)
__cpr_match_type(unsigned long, unsigned long)
__cpr_match_type(long long, unsigned long long)
__cpr_match_type(unsigned long long, unsigned long long)
__cpr_match_type(float, unsigned int)
__cpr_match_type(double, unsigned long long)
#undef __cpr_match_type

#if __CUDA_ARCH__ >= 800
#define __cpr_reduce(T, op, Expression)                                                            \
  __cpr_body T __reduce_##op##_sync(unsigned int Mask, T Mine) {                                   \
    const T *Slots = (const T *)__cpr_emu_exchange(Mask, &Mine, sizeof(T));                        \
    unsigned int Others = __cpr_emu_met_lanes() & ~(1u << __cpr_emu_lane());                       \
    T a = Mine;                                                                                    \
    for (; Others; Others &= Others - 1) {                                                         \
      T b = Slots[__builtin_ctz(Others)];                                                          \
      a = Expression;                                                                              \
    }                                                                                              \
    return a;                                                                                      \
  }
__cpr_reduce(unsigned int, add, a + b)
__cpr_reduce(int, add, (int)((unsigned)a + (unsigned)b))
__cpr_reduce(unsigned int, min, b < a ? b : a)
__cpr_reduce(int, min, b < a ? b : a)
__cpr_reduce(unsigned int, max, b > a ? b : a)
__cpr_reduce(int, max, b > a ? b : a)
__cpr_reduce(unsigned int, and, a & b)
__cpr_reduce(unsigned int, or, a | b)
__cpr_reduce(unsigned int, xor, a ^ b)
#undef __cpr_reduce
#endif

#if __CUDA_ARCH__ >= 900
__cpr_body unsigned int __isCtaShared(const void *p) { return __cpr_emu_is_space(p, "shared"); }
__cpr_body unsigned int __isClusterShared(const void *p) { return __cpr_emu_is_space(p, "shared"); }
__cpr_body void *__cluster_map_shared_rank(const void *, unsigned int)
    __cpr_unsupported("__cluster_map_shared_rank")
__cpr_body unsigned int __cluster_query_shared_rank(const void *)
    __cpr_unsupported("__cluster_query_shared_rank")
__cpr_body dim3 __clusterDim() __cpr_unsupported("__clusterDim")
__cpr_body dim3 __clusterRelativeBlockIdx() __cpr_unsupported("__clusterRelativeBlockIdx")
__cpr_body dim3 __clusterGridDimInClusters() __cpr_unsupported("__clusterGridDimInClusters")
__cpr_body dim3 __clusterIdx() __cpr_unsupported("__clusterIdx")
__cpr_body unsigned int __clusterRelativeBlockRank() __cpr_unsupported("__clusterRelativeBlockRank")
__cpr_body unsigned int __clusterSizeInBlocks() __cpr_unsupported("__clusterSizeInBlocks")
__cpr_body void __cluster_barrier_arrive() __cpr_unsupported("__cluster_barrier_arrive")
__cpr_body void __cluster_barrier_arrive_relaxed()
    __cpr_unsupported("__cluster_barrier_arrive_relaxed")
__cpr_body void __cluster_barrier_wait() __cpr_unsupported("__cluster_barrier_wait")
__cpr_body void __threadfence_cluster() { __cpr_emu_fence(); }
#endif
