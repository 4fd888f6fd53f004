//===- Launches.cpp - Launches in the host code, as far as they are constant ===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Collect.h"
#include "../Model/AstUtil.h"
#include "../Model/LaunchSizes.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

/// What happens in one host function: launches, and how much memory its pointers were given.
struct HostCode : ConstDynamicRecursiveASTVisitor {
  std::vector<const CUDAKernelCallExpr *> Launches;
  DeclMap<VarDecl, std::vector<const Expr *>> Allocations; ///< size expressions

  bool VisitCUDAKernelCallExpr(const CUDAKernelCallExpr *Call) override {
    Launches.push_back(Call);
    return true;
  }
  std::vector<const CallExpr *> Attributes;

  bool VisitCallExpr(const CallExpr *Call) override {
    const FunctionDecl *Callee = Call->getDirectCallee();
    if (!Callee || !Callee->getIdentifier() || Call->getNumArgs() < 2)
      return true;
    StringRef Name = Callee->getName();
    if (Name == "cudaFuncSetAttribute" && Call->getNumArgs() == 3)
      Attributes.push_back(Call);
    if (Name != "cudaMalloc" && Name != "cudaMallocManaged" && Name != "cudaMallocAsync")
      return true;
    const Expr *Where = Call->getArg(0)->IgnoreParenCasts();
    if (const auto *Address = dyn_cast<UnaryOperator>(Where); Address && Address->getOpcode() == UO_AddrOf)
      if (const VarDecl *Var = referencedVar(Address->getSubExpr()->IgnoreParenCasts()))
        Allocations[Var].push_back(Call->getArg(1));
    return true;
  }
};

struct HostUses {
  std::vector<KernelLaunch> Launches;
  std::vector<SharedAllowance> Allowances;
};

unsigned lineOf(const Expr *E, const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  PresumedLoc Loc = SM.getPresumedLoc(SM.getExpansionLoc(E->getBeginLoc()));
  return Loc.isValid() ? Loc.getLine() : 0;
}

/// The kernel that \p E is the address of.
const FunctionDecl *kernelIn(const Expr *E) {
  E = E->IgnoreParenCasts();
  if (const auto *Address = dyn_cast<clang::UnaryOperator>(E); Address && Address->getOpcode() == UO_AddrOf)
    E = Address->getSubExpr()->IgnoreParenCasts();
  const auto *Ref = dyn_cast<DeclRefExpr>(E);
  return Ref ? dyn_cast<FunctionDecl>(Ref->getDecl()) : nullptr;
}

/// `cudaFuncSetAttribute(kernel, .., N) == cudaSuccess ? N : 0`, also with a comma in front of the 0.
bool takesWhatItGets(const Expr *Bytes, const LaunchSizes &Size) {
  const auto *Choice = dyn_cast<ConditionalOperator>(Bytes->IgnoreParenImpCasts());
  const auto *Equal = Choice ? dyn_cast<BinaryOperator>(Choice->getCond()->IgnoreParenImpCasts()) : nullptr;
  if (!Equal || Equal->getOpcode() != BO_EQ || Size.count(Equal->getRHS()) != 0u) // cudaSuccess
    return false;
  const auto *Call = dyn_cast<CallExpr>(Equal->getLHS()->IgnoreParenImpCasts());
  HostCode Asked;
  Asked.TraverseStmt(Call);
  const Expr *Else = Choice->getFalseExpr()->IgnoreParenImpCasts();
  if (const auto *Comma = dyn_cast<BinaryOperator>(Else); Comma && Comma->getOpcode() == BO_Comma)
    Else = Comma->getRHS();
  const std::optional<uint64_t> Given = Size.count(Choice->getTrueExpr());
  return is_contained(Asked.Attributes, Call) && Given && Given == Size.count(Call->getArg(2)) && Size.count(Else) == 0u;
}

void collect(const FunctionDecl *F, ASTContext &Context, HostUses &Uses) {
  std::vector<KernelLaunch> &Result = Uses.Launches;
  HostCode Code;
  Code.TraverseStmt(F->getBody());
  if (Code.Launches.empty() && Code.Attributes.empty())
    return;
  LaunchSizes Size(Context, F);
  for (const CallExpr *Call : Code.Attributes) {
    const auto *Which = dyn_cast<DeclRefExpr>(Call->getArg(1)->IgnoreParenCasts());
    if (Which && Which->getDecl()->getName() != "cudaFuncAttributeMaxDynamicSharedMemorySize")
      continue;
    SharedAllowance A;
    if (const FunctionDecl *Kernel = kernelIn(Call->getArg(0)))
      A.Mangled = mangledName(Kernel);
    A.Line = lineOf(Call, Context);
    A.Bytes = Size.count(Call->getArg(2));
    Uses.Allowances.push_back(std::move(A));
  }
  for (const CUDAKernelCallExpr *Call : Code.Launches) {
    const FunctionDecl *Kernel = Call->getDirectCallee();
    if (!Kernel)
      continue;
    KernelLaunch L;
    L.Mangled = mangledName(Kernel);
    L.Line = lineOf(Call, Context);
    if (const CallExpr *Config = Call->getConfig()) {
      if (Config->getNumArgs() > 1) {
        L.Grid = Size.dim3(Config->getArg(0));
        L.Block = Size.dim3(Config->getArg(1));
      }
      if (Config->getNumArgs() > 2) {
        const Expr *Bytes = Config->getArg(2);
        if (const auto *Default = dyn_cast<CXXDefaultArgExpr>(Bytes))
          Bytes = Default->getExpr();
        L.SharedBytes = Size.count(Bytes);
        L.AsksItself = takesWhatItGets(Bytes, Size);
      }
    }
    for (const Expr *Arg : Call->arguments()) {
      KernelLaunch::Argument A;
      A.Text = textOf(Arg, Context);
      A.Value = Size.value(Arg);
      if (const VarDecl *Var = referencedVar(Arg->IgnoreParenCasts()))
        if (auto It = Code.Allocations.find(Var);
            It != Code.Allocations.end() && It->second.size() == 1)
          A.Bytes = Size.count(It->second.front());
      L.Arguments.push_back(std::move(A));
    }
    Result.push_back(std::move(L));
  }
}

struct HostFunctions : DynamicRecursiveASTVisitor {
  ASTContext &Context;
  HostUses Result;
  explicit HostFunctions(ASTContext &Context) : Context(Context) {
    ShouldVisitTemplateInstantiations = true;
  }
  bool VisitFunctionDecl(FunctionDecl *F) override {
    const SourceManager &SM = Context.getSourceManager();
    if (F->isThisDeclarationADefinition() && F->hasBody() && !F->isDependentContext() &&
        !F->isInvalidDecl() && !SM.isInSystemHeader(SM.getExpansionLoc(F->getLocation())))
      collect(F, Context, Result);
    return true;
  }
  bool TraverseStmt(Stmt *) override { return true; }
};

} // namespace

void collectLaunches(ASTContext &Context, DeviceModule &To) {
  HostFunctions V(Context);
  V.TraverseDecl(Context.getTranslationUnitDecl());
  To.Launches = std::move(V.Result.Launches);
  To.Allowances = std::move(V.Result.Allowances);
}

} // namespace cuda_pipeline
