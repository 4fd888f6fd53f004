//===- Printable.h - Text that does nothing but be read -----------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Names of files, lines of source and what another program has written down come from anybody. On
/// a terminal some characters are commands, and some turn around what is read behind them.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_SUPPORT_PRINTABLE_H
#define CUDA_PIPELINE_LIB_SUPPORT_PRINTABLE_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>

namespace cuda_pipeline {

/// Without a look of its own, and changes how the characters behind it are read.
bool isHiddenCharacter(uint32_t C);

/// In one line, with "<U+001B>" for what would act on a terminal or turn the text around; a tab
/// stays one. A byte that is no UTF-8 stays as well, unless it is a command in an encoding of one
/// byte.
std::string printable(llvm::StringRef Text);

} // namespace cuda_pipeline

#endif
