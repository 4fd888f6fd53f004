//===- CheckSass.cpp - Two versions, several GPUs -------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   1. compile   both versions for each architecture, some at a time
//   2. read      code, lines, what ptxas says; the disassembler's words where there is one
//   3. pair      loops of the two versions
//   4. judge     each kernel that has a pair
//
//===----------------------------------------------------------------------===//

#include "../../Support/Isolate.h"
#include "../../Support/Messages.h"
#include "../../Support/RunLimited.h"
#include "Decode.h"
#include "cuda-pipeline/GpuTarget.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include <map>
#include <set>

using namespace llvm;

namespace cuda_pipeline {

char SassError::ID;

namespace {

std::string contentsOf(const Twine &Path) {
  auto Buffer = MemoryBuffer::getFile(Path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  return Buffer ? (*Buffer)->getBuffer().str() : "";
}

/// Runs \p Words with all that they print in \p Log. Less than 0: not run, or not to the end.
int runProgram(ArrayRef<std::string> Words, StringRef Log, unsigned Seconds, std::string &Problem) {
  // Whoever has put the words together: one that reaches a shell is not run.
  for (const std::string &Word : drop_begin(Words))
    if (runsInShell(Word)) {
      Problem = "'" + Word + "' is not passed to nvcc, which would have a shell run what is in it";
      return -1;
    }
  return runLimited(Words.vec(), Log, Seconds, Problem);
}

/// "V13.0.88" of what `--version` prints.
std::string versionOf(StringRef Program, StringRef Folder) {
  const std::string Log = (Folder + "/version").str();
  std::string Problem;
  if (runProgram({Program.str(), "--version"}, Log, 60, Problem) != 0)
    return "";
  const std::string Text = contentsOf(Log);
  StringRef Rest = StringRef(Text).split(", V").second;
  return Rest.take_while([](char C) { return isDigit(C) || C == '.'; }).str();
}

/// One version for one architecture.
struct Unit {
  const SassVersion *Version = nullptr;
  std::string Arch, Folder; ///< of the version's text, and of what is made of it
  std::string Stem;         ///< of the files that are made
  std::vector<SassFunction> Functions;
  bool Disassembled = false;
  unsigned Differences = 0;
  bool Failed = false; ///< the original, where nobody asks for more of it than to be compared with

  std::string path(StringRef Suffix) const { return Folder + "/" + Stem + Suffix.str(); }
};

/// What ptxas -v says, by symbol:
///     ptxas info    : Function properties for _Z4gemmPKf
///         0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
///     ptxas info    : Used 40 registers, used 1 barriers, 2048 bytes smem, ...
StringMap<SassResources> resourcesIn(StringRef Log) {
  StringMap<SassResources> Out;
  SassResources *Current = nullptr;
  auto Before = [](StringRef Line, StringRef What) {
    uint64_t Value = 0;
    StringRef Number = Line.take_front(std::min(Line.find(What), Line.size())).rtrim();
    Number = Number.drop_front(
        Number.find_last_of(" ,:") == StringRef::npos ? 0 : Number.find_last_of(" ,:") + 1);
    return Line.contains(What) && !Number.getAsInteger(10, Value) ? Value : 0;
  };
  while (!Log.empty()) {
    StringRef Line;
    std::tie(Line, Log) = Log.split('\n');
    if (size_t At = Line.find("Function properties for "); At != StringRef::npos)
      Current = &Out[Line.drop_front(At + 24).trim()];
    else if (Current && Line.contains("bytes stack frame")) {
      Current->StackBytes = Before(Line, " bytes stack frame");
      Current->SpillStoreBytes = Before(Line, " bytes spill stores");
      Current->SpillLoadBytes = Before(Line, " bytes spill loads");
    } else if (Current && Line.contains("Used ") && Line.contains(" registers")) {
      Current->Registers = unsigned(Before(Line, " registers"));
      Current->SharedBytes = Before(Line, " bytes smem");
      Current = nullptr;
    }
  }
  return Out;
}

//===--- 1. and 2. ---------------------------------------------------------===//

class Compiler {
public:
  /// \p Resources: what ptxas says is all that is wanted, and the original may be one that nvcc
  /// does not compile.
  explicit Compiler(const SassRequest &R, bool Resources = false)
      : R(R), OnlyResources(Resources) {}

  /// The units of each architecture, old and new in turns.
  Expected<std::vector<Unit>> compile(std::string &CompilerName, std::string &DisassemblerName) {
    if (!sys::fs::can_execute(R.Nvcc))
      return make_error<SassError>(true, "no nvcc at '" + R.Nvcc +
                                             "'; --cuda-path=DIR names a CUDA toolkit");
    SmallString<128> Folder;
    if (std::error_code EC = sys::fs::createUniqueDirectory("cuda-pipeline-sass", Folder))
      return make_error<SassError>(true, "no temporary folder: " + EC.message());
    scope_exit Remove([&] { sys::fs::remove_directories(Folder); });
    CompilerName = "nvcc " + versionOf(R.Nvcc, Folder);
    DisassemblerName = "built-in";
    if (!R.Disassembler.empty())
      DisassemblerName =
          sys::path::filename(R.Disassembler).str() + " " + versionOf(R.Disassembler, Folder);

    std::vector<Unit> Units;
    std::vector<const SassVersion *> Versions = {&R.Old, &R.New};
    for (const SassVersion *V : Versions) {
      const std::string Sub = (Folder + (V == &R.Old ? "/old" : "/new")).str();
      std::error_code EC = sys::fs::create_directory(Sub);
      if (!EC) {
        raw_fd_ostream OS(Sub + "/" + sys::path::filename(V->File).str(), EC);
        if (!EC)
          OS << V->Text;
        if (!R.Instantiate.empty()) {
          raw_fd_ostream Wrapper(Sub + "/cuda-pipeline-kernels.cu", EC);
          if (!EC)
            writeWrapper(*V, Wrapper);
        }
      }
      if (EC)
        return make_error<SassError>(true, "cannot write to a temporary folder: " + EC.message());
    }
    for (const std::string &Arch : R.Archs)
      for (const SassVersion *V : Versions) {
        Unit U;
        U.Version = V;
        U.Arch = Arch;
        U.Folder = (Folder + (V == &R.Old ? "/old" : "/new")).str();
        U.Stem = "cuda-pipeline-" + Arch;
        Units.push_back(std::move(U));
      }

    std::optional<std::string> Problem;
    isolateAll(
        unsigned(Units.size()), std::max(1u, R.Jobs),
        [&](unsigned) { return double(2 * R.TimeoutSeconds + 5); },
        [&](unsigned K, EmitText Emit) { Emit(build(Units[K])); },
        [&](unsigned K, IsolatedRun Run) {
          if (Run.End != IsolatedRun::Finished)
            Run.Output = "it did not end: " + Run.Problem;
          if (!Run.Output.empty() && OnlyResources && Units[K].Version == &R.Old)
            Units[K].Failed = true;
          else if (!Run.Output.empty() && !Problem)
            Problem =
                formatv("'{0}' for {1}: {2}", Units[K].Version->File, Units[K].Arch, Run.Output)
                    .str();
        });
    if (Problem)
      return make_error<SassError>(false, "nvcc does not compile " + *Problem);
    for (Unit &U : Units)
      if (!U.Failed)
        if (Error E = read(U)) {
          if (!OnlyResources)
            return E;
          consumeError(std::move(E)); // a form of file that is not known
          U.Failed = true;
        }
    return Units;
  }

private:
  const SassRequest &R;
  const bool OnlyResources;

  /// Templates are compiled for what the launch description names; a pointer is use enough.
  void writeWrapper(const SassVersion &V, raw_ostream &OS) const {
    OS << "#include \"" << sys::path::filename(V.File) << "\"\n";
    for (const auto &[N, Kernel] : enumerate(R.Instantiate))
      OS << "auto *const cuda_pipeline_kernel_" << N << " = &" << Kernel << ";\n";
  }

  /// What is wrong; empty: nothing. In a process of its own.
  std::string build(const Unit &U) const {
    std::vector<std::string> Words = {R.Nvcc, "-cubin",          "-O3",
                                      "-w",   "-lineinfo",       "-Xptxas",
                                      "-v",   "-arch=" + U.Arch, "-I" + U.Folder};
    if (none_of(R.NvccFlags,
                [](StringRef F) { return F.starts_with("-std") || F.starts_with("--std"); }))
      Words.push_back("-std=c++17");
    Words.insert(Words.end(), R.NvccFlags.begin(), R.NvccFlags.end());
    Words.insert(Words.end(), {"-x", "cu", "-o", U.path(".cubin"),
                               R.Instantiate.empty()
                                   ? U.Folder + "/" + sys::path::filename(U.Version->File).str()
                                   : U.Folder + "/cuda-pipeline-kernels.cu"});
    std::string Problem;
    int Code = runProgram(Words, U.path(".log"), R.TimeoutSeconds, Problem);
    if (Code != 0)
      return Code < 0 && !Problem.empty() ? Problem : tellingLine(contentsOf(U.path(".log")));
    if (R.Disassembler.empty() || OnlyResources)
      return "";
    const bool IsNvdisasm = sys::path::filename(R.Disassembler).contains("nvdisasm");
    Code = runProgram({R.Disassembler, IsNvdisasm ? "-c" : "-sass", U.path(".cubin")},
                      U.path(".sass"), R.TimeoutSeconds, Problem);
    // It may be older than the compiler. What is built in knows as much as is needed.
    if (Code != 0)
      sys::fs::remove(U.path(".sass"));
    return "";
  }

  Error read(Unit &U) const {
    Expected<std::vector<SassFunction>> Functions =
        readCubin(contentsOf(U.path(".cubin")), U.Arch, sys::path::filename(U.Version->File));
    if (!Functions)
      return make_error<SassError>(true, toString(Functions.takeError()));
    U.Functions = std::move(*Functions);
    if (std::string Text = contentsOf(U.path(".sass")); !Text.empty()) {
      std::vector<SassFunction> With = U.Functions;
      if (Error E = applyDisassembly(Text, With))
        consumeError(std::move(E));
      else {
        for (auto [A, B] : zip(U.Functions, With))
          for (auto [X, Y] : zip(A.Code, B.Code))
            U.Differences += X.Class != Y.Class || X.Conditional != Y.Conditional ? 1 : 0;
        U.Functions = std::move(With);
        U.Disassembled = true;
      }
    }
    const std::string Log = contentsOf(U.path(".log"));
    StringMap<SassResources> Said = resourcesIn(Log);
    for (SassFunction &F : U.Functions)
      if (auto It = Said.find(F.Symbol); It != Said.end())
        F.Resources = It->second;
    return Error::success();
  }
};

//===--- 3. ----------------------------------------------------------------===//

std::string linesOf(StringRef Text, const SassSourceLoop &L) {
  std::string Out;
  for (unsigned Line = 1; !Text.empty() && Line <= L.EndLine; ++Line) {
    auto [Here, Rest] = Text.split('\n');
    Text = Rest;
    if (Line >= L.Line)
      for (char C : Here)
        if (!isSpace(C))
          Out += C;
  }
  return Out;
}

struct LoopPairs {
  std::vector<std::pair<unsigned, unsigned>> Pairs; ///< numbers, old and new
  std::vector<unsigned> Alone; ///< new ones that the old version has nothing for
};

/// Loops of one function that are the same one. \p A, \p B: their numbers, old and new, in the
/// order of the text.
void pairInFunction(const SassVersion &Old, const SassVersion &New, std::vector<unsigned> A,
                    const std::vector<unsigned> &B, LoopPairs &Out) {
  auto TextA = [&](unsigned I) { return linesOf(Old.Text, Old.Loops[I]); };
  auto TextB = [&](unsigned I) { return linesOf(New.Text, New.Loops[I]); };
  // As it was, and not looked at: what both have, as often as both have it.
  std::multiset<std::string> InOld;
  for (unsigned I : A)
    InOld.insert(TextA(I));
  std::vector<unsigned> Changed, Same;
  for (unsigned I : B) {
    auto It = InOld.find(TextB(I));
    (It == InOld.end() ? Changed : Same).push_back(I);
    if (It != InOld.end())
      InOld.erase(It);
  }
  // A loop that asks something of its launch has the one that it was behind it, for other launches.
  size_t More = B.size() > A.size() ? B.size() - A.size() : 0;
  for (size_t N = 0; N + 1 < B.size() && More != 0; ++N) {
    auto Of = find_if(A, [&](unsigned I) { return TextA(I) == TextB(B[N + 1]); });
    if (!is_contained(Changed, B[N]) || !is_contained(Same, B[N + 1]) || Of == A.end())
      continue;
    Out.Pairs.push_back({*Of, B[N]});
    A.erase(Of);
    erase(Changed, B[N]);
    erase(Same, B[N + 1]);
    --More;
  }
  for (unsigned I : Same)
    if (auto Of = find_if(A, [&](unsigned O) { return TextA(O) == TextB(I); }); Of != A.end())
      A.erase(Of);
  for (size_t N = 0; N != Changed.size(); ++N)
    if (N < A.size())
      Out.Pairs.push_back({A[N], Changed[N]});
    else
      Out.Alone.push_back(Changed[N]);
}

/// A loop that is in both versions as it was is not looked at, unless all are.
LoopPairs pairLoops(const SassVersion &Old, const SassVersion &New) {
  std::map<std::string, std::pair<std::vector<unsigned>, std::vector<unsigned>>> ByFunction;
  for (unsigned I = 0; I != Old.Loops.size(); ++I)
    ByFunction[Old.Loops[I].Function].first.push_back(I);
  for (unsigned I = 0; I != New.Loops.size(); ++I)
    ByFunction[New.Loops[I].Function].second.push_back(I);
  LoopPairs Out;
  for (const auto &[Function, Loops] : ByFunction)
    pairInFunction(Old, New, Loops.first, Loops.second, Out);
  if (Out.Pairs.empty() && Out.Alone.empty())
    for (const auto &[Function, Loops] : ByFunction)
      for (auto [A, B] : zip(Loops.first, Loops.second))
        Out.Pairs.push_back({A, B});
  llvm::sort(Out.Pairs, [](auto &X, auto &Y) { return X.second < Y.second; });
  return Out;
}

//===--- 4. ----------------------------------------------------------------===//

/// Without what nvcc puts into the name of a static kernel: it depends on the file.
std::string keyOf(const SassFunction &F) {
  return StringRef(F.Symbol).contains("__nv_static") ||
                 F.Name.find("(anonymous") != std::string::npos
             ? F.Name.substr(F.Name.rfind(':') == std::string::npos ? 0 : F.Name.rfind(':'))
             : F.Symbol;
}

double share(const SassLoop &L) { return L.Loads == 0 ? 0 : double(L.OverlappingLoads) / L.Loads; }

/// Reads move into and out of loops within, whose number of turns is not known here; twice as many
/// is more than that.
constexpr double MoreReads = 1.9;

class Judge {
public:
  /// \p Threads: of its block; 0: not known.
  Judge(SassKernel &K, StringRef Arch, unsigned Threads)
      : K(K), Gpu(GpuTarget::find(Arch)), Threads(Threads) {}

  void judge() {
    K.Result = Verdict::Pass;
    for (size_t I = 0; I != K.New.Loops.size(); ++I)
      loop(K.Old.Loops[I], K.New.Loops[I]);
    compareCompute();
    if (K.New.Resources.SpillStoreBytes + K.New.Resources.SpillLoadBytes >
        K.Old.Resources.SpillStoreBytes + K.Old.Resources.SpillLoadBytes)
      fail(
          formatv(
              "registers spill: {0} bytes are stored and {1} loaded per thread, before {2} and {3}",
              K.New.Resources.SpillStoreBytes, K.New.Resources.SpillLoadBytes,
              K.Old.Resources.SpillStoreBytes, K.Old.Resources.SpillLoadBytes)
              .str(),
          {"stage less in registers: --variant=cp-async needs none for the next tile, a smaller "
           "tile or a larger block fewer per thread"});
    if (K.Result != Verdict::Pass && Gpu) {
      const Occupancy Before = blocks(K.Old.Resources), After = blocks(K.New.Resources);
      if (After.Blocks < Before.Blocks && After.Limiter == OccupancyLimiter::SharedMemory)
        remedy(formatv("halve a side of the tile that is loaded per step: shared memory leaves "
                       "room for {0} block{1} per SM, before for {2}",
                       After.Blocks, After.Blocks == 1 ? "" : "s", Before.Blocks)
                   .str());
      else if (After.Blocks < Before.Blocks && After.Limiter == OccupancyLimiter::Registers)
        remedy(formatv("stage less in registers: there are enough for {0} block{1} per SM, before "
                       "for {2}; --variant=cp-async needs none for the next tile",
                       After.Blocks, After.Blocks == 1 ? "" : "s", Before.Blocks)
                   .str());
      remedy("mind that prologue and epilogue pay from about four tiles on");
    }
  }

private:
  SassKernel &K;
  const GpuTarget *Gpu;
  const unsigned Threads;

  /// Without the size of the block registers say nothing.
  Occupancy blocks(const SassResources &R) const {
    return computeOccupancy(*Gpu, Threads ? Threads : 32, R.SharedBytes, Threads ? R.Registers : 0);
  }

  void remedy(std::string Text) {
    if (!is_contained(K.Remedies, Text))
      K.Remedies.push_back(std::move(Text));
  }
  void say(const std::string &Text) { K.Reason += (K.Reason.empty() ? "" : "; ") + Text; }
  void fail(const std::string &Text, std::vector<std::string> Remedies) {
    K.Result = Verdict::Fail;
    say(Text);
    for (std::string &R : Remedies)
      remedy(std::move(R));
  }

  void loop(const SassLoop &Old, const SassLoop &New) {
    const std::string Where = New.Line == 0 ? "" : formatv("line {0}: ", New.Line).str();
    if (Old.ReadsPerCompute && New.ReadsPerCompute &&
        *New.ReadsPerCompute > MoreReads * *Old.ReadsPerCompute)
      remedy(formatv("{0}the tile is read with {1:F2} instructions for one of compute, before with "
                     "{2:F2}: give its rows and stages a multiple of 16 "
                     "bytes, so that the compiler may read several elements at once",
                     Where, *New.ReadsPerCompute, *Old.ReadsPerCompute)
                 .str());
    switch (New.Overlap) {
    case SassOverlap::Overlapped:
      return;
    case SassOverlap::NoLoads:
    case SassOverlap::CannotTell:
      if (K.Result == Verdict::Pass)
        K.Result = Verdict::CannotTell;
      say(Where + New.Why);
      return;
    case SassOverlap::Partial:
      if (share(New) > share(Old) ||
          (New.OverlappingLoads == New.Loads && Old.OverlappingLoads < Old.Loads))
        return;
      fail(Where + New.Why +
               (share(Old) > 0 ? "; the compiler overlaps as much of the original by itself" : ""),
           remediesOf(New));
      return;
    case SassOverlap::Serialized:
      fail(Where + "serialized: " + New.Why, remediesOf(New));
      return;
    }
  }

  static std::vector<std::string> remediesOf(const SassLoop &New) {
    const bool Registers = any_of(
        New.Counts, [](auto &C) { return C.first == SassClass::LDG || C.first == SassClass::LD; });
    std::vector<std::string> Out;
    if (New.EndedBy == SassClass::DEPBAR)
      Out.push_back("wait for the tile before, and not for the one whose copies have just been "
                    "started: __pipeline_wait_prior(1) with two stages");
    if (New.BarrierBetween)
      Out.push_back(
          "start the loads behind the barrier that the compute needs, not in front of it");
    if (Registers && New.EndedBy == SassClass::Other && New.EndedWidth < 4)
      Out.push_back("load 4 bytes or more at a time: what is narrower is packed, or converted, as "
                    "soon as it is there");
    if (Registers)
      Out.push_back("--variant=cp-async: the compiler does not move asynchronous copies");
    if (New.EndedBy != SassClass::DEPBAR)
      Out.push_back("'#pragma unroll 1' at the main loop; load and compute in functions of their "
                    "own; or 'asm volatile(\"\" ::: \"memory\");' between them");
    return Out;
  }

  void compareCompute() {
    bool All = true, Equal = true;
    for (size_t I = 0; I != K.New.Loops.size(); ++I) {
      const SassLoop &Old = K.Old.Loops[I], &New = K.New.Loops[I];
      if (Old.Steps == 0 || New.Steps == 0 || Old.ComputeInLoops || New.ComputeInLoops ||
          Old.Unrolled || New.Unrolled) {
        All = false;
        continue;
      }
      Equal &= uint64_t(Old.Compute) * New.Steps == uint64_t(New.Compute) * Old.Steps;
    }
    K.Compute = K.New.Loops.empty() || (!All && Equal) ? SassCompute::NotComparable
                : Equal                                ? SassCompute::Equal
                                                       : SassCompute::Differs;
  }
};

} // namespace

StringRef toString(SassCompute C) {
  switch (C) {
  case SassCompute::Equal:
    return "equal";
  case SassCompute::Differs:
    return "differs";
  case SassCompute::NotComparable:
    return "not-comparable";
  }
  llvm_unreachable("unknown comparison");
}

Verdict SassArch::verdict() const { return verdictOf(Kernels); }

Verdict SassReport::verdict() const {
  return verdictOf(Archs, [](const SassArch &A) { return A.verdict(); });
}

/// How the new version of a kernel is worse off; empty: it is not.
static std::vector<std::string> worse(const SassFunction &Old, const SassFunction &New,
                                      const GpuTarget *Gpu, unsigned Block) {
  const SassResources &Was = Old.Resources, &Is = New.Resources;
  std::vector<std::string> Out;
  if (Is.SpillStoreBytes + Is.SpillLoadBytes > Was.SpillStoreBytes + Was.SpillLoadBytes)
    Out.push_back(formatv(
        "registers spill: {0} bytes are stored and {1} loaded per thread, before {2} and {3}",
        Is.SpillStoreBytes, Is.SpillLoadBytes, Was.SpillStoreBytes, Was.SpillLoadBytes));
  auto Launches = [&](const SassResources &R) {
    return computeOccupancy(*Gpu, Block, 0, R.Registers).Blocks != 0;
  };
  if (Gpu && Block && !Launches(Is) && Launches(Was))
    Out.push_back(formatv(
        "a block of {0} threads does not launch any more: {1} registers per thread, before {2}",
        Block, Is.Registers, Was.Registers));
  return Out;
}

Expected<std::vector<std::string>> compareResources(const SassRequest &Request) {
  std::string CompilerName, DisassemblerName;
  Expected<std::vector<Unit>> Units =
      Compiler(Request, /*Resources=*/true).compile(CompilerName, DisassemblerName);
  if (!Units)
    return Units.takeError();
  std::vector<std::string> Complaints;
  for (size_t N = 0; N != Request.Archs.size(); ++N) {
    const Unit &Before = (*Units)[2 * N], &After = (*Units)[2 * N + 1];
    for (const SassFunction &F : After.Functions) {
      auto Same =
          find_if(Before.Functions, [&](const SassFunction &O) { return keyOf(O) == keyOf(F); });
      if (Same == Before.Functions.end())
        continue;
      auto Block = Request.Blocks.find(F.Symbol);
      for (const std::string &What :
           worse(*Same, F, GpuTarget::find(Request.Archs[N]),
                 Block == Request.Blocks.end() ? Request.Block : Block->second))
        Complaints.push_back(formatv("{0} for {1}: {2}", F.Name, Request.Archs[N], What));
    }
  }
  return Complaints;
}

Expected<std::vector<KernelResources>> countResources(const SassRequest &Request) {
  std::string CompilerName, DisassemblerName;
  Expected<std::vector<Unit>> Units = Compiler(Request).compile(CompilerName, DisassemblerName);
  if (!Units)
    return Units.takeError();
  std::vector<KernelResources> Out;
  for (size_t N = 0; N != Request.Archs.size(); ++N)
    for (const SassFunction &F : (*Units)[2 * N + 1].Functions)
      for (const SassFunction &O : (*Units)[2 * N].Functions)
        if (keyOf(O) == keyOf(F)) {
          Out.push_back({Request.Archs[N], F.Name, F.Symbol, O.Resources, F.Resources});
          break;
        }
  return Out;
}

Expected<SassReport> checkSass(const SassRequest &Request) {
  std::string CompilerName, DisassemblerName;
  Expected<std::vector<Unit>> Units = Compiler(Request).compile(CompilerName, DisassemblerName);
  if (!Units)
    return Units.takeError();
  // Where no loop is known the machine's own is looked for.
  SassVersion Old = Request.Old, New = Request.New;
  if (Old.Loops.empty() || New.Loops.empty())
    Old.Loops = New.Loops = {SassSourceLoop()};
  const LoopPairs Loops = pairLoops(Old, New);

  SassReport Report;
  Report.Old = Old.File;
  Report.New = New.File;
  for (size_t N = 0; N != Request.Archs.size(); ++N) {
    SassArch A;
    A.Arch = Request.Archs[N];
    A.Compiler = CompilerName;
    const Unit &First = (*Units)[2 * N], &Second = (*Units)[2 * N + 1];
    A.Disassembler = First.Disassembled && Second.Disassembled ? DisassemblerName : "built-in";
    A.Differences = First.Differences + Second.Differences;
    std::set<unsigned> Seen; // new loops
    const std::vector<SassFunction> &Before = (*Units)[2 * N].Functions,
                                    &After = (*Units)[2 * N + 1].Functions;
    for (const SassFunction &F : After) {
      auto Same = find_if(Before, [&](const SassFunction &O) { return keyOf(O) == keyOf(F); });
      if (Same == Before.end())
        continue;
      SassKernel K;
      K.Kernel = F.Name;
      K.Symbol = F.Symbol;
      K.Old.Resources = Same->Resources;
      K.New.Resources = F.Resources;
      unsigned Threads = 0;
      for (auto [O, P] : Loops.Pairs) {
        std::optional<SassLoop> InOld = analyseLoop(*Same, Old.Loops[O]),
                                InNew = analyseLoop(F, New.Loops[P]);
        if (!InOld || !InNew)
          continue; // of another kernel
        Seen.insert(P);
        Threads = std::max({Threads, Old.Loops[O].BlockThreads, New.Loops[P].BlockThreads});
        K.Old.Loops.push_back(std::move(*InOld));
        K.New.Loops.push_back(std::move(*InNew));
      }
      if (K.New.Loops.empty())
        continue;
      Judge(K, A.Arch, Threads).judge();
      A.Kernels.push_back(std::move(K));
    }
    // Other loops that pass prove nothing for one of which there is no code. Without any the
    // verdict is a doubt as it is.
    const bool SomePass = !A.Kernels.empty();
    auto Doubt = [&](unsigned Loop, const char *Why) {
      if (!SomePass)
        return;
      SassKernel K;
      K.Kernel = formatv("line {0}", New.Loops[Loop].Line).str();
      K.Reason = Why;
      A.Kernels.push_back(std::move(K));
    };
    for (auto [O, P] : Loops.Pairs)
      if (!Seen.count(P))
        Doubt(P, "no kernel has code of this loop in both versions; a template counts where it is "
                 "instantiated");
    for (unsigned P : Loops.Alone)
      Doubt(P, "the old version has no loop that it could have been");
    Report.Archs.push_back(std::move(A));
  }
  return Report;
}

} // namespace cuda_pipeline
