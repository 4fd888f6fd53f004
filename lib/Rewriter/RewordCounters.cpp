//===- RewordCounters.cpp - Variables that belong to their loops -----------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// `int l;` at the top of the function, and `for (l = 0; ..)` in the load phase as well as in the
/// compute phase: one variable for what are several. Where each mention of it stands in such a
/// loop, which sets it first, none of these loops sees what another has left, and each may declare
/// its own. And `i = k + tx;` at the top of a turn, of a variable of the function that nothing
/// else mentions, is a variable of the turn.
///
//===----------------------------------------------------------------------===//

#include "../Model/AstUtil.h"
#include "../Model/Declarators.h"
#include "../Model/LoopFacts.h"
#include "../Model/ModelStep.h"
#include "Rewordings.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Analysis/CFG.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {

bool isPlainNumber(const VarDecl *Var, bool OrFloat) {
  const QualType T = Var->getType();
  return Var->hasLocalStorage() && !isa<ParmVarDecl>(Var) && !T.hasQualifiers() &&
         (T->isIntegerType() || (OrFloat && T->isFloatingType())) &&
         (isa<BuiltinType>(T.getTypePtr()) ||
          (isa<TypedefType>(T.getTypePtr()) &&
           T->castAs<TypedefType>()->getDecl()->getDeclContext()->isTranslationUnit()));
}

bool isCaptured(const VarDecl *Var, const FunctionDecl *Function) {
  struct Visitor : ConstDynamicRecursiveASTVisitor {
    const VarDecl *Var;
    bool Found = false;
    bool VisitLambdaExpr(const LambdaExpr *Lambda) override {
      Found |= mentionedVars(Lambda->getBody()).count(Var) ||
               any_of(Lambda->captures(), [&](const LambdaCapture &C) {
                 return C.capturesVariable() && C.getCapturedVar() == Var;
               });
      return !Found;
    }
  } V;
  V.Var = Var;
  V.TraverseStmt(Function->getBody());
  return V.Found;
}

namespace {

/// `v = e` in front of the first semicolon, and nothing else; null: it is something else.
const BinaryOperator *settingOf(const ForStmt *For) {
  const auto *Init = dyn_cast_or_null<Expr>(For->getInit());
  const auto *Set = Init ? dyn_cast<BinaryOperator>(Init->IgnoreParens()) : nullptr;
  return Set && Set->getOpcode() == BO_Assign && Set == Init &&
                 isa<DeclRefExpr>(Set->getLHS()->IgnoreParens())
             ? Set
             : nullptr;
}

/// All mentions of variables in a function, each with the loops around it that set the variable.
struct Mentions : ConstDynamicRecursiveASTVisitor {
  struct OfVariable {
    std::vector<const ForStmt *> Owners;  ///< in the order of the text
    bool Owned = true;                    ///< each mention is in one of them, and in one only
    bool Nested = false, InMacro = false; ///< a loop in another one; a mention in a macro
  };
  DeclMap<VarDecl, OfVariable> All;
  std::vector<const ForStmt *> Around;

  bool TraverseForStmt(const ForStmt *For) override {
    const BinaryOperator *Set = settingOf(For);
    const VarDecl *Var = Set ? referencedVar(Set->getLHS()) : nullptr;
    if (!Var)
      return ConstDynamicRecursiveASTVisitor::TraverseForStmt(For);
    // What it begins with is from in front of it.
    TraverseStmt(const_cast<Expr *>(Set->getRHS()));
    OfVariable &Of = All[Var];
    Of.Nested |=
        any_of(Of.Owners, [&](const ForStmt *Outer) { return is_contained(Around, Outer); });
    Of.Owned &= !Of.Nested;
    Of.Owners.push_back(For);
    Around.push_back(For);
    TraverseStmt(const_cast<Expr *>(Set->getLHS()));
    for (const Stmt *Part : {static_cast<const Stmt *>(For->getCond()),
                             static_cast<const Stmt *>(For->getInc()), For->getBody()})
      if (Part)
        TraverseStmt(const_cast<Stmt *>(Part));
    Around.pop_back();
    return true;
  }
  bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
    if (const auto *Var = dyn_cast<VarDecl>(Ref->getDecl())) {
      OfVariable &Of = All[Var];
      Of.InMacro |= Ref->getLocation().isMacroID();
      Of.Owned &= !Of.InMacro && any_of(Of.Owners, [&](const ForStmt *Owner) {
        return is_contained(Around, Owner);
      });
    }
    return true;
  }
};

