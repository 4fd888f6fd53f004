//===- Control.cpp - All threads of the block come by ------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Rule 1 of docs/soundness.md, Shape. The rewritten loop has its barriers at other places, so all
/// threads of the block must take part in every turn. What decides on that (the conditions around
/// the loop, its trip count, ways out in front of it, whether the function is called) must be the
/// same for all of them.
///
/// Of a function whose calls are not seen nobody can say that. With one buffer it is not needed:
/// each thread comes by the same barriers as before, in the same order. A barrier of the loop is
/// one at which all threads wait that are not gone, so between the two around the compute phase
/// none of them does anything else, and there the loads of the next tile are now.
///
//===----------------------------------------------------------------------===//

#include "../../Model/AstUtil.h"
#include "../../Model/CallSites.h"
#include "../../Model/LoopFacts.h"
#include "../../Model/RawTokens.h"
#include "../EarlyReturns.h"
#include "../SameTurns.h"
#include "Rules.h"
#include "clang/AST/Attr.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

/// Why it is not shown that all threads call the function, as a note.
std::pair<std::string, SourceLocation> callInDoubt(const RuleContext &RC) {
  if (const CallExpr *Call = RC.OfFunction.CalledBy.Doubt)
    return {"maybe only some of the threads come to this call", Call->getExprLoc()};
  return {"not all of its calls are in this file", RC.M.Loop->Function->getLocation()};
}

/// Why it is not shown that all threads get the same \p Param, as a note.
std::pair<std::string, SourceLocation> passedInDoubt(const RuleContext &RC,
                                                     const ParmVarDecl *Param) {
  const std::string Name = "'" + Param->getNameAsString() + "'";
  if (auto It = RC.OfFunction.CalledBy.Differs.find(Param);
      It != RC.OfFunction.CalledBy.Differs.end())
    return {"this call may pass another " + Name + " to each thread", It->second->getExprLoc()};
  if (const CallExpr *Call = RC.OfFunction.CalledBy.Doubt)
    return {Name + " is not looked at further: maybe only some of the threads come to this call",
            Call->getExprLoc()};
  return {"whether all threads get the same " + Name +
              " is for the callers to say, and not all calls are in this file",
          Param->getLocation()};
}

/// The part of \p E that is not shown to be uniform, as a note; none where that is all of it.
std::vector<std::pair<std::string, SourceLocation>> divergentPart(const RuleContext &RC,
                                                                  const Expr *E) {
  const Expr *Part = E;
  for (const Expr *Next = E; Next;) {
    Part = Next;
    Next = nullptr;
    // That the counter differs follows from what it is compared with.
    for (const Stmt *Child : Part->children())
      if (const auto *Operand = dyn_cast_or_null<Expr>(Child); Operand && !RC.U.isUniform(Operand))
        if (!Next || (referencedVar(Next) && declares(RC.M.Loop->start(), referencedVar(Next))))
          Next = Operand;
  }
  const auto *Param = dyn_cast_or_null<ParmVarDecl>(Part ? referencedVar(Part) : nullptr);
  if (Param && !RC.M.Loop->IsKernel && RC.F.Values->isUnchangedParameter(Param))
    return {passedInDoubt(RC, Param)};
  if (!Part || Part == E)
    return {};
  return {
      {"'" + textOf(Part, RC.Context) + "' may differ from thread to thread", Part->getExprLoc()}};
}

/// All threads decide alike whether \p Loop goes on.
bool goesOnAlike(RuleContext &RC, const Uniformity &U, const Stmt *Loop, const Expr *Condition) {
  if (U.isUniform(Condition))
    return true;
  // Who jumps out of it asks no more.
  if (!isLoop(Loop) || U.isLeftBySome(Loop))
    return false;
  auto TakesSame = [&](const FunctionValues &Values) {
    return takesSameTurns(Loop, U, Values, *RC.F.Collector, RC.Context);
  };
  if (!TakesSame(*RC.F.Values)) {
    if (!RC.F.OfBlock || !TakesSame(*RC.F.OfBlock))
      return false;
    RC.L.TurnsAskBlock |= RC.F.BlockIsClaim;
  }
  // Another instantiation may count by other numbers.
  RC.SetsMatter |= RC.M.Loop->IsTemplate;
  return true;
}

/// What moves has to do with other threads by the memory that it reads alone: no shuffle, no vote.
bool fetchesAlone(const RuleContext &RC) {
  Effects Fetch = RC.F.Segment[0];
  for (const Effects *Part : {&RC.F.Init, &RC.F.Condition, &RC.F.Increment})
    Fetch.append(*Part);
  for (const Advance &A : RC.M.Advances)
    if (A.LoadSide)
      Fetch.append(RC.F.Collector->collect(A.Statement));
  return all_of(Fetch.Actions, [](const Action &A) {
    using K = FunctionKind;
    return A.Kind == Action::Call
               ? is_contained({K::Pure, K::SeveralResults, K::LoadPointer, K::LoadTexture},
                              A.Function)
               : A.LikeExpression;
  });
}

