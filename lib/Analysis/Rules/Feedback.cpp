//===- Feedback.cpp - What is loaded is not written in the loop --------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Rule 4 of docs/soundness.md, No feedback. The next tile is loaded before the compute phase of
/// this one runs, so nothing that the compute phase writes may be what the load phase reads. Two
/// pointers are taken to overlap unless they are shown not to, or the user grants `no-alias`.
///
//===----------------------------------------------------------------------===//

#include "../BeforeLoop.h"
#include "Rules.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

/// What would help where neither __restrict__ nor a grant does.
std::string aliasRemedy(const MemoryRoot &Written) {
  return Written.Decl ? "Store to another array than the one that the tiles are loaded from."
                      : "Store through a pointer parameter, or to an array by its name, in the "
                        "kernel itself: "
                        "what a member of an object points to is not followed everywhere.";
}

} // namespace

void checkFeedback(RuleContext &RC) {
  // What moves in front of other turns, and what goes behind the barrier that the other threads'
  // stores are behind.
  Effects Reading = RC.F.Segment[0];
  Reading.append(RC.F.Init);
  Reading.append(RC.F.Condition);
  for (const Stmt *S : RC.M.MovedToCompute)
    Reading.append(RC.F.Collector->collect(S));
  for (unsigned I = 1; I < 3; ++I)
    for (const Access &W : RC.F.Segment[I].Accesses) {
      if (!W.Write)
        continue;
      for (const MemoryRoot &Written : W.Roots) {
        if (Written.In != Space::Global && Written.In != Space::Unknown)
          continue;
        for (const Access &R : Reading.Accesses) {
          if (!R.Read)
            continue;
          for (const MemoryRoot &Read : R.Roots) {
            if (Read.In != Space::Global && Read.In != Space::Unknown)
              continue;
            if (!mayAlias(Written, Read))
              continue;
            // The same pointer, or one of unknown origin, is beyond what the user can grant by
            // saying that different pointers do not overlap.
            bool Grantable = Written.Decl && Read.Decl && Written.Decl != Read.Decl;
            if (Grantable && (R.Lasting || RC.granted("no-alias")))
              continue;
            Refusal Why{Reason::MayAlias, W.Loc, {quotedNameOf(Written), quotedNameOf(Read)}, {}};
            Why.Notes.push_back({"loaded here", R.Loc});
            if (W.Doubted)
              Why.Notes.push_back({"no write is seen: '" + W.Doubted->getQualifiedNameAsString() +
                                       "' is not seen to leave its object alone",
                                   W.Loc});
            if (!Grantable)
              Why.Remedy = aliasRemedy(Written);
            RC.refuse({std::move(Why), Needs::Everything});
            return;
          }
        }
        // A store through an unknown pointer may also hit a tile.
        if (!Written.Decl && Written.In != Space::Global) {
          RC.refuse({{Reason::MayAlias,
                      W.Loc,
                      {quotedNameOf(Written), "the tiles"},
                      {},
                      aliasRemedy(Written)},
                     Needs::Everything});
          return;
        }
      }
    }
}

} // namespace cuda_pipeline
