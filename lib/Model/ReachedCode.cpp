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
#include <memory>
#include <utility>

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {

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
  return !Folder.empty() &&
         SM.getFilename(SM.getExpansionLoc(Loc)).starts_with((Folder + "/").str());
}

bool isOfToolkit(const FunctionDecl *Function, const ASTContext &Context) {
  // nvcc has libdevice's functions, whoever declares them.
  if (Function->getIdentifier() && Function->getName().starts_with("__nv_") &&
      !Function->getDefinition())
    return true;
  if (!isLibraryFunction(Function, Context))
    return false;
  if (Function->getBuiltinID() || Function->getLocation().isInvalid() ||
      classifyFunction(Function, Context) != FunctionKind::Unknown)
    return true;
  static const StringSet<> Namespaces = {"std", "__gnu_cxx", "cuda", "nvcuda", "cooperative_groups",
                                         "cub", "thrust"};
  if (Namespaces.contains(outermostNamespace(Function)))
    return true;
  if (isBelow(Function->getLocation(), toolkitFolder(Context), Context))
    return true;
  static const StringSet<> OfC = {"memcpy", "memmove", "memset", "memcmp", "malloc",
                                  "free",   "printf",  "puts",   "abort",  "exit"};
  if (Function->getIdentifier() && OfC.contains(Function->getName()))
    return true;
  // A name that begins so is the compiler's or its libraries'; the others are what the toolkit
  // declares without a body.
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

/// Adds the functions that \p Value points to, or has a pointer to. False: it points to something
/// else.
bool addFunctions(const APValue &Value, SmallVectorImpl<const FunctionDecl *> &Out) {
  switch (Value.getKind()) {
  case APValue::LValue: {
    if (Value.isNullPointer())
      return true;
    if (!Value.getLValueBase())
      return false; // a number
    const auto *D = Value.getLValueBase().dyn_cast<const ValueDecl *>();
    if (const auto *F = dyn_cast_or_null<FunctionDecl>(D))
      Out.push_back(F);
    return true; // what points to data calls nothing
  }
  case APValue::Array:
    for (unsigned I = 0; I != Value.getArrayInitializedElts(); ++I)
      if (!addFunctions(Value.getArrayInitializedElt(I), Out))
        return false;
    return !Value.hasArrayFiller() || addFunctions(Value.getArrayFiller(), Out);
  case APValue::Struct:
    for (unsigned I = 0; I != Value.getStructNumBases(); ++I)
      if (!addFunctions(Value.getStructBase(I), Out))
        return false;
    for (unsigned I = 0; I != Value.getStructNumFields(); ++I)
      if (!addFunctions(Value.getStructField(I), Out))
        return false;
    return true;
  case APValue::Union:
  case APValue::MemberPointer:
  case APValue::Indeterminate:
    return false;
  default:
    return true;
  }
}

bool pointsToFunction(const APValue &Value) {
  return Value.isLValue() &&
         (Value.isNullPointer() ||
          isa_and_nonnull<FunctionDecl>(Value.getLValueBase().dyn_cast<const ValueDecl *>()));
}

/// A variable that \p E is a part of, by whatever index, and that is never written.
const VarDecl *constantAround(const Expr *E, const ASTContext &Context) {
  for (E = E->IgnoreParenImpCasts();; E = E->IgnoreParenImpCasts()) {
    // What a pointer in a constant points to is no part of the constant.
    if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(E);
        Subscript && Subscript->getBase()->IgnoreParenImpCasts()->getType()->isArrayType())
      E = Subscript->getBase();
    else if (const auto *Member = dyn_cast<MemberExpr>(E);
             Member && isa<FieldDecl>(Member->getMemberDecl()) && !Member->isArrow())
      E = Member->getBase();
    else
      break;
  }
  const ValueDecl *D = nullptr;
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
    D = Ref->getDecl();
  else if (const auto *Member = dyn_cast<MemberExpr>(E))
    D = Member->getMemberDecl();
  const auto *Var = dyn_cast_or_null<VarDecl>(D);
  if (!Var || isa<ParmVarDecl>(Var) || Var->getType()->isReferenceType() ||
      Var->getType().isVolatileQualified() ||
      (Var->hasAttr<CUDAConstantAttr>() && !Var->isConstexpr())) // the host may write it
    return nullptr;
  const QualType Element = Context.getBaseElementType(Var->getType());
  const CXXRecordDecl *Record = Element->getAsCXXRecordDecl();
  return Element.isConstQualified() &&
                 (!Record || !Record->hasDefinition() || !Record->hasMutableFields())
             ? Var
             : nullptr;
}

