//===- Ptx.cpp - Inline PTX, parsed once and run by threads --------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Ptx.h"

using namespace cuda_pipeline::emulator;
using namespace llvm;

Expected<std::unique_ptr<PtxBlock>> PtxBlock::parse(StringRef, ArrayRef<unsigned>) {
  return createStringError(inconvertibleErrorCode(), "asm statements are not emulated yet");
}
