//===- ReachedCode.cpp - All that a kernel may run ------------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReachedCode.h"
#include "AstUtil.h"
#include "KnownFunctions.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Path.h"
#include <optional>

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {

static StringRef outermostNamespace(const Decl *D) {
  StringRef Name;
  for (const DeclContext *C = D->getDeclContext(); C; C = C->getParent())
    if (const auto *Space = dyn_cast<NamespaceDecl>(C); Space && Space->getIdentifier())
      Name = Space->getName();
  return Name;
}

/// Where CUDA's headers are: with float4.
static StringRef toolkitFolder(const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  for (const NamedDecl *D : Context.getTranslationUnitDecl()->lookup(&Context.Idents.get("float4")))
    if (SM.isInSystemHeader(D->getLocation()))
      return sys::path::parent_path(SM.getFilename(SM.getExpansionLoc(D->getLocation())));
  return "";
}
static bool isBelow(SourceLocation Loc, StringRef Folder, const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  return !Folder.empty() && SM.getFilename(SM.getExpansionLoc(Loc)).starts_with((Folder + "/").str());
}

bool isOfToolkit(const FunctionDecl *Function, const ASTContext &Context) {
  // nvcc has libdevice's functions, whoever declares them.
  if (Function->getIdentifier() && Function->getName().starts_with("__nv_") && !Function->getDefinition())
    return true;
  if (!isLibraryFunction(Function, Context))
    return false;
  if (Function->getBuiltinID() || Function->getLocation().isInvalid() ||
      classifyFunction(Function, Context) != FunctionKind::Unknown)
    return true;
  static const StringSet<> Namespaces = {"std", "__gnu_cxx", "cuda", "nvcuda", "cooperative_groups", "cub", "thrust"};
  if (Namespaces.contains(outermostNamespace(Function)))
    return true;
  if (isBelow(Function->getLocation(), toolkitFolder(Context), Context))
    return true;
  static const StringSet<> OfC = {"memcpy", "memmove", "memset", "memcmp", "malloc", "free", "printf", "puts", "abort", "exit"};
  if (Function->getIdentifier() && OfC.contains(Function->getName()))
    return true;
  // A name that begins so is the compiler's or its libraries'; the others are what the toolkit declares without a body.
  auto Reserved = [](const NamedDecl *D) {
    if (!D || !D->getIdentifier())
      return false;
    const StringRef Name = D->getName();
    return any_of(ArrayRef<StringRef>{"__", "cuda", "curand", "tex", "surf", "cuC"},
                  [&](StringRef Prefix) { return Name.starts_with(Prefix); });
  };
  const auto *Method = dyn_cast<CXXMethodDecl>(Function);
  return Reserved(Function) || (Method && Reserved(Method->getParent()));
}

namespace {

/// What the variables of a function that point to functions are set to.
struct FunctionPointers : ConstDynamicRecursiveASTVisitor {
  DenseMap<const VarDecl *, SmallVector<const Expr *, 2>> Values;
  DenseSet<const VarDecl *> Lost; ///< somebody else may set it
  DenseSet<const Expr *> Plain;   ///< mentions that read it, or set it as a whole

  static const VarDecl *local(const Expr *E) {
    const auto *Ref = dyn_cast<DeclRefExpr>(E->IgnoreParens());
    const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
    return Var && Var->hasLocalStorage() && Var->getType()->isFunctionPointerType() ? Var : nullptr;
  }
  bool VisitVarDecl(const VarDecl *Var) override {
    if (!Var->getType()->isFunctionPointerType())
      return true;
    if (isa<ParmVarDecl>(Var))
      Lost.insert(Var);
    else if (Var->hasInit())
      Values[Var].push_back(Var->getInit());
    return true;
  }
  bool VisitBinaryOperator(const BinaryOperator *Op) override {
    if (const VarDecl *Var = Op->getOpcode() == BO_Assign ? local(Op->getLHS()) : nullptr) {
      Values[Var].push_back(Op->getRHS());
      Plain.insert(Op->getLHS()->IgnoreParens());
    }
    return true;
  }
  bool VisitImplicitCastExpr(const ImplicitCastExpr *Cast) override {
    if (Cast->getCastKind() == CK_LValueToRValue)
      Plain.insert(Cast->getSubExpr()->IgnoreParens());
    return true;
  }
  bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
    if (const VarDecl *Var = local(Ref); Var && !Plain.count(Ref))
      Lost.insert(Var);
    return true;
  }
  bool VisitLambdaExpr(const LambdaExpr *Lambda) override {
    for (const LambdaCapture &C : Lambda->captures())
      if (C.capturesVariable())
        if (const auto *Var = dyn_cast<VarDecl>(C.getCapturedVar()))
          Lost.insert(Var);
    return true;
  }

  /// All that \p E may be are functions by their names. These are seen where they are named.
  bool areNamed(const Expr *E, unsigned Depth = 0) const {
    if (Depth > 8)
      return false;
    E = E->IgnoreParenImpCasts();
    if (const auto *Ref = dyn_cast<DeclRefExpr>(E); Ref && isa<FunctionDecl>(Ref->getDecl()))
      return true;
    if (const auto *Op = dyn_cast<UnaryOperator>(E))
      return (Op->getOpcode() == UO_AddrOf || Op->getOpcode() == UO_Deref || Op->getOpcode() == UO_Plus) &&
             areNamed(Op->getSubExpr(), Depth + 1);
    if (const auto *Cond = dyn_cast<ConditionalOperator>(E))
      return areNamed(Cond->getTrueExpr(), Depth + 1) && areNamed(Cond->getFalseExpr(), Depth + 1);
    if (const auto *Sub = dyn_cast<SubstNonTypeTemplateParmExpr>(E))
      return areNamed(Sub->getReplacement(), Depth + 1);
    // A closure without captures becomes a pointer to its function.
    if (const auto *Call = dyn_cast<CXXMemberCallExpr>(E))
      if (const auto *Conversion = dyn_cast_or_null<CXXConversionDecl>(Call->getDirectCallee()))
        return Conversion->getParent()->isLambda();
    const VarDecl *Var = local(E);
    auto It = Var ? Values.find(Var) : Values.end();
    return It != Values.end() && !Lost.count(Var) &&
           all_of(It->second, [&](const Expr *Value) { return areNamed(Value, Depth + 1); });
  }
};

} // namespace

