//===- Kernels.h - Signatures for the tests of launches ------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_UNITTESTS_LAUNCH_KERNELS_H
#define CUDA_PIPELINE_UNITTESTS_LAUNCH_KERNELS_H

#include "cuda-pipeline/Launch.h"

namespace cuda_pipeline {

inline KernelParameter pointer(std::string Name, std::string Element, bool Const = false) {
  KernelParameter P;
  P.Name = std::move(Name);
  P.Type = (Const ? "const " : "") + Element + " *";
  P.IsPointer = true;
  P.PointeeConst = Const;
  P.ElementName = Element;
  if (std::optional<ElementType> T = elementType(Element))
    P.Element = *T;
  return P;
}

inline KernelParameter scalar(std::string Name, std::string Type) {
  KernelParameter P = pointer(std::move(Name), Type);
  P.Type = std::move(Type);
  P.IsPointer = false;
  return P;
}

/// A struct of \p Bytes, by value or as a pointee.
inline KernelParameter structure(KernelParameter P, unsigned Bytes) {
  P.Element = ElementType{ElementType::Kind::Bytes, 1, Bytes};
  return P;
}

inline KernelSignature kernel(std::vector<KernelParameter> Parameters,
                              std::string Name = "gemm<float, 32>") {
  KernelSignature K;
  K.Mangled = "_Z" + Name;
  K.Name = std::move(Name);
  K.Line = 10;
  K.Parameters = std::move(Parameters);
  return K;
}

} // namespace cuda_pipeline

#endif
