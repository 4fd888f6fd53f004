//===- LoopMatchers.cpp - The matchers by which loops are found -----------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopMatchers.h"

using namespace clang;
using namespace clang::ast_matchers;
using namespace llvm;

namespace cuda_pipeline {

/// In the words of clang-query, which has names where C++ has values.
static ast_matchers::internal::Matcher<Decl> hasAttr(StringRef Name) {
  return ast_matchers::hasAttr(Name == "attr::CUDAGlobal"   ? attr::CUDAGlobal
                               : Name == "attr::CUDADevice" ? attr::CUDADevice
                               : Name == "attr::CUDAHost"   ? attr::CUDAHost
                               : Name == "attr::CUDAShared" ? attr::CUDAShared
                                                            : attr::CUDAConstant);
}

LoopMatchers::LoopMatchers()
    : LoopMatchersBegin()
#define LOOP_MATCHER(NAME, TYPE, SENTENCE, ...) , NAME(__VA_ARGS__)
#include "LoopMatchers.def"
{
}

/// A line of clang-query, which may go on where a parenthesis is open: as lines of 100 columns.
static void writeLine(std::string Line, raw_ostream &OS) {
  for (size_t At; (At = Line.find("( ")) != std::string::npos;)
    Line.erase(At + 1, 1);
  StringRef Rest = Line;
  for (unsigned Width = 100; Rest.size() > Width; Width = 96) {
    size_t End = Rest.take_front(Width).rfind(", ");
    if (End == StringRef::npos)
      End = Rest.find(", ");
    if (End == StringRef::npos)
      break;
    OS << Rest.take_front(End + 1) << "\n    ";
    Rest = Rest.drop_front(End + 2);
  }
  OS << Rest << '\n';
}

std::string loopMatchersForQuery() {
  std::string Text;
  raw_string_ostream OS(Text);
  OS << "# The matchers by which cuda-pipeline-rewrite finds loops that may be tile loops.\n"
        "# clang-query -f FILE kernel.cu -- --cuda-device-only --cuda-gpu-arch=sm_80\n"
        "set output diag\n"
        "set bind-root false\n";
#define LOOP_MATCHER(NAME, TYPE, SENTENCE, ...)                                                    \
  OS << "\n# " #NAME ": " SENTENCE "\n";                                                           \
  writeLine("let " #NAME " " #__VA_ARGS__, OS);
#include "LoopMatchers.def"
  OS << "\n# Those of the file; then those of function templates, also where nobody uses them.\n";
  writeLine("match functionDecl(deviceFunction, isExpansionInMainFile(), "
            "forEachDescendant(stmt(tileLoop).bind(\"loop\")))",
            OS);
  writeLine(
      "match functionTemplateDecl(isExpansionInMainFile(), has(functionDecl(deviceFunction, "
      "unless(isTemplateInstantiation()), forEachDescendant(stmt(fillLoop).bind(\"loop\")))))",
      OS);
  return Text;
}

} // namespace cuda_pipeline
