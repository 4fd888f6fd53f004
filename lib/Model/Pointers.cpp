//===- Pointers.cpp - What pointers may point to --------------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Pointers.h"
#include "AstUtil.h"
#include "CallSites.h"
#include "GivenObjects.h"
#include "KeptAddresses.h"
#include "Names.h"
#include "PtxText.h"
#include "ReachedCode.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {

static bool inUnion(QualType T);

namespace {

constexpr unsigned MaxCallDepth = 24;
/// Deeper than that only so many calls are entered from one place: a function that calls another
/// one twice, and so on, is soon too much.
constexpr unsigned FreeCallDepth = 12, MaxEnteredDeep = 4096;
/// Calls that are followed from one function; where there are more, the rest points to anything.
constexpr unsigned MaxFollowed = 4096;

bool isPointerLike(QualType T) { return T->isPointerType() || T->isArrayType(); }

/// One of the ways to a pointer in a variable.
struct Assignment {
  const ValueDecl *Var; ///< null: whatever Place denotes
  const Expr *Value;    ///< null: anything
  const Expr *Place = nullptr;
};

} // namespace

struct Pointers::Assignments {
  std::vector<Assignment> Out;
  std::vector<const VarDecl *> Declared; ///< that are or hold pointers
};

namespace {

/// Collects what a function assigns to pointers, and where it loses sight of them.
struct AssignmentFinder : ConstDynamicRecursiveASTVisitor {
  std::vector<Assignment> Out;
  std::vector<const VarDecl *> Declared;
  std::set<const Expr *> Subscripted; ///< arrays of which one element is named
  DeclSet<VarDecl> Running;

  function_ref<bool(const CXXMethodDecl *)> Keeps;
  function_ref<bool(const FunctionDecl *, unsigned)> KeepsArgument;

  AssignmentFinder(function_ref<bool(const CXXMethodDecl *)> Keeps,
                   function_ref<bool(const FunctionDecl *, unsigned)> KeepsArgument)
      : Keeps(Keeps), KeepsArgument(KeepsArgument) {
    ShouldVisitImplicitCode = true;
  }

  static bool isTracked(const VarDecl *Var) {
    return Var->getType()->isPointerType() || holdsPointers(Var->getType());
  }
  void lost(const Decl *D) {
    if (const auto *Var = dyn_cast_or_null<VarDecl>(D); Var && isTracked(Var))
      Out.push_back({Var, nullptr});
  }

  /// Somebody gets another name for the variable that the lvalue \p E may denote, or may be a part
  /// of, and may set pointers in it behind our back. What a reference is bound to has got its other
  /// name there.
  void exposed(const Expr *E) {
    E = E->IgnoreParens();
    if (const auto *Ref = dyn_cast<DeclRefExpr>(E)) {
      lost(Ref->getDecl());
      // Another name of what it is bound to.
      if (const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
          Var && Var->getType()->isReferenceType() && !isa<ParmVarDecl>(Var) && Var->hasInit() &&
          Running.insert(Var).second) {
        exposed(Var->getInit());
        Running.erase(Var);
      }
    } else if (const auto *Cast = dyn_cast<CastExpr>(E)) {
      if (Cast->isGLValue() || Cast->getCastKind() == CK_ArrayToPointerDecay)
        exposed(Cast->getSubExpr());
    } else if (const auto *Member = dyn_cast<MemberExpr>(E)) {
      if (!Member->isArrow() && !isOfNumbers(Member))
        exposed(Member->getBase());
    } else if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(E)) {
      if (Sub->getBase()->IgnoreParenImpCasts()->getType()->isArrayType())
        exposed(Sub->getBase());
    } else if (const auto *Wrapped = dyn_cast<FullExpr>(E)) {
      exposed(Wrapped->getSubExpr());
    } else if (const auto *Cond = dyn_cast<AbstractConditionalOperator>(E)) {
      exposed(Cond->getTrueExpr());
      exposed(Cond->getFalseExpr());
    } else if (const auto *Op = dyn_cast<BinaryOperator>(E)) {
      exposed(Op->getOpcode() == BO_Comma ? Op->getRHS() : Op->getLHS());
    } else if (const auto *Op = dyn_cast<UnaryOperator>(E)) {
      if (Op->isIncrementDecrementOp())
        exposed(Op->getSubExpr());
    } else if (const auto *Call = dyn_cast<CXXOperatorCallExpr>(E)) {
      if (Call->isAssignmentOp())
        exposed(Call->getArg(0));
    } else if (const auto *Ref = dyn_cast<SubstNonTypeTemplateParmExpr>(E)) {
      exposed(Ref->getReplacement());
    }
  }

