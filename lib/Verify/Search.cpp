//===- Search.cpp - Launches that nobody has described --------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Search.h"
#include "Verify/Launch/Fill.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>
#include <set>

using namespace llvm;

namespace cuda_pipeline {

using emulator::Fault;
using emulator::IntegerProfile;
using emulator::OpenBuffer;
using emulator::RunArgument;
using emulator::RunBuffer;
using emulator::RunRequest;
using emulator::RunResult;

bool sameResult(const RunResult &A, const RunResult &B) {
  auto SameVariables = [](const RunBuffer &X, const RunBuffer &Y) { return X.Bytes == Y.Bytes; };
  if (A.Opens.size() != B.Opens.size() ||
      !std::equal(A.Variables.begin(), A.Variables.end(), B.Variables.begin(), B.Variables.end(),
                  SameVariables))
    return false;
  for (const auto &[Name, X] : A.Opens) {
    auto Y = B.Opens.find(Name);
    if (Y == B.Opens.end() || X.Writes != Y->second.Writes)
      return false;
    for (const auto &[Page, Bits] : X.Writes)
      if (X.written(Page, Y->second) != Y->second.written(Page, X))
        return false;
  }
  return true;
}

namespace {

using Extents = std::array<uint64_t, 3>;

uint64_t volume(const Extents &E) { return E[0] * E[1] * E[2]; }
std::vector<uint64_t> reversed(const std::set<uint64_t> &Of) {
  return std::vector<uint64_t>(Of.rbegin(), Of.rend());
}

/// An integer that the kernel is given.
struct Integer {
  std::string Name;
  unsigned Argument = 0;
  uint64_t Offset = 0;
  unsigned Bytes = 4;
  bool Truth = false; ///< a bool
};

/// What can be chosen.
struct Trial {
  Extents Block = {1, 1, 1}, Grid = {1, 1, 1};
  std::vector<int64_t> Values; ///< of the integers
  IntegerProfile InMemory;
  /// Pointers to one type are one and the same, each so many bytes behind the one before it.
  std::optional<uint64_t> Together;
};

/// What came of it.
struct Seen {
  bool Good = false;
  bool Bad = false; ///< shown not to be good, rather than not known
  std::optional<Fault> Failed;
  std::string Why;
  std::vector<std::optional<uint64_t>> Turns; ///< by loop; none: nobody came to it
  std::vector<uint8_t> Guards;
  uint64_t Accesses = 0, Dynamic = 0;
  bool Writes = false;
  /// Some loop loads and turns.
  bool Turned = false;
};

class Searcher {
public:
  Searcher(emulator::Program &Original, const DeviceModule &Module, const KernelSignature &Kernel,
           const SearchLimits &Limits)
      : Code(Original), Module(Module), Kernel(Kernel), Limits(Limits), Hints(Original.hints()) {
    collectIntegers();
    DynamicLimit = Limits.SharedBytes - std::min(Limits.SharedBytes, Code.staticSharedBytes());
  }

  FoundLaunches run() {
    if (base()) {
      Result.OneWarp = volume(Base.Block) <= 32 && noneOfMoreWarps();
      bounds();
      turns();
      guards();
      if (Limits.Aliases)
        aliases();
    }
    arrange();
    if (Result.Launches.empty())
      Result.Why = Best.empty() ? "no launch was found with which the original runs" : Best;
    return std::move(Result);
  }

private:
  emulator::Program &Code;
  const DeviceModule &Module;
  const KernelSignature &Kernel;
  const SearchLimits &Limits;
  const emulator::LaunchHints &Hints;
  FoundLaunches Result;
  std::string Best; ///< why the most promising of what was tried is no launch
  std::vector<Integer> Integers;
  std::map<std::string, uint8_t> OfLoads; ///< hints of the runs so far
  uint64_t DynamicLimit = 0;
  uint64_t PerRun = 0;   ///< accesses
  bool KnownNot = false; ///< the kernel uses something that the emulator does not know

  Trial Base;
  Seen AtBase;
  bool Widened = false;
  /// A number that decides how often a loop turns.
  struct Bound {
    unsigned Loop = 0;
    unsigned Variable = 0;
    int64_t Value = 0;  ///< with which it turns
    uint64_t Turns = 0; ///< so often
    bool More = false;  ///< more often with another value; else it is only known what stops it
    double Slope = 1;   ///< of the value per turn
  };
  std::vector<Bound> Bounds;
  // Seen so far.
  std::set<std::pair<unsigned, uint64_t>> TurnsSeen;
  std::vector<uint8_t> GuardsSeen;
  std::set<std::string> Cases;

  //===--- what the kernel is given ---------------------------------------===//

  void collectIntegers() {
    for (const auto &[Index, P] : enumerate(Kernel.Parameters)) {
      if (P.IsPointer || P.Layout < 0)
        continue;
      for (const TypeLayout::Leaf &L : Module.Layouts[P.Layout].Leaves) {
        using Kind = ElementType::Kind;
        const bool Truth = L.Element.Base == Kind::Bool;
        if (L.IsPointer || L.Count > 1 ||
            !(Truth || L.Element.Base == Kind::SignedInt || L.Element.Base == Kind::UnsignedInt))
          continue;
        for (unsigned Lane = 0; Lane != L.Element.Lanes; ++Lane) {
          Integer I;
          I.Name = (P.Name.empty() ? "argument " + std::to_string(Index + 1) : P.Name) + L.Name;
          if (L.Element.Lanes > 1)
            I.Name += "[" + std::to_string(Lane) + "]";
          I.Argument = static_cast<unsigned>(Index);
          I.Offset = L.Offset + Lane * L.Element.BaseBytes;
          I.Bytes = L.Element.BaseBytes;
          I.Truth = Truth;
          Integers.push_back(std::move(I));
        }
      }
    }
  }

