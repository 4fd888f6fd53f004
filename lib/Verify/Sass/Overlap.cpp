//===- Overlap.cpp - What is under way while a tile is computed on ----------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   1. find      the machine's loop that a loop of the source has become
//   2. loads     those whose values go to shared memory: of the next tile
//   3. windows   from each load along all ways to the first instruction that waits for it; what
//   compute lies there
//   4. answer    from the windows, with the excerpt
//
//===----------------------------------------------------------------------===//

#include "Loops.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/FormatVariadic.h"
#include <deque>
#include <map>
#include <set>

using namespace llvm;

namespace cuda_pipeline {

StringRef toString(SassOverlap O) {
  switch (O) {
  case SassOverlap::Overlapped:
    return "overlapped";
  case SassOverlap::Partial:
    return "partial";
  case SassOverlap::Serialized:
    return "serialized";
  case SassOverlap::NoLoads:
    return "no-loads";
  case SassOverlap::CannotTell:
    return "cannot-tell";
  }
  llvm_unreachable("unknown overlap");
}

StringRef toString(SassMark M) {
  switch (M) {
  case SassMark::Other:
    return "other";
  case SassMark::Load:
    return "load";
  case SassMark::Store:
    return "store";
  case SassMark::Read:
    return "read";
  case SassMark::Compute:
    return "compute";
  case SassMark::Barrier:
    return "barrier";
  case SassMark::Wait:
    return "wait";
  case SassMark::Branch:
    return "branch";
  }
  llvm_unreachable("unknown mark");
}

namespace {

/// How much more often what is in a loop within is executed, for shares of the compute: only that
/// it is more matters.
constexpr unsigned TurnsOfInnerLoop = 8;
/// A load overlaps if this share of the compute of one tile lies in its window.
constexpr double EnoughOfATile = 0.5;
/// Open groups and operations are counted so far: a wait for more (`wait_prior` has at most 8) is
/// one for these.
constexpr unsigned MostOutstanding = 9;

struct Load {
  unsigned At = 0;
  double Share = 0; ///< of the compute of a tile, in its window
  int EndsAt = -1;  ///< the first instruction that waits for it, in the order of the code behind it
  bool BehindBarrier = false; ///< no compute is in its window in front of a barrier
  bool OlderWait = false;     ///< there is a wait in its window that is not for it
  bool ByMbarrier = false;
};

class Analysis {
public:
  Analysis(const SassFunction &F, const SassSourceLoop &Source)
      : Code(F.Code), Source(Source), Flow(flowOf(F.Code)), Loops(loopsOf(Flow)) {}

  std::optional<SassLoop> run() {
    if (!findRegion())
      return std::nullopt;
    Out.Line = Source.Line;
    Out.EndLine = Source.EndLine;
    count();
    findLoads();
    for (Load &L : Loads)
      follow(L);
    answer();
    writeExcerpt();
    return Out;
  }

private:
  const std::vector<SassInstruction> &Code;
  const SassSourceLoop &Source;
  const SassFlow Flow;
  const std::vector<MachineLoop> Loops;
  SassLoop Out;
  std::vector<unsigned> Region; ///< ascending
  BitVector InRegion, IsCompute, IsLoad, IsWait;
  std::vector<unsigned> Weight; ///< of each instruction
  std::vector<Load> Loads;
  double StepCompute = 0; ///< of one tile

  SassRole role(unsigned I) const { return roleOf(Code[I].Class); }
  bool inSource(unsigned I) const {
    return Code[I].Line != 0 && Source.Line <= Code[I].Line && Code[I].Line <= Source.EndLine;
  }

  static bool isInside(const std::vector<MachineLoop> &Loops, int L, int Around) {
    for (; L >= 0; L = Loops[L].Parent)
      if (L == Around)
        return true;
    return false;
  }

  //===--- 1. find ---------------------------------------------------------===//

