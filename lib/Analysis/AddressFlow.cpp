//===- AddressFlow.cpp - Where the address of a tile goes ------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AddressFlow.h"
#include "../Model/AstUtil.h"
#include "../Model/KnownFunctions.h"
#include "../Model/PtxText.h"
#include "cuda-pipeline/DeclSet.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <set>

using namespace clang;
using llvm::any_of;

namespace cuda_pipeline {
namespace {

/// A value of the type can be a pointer that was stored as one.
bool mayContainPointer(QualType T) {
  T = T.getCanonicalType();
  if (T->isPointerType() || T->isReferenceType() || T->isDependentType())
    return true;
  if (const auto *Array = T->getAsArrayTypeUnsafe())
    return mayContainPointer(Array->getElementType());
  if (const CXXRecordDecl *Record = T->getAsCXXRecordDecl(); Record && Record->hasDefinition())
    return any_of(Record->fields(),
                  [](const FieldDecl *F) { return mayContainPointer(F->getType()); }) ||
           any_of(Record->bases(),
                  [](const CXXBaseSpecifier &B) { return mayContainPointer(B.getType()); });
  return false;
}

class Flow : ConstDynamicRecursiveASTVisitor {
public:
  Flow(const VarDecl *Tile, llvm::function_ref<bool(const VarDecl *)> Own,
       const FunctionDecl *Function, const ASTContext &Context, FlowTrace *Trace)
      : Own(Own), Function(Function), Context(Context), Trace(Trace) {
    ShouldVisitImplicitCode = true;
    Places.insert(Tile);
  }

  KeptAddress run(llvm::ArrayRef<const Stmt *> Statements) {
    do {
      Changed = false;
      Current = nullptr;
      for (const Stmt *S : Statements)
        TraverseStmt(S);
      for (size_t I = 0; I < Reached.size(); ++I) {
        Current = Reached[I];
        if (const auto *Ctor = dyn_cast<CXXConstructorDecl>(Current))
          for (const CXXCtorInitializer *Init : Ctor->inits())
            TraverseStmt(Init->getInit());
        TraverseStmt(Current->getBody());
      }
    } while (Changed && Found.isInvalid());
    return {Found, AsNumber};
  }

private:
  const llvm::function_ref<bool(const VarDecl *)> Own;
  const FunctionDecl *Function;
  const ASTContext &Context;
  FlowTrace *const Trace;
  DeclSet<ValueDecl> Places;  ///< the tile, and references into it
  DeclSet<ValueDecl> Holders; ///< variables whose value may be made of the address
  DeclSet<FunctionDecl> ReturnPlace, ReturnHolder, ThisIsPlace, ThisHolds;
  std::vector<const FunctionDecl *> Reached;
  DeclMap<FunctionDecl, SourceLocation> From; ///< where the loop's text calls them
  const FunctionDecl *Current = nullptr;      ///< null: the text of the loop
  std::set<const Expr *> Elements;            ///< arrays of which one element is named
  bool Changed = false;
  SourceLocation Found;
  bool AsNumber = false;

  // All that is asked of these sets, and all that is added, goes by way of these two.
  template <typename T> bool in(const DeclSet<T> &Set, const T *Item) {
    if (Trace && Item)
      Trace->Asked.insert(Item);
    return Set.count(Item) != 0;
  }
  template <typename T> void add(DeclSet<T> &Set, const T *Item) {
    if (Trace)
      Trace->Asked.insert(Item);
    if (!Set.insert(Item).second)
      return;
    Changed = true;
    if (Trace)
      Trace->Added.insert(Item);
  }

  void looksAt(const Expr *Where) {
    AsNumber |= Found.isInvalid();
    keep(Where);
  }
  void keep(const Expr *Where) {
    if (Found.isInvalid())
      Found = Current ? From[Current] : Where->getExprLoc();
  }

  //===-- Expressions ---------------------------------------------------------===//

