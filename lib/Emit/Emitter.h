//===- Emitter.h - What the variants' emitters share ----------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Slices of the load phase as text, names, and the header's state. One emitter per loop; the file
/// of each variant puts the pieces together.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_EMIT_EMITTER_H
#define CUDA_PIPELINE_LIB_EMIT_EMITTER_H

#include "../Model/OtherMeanings.h"
#include "../Model/TemplatePattern.h"
#include "LoopPlaces.h"
#include "cuda-pipeline/DeclSet.h"
#include "cuda-pipeline/Edits.h"
#include "cuda-pipeline/PipelinedLoop.h"

namespace cuda_pipeline {

/// Replaces ranges of a stretch of the main file.
class Patches {
public:
  void replace(TextRange R, std::string Text) { List.push_back({R, std::move(Text)}); }
  /// Lines that begin in \p R get \p By in front of them.
  void indent(TextRange R, std::string By) { Indented.push_back({R, std::move(By)}); }
  /// The text of \p Whole with all patches inside of it applied; the outermost of nested ones wins.
  std::string apply(llvm::StringRef File, TextRange Whole) const;
  const std::vector<std::pair<TextRange, std::string>> &all() const { return List; }

private:
  std::vector<std::pair<TextRange, std::string>> List, Indented;
};

enum class Half { Fetch, Store, Async };

class Emitter {
public:
  Emitter(const TileModel &M, const FetchStore &Cut, const Plan &P, clang::ASTContext &Context,
          const LoopPlaces &Places, const SourceText &Source, const GivenNames &Given);
  Draft run();

private:
  // One file per variant.
  void emitAsync();
  void emitLdg(); ///< and mixed
  void emitLdgSingle();

  //===-- Shared pieces (Emitter.cpp) ----------------------------------------===//
  void refuse(Reason Why, clang::SourceLocation Where, std::vector<std::string> Args);
  bool failed() const { return !Out.Refusals.empty(); }
  bool mixes() const { return P.mixes(); }
  /// The half starts asynchronous copies; those that P.isAsync() holds for.
  bool startsCopies(Half H) const { return H == Half::Async || (mixes() && H == Half::Fetch); }

