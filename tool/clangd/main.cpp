//===- main.cpp - clangd with the check compiled in -----------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// clangd loads no plugins, but its libraries are installed: this is clangd's own main function,
/// with the checks of tool/clang-tidy-module in its registry. What differs from clangd:
///
/// - cuda-pipeline-tile-loop is on, unless the configuration of a file speaks of cuda-pipeline
/// checks itself;
/// - it counts as fast, so that clangd's default FastCheckFilter does not drop it;
/// - there is no client for remote indexes, which would need gRPC;
/// - a command of nvcc's becomes one of Clang's before clangd looks at it, by the translation that
/// the command line has; the check
///   knows all entries of the database for the file, and all architectures;
/// - the check's diagnostics are shown behind all others, which do not wait for them
/// (LateAnswers.h);
/// - each quick-fix can be run against the original before it is applied (VerifyAndApply.h).
///
/// All but the third are calls inside of clangd that the linker leads here (--wrap,
/// CMakeLists.txt), for the last beside a feature module. clangd's headers are not installed; the
/// declarations are those of LLVM 22.1 (clang-tools-extra/clangd: TidyProvider.h,
/// index/remote/Client.h, tool/ClangdMain.h).
///
//===----------------------------------------------------------------------===//

#include "../ProgramMain.h"
#include "../clang-tidy-module/TileLoopCheck.h"
#include "ClangdDeclarations.h"
#include "LateAnswers.h"
#include "VerifyAndApply.h"
#include "clang-tidy/ClangTidyOptions.h"
#include "cuda-pipeline/NoLint.h"
#include "cuda-pipeline/Source.h"
#include "clang/Basic/Version.h"
#include "clang/Tooling/CompilationDatabase.h"
#include "llvm/ADT/FunctionExtras.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace cuda_pipeline {

/// clangd reads headers from the disk, as the thread that answers does.
static bool AnswersLate = true;

namespace {

struct Build {
  std::vector<CompileFlags> Ways;
  std::vector<std::string> Archs, LeftOut;
};
std::mutex BuildsLock;
std::map<std::string, Build> Builds; ///< by full path, of commands that were translated

bool isOfNvcc(llvm::ArrayRef<std::string> Command) {
  for (llvm::StringRef Word : Command) {
    if (Word.starts_with("-"))
      return false;
    if (llvm::sys::path::stem(Word) == "nvcc")
      return true;
  }
  return false;
}

/// All entries for \p File of the database that its command is from, in the folder of the command
/// or above.
std::vector<CompileFlags> allWays(llvm::StringRef Folder, llvm::StringRef File) {
  for (unsigned Up = 0; Up < 5 && !Folder.empty();
       ++Up, Folder = llvm::sys::path::parent_path(Folder)) {
    if (!llvm::sys::fs::exists(Folder + "/compile_commands.json"))
      continue;
    llvm::Expected<FlagDatabase> Database = FlagDatabase::load(Folder);
    if (!Database) {
      llvm::consumeError(Database.takeError());
      continue;
    }
    llvm::Expected<std::vector<CompileFlags>> All = Database->allFlagsOf(File);
    if (All && !All->empty())
      return std::move(*All);
    llvm::consumeError(All.takeError());
  }
  return {};
}

void translateForClangd(clang::tooling::CompileCommand &Command, llvm::StringRef File) {
  if (!isOfNvcc(Command.CommandLine))
    return;
  static const std::optional<Toolkit> Cuda = [] {
    llvm::Expected<std::optional<Toolkit>> Found = findToolkit("");
    if (Found)
      return *Found;
    llvm::consumeError(Found.takeError());
    return std::optional<Toolkit>();
  }();
  llvm::Expected<CompileFlags> Flags = translateFlags(Command.CommandLine, Command.Directory);
  llvm::Expected<std::string> Declarations = declarationsFolder(Cuda.has_value());
  if (!Flags || !Declarations) {
    llvm::consumeError(Flags.takeError());
    // In the editor's log, once: it is the same for every file.
    static std::once_flag Said;
    if (const std::string Why = llvm::toString(Declarations.takeError()); !Why.empty())
      std::call_once(Said, [&] { llvm::errs() << "cuda-pipeline-clangd: " << Why << "\n"; });
    return;
  }
  // A command for C++ stays one: only its flags are nvcc's.
  const bool IsCuda = !Flags->Language.empty()
                          ? llvm::StringRef(Flags->Language).starts_with("cu")
                          : llvm::StringRef(Command.Filename).ends_with(".cu") ||
                                File.ends_with(".cu") || File.ends_with(".cuh");
  if (!IsCuda)
    return;
  Build B;
  B.Ways = allWays(Command.Directory, File);
  llvm::erase(B.Ways, *Flags);
  B.Ways.insert(B.Ways.begin(), *Flags);
  if (llvm::Expected<std::vector<std::string>> Archs = settleArchs(B.Ways, {}, Cuda, B.LeftOut)) {
    B.Archs = std::move(*Archs);
  } else { // for a GPU that is not here, or one of which nothing is known
    llvm::consumeError(Archs.takeError());
    B = Build();
  }
  ParseRequest Request;
  Request.File = File.str();
  Request.Cuda = Cuda;
  Request.Flags = B.Ways.empty() ? *Flags : B.Ways.front();
  Request.Arch = B.Archs.empty() ? "sm_80" : Request.Flags.Archs.front();
  Command.CommandLine = {"clang++"};
  llvm::append_range(Command.CommandLine, toolArguments(Request, *Declarations));
  const std::lock_guard<std::mutex> Lock(BuildsLock);
  Builds[File.str()] = std::move(B);
}

/// This build of the program.
std::string identity() {
  static int Anchor;
  llvm::sys::fs::file_status Status;
  std::string Out = "clangd " + clang::getClangFullVersion();
  if (!llvm::sys::fs::status(llvm::sys::fs::getMainExecutable(nullptr, &Anchor), Status))
    Out += " " + std::to_string(Status.getSize()) + " " +
           std::to_string(Status.getLastModificationTime().time_since_epoch().count());
  return Out;
}

/// KnownBuild.
bool buildOf(ParseRequest &Request, std::vector<std::string> &Archs) {
  const std::lock_guard<std::mutex> Lock(BuildsLock);
  const auto It = Builds.find(Request.File);
  if (It == Builds.end() || It->second.Ways.empty())
    return false;
  const CompileFlags &First = It->second.Ways.front();
  Request.Flags.Archs = First.Archs;
  Request.Flags.OfCode = First.OfCode;
  Request.Flags.Macros = First.Macros;
  Request.Flags.ByClang = First.ByClang;
  Request.Others.assign(It->second.Ways.begin() + 1, It->second.Ways.end());
  Request.LeftOut = It->second.LeftOut;
  Archs = It->second.Archs;
  return true;
}

} // namespace
} // namespace cuda_pipeline

