//===- GivenObjects.cpp - Objects of the caller that a function only reads -------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GivenObjects.h"
#include "AstUtil.h"
#include "Effects.h"
#include "Pointers.h"
#include "clang/AST/DeclCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

constexpr unsigned MaxDepth = 8;

bool isOfTheThread(const RootSet &Roots) {
  return !Roots.empty() && all_of(Roots, [](const MemoryRoot &R) {
    return R.In == Space::Local || R.In == Space::Param;
  });
}

bool allGlobal(const RootSet &Roots) {
  return !Roots.empty() && all_of(Roots, [](const MemoryRoot &R) { return R.In == Space::Global; });
}

/// What the function may be given, by its declaration.
GivenObjects candidates(const FunctionDecl *Function, ASTContext &Context) {
  GivenObjects Given;
  for (const ParmVarDecl *Param : Function->parameters())
    if (const QualType T = Param->getType(); T->isReferenceType() &&
                                             T->getPointeeType()->isObjectType() &&
                                             !T->getPointeeType().isVolatileQualified())
      Given.References.insert(Param);
  const auto *Method = dyn_cast<CXXMethodDecl>(Function);
  if (Method && Method->isInstance() && !Method->getParent()->isLambda() &&
      !Method->isExplicitObjectMemberFunction() && !Method->isVolatile())
    Given.This = ImplicitParamDecl::Create(Context, const_cast<FunctionDecl *>(Function),
                                           Function->getLocation(), &Context.Idents.get("this"),
                                           Context.getCanonicalTagType(Method->getParent()),
                                           ImplicitParamKind::CXXThis);
  return Given;
}

/// Rule 1, and what the pointers in the objects lead to.
void askCalls(GivenObjects &Given, ArrayRef<CallSite> Sites, ASTContext &Context, CallSites &Calls,
              unsigned Depth) {
  for (const ParmVarDecl *Param : Given.References)
    Given.LeadToGlobal.insert(Param);
  if (Given.This)
    Given.LeadToGlobal.insert(Given.This);
  for (const CallSite &S : Sites) {
    Pointers Caller(Context, S.Caller);
    Caller.askCallers(Calls, Depth + 1);
    Caller.compute();
    auto Look = [&](const VarDecl *Var, const Expr *Object) {
      const bool ByPointer = Object && Object->getType()->isPointerType() && Var == Given.This;
      if (!Object || (!ByPointer && !Object->isGLValue()))
        return false;
      const RootSet Objects = ByPointer ? Caller.pointees(Object) : Caller.rootsOf(Object);
      const QualType T = ByPointer ? Object->getType()->getPointeeType() : Object->getType();
      if (!isOfTheThread(Objects))
        return false;
      const bool Global = ByPointer
                              ? all_of(Objects,
                                       [&](const MemoryRoot &R) {
                                         return R.Decl && allGlobal(Caller.pointsToOf(R.Decl));
                                       })
                              : allGlobal(Caller.held(Object));
      if (!holdsPointers(T) || !Global)
        Given.LeadToGlobal.erase(Var);
      return true;
    };
    const CallOperands Operands = operandsOf(S.Call);
    if (Given.This && !Look(Given.This, Operands.Object))
      Given.This = nullptr;
    for (auto It = Given.References.begin(); It != Given.References.end();) {
      const unsigned I = (*It)->getFunctionScopeIndex();
      It = I < Operands.Args.size() && Look(*It, Operands.Args[I]) ? std::next(It)
                                                                   : Given.References.erase(It);
    }
  }
}

/// Rule 2. True: it holds for all of them; those for which it does not are left out otherwise.
bool areOnlyRead(GivenObjects &Given, const FunctionDecl *Function, ASTContext &Context,
                 CallSites &Calls) {
  const EffectCollector Collector(Context, Function, &Calls, &Given);
  GivenObjects Left = Given;
  for (const Access &A : Collector.collect(Function->getBody()).Accesses) {
    if (!A.Write)
      continue;
    for (const MemoryRoot &R : A.Roots) {
      if (R.In == Space::Unknown || (R.In == Space::Local && !R.Decl))
        Left = GivenObjects();
      if (R.In != Space::Param || !R.Decl)
        continue; // in global memory, what its pointers lead to
      Left.References.erase(dyn_cast<ParmVarDecl>(R.Decl));
      if (R.Decl == Left.This)
        Left.This = nullptr;
    }
  }
  const bool All = Left.References.size() == Given.References.size() && Left.This == Given.This;
  Given = std::move(Left);
  return All;
}

GivenObjects find(const FunctionDecl *Function, ASTContext &Context, CallSites &Calls,
                  unsigned Depth) {
  if (Function->hasAttr<CUDAGlobalAttr>() || Depth > MaxDepth || !Function->hasBody())
    return {};
  GivenObjects Given = candidates(Function, Context);
  const std::vector<CallSite> *Sites = Given.empty() ? nullptr : Calls.of(Function);
  if (!Sites)
    return {};
  askCalls(Given, *Sites, Context, Calls, Depth);
  while (!Given.empty() && !areOnlyRead(Given, Function, Context, Calls)) {
  }
  return Given;
}

} // namespace

const GivenObjects &givenObjects(const FunctionDecl *Function, ASTContext &Context,
                                 CallSites &Calls, unsigned Depth) {
  return Calls.once<GivenObjects>(Function, [&] { return find(Function, Context, Calls, Depth); });
}

} // namespace cuda_pipeline
