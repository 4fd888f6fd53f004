//===- RewordSteps.cpp - Steps that the compute phase makes ---------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// `in = min(left, 64); load; barrier; compute; left -= in;`: what the next tile is loaded by is
/// known before the compute phase begins, but is said behind it. Where nothing in between sees the
/// variable, nor changes what the step is made of, the step stands as well behind the last
/// statement of the load phase that does.
///
//===----------------------------------------------------------------------===//

#include "../Model/KnownFunctions.h"
#include "../Model/ModelStep.h"
#include "Rewordings.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

class Steps {
public:
  Steps(const TileModel &M, const ASTContext &Context)
      : M(M), Context(Context), File(mainFileText(Context)) {}

  Rewording run() {
    // What stands between the end of the load phase and a step.
    std::vector<const Stmt *> Between;
    for (unsigned I : {1, 2})
      for (const Stmt *S : M.Segments[I]) {
        if (isRefused(S) && moved(S, Between))
          return std::move(Out);
        Between.push_back(S);
      }
    return Rewording();
  }

private:
  const TileModel &M;
  const ASTContext &Context;
  const StringRef File;
  Rewording Out;

  bool isRefused(const Stmt *S) const {
    return isRefusedIn(S, M.Refusals, Reason::CounterModified, Context) ||
           isRefusedIn(S, M.Registers.Refusals, Reason::CounterModified, Context);
  }

  /// Of `v += e`, `v = v - e` and `++v` the variable; null: it is something else.
  static const VarDecl *steppedBy(const Stmt *S) {
    const auto *E = dyn_cast<Expr>(S);
    if (!E)
      return nullptr;
    if (const auto *Op = dyn_cast<BinaryOperator>(E))
      return Op->isAssignmentOp() ? referencedVar(Op->getLHS()) : nullptr;
    const auto *Unary = dyn_cast<UnaryOperator>(E);
    return Unary && Unary->isIncrementDecrementOp() ? referencedVar(Unary->getSubExpr()) : nullptr;
  }

  /// An integer or a pointer of the thread's own.
  static bool isCounter(const VarDecl *Var) {
    const QualType T = Var->getType();
    return Var->hasLocalStorage() && !T.hasQualifiers() &&
           ((T->isIntegerType() && !T->isEnumeralType()) ||
            (T->isPointerType() && T->getPointeeType()->isObjectType()));
  }

  /// Nothing but the language's own operators and the toolkit's functions are given it: in another
  /// build a function, or a class, might keep its address.
  bool isHandedOn(const VarDecl *Var) const {
    struct Visitor : ConstDynamicRecursiveASTVisitor {
      const VarDecl *Var;
      const ASTContext &Context;
      bool Found = false;
      Visitor(const VarDecl *Var, const ASTContext &Context) : Var(Var), Context(Context) {}
      bool isIt(const Stmt *S) const {
        const auto *E = dyn_cast_or_null<Expr>(S);
        return E && referencedVar(E->IgnoreParenImpCasts()) == Var;
      }
      bool VisitStmt(const Stmt *S) override {
        const auto *Call = dyn_cast<CallExpr>(S);
        if (Call && Call->getDirectCallee() && !isa<CXXOperatorCallExpr>(Call) &&
            classifyFunction(Call->getDirectCallee(), Context) != FunctionKind::Unknown)
          return true;
        if (Call || isa<CXXConstructExpr, InitListExpr, CXXParenListInitExpr>(S))
          Found |= any_of(S->children(), [&](const Stmt *Part) { return isIt(Part); });
        return !Found;
      }
      // `Ref other = left;`, of a type that another build may have as a class, or a reference.
      bool VisitVarDecl(const VarDecl *V) override {
        Found |= V->getInit() && isIt(V->getInit()) && !isa<BuiltinType>(V->getType().getTypePtr());
        return !Found;
      }
    } V(Var, Context);
    V.ShouldVisitImplicitCode = true;
    V.TraverseStmt(M.Loop->Function->getBody());
    return V.Found;
  }