  bool VisitVarDecl(const VarDecl *Var) override {
    if (isTracked(Var) && !isa<ParmVarDecl>(Var)) {
      Declared.push_back(Var);
      if (inUnion(Var->getType()))
        lost(Var);
      if (Var->hasInit())
        Out.push_back({Var, Var->getInit()});
    }
    if (Var->getType()->isReferenceType() && Var->hasInit() &&
        !isConstObject(Var->getType()->getPointeeType()))
      exposed(Var->getInit());
    return true;
  }
  bool VisitCXXMemberCallExpr(const CXXMemberCallExpr *Call) override {
    const CXXMethodDecl *Method = Call->getMethodDecl();
    if (!Method || !Keeps(Method))
      exposed(Call->getImplicitObjectArgument());
    return true;
  }
  bool VisitBinaryOperator(const BinaryOperator *Op) override {
    if (Op->getOpcode() != BO_Assign || !Op->getLHS()->getType()->isPointerType())
      return true;
    const auto *Ref = dyn_cast<DeclRefExpr>(Op->getLHS()->IgnoreParens());
    const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
    if (Var && Var->getType()->isPointerType())
      Out.push_back({Var, Op->getRHS()});
    else
      Out.push_back({nullptr, Op->getRHS(), Op->getLHS()});
    return true;
  }
  // Another name for the pointer variable: it may change behind our back.
  bool VisitUnaryOperator(const UnaryOperator *Op) override {
    if (Op->getOpcode() == UO_AddrOf)
      exposed(Op->getSubExpr());
    return true;
  }
  bool VisitArraySubscriptExpr(const ArraySubscriptExpr *Sub) override {
    Subscripted.insert(Sub->getBase()->IgnoreParens());
    return true;
  }
  bool VisitCastExpr(const CastExpr *Cast) override {
    // As bytes, or as something else that can be set.
    if (Cast->getCastKind() == CK_LValueBitCast ||
        (Cast->getCastKind() == CK_ArrayToPointerDecay && !Subscripted.count(Cast)))
      exposed(Cast->getSubExpr());
    return true;
  }
  // Bound to a reference member or parameter: the same.
  bool VisitCXXConstructExpr(const CXXConstructExpr *Construct) override {
    const CXXConstructorDecl *Ctor = Construct->getConstructor();
    if (Ctor->isCopyOrMoveConstructor() && Ctor->isTrivial())
      return true;
    for (unsigned I = 0; I < Construct->getNumArgs(); ++I) {
      const Expr *Arg = Construct->getArg(I);
      if (!Arg->isGLValue())
        continue;
      if (I >= Ctor->getNumParams() || !KeepsArgument(Ctor, I))
        exposed(Arg);
    }
    return true;
  }
  bool VisitInitListExpr(const InitListExpr *List) override {
    // As it is written says nothing of what is only read: `Row r = {x}`.
    if (List->getSemanticForm())
      return true;
    for (const Expr *Init : List->inits())
      if (Init->isGLValue())
        exposed(Init);
    return true;
  }
  bool VisitCXXParenListInitExpr(const CXXParenListInitExpr *List) override {
    for (const Expr *Init : List->getInitExprs())
      if (Init->isGLValue())
        exposed(Init);
    return true;
  }
  bool VisitLambdaExpr(const LambdaExpr *Lambda) override {
    // What the body of a generic one does is not known before it is called; what a copy holds its
    // constructor says.
    if (Lambda->isGenericLambda()) {
      struct Mentioned : ConstDynamicRecursiveASTVisitor {
        AssignmentFinder &Of;
        explicit Mentioned(AssignmentFinder &Of) : Of(Of) {}
        bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
          Of.exposed(Ref);
          return true;
        }
      } V(*this);
      V.TraverseStmt(Lambda->getBody());
    }
    for (const LambdaCapture &C : Lambda->captures())
      if (C.capturesVariable() && C.getCaptureKind() == LCK_ByCopy)
        if (const CXXRecordDecl *Record = C.getCapturedVar()->getType()->getAsCXXRecordDecl();
            Record && Record->hasDefinition() && !Record->hasTrivialCopyConstructor())
          lost(C.getCapturedVar());
    return true;
  }
  bool VisitGCCAsmStmt(const GCCAsmStmt *Asm) override {
    for (unsigned I = 0; I < Asm->getNumOutputs(); ++I)
      exposed(Asm->getOutputExpr(I));
    return true;
  }
  bool VisitCallExpr(const CallExpr *Call) override {
    const FunctionDecl *Callee = Call->getDirectCallee();
    const auto *Method = dyn_cast_or_null<CXXMethodDecl>(Callee);
    const unsigned Shift = objectArguments(Call);
    for (unsigned I = 0, N = Call->getNumArgs(); I != N; ++I) {
      const Expr *Arg = Call->getArg(I);
      if (Shift && I == 0) { // `v = w`, `v += n`
        if (isTrivialAssignment(Method) && N == 2)
          Out.push_back({nullptr, Call->getArg(1), Arg});
        else if (!Keeps(Method))
          exposed(Arg);
        continue;
      }
      if (!Arg->isGLValue())
        continue;
      if (Callee && I - Shift < Callee->getNumParams() &&
          (!Callee->getParamDecl(I - Shift)->getType()->isReferenceType() ||
           KeepsArgument(Callee, I - Shift)))
        continue;
      exposed(Arg);
    }
    return true;
  }
};

} // namespace

static bool isPointerArray(QualType T) {
  return T->isArrayType() && T->getBaseElementTypeUnsafe()->isPointerType();
}

static bool isPointerField(const FieldDecl *Field) {
  const QualType T = Field->getType();
  return T->isAnyPointerType() || T->isMemberPointerType() || T->isReferenceType() ||
         isPointerArray(T);
}

/// Setting another member of a union may set a pointer.
static bool inUnion(QualType T) {
  return anyField(T, [](const FieldDecl *Field) {
    return Field->getParent()->isUnion() &&
           (isPointerField(Field) || anyField(Field->getType(), isPointerField));
  });
}

bool holdsPointers(QualType T) {
  return !T.isNull() && !T->isDependentType() && (isPointerArray(T) || anyField(T, isPointerField));
}

Pointers::Assignments Pointers::assignments() const {
  auto Keeps = [this](const CXXMethodDecl *Method) { return keeps(Method); };
  auto KeepsArgument = [this](const FunctionDecl *Callee, unsigned I) {
    auto [Known, New] = outermost().Kept.try_emplace({Callee, I}, false);
    if (New)
      Known->second = keepsPointers(Callee, I, Context, outermost().Function);
    return Known->second;
  };
  AssignmentFinder V(Keeps, KeepsArgument);
  V.TraverseStmt(Function->getBody());
  if (const auto *Ctor = dyn_cast<CXXConstructorDecl>(Function))
    for (const CXXCtorInitializer *Init : Ctor->inits())
      V.TraverseStmt(Init->getInit());
  return {std::move(V.Out), std::move(V.Declared)};
}

void Pointers::compute() {
  if (!Function->hasBody())
    return;
  const bool IsKernel = Function->hasAttr<CUDAGlobalAttr>();
  for (const ParmVarDecl *Param : Function->parameters()) {
    if (PointsTo.count(Param))
      continue;
    // What the host passes points to global memory, also in a structure.
    if (isPointerLike(Param->getType()))
      PointsTo[Param] = {{Param, IsKernel ? Space::Global : Space::Unknown}};
    else if (holdsPointers(Param->getType()))
      PointsTo[Param] = {IsKernel && !inUnion(Param->getType()) ? MemoryRoot{Param, Space::Global}
                                                                : MemoryRoot()};
  }
  // Collect the assignments once, then iterate to a fixed point.
  const Assignments V = assignments();
  for (const VarDecl *Var : V.Declared)
    PointsTo[Var];
  auto ValueOf = [&](const Expr *E) {
    return E->getType()->isPointerType() ? pointees(E) : held(E);
  };
  bool Changed = true;
  while (Changed) {
    Changed = false;
    for (const Assignment &A : V.Out) {
      if (A.Var) {
        RootSet &Set = PointsTo[A.Var];
        size_t Before = Set.size();
        if (A.Value) {
          RootSet New = ValueOf(A.Value);
          Set.insert(New.begin(), New.end());
        } else {
          Set.insert(MemoryRoot());
        }
        Changed |= Set.size() != Before;
        continue;
      }
      if (!A.Value->getType()->isPointerType() && !holdsPointers(A.Value->getType()))
        continue;
      const RootSet New = ValueOf(A.Value);
      for (const MemoryRoot &Place : rootsOf(A.Place)) {
        if (!Place.Decl && Place.In != Space::Local && Place.In != Space::Global) {
          // Some pointer variable or other.
          for (auto &[Var, Set] : PointsTo)
            Changed |= Set.insert(MemoryRoot()).second;
        } else if (Place.Decl) {
          for (const MemoryRoot &R : New)
            Changed |= PointsTo[Place.Decl].insert(R).second;
        }
      }
    }
  }
}

//===-- Addresses that get elsewhere -----------------------------------------------===//

