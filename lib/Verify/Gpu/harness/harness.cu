//===- harness.cu - Old against new on a GPU ------------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// For every case of cases.h and every seed: both versions run on the same fresh data, and
/// everything that they leave behind is compared bit for bit. Around every buffer lies a guard zone
/// that must stay as it was, and inputs must, too. Outputs start poisoned, and so does shared
/// memory. Then both are timed in turns, on data of their own, and are compared once more: as many
/// launches in a row must lead to the same memory.
///
/// What differs is tried again: the old version against itself (a kernel that is not
/// deterministic proves nothing), and both without contraction of multiplications and additions.
///
/// The result is printed and written to result.json. Exit code: 0 everything agrees, 1 not, 2 the
/// harness could not do its work, 4 there is no GPU.
///
//===----------------------------------------------------------------------===//

#include "Fill.cpp"
#include "cases.h"
#include "tables.h"
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

using namespace cpr_harness;
namespace fill = cuda_pipeline::fill;
using Bytes = std::vector<unsigned char>;

struct Options {
  std::vector<uint64_t> Seeds = CPR_SEEDS;
  int Rounds = CPR_ROUNDS;
  double Timeout = CPR_TIMEOUT;
  // Large enough to catch a row or a tile beside the buffer, and keeps the buffer's alignment.
  size_t Guard = 4096;
  bool PoisonShared = true;
  std::string Result;
};

struct Difference {
  std::string Buffer, OldBits, NewBits, OldValue, NewValue;
  uint64_t Index = 0, Count = 0;
};

struct Outcome {
  const Case *C = nullptr;
  // pass, fail or cannot-tell; the kind is for programs, the reason for people.
  std::string Verdict = "cannot-tell", Kind = "not-run", Reason = "not run";
  uint64_t Seed = 0, Launches = 0;
  bool Differs = false;
  Difference First;
  bool Timed = false;
  double OldMicroseconds = 0, NewMicroseconds = 0;
  int Rounds = 0, PerRound = 0;
};

Options Settings;
std::string Folder;
std::vector<Outcome> Outcomes;
cudaDeviceProp Device;
int DriverVersion = 0, RuntimeVersion = 0;

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
    if (O.Verdict == "fail")
      return "fail";
    if (O.Verdict != "pass")
      All = "cannot-tell";
  }
  return All;
}

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
  std::fprintf(F, "],\n  \"cases\": [");
  for (size_t I = 0; I < Outcomes.size(); ++I) {
    const Outcome &O = Outcomes[I];
    std::fprintf(F,
                 "%s\n    {\"kernel\": %s, \"case\": %s, \"verdict\": \"%s\", \"kind\": \"%s\",\n"
                 "     \"reason\": %s, \"seed\": %llu, \"launches\": %llu",
                 I ? "," : "", quoted(O.C->KernelName).c_str(), quoted(O.C->Name).c_str(),
                 O.Verdict.c_str(), O.Kind.c_str(), quoted(O.Reason).c_str(),
                 static_cast<unsigned long long>(O.Seed),
                 static_cast<unsigned long long>(O.Launches));
    if (O.Differs)
      std::fprintf(F,
                   ",\n     \"difference\": {\"buffer\": %s, \"index\": %llu, \"count\": %llu, "
                   "\"old_bits\": %s, \"new_bits\": %s, \"old_value\": %s, \"new_value\": %s}",
                   quoted(O.First.Buffer).c_str(), static_cast<unsigned long long>(O.First.Index),
                   static_cast<unsigned long long>(O.First.Count), quoted(O.First.OldBits).c_str(),
                   quoted(O.First.NewBits).c_str(), quoted(O.First.OldValue).c_str(),
                   quoted(O.First.NewValue).c_str());
    if (O.Timed)
      std::fprintf(F,
                   ",\n     \"time\": {\"old_us\": %.3f, \"new_us\": %.3f, \"rounds\": %d, "
                   "\"launches_per_round\": %d}",
                   O.OldMicroseconds, O.NewMicroseconds, O.Rounds, O.PerRound);
    std::fprintf(F, "}");
  }
  std::fprintf(F, "\n  ]\n}\n");
  const bool Written = std::fclose(F) == 0;
  return Written && std::rename(Temporary.c_str(), Settings.Result.c_str()) == 0;
}

