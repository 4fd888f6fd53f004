//===- Parse.cpp - A CUDA file becomes a Clang AST --------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "BundledDecls.h"
#include "ClangInvocation.h"
#include "CompilerMacros.h"
#include "Mending.h"
#include "OtherToolkit.h"
#include "Prelude.h"
#include "ReadParts.h"
#include "SeenFiles.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticIDs.h"
#include "clang/Basic/DiagnosticLex.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/FileManager.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Basic/Stack.h"
#include "clang/Driver/CreateInvocationFromArgs.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/FrontendOptions.h"
#include "clang/Serialization/PCHContainerOperations.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <atomic>

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {

//===----------------------------------------------------------------------===//
// Clang's own headers
//===----------------------------------------------------------------------===//

static bool isResourceDir(StringRef Dir) {
  SmallString<256> Header(Dir);
  sys::path::append(Header, "include", "__clang_cuda_builtin_vars.h");
  return sys::fs::exists(Header);
}

/// Beside the program (an installed or static package), else in the LLVM that we were built with.
/// Empty when neither is there.
const std::string &clangResourceDir() {
  static const std::string Dir = [] {
    static int Anchor;
    SmallString<256> Beside(sys::path::parent_path(
        sys::path::parent_path(sys::fs::getMainExecutable(nullptr, &Anchor))));
    sys::path::append(Beside, "lib", "clang", CPR_CLANG_MAJOR);
    if (isResourceDir(Beside))
      return std::string(Beside);
    if (isResourceDir(CPR_CLANG_RESOURCE_DIR))
      return std::string(CPR_CLANG_RESOURCE_DIR);
    return std::string();
  }();
  return Dir;
}

static bool givesResourceDir(ArrayRef<std::string> Args) {
  return any_of(Args, [](StringRef A) { return A.starts_with("-resource-dir"); });
}

//===----------------------------------------------------------------------===//
// The command line
//===----------------------------------------------------------------------===//

/// What nvcc accepts and Clang takes for an error by default. Warnings are off altogether: the user
/// gets them from their own compiler, and these would be about a dialect that they do not use.
static constexpr const char *LenientAsNvcc[] = {"-w", "-Wno-unknown-cuda-version",
                                                "-Wno-c++11-narrowing", "-Wno-register"};

/// Clang 22 does not know the family-specific names ("sm_100f"), and does not define the macros of
/// the architecture-specific ones that nvcc 12.9 and later define.
static void addArch(StringRef Arch, std::vector<std::string> &Args) {
  StringRef Digits = Arch;
  Digits.consume_front("sm_");
  Digits = Digits.take_while(llvm::isDigit);
  bool Family = Arch.ends_with("f"), Specific = Arch.ends_with("a");
  Args.push_back(("--cuda-gpu-arch=" + (Family ? Arch.drop_back() : Arch)).str());
  if (Family || Specific)
    Args.push_back(("-D__CUDA_ARCH_FAMILY_SPECIFIC__=" + Digits + "0").str());
  if (Specific)
    Args.push_back(("-D__CUDA_ARCH_SPECIFIC__=" + Digits + "0").str());
}

static void addUserFlags(const ParseRequest &Request, std::vector<std::string> &Args) {
  const std::vector<std::string> &User = Request.Flags.ClangArgs;
  for (size_t I = 0; I != User.size(); ++I) {
    StringRef Arg = User[I];
    if (!Request.Cuda) {
      bool Joined = Arg.starts_with("-I") && Arg.size() > 2;
      bool Separate =
          (Arg == "-I" || Arg == "-isystem" || Arg == "-idirafter") && I + 1 != User.size();
      StringRef Dir = Joined ? Arg.drop_front(2) : Separate ? StringRef(User[I + 1]) : "";
      // A toolkit's: its headers and the bundled declarations exclude each other.
      if (!Dir.empty() && isToolkitIncludeDir(Dir, Request.Flags.Directory)) {
        I += Separate;
        continue;
      }
      if (Separate) // the directory may look like a flag
        Args.push_back(User[I++]);
    }
    Args.push_back(User[I]);
  }
}

/// Clang decides by the toolkit's version how `<<<...>>>` is lowered, and takes a version that it
/// does not know (13.0 and later) for an old one, whose launch function no longer exists.
static std::string sdkVersion(const std::optional<Toolkit> &Cuda) {
  constexpr unsigned NewestMajor = 12, NewestMinor = 9;
  unsigned Major = 0, Minor = 0;
  if (Cuda) {
    auto [MajorText, MinorText] = StringRef(Cuda->Version).split('.');
    if (!MajorText.getAsInteger(10, Major) && !MinorText.getAsInteger(10, Minor) &&
        std::pair(Major, Minor) < std::pair(NewestMajor, NewestMinor))
      return Cuda->Version;
  }
  return std::to_string(NewestMajor) + "." + std::to_string(NewestMinor);
}

/// Code that is close to the source: not optimised, nothing contracted, a line for everything, and
/// with what undefined behaviour means to people who write kernels (nvcc exploits neither). Locals
/// without a value get a pattern, so that using one shows as a difference.
static void addCodeGeneration(std::vector<std::string> &Args) {
  for (const char *Arg :
       {"-D__CPR_EMULATE__", "-O1", "-Xclang", "-disable-llvm-passes", "-gline-tables-only",
        "-ffp-contract=off", "-fno-strict-aliasing", "-fwrapv", "-ftrivial-auto-var-init=pattern",
        "-Xclang", "-target-feature", "-Xclang", "+ptx87"})
    Args.push_back(Arg);
}

std::vector<std::string> buildArguments(const ParseRequest &Request, Reading How) {
  bool OurBarriers = How == Reading::WithOurBarriers;
  auto SystemDir = [](std::vector<std::string> &Args, StringRef Dir) {
    Args.push_back("-isystem");
    Args.push_back(Dir.str());
  };
  std::vector<std::string> Args = {"-fsyntax-only", "--cuda-device-only", "-xcuda"};
  addArch(Request.Arch, Args);
  Args.insert(Args.end(), std::begin(LenientAsNvcc), std::end(LenientAsNvcc));
  if (!clangResourceDir().empty() && !givesResourceDir(Request.ExtraArgs))
    Args.push_back("-resource-dir=" + clangResourceDir());

  // The database's relative paths count from its directory; the file, as the user wrote it, from
  // ours.
  std::string File = Request.File == "-" ? "./-" : Request.File; // never the standard input
  if (!Request.Flags.Directory.empty()) {
    Args.push_back("-working-directory=" + Request.Flags.Directory);
    SmallString<256> Absolute(File);
    if (!sys::fs::make_absolute(Absolute))
      File = std::string(Absolute);
  }

  Args.push_back("-nocudalib"); // nothing is linked
  if (Request.Cuda) {
    Args.push_back("--cuda-path=" + Request.Cuda->Root);
    Args.push_back("-include"); // comes after Clang's own wrapper of the toolkit's headers
    Args.push_back(supplementPath().str());
    if (OurBarriers)
      SystemDir(Args, barrierIncludeDir());
  } else {
    Args.push_back("-nocudainc");
    // No search for an installation, whose version would decide about language features.
    Args.push_back("--cuda-path=" + bundledIncludeDir().str());
    SystemDir(Args, bundledIncludeDir());
    Args.push_back("-include");
    Args.push_back(bundledPrelude().str());
    if (How == Reading::ToRun)
      addCodeGeneration(Args);
  }
  Args.push_back("-Xclang");
  Args.push_back("-target-sdk-version=" + sdkVersion(Request.Cuda));
  addUserFlags(Request, Args);
  if (Request.Cuda) {
    // After the user's directories, so that their own CCCL wins, and before the default ones, where
    // there may be the headers of another toolkit.
    if (!Request.Cuda->CcclInclude.empty())
      SystemDir(Args, Request.Cuda->CcclInclude);
    SystemDir(Args, Request.Cuda->Root + "/include");
  }
  // What GCC has beside itself; behind all folders, for where none has it.
  Args.push_back("-idirafter");
  Args.push_back(standInDir().str());
  if (any_of(Request.Otherwise, [](StringRef Name) { return Name.starts_with("<"); })) {
    Args.push_back("-idirafter");
    Args.push_back(supposedIncludeDir().str());
  }
  Args.insert(Args.end(), Request.ExtraArgs.begin(), Request.ExtraArgs.end());
  Args.push_back("--");
  Args.push_back(File);
  return Args;
}

std::vector<std::string> clangArguments(const ParseRequest &Request) {
  return buildArguments(Request, Reading::ToAnalyse);
}

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

/// The disk, plus what only exists in memory. Every parse has its own, because it has a working
/// directory and parses run in parallel.
static IntrusiveRefCntPtr<vfs::FileSystem> makeFileSystem(const ParseRequest &Request,
                                                          Reading How) {
  IntrusiveRefCntPtr<vfs::FileSystem> Disk = Request.Files;
  if (!Disk) {
    Disk = IntrusiveRefCntPtr<vfs::FileSystem>(vfs::createPhysicalFileSystem().release());
    if (Request.Seen)
      Disk = noteWhatIsSeen(std::move(Disk), Request.Seen);
  }
  auto Memory = makeIntrusiveRefCnt<vfs::InMemoryFileSystem>();
  addStandIns(*Memory);
  for (StringRef Header : Request.Otherwise)
    if (Header.consume_front("<") && Header.consume_back(">"))
      Memory->addFile(supposedIncludeDir() + "/" + Header, 0,
                      MemoryBuffer::getMemBuffer("#pragma once\n"));
  if (!Request.Cuda) {
    Disk = withoutToolkit(std::move(Disk), defaultToolkitDirs());
    addBundledDecls(*Memory);
  } else {
    addSupplement(*Memory);
    if (How == Reading::WithOurBarriers)
      addBarrierDecls(*Memory);
    // Clang takes a directory without bin/ for no toolkit; headers alone are enough for us.
    SmallString<256> Bin(Request.Cuda->Root);
    sys::path::append(Bin, "bin");
    if (!Disk->exists(Bin)) {
      (void)sys::fs::make_absolute(Bin);
      sys::path::append(Bin, ".keep");
      Memory->addFile(Bin, 0, MemoryBuffer::getMemBuffer(""));
    }
  }
  auto Replace = [&](StringRef Name, StringRef Contents) {
    SmallString<256> Path(Name);
    (void)sys::fs::make_absolute(Path);
    sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
    Memory->addFile(Path, 0, MemoryBuffer::getMemBufferCopy(Contents, Name));
  };
  if (Request.Contents)
    Replace(Request.File, *Request.Contents);
  if (Request.Edited && Request.EditedContents)
    for (const std::string &Name : Request.Edited->Names)
      Replace(Name, *Request.EditedContents);

  auto Both = makeIntrusiveRefCnt<vfs::OverlayFileSystem>(Disk);
  if (ErrorOr<std::string> Cwd = Disk->getCurrentWorkingDirectory())
    Memory->setCurrentWorkingDirectory(*Cwd);
  Both->pushOverlay(Memory);
  return mendFiles(std::move(Both), is_contained(Request.Flags.ClangArgs, "-fgpu-rdc"),
                   Request.Cuda ? Request.Cuda->Root : "");
}

std::optional<ClangInvocation> makeInvocation(const ParseRequest &Request, Reading How,
                                              DiagnosticConsumer *Client) {
  ClangInvocation Result;
  Result.Files = makeFileSystem(Request, How);
  IntrusiveRefCntPtr<vfs::FileSystem> FS = Result.Files;
  std::vector<std::string> Args = buildArguments(Request, How);
  // The driver looks for some things relative to the program that it believes to be.
  std::vector<const char *> Argv = {CPR_CLANG_RESOURCE_DIR "/../../../bin/clang"};
  for (const std::string &Arg : Args)
    Argv.push_back(Arg.c_str());

  Result.DiagOptions = CreateAndPopulateDiagOpts(Argv);
  // Before anything is made of them: the driver would open these files.
  Result.DiagOptions->DiagnosticLogFile.clear();
  Result.DiagOptions->DiagnosticSerializationFile.clear();
  Result.Asked = std::make_shared<CompilerQuestions>();
  auto Diags = makeIntrusiveRefCnt<DiagnosticsEngine>(
      DiagnosticIDs::create(), *Result.DiagOptions,
      withCompilerMacros(Request, Client, Result.Asked).release(),
      /*ShouldOwnClient=*/true);
  ProcessWarningOptions(*Diags, *Result.DiagOptions, *FS); // the driver itself has warnings
  if (clangResourceDir().empty() && !givesResourceDir(Request.ExtraArgs)) {
    Diags->Report(Diags->getCustomDiagID(
        DiagnosticsEngine::Error,
        "Clang's own headers were found neither beside the program (../lib/clang/%0) nor in '%1'; "
        "reinstall, or give --extra-arg=-resource-dir=DIR"))
        << CPR_CLANG_MAJOR << CPR_CLANG_RESOURCE_DIR;
    return std::nullopt;
  }
  if (Request.File.empty()) {
    Diags->Report(Diags->getCustomDiagID(DiagnosticsEngine::Error, "no input file"));
    return std::nullopt;
  }

  CreateInvocationOptions Options;
  Options.Diags = Diags;
  Options.VFS = FS;
  Result.Compiler = createInvocation(Argv, std::move(Options));
  if (!Result.Compiler || Diags->hasErrorOccurred())
    return std::nullopt;
  clearOutputs(*Result.Compiler);
  if (How != Reading::ToRun) {
    Result.Compiler->getCodeGenOpts() = CodeGenOptions();
    // The constructor leaves it unset, and the flags are compared.
    Result.Compiler->getCodeGenOpts().SanitizeKcfiHash = KCFIHashAlgorithm::xxHash64;
  }
  Result.Diags = std::move(Diags);
  return Result;
}

std::vector<std::string> frontendArguments(const ParseRequest &Request) {
  IgnoringDiagConsumer Nobody;
  std::optional<ClangInvocation> Made = makeInvocation(Request, Reading::ToAnalyse, &Nobody);
  return Made ? Made->Compiler->getCC1CommandLine() : std::vector<std::string>();
}

static std::atomic<unsigned> Parsed{0};
unsigned timesParsed() { return Parsed; }

/// Behind the declarations that come precompiled: what is left of \p Unit or its like.
static void lookAtOwnDeclarations(ASTContext &Context) {
  // Whoever looks at all of the file does not look at what comes precompiled.
  std::vector<Decl *> Own;
  for (Decl *D : Context.getTranslationUnitDecl()->noload_decls())
    if (!D->isFromASTFile())
      Own.push_back(D);
  Context.setTraversalScope(Own);
}

/// Of the text that \p Made is about to read.
static std::string leadingIncludesOf(const ParseRequest &Request, const ClangInvocation &Made) {
  const auto Text = Made.Files->getBufferForFile(Request.File);
  return Text ? leadingIncludes((*Text)->getBuffer()) : "";
}

/// \p WithIncludes: only if those that the file begins with come precompiled.
static std::unique_ptr<ASTUnit> parseBy(const ParseRequest &Request, Reading How,
                                        DiagnosticConsumer *Client, CompilerQuestions &Asked,
                                        bool WithIncludes) {
  std::optional<ClangInvocation> Made = makeInvocation(Request, How, Client);
  if (!Made)
    return nullptr;
  if (Request.KeepGoing) {
    // Behind a fatal error nothing is said any more, and no template is instantiated.
    Made->Diags->setFatalsAsError(true);
    Made->Diags->setErrorLimit(0);
    Made->Compiler->getDiagnosticOpts().ErrorLimit = 0;
  }
  const bool Precompiled = keepsPreludes() && !Request.Files && hasPlainPrelude(*Made);
  if (WithIncludes) {
    const std::string Includes = Precompiled ? leadingIncludesOf(Request, *Made) : "";
    if (Includes.empty())
      return nullptr;
    precompilePrelude(Request, How, nullptr, Includes);
    if (!usePrelude(*Made, Request.Seen.get(), Includes))
      return nullptr;
  } else if (Precompiled) {
    precompilePrelude(Request, How, nullptr);
    usePrelude(*Made, Request.Seen.get());
  }
  ++Parsed;
  auto Files = makeIntrusiveRefCnt<FileManager>(Made->Compiler->getFileSystemOpts(), Made->Files);
  std::unique_ptr<ASTUnit> Unit = ASTUnit::LoadFromCompilerInvocation(
      Made->Compiler, std::make_shared<PCHContainerOperations>(), Made->DiagOptions, Made->Diags,
      Files);
  Asked = *Made->Asked;
  if (Unit)
    lookAtOwnDeclarations(Unit->getASTContext());

  // The unit keeps the engine; the consumer may be gone before the unit is.
  Made->Diags->setClient(new IgnoringDiagConsumer, /*ShouldOwnClient=*/true);
  return Unit;
}

namespace {

class Parts : public ASTConsumer {
public:
  Parts(CompilerInstance &CI, function_ref<bool(const FunctionDecl &)> Keep,
        function_ref<void(ASTContext &, const Preprocessor &)> Look, bool &Shown)
      : CI(CI), Keep(Keep), Look(Look), Shown(Shown) {}
  bool shouldSkipFunctionBody(Decl *D) override {
    const FunctionDecl *F = D->getAsFunction();
    return F && !Keep(*F);
  }
  void HandleTranslationUnit(ASTContext &Context) override {
    if (CI.getDiagnostics().hasErrorOccurred())
      return;
    lookAtOwnDeclarations(Context);
    Look(Context, CI.getPreprocessor());
    Shown = true;
  }

private:
  CompilerInstance &CI;
  function_ref<bool(const FunctionDecl &)> Keep;
  function_ref<void(ASTContext &, const Preprocessor &)> Look;
  bool &Shown;
};

class ReadPartsAction : public ASTFrontendAction {
public:
  ReadPartsAction(function_ref<bool(const FunctionDecl &)> Keep,
                  function_ref<void(ASTContext &, const Preprocessor &)> Look)
      : Keep(Keep), Look(Look) {}
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &CI, StringRef) override {
    return std::make_unique<Parts>(CI, Keep, Look, Shown);
  }
  bool Shown = false;

private:
  function_ref<bool(const FunctionDecl &)> Keep;
  function_ref<void(ASTContext &, const Preprocessor &)> Look;
};

} // namespace

