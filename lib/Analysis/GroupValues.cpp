//===- GroupValues.cpp - Values over a group of neighbours -----------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GroupValues.h"
#include "../Model/ModelStep.h"
#include "VariableWrites.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {

using Kind = GroupValues::Kind;

namespace {

constexpr unsigned MostSteps = 4000;

bool isPlainInteger(QualType T) { return T->isIntegerType() && !T->isBooleanType(); }

struct Declarations : ConstDynamicRecursiveASTVisitor {
  DeclSet<VarDecl> All;
  bool VisitVarDecl(const VarDecl *Var) override { return All.insert(Var), true; }
};

} // namespace

GroupValues::GroupValues(const TileModel &M, ASTContext &Context, const Uniformity &U,
                         const VarDecl *Number, const Stmt *Inside, unsigned Group)
    : M(M), Context(Context), Values(*M.Facts->Values), U(U), Number(Number), Group(Group) {
  Declarations D;
  D.TraverseStmt(const_cast<Stmt *>(Inside));
  Made = std::move(D.All);
}

//===-- What changes over a group ---------------------------------------------===//

bool GroupValues::dependsOnNumber(const Expr *E) const {
  return any_of(mentionedVars(E),
                [&](const VarDecl *Var) { return Var == Number || Made.count(Var) != 0; });
}

/// The same for all threads, whatever they count.
bool GroupValues::isFlatLeaf(const Expr *E) const {
  if (dependsOnNumber(E) || !U.isUniform(E))
    return false;
  const Effects Does = M.Facts->Collector->collect(E);
  return onlyPureActions(Does) &&
         none_of(Does.Accesses, [](const Access &A) { return A.Write || A.Volatile; });
}

Kind GroupValues::of(const Expr *E) {
  E = E->IgnoreParens();
  if (++Steps > MostSteps)
    return Kind::Other;
  if (E->getType()->isIntegerType() && Values.fold(E))
    return Kind::Flat;
  if (isFlatLeaf(E))
    return Kind::Flat;
  if (const auto *Cast = dyn_cast<CastExpr>(E)) {
    const Expr *Sub = Cast->getSubExpr();
    switch (Cast->getCastKind()) {
    case CK_LValueToRValue:
      if (const VarDecl *Var = referencedVar(Sub))
        return ofVariable(Var);
      return ofLoad(Sub);
    case CK_NoOp:
      return Sub->isGLValue() ? ofPlace(Sub) : of(Sub);
    case CK_ArrayToPointerDecay:
      return ofPlace(Sub) == Kind::Flat ? Kind::Flat : Kind::Other;
    case CK_IntegralCast: {
      const Kind K = of(Sub);
      // A run that neither wraps around nor changes its sign is one in every type.
      return K != Kind::Linear || (isPlainInteger(E->getType()) && isMultiple(Sub, Group))
                 ? K
                 : Kind::Other;
    }
    case CK_BitCast: {
      const Kind K = Sub->getType()->isPointerType() ? of(Sub) : Kind::Other;
      return K == Kind::Flat ? K : Kind::Other;
    }
    case CK_IntegralToBoolean:
    case CK_PointerToBoolean:
    case CK_IntegralToFloating:
    case CK_FloatingToIntegral:
    case CK_FloatingCast:
      return of(Sub) == Kind::Flat ? Kind::Flat : Kind::Other;
    default:
      return Kind::Other;
    }
  }
  if (const auto *Op = dyn_cast<UnaryOperator>(E))
    switch (Op->getOpcode()) {
    case UO_Plus:
      return of(Op->getSubExpr());
    case UO_Minus:
    case UO_Not:
    case UO_LNot:
      return of(Op->getSubExpr()) == Kind::Flat ? Kind::Flat : Kind::Other;
    case UO_AddrOf:
      return ofPlace(Op->getSubExpr());
    default:
      return Kind::Other;
    }
  if (const auto *Choice = dyn_cast<ConditionalOperator>(E)) {
    const Kind K = of(Choice->getTrueExpr());
    return of(Choice->getCond()) == Kind::Flat && of(Choice->getFalseExpr()) == K ? K : Kind::Other;
  }
  if (const auto *Call = dyn_cast<CallExpr>(E)) {
    const bool Pure = Call->getDirectCallee() && !E->isGLValue() &&
                      classifyFunction(Call->getDirectCallee(), Context) == FunctionKind::Pure;
    return Pure && all_of(Call->arguments(),
                          [&](const Expr *Arg) {
                            return !Arg->isGLValue() ? of(Arg) == Kind::Flat
                                                     : of(Arg) == Kind::Flat && isFlatLeaf(Arg);
                          })
               ? Kind::Flat
               : Kind::Other;
  }
  const auto *Op = dyn_cast<BinaryOperator>(E);
  return Op ? ofOperator(Op) : Kind::Other;
}