  bool moved(const Stmt *Step, ArrayRef<const Stmt *> Between) {
    const VarDecl *Var = steppedBy(Step);
    if (!Var || !isCounter(Var) || isCaptured(Var, M.Loop->Function) ||
        M.Facts->Values->hasOtherNames(Var) ||
        any_of(Between, [](const Stmt *S) { return leavesEarly(S); }) ||
        any_of(M.Segments[0], [](const Stmt *S) { return leavesEarly(S); }))
      return false;
    const Effects Does = M.Facts->Collector->collect(Step);
    if (!onlyPureActions(Does) || !onlyLocalAccesses(Does) ||
        any_of(Does.Accesses, [&](const Access &A) { return A.Write && !A.touches(Var); }))
      return false;
    if (!isOfOneType(Var, M, Context) || isHandedOn(Var))
      return false;
    // Its operands are the thread's own numbers, each by one name.
    const VarSet Mentioned = mentionedVars(Step);
    for (const VarDecl *V : Mentioned)
      if (V != Var && (!V->getType()->isScalarType() || V->getType().isVolatileQualified() ||
                       !V->hasLocalStorage() || !isOfOneType(V, M, Context) ||
                       M.Facts->Values->hasOtherNames(V) || isCaptured(V, M.Loop->Function)))
        return false;
    const auto Changes = [&](const Stmt *S) {
      const VarSet Written = writtenVars(M.Facts->Collector->collect(S));
      return mentionedVars(S).count(Var) != 0 || any_of(Mentioned, [&](const VarDecl *V) {
               return Written.count(V) != 0 || declares(S, V);
             });
    };
    if (any_of(Between, Changes))
      return false;
    const Stmt *Last = nullptr;
    for (const Stmt *S : M.Segments[0])
      if (Changes(S))
        Last = S;
    const std::optional<TextRange> After = Last ? replacedRange(Last, Context) : std::nullopt,
                                   Own = replacedRange(Step, Context);
    std::optional<Edit> Taken = withoutStatement(Step, Context);
    if (!After || !Own || !Taken || !commentsIn(File.slice(Own->Begin, Own->End)).empty() ||
        hasOtherMeanings(M, Context))
      return false;
    // What stands behind it in its line stays with it.
    size_t Line = File.find('\n', After->End);
    if (Line != StringRef::npos && Line > After->End && File[Line - 1] == '\r')
      --Line; // a line end is not taken apart
    const StringRef Rest = File.slice(After->End, Line == StringRef::npos ? File.size() : Line);
    const bool IsLast = Rest.trim().empty() || Rest.trim().starts_with("//");
    if (!IsLast)
      return false;
    const unsigned At =
        Line != StringRef::npos && !Rest.trim().ends_with("\\") ? unsigned(Line) : After->End;
    // What is said of it in its line goes where it goes.
    unsigned End = Own->End;
    const size_t OwnLine = File.rfind('\n', Own->Begin) + 1, Next = File.find('\n', Own->End);
    if (const StringRef Said = File.slice(Own->End, Next).trim();
        Next != StringRef::npos && Said.starts_with("//") && !Said.ends_with("\\") &&
        File.slice(OwnLine, Own->Begin).trim().empty()) {
      End = unsigned(Said.end() - File.begin());
      Taken = Edit{unsigned(OwnLine), unsigned(Next + 1 - OwnLine), ""};
    }
    Out.Edits.push_back({At, 0, breakAt(File, After->Begin) + File.slice(Own->Begin, End).str()});
    Out.Edits.push_back(*Taken);
    Out.Said.push_back("'" + Var->getNameAsString() +
                       "' is stepped in front of the compute phase, which does not see it");
    return true;
  }

  static bool declares(const Stmt *S, const VarDecl *Var) {
    const auto *Declaration = dyn_cast<DeclStmt>(S);
    return Declaration && is_contained(Declaration->decls(), Var);
  }
};

} // namespace

Rewording rewordSteps(const TileModel &M, ASTContext &Context) {
  if (!M.Loop->Body || !M.Barriers[0] || !M.Facts || !M.Facts->Function ||
      M.Facts->Function->HasGoto || M.Skip)
    return Rewording();
  return Steps(M, Context).run();
}

} // namespace cuda_pipeline
