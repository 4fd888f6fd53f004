//===- HtmlParts.h - What the pages of the HTML report are made of --------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// One page is one file: style in it, no script, no request. What looks how is said in
/// html/page.css; here is what is said, and in which order. Everything that comes from a user, a
/// file or a compiler goes through escaped().
///
/// Nothing is said by colour alone: phases, verdicts and changes have a word or a sign, pictures a
/// title, a description and a caption that says what is drawn and from what.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_REPORT_HTMLPARTS_H
#define CUDA_PIPELINE_LIB_REPORT_HTMLPARTS_H

#include "Findings.h"
#include "cuda-pipeline/Report.h"
#include <string>

namespace cuda_pipeline {

/// As text, or as the value of an attribute in double quotes. What is no UTF-8, or would turn the
/// text around, is made visible.
std::string escaped(llvm::StringRef Text);

/// A name for an element that no other one of the page has.
class HtmlIds {
public:
  std::string next(llvm::StringRef What) { return (What + "-" + llvm::Twine(++Last)).str(); }

private:
  unsigned Last = 0;
};

/// Everything around \p Body.
void writePage(llvm::StringRef Title, llvm::StringRef Body, llvm::raw_ostream &OS);

//===--- Pictures (HtmlPictures.cpp): a whole <figure> each, of a loop with a plan --===//

/// What the loads and the compute of one kernel take when each of them runs alone.
struct MeasuredParts {
  double LoadsMicroseconds = 0, ComputeMicroseconds = 0;
  std::string Of; ///< "gemm, big on NVIDIA H100"
};
/// The first iterations, before and after. \p WhyNot: half a sentence, where nothing was measured.
void drawTimeline(const LoopReport &L, const std::optional<MeasuredParts> &Measured,
                  llvm::StringRef WhyNot, HtmlIds &Ids, llvm::raw_ostream &OS);

/// Shared memory of a kernel. Its loops are rewritten one behind the other, and each finds what
/// those in front of it have added: what a block needs in the end is that of all of them.
struct KernelMemory {
  uint64_t Before = 0, After = 0;
  unsigned Loops = 1; ///< with a plan
  uint64_t Share = 0; ///< that this loop adds
};
KernelMemory memoryOf(const FileReport &F, const LoopReport &L);
/// Blocks per SM against bytes of shared memory.
void drawStaircase(const LoopReport &L, const KernelMemory &M, llvm::StringRef Arch, HtmlIds &Ids,
                   llvm::raw_ostream &OS);
/// Shared memory before, after, and its limit.
void drawBudget(const LoopReport &L, const KernelMemory &M, HtmlIds &Ids, llvm::raw_ostream &OS);

//===--- What other steps found (HtmlFindings.cpp): sections ------------------===//

/// Report::Verify: one verification, or the list of them.
void writeVerification(const llvm::json::Object &Verify, llvm::StringRef Heading, HtmlIds &Ids,
                       llvm::raw_ostream &OS);
void writeBench(const llvm::json::Object &Bench, HtmlIds &Ids, llvm::raw_ostream &OS);
/// Of the loop alone: of a kernel with no other tile loop, from this file, for its architecture, in
/// one instantiation. Else \p WhyNot says what is in the way.
std::optional<MeasuredParts> measuredParts(const llvm::json::Value *Bench, const FileReport &F,
                                           const LoopReport &L, std::string &WhyNot);

} // namespace cuda_pipeline

#endif
