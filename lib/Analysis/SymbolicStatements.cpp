//===- SymbolicStatements.cpp - Branches, loops and calls -----------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Model/KnownFunctions.h"
#include "../Model/Names.h"
#include "../Model/PtxText.h"
#include "SymbolicRun.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

constexpr unsigned MaxCallDepth = 6;

/// A jump out of the loop with the body \p S.
bool leavesEarly(const Stmt *S, bool Outermost = true) {
  if (!S || isa<LambdaExpr>(S))
    return false;
  if (isa<ReturnStmt>(S) || isa<GotoStmt>(S) || isa<IndirectGotoStmt>(S))
    return true;
  if (isa<BreakStmt>(S))
    return Outermost;
  bool Inner = isLoop(S) || isa<SwitchStmt>(S);
  return any_of(S->children(), [&](const Stmt *C) { return leavesEarly(C, Outermost && !Inner); });
}

/// The sum is one of a wider type, and is cut off where it does not fit.
bool stepsWider(const Stepping &S, QualType T, const ASTContext &Context) {
  return S.By && Context.getIntWidth(S.By->getType()) > Context.getIntWidth(T);
}

} // namespace

Stepping asStepping(const Expr *E) {
  Stepping S;
  E = E->IgnoreParens();
  if (const auto *Full = dyn_cast<FullExpr>(E))
    E = Full->getSubExpr()->IgnoreParens();
  if (const auto *Op = dyn_cast<UnaryOperator>(E); Op && Op->isIncrementDecrementOp()) {
    S.Reference = Op->getSubExpr();
    S.Sign = Op->isIncrementOp() ? 1 : -1;
  } else if (const auto *Op = dyn_cast<BinaryOperator>(E);
             Op && (Op->getOpcode() == BO_AddAssign || Op->getOpcode() == BO_SubAssign)) {
    S.Reference = Op->getLHS();
    S.By = Op->getRHS();
    S.Sign = Op->getOpcode() == BO_AddAssign ? 1 : -1;
  } else if (const auto *Op = dyn_cast<BinaryOperator>(E); Op && Op->getOpcode() == BO_Assign) {
    // i = i + S
    const auto *Sum = dyn_cast<BinaryOperator>(Op->getRHS()->IgnoreParenImpCasts());
    if (Sum && Sum->isAdditiveOp() && referencedVar(Op->getLHS()) &&
        referencedVar(Sum->getLHS()->IgnoreParenImpCasts()) == referencedVar(Op->getLHS())) {
      S.Reference = Op->getLHS();
      S.By = Sum->getRHS();
      S.Sign = Sum->getOpcode() == BO_Add ? 1 : -1;
    }
  }
  if (S.Reference)
    S.Var =
        dyn_cast<DeclRefExpr>(S.Reference->IgnoreParens()) ? referencedVar(S.Reference) : nullptr;
  if (S.Var && S.Var->getType()->isReferenceType())
    S.Var = nullptr;
  return S;
}

//===-- Statements ----------------------------------------------------------------===//

void SymbolicRun::execute(const Stmt *S) {
  if (!S || GaveUp)
    return;
  if (const auto *E = dyn_cast<Expr>(S)) {
    evaluate(E);
  } else if (const auto *Compound = dyn_cast<CompoundStmt>(S)) {
    for (const Stmt *Child : Compound->body())
      execute(Child);
  } else if (const auto *Attributed = dyn_cast<AttributedStmt>(S)) {
    execute(Attributed->getSubStmt());
  } else if (const auto *Declaration = dyn_cast<DeclStmt>(S)) {
    for (const clang::Decl *D : Declaration->decls())
      if (const auto *Var = dyn_cast<VarDecl>(D))
        declare(Var);
  } else if (const auto *If = dyn_cast<IfStmt>(S)) {
    branch(If);
  } else if (const auto *For = dyn_cast<ForStmt>(S)) {
    execute(For->getInit());
    if (For->getConditionVariable())
      GaveUp = true;
    else
      loop({For, For->getCond(), For->getBody(), For->getInc()});
  } else if (const auto *While = dyn_cast<WhileStmt>(S)) {
    if (While->getConditionVariable())
      GaveUp = true;
    else
      loop({While, While->getCond(), While->getBody(), nullptr});
  } else if (const auto *Do = dyn_cast<DoStmt>(S)) {
    unknownLoop({Do, Do->getCond(), Do->getBody(), nullptr});
  } else if (const auto *Range = dyn_cast<CXXForRangeStmt>(S)) {
    rangeLoop(Range);
  } else if (const auto *Switch = dyn_cast<SwitchStmt>(S)) {
    switchOver(Switch);
  } else if (const auto *Return = dyn_cast<ReturnStmt>(S)) {
    returns(Return);
  } else if (isa<NullStmt>(S)) {
  } else if (!Loops.empty() ? isa<ContinueStmt>(S) || isa<BreakStmt>(S)
                            : isa<ContinueStmt>(S) && Segment == 2) {
    Live = Syms.never();
  } else if (isa<AsmStmt>(S)) {
    assembly(llvm::cast<AsmStmt>(S));
  } else {
    GaveUp = true; // goto, try, ...
  }
}

