//===- cuda_runtime.h - What is declared without an #include
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// The bundled CUDA declarations: what a kernel needs to be *read* where there is no toolkit. They
/// have the documented names and signatures, and nothing but declarations: code that uses them
/// parses, and does not link. This header is included before the first line of every file, as nvcc
/// includes its own; fp16, wmma, cooperative groups and others come with their own headers.
///
/// The built-in variables are Clang's, so that `threadIdx.x` has the same AST as with a toolkit.
///
//===----------------------------------------------------------------------===//
#pragma once

// The toolkit's own include guards, here and in the other headers: code asks for them, and a header
// of a toolkit that is reached in another way (a library's, in a default directory) must not
// declare all this again.
#define __CUDA_RUNTIME_H__
#define __DEVICE_LAUNCH_PARAMETERS_H__
#define __CHANNEL_DESCRIPTOR_H__
#define __CUDA_DEVICE_RUNTIME_API_H__
#define __TEXTURE_TYPES_H__
#define __SURFACE_TYPES_H__
#define __LIBRARY_TYPES_H__

#include "host_defines.h"

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

#include "vector_types.h"

#include <__clang_cuda_builtin_vars.h>

// The conversions that Clang's header leaves to whoever knows the vector types.
#define __cpr_builtin_var(T)                                                                       \
  __device__ inline T::operator dim3() const { return dim3(x, y, z); }                             \
  __device__ inline T::operator uint3() const { return {x, y, z}; }
__cpr_builtin_var(__cuda_builtin_threadIdx_t)
__cpr_builtin_var(__cuda_builtin_blockIdx_t)
__cpr_builtin_var(__cuda_builtin_blockDim_t)
__cpr_builtin_var(__cuda_builtin_gridDim_t)
#undef __cpr_builtin_var

#include "vector_functions.h"
#include "crt/libc.h"
#if __has_include(<assert.h>)
#include <assert.h>
#endif
#include "crt/math_functions.h"
#include "crt/device_functions.h"
#include "device_atomic_functions.h"
#include "crt/warp_functions.h"
#include "crt/cache_functions.h"
// The toolkit's includes it, and who takes std::same_as from there does not include more. Before C++20 it has little that
// anybody takes in that way, and costs as much as all the rest.
#if __cplusplus >= 202002L && __has_include(<utility>)
#include <utility>
#endif
#include "cuda_runtime_api.h"
#include "texture_functions.h"
