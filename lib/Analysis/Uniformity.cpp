//===- Uniformity.cpp - Which values are the same for all threads of a block ----===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uniformity.h"
#include "../Model/AstUtil.h"
#include "../Model/KnownFunctions.h"
#include "../Model/ModelStep.h"
#include "../Model/Names.h"
#include "../Model/PtxText.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using llvm::any_of;
using llvm::none_of;

namespace cuda_pipeline {
namespace {

/// What the lvalue \p E is, or is a part of.
const Expr *wholeOf(const Expr *E) {
  while (true) {
    E = E->IgnoreParenImpCasts();
    if (const auto *Member = dyn_cast<MemberExpr>(E);
        Member && !Member->isArrow() && !Member->getMemberDecl()->getType()->isReferenceType())
      E = Member->getBase();
    else if (const auto *Op = dyn_cast<BinaryOperator>(E); Op && Op->getOpcode() == BO_PtrMemD)
      E = Op->getLHS();
    else if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(E);
             Sub && Sub->getBase()->IgnoreParenImpCasts()->getType()->isArrayType())
      E = Sub->getBase();
    else if (const auto *Element = dyn_cast<ExtVectorElementExpr>(E);
             Element && !Element->isArrow())
      E = Element->getBase();
    else if (const auto *Cast = dyn_cast<ExplicitCastExpr>(E); Cast && Cast->isGLValue())
      E = Cast->getSubExpr();
    else
      return E;
  }
}

bool isThis(const Expr *E) { return isa<CXXThisExpr>(E->IgnoreParenImpCasts()); }

/// A member of the object whose method runs: the caller accesses the object.
bool isThroughThis(const Access &A) {
  if (!A.InCallee || !A.Where || !A.Where->isGLValue())
    return false;
  const Expr *E = wholeOf(A.Where);
  if (const auto *Member = dyn_cast<MemberExpr>(E))
    return Member->isArrow() && isThis(Member->getBase()) &&
           !Member->getMemberDecl()->getType()->isReferenceType();
  const auto *Op = dyn_cast<UnaryOperator>(E);
  return Op && Op->getOpcode() == UO_Deref && isThis(Op->getSubExpr());
}

/// The function that \p D is a variable of, from inside of its lambdas, too.
const FunctionDecl *functionOf(const ValueDecl *D) {
  for (const DeclContext *In = D->getDeclContext(); In; In = In->getParent())
    if (const auto *F = dyn_cast<FunctionDecl>(In)) {
      const auto *Method = dyn_cast<CXXMethodDecl>(F);
      if (!Method || !Method->getParent()->isLambda())
        return F;
    }
  return nullptr;
}

/// \p Var of a function that has returned an object: a closure in there may hold it still.
bool mayOutliveIn(const FunctionDecl *F, const VarDecl *Var) {
  QualType T = F->getReturnType();
  if (!isa<CXXConstructorDecl>(F) &&
      (T->isVoidType() || T->isArithmeticType() || T->isEnumeralType()))
    return false;
  struct Visitor : ConstDynamicRecursiveASTVisitor {
    const VarDecl *Var;
    bool Found = false;
    explicit Visitor(const VarDecl *Var) : Var(Var) {}
    bool VisitLambdaExpr(const LambdaExpr *Lambda) override {
      for (const LambdaCapture &C : Lambda->captures())
        Found |= C.capturesVariable() && C.getCapturedVar() == Var;
      return !Found;
    }
  } V(Var);
  V.TraverseStmt(F->getBody());
  return V.Found;
}

/// What a call may change of what it is given: \p Place of an argument by reference, \p Address of
/// one by pointer.
template <typename Fn, typename Gn>
void eachChangeable(const FunctionDecl *Callee, llvm::ArrayRef<const Expr *> Args, Fn Place,
                    Gn Address) {
  for (unsigned I = 0; I < Args.size(); ++I) {
    QualType T =
        Callee && I < Callee->getNumParams() ? Callee->getParamDecl(I)->getType() : QualType();
    bool Const = !T.isNull() && (T->isReferenceType() || T->isPointerType()) &&
                 isConstObject(T->getPointeeType());
    if (Const)
      continue;
    if (Args[I]->isGLValue())
      Place(Args[I]);
    else
      Address(Args[I]);
  }
}

/// The places that an expression writes to by its form, or gives away to be written.
struct WrittenPlaces : ConstDynamicRecursiveASTVisitor {
  const ASTContext &Context;
  const FunctionDecl *Around;
  explicit WrittenPlaces(const FunctionDecl *Around)
      : Context(Around->getASTContext()), Around(Around) {}
  std::vector<const Expr *> Places;
  DeclSet<ValueDecl> Addresses;
  std::vector<const Expr *> Objects; ///< pointers to what a method may change

