//===- cooperative_groups.h - Cooperative groups
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// The toolkit has the names in a namespace __v1 that is not inline but used; qualified names show
/// it, so it is here too.
///
//===----------------------------------------------------------------------===//
#pragma once

#define _COOPERATIVE_GROUPS_H_

#include "cuda_runtime.h"

namespace cooperative_groups {
namespace __v1 {

class thread_group {
public:
  __device__ unsigned long long size() const;
  __device__ unsigned long long num_threads() const;
  __device__ unsigned long long thread_rank() const;
  __device__ void sync() const;
  __device__ unsigned int get_type() const;

#ifndef __CPR_EMULATE__ // the bodies are functions of all kinds
private:
#endif
  unsigned int __type;
  void *__data;
};
template <unsigned int Id> struct thread_group_base : public thread_group {
  static constexpr unsigned int _group_id = Id;
};

class grid_group : public thread_group_base<1> {
public:
  struct arrival_token {
    unsigned int token;
  };
  __device__ bool is_valid() const;
  __device__ void sync() const;
  __device__ arrival_token barrier_arrive() const;
  __device__ void barrier_wait(arrival_token &&) const;
  static __device__ unsigned long long size();
  static __device__ unsigned long long num_threads();
  static __device__ unsigned long long thread_rank();
  static __device__ unsigned long long num_blocks();
  static __device__ unsigned long long block_rank();
  static __device__ unsigned long long num_clusters();
  static __device__ unsigned long long cluster_rank();
  static __device__ dim3 group_dim();
  static __device__ dim3 dim_threads();
  static __device__ dim3 dim_blocks();
  static __device__ dim3 thread_index();
  static __device__ dim3 block_index();
  static __device__ dim3 dim_clusters();
  static __device__ dim3 cluster_index();
};
__device__ grid_group this_grid();

#if __CUDA_ARCH__ >= 900
class cluster_group : public thread_group_base<4> {
public:
  struct arrival_token {};
  static __device__ void sync();
  static __device__ arrival_token barrier_arrive();
  static __device__ void barrier_wait();
  static __device__ void barrier_wait(arrival_token &&);
  static __device__ unsigned int query_shared_rank(const void *);
  template <class T> static __device__ T *map_shared_rank(T *, int);
  static __device__ dim3 block_index();
  static __device__ dim3 thread_index();
  static __device__ dim3 dim_blocks();
  static __device__ dim3 dim_threads();
  static __device__ unsigned int block_rank();
  static __device__ unsigned int thread_rank();
  static __device__ unsigned int num_blocks();
  static __device__ unsigned int num_threads();
  static __device__ unsigned int size();
};
__device__ cluster_group this_cluster();
#endif

template <unsigned int MaxBlockSize = 1024> struct __align__(16) block_tile_memory {
  char __storage[MaxBlockSize / 32 * 8 + 16];
};

class thread_block : public thread_group_base<3> {
public:
  struct arrival_token {};
  static __device__ void sync();
  __device__ arrival_token barrier_arrive() const;
  __device__ void barrier_wait(arrival_token &&) const;
  static __device__ unsigned int size();
  static __device__ unsigned int num_threads();
  static __device__ unsigned int thread_rank();
  static __device__ dim3 group_index();
  static __device__ dim3 thread_index();
  static __device__ dim3 group_dim();
  static __device__ dim3 dim_threads();
};
__device__ thread_block this_thread_block();
template <unsigned int MaxBlockSize>
__device__ thread_block this_thread_block(block_tile_memory<MaxBlockSize> &);

// What a warp or a part of it can do.
#define __cpr_warp_members                                                                         \
  template <class T> __device__ T shfl(T, int) const;                                              \
  template <class T> __device__ T shfl_up(T, unsigned int) const;                                  \
  template <class T> __device__ T shfl_down(T, unsigned int) const;                                \
  __device__ int any(int) const;                                                                   \
  __device__ int all(int) const;                                                                   \
  __device__ unsigned int ballot(int) const;                                                       \
  template <class T> __device__ unsigned int match_any(T) const;                                   \
  template <class T> __device__ unsigned int match_all(T, int &) const;

class coalesced_group : public thread_group_base<6> {
public:
  __device__ unsigned int size() const;
  __device__ unsigned int num_threads() const;
  __device__ unsigned int thread_rank() const;
  __device__ unsigned int meta_group_rank() const;
  __device__ unsigned int meta_group_size() const;
  __device__ void sync() const;
  __cpr_warp_members
};
__device__ coalesced_group coalesced_threads();

template <unsigned int Size> class __static_size_tile_base : public thread_group {
public:
  static __device__ unsigned int thread_rank();
  static __device__ constexpr unsigned int num_threads() { return Size; }
  static __device__ constexpr unsigned int size() { return Size; }
};
template <unsigned int Size>
class __static_size_thread_block_tile_base : public __static_size_tile_base<Size> {
public:
  __cpr_warp_members
  template <class T> __device__ T shfl_xor(T, unsigned int) const;
  static __device__ void sync();
};
template <unsigned int Size, class Parent = void>
class thread_block_tile : public __static_size_thread_block_tile_base<Size> {
public:
  __device__ thread_block_tile(const Parent &);
  __device__ operator thread_block_tile<Size, void>() const;
  __device__ unsigned int meta_group_rank() const;
  __device__ unsigned int meta_group_size() const;
};
template <unsigned int Size>
class thread_block_tile<Size, void> : public __static_size_thread_block_tile_base<Size> {
public:
  template <unsigned int OtherSize, class OtherParent>
  __device__ thread_block_tile(const thread_block_tile<OtherSize, OtherParent> &);
  __device__ unsigned int meta_group_rank() const;
  __device__ unsigned int meta_group_size() const;
};
#undef __cpr_warp_members

template <unsigned int Size, class Parent>
__device__ thread_block_tile<Size, Parent> tiled_partition(const Parent &);
__device__ thread_group tiled_partition(const thread_group &, unsigned int);
__device__ thread_group tiled_partition(const thread_block &, unsigned int);
__device__ coalesced_group tiled_partition(const coalesced_group &, unsigned int);
__device__ thread_block_tile<1, void> this_thread();
template <class Group> __device__ coalesced_group binary_partition(const Group &, bool);
template <class Group, class T> __device__ coalesced_group labeled_partition(const Group &, T);

template <class Group> __device__ void sync(const Group &);
template <class Group> __device__ auto thread_rank(const Group &g) -> decltype(g.thread_rank());
template <class Group> __device__ auto group_size(const Group &g) -> decltype(g.num_threads());
template <class Group, class F> __device__ void invoke_one(const Group &, F &&);

} // namespace __v1
using namespace __v1;
} // namespace cooperative_groups

#ifdef __CPR_EMULATE__
#include "emulate/cooperative_groups.h"
#endif
