//===- NamedBugs.cpp - The mistakes of PlantedBugs.def ----------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Model/AstUtil.h"
#include "../Model/LoopFacts.h"
#include "Mutate.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

using Kind = LoopPart::Kind;

enum class Bug {
#define PLANTED_BUG(Name, Id, Description) Name,
#include "PlantedBugs.def"
};

bool is(const LoopPart &P, ArrayRef<Kind> Kinds) { return is_contained(Kinds, P.What); }

void drop(LoopParts &From, Kind What) {
  erase_if(From, [&](const LoopPart &P) { return P.What == What; });
}

/// Puts those of \p Kinds in front of what is not, from \p At on; the order is kept otherwise.
void bringForward(LoopParts &In, ArrayRef<Kind> Kinds, size_t At = 0) {
  std::stable_partition(In.begin() + At, In.end(), [&](const LoopPart &P) { return is(P, Kinds); });
}

void forEach(PipelinedLoop &Loop, Kind What, function_ref<void(LoopPart &)> Do) {
  forEachList(Loop, [&](LoopParts &List, StringRef) {
    for (LoopPart &P : List)
      if (P.What == What)
        Do(P);
  });
}

/// The first list that has both, the wait in front of the barrier.
void waitBehindBarrier(LoopParts &In) {
  for (size_t I = 0; I + 1 < In.size(); ++I)
    if (In[I].What == Kind::Wait && In[I + 1].What == Kind::Barrier)
      return std::swap(In[I], In[I + 1]);
}

/// The barrier that is left of two; of one buffer it is the trailing one.
LoopPart *mainBarrier(PipelinedLoop &Loop) {
  for (LoopParts *List : {&Loop.Tail, &Loop.Top})
    for (LoopPart &P : *List)
      if (P.What == Kind::Barrier)
        return &P;
  return nullptr;
}

/// The condition under which a tile is loaded, where it is asked and where it is used.
void loadAlways(LoopParts &In) {
  const bool Asks = any_of(In, [](const LoopPart &P) { return P.What == Kind::Ask; });
  for (LoopPart &P : In)
    if (P.What == Kind::Ask ? P.Text != "true" : P.What == Kind::If && !Asks)
      P.Text = "true";
}

void startLate(PipelinedLoop &Loop) {
  // Where the load side counts for itself it counts once more.
  std::optional<LoopPart> Step;
  forEachList(Loop, [&](LoopParts &List, StringRef Place) {
    for (const LoopPart &P : List)
      if (Place.starts_with("prologue") && P.What == Kind::StepLoad && !Step)
        Step = P;
  });
  if (Step) {
    const auto First = find_if(Loop.Prologue, [](const LoopPart &P) {
      return is(P, {Kind::If, Kind::Call, Kind::ForStages, Kind::Ask});
    });
    Loop.Prologue.insert(First, *Step);
    return;
  }
  std::vector<NextValue> Values;
  forEach(Loop, Kind::Next, [&](LoopPart &P) { Values = P.Values; });
  forEachList(Loop, [&](LoopParts &List, StringRef Place) {
    for (LoopPart &P : List)
      if (Place.starts_with("prologue") && P.What == Kind::Call)
        for (LoopArgument &A : P.Arguments)
          for (const NextValue &V : Values)
            if (A.Of && A.Of->getName() == V.From)
              A.Text = "(" + A.Text + ")" + V.Step;
  });
}

/// A variable of the kernel that the compute phase names.
const VarDecl *scalarFromOutside(const TileModel &M) {
  for (unsigned I = 1; I < 3; ++I)
    for (const Stmt *S : M.Segments[I])
      for (const VarDecl *Var : mentionedVars(S))
        if (Var->getIdentifier() && Var->getType()->isIntegerType() &&
            !M.Facts->DeclaredInBody.count(Var) && !M.Split.count(Var))
          return Var;
  return nullptr;
}

