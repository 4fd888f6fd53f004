//===- side.h - How the harness launches the kernels of one version -------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// All versions define the same names: kernels, helpers, templates, __device__
/// variables, main(). So each is a shared object of its own, of which harness.cu knows only the
/// table below. They are loaded into one process without sharing symbols, so that they see the same
/// memory, and can be timed in turns.
///
/// side.cu includes this file in front of the user's, whose macros could break what comes behind
/// it. It must compile as C++11.
///
//===----------------------------------------------------------------------===//
#ifndef CPR_HARNESS_SIDE_H
#define CPR_HARNESS_SIDE_H

#include <cstddef>
#include <cuda_runtime.h>

namespace cpr_harness {

/// Of dynamic shared memory: as much as a block can have.
constexpr size_t AllShared = ~static_cast<size_t>(0);

struct Shape {
  unsigned Grid[3], Block[3];
  size_t Shared; ///< bytes of dynamic shared memory, or AllShared
};

struct Side {
  int Kernels, Globals;
  /// Before launches with as much dynamic shared memory; 0: only asks for the kernel's static
  /// shared memory.
  cudaError_t (*Prepare)(int Kernel, size_t Shared, size_t *Static);
  cudaError_t (*Launch)(int Kernel, const Shape &S, void **Arguments);
  cudaError_t (*Global)(int Index, void **Address, size_t *Bytes);
};

template <class... P> cudaError_t prepare(void (*Function)(P...), size_t Shared, size_t *Static) {
  cudaFuncAttributes Attributes;
  cudaError_t Status = cudaFuncGetAttributes(&Attributes, Function);
  if (Status == cudaSuccess)
    *Static = Attributes.sharedSizeBytes;
  // Above 48 KiB, static shared memory included, a kernel must ask for what it is given.
  if (Status == cudaSuccess && Shared > 0)
    Status = cudaFuncSetAttribute(Function, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  static_cast<int>(Shared));
  if (Status != cudaSuccess)
    cudaGetLastError();
  return Status;
}

// Nothing but the launch: this is what is timed.
template <class... P> cudaError_t launch(void (*Function)(P...), const Shape &S, void **Arguments) {
  cudaError_t Status =
      cudaLaunchKernel(Function, dim3(S.Grid[0], S.Grid[1], S.Grid[2]),
                       dim3(S.Block[0], S.Block[1], S.Block[2]), Arguments, S.Shared, 0);
  cudaError_t Last = cudaGetLastError();
  return Status != cudaSuccess ? Status : Last;
}

// Arguments are passed as bytes, so what was said about the parameters must be true.
template <size_t...> struct Sizes {};
template <class F, class S> struct Fits {
  static constexpr bool value = false;
};
template <class... P> struct Fits<void (*)(P...), Sizes<sizeof(P)...>> {
  static constexpr bool value = true;
};

} // namespace cpr_harness

// The same once more for what stands behind the user's text, where any short name may be a macro.
using cpr_harness_shape = cpr_harness::Shape;
using cpr_harness_sides = cpr_harness::Side;
using cpr_harness_status = cudaError_t;
using cpr_harness_size = size_t;
template <size_t... S> using cpr_harness_sizes = cpr_harness::Sizes<S...>;
template <class F, class S> constexpr bool cpr_harness_fits() {
  return cpr_harness::Fits<F, S>::value;
}
template <class F> cudaError_t cpr_harness_run(F *Function, const cpr_harness::Shape &S, void **A) {
  return cpr_harness::launch(Function, S, A);
}
template <class F> cudaError_t cpr_harness_ready(F *Function, size_t Shared, size_t *Static) {
  return cpr_harness::prepare(Function, Shared, Static);
}

#endif
