//===- RewordJumps.cpp - Jumps in the load phase that are conditions -------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// The fetch and the store of a copy loop ask each for itself, so that what is copied must be said
/// by conditions. Where a jump in the load phase says it, it is put as one: what a `continue`
/// leaves out stands in an `if`, a `break` in front of everything that a turn does is a part of the
/// loop's condition, `switch` is a chain of `if`, a `do` that runs once is a block, and a `while`
/// that counts is a `for`.
///
//===----------------------------------------------------------------------===//

#include "../Model/AstUtil.h"
#include "../Model/FloatWork.h"
#include "../Model/LoopFacts.h"
#include "../Model/ModelStep.h"
#include "../Model/RawTokens.h"
#include "Rewordings.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

/// It is jumped into from outside of it.
bool isJumpedInto(const Stmt *S) {
  return S && !isa<SwitchStmt>(S) &&
         (isa<LabelStmt, SwitchCase>(S) || any_of(S->children(), isJumpedInto));
}

/// A `break` in it that ends what is around it.
bool breaks(const Stmt *S) {
  return S && !isLoop(S) && !isa<SwitchStmt, LambdaExpr>(S) &&
         (isa<BreakStmt>(S) || any_of(S->children(), breaks));
}

class JumpRewording {
public:
  /// \p Jumps: they may be what the loop is refused for, and not a block that looks like a loop
  /// alone.
  JumpRewording(const TileModel &M, ASTContext &Context, bool Jumps)
      : M(M), Context(Context), SM(Context.getSourceManager()), File(mainFileText(Context)),
        Jumps(Jumps) {}

  Rewording run() {
    for (const Stmt *S : M.Segments[0])
      within(S, /*InBlock=*/true);
    counters(M.Segments[0]);
    const std::pair<bool, const char *> Said[] = {
        {Continues, "what a 'continue' in the load phase leaves out is under its condition"},
        {Breaks, "a 'break' at the top of a copy loop is a part of its condition"},
        {Chains, "a 'switch' in the load phase is taken as 'if' and 'else'"},
        {Blocks, "a 'do' in the load phase that runs once is a block"},
        {Counts, "a 'while' in the load phase that counts is taken as 'for'"}};
    for (auto [Done, Words] : Said)
      if (Done)
        Out.Said.push_back(Words);
    // Of other types the opposite of a comparison may be another one: neither holds of a NaN.
    Out.PinsArguments = M.Loop->IsTemplate && !Out.empty();
    return std::move(Out);
  }

private:
  const TileModel &M;
  ASTContext &Context;
  const SourceManager &SM;
  const StringRef File;
  const bool Jumps;
  bool Continues = false, Breaks = false, Chains = false, Blocks = false, Counts = false;
  Rewording Out;

  std::optional<unsigned> offsetOf(SourceLocation Loc) const {
    if (Loc.isMacroID() || !isInMainFile(SM, Loc))
      return std::nullopt;
    return SM.getFileOffset(Loc);
  }

  /// What is inside of something that changes waits for the next round. \p InBlock: no `else` that
  /// follows could belong to an `if` in its place.
  void within(const Stmt *S, bool InBlock) {
    if (!S || isa<Expr>(S))
      return;
    if (const auto *Switch = dyn_cast<SwitchStmt>(S)) {
      if (Jumps && InBlock)
        chain(*Switch);
      return;
    }
    if (const auto *Do = dyn_cast<DoStmt>(S); Do && once(*Do))
      return;
    const Stmt *Turn = nullptr;
    if (const auto *For = dyn_cast<ForStmt>(S))
      Turn = For->getBody();
    else if (const auto *While = dyn_cast<WhileStmt>(S))
      Turn = While->getBody();
    if (const auto *Body = dyn_cast_or_null<CompoundStmt>(Turn);
        Body && Jumps && (leave(S, *Body) || leaveOut(*Body)))
      return;
    for (const Stmt *Child : S->children())
      within(Child, isa<CompoundStmt>(S));
  }