  bool TraverseLambdaExpr(const LambdaExpr *Lambda) override {
    for (const Expr *Init : Lambda->capture_inits())
      if (Init)
        TraverseStmt(Init);
    return true; // its body runs when it is called
  }
  bool VisitBinaryOperator(const BinaryOperator *Op) override {
    if (Op->isAssignmentOp())
      Places.push_back(Op->getLHS());
    return true;
  }
  bool VisitUnaryOperator(const UnaryOperator *Op) override {
    if (Op->isIncrementDecrementOp())
      Places.push_back(Op->getSubExpr());
    return true;
  }
  bool VisitCallExpr(const CallExpr *Call) override {
    const FunctionDecl *Callee = Call->getDirectCallee();
    const auto [Object, Args] = operandsOf(Call);
    const auto *Method = dyn_cast_or_null<CXXMethodDecl>(Callee);
    const bool Changes = Method && !Method->isStatic() &&
                         (!Method->isConst() || Method->getParent()->hasMutableFields()) &&
                         (Method->getParent()->isLambda() ||
                          useOfObject(Method, Context, Around) != ObjectUse::Keeps);
    const bool Member = isa<CXXMemberCallExpr>(Call);
    if (Object && Changes && (Member || !Method->getParent()->isLambda()))
      (Member && Object->getType()->isPointerType() ? Objects : Places).push_back(Object);
    given(Callee, Args);
    return true;
  }
  bool VisitCXXConstructExpr(const CXXConstructExpr *Construct) override {
    given(Construct->getConstructor(),
          llvm::ArrayRef<const Expr *>(Construct->getArgs(), Construct->getNumArgs()));
    return true;
  }
  void given(const FunctionDecl *Callee, llvm::ArrayRef<const Expr *> Args) {
    eachChangeable(
        Callee, Args, [&](const Expr *Place) { Places.push_back(Place); },
        [&](const Expr *Value) {
          Addresses.merge(namedElsewhere(Value, Context, Around, NamesThat::Change));
        });
  }
};

/// Nothing tells a thread what another one has done but the barriers of the block: a value that
/// others may set meanwhile, and be waited for, is read by nothing.
bool hearsOfNobody(const Effects &Eff, const Stmt *Body) {
  return none_of(Eff.Accesses, [](const Access &A) { return A.Read && A.Volatile; }) &&
         llvm::all_of(Eff.Actions, [Body](const Action &A) {
           switch (A.Function) {
           case FunctionKind::Atomic:
             return isAtomicUpdate(A.Name) && A.isDiscardedIn(Body);
           case FunctionKind::WarpBarrier:
           case FunctionKind::GridBarrier:
           case FunctionKind::AsyncCopy: // a block's pipeline is waited for
           case FunctionKind::Clock:
             return false;
           default:
             return A.Kind != Action::Asm || A.LikeExpression;
           }
         });
}

bool isUnknownPlace(const MemoryRoot &R) { return !R.Decl && R.In != Space::Constant; }

/// The variable of the function that is written with the object; null for what a parameter points
/// to.
const ValueDecl *variableOf(const MemoryRoot &R) {
  return R.Decl && !(R.In == Space::Global && spaceOf(R.Decl) != Space::Global) ? R.Decl : nullptr;
}

} // namespace

Uniformity::Uniformity(ASTContext &Context, const EffectCollector &Collector,
                       const FunctionDecl *Function, const DeclSet<VarDecl> &Uniform,
                       const VarDecl *This)
    : Context(Context), Collector(Collector), Function(Function) {
  if (This && !Uniform.count(This))
    Divergent.insert(This);
  if (!Function->hasAttr<CUDAGlobalAttr>())
    for (const ParmVarDecl *Param : Function->parameters())
      if (!Uniform.count(Param)) // who knows what the callers pass
        Divergent.insert(Param);
  // Threads that meet elsewhere than at the block's barriers may see different values at the same
  // place.
  const Effects All = Collector.collect(Function->getBody());
  OrderedByBlock = none_of(All.Actions, [](const Action &A) {
    return A.Function == FunctionKind::BarrierOther || A.Kind == Action::UnknownCall ||
           (A.Kind == Action::Asm && A.Function == FunctionKind::Unknown);
  });
  AloneWithBlock = OrderedByBlock && Function->hasAttr<CUDAGlobalAttr>() &&
                   hearsOfNobody(All, Function->getBody());
  findOtherNames(Function->getBody());
  // A jump may lead back to what stands in front.
  if (Function->hasAttr<CUDAGlobalAttr>() && !hasGoto(Function->getBody()))
    findLastParts(Function->getBody());
  if (!hasGoto(Function->getBody()))
    findSetInTurn(Function->getBody());
  while (scan(Function->getBody(), false)) {
  }
  findWaysOut(Function->getBody());
}

