//===- Pointers.h - What pointers may point to ----------------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// A flow-insensitive points-to analysis of one function: a pointer variable may point to whatever
/// was ever assigned to it. A class object or an array that holds pointers (`struct Matrix { int
/// stride; float *elements; }`) is taken as one variable, which points to whatever any of its parts
/// may point to; it is given up (points to anything) where its address is taken, or a function that
/// changes it gets hold of it.
///
/// A pointer parameter of a kernel is a root of its own, in global memory (the host can pass
/// nothing else). A pointer that is read from memory points to global memory, too, if the kernel
/// keeps all addresses of shared memory and of its threads' own to itself (KeptAddresses.h).
/// Functions whose bodies are visible are followed: for what they return, and by Effects for what
/// they do.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_MODEL_POINTERS_H
#define CUDA_PIPELINE_LIB_MODEL_POINTERS_H

#include "Effects.h"
#include "Names.h"
#include "cuda-pipeline/DeclSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <memory>
#include <optional>

namespace cuda_pipeline {

/// An object of type \p T has pointers or references among its parts.
bool holdsPointers(clang::QualType T);

class Pointers {
public:
  Pointers(clang::ASTContext &Context, const clang::FunctionDecl *Function,
           const Pointers *Caller = nullptr)
      : Context(Context), Function(Function), Parent(Caller), Depth(Caller ? Caller->Depth + 1 : 0),
        Said(Caller ? Caller->Said : nullptr) {}

  /// Looks through the function, once it is known what the parameters stand for.
  void compute();
  /// Of a __device__ function that is looked at by itself: the parameters point to global memory
  /// where they do so in all calls (CallSites.h), and what is given by reference is known
  /// (GivenObjects.h; \p Given: found before). Before compute().
  void askCallers(CallSites &Calls, unsigned Depth = 0, const GivenObjects *Given = nullptr);

  /// Variables of the function of which it is known what they point into. Before compute().
  void say(DeclMap<clang::VarDecl, MemoryRoot> What) {
    Said = std::make_shared<const DeclMap<clang::VarDecl, MemoryRoot>>(std::move(What));
  }

  /// Assumes that pointers in memory point to global memory. Before compute().
  void assumeMemoryPointsToGlobal() { MemoryPointsToGlobal = true; }
  /// Of a function by itself, after compute(): it stores no address where the analysis does not
  /// follow it but those of global memory. What it calls is not looked at.
  bool keepsAddresses() const;

  /// Objects that the pointer variable \p Var, or a pointer that is part of it, may point into.
  RootSet pointsToOf(const clang::ValueDecl *Var) const;
  /// Objects that the lvalue \p E may denote.
  RootSet rootsOf(const clang::Expr *E) const;
  /// Objects that the pointer \p E may point into.
  RootSet pointees(const clang::Expr *E) const;
  /// Objects that the pointers in the object \p E may point into.
  RootSet held(const clang::Expr *E) const;

protected:
  /// What the parameters of \p Inner's function stand for, and its object if it is a method.
  void bindArguments(Pointers &Inner, llvm::ArrayRef<const clang::Expr *> Args,
                     const clang::Expr *Object) const;
  bool mayEnter(const clang::FunctionDecl *Callee) const;
  bool isRunning(const clang::FunctionDecl *Callee) const;
  /// What the method does with its object.
  ObjectUse useOf(const clang::CXXMethodDecl *Method) const;
  /// The variable lives as long as a call of the function.
  bool isOwn(const MemoryRoot &R) const;

  clang::ASTContext &Context;
  const clang::FunctionDecl *Function;
  const Pointers *Parent;                      ///< of the function that calls this one
  unsigned Depth = 0;                          ///< of calls
  DeclMap<clang::ValueDecl, RootSet> PointsTo; ///< of variables that are or hold pointers
  DeclMap<clang::ValueDecl, RootSet> Bound;    ///< of reference parameters in a call
  std::optional<RootSet> This;      ///< of a method in a call: the object, if it is known
  mutable unsigned EnteredDeep = 0; ///< calls of calls, of the outermost function
  /// Of the outermost function; null: nothing.
  std::shared_ptr<const DeclMap<clang::VarDecl, MemoryRoot>> Said;

private:
  mutable unsigned Followed = 0; ///< calls looked into from here, to bound the work
  mutable std::map<std::pair<const clang::FunctionDecl *, unsigned>, bool>
      Kept; ///< by function and parameter
  mutable DeclMap<clang::CXXMethodDecl, ObjectUse> Used;
  mutable DeclMap<clang::CXXMethodDecl, bool> KeptObjects;
  mutable DeclMap<clang::FunctionDecl, const clang::ImplicitParamDecl *> Temporaries;
  mutable DeclSet<clang::VarDecl> Following; ///< references whose objects are being looked for

  struct Assignments;
  Assignments assignments() const;

  CallSites *Callers = nullptr;                     ///< who may call a __device__ function
  mutable std::optional<bool> MemoryPointsToGlobal; ///< unset: nobody has asked

  void pointersOfCallers(CallSites &Calls, unsigned Depth);
  /// What a pointer may point to that was read from \p Place, which nothing is known to point to.
  RootSet pointeesInMemory(const MemoryRoot &Place) const;
  bool isPlainInitializer(const clang::Expr *Init) const;
  bool setsPointersByName(const clang::Stmt *Body) const;
  /// The method leaves the pointers of its object alone.
  bool keeps(const clang::CXXMethodDecl *Method) const;

  const Pointers &outermost() const;
  const MemoryRoot *said(const clang::ValueDecl *Var) const;
  /// Stands for the temporary object that the method \p Callee is called of.
  const clang::ImplicitParamDecl *temporaryOf(const clang::FunctionDecl *Callee) const;
  bool isHolder(const MemoryRoot &R) const;
  RootSet bound(const clang::Expr *Init) const;
  RootSet referredTo(const RootSet &Places) const;
  RootSet pointedFrom(const clang::Expr *Place) const;
  RootSet ofType(const RootSet &Roots, clang::QualType Pointer) const;
  RootSet constructed(const clang::CXXConstructExpr *Construct) const;
  RootSet returned(const clang::CallExpr *Call,
                   llvm::function_ref<RootSet(const Pointers &, const clang::Expr *)> Of) const;
};

} // namespace cuda_pipeline

#endif
