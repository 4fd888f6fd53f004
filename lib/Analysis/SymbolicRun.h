//===- SymbolicRun.h - Runs the body of the loop on symbols ---------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// The machine behind SymbolicIteration: it walks through the statements of one turn in order,
/// keeps the value of every variable as a quasi-affine function of the symbols (or as a symbol of
/// its own), and notes each access with the condition under which it happens.
///
///   SymbolicValues.cpp       expressions and their values
///   SymbolicMemory.cpp       lvalues, variables, pointers; the list of accesses
///   SymbolicStatements.cpp   branches, loops, calls
///
/// Integers are those of C++: signed arithmetic does not overflow; unsigned arithmetic, narrow
/// types and conversions are followed where the result is shown to be in the range of its type;
/// division truncates. Everything else becomes a symbol, and the same expression of the same values
/// is the same symbol.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_ANALYSIS_SYMBOLICRUN_H
#define CUDA_PIPELINE_LIB_ANALYSIS_SYMBOLICRUN_H

#include "../Model/AstUtil.h"
#include "SymbolicIteration.h"
#include "Symbols.h"
#include "Uniformity.h"
#include "cuda-pipeline/DeclSet.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/FoldingSet.h"
#include "llvm/Support/SaveAndRestore.h"

namespace cuda_pipeline {

/// What an expression is worth.
struct SymValue {
  enum KindType {
    None,
    Int,
    Bool,
    Pointer,
    Address ///< a number: where the shared array Object is in shared memory, and Number bytes
  } Kind = None;
  IslPwAff Number; ///< Int; of a Pointer: bytes from the beginning of Object, or null
  IslSet True;     ///< Bool
  const clang::VarDecl *Object = nullptr; ///< of a Pointer: see Place
  bool Anywhere = false;                  ///< of a Pointer: it may also point into a shared array
  IslPwAff Column = {};                   ///< of a Pointer or Address: see Place
  IslSet Good = {};                       ///< the same

  static SymValue integer(IslPwAff N) { return {Int, std::move(N), {}, nullptr, false}; }
  static SymValue boolean(IslSet T) { return {Bool, {}, std::move(T), nullptr, false}; }
  static SymValue pointer(const clang::VarDecl *Object, IslPwAff Bytes, IslPwAff Column = {}) {
    return {Pointer, std::move(Bytes), {}, Object, false, std::move(Column)};
  }
  static SymValue address(const clang::VarDecl *Object, IslPwAff Bytes, IslPwAff Column = {}) {
    return {Address, std::move(Bytes), {}, Object, false, std::move(Column)};
  }
  /// Not into a shared array.
  static SymValue elsewhere() { return pointer(nullptr, {}); }
  static SymValue anywhere() { return {Pointer, {}, {}, nullptr, true}; }
};

/// Where an lvalue is.
struct Place {
  enum KindType {
    Elsewhere, ///< not in a shared array and not a variable that is followed
    Local,     ///< a whole scalar variable
    Memory,    ///< in the shared array Var, or behind the kernel's pointer parameter Var
    Anywhere   ///< maybe in a shared array
  } Kind = Elsewhere;
  const clang::VarDecl *Var = nullptr;
  IslPwAff Offset; ///< of Memory: bytes; null: unknown
  /// Of a shared array: bytes from the beginning of the row, the innermost dimension, that the last
  /// subscript chose. Null: not known, or nobody asks (SymbolicRun::Rows).
  IslPwAff Column = {};
  /// What C++ asks for where this very place is read or written: the subscript that chose it is
  /// below its extent. One past the end is a place as well, so that it says nothing of places
  /// beside it. Null: nothing, or nobody asks (SymbolicRun::SubscriptsAreGood).
  IslSet Good = {};

  bool isShared() const { return Kind == Memory && Var->hasAttr<clang::CUDASharedAttr>(); }
};

/// `i += S` in any of its spellings.
struct Stepping {
  const clang::VarDecl *Var = nullptr;
  const clang::Expr *Reference = nullptr; ///< that names it
  const clang::Expr *By = nullptr;        ///< null: 1
  int Sign = 1;
};
/// Null Var: it is none.
Stepping asStepping(const clang::Expr *E);

class SymbolicRun {
public:
  SymbolicRun(const TileModel &Model, clang::ASTContext &Context, const Uniformity &U,
              const LaunchShape &Block, UnsignedNumbers Unsigned, CounterGoes Counter);

