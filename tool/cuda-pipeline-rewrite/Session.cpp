//===- Session.cpp - Analyse all inputs, then write all outputs -------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One run over all inputs, in steps that each finish for every file before the next begins:
//
//   1. read        inputs, flags, toolkit: what fails here is exit 2, and all of it is reported
//   2. analyse     each file in a process of its own: exit 3 if one does not parse, crashes, or
//   never ends
//   3. verify      with --verify: old against new in memory; anything but a pass is exit 1 or 4
//   4. place       the output of every changed file; conflicts are exit 2
//   5. write       all rewritten files and reports
//   6. say         report, diff or new contents on standard output; then the exit code
//
// Nothing is written before every file has passed steps 1 to 4. `check` only reports: what is wrong
// with one file is a part of the report, and the others go on. Where step 2 or 3 keeps the
// rewritten files back, the report is made all the same: it is what tells why.
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "Project.h"
#include "Report/OutputFile.h"
#include "Report/UnifiedDiff.h"
#include "Support/Lines.h"
#include "Support/Printable.h"
#include "Support/ReadFile.h"
#include "Units.h"
#include "Verification.h"
#include "cuda-pipeline/NoLint.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include <list>
#include <map>
#include <set>

using namespace llvm;

namespace cuda_pipeline {

namespace {

/// What Clang says of a file; it has lines of it and its name.
void sayDiagnostics(StringRef Diagnostics) {
  while (!Diagnostics.empty()) {
    auto [Line, Rest] = Diagnostics.split('\n');
    // A workflow takes a line that begins like that for a command.
    errs() << (Line.ltrim().starts_with("::") ? "./" : "") << printable(Line) << '\n';
    Diagnostics = Rest;
  }
}

MessageLine warning() { return warningLine(errs()); }

class Session {
public:
  explicit Session(const Invocation &I) : I(I) {}
  ExitCode run();

private:
  bool readInputs();
  bool readFlags();
  bool readBenchReport();
  void describe(const Unit &U);
  FixWishes wishes() const;
  void findReaders(Unit &U);
  void addProjectHeaders(std::vector<Unit *> &To);
  void takeEachVariant();
  bool addReaders();
  void leaveOutOtherInputs();
  void sayProblem(const Unit &U);
  bool analyseAll();
  ExitCode verifyAll();
  std::string parseHint(const Unit &U);
  bool somethingIsSelected();
  void sayNoLintProblems();
  bool protectWhatWasRead();
  Error changedSince(const Unit &U, StringSet<> &Done) const;
  bool unchanged();
  void versionsOf(const Unit &U, ParseRequest &Old, ParseRequest &New) const;
  ExitCode countAll();
  bool placeOutputs();
  bool writeOutputs();
  bool writeReports();
  bool writeBesides();
  ExitCode withhold(std::string Why, ExitCode Code);
  std::string dependencies() const;
  bool write(StringRef Path, StringRef Contents, StringRef ModeFrom,
             const ReadFile *Replaces = nullptr);
  std::vector<std::string> configFilesOf(const Unit &U) const;
  void takeBack();
  void say();
  void saySelfCheckFailed() const;
  ExitCode verdict() const;

  void render(ReportFormat Format, const TextOptions &Text, raw_ostream &OS);
  void sayReport();
  std::string lineOf(StringRef Path, unsigned Line) const;
  std::string originalOf(StringRef Path) const;
  std::string newContentsOf(const Unit &U) const;
  std::string resultOf(StringRef Path) const;
  void collectReports();
  std::string beside(const Unit &U) const;
  std::string derivedName(const Unit &U) const;

