//===- SymbolicMemory.cpp - Lvalues, variables and pointers ---------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SymbolicRun.h"
#include "clang/AST/RecordLayout.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

constexpr unsigned MaxAccesses = 4000;

/// The variable that the lvalue is a part of.
const VarDecl *wholeVariable(const Expr *E) {
  E = E->IgnoreParenCasts();
  if (const auto *Member = dyn_cast<MemberExpr>(E))
    return Member->isArrow() ? nullptr : wholeVariable(Member->getBase());
  if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(E))
    return wholeVariable(Sub->getBase());
  return referencedVar(E);
}

/// Does evaluating it change anything outside of the functions that it calls?
bool writes(const EffectCollector &Collector, const FunctionDecl *Function, const Expr *E) {
  return any_of(Collector.collect(E).Accesses, [&](const Access &A) {
    return A.Write && any_of(A.Roots, [&](const MemoryRoot &R) {
             const auto *Var = dyn_cast_or_null<VarDecl>(R.Decl);
             return !Var || !Var->hasLocalStorage() || Var->getParentFunctionOrMethod() == Function;
           });
  });
}

} // namespace

/// Of a pointer that is a shared array's name, or that of a row of it, the array's type; null: it
/// is another one, or somebody has said another type.
static const ConstantArrayType *arrayOf(const Expr *Pointer, const ASTContext &Context) {
  const auto *Decay = dyn_cast<ImplicitCastExpr>(Pointer->IgnoreParens());
  if (!Decay || Decay->getCastKind() != CK_ArrayToPointerDecay)
    return nullptr;
  const Expr *Array = Decay->getSubExpr()->IgnoreParens();
  const auto *Ref = dyn_cast<DeclRefExpr>(Array);
  const auto *Sub = dyn_cast<ArraySubscriptExpr>(Array);
  const bool Is =
      Ref ? Ref->getDecl()->hasAttr<CUDASharedAttr>() : Sub && arrayOf(Sub->getBase(), Context);
  return Is ? Context.getAsConstantArrayType(Array->getType()) : nullptr;
}

uint64_t SymbolicRun::sizeOf(QualType T) const {
  return T->isIncompleteType() || T->isVoidType() ? 0 : Context.getTypeSizeInChars(T).getQuantity();
}

//===-- Variables -----------------------------------------------------------------===//

/// Its value changes by assignments that name it, and by nothing else.
bool SymbolicRun::isTracked(const VarDecl *Var) const {
  if (Var->getType().isVolatileQualified() || Escaped.count(Var))
    return false;
  if (!Var->hasLocalStorage()) // memory that others can change, unless nobody can
    return isConstObject(Var->getType()) || isConstantMemory(Var);
  return !F.Values->hasOtherNames(Var);
}

/// It is worth the same before the loop and in it.
bool SymbolicRun::keepsItsValue(const VarDecl *Var) const {
  return isSetOnce(Var) || F.Values->givenTo(Var) || F.Values->isUnchangedParameter(Var) ||
         !Var->hasLocalStorage();
}

/// A variable of the function with the loop. (Others are set once in each call.)
bool SymbolicRun::isSetOnce(const VarDecl *Var) const {
  return Var->getParentFunctionOrMethod() == M.Loop->Function && F.Values->isSetOnce(Var);
}

size_t SymbolicRun::depthOf(const VarDecl *Var) const {
  for (size_t Depth = Loops.size(); Depth > 0; --Depth)
    if (Loops[Depth - 1].Varying.count(Var))
      return Depth;
  return 0;
}

LoopNest SymbolicRun::nest(size_t Depth) const {
  LoopNest Nest;
  for (const LoopFrame &Frame : ArrayRef<LoopFrame>(Loops).take_front(Depth))
    Nest.push_back(Frame.Counter);
  return Nest;
}

/// A pointer becomes a number in it.
static bool asksAddresses(const Stmt *S) {
  const auto *Cast = dyn_cast<CastExpr>(S);
  return (Cast && Cast->getCastKind() == CK_PointerToIntegral) ||
         any_of(S->children(), [](const Stmt *Child) { return Child && asksAddresses(Child); });
}

