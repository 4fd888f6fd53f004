//===- WrittenNames.h - What a piece of the source names ------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Text that moves must mean the same where it comes to stand: nothing on the way may declare one
/// of its names anew. The names are those of its tokens, and of the bodies of macros that are
/// expanded in it, at any depth. They are more than the syntax tree knows (a branch that is left
/// out, a dropped argument), never fewer. What stands behind `.` or `->` is looked for in the
/// object, and no declaration on the way hides it: such names are left out.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_MODEL_WRITTENNAMES_H
#define CUDA_PIPELINE_LIB_MODEL_WRITTENNAMES_H

#include "AstUtil.h"
#include <set>
#include <string>
#include <vector>

namespace cuda_pipeline {

/// Of a whole file; reads it when first asked.
class WrittenNames {
public:
  explicit WrittenNames(const clang::ASTContext &Context) : Context(Context) {}
  /// \p R: of the main file, in bytes.
  std::set<std::string> in(TextRange R) const;

private:
  /// A macro that is expanded, maybe in another one's expansion.
  struct Expansion {
    unsigned At; ///< byte offset in the main file of the outermost macro's name
    llvm::StringRef Body;
  };
  const std::vector<Expansion> &expansions() const;

  const clang::ASTContext &Context;
  mutable std::optional<std::vector<Expansion>> Known; ///< by place
};

} // namespace cuda_pipeline

#endif