bool readParts(const ParseRequest &Request, function_ref<bool(const FunctionDecl &)> Keep,
               function_ref<void(ASTContext &, const Preprocessor &)> Look) {
  if (!readsAgainAndAgain() || Request.Files || Request.Edited || Request.KeepGoing)
    return false;
  noteBottomOfStack();
  IgnoringDiagConsumer Nobody;
  std::optional<ClangInvocation> Made = makeInvocation(Request, Reading::ToAnalyse, &Nobody);
  if (!Made || !hasPlainPrelude(*Made))
    return false;
  // A rewritten text has an include more, behind those that it had before: it begins with what was
  // precompiled for that one.
  std::string Includes = leadingIncludesOf(Request, *Made);
  while (!usePrelude(*Made, Request.Seen.get(), Includes)) {
    if (Includes.empty())
      return false;
    Includes.pop_back();
    Includes.resize(Includes.rfind('\n') + 1);
  }
  Made->Compiler->getFrontendOpts().SkipFunctionBodies = true;
  Made->Compiler->getFrontendOpts().DisableFree = false;
  CompilerInstance Compiler(Made->Compiler);
  Compiler.setVirtualFileSystem(Made->Files);
  Compiler.setDiagnostics(Made->Diags);
  Compiler.createFileManager();
  ReadPartsAction Action(Keep, Look);
  return Compiler.ExecuteAction(Action) && Action.Shown && !Made->Diags->hasErrorOccurred();
}