bool Uniformity::exitsInAssembly(const Effects &Eff) const {
  return any_of(Eff.Actions, [&](const Action &A) {
    const auto *Asm = A.Kind == Action::Asm ? dyn_cast_or_null<GCCAsmStmt>(A.Where) : nullptr;
    return Asm && readPtx(Asm, Context).Exits;
  });
}

/// Threads may wait for others in it, or go on somewhere.
bool Uniformity::mayWait(const Stmt *S) const {
  if (!S)
    return false;
  const Effects Eff = Collector.collect(S);
  return Eff.hasBarrier() || any_of(Eff.Actions, [](const Action &A) {
           return A.Kind == Action::UnknownCall || A.Function == FunctionKind::GridBarrier ||
                  A.Function == FunctionKind::BarrierOther ||
                  (A.Kind == Action::Asm && A.Function == FunctionKind::Unknown);
         });
}

/// \p S: behind which nothing is left to wait for.
void Uniformity::findLastParts(const Stmt *S) {
  if (const auto *Compound = dyn_cast_or_null<CompoundStmt>(S)) {
    for (const Stmt *Child : reverse(Compound->body()))
      if (mayWait(Child) || isa<LabelStmt>(Child))
        return findLastParts(Child); // what stands in front of it has something behind
    return;
  }
  if (isa_and_nonnull<ForStmt, WhileStmt>(S)) {
    // What stands in it has its next turn behind it.
    const auto *For = dyn_cast<ForStmt>(S);
    const Stmt *Body = bodyOf(S);
    if (conditionOf(S) &&
        !(For ? For->getConditionVariable() : cast<WhileStmt>(S)->getConditionVariable()) &&
        llvm::all_of(S->children(),
                     [&](const Stmt *Part) { return Part == Body || !mayWait(Part); }))
      LastLoops.insert(S);
    return;
  }
  const auto *If = dyn_cast_or_null<IfStmt>(S);
  if (!If || If->getInit() || If->getConditionVariable() || mayWait(If->getCond()))
    return;
  const bool Then = mayWait(If->getThen()), Else = mayWait(If->getElse());
  if (Then && Else)
    return;
  LastIfs.insert(If);
  findLastParts(Then ? If->getThen() : If->getElse());
}

/// What \p Part has changed of what is declared in front of it is not the same for the others.
bool Uniformity::taintOutside(const Stmt *Part) {
  const Effects Eff = Collector.collect(Part);
  const SourceManager &SM = Context.getSourceManager();
  Names Written;
  bool Unknown = any_of(Eff.Actions, [](const Action &A) { return A.Kind == Action::UnknownCall; });
  for (const Access &A : Eff.Accesses)
    if (A.Write)
      for (const MemoryRoot &R : A.Roots) {
        Unknown |= isUnknownPlace(R);
        if (const ValueDecl *Var = variableOf(R);
            Var && !SM.isBeforeInTranslationUnit(Part->getBeginLoc(), Var->getLocation()))
          Written.insert(Var);
      }
  bool Changed = taint(Written);
  if (Unknown)
    Changed |= taintOtherNames();
  return Changed;
}

bool Uniformity::findWaysOut(const Stmt *S) {
  if (!S || isa<LambdaExpr>(S))
    return false;
  bool Found = isa<ReturnStmt>(S) || isa<GotoStmt>(S) || isa<IndirectGotoStmt>(S);
  if (isa<GCCAsmStmt>(S) || isa<CallExpr>(S)) {
    Effects Eff = Collector.collect(S);
    Found = exitsInAssembly(Eff) || Eff.hasBarrier();
  }
  for (const Stmt *Child : S->children())
    Found |= findWaysOut(Child);
  if (Found)
    WaysOut.insert(S);
  return Found;
}

//===-- Names ---------------------------------------------------------------===//