  //===-- break ---------------------------------------------------------------------===//

  /// Variables of the body, by what they are set to where they are declared.
  using Values = DeclMap<VarDecl, const Expr *>;
  /// What converts such a value to the variable's type, where that is another integer.
  DeclMap<VarDecl, std::string> Casts;

  bool computesOnly(const Expr *E) const {
    const Effects Does = M.Facts->Collector->collect(E);
    return onlyPureActions(Does) &&
           none_of(Does.Accesses, [](const Access &A) { return A.Write || A.Volatile; });
  }

  /// \p E by what its variables are made of. None: it cannot be said in front of \p Own.
  std::optional<std::string> said(const Expr *E, const Values &Own, unsigned Depth = 0) const {
    const std::optional<TextRange> R = textRange(E->getSourceRange(), Context);
    if (!R || Depth > 8 || !computesOnly(E))
      return std::nullopt;
    struct References : ConstDynamicRecursiveASTVisitor {
      std::vector<const DeclRefExpr *> Of;
      bool Hidden = false;
      bool VisitDeclRefExpr(const DeclRefExpr *Ref) override { return Of.push_back(Ref), true; }
      bool VisitLambdaExpr(const LambdaExpr *) override { return Hidden = true; }
    } Found;
    Found.TraverseStmt(E);
    std::vector<std::pair<TextRange, std::string>> Parts;
    for (const DeclRefExpr *Ref : Found.Of) {
      const auto At = Own.find(dyn_cast<VarDecl>(Ref->getDecl()));
      if (At == Own.end())
        continue;
      const std::optional<TextRange> Place = textRange(Ref->getSourceRange(), Context);
      const std::optional<std::string> Value =
          At->second ? said(At->second, Own, Depth + 1) : std::nullopt;
      if (!Place || !R->contains(*Place) || !Value)
        return std::nullopt;
      const auto Cast = Casts.find(At->first);
      Parts.push_back({*Place, (Cast == Casts.end() ? "" : Cast->second) + "(" + *Value + ")"});
    }
    if (Found.Hidden)
      return std::nullopt;
    llvm::sort(Parts, [](const auto &A, const auto &B) { return A.first.Begin > B.first.Begin; });
    std::string Text = File.slice(R->Begin, R->End).str();
    for (const auto &[Place, Value] : Parts)
      Text.replace(Place.Begin - R->Begin, Place.End - Place.Begin, Value);
    return Text;
  }

  /// `{ const int j = k + i; if (j >= n) break; .. }`: nothing else is done in front of the break.
  bool leave(const Stmt *Loop, const CompoundStmt &Body) {
    const auto *For = dyn_cast<ForStmt>(Loop);
    const auto *While = dyn_cast<WhileStmt>(Loop);
    const Expr *Condition = For ? For->getCond() : While->getCond();
    if (!Condition || !Condition->IgnoreImplicit()->getType()->isScalarType() ||
        (For && For->getConditionVariable()) || (While && While->getConditionVariable()))
      return false;
    Values Own;
    for (const Stmt *S : Body.body()) {
      if (const Expr *Exit = conditionOfExit(S)) {
        for (auto At = Own.end(); (At = Own.find(referencedVar(Exit))) != Own.end() && At->second &&
                                  !Casts.count(At->first);)
          Exit = At->second;
        const std::optional<std::string> Text = said(Exit, Own);
        const std::optional<TextRange> R = textRange(Condition->getSourceRange(), Context);
        const std::optional<Edit> Taken = withoutStatement(S, Context);
        const std::string First = asOperand(Condition, Context);
        if (!Text || !R || !Taken || First.empty() ||
            !Exit->IgnoreImplicit()->getType()->isScalarType())
          return false;
        const std::string Plain = negated(Exit, Context);
        const std::string Stays =
            *Text == textOf(Exit, Context) && !Plain.empty() ? Plain : "!(" + *Text + ")";
        Out.Edits.push_back({R->Begin, R->End - R->Begin, First + " && " + Stays});
        Out.Edits.push_back(*Taken);
        return Breaks = true;
      }
      const auto *Declaration = dyn_cast<DeclStmt>(S);
      if (!Declaration)
        return false;
      for (const Decl *D : Declaration->decls()) {
        const auto *Var = dyn_cast<VarDecl>(D);
        if (!Var || !Var->hasLocalStorage() || !Var->hasInit() || !computesOnly(Var->getInit()))
          return false;
        // Of another type it is another value.
        const QualType T = Var->getType();
        const Expr *Value = Var->getInit()->IgnoreImplicit();
        const bool Same = T->isScalarType() && Var->getInitStyle() == VarDecl::CInit &&
                          Context.hasSameUnqualifiedType(T, Value->getType());
        const bool Converted = !Same && isPlainNumberType(T) &&
                               isPlainNumberType(Value->getType()) &&
                               Var->getInitStyle() == VarDecl::CInit;
        if (Converted)
          Casts[Var] =
              "(" +
              T.getCanonicalType().getUnqualifiedType().getAsString(Context.getPrintingPolicy()) +
              ")"; // whatever an alias means there
        Own[Var] = Same || Converted ? Value : nullptr;
      }
    }
    return false;
  }

