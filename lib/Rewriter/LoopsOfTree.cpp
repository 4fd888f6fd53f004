//===- LoopsOfTree.cpp - Which functions of a syntax tree may have tile loops ---===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cuda-pipeline/LoopsOfTree.h"
#include "../Model/LoopMatchers.h"

using namespace clang;
using namespace clang::ast_matchers;

namespace cuda_pipeline {

namespace {
/// The text of a template: of little in it the types are known.
AST_MATCHER(FunctionDecl, isPattern) { return Node.isDependentContext(); }
} // namespace

void addLoopMatchers(MatchFinder &To, MatchFinder::MatchCallback *Callback) {
  const LoopMatchers M;
  To.addMatcher(
      functionDecl(
          M.deviceFunction, unless(isExpansionInSystemHeader()), hasBody(hasDescendant(M.anyLoop)),
          optionally(anyOf(
              hasBody(hasDescendant(stmt(M.tileLoop).bind("tile loop"))),
              allOf(isPattern(), hasBody(hasDescendant(stmt(M.fillLoop).bind("tile loop")))))))
          .bind("function"),
      Callback);
}

void printLoopMatchers(llvm::raw_ostream &OS) { OS << loopMatchersForQuery(); }

} // namespace cuda_pipeline
