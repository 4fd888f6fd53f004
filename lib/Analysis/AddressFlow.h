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

#include "cuda-pipeline/DeclSet.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/ArrayRef.h"
#include <set>

namespace cuda_pipeline {

struct KeptAddress {
  clang::SourceLocation Where; ///< invalid: it is not
  bool AsNumber = false;       ///< it is not kept, but a result may depend on which number it is
};

/// Where the statements \p Of of \p Function keep what may hold the address of \p Tile in anything
/// but the variables \p Own, or compute with it what is no address.
KeptAddress findKeptAddress(llvm::ArrayRef<const clang::Stmt *> Of, const clang::VarDecl *Tile,
                            const DeclSet<clang::VarDecl> &Own, const clang::FunctionDecl *Function,
                            const clang::ASTContext &Context);

} // namespace cuda_pipeline

#endif
