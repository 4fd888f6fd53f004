//===- KnownFunctions.h - What CUDA's own functions do --------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// The effects of the functions that CUDA provides, by qualified name: the same with a toolkit's
/// headers as with the bundled declarations. A function that is not listed and whose body is not
/// visible is unknown, and unknown means refuse.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_MODEL_KNOWNFUNCTIONS_H
#define CUDA_PIPELINE_LIB_MODEL_KNOWNFUNCTIONS_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/StringRef.h"

namespace cuda_pipeline {

enum class FunctionKind {
  Unknown,
  Pure,           ///< value depends on the arguments only (reference parameters are written)
  SeveralResults, ///< computes on values, and writes results to where its pointers point
                  ///< (`sincosf`)
  LoadPointer,    ///< reads what argument 0 points to (`__ldg`)
  LoadTexture,    ///< what a texture holds at the place that its arguments say (`tex2D`)
  StorePointer,   ///< writes what argument 0 points to (`__stcg`)
  MemoryCopy,    ///< copies bytes that hold no address from where argument 1 points to where 0 does
  Atomic,        ///< reads and writes what argument 0 points to
  FragmentLoad,  ///< wmma::load_matrix_sync(fragment, pointer, ...)
  FragmentStore, ///< wmma::store_matrix_sync(pointer, fragment, ...)
  FragmentMath,  ///< wmma::mma_sync, fill_fragment: on registers only
  Warp,          ///< warp-level exchange or vote, on registers only
  WarpBarrier,   ///< __syncwarp
  Barrier,       ///< block-wide, no value: __syncthreads
  BarrierValue,  ///< block-wide with a value: __syncthreads_count
  BarrierOther,  ///< named, counted or unknown set of threads
  GridBarrier,   ///< cooperative groups grid sync
  Fence,         ///< __threadfence*
  AsyncCopy,     ///< cp.async and its commit/wait, memcpy_async
  Print,         ///< printf
  Trap,          ///< __trap, assert's failure, exit
  Clock          ///< clock, globaltimer, nanosleep
};

/// A call returns what is loaded.
inline bool isLoad(FunctionKind Kind) {
  return Kind == FunctionKind::LoadPointer || Kind == FunctionKind::LoadTexture;
}

/// What \p Function does, if it is a library's; a user's own function may have the name of one of
/// CUDA's
/// (`__ldg`, `__syncthreads` with an argument) and is what its body says: Unknown.
FunctionKind classifyFunction(const clang::FunctionDecl *Function,
                              const clang::ASTContext &Context);

/// What a call of it with \p Arguments does: `__barrier_sync(0)` waits for the whole block.
FunctionKind classifyCall(const clang::FunctionDecl *Function,
                          llvm::ArrayRef<const clang::Expr *> Arguments,
                          const clang::ASTContext &Context);

/// The same by the name alone, which is \p QualifiedName as Clang prints it, without template
/// arguments.
FunctionKind classifyFunctionName(llvm::StringRef QualifiedName);

/// One of CUDA's own atomic functions, all of which are relaxed: it orders nothing but itself.
bool isAtomicUpdate(llvm::StringRef QualifiedName);

/// A fragment of wmma in memory: so many lines, each of so many elements beside each other.
struct FragmentShape {
  unsigned Lines = 0, Length = 0;
  bool IsOperand = false; ///< of a product; else a sum
  bool AlongK = false;    ///< of an operand: elements of a line are multiplied and added up
};
/// \p Fragment: its type. \p Layout: of an accumulator, `wmma::mem_row_major`; null: there is none.
/// None: it is no such type, or the layout is no constant.
std::optional<FragmentShape> fragmentShape(clang::QualType Fragment, const clang::Expr *Layout,
                                           const clang::ASTContext &Context);

} // namespace cuda_pipeline

#endif