/// Which mentions of a variable may see which value of it, on all ways through a function.
class ValuesSeen {
public:
  ValuesSeen(const VarDecl *Var, const FunctionDecl *Function, ASTContext &Context) : Var(Var) {
    CFG::BuildOptions Options;
    Options.setAllAlwaysAdd();
    Graph = CFG::buildCFG(Function, Function->getBody(), &Context, Options);
    if (!Graph)
      return;
    // `i = e` names it and sees nothing.
    struct Visitor : ConstDynamicRecursiveASTVisitor {
      const VarDecl *Var;
      std::set<const Stmt *> SetOnly, Mentions;
      bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
        if (Ref->getDecl() == Var)
          Mentions.insert(Ref);
        return true;
      }
      bool VisitBinaryOperator(const BinaryOperator *Op) override {
        if (Op->getOpcode() == BO_Assign)
          SetOnly.insert(Op->getLHS()->IgnoreParens());
        return true;
      }
    } V;
    V.Var = Var;
    V.TraverseStmt(const_cast<Stmt *>(Function->getBody()));
    for (const CFGBlock *Block : *Graph) {
      std::vector<Step> &Steps = Of[Block];
      for (const CFGElement &Element : *Block) {
        const auto Part = Element.getAs<CFGStmt>();
        const Stmt *S = Part ? Part->getStmt() : nullptr;
        if (const auto *Ref = dyn_cast_or_null<DeclRefExpr>(S)) {
          V.Mentions.erase(S);
          if (Ref->getDecl() == Var && !V.SetOnly.count(S))
            Steps.push_back({S, false, true});
        } else if (const auto *Op = dyn_cast_or_null<BinaryOperator>(S)) {
          if (Op->isAssignmentOp() && refersToVar(Op->getLHS()))
            Steps.push_back({S, true, false});
        } else if (const auto *Unary = dyn_cast_or_null<UnaryOperator>(S)) {
          if (Unary->isIncrementDecrementOp() && refersToVar(Unary->getSubExpr()))
            Steps.push_back({S, true, false});
        } else if (const auto *Decl = dyn_cast_or_null<DeclStmt>(S)) {
          if (is_contained(Decl->decls(), Var))
            Steps.push_back({S, true, false});
        }
      }
    }
    if (!V.Mentions.empty()) // the graph leaves something out
      Graph.reset();
  }

  /// What \p Owners set in themselves is seen in the same one alone, and nothing else is seen
  /// there: each may have a variable of its own.
  bool stayIn(ArrayRef<const ForStmt *> Owners) const {
    // `int i = i + 1` would begin with itself.
    if (!Graph || any_of(Owners, [&](const ForStmt *Owner) {
          return mentionedVars(settingOf(Owner)->getRHS()).count(Var) != 0;
        }))
      return false;
    for (const auto &[Block, Steps] : Of)
      for (size_t I = 0; I < Steps.size(); ++I)
        if (Steps[I].Sets) {
          const ForStmt *Owner = ownerOf(Steps[I].S, Owners);
          if (!allSeen(Block, I + 1,
                       [&](const Stmt *Seen) { return ownerOf(Seen, Owners) == Owner; }))
            return false;
        }
    return true;
  }