class Planted final : public LoopMutator {
public:
  explicit Planted(Bug Which) : Which(Which) {}

  void registers(MutableArrayRef<StagingRegister> All, ASTContext &Context) const override {
    if (Which != Bug::SharedRegister)
      return;
    for (StagingRegister &R : All)
      for (const StagingRegister &First : All)
        if (First.Load->Loops.size() == R.Load->Loops.size() &&
            Context.hasSameType(First.Load->Type, R.Load->Type)) {
          R.Used = First.Declared;
          break;
        }
  }

  void copy(AsyncCopy &C) const override {
    switch (Which) {
    case Bug::HalfCopy:
      return changeCopy("half@copy", C);
    case Bug::WideCopy:
      return changeCopy("double@copy", C);
    case Bug::NoFill:
      return changeCopy("no-fill@copy", C);
    case Bug::NoGuard:
      return changeCopy("unguarded@copy", C);
    default:
      return; // of another value
    }
  }

  void declaredStages(std::string &Count, unsigned Stages) const override {
    if (Which == Bug::StageArrayShort)
      Count = std::to_string(Stages - 1);
  }

  void loop(PipelinedLoop &L, const TileModel &M, StringRef Variant) const override {
    const bool Single = L.Stages == 1, Async = Variant == "cp-async";
    switch (Which) {
    case Bug::NoWait:
      for (LoopParts *List : {&L.Prologue, &L.Top, &L.Tail})
        drop(*List, Kind::Wait);
      break;
    case Bug::WaitCountHigh:
      forEach(L, Kind::Wait, [](LoopPart &P) { --P.Less; });
      break;
    case Bug::WaitAfterBarrier:
      waitBehindBarrier(L.Top);
      waitBehindBarrier(L.Tail);
      break;
    case Bug::WaitOneThread:
      forEach(L, Kind::Wait, [](LoopPart &P) { P.By = LoopPart::Threads::First; });
      break;
    case Bug::CommitMissing:
      drop(L.Top, Kind::Commit);
      break;
    case Bug::PrologueCommitMissing:
      forEachList(L, [](LoopParts &List, StringRef Place) {
        if (Place.starts_with("prologue"))
          drop(List, Kind::Commit);
      });
      break;
    case Bug::CommitIfCopied:
      for (size_t I = 1; I < L.Top.size() && Async; ++I)
        if (L.Top[I].What == Kind::Commit && L.Top[I - 1].What == Kind::If) {
          L.Top[I - 1].Body.push_back(LoopPart::commit());
          L.Top.erase(L.Top.begin() + I);
        }
      break;
    case Bug::CommitBeforeCopy: {
      const auto First = find_if(
          L.Top, [](const LoopPart &P) { return is(P, {Kind::Next, Kind::Ask, Kind::If}); });
      bringForward(L.Top, Kind::Commit, First - L.Top.begin());
      break;
    }
    case Bug::NoBarrier:
      if (LoopPart *Main = mainBarrier(L))
        for (LoopParts *List : {&L.Top, &L.Tail})
          erase_if(*List, [&](const LoopPart &P) { return &P == Main; });
      break;
    case Bug::NoLoadBarrier:
      for (size_t I = L.Top.size(); I-- > 0 && Single;)
        if (L.Top[I].What == Kind::Barrier) {
          L.Top.erase(L.Top.begin() + I);
          break;
        }
      break;
    case Bug::BarrierSomeThreads:
      if (LoopPart *Main = mainBarrier(L))
        Main->By = LoopPart::Threads::AllButFirst;
      break;
    case Bug::NoPrologueBarrier:
      for (size_t I = L.Prologue.size(); I-- > 0 && !Async && !Single;)
        if (L.Prologue[I].What == Kind::Barrier) {
          L.Prologue.erase(L.Prologue.begin() + I);
          break;
        }
      break;
    case Bug::NoFinalBarrier:
      if (none_of(L.Behind, [](const LoopPart &P) { return P.What == Kind::Carry; }))
        drop(L.Behind, Kind::Barrier);
      break;
    case Bug::CopyBeforeBarrier:
      if (Async)
        bringForward(L.Top, {Kind::Next, Kind::Ask, Kind::If, Kind::Commit});
      break;
    case Bug::SameStage:
      forEach(L, Kind::Call, [](LoopPart &P) {
        if (P.Of && P.Of->Ahead != 0)
          P.Of = Slot::current();
      });
      break;
    case Bug::StageStuck:
      drop(L.Tail, Kind::Advance);
      break;
    case Bug::StageWrapsLate:
      forEach(L, Kind::Advance, [](LoopPart &P) { P.Less = 0; });
      break;
    case Bug::PrologueOneStage:
      forEachList(L, [](LoopParts &List, StringRef Place) {
        for (LoopPart &P : List)
          if (Place.contains("stages") && P.What == Kind::Call)
            P.Of = Slot::number(0);
      });
      break;
    case Bug::PrologueTooMany:
      forEach(L, Kind::ForStages, [](LoopPart &P) { P.Less = 0; });
      break;
    case Bug::SecondTileStage:
      forEachList(L, [](LoopParts &List, StringRef Place) {
        for (LoopPart &P : List)
          if (Place.starts_with("front") && P.What == Kind::Bind && P.Tile > 0)
            P.Of = Slot::number(0);
      });
      break;
    case Bug::ComputeNextStage:
      for (LoopPart &P : L.Top)
        if (P.What == Kind::Bind)
          P.Of = Slot::ahead(1);
      break;
    case Bug::NoCarryIn:
      drop(L.Prologue, Kind::Carry);
      break;
    case Bug::NoCarryBack:
      drop(L.Behind, Kind::Carry);
      break;
    case Bug::UnguardedMain:
      loadAlways(L.Top);
      if (none_of(L.Top, [](const LoopPart &P) { return P.What == Kind::Ask; }))
        loadAlways(L.Tail);
      break;
    case Bug::UnguardedPrologue:
      forEachList(L, [](LoopParts &List, StringRef Place) {
        if (Place == "prologue" || Place == "prologue.stages")
          loadAlways(List);
      });
      break;
    case Bug::LoadStuck:
      forEach(L, Kind::StepLoad, [](LoopPart &P) { P.Text = ";"; });
      forEach(L, Kind::Next, [](LoopPart &P) {
        P.Text = ";";
        for (NextValue &V : P.Values)
          V.Value = V.From;
      });
      break;
    case Bug::LoadTwice:
      forEach(L, Kind::StepLoad, [](LoopPart &P) { P.Text += " " + P.Text; });
      forEach(L, Kind::Next, [](LoopPart &P) {
        P.Text += " " + P.Text;
        for (NextValue &V : P.Values)
          V.Value += V.Step;
      });
      break;
    case Bug::LoadStartsLate:
      startLate(L);
      break;
    case Bug::FetchBeforeStore:
      if (Single)
        bringForward(L.Top, {Kind::Next, Kind::If});
      break;
    case Bug::HiddenName:
      if (const VarDecl *Outside = scalarFromOutside(M))
        L.Top.push_back(LoopPart::text(
            (L.Indent + L.Unit + "const int " + Outside->getName() + " = 0;\n").str()));
      break;
    case Bug::BrokenText:
      L.Top.push_back(LoopPart::text(L.Indent + L.Unit + "(;\n"));
      break;
    default:
      break; // of another value
    }
  }

private:
  const Bug Which;
};

} // namespace

std::unique_ptr<const LoopMutator> plantedBug(StringRef Id) {
#define PLANTED_BUG(Name, Text, Description)                                                       \
  if (Id == Text)                                                                                  \
    return std::make_unique<Planted>(Bug::Name);
#include "PlantedBugs.def"
  return nullptr;
}

} // namespace cuda_pipeline