Kind GroupValues::ofVariable(const VarDecl *Var) {
  if (Var == Number)
    return Kind::Linear;
  const Expr *Init = Made.count(Var) && Values.isSetOnce(Var) && !Values.hasOtherNames(Var) &&
                             !Var->getType().isVolatileQualified()
                         ? initialValue(Var)
                         : nullptr;
  return Init ? of(Init) : Kind::Other;
}

Kind GroupValues::ofOperator(const BinaryOperator *Op) {
  if (Op->isAssignmentOp() || Op->isPtrMemOp() || Op->getOpcode() == BO_Comma)
    return Kind::Other;
  if (Op->isComparisonOp())
    return ofComparison(Op);
  const Expr *Left = Op->getLHS(), *Right = Op->getRHS();
  const Kind L = of(Left), R = of(Right);
  if (L == Kind::Flat && R == Kind::Flat)
    return Kind::Flat;
  if (L == Kind::Other || R == Kind::Other || (L == Kind::Linear && R == Kind::Linear))
    return Kind::Other;
  const bool OnLeft = L == Kind::Linear;
  const Expr *Run = OnLeft ? Left : Right, *Same = OnLeft ? Right : Left;
  const auto Begins = [&] { return isMultiple(Run, Group); };
  switch (Op->getOpcode()) {
  case BO_Add:
    return Kind::Linear;
  case BO_Sub:
    return OnLeft && !Right->getType()->isPointerType() ? Kind::Linear : Kind::Other;
  case BO_Div:
  case BO_Rem:
    // Rounding towards zero is rounding down of what is not negative.
    return OnLeft && isPlainInteger(Op->getType()) && Begins() && isNotNegative(Left) &&
                   isMultiple(Right, Group)
               ? (Op->getOpcode() == BO_Div ? Kind::Flat : Kind::Linear)
               : Kind::Other;
  case BO_Shr: {
    const std::optional<int64_t> By = Values.fold(Right);
    return OnLeft && By && *By >= 0 && *By < 31 && (uint64_t(1) << *By) % Group == 0 && Begins()
               ? Kind::Flat
               : Kind::Other;
  }
  case BO_And: {
    const std::optional<int64_t> Mask = Values.fold(Same);
    if (!Mask || !Begins())
      return Kind::Other;
    const uint64_t Low = uint64_t(*Mask) & (Group - 1);
    return Low == Group - 1 ? Kind::Linear : Low == 0 ? Kind::Flat : Kind::Other;
  }
  case BO_Or:
  case BO_Xor:
    return Begins() && isMultiple(Same, Group) ? Kind::Linear : Kind::Other;
  default:
    return Kind::Other;
  }
}

/// From one multiple to the next there is none between: all of them are below another one, or none.
Kind GroupValues::ofComparison(const BinaryOperator *Op) {
  const Expr *Left = Op->getLHS(), *Right = Op->getRHS();
  const Kind L = of(Left), R = of(Right);
  if (L == Kind::Flat && R == Kind::Flat)
    return Kind::Flat;
  if (!isPlainInteger(Left->getType()) || !isPlainInteger(Right->getType()))
    return Kind::Other;
  const bool RunBelow = L == Kind::Linear && R == Kind::Flat &&
                        (Op->getOpcode() == BO_LT || Op->getOpcode() == BO_GE);
  const bool SameAbove = L == Kind::Flat && R == Kind::Linear &&
                         (Op->getOpcode() == BO_GT || Op->getOpcode() == BO_LE);
  return (RunBelow || SameAbove) && isMultiple(Left, Group) && isMultiple(Right, Group)
             ? Kind::Flat
             : Kind::Other;
}

