//===- FrontendFlags.cpp - How somebody else's Clang reads a file -----------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// clang-tidy and clangd have parsed the file already, for the host or for one architecture,
/// without the bodies of functions in headers, or with a precompiled preamble. The analysis reads
/// it itself, as the command line does; the flags are taken from what the preprocessor knows of
/// them.
///
//===----------------------------------------------------------------------===//
#include "BundledDecls.h"
#include "ClangInvocation.h"
#include "clang/Basic/FileManager.h"
#include "clang/Basic/LangStandard.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/Basic/TargetOptions.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Lex/HeaderSearch.h"
#include "clang/Lex/HeaderSearchOptions.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {

/// The folders of \p Request that nobody has asked for: Clang's own, the system's.
static std::set<std::string> ownFolders(const ParseRequest &Request) {
  std::set<std::string> Own;
  IgnoringDiagConsumer Nobody;
  ParseRequest Plain = Request;
  Plain.Flags = CompileFlags();
  if (std::optional<ClangInvocation> Made = makeInvocation(Plain, Reading::ToAnalyse, &Nobody))
    for (const HeaderSearchOptions::Entry &E : Made->Compiler->getHeaderSearchOpts().UserEntries)
      Own.insert(E.Path);
  return Own;
}

static bool exists(StringRef Folder, StringRef Name) {
  SmallString<256> Path(Folder);
  sys::path::append(Path, Name);
  return sys::fs::exists(Path);
}

ParseRequest requestOf(Preprocessor &PP) {
  const SourceManager &SM = PP.getSourceManager();
  FileManager &Files = PP.getFileManager();
  ParseRequest R;
  if (OptionalFileEntryRef Main = SM.getFileEntryRefForID(SM.getMainFileID())) {
    SmallString<256> Name(Main->getName());
    Files.makeAbsolutePath(Name);
    R.File = std::string(Name);
  }
  R.Contents = SM.getBufferData(SM.getMainFileID()).str();
  R.Files = Files.getVirtualFileSystemPtr();
  R.Flags.Directory = Files.getFileSystemOpts().WorkingDir;
  if (R.Flags.Directory.empty())
    if (ErrorOr<std::string> Cwd = R.Files->getCurrentWorkingDirectory())
      R.Flags.Directory = *Cwd;

  const LangOptions &Lang = PP.getLangOpts();
  if (Lang.CUDAIsDevice) {
    if (Expected<std::string> Arch = normalizeArch(PP.getTargetInfo().getTargetOpts().CPU))
      R.Flags.Archs.push_back(*Arch);
    else
      consumeError(Arch.takeError()); // too old a one is what Clang takes if it is told none
  }
  R.Arch = R.Flags.Archs.empty() ? "sm_80" : R.Flags.Archs.front();

  // Which declarations of CUDA it has found.
  const HeaderSearchOptions &Search = PP.getHeaderSearchInfo().getHeaderSearchOpts();
  bool Bundled = false;
  std::string Root;
  for (const HeaderSearchOptions::Entry &E : Search.UserEntries) {
    Bundled |= exists(E.Path, BundledMarker);
    if (Root.empty() && exists(E.Path, "cuda_runtime.h") && exists(E.Path, "crt/host_config.h"))
      Root =
          sys::path::parent_path(sys::path::filename(E.Path) == "." ? sys::path::parent_path(E.Path)
                                                                    : StringRef(E.Path))
              .str();
  }
  if (!Bundled) {
    Expected<std::optional<Toolkit>> Cuda = findToolkit(Root);
    if (!Cuda && !Root.empty()) { // headers without a toolkit around them
      consumeError(Cuda.takeError());
      Cuda = findToolkit("");
    }
    if (Cuda)
      R.Cuda = *Cuda;
    else
      consumeError(Cuda.takeError());
  }

  std::vector<std::string> &Args = R.Flags.ClangArgs;
  auto Two = [&](StringRef Flag, StringRef Value) {
    Args.push_back(Flag.str());
    Args.push_back(Value.str());
  };
  if (Lang.LangStd != LangStandard::lang_unspecified)
    Args.push_back(
        ("-std=" + Twine(LangStandard::getLangStandardForKind(Lang.LangStd).getName())).str());
  if (!Lang.CharIsSigned)
    Args.push_back("-funsigned-char");
  if (Lang.FastMath)
    Args.push_back("-ffast-math");
  switch (Lang.getDefaultFPContractMode()) {
  case LangOptions::FPM_Off:
    Args.push_back("-ffp-contract=off");
    break;
  case LangOptions::FPM_On:
    Args.push_back("-ffp-contract=on");
    break;
  default:
    break; // as for CUDA
  }
  for (const auto &[Macro, IsUndef] : PP.getPreprocessorOpts().Macros)
    Args.push_back((IsUndef ? "-U" : "-D") + Macro);
  if (!Search.Sysroot.empty() && Search.Sysroot != "/")
    Two("-isysroot", Search.Sysroot);
  const std::set<std::string> Own = ownFolders(R);
  for (const HeaderSearchOptions::Entry &E : Search.UserEntries) {
    const bool System = E.Group != frontend::Angled && E.Group != frontend::Quoted;
    if (E.IsFramework || exists(E.Path, BundledMarker) || (System && Own.count(E.Path)) ||
        exists(E.Path, "__clang_cuda_runtime_wrapper.h") ||
        sys::path::filename(E.Path) == "cuda_wrappers" ||
        (!Root.empty() && System && sys::fs::equivalent(E.Path, Root + "/include")))
      continue;
    Two(E.Group == frontend::Quoted   ? "-iquote"
        : E.Group == frontend::Angled ? "-I"
        : E.Group == frontend::After  ? "-idirafter"
                                      : "-isystem",
        E.Path);
  }
  for (const std::string &File : PP.getPreprocessorOpts().MacroIncludes)
    Two("-imacros", File);
  // clangd's preamble, and what was changed in it since, are in memory only.
  for (const std::string &File : PP.getPreprocessorOpts().Includes)
    if (File != "__clang_cuda_runtime_wrapper.h" &&
        !(Bundled && StringRef(File).ends_with(bundledPrelude())) &&
        sys::path::filename(File) != sys::path::filename(supplementPath()) &&
        sys::path::filename(File) != "__preamble_patch__.h")
      Two("-include", File);
  return R;
}

} // namespace cuda_pipeline
