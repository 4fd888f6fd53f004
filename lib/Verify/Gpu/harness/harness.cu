//===- harness.cu - Versions of a file against each other on a GPU --------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// For every case of cases.h and every seed: the old version and each new one run on the same fresh
/// data, and everything that they leave behind is compared bit for bit. Around every buffer lies a
/// guard zone that must stay as it was, and inputs must, too. Outputs start poisoned, and so does
/// shared memory. Then those that agree are timed in turns, on the same memory, and are compared once
/// more: as many launches in a row must lead to the same contents. A version that is wrong is not
/// timed.
///
/// What differs is tried again: the old version against itself (a kernel that is not
/// deterministic proves nothing), and both without contraction of multiplications and additions.
///
/// Made for `bench` (CPR_BENCH), the harness measures on until the ratios are known well enough, times
/// the versions that have a part left out, measures what the device can do at most, and may ask the
/// profiler what warps wait for.
///
/// The result is printed and written to result.json. Exit code: 0 everything agrees, 1 not, 2 the
/// harness could not do its work, 4 there is no GPU.
///
//===----------------------------------------------------------------------===//

#include "cpr-harness/Fill.cpp"
#include "cpr-harness/cases.h"
#include "cpr-harness/ceilings.h"
#include "cpr-harness/clocks.h"
#include "cpr-harness/statistics.h"
#include "cpr-harness/tables.h"
#include <algorithm>
#include <cctype>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>
#ifdef __CUDACC__
#include <cuda_profiler_api.h>
#endif

