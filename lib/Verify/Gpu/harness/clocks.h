//===- clocks.h - At which clocks it was measured -----------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Read from NVML, the library of the driver, while kernels run. It is loaded at run time: where it
/// is missing the harness still works, and says the clocks that the device may have at most.
///
//===----------------------------------------------------------------------===//
#ifndef CPR_HARNESS_CLOCKS_H
#define CPR_HARNESS_CLOCKS_H

#include "statistics.h"
#include <cuda_runtime.h>
#include <dlfcn.h>
#include <vector>

namespace cpr_harness {

class Clocks {
public:
  void open() {
    void *Library = dlopen("libnvidia-ml.so.1", RTLD_LAZY | RTLD_LOCAL);
    if (!Library)
      return;
    auto Init = reinterpret_cast<int (*)()>(dlsym(Library, "nvmlInit_v2"));
    auto ByBus = reinterpret_cast<int (*)(const char *, void **)>(
        dlsym(Library, "nvmlDeviceGetHandleByPciBusId_v2"));
    Get = reinterpret_cast<int (*)(void *, int, unsigned *)>(
        dlsym(Library, "nvmlDeviceGetClockInfo"));
    char Bus[32] = "";
    // NVML counts devices without regard to CUDA_VISIBLE_DEVICES: the bus tells which one is ours.
    if (!Init || !ByBus || !Get || Init() != 0 ||
        cudaDeviceGetPCIBusId(Bus, sizeof(Bus), 0) != cudaSuccess || ByBus(Bus, &Handle) != 0)
      Handle = nullptr;
  }
  /// To be called while a kernel runs.
  void read() {
    unsigned Sm = 0, Memory = 0; // MHz
    if (Handle && Get(Handle, /*NVML_CLOCK_SM*/ 1, &Sm) == 0 &&
        Get(Handle, /*NVML_CLOCK_MEM*/ 2, &Memory) == 0) {
      OfSm.push_back(Sm);
      OfMemory.push_back(Memory);
    }
  }
  bool measured() const { return !OfSm.empty(); }
  const char *source() const { return measured() ? "nvml" : "attribute"; }
  double sm() const {
    return measured() ? cuda_pipeline::statistics::median(OfSm) : attribute(cudaDevAttrClockRate);
  }
  double memory() const {
    return measured() ? cuda_pipeline::statistics::median(OfMemory)
                      : attribute(cudaDevAttrMemoryClockRate);
  }
  double least() const { return measured() ? *std::min_element(OfSm.begin(), OfSm.end()) : sm(); }
  double most() const { return measured() ? *std::max_element(OfSm.begin(), OfSm.end()) : sm(); }

private:
  void *Handle = nullptr;
  int (*Get)(void *, int, unsigned *) = nullptr;
  std::vector<double> OfSm, OfMemory;

  static double attribute(cudaDeviceAttr Which) {
    int KiloHertz = 0;
    cudaDeviceGetAttribute(&KiloHertz, Which, 0);
    return KiloHertz / 1000.0;
  }
};

} // namespace cpr_harness

#endif
