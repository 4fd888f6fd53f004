//===- Escapes.cpp - Pointers into a tile that are kept ----------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Rule 6 of docs/soundness.md, Around the loop. A pointer into a tile that outlives its phase
/// would go on pointing to one of the copies, while the loop goes on to the next one. So no address
/// of a tile may be kept in memory, in numbers, in objects or in called functions.
///
//===----------------------------------------------------------------------===//

#include "../../Model/AstUtil.h"
#include "../../Model/Closures.h"
#include "../AddressFlow.h"
#include "Rules.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

/// A pointer variable that is declared outside of the body keeps the address.
std::optional<Refusal> keptInPointer(const RuleContext &RC, const TileBuffer &B,
                                     const std::string &Name) {
  for (unsigned I = 0; I < 3; ++I)
    for (const Access &A : RC.F.Segment[I].Accesses) {
      if (!A.Write)
        continue;
      for (const MemoryRoot &R : A.Roots) {
        const auto *Var = dyn_cast_or_null<VarDecl>(R.Decl);
        if (!Var || RC.F.DeclaredInBody.count(Var) || R.In == Space::Shared)
          continue;
        if (!Var->getType()->isPointerType())
          continue;
        for (const MemoryRoot &P : RC.F.Collector->pointsTo(Var))
          if (P.Decl == B.Decl)
            return Refusal{
                Reason::TileEscapes, A.Loc, {Name, "kept in '" + Var->getNameAsString() + "'"}, {}};
      }
    }
  return std::nullopt;
}

/// Finds what keeps an address: assignments to anything but a pointer variable of the body, static
/// variables, integers, objects and closures.
struct KeptInStatement : ConstDynamicRecursiveASTVisitor {
  const RuleContext &RC;
  const VarDecl *Tile;
  SourceLocation Found;
  KeptInStatement(const RuleContext &RC, const VarDecl *Tile) : RC(RC), Tile(Tile) {}
  bool pointsIn(const Expr *E) {
    if (!E->getType()->isPointerType() && !E->getType()->isArrayType())
      return false;
    for (const MemoryRoot &R : RC.F.Collector->pointees(E))
      if (R.Decl == Tile)
        return true;
    return false;
  }
  void found(const Expr *E) {
    if (Found.isInvalid())
      Found = E->getExprLoc();
  }
  bool VisitBinaryOperator(const BinaryOperator *Op) override {
    if (Op->getOpcode() != BO_Assign || !pointsIn(Op->getRHS()))
      return true;
    const auto *Ref = dyn_cast<DeclRefExpr>(Op->getLHS()->IgnoreParens());
    const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
    if (!Var || !RC.F.DeclaredInBody.count(Var) || !Var->getType()->isPointerType())
      found(Op);
    return true;
  }
  bool VisitVarDecl(const VarDecl *Var) override {
    if (Var->isStaticLocal() && Var->hasInit() && pointsIn(Var->getInit()))
      found(Var->getInit());
    return true;
  }
  bool VisitCastExpr(const CastExpr *Cast) override {
    if (Cast->getCastKind() == CK_PointerToIntegral && pointsIn(Cast->getSubExpr()))
      found(Cast);
    return true;
  }
  bool VisitInitListExpr(const InitListExpr *List) override {
    if (!List->getType()->isPointerType())
      for (const Expr *Init : List->inits())
        if (pointsIn(Init))
          found(Init);
    return true;
  }
  bool VisitCXXConstructExpr(const CXXConstructExpr *Construct) override {
    for (const Expr *Arg : Construct->arguments())
      if (pointsIn(Arg))
        found(Arg);
    return true;
  }
  bool VisitLambdaExpr(const LambdaExpr *Lambda) override {
    // `[](float v) { return v * v; }(tile[i])` has nothing to keep; a shared array it would
    // know without a capture.
    if ((Lambda->capture_size() ||
         any_of(mentionedVars(Lambda->getBody()),
                [](const VarDecl *V) { return V->hasAttr<CUDASharedAttr>(); })) &&
        !isTurnsOwn(Lambda))
      found(Lambda);
    return true;
  }
  /// It is gone at the end of the turn, and has the stage of that turn by reference, or numbers.
  bool isTurnsOwn(const LambdaExpr *Lambda) const {
    if (!isOnlyCalled(Lambda, RC.M.Loop->Function))
      return false;
    const bool NamesTile =
        any_of(mentionedVars(Lambda->getBody()), [&](const VarDecl *V) { return mayLeadIn(V); });
    return !NamesTile || (Lambda->getCaptureDefault() == LCD_ByRef &&
                          none_of(Lambda->captures(), [](const LambdaCapture &C) {
                            return C.getCaptureKind() != LCK_ByRef;
                          }));
  }
  bool mayLeadIn(const VarDecl *V) const {
    const QualType T = RC.Context.getBaseElementType(V->getType());
    if (V == Tile || T->isReferenceType())
      return true;
    if (V->getType()->isPointerType())
      return any_of(RC.F.Collector->pointsTo(V), [&](const MemoryRoot &R) {
        return R.Decl == Tile || (!R.Decl && (R.In == Space::Shared || R.In == Space::Unknown));
      });
    return T->isPointerType() || anyField(T, [](const FieldDecl *Field) {
             return Field->getType()->isPointerType() || Field->getType()->isReferenceType();
           });
  }
};

