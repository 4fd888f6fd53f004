//===- Copies.cpp - The stores of the load phase ------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Every store to a tile with its loops, its guard and the memory that its value comes from.
///
//===----------------------------------------------------------------------===//

#include "ModelStep.h"
#include "TileBounds.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <map>

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

class CopyFinder : ModelStep {
public:
  using ModelStep::ModelStep;

  void run() {
    for (const Stmt *S : M.Segments[0])
      if (S == M.Skip)
        ++ConditionDepth; // of all that follows
      else
        copiesIn(S);
    if (M.Copies.empty())
      refuse(Reason::LoadForm, L.Begin, {"no store to a tile was found in it"});
    stagingVars();
    throughArrays();
    otherBuilds();
    clearedFirst(M.Segments[0]);
    // An assignment's right side is evaluated before its left side, a call's arguments are in no
    // order.
    for (const TileCopy &C : M.Copies) {
      // Nothing depends on it where each has what it changes to itself: `*to++ = *from++`.
      SmallVector<const Expr *, 2> Parts = C.Sources;
      Parts.push_back(C.Destination);
      for (const Expr *E : Parts)
        for (const Access &A : collector().collect(E).Accesses)
          if (A.Write && (A.InCallee || any_of(A.Roots, [&](const MemoryRoot &R) {
                            const auto *Var = dyn_cast_or_null<VarDecl>(R.Decl);
                            return (R.In != Space::Local && R.In != Space::Param) || !Var ||
                                   Values->hasOtherNames(Var) ||
                                   any_of(Parts, [&](const Expr *Other) {
                                     return Other != E && mentionedVars(Other).count(Var) != 0;
                                   });
                          })))
            M.AsyncRefusals.push_back({Reason::LoadForm,
                                       A.Loc,
                                       {"an assignment that changes what it is made of"},
                                       {},
                                       "",
                                       C.Store});
    }
    findPieces();
    chooseLeastBlock();
    fetchAhead();
    if (!M.Copies.empty() && nothingIsLoaded())
      refuse(Reason::BarrierShape, M.Barriers[0] ? M.Barriers[0]->getBeginLoc() : L.Begin,
             {"nothing is loaded from global memory before the first barrier"});
  }

private:
  SmallVector<const CopyLoop *, 2> LoopStack;
  /// Those of which it is not known how often they turn, and what they compare by.
  std::vector<std::pair<CopyLoop *, BinaryOperatorKind>> Uncounted;
  unsigned ConditionDepth = 0;

  void copiesIn(const Stmt *S) {
    if (!S)
      return;
    if (const auto *Compound = dyn_cast<CompoundStmt>(S)) {
      for (const Stmt *Child : Compound->body())
        copiesIn(Child);
      return;
    }
    if (const auto *Attributed = dyn_cast<AttributedStmt>(S))
      return copiesIn(Attributed->getSubStmt());
    if (const auto *If = dyn_cast<IfStmt>(S)) {
      ++ConditionDepth;
      copiesIn(If->getThen());
      copiesIn(If->getElse());
      --ConditionDepth;
      return;
    }
    if (const auto *For = dyn_cast<ForStmt>(S)) {
      LoopStack.push_back(copyLoop(For));
      copiesIn(For->getBody());
      LoopStack.pop_back();
      return;
    }
    if (isa<WhileStmt>(S) || isa<DoStmt>(S)) {
      auto Unknown = std::make_unique<CopyLoop>();
      LoopStack.push_back(Unknown.get());
      M.CopyLoops.push_back(std::move(Unknown));
      copiesIn(isa<WhileStmt>(S) ? cast<WhileStmt>(S)->getBody() : cast<DoStmt>(S)->getBody());
      LoopStack.pop_back();
      return;
    }
    if (const auto *E = dyn_cast<Expr>(S))
      return storesIn(E);
    if (isa<DeclStmt>(S) || isa<NullStmt>(S) ||
        (isa<GCCAsmStmt>(S) && !collector().collect(S).writes(Space::Shared)))
      return;
    refuse(Reason::LoadForm, S->getBeginLoc(), {"a statement of this kind"});
  }

  /// An element of another size than cp.async has is copied in pieces, each from the same distance
  /// behind what its two ends begin with; these are named once for each.
  void findPieces() {
    for (TileCopy &C : M.Copies) {
      C.AsyncBytes = C.Bytes;
      if (C.IsFill || C.Converted || C.Bytes == 4 || C.Bytes == 8 || C.Bytes == 16)
        continue;
      uint64_t Align = alignmentOf(C.Destination, Context);
      for (const Expr *Source : C.Sources)
        Align = std::min(Align, alignmentOf(Source, Context));
      if (C.Staging) // a member of what was loaded, at its offset
        Align = std::min(Align, alignmentOf(stripNoOps(C.Value), Context));
      for (uint64_t Piece : {16, 8, 4})
        if (C.Bytes % Piece == 0 && Align >= Piece) {
          C.AsyncBytes = Piece;
          break;
        }
      SmallVector<const Expr *, 2> Ends = C.Sources;
      Ends.push_back(C.Destination);
      for (const Expr *E : Ends)
        for (const Access &A : collector().collect(E).Accesses)
          if (C.AsyncBytes != C.Bytes && A.Write)
            M.AsyncRefusals.push_back({Reason::LoadForm,
                                       A.Loc,
                                       {"a copy in several pieces whose places have a side effect"},
                                       {},
                                       "",
                                       C.Store});
    }
  }

  TileCopy *copyOf(const Stmt *Store) {
    for (TileCopy &C : M.Copies)
      if (C.Store == Store)
        return &C;
    return nullptr;
  }

  /// Elements that are cleared and then stored to under a condition, by one statement right behind
  /// the other.
  template <typename Range> void clearedFirst(const Range &Statements) {
    const Stmt *Before = nullptr;
    for (const Stmt *S : Statements) {
      const auto *If = dyn_cast_or_null<IfStmt>(S);
      TileCopy *Clear = Before ? copyOf(Before) : nullptr;
      TileCopy *Copy = If && !If->getElse() && !If->getInit() && !If->getConditionVariable()
                           ? copyOf(singleStatement(If->getThen()))
                           : nullptr;
      if (Clear && Clear->IsFill && Copy && !Copy->IsFill && !Copy->Converted && !Copy->Ternary &&
          !Copy->Staging && sameExpression(Clear->Destination, Copy->Destination, Context) &&
          mayFollow(Clear, If->getCond()))
        Copy->ClearedBy = Clear->Store;
      Before = S;
      clearedInside(S);
    }
  }
  /// It clears the same element to the same value behind \p Cond, which does not see whether it
  /// has.
  bool mayFollow(const TileCopy *Clear, const Expr *Cond) const {
    const Effects Store = collector().collect(Clear->Store), Before = collector().collect(Cond);
    const bool ClearsAlone = none_of(Store.Accesses, [&](const Access &A) {
      return A.Write &&
             any_of(A.Roots, [&](const MemoryRoot &R) { return R.Decl != Clear->Buffer->Decl; });
    });
    return ClearsAlone && !mayChange(Store, Before) && onlyPureActions(Store);
  }
  void clearedInside(const Stmt *S) {
    if (const auto *Compound = dyn_cast_or_null<CompoundStmt>(S))
      return clearedFirst(Compound->body());
    if (isa_and_nonnull<AttributedStmt, IfStmt, ForStmt, WhileStmt, DoStmt>(S))
      for (const Stmt *Child : S->children())
        if (!isa_and_nonnull<Expr>(Child))
          clearedInside(Child);
  }