  void forEachPart(const clang::Stmt *S,
                   llvm::function_ref<void(const clang::Stmt *, const clang::Stmt *)> Do) const;
  std::vector<const clang::Stmt *> partsOf(Half H);
  bool leavesUnnamed(Half H, llvm::StringRef Text);
  void carriesItsNames(Half H, llvm::StringRef Text, const Patches &Made);
  void computeFindsItsNames();
  std::set<const clang::Stmt *> neutralFor(llvm::ArrayRef<const clang::Stmt *> Parts) const;
  std::set<const clang::Stmt *> neutralInCompute() const;
  bool isNamedIn(const clang::Stmt *Neutral, Half H);
  std::optional<std::set<const clang::Stmt *>>
      NeutralIn[3]; ///< of isNamedIn(), at the first question
  void names();
  void splitForLoads();
  void withoutIdleState();
  std::vector<const clang::Expr *> stepParts() const;
  bool startsPlainly();
  /// How the load side calls \p Var: in front of the loop maybe by the value that it begins with.
  std::string loadName(const clang::VarDecl *Var) const {
    return StartsPlainly && !InLoop ? First.at(Var) : LoadName.at(Var);
  }
  bool StartsPlainly = false;
  bool InLoop = false; ///< what is written next stands in the main loop
  DeclMap<clang::VarDecl, std::string> First;
  bool loadSide(const Advance &A) const;
  bool onComputeSide(const Advance &A) const;
  void declareStages();
  void nameStageCount();
  void nameTiles();
  std::optional<TextRange> alignmentSaid(const clang::VarDecl &Var,
                                         const clang::Stmt &Declaration) const;
  void sizesOfStage(const clang::Stmt &Declaration);
  /// What the tiles hold outside of the loop goes into all stages, and back; empty where nothing
  /// does.
  LoopParts carryIn();
  LoopParts carryBack();
  std::string carry(const TileBuffer &B, const std::string &At, std::string Statement);
  /// A name that nothing in the file and no loop before has.
  std::string fresh(llvm::StringRef Base);
  std::string renamed(const clang::Expr *E);
  bool meansGlobal(llvm::StringRef Text) const;
  /// A name of the toolkit's, as it has to be written here to mean that.
  std::string ours(llvm::StringRef Name);
  std::string oursIn(std::string Text);
  bool isDeclaredInFront(llvm::StringRef Text) const;
  bool isSameMacro(clang::SourceLocation Where) const;
  std::optional<std::string> macroFor(clang::TypeLoc Written) const;
  /// Where the author says the type of what \p D is made of: of its elements, of what it points to.
  /// Null: nowhere.
  static clang::TypeLoc typeWritten(const clang::ValueDecl *D);
  static clang::TypeLoc typeWritten(const clang::Expr *E);
  std::string memberOfParameter(clang::QualType T) const;
  std::string typeText(clang::QualType T, clang::SourceRange Where, clang::TypeLoc Written);
  std::string typeText(const clang::VarDecl *Var);
  std::string typeText(const clang::Expr *E, clang::SourceRange Where);
  bool isOfVaryingClass(const clang::Expr *E) const;
  bool isSaid(clang::QualType T, clang::SourceRange Where, clang::TypeLoc Written);
  std::optional<std::string> sampleText(const clang::Expr *E);
  bool isInstantiatedOtherwise() const;
  std::string typeOf(const std::string &Sample) const;
  std::string ofStd(const std::string &Name) const;
  const OtherMeanings &others() const {
    return M.Facts->Function->once<OtherMeanings>([&] { return OtherMeanings(Context); });
  }
  bool isUsersAlias(clang::QualType T, clang::TypeLoc Written) const;
  std::string argumentsAssert();
  std::string knownArgumentsAssert(const ArgumentsMatter &Matter);
  std::string typeAssert(const std::string &Param, const std::string &Condition,
                         bool TypeArgument::*Holds, llvm::StringRef Why);
  std::set<std::string> copiedTypes();
  std::string trait(llvm::StringRef Name, const std::string &Arguments) const;
  void declareInFront(const std::string &Declaration);
  std::string isSame(const TypeArgument &Argument);
  std::string isFunction(const FunctionArgument &Argument);
  std::string expressionText(const clang::Expr *E);
  std::string plainText(const clang::Expr *E);
  std::string operandText(const clang::Expr *E);
  std::string statementText(const clang::Stmt *S);
  bool macroLeaf(const clang::Stmt *S, const GlobalLoad &G, Half H, Patches &To);
  void sliceAsm(llvm::ArrayRef<const GlobalLoad *> Cuts, Half H, Patches &To, bool InCompound);
  std::string addressText(const clang::Expr *LValue);
  std::string voidAddressText(const clang::Expr *LValue);
  std::string voidAddressOf(const clang::Expr *Pointer);
  const clang::Expr *firstElementOf(const clang::Expr *E) const;
  std::string addressOf(const std::string &LValue, clang::QualType T) const;