  RunRequest request(const Trial &T) const {
    RunRequest R;
    R.Kernel = Kernel.Mangled;
    R.Grid = T.Grid;
    R.Block = T.Block;
    R.Open.emplace();
    R.Open->Integers = T.InMemory;
    R.Open->Hints = OfLoads;
    std::map<std::string, std::pair<unsigned, uint64_t>>
        OfType; ///< reservation of a type, pointers in it
    for (const auto &[Index, P] : enumerate(Kernel.Parameters)) {
      RunArgument A;
      const std::string Name = P.Name.empty() ? "argument " + std::to_string(Index + 1) : P.Name;
      if (P.IsPointer) {
        A.Is = RunArgument::Open;
        A.BufferIndex = static_cast<unsigned>(R.OpenBuffers.size());
        // What __restrict__ promises is kept.
        auto Shared = OfType.end();
        bool First = true;
        if (T.Together && !P.Restrict)
          std::tie(Shared, First) = OfType.try_emplace(P.ElementName, A.BufferIndex, 0);
        if (First) {
          R.OpenBuffers.push_back({Name, P.Layout, P.Element.bytes()});
        } else {
          A.BufferIndex = Shared->second.first;
          A.Offset = ++Shared->second.second * *T.Together;
        }
      } else if (P.Layout < 0) {
        A.Value.assign(P.Element.bytes(), 0);
      } else {
        const TypeLayout &L = Module.Layouts[P.Layout];
        A.Value.assign(L.Bytes, 0);
        for (const TypeLayout::Leaf &Leaf : L.Leaves)
          fillLeaf(Leaf, Name, A, R);
      }
      R.Arguments.push_back(std::move(A));
    }
    for (const auto &[I, Value] : zip(Integers, T.Values)) {
      std::vector<uint8_t> &To = R.Arguments[I.Argument].Value;
      if (I.Offset + I.Bytes <= To.size())
        std::memcpy(To.data() + I.Offset, &Value, std::min(I.Bytes, 8u));
    }
    return R;
  }

  /// Numbers with a fraction are near one, pointers lead to memory of their own.
  void fillLeaf(const TypeLayout::Leaf &L, const std::string &Argument, RunArgument &A,
                RunRequest &R) const {
    using Kind = ElementType::Kind;
    if (L.IsPointer) {
      A.Pointers.push_back({L.Offset, static_cast<unsigned>(R.OpenBuffers.size())});
      R.OpenBuffers.push_back(
          {Argument + L.Name, L.Pointee, L.Pointee < 0 ? 1 : Module.Layouts[L.Pointee].Bytes});
      return;
    }
    for (uint64_t I = 0; I != L.Count * L.Element.Lanes; ++I) {
      const uint64_t At = L.Offset + I * L.Element.BaseBytes;
      const double Value =
          0.75 - 0.0625 * static_cast<double>((At / L.Element.BaseBytes + R.Arguments.size()) % 8);
      const float Single = static_cast<float>(Value);
      const uint16_t Short =
          L.Element.Base == Kind::Half ? fill::halfBits(Value) : fill::bfloat16Bits(Value);
      const uint64_t Whole = 1 + I % 7;
      const void *From = &Whole;
      switch (L.Element.Base) {
      case Kind::Float:
        From = &Single;
        break;
      case Kind::Double:
        From = &Value;
        break;
      case Kind::Half:
      case Kind::BFloat16:
        From = &Short;
        break;
      default:
        break;
      }
      if (At + L.Element.BaseBytes <= A.Value.size())
        std::memcpy(A.Value.data() + At, From, std::min<size_t>(L.Element.BaseBytes, 8));
    }
  }

  //===--- trying ---------------------------------------------------------===//

  bool spent() const { return Result.Runs >= Limits.Runs || Result.Accesses >= Limits.Accesses; }

  Expected<RunResult> once(const Trial &T, bool Second) {
    RunRequest R = request(T);
    R.DynamicShared = Limits.Dynamic.value_or(Code.usesDynamicShared() ? DynamicLimit : 0);
    emulator::MachineOptions O;
    O.Order = Second ? emulator::Schedule::Backwards : emulator::Schedule::Forwards;
    O.Uninitialised = Second ? emulator::Poison::Numbers : emulator::Poison::NaNs;
    O.Seed = Second ? 77 : 1;
    O.MaxAccesses = std::min(PerRun, Limits.Accesses - std::min(Limits.Accesses, Result.Accesses));
    O.MaxTurns = 4 * O.MaxAccesses;
    ++Result.Runs;
    Expected<RunResult> Ran = Code.run(R, O);
    if (Ran)
      Result.Accesses += Ran->Stats.Accesses;
    return Ran;
  }

