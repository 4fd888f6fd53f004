//===- VerifyAndApply.cpp - A quick-fix that is run before it is applied --------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VerifyAndApply.h"
#include "ClangdDeclarations.h"
#include "LateAnswers.h"
#include "Rewriter/ResultRecord.h"
#include "Support/AskProgram.h"
#include "Support/Messages.h"
#include "cuda-pipeline/SelfCheck.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/thread.h"
#include <cerrno>
#include <condition_variable>
#include <csignal>
#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <thread>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <unistd.h>

using namespace llvm;

namespace cuda_pipeline {

bool SayWhenSaid = false;

namespace {

/// What is asked of the other process, as it crosses over.
struct FixToRun {
  ParseRequest Request;
  RewriteOptions Options;
  unsigned Line = 0, Column = 0;
  Fix Offered;
};
template <class Archive> void fields(Archive &A, FixToRun &V) {
  auto &[Request, Options, Line, Column, Offered] = V;
  A(Request, Options, Line, Column, Offered);
}

/// What the check has found in a text.
struct Offer {
  ParseRequest Request;
  RewriteOptions Options;
  std::string Text;
  struct Loop {
    unsigned Line = 0, Column = 0;
    std::vector<Fix> Fixes;
  };
  std::vector<Loop> Loops;
};

/// One that somebody has chosen.
struct Job {
  std::string Path, Text;
  FixToRun Run;
  json::Array Edits; ///< as the editor takes them

  std::string place() const {
    return formatv("{0}:{1}", sys::path::filename(Path), Run.Line).str();
  }
  std::string plan() const { return planInWords(Run.Offered.Variant, Run.Offered.Stages); }
};

std::mutex Lock;                                            ///< of all that follows
std::map<std::string, std::shared_ptr<const Offer>> Offers; ///< by full path
std::function<std::shared_ptr<const std::string>(StringRef)> ReadDraft;
std::map<std::string, std::string> Versions; ///< of what is open, by full path

//===--- Words ----------------------------------------------------------------===//

/// Of a failure: the two commands that show it (as `rewrite` has them), and where.
std::string howToSee(const FixToRun &R) {
  auto Word = [](StringRef Text) {
    return all_of(Text, [](char C) { return isAlnum(C) || StringRef("-_./=:,+@%").contains(C); }) &&
                   !Text.empty()
               ? Text.str()
               : shellWord(Text);
  };
  const std::string File = Word(R.Request.File);
  const std::string Cuda = " --cuda-path=" + (R.Request.Cuda ? Word(R.Request.Cuda->Root) : "none");
  std::string Flags;
  for (const std::string &Flag : R.Request.Flags.ClangArgs)
    Flags += (Flags.empty() ? " -- " : " ") + Word(Flag);
  std::string Choice = formatv(" --lines={0}:{0} --variant={1}", R.Line, R.Offered.Variant).str();
  if (R.Offered.Variant == "cp-async")
    Choice += formatv(" --stages={0}", R.Offered.Stages).str();
  std::vector<std::string> Granted;
  for (const auto &Name : R.Options.Assumptions)
    Granted.push_back(Name.getKey().str());
  sort(Granted);
  if (!Granted.empty())
    Choice += " --assume=" + join(Granted, ",");
  if (const LaunchShape &B = R.Options.BlockSize; B.known())
    Choice += formatv(" --block-size={0}x{1}x{2}", B.X, B.Y, B.Z).str();
  const std::string In =
      R.Request.Flags.Directory.empty() ? "run" : "in " + Word(R.Request.Flags.Directory) + " run";
  const std::string Rewrite = formatv("{0}{1} --arch={2}{3} --self-check=off -o new.cu", File, Cuda,
                                      join(R.Options.Archs, ","), Choice)
                                  .str();
  // verify takes one architecture.
  const std::string Verify =
      formatv("verify {0} new.cu{1} --arch={2}", File, Cuda, R.Options.Archs.front()).str();
  return formatv("{0}: cuda-pipeline-rewrite {1}{3}; cuda-pipeline-rewrite {2}{3}", In, Rewrite,
                 Verify, Flags)
      .str();
}

//===--- The module -----------------------------------------------------------===//

namespace lsp = clang::clangd;

class VerifyModule final : public lsp::FeatureModule {
public:
  ~VerifyModule() override {
    stop();
    waitForWorker();
    joinLateAnswers();
  }
  void initializeLSP(lsp::LSPBinder &Bind, const json::Object &ClientCaps,
                     json::Object &) override {
    Editor = &Bind.Out;
    if (SayWhenSaid)
      setWhenSaid([this](StringRef Path, StringRef Version) {
        Editor->notify(
            "$/cuda-pipeline/said",
            json::Object{{"uri", lsp::URI::createFile(Path).toString()}, {"version", Version}});
      });
    if (const json::Object *Workspace = ClientCaps.getObject("workspace"))
      if (const json::Object *Edit = Workspace->getObject("workspaceEdit"))
        TakesVersions = Edit->getBoolean("documentChanges").value_or(false);
  }
  void stop() override {
    stopLateAnswers();
    const std::lock_guard<std::mutex> Hold(Mine);
    Stopping = true;
    Queue.clear();
    Came.notify_all();
  }
  bool blockUntilIdle(lsp::Deadline) override {
    if (Stopping) {
      waitForWorker();
      joinLateAnswers();
    }
    return true;
  }
  void contributeTweaks(std::vector<std::unique_ptr<lsp::Tweak>> &Out) override;

