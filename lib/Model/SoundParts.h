//===- SoundParts.h - What to rely on in a file with errors ---------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// A file whose other parts do not parse may have kernels that do (`--keep-going`). A function is
/// sound if neither its text nor anything that it refers to, directly or further on, in the file or
/// in the user's headers, has an error in it, and none of it depends on what a header that was not
/// found may define: it is not selected by a conditional, nor are the macros in its text, whose
/// condition names something that such a header may have defined.
///
/// What is not asked: whether a header that was not found would have declared a better overload, or
/// a macro by a name that the text uses for something else. That is the assumption `file-errors`.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_MODEL_SOUNDPARTS_H
#define CUDA_PIPELINE_LIB_MODEL_SOUNDPARTS_H

#include "cuda-pipeline/Source.h"
#include "clang/AST/ASTContext.h"
#include <memory>
#include <optional>

namespace cuda_pipeline {

class SoundParts {
public:
  /// \p Errors: all of them; of one without a place nothing in the file is sound.
  SoundParts(clang::ASTContext &Context, llvm::ArrayRef<SourceError> Errors);
  ~SoundParts();

  struct Doubt {
    std::string What; ///< "'Tile', which it refers to, has an error"
    clang::SourceLocation Where;
  };
  /// None: \p Function can be relied on.
  std::optional<Doubt> doubt(const clang::FunctionDecl *Function);

private:
  struct Impl;
  std::unique_ptr<Impl> P;
};

} // namespace cuda_pipeline

#endif
