//===- CopyWidth.cpp - How many bytes a thread copies at once -------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Rule 15 of docs/soundness.md. The elements that a copy loop fills are numbered, by its counter
/// or by a variable that is made of it and of the thread; all threads together have all numbers.
/// Instead of the numbers the threads then get groups of them, by the same rule.
///
//===----------------------------------------------------------------------===//

#include "cuda-pipeline/CopyWidth.h"
#include "../Model/ModelStep.h"
#include "EarlyReturns.h"
#include "GroupValues.h"
#include "ThreadNumbers.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {

void CopyWidth::stay(std::string Why, SourceLocation At) {
  NewBytes = Bytes;
  Scaled.clear();
  Wider.clear();
  Zeros.clear();
  Through.clear();
  Tests.clear();
  Divided = nullptr;
  Threads = nullptr;
  BlockTest.clear();
  WhyNot = std::move(Why);
  Where = At;
}

namespace {

using Kind = GroupValues::Kind;

/// The value whose bytes are all zero: not -0.0.
bool isZeroBits(const Expr *E, const ASTContext &Context) {
  E = stripNoOps(E);
  if (const auto *Cast = dyn_cast<CastExpr>(E))
    return isZeroBits(Cast->getSubExpr(), Context);
  if (isa<ImplicitValueInitExpr, CXXScalarValueInitExpr>(E))
    return E->getType()->isArithmeticType();
  if (const auto *Number = dyn_cast<FloatingLiteral>(E))
    return Number->getValue().isPosZero();
  if (const auto *List = dyn_cast<InitListExpr>(E))
    return E->getType()->isArithmeticType() &&
           (List->getNumInits() == 0 ||
            (List->getNumInits() == 1 && isZeroBits(List->getInit(0), Context)));
  if (const auto *Made = dyn_cast<CXXConstructExpr>(E))
    return isCudaNumber(Made->getConstructor()->getParent()) && Made->getNumArgs() == 1 &&
           isZeroBits(Made->getArg(0), Context);
  if (const auto *Call = dyn_cast<CallExpr>(E)) {
    const FunctionDecl *Callee = Call->getDirectCallee();
    return Callee && Callee->getIdentifier() && Call->getNumArgs() == 1 &&
           (Callee->getName().starts_with("__float2half") ||
            Callee->getName().starts_with("__float2bfloat16") ||
            Callee->getName().starts_with("__int2half")) &&
           !Callee->getName().contains("2half2") && !Callee->getName().contains("2bfloat162") &&
           isLibraryFunction(Callee, Context) && isZeroBits(Call->getArg(0), Context);
  }
  return E->getType()->isIntegerType() && constantValue(E, Context) == 0;
}

/// What all copy loops of a tile loop have in common.
struct Loops {
  const TileModel &M;
  ASTContext &Context;
  const LaunchShape &Shape;
  const Uniformity &U;
  const std::set<SourceLocation> &Seldom;
};

/// One copy loop.
class Widening {
public:
  Widening(const Loops &All, const CopyLoop &C)
      : All(All), M(All.M), Context(All.Context), Values(*M.Facts->Values), C(C) {}

  CopyWidth run() {
    Out.Loop = C.Loop;
    if (!findStores())
      return Out;
    if (const auto Why = hindrance()) {
      Out.stay(Why->first, Why->second);
      return Out;
    }
    for (unsigned Bytes : {16u, 8u, 4u})
      if (Bytes > Out.Bytes && widen(Bytes))
        return Out;
    Out.stay(Why.empty() ? "it is not seen that neighbours in the tile are neighbours in memory"
                         : Why,
             At.isValid() ? At : C.Loop->getBeginLoc());
    return Out;
  }

private:
  const Loops &All;
  const TileModel &M;
  ASTContext &Context;
  const FunctionValues &Values;
  const CopyLoop &C;
  CopyWidth Out;
  SmallVector<const TileCopy *, 4> Stores;
  /// Of the widest group that was tried last: what is in the way.
  std::string Why;
  SourceLocation At;

