//===- Contraction.cpp - Products that the compiler may fuse or not ------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cuda-pipeline/Contraction.h"
#include "../Model/AstUtil.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include <map>
#include <set>

using namespace clang;

namespace cuda_pipeline {
namespace {

constexpr unsigned MaxDepth = 8;

/// One function's statements: the compute phase, or the body of a function that it calls.
class SumsOfProducts {
public:
  /// \p Carried: what is known from outside of \p Body, by parameter. Of the compute phase itself:
  /// everything that is not declared in it.
  SumsOfProducts(const DeclMap<VarDecl, bool> *Carried, unsigned Depth)
      : Carried(Carried), Depth(Depth) {}

  Contraction Found;

  void find(llvm::ArrayRef<const Stmt *> Body) {
    for (const Stmt *S : Body)
      collect(S);
    for (const Stmt *S : Body)
      visit(S);
  }

private:
  const DeclMap<VarDecl, bool> *Carried;
  unsigned Depth;
  DeclSet<VarDecl> Declared;             ///< in these statements
  DeclMap<VarDecl, const Expr *> Scaled; ///< x and y of `x *= y`

  void collect(const Stmt *S) {
    if (!S)
      return;
    if (const auto *Decls = dyn_cast<DeclStmt>(S))
      for (const Decl *D : Decls->decls())
        if (const auto *Var = dyn_cast<VarDecl>(D))
          Declared.insert(Var);
    if (const auto *Op = dyn_cast<BinaryOperator>(S);
        Op && Op->getOpcode() == BO_MulAssign && Op->getType()->isRealFloatingType())
      if (const VarDecl *Var = referencedVar(Op->getLHS()))
        Scaled[Var] = Op->getRHS();
    for (const Stmt *Child : S->children())
      collect(Child);
  }

  /// Nothing in \p E is loaded in this iteration.
  bool isLoose(const Expr *E, unsigned Level = 0) const {
    E = E->IgnoreParenImpCasts();
    if (Level > MaxDepth)
      return false;
    if (const auto *Ref = dyn_cast<DeclRefExpr>(E)) {
      const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
      if (!Var)
        return !isa<BindingDecl>(Ref->getDecl()); // an enumerator, a template parameter
      if (!Var->getType()->isArithmeticType())
        return false;
      if (Carried && isa<ParmVarDecl>(Var)) {
        auto Known = Carried->find(Var);
        return Known != Carried->end() && Known->second;
      }
      if (Declared.count(Var))
        return Var->hasInit() && isLoose(Var->getInit(), Level + 1);
      return Var->isLocalVarDeclOrParm() || isConstObject(Var->getType());
    }
    if (isa<IntegerLiteral>(E) || isa<FloatingLiteral>(E))
      return true;
    if (const auto *Op = dyn_cast<UnaryOperator>(E))
      return (Op->getOpcode() == UO_Minus || Op->getOpcode() == UO_Plus) &&
             isLoose(Op->getSubExpr(), Level + 1);
    if (const auto *Op = dyn_cast<BinaryOperator>(E))
      return !Op->isAssignmentOp() && isLoose(Op->getLHS(), Level + 1) &&
             isLoose(Op->getRHS(), Level + 1);
    if (const auto *Cast = dyn_cast<CastExpr>(E))
      return isLoose(Cast->getSubExpr(), Level + 1);
    if (const auto *Subst = dyn_cast<SubstNonTypeTemplateParmExpr>(E))
      return isLoose(Subst->getReplacement(), Level + 1);
    return false;
  }

