//===- Emulate.cpp - Old against new on the emulated GPU -----------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../Support/Isolate.h"
#include "Compare.h"
#include "Emulator/Program.h"
#include "Search.h"
#include "cuda-pipeline/GpuTarget.h"
#include "cuda-pipeline/Verify.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>
#include <set>

using namespace llvm;

namespace cuda_pipeline {
namespace {

using emulator::Landing;
using emulator::MachineOptions;
using emulator::Program;
using emulator::RunArgument;
using emulator::RunBuffer;
using emulator::RunRequest;
using emulator::RunResult;
using emulator::Schedule;

/// What the original reads in one launch on the same data.
struct ReadSets {
  std::vector<emulator::ByteSet> Buffers;
  std::map<std::string, emulator::ByteSet> Variables; ///< by mangled name
  std::map<std::string, emulator::OpenSet>
      Opens; ///< of memory without a size, by name of the region

  /// True if there was something new in it.
  static bool join(emulator::ByteSet &Into, const emulator::ByteSet &From) {
    bool New = false;
    if (Into.size() < From.size())
      Into.resize(From.size(), 0);
    for (size_t I = 0; I != From.size(); ++I) {
      New |= (From[I] & ~Into[I]) != 0;
      Into[I] |= From[I];
    }
    return New;
  }
  bool add(const RunResult &Run) {
    bool New = false;
    Buffers.resize(std::max(Buffers.size(), Run.ReadOfBuffers.size()));
    for (size_t I = 0; I != Run.ReadOfBuffers.size(); ++I)
      New |= join(Buffers[I], Run.ReadOfBuffers[I]);
    for (const auto &[Name, Set] : Run.ReadOfVariables)
      New |= join(Variables[Name], Set);
    for (const auto &[Name, Image] : Run.Opens)
      for (const auto &[Page, Bits] : Image.Reads) {
        emulator::PageBits &Into = Opens[Name].try_emplace(Page).first->second;
        for (size_t I = 0; I != Bits.size(); ++I) {
          New |= (Bits[I] & ~Into[I]) != 0;
          Into[I] |= Bits[I];
        }
      }
    return New;
  }
};

struct Manner {
  Schedule Order;
  Landing Copies;
};

/// The first four differ in everything; the rest are the other pairs.
constexpr Manner Manners[] = {
    {Schedule::Forwards, Landing::Late},    {Schedule::Backwards, Landing::Early},
    {Schedule::Shuffled, Landing::Random},  {Schedule::WarpAhead, Landing::Late},
    {Schedule::Backwards, Landing::Late},   {Schedule::Forwards, Landing::Early},
    {Schedule::WarpAhead, Landing::Random}, {Schedule::Shuffled, Landing::Late},
};

const char *name(Schedule S) {
  switch (S) {
  case Schedule::Forwards:
    return "forwards";
  case Schedule::Backwards:
    return "backwards";
  case Schedule::Shuffled:
    return "shuffled";
  case Schedule::WarpAhead:
    return "warp ahead";
  }
  llvm_unreachable("unknown schedule");
}

const char *name(Landing L) {
  switch (L) {
  case Landing::Late:
    return "late";
  case Landing::Early:
    return "early";
  case Landing::Random:
    return "random";
  }
  llvm_unreachable("unknown landing");
}

/// The static shared memory of one version of a kernel: what nvcc makes of it is looked at when
/// that matters.
class SharedArrays {
public:
  SharedArrays(const DeviceModule &Module, const KernelSignature &Kernel, const Program &Code)
      : Module(Module), Kernel(Kernel), All(Code.staticSharedBytes()) {}
  uint64_t declared() const { return All; }
  /// At least so much is left of it.
  uint64_t kept() {
    uint64_t Sum = 0;
    for (const auto &[Name, Bytes] : look().Kept)
      Sum += Bytes;
    return Sum;
  }
  /// What nvcc leaves out here it leaves out in the other version as well, and that has no less
  /// than this one.
  bool certainAs(SharedArrays &Other) {
    const emulator::StaticShared &Mine = look(), &Others = Other.look();
    return !Unknown && !Other.Unknown && kept() <= Other.kept() &&
           all_of(Mine.Declared, [&](const auto &Array) {
             auto Found = Others.Declared.find(Array.first);
             return Mine.Kept.count(Array.first) ||
                    (Found != Others.Declared.end() && Found->second >= Array.second &&
                     !Others.Kept.count(Array.first));
           });
  }

private:
  const emulator::StaticShared &look() {
    if (!Looked) {
      Expected<emulator::StaticShared> Found = emulator::staticShared(Module, Kernel.Mangled);
      Unknown = !Found;
      if (Unknown)
        consumeError(Found.takeError());
      Looked = Found ? std::move(*Found) : emulator::StaticShared();
    }
    return *Looked;
  }
  const DeviceModule &Module;
  const KernelSignature &Kernel;
  uint64_t All;
  std::optional<emulator::StaticShared> Looked;
  bool Unknown = false;
};

/// One version of the kernel under one launch.
class Version {
public:
  Version(Program &Code, SharedArrays &Arrays, const KernelSignature &Kernel,
          const ConcreteLaunch &Launch, const VerifyOptions &Options, bool New,
          const RunRequest *Found = nullptr)
      : Code(Code), Arrays(Arrays), Kernel(Kernel), Launch(Launch), Options(Options), New(New),
        Found(Found) {}
  /// The same in another copy of the program.
  Version in(Program &Other) const {
    return Version(Other, Arrays, Kernel, Launch, Options, New, Found);
  }

  struct Outcome {
    VerifyRun How;
    RunRequest Before;
    RunResult After;
    const Program *Code;
  };

  /// \p Number counts the runs of a case: it is the seed of all that may not matter.
  Expected<Outcome> run(uint64_t Seed, Manner M, unsigned Number, uint64_t DynamicShared,
                        const ReadSets *MayRead = nullptr) {
    Outcome O;
    O.Code = &Code;
    O.How.New = New;
    O.How.Schedule = name(M.Order);
    O.How.Landing = name(M.Copies);
    O.How.Seed = Seed;
    O.How.Poison = Number;
    if (Found) {
      O.Before = *Found;
      O.Before.Kernel = Kernel.Mangled;
      O.Before.Open->Seed = Seed;
    } else if (Error E = request(Seed, Number, O.Before)) {
      return E;
    }
    O.Before.DynamicShared = DynamicShared;
    if (MayRead) {
      O.Before.MayReadBuffers = MayRead->Buffers;
      O.Before.MayReadVariables = MayRead->Variables;
      if (Found)
        O.Before.MayReadOpen = MayRead->Opens;
    }
    MachineOptions Machine;
    Machine.Order = M.Order;
    Machine.Copies = M.Copies;
    // The two runs of the original differ in this, too.
    Machine.Uninitialised = Number % 2 == 0 ? emulator::Poison::NaNs : emulator::Poison::Numbers;
    Machine.Seed = Seed * 1000 + Number;
    Machine.MaxAccesses = Options.MaxAccesses;
    Expected<RunResult> Result = Code.run(O.Before, Machine);
    if (!Result)
      return Result.takeError();
    O.After = std::move(*Result);
    return O;
  }