  /// \p Twice: and is its result the same with other values in memory that nobody has set?
  Seen attempt(const Trial &T, bool Twice) {
    Seen S;
    for (unsigned Again = 0; Again != 6; ++Again) {
      if (spent()) {
        S.Why = "the budget is spent";
        return S;
      }
      Expected<RunResult> Ran = once(T, false);
      if (!Ran) {
        S.Why = toString(Ran.takeError());
        return S;
      }
      // What loads are for shows when they are reached. Then their memory holds something else.
      bool News = false;
      for (const auto &[Name, Bits] : Ran->Hints) {
        uint8_t &Known = OfLoads[Name];
        News |= (Known | Bits) != Known;
        Known |= Bits;
      }
      if (News)
        continue;
      S.Accesses = Ran->Stats.Accesses;
      S.Failed = Ran->Failed;
      S.Guards = Ran->Guards;
      for (const auto &[Run, Loop] : zip(Ran->Loops, Code.loops())) {
        S.Turns.push_back(Run.Entered ? std::optional(Loop.turns(Run.Reached)) : std::nullopt);
        S.Turned |= Run.Turns >= 1;
      }
      if (Ran->Failed) {
        S.Why = Ran->Failed->What;
        S.Bad = Ran->Failed->K != Fault::Kind::Unsupported;
        return S;
      }
      S.Dynamic = Ran->DynamicUsed;
      for (const auto &[Name, Image] : Ran->Opens)
        S.Writes |= !Image.Writes.empty();
      for (const auto &[Before, After] : zip(Ran->VariablesBefore, Ran->Variables))
        S.Writes |= Before.Bytes != After.Bytes;
      if (!Twice) {
        S.Good = true;
        return S;
      }
      Expected<RunResult> Other = once(T, true);
      if (!Other) {
        S.Why = toString(Other.takeError());
        return S;
      }
      if (Other->Failed) {
        S.Failed = Other->Failed;
        S.Why = Other->Failed->What;
        S.Bad = Other->Failed->K != Fault::Kind::Unsupported;
        return S;
      }
      S.Good = sameResult(*Ran, *Other);
      S.Bad = !S.Good;
      if (!S.Good)
        S.Why = "its result depends on the order of its threads, or on memory that nobody has set";
      return S;
    }
    return S;
  }

  std::string text(const Trial &T) const {
    std::string Text;
    for (const auto &[I, Value] : zip(Integers, T.Values))
      Text += formatv("{0}={1} ", I.Name, Value);
    auto Size = [](const Extents &E) {
      std::string S = std::to_string(E[0]);
      if (E[1] > 1 || E[2] > 1)
        S += "x" + std::to_string(E[1]);
      if (E[2] > 1)
        S += "x" + std::to_string(E[2]);
      return S;
    };
    Text += formatv("grid={0} block={1}", Size(T.Grid), Size(T.Block));
    const bool Bounded =
        any_of(OfLoads, [](const auto &H) { return H.second & emulator::ToBound; });
    if (Bounded)
      Text += formatv(" lengths<={0}", T.InMemory.Step);
    if (T.InMemory.Low < 0)
      Text += " negative";
    if (T.Together)
      Text += formatv(" aliases+{0}", *T.Together);
    return Text;
  }

  /// Keeps a launch if it shows something that was not seen before.
  bool keep(const Trial &T, const Seen &S) {
    bool News = Result.Launches.empty();
    for (const auto &[L, Turns] : enumerate(S.Turns))
      if (Turns)
        News |= TurnsSeen.insert({static_cast<unsigned>(L), *Turns}).second;
    GuardsSeen.resize(std::max(GuardsSeen.size(), S.Guards.size()), 0);
    for (const auto &[Known, Now] : zip(GuardsSeen, S.Guards)) {
      News |= Now && !Known;
      Known |= Now;
    }
    News |= volume(T.Grid) > 1 && none_of(Result.Launches, [](const FoundLaunch &F) {
              return volume(F.Launch.Grid) > 1;
            });
    News |= T.Together.has_value();
    if (!News || !Cases.insert(text(T)).second)
      return false;
    FoundLaunch F;
    F.Launch.Kernel = Kernel.Name;
    F.Launch.Case = text(T);
    F.Launch.Grid = T.Grid;
    F.Launch.Block = T.Block;
    F.Launch.SharedBytes = Limits.Dynamic.value_or(alignTo(S.Dynamic, 16));
    F.Request = request(T);
    F.Accesses = S.Accesses;
    for (const std::optional<uint64_t> &Turns : S.Turns)
      F.Turns = std::max(F.Turns, Turns.value_or(0));
    Result.Launches.push_back(std::move(F));
    return true;
  }

  bool tryAndKeep(const Trial &T) {
    const Seen S = attempt(T, /*Twice=*/false);
    return S.Good && keep(T, S);
  }