/// What the variables of a function that point to functions are set to.
struct FunctionPointers : ConstDynamicRecursiveASTVisitor {
  /// What a value may be besides functions that the body names.
  struct Found {
    SmallVector<const FunctionDecl *, 4> Functions; ///< which constants point to
    SmallVector<const ParmVarDecl *, 2>
        Parameters; ///< of the function itself: whatever the callers give
  };

  FunctionPointers(const FunctionDecl *F, const ASTContext &Context)
      : Function(F), Context(Context) {
    TraverseStmt(F->getBody());
  }

  const FunctionDecl *Function;
  const ASTContext &Context;
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
  bool areNamed(const Expr *E, Found &Others, unsigned Depth = 0) const {
    if (Depth > 8 || E->isValueDependent())
      return false;
    if (Expr::EvalResult Constant; E->isPRValue() && E->getType()->isFunctionPointerType() &&
                                   E->EvaluateAsRValue(Constant, Context) &&
                                   !Constant.HasSideEffects)
      return pointsToFunction(Constant.Val) && addFunctions(Constant.Val, Others.Functions);
    // The pointer itself is a part of it, not what leads there.
    if (const VarDecl *Var =
            E->getType()->isFunctionPointerType() ? constantAround(E, Context) : nullptr)
      if (const VarDecl *Definition = nullptr;
          Var->getAnyInitializer(Definition) && !Definition->getInit()->isValueDependent())
        if (const APValue *Value = Definition->evaluateValue())
          return addFunctions(*Value, Others.Functions);
    E = E->IgnoreParenImpCasts();
    if (const auto *Ref = dyn_cast<DeclRefExpr>(E); Ref && isa<FunctionDecl>(Ref->getDecl()))
      return true;
    if (const auto *Op = dyn_cast<UnaryOperator>(E))
      return (Op->getOpcode() == UO_AddrOf || Op->getOpcode() == UO_Deref ||
              Op->getOpcode() == UO_Plus) &&
             areNamed(Op->getSubExpr(), Others, Depth + 1);
    if (const auto *Cond = dyn_cast<ConditionalOperator>(E))
      return areNamed(Cond->getTrueExpr(), Others, Depth + 1) &&
             areNamed(Cond->getFalseExpr(), Others, Depth + 1);
    if (const auto *Sub = dyn_cast<SubstNonTypeTemplateParmExpr>(E))
      return areNamed(Sub->getReplacement(), Others, Depth + 1);
    // A closure without captures becomes a pointer to its function.
    if (const auto *Call = dyn_cast<CXXMemberCallExpr>(E))
      if (const auto *Conversion = dyn_cast_or_null<CXXConversionDecl>(Call->getDirectCallee()))
        return Conversion->getParent()->isLambda();
    const VarDecl *Var = local(E);
    if (!Var || Lost.count(Var))
      return false;
    auto It = Values.find(Var);
    const auto *Parameter = dyn_cast<ParmVarDecl>(Var);
    if (Parameter && is_contained(Function->parameters(), Parameter))
      Others.Parameters.push_back(Parameter);
    else if (It == Values.end())
      return false;
    return It == Values.end() || all_of(It->second, [&](const Expr *Value) {
             return areNamed(Value, Others, Depth + 1);
           });
  }
};

} // namespace

