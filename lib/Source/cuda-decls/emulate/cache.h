//===- emulate/cache.h - Loads and stores with a cache policy
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// The declarations of crt/cache_functions.h with bodies: two for each of some three hundred
/// functions would cost the compiler time.
///
/// They are ld.global and st.global: an address of other memory is a fault. Beyond that a policy
/// changes how long something takes. __ldg is for what is read-only as long as the kernel runs: to
/// read by it what the launch has written is a fault.
///
//===----------------------------------------------------------------------===//
#pragma once

#include "machine.h"

#define __cpr_load(T, f)                                                                           \
  __cpr_body T f(const T *p) {                                                                     \
    __cpr_emu_need_global(p);                                                                      \
    return *p;                                                                                     \
  }
#define __cpr_lasting_load(T, f)                                                                   \
  __cpr_body T f(const T *p) {                                                                     \
    __cpr_emu_need_global(p);                                                                      \
    __cpr_emu_need_lasting(p, sizeof(T));                                                          \
    return *p;                                                                                     \
  }
#define __cpr_store(T, f)                                                                          \
  __cpr_body void f(T *p, T v) {                                                                   \
    __cpr_emu_need_global(p);                                                                      \
    *p = v;                                                                                        \
  }
