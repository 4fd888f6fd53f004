//===- OutsideFlow.h - Where a tile's address goes outside of its loop ----------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// findKeptAddress() for what stands around a loop, where a function has many of them. Each
/// statement is followed once, alone. Statements of which none has to do with what another one does
/// to a variable or to a function find together what each of them finds alone: nothing, where that
/// is so. Only the others are followed together, for each loop.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_ANALYSIS_OUTSIDEFLOW_H
#define CUDA_PIPELINE_LIB_ANALYSIS_OUTSIDEFLOW_H

#include "AddressFlow.h"
#include "cuda-pipeline/TileModel.h"
#include "llvm/ADT/DenseMap.h"
#include <map>
#include <vector>

namespace cuda_pipeline {

class OutsideFlow {
public:
  OutsideFlow(const clang::FunctionDecl *Function, const clang::ASTContext &Context)
      : Function(Function), Context(Context) {}

  /// Where the statements around \p Loop keep the address of \p Tile in something that the loop, or
  /// what it calls, may look at; invalid: nowhere.
  clang::SourceLocation find(const KLoop &Loop, const clang::VarDecl *Tile,
                             llvm::ArrayRef<TileView> Views);

private:
  const clang::FunctionDecl *Function;
  const clang::ASTContext &Context;

  /// The parts of a statement that has tile loops in it, whichever tile it is.
  struct Parts {
    std::vector<const clang::Stmt *> All;
    /// Variables of the function, and the part that declares each.
    llvm::DenseMap<const clang::VarDecl *, llvm::SmallVector<unsigned, 1>> DeclaredIn;
  };
  /// What the flow of one tile's address through these parts is like.
  struct Flows {
    std::vector<const clang::Stmt *>
        Together; ///< that have to do with each other, or keep it; in order
    // Of all others, and which of them it is; of Asked null: several.
    llvm::DenseMap<const clang::Decl *, const clang::Stmt *> Asked, Added;
    llvm::DenseSet<const clang::FunctionDecl *> Reached;
    /// The part's own variables, where that made a difference.
    llvm::DenseMap<const clang::VarDecl *, const clang::Stmt *> TakenForOwn;
  };

  std::map<const clang::Stmt *, Parts> Known;
  std::map<std::pair<const clang::Stmt *, const clang::VarDecl *>, Flows> KnownFlows;
  /// The parts of one statement, without that which the other one is in, have nothing to do with
  /// the parts of that.
  std::map<std::tuple<const clang::Stmt *, const clang::Stmt *, const clang::VarDecl *>, bool>
      Apart;

  const Parts &partsOf(const clang::Stmt *Around);
  const Flows &flowsOf(const clang::Stmt *Around, const clang::VarDecl *Tile);
  bool areApart(const clang::Stmt *Outer, const clang::Stmt *Without, const clang::Stmt *Inner,
                const clang::VarDecl *Tile);
};

} // namespace cuda_pipeline

#endif
