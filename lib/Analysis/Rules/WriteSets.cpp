//===- WriteSets.cpp - The elements that every turn writes -------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// What rules 3 and 6 of docs/soundness.md ask of the load phase: whether it writes the same
/// elements of a tile in every turn. Conditions, ranges and places must then be made of what does
/// not change, or not matter.
///
//===----------------------------------------------------------------------===//

#include "WriteSets.h"
#include "../../Model/AstUtil.h"
#include "llvm/ADT/FoldingSet.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

/// \p S stores to \p B.
bool storesTo(const RuleContext &RC, const Stmt *S, const TileBuffer &B) {
  for (const Access &A : RC.F.Collector->collect(S).Accesses)
    if (A.Write && A.touches(B.Decl))
      return true;
  return false;
}

bool makesTemporary(const Stmt *S) {
  return S && (isa<MaterializeTemporaryExpr>(S) || any_of(S->children(), makesTemporary));
}

bool invariantVar(const RuleContext &RC, const VarDecl *Var, unsigned Depth);

/// The same in every iteration of this loop, of every loop around it, and of every call.
bool invariant(const RuleContext &RC, const Expr *E, unsigned Depth = 0) {
  return Depth <= 24 &&
         computedFrom(RC, E, [&](const VarDecl *Var) { return invariantVar(RC, Var, Depth); });
}

bool invariantVar(const RuleContext &RC, const VarDecl *Var, unsigned Depth) {
  if (Var->hasAttr<CUDASharedAttr>())
    return true; // the array itself: an address
  if (!Var->hasLocalStorage() && !isa<ParmVarDecl>(Var))
    return true; // constants and builtin variables; reads of other memory are seen as accesses
  for (const auto &C : RC.M.CopyLoops)
    if (C->Counter == Var)
      return true; // its range is checked at its loop
  if (isa<ParmVarDecl>(Var)) {
    if (!RC.M.Loop->IsKernel)
      return false; // another call may pass another value
    return RC.F.Values->isUnchangedParameter(Var);
  }
  // A reference is its object; what is read there is seen as an access. A temporary is an object
  // of its own.
  if (Var->getType()->isReferenceType() && Var->hasInit() && !makesTemporary(Var->getInit()))
    return invariant(RC, Var->getInit(), Depth + 1);
  if (!RC.F.Values->isSetOnce(Var))
    return false;
  // The kernel declares it once. (What a view of a tile is set to is asked again.)
  const bool Once = RC.M.Loop->IsKernel && Var->getType()->isArithmeticType() &&
                    !standsIn(Var->getLocation(), RC.M.Loop->Loop, RC.Context.getSourceManager()) &&
                    !RC.F.Values->hasOtherNames(Var) && !RC.F.Function->HasGoto &&
                    !lambdaAround(*RC.M.Loop) &&
                    none_of(RC.M.Loop->Ancestors, [](const Stmt *S) { return isLoop(S); });
  return Once || invariant(RC, Var->getInit(), Depth + 1);
}

using Destinations = SmallVector<FoldingSetNodeID, 4>;

bool within(const Destinations &A, const Destinations &B) {
  return all_of(A, [&](const FoldingSetNodeID &Id) { return is_contained(B, Id); });
}

/// The destinations that \p S stores to, whatever the conditions in it. False when that is not
/// seen; \p Out is of no use then.
bool destinations(const RuleContext &RC, const Stmt *S, const TileBuffer &B, Destinations &Out) {
  if (!S)
    return true;
  if (const auto *If = dyn_cast<IfStmt>(S)) {
    Destinations Then, Else;
    if (!destinations(RC, If->getThen(), B, Then) || !destinations(RC, If->getElse(), B, Else) ||
        !within(Then, Else) || !within(Else, Then))
      return false;
    Out.append(Then);
    return true;
  }
  if (const auto *Compound = dyn_cast<CompoundStmt>(S)) {
    for (const Stmt *Child : Compound->body())
      if (!destinations(RC, Child, B, Out))
        return false;
    return true;
  }
  if (!storesTo(RC, S, B))
    return true;
  const auto *E = dyn_cast<Expr>(S);
  if (!E)
    return false;
  for (const TileCopy &C : RC.M.Copies)
    if (C.Store == E) {
      FoldingSetNodeID Id;
      C.Destination->IgnoreParens()->Profile(Id, RC.Context, true);
      Out.push_back(Id);
      return true;
    }
  return false;
}

template <typename Range>
bool constantWriteSets(const RuleContext &RC, const Range &Statements, const TileBuffer &B,
                       std::string &Why, SourceLocation &Where, Destinations Covered);