  static const Expr *strip(const Expr *E) {
    while (true) {
      E = E->IgnoreParens();
      if (const auto *Full = dyn_cast<FullExpr>(E))
        E = Full->getSubExpr();
      else if (const auto *Bind = dyn_cast<CXXBindTemporaryExpr>(E))
        E = Bind->getSubExpr();
      else if (const auto *Temp = dyn_cast<MaterializeTemporaryExpr>(E))
        E = Temp->getSubExpr();
      else if (const auto *Sub = dyn_cast<SubstNonTypeTemplateParmExpr>(E))
        E = Sub->getReplacement();
      else if (const auto *Default = dyn_cast<CXXDefaultArgExpr>(E))
        E = Default->getExpr();
      else if (const auto *Init = dyn_cast<CXXDefaultInitExpr>(E))
        E = Init->getExpr();
      else if (const auto *Opaque = dyn_cast<OpaqueValueExpr>(E); Opaque && Opaque->getSourceExpr())
        E = Opaque->getSourceExpr(); // the array that is copied, element by element
      else
        return E;
    }
  }

  /// The array of `array[i]`; null when it is a pointer's element.
  static const Expr *arrayOf(const ArraySubscriptExpr *Sub) {
    const auto *Decay = dyn_cast<ImplicitCastExpr>(Sub->getBase()->IgnoreParens());
    return Decay && Decay->getCastKind() == CK_ArrayToPointerDecay ? Decay->getSubExpr() : nullptr;
  }

  /// The expressions next below \p S; a statement expression has statements in between.
  template <typename Fn> static bool anyChild(const Stmt *S, Fn Is) {
    return any_of(S->children(), [&](const Stmt *Child) {
      const auto *Sub = dyn_cast_or_null<Expr>(Child);
      return Sub ? Is(Sub) : Child && anyChild(Child, Is);
    });
  }

  /// The lvalue is in the tile.
  bool place(const Expr *E) {
    E = strip(E);
    if (!E->isGLValue())
      return false;
    if (const auto *Ref = dyn_cast<DeclRefExpr>(E)) {
      const auto *Binding = dyn_cast<BindingDecl>(Ref->getDecl());
      return in(Places, static_cast<const ValueDecl *>(Ref->getDecl())) ||
             (Binding && Binding->getBinding() && place(Binding->getBinding()));
    }
    if (const auto *Member = dyn_cast<MemberExpr>(E)) {
      if (Member->getMemberDecl()->getType()->isReferenceType())
        return holds(Member->getBase());
      if (Member->isArrow() && isThis(Member->getBase()))
        return in(ThisIsPlace, Current);
      return Member->isArrow() ? holds(Member->getBase()) : place(Member->getBase());
    }
    if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(E))
      return arrayOf(Sub) ? place(arrayOf(Sub)) : holds(Sub->getBase());
    if (const auto *Op = dyn_cast<UnaryOperator>(E); Op && Op->getOpcode() == UO_Deref)
      return isThis(Op->getSubExpr()) ? in(ThisIsPlace, Current) : holds(Op->getSubExpr());
    if (const auto *Op = dyn_cast<BinaryOperator>(E))
      return place(Op->isAssignmentOp() ? Op->getLHS() : Op->getRHS());
    if (const auto *Cond = dyn_cast<ConditionalOperator>(E))
      return place(Cond->getTrueExpr()) || place(Cond->getFalseExpr());
    if (const auto *Call = dyn_cast<CallExpr>(E))
      return returns(Call, ReturnPlace);
    return anyChild(
        E, [&](const Expr *Sub) { return place(Sub) || (!Sub->isGLValue() && holds(Sub)); });
  }

  static bool isThis(const Expr *E) { return isa<CXXThisExpr>(E->IgnoreParenImpCasts()); }