private:
  struct Step {
    const Stmt *S;
    bool Sets, Sees;
  };
  const VarDecl *Var;
  std::unique_ptr<CFG> Graph;
  DenseMap<const CFGBlock *, std::vector<Step>> Of;

  bool refersToVar(const Expr *E) const {
    const auto *Ref = dyn_cast<DeclRefExpr>(E->IgnoreParens());
    return Ref && Ref->getDecl() == Var;
  }

  static const ForStmt *ownerOf(const Stmt *S, ArrayRef<const ForStmt *> Owners) {
    // What it begins with is from in front of it.
    const auto *At = find_if(Owners, [&](const ForStmt *Owner) {
      return encloses(Owner, S) && !encloses(settingOf(Owner)->getRHS(), S);
    });
    return At == Owners.end() ? nullptr : *At;
  }

  /// All that may see what is in the variable at \p From of \p Block.
  bool allSeen(const CFGBlock *Block, size_t From, function_ref<bool(const Stmt *)> IsRight) const {
    SmallPtrSet<const CFGBlock *, 32> Entered;
    std::vector<std::pair<const CFGBlock *, size_t>> Open = {{Block, From}};
    while (!Open.empty()) {
      const auto [Now, Begin] = Open.back();
      Open.pop_back();
      const std::vector<Step> &Steps = Of.find(Now)->second;
      bool SetAnew = false;
      for (size_t I = Begin; I < Steps.size() && !SetAnew; ++I) {
        if (Steps[I].Sees && !IsRight(Steps[I].S))
          return false;
        SetAnew = Steps[I].Sets;
      }
      if (SetAnew)
        continue;
      for (const CFGBlock::AdjacentBlock &Next : Now->succs())
        for (const CFGBlock *To : {Next.getReachableBlock(), Next.getPossiblyUnreachableBlock()})
          if (To && Entered.insert(To).second)
            Open.push_back({To, 0});
    }
    return true;
  }
};

/// Of `if (c) v = e;` the assignment, if `v = c ? e : v` does the same: a number of the thread's
/// own that keeps its value when it is set to itself by way of the type of both. Null: it is
/// something else.
const BinaryOperator *settingUnderCondition(const IfStmt *If, const TileModel &M,
                                            const ASTContext &Context) {
  if (If->getInit() || If->getConditionVariable() || If->getElse() || If->isConstexpr())
    return nullptr;
  const Stmt *Then = If->getThen();
  while (const auto *Block = dyn_cast<CompoundStmt>(Then)) {
    if (Block->size() != 1)
      return nullptr;
    Then = Block->body_front();
  }
  const auto *Set = dyn_cast<BinaryOperator>(Then);
  const VarDecl *Var =
      Set && Set->getOpcode() == BO_Assign ? referencedVar(Set->getLHS()) : nullptr;
  const Expr *Value = Var ? Set->getRHS()->IgnoreImpCasts() : nullptr;
  if (!Value || !Var->hasLocalStorage() || Var->getType().isVolatileQualified() ||
      !Var->getType()->isIntegerType() || Var->getType()->isEnumeralType() ||
      !Value->getType()->isIntegerType() || Value->getType()->isEnumeralType())
    return nullptr;
  if (!isOfNumbers(If->getCond(), M, Context) || !isOfNumbers(Set->getRHS(), M, Context))
    return nullptr;
  const Effects E = M.Facts->Collector->collect(If);
  return onlyPureActions(E) && onlyLocalAccesses(E) && !M.Facts->Values->hasOtherNames(Var)
             ? Set
             : nullptr;
}

/// The load phase sets under a condition what the compute phase uses: `if (k + step > n) step = n -
/// k;`. An expression can be evaluated by both.
void setByExpressions(const TileModel &M, ASTContext &Context, Rewording &Out) {
  const StringRef File = mainFileText(Context);
  for (const Stmt *S : M.Segments[0]) {
    const auto *If = dyn_cast<IfStmt>(S);
    const BinaryOperator *Set = If ? settingUnderCondition(If, M, Context) : nullptr;
    const auto Whole = Set ? replacedRange(If, Context) : std::nullopt;
    if (!Whole || If->getBeginLoc().isMacroID() || Set->getLHS()->getBeginLoc().isMacroID())
      continue;
    const VarDecl *Var = referencedVar(Set->getLHS());
    const std::string Condition = asOperand(If->getCond(), Context),
                      Value = asOperand(Set->getRHS(), Context);
    if (Condition.empty() || Value.empty() || M.Facts->Values->isSetOnce(Var) ||
        !commentsIn(File.slice(Whole->Begin, Whole->End)).empty())
      continue;
    const std::string Name = Var->getNameAsString();
    Out.Edits.push_back({Whole->Begin, Whole->End - Whole->Begin,
                         Name + " = " + Condition + " ? " + Value + " : " + Name + ";"});
    // Where the two sides are converted to another type it means something else.
    Out.PinsArguments |= M.Loop->IsTemplate;
    Out.Said.push_back("'" + Name + "' is set by an expression, not under a condition");
  }
}

