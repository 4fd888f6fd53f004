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

void Emitter::emitLdg() {
  nameRegisters();
  std::string In = Indent + Unit;
  std::vector<const VarDecl *> FetchVars = splitVarsIn("fetch"), StoreVars = splitVarsIn("store");
  bool StoreUsesState = referencesLoadState(Half::Store);
  if (StoreUsesState && any_of(M.Advances, [&](const Advance &A) { return loadSide(A); })) {
    // The advance runs with the fetch; the store would see the state behind it.
    DeclSet<VarDecl> InStore = varsInHalf(Half::Store);
    for (const Advance &A : M.Advances)
      if (A.LoadSide)
        for (const VarDecl *V : A.Vars)
          if (InStore.count(V)) {
            refuse(Reason::LoadForm, A.Statement->getBeginLoc(),
                   {"the place of a store depends on '" + V->getNameAsString() +
                    "', which the loop advances"});
            return;
          }
  }
  // What the store half changes outside of itself has to happen once per tile, no more.
  bool StoreHasState =
      any_of(Cut.StagingVars, [&](const VarDecl *V) { return !M.Facts->DeclaredInBody.count(V); });
  // Nor may it see what the last compute phase has left for nobody: an index, a pointer.
  DeclSet<VarDecl> InStore = varsInHalf(Half::Store);
  StoreHasState |= any_of(M.StoreState, [&](const VarDecl *V) { return InStore.count(V) != 0; });
  // What is copied asynchronously is not in the other stage a second time.
  const bool CarriesBack = any_of(P.Carried, [](const CarriedTile &C) { return C.Back; });
  bool Predicated = Running || StoreUsesState || StoreHasState || (mixes() && CarriesBack);
  // What is bound is what they name.
  std::string FetchBody = slice(Half::Fetch);
  FetchBody.insert(0, bindInFetch(In));
  std::string StoreBody = slice(Half::Store);
  StoreBody.insert(0, bindInLoad(In, Stage));

  std::string Text = hoistedDeclarations();
  Text += assumptionsComment();
  Text +=
      "// The next tile on its way from global to shared memory" + advancesOf(Half::Fetch) + ".\n";
  Text += registerDeclarations();
  Text += Indent + lambda(FetchTile, parameters(FetchVars, mixes()), FetchBody);
  Text += Indent + lambda(StoreTile, parameters(StoreVars, true), StoreBody);
  bool Branches =
      Predicated || any_of(M.Segments[0], [&](const Stmt *S) { return storeBranches(S); });
  Text += declareHold(Branches) + "\n";
  Text += carryIn();
  Text += Indent + "// Prologue: the first tile.\n";
  Text += loadStateDeclarations();
  Text +=
      guarded(Indent, firstCondition(),
              {FetchTile + "(" + arguments(FetchVars, mixes() ? "0" : "") + ");",
               StoreTile + "(" + arguments(StoreVars, "0") + ");", Running ? stepLoadSide() : ""});
  std::string Commit, Wait;
  if (mixes()) {
    Commit = ours("__pipeline_commit") + "();";
    Wait = ours("__pipeline_wait_prior") + (planted(PlantedBug::WaitCountHigh) ? "(1);" : "(0);");
    if (planted(PlantedBug::WaitOneThread))
      Wait = "if (threadIdx.x == 0) " + Wait;
    if (planted(PlantedBug::NoWait))
      Wait.clear();
    if (!planted(PlantedBug::PrologueCommitMissing))
      Text += Indent + Commit + "\n";
    if (!Wait.empty())
      Text += Indent + Wait + "\n";
  }
  Text += barrierComment(Indent);
  if (!planted(PlantedBug::NoPrologueBarrier))
    Text += Indent + barrierText(0) + "\n";
  Text += "\n";
  Text += Indent + "// Main loop: the loads of the next tile run under the compute of this one.\n";
  Text += Indent + "int " + Stage + " = 0;\n";
  Text += mainHeader();
  InLoop = true;
  const std::string Other = planted(PlantedBug::SameStage) ? Stage : Stage + " ^ 1";
  const std::string Fetch =
      FetchTile + "(" + arguments(FetchVars, mixes() ? Other : std::string()) + ");\n";
  const bool Early = planted(PlantedBug::CommitBeforeCopy);
  if (mixes() && Early)
    Text += In + Commit + "\n";
  std::string More = "has_next";
  if (Running) {
    More = fresh(More);
    Text += In + "const bool " + More + " = " + asInitializer(mainCondition()) + ";\n";
    Text += In + "if (" + More + ")\n" + In + Unit + Fetch;
  } else {
    Text += In + stepToNext() + "\n";
    Text += In + "if (" + mainCondition() + ")\n" + In + Unit + Fetch;
    More = mainCondition();
  }
  if (mixes() && !planted(PlantedBug::CommitMissing) && !Early)
    Text += In + Commit + "\n";
  Text += fence();
  std::string Top = bindInCompute(In) + computeTop(In) + HoldBefore;
  if (!Top.empty())
    Text += "\n" + Top;
  if (StringRef(Text).ends_with("\n"))
    Text.pop_back();
  replaceLoopHead(Text);

  std::string Tail = HoldBehind;
  std::string Store = StoreTile + "(" + arguments(StoreVars, Other) + ");";
  if (Running)
    Tail += StringRef(guarded(In, More, {Store, stepLoadSide()})).ltrim().str() + In;
  else if (Predicated)
    Tail += StringRef(guarded(In, More, {Store})).ltrim().str() + In;
  else
    Tail += Store + " // in the last iteration into a stage that nobody reads\n" + In;
  const bool Late = planted(PlantedBug::WaitAfterBarrier);
  if (mixes() && !Wait.empty() && !Late)
    Tail += Wait + "\n" + In;
  Tail += barrier(M.BarrierFirst ? barrierText(1) : trailingBarrierText()) + "\n" + In;
  if (mixes() && Late)
    Tail += Wait + "\n" + In;
  if (planted(PlantedBug::StageWrapsLate))
    Tail += Stage + " = " + Stage + " == 2 ? 0 : " + Stage + " + 1;";
  else if (!planted(PlantedBug::StageStuck))
    Tail += Stage + " ^= 1;";
  replaceTrailingBarrier(Tail);
  // The last iteration stores its own tile again, into the other stage, where it stores in any
  // case.
  const std::string Back = Predicated ? carryBack() : "";
  behindLoop(Back.empty()
                 ? "// Epilogue: nothing is left to do, the last iteration fetched nothing."
                 : Back);
}