  /// `int t_next = 0;` for every header variable and copy of split state.
  std::string loadStateDeclarations();
  struct PlainStep {
    const clang::VarDecl *Var;
    std::string Value, By; ///< "t + 1", " + 1"; By is empty where it is set in another way
  };
  std::vector<PlainStep> plainSteps();
  /// `t_next = t + 1;`: the state of the next iteration, from the main loop's own variables.
  LoopPart stepToNext();
  /// `++t_load;`: the load side's own increment; empty where the loop has none.
  std::string stepLoadSide();
  LoopParts stepPart();
  std::string condition();
  std::string firstComparison();
  bool holdsAtFirst();
  /// The condition under which the prologue loads the first tile; empty where it does in any case.
  std::string firstCondition() { return M.Loop->testsLast() || holdsAtFirst() ? "" : condition(); }
  /// \p Body under a condition; as it is without one.
  static LoopParts onlyIf(std::string Condition, LoopParts Body);
  /// The loop's barrier \p I in the user's own words, where these can be said at any place in and
  /// around the loop.
  std::string barrierText(unsigned I) const;
  /// What is said of the first barrier, as lines of their own; empty if nothing is.
  std::string barrierComment(llvm::StringRef At) const;
  std::string trailingBarrierText() const;
  /// `int stage, int t`
  std::string parameters(llvm::ArrayRef<const clang::VarDecl *> Vars, bool WithStage);
  std::vector<LoopArgument> arguments(llvm::ArrayRef<const clang::VarDecl *> Vars);
  std::vector<const clang::VarDecl *> splitVarsIn(Half H);
  void staysVisible(const clang::VarDecl *Var);
  void stepsNameNoTile();
  bool canBeSaidInLoop(const TileView &V);
  void moveViews();
  std::string withoutParts(std::string Text, llvm::ArrayRef<const clang::Expr *> Inits);
  void alignStaging();
  std::set<std::string> namesIn(TextRange R) const { return M.Facts->Function->Names->in(R); }
  void meansTheSame(const clang::Stmt *S, llvm::function_ref<bool(const clang::Stmt *)> Passes);
  /// A barrier of the body's beginning is put at its end: no name in it is declared on the way.
  void standsAtTheEnd(const clang::Stmt *Barrier);
  bool isBehind(const clang::Stmt *A, const clang::Stmt *B) const;
  const clang::NamedDecl *declaredAnew(const std::set<std::string> &Names, unsigned From,
                                       unsigned To) const;
  std::vector<std::string> declareViews(llvm::function_ref<bool(const clang::VarDecl *)> Named,
                                        DeclSet<clang::VarDecl> &Needed);
  LoopParts bind(llvm::function_ref<bool(const clang::VarDecl *)> Named, Slot Of);
  bool isNamedElsewhere(const clang::VarDecl *Var) const;
  LoopParts bindInLoad();
  LoopParts bindInFetch();
  LoopParts bindInCompute();
  /// \p Text, with the first stages in place of the tiles.
  std::string withFirstStages(const clang::Expr *E);
  std::string movedStatements(llvm::StringRef At);
  std::string computeTop(llvm::StringRef Indent);
  std::string hoistedDeclarations();
  std::string reindented(llvm::StringRef Text, llvm::StringRef From) const;
  bool storesWhatAdvances(llvm::function_ref<bool(const clang::VarDecl *)> Advanced);
  bool storesUnderCondition();
  void frontWithRegisters(LoopParts Functions, bool Branches);
  void topOfCompute();
  LoopPart sliceFunction(const std::string &Name, const std::string &Parameters, LoopParts Binds,
                         std::string Body) const;
  std::string mainHeader();
  std::string fence() const;
  /// The text of the loop's condition where a variable of type bool is set to it.
  std::string asInitializer(const std::string &Condition) const;
  LoopParts entryBarrier() const;
  std::string assumptionsComment();
  std::string advancesOf(Half H);

  //===-- Dynamic shared memory (DynamicStages.cpp) -----------------------------===//
  void nameDynamicStages(const TileBuffer &B);
  std::string dynamicStages() const;
  void keepLoopBeside();
  bool canStandTwice();
  std::string TileType, StageBytes, GivenBytes;
  /// The loop stands twice, and its tiles are known by their names in front of both.
  bool staysBeside() const { return asksForMemory() || !P.AskBlock.empty(); }
  bool asksForMemory() const { return P.Dynamic || P.isBeside(); }
  void nameStagesBeside();
  std::string sizeText(const TileBuffer &B, const std::string &Name) const;
  std::string MoreStages;

  //===-- Products and sums (Fusion.cpp) ---------------------------------------===//
  std::vector<const clang::VarDecl *> accumulators() const;
  bool isSetFirst(const clang::VarDecl *Var) const;
  bool storeBranches(const clang::Stmt *S);
  LoopParts declareHold(bool Branches);
  std::string HoldBefore, HoldBehind; ///< its calls: whole lines

