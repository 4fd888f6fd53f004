//===- SharedArrays.cpp - The shared memory of a kernel ------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedArrays.h"
#include "AstUtil.h"
#include "PtxText.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

/// Numbers that are addresses of what a pointer points to, made in whatever way:
/// `__cvta_generic_to_shared(p) + offset`.
class NumbersOfPointers : ConstDynamicRecursiveASTVisitor {
public:
  NumbersOfPointers(const ReachedCode &Code, const ASTContext &Context)
      : Code(Code), Context(Context) {
    ShouldVisitImplicitCode = true;
  }

  bool isOne(const Expr *E) {
    if (!Collected)
      for (const ReachedCode::Body &B : Code.Bodies)
        collect(B.Function);
    Collected = true;
    return made(E);
  }

private:
  struct Value {
    const Expr *E;
    const GCCAsmStmt *Asm; ///< it is what this makes of its operands
  };
  const ReachedCode &Code;
  const ASTContext &Context;
  bool Collected = false;
  DenseMap<const ValueDecl *, SmallVector<Value, 2>>
      Values;                        ///< of variables, parameters and members
  DenseSet<const ValueDecl *> Asked; ///< a variable that is made of itself says nothing

  void collect(const FunctionDecl *F) {
    if (const auto *Ctor = dyn_cast<CXXConstructorDecl>(F))
      for (const CXXCtorInitializer *Init : Ctor->inits()) {
        if (Init->getAnyMember())
          Values[Init->getAnyMember()].push_back({Init->getInit(), nullptr});
        TraverseStmt(Init->getInit());
      }
    TraverseStmt(F->getBody());
  }

  /// The variable or the member that is set, or of whose elements one is.
  static const ValueDecl *named(const Expr *E) {
    E = E->IgnoreParenImpCasts();
    while (const auto *Sub = dyn_cast<ArraySubscriptExpr>(E))
      E = Sub->getBase()->IgnoreParenImpCasts();
    if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
      return Ref->getDecl();
    const auto *Member = dyn_cast<MemberExpr>(E);
    return Member ? Member->getMemberDecl() : nullptr;
  }
  void set(const Expr *Place, Value To) {
    if (const ValueDecl *D = named(Place))
      Values[D].push_back(To);
  }
  void bind(const FunctionDecl *Callee, ArrayRef<const Expr *> Args) {
    const FunctionDecl *Body = nullptr;
    if (!Callee || !Callee->hasBody(Body))
      return;
    for (unsigned I = 0; I < Args.size() && I < Body->getNumParams(); ++I)
      Values[Body->getParamDecl(I)].push_back({Args[I], nullptr});
  }
  bool VisitVarDecl(const VarDecl *Var) override {
    if (Var->hasInit() && !isa<ParmVarDecl>(Var))
      Values[Var].push_back({Var->getInit(), nullptr});
    return true;
  }
  bool VisitBinaryOperator(const BinaryOperator *Op) override {
    if (Op->getOpcode() == BO_Assign)
      set(Op->getLHS(), {Op->getRHS(), nullptr});
    return true;
  }
  bool VisitGCCAsmStmt(const GCCAsmStmt *Asm) override {
    for (unsigned I = 0; I != Asm->getNumOutputs(); ++I)
      set(Asm->getOutputExpr(I), {nullptr, Asm});
    return true;
  }
  bool VisitCallExpr(const CallExpr *Call) override {
    bind(Call->getDirectCallee(), operandsOf(Call).Args);
    return true;
  }
  bool VisitCXXConstructExpr(const CXXConstructExpr *Construct) override {
    bind(Construct->getConstructor(),
         ArrayRef<const Expr *>(Construct->getArgs(), Construct->getNumArgs()));
    return true;
  }
  bool VisitInitListExpr(const InitListExpr *List) override {
    const auto *Record = List->isSemanticForm() || !List->getSemanticForm()
                             ? List->getType()->getAsCXXRecordDecl()
                             : nullptr;
    if (!Record || Record->getNumBases())
      return true;
    unsigned I = 0;
    for (const FieldDecl *Field : Record->fields())
      if (!Field->isUnnamedBitField() && I < List->getNumInits())
        Values[Field].push_back({List->getInit(I++), nullptr});
    return true;
  }

