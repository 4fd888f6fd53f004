//===- AddressFlow.h - Where the address of a tile goes --------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A value may hold the address of a tile when it is made of it in whatever way: a pointer, a
// number, a structure, a closure, what a function returns that was given it. What is loaded through
// the address holds none. Called functions are looked into; one that is not seen returns what it
// was given.
//
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_ANALYSIS_ADDRESSFLOW_H
#define CUDA_PIPELINE_LIB_ANALYSIS_ADDRESSFLOW_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace cuda_pipeline {

struct KeptAddress {
  clang::SourceLocation Where; ///< invalid: it is not
  bool AsNumber = false;       ///< it is not kept, but a result may depend on which number it is
};

/// What the answer for some statements depends on. Nothing else that is said of the declarations in
/// Asked would have made another one.
struct FlowTrace {
  /// Variables and functions of which it was asked whether they have to do with the address, and
  /// those of which it was found.
  llvm::DenseSet<const clang::Decl *> Asked, Added;
  llvm::DenseSet<const clang::FunctionDecl *> Reached; ///< that are called, and looked into
};

/// Where the statements \p Of of \p Function keep what may hold the address of \p Tile in anything
/// but the variables that are \p Own, or compute with it what is no address.
KeptAddress findKeptAddress(llvm::ArrayRef<const clang::Stmt *> Of, const clang::VarDecl *Tile,
                            llvm::function_ref<bool(const clang::VarDecl *)> Own,
                            const clang::FunctionDecl *Function, const clang::ASTContext &Context,
                            FlowTrace *Trace = nullptr);

} // namespace cuda_pipeline

#endif
