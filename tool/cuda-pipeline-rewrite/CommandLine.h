//===- CommandLine.h - What the user asked for ---------------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// The command line as plain data. Everything that can be wrong with it alone is found here, before
/// any file is opened; docs/command-line.md describes it for users.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_TOOL_COMMANDLINE_H
#define CUDA_PIPELINE_TOOL_COMMANDLINE_H

#include "Support/Terminal.h"
#include "cuda-pipeline/GpuHarness.h"
#include "cuda-pipeline/Rewriter.h"
#include "cuda-pipeline/Source.h"
#include "cuda-pipeline/Verify.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>
#include <string>
#include <vector>

namespace cuda_pipeline {

/// Exit codes. docs/command-line.md; other programs rely on them.
enum ExitCode : int {
  ExitDone = 0,     ///< nothing left to do; refused loops are a normal answer
  ExitFindings = 1, ///< findings, a non-empty diff, or a requested variant that was refused
  ExitUsage = 2,    ///< usage, configuration or input/output error
  ExitInput = 3,    ///< the input does not parse; nothing was written
  ExitCannotRun = 4 ///< a requested step cannot run here
};

enum class Command {
  Rewrite,
  Check,
  Verify,
  Bench,
  Launch,
  Explain,
  Rules,
  Matchers,
  Help,
  Version
};
enum class ReportFormat { Text, Json, Github, Sarif, Markdown, Html };
enum class ProgressKind { Auto, Always, Never };
enum class InspectKind { Auto, On, Off };
enum class FailOn { Never, Opportunity, Refused };

struct ReportFile {
  std::string Path;
  ReportFormat Format;
};

/// What an option does with the path that is its value.
enum class PathRole {
  Reads,    ///< a file
  ReadsIn,  ///< files of a folder
  Writes,   ///< a file
  WritesIn, ///< files of a folder
};

struct NamedPath {
  std::string Option; ///< "--report"
  std::string Path;
  PathRole Role;
};

struct Invocation {
  Command Cmd = Command::Rewrite;
  std::vector<std::string> Inputs; ///< files, or the reasons of `explain`
  /// The command line in front of `--`, but for the options that say where results go and how they
  /// look.
  std::vector<std::string> Words;

  /// All paths that options name, but for words like `none`, and `-o -`.
  std::vector<NamedPath> Paths;

  bool EachVariant = false;         ///< --variant=each: an output for every one that changes a file
  std::vector<unsigned> EachStages; ///< of them, where --stages names several numbers
  RewriteOptions Rewrite;           ///< Archs is empty where --arch was not given: decided per file

  std::string CudaPath;
  std::string BuildDir;                 ///< -p; empty: no compilation database
  std::optional<FlagDatabase> Database; ///< of it; read before anything else is done
  bool WholeProject = false;            ///< no input is named: all CUDA files of the database
  bool WithHeaders = false;             ///< --project-headers: of check
  std::string CleanDatabaseDir;         ///< --write-clang-database; empty: none
  std::string ConfigFile;               ///< --config; empty: the .clang-tidy of each file
  bool NoConfig = false;
  llvm::StringSet<> Given;                ///< options of the command line, by clang-tidy's names
  std::vector<std::string> CompilerFlags; ///< after `--`; of launch: the compiler's command
  std::vector<std::string> ExtraArgs;

  std::string Output; ///< -o; empty: derived from the input's name. "-": standard output
  std::string OutputDir;
  std::string Suffix = ".pipelined";
  bool InPlace = false;
  bool Diff = false;
  std::string ExportFixes; ///< for clang-apply-replacements; empty: none

  ReportFormat Format = ReportFormat::Text;
  std::vector<ReportFile> Reports;
  std::string BenchReport;   ///< of the command bench, to be shown; empty: none
  std::optional<bool> Color; ///< none: where the report goes to a terminal, and NO_COLOR is not set
  bool Quiet = false;
  bool Verbose = false;
  unsigned Jobs = 1;
  ProgressKind Progress = ProgressKind::Auto;
  bool InBuild = false; ///< of launch: among the messages of a compiler, which has the last word
  unsigned FileTimeout = 600; ///< seconds
  std::string CacheDir;       ///< results of earlier runs; empty: none are kept
  bool KeepsPreludes = true;  ///< in the user's folder for caches
  std::string DepFile;        ///< what the result depends on, for make and ninja; empty: none
  std::string DepFileTarget;  ///< what has the dependencies

