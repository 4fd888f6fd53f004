//===- RuleContext.cpp - What the soundness rules share ----------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rules.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {

/// A static array with a name.
static bool isStaticArray(const MemoryRoot &R) {
  const auto *Var = dyn_cast_or_null<VarDecl>(R.Decl);
  return Var && R.In == Space::Shared && Var->hasAttr<CUDASharedAttr>() &&
         !Var->hasExternalStorage();
}

FunctionRules::FunctionRules(ASTContext &Context, const EffectCollector &Collector,
                             const FunctionDecl *Function, CallSites &Calls,
                             const ReachedCode &Code)
    : CalledBy(Function->hasAttr<CUDAGlobalAttr>() ? Callers()
                                                   : callersOf(Function, Context, Calls)),
      U(Context, Collector, Function, CalledBy.Uniform, CalledBy.This), Collector(Collector),
      InFront(Collector, Context) {
  const SourceManager &SM = Context.getSourceManager();
  const Effects Whole = Collector.collect(Function->getBody());
  auto Later = [&](SourceLocation &Last, SourceLocation Here) {
    if (Here.isValid() && (Last.isInvalid() || SM.isBeforeInTranslationUnit(Last, Here)))
      Last = Here;
  };
  for (const Access &A : Whole.Accesses) {
    SourceLocation Here = SM.getExpansionLoc(A.Loc);
    for (const MemoryRoot &R : A.Roots) {
      if (R.In == Space::Shared || !R.Decl) {
        Later(LastShared[R], Here);
        Later(LastOfShared, Here);
        if (!isStaticArray(R))
          Later(LastOfOther, Here);
      }
      if (A.Write && (R.In == Space::Global || R.In == Space::Unknown))
        Later(LastWrite[R], Here);
    }
  }
  Waits = findWaiting(Code);
}

const FunctionRules::StoresByRoot &FunctionRules::storesIn(const std::vector<const Stmt *> &Block,
                                                           size_t End) const {
  StoresOfBlock &Stores = StoresIn[&Block];
  for (size_t &I = Stores.Done; I < End; ++I) {
    size_t Order = 0;
    for (const auto &[R, Where] : storesOf(Block[I]))
      if (std::vector<StoreOf> &All = Stores.By[R]; All.empty() || All.back().Child != I)
        All.push_back({R, Where, I, Order++});
  }
  return Stores.By;
}

FunctionRules::Stores FunctionRules::storesBefore(const KLoop &Loop, bool Shared) const {
  Stores Out;
  std::set<MemoryRoot> Seen;
  auto Add = [&](const MemoryRoot &R, SourceLocation Where) {
    if ((Shared || R.In != Space::Shared) && Seen.insert(R).second)
      Out.push_back({R, Where});
  };
  for (const StatementRun &Run : InFront.runs(Loop)) {
    if (Run.Single)
      for (const auto &[R, Where] : storesOf(Run.Single))
        Add(R, Where);
    if (!Run.Of)
      continue;
    std::vector<const StoreOf *> Last;
    for (const auto &[R, All] : storesIn(*Run.Of, Run.End))
      if (Shared || R.In != Space::Shared)
        if (auto It = partition_point(All, [&](const StoreOf &S) { return S.Child < Run.End; });
            It != All.begin() && std::prev(It)->Child >= Run.Begin)
          Last.push_back(&*std::prev(It));
    llvm::sort(Last, [](const StoreOf *A, const StoreOf *B) {
      return A->Child != B->Child ? A->Child > B->Child : A->Order < B->Order;
    });
    for (const StoreOf *S : Last)
      Add(S->What, S->Where);
  }
  return Out;
}