  bool findRegion() {
    InRegion.resize(Code.size());
    auto Holds = [&](const MachineLoop &L, auto Which) { return any_of(L.Body, Which); };
    auto IsBarrier = [&](unsigned I) { return Code[I].Class == SassClass::BAR; };
    // The innermost loop with a barrier of the source's loop, else with any barrier (it may stand
    // in a function that is called there): around it are loops around the source's, within it those
    // of the compute.
    int Best = -1;
    size_t BestCount = 0;
    auto Consider = [&](auto IsOurBarrier) {
      for (int N = 0; N != int(Loops.size()); ++N) {
        const MachineLoop &L = Loops[N];
        if (!Holds(L, IsOurBarrier))
          continue;
        bool Innermost = true;
        for (int M = 0; M != int(Loops.size()); ++M)
          Innermost &= M == N || !isInside(Loops, M, N) || !Holds(Loops[M], IsOurBarrier);
        if (!Innermost)
          continue;
        // ptxas leaves a second loop for the turns that do not fill an unrolled one.
        const size_t Count = Source.Line == 0
                                 ? count_if(L.Body, [&](unsigned I) { return isCompute(I); }) + 1
                                 : count_if(L.Body, [&](unsigned I) { return inSource(I); });
        if (Count > BestCount) {
          Best = N;
          BestCount = Count;
        }
      }
    };
    if (Source.Line != 0)
      Consider([&](unsigned I) { return IsBarrier(I) && inSource(I); });
    if (Best < 0 &&
        (Source.Line == 0 || none_of(
                                 seq<unsigned>(0, Code.size()),
                                 [&](unsigned I) { return IsBarrier(I) && inSource(I); })))
      Consider(IsBarrier);
    if (Best >= 0) {
      Region = Loops[Best].Body;
      Entry = Loops[Best].Entry;
    } else {
      // It has been unrolled to the end: what is of it, from the first instruction to the last.
      int First = -1, Last = -1;
      for (unsigned I = 0; I != Code.size(); ++I)
        if (inSource(I)) {
          First = First < 0 ? int(I) : First;
          Last = int(I);
        }
      if (First < 0)
        return false;
      for (int I = First; I <= Last; ++I)
        Region.push_back(unsigned(I));
      if (none_of(Region, IsBarrier))
        return false;
      Entry = unsigned(First);
      Out.Unrolled = true;
    }
    for (unsigned I : Region)
      InRegion.set(I);
    Weight.assign(Code.size(), 0);
    const unsigned Depth = Best >= 0 ? Loops[Best].Depth : 0;
    for (unsigned I : Region)
      Weight[I] = 1;
    for (int N = 0; N != int(Loops.size()); ++N)
      if (N != Best &&
          (Best >= 0 ? isInside(Loops, N, Best) && Loops[N].Depth > Depth
                     : InRegion[Loops[N].Body.front()] && InRegion[Loops[N].Body.back()]))
        for (unsigned I : Loops[N].Body)
          Weight[I] = std::min(Weight[I] * TurnsOfInnerLoop, 1u << 20);
    return true;
  }
  unsigned Entry = 0;

  //===--- 2. loads --------------------------------------------------------===//

  bool isCompute(unsigned I) const {
    return role(I) == SassRole::Tensor || role(I) == SassRole::Math;
  }

  void count() {
    std::map<SassClass, unsigned> Counts;
    bool Tensor = false, Math = false;
    std::map<unsigned, unsigned> Barriers; // by the line
    for (unsigned I : Region) {
      if (Code[I].Class != SassClass::Other)
        ++Counts[Code[I].Class];
      Tensor |= role(I) == SassRole::Tensor;
      Math |= role(I) == SassRole::Math;
      if (Code[I].Class == SassClass::BAR)
        ++Barriers[Code[I].Line];
    }
    Out.Instructions = unsigned(Region.size());
    Out.Counts.assign(Counts.begin(), Counts.end());
    // A loop that has been unrolled has each barrier of the source as many times.
    if (!Barriers.empty() &&
        all_of(Barriers, [&](auto &B) { return B.second == Barriers.begin()->second; }))
      Out.Steps = Barriers.begin()->second;
    // Where tensor cores are used, other arithmetic is for addresses and conversions. Where there
    // is none at all, the tile is at least read.
    IsCompute.resize(Code.size());
    double All = 0;
    for (unsigned I : Region) {
      const SassRole R = role(I);
      if (Tensor ? R != SassRole::Tensor : Math ? R != SassRole::Math : R != SassRole::SharedLoad)
        continue;
      IsCompute.set(I);
      ++Out.Compute;
      Out.ComputeInLoops |= Weight[I] > 1;
      All += Weight[I];
    }
    StepCompute = All / std::max(1u, Out.Steps);
    double Reads = 0;
    for (unsigned I : Region)
      if (role(I) == SassRole::SharedLoad)
        Reads += Weight[I];
    if (All > 0 && (Tensor || Math))
      Out.ReadsPerCompute = Reads / All;
  }