struct CodeFinder : ConstDynamicRecursiveASTVisitor {
  ReachedCode &Out;
  const ASTContext &Context;
  unsigned Current = 0;
  std::optional<FunctionPointers> Pointers;
  DenseSet<const CXXRecordDecl *> Destroyed; ///< by the body that is looked at

  CodeFinder(ReachedCode &Out, const FunctionDecl *First) : Out(Out), Context(First->getASTContext()) {
    ShouldVisitImplicitCode = true;
    ShouldWalkTypesOfTypeLocs = false;
    const FunctionDecl *Body = First;
    First->hasBody(Body);
    Out.Index[Body] = 0;
    Out.Bodies.push_back({Body, SourceLocation(), false, {}});
  }

  void run() {
    for (; Current != Out.Bodies.size(); ++Current) { // grows
      const FunctionDecl *F = Out.Bodies[Current].Function;
      Pointers.reset();
      Destroyed.clear();
      for (const ParmVarDecl *Param : F->parameters())
        destroy(Param->getType(), F->getLocation());
      if (const auto *Ctor = dyn_cast<CXXConstructorDecl>(F))
        for (const CXXCtorInitializer *Init : Ctor->inits())
          TraverseStmt(Init->getInit());
      TraverseStmt(F->getBody());
    }
  }

  bool known() const { return Out.Bodies[Current].Known; }
  SourceLocation place(SourceLocation In) const { return ReachedCode::placeOf(Out.Bodies[Current], In); }

  void unseen(const Twine &What, SourceLocation Where) {
    if (!known())
      Out.NotSeen.push_back({What.str(), place(Where)});
  }