  /// An integer of the language, whatever it is called.
  static bool isPlainNumberType(QualType T) {
    return T->isIntegerType() && !T->isEnumeralType() && !T->isBooleanType();
  }

  //===-- continue ------------------------------------------------------------------===//

  bool leaveOut(const CompoundStmt &Body) {
    const std::optional<unsigned> Close = offsetOf(Body.getRBracLoc());
    if (!Close || none_of(Body.body(), continueAtTheEnd))
      return false;
    const size_t Line = File.rfind('\n', *Close) + 1;
    const bool Alone = File.slice(Line, *Close).trim().empty();
    std::vector<Edit> Edits;
    std::vector<unsigned> Guards; ///< where what they guard begins
    std::string Braces, Unit = "  ";
    for (const Stmt *S : Body.body()) {
      const ContinueStmt *Continue = continueAtTheEnd(S);
      if (!Continue) {
        if (!Guards.empty() && isJumpedInto(S))
          return false;
        continue;
      }
      const auto *If = cast<IfStmt>(S);
      const auto *Block = dyn_cast<CompoundStmt>(If->getThen());
      const std::optional<TextRange> Whole = statementRange(If, Context);
      if (!Whole)
        return false;
      if (Block && Block->size() > 1) {
        const std::optional<Edit> Taken = withoutStatement(Continue, Context);
        if (!Taken || jumpsElsewhere(*Block, Continue))
          return false;
        Edits.push_back(*Taken);
        Edits.push_back({Whole->End, 0, " else {"});
      } else {
        const std::string Stays = negated(If->getCond(), Context);
        // What is said in it would be lost.
        if (Stays.empty() || !commentsIn(File.slice(Whole->Begin, Whole->End)).empty())
          return false;
        Edits.push_back({Whole->Begin, Whole->End - Whole->Begin, "if (" + Stays + ") {"});
      }
      Guards.push_back(Whole->End);
      const std::string Indent = indentOf(File, Whole->Begin);
      const std::string Outer = indentOf(File, *Close);
      if (Alone && StringRef(Indent).starts_with(Outer) && Indent.size() > Outer.size())
        Unit = Indent.substr(Outer.size());
    }
    // One deeper for each.
    const std::string Indent = indentOf(File, *Close) + Unit;
    for (size_t I = Guards.size(); I-- > 0;) {
      std::string In = Indent;
      for (size_t K = 0; K < I; ++K)
        In += Unit;
      Braces += Alone ? In + "}\n" : "}";
    }
    const StringRef Rest = File.slice(Guards.front(), Line);
    if (Alone && !mayHaveStringOfLines(Rest))
      for (size_t At = File.find('\n', Guards.front()); At != StringRef::npos && At + 1 < Line;
           At = File.find('\n', At + 1)) {
        const StringRef Next = File.drop_front(At + 1).take_until([](char C) { return C == '\n'; });
        if (Next.trim().empty() || Next.ltrim().starts_with("#"))
          continue;
        std::string Deeper;
        for (unsigned Guard : Guards)
          Deeper += Guard <= At ? Unit : "";
        // A guard that is replaced keeps its own place.
        const bool Inside = any_of(Edits, [&](const Edit &E) {
          return E.Length && E.Offset <= At + 1 && At + 1 < E.Offset + E.Length;
        });
        if (!Inside)
          Edits.push_back({unsigned(At + 1), 0, Deeper});
      }
    Edits.push_back({unsigned(Alone ? Line : *Close), 0, Braces});
    append_range(Out.Edits, Edits);
    return Continues = true;
  }