  bool ExitZero = false;
  FailOn Gate = FailOn::Never;

  // verify, and --verify of rewrite.
  bool VerifyEmulate = false, VerifyGpu = false,
       VerifySass = false;                 ///< --verify=; with verify: --engine
  bool VerifyCompile = false;              ///< --verify=compile
  InspectKind Inspect = InspectKind::Auto; ///< of rewrite: nvcc counts registers; Auto: where it is
                                           ///< there and a file is written
  std::string EmitHarness;                 ///< folder; empty: none
  std::string FromResult;                  ///< result.json of a harness; empty: none
  std::string LaunchFile;                  ///< --launch; empty: inferred from the old file
  bool EmitLaunch = false;
  bool EmitTemplate = false; ///< without a search
  std::string BatchFile;     ///< --batch: of verify; a list of pairs instead of one
  VerifyOptions Verify;

  // bench.
  BenchOptions Bench;
  bool MakeVariants = false;     ///< rewrite the old file, and time what comes of it, too
  std::vector<Variant> Variants; ///< in these; empty: all
  bool Ablate = true;            ///< time the halves of the old version
};

/// Reads the command line. On a usage error one line goes to \p Errs and nothing is returned.
std::optional<Invocation> parseCommandLine(int Argc, const char *const *Argv,
                                           llvm::raw_ostream &Errs);

/// The options by group, for --help.
void printHelp(llvm::raw_ostream &OS);

/// "cuda-pipeline-rewrite: error: ", in one place so that all messages look the same. What is
/// written behind it is one line.
MessageLine errorLine(llvm::raw_ostream &Errs);
MessageLine warningLine(llvm::raw_ostream &Errs);
/// One line for each error in it.
void sayErrors(llvm::Error E);

class OutputFiles;
/// Before anything else is done: \p To knows all that \p I names to be read, and all that it names
/// to be written. False: two of these are one file; a message says so.
bool claimOutputs(const Invocation &I, OutputFiles &To);
/// What this run writes; and what it has read besides what the command line names.
OutputFiles &outputsOfRun();
const std::shared_ptr<SeenFiles> &seenInRun();

/// This program, so that what another version has kept is not taken for its own.
std::string programIdentity();
/// All of \p Files, by name and contents, or none. False: a message says why.
bool writeFiles(llvm::ArrayRef<std::pair<std::string, std::string>> Files);
/// The same of files in a folder (OutputFiles::writeFolder()).
bool writeFolder(llvm::StringRef Folder, llvm::ArrayRef<std::pair<std::string, std::string>> Files,
                 llvm::StringRef By);
/// The file of a compilation database that `-p` names by itself or by its folder.
std::string databaseFile(llvm::StringRef BuildDir);

/// `explain ID...`: the reason, its remedy and its example. `rules`: all of them.
ExitCode explainReasons(llvm::ArrayRef<std::string> Ids, llvm::raw_ostream &OS,
                        llvm::raw_ostream &Errs);
ExitCode listRules(ReportFormat Format, llvm::raw_ostream &OS);

/// In which ways \p Path is compiled, and for which architectures (\p Archs): all its entries in
/// the database, else the flags after `--`; for \p Given, if there are any. \p To has its toolkit.
/// Says what is wrong and returns false; a file that the database lacks is a warning. \p
/// MayBeUnknown: to the database.
bool readConfigurations(const Invocation &I, llvm::StringRef Path,
                        llvm::ArrayRef<std::string> Given, ParseRequest &To,
                        std::vector<std::string> &Archs, bool MayBeUnknown = false);

/// Analyses the inputs and writes what was asked for.
ExitCode runSession(const Invocation &I);

/// `launch`: runs the compiler's command, and checks what it has compiled. The code is the
/// command's, or that of the check.
int runLaunch(const Invocation &I);

/// `--write-clang-database=DIR`: the compilation database in Clang's words.
ExitCode writeCleanDatabase(const Invocation &I);

/// `verify OLD NEW`, and `verify --emit-launch FILE`.
ExitCode runVerify(const Invocation &I);

/// `bench OLD NEW...`, and `bench FILE`.
ExitCode runBench(const Invocation &I);

} // namespace cuda_pipeline

#endif