/// The variables that the lvalue \p Place stands for, with the references that it is named by.
/// False: others as well.
bool Uniformity::namesOf(const Expr *Place, Names &Out) const {
  const Expr *E = wholeOf(Place);
  if (const auto *Cond = dyn_cast<ConditionalOperator>(E)) {
    bool True = namesOf(Cond->getTrueExpr(), Out), False = namesOf(Cond->getFalseExpr(), Out);
    return True && False;
  }
  if (const auto *Op = dyn_cast<BinaryOperator>(E); Op && Op->isGLValue()) {
    if (Op->isAssignmentOp())
      return namesOf(Op->getLHS(), Out);
    if (Op->getOpcode() == BO_Comma)
      return namesOf(Op->getRHS(), Out);
  }
  if (const auto *Op = dyn_cast<UnaryOperator>(E); Op && Op->isIncrementDecrementOp())
    return namesOf(Op->getSubExpr(), Out);
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
    return namesOf(Ref->getDecl(), Out);
  if (!E->isGLValue() || isThis(E))
    return true; // a temporary
  const auto *Op = dyn_cast<BinaryOperator>(E);
  const bool OfPointee = Op && Op->getOpcode() == BO_PtrMemI;
  bool Known = true;
  for (const MemoryRoot &R : OfPointee ? Collector.pointees(Op->getLHS()) : Collector.rootsOf(E)) {
    Known &= !isUnknownPlace(R);
    if (const ValueDecl *Var = variableOf(R))
      Out.insert(Var);
  }
  return Known;
}

bool Uniformity::namesOf(const ValueDecl *D, Names &Out) const {
  bool Known = true;
  if (const auto *Binding = dyn_cast<BindingDecl>(D)) {
    if (const VarDecl *Held = Binding->getHoldingVar())
      Known &= namesOf(Held, Out);
    D = Binding->getDecomposedDecl();
  }
  if (!D || !Out.insert(D).second)
    return Known;
  if (const auto *Var = dyn_cast<VarDecl>(D);
      Var && Var->getType()->isReferenceType() && !isa<ParmVarDecl>(Var) && Var->hasInit())
    Known &= namesOf(Var->getInit(), Out);
  return Known;
}

/// The variable or, of a reference, what it refers to or which one it is.
bool Uniformity::isDivergent(const ValueDecl *D) const {
  if ((!isa<VarDecl>(D) && !isa<BindingDecl>(D)) || Fresh.count(D))
    return false;
  if (Divergent.count(D))
    return true;
  if (!isa<BindingDecl>(D) && !D->getType()->isReferenceType())
    return false;
  Names All;
  namesOf(D, All);
  return any_of(All, [&](const ValueDecl *Name) { return Divergent.count(Name) != 0; });
}

void Uniformity::findOtherNames(const Stmt *Body) {
  OtherNames.merge(namedElsewhere(Body, Function->getASTContext(), Function, NamesThat::Change));
  struct Visitor : ConstDynamicRecursiveASTVisitor {
    Names &Set;
    const FunctionDecl *Around;
    Visitor(Names &Set, const FunctionDecl *Around) : Set(Set), Around(Around) {}
    bool VisitLambdaExpr(const LambdaExpr *Lambda) override {
      // What its body changes, and what it may hand out.
      const bool HandsOut = !Lambda->getCallOperator()->getReturnType()->isScalarType() &&
                            !Lambda->getCallOperator()->getReturnType()->isVoidType();
      WrittenPlaces Written(Around);
      Written.TraverseStmt(Lambda->getBody());
      for (const LambdaCapture &C : Lambda->captures()) {
        if (!C.capturesVariable() || C.getCaptureKind() != LCK_ByRef)
          continue;
        auto Names = [&](const Expr *Place) {
          const auto *Ref = dyn_cast<DeclRefExpr>(wholeOf(Place));
          return Ref && Ref->getDecl() == C.getCapturedVar();
        };
        if (HandsOut || any_of(Written.Places, Names))
          Set.insert(C.getCapturedVar());
      }
      return true;
    }
  } V(OtherNames, Function);
  V.TraverseStmt(Body);
  Names All;
  for (const ValueDecl *D : OtherNames)
    namesOf(D, All);
  OtherNames = std::move(All);
}

//===-- Values --------------------------------------------------------------===//