static std::unique_ptr<ASTUnit> parseOnce(const ParseRequest &Request, Reading How,
                                          DiagnosticConsumer *Client, CompilerQuestions &Asked) {
  if (readsAgainAndAgain() && !Request.KeepGoing) {
    // Where anything is wrong that is said of the file as it stands.
    IgnoringDiagConsumer Nobody;
    std::unique_ptr<ASTUnit> Unit = parseBy(Request, How, &Nobody, Asked, /*WithIncludes=*/true);
    if (Unit && !Unit->getDiagnostics().hasErrorOccurred())
      return Unit;
    Asked = CompilerQuestions();
  }
  return parseBy(Request, How, Client, Asked, /*WithIncludes=*/false);
}

bool isHeaderName(StringRef Path) {
  return is_contained({".h", ".hh", ".hpp", ".hxx", ".cuh", ".inl", ".inc", ".tcc"},
                      sys::path::extension(Path));
}

static std::string fullName(FileEntryRef File, FileManager &Files) {
  SmallString<256> Name(File.getNameAsRequested());
  Files.makeAbsolutePath(Name);
  sys::path::remove_dots(Name, /*remove_dot_dot=*/true);
  return std::string(Name);
}

std::vector<IncludedFile> includedFiles(ASTUnit &Unit) {
  const SourceManager &SM = Unit.getSourceManager();
  std::vector<IncludedFile> Files;
  for (unsigned I = 0, N = SM.local_sloc_entry_size(); I < N; ++I) {
    const SrcMgr::SLocEntry &Entry = SM.getLocalSLocEntry(I);
    if (!Entry.isFile() || SrcMgr::isSystem(Entry.getFile().getFileCharacteristic()) ||
        Entry.getFile().getIncludeLoc().isInvalid())
      continue;
    OptionalFileEntryRef File = Entry.getFile().getContentCache().OrigEntry;
    if (!File || File->getFileEntry().tryGetRealPathName().empty())
      continue;
    const std::string Path = File->getFileEntry().tryGetRealPathName().str();
    auto It = find_if(Files, [&](const IncludedFile &F) { return F.Path == Path; });
    if (It == Files.end())
      It = Files.insert(It, {Path, {}});
    if (std::string Name = fullName(*File, Unit.getFileManager()); !is_contained(It->Names, Name))
      It->Names.push_back(std::move(Name));
  }
  return Files;
}

