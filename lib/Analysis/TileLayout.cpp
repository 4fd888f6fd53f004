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

static double sumOf(ArrayRef<BankPicture> Accesses, double BankPicture::*Wavefronts) {
  double Sum = 0;
  for (const BankPicture &A : Accesses)
    Sum += A.Times * A.*Wavefronts;
  return Sum;
}
double TileLayout::before() const { return sumOf(Accesses, &BankPicture::Before); }
double TileLayout::after() const { return sumOf(Accesses, &BankPicture::After); }
double TileLayout::least() const { return sumOf(Accesses, &BankPicture::Least); }

void TileLayout::stay(std::string Why, SourceLocation Where) {
  NewPitch = Pitch;
  WhyNot = std::move(Why);
  this->Where = Where;
  for (BankPicture &A : Accesses)
    A.After = A.Before;
}

namespace {

/// Another pitch is worth a look if it saves this part of a tile's wavefronts.
constexpr double LeastSaved = 0.1;
/// And this part of what is left of all tiles' wavefronts.
constexpr double LeastOfAll = 0.05;
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

  /// A distance of two places in it is a constant, and nobody meets them in a run.
  bool VisitBinaryOperator(const BinaryOperator *Op) override {
    const Expr *L = Op->getLHS(), *R = Op->getRHS();
    if ((Op->isComparisonOp() || Op->getOpcode() == BO_Sub) && L->getType()->isPointerType() &&
        R->getType()->isPointerType() && Why.empty())
      for (const Expr *Side : {L, R})
        if (mayPointTo(Side)) {
          Why = "places in it are compared";
          Where = Op->getOperatorLoc();
        }
    return true;
  }

private:
  const VarDecl *Tile;
  const TileModel &M;
  ASTContext &Context;

  bool mayPointTo(const Expr *E) const {
    return !E->isNullPointerConstant(Context, Expr::NPC_ValueDependentIsNull) &&
           any_of(M.Facts->Function->Collector.pointees(E), [&](const MemoryRoot &R) {
             return R.In == Space::Unknown ||
                    (R.In == Space::Shared && (!R.Decl || R.Decl == Tile));
           });
  }
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
    const auto Contains = [&](const Stmt *Part) { return encloses(Part, Ref); };
    const ForStmt *For = M.Loop->asFor();
    return Contains(M.Loop->condition()) ||
           (For && (Contains(For->getInit()) || Contains(For->getInc())));
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

/// Numbers by which indices of an array are multiplied: `As[row * BK + k]`.
class Factors : public ConstDynamicRecursiveASTVisitor {
public:
  Factors(const VarDecl *Tile, const FunctionDecl *Function, ASTContext &Context)
      : Tile(Tile), Context(Context) {
    TraverseStmt(const_cast<Stmt *>(Function->getBody()));
  }
  /// By how often they are said, most often first; of as many the larger ones.
  std::vector<int64_t> all() const {
    std::vector<std::pair<int64_t, unsigned>> Order(Count.begin(), Count.end());
    llvm::sort(Order, [](const auto &A, const auto &B) {
      return std::pair(A.second, A.first) > std::pair(B.second, B.first);
    });
    std::vector<int64_t> Out;
    for (const auto &[Factor, Times] : Order)
      Out.push_back(Factor);
    return Out;
  }
  bool VisitArraySubscriptExpr(const ArraySubscriptExpr *Sub) override {
    if (referencedVar(Sub->getBase()->IgnoreParenImpCasts()) == Tile)
      lookAt(Sub->getIdx());
    return true;
  }
  bool VisitBinaryOperator(const BinaryOperator *Op) override {
    if (!Op->getType()->isPointerType() || !Op->isAdditiveOp())
      return true;
    for (const auto &[Base, Index] :
         {std::pair(Op->getLHS(), Op->getRHS()), std::pair(Op->getRHS(), Op->getLHS())})
      if (referencedVar(Base->IgnoreParenImpCasts()) == Tile)
        lookAt(Index);
    return true;
  }

private:
  const VarDecl *Tile;
  ASTContext &Context;
  std::map<int64_t, unsigned> Count;

  void lookAt(const Expr *Index) {
    const Expr *E = Index->IgnoreParenImpCasts();
    const auto *Op = dyn_cast<BinaryOperator>(E);
    if (!Op)
      return;
    if (Op->isAdditiveOp() || Op->getOpcode() == BO_Mul)
      for (const Expr *Part : {Op->getLHS(), Op->getRHS()}) {
        if (const auto Factor = constantValue(Part, Context);
            Factor && *Factor > 1 && Op->getOpcode() == BO_Mul)
          ++Count[*Factor];
        lookAt(Part);
      }
  }
};

/// One tile, in a run that knows of its rows.
class TileReader {
public:
  TileReader(SymbolicIteration &Turn, bool Followed, const TileBuffer &B, const TileModel &M,
             ASTContext &Context, const LaunchShape &Shape, const std::set<SourceLocation> &Seldom)
      : Turn(Turn), Followed(Followed), B(B), M(M), Context(Context), Shape(Shape), Seldom(Seldom) {
  }

