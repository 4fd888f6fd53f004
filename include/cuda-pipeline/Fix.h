//===- Fix.h - Changes of a text that a user can take or leave ------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// What a quick-fix, a fix-it or a `fixes` entry of SARIF is made of: an offer to pipeline one loop
/// by one variant, as changes of the file as it is. Plain values; a front end turns them into its
/// own.
///
/// A fix is all or nothing, and complete: applied alone, it gives a file that compiles, with the
/// include that it needs.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_FIX_H
#define CUDA_PIPELINE_FIX_H

#include <string>
#include <vector>

namespace cuda_pipeline {

struct Edit {
  unsigned Offset = 0, Length = 0; ///< bytes of the file that are replaced
  std::string Text;
  bool operator==(const Edit &O) const {
    return Offset == O.Offset && Length == O.Length && Text == O.Text;
  }
};

struct Fix {
  std::string Variant; ///< "cp-async"
  unsigned Stages = 0;
  double Score = 0;        ///< predicted speed-up
  std::vector<Edit> Edits; ///< by offset, not overlapping; whole lines
};

} // namespace cuda_pipeline

#endif