  /// What the new version is run with first, and what takes long and shows little is left out.
  void arrange() {
    std::vector<FoundLaunch> &All = Result.Launches;
    constexpr uint64_t Turning = 3, Much = 4000000;
    auto Cost = [](const FoundLaunch &F) { return std::pair(F.Turns < Turning, F.Accesses); };
    if (auto First = min_element(
            All, [&](const FoundLaunch &A, const FoundLaunch &B) { return Cost(A) < Cost(B); });
        First != All.end())
      std::rotate(All.begin(), First, std::next(First));
    if (All.size() <= 4)
      return;
    // Those of several blocks show what no other does.
    std::stable_sort(std::next(All.begin()), All.end(),
                     [](const FoundLaunch &A, const FoundLaunch &B) {
                       return std::pair(volume(A.Launch.Grid) == 1, A.Accesses) <
                              std::pair(volume(B.Launch.Grid) == 1, B.Accesses);
                     });
    uint64_t Sum = 0;
    size_t Kept = 0;
    while (Kept != All.size() && (Kept < 4 || Sum + All[Kept].Accesses <= Much))
      Sum += All[Kept++].Accesses;
    All.resize(Kept);
  }

  //===--- 1. base --------------------------------------------------------===//

  std::vector<Extents> blocks() const {
    std::vector<Extents> All;
    auto Add = [&](uint64_t X, uint64_t Y = 1, uint64_t Z = 1) {
      const Extents E = {X, Y, Z};
      if (volume(E) == 0 || volume(E) > std::min(1024u, Kernel.MaxThreads.value_or(1024)) ||
          is_contained(All, E) || is_contained(Limits.NotBlocks, E))
        return;
      All.push_back(E);
    };
    if (Limits.Block) {
      Add((*Limits.Block)[0], (*Limits.Block)[1], (*Limits.Block)[2]);
      return All;
    }
    for (const KernelLaunch &L : Module.Launches)
      if (L.Mangled == Kernel.Mangled && L.Block)
        Add((*L.Block)[0], (*L.Block)[1], (*L.Block)[2]);
    const bool Two = Hints.Threads[1] || Hints.BlockDim[1],
               Three = Hints.Threads[2] || Hints.BlockDim[2];
    const uint64_t Most = std::min(1024u, Kernel.MaxThreads.value_or(1024));
    // Numbers of threads in all, the likeliest first.
    std::vector<uint64_t> Threads;
    auto May = [&](std::vector<uint64_t> &Of, uint64_t N) {
      if (N > 1 && N <= Most && !is_contained(Of, N))
        Of.push_back(N);
    };
    if (Kernel.MaxThreads)
      May(Threads, Most);
    for (uint64_t N : reverse(Hints.Steps))
      May(Threads, N);
    // Extents: what the numbers are multiplied by, compared with and divided by, and those of the
    // arrays.
    std::array<std::vector<uint64_t>, 3> In;
    for (uint64_t N : reverse(Hints.ThreadFactors[1]))
      May(In[0], N);
    for (uint64_t N : reverse(Hints.ThreadFactors[2]))
      May(In[1], N);
    for (unsigned D = 0; D != 3; ++D)
      for (uint64_t N : reverse(Hints.PerBlock[D])) // a thread for each element
        May(In[D], N);
    for (unsigned D = 0; D != 3; ++D)
      for (uint64_t N : reverse(Hints.ThreadLimits[D]))
        May(In[D], N);
    for (const std::vector<uint64_t> &E : Hints.SharedExtents) {
      uint64_t All = 1;
      for (uint64_t N : E)
        All *= N;
      for (unsigned D = 0; D != 3 && D < E.size(); ++D)
        for (uint64_t N :
             {E[E.size() - 1 - D] / 2 * 2, E[E.size() - 1 - D]}) // one column more is padding
          May(In[D], N);
      for (unsigned D = 0; D != 3; ++D)
        for (uint64_t N : E)
          May(In[D], N);
      for (uint64_t Part = 1; Part <= 16; ++Part)
        if (All % Part == 0)
          May(Threads, All / Part);
    }
    for (std::vector<uint64_t> &Of : In)
      if (Of.size() > 10)
        Of.resize(10);
    if (!Two && !Three) {
      for (uint64_t N : In[0])
        May(Threads, N);
      // What loops over a thread's elements go on by is most likely it; then at least two warps
      // before less.
      for (uint64_t N : reverse(Hints.Steps))
        Add(N);
      for (bool Small : {false, true}) {
        for (uint64_t N : Threads)
          if ((N < 64) == Small)
            Add(N);
        if (!Small)
          for (uint64_t N : {256, 128, 64, 512, 1024})
            Add(N);
      }
      Add(32), Add(1);
      return All;
    }
    static constexpr uint64_t One[] = {1};
    // What is left of a likely number of threads.
    for (uint64_t N : ArrayRef<uint64_t>(Threads).take_front(8))
      for (uint64_t X : ArrayRef<uint64_t>(In[0]).take_front(6)) {
        if (N % X == 0)
          May(In[1], N / X);
        for (uint64_t Y : Three ? ArrayRef<uint64_t>(In[1]).take_front(6) : ArrayRef<uint64_t>())
          if (N % (X * Y) == 0)
            May(In[2], N / (X * Y));
      }
    for (unsigned D = 0; D != 3; ++D) {
      for (uint64_t N : {16, 32, 8, 4, 2, 64, 128})
        May(In[D], N);
      In[D].push_back(1);
    }
    for (uint64_t N : {256, 128, 64, 512, 1024})
      May(Threads, N);
    // What y is multiplied by is how many threads there are in x, and the same of z: `(z * 3 + y) *
    // 5 + x`, `z * 15 + y * 5 + x`.
    std::vector<Extents> Pinned;
    for (uint64_t X : Two ? reversed(Hints.ThreadFactors[1]) : std::vector<uint64_t>())
      for (uint64_t Y :
           Three && !Hints.ThreadFactors[2].empty() ? reversed(Hints.ThreadFactors[2]) : In[1])
        for (uint64_t Z : Three ? ArrayRef<uint64_t>(In[2]) : ArrayRef<uint64_t>(One)) {
          if (X * Y * Z <= Most)
            Pinned.push_back({X, Y, Z});
          if (Y % X == 0 && Y != X && Y * Z <= Most)
            Pinned.push_back({X, Y / X, Z});
        }
    auto Rank = [&](const Extents &E) {
      return Hints.Steps.count(volume(E)) ? 0 : volume(E) >= 64 ? 1 : 2;
    };
    stable_sort(Pinned, [&](const Extents &A, const Extents &B) { return Rank(A) < Rank(B); });
    for (const Extents &E : ArrayRef<Extents>(Pinned).take_front(200))
      Add(E[0], E[1], E[2]);
    // Or only x is used for more than a number that nobody needs.
    for (uint64_t N :
         ArrayRef<uint64_t>(Threads).take_front(Hints.Threads[1] || Hints.Threads[2] ? 6 : 16))
      Add(N);
    // First those with as many threads as loops over a thread's elements go on by; then of at least
    // two warps those whose number is likely and those whose is not; then smaller ones.
    for (unsigned Round = 0; Round != 5; ++Round)
      for (uint64_t X : In[0])
        for (uint64_t Y : Two ? ArrayRef<uint64_t>(In[1]) : ArrayRef<uint64_t>(One))
          for (uint64_t Z : Three ? ArrayRef<uint64_t>(In[2]) : ArrayRef<uint64_t>(One)) {
            const uint64_t N = X * Y * Z;
            const bool Likely = is_contained(ArrayRef<uint64_t>(Threads).take_front(8), N);
            const unsigned Of = Hints.Steps.count(N) || N == Kernel.MaxThreads.value_or(0) ? 0
                                : N >= 64 ? (Likely ? 1 : 2)
                                : Likely  ? 3
                                          : 4;
            if (Of == Round)
              Add(X, Y, Z);
          }
    return All;
  }