/// The declarations of a function.
struct Declarations : ConstDynamicRecursiveASTVisitor {
  std::vector<const DeclStmt *> All;
  bool VisitDeclStmt(const DeclStmt *S) override {
    All.push_back(S);
    return true;
  }
};

/// Takes variables that nobody mentions any more, \p Gone, out of \p S. None: they stay.
std::optional<Edit> withoutVariables(const DeclStmt *S, const DeclSet<VarDecl> &Gone,
                                     const ASTContext &Context) {
  std::vector<const VarDecl *> Vars;
  for (const Decl *D : S->decls())
    if (const auto *Var = dyn_cast<VarDecl>(D))
      Vars.push_back(Var);
    else
      return std::nullopt;
  const auto IsGone = [&](const VarDecl *Var) { return Gone.count(Var) != 0; };
  const std::optional<TextRange> Whole = statementRange(S, Context);
  if (!Whole || S->getBeginLoc().isMacroID() || llvm::none_of(Vars, IsGone))
    return std::nullopt;
  const StringRef Text = mainFileText(Context).slice(Whole->Begin, Whole->End);
  if (llvm::all_of(Vars, IsGone))
    return withoutStatement(S, Context);
  const std::optional<StringRef> Common = commonSpecifiers(*Whole, Vars.front(), Context);
  if (!Common || !commentsIn(Text).empty() || Text.contains('#'))
    return std::nullopt;
  std::vector<std::string> Stay;
  unsigned Begin = Whole->Begin + unsigned(Common->size());
  for (size_t I = 0; I < Vars.size(); ++I) {
    const bool Last = I + 1 == Vars.size();
    const auto Gap = Last ? std::nullopt : gapBetween(Vars[I], Vars[I + 1], Context);
    if (!Last && !Gap)
      return std::nullopt;
    const unsigned End = Gap ? Gap->Comma : Whole->End;
    if (!IsGone(Vars[I]))
      Stay.push_back(mainFileText(Context).slice(Begin, End).trim().rtrim(';').rtrim().str());
    Begin = Gap ? Gap->Declarator : End;
  }
  return Edit{Whole->Begin, Whole->End - Whole->Begin,
              Common->rtrim().str() + " " + join(Stay, ", ") + ";"};
}

/// Takes the declarations of \p Gone out of the text as well, where no branch is left out that
/// another instantiation has, and that may mention more.
void finish(const TileModel &M, const DeclSet<VarDecl> &Gone, const ASTContext &Context,
            Rewording &Out) {
  if (Out.empty())
    return;
  Out.PinsArguments = M.Loop->IsTemplate && M.Facts->Function->whole().ConstexprIf;
  if (Out.PinsArguments || Gone.empty())
    return;
  Declarations Of;
  Of.TraverseStmt(M.Loop->Function->getBody());
  for (const DeclStmt *S : Of.All)
    if (const std::optional<Edit> Taken = withoutVariables(S, Gone, Context))
      Out.Edits.push_back(*Taken);
}

/// Something in it may end the loop that it is the body of.
bool leaves(const Stmt *S) {
  return S && !isa<LambdaExpr>(S) &&
         (isa<BreakStmt, ReturnStmt, GotoStmt, IndirectGotoStmt>(S) ||
          any_of(S->children(), leaves));
}

