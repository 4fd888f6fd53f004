//===- RewordLast.cpp - Turns that end with their load phase --------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// compute | barrier | load | barrier: what a turn loads last the next one could load first, as
/// that is all that stands between. In its first turn there is nothing of the sort, and what the
/// last one loads nobody reads, so that it need not be loaded. That is so where
///
///   the header counts, and neither it nor what stands behind the loop has to do with what the load
///   phase sets: nor is the loop in another one, which would find it there;
///   the load phase does nothing but to load, and to set tiles and variables;
///   what it names of the compute phase are numbers that it can declare itself.
///
//===----------------------------------------------------------------------===//

#include "../Model/Barriers.h"
#include "../Model/ModelStep.h"
#include "../Model/RawTokens.h"
#include "Rewordings.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

class LastRewording {
public:
  LastRewording(const TileModel &M, const ASTContext &Context, const SourceText &Source)
      : M(M), L(*M.Loop), Context(Context), SM(Context.getSourceManager()),
        File(mainFileText(Context)), Source(Source) {}

  Rewording run() {
    if (!L.IsKernel || !L.asFor() || M.AlreadyPipelined || hasOtherMeanings(M, Context) ||
        // Threads may wait for each other by that, in front of the first turn's barrier.
        any_of(M.Facts->Function->whole().Accesses, [](const Access &A) { return A.Volatile; }) ||
        lambdaAround(L) || M.Facts->Function->HasGoto ||
        any_of(M.Refusals,
               [](const Refusal &R) {
                 return is_contained({Reason::EarlyExit, Reason::BarrierNested}, R.Why);
               }) ||
        !counts() || !parts() || !loadsAlone() || isSeenOutside() || isSeenInOtherBuild())
      return Rewording();
    return said();
  }

private:
  const TileModel &M;
  const KLoop &L;
  const ASTContext &Context;
  const SourceManager &SM;
  const StringRef File;
  const SourceText &Source;

  const VarDecl *Counter = nullptr;
  std::string Start, Before; ///< its first value, and what it was in the turn before
  std::vector<const Stmt *> Compute, Load;
  const Stmt *Barriers[2] = {nullptr, nullptr}; ///< in front of the load phase, and behind it
  DeclSet<VarDecl> Sets;                        ///< in the load phase, declared around the loop
  DeclSet<VarDecl> Tiles;                       ///< and shared memory
  std::vector<const DeclStmt *> Again;          ///< numbers of the compute phase that it needs

  Effects effects(const Stmt *S) const { return M.Facts->Collector->collect(S); }
  Effects effects(ArrayRef<const Stmt *> List) const {
    Effects All;
    for (const Stmt *S : List)
      All.append(effects(S));
    return All;
  }
  static bool writes(const Effects &E, const VarDecl *V) {
    return any_of(E.Accesses, [&](const Access &A) { return A.Write && A.touches(V); });
  }
  /// It has one value as long as the loop runs.
  bool isSteady(const VarDecl *V) const {
    if (V == Counter || V->getType().isVolatileQualified() || V->getType()->isReferenceType())
      return false;
    return isConstObject(V->getType()) || // threadIdx, too
           (V->hasLocalStorage() && !M.Facts->Values->hasOtherNames(V) && !writes(InBody, V));
  }
  Effects InBody;

  /// `for (int t = Start; ..; t += Step)`, whose body leaves the counter alone.
  bool counts() {
    const ForStmt *For = L.asFor();
    const auto *Init = dyn_cast_or_null<DeclStmt>(For->getInit());
    Counter = Init && Init->isSingleDecl() ? dyn_cast<VarDecl>(Init->getSingleDecl()) : nullptr;
    if (!Counter || !initialValue(Counter) || !For->getCond() || !For->getInc())
      return false;
    const QualType T = Counter->getType();
    InBody = effects(L.Body);
    if (!T->isIntegerType() || T->isEnumeralType() || T->isBooleanType() || T.hasQualifiers() ||
        M.Facts->Values->hasOtherNames(Counter) || writes(InBody, Counter))
      return false;
    Start = said(initialValue(Counter), T);
    // What ends the loop has nothing to do with what is loaded.
    const Effects Ends = effects(For->getCond());
    if (Start.empty() || !onlyPureActions(Ends) || !onlyLocalAccesses(Ends) ||
        any_of(Ends.Accesses, [](const Access &A) { return A.Write; }))
      return false;
    // It never comes back to its first value.
    if (!endsOnItsWay(*For))
      return false;
    const auto *Inc = dyn_cast<UnaryOperator>(For->getInc()->IgnoreParens());
    const auto *Add = dyn_cast<CompoundAssignOperator>(For->getInc()->IgnoreParens());
    const std::string Name = Counter->getNameAsString();
    if (Inc && Inc->isIncrementDecrementOp() && referencedVar(Inc->getSubExpr()) == Counter) {
      Before = Name + (Inc->isIncrementOp() ? " - 1" : " + 1");
      return true;
    }
    if (!Add || (Add->getOpcode() != BO_AddAssign && Add->getOpcode() != BO_SubAssign) ||
        referencedVar(Add->getLHS()) != Counter)
      return false;
    const std::optional<int64_t> By = M.Facts->Values->fold(Add->getRHS());
    const std::string Step = said(Add->getRHS(), Add->getRHS()->getType());
    if (!By || *By == 0 || Step.empty() || !T->isSignedIntegerType() ||
        !Context.hasSameUnqualifiedType(Add->getComputationResultType(), T))
      return false; // computed in a wider type it goes round
    Before = Name + (Add->getOpcode() == BO_AddAssign ? " - " : " + ") + Step;
    return true;
  }