void Emitter::emitLdgSingle() {
  nameRegisters();
  std::string In = Indent + Unit;
  std::vector<const VarDecl *> FetchVars = splitVarsIn("fetch"), StoreVars = splitVarsIn("store");
  // The store of a tile runs in its own iteration: there the main loop's variables are right.
  DeclSet<VarDecl> InStore = varsInHalf(Half::Store);
  for (const Advance &A : M.Advances)
    if (A.LoadSide)
      for (const VarDecl *V : A.Vars)
        if (InStore.count(V) && !M.Split.count(V)) {
          refuse(Reason::LoadForm, A.Statement->getBeginLoc(),
                 {"the place of a store depends on '" + V->getNameAsString() +
                  "', which the loop advances"});
          return;
        }
  std::string FetchBody = slice(Half::Fetch);
  std::string StoreBody = slice(Half::Store);

  std::string Text = hoistedDeclarations();
  Text += assumptionsComment();
  Text +=
      "// The next tile on its way from global to shared memory" + advancesOf(Half::Fetch) + ".\n";
  Text += registerDeclarations();
  Text += Indent + lambda(FetchTile, parameters(FetchVars, false), FetchBody);
  Text += declareHold(/*Branches=*/false) + "\n";
  Text += entryBarrier();
  Text += Indent + "// Prologue: fetch the first tile.\n";
  Text += loadStateDeclarations();
  Text +=
      guarded(Indent, firstCondition(),
              {FetchTile + "(" + arguments(FetchVars, "") + ");", Running ? stepLoadSide() : ""}) +
      "\n";
  Text += Indent + "// Main loop: the loads of the next tile run under the compute of this one.\n";
  Text += mainHeader();
  InLoop = true;
  // Stored once, in place.
  std::string Store = (M.BarrierFirst ? In + barrier(barrierText(1)) + "\n" : "") + StoreBody;
  Store += barrierComment(In);
  if (!planted(PlantedBug::NoLoadBarrier))
    Store += In + barrierText(0) + "\n";
  std::string Fetch;
  if (Running) {
    Fetch = guarded(In, mainCondition(),
                    {FetchTile + "(" + arguments(FetchVars, "") + ");", stepLoadSide()});
  } else {
    Fetch = In + stepToNext() + "\n";
    Fetch += In + "if (" + mainCondition() + ")\n" + In + Unit + FetchTile + "(" +
             arguments(FetchVars, "") + ");\n";
  }
  Text += planted(PlantedBug::FetchBeforeStore) ? Fetch + Store : Store + Fetch;
  Text += fence();
  // Scalars of the load phase that the store half declared already are in scope.
  const std::set<const Stmt *> Neutral = neutralInCompute();
  for (const Stmt *S : M.Segments[0]) {
    bool Keep =
        (llvm::is_contained(M.SharedScalars, S) || Neutral.count(S)) && !keeps(S, Half::Store);
    for (const Advance &A : M.Advances)
      Keep |= A.Statement == S && A.ComputeSide;
    if (!Keep)
      continue;
    meansTheSame(
        S, [&](const Stmt *Other) { return isBehind(Other, S) && keeps(Other, Half::Store); });
    Text += In + statementText(S) + "\n";
  }
  Text += movedStatements(In);
  Text += HoldBefore;
  if (StringRef(Text).ends_with("\n"))
    Text.pop_back();
  replaceLoopHead(Text);
  // It stays where it is, if what it names is still there.
  if (const std::string Trailing = barrier(trailingBarrierText());
      !M.BarrierFirst && !StringRef(Trailing).starts_with(File.slice(Barrier1.Begin, Barrier1.End)))
    replaceTrailingBarrier(Trailing);
  behindLoop("// Epilogue: nothing is left to do, the last iteration fetched nothing.");
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

std::string Emitter::lambda(StringRef Name, const std::string &Parameters,
                            const std::string &Body) {
  return ("auto " + Name + " = [&](" + Parameters + ") {\n" + Body + Indent + "};\n").str();
}

/// The compiler moves no access to memory over it; it is no instruction.
std::string Emitter::fence() const {
  return P.Hints.Fence ? Indent + Unit + "asm volatile(\"\" ::: \"memory\");\n" : "";
}

std::string Emitter::barrier(StringRef Statement) {
  if (planted(PlantedBug::NoBarrier))
    return "";
  if (planted(PlantedBug::BarrierSomeThreads))
    return ("if (threadIdx.x != 0) " + Statement).str();
  return Statement.str();
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
  if (P.Hints.KeepRolled && !File.slice(LoopText.Begin, ForBegin).contains("unroll"))
    Text += "#pragma unroll 1\n";
  return Text + Indent + File.slice(ForBegin, BodyOpen).str() + "\n";
}

} // namespace cuda_pipeline
