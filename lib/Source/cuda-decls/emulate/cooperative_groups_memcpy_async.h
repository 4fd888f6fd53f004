//===- emulate/cooperative_groups_memcpy_async.h - Bodies of cooperative_groups::memcpy_async
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "copy.h"

namespace cooperative_groups {
namespace __v1 {

// Every call is a group of copies of its own, which wait_prior counts.
template <class Group, class T, class Size>
__cpr_body void memcpy_async(const Group &g, T *__restrict__ To, const T *__restrict__ From,
                             const Size &Bytes) {
  __cpr_check_promise(To, From, Bytes);
  __cpr_copy_part(To, From, (size_t)Bytes, (unsigned)g.thread_rank(), (unsigned)g.num_threads());
  __cpr_emu_commit_group();
}
// With layouts: counts of elements, of which the smaller is copied.
template <class Group, class T, class DstLayout, class SrcLayout>
__cpr_body void memcpy_async(const Group &g, T *__restrict__ To, const DstLayout &ToCount,
                             const T *__restrict__ From, const SrcLayout &FromCount) {
  size_t Count = (size_t)ToCount < (size_t)FromCount ? (size_t)ToCount : (size_t)FromCount;
  __cpr_copy_part(To, From, Count * sizeof(T), (unsigned)g.thread_rank(), (unsigned)g.num_threads());
  __cpr_emu_commit_group();
}
template <unsigned int Stage, class Group> __cpr_body void wait_prior(const Group &g) {
  __cpr_emu_wait_group(Stage);
  g.sync();
}
template <class Group> __cpr_body void wait(const Group &g) {
  __cpr_emu_wait_group(0);
  g.sync();
}

} // namespace __v1
} // namespace cooperative_groups