namespace {

/// Looks for ways of an address that are no assignment.
struct OtherWays : ConstDynamicRecursiveASTVisitor {
  ASTContext &Context;
  function_ref<bool(const Expr *)> IsGlobal;   ///< a pointer, or an object that holds some
  function_ref<bool(const Expr *)> IsFollowed; ///< the lvalue is a part of the function's variables
  /// The lvalue is one of these, or somewhere in memory.
  function_ref<bool(const Expr *)> IsSeen;
  std::set<const Expr *> Subscripted; ///< arrays of which one element is named
  bool Kept = true;

  OtherWays(ASTContext &Context, function_ref<bool(const Expr *)> IsGlobal,
            function_ref<bool(const Expr *)> IsFollowed, function_ref<bool(const Expr *)> IsSeen)
      : Context(Context), IsGlobal(IsGlobal), IsFollowed(IsFollowed), IsSeen(IsSeen) {
    ShouldVisitImplicitCode = true;
  }
  void getsAway(const Expr *Value) { Kept &= IsGlobal(Value); }

  static bool hasPointers(QualType T) { return T->isPointerType() || holdsPointers(T); }
  /// Somebody gets the place of \p Object, and may take its bytes from there. Of the function's own
  /// variables it is seen what they are set to; of what a reference or `this` stands for it is not.
  void looksAt(const Expr *Object) {
    Kept &= !Object->isGLValue() || !hasPointers(Object->getType()) || IsSeen(Object);
  }

  bool VisitArraySubscriptExpr(const ArraySubscriptExpr *Sub) override {
    Subscripted.insert(Sub->getBase()->IgnoreParens());
    return true;
  }
  bool VisitUnaryOperator(const UnaryOperator *Op) override {
    if (Op->getOpcode() == UO_AddrOf)
      looksAt(Op->getSubExpr());
    return Kept;
  }
  bool VisitCastExpr(const CastExpr *Cast) override {
    const Expr *From = Cast->getSubExpr();
    if (Cast->getCastKind() == CK_PointerToIntegral)
      getsAway(From);
    // `__builtin_bit_cast`, of an object that may be a part of one.
    if (Cast->getCastKind() == CK_LValueToRValueBitCast && hasPointers(From->getType()))
      getsAway(From);
    // `reinterpret_cast<const char (&)[8]>(p)`, `memcpy(to, pointers, 16)`
    if (Cast->getCastKind() == CK_LValueBitCast ||
        (Cast->getCastKind() == CK_ArrayToPointerDecay && !Subscripted.count(Cast)))
      looksAt(From);
    return Kept;
  }
  // `std::exchange(slots[0], p)`, `cuda::atomic_ref(slots[0])`: what the library puts there it was
  // given, or will be; and of `std::addressof(p)` it takes the address.
  void give(const Expr *Arg) {
    const QualType T = Arg->getType();
    if (Arg->isGLValue() ? !hasPointers(T)
                         : !T->isPointerType() || !hasPointers(T->getPointeeType()))
      return;
    Kept &= Arg->isGLValue() && IsFollowed(Arg) && (!T->isPointerType() || IsGlobal(Arg));
  }
  bool VisitCallExpr(const CallExpr *Call) override {
    const FunctionDecl *Callee = Call->getDirectCallee();
    if (!Callee || !isOfToolkit(Callee, Context))
      return true;
    const CallOperands Operands = operandsOf(Call);
    if (Operands.Object)
      give(Operands.Object);
    for (const Expr *Arg : Operands.Args)
      give(Arg);
    return Kept;
  }
  bool VisitCXXConstructExpr(const CXXConstructExpr *Construct) override {
    if (isOfToolkit(Construct->getConstructor(), Context))
      for (const Expr *Arg : Construct->arguments())
        give(Arg);
    return Kept;
  }
  // Another member of a union may have the bytes of this one.
  bool VisitInitListExpr(const InitListExpr *List) override {
    if (inUnion(List->getType()))
      for (const Expr *Init : List->inits())
        if (hasPointers(Init->getType()))
          getsAway(Init);
    return Kept;
  }
  void initialises(const CXXCtorInitializer *Init) {
    if (const FieldDecl *Field = Init->getAnyMember();
        Field && Field->getParent()->isUnion() && hasPointers(Field->getType()))
      getsAway(Init->getInit());
    TraverseStmt(const_cast<Expr *>(Init->getInit()));
  }
  bool VisitCXXNewExpr(const CXXNewExpr *) override { return Kept = false; }
  bool VisitLambdaExpr(const LambdaExpr *Lambda) override {
    // Its parts are set where it is called, by code that may be a template still.
    return Kept &= !Lambda->isGenericLambda();
  }
  // An operand is an address to the instructions, or it is a value that they may put anywhere.
  bool VisitGCCAsmStmt(const GCCAsmStmt *Asm) override {
    const PtxText Text = readPtx(Asm, Context);
    const bool ToNumbers = Text.MovesOnly && all_of(seq(Asm->getNumOutputs()), [&](unsigned I) {
                             return Context.getTypeSize(Asm->getOutputExpr(I)->getType()) <= 32;
                           });
    for (unsigned I = 0; I < Asm->getNumInputs(); ++I) {
      const Expr *Operand = Asm->getInputExpr(I);
      if (Operand->getType()->isPointerType() && !ToNumbers &&
          !is_contained(Text.OnlyAddresses, Operand))
        getsAway(Operand);
    }
    return Kept;
  }
};

bool areGlobal(const RootSet &Roots) {
  return all_of(
      Roots, [](const MemoryRoot &R) { return R.In == Space::Global || R.In == Space::Constant; });
}

} // namespace

bool Pointers::keepsAddresses() const {
  if (!Function->hasBody())
    return false;
  auto IsGlobal = [this](const Expr *E) {
    return areGlobal(!E->getType()->isPointerType() ? held(E)
                     : E->isGLValue()               ? pointedFrom(E)
                                                    : pointees(E));
  };
  // Nobody else looks at the variable: what gets there is in sight.
  auto IsOwnVariable = [](const ValueDecl *D) {
    const auto *Var = dyn_cast_or_null<VarDecl>(D);
    return Var && !Var->hasGlobalStorage() && !Var->getType()->isReferenceType();
  };
  auto IsFollowed = [&](const Expr *Place) {
    return all_of(rootsOf(Place), [&](const MemoryRoot &R) {
      return (R.In == Space::Local || R.In == Space::Param) && (!R.Decl || IsOwnVariable(R.Decl));
    });
  };
  auto IsSeen = [&](const Expr *Place) {
    return all_of(rootsOf(Place), [&](const MemoryRoot &R) {
      return R.In == Space::Global || R.In == Space::Constant || R.In == Space::Shared ||
             ((R.In == Space::Local || R.In == Space::Param) && IsOwnVariable(R.Decl));
    });
  };
  const Assignments All = assignments();
  DeclSet<VarDecl> Lost;
  for (const Assignment &A : All.Out)
    if (const auto *Var = dyn_cast_or_null<VarDecl>(A.Var); Var && !A.Value)
      Lost.insert(Var);
  for (const VarDecl *Var : Lost)
    if (const auto *Param = dyn_cast<ParmVarDecl>(Var);
        Param && !Function->hasAttr<CUDAGlobalAttr>())
      return false; // what the callers gave
  for (const Assignment &A : All.Out) {
    if (!A.Value || (!A.Value->getType()->isPointerType() && !holdsPointers(A.Value->getType())))
      continue;
    bool GetsAway = false;
    auto IsLost = [&](const ValueDecl *D) {
      const auto *Var = dyn_cast_or_null<VarDecl>(D);
      return Var && Lost.count(Var);
    };
    if (A.Var)
      GetsAway = !IsOwnVariable(A.Var) || IsLost(A.Var);
    else
      GetsAway = !IsFollowed(A.Place) ||
                 any_of(rootsOf(A.Place), [&](const MemoryRoot &R) { return IsLost(R.Decl); });
    if (GetsAway && !IsGlobal(A.Value))
      return false;
  }
  OtherWays V(Context, IsGlobal, IsFollowed, IsSeen);
  V.TraverseStmt(const_cast<Stmt *>(Function->getBody()));
  if (const auto *Ctor = dyn_cast<CXXConstructorDecl>(Function))
    for (const CXXCtorInitializer *Init : Ctor->inits())
      V.initialises(Init);
  return V.Kept;
}