bool Uniformity::mentionsDivergent(const Expr *E) const {
  struct Visitor : ConstDynamicRecursiveASTVisitor {
    const Uniformity &U;
    bool Found = false;
    explicit Visitor(const Uniformity &U) : U(U) {}
    bool TraverseStmt(const Stmt *S) override {
      if (Found)
        return false;
      if (!S || isa<UnaryExprOrTypeTraitExpr>(S) || isa<CXXNoexceptExpr>(S)) // not evaluated
        return true;
      if (const auto *Member = dyn_cast<MemberExpr>(S);
          Member && isa<VarDecl>(Member->getMemberDecl()))
        return true; // a static member of whatever object
      if (const auto *Call = dyn_cast<CallExpr>(S); Call && isConstant(Call))
        return true;
      return ConstDynamicRecursiveASTVisitor::TraverseStmt(S);
    }
    bool isConstant(const CallExpr *Call) const {
      const FunctionDecl *Callee = Call->getDirectCallee();
      return Callee && Callee->isConstexpr() && !Call->isInstantiationDependent() &&
             constantValue(Call, U.Context);
    }
    bool VisitExpr(const Expr *E) override {
      if (std::optional<BuiltinIndex> B = asBuiltinIndex(E))
        Found |= B->Var == BuiltinVar::ThreadIdx;
      else if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
        Found |= U.isDivergent(Ref->getDecl());
      else if (isThroughPointer(E) && !E->isInstantiationDependent())
        // A temporary that has lived on: who knows what became of it.
        Found |= any_of(U.Collector.rootsOf(E),
                        [](const MemoryRoot &R) { return !R.Decl && R.In == Space::Local; });
      return !Found;
    }
    static bool isThroughPointer(const Expr *E) {
      if (const auto *Op = dyn_cast<UnaryOperator>(E))
        return Op->getOpcode() == UO_Deref;
      if (const auto *Member = dyn_cast<MemberExpr>(E))
        return Member->isArrow();
      const auto *Sub = dyn_cast<ArraySubscriptExpr>(E);
      return Sub && !Sub->getBase()->IgnoreParenImpCasts()->getType()->isArrayType();
    }
  } V(*this);
  V.TraverseStmt(E);
  return V.Found;
}

/// A method is called of an object that a pointer points to: what it reads and changes there is not
/// seen.
bool Uniformity::callsThroughPointer(const Stmt *S) const {
  struct Visitor : ConstDynamicRecursiveASTVisitor {
    const Uniformity &U;
    bool Found = false;
    explicit Visitor(const Uniformity &U) : U(U) {}
    void look(const FunctionDecl *Callee) {
      const FunctionDecl *Body = nullptr;
      if (Found || !Callee || !Callee->hasBody(Body))
        return;
      auto [Known, New] = U.ThroughPointer.try_emplace(Body, false);
      if (!New) {
        Found |= Known->second;
        return;
      }
      bool Through = U.callsThroughPointer(Body->getBody());
      U.ThroughPointer[Body] = Through;
      Found |= Through;
    }
    bool VisitCallExpr(const CallExpr *Call) override {
      const FunctionDecl *Callee = Call->getDirectCallee();
      if (const auto *Member = dyn_cast<CXXMemberCallExpr>(Call)) {
        const Expr *Object = Member->getImplicitObjectArgument();
        Found |= Object && Object->getType()->isPointerType() && !isThis(Object);
      }
      // A closure that holds the object it was made in.
      if (const auto *Method = dyn_cast_or_null<CXXMethodDecl>(Callee);
          Method && Method->getParent()->isLambda())
        Found |= any_of(Method->getParent()->captures(),
                        [](const LambdaCapture &C) { return C.capturesThis(); });
      look(Callee);
      return !Found;
    }
    bool VisitCXXConstructExpr(const CXXConstructExpr *Construct) override {
      look(Construct->getConstructor());
      return !Found;
    }
  } V(*this);
  V.TraverseStmt(S);
  return V.Found;
}

bool Uniformity::isUniform(const Expr *E) const {
  if (!E || holdsUniform(E))
    return true;
  const auto Set = SetInTurn.find(E);
  if (Set == SetInTurn.end() || DivergentGoto || !Fresh.empty())
    return false;
  Names Now;
  for (const auto &[Var, Value] : Set->second)
    if (isUniform(Value))
      Now.insert(Var);
  Fresh = std::move(Now);
  const bool Uniform = !Fresh.empty() && holdsUniform(E);
  Fresh.clear();
  return Uniform;
}

/// In `do { ..; least = shared[0]; .. } while (least < 0);` the variable holds what the turn has
/// set it to, whatever it holds elsewhere.
void Uniformity::findSetInTurn(const Stmt *S) {
  if (!S)
    return;
  for (const Stmt *Child : S->children())
    findSetInTurn(Child);
  const auto *Do = dyn_cast<DoStmt>(S);
  const auto *Body = Do ? dyn_cast<CompoundStmt>(Do->getBody()) : nullptr;
  if (!Body || hasContinue(Body) || hasCase(Body))
    return;
  const Effects Condition = Collector.collect(Do->getCond());
  if (any_of(Condition.Accesses, [](const Access &A) { return A.Write; }))
    return;
  for (const VarDecl *Var : mentionedVars(Do->getCond())) {
    if (!Var->hasLocalStorage() || Var->getType()->isReferenceType() ||
        Var->getType().isVolatileQualified() || OtherNames.count(Var))
      continue;
    for (const Stmt *Last : llvm::reverse(Body->body())) {
      if (none_of(Collector.collect(Last).Accesses,
                  [&](const Access &A) { return A.Write && A.touches(Var); }))
        continue;
      const auto *Set = dyn_cast<BinaryOperator>(Last);
      if (Set && Set->getOpcode() == BO_Assign && referencedVar(Set->getLHS()) == Var &&
          none_of(Collector.collect(Set->getRHS()).Accesses,
                  [](const Access &A) { return A.Write; }))
        SetInTurn[Do->getCond()].push_back({Var, Set->getRHS()});
      break;
    }
  }
}