namespace clang::clangd {

int clangdMain(int argc, char *argv[]);

class SymbolIndex {
public:
  virtual ~SymbolIndex();
};

namespace remote {
std::unique_ptr<SymbolIndex> getClient(llvm::StringRef Address, llvm::StringRef ProjectRoot) {
  return nullptr;
}
} // namespace remote

using TidyProvider = llvm::unique_function<void(tidy::ClangTidyOptions &, llvm::StringRef) const>;

std::optional<bool>
realIsFast(llvm::StringRef Check) asm("__real__ZN5clang6clangd15isFastTidyCheckEN4llvm9StringRefE");
std::optional<bool>
isFast(llvm::StringRef Check) asm("__wrap__ZN5clang6clangd15isFastTidyCheckEN4llvm9StringRefE");
std::optional<bool> isFast(llvm::StringRef Check) {
  return Check.starts_with("cuda-pipeline-") ? std::optional<bool>(true) : realIsFast(Check);
}

TidyProvider realDefaults() asm("__real__ZN5clang6clangd20provideDefaultChecksEv");
TidyProvider defaults() asm("__wrap__ZN5clang6clangd20provideDefaultChecksEv");
TidyProvider defaults() {
  return [Real(realDefaults())](tidy::ClangTidyOptions &Options, llvm::StringRef File) {
    Real(Options, File);
    if (Options.Checks && !llvm::StringRef(*Options.Checks).contains("cuda-pipeline-"))
      *Options.Checks += "," + cuda_pipeline::TileLoopCheckName.str();
  };
}

/// clangd's own changes to a command; what is nvcc's is translated first.
class CommandMangler;
void realMangle(const CommandMangler *, tooling::CompileCommand &, llvm::StringRef) asm(
    "__real__ZNK5clang6clangd14CommandManglerclERNS_7tooling14CompileCommandEN4llvm9StringRefE");
void mangle(const CommandMangler *, tooling::CompileCommand &, llvm::StringRef) asm(
    "__wrap__ZNK5clang6clangd14CommandManglerclERNS_7tooling14CompileCommandEN4llvm9StringRefE");
void mangle(const CommandMangler *This, tooling::CompileCommand &Command, llvm::StringRef File) {
  cuda_pipeline::translateForClangd(Command, File);
  realMangle(This, Command, File);
}

/// What is open in the editor, for LateAnswers.h and VerifyAndApply.h.
void realAdd(ClangdServer *, llvm::StringRef, llvm::StringRef, llvm::StringRef, WantDiagnostics,
             bool) asm("__real__ZN5clang6clangd12ClangdServer11addDocumentEN4llvm9StringRefES3_S3_"
                       "NS0_15WantDiagnosticsEb");
void add(ClangdServer *, llvm::StringRef, llvm::StringRef, llvm::StringRef, WantDiagnostics,
         bool) asm("__wrap__ZN5clang6clangd12ClangdServer11addDocumentEN4llvm9StringRefES3_S3_NS0_"
                   "15WantDiagnosticsEb");
void add(ClangdServer *This, llvm::StringRef File, llvm::StringRef Text, llvm::StringRef Version,
         WantDiagnostics Want, bool Rebuild) {
  cuda_pipeline::noteDraft(File, Version, Text);
  realAdd(This, File, Text, Version, Want, Rebuild);
  cuda_pipeline::setReadDraft([This](llvm::StringRef Path) { return This->getDraft(Path); });
  cuda_pipeline::setDraftVersion(File, Version);
}
void realRemove(ClangdServer *, llvm::StringRef) asm(
    "__real__ZN5clang6clangd12ClangdServer14removeDocumentEN4llvm9StringRefE");
void remove(ClangdServer *, llvm::StringRef) asm(
    "__wrap__ZN5clang6clangd12ClangdServer14removeDocumentEN4llvm9StringRefE");
void remove(ClangdServer *This, llvm::StringRef File) {
  cuda_pipeline::noteClosed(File);
  realRemove(This, File);
}

/// Whom clangd tells its diagnostics, and where it looks for their quick-fixes.
void realMake(
    ClangdServer *, const GlobalCompilationDatabase &, const ThreadsafeFS &,
    const ClangdServer::Options &,
    ClangdServer::Callbacks
        *) asm("__real__ZN5clang6clangd12ClangdServerC1ERKNS0_25GlobalCompilationDatabaseERKNS0_"
               "12ThreadsafeFSERKNS1_7OptionsEPNS1_9CallbacksE");
void make(
    ClangdServer *, const GlobalCompilationDatabase &, const ThreadsafeFS &,
    const ClangdServer::Options &,
    ClangdServer::Callbacks
        *) asm("__wrap__ZN5clang6clangd12ClangdServerC1ERKNS0_25GlobalCompilationDatabaseERKNS0_"
               "12ThreadsafeFSERKNS1_7OptionsEPNS1_9CallbacksE");
void make(ClangdServer *This, const GlobalCompilationDatabase &Database, const ThreadsafeFS &Files,
          const ClangdServer::Options &Options, ClangdServer::Callbacks *Editor) {
  if (Editor && cuda_pipeline::AnswersLate) {
    Editor = cuda_pipeline::standBetween(Editor);
    cuda_pipeline::AnswerLater = cuda_pipeline::answerLater;
  }
  realMake(This, Database, Files, Options, Editor);
}
llvm::ArrayRef<Diag>
realDiagnostics(const ParsedAST *) asm("__real__ZNK5clang6clangd9ParsedAST14getDiagnosticsEv");
llvm::ArrayRef<Diag>
diagnostics(const ParsedAST *) asm("__wrap__ZNK5clang6clangd9ParsedAST14getDiagnosticsEv");
llvm::ArrayRef<Diag> diagnostics(const ParsedAST *This) {
  const llvm::ArrayRef<Diag> Own = realDiagnostics(This);
  const SourceManager &SM = const_cast<ParsedAST *>(This)->getASTContext().getSourceManager();
  const OptionalFileEntryRef Main = SM.getFileEntryRefForID(SM.getMainFileID());
  if (!Main || !cuda_pipeline::AnswerLater)
    return Own;
  llvm::SmallString<256> Path(Main->getName());
  SM.getFileManager().makeAbsolutePath(Path);
  return cuda_pipeline::diagnosticsOf(Path, SM.getBufferData(SM.getMainFileID()), Own);
}

} // namespace clang::clangd