/// `for (i = 0; i < E; i += S) ..`, whose counter is used behind it: where E and S are constants
/// it is known what is in it then. The loop counts with a variable of its own, and the other one is
/// set behind it.
void countedBehind(const TileModel &M, const ASTContext &Context, Rewording &Out) {
  if (hasOtherMeanings(M, Context))
    return;
  struct Visitor : ConstDynamicRecursiveASTVisitor {
    std::vector<const ForStmt *> InBlocks;
    void add(const Stmt *S) {
      if (const auto *Attributed = dyn_cast<AttributedStmt>(S))
        S = Attributed->getSubStmt();
      if (const auto *For = dyn_cast<ForStmt>(S))
        InBlocks.push_back(For);
    }
    bool VisitCompoundStmt(const CompoundStmt *Block) override {
      for_each(Block->body(), [&](const Stmt *S) { add(S); });
      return true;
    }
  } V;
  for (const Stmt *S : M.Segments[0]) {
    V.add(S);
    V.TraverseStmt(const_cast<Stmt *>(S));
  }
  const FunctionValues &Values = *M.Facts->Values;
  const SourceManager &SM = Context.getSourceManager();
  for (const ForStmt *For : V.InBlocks) {
    const BinaryOperator *Set = settingOf(For);
    const VarDecl *Var = Set ? referencedVar(Set->getLHS()) : nullptr;
    const auto *Cond = dyn_cast_or_null<BinaryOperator>(For->getCond());
    const auto *Add = dyn_cast_or_null<CompoundAssignOperator>(For->getInc());
    const auto *Inc = dyn_cast_or_null<UnaryOperator>(For->getInc());
    if (!Var || !isPlainNumber(Var) || Values.hasOtherNames(Var) ||
        isCaptured(Var, M.Loop->Function) || !Cond || Cond->getOpcode() != BO_LT ||
        referencedVar(Cond->getLHS()->IgnoreImpCasts()) != Var ||
        !(Add ? Add->getOpcode() == BO_AddAssign && referencedVar(Add->getLHS()) == Var
              : Inc && Inc->isIncrementOp() && referencedVar(Inc->getSubExpr()) == Var) ||
        Values.fold(Set->getRHS()) != int64_t(0) ||
        any_of(M.Facts->Collector->collect(For->getBody()).Accesses,
               [&](const Access &A) { return A.Write && A.touches(Var); }) ||
        leaves(For->getBody()))
      continue;
    const std::optional<int64_t> End = Values.fold(Cond->getRHS()),
                                 Step = Add ? Values.fold(Add->getRHS()) : int64_t(1);
    const auto Whole = replacedRange(For, Context);
    const SourceLocation At = Set->getLHS()->getBeginLoc();
    const std::string EndText = textOf(Cond->getRHS(), Context),
                      StepText = Add ? textOf(Add->getRHS(), Context) : "1";
    constexpr int64_t Most = 1 << 30; // the sum does not overflow
    // A class, and an enumeration, may have a sum of its own.
    const auto IsNumber = [](const Expr *E) {
      const QualType T = E->IgnoreUnlessSpelledInSource()->getType();
      return T->isIntegerType() && !T->isEnumeralType();
    };
    if (!IsNumber(Cond->getRHS()) || (Add && !IsNumber(Add->getRHS())))
      continue;
    // Of less than no turn the sum says another number, as does one of another sign.
    const auto IsSigned = [](const Expr *E) {
      return E->getType()->isSignedIntegerType() &&
             E->IgnoreImpCasts()->getType()->isSignedIntegerType();
    };
    if (End && *End < 0 && !(IsSigned(Cond->getRHS()) && (!Add || IsSigned(Add->getRHS()))))
      continue;
    if (!End || !Step || *End <= -*Step || *End > Most || *Step <= 0 || *Step > Most || !Whole ||
        EndText.empty() || StepText.empty() || At.isMacroID() || !isInMainFile(SM, At) ||
        For->getForLoc().isMacroID())
      continue;
    // A macro may be a sum.
    const auto Operand = [](const Expr *E, const std::string &Text) {
      return isa<DeclRefExpr, IntegerLiteral>(E->IgnoreImpCasts()) && !E->getBeginLoc().isMacroID()
                 ? Text
                 : "(" + Text + ")";
    };
    const std::string Name = Var->getNameAsString(), E = Operand(Cond->getRHS(), EndText),
                      By = Add ? Operand(Add->getRHS(), StepText) : StepText;
    Out.Edits.push_back(
        {SM.getFileOffset(At), 0, Var->getType().getAsString(Context.getPrintingPolicy()) + " "});
    Out.Edits.push_back({Whole->End, 0,
                         breakAt(mainFileText(Context), Whole->Begin) + Name + " = " +
                             (Add ? "(" + E + " + " + By + " - 1) / " + By + " * " + By : E) +
                             ";"});
    // Of other numbers the sum may be another one.
    Out.PinsArguments |= M.Loop->IsTemplate;
    Out.Said.push_back("'" + Name + "' is set behind the loop that counts with it");
  }
}

