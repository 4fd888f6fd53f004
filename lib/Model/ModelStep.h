//===- ModelStep.h - What the steps of the tile model share -------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// The model is built by steps that each fill in their part of it:
///
///   detectPipelined   is it pipelined by hand already?
///   readLoopForm      header, exits, segments around the barriers, what each does besides memory
///   findBuffers       the shared arrays that the load phase fills
///   splitState        variables that the iterations hand on, and who needs them
///   findCopies        the stores of the load phase and where their values come from
///   cutFetchAndStore  the load phase as a fetch to registers and a store from them
///
/// A step that does not understand something records a refusal in the model; later steps run only
/// while there is something left to look at.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_MODEL_MODELSTEP_H
#define CUDA_PIPELINE_LIB_MODEL_MODELSTEP_H

#include "AstUtil.h"
#include "Closures.h"
#include "LoopFacts.h"
#include "OtherMeanings.h"
#include "cuda-pipeline/DeclSet.h"
#include "cuda-pipeline/TileModel.h"
#include "clang/AST/StmtCXX.h"

namespace cuda_pipeline {

/// What is built, and from what.
struct ModelContext {
  const KLoop &Loop;
  clang::ASTContext &Context;
  TileModel &Model;
  LoopFacts &Facts;
  bool Waive = false; ///< of buildTileModel()
};

// In this order (TileModel.cpp).
void detectPipelined(ModelContext &C);
void readLoopForm(ModelContext &C);
void findBuffers(ModelContext &C);
void splitState(ModelContext &C);
void findCopies(ModelContext &C);
void cutFetchAndStore(ModelContext &C); // FetchStore.cpp

//===-- Questions about effects ---------------------------------------------===//

using VarSet = DeclSet<clang::VarDecl>;

/// Variables (not memory behind pointers) that the accesses read or write.
VarSet variables(const Effects &E, bool Reads, bool Writes);
inline VarSet readVars(const Effects &E) { return variables(E, true, false); }
inline VarSet writtenVars(const Effects &E) { return variables(E, false, true); }
void insertReads(VarSet &Set, const Effects &E);
void insertMentioned(VarSet &Set, const clang::Stmt *S);

bool onlyPureActions(const Effects &E);
/// Nothing but local variables and constants.
bool onlyLocalAccesses(const Effects &E);
/// The same, and calls like `__ldg(p)`; and what these leave: global memory may be read. Volatile
/// it must not be.
bool onlyPureOrLoads(const Effects &E);
bool onlyLocalOrLoads(const Effects &E);
/// It may print or end the kernel (printf, assert), sets nothing, and does nothing else that
/// anybody sees.
bool printsOrEnds(const Effects &E);
/// Global memory, and arrays in __constant__ memory.
bool isLoadable(const MemoryRoot &R);
bool readsLoadable(const Effects &E);

//===-- The part that every step has ----------------------------------------===//

/// Questions about a loop and what is known of it so far.
class ModelReader {
public:
  ModelReader(const KLoop &L, clang::ASTContext &Context, const TileModel &M,
              const LoopFacts &Facts)
      : L(L), Context(Context), M(M), Facts(&Facts), Values(Facts.Values),
        DeclaredInBody(Facts.DeclaredInBody) {}

protected:
  const KLoop &L;
  clang::ASTContext &Context;
  const TileModel &M;
  const LoopFacts *Facts;
  const FunctionValues *Values;
  const VarSet &DeclaredInBody;

  const EffectCollector &collector() const { return *Facts->Collector; }
  const OtherMeanings &others() const {
    return Facts->Function->once<OtherMeanings>([&] { return OtherMeanings(Context); });
  }
  TileBuffer *bufferOf(const clang::ValueDecl *D) const;
  std::string firstBufferName() const;
  /// What LoadReadsShared says of memory in the space Shared.
  /// A shared variable of its own that nothing in the loop writes: what is read of it is the same
  /// for all tiles.
  bool isSteadyShared(const MemoryRoot &R) const;
  static std::string sharedText(const MemoryRoot &R) {
    return R.Decl ? "shared memory ('" + R.Decl->getNameAsString() + "')" : "shared memory";
  }
  bool isAdvanceStatement(const clang::Stmt *S) const;
  /// A floating-point sum may be one of a product, and be fused in one place and not in another
  /// (FloatWork.h).
  bool mayRound() const;
  bool mayRoundIn(const clang::Stmt *S) const;
  /// Its address is taken, a reference is bound to it, or a lambda captures it, anywhere in the
  /// function.
  bool hasOtherName(const clang::VarDecl *V) const;

