//===- Source.h - From a .cu file and nvcc's flags to a Clang AST ---------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Step 1 of the flow: a CUDA file is read exactly once, as device code, for one GPU architecture.
///
/// - `CompileFlags` are nvcc's (or Clang's) flags, translated to what Clang understands. They come
///   from after `--` on the command line, from compile_commands.json, or are empty.
/// - `Toolkit` is the CUDA installation whose headers are used; without one the bundled
///   declarations (lib/Source/cuda-decls, our own writing, compiled into the program) stand in.
/// - `parse()` yields a Clang ASTUnit. Errors anywhere make it fail, except where `Lenient` says
///   otherwise: the model must never be built over a broken AST.
///
/// Several architectures are parsed one after the other by the caller (soundness rule 13).
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_SOURCE_H
#define CUDA_PIPELINE_SOURCE_H

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace clang {
class ASTUnit;
class CompilerInvocation;
class DiagnosticConsumer;
class Preprocessor;
} // namespace clang

namespace cuda_pipeline {

/// nvcc's flags in Clang's words.
struct CompileFlags {
  std::vector<std::string> ClangArgs; ///< without program, input, -c/-o, and architecture
  std::vector<std::string> Archs;     ///< "sm_86", ... in the order given, without duplicates
  std::vector<std::string> Dropped;   ///< flags with no meaning for the analysis (listed with -v)
  std::vector<std::string>
      OfCode;            ///< nvcc's flags that change the code that it makes, in its long form
  std::string Directory; ///< working directory of the command; empty: the current one
  std::string CudaPath;  ///< Clang's --cuda-path; the tool's own option comes first
  std::vector<std::string> Inputs; ///< what is no option, but for the words in front: programs
  std::string Language;            ///< of -x: "cu"; empty: by the names of the inputs
  bool Compiles = true; ///< it makes code: it does not only preprocess, or say what it would do
  bool Native = false;  ///< for the GPU that is there as well (-arch=native); see settleArchs()
  bool ByClang = false; ///< Clang compiles it: nvcc's macros are not defined
  std::vector<std::string> Macros; ///< that nvcc defines for these flags, NAME=VALUE
  std::string From;                ///< where it is from: "entry 2 of 'build/compile_commands.json'"
  bool operator==(const CompileFlags &O) const {
    return ClangArgs == O.ClangArgs && Archs == O.Archs && Dropped == O.Dropped &&
           OfCode == O.OfCode && Directory == O.Directory && CudaPath == O.CudaPath &&
           Native == O.Native && ByClang == O.ByClang && Macros == O.Macros;
  }
};

/// Translates one compiler command's arguments (nvcc's or Clang's; the program's name, if it is
/// there, the inputs and outputs are removed). `--options-file` and `@file` are read relative to
/// \p Directory; an unreadable one is an error. Never fails on an unknown flag: it is dropped.
llvm::Expected<CompileFlags> translateFlags(llvm::ArrayRef<std::string> Args,
                                            llvm::StringRef Directory = "");

/// Those of the inputs that are read as CUDA: by -x, or by the name.
std::vector<std::string> cudaInputs(const CompileFlags &Flags);

/// A compilation database (`-p DIR`; compile_commands.json), read once.
class FlagDatabase {
public:
  struct Entry {
    std::string File; ///< full, links followed where it exists
    std::string Directory;
    std::vector<std::string> Command;
  };
  /// \p BuildDir: the folder, or the file itself. An error if it is missing or malformed.
  static llvm::Expected<FlagDatabase> load(llvm::StringRef BuildDir);

