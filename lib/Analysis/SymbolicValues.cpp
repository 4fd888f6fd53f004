//===- SymbolicValues.cpp - Expressions and their values ------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SymbolicRun.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

constexpr unsigned MaxExprDepth = 200;
/// A value with more pieces (one per path that leads to it) becomes a symbol.
constexpr int MaxPieces = 12;

bool isNumber(QualType T) { return T->isIntegralOrEnumerationType(); }

/// Memory that a kernel finds as the host has left it: not what it has in variables and shared
/// arrays of its own, nor a table that the file fills.
bool isOfHost(const RootSet &Roots) {
  return !Roots.empty() && all_of(Roots, [](const MemoryRoot &R) {
    const auto *Var = dyn_cast_or_null<VarDecl>(R.Decl);
    return R.In == Space::Global || R.In == Space::Param ||
           (R.In == Space::Constant && Var && !Var->hasInit());
  });
}

bool few(const IslPwAff &A) { return A && isl_pw_aff_n_piece(A.get()) <= MaxPieces; }

} // namespace

//===-- What is not followed ------------------------------------------------------===//

SymValue SymbolicRun::someNumber(QualType T, SymbolKind Kind, std::string Text) {
  std::string Name = Syms.add(Kind, nest(), std::move(Text));
  IslPwAff A = Syms.use(Name);
  Syms.know(Name, Syms.valuesOf(T, Context));
  Syms.isLost(Name);
  return SymValue::integer(A);
}

IslSet SymbolicRun::unknownCondition() {
  return compare(isl_pw_aff_eq_set, someNumber(Context.BoolTy).Number, Syms.constant(1));
}

/// A symbol; the same one for the same expression of the same values.
SymValue SymbolicRun::opaque(const Expr *E) {
  QualType T = E->getType();
  if (T->isPointerType())
    return pointerOf(E);
  if (!isNumber(T))
    return SymValue();
  DeclSet<VarDecl> Mentioned = mentionedVars(E);
  size_t Depth = 0;
  bool Bound = false;
  for (const VarDecl *Var : Mentioned) {
    Depth = std::max(Depth, depthOf(Var));
    Bound |= References.count(Var) != 0;
  }
  Effects Eff = F.Function->Collector.collect(E);
  bool Pure = !Bound && CallDepth == 0;
  for (const VarDecl *Var : Mentioned)
    Pure &= isTracked(Var) && (!BeforeLoop || keepsItsValue(Var));
  for (const Access &A : Eff.Accesses) {
    Pure &= !A.Write && !A.Volatile;
    for (const MemoryRoot &R : A.Roots) {
      const auto *Var = dyn_cast_or_null<VarDecl>(R.Decl);
      // Memory that nobody changes while the kernel runs is as good as a value.
      bool Fixed = R.In == Space::Constant || (R.In == Space::Global && isReadOnlyParameter(Var));
      Pure &=
          Fixed || (Var && Mentioned.count(Var) && (R.In == Space::Local || R.In == Space::Param));
    }
  }
  for (const Action &A : Eff.Actions)
    Pure &= A.Kind == Action::Call && A.Function == FunctionKind::Pure;
  if (!Pure)
    Depth = Loops.size();

  SymbolKind Kind = SymbolKind::Private;
  if (CallDepth == 0 && !Bound && Depth == 0 && U.isUniform(E))
    Kind = SymbolKind::Uniform;
  SmallVector<Memo, 1> *Known = nullptr;
  FoldingSetNodeID Id;
  if (Pure) {
    E->IgnoreParenImpCasts()->Profile(Id, Context, true);
    Id.AddPointer(T.getCanonicalType().getTypePtr());
    Id.AddInteger(Depth ? Loops[Depth - 1].Serial : 0);
    for (const VarDecl *Var : Mentioned)
      Id.AddInteger(Version.count(Var) ? Version[Var] : 0);
    Known = &Memos[Id.ComputeHash()];
    for (const Memo &M : *Known)
      if (M.Id == Id)
        return SymValue::integer(Syms.use(M.Name));
  }
  std::string Name =
      Syms.add(Kind, nest(Depth), Kind == SymbolKind::Uniform ? textOf(E, Context) : "");
  IslPwAff A = Syms.use(Name);
  Syms.know(Name, Syms.valuesOf(T, Context));
  if (std::optional<ValueRange> Range = CallDepth == 0 ? F.Values->range(E) : std::nullopt)
    Syms.know(Name, Syms.bounds(Range->Lo, Range->Hi));
  // A parameter, and what is found in memory that the host has filled, may be anything; of what is
  // computed, or set somewhere, nobody knows.
  const Expr *Plain = E->IgnoreParenImpCasts();
  const auto *Param = dyn_cast_or_null<ParmVarDecl>(referencedVar(Plain));
  const auto *Star = dyn_cast<UnaryOperator>(Plain);
  const bool Element =
      isa<ArraySubscriptExpr, MemberExpr>(Plain) || (Star && Star->getOpcode() == UO_Deref);
  const bool OfMemory = Element && isOfHost(F.Collector->rootsOf(Plain));
  Syms.isLost(Name, !(Param && F.Values->isUnchangedParameter(Param)) && !OfMemory);
  Syms.isOfMemory(Name, OfMemory);
  // Before the loop it is asked for once, or it is the same whenever it is.
  Syms.isSteady(Name, Kind == SymbolKind::Uniform &&
                          (BeforeLoop || (Pure && none_of(Mentioned, [&](const VarDecl *Var) {
                                            return F.Modified.count(Var) ||
                                                   F.DeclaredInBody.count(Var);
                                          }))));
  if (Known)
    Known->push_back({Id, Name});
  return SymValue::integer(A);
}

