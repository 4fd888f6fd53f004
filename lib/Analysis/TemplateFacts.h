//===- TemplateFacts.h - What was shown for some template arguments only --------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Rule 12: the loop of a template is rewritten once, but looked at in the instantiations that the
/// file has. A fact that another instantiation need not share goes into the output as a
/// `static_assert` on the arguments for which it was shown.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_ANALYSIS_TEMPLATEFACTS_H
#define CUDA_PIPELINE_LIB_ANALYSIS_TEMPLATEFACTS_H

#include "../Model/TemplatePattern.h"
#include "cuda-pipeline/Legality.h"
#include "cuda-pipeline/TileModel.h"
#include <optional>

namespace cuda_pipeline {

/// The arguments of an instantiation; none when one cannot be written as a condition at \p Where
/// (packs, pointers, unnamed types, types that are declared further down).
std::optional<TemplateArguments> templateArguments(const clang::FunctionDecl *Function,
                                                   clang::SourceLocation Where);

/// What the loads and whatever else the rewrite moves ask of the types that depend on the
/// template's arguments.
ArgumentsMatter movedValues(const TileModel &M, const TemplatePattern &Pattern,
                            clang::ASTContext &Context);

} // namespace cuda_pipeline

#endif
