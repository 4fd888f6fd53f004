//===- RewordArms.cpp - Barriers in both arms of an 'if' -------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// `for (..) { if (c) { load A; barrier; compute; barrier; } else { load B; barrier; .. barrier; }
/// }`: each thread comes by as many barriers in the one arm as in the other, and they are the same
/// for the block. So they may stand between the arms' parts, each under the condition, which is
/// asked once, where it was:
///
///   const bool arm = c;
///   if (arm) { load A; } else { load B; }
///   barrier;
///   if (arm) { compute; } else { .. }
///   barrier;
///
/// Between two barriers each thread does what it did, in its order. Nothing that a part declares
/// may be named in a later one, or do something when the arm ends.
///
//===----------------------------------------------------------------------===//

#include "../Model/Barriers.h"
#include "../Model/ModelStep.h"
#include "../Model/RawTokens.h"
#include "Rewordings.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

class ArmRewording {
public:
  ArmRewording(const TileModel &M, const ASTContext &Context, const std::set<std::string> &Taken)
      : M(M), Context(Context), SM(Context.getSourceManager()), File(mainFileText(Context)),
        Taken(Taken) {}

  Rewording run() const {
    const IfStmt *Found = nullptr;
    for (const Stmt *S : M.Loop->Body->body())
      if (M.Facts->Collector->collect(S).hasBarrier()) {
        if (Found || !isa<IfStmt>(S))
          return Rewording();
        Found = cast<IfStmt>(S);
      }
    const auto IsAbout = [&](const Refusal &R) {
      return R.Why == Reason::BarrierNested && R.Where.isValid() &&
             SM.isPointWithin(SM.getExpansionLoc(R.Where), Found->getBeginLoc(),
                              Found->getEndLoc());
    };
    return Found && any_of(M.Refusals, IsAbout) ? said(Found) : Rewording();
  }

private:
  const TileModel &M;
  const ASTContext &Context;
  const SourceManager &SM;
  const StringRef File;
  const std::set<std::string> &Taken;

  /// What stands between two barriers of an arm, and the one behind it; null: the arm ends.
  struct Part {
    TextRange Text;
    std::vector<const Stmt *> Statements;
    const Stmt *Barrier = nullptr;
  };

  /// Adds what \p S declares; false: something else than variables that end quietly.
  static bool declaredBy(const Stmt *S, std::set<std::string> &Names) {
    const auto *Statement = dyn_cast<DeclStmt>(S);
    if (!Statement)
      return true;
    for (const Decl *D : Statement->decls()) {
      const auto *Var = dyn_cast<VarDecl>(D);
      if (!Var || isa<DecompositionDecl>(D) || Var->getType().isDestructedType() ||
          Var->getType()->isReferenceType())
        return false; // a temporary lives as long as a reference to it
      Names.insert(Var->getNameAsString());
    }
    return true;
  }

  /// None: it cannot be taken apart.
  std::optional<std::vector<Part>> partsOf(const Stmt *Arm) const {
    const auto *Block = dyn_cast_or_null<CompoundStmt>(Arm);
    if (!Block || leavesEarly(Block))
      return std::nullopt;
    for (SourceLocation At : {Block->getLBracLoc(), Block->getRBracLoc()})
      if (At.isMacroID() || !isInMainFile(SM, At))
        return std::nullopt;
    std::vector<Part> Out(1);
    unsigned Begin = SM.getFileOffset(Block->getLBracLoc()) + 1;
    for (const Stmt *S : Block->body()) {
      if (barrierOf(S, *M.Facts->Collector, Context) != FunctionKind::Barrier) {
        if (M.Facts->Collector->collect(S).hasBarrier() || S->getBeginLoc().isMacroID())
          return std::nullopt;
        Out.back().Statements.push_back(S);
        continue;
      }
      const std::optional<TextRange> R = replacedRange(S, Context);
      if (!R || S->getBeginLoc().isMacroID())
        return std::nullopt;
      Out.back().Text = {Begin, R->Begin};
      Out.back().Barrier = S;
      Out.emplace_back();
      Begin = R->End;
    }
    Out.back().Text = {Begin, SM.getFileOffset(Block->getRBracLoc())};
    // What a part declares is its own.
    std::set<std::string> Declared;
    for (const Part &P : Out) {
      if (P.Text.Begin > P.Text.End)
        return std::nullopt;
      const std::string Text = File.slice(P.Text.Begin, P.Text.End).str();
      bool Named = false;
      forEachRawToken(Text, [&](const Token &T, unsigned) {
        Named |= T.is(tok::raw_identifier) && Declared.count(T.getRawIdentifier().str()) != 0;
      });
      for (const Stmt *S : P.Statements)
        for (const NamedAt &Name : namesOf(S))
          Named |= Declared.count(Name.Decl->getNameAsString()) != 0;
      if (Named)
        return std::nullopt;
      for (const Stmt *S : P.Statements)
        if (!declaredBy(S, Declared))
          return std::nullopt;
    }
    return Out;
  }