  /// A product that is an operand of a sum, and whether it is loose.
  void product(const Expr *E, unsigned Level = 0) {
    E = E->IgnoreParens();
    while (const auto *Cast = dyn_cast<ImplicitCastExpr>(E)) {
      if (Cast->getCastKind() != CK_LValueToRValue && Cast->getCastKind() != CK_NoOp)
        return; // a conversion stands between the product and the sum
      E = Cast->getSubExpr()->IgnoreParens();
    }
    if (const auto *Minus = dyn_cast<UnaryOperator>(E); Minus && Minus->getOpcode() == UO_Minus)
      return product(Minus->getSubExpr(), Level);
    if (const auto *Op = dyn_cast<BinaryOperator>(E)) {
      if (Op->getOpcode() != BO_Mul || !Op->getType()->isRealFloatingType())
        return;
      Found.Fusable = true;
      Found.Loose |= isLoose(Op);
      return;
    }
    const VarDecl *Var = referencedVar(E);
    if (!Var || Level > MaxDepth)
      return;
    if (auto It = Scaled.find(Var); It != Scaled.end()) {
      Found.Fusable = true;
      Found.Loose |= isLoose(It->second);
    }
    if (Declared.count(Var) && Var->hasInit())
      product(Var->getInit(), Level + 1);
  }

  void visit(const Stmt *S) {
    if (!S || isa<LambdaExpr>(S))
      return;
    if (const auto *Op = dyn_cast<BinaryOperator>(S); Op && Op->getType()->isRealFloatingType()) {
      bool Sum = Op->getOpcode() == BO_Add || Op->getOpcode() == BO_Sub;
      bool Update = Op->getOpcode() == BO_AddAssign || Op->getOpcode() == BO_SubAssign;
      if (Sum || Update) {
        product(Op->getLHS());
        product(Op->getRHS());
      }
    }
    if (const auto *Call = dyn_cast<CallExpr>(S); Call && Depth < 3)
      callee(Call);
    for (const Stmt *Child : S->children())
      visit(Child);
  }

  void callee(const CallExpr *Call) {
    const FunctionDecl *Callee = Call->getDirectCallee();
    const FunctionDecl *Definition = nullptr;
    if (!Callee || !Callee->hasBody(Definition))
      return;
    DeclMap<VarDecl, bool> Arguments;
    const unsigned Shift = objectArguments(Call);
    for (unsigned I = 0; I < Definition->getNumParams() && I + Shift < Call->getNumArgs(); ++I)
      Arguments[Definition->getParamDecl(I)] = isLoose(Call->getArg(I + Shift));
    SumsOfProducts Inside(&Arguments, Depth + 1);
    Inside.find(Definition->getBody());
    Found.Fusable |= Inside.Found.Fusable;
    Found.Loose |= Inside.Found.Loose;
  }
};

/// Sums of products that are not in one phase of one turn.
class SumsApart {
public:
  explicit SumsApart(const TileModel &M) {
    for (unsigned Segment = 0; Segment < 3; ++Segment)
      for (const Stmt *S : M.Segments[Segment])
        collect(S, Segment);
    // `q = p;`, in any order.
    for (size_t Before = ~size_t(0); Before != Products.size();) {
      Before = Products.size();
      for (const auto &[To, From] : Copies)
        if (auto It = Products.find(From); It != Products.end()) {
          const std::set<unsigned> Of = It->second;
          Products[To].insert(Of.begin(), Of.end());
        }
    }
    for (unsigned Segment = 0; Segment < 3; ++Segment)
      for (const Stmt *S : M.Segments[Segment])
        visit(S, Segment);
  }
  bool Any = false;

private:
  DeclMap<VarDecl, std::set<unsigned>> Products; ///< by the segments in which they are set to one
  std::vector<std::pair<const VarDecl *, const VarDecl *>> Copies;
  DeclSet<VarDecl> Declared;   ///< in the body
  DeclSet<VarDecl> OnlyScaled; ///< by the compute phase: `sum *= f`, and nothing else

  static const Expr *stripped(const Expr *E) {
    E = E->IgnoreParenImpCasts();
    const auto *Minus = dyn_cast<UnaryOperator>(E);
    return Minus && Minus->getOpcode() == UO_Minus ? stripped(Minus->getSubExpr()) : E;
  }
  /// The variable, or that of which it is a member or an element.
  static const VarDecl *variableOf(const Expr *E) {
    E = stripped(E);
    if (const auto *Member = dyn_cast<MemberExpr>(E))
      return Member->isArrow() ? nullptr : variableOf(Member->getBase());
    if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(E))
      return variableOf(Sub->getBase());
    const VarDecl *Var = referencedVar(E);
    return Var && Var->hasLocalStorage() && !Var->getType()->isPointerType() ? Var : nullptr;
  }
  static bool isProduct(const Expr *E) {
    const auto *Op = dyn_cast<BinaryOperator>(E);
    return Op && Op->getOpcode() == BO_Mul && Op->getType()->isRealFloatingType();
  }

