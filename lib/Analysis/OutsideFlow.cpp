//===- OutsideFlow.cpp - Where a tile's address goes outside of its loop --------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OutsideFlow.h"
#include "../Model/AstUtil.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {

namespace {
struct DeclaredVars : ConstDynamicRecursiveASTVisitor {
  std::vector<const VarDecl *> All;
  bool VisitVarDecl(const VarDecl *Var) override {
    if (Var->hasLocalStorage())
      All.push_back(Var);
    return true;
  }
};

/// One of \p A is one of the parts' but for \p Without.
template <typename SetT>
bool meet(const SetT &A, const DenseMap<const Decl *, const Stmt *> &Of, const Stmt *Without) {
  return any_of(A, [&](const Decl *D) {
    auto It = Of.find(D);
    return It != Of.end() && It->second != Without;
  });
}
/// The same, with what is asked of many.
bool meet(const DenseMap<const Decl *, const Stmt *> &A,
          const DenseMap<const Decl *, const Stmt *> &Of, const Stmt *Without) {
  if (A.size() <= Of.size())
    return meet(make_first_range(A), Of, Without);
  return any_of(Of,
                [&](const auto &Item) { return Item.second != Without && A.contains(Item.first); });
}
} // namespace

const OutsideFlow::Parts &OutsideFlow::partsOf(const Stmt *Around) {
  auto [It, New] = Known.try_emplace(Around);
  Parts &P = It->second;
  if (!New)
    return P;
  for (const Stmt *Part : Around->children()) {
    if (!Part)
      continue;
    const unsigned I = P.All.size();
    P.All.push_back(Part);
    DeclaredVars Vars;
    Vars.TraverseStmt(Part);
    for (const VarDecl *Var : Vars.All)
      P.DeclaredIn[Var].push_back(I);
  }
  return P;
}

const OutsideFlow::Flows &OutsideFlow::flowsOf(const Stmt *Around, const VarDecl *Tile) {
  auto [It, New] = KnownFlows.try_emplace({Around, Tile});
  Flows &F = It->second;
  if (!New)
    return F;
  const Parts &P = partsOf(Around);
  const size_t N = P.All.size();
  std::vector<FlowTrace> Traces(N);
  std::vector<DenseSet<const VarDecl *>> TakenForOwn(N);
  std::vector<char> Together(N, false);
  DenseMap<const Decl *, SmallVector<unsigned, 2>> AskedBy;
  for (unsigned I = 0; I < N; ++I) {
    // What a part declares for itself is taken for a variable that the loop knows nothing of.
    auto Own = [&](const VarDecl *Var) {
      auto In = P.DeclaredIn.find(Var);
      const bool Is = In != P.DeclaredIn.end() && In->second.size() == 1 && In->second[0] == I;
      Together[I] |= !Is;
      if (Is)
        TakenForOwn[I].insert(Var);
      return Is;
    };
    const KeptAddress Kept = findKeptAddress(P.All[I], Tile, Own, Function, Context, &Traces[I]);
    Together[I] |= Kept.Where.isValid();
    for (const Decl *D : Traces[I].Asked)
      AskedBy[D].push_back(I);
  }
  for (unsigned I = 0; I < N; ++I)
    for (const Decl *D : Traces[I].Added)
      if (const auto &By = AskedBy[D]; By.size() > 1)
        for (const unsigned Other : By)
          Together[Other] = true;
  for (unsigned I = 0; I < N; ++I) {
    if (Together[I]) {
      F.Together.push_back(P.All[I]);
      continue;
    }
    for (const Decl *D : Traces[I].Asked)
      if (auto [Had, First] = F.Asked.try_emplace(D, P.All[I]); !First)
        Had->second = nullptr;
    for (const Decl *D : Traces[I].Added)
      F.Added.try_emplace(D, P.All[I]);
    F.Reached.insert(Traces[I].Reached.begin(), Traces[I].Reached.end());
    for (const VarDecl *Var : TakenForOwn[I])
      F.TakenForOwn.try_emplace(Var, P.All[I]);
  }
  return F;
}