  using Hindrance = std::pair<std::string, SourceLocation>;

  bool fail(std::string Reason, SourceLocation Where) {
    Why = std::move(Reason);
    At = Where;
    return false;
  }

  /// False: there are none that are narrow and plain.
  bool findStores() {
    for (const TileCopy &Copy : M.Copies)
      if (is_contained(Copy.Loops, &C)) {
        Stores.push_back(&Copy);
        if (!is_contained(Out.Tiles, Copy.Buffer->Decl))
          Out.Tiles.push_back(Copy.Buffer->Decl);
        Out.Bytes = Copy.Bytes;
      }
    Out.NewBytes = Out.Bytes;
    return C.Loop && C.Counter && !Stores.empty() && Out.Bytes < 16 && isPowerOf2_32(Out.Bytes) &&
           all_of(
               Stores,
               [&](const TileCopy *S) {
                 return S->Bytes == Out.Bytes && (S->IsFill || !S->Converted) &&
                        !All.Seldom.count(S->Store->getExprLoc());
               }) &&
           any_of(Stores, [](const TileCopy *S) { return !S->IsFill; });
  }

  /// What stands against other threads for the elements, whatever the width.
  std::optional<Hindrance> hindrance() const {
    const auto Here = [&](const Stmt *S) { return S->getBeginLoc(); };
    if (!M.Barriers[0] || M.FillNested || M.Skip || M.LoadUpdates || M.TrailingNested ||
        !M.MovedToCompute.empty() || M.Facts->Function->HasGoto || lambdaAround(*M.Loop) ||
        !M.Loop->IsKernel || M.Facts->OfParts)
      return Hindrance("the load phase is not all that stands in front of a barrier of all threads",
                       Here(C.Loop));
    if (const auto Returns = earlyReturns(M, All.U, Context); !Returns.empty())
      return Hindrance("some threads of the block may never come here",
                       Here(Returns.front().Where));
    const Expr *Condition = M.Loop->condition();
    if ((Condition && !All.U.isUniform(Condition)) || All.U.isLeftBySome(M.Loop->Loop))
      return Hindrance("some threads of the block may leave the loop before others",
                       Here(M.Loop->Loop));
    if (!standsAlone())
      return Hindrance(
          "it does not stand by itself in the load phase: not all threads may come here",
          Here(C.Loop));
    for (const TileCopy *S : Stores) {
      const TileBuffer &B = *S->Buffer;
      if (B.Origin != BufferOrigin::Static)
        return Hindrance("the tile is in dynamic shared memory", S->Store->getExprLoc());
      if (B.UsedBefore)
        return Hindrance("'" + B.Decl->getNameAsString() + "' is used in front of the loop as well",
                         S->Store->getExprLoc());
      for (const TileCopy &Other : M.Copies)
        if (Other.Buffer == S->Buffer && !is_contained(Stores, &Other))
          return Hindrance("'" + B.Decl->getNameAsString() +
                               "' is filled by another statement as well",
                           Other.Store->getExprLoc());
      for (unsigned Part : {0u, 2u})
        for (const Access &A : M.Facts->Segment[Part].Accesses)
          if ((A.touches(B.Decl) || A.mayTouch(Space::Unknown)) &&
              (Part == 2 || A.Read || !isStore(A)))
            return Hindrance("threads may read what they have stored to '" +
                                 B.Decl->getNameAsString() + "' before a barrier",
                             A.Loc);
      if (S->IsFill)
        continue;
      if (S->Staging ? !isOwnVariable(S->Staging)
                     : S->Sources.size() != 1 || !S->SourceAccess || S->LoadedBy)
        return Hindrance("the value goes through a variable", S->Store->getExprLoc());
      if (const auto Written = writtenElsewhere(*S))
        return Hindrance(
            "the threads that have written what is copied would not be those that copy "
            "it",
            *Written);
    }
    return std::nullopt;
  }

