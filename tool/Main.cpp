//===- Main.cpp - main() of the programs that users get ------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramMain.h"

int main(int Argc, char **Argv) { return cuda_pipeline::programMain(Argc, Argv); }