/// Where \p Unit has read the file; none: nowhere, or several times with function bodies.
static FileID findIncluded(ASTUnit &Unit, const IncludedFile &Wanted, bool &Nowhere) {
  const SourceManager &SM = Unit.getSourceManager();
  std::vector<FileID> Found;
  for (unsigned I = 0, N = SM.local_sloc_entry_size(); I < N; ++I) {
    const SrcMgr::SLocEntry &Entry = SM.getLocalSLocEntry(I);
    OptionalFileEntryRef File =
        Entry.isFile() ? Entry.getFile().getContentCache().OrigEntry : OptionalFileEntryRef();
    if (File && (File->getFileEntry().tryGetRealPathName() == Wanted.Path ||
                 is_contained(Wanted.Names, fullName(*File, Unit.getFileManager()))))
      Found.push_back(SM.getFileID(SourceLocation::getFromRawEncoding(Entry.getOffset())));
  }
  Nowhere = Found.empty();
  if (Found.size() <= 1)
    return Found.empty() ? FileID() : Found.front();
  // Most often there was nothing left of it the second time, or declarations.
  struct Bodies : DynamicRecursiveASTVisitor {
    const SourceManager &SM;
    std::set<FileID> Files;
    explicit Bodies(const SourceManager &SM) : SM(SM) {}
    bool TraverseStmt(Stmt *) override { return true; }
    bool VisitFunctionDecl(FunctionDecl *F) override {
      if (F->doesThisDeclarationHaveABody())
        Files.insert(SM.getFileID(SM.getExpansionLoc(F->getLocation())));
      return true;
    }
  } V(SM);
  V.TraverseAST(Unit.getASTContext());
  erase_if(Found, [&](FileID F) { return F != Found.front() && !V.Files.count(F); });
  if (Found.size() > 1 && !V.Files.count(Found.front()))
    Found.erase(Found.begin());
  return Found.size() == 1 ? Found.front() : FileID();
}

