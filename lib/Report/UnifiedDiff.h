//===- UnifiedDiff.h - Line diff in unified format -----------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_PIPELINE_REPORT_UNIFIEDDIFF_H
#define CUDA_PIPELINE_REPORT_UNIFIEDDIFF_H

#include "cuda-pipeline/Fix.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <vector>

namespace cuda_pipeline {

/// Prints what turns \p Old into \p New, with three lines of context, for `patch -p0` (with the
/// names as they are) and `git apply`. Prints nothing when they are equal. Bytes are copied as they
/// are, line endings included.
void unifiedDiff(llvm::StringRef OldName, llvm::StringRef NewName, llvm::StringRef Old,
                 llvm::StringRef New, llvm::raw_ostream &OS);

/// The same as changes of \p Old, in order: runs of whole lines that are replaced by others.
std::vector<Edit> lineEdits(llvm::StringRef Old, llvm::StringRef New);

/// For each line of \p Old, from 1 on, the line of \p New that it is, in the same order, however
/// far either is indented; 0: it is none. Element 0 is not used.
std::vector<unsigned> matchLines(llvm::StringRef Old, llvm::StringRef New);

} // namespace cuda_pipeline

#endif
