//===- PlantedBug.h - Bugs that the tests plant ---------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Mistakes in the emitted code, for the tests of verification: see PlantedBugs.def.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_PLANTEDBUG_H
#define CUDA_PIPELINE_PLANTEDBUG_H

#include "llvm/ADT/StringRef.h"
#include <optional>

namespace cuda_pipeline {

enum class PlantedBug {
  None,
#define PLANTED_BUG(Name, Id, Description) Name,
#include "cuda-pipeline/PlantedBugs.def"
};

inline std::optional<PlantedBug> plantedBugFromString(llvm::StringRef Id) {
#define PLANTED_BUG(Name, Text, Description)                                                       \
  if (Id == Text)                                                                                  \
    return PlantedBug::Name;
#include "cuda-pipeline/PlantedBugs.def"
  return std::nullopt;
}

/// As --plant-bug= has it; empty for None.
inline llvm::StringRef toString(PlantedBug Bug) {
  switch (Bug) {
#define PLANTED_BUG(Name, Text, Description)                                                       \
  case PlantedBug::Name:                                                                           \
    return Text;
#include "cuda-pipeline/PlantedBugs.def"
  case PlantedBug::None:
    break;
  }
  return "";
}

} // namespace cuda_pipeline

#endif