  TileLayout read(uint64_t Pitch) {
    L.Tile = B.Decl;
    L.ElementBytes = unsigned(Context.getTypeSizeInChars(B.Element).getQuantity());
    L.Pitch = L.NewPitch = Pitch;
    std::vector<RowAccess> All = rowAccesses(Turn, B.Decl, Pitch, Shape, Context);
    for (RowAccess &A : All)
      if (A.Access->Write && isSeldom(A.Access->Where))
        A.Warps.clear();
    const uint64_t Best = bestPitch(All, Pitch, stepOf(All, B, M, L.ElementBytes));
    if (Best != Pitch && isFree(All))
      L.NewPitch = Best;
    show(L, All);
    return std::move(L);
  }

private:
  bool isSeldom(const Expr *To) const {
    return any_of(M.Copies, [&](const TileCopy &C) {
      return Seldom.count(C.Store->getExprLoc()) && encloses(C.Store, To);
    });
  }
  SymbolicIteration &Turn;
  const bool Followed;
  const TileBuffer &B;
  const TileModel &M;
  ASTContext &Context;
  const LaunchShape &Shape;
  const std::set<SourceLocation> &Seldom;
  TileLayout L;

  bool stay(std::string Why, SourceLocation Where) {
    L.stay(std::move(Why), Where);
    return false;
  }
  bool isFree(ArrayRef<RowAccess> All) {
    if (!Followed)
      return stay("not all of the loop is followed", M.Loop->Begin);
    const Uses Named(B.Decl, M, Context);
    if (!Named.Why.empty())
      return stay(Named.Why, Named.Where);
    for (const RowAccess &A : All)
      if (!A.InRow || !A.Happens)
        return stay("an access is not shown to stay in its row",
                    A.Access->Where ? A.Access->Where->getExprLoc() : B.Decl->getLocation());
    if (Turn.usesAddressOf(B.Decl))
      return stay("somebody may ask for addresses in it", B.Decl->getLocation());
    return true;
  }
};

/// What is done outside of the loop may forbid another pitch, too: \p L keeps its own then. \p
/// Turn has run that as well.
void askOutside(TileLayout &L, SymbolicIteration &Turn, const TileModel &M, ASTContext &Context) {
  for (const RowAccess &A : rowAccesses(Turn, L.Tile, L.Pitch, LaunchShape(), Context)) {
    if (A.Access->Segment != MappedAccess::Around)
      continue;
    const SourceLocation Where =
        A.Access->Where ? A.Access->Where->getExprLoc() : L.Tile->getLocation();
    if (!A.InRow || !A.Happens)
      return L.stay("an access outside of the loop is not shown to stay in its row", Where);
    if ((L.NewPitch - L.Pitch) % A.Alignment != 0)
      return L.stay("an access outside of the loop needs it aligned", Where);
  }
  if (Turn.usesAddressOf(L.Tile))
    return L.stay("somebody may ask for addresses in it", L.Tile->getLocation());
  L.Said = Turn.pitchesSaid(L.Tile);
  L.Flat = Turn.flatIndices(L.Tile);
  for (const auto *Counted : {&L.Said, &L.Flat})
    for (const auto &[Said, Bytes] : *Counted)
      if ((L.NewPitch - L.Pitch) % Bytes != 0 ||
          (Bytes % L.ElementBytes != 0 && L.ElementBytes % Bytes != 0))
        return L.stay("what counts its rows counts other elements", Said->getExprLoc());
  // A division for each element: where the tile is filled nobody waits for it.
  for (const auto &Flat : L.Flat)
    if (none_of(M.Segments[0], [&](const Stmt *S) { return encloses(S, Flat.first); }))
      return L.stay("an index goes through it from row to row where it is computed on",
                    Flat.first->getExprLoc());
}

/// A tile and the bytes of its rows.
using TileRows = std::pair<const TileBuffer *, uint64_t>;

/// Those of \p Tiles, in a run of their own. \p Known: of the block, for what is shown; \p Shape:
/// for the pictures, maybe a claim.
void layoutsIn(std::vector<TileLayout> &To, ArrayRef<TileRows> Tiles, const TileModel &M,
               ASTContext &Context, const LaunchShape &Known, const LaunchShape &Shape,
               SharedEffort &Effort, const std::set<SourceLocation> &Seldom) {
  if (Tiles.empty())
    return;
  const Uniformity U(Context, *M.Facts->Collector, M.Loop->Function);
  SymbolicIteration Turn(M, Context, U, Known, Effort);
  Turn.followRows();
  for (const auto &[B, Pitch] : Tiles)
    if (B->Extents.size() == 1)
      Turn.hasRows(B->Decl, Pitch);
  const bool Followed = Turn.runAll();
  std::vector<TileLayout> Out;
  for (const auto &[B, Pitch] : Tiles)
    Out.push_back(TileReader(Turn, Followed, *B, M, Context, Shape, Seldom).read(Pitch));
  // What is done outside of the loop is looked at last: it ends all other questions.
  if (any_of(Out, [](const TileLayout &L) { return L.changes(); })) {
    const bool AlsoOutside = runOutside(Turn, M);
    for (TileLayout &L : Out)
      if (L.changes() && AlsoOutside) {
        askOutside(L, Turn, M, Context);
      } else if (L.changes()) {
        L.stay("what is done outside of the loop is not followed", M.Loop->Begin);
      }
  }
  append_range(To, std::move(Out));
}

/// Blocks of other shapes than that of the launches that are seen: C++ has no element behind the
/// end of a row ([expr.add]), so that a subscript is below its extent in each of them, but where
/// somebody goes on from there is to be shown.
void askOtherBlocks(std::vector<TileLayout> &All, const TileModel &M, ASTContext &Context,
                    SharedEffort &Effort) {
  if (none_of(All, [](const TileLayout &L) { return L.changes(); }))
    return;
  const Uniformity U(Context, *M.Facts->Collector, M.Loop->Function);
  SymbolicIteration Turn(M, Context, U, LaunchShape(), Effort);
  Turn.followRows(/*SubscriptsAreGood=*/true);
  const bool Followed = Turn.runAll() && runOutside(Turn, M);
  for (TileLayout &L : All) {
    if (!L.changes())
      continue;
    const std::vector<RowAccess> Of = rowAccesses(Turn, L.Tile, L.Pitch, LaunchShape(), Context);
    const auto Bad = find_if(Of, [](const RowAccess &A) { return !A.InRow; });
    if (Followed && Bad == Of.end())
      continue;
    L.stay("in blocks of another shape an access is not shown to stay in its row",
           Bad != Of.end() && Bad->Access->Where ? Bad->Access->Where->getExprLoc()
                                                 : L.Tile->getLocation());
  }
}

/// A tile whose accesses are few beside those of the others stays as it is.
void leaveWhatHardlyMatters(std::vector<TileLayout> &All) {
  for (TileLayout &L : All) {
    double Others = 0;
    for (const TileLayout &O : All)
      Others += &O == &L ? 0 : O.after();
    if (!L.changes() || L.before() - L.after() >= LeastOfAll * (L.before() + Others))
      continue;
    L.stay("", SourceLocation());
  }
}

} // namespace

