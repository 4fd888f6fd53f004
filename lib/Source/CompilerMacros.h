//===- CompilerMacros.h - What a file can know of its compiler -----------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// The file is compiled by nvcc and read by Clang. The user's files see nvcc's macros (`__NVCC__`,
/// `__CUDACC_VER_MAJOR__`, ..), the headers of the toolkit, of the C++ library and of Clang do not:
/// they would take Clang for nvcc. At each change from the ones to the others all these macros
/// change their meaning; what a file defines or undefines itself stays with its side.
///
/// What Clang alone defines stays visible, as many libraries need to know who reads them. Whether
/// the user's files ask for any of that is noted (CompilerQuestions): then the file is read once
/// more without it (ParseRequest::HideClang), and both have to agree.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_SOURCE_COMPILERMACROS_H
#define CUDA_PIPELINE_LIB_SOURCE_COMPILERMACROS_H

#include "cuda-pipeline/Source.h"
#include "clang/Basic/Diagnostic.h"
#include <memory>

namespace cuda_pipeline {

/// By such a macro a user tells the toolkit or the C library something: it means the same in their
/// headers. No other macro of the command line is seen in what comes before the user's files.
bool isForHeaders(llvm::StringRef Name);
/// Of `N=32`, `F(x)=x`: as a command line defines it.
llvm::StringRef macroName(llvm::StringRef Definition);

/// Passes everything on to \p Next; when a preprocessor begins, it gets the macros of \p Request.
std::unique_ptr<clang::DiagnosticConsumer>
withCompilerMacros(const ParseRequest &Request, clang::DiagnosticConsumer *Next,
                   std::shared_ptr<CompilerQuestions> Asked);

} // namespace cuda_pipeline

#endif
