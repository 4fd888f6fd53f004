//===- Report.h - What was done to every loop, and why --------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Step 8: the report is a value type without Clang. One model, rendered as text, JSON,
/// annotations, SARIF and HTML; docs/report.md says what is in which. Keys and statuses are those
/// of the JSON report; other programs rely on them (docs/schema/report.schema.json).
///
/// Lines and columns are 1-based. Sizes in bytes, occupancy in blocks per SM.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_REPORT_H
#define CUDA_PIPELINE_REPORT_H

#include "cuda-pipeline/Fix.h"
#include "cuda-pipeline/Reasons.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <array>
#include <optional>
#include <string>
#include <vector>

namespace cuda_pipeline {

enum class LoopStatus {
  Rewritten,
  Opportunity,
  Refused,
  Unprofitable,
  AlreadyPipelined,
  NotSelected,
  Suppressed
};
llvm::StringRef toString(LoopStatus S);

struct Note {
  std::string Message;
  unsigned Line = 0, Column = 0; ///< 0: no place
};

struct ReasonReport {
  Reason Id;
  std::string Message; ///< with its arguments filled in
  std::string Remedy;
  unsigned Line = 0, Column = 0;
  std::vector<Note> Notes; ///< further places and numbers
};

struct BufferReport {
  std::string Name;
  uint64_t Bytes = 0; ///< one stage
};

struct CopyReport {
  std::string Buffer;
  uint64_t BytesPerThread = 0; ///< width of one copy operation
  std::string Method;          ///< "cp.async", "registers"
  unsigned Line = 0;
};

/// How many bytes a thread copies at once, in one copy loop (CopyWidth.h).
struct WidthReport {
  std::vector<std::string> Buffers; ///< that it fills
  uint64_t BytesBefore = 0, BytesAfter = 0;
  unsigned Line = 0;    ///< of the loop
  std::string Test;     ///< a condition in front of the tile loop; empty: it is always so
  std::string WhyNot;   ///< why it has to stay; empty: it need not change, or has changed
  unsigned WhyLine = 0; ///< of that; 0: none
};

/// How one access of a warp to a tile meets the banks (TileLayout.h).
struct ConflictReport {
  unsigned Line = 0;
  bool Write = false;
  unsigned Bytes = 0;                      ///< of one lane
  double Times = 0;                        ///< in a turn of the tile loop
  double Before = 0, After = 0, Least = 0; ///< wavefronts
};
/// Where the elements of a tile lie.
struct LayoutReport {
  std::string Buffer;
  uint64_t PitchBefore = 0, PitchAfter = 0; ///< bytes from row to row
  std::vector<ConflictReport> Accesses;
  std::string WhyNot; ///< why the pitch has to stay; empty: it need not change, or has changed
  unsigned Line = 0;  ///< of that; 0: none
};

/// Lines in which an iteration does one thing.
struct PhaseReport {
  std::string Kind; ///< "load", "barrier", "compute", "advance"
  unsigned Line = 0, EndLine = 0;
};

/// Stages in dynamic shared memory: the kernel asks when it runs whether the launch has given
/// enough.
struct DynamicReport {
  std::string StageBytes; ///< of one stage, as in the output
  uint64_t InFront = 0;   ///< bytes of the array that no further stage has
  bool Beside = false;    ///< the first stage is in static shared memory
  std::string Block;      ///< and what it asks of the block; empty: nothing
  struct Size {
    unsigned Line = 0;
    std::string Text; ///< of the new size
  };
  std::vector<Size> Sizes; ///< of launches in the file, and attributes, that were changed
};

/// What nvcc needs of registers, per thread: of the kernels that the loop is in the one that has
/// most, on the architecture where it has most. A block whose registers are more than a
/// multiprocessor has does not launch.
struct RegisterReport {
  std::string Arch;
  unsigned Before = 0, After = 0;
  uint64_t SpillBefore = 0, SpillAfter = 0;     ///< bytes that are stored and loaded
  unsigned LargestBefore = 0, LargestAfter = 0; ///< threads of the largest block that launches
  unsigned Needed =
      0; ///< threads that are launched, as far as that is known; else what was possible
  bool launches() const { return LargestAfter >= Needed; }
};

/// Where a loop stands in the new text, from what is put in front of it to what is put behind it.
struct NewLines {
  unsigned First = 0, Last = 0; ///< 0: nowhere
  unsigned Kept = 0; ///< from here on the loop as it was, for launches that its pipelined version
                     ///< is not made for; 0: it is not there
  unsigned TestBegin = 0, TestEnd = 0; ///< bytes of the new text: the head of the branch in which
                                       ///< that version is; 0: there is none
};

/// What was seen when the new text was run against the original (SelfCheck.h; docs/verify.md,
/// "Without a description").
struct SelfCheckReport {
  enum class Verdict { Pass, Fail, CannotTell, Off };
  Verdict Result = Verdict::Off;
  std::string Variant; ///< of what was run; the loop has none if it was taken back
  unsigned Stages = 0;
  std::string Why;                   ///< in one line; empty for a pass
  unsigned Launches = 0;             ///< that were found and run
  std::vector<uint64_t> Turns;       ///< that the loop has made in a row, in these
  unsigned Guards = 0, BothWays = 0; ///< conditions of its kernels, and those that went both ways
  std::vector<std::string> Blocks;   ///< "32x8x1"
  std::string
      Order; ///< why another order of the threads could show something else; empty: it could not
  std::string Data;       ///< why it says less than all about other data; empty: it says all
  bool OutOfTime = false; ///< another time it may come out otherwise
};
llvm::StringRef toString(SelfCheckReport::Verdict V); ///< "pass", "fail", "cannot-tell", "off"
llvm::json::Value toJSON(const SelfCheckReport &S);

struct CandidateReport {
  std::string Variant;
  unsigned Stages = 0;
  double Score = 0;
  std::string Rejected; ///< empty for the chosen one
};

struct LoopReport {
  std::string Kernel;   ///< the function that the loop is in
  bool IsKernel = true; ///< and it is `__global__`
  unsigned Line = 0, Column = 0, EndLine = 0;
  unsigned FunctionLine = 0, FunctionEndLine = 0; ///< of the function; 0: not known
  /// In the order of the text; empty where the loop is not understood.
  std::vector<PhaseReport> Phases;
  /// Of what takes its place, in lines of the new text, with all that is done ahead of the loop;
  /// empty unless it has a plan.
  std::vector<PhaseReport> NewPhases;
  NewLines InNewText;
  std::vector<std::string> Headers; ///< that what takes its place needs
  std::string InFile; ///< real path of the included file that it is in; empty: the file itself
  LoopStatus Status = LoopStatus::NotSelected;
  bool MachineApplicable = true; ///< else "maybe-incorrect"
  /// Rewritten although refused, for Reasons (RewriteOptions::EmitRefused): not sound.
  bool AlthoughRefused = false;
  /// Rewritten, and in no file: Report::Withheld says why.
  bool Withheld = false;
  std::string Variant; ///< empty unless rewritten or an opportunity
  unsigned Stages = 0;
  std::vector<ReasonReport> Reasons;
  std::vector<std::string> Assumptions;
  std::vector<std::string> Inlined;  ///< functions whose calls are written out: copies of the load
                                     ///< phase, lambdas with the loop
  std::vector<std::string> Gathered; ///< tiles that were loaded later in the iteration
  std::vector<std::string> Reworded; ///< what is said otherwise than in the file
  std::vector<std::string> Hints;    ///< to the compiler, which undid the rewrite without them
  std::vector<BufferReport> Buffers;
  std::vector<CopyReport> Copies;
  std::vector<WidthReport> Widths;   ///< of narrow copies; empty where nobody asked
  std::vector<LayoutReport> Layouts; ///< of tiles with rows; empty where nobody asked
  struct {
    uint64_t Before = 0, After = 0, Limit = 0;
    bool Complete = true; ///< false: what its launches give in dynamic shared memory comes on top,
                          ///< and is not known
  } Smem;
  struct {
    unsigned Before = 0, After = 0;
    std::string Limiter;
  } Occupancy;
  bool HasOccupancy = false;
  std::optional<DynamicReport> Dynamic;
  std::optional<RegisterReport> Registers; ///< none: they are not counted
  unsigned StagedRegisters = 0;            ///< per thread, for the next tile; 0: none, or not known
  std::string AskedBlock; ///< what the kernel asks of its block where nothing else is asked; else
                          ///< the loop runs as it was
  std::array<uint64_t, 3> AskedExtents = {0, 0, 0}; ///< of that block; 0: it asks for none
  bool AsksAtLeast = false;                         ///< larger ones will do
  std::optional<SelfCheckReport> SelfCheck;         ///< none: nothing of it is written
  std::string BlockSize;     ///< "256x1x1 (launch bounds, upper bound)"; empty when unknown
  unsigned BlockThreads = 0; ///< the same as a number
  unsigned MaxThreads = 0;   ///< of a block, by the launch bounds; 0: these say nothing
  struct {
    double FlopsPerByte = 0;
    uint64_t Flops = 0, Bytes = 0;
  } Ratio;
  bool HasRatio = false;
  std::vector<CandidateReport> Candidates;
  std::string Why; ///< one sentence: the reason for the choice