  /// By how much blocks are apart, or a tile is large: sizes are multiples of it.
  uint64_t tile(const Extents &Block) const {
    uint64_t T = 16;
    for (unsigned D = 0; D != 3; ++D) {
      for (uint64_t N : Hints.PerBlock[D])
        if (N <= 512)
          T = std::max(T, N);
      if (Hints.BlockDim[D])
        T = std::max(T, Block[D]);
    }
    for (const std::vector<uint64_t> &E : Hints.SharedExtents)
      if (uint64_t N = E.back(); N <= 256)
        T = std::max(T, E.size() > 1 && N % 2 ? N - 1 : N);
    return PowerOf2Ceil(T);
  }

  /// The largest extent of a shared array, of those that a number of elements can be.
  uint64_t widest() const {
    uint64_t Most = 0;
    for (const std::vector<uint64_t> &E : Hints.SharedExtents)
      for (uint64_t N : E)
        Most = std::max(Most, N <= 2048 ? N : 0);
    return Most;
  }

  Trial start(const Extents &Block, int64_t V, unsigned Data) const {
    Trial C;
    C.Block = Block;
    for (const Integer &I : Integers)
      C.Values.push_back(I.Truth ? 1 : I.Bytes == 1 ? std::min<int64_t>(V, 1) : V);
    // Small numbers in memory; very small ones; all integers, whatever they seem to be for.
    C.InMemory.High = Data == 1 ? 2 : 16;
    C.InMemory.Step = Data == 1 ? 3 : static_cast<int64_t>(tile(Block)) * 2;
    C.InMemory.All = Data == 2;
    return C;
  }

  /// Good, and its loops turn.
  bool shows(const Seen &S) const {
    return S.Good && S.Writes && (S.Turned || Code.loops().empty());
  }

  /// One look at each block before a second one at any: most are no good whatever the numbers are.
  enum class Round { Glance, Divisible, Short, Ones, Long };

