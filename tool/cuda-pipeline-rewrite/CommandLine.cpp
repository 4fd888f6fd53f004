//===- CommandLine.cpp - Options, their values and their conflicts ---------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "clang/Basic/Version.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"

using namespace llvm;

namespace cuda_pipeline {

static constexpr StringLiteral ToolName = "cuda-pipeline-rewrite";

MessageLine errorLine(raw_ostream &Errs) {
  return MessageLine(Errs, (ToolName + ": error: ").str());
}
MessageLine warningLine(raw_ostream &Errs) {
  return MessageLine(Errs, (ToolName + ": warning: ").str());
}

void sayErrors(Error E) {
  handleAllErrors(std::move(E),
                  [](const ErrorInfoBase &One) { errorLine(errs()) << One.message(); });
}

namespace {

/// All options. Constructed after LLVM's own options were unregistered, see parseCommandLine().
/// Values stay strings where a bad one deserves a better message than LLVM's.
struct Options {
  // In the order of --help: group by group.
  cl::OptionCategory What{"what"}, Target{"target"}, Output{"output"}, Report{"report"},
      Gate{"gate"}, Verification{"verification"}, Bench{"bench"}, Debug{"debug"};

  cl::opt<std::string> Variant{
      "variant", cl::cat(What), cl::value_desc("NAME"),
      cl::desc(
          "auto (default), cp-async, ldg, ldg-single or mixed; each: a file for every one that is "
          "legal"),
      cl::init("auto")};
  cl::opt<std::string> Stages{"stages", cl::cat(What), cl::value_desc("N"),
                              cl::desc("auto (default), or 2..8: buffers per tile; "
                                       "with --variant=each several, as 2,3"),
                              cl::init("auto")};
  cl::opt<std::string> Width{
      "width", cl::cat(What), cl::value_desc("NAME"),
      cl::desc("keep (default): threads copy as many bytes at once as they do; auto: up to 16, "
               "where neighbours stay neighbours"),
      cl::init("keep")};
  cl::opt<std::string> Layout{
      "layout", cl::cat(What), cl::value_desc("NAME"),
      cl::desc("keep (default): rows of tiles stay as long as they are; pad: longer, where that "
               "takes bank conflicts away; auto: so if it costs no resident block"),
      cl::init("keep")};
  cl::opt<std::string> MinGain{"min-gain", cl::cat(What), cl::value_desc("X"),
                               cl::desc("predicted speed-up that auto asks for; default: 1.01")};
  cl::opt<std::string> Kernel{"kernel", cl::cat(What), cl::value_desc("REGEX"),
                              cl::desc("only kernels whose name matches")};
  cl::list<std::string> Lines{"lines", cl::cat(What), cl::value_desc("A:B"),
                              cl::desc("only loops in lines A to B; repeatable, one input file")};
  cl::opt<bool> UnsafeFixes{"unsafe-fixes", cl::cat(What),
                            cl::desc("also apply rewrites whose only gap is a named assumption")};
  cl::opt<bool> KeepGoing{"keep-going", cl::cat(What),
                          cl::desc("serve kernels that errors elsewhere in the file leave alone")};
  cl::list<std::string> Assume{"assume", cl::cat(What), cl::value_desc("LIST"), cl::CommaSeparated,
                               cl::desc("grant assumptions: no-alias, aligned16, block-size, "
                                        "uniform, co-resident, dynamic-shared; explain NAME says "
                                        "what one is")};

  cl::list<std::string> Arch{
      "arch", cl::cat(Target), cl::value_desc("LIST"), cl::CommaSeparated,
      cl::desc("sm_86,...; repeatable; default: from the flags, else sm_80")};
  cl::opt<std::string> CudaPath{
      "cuda-path", cl::cat(Target), cl::value_desc("DIR"),
      cl::desc("CUDA toolkit; 'none': only the bundled declarations; default: searched for")};
  cl::opt<std::string> BlockSize{"block-size", cl::cat(Target), cl::value_desc("X[xYxZ]"),
                                 cl::desc("threads per block, where the file does not tell")};
  cl::list<std::string> ExtraArg{"extra-arg", cl::cat(Target), cl::value_desc("ARG"),
                                 cl::desc("appended to Clang's command line as it is; repeatable")};
  cl::opt<std::string> BuildDir{
      "p", cl::cat(Target), cl::value_desc("DIR"),
      cl::desc("take the flags from DIR/compile_commands.json; without FILE, all its CUDA files")};
  cl::opt<std::string> Config{
      "config", cl::cat(Target), cl::value_desc("FILE"),
      cl::desc("read options as in .clang-tidy from FILE; 'none': from no file")};
  cl::opt<std::string> Cache{
      "cache", cl::cat(Target), cl::value_desc("DIR"),
      cl::desc("keep results in DIR; 'none': do not; default: in the folder of -p")};
  cl::opt<std::string> FileTimeout{"file-timeout", cl::cat(Target), cl::value_desc("SECONDS"),
                                   cl::desc("for the analysis of one file; default: 600"),
                                   cl::init("600")};
  cl::opt<bool> ProjectHeaders{"project-headers", cl::cat(Target),
                               cl::desc("check: look at the project's headers that FILE includes, "
                                        "too; as without FILE, and in launch")};
  cl::opt<std::string> CleanDatabase{
      "write-clang-database", cl::cat(Target), cl::value_desc("DIR"),
      cl::desc("write the database of -p for clang-tidy to DIR, and do nothing else")};

  cl::opt<std::string> OutputFile{"o", cl::cat(Output), cl::value_desc("FILE"),
                                  cl::desc("output file; '-': standard output")};
  cl::opt<std::string> OutputDir{"output-dir", cl::cat(Output), cl::value_desc("DIR"),
                                 cl::desc("folder of the output files; default: beside the input")};
  cl::opt<std::string> Suffix{"suffix", cl::cat(Output), cl::value_desc("TEXT"),
                              cl::desc("put in front of the extension; default: .pipelined"),
                              cl::init(".pipelined")};
  cl::opt<bool> InPlace{"i", cl::cat(Output), cl::desc("change the input file itself")};
  cl::opt<bool> Diff{"diff", cl::cat(Output),
                     cl::desc("show a unified diff, write no file; exit 1 if there is one")};
  cl::opt<std::string> ExportFixes{
      "export-fixes", cl::cat(Output), cl::value_desc("FILE"),
      cl::desc("write the changes for clang-apply-replacements, change nothing")};

