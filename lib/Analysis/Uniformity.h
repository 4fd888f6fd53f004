//===- Uniformity.h - Which values are the same for all threads of a block ------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A value is uniform when it depends on constants, kernel parameters, blockIdx, blockDim, gridDim
// and uniform variables only. A variable is uniform when every assignment to it is, and none of
// them is under a condition that is not. An expression that mentions a variable, a reference or a
// closure which is not uniform is none, whatever the name stands for. What is written to a place
// that is not known, and what is called without being seen, may change every variable that has
// another name.
//
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_ANALYSIS_UNIFORMITY_H
#define CUDA_PIPELINE_LIB_ANALYSIS_UNIFORMITY_H

#include "../Model/Effects.h"
#include "cuda-pipeline/DeclSet.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace cuda_pipeline {

class Uniformity {
public:
  /// \p Uniform: parameters of a __device__ function that get the same value from all threads in
  /// each call. \p This: what stands for the object of a method (GivenObjects.h); null: that is not
  /// known.
  Uniformity(clang::ASTContext &Context, const EffectCollector &Collector,
             const clang::FunctionDecl *Function, const DeclSet<clang::VarDecl> &Uniform = {},
             const clang::VarDecl *This = nullptr);
  bool isUniform(const clang::Expr *E) const;
  /// A break, continue, return or goto in the body of a loop or switch that some threads may take
  /// and others not.
  bool isLeftBySome(const clang::Stmt *LoopOrSwitch) const;
  /// The kernel ends, as far as barriers go, for threads that do not come into the branch of \p If
  /// that has some: there is none in its other branch, and none behind it. They are missed at those
  /// as little as threads that have returned.
  bool endsForOthers(const clang::IfStmt *If) const { return LastIfs.contains(If); }
  /// The same for threads that leave the loop by its condition: nothing is behind it to wait for.
  /// In it the others go on together, from turn to turn, as each turn has the same barriers.
  bool endsForLeavers(const clang::Stmt *Loop) const {
    return LastLoops.contains(Loop) && !isLeftBySome(Loop);
  }
  /// A thread may end in inline assembly.
  bool exitsInAssembly(const Effects &Eff) const;
  /// \p S is a return or goto of the function or a barrier, or has one in it.
  bool leadsOut(const clang::Stmt *S) const { return WaysOut.contains(S); }

private:
  using Names = DeclSet<clang::ValueDecl>;
  bool holdUniform(const RootSet &Roots) const;
  bool holdsUniform(const clang::Expr *E) const;
  bool computesUniformly(const clang::Expr *E) const;
  bool mentionsDivergent(const clang::Expr *E) const;
  bool isDivergent(const clang::ValueDecl *D) const;
  bool namesOf(const clang::Expr *Place, Names &Out) const;
  bool namesOf(const clang::ValueDecl *D, Names &Out) const;
  bool callsThroughPointer(const clang::Stmt *S) const;
  void findOtherNames(const clang::Stmt *Body);
  bool taint(const Names &Written);
  bool taintOtherNames() { return taint(OtherNames); }
  bool taintWritten(const clang::Expr *E);
  bool captures(const clang::Expr *E, bool Control);
  bool change(const clang::Expr *E, bool Control);
  bool scan(const clang::Stmt *S, bool DivergentControl);
  bool jumpsDivergently(const clang::Stmt *S, bool DivergentControl, bool Breaks = true,
                        bool Continues = true) const;
  bool findWaysOut(const clang::Stmt *S);
  bool mayWait(const clang::Stmt *S) const;
  void findLastParts(const clang::Stmt *S);
  void findSetInTurn(const clang::Stmt *S);
  bool taintOutside(const clang::Stmt *IfOrLoop);

  clang::ASTContext &Context;
  const EffectCollector &Collector;
  const clang::FunctionDecl *Function;
  Names Divergent;
  Names OtherNames; ///< variables that a pointer, a reference or a closure may stand for
  mutable llvm::DenseMap<const clang::FunctionDecl *, bool> ThroughPointer;
  bool DivergentGoto = false;
  bool OrderedByBlock =
      false; ///< threads wait for each other at barriers of the block alone, and of their warp
  bool AloneWithBlock = false; ///< they do so at barriers of the block, and hear of no other thread
  mutable llvm::DenseMap<const clang::Stmt *, bool> LeftBySome;
  mutable size_t LeftBySomeAt = 0; ///< how much was known to depend on the thread
  llvm::DenseSet<const clang::Stmt *> WaysOut;
  /// Of conditions behind the bodies of their loops: variables that the body sets last, as all
  /// threads do that come there, and what to.
  llvm::DenseMap<const clang::Expr *,
                 llvm::SmallVector<std::pair<const clang::VarDecl *, const clang::Expr *>, 1>>
      SetInTurn;
  mutable Names Fresh; ///< of these, the same for all where they are asked
  llvm::DenseSet<const clang::IfStmt *> LastIfs; ///< of endsForOthers()
  llvm::DenseSet<const clang::Stmt *> LastLoops; ///< of endsForLeavers()
};

} // namespace cuda_pipeline

#endif
