//===- KeptAddresses.cpp - Which addresses a kernel keeps to itself --------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KeptAddresses.h"
#include "Pointers.h"
#include "ReachedCode.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {

static bool keepsAll(const FunctionDecl *Kernel, ASTContext &Context) {
  if (!Kernel->hasBody() || Kernel->isDependentContext())
    return false;
  const ReachedCode Code(Kernel);
  return Code.NotSeen.empty() && all_of(Code.Bodies, [&](const ReachedCode::Body &B) {
           if (B.Known)
             return true;
           Pointers P(Context, B.Function);
           P.assumeMemoryPointsToGlobal();
           P.compute();
           return P.keepsAddresses();
         });
}

bool keepAddresses(const FunctionDecl *Function, ASTContext &Context, CallSites *Calls) {
  const bool IsKernel = Function->hasAttr<CUDAGlobalAttr>();
  if (!Calls)
    return IsKernel && keepsAll(Function, Context);
  struct Kept {
    bool All = false; ///< also while it is being found: of a function that calls itself
  };
  return Calls
      ->once<Kept>(Function,
                   [&] {
                     if (IsKernel)
                       return Kept{keepsAll(Function, Context)};
                     const std::vector<CallSite> *Sites = Calls->of(Function);
                     return Kept{Sites && all_of(*Sites, [&](const CallSite &S) {
                                   return keepAddresses(S.Caller, Context, Calls);
                                 })};
                   })
      .All;
}

bool keepsOwnArrays(const FunctionDecl *Function, ASTContext &Context, CallSites &Calls) {
  struct Kept {
    bool Own = false;
  };
  return Calls
      .once<Kept>(Function,
                  [&] {
                    const QualType T = Function->getReturnType();
                    return Kept{!T->isPointerType() && !T->isReferenceType() && !holdsPointers(T) &&
                                keepsAll(Function, Context)};
                  })
      .Own;
}

} // namespace cuda_pipeline
