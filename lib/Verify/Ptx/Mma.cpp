//===- Mma.cpp - The arithmetic of tensor cores ---------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Mma.h"
#include <algorithm>
#include <cmath>
#include <limits>

using namespace cuda_pipeline;
using namespace cuda_pipeline::emulator;

float emulator::dot(const float *A, const float *B, unsigned Stride, unsigned K, float C) {
  // A product of two elements has at most 22 bits and may leave float's range, so it is a double.
  for (unsigned I = 0; I != K; ++I)
    C = static_cast<float>(static_cast<double>(C) +
                           static_cast<double>(A[I]) * static_cast<double>(B[I * Stride]));
  return C;
}

double emulator::dot(const double *A, const double *B, unsigned Stride, unsigned K, double C) {
  for (unsigned I = 0; I != K; ++I)
    C = std::fma(A[I], B[I * Stride], C);
  return C;
}

static int32_t finish(int64_t Sum, bool Saturate) {
  if (Saturate)
    Sum = std::clamp<int64_t>(Sum, std::numeric_limits<int32_t>::min(),
                              std::numeric_limits<int32_t>::max());
  return static_cast<int32_t>(static_cast<uint32_t>(static_cast<uint64_t>(Sum)));
}

int32_t emulator::dot(const int16_t *A, const int16_t *B, unsigned Stride, unsigned K, int32_t C,
                      bool Saturate) {
  int64_t Sum = C;
  for (unsigned I = 0; I != K; ++I)
    Sum += int32_t(A[I]) * int32_t(B[I * Stride]);
  return finish(Sum, Saturate);
}

int32_t emulator::dotBits(const uint32_t *A, const uint32_t *B, unsigned Stride, unsigned Words,
                          int32_t C, bool And) {
  int64_t Sum = C;
  for (unsigned I = 0; I != Words; ++I) {
    uint32_t Bits = And ? A[I] & B[I * Stride] : A[I] ^ B[I * Stride];
    Sum += __builtin_popcount(Bits);
  }
  return finish(Sum, false);
}

void emulator::multiply(unsigned M, unsigned N, unsigned K, const float *A, const float *B,
                        const float *C, float *D) {
  for (unsigned R = 0; R != M; ++R)
    for (unsigned X = 0; X != N; ++X)
      D[R * N + X] = dot(A + R * K, B + X, N, K, C[R * N + X]);
}

void emulator::multiply(unsigned M, unsigned N, unsigned K, const double *A, const double *B,
                        const double *C, double *D) {
  for (unsigned R = 0; R != M; ++R)
    for (unsigned X = 0; X != N; ++X)
      D[R * N + X] = dot(A + R * K, B + X, N, K, C[R * N + X]);
}

void emulator::multiply(unsigned M, unsigned N, unsigned K, const int16_t *A, const int16_t *B,
                        const int32_t *C, int32_t *D, bool Saturate) {
  for (unsigned R = 0; R != M; ++R)
    for (unsigned X = 0; X != N; ++X)
      D[R * N + X] = dot(A + R * K, B + X, N, K, C[R * N + X], Saturate);
}

Place emulator::quadPlaceInA(bool ColumnMajor, unsigned Lane, unsigned Element) {
  unsigned High = Lane >= 16 ? 4 : 0;
  if (ColumnMajor)
    return {Element % 4 + High, Lane % 4};
  return {Lane % 4 + High, Element % 4};
}

Place emulator::quadPlaceInB(bool ColumnMajor, unsigned Lane, unsigned Element) {
  unsigned High = Lane >= 16 ? 4 : 0;
  if (ColumnMajor)
    return {Element % 4, Lane % 4 + High};
  return {Lane % 4, Element % 4 + High};
}

Place emulator::quadPlaceInC(bool Float, unsigned Lane, unsigned Element) {
  unsigned High = Lane >= 16 ? 4 : 0;
  if (Float)
    return {(Lane & 1) + (Element & 2) + High, (Element & 4) + (Lane & 2) + (Element & 1)};
  return {Lane % 4 + High, Element};
}
