//===- Instances.cpp - What the instances of one loop agree on -----------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Instances.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {

/// What one instantiation needs all of them do: their text is the same.
static void mergeBeside(Plan &All, const Plan &Other) {
  All.MayBeBeside &= Other.MayBeBeside;
  All.OthersBeside |= Other.OthersBeside;
  for (const GrownSize &G : Other.IfBeside) {
    auto Known = find_if(All.IfBeside, [&](const GrownSize &A) { return A.Offset == G.Offset; });
    if (Known == All.IfBeside.end())
      All.IfBeside.push_back(G);
    else
      Known->Given = std::max(Known->Given, G.Given);
  }
}

static void mergeDynamic(Candidate &All, const Candidate &C, const Instance &I) {
  if (!All.Plan.Dynamic || !C.Plan.Dynamic)
    return; // refused
  erase_if(All.Plan.Grown, [&](const GrownSize &G) { return !is_contained(C.Plan.Grown, G); });
  if (All.Plan.Dynamic->InFront != C.Plan.Dynamic->InFront) {
    All.Refusals.push_back({Reason::InstantiationsDisagree,
                            I.model().Loop->Begin,
                            {"their stages leave out different parts of dynamic shared memory"},
                            {}});
    return;
  }
  if (All.Plan.Dynamic->Bytes == C.Plan.Dynamic->Bytes &&
      All.Plan.Dynamic->Block == C.Plan.Dynamic->Block)
    return;
  if (C.Plan.Arguments.empty()) {
    All.Refusals.push_back({Reason::InstantiationsDisagree,
                            I.model().Loop->Begin,
                            {"they use different amounts of dynamic shared memory"},
                            {}});
    return;
  }
  // Each by its arguments, which the output asserts to be known.
  std::vector<std::string> Known = C.Plan.Arguments.front().Values;
  for (const TypeArgument &T : C.Plan.Arguments.front().Types)
    Known.push_back("::std::is_same<" + T.Param + ", " + T.Type + ">::value");
  const std::string If = join(Known, " && ") + " ? ";
  DynamicStages &Stages = *All.Plan.Dynamic;
  if (Stages.Bytes != C.Plan.Dynamic->Bytes) {
    Stages.Constant.reset();
    Stages.Bytes = If + C.Plan.Dynamic->Bytes + " : " + Stages.Bytes;
  }
  if (Stages.Block != C.Plan.Dynamic->Block) {
    auto OrAny = [](const std::string &Block) {
      return Block.empty() ? std::string("true") : Block;
    };
    Stages.Block = "(" + If + OrAny(C.Plan.Dynamic->Block) + " : " + OrAny(Stages.Block) + ")";
  }
}

/// One list for all instantiations: legal where all are, the largest budget, the lowest score.
std::vector<Candidate> agree(ArrayRef<Instance> Instances) {
  std::vector<Candidate> Out = Instances.front().Candidates;
  for (const Instance &I : drop_begin(Instances)) {
    for (size_t K = 0; K < Out.size() && K < I.Candidates.size(); ++K) {
      const Candidate &C = I.Candidates[K];
      Out[K].Refusals.insert(Out[K].Refusals.end(), C.Refusals.begin(), C.Refusals.end());
      Out[K].Score = std::min(Out[K].Score, C.Score);
      Out[K].Plan.Matter.add(C.Plan.Matter);
      if (!Out[K].Plan.mergeWith(C.Plan) && Out[K].Refusals.empty())
        Out[K].Refusals.push_back({Reason::InstantiationsDisagree,
                                   I.model().Loop->Begin,
                                   {"not the same copies can be asynchronous in all of them"},
                                   {}});
      if (!(Out[K].Plan.Carried == C.Plan.Carried) && Out[K].Refusals.empty())
        Out[K].Refusals.push_back({Reason::InstantiationsDisagree,
                                   I.model().Loop->Begin,
                                   {"only some of them read what a tile holds besides the loop"},
                                   {}});
      mergeDynamic(Out[K], C, I);
      mergeBeside(Out[K].Plan, C.Plan);
      if (C.Plan.Arguments.empty())
        Out[K].Plan.Arguments.clear();
      else if (!Out[K].Plan.Arguments.empty() &&
               !is_contained(Out[K].Plan.Arguments, C.Plan.Arguments.front()))
        Out[K].Plan.Arguments.push_back(C.Plan.Arguments.front());
      for (const std::string &A : C.Plan.Assumptions)
        if (!is_contained(Out[K].Plan.Assumptions, A))
          Out[K].Plan.Assumptions.push_back(A);
      if (C.Budget.SharedAfter > Out[K].Budget.SharedAfter)
        Out[K].Budget = C.Budget;
    }
  }
  return Out;
}