  //===-- Slices (Slice.cpp) --------------------------------------------------===//
  std::string slice(Half H);
  void removeUnusedDeclaration(const clang::VarDecl *Var);
  bool keeps(const clang::Stmt *S, Half H);
  bool keepsLeaf(const clang::Stmt *S, Half H);
  void keepOrderInStore();
  bool standsWithLoad(const clang::Stmt *S) const;
  DeclSet<clang::VarDecl> placesWithLoad() const;
  DeclMap<clang::VarDecl, std::string> KeptNames; ///< of TileModel::Kept, with two buffers
  std::string declarationOfKept(const clang::Stmt *S, bool InStore);
  std::string keptDeclarations();
  std::optional<TextRange> nameIn(const clang::Stmt *S, const clang::VarDecl *Var);
  DeclSet<clang::VarDecl> Undeclared; ///< variables whose declarations are taken out
  void sliceSkip(Half H, Patches &Out);
  std::string skipCondition() { return expressionText(M.Skip->getCond()); }
  /// Around what stands for that statement in the text of the store. They are found again whatever
  /// becomes of the words between them.
  static constexpr llvm::StringLiteral SkipBegin = "/* cuda-pipeline: a turn */ ",
                                       SkipEnd = " /* cuda-pipeline: is left out */;";
  void sliceStmt(const clang::Stmt *S, Half H, Patches &Out, bool InCompound);
  void sliceLeaf(const clang::Stmt *S, Half H, Patches &Out, bool InCompound);
  bool sliceCopy(const clang::Stmt *S, Patches &Out);
  std::string sliceFor(const clang::ForStmt *S, Half H, Patches &Out);
  std::string sliceAhead(const CopyLoop &C, Half H, unsigned HeadBegin, Patches &Out);
  bool isUnrolled(const clang::ForStmt *For) const;
  std::string Nested; ///< how much deeper a loop stands that is all that another one does
  void remove(const clang::Stmt *S, Patches &Out, bool InCompound, bool WithComments = true);
  struct CopyInPlace {
    const TileCopy *Copy;
    const clang::Expr *Load; ///< the statement that it takes the place of
  };
  std::map<const clang::IfStmt *, CopyInPlace> InPlace;
  std::set<const clang::Stmt *> Gone; ///< what these have no need of
  void copiesInPlace(llvm::ArrayRef<const clang::Stmt *> List);
  void sliceInPlace(const clang::IfStmt *If, const CopyInPlace &What, Patches &To);
  const GlobalLoad *stagedBy(const clang::Stmt *S) const;
  void sliceSet(llvm::ArrayRef<const GlobalLoad *> Cuts, Half H, Patches &Out, bool InCompound);
  void sliceStaged(const clang::Stmt *S, const GlobalLoad &G, Half H, Patches &Out);
  std::string initialValueText(const clang::VarDecl *Var);
  void indexMeansTheSame(const CopyLoop &C);
  std::string registerReference(const GlobalLoad &G);
  void nameRegisters();
  const clang::Expr *takesResult(const GlobalLoad &G) const;
  std::string registerDeclarations();
  std::string sourceText(const clang::Expr *Value);
  std::string fillText(const TileCopy &C, llvm::StringRef Path);
  void inPieces(AsyncCopy &Copy, const TileCopy &C, const std::string &Size, bool Said);
  AsyncCopy makeCopy(const TileCopy &C, std::optional<AsyncCopy::Guard> Around = std::nullopt);
  std::string copyText(const AsyncCopy &A, const TileCopy &C,
                       std::optional<std::string> Around = std::nullopt) const;
  std::string indentAt(unsigned Offset) const { return Places.indentAt(Offset); }
  std::string guardedText(const AsyncCopy::Guard &G, llvm::StringRef Then,
                          const std::string &At) const;
  std::vector<AsyncCopy::Guard> guardsOf(const TileCopy &C);
  bool mentions(const clang::Stmt *S, const clang::VarDecl *V);
  bool startsAtZero(const CopyLoop &C) const;
  std::optional<std::string> constantText(const clang::Expr *E, unsigned Depth = 0);
  std::string namedTripCount(const CopyLoop &C);
  void assertOnce(const std::string &Assert) {
    if (!llvm::StringRef(TextAsserts).contains(Assert))
      TextAsserts += Assert;
  }
  void pinNumbers(const clang::Stmt *S, std::optional<TextRange> Around = std::nullopt,
                  unsigned Depth = 0);
  void pinNumber(const std::string &Text, int64_t Value);
  void pinLoop();
  bool PinsLoop = false; ///< pinLoop() is at work
  bool isFixed(clang::SourceLocation Loc) const;
  const clang::Expr *saidOnce(const clang::Expr *E) const;
  bool isInBranch(unsigned At) const;
  std::string macroOf(const clang::Expr *E) const;
  void pinSize(const clang::VarDecl &Array);
  std::string countedTurns(const CopyLoop &C);
  std::string tripCountText(const CopyLoop &C);
  std::optional<std::string> openTripCount(const CopyLoop &C);
  std::optional<int64_t> stepOfBlock(const CopyLoop &C);
  bool takesAllTurns(const CopyLoop &C);
  DeclSet<clang::VarDecl> varsInHalf(Half H);
  DeclSet<clang::VarDecl> namedInFetch();
  void namedInFetch(const clang::Stmt *S, DeclSet<clang::VarDecl> &Out);