//===-- Calls -----------------------------------------------------------------===//

void Pointers::askCallers(CallSites &Calls, unsigned Depth, const GivenObjects *Given) {
  Callers = &Calls;
  if (Function->hasAttr<CUDAGlobalAttr>() || Depth > MaxCallDepth)
    return;
  pointersOfCallers(Calls, Depth);
  const GivenObjects &Objects = Given ? *Given : givenObjects(Function, Context, Calls, Depth);
  auto PassedByValue = [&](const VarDecl *Var, QualType T) {
    if (holdsPointers(T))
      PointsTo[Var] = {Objects.LeadToGlobal.count(Var) ? MemoryRoot{Var, Space::Global}
                                                       : MemoryRoot()};
    return RootSet{{Var, Space::Param}};
  };
  for (const ParmVarDecl *Param : Objects.References)
    Bound[Param] = PassedByValue(Param, Param->getType()->getPointeeType());
  if (Objects.This)
    This = PassedByValue(Objects.This, Objects.This->getType());
}

void Pointers::pointersOfCallers(CallSites &Calls, unsigned Depth) {
  auto Matters = [](const ParmVarDecl *Param) {
    return Param->getType()->isPointerType() || holdsPointers(Param->getType());
  };
  if (none_of(Function->parameters(), Matters))
    return;
  struct GlobalParameters {
    DeclSet<ParmVarDecl> All;
  };
  auto Find = [&] {
    GlobalParameters Global;
    const std::vector<CallSite> *Sites = Calls.of(Function);
    if (!Sites)
      return Global;
    for (const ParmVarDecl *Param : Function->parameters())
      if (Matters(Param) && !Param->getType()->isReferenceType())
        Global.All.insert(Param);
    for (const CallSite &S : *Sites) {
      Pointers Caller(Context, S.Caller);
      Caller.askCallers(Calls, Depth + 1);
      Caller.compute();
      for (auto It = Global.All.begin(); It != Global.All.end();) {
        const unsigned I = (*It)->getFunctionScopeIndex() + objectArguments(S.Call);
        RootSet Roots = {MemoryRoot()};
        if (I < S.Call->getNumArgs())
          Roots = (*It)->getType()->isPointerType() ? Caller.pointees(S.Call->getArg(I))
                                                    : Caller.held(S.Call->getArg(I));
        const bool Yes = !Roots.empty() &&
                         all_of(Roots, [](const MemoryRoot &R) { return R.In == Space::Global; });
        It = Yes ? std::next(It) : Global.All.erase(It);
      }
    }
    return Global;
  };
  for (const ParmVarDecl *Param : Calls.once<GlobalParameters>(Function, Find).All)
    PointsTo[Param] = {{Param, Space::Global}};
}

bool Pointers::isRunning(const FunctionDecl *Callee) const {
  for (const Pointers *I = this; I; I = I->Parent)
    if (I->Function == Callee)
      return true;
  return false;
}

bool Pointers::mayEnter(const FunctionDecl *Callee) const {
  return !isRunning(Callee) && Depth < MaxCallDepth &&
         (Depth < FreeCallDepth || ++outermost().EnteredDeep <= MaxEnteredDeep);
}

bool Pointers::isOwn(const MemoryRoot &R) const {
  if (!Parent || !R.Decl || R.In == Space::Shared || R.In == Space::Global)
    return false;
  // `[n = 0]() mutable { return n++; }`: the closure lives outside, and the variable with it.
  if (const auto *Var = dyn_cast<VarDecl>(R.Decl); Var && Var->isInitCapture())
    return false;
  const auto *Owner = dyn_cast<FunctionDecl>(R.Decl->getDeclContext());
  return Owner && Owner == Function;
}

static const MaterializeTemporaryExpr *asTemporary(const Expr *E) {
  for (E = E->IgnoreParens(); const auto *Cast = dyn_cast<ImplicitCastExpr>(E);)
    E = Cast->getSubExpr()->IgnoreParens();
  return dyn_cast<MaterializeTemporaryExpr>(E);
}

void Pointers::bindArguments(Pointers &Inner, ArrayRef<const Expr *> Args,
                             const Expr *Object) const {
  const MaterializeTemporaryExpr *Temporary = Object ? asTemporary(Object) : nullptr;
  if (Temporary && holdsPointers(Temporary->getType()) && !inUnion(Temporary->getType())) {
    // `a[i][j]` of an accessor: an object that lives as long as the call, with its pointers.
    const ImplicitParamDecl *Stands = outermost().temporaryOf(Inner.Function);
    Inner.This = {{Stands, Space::Local}};
    Inner.PointsTo[Stands] = held(Temporary->getSubExpr());
  } else if (Object) {
    Inner.This = Object->getType()->isPointerType() ? pointees(Object)
                 : Object->isGLValue()              ? rootsOf(Object)
                                                    : RootSet{MemoryRoot()};
  }
  for (unsigned I = 0; I < Args.size() && I < Inner.Function->getNumParams(); ++I) {
    const ParmVarDecl *Param = Inner.Function->getParamDecl(I);
    const QualType T = Param->getType();
    if (T->isReferenceType()) {
      Inner.Bound[Param] = rootsOf(Args[I]);
      // A reference to a pointer variable: what it points to.
      if (T->getPointeeType()->isPointerType())
        for (const MemoryRoot &R : Inner.Bound[Param])
          if (R.Decl) {
            RootSet Set = pointsToOf(R.Decl);
            Inner.PointsTo[Param].insert(Set.begin(), Set.end());
          }
    } else if (T->isPointerType()) {
      Inner.PointsTo[Param] = pointees(Args[I]);
    } else if (holdsPointers(T)) {
      Inner.PointsTo[Param] = inUnion(T) ? RootSet{MemoryRoot()} : held(Args[I]);
    }
  }
}