/// Passes everything on, and keeps the places of errors.
class ErrorCollector : public DiagnosticConsumer {
public:
  ErrorCollector(DiagnosticConsumer &Next, std::vector<SourceError> &Errors)
      : Next(Next), Errors(Errors) {}

  void BeginSourceFile(const LangOptions &LangOpts, const Preprocessor *PP) override {
    Next.BeginSourceFile(LangOpts, PP);
  }
  void EndSourceFile() override { Next.EndSourceFile(); }
  void finish() override { Next.finish(); }
  bool IncludeInDiagnosticCounts() const override { return Next.IncludeInDiagnosticCounts(); }
  void HandleDiagnostic(DiagnosticsEngine::Level Level, const Diagnostic &Info) override {
    if (Level >= DiagnosticsEngine::Error)
      Errors.push_back({Info.getLocation(), Info.getID() == diag::err_pp_file_not_found});
    Next.HandleDiagnostic(Level, Info);
  }

private:
  DiagnosticConsumer &Next;
  std::vector<SourceError> &Errors;
};

/// Passes everything on but one error, which it keeps: "initialization is not supported for
/// __shared__ variables". See parse().
class SharedVariableFilter : public DiagnosticConsumer {
public:
  explicit SharedVariableFilter(DiagnosticConsumer &Next) : Next(Next) {}

