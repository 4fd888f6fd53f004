//===- KeptAddresses.h - Which addresses a kernel keeps to itself ----------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// A pointer that is read from memory (`const float *a = batch[blockIdx.z];`) points to whatever
/// somebody put there. The host, and other kernels, can put no address of shared memory or of a
/// thread's own there that lasts: such an object ends with its block (CUDA C++ Programming Guide,
/// "Variable memory space specifiers"). So it points to global memory, if the kernel itself puts no
/// other address where it may be read from: neither in memory that the points-to analysis does not
/// follow, nor into a number, nor into what is not seen.
///
/// That is asked of all that the kernel may run (ReachedCode.h), under the assumption that it
/// holds: the first address to get into memory would have come from somewhere else.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_MODEL_KEPTADDRESSES_H
#define CUDA_PIPELINE_LIB_MODEL_KEPTADDRESSES_H

#include "CallSites.h"

namespace cuda_pipeline {

/// Pointers in memory lead to global memory. Of a kernel; of a `__device__` function: of all
/// kernels that may call it, which \p Calls knows. Null: nobody knows who does.
bool keepAddresses(const clang::FunctionDecl *Function, clang::ASTContext &Context,
                   CallSites *Calls);

/// The function and what it may call let no address out of a shared array of its own: a pointer
/// that it is given leads to none of these, whoever calls it with what.
bool keepsOwnArrays(const clang::FunctionDecl *Function, clang::ASTContext &Context,
                    CallSites &Calls);

} // namespace cuda_pipeline

#endif
