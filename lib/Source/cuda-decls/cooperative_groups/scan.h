//===- cooperative_groups/scan.h - Prefix sums of groups
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "reduce.h"

namespace cooperative_groups {
namespace __v1 {

template <class Group, class T, class Op>
__device__ auto inclusive_scan(const Group &, T &&v, Op &&op) -> decltype(op(v, v));
template <class Group, class T>
__device__ auto inclusive_scan(const Group &, T &&v) -> decltype(v + v);
template <class Group, class T, class Op>
__device__ auto exclusive_scan(const Group &, T &&v, Op &&op) -> decltype(op(v, v));
template <class Group, class T>
__device__ auto exclusive_scan(const Group &, T &&v) -> decltype(v + v);

} // namespace __v1
using namespace __v1;
} // namespace cooperative_groups

#ifdef __CPR_EMULATE__
#include "../emulate/cooperative_groups_scan.h"
#endif