/// `for (i = 0; ..) ..` in the compute phase, of a variable of the body that the load phase has
/// used and nothing behind the loop does: the loop may have one of its own.
void lastUses(const TileModel &M, const ASTContext &Context, Rewording &Out) {
  if (hasOtherMeanings(M, Context))
    return;
  const SourceManager &SM = Context.getSourceManager();
  struct Visitor : ConstDynamicRecursiveASTVisitor {
    std::vector<const DeclRefExpr *> All;
    bool VisitDeclRefExpr(const DeclRefExpr *Ref) override { return All.push_back(Ref), true; }
  } V;
  V.TraverseStmt(const_cast<CompoundStmt *>(M.Loop->Body));
  for (const Stmt *S : M.Segments[1]) {
    const auto *Attributed = dyn_cast<AttributedStmt>(S);
    const auto *For = dyn_cast<ForStmt>(Attributed ? Attributed->getSubStmt() : S);
    const BinaryOperator *Set = For ? settingOf(For) : nullptr;
    const VarDecl *Var = Set ? referencedVar(Set->getLHS()) : nullptr;
    if (!Var || !isPlainNumber(Var) || !M.Facts->DeclaredInBody.count(Var) ||
        M.Facts->Values->hasOtherNames(Var) || isCaptured(Var, M.Loop->Function) ||
        none_of(M.Segments[0], [&](const Stmt *L) { return mentionedVars(L).count(Var) != 0; }))
      continue;
    const SourceLocation At = Set->getLHS()->getBeginLoc();
    const bool Behind = any_of(V.All, [&](const DeclRefExpr *Ref) {
      return Ref->getDecl() == Var && !encloses(For, Ref) &&
             !SM.isBeforeInTranslationUnit(SM.getExpansionLoc(Ref->getLocation()),
                                           SM.getExpansionLoc(For->getBeginLoc()));
    });
    if (Behind || mentionedVars(Set->getRHS()).count(Var) || At.isMacroID() ||
        !isInMainFile(SM, At))
      continue;
    Out.Edits.push_back(
        {SM.getFileOffset(At), 0, Var->getType().getAsString(Context.getPrintingPolicy()) + " "});
    Out.PinsArguments |= M.Loop->IsTemplate && M.Facts->Function->whole().ConstexprIf;
    Out.Said.push_back("'" + Var->getNameAsString() +
                       "' is declared in each of the loops that count with it");
  }
}

/// Something is refused that a variable of its own may mend.
bool isAboutVariables(const TileModel &M) {
  const auto IsAbout = [](const Refusal &R) {
    return R.Why == Reason::CounterModified || R.Why == Reason::LoadSideEffect ||
           R.Why == Reason::LoadForm || R.Why == Reason::BlockSizeNeeded;
  };
  return any_of(M.Refusals, IsAbout) || any_of(M.Registers.Refusals, IsAbout);
}

} // namespace