  /// The access of one of the stores.
  bool isStore(const Access &A) const {
    return any_of(Stores, [&](const TileCopy *S) { return encloses(S->Store, A.Where); });
  }

  /// It is declared in the copy loop, and there is nothing but the elements that go through it.
  bool isOwnVariable(const VarDecl *Var) const {
    return encloses(C.Loop->getBody(), declarationOf(Var)) && !Values.hasOtherNames(Var) &&
           !Var->getType().isVolatileQualified() && !Var->getType()->isReferenceType();
  }
  const DeclStmt *declarationOf(const VarDecl *Var) const {
    const auto In = [&](const Stmt *S, auto &Self) -> const DeclStmt * {
      if (const auto *Of = dyn_cast<DeclStmt>(S); Of && is_contained(Of->decls(), Var))
        return Of;
      for (const Stmt *Part : S->children())
        if (const DeclStmt *Found = Part ? Self(Part, Self) : nullptr)
          return Found;
      return nullptr;
    };
    return In(C.Loop->getBody(), In);
  }

  /// In the load phase's own list of statements.
  bool standsAlone() const {
    const auto In = [&](const Stmt *S, auto &Self) -> bool {
      if (S == C.Loop)
        return true;
      if (const auto *Attributed = dyn_cast<AttributedStmt>(S))
        return Self(Attributed->getSubStmt(), Self);
      const auto *Compound = dyn_cast<CompoundStmt>(S);
      return Compound &&
             any_of(Compound->body(), [&](const Stmt *Part) { return Self(Part, Self); });
    };
    return any_of(M.Segments[0], [&](const Stmt *S) { return In(S, In); });
  }

  /// The kernel may write what \p S copies, with no barrier between.
  std::optional<SourceLocation> writtenElsewhere(const TileCopy &S) const {
    const ValueDecl *From = S.SourceRoot;
    if (From && isReadOnlyParameter(From))
      return std::nullopt;
    const bool Again = any_of(M.Loop->Ancestors, [](const Stmt *Around) { return isLoop(Around); });
    const SourceManager &SM = Context.getSourceManager();
    for (const Access &A : M.Facts->Function->whole().Accesses) {
      if (!A.Write)
        continue;
      for (const MemoryRoot &R : A.Roots) {
        if (R.In != Space::Global && R.In != Space::Unknown)
          continue;
        const bool Apart = From && R.Decl && R.Decl != From &&
                           (isRestrictParameter(From) || isRestrictParameter(R.Decl));
        const bool InFront =
            Again || SM.isBeforeInTranslationUnit(SM.getExpansionLoc(A.Loc),
                                                  SM.getExpansionLoc(M.Loop->Loop->getEndLoc()));
        if (!Apart && (InFront || R.Decl == From || !R.Decl))
          return A.Loc;
      }
    }
    return std::nullopt;
  }

  //===-- One width ---------------------------------------------------------===//

  bool widen(unsigned Bytes) {
    const unsigned Group = Bytes / Out.Bytes;
    CopyWidth New = Out;
    New.NewBytes = Bytes;
    const std::optional<ThreadNumber> Begin = ThreadNumber::of(C.Begin, Values, C.Counter);
    const std::optional<ThreadNumber> Step =
        C.Step ? ThreadNumber::of(C.Step, Values) : std::nullopt;
    if (Begin && Step)
      return byCounter(*Begin, *Step, Group, New);
    return byTurn(Group, New);
  }

  /// `for (int n = tid; n < 2048; n += 128)`.
  bool byCounter(const ThreadNumber &Begin, const ThreadNumber &Step, unsigned Group,
                 CopyWidth &New) {
    const auto Blocks = Begin.covers(Step, All.Shape);
    if (!Blocks)
      return byTurn(Group, New);
    // It goes further beyond the end than it did.
    if (Context.getIntWidth(C.Counter->getType()) < Context.getIntWidth(Context.IntTy))
      return fail("its counter has too few bits", C.Counter->getLocation());
    GroupValues G(M, Context, All.U, C.Counter, C.Loop, Group);
    if (!endsBetweenGroups(C.Loop->getCond(), G))
      return fail("the last elements may be no whole group", C.Loop->getCond()->getExprLoc());
    New.Scaled = {C.Begin, C.Step};
    return body(G, New) && finish(G, *Blocks, C.Step, New);
  }