/// What the instructions load from where it is known, and everything else that the statement may
/// do.
void SymbolicRun::assembly(const AsmStmt *Asm) {
  PtxText Ptx;
  if (const auto *GCC = dyn_cast<GCCAsmStmt>(Asm))
    Ptx = readPtx(GCC, Context);
  std::set<const Expr *> Followed;
  for (const Stmt *Child : Asm->children()) {
    const auto *E = dyn_cast_or_null<Expr>(Child);
    auto Load = find_if(Ptx.Loads, [&](const PtxLoad &L) { return L.Address == E; });
    if (!E)
      continue;
    if (Load == Ptx.Loads.end() || !Ptx.Understood || !Load->Shared) {
      argument(E);
      continue;
    }
    SymValue Address = evaluate(E);
    if (Address.Kind != SymValue::Address || !Address.Number)
      continue;
    // One operand may be that of several loads.
    for (const PtxLoad &L : Ptx.Loads)
      if (L.Address == E)
        note({Place::Memory, Address.Object, Address.Number + Syms.constant(L.Offset),
              Address.Column ? Address.Column + Syms.constant(L.Offset) : IslPwAff(),
              L.Offset == 0 ? Address.Good : IslSet()},
             E, true, false, L.Bytes);
    NotedAnywhere.insert({Segment, sameAccess(E)});
    Followed.insert(E);
  }
  for (const Access &A : F.Function->Collector.collect(Asm).Accesses)
    if (!A.Where || !Followed.count(A.Where))
      noteEffects(A);
}

void SymbolicRun::declare(const VarDecl *Var) {
  if (Var->hasAttr<CUDASharedAttr>() || !Var->hasLocalStorage())
    return;
  QualType T = Var->getType();
  if (T->isReferenceType()) {
    References[Var] = Var->hasInit() ? place(Var->getInit()) : Place{Place::Anywhere, nullptr, {}};
    return;
  }
  set(Var, Var->hasInit() ? evaluateInitializer(Var->getInit(), T) : someValue(Var));
}

void SymbolicRun::branch(const IfStmt *If) {
  execute(If->getInit());
  execute(If->getConditionVariableDeclStmt());
  IslSet C = asCondition(evaluate(If->getCond()), If->getCond());
  IslSet Before = Live;
  VarMap VarsBefore = Vars;
  Live = Before & C;
  const IslSet Known = NoOverflow;
  execute(If->getThen());
  NoOverflow = Known;
  VarMap VarsThen = std::move(Vars);
  IslSet LiveThen = Live;
  Vars = std::move(VarsBefore);
  Live = Before - C;
  execute(If->getElse());
  NoOverflow = Known;
  IslSet LiveElse = Live;
  mergeVars(VarsThen, LiveThen, LiveElse);
  Live = IslSet(isl_set_coalesce((LiveThen | LiveElse).take()));
}

void SymbolicRun::returns(const ReturnStmt *Return) {
  SymValue V = Return->getRetValue() ? evaluate(Return->getRetValue()) : SymValue();
  if (Calls.empty()) {
    GaveUp = true; // out of the kernel
    return;
  }
  CallFrame &Frame = Calls.back();
  // The paths that return have nothing in common. A value that differs between turns is none.
  QualType T = Return->getRetValue() ? Return->getRetValue()->getType() : QualType();
  if (Loops.size() > Frame.LoopsAround) {
    Frame.Result = SymValue();
    Frame.GoneInLoop = true;
  } else {
    Frame.Result = Frame.Result ? merged(*Frame.Result, Frame.Gone, V, Live, T) : V;
    VarMap Here = Vars;
    mergeVars(Frame.VarsGone, Frame.Gone, Live);
    Frame.VarsGone = std::exchange(Vars, std::move(Here));
  }
  Frame.Gone = Frame.Gone | Live;
  Live = Syms.never();
}

//===-- Loops ---------------------------------------------------------------------===//

const SymbolicRun::VarSet &SymbolicRun::assignedIn(const Stmt *S) {
  auto [It, New] = AssignedIn.try_emplace(S);
  if (New && S)
    for (const Access &A : F.Function->Collector.collect(S).Accesses)
      if (A.Write)
        for (const MemoryRoot &R : A.Roots)
          if (const auto *Var = dyn_cast_or_null<VarDecl>(R.Decl); Var && R.In != Space::Shared)
            It->second.insert(Var);
  return It->second;
}

SymbolicRun::VarSet SymbolicRun::assignedByTurn(const LoopParts &Parts) {
  VarSet Set;
  for (const Stmt *Part : std::initializer_list<const Stmt *>{Parts.Cond, Parts.Body, Parts.Inc})
    if (Part)
      Set.insert(assignedIn(Part).begin(), assignedIn(Part).end());
  return Set;
}

void SymbolicRun::enterLoop(std::string Counter, const VarSet &Assigned) {
  Loops.push_back({std::move(Counter), ++LoopsRun, {}});
  for (const VarDecl *Var : Assigned)
    forget(Var);
}

