//===- Waiting.cpp - Kernels that wait for other blocks ---------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Waiting.h"
#include "../Model/AstUtil.h"
#include "../Model/KnownFunctions.h"
#include "../Model/PtxText.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

bool isLocal(const Expr *E) {
  const auto *Ref = dyn_cast<DeclRefExpr>(E->IgnoreParens());
  const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  return Var && Var->hasLocalStorage() && !Var->getType()->isReferenceType();
}

/// The variable whose value changes with the lvalue \p E, or with what its address \p E points to: itself, a member or
/// an element of it. What a pointer variable points to is none.
const VarDecl *changedVar(const Expr *E) {
  while (E) {
    E = E->IgnoreParens();
    if (const auto *Cast = dyn_cast<CastExpr>(E)) {
      if (Cast->getCastKind() == CK_LValueToRValue)
        return nullptr;
      E = Cast->getSubExpr();
    } else if (const auto *Member = dyn_cast<MemberExpr>(E); Member && !Member->isArrow()) {
      E = Member->getBase();
    } else if (const auto *Element = dyn_cast<ArraySubscriptExpr>(E)) {
      E = Element->getBase();
    } else if (const auto *Address = dyn_cast<UnaryOperator>(E); Address && Address->getOpcode() == UO_AddrOf) {
      E = Address->getSubExpr();
    } else {
      return referencedVar(E);
    }
  }
  return nullptr;
}

bool leaves(const Stmt *S) {
  return S && (isa<BreakStmt>(S) || isa<ReturnStmt>(S) || isa<GotoStmt>(S) || any_of(S->children(), leaves));
}

/// Has a goto to what stands before it: \p Labels.
bool goesBack(const Stmt *S, DenseSet<const LabelDecl *> &Labels) {
  if (!S)
    return false;
  if (const auto *Label = dyn_cast<LabelStmt>(S))
    Labels.insert(Label->getDecl());
  if (const auto *Goto = dyn_cast<GotoStmt>(S); Goto && Labels.contains(Goto->getLabel()))
    return true;
  return any_of(S->children(), [&](const Stmt *C) { return goesBack(C, Labels); });
}

class WaitFinder {
public:
  explicit WaitFinder(const ASTContext &Context) : Context(Context) {}

  SourceLocation inFunction(const FunctionDecl *F) {
    const Stmt *Body = F->getBody();
    if (!Body || !readsAnew(Body))
      return SourceLocation();
    if (DenseSet<const LabelDecl *> Labels; goesBack(Body, Labels))
      if (SourceLocation Here = inLoop(Body); Here.isValid())
        return Here;
    return inStatement(Body);
  }

private:
  const ASTContext &Context;
  using VarSet = DenseSet<const VarDecl *>;
  DenseMap<const FunctionDecl *, bool> ReadsAnew;
  DenseMap<const FunctionDecl *, bool> Waits;

  static const FunctionDecl *definition(const CallExpr *Call) {
    const FunctionDecl *F = Call->getDirectCallee();
    const FunctionDecl *Defined = nullptr;
    return F && F->hasBody(Defined) && Defined->getBody() ? Defined : nullptr;
  }

  /// \p S itself, not its parts, reads memory that another block may have written meanwhile. \p Changing: what the
  /// loop around it changes.
  bool isAnew(const Stmt *S, const VarSet *Changing) {
    if (const auto *Cast = dyn_cast<ImplicitCastExpr>(S)) {
      const Expr *From = Cast->getSubExpr();
      return Cast->getCastKind() == CK_LValueToRValue && From->getType().isVolatileQualified() && !isLocal(From);
    }
    if (const auto *Call = dyn_cast<CallExpr>(S))
      return callReadsAnew(Call, Changing);
    if (const auto *Asm = dyn_cast<GCCAsmStmt>(S))
      return readPtx(Asm, Context).LoadsAnew;
    return isa<AtomicExpr>(S);
  }

  bool readsAnew(const Stmt *S) {
    return S && (isAnew(S, nullptr) || any_of(S->children(), [&](const Stmt *C) { return readsAnew(C); }));
  }