RootSet Pointers::returned(const CallExpr *Call,
                           function_ref<RootSet(const Pointers &, const Expr *)> Of) const {
  const FunctionDecl *Callee = Call->getDirectCallee(), *Body = nullptr;
  const auto *Method = dyn_cast_or_null<CXXMethodDecl>(Callee);
  if (!Callee || (Method && Method->isVirtual()) || isLibraryFunction(Callee, Context) ||
      !Callee->hasBody(Body) || Body->isDependentContext() || !mayEnter(Body))
    return {MemoryRoot()};
  if (++outermost().Followed > MaxFollowed)
    return {MemoryRoot()};
  auto [Object, Args] = operandsOf(Call);
  if (Method && Method->getParent()->isLambda())
    Object = nullptr; // the captured variables are those around it
  Pointers Inner(Context, Body, this);
  bindArguments(Inner, Args, Object);
  Inner.compute();
  const std::vector<const Expr *> Values = returnedValues(Body->getBody());
  if (Values.empty())
    return {MemoryRoot()};
  RootSet Result;
  for (const Expr *Value : Values)
    for (const MemoryRoot &R : Of(Inner, Value))
      Result.insert(Inner.isOwn(R) ? MemoryRoot() : R);
  return Result;
}

//===-- Objects that hold pointers ----------------------------------------------===//

const Pointers &Pointers::outermost() const {
  const Pointers *Outermost = this;
  while (Outermost->Parent)
    Outermost = Outermost->Parent;
  return *Outermost;
}

const ImplicitParamDecl *Pointers::temporaryOf(const FunctionDecl *Callee) const {
  const ImplicitParamDecl *&Known = Temporaries[Callee];
  if (!Known)
    Known = ImplicitParamDecl::Create(
        Context, const_cast<FunctionDecl *>(Callee), Callee->getLocation(),
        &Context.Idents.get("this"),
        Context.getCanonicalTagType(cast<CXXMethodDecl>(Callee)->getParent()),
        ImplicitParamKind::CXXThis);
  return Known;
}

ObjectUse Pointers::useOf(const CXXMethodDecl *Method) const {
  auto [Known, New] = outermost().Used.try_emplace(Method, ObjectUse::MayChange);
  if (New)
    Known->second = useOfObject(Method, Context, outermost().Function);
  return Known->second;
}

bool Pointers::isHolder(const MemoryRoot &R) const {
  const auto *Var = dyn_cast_or_null<VarDecl>(R.Decl);
  return Var && (R.In == Space::Local || R.In == Space::Param) &&
         holdsPointers(Var->getType().getNonReferenceType());
}

RootSet Pointers::held(const Expr *E) const {
  E = E->IgnoreParens();
  auto Merge = [](RootSet A, const RootSet &B) {
    A.insert(B.begin(), B.end());
    return A;
  };
  if (E->isGLValue()) {
    if (const auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(E))
      return held(Temporary->getSubExpr());
    if (const auto *Cast = dyn_cast<CastExpr>(E); Cast && Cast->getCastKind() != CK_LValueBitCast)
      return held(Cast->getSubExpr());
    RootSet Result;
    for (const MemoryRoot &R : rootsOf(E))
      Result = Merge(std::move(Result), isHolder(R) ? pointsToOf(R.Decl) : pointeesInMemory(R));
    return Result;
  }
  if (const auto *Wrapped = dyn_cast<FullExpr>(E))
    return held(Wrapped->getSubExpr());
  if (const auto *Bound = dyn_cast<CXXBindTemporaryExpr>(E))
    return held(Bound->getSubExpr());
  if (const auto *Member = dyn_cast<CXXDefaultInitExpr>(E))
    return Member->getExpr()->getType()->isPointerType() ? pointees(Member->getExpr())
                                                         : held(Member->getExpr());
  if (const auto *Cast = dyn_cast<CastExpr>(E)) {
    // What else changes the type may make a pointer of numbers.
    const bool Same = is_contained({CK_NoOp, CK_LValueToRValue, CK_ConstructorConversion,
                                    CK_UserDefinedConversion, CK_DerivedToBase,
                                    CK_UncheckedDerivedToBase, CK_BaseToDerived},
                                   Cast->getCastKind());
    return Same ? held(Cast->getSubExpr()) : RootSet{MemoryRoot()};
  }
  if (const auto *Cond = dyn_cast<ConditionalOperator>(E))
    return Merge(held(Cond->getTrueExpr()), held(Cond->getFalseExpr()));
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(E))
    return constructed(Construct);
  if (const auto *Call = dyn_cast<CallExpr>(E))
    return returned(Call,
                    [](const Pointers &Inner, const Expr *Value) { return Inner.held(Value); });
  if (isa<ImplicitValueInitExpr>(E) || isa<CXXScalarValueInitExpr>(E))
    return {};
  if (const auto *List = dyn_cast<InitListExpr>(E)) {
    RootSet Result;
    for (const Expr *Init : List->inits()) {
      if (Init->isGLValue()) // a member of reference type
        Result = Merge(std::move(Result), bound(Init));
      else if (isa<CXXDefaultInitExpr>(Init) || holdsPointers(Init->getType()))
        Result = Merge(std::move(Result), held(Init));
      else if (Init->getType()->isPointerType())
        Result = Merge(std::move(Result), pointees(Init));
    }
    return Result;
  }
  return {MemoryRoot()};
}

RootSet Pointers::constructed(const CXXConstructExpr *Construct) const {
  const CXXConstructorDecl *Ctor = Construct->getConstructor();
  if (Ctor->isCopyOrMoveConstructor() && Construct->getNumArgs() >= 1 && Ctor->isTrivial())
    return held(Construct->getArg(0));
  if (Ctor->isTrivial() && Ctor->isDefaultConstructor())
    return {};
  const FunctionDecl *Body = nullptr;
  if (isLibraryFunction(Ctor, Context) || !Ctor->hasBody(Body) || Body->isDependentContext() ||
      !mayEnter(Body))
    return {MemoryRoot()};
  const auto *Block = dyn_cast_or_null<CompoundStmt>(Body->getBody());
  const bool OnlyMembers = Block && Block->body_empty();
  if (!OnlyMembers && (!Block || !setsPointersByName(Block)))
    return {MemoryRoot()};
  Pointers Inner(Context, Body, this);
  bindArguments(Inner, ArrayRef<const Expr *>(Construct->getArgs(), Construct->getNumArgs()),
                nullptr);
  const ImplicitParamDecl *Stands = OnlyMembers ? nullptr : outermost().temporaryOf(Body);
  if (Stands)
    Inner.This = {{Stands, Space::Local}};
  else
    Inner.compute();
  RootSet Result;
  for (const CXXCtorInitializer *Init : cast<CXXConstructorDecl>(Body)->inits()) {
    const Expr *Value = Init->getInit();
    if (!isPlainInitializer(Value))
      return {MemoryRoot()};
    if (Stands) // what is set next may be made of that
      Inner.PointsTo[Stands] = Result;
    if (const FieldDecl *Field = Init->getAnyMember();
        Field && Field->getType()->isReferenceType()) {
      for (const MemoryRoot &R : Inner.bound(Value))
        Result.insert(Inner.isOwn(R) ? MemoryRoot() : R);
      continue;
    }
    if (!Value->getType()->isPointerType() && !holdsPointers(Value->getType()))
      continue;
    const bool Holds = isa<CXXDefaultInitExpr>(Value) || !Value->getType()->isPointerType();
    for (const MemoryRoot &R : Holds ? Inner.held(Value) : Inner.pointees(Value))
      Result.insert(Inner.isOwn(R) ? MemoryRoot() : R);
  }
  if (Stands) {
    Inner.PointsTo[Stands] = Result;
    Inner.compute();
    for (const MemoryRoot &R : Inner.pointsToOf(Stands))
      Result.insert(Inner.isOwn(R) || (!R.Decl && R.In == Space::Local) ? MemoryRoot() : R);
  }
  return Result;
}

