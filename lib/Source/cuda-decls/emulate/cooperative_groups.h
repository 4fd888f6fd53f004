//===- emulate/cooperative_groups.h - Bodies of cooperative groups
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// A group below a block is a mask of lanes; it keeps the mask, and which of how many parts of its
/// parent it is, in __data. Tiles of more than a warp, clusters, and grids that synchronise are not
/// emulated.
///
//===----------------------------------------------------------------------===//
#pragma once

#include "machine.h"

namespace cooperative_groups {
namespace __v1 {

// thread_group::__type.
enum : unsigned int { __cpr_tile_group = 2, __cpr_block_group = 3, __cpr_coalesced_group = 6 };

__cpr_body void __cpr_set(thread_group &g, unsigned int Type, unsigned int Mask, unsigned int Part = 0,
                          unsigned int Parts = 1) {
  g.__type = Type;
  g.__data = (void *)((size_t)Parts << 48 | (size_t)Part << 32 | Mask);
}
__cpr_body unsigned int __cpr_mask(const thread_group &g) { return (unsigned int)(size_t)g.__data; }
__cpr_body unsigned int __cpr_part(const thread_group &g) {
  return (unsigned int)((size_t)g.__data >> 32 & 0xffff);
}
__cpr_body unsigned int __cpr_parts(const thread_group &g) {
  return (unsigned int)((size_t)g.__data >> 48);
}
__cpr_body unsigned int __cpr_block_size() { return blockDim.x * blockDim.y * blockDim.z; }
__cpr_body unsigned int __cpr_block_rank() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
__cpr_body unsigned int __cpr_rank(unsigned int Mask) {
  return (unsigned)__builtin_popcount(Mask & ((1u << __cpr_emu_lane()) - 1));
}
// The lane with the given rank.
__cpr_body unsigned int __cpr_lane_of(unsigned int Mask, unsigned int Rank) {
  for (; Rank; --Rank)
    Mask &= Mask - 1;
  return Mask ? (unsigned)__builtin_ctz(Mask) : 0;
}
// The lanes of Votes in the order of the group's ranks.
__cpr_body unsigned int __cpr_pack(unsigned int Mask, unsigned int Votes) {
  unsigned int r = 0;
  for (unsigned int Rank = 0; Mask; Mask &= Mask - 1, ++Rank)
    r |= (Votes >> __builtin_ctz(Mask) & 1) << Rank;
  return r;
}
template <unsigned int Size> __cpr_body unsigned int __cpr_tile_mask() {
  if constexpr (Size == 32) {
    return 0xffffffff;
  } else if constexpr (Size < 32) {
    return ((1u << Size) - 1) << (__cpr_emu_lane() & ~(Size - 1));
  } else {
    __cpr_emu_unsupported("a tile of more than 32 threads");
  }
}

// thread_group.
__cpr_member_body unsigned long long thread_group::num_threads() const {
  return __type == __cpr_block_group ? __cpr_block_size()
                                     : (unsigned)__builtin_popcount(__cpr_mask(*this));
}
__cpr_member_body unsigned long long thread_group::size() const { return num_threads(); }
__cpr_member_body unsigned long long thread_group::thread_rank() const {
  return __type == __cpr_block_group ? __cpr_block_rank() : __cpr_rank(__cpr_mask(*this));
}
__cpr_member_body void thread_group::sync() const {
  if (__type == __cpr_block_group)
    __cpr_emu_barrier(0, 0, 0);
  else
    __cpr_emu_sync_warp(__cpr_mask(*this));
}
__cpr_member_body unsigned int thread_group::get_type() const { return __type; }

// grid_group.
__cpr_body grid_group this_grid() {
  grid_group g;
  g.__type = 1;
  g.__data = nullptr;
  return g;
}
__cpr_body unsigned long long __cpr_blocks() {
  return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
}
__cpr_body unsigned long long __cpr_block() {
  return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
}
// Blocks run one after the other.
__cpr_member_body bool grid_group::is_valid() const { return false; }
__cpr_member_body void grid_group::sync() const __cpr_unsupported("grid_group::sync")
__cpr_member_body grid_group::arrival_token grid_group::barrier_arrive() const
    __cpr_unsupported("grid_group::barrier_arrive")
__cpr_member_body void grid_group::barrier_wait(arrival_token &&) const
    __cpr_unsupported("grid_group::barrier_wait")
__cpr_member_body unsigned long long grid_group::num_threads() {
  return __cpr_blocks() * __cpr_block_size();
}
__cpr_member_body unsigned long long grid_group::size() { return num_threads(); }
__cpr_member_body unsigned long long grid_group::thread_rank() {
  return __cpr_block() * __cpr_block_size() + __cpr_block_rank();
}
__cpr_member_body unsigned long long grid_group::num_blocks() { return __cpr_blocks(); }
__cpr_member_body unsigned long long grid_group::block_rank() { return __cpr_block(); }
__cpr_member_body unsigned long long grid_group::num_clusters()
    __cpr_unsupported("grid_group::num_clusters")
__cpr_member_body unsigned long long grid_group::cluster_rank()
    __cpr_unsupported("grid_group::cluster_rank")
__cpr_member_body dim3 grid_group::group_dim() { return gridDim; }
__cpr_member_body dim3 grid_group::dim_threads() {
  return dim3(gridDim.x * blockDim.x, gridDim.y * blockDim.y, gridDim.z * blockDim.z);
}
__cpr_member_body dim3 grid_group::dim_blocks() { return gridDim; }
__cpr_member_body dim3 grid_group::thread_index() {
  return dim3(blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y,
              blockIdx.z * blockDim.z + threadIdx.z);
}
__cpr_member_body dim3 grid_group::block_index() { return blockIdx; }
__cpr_member_body dim3 grid_group::dim_clusters() __cpr_unsupported("grid_group::dim_clusters")
__cpr_member_body dim3 grid_group::cluster_index() __cpr_unsupported("grid_group::cluster_index")

#if __CUDA_ARCH__ >= 900
__cpr_body cluster_group this_cluster() __cpr_unsupported("cooperative_groups::this_cluster")
__cpr_member_body void cluster_group::sync() __cpr_unsupported("cluster_group::sync")
__cpr_member_body cluster_group::arrival_token cluster_group::barrier_arrive()
    __cpr_unsupported("cluster_group::barrier_arrive")
__cpr_member_body void cluster_group::barrier_wait()
    __cpr_unsupported("cluster_group::barrier_wait")
__cpr_member_body void cluster_group::barrier_wait(arrival_token &&)
    __cpr_unsupported("cluster_group::barrier_wait")
__cpr_member_body unsigned int cluster_group::query_shared_rank(const void *)
    __cpr_unsupported("cluster_group::query_shared_rank")
template <class T>
__cpr_member_body T *cluster_group::map_shared_rank(T *, int)
    __cpr_unsupported("cluster_group::map_shared_rank")
__cpr_member_body dim3 cluster_group::block_index() __cpr_unsupported("cluster_group::block_index")
__cpr_member_body dim3 cluster_group::thread_index()
    __cpr_unsupported("cluster_group::thread_index")
__cpr_member_body dim3 cluster_group::dim_blocks() __cpr_unsupported("cluster_group::dim_blocks")
__cpr_member_body dim3 cluster_group::dim_threads() __cpr_unsupported("cluster_group::dim_threads")
__cpr_member_body unsigned int cluster_group::block_rank()
    __cpr_unsupported("cluster_group::block_rank")
__cpr_member_body unsigned int cluster_group::thread_rank()
    __cpr_unsupported("cluster_group::thread_rank")
__cpr_member_body unsigned int cluster_group::num_blocks()
    __cpr_unsupported("cluster_group::num_blocks")
__cpr_member_body unsigned int cluster_group::num_threads()
    __cpr_unsupported("cluster_group::num_threads")
__cpr_member_body unsigned int cluster_group::size() __cpr_unsupported("cluster_group::size")
#endif

// thread_block.
__cpr_body thread_block this_thread_block() {
  thread_block g;
  __cpr_set(g, __cpr_block_group, 0);
  return g;
}
template <unsigned int MaxBlockSize>
__cpr_body thread_block this_thread_block(block_tile_memory<MaxBlockSize> &) {
  return this_thread_block();
}
__cpr_member_body void thread_block::sync() { __cpr_emu_barrier(0, 0, 0); }
__cpr_member_body thread_block::arrival_token thread_block::barrier_arrive() const
    __cpr_unsupported("thread_block::barrier_arrive")
__cpr_member_body void thread_block::barrier_wait(arrival_token &&) const
    __cpr_unsupported("thread_block::barrier_wait")
__cpr_member_body unsigned int thread_block::num_threads() { return __cpr_block_size(); }
__cpr_member_body unsigned int thread_block::size() { return __cpr_block_size(); }
__cpr_member_body unsigned int thread_block::thread_rank() { return __cpr_block_rank(); }
__cpr_member_body dim3 thread_block::group_index() { return blockIdx; }
__cpr_member_body dim3 thread_block::thread_index() { return threadIdx; }
__cpr_member_body dim3 thread_block::group_dim() { return blockDim; }
__cpr_member_body dim3 thread_block::dim_threads() { return blockDim; }

// What a warp or a part of it can do, with its mask.
#define __cpr_warp_bodies(Head, Group, Mask)                                                       \
  Head template <class T> __cpr_member_body T Group::shfl(T v, int Rank) const {                   \
    unsigned int Lanes = Mask;                                                                     \
    unsigned int Count = (unsigned)__builtin_popcount(Lanes);                                      \
    return __cpr_from_lane(Lanes, v, __cpr_lane_of(Lanes, (unsigned)Rank % Count));                \
  }                                                                                                \
  Head template <class T> __cpr_member_body T Group::shfl_up(T v, unsigned int Delta) const {      \
    unsigned int Lanes = Mask, Rank = __cpr_rank(Lanes);                                           \
    return __cpr_from_lane(Lanes, v, __cpr_lane_of(Lanes, Rank < Delta ? Rank : Rank - Delta));    \
  }                                                                                                \
  Head template <class T> __cpr_member_body T Group::shfl_down(T v, unsigned int Delta) const {    \
    unsigned int Lanes = Mask, Rank = __cpr_rank(Lanes);                                           \
    unsigned int Left = (unsigned)__builtin_popcount(Lanes) - 1 - Rank;                            \
    return __cpr_from_lane(Lanes, v, __cpr_lane_of(Lanes, Delta > Left ? Rank : Rank + Delta));    \
  }                                                                                                \
  Head __cpr_member_body int Group::any(int p) const { return __any_sync(Mask, p); }               \
  Head __cpr_member_body int Group::all(int p) const { return __all_sync(Mask, p); }               \
  Head __cpr_member_body unsigned int Group::ballot(int p) const {                                 \
    unsigned int Lanes = Mask;                                                                     \
    return __cpr_pack(Lanes, __ballot_sync(Lanes, p));                                             \
  }                                                                                                \
  Head template <class T> __cpr_member_body unsigned int Group::match_any(T v) const {             \
    unsigned int Lanes = Mask;                                                                     \
    return __cpr_pack(Lanes, __match_any_sync(Lanes, v));                                          \
  }                                                                                                \
  Head template <class T> __cpr_member_body unsigned int Group::match_all(T v, int &p) const {     \
    unsigned int Lanes = Mask;                                                                     \
    return __cpr_pack(Lanes, __match_all_sync(Lanes, v, &p));                                      \
  }
__cpr_warp_bodies(, coalesced_group, __cpr_mask(*this))
#define __cpr_tile_head template <unsigned int Size>
__cpr_warp_bodies(__cpr_tile_head, __static_size_thread_block_tile_base<Size>,
                  __cpr_tile_mask<Size>())
#undef __cpr_warp_bodies
#undef __cpr_tile_head

// coalesced_group.
__cpr_body coalesced_group __cpr_coalesced(unsigned int Mask, unsigned int Part = 0,
                                           unsigned int Parts = 1) {
  coalesced_group g;
  __cpr_set(g, __cpr_coalesced_group, Mask, Part, Parts);
  return g;
}
__cpr_body coalesced_group coalesced_threads() { return __cpr_coalesced(__cpr_emu_active_mask()); }
__cpr_member_body unsigned int coalesced_group::num_threads() const {
  return (unsigned)__builtin_popcount(__cpr_mask(*this));
}
__cpr_member_body unsigned int coalesced_group::size() const { return num_threads(); }
__cpr_member_body unsigned int coalesced_group::thread_rank() const {
  return __cpr_rank(__cpr_mask(*this));
}
__cpr_member_body unsigned int coalesced_group::meta_group_rank() const {
  return __cpr_part(*this);
}
__cpr_member_body unsigned int coalesced_group::meta_group_size() const {
  return __cpr_parts(*this);
}
__cpr_member_body void coalesced_group::sync() const { __cpr_emu_sync_warp(__cpr_mask(*this)); }

// Tiles.
template <unsigned int Size>
__cpr_member_body unsigned int __static_size_tile_base<Size>::thread_rank() {
  return __cpr_emu_lane() & (Size - 1);
}
template <unsigned int Size>
template <class T>
__cpr_member_body T __static_size_thread_block_tile_base<Size>::shfl_xor(T v, unsigned int Bits) const {
  return __cpr_from_lane(__cpr_tile_mask<Size>(), v,
                         __cpr_shfl_xor_lane(__cpr_emu_lane(), (int)Bits, Size));
}
template <unsigned int Size>
__cpr_member_body void __static_size_thread_block_tile_base<Size>::sync() {
  __cpr_emu_sync_warp(__cpr_tile_mask<Size>());
}
// How many parts of Size threads a parent has, and which of them the thread is in.
__cpr_body void __cpr_make_tile(thread_group &g, unsigned int Mask, unsigned int Size,
                                unsigned int ParentRank, unsigned int ParentSize) {
  __cpr_set(g, __cpr_tile_group, Mask, ParentRank / Size, (ParentSize + Size - 1) / Size);
}
template <unsigned int Size, class Parent>
__cpr_member_body thread_block_tile<Size, Parent>::thread_block_tile(const Parent &p) {
  __cpr_make_tile(*this, __cpr_tile_mask<Size>(), Size, (unsigned)p.thread_rank(),
                  (unsigned)p.num_threads());
}
template <unsigned int Size, class Parent>
__cpr_member_body thread_block_tile<Size, Parent>::operator thread_block_tile<Size, void>() const {
  return thread_block_tile<Size, void>(*this);
}
template <unsigned int Size, class Parent>
__cpr_member_body unsigned int thread_block_tile<Size, Parent>::meta_group_rank() const {
  return __cpr_part(*this);
}
template <unsigned int Size, class Parent>
__cpr_member_body unsigned int thread_block_tile<Size, Parent>::meta_group_size() const {
  return __cpr_parts(*this);
}
template <unsigned int Size>
template <unsigned int OtherSize, class OtherParent>
__cpr_member_body
thread_block_tile<Size, void>::thread_block_tile(const thread_block_tile<OtherSize, OtherParent> &o) {
  if constexpr (OtherSize == Size) {
    this->__type = o.__type;
    this->__data = o.__data;
  } else {
    __cpr_make_tile(*this, __cpr_tile_mask<Size>(), Size, o.thread_rank(), OtherSize);
  }
}
template <unsigned int Size>
__cpr_member_body unsigned int thread_block_tile<Size, void>::meta_group_rank() const {
  return __cpr_part(*this);
}
template <unsigned int Size>
__cpr_member_body unsigned int thread_block_tile<Size, void>::meta_group_size() const {
  return __cpr_parts(*this);
}

template <unsigned int Size, class Parent>
__cpr_body thread_block_tile<Size, Parent> tiled_partition(const Parent &p) {
  return thread_block_tile<Size, Parent>(p);
}
// The lanes of Mask whose rank is in the same Size as the thread's.
__cpr_body unsigned int __cpr_part_of(unsigned int Mask, unsigned int Size) {
  unsigned int Mine = __cpr_rank(Mask) / Size, r = 0, Rank = 0;
  for (unsigned int Left = Mask; Left; Left &= Left - 1, ++Rank)
    if (Rank / Size == Mine)
      r |= Left & -Left;
  return r;
}
__cpr_body coalesced_group tiled_partition(const coalesced_group &g, unsigned int Size) {
  unsigned int Mask = __cpr_mask(g), Rank = __cpr_rank(Mask);
  return __cpr_coalesced(__cpr_part_of(Mask, Size), Rank / Size, (g.num_threads() + Size - 1) / Size);
}
__cpr_body thread_group tiled_partition(const thread_block &, unsigned int Size) {
  if (Size == 0 || Size > 32 || (Size & (Size - 1)))
    __cpr_emu_unsupported("a tile whose size is not 1, 2, 4, 8, 16 or 32");
  thread_group g;
  // Lanes that do not exist are no part of it.
  unsigned int First = __cpr_emu_lane() & ~(Size - 1);
  unsigned int Mask = (Size == 32 ? ~0u : (1u << Size) - 1) << First;
  __cpr_make_tile(g, Mask & __cpr_emu_live_lanes(), Size, __cpr_block_rank(), __cpr_block_size());
  return g;
}
__cpr_body thread_group tiled_partition(const thread_group &p, unsigned int Size) {
  if (p.__type == __cpr_block_group)
    return tiled_partition(this_thread_block(), Size);
  unsigned int Mask = __cpr_mask(p);
  thread_group g;
  __cpr_make_tile(g, __cpr_part_of(Mask, Size), Size, __cpr_rank(Mask),
                  (unsigned)__builtin_popcount(Mask));
  return g;
}
__cpr_body thread_block_tile<1, void> this_thread() {
  return thread_block_tile<1, void>(thread_block_tile<1, thread_block>(this_thread_block()));
}
// The lanes of a group that lies within a warp.
template <class Group> __cpr_body unsigned int __cpr_lanes(const Group &g) {
  return __cpr_mask(g);
}
__cpr_body unsigned int __cpr_lanes(const thread_block &)
    __cpr_unsupported("a function of cooperative groups that wants a part of a warp")
template <class Group> __cpr_body coalesced_group binary_partition(const Group &g, bool p) {
  unsigned int Mask = __cpr_lanes(g) & __cpr_emu_live_lanes();
  unsigned int Set = __cpr_ballot(Mask, p);
  return __cpr_coalesced(p ? Set : Mask & ~Set, p, 2);
}
template <class Group, class T>
__cpr_body coalesced_group labeled_partition(const Group &g, T Label) {
  unsigned int Mask = __cpr_lanes(g) & __cpr_emu_live_lanes();
  // Parts are numbered in the order of their first threads.
  unsigned int Mine = __match_any_sync(Mask, Label);
  unsigned int Firsts = __cpr_ballot(Mask, (Mine & -Mine) == 1u << __cpr_emu_lane());
  return __cpr_coalesced(Mine, (unsigned)__builtin_popcount(Firsts & ((Mine & -Mine) - 1)),
                         (unsigned)__builtin_popcount(Firsts));
}

template <class Group> __cpr_body void sync(const Group &g) { g.sync(); }
template <class Group> __cpr_body auto thread_rank(const Group &g) -> decltype(g.thread_rank()) {
  return g.thread_rank();
}
template <class Group> __cpr_body auto group_size(const Group &g) -> decltype(g.num_threads()) {
  return g.num_threads();
}
template <class Group, class F> __cpr_body void invoke_one(const Group &g, F &&f) {
  if (g.thread_rank() == 0)
    f();
}

} // namespace __v1
} // namespace cooperative_groups
