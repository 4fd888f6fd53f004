//===- TileLayout.cpp - Where the elements of a tile lie ----------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cuda-pipeline/TileLayout.h"
#include "../Model/AstUtil.h"
#include "../Model/KnownFunctions.h"
#include "RowAccesses.h"
#include "cuda-pipeline/BankConflicts.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ParentMapContext.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {

double TileLayout::before() const {
  double Sum = 0;
  for (const BankPicture &A : Accesses)
    Sum += A.Times * A.Before;
  return Sum;
}
double TileLayout::after() const {
  double Sum = 0;
  for (const BankPicture &A : Accesses)
    Sum += A.Times * A.After;
  return Sum;
}
double TileLayout::least() const {
  double Sum = 0;
  for (const BankPicture &A : Accesses)
    Sum += A.Times * A.Least;
  return Sum;
}

namespace {

/// Another pitch is worth a look if it saves this part of a tile's wavefronts.
constexpr double LeastSaved = 0.1;
/// Of several pitches with nearly as few wavefronts the smallest one is taken.
constexpr double AsGood = 1.02;
/// A pitch that is longer by so many bytes meets the same banks.
constexpr uint64_t Period = 128;

/// How the lanes of a warp meet the banks in one access, with any pitch.
unsigned meet(const WarpAccess &A, uint64_t Pitch, bool Least = false) {
  LaneOffsets Lanes;
  for (unsigned L = 0; L < WarpSize; ++L)
    if (A.Lanes[L])
      Lanes[L] = uint64_t(A.Lanes[L]->Row) * Pitch + uint64_t(A.Lanes[L]->Column);
  return Least ? leastWavefronts(A.Kind, A.Bytes, Lanes) : wavefronts(A.Kind, A.Bytes, Lanes);
}

double mean(const RowAccess &A, uint64_t Pitch, bool Least = false) {
  double Sum = 0;
  for (const WarpAccess &W : A.Warps)
    Sum += meet(W, Pitch, Least);
  return A.Warps.empty() ? 0 : Sum / double(A.Samples);
}

double cost(ArrayRef<RowAccess> All, uint64_t Pitch) {
  double Sum = 0;
  for (const RowAccess &A : All)
    Sum += A.Times * mean(A, Pitch);
  return Sum;
}

/// The pitch with the fewest wavefronts, or nearly so: the shortest of these.
uint64_t bestPitch(ArrayRef<RowAccess> All, uint64_t Pitch, uint64_t Step) {
  std::vector<std::pair<uint64_t, double>> Costs;
  for (uint64_t More = 0; More < Period + Step; More += Step)
    Costs.push_back({Pitch + More, cost(All, Pitch + More)});
  double Fewest = Costs.front().second;
  for (const auto &[At, Cost] : Costs)
    Fewest = std::min(Fewest, Cost);
  if (Fewest > (1 - LeastSaved) * Costs.front().second)
    return Pitch;
  return find_if(Costs, [&](const auto &C) { return C.second <= AsGood * Fewest; })->first;
}

/// What stands against another pitch in how the function names the tile; empty: nothing.
class Uses : public ConstDynamicRecursiveASTVisitor {
public:
  Uses(const VarDecl *Tile, const TileModel &M, ASTContext &Context)
      : Tile(Tile), M(M), Context(Context) {
    TraverseStmt(const_cast<Stmt *>(M.Loop->Function->getBody()));
  }
  std::string Why;
  SourceLocation Where;

  bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
    if (Ref->getDecl() != Tile || !Why.empty())
      return true;
    if (isInHeader(Ref))
      return refuse(Ref, "the loop's header names it");
    const Expr *E = Ref;
    while (true) {
      if (!E->getType()->isArrayType())
        return true; // one element
      const Expr *Decayed = parentOf(E);
      while (const auto *Paren = dyn_cast_or_null<ParenExpr>(Decayed))
        Decayed = parentOf(E = Paren);
      const auto *Cast = dyn_cast_or_null<ImplicitCastExpr>(Decayed);
      if (!Cast || Cast->getCastKind() != CK_ArrayToPointerDecay)
        return refuse(Ref, "it is named as a whole");
      if (!Cast->getType()->getPointeeType()->isArrayType())
        return true; // the beginning of a row
      const auto *Sub = dyn_cast_or_null<ArraySubscriptExpr>(parentOf(Cast));
      if (!Sub || Sub->getBase() != Cast)
        return refuse(Ref, "a pointer to its rows is made");
      E = Sub;
    }
  }

private:
  const VarDecl *Tile;
  const TileModel &M;
  ASTContext &Context;

  bool refuse(const DeclRefExpr *Ref, std::string What) {
    Why = std::move(What);
    Where = Ref->getLocation();
    return true;
  }
  const Expr *parentOf(const Expr *E) const {
    const auto Parents = Context.getParents(*E);
    return Parents.size() == 1 ? Parents[0].get<Expr>() : nullptr;
  }
  bool isInHeader(const DeclRefExpr *Ref) const {
    const auto Contains = [&](const Stmt *Part) { return Part && contains(Part, Ref); };
    const ForStmt *For = M.Loop->asFor();
    return Contains(M.Loop->condition()) ||
           (For && (Contains(For->getInit()) || Contains(For->getInc())));
  }
  static bool contains(const Stmt *Whole, const Stmt *Part) {
    return Whole == Part || any_of(Whole->children(), [&](const Stmt *Child) {
             return Child && contains(Child, Part);
           });
  }
};

