//===- Prelude.cpp - CUDA's declarations, read once for many files ----------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Prelude.h"
#include "../Support/FolderOwner.h"
#include "../Support/ReadFile.h"
#include "BundledDecls.h"
#include "CompilerMacros.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/FrontendOptions.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Sema/Sema.h"
#include "clang/Serialization/ASTWriter.h"
#include "clang/Serialization/PCHContainerOperations.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CachePruning.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"
#include <chrono>
#include <map>
#include <mutex>

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

constexpr llvm::StringLiteral HeaderPath = "/cuda-pipeline-rewrite/prelude.pch",
                              SourcePath = "/cuda-pipeline-rewrite/prelude.cu";

/// One that is ready.
struct Prelude {
  std::unique_ptr<MemoryBuffer> OnDisk;           ///< the file that it is from, or null
  std::shared_ptr<PCHBuffer> InMemory;            ///< else
  StringRef Bytes;                                ///< empty: there can be none
  std::string Source = "\n";                      ///< that was compiled
  SeenFiles Seen;                                 ///< what it depends on
  std::chrono::steady_clock::time_point LookedAt; ///< whether that is as it was
};

struct Preludes {
  std::mutex Lock;
  std::string Folder, Program; ///< of keepPreludes()
  bool AlsoInMemory = false;
  bool Judged = false; ///< whether anything can be written to the folder
  std::map<std::string, Prelude> ByFlags;
  std::vector<Prelude> Old; ///< somebody may be reading with them
};
Preludes &preludes() {
  static Preludes All;
  return All;
}

/// The user's macros are not seen in what comes before the user's files (CompilerMacros.h): one
/// prelude serves with all of them. Clang defines those that it does not have.
void leaveOutMacrosOfUser(PreprocessorOptions &PP) {
  erase_if(PP.Macros, [](const auto &Macro) { return !isForHeaders(macroName(Macro.first)); });
}

/// Which prelude an invocation has, and what it may not find where it runs.
struct PreludeKey {
  std::string Flags; ///< all that decides what is read, but for the file
  bool AnyFolder;    ///< wherever it runs: no flag counts from the current folder
};

PreludeKey keyOf(const ClangInvocation &Invocation, StringRef Includes) {
  CompilerInvocation Copy(*Invocation.Compiler);
  FrontendOptions &Frontend = Copy.getFrontendOpts();
  Frontend.Inputs.clear();
  Frontend.OutputFile.clear();
  Frontend.SkipFunctionBodies = false;
  CodeGenOptions &Generated = Copy.getCodeGenOpts();
  Generated.MainFileName.clear();
  Generated.DebugCompilationDir.clear();
  Generated.CoverageCompilationDir.clear();
  Copy.getLangOpts().CUID.clear(); // made of the file's name
  Copy.getDiagnosticOpts() = DiagnosticOptions();
  leaveOutMacrosOfUser(Copy.getPreprocessorOpts());
  PreludeKey Key;
  for (const std::string &Arg : Copy.getCC1CommandLine())
    Key.Flags += Arg + '\0';
  const auto Relative = [&](StringRef Path) { return !sys::path::is_absolute(Path); };
  const PreprocessorOptions &PP = Copy.getPreprocessorOpts();
  Key.AnyFolder = Copy.getFileSystemOpts().WorkingDir.empty() && PP.MacroIncludes.empty() &&
                  none_of(Copy.getHeaderSearchOpts().UserEntries,
                          [&](const HeaderSearchOptions::Entry &E) { return Relative(E.Path); }) &&
                  // Ours is found by its folder, unless there is one of this name here.
                  none_of(PP.Includes, [&](StringRef Name) {
                    return Relative(Name) && Invocation.Files->exists(Name);
                  });
  if (!Key.AnyFolder)
    if (ErrorOr<std::string> Folder = Invocation.Files->getCurrentWorkingDirectory())
      Key.Flags += *Folder;
  Key.Flags += Includes;
  return Key;
}

//===--- on disk ---------------------------------------------------------------===//

/// In front of what stands in a file: what it is, the hash of all that follows the three, and how
/// long the record is.
constexpr llvm::StringLiteral Magic = "cuda-pipeline-rewrite prelude 1\n";
constexpr size_t HeadBytes = Magic.size() + 16, Aligned = 64;

