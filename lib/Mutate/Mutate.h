//===- Mutate.h - Mistakes in the new loop, for the tests of verification --===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// A test library: no program that users get has it. Verification is only known to find what it was
/// seen to find, so values that are about to be printed (PipelinedLoop.h) are changed in one place
/// each, and verification has to notice every change that is a mistake.
///
/// There are two kinds. The named ones of PlantedBugs.def are mistakes that others have shipped, or
/// that are easily made in an emitter. The others are generated: an operator for each place of the
/// value where it applies, called OPERATOR@PLACE, where a place is the way to a statement in the
/// new loop ("drop@top.wait", "slot=0@tail.if.call").
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_MUTATE_MUTATE_H
#define CUDA_PIPELINE_LIB_MUTATE_MUTATE_H

#include "cuda-pipeline/PipelinedLoop.h"
#include "llvm/ADT/StringRef.h"
#include <functional>
#include <memory>

namespace cuda_pipeline {

/// One change of a loop.
struct Mutation {
  std::string Id; ///< OPERATOR@PLACE
  std::function<void(PipelinedLoop &)> Apply;
};

/// All that can be changed in \p Loop, by the operators that change the loop itself. They are to be
/// applied to \p Loop, one of them.
std::vector<Mutation> mutationsOf(PipelinedLoop &Loop);

/// What makes the mistake \p Id in every loop where there is a place for it; null: nobody knows it.
/// "list:FILE" makes none, and adds a line to FILE for each that a loop has a place for: the
/// variant with its stages, and the id.
std::unique_ptr<const LoopMutator> mutatorFor(llvm::StringRef Id);

/// One of PlantedBugs.def; null: there is none of this name.
std::unique_ptr<const LoopMutator> plantedBug(llvm::StringRef Id);

/// Makes the change \p Id ("half@copy") of a copy, if it is one; the ids are the same for every
/// copy.
void changeCopy(llvm::StringRef Id, AsyncCopy &Copy);

/// Calls \p Do for every list of statements in \p Loop from Front on, outer ones first, with its
/// place ("top", "prologue.if").
void forEachList(PipelinedLoop &Loop, llvm::function_ref<void(LoopParts &, llvm::StringRef)> Do);

/// What stands for \p P in a place: "wait".
llvm::StringRef nameOf(LoopPart::Kind Kind);

} // namespace cuda_pipeline

#endif
