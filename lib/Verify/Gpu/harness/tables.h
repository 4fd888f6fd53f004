//===- tables.h - What cases.h consists of --------------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Plain words for the launches: see ConcreteLaunch in cuda-pipeline/Launch.h.
///
//===----------------------------------------------------------------------===//
#ifndef CPR_HARNESS_TABLES_H
#define CPR_HARNESS_TABLES_H

#include "Fill.h"
#include "side.h"
#include <cstdint>
#include <cstring>

namespace cpr_harness {

enum class Role { Input, Output, InOut };

struct Argument {
  enum Form { Buffer, SameAs, Null, Value } What;
  const char *Name;
  // Buffer
  cuda_pipeline::fill::Spec Spec;
  uint64_t Count;
  Role InOut;
  // Buffer, SameAs: bytes in front of the pointer, and whose buffer it is
  uint64_t Offset;
  int Of;
  // Value
  const unsigned char *Bytes;
};

struct Global {
  const char *Name;
  int Index; ///< of the side's table
  cuda_pipeline::fill::Spec Spec;
};

/// One version of the file: a shared object of its own.
struct VersionInfo {
  enum Kind { Old, New, LoadsOnly, ComputeOnly } What;
  const char *Stem; ///< of its file
  const char *Name; ///< for people
  /// Has a part left out, so its results mean nothing.
  bool ablated() const { return What == LoadsOnly || What == ComputeOnly; }
};

struct Case {
  int Kernel; ///< of the side's table
  const char *KernelName, *Name;
  const Shape *Launches; ///< by version; a grid of nothing: that version has nothing to say about
                         ///< this kernel
  int Arguments;
  const Argument *ArgumentTable;
  int Globals;
  const Global *GlobalTable;
};

/// Bounds of fills are written as bits, so that no digit is lost on the way.
inline double fromBits(uint64_t Bits) {
  double Value;
  std::memcpy(&Value, &Bits, 8);
  return Value;
}

} // namespace cpr_harness

#endif