  cl::opt<std::string> Format{
      "format", cl::cat(Report), cl::value_desc("FORMAT"),
      cl::desc("text (default), json, github, sarif or html; bench: text, json, markdown or html"),
      cl::init("text")};
  cl::list<std::string> ReportFiles{
      "report", cl::cat(Report), cl::value_desc("FILE"),
      cl::desc(
          "also write the report to FILE: .txt, .json, .html or .sarif (bench: .md); repeatable")};
  cl::opt<std::string> BenchReport{
      "bench-report", cl::cat(Report), cl::value_desc("FILE"),
      cl::desc("a JSON report of the command bench, to be shown with the loops")};
  cl::opt<std::string> Color{
      "color", cl::cat(Report), cl::value_desc("WHEN"),
      cl::desc("auto (default: on a terminal, unless NO_COLOR is set), always, never"),
      cl::init("auto")};
  cl::opt<bool> Quiet{"q", cl::cat(Report), cl::desc("no summary")};
  cl::opt<bool> Verbose{"v", cl::cat(Report),
                        cl::desc("more: all candidates, Clang's command line, dropped flags")};
  cl::opt<std::string> Jobs{"j",
                            cl::cat(Report),
                            cl::value_desc("N"),
                            cl::Prefix,
                            cl::desc("files analysed at the same time; default: 1"),
                            cl::init("1")};
  cl::opt<std::string> Progress{"progress", cl::cat(Report), cl::value_desc("WHEN"),
                                cl::desc("on standard error: auto (default), always, never"),
                                cl::init("auto")};
  cl::opt<std::string> DepFile{
      "depfile", cl::cat(Report), cl::value_desc("FILE"),
      cl::desc("write what the first --report depends on, as a rule of make")};
  cl::opt<std::string> DepFileTarget{"depfile-target", cl::cat(Report), cl::value_desc("NAME"),
                                     cl::desc("say in --depfile that NAME depends on it")};

  cl::opt<bool> ExitZero{"exit-zero", cl::cat(Gate), cl::desc("exit 0 where it would be 1")};
  cl::opt<std::string> FailOnWhat{
      "fail-on", cl::cat(Gate), cl::value_desc("WHAT"),
      cl::desc("exit 1 on: opportunity (default of check), refused, never (default of rewrite)")};

  cl::list<std::string> Verify{
      "verify", cl::cat(Verification), cl::value_desc("LIST"), cl::CommaSeparated,
      cl::desc("rewrite: write only what passes: compile, emulate, sass, gpu")};
  cl::opt<std::string> SelfCheck{"self-check", cl::cat(Verification), cl::value_desc("WHEN"),
                                 cl::desc("rewrite: run what is written against the original: on "
                                          "(default), off; require: write only what passes"),
                                 cl::init("on")};
  cl::opt<std::string> SelfCheckBudget{
      "self-check-budget", cl::cat(Verification), cl::value_desc("SECONDS"),
      cl::desc("for one file, at most; default: 60"), cl::init("60")};
  cl::opt<std::string> Inspect{
      "inspect",
      cl::cat(Verification),
      cl::value_desc("WHEN"),
      cl::ValueOptional,
      cl::desc("rewrite: ask nvcc for registers: auto (default: if it is there), on, off"),
      cl::init("auto")};
  cl::opt<std::string> Launch{"launch", cl::cat(Verification), cl::value_desc("FILE"),
                              cl::desc("how the kernels are launched; default: from the file")};
  cl::opt<std::string> EmitLaunch{
      "emit-launch", cl::cat(Verification), cl::ValueOptional, cl::value_desc("KIND"),
      cl::desc(
          "verify: print a launch description: found (default: of launches that are searched for), "
          "template (to be filled in, nothing is run)")};
  cl::opt<std::string> Batch{
      "batch", cl::cat(Verification), cl::value_desc("FILE"),
      cl::desc("verify: many pairs, a line OLD NEW [LAUNCH] of FILE for each; -j N at a time")};
  cl::opt<std::string> Engine{"engine", cl::cat(Verification), cl::value_desc("NAME"),
                              cl::desc("verify: emulate (default), sass or gpu"),
                              cl::init("emulate")};
  cl::opt<std::string> EmitHarness{
      "emit-harness", cl::cat(Verification), cl::value_desc("DIR"),
      cl::desc("verify, bench: write what runs on a GPU to DIR, to be run elsewhere")};
  cl::opt<std::string> FromResult{
      "from-result", cl::cat(Verification), cl::value_desc("FILE"),
      cl::desc("verify, bench: the result.json that such a harness wrote")};
  cl::list<std::string> Seeds{"seed", cl::cat(Verification), cl::value_desc("LIST"),
                              cl::CommaSeparated, cl::desc("of the random data; default: 1,2")};
  cl::opt<std::string> Runs{"runs", cl::cat(Verification), cl::value_desc("N"),
                            cl::desc("1..8: schedules per case and seed; default: 4"),
                            cl::init("4")};
  cl::opt<std::string> AllData{
      "all-data", cl::cat(Verification), cl::value_desc("WHEN"),
      cl::desc("on (default), off: whether a pass holds for all data is not looked at"),
      cl::init("on")};
  cl::opt<std::string> Timeout{"timeout", cl::cat(Verification), cl::value_desc("SECONDS"),
                               cl::desc("per kernel; default: 60"), cl::init("60")};

  cl::list<std::string> Variants{"variants", cl::cat(Bench), cl::value_desc("LIST"),
                                 cl::CommaSeparated,
                                 cl::desc("rewrite OLD, and time these, too: all (default with one "
                                          "file), cp-async, ldg, ldg-single")};
  cl::opt<std::string> Rounds{
      "rounds", cl::cat(Bench), cl::value_desc("N"),
      cl::desc("of timing; default: until the ratios are known well enough")};
  cl::opt<std::string> TimeLimit{"time-limit", cl::cat(Bench), cl::value_desc("SECONDS"),
                                 cl::desc("of timing, for each case; default: 4")};
  cl::opt<bool> Cold{"cold", cl::cat(Bench),
                     cl::desc("overwrite the L2 cache before every launch")};
  cl::opt<bool> Ncu{"ncu", cl::cat(Bench), cl::desc("ask Nsight Compute what the warps wait for")};
  cl::opt<bool> NoAblation{"no-ablation", cl::cat(Bench),
                           cl::desc("do not time the loads alone and the compute alone")};

  cl::opt<std::string> Print{"print", cl::cat(Debug), cl::value_desc("STEP"),
                             cl::desc("show one step and write nothing: matchers (for clang-query; "
                                      "of no file), loops, tiles, maps, "
                                      "legality, budget, plan or edits")};
  // For the tests of legality: writes code that need not be sound.
  cl::opt<bool> EmitRefused{"emit-refused", cl::cat(Debug), cl::Hidden};
  cl::opt<bool> Help{"help", cl::cat(Debug), cl::desc("this text")};
  cl::alias HelpShort{"h", cl::cat(Debug), cl::aliasopt(Help), cl::Hidden};
  cl::opt<bool> Version{"version", cl::cat(Debug), cl::desc("the version")};

  cl::list<std::string> Inputs{cl::Positional, cl::cat(What), cl::value_desc("FILE")};

