//===- emulate/experimental_pipeline.h - Bodies of nvcuda::experimental::pipeline
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "machine.h"

namespace nvcuda {
namespace experimental {

__cpr_member_body pipeline::pipeline() : current_batch(0) {}
__cpr_member_body size_t pipeline::commit() {
  __cpr_emu_commit_group();
  return current_batch++;
}
__cpr_member_body void pipeline::commit_and_wait() { wait(commit()); }
__cpr_member_body void pipeline::wait(size_t Batch) {
  if (Batch >= current_batch)
    __cpr_emu_fault("pipeline::wait for a batch that was not committed");
  __cpr_emu_wait_group((unsigned)(current_batch - Batch - 1));
}
template <unsigned N> __cpr_member_body void pipeline::wait_prior() { __cpr_emu_wait_group(N); }

// By pieces of 4, 8 or 16 bytes, else at once.
template <class T> __cpr_body void memcpy_async(T &To, const T &From, pipeline &) {
  if constexpr (sizeof(T) % 4 == 0 && alignof(T) % 4 == 0) {
    constexpr unsigned Piece = alignof(T) % 16 == 0 ? 16 : alignof(T) % 8 == 0 ? 8 : 4;
    for (size_t i = 0; i < sizeof(T); i += Piece)
      __cpr_emu_copy_async((char *)&To + i, (const char *)&From + i, Piece, 0);
  } else {
    To = From;
  }
}
template <class T, size_t DstN, size_t SrcN>
__cpr_body void memcpy_async(T (&To)[DstN], const T (&From)[SrcN], pipeline &p) {
  for (size_t i = 0; i < DstN; ++i) {
    if (i < SrcN)
      memcpy_async(To[i], From[i], p);
    else
      To[i] = T();
  }
}

} // namespace experimental
} // namespace nvcuda
