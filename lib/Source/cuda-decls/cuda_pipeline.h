//===- cuda_pipeline.h - nvcuda::experimental::pipeline
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "cuda_pipeline_primitives.h"

namespace nvcuda {
namespace experimental {

class pipeline {
public:
  pipeline(const pipeline &) = delete;
  pipeline(pipeline &&) = delete;
  pipeline &operator=(const pipeline &) = delete;
  pipeline &operator=(pipeline &&) = delete;
  __device__ pipeline();
  __device__ size_t commit();
  __device__ void commit_and_wait();
  __device__ void wait(size_t);
  template <unsigned N> __device__ void wait_prior();

private:
  size_t current_batch;
};
template <class T> __device__ void memcpy_async(T &, const T &, pipeline &);
template <class T, size_t DstN, size_t SrcN>
__device__ void memcpy_async(T (&)[DstN], const T (&)[SrcN], pipeline &);

} // namespace experimental
} // namespace nvcuda

#ifdef __CPR_EMULATE__
#include "emulate/experimental_pipeline.h"
#endif
