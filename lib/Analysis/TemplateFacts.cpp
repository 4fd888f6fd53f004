//===- TemplateFacts.cpp - What was shown for some template arguments only ------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TemplateFacts.h"
#include "../Model/AstUtil.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

/// The named namespaces that \p D is declared in, outermost first; none: it is in something else.
std::optional<SmallVector<const NamespaceDecl *, 2>> namespacesOf(const Decl *D) {
  SmallVector<const NamespaceDecl *, 2> Out;
  for (const DeclContext *In = D->getDeclContext(); !In->isTranslationUnit();
       In = In->getParent()) {
    if (isa<LinkageSpecDecl>(In))
      continue;
    const auto *Space = dyn_cast<NamespaceDecl>(In);
    if (!Space || Space->isAnonymousNamespace() || Space->isInline())
      return std::nullopt;
    Out.insert(Out.begin(), Space->getFirstDecl());
  }
  return Out;
}

/// Says that there is the class \p T, in front of \p Function, where it is declared behind that, in
/// the same namespace or in one inside of it. Empty: it cannot be said.
std::string declarationInFront(QualType T, const FunctionDecl *Function) {
  const ASTContext &Context = Function->getASTContext();
  const SourceManager &SM = Context.getSourceManager();
  const auto *Class = T->getAsCXXRecordDecl();
  const FunctionDecl *Pattern = Function->getTemplateInstantiationPattern();
  if (!Class || !Pattern || isa<ClassTemplateSpecializationDecl>(Class) ||
      !Class->getIdentifier() || Class->isLambda() ||
      SM.getIncludeLoc(SM.getMainFileID()).isValid())
    return "";
  const Decl *Outermost = Pattern;
  while (isa<CXXRecordDecl>(Outermost->getLexicalDeclContext()))
    Outermost = cast<Decl>(Outermost->getLexicalDeclContext());
  const auto Own = namespacesOf(Class), Around = namespacesOf(Outermost);
  if (!Own || !Around || Around->size() > Own->size() ||
      !std::equal(Around->begin(), Around->end(), Own->begin()) ||
      Outermost->getLexicalDeclContext()->getPrimaryContext() !=
          Outermost->getDeclContext()->getPrimaryContext())
    return "";
  std::string Text = (Class->getKindName() + " " + Class->getName() + ";").str();
  for (const NamespaceDecl *Space : reverse(ArrayRef(*Own).drop_front(Around->size())))
    Text = ("namespace " + Space->getName() + " { " + Text + " }").str();
  return Text;
}

bool addType(TemplateArguments &To, const NamedDecl *Param, QualType T,
             const FunctionDecl *Function, SourceLocation Where) {
  if (!Param->getIdentifier())
    return true; // nothing can depend on it
  std::string Declaration;
  if (!canBeNamed(T, Where, Param->getASTContext().getSourceManager())) {
    Declaration = declarationInFront(T, Function);
    if (Declaration.empty())
      return false;
  }
  PrintingPolicy Policy(Param->getASTContext().getLangOpts());
  Policy.SuppressTagKeyword = true;
  Policy.SuppressUnwrittenScope = true;
  const bool IsNumber = !T->isRecordType() && !T->isEnumeralType();
  To.Types.push_back({Param->getName().str(), T.getCanonicalType().getAsString(Policy), IsNumber,
                      T.isTriviallyCopyableType(Param->getASTContext()), Declaration});
  return true;
}

bool addValue(TemplateArguments &To, const NamedDecl *Param, const TemplateArgument &Arg) {
  if (!Param->getIdentifier())
    return true;
  std::string Name = Param->getName().str();
  QualType T = Arg.getIntegralType();
  if (T->isBooleanType()) {
    To.Values.push_back(Arg.getAsIntegral().getBoolValue() ? Name : "!" + Name);
    return true;
  }
  SmallString<24> Value;
  Arg.getAsIntegral().toString(Value, 10);
  // An enumeration compares by its number.
  To.Values.push_back((T->isEnumeralType() ? "int(" + Name + ")" : Name) +
                      " == " + Value.str().str());
  return true;
}

