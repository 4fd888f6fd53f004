//===- Generated.cpp - An operator for each place where it applies ----------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// The operators: a statement is left out, stands twice, or stands behind the next one; a number is
/// off by one; another stage is meant; a condition always holds, never holds, or is the opposite; a
/// statement is for some threads only; one kind of statement stands for another. What only declares
/// is left alone: without it the text would not compile, which needs no verification to be seen.
///
//===----------------------------------------------------------------------===//

#include "Mutate.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {

StringRef nameOf(LoopPart::Kind Kind) {
  switch (Kind) {
  case LoopPart::Kind::Text:
    return "text";
  case LoopPart::Kind::Comment:
    return "comment";
  case LoopPart::Kind::Function:
    return "function";
  case LoopPart::Kind::Bind:
    return "bind";
  case LoopPart::Kind::Call:
    return "call";
  case LoopPart::Kind::If:
    return "if";
  case LoopPart::Kind::ForStages:
    return "stages";
  case LoopPart::Kind::Ask:
    return "ask";
  case LoopPart::Kind::Next:
    return "next";
  case LoopPart::Kind::StepLoad:
    return "step";
  case LoopPart::Kind::Commit:
    return "commit";
  case LoopPart::Kind::Wait:
    return "wait";
  case LoopPart::Kind::Barrier:
    return "barrier";
  case LoopPart::Kind::Advance:
    return "advance";
  case LoopPart::Kind::Carry:
    return "carry";
  }
  llvm_unreachable("a kind of statement");
}

namespace {

using Kind = LoopPart::Kind;

/// The place of each statement of a list: the second call is "call#2".
std::vector<std::string> namesIn(const LoopParts &List) {
  std::map<StringRef, unsigned> Seen;
  std::vector<std::string> Names;
  for (const LoopPart &P : List) {
    const unsigned N = ++Seen[nameOf(P.What)];
    Names.push_back((nameOf(P.What) + (N == 1 ? "" : "#" + std::to_string(N))).str());
  }
  return Names;
}

void descend(LoopParts &List, const std::string &Place,
             function_ref<void(LoopParts &, StringRef)> Do) {
  Do(List, Place);
  const std::vector<std::string> Names = namesIn(List);
  for (size_t I = 0; I < List.size() && I < Names.size(); ++I)
    if (!List[I].Body.empty())
      descend(List[I].Body, Place + "." + Names[I], Do);
}

/// It does something when the loop runs.
bool acts(const LoopPart &P) {
  return !is_contained(
      {Kind::Text, Kind::Comment, Kind::Function, Kind::Bind, Kind::Ask, Kind::Next}, P.What);
}

class Operators {
public:
  explicit Operators(PipelinedLoop &Loop) : Loop(Loop) {}

  std::vector<Mutation> all() {
    forEachList(Loop, [&](LoopParts &List, StringRef In) {
      const std::vector<std::string> Names = namesIn(List);
      for (size_t I = 0; I < List.size(); ++I) {
        Place = (In + "." + Names[I]).str();
        ofStatement(List, I);
        ofContents(List[I]);
      }
    });
    acrossCompute();
    return std::move(Out);
  }

private:
  PipelinedLoop &Loop;
  std::string Place;
  std::vector<Mutation> Out;

  void add(const Twine &Operator, std::function<void(PipelinedLoop &)> Apply) {
    Out.push_back({(Operator + "@" + Place).str(), std::move(Apply)});
  }

  void ofStatement(LoopParts &List, size_t I) {
    if (!acts(List[I]))
      return;
    LoopParts *In = &List;
    add("drop", [=](PipelinedLoop &) { In->erase(In->begin() + I); });
    add("twice", [=](PipelinedLoop &) {
      const LoopPart Copy = (*In)[I];
      In->insert(In->begin() + I, Copy);
    });
    // Behind the next that does something, or declares what that needs.
    for (size_t Next = I + 1; Next < List.size(); ++Next)
      if (acts(List[Next])) {
        add("later", [=](PipelinedLoop &) {
          std::rotate(In->begin() + I, In->begin() + I + 1, In->begin() + Next + 1);
        });
        break;
      }
    // Into the branch in front of it.
    if (I > 0 && List[I - 1].What == Kind::If)
      add("into-if", [=](PipelinedLoop &) {
        (*In)[I - 1].Body.push_back((*In)[I]);
        In->erase(In->begin() + I);
      });
    LoopPart *P = &List[I];
    if (is_contained({Kind::Call, Kind::Wait, Kind::Barrier, Kind::Commit}, P->What)) {
      add("first-thread", [=](PipelinedLoop &) { P->By = LoopPart::Threads::First; });
      add("all-but-first", [=](PipelinedLoop &) { P->By = LoopPart::Threads::AllButFirst; });
    }
  }