  /// A counter that overflows goes round to its first value, if anything ends the loop: that of a
  /// signed type of the size of an int may not, and others are ended by a comparison.
  bool endsOnItsWay(const ForStmt &For) const {
    const QualType T = Counter->getType();
    if (Context.getTypeSize(T) < Context.getTypeSize(Context.IntTy))
      return false;
    if (T->isSignedIntegerType())
      return true;
    const auto *Ends = dyn_cast<BinaryOperator>(For.getCond()->IgnoreParenImpCasts());
    const auto *Inc = dyn_cast<UnaryOperator>(For.getInc()->IgnoreParens());
    if (!Ends || !Inc)
      return false;
    const bool OnLeft = referencedVar(Ends->getLHS()->IgnoreImpCasts()) == Counter;
    if (!OnLeft && referencedVar(Ends->getRHS()->IgnoreImpCasts()) != Counter)
      return false;
    const Expr *Other = (OnLeft ? Ends->getRHS() : Ends->getLHS())->IgnoreImpCasts();
    return Context.hasSameType(Ends->getLHS()->getType().getUnqualifiedType(), T) &&
           (Ends->getOpcode() == BO_NE
                ? all_of(mentionedVars(Other), [&](const VarDecl *V) { return isSteady(V); })
                : Ends->getOpcode() == (OnLeft == Inc->isIncrementOp() ? BO_LT : BO_GT));
  }

  /// The text of a number of the type \p T that has the same value in all turns, as an operand; or
  /// empty.
  std::string said(const Expr *E, QualType T) const {
    const Effects Does = effects(E);
    const std::optional<int64_t> Value = M.Facts->Values->fold(E);
    // What is said, not what a class makes of it.
    const QualType Own = E->IgnoreUnlessSpelledInSource()->getType();
    // Compared with one of another sign it is converted to the same.
    const bool Fits = Own->isIntegerType() && !Own->isEnumeralType() &&
                      ((Context.getTypeSize(Own) == Context.getTypeSize(T) &&
                        Context.getTypeSize(T) >= Context.getTypeSize(Context.IntTy)) ||
                       (Value && *Value >= 0 && *Value < 128));
    if (!Fits || !onlyPureActions(Does) || !onlyLocalAccesses(Does) ||
        any_of(Does.Accesses, [](const Access &A) { return A.Write; }) ||
        !all_of(mentionedVars(E), [&](const VarDecl *V) { return isSteady(V); }))
      return "";
    const std::string Text = textOf(E, Context);
    // A macro may be a sum.
    const bool Word = isa<DeclRefExpr, IntegerLiteral>(E->IgnoreImpCasts()) &&
                      !E->getBeginLoc().isMacroID() && !E->getEndLoc().isMacroID();
    return Text.empty() || Word ? Text : "(" + Text + ")";
  }

  bool parts() {
    std::vector<const Stmt *> Body(L.Body->body_begin(), L.Body->body_end());
    while (!Body.empty() && isa<NullStmt>(Body.back()))
      Body.pop_back();
    std::vector<size_t> Own;
    for (size_t I = 0; I < Body.size(); ++I)
      if (barrierOf(Body[I], *M.Facts->Collector, Context) == FunctionKind::Barrier)
        Own.push_back(I);
    if (Own.size() < 2 || Own.back() + 1 != Body.size())
      return false;
    const size_t First = Own[Own.size() - 2];
    Barriers[0] = Body[First];
    Barriers[1] = Body.back();
    Compute.assign(Body.begin(), Body.begin() + First);
    Load.assign(Body.begin() + First + 1, Body.end() - 1);
    return !Compute.empty() && !Load.empty() &&
           none_of(mentionedVars(Barriers[1]),
                   [&](const VarDecl *V) { return isDeclaredIn(Compute, V); });
  }

