//===- PtxText.h - What the instructions of an asm statement do -----------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// The one place where the text of inline assembly is read.
///
/// It is understood where each of its instructions either computes on registers (`mma.sync`, `cvt`,
/// `fma`, a shuffle) or is a plain load (`ldmatrix`, `ld.shared`, `ld.global`), or where it is a
/// barrier and no more. PTX writes each place in memory in brackets, so that nothing else has an
/// address (PTX ISA 8.5, section 6.4, "Operand addresses"). What stores, waits, branches, or is not
/// listed is not understood.
///
/// A clobbered "memory" keeps the compiler from moving other accesses across the statement. The
/// instructions do what they do with it or without; a barrier without it orders nothing that the
/// compiler knows of.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_MODEL_PTXTEXT_H
#define CUDA_PIPELINE_LIB_MODEL_PTXTEXT_H

#include "KnownFunctions.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Stmt.h"
#include <vector>

namespace cuda_pipeline {

/// One instruction that reads memory. All addresses are per thread.
struct PtxLoad {
  const clang::Expr *Address =
      nullptr;        ///< an operand: a pointer, or an address of shared memory as a number
  int64_t Offset = 0; ///< bytes, of `[%1 + 16]`
  unsigned Bytes = 0;
  bool Shared = false; ///< the number is an address of shared memory
};

/// One `st.shared` of the thread (PTX ISA 8.5, section 9.7.8.12): not volatile, ordered, or to
/// another block.
struct PtxStore {
  const clang::Expr *Address = nullptr;    ///< an operand: an address of shared memory as a number
  bool IsPointer = false;                  ///< no: a pointer, which the statement converts itself
  int64_t Offset = 0;                      ///< bytes, of `[%0 + 16]`
  char Kind = 0;                           ///< of an element: f, b, u or s
  unsigned Bits = 0;                       ///< of an element
  std::vector<const clang::Expr *> Values; ///< operands: one, two or four
  /// An operand of 32 bits: it happens where that is not 0 (where it is, with Unless). Null:
  /// always.
  const clang::Expr *If = nullptr;
  bool Unless = false;
};

/// The statement is one instruction about asynchronous copies of the thread, and no more (PTX
/// ISA 8.5, section 9.7.8.24).
struct PtxCopy {
  enum {
    None,
    Copy,   ///< cp.async.ca or .cg from global to shared memory
    Commit, ///< cp.async.commit_group
    Wait,   ///< cp.async.wait_group 0: for all that was committed
    WaitAll ///< cp.async.wait_all: also for what was not
  } Is = None;
  const clang::Expr *To = nullptr;   ///< an address of shared memory, as a number
  const clang::Expr *From = nullptr; ///< a pointer, or an address as a number
  unsigned Bytes = 0;                ///< 4, 8 or 16
  /// How many of the bytes are copied; zeros for the others. Null: all.
  const clang::Expr *Size = nullptr;
};

/// What the instructions may do with memory that their operands do not name.
enum class PtxMemory { Nothing, Reads, Anything };

struct PtxText {
  bool Understood = false;
  std::vector<PtxLoad> Loads;
  /// Barrier: `bar.sync 0` alone, which is __syncthreads(). WarpBarrier: `bar.warp.sync` alone.
  /// BarrierOther: there is another barrier among the instructions. Pure: none, and all are
  /// understood. Otherwise Unknown.
  FunctionKind Function = FunctionKind::Unknown;
  PtxMemory Memory = PtxMemory::Anything; ///< where it is not understood
  bool MovesOnly = false; ///< understood, and each output is one of the inputs, maybe as an address
                          ///< of another space
  bool OrdersMemory =
      false; ///< it is volatile and clobbers "memory": the compiler moves no access across it
  bool CopiesAsync = false; ///< starts a cp.async
  bool WaitsForCopies = false,
       AboutCopies = false; ///< of cp.async: waits; waits, commits or starts
  PtxCopy Copy;
  std::vector<PtxStore> PlainStores; ///< the statement is these, one after the other, and no more
  bool TensorCores = false;          ///< mma.sync, wgmma
  /// By their words, also where the whole is not understood: it stores to shared memory, or
  /// somewhere; it loads from anywhere but there.
  bool StoresShared = false, Stores = false, LoadsElsewhere = false;
  bool OfTheWarp = false; ///< understood, and its threads work together: a shuffle, ldmatrix
  bool Exits = false;     ///< ends the thread
  bool LoadsAnew =
      false; ///< sees what another block writes meanwhile: volatile, atomic, past the first cache
  bool MayLoop =
      false;          ///< it branches and looks at memory, or sleeps: it may wait for another block
  bool Calls = false; ///< a function, which is not seen
  /// What it may look at in shared memory: for each place the operands that its address may be made
  /// of. Without any, the place is a number or a name in the text.
  std::vector<std::vector<const clang::Expr *>> SharedPlaces;
  /// Inputs that are nothing but addresses in brackets: nothing else is made of their values. Also
  /// of what is not understood as a whole.
  std::vector<const clang::Expr *> OnlyAddresses;
};

PtxText readPtx(const clang::GCCAsmStmt *Asm, const clang::ASTContext &Context);

/// It computes on registers, and loads, if at all, where pointers point to: what it does depends on
/// its operands and on that memory alone, and it may run earlier as an expression may.
bool isLikeExpression(const clang::GCCAsmStmt *Asm, const clang::ASTContext &Context);

} // namespace cuda_pipeline

#endif
