//===- DeclSet.h - Sets of declarations in the order of the source --------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// What is written follows the order of such sets: parameters of a function, the declarations that
/// are split, the reason that is found first. In the order of addresses it would depend on what
/// else was read before, and one input would have several outputs.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_DECLSET_H
#define CUDA_PIPELINE_DECLSET_H

#include "clang/AST/DeclBase.h"
#include <map>
#include <set>

namespace cuda_pipeline {

/// By where they are declared; several of one place (instantiations of a template) in the order in
/// which Clang made them.
struct InSourceOrder {
  bool operator()(const clang::Decl *A, const clang::Decl *B) const {
    if (A == B || !A || !B)
      return A != B && !A;
    const auto At = [](const clang::Decl *D) { return D->getLocation().getRawEncoding(); };
    return At(A) != At(B) ? At(A) < At(B) : A->getID() < B->getID();
  }
};

template <typename D> using DeclSet = std::set<const D *, InSourceOrder>;
template <typename D, typename T> using DeclMap = std::map<const D *, T, InSourceOrder>;

} // namespace cuda_pipeline

#endif