  bool isDeclaredIn(ArrayRef<const Stmt *> List, const Decl *D) const {
    const SourceLocation At = SM.getExpansionLoc(D->getLocation());
    // A function of the compiler's own is where it is called first.
    return D->getParentFunctionOrMethod() && At.isValid() && any_of(List, [&](const Stmt *S) {
             return SM.isPointWithin(At, SM.getExpansionLoc(S->getBeginLoc()),
                                     SM.getExpansionRange(S->getEndLoc()).getEnd());
           });
  }

  /// What the load phase does is to load.
  bool loadsAlone() {
    const Effects E = effects(Load);
    if (!E.writes(Space::Shared) || !readsLoadable(E) || E.hasBarrier() || !onlyPureOrLoads(E) ||
        namesOthers() || any_of(Load, [](const Stmt *S) { return meantLocally(S); }))
      return false;
    for (const Access &A : E.Accesses) {
      if (A.Volatile)
        return false;
      if (!A.Write)
        continue;
      for (const MemoryRoot &R : A.Roots) {
        const auto *V =
            dyn_cast_or_null<VarDecl>(R.In == Space::Shared ? M.Facts->arrayOf(R.Decl) : R.Decl);
        if (!V || (R.In != Space::Shared && R.In != Space::Local) ||
            (R.In == Space::Shared && !V->hasAttr<CUDASharedAttr>()))
          return false;
        if (R.In == Space::Shared)
          Tiles.insert(V);
        else if (isDeclaredIn(Compute, V) || M.Facts->Values->hasOtherNames(V))
          return false;
        else if (!isDeclaredIn(Load, V))
          Sets.insert(V);
      }
    }
    if (!readsTiles(effects(Compute)))
      return false; // nobody computes on what is loaded
    for (const Stmt *S : Load)
      for (const NamedAt &Name : namesOf(S))
        if (isDeclaredIn(Compute, Name.Decl) && !declaresAgain(Name.Decl))
          return false;
    return true;
  }

  /// It may read one of the tiles.
  bool readsTiles(const Effects &E) const {
    return any_of(E.Accesses, [&](const Access &A) {
      return A.Read && any_of(A.Roots, [&](const MemoryRoot &R) {
               if (R.In != Space::Shared)
                 return R.In == Space::Unknown;
               const auto *Array = dyn_cast_or_null<VarDecl>(M.Facts->arrayOf(R.Decl));
               // All dynamic shared memory is one.
               return !Array || !Array->hasAttr<CUDASharedAttr>() || Tiles.count(Array) ||
                      (Array->hasExternalStorage() &&
                       any_of(Tiles, [](const VarDecl *V) { return V->hasExternalStorage(); }));
             });
    });
  }

  /// The compute phase gives names to what is declared elsewhere.
  bool namesOthers() const {
    return any_of(Compute, [](const Stmt *S) {
      const auto *Declaration = dyn_cast<DeclStmt>(S);
      return Declaration && any_of(Declaration->decls(), [](const Decl *D) {
               return !isa<VarDecl, StaticAssertDecl>(D) || isa<DecompositionDecl>(D);
             });
    });
  }

  static bool meantLocally(const Stmt *S) {
    if (!S)
      return false;
    if (const auto *Declaration = dyn_cast<DeclStmt>(S))
      for (const Decl *D : Declaration->decls())
        if (const auto *V = dyn_cast<VarDecl>(D); !V || !V->hasLocalStorage())
          return true;
    return isa<LambdaExpr, BreakStmt, ContinueStmt, ReturnStmt>(S) ||
           any_of(S->children(), meantLocally);
  }