  /// \p Body may write what \p Value reads.
  bool mayChange(const Effects &Value, const Effects &Body) const {
    for (const Access &Read : Value.Accesses)
      for (const MemoryRoot &From : Read.Roots)
        for (const Access &A : Body.Accesses)
          for (const MemoryRoot &To : A.Roots) {
            const auto *Var = dyn_cast_or_null<VarDecl>(From.Decl);
            bool Anything =
                !From.Decl ||
                (!To.Decl && (From.In != Space::Local || !Var || Values->hasOtherNames(Var)));
            if (A.Write && (To.Decl == From.Decl || Anything))
              return true;
          }
    return false;
  }

  CopyLoop::Turns turnsOf(const CopyLoop &C, BinaryOperatorKind Compare,
                          const FunctionValues &Of) const {
    CopyLoop::Turns T;
    T.BeginValue = Of.fold(C.Begin);
    T.EndValue = Of.fold(C.End);
    // `min(n, k + TILE) - k`: at most TILE.
    T.EndMost = T.EndValue ? T.EndValue : Of.atMost(C.End);
    if (C.Margin) {
      std::optional<int64_t> Margin = Of.fold(C.Margin);
      // `i + row < N`: each thread adds something, be it nothing.
      if (const std::optional<ValueRange> R = Of.range(C.Margin);
          !Margin && R && R->Lo >= 0 && R->Hi < INT32_MAX / 2) {
        T.EndValue.reset();
        Margin = 0;
      }
      if (!Margin) { // `r + i < min(r + 8, n)`
        T.EndMost = Of.atMostWithout(C.End, C.Margin);
        T.EndValue.reset();
      } else if (*Margin >= 0) {
        for (std::optional<int64_t> *End : {&T.EndValue, &T.EndMost})
          if (*End && **End >= 0 && **End < INT32_MAX)
            **End -= *Margin;
          else
            End->reset();
      } else {
        T.EndValue = T.EndMost = std::nullopt;
      }
    }
    T.StepValue = C.Step ? Of.fold(C.Step) : std::optional<int64_t>(1);
    const std::optional<ValueRange> Step = T.StepValue ? ValueRange{*T.StepValue, *T.StepValue}
                                           : Of.isOfLeastBlocks() ? Of.range(C.Step)
                                                                  : std::nullopt;
    if (Step && !T.StepValue)
      T.StepLeast = Step->Lo;
    if (const std::optional<ValueRange> First = Of.range(C.Begin);
        !T.EndMost && !C.Margin && Compare != BO_NE && Step && Step->Lo > 0 && First)
      if (const std::optional<MostInArray> Last =
              mostInArrays(C.Loop, C.Counter, *First, Step->Hi, Of, Context);
          Last && Last->Value >= 0) {
        T.EndMost = Last->Value + (C.Inclusive ? 0 : 1);
        T.BoundBy = Last->Array;
        T.BoundAt = Last->Element;
      }
    // `for (unsigned char i = 0; i < 250; i += 100)` goes round: what is counted must be what runs.
    const unsigned Bits = Context.getIntWidth(C.Counter->getType()) -
                          (C.Counter->getType()->isSignedIntegerType() ? 1 : 0);
    const bool Fits = T.EndMost && Step && Step->Lo > 0 && *T.EndMost < INT32_MAX &&
                      Step->Hi < INT32_MAX &&
                      (Bits > 31 || *T.EndMost + C.Inclusive + Step->Hi <= (int64_t(1) << Bits) ||
                       C.Counter->getType()->isSpecificBuiltinType(BuiltinType::Int));
    if (!Fits)
      return T;
    int64_t End = *T.EndMost + (C.Inclusive ? 1 : 0);
    std::optional<ValueRange> Start = Of.range(C.Begin);
    if (Start)
      T.LastBegin = Start->Hi;
    if (T.BeginValue && T.EndValue && T.StepValue) {
      int64_t Span = End - *T.BeginValue;
      if (Compare != BO_NE || (Span >= 0 && Span % *T.StepValue == 0)) {
        T.MaxTrips = Span <= 0 ? 0 : divideCeil(Span, *T.StepValue);
        T.ConstantTrips = !C.EndsOtherwise;
      }
    } else if (Start && Start->Lo >= 0 && Compare != BO_NE) {
      int64_t Span = End - Start->Lo;
      T.MaxTrips = Span <= 0 ? 0 : divideCeil(Span, Step->Lo);
    }
    return T;
  }

