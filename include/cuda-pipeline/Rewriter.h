//===- Rewriter.h - The facade: one file in, edits and a report out -------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Runs the whole flow over one file. Writes nothing; the caller (the tool, clangd, tests) decides
/// what to do with the new contents.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_REWRITER_H
#define CUDA_PIPELINE_REWRITER_H

#include "cuda-pipeline/GpuTarget.h"
#include "cuda-pipeline/Report.h"
#include "cuda-pipeline/Source.h"
#include "cuda-pipeline/Variant.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>
#include <string>
#include <vector>

namespace cuda_pipeline {

/// Steps that `--print=` shows.
enum class PrintStep { None, Loops, Tiles, Maps, Legality, Width, Layout, Budget, Plan, Edits };

struct LineRange {
  unsigned First, Last; ///< inclusive, 1-based
};

/// A loop that stays as it is, whatever speaks for it.
struct WithheldLoop {
  unsigned Line = 0, Column = 0; ///< of the loop
  Reason Id = Reason::SelfCheckFailed;
  std::string Why; ///< the argument of the reason
};

/// What may become of the pitch of a tile (TileLayout.h).
enum class LayoutChoice {
  Keep, ///< nothing
  Auto, ///< rows are longer where that takes bank conflicts away and costs no resident block
  Pad   ///< rows are longer where that takes bank conflicts away
};

/// What may become of the width of copies (CopyWidth.h).
enum class WidthChoice {
  Keep, ///< nothing
  Auto  ///< several elements are copied at once where that makes copies asynchronous, or fewer
};

enum class SelfCheckMode { Off, On, Require };

struct RewriteOptions {
  std::optional<Variant> RequestedVariant; ///< none: auto
  std::optional<unsigned> RequestedStages; ///< none: auto; 2..8
  WidthChoice Width = WidthChoice::Keep;
  LayoutChoice Layout = LayoutChoice::Keep;
  double MinGain = 1.01;         ///< predicted speed-up that auto asks for
  std::string KernelRegex;       ///< empty: all
  std::vector<LineRange> Lines;  ///< empty: all
  std::vector<LineRange> Begins; ///< only loops that begin in one of these; empty: all
  bool UnsafeFixes = false;
  bool KeepGoing = false;         ///< serve what errors elsewhere in the file leave alone
  llvm::StringSet<> Assumptions;  ///< granted by --assume; "registers" is always granted
  std::vector<std::string> Archs; ///< normalised; at least one
  LaunchShape BlockSize;          ///< from --block-size; Origin CommandLine
  std::vector<WithheldLoop> Withheld;
  SelfCheckMode SelfCheck = SelfCheckMode::Off; ///< of selfCheck(), SelfCheck.h
  double SelfCheckSeconds = 60;                 ///< for all of a file, at most
  bool CheckOnly = false;                       ///< status `opportunity` instead of `rewritten`
  bool OffersText = false;                      ///< the new text is handed out with CheckOnly, too
  PrintStep Print = PrintStep::None;
  EmissionHints Hints; ///< of all loops
  /// For the tests of legality: what is refused is emitted all the same, where it can be, and is
  /// said to be unsound in the output and in the report. Needs RequestedVariant.
  bool EmitRefused = false;
  /// For `bench`: every loop that is understood loses a half; nothing is pipelined. The report's
  /// status is Rewritten, and its variant says which half is left.
  Ablation Ablate = Ablation::None;
};

/// Sets what users call \p Name: variant, stages, width, layout, arch (one more), assume (one
/// more), block-size, min-gain. What is wrong with \p Value is said as "expected ...".
llvm::Error setOption(RewriteOptions &O, llvm::StringRef Name, llvm::StringRef Value);
/// The same by the name that clang-tidy's configuration has for it: Variant, Stages, Arch and
/// Assume (lists with commas), BlockSize, MinGain.
llvm::Error setCheckOption(RewriteOptions &O, llvm::StringRef Name, llvm::StringRef Value);
/// What is wrong with \p Key, under which clang-tidy's configuration has an option
/// ("cuda-pipeline-tile-loop.Variant"): it looks like one of ours and is none, so nobody would read
/// it. Empty: nothing.
std::string checkOptionProblem(llvm::StringRef Key);

/// Why RequestedStages is not what RequestedVariant makes; empty: it is, or one of them is not set.
std::string stagesAgainstVariant(const RewriteOptions &O);

struct FileResult {
  FileReport Report;
  std::string Original; ///< the contents of the file that was read
  /// False: the file did not parse; Clang's messages are in Diagnostics, nothing may be written.
  bool Parsed = false;
  std::string Diagnostics;
  bool HasErrors = false; ///< of Clang's, with RewriteOptions::KeepGoing
  /// The rewritten file; equal to the input when nothing changed.
  std::string NewContents;
  bool Changed = false;
  /// An explicitly requested variant was refused for at least one selected loop.
  bool RequestedVariantRefused = false;
  bool KernelNamed = false; ///< a function of it is called as RewriteOptions::KernelRegex wants it
  std::string Printed;      ///< output of --print
  std::vector<IncludedFile> Included;
  /// That stand in the way of an #include (withIncludes()), in any of the ways to read the file.
  std::vector<std::string> MacrosInTheWay;
};

/// \p Request.Arch is overridden by each of \p Options.Archs in turn.
FileResult processFile(const ParseRequest &Request, const RewriteOptions &Options);
/// A header, as all of \p Units read it (ParseRequest::Edited). What one of them has no use for is
/// decided by the others.
FileResult processFile(llvm::ArrayRef<ParseRequest> Units, const RewriteOptions &Options);

/// Stack that processFile() may need: a deep expression wants more than threads have by default.
/// Bytes.
constexpr unsigned AnalysisStackBytes = 64u << 20;

/// What of it a front end can offer.
struct FixWishes {
  bool Alone = false; ///< LoopReport::Fixes: each loop by itself, as \p Options choose
  bool SaidAlone =
      false; ///< and what the report says of a loop is about that, not about all of them together
  bool Others =
      false; ///< and by the other variants that are legal for it, with the stages that pay most
  bool Together = false; ///< LoopReport::Part
};

/// Adds to the loops of \p Result, which processFile() made of \p Units and \p Options, the fixes
/// that are wished for. A loop by itself is what `--lines` gives for it, byte for byte. All parts
/// together give FileResult::NewContents, and each of them alone a file that compiles; but for the
/// includes, which are in one part only, as they are needed once. The units are read again for each
/// fix, unless ParseRequest::Reuse is set. \p Enough: asked before each fix; true: nobody waits for
/// the rest any more.
void offerFixes(
    FileResult &Result, llvm::ArrayRef<ParseRequest> Units, const RewriteOptions &Options,
    FixWishes Wishes, llvm::function_ref<bool()> Enough = [] { return false; });

} // namespace cuda_pipeline

#endif
