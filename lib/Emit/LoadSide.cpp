//===- LoadSide.cpp - The state of the load side -------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// The load side is a tile or more ahead: it has copies of what says which tile is loaded, and
/// steps them on its own, or makes them of the main loop's variables in each iteration.
///
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {

/// The state that the load side needs a copy of. With one buffer the store runs in its own
/// iteration: what it alone needs
/// (`plane = (plane + 1) % 3;` for the place of a store) it finds in the main loop's variables.
void Emitter::splitForLoads() {
  TwoValued = M.Split;
  Split = M.Split;
  if (P.Stages > 1)
    return;
  const DeclSet<VarDecl> Stored = varsInHalf(Half::Store);
  for (const VarDecl *V : M.MaySplit)
    if (Stored.count(V))
      TwoValued.insert(V);
  for (size_t Before = 0; Before != TwoValued.size();) {
    Before = TwoValued.size();
    for (const Advance &A : M.Advances)
      if (onComputeSide(A))
        for (const VarDecl *V : M.MaySplit)
          if (is_contained(A.Vars, V) || mentions(A.Statement, V))
            TwoValued.insert(V);
  }
  Split = TwoValued;
  // Nothing but the header is needed, until it shows.
  auto InHeader = [&](const VarDecl *V) {
    return HeaderVars.count(V) || (M.Loop->condition() && mentions(M.Loop->condition(), V)) ||
           (M.Loop->step() && mentions(M.Loop->step(), V)) ||
           (M.Loop->start() && mentions(M.Loop->start(), V));
  };
  Split.remove_if([&](const VarDecl *V) { return !InHeader(V); });
  for (bool Changed = true; std::exchange(Changed, false);) {
    forgetHalves();
    DeclSet<VarDecl> Needed = varsInHalf(Half::Fetch);
    // An advance is one statement: what it needs for one variable it needs for all.
    for (const Advance &A : M.Advances)
      if (A.LoadSide && any_of(A.Vars, [&](const VarDecl *V) { return Split.count(V) != 0; }))
        Needed.insert(A.Vars.begin(), A.Vars.end());
    for (const VarDecl *V : TwoValued)
      if (Needed.count(V) && Split.insert(V))
        Changed = true;
  }
  forgetHalves();
}

/// `a += aStep, b += bStep`: one after the other.
std::vector<const Expr *> Emitter::stepParts() const {
  return M.Loop->step() ? commaParts(M.Loop->step()) : std::vector<const Expr *>();
}

/// What the header counts besides, and the load side has no use for (`b += bStep` where only `a` is
/// in the addresses), stays the main loop's own.
void Emitter::withoutIdleState() {
  const std::vector<const Expr *> Parts = stepParts();
  if (Parts.size() < 2 ||
      any_of(M.Facts->Condition.Accesses, [](const Access &A) { return A.Write; }))
    return;
  DeclMap<VarDecl, const Expr *> StepOf;
  for (const Expr *Part : Parts) {
    const Expr *E = Part->IgnoreParens(), *To = nullptr;
    if (const auto *Unary = dyn_cast<UnaryOperator>(E); Unary && Unary->isIncrementDecrementOp())
      To = Unary->getSubExpr();
    else if (const auto *Binary = dyn_cast<BinaryOperator>(E); Binary && Binary->isAssignmentOp())
      To = Binary->getLHS();
    const VarDecl *Var = To ? referencedVar(To) : nullptr;
    unsigned Writes = 0;
    for (const Access &A : M.Facts->Collector->collect(E).Accesses)
      Writes += A.Write;
    if (!Var || Writes != 1 || !StepOf.try_emplace(Var, Part).second)
      return;
  }
  DeclSet<VarDecl> Needed;
  const bool Async = !P.usesRegisters();
  for (Half H :
       Async ? std::vector<Half>{Half::Async} : std::vector<Half>{Half::Fetch, Half::Store})
    for (const VarDecl *V : varsInHalf(H))
      Needed.insert(V);
  auto NeededFor = [&](const VarDecl *V) {
    if (Needed.count(V) || !HeaderVars.count(V) || !StepOf.count(V) || isNamedElsewhere(V) ||
        (M.Loop->condition() && mentions(M.Loop->condition(), V)))
      return true;
    if (any_of(M.Advances, [&](const Advance &A) { return mentions(A.Statement, V); }))
      return true;
    if (const auto *Start = dyn_cast_or_null<DeclStmt>(M.Loop->start()))
      for (const clang::Decl *D : Start->decls())
        if (const auto *Other = dyn_cast<VarDecl>(D); Other && Other != V && Split.count(Other) &&
                                                      Other->hasInit() &&
                                                      mentions(Other->getInit(), V))
          return true;
    if (isa_and_nonnull<Expr>(M.Loop->start()))
      return true; // its start may be a part of another's
    return any_of(StepOf, [&](const auto &Step) {
      return Step.first != V && Split.count(Step.first) && mentions(Step.second, V);
    });
  };
  for (bool Changed = true; std::exchange(Changed, false);) {
    const SmallVector<const VarDecl *> Now(Split.begin(), Split.end());
    for (const VarDecl *V : Now)
      if (!NeededFor(V)) {
        Split.remove(V);
        Changed = true;
      }
  }
  forgetHalves();
}

/// The load side takes \p A along: for state of its own, or that nobody else has.
bool Emitter::loadSide(const Advance &A) const {
  return A.LoadSide &&
         any_of(A.Vars, [&](const VarDecl *V) { return Split.count(V) || !TwoValued.count(V); });
}

/// The main loop runs \p A: for state that the compute phase uses, or with one buffer the store.
bool Emitter::onComputeSide(const Advance &A) const {
  return A.ComputeSide || any_of(A.Vars, [&](const VarDecl *V) {
           return TwoValued.count(V) != 0 && M.MaySplit.count(V) != 0;
         });
}

/// Of an integer literal of this type; empty: it has none, or needs none.
static std::string suffixOf(QualType T) {
  const auto *Builtin = T->getAs<BuiltinType>();
  switch (Builtin ? Builtin->getKind() : BuiltinType::Void) {
  case BuiltinType::UInt:
    return "u";
  case BuiltinType::ULong:
    return "ul";
  case BuiltinType::ULongLong:
    return "ull";
  case BuiltinType::Long:
    return "l";
  case BuiltinType::LongLong:
    return "ll";
  default:
    return "";
  }
}

/// `for (int t = 0; t < n; ++t)`: in front of the loop 0 says as much as a variable that is set to
/// it, and in the loop the next turn's counter is one more constant.
bool Emitter::startsPlainly() {
  const auto *Decl = dyn_cast_or_null<DeclStmt>(M.Loop->start());
  const auto *Condition = M.Loop->condition()
                              ? dyn_cast<BinaryOperator>(M.Loop->condition()->IgnoreParenImpCasts())
                              : nullptr;
  if (Running || !Decl || !Condition || !Condition->isComparisonOp() || !M.Loop->step())
    return false;
  const VarDecl *Asked = referencedVar(Condition->getLHS());
  if (!Asked || !Split.count(Asked) ||
      any_of(Split, [&](const VarDecl *V) { return mentions(Condition->getRHS(), V); }))
    return false;
  for (const VarDecl *V : Split) {
    if (!is_contained(Decl->decls(), V) || !V->hasInit() ||
        V->getInit()->getBeginLoc().isMacroID() || V->getInitStyle() != VarDecl::CInit)
      return false;
    const Expr *Start = V->getInit();
    const auto *Literal = dyn_cast<IntegerLiteral>(Start->IgnoreImpCasts());
    const VarDecl *Other = referencedVar(Start);
    // `0 < n` compares as the variable would: as an int, or as what both are.
    const bool Int = V->getType()->isSpecificBuiltinType(BuiltinType::Int);
    const bool AsBoth =
        V->getType()->isIntegerType() && !V->getType()->isBooleanType() &&
        Context.getTypeSize(V->getType()) >= Context.getTypeSize(Context.IntTy) &&
        (V != Asked || Context.hasSameUnqualifiedType(
                           V->getType(), Condition->getRHS()->IgnoreParenImpCasts()->getType()));
    const std::string Suffix = suffixOf(V->getType());
    if (Literal
            ? (!Int && !AsBoth && Suffix.empty()) || Pattern.isDependent(V->getLocation()) ||
                  V->getType().isVolatileQualified() || !Literal->getType()->isIntegerType() ||
                  (V == Asked && Condition->getOpcode() != BO_LT && Condition->getOpcode() != BO_NE)
            : !Other || !Context.hasSameUnqualifiedType(Other->getType(), V->getType()) ||
                  HeaderVars.count(Other) || Other->getType().isVolatileQualified() ||
                  M.Facts->Modified.count(Other))
      return false;
    First[V] = expressionText(Start);
    // `0u < n` where n is an int compares as the variable would, too.
    if (Literal && !Int && !AsBoth && isDigit(First[V].back()))
      First[V] += Suffix;
    else if (Literal && !Int && !AsBoth &&
             !Context.hasSameUnqualifiedType(Literal->getType(), V->getType()))
      return false;
  }
  return plainSteps().size() == Split.size();
}

/// `n > 0` rather than `0 < n`, where the loop's `t < n` is asked of the first tile; empty: as it
/// is written.
std::string Emitter::firstComparison() {
  if (!StartsPlainly || InLoop)
    return "";
  const auto *Asked = dyn_cast<BinaryOperator>(M.Loop->condition()->IgnoreParenImpCasts());
  const auto *Counter = Asked ? dyn_cast<DeclRefExpr>(Asked->getLHS()->IgnoreImpCasts()) : nullptr;
  const auto *Var = Counter ? dyn_cast<VarDecl>(Counter->getDecl()) : nullptr;
  auto It = First.find(Var);
  if (It == First.end() || !isDigit(It->second.front()) ||
      M.Loop->condition() != M.Loop->condition()->IgnoreParens() ||
      !Asked->getRHS()->getType()->isIntegerType() ||
      !textRange(Asked->getRHS()->getSourceRange(), Context) ||
      Pattern.isDependent(Asked->getRHS()->getSourceRange()))
    return "";
  StringRef Operator;
  switch (Asked->getOpcode()) {
  case BO_LT:
    Operator = " > ";
    break;
  case BO_NE:
    Operator = " != ";
    break;
  default:
    return "";
  }
  const std::string Bound = renamed(Asked->getRHS());
  return StringRef(Bound).contains('\n') ? "" : Bound + Operator.str() + It->second;
}

/// There is a first tile in any case: `0 < gridDim.x`.
bool Emitter::holdsAtFirst() {
  if (firstComparison().empty())
    return false;
  const auto *Asked = cast<BinaryOperator>(M.Loop->condition()->IgnoreParenImpCasts());
  const auto *Counter = cast<DeclRefExpr>(Asked->getLHS()->IgnoreImpCasts());
  const std::string &Start = First.at(cast<VarDecl>(Counter->getDecl()));
  const std::optional<BuiltinIndex> Size = asBuiltinIndex(Asked->getRHS()->IgnoreParenImpCasts());
  return Size && (Size->Var == BuiltinVar::BlockDim || Size->Var == BuiltinVar::GridDim) &&
         StringRef(Start).take_while([](char C) { return isDigit(C); }) == "0";
}

/// Header variables, split state, and the names of everything new.
void Emitter::names() {
  if (const auto *Decl = dyn_cast_or_null<DeclStmt>(M.Loop->start()))
    for (const clang::Decl *D : Decl->decls())
      if (const auto *Var = dyn_cast<VarDecl>(D))
        HeaderVars.insert(Var);
  for (const Effects *Part : {&M.Facts->Init, &M.Facts->Condition, &M.Facts->Increment})
    for (const Access &A : Part->Accesses)
      if (A.Write)
        for (const MemoryRoot &R : A.Roots)
          if (const auto *Var = dyn_cast_or_null<VarDecl>(R.Decl))
            HeaderVars.insert(Var);
  splitForLoads();
  withoutIdleState();
  bool AdvancedElsewhere = any_of(M.Advances, [&](const Advance &A) {
    return loadSide(A) && any_of(A.Vars, [&](const VarDecl *V) { return Split.count(V) != 0; });
  });
  bool OtherSplit = any_of(Split, [&](const VarDecl *V) { return !HeaderVars.count(V); });
  // What a condition changes it has to change once per tile, and no more behind the last one.
  ConditionCounts = any_of(M.Facts->Condition.Accesses, [](const Access &A) { return A.Write; });
  Running = P.distance() > 1 || ConditionCounts || !M.Loop->step() || AdvancedElsewhere ||
            OtherSplit ||
            any_of(M.ChangedInLoad, [&](const VarDecl *V) { return Split.count(V) != 0; });
  for (const VarDecl *V : Split)
    LoadName[V] = fresh((V->getName() + (Running ? "_load" : "_next")).str());
  // It is said in other words, and those of another build may say something else.
  if (const Stmt *Step = M.Loop->step(); Step && !isFixed(Step->getBeginLoc()))
    refuse(Reason::MacroText, Step->getBeginLoc(), {"the step of the loop"});
  StartsPlainly = startsPlainly();
  if (P.Stages > 1)
    Loop.Stage = fresh("stage");
  if (!P.usesRegisters()) {
    nameStageCount();
    LoadTile = fresh("load_tile");
  } else {
    FetchTile = fresh("fetch_tile");
    StoreTile = fresh("store_tile");
  }
}

/// Nothing sets \p Var before the loop begins: it is declared without a value, and in front of the
/// loop nothing names it.
static bool hasNoValueAtLoop(const VarDecl *Var, const TileModel &M) {
  if (Var->hasInit() || !Var->hasLocalStorage() || isa<ParmVarDecl>(Var) ||
      Var->getType()->isRecordType() || M.Facts->Function->HasGoto ||
      any_of(M.Loop->Ancestors,
             [](const Stmt *S) { return isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(S); }))
    return false;
  struct Visitor : ConstDynamicRecursiveASTVisitor {
    const VarDecl *Var;
    const Stmt *Loop;
    bool Named = false, Over = false;
    Visitor(const VarDecl *Var, const Stmt *Loop) : Var(Var), Loop(Loop) {}
    bool TraverseStmt(const Stmt *S) override {
      Over |= S == Loop; // what follows it runs later
      return Over || ConstDynamicRecursiveASTVisitor::TraverseStmt(S);
    }
    bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
      Named |= Ref->getDecl() == Var;
      return true;
    }
  } V(Var, M.Loop->Loop);
  V.TraverseStmt(M.Loop->Function->getBody());
  return V.Over && !V.Named;
}

