//===- cooperative_groups/memcpy_async.h - Asynchronous copies of groups
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "../cooperative_groups.h"
#include "../cuda/__memcpy_async.h"

namespace cooperative_groups {
namespace __v1 {

template <class Group, class T, class Size>
__device__ void memcpy_async(const Group &, T *__restrict__, const T *__restrict__, const Size &);
template <class Group, class T, class DstLayout, class SrcLayout>
__device__ void memcpy_async(const Group &, T *__restrict__, const DstLayout &,
                             const T *__restrict__, const SrcLayout &);
template <unsigned int Stage, class Group> __device__ void wait_prior(const Group &);
template <class Group> __device__ void wait(const Group &);

} // namespace __v1
using namespace __v1;
} // namespace cooperative_groups

#ifdef __CPR_EMULATE__
#include "../emulate/cooperative_groups_memcpy_async.h"
#endif
