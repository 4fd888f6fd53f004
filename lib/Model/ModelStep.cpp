//===- ModelStep.cpp - What the steps of the tile model share -----------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelStep.h"
#include "FloatWork.h"
#include "Names.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {

VarSet variables(const Effects &E, bool Reads, bool Writes) {
  VarSet Set;
  for (const Access &A : E.Accesses)
    if ((Reads && A.Read) || (Writes && A.Write))
      for (const MemoryRoot &R : A.Roots)
        if (R.In == Space::Local || R.In == Space::Param)
          if (const auto *Var = dyn_cast_or_null<VarDecl>(R.Decl))
            Set.insert(Var);
  return Set;
}

bool onlyPureActions(const Effects &E) {
  return all_of(E.Actions, [](const Action &A) {
    return A.LikeExpression ||
           (A.Kind == Action::Call &&
            (A.Function == FunctionKind::Pure || A.Function == FunctionKind::FragmentMath));
  });
}

bool printsOrEnds(const Effects &E) {
  const auto IsSo = [](const Action &A) {
    return A.Kind == Action::Call &&
           (A.Function == FunctionKind::Print || A.Function == FunctionKind::Trap);
  };
  return any_of(E.Actions, IsSo) &&
         all_of(E.Actions,
                [&](const Action &A) {
                  return A.LikeExpression || IsSo(A) ||
                         (A.Kind == Action::Call && A.Function == FunctionKind::Pure);
                }) &&
         none_of(E.Accesses, [](const Access &A) { return A.Write || A.Volatile; });
}

bool onlyLocalAccesses(const Effects &E) {
  return all_of(E.Accesses, [](const Access &A) {
    return !A.Volatile && all_of(A.Roots, [](const MemoryRoot &R) {
      return R.In == Space::Local || R.In == Space::Param || R.In == Space::Constant;
    });
  });
}

bool onlyPureOrLoads(const Effects &E) {
  return all_of(E.Actions, [](const Action &A) {
    return A.LikeExpression ||
           (A.Kind == Action::Call && (A.Function == FunctionKind::Pure || isLoad(A.Function)));
  });
}

bool onlyLocalOrLoads(const Effects &E) {
  return all_of(E.Accesses, [](const Access &A) {
    return !A.Volatile && all_of(A.Roots, [&](const MemoryRoot &R) {
      return R.In == Space::Local || R.In == Space::Param ||
             (!A.Write &&
              (R.In == Space::Constant || R.In == Space::Global || R.In == Space::Texture));
    });
  });
}

void insertReads(VarSet &Set, const Effects &E) {
  VarSet R = readVars(E);
  Set.insert(R.begin(), R.end());
}

void insertMentioned(VarSet &Set, const Stmt *S) {
  VarSet V = mentionedVars(S);
  Set.insert(V.begin(), V.end());
}

bool isLoadable(const MemoryRoot &R) {
  return R.In == Space::Global || R.In == Space::Texture ||
         (R.In == Space::Constant && isConstantMemory(R.Decl));
}

bool readsLoadable(const Effects &E) {
  return any_of(E.Accesses, [](const Access &A) {
    return A.Read && any_of(A.Roots, [](const MemoryRoot &R) {
             return isLoadable(R) || R.In == Space::Unknown;
           });
  });
}

std::string ModelReader::firstBufferName() const {
  return M.Buffers.empty() ? std::string("a tile") : M.Buffers.front()->Decl->getNameAsString();
}

TileBuffer *ModelReader::bufferOf(const ValueDecl *D) const {
  for (const auto &B : M.Buffers)
    if (B->Decl == D)
      return B.get();
  return nullptr;
}

bool ModelReader::isSteadyShared(const MemoryRoot &R) const {
  // Dynamic shared memory has other names.
  const auto *Var = dyn_cast_or_null<VarDecl>(R.Decl);
  if (R.In != Space::Shared || !Var || Var->hasExternalStorage())
    return false;
  if (!WholeLoop)
    WholeLoop = collector().collect(L.Loop);
  return none_of(WholeLoop->Accesses, [&](const Access &A) {
    return A.Write && any_of(A.Roots, [&](const MemoryRoot &To) {
             return To.Decl == Var || To.In == Space::Unknown ||
                    (To.In == Space::Shared && !To.Decl);
           });
  });
}

bool ModelReader::isAdvanceStatement(const Stmt *S) const {
  return any_of(M.Advances, [&](const Advance &A) { return A.Statement == S; });
}

