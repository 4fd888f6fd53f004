//===- emulate/runtime.h - Runtime functions that a kernel can call
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "machine.h"

extern "C" {
__cpr_body void *cudaGetParameterBuffer(size_t, size_t)
    __cpr_unsupported("a launch of a kernel from a kernel")
__cpr_body cudaError_t cudaLaunchDevice(void *, void *, dim3, dim3, unsigned int, cudaStream_t)
    __cpr_unsupported("a launch of a kernel from a kernel")
// A kernel runs alone: nothing before it is unfinished, and nobody waits for it.
__cpr_body void cudaTriggerProgrammaticLaunchCompletion() {}
__cpr_body void cudaGridDependencySynchronize() {}
}
