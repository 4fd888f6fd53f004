//===- emulate/cooperative_groups_scan.h - Scans of cooperative groups
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "cooperative_groups_reduce.h"

namespace cooperative_groups {
namespace __v1 {

template <class Group, class T, class Op>
__cpr_body T __cpr_scan(const Group &g, T Mine, Op &op, bool Inclusive) {
  unsigned int Mask = __cpr_lanes(g) & __cpr_emu_live_lanes();
  const T *All = __cpr_values(Mask, Mine);
  unsigned int Me = 1u << __cpr_emu_lane();
  unsigned int Before = Mask & (Inclusive ? Me | (Me - 1) : Me - 1);
  if (!Before)
    return T();
  T r = All[__builtin_ctz(Before)];
  for (Before &= Before - 1; Before; Before &= Before - 1)
    r = op(r, All[__builtin_ctz(Before)]);
  return r;
}
struct __cpr_add {
  template <class T> __cpr_member_body T operator()(const T &a, const T &b) const { return a + b; }
};
template <class Group, class T, class Op>
__cpr_body auto inclusive_scan(const Group &g, T &&v, Op &&op) -> decltype(op(v, v)) {
  typedef decltype(op(v, v)) Result;
  return __cpr_scan(g, Result(v), op, true);
}
template <class Group, class T>
__cpr_body auto inclusive_scan(const Group &g, T &&v) -> decltype(v + v) {
  typedef decltype(v + v) Result;
  __cpr_add Op;
  return __cpr_scan(g, Result(v), Op, true);
}
template <class Group, class T, class Op>
__cpr_body auto exclusive_scan(const Group &g, T &&v, Op &&op) -> decltype(op(v, v)) {
  typedef decltype(op(v, v)) Result;
  return __cpr_scan(g, Result(v), op, false);
}
template <class Group, class T>
__cpr_body auto exclusive_scan(const Group &g, T &&v) -> decltype(v + v) {
  typedef decltype(v + v) Result;
  __cpr_add Op;
  return __cpr_scan(g, Result(v), Op, false);
}

} // namespace __v1
} // namespace cooperative_groups
