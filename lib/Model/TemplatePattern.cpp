//===- TemplatePattern.cpp - What a template's own text says of types -----------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TemplatePattern.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {

TemplatePattern::TemplatePattern(const FunctionDecl *Function) : Function(Function) {
  struct Visitor : ConstDynamicRecursiveASTVisitor {
    std::set<std::pair<unsigned, unsigned>> &Set;
    explicit Visitor(std::set<std::pair<unsigned, unsigned>> &Set) : Set(Set) {}
    void add(SourceRange R) {
      Set.insert({R.getBegin().getRawEncoding(), R.getEnd().getRawEncoding()});
    }
    bool VisitStmt(const Stmt *S) override {
      if (const auto *E = dyn_cast<Expr>(S); E && E->isTypeDependent())
        add(E->getSourceRange());
      return true;
    }
    bool VisitVarDecl(const VarDecl *Var) override {
      // Of an array the elements count: `float As[BM][BK]` holds floats.
      QualType T = Var->getASTContext().getBaseElementType(Var->getType());
      if (T->isDependentType() || T->getContainedDeducedType())
        add(Var->getLocation());
      return true;
    }
  } V(Dependent);
  if (const FunctionDecl *Pattern = Function->getTemplateInstantiationPattern())
    V.TraverseDecl(Pattern);
}

bool TemplatePattern::isDependent(SourceRange Where) const {
  return Dependent.count({Where.getBegin().getRawEncoding(), Where.getEnd().getRawEncoding()}) != 0;
}

const NamedDecl *TemplatePattern::ownParameter(QualType Type) const {
  const auto *Subst = Type->getAs<SubstTemplateTypeParmType>();
  if (!Subst)
    return nullptr;
  const NamedDecl *Param = Subst->getReplacedParameter();
  if (const FunctionTemplateDecl *Template = Function->getPrimaryTemplate())
    if (is_contained(*Template->getTemplateParameters(), Param))
      return Param;
  for (const DeclContext *D = Function->getDeclContext(); D; D = D->getParent())
    if (const auto *Class = dyn_cast<ClassTemplateSpecializationDecl>(D))
      if (is_contained(*Class->getSpecializedTemplate()->getTemplateParameters(), Param))
        return Param;
  return nullptr;
}

} // namespace cuda_pipeline