json::Value recordOf(const std::string &Program, const std::string &Flags, const SeenFiles &Seen) {
  json::Array Files;
  for (const auto &[Path, Was] : Seen)
    Files.push_back(
        json::Array{json::fixUTF8(Path), int64_t(Was.Kind), int64_t(Was.Size), Was.Time});
  return json::Object{{"program", json::fixUTF8(Program)},
                      {"flags", json::fixUTF8(Flags)},
                      {"seen", std::move(Files)}};
}

std::string pathOf(const Preludes &All, const std::string &Flags) {
  SmallString<256> Path(All.Folder);
  // pruneCache() looks after files with names of this form.
  sys::path::append(Path, "llvmcache-" + utohexstr(xxh3_64bits(All.Program + '\0' + Flags),
                                                   /*LowerCase=*/true));
  return std::string(Path);
}

SeenFile lookNow(const std::string &Path) {
  SeenFile Is;
  sys::fs::file_status Status;
  if (sys::fs::status(Path, Status))
    return Is;
  Is.Kind = sys::fs::is_directory(Status) ? SeenFile::Folder : SeenFile::File;
  if (Is.Kind == SeenFile::File) {
    Is.Size = Status.getSize();
    Is.Time = Status.getLastModificationTime().time_since_epoch().count();
  }
  return Is;
}

bool isAsSeen(const SeenFiles &Seen) {
  return all_of(Seen, [](const auto &Entry) {
    const auto &[Path, Was] = Entry;
    const SeenFile Is = lookNow(Path);
    return Is.Kind == (Was.Kind == SeenFile::Listing ? SeenFile::Folder : Was.Kind) &&
           Is.Size == Was.Size && Is.Time == Was.Time;
  });
}

std::optional<Prelude> readFromDisk(const Preludes &All, const std::string &Flags) {
  auto Buffer = lookInto(pathOf(All, Flags));
  if (!Buffer)
    return std::nullopt;
  const StringRef File = (*Buffer)->getBuffer();
  if (File.size() < HeadBytes || !File.starts_with(Magic))
    return std::nullopt;
  const char *Numbers = File.data() + Magic.size();
  const uint64_t Hash = support::endian::read64le(Numbers),
                 Length = support::endian::read64le(Numbers + 8);
  if (xxh3_64bits(File.drop_front(HeadBytes)) != Hash || Length > File.size() - HeadBytes)
    return std::nullopt;
  Expected<json::Value> Record = json::parse(File.substr(HeadBytes, Length));
  if (!Record) {
    consumeError(Record.takeError());
    return std::nullopt;
  }
  Prelude Found;
  const json::Object *Fields = Record->getAsObject();
  const json::Array *Files = Fields ? Fields->getArray("seen") : nullptr;
  for (const json::Value &F : Files ? *Files : json::Array()) {
    const json::Array *Parts = F.getAsArray();
    if (!Parts || Parts->size() != 4 || !(*Parts)[0].getAsString())
      return std::nullopt;
    const std::string Path = (*Parts)[0].getAsString()->str();
    Found.Seen[Path] = lookNow(Path);
  }
  if (*Record != recordOf(All.Program, Flags, Found.Seen))
    return std::nullopt;
  Found.Bytes = File.drop_front(alignTo(HeadBytes + Length, Aligned));
  Found.OnDisk = std::move(*Buffer);
  return Found;
}