/// Everything that \p S may touch may be touched anywhere; variables that it assigns have some
/// value.
SymValue SymbolicRun::notFollowed(const Stmt *S) {
  for (const Access &A : F.Function->Collector.collect(S).Accesses)
    noteEffects(A);
  const auto *E = dyn_cast<Expr>(S);
  if (E && isNumber(E->getType()))
    return someNumber(E->getType());
  return E && E->getType()->isPointerType() ? pointerOf(E) : SymValue();
}

//===-- What is known of a number -------------------------------------------------===//

/// For one number. Most are told within a thousand, `k ^ (x & 7)` within 10,000; what cannot be
/// told has taken all that it was given, 6 s for 600,000.
static constexpr unsigned long OperationsOfNumber = 16000;

/// So long as it is there isl has no more than OperationsOfNumber: one number that nobody can say
/// anything of is not all that the run is worth.
class SymbolicRun::OneNumber {
public:
  explicit OneNumber(SymbolicRun &Run) : Run(Run), Counts(!Run.Syms.exhausted()) {
    if (Counts) {
      ++Run.NumberDepth;
      Run.Syms.allow(allowed());
    }
  }
  OneNumber(const OneNumber &) = delete;
  OneNumber &operator=(const OneNumber &) = delete;
  ~OneNumber() {
    if (!Counts)
      return;
    --Run.NumberDepth;
    if (isTooHard())
      Run.OperationsLeft -= std::min(OperationsOfNumber, Run.OperationsLeft - 1);
    Run.Syms.allow(allowed());
  }
  bool isTooHard() const { return Run.Syms.exhausted(); }

private:
  SymbolicRun &Run;
  const bool Counts; ///< or the run has none left

  unsigned long allowed() const {
    return Run.NumberDepth ? std::min(OperationsOfNumber, Run.OperationsLeft) : Run.OperationsLeft;
  }
};

/// \p Condition is true wherever the run stands. \p About: the value that it speaks of.
bool SymbolicRun::holds(const IslSet &Condition, const IslPwAff &About) {
  IslSet Domain(isl_pw_aff_domain(About.take()));
  IslSet Here = Syms.withFacts(Syms.withFacts(here() & Domain, Domain), Condition);
  OneNumber Hard(*this);
  return answer(isl_set_is_subset(Here.get(), Condition.get())) == Answer::Yes;
}

/// Where the run stands, with the facts. Asked for every operation, and most leave it as it is.
/// Sets are not changed but replaced, so that the same one is the same pointer as long as it is
/// kept.
const IslSet &SymbolicRun::here() {
  if (Live.get() != Here.Live.get() || NoOverflow.get() != Here.NoOverflow.get())
    Here = {Live, NoOverflow, Syms.withFacts(Live & NoOverflow)};
  return Here.Both;
}

bool SymbolicRun::fits(const IslPwAff &A, QualType T) {
  IslSet Range = A && isNumber(T) ? Syms.inType(A, T, Context) : IslSet();
  return Range && holds(Range, A);
}

IslSet SymbolicRun::asCondition(const SymValue &V, const Expr *E) {
  if (V.Kind == SymValue::Bool)
    return V.True;
  if (V.Kind == SymValue::Int && V.Number)
    return compare(isl_pw_aff_ne_set, V.Number, Syms.constant(0));
  // The same condition is the same symbol.
  if (SymValue O = opaque(E); O.Kind == SymValue::Int)
    return compare(isl_pw_aff_ne_set, O.Number, Syms.constant(0));
  return unknownCondition();
}

SymValue SymbolicRun::asInteger(SymValue V, const Expr *E) {
  if (V.Kind == SymValue::Bool) {
    // 1 where true, 0 elsewhere.
    IslPwAff One(isl_pw_aff_intersect_domain(Syms.constant(1).take(), V.True.take()));
    IslPwAff Zero(
        isl_pw_aff_intersect_domain(Syms.constant(0).take(), Syms.negation(V.True).take()));
    return SymValue::integer(IslPwAff(isl_pw_aff_union_add(One.take(), Zero.take())));
  }
  usesAddress(V);
  return V.Kind == SymValue::Int && V.Number ? V : opaque(E);
}

/// Every number of the type \p Narrow is one of the type \p Wide.
bool SymbolicRun::holdsAll(QualType Wide, QualType Narrow) const {
  const Bounds W = Syms.valuesOf(Wide, Context), N = Syms.valuesOf(Narrow, Context);
  return W && N && answer(isl_val_le(W.Least.get(), N.Least.get())) == Answer::Yes &&
         answer(isl_val_ge(W.Most.get(), N.Most.get())) == Answer::Yes;
}

/// The number \p A of the type \p From in another type; null where it may not be the same number
/// there.
IslPwAff SymbolicRun::converted(const IslPwAff &A, QualType From, QualType To) {
  if (A && isNumber(From) && isNumber(To) && holdsAll(To, From))
    return A;
  IslSet Range = A && isNumber(To) ? Syms.inType(A, To, Context) : IslSet();
  // It is one of its own type.
  IslSet Own = A && isNumber(From) ? Syms.inType(A, From, Context) : IslSet();
  IslPwAff Known = Range && Own ? IslPwAff(isl_pw_aff_intersect_domain(A.take(), Own.take())) : A;
  if (!Range || !holds(Range, Known))
    return IslPwAff();
  // What comes after knows of it, as of a product: `first + t * 64 + threadIdx.x`.
  if (Own && From->isSignedIntegerOrEnumerationType() && !holds(Own, A))
    NoOverflow = NoOverflow & Own;
  return A;
}

//===-- Expressions ---------------------------------------------------------------===//