  /// `for (int i = 0; i < 16; ++i) { const int n = tid + i * 128; ..`, or the step in the header.
  bool byTurn(unsigned Group, CopyWidth &New) {
    const CopyLoop::Turns &T = C.OfAny;
    if (!T.ConstantTrips || !T.MaxTrips || T.BeginValue != 0 || !T.StepValue || C.Inclusive ||
        C.Margin || *T.MaxTrips % Group != 0)
      return fail(T.ConstantTrips && T.MaxTrips
                      ? "its turns are no whole number of groups"
                      : "it is not seen that the threads together have all elements",
                  C.Loop->getBeginLoc());
    const auto *Body = dyn_cast<CompoundStmt>(C.Loop->getBody());
    for (const Stmt *S :
         Body ? ArrayRef<Stmt *>(Body->body_begin(), Body->body_end()) : ArrayRef<Stmt *>()) {
      const auto *Declaration = dyn_cast<DeclStmt>(S);
      const auto *Number = Declaration && Declaration->isSingleDecl()
                               ? dyn_cast<VarDecl>(Declaration->getSingleDecl())
                               : nullptr;
      if (!Number || !Number->getType()->isIntegerType() || !Values.isSetOnce(Number) ||
          Values.hasOtherNames(Number) || Number->getType().isVolatileQualified())
        continue;
      const Expr *Init = initialValue(Number);
      const auto All = Init ? ThreadNumber::of(Init, Values, C.Counter) : std::nullopt;
      const auto Parts = All ? All->splitAtCounter() : std::nullopt;
      if (!Parts || !Parts->first.isConstant() || Parts->first.constant() <= 0)
        continue;
      const ThreadNumber Each = Parts->first.timesConstant(*T.StepValue);
      const auto Blocks = Parts->second.covers(Each, this->All.Shape);
      if (!Blocks)
        continue;
      GroupValues G(M, Context, this->All.U, Number, C.Loop, Group);
      New.Scaled = {Init};
      New.Divided = C.End;
      return body(G, New) && finish(G, *Blocks, nullptr, New);
    }
    return fail("it is not seen that the threads together have all elements",
                C.Loop->getBeginLoc());
  }

  /// Of all groups either all elements are copied, or none, and of elements none in front of one
  /// that is.
  bool endsBetweenGroups(const Expr *Cond, GroupValues &G) {
    Cond = Cond->IgnoreParenImpCasts();
    const auto *Op = dyn_cast<BinaryOperator>(Cond);
    if (Op && Op->getOpcode() == BO_LAnd)
      return endsBetweenGroups(Op->getLHS(), G) && endsBetweenGroups(Op->getRHS(), G);
    return Op && Op->getOpcode() == BO_LT && !mentionsInside(Op->getRHS()) &&
           countsUp(Op->getLHS()) && G.of(Op) == Kind::Flat;
  }
  bool mentionsInside(const Expr *E) const { return mentionedVars(E).count(C.Counter) != 0; }
  /// The counter, to which something else may be added.
  bool countsUp(const Expr *E) const {
    E = E->IgnoreParenImpCasts();
    if (referencedVar(E) == C.Counter)
      return true;
    const auto *Sum = dyn_cast<BinaryOperator>(E);
    return Sum && Sum->getOpcode() == BO_Add && E->getType()->isIntegerType() &&
           ((countsUp(Sum->getLHS()) && !mentionsInside(Sum->getRHS())) ||
            (countsUp(Sum->getRHS()) && !mentionsInside(Sum->getLHS())));
  }