/// Anything else keeps the address for longer than its statement; a called function may, too.
std::optional<Refusal> keptElsewhere(const RuleContext &RC, const TileBuffer &B,
                                     const std::string &Name) {
  for (unsigned I = 0; I < 3; ++I)
    for (const Stmt *S : RC.M.Segments[I]) {
      KeptInStatement V(RC, B.Decl);
      V.TraverseStmt(S);
      for (const Access &A : RC.F.Collector->collect(S).Accesses)
        if (A.Write && A.InCallee && A.Where->isGLValue() && A.Where->getType()->isPointerType() &&
            V.Found.isInvalid())
          V.Found = A.Loc;
      if (V.Found.isValid())
        return Refusal{Reason::TileEscapes, V.Found, {Name, "kept longer than one statement"}, {}};
    }
  return std::nullopt;
}

/// What is made of the address in called functions, in structures and in numbers is kept.
std::optional<Refusal> keptFurther(const RuleContext &RC, const TileBuffer &B,
                                   const std::string &Name) {
  std::vector<const Stmt *> Body;
  DeclSet<VarDecl> Own = RC.F.DeclaredInBody;
  const DeclSet<VarDecl> Named = mentionedVars(RC.M.Loop->Loop);
  for (const TileView &V : RC.M.Views) {
    Own.insert(V.Var);
    for (const Decl *D : V.Statement->decls()) // what is declared with it
      if (const auto *Var = dyn_cast<VarDecl>(D); Var && !Named.count(Var))
        Own.insert(Var);
    if (Body.empty() || Body.back() != V.Statement)
      Body.push_back(V.Statement);
  }
  if (RC.F.Parts) // which may be declared with views
    for (const auto &[Part, Array] : RC.F.Parts->Apart)
      Own.insert(Part);
  for (unsigned I = 0; I < 3; ++I)
    append_range(Body, RC.M.Segments[I]);
  const KeptAddress Kept = findKeptAddress(
      Body, B.Decl, [&](const VarDecl *Var) { return Own.count(Var) != 0; }, RC.M.Loop->Function,
      RC.Context);
  if (Kept.AsNumber)
    return Refusal{
        Reason::TileEscapes,
        Kept.Where,
        {Name, "computed with as a number"},
        {},
        "Compute with the index of the element instead, and make an address of it at last."};
  if (Kept.Where.isValid())
    return Refusal{Reason::TileEscapes, Kept.Where, {Name, "kept longer than one iteration"}, {}};
  return std::nullopt;
}

} // namespace

std::optional<Refusal> escapeOf(const RuleContext &RC, const TileBuffer &B) {
  const std::string Name = B.Decl->getNameAsString();
  for (auto *Kept : {keptInPointer, keptElsewhere, keptFurther})
    if (std::optional<Refusal> Why = Kept(RC, B, Name))
      return Why;
  return std::nullopt;
}

void checkEscapes(RuleContext &RC, const TileBuffer &B) {
  if (std::optional<Refusal> Why = escapeOf(RC, B))
    RC.refuse({std::move(*Why), Needs::SeveralBuffers});
}

} // namespace cuda_pipeline
