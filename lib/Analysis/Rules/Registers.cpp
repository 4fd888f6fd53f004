//===- Registers.cpp - Copies by way of registers ----------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Rule 2 of docs/soundness.md, Copies, for those that go by way of registers. The loads of the
/// next tile run ahead and its stores do not, so the load phase must fall apart into the two; the
/// model has tried to cut it (FetchStore).
///
//===----------------------------------------------------------------------===//

#include "Rules.h"

namespace cuda_pipeline {

void checkRegisters(RuleContext &RC) {
  for (const Refusal &R : RC.M.Registers.Refusals)
    RC.refuse({R, Needs::Registers, RC.isSaid(R, Needs::SeveralBuffers | Needs::Registers)});
  for (const Refusal &R : RC.M.Registers.RefusalsAhead)
    RC.refuse({R, Needs::StoresAhead, RC.isSaid(R, Needs::SeveralBuffers | Needs::Registers)});
}

} // namespace cuda_pipeline