  bool callReadsAnew(const CallExpr *Call, const VarSet *Changing) {
    const FunctionDecl *F = Call->getDirectCallee();
    if (!F)
      return false;
    const std::string Name = F->getQualifiedNameAsString();
    const FunctionKind Kind = classifyFunction(F, Context);
    if (Kind == FunctionKind::Atomic || StringRef(Name).starts_with("__nvvm_atom")) {
      // Expected is what was read before: a turn more only where somebody else has got ahead.
      bool Swap = StringRef(Name).contains("CAS") && Call->getNumArgs() > 1;
      return !(Swap && Changing &&
               any_of(mentionedVars(Call->getArg(1)), [&](const VarDecl *V) { return Changing->contains(V); }));
    }
    if (Kind == FunctionKind::LoadPointer)
      return Name == "__ldcg";
    if (Name == "__ldcv" || waitsItself(Call))
      return true;
    if (Kind != FunctionKind::Unknown)
      return false;
    const FunctionDecl *Defined = definition(Call);
    if (!Defined)
      return false;
    auto [It, New] = ReadsAnew.try_emplace(Defined, false);
    if (!New)
      return It->second;
    bool Found = readsAnew(Defined->getBody());
    return ReadsAnew[Defined] = Found;
  }

  /// Why else sleep?
  bool waitsItself(const CallExpr *Call) {
    const FunctionDecl *F = Call->getDirectCallee();
    return F && ((F->getIdentifier() && F->getName().contains("nanosleep")) ||
                 classifyFunction(F, Context) == FunctionKind::GridBarrier);
  }

  SourceLocation inStatement(const Stmt *S) {
    if (!S)
      return SourceLocation();
    if (isLoop(S))
      if (SourceLocation Here = inLoop(S); Here.isValid())
        return Here;
    if (const auto *Call = dyn_cast<CallExpr>(S)) {
      if (waitsItself(Call))
        return Call->getExprLoc();
      if (const FunctionDecl *Defined = definition(Call);
          Defined && classifyFunction(Defined, Context) == FunctionKind::Unknown) {
        auto [It, New] = Waits.try_emplace(Defined, false);
        bool Found = It->second;
        if (New)
          Found = Waits[Defined] = inFunction(Defined).isValid();
        if (Found)
          return Call->getExprLoc();
      }
    }
    for (const Stmt *Child : S->children())
      if (SourceLocation Here = inStatement(Child); Here.isValid())
        return Here;
    return SourceLocation();
  }

  /// \p Loop: or the body of a function that is one by goto.
  SourceLocation inLoop(const Stmt *Loop) {
    if (!readsAnew(Loop))
      return SourceLocation();
    Parts.clear();
    for (const Stmt *Child : Loop->children())
      if (const auto *For = dyn_cast<ForStmt>(Loop); Child && !(For && Child == For->getInit()))
        Parts.push_back(Child);
    Changing.clear();
    for (const Stmt *S : Parts)
      findChanging(S);
    Fresh.clear();
    size_t Before;
    do {
      Before = Fresh.size();
      for (const Stmt *S : Parts)
        spread(S, false);
    } while (Fresh.size() != Before);
    if (const Expr *Cond = conditionOf(Loop); Cond && isFresh(Cond))
      return Cond->getExprLoc();
    return wayOut(isLoop(Loop) ? bodyOf(Loop) : Loop);
  }

  // Of the loop that is looked at.
  SmallVector<const Stmt *, 4> Parts;
  VarSet Changing; ///< variables
  VarSet Fresh;    ///< of these: with values that were read in this turn
  DenseSet<const CallExpr *> Inlined;

  void findChanging(const Stmt *S) {
    if (!S)
      return;
    forEachChange(S, [&](const VarDecl *V) { Changing.insert(V); });
    for (const Stmt *Child : S->children())
      findChanging(Child);
  }

  /// What \p S itself, not its parts, may change.
  template <typename Fn> static void forEachChange(const Stmt *S, Fn Changed) {
    auto Lvalue = [&](const Expr *E) {
      if (const VarDecl *V = changedVar(E))
        Changed(V);
    };
    if (const auto *Declaration = dyn_cast<DeclStmt>(S)) {
      for (const clang::Decl *D : Declaration->decls())
        if (const auto *V = dyn_cast<VarDecl>(D))
          Changed(V);
    } else if (const auto *Op = dyn_cast<BinaryOperator>(S)) {
      if (Op->isAssignmentOp())
        Lvalue(Op->getLHS());
    } else if (const auto *Op = dyn_cast<UnaryOperator>(S)) {
      if (Op->isIncrementDecrementOp())
        Lvalue(Op->getSubExpr());
    } else if (const auto *Asm = dyn_cast<GCCAsmStmt>(S)) {
      for (unsigned I = 0; I < Asm->getNumOutputs(); ++I)
        Lvalue(Asm->getOutputExpr(I));
    } else if (const auto *Call = dyn_cast<CallExpr>(S)) {
      for (const Expr *Argument : Call->arguments())
        if (Argument->isGLValue() || Argument->getType()->isPointerType())
          Lvalue(Argument);
      if (const auto *Member = dyn_cast<CXXMemberCallExpr>(Call); Member && Member->getImplicitObjectArgument())
        Lvalue(Member->getImplicitObjectArgument());
    }
  }

