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

StringRef toString(Variant V) {
  switch (V) {
  case Variant::CpAsync:
    return "cp-async";
  case Variant::Ldg:
    return "ldg";
  case Variant::LdgSingle:
    return "ldg-single";
  }
  llvm_unreachable("variant");
}

std::optional<Variant> variantFromString(StringRef S) {
  for (Variant V : {Variant::CpAsync, Variant::Ldg, Variant::LdgSingle})
    if (S == toString(V))
      return V;
  return std::nullopt;
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