  /// Runs what has not run yet, up to \p Segment. False: something in these segments cannot be
  /// followed.
  bool runTo(unsigned Segment);
  /// Runs \p S, which is not in the loop, at any time of the call, for all threads of the block.
  /// The turn must have run, and is over. False: something in it cannot be followed.
  bool runAround(const clang::Stmt *S);

  /// The same for an object and for a copy of it: an access is known by where it stands.
  static const clang::Expr *sameAccess(const clang::Expr *Where);

  Symbols Syms; // before everything that lives in its isl context
  std::vector<MappedAccess> Accesses;
  /// How the header's counter, which nothing else changes, goes from turn to turn.
  struct HeaderCounter {
    std::string Name; ///< its symbol
    IslPwAff First;   ///< null: not known
    IslPwAff Step;    ///< that is added, or taken away, in each turn
    int Sign;
    unsigned Bits; ///< of the type in which it goes round; 0: it does not
  };
  std::optional<HeaderCounter> Counted;
  /// What holds where the load phase has run to its end; null: it has not.
  IslSet Taken;
  /// Columns are followed.
  bool Rows = false;
  /// And Place::Good.
  bool SubscriptsAreGood = false;
  /// Bytes of a row of arrays that have one dimension, for followRows().
  DeclMap<clang::VarDecl, uint64_t> Pitches;
  /// Expressions that say the pitch of an array, and the bytes of what they count.
  DeclMap<clang::VarDecl, std::set<std::pair<const clang::Expr *, uint64_t>>> PitchSaid;
  /// Indices that go through the rows one behind the other.
  DeclMap<clang::VarDecl, std::set<std::pair<const clang::Expr *, uint64_t>>> FlatSaid;
  /// Shared arrays of which a place became a number, or was compared or subtracted: which address
  /// an element has may matter. Null: any of them.
  std::set<const clang::VarDecl *> AddressUsed;
  bool StoresMissed = false; ///< there are more stores to global memory than Accesses has
  bool AsksForBlock = false; ///< an extent of the block was read that is not known
  bool LeavesRound = false;  ///< a number may have gone round, and is any

private:
  using VarMap = DeclMap<clang::VarDecl, SymValue>;
  using VarSet = DeclSet<clang::VarDecl>;

  const TileModel &M;
  const LoopFacts &F;
  clang::ASTContext &Context;
  const Uniformity &U;
  LaunchShape Block;
  const UnsignedNumbers Unsigned;
  const CounterGoes Counter;

  /// All threads of the block that come to the loop, and those for which what runs now happens.
  IslSet Threads, Live;
  IslSet OfBlock; ///< all threads of the block, whether they come to the loop or not
  /// What holds because the signed arithmetic that was met on the way to here has not overflowed.
  /// It helps to know numbers; whether something happens does not depend on it.
  IslSet NoOverflow;
  struct {
    IslSet Live, NoOverflow, Both;
  } Here;                                    ///< what here() said last, and of what
  VarMap Vars;                               ///< what this turn has assigned or looked up
  DeclMap<clang::VarDecl, Place> References; ///< what they are bound to
  DeclMap<clang::VarDecl, unsigned> Version; ///< counts assignments
  VarSet Escaped;                            ///< whose address was taken in the turn
  unsigned Segment = 0, NextSegment = 0, CallDepth = 0, ExprDepth = 0;
  bool GaveUp = false;
  class OneNumber;
  unsigned long OperationsLeft; ///< isl's, for all that is hard
  unsigned NumberDepth = 0;     ///< OneNumbers that are there
  /// Evaluates with the values of before the loop, for all threads; nothing happens.
  bool BeforeLoop = false;

  struct LoopFrame {
    std::string Counter; ///< its symbol; of a loop that is not counted: the number of the turn
    unsigned Serial;
    VarSet Varying; ///< assigned in it
  };
  std::vector<LoopFrame> Loops;
  unsigned LoopsRun = 0;
  LoopNest nest(size_t Depth) const;
  LoopNest nest() const { return nest(Loops.size()); }
  /// The number of loops around that change \p Var.
  size_t depthOf(const clang::VarDecl *Var) const;

  /// Of the function calls that are being run, innermost last.
  struct CallFrame {
    const clang::FunctionDecl *Body;
    size_t LoopsAround;
    IslSet Gone;     ///< threads that have returned
    VarMap VarsGone; ///< what they left
    bool GoneInLoop; ///< some of them in a turn of a loop, which has left something else in each
                     ///< turn
    std::optional<SymValue> Result;
  };
  std::vector<CallFrame> Calls;