  /// \p D is a number that a turn has from its counter, in the compute phase; and so is all that is
  /// declared with it.
  bool declaresAgain(const NamedDecl *D) {
    const auto It = find_if(Compute, [&](const Stmt *S) {
      const auto *Declaration = dyn_cast<DeclStmt>(S);
      return Declaration && is_contained(Declaration->decls(), D);
    });
    if (It == Compute.end())
      return false;
    const auto *Declaration = cast<DeclStmt>(*It);
    if (is_contained(Again, Declaration))
      return true;
    const Effects E = effects(Declaration);
    if (!onlyPureActions(E) || !onlyLocalAccesses(E))
      return false;
    for (const Decl *One : Declaration->decls()) {
      const auto *V = dyn_cast<VarDecl>(One);
      if (!V || !V->hasLocalStorage() || !V->hasInit() ||
          !(V->getType()->isIntegerType() || V->getType()->isPointerType()) ||
          !M.Facts->Values->isSetOnce(V) || M.Facts->Values->hasOtherNames(V) ||
          mayRound(V->getInit()))
        return false;
    }
    Again.push_back(Declaration);
    for (const NamedAt &Name : namesOf(Declaration))
      if (isDeclaredIn(Compute, Name.Decl) && !declaresAgain(Name.Decl))
        return false;
    return all_of(mentionedVars(Declaration), [&](const VarDecl *Other) {
      return Other == Counter || isDeclaredIn(Compute, Other) || isSteady(Other);
    });
  }
  static bool mayRound(const Stmt *S) {
    const auto *E = dyn_cast_or_null<Expr>(S);
    return S && ((E && E->getType()->isFloatingType()) || any_of(S->children(), mayRound));
  }

  /// Somebody finds what the last turn has loaded.
  bool isSeenOutside() const {
    const auto Finds = [&](const Stmt *S) {
      if (!S || S == L.Loop || S == L.Pragma)
        return false;
      const DeclSet<VarDecl> Names = mentionedVars(S);
      const Effects E = M.Facts->Function->Collector.collect(S);
      // A function that is given a tile may read it in another build.
      return any_of(Sets, [&](const VarDecl *V) { return Names.count(V) != 0; }) || readsTiles(E) ||
             (E.UserCalls &&
              any_of(Tiles, [&](const VarDecl *V) { return Names.count(V) != 0; })) ||
             any_of(E.Actions, [](const Action &A) {
               return A.Kind == Action::UnknownCall || (A.Kind == Action::Asm && !A.LikeExpression);
             });
    };
    for (const Expr *E : {L.condition(), L.step()})
      if (any_of(Sets, [&](const VarDecl *V) { return mentionedVars(E).count(V) != 0; }))
        return true;
    if (endsObjects(L.Function, Context))
      return true;
    const Stmt *Inner = L.Pragma ? static_cast<const Stmt *>(L.Pragma) : L.Loop;
    for (const Stmt *Outer : reverse(L.Ancestors)) {
      if (isLoop(Outer) || isa<SwitchStmt>(Outer))
        return true;
      if (const auto *Block = dyn_cast<CompoundStmt>(Outer)) {
        const auto *At = find(Block->body(), Inner);
        if (At == Block->body_end() || any_of(make_range(std::next(At), Block->body_end()), Finds))
          return true;
      }
      Inner = Outer;
    }
    const auto *Body = cast<CompoundStmt>(L.Function->getBody());
    if (Inner == Body)
      return false;
    const auto *At = find(Body->body(), Inner);
    return At == Body->body_end() || any_of(make_range(std::next(At), Body->body_end()), Finds);
  }

  /// Behind the loop stands what this build leaves out, or a macro that may be a statement.
  bool isSeenInOtherBuild() const {
    const auto Body = textRange(L.Function->getBody()->getSourceRange(), Context);
    const auto Own = textRange(L.Loop->getSourceRange(), Context);
    if (!Body || !Own ||
        !namesUnderConditions(Source, File, {Body->Begin, Body->End}, {Own->Begin, Own->End})
             .empty())
      return true;
    bool First = true, Found = false;
    const std::string Behind = File.slice(Own->End, Body->End).str();
    forEachRawToken(Behind, [&](const Token &T, unsigned) {
      Found |= T.is(tok::hash) && T.isAtStartOfLine();
      Found |= First && T.is(tok::raw_identifier) &&
               Context.Idents.get(T.getRawIdentifier()).hadMacroDefinition();
      First = T.isOneOf(tok::semi, tok::l_brace, tok::r_brace, tok::r_paren);
    });
    return Found;
  }

  //===-- The text ------------------------------------------------------------------===//

