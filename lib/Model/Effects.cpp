//===- Effects.cpp - What a statement reads, writes and does --------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Effects.h"
#include "AstUtil.h"
#include "Names.h"
#include "Pointers.h"
#include "PtxText.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringExtras.h"
#include <optional>

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {

bool Effects::reads(Space S) const {
  return any_of(Accesses, [&](const Access &A) { return A.Read && A.mayTouch(S); });
}
bool Effects::writes(Space S) const {
  return any_of(Accesses, [&](const Access &A) { return A.Write && A.mayTouch(S); });
}
bool Effects::has(FunctionKind K) const {
  return any_of(Actions,
                [&](const Action &A) { return A.Kind == Action::Call && A.Function == K; });
}
bool Effects::hasBarrier() const {
  return any_of(Actions, [](const Action &A) {
    return A.Function == FunctionKind::Barrier || A.Function == FunctionKind::BarrierValue ||
           A.Function == FunctionKind::BarrierOther;
  });
}
void Effects::append(const Effects &O) {
  Accesses.insert(Accesses.end(), O.Accesses.begin(), O.Accesses.end());
  Actions.insert(Actions.end(), O.Actions.begin(), O.Actions.end());
  ThreadIndex |= O.ThreadIndex;
  ConstexprIf |= O.ConstexprIf;
  UserCalls |= O.UserCalls;
}

bool isConstantMemory(const ValueDecl *D) {
  const auto *Var = dyn_cast_or_null<VarDecl>(D);
  const auto *Attr = Var ? Var->getAttr<CUDAConstantAttr>() : nullptr;
  return Attr && !Attr->isImplicit() && !Var->isConstexpr();
}

bool isRestrictParameter(const ValueDecl *D) {
  const auto *Param = dyn_cast_or_null<ParmVarDecl>(D);
  return Param && Param->getType()->isPointerType() && Param->getType().isRestrictQualified();
}

bool isReadOnlyParameter(const ValueDecl *D) {
  return isRestrictParameter(D) && isConstObject(D->getType()->getPointeeType());
}

Space spaceOf(const ValueDecl *D) {
  if (const auto *Var = dyn_cast<VarDecl>(D)) {
    if (Var->hasAttr<CUDASharedAttr>())
      return Space::Shared;
    if (Var->hasAttr<CUDAConstantAttr>())
      return Space::Constant;
    if (Var->hasAttr<CUDADeviceAttr>() && Var->hasGlobalStorage())
      // A constexpr host variable that Clang promotes to the device is a constant.
      return Var->isConstexpr() ? Space::Constant : Space::Global;
    if (isa<ParmVarDecl>(Var))
      return Space::Param;
    if (Var->hasLocalStorage())
      return Space::Local;
    if (Var->isStaticLocal())
      return isConstObject(Var->getType()) ? Space::Constant : Space::Global;
    if (isConstObject(Var->getType()))
      return Space::Constant;
    return Space::Unknown;
  }
  return Space::Unknown;
}

struct EffectCollector::Impl : Pointers {
  SourceLocation CallLoc; ///< in the outermost function; invalid there

  using Pointers::Pointers;

  Effects collect(const Stmt *S) const {
    Effects Out;
    EnteredDeep = 0;
    visit(Out, S);
    return Out;
  }

  //===-- Effects -----------------------------------------------------------===//

  void record(Effects &Out, const Expr *Where, RootSet Roots, bool Read, bool Write, QualType Type,
              uint64_t Alignment = 0) const {
    if (!Roots.empty() && all_of(Roots, [&](const MemoryRoot &R) {
          return isOwn(R) || (!R.Decl && R.In == Space::Local);
        }))
      return;
    Access A;
    A.Where = Where;
    A.Loc = CallLoc.isValid() ? CallLoc : Where->getExprLoc();
    A.Roots = std::move(Roots);
    A.Read = Read;
    A.Write = Write;
    A.InCallee = Parent != nullptr;
    if (!Type.isNull() && !Type->isDependentType() && !Type->isIncompleteType() &&
        !Type->isFunctionType() && !Type->isVoidType()) {
      A.Volatile = Type.isVolatileQualified();
      A.Bytes = Context.getTypeSizeInChars(Type).getQuantity();
      A.Alignment = Context.getTypeAlignInChars(Type).getQuantity();
    }
    if (Alignment)
      A.Alignment = Alignment;
    Out.Accesses.push_back(std::move(A));
  }

  void act(Effects &Out, Action::KindType Kind, FunctionKind Function, StringRef Name,
           const Stmt *Where) const {
    Action A;
    A.Kind = Kind;
    A.Function = Function;
    A.Name = Name.str();
    A.Where = Where;
    A.Loc = CallLoc.isValid() ? CallLoc : Where->getBeginLoc();
    A.InCallee = Parent != nullptr;
    A.Result = Function == FunctionKind::Atomic ? Where : nullptr;
    Out.Actions.push_back(std::move(A));
  }

  /// What the call \p E of \p Callee, in which \p A happens, has of its result.
  static void returns(Action &A, const FunctionDecl *Callee, const Expr *E) {
    if (!A.Result)
      return;
    const Stmt *Result = std::exchange(A.Result, nullptr);
    A.ThrownAway = isDiscardedIn(Callee->getBody(), Result);
    forEachLeaf(Callee->getBody(), [&](const Stmt *Leaf) {
      const auto *Return = dyn_cast<ReturnStmt>(Leaf);
      if (Return && Return->getRetValue() && Return->getRetValue()->IgnoreParenCasts() == Result)
        A.Result = E;
    });
  }

  /// Whatever can be reached is read and written: memory, and what is handed over in \p Args.
  void reach(Effects &Out, const Expr *Where, ArrayRef<const Expr *> Args = {}) const {
    RootSet Written = {MemoryRoot()}, Read;
    for (const Expr *Arg : Args) {
      const bool Pointer = Arg->getType()->isPointerType();
      if (!Pointer && !Arg->isGLValue())
        continue;
      const QualType T = Arg->isGLValue() ? Arg->getType() : Arg->getType()->getPointeeType();
      RootSet To = Arg->isGLValue() ? rootsOf(Arg) : pointees(Arg);
      (isConstObject(T) ? Read : Written).insert(To.begin(), To.end());
    }
    record(Out, Where, std::move(Written), true, true, QualType());
    if (!Read.empty())
      record(Out, Where, std::move(Read), true, false, QualType());
  }

  /// A call that cannot be followed.
  void unknown(Effects &Out, const Twine &Name, const Expr *E) const {
    act(Out, Action::UnknownCall, FunctionKind::Unknown, Name.str(), E);
    SmallVector<const Expr *, 8> Args;
    if (const auto *Call = dyn_cast<CallExpr>(E)) {
      Args.assign(Call->arg_begin(), Call->arg_end());
      if (const auto *Member = dyn_cast<CXXMemberCallExpr>(E);
          Member && Member->getImplicitObjectArgument())
        Args.push_back(Member->getImplicitObjectArgument());
    } else if (const auto *Construct = dyn_cast<CXXConstructExpr>(E)) {
      Args.assign(Construct->arg_begin(), Construct->arg_end());
    }
    reach(Out, E, Args);
  }

  //===-- Destructors ---------------------------------------------------------===//

  /// What the destructors of an object of type \p T do.
  void destroy(Effects &Out, QualType T, const Expr *Where, SourceLocation Loc) const {
    const CXXRecordDecl *Record = Context.getBaseElementType(T)->getAsCXXRecordDecl();
    if (!Record || !Record->hasDefinition() || Record->hasTrivialDestructor())
      return;
    const CXXDestructorDecl *Destructor = Record->getDestructor();
    if (Destructor && Destructor->isUserProvided()) {
      const FunctionDecl *Body = inSystemHeader(Destructor) ? nullptr : bodyOf(Destructor);
      if (!Body)
        return reach(Out, Where);
      Effects Ignored; // that it cannot be entered
      std::optional<Impl> Inner = enter(Ignored, Body, Where);
      if (!Inner)
        return reach(Out, Where);
      Inner->CallLoc = CallLoc.isValid() ? CallLoc : Loc;
      Inner->run(Out);
    }
    for (const FieldDecl *Field : Record->fields())
      destroy(Out, Field->getType(), Where, Loc);
    for (const CXXBaseSpecifier &Base : Record->bases())
      destroy(Out, Base.getType(), Where, Loc);
  }

  /// The objects that live as long as \p Var: itself, and temporaries that references are bound to.
  void destroy(Effects &Out, const VarDecl *Var, SourceLocation Loc) const {
    const Expr *Init = Var->getInit();
    if (!Init || !Var->hasLocalStorage())
      return;
    if (!Var->getType()->isReferenceType())
      destroy(Out, Var->getType(), Init, Loc);
    destroyTemporaries(Out, Init, Var, Loc);
  }
  void destroyTemporaries(Effects &Out, const Stmt *S, const VarDecl *Var,
                          SourceLocation Loc) const {
    if (!S || isa<LambdaExpr>(S))
      return;
    if (const auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(S);
        Temporary && Temporary->getExtendingDecl() == Var)
      destroy(Out, Temporary->getType(), Temporary, Loc);
    for (const Stmt *Child : S->children())
      destroyTemporaries(Out, Child, Var, Loc);
  }

  /// At the end of the scope \p S, for what is declared in it.
  void leave(Effects &Out, const Stmt *S) const {
    for (const Stmt *Child : S->children()) {
      while (true) {
        if (const auto *Label = dyn_cast_or_null<LabelStmt>(Child))
          Child = Label->getSubStmt();
        else if (const auto *Case = dyn_cast_or_null<SwitchCase>(Child))
          Child = Case->getSubStmt();
        else
          break;
      }
      if (const auto *Decl = dyn_cast_or_null<DeclStmt>(Child))
        for (const clang::Decl *D : Decl->decls())
          if (const auto *Var = dyn_cast<VarDecl>(D))
            destroy(Out, Var, S->getEndLoc());
    }
  }

  /// The lvalue \p E is read and/or written as a whole.
  void access(Effects &Out, const Expr *E, bool Read, bool Write) const {
    // `p[i].x` says that all of `p[i]` is there, aligned: compilers fuse the components' accesses.
    CharUnits Alignment = CharUnits::One();
    const Expr *Whole = E->IgnoreParens();
    while (const auto *Member = dyn_cast<MemberExpr>(Whole)) {
      if (Member->getMemberDecl()->getType()->isReferenceType())
        break; // it is elsewhere
      Whole = Member->getBase()->IgnoreParens();
      QualType T = Member->isArrow() ? Whole->getType()->getPointeeType() : Whole->getType();
      if (!T.isNull() && !T->isDependentType() && !T->isIncompleteType())
        Alignment = std::max(Alignment, Context.getTypeAlignInChars(T));
      if (Member->isArrow())
        break;
    }
    QualType T = E->getType();
    if (!T->isDependentType() && !T->isIncompleteType() && !T->isFunctionType() && !T->isVoidType())
      Alignment = std::max(Alignment, Context.getTypeAlignInChars(T));
    if (!inNewObject(E))
      record(Out, E, rootsOf(E), Read, Write, T, Alignment.getQuantity());
    visitLValue(Out, E);
  }

  /// A part of the object that is being constructed: a new one, whose making is seen as a whole by
  /// the caller.
  bool inNewObject(const Expr *E) const {
    if (!Parent || !isa<CXXConstructorDecl>(Function))
      return false;
    E = E->IgnoreParens();
    while (true) {
      const auto *Member = dyn_cast<MemberExpr>(E);
      if (Member && Member->getMemberDecl()->getType()->isReferenceType())
        return false;
      if (Member && Member->isArrow())
        return isa<CXXThisExpr>(Member->getBase()->IgnoreParenImpCasts());
      if (Member)
        E = Member->getBase()->IgnoreParens();
      else if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(E);
               Sub && Sub->getBase()->IgnoreParenImpCasts()->getType()->isArrayType())
        E = Sub->getBase()->IgnoreParenImpCasts();
      else
        return false;
    }
  }

  /// Evaluates what is needed to know the place of the lvalue \p E, without an access to it.
  void visitLValue(Effects &Out, const Expr *E) const {
    E = E->IgnoreParens();
    if (isa<DeclRefExpr>(E))
      return;
    if (const auto *Member = dyn_cast<MemberExpr>(E)) {
      const Expr *Base = Member->getBase();
      // The object says where that is which the member refers to.
      if (isa<FieldDecl>(Member->getMemberDecl()) &&
          Member->getMemberDecl()->getType()->isReferenceType() && !inNewObject(Member))
        record(Out, Base, Member->isArrow() ? pointees(Base) : rootsOf(Base), true, false,
               Member->isArrow() ? Base->getType()->getPointeeType() : Base->getType());
      if (Member->isArrow())
        visit(Out, Base);
      else
        visitLValue(Out, Base);
      return;
    }
    if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(E)) {
      visit(Out, Sub->getBase());
      visit(Out, Sub->getIdx());
      return;
    }
    if (const auto *Element = dyn_cast<ExtVectorElementExpr>(E))
      return visitLValue(Out, Element->getBase());
    if (const auto *Op = dyn_cast<UnaryOperator>(E); Op && Op->getOpcode() == UO_Deref)
      return visit(Out, Op->getSubExpr());
    if (const auto *Cast = dyn_cast<CastExpr>(E); Cast && Cast->isGLValue())
      return visitLValue(Out, Cast->getSubExpr());
    visit(Out, E);
  }

  static bool builtin(Effects &Out, const Expr *E) {
    std::optional<BuiltinIndex> B = asBuiltinIndex(E);
    if (!B)
      return false;
    Out.ThreadIndex |= B->Var == BuiltinVar::ThreadIdx;
    return true;
  }

  void visitChildren(Effects &Out, const Stmt *S) const {
    for (const Stmt *Child : S->children())
      if (Child)
        visit(Out, Child);
  }

  void visit(Effects &Out, const Stmt *S) const {
    if (!S)
      return;
    if (const auto *Cast = dyn_cast<CastExpr>(S)) {
      const Expr *Sub = Cast->getSubExpr();
      if (Cast->getCastKind() == CK_LValueToRValue ||
          Cast->getCastKind() == CK_LValueToRValueBitCast) {
        // Reading a constant is no access.
        if (const auto *Ref = dyn_cast<DeclRefExpr>(Sub->IgnoreParens()))
          if (!isa<VarDecl>(Ref->getDecl()) && !isa<BindingDecl>(Ref->getDecl()))
            return;
        if (builtin(Out, Sub))
          return;
        return access(Out, Sub, /*Read=*/true, /*Write=*/false);
      }
      if (Cast->getCastKind() == CK_ArrayToPointerDecay)
        return visitLValue(Out, Sub);
      if (Cast->isGLValue())
        return visitLValue(Out, Cast);
      return visit(Out, Sub);
    }
    if (const auto *Op = dyn_cast<CompoundAssignOperator>(S)) {
      access(Out, Op->getLHS(), true, true);
      return visit(Out, Op->getRHS());
    }
    if (const auto *Op = dyn_cast<BinaryOperator>(S); Op && Op->getOpcode() == BO_Assign) {
      visit(Out, Op->getRHS());
      return access(Out, Op->getLHS(), false, true);
    }
    if (const auto *Op = dyn_cast<UnaryOperator>(S)) {
      if (Op->isIncrementDecrementOp())
        return access(Out, Op->getSubExpr(), true, true);
      if (Op->getOpcode() == UO_AddrOf || Op->getOpcode() == UO_Deref)
        return visitLValue(Out, Op->getOpcode() == UO_AddrOf ? Op->getSubExpr() : Op);
      return visit(Out, Op->getSubExpr());
    }
    if (const auto *If = dyn_cast<IfStmt>(S))
      Out.ConstexprIf |= If->isConstexpr();
    if (isa<MemberExpr>(S) || isa<ArraySubscriptExpr>(S)) // discarded or bound lvalue
      return visitLValue(Out, cast<Expr>(S));
    if (const auto *Construct = dyn_cast<CXXConstructExpr>(S))
      return construct(Out, Construct);
    if (const auto *Inherited = dyn_cast<CXXInheritedCtorInitExpr>(S))
      return inherited(Out, Inherited);
    if (const auto *Call = dyn_cast<CallExpr>(S))
      return call(Out, Call);
    if (const auto *Lambda = dyn_cast<LambdaExpr>(S)) {
      // Creating a closure reads what it copies; its body runs when it is called.
      for (const Expr *Init : Lambda->capture_inits())
        if (Init)
          visit(Out, Init);
      return act(Out, Action::Lambda, FunctionKind::Unknown, "lambda", S);
    }
    if (const auto *Asm = dyn_cast<GCCAsmStmt>(S)) {
      const PtxText Ptx = readPtx(Asm, Context);
      act(Out, Action::Asm, Ptx.Function, "asm", S);
      Out.Actions.back().LikeExpression = isLikeExpression(Asm, Context);
      for (const PtxLoad &Load : Ptx.Loads)
        record(Out, Load.Address,
               Load.Address->getType()->isPointerType() ? pointees(Load.Address)
                                                        : RootSet{MemoryRoot()},
               true, false, QualType(), Load.Bytes);
      if (!Ptx.Understood && Ptx.Memory == PtxMemory::Anything)
        reach(Out, Asm->getAsmStringExpr());
      else if (!Ptx.Understood && Ptx.Memory == PtxMemory::Reads)
        record(Out, Asm->getAsmStringExpr(), {MemoryRoot()}, true, false, QualType());
      for (unsigned I = 0; I < Asm->getNumOutputs(); ++I)
        access(Out, Asm->getOutputExpr(I), Asm->isOutputPlusConstraint(I), true);
      for (unsigned I = 0; I < Asm->getNumInputs(); ++I)
        visit(Out, Asm->getInputExpr(I));
      return;
    }
    if (isa<AsmStmt>(S)) {
      act(Out, Action::UnknownCall, FunctionKind::Unknown, "inline assembly", S);
      return visitChildren(Out, S);
    }
    if (const auto *Bind = dyn_cast<CXXBindTemporaryExpr>(S)) {
      // Its destructor runs at the end of the full expression.
      actOfDestructor(Out, Bind->getType(), "a destructor", S);
      visit(Out, Bind->getSubExpr());
      return destroy(Out, Bind->getType(), Bind, Bind->getEndLoc());
    }
    if (isa<CXXNewExpr>(S) || isa<CXXDeleteExpr>(S) || isa<CXXThrowExpr>(S) || isa<CXXTryStmt>(S)) {
      act(Out, Action::Allocation, FunctionKind::Unknown,
          isa<CXXNewExpr>(S) || isa<CXXDeleteExpr>(S) ? "new or delete" : "exception handling", S);
      if (const auto *E = dyn_cast<Expr>(S))
        reach(Out, E);
      // `new (&tile[i]) float(v)`
      if (const auto *New = dyn_cast<CXXNewExpr>(S);
          New && New->getOperatorNew() &&
          New->getOperatorNew()->isReservedGlobalPlacementOperator()) {
        const QualType T = New->getAllocatedType();
        record(Out, New, pointees(New->getPlacementArg(0)), /*Read=*/false, /*Write=*/true, T,
               Context.getTypeAlignInChars(T).getQuantity());
      }
      return visitChildren(Out, S);
    }
    if (const auto *E = dyn_cast<Expr>(S); E && builtin(Out, E))
      return; // threadIdx.x: a register
    if (isa<StmtExpr>(S) || isa<AtomicExpr>(S) || isa<PseudoObjectExpr>(S)) {
      act(Out, Action::UnknownCall, FunctionKind::Unknown,
          isa<AtomicExpr>(S) ? "an atomic builtin" : "a statement expression", S);
      if (const auto *E = dyn_cast<AtomicExpr>(S))
        reach(Out, E);
      return visitChildren(Out, S);
    }
    if (const auto *Decl = dyn_cast<DeclStmt>(S)) {
      for (const clang::Decl *D : Decl->decls())
        if (const auto *Var = dyn_cast<VarDecl>(D))
          declare(Out, Var);
      return;
    }
    if (isa<UnaryExprOrTypeTraitExpr>(S) || isa<CXXNoexceptExpr>(S)) // not evaluated
      return;
    if (const auto *Default = dyn_cast<CXXDefaultArgExpr>(S))
      return visit(Out, Default->getExpr());
    if (const auto *Init = dyn_cast<CXXDefaultInitExpr>(S))
      return visit(Out, Init->getExpr());
    visitChildren(Out, S);
    if (!isa<Expr>(S))
      leave(Out, S);
  }

  void declare(Effects &Out, const VarDecl *Var) const {
    declareOne(Out, Var);
    if (const auto *Bindings = dyn_cast<DecompositionDecl>(Var))
      for (const BindingDecl *Binding : Bindings->bindings())
        if (const VarDecl *Holding = Binding->getHoldingVar())
          declareOne(Out, Holding); // = get<I>(..)
  }

  /// Unknown, but for that of a cuda::pipeline.
  void actOfDestructor(Effects &Out, QualType T, const std::string &Name, const Stmt *Where) const {
    const CXXRecordDecl *Class = T->getAsCXXRecordDecl();
    const CXXDestructorDecl *Last = Class ? Class->getDestructor() : nullptr;
    const bool OfCopies = Last && classifyFunction(Last, Context) == FunctionKind::AsyncCopy;
    act(Out, OfCopies ? Action::Call : Action::UnknownCall,
        OfCopies ? FunctionKind::AsyncCopy : FunctionKind::Unknown, Name, Where);
  }

  void declareOne(Effects &Out, const VarDecl *Var) const {
    // A static variable of device code has its value when the kernel starts.
    if (Var->hasAttr<CUDASharedAttr>() || Var->isStaticLocal())
      return; // storage only; shared variables have no initialiser that does anything
    if (isLeftByCall(Var, Context)) {
      actOfDestructor(Out, Var->getType(), "the destructor of '" + Var->getNameAsString() + "'",
                      Var->getInit() ? static_cast<const Stmt *>(Var->getInit())
                                     : Function->getBody());
    }
    // Here, too: of the object in the turn before, when a loop goes round.
    destroy(Out, Var, Var->getLocation());
    if (const Expr *Init = Var->getInit()) {
      if (Var->getType()->isReferenceType()) {
        visitLValue(Out, Init);
        return;
      }
      visit(Out, Init);
      if (!Var->getType()->isReferenceType()) {
        Access A;
        A.Where = nullptr;
        record(Out, Init, {{Var, spaceOf(Var)}}, false, true, Var->getType());
      }
    }
  }

  void construct(Effects &Out, const CXXConstructExpr *E) const {
    const CXXConstructorDecl *Ctor = E->getConstructor();
    if (Ctor->isCopyOrMoveConstructor() && E->getNumArgs() >= 1) {
      const Expr *Arg = E->getArg(0);
      if (Ctor->isTrivial() || inSystemHeader(Ctor) || isCudaNumber(Ctor->getParent())) {
        if (Arg->isGLValue() && !isa<MaterializeTemporaryExpr>(Arg->IgnoreParenImpCasts()))
          return access(Out, Arg, true, false);
        return visit(Out, Arg);
      }
    }
    if (Ctor->isTrivial() || (Ctor->isDefaultConstructor() && inSystemHeader(Ctor)))
      return visitChildren(Out, E);
    if (inSystemHeader(Ctor)) {
      // Types of CUDA's headers: constructed from values, nothing else happens.
      for (const Expr *Arg : E->arguments())
        argument(Out, Arg, Ctor, nullptr);
      return;
    }
    if (const FunctionDecl *Body = bodyOf(Ctor)) {
      SmallVector<const Expr *, 4> Args(E->arguments().begin(), E->arguments().end());
      return inlineCall(Out, Body, Args, E, nullptr);
    }
    unknown(Out, "the constructor of '" + Ctor->getParent()->getQualifiedNameAsString() + "'", E);
    visitChildren(Out, E);
  }

  /// `using Base::Base`: the constructor that inherits has the parameters of the one that it calls.
  void inherited(Effects &Out, const CXXInheritedCtorInitExpr *E) const {
    const CXXConstructorDecl *Ctor = E->getConstructor();
    if (Ctor->isTrivial() || inSystemHeader(Ctor))
      return;
    const FunctionDecl *Body = bodyOf(Ctor);
    if (!Body || Body->getNumParams() != Function->getNumParams())
      return unknown(
          Out, "the constructor of '" + Ctor->getParent()->getQualifiedNameAsString() + "'", E);
    if (std::optional<Impl> Inner = enter(Out, Body, E)) {
      for (unsigned I = 0; I < Body->getNumParams(); ++I) {
        const ParmVarDecl *To = Body->getParamDecl(I), *From = Function->getParamDecl(I);
        if (To->getType()->isReferenceType()) {
          auto It = Bound.find(From);
          Inner->Bound[To] = It == Bound.end() ? RootSet{MemoryRoot()} : It->second;
        }
        if (const QualType T = To->getType().getNonReferenceType();
            T->isPointerType() || holdsPointers(T))
          Inner->PointsTo[To] = pointsToOf(From);
      }
      Inner->run(Out);
    }
  }

  bool inSystemHeader(const clang::Decl *D) const {
    return Context.getSourceManager().isInSystemHeader(D->getLocation()) ||
           D->getLocation().isInvalid();
  }

  static const FunctionDecl *bodyOf(const FunctionDecl *F) {
    const FunctionDecl *Definition = nullptr;
    if (F->hasBody(Definition) && !Definition->isDependentContext())
      return Definition;
    return nullptr;
  }

  /// One argument of a function that does nothing but read its arguments (and write through
  /// non-const references).
  void argument(Effects &Out, const Expr *Arg, const FunctionDecl *Callee,
                const ParmVarDecl *Param) const {
    QualType T = Param ? Param->getType() : QualType();
    if (!T.isNull() && T->isReferenceType() && Arg->isGLValue()) {
      bool Const = isConstObject(T.getNonReferenceType()) || T->isRValueReferenceType();
      if (isa<MaterializeTemporaryExpr>(Arg->IgnoreParenImpCasts()))
        return visit(Out, Arg);
      return access(Out, Arg, true, !Const);
    }
    if (Arg->isGLValue() && !isa<MaterializeTemporaryExpr>(Arg->IgnoreParenImpCasts()))
      return access(Out, Arg, true, false);
    visit(Out, Arg);
  }

  void call(Effects &Out, const CallExpr *E) const {
    const FunctionDecl *Callee = E->getDirectCallee();
    if (!Callee) {
      unknown(Out, "a call through a pointer", E);
      return visitChildren(Out, E);
    }
    const auto *Method = dyn_cast<CXXMethodDecl>(Callee);
    const auto *Operator = dyn_cast<CXXOperatorCallExpr>(E);
    const auto *MemberCall = dyn_cast<CXXMemberCallExpr>(E);
    const std::string Name = nameInHeader(Callee);

    // Trivial assignment of a class object: float4, half, ...
    if (Operator && Operator->getOperator() == OO_Equal && Method && Operator->getNumArgs() == 2 &&
        (isTrivialAssignment(Method) ||
         (inSystemHeader(Method) && Method->isCopyAssignmentOperator()))) {
      const Expr *RHS = Operator->getArg(1);
      if (RHS->isGLValue() && !isa<MaterializeTemporaryExpr>(RHS->IgnoreParenImpCasts()))
        access(Out, RHS, true, false);
      else
        visit(Out, RHS);
      return access(Out, Operator->getArg(0), false, true);
    }

    // The implicit object and the explicit arguments, with their parameters.
    const auto [Object, Args] = operandsOf(E);
    const bool ObjectIsPointer = MemberCall && Object && Object->getType()->isPointerType();

    if (Method && Method->isVirtual()) {
      unknown(Out, "the virtual function '" + Name + "'", E);
      return visitChildren(Out, E);
    }

    // A lambda: its body reads and writes the captured variables themselves.
    if (Method && Method->getParent()->isLambda()) {
      if (const FunctionDecl *Body = bodyOf(Callee)) {
        closure(Out, Object, ObjectIsPointer);
        return inlineCall(Out, Body, Args, E, nullptr);
      }
    }

    FunctionKind Kind = classifyCall(Callee, Args, Context);
    // `__builtin_inff` of INFINITY, `__builtin_expect`: Clang knows that they only compute.
    if (unsigned Builtin = Callee->getBuiltinID();
        Kind == FunctionKind::Unknown && Builtin && Context.BuiltinInfo.isConst(Builtin))
      Kind = FunctionKind::Pure;
    if (Kind == FunctionKind::Unknown && inSystemHeader(Callee)) {
      // Overloaded operators, conversions and accessors of CUDA's own value types.
      bool ByValue = Callee->isOverloadedOperator() || isa<CXXConversionDecl>(Callee);
      if (ByValue && onlyNumbers(Callee))
        Kind = FunctionKind::Pure;
    }
    // `std::numeric_limits<float>::max()`
    if (Kind == FunctionKind::Unknown && isConstant(E, Callee))
      Kind = FunctionKind::Pure;
    if (Kind != FunctionKind::Unknown)
      return knownCall(Out, E, Callee, Kind, Object, ObjectIsPointer, Args, Name);

    if (const FunctionDecl *Body = bodyOf(Callee);
        Body && (!inSystemHeader(Callee) || isOfStdArray(Method))) {
      if (Object && !ObjectIsPointer) {
        // The method may change its object. A part of it that it returns is seen where that is
        // changed.
        const size_t Before = Out.Accesses.size();
        const bool MayChange = !Method || useOf(Method) == ObjectUse::MayChange;
        access(Out, Object, true, MayChange);
        // Of one that is not const the author says that it may.
        if (MayChange && Method && Method->isConst() && Out.Accesses.size() > Before &&
            Out.Accesses[Before].Where == Object)
          Out.Accesses[Before].Doubted = Method;
      } else if (Object) {
        visit(Out, Object);
      }
      return inlineCall(Out, Body, Args, E, Object);
    }
    unknown(Out, "the function '" + Name + "'", E);
    visitChildren(Out, E);
  }

  /// Of a header's function, the language says what it returns: a number, and it does nothing else.
  bool isConstant(const CallExpr *E, const FunctionDecl *Callee) const {
    Expr::EvalResult Value;
    return Callee->isConstexpr() && inSystemHeader(Callee) && E->getType()->isArithmeticType() &&
           !E->isValueDependent() && !E->containsErrors() && E->EvaluateAsRValue(Value, Context) &&
           !Value.HasSideEffects && (Value.Val.isInt() || Value.Val.isFloat());
  }

  /// `strides[1]` of a std::array: its functions are one line each, and get to the elements alone.
  static bool isOfStdArray(const CXXMethodDecl *Method) {
    const CXXRecordDecl *Class = Method ? Method->getParent() : nullptr;
    return Class && Class->isInStdNamespace() && Class->getIdentifier() &&
           (Class->getName() == "array" || Class->getName() == "__array_traits");
  }

  /// The closure that is called: `f`, `make(n++)`, `[v = n++] { .. }`.
  void closure(Effects &Out, const Expr *Object, bool IsPointer) const {
    if (!Object)
      return;
    const Expr *Inner = Object->IgnoreParenImpCasts();
    while (true) {
      if (const auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(Inner))
        Inner = Temporary->getSubExpr()->IgnoreParenImpCasts();
      else if (const auto *Bound = dyn_cast<CXXBindTemporaryExpr>(Inner))
        Inner = Bound->getSubExpr()->IgnoreParenImpCasts();
      else
        break;
    }
    // Made, called and gone.
    if (const auto *Lambda = dyn_cast<LambdaExpr>(Inner)) {
      for (const Expr *Init : Lambda->capture_inits())
        if (Init)
          visit(Out, Init);
      return;
    }
    if (IsPointer || !Object->isGLValue())
      visit(Out, Object);
    else
      visitLValue(Out, Object);
  }

  /// The operator computes with numbers: of the language, or of CUDA's types, which are in no
  /// namespace
  /// (`__half2`, `float4`), or complex. `cuda::atomic_ref` has operators as well.
  bool onlyNumbers(const FunctionDecl *Callee) const {
    auto Number = [](const CXXRecordDecl *Record) {
      return !Record || Record->getDeclContext()->getRedeclContext()->isTranslationUnit() ||
             Record->getName() == "complex" || Record->getName() == "fragment";
    };
    const auto *Method = dyn_cast<CXXMethodDecl>(Callee);
    return (!Method || Number(Method->getParent())) &&
           all_of(Callee->parameters(), [&](const ParmVarDecl *P) {
             return Number(P->getType().getNonReferenceType()->getAsCXXRecordDecl());
           });
  }

  /// `h = 1.0f` of a half: of one of CUDA's numbers nothing is left.
  static bool isPlainAssignment(const FunctionDecl *Callee) {
    const auto *Method = dyn_cast<CXXMethodDecl>(Callee);
    return Method && Method->getOverloadedOperator() == OO_Equal &&
           isCudaNumber(Method->getParent());
  }

  void knownCall(Effects &Out, const CallExpr *E, const FunctionDecl *Callee, FunctionKind Kind,
                 const Expr *Object, bool ObjectIsPointer, ArrayRef<const Expr *> Args,
                 StringRef Name) const {
    act(Out, Action::Call, Kind, Name, E);
    if (StringRef Register = Name; Register.contains("read_ptx_sreg_")) {
      // Special registers that are the same for the whole block.
      Register = Register.substr(Register.find("read_ptx_sreg_") + strlen("read_ptx_sreg_"));
      Out.ThreadIndex |=
          Register != "warpsize" && none_of(ArrayRef<StringRef>{"ctaid_", "nctaid_", "ntid_"},
                                            [&](StringRef P) { return Register.starts_with(P); });
    }
    if (Name.contains("rank") || Name.contains("thread_index") || Name.contains("laneid"))
      Out.ThreadIndex = true;
    if (Object) {
      const auto *Method = dyn_cast<CXXMethodDecl>(Callee);
      bool Const = Method && Method->isConst() && !Method->getParent()->hasMutableFields();
      if (ObjectIsPointer)
        visit(Out, Object);
      else if (Object->isGLValue() && !isa<MaterializeTemporaryExpr>(Object->IgnoreParenImpCasts()))
        access(Out, Object, /*Read=*/!isPlainAssignment(Callee), !Const);
      else
        visit(Out, Object);
    }
    // wmma's fragments are read and written through references.
    int PointerArg = -1;
    bool Reads = false, Writes = false;
    uint64_t Alignment = 0;
    switch (Kind) {
    case FunctionKind::LoadPointer:
      PointerArg = 0, Reads = true;
      break;
    case FunctionKind::LoadTexture:
      // "Any texture fetch to an address that has been written via a global or surface write in the
      // same kernel call returns undefined data" (CUDA programming guide, texture memory).
      record(Out, E, {{nullptr, Space::Texture}}, /*Read=*/true, /*Write=*/false, E->getType());
      break;
    case FunctionKind::StorePointer:
      PointerArg = 0, Writes = true;
      break;
    case FunctionKind::Atomic:
      PointerArg = 0, Reads = Writes = true;
      break;
    case FunctionKind::FragmentLoad:
      // "a 256-bit aligned pointer" (CUDA programming guide, warp matrix functions).
      PointerArg = 1, Reads = true, Alignment = 32;
      break;
    case FunctionKind::FragmentStore:
      PointerArg = 0, Writes = true, Alignment = 32;
      break;
    default:
      break;
    }
    if (Kind == FunctionKind::MemoryCopy) {
      // So many bytes of what the pointers point into.
      record(Out, Args[0], pointees(Args[0]), false, true, QualType());
      record(Out, Args[1], pointees(Args[1]), true, false, QualType());
      return visitChildren(Out, E);
    }
    for (unsigned I = 0; I < Args.size(); ++I) {
      const ParmVarDecl *Param = I < Callee->getNumParams() ? Callee->getParamDecl(I) : nullptr;
      if (int(I) == PointerArg) {
        QualType Pointee =
            Args[I]->getType()->isPointerType() ? Args[I]->getType()->getPointeeType() : QualType();
        const size_t Since = Out.Accesses.size();
        record(Out, Args[I], pointees(Args[I]), Reads, Writes, Pointee, Alignment);
        for (Access &A : MutableArrayRef(Out.Accesses).drop_front(Since))
          A.Lasting = Kind == FunctionKind::LoadPointer && Name == "__ldg";
        visit(Out, Args[I]);
        continue;
      }
      // What is reduced is taken by a reference of any kind.
      if (Kind == FunctionKind::Warp && Name.ends_with("::reduce") && Args[I]->isGLValue() &&
          !isa<MaterializeTemporaryExpr>(Args[I]->IgnoreParenImpCasts()))
        access(Out, Args[I], /*Read=*/true, /*Write=*/false);
      else
        argument(Out, Args[I], Callee, Param);
      // A known function that takes a pointer we have no entry for.
      if ((Kind == FunctionKind::Pure || Kind == FunctionKind::SeveralResults ||
           Kind == FunctionKind::Warp || Kind == FunctionKind::AsyncCopy) &&
          Args[I]->getType()->isPointerType() && !StringRef(Name).starts_with("__cvta") &&
          !StringRef(Name).starts_with("__builtin"))
        record(Out, Args[I], pointees(Args[I]), true, true, QualType());
    }
  }

  /// Called by itself, it does what it does: nothing that it touches hangs on its arguments.
  static bool takesNumbersAlone(const FunctionDecl *Callee) {
    const auto *Method = dyn_cast<CXXMethodDecl>(Callee);
    const auto IsNumber = [](QualType T) {
      return T->isArithmeticType() || T->isEnumeralType() || T->isVoidType();
    };
    return (!Method || Method->isStatic()) && !Callee->isVariadic() &&
           IsNumber(Callee->getReturnType()) &&
           all_of(Callee->parameters(),
                  [&](const ParmVarDecl *P) { return IsNumber(P->getType()); });
  }

  /// The collector of the function \p Callee, which is called here; none if that goes too deep.
  std::optional<Impl> enter(Effects &Out, const FunctionDecl *Callee, const Expr *E) const {
    const auto *CalledMethod = dyn_cast<CXXMethodDecl>(Callee);
    Out.UserCalls |= !CalledMethod || !CalledMethod->getParent()->isLambda();
    if (!mayEnter(Callee)) {
      if (isRunning(Callee) && takesNumbersAlone(Callee))
        return std::nullopt;
      unknown(Out,
              "the function '" + Callee->getQualifiedNameAsString() +
                  "' (recursive or nested too deeply)",
              E);
      return std::nullopt;
    }
    std::optional<Impl> Inner(std::in_place, Context, Callee, this);
    // A new object, whose making is seen as a whole: what its methods write in it is a part of
    // that.
    if (isa<CXXConstructorDecl>(Callee))
      Inner->This = RootSet{{nullptr, Space::Local}};
    Inner->CallLoc = CallLoc.isValid() ? CallLoc : E->getExprLoc();
    return Inner;
  }

  /// What the function does that was entered.
  void run(Effects &Out) {
    compute();
    if (const auto *Ctor = dyn_cast<CXXConstructorDecl>(Function))
      for (const CXXCtorInitializer *Init : Ctor->inits())
        visit(Out, Init->getInit());
    visit(Out, Function->getBody());
  }

  void inlineCall(Effects &Out, const FunctionDecl *Callee, ArrayRef<const Expr *> Args,
                  const Expr *E, const Expr *Object) const {
    std::optional<Impl> Inner = enter(Out, Callee, E);
    if (Inner)
      bindArguments(*Inner, Args, Object);
    for (unsigned I = 0; I < Args.size(); ++I) {
      const Expr *Arg = Args[I];
      const ParmVarDecl *Param = I < Callee->getNumParams() ? Callee->getParamDecl(I) : nullptr;
      if (Param && Param->getType()->isReferenceType() && Arg->isGLValue() &&
          !isa<MaterializeTemporaryExpr>(Arg->IgnoreParenImpCasts()))
        visitLValue(Out, Arg);
      else
        visit(Out, Arg);
    }
    const size_t Before = Out.Actions.size();
    if (Inner)
      Inner->run(Out);
    for (Action &A : MutableArrayRef(Out.Actions).drop_front(Before))
      returns(A, Callee, E);
  }
};

EffectCollector::EffectCollector(ASTContext &Context, const FunctionDecl *Function,
                                 CallSites *Calls, const GivenObjects *Given,
                                 DeclMap<VarDecl, MemoryRoot> Known)
    : P(std::make_unique<Impl>(Context, Function)) {
  if (!Known.empty())
    P->say(std::move(Known));
  if (Calls)
    P->askCallers(*Calls, 0, Given);
  P->compute();
}
EffectCollector::~EffectCollector() = default;

bool Action::isDiscardedIn(const Stmt *S) const {
  return ThrownAway || (Result && cuda_pipeline::isDiscardedIn(S, Result));
}

Effects EffectCollector::collect(const Stmt *S) const { return P->collect(S); }
RootSet EffectCollector::pointsTo(const ValueDecl *Var) const { return P->pointsToOf(Var); }
RootSet EffectCollector::rootsOf(const Expr *E) const { return P->rootsOf(E); }
RootSet EffectCollector::pointees(const Expr *E) const { return P->pointees(E); }

RootSet rootsAt(const EffectCollector &Collector, const Expr *Where) {
  return Where->isGLValue() ? Collector.rootsOf(Where) : Collector.pointees(Where);
}

} // namespace cuda_pipeline