std::vector<TileLayout> layoutsOf(const TileModel &M, ASTContext &Context, const LaunchShape &Shape,
                                  SharedEffort &Effort, const std::set<SourceLocation> &Seldom) {
  std::vector<TileLayout> Out;
  if (Shape.X == 0 || !M.Facts || !M.Facts->Collector || M.Loop->IsPattern)
    return Out;
  std::vector<TileRows> Arrays, Flat;
  for (const auto &B : M.Buffers) {
    if (!B->Decl->isStaticLocal() || !B->Statement || B->Bytes == 0 || B->DeclaredInLoop)
      continue;
    const uint64_t Element = uint64_t(Context.getTypeSizeInChars(B->Element).getQuantity());
    if (B->Extents.size() > 1) {
      Arrays.push_back({B.get(), B->Extents.back() * Element});
      continue;
    }
    for (int64_t Factor : Factors(B->Decl, M.Loop->Function, Context).all())
      if (const uint64_t Row = uint64_t(Factor) <= B->Bytes ? uint64_t(Factor) * Element : 0;
          Row != 0 && B->Bytes % Row == 0 && B->Bytes > Row) {
        Flat.push_back({B.get(), Row});
        break;
      }
  }
  // Code that is seen to go on into the next row is left as it is. An array of one dimension has no
  // row's end in C++, and what is shown of its rows has to hold for every block.
  layoutsIn(Out, Arrays, M, Context, Shape, Shape, Effort, Seldom);
  if (!Shape.Exact)
    askOtherBlocks(Out, M, Context, Effort);
  layoutsIn(Out, Flat, M, Context, Shape.Exact ? Shape : LaunchShape(), Shape, Effort, Seldom);
  leaveWhatHardlyMatters(Out);
  return Out;
}

} // namespace cuda_pipeline
