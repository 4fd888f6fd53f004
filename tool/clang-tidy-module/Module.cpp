//===- Module.cpp - What clang-tidy loads ---------------------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileLoopCheck.h"
#include "cuda-pipeline/NoLint.h"
#include "clang-tidy/ClangTidyModule.h"

namespace cuda_pipeline {

class Module : public clang::tidy::ClangTidyModule {
public:
  void addCheckFactories(clang::tidy::ClangTidyCheckFactories &Factories) override {
    Factories.registerCheck<TileLoopCheck>(TileLoopCheckName);
    Factories.registerCheck<TileLoopCheck>(RefusedCheckName);
  }
};

static clang::tidy::ClangTidyModuleRegistry::Add<Module> X("cuda-pipeline-module", "Software-pipelines tile loops of CUDA kernels.");

} // namespace cuda_pipeline