/// The kernel writes nothing there, so that it does not matter which thread reads it.
Kind GroupValues::ofLoad(const Expr *Place) {
  if (Place->getType().isVolatileQualified() || ofPlace(Place) != Kind::Flat)
    return Kind::Other;
  const RootSet Roots = M.Facts->Collector->rootsOf(Place);
  const bool Lasts = !Roots.empty() && all_of(Roots, [&](const MemoryRoot &R) {
    if (R.In == Space::Constant || R.In == Space::Param)
      return true;
    return R.In == Space::Global && R.Decl &&
           (isReadOnlyParameter(R.Decl) ||
            none_of(M.Facts->Function->whole().Accesses, [&](const Access &A) {
              return A.Write && (A.mayTouch(Space::Global) || A.mayTouch(Space::Unknown));
            }));
  });
  return Lasts ? Kind::Flat : Kind::Other;
}

Kind GroupValues::ofPlace(const Expr *E) {
  E = E->IgnoreParens();
  if (++Steps > MostSteps || E->getType().isVolatileQualified())
    return Kind::Other;
  if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(E)) {
    const Kind Base = of(Sub->getBase()), Index = of(Sub->getIdx());
    return Base == Kind::Flat ? Index : Index == Kind::Flat ? Base : Kind::Other;
  }
  if (const auto *Star = dyn_cast<UnaryOperator>(E); Star && Star->getOpcode() == UO_Deref)
    return of(Star->getSubExpr());
  if (const auto *Cast = dyn_cast<CastExpr>(E)) {
    const Kind K = Cast->getSubExpr()->isGLValue() ? ofPlace(Cast->getSubExpr()) : Kind::Other;
    return Cast->getCastKind() == CK_NoOp || K == Kind::Flat ? K : Kind::Other;
  }
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E)) {
    const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
    if (!Var)
      return Kind::Other;
    if (Var->getType()->isReferenceType())
      return Var->hasInit() && !isa<ParmVarDecl>(Var) ? ofPlace(Var->getInit()) : Kind::Other;
    return Var->getType()->isArrayType() && (!Var->hasLocalStorage()) ? Kind::Flat : Kind::Other;
  }
  if (const auto *Member = dyn_cast<MemberExpr>(E)) {
    const Kind K = Member->isArrow() ? of(Member->getBase()) : ofPlace(Member->getBase());
    return K == Kind::Flat ? K : Kind::Other;
  }
  return Kind::Other;
}

bool GroupValues::isNotNegative(const Expr *E) const {
  E = E->IgnoreParens();
  if (E->getType()->isUnsignedIntegerType())
    return true;
  if (const std::optional<ValueRange> R = Values.range(E); R && R->Lo >= 0)
    return true;
  if (const auto *Cast = dyn_cast<CastExpr>(E)) {
    const Expr *Sub = Cast->getSubExpr();
    if (Cast->getCastKind() == CK_IntegralCast && isPlainInteger(Sub->getType())) {
      // A conversion that may change the sign, but of the number, which no type cuts.
      const bool Keeps =
          Context.getIntWidth(E->getType()) > Context.getIntWidth(Sub->getType()) ||
          (Sub->getType()->isSignedIntegerType() &&
           Context.getIntWidth(E->getType()) == Context.getIntWidth(Sub->getType())) ||
          (referencedVar(Sub->IgnoreParenImpCasts()) == Number &&
           Context.getIntWidth(E->getType()) >= Context.getIntWidth(Context.IntTy));
      return Keeps && isNotNegative(Sub);
    }
    if (Cast->getCastKind() != CK_LValueToRValue && Cast->getCastKind() != CK_NoOp)
      return false;
    const VarDecl *Var = referencedVar(Sub);
    const Expr *Init = Var && Var != Number && Made.count(Var) && Values.isSetOnce(Var)
                           ? initialValue(Var)
                           : nullptr;
    return Var && (Var == Number || (Init && isNotNegative(Init)));
  }
  const auto *Op = dyn_cast<BinaryOperator>(E);
  return Op &&
         is_contained({BO_Add, BO_Mul, BO_Div, BO_Rem, BO_Shr, BO_And, BO_Or}, Op->getOpcode()) &&
         isNotNegative(Op->getLHS()) && isNotNegative(Op->getRHS());
}

//===-- Where a group begins --------------------------------------------------===//