  //===-- Loads -------------------------------------------------------------===//

  /// \p E, stripped, when it denotes global memory as a whole; null otherwise.
  const clang::Expr *globalLvalue(const clang::Expr *E) const;
  /// A call of a function of the user's that returns what it finds in global memory, and does
  /// nothing else: `element(a, row, col)`.
  const clang::Expr *loadingCall(const clang::Expr *E) const;
  /// One of these, or a call like `__ldg(p)`.
  const clang::Expr *asGlobalLoad(const clang::Expr *E) const;
  /// The arms of `in ? A[i] : 0` are promoted to int when the elements are narrower; the assignment
  /// takes them back, so the value that is stored is the one that was loaded.
  const clang::Expr *armLoad(const clang::Expr *Arm) const;
  /// `in ? A[i] : 0`, and the same nested: `row ? (col ? A[i] : 0) : 0`.
  struct GuardedLoad {
    llvm::SmallVector<const clang::Expr *, 2> Arms;  ///< for each of them armLoad() is the load
    llvm::SmallVector<const clang::Expr *, 2> Fills; ///< nothing is loaded in these
  };
  std::optional<GuardedLoad> asGuardedLoad(const clang::Expr *E) const;
  bool hasLoads(const clang::Expr *E) const;
  RootSet loadRoots(const clang::Expr *Load) const;
  /// Segment 0 assigns the variable from global memory.
  bool isLoadedVar(const clang::VarDecl *V) const;
  /// No variable in it was ever loaded from memory inside of the load phase.
  bool mentionsNoStaging(const clang::Expr *E) const;
  /// A value that needs nothing: `0.0f`, `make_float4(0, 0, 0, 0)`, `{}`.
  bool isConstantFill(const clang::Expr *Value) const;
  /// \p Value, what \p Var is initialised with or assigned, can be said where another variable of
  /// its type is assigned.
  bool canBeSaid(const clang::Expr *Value, const clang::VarDecl *Var) const;
  /// Its value at the end of segment 0 comes from memory that segment 0 reads, maybe by way of
  /// other variables.
  bool madeOfLoads(const clang::VarDecl *Var) const;

private:
  // At the first question.
  mutable std::optional<Effects> WholeLoop;     ///< of isSteadyShared()
  mutable std::optional<ClosureSet> InPlace;    ///< of hasOtherName(): lambdas of the loop
  mutable DeclSet<clang::ValueDecl> OtherNames; ///< of the same, if there are any
  mutable std::optional<VarSet> LoadedVars;     ///< of isLoadedVar()
  mutable std::optional<VarSet> VarsOfLoads;    ///< of madeOfLoads()
};

/// One that adds to the model.
class ModelStep : public ModelReader {
public:
  explicit ModelStep(ModelContext &C)
      : ModelReader(C.Loop, C.Context, C.Model, C.Facts), M(C.Model), Facts(&C.Facts),
        DeclaredInBody(C.Facts.DeclaredInBody), Waive(C.Waive) {}

protected:
  TileModel &M;
  LoopFacts *Facts;
  VarSet &DeclaredInBody;
  const bool Waive;

  void refuse(Reason Why, clang::SourceLocation Where, std::vector<std::string> Args = {}) {
    M.Refusals.push_back({Why, Where, std::move(Args), {}});
  }
  /// For what forbids a rewrite but not the next steps. True: refused, and there is no going on.
  bool refuseOrWaive(Reason Why, clang::SourceLocation Where, std::vector<std::string> Args) {
    (Waive ? M.Waived : M.Refusals).push_back({Why, Where, std::move(Args), {}});
    return !Waive;
  }
};

} // namespace cuda_pipeline

#endif
