//===- Rewordings.h - The same loop in other words ------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// What a loop does can be said in several ways, and the tool understands some of them. These
/// change the text alone, statement by statement, in ways that are exact whatever the loop does;
/// whether the loop may be pipelined is for the rest of the tool.
///
///   exit       for (;;) { if (t >= n) break; ...          while (t < n) { ...
///              for (...; c; ...) { if (d) break; ...      for (...; c && !d; ...) { ...
///              while (true) { ... if (d) break; }         do { ... } while (!d);     without
///              `continue`
///
///   continue   if (c) continue; ...                       if (!c) { ... }     behind the last
///   barrier
///
///   branches   if constexpr (c)                           if (c)     in a template's load phase,
///   where both are good code
///
///   blocks     for (..) { { __syncthreads(); .. } }         for (..) { __syncthreads(); .. }
///
///   skips      for (..) { if (c) { .. barrier .. } }      for (..) { if (!(c)) continue; ..
///   barrier
///   .. }
///
///   arms       if (c) { A; barrier; B; barrier; }     const bool arm = c;
///              else { C; barrier; D; barrier; }       if (arm) { A; } else { C; }
///                                                     barrier; if (arm) { B; } else { D; } ..
///
///   chains     S[i] = T[i] = 0;                           S[i] = 0; T[i] = 0;
///
///   commas     S[i] = A[j], T[i] = B[j];              S[i] = A[j]; T[i] = B[j];
///
///   declarations
///              float a = A[i], b = B[j];                  float a = A[i]; float b = B[j];   in the
///              load phase
///
///   choices    v = in ? f(A[i], B[i]) : 0;                if (in) v = f(A[i], B[i]); else v = 0;
///   in the load phase
///
///   jumps      for (..; i < 64; ..) {                  for (..; i < 64 && k + i < n; ..) {
///                if (k + i >= n) break;
///                if (!in[i]) continue; ..                if (in[i]) { ..     in the load phase
///              switch (m) { case 0: .. break; ..         if (m == 0) { .. } else ..
///              do { .. } while (0);                      { .. }
///              int i = tx; while (i < n) { ..; ++i; }    for (int i = tx; i < n; ++i) { .. }
///
///   conditions if (mask[i] > 0) s[j] = A[i];              const bool guard = mask[i] > 0;
///   in the load phase                                     if (guard) s[j] = A[i];
///
///   copies     __pipeline_memcpy_async(&s[i], &g[j], 4);  s[i] = g[j];
///              __pipeline_commit();
///              __pipeline_wait_prior(0);
///
///              cp.async by inline assembly, cuda::memcpy_async with a cuda::pipeline of the
///              thread, and __device__ functions around one of these: the same. An address that is
///              a number is written as the pointer that it was made of.
///
///              cg::memcpy_async(block, s, g, bytes);      for (i = block.thread_rank(); ...) s[i]
///              = g[i]; cg::wait(block);                           block.sync();
///
///   stores     memcpy(&s[i], &g[j], 4);                   s[i] = g[j];     in the load phase
///
///              asm("st.shared.f32 [%0], %1;"              s[i] = v;     by an address that is made
///                  :: "r"(address), "f"(v));              of a pointer, as below
///
///   objects    Copy c{s, g}; c.to[i] = c.from[j];         float *c_to = s; const float *c_from =
///   g;
///                                                         c_to[i] = c_from[j];
///
///   counters   int l; for (l = 0; ..) ..              for (int l = 0; ..) ..
///              if (k + step > n) step = n - k;        step = k + step > n ? n - k : step;
///
///   clamps     int m = 64;                            int m = 64 > n - k ? n - k : 64;
///              if (m > n - k) m = n - k;
///
///   steps      in = min(left, 64); load barrier       in = min(left, 64); left -= in; load barrier
///              compute left -= in; barrier            compute barrier
///
///   callees    constexpr auto f = skew<4>; f(i)       constexpr auto f = skew<4>; (skew<4>)(i)
///
///   last       for (..) { .. barrier load barrier }       for (..) { if (t != 0) load' barrier ..
///   barrier }
///
///   directives for (..) { #ifdef A .. #else .. #endif }    the loop of this build, and in #else
///   the loop as it was; also where a function that fills the tile has them
///
///   set first  int i; for (..) { i = k + tx; ..       int i; for (..) { int i = k + tx; ..
///
///   width      for (i = tid; i < N; i += 128)         for (i = tid * 4; i < N; i += 128 * 4)
///                s[i] = A[j + i];                       *(float4 *)&s[i] = *(float4 *)&A[j + i];
///
///   layout     half As[BM][BK];                       constexpr int As_PITCH = BK + 8;
///                                                     half As[BM][As_PITCH];
///
/// Asynchronous copies that are waited for at once do what plain ones do, if nothing else is under
/// way: all of the function's are in loops, from the first copy of a turn to the wait directly in
/// the body.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_REWRITER_REWORDINGS_H
#define CUDA_PIPELINE_LIB_REWRITER_REWORDINGS_H

