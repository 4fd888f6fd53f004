//===- ReachedCode.h - All that a kernel may run --------------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// The functions that a kernel may run, by whatever way: calls, constructors, operators and
/// conversions, default arguments, what is called where a scope or an expression ends (destructors
/// of the object, its members and its bases, cleanup functions), and functions whose address is
/// taken. And what of it is not seen: a function without a body, a call through a pointer that is
/// not followed, a virtual call. Of that anything may be true.
///
/// The toolkit and the C++ library are known by name (KnownFunctions.h) and do nothing that is
/// asked here; their bodies are looked into for what they call of the user's.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_MODEL_REACHEDCODE_H
#define CUDA_PIPELINE_LIB_MODEL_REACHEDCODE_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <string>
#include <vector>

namespace cuda_pipeline {

struct ReachedCode {
  struct Body {
    const clang::FunctionDecl *Function;
    clang::SourceLocation
        From; ///< where the text of the first one leads there; invalid: it is the first one
    bool Known = false; ///< the toolkit's, or the C++ library's
    llvm::SmallVector<const clang::FunctionDecl *, 4> Calls; ///< definitions
  };
  struct Unseen {
    std::string What;            ///< "the function 'prepare'"
    clang::SourceLocation Where; ///< in the text of the first one
  };
  std::vector<Body> Bodies; ///< the function itself first
  std::vector<Unseen> NotSeen;

  /// \p Function has a body.
  explicit ReachedCode(const clang::FunctionDecl *Function);

  /// A place in the text of \p B as one in the text of the first function.
  static clang::SourceLocation placeOf(const Body &B, clang::SourceLocation In) {
    return B.From.isValid() ? B.From : In;
  }
  /// The function may call itself, through others or not.
  bool isRecursive(const clang::FunctionDecl *Definition) const;

private:
  llvm::DenseMap<const clang::FunctionDecl *, unsigned> Index;
  friend struct CodeFinder;
};

/// What it does is known by its name, or it is a part of the toolkit or of the C++ library, and no
/// other library's.
bool isOfToolkit(const clang::FunctionDecl *Function, const clang::ASTContext &Context);

} // namespace cuda_pipeline

#endif