  /// Enough for a kernel that asks what it is given; at most what a block can have.
  uint64_t moreShared() const {
    const uint64_t Static = Arrays.declared() > StaticLimit ? Arrays.kept() : Arrays.declared();
    const uint64_t Most = mostShared() - std::min(Static, mostShared());
    std::optional<uint64_t> Enough =
        Kernel.Shared ? Kernel.Shared->enough(Launch.SharedBytes) : std::nullopt;
    return std::min(Enough.value_or(Most), Most);
  }

  /// What a launch with so much dynamic shared memory ends with instead of running. (Registers are
  /// nvcc's to say.)
  std::optional<VerifyFault> cannotLaunch(uint64_t DynamicShared) const {
    const uint64_t Threads = Launch.Block[0] * Launch.Block[1] * Launch.Block[2];
    const uint64_t Static =
        fits(Arrays.declared(), DynamicShared) ? Arrays.declared() : Arrays.kept();
    VerifyFault F;
    F.Kind = "launch";
    if (Kernel.MaxThreads && Threads > *Kernel.MaxThreads)
      F.What = formatv("a block of {0} threads, and __launch_bounds__ allows {1}: the launch fails",
                       Threads, *Kernel.MaxThreads);
    else if (Static > StaticLimit)
      F.What = formatv(
          "{0} bytes of static shared memory, and a kernel may have {1}: it does not compile",
          Static, StaticLimit);
    else if (Static + DynamicShared > mostShared())
      F.What = formatv("{0} bytes of shared memory, {1} of them dynamic, and a block{2} can have "
                       "{3}: the launch fails",
                       Static + DynamicShared, DynamicShared,
                       Options.Arch.empty() ? "" : " of " + Options.Arch, mostShared());
    else
      return std::nullopt;
    return F;
  }

  /// Why it is not known whether such a launch succeeds, where cannotLaunch() has nothing against
  /// it. \p Original: the same is not known of it, and it is taken for granted that it can be
  /// launched.
  std::optional<std::string> mayNotLaunch(uint64_t DynamicShared, Version &Original) const {
    if (fits(Arrays.declared(), DynamicShared) ||
        (DynamicShared <= Original.Launch.SharedBytes && Arrays.certainAs(Original.Arrays)))
      return std::nullopt;
    const uint64_t Most =
        std::min(StaticLimit, mostShared() - std::min(DynamicShared, mostShared()));
    return formatv("{0} bytes of static shared memory are declared, and there {1} {2} for it: it "
                   "is not known whether nvcc leaves so much out",
                   Arrays.declared(), Most == 1 ? "is" : "are", Most)
        .str();
  }

  /// As VerifyCase::AlwaysTurns, of a run.
  std::optional<uint64_t> alwaysTurns(const Outcome &O) const {
    std::optional<uint64_t> Most;
    for (const auto &[Loop, Run] : zip(Code.loops(), O.After.Loops))
      if (Loop.Loads) {
        if (!Loop.Always || !Run.Entered || Loop.turns(Run.Reached) < *Loop.Always)
          return std::nullopt;
        Most = std::max(Most.value_or(0), *Loop.Always);
      }
    return Most;
  }

  /// All that it has, even if nobody has come to them.
  void listLoops(std::vector<VerifyLoop> &To) const {
    To.resize(Code.loops().size());
    for (const auto &[L, Loop] : zip(To, Code.loops())) {
      L.At = place(Loop.Site);
      L.HasLoads = Loop.Loads != 0;
    }
  }

  /// Loops of a run, the furthest that each has come.
  void addLoops(const Outcome &O, std::vector<VerifyLoop> &To) const {
    listLoops(To);
    for (const auto &[L, Run, Loop] : zip(To, O.After.Loops, Code.loops())) {
      L.Made = std::max(L.Made, Loop.turns(Run.Reached));
      L.Turns = std::max(L.Turns, Run.Turns);
      if (!L.HasLoads)
        continue;
      // Of a turn in which nobody waits it is enough that it was seen.
      std::optional<uint64_t> Least;
      bool Seen = true;
      for (const auto &[Times, Aside] : zip(Run.Loads, Loop.Aside))
        if (Aside)
          Seen &= Times > 0;
        else
          Least = std::min(Least.value_or(Times), Times);
      if (Seen || !Least)
        L.Loads = std::max(L.Loads, Least ? *Least : *llvm::min_element(Run.Loads));
    }
  }

  /// Conditions of a run, the ways that they went in this one or before.
  void addGuards(const Outcome &O, std::vector<VerifyGuard> &To) const {
    To.resize(Code.guards().size());
    for (size_t G = 0; G != To.size(); ++G) {
      To[G].At = place(Code.guards()[G].Site);
      To[G].False |= O.After.Guards[2 * G] != 0;
      To[G].True |= O.After.Guards[2 * G + 1] != 0;
    }
  }

  VerifyFault fault(const emulator::Fault &F) const {
    VerifyFault V;
    V.Kind = emulator::toString(F.K).str();
    V.What = F.What;
    V.At = place(F.At);
    V.Other = place(F.Other);
    V.Thread = F.Thread;
    return V;
  }

private:
  static constexpr uint64_t StaticLimit = 48 * 1024;
  bool fits(uint64_t Static, uint64_t DynamicShared) const {
    return Static <= StaticLimit && Static + DynamicShared <= mostShared();
  }
  uint64_t mostShared() const {
    const GpuTarget *Gpu = GpuTarget::find(Options.Arch);
    return Gpu ? Gpu->SharedPerBlockOptIn : emulator::MaxSharedBytes;
  }
  VerifyPlace place(emulator::Site S) const {
    const emulator::SourcePlace &P = Code.source(S);
    return {P.File, P.Line, P.Column};
  }

