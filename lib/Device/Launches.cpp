//===- Launches.cpp - Launches in the host code, as far as they are constant ===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../Model/AstUtil.h"
#include "../Model/LaunchSizes.h"
#include "Collect.h"
#include "Written.h"
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
  std::vector<const CallExpr *> Functions; ///< that launch

  bool VisitCallExpr(const CallExpr *Call) override {
    const FunctionDecl *Callee = Call->getDirectCallee();
    if (!Callee || !Callee->getIdentifier() || Call->getNumArgs() < 2)
      return true;
    StringRef Name = Callee->getName();
    if (Call->getNumArgs() >= 3 &&
        is_contained({"cudaLaunchKernel", "cudaLaunchCooperativeKernel", "cudaLaunchKernelExC",
                      "cudaLaunchKernelEx", "cuLaunchKernel", "cuLaunchCooperativeKernel",
                      "cuLaunchKernelEx"},
                     Name))
      Functions.push_back(Call);
    if (Name == "cudaFuncSetAttribute" && Call->getNumArgs() == 3)
      Attributes.push_back(Call);
    if (Name != "cudaMalloc" && Name != "cudaMallocManaged" && Name != "cudaMallocAsync")
      return true;
    const Expr *Where = Call->getArg(0)->IgnoreParenCasts();
    if (const auto *Address = dyn_cast<UnaryOperator>(Where);
        Address && Address->getOpcode() == UO_AddrOf)
      if (const VarDecl *Var = referencedVar(Address->getSubExpr()->IgnoreParenCasts()))
        Allocations[Var].push_back(Call->getArg(1));
    return true;
  }
};

struct HostUses {
  std::vector<KernelLaunch> Launches, OtherLaunches;
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
  if (const auto *Address = dyn_cast<clang::UnaryOperator>(E);
      Address && Address->getOpcode() == UO_AddrOf)
    E = Address->getSubExpr()->IgnoreParenCasts();
  const auto *Ref = dyn_cast<DeclRefExpr>(E);
  return Ref ? dyn_cast<FunctionDecl>(Ref->getDecl()) : nullptr;
}

/// `cudaFuncSetAttribute(kernel, .., N) == cudaSuccess ? N : 0`, also with a comma in front of the
/// 0.
bool takesWhatItGets(const Expr *Bytes, const LaunchSizes &Size) {
  const auto *Choice = dyn_cast<ConditionalOperator>(Bytes->IgnoreParenImpCasts());
  const auto *Equal =
      Choice ? dyn_cast<BinaryOperator>(Choice->getCond()->IgnoreParenImpCasts()) : nullptr;
  if (!Equal || Equal->getOpcode() != BO_EQ || Size.count(Equal->getRHS()) != 0u) // cudaSuccess
    return false;
  const auto *Call = dyn_cast<CallExpr>(Equal->getLHS()->IgnoreParenImpCasts());
  HostCode Asked;
  Asked.TraverseStmt(Call);
  const Expr *Else = Choice->getFalseExpr()->IgnoreParenImpCasts();
  if (const auto *Comma = dyn_cast<BinaryOperator>(Else); Comma && Comma->getOpcode() == BO_Comma)
    Else = Comma->getRHS();
  const std::optional<uint64_t> Given = Size.count(Choice->getTrueExpr());
  return is_contained(Asked.Attributes, Call) && Given && Given == Size.count(Call->getArg(2)) &&
         Size.count(Else) == 0u;
}