void writeToDisk(const Preludes &All, const std::string &Flags, const Prelude &Made) {
  // The names in a folder are not looked at again.
  if (any_of(Made.Seen, [](const auto &F) { return F.second.Kind == SeenFile::Listing; }) ||
      !whyNotMine(All.Folder).empty())
    return;
  std::string Rest = formatv("{0}", recordOf(All.Program, Flags, Made.Seen)).str();
  const uint64_t Length = Rest.size();
  Rest.append(alignTo(HeadBytes + Length, Aligned) - HeadBytes - Length, '\n');
  Rest += Made.Bytes;
  char Numbers[16];
  support::endian::write64le(Numbers, xxh3_64bits(Rest));
  support::endian::write64le(Numbers + 8, Length);
  const std::string Path = pathOf(All, Flags);
  Expected<sys::fs::TempFile> Temporary = sys::fs::TempFile::create(Path + ".%%%%%%");
  if (!Temporary)
    return consumeError(Temporary.takeError());
  raw_fd_ostream OS(Temporary->FD, /*shouldClose=*/false);
  OS << Magic << StringRef(Numbers, sizeof(Numbers)) << Rest;
  OS.flush();
  const bool Failed = OS.has_error();
  OS.clear_error();
  consumeError(Failed ? Temporary->discard() : Temporary->keep(Path));
  CachePruningPolicy Policy;
  Policy.MaxSizeBytes = uint64_t(512) << 20;
  Policy.MaxSizeFiles = 64;
  if (Expected<bool> Pruned = pruneCache(All.Folder, Policy); !Pruned)
    consumeError(Pruned.takeError());
}

void addFile(ClangInvocation &Invocation, StringRef Path, StringRef Contents) {
  auto Memory = makeIntrusiveRefCnt<vfs::InMemoryFileSystem>();
  Memory->addFile(Path, /*ModificationTime=*/0,
                  MemoryBuffer::getMemBuffer(Contents, Path, /*RequiresNullTerminator=*/false));
  auto Both = makeIntrusiveRefCnt<vfs::OverlayFileSystem>(Invocation.Files);
  Both->pushOverlay(Memory);
  Invocation.Files = Both;
}

/// Of the file that is being read, all but it.
bool areOfSystem(const SourceManager &SM) {
  for (unsigned I = 0, N = SM.local_sloc_entry_size(); I < N; ++I) {
    const SrcMgr::SLocEntry &Entry = SM.getLocalSLocEntry(I);
    if (!Entry.isFile() || Entry.getFile().getIncludeLoc().isInvalid() ||
        SrcMgr::isSystem(Entry.getFile().getFileCharacteristic()))
      continue;
    const OptionalFileEntryRef File = Entry.getFile().getContentCache().OrigEntry;
    if (File && File->getName() != supplementPath())
      return false;
  }
  return true;
}

/// Leaves the bodies of what runs on the host alone out.
class WithoutHostBodies : public ASTConsumer {
public:
  bool shouldSkipFunctionBody(Decl *D) override {
    const Decl *Of = D;
    if (const auto *Template = dyn_cast<FunctionTemplateDecl>(D))
      Of = Template->getTemplatedDecl();
    return !Of->hasAttr<CUDADeviceAttr>() && !Of->hasAttr<CUDAGlobalAttr>();
  }
};

/// Leaves out what Clang would look at once more at the end of every file that starts with the
/// prelude: what nobody uses, of which it would warn; and functions in which something may be wrong
/// if they run on the device. What that is stays behind in any case; a template's instantiation is
/// looked at where it is made.
class WithoutLateChecks : public ASTConsumer {
public:
  explicit WithoutLateChecks(CompilerInstance &CI) : CI(CI) {}
  void HandleTranslationUnit(ASTContext &) override {
    Sema &S = CI.getSema();
    S.DeclsToCheckForDeferredDiags.clear();
    S.UnusedFileScopedDecls.erase(S.UnusedFileScopedDecls.begin(nullptr),
                                  S.UnusedFileScopedDecls.end());
  }

private:
  CompilerInstance &CI;
};

class Precompile : public ASTFrontendAction {
public:
  Precompile(std::shared_ptr<PCHBuffer> To,
             function_ref<std::unique_ptr<ASTConsumer>(ASTContext &)> Before, bool HostBodies)
      : To(std::move(To)), Before(Before), HostBodies(HostBodies) {}
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &CI, StringRef) override {
    std::vector<std::unique_ptr<ASTConsumer>> All;
    if (Before)
      All.push_back(Before(CI.getASTContext()));
    if (!HostBodies)
      All.push_back(std::make_unique<WithoutHostBodies>());
    All.push_back(std::make_unique<WithoutLateChecks>(CI));
    All.push_back(std::make_unique<PCHGenerator>(
        CI.getPreprocessor(), CI.getModuleCache(), HeaderPath, /*isysroot=*/"", To,
        CI.getCodeGenOpts(), ArrayRef<std::shared_ptr<ModuleFileExtension>>(),
        /*AllowASTWithErrors=*/false,
        /*IncludeTimestamps=*/false));
    return std::make_unique<MultiplexConsumer>(std::move(All));
  }
  TranslationUnitKind getTranslationUnitKind() override { return TU_Prefix; }
  bool hasASTFileSupport() const override { return false; }
  void EndSourceFileAction() override {
    OfSystem = areOfSystem(getCompilerInstance().getSourceManager());
  }

  bool OfSystem = false;