  Error request(uint64_t Seed, unsigned Number, RunRequest &R) const {
    R.Kernel = Kernel.Mangled;
    R.Grid = Launch.Grid;
    R.Block = Launch.Block;
    StringMap<unsigned> Indices;
    for (const ConcreteArgument &A : Launch.Arguments) {
      RunArgument Arg;
      if (!A.IsBuffer) {
        Arg.Value = A.Value;
      } else if (A.Null) {
        Arg.Is = RunArgument::Null;
      } else {
        Arg.Is = RunArgument::Buffer;
        Arg.Offset = A.Offset * A.Element.bytes();
        const std::string &Owner = A.SameAs.empty() ? A.Name : A.SameAs;
        auto [It, Fresh] = Indices.try_emplace(Owner, static_cast<unsigned>(R.Buffers.size()));
        if (Fresh) {
          RunBuffer B;
          B.Name = Owner;
          B.ElementBytes = A.Element.bytes();
          B.Bytes.resize(A.Count * A.Element.bytes());
          // What is written and not read holds other bits in every run.
          bool Free = A.Role == BufferRole::Output && A.Fill.K == BufferFill::Kind::Poison;
          fillBuffer(Launch, A, Free ? Seed * 1000 + Number : Seed, B.Bytes.data());
          R.Buffers.push_back(std::move(B));
        }
        Arg.BufferIndex = It->second;
      }
      R.Arguments.push_back(std::move(Arg));
    }
    for (const ConcreteGlobal &G : Launch.Globals) {
      auto V = find_if(Code.variables(), [&](const auto &V) { return V.User && V.Name == G.Name; });
      if (V == Code.variables().end())
        continue; // the kernel does not use it
      uint64_t Size = G.Element.bytes();
      if (Size == 0 || V->Bytes % Size != 0)
        return createStringError(inconvertibleErrorCode(),
                                 formatv("the variable '{0}' has {1} bytes, no multiple of {2}",
                                         G.Name, V->Bytes, Size));
      RunBuffer B;
      B.Name = G.Name;
      B.Bytes.resize(V->Bytes);
      fillGlobal(Launch, G, V->Bytes / Size, Seed, B.Bytes.data());
      R.Globals.push_back(std::move(B));
    }
    return Error::success();
  }