Rewording rewordCounters(const TileModel &M, ASTContext &Context) {
  Rewording Out;
  if (!isAboutVariables(M))
    return Out;
  setByExpressions(M, Context, Out);
  if (!Out.empty())
    return Out;
  const bool NeedsOwn = any_of(M.Registers.Refusals, [](const Refusal &R) {
    return R.Why == Reason::LoadForm || R.Why == Reason::BlockSizeNeeded;
  });
  const Stmt *Body = M.Loop->Function->getBody();
  DeclSet<VarDecl> Gone; // from where they were declared
  Mentions V;
  V.TraverseStmt(const_cast<Stmt *>(Body));
  const SourceManager &SM = Context.getSourceManager();
  for (const auto &[Var, Of] : V.All) {
    if (Of.Owners.empty() || Of.Nested || Of.InMacro || !isPlainNumber(Var) ||
        M.Facts->Values->hasOtherNames(Var))
      continue;
    // In both phases, or in a copy loop that cannot do with it, or it is in nobody's way.
    std::vector<const ForStmt *> Inside;
    bool Loads = false, Others = false;
    for (const ForStmt *Owner : Of.Owners)
      if (encloses(M.Loop->Body, Owner)) {
        const bool Load = any_of(M.Segments[0], [&](const Stmt *S) { return encloses(S, Owner); });
        Loads |= Load;
        Others |= !Load;
        Inside.push_back(Owner);
      }
    if (!Loads || !(Others || NeedsOwn))
      continue;
    // Or what else is mentioned of it is another value.
    if (!Of.Owned && (hasOtherMeanings(M, Context) || M.Facts->Function->HasGoto ||
                      isCaptured(Var, M.Loop->Function) ||
                      !ValuesSeen(Var, M.Loop->Function, Context).stayIn(Of.Owners)))
      continue;
    std::vector<Edit> Edits;
    for (const ForStmt *Owner : Inside) {
      const SourceLocation Loc = settingOf(Owner)->getLHS()->getBeginLoc();
      if (Loc.isMacroID() || !isInMainFile(SM, Loc))
        break;
      Edits.push_back({SM.getFileOffset(Loc), 0,
                       Var->getType().getAsString(Context.getPrintingPolicy()) + " "});
    }
    if (Edits.size() != Inside.size())
      continue;
    append_range(Out.Edits, Edits);
    Out.Said.push_back("'" + Var->getNameAsString() +
                       "' is declared in each of the loops that count with it");
    if (Of.Owned && Inside.size() == Of.Owners.size() && !Var->hasInit())
      Gone.insert(Var);
  }
  finish(M, Gone, Context, Out);
  if (Out.empty())
    lastUses(M, Context, Out);
  if (Out.empty() && NeedsOwn)
    countedBehind(M, Context, Out);
  return Out;
}

namespace {

/// Where a variable can be declared anew: at assignments behind which all of its mentions in their
/// block stand, so that no value of it lives longer than a block.
class SetFirst {
public:
  explicit SetFirst(const VarDecl *Var) : Var(Var) {}

  /// None: some mention may see what was set elsewhere.
  std::optional<std::vector<const BinaryOperator *>> in(const Stmt *Body) {
    if (!isCovered(Body))
      return std::nullopt;
    return std::move(Sets);
  }

private:
  const VarDecl *Var;
  std::vector<const BinaryOperator *> Sets;

  bool isMentionedIn(const Stmt *S) const {
    const auto *Ref = dyn_cast_or_null<DeclRefExpr>(S);
    if (Ref && Ref->getDecl() == Var)
      return true;
    // A capture is a mention, too.
    if (const auto *Lambda = dyn_cast_or_null<LambdaExpr>(S))
      return mentionedVars(Lambda->getBody()).count(Var) ||
             any_of(Lambda->captures(), [&](const LambdaCapture &C) {
               return C.capturesVariable() && C.getCapturedVar() == Var;
             });
    return S && any_of(S->children(), [&](const Stmt *Child) { return isMentionedIn(Child); });
  }

  bool isCovered(const CompoundStmt *Block) {
    bool Named = false; // by another variable of this block
    for (const Stmt *S : Block->body())
      if (const auto *Declaration = dyn_cast<DeclStmt>(S))
        Named |= any_of(Declaration->decls(), [&](const Decl *D) {
          const auto *Other = dyn_cast<NamedDecl>(D);
          return Other && Other != Var && Other->getIdentifier() == Var->getIdentifier();
        });
    for (const Stmt *S : Block->body()) {
      const auto *Set = dyn_cast<BinaryOperator>(S);
      const auto *Left =
          Set && Set->getOpcode() == BO_Assign ? dyn_cast<DeclRefExpr>(Set->getLHS()) : nullptr;
      if (Left && Left->getDecl() == Var && !isMentionedIn(Set->getRHS())) {
        Sets.push_back(Set);
        return !Named;
      }
      if (isMentionedIn(S) && !isCovered(S))
        return false;
    }
    return true;
  }