  // Where they were asked for (Rewriter.h, offerFixes()).
  std::vector<Fix> Fixes; ///< of this loop alone; the one that was chosen is the first
  std::vector<Edit> Part; ///< of the changes of all loops together: those for this one
  unsigned PartOf = 0;    ///< line of the loop whose part has them, if not this one
};

/// Why a file has no loops: it was not looked at to the end.
enum class FileProblem { None, Unreadable, DoesNotParse, Crashed, TimedOut };
llvm::StringRef toString(FileProblem P);

struct FileReport {
  std::string Path;
  std::string Output; ///< empty: nothing written
  std::string Arch;   ///< that the occupancy of its loops is computed for, the first one of the
                      ///< file's; empty: not known
  std::vector<LoopReport> Loops;
  std::vector<std::string>
      ReadBy; ///< a header: the other inputs that include it, by which it was read
  std::vector<std::string> Configurations; ///< in which it was looked at, where there are several:
                                           ///< "sm_80", "sm_80 with -DX"
  std::vector<std::string> LeftOut; ///< architectures that it is compiled for as well, and that are
                                    ///< too old to be looked at
  FileProblem Problem = FileProblem::None;
  std::string ProblemText; ///< in one line
};

struct Report {
  std::vector<std::string> Archs; ///< of all files
  std::vector<FileReport> Files;
  /// Why what was rewritten is in no file, where it was to be written and was not; half a sentence.
  /// Empty: nothing was kept back.
  std::string Withheld;
  /// What verification found, when it ran: `{"verdict": ..., "files": [...]}` (Verify.h).
  std::optional<llvm::json::Value> Verify;
  /// What was measured of it, if somebody has: the object of the command bench.
  std::optional<llvm::json::Value> Bench;
};

llvm::json::Value toJSON(const Report &R);

enum class Severity { Warning, Remark, Note };

/// One thing that is said of a loop. The first one is about the loop as a whole; notes belong to
/// it.
struct Message {
  Severity Kind;
  unsigned Line, Column; ///< 0: no place
  std::string Text;
  std::string
      Tag; ///< "cuda-pipeline" for loops as a whole, the id of a reason; empty for most notes
};
/// Empty: there is nothing to say. \p Arch: of the occupancy (FileReport::Arch). \p Verbose:
/// everything that the report has.
std::vector<Message> messagesOf(const LoopReport &L, llvm::StringRef Arch, bool Verbose = false);
/// All that is said behind the reasons: numbers, places, assumptions, tiles; not what a page has
/// tables for.
std::vector<Message> factsOf(const LoopReport &L, llvm::StringRef Arch);
/// "self-check: run against the original in 9 launches, ..."
std::string selfCheckInWords(const SelfCheckReport &S);
/// "3 loops: 1 rewritten, 2 refused"
std::string summaryOf(const Report &R);
/// "cp-async, 3 stages"
std::string planInWords(llvm::StringRef Variant, unsigned Stages);

struct TextOptions {
  bool Color = false;
  bool Quiet = false;
  bool Verbose = false;
  bool Problems = true; ///< files that could not be analysed are named
  unsigned Width =
      0; ///< of the terminal that it goes to, in columns; 0: lines are as long as they are
};

/// Source text of a file for the line-and-caret display; returns an empty string if unknown.
using SourceLines = llvm::function_ref<std::string(llvm::StringRef Path, unsigned Line)>;

/// Diagnostics in Clang's form: file:line:column: kind: message, the line, a caret, notes.
void renderText(const Report &R, const TextOptions &Options, SourceLines Lines,
                llvm::raw_ostream &OS);
void renderJSON(const Report &R, llvm::raw_ostream &OS);
/// Workflow commands that GitHub Actions turns into annotations: `::warning file=...::message`.
void renderGitHub(const Report &R, llvm::raw_ostream &OS);
/// The contents of an input.
using FileContents = llvm::function_ref<std::string(llvm::StringRef Path)>;
/// SARIF 2.1.0 with rules, fingerprints and LoopReport::Fixes, for code scanning.
void renderSarif(const Report &R, FileContents Contents, llvm::raw_ostream &OS);
/// A page that needs nothing else. \p Before, \p After: the text of an input, and what it becomes
/// (the same where nothing does); the lines of LoopReport::NewPhases count in the latter.
void renderHTML(const Report &R, FileContents Before, FileContents After, llvm::raw_ostream &OS);
/// The same for what other commands find: the JSON of verify or of bench. Keys that are not there
/// leave out what they would say.
void renderHTML(const llvm::json::Value &Found, llvm::raw_ostream &OS);

} // namespace cuda_pipeline

#endif
