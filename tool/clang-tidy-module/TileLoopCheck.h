//===- TileLoopCheck.h - The analysis as a clang-tidy check ---------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// `cuda-pipeline-tile-loop` warns where a tile loop can be pipelined, and has the rewrite as its
/// fix; `cuda-pipeline-refused` says why one cannot. Both are the flow of the command line behind
/// another front end. The syntax tree at hand is searched with the matchers of step 2, and where
/// they match nothing that is all. It is the host's, or lacks the bodies of functions in headers;
/// so where they match, the file is read again, as device code, by the same flags. Applying all
/// fixes gives what the command line writes.
///
/// Options of the first (docs/clang-tidy.md): Variant, Stages, Arch, BlockSize, Assume, MinGain,
/// CudaPath.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_TOOL_TILELOOPCHECK_H
#define CUDA_PIPELINE_TOOL_TILELOOPCHECK_H

#include "clang-tidy/ClangTidyCheck.h"
#include "cuda-pipeline/Rewriter.h"
#include "clang/Basic/Diagnostic.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <functional>
#include <memory>

namespace cuda_pipeline {

/// An editor takes one fix at a time: each is complete, and the other variants are offered, too.
/// clang-tidy applies all of a file together.
extern bool InEditor;

/// What a front end knows of the build: fills in the ways in which \p Request.File is compiled, and
/// their architectures. False: nothing.
extern std::function<bool(ParseRequest &Request, std::vector<std::string> &Archs)> KnownBuild;

/// Told what was found in a text, with all that it follows from, before the diagnostics are given.
extern std::function<void(const ParseRequest &Request, const RewriteOptions &Options,
                          const FileResult &Result)>
    WhenFound;

/// What the check wants to know of a text.
struct TileLoopQuestion {
  ParseRequest Request; ///< with Contents
  RewriteOptions Options;
};
/// The answer: reads the text, as device code. Null: it does not parse, or \p Enough said that
/// nobody waits for it any more.
std::shared_ptr<const FileResult> answer(const TileLoopQuestion &Question,
                                         llvm::function_ref<bool()> Enough);

/// Of a front end that answers by itself, while the diagnostics that there are already are shown.
/// Called on the thread that builds the syntax tree. None: the answer is not there yet; then the
/// check gives a diagnostic with the text PendingText, in place of which those of
/// sayTileLoops() come. Null: there is nothing to say.
extern std::function<std::optional<std::shared_ptr<const FileResult>>(
    const TileLoopQuestion &Question)>
    AnswerLater;
constexpr llvm::StringLiteral PendingText = "cuda-pipeline: the answer is yet to come";

/// Gives the diagnostics of cuda-pipeline-refused (\p OfRefused), or of cuda-pipeline-tile-loop,
/// for the text in the main file of \p SM.
void sayTileLoops(const FileResult &Result, bool OfRefused, llvm::StringRef Arch,
                  const clang::SourceManager &SM,
                  llvm::function_ref<clang::DiagnosticBuilder(
                      clang::SourceLocation, llvm::StringRef, clang::DiagnosticIDs::Level)>
                      Diag);

class TileLoopCheck : public clang::tidy::ClangTidyCheck {
public:
  TileLoopCheck(llvm::StringRef Name, clang::tidy::ClangTidyContext *Context);
  bool isLanguageVersionSupported(const clang::LangOptions &Lang) const override {
    return Lang.CUDA;
  }
  void storeOptions(clang::tidy::ClangTidyOptions::OptionMap &To) override;
  void registerPPCallbacks(const clang::SourceManager &SM, clang::Preprocessor *PP,
                           clang::Preprocessor *ModuleExpanderPP) override;
  void registerMatchers(clang::ast_matchers::MatchFinder *Finder) override;
  void check(const clang::ast_matchers::MatchFinder::MatchResult &Result) override;
  void onEndOfTranslationUnit() override;

private:
  std::optional<TileLoopQuestion> questionOf() const;
  bool selectLines(RewriteOptions &To, llvm::StringRef File) const;
  bool mayHaveTileLoops() const;

  clang::tidy::ClangTidyContext *const Tidy;
  const bool OfRefused; ///< cuda-pipeline-refused
  const std::string Variant, Stages, Arch, BlockSize, Assume, MinGain,
      CudaPath; ///< as the user wrote them
  RewriteOptions Wanted;
  std::optional<Toolkit> OwnToolkit; ///< of CudaPath
  bool Configured = true;
  clang::Preprocessor *PP = nullptr;
  bool MayHaveLoops = false; ///< in text that clang-tidy does not see
  /// The device's side, or nvcc, may see something else than clang-tidy does.
  bool SeenDifferently = false;
  std::vector<clang::SourceLocation> SideMacros; ///< in whose text they do
  bool HasLoop = false;     ///< a function of the main file that runs on the GPU has one
  bool HasTileLoop = false; ///< and by the matchers there may be a tile loop, here or in a header
};

} // namespace cuda_pipeline

#endif