SymValue SymbolicRun::valueOf(const VarDecl *Var, const Expr *E) {
  QualType T = Var->getType();
  SymbolKind Kind = CallDepth == 0 && U.isUniform(E) ? SymbolKind::Uniform : SymbolKind::Private;
  if (!isTracked(Var))
    return someValue(Var);
  if (BeforeLoop && !keepsItsValue(Var)) {
    // What it was when that was computed which the loop finds.
    SymValue V = someValue(Var, Kind);
    if (const auto Name = V.Kind == SymValue::Int ? Syms.asSymbol(V.Number) : std::nullopt) {
      Syms.isSteady(*Name, Kind == SymbolKind::Uniform);
      if (std::optional<ValueRange> Range = CallDepth == 0 ? F.Values->range(E) : std::nullopt)
        Syms.know(*Name, Syms.bounds(Range->Lo, Range->Hi));
    }
    return V;
  }
  auto It = Vars.find(Var);
  if (It != Vars.end())
    return It->second;
  // Of thread indices and constants alone, which are the same at any time.
  if (const Expr *Given = F.Values->givenTo(Var)) {
    Past Guard(*this);
    return Vars[Var] = evaluateInitializer(Given, T);
  }
  // What is the same for all threads and asks for the numbers of addresses says nothing of what is
  // done where it holds and where not, but has many parts.
  if (Kind == SymbolKind::Uniform && T->isBooleanType() && isSetOnce(Var) &&
      !F.DeclaredInBody.count(Var) && asksAddresses(Var->getInit()))
    return Vars[Var] = opaque(E);
  if (isSetOnce(Var) && !F.DeclaredInBody.count(Var) && T->isScalarType() &&
      !writes(F.Function->Collector, M.Loop->Function, Var->getInit())) {
    Past Guard(*this);
    return Vars[Var] = evaluateInitializer(Var->getInit(), T);
  }
  if (T->isPointerType()) {
    RootSet Roots = pointeesOf(Var);
    // A pointer parameter of the kernel that the loop steps: from what it was.
    if (isa<ParmVarDecl>(Var) && Roots == RootSet{{Var, Space::Global}}) {
      if (F.Values->isUnchangedParameter(Var))
        return Vars[Var] = SymValue::pointer(Var, Syms.constant(0));
      const IslPwAff Bytes =
          someNumber(Context.LongTy, Loops.empty() ? Kind : SymbolKind::Private).Number;
      if (const std::optional<std::string> Name = Syms.asSymbol(Bytes))
        Syms.isSteady(*Name,
                      Loops.empty() && Kind == SymbolKind::Uniform && !F.Modified.count(Var));
      return Vars[Var] = SymValue::pointer(Var, Bytes);
    }
    return pointerTo(Roots);
  }
  if (!T->isIntegralOrEnumerationType())
    return SymValue();
  SymValue V = opaque(E);
  if (F.Values->isUnchangedParameter(Var))
    if (std::optional<std::string> Name = Syms.asSymbol(V.Number))
      Syms.isValueOf(*Name, Var);
  return Vars[Var] = V;
}

RootSet SymbolicRun::pointeesOf(const VarDecl *Var) const {
  return F.Function->Collector.pointsTo(Var);
}

/// Any value that it can have.
SymValue SymbolicRun::someValue(const VarDecl *Var, SymbolKind Kind) {
  QualType T = Var->getType();
  if (T->isPointerType())
    return pointerTo(pointeesOf(Var));
  return T->isIntegralOrEnumerationType() ? someNumber(T, Kind) : SymValue();
}

void SymbolicRun::set(const VarDecl *Var, SymValue V) {
  if (!Loops.empty())
    Loops.back().Varying.insert(Var);
  ++Version[Var];
  Vars[Var] = std::move(V);
}

/// The variable has some value.
void SymbolicRun::forget(const VarDecl *Var) {
  // A reference stands for what it is bound to.
  if (auto Bound = References.find(Var); Bound != References.end()) {
    if (Bound->second.Kind == Place::Local && Bound->second.Var != Var)
      forget(Bound->second.Var);
    return;
  }
  set(Var, someValue(Var));
}

//===-- Pointers ------------------------------------------------------------------===//