void SymbolicRun::leaveLoop(const IslSet &Before, const VarSet &Assigned) {
  Loops.pop_back();
  for (const VarDecl *Var : Assigned)
    forget(Var);
  // Threads that did not leave the function, wherever they are.
  Live = Calls.empty() ? Before : Before - Calls.back().Gone;
}

/// Does it speak of something that may differ between two turns of the innermost loop, other than
/// its counter?
bool SymbolicRun::variesInLoop(const IslSet &S) const {
  for (int I = 0, N = isl_set_dim(S.get(), isl_dim_param); I < N; ++I) {
    if (isl_set_involves_dims(S.get(), isl_dim_param, unsigned(I), 1) == isl_bool_false)
      continue;
    const char *Name = isl_set_get_dim_name(S.get(), isl_dim_param, unsigned(I));
    const Symbol *Found = Name ? Syms.find(Name) : nullptr;
    if (!Found || is_contained(Found->Nest, Loops.back().Counter))
      return true;
  }
  return !S;
}

/// The variables that every turn steps once: in the header, or by a statement directly in the body.
SmallVector<Stepping, 2> SymbolicRun::steppings(const LoopParts &Parts) {
  SmallVector<Stepping, 2> Found;
  auto Add = [&](const Expr *E, auto &&Again) -> void {
    const auto *Comma = dyn_cast<BinaryOperator>(E->IgnoreParens());
    if (Comma && Comma->getOpcode() == BO_Comma) {
      Again(Comma->getLHS(), Again);
      Again(Comma->getRHS(), Again);
    } else if (Stepping S = asStepping(E); S.Var) {
      Found.push_back(S);
    }
  };
  if (Parts.Inc)
    Add(Parts.Inc, Add);
  if (!hasContinue(Parts.Body)) {
    if (const auto *Compound = dyn_cast<CompoundStmt>(Parts.Body)) {
      for (const Stmt *Child : Compound->body())
        if (const auto *E = dyn_cast<Expr>(Child))
          Add(E, Add);
    } else if (const auto *E = dyn_cast<Expr>(Parts.Body)) {
      Add(E, Add);
    }
  }
  // Nothing else may change them.
  DeclMap<ValueDecl, unsigned> Writes;
  for (const Stmt *Part : std::initializer_list<const Stmt *>{Parts.Cond, Parts.Body, Parts.Inc})
    if (Part)
      for (const Access &A : F.Function->Collector.collect(Part).Accesses)
        if (A.Write)
          for (const MemoryRoot &R : A.Roots)
            ++Writes[R.Decl];
  erase_if(Found, [&](const Stepping &S) {
    return Writes[S.Var] != 1 || !isTracked(S.Var) || References.count(S.Var) ||
           !(S.Var->getType()->isIntegralOrEnumerationType() || S.Var->getType()->isPointerType());
  });
  return Found;
}

/// First, First + Step, ... in the direction of \p Sign; without Step: anything from First on.
IslSet SymbolicRun::sequence(const IslPwAff &Counter, const IslPwAff &First,
                             std::optional<int64_t> Step, int Sign) {
  IslPwAff Way = Sign > 0 ? Counter - First : First - Counter;
  IslSet Turns = compare(isl_pw_aff_ge_set, Way, Syms.constant(0));
  if (!Step)
    return Turns;
  IslPwAff Rest(isl_pw_aff_mod_val(Way.take(), isl_val_int_from_si(Syms.isl(), *Step)));
  return Turns & compare(isl_pw_aff_eq_set, Rest, Syms.constant(0));
}

/// Values of the symbol \p Name behind one in \p Bad, in the direction of \p Sign.
IslSet SymbolicRun::behind(const IslSet &Bad, const std::string &Name, int Sign) {
  int At = isl_set_find_dim_by_name(Bad.get(), isl_dim_param, Name.c_str());
  if (At < 0)
    return Bad; // the condition does not look at the counter
  // The parameter becomes a dimension; from each value, all that lie behind it.
  isl_set *S = isl_set_move_dims(Bad.take(), isl_dim_set, 0, isl_dim_param, At, 1);
  isl_space *Space = isl_set_get_space(S);
  isl_map *Behind = Sign > 0 ? isl_map_lex_lt(Space) : isl_map_lex_gt(Space);
  S = isl_set_apply(S, Behind);
  S = isl_set_move_dims(S, isl_dim_param, 0, isl_dim_set, 0, 1);
  return IslSet(isl_set_set_dim_name(S, isl_dim_param, 0, Name.c_str()));
}

/// \p Paced: what only the increment changes.
void SymbolicRun::increment(const LoopParts &Parts, const VarSet &Assigned, const VarSet &Paced) {
  // A `continue` comes here with other values than the end of the body.
  if (hasContinue(Parts.Body))
    for (const VarDecl *Var : Assigned)
      if (!Paced.count(Var))
        forget(Var);
  evaluate(Parts.Inc);
}

void SymbolicRun::loop(const LoopParts &Parts) {
  if (!Parts.Cond || leavesEarly(Parts.Body) || !countedLoop(Parts))
    unknownLoop(Parts);
}