bool Uniformity::holdsUniform(const Expr *E) const {
  if (!computesUniformly(E))
    return false;
  // An lvalue stands for what it holds.
  return !E->isGLValue() ||
         (!E->getType().isVolatileQualified() && holdUniform(Collector.rootsOf(E)));
}

/// The same steps in all threads; an lvalue may hold anything.
bool Uniformity::computesUniformly(const Expr *E) const {
  if (mentionsDivergent(E))
    return false;
  Effects Eff = Collector.collect(E);
  if (Eff.ThreadIndex)
    return false;
  for (const Action &A : Eff.Actions)
    if (A.Kind != Action::Lambda &&
        (A.Kind != Action::Call ||
         (A.Function != FunctionKind::Pure && A.Function != FunctionKind::LoadPointer)))
      return false;
  bool OfObject = false;
  for (const Access &A : Eff.Accesses)
    if (A.Read && isThroughThis(A) && !A.Volatile)
      OfObject = true;
    else if (A.Read && (A.Volatile || !holdUniform(A.Roots)))
      return false;
  return !OfObject || !callsThroughPointer(E);
}

bool Uniformity::holdUniform(const RootSet &Roots) const {
  for (const MemoryRoot &R : Roots) {
    if (!R.Decl && R.In != Space::Local)
      return false;
    if (R.Decl && isDivergent(R.Decl))
      return false;
    // What a closure holds that another function has made.
    if (const auto *Var = dyn_cast_or_null<VarDecl>(R.Decl);
        Var && (R.In == Space::Local || R.In == Space::Param))
      if (const FunctionDecl *Owner = functionOf(Var);
          Owner && Owner->getCanonicalDecl() != Function->getCanonicalDecl() &&
          mayOutliveIn(Owner, Var))
        return false;
    if (DivergentGoto && (R.In == Space::Local || R.In == Space::Param) &&
        !(R.Decl && isConstObject(R.Decl->getType())))
      return false;
    switch (R.In) {
    case Space::Local:
    case Space::Param:
    case Space::Constant:
    case Space::Texture:
      break;
    case Space::Global: {
      // Memory that nobody changes while the kernel runs. In what others may change all threads
      // read the place between the same two barriers. Who writes it there races with one of them,
      // unless it hears of that one's read, and is heard of by another that reads then.
      const auto *Param = dyn_cast_or_null<ParmVarDecl>(R.Decl);
      if (!AloneWithBlock && !(Param && isReadOnlyParameter(Param)))
        return false;
      break;
    }
    case Space::Shared:
      // All threads read it between the same two barriers, so that who writes it there races with
      // one of them.
      if (!OrderedByBlock || !R.Decl || R.Decl->getType().isVolatileQualified())
        return false;
      break;
    default:
      return false;
    }
  }
  return true;
}

//===-- Statements ----------------------------------------------------------===//

bool Uniformity::taint(const Names &Written) {
  bool Changed = false;
  for (const ValueDecl *D : Written) {
    const bool Reference = D->getType()->isReferenceType();
    const Space In = spaceOf(D);
    if ((Reference || In == Space::Local || In == Space::Param) && !isConstObject(D->getType()))
      Changed |= Divergent.insert(D).second;
  }
  return Changed;
}

/// What \p E writes, and what the functions may write that it calls, under whatever name.
bool Uniformity::taintWritten(const Expr *E) {
  WrittenPlaces Written(Function);
  Written.TraverseStmt(E);
  Names All;
  bool Known = true;
  for (const Expr *Place : Written.Places)
    Known &= namesOf(Place, All);
  for (const ValueDecl *D : Written.Addresses)
    Known &= namesOf(D, All);
  for (const Expr *Object : Written.Objects)
    for (const MemoryRoot &R : Collector.pointees(Object)) {
      Known &= !isUnknownPlace(R);
      if (const ValueDecl *Var = variableOf(R))
        All.insert(Var);
    }
  bool Changed = taint(All);
  return (!Known && taintOtherNames()) || Changed;
}