  Program &Code;
  SharedArrays &Arrays;
  const KernelSignature &Kernel;
  const ConcreteLaunch &Launch;
  const VerifyOptions &Options;
  bool New;
  const RunRequest *Found; ///< the launch is none that somebody has described
};

ElementType elementOf(const ConcreteLaunch &Launch, StringRef Buffer) {
  for (const ConcreteArgument &A : Launch.Arguments)
    if (A.IsBuffer && A.Name == Buffer)
      return A.Element;
  for (const ConcreteGlobal &G : Launch.Globals)
    if (G.Name == Buffer)
      return G.Element;
  return ElementType();
}

/// The same variable: by its full name, or by its own if the scopes differ.
const RunBuffer *sameVariable(const std::vector<RunBuffer> &Among, const RunBuffer &Wanted) {
  for (auto Name : {&RunBuffer::Mangled, &RunBuffer::Name})
    for (const RunBuffer &B : Among)
      if (B.*Name == Wanted.*Name)
        return &B;
  return nullptr;
}

/// Memory without a size: the same bytes are written, and with the same.
std::optional<VerifyDifference> compareOpens(const Version::Outcome &A, const Version::Outcome &B) {
  const emulator::OpenImage None;
  std::set<std::string> Names;
  for (const auto *Run : {&A, &B})
    for (const auto &[Name, Image] : Run->After.Opens)
      Names.insert(Name);
  for (const std::string &Name : Names) {
    auto Of = [&](const Version::Outcome &O) -> const emulator::OpenImage & {
      auto Found = O.After.Opens.find(Name);
      return Found == O.After.Opens.end() ? None : Found->second;
    };
    const emulator::OpenImage &X = Of(A), &Y = Of(B);
    const ElementType Element = A.Code->scalarOf(std::max(X.Layout, Y.Layout));
    std::set<int64_t> Pages;
    for (const emulator::OpenImage *Image : {&X, &Y})
      for (const auto &[Page, Bits] : Image->Writes)
        Pages.insert(Page);
    for (int64_t Page : Pages) {
      const int64_t First = Page * static_cast<int64_t>(emulator::PageBytes);
      auto InX = X.Writes.find(Page), InY = Y.Writes.find(Page);
      for (size_t I = 0; I != emulator::PageBytes; ++I) {
        auto Has = [&](const auto &At, const auto &Set) {
          return At != Set.end() && (At->second[I / 64] >> (I % 64) & 1);
        };
        const bool Old = Has(InX, X.Writes), New = Has(InY, Y.Writes);
        if (Old == New)
          continue;
        VerifyDifference D;
        D.Buffer = Name;
        D.Index = static_cast<uint64_t>(First + static_cast<int64_t>(I)) / Element.bytes();
        D.OldBits = Old ? "written" : "not written";
        D.NewBits = New ? "written" : "not written";
        D.Count = 1;
        return D;
      }
      const std::vector<uint8_t> Zeros(emulator::PageBytes, 0), P = X.written(Page, Y),
                                                                Q = Y.written(Page, X);
      if (auto D = compare(Name, Element, {Zeros, P}, {Zeros, Q})) {
        D->Index += static_cast<uint64_t>(First) / Element.bytes();
        return D;
      }
    }
  }
  return std::nullopt;
}

std::optional<VerifyDifference> compareRuns(const ConcreteLaunch &Launch, const Version::Outcome &A,
                                            const Version::Outcome &B) {
  if (auto D = compareOpens(A, B))
    return D;
  for (size_t I = 0; I != A.After.Buffers.size(); ++I) {
    const RunBuffer &X = A.After.Buffers[I], &Y = B.After.Buffers[I];
    if (auto D = compare(X.Name, elementOf(Launch, X.Name), {A.Before.Buffers[I].Bytes, X.Bytes},
                         {B.Before.Buffers[I].Bytes, Y.Bytes}))
      return D;
  }
  auto Compared = [&](const std::string &Name, const RunBuffer &X, const RunBuffer &Y) {
    return compare(Name, elementOf(Launch, Name), {X.Bytes, X.Bytes}, {X.Bytes, Y.Bytes});
  };
  for (const RunBuffer &X : A.After.Variables)
    if (const RunBuffer *Y = sameVariable(B.After.Variables, X);
        Y && Y->Bytes.size() == X.Bytes.size())
      if (auto D = Compared(X.Name, X, *Y))
        return D;
  // What only one of them uses stays as it was in the other. A variable that the original does not
  // even have is the new version's own business.
  for (const auto &[X, Before] : zip(A.After.Variables, A.After.VariablesBefore))
    if (!sameVariable(B.After.Variables, X))
      if (auto D = Compared(X.Name, X, Before))
        return D;
  for (const auto &[Y, Before] : zip(B.After.Variables, B.After.VariablesBefore))
    if (!sameVariable(A.After.Variables, Y) && A.Code->isUnused(Y.Name))
      if (auto D = Compared(Y.Name, Before, Y))
        return D;
  return std::nullopt;
}

/// An input that a run has changed: then the description is not of this kernel, or the kernel not
/// what it is taken for.
std::optional<VerifyFault> changedInput(const ConcreteLaunch &Launch, const Version::Outcome &O) {
  for (size_t I = 0; I != O.After.Buffers.size(); ++I) {
    const std::vector<uint8_t> &Is = O.After.Buffers[I].Bytes, &Was = O.Before.Buffers[I].Bytes;
    auto Owner = find_if(Launch.Arguments, [&](const ConcreteArgument &A) {
      return A.IsBuffer && A.Name == O.After.Buffers[I].Name;
    });
    if (Owner == Launch.Arguments.end() || Owner->Role != BufferRole::Input || Is == Was)
      continue;
    const size_t At =
        std::mismatch(Is.begin(), Is.end(), Was.begin(), Was.end()).first - Is.begin();
    VerifyFault F;
    F.Kind = "input-changed";
    F.What = formatv("writes to the input {0}[{1}]", Owner->Name,
                     At / std::max<size_t>(1, Owner->Element.bytes()));
    return F;
  }
  return std::nullopt;
}

std::string text(const VerifyDifference &D) {
  std::string Text = formatv("{0}[{1}] is {2}", D.Buffer, D.Index,
                             D.NewValue.empty() ? D.NewBits : D.NewValue + " (" + D.NewBits + ")");
  Text += formatv(" instead of {0}; {1} element{2} differ{3}",
                  D.OldValue.empty() ? D.OldBits : D.OldValue + " (" + D.OldBits + ")", D.Count,
                  D.Count == 1 ? "" : "s", D.Count == 1 ? "s" : "")
              .str();
  return Text;
}

/// Of emulator::OrderMatters, in words; empty: nothing.
std::string orderInWords(uint8_t Order) {
  std::string Text;
  for (auto [Bit, Words] : {std::pair(emulator::ByAtomics, "atomic or volatile accesses"),
                            std::pair(emulator::ByPolling, "polling"),
                            std::pair(emulator::ByBarriers, "barriers of some threads"),
                            std::pair(emulator::ByPresence, "who is there, or when")})
    if (Order & Bit)
      Text += (Text.empty() ? "" : ", ") + std::string(Words);
  return Text;
}

/// What the child says before it runs the new version: a crash after that is the new version's.
constexpr StringLiteral NewVersionRuns = "new version";

/// How much dynamic shared memory the new version is run with.
std::vector<uint64_t> newSharedBytes(const ConcreteLaunch &Launch) {
  std::vector<uint64_t> Given = {Launch.NewSharedBytes.value_or(Launch.SharedBytes)};
  for (uint64_t Bytes : Launch.NewSharedAlso)
    if (!is_contained(Given, Bytes))
      Given.push_back(Bytes);
  return Given;
}

/// The original once more, with its global memory at other addresses; loaded at the first use.
class MovedOriginal {
public:
  MovedOriginal(const DeviceModule &Old, const VerifyKernel &Kernel) : Old(Old), Kernel(Kernel) {}
  Expected<Program *> load() {
    if (!Code) {
      Expected<std::unique_ptr<Program>> Loaded =
          Program::load(Old, {Kernel.Old.Mangled}, /*WithHints=*/false, /*Numbered=*/false,
                        /*Elsewhere=*/true);
      if (!Loaded)
        return Loaded.takeError();
      Code = std::move(*Loaded);
    }
    return Code.get();
  }

private:
  const DeviceModule &Old;
  const VerifyKernel &Kernel;
  std::unique_ptr<Program> Code;
};

/// One case: fills in what was found.
void runCase(VerifyCase &Case, Version &Old, Version &New, const ConcreteLaunch &Launch,
             const VerifyOptions &Options, MovedOriginal &Moved, function_ref<void()> NewRuns) {
  auto Count = [&](const Version::Outcome &O) {
    ++Case.Runs;
    Case.Accesses += O.After.Stats.Accesses;
    Case.Copies += O.After.Stats.Copies;
  };
  auto CannotTell = [&](const Twine &Why, std::optional<VerifyRun> How = std::nullopt) {
    Case.Result = Verdict::CannotTell;
    Case.Reason = Why.str();
    Case.Run = std::move(How);
  };
  constexpr StringLiteral Undetermined = "the original's result depends on the order of its "
                                         "threads, or on memory that nobody has set: ";
  const std::vector<uint64_t> Given = newSharedBytes(Launch);
  if (std::optional<VerifyFault> F = Old.cannotLaunch(Launch.SharedBytes)) {
    Case.Fault = std::move(F);
    return CannotTell("the original is itself at fault");
  }
  for (uint64_t Bytes : Given)
    if (std::optional<VerifyFault> F = New.cannotLaunch(Bytes)) {
      Case.Result = Verdict::Fail;
      Case.Reason = F->What;
      Case.Fault = std::move(F);
      return;
    }
  auto ElsewhereRun = [&](uint64_t Seed, const Manner &How,
                          unsigned Number) -> Expected<Version::Outcome> {
    Expected<Program *> Code = Moved.load();
    if (!Code)
      return Code.takeError();
    Expected<Version::Outcome> Run = Old.in(**Code).run(Seed, How, Number, Launch.SharedBytes);
    if (Run)
      Count(*Run);
    return Run;
  };
  uint8_t Order = 0;
  for (size_t S = 0; S != Options.Seeds.size(); ++S) {
    uint64_t Seed = Options.Seeds[S];
    unsigned Number = 0;
    Expected<Version::Outcome> Reference = Old.run(Seed, Manners[0], Number++, Launch.SharedBytes);
    if (!Reference)
      return CannotTell(toString(Reference.takeError()));
    Count(*Reference);
    Order |= Reference->After.Stats.Order;
    ReadSets Reads;
    bool ReadsVary = false;
    Reads.add(Reference->After);
    auto OriginalFails = [&](const Version::Outcome &O) {
      Case.Fault = Old.fault(*O.After.Failed);
      bool Unknown = O.After.Failed->K == emulator::Fault::Kind::Unsupported;
      CannotTell(Unknown ? "the emulator does not know all that the kernel uses"
                         : "the original is itself at fault",
                 O.How);
    };
    if (Reference->After.Failed)
      return OriginalFails(*Reference);
    if (std::optional<VerifyFault> Changed = changedInput(Launch, *Reference)) {
      Case.Fault = std::move(Changed);
      return CannotTell("the original is itself at fault", Reference->How);
    }
    // The original under another order and other poison: what it does not determine, nobody can.
    if (S == 0) {
      Expected<Version::Outcome> Again = Old.run(Seed, Manners[2], Number++, Launch.SharedBytes);
      if (!Again)
        return CannotTell(toString(Again.takeError()));
      Count(*Again);
      if (Again->After.Failed)
        return OriginalFails(*Again);
      if (auto D = compareRuns(Launch, *Reference, *Again)) {
        CannotTell(Undetermined + text(*D), Again->How);
        Case.Difference = std::move(D);
        return;
      }
      ReadsVary = Reads.add(Again->After);
    }
    if (S == 0)
      NewRuns();
    const unsigned Runs = std::min<unsigned>(Options.Runs, std::size(Manners));
    std::vector<uint64_t> Amounts = Given;
    for (unsigned I = 0; I != Runs * Amounts.size(); ++I) {
      const uint64_t Shared = Amounts[I / Runs];
      Expected<Version::Outcome> Run = New.run(Seed, Manners[I % Runs], Number, Shared, &Reads);
      if (!Run)
        return CannotTell(toString(Run.takeError()));
      Count(*Run);
      if (Run->After.Failed && Run->After.Failed->K != emulator::Fault::Kind::Unsupported) {
        // It may be the original's own, under this order of threads.
        Expected<Version::Outcome> Same =
            Old.run(Seed, Manners[I % Runs], Number, Launch.SharedBytes);
        if (!Same)
          return CannotTell(toString(Same.takeError()));
        Count(*Same);
        if (Same->After.Failed)
          return OriginalFails(*Same);
        Expected<Version::Outcome> There = ElsewhereRun(Seed, Manners[I % Runs], Number);
        if (!There)
          return CannotTell(toString(There.takeError()));
        if (There->After.Failed)
          return OriginalFails(*There);
      }
      ++Number;
      // It does one thing with what the original is given, and maybe another one with more.
      if (I == 0 && !Launch.NewSharedBytes && Run->After.Stats.AsksForShared &&
          !Reference->After.Stats.AsksForShared && New.moreShared() > Shared &&
          !is_contained(Amounts, New.moreShared()))
        Amounts.push_back(New.moreShared());
      Case.OfWarps |= Run->After.Stats.OfWarps;
      Order |= Run->After.Stats.Order;
      Case.Order = orderInWords(Order);
      New.addLoops(*Run, Case.Loops);
      Case.AlwaysTurns = Old.alwaysTurns(*Reference);
      New.addGuards(*Run, Case.Guards);
      if (Run->After.Failed) {
        Case.Fault = New.fault(*Run->After.Failed);
        Case.Run = Run->How;
        if (Run->After.Failed->K == emulator::Fault::Kind::Unsupported)
          return CannotTell("the emulator does not know all that the new kernel uses", Run->How);
        Case.Result = Verdict::Fail;
        Case.Reason = Case.Fault->What;
        return;
      }
      if (auto D = compareRuns(Launch, *Reference, *Run)) {
        // Or the original does not determine it: other values in memory that nobody has set may
        // show it.
        for (unsigned J = 0; J != std::size(Manners); ++J) {
          // An odd number is poison of numbers; NaNs would be much alike.
          Expected<Version::Outcome> Other =
              Old.run(Seed, Manners[J], (Number | 1) + 2 * J, Launch.SharedBytes);
          if (!Other)
            return CannotTell(toString(Other.takeError()));
          Count(*Other);
          if (Other->After.Failed)
            return OriginalFails(*Other);
          if (auto Own = compareRuns(Launch, *Reference, *Other)) {
            CannotTell(Undetermined + text(*Own), Other->How);
            Case.Difference = std::move(Own);
            return;
          }
        }
        Expected<Version::Outcome> There = ElsewhereRun(Seed, Manners[0], 0);
        if (!There)
          return CannotTell(toString(There.takeError()));
        if (There->After.Failed)
          return OriginalFails(*There);
        if (auto Own = compareRuns(Launch, *Reference, *There)) {
          CannotTell("the original's result depends on where its memory lies: " + text(*Own),
                     There->How);
          Case.Difference = std::move(Own);
          return;
        }
        Case.Result = Verdict::Fail;
        Case.Run = Run->How;
        Case.Reason = text(*D);
        Case.Difference = std::move(D);
        return;
      }
      if (Run->After.Speculated && !Options.ReadsInBounds) {
        // What is read may depend on the order of the threads, and on memory that nobody has set.
        for (unsigned J = 0; J != std::size(Manners); ++J) {
          Expected<Version::Outcome> Other =
              Old.run(Seed, Manners[(I % Runs + J) % std::size(Manners)],
                      J == 0 ? Number - 1 : (Number | 1) + 2 * J, Launch.SharedBytes);
          if (!Other)
            return CannotTell(toString(Other.takeError()));
          Count(*Other);
          if (Other->After.Failed)
            return OriginalFails(*Other);
          ReadsVary |= Reads.add(Other->After);
        }
        Expected<Version::Outcome> Again =
            New.run(Seed, Manners[I % Runs], Number - 1, Shared, &Reads);
        if (!Again)
          return CannotTell(toString(Again.takeError()));
        Count(*Again);
        if (Again->After.Speculated) {
          Case.Fault = New.fault(*Again->After.Speculated);
          if (ReadsVary)
            return CannotTell("what the original reads depends on the order of its threads, and "
                              "the new version reads more",
                              Again->How);
          Case.Result = Verdict::Fail;
          Case.Run = Again->How;
          Case.Reason = Case.Fault->What;
          return;
        }
      }
    }
  }
  for (uint64_t Bytes : Given)
    if (std::optional<std::string> Why = New.mayNotLaunch(Bytes, Old))
      return CannotTell(*Why);
}

/// Whether a case that passes says something about all data: both versions once more, with numbers
/// of all values (ValueNumbers.h).
class AllData {
public:
  /// \p Original: numbered already; null: not.
  AllData(const DeviceModule &Old, const DeviceModule &New, const VerifyKernel &Kernel,
          Program *Original)
      : OldModule(Old), NewModule(New), Kernel(Kernel), OldCode(Original) {}