  /// Runs \p J when those before it are through. What the user is told at once.
  std::string begin(std::unique_ptr<Job> J) {
    const std::lock_guard<std::mutex> Hold(Mine);
    if (Stopping || !Editor)
      return J->place() + ": the server is about to end";
    if (!Busy.insert(J->Path).second)
      return J->place() + ": a quick-fix of this file is being run against the original already; "
                          "wait for what comes of it";
    const std::string Said = formatv("{0}: with {1} the loop is being run against the original; it "
                                     "is pipelined when that has passed",
                                     J->place(), J->plan())
                                 .str();
    Queue.push_back(std::move(J));
    if (!Worker.joinable())
      Worker = std::thread([this] { work(); });
    Came.notify_all();
    return Said;
  }

private:
  enum MessageType { Failure = 1, Warning = 2, Info = 3 };

  lsp::LSPBinder::RawOutgoing *Editor = nullptr;
  bool TakesVersions = false;
  std::mutex Mine; ///< of what follows
  std::condition_variable Came;
  std::deque<std::unique_ptr<Job>> Queue;
  std::set<std::string> Busy; ///< files that have a job
  std::thread Worker;
  std::atomic<bool> Stopping{false};

  void waitForWorker() {
    if (Worker.joinable())
      Worker.join();
  }

  void work() {
    for (;;) {
      std::unique_ptr<Job> J;
      {
        std::unique_lock<std::mutex> Hold(Mine);
        Came.wait(Hold, [&] { return Stopping || !Queue.empty(); });
        if (Stopping)
          return;
        J = std::move(Queue.front());
        Queue.pop_front();
      }
      const std::string Path = J->Path;
      const std::optional<SelfCheckReport> R = run(*J);
      {
        const std::lock_guard<std::mutex> Hold(Mine);
        Busy.erase(Path);
      }
      if (!R)
        return;
      conclude(*J, *R);
    }
  }

  void say(MessageType Type, const Twine &Text) {
    Editor->notify("window/showMessage",
                   json::Object{{"type", int(Type)},
                                {"message", json::fixUTF8(("cuda-pipeline: " + Text).str())}});
  }

  /// None: the server ends.
  std::optional<SelfCheckReport> run(const Job &J) {
    static int Anchor;
    // What runs now, also where another build has taken its place.
    std::string Program = "/proc/self/exe";
    if (!sys::fs::exists(Program))
      Program = sys::fs::getMainExecutable(nullptr, &Anchor);
    constexpr double ToRead = 120; // seconds, for what the budget of the runs does not count
    const ProgramAnswer A = askProgram({Program, RunArgument.str()}, toBytes(J.Run),
                                       2 * J.Run.Options.SelfCheckSeconds + ToRead, Stopping);
    if (A.End == ProgramAnswer::Stopped)
      return std::nullopt;
    if (A.End == ProgramAnswer::Given)
      if (std::optional<SelfCheckReport> R = fromBytes<SelfCheckReport>(A.Text))
        return R;
    SelfCheckReport R;
    R.Result = SelfCheckReport::Verdict::CannotTell;
    R.Why = "the run itself did not come to an end: " +
            (A.Problem.empty() ? "it gave no answer" : A.Problem);
    return R;
  }