  void ofContents(LoopPart &Part) {
    LoopPart *P = &Part;
    switch (P->What) {
    case Kind::Call:
      ofSlot(*P);
      for (size_t I = 0; I < P->Arguments.size(); ++I)
        if (const VarDecl *Of = P->Arguments[I].Of; Of && Of->getType()->isIntegerType())
          for (StringRef Sign : {"+", "-"})
            add("argument" + Sign + "1", [=](PipelinedLoop &) {
              P->Arguments[I].Text = "(" + P->Arguments[I].Text + ") " + Sign.str() + " 1";
            });
      break;
    case Kind::Bind:
      ofSlot(*P);
      break;
    case Kind::If:
      ofCondition(*P);
      add("unguarded", [=](PipelinedLoop &L) { unwrap(L, P); });
      break;
    case Kind::Ask:
      if (P->Text != "true")
        ofCondition(*P);
      break;
    case Kind::ForStages:
      add("one-more", [=](PipelinedLoop &) { --P->Less; });
      add("one-less", [=](PipelinedLoop &) { ++P->Less; });
      break;
    case Kind::Wait:
      add("one-more", [=](PipelinedLoop &) { --P->Less; });
      add("commits", [=](PipelinedLoop &) { P->What = Kind::Commit; });
      break;
    case Kind::Commit:
      add("waits", [=](PipelinedLoop &) {
        P->What = Kind::Wait;
        P->Less = 2;
      });
      break;
    case Kind::Advance:
      add("wraps-late", [=](PipelinedLoop &) { --P->Less; });
      add("wraps-early", [=](PipelinedLoop &) { ++P->Less; });
      break;
    case Kind::Next:
      for (size_t I = 0; I < P->Values.size(); ++I) {
        const std::string Which = I == 0 ? "" : std::to_string(I + 1);
        add("stuck" + Which, [=](PipelinedLoop &) { P->Values[I].Value = P->Values[I].From; });
        if (!P->Values[I].Step.empty())
          add("step-twice" + Which,
              [=](PipelinedLoop &) { P->Values[I].Value += P->Values[I].Step; });
      }
      break;
    default:
      break;
    }
  }

  /// All other stages that there are, by their numbers and from the current one.
  void ofSlot(LoopPart &Part) {
    LoopPart *P = &Part;
    if (!P->Of)
      return;
    for (unsigned N = 0; N < Loop.Stages; ++N) {
      if (!(*P->Of == Slot::number(N)))
        add("slot=" + Twine(N), [=](PipelinedLoop &) { P->Of = Slot::number(N); });
      if (!P->Of->Number && P->Of->Ahead != N)
        add("slot+" + Twine(N), [=](PipelinedLoop &) { P->Of = Slot::ahead(N); });
    }
  }

  void ofCondition(LoopPart &Part) {
    LoopPart *P = &Part;
    add("always", [=](PipelinedLoop &) { P->Text = "true"; });
    add("never", [=](PipelinedLoop &) { P->Text = "false"; });
    add("not", [=](PipelinedLoop &) { P->Text = "!(" + P->Text + ")"; });
  }

  static void unwrap(PipelinedLoop &L, LoopPart *If) {
    forEachList(L, [&](LoopParts &List, StringRef) {
      for (size_t I = 0; I < List.size(); ++I)
        if (&List[I] == If) {
          const LoopParts Body = List[I].Body;
          List.erase(List.begin() + I);
          List.insert(List.begin() + I, Body.begin(), Body.end());
          If = nullptr;
          return;
        }
    });
  }