  /// The value of \p E, or of the object that it denotes, may be made of the address.
  bool holds(const Expr *E) {
    E = strip(E);
    if (const auto *Ref = dyn_cast<DeclRefExpr>(E)) {
      const auto *Binding = dyn_cast<BindingDecl>(Ref->getDecl());
      return in(Holders, static_cast<const ValueDecl *>(Ref->getDecl())) ||
             (Binding && Binding->getBinding() && holds(Binding->getBinding()));
    }
    if (isa<CXXThisExpr>(E))
      return in(ThisIsPlace, Current) || in(ThisHolds, Current);
    if (const auto *Member = dyn_cast<MemberExpr>(E)) {
      if (Member->isArrow() && isThis(Member->getBase()))
        return in(ThisHolds, Current);
      return Member->isArrow() ? holdsThrough(Member->getBase(), E->getType())
                               : holds(Member->getBase());
    }
    if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(E))
      return arrayOf(Sub) ? holds(arrayOf(Sub)) : holdsThrough(Sub->getBase(), E->getType());
    if (const auto *Op = dyn_cast<UnaryOperator>(E))
      switch (Op->getOpcode()) {
      case UO_Deref:
        return isThis(Op->getSubExpr()) ? in(ThisHolds, Current)
                                        : holdsThrough(Op->getSubExpr(), E->getType());
      case UO_AddrOf:
        return place(Op->getSubExpr()) || holds(Op->getSubExpr());
      case UO_LNot:
        return false;
      default:
        return holds(Op->getSubExpr());
      }
    if (const auto *Op = dyn_cast<BinaryOperator>(E)) {
      if (Op->isComparisonOp() || Op->isLogicalOp())
        return false;
      if (Op->getOpcode() == BO_Comma)
        return holds(Op->getRHS());
      bool Left = holds(Op->getLHS()), Right = holds(Op->getRHS());
      // How far apart two elements are.
      if (Op->getOpcode() == BO_Sub && Op->getLHS()->getType()->isPointerType() &&
          Op->getRHS()->getType()->isPointerType() && Left && Right)
        return false;
      return Left || Right;
    }
    if (const auto *Cond = dyn_cast<ConditionalOperator>(E))
      return holds(Cond->getTrueExpr()) || holds(Cond->getFalseExpr());
    if (const auto *Cast = dyn_cast<CastExpr>(E)) {
      const Expr *Sub = Cast->getSubExpr();
      switch (Cast->getCastKind()) {
      case CK_PointerToBoolean:
      case CK_IntegralToBoolean:
      case CK_FloatingToBoolean:
      case CK_ToVoid:
        return false;
      case CK_LValueToRValue:
        return loads(Sub);
      case CK_ArrayToPointerDecay:
        return place(Sub) || holds(Sub);
      default:
        return holds(Sub);
      }
    }
    if (const auto *Call = dyn_cast<CallExpr>(E))
      return returns(Call, ReturnHolder);
    if (const auto *Construct = dyn_cast<CXXConstructExpr>(E)) {
      bool Copies = Construct->getConstructor()->isCopyOrMoveConstructor();
      return any_of(Construct->arguments(), [&](const Expr *Arg) {
        return Copies && Arg->isGLValue()
                   ? loads(Arg)
                   : holds(Arg) || (place(Arg) && mayContainPointer(E->getType()));
      });
    }
    if (const auto *Lambda = dyn_cast<LambdaExpr>(E))
      return any_of(Lambda->capture_inits(),
                    [&](const Expr *Init) { return Init && (holds(Init) || place(Init)); });
    if (const auto *List = dyn_cast<InitListExpr>(E)) {
      const InitListExpr *Elements =
          List->isSemanticForm() || !List->getSemanticForm() ? List : List->getSemanticForm();
      return any_of(Elements->inits(),
                    [&](const Expr *Init) { return holds(Init) || place(Init); });
    }
    if (isa<UnaryExprOrTypeTraitExpr>(E) || isa<CXXNoexceptExpr>(E))
      return false;
    return anyChild(E, [&](const Expr *Sub) { return holds(Sub) || place(Sub); });
  }

  /// What is loaded from the place \p E.
  bool loads(const Expr *E) { return holds(E) || (place(E) && mayContainPointer(E->getType())); }

  /// An object of the type \p T that the pointer \p E points to: in the tile, or where a pointer
  /// into it is.
  bool holdsThrough(const Expr *E, QualType T) { return holds(E) && mayContainPointer(T); }

  //===-- Calls -----------------------------------------------------------------===//