/// In front of the tile loop it has a value, the same for all threads, and no memory is read.
bool GroupValues::mayBeAsked(const Expr *E) const {
  E = E->IgnoreParens();
  const auto *Ref = dyn_cast<DeclRefExpr>(objectOf(E));
  const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  if (!Var || !Var->hasLocalStorage() || Var->getType()->isReferenceType() ||
      E->getType().isVolatileQualified() || Var->getType().isVolatileQualified() ||
      Values.hasOtherNames(Var) || !U.isUniform(E) || (!isa<ParmVarDecl>(Var) && !Var->hasInit()))
    return false;
  const SourceManager &SM = Context.getSourceManager();
  const SourceLocation At = SM.getExpansionLoc(Var->getLocation()),
                       Begin = SM.getExpansionLoc(M.Loop->Loop->getBeginLoc());
  if (!SM.isBeforeInTranslationUnit(At, Begin) || Made.count(Var))
    return false;
  if (objectOf(E) == E)
    return true;
  // A member: of an object that is whole.
  for (const Expr *Part = E; const auto *Member = dyn_cast<MemberExpr>(Part->IgnoreParens());
       Part = Member->getBase())
    if (Member->isArrow() || !isa<FieldDecl>(Member->getMemberDecl()) ||
        Member->getMemberDecl()->getType()->isReferenceType() ||
        cast<FieldDecl>(Member->getMemberDecl())->isBitField())
      return false;
  return Values.isUnchangedParameter(Var) || Var->getType().isConstQualified();
}

/// It is declared in the tile loop, be it in its header.
bool GroupValues::isOfLoop(const VarDecl *Var) const {
  return standsIn(Var->getLocation(), M.Loop->Loop, Context.getSourceManager());
}

bool GroupValues::test(const Expr *E, bool IsAddress, uint64_t Multiple) {
  E = E->IgnoreParens();
  for (MultipleTest &T : Tests)
    if (T.IsAddress == IsAddress && sameExpression(T.Of, E, Context)) {
      T.Multiple = std::max(T.Multiple, Multiple);
      return true;
    }
  Tests.push_back({E, IsAddress, Multiple});
  return true;
}

/// True if that is so whatever the kernel is given.
bool GroupValues::withoutTests(function_ref<bool()> Ask) {
  const std::vector<MultipleTest> Before = std::exchange(Tests, {});
  const bool Holds = Ask() && Tests.empty();
  Tests = Before;
  return Holds;
}

bool GroupValues::either(function_ref<bool()> First, function_ref<bool()> Second) {
  const std::vector<MultipleTest> Before = Tests;
  if (First())
    return true;
  Tests = Before;
  if (Second())
    return true;
  Tests = Before;
  return false;
}

/// So many elements of the type are a multiple of \p Bytes.
bool GroupValues::isMultipleOf(const Expr *Count, QualType Element, uint64_t Bytes) {
  const uint64_t Known = powerIn(Element);
  return isMultiple(Count, Known >= Bytes ? 1 : Bytes / Known);
}

/// The largest power of two that divides the size of \p Element; 1 of what has none.
uint64_t GroupValues::powerIn(QualType Element) const {
  if (Element->isIncompleteType() || Element->isFunctionType())
    return 1;
  const uint64_t Size = Context.getTypeSizeInChars(Element).getQuantity();
  return Size ? Size & -Size : 1;
}

