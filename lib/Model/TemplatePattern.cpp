//===- TemplatePattern.cpp - What a template's own text says of types -----------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TemplatePattern.h"
#include "AstUtil.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {

TemplatePattern::TemplatePattern(const FunctionDecl *Function) : Function(Function) {
  struct Visitor : ConstDynamicRecursiveASTVisitor {
    std::map<Place, const Type *> &Map;
    explicit Visitor(std::map<Place, const Type *> &Map) : Map(Map) {}
    void add(SourceRange R, QualType T) {
      const Type *Canonical = T.getCanonicalType().getTypePtr();
      if (isa<BuiltinType>(Canonical) || isa<AutoType>(Canonical))
        Canonical = nullptr; // <dependent type>
      Place P = {R.getBegin().getRawEncoding(), R.getEnd().getRawEncoding()};
      auto [It, New] = Map.insert({P, Canonical});
      // The outermost of several expressions in one place counts, but only where they agree.
      if (!New && It->second != Canonical)
        It->second = nullptr;
    }
    bool VisitStmt(const Stmt *S) override {
      // What is between the parentheses of `T v(0)` has no type at all.
      if (const auto *E = dyn_cast<Expr>(S); E && E->isTypeDependent() && !E->getType().isNull())
        add(E->getSourceRange(), E->getType());
      return true;
    }
    bool VisitVarDecl(const VarDecl *Var) override {
      // Of an array the elements count: `float As[BM][BK]` holds floats.
      QualType T = Var->getASTContext().getBaseElementType(Var->getType());
      if (T->isDependentType() || T->isUndeducedType())
        add(Var->getLocation(), T);
      return true;
    }
  } V(Dependent);
  if (const FunctionDecl *Pattern = Function->getTemplateInstantiationPattern())
    V.TraverseDecl(Pattern);
}

std::vector<std::pair<const TemplateParameterList *, ArrayRef<TemplateArgument>>>
templatesAround(const FunctionDecl *Function) {
  std::vector<std::pair<const TemplateParameterList *, ArrayRef<TemplateArgument>>> All;
  for (const DeclContext *D = Function->getDeclContext(); D; D = D->getParent())
    if (const auto *Class = dyn_cast<ClassTemplateSpecializationDecl>(D))
      All.push_back({Class->getSpecializedTemplate()->getTemplateParameters(),
                     Class->getTemplateArgs().asArray()});
  if (const FunctionTemplateDecl *Template = Function->getPrimaryTemplate())
    if (const TemplateArgumentList *Args = Function->getTemplateSpecializationArgs())
      All.push_back({Template->getTemplateParameters(), Args->asArray()});
  return All;
}

SourceRange typedPlace(const Expr *E) {
  const Expr *Part = stripNoOps(E);
  while (const auto *Element = dyn_cast<ArraySubscriptExpr>(Part)) {
    const Expr *Base = Element->getBase()->IgnoreParenImpCasts();
    if (!Base->getType()->isArrayType())
      return E->getSourceRange();
    Part = Base;
  }
  const auto *Ref = dyn_cast<DeclRefExpr>(Part);
  const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  if (!Var || E->getType()->isArrayType())
    return E->getSourceRange();
  return Var->getLocation();
}

static std::pair<unsigned, unsigned> placeOf(SourceRange R) {
  return {R.getBegin().getRawEncoding(), R.getEnd().getRawEncoding()};
}

bool TemplatePattern::isDependent(SourceRange Where) const {
  return Dependent.count(placeOf(Where)) != 0;
}

bool TemplatePattern::haveSameType(SourceRange A, SourceRange B) const {
  auto InA = Dependent.find(placeOf(A)), InB = Dependent.find(placeOf(B));
  if (InA == Dependent.end() || InB == Dependent.end())
    return InA == InB;
  return InA->second && InA->second == InB->second;
}