  MessageLine error() {
    Failed = true;
    return I.InBuild && I.Gate == FailOn::Never ? warning() : errorLine(errs());
  }
  /// False: there was one.
  bool good(Error E) {
    if (!E)
      return true;
    handleAllErrors(std::move(E), [&](const ErrorInfoBase &One) { error() << One.message(); });
    return false;
  }
  const Invocation &I;
  std::list<Unit> Units;   ///< in the order of the command line
  std::list<Unit> Readers; ///< files of the database that include a header which is named: nobody
                           ///< asked for what is in them
  StringSet<> InputPaths;  ///< their real paths
  Report Rep;
  std::map<const Unit *, std::vector<KernelResources>>
      Counted;             ///< where a step has asked nvcc already
  std::string NotVerified; ///< why step 3 has failed; half a sentence
  mutable std::map<std::string, LineTable>
      Lines; ///< of inputs, by path; read when a line is asked for
  OutputFiles &Written = outputsOfRun();
  bool NonEmptyDiff = false;
  bool Overtaken = false; ///< a file was saved while it was read
  bool Hinted = false;    ///< at what helps with a file that does not parse
  bool Failed = false;    ///< an error was printed in the current step
};

} // namespace

std::string realPath(StringRef Path) {
  SmallString<256> Real;
  if (sys::fs::real_path(Path, Real))
    return "";
  return std::string(Real);
}

std::string asWritten(StringRef Path) {
  SmallString<256> Here;
  if (sys::fs::current_path(Here))
    return Path.str();
  Here += sys::path::get_separator();
  Path.consume_front(Here);
  return Path.str();
}

/// Empty when it cannot be read.
static std::string contentsOf(StringRef Path) {
  auto Buffer = lookInto(Path);
  return Buffer ? (*Buffer)->getBuffer().str() : "";
}

//===--- 1. read ------------------------------------------------------------===//

bool Session::readInputs() {
  std::vector<std::string> Paths = I.Inputs;
  if (I.WholeProject) {
    Expected<std::vector<std::string>> All = I.Database->cudaFiles();
    if (!All) {
      error() << toString(All.takeError()) << '\n';
      return false;
    }
    for (const std::string &Path : *All)
      Paths.push_back(asWritten(Path));
    if (Paths.empty()) {
      error() << "there is no CUDA file in the compilation database of '" << printable(I.BuildDir)
              << "'\n";
      return false;
    }
  }
  for (const std::string &Path : Paths) {
    // A file that is named twice (overlapping globs) is one file.
    std::string Real = realPath(Path);
    if (!Real.empty() && !InputPaths.insert(Real).second)
      continue;
    Unit U;
    U.Path = Path;
    if (I.WholeProject && !good(Written.protect(Path, "an input")))
      continue;
    if (Expected<std::string> Contents = readInputFile(Path, &U.Id)) {
      U.Original = std::move(*Contents);
    } else if (std::string Why = toString(Contents.takeError());
               I.WholeProject && I.Rewrite.CheckOnly) {
      U.Result.Report.Problem = FileProblem::Unreadable; // one that the build has yet to write
      U.Result.Report.ProblemText = Why;
      U.Result.Report.Path = Path;
    } else {
      error() << printable(Why) << '\n';
      continue;
    }
    Units.push_back(std::move(U));
  }
  return !Failed;
}

bool Session::readBenchReport() {
  if (I.BenchReport.empty())
    return true;
  Expected<std::string> Text = readInputFile(I.BenchReport);
  if (!Text) {
    error() << toString(Text.takeError()) << '\n';
    return false;
  }
  Expected<json::Value> Value = json::parse(*Text);
  if (!Value || !Value->getAsObject() ||
      Value->getAsObject()->getString("command").value_or("") != "bench") {
    error() << "'" << printable(I.BenchReport) << "' is no JSON report of the command bench"
            << (Value ? std::string() : ": " + toString(Value.takeError())) << '\n';
    return false;
  }
  Rep.Bench = std::move(*Value);
  return true;
}

static void sayNotInDatabase(const Invocation &I, StringRef Path) {
  warning() << "'" << printable(Path) << "' is not in the compilation database of '"
            << printable(I.BuildDir) << "'; it is read without flags\n";
}

bool readConfigurations(const Invocation &I, StringRef Path, ArrayRef<std::string> Given,
                        ParseRequest &To, std::vector<std::string> &Archs, bool MayBeUnknown) {
  auto Fail = [](Error E) {
    errorLine(errs()) << toString(std::move(E)) << '\n';
    return false;
  };
  std::vector<CompileFlags> Ways;
  if (I.Database) {
    Expected<std::vector<CompileFlags>> Entries = I.Database->allFlagsOf(Path);
    if (!Entries)
      return Fail(Entries.takeError());
    Ways = std::move(*Entries);
    if (Ways.empty() && !MayBeUnknown)
      sayNotInDatabase(I, Path);
  }
  if (Ways.empty()) {
    Expected<CompileFlags> Common = translateFlags(I.CompilerFlags);
    if (!Common)
      return Fail(Common.takeError());
    Ways.push_back(std::move(*Common));
  }
  To.LeftOut.clear();
  Expected<std::vector<std::string>> All = settleArchs(Ways, Given, To.Cuda, To.LeftOut);
  if (!All) {
    errorLine(errs()) << "'" << printable(Path) << "' is " << toString(All.takeError()) << '\n';
    return false;
  }
  if (!To.LeftOut.empty())
    warning() << "'" << printable(Path) << "' is compiled for " << join(To.LeftOut, ", ")
              << " as well, too old to be looked at; it is left out\n";
  Archs = std::move(*All);
  To.Flags = std::move(Ways.front());
  To.Others.assign(std::make_move_iterator(Ways.begin() + 1), std::make_move_iterator(Ways.end()));
  To.Arch = To.Flags.Archs.front();
  return true;
}

bool Session::readFlags() {
  Expected<std::optional<Toolkit>> Cuda = findToolkit(I.CudaPath);
  if (!Cuda) {
    error() << toString(Cuda.takeError()) << '\n';
    return false;
  }
  if (Error E = translateFlags(I.CompilerFlags).takeError()) { // the same for every file
    error() << toString(std::move(E)) << '\n';
    return false;
  }
  for (Unit &U : Units) {
    U.Request.File = U.Path;
    U.Request.Cuda = *Cuda;
    U.Request.ExtraArgs = I.ExtraArgs;
    U.Options = I.Rewrite;
    std::string CudaPath;
    if (Error E = readConfig(I, U.Path, U.Options, CudaPath)) {
      error() << toString(std::move(E)) << '\n';
      continue;
    }
    if (!CudaPath.empty() && I.CudaPath.empty()) {
      Expected<std::optional<Toolkit>> Own = findToolkit(CudaPath);
      if (!Own) {
        error() << "the configuration of clang-tidy for '" << printable(U.Path)
                << "': " << toString(Own.takeError()) << '\n';
        continue;
      }
      U.Request.Cuda = *Own;
    }
    const std::vector<std::string> Given = U.Options.Archs;
    U.IsPart = isHeaderName(U.Path);
    if (!readConfigurations(I, U.Path, Given, U.Request, U.Options.Archs,
                            /*MayBeUnknown=*/true)) {
      Failed = true;
      continue;
    }
    for (const std::string &Arch : U.Options.Archs)
      if (!is_contained(Rep.Archs, Arch))
        Rep.Archs.push_back(Arch);
    if (I.Verbose)
      describe(U);
  }
  return !Failed;
}

/// --variant=each: each file is one input for every variant, with every number of stages that it
/// can have of those asked for, and the first of these is looked at first.
void Session::takeEachVariant() {
  for (auto U = Units.begin(); U != Units.end(); ++U) {
    const Unit Plain = *U;
    bool First = true;
    for (Variant V : allVariants()) {
      std::vector<RewriteOptions> Some(std::max<size_t>(I.EachStages.size(), 1), Plain.Options);
      for (size_t N = 0; N != Some.size(); ++N) {
        Some[N].RequestedVariant = V;
        if (!I.EachStages.empty())
          Some[N].RequestedStages = I.EachStages[N];
      }
      // A number may be about the others.
      llvm::erase_if(Some,
                     [](const RewriteOptions &O) { return !stagesAgainstVariant(O).empty(); });
      if (Some.empty()) {
        Some.push_back(Plain.Options);
        Some.front().RequestedVariant = V;
        Some.front().RequestedStages.reset();
      }
      for (RewriteOptions &Options : Some) {
        if (!First)
          U = Units.insert(std::next(U), Plain);
        U->Options = std::move(Options);
        U->Each = V;
        First = false;
      }
    }
  }
}

/// -v: how the file is read.
void Session::describe(const Unit &U) {
  errs() << printable(U.Path) << ": ";
  if (U.Request.Cuda)
    errs() << "CUDA toolkit " << U.Request.Cuda->Version << " in " << U.Request.Cuda->Root << '\n';
  else
    errs() << "bundled CUDA declarations\n";
  if (!U.Request.Flags.Dropped.empty())
    errs() << printable(U.Path)
           << ": flags without meaning for the analysis: " << join(U.Request.Flags.Dropped, " ")
           << '\n';
  errs() << printable(U.Path) << ": clang";
  for (const std::string &Argument : clangArguments(U.Request)) {
    errs() << ' '; // a shell reads the line as it stands
    bool Quote = StringRef(Argument).find_first_of("'`()<>[]{}|&;*?#~!\t") != StringRef::npos;
    sys::printArg(errs(), Argument, Quote);
  }
  errs() << '\n';
}

//===--- 2. analyse ----------------------------------------------------------===//

/// What is offered rather than done. Fixes of a loop alone are of use where it is not rewritten in
/// this run.
FixWishes Session::wishes() const {
  FixWishes W;
  W.Alone = W.Others =
      I.Rewrite.CheckOnly &&
      (I.Format == ReportFormat::Sarif ||
       any_of(I.Reports, [](const ReportFile &F) { return F.Format == ReportFormat::Sarif; }));
  W.Together = !I.ExportFixes.empty();
  return W;
}

/// The inputs that include \p U, and have been analysed.
void Session::findReaders(Unit &U) {
  const std::string Path = realPath(U.Path);
  for (const std::list<Unit> *Some : {&Units, &Readers})
    for (const Unit &Other : *Some) {
      if (&Other == &U || !Other.Result.Parsed ||
          (Other.Each &&
           (Other.Each != U.Each || Other.Options.RequestedStages != U.Options.RequestedStages)))
        continue;
      for (const IncludedFile &F : Other.Result.Included)
        if (F.Path == Path) {
          U.ReadBy.push_back(Other.Request);
          U.ReadBy.back().Edited = F;
        }
    }
}

static bool includes(const Unit &U, StringRef Header) {
  return mayInclude(U.Request.File, U.Request.Flags, Header) ||
         any_of(U.Request.Others,
                [&](const CompileFlags &F) { return mayInclude(U.Request.File, F, Header); });
}

/// A file that is named, and that the database does not have: it is read as the files of the
/// database that include it read it, whatever its name.
bool Session::addReaders() {
  if (!I.Database)
    return true;
  std::optional<std::vector<std::string>> Files;
  for (Unit &U : Units) {
    if (U.Result.Report.Problem != FileProblem::None)
      continue;
    const std::string Header = realPath(U.Path);
    Expected<std::vector<CompileFlags>> Own = I.Database->allFlagsOf(U.Path);
    if (!Own || !Own->empty()) {
      consumeError(Own.takeError());
      continue;
    }
    if (!Files) {
      Expected<std::vector<std::string>> All = I.Database->cudaFiles();
      if (!All) {
        error() << toString(All.takeError()) << '\n';
        return false;
      }
      Files = std::move(*All);
    }
    for (const std::string &Path : *Files) {
      const auto Known = find_if(Readers, [&](const Unit &R) { return R.Request.File == Path; });
      if (Known != Readers.end())
        U.IsPart = U.IsPart || includes(*Known, Header);
      if (InputPaths.contains(Path) || Known != Readers.end())
        continue;
      Unit R;
      R.Path = asWritten(Path);
      R.Request.File = Path;
      R.Request.Cuda = U.Request.Cuda;
      R.Request.ExtraArgs = I.ExtraArgs;
      R.Options = U.Options;
      R.Options.Print = PrintStep::None;
      if (!readConfigurations(I, Path, I.Rewrite.Archs, R.Request, R.Options.Archs))
        return false;
      if (!includes(R, Header))
        continue;
      U.IsPart = true;
      if (Expected<std::string> Contents = readInputFile(Path)) {
        R.Original = std::move(*Contents);
        Readers.push_back(std::move(R));
      } else {
        error() << toString(Contents.takeError()) << '\n';
        return false;
      }
    }
    U.IsPart = U.IsPart || any_of(Units, [&](const Unit &Other) {
                 return &Other != &U && includes(Other, Header);
               });
    if (!U.IsPart)
      sayNotInDatabase(I, U.Path);
  }
  return true;
}

/// Headers with tile loops, where all of a project is looked at: those of the project. What is
/// elsewhere is somebody else's.
void Session::addProjectHeaders(std::vector<Unit *> &To) {
  std::set<std::string> Found;
  std::vector<std::string> Files;
  for (const Unit &U : Units) {
    const std::string Real = realPath(U.Path);
    if (Real.empty())
      continue;
    Files.push_back(Real);
    for (const LoopReport &L : U.Result.Report.Loops)
      if (!L.InFile.empty() && !InputPaths.contains(L.InFile))
        Found.insert(L.InFile);
  }
  if (Found.empty())
    return;
  const Project Tree(Files, I.Database ? I.BuildDir : std::string("."), I.Database.has_value());
  for (const std::string &Path : Found) {
    if (!Tree.has(Path))
      continue;
    Unit U;
    Expected<std::string> Contents = readInputFile(Path, &U.Id);
    if (!Contents) {
      consumeError(Contents.takeError());
      continue;
    }
    U.Path = asWritten(Path);
    U.Original = std::move(*Contents);
    U.Options = I.Rewrite;
    std::string CudaPath; // that of the files which include it counts
    if (Error E = readConfig(I, U.Path, U.Options, CudaPath)) {
      error() << toString(std::move(E)) << '\n';
      continue;
    }
    for (const Unit &Other : Units)
      if (any_of(Other.Result.Included, [&](const IncludedFile &F) { return F.Path == Path; })) {
        if (U.Request.File.empty()) {
          U.Request = Other.Request; // of the first one
          if (U.Options.Archs.empty())
            U.Options.Archs = Other.Options.Archs;
        }
        if (I.Rewrite.Archs.empty()) // each may be for others
          for (const std::string &Arch : Other.Options.Archs)
            if (!is_contained(U.Options.Archs, Arch))
              U.Options.Archs.push_back(Arch);
      }
    U.IsPart = true;
    InputPaths.insert(Path);
    Units.push_back(std::move(U));
    To.push_back(&Units.back());
  }
}

/// Loops of other inputs are reported for these.
void Session::leaveOutOtherInputs() {
  for (Unit &U : Units)
    erase_if(U.Result.Report.Loops, [&](const LoopReport &L) {
      return !L.InFile.empty() && InputPaths.contains(L.InFile);
    });
}

/// What may help: the flags that are missing, else what the errors leave alone.
std::string Session::parseHint(const Unit &U) {
  if (I.InBuild)
    return "";
  if (U.IsPart && U.ReadBy.empty())
    return " (name a file that includes it, too: then it is read as that one reads it)";
  if (std::exchange(Hinted, true)) // once is enough
    return "";
  std::vector<std::string> Help;
  if (I.CompilerFlags.empty() && !I.Database)
    Help.push_back("give the compiler's flags behind '--', or the folder of its "
                   "compile_commands.json with -p");
  if (!I.Rewrite.KeepGoing)
    Help.push_back("--keep-going serves the kernels that the errors leave alone");
  return Help.empty() ? "" : " (" + join(Help, "; ") + ")";
}

/// A name that no file knows, and lines that the file does not have, are mistakes.
bool Session::somethingIsSelected() {
  if (I.InBuild) // the same options are there for every file
    return true;
  auto WasRead = [](const Unit &U) { return U.Result.Report.Problem == FileProblem::None; };
  if (!I.Rewrite.KernelRegex.empty() && any_of(Units, WasRead) &&
      none_of(Units, [](const Unit &U) { return U.Result.KernelNamed; })) {
    std::vector<std::string> Names;
    for (const Unit &U : Units)
      for (const LoopReport &L : U.Result.Report.Loops)
        if (!L.Kernel.empty() && !is_contained(Names, L.Kernel) && Names.size() < 5)
          Names.push_back(L.Kernel);
    error() << "--kernel=" << I.Rewrite.KernelRegex << ": no kernel of "
            << (Units.size() == 1 ? "'" + Units.front().Path + "'" : std::string("the inputs"))
            << " has such a name"
            << (Names.empty() ? "" : "; there are tile loops in: " + join(Names, ", "));
    return false;
  }
  if (!I.Rewrite.Lines.empty() && Units.size() == 1) {
    const unsigned Last = lineCount(Units.front().Original);
    for (const LineRange &L : I.Rewrite.Lines)
      if (L.First > Last) {
        error() << "--lines=" << L.First << ":" << L.Last << ": '" << Units.front().Path << "' has "
                << Last << (Last == 1 ? " line" : " lines");
        return false;
      }
  }
  return true;
}

/// Comments that were meant to suppress something and do not.
void Session::sayNoLintProblems() {
  for (const Unit &U : Units)
    for (const NoLintProblem &P : noLintProblems(U.Original))
      if (P.NamesUs || !U.Result.Report.Loops.empty())
        warning() << U.Path << ":" << P.Line << ": " << P.Text;
}

void Session::sayProblem(const Unit &U) {
  const FileReport &F = U.Result.Report;
  const char *Nothing = I.Rewrite.CheckOnly ? "" : "; nothing was written";
  switch (F.Problem) {
  case FileProblem::None:
    return;
  case FileProblem::Unreadable:
    error() << printable(F.ProblemText) << '\n';
    return;
  default:
    break;
  }
  // Whatever has come of it: no such file was there.
  if (StringSet<> Done; Error Changed = changedSince(U, Done)) {
    Overtaken = true;
    good(std::move(Changed));
    return;
  }
  switch (F.Problem) {
  case FileProblem::None:
  case FileProblem::Unreadable:
    return;
  case FileProblem::DoesNotParse:
    if (!I.InBuild || I.Verbose) // the compiler has nothing against it
      sayDiagnostics(U.Result.Diagnostics);
    error() << "'" << printable(U.Path) << "' does not parse" << Nothing << parseHint(U) << '\n';
    return;
  case FileProblem::Crashed:
    error() << "internal error while analysing '" << printable(U.Path) << "' ("
            << printable(F.ProblemText) << ")" << Nothing << ". Please report it with the file\n";
    return;
  case FileProblem::TimedOut:
    error() << "analysing '" << printable(U.Path) << "' is " << printable(F.ProblemText) << Nothing
            << " (--file-timeout gives it more)\n";
    return;
  }
}

static bool isOpenTemplate(const LoopReport &L) {
  return L.InFile.empty() &&
         any_of(L.Reasons, [](const ReasonReport &R) { return R.Id == Reason::NotInstantiated; });
}

/// A header is read as the other inputs read it: they instantiate its templates, launch its
/// kernels, and define what it needs. So it comes after them.
bool Session::analyseAll() {
  std::vector<Unit *> Alone, Included;
  for (Unit &U : Units)
    if (U.Result.Report.Problem == FileProblem::None)
      (InputPaths.size() + Readers.size() > 1 && U.IsPart ? Included : Alone).push_back(&U);
  analyse(Alone, I, wishes());
  std::vector<Unit *> Theirs;
  for (Unit &R : Readers)
    Theirs.push_back(&R);
  analyse(Theirs, I, FixWishes());
  bool AllRead = true;
  for (Unit &R : Readers)
    if (R.Result.Report.Problem != FileProblem::None || !R.Result.Parsed) {
      AllRead = false;
      sayDiagnostics(R.Result.Diagnostics);
      error() << "'" << printable(R.Path)
              << "', which includes a file that is named, does not parse"
              << (I.Rewrite.CheckOnly ? "" : "; nothing was written") << '\n';
    }
  // "kernel.cu" may be one, too: when nothing becomes of it by itself, or not of all of it. Of a
  // template others may say more.
  for (Unit *U : Alone)
    if (U->Result.Report.Problem == FileProblem::None &&
        (!U->Result.Parsed || U->Result.HasErrors ||
         any_of(U->Result.Report.Loops, isOpenTemplate)))
      Included.push_back(U);
  if ((I.WholeProject || I.InBuild || I.WithHeaders) && I.Rewrite.CheckOnly)
    addProjectHeaders(Included);
  for (Unit *U : Included) {
    findReaders(*U);
    // The first one is run (versionsOf()), and in it the new text has to be that of an included
    // file: so its own reading comes last.
    if (!U->ReadBy.empty() && U->Result.Parsed && !U->Result.HasErrors)
      U->ReadBy.push_back(U->Request);
  }
  erase_if(Included,
           [](const Unit *U) { return U->ReadBy.empty() && (U->Result.Parsed || !U->IsPart); });
  // A change of a header is right for all that include it. One that could not be read may be among
  // them: no fix is offered.
  AllRead &= all_of(Units, [](const Unit &U) {
    return U.Result.Report.Problem == FileProblem::None &&
           (U.Result.Parsed || !U.ReadBy.empty() || U.IsPart);
  });
  analyse(Included, I, AllRead ? wishes() : FixWishes());
  leaveOutOtherInputs();

  for (Unit &U : Units) {
    FileReport &F = U.Result.Report;
    if (F.Problem == FileProblem::None && !U.Result.Parsed) {
      F.Problem = FileProblem::DoesNotParse;
      F.ProblemText = "errors of Clang";
      for (StringRef Rest = U.Result.Diagnostics; !Rest.empty();) {
        StringRef Line;
        std::tie(Line, Rest) = Rest.split('\n');
        if (Line.contains("error: ")) {
          F.ProblemText = Line.str();
          break;
        }
      }
    }
    if (F.Problem != FileProblem::None) {
      sayProblem(U);
      continue;
    }
    if (I.Verbose || U.Result.HasErrors)
      sayDiagnostics(U.Result.Diagnostics);
    if (U.Result.HasErrors)
      warning() << "'" << printable(U.Path)
                << "' has errors; only what they leave alone is looked at\n";
  }
  return !Failed;
}

//===--- 3. verify -----------------------------------------------------------===//

/// A pass is worth nothing for a function that was rewritten and not run: a kernel (or one of its
/// instantiations) without a launch, a device function of which nobody knows.
static void doubtWhatDidNotRun(const FileReport &File, VerifyReport &Report) {
  auto Named = [](StringRef Name) {
    return [=](StringRef Other) { return plainName(Name) == plainName(Other); };
  };
  std::vector<std::string> Ran;
  for (const VerifyCase &C : Report.Cases)
    Ran.push_back(C.Kernel);
  for (const LoopReport &L : File.Loops) {
    if (L.Status != LoopStatus::Rewritten ||
        (any_of(Ran, Named(L.Kernel)) && none_of(Report.NotCovered, Named(L.Kernel))))
      continue;
    VerifyCase Doubt;
    Doubt.Kernel = L.Kernel;
    Doubt.Case = "line " + std::to_string(L.Line);
    Doubt.Result = Verdict::CannotTell;
    Doubt.Reason = "it is rewritten, and no launch of it is described";
    Report.Cases.push_back(std::move(Doubt));
  }
}

void Session::versionsOf(const Unit &U, ParseRequest &Old, ParseRequest &New) const {
  Old = New = U.Request;
  if (U.ReadBy.empty()) {
    // It has no file yet; beside the input it finds what that includes.
    New.File = beside(U);
    New.Contents = U.Result.NewContents;
  } else {
    // A header is run as a part of the first file that includes it.
    Old = New = U.ReadBy.front();
    New.EditedContents = U.Result.NewContents;
  }
}

/// What nvcc says of registers, in the report. It decides about nothing that is written, unless it
/// was asked for.
ExitCode Session::countAll() {
  const bool Asked = I.Inspect == InspectKind::On;
  if (I.Rewrite.CheckOnly || I.Rewrite.Print != PrintStep::None || I.Inspect == InspectKind::Off ||
      (!Asked && (I.Diff || !I.ExportFixes.empty())))
    return ExitDone;
  ExitCode Ignored = ExitDone;
  std::optional<std::vector<std::string>> Templates = std::vector<std::string>();
  if (!I.LaunchFile.empty() && !(Templates = launchedTemplates(I, Ignored)))
    return Ignored;
  for (Unit &U : Units) {
    if (!U.Result.Changed)
      continue;
    if (!Counted.count(&U)) {
      ParseRequest Old, New;
      versionsOf(U, Old, New);
      Expected<std::optional<Toolkit>> Cuda = findToolkit(I.CudaPath);
      if (!Cuda) // said when the flags were read
        return consumeError(Cuda.takeError()), ExitUsage;
      if (!Asked && (!*Cuda || New.Edited || !sys::fs::can_execute((*Cuda)->Root + "/bin/nvcc")))
        continue;
      Expected<std::vector<KernelResources>> Found = countRegisters(Old, New, *Templates, I, *Cuda);
      if (!Found) {
        ExitCode Code = ExitDone;
        handleAllErrors(Found.takeError(), [&](const SassError &E) {
          if (Asked)
            Code = E.cannotRunHere() ? ExitCannotRun : ExitFindings;
          (Asked ? errorLine(errs()) : warning())
              << printable(E.message()) << (Asked ? "\n" : "; registers are not counted\n");
        });
        if (Code == ExitDone)
          continue;
        NotVerified = "registers could not be counted";
        return Code;
      }
      Counted[&U] = std::move(*Found);
    }
    reportRegisters(U.Result.Report, Counted[&U]);
  }
  return ExitDone;
}

/// ExitDone: every changed file passed.
ExitCode Session::verifyAll() {
  json::Array Files;
  ExitCode Worst = ExitDone;
  Verdict Overall = Verdict::Pass;
  auto Take = [&](const auto &Report, const Unit &U) {
    if (Report.verdict() != Verdict::Pass) {
      Overall = Overall == Verdict::Fail ? Overall : Report.verdict();
      Worst = Overall == Verdict::Fail ? ExitFindings : ExitCannotRun;
      errs() << renderVerification(Report, ReportFormat::Text);
      errorLine(errs()) << "'" << printable(U.Path)
                        << "' did not pass verification; nothing was written\n";
    } else if (I.Verbose) {
      errs() << renderVerification(Report, ReportFormat::Text);
    }
    Files.push_back(toJSON(Report));
  };
  auto End = [&](ExitCode Code, const Twine &Why) {
    NotVerified = Why.str();
    if (Code == ExitFindings)
      Overall = Verdict::Fail;
    else if (Code != ExitDone && Overall == Verdict::Pass)
      Overall = Verdict::CannotTell;
    // What was found before a step that failed is worth knowing as well.
    if (Code == ExitDone || !Files.empty())
      Rep.Verify = json::Object{{"verdict", toString(Overall)}, {"files", std::move(Files)}};
    return Code;
  };
  std::optional<std::vector<std::string>> Templates = std::vector<std::string>();
  if (ExitCode Code = ExitDone;
      (I.VerifySass || I.VerifyCompile) && !(Templates = launchedTemplates(I, Code)))
    return End(Code, "verification could not be done");
  for (Unit &U : Units) {
    if (!U.Result.Changed)
      continue;
    ParseRequest Old, New;
    versionsOf(U, Old, New);
    if (std::string Why; I.VerifyCompile)
      if (ExitCode Code = verifyCompiles(Old, New, *Templates, I, Why); Code != ExitDone) {
        errorLine(errs()) << "'" << printable(U.Path)
                          << "' did not pass verification; nothing was written\n";
        return End(Code, Why);
      }
    if (I.VerifySass) {
      SassOutcome Outcome =
          improveForCompiler(U, Old, New, *Templates, I, verifySass(Old, New, *Templates, I));
      if (!Outcome.HasReport)
        return End(Outcome.Code, "verification could not be done");
      if (U.ReadBy.empty())
        New.Contents = U.Result.NewContents;
      Counted[&U] = resourcesIn(Outcome.Report);
      Take(Outcome.Report, U);
    }
    std::vector<CompileFlags> Ways = Old.Others;
    Ways.insert(Ways.begin(), Old.Flags);
    for (bool Gpu : {false, true})
      for (const CompileFlags &Way : Ways) {
        if (Gpu ? !I.VerifyGpu : !I.VerifyEmulate)
          continue;
        Old.Flags = New.Flags = Way;
        Old.Arch = New.Arch = Way.Archs.empty() ? Old.Arch : Way.Archs.front();
        VerifyOutcome Outcome = verifyVersions(Old, New, I, Gpu);
        if (!Outcome.HasReport)
          return End(Outcome.Code, "verification could not be done");
        doubtWhatDidNotRun(U.Result.Report, Outcome.Report);
        Take(Outcome.Report, U);
      }
  }
  return End(Worst, "verification did not pass");
}

//===--- 4. place ------------------------------------------------------------===//

/// "dir/kernel.cu" -> "dir/kernel.pipelined.cu", "dir/kernel.cp-async-3.cu"
std::string Session::beside(const Unit &U) const {
  std::string Suffix = I.Suffix;
  if (U.Each) {
    Suffix = "." + toString(*U.Each).str();
    if (U.Options.RequestedStages)
      Suffix += "-" + std::to_string(*U.Options.RequestedStages);
  }
  SmallString<256> Name(sys::path::parent_path(U.Path));
  sys::path::append(Name, sys::path::stem(U.Path) + Suffix + sys::path::extension(U.Path));
  return std::string(Name);
}
/// The same, or in --output-dir.
std::string Session::derivedName(const Unit &U) const {
  std::string Name = beside(U);
  if (I.OutputDir.empty())
    return Name;
  SmallString<256> Path(I.OutputDir);
  sys::path::append(Path, sys::path::filename(Name));
  return std::string(Path);
}

bool Session::placeOutputs() {
  if (I.Rewrite.CheckOnly || I.Diff || !I.ExportFixes.empty() || I.Rewrite.Print != PrintStep::None)
    return true;

  std::map<FileIdentity, std::string> InputOf; // of each output
  for (Unit &U : Units) {
    if (I.InPlace) {
      if (U.Result.Changed)
        U.Output = U.Path;
      continue;
    }
    if (!I.Output.empty()) {
      U.Output = I.Output;
      continue;
    }

    std::string Name = derivedName(U);
    bool Exists = sys::fs::exists(Name);
    bool IsInput = Exists && Written.protectedAs(Name) == "an input";
    bool Ours = Exists && isToolOutput(contentsOf(Name));
    if (!U.Result.Changed) {
      if (Ours && !IsInput)
        warning() << "nothing is rewritten in '" << printable(U.Path) << "'; '" << printable(Name)
                  << "' of an earlier run was left as it is\n";
      continue;
    }
    U.Output = Name;
    auto [Other, New] = InputOf.try_emplace(FileIdentity(Name), U.Path);
    if (!New)
      error() << "'" << printable(Other->second) << "' and '" << printable(U.Path)
              << "' would both be written to '" << printable(Name) << "'\n";
    else if (IsInput)
      error() << "'" << printable(Name)
              << "' is an input and would be overwritten; use another --suffix\n";
    else if (Exists && !sys::fs::is_directory(Name) && !Ours)
      error() << "'" << printable(Name)
              << "' exists and was not written by this tool; it is kept (use -o, "
              << "--suffix or --output-dir)\n";
    else
      good(Written.claim(Name, "what becomes of '" + U.Path + "'"));
  }
  return !Failed;
}

/// An error names both, if what the analysis has read is also to be written.
bool Session::protectWhatWasRead() {
  StringSet<> Done;
  auto Protect = [&](const std::string &Path) {
    if (Done.insert(Path).second)
      good(Written.protect(Path, "a file that was read"));
  };
  for (const std::string &Path : filesRead())
    Protect(Path);
  for (const Unit &U : Units) {
    for (const auto &[Path, Was] : U.Seen)
      Protect(Path);
    for (const std::string &Path : configFilesOf(U))
      Protect(Path);
  }
  return !Failed;
}

/// An error: somebody has saved a file since it was read for \p U. \p Done: those of other inputs
/// that are as they were.
Error Session::changedSince(const Unit &U, StringSet<> &Done) const {
  if (Error E = stillAsRead(U.Path, {U.Original, U.Id}))
    return E;
  for (const auto &[Path, Was] : U.Seen) {
    if (!Done.insert(Path).second)
      continue;
    sys::fs::file_status Now;
    if (sys::fs::status(Path, Now) || Now.getSize() != Was.Size ||
        Now.getLastModificationTime().time_since_epoch().count() != Was.Time)
      return createStringError(inconvertibleErrorCode(),
                               "'" + Path + "' has changed since it was read for '" + U.Path +
                                   "'; nothing was written: run the command again");
  }
  return Error::success();
}

/// What is about to be written was made of files as they were read. Where somebody has saved one of
/// them since, it is neither overwritten nor is a result put beside it that is not its own.
bool Session::unchanged() {
  if (I.Rewrite.Print != PrintStep::None || (I.Rewrite.CheckOnly && I.ExportFixes.empty()))
    return true;
  StringSet<> Done;
  for (const Unit &U : Units)
    if (U.Result.Report.Problem == FileProblem::None && !good(changedSince(U, Done)))
      return false;
  return true;
}

//===--- 5. write ------------------------------------------------------------===//

/// Puts the marker, by which the next run knows its own output, in front of \p Contents.
static std::string withMarker(StringRef Contents) {
  if (isToolOutput(Contents))
    return Contents.str();
  StringRef Mark = Contents.consume_front("\xEF\xBB\xBF") ? "\xEF\xBB\xBF" : "";
  StringRef LineEnd = Contents.split('\n').first.ends_with("\r") ? "\r\n" : "\n";
  return (Mark + ToolOutputMarker + LineEnd + Contents).str();
}

/// As it is, or would be, written. A name that the user chose gets exactly what is on offer; so
/// does the input itself.
std::string Session::newContentsOf(const Unit &U) const {
  const bool Derived = !U.Output.empty() && I.Output.empty() && !I.InPlace;
  return Derived ? withMarker(U.Result.NewContents) : U.Result.NewContents;
}

bool Session::write(StringRef Path, StringRef Contents, StringRef ModeFrom,
                    const ReadFile *Replaces) {
  return good(Written.write(Path, Contents, ModeFrom, Replaces));
}

/// Undoes the writes of this run: several files are written all or not at all.
void Session::takeBack() { good(Written.takeBack()); }

bool Session::writeOutputs() {
  if (!I.OutputDir.empty() && any_of(Units, [](const Unit &U) { return !U.Output.empty(); }))
    if (!good(Written.makeFolder(I.OutputDir)))
      return false;
  for (Unit &U : Units) {
    if (U.Output.empty() || U.Output == "-")
      continue;
    const ReadFile Read{U.Original, U.Id};
    // It may have come up while the files were verified.
    if (I.Output.empty() && !I.InPlace && sys::fs::is_regular_file(U.Output) &&
        !isToolOutput(contentsOf(U.Output))) {
      error() << "'" << U.Output << "' was written by somebody else meanwhile; it is kept";
      return false;
    }
    if (!write(U.Output, newContentsOf(U), U.Path, I.InPlace ? &Read : nullptr))
      return false;
  }
  return true;
}

/// Where its options may come from: those that exist.
std::vector<std::string> Session::configFilesOf(const Unit &U) const {
  std::vector<std::string> Files;
  if (I.NoConfig || !I.ConfigFile.empty())
    return Files;
  SmallString<256> Folder(U.Path);
  (void)sys::fs::make_absolute(Folder);
  for (sys::path::remove_filename(Folder);
       !Folder.empty() && Folder != sys::path::root_path(Folder);
       Folder = StringRef(sys::path::parent_path(Folder)))
    if (std::string Path = (Folder + "/.clang-tidy").str(); sys::fs::is_regular_file(Path))
      Files.push_back(std::move(Path));
  return Files;
}

/// One rule of make: the first report, and every file that was read for it: with the configuration,
/// the database and the program.
std::string Session::dependencies() const {
  static int Anchor;
  std::set<std::string> Files = {sys::fs::getMainExecutable(nullptr, &Anchor)};
  for (std::string &Path : filesRead())
    Files.insert(std::move(Path));
  auto Add = [&](const Twine &Path) {
    if (sys::fs::is_regular_file(Path))
      Files.insert(Path.str());
  };
  for (const Unit &U : Units) {
    Files.insert(U.Path);
    for (const auto &[Path, Was] : U.Seen)
      Files.insert(Path);
    for (std::string &Path : configFilesOf(U))
      Files.insert(std::move(Path));
  }
  Add(I.ConfigFile);
  if (I.Database)
    Add(databaseFile(I.BuildDir));
  auto Escaped = [](StringRef Name) {
    std::string Out;
    for (const char C : Name) {
      if (C == ' ' || C == '#' || C == '\\')
        Out += '\\';
      Out += C == '$' ? "$$" : std::string(1, C);
    }
    return Out;
  };
  std::string Rule = Escaped(I.DepFileTarget) + ":";
  for (const std::string &F : Files)
    Rule += " \\\n  " + Escaped(F);
  return Rule + "\n";
}

/// What is written beside the reports, for other programs: complete or not at all.
bool Session::writeBesides() {
  if (!I.ExportFixes.empty() && !write(I.ExportFixes, fixesAsYaml(Rep), /*ModeFrom=*/""))
    return false;
  return I.DepFile.empty() || write(I.DepFile, dependencies(), /*ModeFrom=*/"");
}

bool Session::writeReports() {
  for (const ReportFile &F : I.Reports) {
    std::string Text;
    raw_string_ostream OS(Text);
    // Nobody looks on while a file is written: it has everything.
    TextOptions All;
    All.Verbose = true;
    render(F.Format, All, OS);
    if (!write(F.Path, Text, /*ModeFrom=*/""))
      return false;
  }
  return true;
}

//===--- 6. say ----------------------------------------------------------------===//

std::string Session::lineOf(StringRef Path, unsigned Line) const {
  auto It = Lines.find(Path.str());
  if (It == Lines.end())
    for (const Unit &U : Units)
      if (U.Path == Path) {
        It = Lines.try_emplace(U.Path, U.Original).first;
        break;
      }
  return It == Lines.end() ? "" : It->second.line(Line).str();
}

std::string Session::originalOf(StringRef Path) const {
  for (const Unit &U : Units)
    if (U.Path == Path)
      return U.Original;
  return "";
}

std::string Session::resultOf(StringRef Path) const {
  for (const Unit &U : Units)
    if (U.Path == Path)
      return newContentsOf(U);
  return "";
}

/// \p Text: how, where it is text.
void Session::render(ReportFormat Format, const TextOptions &Text, raw_ostream &OS) {
  switch (Format) {
  case ReportFormat::Json:
    renderJSON(Rep, OS);
    return;
  case ReportFormat::Github:
    renderGitHub(Rep, OS);
    return;
  case ReportFormat::Sarif:
    renderSarif(Rep, [&](StringRef Path) { return originalOf(Path); }, OS);
    return;
  case ReportFormat::Html:
    renderHTML(
        Rep, [&](StringRef Path) { return originalOf(Path); },
        [&](StringRef Path) { return resultOf(Path); }, OS);
    return;
  case ReportFormat::Markdown: // of bench alone
  case ReportFormat::Text:
    renderText(Rep, Text, [&](StringRef Path, unsigned Line) { return lineOf(Path, Line); }, OS);
    return;
  }
}

void Session::say() {
  if (I.Rewrite.Print != PrintStep::None) {
    for (const Unit &U : Units)
      outs() << U.Result.Printed;
    return;
  }
  if (I.Diff)
    for (const Unit &U : Units) {
      NonEmptyDiff |= U.Original != U.Result.NewContents;
      unifiedDiff(U.Path, U.Path, U.Original, U.Result.NewContents, outs());
    }
  if (I.Output == "-")
    outs() << Units.front().Result.NewContents;
  sayReport();
}

void Session::sayReport() {
  const bool OnErrors = I.Diff || I.Output == "-" || I.InBuild;
  raw_ostream &OS = OnErrors ? errs() : outs();
  TextOptions Text;
  Text.Quiet = I.Quiet;
  Text.Verbose = I.Verbose;
  Text.Problems = !I.InBuild || I.Verbose; // the compiler has nothing against them
  Text.Width = !OS.is_displayed() ? 0
               : OnErrors         ? sys::Process::StandardErrColumns()
                                  : sys::Process::StandardOutColumns();
  // https://no-color.org: set, and not empty.
  Text.Color =
      I.Color.value_or(OS.has_colors() && sys::Process::GetEnv("NO_COLOR").value_or("").empty());
  render(I.Format, Text, OS);
}

/// How to see what went wrong: the reports of such loops are what the tool gets better by.
void Session::saySelfCheckFailed() const {
  static const StringSet<> Elsewhere = {
      "i",     "diff",   "suffix", "output-dir", "export-fixes", "variant",           "stages",
      "lines", "kernel", "verify", "launch",     "self-check",   "self-check-budget", "inspect",
      "j",     "fail-on"};
  for (const Unit &U : Units)
    for (const LoopReport &L : U.Result.Report.Loops) {
      if (!L.SelfCheck || L.SelfCheck->Result != SelfCheckReport::Verdict::Fail)
        continue;
      static const StringSet<> OfReading = {"arch",      "cuda-path",  "p",
                                            "extra-arg", "keep-going", "config"};
      std::string Same, Read, File = quotedForShell(U.Path);
      for (size_t W = 0; W != I.Words.size(); ++W) {
        const StringRef Word = I.Words[W];
        if (!Word.starts_with("-"))
          continue; // an input, or the command
        const bool ValueFollows = !Word.contains('=') && W + 1 != I.Words.size() &&
                                  !is_contained(I.Inputs, I.Words[W + 1]) &&
                                  !StringRef(I.Words[W + 1]).starts_with("-");
        const StringRef Name = Word.ltrim('-').split('=').first;
        const std::string Text =
            " " + quotedForShell(Word) + (ValueFollows ? " " + quotedForShell(I.Words[W + 1]) : "");
        if (!Elsewhere.contains(Name))
          Same += Text;
        if (OfReading.contains(Name))
          Read += Text;
        W += ValueFollows;
      }
      warningLine(errs()) << "'" << U.Path << "', line " << L.Line
                          << ": the self-check failed, which is a mistake of the tool; please "
                             "report it with the file. "
                          << "To see it: cuda-pipeline-rewrite " << File << Same
                          << " --lines=" << L.Line << ":" << L.Line
                          << " --variant=" << L.SelfCheck->Variant
                          << (L.SelfCheck->Variant == "cp-async"
                                  ? " --stages=" + std::to_string(L.SelfCheck->Stages)
                                  : "")
                          << " --self-check=off -o new.cu" << compilerFlagsText(I)
                          << "; cuda-pipeline-rewrite verify " << File << " new.cu" << Read
                          << compilerFlagsText(I) << '\n';
    }
}

ExitCode Session::verdict() const {
  if (I.Rewrite.Print != PrintStep::None)
    return ExitDone;
  bool Findings = NonEmptyDiff;
  for (const Unit &U : Units) {
    Findings |= U.Result.RequestedVariantRefused && !U.Each;
    for (const LoopReport &L : U.Result.Report.Loops) {
      bool Opportunity = L.Status == LoopStatus::Opportunity;
      bool Refused = L.Status == LoopStatus::Refused;
      Findings |= I.Gate != FailOn::Never && Opportunity;
      Findings |= I.Gate == FailOn::Refused && Refused;
      Findings |= any_of(L.Reasons, [](const ReasonReport &R) {
        return R.Id == Reason::SelfCheckFailed || R.Id == Reason::SelfCheckUndecided;
      });
    }
  }
  return Findings && !I.ExitZero ? ExitFindings : ExitDone;
}

void Session::collectReports() {
  for (Unit &U : Units) {
    // A build is to say what can be done about it.
    if (I.InBuild && !I.Verbose)
      erase_if(U.Result.Report.Loops, [&](const LoopReport &L) {
        return L.Status != LoopStatus::Opportunity &&
               !(L.Status == LoopStatus::Refused && I.Gate == FailOn::Refused);
      });
    U.Result.Report.Output = U.Output;
    if (U.Result.Report.Arch.empty() && U.Result.Report.Problem != FileProblem::Unreadable)
      U.Result.Report.Arch = U.Request.Arch;
    // What is put in front of the new text moves its lines.
    const unsigned More = lineEnds(newContentsOf(U)) - lineEnds(U.Result.NewContents);
    for (LoopReport &L : U.Result.Report.Loops) {
      L.Withheld = !Rep.Withheld.empty() && L.Status == LoopStatus::Rewritten;
      for (PhaseReport &P : L.NewPhases) {
        P.Line += More;
        P.EndLine += More;
      }
    }
    for (const ParseRequest &R : U.ReadBy)
      U.Result.Report.ReadBy.push_back(R.File);
    Rep.Files.push_back(U.Result.Report);
  }
}

/// Nothing is written but the report, which says so.
ExitCode Session::withhold(std::string Why, ExitCode Code) {
  if (I.Rewrite.Print != PrintStep::None)
    return Code;
  Rep.Withheld = std::move(Why);
  collectReports();
  if (!writeReports()) {
    takeBack();
    return ExitUsage;
  }
  sayReport();
  return Code;
}

ExitCode Session::run() {
  if (!claimOutputs(I, Written) || !readInputs() || !readBenchReport() || !readFlags() ||
      !addReaders())
    return ExitUsage;
  if (I.EachVariant)
    takeEachVariant();
  const bool Incomplete = !analyseAll();
  Failed = false;
  if (!protectWhatWasRead() || !somethingIsSelected())
    return ExitUsage;
  sayNoLintProblems();
  if (Overtaken && !I.Rewrite.CheckOnly)
    return ExitUsage;
  if (Incomplete && !I.Rewrite.CheckOnly)
    return withhold("an input could not be analysed", ExitInput);
  if (I.VerifyEmulate || I.VerifyGpu || I.VerifySass || I.VerifyCompile)
    if (ExitCode Code = verifyAll(); Code != ExitDone)
      return Code == ExitUsage ? Code : withhold(NotVerified, Code);
  if (ExitCode Code = countAll(); Code != ExitDone)
    return Code == ExitUsage ? Code : withhold(NotVerified, Code);
  if (!placeOutputs() || !unchanged())
    return ExitUsage;
  collectReports();
  if (!writeOutputs() || !writeBesides() || !writeReports()) {
    takeBack();
    return ExitUsage;
  }
  say();
  saySelfCheckFailed();
  // What was not looked at counts for more than what was found.
  return Incomplete ? ExitInput : verdict();
}

ExitCode runSession(const Invocation &I) { return Session(I).run(); }

} // namespace cuda_pipeline