SymValue SymbolicRun::evaluate(const Expr *E) {
  SaveAndRestore Depth(ExprDepth, ExprDepth + 1);
  if (ExprDepth > MaxExprDepth) {
    GaveUp = true;
    return SymValue();
  }
  if (std::optional<BuiltinIndex> B = asBuiltinIndex(E))
    return builtin(*B, E);
  if (std::optional<BlockNumber> N = asBlockNumber(E); N && isNumber(E->getType()))
    return blockNumber(*N);
  if (isNumber(E->getType()) && !E->isValueDependent())
    if (std::optional<int64_t> N = constantValue(E, Context))
      return SymValue::integer(Syms.constant(*N));
  if (const auto *Paren = dyn_cast<ParenExpr>(E))
    return evaluate(Paren->getSubExpr());
  if (const auto *Full = dyn_cast<FullExpr>(E))
    return evaluate(Full->getSubExpr());
  if (const auto *Subst = dyn_cast<SubstNonTypeTemplateParmExpr>(E))
    return evaluate(Subst->getReplacement());
  if (const auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(E))
    return evaluate(Temporary->getSubExpr());
  if (const auto *Bind = dyn_cast<CXXBindTemporaryExpr>(E))
    return evaluate(Bind->getSubExpr());
  if (const auto *Default = dyn_cast<CXXDefaultArgExpr>(E))
    return evaluate(Default->getExpr());
  if (const auto *Cast = dyn_cast<CastExpr>(E))
    return cast(Cast);
  if (const auto *Op = dyn_cast<UnaryOperator>(E))
    return unary(Op);
  if (const auto *Op = dyn_cast<BinaryOperator>(E))
    return binary(Op);
  if (const auto *Cond = dyn_cast<ConditionalOperator>(E))
    return conditional(Cond);
  if (const auto *Call = dyn_cast<CallExpr>(E))
    return call(Call);
  if (isa<DeclRefExpr>(E) || isa<ArraySubscriptExpr>(E) || isa<MemberExpr>(E)) {
    place(E); // an lvalue that is not read here
    return SymValue();
  }
  if (isa<IntegerLiteral>(E) || isa<FloatingLiteral>(E) || isa<CXXBoolLiteralExpr>(E) ||
      isa<CharacterLiteral>(E) || isa<clang::StringLiteral>(E) || isa<CXXNullPtrLiteralExpr>(E) ||
      isa<UnaryExprOrTypeTraitExpr>(E) || isa<ImplicitValueInitExpr>(E) ||
      isa<CXXScalarValueInitExpr>(E))
    return isNumber(E->getType()) ? opaque(E) : SymValue();
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(E)) {
    size_t Since = Accesses.size();
    bool Copies = Construct->getConstructor()->isCopyOrMoveConstructor() &&
                  copiesBytes(E->getType(), Context);
    for (const Expr *Arg : Construct->arguments())
      Copies ? readObject(Arg) : argument(Arg);
    if (!Copies)
      calleeAccesses(Construct, Since);
    return SymValue();
  }
  if (isa<InitListExpr>(E)) {
    for (const Stmt *Child : E->children())
      if (const auto *Sub = dyn_cast_or_null<Expr>(Child))
        evaluate(Sub);
    return SymValue();
  }
  return notFollowed(E);
}

/// The value of a variable of the type \p T that \p E initialises.
SymValue SymbolicRun::evaluateInitializer(const Expr *E, QualType T) {
  SymValue V = evaluate(E);
  if (T->isPointerType())
    return V.Kind == SymValue::Pointer ? V : pointerOf(E);
  if (isNumber(T))
    return V.Kind == SymValue::Bool || holdsAddress(V, T) ? V : asInteger(std::move(V), E);
  return SymValue();
}

/// An address of shared memory, which has 32 bits at most, in a type that holds it.
bool SymbolicRun::holdsAddress(const SymValue &V, QualType T) const {
  return V.Kind == SymValue::Address && isNumber(T) && Context.getIntWidth(T) >= 32;
}

SymValue SymbolicRun::builtin(const BuiltinIndex &B, const Expr *E) {
  unsigned Extents[3] = {Block.X, Block.X ? Block.Y : 0, Block.X ? Block.Z : 0};
  switch (B.Var) {
  case BuiltinVar::WarpSize:
    return SymValue::integer(Syms.constant(32));
  case BuiltinVar::ThreadIdx:
    return SymValue::integer(Syms.use(std::string("t") + B.Dim));
  case BuiltinVar::BlockDim:
    if (unsigned N = Extents[B.Dim - 'x'])
      return SymValue::integer(Syms.constant(N));
    AsksForBlock = true;
    return SymValue::integer(Syms.use(std::string("n") + B.Dim));
  default:
    return opaque(E);
  }
}

SymValue SymbolicRun::blockNumber(BlockNumber N) {
  if (Block.X == 0) {
    AsksForBlock = true;
    const int64_t Most = F.Values->maxThreads();
    const bool Rank = N == BlockNumber::Rank;
    const StringRef Name = Rank ? "rank" : "threads";
    if (!Syms.find(Name))
      Syms.add(Name, {Rank ? SymbolKind::Private : SymbolKind::Uniform,
                      {},
                      Rank ? Syms.bounds(0, Most - 1) : Syms.bounds(1, Most),
                      Rank ? "thread_rank()" : "num_threads()"});
    Syms.isSteady(Name, !Rank);
    return SymValue::integer(Syms.use(Name));
  }
  if (N == BlockNumber::Size)
    return SymValue::integer(Syms.constant(int64_t(Block.X) * Block.Y * Block.Z));
  return SymValue::integer(Syms.use("tx") + Syms.scaled(Syms.use("ty"), Block.X) +
                           Syms.scaled(Syms.use("tz"), int64_t(Block.X) * Block.Y));
}