/// `for (int i = B; i < E; i += S)`, in any spelling, its initialisation behind us: the counter is
/// a symbol. False, and nothing has happened, when it is not one.
bool SymbolicRun::countedLoop(const LoopParts &Parts) {
  SmallVector<Stepping, 2> Steps = steppings(Parts);
  DeclSet<VarDecl> Compared = mentionedVars(Parts.Cond);
  const auto *Counting = find_if(Steps, [&](const Stepping &S) {
    return Compared.count(S.Var) && S.Var->getType()->isIntegralOrEnumerationType();
  });
  if (Counting == Steps.end())
    return false;
  const Stepping Counter = *Counting;
  const VarSet Assigned = assignedByTurn(Parts);
  if (any_of(Compared,
             [&](const VarDecl *Var) { return Var != Counter.Var && Assigned.count(Var); }))
    return false;
  SymValue First = asInteger(valueOf(Counter.Var, Counter.Reference), Counter.Reference);
  if (First.Kind != SymValue::Int || !First.Number)
    return false;
  SmallVector<SymValue, 2> Starts;
  for (const Stepping &S : Steps)
    Starts.push_back(valueOf(S.Var, S.Reference));

  const VarMap VarsBefore = Vars;
  const IslSet Before = Live;
  SaveAndRestore Known(NoOverflow);
  const size_t AccessesBefore = Accesses.size();
  // A Range symbol takes every value in its set. Where only bounds are known it is Private.
  std::string Name = Syms.add(SymbolKind::Range, nest());
  enterLoop(Name, Assigned);
  auto GiveUp = [&] {
    Loops.pop_back();
    Live = Before;
    Vars = VarsBefore;
    Accesses.resize(AccessesBefore);
    return false;
  };
  // What it is stepped by: the same in all turns.
  SymValue By = SymValue::integer(Syms.constant(1));
  std::optional<int64_t> Step = 1;
  std::optional<IslSet> Shared;
  if (Counter.By) {
    By = asInteger(evaluate(Counter.By), Counter.By);
    if (By.Kind != SymValue::Int || !By.Number)
      return GiveUp();
    // `int i += 4294967297LL` steps by one.
    if (!fits(By.Number, Counter.Var->getType()))
      return GiveUp();
    Step = Syms.asConstant(By.Number);
    IslSet Positive = compare(isl_pw_aff_gt_set, By.Number, Syms.constant(0));
    if (Step ? *Step <= 0 : !holds(Positive, By.Number) || variesInLoop(Positive))
      return GiveUp();
    // A step that is not known: some number of them, or the threads of the block share them all.
    Shared =
        Step ? std::nullopt : sharedByBlock(Syms.use(Name), First.Number, By.Number, Counter.Sign);
    if (!Step && !Shared) {
      Loops.pop_back();
      Name = Syms.add(SymbolKind::Private, nest());
      Loops.push_back({Name, LoopsRun, {}});
      for (const VarDecl *Var : Assigned)
        forget(Var);
    }
  }
  QualType T = Counter.Var->getType();
  IslPwAff C = Syms.use(Name);
  IslSet InType = Syms.inType(C, T, Context);
  if (!InType)
    return GiveUp();
  IslSet Sequence = (Shared ? *Shared : sequence(C, First.Number, Step, Counter.Sign)) & InType;
  set(Counter.Var, SymValue::integer(C));
  const IslSet Entered = Live;
  IslSet Holds;
  // `o + 64 <= 128` of an unsigned o may wrap for large values. It need not be known there if the
  // loop ends among the small ones.
  if (Step && Counter.Sign > 0 && T->isUnsignedIntegerOrEnumerationType()) {
    int64_t Limit = int64_t(1) << std::min(Context.getIntWidth(T) - 1, 31u);
    IslSet Small = Sequence & Syms.between(C, 0, Limit - 1);
    Live = Entered & Small;
    Holds = asCondition(evaluate(Parts.Cond), Parts.Cond);
    IslSet Beyond =
        Syms.withFacts((Entered & Sequence) - Small - behind(Small - Holds, Name, Counter.Sign));
    if (!variesInLoop(Holds) && answer(isl_set_is_empty(Beyond.get())) == Answer::Yes)
      Sequence = Small;
    else
      Holds = IslSet();
  }
  if (!Holds) {
    Live = Entered & Sequence;
    Holds = asCondition(evaluate(Parts.Cond), Parts.Cond);
  }
  if (variesInLoop(Holds))
    return GiveUp();
  // The loop has ended where the condition did not hold before: of another thread, maybe.
  const IslSet Ended = Step || Shared ? behind(Sequence - Holds, Name, Counter.Sign) : IslSet();
  if (Shared && answer(isl_set_is_disjoint(Ended.get(), (Sequence & Holds).get())) != Answer::Yes)
    return GiveUp();
  Live = Live & (Sequence & Holds);
  if (Step)
    Live = Live - Ended;
  // The next value must not wrap: int and wider signed types do not overflow.
  if (T->isUnsignedIntegerOrEnumerationType() || Context.getIntWidth(T) < 32 ||
      stepsWider(Counter, T, Context))
    if (!fits(Counter.Sign > 0 ? C + By.Number : C - By.Number, T))
      return GiveUp();
  // The other ones keep pace.
  VarSet Paced = {Counter.Var};
  for (auto [S, Start] : zip_equal(Steps, Starts)) {
    if (S.Var == Counter.Var || !Step)
      continue;
    std::optional<int64_t> Stride =
        S.By ? Syms.asConstant(asInteger(evaluate(S.By), S.By).Number) : 1;
    if (!Stride)
      continue;
    IslPwAff Turn = Counter.Sign > 0 ? C - First.Number : First.Number - C;
    Turn = IslPwAff(isl_pw_aff_tdiv_q(Turn.take(), Syms.constant(*Step).take()));
    IslPwAff Way = Syms.scaled(Turn, S.Sign * *Stride);
    QualType Type = S.Var->getType();
    if (Type->isPointerType()) {
      set(S.Var, moved(Start, Way, Type->getPointeeType(), 1));
      Paced.insert(S.Var);
    } else if (Start.Kind == SymValue::Int && Start.Number) {
      // Wherever a turn happens, it has not wrapped: not in that turn, and so in none before.
      IslPwAff Value = Start.Number + Way;
      bool Exact = Type->isSignedIntegerOrEnumerationType() && Context.getIntWidth(Type) >= 32 &&
                   !stepsWider(S, Type, Context) && isIntN(Context.getIntWidth(Type), *Stride);
      if (Exact || fits(Value, Type)) {
        set(S.Var, SymValue::integer(Value));
        Paced.insert(S.Var);
      }
    }
  }
  const IslSet Turn = Live, KnownInTurn = NoOverflow;
  execute(Parts.Body);
  if (Parts.Inc) {
    Live = Turn;
    NoOverflow = KnownInTurn;
    increment(Parts, Assigned, Paced);
  }
  leaveLoop(Before, Assigned);
  if (Shared)
    forgetThread(AccessesBefore, Name);
  return true;
}