  std::set<std::tuple<unsigned, const clang::Expr *, const clang::VarDecl *>> Noted;
  std::set<std::pair<unsigned, const clang::Expr *>> NotedAnywhere;
  struct Memo {
    llvm::FoldingSetNodeID Id;
    std::string Name;
  };
  llvm::DenseMap<unsigned, llvm::SmallVector<Memo, 1>> Memos; ///< by hash
  std::map<const clang::Stmt *, VarSet> AssignedIn;
  DeclMap<clang::FunctionDecl, DeclSet<clang::ValueDecl>> NamesTaken;

  //===-- SymbolicIteration.cpp: the turn ---------------------------------------===//
  void begin();
  void leave();
  void header();
  void stepped(const clang::ForStmt *For);
  bool metAll(unsigned I, const Effects &Known) const;

  //===-- SymbolicValues.cpp ----------------------------------------------------===//
  SymValue evaluate(const clang::Expr *E);
  SymValue evaluateInitializer(const clang::Expr *E, clang::QualType T);
  SymValue opaque(const clang::Expr *E);
  SymValue someNumber(clang::QualType T, SymbolKind Kind = SymbolKind::Private,
                      std::string Text = "");
  SymValue notFollowed(const clang::Stmt *S);
  SymValue builtin(const BuiltinIndex &B, const clang::Expr *E);
  SymValue blockNumber(BlockNumber N);
  SymValue cast(const clang::CastExpr *Cast);
  SymValue unary(const clang::UnaryOperator *Op);
  SymValue binary(const clang::BinaryOperator *Op);
  IslPwAff modular(const clang::Expr *E);
  bool isPlain(const clang::Expr *E);
  IslPwAff goneRound(const IslPwAff &N, clang::QualType T);
  SymValue wrapped(const clang::Expr *E, const IslPwAff &N);
  bool holdsAddress(const SymValue &V, clang::QualType T) const;
  SymValue movedAddress(clang::BinaryOperatorKind Kind, const SymValue &A, const SymValue &B,
                        const clang::Expr *L, const clang::Expr *R, clang::QualType T);
  SymValue comparison(const clang::BinaryOperator *Op, SymValue A, SymValue B);
  SymValue logical(const clang::BinaryOperator *Op);
  SymValue assignment(const clang::BinaryOperator *Op);
  SymValue compound(const clang::CompoundAssignOperator *Op);
  SymValue conditional(const clang::ConditionalOperator *Cond);
  /// Null: not quasi-affine, or maybe out of the range of \p T.
  IslPwAff exclusiveOr(const IslPwAff &A, const IslPwAff &B);
  IslPwAff multipleOfExtent(const IslPwAff &A, const IslPwAff &B);
  IslPwAff arithmetic(clang::BinaryOperatorKind Kind, const IslPwAff &A, const IslPwAff &B,
                      clang::QualType T);
  IslPwAff arithmeticAsFar(clang::BinaryOperatorKind Kind, const IslPwAff &A, const IslPwAff &B,
                           clang::QualType T);
  IslSet asCondition(const SymValue &V, const clang::Expr *E);
  SymValue asInteger(SymValue V, const clang::Expr *E);
  bool holdsAll(clang::QualType Wide, clang::QualType Narrow) const;
  IslPwAff converted(const IslPwAff &A, clang::QualType From, clang::QualType To);
  bool fits(const IslPwAff &A, clang::QualType T);
  bool holds(const IslSet &Condition, const IslPwAff &About);
  const IslSet &here();
  IslSet unknownCondition();
  SymValue merged(const SymValue &A, const IslSet &InA, const SymValue &B, const IslSet &InB,
                  clang::QualType T);
  void mergeVars(const VarMap &Other, const IslSet &InOther, const IslSet &InThis);

