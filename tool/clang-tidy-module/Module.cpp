//===- Module.cpp - What clang-tidy loads ---------------------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileLoopCheck.h"
#include "clang-tidy/ClangTidyModule.h"
#include "cuda-pipeline/NoLint.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/Path.h"
#include <cstdio>
#ifdef __linux__
#include <link.h>
#endif

#define TEXT_OF_(X) #X
#define TEXT_OF(X) TEXT_OF_(X)
#define LLVM_VERSION_MAJOR_TEXT TEXT_OF(LLVM_VERSION_MAJOR)

namespace cuda_pipeline {

class Module : public clang::tidy::ClangTidyModule {
public:
  void addCheckFactories(clang::tidy::ClangTidyCheckFactories &Factories) override {
    Factories.registerCheck<TileLoopCheck>(TileLoopCheckName);
    Factories.registerCheck<TileLoopCheck>(RefusedCheckName);
  }
};

/// The plugin brings the libraries along that it was built with. A clang-tidy of another version
/// has its own beside them, and would crash at the first object that goes from one to the other.
static bool isOurVersion() {
  bool Ours = true;
#ifdef __linux__
  dl_iterate_phdr(
      [](dl_phdr_info *Library, size_t, void *Data) {
        llvm::StringRef Name = llvm::sys::path::filename(Library->dlpi_name);
        if (Name.consume_front("libclang-cpp.so.") &&
            Name.split('.').first != LLVM_VERSION_MAJOR_TEXT)
          *static_cast<bool *>(Data) = false;
        return 0;
      },
      &Ours);
#endif
  if (!Ours)
    std::fputs("cuda-pipeline-tidy: this plugin is for clang-tidy " LLVM_VERSION_MAJOR_TEXT
               "; its checks are left out\n",
               stderr);
  return Ours;
}

using AddModule = clang::tidy::ClangTidyModuleRegistry::Add<Module>;
static const std::unique_ptr<AddModule> X =
    isOurVersion() ? std::make_unique<AddModule>("cuda-pipeline-module",
                                                 "Software-pipelines tile loops of CUDA kernels.")
                   : nullptr;

} // namespace cuda_pipeline