/// `for (i = First + m * threadIdx.x; ..; i += m * blockDim.x)`: the threads of a row of the block
/// take turns, and go through First, First + m, .. together, each number once, whatever the block's
/// extent. None: the loop is no such loop.
std::optional<IslSet> SymbolicRun::sharedByBlock(const IslPwAff &Counter, const IslPwAff &First,
                                                 const IslPwAff &By, int Sign) {
  const int64_t Each = Syms.factorOf("nx", By);
  if (Sign < 0 || Each <= 0 || Syms.factorOf("tx", First) != Each ||
      Syms.asConstant(By - Syms.scaled(Syms.use("nx"), Each)) != 0)
    return std::nullopt;
  const IslPwAff Start = First - Syms.scaled(Syms.use("tx"), Each);
  if (Syms.speaksOf(Start, SymbolKind::Range) || Syms.speaksOf(Start, SymbolKind::Private))
    return std::nullopt;
  return sequence(Counter, Start, Each, Sign);
}

/// In a turn of such a loop there is one thread of each row, which nobody knows: \p Counter is the
/// turn. What happens whichever it is happens for certain; of the rest nobody knows in which turns.
void SymbolicRun::forgetThread(size_t Since, const std::string &Counter) {
  const IslPwAff Thread = Syms.use("tx");
  const IslSet Row = compare(isl_pw_aff_ge_set, Thread, Syms.constant(0)) &
                     compare(isl_pw_aff_lt_set, Thread, Syms.use("nx"));
  auto Without = [](const IslSet &S) {
    const int At = isl_set_find_dim_by_name(S.get(), isl_dim_param, "tx");
    return At < 0 ? S : IslSet(isl_set_project_out(S.take(), isl_dim_param, unsigned(At), 1));
  };
  std::string Turn; // for those of which it is not known
  for (MappedAccess &A : MutableArrayRef(Accesses).drop_front(Since)) {
    const IslSet Some = Without(A.When & Row), NotAll = Without(Row - A.When);
    if ((!A.Offset || !Syms.speaksOf(A.Offset, "tx")) &&
        answer(isl_set_is_disjoint(Some.get(), NotAll.get())) == Answer::Yes) {
      A.When = Some;
      continue;
    }
    if (Turn.empty()) {
      const Symbol *Known = Syms.find(Counter);
      Turn = Syms.add(SymbolKind::Private, Known ? Known->Nest : LoopNest());
    }
    if (const int At = isl_set_find_dim_by_name(A.When.get(), isl_dim_param, Counter.c_str());
        At >= 0)
      A.When =
          IslSet(isl_set_set_dim_name(A.When.take(), isl_dim_param, unsigned(At), Turn.c_str()));
    if (const int At =
            A.Offset ? isl_pw_aff_find_dim_by_name(A.Offset.get(), isl_dim_param, Counter.c_str())
                     : -1;
        At >= 0)
      A.Offset = IslPwAff(isl_pw_aff_set_dim_id(A.Offset.take(), isl_dim_param, unsigned(At),
                                                isl_id_alloc(Syms.isl(), Turn.c_str(), nullptr)));
    llvm::replace(A.Nest, Counter, Turn);
  }
}