  /// Whether what \p At loads is stored into shared memory, maybe after it has been converted; in
  /// the next turn at the latest.
  bool reachesSharedMemory(unsigned At) const {
    std::set<int> Has;
    for (unsigned R = 0; R != Code[At].DestinationCount; ++R)
      Has.insert(Code[At].Destination + int(R));
    auto Holds = [&](const SassInstruction::Operand &O) {
      for (unsigned R = 0; R != O.Count; ++R)
        if (O.Register >= 0 && Has.count(O.Register + int(R)))
          return true;
      return false;
    };
    const size_t Begin = lower_bound(Region, At) - Region.begin();
    for (size_t Step = 1; Step != 2 * Region.size() && !Has.empty(); ++Step) {
      if (Begin + Step >= Region.size() && Out.Unrolled)
        return false;
      const SassInstruction &I = Code[Region[(Begin + Step) % Region.size()]];
      if (I.Class == SassClass::STS || I.Class == SassClass::ST) {
        if (Holds({I.StoredRegister, std::max(1u, I.Width / 4)}))
          return true;
        continue;
      }
      const bool Uses = any_of(I.Sources, Holds);
      if (I.Destination < 0)
        continue;
      for (unsigned R = 0; R != I.DestinationCount; ++R) {
        if (Uses)
          Has.insert(I.Destination + int(R));
        else if (!I.Conditional)
          Has.erase(I.Destination + int(R));
      }
    }
    return false;
  }

  void findLoads() {
    IsLoad.resize(Code.size());
    for (unsigned I : Region) {
      const SassRole R = role(I);
      if (R != SassRole::AsyncCopy && R != SassRole::BulkCopy &&
          (R != SassRole::GlobalLoad || !reachesSharedMemory(I)))
        continue;
      IsLoad.set(I);
      Load L;
      L.At = I;
      L.ByMbarrier = R == SassRole::BulkCopy;
      Loads.push_back(L);
    }
    // Copies that an mbarrier waits for: of which phase is not in the code.
    if (any_of(Region, [&](unsigned I) { return Code[I].Class == SassClass::ARRIVES; }))
      for (Load &L : Loads)
        L.ByMbarrier |= Code[L.At].Class == SassClass::LDGSTS;
  }

  //===--- 3. windows ------------------------------------------------------===//

  /// What is behind the load on one way.
  struct State {
    unsigned Turn; ///< of the loop, from that of the load
    unsigned At;
    unsigned Since; ///< operations on its scoreboard, or groups that have been closed, since
    bool Older;     ///< behind a wait for groups that did not wait for it
    bool operator<(const State &O) const {
      return std::tie(Turn, At, Since, Older) < std::tie(O.Turn, O.At, O.Since, O.Older);
    }
  };

  bool waits(const Load &L, const SassInstruction &I, unsigned Since) const {
    const SassInstruction &Is = Code[L.At];
    if (L.ByMbarrier)
      return I.Class == SassClass::SYNCS && StringRef(I.Text).contains("TRYWAIT");
    if (Is.Class == SassClass::LDGSTS) {
      // It is in a group when one has been closed behind it; that group has Since - 1 younger ones.
      if (Since == 0)
        return false;
      if (I.DepbarScoreboard == GroupScoreboard)
        return I.DepbarCount < Since;
      return GroupScoreboard >= 0 && I.WaitsFor >> GroupScoreboard & 1;
    }
    if (Is.Raises < 0)
      return true; // nothing would wait for it: not to be understood, so nothing overlaps
    if (I.DepbarScoreboard == Is.Raises)
      return I.DepbarCount <= Since;
    return I.WaitsFor >> Is.Raises & 1;
  }