#include "../Model/OtherMeanings.h"
#include "cuda-pipeline/CopyWidth.h"
#include "cuda-pipeline/Edits.h"
#include "cuda-pipeline/TileLayout.h"
#include "cuda-pipeline/TileModel.h"
#include <map>
#include <set>
#include <string>
#include <vector>

namespace cuda_pipeline {

/// Where a new line was before: its number; 0: nowhere. And what is to be added to its columns.
struct LineFrom {
  unsigned Number = 0;
  int Shift = 0;
};

/// New lines, each with its line break in front, and where each comes from.
struct MadeLines {
  std::string Text;
  std::vector<LineFrom> From;
  void add(const std::string &Line, LineFrom Of = {});
  /// The lines of \p Lines, of which the first was number \p Number of the file: each at \p Indent,
  /// and as much deeper as it was than the first one with something in it.
  void addMoved(llvm::StringRef Lines, unsigned Number, const std::string &Indent);
};

struct Rewording {
  std::vector<Edit> Edits; ///< of the main file, not overlapping, by offset
  /// Of an edit, by its offset, that puts other lines of the file there: the new lines behind the
  /// first line break. The others are where they stand now.
  std::map<unsigned, std::vector<LineFrom>> LinesOf;
  std::vector<std::string> Said; ///< what is changed, for the report
  /// The new words may be slower than the old ones: not for who asks for no variant.
  bool MaySlowDown = false;
  /// The loop as it was stays beside the new words, for builds that this one knows nothing about.
  bool KeepsOldText = false;
  /// Another instantiation of a template than those that are seen may have to be said otherwise.
  bool PinsArguments = false;
  /// Where that is so: a place in the loop. 0: where something is changed.
  unsigned PinAt = 0;
  bool empty() const { return Edits.empty(); }
  bool operator==(const Rewording &O) const { return Edits == O.Edits; }
  void add(Rewording More);
};

/// Copies of several elements at once (CopyWidth.h). One of \p Widths that cannot be said in the
/// text stays as it is; of the others \p Tests gets what is asked in front of the loop.
Rewording rewordWidth(const TileModel &Model, const clang::ASTContext &Context,
                      const SourceText &Source, llvm::MutableArrayRef<CopyWidth> Widths,
                      std::vector<std::string> *Tests = nullptr);

/// Of a loop that is rewritten in any case: tiles with longer rows (TileLayout.h). One of \p
/// Layouts that cannot be said in the text stays as it is.
Rewording rewordLayout(const TileModel &Model, const clang::ASTContext &Context,
                       const SourceText &Source, llvm::MutableArrayRef<TileLayout> Layouts);

/// Empty: there is nothing to be said otherwise, or it cannot be. \p Taken: names that new ones
/// must avoid.
Rewording reword(const TileModel &Model, clang::ASTContext &Context,
                 const std::set<std::string> &Taken);

/// Its parts: a `break` that belongs into the condition,
Rewording rewordExit(const TileModel &Model, clang::ASTContext &Context);
/// a `continue` behind the last barrier,
Rewording rewordContinue(const TileModel &Model, clang::ASTContext &Context);
/// barriers in a block of the body,
Rewording rewordBlocks(const TileModel &Model, clang::ASTContext &Context);
/// barriers in both arms of an `if`,
Rewording rewordArms(const TileModel &Model, clang::ASTContext &Context,
                     const std::set<std::string> &Taken);
/// counters that several loops share, or that both phases need and one sets,
Rewording rewordCounters(const TileModel &Model, clang::ASTContext &Context);
/// variables that each turn sets first,
Rewording rewordSetFirst(const TileModel &Model, clang::ASTContext &Context);
/// and asynchronous copies.
Rewording rewordCopies(const TileModel &Model, clang::ASTContext &Context,
                       const std::set<std::string> &Taken);

/// In front of all these, and the same for all instantiations: branches that one of them leaves
/// out.
Rewording rewordBranches(const TileModel &Model, clang::ASTContext &Context);

/// Whatever the loop is refused for: declarations of several variables in the load phase.
Rewording rewordDeclarations(const TileModel &Model, clang::ASTContext &Context);

/// The same: conditions and bounds of the load phase that are loaded.
Rewording rewordConditions(const TileModel &Model, clang::ASTContext &Context,
                           const std::set<std::string> &Taken);

/// The same: jumps in the load phase that say what is copied.
Rewording rewordJumps(const TileModel &Model, clang::ASTContext &Context);

/// Branches of the preprocessor in the loop. \p LeftOut: stretches of the main file that this build
/// leaves out, from byte to byte.
Rewording rewordDirectives(const TileModel &Model, const clang::ASTContext &Context,
                           const SourceText &Source,
                           llvm::ArrayRef<std::pair<unsigned, unsigned>> LeftOut);

/// What the preprocessor decides in a stretch of the main file.
struct DecidedBranches {
  std::vector<std::string> Conditions; ///< operands of `&&`, all of which hold in this build
  /// Directives, and what this build leaves out: whole lines, from byte to byte.
  std::vector<std::pair<unsigned, unsigned>> Gone;
};
/// Of a function's body. None: it has no directives but pragmas, or others, or they are not
/// understood.
std::optional<DecidedBranches> branchesOf(const clang::Stmt *Body, const clang::ASTContext &Context,
                                          const SourceText &Source,
                                          llvm::ArrayRef<std::pair<unsigned, unsigned>> LeftOut);
/// The conditions of all `#if` in the first branch of which \p At stands. None: between \p Body and
/// there something may change what \p Asked ask.
std::optional<std::set<std::string>> branchesAt(clang::SourceLocation At, const clang::Stmt *Body,
                                                llvm::ArrayRef<std::string> Asked,
                                                const clang::ASTContext &Context,
                                                const SourceText &Source);

/// The same: what the load phase stores by other words than an assignment.
Rewording rewordStores(const TileModel &Model, clang::ASTContext &Context,
                       const std::set<std::string> &Taken);

/// Values that the load phase sets in two statements, one of them under a condition.
Rewording rewordClamps(const TileModel &Model, clang::ASTContext &Context,
                       const std::set<std::string> &Taken);

/// Steps behind the load phase that the next one needs.
Rewording rewordSteps(const TileModel &Model, clang::ASTContext &Context);

/// Calls through pointers that are constants.
Rewording rewordCallees(const TileModel &Model, const clang::ASTContext &Context);

/// If nothing else helps: a load phase that ends its turn,
Rewording rewordLast(const TileModel &Model, clang::ASTContext &Context, const SourceText &Source);

/// and objects of which only members are named.
Rewording rewordObjects(const TileModel &Model, clang::ASTContext &Context,
                        const std::set<std::string> &Taken);

/// Of `if (c) break;`, and nothing else, the condition; null: it is something else.
const clang::Expr *conditionOfExit(const clang::Stmt *S);
/// Of `if (c) { ..; continue; }` the `continue`; null: it is something else.
const clang::ContinueStmt *continueAtTheEnd(const clang::Stmt *S);
/// As a condition and an operand of `&&`, that \p C does not hold. Empty: it is a macro's.
std::string negated(const clang::Expr *C, const clang::ASTContext &Context);
/// \p TextOf: of expressions in other files, or with other words in them; empty: it has none.
std::string negated(const clang::Expr *C,
                    llvm::function_ref<std::string(const clang::Expr *)> TextOf);

/// Its text, as an operand of `&&` or of a choice. Empty: it is a macro's.
std::string asOperand(const clang::Expr *E, const clang::ASTContext &Context);

/// It is known where the load phase ends: at a barrier of the body's, or somewhere else.
inline bool hasLoadPhase(const TileModel &Model) { return Model.Barriers[0] || Model.FillNested; }
/// The function says a macro, or an alias of a type, that another build may define otherwise: as
/// nothing, or as a statement. What moves past it, or is put in other words, may be something else
/// there.
bool hasOtherMeanings(const TileModel &Model, const clang::ASTContext &Context);
const OtherMeanings &otherMeaningsOf(const TileModel &Model, const clang::ASTContext &Context);
/// A number whose type can be said again: no template's, and not one of what it is initialised
/// with.
bool isPlainNumber(const clang::VarDecl *Var, bool OrFloat = false);
/// In each build: no other one has a class, or another number, by that name.
bool isOfOneType(const clang::ValueDecl *D, const TileModel &Model,
                 const clang::ASTContext &Context);
/// Numbers of the language alone, with its own operators: what is put together of them means what
/// it did. Functions may ask whether they are given a variable, and classes convert as they like.
bool isOfNumbers(const clang::Expr *E, const TileModel &Model, const clang::ASTContext &Context);
/// A closure has it, too, by whatever name.
bool isCaptured(const clang::VarDecl *Var, const clang::FunctionDecl *Function);
/// What variables that are declared in \p S are called.
std::set<std::string> variablesOf(const clang::Stmt *S);

/// Somebody may get out of the statement by another way than its end.
bool leavesEarly(const clang::Stmt *S, bool InLoop = false, bool InSwitch = false);
/// \p Base, or with a number behind it: a name that is not in \p Taken, and of no macro.
std::string freeName(const std::string &Base, const std::set<std::string> &Taken,
                     const clang::ASTContext &Context);
/// One of \p Refusals is for a reason of \p Why, and of something in \p S.
bool isRefusedIn(const clang::Stmt *S, llvm::ArrayRef<Refusal> Refusals, llvm::ArrayRef<Reason> Why,
                 const clang::ASTContext &Context);

/// The comments of a text, each as it is.
std::vector<std::string> commentsIn(llvm::StringRef Text);
/// How far in the line of \p At stands, in its own blanks; and a line break with that behind it.
std::string indentOf(llvm::StringRef File, unsigned At);
std::string breakAt(llvm::StringRef File, unsigned At);

/// Takes a statement out of the text, with its line if nothing else is on it.
std::optional<Edit> withoutStatement(const clang::Stmt *S, const clang::ASTContext &Context);

} // namespace cuda_pipeline

#endif
