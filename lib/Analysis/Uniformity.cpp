//===- Uniformity.cpp - Which values are the same for all threads of a block ----===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uniformity.h"
#include "../Model/AstUtil.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using llvm::any_of;

namespace cuda_pipeline {

Uniformity::Uniformity(ASTContext &Context, const EffectCollector &Collector,
                       const FunctionDecl *Function)
    : Context(Context), Collector(Collector), Function(Function) {
  if (!Function->hasAttr<CUDAGlobalAttr>())
    for (const ParmVarDecl *Param : Function->parameters())
      Divergent.insert(Param); // who knows what the callers pass
  while (scan(Function->getBody(), false)) {
  }
  findWaysOut(Function->getBody());
}

bool Uniformity::exitsInAssembly(const Effects &Eff) {
  return any_of(Eff.Actions, [](const Action &A) {
    const auto *Asm = A.Kind == Action::Asm ? dyn_cast_or_null<GCCAsmStmt>(A.Where) : nullptr;
    return Asm && llvm::StringRef(Asm->getAsmString()).contains("exit");
  });
}

bool Uniformity::findWaysOut(const Stmt *S) {
  if (!S || isa<LambdaExpr>(S))
    return false;
  bool Found = isa<ReturnStmt>(S) || isa<GotoStmt>(S) || isa<IndirectGotoStmt>(S);
  if (isa<GCCAsmStmt>(S) || isa<CallExpr>(S)) {
    Effects Eff = Collector.collect(S);
    Found = exitsInAssembly(Eff) || Eff.has(FunctionKind::Barrier) || Eff.has(FunctionKind::BarrierValue);
  }
  for (const Stmt *Child : S->children())
    Found |= findWaysOut(Child);
  if (Found)
    WaysOut.insert(S);
  return Found;
}

bool Uniformity::isUniform(const Expr *E) const {
  if (!E)
    return true;
  struct Visitor : ConstDynamicRecursiveASTVisitor {
    bool Thread = false;
    bool VisitStmt(const Stmt *S) override {
      if (const auto *Ex = dyn_cast<Expr>(S))
        if (std::optional<BuiltinIndex> B = asBuiltinIndex(Ex))
          Thread |= B->Var == BuiltinVar::ThreadIdx;
      return !Thread;
    }
  } V;
  V.TraverseStmt(E);
  if (V.Thread)
    return false;
  Effects Eff = Collector.collect(E);
  if (Eff.ThreadIndex)
    return false;
  for (const Action &A : Eff.Actions)
    if (A.Kind != Action::Call ||
        (A.Function != FunctionKind::Pure && A.Function != FunctionKind::LoadPointer))
      return false;
  // An lvalue stands for what it holds.
  if (E->isGLValue() && (E->getType().isVolatileQualified() || !holdUniform(Collector.rootsOf(E))))
    return false;
  for (const Access &A : Eff.Accesses)
    if (A.Read && (A.Volatile || !holdUniform(A.Roots)))
      return false;
  return true;
}

bool Uniformity::holdUniform(const RootSet &Roots) const {
  for (const MemoryRoot &R : Roots) {
    if (!R.Decl && R.In != Space::Local)
      return false;
    if (R.Decl && Divergent.count(R.Decl))
      return false;
    if (DivergentGoto && (R.In == Space::Local || R.In == Space::Param) &&
        !(R.Decl && R.Decl->getType().isConstQualified()))
      return false;
    switch (R.In) {
    case Space::Local:
    case Space::Param:
    case Space::Constant:
      break;
    case Space::Global: {
      // Memory that nobody changes while the kernel runs: const __restrict__.
      const auto *Param = dyn_cast_or_null<ParmVarDecl>(R.Decl);
      if (!Param || !Param->getType().isRestrictQualified() || !Param->getType()->isPointerType() ||
          !Param->getType()->getPointeeType().isConstQualified())
        return false;
      break;
    }
    default:
      return false;
    }
  }
  return true;
}

bool Uniformity::taint(const Effects &E, bool IsDivergent) {
  bool Changed = false;
  if (!IsDivergent)
    return false;
  for (const Access &A : E.Accesses)
    if (A.Write)
      for (const MemoryRoot &R : A.Roots)
        if (R.Decl && (R.In == Space::Local || R.In == Space::Param))
          Changed |= Divergent.insert(R.Decl).second;
  return Changed;
}

/// A jump out of the loop with the body \p S, or to its next turn, that only some threads take: the
/// others stay behind. \p Breaks and \p Continues: these statements would be the loop's, and not those
/// of a loop or switch inside of it.
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
  // Of nested loops each is asked by all around it. The answers hold until more is known to depend on the thread.
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
    bool Inner = Control || !isUniform(If->getCond());
    Changed |= scan(If->getThen(), Inner);
    Changed |= scan(If->getElse(), Inner);
    return Changed;
  }
  if (const auto *For = dyn_cast<ForStmt>(S)) {
    Changed |= scan(For->getInit(), Control);
    bool Inner = Control || (For->getCond() && !isUniform(For->getCond())) ||
                 isLeftBySome(For);
    Changed |= scan(For->getCond(), Inner);
    Changed |= scan(For->getInc(), Inner);
    Changed |= scan(For->getBody(), Inner);
    return Changed;
  }
  if (isa<WhileStmt>(S) || isa<DoStmt>(S)) {
    const Expr *Cond = conditionOf(S);
    bool Inner = Control || !isUniform(Cond) || isLeftBySome(S);
    if (const auto *While = dyn_cast<WhileStmt>(S))
      Changed |= scan(While->getConditionVariableDeclStmt(), Inner);
    Changed |= scan(Cond, Inner);
    Changed |= scan(bodyOf(S), Inner);
    return Changed;
  }
  if (const auto *Range = dyn_cast<CXXForRangeStmt>(S)) {
    bool Inner = Control || isLeftBySome(Range);
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
    for (const clang::Decl *D : Decl->decls())
      if (const auto *Var = dyn_cast<VarDecl>(D); Var && Var->hasInit()) {
        if (Control || !isUniform(Var->getInit()))
          Changed |= Divergent.insert(Var).second;
        Changed |= taint(Collector.collect(Var->getInit()), Control || !isUniform(Var->getInit()));
      }
    return Changed;
  }
  // Some threads skip what the others run: nothing that is ever written is the same for all.
  if ((isa<GotoStmt>(S) || isa<IndirectGotoStmt>(S)) && Control) {
    Changed = !DivergentGoto;
    DivergentGoto = true;
    return Changed;
  }
  if (isa<AsmStmt>(S))
    return taint(Collector.collect(S), true);
  if (const auto *E = dyn_cast<Expr>(S)) {
    // `k = 0, row = ty`: each part for itself.
    if (const auto *Comma = dyn_cast<BinaryOperator>(E->IgnoreParens());
        Comma && Comma->getOpcode() == BO_Comma) {
      Changed |= scan(Comma->getLHS(), Control);
      return scan(Comma->getRHS(), Control) || Changed;
    }
    Effects Eff = Collector.collect(E);
    // What a function does to the caller's variables may depend on the thread by its own control flow.
    bool Changes = any_of(Eff.Accesses, [](const Access &A) { return A.Write && A.InCallee; });
    return taint(Eff, Control || Changes || !isUniform(E));
  }
  for (const Stmt *Child : S->children())
    Changed |= scan(Child, Control);
  return Changed;
}

} // namespace cuda_pipeline