/// Bytes by which the pitch may grow: any multiple keeps every access as aligned as it is.
uint64_t stepOf(ArrayRef<RowAccess> All, const TileBuffer &B, const TileModel &M,
                uint64_t Element) {
  uint64_t Step = Element;
  for (const RowAccess &A : All)
    Step = std::lcm(Step, A.Alignment);
  for (const TileCopy &C : M.Copies)
    if (C.Buffer == &B && C.AsyncBytes)
      Step = std::lcm(Step, std::min<uint64_t>(C.AsyncBytes & -C.AsyncBytes, 16));
  return Step;
}

void show(TileLayout &Out, ArrayRef<RowAccess> All) {
  Out.Accesses.clear();
  for (const RowAccess &A : All)
    if (!A.Warps.empty())
      Out.Accesses.push_back({A.Access->Where->getExprLoc(), A.Access->Write, A.Warps.front().Bytes,
                              A.Times, mean(A, Out.Pitch), mean(A, Out.NewPitch),
                              mean(A, Out.Pitch, /*Least=*/true)});
}

} // namespace

std::vector<TileLayout> layoutsOf(const TileModel &M, ASTContext &Context, const LaunchShape &Shape,
                                  SharedEffort &Effort) {
  std::vector<TileLayout> Out;
  if (Shape.X == 0 || !M.Facts || !M.Facts->Collector || M.Loop->IsPattern)
    return Out;
  std::vector<const TileBuffer *> Tiles;
  for (const auto &B : M.Buffers)
    if (B->Decl->isStaticLocal() && B->Statement && B->Extents.size() > 1)
      Tiles.push_back(B.get());
  if (Tiles.empty())
    return Out;
  const Uniformity U(Context, *M.Facts->Collector, M.Loop->Function);
  // C++ has no element behind the end of a row ([expr.add]), so that a launch of another shape
  // cannot mean one; but code that is seen to go on into the next row is left as it is.
  SymbolicIteration Turn(M, Context, U, Shape, Effort);
  Turn.followRows();
  const bool Followed = Turn.runAll();
  for (const TileBuffer *B : Tiles) {
    TileLayout L;
    L.Tile = B->Decl;
    L.ElementBytes = unsigned(Context.getTypeSizeInChars(B->Element).getQuantity());
    L.Pitch = L.NewPitch = B->Extents.back() * L.ElementBytes;
    const std::vector<RowAccess> All = rowAccesses(Turn, B->Decl, L.Pitch, Shape, Context);
    const uint64_t Best = bestPitch(All, L.Pitch, stepOf(All, *B, M, L.ElementBytes));
    show(L, All);
    const auto Stay = [&](std::string Why, SourceLocation Where) {
      L.WhyNot = std::move(Why);
      L.Where = Where;
    };
    if (Best != L.Pitch) {
      const Uses Named(B->Decl, M, Context);
      std::optional<SourceLocation> Unknown;
      for (const RowAccess &A : All)
        if (!A.InRow && !Unknown)
          Unknown = A.Access->Where ? A.Access->Where->getExprLoc() : B->Decl->getLocation();
      if (!Followed)
        Stay("not all of the loop is followed", M.Loop->Begin);
      else if (!Named.Why.empty())
        Stay(Named.Why, Named.Where);
      else if (Unknown)
        Stay("an access is not shown to stay in its row", *Unknown);
      else if (Turn.usesAddressOf(B->Decl))
        Stay("somebody may ask for addresses in it", B->Decl->getLocation());
      else
        L.NewPitch = Best;
      for (const RowAccess &A : All)
        if (A.Access->Fragment && !is_contained(L.Said, A.Access->Fragment->getArg(2)))
          L.Said.push_back(A.Access->Fragment->getArg(2));
      show(L, All);
    }
    Out.push_back(std::move(L));
  }
  // What is done outside of the loop is looked at last: it ends all other questions.
  if (any_of(Out, [](const TileLayout &L) { return L.changes(); }) && !runOutside(Turn, M))
    for (TileLayout &L : Out)
      if (L.changes()) {
        L.NewPitch = L.Pitch;
        L.WhyNot = "what is done outside of the loop is not followed";
        L.Where = M.Loop->Begin;
      }
  for (TileLayout &L : Out) {
    if (!L.changes())
      continue;
    for (const RowAccess &A : rowAccesses(Turn, L.Tile, L.Pitch, LaunchShape(), Context)) {
      if (A.Access->Segment != MappedAccess::Around)
        continue;
      const bool Aligned = (L.NewPitch - L.Pitch) % A.Alignment == 0;
      if (!A.InRow || !Aligned) {
        L.WhyNot = A.InRow ? "an access outside of the loop needs it aligned"
                           : "an access outside of the loop is not shown to stay in its row";
        L.Where = A.Access->Where ? A.Access->Where->getExprLoc() : L.Tile->getLocation();
        L.NewPitch = L.Pitch;
        break;
      }
      if (A.Access->Fragment && !is_contained(L.Said, A.Access->Fragment->getArg(2)))
        L.Said.push_back(A.Access->Fragment->getArg(2));
    }
    if (L.changes() && Turn.usesAddressOf(L.Tile)) {
      L.NewPitch = L.Pitch;
      L.WhyNot = "somebody may ask for addresses in it";
      L.Where = L.Tile->getLocation();
    }
  }
  return Out;
}

} // namespace cuda_pipeline
