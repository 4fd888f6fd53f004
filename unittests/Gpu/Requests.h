//===- Requests.h - Harness requests from a few words --------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_UNITTESTS_GPU_REQUESTS_H
#define CUDA_PIPELINE_UNITTESTS_GPU_REQUESTS_H

#include "cuda-pipeline/GpuHarness.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>

namespace cuda_pipeline {

/// "const float *A", "int n", "bytes:12 p" (a struct by value), "bytes:12 *p".
inline KernelParameter parameter(llvm::StringRef Text) {
  KernelParameter P;
  P.PointeeConst = Text.consume_front("const ");
  size_t Name = Text.find_last_of(" *") + 1;
  P.Name = Text.drop_front(Name).str();
  llvm::StringRef Type = Text.take_front(Name).rtrim();
  P.IsPointer = Type.consume_back("*");
  P.ElementName = Type.rtrim().str();
  P.Type = (P.PointeeConst ? "const " : "") + P.ElementName + (P.IsPointer ? " *" : "");
  P.Element = *elementType(P.ElementName);
  return P;
}

inline KernelSignature signature(std::string Name, std::vector<llvm::StringRef> Parameters) {
  KernelSignature S;
  S.Mangled = "_Z" + Name;
  for (llvm::StringRef P : Parameters) {
    S.Parameters.push_back(parameter(P));
    S.Mangled += P;
  }
  S.Name = std::move(Name);
  return S;
}

/// Adds the launches of \p Text for the kernel; its only document must be right.
inline void add(HarnessRequest &R, const KernelSignature &S, llvm::StringRef Text) {
  auto D = parseLaunch(Text, "launch.yaml");
  auto L = D ? evaluate((*D)[0], S) : D.takeError();
  if (!L) {
    llvm::errs() << llvm::toString(L.takeError()) << "\n";
    std::abort();
  }
  R.Kernels.push_back({S, S, std::move(*L)});
}

} // namespace cuda_pipeline

#endif