bool ModelReader::hasOtherName(const VarDecl *V) const {
  if (!InPlace) {
    // Which variable the text of a closure means is said by where it stands.
    InPlace.emplace();
    for (unsigned I = 0; I < 3; ++I)
      for (const Stmt *S : M.Segments[I])
        for (const LambdaExpr *Lambda : lambdasIn(S))
          if (I > 0 || isOnlyCalled(Lambda, L.Function))
            InPlace->insert(Lambda);
    if (!InPlace->empty())
      OtherNames =
          namedElsewhere(L.Function->getBody(), Context, L.Function, NamesThat::Exist, *InPlace);
  }
  if (!InPlace->empty())
    return OtherNames.count(V) != 0;
  struct Elsewhere {
    DeclSet<ValueDecl> Of;
  };
  return Facts->Function
             ->once<Elsewhere>([&] {
               return Elsewhere{namedElsewhere(L.Function->getBody(), Context, L.Function)};
             })
             .Of.count(V) != 0;
}

/// What a copy of a class is a copy of, or a number in another width, which the load itself makes
/// of it.
static const Expr *withoutCopies(const Expr *E) {
  while (true) {
    E = stripNoOps(E);
    if (const auto *Construct = dyn_cast<CXXConstructExpr>(E);
        Construct && Construct->getNumArgs() == 1 &&
        Construct->getConstructor()->isCopyOrMoveConstructor() &&
        Construct->getConstructor()->isTrivial())
      E = Construct->getArg(0);
    else if (const auto *Cast = dyn_cast<ImplicitCastExpr>(E);
             Cast && Cast->getCastKind() == CK_IntegralCast)
      E = Cast->getSubExpr();
    else
      return E;
  }
}

/// Each value that the function returns is one that it finds in memory as it is, or a constant.
static bool returnsLoads(const FunctionDecl *Function, const ASTContext &Context,
                         unsigned Depth = 0) {
  const FunctionDecl *Body = nullptr;
  if (Depth > 4 || isLibraryFunction(Function, Context) || !Function->hasBody(Body) ||
      Body->isDependentContext())
    return false;
  const auto IsWhole = [&](const Expr *Value) { // nothing is cut off, which would wait for it
    return Context.getTypeSize(Value->getType()) <=
           Context.getTypeSize(Function->getReturnType().getNonReferenceType());
  };
  std::vector<const Expr *> Values = returnedValues(Body->getBody());
  bool Loads = false;
  while (!Values.empty()) {
    const Expr *Value = withoutCopies(Values.back());
    Values.pop_back();
    if (const auto *Cond = dyn_cast<ConditionalOperator>(Value)) {
      Values.insert(Values.end(), {Cond->getTrueExpr(), Cond->getFalseExpr()});
      continue;
    }
    const auto *Call = dyn_cast<CallExpr>(Value);
    const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
    if ((Value->isGLValue() || (Callee && (isLoad(classifyFunction(Callee, Context)) ||
                                           returnsLoads(Callee, Context, Depth + 1)))) &&
        IsWhole(Value))
      Loads = true;
    else if (Value->isValueDependent() || !Value->isEvaluatable(Context))
      return false;
  }
  return Loads;
}

/// An argument that says where, and is no place in memory itself and nothing made of what is there.
static bool saysWhere(const CallExpr *Call, unsigned I) {
  const unsigned Object = objectArguments(Call);
  const FunctionDecl *Callee = Call->getDirectCallee();
  return Object <= I && I - Object < Callee->getNumParams() &&
         (Callee->getParamDecl(I - Object)->getType()->isIntegralOrEnumerationType() ||
          Callee->getParamDecl(I - Object)->getType()->isPointerType());
}

const Expr *ModelReader::loadingCall(const Expr *E) const {
  E = stripNoOps(E);
  const auto *Call = dyn_cast<CallExpr>(E);
  if (!Call || E->isGLValue() || !Call->getDirectCallee() || !copiesBytes(E->getType(), Context) ||
      !returnsLoads(Call->getDirectCallee(), Context))
    return nullptr;
  // An index may be loaded first.
  for (unsigned I = 0; I < Call->getNumArgs(); ++I)
    if (!saysWhere(Call, I) && hasLoads(Call->getArg(I)))
      return nullptr;
  const Effects Whole = collector().collect(E);
  const bool OnlyLoads =
      onlyPureOrLoads(Whole) && all_of(Whole.Accesses, [](const Access &A) {
        return !A.Write && !A.Volatile && all_of(A.Roots, [](const MemoryRoot &R) {
          return isLoadable(R) || R.In == Space::Local || R.In == Space::Param ||
                 R.In == Space::Constant;
        });
      });
  return OnlyLoads &&
                 any_of(Whole.Accesses,
                        [](const Access &A) { return A.InCallee && any_of(A.Roots, isLoadable); })
             ? E
             : nullptr;
}