  bool made(const ValueDecl *D) {
    auto It = Values.find(D);
    if (It == Values.end())
      return false;
    if (!Asked.insert(D).second)
      return true;
    const bool All =
        all_of(It->second, [&](const Value &V) { return V.E ? made(V.E) : madeBy(V.Asm); });
    Asked.erase(D);
    return All;
  }
  bool madeBy(const GCCAsmStmt *Asm) {
    for (unsigned I = 0; I != Asm->getNumInputs(); ++I)
      if (made(Asm->getInputExpr(I)))
        return true;
    return false;
  }
  bool made(const Expr *E) {
    E = E->IgnoreParens();
    if (E->getType()->isPointerType() || E->getType()->isArrayType())
      return true;
    if (const auto *Wrapped = dyn_cast<FullExpr>(E))
      return made(Wrapped->getSubExpr());
    if (const auto *Cast = dyn_cast<CastExpr>(E))
      return made(Cast->getSubExpr());
    if (const auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(E))
      return made(Temporary->getSubExpr());
    if (const auto *Default = dyn_cast<CXXDefaultArgExpr>(E))
      return made(Default->getExpr());
    if (const auto *Default = dyn_cast<CXXDefaultInitExpr>(E))
      return made(Default->getExpr());
    if (const auto *Op = dyn_cast<UnaryOperator>(E))
      return made(Op->getSubExpr());
    if (const auto *Op = dyn_cast<BinaryOperator>(E))
      return Op->getOpcode() == BO_Assign || Op->getOpcode() == BO_Comma
                 ? made(Op->getRHS())
                 : made(Op->getLHS()) || made(Op->getRHS());
    if (const auto *Cond = dyn_cast<ConditionalOperator>(E))
      return made(Cond->getTrueExpr()) && made(Cond->getFalseExpr());
    if (const auto *List = dyn_cast<InitListExpr>(E))
      return List->getNumInits() &&
             all_of(List->inits(), [&](const Expr *Init) { return made(Init); });
    if (const auto *Construct = dyn_cast<CXXConstructExpr>(E))
      return Construct->getNumArgs() == 1 && made(Construct->getArg(0));
    if (const auto *Call = dyn_cast<CallExpr>(E)) {
      const FunctionDecl *Callee = Call->getDirectCallee(), *Body = nullptr;
      if (!Callee)
        return false;
      if (isOfToolkit(Callee, Context))
        return any_of(Call->arguments(), [&](const Expr *Arg) { return made(Arg); });
      if (!Callee->hasBody(Body) || !Asked.insert(Callee).second)
        return false;
      const std::vector<const Expr *> Returned = returnedValues(Body->getBody());
      const bool All =
          !Returned.empty() && all_of(Returned, [&](const Expr *Value) { return made(Value); });
      Asked.erase(Callee);
      return All;
    }
    const ValueDecl *D = named(E);
    return D && made(D);
  }
};

struct Finder : ConstDynamicRecursiveASTVisitor {
  SharedArrays &Found;
  const ASTContext &Context;
  NumbersOfPointers &Numbers;
  const ReachedCode::Body *In = nullptr;
  const FunctionDecl *Names =
      nullptr; ///< the function in whose text it stands: a closure is a part of another one
  Finder(SharedArrays &Found, const ASTContext &Context, NumbersOfPointers &Numbers)
      : Found(Found), Context(Context), Numbers(Numbers) {
    ShouldVisitImplicitCode = true;
  }

  void look(const ReachedCode::Body &B) {
    In = &B;
    Names = B.Function;
    while (true) {
      const auto *Method = dyn_cast<CXXMethodDecl>(Names);
      const auto *Around =
          Method && Method->getParent()->isLambda()
              ? dyn_cast_or_null<FunctionDecl>(Method->getParent()->getDeclContext())
              : nullptr;
      if (!Around)
        break;
      Names = Around;
    }
    if (const auto *Ctor = dyn_cast<CXXConstructorDecl>(B.Function))
      for (const CXXCtorInitializer *Init : Ctor->inits())
        TraverseStmt(Init->getInit());
    TraverseStmt(B.Function->getBody());
  }
  void mayUse(const Twine &What, SourceLocation Where) {
    if (!Found.MayUseDynamic && !In->Known)
      Found.MayUseDynamic = {What.str(), ReachedCode::placeOf(*In, Where)};
  }

