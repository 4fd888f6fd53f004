//===- Sass.h - What the machine code does with a tile loop ---------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// A third way to verify: nvcc compiles both versions, and the machine code (SASS) is read. No GPU
/// is needed. The question is whether the loads of the next tile are under way while this tile is
/// computed on; a compiler may undo in the code what was done in the source, and it may have done
/// it by itself in the original.
///
///     nvcc -cubin -> functions of instructions -> the loop of a source loop -> what is under way
///     when -> verdict
///
/// An instruction of these GPUs is 16 bytes. Beside operation and operands it holds what the
/// hardware needs to know of order: which of six scoreboards it raises until its result is there,
/// and for which it waits before it issues. So the *window* of a load, from its issue to the first
/// instruction that waits for its result, is read and not guessed; where the loop branches, it is
/// what lies on the ways that lead there in the fewest turns of the loop. Asynchronous copies are
/// counted in groups (LDGDEPBAR closes one, DEPBAR waits until at most so many are open).
///
/// A load *overlaps* if at least half of the compute of one tile lies in its window. A loop is
/// `overlapped` if the loads of all tiles overlap and no barrier keeps the compute from beginning
/// behind them, `serialized` if none overlaps, else `partial`.
///
/// The encoding is not documented; lib/Verify/Sass/Opcodes.def has what is used of it, and the
/// tests compare it with nvdisasm.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_SASS_H
#define CUDA_PIPELINE_SASS_H

#include "cuda-pipeline/Verify.h"
#include "llvm/Support/Error.h"
#include <map>

namespace cuda_pipeline {

/// nvcc hands its arguments to a shell, between double quotes. What that would put something else
/// for must not be among them.
inline bool runsInShell(llvm::StringRef Word) {
  return Word.find_first_of("$`\n") != llvm::StringRef::npos;
}

enum class SassClass : uint8_t {
  Other,
#define CPR_SASS_CLASS(Name, Role, Mnemonics, What) Name,
#include "cuda-pipeline/SassClasses.def"
};
llvm::StringRef toString(SassClass C); ///< "LDG"; "other"

/// What a class is to a tile loop.
enum class SassRole : uint8_t {
  Other,
  GlobalLoad, ///< a register waits for it
  AsyncCopy,  ///< a group of copies does
  BulkCopy,   ///< an mbarrier does
  SharedStore,
  SharedLoad,
  Tensor,
  Math,
  Barrier,
  Commit,
  Wait,
  Local,
  Branch
};
SassRole roleOf(SassClass C);

/// What stands where in the annotated excerpt.
enum class SassMark : uint8_t { Other, Load, Store, Read, Compute, Barrier, Wait, Branch };
llvm::StringRef toString(SassMark M); ///< "load", ...

/// One instruction, as far as it matters here.
struct SassInstruction {
  uint64_t Address = 0; ///< bytes, in its section
  SassClass Class = SassClass::Other;
  std::string Text;  ///< nvdisasm's, else what is known: operation and registers
  unsigned Line = 0; ///< in the file that is verified, through inlined calls; 0: not known

  enum class Flow : uint8_t {
    Next,     ///< on to the next one
    Jump,     ///< to Target
    Indirect, ///< to somewhere in the function
    Call,     ///< and back
    Stop      ///< exit, return, trap
  } Goes = Flow::Next;
  bool Conditional = false; ///< there is a predicate: or on to the next one
  uint64_t Target = 0;

  bool MakesConstant = false; ///< arithmetic in form only

  // Scoreboards. -1: none.
  int8_t Raises = -1;           ///< until the result is there
  int8_t RaisesForSources = -1; ///< until the operands have been read
  uint8_t WaitsFor = 0;         ///< a bit for each scoreboard
  int8_t DepbarScoreboard =
      -1; ///< of DEPBAR: waits until at most DepbarCount are outstanding on it
  unsigned DepbarCount = 0;