  bool isOlderWait(const Load &L, const SassInstruction &I) const {
    return Code[L.At].Class == SassClass::LDGSTS && I.DepbarScoreboard == GroupScoreboard &&
           GroupScoreboard >= 0;
  }

  int GroupScoreboard = -1;

  void follow(Load &L) {
    for (unsigned I : Region)
      if (Code[I].Class == SassClass::LDGDEPBAR)
        GroupScoreboard = Code[I].Raises;
    const bool Async = Code[L.At].Class == SassClass::LDGSTS;
    // All ways from the load, turn by turn, until there is an instruction that waits. A way around
    // it into the next turn is not followed: whether a value is stored hangs on the same condition
    // as whether it was loaded, which the branches do not say. It is followed behind a wait for
    // older groups: waits for fewer are those of the last tiles, on the other side of a branch.
    std::map<State, std::vector<State>> From, Onto; // the ways, back and forth
    std::vector<State> Waits;
    std::deque<State> Next, Later;
    auto Go = [&](const State &S, unsigned Since, bool Older) {
      for (unsigned To : Flow[S.At]) {
        const bool Turns = To == Entry;
        if (!InRegion[To] || (Turns && Out.Unrolled))
          continue;
        const State New = {S.Turn + (Turns ? 1 : 0), To, Since, Older};
        auto [It, Fresh] = From.try_emplace(New);
        It->second.push_back(S);
        Onto[S].push_back(New);
        if (Fresh)
          (Turns ? Later : Next).push_back(New);
      }
    };
    auto NextTurn = [&] {
      for (const State &S : std::exchange(Later, {}))
        if ((Waits.empty() || S.Older) && S.Turn <= MostOutstanding)
          Next.push_back(S);
    };
    const State Begin = {0, L.At, 0, false};
    Go(Begin, 0, false);
    if (Next.empty())
      NextTurn();
    while (!Next.empty()) {
      const State S = Next.front();
      Next.pop_front();
      const SassInstruction &I = Code[S.At];
      if (waits(L, I, S.Since)) {
        Waits.push_back(S);
      } else {
        const bool Counts = Async ? I.Class == SassClass::LDGDEPBAR
                                  : I.Raises >= 0 && I.Raises == Code[L.At].Raises;
        Go(S, Counts ? std::min(S.Since + 1, MostOutstanding) : S.Since,
           S.Older || isOlderWait(L, I));
      }
      if (Next.empty())
        NextTurn();
    }
    // The window: what lies on the ways to these; where nothing waits, all of it.
    std::set<State> Window;
    std::deque<State> Back(Waits.begin(), Waits.end());
    for (const State &S : Waits)
      Window.insert(S);
    if (Waits.empty())
      for (const auto &[S, Before] : From)
        Window.insert(S);
    for (; !Back.empty(); Back.pop_front())
      for (const State &S : From[Back.front()])
        if (Window.insert(S).second)
          Back.push_back(S);
    Window.erase(Begin);
    for (const State &S : Waits)
      Window.erase(S);
    if (!Waits.empty())
      L.EndsAt = int(llvm::min_element(Waits, [](const State &A, const State &B) {
                       return std::make_tuple(!A.Older, A.Turn, A.At) <
                              std::make_tuple(!B.Older, B.Turn, B.At);
                     })->At);
    // What of it can be reached in front of any barrier.
    std::set<State> Early;
    std::deque<State> Forward = {Begin};
    for (; !Forward.empty(); Forward.pop_front())
      for (const State &S : Onto[Forward.front()])
        if (Window.count(S) && Code[S.At].Class != SassClass::BAR && Early.insert(S).second)
          Forward.push_back(S);
    BitVector All(Code.size()), InFront(Code.size());
    for (const State &S : Window) {
      L.OlderWait |= isOlderWait(L, Code[S.At]);
      if (IsCompute[S.At])
        All.set(S.At);
    }
    for (const State &S : Early)
      if (IsCompute[S.At])
        InFront.set(S.At);
    double Compute = 0;
    for (unsigned I : All.set_bits())
      Compute += Weight[I];
    if (StepCompute > 0) {
      L.Share = Compute / StepCompute;
      L.BehindBarrier = Compute > 0 && InFront.none();
    }
  }

