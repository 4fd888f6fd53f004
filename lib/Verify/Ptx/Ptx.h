//===- Ptx.h - Inline PTX, parsed once and run by threads -----------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// The text of one asm statement becomes a `PtxBlock`: instructions over a small register file, of
/// which the first registers are the statement's operands. Parsing happens when a module is loaded,
/// so that an instruction that is not known is named before anything runs; running is a loop over
/// the parsed instructions for one thread.
///
/// Known are the instructions that kernels write by hand for GPUs up to sm_90: cp.async in all its
/// forms, ldmatrix, stmatrix, movmatrix, mma.sync of all dense shapes, bar/barrier, loads and
/// stores with their cache and vector modifiers, atom/red, shfl/vote/match/redux, cvta, mov,
/// conversions, integer, logical, floating-point and half arithmetic, setp/selp, predication and
/// branches to local labels, fences, mbarrier without transactions. Not known, and named where they
/// occur: bulk copies and tensor maps, wgmma, tcgen05, sparse mma, clusters, calls. Families.cpp
/// has the list.
///
/// The parser accepts a little more than ptxas does (a missing rounding of mad, for example): to
/// check PTX is ptxas's work.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_VERIFY_PTX_PTX_H
#define CUDA_PIPELINE_VERIFY_PTX_PTX_H

#include "Thread.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace cuda_pipeline {
namespace emulator {

class PtxBlock {
public:
  virtual ~PtxBlock() = default;

  /// \p Operands: one 64-bit register per operand of the statement, outputs first, as PTX numbers
  /// them (`%0`, `%1`, ...); narrower values are in the low bits, floating-point values as their
  /// bits, "+" operands hold their value at entry. Results are left in the same place.
  virtual void run(Thread &T, uint64_t *Operands, Site At) const = 0;
  /// There is no instruction in it: operands stay what they are.
  virtual bool isEmpty() const = 0;
  /// Not all of it is executed in any case.
  virtual bool branches() const = 0;
  /// Of its text, without the operands' values.
  virtual uint64_t textHash() const = 0;

  /// \p Text as LLVM keeps it: operands are `$0` or `${0:modifier}`, `$$` is a dollar sign, `{`,
  /// `}` and `|` of the source are as written. \p OperandBits: the width of each (8..128). The
  /// error is one line that names the instruction: "'wgmma.mma_async...' is not emulated".
  static llvm::Expected<std::unique_ptr<PtxBlock>> parse(llvm::StringRef Text,
                                                         llvm::ArrayRef<unsigned> OperandBits);
};

} // namespace emulator
} // namespace cuda_pipeline

#endif