const Expr *TemplatePattern::typedPart(const Expr *E) const {
  const Expr *Part = stripNoOps(E);
  if (const auto *Choice = dyn_cast<ConditionalOperator>(Part)) {
    const Expr *A = Choice->getTrueExpr(), *B = Choice->getFalseExpr();
    const Expr *OfA = typedPart(A), *OfB = typedPart(B);
    if (ownParameter(OfA->getType()) == ownParameter(OfB->getType()))
      Part = OfA;
  }
  const ASTContext &Context = Function->getASTContext();
  return ownParameter(Part->getType()) &&
                 Context.hasSameUnqualifiedType(Part->getType(), E->getType())
             ? Part
             : E;
}

const NamedDecl *TemplatePattern::ownParameter(QualType Type) const {
  const auto *Subst = Type->getAs<SubstTemplateTypeParmType>();
  if (!Subst)
    return nullptr;
  const NamedDecl *Param = Subst->getReplacedParameter();
  return any_of(templatesAround(Function),
                [&](const auto &T) { return is_contained(*T.first, Param); })
             ? Param
             : nullptr;
}

HiddenMentions::HiddenMentions(const FunctionDecl *Instantiation) {
  const FunctionDecl *Pattern = Instantiation->getTemplateInstantiationPattern();
  if (!Pattern || !Pattern->hasBody() || !Instantiation->hasBody())
    return;
  struct Visitor : ConstDynamicRecursiveASTVisitor {
    std::map<unsigned, const VarDecl *> Declared; ///< by place
    std::vector<const DeclRefExpr *> Mentions;
    bool VisitVarDecl(const VarDecl *Var) override {
      Declared.try_emplace(Var->getLocation().getRawEncoding(), Var);
      return true;
    }
    bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
      if (isa<VarDecl>(Ref->getDecl()))
        Mentions.push_back(Ref);
      return true;
    }
  } Of, Text;
  Of.TraverseStmt(Instantiation->getBody());
  for (const ParmVarDecl *Param : Instantiation->parameters())
    Of.VisitVarDecl(Param);
  Text.TraverseStmt(Pattern->getBody());
  std::set<unsigned> Seen;
  // A type that depends on no argument is the pattern's, and with it what `decltype` names.
  for (const DeclRefExpr *Ref : Of.Mentions)
    if (auto It = Of.Declared.find(Ref->getDecl()->getLocation().getRawEncoding());
        It == Of.Declared.end() || It->second == Ref->getDecl())
      Seen.insert(Ref->getLocation().getRawEncoding());
  for (const DeclRefExpr *Ref : Text.Mentions)
    if (!Seen.count(Ref->getLocation().getRawEncoding()))
      if (auto It = Of.Declared.find(Ref->getDecl()->getLocation().getRawEncoding());
          It != Of.Declared.end())
        All.push_back({It->second, Ref->getLocation()});
}

