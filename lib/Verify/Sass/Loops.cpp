//===- Loops.cpp - Loops of machine code ------------------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Loops.h"
#include "Decode.h"
#include "llvm/ADT/GraphTraits.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/STLExtras.h"

using namespace cuda_pipeline;

namespace {

/// A part of the code as a graph for LLVM's algorithms. Node 0 leads to all others, so that all are
/// found.
struct Part {
  struct Node {
    unsigned Index = 0; ///< instruction
    std::vector<Node *> Next;
  };
  std::vector<Node> Nodes;

  /// The instructions of \p Body, ascending, without the edges to \p Cut.
  Part(const SassFlow &Flow, const std::vector<unsigned> &Body, int Cut) : Nodes(Body.size() + 1) {
    for (size_t I = 0; I != Body.size(); ++I) {
      Nodes[I + 1].Index = Body[I];
      Nodes[0].Next.push_back(&Nodes[I + 1]);
      for (unsigned Next : Flow[Body[I]]) {
        auto It = llvm::lower_bound(Body, Next);
        if (It != Body.end() && *It == Next && int(Next) != Cut)
          Nodes[I + 1].Next.push_back(&Nodes[1 + (It - Body.begin())]);
      }
    }
  }
};

} // namespace

template <> struct llvm::GraphTraits<Part::Node *> {
  using NodeRef = Part::Node *;
  using ChildIteratorType = std::vector<Part::Node *>::iterator;
  static NodeRef getEntryNode(NodeRef N) { return N; }
  static ChildIteratorType child_begin(NodeRef N) { return N->Next.begin(); }
  static ChildIteratorType child_end(NodeRef N) { return N->Next.end(); }
};

namespace cuda_pipeline {

SassFlow flowOf(const std::vector<SassInstruction> &Code) {
  using Flow = SassInstruction::Flow;
  SassFlow Out(Code.size());
  for (unsigned I = 0; I != Code.size(); ++I) {
    const SassInstruction &Is = Code[I];
    const bool GoesOn = Is.Goes == Flow::Next || Is.Goes == Flow::Call || Is.Conditional;
    if (GoesOn && I + 1 != Code.size())
      Out[I].push_back(I + 1);
    const uint64_t To = Is.Target / SassInstructionBytes;
    if (Is.Goes == Flow::Jump && To < Code.size() && !llvm::is_contained(Out[I], To))
      Out[I].push_back(unsigned(To));
  }
  return Out;
}

static void find(const SassFlow &Flow, const std::vector<std::vector<unsigned>> &From,
                 const std::vector<unsigned> &Body, int Cut, int Parent, unsigned Depth,
                 std::vector<MachineLoop> &Out) {
  if (Depth == 64)
    return; // no compiler nests so deep
  Part P(Flow, Body, Cut);
  std::vector<MachineLoop> Here;
  for (auto It = llvm::scc_begin(&P.Nodes[0]); !It.isAtEnd(); ++It) {
    const std::vector<Part::Node *> &Together = *It;
    if (Together.front() == &P.Nodes[0] || !It.hasCycle())
      continue;
    MachineLoop L;
    for (const Part::Node *N : Together)
      L.Body.push_back(N->Index);
    llvm::sort(L.Body);
    // Where it is entered from outside; else it cannot be reached, and any place will do.
    L.Entry = L.Body.front();
    for (unsigned I : L.Body)
      if (llvm::any_of(From[I],
                       [&](unsigned Before) { return !llvm::binary_search(L.Body, Before); })) {
        L.Entry = I;
        break;
      }
    L.Parent = Parent;
    L.Depth = Depth;
    Here.push_back(std::move(L));
  }
  llvm::sort(Here, [](const MachineLoop &A, const MachineLoop &B) { return A.Entry < B.Entry; });
  for (MachineLoop &L : Here) {
    const int Number = int(Out.size());
    Out.push_back(std::move(L));
    const std::vector<unsigned> Inside = Out.back().Body;
    find(Flow, From, Inside, int(Out.back().Entry), Number, Depth + 1, Out);
  }
}

std::vector<MachineLoop> loopsOf(const SassFlow &Flow) {
  std::vector<std::vector<unsigned>> From(Flow.size());
  std::vector<unsigned> All;
  for (unsigned I = 0; I != Flow.size(); ++I) {
    All.push_back(I);
    for (unsigned Next : Flow[I])
      From[Next].push_back(I);
  }
  std::vector<MachineLoop> Out;
  find(Flow, From, All, -1, -1, 0, Out);
  return Out;
}

} // namespace cuda_pipeline