/// Its turns may happen or not.
void SymbolicRun::unknownLoop(const LoopParts &Parts) {
  const VarSet Assigned = assignedByTurn(Parts);
  IslSet Before = Live;
  SaveAndRestore Known(NoOverflow);
  enterLoop(Syms.add(SymbolKind::Private, nest()), Assigned);
  Live = Live & unknownCondition();
  IslSet Turn = Live;
  if (Parts.Cond)
    evaluate(Parts.Cond);
  const IslSet KnownInTurn = NoOverflow;
  execute(Parts.Body);
  if (Parts.Inc) {
    Live = Turn & unknownCondition();
    NoOverflow = KnownInTurn;
    increment(Parts, Assigned, {});
  }
  leaveLoop(Before, Assigned);
}

/// `for (float &x : tile)`: as many turns as the array has elements, of which each turn has the
/// next one.
void SymbolicRun::rangeLoop(const CXXForRangeStmt *For) {
  const DeclStmt *Declared = For->getBeginStmt();
  const auto *Begin =
      Declared && Declared->isSingleDecl() ? dyn_cast<VarDecl>(Declared->getSingleDecl()) : nullptr;
  const auto *Array = Context.getAsConstantArrayType(For->getRangeInit()->getType());
  const std::optional<int64_t> Count = Array ? Array->getSize().tryZExtValue() : std::nullopt;
  if (!Begin || !Begin->getType()->isPointerType() || !Count) {
    GaveUp = true; // an object with a begin() and an end()
    return;
  }
  execute(For->getInit());
  execute(For->getRangeStmt());
  execute(Declared);
  const SymValue First = valueOf(Begin, For->getRangeInit());
  VarSet Assigned = assignedIn(For->getBody());
  for (const Stmt *Part : std::initializer_list<const Stmt *>{For->getLoopVarStmt(), For->getInc()})
    Assigned.insert(assignedIn(Part).begin(), assignedIn(Part).end());
  const IslSet Before = Live;
  SaveAndRestore Known(NoOverflow);
  // A way out of it leaves the last turns out, and nobody knows which.
  const bool All = !leavesEarly(For->getBody());
  const std::string Name = Syms.add(All ? SymbolKind::Range : SymbolKind::Private, nest());
  enterLoop(Name, Assigned);
  const IslPwAff Turn = Syms.use(Name);
  Live = Live & Syms.between(Turn, 0, *Count - 1);
  if (!All)
    Live = Live & unknownCondition();
  set(Begin, moved(First, Turn, Begin->getType()->getPointeeType(), 1));
  execute(For->getLoopVarStmt());
  execute(For->getBody());
  leaveLoop(Before, Assigned);
}

/// Any of its statements may be reached, with what any other has left.
void SymbolicRun::switchOver(const SwitchStmt *Switch) {
  execute(Switch->getInit());
  execute(Switch->getConditionVariableDeclStmt());
  evaluate(Switch->getCond());
  const VarSet &Assigned = assignedIn(Switch->getBody());
  IslSet Before = Live;
  enterLoop(Syms.add(SymbolKind::Private, nest()), Assigned);
  auto Each = [&](const Stmt *S, auto &&Again) -> void {
    if (!S)
      return;
    if (const auto *Case = dyn_cast<SwitchCase>(S))
      return Again(Case->getSubStmt(), Again);
    if (const auto *Compound = dyn_cast<CompoundStmt>(S); Compound && S == Switch->getBody()) {
      for (const Stmt *Child : Compound->body())
        Again(Child, Again);
      return;
    }
    for (const VarDecl *Var : Assigned)
      forget(Var);
    Live = Before & unknownCondition();
    SaveAndRestore Known(NoOverflow);
    execute(S);
  };
  Each(Switch->getBody(), Each);
  leaveLoop(Before, Assigned);
  // A jump to the next turn of the loop around it.
  if (hasContinue(Switch->getBody()))
    Live = Live & unknownCondition();
}

//===-- Calls ---------------------------------------------------------------------===//

/// What a call that is not followed does with the pointers and references that it is given. \p
/// Since: the accesses from there on were noted for its arguments.
void SymbolicRun::calleeAccesses(const Expr *Call, size_t Since) {
  for (const Access &A : F.Function->Collector.collect(Call).Accesses) {
    bool Argument = any_of(
        drop_begin(Accesses, std::min(Since, Accesses.size())), [&](const MappedAccess &Seen) {
          return A.Where && Seen.Where && sameAccess(Seen.Where) == sameAccess(A.Where);
        });
    if (!Argument)
      noteEffects(A);
  }
}

static bool isCopyAssignment(const FunctionDecl *Callee) {
  const auto *Method = dyn_cast<CXXMethodDecl>(Callee);
  return Method && (Method->isCopyAssignmentOperator() || Method->isMoveAssignmentOperator()) &&
         (Method->isTrivial() || isCudaNumber(Method->getParent()));
}