  void BeginSourceFile(const LangOptions &LangOpts, const Preprocessor *PP) override {
    Next.BeginSourceFile(LangOpts, PP);
  }
  void EndSourceFile() override { Next.EndSourceFile(); }
  void finish() override { Next.finish(); }
  bool IncludeInDiagnosticCounts() const override { return Next.IncludeInDiagnosticCounts(); }

  void HandleDiagnostic(DiagnosticsEngine::Level Level, const Diagnostic &Info) override {
    if (Info.getID() != diag::err_shared_var_init) {
      OtherErrors |= Level >= DiagnosticsEngine::Error;
      Next.HandleDiagnostic(Level, Info);
      return;
    }
    SmallString<128> Message;
    Info.FormatDiagnostic(Message);
    std::string Where;
    if (Info.hasSourceManager())
      Where = Info.getLocation().printToString(Info.getSourceManager()) + ": ";
    Kept.push_back({Info.getLocation(), Where + Message.str().str()});
  }

  std::vector<std::pair<SourceLocation, std::string>> Kept;
  bool OtherErrors = false;

private:
  DiagnosticConsumer &Next;
};

// Clang rejects `__shared__ cuda::barrier<...> b;`, which nvcc accepts, because the constructor in
// the toolkit's library is not empty for Clang; and then there is no AST of the other kernels in
// the file either. Our own declarations of the two headers have empty constructors and the same
// sizes, so such a file is read again with them. If that does not work, the first answer counts.
static std::unique_ptr<ASTUnit> parseFile(const ParseRequest &Request, DiagnosticConsumer *Consumer,
                                          std::vector<SourceError> *Errors,
                                          CompilerQuestions &Asked) {
  // Clang guards itself against running out of stack only if it knows where the stack begins.
  noteBottomOfStack();

  IgnoringDiagConsumer Nobody;
  std::vector<SourceError> Unasked;
  ErrorCollector Client(Consumer ? *Consumer : Nobody, Errors ? *Errors : Unasked);
  if (!Request.Cuda)
    return parseOnce(Request, Reading::ToAnalyse, &Client, Asked);

  SharedVariableFilter Filter(Client);
  std::unique_ptr<ASTUnit> Unit = parseOnce(Request, Reading::ToAnalyse, &Filter, Asked);
  if (Filter.Kept.empty())
    return Unit;
  if (!Filter.OtherErrors) {
    std::unique_ptr<ASTUnit> Second = parseOnce(Request, Reading::WithOurBarriers, &Nobody, Asked);
    if (Second && !Second->getDiagnostics().hasErrorOccurred()) {
      if (Errors)
        Errors->clear();
      return Second;
    }
  }
  DiagnosticOptions Options;
  DiagnosticsEngine Diags(DiagnosticIDs::create(), Options, Consumer ? Consumer : &Nobody,
                          /*ShouldOwnClient=*/false);
  for (const auto &[Where, Text] : Filter.Kept) {
    Diags.Report(Diags.getCustomDiagID(DiagnosticsEngine::Error, "%0")) << Text;
    if (Errors)
      Errors->push_back({Where, false});
  }
  return Unit;
}