/// The variables that closures made in \p E have of their own.
bool Uniformity::captures(const Expr *E, bool Control) {
  struct Visitor : ConstDynamicRecursiveASTVisitor {
    std::vector<const VarDecl *> Own;
    bool VisitLambdaExpr(const LambdaExpr *Lambda) override {
      for (const LambdaCapture &C : Lambda->captures())
        if (C.capturesVariable() && C.getCapturedVar()->isInitCapture())
          if (const auto *Var = dyn_cast<VarDecl>(C.getCapturedVar()))
            Own.push_back(Var);
      return true;
    }
  } V;
  V.TraverseStmt(E);
  bool Changed = false;
  for (const VarDecl *Var : V.Own)
    if (Control || !isUniform(Var->getInit()))
      Changed |= Divergent.insert(Var).second;
  return Changed;
}

/// \p E runs: what of the variables is then not the same for all threads?
bool Uniformity::change(const Expr *E, bool Control) {
  Effects Eff = Collector.collect(E);
  bool Changed = false;
  if (any_of(Eff.Actions, [](const Action &A) { return A.Kind == Action::UnknownCall; }))
    Changed |= taintOtherNames();
  const bool Differs = Control || !computesUniformly(E);
  // What a function does to the caller's variables may depend on the thread by its own control
  // flow.
  if (!Differs && none_of(Eff.Accesses, [](const Access &A) {
        return A.Write && A.InCallee && !isThroughThis(A);
      }))
    return Changed;
  Names Written;
  bool Known = true;
  for (const Access &A : Eff.Accesses) {
    if (!A.Write || (isThroughThis(A) && !callsThroughPointer(E)))
      continue;
    for (const MemoryRoot &R : A.Roots) {
      Known &= !isUnknownPlace(R) || R.In == Space::Local;
      if (R.Decl && (R.In == Space::Local || R.In == Space::Param))
        Written.insert(R.Decl);
    }
  }
  Changed |= taint(Written);
  if (!Known)
    Changed |= taintOtherNames();
  if (Differs)
    Changed |= taintWritten(E);
  return Changed;
}

/// A jump out of the loop with the body \p S, or to its next turn, that only some threads take: the
/// others stay behind. \p Breaks and \p Continues: these statements would be the loop's, and not
/// those of a loop or switch inside of it.
bool Uniformity::jumpsDivergently(const Stmt *S, bool Control, bool Breaks, bool Continues) const {
  if (!S || isa<LambdaExpr>(S))
    return false;
  if (isa<BreakStmt>(S))
    return Control && Breaks;
  if (isa<ContinueStmt>(S))
    return Control && Continues;
  if (isa<GotoStmt>(S) || isa<IndirectGotoStmt>(S) || isa<ReturnStmt>(S))
    return Control;
  bool Inner = Control || !isUniform(conditionOf(S)) || isa<CXXForRangeStmt>(S);
  if (isLoop(S) || isa<SwitchStmt>(S)) {
    // What is behind a jump out of it in there is run by the others alone.
    Inner |= isLeftBySome(S);
    Breaks = false;
    Continues &= isa<SwitchStmt>(S);
  }
  for (const Stmt *Child : S->children())
    if (jumpsDivergently(Child, Inner, Breaks, Continues))
      return true;
  return false;
}

bool Uniformity::isLeftBySome(const Stmt *LoopOrSwitch) const {
  // Of nested loops each is asked by all around it. The answers hold until more is known to depend
  // on the thread.
  if (const size_t Now = Divergent.size() + DivergentGoto; LeftBySomeAt != Now) {
    LeftBySome.clear();
    LeftBySomeAt = Now;
  }
  if (auto Known = LeftBySome.find(LoopOrSwitch); Known != LeftBySome.end())
    return Known->second;
  bool Left = jumpsDivergently(bodyOf(LoopOrSwitch), false);
  LeftBySome[LoopOrSwitch] = Left;
  return Left;
}