  void replaceLoopHead(const std::string &Text);
  void replaceTrailingBarrier(const std::string &Text);
  TextRange withTrailingComment(TextRange R) const { return Places.withTrailingComment(R); }
  TextRange withComments(TextRange R) const { return Places.withComments(R); }
  TextRange commentsAbove(unsigned At) const { return Places.commentsAbove(At); }
  TextRange commentsOfLoop() const;
  void removeLoadOnlyAdvances();
  void sayWords();

  const TileModel &M;
  const FetchStore &Cut;
  const Plan &P;
  clang::ASTContext &Context;
  const SourceText &Source;
  const GivenNames &Given;
  const LoopPlaces &Places;
  const llvm::StringRef File = Places.File;
  const TemplatePattern &Pattern;
  Draft Out;
  Patches Edited;

  const TextRange LoopText = Places.LoopText, LoadText = Places.LoadText,
                  Barrier0 = Places.Barrier0, Barrier1 = Places.Barrier1;
  const unsigned ForBegin = Places.ForBegin, BodyOpen = Places.BodyOpen;
  bool TypesMatter = false; ///< a type is spelled out that depends on the template's arguments
  std::string TextAsserts;  ///< of the types that cp.async copies, and of the turns of copy loops
  std::string StageAsserts; ///< facts of one instantiation that every other must share

  PipelinedLoop Loop; ///< what is made of it all
  std::string &Indent = Loop.Indent, &Unit = Loop.Unit;
  std::string LoadTile, FetchTile, StoreTile;
  const clang::DeclStmt *StageCountAt = nullptr;   ///< in front of this one it is declared
  DeclMap<clang::VarDecl, std::string> StageArray; ///< buffer -> array of stages
  DeclMap<clang::VarDecl, std::string> LoadName;   ///< split variable -> load side's copy
  std::map<const GlobalLoad *, StagingRegister> Registers;
  std::map<const clang::ForStmt *, std::string> TurnName; ///< of loops that start at the thread
  DeclMap<clang::VarDecl, std::string> SourceName;        ///< staging variable -> pointer
  bool bracesOfTheirOwn() const {
    return Places.NeedsBraces && !staysBeside();
  } ///< else others stand around them
  void writeBehind();
  void write();
  /// Whole lines where the loop stands, from text that begins and ends behind its indentation.
  std::string asLines(const std::string &Text) const {
    return Text.empty() ? Text : Indent + Text.substr(0, Text.size() - Indent.size());
  }
  static void add(LoopParts &To, LoopParts More) {
    for (LoopPart &P : More)
      To.push_back(std::move(P));
  }
  static void addText(LoopParts &To, std::string Lines) {
    if (!Lines.empty())
      To.push_back(LoopPart::text(std::move(Lines)));
  }
  bool ConditionCounts = false; ///< the loop's condition changes something: `while (--left)`
  bool Running = false; ///< the load side keeps its own counters; otherwise they are derived
  /// M.Split, and what of M.MaySplit the store needs as the main loop has it.
  llvm::SetVector<const clang::VarDecl *> TwoValued;
  llvm::SetVector<const clang::VarDecl *> Split; ///< what of these the load side has a copy of
  DeclSet<clang::VarDecl> HeaderVars;            ///< declared in the header or stepped by it
  std::map<const clang::Stmt *, bool> KeepCache[3];
  std::set<const clang::Stmt *> Unnamed[3]; ///< declarations that nothing in the half's text names
  /// What the compute phase has of the load phase, and has to have where it stands among the
  /// stores.
  std::set<const clang::Stmt *> InOrder;
  /// What the halves have depends on the state that is split.
  void forgetHalves() {
    for (auto &Cache : KeepCache)
      Cache.clear();
    for (auto &Known : NeutralIn)
      Known.reset();
  }

public:
  bool referencesLoadState(Half H);
};

} // namespace cuda_pipeline

#endif