  /// Another `continue` of the same loop than \p Last.
  static bool jumpsElsewhere(const Stmt &S, const ContinueStmt *Last) {
    return any_of(S.children(), [&](const Stmt *Child) {
      return Child && Child != Last && !isLoop(Child) && !isa<LambdaExpr>(Child) &&
             (isa<ContinueStmt>(Child) || jumpsElsewhere(*Child, Last));
    });
  }

  //===-- switch --------------------------------------------------------------------===//

  /// `case 0: .. break; case 1: .. break; default: ..`, none of which goes on into the next.
  bool chain(const SwitchStmt &Switch) {
    const auto *Body = dyn_cast<CompoundStmt>(Switch.getBody());
    const Expr *Value = Switch.getCond();
    const std::optional<unsigned> Begin = offsetOf(Switch.getBeginLoc());
    if (!Body || Body->body_empty() || !Begin || Switch.getInit() ||
        Switch.getConditionVariable() || !computesOnly(Value) || floatWorkIn(Value).Any ||
        !Value->IgnoreImplicit()->getType()->isIntegralOrEnumerationType())
      return false;
    std::string Compared = textOf(Value->IgnoreParenImpCasts(), Context);
    if (Compared.empty())
      return false;
    if (!isa<DeclRefExpr, MemberExpr>(Value->IgnoreParenImpCasts()))
      Compared = "(" + Compared + ")";
    std::vector<Edit> Edits;
    bool Open = false, Left = true, Default = false;
    bool OfBlock = false; ///< the group before has braces of its own
    const Stmt *const *End = Body->body_end();
    for (const Stmt *const *It = Body->body_begin(); It != End; ++It) {
      const auto *Case = dyn_cast<SwitchCase>(*It);
      if (!Case) {
        // A declaration would be seen in the groups behind it.
        if (!Open || Left || isa<DeclStmt>(*It) || !group(*It, Left, Edits))
          return false;
        continue;
      }
      if (!Left || Default)
        return false;
      std::string Any;
      const Stmt *Inner = Case;
      SourceLocation Colon;
      for (; const auto *Next = dyn_cast<SwitchCase>(Inner); Inner = Next->getSubStmt()) {
        Colon = Next->getColonLoc();
        const auto *Number = dyn_cast<CaseStmt>(Next);
        const std::string Of = Number ? asCase(*Number) : "";
        if (Number && Of.empty())
          return false;
        Default |= !Number;
        Any += (Any.empty() ? "" : " || ") + Compared + " == " + Of;
      }
      const std::optional<unsigned> At = offsetOf(Case->getBeginLoc()), Behind = offsetOf(Colon);
      // From the word `switch` on, or from behind the last group.
      if (!At || !Behind || !commentsIn(File.slice(Open ? *At : *Begin, *Behind)).empty())
        return false;
      const bool Block = isa<CompoundStmt>(Inner) &&
                         (It + 1 == End || isa<SwitchCase>(It[1]) ||
                          (isa<BreakStmt>(It[1]) && (It + 2 == End || isa<SwitchCase>(It[2]))));
      std::string Head = !Open ? "" : OfBlock ? "else " : "} else ";
      if (!Default)
        Head += "if (" + Any + ")" + (Block ? "" : " ");
      // What follows on the line gets one of its own.
      unsigned From = *Behind + 1;
      const StringRef Rest =
          File.drop_front(From).take_until([](char C) { return C == '\n' || C == '\r'; });
      if (!Block) {
        Head += "{";
        if (!Rest.trim().empty()) {
          Head += breakAt(File, *At) + "  ";
          From += unsigned(Rest.size() - Rest.ltrim().size());
        }
      }
      Edits.push_back({Open ? *At : *Begin, From - (Open ? *At : *Begin), Head});
      Open = true;
      OfBlock = Block;
      Left = false;
      if (isa<DeclStmt>(Inner) || !group(Inner, Left, Edits))
        return false;
    }
    const std::optional<unsigned> Close = offsetOf(Body->getRBracLoc());
    if (!Close)
      return false;
    if (OfBlock) {
      // With what is left of its line.
      const size_t Line = File.rfind('\n', *Close) + 1, Next = File.find('\n', *Close);
      const bool Alone = Next != StringRef::npos && File.slice(Line, *Close).trim().empty() &&
                         File.slice(*Close + 1, Next).trim().empty();
      Edits.push_back(Alone ? Edit{unsigned(Line), unsigned(Next + 1 - Line), ""}
                            : Edit{*Close, 1, ""});
    }
    append_range(Out.Edits, Edits);
    return Chains = true;
  }
  /// The number as an operand of a comparison; empty: there is none.
  std::string asCase(const CaseStmt &Case) const {
    const Expr *Number = Case.getLHS();
    if (Case.getRHS() || !Number || Number->isValueDependent())
      return "";
    const Expr *Inner = Number->IgnoreImplicit();
    if (const auto *Constant = dyn_cast<ConstantExpr>(Inner))
      Inner = Constant->getSubExpr();
    const std::string Text = textOf(Inner, Context);
    return Text.empty() || isa<IntegerLiteral, DeclRefExpr, ParenExpr>(Inner->IgnoreImpCasts())
               ? Text
               : "(" + Text + ")";
  }
  /// A statement of a group. \p Left: it ends with `break`, which is taken out.
  bool group(const Stmt *S, bool &Left, std::vector<Edit> &Edits) const {
    if (isa<BreakStmt>(S)) {
      const std::optional<Edit> Taken = withoutStatement(S, Context);
      Left = true;
      return Taken && (Edits.push_back(*Taken), true);
    }
    // `case 0: { ..; break; }`
    if (const auto *Block = dyn_cast<CompoundStmt>(S); Block && !Block->body_empty()) {
      for (const Stmt *Child : Block->body())
        if (Left || !group(Child, Left, Edits))
          return false;
      return true;
    }
    return !breaks(S) && !isJumpedInto(S);
  }

