//===- OutsideUses.cpp - Tiles that are used outside of the loop -------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Rule 6 of docs/soundness.md, Around the loop. Outside, the first stage stands for the tile.
/// Either nobody can tell: what the loop computes with is of its own turns, and so it is in all
/// other tile loops that have the tile. Or what the tile holds is carried into the loop and back.
///
//===----------------------------------------------------------------------===//

#include "../../Model/AstUtil.h"
#include "../AddressFlow.h"
#include "../EarlyReturns.h"
#include "../OutsideFlow.h"
#include "Rules.h"
#include "WriteSets.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

/// What the code outside of loops does with addresses: found once for all loops of the function.
struct KnownOutside {
  std::shared_ptr<OutsideFlow> Flow;
};

/// Where code outside of the loop leaves the tile's address in something that the loop, or what
/// it calls, may look at.
SourceLocation keptOutside(const RuleContext &RC, const TileBuffer &B) {
  const KnownOutside &Known = RC.F.Function->once<KnownOutside>(
      [&] { return KnownOutside{std::make_shared<OutsideFlow>(RC.M.Loop->Function, RC.Context)}; });
  // By the name of a part the loop looks at that part.
  std::vector<TileView> Views = RC.M.Views;
  if (RC.F.Parts)
    for (const auto &[Part, Array] : RC.F.Parts->Apart)
      Views.push_back({Part, nullptr, true});
  return Known.Flow->find(*RC.M.Loop, B.Decl, Views);
}

/// The load phase does not read the tile, and nothing else in the loop writes it.
bool onlyLoads(const RuleContext &RC, const TileBuffer &B) {
  auto Touches = [&](const Effects &E, bool Access::*How) {
    return any_of(E.Accesses, [&](const Access &A) { return A.*How && A.touches(B.Decl); });
  };
  return !Touches(RC.F.Segment[0], &Access::Read) && !Touches(RC.F.Segment[1], &Access::Write) &&
         !Touches(RC.F.Segment[2], &Access::Write);
}

/// A turn reads nothing of the tile but what it has loaded.
bool readsItsOwn(RuleContext &RC, const TileBuffer &B) {
  SharedEffort::PeerFacts &Known = RC.Effort.Peers[{RC.M.Loop, B.Decl, RC.F.Parts != nullptr}];
  if (!Known.Fresh) {
    Refusal Stale{Reason::StaleTile, RC.M.Loop->Begin, {}, {}};
    const std::vector<std::string> Before = std::exchange(RC.L.Assumptions, {});
    Known.Fresh = coveredBySets(RC, B, Stale);
    Known.Assumptions = std::exchange(RC.L.Assumptions, Before);
  }
  RC.SetsMatter |= *Known.Fresh;
  return *Known.Fresh &&
         all_of(Known.Assumptions, [&](const std::string &Name) { return RC.granted(Name); });
}

bool hasOwnAssignment(QualType T) {
  const auto *Record = T->getAsCXXRecordDecl();
  return Record &&
         (Record->hasUserDeclaredCopyAssignment() || Record->hasNonTrivialCopyAssignment());
}

/// Neither this loop nor \p Peer can tell what the other one leaves in the tile.
bool cannotTell(RuleContext &RC, const TileBuffer &B, const KLoop &Peer) {
  const TileModel &Other = RC.Others.Model(Peer);
  if (!Other.understood() || Other.AlreadyPipelined)
    return false;
  const auto Same = find_if(Other.Buffers, [&](const auto &O) { return O->Decl == B.Decl; });
  if (Same == Other.Buffers.end())
    return false;
  RuleContext There(Other, RC.Context, RC.Granted, RC.Shape, RC.Effort, RC.Others);
  if (!onlyLoads(There, **Same) || escapeOf(There, **Same))
    return false;
  // The same elements in every turn of both: what is not among them neither has ever written. A
  // third loop may have, and the first stage has that still; not so the memory behind it, where
  // dynamic stages lie.
  const std::string &Here = writeSet(RC, B);
  if (B.Origin == BufferOrigin::Static && !Here.empty() && Here == writeSet(There, **Same) &&
      (RC.M.Loop->IsKernel || RC.OfFunction.CalledBy.Once))
    return true;
  const SourceManager &SM = RC.Context.getSourceManager();
  const bool Again = any_of(RC.M.Loop->Ancestors,
                            [&](const Stmt *S) { return isLoop(S) && encloses(S, Peer.Loop); }) ||
                     RC.F.Function->HasGoto;
  const bool InFront = SM.isBeforeInTranslationUnit(Peer.Begin, RC.M.Loop->Begin);
  if ((Again || InFront) && !readsItsOwn(RC, B))
    return false;
  if (!Again && InFront)
    return true;
  if (!readsItsOwn(There, **Same))
    return false;
  RC.SetsMatter = true;
  return all_of(There.L.Assumptions, [&](const std::string &Name) { return RC.granted(Name); });
}