bool Uniformity::scan(const Stmt *S, bool Control) {
  if (!S)
    return false;
  bool Changed = false;
  if (const auto *If = dyn_cast<IfStmt>(S)) {
    Changed |= scan(If->getInit(), Control);
    Changed |= scan(If->getConditionVariableDeclStmt(), Control);
    Changed |= scan(If->getCond(), Control);
    const bool Divided = !isUniform(If->getCond());
    const bool Ends = Divided && !Control && endsForOthers(If);
    bool Inner = Control || (Divided && !Ends);
    Changed |= scan(If->getThen(), Inner);
    Changed |= scan(If->getElse(), Inner);
    if (Ends)
      Changed |= taintOutside(If);
    return Changed;
  }
  if (const auto *For = dyn_cast<ForStmt>(S)) {
    Changed |= scan(For->getInit(), Control);
    const bool Divided = For->getCond() && !isUniform(For->getCond());
    const bool Ends = Divided && !Control && endsForLeavers(For);
    bool Inner = Control || (Divided && !Ends) || isLeftBySome(For);
    Changed |= scan(For->getConditionVariableDeclStmt(), Inner);
    Changed |= scan(For->getCond(), Inner);
    Changed |= scan(For->getInc(), Inner);
    Changed |= scan(For->getBody(), Inner);
    if (Ends)
      Changed |= taintOutside(For);
    return Changed;
  }
  if (isa<WhileStmt>(S) || isa<DoStmt>(S)) {
    const Expr *Cond = conditionOf(S);
    const bool Divided = !isUniform(Cond);
    const bool Ends = Divided && !Control && endsForLeavers(S);
    bool Inner = Control || (Divided && !Ends) || isLeftBySome(S);
    if (const auto *While = dyn_cast<WhileStmt>(S))
      Changed |= scan(While->getConditionVariableDeclStmt(), Inner);
    Changed |= scan(Cond, Inner);
    Changed |= scan(bodyOf(S), Inner);
    if (Ends)
      Changed |= taintOutside(S);
    return Changed;
  }
  if (const auto *Range = dyn_cast<CXXForRangeStmt>(S)) {
    bool Inner = Control || !isUniform(Range->getCond()) || isLeftBySome(Range);
    for (const Stmt *Child : S->children())
      Changed |= scan(Child, Inner);
    return Changed;
  }
  if (const auto *Switch = dyn_cast<SwitchStmt>(S)) {
    bool Inner = Control || !isUniform(Switch->getCond()) || isLeftBySome(Switch);
    Changed |= scan(Switch->getInit(), Control);
    Changed |= scan(Switch->getConditionVariableDeclStmt(), Control);
    Changed |= scan(Switch->getCond(), Control);
    Changed |= scan(Switch->getBody(), Inner);
    return Changed;
  }
  if (const auto *Decl = dyn_cast<DeclStmt>(S)) {
    for (const clang::Decl *D : Decl->decls()) {
      const auto *Var = dyn_cast<VarDecl>(D);
      if (!Var)
        continue;
      if (isLeftByCall(Var, Context))
        Changed |= taintOtherNames();
      if (!Var->hasInit() || Var->isConstexpr())
        continue;
      Changed |= captures(Var->getInit(), Control);
      if (Control || !isUniform(Var->getInit()))
        Changed |= Divergent.insert(Var).second;
      Changed |= change(Var->getInit(), Control);
    }
    return Changed;
  }
  // Some threads skip what the others run: nothing that is ever written is the same for all.
  if ((isa<GotoStmt>(S) || isa<IndirectGotoStmt>(S)) && Control) {
    Changed = !DivergentGoto;
    DivergentGoto = true;
    return Changed;
  }
  if (const auto *Asm = dyn_cast<AsmStmt>(S)) {
    Names Written;
    bool Known = true;
    for (const Access &A : Collector.collect(S).Accesses)
      if (A.Write)
        for (const MemoryRoot &R : A.Roots) {
          Known &= !isUnknownPlace(R);
          if (const ValueDecl *Var = variableOf(R))
            Written.insert(Var);
        }
    for (unsigned I = 0; I < Asm->getNumOutputs(); ++I)
      if (const auto *GCC = dyn_cast<GCCAsmStmt>(Asm))
        Known &= namesOf(GCC->getOutputExpr(I), Written);
    for (unsigned I = 0; I < Asm->getNumClobbers(); ++I)
      Known &= Asm->getClobber(I) != "memory";
    Changed |= taint(Written);
    return (!Known && taintOtherNames()) || Changed;
  }
  if (const auto *E = dyn_cast<Expr>(S)) {
    // `k = 0, row = ty`: each part for itself.
    if (const auto *Comma = dyn_cast<BinaryOperator>(E->IgnoreParens());
        Comma && Comma->getOpcode() == BO_Comma) {
      Changed |= scan(Comma->getLHS(), Control);
      return scan(Comma->getRHS(), Control) || Changed;
    }
    Changed |= captures(E, Control);
    return change(E, Control) || Changed;
  }
  for (const Stmt *Child : S->children())
    Changed |= scan(Child, Control);
  return Changed;
}

} // namespace cuda_pipeline