  bool isFresh(const Stmt *S) {
    if (!S)
      return false;
    if (const auto *Ref = dyn_cast<DeclRefExpr>(S))
      if (const auto *V = dyn_cast<VarDecl>(Ref->getDecl()); V && Fresh.contains(V))
        return true;
    if (isAnew(S, &Changing))
      return true;
    if (const auto *Call = dyn_cast<CallExpr>(S); Call && lambdaBody(Call) && Inlined.insert(Call).second) {
      bool Found = isFresh(lambdaBody(Call));
      Inlined.erase(Call);
      if (Found)
        return true;
    }
    return any_of(S->children(), [&](const Stmt *C) { return isFresh(C); });
  }

  static const Stmt *lambdaBody(const CallExpr *Call) {
    const auto *Method = dyn_cast_or_null<CXXMethodDecl>(Call->getDirectCallee());
    return Method && Method->getParent()->isLambda() ? Method->getBody() : nullptr;
  }

  /// Values that were read in this turn go into variables, by \p S or because \p S is done at all.
  void spread(const Stmt *S, bool Control) {
    if (!S)
      return;
    forEachChange(S, [&](const VarDecl *V) {
      if (Fresh.contains(V) || !V->hasLocalStorage()) // not what the block shares
        return;
      if (Control || isFresh(isa<DeclStmt>(S) ? V->getInit() : S))
        Fresh.insert(V);
    });
    if (const auto *Call = dyn_cast<CallExpr>(S); Call && lambdaBody(Call) && Inlined.insert(Call).second) {
      spread(lambdaBody(Call), Control);
      Inlined.erase(Call);
    }
    bool Depends = Control || (conditionOf(S) && isFresh(conditionOf(S)));
    for (const Stmt *Child : S->children())
      spread(Child, Depends);
  }

  /// A condition of what was read in this turn, under which the loop is left.
  SourceLocation wayOut(const Stmt *S) {
    if (!S || isa<LambdaExpr>(S))
      return SourceLocation();
    if (isa<IfStmt>(S) || isa<SwitchStmt>(S))
      if (const Expr *Cond = conditionOf(S); leaves(S) && isFresh(Cond))
        return Cond->getExprLoc();
    for (const Stmt *Child : S->children())
      if (SourceLocation Here = wayOut(Child); Here.isValid())
        return Here;
    return SourceLocation();
  }
};

} // namespace

SourceLocation findWaiting(const FunctionDecl *Function) {
  return WaitFinder(Function->getASTContext()).inFunction(Function);
}

SourceLocation findWaitingKernel(ASTContext &Context) {
  struct Visitor : DynamicRecursiveASTVisitor {
    const SourceManager &SM;
    SourceLocation Found;
    explicit Visitor(const SourceManager &SM) : SM(SM) { ShouldVisitTemplateInstantiations = true; }
    bool TraverseDecl(Decl *D) override {
      // The kernels of the toolkit's headers are not those that call the user's functions.
      if (D && !isa<TranslationUnitDecl>(D) && SM.isInSystemHeader(SM.getExpansionLoc(D->getLocation())))
        return true;
      return DynamicRecursiveASTVisitor::TraverseDecl(D);
    }
    bool VisitFunctionDecl(FunctionDecl *F) override {
      if (F->hasAttr<CUDAGlobalAttr>() && F->isThisDeclarationADefinition() && !F->isDependentContext())
        Found = findWaiting(F);
      return Found.isInvalid();
    }
  } V(Context.getSourceManager());
  V.TraverseDecl(Context.getTranslationUnitDecl());
  return V.Found;
}

} // namespace cuda_pipeline