namespace {

/// What is done with the object of a constructor in its body.
struct UsesOfNewObject : ConstDynamicRecursiveASTVisitor {
  function_ref<bool(const CXXMethodDecl *)>
      Keeps;                   ///< the method leaves the object's pointers alone
  DenseSet<const Expr *> Seen; ///< members whose use is one of these
  bool Others = false;
  explicit UsesOfNewObject(function_ref<bool(const CXXMethodDecl *)> Keeps) : Keeps(Keeps) {
    ShouldVisitImplicitCode = true;
  }

  /// The lvalue \p E is read, or set as a whole.
  void named(const Expr *E) {
    E = E->IgnoreParens();
    if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(E)) // an element of an array
      if (const auto *Cast = dyn_cast<ImplicitCastExpr>(Sub->getBase()->IgnoreParens());
          Cast && Cast->getCastKind() == CK_ArrayToPointerDecay)
        E = Cast->getSubExpr()->IgnoreParens();
    const auto *Member = dyn_cast<MemberExpr>(E);
    const auto *Field = Member ? dyn_cast<FieldDecl>(Member->getMemberDecl()) : nullptr;
    const QualType T = Field ? Field->getType() : QualType();
    if (Field && !Field->getParent()->isUnion() &&
        (T->isPointerType() || T->getBaseElementTypeUnsafe()->isArithmeticType()))
      Seen.insert(Member);
  }
  bool VisitBinaryOperator(const BinaryOperator *Op) override {
    if (Op->isAssignmentOp())
      named(Op->getLHS());
    return true;
  }
  bool VisitUnaryOperator(const UnaryOperator *Op) override {
    if (Op->isIncrementDecrementOp())
      named(Op->getSubExpr());
    return true;
  }
  bool VisitCastExpr(const CastExpr *Cast) override {
    if (Cast->getCastKind() == CK_LValueToRValue)
      named(Cast->getSubExpr());
    return true;
  }
  bool VisitCXXMemberCallExpr(const CXXMemberCallExpr *Call) override {
    if (const CXXMethodDecl *Method = Call->getMethodDecl(); Method && Keeps(Method))
      Seen.insert(Call->getCallee()->IgnoreParens());
    return true;
  }
  bool VisitMemberExpr(const MemberExpr *Member) override {
    if (Member->isArrow() && isa<CXXThisExpr>(Member->getBase()->IgnoreParenImpCasts())) {
      Others |= !Seen.contains(Member);
      ++OfMembers;
    }
    return true;
  }
  bool VisitCXXThisExpr(const CXXThisExpr *) override {
    ++All;
    return true;
  }
  bool VisitLambdaExpr(const LambdaExpr *) override {
    Others = true;
    return true;
  }
  bool onlySeen() const { return !Others && All == OfMembers; }

private:
  unsigned OfMembers = 0, All = 0;
};

} // namespace

/// The body of a constructor sets pointers of the object by the names of members alone, and nobody
/// else gets to it.
bool Pointers::setsPointersByName(const Stmt *Body) const {
  const auto Keeps = [this](const CXXMethodDecl *Method) { return keeps(Method); };
  UsesOfNewObject V(Keeps);
  V.TraverseStmt(Body);
  return V.onlySeen();
}

bool Pointers::keeps(const CXXMethodDecl *Method) const {
  auto [Known, New] = outermost().KeptObjects.try_emplace(Method, false);
  if (New)
    Known->second = keepsPointers(Method, Context, outermost().Function);
  return Known->second;
}

/// It sets what it initialises, and nothing besides: not another member by `this`, nor what it is
/// made of.
bool Pointers::isPlainInitializer(const Expr *Init) const {
  Init = Init->IgnoreParens();
  if (const auto *Wrapped = dyn_cast<FullExpr>(Init))
    return isPlainInitializer(Wrapped->getSubExpr());
  if (const auto *Member = dyn_cast<CXXDefaultInitExpr>(Init))
    return isPlainInitializer(Member->getExpr());
  if (const auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(Init))
    return isPlainInitializer(Temporary->getSubExpr());
  if (const auto *Cast = dyn_cast<CastExpr>(Init))
    return isPlainInitializer(Cast->getSubExpr());
  if (const auto *List = dyn_cast<InitListExpr>(Init))
    return all_of(List->inits(), [&](const Expr *E) { return isPlainInitializer(E); });
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(Init)) {
    const CXXConstructorDecl *Ctor = Construct->getConstructor();
    if (!all_of(Construct->arguments(), [&](const Expr *E) { return isPlainInitializer(E); }))
      return false;
    if (Ctor->isTrivial() || isCudaNumber(Ctor->getParent()))
      return true;
    const FunctionDecl *Body = nullptr;
    if (isLibraryFunction(Ctor, Context) || !Ctor->hasBody(Body) || !mayEnter(Body))
      return false;
    const auto *Block = dyn_cast_or_null<CompoundStmt>(Body->getBody());
    return Block && Block->body_empty() &&
           all_of(cast<CXXConstructorDecl>(Body)->inits(), [&](const CXXCtorInitializer *I) {
             return !I->getInit()->HasSideEffects(Context) || isPlainInitializer(I->getInit());
           });
  }
  return !Init->HasSideEffects(Context);
}

/// An object of type \p T has one of type \p Part in it, which may be a byte of it.
static bool mayHold(QualType T, QualType Part, const ASTContext &Context) {
  T = Context.getBaseElementType(T).getCanonicalType().getUnqualifiedType();
  if (T->isCharType() || T->isDependentType() || T->isIncompleteType())
    return true;
  if (T->isIntegerType() && Part->isIntegerType())
    return Context.getTypeSize(T) == Context.getTypeSize(Part); // signed or not
  return T == Part || (T->isRecordType() && anyField(T, [&](const FieldDecl *Field) {
                         return Field->getParent()->isUnion() ||
                                mayHold(Field->getType(), Part, Context);
                       }));
}