void print(const Outcome &O) {
  std::printf("%s, %s: %s", O.C->KernelName, O.C->Name, O.Verdict.c_str());
  if (!O.Reason.empty())
    std::printf(": %s", O.Reason.c_str());
  if (O.Differs)
    std::printf("; %s[%llu] is %s (%s) in the old version, %s (%s) in the new one; %llu differ",
                O.First.Buffer.c_str(), static_cast<unsigned long long>(O.First.Index),
                O.First.OldBits.c_str(), O.First.OldValue.c_str(), O.First.NewBits.c_str(),
                O.First.NewValue.c_str(), static_cast<unsigned long long>(O.First.Count));
  if (O.Timed)
    std::printf("; old %.2f us, new %.2f us (%.3fx), medians of %d rounds of %d", O.OldMicroseconds,
                O.NewMicroseconds, O.OldMicroseconds / O.NewMicroseconds, O.Rounds, O.PerRound);
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

/// The device's copy of all regions for one version.
struct Memory {
  std::vector<void *> Regions;
  bool Owned = false;
  size_t Allocated = 0; ///< the first so many are freed; globals are not
  ~Memory() {
    for (size_t I = 0; I < Allocated; ++I)
      cudaFree(Regions[I]);
  }
};

struct Version {
  const char *Word; ///< "old", "new"
  const Side *S = nullptr;
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
};

class CaseRunner {
public:
  CaseRunner(const Case &C, Outcome &O, Stop &End) : C(C), O(O), End(End) {}

  void run(const Version &Old, const Version &New, const Version *Contraction) {
    O = Outcome();
    O.C = &C;
    this->Contraction = Contraction;
    for (uint64_t Seed : Settings.Seeds) {
      O.Seed = Seed;
      if (!describe(Old, New, Seed) || !compareOnce(Old, New))
        return;
    }
    O.Verdict = "pass";
    O.Kind = "";
    O.Reason = "";
    if (Settings.Rounds > 0)
      time(Old, New);
  }

  bool WantsContraction = false; ///< a difference that could be one of contraction

private:
  const Case &C;
  Outcome &O;
  Stop &End;
  const Version *Contraction = nullptr;
  std::vector<Region> Regions;
  std::vector<int> RegionOfArgument;

  bool end(const char *Verdict, const char *Kind, std::string Reason) {
    O.Verdict = Verdict;
    O.Kind = Kind;
    O.Reason = std::move(Reason);
    return false;
  }

  // A fault of the old version says nothing about the new one.
  bool fault(const Version &V, const char *Kind, const std::string &What) {
    const bool Old = std::string(V.Word) == "old";
    return end(Old ? "cannot-tell" : "fail", Kind, std::string(V.Word) + " version: " + What);
  }

  bool describe(const Version &Old, const Version &New, uint64_t Seed) {
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
      size_t Size[2];
      for (const Version *V : {&Old, &New}) {
        void *Address;
        cudaError_t Status = V->S->Global(G.Index, &Address, &Size[V == &New]);
        if (Status != cudaSuccess)
          return end("cannot-tell", "global", message(G.Name, Status));
      }
      if (Size[0] != Size[1] || Size[0] % Element)
        return end("cannot-tell", "global",
                   std::string(G.Name) + " has " + std::to_string(Size[0]) + " bytes (old) and " +
                       std::to_string(Size[1]) + " (new), its elements have " +
                       std::to_string(Element));
      Region R{G.Name, &G.Spec, Role::InOut, Bytes(Size[0]), 0};
      fill::fill(R.Start.data(), Size[0] / Element, G.Spec, Seed, fill::stream(C.Name, G.Name));
      Regions.push_back(std::move(R));
    }
    return true;
  }

  bool allocate(const Version &V, Memory &M) {
    const size_t Buffers = Regions.size() - C.Globals;
    for (size_t I = 0; I < Buffers; ++I) {
      void *Address = nullptr;
      // Nothing at all cannot be allocated; one byte is the least that has an address.
      cudaError_t Status = cudaMalloc(&Address, std::max<size_t>(Regions[I].Start.size(), 1));
      if (Status != cudaSuccess) {
        cudaGetLastError();
        return end("cannot-tell", "memory", message(Regions[I].Name, Status));
      }
      M.Regions.push_back(Address);
      ++M.Allocated;
    }
    for (int I = 0; I < C.Globals; ++I) {
      void *Address;
      size_t Size;
      V.S->Global(C.GlobalTable[I].Index, &Address, &Size);
      M.Regions.push_back(Address);
    }
    return true;
  }

  bool restore(const Version &V, const Memory &M) {
    for (size_t I = 0; I < Regions.size(); ++I) {
      cudaError_t Status = cudaMemcpy(M.Regions[I], Regions[I].Start.data(),
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
          cudaMemcpy(To.back().data(), M.Regions[I], To.back().size(), cudaMemcpyDeviceToHost);
      if (Status != cudaSuccess)
        return failed(V, "copy from the device", Status);
    }
    return true;
  }

  bool failed(const Version &V, const char *What, cudaError_t Status) {
    // An error of a launch's shape leaves the context usable, one inside a kernel does not.
    const cudaError_t Now = cudaDeviceSynchronize();
    End.Happened |= Now != cudaSuccess;
    return fault(V, "launch", message(What, Status));
  }

  bool launch(const Version &V, const Memory &M) {
    std::vector<void *> Pointers(C.Arguments), Arguments(C.Arguments);
    for (int I = 0; I < C.Arguments; ++I) {
      const Argument &A = C.ArgumentTable[I];
      if (A.What == Argument::Value) {
        Arguments[I] = const_cast<unsigned char *>(A.Bytes);
        continue;
      }
      if (A.What != Argument::Null) {
        const int R = RegionOfArgument[A.What == Argument::SameAs ? A.Of : I];
        Pointers[I] = static_cast<unsigned char *>(M.Regions[R]) + Settings.Guard + A.Offset;
      }
      Arguments[I] = &Pointers[I];
    }
    ++O.Launches;
    cudaError_t Status = V.S->Launch(C.Kernel, V.Word[0] == 'n' ? C.NewLaunch : C.Launch, Arguments.data());
    return Status == cudaSuccess || failed(V, "launch", Status);
  }

  bool finishLaunches(const Version &V) {
    bool TimedOut = false;
    cudaError_t Status = wait(TimedOut);
    if (TimedOut) {
      fault(V, "timeout", "not ended after " + std::to_string(Settings.Timeout) + " s");
      print(O);
      // The kernel holds the device until the process is gone.
      finish();
      _exit(1);
    }
    return Status == cudaSuccess || failed(V, "run", Status);
  }

  // From fresh data to what one launch leaves behind.
  bool runOnce(const Version &V, const Memory &M, std::vector<Bytes> &After) {
    if (!restore(V, M))
      return false;
    if (Settings.PoisonShared)
      poison(O.Seed);
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

  bool compareOnce(const Version &Old, const Version &New) {
    Memory OldMemory, NewMemory;
    std::vector<Bytes> OldAfter, NewAfter;
    if (!allocate(Old, OldMemory) || !allocate(New, NewMemory) ||
        !runOnce(Old, OldMemory, OldAfter) || !runOnce(New, NewMemory, NewAfter))
      return false;
    Difference First;
    if (same(OldAfter, NewAfter, &First))
      return true;
    return explain(Old, OldMemory, OldAfter, First);
  }

  // A difference: is it the old version that changes its mind, or contraction?
  bool explain(const Version &Old, const Memory &OldMemory, const std::vector<Bytes> &OldAfter,
               const Difference &First) {
    O.Differs = true;
    O.First = First;
    std::vector<Bytes> Again;
    for (int Turn = 0; Turn < 3; ++Turn) {
      if (!runOnce(Old, OldMemory, Again))
        return false;
      if (!same(OldAfter, Again))
        return end("cannot-tell", "unstable",
                   "the old version gives different results from run to run on the same data");
    }
    end("fail", "difference", "the results differ");
    if (!Contraction) {
      WantsContraction = true;
      return false;
    }
    const Outcome Before = O;
    Memory A, B;
    std::vector<Bytes> X, Y;
    const bool Ran = allocate(Contraction[0], A) && allocate(Contraction[1], B) &&
                     runOnce(Contraction[0], A, X) && runOnce(Contraction[1], B, Y);
    const uint64_t Launches = O.Launches;
    O = Before;
    O.Launches = Launches;
    if (Ran && same(X, Y))
      return end("fail", "contraction",
                 "the results differ, but agree with -fmad=false: the compiler contracts other "
                 "multiplications and additions in the new version");
    return false;
  }

  static double median(std::vector<double> V) {
    std::sort(V.begin(), V.end());
    return V.size() % 2 ? V[V.size() / 2] : (V[V.size() / 2 - 1] + V[V.size() / 2]) / 2;
  }

  void time(const Version &Old, const Version &New) {
    Memory M[2];
    const Version *V[2] = {&Old, &New};
    cudaEvent_t Start, Stop;
    if (!allocate(Old, M[0]) || !allocate(New, M[1]) || !restore(Old, M[0]) ||
        !restore(New, M[1]) || cudaEventCreate(&Start) != cudaSuccess ||
        cudaEventCreate(&Stop) != cudaSuccess)
      return;
    auto measure = [&](int Which, int Count, double &Microseconds) {
      cudaEventRecord(Start, 0);
      for (int I = 0; I < Count; ++I)
        if (!launch(*V[Which], M[Which]))
          return false;
      cudaEventRecord(Stop, 0);
      if (!finishLaunches(*V[Which]))
        return false;
      float Milliseconds = 0;
      cudaEventElapsedTime(&Milliseconds, Start, Stop);
      Microseconds = 1000.0 * Milliseconds / Count;
      return true;
    };
    // The first launches are slower. They count for the comparison: both versions make as many.
    double Warm[2];
    for (int I = 0; I < 2; ++I)
      if (!measure(I, 3, Warm[I]))
        return;
    // Enough launches in a row that the clock of the events does not matter.
    const double Longest = std::max(Warm[0], Warm[1]);
    O.PerRound = static_cast<int>(std::min(50.0, std::max(1.0, 500.0 / std::max(Longest, 1.0))));
    O.Rounds = Settings.Rounds;
    std::vector<double> Times[2];
    for (int Round = 0; Round < O.Rounds; ++Round) {
      for (int Turn = 0; Turn < 2; ++Turn) {
        const int Which = (Round + Turn) % 2; // who goes first changes
        double T;
        if (!measure(Which, O.PerRound, T))
          return;
        Times[Which].push_back(T);
      }
    }
    O.Timed = true;
    O.OldMicroseconds = median(Times[0]);
    O.NewMicroseconds = median(Times[1]);
    cudaEventDestroy(Start);
    cudaEventDestroy(Stop);
    std::vector<Bytes> After[2];
    for (int I = 0; I < 2; ++I)
      if (!download(*V[I], M[I], After[I]) || !checkUntouched(*V[I], After[I]))
        return;
    Difference First;
    if (same(After[0], After[1], &First))
      return;
    // Once it agreed. A kernel with atomics may be deterministic only most of the time, so the same
    // number of launches of the old version is the judge.
    O.Differs = true;
    O.First = First;
    std::vector<Bytes> Again;
    if (!restore(Old, M[0]))
      return;
    for (int I = 0; I < 3 + O.Rounds * O.PerRound; ++I)
      if (!launch(Old, M[0]))
        return;
    if (!finishLaunches(Old) || !download(Old, M[0], Again))
      return;
    if (!same(After[0], Again))
      end("cannot-tell", "unstable",
          "the old version gives different results from run to run on the same data");
    else
      end("fail", "difference-after-timing",
          "the results agree after one launch, but differ after " +
              std::to_string(3 + O.Rounds * O.PerRound));
  }
};

bool loadBoth(const char *Suffix, Version *V, std::string &Error) {
  const char *Words[] = {"old", "new"};
  for (int I = 0; I < 2; ++I) {
    V[I].Word = Words[I];
    V[I].S = load(Folder + Words[I] + Suffix + ".so", Error);
    if (!V[I].S)
      return false;
  }
  return true;
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
  const std::string Self = argv[0];
  const size_t Slash = Self.rfind('/');
  Folder = Slash == std::string::npos ? "./" : Self.substr(0, Slash + 1);
  if (!readOptions(argc, argv)) {
    std::fprintf(stderr,
                 "usage: harness [--seeds=N,N,...] [--rounds=N] [--timeout=SECONDS] "
                 "[--guard=BYTES] [--poison=0|1] [--result=FILE]\n"
                 "  --rounds=0: no timing; --guard=0: no guard zones, for compute-sanitizer.\n"
                 "  --poison=0: shared memory is left as it is, which is what takes racecheck long.\n"
                 "  The result goes to result.json beside the program.\n");
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

  Version Sides[2], Contraction[2];
  std::string Error;
  if (!loadBoth("", Sides, Error)) {
    std::fprintf(stderr, "harness: %s\n", Error.c_str());
    return 2;
  }
  const size_t Count = sizeof(Cases) / sizeof(Cases[0]);
  Outcomes.resize(Count);
  for (size_t I = 0; I < Count; ++I)
    Outcomes[I].C = &Cases[I];

  enum { NotTried, Loaded, Unavailable } State = NotTried;
  Stop End;
  for (size_t I = 0; I < Count && !End.Happened; ++I) {
    CaseRunner R(Cases[I], Outcomes[I], End);
    R.run(Sides[0], Sides[1], State == Loaded ? Contraction : nullptr);
    if (R.WantsContraction && State == NotTried) {
      // Built only when it is needed, which is seldom; where nothing can be built the answer is
      // just less precise.
      State = Unavailable;
      if (loadBoth("-contraction", Contraction, Error) ||
          (std::system(("sh '" + Folder + "build.sh' contraction > /dev/null 2>&1").c_str()) == 0 &&
           loadBoth("-contraction", Contraction, Error)))
        State = Loaded;
      if (State == Loaded)
        R.run(Sides[0], Sides[1], Contraction);
    }
    print(Outcomes[I]);
    if (!writeResult())
      return finish();
  }
  return finish();
}