SymValue SymbolicRun::cast(const CastExpr *Cast) {
  const Expr *Sub = Cast->getSubExpr();
  switch (Cast->getCastKind()) {
  case CK_LValueToRValue:
    return read(Sub, Cast);
  case CK_NoOp:
  case CK_ConstructorConversion:
  case CK_UserDefinedConversion:
    return evaluate(Sub);
  case CK_ArrayToPointerDecay:
    return addressOf(place(Sub));
  case CK_BitCast:
  case CK_AddressSpaceConversion: {
    SymValue V = evaluate(Sub);
    return V.Kind == SymValue::Pointer ? V : pointerOf(Cast);
  }
  case CK_IntegralCast:
  case CK_BooleanToSignedIntegral: {
    SymValue V = evaluate(Sub);
    if (holdsAddress(V, Cast->getType()))
      return V;
    V = asInteger(std::move(V), Sub);
    if (V.Kind == SymValue::Int)
      if (IslPwAff N = converted(V.Number, Sub->getType(), Cast->getType()))
        return SymValue::integer(N);
    const bool AsWide = isNumber(Sub->getType()) && Context.getIntWidth(Sub->getType()) <= 32;
    return wrapped(Cast, AsWide && V.Kind == SymValue::Int ? V.Number : IslPwAff());
  }
  case CK_IntegralToBoolean:
  case CK_PointerToBoolean:
    return SymValue::boolean(asCondition(evaluate(Sub), Sub));
  case CK_ToVoid:
    evaluate(Sub);
    return SymValue();
  case CK_NullToPointer:
    return SymValue::elsewhere();
  default:
    usesAddress(evaluate(Sub));
    return opaque(Cast);
  }
}

SymValue SymbolicRun::unary(const UnaryOperator *Op) {
  const Expr *Sub = Op->getSubExpr();
  switch (Op->getOpcode()) {
  case UO_AddrOf: {
    Place At = place(Sub);
    if (At.Kind == Place::Local)
      Escaped.insert(At.Var);
    return addressOf(At);
  }
  case UO_Plus:
  case UO_Extension:
    return evaluate(Sub);
  case UO_Minus: {
    SymValue V = evaluate(Sub);
    if (!isNumber(Op->getType()))
      return SymValue();
    V = asInteger(std::move(V), Sub);
    if (V.Kind == SymValue::Int)
      if (IslPwAff N = arithmetic(BO_Sub, Syms.constant(0), V.Number, Op->getType()))
        return SymValue::integer(N);
    return opaque(Op);
  }
  case UO_LNot:
    return SymValue::boolean(Syms.negation(asCondition(evaluate(Sub), Sub)));
  case UO_PreInc:
  case UO_PreDec:
  case UO_PostInc:
  case UO_PostDec: {
    Place At = place(Sub);
    QualType T = Sub->getType();
    if (At.Kind != Place::Local) {
      assign(At, Sub, SymValue(), true);
      return isNumber(T) ? someNumber(T) : T->isPointerType() ? pointerOf(Op) : SymValue();
    }
    SymValue Old = valueOf(At.Var, Sub), New;
    BinaryOperatorKind Kind = Op->isIncrementOp() ? BO_Add : BO_Sub;
    if (T->isPointerType()) {
      New = moved(Old, Syms.constant(1), T->getPointeeType(), Kind == BO_Add ? 1 : -1);
    } else if (isNumber(T)) {
      // Narrow types are promoted and converted back.
      QualType In = Context.getIntWidth(T) < Context.getIntWidth(Context.IntTy) ? Context.IntTy : T;
      Old = asInteger(std::move(Old), Sub);
      IslPwAff N = Old.Kind == SymValue::Int ? arithmetic(Kind, Old.Number, Syms.constant(1), In)
                                             : IslPwAff();
      N = N ? converted(N, In, T) : N;
      New = few(N) ? SymValue::integer(N) : someNumber(T);
    }
    set(At.Var, New);
    return Op->isPostfix() ? Old : New;
  }
  case UO_Deref:
    place(Op);
    return SymValue();
  default:
    evaluate(Sub);
    return opaque(Op);
  }
}

SymValue SymbolicRun::binary(const BinaryOperator *Op) {
  if (const auto *Compound = dyn_cast<CompoundAssignOperator>(Op))
    return compound(Compound);
  if (Op->isAssignmentOp())
    return assignment(Op);
  const Expr *L = Op->getLHS(), *R = Op->getRHS();
  if (Op->getOpcode() == BO_Comma) {
    evaluate(L);
    return evaluate(R);
  }
  if (Op->isLogicalOp())
    return logical(Op);
  SymValue A = evaluate(L), B = evaluate(R);
  // A place compared with another one, or counted from it.
  if (Op->isComparisonOp() || !Op->getType()->isPointerType()) {
    const auto IsPlace = [](const Expr *E) { return E->getType()->isPointerType(); };
    if (IsPlace(L) && IsPlace(R)) {
      usesAddress(A);
      usesAddress(B);
    }
  }
  if (Op->isComparisonOp())
    return comparison(Op, std::move(A), std::move(B));
  if (Op->getType()->isPointerType()) {
    bool Left = L->getType()->isPointerType();
    SymValue P = Left ? A : B, I = Left ? asInteger(B, R) : asInteger(A, L);
    if (P.Kind != SymValue::Pointer)
      return pointerOf(Op);
    return moved(P, I.Kind == SymValue::Int ? I.Number : IslPwAff(),
                 Op->getType()->getPointeeType(), Op->getOpcode() == BO_Sub ? -1 : 1, Left ? R : L);
  }
  if (!isNumber(Op->getType()))
    return SymValue();
  if (L->getType()->isPointerType())
    return opaque(Op); // a difference of pointers
  if (SymValue Moved = movedAddress(Op->getOpcode(), A, B, L, R, Op->getType());
      Moved.Kind == SymValue::Address)
    return Moved;
  A = asInteger(std::move(A), L);
  B = asInteger(std::move(B), R);
  if (A.Kind == SymValue::Int && B.Kind == SymValue::Int)
    if (IslPwAff N = arithmetic(Op->getOpcode(), A.Number, B.Number, Op->getType()); few(N))
      return SymValue::integer(N);
  return opaque(Op);
}

