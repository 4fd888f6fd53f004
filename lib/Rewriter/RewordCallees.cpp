//===- RewordCallees.cpp - Calls through constant pointers -----------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// `constexpr auto f = skew<4>; s[f(i, j)] = ..`: what the constant holds is called by its own
/// name. The brackets keep it from being looked up in the namespaces of the arguments.
///
//===----------------------------------------------------------------------===//

#include "../Model/AstUtil.h"
#include "../Model/ModelStep.h"
#include "Rewordings.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {

/// The function's name in what the constant \p Var has been given; null: it is no constant.
static const DeclRefExpr *functionIn(const VarDecl *Var) {
  if (!Var->hasInit() || !Var->getType()->isFunctionPointerType() ||
      !(Var->isConstexpr() || Var->getType().isConstQualified()) ||
      Var->getType().isVolatileQualified() || isa<ParmVarDecl>(Var))
    return nullptr;
  const Expr *Init = Var->getInit()->IgnoreParenImpCasts();
  if (const auto *Address = dyn_cast<UnaryOperator>(Init);
      Address && Address->getOpcode() == UO_AddrOf)
    Init = Address->getSubExpr()->IgnoreParenImpCasts();
  const auto *Ref = dyn_cast<DeclRefExpr>(Init);
  return Ref && isa<FunctionDecl>(Ref->getDecl()) ? Ref : nullptr;
}

/// Wherever \p Caller says these words they name that function, and a call of them is one of it:
/// nothing else in the file has the name, and all arguments of a template are numbers in plain
/// sight.
static bool meansOneFunction(const DeclRefExpr *Ref, StringRef Text, const FunctionDecl *Caller,
                             const ASTContext &Context) {
  const auto *Function = cast<FunctionDecl>(Ref->getDecl());
  const IdentifierInfo *Name = Function->getIdentifier();
  if (!Name || Name->hadMacroDefinition() || isa<CXXMethodDecl>(Function) ||
      !Function->getDeclContext()->getRedeclContext()->isTranslationUnit() || Ref->hasQualifier())
    return false;
  const auto Declared = Context.getTranslationUnitDecl()->lookup(Name);
  if (Declared.empty() || std::next(Declared.begin()) != Declared.end())
    return false;
  if (!Text.consume_front(Name->getName()))
    return false;
  const FunctionTemplateDecl *Template = Function->getPrimaryTemplate();
  if (Template) {
    SmallVector<StringRef, 4> Arguments;
    Text = Text.trim();
    if (!Text.consume_front("<") || !Text.consume_back(">"))
      return false;
    Text.split(Arguments, ',');
    if (Arguments.size() != Template->getTemplateParameters()->size() ||
        !all_of(Arguments, [](StringRef Argument) {
          Argument = Argument.trim();
          return !Argument.empty() && all_of(Argument, [](char C) { return isDigit(C); });
        }))
      return false;
  } else if (!Text.trim().empty()) {
    return false;
  }
  // Nor has anything around the call.
  struct Visitor : ConstDynamicRecursiveASTVisitor {
    const IdentifierInfo *Name;
    bool Found = false;
    explicit Visitor(const IdentifierInfo *Name) : Name(Name) {}
    bool VisitNamedDecl(const NamedDecl *D) override {
      Found |= D->getIdentifier() == Name;
      return true;
    }
    bool VisitUsingDirectiveDecl(const UsingDirectiveDecl *) override { return !(Found = true); }
  } V(Name);
  V.TraverseDecl(Caller);
  return !V.Found && Caller->getDeclContext()->getRedeclContext()->isTranslationUnit();
}

Rewording rewordCallees(const TileModel &M, const ASTContext &Context) {
  Rewording Out;
  if (!M.Loop->Body || M.Loop->IsPattern || none_of(M.Refusals, [](const Refusal &R) {
        return R.Why == Reason::UnknownCall || R.Why == Reason::SideEffect;
      }))
    return Out;
  struct Visitor : ConstDynamicRecursiveASTVisitor {
    std::vector<const DeclRefExpr *> Called;
    bool VisitCallExpr(const CallExpr *Call) override {
      const auto *Ref = dyn_cast<DeclRefExpr>(Call->getCallee()->IgnoreParenImpCasts());
      if (Ref && !Call->getDirectCallee())
        Called.push_back(Ref);
      return true;
    }
  } V;
  V.TraverseStmt(M.Loop->Loop);
  const SourceManager &SM = Context.getSourceManager();
  VarSet Said;
  for (const DeclRefExpr *Ref : V.Called) {
    const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
    const DeclRefExpr *Function = Var ? functionIn(Var) : nullptr;
    const std::optional<TextRange> Place = textRange(Ref->getSourceRange(), Context);
    if (!Function || !Place || Ref->getBeginLoc().isMacroID() ||
        !isInMainFile(SM, Var->getLocation()))
      continue;
    const std::string Name = textOf(Function, Context);
    if (!meansOneFunction(Function, Name, M.Loop->Function, Context))
      continue;
    Out.Edits.push_back({Place->Begin, Place->End - Place->Begin, "(" + Name + ")"});
    if (Said.insert(Var).second)
      Out.Said.push_back("what '" + Var->getNameAsString() +
                         "' is the address of is called by its name");
  }
  return Out;
}

} // namespace cuda_pipeline
