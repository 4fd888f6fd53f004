//===- cuda_pipeline_primitives.h - __pipeline_memcpy_async and the like
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "cuda_awbarrier_primitives.h"

// The names that the toolkit's header has for itself: a macro of the same name breaks it, and this.
namespace __cpr_names {
template <unsigned N> struct CopySize;
enum Of { Align, CpAsyncChooser, ImplementationChooser, SourceSize, UseHwAsyncCopy, barrier,
          copy_source, copy_step_size, cp_async, dst, dst_shared, experimental, i, nvcuda, prior,
          remaining, size_and_align, src, src_global, x, zfill, pipeline_arrive_on, pipeline_commit,
          pipeline_copy_relaxed, pipeline_copy_strict, pipeline_memcpy_async, pipeline_memcpy_sync,
          pipeline_wait_prior };
} // namespace __cpr_names

__device__ void __pipeline_memcpy_async(void *__restrict__, const void *__restrict__, size_t,
                                        size_t zfill = 0);
__device__ void __pipeline_commit();
__device__ void __pipeline_wait_prior(size_t);
__device__ void __pipeline_arrive_on(__mbarrier_t *);

#ifdef __CPR_EMULATE__
#include "emulate/pipeline_primitives.h"
#endif
