//===- TileModel.cpp - Builds the two slices of a tile loop -------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// The steps of ModelStep.h, in their order.
///
//===----------------------------------------------------------------------===//

#include "cuda-pipeline/TileModel.h"
#include "ModelStep.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

/// The statements in source order, for --print.
class PhaseLister : ModelStep {
public:
  using ModelStep::ModelStep;

  void run() {
    auto Add = [&](PhaseKind Kind, const Stmt *S) {
      if (M.Phases.empty() || M.Phases.back().Kind != Kind)
        M.Phases.push_back({Kind, {}});
      M.Phases.back().Statements.push_back(S);
    };
    if (M.BarrierFirst)
      Add(PhaseKind::Barrier, M.Barriers[1]);
    for (const Stmt *S : M.Segments[0])
      Add(isAdvanceStatement(S) ? PhaseKind::Advance : PhaseKind::Load, S);
    if (M.Barriers[0])
      Add(PhaseKind::Barrier, M.Barriers[0]);
    for (const Stmt *S : M.Segments[1])
      Add(isAdvanceStatement(S) ? PhaseKind::Advance
          : waitsInCall(S)      ? PhaseKind::Barrier
                                : PhaseKind::Compute,
          S);
    if (!M.BarrierFirst && M.Barriers[1])
      Add(PhaseKind::Barrier, M.Barriers[1]);
    for (const Stmt *S : M.Segments[2])
      Add(isAdvanceStatement(S) ? PhaseKind::Advance : PhaseKind::Compute, S);
  }

private:
  /// A call that does more than to wait, or waits under a condition, is one of the compute phase.
  bool waitsInCall(const Stmt *S) {
    return (M.FillNested || M.TrailingNested) && isa<Expr>(S) &&
           collector().collect(S).hasBarrier();
  }
};

/// About what a statement does, not about what the loop is made of: the next steps work all the
/// same.
bool isAboutEffects(const Refusal &R) {
  switch (R.Why) {
  case Reason::EarlyExit:
    return !R.Args.empty() && R.Args.front() != "goto" && R.Args.front() != "label";
  case Reason::Volatile:
  case Reason::UnknownCall:
  case Reason::InlineAsm:
  case Reason::SideEffect:
  case Reason::LoadSideEffect:
  case Reason::LoadReadsShared:
  case Reason::LoadNotGlobal:
  case Reason::MissingBarrier:
  case Reason::ConditionReadsMemory:
    return true;
  default:
    return false;
  }
}

void waive(TileModel &M) {
  // Without both barriers nothing has been collected.
  if (!M.Barriers[1] && !M.TrailingNested)
    return;
  copy_if(M.Refusals, std::back_inserter(M.Waived), isAboutEffects);
  erase_if(M.Refusals, isAboutEffects);
}

} // namespace

const GlobalLoad &FetchStore::registerOf(const GlobalLoad &G) const {
  return G.Staged
             ? *find_if(Loads, [&](const GlobalLoad &Other) { return Other.Staged == G.Staged; })
             : G;
}

TileModel buildTileModel(const KLoop &Loop, ASTContext &Context, bool Waive, FunctionCache *Known,
                         const LaunchShape &Block, std::shared_ptr<const PoolParts> Parts) {
  TileModel M;
  M.Loop = &Loop;
  auto Facts = std::make_shared<LoopFacts>();
  M.Facts = Facts;
  if (Loop.IsPattern) {
    M.Refusals.push_back({Reason::NotInstantiated, Loop.Begin, {}, {}});
    if (!Loop.IsKernel)
      M.Refusals.back().Remedy =
          "Call it from a kernel in this file, or instantiate it explicitly: "
          "'template __device__ void function<...>(...);'.";
    return M;
  }
  FunctionCache Own;
  FunctionCache &Cache = Known ? *Known : Own;
  if (!Cache.Calls) {
    Cache.Calls = std::make_shared<CallSites>(Context);
    Cache.Names = std::make_shared<WrittenNames>(Context);
  }
  std::shared_ptr<const FunctionFacts> &Function = Cache.Facts[Loop.Function];
  if (!Function)
    Function = std::make_shared<FunctionFacts>(Context, Loop.Function, Cache.Calls, Cache.Names);
  Facts->Function = Function;
  Facts->Collector = &Function->Collector;
  if (Parts) {
    DeclMap<VarDecl, MemoryRoot> Roots;
    for (const auto &[Var, Array] : Parts->Apart)
      Roots[Var] = {Parts->Same.at(Var), Space::Shared};
    for (const auto &[Var, Array] : Parts->Rest)
      Roots[Var] = {Array, Space::Shared};
    Facts->OfParts = std::make_unique<EffectCollector>(Context, Loop.Function, Cache.Calls.get(),
                                                       nullptr, std::move(Roots));
    Facts->Collector = Facts->OfParts.get();
    Facts->Parts = std::move(Parts);
  }
  Facts->Values = &Function->Values;
  if (Loop.IsKernel && Block.known() && (Block.Exact || Block.isClaim())) {
    Facts->OfBlock.emplace(Function->Values.inBlocksOf({Block.X, Block.Y, Block.Z}));
    Facts->BlockIsClaim = !Block.Exact;
  }
  ModelContext C{Loop, Context, M, *Facts, Waive};
  if (const ParmVarDecl *Tile = Loop.PassedTile) {
    M.Refusals.push_back(
        {Reason::NotYet,
         Tile->getLocation(),
         {"a tile that is passed to the function ('" + Tile->getNameAsString() + "')"},
         {}});
    M.Refusals.back().Remedy = "Declare the shared array in the function that has the loop, or "
                               "call the function in few places, for its value at most.";
    return M;
  }

  // What it has taken along is the host's.
  if (const auto *Method = dyn_cast<CXXMethodDecl>(Loop.Function);
      Method && Method->getParent()->isLambda()) {
    M.Refusals.push_back(
        {Reason::NotYet, Loop.Begin, {"a loop of a lambda that the host makes"}, {}});
    M.Refusals.back().Remedy = "Give the lambda's body a __device__ function of its own.";
    return M;
  }
  if (Loop.HasTileLoop) {
    M.Refusals.push_back({Reason::NotYet, Loop.Begin, {OuterOfTwo}, {}});
    M.Refusals.back().Remedy = "The inner one is looked at by itself. Try --variant=ldg-single, "
                               "by which both can be pipelined, or give the inner one a "
                               "__device__ function of its own.";
    return M;
  }
  if (isa<CXXForRangeStmt>(Loop.Loop)) {
    M.Refusals.push_back({Reason::LoopForm, Loop.Begin, {"it goes over a range"}, {}});
    return M;
  }

  detectPipelined(C);
  if (M.AlreadyPipelined)
    return M;
  readLoopForm(C);
  if (Waive)
    waive(M);
  if (!M.understood())
    return M;
  findBuffers(C);
  if (Waive)
    waive(M);
  splitState(C);
  if (!M.understood())
    return M;
  findCopies(C);
  cutFetchAndStore(C);
  PhaseLister(C).run();
  return M;
}

} // namespace cuda_pipeline