/// All uses outside of the loop are in other tile loops, and neither they nor this one can tell
/// what the others leave.
bool othersCannotTell(RuleContext &RC, const TileBuffer &B) {
  const SourceManager &SM = RC.Context.getSourceManager();
  auto Has = [&](const KLoop &Loop, SourceLocation At) {
    return Loop.Body && standsIn(At, Loop.Body, SM);
  };
  constexpr size_t Many = 64; // of which each would ask all others
  std::vector<const KLoop *> Peers;
  for (size_t I = 0; I != B.OutsideUses.size(); ++I) {
    const SourceLocation At = SM.getExpansionLoc(B.OutsideUses[I]);
    const auto Peer = find_if(RC.Others.Loops, [&](const KLoop *Other) {
      return Has(*Other, At) && !Has(*Other, RC.M.Loop->Begin) && !Has(*RC.M.Loop, Other->Begin);
    });
    if (Peer == RC.Others.Loops.end())
      return false;
    if (Peers.empty() || Peers.back() != *Peer)
      Peers.push_back(*Peer);
    if (Peers.size() > Many)
      return false;
  }
  for (const KLoop *Peer : Peers)
    if (!cannotTell(RC, B, *Peer))
      return false;
  return true;
}

/// The code outside is all in front, and what it leaves in the tile no turn reads. In front of the
/// next call it might find what this one has left.
bool isDoneWith(RuleContext &RC, const TileBuffer &B) {
  return B.UsedBefore && !B.UsedBehind && (RC.M.Loop->IsKernel || RC.OfFunction.CalledBy.Once) &&
         readsItsOwn(RC, B);
}

/// What the tile holds goes into every stage, and comes back from the last one: right whatever
/// the code outside does, where each turn writes the same elements.
bool carry(RuleContext &RC, const TileBuffer &B, std::string &Remedy) {
  std::string Why;
  SourceLocation Where;
  if (!writesTheSameElements(RC, B, Why, Where))
    return false;
  // All threads take part in copying it.
  if ((!RC.M.Loop->IsKernel && !RC.OfFunction.CalledBy.WholeBlock) ||
      !earlyReturns(RC.M, RC.U, RC.Context).empty() || RC.F.Function->HasGoto)
    return false;
  // What comes back would be the whole array, and parts have not been to other stages.
  if (RC.F.Parts && RC.F.Parts->any(B.Decl) && B.UsedBehind)
    return false;
  const bool Dynamic = B.Origin == BufferOrigin::Dynamic;
  // The further stages lie behind the first one, where the code outside may have left what it looks
  // for again. Only one that is done with it, or that has not begun, cannot tell.
  if (Dynamic && B.UsedBefore && B.UsedBehind) {
    Remedy = "Let what is used in front of the loop and behind it have an array of its own.";
    return false;
  }
  const QualType Element = RC.Context.getBaseElementType(B.Decl->getType());
  if (!Element.isTriviallyCopyableType(RC.Context) || Element.isVolatileQualified() ||
      Element.isConstQualified() || hasOwnAssignment(Element))
    return false;
  const bool Definedness = RC.M.Loop->IsKernel || RC.OfFunction.CalledBy.Once;
  RC.L.Carried.push_back(
      {B.Decl->getLocation(), B.UsedBefore || !Definedness, B.UsedBehind || !Definedness});
  return true;
}

} // namespace

bool checkOutsideUses(RuleContext &RC, const TileBuffer &B) {
  SourceLocation Where = B.OutsideUses.back();
  std::string Remedy;
  if (B.OutsideInDoubt.isValid()) {
    Where = B.OutsideInDoubt;
  } else if (const SourceLocation Kept = keptOutside(RC, B); Kept.isValid()) {
    Where = Kept;
  } else if (!B.DeclaredInLoop) {
    if (othersCannotTell(RC, B) || isDoneWith(RC, B)) {
      // The code in front need not be done with the memory behind the first stage.
      if (B.Origin == BufferOrigin::Dynamic) {
        RC.L.NeedsBarrierInFront |= B.UsedBefore;
        // What the others read may have been shown for the claimed block alone.
        RC.BlockIsAsked |= RC.claimed();
      }
      return false;
    }
    if (carry(RC, B, Remedy))
      return true;
  }
  RC.refuse({{Reason::TileUsedOutside, Where, {B.Decl->getNameAsString()}, {}, Remedy},
             Needs::SeveralBuffers});
  return false;
}

} // namespace cuda_pipeline