/// A number that differs from the integer \p E by a multiple of 2^32: sums of variables, as if
/// nothing went round. Null for others, among them all that does anything but compute.
IslPwAff SymbolicRun::modular(const Expr *E) {
  E = E->IgnoreParens();
  if (!isNumber(E->getType()))
    return IslPwAff();
  const bool Wide = !E->getType()->isBooleanType() && Context.getIntWidth(E->getType()) >= 32;
  const auto *Cast = dyn_cast<CastExpr>(E);
  if (Wide && Cast && Cast->getCastKind() == CK_IntegralCast)
    return modular(Cast->getSubExpr());
  if (const auto *Op = dyn_cast<BinaryOperator>(E); Wide && Op && Op->isAdditiveOp()) {
    IslPwAff A = modular(Op->getLHS()), B = A ? modular(Op->getRHS()) : IslPwAff();
    return !B ? B : Op->getOpcode() == BO_Add ? A + B : A - B;
  }
  if (const auto *Op = dyn_cast<BinaryOperator>(E); Wide && Op && Op->getOpcode() == BO_Mul) {
    const auto L = constantValue(Op->getLHS(), Context), R = constantValue(Op->getRHS(), Context);
    const auto Factor = L ? L : R;
    if (Factor && !(L && R) && isInt<32>(*Factor)) {
      IslPwAff A = modular(L ? Op->getRHS() : Op->getLHS());
      return A ? Syms.scaled(A, *Factor) : A;
    }
  }
  // Evaluated once more: nothing may happen in it.
  if (!isPlain(E))
    return IslPwAff();
  SymValue V = evaluate(E);
  return V.Kind == SymValue::Int ? V.Number : IslPwAff();
}

/// Arithmetic on local variables, indices and constants.
bool SymbolicRun::isPlain(const Expr *E) {
  E = E->IgnoreParens();
  if (asBuiltinIndex(E) || constantValue(E, Context))
    return true;
  if (const auto *Op = dyn_cast<BinaryOperator>(E))
    return (Op->isAdditiveOp() || Op->isMultiplicativeOp()) && isPlain(Op->getLHS()) &&
           isPlain(Op->getRHS());
  const auto *Cast = dyn_cast<CastExpr>(E);
  if (!Cast || Cast->getCastKind() != CK_LValueToRValue)
    return Cast && Cast->getCastKind() == CK_IntegralCast && isPlain(Cast->getSubExpr());
  const VarDecl *Var = referencedVar(Cast->getSubExpr());
  return Var && placeOf(Var).Kind == Place::Local;
}

/// An unsigned number of 32 bits that is \p N, or has gone round once: `threadIdx.x < left` with an
/// int, `t + threadIdx.x`. Null for others, and for what is in many pieces already.
IslPwAff SymbolicRun::goneRound(const IslPwAff &N, QualType T) {
  constexpr int64_t Round = int64_t(1) << 32;
  if (!N || !T->isUnsignedIntegerType() || T->isBooleanType() || Context.getIntWidth(T) != 32 ||
      isl_pw_aff_n_piece(N.get()) > 2)
    return IslPwAff();
  LeavesRound |= Unsigned == UnsignedNumbers::Any;
  if (Unsigned == UnsignedNumbers::Any || !holds(Syms.between(N, -Round, 2 * Round - 1), N))
    return IslPwAff();
  IslPwAff Result;
  for (int64_t Rounds : {-1, 0, 1}) {
    IslSet Where = Syms.between(N, Rounds * Round, (Rounds + 1) * Round - 1);
    IslPwAff Here(
        isl_pw_aff_intersect_domain((N - Syms.constant(Rounds * Round)).take(), Where.take()));
    Result = Result ? IslPwAff(isl_pw_aff_union_add(Result.take(), Here.take())) : Here;
  }
  return Result;
}

/// A number of 32 bits that may go round, \p N before it was converted: `int k = k0 + threadIdx.x;`
/// is a sum of unsigned ones.
SymValue SymbolicRun::wrapped(const Expr *E, const IslPwAff &N) {
  const QualType T = E->getType();
  if (IslPwAff Round = goneRound(N, T))
    return SymValue::integer(Round);
  if (T->isSignedIntegerType() && Context.getIntWidth(T) == 32)
    // In one piece, and not of unsigned comparisons: isl's time for remainders grows fast.
    if (IslPwAff Sum = modular(E); Sum && isl_pw_aff_n_piece(Sum.get()) == 1) {
      IslPwAff Lowest = Syms.constant(minIntN(32));
      IslPwAff Above(isl_pw_aff_mod_val((Sum - Lowest).take(),
                                        isl_val_int_from_si(Syms.isl(), int64_t(1) << 32)));
      return SymValue::integer(Above + Lowest);
    }
  return opaque(E);
}

/// An address of shared memory, so many bytes further; otherwise nothing. It does not go round:
/// what is \p Bytes away from an array's element within that array is so in any type that holds
/// both.
SymValue SymbolicRun::movedAddress(BinaryOperatorKind Kind, const SymValue &A, const SymValue &B,
                                   const Expr *L, const Expr *R, QualType T) {
  const bool Swapped = Kind == BO_Add && B.Kind == SymValue::Address && A.Kind != SymValue::Address;
  const SymValue &Base = Swapped ? B : A;
  if ((Kind != BO_Add && Kind != BO_Sub) || !holdsAddress(Base, T) ||
      (!Swapped && B.Kind == SymValue::Address))
    return SymValue();
  SymValue By = Swapped ? asInteger(A, L) : asInteger(B, R);
  if (By.Kind != SymValue::Int || !By.Number || !fits(By.Number, Context.IntTy))
    return SymValue();
  const IslPwAff Moved = Syms.scaled(By.Number, Kind == BO_Sub ? -1 : 1);
  return SymValue::address(Base.Object, Base.Number + Moved,
                           Base.Column ? Base.Column + Moved : IslPwAff());
}

