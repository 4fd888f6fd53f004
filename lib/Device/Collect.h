//===- Collect.h - Kernels and launches of a translation unit -------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_DEVICE_COLLECT_H
#define CUDA_PIPELINE_LIB_DEVICE_COLLECT_H

#include "cuda-pipeline/DeviceModule.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"

namespace llvm {
class Module;
}

namespace cuda_pipeline {

std::string mangledName(const clang::FunctionDecl *Kernel);

/// Every kernel with a body, templates as their instantiations, in the order of the file. What
/// their parameters are and point to is added to \p Layouts.
std::vector<KernelSignature> collectKernels(clang::ASTContext &Context,
                                            std::vector<TypeLayout> &Layouts);

/// CUDA's own number types by name, its vector types by their members, a struct of equal numbers by
/// these; all else as bytes.
ElementType elementTypeOf(clang::QualType T, const clang::ASTContext &Context);

/// Describes types, each once.
class LayoutCollector {
public:
  LayoutCollector(const clang::ASTContext &Context, std::vector<TypeLayout> &To)
      : Context(Context), To(To) {}
  /// The number of the description of \p T; -1: it has no size.
  int of(clang::QualType T);

private:
  void add(clang::QualType T, uint64_t Offset, const std::string &Name,
           std::vector<TypeLayout::Leaf> &Leaves);
  const clang::ASTContext &Context;
  std::vector<TypeLayout> &To;
  std::map<const clang::Type *, int>
      Known; ///< by canonical type; -1: its description is being made
};

/// None: the kernel does not ask what it is given.
std::optional<SharedDemand> sharedDemand(const clang::FunctionDecl *Kernel,
                                         const clang::ASTContext &Context);

/// The integer parameters that bound loops with a barrier in them.
std::vector<TileLoopBound> tileLoops(const clang::FunctionDecl *Kernel,
                                     const clang::ASTContext &Context);

std::map<std::string, DeviceModule::Body> collectBodies(clang::ASTContext &Context);

std::map<std::string, DeviceCode> codeOf(const llvm::Module &M);

/// Every `<<<...>>>` in a function that is not a template pattern, and every call there that allows
/// dynamic shared memory.
void collectLaunches(clang::ASTContext &Context, DeviceModule &To);

} // namespace cuda_pipeline

#endif