private:
  std::shared_ptr<PCHBuffer> To;
  function_ref<std::unique_ptr<ASTConsumer>(ASTContext &)> Before;
  const bool HostBodies;
};

} // namespace

void keepPreludes(std::string Folder, std::string Program, bool AlsoInMemory) {
  Preludes &All = preludes();
  const std::lock_guard<std::mutex> Guard(All.Lock);
  All.AlsoInMemory = AlsoInMemory;
  All.Folder = !Folder.empty() && whyNotMine(Folder).empty() ? std::move(Folder) : std::string();
  All.Program = std::move(Program);
}

bool keepsPreludes() {
  Preludes &All = preludes();
  const std::lock_guard<std::mutex> Guard(All.Lock);
  // What cannot be kept would be made in each run.
  if (!std::exchange(All.Judged, true) && !All.Folder.empty() &&
      (sys::fs::create_directories(All.Folder, /*IgnoreExisting=*/true, sys::fs::owner_all) ||
       sys::fs::access(All.Folder, sys::fs::AccessMode::Write)))
    All.Folder.clear();
  return All.AlsoInMemory || !All.Folder.empty();
}

bool readsAgainAndAgain() {
  Preludes &All = preludes();
  const std::lock_guard<std::mutex> Guard(All.Lock);
  return All.AlsoInMemory;
}

std::string leadingIncludes(StringRef Text) {
  std::string Found;
  bool InComment = false;
  while (!Text.empty()) {
    auto [Line, Rest] = Text.split('\n');
    Text = Rest;
    Line = Line.trim();
    if (Line.ends_with("\\"))
      break;
    while (InComment || Line.starts_with("/*")) {
      const size_t End = Line.find("*/", InComment ? 0 : 2);
      InComment = End == StringRef::npos;
      Line = InComment ? StringRef() : Line.drop_front(End + 2).ltrim();
      if (InComment)
        break;
    }
    if (Line.empty() || Line.starts_with("//"))
      continue;
    if (!Line.consume_front("#"))
      break;
    Line = Line.ltrim();
    if (!Line.consume_front("include"))
      break;
    Line = Line.ltrim();
    const size_t End = Line.find('>');
    const StringRef Behind =
        End == StringRef::npos ? StringRef("?") : Line.drop_front(End + 1).ltrim();
    if (!Line.starts_with("<") || !(Behind.empty() || Behind.starts_with("//")))
      break;
    Found += ("#include " + Line.take_front(End + 1) + "\n").str();
  }
  return Found;
}

bool hasPlainPrelude(const ClangInvocation &Invocation) {
  const PreprocessorOptions &PP = Invocation.Compiler->getPreprocessorOpts();
  return PP.MacroIncludes.empty() && all_of(PP.Includes, [](StringRef Name) {
           return Name == bundledPrelude() || Name == supplementPath() ||
                  Name == "__clang_cuda_runtime_wrapper.h";
         });
}

/// Null: there is none. With the lock.
static const Prelude *find(Preludes &All, const std::string &Flags) {
  auto Known = All.ByFlags.find(Flags);
  // A program that runs for long sees the disk change; what one answer reads it reads within a
  // moment.
  const auto Now = std::chrono::steady_clock::now();
  if (Known == All.ByFlags.end() || !All.AlsoInMemory ||
      Now - Known->second.LookedAt < std::chrono::seconds(1)) {
  } else if (isAsSeen(Known->second.Seen)) {
    Known->second.LookedAt = Now;
  } else {
    All.Old.push_back(std::move(Known->second));
    All.ByFlags.erase(Known);
    Known = All.ByFlags.end();
  }
  if (Known == All.ByFlags.end() && !All.Folder.empty())
    if (std::optional<Prelude> Read = readFromDisk(All, Flags))
      Known = All.ByFlags.emplace(Flags, std::move(*Read)).first;
  return Known == All.ByFlags.end() ? nullptr : &Known->second;
}

