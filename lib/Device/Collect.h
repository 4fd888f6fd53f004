//===- Collect.h - Kernels and launches of a translation unit -------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_DEVICE_COLLECT_H
#define CUDA_PIPELINE_LIB_DEVICE_COLLECT_H

#include "cuda-pipeline/DeviceModule.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"

namespace cuda_pipeline {

std::string mangledName(const clang::FunctionDecl *Kernel);

/// Every kernel with a body, templates as their instantiations, in the order of the file.
std::vector<KernelSignature> collectKernels(clang::ASTContext &Context);

/// None: the kernel does not ask what it is given.
std::optional<SharedDemand> sharedDemand(const clang::FunctionDecl *Kernel, const clang::ASTContext &Context);

/// Every `<<<...>>>` in a function that is not a template pattern.
std::vector<KernelLaunch> collectLaunches(clang::ASTContext &Context);

} // namespace cuda_pipeline

#endif