  void multiplied(const VarDecl *Var, unsigned Segment, bool Scales) {
    const bool First = Products.find(Var) == Products.end();
    Products[Var].insert(Segment);
    if (!Scales || Segment != 1)
      OnlyScaled.erase(Var);
    else if (First)
      OnlyScaled.insert(Var);
  }

  void set(const VarDecl *Var, const Expr *Value, unsigned Segment) {
    if (!Var || !Value)
      return;
    Value = stripped(Value);
    if (const auto *Cond = dyn_cast<ConditionalOperator>(Value)) {
      set(Var, Cond->getTrueExpr(), Segment);
      return set(Var, Cond->getFalseExpr(), Segment);
    }
    if (isProduct(Value) || isa<CallExpr>(Value))
      multiplied(Var, Segment, /*Scales=*/isProduct(Value) && mentionedVars(Value).count(Var));
    else if (const VarDecl *From = variableOf(Value); From && From != Var)
      Copies.push_back({Var, From});
  }

  void collect(const Stmt *S, unsigned Segment) {
    if (!S)
      return;
    if (const auto *Decls = dyn_cast<DeclStmt>(S))
      for (const Decl *D : Decls->decls())
        if (const auto *Var = dyn_cast<VarDecl>(D)) {
          Declared.insert(Var);
          if (Var->getType()->isRealFloatingType())
            set(Var, Var->getInit(), Segment);
        }
    if (const auto *Op = dyn_cast<BinaryOperator>(S); Op && Op->getType()->isRealFloatingType()) {
      if (Op->getOpcode() == BO_Assign)
        set(variableOf(Op->getLHS()), Op->getRHS(), Segment);
      if (Op->getOpcode() == BO_MulAssign)
        if (const VarDecl *Var = variableOf(Op->getLHS()))
          multiplied(Var, Segment, /*Scales=*/true);
    }
    for (const Stmt *Child : S->children())
      collect(Child, Segment);
  }

  void operand(const Expr *E, unsigned Segment) {
    E = stripped(E);
    Any |= Segment == 0 && (isProduct(E) || isa<CallExpr>(E));
    const VarDecl *Var = variableOf(E);
    auto It = Var ? Products.find(Var) : Products.end();
    if (It == Products.end() || (Segment == 1 && OnlyScaled.count(Var)))
      return;
    // One of the body's own has it from the same turn.
    Any |= Segment == 0 || !Declared.count(Var) || It->second != std::set<unsigned>{Segment};
  }

  void visit(const Stmt *S, unsigned Segment) {
    if (!S)
      return;
    if (const auto *Op = dyn_cast<BinaryOperator>(S); Op && Op->getType()->isRealFloatingType())
      switch (Op->getOpcode()) {
      case BO_Add:
      case BO_Sub:
        operand(Op->getLHS(), Segment);
        operand(Op->getRHS(), Segment);
        break;
      case BO_AddAssign:
      case BO_SubAssign:
        operand(Op->getRHS(), Segment);
        operand(Op->getLHS(), Segment);
        break;
      default:
        break;
      }
    for (const Stmt *Child : S->children())
      visit(Child, Segment);
  }
};

} // namespace

Contraction findContraction(const TileModel &M) {
  std::vector<const Stmt *> Compute = M.Segments[1];
  Compute.insert(Compute.end(), M.Segments[2].begin(), M.Segments[2].end());
  SumsOfProducts Phase(nullptr, 0);
  Phase.find(Compute);
  Phase.Found.Apart = SumsApart(M).Any;
  return Phase.Found;
}

} // namespace cuda_pipeline
