//===- Rewriter.cpp - Runs the whole flow over one file ------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Reads the file, looks again at loops that need another text, makes the new text of what comes of
/// it and reads that once more.
///
//===----------------------------------------------------------------------===//

#include "cuda-pipeline/Rewriter.h"
#include "Agreement.h"
#include "IdleStages.h"
#include "OuterLoops.h"
#include "TextRounds.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace cuda_pipeline {

/// One loop may ask for more than another one of the kernel.
static std::vector<Edit> growSizes(const std::vector<LoopOutcome> &Loops) {
  std::map<unsigned, GrownSize> Most;
  for (const LoopOutcome &L : Loops)
    for (const GrownSize &G : L.Grown)
      if (auto [It, New] = Most.try_emplace(G.Offset, G);
          !New && std::tie(It->second.Sum, It->second.Factor, It->second.Given) <
                      std::tie(G.Sum, G.Factor, G.Given))
        It->second = G;
  std::vector<Edit> Edits;
  for (const auto &[Offset, G] : Most)
    Edits.push_back({Offset, G.Length, G.newText()});
  return Edits;
}

/// \p New with line ends of the one kind that \p Old has: what is written into called text and in
/// other words has "\n".
static std::string withLineEndsOf(StringRef Old, StringRef New) {
  const auto IsBare = [](StringRef Text, size_t I) {
    return Text[I] == '\n' && (I == 0 || Text[I - 1] != '\r');
  };
  if (!Old.contains('\n') || any_of(seq(Old.size()), [&](size_t I) { return IsBare(Old, I); }))
    return New.str();
  std::string Out;
  for (size_t I = 0; I < New.size(); ++I) {
    if (IsBare(New, I))
      Out += '\r';
    Out += New[I];
  }
  return Out;
}

namespace {

/// The text that the loops of a pass make of the file, all of them together.
struct Written {
  std::unique_ptr<const ChangedText> Changed; ///< null: nothing is

  explicit Written(const Pass &P) {
    std::vector<Edit> All = growSizes(P.Loops);
    std::vector<std::string> Headers;
    for (const LoopOutcome &L : P.Loops) {
      for (const Edit &E : L.List)
        // Two loops may both ask for the stages, and the alignment, of one declaration.
        if (!is_contained(All, E))
          All.push_back(E);
      for (const std::string &H : L.Headers)
        if (!is_contained(Headers, H))
          Headers.push_back(H);
    }
    if (!All.empty())
      Changed = std::make_unique<const ChangedText>(
          P.Text, withIncludes(P.Text, withoutIdleStages(P, std::move(All)), Headers,
                               P.Result.MacrosInTheWay));
  }
};

/// The loops of \p P whose text in \p New does not pass checkOutput() lose their changes; all do,
/// where it is not known which are to blame. False: nothing is wrong.
bool withdraw(Pass &P, ArrayRef<ParseRequest> Units, const RewriteOptions &Options,
              const Written &New) {
  std::vector<LoopOutcome *> Changed;
  std::vector<WrittenLoop> Loops;
  for (LoopOutcome &L : P.Loops)
    if (!L.List.empty()) {
      const auto [Begin, End] = New.Changed->rangeOf(L.Phases);
      Changed.push_back(&L);
      Loops.push_back({Begin, End, &L.Meant});
    }
  std::vector<ParseRequest> Ways;
  for (const ParseRequest &Unit : Units)
    for (const Configuration &C : configurationsOf(Unit, Options.Archs)) {
      Ways.push_back(Unit);
      Ways.back().Arch = C.Arch;
      Ways.back().Flags = *C.Flags;
      Ways.back().KeepGoing = Options.KeepGoing;
      Ways.back().Reuse = nullptr; // nobody reads it again
    }
  const std::vector<OutputProblem> Problems = checkOutput(Ways, P.Text, New.Changed->text(), Loops);
  const bool All = any_of(Problems, [](const OutputProblem &O) { return !O.Loop; }) &&
                   none_of(Problems, [](const OutputProblem &O) { return O.Loop.has_value(); });
  for (size_t I = 0; I < Changed.size(); ++I) {
    const auto Problem =
        find_if(Problems, [&](const OutputProblem &O) { return All || O.Loop == I; });
    if (Problem == Problems.end())
      continue;
    takeBack(*Changed[I], Reason::NotYet,
             "a loop whose new text did not pass when it was read again (" + Problem->What + ")",
             "Please report it with the file: this is a mistake of the tool, and the loop was left "
             "as it is.");
  }
  return !Problems.empty();
}

} // namespace