  /// All of them, in the order of the file.
  llvm::ArrayRef<Entry> entries() const { return Entries; }
  /// The files that an entry reads as CUDA. An error as in translateFlags().
  llvm::Expected<std::vector<std::string>> cudaFiles() const;
  /// Of the first entry of \p File; none: std::nullopt.
  llvm::Expected<std::optional<CompileFlags>> flagsOf(llvm::StringRef File) const;
  /// Of all its entries, but for those that compile it in the same way. Empty: it has none.
  llvm::Expected<std::vector<CompileFlags>> allFlagsOf(llvm::StringRef File) const;

private:
  std::vector<Entry> Entries;
  std::string Path; ///< of the file, as it was asked for
};

/// A CUDA installation. Found in this order: \p CudaPath, CUDA_PATH, CUDA_HOME, nvcc on PATH,
/// /usr/local/cuda, /opt/cuda, /usr/lib/cuda.
struct Toolkit {
  std::string Root;        ///< has include/cuda_runtime.h
  std::string CcclInclude; ///< Root/include/cccl where the toolkit has it, else empty
  std::string Version;     ///< "13.0", from version.json or cuda.h; empty if unknown
};

/// \p CudaPath empty: look in the usual places, none found: std::nullopt. Not empty and no toolkit
/// there: an error (the user asked for it). The word "none" means: use the bundled declarations.
llvm::Expected<std::optional<Toolkit>> findToolkit(llvm::StringRef CudaPath);

/// A file that a translation unit includes.
struct IncludedFile {
  std::string Path;               ///< its real path
  std::vector<std::string> Names; ///< by which the unit includes it: full paths, links not followed
};

/// What is read in front of files (CUDA's declarations) is kept in \p Folder, precompiled, for the
/// next files and the next runs of \p Program (any text that tells one build of it from another):
/// 512 MB at most, the oldest go first. Somebody else's folder is not used. To be called before
/// anything is read. \p AlsoInMemory: for as long as the program runs where there is no such
/// folder.
void keepPreludes(std::string Folder, std::string Program, bool AlsoInMemory = false);

/// Units that have been parsed. Whoever reads a file several times, with other options, sets one
/// for all of these times; the messages are those of the first. Not for several threads. \p Texts:
/// of how many texts of the file, the first that are read. \p Facts: what is found out about a unit
/// is kept with it; not worth its memory where each is looked at once. A unit takes 20 MB and more,
/// so at most 32 are kept.
class ParsedUnits;
std::shared_ptr<ParsedUnits> makeParsedUnits(unsigned Texts = 1, bool Facts = true);
/// How often this process has had Clang read a file, without declarations that are precompiled.
unsigned timesParsed();
struct ParseRequest;
/// Where a caller of parse() keeps what it has found out about \p Unit, as long as that is kept:
/// null at first. Null: \p Unit is not kept.
std::shared_ptr<void> *factsKeptWith(const ParseRequest &Request, const clang::ASTUnit &Unit);

/// What was asked of the disk, and found, by full path: all that a parse depends on besides its
/// flags. Also where nothing was found: a header that appears there is read instead of another one.
struct SeenFile {
  enum { Nothing, File, Folder, Listing } Kind = Nothing; ///< Listing: the names in a folder
  uint64_t Size = 0;                                      ///< bytes, of a file
  int64_t Time = 0; ///< of its last change, nanoseconds since the epoch
};
using SeenFiles = std::map<std::string, SeenFile>;

struct ParseRequest {
  std::string File; ///< as the user wrote it
  std::string Arch; ///< "sm_86"
  CompileFlags Flags;
  std::vector<std::string> ExtraArgs; ///< `--extra-arg`, appended as they are
  std::optional<Toolkit> Cuda;        ///< none: bundled declarations
  /// The other ways in which the build compiles it, with their architectures; the first is Flags.
  /// What becomes of the file has to be right for all of them.
  std::vector<CompileFlags> Others;
  /// Architectures that it is compiled for, and that nobody can look at: they are too old.
  std::vector<std::string> LeftOut;
  /// What Clang alone defines is hidden from the user's files: they are read as nvcc's host
  /// compiler reads them.
  bool HideClang = false;
  /// What the flags do not tell of the build, answered the other way round
  /// (CompilerQuestions::Open).
  std::vector<std::string> Otherwise;
  /// Contents instead of those on disk (clangd, tests). The file need not exist then.
  std::optional<std::string> Contents;
  /// The file that is edited, if it is not `File` but one that this includes: after parse() it is
  /// the main file of the SourceManager. Its contents instead of those on disk.
  std::optional<IncludedFile> Edited;
  std::optional<std::string> EditedContents;
  /// Go on behind errors, also behind a header that is not found: for parse() with errors asked
  /// for.
  bool KeepGoing = false;
  /// Files as somebody else sees them (an editor), instead of the disk's.
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Files;
  /// Where parse() notes what it has seen of the disk; null: nowhere. Not with Files.
  std::shared_ptr<SeenFiles> Seen;
  /// Keeps what was parsed of the file, for the next parse() of the same text.
  std::shared_ptr<ParsedUnits> Reuse;
};

/// An error of Clang's, in the source manager of the unit that parse() returns.
struct SourceError {
  clang::SourceLocation Where; ///< invalid: none in the source
  bool MissingFile = false;    ///< a header that was not found
};

/// What the user's files ask of who compiles them.
struct CompilerQuestions {
  std::string Macro; ///< the first one that Clang alone has, or has another value of; empty: they
                     ///< ask for none
  bool Arch = false; ///< __CUDA_ARCH__ and its like
  /// Macros that an option of nvcc's host compiler, or its default, defines (`__OPTIMIZE__`,
  /// `__AVX2__`), and headers of the toolkit that are not among the bundled declarations
  /// (`<cub/cub.cuh>`), each with what it was taken to be.
  std::vector<std::pair<std::string, bool>> Open;
  std::vector<clang::SourceRange> LeftOut; ///< by `#if`, of the user's files
  bool NotIncluded = false;                ///< ParseRequest::Edited is included nowhere
};

/// The folder with Clang's own headers that parse() uses; empty: there is none.
const std::string &clangResourceDir();

/// The complete Clang command line (argv without the program) for one parse: what `-v` prints.
/// By its name (.cuh, .h, ...) a file is one that others include.
bool isHeaderName(llvm::StringRef Path);

/// The files that \p Unit includes, but for those of the system.
std::vector<IncludedFile> includedFiles(clang::ASTUnit &Unit);

std::vector<std::string> clangArguments(const ParseRequest &Request);

/// What Clang's driver makes of it here and now: with the folders that it has found, and those that
/// the environment names (CPATH and its like). Empty where it is in error.
std::vector<std::string> frontendArguments(const ParseRequest &Request);

/// The same for Clang's own tools, which do not have this program's declarations: these are in the
/// folder \p Declarations (declarationFiles()).
std::vector<std::string> toolArguments(const ParseRequest &Request, llvm::StringRef Declarations);
/// What toolArguments() with or without a toolkit refers to there: names below that folder, and
/// contents.
std::vector<std::pair<std::string, std::string>> declarationFiles(bool HasToolkit);

/// A folder of the user's cache that has them; they are written the first time.
llvm::Expected<std::string> declarationsFolder(bool HasToolkit);

/// The file that \p PP reads, as the command line would read it with the same flags: its contents
/// as they are there, for the first architecture of them (Flags.Archs is empty where \p PP does not
/// know any).
ParseRequest requestOf(clang::Preprocessor &PP);

/// Parses the device side of \p Request.File. Clang's diagnostics go to \p Diags. Returns null when
/// there was no AST at all; the caller asks the unit whether errors occurred.
std::shared_ptr<clang::ASTUnit> parse(const ParseRequest &Request, clang::DiagnosticConsumer *Diags,
                                      std::vector<SourceError> *Errors = nullptr,
                                      CompilerQuestions *Asked = nullptr);

/// Decides what \p Ways of compiling a file are looked at: each gets its architectures, \p Given
/// (--arch) or its own or, where it names none, sm_80; equal ones go. \returns all architectures.
/// \p LeftOut: those that are too old for \p Cuda. An error: there is no other one, one is not
/// known, or none is the machine's own (-arch=native).
llvm::Expected<std::vector<std::string>> settleArchs(std::vector<CompileFlags> &Ways,
                                                     llvm::ArrayRef<std::string> Given,
                                                     const std::optional<Toolkit> &Cuda,
                                                     std::vector<std::string> &LeftOut);
/// That of the first GPU of this machine; empty: there is none, or nothing is known about it.
std::string archOfThisMachine(const std::optional<Toolkit> &Cuda);
/// "sm_80", "sm_86 with -DX": one way of compiling against the first.
std::string nameOf(const CompileFlags &Way, llvm::StringRef Arch, const CompileFlags &First);

/// One way in which a file is compiled.
struct Configuration {
  const CompileFlags *Flags;
  std::string Arch;
  std::string Name;
};

/// Each way of compiling it, for each of its architectures: those of its own that \p Archs has,
/// else all of these.
std::vector<Configuration> configurationsOf(const ParseRequest &Request,
                                            llvm::ArrayRef<std::string> Archs);

/// Clears all of \p Compiler that would write a file or load code, whatever its flags say. What is
/// left is the reading of one file.
void clearOutputs(clang::CompilerInvocation &Compiler);

/// True for the architectures that the GPU table knows and Clang 22 accepts ("sm_70".."sm_121",
/// also with the suffixes a and f). Accepts "compute_86" and "86" and normalises them to "sm_86";
/// anything else yields an error that lists what is accepted.
llvm::Expected<std::string> normalizeArch(llvm::StringRef Arch);

} // namespace cuda_pipeline

#endif