class ParsedUnits {
public:
  struct Unit {
    std::string Arch;
    CompileFlags Flags;
    bool HideClang;
    std::vector<std::string> Otherwise;
    std::optional<std::string> Contents;
    std::shared_ptr<ASTUnit> Ast;
    std::vector<SourceError> Errors;
    CompilerQuestions Asked;
    std::shared_ptr<void> Facts;
  };
  std::vector<Unit> Units;

  ParsedUnits(unsigned MostTexts, bool Facts) : KeepsFacts(Facts), MostTexts(MostTexts) {}
  const bool KeepsFacts;
  bool isFull() const { return Units.size() == 32; }
  /// Whether units of \p Contents are kept: of the first texts they are.
  bool keeps(const std::optional<std::string> &Contents) {
    if (llvm::is_contained(Texts, Contents))
      return true;
    if (Texts.size() == MostTexts)
      return false;
    Texts.push_back(Contents);
    return true;
  }

private:
  const unsigned MostTexts;
  std::vector<std::optional<std::string>> Texts;
};

std::shared_ptr<ParsedUnits> makeParsedUnits(unsigned Texts, bool Facts) {
  return std::make_shared<ParsedUnits>(Texts, Facts);
}

std::shared_ptr<void> *factsKeptWith(const ParseRequest &Request, const ASTUnit &Unit) {
  if (Request.Reuse && Request.Reuse->KeepsFacts)
    for (ParsedUnits::Unit &U : Request.Reuse->Units)
      if (U.Ast.get() == &Unit)
        return &U.Facts;
  return nullptr;
}

