//===- Plan.h - Which variant, how many stages ----------------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Step 6: the candidates, each with its budget and score, and the choice.
///
/// The score is the predicted ratio of run times, original over rewritten. It comes from readings
/// on an H200 (docs/choice.md): the width of the copies first, then the engine, then how much of
/// the load latency the resident warps leave uncovered, then occupancy.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_PLAN_H
#define CUDA_PIPELINE_PLAN_H

#include "cuda-pipeline/Budget.h"
#include "cuda-pipeline/LaunchShape.h"
#include "cuda-pipeline/Legality.h"
#include "cuda-pipeline/Ratio.h"
#include "cuda-pipeline/Schedule.h"

namespace cuda_pipeline {

/// A launch in the main file that is to give more dynamic shared memory, or the attribute that
/// allows it to.
struct GrownSize {
  unsigned Offset = 0, Length = 0; ///< of the expression, bytes of the main file
  unsigned Line = 0;
  std::string Text;    ///< of the expression
  unsigned Factor = 1; ///< so many times as much
  uint64_t Round = 1;  ///< after it has been rounded up to a multiple of this
  uint64_t Most = 0; ///< bytes up to which it may grow, tested when it runs; 0: it fits for certain
  /// Instead of all that: so many bytes where the launch of \p Kernel gives none; Length 0: it has
  /// no argument for them.
  uint64_t Given = 0;
  std::string Kernel = {};
  uint64_t More = 0; ///< instead of Factor: so many bytes more
  uint64_t Sum = 0;  ///< what it is then; 0: not known
  bool operator==(const GrownSize &O) const {
    return Offset == O.Offset && Factor == O.Factor && More == O.More;
  }
  std::string newText() const;
};

/// A schedule, with what its text needs besides.
struct Plan : Schedule {
  std::vector<std::string> Assumptions;
  /// Of a template: the arguments of each instantiation in the file (none at all when one of them
  /// cannot be written), and which of them the rewrite is shown for only.
  std::vector<TemplateArguments> Arguments;
  ArgumentsMatter Matter;
  std::optional<DynamicStages>
      Dynamic;                      ///< of the tile in dynamic shared memory, with several stages
  std::vector<GrownSize> Grown;     ///< by place
  std::vector<CarriedTile> Carried; ///< with several stages
  /// TilePlace::Beside is possible, should it be more than static shared memory can be.
  bool MayBeBeside = false;
  /// Stages of other loops may then be in the same bytes: whatever uses them ends with a barrier.
  bool OthersBeside = false;
  std::vector<GrownSize> IfBeside;  ///< what Grown is then
  std::vector<std::string> Headers; ///< "cuda_pipeline.h"
  EmissionHints Hints;
  /// Why it is not sound, if it is to be emitted all the same (RewriteOptions::EmitRefused); else
  /// empty.
  std::vector<std::string> RefusedFor;

  bool isBeside() const { return isAt(TilePlace::Beside); }
};

struct Candidate {
  cuda_pipeline::Plan Plan;
  cuda_pipeline::Budget Budget;
  double Score = 0;
  std::vector<Refusal> Refusals; ///< why it is not legal; empty: legal
  std::vector<Refusal> Waived;   ///< the same, of one that is to be emitted all the same
  std::string Rejected;          ///< why it was not chosen; empty for the chosen one
  /// The choice is among these; the others say what else can be had of the loop.
  bool Asked = true;
};

struct Decision {
  std::vector<Candidate> Candidates;
  std::optional<size_t> Chosen;
  std::string Why;           ///< one sentence
  bool Unprofitable = false; ///< legal candidates exist, none is predicted to pay
};

/// What the choice looks at besides the model.
struct PlanInputs {
  std::vector<const GpuTarget *> Gpus;
  LaunchShape Shape;
  ComputeLoadRatio Ratio;
  uint64_t ComputeInstructions = 0; ///< per thread and iteration; 0: unknown
  std::optional<Variant> RequestedVariant;
  std::optional<unsigned> RequestedStages;
  double MinGain = 1.01;   ///< predicted speed-up from which on a rewrite is worth it, where no
                           ///< variant was asked for
  DynamicSizes Dynamic;    ///< of the kernel's launches
  bool OtherLoops = false; ///< the kernel has more than this one
};

/// Registers of 4 bytes in which one thread holds the next tile while it computes on this one,
/// under variants with registers: an element that is smaller takes one, too. 0: not known.
unsigned stagedRegisters(const FetchStore &Cut, clang::ASTContext &Context);

/// TilePlace::Beside: bytes of dynamic shared memory that the stages of all tiles need behind the
/// first.
uint64_t stagesBesideBytes(const TileModel &Model, unsigned Stages);

/// TilePlace::Beside for a candidate whose stages are too many for static shared memory, if it may
/// be and that is enough.
void placeBeside(Candidate &C, llvm::ArrayRef<const GpuTarget *> Gpus);

/// Of a loop that is pipelined already, by asynchronous copies in two stages: what one more would
/// take, if it costs no resident block. Empty: it would, or that is not known.
std::string oneMoreStage(const TileModel &Model, const clang::ASTContext &Context,
                         const LaunchShape &Shape, llvm::ArrayRef<const GpuTarget *> Gpus);

/// One line of the list of candidates, before anything is known of the loop.
struct Preset {
  Variant Kind;
  unsigned Stages; ///< buffers of each tile
  bool Asked;      ///< Candidate::Asked
};
std::vector<Preset> presetsFor(const PlanInputs &Inputs);

/// All candidates with budget, score and refusals; nothing chosen yet. First those that are asked
/// for, then every other preset, with the numbers of buffers that it has where none is named.
std::vector<Candidate> makeCandidates(const TileModel &Model, const Legality &Legal,
                                      clang::ASTContext &Context, const PlanInputs &Inputs);

/// The choice may fall on \p C, if nothing in the text stands against it: what it would look like
/// has to be known first (Edits.h).
bool mayBeChosen(const Candidate &C, const PlanInputs &Inputs);

/// Picks among the candidates that are asked for and have no refusals. Those that are not asked for
/// are not in the decision.
Decision decide(std::vector<Candidate> Candidates, const PlanInputs &Inputs);

} // namespace cuda_pipeline

#endif
