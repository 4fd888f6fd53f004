//===- main.cpp - clangd with the check compiled in -----------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// clangd loads no plugins, but its libraries are installed: this is clangd's own main function, with the checks of
/// tool/clang-tidy-module in its registry. What differs from clangd:
///
/// - cuda-pipeline-tile-loop is on, unless the configuration of a file speaks of cuda-pipeline checks itself;
/// - it counts as fast, so that clangd's default FastCheckFilter does not drop it;
/// - there is no client for remote indexes, which would need gRPC.
///
/// The first two are calls inside of clangd that the linker leads here (--wrap, CMakeLists.txt). clangd's headers are not
/// installed; the declarations are those of LLVM 22.1 (clang-tools-extra/clangd: TidyProvider.h, index/remote/Client.h,
/// tool/ClangdMain.h).
///
//===----------------------------------------------------------------------===//

#include "../clang-tidy-module/TileLoopCheck.h"
#include "clang-tidy/ClangTidyOptions.h"
#include "cuda-pipeline/NoLint.h"
#include "cuda-pipeline/Source.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/FunctionExtras.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace clang::clangd {

int clangdMain(int argc, char *argv[]);

class SymbolIndex {
public:
  virtual ~SymbolIndex();
};

namespace remote {
std::unique_ptr<SymbolIndex> getClient(llvm::StringRef Address, llvm::StringRef ProjectRoot) { return nullptr; }
} // namespace remote

using TidyProvider = llvm::unique_function<void(tidy::ClangTidyOptions &, llvm::StringRef) const>;

std::optional<bool> realIsFast(llvm::StringRef Check) asm("__real__ZN5clang6clangd15isFastTidyCheckEN4llvm9StringRefE");
std::optional<bool> isFast(llvm::StringRef Check) asm("__wrap__ZN5clang6clangd15isFastTidyCheckEN4llvm9StringRefE");
std::optional<bool> isFast(llvm::StringRef Check) {
  return Check.starts_with("cuda-pipeline-") ? std::optional<bool>(true) : realIsFast(Check);
}

TidyProvider realDefaults() asm("__real__ZN5clang6clangd20provideDefaultChecksEv");
TidyProvider defaults() asm("__wrap__ZN5clang6clangd20provideDefaultChecksEv");
TidyProvider defaults() {
  return [Real(realDefaults())](tidy::ClangTidyOptions &Options, llvm::StringRef File) {
    Real(Options, File);
    if (Options.Checks && !llvm::StringRef(*Options.Checks).contains("cuda-pipeline-"))
      *Options.Checks += "," + cuda_pipeline::TileLoopCheckName.str();
  };
}

} // namespace clang::clangd

int main(int argc, char *argv[]) {
  cuda_pipeline::InEditor = true;
  // clangd looks for Clang's headers beside itself; this one may stand where LLVM does not.
  std::vector<char *> Args(argv, argv + argc);
  std::string ResourceDir = "--resource-dir=" + cuda_pipeline::clangResourceDir();
  if (!cuda_pipeline::clangResourceDir().empty() &&
      llvm::none_of(Args, [](llvm::StringRef A) { return A.ltrim('-').starts_with("resource-dir"); }))
    Args.insert(Args.begin() + 1, ResourceDir.data());
  Args.push_back(nullptr);
  return clang::clangd::clangdMain(int(Args.size()) - 1, Args.data());
}