bool FunctionRules::anyBefore(const KLoop &Loop, function_ref<bool(const Stmt *)> Is) const {
  return any_of(InFront.runs(Loop), [&](const StatementRun &Run) {
    if (Run.Single)
      return Is(Run.Single);
    std::vector<size_t> &Count = CountOf[Run.Of]; // of those among the first ones
    if (Count.empty())
      Count.push_back(0);
    for (size_t I = Count.size() - 1; I < Run.End; ++I)
      Count.push_back(Count.back() + Is((*Run.Of)[I]));
    return Count[Run.Begin] != Count[Run.End];
  });
}

const FunctionRules::Stores &FunctionRules::storesOf(const Stmt *S) const {
  auto [It, New] = Known.try_emplace(S);
  if (New)
    for (const Access &A : Collector.collect(S).Accesses)
      if (A.Write)
        for (const MemoryRoot &R : A.Roots)
          if (R.In == Space::Global || R.In == Space::Unknown || R.In == Space::Shared)
            It->second.push_back({R, A.Loc});
  return It->second;
}

RuleContext::RuleContext(const TileModel &M, ASTContext &Context, const StringSet<> &Granted,
                         const LaunchShape &Shape, SharedEffort &Effort, const OtherLoops &Others)
    : M(M), F(*M.Facts), Context(Context), Granted(Granted), Shape(Shape), Effort(Effort),
      Others(Others), OfFunction(F.Function->once<FunctionRules>([&] {
        return FunctionRules(Context, F.Function->Collector, M.Loop->Function, *F.Function->Calls,
                             code());
      })),
      U(OfFunction.U), SetsMatter(F.Parts != nullptr), BlockIsAsked(F.Parts && F.Parts->AsksBlock) {
}

bool RuleContext::isSaid(const Refusal &Why, Needs Among) const {
  return any_of(L.Findings, [&](const Finding &Known) {
    return any(Known.Blocks & Among) && Known.Why.Why == Why.Why && Known.Why.Where == Why.Where;
  });
}

bool RuleContext::isBlocked(Needs Any) const {
  return any_of(L.Findings, [&](const Finding &Known) { return any(Known.Blocks & Any); });
}

void RuleContext::refuseOnce(Finding What, Needs Among) {
  if (!isSaid(What.Why, Among))
    refuse(std::move(What));
}

bool RuleContext::granted(StringRef Name) {
  if (!Granted.contains(Name))
    return false;
  if (!is_contained(L.Assumptions, Name.str()))
    L.Assumptions.push_back(Name.str());
  return true;
}

bool RuleContext::grantedToAsync(StringRef Name) {
  if (!Granted.contains(Name))
    return false;
  if (!is_contained(L.AsyncAssumptions, Name.str()))
    L.AsyncAssumptions.push_back(Name.str());
  return true;
}

SymbolicIteration &RuleContext::turn(bool Claimed, UnsignedNumbers Unsigned) {
  std::unique_ptr<SymbolicIteration> &Turn = Turns[Claimed][Unsigned == UnsignedNumbers::InPieces];
  if (!Turn) {
    LaunchShape Known = Claimed || Shape.Exact ? Shape : LaunchShape();
    Turn = std::make_unique<SymbolicIteration>(M, Context, U, Known, Effort, Unsigned);
  }
  return *Turn;
}

const ReachedCode &RuleContext::code() const {
  return F.Function->once<ReachedCode>([&] { return ReachedCode(M.Loop->Function); });
}

const SharedArrays &RuleContext::sharedArrays() const {
  return F.Function->once<SharedArrays>([&] { return SharedArrays(M.Loop->Function, code()); });
}

std::string nameOf(const MemoryRoot &R) {
  return R.Decl ? R.Decl->getNameAsString() : std::string("a pointer of unknown origin");
}

std::string quotedNameOf(const MemoryRoot &R) { return R.Decl ? "'" + nameOf(R) + "'" : nameOf(R); }

bool isDynamicShared(const ValueDecl *D) {
  const auto *Var = dyn_cast_or_null<VarDecl>(D);
  return Var && Var->hasAttr<CUDASharedAttr>() && Var->hasExternalStorage();
}

} // namespace cuda_pipeline