  /// With one block; true: that is it.
  bool base(const Extents &Block, Round R, unsigned Data, std::optional<Trial> &Fallback,
            Seen &BestSeen) {
    const int64_t T = static_cast<int64_t>(tile(Block));
    // A loop that goes on until a number is met exactly meets one with many divisors.
    constexpr int64_t Divisible = 480;
    SmallVector<int64_t> Sizes = {2 * T, 3, 8 * T, T, Divisible};
    for (uint64_t N : reverse(Hints.Numbers))
      if (const int64_t Some = static_cast<int64_t>(3 * N); N >= 8 && N <= 512 &&
                                                            (2 * T) % static_cast<int64_t>(N) &&
                                                            Divisible % N && Sizes.size() < 8)
        Sizes.push_back(Some);
    if (R == Round::Ones || Integers.empty())
      Sizes = {1};
    const bool Glance = R == Round::Glance || R == Round::Divisible;
    if (R == Round::Glance)
      Sizes = {2 * T, T / 2,
               std::max<int64_t>(T / 16, 5)}; // the next one where the one before it takes too long
    else if (Glance)
      Sizes = {Divisible};
    bool TooLong = true;
    for (int64_t V : Sizes) {
      if (spent() || KnownNot || (Glance && !TooLong))
        return false;
      const Trial C = start(Block, V, Data);
      const Seen S = attempt(C, /*Twice=*/true);
      if (shows(S)) {
        accept(C, S);
        return true;
      }
      if (S.Good && !Fallback) {
        Fallback = C;
        BestSeen = S;
      }
      TooLong = S.Failed && S.Failed->K == Fault::Kind::Unsupported &&
                StringRef(S.Why).contains("takes too long");
      // A loop from one of the numbers to another one; or one of them counts what takes long.
      for (unsigned I = 0; !Glance && (S.Good || TooLong) && I != Integers.size() && !spent();
           ++I) {
        Trial From = C;
        set(From, I, TooLong ? 3 : 0);
        const Seen Now = attempt(From, /*Twice=*/true);
        if (!shows(Now))
          continue;
        accept(From, Now);
        return true;
      }
      const bool Unknown = S.Failed && S.Failed->K == Fault::Kind::Unsupported;
      if (!S.Good && (Best.empty() || Unknown))
        Best = TooLong ? "the original takes too long for a search in every launch that was tried"
               : Unknown
                   ? "the emulator does not know all that the kernel uses: " + S.Why
                   : "the original is no good in any launch that was tried; in the first one: " +
                         S.Why;
      KnownNot |= Unknown && !StringRef(S.Why).contains("the run ");
    }
    return false;
  }

  bool base() {
    Seen BestSeen;
    std::optional<Trial> Fallback;
    const std::vector<Extents> Shapes = blocks();
    // Short runs before long ones. Where sizes are 1 many a block is good that is none of this
    // kernel's.
    constexpr uint64_t Least = 100000;
    struct Step {
      Round R;
      size_t Shapes;
      uint64_t PerThread; ///< accesses in one run; where there are few shapes they get more
      unsigned Part;      ///< of all accesses, in hundredths
    };
    for (const Step &S : {Step{Round::Glance, 400, 2500, 40}, Step{Round::Divisible, 24, 1000, 60},
                          Step{Round::Short, 24, 2500, 75}, Step{Round::Ones, 8, 1000, 80},
                          Step{Round::Long, 8, 1000000, 100}}) {
      const size_t Count = std::min(S.Shapes, Shapes.size());
      const uint64_t Share = Limits.Accesses / (8 * std::max<uint64_t>(Count, 1));
      // Without numbers to choose each round tries the same; what is long cannot be made shorter.
      if (Integers.empty() && S.R != Round::Glance && S.R != Round::Long)
        continue;
      for (unsigned Data = 0; Data != 3; ++Data) {
        for (const Extents &Block : ArrayRef<Extents>(Shapes).take_front(Count)) {
          if (Result.Accesses >= Limits.Accesses / 100 * S.Part)
            break;
          const uint64_t Most =
              Integers.empty() ? Limits.Accesses / 2 - Limits.Accesses / 16 : Limits.AccessesPerRun;
          PerRun = std::min(
              Most, std::max({std::min(S.PerThread * volume(Block),
                                       S.R == Round::Long ? Most : Limits.AccessesPerRun / 4),
                              Least, Share}));
          if (base(Block, S.R, Data, Fallback, BestSeen))
            return true;
        }
        // Other numbers in memory make a difference only where some are used so.
        if (none_of(OfLoads, [](const auto &H) { return H.second != 0; }) || KnownNot)
          break;
      }
    }
    PerRun = Limits.AccessesPerRun;
    if (!Fallback)
      return false;
    accept(*Fallback, BestSeen);
    return true;
  }

  void accept(Trial T, Seen S) {
    PerRun = Limits.AccessesPerRun;
    // Whatever makes it long without being needed is made small.
    for (unsigned V = 0; S.Accesses > 200000 && V != Integers.size() && !spent(); ++V) {
      Trial Less = T;
      set(Less, V, 3);
      if (Integers[V].Truth || get(T, V) <= 3)
        continue;
      const Seen Now = attempt(Less, /*Twice=*/true);
      if (shows(Now) && Now.Accesses < S.Accesses / 2) {
        T = Less;
        S = Now;
      }
    }
    Base = T;
    AtBase = S;
    keep(T, S);
  }

  /// The block has one warp, and in larger ones of its kind the original is no good.
  bool noneOfMoreWarps() {
    const uint64_t Times = PowerOf2Ceil(32 / volume(Base.Block) + 1);
    std::vector<Extents> Larger = {{64, 1, 1}};
    for (unsigned D = 0; D != 3; ++D) {
      Larger.push_back(Base.Block);
      Larger.back()[D] *= Times;
    }
    for (const Extents &Block : Larger) {
      if (volume(Block) > std::min(1024u, Kernel.MaxThreads.value_or(1024)))
        continue;
      Trial C = Base;
      C.Block = Block;
      if (!attempt(C, /*Twice=*/true).Bad)
        return false;
    }
    return true;
  }

  //===--- 2. bounds ------------------------------------------------------===//

