//===- Write.h - What is quoted in a launch description -------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Both writers of descriptions, launchText() and launchTemplate(), put words into YAML. What a
/// reader would take for something else than a word stands in quotes.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_VERIFY_LAUNCH_WRITE_H
#define CUDA_PIPELINE_VERIFY_LAUNCH_WRITE_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace cuda_pipeline {
namespace launch {

/// A name: that of a kernel, an argument or a type.
std::string quotedName(llvm::StringRef Text);

/// \p Text in one line of a comment: no line end and nothing else that is not printed.
std::string inComment(llvm::StringRef Text);

} // namespace launch
} // namespace cuda_pipeline

#endif
