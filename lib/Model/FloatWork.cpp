//===- FloatWork.cpp - Numbers that may be rounded in two ways --------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FloatWork.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringSet.h"
#include <set>

using namespace clang;

namespace cuda_pipeline {
namespace {

/// It neither ends with a product nor begins with a sum: one instruction, or one that nothing is
/// fused with (`__fmul_rn`).
bool isExact(const FunctionDecl *Callee) {
  // One of the file's own may be called like that and do anything.
  if (!Callee || !Callee->getIdentifier() || isa<CXXMethodDecl>(Callee) ||
      (Callee->hasBody() &&
       !Callee->getASTContext().getSourceManager().isInSystemHeader(Callee->getLocation())))
    return false;
  llvm::StringRef Name = Callee->getName();
  if (Name.starts_with("__") && (Name.ends_with("_rn") || Name.ends_with("_rz") ||
                                 Name.ends_with("_ru") || Name.ends_with("_rd")))
    return true;
  static const llvm::StringSet<> Names = {"ceil", "floor", "trunc", "rint",    "nearbyint",
                                          "fabs", "abs",   "fmin",  "fmax",    "min",
                                          "max",  "sqrt",  "fma",   "copysign"};
  Name.consume_front("__builtin_");
  return Names.contains(Name) || (Name.ends_with("f") && Names.contains(Name.drop_back()));
}

/// A number, or a class with one in it.
bool holdsFloat(QualType Type) {
  Type = Type.getCanonicalType();
  while (const auto *Array = dyn_cast<ArrayType>(Type.getTypePtr()))
    Type = Array->getElementType().getCanonicalType();
  if (const CXXRecordDecl *Record = Type->getAsCXXRecordDecl()) {
    if (!Record->hasDefinition())
      return true;
    for (const CXXBaseSpecifier &Base : Record->bases())
      if (holdsFloat(Base.getType()))
        return true;
    for (const FieldDecl *Field : Record->fields())
      if (holdsFloat(Field->getType()))
        return true;
    return false;
  }
  return Type->hasFloatingRepresentation() || Type->isDependentType();
}

bool mayBeProduct(const Expr *E, unsigned Depth = 0);

/// The variable is a number that is no product, and what is added to that.
bool isOnlySummed(const VarDecl *Var, unsigned Depth) {
  const auto *Function = dyn_cast_or_null<FunctionDecl>(Var->getParentFunctionOrMethod());
  if (!Function || !Function->getBody() || isa<ParmVarDecl>(Var) || !Var->hasLocalStorage() ||
      Var->getType()->isReferenceType() || !Var->hasInit() ||
      mayBeProduct(Var->getInit(), Depth + 1))
    return false;
  struct Mentions : ConstDynamicRecursiveASTVisitor {
    const VarDecl *Var;
    int Others = 0; ///< mentions that do more than read it, step it or add to it
    explicit Mentions(const VarDecl *Var) : Var(Var) {}
    bool isIt(const Expr *E) const {
      const auto *Ref = dyn_cast<DeclRefExpr>(E->IgnoreParens());
      return Ref && Ref->getDecl() == Var;
    }
    bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
      Others += Ref->getDecl() == Var;
      return true;
    }
    bool VisitImplicitCastExpr(const ImplicitCastExpr *Cast) override {
      Others -= Cast->getCastKind() == CK_LValueToRValue && isIt(Cast->getSubExpr());
      return true;
    }
    bool VisitUnaryOperator(const UnaryOperator *Op) override {
      Others -= Op->isIncrementDecrementOp() && isIt(Op->getSubExpr());
      return true;
    }
    bool VisitBinaryOperator(const BinaryOperator *Op) override {
      Others -= (Op->getOpcode() == BO_AddAssign || Op->getOpcode() == BO_SubAssign) &&
                isIt(Op->getLHS());
      return true;
    }
  } Found(Var);
  Found.TraverseStmt(Function->getBody());
  return Found.Others == 0;
}

/// A sum that it is an operand of may be fused with it.
bool mayBeProduct(const Expr *E, unsigned Depth) {
  if (Depth > 8) // `float x = x;`
    return true;
  E = E->IgnoreParens();
  if (const auto *Cast = dyn_cast<CastExpr>(E))
    switch (Cast->getCastKind()) {
    case CK_IntegralToFloating:
    case CK_FloatingCast: // rounded in between
      return false;
    case CK_NoOp:
    case CK_LValueToRValue:
      return mayBeProduct(Cast->getSubExpr(), Depth);
    default:
      return true;
    }
  if (isa<FloatingLiteral, IntegerLiteral>(E))
    return false;
  if (const auto *Op = dyn_cast<BinaryOperator>(E))
    return !Op->isAdditiveOp();
  if (const auto *Call = dyn_cast<CallExpr>(E))
    return !isExact(Call->getDirectCallee());
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
    if (const auto *Var = dyn_cast<VarDecl>(Ref->getDecl()))
      return !isOnlySummed(Var, Depth);
  return true; // a variable that is one, an element that one was stored to
}

struct Visitor : ConstDynamicRecursiveASTVisitor {
  FloatWork Found;
  std::set<const FunctionDecl *> Seen;
  Visitor() { ShouldVisitImplicitCode = true; }

  void product() { Found.Product = Found.Any = true; }
  void sum() { Found.Sum = Found.Any = true; }

  bool VisitExpr(const Expr *E) override {
    // The words of a static_assert have no type.
    Found.Any |= !E->getType().isNull() && E->getType()->isRealFloatingType();
    return true;
  }
  bool VisitBinaryOperator(const BinaryOperator *Op) override {
    if (Op->getType()->isRealFloatingType())
      switch (Op->getOpcode()) {
      case BO_Mul:
      case BO_MulAssign:
      case BO_Div: // by its inverse, with -use_fast_math
      case BO_DivAssign:
        product();
        break;
      case BO_Add:
      case BO_AddAssign:
      case BO_Sub:
      case BO_SubAssign:
        if (mayBeProduct(Op->getLHS()) || mayBeProduct(Op->getRHS()))
          sum();
        break;
      default:
        break;
      }
    return true;
  }
  bool VisitUnaryOperator(const UnaryOperator *Op) override {
    if (Op->isIncrementDecrementOp() && Op->getType()->isRealFloatingType() &&
        mayBeProduct(Op->getSubExpr()))
      sum();
    return true;
  }
  bool VisitCallExpr(const CallExpr *Call) override {
    return into(Call->getDirectCallee(), Call->getType());
  }
  bool VisitCXXConstructExpr(const CXXConstructExpr *Construct) override {
    const CXXConstructorDecl *Ctor = Construct->getConstructor();
    if (Ctor->isTrivial())
      return true;
    if (const FunctionDecl *Body = nullptr; Ctor->hasBody(Body))
      for (const CXXCtorInitializer *Init : cast<CXXConstructorDecl>(Body)->inits())
        TraverseStmt(Init->getInit());
    return into(Ctor, Construct->getType());
  }
  /// \p Result: of it.
  bool into(const FunctionDecl *Callee, QualType Result) {
    const FunctionDecl *Body = nullptr;
    if (isExact(Callee)) // by whatever body a header gives it
      return true;
    if (Callee && Callee->hasBody(Body)) {
      if (Seen.insert(Body).second)
        TraverseStmt(Body->getBody());
    } else if (holdsFloat(Result)) {
      product();
      sum();
    }
    return true;
  }
};

} // namespace

FloatWork floatWorkIn(const Stmt *S) {
  Visitor V;
  V.TraverseStmt(S);
  return V.Found;
}

} // namespace cuda_pipeline
