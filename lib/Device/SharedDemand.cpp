//===- SharedDemand.cpp - How much dynamic shared memory a kernel wants ---===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
///   asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(given));
///   if (given >= 2 * bytes) ...
///
/// What a launch has to give so that a kernel does all that it can: the numbers that what it is
/// given is compared with, in it and in the functions that it calls. Of a number that is no
/// constant only a constant factor is known.
///
//===----------------------------------------------------------------------===//
#include "../Model/AstUtil.h"
#include "Collect.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {

namespace {

const DeclRefExpr *reference(const Expr *E) {
  const auto *Ref = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts());
  return Ref && isa<VarDecl>(Ref->getDecl()) ? Ref : nullptr;
}

struct Questions : ConstDynamicRecursiveASTVisitor {
  struct Comparison {
    const Expr *With;
    bool OneMore; ///< equal is not yet enough
  };
  SmallPtrSet<const Decl *, 4> Given; ///< variables that hold the number
  DenseMap<const DeclRefExpr *, Comparison> Compared;
  std::vector<const DeclRefExpr *> References;
  SmallPtrSet<const VarDecl *, 4> Arrays; ///< in dynamic shared memory
  SmallPtrSet<const DeclRefExpr *, 4> Outputs;
  bool Asks = false, Understood = true;

  Questions() { ShouldVisitImplicitCode = true; }

  void look(const FunctionDecl *F) {
    const FunctionDecl *Definition = nullptr;
    if (F && F->hasBody(Definition) && Seen.insert(Definition).second &&
        !Definition->isDependentContext())
      TraverseStmt(Definition->getBody());
  }
  bool VisitCallExpr(const CallExpr *C) override {
    look(C->getDirectCallee());
    return true;
  }
  bool VisitCXXConstructExpr(const CXXConstructExpr *C) override {
    look(C->getConstructor());
    return true;
  }
  bool VisitGCCAsmStmt(const GCCAsmStmt *S) override {
    if (!StringRef(S->getAsmString()).contains("%dynamic_smem_size"))
      return true;
    Asks = true;
    const DeclRefExpr *Ref = S->getNumOutputs() == 1 ? reference(S->getOutputExpr(0)) : nullptr;
    if (!Ref) {
      Understood = false;
      return true;
    }
    Given.insert(Ref->getDecl());
    Outputs.insert(Ref);
    return true;
  }
  bool VisitBinaryOperator(const BinaryOperator *B) override {
    if (!B->isRelationalOp())
      return true;
    const bool Greater = B->getOpcode() == BO_GT || B->getOpcode() == BO_GE;
    const bool Strict = B->getOpcode() == BO_GT || B->getOpcode() == BO_LT;
    // given >= E and given < E ask the same; so do given > E and given <= E.
    if (const DeclRefExpr *Ref = reference(B->getLHS()))
      Compared[Ref] = {B->getRHS(), Greater == Strict};
    if (const DeclRefExpr *Ref = reference(B->getRHS()))
      Compared[Ref] = {B->getLHS(), Greater != Strict};
    return true;
  }
  bool VisitDeclRefExpr(const DeclRefExpr *E) override {
    References.push_back(E);
    if (const auto *Var = dyn_cast<VarDecl>(E->getDecl());
        Var && Var->hasAttr<CUDASharedAttr>() && Var->hasExternalStorage())
      Arrays.insert(Var);
    return true;
  }

private:
  SmallPtrSet<const FunctionDecl *, 16> Seen;
};

} // namespace

std::optional<SharedDemand> sharedDemand(const FunctionDecl *Kernel, const ASTContext &Context) {
  Questions Q;
  Q.look(Kernel);
  if (!Q.Asks)
    return std::nullopt;
  SharedDemand D;
  D.Known = Q.Understood;
  for (const VarDecl *Array : Q.Arrays)
    D.Alignment = std::max<uint64_t>(D.Alignment, Context.getDeclAlign(Array).getQuantity());
  for (const DeclRefExpr *Ref : Q.References) {
    if (!Q.Given.count(Ref->getDecl()) || Q.Outputs.count(Ref))
      continue;
    auto It = Q.Compared.find(Ref);
    if (It == Q.Compared.end()) {
      D.Known = false;
      continue;
    }
    const Expr *With = It->second.With->IgnoreParenImpCasts();
    if (std::optional<int64_t> Bytes = constantValue(With, Context)) {
      D.Bytes = std::max<uint64_t>(D.Bytes, *Bytes < 0 ? 0 : *Bytes + (It->second.OneMore ? 1 : 0));
      continue;
    }
    int64_t Times = 1;
    if (const auto *Product = dyn_cast<BinaryOperator>(With);
        Product && Product->getOpcode() == BO_Mul)
      for (const Expr *Factor : {Product->getLHS(), Product->getRHS()})
        if (std::optional<int64_t> Value = constantValue(Factor->IgnoreParenImpCasts(), Context))
          Times = *Value;
    D.Known &= Times > 0 && !It->second.OneMore;
    D.Times = std::max<uint64_t>(D.Times, std::max<int64_t>(Times, 1));
  }
  return D;
}

} // namespace cuda_pipeline