/// \p F can be named where a namespace is: a function of its own, declared in front of \p Where.
bool addFunction(TemplateArguments &To, const NamedDecl *Param, const FunctionDecl *F,
                 SourceLocation Where) {
  const ASTContext &Context = Param->getASTContext();
  const SourceManager &SM = Context.getSourceManager();
  if (!Param->getIdentifier())
    return true;
  const auto InFront = [&](const Decl *One) { // and not a friend's, which says the name to nobody
    return One->getFriendObjectKind() == Decl::FOK_None &&
           SM.isBeforeInTranslationUnit(SM.getExpansionLoc(One->getLocation()), Where);
  };
  const FunctionTemplateDecl *Template = F->getPrimaryTemplate();
  if (!F->getIdentifier() || isa<CXXMethodDecl>(F) || !namespacesOf(F) ||
      !(Template ? any_of(Template->redecls(), InFront) : any_of(F->redecls(), InFront)))
    return false;
  if (const TemplateArgumentList *Args = F->getTemplateSpecializationArgs())
    for (const TemplateArgument &A : Args->asArray())
      if (A.getKind() == TemplateArgument::Type ? !canBeNamed(A.getAsType(), Where, SM)
                                                : A.getKind() != TemplateArgument::Integral ||
                                                      !canBeNamed(A.getIntegralType(), Where, SM))
        return false;
  PrintingPolicy Policy(Context.getLangOpts());
  Policy.SuppressTagKeyword = true;
  Policy.SuppressUnwrittenScope = true;
  std::string Name;
  raw_string_ostream OS(Name);
  F->getNameForDiagnostic(OS, Policy, /*Qualified=*/true);
  To.Functions.push_back({Param->getName().str(), Name});
  return true;
}

/// The function that \p Arg is; null: it is something else.
const FunctionDecl *functionIn(const TemplateArgument &Arg) {
  return Arg.getKind() == TemplateArgument::Declaration ? dyn_cast<FunctionDecl>(Arg.getAsDecl())
                                                        : nullptr;
}

bool add(TemplateArguments &To, const TemplateParameterList &Params,
         ArrayRef<TemplateArgument> Args, const FunctionDecl *Function, SourceLocation Where) {
  for (unsigned I = 0; I < Params.size(); ++I) {
    const NamedDecl *Param = Params.getParam(I);
    if (I >= Args.size() || Param->isParameterPack())
      return false;
    const FunctionDecl *F = functionIn(Args[I]);
    bool Good = Args[I].getKind() == TemplateArgument::Type
                    ? addType(To, Param, Args[I].getAsType(), Function, Where)
                : Args[I].getKind() == TemplateArgument::Integral ? addValue(To, Param, Args[I])
                : F                                               ? addFunction(To, Param, F, Where)
                                                                  : false;
    if (!Good)
      return false;
  }
  return true;
}

} // namespace

std::optional<TemplateArguments> templateArguments(const FunctionDecl *Function,
                                                   SourceLocation Where) {
  TemplateArguments Out;
  for (const auto &[Params, Args] : templatesAround(Function))
    if (!add(Out, *Params, Args, Function, Where))
      return std::nullopt;
  return Out;
}

namespace {

/// Looks for values of dependent types that do more than to be copied: what is done with them may
/// be an operator of a class, a conversion or a constructor in another instantiation.
class Computations : public ConstDynamicRecursiveASTVisitor {
public:
  explicit Computations(const TemplatePattern &Pattern) : Pattern(Pattern) {}

  bool Found = false;