  void enter(const FunctionDecl *F, SourceLocation Where) {
    if (!F || F->isDependentContext() || F->isDeleted())
      return;
    const bool Known = isOfToolkit(F, Context);
    const FunctionDecl *Body = nullptr;
    if (!F->hasBody(Body) || !Body->getBody()) {
      const auto *Method = dyn_cast<CXXMethodDecl>(F);
      // What the language makes does what its parts do, which are seen as such.
      if (!Known && !F->isTrivial() && !F->isDefaulted() && !(Method && Method->getParent()->isLambda()))
        unseen((isa<CXXConstructorDecl>(F)  ? "the constructor of '" + cast<CXXMethodDecl>(F)->getParent()->getNameAsString()
                : isa<CXXDestructorDecl>(F) ? "the destructor of '" + cast<CXXMethodDecl>(F)->getParent()->getNameAsString()
                                            : "the function '" + F->getNameAsString()) +
                   "', whose body is not in this file",
               Where);
      return;
    }
    auto [It, New] = Out.Index.try_emplace(Body, Out.Bodies.size());
    if (New)
      Out.Bodies.push_back({Body, place(Where), Known, {}});
    if (!is_contained(Out.Bodies[Current].Calls, Body))
      Out.Bodies[Current].Calls.push_back(Body);
  }

  /// The destructors that run where an object of the type ends.
  void destroy(QualType T, SourceLocation Where) {
    if (T.isNull() || T->isDependentType() || T->isReferenceType())
      return;
    const CXXRecordDecl *Record = Context.getBaseElementType(T)->getAsCXXRecordDecl();
    if (!Record || !Record->hasDefinition() || Record->hasTrivialDestructor() || !Destroyed.insert(Record->getCanonicalDecl()).second)
      return;
    if (const CXXDestructorDecl *Destructor = Record->getDestructor())
      enter(Destructor, Where);
    for (const FieldDecl *Field : Record->fields())
      destroy(Field->getType(), Where);
    for (const CXXBaseSpecifier &Base : Record->bases())
      destroy(Base.getType(), Where);
  }

  /// A function of the library that is only declared may call the user's that it is given, by their types.
  void handOver(const Expr *Arg) {
    const CXXRecordDecl *Record = Arg->getType().getNonReferenceType()->getAsCXXRecordDecl();
    Record = Record ? Record->getDefinition() : nullptr;
    if (!Record || Context.getSourceManager().isInSystemHeader(Record->getLocation()))
      return;
    for (const Decl *D : Record->decls()) {
      if (const auto *Method = dyn_cast<CXXMethodDecl>(D); Method && Method->getOverloadedOperator() == OO_Call)
        enter(Method, Arg->getExprLoc());
      else if (const auto *Template = dyn_cast<FunctionTemplateDecl>(D);
               Template && Template->getTemplatedDecl()->getOverloadedOperator() == OO_Call)
        unseen("the functor '" + Record->getNameAsString() + "', which a library calls", Arg->getExprLoc());
    }
  }

  bool isNamed(const Expr *E) {
    if (!Pointers) {
      Pointers.emplace();
      Pointers->TraverseStmt(Out.Bodies[Current].Function->getBody());
    }
    return Pointers->areNamed(E);
  }