  /// Of `for (i = threadIdx.x; i < 256; i += blockDim.x)` where nobody says how large blocks are:
  /// few turns in all but small ones, so that the kernel asks for no smaller ones.
  void chooseLeastBlock() {
    if (Uncounted.empty() || Facts->OfBlock)
      return;
    // Bytes of registers per thread. Blocks with more threads than need be have as many, so that
    // small blocks are worth less of them.
    constexpr uint64_t Few = 64, Most = 128;
    for (const BlockTest &Test : leastBlocks()) {
      if (Test.threads() > Values->maxThreads())
        return;
      const FunctionValues Of = Values->inBlocksOfAtLeast(Test);
      std::map<const CopyLoop *, CopyLoop::Turns> Counted;
      for (const auto &[Loop, Compare] : Uncounted)
        if (const CopyLoop::Turns T = turnsOf(*Loop, Compare, Of);
            T.MaxTrips &&
            (Loop->OfAny.MaxTrips ? T.MaxTrips < Loop->OfAny.MaxTrips : T.StepLeast > 1))
          Counted[Loop] = T;
      uint64_t Bytes = 0;
      for (const TileCopy &C : M.Copies)
        if (any_of(C.Loops, [&](const CopyLoop *Loop) { return Counted.count(Loop) != 0; })) {
          uint64_t Times = C.IsFill ? 0 : 1;
          for (const CopyLoop *Loop : C.Loops) {
            const auto At = Counted.find(Loop);
            const CopyLoop::Turns &T = At == Counted.end() ? Loop->OfAny : At->second;
            Times *= std::min(T.MaxTrips.value_or(1), Most);
          }
          Bytes += Times * std::max<uint64_t>(C.Bytes, 4);
        }
      if (Bytes > (Test.threads() == 256 || L.IsTemplate ? Most : Few))
        continue;
      for (const auto &[Loop, Compare] : Uncounted)
        if (const auto At = Counted.find(Loop); At != Counted.end()) {
          Loop->OfBlock = At->second;
          M.LeastBlock = Test;
        }
      return;
    }
  }
  /// Of loops that turn as often as it happens, or too often, the first turns: few registers are
  /// enough to have something under way, and any loop may be short.
  void fetchAhead() {
    constexpr uint64_t Words = 16, Most = 8, Registers = 64;
    const auto IsOpen = [](const CopyLoop *C) {
      return C->turns().MaxTrips.value_or(Registers + 1) > Registers;
    };
    const auto MayBeAhead = [](const ForStmt *For) {
      return For && isa_and_nonnull<DeclStmt>(For->getInit()) && For->getCond() && For->getInc() &&
             !For->getConditionVariable();
    };
    uint64_t Each = 0; // words, with one turn of each of them
    for (const TileCopy &Copy : M.Copies)
      if (!Copy.IsFill && any_of(Copy.Loops, IsOpen)) {
        uint64_t Times = divideCeil(std::max<uint64_t>(Copy.Bytes, 4), 4);
        for (const CopyLoop *Loop : Copy.Loops)
          Times *= IsOpen(Loop) ? 1 : std::max<uint64_t>(1, *Loop->turns().MaxTrips);
        Each += Times;
      }
    const uint64_t OfEach = Each == 0 ? 0 : std::clamp<uint64_t>(Words / Each, 1, Most);
    for (const auto &C : M.CopyLoops)
      for (const TileCopy &Copy : M.Copies) {
        const auto At = find(Copy.Loops, C.get());
        if (At == Copy.Loops.end() || Copy.IsFill || !IsOpen(C.get()) || !MayBeAhead(C->Loop))
          continue;
        // Of two, the inner one has most of them.
        const bool Inner = any_of(make_range(Copy.Loops.begin(), At), IsOpen),
                   Outer = any_of(make_range(At + 1, Copy.Loops.end()), IsOpen);
        const uint64_t Turns = Inner && Outer ? 1
                               : Inner        ? std::min<uint64_t>(OfEach, 4)
                               : Outer        ? std::max<uint64_t>(1, OfEach / 4)
                                              : OfEach;
        C->Ahead = C->Ahead ? std::min(C->Ahead, unsigned(Turns)) : unsigned(Turns);
      }
  }

  /// What the kernel may ask for, the smallest first: of the extents that the copy loops step by.
  std::vector<BlockTest> leastBlocks() const {
    unsigned All = 0;
    bool Products = false;
    for (const auto &[Loop, Compare] : Uncounted)
      if (const unsigned Extents = extentsUnder(Loop->OfAny.MaxTrips ? Loop->End : Loop->Step)) {
        Products |= !isPowerOf2_32(Extents);
        All |= Extents;
      }
    std::vector<BlockTest> Tests;
    if (All == 0)
      return Tests;
    using Kind = BlockTest::Kind;
    for (unsigned Rows : {4, 8, 16})
      if (All == 1)
        Tests.push_back({Kind::AtLeast, {16 * Rows, 1, 1}});
      else if (All == 7)
        Tests.push_back({Kind::ThreadsLeast, {4 * Rows, 2, 2}});
      else if (All == 3)
        Tests.push_back({Products ? Kind::ThreadsLeast : Kind::AtLeast,
                         {Rows == 4 ? 8u : 16u, Rows == 16 ? 16u : 8u, 1}});
      else if (All == 2)
        Tests.push_back({Kind::AtLeast, {1, Rows, 1}});
    // All instantiations ask the same.
    if (L.IsTemplate && !Tests.empty())
      Tests = {Tests[1]};
    return Tests;
  }
  /// FunctionValues::extentsIn, of a part of \p E: `4 * blockDim.x`, `blockDim.x - 32`.
  unsigned extentsUnder(const Expr *E, unsigned Depth = 0) const {
    if (!E)
      return 0;
    if (const unsigned All = Values->extentsIn(E))
      return All;
    E = E->IgnoreParenImpCasts();
    if (Depth > 8)
      return 0;
    if (const VarDecl *Var = referencedVar(E))
      return Values->isSetOnce(Var) ? extentsUnder(Var->getInit(), Depth + 1) : 0;
    const auto *Op = dyn_cast<BinaryOperator>(E);
    return Op ? extentsUnder(Op->getLHS(), Depth + 1) | extentsUnder(Op->getRHS(), Depth + 1) : 0;
  }

  /// The comparisons of which all must hold. \p Others: something else must, too.
  static void conjuncts(const Expr *E, SmallVectorImpl<const BinaryOperator *> &Out, bool &Others) {
    const auto *Op = dyn_cast<BinaryOperator>(E->IgnoreParenImpCasts());
    if (Op && Op->getOpcode() == BO_LAnd) {
      conjuncts(Op->getLHS(), Out, Others);
      conjuncts(Op->getRHS(), Out, Others);
    } else if (Op && Op->isComparisonOp()) {
      Out.push_back(Op);
    } else {
      Others = true;
    }
  }

