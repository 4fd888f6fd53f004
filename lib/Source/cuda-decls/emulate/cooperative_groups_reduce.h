//===- emulate/cooperative_groups_reduce.h - Reductions of cooperative groups
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// In a fixed order: tiles by a butterfly, other groups and scans by ascending rank. For
/// floating-point numbers CUDA promises none.
///
//===----------------------------------------------------------------------===//
#pragma once

#include "machine.h"

namespace cooperative_groups {
namespace __v1 {

// The values of all lanes.
template <class T> __cpr_body const T *__cpr_values(unsigned int Mask, const T &Mine) {
  return (const T *)__cpr_emu_exchange(Mask, &Mine, sizeof(T));
}
template <class Group, class T, class Op>
__cpr_body T __cpr_reduce_in_order(const Group &g, T Mine, Op &op) {
  unsigned int Mask = __cpr_lanes(g) & __cpr_emu_live_lanes();
  const T *All = __cpr_values(Mask, Mine);
  T r = All[__builtin_ctz(Mask)];
  for (unsigned int Left = Mask & (Mask - 1); Left; Left &= Left - 1)
    r = op(r, All[__builtin_ctz(Left)]);
  return r;
}
template <unsigned int Size, class Parent, class T, class Op>
__cpr_body T __cpr_reduce_in_order(const thread_block_tile<Size, Parent> &g, T Mine, Op &op) {
  for (unsigned int Bits = Size / 2; Bits; Bits /= 2)
    Mine = op(Mine, g.shfl_xor(Mine, Bits));
  return Mine;
}
template <class T, class Group, class Op>
__cpr_body auto reduce(const Group &g, T &&v, Op &&op) -> decltype(op(v, v)) {
  typedef decltype(op(v, v)) Result;
  return __cpr_reduce_in_order(g, Result(v), op);
}
template <class Group, class Dst, class T, class Op>
__cpr_body void reduce_update_async(const Group &, Dst &, T &&, Op &&)
    __cpr_unsupported("cooperative_groups::reduce_update_async")
template <class Group, class Dst, class T, class Op>
__cpr_body void reduce_store_async(const Group &, Dst *, T &&, Op &&)
    __cpr_unsupported("cooperative_groups::reduce_store_async")

} // namespace __v1
} // namespace cooperative_groups