struct CodeFinder : ConstDynamicRecursiveASTVisitor {
  ReachedCode &Out;
  const ASTContext &Context;
  unsigned Current = 0;
  DenseMap<const FunctionDecl *, std::unique_ptr<FunctionPointers>> Pointers; ///< of bodies
  /// Calls of functions that have a parameter which points to a function, and in which body they
  /// stand.
  DenseMap<const FunctionDecl *, SmallVector<std::pair<const CallExpr *, unsigned>, 2>> Callers;
  DenseSet<const Expr *> Callees;    ///< functions that are named to be called there
  DenseSet<const Expr *> KnownClass; ///< of these, virtual ones of an object whose class is known
  DenseSet<const FunctionDecl *> CalledUnseen; ///< definitions that may be called elsewhere, too
  /// What is unseen if one of the values that callers give is.
  struct OfCaller {
    SmallVector<const ParmVarDecl *, 2> Parameters;
    unsigned Body; ///< whose parameters they are
    std::string What;
    SourceLocation Where; ///< in the text of that body
  };
  std::vector<OfCaller> OfCallers;
  DenseSet<const CXXRecordDecl *> Destroyed; ///< by the body that is looked at

  CodeFinder(ReachedCode &Out, const FunctionDecl *First)
      : Out(Out), Context(First->getASTContext()) {
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
      Destroyed.clear();
      for (const ParmVarDecl *Param : F->parameters())
        destroy(Param->getType(), F->getLocation());
      if (const auto *Ctor = dyn_cast<CXXConstructorDecl>(F))
        for (const CXXCtorInitializer *Init : Ctor->inits())
          TraverseStmt(Init->getInit());
      TraverseStmt(F->getBody());
      if (Current + 1 == Out.Bodies.size())
        askCallers(); // which may show more
    }
  }

  /// All that the callers give for the parameters is named.
  bool areGiven(ArrayRef<const ParmVarDecl *> Parameters, const FunctionDecl *Of,
                DenseSet<const ParmVarDecl *> &Asked,
                SmallVectorImpl<const FunctionDecl *> &Functions) {
    for (const ParmVarDecl *Parameter : Parameters) {
      if (!Asked.insert(Parameter).second)
        continue;
      if (Of == Out.Bodies.front().Function || CalledUnseen.count(Of) || !Callers.count(Of))
        return false;
      const auto Calls = Callers[Of];
      for (auto [Call, In] : Calls) {
        const bool HasObject = isa<CXXOperatorCallExpr>(Call) && isa<CXXMethodDecl>(Of) &&
                               cast<CXXMethodDecl>(Of)->isInstance();
        const unsigned N = Parameter->getFunctionScopeIndex() + HasObject;
        if (N >= Call->getNumArgs())
          return false;
        const Expr *Arg = Call->getArg(N);
        if (const auto *Default = dyn_cast<CXXDefaultArgExpr>(Arg))
          Arg = Default->getExpr();
        FunctionPointers::Found Others;
        if (!pointersOf(In).areNamed(Arg, Others) ||
            !areGiven(Others.Parameters, Out.Bodies[In].Function, Asked, Functions))
          return false;
        append_range(Functions, Others.Functions);
      }
    }
    return true;
  }
  void askCallers() {
    std::vector<OfCaller> Now;
    for (const OfCaller &W : OfCallers) {
      DenseSet<const ParmVarDecl *> Asked;
      SmallVector<const FunctionDecl *, 4> Functions;
      const unsigned Last = std::exchange(Current, W.Body);
      if (areGiven(W.Parameters, Out.Bodies[W.Body].Function, Asked, Functions)) {
        for (const FunctionDecl *F : Functions)
          enterByPointer(F, W.Where);
        Now.push_back(W);
      } else {
        unseen(W.What, W.Where);
      }
      Current = Last;
    }
    OfCallers = std::move(Now); // what is entered now may call them with something else
  }

  bool known() const { return Out.Bodies[Current].Known; }
  SourceLocation place(SourceLocation In) const {
    return ReachedCode::placeOf(Out.Bodies[Current], In);
  }

  void unseen(const Twine &What, SourceLocation Where) {
    if (!known())
      Out.NotSeen.push_back({What.str(), place(Where)});
  }

  /// \p CallSeen: VisitCallExpr sees the call and what it is given.
  void enter(const FunctionDecl *F, SourceLocation Where, bool CallSeen = false) {
    if (!F || F->isDependentContext() || F->isDeleted())
      return;
    const bool Known = isOfToolkit(F, Context);
    const FunctionDecl *Body = nullptr;
    if (!F->hasBody(Body) || !Body->getBody()) {
      const auto *Method = dyn_cast<CXXMethodDecl>(F);
      // What the language makes does what its parts do, which are seen as such.
      if (!Known && !F->isTrivial() && !F->isDefaulted() &&
          !(Method && Method->getParent()->isLambda()))
        unseen(
            (isa<CXXConstructorDecl>(F)
                 ? "the constructor of '" + cast<CXXMethodDecl>(F)->getParent()->getNameAsString()
             : isa<CXXDestructorDecl>(F)
                 ? "the destructor of '" + cast<CXXMethodDecl>(F)->getParent()->getNameAsString()
                 : "the function '" + F->getNameAsString()) +
                "', whose body is not in this file,",
            Where);
      return;
    }
    if (!CallSeen)
      CalledUnseen.insert(Body);
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
    if (!Record || !Record->hasDefinition() || Record->hasTrivialDestructor() ||
        !Destroyed.insert(Record->getCanonicalDecl()).second)
      return;
    if (const CXXDestructorDecl *Destructor = Record->getDestructor())
      enter(Destructor, Where);
    for (const FieldDecl *Field : Record->fields())
      destroy(Field->getType(), Where);
    for (const CXXBaseSpecifier &Base : Record->bases())
      destroy(Base.getType(), Where);
  }

  /// A function of the library that is only declared may call the user's that it is given, by their
  /// types.
  void handOver(const Expr *Arg) {
    const CXXRecordDecl *Record = Arg->getType().getNonReferenceType()->getAsCXXRecordDecl();
    Record = Record ? Record->getDefinition() : nullptr;
    if (!Record || Context.getSourceManager().isInSystemHeader(Record->getLocation()))
      return;
    for (const Decl *D : Record->decls()) {
      if (const auto *Method = dyn_cast<CXXMethodDecl>(D);
          Method && Method->getOverloadedOperator() == OO_Call)
        enterByPointer(Method, Arg->getExprLoc());
      else if (const auto *Template = dyn_cast<FunctionTemplateDecl>(D);
               Template && Template->getTemplatedDecl()->getOverloadedOperator() == OO_Call)
        unseen("the functor '" + Record->getNameAsString() + "', which a library calls",
               Arg->getExprLoc());
    }
  }

  const FunctionPointers &pointersOf(unsigned Body) {
    const FunctionDecl *F = Out.Bodies[Body].Function;
    std::unique_ptr<FunctionPointers> &P = Pointers[F];
    if (!P)
      P = std::make_unique<FunctionPointers>(F, Context);
    return *P;
  }
  void enterByPointer(const FunctionDecl *F, SourceLocation Where) {
    const auto *Invoker = dyn_cast<CXXMethodDecl>(F);
    if (!Invoker || !Invoker->isLambdaStaticInvoker())
      return enter(F, Where);
    enterClosure(Invoker->getParent(), Where); // it only calls
  }
  void enterClosure(const CXXRecordDecl *Closure, SourceLocation Where, bool CallSeen = false) {
    if (!Closure->isGenericLambda())
      enter(Closure->getLambdaCallOperator(), Where, CallSeen);
    else if (const FunctionTemplateDecl *Generic = Closure->getDependentLambdaCallOperator())
      for (const FunctionDecl *Instance : Generic->specializations())
        enter(Instance, Where, CallSeen);
  }
  /// \p E points to a function; \p What is not seen if it is not known to which.
  void follow(const Expr *E, const Twine &What, SourceLocation Where) {
    FunctionPointers::Found Others;
    if (!pointersOf(Current).areNamed(E, Others))
      return unseen(What, Where);
    for (const FunctionDecl *F : Others.Functions)
      enterByPointer(F, Where);
    if (!Others.Parameters.empty())
      OfCallers.push_back({Others.Parameters, Current, What.str(), Where});
  }

  bool VisitCallExpr(const CallExpr *Call) override {
    if (Call->isTypeDependent() || Call->isValueDependent() ||
        isa<CXXPseudoDestructorExpr>(Call->getCallee()->IgnoreParens()))
      return true;
    const FunctionDecl *Callee = Call->getDirectCallee();
    if (!Callee) {
      follow(Call->getCallee(), "a call through a pointer", Call->getExprLoc());
      return true;
    }
    Callees.insert(Call->getCallee()->IgnoreParenImpCasts());
    if (const FunctionDecl *Body = nullptr; Callee->hasBody(Body))
      Callers[Body].push_back({Call, Current});
    const auto *Method = dyn_cast<CXXMethodDecl>(Callee);
    const auto *Member = dyn_cast<MemberExpr>(Call->getCallee()->IgnoreParens());
    // The class of an object is known where the object itself is named or made.
    if (Method && Method->isVirtual() && Member && !Member->hasQualifier())
      if (const CXXMethodDecl *Really =
              Method->getDevirtualizedMethod(Member->getBase(), /*IsAppleKext=*/false)) {
        enter(Really, Call->getExprLoc());
        KnownClass.insert(Member);
        return true;
      }
    const bool Chosen = !Method || !Method->isVirtual() || (Member && Member->hasQualifier()) ||
                        Method->hasAttr<FinalAttr>() || Method->getParent()->hasAttr<FinalAttr>();
    if (!Chosen)
      unseen("the virtual function '" + Callee->getNameAsString() + "'", Call->getExprLoc());
    if (const auto *Conversion = dyn_cast<CXXConversionDecl>(Callee);
        Conversion && Conversion->getParent()->isLambda())
      enterClosure(Conversion->getParent(), Call->getExprLoc());
    enter(Callee, Call->getExprLoc(), /*CallSeen=*/Chosen);
    if (isOfToolkit(Callee, Context))
      for (const Expr *Arg : Call->arguments()) {
        if (!Callee->hasBody())
          handOver(Arg);
        if (Arg->getType()->isFunctionPointerType())
          follow(Arg, "a function that a library is given", Arg->getExprLoc());
      }
    return true;
  }
  bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
    enter(dyn_cast<FunctionDecl>(Ref->getDecl()), Ref->getExprLoc(),
          /*CallSeen=*/Callees.count(Ref));
    return true;
  }
  bool VisitMemberExpr(const MemberExpr *Member) override {
    if (KnownClass.count(Member))
      return true;
    if (const auto *Destructor = dyn_cast<CXXDestructorDecl>(Member->getMemberDecl()))
      destroy(Context.getCanonicalTagType(Destructor->getParent()), Member->getExprLoc());
    else
      enter(dyn_cast<FunctionDecl>(Member->getMemberDecl()), Member->getExprLoc(),
            /*CallSeen=*/Callees.count(Member));
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
    const CXXRecordDecl *Record =
        T.isNull() ? nullptr : Context.getBaseElementType(T)->getAsCXXRecordDecl();
    if (Record && Record->hasDefinition() && Record->getDestructor() &&
        Record->getDestructor()->isVirtual())
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
  bool VisitCXXDefaultArgExpr(const CXXDefaultArgExpr *Default) override {
    return TraverseStmt(Default->getExpr());
  }
  bool VisitCXXDefaultInitExpr(const CXXDefaultInitExpr *Default) override {
    return TraverseStmt(Default->getExpr());
  }
  bool TraverseLambdaExpr(const LambdaExpr *Lambda) override {
    for (const Expr *Init : Lambda->capture_inits())
      TraverseStmt(Init);
    // What a closure is given to may call it.
    enterClosure(Lambda->getLambdaClass(), Lambda->getExprLoc(), /*CallSeen=*/true);
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