SymValue SymbolicRun::pointerTo(const RootSet &Roots) {
  bool Shared = false;
  for (const MemoryRoot &R : Roots) {
    if (R.In == Space::Unknown || (R.In == Space::Shared && !isa_and_nonnull<VarDecl>(R.Decl)))
      return SymValue::anywhere();
    Shared |= R.In == Space::Shared;
  }
  const auto *Only = Roots.size() == 1 ? dyn_cast_or_null<VarDecl>(Roots.begin()->Decl) : nullptr;
  if (Only && (Shared || Roots.begin()->In == Space::Global))
    return SymValue::pointer(Only, {});
  return Shared ? SymValue::anywhere() : SymValue::elsewhere();
}

/// A pointer that is not followed may still point into a shared array.
SymValue SymbolicRun::pointerOf(const Expr *E) {
  return E->getType()->isPointerType() ? pointerTo(F.Function->Collector.pointees(E))
                                       : SymValue::anywhere();
}

SymValue SymbolicRun::addressOf(const Place &At) {
  switch (At.Kind) {
  case Place::Memory: {
    SymValue P = SymValue::pointer(At.Var, At.Offset, At.Column);
    P.Good = At.Good;
    return P;
  }
  case Place::Anywhere:
    return SymValue::anywhere();
  default:
    return SymValue::elsewhere();
  }
}

Place SymbolicRun::element(const SymValue &Base, const IslPwAff &Index, QualType Element, int Sign,
                           const Expr *Said, bool OfArray) {
  if (Base.Kind != SymValue::Pointer || Base.Anywhere)
    return {Place::Anywhere, nullptr, {}};
  if (!Base.Object)
    return Place();
  Place At{Place::Memory, Base.Object, {}};
  if (Base.Number && Index && !Element->isIncompleteType() && !Element->isVariablyModifiedType())
    At.Offset =
        Base.Number +
        Syms.scaled(Index, Sign * int64_t(Context.getTypeSizeInChars(Element).getQuantity()));
  // A row begins where the subscript of a dimension in front of it says; what lies in a row is
  // counted from there.
  if (Rows && At.isShared() && At.Offset && Element->isArrayType()) {
    if (OfArray) // else the distance of its rows is that of a type that a pointer has
      At.Column = Syms.constant(0);
  } else if (Rows && At.isShared() && At.Offset && Base.Column) {
    const int64_t Size = Context.getTypeSizeInChars(Element).getQuantity();
    At.Column = Base.Column + Syms.scaled(inRow(At.Var, Said, Index, uint64_t(Size)), Sign * Size);
  }
  if (Index && Base.Good && Syms.asConstant(Index) == 0)
    At.Good = Base.Good;
  return At;
}

/// Where an element lies has become a value.
void SymbolicRun::usesAddress(const SymValue &V) {
  if (V.Kind != SymValue::Pointer && V.Kind != SymValue::Address)
    return;
  if (V.Anywhere)
    AddressUsed.insert(nullptr);
  else if (V.Object && V.Object->hasAttr<CUDASharedAttr>())
    AddressUsed.insert(V.Object);
}

SymValue SymbolicRun::moved(const SymValue &P, const IslPwAff &By, QualType Pointee, int Sign,
                            const Expr *Said) {
  return addressOf(element(P, By, Pointee, Sign, Said));
}

//===-- Lvalues -------------------------------------------------------------------===//

