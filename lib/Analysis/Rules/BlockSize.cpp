//===- BlockSize.cpp - What holds for one size of block ----------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Rule 11 of docs/soundness.md, Block size. A size that is claimed is no fact, so a kernel that
/// relies on it asks when it runs, and runs the loop as it was in other blocks. Nothing is refused
/// here: this is the condition, for what the rules before have found to need it.
///
//===----------------------------------------------------------------------===//

#include "Rules.h"

using namespace llvm;

namespace cuda_pipeline {

void checkBlockSize(RuleContext &RC) {
  const std::string Block =
      ("blockDim.x == " + Twine(RC.Shape.X) + " && blockDim.y == " + Twine(RC.Shape.Y) +
       " && blockDim.z == " + Twine(RC.Shape.Z))
          .str();
  Legality &L = RC.L;
  if (L.Dynamic && RC.BlockIsAsked)
    L.Dynamic->Block = Block;
  if (L.TurnsAskBlock || RC.M.Registers.AsksBlock || (L.MixedCut && L.MixedCut->AsksBlock))
    L.AskBlock = Block;
}

} // namespace cuda_pipeline