  //===-- SymbolicMemory.cpp ----------------------------------------------------===//
  Place place(const clang::Expr *E);
  Place placeOf(const clang::VarDecl *Var);
  /// \p Said: the index in the text, if it stands there as a number of elements. \p OfArray: the
  /// element is one of an array by its own type, and not by one that a pointer has.
  Place element(const SymValue &Base, const IslPwAff &Index, clang::QualType Element, int Sign = 1,
                const clang::Expr *Said = nullptr, bool OfArray = false);
  void usesAddress(const SymValue &V);
  SymValue moved(const SymValue &P, const IslPwAff &By, clang::QualType Pointee, int Sign,
                 const clang::Expr *Said = nullptr);
  SymValue addressOf(const Place &At);
  SymValue read(const clang::Expr *LValue, const clang::Expr *Value);
  void readObject(const clang::Expr *E);
  void argument(const clang::Expr *Arg);
  void assign(const Place &At, const clang::Expr *LValue, SymValue V, bool AlsoRead);
  SymValue valueOf(const clang::VarDecl *Var, const clang::Expr *E);
  SymValue someValue(const clang::VarDecl *Var, SymbolKind Kind = SymbolKind::Private);
  SymValue pointerTo(const RootSet &Roots);
  RootSet pointeesOf(const clang::VarDecl *Var) const;
  SymValue pointerOf(const clang::Expr *E);
  void set(const clang::VarDecl *Var, SymValue V);
  void forget(const clang::VarDecl *Var);
  void note(const Place &At, const clang::Expr *Where, bool Read, bool Write, uint64_t Bytes);
  void noteEffects(const Access &A);
  bool isTracked(const clang::VarDecl *Var) const;
  bool keepsItsValue(const clang::VarDecl *Var) const;
  bool isSetOnce(const clang::VarDecl *Var) const;
  uint64_t sizeOf(clang::QualType T) const;

  //===-- SymbolicStatements.cpp ------------------------------------------------===//
  void execute(const clang::Stmt *S);
  void assembly(const clang::AsmStmt *Asm);
  void declare(const clang::VarDecl *Var);
  void branch(const clang::IfStmt *If);
  void returns(const clang::ReturnStmt *Return);
  struct LoopParts {
    const clang::Stmt *Whole;
    const clang::Expr *Cond;
    const clang::Stmt *Body;
    const clang::Expr *Inc;
  };
  void loop(const LoopParts &Parts);
  bool countedLoop(const LoopParts &Parts);
  void unknownLoop(const LoopParts &Parts);
  void rangeLoop(const clang::CXXForRangeStmt *For);
  void switchOver(const clang::SwitchStmt *Switch);
  llvm::SmallVector<Stepping, 2> steppings(const LoopParts &Parts);
  void enterLoop(std::string Counter, const VarSet &Assigned);
  void leaveLoop(const IslSet &Before, const VarSet &Assigned);
  void increment(const LoopParts &Parts, const VarSet &Assigned, const VarSet &Paced);
  bool variesInLoop(const IslSet &S) const;
  IslSet sequence(const IslPwAff &Counter, const IslPwAff &First, std::optional<int64_t> Step,
                  int Sign);
  IslSet behind(const IslSet &Bad, const std::string &Name, int Sign);
  std::optional<IslSet> sharedByBlock(const IslPwAff &Counter, const IslPwAff &First,
                                      const IslPwAff &By, int Sign);
  void forgetThread(size_t Since, const std::string &Counter);
  const VarSet &assignedIn(const clang::Stmt *S);
  VarSet assignedByTurn(const LoopParts &Parts);
  SymValue call(const clang::CallExpr *Call);
  void update(const clang::Expr *To);
  bool fragment(const clang::CallExpr *Call, const clang::FunctionDecl *Callee);
  uint64_t rowBytes(const clang::VarDecl *Array) const;

  //===-- SymbolicRows.cpp: indices of rows ---------------------------------------===//
  IslPwAff inRow(const clang::VarDecl *Array, const clang::Expr *Said, const IslPwAff &Index,
                 uint64_t Element);
  bool computesOnly(const clang::Expr *E);
  IslPwAff rowsIn(const clang::Expr *E, int64_t Pitch, std::vector<const clang::Expr *> &Said);
  SymValue minOrMax(const clang::CallExpr *Call, const clang::FunctionDecl *Callee);
  SymValue inlined(const clang::CallExpr *Call, const clang::FunctionDecl *Body);
  void calleeAccesses(const clang::Expr *Call, size_t Since);

  /// Saves what is changed to look at values of before the loop.
  class Past;
};

class SymbolicRun::Past {
public:
  explicit Past(SymbolicRun &Run)
      : Before(Run.BeforeLoop, true), Live(Run.Live, Run.Threads),
        NoOverflow(Run.NoOverflow, Run.Syms.always()), Loops(Run.Loops, {}) {}

private:
  llvm::SaveAndRestore<bool> Before;
  llvm::SaveAndRestore<IslSet> Live, NoOverflow;
  llvm::SaveAndRestore<std::vector<LoopFrame>> Loops;
};

} // namespace cuda_pipeline

#endif
