//===- Ldg.cpp - The variants ldg, ldg-single and mixed -------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// ldg: two buffers, one barrier per iteration.
///
///   prologue   fetch and store the first tile, barrier
///   main loop  fetch the next tile into registers, compute, store the registers into the other
///              buffer, barrier
///
/// The barrier at the end of an iteration separates the stores from the compute that reads them,
/// and the compute from the stores of the iteration after next. The store is unconditional where it
/// can be: in the last iteration it writes old registers to a buffer that nobody reads, which costs
/// less than a branch between compute and store.
///
/// mixed: the same, and the fetch also starts the asynchronous copies of the next tile, into the
/// other buffer: the barrier of the iteration before has all threads done with that. Each thread
/// waits for its own in front of the barrier at the end, which shows them to the others.
///
/// ldg-single: one buffer, both barriers where they were; only the global reads move.
///
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {

/// `stored` of a tile that the loop has already advanced would be that of another tile: refuses.
bool Emitter::storesWhatAdvances(function_ref<bool(const VarDecl *)> Advanced) {
  const DeclSet<VarDecl> InStore = varsInHalf(Half::Store);
  for (const Advance &A : M.Advances)
    if (A.LoadSide && !Cut.Steps.count(A.Statement))
      for (const VarDecl *V : A.Vars)
        if (InStore.count(V) && Advanced(V)) {
          refuse(Reason::LoadForm, A.Statement->getBeginLoc(),
                 {"the place of a store depends on '" + V->getNameAsString() +
                  "', which the loop advances"});
          return true;
        }
  return false;
}

/// The store takes place under the condition of the fetch: what it changes, or what it is made of,
/// has no value where no tile was fetched.
bool Emitter::storesUnderCondition() {
  // What the store half changes outside of itself has to happen once per tile, no more.
  // Nor what it loads itself, where no tile is left.
  if (Running || Cut.Ahead || referencesLoadState(Half::Store) ||
      any_of(Cut.StagingVars, [&](const VarDecl *V) { return !M.Facts->DeclaredInBody.count(V); }))
    return true;
  // Nor may it see what the last compute phase has left for nobody: an index, a pointer.
  const DeclSet<VarDecl> InStore = varsInHalf(Half::Store);
  if (any_of(M.StoreState, [&](const VarDecl *V) { return InStore.count(V) != 0; }))
    return true;
  // What is copied asynchronously is not in the other stage a second time.
  return mixes() && any_of(P.Carried, [](const CarriedTile &C) { return C.Back; });
}

/// What ldg, mixed and ldg-single have in front of their prologue.
void Emitter::frontWithRegisters(LoopParts Functions, bool Branches) {
  addText(Loop.Front, asLines(hoistedDeclarations()));
  addText(Loop.Front, asLines(assumptionsComment()));
  Loop.Front.push_back(LoopPart::comment("The next tile on its way from global to shared memory" +
                                         advancesOf(Half::Fetch) + "."));
  addText(Loop.Front, registerDeclarations());
  addText(Loop.Front, keptDeclarations());
  add(Loop.Front, std::move(Functions));
  add(Loop.Front, declareHold(Branches));
  Loop.Front.push_back(LoopPart::blank());
}

void Emitter::emitLdg() {
  nameRegisters();
  for (const VarDecl *V : M.Kept)
    KeptNames[V] = fresh(V->getNameAsString() + "_kept");
  const std::vector<const VarDecl *> FetchVars = splitVarsIn(Half::Fetch),
                                     StoreVars = splitVarsIn(Half::Store);
  // The advance runs with the fetch; the store would see the state behind it.
  if (referencesLoadState(Half::Store) &&
      any_of(M.Advances, [&](const Advance &A) { return loadSide(A); }) &&
      storesWhatAdvances([](const VarDecl *) { return true; }))
    return;
  const bool Predicated = storesUnderCondition();
  const std::string FetchBody = slice(Half::Fetch);
  LoopParts FetchBinds = bindInFetch(); // what it names
  const std::string StoreBody = slice(Half::Store);
  LoopParts StoreBinds = bindInLoad();
  auto Fetch = [&](Slot Of) {
    return LoopPart::call(FetchTile, mixes() ? std::optional(Of) : std::nullopt,
                          arguments(FetchVars));
  };
  auto Store = [&](Slot Of, std::string Comment = "") {
    return LoopPart::call(StoreTile, Of, arguments(StoreVars), std::move(Comment));
  };

  frontWithRegisters(
      {sliceFunction(FetchTile, parameters(FetchVars, mixes()), std::move(FetchBinds), FetchBody),
       sliceFunction(StoreTile, parameters(StoreVars, true), std::move(StoreBinds), StoreBody)},
      Predicated || any_of(M.Segments[0], [&](const Stmt *S) { return storeBranches(S); }));

  LoopParts &Prologue = Loop.Prologue;
  add(Prologue, carryIn());
  Prologue.push_back(LoopPart::comment("Prologue: the first tile."));
  addText(Prologue, loadStateDeclarations());
  LoopParts First = {Fetch(Slot::number(0)), Store(Slot::number(0))};
  if (Running)
    add(First, stepPart());
  add(Prologue, onlyIf(firstCondition(), std::move(First)));
  if (mixes()) {
    Prologue.push_back(LoopPart::commit());
    Prologue.push_back(LoopPart::wait());
  }
  addText(Prologue, barrierComment(Indent));
  Prologue.push_back(LoopPart::barrier(barrierText(0)));
  Prologue.push_back(LoopPart::blank());
  Prologue.push_back(LoopPart::comment(
      "Main loop: the loads of the next tile run under the compute of this one."));
  Prologue.push_back(LoopPart::text(Indent + "int " + Loop.Stage + " = 0;\n"));
  Loop.Header = mainHeader();

  InLoop = true;
  const Slot Other = Slot::ahead(1);
  LoopParts &Top = Loop.Top;
  std::string More = "has_next";
  if (Running) {
    More = fresh(More);
    Top.push_back(LoopPart::ask("const bool ", More, asInitializer(condition())));
  } else {
    Top.push_back(stepToNext());
    More = condition();
  }
  Top.push_back(LoopPart::onlyIf(More, {Fetch(Other)}));
  if (mixes())
    Top.push_back(LoopPart::commit());
  addText(Top, fence());
  topOfCompute();

  LoopParts &Tail = Loop.Tail;
  addText(Tail, HoldBehind);
  if (Predicated) {
    LoopParts Body = {Store(Other)};
    if (Running)
      add(Body, stepPart());
    Tail.push_back(LoopPart::onlyIf(More, std::move(Body)));
  } else {
    Tail.push_back(Store(Other, "in the last iteration into a stage that nobody reads"));
  }
  if (mixes())
    Tail.push_back(LoopPart::wait());
  if (M.BarrierFirst || M.TrailingNested)
    standsAtTheEnd(M.Barriers[M.BarrierFirst ? 1 : 0]);
  Tail.push_back(LoopPart::barrier(M.BarrierFirst ? barrierText(1) : trailingBarrierText()));
  Tail.push_back(LoopPart::advance());
  // The last iteration stores its own tile again, into the other stage, where it stores in any
  // case.
  if (Predicated)
    Loop.Behind = carryBack();
  if (Loop.Behind.empty())
    Loop.Behind = {
        LoopPart::comment("Epilogue: nothing is left to do, the last iteration fetched nothing.")};
}

void Emitter::emitLdgSingle() {
  nameRegisters();
  keepOrderInStore();
  const std::string In = Indent + Unit;
  const std::vector<const VarDecl *> FetchVars = splitVarsIn(Half::Fetch);
  // The store of a tile runs in its own iteration: there the main loop's variables are right.
  if (storesWhatAdvances([&](const VarDecl *V) { return !TwoValued.count(V); }))
    return;
  const std::string FetchBody = slice(Half::Fetch);
  std::string StoreBody = slice(Half::Store);
  auto Fetch = [&] { return LoopPart::call(FetchTile, std::nullopt, arguments(FetchVars)); };

  frontWithRegisters({sliceFunction(FetchTile, parameters(FetchVars, false), {}, FetchBody)},
                     /*Branches=*/false);
  LoopParts &Prologue = Loop.Prologue;
  add(Prologue, entryBarrier());
  Prologue.push_back(LoopPart::comment("Prologue: fetch the first tile."));
  addText(Prologue, loadStateDeclarations());
  LoopParts First = {Fetch()};
  if (Running)
    add(First, stepPart());
  add(Prologue, onlyIf(firstCondition(), std::move(First)));
  Prologue.push_back(LoopPart::blank());
  Prologue.push_back(LoopPart::comment(
      "Main loop: the loads of the next tile run under the compute of this one."));
  Loop.Header = mainHeader();

  InLoop = true;
  LoopParts &Top = Loop.Top;
  auto FetchNext = [&](LoopParts &To) {
    if (!Running)
      To.push_back(stepToNext());
    std::string More = condition();
    LoopParts Next = {Fetch()};
    if (Running)
      add(Next, stepPart());
    To.push_back(LoopPart::onlyIf(std::move(More), std::move(Next)));
  };
  if (M.Skip) {
    // A turn that is left out fetches the next tile all the same.
    const auto [Before, Rest] = StringRef(StoreBody).split(SkipBegin);
    const auto [Question, Behind] = Rest.split(SkipEnd);
    if (Question.empty() || Behind.contains(SkipEnd))
      return refuse(Reason::NotYet, M.Skip->getBeginLoc(), {"a 'continue' of this form"});
    // What else stands on its line, or ends there, stays in front of it.
    const StringRef Lines = Before.rtrim(" \t");
    addText(Top, Lines.str() + (Lines.empty() || Lines.ends_with("\n") ? "" : "\n"));
    LoopParts Skipped;
    FetchNext(Skipped);
    Skipped.push_back(LoopPart::text(In + Unit + "continue;\n"));
    Top.push_back(LoopPart::onlyIf(skipCondition(), std::move(Skipped)));
    StoreBody = Behind.drop_front(Behind.starts_with("\n")).str();
  }
  // Stored once, in place.
  if (M.BarrierFirst)
    Top.push_back(LoopPart::barrier(barrierText(1)));
  addText(Top, std::move(StoreBody));
  addText(Top, barrierComment(In));
  if (M.Barriers[0])
    Top.push_back(LoopPart::barrier(barrierText(0)));
  FetchNext(Top);
  addText(Top, fence());
  // Scalars of the load phase that the store half declared already are in scope.
  const std::set<const Stmt *> Neutral = neutralInCompute();
  for (const Stmt *S : M.Segments[0]) {
    bool Keep =
        (llvm::is_contained(M.SharedScalars, S) || Neutral.count(S)) && !keeps(S, Half::Store);
    for (const Advance &A : M.Advances)
      Keep |= A.Statement == S && onComputeSide(A) && !keeps(S, Half::Store);
    if (!Keep)
      continue;
    meansTheSame(
        S, [&](const Stmt *Other) { return isBehind(Other, S) && keeps(Other, Half::Store); });
    addText(Top, In + statementText(S) + "\n");
  }
  addText(Top, movedStatements(In));
  addText(Top, HoldBefore);
  if (!M.BarrierFirst && !M.TrailingNested)
    Loop.Tail.push_back(LoopPart::barrier(trailingBarrierText()));
  Loop.Behind = {
      LoopPart::comment("Epilogue: nothing is left to do, the last iteration fetched nothing.")};
}

/// Lines that stood at \p From stand at the loop's indentation.
std::string Emitter::reindented(StringRef Text, StringRef From) const {
  std::string Out;
  for (bool First = true; First || !Text.empty(); First = false) {
    auto [Line, Rest] = Text.split('\n');
    Text = Rest;
    if (!First)
      Out += '\n' +
             (Line.starts_with(From) ? Indent + Line.drop_front(From.size()).str() : Line.str());
    else
      Out += Line;
  }
  return Out;
}

std::string Emitter::hoistedDeclarations() {
  std::string Text;
  for (const Stmt *S : M.Segments[0]) {
    const auto *Decl = dyn_cast<DeclStmt>(S);
    if (!Decl)
      continue;
    bool Shared = false;
    for (const clang::Decl *D : Decl->decls())
      Shared |= D->hasAttr<CUDASharedAttr>();
    if (!Shared)
      continue;
    meansTheSame(S, [&](const Stmt *Other) { return isBehind(S, Other); });
    if (auto R = statementRange(S, Context))
      Text += reindented(Edited.apply(File, withComments(*R)), indentAt(R->Begin)) + "\n" + Indent;
  }
  Text += dynamicStages();
  if (!StageAsserts.empty())
    Text += StageAsserts.substr(Indent.size()) + Indent;
  return Text;
}

/// A half of the load phase as a function, with the names of the tiles that it knows.
LoopPart Emitter::sliceFunction(const std::string &Name, const std::string &Parameters,
                                LoopParts Binds, std::string Body) const {
  addText(Binds, std::move(Body));
  return LoopPart::function(Name, Parameters, std::move(Binds));
}

/// What stands between the loads of the next tile and the compute phase.
void Emitter::topOfCompute() {
  const std::string In = Indent + Unit;
  LoopParts Top = bindInCompute();
  addText(Top, computeTop(In));
  addText(Top, HoldBefore);
  if (Top.empty())
    return;
  Loop.Top.push_back(LoopPart::blank());
  add(Loop.Top, std::move(Top));
}

/// The compiler moves no access to memory over it; it is no instruction.
std::string Emitter::fence() const {
  return P.Hints.Fence ? Indent + Unit + "asm volatile(\"\" ::: \"memory\");\n" : "";
}

/// Comments that stand directly above the loop, with lines of their own; empty where the loop stays
/// beside.
TextRange Emitter::commentsOfLoop() const {
  return staysBeside() ? TextRange{LoopText.Begin, LoopText.Begin} : commentsAbove(LoopText.Begin);
}

/// The user's own loop header, with its pragma and what is said of it, up to the brace.
std::string Emitter::mainHeader() {
  std::string Text;
  if (const TextRange Above = commentsOfLoop(); Above.Begin < Above.End)
    Text += indentAt(Above.Begin) + File.slice(Above.Begin, Above.End).trim().str() + "\n";
  if (LoopText.Begin < ForBegin)
    Text += indentAt(LoopText.Begin) + File.slice(LoopText.Begin, ForBegin).rtrim().str() + "\n";
  if (P.Hints.KeepRolled && !File.slice(LoopText.Begin, ForBegin).contains_insensitive("unroll"))
    Text += "#pragma unroll 1\n";
  return Text + Indent + File.slice(ForBegin, BodyOpen).str() + "\n";
}

} // namespace cuda_pipeline
