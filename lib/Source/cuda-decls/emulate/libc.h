//===- emulate/libc.h - Bodies of the C library's device functions
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// memcpy and memset need none: their calls become intrinsics (Lower.cpp), which are checked like
/// loads and stores.
///
//===----------------------------------------------------------------------===//
#pragma once

#include "machine.h"

// A copy of Text behind what is in Buffer, as far as there is room.
__cpr_body unsigned __cpr_append(char *Buffer, unsigned Used, unsigned Size, const char *Text) {
  while (Text && *Text && Used + 1 < Size)
    Buffer[Used++] = *Text++;
  Buffer[Used] = 0;
  return Used;
}

extern "C" {
// Output is dropped: its order says nothing, and verification compares memory. Clang makes printf a
// call of vprintf that no declaration shows, hence `used`.
__cpr_body int printf(const char *, ...) { return 0; }
__cpr_body __attribute__((used)) int vprintf(const char *, const char *) { return 0; }
__cpr_body void *malloc(size_t) {
  __cpr_emu_unsupported("malloc in a kernel");
}
__cpr_body void free(void *P) {
  if (P)
    __cpr_emu_unsupported("free in a kernel");
}
__cpr_body void __assert_fail(const char *Condition, const char *, unsigned, const char *) {
  char Text[256];
  unsigned N = __cpr_append(Text, 0, sizeof(Text), "the kernel's assertion '");
  N = __cpr_append(Text, N, sizeof(Text) - 8, Condition);
  __cpr_append(Text, N, sizeof(Text), "' fails");
  __cpr_emu_fault(Text);
}
__cpr_body void __assertfail(const char *Condition, const char *, unsigned, const char *, size_t) {
  __assert_fail(Condition, nullptr, 0, nullptr);
}
__cpr_body void abort() { __cpr_emu_fault("the kernel calls abort()"); }
}

__cpr_body int clock() { return (int)__cpr_emu_special_register("clock"); }
__cpr_body long long clock64() { return (long long)__cpr_emu_special_register("clock64"); }
