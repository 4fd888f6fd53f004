//===- Variant.cpp - The names of what can be asked for -----------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cuda-pipeline/Variant.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;

namespace cuda_pipeline {

const VariantInfo &info(Variant V) {
  static constexpr VariantInfo Infos[] = {
#define CPR_PRESET(Id, Name, Async, Registers, Least, Most)                                        \
  {llvm::StringLiteral(Name), Async, Registers, Least, Most},
#include "cuda-pipeline/Methods.def"
  };
  return Infos[size_t(V)];
}

ArrayRef<Variant> allVariants() {
  static constexpr Variant All[] = {
#define CPR_PRESET(Id, Name, Async, Registers, Least, Most) Variant::Id,
#include "cuda-pipeline/Methods.def"
  };
  return All;
}

StringRef toString(Variant V) { return info(V).Name; }

std::optional<Variant> variantFromString(StringRef S) {
  for (Variant V : allVariants())
    if (S == toString(V))
      return V;
  return std::nullopt;
}

Needs needs(Variant V, unsigned Stages) {
  const VariantInfo &Of = info(V);
  Needs All = Needs::Everything;
  if (Stages > 1)
    All |= Needs::SeveralBuffers;
  if (Stages > 1 && Of.Registers)
    All |= Needs::StoresAhead;
  // The second tile is loaded in front of the loop, the first barrier is in it.
  if (Stages > 2)
    All |= Needs::AheadOfBarrier;
  if (Of.Async && Of.Registers)
    return All | Needs::Mixing;
  return All | (Of.Async ? Needs::AsyncBytes : Needs::Registers);
}

StringRef toString(Ablation A) {
  switch (A) {
  case Ablation::None:
    return "";
  case Ablation::LoadsOnly:
    return "loads-only";
  case Ablation::ComputeOnly:
    return "compute-only";
  }
  llvm_unreachable("ablation");
}

} // namespace cuda_pipeline