  const CopyLoop *copyLoop(const ForStmt *For) {
    auto C = std::make_unique<CopyLoop>();
    C->Loop = For;
    auto Finish = [&]() -> const CopyLoop * {
      M.CopyLoops.push_back(std::move(C));
      return M.CopyLoops.back().get();
    };
    const auto *Init = dyn_cast_or_null<DeclStmt>(For->getInit());
    if (!Init || !Init->isSingleDecl() || !For->getCond() || !For->getInc())
      return Finish();
    const auto *Counter = dyn_cast<VarDecl>(Init->getSingleDecl());
    if (!Counter || !Counter->hasInit() || !Counter->getType()->isIntegerType())
      return Finish();
    const BinaryOperator *Cond = nullptr;
    // `offset + stride <= rows`
    const auto CountsBy = [&](const BinaryOperator *Op) {
      const Expr *Compared = Op->getLHS();
      const Expr *Margin = nullptr;
      if (const auto *Sum = dyn_cast<BinaryOperator>(Compared->IgnoreParenImpCasts());
          Sum && Sum->getOpcode() == BO_Add && Op->getOpcode() != BO_NE) {
        bool Left = referencedVar(Sum->getLHS()) == Counter;
        Compared = Left ? Sum->getLHS() : Sum->getRHS();
        Margin = Left ? Sum->getRHS() : Sum->getLHS();
      }
      if (referencedVar(Compared) != Counter ||
          !(Op->getOpcode() == BO_LT || Op->getOpcode() == BO_LE || Op->getOpcode() == BO_NE))
        return false;
      C->Margin = Margin;
      return true;
    };
    // Of `i < 64 && k + i < n` the part that is a number counts the turns.
    SmallVector<const BinaryOperator *, 4> Parts;
    conjuncts(For->getCond(), Parts, C->EndsOtherwise);
    C->EndsOtherwise |= Parts.size() > 1;
    for (const BinaryOperator *Part : Parts)
      if (CountsBy(Part)) {
        Cond = Part;
        if (Values->atMost(Part->getRHS()))
          break;
      }
    if (!Cond)
      return Finish();
    CountsBy(Cond);
    const Expr *Inc = For->getInc()->IgnoreParenImpCasts();
    const Expr *Step = nullptr;
    bool GoodStep = false;
    if (const auto *Unary = dyn_cast<UnaryOperator>(Inc)) {
      GoodStep = Unary->isIncrementOp() && referencedVar(Unary->getSubExpr()) == Counter;
    } else if (const auto *Assign = dyn_cast<BinaryOperator>(Inc);
               Assign && referencedVar(Assign->getLHS()) == Counter) {
      if (Assign->getOpcode() == BO_AddAssign) {
        Step = Assign->getRHS();
        GoodStep = true;
      } else if (Assign->getOpcode() == BO_Assign) {
        const auto *Sum = dyn_cast<BinaryOperator>(Assign->getRHS()->IgnoreParenImpCasts());
        if (Sum && Sum->getOpcode() == BO_Add && referencedVar(Sum->getLHS()) == Counter) {
          Step = Sum->getRHS();
          GoodStep = true;
        }
      }
    }
    const Effects Body = collector().collect(For->getBody());
    if (!GoodStep || writtenVars(Body).count(Counter) || Values->hasOtherNames(Counter))
      return Finish();
    // Each turn computes the start again.
    if (!Values->fold(Counter->getInit()) &&
        mayChange(collector().collect(Counter->getInit()), Body))
      return Finish();
    C->Counter = Counter;
    C->Begin = initialValue(Counter);
    C->End = Cond->getRHS();
    C->Step = Step;
    C->Inclusive = Cond->getOpcode() == BO_LE;
    C->OfAny = turnsOf(*C, Cond->getOpcode(), *Values);
    // `(64 + blockDim.y - 1) / blockDim.y` turns are as many as a block of one row would take.
    constexpr uint64_t Many = 8;
    const bool Few = C->OfAny.MaxTrips && (C->OfAny.ConstantTrips || *C->OfAny.MaxTrips <= Many ||
                                           extentsUnder(C->End) == 0);
    if (!Few && Facts->OfBlock) {
      C->OfBlock = turnsOf(*C, Cond->getOpcode(), *Facts->OfBlock);
      if (!C->OfBlock->MaxTrips)
        C->OfBlock.reset();
    } else if (!Few) {
      C->BlockWouldHelp =
          L.IsKernel &&
          turnsOf(*C, Cond->getOpcode(), Values->inBlocksOf({256, 1, 1})).MaxTrips.has_value();
      Uncounted.push_back({C.get(), Cond->getOpcode()});
    }
    return Finish();
  }

  /// What copies the members has a body, and another instantiation another one; so has another
  /// class of the name.
  bool mayBeAnother(const CXXMethodDecl *Assignment, QualType Element) const {
    return !Assignment->isTrivial() && !isCudaNumber(Assignment->getParent()) &&
           (M.Loop->IsTemplate || others().has(Element));
  }

  void storesIn(const Expr *E) {
    Effects Eff = collector().collect(E);
    if (!Eff.writes(Space::Shared))
      return;
    const Expr *LHS = nullptr, *RHS = nullptr;
    const bool Assigns = matchAssignment(E, LHS, RHS);
    // An atomic operation stays where it is, and copies nothing.
    if ((!Assigns || !collector().collect(LHS).writes(Space::Shared)) && onlyUpdates(Eff) &&
        (!Assigns || none_of(collector().rootsOf(LHS),
                             [](const MemoryRoot &R) { return R.In == Space::Shared; })))
      return;
    if (!Assigns)
      return refuse(Reason::LoadForm, E->getExprLoc(), {"this store is not a plain assignment"});
    if (const auto *Call = dyn_cast<CXXOperatorCallExpr>(E->IgnoreParens()->IgnoreImplicit()))
      if (const auto *Callee = dyn_cast_or_null<CXXMethodDecl>(Call->getDirectCallee());
          !Callee || ((!isTrivialAssignment(Callee) || mayBeAnother(Callee, LHS->getType()) ||
                       mayBeAnother(Callee, RHS->getType())) &&
                      !Context.getSourceManager().isInSystemHeader(Callee->getLocation())))
        return refuse(Reason::LoadForm, E->getExprLoc(),
                      {"the tile's elements have an assignment operator of their own"});
    Effects Right = collector().collect(RHS);
    if (Right.writes(Space::Shared) && !onlyUpdates(Right))
      return refuse(Reason::LoadForm, E->getExprLoc(), {"several stores in one statement"});
    RootSet Roots = collector().rootsOf(LHS);
    TileCopy C;
    C.Buffer = Roots.size() == 1 ? bufferOf(Roots.begin()->Decl) : nullptr;
    if (!C.Buffer)
      return refuse(Reason::LoadForm, E->getExprLoc(),
                    {"it is not clear which array this store goes to"});
    C.Store = E;
    C.Destination = LHS;
    C.Value = RHS;
    C.Bytes = Context.getTypeSizeInChars(LHS->getType()).getQuantity();
    C.Guard = ConditionDepth ? GuardKind::Other : GuardKind::None;
    C.Loops = LoopStack;
    classifyValue(C);
    // An assignment of the class's own may be another one in another build.
    if (const CXXRecordDecl *Record = LHS->getType()->getAsCXXRecordDecl();
        Record && !isCudaNumber(Record) && !LHS->getType().isTriviallyCopyableType(Context))
      C.Converted = true;
    C.Converted |= Right.writes(Space::Shared);
    M.Copies.push_back(std::move(C));
  }

