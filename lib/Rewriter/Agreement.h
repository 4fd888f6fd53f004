//===- Agreement.h - What all readings of a file agree on ----------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// A file is read for every architecture and configuration, a header for every file that includes
/// it. A loop is rewritten where all of them would write the same; else it stays as it was, and its
/// report says who differs.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_REWRITER_AGREEMENT_H
#define CUDA_PIPELINE_LIB_REWRITER_AGREEMENT_H

#include "Reading.h"

namespace cuda_pipeline {

/// A rewrite that one look at the file allowed, and that a further one does not: the loop stays as
/// it was, for this reason.
ReasonReport &takeBack(LoopOutcome &L, Reason Id, const std::string &What, std::string Remedy);

/// Not rewritten, because of \p What. \p Other: what another configuration says of it, if it has
/// it.
void disagree(LoopOutcome &L, const std::string &What, const LoopOutcome *Other,
              llvm::StringRef Name);

/// Loops of one configuration against those of the first. False: both would rewrite a loop, but not
/// in the same way, or not both.
bool compareConfigurations(std::vector<LoopOutcome> &First, const std::vector<LoopOutcome> &Other,
                           llvm::StringRef Name);

/// The loops of a header, as one more translation unit reads them. What is rewritten is right for
/// all of them. False: they would all rewrite a loop, but not in the same way.
bool mergeUnits(std::vector<LoopOutcome> &All, std::vector<LoopOutcome> Other,
                llvm::StringRef File);

} // namespace cuda_pipeline

#endif