FileResult processFile(const ParseRequest &Request, const RewriteOptions &Options) {
  return processFile(ArrayRef(Request), Options);
}

static FileResult processOnce(ArrayRef<ParseRequest> Units, const RewriteOptions &Options) {
  Pass P;
  const std::string Path = Units.front().Edited ? Units.front().Edited->Path : Units.front().File;
  P.Result.Report.Path = Path;
  read(P, Units, Options, {});
  if (!P.Result.Parsed)
    return std::move(P.Result);
  const std::string Original = P.Text;
  const std::vector<IncludedFile> Included = P.Result.Included;
  std::vector<std::string> Configurations = P.Result.Report.Configurations;
  lookAgain(P, Units, Options);
  FileResult &Result = P.Result;
  if (Configurations.size() > 1)
    Result.Report.Configurations = std::move(Configurations);
  else
    Result.Report.Configurations.clear();
  for (const ParseRequest &Unit : Units)
    for (const std::string &Arch : Unit.LeftOut)
      if (!is_contained(Result.Report.LeftOut, Arch))
        Result.Report.LeftOut.push_back(Arch);
  Result.Report.Path = Path;
  Result.Report.Arch = Options.Archs.empty() ? "" : Options.Archs.front();
  Result.Included = Included;
  Result.Original = Original;
  for (LoopOutcome &L : P.Loops)
    for (const WithheldLoop &W : Options.Withheld)
      if (W.Line == L.Report.Line && W.Column == L.Report.Column && !L.List.empty())
        takeBack(L, W.Id, W.Why, info(W.Id).Remedy.str());
  Written New(P);
  // What is handed out is read once more. A loop that does not pass, and is not known to be one,
  // stays as it was.
  while (New.Changed && (!Options.CheckOnly || Options.OffersText) && !Options.EmitRefused &&
         Options.Ablate == Ablation::None && withdraw(P, Units, Options, New))
    New = Written(P);
  for (LoopOutcome &L : P.Loops) {
    // Nobody asked for the loops of another file.
    bool Asked =
        none_of(L.Report.Reasons, [](const ReasonReport &R) { return R.Id == Reason::OtherFile; });
    if (Options.RequestedVariant && L.Report.Status == LoopStatus::Refused && Asked)
      Result.RequestedVariantRefused = true;
    if (New.Changed && !L.List.empty()) {
      L.Report.Headers = L.Headers;
      L.Report.NewPhases = New.Changed->phaseLines(L.Phases, L.Words);
      L.Report.InNewText = New.Changed->linesOf(L.Phases, L.Words);
    }
  }
  Result.Changed = New.Changed != nullptr;
  Result.NewContents = Result.Changed ? withLineEndsOf(Original, New.Changed->text()) : Original;
  for (LoopOutcome &L : P.Loops)
    Result.Report.Loops.push_back(std::move(L.Report));
  llvm::stable_sort(Result.Report.Loops, [](const LoopReport &A, const LoopReport &B) {
    return std::tie(A.Line, A.Column) < std::tie(B.Line, B.Column);
  });
  if (any_of(Result.Report.Loops, [](const LoopReport &L) { return L.AlthoughRefused; })) {
    Result.NewContents =
        "// NOT SOUND, for tests only: has loops that were refused (--emit-refused).\n" +
        Result.NewContents;
    for (LoopReport &L : Result.Report.Loops)
      moveLines(L.NewPhases, 1);
  }
  return std::move(Result);
}

FileResult processFile(ArrayRef<ParseRequest> Units, const RewriteOptions &Options) {
  FileResult Result = processOnce(Units, Options);
  if (Result.Parsed && Options.Print == PrintStep::None && !Options.EmitRefused &&
      Options.Ablate == Ablation::None)
    addOuterLoops(Result, Units, Options, processOnce);
  return Result;
}

} // namespace cuda_pipeline
