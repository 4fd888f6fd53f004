//===- emulate/complex.h - Bodies of cuComplex.h
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "machine.h"

// Division scaled by the larger part of the divisor, as CUDA's header does it.
#define __cpr_complex(C, R, suffix, Name, hypotenuse, absolute)                                    \
  __cpr_both_body C make_cu##Name(R x, R y) { return C{x, y}; }                                    \
  __cpr_both_body R cuCreal##suffix(C a) { return a.x; }                                           \
  __cpr_both_body R cuCimag##suffix(C a) { return a.y; }                                           \
  __cpr_both_body C cuConj##suffix(C a) { return C{a.x, -a.y}; }                                   \
  __cpr_both_body C cuCadd##suffix(C a, C b) { return C{a.x + b.x, a.y + b.y}; }                   \
  __cpr_both_body C cuCsub##suffix(C a, C b) { return C{a.x - b.x, a.y - b.y}; }                   \
  __cpr_both_body C cuCmul##suffix(C a, C b) {                                                     \
    return C{a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};                                        \
  }                                                                                                \
  __cpr_both_body C cuCdiv##suffix(C a, C b) {                                                     \
    R s = 1 / (absolute(b.x) + absolute(b.y));                                                     \
    R ax = a.x * s, ay = a.y * s, bx = b.x * s, by = b.y * s;                                      \
    R d = 1 / (bx * bx + by * by);                                                                 \
    return C{(ax * bx + ay * by) * d, (ay * bx - ax * by) * d};                                    \
  }                                                                                                \
  __cpr_both_body R cuCabs##suffix(C a) { return hypotenuse(a.x, a.y); }
__cpr_complex(cuFloatComplex, float, f, FloatComplex, __cpr_host_hypotf, __builtin_fabsf)
__cpr_complex(cuDoubleComplex, double, , DoubleComplex, __cpr_host_hypot, __builtin_fabs)
#undef __cpr_complex
__cpr_both_body cuComplex make_cuComplex(float x, float y) { return cuComplex{x, y}; }
__cpr_both_body cuComplex cuCfmaf(cuComplex a, cuComplex b, cuComplex c) {
  float x = a.x * b.x + c.x, y = b.x * a.y + c.y;
  return cuComplex{-(a.y * b.y) + x, a.x * b.y + y};
}
__cpr_both_body cuDoubleComplex cuCfma(cuDoubleComplex a, cuDoubleComplex b, cuDoubleComplex c) {
  double x = a.x * b.x + c.x, y = b.x * a.y + c.y;
  return cuDoubleComplex{-(a.y * b.y) + x, a.x * b.y + y};
}