  //===--- 4. answer -------------------------------------------------------===//

  static std::string many(unsigned N, StringRef What) {
    return formatv("{0} {1}{2}", N, What, N == 1 ? "" : "s").str();
  }
  std::string place(unsigned I) const {
    return formatv("{0} at {1:x-4}",
                   StringRef(Code[I].Text).split(' ').first.empty() ? "instruction"
                                                                    : firstWord(Code[I].Text),
                   Code[I].Address)
        .str();
  }
  static StringRef firstWord(StringRef Text) {
    if (Text.starts_with("@"))
      Text = Text.split(' ').second.ltrim();
    return Text.split(' ').first.split('.').first;
  }

  /// What waits for \p L, and whether it needs to.
  std::string endOf(const Load &L) const {
    if (L.EndsAt < 0)
      return "the end of the loop";
    const unsigned I = unsigned(L.EndsAt);
    std::string Out = place(I) + ", which waits for it";
    const SassInstruction &Is = Code[L.At];
    const bool Uses = any_of(Code[I].Sources, [&](const SassInstruction::Operand &O) {
      return O.Register >= 0 && O.Register < Is.Destination + int(Is.DestinationCount) &&
             Is.Destination < O.Register + int(O.Count);
    });
    if ((IsCompute[I] || role(I) == SassRole::SharedLoad) && Is.Raises >= 0 && !Uses)
      Out += formatv(" without need, for other loads have the same scoreboard, {0}", int(Is.Raises))
                 .str();
    return Out;
  }

  void answer() {
    IsWait.resize(Code.size());
    Out.Loads = unsigned(Loads.size());
    for (const Load &L : Loads)
      if (L.Share < EnoughOfATile && L.EndsAt >= 0 && !Out.EndedBy) {
        Out.EndedBy = Code[unsigned(L.EndsAt)].Class;
        Out.EndedWidth = Code[L.At].Width;
      }
    for (const Load &L : Loads) {
      const bool Enough = L.Share >= EnoughOfATile;
      Out.OverlappingLoads += Enough ? 1 : 0;
      Out.BarrierBetween |= Enough && L.BehindBarrier;
      Out.WaitBetween |= Enough && L.BehindBarrier && L.OlderWait;
      if (L.EndsAt >= 0)
        IsWait.set(unsigned(L.EndsAt));
    }
    if (Loads.empty()) {
      Out.Overlap = SassOverlap::NoLoads;
      Out.Why = "no load of this loop goes to shared memory";
      return;
    }
    if (StepCompute == 0) {
      Out.Why = "there is no arithmetic and no read of shared memory in the loop";
      return;
    }
    if (any_of(Region,
               [&](unsigned I) { return Code[I].Goes == SassInstruction::Flow::Indirect; })) {
      Out.Why = "the loop has a branch whose target is computed";
      return;
    }
    if (any_of(Loads, [](const Load &L) { return L.ByMbarrier; })) {
      Out.Why = "an mbarrier waits for the copies; which of its phases is not in the code";
      return;
    }
    const std::string Shape =
        Out.Unrolled    ? "the loop has been unrolled to the end: "
        : Out.Steps > 1 ? "the loop has been unrolled " + std::to_string(Out.Steps) + " times: "
                        : "";
    if (Out.OverlappingLoads == 0) {
      Out.Overlap = SassOverlap::Serialized;
      const Load &First = Loads.front();
      Out.Why = Shape + (First.Share > 0 ? "less than half of a tile's compute" : "no compute") +
                " between a load of the next tile, " + place(First.At) + ", and " + endOf(First);
      return;
    }
    if (Out.OverlappingLoads < Out.Loads) {
      Out.Overlap = SassOverlap::Partial;
      const Load &Late = *find_if(Loads, [](const Load &L) { return L.Share < EnoughOfATile; });
      Out.Why =
          Shape + formatv("{0} of {1} of tiles {2} under way during the compute; not {3}: that "
                          "window ends with {4}",
                          Out.OverlappingLoads, many(Out.Loads, "load"),
                          Out.OverlappingLoads == 1 ? "is" : "are", place(Late.At), endOf(Late))
                      .str();
      return;
    }
    const std::string All = formatv("{0} of the next tile {1} under way during the compute",
                                    Out.Loads == 1   ? "the load"
                                    : Out.Loads == 2 ? "both loads"
                                                     : "all " + many(Out.Loads, "load"),
                                    Out.Loads == 1 ? "is" : "are")
                                .str();
    if (Out.BarrierBetween && !Out.WaitBetween) {
      Out.Overlap = SassOverlap::Partial;
      Out.Why = Shape + All +
                ", but a barrier stands between them and the compute: no warp computes before all "
                "have issued their loads";
      return;
    }
    Out.Overlap = SassOverlap::Overlapped;
    Out.Why = Shape + All;
    if (Out.BarrierBetween)
      Out.Why += "; the wait and the barrier between are for the tile before";
  }