  bool VisitExpr(const Expr *E) override {
    const Expr *To, *From;
    if (matchAssignment(E, To, From))
      Found |= differ(typedPlace(To), typedPlace(From));
    else if (const auto *Binary = dyn_cast<BinaryOperator>(E))
      Found |= Binary->getOpcode() != BO_Comma &&
               (isValue(Binary->getLHS()) || isValue(Binary->getRHS()));
    else if (const auto *Call = dyn_cast<CXXOperatorCallExpr>(E))
      Found |= any_of(Call->arguments(), [&](const Expr *Arg) { return isValue(Arg); });
    else if (const auto *Unary = dyn_cast<UnaryOperator>(E))
      Found |= Unary->getOpcode() != UO_Deref && Unary->getOpcode() != UO_AddrOf &&
               isValue(Unary->getSubExpr());
    else if (const auto *Element = dyn_cast<ArraySubscriptExpr>(E))
      Found |= isValue(Element->getIdx());
    else if (const auto *Choice = dyn_cast<ConditionalOperator>(E))
      Found |= isValue(Choice->getCond()) ||
               differ(typedPlace(Choice->getTrueExpr()), typedPlace(Choice->getFalseExpr()));
    else if (const auto *Cast = dyn_cast<ExplicitCastExpr>(E))
      Found |= !isAddress(E->getType()) &&
               differ(Cast->getSourceRange(), typedPlace(Cast->getSubExprAsWritten()));
    else if (isa<CXXTemporaryObjectExpr, CXXScalarValueInitExpr, InitListExpr>(E))
      Found |= isValue(E);
    return !Found;
  }

  bool VisitStmt(const Stmt *S) override {
    const Expr *Condition = conditionOf(S);
    Found |= Condition && isValue(Condition);
    return !Found;
  }

  bool VisitVarDecl(const VarDecl *Var) override {
    if (isAddress(Var->getType()))
      return true;
    const bool Copied = Var->hasInit() && (!Var->getType()->isRecordType() ||
                                           stripNoOps(Var->getInit()) != Var->getInit());
    if (Copied)
      Found |= differ(Var->getLocation(), typedPlace(Var->getInit()));
    else
      Found |= Pattern.isDependent(Var->getLocation()); // the default constructor's work
    return !Found;
  }

private:
  static bool isAddress(QualType T) {
    return T->isPointerType() || T->isArrayType() || T->isReferenceType();
  }
  bool isValue(const Expr *E) const {
    return Pattern.isDependent(typedPlace(E)) && !isAddress(stripNoOps(E)->getType());
  }
  bool differ(SourceRange A, SourceRange B) const {
    return (Pattern.isDependent(A) || Pattern.isDependent(B)) && !Pattern.haveSameType(A, B);
  }

  const TemplatePattern &Pattern;
};

} // namespace

ArgumentsMatter movedValues(const TileModel &M, const TemplatePattern &Pattern,
                            ASTContext &Context) {
  ArgumentsMatter Out;
  auto Copied = [&](const Expr *E) {
    if (!Pattern.isDependent(typedPlace(E)))
      return;
    if (const NamedDecl *Param = Pattern.ownParameter(E->getType()))
      Out.Copied.insert(Param->getName().str());
    else if (!E->getType().isTriviallyCopyableType(Context))
      Out.Types = Out.Values = true; // else the emitter asks, by whatever name the type has
  };
  for (const TileCopy &C : M.Copies)
    Copied(C.Destination);
  for (const GlobalLoad &Load : M.Registers.Loads)
    Copied(Pattern.typedPart(Load.Cut));

  Computations Moved(Pattern);
  if (const Expr *Condition = M.Loop->condition())
    Moved.TraverseStmt(Condition);
  if (const Expr *Step = M.Loop->step())
    Moved.TraverseStmt(Step);
  for (const Stmt *S : M.Segments[0])
    Moved.TraverseStmt(S);
  for (const Advance &A : M.Advances)
    Moved.TraverseStmt(A.Statement);
  if (!Moved.Found)
    return Out;
  for (const auto &[Params, Args] : templatesAround(M.Loop->Function))
    for (const NamedDecl *Param : *Params)
      if (isa<TemplateTypeParmDecl>(Param) && Param->getIdentifier()) {
        if (Param->isParameterPack())
          Out.Types = Out.Values = true;
        Out.Numbers.insert(Param->getName().str());
      }
  return Out;
}

} // namespace cuda_pipeline
