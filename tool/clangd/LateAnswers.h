//===- LateAnswers.h - The check's diagnostics, behind those of clangd ----------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// The check reads a file once more, as device code. clangd does not wait for that: what it has to
/// say of a text is shown at once, and once more with what the check has to say of the same text.
///
///   - In place of its diagnostics the check gives one that is never shown (PendingText). It has
///   been through all that clangd does with one (its severity, whether it is wanted); what comes in
///   its place is as it is.
///   - A thread answers: the text that was asked for last is the first. It begins when clangd has
///   read the text, which it does when that rests; clangd's own diagnostics do not share the
///   processor with it.
///   - An answer is for one text. It is shown if that is still the newest one that the editor has
///   sent, and is dropped otherwise; what is no longer needed is given up.
///   - clangd looks for quick-fixes among the diagnostics of its syntax tree. While that is the
///   tree of the text that an answer is for, those of the answer are among them.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_TOOL_LATEANSWERS_H
#define CUDA_PIPELINE_TOOL_LATEANSWERS_H

#include "../clang-tidy-module/TileLoopCheck.h"
#include "ClangdDeclarations.h"

namespace cuda_pipeline {

/// TileLoopCheck's AnswerLater.
std::optional<std::shared_ptr<const FileResult>> answerLater(const TileLoopQuestion &Question);

/// What the editor has open. To be called before clangd knows of it. \p Version: by which the
/// editor knows the text; empty: by none.
void noteDraft(llvm::StringRef Path, llvm::StringRef Version, llvm::StringRef Text);
void noteClosed(llvm::StringRef Path);

/// Stands between clangd and \p Editor, which is called for all that is not ours.
clang::clangd::ClangdServer::Callbacks *
standBetween(clang::clangd::ClangdServer::Callbacks *Editor);

/// The diagnostics of a syntax tree of the text \p Text, which has itself \p Own. Valid until the
/// next call by the same thread.
llvm::ArrayRef<clang::clangd::Diag> diagnosticsOf(llvm::StringRef Path, llvm::StringRef Text,
                                                  llvm::ArrayRef<clang::clangd::Diag> Own);

/// Called with a file and a version when all that will be said of it has been said.
void setWhenSaid(std::function<void(llvm::StringRef Path, llvm::StringRef Version)> Tell);

/// Nothing is said any more; the second waits for the thread to end.
void stopLateAnswers();
void joinLateAnswers();

} // namespace cuda_pipeline

#endif