const Expr *ModelReader::globalLvalue(const Expr *E) const {
  E = stripNoOps(E);
  if (!E->isGLValue())
    return nullptr;
  if (!isa<ArraySubscriptExpr>(E) && !isa<CallExpr>(E) && !isa<MemberExpr>(E) &&
      !isa<DeclRefExpr>(E) &&
      !(isa<UnaryOperator>(E) && cast<UnaryOperator>(E)->getOpcode() == UO_Deref))
    return nullptr;
  RootSet Roots = collector().rootsOf(E);
  // `(big ? x : table.value)[i]` of a by-value parameter is a load as well; and what a pointer of
  // which nothing is known leads to, if the loop may have it at all.
  auto IsLoad = [](const MemoryRoot &R) { return isLoadable(R) || R.In == Space::Unknown; };
  if (!any_of(Roots, IsLoad) || !all_of(Roots, [&](const MemoryRoot &R) {
        return IsLoad(R) || R.In == Space::Param || isSteadyShared(R);
      }))
    return nullptr;
  return E;
}

const Expr *ModelReader::asGlobalLoad(const Expr *E) const {
  E = stripNoOps(E);
  // `tile[i] = row[j]`, which is an object that says where the element is: what its conversion
  // returns. One that is loaded itself converts later on.
  if (const auto *Cast = dyn_cast<ImplicitCastExpr>(E);
      Cast && Cast->getCastKind() == CK_UserDefinedConversion)
    if (const auto *Call = dyn_cast<CXXMemberCallExpr>(stripNoOps(Cast->getSubExpr()));
        Call && !hasLoads(Call->getImplicitObjectArgument()))
      E = Call;
  if (const auto *Call = dyn_cast<CallExpr>(E))
    if (const FunctionDecl *Callee = Call->getDirectCallee())
      if (isLoad(classifyFunction(Callee, Context)))
        return E;
  if (const Expr *Call = loadingCall(E))
    return Call;
  return globalLvalue(E);
}

const Expr *ModelReader::armLoad(const Expr *Arm) const {
  Arm = stripNoOps(Arm);
  if (const auto *Cast = dyn_cast<ImplicitCastExpr>(Arm);
      Cast && Cast->getCastKind() == CK_IntegralCast &&
      Context.getIntWidth(Cast->getType()) >= Context.getIntWidth(Cast->getSubExpr()->getType()))
    Arm = Cast->getSubExpr();
  // `in ? A[i] : 0.0`
  if (const auto *Cast = dyn_cast<ImplicitCastExpr>(Arm);
      Cast && Cast->getCastKind() == CK_FloatingCast &&
      Context.getTypeSize(Cast->getType()) > Context.getTypeSize(Cast->getSubExpr()->getType()))
    Arm = stripNoOps(Cast->getSubExpr());
  return asGlobalLoad(Arm);
}

std::optional<ModelReader::GuardedLoad> ModelReader::asGuardedLoad(const Expr *E) const {
  GuardedLoad G;
  SmallVector<const Expr *, 4> Arms = {E};
  if (!asConditional(E))
    return std::nullopt;
  while (!Arms.empty()) {
    const Expr *Arm = Arms.pop_back_val();
    if (armLoad(Arm)) {
      G.Arms.push_back(Arm);
      continue;
    }
    // `in ? A[i] : pad` chooses a place, and what is there is loaded by what is around it.
    const ConditionalOperator *Cond = asConditional(Arm);
    if (!hasLoads(Arm) && !(Cond && Cond->isGLValue())) {
      G.Fills.push_back(Arm);
      continue;
    }
    if (!Cond ||
        (hasLoads(Cond->getCond()) && !writtenVars(collector().collect(Cond->getCond())).empty()))
      return std::nullopt;
    Arms.append({Cond->getFalseExpr(), Cond->getTrueExpr()});
  }
  if (G.Arms.empty())
    return std::nullopt;
  return G;
}

