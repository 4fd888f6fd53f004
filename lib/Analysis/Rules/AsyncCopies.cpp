//===- AsyncCopies.cpp - Copies that cp.async can do -------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Rule 2 of docs/soundness.md, Copies, for those that go by cp.async. The instruction copies 4, 8
/// or 16 bytes, aligned to their size and unchanged, from global memory. Copies of one thread have
/// no order among each other, so no two may write the same element.
///
//===----------------------------------------------------------------------===//

#include "../../Model/AstUtil.h"
#include "../Alignment.h"
#include "Rules.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

/// The branches of the load phase around \p Part that are no part of a loop, outermost first: each
/// with whether it is in the first arm.
std::vector<std::pair<const IfStmt *, bool>> branchesAround(const RuleContext &RC,
                                                            const Expr *Part) {
  std::vector<std::pair<const IfStmt *, bool>> Out;
  const Stmt *S = nullptr;
  for (const Stmt *Of : RC.M.Segments[0])
    if (encloses(Of, Part))
      S = Of;
  while (S && S != Part && !isLoop(S)) {
    if (const auto *If = dyn_cast<IfStmt>(S); If && !encloses(If->getCond(), Part))
      Out.push_back({If, encloses(If->getThen(), Part)});
    const Stmt *Next = nullptr;
    for (const Stmt *Child : S->children())
      if (Child && encloses(Child, Part))
        Next = Child;
    S = Next;
  }
  return Out;
}

/// Of the two at most one is done in a turn.
bool areAlternatives(const RuleContext &RC, const Expr *One, const Expr *Other) {
  const auto OfOne = branchesAround(RC, One), OfOther = branchesAround(RC, Other);
  return any_of(OfOne, [&](const auto &Branch) {
    return is_contained(OfOther, std::pair(Branch.first, !Branch.second));
  });
}

/// One thread may store to one element of \p B twice in a turn.
bool mayStoreTwice(RuleContext &RC, const TileBuffer &B) {
  auto ThisTile = [&](const TileCopy &C) { return C.Buffer == &B; };
  if (count_if(RC.M.Copies, ThisTile) == 1 && find_if(RC.M.Copies, ThisTile)->Loops.empty())
    return false;
  // The store that clears the element becomes the else of the other one.
  auto AreOne = [&](const Expr *First, const Expr *Second) {
    return any_of(RC.M.Copies, [&](const TileCopy &C) {
      const auto *Clear = C.ClearedBy ? leftHandSide(C.ClearedBy) : nullptr;
      return Clear && stripNoOps(Clear) == stripNoOps(First) &&
             stripNoOps(C.Destination) == stripNoOps(Second);
    });
  };
  const auto IsDirect = [&](const Expr *To) {
    return any_of(RC.M.Copies, [&](const TileCopy &C) {
      return RC.L.Direct.count(C.Store->getExprLoc()) &&
             stripNoOps(C.Destination) == stripNoOps(To);
    });
  };
  // What is stored at once is stored in order.
  auto IsFine = [&](const Expr *First, const Expr *Second) {
    return (IsDirect(First) && IsDirect(Second)) || areAlternatives(RC, First, Second);
  };
  auto Never = [&](bool Claimed) {
    return RC.turn(Claimed).runLoad() &&
           RC.turn(Claimed).storedTwiceByOneThread(B.Decl, AreOne, IsFine) == Answer::No;
  };
  if (Never(false))
    return false;
  if (B.Origin != BufferOrigin::Dynamic || !RC.claimed() || !Never(true))
    return true;
  RC.BlockIsAsked = true;
  return false;
}

/// What becomes of the bytes on their way, for the message.
std::string howConverted(const TileCopy &C) {
  if (!C.MayConvert.empty())
    return "goes through " + C.MayConvert + " that another build may define otherwise,";
  return C.Through ? "goes through '" + C.Through->getNameAsString() +
                         "', a register array or a structure,"
                   : "is changed or chosen";
}

/// The assumption aligned16 shows the alignment that the types of the copy's two ends do not.
bool alignedIfGiven16(const RuleContext &RC, const TileCopy &C) {
  // A member of what was loaded: its offset counts, too.
  if (C.Staging && referencedVar(stripNoOps(C.Value)) != C.Staging)
    return false;
  return alignmentIfGiven16(C.Destination, RC.M, RC.Context) >= C.Bytes &&
         all_of(C.Sources, [&](const Expr *Source) {
           return alignmentIfGiven16(Source, RC.M, RC.Context) >= C.Bytes;
         });
}

std::string bytes(uint64_t N) { return std::to_string(N) + (N == 1 ? " byte" : " bytes"); }

