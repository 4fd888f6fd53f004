//===- Versions.h - Two versions of a file, side by side ------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// What is run of two versions of a file, and what a pass would say nothing about: kernels that are
/// not as they were and were not run, launches of the host code that give something else. For the
/// command verify and for self-check.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_SELFCHECK_VERSIONS_H
#define CUDA_PIPELINE_LIB_SELFCHECK_VERSIONS_H

#include "cuda-pipeline/DeviceModule.h"
#include "cuda-pipeline/Verify.h"

namespace cuda_pipeline {

/// "gemm" of "ns::gemm<float, 32>".
llvm::StringRef plainName(llvm::StringRef Kernel);

/// Kernels whose launches are to be searched for, \p Versions of the same file, the old one first:
/// those that nobody has \p Described and that are not as they were; all of them if there are
/// neither such nor described ones, unless \p OnlyChanged.
std::vector<VerifyKernel> kernelsToSearch(llvm::ArrayRef<DeviceModule> Versions,
                                          llvm::ArrayRef<VerifyKernel> Described,
                                          bool OnlyChanged = false);

/// What changed and was not run: a pass says nothing of it.
void findChanges(const DeviceModule &Old, const DeviceModule &New, llvm::ArrayRef<VerifyKernel> Run,
                 VerifyReport &R);

/// The launches of the new version's own host code against those of the old one's and what is
/// described. What a launch now gives of dynamic shared memory is run as well; what cannot be run
/// is a case of its own.
void compareLaunches(const DeviceModule &Old, const DeviceModule &New,
                     std::vector<VerifyKernel> &Run, std::vector<VerifyCase> &Found);

} // namespace cuda_pipeline

#endif
