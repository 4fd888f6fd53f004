//===- emulate/math_overloads.h - The C library's functions with bodies
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// What crt/math_functions.h declares by __cpr_math1 and __cpr_math2, defined at once: a
/// declaration and a body for each would cost the compiler time.
///
/// The host's C library stands for CUDA's: both are accurate to an ulp or two, and verification
/// compares two kernels that call the same function. host_functions.def lists what is used of it.
///
//===----------------------------------------------------------------------===//
#pragma once

#include "machine.h"

// The host's functions under names of our own: the C names are overloaded in device code.
#define __cpr_host __attribute__((const)) __device__
#define __cpr_host2(F)                                                                             \
  __cpr_host double __cpr_host_##F(double, double) __asm__(#F);                                    \
  __cpr_host float __cpr_host_##F##f(float, float) __asm__(#F "f");
#define __cpr_plain(R, RF, F)                                                                      \
  __cpr_host R __cpr_host_##F(double) __asm__(#F);                                                 \
  __cpr_host RF __cpr_host_##F##f(float) __asm__(#F "f");

// R f(double), R f(float) under both names, and for integers.
#define __cpr_math1(R, RF, F)                                                                      \
  extern "C" {                                                                                     \
  __cpr_plain(R, RF, F)                                                                            \
  }                                                                                                \
  __cpr_body R F(double x) { return __cpr_host_##F(x); }                                           \
  __cpr_body RF F##f(float x) { return __cpr_host_##F##f(x); }                                     \
  __cpr_body RF F(float x) { return __cpr_host_##F##f(x); }                                        \
  template <class T> __cpr_body __cpr_integral(T, R) F(T x) { return __cpr_host_##F((double)x); }
#define __cpr_math2(F)                                                                             \
  extern "C" {                                                                                     \
  __cpr_host2(F)                                                                                   \
  }                                                                                                \
  __cpr_body double F(double x, double y) { return __cpr_host_##F(x, y); }                         \
  __cpr_body float F##f(float x, float y) { return __cpr_host_##F##f(x, y); }                      \
  __cpr_body float F(float x, float y) { return __cpr_host_##F##f(x, y); }                         \
  template <class T, class U> __cpr_body __cpr_arithmetic(T, U, double) F(T x, U y) {              \
    return __cpr_host_##F((double)x, (double)y);                                                   \
  }
