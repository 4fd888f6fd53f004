//===- BlockSize.cpp - What holds for one size of block ----------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Rule 11 of docs/soundness.md, Block size. A size that is claimed is no fact, so a kernel that
/// relies on it asks when it runs, and runs the loop as it was in other blocks. If nobody claims
/// one it asks for no small block, where that alone bounds how many registers a thread copies with.
/// Nothing is refused here: this is the condition, for what the rules before have found to need it.
///
//===----------------------------------------------------------------------===//

#include "Rules.h"

using namespace llvm;

namespace cuda_pipeline {

std::string BlockTest::text() const {
  std::string Text;
  for (unsigned Dim = 0; Dim != 3 && !empty(); ++Dim)
    if (Of == Kind::Exactly || Extents[Dim] > 1) {
      if (!Text.empty())
        Text += Of == Kind::ThreadsLeast ? " * " : " && ";
      Text += "blockDim.";
      Text += "xyz"[Dim];
      if (Of != Kind::ThreadsLeast)
        Text += (Of == Kind::Exactly ? " == " : " >= ") + std::to_string(Extents[Dim]);
    }
  return Of == Kind::ThreadsLeast ? Text + " >= " + std::to_string(threads()) : Text;
}

void checkBlockSize(RuleContext &RC) {
  const BlockTest Claimed = {BlockTest::Kind::Exactly, {RC.Shape.X, RC.Shape.Y, RC.Shape.Z}};
  Legality &L = RC.L;
  if (L.Dynamic && RC.BlockIsAsked)
    L.Dynamic->Block = Claimed.text();
  if (L.TurnsAskBlock || RC.M.Registers.AsksBlock || (L.MixedCut && L.MixedCut->AsksBlock))
    L.AskBlock = RC.F.BlockIsClaim ? Claimed : RC.M.LeastBlock;
}

} // namespace cuda_pipeline
