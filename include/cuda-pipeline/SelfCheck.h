//===- SelfCheck.h - A rewrite is run before it is handed out --------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// The step between a rewrite and whoever gets it: every kernel whose text has changed is run
/// against the original in the emulator, under launches that are searched for (Verify.h), in every
/// configuration that the file is compiled in. Nobody has to describe anything.
///
///   pass         the new main loop was in its steady state, the loop that stays beside it was run
///   as well, and whatever was
///                run left what the original leaves
///   fail         something did not. The loop keeps its bytes, and so do the others of the kernels
///   that failed; what is left of
///                the rewrite is made and run again
///   cannot tell  nothing was shown: no kernel of the file has the loop, no launch was found, the
///   emulator does not know
///                something. It stays as it is, or with SelfCheckMode::Require keeps its bytes
///
/// What is run is counted in runs and accesses to memory (lib/Verify/Search.h), so that the verdict
/// is the same on every machine; the seconds of RewriteOptions::SelfCheckSeconds are a ceiling
/// above that.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_SELFCHECK_H
#define CUDA_PIPELINE_SELFCHECK_H

#include "cuda-pipeline/Rewriter.h"

namespace cuda_pipeline {

/// Of what processFile() made of \p Units and \p Options: LoopReport::SelfCheck of every loop that
/// was rewritten. Loops that are taken back are added to RewriteOptions::Withheld, and \p Result is
/// that of these options. Runs in processes of its own: neither a crash nor an endless loop of a
/// kernel ends this one.
void selfCheck(FileResult &Result, llvm::ArrayRef<ParseRequest> Units, RewriteOptions &Options);

/// The same for \p Offered, which offerFixes() made for the loop at \p Line and \p Column of \p
/// Units by \p Options: nothing is handed out, this is what was seen. Where its text cannot be made
/// again (a header has changed since) nothing was shown of it.
SelfCheckReport selfCheckFix(llvm::ArrayRef<ParseRequest> Units, const RewriteOptions &Options,
                             unsigned Line, unsigned Column, const Fix &Offered);

} // namespace cuda_pipeline

#endif