/// Not all calls of the function are seen, and the loop can do without: what is in doubt blocks
/// the schedules with several buffers alone. A loop that begins with its barrier has another one
/// in front of it then.
bool isRightForAnyCaller(const RuleContext &RC) {
  const Callers &Of = RC.OfFunction.CalledBy;
  return !RC.M.Loop->IsKernel && !Of.Together && !Of.Doubt && !RC.M.BarrierFirst &&
         !RC.F.Function->HasGoto && fetchesAlone(RC);
}

/// What depends on the thread if all of them are given the same.
Uniformity givenAlike(const RuleContext &RC) {
  DeclSet<VarDecl> Uniform;
  for (const ParmVarDecl *Param : RC.M.Loop->Function->parameters())
    if (!Param->getType()->isReferenceType())
      Uniform.insert(Param);
  return Uniformity(RC.Context, *RC.F.Collector, RC.M.Loop->Function, Uniform);
}

/// The loop's own start values fulfil its condition.
bool takesATurn(const RuleContext &RC) {
  if (RC.M.Loop->testsLast())
    return true;
  const auto *Decl = dyn_cast_or_null<DeclStmt>(RC.M.Loop->start());
  const auto *Start =
      Decl && Decl->isSingleDecl() ? dyn_cast<VarDecl>(Decl->getSingleDecl()) : nullptr;
  const auto *Cond = dyn_cast_or_null<BinaryOperator>(RC.M.Loop->condition());
  if (!Start || !Start->hasInit() || !Cond || !Cond->isComparisonOp() ||
      referencedVar(Cond->getLHS()) != Start)
    return false;
  std::optional<int64_t> From = RC.F.Values->fold(Start->getInit()),
                         To = RC.F.Values->fold(Cond->getRHS());
  if (!From || !To)
    return false;
  // `-1 < 5u` does not hold.
  if (Cond->getLHS()->getType()->isUnsignedIntegerType() && (*From < 0 || *To < 0))
    return false;
  switch (Cond->getOpcode()) {
  case BO_LT:
    return *From < *To;
  case BO_LE:
    return *From <= *To;
  case BO_GT:
    return *From > *To;
  case BO_GE:
    return *From >= *To;
  case BO_NE:
    return *From != *To;
  default:
    return false;
  }
}

/// All calls of the function are the last thing that a kernel does: who returns from it is gone.
bool endsKernels(const RuleContext &RC) {
  const FunctionDecl *F = RC.M.Loop->Function;
  CallSites *Calls = RC.F.Function->Calls.get();
  const std::vector<CallSite> *Sites = Calls && !RC.M.Loop->IsKernel ? Calls->of(F) : nullptr;
  // Another build must not have anything behind the call, either.
  const auto IsLast = [&](const CallExpr *Call, const CompoundStmt *Body) {
    const SourceManager &SM = RC.Context.getSourceManager();
    const auto [File, End] = SM.getDecomposedLoc(
        Lexer::getLocForEndOfToken(Call->getEndLoc(), 0, SM, RC.Context.getLangOpts()));
    const auto [SameFile, Close] = SM.getDecomposedLoc(Body->getRBracLoc());
    const std::optional<StringRef> Text = SM.getBufferDataOrNone(File);
    bool Others = !Text || File != SameFile || Call->getEndLoc().isMacroID() || End > Close;
    if (!Others)
      forEachRawToken(Text->slice(End, Close).str(), [&](const Token &T, unsigned) {
        Others |=
            T.isNot(tok::semi) && !(T.is(tok::raw_identifier) && T.getRawIdentifier() == "return");
      });
    return !Others;
  };
  return Sites && !endsObjects(F, RC.Context) && all_of(*Sites, [&](const CallSite &Site) {
           const auto *Body = dyn_cast_or_null<CompoundStmt>(Site.Caller->getBody());
           if (!Site.Caller->hasAttr<CUDAGlobalAttr>() || !Body)
             return false;
           SmallVector<const Stmt *> Own(Body->body());
           while (!Own.empty() &&
                  (isa<NullStmt>(Own.back()) ||
                   (isa<ReturnStmt>(Own.back()) && !cast<ReturnStmt>(Own.back())->getRetValue())))
             Own.pop_back();
           const auto *Last = Own.empty() ? nullptr : dyn_cast<Expr>(Own.back());
           return Last && Last->IgnoreUnlessSpelledInSource() == Site.Call &&
                  IsLast(Site.Call, Body) && !endsObjects(Site.Caller, RC.Context);
         });
}

/// Threads that left before the loop's first barrier are not waited for (EarlyReturns.h). A
/// function that is called returns to where other barriers may be, and a jump goes on somewhere.
/// \p Alike: if all threads are given the same, none of them does, and that is enough.
void leavingThreads(RuleContext &RC, ArrayRef<EarlyReturn> Returns, bool Alike) {
  std::optional<bool> Ends; // who returns; asked once
  for (const EarlyReturn &R : Returns) {
    if (R.endsThread() && !Ends)
      Ends = RC.M.Loop->IsKernel || endsKernels(RC);
    if (R.endsThread() && *Ends)
      continue;
    if (RC.granted("uniform"))
      return;
    const char *What = R.IsBarrier      ? "the condition of another barrier"
                       : R.InLoopAround ? "the early exit from the loop around it"
                                        : "the early exit before the loop";
    RC.refuse({{Reason::DivergentLoop, R.Where->getBeginLoc(), {What}, {}},
               Alike ? Needs::SeveralBuffers : Needs::Everything});
    return;
  }
}

