//===- cuda_pipeline_primitives.h - __pipeline_memcpy_async and the like
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "cuda_awbarrier_primitives.h"

__device__ void __pipeline_memcpy_async(void *__restrict__, const void *__restrict__, size_t,
                                        size_t zfill = 0);
__device__ void __pipeline_commit();
__device__ void __pipeline_wait_prior(size_t);
__device__ void __pipeline_arrive_on(__mbarrier_t *);

#ifdef __CPR_EMULATE__
#include "emulate/pipeline_primitives.h"
#endif