  void look(VerifyCase &Case, SharedArrays &OldArrays, SharedArrays &NewArrays,
            const ConcreteLaunch &Launch, const VerifyOptions &Options,
            const RunRequest *Found = nullptr) {
    if (Case.Result != Verdict::Pass)
      return;
    VerifyData Data;
    Data.Why = compare(Data, Case, OldArrays, NewArrays, Launch, Options, Found);
    Data.Same = Data.Why.empty();
    Case.Data = std::move(Data);
  }

private:
  /// Accesses of a run; with numbers it takes about five times as long.
  static constexpr uint64_t MostAccesses = 4000000;

  std::string compare(VerifyData &Data, const VerifyCase &Case, SharedArrays &OldArrays,
                      SharedArrays &NewArrays, const ConcreteLaunch &Launch,
                      const VerifyOptions &Options, const RunRequest *Found) {
    if (Case.Accesses > MostAccesses * std::max(Case.Runs, 1u))
      return "the launch computes too much to follow it";
    if (std::string Why = load(); !Why.empty())
      return Why;
    Version Old(*OldCode, OldArrays, Kernel.Old, Launch, Options, /*New=*/false, Found);
    Version New(*NewCode, NewArrays, Kernel.New, Launch, Options, /*New=*/true, Found);
    const uint64_t Seed = Options.Seeds.front();
    Expected<Version::Outcome> Reference = Old.run(Seed, Manners[0], 0, Launch.SharedBytes);
    if (!Reference)
      return toString(Reference.takeError());
    for (const emulator::Decision &D : Reference->After.Decisions)
      addDecision(Data, D);
    for (uint64_t Shared : newSharedBytes(Launch)) {
      Expected<Version::Outcome> Run = New.run(Seed, Manners[0], 0, Shared);
      if (!Run)
        return toString(Run.takeError());
      if (std::string Why = compare(Reference->After, Run->After); !Why.empty())
        return Why;
    }
    return "";
  }