static IslSet compared(BinaryOperatorKind Kind, const IslPwAff &A, const IslPwAff &B) {
  switch (Kind) {
  case BO_LT:
    return compare(isl_pw_aff_lt_set, A, B);
  case BO_LE:
    return compare(isl_pw_aff_le_set, A, B);
  case BO_GT:
    return compare(isl_pw_aff_gt_set, A, B);
  case BO_GE:
    return compare(isl_pw_aff_ge_set, A, B);
  case BO_EQ:
    return compare(isl_pw_aff_eq_set, A, B);
  default:
    return compare(isl_pw_aff_ne_set, A, B);
  }
}

SymValue SymbolicRun::comparison(const BinaryOperator *Op, SymValue A, SymValue B) {
  const Expr *L = Op->getLHS(), *R = Op->getRHS();
  if (!isNumber(L->getType()) || !isNumber(R->getType()))
    return SymValue::boolean(asCondition(SymValue(), Op));
  A = asInteger(std::move(A), L);
  B = asInteger(std::move(B), R);
  if (A.Kind != SymValue::Int || B.Kind != SymValue::Int)
    return SymValue::boolean(asCondition(SymValue(), Op));
  if (!Op->isComparisonOp())
    return opaque(Op);
  std::optional<IslSet> Told;
  {
    OneNumber Hard(*this);
    Told = compared(Op->getOpcode(), A.Number, B.Number);
    if (Hard.isTooHard())
      Told.reset();
  }
  return SymValue::boolean(Told ? *Told : asCondition(SymValue(), Op));
}

SymValue SymbolicRun::logical(const BinaryOperator *Op) {
  const Expr *L = Op->getLHS(), *R = Op->getRHS();
  IslSet A = asCondition(evaluate(L), L);
  bool And = Op->getOpcode() == BO_LAnd;
  IslSet Before = Live;
  VarMap VarsBefore = Vars;
  Live = Live & (And ? A : Syms.negation(A));
  SaveAndRestore Known(NoOverflow);
  IslSet B = asCondition(evaluate(R), R);
  mergeVars(VarsBefore, Before - Live, Live);
  Live = Before;
  return SymValue::boolean(And ? A & B : A | B);
}

/// The result has the type \p T, and so have the operands (but for a shift's second one).
IslPwAff SymbolicRun::arithmetic(BinaryOperatorKind Kind, const IslPwAff &A, const IslPwAff &B,
                                 QualType T) {
  if (!A || !B)
    return IslPwAff();
  const IslSet Known = NoOverflow;
  OneNumber Hard(*this);
  IslPwAff N = arithmeticAsFar(Kind, A, B, T);
  if (!Hard.isTooHard())
    return N;
  NoOverflow = Known;
  return IslPwAff();
}

/// The same, as far as isl gets.
IslPwAff SymbolicRun::arithmeticAsFar(BinaryOperatorKind Kind, const IslPwAff &A, const IslPwAff &B,
                                      QualType T) {
  std::optional<int64_t> CA = Syms.asConstant(A), CB = Syms.asConstant(B);
  auto Result = [&](IslPwAff N) {
    // There is no overflow of signed types. Narrower ones than int do not occur.
    bool Exact = T->isSignedIntegerOrEnumerationType() && Context.getIntWidth(T) >= 32;
    if (!N || (!Exact && !fits(N, T)))
      return goneRound(N, T);
    // What comes after knows of it: `t * 64 + threadIdx.x` is unsigned.
    if (Exact && Kind == BO_Mul && !fits(N, T))
      NoOverflow = NoOverflow & Syms.inType(N, T, Context);
    return N;
  };
  auto NonNegative = [&](const IslPwAff &N) {
    return holds(compare(isl_pw_aff_ge_set, N, Syms.constant(0)), N);
  };
  auto Divided = [&](int64_t By, bool Remainder) {
    IslPwAff D = Syms.constant(By);
    return Result(IslPwAff(Remainder ? isl_pw_aff_tdiv_r(A.take(), D.take())
                                     : isl_pw_aff_tdiv_q(A.take(), D.take())));
  };
  switch (Kind) {
  case BO_Add:
    return Result(A + B);
  case BO_Sub:
    return Result(A - B);
  case BO_Mul:
    if (CB)
      return Result(Syms.scaled(A, *CB));
    if (CA)
      return Result(Syms.scaled(B, *CA));
    return Result(multipleOfExtent(A, B));
  case BO_Shl:
    // Also a signed one may lose bits.
    if (CB && *CB >= 0 && *CB < 31)
      if (IslPwAff N = Syms.scaled(A, int64_t(1) << *CB); fits(N, T))
        return N;
    return IslPwAff();
  case BO_Div:
  case BO_Rem:
    return CB && *CB > 0 ? Divided(*CB, Kind == BO_Rem) : IslPwAff();
  case BO_Shr:
    return CB && *CB >= 0 && *CB < 31 && NonNegative(A) ? Divided(int64_t(1) << *CB, false)
                                                        : IslPwAff();
  case BO_And: {
    // x & (2^n - 1)
    const IslPwAff &X = CB ? A : B;
    std::optional<int64_t> Mask = CB ? CB : CA;
    if (!Mask || *Mask < 0 || *Mask == INT64_MAX || (*Mask & (*Mask + 1)) || !NonNegative(X))
      return IslPwAff();
    return Result(IslPwAff(isl_pw_aff_tdiv_r(X.take(), Syms.constant(*Mask + 1).take())));
  }
  case BO_Or:
    // (x << n) | y with y < 2^n: a sum. So it is where x has no bits below some power of two that y
    // stays below.
    for (unsigned Bits = 1; Bits < 20; ++Bits) {
      int64_t Power = int64_t(1) << Bits;
      for (bool Swapped : {false, true}) {
        const IslPwAff &High = Swapped ? B : A, &Low = Swapped ? A : B;
        IslPwAff Rest(isl_pw_aff_mod_val(High.take(), isl_val_int_from_si(Syms.isl(), Power)));
        IslSet Good = compare(isl_pw_aff_eq_set, Rest, Syms.constant(0)) &
                      compare(isl_pw_aff_ge_set, High, Syms.constant(0)) &
                      Syms.between(Low, 0, Power - 1);
        if (holds(Good, A + B))
          return Result(A + B);
      }
    }
    return IslPwAff();
  case BO_Xor:
    return Result(exclusiveOr(A, B));
  default:
    return IslPwAff();
  }
}

