//===- Effects.h - What a statement reads, writes and does ----------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Collects every access to memory and variables that a statement makes, with the objects that it
/// may refer to (`MemoryRoot`), and everything that is not an access: calls, barriers, assembly.
/// Calls of functions whose bodies are visible are looked through.
///
/// Roots come from a flow-insensitive points-to analysis of the function: a pointer variable may
/// point to whatever was ever assigned to it. A pointer parameter of a kernel is a root of its own,
/// in global memory (the host can pass nothing else).
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_MODEL_EFFECTS_H
#define CUDA_PIPELINE_LIB_MODEL_EFFECTS_H

#include "KnownFunctions.h"
#include "cuda-pipeline/DeclSet.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/SmallVector.h"
#include <map>
#include <set>
#include <vector>

namespace cuda_pipeline {

/// Texture: what texture objects lead to, and no pointer.
enum class Space { Local, Shared, Global, Constant, Param, Texture, Unknown };

struct MemoryRoot {
  const clang::ValueDecl *Decl = nullptr; ///< null: any object
  Space In = Space::Unknown;
  /// Of what an object leads to: what a member of reference type is bound to, and no pointer in it
  /// leads there.
  bool ByReference = false;
  bool operator<(const MemoryRoot &O) const {
    return std::tie(Decl, In, ByReference) < std::tie(O.Decl, O.In, O.ByReference);
  }
  bool operator==(const MemoryRoot &O) const {
    return Decl == O.Decl && In == O.In && ByReference == O.ByReference;
  }
};
using RootSet = std::set<MemoryRoot>;

struct Access {
  const clang::Expr *Where = nullptr; ///< the lvalue, or the pointer argument of a call
  clang::SourceLocation Loc;          ///< in the text of the function that is analysed
  RootSet Roots;
  bool Read = false, Write = false, Volatile = false;
  bool InCallee = false; ///< happens inside of a called function
  /// Reads what nobody writes while the kernel runs: `__ldg` takes nothing else.
  bool Lasting = false;
  /// Not a write that is seen: this method is called, of which it is not shown that it leaves its
  /// object alone. Null: it is one.
  const clang::FunctionDecl *Doubted = nullptr;
  uint64_t Bytes = 0;     ///< 0: unknown
  uint64_t Alignment = 1; ///< that the access requires, bytes

  bool mayTouch(Space S) const {
    for (const MemoryRoot &R : Roots)
      if (R.In == S)
        return true;
    return false;
  }
  bool touches(const clang::ValueDecl *D) const {
    for (const MemoryRoot &R : Roots)
      if (R.Decl == D)
        return true;
    return false;
  }
};

/// Something that is not an access to memory.
struct Action {
  enum KindType { Call, UnknownCall, Asm, Lambda, Allocation } Kind = Call;
  FunctionKind Function = FunctionKind::Unknown; ///< of a Call; of an Asm what PtxText says
  std::string Name;
  const clang::Stmt *Where = nullptr;
  clang::SourceLocation Loc;
  bool InCallee = false;
  bool LikeExpression = false; ///< an Asm (PtxText.h)
  /// Of an atomic: what has its result in the function that is looked at, the call or one of a
  /// function that returns it. Null: a called function makes something of it, or throws it away.
  const clang::Stmt *Result = nullptr;
  bool ThrownAway = false; ///< that

  /// Nobody in \p S, where it happens, or in what that calls takes the result.
  bool isDiscardedIn(const clang::Stmt *S) const;
};

struct Effects {
  std::vector<Access> Accesses;
  std::vector<Action> Actions;
  /// What another instantiation of the template may not share: an `if constexpr`, and functions of
  /// the user's, whose bodies were looked into.
  bool ConstexprIf = false, UserCalls = false;
  bool ThreadIndex = false; ///< something depends on threadIdx, also inside of a called function

  bool reads(Space S) const;
  bool writes(Space S) const;
  bool has(FunctionKind K) const;
  bool hasBarrier() const; ///< of the block, or of more than a warp of it
  void append(const Effects &O);
};

/// Declared `__constant__` by the user (Clang marks promoted constexpr variables alike).
bool isConstantMemory(const clang::ValueDecl *D);

/// `T *__restrict__` of a function's parameters: an object that is modified through it is accessed
/// through it alone (C11 6.7.3.1).
bool isRestrictParameter(const clang::ValueDecl *D);
/// `const T *__restrict__`: what is read through it is not modified.
bool isReadOnlyParameter(const clang::ValueDecl *D);

/// Where a variable lives.
Space spaceOf(const clang::ValueDecl *D);

class CallSites;
struct GivenObjects;

class EffectCollector {
public:
  /// \p Calls: what a __device__ function is called with counts as well. \p Given: found before. \p
  /// Known: of pointers and references, what they are said to point into.
  EffectCollector(clang::ASTContext &Context, const clang::FunctionDecl *Function,
                  CallSites *Calls = nullptr, const GivenObjects *Given = nullptr,
                  DeclMap<clang::VarDecl, MemoryRoot> Known = {});
  ~EffectCollector();

  Effects collect(const clang::Stmt *S) const;
  /// Objects that the lvalue \p E may denote.
  RootSet rootsOf(const clang::Expr *E) const;
  /// Objects that the pointer \p E may point into.
  RootSet pointees(const clang::Expr *E) const;

  /// Objects that the pointer variable \p Var may point into, anywhere in the function.
  RootSet pointsTo(const clang::ValueDecl *Var) const;

  struct Impl;

private:
  std::unique_ptr<Impl> P;
};

/// What the lvalue \p Where is, or where the pointer \p Where points to: Access::Where.
RootSet rootsAt(const EffectCollector &Collector, const clang::Expr *Where);

} // namespace cuda_pipeline

#endif