  std::string textOfBarrier(const Part &P) const {
    const std::optional<TextRange> R = replacedRange(P.Barrier, Context);
    return File.slice(R->Begin, R->End).str();
  }

  void addPart(const Part &P, const std::string &Indent, MadeLines &To) const {
    To.addMoved(File.slice(P.Text.Begin, P.Text.End),
                SM.getLineNumber(SM.getMainFileID(), P.Text.Begin), Indent);
  }

  static bool isBlank(StringRef Text) { return Text.trim().empty(); }

  Rewording said(const IfStmt *If) const {
    const Expr *Cond = If->getCond();
    if (If->getInit() || If->getConditionVariable() || If->isConstexpr() || If->isConsteval() ||
        // Its class may be another one in another build.
        !Cond->IgnoreUnlessSpelledInSource()->getType()->isScalarType() ||
        hasOtherMeanings(M, Context) || any_of(namesOf(Cond), [&](const NamedAt &Name) {
          const auto *Value = dyn_cast<ValueDecl>(Name.Decl);
          return Value && !isOfOneType(Value, M, Context);
        }))
      return Rewording();
    const std::optional<TextRange> Whole = statementRange(If, Context);
    const std::string Asked = textOf(Cond, Context);
    if (!Whole || Asked.empty() || If->getIfLoc().isMacroID() ||
        Whole->Begin != SM.getFileOffset(If->getIfLoc()))
      return Rewording();
    const StringRef Text = File.slice(Whole->Begin, Whole->End);
    SmallVector<StringRef, 32> Lines;
    Text.split(Lines, '\n');
    if (mayHaveStringOfLines(Text) || any_of(Lines, [](StringRef Line) {
          return Line.trim().starts_with("#") &&
                 !Line.trim().drop_front().ltrim().starts_with("pragma");
        }))
      return Rewording();
    const auto Then = partsOf(If->getThen()), Else = partsOf(If->getElse());
    if (!Then || !Else || Then->size() != Else->size() || Then->size() < 2)
      return Rewording();
    // Comments between the arms have no place.
    const unsigned Open = SM.getFileOffset(If->getThen()->getBeginLoc()),
                   Close = SM.getFileOffset(If->getThen()->getEndLoc()),
                   Other = SM.getFileOffset(If->getElse()->getBeginLoc());
    if (!commentsIn(File.slice(Whole->Begin, Open)).empty() ||
        !commentsIn(File.slice(Close, Other)).empty())
      return Rewording();
    const std::string Name = freeName("arm", Taken, Context);
    const std::string In = indentOf(File, Whole->Begin), More = In + "  ";
    MadeLines New;
    for (size_t I = 0; I < Then->size(); ++I) {
      const Part &A = (*Then)[I], &B = (*Else)[I];
      const bool OfA = !isBlank(File.slice(A.Text.Begin, A.Text.End)),
                 OfB = !isBlank(File.slice(B.Text.Begin, B.Text.End));
      if (OfA || OfB)
        New.add(In + "if (" + (OfA ? "" : "!") + Name + ") {");
      if (OfA)
        addPart(A, More, New);
      if (OfA && OfB)
        New.add(In + "} else {");
      if (OfB)
        addPart(B, More, New);
      if (OfA || OfB)
        New.add(In + "}");
      if (!A.Barrier)
        continue;
      const std::string Barrier = textOfBarrier(A);
      if (Barrier != textOfBarrier(B))
        return Rewording();
      New.add(
          In + Barrier,
          {SM.getLineNumber(SM.getMainFileID(), SM.getFileOffset(A.Barrier->getBeginLoc())), 0});
    }
    Rewording Out;
    Out.Edits.push_back({Whole->Begin, Whole->End - Whole->Begin,
                         "const bool " + Name + " = " + Asked + ";" + New.Text});
    Out.LinesOf[Whole->Begin] = New.From;
    Out.PinsArguments = M.Loop->IsTemplate;
    Out.Said.push_back(
        "barriers in both arms of an 'if' are taken as barriers between their parts");
    return Out;
  }
};

} // namespace

Rewording rewordArms(const TileModel &M, ASTContext &Context, const std::set<std::string> &Taken) {
  if (!M.Loop->Body || M.Loop->IsPattern || !M.Facts || !M.Facts->Collector || !M.Facts->Function ||
      M.Facts->Function->HasGoto)
    return Rewording();
  return ArmRewording(M, Context, Taken).run();
}

} // namespace cuda_pipeline