  // Variables: the integers, then the grid's extents, then how long what is bounded by memory may
  // be.
  unsigned variables() const { return static_cast<unsigned>(Integers.size()) + 4; }
  bool exists(unsigned V) const {
    if (V < Integers.size())
      return true;
    const unsigned D = V - static_cast<unsigned>(Integers.size());
    if (D < 3)
      return Hints.Blocks[D];
    return any_of(OfLoads, [](const auto &H) { return H.second & emulator::ToBound; });
  }
  int64_t get(const Trial &T, unsigned V) const {
    if (V < Integers.size())
      return T.Values[V];
    const unsigned D = V - static_cast<unsigned>(Integers.size());
    return D < 3 ? static_cast<int64_t>(T.Grid[D]) : T.InMemory.Step;
  }
  void set(Trial &T, unsigned V, int64_t Value) const {
    if (V < Integers.size()) {
      T.Values[V] = Integers[V].Truth ? Value & 1 : Value;
      return;
    }
    const unsigned D = V - static_cast<unsigned>(Integers.size());
    if (D < 3)
      T.Grid[D] = static_cast<uint64_t>(std::clamp<int64_t>(Value, 1, 16));
    else
      T.InMemory.Step = std::clamp<int64_t>(Value, 0, 4096);
  }

  void bounds() {
    for (unsigned V = 0; V != variables() && !spent(); ++V) {
      if (!exists(V))
        continue;
      const int64_t Was = get(Base, V);
      const bool Truth = V < Integers.size() && Integers[V].Truth;
      const int64_t T = V < Integers.size() ? static_cast<int64_t>(tile(Base.Block)) : 0;
      SmallVector<int64_t> Others = {5 * Was + 8 * T, 2 * Was, Was + T, Was / 2, 0};
      // Tiles may be larger than all that it was taken for.
      const int64_t Wide = V < Integers.size() ? static_cast<int64_t>(4 * widest()) : 0;
      if (Wide > Others.front())
        Others.insert(std::next(Others.begin()), Wide);
      if (Truth)
        Others = {1 - Was};
      std::set<int64_t> Tried = {Was};
      for (int64_t Other : Others) {
        if (!Tried.insert(Other).second || spent())
          continue;
        Trial C = Base;
        set(C, V, Other);
        Seen S = attempt(C, /*Twice=*/false);
        if (!S.Good && widen(V, Other))
          return bounds(); // of the new base
        if (!S.Good)
          continue;
        keepIfNew(C, S);
        bool Decides = false;
        for (unsigned L = 0; L != S.Turns.size(); ++L) {
          if (!S.Turns[L] || !AtBase.Turns[L] || *S.Turns[L] == *AtBase.Turns[L])
            continue;
          // What makes it turn more often says more than what stops it.
          const bool More = *S.Turns[L] > *AtBase.Turns[L];
          Decides |= More;
          auto Known = find_if(Bounds, [&](const Bound &B) { return B.Loop == L; });
          if (Known != Bounds.end() && (Known->More || !More))
            continue;
          if (Known != Bounds.end())
            Bounds.erase(Known);
          Bound B;
          B.More = More;
          B.Loop = L;
          B.Variable = V;
          B.Value = Was;
          B.Turns = *AtBase.Turns[L];
          B.Slope = static_cast<double>(Other - Was) /
                    (static_cast<double>(*S.Turns[L]) - static_cast<double>(*AtBase.Turns[L]));
          Bounds.push_back(B);
        }
        if (Decides) {
          shorten();
          break;
        }
        // It is no bound if four times as much changes nothing.
        if (Other >= std::max(4 * Was + T, Wide))
          break;
      }
    }
  }

  /// More blocks than what they write has room for race with each other: then larger numbers may be
  /// a better base. True: they are the base from here on, and it is good.
  bool widen(unsigned V, int64_t Other) {
    if (V < Integers.size() || V >= Integers.size() + 3 || Other <= get(Base, V) || Widened)
      return false;
    Trial Wide = Base;
    for (unsigned I = 0; I != Integers.size(); ++I)
      if (!Integers[I].Truth && Integers[I].Bytes > 1)
        set(Wide, I, 8 * std::max<int64_t>(get(Base, I), 16));
    Trial More = Wide;
    set(More, V, Other);
    const Seen Then = attempt(More, /*Twice=*/false);
    const Seen S = Then.Good ? attempt(Wide, /*Twice=*/true) : Seen();
    // It is worth it where the number of blocks decides how often a loop turns.
    if (!shows(S) ||
        std::equal(S.Turns.begin(), S.Turns.end(), Then.Turns.begin(), Then.Turns.end()))
      return false;
    Widened = true;
    Base = Wide;
    AtBase = S;
    Bounds.clear(); // they were about the other one
    keep(Base, S);
    return true;
  }

  /// What is tried from here on need not turn more often than it takes to see something.
  void shorten() {
    if (AtBase.Accesses < 100000)
      return;
    const Trial C = withTurns(3);
    const Seen S = attempt(C, /*Twice=*/false);
    if (!shows(S) || S.Accesses >= AtBase.Accesses)
      return;
    keep(C, S);
    Base = C;
    AtBase = S;
    for (Bound &B : Bounds)
      if (S.Turns[B.Loop]) {
        B.Value = get(Base, B.Variable);
        B.Turns = *S.Turns[B.Loop];
      }
  }