bool ModelReader::hasLoads(const Expr *E) const { return readsLoadable(collector().collect(E)); }

RootSet ModelReader::loadRoots(const Expr *Load) const {
  const auto *Call = dyn_cast<CallExpr>(Load);
  if (!Call || Load->isGLValue())
    return collector().rootsOf(Load);
  if (classifyFunction(Call->getDirectCallee(), Context) == FunctionKind::LoadPointer)
    return collector().pointees(Call->getArg(0));
  if (classifyFunction(Call->getDirectCallee(), Context) == FunctionKind::LoadTexture)
    return {{nullptr, Space::Texture}};
  RootSet Result;
  for (const Access &A : collector().collect(Load).Accesses)
    if (A.InCallee && any_of(A.Roots, isLoadable))
      Result.insert(A.Roots.begin(), A.Roots.end());
  return Result;
}

bool ModelReader::isLoadedVar(const VarDecl *V) const {
  if (!LoadedVars) {
    LoadedVars.emplace();
    for (const Stmt *S : M.Segments[0])
      forEachLeaf(S, [&](const Stmt *Leaf) {
        Effects E = collector().collect(Leaf);
        if (!readsLoadable(E))
          return;
        VarSet Written = writtenVars(E);
        LoadedVars->insert(Written.begin(), Written.end());
      });
  }
  return LoadedVars->count(V) != 0;
}

static bool hasLoop(const Stmt *S) {
  return S &&
         (isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(S) || any_of(S->children(), hasLoop));
}

bool ModelReader::madeOfLoads(const VarDecl *Var) const {
  auto Is = [&](const VarDecl *V) { return VarsOfLoads->count(V) != 0; };
  if (!VarsOfLoads) {
    VarsOfLoads.emplace();
    // In the order of one turn: what the turn before has loaded is at hand.
    for (const Stmt *S : M.Segments[0]) {
      size_t Before;
      do {
        Before = VarsOfLoads->size();
        forEachLeaf(S, [&](const Stmt *Leaf) {
          const Effects Does = collector().collect(Leaf);
          if (!readsLoadable(Does) && none_of(readVars(Does), Is))
            return;
          const VarSet Written = writtenVars(Does);
          VarsOfLoads->insert(Written.begin(), Written.end());
          // `const float &v = 2.f * A[i];`: a value by the name of a reference.
          if (const auto *Decl = dyn_cast<DeclStmt>(Leaf))
            for (const clang::Decl *D : Decl->decls())
              if (const auto *V = dyn_cast<VarDecl>(D); V && V->getType()->isReferenceType())
                VarsOfLoads->insert(V);
        });
      } while (hasLoop(S) && Before != VarsOfLoads->size());
    }
  }
  return Is(Var);
}

bool ModelReader::mentionsNoStaging(const Expr *E) const {
  for (const VarDecl *V : mentionedVars(E))
    if (isLoadedVar(V))
      return false;
  return true;
}

bool ModelReader::isConstantFill(const Expr *Value) const {
  const Effects E = collector().collect(Value);
  return mentionedVars(Value).empty() && E.Accesses.empty() && onlyPureActions(E);
}

bool ModelReader::canBeSaid(const Expr *Value, const VarDecl *Var) const {
  const QualType T = Var->getType();
  const Expr *Spelled = Value->IgnoreUnlessSpelledInSource();
  // A class that is made of another one is not what an assignment would make of it.
  const bool Itself = !T->isRecordType() || Context.hasSameUnqualifiedType(Spelled->getType(), T);
  if (Value != Var->getInit()) {
    const std::string Text = textOf(Value, Context);
    return !Text.empty() && (StringRef(Text).starts_with("{") || Itself);
  }
  const std::optional<InitialWords> Words = initialWords(Var, Context);
  // A list that a macro says is none where it stands for itself.
  return Words &&
         (Words->Form != InitialWords::Expression || (Itself && !isa<InitListExpr>(Spelled)));
}

bool ModelReader::mayRound() const {
  struct Products {
    bool Any;
  };
  // What a function is given its callers have computed.
  return !L.IsKernel ||
         Facts->Function
             ->once<Products>([&] { return Products{floatWorkIn(L.Function->getBody()).Product}; })
             .Any;
}

bool ModelReader::mayRoundIn(const Stmt *S) const { return S && mayRound() && floatWorkIn(S).Sum; }

} // namespace cuda_pipeline
