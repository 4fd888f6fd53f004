//===- emulate/pipeline_primitives.h - Bodies of __pipeline_* and __mbarrier_*
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Waits with a limit of time poll, like those without.
///
//===----------------------------------------------------------------------===//
#pragma once

#include "machine.h"

__cpr_body void __pipeline_memcpy_async(void *__restrict__ Shared, const void *__restrict__ Global,
                                        size_t Bytes, size_t ZeroFill) {
  if (Bytes != 4 && Bytes != 8 && Bytes != 16)
    __cpr_emu_fault("__pipeline_memcpy_async of other than 4, 8 or 16 bytes");
  if (ZeroFill > Bytes)
    __cpr_emu_fault("__pipeline_memcpy_async fills more bytes with zeros than it copies");
  __cpr_emu_copy_async(Shared, Global, (unsigned)Bytes, (unsigned)ZeroFill);
}
__cpr_body void __pipeline_commit() { __cpr_emu_commit_group(); }
__cpr_body void __pipeline_wait_prior(size_t Pending) { __cpr_emu_wait_group((unsigned)Pending); }
__cpr_body void __pipeline_arrive_on(__mbarrier_t *b) { __cpr_emu_mbarrier_arrive_on_copies(b, 0); }

__cpr_body unsigned int __mbarrier_maximum_count() { return (1u << 20) - 1; }
__cpr_body void __mbarrier_init(__mbarrier_t *b, unsigned int n) { __cpr_emu_mbarrier_init(b, n); }
__cpr_body void __mbarrier_inval(__mbarrier_t *b) { __cpr_emu_mbarrier_invalidate(b); }
__cpr_body __mbarrier_token_t __mbarrier_arrive(__mbarrier_t *b) {
  return __cpr_emu_mbarrier_arrive(b, 1, 0);
}
__cpr_body __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t *b) {
  return __cpr_emu_mbarrier_arrive(b, 1, 1);
}
__cpr_body bool __mbarrier_test_wait(__mbarrier_t *b, __mbarrier_token_t t) {
  return __cpr_emu_mbarrier_test(b, 0, t);
}
__cpr_body bool __mbarrier_test_wait_parity(__mbarrier_t *b, bool p) {
  return __cpr_emu_mbarrier_test(b, 1, p);
}
__cpr_body bool __mbarrier_try_wait(__mbarrier_t *b, __mbarrier_token_t t, unsigned int) {
  return __cpr_emu_mbarrier_test(b, 0, t);
}
__cpr_body bool __mbarrier_try_wait_parity(__mbarrier_t *b, bool p, unsigned int) {
  return __cpr_emu_mbarrier_test(b, 1, p);
}
__cpr_body unsigned int __mbarrier_token_pending_count(__mbarrier_token_t t) {
  return (unsigned int)(t & 0xfffff);
}