  std::string load() {
    auto Load = [&](const DeviceModule &Module, const std::string &Mangled,
                    std::unique_ptr<Program> &To) -> std::string {
      Expected<std::unique_ptr<Program>> Code =
          Program::load(Module, {Mangled}, /*WithHints=*/false, /*Numbered=*/true);
      if (!Code)
        return toString(Code.takeError());
      To = std::move(*Code);
      return "";
    };
    if (!OldCode) {
      if (std::string Why = Load(OldModule, Kernel.Old.Mangled, Loaded); !Why.empty())
        return Why;
      OldCode = Loaded.get();
    }
    return NewCode ? "" : Load(NewModule, Kernel.New.Mangled, NewCode);
  }

  void addDecision(VerifyData &Data, const emulator::Decision &D) const {
    constexpr const char *Names[] = {"branch", "address", "threads", "call"};
    const emulator::SourcePlace &P = OldCode->source(D.At);
    Data.Decided.push_back({{P.File, P.Line, P.Column}, Names[D.K]});
  }

  std::string compare(const RunResult &Old, const RunResult &New) const {
    if (Old.Failed || New.Failed)
      return "a run ends early: " + (Old.Failed ? Old.Failed : New.Failed)->What;
    if (Old.NumbersAreLost || New.NumbersAreLost)
      return "the launch computes too much to follow it";
    for (const RunResult *Run : {&Old, &New})
      for (const emulator::Decision &D : Run->Decisions)
        if (D.K == emulator::Decision::Call)
          return "what is called at " + (Run == &Old ? *OldCode : *NewCode).place(D.At) +
                 " is not followed";
    // The same values decide, or fewer of them.
    if (any_of(New.Deciding, [&](emulator::ValueNumber N) { return !Old.Deciding.count(N); }))
      return New.Decisions.empty() ? "data decide otherwise"
                                   : "data decide otherwise in the new version, at " +
                                         NewCode->place(New.Decisions.begin()->At);
    const emulator::NumberedBytes None;
    std::set<std::string> Names;
    for (const RunResult *Run : {&Old, &New})
      for (const auto &[Name, Bytes] : Run->Numbers)
        Names.insert(Name);
    for (const std::string &Name : Names) {
      auto Of = [&](const RunResult &Run) -> const emulator::NumberedBytes & {
        auto At = Run.Numbers.find(Name);
        return At == Run.Numbers.end() ? None : At->second;
      };
      const emulator::NumberedBytes &X = Of(Old), &Y = Of(New);
      auto [A, B] = std::mismatch(X.begin(), X.end(), Y.begin(), Y.end());
      if (A != X.end() || B != Y.end())
        return formatv(
            "what is left {0} bytes from the beginning of '{1}' is computed in another way",
            A != X.end() ? A->first : B->first, Name);
    }
    return "";
  }

  const DeviceModule &OldModule, &NewModule;
  const VerifyKernel &Kernel;
  Program *OldCode;
  std::unique_ptr<Program> Loaded, NewCode;
};

VerifyCase started(const VerifyKernel &Kernel, const ConcreteLaunch &Launch) {
  VerifyCase Case;
  Case.Kernel = Kernel.New.Name;
  Case.Case = Launch.Case;
  Case.OneWarp = Kernel.Old.MaxThreads.value_or(1024) <= 32;
  Case.Threads = static_cast<unsigned>(Launch.Block[0] * Launch.Block[1] * Launch.Block[2]);
  if (!Launch.Case.empty()) // none was made otherwise
    Case.Block = Launch.Block;
  return Case;
}

/// One old kernel, loaded, and what searches have found.
struct SearchedOriginal {
  std::unique_ptr<Program> Code, Numbered;
  std::map<std::string, FoundLaunches> Found; ///< by their limits

