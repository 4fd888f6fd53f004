//===- Spelling.cpp - The user's expressions and statements in other places -===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// The author's words for an expression, a statement, an address: as they stand, or with the names
/// that they have on the load side. What comes out of a macro in a way that cannot be said again
/// stands against the draft.
///
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {

std::string Emitter::expressionText(const Expr *E) {
  const std::optional<TextRange> R = textRange(E->getSourceRange(), Context);
  const std::string T = R ? File.slice(R->Begin, R->End).str() : "";
  if (T.empty())
    refuse(Reason::MacroText, E->getExprLoc(), {"this expression"});
  return T;
}

/// As the operand of any operator: a macro's text says nothing about how its expansion binds.
std::string Emitter::operandText(const Expr *E) {
  std::string T = expressionText(E);
  const Expr *Inner = E->IgnoreImpCasts();
  if (const auto *Subst = dyn_cast<SubstNonTypeTemplateParmExpr>(Inner))
    return Subst->getBeginLoc().isMacroID() ? "(" + T + ")" : T;
  if (const auto *Constant = dyn_cast<ConstantExpr>(Inner))
    Inner = Constant->getSubExpr()->IgnoreImpCasts();
  bool Bare = isa<DeclRefExpr>(Inner) || isa<IntegerLiteral>(Inner) || asBuiltinIndex(Inner) ||
              isa<MemberExpr>(Inner) || isa<ParenExpr>(Inner);
  // A macro that is one literal is as good as the literal, and one with parentheses around it binds
  // as they do.
  bool Macro = E->getBeginLoc().isMacroID() || E->getEndLoc().isMacroID();
  return Bare && (!Macro || isa<IntegerLiteral>(Inner) || isa<ParenExpr>(Inner)) ? T
                                                                                 : "(" + T + ")";
}

std::string Emitter::statementText(const Stmt *S) {
  auto R = statementRange(S, Context);
  if (!R) {
    refuse(Reason::MacroText, S->getBeginLoc(), {"this statement"});
    return "";
  }
  return File.slice(R->Begin, R->End).str();
}

/// A unary operator& takes objects of the class \p T, or seems to.
static bool overloadsAddressOf(QualType T) {
  const CXXRecordDecl *Record = T->getAsCXXRecordDecl();
  if (!Record || !Record->hasDefinition())
    return false;
  auto Declares = [](const DeclContext *Where, unsigned Operands) {
    const DeclarationName Name =
        Where->getParentASTContext().DeclarationNames.getCXXOperatorName(OO_Amp);
    return any_of(Where->lookup(Name), [&](const NamedDecl *D) {
      const FunctionDecl *F = D->getAsFunction();
      return !F || F->getNumParams() == Operands;
    });
  };
  for (const DeclContext *Where = Record->getDeclContext(); Where; Where = Where->getParent())
    if (Where->isLookupContext() && Declares(Where, 1))
      return true;
  return Declares(Record, 0) ||
         !Record->forallBases([&](const CXXRecordDecl *Base) { return !Declares(Base, 0); });
}

/// `&As[ty][tx]`, or `p` for `*p`.
std::string Emitter::addressText(const Expr *LValue) {
  const Expr *E = LValue->IgnoreParenImpCasts();
  if (const auto *Call = dyn_cast<CallExpr>(stripNoOps(LValue)); Call && !Call->isGLValue())
    return expressionText(Call->getArg(0)); // __ldg(p)
  if (const auto *Op = dyn_cast<UnaryOperator>(E);
      Op && Op->getOpcode() == UO_Deref && !Op->getOperatorLoc().isMacroID())
    return expressionText(Op->getSubExpr());
  // `p[0]`
  if (const Expr *Pointer = firstElementOf(stripNoOps(LValue)))
    return expressionText(Pointer);
  return addressOf(plainText(LValue), LValue->getType());
}

/// \p E is `p[0]` of a pointer that the file says outside of macros: that pointer, or null.
const Expr *Emitter::firstElementOf(const Expr *E) const {
  const auto *Element = dyn_cast<ArraySubscriptExpr>(E);
  if (!Element || Element->getRBracketLoc().isMacroID() ||
      !textRange(Element->getSourceRange(), Context))
    return nullptr;
  const Expr *Base = Element->getBase()->IgnoreImpCasts();
  const auto *Index = dyn_cast<IntegerLiteral>(Element->getIdx()->IgnoreImpCasts());
  const bool Zero = Index && Index->getValue() == 0 && !Index->getBeginLoc().isMacroID();
  return Zero && Base->getType()->isPointerType() && textRange(Base->getSourceRange(), Context)
             ? Base
             : nullptr;
}

/// The address is the same with and without the cast, and all that is implied in it: none goes to a
/// base class.
static bool keepsAddress(const ExplicitCastExpr *Cast) {
  auto Keeps = [](const CastExpr *C) {
    return is_contained({CK_BitCast, CK_NoOp, CK_LValueToRValue, CK_ArrayToPointerDecay},
                        C->getCastKind());
  };
  if (!Keeps(Cast))
    return false;
  const Expr *Written = Cast->getSubExprAsWritten();
  for (const Expr *E = Cast->getSubExpr(); E != Written;) {
    const auto *Implied = dyn_cast<ImplicitCastExpr>(E);
    if (!Implied || !Keeps(Implied))
      return false;
    E = Implied->getSubExpr();
  }
  return true;
}

/// The same for a parameter `void *`, or `const void *`, which takes any pointer: without the casts
/// of pointers to pointers.
std::string Emitter::voidAddressText(const Expr *LValue) {
  const Expr *E = LValue->IgnoreParenImpCasts(), *Pointer = nullptr;
  if (const auto *Op = dyn_cast<UnaryOperator>(E);
      Op && Op->getOpcode() == UO_Deref && !Op->getOperatorLoc().isMacroID())
    Pointer = Op->getSubExpr();
  else if (!(isa<CallExpr>(stripNoOps(LValue)) && !stripNoOps(LValue)->isGLValue()))
    Pointer = firstElementOf(stripNoOps(LValue));
  const auto *Cast = Pointer ? dyn_cast<ExplicitCastExpr>(Pointer->IgnoreParenImpCasts()) : nullptr;
  if (!Cast || isa<CXXFunctionalCastExpr>(Cast) || !keepsAddress(Cast) ||
      !Context.hasSameType(Cast->getType(), Pointer->getType()) ||
      Cast->getBeginLoc().isMacroID() || Cast->getEndLoc().isMacroID())
    return addressText(LValue);
  const Expr *Of = Cast->getSubExprAsWritten();
  const QualType T = Of->getType();
  // What a template's argument makes of it is not looked at, and the cast may be there for a
  // qualifier.
  if (!T->isPointerType() || !T->getPointeeType()->isObjectType() ||
      T->getPointeeType().isVolatileQualified() ||
      (T->getPointeeType().isConstQualified() &&
       !Cast->getType()->getPointeeType().isConstQualified()) ||
      Pattern.isDependent(Of->getSourceRange()) || !textRange(Of->getSourceRange(), Context))
    return addressText(LValue);
  return voidAddressOf(Of);
}

/// `&A[i]` without parentheses around it.
std::string Emitter::voidAddressOf(const Expr *Pointer) {
  while (const auto *Paren = dyn_cast<ParenExpr>(Pointer)) {
    if (Paren->getLParen().isMacroID() || Paren->getRParen().isMacroID() ||
        !textRange(Paren->getSubExpr()->getSourceRange(), Context))
      break;
    const auto *Comma = dyn_cast<BinaryOperator>(Paren->getSubExpr());
    if (Comma && Comma->getOpcode() == BO_Comma)
      break; // two arguments
    Pointer = Paren->getSubExpr();
  }
  return expressionText(Pointer);
}

/// The address of \p LValue, whatever `&` means for its type.
std::string Emitter::addressOf(const std::string &LValue, QualType T) const {
  return overloadsAddressOf(T) ? "__builtin_addressof(" + LValue + ")" : "&" + LValue;
}

/// Without the parentheses around it where the text allows; not for operands.
std::string Emitter::plainText(const Expr *E) {
  auto R = narrowestRange(E, Context);
  if (!R) {
    refuse(Reason::MacroText, E->getExprLoc(), {"this expression"});
    return "";
  }
  return File.slice(R->Begin, R->End).str();
}

/// The text of \p E with the split variables replaced by the load side's copies.
std::string Emitter::renamed(const Expr *E) {
  auto Whole = textRange(E->getSourceRange(), Context);
  if (!Whole) {
    refuse(Reason::MacroText, E->getExprLoc(), {"this expression"});
    return "";
  }
  struct Visitor : ConstDynamicRecursiveASTVisitor {
    Emitter &Em;
    Patches List;
    explicit Visitor(Emitter &Em) : Em(Em) {}
    bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
      const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
      auto It = Em.LoadName.find(Var);
      if (!Var || It == Em.LoadName.end())
        return true;
      const std::string Name = Em.loadName(Var);
      auto R = textRange(Ref->getSourceRange(), Em.Context);
      if (!R || Em.File.slice(R->Begin, R->End) != Var->getName()) {
        Em.refuse(Reason::MacroText, Ref->getLocation(), {"'" + Var->getNameAsString() + "'"});
        return true;
      }
      List.replace(*R, Name);
      return true;
    }
  } V(*this);
  V.TraverseStmt(E);
  return V.List.apply(File, *Whole);
}

} // namespace cuda_pipeline