int cuda_pipeline::programMain(int argc, char **argv) {
  if (argc == 2 && argv[1] == cuda_pipeline::RunArgument)
    return cuda_pipeline::runFix();
  cuda_pipeline::InEditor = true;
  cuda_pipeline::KnownBuild = cuda_pipeline::buildOf;
  cuda_pipeline::WhenFound = cuda_pipeline::offerToVerify;
  // CUDA's declarations are read once, for all files, and for the next time.
  llvm::SmallString<256> Caches;
  if (llvm::sys::path::cache_directory(Caches))
    llvm::sys::path::append(Caches, "cuda-pipeline-rewrite", "preludes");
  cuda_pipeline::keepPreludes(std::string(Caches), cuda_pipeline::identity(),
                              /*AlsoInMemory=*/true);
  std::vector<char *> Args(argv, argv + argc);
  cuda_pipeline::AnswersLate = llvm::none_of(
      Args, [](llvm::StringRef A) { return A.ltrim('-').starts_with("use-dirty-headers"); });
  // For the tests.
  llvm::erase_if(Args, [](llvm::StringRef A) {
    return A == "--say-when-said" && (cuda_pipeline::SayWhenSaid = true);
  });
  // clangd looks for Clang's headers beside itself; this one may stand where LLVM does not.
  std::string ResourceDir = "--resource-dir=" + cuda_pipeline::clangResourceDir();
  if (!cuda_pipeline::clangResourceDir().empty() && llvm::none_of(Args, [](llvm::StringRef A) {
        return A.ltrim('-').starts_with("resource-dir");
      }))
    Args.insert(Args.begin() + 1, ResourceDir.data());
  Args.push_back(nullptr);
  return clang::clangd::clangdMain(int(Args.size()) - 1, Args.data());
}
