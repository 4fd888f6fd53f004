//===- Samples.h - Reports for the tests ---------------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_PIPELINE_UNITTESTS_REPORT_SAMPLES_H
#define CUDA_PIPELINE_UNITTESTS_REPORT_SAMPLES_H

#include "cuda-pipeline/Report.h"

namespace cuda_pipeline {

inline LoopReport rewrittenLoop() {
  LoopReport L;
  L.Kernel = "gemm";
  L.Line = 42;
  L.Column = 3;
  L.EndLine = 60;
  L.FunctionLine = 30;
  L.FunctionEndLine = 70;
  L.Phases = {{"load", 43, 45}, {"barrier", 46, 47}};
  L.NewPhases = {{"compute", 80, 90}};
  L.BlockThreads = 256;
  L.Status = LoopStatus::Rewritten;
  L.Variant = "cp-async";
  L.Stages = 3;
  L.Assumptions = {"registers: 64 per thread are enough"};
  L.Buffers = {{"As", 8192}, {"Bs", 8192}};
  L.Copies = {{"As", 16, "cp.async", 44}, {"Bs", 4, "registers", 0}};
  L.Smem = {16384, 49152, 49152};
  L.Occupancy = {6, 2, "shared-memory"};
  L.HasOccupancy = true;
  L.BlockSize = "256x1x1 (launch bounds, upper bound)";
  L.Ratio = {31.5, 1048576, 33288};
  L.HasRatio = true;
  L.Candidates = {{"cp-async", 3, 1.35, ""}, {"ldg", 2, 1.1, "cp-async scores higher"}};
  L.Why = "copies of 16 bytes feed a tensor-core loop";
  return L;
}

inline LoopReport refusedLoop() {
  LoopReport L;
  L.Kernel = "stencil";
  L.Line = 10;
  L.Column = 1;
  L.EndLine = 20;
  L.Status = LoopStatus::Refused;
  ReasonReport R;
  R.Id = Reason::StaleTile;
  R.Message = formatReason(R.Id, {"tile", "elements 1024 to 1151"});
  R.Remedy = info(R.Id).Remedy.str();
  R.Line = 12;
  R.Column = 5;
  R.Notes = {{"the guard is here", 11, 7}, {"no place of its own", 0, 0}};
  L.Reasons.push_back(R);
  R.Id = Reason::MayAlias;
  R.Message = formatReason(R.Id, {"'out'", "'in'"});
  R.Remedy = info(R.Id).Remedy.str();
  R.Line = R.Column = 0;
  R.Notes.clear();
  L.Reasons.push_back(R);
  return L;
}

inline FileReport fileOf(std::string Path, LoopReport L) {
  FileReport F;
  F.Path = std::move(Path);
  F.Loops.push_back(std::move(L));
  return F;
}

inline Report sampleReport() {
  Report R;
  R.Archs = {"sm_86", "sm_90"};
  R.Files = {fileOf("dir/a.cu", rewrittenLoop()), fileOf("b.cu", refusedLoop())};
  R.Files[0].Output = "dir/a.pipelined.cu";
  R.Files[0].Arch = "sm_86";
  R.Files[1].Arch = "sm_90";
  return R;
}

inline Report reportOf(LoopReport L, std::string Path = "a.cu") {
  Report R;
  R.Files.push_back(fileOf(std::move(Path), std::move(L)));
  return R;
}

} // namespace cuda_pipeline

#endif