SymValue SymbolicRun::call(const CallExpr *Call) {
  const FunctionDecl *Callee = Call->getDirectCallee();
  if (!Callee)
    return notFollowed(Call);
  if (SymValue V = minOrMax(Call, Callee); V.Kind != SymValue::None)
    return V;
  // `*(float4 *)p = v`: an assignment that copies the bytes.
  if (const auto *Op = dyn_cast<CXXOperatorCallExpr>(Call);
      Op && Op->getOperator() == OO_Equal && copiesBytes(Op->getArg(0)->getType(), Context) &&
      isCopyAssignment(Callee)) {
    readObject(Op->getArg(1));
    assign(place(Op->getArg(0)), Op->getArg(0), SymValue(), false);
    return SymValue();
  }
  // The number that instructions take for a place in shared memory.
  if (Callee->getIdentifier() && Callee->getName() == "__cvta_generic_to_shared" &&
      Call->getNumArgs() == 1 && isLibraryFunction(Callee, Context)) {
    SymValue P = evaluate(Call->getArg(0));
    const bool Known = P.Kind == SymValue::Pointer && !P.Anywhere && P.Object && P.Number &&
                       P.Object->hasAttr<CUDASharedAttr>();
    P.Kind = SymValue::Address;
    return Known ? P : opaque(Call);
  }
  const FunctionDecl *Body = nullptr;
  if (Callee->hasBody(Body) && Calls.size() < MaxCallDepth && !isa<CXXMethodDecl>(Body) &&
      !Context.getSourceManager().isInSystemHeader(Body->getLocation()) && Body->getBody() &&
      none_of(Calls, [&](const CallFrame &Frame) { return Frame.Body == Body; }))
    return inlined(Call, Body);
  if (Rows && fragment(Call, Callee))
    return SymValue();
  // Values are values; what pointers and references lead to may be touched anywhere.
  size_t Since = Accesses.size();
  const Expr *Updated = classifyFunction(Callee, Context) == FunctionKind::Atomic &&
                                isAtomicUpdate(Callee->getName()) && Call->getNumArgs() > 0
                            ? Call->getArg(0)
                            : nullptr;
  for (const Expr *Arg : Call->arguments())
    if (Arg == Updated)
      update(Arg);
    else
      argument(Arg);
  calleeAccesses(Call, Since);
  return opaque(Call);
}

/// wmma's load and store of a fragment: as many lines as it has, each the leading dimension behind
/// the one before. False: its shape is not known.
bool SymbolicRun::fragment(const CallExpr *Call, const FunctionDecl *Callee) {
  const FunctionKind Kind = classifyFunction(Callee, Context);
  if ((Kind != FunctionKind::FragmentLoad && Kind != FunctionKind::FragmentStore) ||
      Call->getNumArgs() < 3)
    return false;
  const bool Load = Kind == FunctionKind::FragmentLoad;
  const Expr *Pointer = Call->getArg(Load ? 1 : 0);
  const std::optional<FragmentShape> Shape =
      fragmentShape(Call->getArg(Load ? 0 : 1)->getType(),
                    Call->getNumArgs() > 3 ? Call->getArg(3) : nullptr, Context);
  const uint64_t Element =
      Pointer->getType()->isPointerType() ? sizeOf(Pointer->getType()->getPointeeType()) : 0;
  if (!Shape || !Element)
    return false;
  const SymValue P = evaluate(Pointer);
  const SymValue Distance = asInteger(evaluate(Call->getArg(2)), Call->getArg(2));
  const std::optional<int64_t> Leading =
      Distance.Kind == SymValue::Int ? Syms.asConstant(Distance.Number) : std::nullopt;
  for (unsigned I = 3; I < Call->getNumArgs(); ++I)
    argument(Call->getArg(I));
  if (P.Kind != SymValue::Pointer || P.Anywhere || !P.Object || !P.Number || !Leading) {
    calleeAccesses(Call, Accesses.size());
    return true;
  }
  const IslSet Before = Live;
  const std::string Line = Syms.add(SymbolKind::Range, nest());
  enterLoop(Line, {});
  Live = Live & Syms.between(Syms.use(Line), 0, int64_t(Shape->Lines) - 1);
  const size_t Since = Accesses.size();
  // Lines are rows of the array where they are as far from each other as these.
  const bool AreRows = rowBytes(P.Object) == uint64_t(*Leading) * Element;
  if (AreRows)
    PitchSaid[P.Object].insert({Call->getArg(2), Element});
  note({Place::Memory, P.Object,
        P.Number + Syms.scaled(Syms.use(Line), *Leading * int64_t(Element)),
        AreRows ? P.Column : IslPwAff(), P.Good},
       Pointer, Load, !Load, Shape->Length * Element);
  for (MappedAccess &A : MutableArrayRef(Accesses).drop_front(Since))
    A.Fragment = Call;
  leaveLoop(Before, {});
  return true;
}

