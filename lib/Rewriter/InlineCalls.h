//===- InlineCalls.h - Copies that are made in called functions -----------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// A load phase that calls a function which fills the tile can be split only where the loads and
/// the stores stand side by side. So the call is replaced by the function's text, and the file is
/// read again:
///
///   loadTile<BM, BK>(A, As, t);       { // loadTile
///                                       const float *from = A;     // the parameters that mean
///                                       something else
///                                       ...                        // the body, as it stands in
///                                       the function
///                                     }
///
/// In a method's text the members have the object in front of them: a variable by its name, another
/// one by that of a reference (`auto &self = tile[i];`).
///
/// A `return` that is not its end becomes a branch: `if (c) return; rest` is `if (!(c)) { rest }`.
///
/// The same is done with a lambda that has the tile loop in it and is called in one place: the call
/// gives way to the loop, and the lambda, which nobody calls any more, is taken out; and with a
/// function that has the loop and is given the tiles: each of its calls gives way to the loop,
/// which there has the tiles of that caller and is looked at with them.
///
/// Names in that text may mean something else at the new place. So what was read of the function's
/// own body, in each instantiation, is compared with what is read at the new place, name by name
/// and type by type; only if the two are the same is the rest of the tool given the new text.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_REWRITER_INLINECALLS_H
#define CUDA_PIPELINE_LIB_REWRITER_INLINECALLS_H

#include "cuda-pipeline/Edits.h"
#include "cuda-pipeline/TileModel.h"
#include <map>
#include <set>
#include <string>
#include <vector>

namespace cuda_pipeline {

/// A call statement of the main file with what takes its place.
struct InlinedCall {
  unsigned Offset = 0, Length = 0; ///< bytes of the main file
  std::string Text;                ///< begins with a brace, behind so many bytes:
  unsigned Lead = 0;
  bool HasValue = false; ///< the block ends with an assignment of what the function returns
  std::string Function;  ///< as the user calls it
  /// Of each parameter of the function and of its template: its name in the new text. Those
  /// declared there come first in the block, Declared many statements; the others are what they are
  /// outside.
  std::vector<std::string> Names;
  unsigned Declared = 0;
  /// The reference that stands for the object of a method, and is declared first. Empty: there is
  /// none.
  std::string ObjectName;
  /// Another instantiation of a template than those that are seen may find something else in the
  /// text: the rewrite holds for the known arguments.
  bool PinsArguments = false;
  /// Where the lines of the text are to be found in the file, those behind the brace and the
  /// declarations: their numbers, and what is to be added to columns. Empty: they are where the
  /// call is.
  std::vector<unsigned> FileLines;
  int ColumnShift = 0, FirstShift = 0;
  /// Nothing takes its place: a lambda that is not called any more.
  bool isRemoval() const { return Text.empty(); }
  /// What the body means, in each instantiation of the function with the call.
  std::set<std::string> Meanings;
};

/// What is returned in the place of a call, by where its text begins, has a name of its own in all
/// of the file, and in all instantiations the same.
using ValueNames = std::map<unsigned, std::string>;

/// Why a call cannot be written out.
struct CallObstacle {
  std::string Why;
  clang::SourceLocation Where; ///< of the call; invalid: it is about the loop as such
};

/// The text of a function with a tile loop stands in so many places at most: more of it is nothing
/// that anybody wants to read.
constexpr size_t MostPlaces = 4;

/// The calls of the load phase of \p Model that write shared memory, or of the lambda or the
/// function that has the loop in it, each as a statement that can be replaced, and lambdas that can
/// go then. Empty: not all of them can be, and \p WhyNot has each that cannot. \p Source: of the
/// main file, of which \p LeftOut are left out by the preprocessor. \p Values: names that have been
/// given.
std::vector<InlinedCall> inlineCalls(const TileModel &Model, clang::ASTContext &Context,
                                     const SourceText &Source,
                                     llvm::ArrayRef<std::pair<unsigned, unsigned>> LeftOut,
                                     ValueNames &Values, std::vector<CallObstacle> &WhyNot);

/// A function that the load phase calls stores to shared memory by inline assembly that can be said
/// otherwise (Rewordings.h) where it stands.
bool storesByAssembly(const TileModel &Model, clang::ASTContext &Context);

/// A function that the load phase calls stores by a pointer in an object, which may lead to shared
/// memory, and to where another pointer in the object leads.
bool storesByObject(const TileModel &Model);

/// \p Call stands at \p Offset of the main file of \p Context, and there it means what it meant. \p
/// MayBeUnused: the file is a header, and what is instantiated of it may be in another translation
/// unit.
bool meansTheSame(const InlinedCall &Call, unsigned Offset, clang::ASTContext &Context,
                  bool MayBeUnused);

/// The `//` comments of \p Text that go on in the next line, sorted and without blanks. What is put
/// behind the first line of one would be in it, and without its last line it would take in the
/// next: whoever edits \p Text has the same ones afterwards.
std::vector<std::string> commentsThatGoOn(llvm::StringRef Text);

} // namespace cuda_pipeline

#endif
