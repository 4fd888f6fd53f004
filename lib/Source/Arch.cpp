//===- Arch.cpp - Names of GPU architectures --------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CommandParts.h"
#include "cuda-pipeline/Source.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace cuda_pipeline {

// Ascending; the GPU table (lib/Analysis) has the same entries, and Clang 22 accepts each.
static constexpr unsigned Capabilities[] = {70, 72,  75,  80,  86,  87, 89,
                                            90, 100, 103, 110, 120, 121};

static std::string acceptedArchs() {
  std::string List;
  for (unsigned C : Capabilities)
    List += (List.empty() ? "sm_" : ", sm_") + utostr(C);
  return List;
}

// Of CUDA 13.0, but for 8.8, of which no numbers are known.
std::vector<std::string> everyArch(bool MajorOnly) {
  std::vector<std::string> Out;
  for (unsigned C : Capabilities)
    if (C >= 75 && (!MajorOnly || C == 75 || C % 10 == 0))
      Out.push_back("sm_" + utostr(C));
  return Out;
}

Expected<std::string> normalizeArch(StringRef Arch) {
  StringRef Rest = Arch.trim();
  for (StringRef Prefix : {"sm_", "compute_", "lto_"})
    if (Rest.consume_front(Prefix))
      break;

  StringRef Digits = Rest.take_while(isDigit);
  StringRef Suffix = Rest.drop_front(Digits.size());
  unsigned Capability = 0;
  bool Known = !Digits.getAsInteger(10, Capability) && is_contained(Capabilities, Capability) &&
               !Digits.starts_with("0");
  // "a": architecture-specific, since 9.0. "f": family-specific, since 10.0.
  bool SuffixFits =
      Suffix.empty() || (Suffix == "a" && Capability >= 90) || (Suffix == "f" && Capability >= 100);
  if (Known && SuffixFits)
    return ("sm_" + Digits + Suffix).str();
  const bool TooOld = Suffix.empty() && !Digits.starts_with("0") && Capability >= 10 &&
                      Capability < Capabilities[0];
  return createStringError(
      std::errc::invalid_argument, "%s GPU architecture '%s'; accepted are %s%s",
      TooOld ? "too old a" : "unknown", Arch.str().c_str(), acceptedArchs().c_str(),
      ", with the suffix 'a' from sm_90 on and 'f' from sm_100 on");
}

} // namespace cuda_pipeline