  void conclude(const Job &J, const SelfCheckReport &R) {
    const std::string NotDone = formatv("{0}: not pipelined with {1}: ", J.place(), J.plan()).str();
    switch (R.Result) {
    case SelfCheckReport::Verdict::Pass:
      apply(J, R, NotDone);
      break;
    case SelfCheckReport::Verdict::Fail:
      say(Failure,
          NotDone +
              "self-check-failed: its new text did not do what the loop does when both were run: " +
              R.Why +
              ". This is a mistake of the tool; please report it with the file. To see it, save "
              "the file, and " +
              howToSee(J.Run));
      break;
    default:
      say(Warning, NotDone + selfCheckInWords(R) +
                       ". The quick-fix beside this one pipelines it without a run");
    }
  }

  void apply(const Job &J, const SelfCheckReport &R, const std::string &NotDone) {
    // First the version: the text may be a later one then, but never an earlier one.
    std::string Version;
    std::shared_ptr<const std::string> Text;
    {
      const std::lock_guard<std::mutex> Hold(Lock);
      Version = Versions[J.Path];
      Text = ReadDraft ? ReadDraft(J.Path) : nullptr;
    }
    if (!Text || *Text != J.Text) {
      say(Warning, NotDone + "the self-check has passed, but the text has changed since");
      return;
    }
    const std::string Uri = lsp::URI::createFile(J.Path).toString();
    json::Array Edits = J.Edits;
    json::Object Change;
    int64_t Number = 0;
    if (TakesVersions) {
      json::Value Of = to_integer(Version, Number) ? json::Value(Number) : json::Value(nullptr);
      Change["documentChanges"] = json::Array{
          json::Object{{"textDocument", json::Object{{"uri", Uri}, {"version", std::move(Of)}}},
                       {"edits", std::move(Edits)}}};
    } else {
      Change["changes"] = json::Object{{Uri, std::move(Edits)}};
    }
    json::Object Request{{"label", "pipeline this tile loop with " + J.plan()},
                         {"edit", std::move(Change)}};
    // First: the answer may be that it was not done, and not every editor says that it was.
    say(Info,
        formatv("{0}: pipelined with {1}; {2}", J.place(), J.plan(), selfCheckInWords(R)).str());
    Editor->callMethod("workspace/applyEdit", std::move(Request),
                       [this, NotDone](Expected<json::Value> Reply) {
                         std::string Why;
                         if (!Reply)
                           Why = toString(Reply.takeError());
                         else if (const json::Object *O = Reply->getAsObject();
                                  O && !O->getBoolean("applied").value_or(true))
                           Why = O->getString("failureReason").value_or("it gave no reason").str();
                         if (!Why.empty())
                           say(Warning, NotDone + "the editor did not change the text: " + Why);
                       });
  }
};

//===--- The code action ------------------------------------------------------===//

/// In the order in which the menu has them: clangd sorts by these addresses.
constexpr char Ids[][24] = {"VerifyAndPipeline1", "VerifyAndPipeline2", "VerifyAndPipeline3",
                            "VerifyAndPipeline4"};

/// For the quick-fix with this number of the loop in whose header the cursor is.
class VerifyTweak final : public lsp::Tweak {
public:
  VerifyTweak(VerifyModule &Module, unsigned Number) : Module(Module), Number(Number) {}
  const char *id() const override { return Ids[Number]; }

  bool prepare(const Selection &Of) override {
    const clang::SourceManager &SM = Of.AST->getASTContext().getSourceManager();
    const clang::OptionalFileEntryRef Main = SM.getFileEntryRefForID(SM.getMainFileID());
    if (!Main)
      return false;
    SmallString<256> Name(Main->getName());
    SM.getFileManager().makeAbsolutePath(Name);
    Path = std::string(Name);
    {
      const std::lock_guard<std::mutex> Hold(Lock);
      const auto It = Offers.find(Path);
      if (It == Offers.end() || It->second->Text != Of.Code)
        return false;
      From = It->second;
    }
    const size_t First = Of.Code.take_front(Of.SelectionBegin).count('\n') + 1,
                 Last = Of.Code.take_front(Of.SelectionEnd).count('\n') + 1;
    for (const Offer::Loop &L : From->Loops)
      if (First <= L.Line && L.Line <= Last) {
        Loop = &L;
        return Number < L.Fixes.size();
      }
    return false;
  }