namespace {

using namespace cpr_harness;
namespace fill = cuda_pipeline::fill;
namespace statistics = cuda_pipeline::statistics;
using Bytes = std::vector<unsigned char>;

constexpr int Count = sizeof(Versions) / sizeof(Versions[0]);

struct Options {
  std::vector<uint64_t> Seeds = CPR_SEEDS;
  int Rounds = CPR_ROUNDS; ///< of bench: 0 for as many as it takes
  double Timeout = CPR_TIMEOUT;
  double TimeLimit = CPR_TIME_LIMIT; ///< of bench: seconds of timing for a case
  bool Cold = CPR_COLD;
  std::string Ncu = CPR_NCU; ///< the profiler's program; empty: none
  // Large enough to catch a row or a tile beside the buffer, and keeps the buffer's alignment.
  size_t Guard = 4096;
  bool PoisonShared = true;
  std::string Result;
  int Progress = -1; ///< a descriptor for lines about the state
  std::vector<std::pair<int, int>> Profile; ///< case, version: launch these for the profiler, and do nothing else
};

struct Difference {
  std::string Buffer, OldBits, NewBits, OldValue, NewValue;
  uint64_t Index = 0, Count = 0;
};

/// Of one version in one case; of the old one about itself.
struct Finding {
  // pass, fail or cannot-tell; the kind is for programs, the reason for people.
  std::string Verdict = "cannot-tell", Kind = "not-run", Reason = "not run";
  uint64_t Seed = 0;
  bool Differs = false;
  Difference First;
  std::vector<double> Microseconds; ///< per launch, round by round; empty: not timed
  int PerRound = 0;
  std::map<std::string, double> Stalls; ///< warps that wait for something, on average
  size_t Shared = 0; ///< dynamic, bytes
};

struct Outcome {
  const Case *C = nullptr;
  uint64_t Launches = 0;
  std::vector<Finding> Of = std::vector<Finding>(Count); ///< by version
  /// What the case comes to: the first version that fails, else the first that does not pass. -1: all pass.
  int worst() const {
    int Worst = -1;
    for (int V = 0; V < Count; ++V) {
      if (Versions[V].ablated())
        continue;
      if (Of[V].Verdict == "fail")
        return V;
      if (Of[V].Verdict != "pass" && Worst < 0)
        Worst = V;
    }
    return Worst;
  }
  std::string verdict() const { return worst() < 0 ? "pass" : Of[worst()].Verdict; }
};

Options Settings;
std::string Folder, Self;
std::vector<Outcome> Outcomes;
cudaDeviceProp Device;
int DriverVersion = 0, RuntimeVersion = 0;
Ceilings Most;
Clocks AtClocks;
std::string NcuProblem;

void progress(const std::string &Text) {
  if (Settings.Progress >= 0)
    dprintf(Settings.Progress, "%s\n", Text.c_str());
}

//===----------------------------------------------------------------------===//
// The result
//===----------------------------------------------------------------------===//

std::string quoted(const std::string &Text) {
  std::string Result = "\"";
  for (unsigned char C : Text) {
    char Escape[8];
    if (C == '"' || C == '\\')
      Result += '\\';
    if (C < 0x20) {
      std::snprintf(Escape, sizeof(Escape), "\\u%04x", C);
      Result += Escape;
    } else {
      Result += static_cast<char>(C);
    }
  }
  return Result + "\"";
}

std::string version(int V) {
  return std::to_string(V / 1000) + "." + std::to_string(V % 1000 / 10);
}

std::string verdict() {
  std::string All = "pass";
  for (const Outcome &O : Outcomes) {
    const std::string V = O.verdict();
    if (V == "fail")
      return "fail";
    if (V != "pass")
      All = "cannot-tell";
  }
  return All;
}

void writeFinding(std::FILE *F, const Finding &O) {
  std::fprintf(F, "\"verdict\": \"%s\", \"kind\": \"%s\",\n     \"reason\": %s, \"seed\": %llu", O.Verdict.c_str(),
               O.Kind.c_str(), quoted(O.Reason).c_str(), static_cast<unsigned long long>(O.Seed));
  if (O.Differs)
    std::fprintf(F,
                 ",\n     \"difference\": {\"buffer\": %s, \"index\": %llu, \"count\": %llu, "
                 "\"old_bits\": %s, \"new_bits\": %s, \"old_value\": %s, \"new_value\": %s}",
                 quoted(O.First.Buffer).c_str(), static_cast<unsigned long long>(O.First.Index),
                 static_cast<unsigned long long>(O.First.Count), quoted(O.First.OldBits).c_str(),
                 quoted(O.First.NewBits).c_str(), quoted(O.First.OldValue).c_str(),
                 quoted(O.First.NewValue).c_str());
}

void writeVersion(std::FILE *F, int V, const Finding &O) {
  std::fprintf(F, "      {\"version\": %d, \"dynamic_shared_bytes\": %llu, ", V, static_cast<unsigned long long>(O.Shared));
  writeFinding(F, O);
  if (!O.Microseconds.empty()) {
    std::fprintf(F, ",\n     \"launches_per_round\": %d, \"us\": [", O.PerRound);
    for (size_t I = 0; I < O.Microseconds.size(); ++I)
      std::fprintf(F, "%s%.4f", I ? ", " : "", O.Microseconds[I]);
    std::fprintf(F, "]");
  }
  if (!O.Stalls.empty()) {
    std::fprintf(F, ",\n     \"stalls\": {");
    const char *Comma = "";
    for (const auto &Stall : O.Stalls) {
      std::fprintf(F, "%s%s: %.4f", Comma, quoted(Stall.first).c_str(), Stall.second);
      Comma = ", ";
    }
    std::fprintf(F, "}");
  }
  std::fprintf(F, "}");
}

bool timed(const Outcome &O) { return Count > 1 && !O.Of[0].Microseconds.empty() && !O.Of[1].Microseconds.empty(); }

bool writeResult() {
  // Renamed when complete, so that nobody reads half a result.
  const std::string Temporary = Settings.Result + ".part";
  std::FILE *F = std::fopen(Temporary.c_str(), "w");
  if (!F)
    return false;
  std::fprintf(
      F,
      "{\n  \"schema_version\": 1,\n  \"harness\": %s,\n  \"gpu\": %s,\n"
      "  \"compute_capability\": \"%d.%d\",\n  \"driver\": \"%s\",\n  \"runtime\": \"%s\",\n"
      "  \"arch\": %s,\n  \"verdict\": \"%s\",\n  \"seeds\": [",
      quoted(CPR_HARNESS).c_str(), quoted(Device.name).c_str(), Device.major, Device.minor,
      version(DriverVersion).c_str(), version(RuntimeVersion).c_str(), quoted(CPR_ARCH).c_str(),
      verdict().c_str());
  for (size_t I = 0; I < Settings.Seeds.size(); ++I)
    std::fprintf(F, "%s%llu", I ? ", " : "", static_cast<unsigned long long>(Settings.Seeds[I]));
  std::fprintf(F, "],\n");
  if (CPR_BENCH) {
    std::fprintf(F,
                 "  \"clocks\": {\"sm_mhz\": %.0f, \"sm_mhz_min\": %.0f, \"sm_mhz_max\": %.0f, \"mem_mhz\": %.0f, "
                 "\"source\": \"%s\"},\n"
                 "  \"ceilings\": {\"copy_gbps\": %.1f, \"ffma_gflops\": %.1f, \"dfma_gflops\": %.1f, \"tensor_gflops\": %.1f, "
                 "\"imma_gops\": %.1f},\n"
                 "  \"l2\": \"%s\",\n  \"ncu\": %s,\n",
                 AtClocks.sm(), AtClocks.least(), AtClocks.most(), AtClocks.memory(), AtClocks.source(), Most.CopyGBps,
                 Most.FfmaGflops, Most.DfmaGflops, Most.TensorGflops, Most.ImmaGops, Settings.Cold ? "cold" : "warm", quoted(NcuProblem).c_str());
  }
  std::fprintf(F, "  \"cases\": [");
  for (size_t I = 0; I < Outcomes.size(); ++I) {
    const Outcome &O = Outcomes[I];
    std::fprintf(F, "%s\n    {\"kernel\": %s, \"case\": %s, \"launches\": %llu,\n     ", I ? "," : "",
                 quoted(O.C->KernelName).c_str(), quoted(O.C->Name).c_str(), static_cast<unsigned long long>(O.Launches));
    writeFinding(F, O.Of[O.worst() < 0 ? Count > 1 ? 1 : 0 : O.worst()]);
    if (CPR_BENCH) {
      std::fprintf(F, ",\n     \"results\": [");
      for (int V = 0; V < Count; ++V) {
        std::fprintf(F, V ? ",\n" : "\n");
        writeVersion(F, V, O.Of[V]);
      }
      std::fprintf(F, "]");
    } else if (timed(O)) {
      std::fprintf(F,
                   ",\n     \"time\": {\"old_us\": %.3f, \"new_us\": %.3f, \"rounds\": %d, "
                   "\"launches_per_round\": %d}",
                   statistics::median(O.Of[0].Microseconds), statistics::median(O.Of[1].Microseconds),
                   static_cast<int>(O.Of[0].Microseconds.size()), O.Of[0].PerRound);
    }
    std::fprintf(F, "}");
  }
  std::fprintf(F, "\n  ]\n}\n");
  const bool Written = std::fclose(F) == 0;
  return Written && std::rename(Temporary.c_str(), Settings.Result.c_str()) == 0;
}

std::string differenceText(const Finding &O) {
  if (!O.Differs)
    return "";
  return "; " + O.First.Buffer + "[" + std::to_string(O.First.Index) + "] is " + O.First.OldBits + " (" + O.First.OldValue +
         ") in the old version, " + O.First.NewBits + " (" + O.First.NewValue + ") in the new one; " +
         std::to_string(O.First.Count) + " differ";
}

void print(const Outcome &O) {
  const int Worst = O.worst();
  std::printf("%s, %s: %s", O.C->KernelName, O.C->Name, O.verdict().c_str());
  if (Worst >= 0 && !O.Of[Worst].Reason.empty())
    std::printf(": %s%s", O.Of[Worst].Reason.c_str(), differenceText(O.Of[Worst]).c_str());
  if (CPR_BENCH) {
    for (int V = 0; V < Count; ++V) {
      const Finding &X = O.Of[V];
      if (X.Microseconds.empty() || Versions[V].ablated())
        continue;
      const double T = statistics::median(X.Microseconds);
      std::printf("\n  %-24s %10.2f us", Versions[V].Name, T);
      if (V && T > 0)
        std::printf("  %.3fx", statistics::median(O.Of[0].Microseconds) / T);
    }
  } else if (timed(O)) {
    const double Old = statistics::median(O.Of[0].Microseconds), New = statistics::median(O.Of[1].Microseconds);
    std::printf("; old %.2f us, new %.2f us (%.3fx), medians of %d rounds of %d", Old, New, Old / New,
                static_cast<int>(O.Of[0].Microseconds.size()), O.Of[0].PerRound);
  }
  std::printf("\n");
  std::fflush(stdout);
}

int finish() {
  if (!writeResult()) {
    std::fprintf(stderr, "harness: cannot write %s\n", Settings.Result.c_str());
    return 2;
  }
  const std::string V = verdict();
  std::printf("%s (%s)\n", V.c_str(), Device.name);
  std::fflush(stdout);
  return V == "pass" ? 0 : 1;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// What a case uses, and its contents at the start: guard, elements, guard; of globals no guards.
struct Region {
  const char *Name;
  const fill::Spec *Spec;
  Role InOut;
  Bytes Start;
  size_t Front; ///< bytes of the guard on either side
};

/// The device's copy of the buffers, the same for all versions: what lies where in the caches is then no
/// difference between them. Globals are each version's own.
struct Memory {
  std::vector<void *> Buffers;
  ~Memory() {
    for (void *B : Buffers)
      cudaFree(B);
  }
};

/// A loaded version; none: it was not built.
struct Version {
  int Which = 0;
  const Side *S = nullptr;
  const VersionInfo &info() const { return Versions[Which]; }
};

const Side *load(const std::string &Path, std::string &Error) {
  void *Library = dlopen(Path.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (!Library) {
    Error = dlerror();
    return nullptr;
  }
  using Get = const Side *(*)();
  Get Table = reinterpret_cast<Get>(dlsym(Library, "cpr_harness_side"));
  if (!Table)
    Error = Path + " is no part of this harness";
  return Table ? Table() : nullptr;
}

std::string message(const char *What, cudaError_t Status) {
  return std::string(What) + ": " + cudaGetErrorString(Status) + " (" + cudaGetErrorName(Status) +
         ")";
}

// An endless kernel must not be an endless harness.
cudaError_t wait(bool &TimedOut) {
  const auto End =
      std::chrono::steady_clock::now() + std::chrono::duration<double>(Settings.Timeout);
  for (unsigned Turn = 0;; ++Turn) {
    cudaError_t Status = cudaStreamQuery(0);
    if (Status != cudaErrorNotReady)
      break;
    cudaGetLastError(); // which remembers "not ready" as if it were an error
    if (std::chrono::steady_clock::now() > End) {
      TimedOut = true;
      return cudaSuccess;
    }
    if (Turn > 1000)
      std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
  return cudaDeviceSynchronize();
}

#ifdef __CUDACC__
// Leaves poison in the shared memory of every multiprocessor: a tile that is read before it is
// written must not find what the other version has left there.
__global__ void poisonShared(unsigned Words, unsigned Seed) {
  extern __shared__ volatile unsigned cprHarnessShared[];
  for (unsigned I = threadIdx.x; I < Words; I += blockDim.x)
    cprHarnessShared[I] = (I + 1) * 0x9e3779b9u ^ Seed;
}
#endif

void poison(uint64_t Seed) {
#ifdef __CUDACC__
  const size_t Size = Device.sharedMemPerBlockOptin;
  cudaFuncSetAttribute(poisonShared, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       static_cast<int>(Size));
  // With all of its shared memory, one block is alone on a multiprocessor.
  poisonShared<<<2 * Device.multiProcessorCount, 256, Size>>>(static_cast<unsigned>(Size / 4),
                                                              static_cast<unsigned>(Seed * 77773));
  cudaGetLastError();
#else
  (void)Seed;
#endif
}

/// A fault that ends the run: behind it a CUDA context answers every call with the same error.
struct Stop {
  bool Happened = false;
  std::string Whose; ///< version and case
};

#ifdef __CUDACC__
__global__ void flush(uint4 *Data, size_t Words, unsigned Value) {
  for (size_t I = blockIdx.x * size_t(blockDim.x) + threadIdx.x; I < Words; I += size_t(gridDim.x) * blockDim.x)
    Data[I] = make_uint4(Value, Value, Value, Value);
}
#endif

/// Leaves nothing of a kernel's data in the L2 cache: writes twice as much as it holds.
cudaError_t flushL2() {
#ifdef __CUDACC__
  static uint4 *Data = nullptr;
  static size_t Size = 0;
  static unsigned Value = 0;
  if (!Data) {
    Size = std::max<size_t>(static_cast<size_t>(Device.l2CacheSize) * 2, 1 << 20);
    if (cudaError_t Status = cudaMalloc(&Data, Size); Status != cudaSuccess) {
      cudaGetLastError();
      return Status;
    }
  }
  flush<<<Device.multiProcessorCount * 4, 256>>>(Data, Size / sizeof(uint4), ++Value);
  return cudaGetLastError();
#else
  return cudaSuccess;
#endif
}

class CaseRunner {
public:
  CaseRunner(const Case &C, Outcome &O, Stop &End, const std::vector<Version> &Sides) : C(C), O(O), End(End), Sides(Sides) {}

  /// \p Ask: should a difference be one that contraction may explain, come back at once, before anything is timed.
  void run(const std::vector<Version> *Contraction, bool Ask) {
    O = Outcome();
    O.C = &C;
    this->Contraction = Contraction;
    std::vector<int> Live;
    for (int V = 1; V < Count; ++V)
      if (takesPart(V) && !Versions[V].ablated())
        Live.push_back(V);
    for (uint64_t Seed : Settings.Seeds) {
      for (Finding &F : O.Of)
        F.Seed = Seed;
      if (!describe(Seed) || !compareOnce(Live))
        return; // of the old version, or the end of everything
    }
    if (Ask && WantsContraction)
      return;
    for (int V : Live)
      pass(V);
    pass(0);
    if (CPR_BENCH || Settings.Rounds > 0)
      time(Live);
  }

  /// The versions that have a part left out, behind all that counts.
  void ablate() {
    O.C = &C;
    for (int V = 1; V < Count; ++V) {
      if (!Versions[V].ablated() || C.Launches[V].Grid[0] == 0)
        continue;
      Finding &F = O.Of[V];
      if (!Sides[V].S)
        F.Reason = "not built";
      else if (O.Of[0].Verdict != "pass")
        F.Reason = "the old version has no verdict";
      else if (End.Happened)
        F.Reason = "not run, for a fault in " + End.Whose;
      else
        timeAblated(V);
      if (!F.Microseconds.empty())
        std::printf("%s, %s: %s %.2f us\n", C.KernelName, C.Name, Versions[V].Name, statistics::median(F.Microseconds));
    }
  }

  /// For the profiler: one launch of one version, behind one that nobody looks at.
  void profile(int V) {
    O.C = &C;
    Memory M;
    if (!takesPart(V) || !describe(Settings.Seeds.back()) || !allocate(M, V) || !restore(Sides[V], M) || !launch(Sides[V], M) ||
        !finishLaunches(Sides[V]))
      return;
#ifdef __CUDACC__
    cudaProfilerStart();
    launch(Sides[V], M);
    cudaDeviceSynchronize();
    cudaProfilerStop();
#endif
  }

  bool WantsContraction = false; ///< a difference that could be one of contraction

private:
  const Case &C;
  Outcome &O;
  Stop &End;
  const std::vector<Version> &Sides;
  const std::vector<Version> *Contraction = nullptr;
  std::vector<Region> Regions;
  std::vector<int> RegionOfArgument;
  std::vector<Shape> Shapes = std::vector<Shape>(C.Launches, C.Launches + Count); ///< with numbers for AllShared

  bool takesPart(int V) const { return Sides[V].S && C.Launches[V].Grid[0] > 0; }

  void pass(int V) {
    O.Of[V].Verdict = "pass";
    O.Of[V].Kind = O.Of[V].Reason = "";
  }

  bool end(int V, const char *Verdict, const char *Kind, std::string Reason) {
    Finding &F = O.Of[V];
    F.Verdict = Verdict;
    F.Kind = Kind;
    F.Reason = std::move(Reason);
    if (V == 0) // what the new ones are measured by
      for (int I = 1; I < Count; ++I)
        if (!Versions[I].ablated() && O.Of[I].Verdict != "fail") { // which it is, whatever else is found
          const bool Differs = O.Of[I].Differs;
          const Difference First = O.Of[I].First;
          O.Of[I] = F;
          O.Of[I].Differs = Differs;
          O.Of[I].First = First;
          O.Of[I].Microseconds.clear();
        }
    return false;
  }

  // A fault of the old version says nothing about the new ones.
  bool fault(const Version &V, const char *Kind, const std::string &What) {
    return end(V.Which, V.Which == 0 ? "cannot-tell" : "fail", Kind,
               std::string(CPR_BENCH ? V.info().Name : V.info().Stem) + (CPR_BENCH ? ": " : " version: ") + What);
  }

  bool describe(uint64_t Seed) {
    Regions.clear();
    RegionOfArgument.assign(C.Arguments, -1);
    for (int I = 0; I < C.Arguments; ++I) {
      const Argument &A = C.ArgumentTable[I];
      if (A.What != Argument::Buffer)
        continue;
      const size_t Size = A.Count * A.Spec.BaseBytes * A.Spec.Lanes, Guard = Settings.Guard;
      Region R{A.Name, &A.Spec, A.InOut, Bytes(Size + 2 * Guard), Guard};
      // The guards differ from run to run, as poison does, so that reading them shows.
      const fill::Spec Poison = {fill::Base::Bytes, 1, 1, fill::Kind::Poison, 0, 0};
      const uint64_t Stream = fill::stream(C.Name, A.Name);
      fill::fill(R.Start.data(), Guard, Poison, Seed, Stream + 1);
      fill::fill(R.Start.data() + Guard + Size, Guard, Poison, Seed, Stream + 2);
      fill::fill(R.Start.data() + Guard, A.Count, A.Spec, Seed, Stream);
      RegionOfArgument[I] = static_cast<int>(Regions.size());
      Regions.push_back(std::move(R));
    }
    for (int I = 0; I < C.Globals; ++I) {
      const Global &G = C.GlobalTable[I];
      const size_t Element = G.Spec.BaseBytes * G.Spec.Lanes;
      size_t Size[2] = {0, 0};
      for (int V = 0; V < Count; ++V) {
        if (!takesPart(V))
          continue;
        void *Address;
        cudaError_t Status = Sides[V].S->Global(G.Index, &Address, &Size[V > 0]);
        if (Status != cudaSuccess)
          return end(0, "cannot-tell", "global", message(G.Name, Status));
        if (V > 0 && Size[0] != Size[1])
          break;
      }
      if ((Size[1] && Size[0] != Size[1]) || Size[0] % Element)
        return end(0, "cannot-tell", "global",
                   std::string(G.Name) + " has " + std::to_string(Size[0]) + " bytes (old) and " +
                       std::to_string(Size[1]) + " (new), its elements have " +
                       std::to_string(Element));
      Region R{G.Name, &G.Spec, Role::InOut, Bytes(Size[0]), 0};
      fill::fill(R.Start.data(), Size[0] / Element, G.Spec, Seed, fill::stream(C.Name, G.Name));
      Regions.push_back(std::move(R));
    }
    return true;
  }

  /// For \p V, or all of them.
  bool allocate(Memory &M, int V = 0) {
    for (size_t I = 0; I < Regions.size() - C.Globals; ++I) {
      void *Address = nullptr;
      // Nothing at all cannot be allocated; one byte is the least that has an address.
      cudaError_t Status = cudaMalloc(&Address, std::max<size_t>(Regions[I].Start.size(), 1));
      if (Status != cudaSuccess) {
        cudaGetLastError();
        return end(V, "cannot-tell", "memory", message(Regions[I].Name, Status));
      }
      M.Buffers.push_back(Address);
    }
    return true;
  }

  void *address(const Version &V, const Memory &M, size_t Region) const {
    if (Region < M.Buffers.size())
      return M.Buffers[Region];
    void *Address = nullptr;
    size_t Size;
    V.S->Global(C.GlobalTable[Region - M.Buffers.size()].Index, &Address, &Size);
    return Address;
  }

  /// Its shared memory. One that cannot have it is not wrong.
  bool prepare(const Version &V) {
    Shape &S = Shapes[V.Which];
    size_t Static = 0;
    cudaError_t Status = V.S->Prepare(C.Kernel, 0, &Static);
    const size_t Most = Device.sharedMemPerBlockOptin > Static ? Device.sharedMemPerBlockOptin - Static : 0;
    if (S.Shared == AllShared)
      S.Shared = Most;
    if (Status == cudaSuccess && S.Shared > Most)
      return end(V.Which, "cannot-tell", "memory",
                 std::to_string(S.Shared) + " bytes of dynamic shared memory beside " + std::to_string(Static) +
                     " of static are more than a block of this GPU can have");
    if (Status == cudaSuccess)
      Status = V.S->Prepare(C.Kernel, S.Shared, &Static);
    O.Of[V.Which].Shared = S.Shared;
    return Status == cudaSuccess || failed(V, "shared memory", Status);
  }

  bool restore(const Version &V, const Memory &M) {
    if (!prepare(V))
      return false;
    for (size_t I = 0; I < Regions.size(); ++I) {
      cudaError_t Status = cudaMemcpy(address(V, M, I), Regions[I].Start.data(),
                                      Regions[I].Start.size(), cudaMemcpyHostToDevice);
      if (Status != cudaSuccess)
        return failed(V, "copy to the device", Status);
    }
    return true;
  }

  bool download(const Version &V, const Memory &M, std::vector<Bytes> &To) {
    To.clear();
    for (size_t I = 0; I < Regions.size(); ++I) {
      To.emplace_back(Regions[I].Start.size());
      cudaError_t Status =
          cudaMemcpy(To.back().data(), address(V, M, I), To.back().size(), cudaMemcpyDeviceToHost);
      if (Status != cudaSuccess)
        return failed(V, "copy from the device", Status);
    }
    return true;
  }

  bool failed(const Version &V, const char *What, cudaError_t Status) {
    // An error of a launch's shape leaves the context usable, one inside a kernel does not.
    const cudaError_t Now = cudaDeviceSynchronize();
    if (Now != cudaSuccess && !End.Happened) {
      End.Happened = true;
      End.Whose = std::string(V.info().Name) + ", " + C.KernelName + ", " + C.Name;
    }
    return fault(V, "launch", message(What, Status));
  }

  bool done(const Version &V, const char *What, cudaError_t Status) { return Status == cudaSuccess || failed(V, What, Status); }

  bool launch(const Version &V, const Memory &M) { return launchAs(V, M, 1); }

  bool launchAs(const Version &V, const Memory &M, int Times, const std::vector<cudaEvent_t> *Around = nullptr) {
    std::vector<void *> Pointers(C.Arguments), Arguments(C.Arguments);
    for (int I = 0; I < C.Arguments; ++I) {
      const Argument &A = C.ArgumentTable[I];
      if (A.What == Argument::Value) {
        Arguments[I] = const_cast<unsigned char *>(A.Bytes);
        continue;
      }
      if (A.What != Argument::Null) {
        const int R = RegionOfArgument[A.What == Argument::SameAs ? A.Of : I];
        Pointers[I] = static_cast<unsigned char *>(M.Buffers[R]) + Settings.Guard + A.Offset;
      }
      Arguments[I] = &Pointers[I];
    }
    for (int I = 0; I < Times; ++I) {
      if (Around && (!done(V, "L2 cache", flushL2()) || !done(V, "event", cudaEventRecord((*Around)[2 * I], 0))))
        return false;
      ++O.Launches;
      if (!done(V, "launch", V.S->Launch(C.Kernel, Shapes[V.Which], Arguments.data())))
        return false;
      if (Around && !done(V, "event", cudaEventRecord((*Around)[2 * I + 1], 0)))
        return false;
    }
    return true;
  }

  bool finishLaunches(const Version &V) {
    bool TimedOut = false;
    cudaError_t Status = wait(TimedOut);
    if (TimedOut) {
      fault(V, "timeout", "not ended after " + std::to_string(Settings.Timeout) + " s");
      notTimed(V);
      print(O);
      if (!Settings.Ncu.empty() && NcuProblem.empty())
        NcuProblem = "not asked: " + std::string(V.info().Name) + " does not end";
      // The kernel holds the device until the process is gone.
      _exit(finish());
    }
    return Status == cudaSuccess || failed(V, "run", Status);
  }

  /// Whoever is right and has no time, because of \p V.
  void notTimed(const Version &V) {
    for (int I = 0; I < Count; ++I)
      if (O.Of[I].Verdict == "pass" && O.Of[I].Microseconds.empty() && O.Of[I].Reason.empty())
        O.Of[I].Reason = "for " + O.Of[V.Which].Reason;
  }

  // From fresh data to what one launch leaves behind.
  bool runOnce(const Version &V, const Memory &M, std::vector<Bytes> &After) {
    if (!restore(V, M))
      return false;
    if (Settings.PoisonShared)
      poison(O.Of[V.Which].Seed);
    return finishLaunches(V) && launch(V, M) && finishLaunches(V) && download(V, M, After) &&
           checkUntouched(V, After);
  }

  bool checkUntouched(const Version &V, const std::vector<Bytes> &After) {
    for (size_t I = 0; I < Regions.size(); ++I) {
      const Region &R = Regions[I];
      for (size_t B = 0; B < R.Start.size(); ++B) {
        if (After[I][B] == R.Start[B])
          continue;
        const size_t Size = R.Start.size() - 2 * R.Front;
        if (B < R.Front)
          return fault(V, "out-of-bounds",
                       "writes " + std::to_string(R.Front - B) + " bytes in front of " + R.Name);
        if (B >= R.Front + Size)
          return fault(V, "out-of-bounds",
                       "writes " + std::to_string(B - R.Front - Size) +
                           " bytes behind the end of " + R.Name);
        if (R.InOut == Role::Input)
          return fault(V, "input-changed",
                       std::string("writes to the input ") + R.Name + "[" +
                           std::to_string((B - R.Front) / (R.Spec->BaseBytes * R.Spec->Lanes)) +
                           "]");
        // An output: on to the guard behind it.
        B = R.Front + Size - 1;
      }
    }
    return true;
  }

  static std::string bits(const unsigned char *Data, size_t Size) {
    // As one writes the number: most significant byte first.
    std::string Text = "0x";
    for (size_t I = Size; I-- > 0;) {
      char Digits[3];
      std::snprintf(Digits, sizeof(Digits), "%02x", Data[I]);
      Text += Digits;
    }
    return Text;
  }

  template <class T> static T as(const unsigned char *Data) {
    T Value;
    std::memcpy(&Value, Data, sizeof(T));
    return Value;
  }

  static std::string component(const unsigned char *Data, const fill::Spec &S) {
    char Text[40];
    switch (S.Type) {
    case fill::Base::Float:
      std::snprintf(Text, sizeof(Text), "%.9g", static_cast<double>(as<float>(Data)));
      return Text;
    case fill::Base::Double:
      std::snprintf(Text, sizeof(Text), "%.17g", as<double>(Data));
      return Text;
    case fill::Base::Half:
      std::snprintf(Text, sizeof(Text), "%.5g", fill::halfValue(as<uint16_t>(Data)));
      return Text;
    case fill::Base::BFloat16:
      std::snprintf(Text, sizeof(Text), "%.4g", fill::bfloat16Value(as<uint16_t>(Data)));
      return Text;
    default:
      break;
    }
    uint64_t Value = 0;
    std::memcpy(&Value, Data, S.BaseBytes);
    if (S.Type != fill::Base::SignedInt)
      return std::to_string(Value);
    const unsigned Unused = 64 - 8 * S.BaseBytes;
    return std::to_string(static_cast<int64_t>(Value << Unused) >> Unused);
  }

  static std::string value(const unsigned char *Data, const fill::Spec &S) {
    if (S.Type == fill::Base::Bytes)
      return "";
    if (S.Lanes == 1)
      return component(Data, S);
    std::string Text = "(";
    for (unsigned I = 0; I < S.Lanes; ++I)
      Text += (I ? ", " : "") + component(Data + I * S.BaseBytes, S);
    return Text + ")";
  }

  bool same(const std::vector<Bytes> &A, const std::vector<Bytes> &B, Difference *First = nullptr) {
    for (size_t I = 0; I < Regions.size(); ++I) {
      if (A[I] == B[I])
        continue;
      if (!First)
        return false;
      const Region &R = Regions[I];
      const size_t Element = R.Spec->BaseBytes * R.Spec->Lanes;
      const size_t Count = (R.Start.size() - 2 * R.Front) / Element;
      First->Buffer = R.Name;
      for (size_t E = 0; E < Count; ++E) {
        const unsigned char *X = A[I].data() + R.Front + E * Element;
        const unsigned char *Y = B[I].data() + R.Front + E * Element;
        if (std::memcmp(X, Y, Element) == 0)
          continue;
        if (First->Count++)
          continue;
        First->Index = E;
        First->OldBits = bits(X, Element);
        First->NewBits = bits(Y, Element);
        First->OldValue = value(X, *R.Spec);
        First->NewValue = value(Y, *R.Spec);
      }
      return false;
    }
    return true;
  }

  /// Takes those out of \p Live that are wrong. False: the old version is at fault, or nothing can be run any more.
  bool compareOnce(std::vector<int> &Live) {
    Memory M;
    std::vector<Bytes> OldAfter, NewAfter;
    if (!allocate(M) || !runOnce(Sides[0], M, OldAfter))
      return false;
    std::vector<int> Right;
    for (int V : Live) {
      if (!runOnce(Sides[V], M, NewAfter)) {
        if (End.Happened)
          return false;
        continue;
      }
      Difference First;
      if (same(OldAfter, NewAfter, &First))
        Right.push_back(V);
      else if (!explain(V, M, OldAfter, First))
        return false;
    }
    Live = std::move(Right);
    return true;
  }

  // A difference: is it the old version that changes its mind, or contraction? False: the first.
  bool explain(int V, const Memory &M, const std::vector<Bytes> &OldAfter, const Difference &First) {
    O.Of[V].Differs = true;
    O.Of[V].First = First;
    std::vector<Bytes> Again;
    for (int Turn = 0; Turn < 3; ++Turn) {
      if (!runOnce(Sides[0], M, Again))
        return false;
      if (!same(OldAfter, Again))
        return end(0, "cannot-tell", "unstable",
                   "the old version gives different results from run to run on the same data");
    }
    end(V, "fail", "difference", "the results differ");
    if (!Contraction) {
      WantsContraction = true;
      return true;
    }
    const std::vector<Finding> Before = O.Of;
    std::vector<Bytes> X, Y;
    const bool Ran = (*Contraction)[V].S && runOnce((*Contraction)[0], M, X) && runOnce((*Contraction)[V], M, Y);
    O.Of = Before;
    if (Ran && same(X, Y))
      end(V, "fail", "contraction",
          "the results differ, but agree with -fmad=false: the compiler contracts other "
          "multiplications and additions in the new version");
    return !End.Happened;
  }

  /// Microseconds per launch. With \p Clock the clocks are read in the meantime.
  bool measure(int V, const Memory &M, int Times, bool Clock, double &Microseconds) {
    static std::vector<cudaEvent_t> Events;
    const size_t Need = Settings.Cold ? 2 * Times : 2;
    while (Events.size() < Need) {
      Events.emplace_back();
      if (cudaEventCreate(&Events.back()) != cudaSuccess)
        return failed(Sides[V], "event", cudaGetLastError());
    }
    if (!Settings.Cold && !done(Sides[V], "event", cudaEventRecord(Events[0], 0)))
      return false;
    if (!launchAs(Sides[V], M, Times, Settings.Cold ? &Events : nullptr))
      return false;
    if (!Settings.Cold && !done(Sides[V], "event", cudaEventRecord(Events[1], 0)))
      return false;
    if (Clock)
      AtClocks.read();
    if (!finishLaunches(Sides[V]))
      return false;
    double Sum = 0;
    for (size_t I = 0; I < Need; I += 2) {
      float Milliseconds = 0;
      if (!done(Sides[V], "event", cudaEventElapsedTime(&Milliseconds, Events[I], Events[I + 1])))
        return false;
      Sum += Milliseconds;
    }
    Microseconds = 1000.0 * Sum / Times;
    return true;
  }

  static double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  }

  /// All of \p Who in turns, into their findings. \p Alike: as many launches for each.
  bool timeInTurns(const std::vector<int> &Who, const Memory &M, bool Alike) {
    const int N = static_cast<int>(Who.size());
    std::vector<double> Warm(N);
    // The first launches are slower: code is brought to the device by the first one.
    for (int Times : {1, 3})
      for (int I = 0; I < N; ++I)
        if (!measure(Who[I], M, Times, false, Warm[I]))
          return false;
    // Enough launches in a row that the clock of the events does not matter.
    const double Longest = *std::max_element(Warm.begin(), Warm.end());
    const double Shortest = *std::min_element(Warm.begin(), Warm.end());
    std::vector<int> Times(N);
    for (int I = 0; I < N; ++I) {
      if (CPR_BENCH)
        Times[I] = static_cast<int>(std::min(Settings.Cold ? 100.0 : 1000.0,
                                             std::ceil(1000.0 / std::max(Alike ? Shortest : Warm[I], 1.0))));
      else
        Times[I] = static_cast<int>(std::min(50.0, std::max(1.0, 500.0 / std::max(Longest, 1.0))));
      O.Of[Who[I]].PerRound = Times[I];
      O.Of[Who[I]].Microseconds.clear();
    }
    double T;
    if (CPR_BENCH) {
      // The clocks of an idle device take a while to come up. The first case is the one that finds it idle.
      static bool First = true;
      const double Until = now() + (First ? 1.0 : 0.2);
      First = false;
      do
        for (int I = 0; I < N; ++I)
          if (!measure(Who[I], M, Times[I], false, T))
            return false;
      while (now() < Until);
    }
    const double End = now() + Settings.TimeLimit;
    for (int Round = 0;; ++Round) {
      for (int Turn = 0; Turn < N; ++Turn) {
        // Who goes first changes from round to round, and so does who goes in front of whom.
        const int At = Round / N % 2 ? (Round + N - Turn) % N : (Round + Turn) % N;
        // Reading the clocks takes a while, in which nothing is launched; so seldom, and with everybody in his turn.
        if (!measure(Who[At], M, Times[At], CPR_BENCH && Round % 4 == 0 && At == Round / 4 % N, T))
          return false;
        O.Of[Who[At]].Microseconds.push_back(T);
      }
      if (Settings.Rounds > 0 ? Round + 1 >= Settings.Rounds : enough(Who, Alike) || (now() > End && Round >= 4))
        return true;
    }
  }

  /// Each ratio to the old version, of those on their own the time, is known to a fifth of a percent.
  bool enough(const std::vector<int> &Who, bool Paired) const {
    if (O.Of[Who[0]].Microseconds.size() < 20)
      return false;
    for (int V : Who)
      if (V != 0 || Who.size() == 1) {
        const std::vector<double> &T = O.Of[V].Microseconds;
        if (statistics::uncertainty(Paired && V != 0 ? statistics::pairedRatios(O.Of[0].Microseconds, T) : T) > 0.002)
          return false;
      }
    return true;
  }

  void time(std::vector<int> Live) {
    if (Live.empty() && !CPR_BENCH)
      return;
    Memory M;
    if (!allocate(M))
      return;
    for (bool Done = false; !Done;) {
      std::vector<int> Who = {0};
      Who.insert(Who.end(), Live.begin(), Live.end());
      Done = true;
      for (int V : Who)
        Done = Done && restore(Sides[V], M);
      Done = Done && timeInTurns(Who, M, /*Alike=*/true);
      if (Done)
        break;
      // Half of the times are none. Without the one that broke down all others can be timed.
      for (int V : Who)
        O.Of[V].Microseconds.clear();
      const auto Culprit = std::find_if(Who.begin(), Who.end(), [&](int V) { return O.Of[V].Verdict != "pass"; });
      if (End.Happened || Culprit == Who.end() || *Culprit == 0) {
        if (Culprit != Who.end())
          notTimed(Sides[*Culprit]);
        return;
      }
      Live.erase(std::find(Live.begin(), Live.end(), *Culprit));
    }
    // Once they agreed. Many launches in a row without a break may show what one does not.
    const int Rounds = static_cast<int>(O.Of[0].Microseconds.size());
    int Again = 3 + Rounds * O.Of[0].PerRound;
    if (CPR_BENCH) // a tenth of a second is enough
      Again = std::max(3, static_cast<int>(std::min<double>(Again, 1e5 / std::max(1.0, statistics::median(O.Of[0].Microseconds)))));
    std::vector<Bytes> Reference, After;
    if (!runMany(0, M, Again, Reference))
      return;
    for (int V : Live) {
      const bool Ran = runMany(V, M, Again, After);
      if (End.Happened)
        return;
      Difference First;
      if (!Ran || same(Reference, After, &First)) {
        if (!Ran)
          O.Of[V].Microseconds.clear();
        continue;
      }
      // A kernel with atomics may be deterministic only most of the time, so the same number of launches of the old version is
      // the judge.
      O.Of[V].Differs = true;
      O.Of[V].First = First;
      if (CPR_BENCH)
        O.Of[V].Microseconds.clear(); // a time of something wrong is none
      if (!runMany(0, M, Again, After))
        return;
      if (!same(Reference, After)) {
        end(0, "cannot-tell", "unstable", "the old version gives different results from run to run on the same data");
        return;
      }
      end(V, "fail", "difference-after-timing",
          "the results agree after one launch, but differ after " + std::to_string(Again));
    }
  }

  bool runMany(int V, const Memory &M, int Times, std::vector<Bytes> &After) {
    return restore(Sides[V], M) && launchAs(Sides[V], M, Times) && finishLaunches(Sides[V]) && download(Sides[V], M, After) &&
           checkUntouched(Sides[V], After);
  }

  void timeAblated(int V) {
    Memory M;
    pass(V);
    if (!describe(Settings.Seeds.back()) || !allocate(M, V) || !restore(Sides[V], M) || !timeInTurns({V}, M, /*Alike=*/false))
      O.Of[V].Microseconds.clear();
  }
};

/// What is missing of the versions that have a part left out is left out.
bool loadAll(const char *Suffix, std::vector<Version> &Sides, std::string &Error) {
  Sides.assign(Count, Version());
  for (int V = 0; V < Count; ++V) {
    Sides[V].Which = V;
    if (*Suffix && Versions[V].ablated())
      continue;
    Sides[V].S = load(Folder + Versions[V].Stem + Suffix + ".so", Error);
    if (!Sides[V].S && !Versions[V].ablated())
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// The profiler
//===----------------------------------------------------------------------===//

/// The fields of a line of comma-separated values, all of them in quotes.
std::vector<std::string> fields(const std::string &Line) {
  std::vector<std::string> Fields;
  for (size_t At = 0; At < Line.size() && Line[At] == '"';) {
    const size_t Close = Line.find('"', At + 1);
    if (Close == std::string::npos)
      break;
    Fields.push_back(Line.substr(At + 1, Close - At - 1));
    At = Close + 2;
  }
  return Fields;
}

/// For a shell: within single quotes only a single quote means something.
std::string word(const std::string &Text) {
  std::string Out = "'";
  for (char C : Text)
    Out += C == '\'' ? "'\\''" : std::string(1, C);
  return Out + "'";
}

/// Runs this program under the profiler, which counts one launch of each version in each case.
void profileAll() {
  std::vector<Finding *> Of;
  std::string List;
  for (size_t I = 0; I < Outcomes.size(); ++I)
    for (int V = 0; V < Count; ++V)
      if (!Versions[V].ablated() && !Outcomes[I].Of[V].Microseconds.empty()) {
        List += (List.empty() ? "" : ",") + std::to_string(I) + ":" + std::to_string(V);
        Of.push_back(&Outcomes[I].Of[V]);
      }
  if (Of.empty())
    return;
  progress("profiling " + std::to_string(Of.size()) + " launches");
  std::string Seeds;
  for (uint64_t Seed : Settings.Seeds)
    Seeds += (Seeds.empty() ? "" : ",") + std::to_string(Seed);
  const std::string Command = word(Settings.Ncu) +
                              " --target-processes all --profile-from-start off --clock-control none --csv --page raw "
                              "--section WarpStateStats --metrics "
                              "'regex:smsp__average_warps_issue_stalled_.*_per_issue_active' " +
                              word(Self) + " --seeds=" + Seeds + " --guard=" + std::to_string(Settings.Guard) + " --profile=" + List +
                              " 2>&1";
  std::FILE *Pipe = popen(Command.c_str(), "r");
  if (!Pipe) {
    NcuProblem = "the profiler cannot be started";
    return;
  }
  std::string Text;
  char Buffer[4096];
  while (size_t N = std::fread(Buffer, 1, sizeof(Buffer), Pipe))
    Text.append(Buffer, N);
  const int Code = pclose(Pipe);
  std::vector<std::string> Names;
  size_t Row = 0;
  std::string Last;
  for (size_t At = 0; At < Text.size();) {
    const size_t Break = std::min(Text.find('\n', At), Text.size());
    const std::string Line = Text.substr(At, Break - At);
    At = Break + 1;
    if (Line.compare(0, 7, "==ERROR") == 0 || (Line.find("rror") != std::string::npos && Last.empty()))
      Last = Line;
    if (Line.empty() || Line[0] != '"')
      continue;
    const std::vector<std::string> Values = fields(Line);
    if (Values.empty())
      continue;
    if (Names.empty()) {
      if (Values[0] == "ID")
        Names = Values;
      continue;
    }
    // Behind the names a line has the units; it has no number of a launch.
    if (Values[0].empty() || Row == Of.size())
      continue;
    const std::string Front = "smsp__average_warps_issue_stalled_", Behind = "_per_issue_active";
    for (size_t I = 0; I < Values.size() && I < Names.size(); ++I) {
      const size_t To = Names[I].find(Behind);
      if (Names[I].compare(0, Front.size(), Front) != 0 || To == std::string::npos ||
          Names[I].find("not_issued") != std::string::npos)
        continue;
      std::string Number;
      for (char C : Values[I])
        if (C != ',')
          Number += C;
      const double Warps = std::atof(Number.c_str());
      if (std::isfinite(Warps)) // "nan" of a kernel that issues nothing
        Of[Row]->Stalls[Names[I].substr(Front.size(), To - Front.size())] = Warps;
    }
    ++Row;
  }
  if (Row == Of.size() && !Of[0]->Stalls.empty())
    return;
  for (Finding *F : Of) // what belongs to which launch is not known
    F->Stalls.clear();
  while (!Last.empty() && (Last[0] == '=' || Last[0] == ' '))
    Last.erase(0, 1);
  NcuProblem = !Last.empty() ? Last : Code == 127 << 8 ? "there is no program '" + Settings.Ncu + "'" : "the profiler says nothing";
}

bool readOptions(int argc, char **argv) {
  Settings.Result = Folder + "result.json";
  for (int I = 1; I < argc; ++I) {
    const std::string Word = argv[I];
    const size_t Equals = Word.find('=');
    const std::string Key = Word.substr(0, Equals);
    const std::string Value = Equals == std::string::npos ? "" : Word.substr(Equals + 1);
    if (Key == "--seeds" && !Value.empty()) {
      Settings.Seeds.clear();
      for (const char *P = Value.c_str(); *P;) {
        char *Next;
        Settings.Seeds.push_back(std::strtoull(P, &Next, 0));
        if (Next == P)
          return false;
        P = *Next == ',' ? Next + 1 : Next;
      }
    } else if (Key == "--rounds" && !Value.empty()) {
      Settings.Rounds = std::atoi(Value.c_str());
    } else if (Key == "--time-limit" && !Value.empty()) {
      Settings.TimeLimit = std::atof(Value.c_str());
    } else if (Key == "--cold" && (Value == "0" || Value == "1")) {
      Settings.Cold = Value == "1";
    } else if (Key == "--ncu") {
      Settings.Ncu = Equals == std::string::npos ? "ncu" : Value;
    } else if (Key == "--progress" && !Value.empty()) {
      Settings.Progress = std::atoi(Value.c_str());
    } else if (Key == "--profile" && !Value.empty()) {
      for (const char *P = Value.c_str(); *P;) {
        char *Next;
        const int Of = static_cast<int>(std::strtol(P, &Next, 10));
        if (*Next != ':' || !std::isdigit(static_cast<unsigned char>(Next[1])))
          return false;
        Settings.Profile.push_back({Of, static_cast<int>(std::strtol(Next + 1, &Next, 10))});
        P = *Next == ',' ? Next + 1 : Next;
      }
    } else if (Key == "--timeout" && !Value.empty()) {
      Settings.Timeout = std::atof(Value.c_str());
    } else if (Key == "--guard" && !Value.empty()) {
      Settings.Guard = std::strtoull(Value.c_str(), nullptr, 0) / 256 * 256;
    } else if (Key == "--poison" && (Value == "0" || Value == "1")) {
      Settings.PoisonShared = Value == "1";
    } else if (Key == "--result" && !Value.empty()) {
      Settings.Result = Value;
    } else {
      return false;
    }
  }
  return !Settings.Seeds.empty();
}

} // namespace

int main(int argc, char **argv) {
  // The parts lie beside the program, wherever it is called from.
  Self = argv[0];
  const size_t Slash = Self.rfind('/');
  Folder = Slash == std::string::npos ? "./" : Self.substr(0, Slash + 1);
  if (!readOptions(argc, argv)) {
    std::fprintf(stderr,
                 "usage: harness [--seeds=N,N,...] [--rounds=N] [--timeout=SECONDS] "
                 "[--guard=BYTES] [--poison=0|1] [--result=FILE]\n%s"
                 "  --guard=0: no guard zones, for compute-sanitizer.\n"
                 "  --poison=0: shared memory is left as it is, which is what takes racecheck long.\n"
                 "  The result goes to result.json beside the program.\n",
                 CPR_BENCH ? "               [--time-limit=SECONDS] [--cold=0|1] [--ncu[=PROGRAM]] [--progress=FD]\n"
                             "  --rounds=0: as many as it takes, within --time-limit for each case.\n"
                           : "  --rounds=0: no timing.\n");
    return 2;
  }
  int Devices = 0;
  cudaError_t Status = cudaGetDeviceCount(&Devices);
  if (Status != cudaSuccess || Devices == 0) {
    std::fprintf(stderr, "harness: no GPU: %s\n",
                 Status != cudaSuccess ? cudaGetErrorString(Status) : "none found");
    return 4;
  }
  Status = cudaSetDevice(0);
  if (Status == cudaSuccess)
    Status = cudaGetDeviceProperties(&Device, 0);
  if (Status == cudaSuccess)
    Status = cudaFree(nullptr); // makes the context, and shows whether it can be made
  if (Status != cudaSuccess) {
    std::fprintf(stderr, "harness: no GPU: %s\n", cudaGetErrorString(Status));
    return 4;
  }
  cudaDriverGetVersion(&DriverVersion);
  cudaRuntimeGetVersion(&RuntimeVersion);

  std::vector<Version> Sides, Contraction;
  std::string Error;
  if (!loadAll("", Sides, Error)) {
    std::fprintf(stderr, "harness: %s\n", Error.c_str());
    return 2;
  }
  const size_t All = sizeof(Cases) / sizeof(Cases[0]);
  Outcomes.resize(All);
  for (size_t I = 0; I < All; ++I)
    Outcomes[I].C = &Cases[I];

  Stop End;
  if (!Settings.Profile.empty()) {
    for (const auto &P : Settings.Profile)
      if (P.first < static_cast<int>(All) && P.second < Count)
        CaseRunner(Cases[P.first], Outcomes[P.first], End, Sides).profile(P.second);
    return 0;
  }
  if (CPR_BENCH) {
    AtClocks.open();
    progress("measuring what " + std::string(Device.name) + " can do at most");
    Most = measureCeilings(Device);
  }
  enum { NotTried, Loaded, Unavailable } State = NotTried;
  for (size_t I = 0; I < All; ++I) {
    if (End.Happened) {
      for (Finding &F : Outcomes[I].Of)
        F.Reason = "not run, for a fault in " + End.Whose;
      continue;
    }
    progress("[" + std::to_string(I + 1) + "/" + std::to_string(All) + "] " + Cases[I].KernelName + ", " + Cases[I].Name);
    CaseRunner R(Cases[I], Outcomes[I], End, Sides);
    R.run(State == Loaded ? &Contraction : nullptr, /*Ask=*/State == NotTried);
    if (R.WantsContraction && State == NotTried) {
      // Built only when it is needed, which is seldom; where nothing can be built the answer is
      // just less precise.
      State = Unavailable;
      if (loadAll("-contraction", Contraction, Error) ||
          (std::system(("sh '" + Folder + "build.sh' contraction > /dev/null 2>&1").c_str()) == 0 &&
           loadAll("-contraction", Contraction, Error)))
        State = Loaded;
      if (!End.Happened)
        R.run(State == Loaded ? &Contraction : nullptr, /*Ask=*/false);
    }
    print(Outcomes[I]);
    if (!writeResult())
      return finish();
  }
  if (CPR_BENCH && !Settings.Ncu.empty()) {
    if (End.Happened)
      NcuProblem = "not asked, for a fault in " + End.Whose;
    else
      profileAll();
  }
  // Behind everything that counts: what these break costs nothing but what is behind them.
  if (CPR_BENCH) {
    for (size_t I = 0; I < All; ++I) {
      progress("[" + std::to_string(I + 1) + "/" + std::to_string(All) + "] " + Cases[I].KernelName + ", " + Cases[I].Name +
               ": loads only, compute only");
      CaseRunner(Cases[I], Outcomes[I], End, Sides).ablate();
    }
  }
  return finish();
}
