//===- Mma.h - The arithmetic of tensor cores -----------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// D = A * B + C for small matrices, and which lane of a warp holds which element.
///
/// PTX leaves the order and the precision of the sums of floating-point products open, and GPUs
/// differ from each other. Here the sum starts with the element of C and adds the products with k
/// ascending. Products of half, bfloat16, tf32 and fp8 are exact; each sum is rounded to float, to
/// nearest even (by way of double, where that is wider than what is added). Results of half are
/// rounded once more, at the end. Doubles are summed by fused multiply-adds. Integers are exact,
/// and are wrapped or saturated at the end. Two kernels that issue the same instructions on the
/// same data in the same order therefore agree to the bit; that their sums agree with those of a
/// GPU to the bit is not claimed.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_VERIFY_PTX_MMA_H
#define CUDA_PIPELINE_VERIFY_PTX_MMA_H

#include <cstdint>

namespace cuda_pipeline {
namespace emulator {

/// C + sum of A[k] * B[k], as above. The elements of \p B are \p Stride apart.
float dot(const float *A, const float *B, unsigned Stride, unsigned K, float C);
double dot(const double *A, const double *B, unsigned Stride, unsigned K, double C);
/// Integers of four or eight bits of any sign. \p Saturate: to the range of int, else modulo 2^32.
int32_t dot(const int16_t *A, const int16_t *B, unsigned Stride, unsigned K, int32_t C,
            bool Saturate);
/// Bits, 32 in a word: the number of ones of A xor B, or of A and B, added to C.
int32_t dotBits(const uint32_t *A, const uint32_t *B, unsigned Stride, unsigned Words, int32_t C,
                bool And);

/// Whole matrices, row by row: A has M x K elements, B has K x N, C and D have M x N; D may be C.
void multiply(unsigned M, unsigned N, unsigned K, const float *A, const float *B, const float *C,
              float *D);
void multiply(unsigned M, unsigned N, unsigned K, const double *A, const double *B, const double *C,
              double *D);
void multiply(unsigned M, unsigned N, unsigned K, const int16_t *A, const int16_t *B,
              const int32_t *C, int32_t *D, bool Saturate);

/// A place in a matrix.
struct Place {
  unsigned Row, Column;
};

/// The fragments of `mma.sync.m8n8k*` and `.m16n8k*` follow one rule, whatever the type: a 32-bit
/// register (or a double) holds \p PerRegister neighbours along k; the eight rows of A, or columns
/// of B, belong to the eight groups of four lanes, and the lanes of a group divide k among
/// themselves. Of a matrix A of sixteen rows, odd registers hold the rows from 8 on.
inline Place placeInA(unsigned Rows, unsigned PerRegister, unsigned Lane, unsigned Register,
                      unsigned Element) {
  unsigned Step = Rows == 16 ? Register / 2 : Register;
  return {Lane / 4 + (Rows == 16 ? Register % 2 * 8 : 0),
          Step * 4 * PerRegister + Lane % 4 * PerRegister + Element};
}
inline Place placeInB(unsigned PerRegister, unsigned Lane, unsigned Register, unsigned Element) {
  return {Register * 4 * PerRegister + Lane % 4 * PerRegister + Element, Lane / 4};
}
/// Of C and D, by the number of the element in the lane.
inline Place placeInC(unsigned Lane, unsigned Element) {
  return {Lane / 4 + Element / 2 * 8, Lane % 4 * 2 + Element % 2};
}

/// mma.m8n8k4 of half is four products at once, one for each pair of four lanes i*4.. and 16+i*4..;
/// these are the places in the product that the lane belongs to, quadPair(Lane).
inline unsigned quadPair(unsigned Lane) { return Lane % 16 / 4; }
Place quadPlaceInA(bool ColumnMajor, unsigned Lane, unsigned Element);
Place quadPlaceInB(bool ColumnMajor, unsigned Lane, unsigned Element);
/// \p Float: the accumulator is float, which is laid out in another way than half.
Place quadPlaceInC(bool Float, unsigned Lane, unsigned Element);

} // namespace emulator
} // namespace cuda_pipeline

#endif