std::string Emitter::loadStateDeclarations() {
  std::string Text;
  if (StartsPlainly)
    return Text;
  // Start values by header variable.
  DeclMap<VarDecl, const Expr *> Start;
  std::vector<const VarDecl *> StartOrder;
  if (const auto *Decl = dyn_cast_or_null<DeclStmt>(M.Loop->start())) {
    for (const clang::Decl *D : Decl->decls())
      if (const auto *Var = dyn_cast<VarDecl>(D); Var && Var->hasInit()) {
        Start[Var] = Var->getInit();
        StartOrder.push_back(Var);
      }
  } else if (const auto *E = dyn_cast_or_null<Expr>(M.Loop->start())) {
    for (const Expr *Part : commaParts(E)) {
      const Expr *W = Part->IgnoreParens();
      if (const auto *Op = dyn_cast<BinaryOperator>(W); Op && Op->getOpcode() == BO_Assign)
        if (const VarDecl *Var = referencedVar(Op->getLHS())) {
          Start[Var] = Op->getRHS();
          StartOrder.push_back(Var);
          continue;
        }
      refuse(Reason::LoopForm, W->getExprLoc(), {"its first part is not a plain assignment"});
    }
  }
  // In the order of the header, since a later start value may use an earlier one.
  std::vector<const VarDecl *> Order;
  for (const VarDecl *V : Split)
    if (!Start.count(V))
      Order.push_back(V);
  for (const VarDecl *V : StartOrder)
    if (Split.count(V))
      Order.push_back(V);
  for (const VarDecl *V : Order) {
    // What the header declares without a value has none, and no name in front of the loop.
    std::string Init = Start.count(V) ? renamed(Start[V])
                       : declares(M.Loop->start(), V) || hasNoValueAtLoop(V, M)
                           ? ""
                           : V->getNameAsString();
    Text += Indent + typeText(V);
    if (!StringRef(Text).ends_with("*"))
      Text += " ";
    Text += LoadName[V] + (Init.empty() ? "" : " = " + Init) + ";\n";
  }
  return Text;
}