  static std::string key(const SearchLimits &L) {
    auto Size = [](const std::array<uint64_t, 3> &E) {
      return formatv("{0}x{1}x{2}", E[0], E[1], E[2]).str();
    };
    std::string Key = (L.Block ? Size(*L.Block) : "any") +
                      (L.Dynamic ? " " + std::to_string(*L.Dynamic) : "") +
                      (L.Aliases ? " aliases" : "");
    for (const auto &Not : L.NotBlocks)
      Key += " not " + Size(Not);
    return Key;
  }
};

/// Both versions of a kernel whose launches are searched for.
struct SearchedKernel {
  const DeviceModule &Module; ///< of the original
  const VerifyKernel &Kernel;
  Program &Old, &New;
  SharedArrays &OldArrays, &NewArrays;
  const VerifyOptions &Options;
  function_ref<void(StringRef)> Say;
  AllData &Data;
  MovedOriginal &Moved;
  const SearchedOriginal *Known = nullptr;          ///< what was found for another new version
  std::string Hidden = {};                          ///< VerifyCase::Hidden
  std::vector<std::array<uint64_t, 3>> Blocks = {}; ///< that were run
};

/// Searches within \p Limits, and runs what is found; \p Size: that of the host code that they are
/// about. \p OnlyFew: launches are enough;
/// \p IfAny: that there are none is no news. False: one has failed.
bool runFound(SearchedKernel &K, const SearchLimits &Limits, const VerifyKernel::KnownSize *Size,
              bool OnlyFew, bool IfAny) {
  auto Emit = [&](const VerifyCase &Case) { K.Say(formatv("{0}\n", toJSON(Case)).str()); };
  FoundLaunches Found;
  if (auto Before = K.Known ? K.Known->Found.find(SearchedOriginal::key(Limits))
                            : decltype(K.Known->Found)::const_iterator();
      K.Known && Before != K.Known->Found.end())
    Found = Before->second;
  else
    Found = searchLaunches(K.Old, K.Module, K.Kernel.Old, Limits);
  auto Listed = [&](VerifyCase &Case, const ConcreteLaunch &Launch) {
    Version(K.New, K.NewArrays, K.Kernel.New, Launch, K.Options, /*New=*/true)
        .listLoops(Case.Loops);
  };
  if (Found.Launches.empty()) {
    if (IfAny)
      return true;
    const ConcreteLaunch None;
    VerifyCase Case = started(K.Kernel, None);
    Case.Case = "no launch";
    Case.Found = true;
    Case.Result = Verdict::CannotTell;
    Case.Reason = Found.Why;
    Case.Runs = Found.Runs;
    Listed(Case, None);
    Emit(Case);
    return true;
  }
  constexpr size_t Few = 4;
  if (OnlyFew && Found.Launches.size() > Few)
    Found.Launches.resize(Few);
  std::optional<VerifyCase> Doubt;
  bool Any = false;
  for (const auto &[Index, F] : enumerate(Found.Launches)) {
    if (Size)
      F.Launch.NewSharedAlso = Size->New;
    VerifyCase Case = started(K.Kernel, F.Launch);
    Case.Found = true;
    Case.OneWarp |= Found.OneWarp;
    Case.Hidden = K.Hidden;
    Listed(Case, F.Launch);
    // One run of each shows what any order of the threads would. The first gets some all the same.
    VerifyOptions Of = K.Options;
    if (Index != 0 || OnlyFew) {
      Of.Runs = 1;
      Of.Seeds = {K.Options.Seeds[Index % K.Options.Seeds.size()]};
    }
    Version A(K.Old, K.OldArrays, K.Kernel.Old, F.Launch, Of, /*New=*/false, &F.Request);
    Version B(K.New, K.NewArrays, K.Kernel.New, F.Launch, Of, /*New=*/true, &F.Request);
    runCase(Case, A, B, F.Launch, Of, K.Moved, [&] { K.Say((NewVersionRuns + "\n").str()); });
    if (Of.DataOfFound)
      K.Data.look(Case, K.OldArrays, K.NewArrays, F.Launch, Of, &F.Request);
    erase_if(Case.Guards, [](const VerifyGuard &G) { return G.At.Line == 0; });
    // On other data the original may be no good: then it is no launch of this kernel.
    // (Without a run it is not even launched, or something else is not known, which has no fault.)
    const bool OfOriginal = Case.Run ? !Case.Run->New : Case.Fault.has_value();
    if (Case.Result == Verdict::CannotTell && OfOriginal) {
      Doubt = std::move(Case);
      continue;
    }
    Any = true;
    K.Blocks.push_back(F.Launch.Block);
    Emit(Case);
    if (Case.Result == Verdict::Fail)
      return false;
  }
  if (!Any && !IfAny)
    Emit(*Doubt);
  return true;
}

/// The searches that every new version of \p Kernel needs.
std::vector<SearchLimits> searchesFor(const VerifyKernel &Kernel, const VerifyOptions &Options) {
  SearchLimits Limits;
  Limits.Aliases = Options.Aliases;
  Limits.Block = Options.Block;
  if (Kernel.Sizes.empty())
    return {Limits};
  std::vector<SearchLimits> All;
  for (const VerifyKernel::KnownSize &Size : Kernel.Sizes) {
    Limits.Block = Size.Block;
    Limits.Dynamic = Size.SharedBytes;
    All.push_back(Limits);
  }
  return All;
}

/// In the shapes that the host code says, and otherwise in any; and in blocks that the new version
/// tells from others.
void runSearched(SearchedKernel &K) {
  const std::vector<SearchLimits> Searches = searchesFor(K.Kernel, K.Options);
  const std::vector<VerifyKernel::KnownSize> &Sizes = K.Kernel.Sizes;
  for (size_t I = 0; I != Searches.size(); ++I)
    if (!runFound(K, Searches[I], Sizes.empty() ? nullptr : &Sizes[I], /*OnlyFew=*/I != 0,
                  /*IfAny=*/false))
      return;
  SearchLimits Limits;
  Limits.Aliases = K.Options.Aliases;
  if (!K.Kernel.Asked)
    return;
  const std::array<uint64_t, 3> Asked = *K.Kernel.Asked;
  Limits.Dynamic = K.Kernel.Sizes.empty() ? std::nullopt : std::optional(Sizes.front().SharedBytes);
  Limits.Block = Asked;
  if (!is_contained(K.Blocks, Asked) &&
      !runFound(K, Limits, nullptr, /*OnlyFew=*/false, /*IfAny=*/true))
    return;
  if (!K.Kernel.AsksAtLeast) {
    Limits.Block.reset();
    Limits.NotBlocks = {Asked};
    if (all_of(K.Blocks, [&](const auto &B) { return B == Asked; }))
      runFound(K, Limits, nullptr, /*OnlyFew=*/true, /*IfAny=*/true);
    return;
  }
  // A larger one that what is shared out does not fall evenly on, and one that is too small.
  std::array<uint64_t, 3> Larger = Asked, Smaller = Asked;
  uint64_t &Extent = *std::max_element(Larger.begin(), Larger.end());
  uint64_t &Less = *std::max_element(Smaller.begin(), Smaller.end());
  Extent += Extent / 2;
  Less /= 2;
  for (const std::array<uint64_t, 3> &Other : {Larger, Smaller}) {
    Limits.Block = Other;
    if (!is_contained(K.Blocks, Other) &&
        !runFound(K, Limits, nullptr, /*OnlyFew=*/true, /*IfAny=*/true))
      return;
  }
}

/// VerifyCase::Hidden.
std::string hiddenFromRuns(const VerifyKernel &Kernel, const Program &Old, const Program &New,
                           const VerifyOptions &Options) {
  if (const auto &[Name, At] = Old.unseen(); !Name.empty())
    return formatv("'{0}', which it may call{1}, is not seen", Name,
                   At ? " at " + Old.place(At) : " through a pointer")
        .str();
  // Fewer blocks fit on the GPU where each takes more of the shared memory.
  const bool More = New.staticSharedBytes() > Old.staticSharedBytes() ||
                    any_of(Kernel.Sizes,
                           [](const VerifyKernel::KnownSize &S) {
                             return any_of(S.New, [&](uint64_t N) { return N > S.SharedBytes; });
                           }) ||
                    (Kernel.Demands.size() == 2 && Kernel.Demands[1] && !Kernel.Demands[0]);
  if (Old.waits() != 0 && More && !Options.CoResident)
    return formatv("it may wait for other blocks at {0}, of which fewer fit on the GPU with more "
                   "shared memory for each; here one runs after the other",
                   Old.place(Old.waits()))
        .str();
  return "";
}

/// In the child: one line of JSON per case.
void runKernel(const DeviceModule &Old, const DeviceModule &New, const VerifyKernel &Kernel,
               const VerifyOptions &Options, const SearchedOriginal *Known,
               function_ref<void(StringRef)> Say) {
  emulator::catchCrashes();
  auto Emit = [&](const VerifyCase &Case) { Say(formatv("{0}\n", toJSON(Case)).str()); };
  auto Fail = [&](Error E) {
    std::string Why = toString(std::move(E));
    std::vector<ConcreteLaunch> Launches = Kernel.Launches;
    if (Kernel.Search)
      Launches.emplace_back().Case = "no launch";
    for (const ConcreteLaunch &L : Launches) {
      VerifyCase Case = started(Kernel, L);
      Case.Found = Kernel.Search;
      Case.Result = Verdict::CannotTell;
      Case.Reason = Why;
      Emit(Case);
    }
  };
  std::unique_ptr<Program> Loaded;
  if (!Known) {
    Expected<std::unique_ptr<Program>> Code =
        Program::load(Old, {Kernel.Old.Mangled}, /*WithHints=*/Kernel.Undescribed);
    if (!Code)
      return Fail(Code.takeError());
    Loaded = std::move(*Code);
  }
  Program *const OldCode = Known ? Known->Code.get() : Loaded.get();
  Expected<std::unique_ptr<Program>> NewCode = Program::load(New, {Kernel.New.Mangled});
  if (!NewCode)
    return Fail(NewCode.takeError());
  SharedArrays OldArrays(Old, Kernel.Old, *OldCode), NewArrays(New, Kernel.New, **NewCode);
  const std::string Hidden =
      Kernel.Undescribed ? hiddenFromRuns(Kernel, *OldCode, **NewCode, Options) : "";
  AllData Data(Old, New, Kernel, Known ? Known->Numbered.get() : nullptr);
  MovedOriginal Moved(Old, Kernel);
  if (Kernel.Search) {
    SearchedKernel Both = {Old,     Kernel, *OldCode, **NewCode, OldArrays, NewArrays,
                           Options, Say,    Data,     Moved,     Known};
    Both.Hidden = Hidden;
    return runSearched(Both);
  }
  for (const ConcreteLaunch &L : Kernel.Launches) {
    VerifyCase Case = started(Kernel, L);
    Case.Hidden = Hidden;
    Version A(*OldCode, OldArrays, Kernel.Old, L, Options, /*New=*/false);
    Version B(**NewCode, NewArrays, Kernel.New, L, Options, /*New=*/true);
    runCase(Case, A, B, L, Options, Moved, [&] { Say((NewVersionRuns + "\n").str()); });
    if (Options.DataOfDescribed)
      Data.look(Case, OldArrays, NewArrays, L, Options);
    erase_if(Case.Guards, [](const VerifyGuard &G) { return G.At.Line == 0; });
    Emit(Case);
  }
}

} // namespace

struct SearchedOriginals::Known {
  std::map<std::string, SearchedOriginal> Kernels;

