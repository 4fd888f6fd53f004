//===- ElementWords.h - Elements of tiles, in the words of the text -----------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// What a copy in other words than an assignment stores to, and from where, as the two sides of an
/// assignment: `&tile[i]` as `tile[i]`, `__cvta_generic_to_shared(tile) + i * 16` as an element of
/// 16 bytes of the tile.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_REWRITER_ELEMENTWORDS_H
#define CUDA_PIPELINE_LIB_REWRITER_ELEMENTWORDS_H

#include "Rewordings.h"
#include "llvm/ADT/SetVector.h"

namespace cuda_pipeline {

class ElementWords {
public:
  /// \p M: of a loop that was looked into.
  ElementWords(const TileModel &M, clang::ASTContext &Context) : M(M), Context(Context) {}

protected:
  const TileModel &M;
  clang::ASTContext &Context;
  /// Variables whose values stand in their places now.
  llvm::SmallSetVector<const clang::VarDecl *, 4> Replaced;

  /// Declarations of addresses that nobody asks for any more.
  void takeOutUnused(llvm::ArrayRef<const clang::Stmt *> Gone, Rewording &Out) const;
  bool replace(const clang::Stmt *S, const std::string &Text, Rewording &Out) const;
  /// The expression of a pointer without conversions to `void *`, also those that are written out.
  static const clang::Expr *pointer(const clang::Expr *E);
  /// What it points to, without const; null for what has no size.
  clang::QualType pointee(const clang::Expr *E) const;
  /// A value of it can be read and written, byte by byte the same.
  bool isPlain(clang::QualType T) const;
  static bool vectorOf(llvm::StringRef Name);
  /// A type of \p Bytes for elements of the type \p T.
  std::string wide(clang::QualType T, uint64_t Bytes) const;
  std::string text(const clang::Expr *E) const;
  static bool isPostfix(const clang::Expr *E);
  /// What the pointer points to, as a value of \p As; empty: of its own type.
  std::string element(const clang::Expr *Pointer, const std::string &As, bool Const) const;

  //===-- Addresses that are numbers ------------------------------------------------===//

  /// A pointer, and how much is added to it.
  struct SharedPlace {
    const clang::Expr *Pointer = nullptr;
    struct Term {
      const clang::Expr *Value;
      int64_t Bytes; ///< for each of its units
    };
    std::vector<Term> Terms;
    int64_t Bytes = 0;
    int64_t Unit = 1; ///< all are multiples of
  };

  /// Where \p Bytes are copied to; \p Offset: how many bytes behind \p E.
  std::optional<SharedPlace> sharedPlace(const clang::Expr *E, const clang::Stmt *Where,
                                         int64_t Bytes, int64_t Offset = 0);
  /// `__cvta_generic_to_shared(&tile[0]) + i * 16`, maybe by the names of variables.
  bool addressTerms(const clang::Expr *E, const clang::Stmt *Where, SharedPlace &Out,
                    std::vector<const clang::VarDecl *> &Through) const;
  /// The pointer, or what a variable of a type without elements was set to.
  const clang::Expr *withElements(const clang::Expr *Pointer, const clang::Stmt *Where,
                                  std::vector<const clang::VarDecl *> &Through) const;
  /// Between integers of 32 bits and more, which are the same places in shared memory.
  const clang::Expr *withoutConversions(const clang::Expr *E) const;
  /// Of a number whose range is known, so that none of its parts wraps around.
  bool offsetTerms(const clang::Expr *E, int64_t Scale, SharedPlace &Out) const;
  /// What the variable was set to is the same where it is used, and the names in it mean the same.
  bool sameStill(const clang::VarDecl *Var, const clang::Stmt *Where) const;
  bool keptBetween(const clang::CompoundStmt *Block, const clang::VarDecl *Var,
                   const clang::Stmt *Where, const DeclSet<clang::VarDecl> &Named) const;
  /// Anything but variables.
  bool readsMemory(const clang::Expr *E) const;
  static const clang::CompoundStmt *blockWith(const clang::VarDecl *Var, const clang::Stmt *S);
  /// The element of \p Bytes there, of the pointer's own type or \p As.
  std::string elementAt(const SharedPlace &P, const std::string &As, unsigned Bytes) const;
  /// The pointer as what an index follows.
  std::string indexed(const clang::Expr *Pointer, const std::string &As, bool Const) const;
};

} // namespace cuda_pipeline

#endif