bool GroupValues::isMultiple(const Expr *E, uint64_t Of) {
  E = E->IgnoreParens();
  if (Of == 1)
    return true;
  if (++Steps > MostSteps || !E->getType()->isIntegerType())
    return false;
  if (const std::optional<int64_t> Known = Values.fold(E))
    return (uint64_t(*Known) & (Of - 1)) == 0;
  if (const auto *Cast = dyn_cast<CastExpr>(E)) {
    const Expr *Sub = Cast->getSubExpr();
    if (Cast->getCastKind() == CK_LValueToRValue) {
      if (const VarDecl *Var = referencedVar(Sub))
        return multipleVariable(Sub, Var, Of);
      return mayBeAsked(Sub) && test(Sub, false, Of);
    }
    return (Cast->getCastKind() == CK_IntegralCast || Cast->getCastKind() == CK_NoOp) &&
           isPlainInteger(Sub->getType()) && isMultiple(Sub, Of);
  }
  if (const auto *Op = dyn_cast<UnaryOperator>(E))
    return (Op->getOpcode() == UO_Minus || Op->getOpcode() == UO_Plus) &&
           isMultiple(Op->getSubExpr(), Of);
  if (const auto *Choice = dyn_cast<ConditionalOperator>(E))
    return isMultiple(Choice->getTrueExpr(), Of) && isMultiple(Choice->getFalseExpr(), Of);
  if (const auto *Call = dyn_cast<CallExpr>(E)) {
    const FunctionDecl *Callee = Call->getDirectCallee();
    return Callee && Callee->getIdentifier() &&
           (Callee->getName() == "min" || Callee->getName() == "max") &&
           classifyFunction(Callee, Context) == FunctionKind::Pure && Call->getNumArgs() == 2 &&
           all_of(Call->arguments(),
                  [&](const Expr *Arg) { return !Arg->isGLValue() && isMultiple(Arg, Of); });
  }
  const auto *Op = dyn_cast<BinaryOperator>(E);
  if (!Op || !Op->getLHS()->getType()->isIntegerType() || !Op->getRHS()->getType()->isIntegerType())
    return false;
  const Expr *L = Op->getLHS(), *R = Op->getRHS();
  switch (Op->getOpcode()) {
  case BO_Add:
  case BO_Sub:
  case BO_Or:
  case BO_Xor:
  case BO_Rem:
    return isMultiple(L, Of) && isMultiple(R, Of);
  case BO_And:
    return either([&] { return isMultiple(R, Of); }, [&] { return isMultiple(L, Of); });
  case BO_Mul:
    return multipleProduct(L, R, Of);
  case BO_Shl:
    if (const std::optional<int64_t> By = Values.fold(R); By && *By >= 0 && *By < 31)
      return isMultiple(L, std::max<uint64_t>(1, Of >> *By));
    return isMultiple(L, Of);
  default:
    return false;
  }
}

uint64_t GroupValues::knownMultiple(const Expr *E, uint64_t Most) {
  uint64_t Of = Most;
  while (Of > 1 && !withoutTests([&] { return isMultiple(E, Of); }))
    Of /= 2;
  return Of;
}

bool GroupValues::multipleProduct(const Expr *L, const Expr *R, uint64_t Of) {
  const uint64_t OfL = knownMultiple(L, Of), OfR = knownMultiple(R, Of);
  return OfL * OfR >= Of ||
         either([&] { return isMultiple(R, Of / OfL); }, [&] { return isMultiple(L, Of / OfR); });
}

bool GroupValues::multipleVariable(const Expr *Name, const VarDecl *Var, uint64_t Of) {
  if (Var == Number)
    return Of <= Group;
  if (!Asked.insert(Var).second)
    return true; // sums and products of multiples are multiples
  const auto Done = [&](bool Holds) {
    Asked.erase(Var);
    return Holds;
  };
  if (!Var->hasLocalStorage() || Values.hasOtherNames(Var) ||
      Var->getType().isVolatileQualified() || Var->getType()->isReferenceType())
    return Done(false);
  const auto Set = [&](const Stmt *In) {
    const VariableWrites W(Var, In);
    return !W.Steps && !W.Otherwise && all_of(W.Assignments, [&](const BinaryOperator *Op) {
      switch (Op->getOpcode()) {
      case BO_Assign:
      case BO_AddAssign:
      case BO_SubAssign:
        return isMultiple(Op->getRHS(), Of);
      default:
        return VariableWrites::keepsMultiples(Op);
      }
    });
  };
  const auto Always = [&] {
    // Without a value it is not used before it is set.
    const Expr *Init = Var->hasInit() ? initialValue(Var) : nullptr;
    return !isa<ParmVarDecl>(Var) && (Init ? isMultiple(Init, Of) : !Var->hasInit()) &&
           Set(M.Loop->Function->getBody());
  };
  if (withoutTests(Always))
    return Done(true);
  if (mayBeAsked(Name))
    return Done(
        either([&] { return Set(M.Loop->Loop) && test(Name, false, Of); }, [] { return false; }));
  // What is set in front of the loop is made of values of that time, which is not when they are
  // tested.
  return Done(isOfLoop(Var) && either(Always, [] { return false; }));
}

