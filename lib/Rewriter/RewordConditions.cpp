//===- RewordConditions.cpp - Conditions that are loaded -------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// `if (mask[i] > 0) s[j] = a[i];`: both halves of the load phase ask, and only the fetch may load.
/// With a variable in front, which is set to what the condition is, the fetch loads that as it
/// loads the elements. So it is with a condition of floating-point numbers, which must not be
/// rounded in two ways, and with `for (int i = tx; i < p.n; i += 64)`, where `p` is in global
/// memory: the load phase stores nothing there, so that the end is the same in each turn.
///
//===----------------------------------------------------------------------===//

#include "../Model/ModelStep.h"
#include "../Model/RawTokens.h"
#include "Rewordings.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

class ConditionRewording {
public:
  ConditionRewording(const TileModel &M, ASTContext &Context, const std::set<std::string> &Taken)
      : M(M), Context(Context), SM(Context.getSourceManager()), File(mainFileText(Context)),
        Taken(Taken) {}

  Rewording run() {
    for (const Stmt *S : M.Segments[0])
      within(S, /*InBlock=*/true);
    if (Guards)
      Out.Said.push_back("a condition of the load phase that is loaded is set in front of its "
                         "'if'");
    if (Ends)
      Out.Said.push_back("a bound of a copy loop that is loaded is set in front of it");
    return std::move(Out);
  }

private:
  const TileModel &M;
  ASTContext &Context;
  const SourceManager &SM;
  const StringRef File;
  const std::set<std::string> &Taken;
  std::set<std::string> Chosen;
  bool Guards = false, Ends = false;
  Rewording Out;

  Effects effectsOf(const Stmt *S) const { return M.Facts->Collector->collect(S); }

  /// \p InBlock: there is room for a declaration in front of it.
  void within(const Stmt *S, bool InBlock) {
    if (const auto *Block = dyn_cast_or_null<CompoundStmt>(S)) {
      for (const Stmt *Child : Block->body())
        within(Child, true);
    } else if (const auto *If = dyn_cast_or_null<IfStmt>(S)) {
      // What is inside of it waits for the next round.
      if (guard(If, InBlock))
        return;
      within(If->getThen(), false);
      within(If->getElse(), false);
    } else if (const auto *For = dyn_cast_or_null<ForStmt>(S)) {
      if (bound(For, InBlock))
        return;
      within(For->getBody(), false);
    }
  }

  bool isRefusedAt(const Stmt *S) const {
    return any_of(M.Registers.Refusals, [&](const Refusal &R) {
      return R.Why == Reason::LoadForm && R.Where == S->getBeginLoc();
    });
  }

  /// It loads from global memory, and does nothing else.
  bool onlyLoads(const Expr *E) const { return readsLoadable(effectsOf(E)) && onlyComputes(E); }
  /// At most.
  bool onlyComputes(const Expr *E) const {
    const Effects Does = effectsOf(E);
    return onlyPureOrLoads(Does) && none_of(Does.Accesses, [](const Access &A) {
             return A.Write || A.Volatile || any_of(A.Roots, [](const MemoryRoot &R) {
                      return R.In == Space::Shared || R.In == Space::Unknown;
                    });
           });
  }

  std::string fresh(const std::string &Name) {
    std::string Free = Name;
    for (unsigned K = 2;
         Taken.count(Free) || Chosen.count(Free) || Context.Idents.get(Free).hadMacroDefinition();
         ++K)
      Free = Name + std::to_string(K);
    Chosen.insert(Free);
    return Free;
  }