  bool VisitVarDecl(const VarDecl *Var) override {
    if (!Var->hasAttr<CUDASharedAttr>())
      return true;
    Var = Var->getCanonicalDecl();
    if (!Var->hasExternalStorage()) {
      if (!is_contained(Found.Static, Var))
        Found.Static.push_back(Var);
    } else if (none_of(Found.Dynamic, [&](const SharedArrays::Use &U) {
                 return U.Array == Var && U.In == Names;
               })) {
      Found.Dynamic.push_back({Var, Names});
    }
    return true;
  }
  // Declared outside of the function.
  bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
    if (auto *Var = dyn_cast<VarDecl>(Ref->getDecl()))
      VisitVarDecl(Var);
    if (const auto *F = dyn_cast<FunctionDecl>(Ref->getDecl()); F && F->getIdentifier())
      Found.AsksForSize |= F->getName().contains("smem_size");
    return true;
  }
  bool VisitMemberExpr(const MemberExpr *Member) override {
    if (auto *Var = dyn_cast<VarDecl>(Member->getMemberDecl()))
      VisitVarDecl(Var);
    return true;
  }
  bool VisitCXXDefaultArgExpr(const CXXDefaultArgExpr *Default) override {
    return TraverseStmt(Default->getExpr());
  }
  bool VisitCXXDefaultInitExpr(const CXXDefaultInitExpr *Default) override {
    return TraverseStmt(Default->getExpr());
  }
  // A body of its own.
  bool TraverseLambdaExpr(const LambdaExpr *Lambda) override {
    for (const Expr *Init : Lambda->capture_inits())
      TraverseStmt(Init);
    return true;
  }
  bool VisitCallExpr(const CallExpr *Call) override {
    const FunctionDecl *Callee = Call->getDirectCallee();
    if (Callee && Callee->getIdentifier() &&
        Callee->getName().starts_with("__cvta_shared_to_generic") && Call->getNumArgs() == 1 &&
        !Numbers.isOne(Call->getArg(0)))
      mayUse("an address of shared memory that is not made of a pointer", Call->getExprLoc());
    return true;
  }
  bool VisitGCCAsmStmt(const GCCAsmStmt *Asm) override {
    Found.AsksForSize |= StringRef(Asm->getAsmString()).contains("smem_size");
    if (Found.MayUseDynamic || In->Known)
      return true;
    const PtxText Ptx = readPtx(Asm, Context);
    auto IsSeen = [&](const std::vector<const Expr *> &Operands) {
      return any_of(Operands, [&](const Expr *E) { return Numbers.isOne(E); });
    };
    std::vector<const Expr *> Inputs;
    for (unsigned I = 0; I != Asm->getNumInputs(); ++I)
      Inputs.push_back(Asm->getInputExpr(I));
    const bool MakesAddress =
        StringRef(Asm->getAsmString()).contains("cvta.shared"); // `cvta.shared.u64 p, number;`
    if (Ptx.Calls || !all_of(Ptx.SharedPlaces, IsSeen) || (MakesAddress && !IsSeen(Inputs)))
      mayUse("assembly with an address of shared memory that is not made of a pointer",
             Asm->getAsmLoc());
    return true;
  }
};

} // namespace

SharedArrays::SharedArrays(const FunctionDecl *Kernel, const ReachedCode &Code) {
  const ASTContext &Context = Kernel->getASTContext();
  if (!Code.NotSeen.empty())
    MayUseDynamic = Code.NotSeen.front();
  NumbersOfPointers Numbers(Code, Context);
  Finder F(*this, Context, Numbers);
  for (const ReachedCode::Body &B : Code.Bodies)
    F.look(B);
}

} // namespace cuda_pipeline