  struct Group {
    const cl::OptionCategory *Category;
    std::vector<std::reference_wrapper<cl::Option>> Members; // cl::list overloads operator&
  };
  /// Every option whose value is a path. One that is not here could overwrite a file that another
  /// one names.
  struct PathOption {
    std::reference_wrapper<const cl::Option> Option;
    PathRole Role;
    std::vector<std::string> Values;
  };
  std::vector<PathOption> paths() const {
    return {{CudaPath, PathRole::ReadsIn, {CudaPath}},
            {BuildDir, PathRole::Reads, {databaseFile(BuildDir)}},
            {Config, PathRole::Reads, {Config}},
            {Cache, PathRole::WritesIn, {Cache}},
            {CleanDatabase, PathRole::WritesIn, {CleanDatabase}},
            {OutputFile, PathRole::Writes, {OutputFile}},
            {OutputDir, PathRole::WritesIn, {OutputDir}},
            {ExportFixes, PathRole::Writes, {ExportFixes}},
            {ReportFiles, PathRole::Writes, {ReportFiles.begin(), ReportFiles.end()}},
            {BenchReport, PathRole::Reads, {BenchReport}},
            {DepFile, PathRole::Writes, {DepFile}},
            {Launch, PathRole::Reads, {Launch}},
            {Batch, PathRole::Reads, {Batch}},
            {EmitHarness, PathRole::WritesIn, {EmitHarness}},
            {FromResult, PathRole::Reads, {FromResult}}};
  }
  std::vector<Group> groups() {
    return {
        {&What,
         {Variant, Stages, Width, Layout, MinGain, Kernel, Lines, UnsafeFixes, KeepGoing, Assume}},
        {&Target,
         {Arch, CudaPath, BlockSize, ExtraArg, BuildDir, Config, Cache, FileTimeout, ProjectHeaders,
          CleanDatabase}},
        {&Output, {OutputFile, OutputDir, Suffix, InPlace, Diff, ExportFixes}},
        {&Report,
         {Format, ReportFiles, BenchReport, Color, Quiet, Verbose, Jobs, Progress, DepFile,
          DepFileTarget}},
        {&Gate, {ExitZero, FailOnWhat}},
        {&Verification,
         {SelfCheck, SelfCheckBudget, Verify, Inspect, Launch, EmitLaunch, Batch, Engine,
          EmitHarness, FromResult, Seeds, Runs, AllData, Timeout}},
        {&Bench, {Variants, Rounds, TimeLimit, Cold, Ncu, NoAblation}},
        {&Debug, {Print, Help, Version}}};
  }
};

/// The one instance. LLVM and Clang register several hundred options of their own when their
/// libraries are loaded, some under names that are ours (`color`, `stats`, `help`); a mistyped
/// option would be "corrected" to one of them. None of them is for our users, so all are dropped
/// first. The empty parse makes LLVM create its common ones (--help, --version), which it otherwise
/// adds at the first real parse.
Options &options() {
  static Options &Instance = []() -> Options & {
    const char *Argv[] = {ToolName.data()};
    cl::ParseCommandLineOptions(1, Argv, "", &nulls());
    cl::ResetCommandLineParser();
    auto *O = new Options; // LLVM's registry points into it until the process ends
    for (const Options::Group &G : O->groups())
      for (const cl::Option &Opt : G.Members)
        if ((Opt.ValueStr == "FILE" || Opt.ValueStr == "DIR") &&
            none_of(O->paths(),
                    [&](const Options::PathOption &P) { return &P.Option.get() == &Opt; }))
          report_fatal_error("--" + Twine(Opt.ArgStr) +
                             " takes a path, and Options::paths() does not have it");
    return *O;
  }();
  return Instance;
}

/// Collects the first problem; the rest of the parsing goes on harmlessly.
class Reader {
public:
  explicit Reader(raw_ostream &Errs) : Errs(Errs) {}

  void fail(const Twine &Message) {
    if (!Failed)
      errorLine(Errs) << Message << '\n';
    Failed = true;
  }
  /// A value of the design that is not built yet.
  void notYet(const Twine &What) { fail(What + " is not available yet"); }