/// Who leaves the loop by its condition waits for nobody any more: the kernel has no barrier behind
/// it, and no loop around it.
bool leaversEnd(const RuleContext &RC) {
  // Without a barrier of the body's between load and compute a load could pass what the others did
  // behind the loop.
  return RC.M.Loop->IsKernel && !RC.M.BarrierFirst && !RC.M.FillNested && !RC.F.Function->HasGoto &&
         !RC.U.isLeftBySome(RC.M.Loop->Loop) && RC.U.endsForLeavers(RC.M.Loop->Loop) &&
         none_of(RC.M.Loop->Ancestors,
                 [](const Stmt *S) { return isLoop(S) || isa<SwitchStmt, LambdaExpr>(S); });
}

} // namespace

void checkControl(RuleContext &RC) {
  std::optional<Uniformity> Given;
  if (isRightForAnyCaller(RC))
    Given.emplace(givenAlike(RC));
  auto Divergent = [&](const Stmt *S, SourceLocation Where, const char *What, const Expr *Of) {
    if (!RC.granted("uniform"))
      RC.refuse(
          {{Reason::DivergentLoop, Where, {What}, divergentPart(RC, Of)},
           Given && goesOnAlike(RC, *Given, S, Of) ? Needs::SeveralBuffers : Needs::Everything});
  };
  bool Compared = false;
  const std::vector<EarlyReturn> Returns = earlyReturns(RC.M, RC.U, RC.Context, &Compared);
  RC.SetsMatter |= Compared && RC.M.Loop->IsTemplate;
  for (const Stmt *S : RC.M.Loop->Ancestors) {
    const auto *Range = dyn_cast<CXXForRangeStmt>(S);
    // Who does not come into the branch is gone (leavingThreads()). Of a loop each turn has fewer
    // threads to fill the tile, which goes on to hold what the others have left in it: in one
    // buffer the same, in several what was left there.
    if (any_of(Returns, [&](const EarlyReturn &R) { return R.IsBranch && R.Where == S; })) {
      if (isLoop(S))
        RC.refuse({{Reason::DivergentLoop,
                    S->getBeginLoc(),
                    {"the trip count of the loop around it"},
                    divergentPart(RC, conditionOf(S))},
                   Needs::SeveralBuffers});
      continue;
    }
    if (const Expr *Of = Range ? Range->getCond() : conditionOf(S); !goesOnAlike(RC, RC.U, S, Of)) {
      Divergent(S, S->getBeginLoc(),
                isLoop(S)            ? "the trip count of the loop around it"
                : isa<SwitchStmt>(S) ? "the switch around the loop"
                                     : "the condition around the loop",
                Of);
    } else if (isa<LambdaExpr>(S)) {
      RC.refuse({{Reason::NotYet, S->getBeginLoc(), {"a tile loop inside of a lambda"}, {}},
                 Needs::Everything});
    }
  }
  if (const Expr *Condition = RC.M.Loop->condition();
      Condition && !goesOnAlike(RC, RC.U, RC.M.Loop->Loop, Condition)) {
    if (leaversEnd(RC) && !RC.granted("uniform"))
      RC.refuse({{Reason::DivergentLoop,
                  Condition->getExprLoc(),
                  {"the trip count"},
                  divergentPart(RC, Condition)},
                 Needs::SeveralBuffers});
    else
      Divergent(RC.M.Loop->Loop, Condition->getExprLoc(), "the trip count", Condition);
  }
  if (const IfStmt *Skip = RC.M.Skip) {
    // The barriers of a turn that is left out are left out by all.
    if (!RC.U.isUniform(Skip->getCond()))
      Divergent(Skip, Skip->getBeginLoc(), "the condition of 'continue'", Skip->getCond());
    // With several buffers a turn also hands its stage on.
    RC.refuse({{Reason::EarlyExit, Skip->getThen()->getBeginLoc(), {"continue"}, {}},
               Needs::SeveralBuffers});
  }
  leavingThreads(RC, Returns, Given && earlyReturns(*RC.M.Loop, *Given, *RC.F.Collector).empty());
  // Where the loop takes no turn, the barriers in front of it and behind it are new. With one
  // buffer there is no such barrier, unless the loop begins with its own.
  if (!RC.M.Loop->IsKernel && !RC.OfFunction.CalledBy.Together && !takesATurn(RC) &&
      !RC.granted("uniform"))
    RC.refuse({{Reason::DivergentLoop,
                RC.M.Loop->Function->getLocation(),
                {"whether the function is called"},
                {callInDoubt(RC)}},
               RC.M.BarrierFirst ? Needs::Everything : Needs::SeveralBuffers});
}

} // namespace cuda_pipeline