  Expected<Effect> apply(const Selection &Of) override {
    auto J = std::make_unique<Job>();
    J->Path = Path;
    J->Text = From->Text;
    J->Run = {From->Request, From->Options, Loop->Line, Loop->Column, Loop->Fixes[Number]};
    auto At = [&](size_t Offset) {
      const lsp::Position P = lsp::offsetToPosition(Of.Code, Offset);
      return json::Object{{"line", P.line}, {"character", P.character}};
    };
    for (const Edit &E : J->Run.Offered.Edits)
      J->Edits.push_back(json::Object{
          {"range", json::Object{{"start", At(E.Offset)}, {"end", At(E.Offset + E.Length)}}},
          {"newText", E.Text}});
    Effect Told;
    Told.ShowMessage = "cuda-pipeline: " + Module.begin(std::move(J));
    return Told;
  }

  std::string title() const override {
    const Fix &F = Loop->Fixes[Number];
    return formatv("verify and apply: pipeline with {0}, after a run against the original",
                   planInWords(F.Variant, F.Stages))
        .str();
  }
  /// Editors take it for a quick-fix. To clangd it is none, so that one that is alone beside it is
  /// still the preferred one.
  StringLiteral kind() const override { return "quickfix.verify"; }

private:
  VerifyModule &Module;
  const unsigned Number;
  std::string Path;
  std::shared_ptr<const Offer> From;
  const Offer::Loop *Loop = nullptr; ///< of From
};

void VerifyModule::contributeTweaks(std::vector<std::unique_ptr<lsp::Tweak>> &Out) {
  for (unsigned Number = 0; Number != std::size(Ids); ++Number)
    Out.push_back(std::make_unique<VerifyTweak>(*this, Number));
}

const lsp::FeatureModuleRegistry::Add<VerifyModule>
    Registered("cuda-pipeline-verify",
               "Runs a quick-fix against the original before it is applied.");

} // namespace

void offerToVerify(const ParseRequest &Request, const RewriteOptions &Options,
                   const FileResult &Result) {
  auto O = std::make_shared<Offer>();
  for (const LoopReport &L : Result.Report.Loops)
    if (L.Status == LoopStatus::Opportunity && !L.Fixes.empty())
      O->Loops.push_back({L.Line, L.Column, L.Fixes});
  O->Request = Request;
  O->Options = Options;
  O->Text = Result.Original;
  const std::lock_guard<std::mutex> Hold(Lock);
  if (O->Loops.empty())
    Offers.erase(Request.File);
  else
    Offers[Request.File] = std::move(O);
}

void setReadDraft(std::function<std::shared_ptr<const std::string>(StringRef)> Text) {
  const std::lock_guard<std::mutex> Hold(Lock);
  ReadDraft = std::move(Text);
}

void setDraftVersion(StringRef Path, StringRef Version) {
  const std::lock_guard<std::mutex> Hold(Lock);
  Versions[Path.str()] = Version.str();
}

int runFix() {
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL); // nobody would read the answer
#endif
  // What anything in here prints is not the answer.
  const int Answer = dup(STDOUT_FILENO);
  dup2(STDERR_FILENO, STDOUT_FILENO);
  std::string Question;
  char Buffer[65536];
  for (ssize_t N; (N = read(STDIN_FILENO, Buffer, sizeof(Buffer))) != 0;)
    if (N > 0)
      Question.append(Buffer, static_cast<size_t>(N));
    else if (errno != EINTR)
      return 1;
  const std::optional<FixToRun> R = fromBytes<FixToRun>(Question);
  if (!R)
    return 1;
  std::string Bytes;
  // Deep expressions need more stack than this thread has.
  llvm::thread Worker(std::optional<unsigned>(AnalysisStackBytes), [&] {
    Bytes = toBytes(selfCheckFix(R->Request, R->Options, R->Line, R->Column, R->Offered));
  });
  Worker.join();
  for (StringRef Left = Bytes; !Left.empty();) {
    const ssize_t N = write(Answer, Left.data(), Left.size());
    if (N > 0)
      Left = Left.drop_front(static_cast<size_t>(N));
    else if (errno != EINTR)
      return 1;
  }
  return 0;
}

} // namespace cuda_pipeline