  /// `const T name = value;` in front of \p S, in which \p Part is the name.
  bool put(const Stmt *S, const Expr *Part, bool InBlock, StringRef Type, StringRef Name,
           const std::string &Value) {
    const std::optional<TextRange> Whole = statementRange(S, Context),
                                   Place = textRange(Part->getSourceRange(), Context);
    // An empty macro in front may be a statement of its own in another build.
    if (!Whole || !Place || !Whole->contains(*Place) ||
        Whole->Begin != SM.getFileOffset(SM.getExpansionLoc(S->getBeginLoc())))
      return false;
    const std::string Declared = ("const " + Type + " " + Name + " = " + Value + ";").str();
    if (InBlock) {
      Out.Edits.push_back({Whole->Begin, 0, Declared + breakAt(File, Whole->Begin)});
      Out.Edits.push_back({Place->Begin, Place->End - Place->Begin, Name.str()});
      return true;
    }
    // In a block of its own, which begins behind what the statement is a part of.
    const unsigned Behind = unsigned(File.take_front(Whole->Begin).rtrim().size());
    const StringRef Between = File.slice(Behind, Whole->Begin);
    const bool OwnLine = Between.contains('\n') && File[Behind - 1] != '/' &&
                         !File.slice(File.rfind('\n', Behind) + 1, Behind).contains("//");
    const std::string Outer = breakAt(File, Behind),
                      Inner = OwnLine ? breakAt(File, Whole->Begin) : Outer + "  ";
    Out.Edits.push_back(OwnLine
                            ? Edit{Behind, Whole->Begin - Behind, " {" + Inner + Declared + Inner}
                            : Edit{Whole->Begin, 0, "{" + Inner + Declared + Inner});
    Out.Edits.push_back({Place->Begin, Place->End - Place->Begin, Name.str()});
    if (const StringRef Text = File.slice(Whole->Begin, Whole->End);
        !OwnLine && !mayHaveStringOfLines(Text))
      for (size_t At = Text.find('\n'); At != StringRef::npos; At = Text.find('\n', At + 1))
        if (const unsigned Line = Whole->Begin + unsigned(At) + 1; !Place->contains({Line, Line}))
          Out.Edits.push_back({Line, 0, "  "});
    Out.Edits.push_back({Whole->End, 0, Outer + "}"});
    return true;
  }

  bool guard(const IfStmt *If, bool InBlock) {
    const Expr *Cond = If->getCond();
    if (If->getInit() || If->getConditionVariable() || If->isConstexpr() ||
        !(isRefusedAt(If) ? onlyLoads(Cond) : isRefusedAt(Cond) && onlyComputes(Cond)))
      return false;
    std::string Value = textOf(Cond, Context);
    const auto *Comma = dyn_cast<BinaryOperator>(Cond->IgnoreImpCasts());
    if (Value.empty() || (Comma && Comma->isCommaOp()))
      return false;
    return Guards |= put(If, Cond, InBlock, "bool", fresh("guard"), Value);
  }

  bool isIn(const Stmt *S, const Expr *Part) const {
    const auto *E = dyn_cast_or_null<Expr>(S);
    return S && ((E && sameExpression(E->IgnoreParenImpCasts(), Part, Context)) ||
                 any_of(S->children(), [&](const Stmt *Child) { return isIn(Child, Part); }));
  }
  bool bound(const ForStmt *For, bool InBlock) {
    return isRefusedAt(For) && For->getCond() && boundIn(For->getCond(), For, InBlock, true);
  }
  /// Of `i < 64 && i < p.n` the first comparison that loads. \p Always: it is asked at least once.
  /// What may not be asked may not be there either, unless the tile loop itself asks for it.
  bool boundIn(const Expr *E, const ForStmt *For, bool InBlock, bool Always) {
    const auto *Cond = dyn_cast<BinaryOperator>(E->IgnoreParenImpCasts());
    if (Cond && Cond->getOpcode() == BO_LAnd)
      return boundIn(Cond->getLHS(), For, InBlock, Always) ||
             boundIn(Cond->getRHS(), For, InBlock, false);
    if (!Cond || !Cond->isComparisonOp() ||
        !(Always || isIn(M.Loop->condition(), Cond->getRHS()->IgnoreParenImpCasts())))
      return false;
    // The side that the loop has nothing to do with.
    VarSet Set = writtenVars(effectsOf(For));
    const Expr *End = Cond->getRHS()->IgnoreImpCasts();
    VarSet Named = mentionedVars(End);
    insertReads(Named, effectsOf(Cond->getRHS()));
    if (any_of(Named,
               [&](const VarDecl *V) { return Set.count(V) || declares(For->getInit(), V); }) ||
        !onlyLoads(Cond->getRHS()) || !End->getType()->isBuiltinType() ||
        !End->getType()->isIntegerType() || End->getType()->isBooleanType() ||
        effectsOf(For).writes(Space::Global) || effectsOf(For).writes(Space::Unknown))
      return false;
    const std::string Value = textOf(End, Context);
    if (Value.empty())
      return false;
    return Ends |= put(For, End, InBlock, "auto", fresh("end"), Value);
  }
};

} // namespace

Rewording rewordConditions(const TileModel &M, ASTContext &Context,
                           const std::set<std::string> &Taken) {
  if (!M.Loop->Body || M.Loop->IsPattern || !M.Facts || !M.Facts->Collector || !hasLoadPhase(M))
    return Rewording();
  return ConditionRewording(M, Context, Taken).run();
}

} // namespace cuda_pipeline