/// `i * blockDim.y` with an `i` that is one of a few numbers: each of them times the extent, which
/// is a symbol where it is not known.
IslPwAff SymbolicRun::multipleOfExtent(const IslPwAff &A, const IslPwAff &B) {
  for (const auto &[Few, Extent] : {std::pair(A, B), std::pair(B, A)}) {
    const std::optional<std::string> Symbol = Syms.asSymbol(Extent);
    if (!Symbol || !is_contained({"nx", "ny", "nz"}, *Symbol))
      continue;
    for (int64_t Count = 2; Count <= 16; Count *= 2) {
      if (!holds(Syms.between(Few, 0, Count - 1), Few))
        continue;
      // The ends stand for all that lies beyond them, where nothing comes.
      IslPwAff Sum;
      for (int64_t I = 0; I < Count; ++I) {
        auto *Where = I == 0           ? isl_pw_aff_le_set
                      : I == Count - 1 ? isl_pw_aff_ge_set
                                       : isl_pw_aff_eq_set;
        IslPwAff Piece(isl_pw_aff_intersect_domain(Syms.scaled(Extent, I).take(),
                                                   compare(Where, Few, Syms.constant(I)).take()));
        Sum = I == 0 ? Piece : IslPwAff(isl_pw_aff_union_add(Sum.take(), Piece.take()));
      }
      return Sum;
    }
  }
  return IslPwAff();
}

/// Of two numbers that are not negative, one of them below 64: `row ^ column` of a tile whose
/// columns are swapped row by row.
IslPwAff SymbolicRun::exclusiveOr(const IslPwAff &A, const IslPwAff &B) {
  auto Below = [&](const IslPwAff &N, int64_t Limit) {
    return holds(Syms.between(N, 0, Limit - 1), N);
  };
  if (!holds(compare(isl_pw_aff_ge_set, A, Syms.constant(0)) &
                 compare(isl_pw_aff_ge_set, B, Syms.constant(0)),
             A + B))
    return IslPwAff();
  for (unsigned Bits = 1; Bits <= 6; ++Bits)
    for (const auto &[Small, Other] : {std::pair(A, B), std::pair(B, A)}) {
      if (!Below(Small, int64_t(1) << Bits))
        continue;
      auto Shifted = [&](const IslPwAff &N, unsigned By) {
        return IslPwAff(isl_pw_aff_floor(isl_pw_aff_scale_down_val(
            N.take(), isl_val_int_from_si(Syms.isl(), int64_t(1) << By))));
      };
      // The bits above stay; of those below, each is the parity of the two that end there.
      IslPwAff Sum = Syms.scaled(Shifted(Other, Bits), int64_t(1) << Bits);
      for (unsigned I = 0; I < Bits; ++I) {
        IslPwAff Both = Shifted(Small, I) + Shifted(Other, I);
        Sum = Sum + Syms.scaled(IslPwAff(isl_pw_aff_mod_val(Both.take(),
                                                            isl_val_int_from_si(Syms.isl(), 2))),
                                int64_t(1) << I);
      }
      return Sum;
    }
  return IslPwAff();
}

SymValue SymbolicRun::assignment(const BinaryOperator *Op) {
  const Expr *L = Op->getLHS(), *R = Op->getRHS();
  // What an element of an array becomes is not followed: neither is whether the number fits in it.
  const auto *Conversion = dyn_cast<ImplicitCastExpr>(R);
  if (isa<ArraySubscriptExpr>(L->IgnoreParens()) && Conversion &&
      Conversion->getCastKind() == CK_IntegralCast)
    R = Conversion->getSubExpr();
  SymValue V = evaluateInitializer(R, R->getType());
  Place At = place(L);
  assign(At, L, V, false);
  return R == Op->getRHS() ? V : SymValue();
}

SymValue SymbolicRun::compound(const CompoundAssignOperator *Op) {
  const Expr *L = Op->getLHS(), *R = Op->getRHS();
  QualType T = L->getType();
  SymValue By = evaluate(R);
  Place At = place(L);
  if (At.Kind != Place::Local) {
    assign(At, L, SymValue(), true);
    return isNumber(T) ? someNumber(T) : T->isPointerType() ? pointerOf(Op) : SymValue();
  }
  SymValue Old = valueOf(At.Var, L), New;
  BinaryOperatorKind Kind = BinaryOperator::getOpForCompoundAssignment(Op->getOpcode());
  if (T->isPointerType()) {
    By = asInteger(std::move(By), R);
    New = moved(Old, By.Kind == SymValue::Int ? By.Number : IslPwAff(), T->getPointeeType(),
                Kind == BO_Sub ? -1 : 1, R);
  } else if (isNumber(T)) {
    // The operands are converted, the result is computed in that type, and converted back.
    IslPwAff N;
    New = movedAddress(Kind, Old, By, L, R, T);
    if (New.Kind == SymValue::Address) {
      set(At.Var, New);
      return New;
    }
    if (isNumber(R->getType()) && isNumber(Op->getComputationResultType())) {
      Old = asInteger(std::move(Old), L);
      By = asInteger(std::move(By), R);
      if (Old.Kind == SymValue::Int && By.Kind == SymValue::Int)
        N = arithmetic(Kind, converted(Old.Number, T, Op->getComputationLHSType()), By.Number,
                       Op->getComputationResultType());
      if (N)
        N = converted(N, Op->getComputationResultType(), T);
    }
    New = few(N) ? SymValue::integer(N) : someNumber(T);
  }
  set(At.Var, New);
  return New;
}