/// \p S writes the same elements in every turn. \p Covered: elements that this iteration has stored
/// to already, whatever the condition.
bool constantWriteSet(const RuleContext &RC, const Stmt *S, const TileBuffer &B, std::string &Why,
                      SourceLocation &Where, const Destinations &Covered) {
  if (!S || !storesTo(RC, S, B))
    return true;
  auto Fail = [&](SourceLocation Loc, const Twine &Text) {
    if (Why.empty()) {
      Why = Text.str();
      Where = Loc;
    }
    return false;
  };
  if (const auto *Compound = dyn_cast<CompoundStmt>(S))
    return constantWriteSets(RC, Compound->body(), B, Why, Where, Covered);
  if (const auto *Attributed = dyn_cast<AttributedStmt>(S))
    return constantWriteSet(RC, Attributed->getSubStmt(), B, Why, Where, Covered);
  if (const auto *If = dyn_cast<IfStmt>(S)) {
    if (!invariant(RC, If->getCond())) {
      // Both arms write the same elements, or elements that have been written anyway
      // (`S[i] = 0; if (in) S[i] = G[..];`): the condition does not matter.
      Destinations Then, Else;
      if (destinations(RC, If->getThen(), B, Then) && destinations(RC, If->getElse(), B, Else) &&
          ((within(Then, Else) && within(Else, Then)) ||
           (within(Then, Covered) && within(Else, Covered))))
        return constantWriteSet(RC, If->getThen(), B, Why, Where, Covered) &&
               constantWriteSet(RC, If->getElse(), B, Why, Where, Covered);
      return Fail(If->getBeginLoc(), "the store is under the condition '" +
                                         textOf(If->getCond(), RC.Context) +
                                         "', which is not the same for all tiles");
    }
    return constantWriteSet(RC, If->getThen(), B, Why, Where, Covered) &&
           constantWriteSet(RC, If->getElse(), B, Why, Where, Covered);
  }
  if (const auto *For = dyn_cast<ForStmt>(S)) {
    const CopyLoop *C = nullptr;
    for (const auto &Loop : RC.M.CopyLoops)
      if (Loop->Loop == For)
        C = Loop.get();
    if (!C || !C->Counter)
      return Fail(For->getBeginLoc(), "its copy loop is not a counted loop");
    if (!invariant(RC, C->Begin) || !invariant(RC, C->End) || !invariant(RC, C->Margin) ||
        (C->Step && !invariant(RC, C->Step)) ||
        (C->EndsOtherwise && !invariant(RC, For->getCond())))
      return Fail(For->getBeginLoc(), "the range of its copy loop is not the same for all tiles");
    return constantWriteSet(RC, For->getBody(), B, Why, Where, Covered);
  }
  if (const auto *E = dyn_cast<Expr>(S)) {
    for (const TileCopy &C : RC.M.Copies)
      if (C.Store == E && C.Buffer == &B) {
        if (!invariant(RC, C.Destination))
          return Fail(E->getExprLoc(), "the place of the store is not the same for all tiles");
        return true;
      }
    return Fail(E->getExprLoc(), "this store is not understood");
  }
  return Fail(S->getBeginLoc(), "this statement is not understood");
}

/// Statements in order.
template <typename Range>
bool constantWriteSets(const RuleContext &RC, const Range &Statements, const TileBuffer &B,
                       std::string &Why, SourceLocation &Where, Destinations Covered) {
  for (const Stmt *S : Statements) {
    if (!constantWriteSet(RC, S, B, Why, Where, Covered))
      return false;
    if (Destinations Here; destinations(RC, S, B, Here))
      Covered.append(Here);
  }
  return true;
}

/// Makes the words of writeSet(), which are asked for only where every turn writes the same
/// elements.
struct WriteSet {
  const RuleContext &RC;
  const TileBuffer &B;
  std::string Text;
  std::vector<const VarDecl *> Counters; ///< of the copy loops around
  bool Known;

  void say(const Twine &Words) { Text += (Words + " ").str(); }

  /// Says what \p S stores to.
  void add(const Stmt *S) {
    if (!S || !Known || !storesTo(RC, S, B))
      return;
    if (const auto *Compound = dyn_cast<CompoundStmt>(S)) {
      for (const Stmt *Child : Compound->body())
        add(Child);
    } else if (const auto *Attributed = dyn_cast<AttributedStmt>(S)) {
      add(Attributed->getSubStmt());
    } else if (const auto *If = dyn_cast<IfStmt>(S)) {
      if (!invariant(RC, If->getCond())) {
        // Both arms write the same, or nothing new; that is rare, and not compared.
        Known = false;
        return;
      }
      say("if");
      value(If->getCond());
      say("{");
      add(If->getThen());
      say("} else {");
      add(If->getElse());
      say("}");
    } else if (const auto *For = dyn_cast<ForStmt>(S)) {
      const auto Loop =
          find_if(RC.M.CopyLoops, [&](const auto &Copy) { return Copy->Loop == For; });
      if (Loop == RC.M.CopyLoops.end()) {
        Known = false;
        return;
      }
      say("for");
      value((*Loop)->Begin);
      Counters.push_back((*Loop)->Counter);
      say(";");
      value(For->getCond());
      say(";");
      value(For->getInc());
      say("{");
      add(For->getBody());
      say("}");
      Counters.pop_back();
    } else if (const auto *Store = dyn_cast<Expr>(S)) {
      const auto Copy = find_if(
          RC.M.Copies, [&](const TileCopy &T) { return T.Store == Store && T.Buffer == &B; });
      Known &= Copy != RC.M.Copies.end();
      if (!Known)
        return;
      say("store " + Twine(Copy->Bytes) + " to");
      value(Copy->Destination);
    } else {
      Known = false;
    }
  }

