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
/// A closure that says that it is for both sides.
AST_MATCHER(FunctionDecl, isClosureOfBoth) {
  const auto *Method = dyn_cast<CXXMethodDecl>(&Node);
  const auto *Device = Node.getAttr<CUDADeviceAttr>();
  return Method && Method->getParent()->isLambda() && Device && !Device->isImplicit() &&
         Node.hasAttr<CUDAHostAttr>() && Node.isThisDeclarationADefinition();
}
} // namespace

void addLoopMatchers(MatchFinder &To, MatchFinder::MatchCallback *Callback) {
  const LoopMatchers M;
  To.addMatcher(
      functionDecl(anyOf(M.deviceFunction, isClosureOfBoth()), unless(isExpansionInSystemHeader()),
                   hasBody(hasDescendant(M.anyLoop)),
                   optionally(anyOf(hasBody(hasDescendant(stmt(M.tileLoop).bind("tile loop"))),
                                    allOf(isPattern(), hasBody(hasDescendant(
                                                           stmt(M.fillLoop).bind("tile loop")))))))
          .bind("function"),
      Callback);
}

void printLoopMatchers(llvm::raw_ostream &OS) { OS << loopMatchersForQuery(); }

} // namespace cuda_pipeline