/// Of what the pointers in one object point to, what the one of type \p Pointer may, without
/// parameters of the function that have no such number in them (C++ [basic.lval]): `float *data;
/// const int *sizes;`, of which the sizes are a part of the object itself. Registers are looked at
/// as something else in many a kernel, and stay.
RootSet Pointers::ofType(const RootSet &Roots, QualType Pointer) const {
  if (!Pointer->isPointerType())
    return Roots;
  const QualType To = Pointer->getPointeeType().getCanonicalType().getUnqualifiedType();
  if (!To->isArithmeticType() || To->isCharType())
    return Roots;
  RootSet Out;
  for (const MemoryRoot &R : Roots)
    if (const auto *Var = dyn_cast_or_null<VarDecl>(R.Decl);
        !Var || R.In != Space::Param || mayHold(Var->getType().getNonReferenceType(), To, Context))
      Out.insert(R);
  return Out.empty() ? Roots : Out;
}

/// A variable that holds pointers or references. Bytes and numbers in which a pointer was put are
/// set in other ways, too.
static const VarDecl *asHolder(const MemoryRoot &R) {
  const auto *Var = dyn_cast_or_null<VarDecl>(R.Decl);
  const QualType T = Var ? Var->getType().getNonReferenceType() : QualType();
  return Var && (R.In == Space::Local || R.In == Space::Param) &&
                 (T->isPointerType() || holdsPointers(T))
             ? Var
             : nullptr;
}

/// What a member of reference type is bound to, by its initialiser.
RootSet Pointers::bound(const Expr *Init) const {
  if (!Init->isGLValue() || isa<CXXDefaultInitExpr>(Init))
    return {MemoryRoot()};
  RootSet Result;
  for (const MemoryRoot &R : rootsOf(Init))
    Result.insert(R == MemoryRoot() ? R : MemoryRoot{R.Decl, R.In, /*ByReference=*/true});
  return Result;
}

/// What a member of reference type stands for, of an object in \p Places. Such a member is bound
/// once, where the object is made; one that somebody else has made leads where its pointers do.
RootSet Pointers::referredTo(const RootSet &Places) const {
  RootSet Result;
  for (const MemoryRoot &Place : Places) {
    const VarDecl *Holder = asHolder(Place);
    for (const MemoryRoot &R : Holder ? pointsToOf(Holder) : pointeesInMemory(Place))
      if (R.ByReference || !R.Decl || R.Decl == Holder)
        Result.insert({R.Decl, R.In});
  }
  return Result.empty() ? RootSet{MemoryRoot()} : Result;
}

/// What the pointer in the lvalue \p Place may point to.
RootSet Pointers::pointedFrom(const Expr *Place) const {
  Place = Place->IgnoreParens();
  auto FromRoots = [&] {
    RootSet Result;
    for (const MemoryRoot &Where : rootsOf(Place)) {
      const VarDecl *Holder = asHolder(Where);
      for (const MemoryRoot &R : Holder ? pointsToOf(Holder) : pointeesInMemory(Where))
        if (!R.ByReference)
          Result.insert(R);
    }
    return Result.empty() ? RootSet{MemoryRoot()} : ofType(Result, Place->getType());
  };
  if (const auto *Ref = dyn_cast<DeclRefExpr>(Place)) {
    const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
    return Var && !Var->getType()->isReferenceType() ? pointsToOf(Var) : FromRoots();
  }
  if (const auto *Op = dyn_cast<UnaryOperator>(Place); Op && Op->isIncrementDecrementOp())
    return pointedFrom(Op->getSubExpr());
  if (const auto *Op = dyn_cast<BinaryOperator>(Place)) {
    if (Op->isAssignmentOp())
      return pointedFrom(Op->getLHS());
    if (Op->getOpcode() == BO_Comma)
      return pointedFrom(Op->getRHS());
  }
  return FromRoots();
}

/// The object that the variable is. One of file scope may be declared more than once.
static MemoryRoot rootOf(const VarDecl *Var) {
  const Space In = spaceOf(Var);
  return {In == Space::Global || In == Space::Constant ? Var->getCanonicalDecl() : Var, In};
}

RootSet Pointers::pointeesInMemory(const MemoryRoot &Place) const {
  if (Place.In != Space::Global && Place.In != Space::Constant && Place.In != Space::Shared)
    return {MemoryRoot()};
  const Pointers &First = outermost();
  if (!First.MemoryPointsToGlobal)
    First.MemoryPointsToGlobal = keepAddresses(First.Function, Context, First.Callers);
  return *First.MemoryPointsToGlobal ? RootSet{{nullptr, Space::Global}} : RootSet{MemoryRoot()};
}

/// What say() has been told of \p Var.
const MemoryRoot *Pointers::said(const ValueDecl *Var) const {
  if (!Said)
    return nullptr;
  const auto It = Said->find(dyn_cast<VarDecl>(Var));
  return It == Said->end() ? nullptr : &It->second;
}

RootSet Pointers::pointsToOf(const ValueDecl *Var) const {
  if (const MemoryRoot *Known = said(Var))
    return {*Known};
  // A pointer that outlives the function was set by somebody else as well.
  if (const auto *V = dyn_cast<VarDecl>(Var); V && V->hasGlobalStorage())
    return pointeesInMemory(rootOf(V));
  // A lambda or a called function may set the pointers of those around it, too.
  RootSet Result;
  bool Known = false;
  for (const Pointers *I = this; I; I = I->Parent) {
    auto It = I->PointsTo.find(Var);
    if (It != I->PointsTo.end()) {
      Result.insert(It->second.begin(), It->second.end());
      Known = true;
    }
    if (Var->getDeclContext() == I->Function)
      break;
  }
  return Known ? Result : RootSet{MemoryRoot()};
}