  /// Of trials that are no aim in themselves: those that make a condition go another way.
  void keepIfNew(const Trial &T, const Seen &S) {
    bool News = false;
    for (size_t I = 0; I != S.Guards.size(); ++I)
      News |= S.Guards[I] && (I >= GuardsSeen.size() || !GuardsSeen[I]);
    if (News)
      keep(T, S);
  }

  //===--- 3. turns -------------------------------------------------------===//

  Trial withTurns(double Turns) const {
    Trial C = Base;
    std::set<unsigned> Done;
    for (const Bound &B : Bounds)
      if (Done.insert(B.Variable).second)
        set(C, B.Variable,
            std::max<int64_t>(0, B.Value + static_cast<int64_t>(
                                               (Turns - static_cast<double>(B.Turns)) * B.Slope)));
    return C;
  }

  void turns() {
    if (Bounds.empty())
      return;
    for (double Turns : {3.0, 0.0, 1.0, 2.0, 4.0, 5.0, 2.5, 7.0}) {
      Trial C = withTurns(Turns);
      tryAndKeep(C);
    }
  }

  //===--- 4. guards ------------------------------------------------------===//

  bool guardsLeft() const {
    for (size_t G = 0; 2 * G + 1 < GuardsSeen.size(); ++G)
      if (GuardsSeen[2 * G] != GuardsSeen[2 * G + 1])
        return true;
    return false;
  }

  void guards() {
    const Trial Middle = Bounds.empty() ? Base : withTurns(3);
    Trial Several = Middle;
    for (unsigned D = 0; D != 3; ++D)
      if (Hints.Blocks[D])
        Several.Grid[D] = std::max<uint64_t>(Several.Grid[D], 2);
    const int64_t T = static_cast<int64_t>(tile(Base.Block));
    auto IsBound = [&](unsigned V) {
      return any_of(Bounds, [&](const Bound &B) { return B.Variable == V; });
    };
    // Between two tiles, all sizes at once; then exact ones.
    Trial Edge = Several;
    for (unsigned V = 0; V != Integers.size(); ++V)
      if (!IsBound(V) && !Integers[V].Truth && Integers[V].Bytes > 1)
        set(Edge, V, T + T / 2 + 1);
    bool Kept = tryAndKeep(Edge);
    Kept |= tryAndKeep(Several);
    if (!Kept)
      for (unsigned D = 0; D != 3; ++D) {
        Trial One = Middle;
        One.Grid[D] = Several.Grid[D];
        if (One.Grid != Middle.Grid && tryAndKeep(One))
          break;
      }
    // Numbers in memory of which some are negative.
    if (any_of(OfLoads, [](const auto &H) { return H.second & emulator::ToAddress; }) &&
        guardsLeft() && !spent()) {
      Trial C = Middle;
      C.InMemory.Low = -2;
      const Seen S = attempt(C, /*Twice=*/false);
      if (S.Good)
        keepIfNew(C, S);
    }
    for (unsigned V = 0; V != Integers.size() && guardsLeft() && !spent(); ++V) {
      const int64_t Was = get(Middle, V);
      unsigned InVain = 0;
      for (int64_t Other :
           {T / 2 + 1, int64_t(0), int64_t(Was + 1), int64_t(1), 2 * Was, int64_t(-1)}) {
        if (Other == Was || !guardsLeft() || spent() || (Integers[V].Truth && Other != 1 - Was))
          continue;
        Trial C = Middle;
        set(C, V, Other);
        const Seen S = attempt(C, /*Twice=*/false);
        const size_t Before = Result.Launches.size();
        if (S.Good)
          keepIfNew(C, S);
        // Most numbers have nothing to do with any condition that is left.
        InVain += Result.Launches.size() == Before;
        if (InVain == 2)
          break;
      }
    }
  }

  //===--- 5. aliases -----------------------------------------------------===//

  void aliases() {
    std::map<std::string, std::pair<unsigned, bool>>
        OfType; ///< pointers, and whether something is written through one
    for (const KernelParameter &P : Kernel.Parameters)
      if (P.IsPointer && !P.Restrict) {
        auto &[Count, Written] = OfType[P.ElementName];
        ++Count;
        Written |= !P.PointeeConst;
      }
    uint64_t Bytes = 0;
    for (const KernelParameter &P : Kernel.Parameters)
      if (auto Found = OfType.find(P.ElementName);
          P.IsPointer && Found != OfType.end() && Found->second.first > 1 && Found->second.second)
        Bytes = std::max(Bytes, P.Element.bytes());
    if (!Bytes)
      return;
    for (uint64_t Apart : {uint64_t(0), Bytes * tile(Base.Block)}) {
      Trial C = Bounds.empty() ? Base : withTurns(3);
      C.Together = Apart;
      const Seen S = attempt(C, /*Twice=*/true);
      if (S.Good)
        keep(C, S);
    }
  }
};

} // namespace

FoundLaunches searchLaunches(emulator::Program &Original, const DeviceModule &Module,
                             const KernelSignature &Kernel, const SearchLimits &Limits) {
  return Searcher(Original, Module, Kernel, Limits).run();
}

} // namespace cuda_pipeline