  /// What \p Does writes of shared memory atomic operations write.
  static bool onlyUpdates(const Effects &Does) {
    return all_of(Does.Accesses, [&](const Access &Of) {
      return !Of.Write || !Of.mayTouch(Space::Shared) || any_of(Does.Actions, [&](const Action &A) {
        const auto *Call = dyn_cast_or_null<CallExpr>(A.Where);
        return A.Function == FunctionKind::Atomic && !A.InCallee && !Of.InCallee && Call &&
               Call->getNumArgs() > 0 && Call->getArg(0) == Of.Where;
      });
    });
  }

  /// The tiles are filled with what threads have at hand: there is nothing that could run ahead.
  bool nothingIsLoaded() const {
    Effects Load;
    for (const Stmt *S : M.Segments[0])
      Load.append(collector().collect(S));
    return all_of(M.Copies, [](const TileCopy &C) { return C.IsFill; }) && !readsLoadable(Load);
  }

  /// \p Outer is the load with the casts and parentheses around it.
  void setSource(TileCopy &C, const Expr *Outer, const Expr *Load) {
    C.SourceAccess = Outer;
    C.Sources = {Outer};
    // What a function returns has no place in memory; and `&row[j]` is not that of the element.
    const auto *Call = dyn_cast<CallExpr>(Load);
    if (!copiesBytes(Load->getType(), Context) || loadingCall(Load) ||
        (Call && isa_and_nonnull<CXXConversionDecl>(Call->getDirectCallee())))
      C.Converted = true;
    RootSet Roots = loadRoots(Load);
    C.SourceIsGlobal =
        !Roots.empty() && all_of(Roots, [](const MemoryRoot &R) { return R.In == Space::Global; });
    C.SourceRoot = Roots.size() == 1 ? Roots.begin()->Decl : nullptr;
    if (!haveSameBytes(Load->getType(), C.Destination->getType()) || Load->refersToBitField() ||
        C.Destination->refersToBitField())
      C.Converted = true;
  }

  /// A conversion from the one to the other leaves every byte as it is: between integers of one
  /// size, in every build.
  bool haveSameBytes(QualType A, QualType B) const {
    const auto IsInteger = [&](QualType T) {
      return T->isIntegralOrEnumerationType() && !T->isBooleanType() && !T->isBitIntType() &&
             !others().has(T);
    };
    return Context.hasSameUnqualifiedType(A, B) ||
           (IsInteger(A) && IsInteger(B) && Context.getTypeSize(A) == Context.getTypeSize(B));
  }
  /// \p E without conversions of that kind.
  const Expr *beforeSameBytes(const Expr *E) const {
    while (true) {
      const auto *Cast = dyn_cast<CastExpr>(stripNoOps(E));
      if (!Cast || Cast->getCastKind() != CK_IntegralCast ||
          !haveSameBytes(Cast->getType(), Cast->getSubExpr()->getType()))
        return E;
      E = Cast->getSubExpr();
    }
  }

  void classifyValue(TileCopy &C) {
    const Expr *V = stripNoOps(C.Value);
    const Expr *Whole = beforeSameBytes(C.Value);
    if (const Expr *Load = asGlobalLoad(stripNoOps(Whole)))
      return setSource(C, Whole, Load);
    if (std::optional<GuardedLoad> G = asGuardedLoad(V); G && G->Arms.size() == 1) {
      C.Ternary = asConditional(V);
      return setSource(C, G->Arms.front(), armLoad(G->Arms.front()));
    }
    // A local variable, or a component of one.
    if (const auto *Ref = dyn_cast<DeclRefExpr>(objectOf(V)))
      if (const auto *Var = dyn_cast<VarDecl>(Ref->getDecl()); Var && Var->hasLocalStorage() &&
                                                               !isa<ParmVarDecl>(Var) &&
                                                               !Var->getType()->isReferenceType()) {
        C.Staging = Var;
        if (!Context.hasSameUnqualifiedType(V->getType(), C.Destination->getType()))
          C.Converted = true;
        return;
      }
    if (!hasLoads(C.Value) &&
        none_of(mentionedVars(C.Value), [&](const VarDecl *V) { return madeOfLoads(V); })) {
      C.IsFill = true;
      return;
    }
    C.Converted = true;
    // `float4 r[2]; r[0] = A[i]; tile[j] = r[0];`
    if (V->isGLValue() && Context.hasSameUnqualifiedType(V->getType(), C.Destination->getType()))
      if (const RootSet Roots = collector().rootsOf(V);
          Roots.size() == 1 && Roots.begin()->In == Space::Local)
        C.Through = dyn_cast_or_null<VarDecl>(Roots.begin()->Decl);
  }

  //===-- Through an array ------------------------------------------------===//

  /// A statement of the load phase, with the loops that it is in.
  struct InLoops {
    const Expr *Statement;
    size_t Top; ///< of segment 0
    SmallVector<const CopyLoop *, 2> Loops;
    bool Conditional; ///< or in a loop of another kind
  };

  void findInLoops(const Stmt *S, InLoops Path, std::vector<InLoops> &Out) const {
    if (!S)
      return;
    if (const auto *E = dyn_cast<Expr>(S)) {
      Path.Statement = E;
      Out.push_back(std::move(Path));
      return;
    }
    const CopyLoop *Loop = nullptr;
    if (const auto *For = dyn_cast<ForStmt>(S)) {
      for (const auto &C : M.CopyLoops)
        if (C->Loop == For)
          Loop = C.get();
      if (Loop && Loop->OfAny.ConstantTrips && Loop->OfAny.BeginValue && Loop->OfAny.StepValue)
        Path.Loops.push_back(Loop);
      else
        Path.Conditional = true;
      return findInLoops(For->getBody(), Path, Out);
    }
    Path.Conditional |= !isa<CompoundStmt, AttributedStmt>(S);
    if (!isa<DeclStmt>(S))
      for (const Stmt *Child : S->children())
        findInLoops(Child, Path, Out);
  }

  /// `for (int j = 0; j < 4; ++j)`: the same words, and so the same in each instantiation and
  /// build.
  bool haveSameHeader(const CopyLoop *A, const CopyLoop *B) const {
    const auto Words = [&](const CopyLoop *C) {
      const SourceManager &SM = Context.getSourceManager();
      const SourceLocation From = C->Loop->getForLoc(), To = C->Loop->getRParenLoc();
      std::string Text;
      if (!From.isMacroID() && !To.isMacroID() && isInMainFile(SM, From))
        for (char Char : mainFileText(Context).slice(SM.getFileOffset(From), SM.getFileOffset(To)))
          if (!isspace(static_cast<unsigned char>(Char)))
            Text += Char;
      return Text;
    };
    const std::string Text = Words(A);
    return !Text.empty() && Text == Words(B) && !A->EndsOtherwise &&
           A->OfAny.BeginValue == B->OfAny.BeginValue && A->OfAny.StepValue == B->OfAny.StepValue &&
           A->OfAny.MaxTrips == B->OfAny.MaxTrips;
  }