  bool failed() const { return Failed; }

private:
  raw_ostream &Errs;
  bool Failed = false;
};

} // namespace

/// Decimal digits only: no sign, no base prefix.
static bool parseNumber(StringRef S, unsigned &Value) {
  return !S.empty() && all_of(S, isDigit) && !S.getAsInteger(10, Value);
}

std::string databaseFile(StringRef BuildDir) {
  if (BuildDir.empty() || sys::path::extension(BuildDir) == ".json")
    return BuildDir.str();
  SmallString<256> File(BuildDir);
  sys::path::append(File, "compile_commands.json");
  return std::string(File);
}

static void readPaths(const Options &O, Invocation &I) {
  for (const Options::PathOption &P : O.paths())
    for (const std::string &Path : P.Values) {
      const cl::Option &Option = P.Option;
      const bool IsWord =
          (&Option == &O.OutputFile && Path == "-") ||
          ((&Option == &O.Config || &Option == &O.Cache || &Option == &O.CudaPath) &&
           Path == "none");
      if (!Path.empty() && !IsWord)
        I.Paths.push_back(
            {((Option.ArgStr.size() == 1 ? "-" : "--") + Option.ArgStr).str(), Path, P.Role});
    }
}

/// `--NAME=VALUE` of an option that clang-tidy's configuration has, too.
static void setOption(Invocation &I, Reader &R, StringRef Name, StringRef Value) {
  if (Error E = cuda_pipeline::setOption(I.Rewrite, Name, Value))
    R.fail("--" + Name + "=" + Value + ": " + toString(std::move(E)));
}

static void readWhat(Options &O, Invocation &I, Reader &R) {
  StringRef Name = O.Variant;
  if (Name == "bulk")
    R.notYet("--variant=" + Name);
  else if (Name == "each" && I.Cmd == Command::Rewrite)
    I.EachVariant = true;
  else if (Name == "each")
    R.fail("--variant=each belongs to rewrite");
  else
    setOption(I, R, "variant", Name);
  if (I.EachVariant && StringRef(O.Stages).contains(','))
    for (StringRef Number : split(O.Stages, ',')) {
      setOption(I, R, "stages", Number);
      if (!I.Rewrite.RequestedStages || is_contained(I.EachStages, *I.Rewrite.RequestedStages))
        R.fail("--stages=" + O.Stages + ": expected numbers from 2 to 8, each of them once");
      else
        I.EachStages.push_back(*I.Rewrite.RequestedStages);
    }
  else
    setOption(I, R, "stages", O.Stages);
  if (std::string Why = stagesAgainstVariant(I.Rewrite); !Why.empty() && I.Cmd != Command::Bench)
    R.fail("--variant=" + Name + " and --stages=" + O.Stages + " exclude each other: " + Why);
  setOption(I, R, "width", O.Width);
  if (O.Layout == "swizzle")
    R.notYet("--layout=" + O.Layout);
  else
    setOption(I, R, "layout", O.Layout);
  if (O.MinGain.getNumOccurrences())
    setOption(I, R, "min-gain", O.MinGain);

  I.Rewrite.KernelRegex = O.Kernel;
  std::string Why;
  if (!O.Kernel.empty() && !Regex(O.Kernel).isValid(Why))
    R.fail("--kernel=" + O.Kernel + ": " + Why);

  for (StringRef Range : O.Lines) {
    auto [First, Last] = Range.split(':');
    LineRange L;
    if (!parseNumber(First, L.First) || !parseNumber(Last, L.Last) || L.First == 0 ||
        L.First > L.Last)
      R.fail("--lines=" + Range + ": expected A:B with 1 <= A <= B");
    else
      I.Rewrite.Lines.push_back(L);
  }

  I.Rewrite.UnsafeFixes = O.UnsafeFixes;
  I.Rewrite.KeepGoing = O.KeepGoing;
  for (StringRef A : O.Assume)
    setOption(I, R, "assume", A);
  if (O.UnsafeFixes) // each is named where it was needed
    for (const AssumptionInfo &A : allAssumptions())
      if (A.How == AssumptionInfo::Granted)
        I.Rewrite.Assumptions.insert(A.Id);
}

static void readTarget(Options &O, Invocation &I, Reader &R) {
  for (StringRef A : O.Arch)
    setOption(I, R, "arch", A);
  if (O.CudaPath.getNumOccurrences() && O.CudaPath.empty())
    R.fail("--cuda-path needs a folder, or 'none'");
  I.CudaPath = O.CudaPath;

  if (O.BlockSize.getNumOccurrences())
    setOption(I, R, "block-size", O.BlockSize);
  I.ExtraArgs.assign(O.ExtraArg.begin(), O.ExtraArg.end());
  I.BuildDir = O.BuildDir;
  if (O.Config.getNumOccurrences() && O.Config.empty())
    R.fail("--config needs a file, or 'none'");
  I.NoConfig = O.Config == "none";
  if (!I.NoConfig)
    I.ConfigFile = O.Config;
  const struct {
    const cl::Option &Ours;
    const char *Check;
  } Known[] = {{O.Variant, "Variant"},
               {O.Stages, "Stages"},
               {O.Arch, "Arch"},
               {O.BlockSize, "BlockSize"},
               {O.MinGain, "MinGain"}};
  for (const auto &K : Known) // what --assume grants is added to that of the file
    if (K.Ours.getNumOccurrences())
      I.Given.insert(K.Check);
  I.WithHeaders = O.ProjectHeaders;
  if (I.WithHeaders && I.Cmd != Command::Check)
    R.fail("--project-headers is for check; name the headers that are to be rewritten");
  I.WholeProject = !I.BuildDir.empty() && I.Inputs.empty() &&
                   (I.Cmd == Command::Check || I.Cmd == Command::Rewrite);

  if (O.Cache.getNumOccurrences() && O.Cache.empty())
    R.fail("--cache needs a folder, or 'none'");
  if (O.Cache.getNumOccurrences()) {
    I.CacheDir = O.Cache == "none" ? std::string() : O.Cache.getValue();
    I.KeepsPreludes = O.Cache != "none";
  } else if (!I.BuildDir.empty()) {
    // A folder of things that can be made again.
    SmallString<256> Dir(I.BuildDir);
    if (sys::path::extension(Dir) == ".json")
      sys::path::remove_filename(Dir);
    sys::path::append(Dir, ".cuda-pipeline-cache");
    I.CacheDir = std::string(Dir);
  }
  if (!parseNumber(O.FileTimeout, I.FileTimeout) || I.FileTimeout == 0 || I.FileTimeout > 1000000)
    R.fail("--file-timeout=" + O.FileTimeout + ": expected a number of seconds, at least 1");

  if (O.CleanDatabase.getNumOccurrences()) {
    I.CleanDatabaseDir = O.CleanDatabase;
    if (I.CleanDatabaseDir.empty())
      R.fail("--write-clang-database needs a folder");
    if (I.BuildDir.empty())
      R.fail("--write-clang-database needs -p");
    if (!I.Inputs.empty() || I.Cmd != Command::Rewrite)
      R.fail("--write-clang-database takes no file and no command: it writes all of the database");
  }
  if (!I.BuildDir.empty() && !I.CompilerFlags.empty())
    R.fail("the flags come either from -p or from after '--', not from both");
}

static void readOutput(Options &O, Invocation &I, Reader &R) {
  if (O.ExportFixes.getNumOccurrences() && O.ExportFixes.empty())
    R.fail("--export-fixes needs a file name");
  I.ExportFixes = O.ExportFixes;
  if (O.OutputFile.getNumOccurrences() && O.OutputFile.empty())
    R.fail("-o needs a file name");
  if (O.OutputDir.getNumOccurrences() && O.OutputDir.empty())
    R.fail("--output-dir needs a folder");
  I.Output = O.OutputFile;
  I.OutputDir = O.OutputDir;
  I.Suffix = O.Suffix;
  I.InPlace = O.InPlace;
  I.Diff = O.Diff;

  // Where the result goes is said once.
  SmallVector<StringRef, 4> Ways;
  if (!I.Output.empty())
    Ways.push_back("-o");
  if (!I.OutputDir.empty())
    Ways.push_back("--output-dir");
  if (I.InPlace)
    Ways.push_back("-i");
  if (I.Diff)
    Ways.push_back("--diff");
  if (!I.ExportFixes.empty() && I.Cmd != Command::Check)
    Ways.push_back("--export-fixes");
  if (I.Rewrite.Print != PrintStep::None)
    Ways.push_back("--print");
  if (Ways.size() > 1)
    R.fail(Ways[0] + " and " + Ways[1] + " exclude each other");
  if (I.EachVariant) {
    for (StringRef Way : Ways)
      if (Way != "--output-dir")
        R.fail("--variant=each writes a file for each variant; " + Way + " has no meaning there");
    if (O.Suffix.getNumOccurrences())
      R.fail("--variant=each names the files by their variants; --suffix has no meaning there");
  }
  if (O.Suffix.getNumOccurrences() && (!I.Output.empty() || I.InPlace))
    R.fail("--suffix has no meaning with " + Ways[0]);
  if (I.Suffix.empty() && I.OutputDir.empty())
    R.fail("an empty --suffix would name the input itself; use -i to change it");
  if (I.Suffix.find_first_of("/\\") != std::string::npos)
    R.fail("--suffix=" + I.Suffix + ": not part of a file name");
  if (I.Cmd == Command::Verify || I.Cmd == Command::Bench) {
    if (I.Cmd == Command::Verify)
      erase(Ways, "-o"); // of --emit-launch
    if (!Ways.empty())
      R.fail((I.Cmd == Command::Verify ? "verify" : "bench") +
             Twine(" writes no rewritten file; ") + Ways[0] + " has no meaning there");
  }
  if (I.Cmd == Command::Launch && !I.ExportFixes.empty())
    R.fail("launch only reports; --export-fixes has no meaning there"); // many of them at a time
                                                                        // would write it
  if (I.Cmd == Command::Check || I.Cmd == Command::Launch) {
    if (O.Suffix.getNumOccurrences())
      Ways.push_back("--suffix");
    erase(Ways, "--print");
    if (!Ways.empty())
      R.fail((I.Cmd == Command::Check ? "check" : "launch") + Twine(" writes no rewritten file; ") +
             Ways[0] + " has no meaning there");
  }
  if (!I.Output.empty() && I.WholeProject)
    R.fail("-o takes one input file, not all of a database; use --output-dir");
  if (!I.Output.empty() && I.Inputs.size() > 1 && I.Cmd != Command::Verify &&
      I.Cmd != Command::Bench)
    R.fail("-o takes one input file, not " + Twine(I.Inputs.size()) + "; use --output-dir");
}

static std::optional<ReportFormat> readFormat(StringRef Name) {
  return StringSwitch<std::optional<ReportFormat>>(Name)
      .Case("text", ReportFormat::Text)
      .Case("json", ReportFormat::Json)
      .Case("github", ReportFormat::Github)
      .Case("sarif", ReportFormat::Sarif)
      .Case("markdown", ReportFormat::Markdown)
      .Case("html", ReportFormat::Html)
      .Default(std::nullopt);
}

static void readReport(Options &O, Invocation &I, Reader &R) {
  StringRef Format = O.Format;
  if (std::optional<ReportFormat> F = readFormat(Format))
    I.Format = *F;
  else
    R.fail("--format=" + Format + ": expected " +
           (I.Cmd == Command::Bench ? "text, json, markdown or html"
                                    : "text, json, github, sarif or html"));
  if (I.Format == ReportFormat::Markdown && I.Cmd != Command::Bench)
    R.fail("--format=markdown belongs to the command bench");

  for (StringRef Path : O.ReportFiles) {
    StringRef Suffix = sys::path::extension(Path);
    if (Suffix == ".html")
      I.Reports.push_back({Path.str(), ReportFormat::Html});
    else if (Suffix == ".json")
      I.Reports.push_back({Path.str(), ReportFormat::Json});
    else if (Suffix == ".sarif")
      I.Reports.push_back({Path.str(), ReportFormat::Sarif});
    else if (Suffix == ".txt")
      I.Reports.push_back({Path.str(), ReportFormat::Text});
    else if (Suffix == ".md" && I.Cmd == Command::Bench)
      I.Reports.push_back({Path.str(), ReportFormat::Markdown});
    else
      R.fail("--report=" + Path + ": the suffix gives the format: .txt, .json, .html or " +
             (I.Cmd == Command::Bench ? ".md" : ".sarif"));
  }
  if (O.Progress == "always")
    I.Progress = ProgressKind::Always;
  else if (O.Progress == "never")
    I.Progress = ProgressKind::Never;
  else if (O.Progress != "auto")
    R.fail("--progress=" + O.Progress + ": expected auto, always or never");
  if (O.Color == "always" || O.Color == "never")
    I.Color = O.Color == "always";
  else if (O.Color != "auto")
    R.fail("--color=" + O.Color + ": expected auto, always or never");
  I.BenchReport = O.BenchReport;
  if (O.BenchReport.getNumOccurrences()) {
    if (I.BenchReport.empty())
      R.fail("--bench-report needs a file name");
    else if (I.Cmd != Command::Rewrite && I.Cmd != Command::Check)
      R.fail("--bench-report belongs to rewrite and check");
  }
  I.DepFile = O.DepFile;
  I.DepFileTarget = O.DepFileTarget;
  if (I.DepFileTarget.empty() && !I.Reports.empty())
    I.DepFileTarget = I.Reports.front().Path;
  if (O.DepFile.getNumOccurrences() && (I.DepFile.empty() || I.DepFileTarget.empty()))
    R.fail("--depfile needs a file name, and a --report=FILE or --depfile-target=NAME that depends "
           "on what it lists");
  if (O.DepFileTarget.getNumOccurrences() && I.DepFile.empty())
    R.fail("--depfile-target has no meaning without --depfile");
  if (!I.DepFile.empty() && I.Cmd != Command::Rewrite && I.Cmd != Command::Check)
    R.fail("--depfile belongs to rewrite and check");
  if (!I.Reports.empty() && (I.Cmd == Command::Explain || I.Cmd == Command::Rules))
    R.fail("--report has no meaning with explain and rules");
  I.Quiet = O.Quiet || I.Cmd == Command::Launch;
  I.Verbose = O.Verbose;
  if (O.Quiet && I.Verbose)
    R.fail("-q and -v exclude each other");
  if (I.EachVariant &&
      (I.Format == ReportFormat::Html ||
       any_of(I.Reports, [](const ReportFile &F) { return F.Format == ReportFormat::Html; })))
    R.fail("a page shows one version beside the original; with --variant=each there are several");
  if (!parseNumber(O.Jobs, I.Jobs) || I.Jobs == 0 || I.Jobs > 1024)
    R.fail("-j " + O.Jobs + ": expected a number of files, at least 1");
}

static void readGate(Options &O, Invocation &I, Reader &R) {
  I.ExitZero = O.ExitZero;
  I.Gate = I.Cmd == Command::Check ? FailOn::Opportunity : FailOn::Never;
  if (!O.FailOnWhat.getNumOccurrences())
    return;
  if (O.FailOnWhat == "never")
    I.Gate = FailOn::Never;
  else if (O.FailOnWhat == "opportunity")
    I.Gate = FailOn::Opportunity;
  else if (O.FailOnWhat == "refused")
    I.Gate = FailOn::Refused;
  else
    R.fail("--fail-on=" + O.FailOnWhat + ": expected opportunity, refused or never");
}

static void readVerification(Options &O, Invocation &I, Reader &R) {
  const bool Bench = I.Cmd == Command::Bench, Command = I.Cmd == Command::Verify;
  for (StringRef How : O.Verify) {
    if (How == "emulate")
      I.VerifyEmulate = true;
    else if (How == "gpu")
      I.VerifyGpu = true;
    else if (How == "sass")
      I.VerifySass = true;
    else if (How == "compile")
      I.VerifyCompile = true;
    else
      R.fail("--verify=" + How + ": expected compile, emulate, sass or gpu");
  }
  if (!O.Verify.empty() && I.Cmd != Command::Rewrite)
    R.fail("--verify belongs to rewrite; the command verify has --engine");
  if (O.Inspect == "on" || O.Inspect.getValue().empty())
    I.Inspect = InspectKind::On;
  else if (O.Inspect == "off")
    I.Inspect = InspectKind::Off;
  else if (O.Inspect != "auto")
    R.fail("--inspect=" + O.Inspect + ": expected auto, on or off");
  if (O.Inspect.getNumOccurrences() && I.Cmd != cuda_pipeline::Command::Rewrite)
    R.fail("--inspect belongs to rewrite");
  if (I.Cmd == cuda_pipeline::Command::Rewrite)
    I.Rewrite.SelfCheck = SelfCheckMode::On;
  if (O.SelfCheck == "off")
    I.Rewrite.SelfCheck = SelfCheckMode::Off;
  else if (O.SelfCheck == "require")
    I.Rewrite.SelfCheck = SelfCheckMode::Require;
  else if (O.SelfCheck != "on")
    R.fail("--self-check=" + O.SelfCheck + ": expected on, off or require");
  unsigned Budget = 0;
  if (!parseNumber(O.SelfCheckBudget, Budget) || Budget == 0 || Budget > 1000000)
    R.fail("--self-check-budget=" + O.SelfCheckBudget +
           ": expected a number of seconds, at least 1");
  I.Rewrite.SelfCheckSeconds = Budget;
  for (const cl::Option *Option :
       std::initializer_list<const cl::Option *>{&O.SelfCheck, &O.SelfCheckBudget})
    if (Option->getNumOccurrences() && I.Cmd != cuda_pipeline::Command::Rewrite)
      R.fail("--" + Option->ArgStr + " belongs to rewrite");
  if (O.SelfCheckBudget.getNumOccurrences() && I.Rewrite.SelfCheck == SelfCheckMode::Off)
    R.fail("--self-check-budget has no meaning with --self-check=off");
  if (O.Engine != "emulate" && O.Engine != "gpu" && O.Engine != "sass")
    R.fail("--engine=" + O.Engine + ": expected emulate, sass or gpu");
  I.EmitHarness = O.EmitHarness;
  I.FromResult = O.FromResult;
  if (O.EmitHarness.getNumOccurrences() && O.EmitHarness.empty())
    R.fail("--emit-harness needs a folder");
  if (O.FromResult.getNumOccurrences() && O.FromResult.empty())
    R.fail("--from-result needs a file");
  if (Command) {
    // The harness and its result are the GPU's by nature.
    bool Gpu = O.Engine == "gpu" || !I.EmitHarness.empty() || !I.FromResult.empty();
    if (Gpu && O.Engine.getNumOccurrences() && O.Engine != "gpu")
      R.fail("--emit-harness and --from-result belong to --engine=gpu");
    (Gpu ? I.VerifyGpu : O.Engine == "sass" ? I.VerifySass : I.VerifyEmulate) = true;
  }
  if (!I.EmitHarness.empty() && !I.FromResult.empty())
    R.fail("--emit-harness and --from-result exclude each other");

  I.LaunchFile = O.Launch;
  if (O.Launch.getNumOccurrences() && O.Launch.empty())
    R.fail("--launch needs a file name");
  I.EmitLaunch = O.EmitLaunch.getNumOccurrences() != 0;
  I.EmitTemplate = O.EmitLaunch == "template";
  if (!O.EmitLaunch.empty() && O.EmitLaunch != "found" && !I.EmitTemplate)
    R.fail("--emit-launch=" + O.EmitLaunch + ": expected found or template");
  I.BatchFile = O.Batch;
  if (O.Batch.getNumOccurrences()) {
    if (!Command)
      R.fail("--batch belongs to the command verify");
    else if (O.Batch.empty())
      R.fail("--batch needs a file name");
    else if (I.VerifySass)
      R.fail("--batch runs the pairs; --engine=sass, which runs nothing, is for one pair");
    else if (!I.LaunchFile.empty() || I.EmitLaunch || !I.EmitHarness.empty() ||
             !I.FromResult.empty())
      R.fail("--batch names the pairs and their descriptions in its file; --launch, --emit-launch, "
             "--emit-harness and --from-result are for one pair");
  }
  if (O.Seeds.getNumOccurrences())
    I.Verify.Seeds.clear();
  for (StringRef S : O.Seeds) {
    uint64_t Seed;
    if (S.empty() || !all_of(S, isDigit) || S.getAsInteger(10, Seed) || Seed > 1000000000)
      R.fail("--seed=" + S + ": expected numbers from 0 to 1000000000");
    else
      I.Verify.Seeds.push_back(Seed);
  }
  if (!parseNumber(O.Runs, I.Verify.Runs) || I.Verify.Runs < 1 || I.Verify.Runs > 8)
    R.fail("--runs=" + O.Runs + ": expected a number from 1 to 8");
  if (O.AllData != "on" && O.AllData != "off")
    R.fail("--all-data=" + O.AllData + ": expected on or off");
  // A text says it of launches that are found; of described ones, and then as often, JSON alone.
  I.Verify.DataOfFound = O.AllData == "on";
  I.Verify.DataOfDescribed =
      O.AllData == "on" &&
      (I.Format == ReportFormat::Json ||
       any_of(I.Reports, [](const ReportFile &F) { return F.Format == ReportFormat::Json; }));
  unsigned Seconds = 0;
  if (!parseNumber(O.Timeout, Seconds) || Seconds == 0 || Seconds > 1000000)
    R.fail("--timeout=" + O.Timeout + ": expected a number of seconds, at least 1");
  I.Verify.TimeoutSeconds = Seconds;

  // One of a configuration file is there for all commands, and is heard by those that it means.
  if (is_contained(O.Assume, "in-bounds") && !I.VerifyEmulate)
    R.fail("--assume=in-bounds is for the emulator (verify, and rewrite --verify=emulate): no "
           "rewrite reads more than the original");

  // Options that would be passed over in silence.
  bool Meaningless =
      !Command && !I.VerifyEmulate && !I.VerifyGpu && !I.VerifySass && !I.VerifyCompile;
  for (const cl::Option *Option :
       std::initializer_list<const cl::Option *>{&O.Engine, &O.EmitLaunch})
    if (!Command && Option->getNumOccurrences())
      R.fail("--" + Option->ArgStr + " belongs to the command verify");
  for (const cl::Option *Option :
       std::initializer_list<const cl::Option *>{&O.EmitHarness, &O.FromResult})
    if (!Command && !Bench && Option->getNumOccurrences())
      R.fail("--" + Option->ArgStr + " belongs to the commands verify and bench");
  if (Command && I.VerifySass)
    for (auto [Name, Given] : {std::pair("seed", O.Seeds.getNumOccurrences()),
                               std::pair("runs", O.Runs.getNumOccurrences()),
                               std::pair("all-data", O.AllData.getNumOccurrences()),
                               std::pair("timeout", O.Timeout.getNumOccurrences())})
      if (Given)
        R.fail(Twine("--") + Name + " has no meaning with --engine=sass, which runs nothing");
  if (Bench && O.Runs.getNumOccurrences())
    R.fail("--runs is about the emulator; bench has --rounds");
  if (Bench && O.AllData.getNumOccurrences())
    R.fail("--all-data is about the emulator");
  if (Meaningless && !Bench)
    for (const cl::Option *Option :
         std::initializer_list<const cl::Option *>{&O.Launch, &O.Runs, &O.AllData, &O.Timeout})
      if (Option->getNumOccurrences())
        R.fail("--" + Option->ArgStr + " has no meaning without verification");
}

static void readBench(Options &O, Invocation &I, Reader &R) {
  if (I.Cmd != Command::Bench) {
    for (const cl::Option *Option : std::initializer_list<const cl::Option *>{
             std::addressof(O.Variants), &O.Rounds, &O.TimeLimit, &O.Cold, &O.Ncu, &O.NoAblation})
      if (Option->getNumOccurrences())
        R.fail("--" + Option->ArgStr + " belongs to the command bench");
    return;
  }
  I.MakeVariants = I.Inputs.size() == 1 || O.Variants.getNumOccurrences();
  for (StringRef Name : O.Variants)
    if (std::optional<Variant> V = variantFromString(Name))
      I.Variants.push_back(*V);
    else if (Name != "all" || O.Variants.size() > 1)
      R.fail("--variants=" + Name +
             ": expected all, or a list of cp-async, ldg, "
             "ldg-single and mixed");
  if (O.Stages.getNumOccurrences() && !I.Variants.empty() &&
      !is_contained(I.Variants, Variant::CpAsync))
    R.fail("--stages is about cp-async, which --variants does not name");
  if (O.Variant.getNumOccurrences())
    R.fail("--variant names one way to rewrite; bench has --variants=LIST");
  if (O.Rounds.getNumOccurrences() &&
      (!parseNumber(O.Rounds, I.Bench.Rounds) || I.Bench.Rounds < 3 || I.Bench.Rounds > 100000))
    R.fail("--rounds=" + O.Rounds + ": expected a number, at least 3");
  unsigned Seconds = 0;
  if (O.TimeLimit.getNumOccurrences() &&
      (!parseNumber(O.TimeLimit, Seconds) || Seconds == 0 || Seconds > 100000))
    R.fail("--time-limit=" + O.TimeLimit + ": expected a number of seconds, at least 1");
  if (Seconds)
    I.Bench.TimeLimitSeconds = Seconds;
  I.Bench.Cold = O.Cold;
  I.Bench.Ncu = O.Ncu;
  I.Ablate = !O.NoAblation;
  if (I.Format == ReportFormat::Github || I.Format == ReportFormat::Sarif)
    R.fail("--format=" + O.Format + " has no meaning with bench");
  if (any_of(I.Reports, [](const ReportFile &F) { return F.Format == ReportFormat::Sarif; }))
    R.fail("a SARIF report has no meaning with bench");
  if (I.Rewrite.Archs.size() > 1)
    R.fail("bench takes one --arch");
  if (I.Inputs.empty())
    R.fail("bench takes the old version and the new ones, or one file that it rewrites itself");
}

static void readPrint(Options &O, Invocation &I, Reader &R) {
  if (!O.Print.getNumOccurrences())
    return;
  if (O.Print == "matchers")
    return R.fail("--print=matchers belongs to rewrite and check");
  I.Rewrite.Print = StringSwitch<PrintStep>(O.Print)
                        .Case("loops", PrintStep::Loops)
                        .Case("tiles", PrintStep::Tiles)
                        .Case("maps", PrintStep::Maps)
                        .Case("legality", PrintStep::Legality)
                        .Case("width", PrintStep::Width)
                        .Case("layout", PrintStep::Layout)
                        .Case("budget", PrintStep::Budget)
                        .Case("plan", PrintStep::Plan)
                        .Case("edits", PrintStep::Edits)
                        .Default(PrintStep::None);
  if (I.Rewrite.Print == PrintStep::None)
    R.fail(
        "--print=" + O.Print +
        ": expected matchers, loops, tiles, maps, legality, width, layout, budget, plan or edits");
}

/// Asked for by name, and never in place of the input.
static void readEmitRefused(Options &O, Invocation &I, Reader &R) {
  I.Rewrite.EmitRefused = O.EmitRefused;
  if (!O.EmitRefused)
    return;
  if (I.Cmd != Command::Rewrite)
    R.fail("--emit-refused has a meaning with rewrite only");
  if (!I.Rewrite.RequestedVariant)
    R.fail("--emit-refused needs --variant");
  if (I.InPlace)
    R.fail("--emit-refused never changes the input");
}

static bool isReserved(StringRef Word) { return Word == "tune"; }

/// LLVM's messages, in one line each and in our form. A missing or superfluous value it has already
/// reported itself, in a line of its own; then \p Problem is empty.
static void explainProblem(Options &O, StringRef Problem, Reader &R) {
  Problem = Problem.trim().split('\n').first;
  Problem.consume_front((ToolName + ": ").str());
  if (Problem.empty())
    return;
  StringRef Spelled = Problem.split('\'').second.split('\'').first;
  if (!Problem.starts_with("Unknown command line argument"))
    return R.fail(Problem + "; see --help");

  // What only a compiler knows stands on the wrong side.
  static constexpr StringLiteral OfCompilers[] = {"-I",
                                                  "-D",
                                                  "-U",
                                                  "-std",
                                                  "-isystem",
                                                  "-iquote",
                                                  "-include",
                                                  "-O",
                                                  "-g",
                                                  "-m",
                                                  "-f",
                                                  "-W",
                                                  "-c",
                                                  "-l",
                                                  "-L",
                                                  "-M",
                                                  "-x",
                                                  "-X",
                                                  "-rdc",
                                                  "-dc",
                                                  "-ccbin",
                                                  "-code",
                                                  "-use_fast_math",
                                                  "--use_fast_math",
                                                  "--expt-",
                                                  "--generate-",
                                                  "--gpu-",
                                                  "--std",
                                                  "--include-path",
                                                  "--define-macro",
                                                  "--compiler-options"};
  if (any_of(OfCompilers,
             [&](StringRef Begin) {
               return Spelled.starts_with(Begin) &&
                      (Begin.size() > 2 || Spelled.size() == 2 || Begin.front() == '-');
             }) &&
      !Spelled.starts_with("--no-"))
    return R.fail("unknown option '" + Spelled +
                  "'; the compiler's flags stand at the end, behind '--': FILE -- " + Spelled +
                  " ...");

  // LLVM suggests the nearest of all options, however far away; more than two edits are no typo.
  StringRef Name = Spelled.ltrim('-').split('=').first, Nearest;
  unsigned Best = 3;
  for (const Options::Group &G : O.groups())
    for (const cl::Option &Opt : G.Members) {
      unsigned Distance = Name.edit_distance(Opt.ArgStr, /*AllowReplacements=*/true, Best);
      if (Distance < Best && Distance < Name.size()) {
        Best = Distance;
        Nearest = Opt.ArgStr;
      }
    }
  if (Nearest.empty())
    return R.fail("unknown option '" + Spelled +
                  "'; see --help, and give the compiler's flags at the end, behind '--'");
  R.fail("unknown option '" + Spelled + "'; did you mean '" + (Nearest.size() == 1 ? "-" : "--") +
         Nearest + "'?");
}

/// LLVM repeats the value of a flag that takes none as it is, to the terminal.
/// An option that may have a value (--inspect=off) names it in its help; a flag has nothing to
/// name.
static void checkFlags(ArrayRef<const char *> Args, Reader &R) {
  const auto &Known = cl::getRegisteredOptions();
  for (size_t A = 0; A != Args.size(); ++A) {
    const StringRef Word = Args[A];
    if (!Word.starts_with("-"))
      continue;
    const auto [Name, Value] = Word.ltrim('-').split('=');
    auto It = Known.find(Name);
    if (It == Known.end())
      continue;
    if (It->second->getValueExpectedFlag() == cl::ValueRequired)
      A += Word.contains('=') ? 0 : A + 1 != Args.size() ? 1 : 0;
    else if (Word.contains('=') && It->second->ValueStr.empty() &&
             !is_contained(ArrayRef<StringRef>{"true", "false", "1", "0"}, Value))
      R.fail(Word + ": " + Word.take_front(Word.find('=')) + " takes no value");
  }
}

/// What makes the result; not what is said about it, and where.
/// The options are registered.
static std::vector<std::string> wordsThatMatter(ArrayRef<const char *> Args) {
  static const StringSet<> Skipped = {
      "report", "bench-report", "format",   "emit-harness", "from-result", "quiet", "q", "verbose",
      "v",      "color",        "progress", "exit-zero",    "depfile",     "o"};
  const auto &Known = cl::getRegisteredOptions();
  std::vector<std::string> Words;
  for (size_t A = 0; A != Args.size(); ++A) {
    const StringRef Word = Args[A];
    const StringRef Name = Word.starts_with("-") ? Word.ltrim('-').split('=').first : "";
    auto It = Name.empty() ? Known.end() : Known.find(Name);
    const bool WithNext = It != Known.end() && !Word.contains('=') && A + 1 != Args.size() &&
                          It->second->getValueExpectedFlag() == cl::ValueRequired;
    if (!Skipped.contains(Name)) {
      Words.push_back(Word.str());
      if (WithNext)
        Words.push_back(Args[A + 1]);
    }
    A += WithNext ? 1 : 0;
  }
  return Words;
}

std::optional<Invocation> parseCommandLine(int Argc, const char *const *Argv, raw_ostream &Errs) {
  Invocation I;
  Reader R(Errs);
  std::vector<const char *> Args(Argv + 1, Argv + Argc);

  // Known commands whose options are not known yet.
  if (!Args.empty() && isReserved(Args.front())) {
    R.notYet("the command '" + Twine(Args.front()) + "'");
    return std::nullopt;
  }

  // What follows `--` is the compiler's. LLVM would read it as more input files.
  auto Dashes = find_if(Args, [](StringRef A) { return A == "--"; });
  if (Dashes != Args.end()) {
    I.CompilerFlags.assign(Dashes + 1, Args.end());
    Args.erase(Dashes, Args.end());
  }

  Options &O = options();
  I.Words = wordsThatMatter(Args);
  checkFlags(Args, R);
  if (R.failed())
    return std::nullopt;
  Args.insert(Args.begin(), ToolName.data());
  std::string Problem;
  raw_string_ostream ProblemOS(Problem);
  if (!cl::ParseCommandLineOptions(Args.size(), Args.data(), "", &ProblemOS)) {
    explainProblem(O, Problem, R);
    return std::nullopt;
  }

  if (O.Help) {
    I.Cmd = Command::Help;
    return I;
  }
  if (O.Version) {
    I.Cmd = Command::Version;
    return I;
  }

  // The first argument that is no option may be a command. By hand rather than by cl::SubCommand:
  // no command means `rewrite`, with the same options, and LLVM would want each declared for both.
  I.Inputs.assign(O.Inputs.begin(), O.Inputs.end());
  if (!I.Inputs.empty()) {
    StringRef First = I.Inputs.front();
    std::optional<Command> Cmd = StringSwitch<std::optional<Command>>(First)
                                     .Case("rewrite", Command::Rewrite)
                                     .Case("check", Command::Check)
                                     .Case("verify", Command::Verify)
                                     .Case("bench", Command::Bench)
                                     .Case("explain", Command::Explain)
                                     .Case("launch", Command::Launch)
                                     .Case("rules", Command::Rules)
                                     .Default(std::nullopt);
    if (isReserved(First))
      R.notYet("the command '" + First + "'");
    if (Cmd) {
      I.Cmd = *Cmd;
      I.Inputs.erase(I.Inputs.begin());
    }
  }
  // The same for every file: none is needed.
  if (O.Print == "matchers" && (I.Cmd == Command::Rewrite || I.Cmd == Command::Check)) {
    I.Cmd = Command::Matchers;
    return I;
  }
  I.Rewrite.CheckOnly = I.Cmd == Command::Check || I.Cmd == Command::Launch;
  readPaths(O, I);
  readPrint(O, I, R);
  readWhat(O, I, R);
  readTarget(O, I, R);
  readOutput(O, I, R);
  readReport(O, I, R);
  readGate(O, I, R);
  readVerification(O, I, R);
  readBench(O, I, R);
  readEmitRefused(O, I, R);

  switch (I.Cmd) {
  case Command::Explain:
    if (I.Inputs.empty())
      R.fail("explain needs the id of a reason; 'rules' lists them");
    break;
  case Command::Rules:
    if (!I.Inputs.empty())
      R.fail("rules takes no argument; 'explain " + I.Inputs.front() + "' shows one");
    else if (I.Format != ReportFormat::Text && I.Format != ReportFormat::Json)
      R.fail("--format=" + O.Format + " has no meaning with rules");
    break;
  case Command::Verify:
    if (I.EmitLaunch && I.Inputs.size() != 1)
      R.fail("verify --emit-launch takes one file");
    else if (!I.BatchFile.empty() && !I.Inputs.empty())
      R.fail("verify --batch takes no file but the list");
    else if (!I.EmitLaunch && I.BatchFile.empty() && I.Inputs.size() != 2)
      R.fail("verify takes two files, the old version and the new one");
    else if (!I.BatchFile.empty() &&
             (I.Format == ReportFormat::Html || any_of(I.Reports, [](const ReportFile &F) {
                return F.Format == ReportFormat::Html;
              })))
      R.fail("a page shows one pair; verify --batch has text and JSON");
    else if (I.Format == ReportFormat::Github || I.Format == ReportFormat::Sarif)
      R.fail("--format=" + O.Format + " has no meaning with verify");
    else if (any_of(I.Reports, [](const ReportFile &F) { return F.Format == ReportFormat::Sarif; }))
      R.fail("a SARIF report has no meaning with verify");
    else if (!I.EmitLaunch && !I.Output.empty())
      R.fail("-o belongs to --emit-launch; use --report=FILE.json or .txt");
    else if (I.Rewrite.Archs.size() > 1 && !I.VerifySass)
      R.fail("verify takes one --arch; with --engine=sass any number");
    [[fallthrough]];
  default:
    if (I.Cmd == Command::Launch) {
      if (!I.Inputs.empty() || I.CompilerFlags.empty())
        R.fail(
            "launch takes the compiler's command after '--', as in 'launch -- nvcc -c kernel.cu'");
      if (!I.BuildDir.empty())
        R.fail("launch takes the flags of the command; -p has no meaning there");
      if (I.Rewrite.Print != PrintStep::None)
        R.fail("launch shows no step; --print has no meaning there");
      if (!I.Reports.empty())
        R.fail("launch runs for each file; --report would be written over each time: use check");
      break;
    }
    if (I.Inputs.empty() && !I.WholeProject && I.CleanDatabaseDir.empty() && I.BatchFile.empty())
      R.fail("no input file; see --help");
    if (I.Inputs.size() > 1 && !I.Rewrite.Lines.empty() && I.Cmd != Command::Bench)
      R.fail("--lines takes one input file, not " + Twine(I.Inputs.size()));
    for (StringRef Input : I.Inputs)
      if (Input == "-")
        R.fail("standard input cannot be read; name a file");
      else if (Input.empty())
        R.fail("an input file's name is empty");
  }
  if (R.failed())
    return std::nullopt;
  return I;
}

/// "--variant=NAME" or "-o FILE".
static std::string spelling(const cl::Option &O) {
  StringRef Name = O.ArgStr, Value = O.ValueStr;
  if (Name.size() == 1)
    return ("-" + Name + (Value.empty() ? "" : " ") + Value).str();
  return ("--" + Name + (Value.empty() ? "" : "=") + Value).str();
}

void printHelp(raw_ostream &OS) {
  OS << R"(cuda-pipeline-rewrite: software-pipelines the tile loops of CUDA kernels

Usage: cuda-pipeline-rewrite [COMMAND] [OPTIONS] FILE... [-- COMPILER FLAGS]

Commands
  rewrite             write FILE.pipelined.cu beside each input (default)
  check               report which loops could be pipelined; write nothing
  verify OLD NEW      run both versions in an emulator and compare; write nothing
  bench OLD NEW...    time the versions on a GPU, those that are right; write nothing
  bench FILE          the same for all variants that FILE can be rewritten in
  launch -- COMMAND   run the compiler's command, then check what it has compiled
  explain ID...       what a reason means and what makes the rewrite possible
  rules               all reasons

The flags after -- may be nvcc's or Clang's.
)";
  for (const Options::Group &G : options().groups()) {
    StringRef Name = G.Category->getName();
    OS << '\n' << char(toUpper(Name.front())) << Name.drop_front() << '\n';
    for (const cl::Option &Opt : G.Members)
      OS << "  " << left_justify(spelling(Opt), 21) << ' ' << Opt.HelpStr << '\n';
  }
  OS << R"(
Exit codes
  0  done; refused loops are a normal answer
  1  findings in check, a non-empty --diff, or a requested variant that was refused
  2  usage, configuration, input or output error
  3  an input does not parse; nothing was written
  4  a requested step cannot run here
)";
}

std::string programIdentity() {
  static int Anchor;
  sys::fs::file_status Status;
  std::string Out = CPR_VERSION " " + clang::getClangFullVersion();
  if (!sys::fs::status(sys::fs::getMainExecutable(nullptr, &Anchor), Status))
    Out += formatv(" {0} {1}", Status.getSize(),
                   Status.getLastModificationTime().time_since_epoch().count())
               .str();
  return Out;
}

} // namespace cuda_pipeline