/// There is something to emit, sound or not: the loop is understood, the copies can be made in
/// that way, and the tiles have a size.
static bool canBeEmitted(const Candidate &C, ArrayRef<Instance> Instances) {
  const VariantInfo &Of = info(C.Plan.Preset);
  const bool Async = Of.Async && !Of.Registers;
  for (const Instance &I : Instances) {
    const TileModel &M = I.model();
    if (!M.understood() || M.Loop->IsPattern ||
        (Of.Async && Of.Registers && !I.Legality.MixedCut) ||
        !(Async ? M.AsyncRefusals : I.cutFor(C.Plan.Preset).Refusals).empty())
      return false;
    if (C.Plan.Stages > 1 && !C.Plan.Dynamic &&
        any_of(M.Buffers, [](const auto &B) { return B->Origin == BufferOrigin::Dynamic; }))
      return false;
    if (Async && any_of(M.Copies, [](const TileCopy &Copy) {
          return !Copy.IsFill && (Copy.Converted || !Copy.SourceAccess);
        }))
      return false;
  }
  // What the instruction, or the hardware, does not have.
  return none_of(C.Refusals, [](const Refusal &R) {
    return R.Why == Reason::CopyWidth || R.Why == Reason::SharedMemoryLimit;
  });
}

/// RewriteOptions::EmitRefused.
void waive(std::vector<Candidate> &Candidates, ArrayRef<Instance> Instances) {
  for (Candidate &C : Candidates) {
    if (!C.Asked || C.Refusals.empty() || !canBeEmitted(C, Instances))
      continue;
    for (const Refusal &R : C.Refusals)
      if (std::string Id = info(R.Why).Id.str(); !is_contained(C.Plan.RefusedFor, Id))
        C.Plan.RefusedFor.push_back(Id);
    C.Waived = std::move(C.Refusals);
    C.Refusals.clear();
  }
}

static std::string text(const TemplateArguments &A) {
  std::string Text = join(A.Values, " && ");
  for (const TypeArgument &T : A.Types)
    Text += " && " + T.Param + " " + T.Type;
  return Text;
}

void InAllUnits::add(ArrayRef<Candidate> Candidates) {
  ++Units;
  for (const Candidate &C : Candidates) {
    auto [It, New] = Scores.try_emplace({C.Plan.Preset, C.Plan.Stages});
    It->second.Least = New ? C.Score : std::min(It->second.Least, C.Score);
    It->second.Refused |= !C.Refusals.empty();
    Unknown |= C.Refusals.empty() && C.Plan.Arguments.empty();
    for (const TemplateArguments &A : C.Plan.Arguments)
      if (!is_contained(Arguments, A))
        Arguments.push_back(A);
  }
  llvm::sort(Arguments, [](const TemplateArguments &A, const TemplateArguments &B) {
    return text(A) < text(B);
  });
}

void InAllUnits::applyTo(std::vector<Candidate> &Candidates, SourceLocation Loop) const {
  for (Candidate &C : Candidates) {
    const auto It = Scores.find({C.Plan.Preset, C.Plan.Stages});
    if (It == Scores.end() || (It->second.Refused && C.Refusals.empty()))
      C.Refusals.push_back(
          {Reason::InstantiationsDisagree,
           Loop,
           {"another file that includes it, or another configuration, cannot have this one"},
           {}});
    else
      C.Score = It->second.Least;
    if (!C.Plan.Arguments.empty())
      C.Plan.Arguments = Unknown ? std::vector<TemplateArguments>() : Arguments;
  }
}

} // namespace cuda_pipeline
