//===- CompileDevice.h - From a .cu file to device code -------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// The step in front of verification: reads a CUDA file as Source.h does and yields a DeviceModule.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_COMPILEDEVICE_H
#define CUDA_PIPELINE_COMPILEDEVICE_H

#include "cuda-pipeline/DeviceModule.h"
#include "cuda-pipeline/Source.h"

namespace cuda_pipeline {

/// \p Instantiate: kernels that must be there even if the file does not use them, as one writes
/// them in a launch ("gemm<float, 32>"); one that does not exist is an error of the compilation.
/// Clang's messages are appended to \p Diagnostics; the error is one line. Always reads on the
/// bundled declarations, whatever Request.Cuda says: only they have bodies that the emulator can
/// run. With Request.KeepGoing host functions that do not compile are left out, and includes of
/// what is not there.
llvm::Expected<DeviceModule> compileDevice(const ParseRequest &Request,
                                           llvm::ArrayRef<std::string> Instantiate,
                                           std::string &Diagnostics);

/// Before many files are compiled with the flags of \p Request: what is included in front of each
/// is read once, and kept in memory.
void prepareDeviceCompilation(const ParseRequest &Request);

} // namespace cuda_pipeline

#endif