Place SymbolicRun::place(const Expr *Ex) {
  const Expr *E = Ex->IgnoreParens();
  if (const auto *Full = dyn_cast<FullExpr>(E))
    return place(Full->getSubExpr());
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E)) {
    const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
    return Var ? placeOf(Var) : Place();
  }
  if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(E)) {
    SymValue Base = evaluate(Sub->getBase());
    SymValue Index = asInteger(evaluate(Sub->getIdx()), Sub->getIdx());
    const ConstantArrayType *Array = arrayOf(Sub->getBase(), Context);
    Place At = element(Base, Index.Kind == SymValue::Int ? Index.Number : IslPwAff(), E->getType(),
                       1, Sub->getIdx(), Array != nullptr);
    if (Array && SubscriptsAreGood && Index.Kind == SymValue::Int && Index.Number)
      At.Good = Syms.between(Index.Number, 0, Array->getSize().getSExtValue() - 1);
    return At;
  }
  if (const auto *Op = dyn_cast<UnaryOperator>(E)) {
    if (Op->getOpcode() == UO_Deref)
      return element(evaluate(Op->getSubExpr()), Syms.constant(0), E->getType());
    if (Op->isIncrementDecrementOp()) {
      unary(Op);
      return place(Op->getSubExpr());
    }
    if (Op->getOpcode() == UO_Extension)
      return place(Op->getSubExpr());
  }
  if (const auto *Member = dyn_cast<MemberExpr>(E)) {
    const auto *Field = dyn_cast<FieldDecl>(Member->getMemberDecl());
    Place Base;
    if (Member->isArrow())
      Base = element(evaluate(Member->getBase()), Syms.constant(0),
                     Member->getBase()->getType()->getPointeeType());
    else if (Member->getBase()->isGLValue())
      Base = place(Member->getBase());
    else
      evaluate(Member->getBase());
    if (Field && Field->getType()->isReferenceType())
      return {Place::Anywhere, nullptr, {}};
    if (Base.Kind == Place::Anywhere)
      return Base;
    if (Base.Kind != Place::Memory)
      return Place();
    if (!Field || Field->isBitField()) {
      Base.Offset = Base.Column = {};
      return Base;
    }
    const IslPwAff In = Syms.constant(int64_t(Context.getFieldOffset(Field) / 8));
    if (Base.Offset)
      Base.Offset = Base.Offset + In;
    if (Base.Column)
      Base.Column = Base.Column + In;
    return Base;
  }
  if (const auto *Cast = dyn_cast<CastExpr>(E); Cast && Cast->isGLValue()) {
    Place At = place(Cast->getSubExpr());
    // A base class need not be at the beginning; another type is not the whole variable.
    if (Cast->getCastKind() != CK_NoOp && Cast->getCastKind() != CK_LValueBitCast)
      At.Offset = At.Column = {};
    if (At.Kind == Place::Local && Cast->getCastKind() != CK_NoOp)
      return Place();
    return At;
  }
  if (const auto *Op = dyn_cast<BinaryOperator>(E)) {
    if (Op->isAssignmentOp()) {
      binary(Op);
      return place(Op->getLHS());
    }
    if (Op->getOpcode() == BO_Comma) {
      evaluate(Op->getLHS());
      return place(Op->getRHS());
    }
  }
  if (const auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(E)) {
    evaluate(Temporary->getSubExpr());
    return Place();
  }
  if (!E->isGLValue()) {
    evaluate(E);
    return Place();
  }
  // Any object that it may be.
  notFollowed(E);
  SymValue Address = pointerTo(F.Function->Collector.rootsOf(E));
  if (Address.Anywhere)
    return {Place::Anywhere, nullptr, {}};
  return Address.Object ? Place{Place::Memory, Address.Object, {}} : Place();
}

Place SymbolicRun::placeOf(const VarDecl *Var) {
  auto Bound = References.find(Var);
  if (Bound != References.end())
    return Bound->second;
  if (Var->getType()->isReferenceType()) {
    // Bound before the loop.
    if (!Var->hasInit() || isa<ParmVarDecl>(Var) ||
        writes(F.Function->Collector, M.Loop->Function, Var->getInit()))
      return {Place::Anywhere, nullptr, {}};
    Past Guard(*this);
    Place At = place(Var->getInit());
    return References[Var] = At;
  }
  if (Var->hasAttr<CUDASharedAttr>() || spaceOf(Var) == Space::Global)
    return {Place::Memory, Var, Syms.constant(0),
            Rows && Var->hasAttr<CUDASharedAttr>() ? Syms.constant(0) : IslPwAff()};
  return Var->hasLocalStorage() ? Place{Place::Local, Var, {}} : Place();
}

//===-- Accesses ------------------------------------------------------------------===//

/// The same for an object and for a copy of it, of half's kind: an access is known by where it
/// stands. (What holds pointers is not looked through: a called function may go on to what they
/// point to.)
const Expr *SymbolicRun::sameAccess(const Expr *Where) {
  Where = Where->IgnoreParens();
  const CXXRecordDecl *Record = Where->getType()->getAsCXXRecordDecl();
  return Record && isCudaNumber(Record) ? stripNoOps(Where) : Where;
}