SymValue SymbolicRun::conditional(const ConditionalOperator *Cond) {
  const Expr *IfTrue = Cond->getTrueExpr(), *IfFalse = Cond->getFalseExpr();
  IslSet C = asCondition(evaluate(Cond->getCond()), Cond->getCond());
  QualType T = Cond->getType();
  IslSet Before = Live;
  VarMap VarsBefore = Vars;
  Live = Before & C;
  const IslSet Known = NoOverflow;
  SymValue A = isNumber(T) ? asInteger(evaluate(IfTrue), IfTrue) : evaluate(IfTrue);
  NoOverflow = Known;
  VarMap VarsThen = std::move(Vars);
  IslSet LiveThen = Live;
  Vars = std::move(VarsBefore);
  Live = Before - C;
  SymValue B = isNumber(T) ? asInteger(evaluate(IfFalse), IfFalse) : evaluate(IfFalse);
  IslSet LiveElse = Live;
  NoOverflow = Known;
  mergeVars(VarsThen, LiveThen, LiveElse);
  Live = LiveThen | LiveElse;
  if (T->isPointerType() && (A.Kind != SymValue::Pointer || B.Kind != SymValue::Pointer))
    return pointerOf(Cond);
  return isNumber(T) || T->isPointerType() ? merged(A, C, B, Syms.negation(C), T) : SymValue();
}

//===-- Where two ways meet -------------------------------------------------------===//

/// \p A where \p InA holds, \p B where \p InB holds; these are disjoint.
SymValue SymbolicRun::merged(const SymValue &A, const IslSet &InA, const SymValue &B,
                             const IslSet &InB, QualType T) {
  if (A.Kind == SymValue::Bool && B.Kind == SymValue::Bool)
    return SymValue::boolean((A.True & InA) | (B.True & InB));
  if (A.Kind == B.Kind &&
      (A.Kind == SymValue::Int || A.Kind == SymValue::Pointer || A.Kind == SymValue::Address) &&
      A.Object == B.Object && A.Number && B.Number) {
    const bool SameColumn =
        A.Column && B.Column &&
        answer(isl_pw_aff_is_equal(A.Column.get(), B.Column.get())) == Answer::Yes;
    if (answer(isl_pw_aff_is_equal(A.Number.get(), B.Number.get())) == Answer::Yes) {
      SymValue V = A;
      V.Column = SameColumn ? A.Column : IslPwAff();
      V.Good = IslSet();
      return V;
    }
    IslPwAff X(isl_pw_aff_intersect_domain(A.Number.take(), InA.take()));
    IslPwAff Y(isl_pw_aff_intersect_domain(B.Number.take(), InB.take()));
    SymValue V = A;
    V.Good = IslSet();
    V.Number = IslPwAff(isl_pw_aff_coalesce(isl_pw_aff_union_add(X.take(), Y.take())));
    if (A.Column && B.Column && !SameColumn) {
      IslPwAff C(isl_pw_aff_intersect_domain(A.Column.take(), InA.take()));
      IslPwAff D(isl_pw_aff_intersect_domain(B.Column.take(), InB.take()));
      V.Column = IslPwAff(isl_pw_aff_coalesce(isl_pw_aff_union_add(C.take(), D.take())));
    } else if (!SameColumn) {
      V.Column = IslPwAff();
    }
    if (few(V.Number))
      return V;
  }
  if (A.Kind == SymValue::Pointer || B.Kind == SymValue::Pointer) {
    auto Shared = [](const SymValue &V) {
      return V.Kind != SymValue::Pointer || V.Anywhere ||
             (V.Object && V.Object->hasAttr<CUDASharedAttr>());
    };
    if (A.Kind == B.Kind && A.Object == B.Object && !A.Anywhere && !B.Anywhere)
      return SymValue::pointer(A.Object, {});
    return Shared(A) || Shared(B) ? SymValue::anywhere() : SymValue::elsewhere();
  }
  return !T.isNull() && isNumber(T) ? someNumber(T) : SymValue();
}

/// Vars becomes what holds behind two ways: \p Other where \p InOther, Vars where \p InThis.
void SymbolicRun::mergeVars(const VarMap &Other, const IslSet &InOther, const IslSet &InThis) {
  if (answer(isl_set_is_empty(InOther.get())) == Answer::Yes)
    return;
  if (answer(isl_set_is_empty(InThis.get())) == Answer::Yes) {
    Vars = Other;
    return;
  }
  auto Same = [](const SymValue &A, const SymValue &B) {
    return A.Kind == B.Kind && A.Object == B.Object && A.Anywhere == B.Anywhere &&
           A.Number.get() == B.Number.get() && A.Column.get() == B.Column.get() &&
           A.Good.get() == B.Good.get() && A.True.get() == B.True.get();
  };
  // What was only looked up in one of them has not changed, and is found again.
  auto Assigned = [&](const VarDecl *Var) { return Version.count(Var) && !isSetOnce(Var); };
  std::vector<const VarDecl *> Unclear;
  for (auto &[Var, V] : Vars) {
    auto There = Other.find(Var);
    if (There == Other.end()) {
      if (Assigned(Var))
        Unclear.push_back(Var);
    } else if (!Same(V, There->second)) {
      ++Version[Var];
      V = merged(There->second, InOther, V, InThis, Var->getType());
    }
  }
  for (const auto &[Var, V] : Other)
    if (!Vars.count(Var)) {
      if (Assigned(Var))
        Unclear.push_back(Var);
      else
        Vars[Var] = V;
    }
  for (const VarDecl *Var : Unclear)
    forget(Var);
}

} // namespace cuda_pipeline