  /// From in front of the compute phase to behind it, and back.
  void acrossCompute() {
    const std::vector<std::string> Top = namesIn(Loop.Top), Tail = namesIn(Loop.Tail);
    for (size_t I = 0; I < Loop.Top.size(); ++I)
      if (acts(Loop.Top[I])) {
        Place = "top." + Top[I];
        add("behind-compute", [=](PipelinedLoop &L) {
          L.Tail.insert(L.Tail.begin(), L.Top[I]);
          L.Top.erase(L.Top.begin() + I);
        });
      }
    for (size_t I = 0; I < Loop.Tail.size(); ++I)
      if (acts(Loop.Tail[I])) {
        Place = "tail." + Tail[I];
        add("before-compute", [=](PipelinedLoop &L) {
          L.Top.push_back(L.Tail[I]);
          L.Tail.erase(L.Tail.begin() + I);
        });
      }
  }
};

/// Changes of the other values, for every copy or tile at once. The ids are known before there is a
/// value.
struct OfCopies {
  StringRef Id;
  void (*Apply)(AsyncCopy &);
};
const OfCopies CopyOperators[] = {
    {"half@copy", [](AsyncCopy &C) { C.Bytes += " / 2"; }},
    {"double@copy", [](AsyncCopy &C) { C.Bytes += " * 2"; }},
    {"next-source@copy", [](AsyncCopy &C) { C.Source += " + 1"; }},
    {"next-destination@copy", [](AsyncCopy &C) { C.Destination += " + 1"; }},
    {"other-way@copy", [](AsyncCopy &C) { std::swap(C.Source, C.Destination); }},
    {"no-fill@copy",
     [](AsyncCopy &C) {
       for (AsyncCopy::Guard &G : C.Guards)
         G.Fill.clear();
     }},
    {"unguarded@copy",
     [](AsyncCopy &C) {
       erase_if(C.Guards, [](const AsyncCopy::Guard &G) { return !G.Test.empty(); });
     }},
    {"not@copy",
     [](AsyncCopy &C) {
       for (AsyncCopy::Guard &G : C.Guards)
         if (!G.Test.empty())
           G.Test = "!(" + G.Test + ")";
     }},
};

class Generated final : public LoopMutator {
public:
  explicit Generated(StringRef Id) : Id(Id.str()) {}

  void copy(AsyncCopy &C) const override { changeCopy(Id, C); }
  void declaredStages(std::string &Count, unsigned Stages) const override {
    if (Id == "one-less@declaration")
      Count = std::to_string(Stages - 1);
  }
  /// Each load goes by the register of the load behind it, of one type.
  void registers(MutableArrayRef<StagingRegister> All, ASTContext &Context) const override {
    if (Id != "next@register")
      return;
    for (size_t I = 0; I + 1 < All.size(); ++I)
      if (All[I].Load->Loops.size() == All[I + 1].Load->Loops.size() &&
          Context.hasSameType(All[I].Load->Type, All[I + 1].Load->Type))
        All[I].Used = All[I + 1].Declared;
  }
  void loop(PipelinedLoop &Loop, const TileModel &, StringRef) const override {
    for (const Mutation &Of : mutationsOf(Loop))
      if (Of.Id == Id)
        return Of.Apply(Loop);
  }

private:
  const std::string Id;
};

class Lister final : public LoopMutator {
public:
  explicit Lister(StringRef File) : File(File.str()) {}
  void loop(PipelinedLoop &Loop, const TileModel &, StringRef Variant) const override {
    std::error_code Error;
    raw_fd_ostream Out(File, Error, sys::fs::CD_OpenAlways, sys::fs::FA_Write, sys::fs::OF_Append);
    if (Error)
      return;
    std::string Lines;
    auto Say = [&](StringRef Id) {
      Lines += (Variant + " " + Twine(Loop.Stages) + " " + Id + "\n").str();
    };
    for (const Mutation &Of : mutationsOf(Loop))
      Say(Of.Id);
    for (const OfCopies &O : CopyOperators)
      Say(O.Id);
    Say("one-less@declaration");
    Say("next@register");
    Out << Lines;
  }

private:
  const std::string File;
};

} // namespace

void changeCopy(StringRef Id, AsyncCopy &Copy) {
  for (const OfCopies &O : CopyOperators)
    if (O.Id == Id)
      O.Apply(Copy);
}

void forEachList(PipelinedLoop &Loop, function_ref<void(LoopParts &, StringRef)> Do) {
  descend(Loop.Front, "front", Do);
  descend(Loop.Prologue, "prologue", Do);
  descend(Loop.Top, "top", Do);
  descend(Loop.Tail, "tail", Do);
  descend(Loop.Behind, "behind", Do);
}

std::vector<Mutation> mutationsOf(PipelinedLoop &Loop) { return Operators(Loop).all(); }

std::unique_ptr<const LoopMutator> mutatorFor(StringRef Id) {
  if (std::unique_ptr<const LoopMutator> Named = plantedBug(Id))
    return Named;
  if (Id.consume_front("list:"))
    return std::make_unique<Lister>(Id);
  return Id.contains('@') ? std::make_unique<Generated>(Id) : nullptr;
}

} // namespace cuda_pipeline
