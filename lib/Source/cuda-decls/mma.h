//===- mma.h - Warp matrix functions
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// nvcuda::wmma. CUDA declares one overload per shape and type; here templates stand for all of
/// them. The element counts are the documented shapes' (a fragment of __half always holds 16).
///
//===----------------------------------------------------------------------===//
#pragma once

#define __CUDA_MMA_H__

#include "cuda_bf16.h"
#include "cuda_fp16.h"

namespace nvcuda {
namespace wmma {

struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;
namespace precision {
struct tf32;
}
namespace experimental {
namespace precision {
struct u4;
struct s4;
struct b1;
} // namespace precision
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
} // namespace experimental
enum layout_t { mem_row_major, mem_col_major };

// What a fragment of T stores, how many T that holds, and what is loaded from memory.
template <class T> struct helper_traits {
  typedef T element_type, storage_element_type, fill_argument_type, __memory_type;
  static constexpr int __packed = 1;
};
template <> struct helper_traits<precision::tf32> {
  typedef precision::tf32 element_type;
  typedef float storage_element_type, fill_argument_type, __memory_type;
  static constexpr int __packed = 1;
};
template <> struct helper_traits<experimental::precision::u4> {
  typedef experimental::precision::u4 element_type;
  typedef unsigned int storage_element_type, fill_argument_type;
  typedef void __memory_type;
  static constexpr int __packed = 8;
};
template <> struct helper_traits<experimental::precision::s4> {
  typedef experimental::precision::s4 element_type;
  typedef int storage_element_type, fill_argument_type;
  typedef void __memory_type;
  static constexpr int __packed = 8;
};
template <> struct helper_traits<experimental::precision::b1> {
  typedef experimental::precision::b1 element_type;
  typedef unsigned int storage_element_type, fill_argument_type;
  typedef void __memory_type;
  static constexpr int __packed = 32;
};

template <class T, int Size, int Packed = Size> struct __align__(8) __frag_base {
  enum { num_elements = Size };
  enum { num_storage_elements = Packed };
  typedef T element_type;
  typedef typename helper_traits<T>::storage_element_type storage_element_type;
  storage_element_type x[num_storage_elements];
};

template <class Use, int m, int n, int k, class T> struct __frag_size {
  static constexpr int value = m * n / 32; // accumulator
};
template <int m, int n, int k, class T> struct __frag_size<matrix_a, m, n, k, T> {
  static constexpr int value = m * k / 32;
};
template <int m, int n, int k, class T> struct __frag_size<matrix_b, m, n, k, T> {
  static constexpr int value = k * n / 32;
};
template <int m, int n, int k> struct __frag_size<matrix_a, m, n, k, __half> {
  static constexpr int value = 16;
};
template <int m, int n, int k> struct __frag_size<matrix_b, m, n, k, __half> {
  static constexpr int value = 16;
};

template <class Use, int m, int n, int k, class T, class Layout = void>
class fragment
    : public __frag_base<T, __frag_size<Use, m, n, k, T>::value,
                         __frag_size<Use, m, n, k, T>::value / helper_traits<T>::__packed> {};

template <class Use, int m, int n, int k, class T, class Layout>
__device__ void load_matrix_sync(fragment<Use, m, n, k, T, Layout> &,
                                 const typename helper_traits<T>::__memory_type *, unsigned);
template <int m, int n, int k, class T>
__device__ void load_matrix_sync(fragment<accumulator, m, n, k, T> &, const T *, unsigned,
                                 layout_t);
template <int m, int n, int k, class T>
__device__ void store_matrix_sync(
    typename helper_traits<T>::storage_element_type *, const fragment<accumulator, m, n, k, T> &,
    unsigned, layout_t);
template <class T, int Size, int Packed>
__device__ void fill_fragment(__frag_base<T, Size, Packed> &,
                              const typename helper_traits<T>::fill_argument_type &);
template <int m, int n, int k, class A, class B, class LA, class LB, class C, class D>
__device__ void mma_sync(fragment<accumulator, m, n, k, D> &,
                         const fragment<matrix_a, m, n, k, A, LA> &,
                         const fragment<matrix_b, m, n, k, B, LB> &,
                         const fragment<accumulator, m, n, k, C> &, bool satf = false);
template <int m, int n, int k, class A, class B, class LA, class LB>
__device__ void bmma_sync(fragment<accumulator, m, n, k, int> &,
                          const fragment<matrix_a, m, n, k, A, LA> &,
                          const fragment<matrix_b, m, n, k, B, LB> &,
                          const fragment<accumulator, m, n, k, int> &,
                          experimental::bmmaBitOp = experimental::bmmaBitOpXOR,
                          experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC);
__device__ float __float_to_tf32(float);

} // namespace wmma
} // namespace nvcuda

#ifdef __CPR_EMULATE__
#include "emulate/wmma.h"
#endif
