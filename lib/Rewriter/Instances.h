//===- Instances.h - What the instances of one loop agree on -------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// A loop of a template is looked at in every instantiation, and what is written has to be right
/// for all of them: they agree on one list of candidates. So do the translation units that include
/// a loop of a header.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_REWRITER_INSTANCES_H
#define CUDA_PIPELINE_LIB_REWRITER_INSTANCES_H

#include "Reading.h"
#include "cuda-pipeline/Plan.h"
#include "cuda-pipeline/TileLayout.h"
#include <map>
#include <memory>

namespace cuda_pipeline {

/// What a loop is (steps 3 and 4, and what the choice looks at), whatever is asked for.
struct LoopAnalysis {
  TileModel Model;
  cuda_pipeline::Legality Legality;
  LaunchShape Shape;
  ComputeLoadRatio Ratio;
  uint64_t ComputeInstructions = 0; ///< PlanInputs::ComputeInstructions
  DynamicSizes Dynamic;
  std::vector<CopyWidth> Widths;   ///< of its copy loops, where somebody asks
  std::vector<TileLayout> Layouts; ///< of its tiles, where somebody asks
};

/// One instantiation of the loop, as one reading looks at it.
struct Instance {
  std::shared_ptr<const LoopAnalysis> Analysis;
  cuda_pipeline::Legality Legality; ///< with what this reading adds to it
  PlanInputs Inputs;
  std::vector<Candidate> Candidates;
  std::shared_ptr<const LoopPlaces> Places; ///< null: nothing has been drafted yet
  const TileModel &model() const { return Analysis->Model; }
  const FetchStore &cutFor(Variant V) const {
    return V == Variant::Mixed && Legality.MixedCut ? *Legality.MixedCut : model().Registers;
  }
};

/// One list for all instantiations: legal where all are, the largest budget, the lowest score.
std::vector<Candidate> agree(llvm::ArrayRef<Instance> Instances);

/// RewriteOptions::EmitRefused: candidates that are refused count as legal where there is something
/// to emit.
void waive(std::vector<Candidate> &Candidates, llvm::ArrayRef<Instance> Instances);

/// A loop of a header, before anything is decided: what all translation units have to agree on.
struct InAllUnits {
  std::vector<TemplateArguments> Arguments; ///< of all instantiations, in an order of their own
  bool Unknown = false;                     ///< some cannot be written down
  struct Score {
    double Least = 0;
    bool Refused = false;
  };
  std::map<std::pair<Variant, unsigned>, Score> Scores; ///< by variant and stages
  unsigned Units = 0;                                   ///< that have a use for it

  void add(llvm::ArrayRef<Candidate> Candidates);
  void applyTo(std::vector<Candidate> &Candidates, clang::SourceLocation Loop) const;
};
using AgreedLoops = std::map<LoopPlace, InAllUnits>;

} // namespace cuda_pipeline

#endif
