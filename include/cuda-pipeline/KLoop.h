//===- KLoop.h - The tile loops of a translation unit ---------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Step 2: a KLoop is a loop of a __global__ or __device__ function that fills shared memory from
/// global memory and contains a barrier. Also those that will be refused are found: the tool has to
/// say why.
///
/// A loop of a template is found once per instantiation (the AST of an instantiation is fully
/// typed); loops with the same source range are the same loop to the user.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_KLOOP_H
#define CUDA_PIPELINE_KLOOP_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/SmallVector.h"
#include <string>
#include <vector>

namespace cuda_pipeline {

struct KLoop {
  /// The function that was analysed: a plain function or one instantiation of a template.
  const clang::FunctionDecl *Function = nullptr;
  std::string Kernel;      ///< qualified name without template arguments
  bool IsKernel = false;   ///< __global__; otherwise __device__
  bool IsTemplate = false; ///< Function is an instantiation, or the uninstantiated pattern
  bool IsPattern = false;  ///< the template was never instantiated: Function is the pattern

  /// ForStmt, WhileStmt, DoStmt; a CXXForRangeStmt is named alone.
  const clang::Stmt *Loop = nullptr;
  const clang::AttributedStmt *Pragma = nullptr; ///< wraps Loop when it has `#pragma unroll`
  const clang::CompoundStmt *Body = nullptr;     ///< null when the body is a single statement
  /// Statements around the loop, outermost first, inside the function body.
  llvm::SmallVector<const clang::Stmt *, 8> Ancestors;

  /// The tile is passed to the function, which is no kernel; null: it is an array that the function
  /// can name.
  const clang::ParmVarDecl *PassedTile = nullptr;
  /// One of the loops in it is a tile loop, and this one fills a tile besides: named alone.
  bool HasTileLoop = false;

  unsigned Line = 0, Column = 0, EndLine = 0; ///< of the loop keyword and the closing brace
  clang::SourceLocation Begin;                ///< file location of the loop keyword

  const clang::ForStmt *asFor() const { return llvm::dyn_cast<clang::ForStmt>(Loop); }

  /// What every kind of loop has: a condition (null for `for (;;)`), and for some a start and a
  /// step (or null).
  const clang::Stmt *start() const { return asFor() ? asFor()->getInit() : nullptr; }
  const clang::Expr *condition() const;
  const clang::Expr *step() const { return asFor() ? asFor()->getInc() : nullptr; }
  /// `do .. while (condition);`: the first turn is taken in any case.
  bool testsLast() const { return llvm::isa<clang::DoStmt>(Loop); }
};

/// All candidate loops of a translation unit, in source order.
struct FoundLoops {
  /// Those whose text is in the main file.
  std::vector<KLoop> InMainFile;
  /// Those whose text is in an included file that is no system header. Lines and columns are that
  /// file's. Templates that nobody instantiates are left out.
  std::vector<KLoop> InHeaders;
};

/// \p IsSound: functions that are to be looked into; others have loops of which nothing is to be
/// believed.
FoundLoops findLoops(
    clang::ASTContext &Context, llvm::function_ref<bool(const clang::FunctionDecl *)> IsSound =
                                    [](const clang::FunctionDecl *) { return true; });

} // namespace cuda_pipeline

#endif