  bool body(GroupValues &G, CopyWidth &New) {
    const Effects Does = M.Facts->Collector->collect(C.Loop->getBody());
    if (!onlyPureOrLoads(Does) || any_of(Does.Accesses, [](const Access &A) { return A.Volatile; }))
      return fail("it does more than to copy", C.Loop->getBody()->getBeginLoc());
    return statement(C.Loop->getBody(), G, New);
  }

  bool statement(const Stmt *S, GroupValues &G, CopyWidth &New) {
    if (!S || isa<NullStmt>(S))
      return true;
    if (const auto *Compound = dyn_cast<CompoundStmt>(S))
      return all_of(Compound->body(), [&](const Stmt *Part) { return statement(Part, G, New); });
    if (const auto *Declaration = dyn_cast<DeclStmt>(S))
      return all_of(Declaration->decls(), [&](const Decl *D) {
        const auto *Var = dyn_cast<VarDecl>(D);
        if (Var && isThrough(Var))
          return through(*Var, *Declaration, G, New);
        // That it depends on the number, and how, is asked where it is used.
        return (Var && Var->hasLocalStorage() && Values.isSetOnce(Var) && !mayHaveEffect(Var)) ||
               fail("it does more than to copy", D->getLocation());
      });
    if (const auto *If = dyn_cast<IfStmt>(S))
      return !If->getInit() && !If->getConditionVariable() && !If->isConstexpr() &&
             (G.of(If->getCond()) == Kind::Flat ||
              fail("a condition may hold for some elements of a group and not for others",
                   If->getCond()->getExprLoc())) &&
             statement(If->getThen(), G, New) && statement(If->getElse(), G, New);
    if (const auto *E = dyn_cast<Expr>(S))
      if (const Expr *To = leftHandSide(E); To && referencedVar(To) && isThrough(referencedVar(To)))
        return value(rightHandSide(E), G, New);
    const auto *Copy = find_if(Stores, [&](const TileCopy *Of) { return Of->Store == S; });
    return Copy != Stores.end() ? store(**Copy, G, New)
                                : fail("it does more than to copy", S->getBeginLoc());
  }
  bool isThrough(const VarDecl *Var) const {
    return any_of(Stores, [&](const TileCopy *S) { return S->Staging == Var; });
  }
  /// `float v = 0;`
  bool through(const VarDecl &Var, const DeclStmt &Declaration, GroupValues &G, CopyWidth &New) {
    // Each time that it is named, but in its declaration, it is set, or stored as it is.
    unsigned Named = 0, Known = 0;
    const auto Count = [&](const Stmt *S, auto &Self) -> void {
      if (const auto *Ref = dyn_cast<DeclRefExpr>(S))
        Named += Ref->getDecl() == &Var;
      if (const auto *E = dyn_cast<Expr>(S)) {
        const Expr *To = leftHandSide(E), *Value = rightHandSide(E);
        Known += To && Value && referencedVar(To) == &Var;
        Known += Value && referencedVar(stripNoOps(Value)) == &Var &&
                 any_of(Stores, [&](const TileCopy *Of) { return Of->Store == E; });
      }
      for (const Stmt *Part : S->children())
        if (Part)
          Self(Part, Self);
    };
    Count(C.Loop->getBody(), Count);
    if (!Declaration.isSingleDecl() || Named != Known ||
        uint64_t(Context.getTypeSizeInChars(Var.getType()).getQuantity()) != Out.Bytes)
      return fail("the value goes through a variable that is more than that", Var.getLocation());
    New.Through.push_back(&Var);
    return !beginsWithValue(&Var) ||
           (initialValue(&Var) ? value(initialValue(&Var), G, New)
                               : fail("the value is computed, or no zero", Var.getLocation()));
  }
  bool mayHaveEffect(const VarDecl *Var) const {
    return Var->hasInit() && any_of(M.Facts->Collector->collect(Var->getInit()).Accesses,
                                    [](const Access &A) { return A.Write; });
  }