  /// Null: it cannot be loaded.
  const SearchedOriginal *searched(const DeviceModule &Module, const VerifyKernel &Kernel,
                                   const VerifyOptions &Options) {
    SearchedOriginal &O = Kernels[Kernel.Old.Mangled];
    if (!O.Code) {
      Expected<std::unique_ptr<Program>> Code =
          Program::load(Module, {Kernel.Old.Mangled}, /*WithHints=*/true);
      if (!Code) {
        consumeError(Code.takeError()); // who loads it next says so
        return nullptr;
      }
      emulator::catchCrashes();
      O.Code = std::move(*Code);
    }
    if (Options.DataOfFound && !O.Numbered) {
      Expected<std::unique_ptr<Program>> Numbered =
          Program::load(Module, {Kernel.Old.Mangled}, /*WithHints=*/false, /*Numbered=*/true);
      if (!Numbered)
        consumeError(Numbered.takeError()); // who needs it says so
      else
        O.Numbered = std::move(*Numbered);
    }
    for (const SearchLimits &Limits : searchesFor(Kernel, Options))
      if (auto [At, New] = O.Found.try_emplace(SearchedOriginal::key(Limits)); New)
        At->second = searchLaunches(*O.Code, Module, Kernel.Old, Limits);
    return &O;
  }
};
SearchedOriginals::SearchedOriginals() : Of(std::make_unique<Known>()) {}
SearchedOriginals::~SearchedOriginals() = default;

std::vector<VerifyCase> emulate(const DeviceModule &Old, const DeviceModule &New,
                                ArrayRef<VerifyKernel> Kernels, const VerifyOptions &Options,
                                SearchedOriginals *Originals) {
  std::vector<VerifyCase> Result;
  for (const VerifyKernel &Kernel : Kernels) {
    const SearchedOriginal *Known =
        Originals && Kernel.Search ? Originals->Of->searched(Old, Kernel, Options) : nullptr;
    IsolatedRun Run = isolate(
        [&](function_ref<void(StringRef)> Say) {
          runKernel(Old, New, Kernel, Options, Known, Say);
        },
        Options.TimeoutSeconds);
    size_t Done = 0;
    bool AtNew = false;
    SmallVector<StringRef> Lines;
    StringRef(Run.Output).split(Lines, '\n', -1, /*KeepEmpty=*/false);
    for (StringRef Line : Lines) {
      AtNew = Line == NewVersionRuns;
      if (AtNew)
        continue;
      Expected<json::Value> Value = json::parse(Line);
      VerifyCase Case;
      json::Path::Root Root;
      if (!Value) {
        consumeError(Value.takeError()); // cut short by a crash
        break;
      }
      if (!fromJSON(*Value, Case, Root))
        break;
      Result.push_back(std::move(Case));
      ++Done;
    }
    // What the child did not get to. The first of these is the one that it was at; of launches that
    // it has found itself nobody knows more.
    const bool CutShort = Kernel.Search && (Run.End != IsolatedRun::Finished || Done == 0);
    for (size_t I = Done; I < (CutShort ? Done + 1 : Kernel.Launches.size()); ++I) {
      VerifyCase Case = started(Kernel, CutShort ? ConcreteLaunch() : Kernel.Launches[I]);
      if (CutShort) {
        Case.Case = "searched for";
        Case.Found = true;
      }
      Case.Result = Verdict::CannotTell;
      if (I == Done) {
        VerifyFault F;
        F.Kind = Run.End == IsolatedRun::TimedOut ? "timeout" : "crash";
        F.What = (AtNew ? "the new version: " : "the original: ") + Run.Problem;
        // A run that takes long may still come to an end; one that crashed has.
        if (AtNew && Run.End == IsolatedRun::Crashed)
          Case.Result = Verdict::Fail;
        Case.Reason = F.What;
        Case.Fault = std::move(F);
      } else {
        Case.Reason = "not run, because the case before it did not end";
      }
      Result.push_back(std::move(Case));
    }
  }
  return Result;
}

} // namespace cuda_pipeline