RootSet Pointers::rootsOf(const Expr *E) const {
  E = E->IgnoreParens();
  if (const auto *List = dyn_cast<InitListExpr>(E);
      List && E->isGLValue() && List->getNumInits() == 1)
    return rootsOf(List->getInit(0)); // `float (&r)[64]{tile};`
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E)) {
    const ValueDecl *D = Ref->getDecl();
    for (const Pointers *I = this; I; I = I->Parent) {
      auto It = I->Bound.find(D);
      if (It != I->Bound.end())
        return It->second;
    }
    if (const auto *Var = dyn_cast<VarDecl>(D)) {
      if (Var->getType()->isReferenceType()) {
        if (const MemoryRoot *Known = said(Var))
          return {*Known};
        if (isa<ParmVarDecl>(Var) || !Var->hasInit())
          return {{Var, Space::Unknown}};
        // `int &r = r;` is allowed, and refers to nothing.
        if (!Following.insert(Var).second)
          return {MemoryRoot()};
        RootSet Roots = rootsOf(Var->getInit());
        Following.erase(Var);
        return Roots;
      }
      return {rootOf(Var)};
    }
    if (const auto *Binding = dyn_cast<BindingDecl>(D))
      return Binding->getBinding() ? rootsOf(Binding->getBinding()) : RootSet{MemoryRoot()};
    return {{D, spaceOf(D)}};
  }
  if (const auto *Member = dyn_cast<MemberExpr>(E)) {
    if (const auto *Static = dyn_cast<VarDecl>(Member->getMemberDecl());
        Static && !Static->getType()->isReferenceType())
      return {rootOf(Static)};
    const RootSet Object =
        Member->isArrow() ? pointees(Member->getBase()) : rootsOf(Member->getBase());
    if (!Member->getMemberDecl()->getType()->isReferenceType())
      return Object;
    return isa<FieldDecl>(Member->getMemberDecl()) ? referredTo(Object) : RootSet{MemoryRoot()};
  }
  if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(E))
    return pointees(Sub->getBase());
  if (const auto *Op = dyn_cast<UnaryOperator>(E)) {
    switch (Op->getOpcode()) {
    case UO_Deref:
      return pointees(Op->getSubExpr());
    case UO_PreInc:
    case UO_PreDec:
      return rootsOf(Op->getSubExpr());
    default:
      return {MemoryRoot()};
    }
  }
  if (const auto *Cast = dyn_cast<CastExpr>(E)) {
    if (Cast->getCastKind() == CK_LValueBitCast || Cast->getCastKind() == CK_NoOp ||
        Cast->getCastKind() == CK_DerivedToBase || Cast->getCastKind() == CK_UncheckedDerivedToBase)
      return rootsOf(Cast->getSubExpr());
    if (Cast->isGLValue())
      return rootsOf(Cast->getSubExpr());
    return {{nullptr, Space::Local}};
  }
  if (const auto *Cond = dyn_cast<ConditionalOperator>(E)) {
    RootSet A = rootsOf(Cond->getTrueExpr()), B = rootsOf(Cond->getFalseExpr());
    A.insert(B.begin(), B.end());
    return A;
  }
  if (const auto *Op = dyn_cast<BinaryOperator>(E)) {
    if (Op->isAssignmentOp())
      return rootsOf(Op->getLHS());
    if (Op->getOpcode() == BO_Comma)
      return rootsOf(Op->getRHS());
    if (Op->isPtrMemOp()) // `s[i].*member`: something of `s[i]`
      return Op->getOpcode() == BO_PtrMemI ? pointees(Op->getLHS()) : rootsOf(Op->getLHS());
  }
  // `auto &&at = 0;`: an object of the function's that has this name alone.
  if (const auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(E))
    return {{Temporary->getExtendingDecl(), Space::Local}};
  if (isa<CXXThisExpr>(E))
    return {{nullptr, Space::Local}};
  if (const auto *Wrapped = dyn_cast<FullExpr>(E))
    return rootsOf(Wrapped->getSubExpr());
  if (const auto *Sub = dyn_cast<SubstNonTypeTemplateParmExpr>(E))
    return rootsOf(Sub->getReplacement());
  if (const auto *Element = dyn_cast<ExtVectorElementExpr>(E))
    return rootsOf(Element->getBase());
  if (const auto *Call = dyn_cast<CallExpr>(E)) {
    // An overloaded assignment returns its left operand.
    if (const auto *Op = dyn_cast<CXXOperatorCallExpr>(Call))
      if (Op->isAssignmentOp() && Op->getNumArgs() > 0)
        return rootsOf(Op->getArg(0));
    if (!Call->getType()->isReferenceType() && !Call->isGLValue())
      return {{nullptr, Space::Local}}; // a temporary
    return returned(Call,
                    [](const Pointers &Inner, const Expr *Value) { return Inner.rootsOf(Value); });
  }
  if (!E->isGLValue())
    return {{nullptr, Space::Local}}; // a temporary object
  return {MemoryRoot()};
}

RootSet Pointers::pointees(const Expr *E) const {
  E = E->IgnoreParens();
  if (const auto *Cast = dyn_cast<CastExpr>(E)) {
    const Expr *Sub = Cast->getSubExpr();
    switch (Cast->getCastKind()) {
    case CK_ArrayToPointerDecay:
      if (isa<clang::StringLiteral>(Sub->IgnoreParens()))
        return {{nullptr, Space::Constant}};
      return rootsOf(Sub);
    case CK_LValueToRValue:
      return pointedFrom(Sub);
    case CK_NullToPointer:
      return {};
    case CK_NoOp:
    case CK_BitCast:
    case CK_AddressSpaceConversion:
    case CK_DerivedToBase:
    case CK_BaseToDerived:
    case CK_UncheckedDerivedToBase:
    case CK_UserDefinedConversion: // `T *tile = SharedMemory<T>();`: what the operator returns
      return pointees(Sub);
    default:
      return {MemoryRoot()};
    }
  }
  if (const auto *Op = dyn_cast<UnaryOperator>(E)) {
    if (Op->getOpcode() == UO_AddrOf)
      return rootsOf(Op->getSubExpr());
    if (Op->isIncrementDecrementOp())
      return pointedFrom(Op->getSubExpr());
    return {MemoryRoot()};
  }
  if (const auto *Op = dyn_cast<BinaryOperator>(E)) {
    if (Op->isAdditiveOp())
      return pointees(Op->getLHS()->getType()->isPointerType() ? Op->getLHS() : Op->getRHS());
    if (Op->getOpcode() == BO_Comma)
      return pointees(Op->getRHS());
    if (Op->isCompoundAssignmentOp())
      return pointedFrom(Op->getLHS());
    return {MemoryRoot()};
  }
  if (const auto *Cond = dyn_cast<ConditionalOperator>(E)) {
    RootSet A = pointees(Cond->getTrueExpr()), B = pointees(Cond->getFalseExpr());
    A.insert(B.begin(), B.end());
    return A;
  }
  if (const auto *Sub = dyn_cast<SubstNonTypeTemplateParmExpr>(E))
    return pointees(Sub->getReplacement());
  if (const auto *Wrapped = dyn_cast<FullExpr>(E))
    return pointees(Wrapped->getSubExpr());
  if (const auto *Call = dyn_cast<CallExpr>(E)) {
    if (const FunctionDecl *Callee = Call->getDirectCallee())
      if (Callee->getIdentifier() && Callee->getName().starts_with("__builtin_assume_aligned") &&
          Call->getNumArgs() > 0)
        return pointees(Call->getArg(0));
    return returned(Call,
                    [](const Pointers &Inner, const Expr *Value) { return Inner.pointees(Value); });
  }
  if (const auto *List = dyn_cast<InitListExpr>(E);
      List && List->getNumInits() <= 1 && E->getType()->isPointerType())
    return List->getNumInits() ? pointees(List->getInit(0)) : RootSet(); // `float *p{tile};`
  if (isa<DeclRefExpr>(E) && E->getType()->isArrayType())
    return rootsOf(E);
  if (isa<CXXThisExpr>(E) && This)
    return *This;
  return {MemoryRoot()};
}

} // namespace cuda_pipeline