ChosenByArguments::ChosenByArguments(const FunctionDecl *Instantiation) {
  struct Visitor : ConstDynamicRecursiveASTVisitor {
    bool Found = false;
    bool VisitIfStmt(const IfStmt *If) override {
      Found |= If->isConstexpr() && If->getCond()->isInstantiationDependent();
      return !Found;
    }
    bool VisitCallExpr(const CallExpr *Call) override {
      // What operators and constructors do is taken for arithmetic, here as in the loop.
      Found |= !isa<CXXOperatorCallExpr>(Call) && Call->getCallee()->isInstantiationDependent();
      return !Found;
    }
    // A member of another argument may be an array or a pointer, a number or a reference to one
    // that is changed. (Elements, and what the loop makes of them, are taken for numbers.)
    bool VisitCXXDependentScopeMemberExpr(const CXXDependentScopeMemberExpr *Member) override {
      const Expr *Of =
          Member->isImplicitAccess() ? nullptr : Member->getBase()->IgnoreParenImpCasts();
      while (const auto *Outer = dyn_cast_or_null<CXXDependentScopeMemberExpr>(Of))
        Of = Outer->isImplicitAccess() ? nullptr : Outer->getBase()->IgnoreParenImpCasts();
      const auto *Ref = dyn_cast_or_null<DeclRefExpr>(Of);
      const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
      Found |= !Of || (Var && !Var->hasAttr<CUDASharedAttr>() && !OfLoop.count(Var));
      return !Found;
    }
    bool VisitVarDecl(const VarDecl *Var) override {
      if (InLoop)
        OfLoop.insert(Var);
      return true;
    }
    // So may a parameter, and its pointer may be __restrict__.
    bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
      const auto *Param = dyn_cast<ParmVarDecl>(Ref->getDecl());
      if (!Param || !InLoop)
        return true;
      const QualType T = Param->getType();
      Found |= T->isInstantiationDependentType() && !T->isPointerType();
      return !Found;
    }
    bool TraverseStmt(const Stmt *S) override {
      SaveAndRestore Inside(InLoop, InLoop || isa_and_nonnull<ForStmt, WhileStmt, DoStmt>(S));
      return ConstDynamicRecursiveASTVisitor::TraverseStmt(S);
    }
    bool InLoop = false;
    DeclSet<VarDecl> OfLoop;
  } V;
  if (const FunctionDecl *Pattern = Instantiation->getTemplateInstantiationPattern();
      Pattern && Pattern->hasBody())
    V.TraverseStmt(Pattern->getBody());
  Any = V.Found;
}

NumbersOfTypes::NumbersOfTypes(const FunctionDecl *Instantiation) {
  struct Visitor : ConstDynamicRecursiveASTVisitor {
    bool Found = false;
    bool VisitExpr(const Expr *E) override {
      if (isa<UnaryExprOrTypeTraitExpr, TypeTraitExpr, OffsetOfExpr>(E))
        Found |= E->isInstantiationDependent();
      else if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
        Found |= Ref->getDecl()->getDeclContext()->isRecord() &&
                 Ref->getDecl()->getDeclContext()->isDependentContext();
      else
        Found |= isa<DependentScopeDeclRefExpr, UnresolvedLookupExpr>(E);
      return !Found;
    }
    static bool isPlace(const Expr *E) {
      const QualType T = E->getType();
      return !T.isNull() && (T->isPointerType() || T->isArrayType());
    }
    /// \p E is a number, and what it is depends on a type.
    void number(const Stmt *E) {
      if (const auto *Sub = dyn_cast_or_null<Expr>(E);
          Sub && Sub->isTypeDependent() && !isPlace(Sub))
        Found = true;
      if (E && !Found)
        for (const Stmt *Child : E->children())
          number(Child);
    }
    bool VisitArraySubscriptExpr(const ArraySubscriptExpr *Sub) override {
      number(isPlace(Sub->getRHS()) ? Sub->getLHS() : Sub->getRHS());
      return !Found;
    }
    bool VisitBinaryOperator(const BinaryOperator *Op) override {
      const Expr *L = Op->getLHS(), *R = Op->getRHS();
      if ((Op->isAdditiveOp() || Op->isAssignmentOp()) && isPlace(L))
        number(R);
      else if (Op->isAdditiveOp() && isPlace(R))
        number(L);
      else if (Op->isAssignmentOp() && L->getType()->isIntegralOrEnumerationType())
        number(R);
      return !Found;
    }
    bool VisitStmt(const Stmt *S) override {
      const auto *Choice = dyn_cast<AbstractConditionalOperator>(S);
      number(Choice ? Choice->getCond() : conditionOf(S));
      return !Found;
    }
    bool VisitVarDecl(const VarDecl *Var) override {
      if (Var->getType()->isIntegralOrEnumerationType())
        number(Var->getInit());
      return !Found;
    }
  } V;
  if (const FunctionDecl *Pattern = Instantiation->getTemplateInstantiationPattern();
      Pattern && Pattern->hasBody())
    V.TraverseStmt(Pattern->getBody());
  Any = V.Found;
}

} // namespace cuda_pipeline