  SassMark mark(unsigned I) const {
    if (IsLoad[I])
      return SassMark::Load;
    if (IsWait[I] && role(I) != SassRole::SharedStore)
      return SassMark::Wait;
    if (IsCompute[I])
      return SassMark::Compute;
    switch (role(I)) {
    case SassRole::Barrier:
      return SassMark::Barrier;
    case SassRole::Wait:
      return SassMark::Wait;
    case SassRole::SharedStore:
      return SassMark::Store;
    case SassRole::SharedLoad:
      return SassMark::Read;
    case SassRole::Branch:
      return SassMark::Branch;
    case SassRole::Tensor:
    case SassRole::Math:
      return SassMark::Compute;
    default:
      return IsWait[I] ? SassMark::Wait : SassMark::Other;
    }
  }

  void writeExcerpt() {
    auto Flush = [&](std::vector<SassExcerptLine> &Same) {
      // Of many alike, the first two and the last.
      if (Same.size() > 5) {
        std::map<SassClass, unsigned> Counts;
        for (const SassExcerptLine &L : ArrayRef(Same).drop_front(2).drop_back())
          ++Counts[L.Class];
        SassExcerptLine Gap;
        Gap.Class = Same[2].Class;
        Gap.Mark = Same[2].Mark;
        Gap.Skipped = unsigned(Same.size()) - 3;
        for (auto [Class, N] : Counts)
          Gap.Text +=
              (Gap.Text.empty() ? "" : ", ") + std::to_string(N) + " " + toString(Class).str();
        Same = {Same[0], Same[1], Gap, Same.back()};
      }
      Out.Excerpt.insert(Out.Excerpt.end(), Same.begin(), Same.end());
      Same.clear();
    };
    // Reads of the tile and compute are much mixed.
    auto Alike = [](const SassExcerptLine &A, const SassExcerptLine &B) {
      auto OnTile = [](SassMark M) { return M == SassMark::Read || M == SassMark::Compute; };
      return A.Mark == B.Mark ? A.Class == B.Class || OnTile(A.Mark)
                              : OnTile(A.Mark) && OnTile(B.Mark);
    };
    std::vector<SassExcerptLine> Same;
    for (unsigned I : Region) {
      const SassMark M = mark(I);
      if (IsWait[I])
        Flush(Same);
      if (M == SassMark::Other && Code[I].Class != SassClass::LDGDEPBAR &&
          role(I) != SassRole::Local && Code[I].Class != SassClass::STG)
        continue;
      SassExcerptLine L;
      L.Address = Code[I].Address;
      L.Class = Code[I].Class;
      L.Mark = M;
      L.Line = Code[I].Line;
      L.Text = Code[I].Text;
      if (!Same.empty() && !Alike(Same.back(), L))
        Flush(Same);
      Same.push_back(std::move(L));
      if (IsWait[I] && M != SassMark::Load)
        Flush(Same);
    }
    Flush(Same);
  }
};

} // namespace

std::optional<SassLoop> analyseLoop(const SassFunction &F, const SassSourceLoop &Source) {
  return Analysis(F, Source).run();
}

} // namespace cuda_pipeline