  //===-- while ---------------------------------------------------------------------===//

  /// `int i = tx; while (i < n) { ..; i += 64; }`, where nothing else names the variable.
  template <typename Range> void counters(const Range &Statements) {
    const DeclStmt *Before = nullptr;
    for (const Stmt *S : Statements) {
      const auto *While = dyn_cast_or_null<WhileStmt>(S);
      if (While && Before && counter(*Before, *While))
        return; // the rest in the next round
      Before = dyn_cast_or_null<DeclStmt>(S);
      if (const auto *Block = dyn_cast_or_null<CompoundStmt>(S))
        counters(Block->body());
      else if (isa_and_nonnull<IfStmt, ForStmt, WhileStmt>(S))
        for (const Stmt *Child : S->children())
          if (const auto *Block = dyn_cast_or_null<CompoundStmt>(Child))
            counters(Block->body());
    }
  }
  bool counter(const DeclStmt &Declaration, const WhileStmt &While) {
    const auto *Var =
        Declaration.isSingleDecl() ? dyn_cast<VarDecl>(Declaration.getSingleDecl()) : nullptr;
    const auto *Body = dyn_cast<CompoundStmt>(While.getBody());
    const auto *Step = Body && !Body->body_empty() ? dyn_cast<Expr>(Body->body_back()) : nullptr;
    if (!Out.empty() || !Var || !Var->hasLocalStorage() || !Var->hasInit() || !Step ||
        While.getConditionVariable() || hasContinue(Body) || !mentionedVars(Step).count(Var) ||
        !mentionedVars(While.getCond()).count(Var) ||
        countMentions(Var, {M.Loop->Body}) != countMentions(Var, {&While, &Declaration}))
      return false;
    // What the step names the body may declare anew.
    for (const Stmt *S : Body->body())
      if (const auto *Inner = dyn_cast<DeclStmt>(S))
        for (const Decl *D : Inner->decls())
          if (!isa<VarDecl>(D) || mentionedVars(Step).count(cast<VarDecl>(D)) ||
              any_of(mentionedVars(Step), [&](const VarDecl *V) {
                return V->getIdentifier() == cast<VarDecl>(D)->getIdentifier();
              }))
            return false;
    const std::optional<TextRange> First = statementRange(&Declaration, Context),
                                   Condition =
                                       textRange(While.getCond()->getSourceRange(), Context),
                                   Last = textRange(Step->getSourceRange(), Context);
    const std::optional<unsigned> Begin = offsetOf(While.getBeginLoc()),
                                  End = offsetOf(While.getRParenLoc());
    const std::optional<Edit> Taken = withoutStatement(Step, Context);
    if (!First || !Condition || !Last || !Begin || !End || !Taken || First->End > *Begin ||
        !File.slice(First->End, *Begin).trim().empty() ||
        !commentsIn(File.slice(*Begin, *End)).empty())
      return false;
    const StringRef Start = File.slice(First->Begin, First->End).rtrim(" \t\r\n;");
    const auto Words = [&](const TextRange &R) { return File.slice(R.Begin, R.End).str(); };
    Out.Edits.push_back(
        {First->Begin, *End + 1 - First->Begin,
         "for (" + Start.str() + "; " + Words(*Condition) + "; " + Words(*Last) + ")"});
    Out.Edits.push_back(*Taken);
    return Counts = true;
  }
  //===-- do .. while (0) -----------------------------------------------------------===//

