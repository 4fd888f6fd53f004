//===- ProgramMain.h - What main() calls ---------------------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// A program without its main(): what users get has one that does nothing but this
/// (tool/Main.cpp), and what tests of verification use has another one (tool/planted).
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_TOOL_PROGRAMMAIN_H
#define CUDA_PIPELINE_TOOL_PROGRAMMAIN_H

namespace cuda_pipeline {

/// Of cuda-pipeline-rewrite (tool/cuda-pipeline-rewrite/main.cpp) or of cuda-pipeline-clangd
/// (tool/clangd/main.cpp).
int programMain(int Argc, char **Argv);

} // namespace cuda_pipeline

#endif