void SymbolicRun::note(const Place &At, const Expr *Where, bool Read, bool Write, uint64_t Bytes) {
  if (BeforeLoop)
    return;
  if (At.Kind == Place::Anywhere) {
    NotedAnywhere.insert({Segment, Where ? sameAccess(Where) : nullptr});
    for (const auto &B : M.Buffers)
      note({Place::Memory, B->Decl, {}}, Where, Read, Write, 0);
    return;
  }
  // Of global memory, the load phase is of interest, and what it may find written.
  if (At.Kind != Place::Memory || (Segment != 0 && !At.isShared() && !Write))
    return;
  if (Accesses.size() >= MaxAccesses) {
    (Segment != 0 && !At.isShared() ? StoresMissed : GaveUp) = true;
    return;
  }
  MappedAccess A;
  A.Array = At.Var;
  A.Where = Where;
  A.Segment = Segment;
  A.Read = Read;
  A.Write = Write;
  A.Nest = nest();
  A.When = Live;
  if (At.Offset && Bytes) {
    A.Offset = At.Offset;
    A.Column = At.Column;
    if (Rows)
      A.Known = At.Good ? NoOverflow & At.Good : NoOverflow;
    A.Bytes = Bytes;
  }
  Accesses.push_back(std::move(A));
  Noted.insert({Segment, Where ? sameAccess(Where) : nullptr, At.Var});
}

/// Of something that is not followed: anywhere in the objects that it may be.
void SymbolicRun::noteEffects(const Access &A) {
  for (const MemoryRoot &R : A.Roots) {
    const auto *Var = dyn_cast_or_null<VarDecl>(R.Decl);
    if ((R.In == Space::Shared || R.In == Space::Global) && Var)
      note({Place::Memory, Var, {}}, A.Where, A.Read, A.Write, 0);
    else if (R.In == Space::Unknown || R.In == Space::Shared)
      note({Place::Anywhere, nullptr, {}}, A.Where, A.Read, A.Write, 0);
    else if (A.Write && Var && (R.In == Space::Local || R.In == Space::Param))
      forget(Var);
  }
}

/// \p Value: the lvalue-to-rvalue conversion, which stands for what is read.
SymValue SymbolicRun::read(const Expr *LValue, const Expr *Value) {
  const Expr *E = LValue->IgnoreParens();
  QualType T = Value->getType();
  Place At = place(E);
  if (At.Kind == Place::Local)
    return valueOf(At.Var, E);
  note(At, E, true, false, sizeOf(T));
  if (At.Kind == Place::Anywhere || At.isShared())
    return T->isIntegralOrEnumerationType() ? someNumber(T)
           : T->isPointerType()             ? pointerOf(Value)
                                            : SymValue();
  return opaque(Value);
}

void SymbolicRun::readObject(const Expr *E) {
  if (!E->isGLValue()) {
    evaluate(E);
    return;
  }
  note(place(E), stripNoOps(E), true, false, sizeOf(E->getType()));
}

/// An argument: what it reads is noted; a pointer or reference is not followed into the callee.
void SymbolicRun::argument(const Expr *Arg) {
  if (Arg->isGLValue()) {
    place(Arg);
    return;
  }
  if (const SymValue V = evaluate(Arg); V.Kind == SymValue::Address)
    usesAddress(V); // a number, with which the function may do anything
}

void SymbolicRun::assign(const Place &At, const Expr *LValue, SymValue V, bool AlsoRead) {
  if (At.Kind == Place::Local) {
    set(At.Var, std::move(V));
    return;
  }
  note(At, LValue, AlsoRead, true, sizeOf(LValue->getType()));
  usesAddress(V); // it is in memory now
  // A member or an element, of a variable or of what a reference stands for.
  if (At.Kind == Place::Elsewhere)
    if (const VarDecl *Whole = wholeVariable(LValue); Whole && !Whole->getType()->isPointerType())
      forget(Whole);
}

} // namespace cuda_pipeline