  static const FunctionDecl *bodyOf(const FunctionDecl *Callee) {
    const FunctionDecl *Body = nullptr;
    return Callee && Callee->hasBody(Body) && !Body->isDependentContext() ? Body : nullptr;
  }
  FunctionKind kindOf(const FunctionDecl *Callee) const {
    return Callee ? classifyFunction(Callee, Context) : FunctionKind::Unknown;
  }

  bool given(const Expr *Arg) { return Arg && (holds(Arg) || place(Arg)); }

  /// The call returns what \p Set says of its callee, and was given the address.
  bool returns(const CallExpr *Call, const DeclSet<FunctionDecl> &Set) {
    const auto [Object, Args] = operandsOf(Call);
    const FunctionDecl *Callee = Call->getDirectCallee();
    auto Given = [&, Object = Object, &Args = Args] {
      return given(Object) || any_of(Args, [&](const Expr *Arg) { return given(Arg); });
    };
    const FunctionKind Kind = kindOf(Callee);
    switch (Kind) {
    case FunctionKind::Unknown:
      break;
    case FunctionKind::Pure:
    case FunctionKind::SeveralResults:
    case FunctionKind::Warp:
      // `__cvta_*` and arithmetic on numbers; the smaller of two elements is a place of them.
      return any_of(Args, [&](const Expr *Arg) {
        return holds(Arg) || (Call->isGLValue() && &Set == &ReturnPlace && place(Arg));
      });
    default:
      return false; // loads, or nothing
    }
    // The library makes no number of where a referenced object is: `a + S[i]` of two `__half`.
    if (Callee && isLibraryFunction(Callee, Context) && !Call->isGLValue() &&
        !mayContainPointer(Call->getType()))
      return (Object && holds(Object)) || any_of(Args, [&](const Expr *Arg) { return holds(Arg); });
    const FunctionDecl *Body = bodyOf(Callee);
    if (!Body || isLibraryFunction(Callee, Context))
      return Given();
    if (!in(Set, Body))
      return false;
    // A closure knows the tile by what it has captured.
    const auto *Method = dyn_cast<CXXMethodDecl>(Body);
    return (Method && Method->getParent()->isLambda()) || Given();
  }

  /// What is not looked into may keep what it is given.
  bool keepsUnseen(const FunctionDecl *Callee, const Expr *Object,
                   llvm::ArrayRef<const Expr *> Args) {
    const FunctionKind Kind = kindOf(Callee);
    if (Kind != FunctionKind::Unknown)
      return Kind == FunctionKind::Print &&
             any_of(Args, [&](const Expr *Arg) { return holds(Arg); });
    if (!Callee || !isLibraryFunction(Callee, Context))
      return given(Object) || any_of(Args, [&](const Expr *Arg) { return given(Arg); });
    // The library makes nothing of where a referenced object is, and these look at the bytes alone.
    const llvm::StringRef Name = Callee->getIdentifier() ? Callee->getName() : "";
    const bool Bytes = Name.contains("memcpy") || Name.contains("memmove") ||
                       Name.contains("memset") || Name.contains("memcmp");
    if (Bytes || (Callee->getBuiltinID() && Context.BuiltinInfo.isConst(Callee->getBuiltinID())) ||
        Name.starts_with("__builtin_assume"))
      return false;
    return (Object && holds(Object)) || any_of(Args, [&](const Expr *Arg) { return holds(Arg); });
  }

  void call(const FunctionDecl *Callee, const Expr *Object, llvm::ArrayRef<const Expr *> Args,
            const Expr *Where) {
    const FunctionDecl *Body = bodyOf(Callee);
    const auto *Method = dyn_cast_or_null<CXXMethodDecl>(Callee);
    const auto *Ctor = dyn_cast_or_null<CXXConstructorDecl>(Callee);
    if (!Body || isLibraryFunction(Callee, Context) || (Method && Method->isVirtual()) ||
        (Ctor && Ctor->isInheritingConstructor())) {
      if (!(Ctor && (Ctor->isTrivial() || isLibraryFunction(Callee, Context))) &&
          keepsUnseen(Callee, Object, Args))
        keep(Where);
      return;
    }
    if (From.try_emplace(Body, Current ? From[Current] : Where->getExprLoc()).second) {
      Reached.push_back(Body);
      Changed = true;
      if (Trace)
        Trace->Reached.insert(Body);
    }
    for (unsigned I = 0; I < Args.size() && I < Body->getNumParams(); ++I)
      bind(Body->getParamDecl(I), Args[I]);
    if (!Object)
      return;
    const bool Pointer = Object->getType()->isPointerType();
    if (isThis(Object) ? in(ThisIsPlace, Current) : Pointer ? holds(Object) : place(Object))
      add(ThisIsPlace, Body);
    if (isThis(Object) ? in(ThisHolds, Current) : holds(Object))
      add(ThisHolds, Body);
  }