  using Counters = DeclMap<VarDecl, int64_t>;

  int64_t sizeOf(QualType T) const { return Context.getTypeSizeInChars(T).getQuantity(); }

  /// Small and not negative, so that every type of C++ has it.
  std::optional<int64_t> indexAt(const Expr *E, const Counters &At) const {
    const auto Fit = [](int64_t N) {
      return N >= 0 && N <= 65536 ? std::optional(N) : std::nullopt;
    };
    E = E->IgnoreParenImpCasts();
    if (const std::optional<int64_t> N = Values->fold(E))
      return Fit(*N);
    if (const VarDecl *Var = referencedVar(E)) {
      const auto Known = At.find(Var);
      return Known != At.end() ? Fit(Known->second) : std::nullopt;
    }
    const auto *Op = dyn_cast<BinaryOperator>(E);
    const std::optional<int64_t> L = Op ? indexAt(Op->getLHS(), At) : std::nullopt,
                                 R = L ? indexAt(Op->getRHS(), At) : std::nullopt;
    if (!R)
      return std::nullopt;
    switch (Op->getOpcode()) {
    case BO_Add:
      return Fit(*L + *R);
    case BO_Sub:
      return Fit(*L - *R);
    case BO_Mul:
      return Fit(*L * *R);
    case BO_Div:
      return *R ? Fit(*L / *R) : std::nullopt;
    case BO_Rem:
      return *R ? Fit(*L % *R) : std::nullopt;
    case BO_And:
      return Fit(*L & *R);
    case BO_Xor:
      return Fit(*L ^ *R);
    default:
      return std::nullopt;
    }
  }