LoopParts Emitter::onlyIf(std::string Condition, LoopParts Body) {
  if (Condition.empty())
    return Body;
  return {LoopPart::onlyIf(std::move(Condition), std::move(Body))};
}

std::string Emitter::asInitializer(const std::string &Condition) const {
  const Expr *E = M.Loop->condition()->IgnoreParenImpCasts();
  const auto *Op = dyn_cast<BinaryOperator>(E);
  // A class may say explicitly that it is good as a condition.
  if (E->getType()->isRecordType() || isa<CXXMemberCallExpr>(E))
    return "static_cast<bool>(" + Condition + ")";
  return Op && (Op->isAssignmentOp() || Op->getOpcode() == BO_Comma) ? "(" + Condition + ")"
                                                                     : Condition;
}

std::string Emitter::condition() {
  const std::string Turned = firstComparison();
  return Turned.empty() ? renamed(M.Loop->condition()) : Turned;
}

std::string Emitter::stepLoadSide() {
  if (!M.Loop->step())
    return "";
  std::string Step;
  // Without what is the main loop's own: a part may read a counter of both, and set what the
  // compute phase alone uses.
  const std::vector<const Expr *> Parts = stepParts();
  auto Own = [&](const Expr *Part) {
    bool Sets = false, SetsOthers = false;
    for (const Access &A : M.Facts->Collector->collect(Part).Accesses)
      for (const MemoryRoot &R : A.Roots)
        if (A.Write)
          (isa_and_nonnull<VarDecl>(R.Decl) && Split.count(cast<VarDecl>(R.Decl)) ? Sets
                                                                                  : SetsOthers) =
              true;
    if (Sets && SetsOthers)
      refuse(Reason::NotYet, Part->getExprLoc(),
             {"a step that sets something of the load phase and something that is not its own at "
              "once"});
    return Sets;
  };
  if (all_of(Parts, Own))
    Step = renamed(M.Loop->step());
  else
    for (const Expr *Part : Parts)
      if (Own(Part))
        Step += (Step.empty() ? "" : ", ") + renamed(Part);
  return Step + ";";
}