  void bind(const ValueDecl *Var, const Expr *Value) {
    if (Var->getType()->isReferenceType() && place(Value))
      add(Places, Var);
    if (holds(Value))
      add(Holders, Var);
  }

  //===-- What is kept ----------------------------------------------------------===//

  /// A variable of one turn of the loop, or of one call.
  bool isShortLived(const VarDecl *Var) const {
    return Var->hasLocalStorage() && !Var->isInitCapture() &&
           (Var->getDeclContext() != static_cast<const DeclContext *>(Function) || Own(Var));
  }

  void store(const Expr *Place, const Expr *Where) {
    const Expr *E = strip(Place);
    while (true) {
      E = strip(E->IgnoreParenImpCasts());
      if (const auto *Member = dyn_cast<MemberExpr>(E); Member && !Member->isArrow())
        E = Member->getBase();
      else if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(E); Sub && arrayOf(Sub))
        E = arrayOf(Sub);
      else
        break;
    }
    if (const auto *Member = dyn_cast<MemberExpr>(E);
        Member && isThis(Member->getBase()) && isa_and_nonnull<CXXConstructorDecl>(Current))
      return; // the object holds what its constructor was given
    const auto *Ref = dyn_cast<DeclRefExpr>(E);
    const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
    if (!Var)
      return keep(Where);
    if (Var->getType()->isReferenceType()) {
      if (isa<ParmVarDecl>(Var) || !Var->hasInit() || !isShortLived(Var))
        return keep(Where);
      add(Holders, static_cast<const ValueDecl *>(Var));
      return store(Var->getInit(), Where);
    }
    if (!isShortLived(Var))
      return keep(Where);
    add(Holders, static_cast<const ValueDecl *>(Var));
  }

  bool TraverseLambdaExpr(const LambdaExpr *Lambda) override {
    for (const LambdaCapture &C : Lambda->captures())
      if (C.capturesVariable() && C.getCapturedVar()->isInitCapture())
        if (const auto *Var = dyn_cast<VarDecl>(C.getCapturedVar()); Var && Var->getInit())
          bind(Var, Var->getInit());
    for (const Expr *Init : Lambda->capture_inits())
      if (Init)
        TraverseStmt(Init);
    return true; // its body is looked at when it is called
  }
  bool VisitVarDecl(const VarDecl *Var) override {
    if (!Var->hasInit() || isa<ParmVarDecl>(Var))
      return true;
    bind(Var, Var->getInit());
    if (given(Var->getInit()) && !isShortLived(Var))
      keep(Var->getInit());
    if (in(Holders, static_cast<const ValueDecl *>(Var)))
      destroyed(Var->getType(), Var->getInit());
    return true;
  }
  /// What the destructor of an object does with what that holds is not followed.
  void destroyed(QualType T, const Expr *Where) {
    const CXXRecordDecl *Record = Context.getBaseElementType(T)->getAsCXXRecordDecl();
    Record = Record ? Record->getDefinition() : nullptr;
    if (Record && !Record->hasTrivialDestructor())
      keep(Where);
  }
  bool VisitCXXBindTemporaryExpr(const CXXBindTemporaryExpr *Bind) override {
    if (holds(Bind->getSubExpr()))
      destroyed(Bind->getType(), Bind);
    return true;
  }
  bool VisitCXXNewExpr(const CXXNewExpr *New) override {
    if (New->getInitializer() && given(New->getInitializer()))
      keep(New);
    return true;
  }
  bool VisitAtomicExpr(const AtomicExpr *Atomic) override {
    for (unsigned I = 1; I < Atomic->getNumSubExprs(); ++I)
      if (holds(Atomic->getSubExprs()[I]))
        keep(Atomic);
    return true;
  }

  //===-- What is made of the number --------------------------------------------===//

  // Another stage has another address. As an address it may be moved, and compared with what is
  // moved along; whatever else looks at its bits sees another number.

  bool number(const Expr *E) { return E->getType()->isIntegralOrEnumerationType() && holds(E); }

  bool VisitBinaryOperator(const BinaryOperator *Op) override {
    const Expr *L = Op->getLHS(), *R = Op->getRHS();
    if (Op->isAssignmentOp() && holds(R))
      store(L, Op);
    if (Op->isComparisonOp()) {
      const bool Left = holds(L), Right = holds(R);
      const Expr *Other = Left ? R : L;
      const bool Null = Other->isNullPointerConstant(const_cast<ASTContext &>(Context),
                                                     Expr::NPC_ValueDependentIsNotNull) &&
                        (Left ? L : R)->getType()->isPointerType();
      if (Left != Right && !Null)
        looksAt(Op);
    } else if (Op->isMultiplicativeOp() || Op->isShiftOp() || Op->isBitwiseOp() ||
               (Op->isCompoundAssignmentOp() && Op->getOpcode() != BO_AddAssign &&
                Op->getOpcode() != BO_SubAssign)) {
      if (number(L) || number(R))
        looksAt(Op);
    } else if ((Op->isAdditiveOp() || Op->isCompoundAssignmentOp()) &&
               L->getType()->isPointerType() != R->getType()->isPointerType()) {
      if (number(L->getType()->isPointerType() ? R : L))
        looksAt(Op);
    }
    return true;
  }
  bool VisitArraySubscriptExpr(const ArraySubscriptExpr *Sub) override {
    Elements.insert(Sub->getBase()->IgnoreParens());
    if (number(Sub->getIdx()))
      looksAt(Sub);
    return true;
  }
  /// A pointer to something that has pointers in it.
  static bool leadsToPointers(const Expr *E) {
    return E->getType()->isPointerType() && mayContainPointer(E->getType()->getPointeeType());
  }

  bool VisitCastExpr(const CastExpr *Cast) override {
    const Expr *E = Cast->getSubExpr();
    switch (Cast->getCastKind()) {
    // The address of what holds the tile's, as one of bytes or of nothing in particular:
    // `memcpy(&bits, &pointer, 8)`.
    case CK_BitCast:
      if (holds(E) &&
          ((leadsToPointers(E) && !leadsToPointers(Cast)) || (isThis(E) && in(ThisHolds, Current))))
        keep(Cast);
      break;
    case CK_PointerToIntegral:
      if (holds(E) && (leadsToPointers(E) || (isThis(E) && in(ThisHolds, Current))))
        keep(Cast);
      break;
    // Numbers that are made of it, behind a pointer to their array. (A reference that leads to such
    // an array in one call may lead to the tile in another.)
    case CK_ArrayToPointerDecay:
      if (holds(E) && !mayContainPointer(E->getType()) && !Elements.count(Cast))
        keep(Cast);
      break;
    case CK_IntegralToBoolean:
    case CK_IntegralToFloating:
      if (number(E))
        looksAt(Cast);
      break;
    case CK_IntegralCast: // an address of shared memory has 32 bits at most
      if (Context.getTypeSize(Cast->getType()) < 32 && number(E))
        looksAt(Cast);
      break;
    default:
      break;
    }
    return true;
  }
  bool VisitSwitchStmt(const SwitchStmt *Switch) override {
    if (number(Switch->getCond()))
      looksAt(Switch->getCond());
    return true;
  }
  bool VisitCallExpr(const CallExpr *Call) override {
    const auto [Object, Args] = operandsOf(Call);
    const FunctionDecl *Callee = Call->getDirectCallee();
    const auto *Op = dyn_cast<CXXOperatorCallExpr>(Call);
    if (Op && Op->isAssignmentOp() && Object && Args.size() == 1 &&
        (Args[0]->isGLValue() ? loads(Args[0]) : holds(Args[0])))
      store(Object, Call);
    const FunctionKind Kind = kindOf(Callee);
    if ((Kind == FunctionKind::StorePointer || Kind == FunctionKind::Atomic) &&
        any_of(Args.drop_front(Args.empty() ? 0 : 1), [&](const Expr *Arg) { return holds(Arg); }))
      keep(Call);
    // `min(address, 100u)`; what lanes give each other stays what it is.
    if ((Kind == FunctionKind::Pure || Kind == FunctionKind::SeveralResults) &&
        !(Callee->getIdentifier() && Callee->getName().starts_with("__cvta")) &&
        any_of(Args, [&](const Expr *Arg) { return number(Arg); }))
      looksAt(Call);
    if (!Op || !Op->isAssignmentOp() || !isa_and_nonnull<CXXMethodDecl>(Callee) ||
        !cast<CXXMethodDecl>(Callee)->isDefaulted())
      call(Callee, Object, Args, Call);
    return true;
  }
  // What instructions make of it is in their results.
  bool VisitGCCAsmStmt(const GCCAsmStmt *Asm) override {
    const PtxText Ptx = readPtx(Asm, Context);
    if (Ptx.Copy.Is != PtxCopy::None) // it looks at what is there
      return true;
    bool Given = false;
    for (unsigned I = 0; I < Asm->getNumInputs(); ++I)
      Given |= !llvm::is_contained(Ptx.OnlyAddresses, Asm->getInputExpr(I)) &&
               (holds(Asm->getInputExpr(I)) || place(Asm->getInputExpr(I)));
    for (unsigned I = 0; I < Asm->getNumOutputs(); ++I)
      Given |= Asm->isOutputPlusConstraint(I) &&
               (holds(Asm->getOutputExpr(I)) || place(Asm->getOutputExpr(I)));
    // Stored, maybe.
    if (Given && !Ptx.Understood && Ptx.Memory == PtxMemory::Anything)
      keep(Asm->getAsmStringExpr());
    for (unsigned I = 0; Given && I < Asm->getNumOutputs(); ++I) {
      store(Asm->getOutputExpr(I), Asm->getOutputExpr(I));
      if (!Ptx.MovesOnly)
        looksAt(Asm->getOutputExpr(I)); // what it is made of is not followed
    }
    return true;
  }
  bool VisitCXXConstructExpr(const CXXConstructExpr *Construct) override {
    if (!Construct->getConstructor()->isDefaulted())
      call(Construct->getConstructor(), nullptr,
           llvm::ArrayRef<const Expr *>(Construct->getArgs(), Construct->getNumArgs()), Construct);
    return true;
  }
  // Where the address of what holds it goes is not followed.
  bool VisitUnaryOperator(const UnaryOperator *Op) override {
    if ((Op->getOpcode() == UO_Not || Op->getOpcode() == UO_Minus) && number(Op->getSubExpr()))
      looksAt(Op);
    if (Op->getOpcode() == UO_AddrOf && holds(Op->getSubExpr()) &&
        !mayContainPointer(Op->getSubExpr()->getType()))
      keep(Op);
    return true;
  }
  bool VisitReturnStmt(const ReturnStmt *Return) override {
    const Expr *Value = Return->getRetValue();
    if (!Value)
      return true;
    if (!Current) {
      if (holds(Value) || (Value->isGLValue() && place(Value)))
        keep(Value);
      return true;
    }
    if (Current->getReturnType()->isReferenceType() && place(Value))
      add(ReturnPlace, Current);
    if (holds(Value))
      add(ReturnHolder, Current);
    return true;
  }
};

} // namespace

KeptAddress findKeptAddress(llvm::ArrayRef<const Stmt *> Of, const VarDecl *Tile,
                            llvm::function_ref<bool(const VarDecl *)> Own,
                            const FunctionDecl *Function, const ASTContext &Context,
                            FlowTrace *Trace) {
  return Flow(Tile, Own, Function, Context, Trace).run(Of);
}

} // namespace cuda_pipeline
