//===- CoResidence.cpp - Kernels that wait for other blocks ------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Rule 7 of docs/soundness.md, It still launches. Blocks that wait for each other may have to be
/// on the GPU all at the same time, and several buffers cost blocks per SM. So what waits is left
/// alone, and what only may wait keeps its one buffer.
///
//===----------------------------------------------------------------------===//

#include "Rules.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

/// What is seen to wait is left alone by all variants. Where it is only not seen that nothing
/// waits, one buffer will do, because it takes no more shared memory than before.
void waits(RuleContext &RC, const Waiting &W, StringRef How) {
  if (W.Is == Waiting::Kind::Grid) // nobody can mean that none of its blocks waits
    return RC.refuse({{Reason::CoResident,
                       W.Where,
                       {"waits for other blocks (at a barrier of the grid)"},
                       {},
                       "Leave it as it is."},
                      Needs::Everything});
  if (RC.granted("co-resident"))
    return;
  if (W.Is == Waiting::Kind::Spins)
    return RC.refuse(
        {{Reason::CoResident, W.Where, {("waits for other blocks (" + How + ")").str()}, {}},
         Needs::Everything});
  const std::string Why = W.Is == Waiting::Kind::MaySpin
                              ? "this loop goes on until it finds something else in memory"
                              : W.What + " is not looked into";
  RC.refuse({{Reason::CoResident,
              W.Where,
              {"may wait for other blocks: " + Why},
              {},
              W.Is == Waiting::Kind::MaySpin
                  ? "Grant --assume=co-resident, if no block waits for another one."
                  : "Call nothing but functions whose bodies are in this file, or "
                    "grant --assume=co-resident, if no block "
                    "waits for another one."},
             Needs::SeveralBuffers});
}

} // namespace

void checkCoResidence(RuleContext &RC) {
  const Waiting AtLaunch = {RC.M.Loop->Begin, Waiting::Kind::Spins, ""};
  if (RC.Shape.Cooperative && !(RC.OfFunction.Waits && RC.OfFunction.Waits->isSeen()))
    waits(RC, AtLaunch, "its launch is cooperative");
  else if (RC.OfFunction.Waits)
    waits(RC, *RC.OfFunction.Waits, "it spins on memory");
  if (RC.M.Loop->IsKernel)
    return;
  if (!RC.Effort.WaitingKernel)
    RC.Effort.WaitingKernel =
        std::make_shared<const std::optional<Waiting>>(findWaitingKernel(RC.Context));
  if (const std::optional<Waiting> &Kernel = *RC.Effort.WaitingKernel)
    waits(RC, *Kernel, "a kernel that may call it spins on memory");
}

} // namespace cuda_pipeline
