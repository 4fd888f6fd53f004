//===- Project.h - Which headers are the project's own --------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_TOOL_PROJECT_H
#define CUDA_PIPELINE_TOOL_PROJECT_H

#include "cuda-pipeline/Source.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>
#include <vector>

namespace cuda_pipeline {

/// The folders of a project: that which its files have in common; the sources of the CMake build;
/// the folder around a build folder that is around the files, too; that of the version control;
/// without any of these, the nearest one that has a folder for headers (include) as well. What lies
/// below them is the project's, but for the build folder, other repositories, and folders by whose
/// names one sees that they are somebody else's (third_party, external, vendor, ..).
class Project {
public:
  /// \p Files: full, links followed. \p BuildDir: -p, or the current folder.
  Project(llvm::ArrayRef<std::string> Files, llvm::StringRef BuildDir, bool IsDatabase);
  bool has(llvm::StringRef Path) const;

private:
  std::vector<std::string> Roots;
  std::string Build; ///< empty: none, or the files are in it
};

/// Whether \p File, read with \p Flags, includes \p Header, full and links followed. By the text
/// alone, whatever the conditionals say.
bool mayInclude(llvm::StringRef File, const CompileFlags &Flags, llvm::StringRef Header);

} // namespace cuda_pipeline

#endif