  // Registers, for the way of a loaded value into shared memory. Bytes of memory operations.
  unsigned Width = 4;   ///< bytes of a memory access
  int Destination = -1; ///< first register; -1: none
  unsigned DestinationCount = 0;
  struct Operand {
    int Register = -1; ///< first
    unsigned Count = 1;
  };
  std::vector<Operand>
      Sources; ///< that may be registers; more than there are where the form is not known
  int StoredRegister = -1; ///< of stores: the first one of the value
};

/// What ptxas says of a kernel. Bytes; registers per thread.
struct SassResources {
  unsigned Registers = 0;
  uint64_t StackBytes = 0, SpillStoreBytes = 0, SpillLoadBytes = 0;
  uint64_t SharedBytes = 0; ///< static
};

/// A kernel's code. Functions that it calls are in it where they stand in the same section.
struct SassFunction {
  std::string Symbol; ///< mangled
  std::string Name;   ///< as in the source
  std::vector<SassInstruction> Code;
  SassResources Resources;
};

/// \p Cubin: the bytes of a file. \p Arch: "sm_90". \p MainFile: name of the compiled file as nvcc
/// was given it, for lines. Resources are those that the file itself has: not the spills.
llvm::Expected<std::vector<SassFunction>> readCubin(llvm::StringRef Cubin, llvm::StringRef Arch,
                                                    llvm::StringRef MainFile);

/// Puts the text and the operations that nvdisasm or cuobjdump prints in the place of those that
/// readCubin() knows. An error where it prints something else than the instructions of \p
/// Functions.
llvm::Error applyDisassembly(llvm::StringRef Printed, std::vector<SassFunction> &Functions);

//===--- one loop ----------------------------------------------------------===//

/// A tile loop in the source.
struct SassSourceLoop {
  unsigned Line = 0, EndLine = 0;
  std::string Function;      ///< that it stands in
  unsigned BlockThreads = 0; ///< that it is launched with; 0: not known
};

enum class SassOverlap : uint8_t { Overlapped, Partial, Serialized, NoLoads, CannotTell };
llvm::StringRef
toString(SassOverlap O); ///< "overlapped", "partial", "serialized", "no-loads", "cannot-tell"

struct SassExcerptLine {
  uint64_t Address = 0;
  SassClass Class = SassClass::Other;
  SassMark Mark = SassMark::Other;
  unsigned Line = 0;
  std::string Text;
  unsigned Skipped =
      0; ///< not an instruction: so many are left out here; Text: how many of which class
};

struct SassLoop {
  unsigned Line = 0, EndLine = 0; ///< in the source; 0: not known which
  SassOverlap Overlap = SassOverlap::CannotTell;
  std::string Why;       ///< one sentence
  bool Unrolled = false; ///< there is no loop left: straight code
  unsigned Steps = 0;    ///< tiles per turn of the machine's loop; 0: not known
  unsigned Instructions = 0;
  unsigned Loads = 0, OverlappingLoads = 0; ///< of tiles
  bool BarrierBetween = false; ///< between loads and the compute that they are to overlap
  bool WaitBetween = false;    ///< for older loads
  /// What the first load that does not overlap is waited for by; Other also where it has no class.
  std::optional<SassClass> EndedBy;
  unsigned EndedWidth = 0; ///< bytes of that load; 0: all overlap
  std::vector<std::pair<SassClass, unsigned>>
      Counts; ///< in the order of the classes, those that occur
  /// Instructions of compute; a loop within it counts once.
  unsigned Compute = 0;
  bool ComputeInLoops = false; ///< some of it in loops within, which may be unrolled differently
  /// Reads of shared memory per instruction of compute, which unrolling does not change; none where
  /// reads are all that there is. A compiler reads several neighbours at once only where it knows
  /// that they begin at a multiple of as many bytes.
  std::optional<double> ReadsPerCompute;
  std::vector<SassExcerptLine> Excerpt;
};

/// The loop of \p F that \p Source has become; std::nullopt: none of its code is there. Without
/// lines (\p Source.Line is 0) the loop with loads, a barrier and the most compute.
std::optional<SassLoop> analyseLoop(const SassFunction &F, const SassSourceLoop &Source);

//===--- two versions ------------------------------------------------------===//

struct SassVersion {
  std::string File; ///< for messages, and the name under which it is compiled
  std::string Text;
  std::vector<SassSourceLoop> Loops;
};

struct SassRequest {
  SassVersion Old, New;
  std::vector<std::string> Archs;       ///< "sm_90", ...
  std::string Nvcc;                     ///< path
  std::string Disassembler;             ///< path of nvdisasm or cuobjdump; empty: none is there
  std::vector<std::string> NvccFlags;   ///< -std, -I, -D, ...
  std::vector<std::string> Instantiate; ///< kernels with template arguments
  std::map<std::string, unsigned>
      Blocks;         ///< threads of the largest block that a kernel is launched with, by symbol
  unsigned Block = 0; ///< of the others; 0: not known
  unsigned Jobs = 1;
  unsigned TimeoutSeconds = 600; ///< of a compilation
};

enum class SassCompute : uint8_t { Equal, Differs, NotComparable };
llvm::StringRef toString(SassCompute C); ///< "equal", "differs", "not-comparable"

struct SassSide {
  SassResources Resources;
  std::vector<SassLoop> Loops;
};

struct SassKernel {
  std::string Kernel, Symbol;
  Verdict Result = Verdict::CannotTell;
  std::string Reason; ///< one line; empty for a pass
  std::vector<std::string> Remedies;
  SassCompute Compute = SassCompute::NotComparable;
  SassSide Old, New;
};

struct SassArch {
  std::string Arch;
  std::string Compiler;     ///< "nvcc 13.0.88"
  std::string Disassembler; ///< "nvdisasm 13.0.85"; "built-in"
  unsigned Differences = 0; ///< instructions that it classifies otherwise than the built-in reader
  std::vector<SassKernel> Kernels;
  Verdict verdict() const; ///< without kernels: cannot tell
};

struct SassReport {
  std::string Old, New;
  std::vector<SassArch> Archs;
  std::string Repeat; ///< the command that does it again
  Verdict verdict() const;
};

/// nvcc could not be run, or does not compile a version: which one, and its first line.
class SassError : public llvm::ErrorInfo<SassError> {
public:
  static char ID;
  SassError(bool CannotRun, std::string Message)
      : CannotRun(CannotRun), Message(std::move(Message)) {}
  /// It cannot be done on this machine; else an input is in error.
  bool cannotRunHere() const { return CannotRun; }
  void log(llvm::raw_ostream &OS) const override { OS << Message; }
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }

private:
  bool CannotRun;
  std::string Message;
};

llvm::Expected<SassReport> checkSass(const SassRequest &Request);

/// What nvcc makes of the new version that it does not of the old one, for each architecture:
/// spills, and more registers than a block can have. An error: it does not compile it; a SassError
/// that cannotRunHere() is not about it.
llvm::Expected<std::vector<std::string>> compareResources(const SassRequest &Request);

/// What ptxas says of a kernel that both versions have.
struct KernelResources {
  std::string Arch, Kernel, Symbol;
  SassResources Old, New;
};
/// Of all of them, for each architecture; the code is not looked at.
llvm::Expected<std::vector<KernelResources>> countResources(const SassRequest &Request);

void writeText(const SassReport &Report, llvm::raw_ostream &OS);
llvm::json::Value toJSON(const SassReport &Report);

} // namespace cuda_pipeline

#endif