LoopParts Emitter::stepPart() {
  std::string Step = stepLoadSide();
  if (Step.empty())
    return {};
  return {LoopPart::stepLoad(std::move(Step))};
}

/// One update per header variable, each of itself alone: `t + 1`, `k + BK`. Empty where the loop
/// steps in another way
/// (`++t, ++t`).
std::vector<Emitter::PlainStep> Emitter::plainSteps() {
  std::vector<PlainStep> Steps;
  for (const Expr *Part : stepParts()) {
    const Expr *E = Part->IgnoreParens();
    const auto *Binary = dyn_cast<BinaryOperator>(E);
    const VarDecl *Var = nullptr;
    std::string Value, By;
    if (const auto *Unary = dyn_cast<UnaryOperator>(E); Unary && Unary->isIncrementDecrementOp()) {
      Var = referencedVar(Unary->getSubExpr());
      if (Var)
        By = Unary->isIncrementOp() ? " + 1" : " - 1";
    } else if (Binary && Binary->isAssignmentOp()) {
      Var = referencedVar(Binary->getLHS());
      bool OtherState = any_of(M.Facts->Collector->collect(Binary->getRHS()).Accesses,
                               [](const Access &A) { return A.Write; });
      for (const VarDecl *V : HeaderVars)
        OtherState |= V != Var && mentions(Binary->getRHS(), V);
      // A class, and an enumeration, may have a sum of its own.
      const QualType Said = Binary->getRHS()->IgnoreUnlessSpelledInSource()->getType();
      OtherState |= !Said->isArithmeticType() && Binary->getOpcode() != BO_Assign;
      if (Var && !OtherState) {
        if (Binary->getOpcode() == BO_AddAssign)
          By = " + " + operandText(Binary->getRHS());
        else if (Binary->getOpcode() == BO_SubAssign)
          By = " - " + operandText(Binary->getRHS());
        else if (Binary->getOpcode() == BO_Assign)
          Value = expressionText(Binary->getRHS());
      }
    }
    if (Var && HeaderVars.count(Var) && !LoadName.count(Var) && TwoValued.count(Var))
      continue; // the main loop's own
    if (Var && !By.empty())
      Value = Var->getNameAsString() + By;
    if (!Var || Value.empty() || !LoadName.count(Var) ||
        any_of(Steps, [&](const PlainStep &Step) { return Step.Var == Var; }))
      return {};
    Steps.push_back({Var, std::move(Value), std::move(By)});
  }
  return Steps;
}

