//===- CallSites.h - Where __device__ functions are called ----------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// What is true of a `__device__` function may follow from its calls: which threads make them, how
/// often, and with what. That needs all of them: the translation unit shows them unless device code
/// is linked, or somebody takes the function's address.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_MODEL_CALLSITES_H
#define CUDA_PIPELINE_LIB_MODEL_CALLSITES_H

#include "cuda-pipeline/DeclSet.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/SmallVector.h"
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace cuda_pipeline {

struct CallSite {
  const clang::FunctionDecl *Caller; ///< a function, or an instance of a template
  const clang::CallExpr *Call;
  llvm::SmallVector<const clang::Stmt *, 8> Path; ///< from the caller's body to the call
};

/// Of a translation unit, which is looked through once, when somebody asks.
class CallSites {
public:
  explicit CallSites(clang::ASTContext &Context);
  ~CallSites();

  /// All calls of \p Function, which is no kernel; null if there may be others, or if there are
  /// none at all.
  const std::vector<CallSite> *of(const clang::FunctionDecl *Function);
  /// The same, where the main file is a header, of the file that is compiled with it: other files
  /// that include it may have others.
  const std::vector<CallSite> *seen(const clang::FunctionDecl *Function);
  /// Somebody has its address, and may call it by that.
  bool isNamedOtherwise(const clang::FunctionDecl *Function);

  /// What follows from the calls, found once for each function. While it is being found (a function
  /// that calls itself) it is what nobody knows.
  template <typename T, typename Fn> const T &once(const clang::FunctionDecl *Function, Fn Find) {
    auto &Known = notes<T>();
    auto [It, New] = Known.try_emplace(Function);
    if (New)
      It->second = Find(); // which may ask for others: a map keeps its places
    return It->second;
  }

private:
  void index(); ///< when somebody asks first
  struct Index;
  clang::ASTContext &Context;
  std::unique_ptr<Index> Calls;
  std::map<const void *, std::shared_ptr<void>> Notes;

  template <typename T> DeclMap<clang::FunctionDecl, T> &notes() {
    static const char Key = 0;
    std::shared_ptr<void> &Known = Notes[&Key];
    if (!Known)
      Known = std::make_shared<DeclMap<clang::FunctionDecl, T>>();
    return *static_cast<DeclMap<clang::FunctionDecl, T> *>(Known.get());
  }
};

} // namespace cuda_pipeline

#endif