bool GroupValues::isAligned(const Expr *E, uint64_t Bytes, bool MayTest) {
  E = E->IgnoreParens();
  if (++Steps > MostSteps)
    return false;
  if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(E))
    return alignedPointer(Sub->getBase(), Bytes, MayTest) &&
           isMultipleOf(Sub->getIdx(), E->getType(), Bytes);
  if (const auto *Star = dyn_cast<UnaryOperator>(E); Star && Star->getOpcode() == UO_Deref)
    return alignedPointer(Star->getSubExpr(), Bytes, MayTest);
  if (const auto *Cast = dyn_cast<CastExpr>(E))
    return (Cast->getCastKind() == CK_NoOp || Cast->getCastKind() == CK_LValueBitCast) &&
           isAligned(Cast->getSubExpr(), Bytes, MayTest);
  const auto *Ref = dyn_cast<DeclRefExpr>(E);
  const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  if (!Var)
    return false;
  if (Var->getType()->isReferenceType())
    return Var->hasInit() && !isa<ParmVarDecl>(Var) && isAligned(Var->getInit(), Bytes, MayTest);
  if (!MayTest)
    return any_of(M.Buffers, [&](const auto &B) {
      return B->Decl == Var && B->Origin == BufferOrigin::Static;
    });
  return uint64_t(Context.getDeclAlign(Var).getQuantity()) >= Bytes;
}

bool GroupValues::alignedPointer(const Expr *E, uint64_t Bytes, bool MayTest) {
  E = E->IgnoreParens();
  if (++Steps > MostSteps)
    return false;
  if (const auto *Cast = dyn_cast<CastExpr>(E)) {
    const Expr *Sub = Cast->getSubExpr();
    switch (Cast->getCastKind()) {
    case CK_LValueToRValue:
      if (const VarDecl *Var = referencedVar(Sub))
        return alignedVariable(Sub, Var, Bytes, MayTest);
      return MayTest && mayBeAsked(Sub) && test(Sub, true, Bytes);
    case CK_ArrayToPointerDecay:
      return isAligned(Sub, Bytes, MayTest);
    case CK_NoOp:
    case CK_BitCast:
      return Sub->getType()->isPointerType() && alignedPointer(Sub, Bytes, MayTest);
    default:
      return false;
    }
  }
  if (const auto *Op = dyn_cast<UnaryOperator>(E))
    return Op->getOpcode() == UO_AddrOf && isAligned(Op->getSubExpr(), Bytes, MayTest);
  if (const auto *Choice = dyn_cast<ConditionalOperator>(E))
    return alignedPointer(Choice->getTrueExpr(), Bytes, MayTest) &&
           alignedPointer(Choice->getFalseExpr(), Bytes, MayTest);
  const auto *Sum = dyn_cast<BinaryOperator>(E);
  if (!Sum || !Sum->isAdditiveOp() || !E->getType()->isPointerType())
    return false;
  const bool Left = Sum->getLHS()->getType()->isPointerType();
  return alignedPointer(Left ? Sum->getLHS() : Sum->getRHS(), Bytes, MayTest) &&
         isMultipleOf(Left ? Sum->getRHS() : Sum->getLHS(), E->getType()->getPointeeType(), Bytes);
}

bool GroupValues::alignedVariable(const Expr *Name, const VarDecl *Var, uint64_t Bytes,
                                  bool MayTest) {
  if (!Asked.insert(Var).second)
    return true;
  const auto Done = [&](bool Holds) {
    Asked.erase(Var);
    return Holds;
  };
  if (!Var->hasLocalStorage() || Values.hasOtherNames(Var) ||
      Var->getType().isVolatileQualified() || !Var->getType()->isPointerType())
    return Done(false);
  const QualType Element = Var->getType()->getPointeeType();
  const auto Set = [&](const Stmt *In) {
    const VariableWrites W(Var, In);
    return (!W.Steps || powerIn(Element) >= Bytes) && !W.Otherwise &&
           all_of(W.Assignments, [&](const BinaryOperator *Op) {
             switch (Op->getOpcode()) {
             case BO_Assign:
               return alignedPointer(Op->getRHS(), Bytes, MayTest);
             case BO_AddAssign:
             case BO_SubAssign:
               return isMultipleOf(Op->getRHS(), Element, Bytes);
             default:
               return false;
             }
           });
  };
  const auto Always = [&] {
    const Expr *Init = Var->hasInit() ? initialValue(Var) : nullptr;
    return !isa<ParmVarDecl>(Var) &&
           (Init ? alignedPointer(Init, Bytes, MayTest) : !Var->hasInit()) &&
           Set(M.Loop->Function->getBody());
  };
  if (MayTest && mayBeAsked(Name))
    return Done(
        either([&] { return Set(M.Loop->Loop) && test(Name, true, Bytes); }, [] { return false; }));
  if (withoutTests(Always))
    return Done(true);
  return Done(isOfLoop(Var) && either(Always, [] { return false; }));
}

} // namespace cuda_pipeline