  /// How many bytes behind the beginning of the variable \p Of the lvalue \p E is.
  std::optional<int64_t> placeIn(const VarDecl *Of, const Expr *E, const Counters &At) const {
    E = E->IgnoreParens();
    if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
      return Ref->getDecl() == Of ? std::optional<int64_t>(0) : std::nullopt;
    if (const auto *Cast = dyn_cast<ImplicitCastExpr>(E); Cast && Cast->getCastKind() == CK_NoOp)
      return placeIn(Of, Cast->getSubExpr(), At);
    if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(E))
      return movedBy(pointedIn(Of, Sub->getBase(), At), Sub->getIdx(), Sub->getType(), At);
    if (const auto *Deref = dyn_cast<UnaryOperator>(E); Deref && Deref->getOpcode() == UO_Deref)
      return pointedIn(Of, Deref->getSubExpr(), At);
    return std::nullopt;
  }
  std::optional<int64_t> pointedIn(const VarDecl *Of, const Expr *Pointer,
                                   const Counters &At) const {
    Pointer = Pointer->IgnoreParens();
    if (const auto *Cast = dyn_cast<CastExpr>(Pointer)) {
      if (Cast->getCastKind() == CK_ArrayToPointerDecay)
        return placeIn(Of, Cast->getSubExpr(), At);
      if (Cast->getCastKind() == CK_BitCast || Cast->getCastKind() == CK_NoOp)
        return pointedIn(Of, Cast->getSubExpr(), At);
      return std::nullopt;
    }
    if (const auto *Op = dyn_cast<UnaryOperator>(Pointer); Op && Op->getOpcode() == UO_AddrOf)
      return placeIn(Of, Op->getSubExpr(), At);
    if (const auto *Sum = dyn_cast<BinaryOperator>(Pointer);
        Sum && Sum->getOpcode() == BO_Add && Sum->getLHS()->getType()->isPointerType())
      return movedBy(pointedIn(Of, Sum->getLHS(), At), Sum->getRHS(),
                     Sum->getType()->getPointeeType(), At);
    return std::nullopt;
  }
  std::optional<int64_t> movedBy(std::optional<int64_t> Base, const Expr *Index, QualType T,
                                 const Counters &At) const {
    const std::optional<int64_t> By = Base ? indexAt(Index, At) : std::nullopt;
    return By ? std::optional(*Base + *By * sizeOf(T)) : std::nullopt;
  }

  /// The places of \p E in \p Of in the turns of its loops, in their order; nothing where one is
  /// not known, or there are too many.
  std::optional<std::vector<int64_t>> placesOf(const VarDecl *Of, const Expr *E,
                                               const InLoops &At) const {
    std::vector<Counters> Turns = {{}};
    for (const CopyLoop *Loop : At.Loops) {
      const CopyLoop::Turns &T = Loop->OfAny;
      if (*T.MaxTrips * Turns.size() > 256)
        return std::nullopt;
      std::vector<Counters> Next;
      for (const Counters &Outer : Turns)
        for (uint64_t Turn = 0; Turn < *T.MaxTrips; ++Turn) {
          Next.push_back(Outer);
          Next.back()[Loop->Counter] = *T.BeginValue + int64_t(Turn) * *T.StepValue;
        }
      Turns = std::move(Next);
    }
    std::vector<int64_t> Places;
    for (const Counters &Turn : Turns)
      if (const std::optional<int64_t> Place = placeIn(Of, E, Turn))
        Places.push_back(*Place);
      else
        return std::nullopt;
    return Places;
  }

  /// What the destination of \p Store is, said where \p Load stands: nothing that it is made of is
  /// set or declared in between, and no name means something else there.
  bool meansTheSameAt(const InLoops &Load, const InLoops &Store) const {
    const Expr *To = leftHandSide(Store.Statement);
    const Effects Place = collector().collect(To);
    if (!onlyPureActions(Place) || any_of(Place.Accesses, [](const Access &A) {
          return A.Write || A.Volatile ||
                 (A.Read && any_of(A.Roots, [](const MemoryRoot &R) {
                    return R.In != Space::Local && R.In != Space::Param && R.In != Space::Constant;
                  }));
        }))
      return false;
    VarSet Counters, Reads = mentionedVars(To), Written, Declared;
    insertReads(Reads, Place);
    for (const CopyLoop *Loop : Store.Loops)
      Counters.insert(Loop->Counter);
    struct Declarations : ConstDynamicRecursiveASTVisitor {
      std::vector<const NamedDecl *> All;
      bool VisitDeclStmt(const DeclStmt *S) override {
        for (const Decl *D : S->decls())
          if (const auto *Named = dyn_cast<NamedDecl>(D))
            All.push_back(Named);
        return true;
      }
    } V;
    for (size_t I = Load.Top; I <= Store.Top; ++I) {
      Written.merge(writtenVars(collector().collect(M.Segments[0][I])));
      V.TraverseStmt(M.Segments[0][I]);
    }
    const std::optional<TextRange> Text = textRange(To->getSourceRange(), Context);
    if (!Text)
      return false;
    const std::set<std::string> Names = Facts->Function->Names->in(*Text);
    for (const NamedDecl *D : V.All) {
      if (const auto *Var = dyn_cast<VarDecl>(D)) {
        Declared.insert(Var);
        if (is_contained(Counters, Var) ||
            any_of(Load.Loops, [&](const CopyLoop *Loop) { return Loop->Counter == Var; }))
          continue;
      }
      if (Names.count(D->getNameAsString()))
        return false;
    }
    return all_of(Reads, [&](const VarDecl *Var) {
      return Counters.count(Var) || (!Written.count(Var) && !Declared.count(Var));
    });
  }

  /// Pairs each store from a register array with the load that it has the bytes of.
  void throughArrays() {
    std::vector<InLoops> All;
    for (size_t I = 0; I < M.Segments[0].size(); ++I)
      findInLoops(M.Segments[0][I], {nullptr, I, {}, false}, All);
    VarSet Arrays;
    for (const TileCopy &C : M.Copies)
      if (C.Through)
        Arrays.insert(C.Through);
    for (const VarDecl *Array : Arrays)
      throughArray(Array, All);
  }

  void throughArray(const VarDecl *Array, ArrayRef<InLoops> All) {
    if (!Array->hasLocalStorage() || isa<ParmVarDecl>(Array) ||
        Array->getType()->isReferenceType() || !Array->getType()->isConstantArrayType() ||
        (Array->hasInit() && !leavesUnset(Array->getInit())))
      return;
    struct End {
      const InLoops *At;
      const Expr *Access;
      TileCopy *Copy; ///< of a store
      std::vector<int64_t> Places;
    };
    std::vector<End> Loads, Stores;
    for (const InLoops &At : All) {
      if (!mentionedVars(At.Statement).count(Array))
        continue;
      const Expr *To = leftHandSide(At.Statement), *Value = rightHandSide(At.Statement);
      TileCopy *Copy = copyOf(At.Statement);
      if (!To || !Value || At.Conditional || countMentions(Array, {At.Statement}) != 1)
        return;
      const Expr *Access = Copy ? stripNoOps(Copy->Value) : To;
      if (Copy ? Copy->Through != Array : globalLvalue(Value) == nullptr)
        return;
      const auto Places = placesOf(Array, Access, At);
      if (!Places)
        return;
      (Copy ? Stores : Loads).push_back({&At, Access, Copy, *Places});
    }
    // Nobody else has seen the array.
    if (Loads.size() != Stores.size() ||
        countMentions(Array, {L.Function->getBody()}) != Loads.size() + Stores.size())
      return;
    // No two loads set the same byte.
    std::map<int64_t, int64_t> Set;
    for (const End &Load : Loads)
      for (int64_t At : Load.Places)
        if (!Set.insert({At, At + sizeOf(Load.Access->getType())}).second)
          return;
    int64_t Behind = 0;
    for (auto [Begin, End] : Set) {
      if (Begin < Behind || End > sizeOf(Array->getType()))
        return;
      Behind = End;
    }
    std::vector<std::pair<const End *, const End *>> Pairs;
    for (const End &Store : Stores) {
      const auto Load = find_if(Loads, [&](const End &Of) { return Of.Places == Store.Places; });
      if (Load == Loads.end() || Load->At->Top > Store.At->Top ||
          !Context.getSourceManager().isBeforeInTranslationUnit(
              Load->At->Statement->getBeginLoc(), Store.At->Statement->getBeginLoc()) ||
          Load->At->Loops.size() != Store.At->Loops.size() ||
          !Context.hasSameUnqualifiedType(Load->Access->getType(), Store.Access->getType()) ||
          !Context.hasSameUnqualifiedType(
              globalLvalue(rightHandSide(Load->At->Statement))->getType(), Load->Access->getType()))
        return;
      for (size_t I = 0; I < Load->At->Loops.size(); ++I)
        if (!haveSameHeader(Load->At->Loops[I], Store.At->Loops[I]))
          return;
      if (!meansTheSameAt(*Load->At, *Store.At))
        return;
      Pairs.push_back({&*Load, &Store});
    }
    for (auto [Load, Store] : Pairs) {
      TileCopy &C = *Store->Copy;
      C.Converted = false;
      C.LoadedBy = Load->At->Statement;
      const Expr *Value = rightHandSide(Load->At->Statement);
      setSource(C, Value, globalLvalue(Value));
      C.Loops = Load->At->Loops;
    }
  }

  /// What a macro, or a cast, leaves alone here it may convert in another build, where cp.async
  /// would copy past it.
  void otherBuilds() {
    for (TileCopy &C : M.Copies) {
      if (C.IsFill || C.Converted)
        continue;
      SmallVector<const Expr *, 4> Ends(C.Sources.begin(), C.Sources.end());
      Ends.append({C.Destination, C.Value});
      if (C.LoadedBy)
        Ends.push_back(leftHandSide(C.LoadedBy));
      for (const Expr *E : Ends) {
        if (!C.MayConvert.empty())
          break;
        if (const std::string Macro = others().macroAround(stripNoOps(E)); !Macro.empty())
          C.MayConvert = "'" + Macro + "', a macro";
        else if (const std::string Type = castInOtherBuilds(E); !Type.empty())
          C.MayConvert = "a cast to '" + Type + "',";
      }
      C.Converted = !C.MayConvert.empty();
    }
  }
  /// The type of a cast around \p E that another build may define otherwise; empty: there is none.
  std::string castInOtherBuilds(const Expr *E) const {
    while (true) {
      E = E->IgnoreParens();
      if (const auto *Said = dyn_cast<ExplicitCastExpr>(E);
          Said &&
          (others().hasMacro(Said->getBeginLoc()) || others().has(Said->getTypeAsWritten())))
        return QualType(Said->getTypeAsWritten()).getAsString();
      if (const auto *Cast = dyn_cast<CastExpr>(E))
        E = Cast->getSubExpr();
      else if (const auto *Full = dyn_cast<FullExpr>(E))
        E = Full->getSubExpr();
      else if (const auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(E))
        E = Temporary->getSubExpr();
      else
        return "";
    }
  }

  /// What a staging variable is given.
  struct Definitions {
    SmallVector<const Expr *, 2> Loads;
    const Expr *Fill = nullptr; ///< one constant, however often
    bool AllFills = true;       ///< nothing is ever loaded
    unsigned Assignments = 0;   ///< without the declaration's
    bool Plain = true;          ///< a pointer to what is loaded, or null for the fill, says as much
  };

  bool isExpression(const VarDecl *V, const Expr *Value) const {
    const std::optional<InitialWords> Words = Value == V->getInit()
                                                  ? initialWords(V, Context)
                                                  : InitialWords{InitialWords::Expression, {}};
    return Words && Words->Form == InitialWords::Expression;
  }

  void define(Definitions &D, const VarDecl *V, const Expr *Value) const {
    D.AllFills &= !hasLoads(Value);
    if (const Expr *Load = globalLvalue(Value);
        Load && Context.hasSameUnqualifiedType(Load->getType(), V->getType()))
      return D.Loads.push_back(Load);
    if (const ConditionalOperator *Cond =
            hasLoads(Value) ? asConditional(stripNoOps(Value)) : nullptr;
        Cond && !hasLoads(Cond->getCond()) && mentionsNoStaging(Cond->getCond())) {
      define(D, V, Cond->getTrueExpr());
      return define(D, V, Cond->getFalseExpr());
    }
    // The words of a declaration say nothing by themselves: `{1}` of `T v{1};`.
    const bool Same = !D.Fill || (isExpression(V, D.Fill) && isExpression(V, Value) &&
                                  textOf(D.Fill, Context) == textOf(Value, Context));
    D.Plain &= Same && isConstantFill(Value) && canBeSaid(Value, V);
    D.Fill = Value;
  }

  /// For cp.async a staging variable becomes a pointer to what it was loaded from: every assignment
  /// to it must be a plain load of the whole variable or the fill, and only copies may use it.
  void stagingVars() {
    VarSet Staging;
    for (TileCopy &C : M.Copies)
      if (C.Staging)
        Staging.insert(C.Staging);
    for (const VarDecl *V : Staging) {
      Definitions D;
      for (const Stmt *S : M.Segments[0])
        forEachLeaf(S, [&](const Stmt *Leaf) {
          if (const auto *Decl = dyn_cast<DeclStmt>(Leaf)) {
            for (const clang::Decl *Declared : Decl->decls())
              if (Declared == V && V->hasInit() && !leavesUnset(V->getInit()))
                define(D, V, V->getInit());
            return;
          }
          const Expr *LHS = nullptr, *RHS = nullptr;
          Effects E = collector().collect(Leaf);
          if (!writtenVars(E).count(V))
            return;
          if (isa<Expr>(Leaf) && matchAssignment(cast<Expr>(Leaf), LHS, RHS) &&
              referencedVar(LHS) == V) {
            define(D, V, RHS);
            ++D.Assignments;
          } else
            D.Plain = false;
        });
      // Other uses than as the value of a copy, also in conditions.
      unsigned Uses = 0, CopyUses = 0;
      for (const Stmt *S : M.Segments[0])
        for (const Access &A : collector().collect(S).Accesses)
          Uses += A.Read && A.touches(V);
      for (const TileCopy &C : M.Copies)
        CopyUses += C.Staging == V;
      D.Plain &= countMentions(V, M.Segments[0]) == D.Assignments + CopyUses; // `sizeof(v)`
      // The variable itself gets no value any more: nobody else may want it.
      if (!DeclaredInBody.count(V) && usedOutsideOfLoop(V))
        D.Plain = false;
      const bool NothingLoaded = D.AllFills && D.Loads.empty() && !madeOfLoads(V);
      for (TileCopy &C : M.Copies) {
        if (C.Staging != V)
          continue;
        if (!NothingLoaded && !definedBefore(V, C.Store)) {
          C.Converted = true;
          continue;
        }
        if (NothingLoaded) {
          C.Staging = nullptr;
          C.IsFill = true;
          continue;
        }
        if (!D.Plain || D.Loads.empty() || Uses != CopyUses) {
          C.Converted = true;
          continue;
        }
        RootSet Roots;
        for (const Expr *Load : D.Loads)
          Roots.merge(loadRoots(Load));
        C.SourceAccess = D.Loads.back();
        C.Sources = D.Loads;
        C.StagingFill = D.Fill;
        C.SourceIsGlobal = all_of(Roots, [](const MemoryRoot &R) { return R.In == Space::Global; });
        C.SourceRoot = Roots.size() == 1 ? Roots.begin()->Decl : nullptr;
      }
    }
  }

  /// On every way to \p Use in this iteration the variable is assigned first: by a statement of the
  /// same block or of one around it.
  bool definedBefore(const VarDecl *V, const Expr *Use) const {
    struct Walker {
      const CopyFinder &B;
      const VarDecl *V;
      const Expr *Use;
      bool Result = false;
      /// Returns true when the use was reached. \p Defined: on the way to here.
      bool walk(const Stmt *S, bool &Defined) {
        if (!S)
          return false;
        if (S == Use) {
          Result = Defined;
          return true;
        }
        if (isa<CompoundStmt>(S)) {
          for (const Stmt *Child : S->children())
            if (walk(Child, Defined))
              return true;
          return false;
        }
        if (const auto *If = dyn_cast<IfStmt>(S); If && If->getElse()) {
          bool Then = Defined, Else = Defined;
          if (walk(If->getThen(), Then) || walk(If->getElse(), Else))
            return true;
          Defined = Then && Else;
          return false;
        }
        bool Control = isa<IfStmt>(S) || isa<ForStmt>(S) || isa<WhileStmt>(S) || isa<DoStmt>(S) ||
                       isa<AttributedStmt>(S) || isa<SwitchStmt>(S);
        if (Control) {
          for (const Stmt *Child : S->children()) {
            bool Inner = Defined;
            if (walk(Child, Inner))
              return true;
          }
          return false;
        }
        if (const auto *Decl = dyn_cast<DeclStmt>(S)) {
          for (const clang::Decl *D : Decl->decls())
            if (D == V)
              Defined = V->hasInit() && !leavesUnset(V->getInit());
          return false;
        }
        if (writtenVars(B.collector().collect(S)).count(V))
          Defined = true;
        return false;
      }
    } W{*this, V, Use};
    bool Defined = false;
    for (const Stmt *S : M.Segments[0])
      if (W.walk(S, Defined))
        break;
    return W.Result;
  }

  /// Named anywhere in the function but in segment 0 and in its own declaration.
  bool usedOutsideOfLoop(const VarDecl *V) const {
    return countMentions(V, {L.Function->getBody()}) != countMentions(V, M.Segments[0]);
  }
};

} // namespace

void findCopies(ModelContext &C) { CopyFinder(C).run(); }

} // namespace cuda_pipeline