  bool isCovered(const Stmt *S) {
    if (const auto *Attributed = dyn_cast<AttributedStmt>(S))
      S = Attributed->getSubStmt();
    if (const auto *Block = dyn_cast<CompoundStmt>(S))
      return isCovered(Block);
    if (!isa<ForStmt, WhileStmt, DoStmt, IfStmt>(S))
      return false;
    return llvm::all_of(S->children(), [&](const Stmt *Child) {
      const bool Block =
          Child && (isa<CompoundStmt>(Child) || (isa<IfStmt>(S) && isa<IfStmt>(Child)));
      return !isMentionedIn(Child) || (Block && isCovered(Child));
    });
  }
};

/// The variables that the load phase assigns to, in their order.
struct AssignedVars : ConstDynamicRecursiveASTVisitor {
  std::vector<const VarDecl *> All;
  bool VisitBinaryOperator(const BinaryOperator *Op) override {
    const auto *Left = Op->getOpcode() == BO_Assign ? dyn_cast<DeclRefExpr>(Op->getLHS()) : nullptr;
    const auto *Var = Left ? dyn_cast<VarDecl>(Left->getDecl()) : nullptr;
    if (Var && !is_contained(All, Var))
      All.push_back(Var);
    return true;
  }
};

struct MentionsOf : ConstDynamicRecursiveASTVisitor {
  const VarDecl *Var;
  bool InMacro = false;
  size_t Number = 0; ///< in types as well
  explicit MentionsOf(const VarDecl *Var) : Var(Var) {}
  bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
    Number += Ref->getDecl() == Var;
    InMacro |= Ref->getDecl() == Var && Ref->getLocation().isMacroID();
    return true;
  }
};

/// In expressions.
size_t countMentions(const Stmt *S, const VarDecl *Var) {
  const auto *Ref = dyn_cast_or_null<DeclRefExpr>(S);
  size_t Number = Ref && Ref->getDecl() == Var;
  if (S)
    for (const Stmt *Child : S->children())
      Number += countMentions(Child, Var);
  return Number;
}

} // namespace

Rewording rewordSetFirst(const TileModel &M, ASTContext &Context) {
  Rewording Out;
  if (!M.Loop->Body || !hasLoadPhase(M) || !M.Facts || !M.Facts->Function ||
      M.Facts->Function->HasGoto || !isAboutVariables(M))
    return Out;
  const SourceManager &SM = Context.getSourceManager();
  const Stmt *Function = M.Loop->Function->getBody();
  AssignedVars Assigned;
  for (const Stmt *S : M.Segments[0])
    Assigned.TraverseStmt(S);
  DeclSet<VarDecl> Gone; // from where they were declared
  for (const VarDecl *Var : Assigned.All) {
    const bool OfTurn = M.Facts->DeclaredInBody.count(Var) != 0; // `int n; n = f();` in the body
    if (!isPlainNumber(Var, /*OrFloat=*/true) || (OfTurn && Var->hasInit()) ||
        M.Facts->Values->hasOtherNames(Var))
      continue;
    MentionsOf V(Var);
    V.TraverseStmt(Function);
    const auto Sets = V.InMacro ? std::nullopt : SetFirst(Var).in(Function);
    if (!Sets)
      continue;
    std::vector<Edit> Edits;
    for (const BinaryOperator *Set : *Sets)
      if (const SourceLocation Loc = Set->getBeginLoc(); encloses(M.Loop->Body, Set)) {
        if (Loc.isMacroID() || !isInMainFile(SM, Loc))
          break;
        Edits.push_back({SM.getFileOffset(Loc), 0,
                         Var->getType().getAsString(Context.getPrintingPolicy()) + " "});
      }
    if (Edits.size() != size_t(count_if(*Sets, [&](const BinaryOperator *Set) {
          return encloses(M.Loop->Body, Set);
        })))
      continue;
    if (Edits.size() == Sets->size() && !Var->hasInit() && V.Number == countMentions(Function, Var))
      Gone.insert(Var);
    else if (OfTurn)
      continue;
    append_range(Out.Edits, Edits);
    Out.Said.push_back("'" + Var->getNameAsString() +
                       "', which each turn of the loop sets first, is declared there");
  }
  finish(M, Gone, Context, Out);
  return Out;
}

} // namespace cuda_pipeline