  /// The stretch \p R with \p Name in place of the counter; none where a macro says it.
  std::optional<std::string> renamed(TextRange R, ArrayRef<const Stmt *> In,
                                     const std::string &Name, bool &Found) const {
    std::set<unsigned> At;
    for (const Stmt *S : In)
      for (const NamedAt &N : namesOf(S))
        if (N.Decl == Counter) {
          if (N.Where.isMacroID() || !isInMainFile(SM, N.Where))
            return std::nullopt;
          At.insert(SM.getFileOffset(N.Where));
        }
    std::string Text;
    unsigned Last = R.Begin;
    bool Others = false, Member = false;
    const std::string Own = File.slice(R.Begin, R.End).str();
    forEachRawToken(Own, [&](const Token &T, unsigned Offset) {
      const unsigned Here = R.Begin + Offset;
      Others |= T.is(tok::hash) && T.isAtStartOfLine();
      if (T.is(tok::raw_identifier) && T.getRawIdentifier() == Counter->getName()) {
        if (At.count(Here)) {
          Text += File.slice(Last, Here).str() + Name;
          Last = Here + T.getLength();
          Found = true;
        } else {
          Others |= !Member;
        }
      }
      Member = T.isOneOf(tok::period, tok::arrow);
    });
    if (Others)
      return std::nullopt;
    return Text + File.slice(Last, R.End).str();
  }

  Rewording said() const {
    std::optional<TextRange> At[2];
    for (unsigned I = 0; I < 2; ++I) {
      At[I] = replacedRange(Barriers[I], Context);
      if (!At[I])
        return Rewording();
    }
    const SourceLocation Brace = L.Body->getLBracLoc();
    if (Brace.isMacroID() || !isInMainFile(SM, Brace))
      return Rewording();
    const unsigned Open = SM.getFileOffset(Brace) + 1;
    // A comment behind the barrier is its own.
    unsigned From = At[0]->End;
    const size_t LineEnd = File.find('\n', From);
    if (LineEnd != StringRef::npos) {
      const StringRef Rest = File.slice(From, LineEnd).trim();
      if (Rest.empty() || Rest.starts_with("//"))
        From = unsigned(LineEnd > From && File[LineEnd - 1] == '\r' ? LineEnd - 1 : LineEnd);
    }
    const TextRange Text = {From, At[1]->Begin};
    if (Text.Begin > Text.End || mayHaveStringOfLines(File.slice(Text.Begin, Text.End)))
      return Rewording();
    std::string Name = Counter->getNameAsString() + "_before";
    for (unsigned I = 2; Source.Names.count(Name); ++I)
      Name = Counter->getNameAsString() + "_before" + std::to_string(I);
    bool Named = false;
    const std::string In = indentOf(File, At[0]->Begin), More = In + "  ";
    MadeLines Block;
    for (const Stmt *S : Compute) // in their order
      if (is_contained(Again, S)) {
        const std::optional<TextRange> R = statementRange(S, Context);
        const std::optional<std::string> Said = R ? renamed(*R, {S}, Name, Named) : std::nullopt;
        if (!Said)
          return Rewording();
        Block.addMoved(*Said, SM.getLineNumber(SM.getMainFileID(), R->Begin), More);
      }
    const std::optional<std::string> Loads = renamed(Text, Load, Name, Named);
    if (!Loads)
      return Rewording();
    Block.addMoved(*Loads, SM.getLineNumber(SM.getMainFileID(), Text.Begin), More);
    MadeLines New;
    New.add(In + "if (" + Counter->getNameAsString() + " != " + Start + ") {");
    if (Named)
      // As good a place as the counter: functions are chosen by that, too.
      New.add(More + Counter->getType().getAsString(Context.getPrintingPolicy()) + " " + Name +
              " = " + Before + ";");
    New.Text += Block.Text;
    append_range(New.From, Block.From);
    New.add(In + "}");
    New.add(In + File.slice(At[1]->Begin, At[1]->End).str(),
            {SM.getLineNumber(SM.getMainFileID(), At[1]->Begin), 0});
    Rewording Out;
    Out.Edits.push_back({Open, 0, New.Text});
    Out.LinesOf[Open] = New.From;
    Out.Edits.push_back({Text.Begin, At[1]->End - Text.Begin, ""});
    Out.Said.push_back("what a turn loads at its end is taken as what the next one loads first");
    Out.PinsArguments = L.IsTemplate;
    return Out;
  }
};

} // namespace

Rewording rewordLast(const TileModel &M, ASTContext &Context, const SourceText &Source) {
  if (!M.Loop->Body || M.Loop->IsPattern || !M.Facts || !M.Facts->Collector)
    return Rewording();
  return LastRewording(M, Context, Source).run();
}

} // namespace cuda_pipeline
