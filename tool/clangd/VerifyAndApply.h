//===- VerifyAndApply.h - A quick-fix that is run before it is applied ----------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Beside each quick-fix of a tile loop there is the code action `verify and apply`: the text that
/// it makes is run against the one that is there (SelfCheck.h), and applied if that has passed.
///
///   - The action is a Tweak of clangd's, of a feature module, in the line of the loop's header.
///   What it offers is what the check has found
///     in the very text that the editor shows.
///   - Choosing it is answered at once. The run takes seconds, and clients wait for an answer no
///   longer than these, and clangd does
///     nothing else for a file in the meantime.
///   - The run is this program again in a process of its own: what crashes or never ends there ends
///   nothing here.
///   - When it has passed, the server asks the editor to change the text, if that is still the one
///   which was run.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_TOOL_VERIFYANDAPPLY_H
#define CUDA_PIPELINE_TOOL_VERIFYANDAPPLY_H

#include "cuda-pipeline/Rewriter.h"

namespace cuda_pipeline {

/// TileLoopCheck's WhenFound.
void offerToVerify(const ParseRequest &Request, const RewriteOptions &Options,
                   const FileResult &Result);

/// What the editor has open. \p Text: at this moment, by full path; null: not open.
void setReadDraft(std::function<std::shared_ptr<const std::string>(llvm::StringRef Path)> Text);
/// \p Version: by which the editor knows its text; empty: by none. Called after the text is set.
void setDraftVersion(llvm::StringRef Path, llvm::StringRef Version);

/// For the tests: `$/cuda-pipeline/said` tells the editor that all is said of a version of a text.
extern bool SayWhenSaid;

/// The one argument by which this program is started for a run, and what it does then.
constexpr llvm::StringLiteral RunArgument = "--cuda-pipeline-run-fix";
int runFix();

} // namespace cuda_pipeline

#endif