static std::shared_ptr<ASTUnit> parseOrReuse(const ParseRequest &Request,
                                             DiagnosticConsumer *Consumer,
                                             std::vector<SourceError> *Errors,
                                             CompilerQuestions &Asked) {
  ParsedUnits *Kept = Request.Reuse && !Request.Edited ? Request.Reuse.get() : nullptr;
  if (!Kept || !Kept->keeps(Request.Contents))
    return parseFile(Request, Consumer, Errors, Asked);
  for (const ParsedUnits::Unit &U : Kept->Units)
    if (U.Arch == Request.Arch && U.Flags == Request.Flags && U.HideClang == Request.HideClang &&
        U.Otherwise == Request.Otherwise && U.Contents == Request.Contents) {
      if (Errors)
        *Errors = U.Errors;
      Asked = U.Asked;
      return U.Ast;
    }
  if (Kept->isFull())
    return parseFile(Request, Consumer, Errors, Asked);
  ParsedUnits::Unit New{Request.Arch,
                        Request.Flags,
                        Request.HideClang,
                        Request.Otherwise,
                        Request.Contents,
                        nullptr,
                        {},
                        {},
                        nullptr};
  New.Ast = parseFile(Request, Consumer, &New.Errors, New.Asked);
  Asked = New.Asked;
  if (Errors)
    *Errors = New.Errors;
  if (New.Ast)
    Kept->Units.push_back(New);
  return New.Ast;
}

std::shared_ptr<ASTUnit> parse(const ParseRequest &Request, DiagnosticConsumer *Consumer,
                               std::vector<SourceError> *Errors, CompilerQuestions *Asked) {
  CompilerQuestions Unasked;
  CompilerQuestions &Questions = Asked ? *Asked : Unasked;
  std::shared_ptr<ASTUnit> Unit = parseOrReuse(Request, Consumer, Errors, Questions);
  if (!Unit || !Request.Edited)
    return Unit;
  const FileID File = findIncluded(*Unit, *Request.Edited, Questions.NotIncluded);
  if (File.isInvalid()) {
    IgnoringDiagConsumer Nobody;
    DiagnosticOptions Options;
    DiagnosticsEngine Diags(DiagnosticIDs::create(), Options, Consumer ? Consumer : &Nobody,
                            /*ShouldOwnClient=*/false);
    Diags.Report(
        Diags.getCustomDiagID(DiagnosticsEngine::Error,
                              "'%0' includes '%1' several times, each time for other functions: "
                              "it cannot be rewritten"))
        << Request.File << Request.Edited->Path;
    return nullptr;
  }
  Unit->getSourceManager().setMainFileID(File);
  return Unit;
}

} // namespace cuda_pipeline
