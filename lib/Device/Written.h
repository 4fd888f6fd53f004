//===- Written.h - What code says, to compare with that of another version ---===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Of code that is not run and of which there is no device code either: templates that nothing
/// instantiates, inline functions that nothing calls, and what the host computes the sizes of a
/// launch from. With macros expanded, without comments and lines, and with the constants that it
/// names.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_DEVICE_WRITTEN_H
#define CUDA_PIPELINE_LIB_DEVICE_WRITTEN_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include <functional>
#include <string>

namespace cuda_pipeline {

/// A number of what \p F says: its types and its body. \p F has one.
std::string writtenFunction(const clang::FunctionDecl *F, const clang::ASTContext &Context);

/// Where the values of a host function's expressions come from, as far as that function and what it
/// calls say it.
class HostValues {
public:
  HostValues(const clang::FunctionDecl *F, const clang::ASTContext &Context)
      : F(F), Context(Context) {}
  /// A number of what \p E says and of what sets the variables in it.
  std::string from(const clang::Expr *E) const;
  /// The same of those members of the variable \p Config whose names begin with \p Field.
  std::string fromMembers(const clang::VarDecl *Config, llvm::StringRef Field) const;

private:
  const clang::FunctionDecl *F;
  const clang::ASTContext &Context;
};

} // namespace cuda_pipeline

#endif
