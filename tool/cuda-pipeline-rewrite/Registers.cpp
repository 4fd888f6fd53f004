//===- Registers.cpp - What nvcc needs per thread, in the report ----------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where nvcc can be asked, it is: what it says takes the place of the assumption `registers`. The
// text that is written is the same with it and without.
//
//===----------------------------------------------------------------------===//

#include "Units.h"
#include "Verification.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;

namespace cuda_pipeline {

/// "gemm" of "void ns::gemm<float, 32>(float const*)".
static std::string nameIn(StringRef Demangled) {
  std::string Plain;
  int Depth = 0;
  for (size_t I = 0; I != Demangled.size(); ++I) {
    if (Demangled.substr(I).consume_front("(anonymous namespace)")) {
      I += StringRef("(anonymous namespace)").size() - 1;
      continue;
    }
    const char C = Demangled[I];
    if (C == '(' && Depth == 0)
      break;
    Depth += C == '<' ? 1 : 0;
    if (Depth == 0)
      Plain += C;
    Depth -= C == '>' ? 1 : 0;
  }
  const StringRef Name = Plain;
  const size_t Last = Name.find_last_of(": ");
  return Name.drop_front(Last == StringRef::npos ? 0 : Last + 1).str();
}

/// As far as registers go. 0: none does.
static unsigned largestBlock(const GpuTarget &Gpu, unsigned Registers) {
  for (unsigned Threads = 1024; Threads != 0; Threads -= 32)
    if (computeOccupancy(Gpu, Threads, 0, Registers).Blocks != 0)
      return Threads;
  return 0;
}

void reportRegisters(FileReport &F, ArrayRef<KernelResources> Counted) {
  for (LoopReport &L : F.Loops) {
    if (L.Status != LoopStatus::Rewritten || !L.InFile.empty())
      continue;
    const KernelResources *OfArch = nullptr; ///< that the occupancy is of
    for (const KernelResources &K : Counted) {
      const GpuTarget *Gpu = GpuTarget::find(K.Arch);
      // What a __device__ function is called by is not looked for.
      if (!Gpu || !K.New.Registers || !K.Old.Registers ||
          (L.IsKernel && nameIn(K.Kernel) != plainName(L.Kernel)))
        continue;
      RegisterReport R;
      R.Arch = K.Arch;
      R.Before = K.Old.Registers;
      R.After = K.New.Registers;
      R.SpillBefore = K.Old.SpillStoreBytes + K.Old.SpillLoadBytes;
      R.SpillAfter = K.New.SpillStoreBytes + K.New.SpillLoadBytes;
      R.LargestBefore = largestBlock(*Gpu, R.Before);
      R.LargestAfter = largestBlock(*Gpu, R.After);
      for (unsigned *Largest : {&R.LargestBefore, &R.LargestAfter})
        if (L.MaxThreads)
          *Largest = std::min(*Largest, L.MaxThreads);
      R.Needed = std::min(L.BlockThreads ? L.BlockThreads : 1024u, R.LargestBefore);
      auto Worse = [](const RegisterReport &A, const RegisterReport &B) {
        return std::make_tuple(!A.launches(), A.After, A.SpillAfter) >
               std::make_tuple(!B.launches(), B.After, B.SpillAfter);
      };
      if (!L.Registers || Worse(R, *L.Registers))
        L.Registers = R;
      if (K.Arch == F.Arch && (!OfArch || OfArch->New.Registers < K.New.Registers))
        OfArch = &K;
    }
    if (!L.Registers)
      continue;
    if (L.Registers->launches())
      erase(L.Assumptions, "registers");
    else
      L.MachineApplicable = false;
    const GpuTarget *Gpu = OfArch ? GpuTarget::find(OfArch->Arch) : nullptr;
    if (!L.HasOccupancy || !Gpu || !L.BlockThreads)
      continue;
    const Occupancy Before =
        computeOccupancy(*Gpu, L.BlockThreads, L.Smem.Before, OfArch->Old.Registers);
    const Occupancy After =
        computeOccupancy(*Gpu, L.BlockThreads, L.Smem.After, OfArch->New.Registers);
    L.Occupancy.Before = Before.Blocks;
    L.Occupancy.After = After.Blocks;
    L.Occupancy.Limiter = toString(After.Limiter).str();
  }
}

std::vector<KernelResources> resourcesIn(const SassReport &Report) {
  std::vector<KernelResources> Out;
  for (const SassArch &A : Report.Archs)
    for (const SassKernel &K : A.Kernels)
      Out.push_back({A.Arch, K.Kernel, K.Symbol, K.Old.Resources, K.New.Resources});
  return Out;
}

} // namespace cuda_pipeline
