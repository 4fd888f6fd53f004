//===- LateAnswers.cpp - The check's diagnostics, behind those of clangd --------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LateAnswers.h"
#include "Rewriter/ResultRecord.h"
#include "cuda-pipeline/NoLint.h"
#include "clang/Basic/FileManager.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/Support/thread.h"
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>

using namespace llvm;
namespace lsp = clang::clangd;

namespace cuda_pipeline {
namespace {

using Clock = std::chrono::steady_clock;

/// All that an answer depends on, but for the disk.
std::string keyOf(const TileLoopQuestion &Q) { return toBytes(Q.Request) + toBytes(Q.Options); }

struct Answer {
  std::string Key;                          ///< empty: there is none yet
  std::shared_ptr<const FileResult> Result; ///< null: it does not parse, or:
  bool Failed = false;
  std::shared_ptr<const SeenFiles> Seen;

  bool holds() const {
    return all_of(*Seen, [](const auto &Entry) {
      const auto &[Path, Was] = Entry;
      sys::fs::file_status Now;
      if (sys::fs::status(Path, Now))
        return Was.Kind == SeenFile::Nothing;
      if (sys::fs::is_directory(Now))
        return Was.Kind == SeenFile::Folder || Was.Kind == SeenFile::Listing;
      return Was.Kind == SeenFile::File && Was.Size == Now.getSize() &&
             Was.Time == Now.getLastModificationTime().time_since_epoch().count();
    });
  }
};

/// What clangd has said of the newest text.
struct Said {
  std::string Version;
  lsp::Context In;
  std::vector<lsp::Diag> Diags; ///< with those that are never shown
};

/// What has been said of a text with an answer.
struct Shown {
  std::string Text;
  std::vector<lsp::Diag> Diags;
};

/// A file that is open.
struct OpenFile {
  std::string Version, Text;            ///< the newest
  std::atomic<unsigned> Turn{0};        ///< another one when what runs for it is no longer needed
  std::optional<TileLoopQuestion> Last; ///< what was asked last, of whatever text
  std::optional<TileLoopQuestion> Next; ///< what is to be answered
  Clock::time_point AskedAt;
  std::string Running;
  Answer Has;
  std::string Wanted; ///< the key of what the check waits for
  std::optional<struct Said> Said;
  std::shared_ptr<const struct Shown> Shown;
};

struct State {
  std::mutex Lock; ///< of all that follows, and while the editor is told something
  std::condition_variable Came;
  std::map<std::string, std::shared_ptr<OpenFile>> Files; ///< by full path
  lsp::ClangdServer::Callbacks *Editor = nullptr;
  std::function<void(StringRef, StringRef)> WhenSaid;
  std::unique_ptr<llvm::thread> Worker;
  std::atomic<bool> Stopping{false};
};
State &state() {
  static State *All = new State; // threads of clangd's may outlive what is destroyed at the end
  return *All;
}

class InContext {
public:
  explicit InContext(const lsp::Context &C) : Before(lsp::Context::swapCurrent(C.clone())) {}
  ~InContext() { lsp::Context::swapCurrent(std::move(Before)); }

private:
  lsp::Context Before;
};

bool isPending(const lsp::Diag &D) { return D.Message == PendingText; }

//===--- What is said ------------------------------------------------------------===//

/// The diagnostics of one check, as clangd makes them.
std::vector<lsp::Diag> diagnosticsOf(const FileResult &Result, bool OfRefused, StringRef Arch,
                                     const lsp::Diag &InPlaceOf) {
  auto Memory = makeIntrusiveRefCnt<vfs::InMemoryFileSystem>();
  const char Name[] = "/text.cu";
  Memory->addFile(Name, 0, MemoryBuffer::getMemBuffer(Result.Original, Name));
  clang::FileManager Files({}, Memory);
  clang::DiagnosticOptions Options;
  lsp::StoreDiags Store;
  clang::DiagnosticsEngine Engine(clang::DiagnosticIDs::create(), Options, &Store,
                                  /*ShouldOwnClient=*/false);
  clang::SourceManager SM(Engine, Files);
  const clang::OptionalFileEntryRef File = Files.getOptionalFileRef(Name);
  if (!File)
    return {};
  SM.setMainFileID(SM.createFileID(*File, clang::SourceLocation(), clang::SrcMgr::C_User));
  clang::LangOptions Lang;
  Lang.CPlusPlus = Lang.CPlusPlus11 = Lang.CUDA = true;
  Store.BeginSourceFile(Lang, nullptr);
  sayTileLoops(Result, OfRefused, Arch, SM,
               [&](clang::SourceLocation Where, StringRef Text, clang::DiagnosticIDs::Level Level) {
                 return Engine.Report(Where,
                                      Engine.getDiagnosticIDs()->getCustomDiagID(Level, Text));
               });
  Store.EndSourceFile();
  std::vector<lsp::Diag> All = Store.take();
  for (lsp::Diag &D : All) {
    D.Name = InPlaceOf.Name;
    D.Source = InPlaceOf.Source;
    D.Severity = InPlaceOf.Severity;
    D.Category = InPlaceOf.Category;
    D.Tags = InPlaceOf.Tags;
    D.ID = InPlaceOf.ID;
    D.File = InPlaceOf.File;
    D.AbsFile = InPlaceOf.AbsFile;
    for (lsp::Note &N : D.Notes) {
      N.File = InPlaceOf.File;
      N.AbsFile = InPlaceOf.AbsFile;
    }
  }
  return All;
}

std::vector<lsp::Diag> withoutPending(ArrayRef<lsp::Diag> Diags) {
  std::vector<lsp::Diag> Out;
  for (const lsp::Diag &D : Diags)
    if (!isPending(D))
      Out.push_back(D);
  return Out;
}

/// With the lock.
void tellAllSaid(const std::string &Path, const OpenFile &F) {
  if (const auto &Tell = state().WhenSaid)
    Tell(Path, F.Version);
}

/// Shows what clangd has said together with the answer. With the lock.
void show(const std::string &Path, OpenFile &F) {
  const InContext In(F.Said->In);
  auto New = std::make_shared<Shown>();
  New->Text = F.Text;
  bool Failed = F.Has.Failed;
  for (const lsp::Diag &D : F.Said->Diags) {
    if (!isPending(D)) {
      New->Diags.push_back(D);
      continue;
    }
    const bool OfRefused = D.Name == RefusedCheckName;
    if (F.Has.Result && F.Has.Result->Original == F.Text) {
      if (!OfRefused && WhenFound)
        WhenFound(F.Last->Request, F.Last->Options, *F.Has.Result);
      append_range(New->Diags,
                   diagnosticsOf(*F.Has.Result, OfRefused, F.Last->Options.Archs.front(), D));
    } else if (std::exchange(Failed, false)) {
      New->Diags.push_back(D);
      New->Diags.back().Message =
          "internal error while looking for tile loops; please report it with the file";
      New->Diags.back().Range = lsp::Range();
    }
  }
  F.Shown = std::move(New);
  state().Editor->onDiagnosticsReady(Path, F.Said->Version, F.Shown->Diags);
  tellAllSaid(Path, F);
}

class Between final : public lsp::ClangdServer::Callbacks {
public:
  explicit Between(Callbacks &Editor) : Editor(Editor) {}
  void onDiagnosticsReady(StringRef File, StringRef Version,
                          ArrayRef<lsp::Diag> Diagnostics) override {
    State &S = state();
    const std::lock_guard<std::mutex> Hold(S.Lock);
    const auto It = S.Files.find(File.str());
    const bool Newest = It != S.Files.end() && It->second->Version == Version;
    if (none_of(Diagnostics, isPending)) {
      Editor.onDiagnosticsReady(File, Version, Diagnostics);
      if (Newest) {
        It->second->Said.reset();
        tellAllSaid(It->first, *It->second);
      }
      return;
    }
    if (Newest && !S.Stopping) {
      OpenFile &F = *It->second;
      F.Said = {Version.str(), lsp::Context::current().clone(), Diagnostics};
      if (F.Has.Key == F.Wanted)
        return show(It->first, F);
    }
    Editor.onDiagnosticsReady(File, Version, withoutPending(Diagnostics));
  }
  void onFileUpdated(StringRef File, const lsp::TUStatus &Status) override {
    Editor.onFileUpdated(File, Status);
  }
  void onBackgroundIndexProgress(const lsp::BackgroundQueue::Stats &Stats) override {
    Editor.onBackgroundIndexProgress(Stats);
  }
  void onSemanticsMaybeChanged(StringRef File) override { Editor.onSemanticsMaybeChanged(File); }
  void onInactiveRegionsReady(StringRef File, std::vector<lsp::Range> Regions) override {
    Editor.onInactiveRegionsReady(File, std::move(Regions));
  }

private:
  Callbacks &Editor;
};

//===--- The thread --------------------------------------------------------------===//

/// Not with the lock.
Answer find(TileLoopQuestion Q, std::string Key, function_ref<bool()> Enough) {
  Answer A;
  A.Key = std::move(Key);
  auto Seen = std::make_shared<SeenFiles>();
  Q.Request.Seen = Seen;
  CrashRecoveryContext::Enable();
  CrashRecoveryContext Guard;
  A.Failed = !Guard.RunSafely([&] { A.Result = answer(Q, Enough); });
  if (A.Failed)
    A.Result = nullptr;
  A.Seen = std::move(Seen);
  return A;
}

void work() {
  State &S = state();
  std::unique_lock<std::mutex> Hold(S.Lock);
  while (!S.Stopping) {
    std::pair<const std::string, std::shared_ptr<OpenFile>> *First = nullptr;
    for (auto &Entry : S.Files)
      if (Entry.second->Next && (!First || Entry.second->AskedAt > First->second->AskedAt))
        First = &Entry;
    if (!First) {
      S.Came.wait(Hold);
      continue;
    }
    const std::string Path = First->first;
    const std::shared_ptr<OpenFile> F = First->second;
    TileLoopQuestion Q = std::move(*F->Next);
    F->Next.reset();
    F->Running = keyOf(Q);
    const std::string Text = *Q.Request.Contents;
    const unsigned Turn = F->Turn;
    const auto Enough = [&] { return S.Stopping || F->Turn != Turn; };
    Hold.unlock();
    Answer Found = find(std::move(Q), F->Running, Enough);
    Hold.lock();
    F->Running.clear();
    // What comes for a text that is no longer the newest one is nobody's answer.
    if (Enough() || F->Text != Text)
      continue;
    F->Has = std::move(Found);
    if (F->Has.Key == F->Wanted && F->Said && F->Said->Version == F->Version)
      show(Path, *F);
  }
}

} // namespace

std::optional<std::shared_ptr<const FileResult>> answerLater(const TileLoopQuestion &Question) {
  State &S = state();
  std::unique_lock<std::mutex> Hold(S.Lock);
  const auto It = S.Files.find(Question.Request.File);
  if (It == S.Files.end() || It->second->Version.empty()) {
    // It is not known of which text it would be the answer.
    Hold.unlock();
    Answer A;
    CrashRecoveryContext Guard;
    A.Failed = !Guard.RunSafelyOnThread([&] { A.Result = answer(Question, [] { return false; }); },
                                        AnalysisStackBytes);
    return A.Failed ? nullptr : A.Result;
  }
  OpenFile &F = *It->second;
  if (S.Stopping || Question.Request.Contents != F.Text)
    return nullptr; // another text has come, and with it another question
  std::string Key = keyOf(Question);
  F.Last = Question;
  F.Wanted = Key;
  F.Said.reset();
  F.Shown.reset();
  if (F.Has.Key == Key && !F.Has.Failed && F.Has.holds())
    return F.Has.Result;
  F.Has = Answer();
  if (F.Running == Key)
    return std::nullopt;
  if (!F.Running.empty())
    ++F.Turn;
  F.Next = Question;
  F.AskedAt = Clock::now();
  if (!S.Worker)
    S.Worker = std::make_unique<llvm::thread>(std::optional<unsigned>(AnalysisStackBytes), work);
  S.Came.notify_all();
  return std::nullopt;
}

void noteDraft(StringRef Path, StringRef Version, StringRef Text) {
  State &S = state();
  const std::lock_guard<std::mutex> Hold(S.Lock);
  std::shared_ptr<OpenFile> &F = S.Files[Path.str()];
  if (!F)
    F = std::make_shared<OpenFile>();
  F->Version = Version.str();
  if (F->Text == Text) { // of which clangd says nothing again
    if (F->Said)
      F->Said->Version = F->Version;
    return;
  }
  F->Text = Text.str();
  ++F->Turn;
  F->Has = Answer();
  F->Said.reset();
  F->Shown.reset();
  F->Wanted.clear();
  F->Next.reset();
}

void noteClosed(StringRef Path) {
  State &S = state();
  const std::lock_guard<std::mutex> Hold(S.Lock);
  if (const auto It = S.Files.find(Path.str()); It != S.Files.end()) {
    ++It->second->Turn;
    S.Files.erase(It);
  }
}

lsp::ClangdServer::Callbacks *standBetween(lsp::ClangdServer::Callbacks *Editor) {
  if (!Editor)
    return nullptr;
  State &S = state();
  const std::lock_guard<std::mutex> Hold(S.Lock);
  S.Editor = Editor;
  return new Between(*Editor); // there is one server, and it is the program
}

ArrayRef<lsp::Diag> diagnosticsOf(StringRef Path, StringRef Text, ArrayRef<lsp::Diag> Own) {
  static thread_local std::shared_ptr<const Shown> Kept;
  if (none_of(Own, isPending))
    return Own;
  State &S = state();
  const std::lock_guard<std::mutex> Hold(S.Lock);
  const auto It = S.Files.find(Path.str());
  if (It == S.Files.end() || !It->second->Shown || It->second->Shown->Text != Text)
    return Own;
  Kept = It->second->Shown;
  return Kept->Diags;
}

void setWhenSaid(std::function<void(StringRef, StringRef)> Tell) {
  State &S = state();
  const std::lock_guard<std::mutex> Hold(S.Lock);
  S.WhenSaid = std::move(Tell);
}

void stopLateAnswers() {
  State &S = state();
  const std::lock_guard<std::mutex> Hold(S.Lock);
  S.Stopping = true;
  S.WhenSaid = nullptr;
  S.Came.notify_all();
}

void joinLateAnswers() {
  State &S = state();
  std::unique_ptr<llvm::thread> Worker;
  {
    const std::lock_guard<std::mutex> Hold(S.Lock);
    Worker = std::move(S.Worker);
  }
  if (Worker)
    Worker->join();
}

} // namespace cuda_pipeline