  bool once(const DoStmt &Do) {
    const std::optional<unsigned> Begin = offsetOf(Do.getDoLoc()),
                                  End = offsetOf(Do.getRParenLoc());
    const auto *Body = dyn_cast<CompoundStmt>(Do.getBody());
    const std::optional<unsigned> Open = Body ? offsetOf(Body->getLBracLoc()) : std::nullopt,
                                  Close = Body ? offsetOf(Body->getRBracLoc()) : std::nullopt;
    const std::optional<TextRange> Whole = statementRange(&Do, Context);
    if (!Begin || !End || !Open || !Close || !Whole || constantValue(Do.getCond(), Context) != 0 ||
        hasContinue(Body) || any_of(Body->body(), breaks) ||
        !commentsIn(File.slice(*Close, *End)).empty() || Whole->End <= *End ||
        File.slice(*End + 1, Whole->End).trim() != ";")
      return false;
    Out.Edits.push_back({*Begin, *Open - *Begin, ""});
    Out.Edits.push_back({*Close + 1, Whole->End - *Close - 1, ""});
    return Blocks = true;
  }
};

} // namespace

Rewording rewordJumps(const TileModel &M, ASTContext &Context) {
  const auto IsOfForm = [](const Refusal &R) { return R.Why == Reason::LoadForm; };
  if (!M.Loop->Body || M.Loop->IsPattern || !M.Facts || !M.Facts->Collector)
    return Rewording();
  const bool Jumps = any_of(M.Refusals, IsOfForm) || any_of(M.Registers.Refusals, IsOfForm);
  return JumpRewording(M, Context, Jumps).run();
}

} // namespace cuda_pipeline