  bool VisitCallExpr(const CallExpr *Call) override {
    if (Call->isTypeDependent() || Call->isValueDependent() || isa<CXXPseudoDestructorExpr>(Call->getCallee()->IgnoreParens()))
      return true;
    const FunctionDecl *Callee = Call->getDirectCallee();
    if (!Callee) {
      if (!isNamed(Call->getCallee()))
        unseen("a call through a pointer", Call->getExprLoc());
      return true;
    }
    const auto *Method = dyn_cast<CXXMethodDecl>(Callee);
    const auto *Member = dyn_cast<MemberExpr>(Call->getCallee()->IgnoreParens());
    const bool Chosen = !Method || !Method->isVirtual() || (Member && Member->hasQualifier()) || Method->hasAttr<FinalAttr>() ||
                        Method->getParent()->hasAttr<FinalAttr>();
    if (!Chosen)
      unseen("the virtual function '" + Callee->getNameAsString() + "'", Call->getExprLoc());
    enter(Callee, Call->getExprLoc());
    if (isOfToolkit(Callee, Context))
      for (const Expr *Arg : Call->arguments()) {
        if (!Callee->hasBody())
          handOver(Arg);
        if (Arg->getType()->isFunctionPointerType() && !isNamed(Arg))
          unseen("a function that a library is given", Arg->getExprLoc());
      }
    return true;
  }
  bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
    enter(dyn_cast<FunctionDecl>(Ref->getDecl()), Ref->getExprLoc());
    return true;
  }
  bool VisitMemberExpr(const MemberExpr *Member) override {
    if (const auto *Destructor = dyn_cast<CXXDestructorDecl>(Member->getMemberDecl()))
      destroy(Context.getCanonicalTagType(Destructor->getParent()), Member->getExprLoc());
    else
      enter(dyn_cast<FunctionDecl>(Member->getMemberDecl()), Member->getExprLoc());
    return true;
  }
  bool VisitCXXConstructExpr(const CXXConstructExpr *Construct) override {
    enter(Construct->getConstructor(), Construct->getExprLoc());
    return true;
  }
  bool VisitCXXInheritedCtorInitExpr(const CXXInheritedCtorInitExpr *Construct) override {
    enter(Construct->getConstructor(), Construct->getExprLoc());
    return true;
  }
  bool VisitCXXBindTemporaryExpr(const CXXBindTemporaryExpr *Bind) override {
    destroy(Bind->getType(), Bind->getExprLoc());
    return true;
  }
  bool VisitCXXNewExpr(const CXXNewExpr *New) override {
    enter(New->getOperatorNew(), New->getExprLoc());
    return true;
  }
  bool VisitCXXDeleteExpr(const CXXDeleteExpr *Delete) override {
    enter(Delete->getOperatorDelete(), Delete->getExprLoc());
    const QualType T = Delete->getDestroyedType();
    const CXXRecordDecl *Record = T.isNull() ? nullptr : Context.getBaseElementType(T)->getAsCXXRecordDecl();
    if (Record && Record->hasDefinition() && Record->getDestructor() && Record->getDestructor()->isVirtual())
      unseen("a virtual destructor", Delete->getExprLoc());
    destroy(T, Delete->getExprLoc());
    return true;
  }
  bool VisitVarDecl(const VarDecl *Var) override {
    if (Var->hasLocalStorage())
      destroy(Var->getType(), Var->getLocation());
    if (const auto *Cleanup = Var->getAttr<CleanupAttr>())
      enter(Cleanup->getFunctionDecl(), Var->getLocation());
    if (const auto *Bindings = dyn_cast<DecompositionDecl>(Var))
      for (const BindingDecl *Binding : Bindings->bindings())
        if (const VarDecl *Holding = Binding->getHoldingVar(); Holding && Holding->hasInit())
          TraverseStmt(Holding->getInit());
    return true;
  }
  bool VisitCXXDefaultArgExpr(const CXXDefaultArgExpr *Default) override { return TraverseStmt(Default->getExpr()); }
  bool VisitCXXDefaultInitExpr(const CXXDefaultInitExpr *Default) override { return TraverseStmt(Default->getExpr()); }
  bool TraverseLambdaExpr(const LambdaExpr *Lambda) override {
    for (const Expr *Init : Lambda->capture_inits())
      TraverseStmt(Init);
    // What a closure is given to may call it.
    if (!Lambda->isGenericLambda())
      enter(Lambda->getCallOperator(), Lambda->getExprLoc());
    else if (const FunctionTemplateDecl *Generic = Lambda->getLambdaClass()->getDependentLambdaCallOperator())
      for (const FunctionDecl *Instance : Generic->specializations())
        enter(Instance, Lambda->getExprLoc());
    destroy(Lambda->getType(), Lambda->getExprLoc());
    return true;
  }

  // Nothing of these is run.
  bool TraverseUnaryExprOrTypeTraitExpr(const UnaryExprOrTypeTraitExpr *) override { return true; }
  bool TraverseCXXNoexceptExpr(const CXXNoexceptExpr *) override { return true; }
  bool TraverseTypeLoc(TypeLoc, bool) override { return true; }
  bool TraverseCXXRecordDecl(const CXXRecordDecl *) override { return true; }
  bool TraverseStaticAssertDecl(const StaticAssertDecl *) override { return true; }
};

ReachedCode::ReachedCode(const FunctionDecl *Function) { CodeFinder(*this, Function).run(); }

bool ReachedCode::isRecursive(const FunctionDecl *Definition) const {
  DenseSet<const FunctionDecl *> Seen;
  SmallVector<const FunctionDecl *, 8> Next = {Definition};
  while (!Next.empty()) {
    auto It = Index.find(Next.pop_back_val());
    if (It == Index.end())
      continue;
    for (const FunctionDecl *Callee : Bodies[It->second].Calls) {
      if (Callee == Definition)
        return true;
      if (Seen.insert(Callee).second)
        Next.push_back(Callee);
    }
  }
  return false;
}

} // namespace cuda_pipeline