/// The launch that a call of one of CUDA's functions makes.
KernelLaunch launchBy(const CallExpr *Call, const LaunchSizes &Size, const HostValues &Values,
                      ASTContext &Context) {
  StringRef Name = Call->getDirectCallee()->getName();
  const bool Driver = Name.starts_with("cu") && !Name.starts_with("cuda"),
             Configured = Name.contains("KernelEx");
  KernelLaunch L;
  L.Line = lineOf(Call, Context);
  const Expr *Which = Call->getArg(Configured ? 1 : 0);
  if (const FunctionDecl *Kernel = kernelIn(Which); Kernel && !Driver)
    L.Mangled = mangledName(Kernel);
  else
    L.Callee = textOf(Which, Context);
  if (Configured) {
    L.Configured = true;
    const Expr *Config = Call->getArg(0)->IgnoreParenCasts();
    if (const auto *Address = dyn_cast<clang::UnaryOperator>(Config);
        Address && Address->getOpcode() == UO_AddrOf)
      Config = Address->getSubExpr();
    const VarDecl *Var = referencedVar(Config->IgnoreParenCasts());
    const bool Here = Var && Var->isLocalVarDecl() && Var->getType()->isRecordType();
    L.GridFrom = Here ? Values.fromMembers(Var, "grid") : Values.from(Config);
    L.BlockFrom = Here ? Values.fromMembers(Var, "block") : Values.from(Config);
    return L;
  }
  auto Shared = [&](unsigned Number) {
    if (Number >= Call->getNumArgs())
      return;
    const Expr *Bytes = Call->getArg(Number);
    if (const auto *Default = dyn_cast<CXXDefaultArgExpr>(Bytes))
      Bytes = Default->getExpr();
    L.SharedBytes = Size.count(Bytes);
    L.AsksItself = takesWhatItGets(Bytes, Size);
  };
  if (!Driver) {
    L.Grid = Size.dim3(Call->getArg(1));
    L.Block = Size.dim3(Call->getArg(2));
    L.GridFrom = Values.from(Call->getArg(1));
    L.BlockFrom = Values.from(Call->getArg(2));
    Shared(4);
    return L;
  }
  for (auto [First, Numbers, From] :
       {std::tuple(1u, &L.Grid, &L.GridFrom), std::tuple(4u, &L.Block, &L.BlockFrom)}) {
    if (Call->getNumArgs() < First + 3)
      continue;
    Numbers->emplace();
    for (unsigned I = 0; I != 3; ++I) {
      const Expr *Number = Call->getArg(First + I);
      *From += Values.from(Number) + " ";
      const std::optional<uint64_t> Value = Size.count(Number);
      if (*Numbers && Value)
        (**Numbers)[I] = *Value;
      else
        Numbers->reset();
    }
  }
  Shared(7);
  return L;
}

void collect(const FunctionDecl *F, ASTContext &Context, HostUses &Uses) {
  std::vector<KernelLaunch> &Result = Uses.Launches;
  HostCode Code;
  Code.TraverseStmt(F->getBody());
  if (Code.Launches.empty() && Code.Attributes.empty() && Code.Functions.empty())
    return;
  LaunchSizes Size(Context, F);
  const HostValues Values(F, Context);
  for (const CallExpr *Call : Code.Functions)
    Uses.OtherLaunches.push_back(launchBy(Call, Size, Values, Context));
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
    KernelLaunch L;
    if (Kernel)
      L.Mangled = mangledName(Kernel);
    else
      L.Callee = textOf(Call->getCallee(), Context);
    L.Line = lineOf(Call, Context);
    if (const CallExpr *Config = Call->getConfig()) {
      if (Config->getNumArgs() > 1) {
        L.Grid = Size.dim3(Config->getArg(0));
        L.Block = Size.dim3(Config->getArg(1));
        L.GridFrom = Values.from(Config->getArg(0));
        L.BlockFrom = Values.from(Config->getArg(1));
      }
      if (Config->getNumArgs() > 2) {
        const Expr *Bytes = Config->getArg(2);
        if (const auto *Default = dyn_cast<CXXDefaultArgExpr>(Bytes))
          Bytes = Default->getExpr();
        L.SharedBytes = Size.count(Bytes);
        L.AsksItself = takesWhatItGets(Bytes, Size);
      }
    }
    if (!Kernel) {
      Uses.OtherLaunches.push_back(std::move(L));
      continue;
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
  To.OtherLaunches = std::move(V.Result.OtherLaunches);
  To.Allowances = std::move(V.Result.Allowances);
}

} // namespace cuda_pipeline