bool OutsideFlow::areApart(const Stmt *Outer, const Stmt *Without, const Stmt *Inner,
                           const VarDecl *Tile) {
  auto [It, New] = Apart.try_emplace({Outer, Inner, Tile});
  if (New) {
    const Flows &A = flowsOf(Outer, Tile), &B = flowsOf(Inner, Tile);
    It->second = !meet(B.Asked, A.Added, Without) && !meet(B.Added, A.Asked, Without);
  }
  return It->second;
}

SourceLocation OutsideFlow::find(const KLoop &Loop, const VarDecl *Tile, ArrayRef<TileView> Views) {
  /// The statements around the loop, innermost first, and which part of each the loop is in.
  std::vector<std::pair<const Stmt *, const Stmt *>> Path;
  const Stmt *Child = Loop.Loop;
  for (const Stmt *S : reverse(Loop.Ancestors)) {
    Path.push_back({S, Child});
    Child = S;
  }
  // Variables of the function that the loop knows nothing of. It knows an object that is taken
  // apart by the names of the parts.
  DeclSet<VarDecl> Mentioned = mentionedVars(Loop.Loop);
  for (const NamedAt &Name : namesOf(Loop.Loop))
    if (const auto *Binding = dyn_cast<BindingDecl>(Name.Decl)) {
      Mentioned.insert(cast<VarDecl>(Binding->getDecomposedDecl()));
      if (const VarDecl *Holding = Binding->getHoldingVar())
        Mentioned.insert(Holding);
    }
  for (const TileView &View : Views)
    Mentioned.erase(View.Var);
  auto Own = [&](const VarDecl *Var) {
    if (Mentioned.count(Var))
      return false;
    return any_of(Views, [&](const TileView &V) { return V.Var == Var; }) ||
           any_of(Path, [&](const auto &At) {
             const Parts &P = partsOf(At.first);
             auto In = P.DeclaredIn.find(Var);
             return In != P.DeclaredIn.end() &&
                    any_of(In->second, [&](unsigned I) { return P.All[I] != At.second; });
           });
  };
  /// In all parts, or in those that have to do with each other.
  auto Flow = [&](bool All, FlowTrace *Trace = nullptr) {
    std::vector<const Stmt *> Of;
    for (const auto &[S, Around] : Path)
      for (const Stmt *Part : All ? partsOf(S).All : flowsOf(S, Tile).Together)
        if (Part != Around)
          Of.push_back(Part);
    return Of.empty() ? SourceLocation()
                      : findKeptAddress(Of, Tile, Own, Function, Context, Trace).Where;
  };
  bool Plain = true;
  for (size_t Inner = 0; Plain && Inner < Path.size(); ++Inner) {
    const Flows &F = flowsOf(Path[Inner].first, Tile);
    Plain = none_of(Mentioned, [&](const VarDecl *V) {
      const Stmt *Part = F.TakenForOwn.lookup(V);
      return Part && Part != Path[Inner].second;
    });
    for (size_t Outer = Inner + 1; Plain && Outer < Path.size(); ++Outer)
      Plain = areApart(Path[Outer].first, Path[Outer].second, Path[Inner].first, Tile);
  }
  if (!Plain)
    return Flow(true);
  FlowTrace Trace;
  const SourceLocation Where = Flow(false, &Trace);
  const bool Apart = all_of(Path, [&](const auto &At) {
    const Flows &F = flowsOf(At.first, Tile);
    return !meet(Trace.Added, F.Asked, At.second) && !meet(Trace.Asked, F.Added, At.second) &&
           (Where.isInvalid() || // it is where the first call is
            none_of(Trace.Reached, [&](const FunctionDecl *D) { return F.Reached.contains(D); }));
  });
  return Apart ? Where : Flow(true);
}

} // namespace cuda_pipeline
