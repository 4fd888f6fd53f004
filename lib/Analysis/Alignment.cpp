//===- Alignment.cpp - What an address is a multiple of -------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Alignment.h"
#include "../Model/AstUtil.h"
#include "../Model/KnownFunctions.h"
#include "../Model/LoopFacts.h"
#include "../Model/Values.h"
#include "VariableWrites.h"
#include "clang/AST/RecordLayout.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

constexpr uint64_t Most = 16;
constexpr unsigned MostSteps = 400;

/// The largest power of two that divides \p N, up to Most.
uint64_t powerIn(uint64_t N) { return N == 0 ? Most : std::min<uint64_t>(Most, N & -N); }

class Multiples {
public:
  Multiples(const TileModel &M, const ASTContext &Context)
      : M(M), Values(*M.Facts->Values), Context(Context) {}

  uint64_t ofPlace(const Expr *E) {
    E = stripNoOps(E);
    if (const auto *Call = dyn_cast<CallExpr>(E); Call && !E->isGLValue()) {
      const FunctionDecl *Callee = Call->getDirectCallee();
      return Callee && Call->getNumArgs() &&
                     classifyFunction(Callee, Context) == FunctionKind::LoadPointer
                 ? ofPointer(Call->getArg(0))
                 : 1;
    }
    return std::max(place(E), alignmentOf(E, Context));
  }

private:
  const TileModel &M;
  const FunctionValues &Values;
  const ASTContext &Context;
  /// Variables whose values are looked at just now. One that is set to something made of itself
  /// lowers nothing by that: sums and products of multiples are multiples.
  DeclSet<VarDecl> Asked;
  unsigned Steps = 0; ///< a long chain of variables is not followed to its end

  uint64_t sizeOf(QualType T) const {
    return T->isDependentType() || T->isIncompleteType() || T->isFunctionType()
               ? 1
               : Context.getTypeSizeInChars(T).getQuantity();
  }
  uint64_t scaled(QualType Element, const Expr *Count) {
    const uint64_t Size = powerIn(sizeOf(Element));
    return Size >= Most ? Most : std::min(Most, Size * ofNumber(Count));
  }