  /// Says what \p S is made of: variables of the loop by their values, counters by their place.
  void value(const Stmt *S) {
    if (!Known)
      return;
    if (!S) {
      say("()");
      return;
    }
    if (const auto *E = dyn_cast<Expr>(S); E && !E->isValueDependent() &&
                                           E->getType()->isIntegralOrEnumerationType() &&
                                           E->isPRValue())
      if (std::optional<int64_t> Number = RC.F.Values->fold(E)) {
        say(Twine(*Number) + ":" + E->getType().getCanonicalType().getAsString());
        return;
      }
    if (const auto *Ref = dyn_cast<DeclRefExpr>(S)) {
      const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
      if (const auto Counter = find(Counters, Var); Var && Counter != Counters.end())
        return say("#" + Twine(Counter - Counters.begin()));
      if (Var && RC.F.DeclaredInBody.count(Var)) {
        Known &=
            Var->hasInit() && (Var->getType()->isReferenceType() || RC.F.Values->isSetOnce(Var));
        return Known ? value(Var->getInit()) : void();
      }
      if (const VarDecl *Whole = mentionedVar(Ref);
          Whole && Whole != Var && RC.F.DeclaredInBody.count(Whole)) {
        Known = false; // a structured binding of this turn
        return;
      }
      char Address[32];
      snprintf(Address, sizeof(Address), "%p",
               static_cast<const void *>(Ref->getDecl()->getCanonicalDecl()));
      return say(Address);
    }
    say(S->getStmtClassName());
    if (const auto *Op = dyn_cast<BinaryOperator>(S))
      say(Op->getOpcodeStr());
    else if (const auto *Op = dyn_cast<UnaryOperator>(S))
      say(UnaryOperator::getOpcodeStr(Op->getOpcode()));
    else if (const auto *Cast = dyn_cast<CastExpr>(S))
      say(Twine(Cast->getCastKindName()) + " " + Cast->getType().getCanonicalType().getAsString());
    else if (const auto *Member = dyn_cast<MemberExpr>(S))
      say(Member->getMemberDecl()->getNameAsString() + (Member->isArrow() ? " arrow" : ""));
    else if (const auto *Number = dyn_cast<IntegerLiteral>(S))
      say(toString(Number->getValue(), 10, true));
    else if (!isa<ParenExpr, ArraySubscriptExpr, ConditionalOperator, CallExpr, OpaqueValueExpr,
                  PseudoObjectExpr>(S))
      Known = false;
    if (const auto *Opaque = dyn_cast<OpaqueValueExpr>(S))
      return value(Opaque->getSourceExpr());
    say("(");
    for (const Stmt *Child : S->children())
      value(Child);
    say(")");
  }
};

} // namespace

bool computedFrom(const RuleContext &RC, const Expr *E, function_ref<bool(const VarDecl *)> Are) {
  if (!E)
    return true;
  DeclSet<VarDecl> Vars = mentionedVars(E);
  Effects Eff = RC.F.Collector->collect(E);
  for (const Action &A : Eff.Actions)
    if (A.Kind != Action::Call || A.Function != FunctionKind::Pure)
      return false;
  for (const Access &A : Eff.Accesses) {
    if (A.Write)
      return false;
    if (!A.Read || A.Volatile)
      continue;
    for (const MemoryRoot &R : A.Roots)
      if (R.In != Space::Local && R.In != Space::Param && R.In != Space::Constant)
        return false;
    // Also what is reached by another name: bindings, lambda bodies, references.
    for (const MemoryRoot &R : A.Roots)
      if (const auto *Var = dyn_cast_or_null<VarDecl>(R.Decl))
        Vars.insert(Var);
  }
  return all_of(Vars, Are);
}

bool writesTheSameElements(const RuleContext &RC, const TileBuffer &B, std::string &Why,
                           SourceLocation &Where) {
  return constantWriteSets(RC, RC.M.Segments[0], B, Why, Where, {});
}

const std::string &writeSet(const RuleContext &RC, const TileBuffer &B) {
  std::optional<std::string> &Known =
      RC.Effort.Peers[{RC.M.Loop, B.Decl, RC.F.Parts != nullptr}].Written;
  if (!Known) {
    std::string Why;
    SourceLocation Where;
    WriteSet Words{RC, B, "", {}, true};
    if (writesTheSameElements(RC, B, Why, Where))
      for (const Stmt *S : RC.M.Segments[0])
        Words.add(S);
    Known = Words.Known ? Words.Text : "";
  }
  return *Known;
}

} // namespace cuda_pipeline
