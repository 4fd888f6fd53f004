//===- FileAnalysis.h - Loop by loop through one parsed file -------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Steps 2 to 7 of one reading: the loops of the file, and for each of them model, legality,
/// budget, candidates, drafts, choice. The instantiations of one template loop are analysed
/// separately and must end in the same edits.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_REWRITER_FILEANALYSIS_H
#define CUDA_PIPELINE_LIB_REWRITER_FILEANALYSIS_H

#include "Instances.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"
#include <array>

namespace cuda_pipeline {

/// What has been found out about a text that is read for several variants, beside what Clang has
/// read.
class KeptAnalyses {
public:
  explicit KeptAnalyses(const RewriteOptions &O)
      : EmitRefused(O.EmitRefused), Width(O.Width), Layout(O.Layout), BlockSize(O.BlockSize),
        Assumptions(O.Assumptions) {}
  /// Nothing that an analysis depends on is another in \p O.
  bool isFor(const RewriteOptions &O) const {
    return O.EmitRefused == EmitRefused && O.Width == Width && O.Layout == Layout &&
           sizeOf(O.BlockSize) == sizeOf(BlockSize) && O.Assumptions.size() == Assumptions.size() &&
           llvm::all_of(O.Assumptions,
                        [&](const auto &A) { return Assumptions.contains(A.getKey()); });
  }

  std::optional<FoundLoops> Found;
  std::map<const KLoop *, std::shared_ptr<const LoopAnalysis>> Of; ///< of these
  /// Of loops with tile loops in them, by the first of the instantiations, the same without these.
  std::map<const KLoop *, std::vector<KLoop>> Alone;

private:
  static std::array<unsigned, 3> sizeOf(const LaunchShape &FromCommandLine) {
    return {FromCommandLine.X, FromCommandLine.Y, FromCommandLine.Z};
  }
  bool EmitRefused;
  WidthChoice Width;
  LayoutChoice Layout;
  LaunchShape BlockSize;
  llvm::StringSet<> Assumptions;
};

/// What else there is to know about a text that has been parsed.
struct FileReading {
  llvm::raw_ostream *Printed;         ///< output of --print
  llvm::ArrayRef<SourceError> Errors; ///< none without RewriteOptions::KeepGoing
  /// Places in the main file at which the text of calls stands that pins the arguments of a
  /// template.
  llvm::ArrayRef<std::pair<unsigned, unsigned>> Pinned;
  AgreedLoops *Asked = nullptr;        ///< of the loops of a header: to fill in
  const AgreedLoops *Agreed = nullptr; ///< of these: to keep to
  llvm::ArrayRef<LineRange> Only;      ///< functions that are looked at; empty: all
  bool SayAvailable = false;           ///< LoopOutcome::Available of all loops
  /// Stretches of the main file that the preprocessor leaves out, from byte to byte.
  llvm::ArrayRef<std::pair<unsigned, unsigned>> LeftOut;
  /// What other readings have found out, under the same options but for what is asked for; null:
  /// there are none.
  KeptAnalyses *Kept = nullptr;
};

std::vector<LoopOutcome> analyseFile(clang::ASTContext &Context, const RewriteOptions &Options,
                                     const FileReading &Reading);

} // namespace cuda_pipeline

#endif