  uint64_t place(const Expr *E) {
    E = E->IgnoreParens();
    if (const auto *Ref = dyn_cast<DeclRefExpr>(E)) {
      const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
      if (!Var)
        return 1;
      if (Var->getType()->isReferenceType())
        return Var->hasInit() && !isa<ParmVarDecl>(Var) && Var->hasLocalStorage() &&
                       ++Steps < MostSteps
                   ? place(Var->getInit())
                   : 1;
      // The stages of a tile are made as it is wanted here; dynamic shared memory begins where it
      // does.
      const uint64_t Declared = std::min<uint64_t>(Most, Context.getDeclAlign(Var).getQuantity());
      const bool IsTile = any_of(M.Buffers, [&](const auto &B) {
        return B->Decl == Var && B->Origin == BufferOrigin::Static;
      });
      return IsTile ? Most : Declared;
    }
    if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(E))
      return std::min(ofPointer(Sub->getBase()), scaled(E->getType(), Sub->getIdx()));
    if (const auto *Star = dyn_cast<UnaryOperator>(E); Star && Star->getOpcode() == UO_Deref)
      return ofPointer(Star->getSubExpr());
    if (const auto *Member = dyn_cast<MemberExpr>(E)) {
      const auto *Field = dyn_cast<FieldDecl>(Member->getMemberDecl());
      if (!Field || Field->isBitField() || Field->getType()->isReferenceType())
        return 1;
      const uint64_t Offset =
          Context.getASTRecordLayout(Field->getParent()).getFieldOffset(Field->getFieldIndex()) / 8;
      return std::min(Member->isArrow() ? ofPointer(Member->getBase()) : place(Member->getBase()),
                      powerIn(Offset));
    }
    // A base class lies somewhere in the object.
    if (const auto *Cast = dyn_cast<CastExpr>(E);
        Cast && (Cast->getCastKind() == CK_NoOp || Cast->getCastKind() == CK_LValueBitCast))
      return place(Cast->getSubExpr());
    if (const auto *Cond = dyn_cast<ConditionalOperator>(E); Cond && E->isGLValue())
      return std::min(place(Cond->getTrueExpr()), place(Cond->getFalseExpr()));
    return 1;
  }

  uint64_t ofPointer(const Expr *E) {
    E = E->IgnoreParens();
    if (const auto *Cast = dyn_cast<CastExpr>(E)) {
      const Expr *Sub = Cast->getSubExpr();
      switch (Cast->getCastKind()) {
      case CK_LValueToRValue:
        return givenPointer(Sub->IgnoreParens());
      case CK_ArrayToPointerDecay:
        return place(Sub);
      case CK_NoOp:
      case CK_BitCast:
      case CK_AddressSpaceConversion:
        return Sub->getType()->isPointerType() ? ofPointer(Sub) : 1;
      default:
        return 1;
      }
    }
    if (const auto *Op = dyn_cast<UnaryOperator>(E)) {
      if (Op->getOpcode() == UO_AddrOf)
        return place(Op->getSubExpr());
      return Op->isIncrementDecrementOp() ? givenPointer(Op->getSubExpr()->IgnoreParens()) : 1;
    }
    if (const auto *Sum = dyn_cast<BinaryOperator>(E);
        Sum && Sum->isAdditiveOp() && E->getType()->isPointerType()) {
      const bool Left = Sum->getLHS()->getType()->isPointerType();
      return std::min(ofPointer(Left ? Sum->getLHS() : Sum->getRHS()),
                      scaled(E->getType()->getPointeeType(), Left ? Sum->getRHS() : Sum->getLHS()));
    }
    if (const auto *Cond = dyn_cast<ConditionalOperator>(E))
      return std::min(ofPointer(Cond->getTrueExpr()), ofPointer(Cond->getFalseExpr()));
    return 1;
  }

  /// The value of the pointer that \p E is: a variable, or a member of a structure that the kernel
  /// is given.
  uint64_t givenPointer(const Expr *E) {
    if (const VarDecl *Var = referencedVar(E))
      return ofVariable(Var);
    const Expr *Object = objectOf(E);
    const auto *Param =
        Object == E ? nullptr : dyn_cast_or_null<ParmVarDecl>(referencedVar(Object));
    return Param && M.Loop->IsKernel && Values.isUnchangedParameter(Param) ? Most : 1;
  }

  uint64_t ofNumber(const Expr *E) {
    E = E->IgnoreParens();
    if (std::optional<int64_t> Known = Values.fold(E))
      return powerIn(uint64_t(*Known));
    if (const auto *Cast = dyn_cast<CastExpr>(E)) {
      if (!Cast->getSubExpr()->getType()->isIntegerType())
        return 1;
      // Narrower numbers are the same ones modulo a larger power of two.
      if (Cast->getCastKind() == CK_IntegralCast || Cast->getCastKind() == CK_NoOp)
        return ofNumber(Cast->getSubExpr());
      const VarDecl *Var =
          Cast->getCastKind() == CK_LValueToRValue ? referencedVar(Cast->getSubExpr()) : nullptr;
      return Var ? ofVariable(Var) : 1;
    }
    if (const auto *Op = dyn_cast<UnaryOperator>(E))
      return Op->getOpcode() == UO_Minus || Op->getOpcode() == UO_Plus ? ofNumber(Op->getSubExpr())
                                                                       : 1;
    if (const auto *Cond = dyn_cast<ConditionalOperator>(E))
      return std::min(ofNumber(Cond->getTrueExpr()), ofNumber(Cond->getFalseExpr()));
    const auto *Op = dyn_cast<BinaryOperator>(E);
    if (!Op || !E->getType()->isIntegerType())
      return 1;
    switch (Op->getOpcode()) {
    case BO_Add:
    case BO_Sub:
    case BO_Or:
    case BO_Xor:
    case BO_Rem:
      if (!Op->getLHS()->getType()->isIntegerType())
        return 1; // a difference of pointers
      return std::min(ofNumber(Op->getLHS()), ofNumber(Op->getRHS()));
    case BO_And:
      return std::max(ofNumber(Op->getLHS()), ofNumber(Op->getRHS()));
    case BO_Mul:
      return std::min(Most, ofNumber(Op->getLHS()) * ofNumber(Op->getRHS()));
    case BO_Shl:
      if (std::optional<int64_t> By = Values.fold(Op->getRHS()); By && *By >= 0)
        return *By >= 4 ? Most : std::min(Most, ofNumber(Op->getLHS()) << *By);
      return ofNumber(Op->getLHS());
    default:
      return 1;
    }
  }

  /// Of all that the variable is ever set to.
  uint64_t ofVariable(const VarDecl *Var) {
    if (++Steps >= MostSteps)
      return 1;
    if (!Asked.insert(Var).second)
      return Most;
    const uint64_t All = ofValues(Var);
    Asked.erase(Var);
    return All;
  }

  uint64_t ofValues(const VarDecl *Var) {
    const bool Pointer = Var->getType()->isPointerType();
    if ((!Pointer && !Var->getType()->isIntegerType()) || !Var->hasLocalStorage() ||
        Values.hasOtherNames(Var) || Var->getType().isVolatileQualified())
      return 1;
    uint64_t All = Most;
    if (isa<ParmVarDecl>(Var)) {
      if (!Pointer || !M.Loop->IsKernel || Var->getDeclContext() != M.Loop->Function)
        return 1;
    } else if (Var->hasInit()) {
      const Expr *Init = initialValue(Var);
      All = !Init ? 1 : Pointer ? ofPointer(Init) : ofNumber(Init);
    }
    const VariableWrites W(Var, M.Loop->Function->getBody());
    if (W.Otherwise)
      return 1;
    const QualType Element = Pointer ? Var->getType()->getPointeeType() : QualType();
    if (W.Steps)
      All = std::min(All, Pointer ? powerIn(sizeOf(Element)) : 1);
    for (const BinaryOperator *Op : W.Assignments) {
      const Expr *By = Op->getRHS();
      switch (Op->getOpcode()) {
      case BO_Assign:
        All = std::min(All, Pointer ? ofPointer(By) : ofNumber(By));
        break;
      case BO_AddAssign:
      case BO_SubAssign:
        All = std::min(All, Pointer ? scaled(Element, By) : ofNumber(By));
        break;
      default:
        if (!VariableWrites::keepsMultiples(Op))
          return 1;
      }
    }
    return All;
  }
};

} // namespace

uint64_t alignmentIfGiven16(const Expr *E, const TileModel &Model, const ASTContext &Context) {
  return Multiples(Model, Context).ofPlace(E);
}

} // namespace cuda_pipeline
