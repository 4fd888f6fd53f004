//===- Symbols.h - Unknown numbers, and what is known of them -------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// The symbols that one turn of the tile loop is run with, as parameters of isl sets. There are
/// three kinds:
///
///   Uniform   has one value for the block in this turn: kernel parameters, blockIdx, the loop's
///   own
///             counter, the extents of the block where they are not known.
///   Range     takes every value that the set it is used in allows: threadIdx.x, .y and .z,
///   counters of
///             inner loops.
///   Private   has some value, in each thread and each turn of the inner loops in its nest: what is
///   loaded
///             from memory, what is not quasi-affine.
///
/// What may happen is the projection along Range and Private symbols. What happens for certain
/// holds for every value of the Private ones first, and then for some value of the Range ones: in
/// this order, for a Private symbol is a function of the thread and of the turns in its nest.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_ANALYSIS_SYMBOLS_H
#define CUDA_PIPELINE_LIB_ANALYSIS_SYMBOLS_H

#include "Isl.h"
#include "clang/AST/ASTContext.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <optional>
#include <string>

namespace cuda_pipeline {

enum class SymbolKind { Uniform, Range, Private };

/// The inner loops around something, outermost first: the symbols of their counters.
using LoopNest = llvm::SmallVector<std::string, 2>;

/// Both or none of them.
struct Bounds {
  IslVal Least, Most;
  explicit operator bool() const { return bool(Least); }
};

struct Symbol {
  SymbolKind Kind = SymbolKind::Private;
  LoopNest Nest;    ///< in each turn of these loops it may have another value
  Bounds Fact;      ///< true wherever it is used
  std::string Text; ///< as the user knows it; empty: it has no name
  /// It stands for something that was not followed: what it can be hangs on other symbols in ways
  /// that nobody knows of.
  bool Lost = false;
  /// It is what is found in memory, which may be anything; but another symbol may stand for the
  /// same place, and has the same value then.
  bool OfMemory = false;
  /// Of a Uniform one: it has the same value in each turn.
  bool Steady = false;
  /// The variable of which it is the value all through the loop, and when this is reached; null:
  /// none, or not known.
  const clang::VarDecl *Variable = nullptr;
};

class Symbols {
public:
  /// Past \p MaxOperations isl gives up, and every answer is "unknown".
  explicit Symbols(unsigned long MaxOperations);

  isl_ctx *isl() const { return Isl.get(); }
  void allow(unsigned long MaxOperations) { Isl.allow(MaxOperations); }
  bool exhausted() const { return Isl.exhausted(); }
  /// Sets without dimensions: conditions on the symbols.
  const IslSet &always() const { return Always; }
  IslSet never() const;
  IslSet negation(const IslSet &S) const { return Always - S; }

  std::string add(SymbolKind Kind, LoopNest Nest, std::string Text = "");
  /// With a name of its own (threadIdx, blockDim).
  void add(llvm::StringRef Name, Symbol S) { Table[Name] = std::move(S); }
  void know(llvm::StringRef Name, const Bounds &Fact);
  void isLost(llvm::StringRef Name, bool Lost = true) { Table[Name].Lost = Lost; }
  void isOfMemory(llvm::StringRef Name, bool Is) { Table[Name].OfMemory = Is; }
  void isSteady(llvm::StringRef Name, bool Is) { Table[Name].Steady = Is; }
  void isValueOf(llvm::StringRef Name, const clang::VarDecl *Var) { Table[Name].Variable = Var; }
  const Symbol *find(llvm::StringRef Name) const;

  IslPwAff constant(int64_t N) const;
  IslPwAff use(llvm::StringRef Name) const;
  /// The number, when it is a plain one.
  std::optional<int64_t> asConstant(const IslPwAff &A) const;
  /// The symbol that it is, and nothing else.
  std::optional<std::string> asSymbol(const IslPwAff &A) const;
  IslPwAff scaled(const IslPwAff &A, int64_t By) const;
  /// The factor of the symbol in a plain sum; 0: it is no such sum, or has no such term.
  int64_t factorOf(llvm::StringRef Name, const IslPwAff &A) const;
  IslSet between(const IslPwAff &A, int64_t Lo, int64_t Hi) const;
  Bounds bounds(int64_t Lo, int64_t Hi) const;
  /// Values of the integral type \p T; none known when it is wider than 64 bits.
  Bounds valuesOf(clang::QualType T, const clang::ASTContext &Context) const;
  /// Null when the type is wider than 64 bits.
  IslSet inType(const IslPwAff &A, clang::QualType T, const clang::ASTContext &Context) const;

  /// \p S where the facts of one symbol hold, or of all symbols that a set speaks of.
  IslSet withFact(const IslSet &S, const char *Name) const;
  IslSet withFacts(const IslSet &S, const IslSet &Of) const;
  IslSet withFacts(const IslSet &S) const { return withFacts(S, S); }
  /// For some value of the symbols of this kind, among those that the facts allow.
  IslSet forSome(const IslSet &S, SymbolKind Kind) const;
  /// For every value of the Private symbols that the facts allow.
  IslSet forEveryPrivate(const IslSet &S) const;
  /// The same set over other symbols: those that \p Keep does not hold for get a new name.
  IslSet renamed(const IslSet &S,
                 llvm::function_ref<bool(llvm::StringRef, const Symbol &)> Keep) const;
  IslPwAff renamed(const IslPwAff &A,
                   llvm::function_ref<bool(llvm::StringRef, const Symbol &)> Keep) const;
  bool speaksOf(const IslSet &S, SymbolKind Kind) const;
  bool speaksOf(const IslPwAff &A, SymbolKind Kind) const;
  bool speaksOf(const IslPwAff &A, llvm::StringRef Name) const;
  /// It has the same value in each turn, and for all threads.
  bool isSteady(const IslPwAff &A) const;
  /// Of something that was not followed.
  bool speaksOfLost(const IslSet &S) const;
  bool speaksOfLost(const IslPwAff &A) const;
  /// Adds the symbols of memory that it speaks of.
  void addOfMemory(const IslSet &S, llvm::StringSet<> &To) const;
  /// For some value of all symbols but the Uniform ones; a condition on these.
  IslSet onUniform(const IslSet &S) const;
  /// As isl writes it, with the user's names in place of the symbols'.
  std::string text(IslSet S) const;
  std::string text(IslPwAff A) const;
  static std::string otherName(llvm::StringRef Name) { return (Name + "'").str(); }

private:
  IslContext Isl; // before everything that lives in it
  IslSet Always;
  llvm::StringMap<Symbol> Table;
};

inline IslSet compare(isl_set *(*How)(isl_pw_aff *, isl_pw_aff *), const IslPwAff &A,
                      const IslPwAff &B) {
  return IslSet(How(A.take(), B.take()));
}

} // namespace cuda_pipeline

#endif
