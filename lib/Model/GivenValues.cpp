//===- GivenValues.cpp - Parameters that are made of the thread's index ----------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GivenValues.h"
#include "AstUtil.h"
#include "Effects.h"
#include "Values.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include <optional>

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

constexpr unsigned MaxDepth = 24;

/// What is known of the variables of a function that makes a call.
struct Caller {
  EffectCollector Collector;
  FunctionValues Values;
  Caller(ASTContext &Context, const FunctionDecl *Function)
      : Collector(Context, Function), Values(Context, Collector, Function) {}
};

class Speller {
public:
  Speller(ASTContext &Context, CallSites &Calls, GivenValues &Result)
      : Context(Context), Calls(Calls), Result(Result) {}

  /// The expression with variables replaced by their values; none if there is something else in it.
  std::optional<std::string> spell(const Expr *E, const FunctionDecl *Function,
                                   unsigned Depth = 0) {
    if (Depth > MaxDepth || !E->getType()->isIntegralOrEnumerationType())
      return std::nullopt;
    const std::string Type = E->getType().getCanonicalType().getUnqualifiedType().getAsString();
    if (std::optional<int64_t> V = constantValue(E, Context))
      return Type + " " + std::to_string(*V);
    if (std::optional<BuiltinIndex> B = asBuiltinIndex(E))
      return "builtin " + std::to_string(int(B->Var)) + B->Dim;
    E = E->IgnoreParens();
    if (const auto *Cast = dyn_cast<CastExpr>(E)) {
      if (!is_contained({CK_LValueToRValue, CK_NoOp, CK_IntegralCast}, Cast->getCastKind()))
        return std::nullopt;
      std::optional<std::string> Of = spell(Cast->getSubExpr(), Function, Depth + 1);
      return Of ? std::optional(Cast->getCastKind() == CK_IntegralCast ? Type + "(" + *Of + ")"
                                                                       : *Of)
                : std::nullopt;
    }
    if (const VarDecl *Var = referencedVar(E))
      return spell(Var, Function, Depth + 1);
    if (const auto *Op = dyn_cast<BinaryOperator>(E)) {
      if (!Op->isMultiplicativeOp() && !Op->isAdditiveOp() && !Op->isShiftOp() &&
          !Op->isBitwiseOp())
        return std::nullopt;
      std::optional<std::string> L = spell(Op->getLHS(), Function, Depth + 1),
                                 R = spell(Op->getRHS(), Function, Depth + 1);
      return L && R ? std::optional("(" + *L + " " + Op->getOpcodeStr().str() + " " + *R + ")")
                    : std::nullopt;
    }
    return std::nullopt;
  }

private:
  ASTContext &Context;
  CallSites &Calls;
  GivenValues &Result;
  DeclMap<FunctionDecl, std::unique_ptr<Caller>> Callers;

  const FunctionValues &valuesOf(const FunctionDecl *Function) {
    std::unique_ptr<Caller> &Known = Callers[Function];
    if (!Known)
      Known = std::make_unique<Caller>(Context, Function);
    return Known->Values;
  }

  std::optional<std::string> spell(const VarDecl *Var, const FunctionDecl *Function,
                                   unsigned Depth) {
    if (Var->getType()->isReferenceType() || Var->getType().isVolatileQualified() ||
        Var->getParentFunctionOrMethod() != Function)
      return std::nullopt;
    if (isa<ParmVarDecl>(Var)) {
      if (Function->hasAttr<CUDAGlobalAttr>() || !valuesOf(Function).isUnchangedParameter(Var))
        return std::nullopt;
      const GivenValues &Outer = givenValues(Function, Context, Calls);
      auto Known = Outer.Spelled.find(Var);
      if (Known == Outer.Spelled.end())
        return std::nullopt;
      Result.Of.insert(Outer.Of.begin(), Outer.Of.end());
      return Known->second;
    }
    if (!valuesOf(Function).isSetOnce(Var))
      return std::nullopt;
    std::optional<std::string> Spelled = spell(Var->getInit(), Function, Depth);
    if (Spelled)
      Result.Of[Var] = Var->getInit();
    return Spelled;
  }
};

GivenValues find(const FunctionDecl *Function, ASTContext &Context, CallSites &Calls) {
  GivenValues Result;
  const std::vector<CallSite> *Sites =
      Function->hasAttr<CUDAGlobalAttr>() ? nullptr : Calls.of(Function);
  if (!Sites)
    return Result;
  Speller Spell(Context, Calls, Result);
  for (const ParmVarDecl *Param : Function->parameters()) {
    if (!Param->getType()->isIntegralOrEnumerationType())
      continue;
    std::optional<std::string> Value;
    const Expr *Given = nullptr;
    for (const CallSite &S : *Sites) {
      const CallOperands Operands = operandsOf(S.Call);
      const unsigned I = Param->getFunctionScopeIndex();
      Given = I < Operands.Args.size() ? Operands.Args[I] : nullptr;
      std::optional<std::string> Here = Given ? Spell.spell(Given, S.Caller) : std::nullopt;
      if (!Here || (Value && *Value != *Here)) {
        Value.reset();
        break;
      }
      Value = Here;
    }
    if (!Value)
      continue;
    Result.Of[Param] = Given;
    Result.Spelled[Param] = *Value;
  }
  return Result;
}

} // namespace

const GivenValues &givenValues(const FunctionDecl *Function, ASTContext &Context,
                               CallSites &Calls) {
  return Calls.once<GivenValues>(Function, [&] { return find(Function, Context, Calls); });
}

} // namespace cuda_pipeline
