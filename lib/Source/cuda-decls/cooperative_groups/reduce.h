//===- cooperative_groups/reduce.h - Reductions of groups
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "../cooperative_groups.h"

namespace cooperative_groups {
namespace __v1 {

#define __cpr_functor(Name, Expression)                                                            \
  template <class T> struct Name {                                                                 \
    __device__ T operator()(T a, T b) const { return Expression; }                                 \
  };
__cpr_functor(plus, a + b)
__cpr_functor(less, a < b ? a : b)
__cpr_functor(greater, a < b ? b : a)
__cpr_functor(bit_and, a & b)
__cpr_functor(bit_or, a | b)
__cpr_functor(bit_xor, a ^ b)
#undef __cpr_functor

template <class T, class Group, class Op>
__device__ auto reduce(const Group &, T &&v, Op &&op) -> decltype(op(v, v));
template <class Group, class Dst, class T, class Op>
__device__ void reduce_update_async(const Group &, Dst &, T &&, Op &&);
template <class Group, class Dst, class T, class Op>
__device__ void reduce_store_async(const Group &, Dst *, T &&, Op &&);

} // namespace __v1
using namespace __v1;
} // namespace cooperative_groups

#ifdef __CPR_EMULATE__
#include "../emulate/cooperative_groups_reduce.h"
#endif