LoopPart Emitter::stepToNext() {
  LoopPart Next;
  Next.What = LoopPart::Kind::Next;
  for (PlainStep &Step : plainSteps()) {
    std::string Type;
    if (StartsPlainly) {
      Type = typeText(Step.Var);
      Type = Step.Var->getType()->isPointerType() ? Type + "const " : "const " + Type + " ";
    }
    Next.Values.push_back({std::move(Type), LoadName[Step.Var], Step.Var->getNameAsString(),
                           std::move(Step.Value), std::move(Step.By)});
  }
  if (!Next.Values.empty())
    return Next;
  for (const VarDecl *V : Split)
    Next.Declares += LoadName[V] + " = " + V->getNameAsString() + "; ";
  Next.Text = stepLoadSide();
  return Next;
}

bool Emitter::mentions(const Stmt *S, const VarDecl *V) {
  struct Visitor : ConstDynamicRecursiveASTVisitor {
    const VarDecl *V;
    bool Found = false;
    bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
      Found |= Ref->getDecl() == V;
      return !Found;
    }
  } Vis;
  Vis.V = V;
  Vis.TraverseStmt(S);
  return Vis.Found;
}

std::string Emitter::parameters(ArrayRef<const VarDecl *> Vars, bool WithStage) {
  std::string Text = WithStage ? "int " + Loop.Stage : "";
  for (const VarDecl *V : Vars) {
    if (!Text.empty())
      Text += ", ";
    bool ByReference = M.ChangedInLoad.count(V) != 0;
    for (const Advance &A : M.Advances)
      ByReference |= loadSide(A) && is_contained(A.Vars, V);
    std::string Type = typeText(V);
    if (!StringRef(Type).ends_with("*"))
      Type += " ";
    Text += Type + (ByReference ? "&" : "") + V->getNameAsString();
  }
  return Text;
}

std::vector<LoopArgument> Emitter::arguments(ArrayRef<const VarDecl *> Vars) {
  std::vector<LoopArgument> Out;
  for (const VarDecl *V : Vars)
    Out.push_back({loadName(V), V});
  return Out;
}

/// Variables around the loop that the half steps from tile to tile: "; each call steps A and B".
/// Empty: none.
std::string Emitter::advancesOf(Half H) {
  const DeclSet<VarDecl> Used = varsInHalf(H);
  std::vector<std::string> Names;
  for (const Advance &A : M.Advances)
    if (loadSide(A) && (A.Segment > 0 || keeps(A.Statement, H)))
      for (const VarDecl *V : A.Vars)
        if (Used.count(V) && !Split.count(V) && !is_contained(Names, V->getNameAsString()))
          Names.push_back(V->getNameAsString());
  if (Names.empty())
    return "";
  const std::string Last = Names.size() > 1 ? " and " + Names.back() : "";
  if (Names.size() > 1)
    Names.pop_back();
  return "; each call steps " + join(Names, ", ") + Last;
}

} // namespace cuda_pipeline
