//===- Analyse.cpp - Many files, in processes, and none of them twice ---------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rewriter/ResultCache.h"
#include "Support/Isolate.h"
#include "Support/Printable.h"
#include "Support/Record.h"
#include "Units.h"
#include "cuda-pipeline/SelfCheck.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/thread.h"
#include <chrono>

using namespace llvm;

namespace cuda_pipeline {
namespace {

/// On a terminal, one line that changes. Elsewhere, a line now and then: somebody reads it later.
class Progress {
public:
  Progress(size_t Total, const Invocation &I)
      : Total(Total), OnTerminal(errs().is_displayed() && !I.Verbose) {
    Shown = I.Progress == ProgressKind::Always ||
            (I.Progress == ProgressKind::Auto && Total > 1 && !I.Quiet);
    EachOne = I.Progress == ProgressKind::Always && !OnTerminal;
  }
  ~Progress() {
    if (Shown && OnTerminal && Done > 0)
      clearLine();
  }
  void done(StringRef Path, const char *How) {
    ++Done;
    const auto Now = std::chrono::steady_clock::now();
    if (!Shown || (!OnTerminal && !EachOne && Now - Last < std::chrono::seconds(10)))
      return;
    Last = Now;
    if (OnTerminal)
      clearLine();
    errs() << '[' << Done << '/' << Total << "] " << printable(Path) << How;
    if (!OnTerminal)
      errs() << '\n';
  }

private:
  const size_t Total;
  size_t Done = 0;
  const bool OnTerminal;
  bool Shown, EachOne;
  std::chrono::steady_clock::time_point Last = std::chrono::steady_clock::now();
};

std::vector<ParseRequest> readersOf(const Unit &U) {
  return U.ReadBy.empty() ? std::vector<ParseRequest>{U.Request} : U.ReadBy;
}

/// The text as it is, and those of the rounds.
constexpr unsigned MostTexts = 6;

size_t readings(const Unit &U) { return std::max<size_t>(1, U.ReadBy.size()); }

/// Bytes, without what is included.
size_t textToRead(const Unit &U) { return U.Original.size() * readings(U); }

/// What one process says: of one input, or of one file in every variant.
struct FoundTogether {
  std::vector<std::string> Each; ///< bytes of a FoundResult
};
template <class Archive> void fields(Archive &A, FoundTogether &V) { A(V.Each); }

/// \p Parsed: what was read of the same file before, and \p Seen on the disk for it.
FoundResult findOut(const Unit &U, FixWishes Wishes, std::shared_ptr<ParsedUnits> Parsed,
                    std::shared_ptr<SeenFiles> Seen) {
  FoundResult Out;
  std::vector<ParseRequest> Readers = readersOf(U);
  for (ParseRequest &R : Readers) {
    R.Seen = Seen;
    R.Reuse = Parsed;
  }
  RewriteOptions Options = U.Options;
  Out.Result = processFile(Readers, Options);
  selfCheck(Out.Result, Readers, Options);
  if (Out.Result.Parsed && (Wishes.Alone || Wishes.Together))
    offerFixes(Out.Result, Readers, Options, Wishes);
  // They are known here, or the same as what is.
  Out.Result.Original.clear();
  if (!Out.Result.Changed)
    Out.Result.NewContents.clear();
  Out.Seen.assign(Seen->begin(), Seen->end());
  return Out;
}

/// Once in a run. Nobody has asked for the folder beside the database: that it cannot be written is
/// no news.
void sayCacheProblem(const ResultCache &Cache, const Invocation &I) {
  static bool Said = false;
  const bool Named = any_of(I.Paths, [](const NamedPath &P) { return P.Option == "--cache"; });
  if (Cache.problem().empty() || Said || !(Named || Cache.unsafe()))
    return;
  Said = true;
  warningLine(errs()) << "the cache '" << I.CacheDir << "' is not used: " << Cache.problem();
}

void take(Unit &U, FoundResult Found) {
  U.Result = std::move(Found.Result);
  U.Result.Original = U.Original;
  if (!U.Result.Changed)
    U.Result.NewContents = U.Original;
  U.Result.Report.Path = U.Path;
  for (const auto &[Path, Was] : Found.Seen)
    if (Was.Kind == SeenFile::File)
      U.Seen.push_back({Path, Was});
}

} // namespace

void analyse(ArrayRef<Unit *> Some, const Invocation &I, FixWishes Wishes) {
  Progress Say(Some.size(), I);
  std::optional<ResultCache> Cache;
  if (!I.CacheDir.empty())
    Cache.emplace(I.CacheDir, programIdentity());
  std::vector<Unit *> Left;
  std::vector<std::string> Keys;
  for (Unit *U : Some) {
    std::string Key = Cache ? Cache->keyOf(readersOf(*U), U->Options, Wishes) : "";
    if (std::optional<FoundResult> Known = Cache ? Cache->find(Key) : std::nullopt) {
      take(*U, std::move(*Known));
      Say.done(U->Path, " (known)");
      continue;
    }
    Left.push_back(U);
    Keys.push_back(std::move(Key));
  }
  const size_t Known = Some.size() - Left.size();
  // The longest first, by the one thing that is known of them: a long one that begins last keeps
  // all but one job waiting. Those of one file, in several variants, are one job.
  std::vector<std::vector<unsigned>> Order;
  for (unsigned K = 0; K != Left.size(); ++K)
    if (K != 0 && Left[K]->Each && Left[K - 1]->Path == Left[K]->Path)
      Order.back().push_back(K);
    else
      Order.push_back({K});
  if (I.Jobs > 1)
    llvm::stable_sort(Order, [&](const auto &A, const auto &B) {
      return textToRead(*Left[A.front()]) > textToRead(*Left[B.front()]);
    });

  // A header takes as many readings as it has readers.
  auto Seconds = [&](unsigned At) {
    const Unit &First = *Left[Order[At].front()];
    const RewriteOptions &Options = First.Options;
    const double Once =
        double(I.FileTimeout) * double(readings(First)) +
        (Options.SelfCheck == SelfCheckMode::Off ? 0 : 2 * Options.SelfCheckSeconds);
    return Once * double(Order[At].size());
  };
  auto Work = [&](unsigned At, EmitText Emit) {
    // Deep expressions need more stack than this thread has.
    llvm::thread Worker(std::optional<unsigned>(AnalysisStackBytes), [&] {
      // Every variant, every fix and the last of the rounds read a text that has been read.
      const bool Several = Order[At].size() > 1 || Wishes.Alone || Wishes.Others || Wishes.Together;
      const auto Parsed = makeParsedUnits(MostTexts, /*Facts=*/Several);
      const auto Seen = std::make_shared<SeenFiles>();
      FoundTogether All;
      for (unsigned K : Order[At])
        All.Each.push_back(toBytes(findOut(*Left[K], Wishes, Parsed, Seen)));
      Emit(toBytes(All));
    });
    Worker.join();
  };
  auto Done = [&](unsigned At, IsolatedRun Run) {
    std::optional<FoundTogether> All =
        Run.End == IsolatedRun::Finished ? fromBytes<FoundTogether>(Run.Output) : std::nullopt;
    for (const auto &[Index, K] : enumerate(Order[At])) {
      Unit &U = *Left[K];
      std::optional<FoundResult> Found =
          All && Index < All->Each.size() ? foundFromBytes(All->Each[Index]) : std::nullopt;
      if (Found) {
        if (Cache && none_of(Found->Result.Report.Loops, [](const LoopReport &L) {
              return L.SelfCheck && L.SelfCheck->OutOfTime;
            }))
          Cache->store(Keys[K], *Found);
        take(U, std::move(*Found));
      } else {
        U.Result = FileResult();
        U.Result.Original = U.Result.NewContents = U.Original;
        U.Result.Report.Path = U.Path;
        U.Result.Report.Problem =
            Run.End == IsolatedRun::TimedOut ? FileProblem::TimedOut : FileProblem::Crashed;
        U.Result.Report.ProblemText =
            Run.Problem.empty() ? "it ended without an answer" : Run.Problem;
      }
      Say.done(U.Path, "");
    }
  };
  isolateAll(unsigned(Order.size()), I.Jobs, Seconds, Work, Done);
  if (Cache)
    sayCacheProblem(*Cache, I);
  if (I.Verbose && Cache && !Some.empty())
    errs() << Known << " of " << Some.size() << " results are of an earlier run (" << I.CacheDir
           << ")\n";
}

} // namespace cuda_pipeline