/// Copies of one thread are not ordered among each other: an element must not be written twice.
void checkOverlaps(RuleContext &RC, const std::set<const TileBuffer *> &WithAsync) {
  for (const auto &Buffer : RC.M.Buffers) {
    const TileBuffer *B = Buffer.get();
    if (!WithAsync.count(B))
      continue;
    if (auto Known = RC.Effort.CopyOverlaps.find(RC.ofInstances(*B));
        Known != RC.Effort.CopyOverlaps.end()) {
      RC.refuse({Known->second, Needs::AsyncBytes});
      RC.Overlapping.insert(B);
    } else if (mayStoreTwice(RC, *B)) {
      SourceLocation Where = B->Decl->getLocation();
      for (const TileCopy &C : RC.M.Copies)
        if (C.Buffer == B)
          Where = C.Store->getExprLoc();
      const Refusal Why{Reason::CopyOverlap, Where, {B->Decl->getNameAsString()}, {}};
      RC.Effort.CopyOverlaps.insert({RC.ofInstances(*B), Why});
      RC.refuse({Why, Needs::AsyncBytes});
      RC.Overlapping.insert(B);
    }
  }
}

/// What keeps cp.async from \p C; none: it can do it.
std::optional<Refusal> problemOf(RuleContext &RC, const TileCopy &C) {
  const std::string Name = C.Buffer->Decl->getNameAsString();
  const SourceLocation Where = C.Store->getExprLoc();
  if (C.Converted)
    return Refusal{Reason::CopyConverted, Where, {Name, howConverted(C)}, {}, "", C.Store};
  if (!C.SourceIsGlobal || !C.SourceAccess)
    return Refusal{Reason::LoadNotGlobal, Where, {Name}, {}, "", C.Store};
  uint64_t Align = alignmentOf(C.Destination, RC.Context);
  for (const Expr *Source : C.Sources)
    Align = std::min(Align, alignmentOf(Source, RC.Context));
  if (C.Staging) // a member of what was loaded, at its offset
    Align = std::min(Align, alignmentOf(stripNoOps(C.Value), RC.Context));
  // 16 bytes of alignment 4 are a matter of the alignment, 2 bytes one of the size.
  const bool Size = C.AsyncBytes == 4 || C.AsyncBytes == 8 || C.AsyncBytes == 16;
  if (Size && Align >= C.AsyncBytes)
    return std::nullopt;
  const bool Grantable = Size && alignedIfGiven16(RC, C);
  if (!Grantable || !RC.grantedToAsync("aligned16"))
    return Refusal{Reason::CopyWidth,
                   Where,
                   {Name, bytes(C.Bytes) + (Size ? " with an alignment of " + bytes(Align) : "")},
                   {},
                   Grantable ? "Declare the type with that alignment ('struct alignas(" +
                                   std::to_string(C.Bytes) +
                                   ") S'), or grant --assume=aligned16: that the pointers that the "
                                   "kernel is given "
                                   "are multiples of 16."
                             : std::string(),
                   C.Store};
  uint64_t &Wanted = RC.L.AsyncAlignments[C.Buffer->Decl->getLocation()];
  Wanted = std::max(Wanted, C.Bytes);
  // What is added to the pointers depends on sizes and extents that another instantiation
  // need not have.
  RC.L.MatterForAsync.Values = RC.L.MatterForAsync.Types = true;
  return std::nullopt;
}

} // namespace

void checkAsyncCopies(RuleContext &RC) {
  // What the model has seen on its way.
  for (const Refusal &R : RC.M.AsyncRefusals)
    RC.refuseOnce({R, Needs::AsyncBytes}, Needs::SeveralBuffers | Needs::AsyncBytes);
  std::vector<std::pair<const TileCopy *, std::optional<Refusal>>> Copies;
  for (const TileCopy &C : RC.M.Copies)
    if (!C.IsFill)
      Copies.push_back({&C, problemOf(RC, C)});
  std::set<const TileBuffer *> WithAsync;
  for (auto &[C, Problem] : Copies) {
    // Narrow ones beside wide ones are for what these cannot copy.
    if (any_of(Copies, [&, Of = C](const auto &Other) {
          return !Other.second && Other.first->Buffer == Of->Buffer &&
                 Other.first->Bytes > Of->Bytes &&
                 areAlternatives(RC, Of->Store, Other.first->Store);
        }))
      RC.L.Direct.insert(C->Store->getExprLoc());
    else if (Problem)
      RC.refuse({std::move(*Problem), Needs::AsyncBytes});
    else
      WithAsync.insert(C->Buffer);
  }
  // There is nothing that cp.async could do.
  if (WithAsync.empty() && !RC.isBlocked(Needs::SeveralBuffers | Needs::AsyncBytes) &&
      !RC.M.Copies.empty()) {
    const TileCopy &C = RC.M.Copies.front();
    RC.refuse({{Reason::CopyConverted,
                C.Store->getExprLoc(),
                {C.Buffer->Decl->getNameAsString(), howConverted(C)},
                {}},
               Needs::AsyncBytes});
  }
  checkOverlaps(RC, WithAsync);
}

} // namespace cuda_pipeline