  bool place(const Expr *E, GroupValues &G, unsigned Bytes, bool MayTest) {
    const uint64_t Size = Context.getTypeSizeInChars(E->getType()).getQuantity();
    if (Size != Out.Bytes || G.ofPlace(E) != Kind::Linear)
      return fail(MayTest ? "neighbours in the tile are not seen to be neighbours in global memory"
                          : "neighbours among the copies are not seen to be neighbours in the tile",
                  E->getExprLoc());
    return G.isAligned(E, Bytes, MayTest) ||
           fail("a group is not seen to be aligned to " + std::to_string(Bytes) + " bytes",
                E->getExprLoc());
  }

  bool store(const TileCopy &Copy, GroupValues &G, CopyWidth &New) {
    const Expr *To = Copy.Destination;
    if (!place(To, G, New.NewBytes, /*MayTest=*/false))
      return false;
    New.Wider.push_back({To, To, true});
    return (Copy.Staging && referencedVar(stripNoOps(Copy.Value)) == Copy.Staging) ||
           value(Copy.Value, G, New);
  }

  /// A load, zero, or a choice of such.
  bool value(const Expr *E, GroupValues &G, CopyWidth &New) {
    if (const ConditionalOperator *Choice = asConditional(stripNoOps(E)))
      return (G.of(Choice->getCond()) == Kind::Flat ||
              fail("a condition may hold for some elements of a group and not for others",
                   Choice->getCond()->getExprLoc())) &&
             value(Choice->getTrueExpr(), G, New) && value(Choice->getFalseExpr(), G, New);
    if (isZeroBits(E, Context)) {
      New.Zeros.push_back(E);
      return true;
    }
    // Conversions between numbers of the element's size and back change nothing.
    const Expr *Load = stripNoOps(E);
    while (const auto *Cast = dyn_cast<CastExpr>(Load)) {
      if (Cast->getCastKind() != CK_IntegralCast)
        break;
      Load = stripNoOps(Cast->getSubExpr());
    }
    if (const auto *Call = dyn_cast<CallExpr>(Load); Call && !Load->isGLValue()) {
      const FunctionDecl *Callee = Call->getDirectCallee();
      const Expr *Of = Callee && Callee->getIdentifier() && Callee->getName() == "__ldg" &&
                               classifyFunction(Callee, Context) == FunctionKind::LoadPointer
                           ? addressedObject(Call->getArg(0))
                           : nullptr;
      if (!Of)
        return fail("the value is computed", E->getExprLoc());
      New.Wider.push_back({Load, E, false});
      return place(Of, G, New.NewBytes, /*MayTest=*/true);
    }
    if (!Load->isGLValue())
      return fail("the value is computed, or no zero", E->getExprLoc());
    New.Wider.push_back({Load, E, false});
    return place(Load, G, New.NewBytes, /*MayTest=*/true);
  }

  bool finish(GroupValues &G, const ThreadNumber::Blocks &Blocks, const Expr *Step,
              CopyWidth &New) {
    New.Tests = G.tests();
    if (!Blocks.Any) {
      New.BlockTest = Blocks.test();
      if (Step && Blocks.Extents[0] && !Blocks.Extents[1] && !Blocks.Extents[2])
        New.Threads = Step;
    }
    Out = std::move(New);
    return true;
  }
};

} // namespace

std::vector<CopyWidth> widthsOf(const TileModel &M, ASTContext &Context, const LaunchShape &Shape,
                                const std::set<SourceLocation> &Seldom) {
  std::vector<CopyWidth> Out;
  const Uniformity U(Context, *M.Facts->Collector, M.Loop->Function);
  const Loops All{M, Context, Shape, U, Seldom};
  for (const auto &C : M.CopyLoops)
    if (C->Loop) {
      CopyWidth W = Widening(All, *C).run();
      if (W.changes() || !W.WhyNot.empty())
        Out.push_back(std::move(W));
    }
  return Out;
}

} // namespace cuda_pipeline