bool usePrelude(ClangInvocation &Invocation, SeenFiles *Seen, StringRef Includes) {
  Preludes &All = preludes();
  const std::lock_guard<std::mutex> Guard(All.Lock);
  if (All.ByFlags.empty() && All.Folder.empty())
    return false;
  const Prelude *Found = find(All, keyOf(Invocation, Includes).Flags);
  if (!Found || Found->Bytes.empty())
    return false;
  if (Seen)
    Seen->insert(Found->Seen.begin(), Found->Seen.end());
  addFile(Invocation, HeaderPath, Found->Bytes);
  // It is looked whether it is as it was.
  addFile(Invocation, SourcePath, Found->Source);
  // What the header has included is not included once more.
  Invocation.Compiler->getPreprocessorOpts().ImplicitPCHInclude = HeaderPath.str();
  return true;
}

void precompilePrelude(ParseRequest Request, Reading How,
                       function_ref<std::unique_ptr<ASTConsumer>(ASTContext &)> Before,
                       StringRef Includes) {
  IgnoringDiagConsumer Nobody;
  Request.Seen = std::make_shared<SeenFiles>();
  std::optional<ClangInvocation> Made = makeInvocation(Request, How, &Nobody);
  if (!Made)
    return;
  ClangInvocation &Invocation = *Made;
  Preludes &All = preludes();
  const PreludeKey Key = keyOf(Invocation, Includes);
  {
    const std::lock_guard<std::mutex> Guard(All.Lock);
    if (find(All, Key.Flags))
      return;
  }
  Prelude New;
  if (!Includes.empty())
    New.Source = Includes.str();
  // In the file the headers see the user's macros, here nobody does.
  const bool SeeTheSame =
      Includes.empty() ||
      all_of(Invocation.Compiler->getPreprocessorOpts().Macros,
             [](const auto &Macro) { return isForHeaders(macroName(Macro.first)); });
  addFile(Invocation, SourcePath, New.Source);
  FrontendOptions &Frontend = Invocation.Compiler->getFrontendOpts();
  if (Frontend.Inputs.size() != 1)
    return;
  Frontend.Inputs = {FrontendInputFile(SourcePath, Frontend.Inputs.front().getKind())};
  Frontend.SkipFunctionBodies = !Includes.empty(); // WithoutHostBodies
  Frontend.DisableFree = false;
  leaveOutMacrosOfUser(Invocation.Compiler->getPreprocessorOpts());
  // What was asked of the disk before is about the file, and about folders that may go.
  Request.Seen->clear();
  if (Key.AnyFolder && Invocation.Files->setCurrentWorkingDirectory("/"))
    return;
  New.InMemory = std::make_shared<PCHBuffer>();
  CompilerInstance Compiler(Invocation.Compiler);
  Compiler.setVirtualFileSystem(Invocation.Files);
  Compiler.setDiagnostics(Invocation.Diags);
  Compiler.createFileManager();
  Precompile Action(New.InMemory, Before, /*HostBodies=*/Includes.empty());
  bool Worked = false;
  CrashRecoveryContext::Enable();
  CrashRecoveryContext Guarded;
  const bool Alive =
      !SeeTheSame || Guarded.RunSafely([&] { Worked = Compiler.ExecuteAction(Action); });
  CrashRecoveryContext::Disable();
  // Without it everything goes as before, only slower.
  const bool There = Alive && Worked && New.InMemory->IsComplete &&
                     !Invocation.Diags->hasErrorOccurred() && (Includes.empty() || Action.OfSystem);
  if (!There && Includes.empty())
    return;
  if (There)
    New.Bytes = StringRef(New.InMemory->Data.data(), New.InMemory->Data.size());
  New.Seen = *Request.Seen; // that there can be none is not tried again
  const std::lock_guard<std::mutex> Guard(All.Lock);
  if (!All.Folder.empty() && Includes.empty())
    writeToDisk(All, Key.Flags, New);
  All.ByFlags.emplace(Key.Flags, std::move(New));
}

} // namespace cuda_pipeline