/// `&count[i]` of `atomicAdd(&count[i], 1)`: the element is read and written. What is not seen to
/// be an element is left to calleeAccesses().
void SymbolicRun::update(const Expr *To) {
  const SymValue P = evaluate(To);
  const QualType T = To->getType()->isPointerType() ? To->getType()->getPointeeType() : QualType();
  if (!T.isNull() && sizeOf(T) && P.Kind == SymValue::Pointer && !P.Anywhere && P.Object &&
      P.Object->hasAttr<CUDASharedAttr>() && P.Number)
    note({Place::Memory, P.Object, P.Number, P.Column, P.Good}, To, true, true, sizeOf(T));
}

/// The toolkit's and the bundled ones, by value.
SymValue SymbolicRun::minOrMax(const CallExpr *Call, const FunctionDecl *Callee) {
  if (!Callee->getIdentifier() || Call->getNumArgs() != 2 ||
      !Call->getType()->isIntegralOrEnumerationType() ||
      !Callee->getDeclContext()->getRedeclContext()->isTranslationUnit())
    return SymValue();
  StringRef Name = Callee->getName();
  if (Name != "min" && Name != "max" && Name != "umin" && Name != "umax")
    return SymValue();
  // A function of the user's may do something else.
  if (!isLibraryFunction(Callee, Context))
    return SymValue();
  const Expr *L = Call->getArg(0), *R = Call->getArg(1);
  if (!L->getType()->isIntegralOrEnumerationType() ||
      !R->getType()->isIntegralOrEnumerationType() || L->isGLValue() || R->isGLValue())
    return SymValue();
  SymValue A = asInteger(evaluate(L), L), B = asInteger(evaluate(R), R);
  if (A.Kind != SymValue::Int || B.Kind != SymValue::Int)
    return opaque(Call);
  bool Min = Name.ends_with("min");
  IslPwAff N(Min ? isl_pw_aff_min(A.Number.take(), B.Number.take())
                 : isl_pw_aff_max(A.Number.take(), B.Number.take()));
  // One of two numbers of a type is one of that type.
  const bool Same = Context.hasSameUnqualifiedType(L->getType(), Call->getType()) &&
                    Context.hasSameUnqualifiedType(R->getType(), Call->getType());
  return Same || fits(N, Call->getType()) ? SymValue::integer(N) : opaque(Call);
}

SymValue SymbolicRun::inlined(const CallExpr *Call, const FunctionDecl *Body) {
  VarMap Values;
  DeclMap<VarDecl, Place> Bound;
  for (unsigned I = 0; I < Call->getNumArgs(); ++I) {
    const Expr *Arg = Call->getArg(I);
    if (I >= Body->getNumParams()) {
      argument(Arg);
      continue;
    }
    const ParmVarDecl *Param = Body->getParamDecl(I);
    QualType T = Param->getType();
    const auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(Arg->IgnoreParens());
    if (Temporary && T->isReferenceType() && T->getPointeeType().isConstQualified()) {
      // An object of its own, with that value.
      Bound[Param] = {Place::Local, Param, {}};
      Values[Param] = evaluateInitializer(Temporary->getSubExpr(), T->getPointeeType());
    } else if (T->isReferenceType()) {
      Bound[Param] = place(Arg);
    } else {
      Values[Param] = evaluateInitializer(Arg, T);
    }
  }
  auto [Names, New] = NamesTaken.try_emplace(Body);
  if (New)
    Names->second = namedElsewhere(Body->getBody(), Context, Body, NamesThat::Change);
  for (const ValueDecl *D : Names->second)
    if (const auto *Var = dyn_cast<VarDecl>(D))
      Escaped.insert(Var);
  for (auto &[Param, V] : Values)
    set(Param, V);
  for (auto &[Param, At] : Bound)
    References[Param] = At;
  // A part of it may be behind a return.
  SaveAndRestore Known(NoOverflow);
  SaveAndRestore Depth(CallDepth, CallDepth + 1);
  const DeclMap<VarDecl, unsigned> VersionBefore = Version;
  Calls.push_back({Body, Loops.size(), Syms.never(), {}, false, std::nullopt});
  execute(Body->getBody());
  CallFrame Frame = std::move(Calls.back());
  Calls.pop_back();
  // Nothing but what left the whole loop, which is refused elsewhere, does not come back.
  if (Frame.GoneInLoop) {
    for (const auto &[Var, N] : DeclMap<VarDecl, unsigned>(Version))
      if (auto Before = VersionBefore.find(Var);
          Before == VersionBefore.end() || Before->second != N)
        forget(Var);
  } else {
    mergeVars(Frame.VarsGone, Frame.Gone, Live);
  }
  Live = Live | Frame.Gone;
  for (const ParmVarDecl *Param : Body->parameters()) {
    Vars.erase(Param);
    References.erase(Param);
  }
  QualType T = Call->getType();
  if (Frame.Result && Frame.Result->Kind != SymValue::None)
    return *Frame.Result;
  if (T->isPointerType())
    return pointerOf(Call);
  return T->isIntegralOrEnumerationType() ? someNumber(T) : SymValue();
}

} // namespace cuda_pipeline
