//===- emulate/wmma.h - Bodies of nvcuda::wmma
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Which lane holds which element is not documented, so it can be anything that is fixed: element i
/// of a matrix, counted row by row, belongs to lane i % 32 as its fragment's element i / 32,
/// whatever the layout in memory. Fragments that hold more than that (half, of the narrow shapes)
/// hold their elements twice, as on a GPU.
///
/// Loads and stores touch memory by each lane for its own elements. A product is one exchange of A
/// and B, and then every lane's own scalar products with k ascending; on a GPU the order of the sum
/// is not specified.
///
//===----------------------------------------------------------------------===//
#pragma once

#include "machine.h"

namespace nvcuda {
namespace wmma {

// Rows and columns of a fragment's matrix, and whether there is such a product.
template <class Use, int m, int n, int k> struct __cpr_extent {
  static constexpr int rows = m, columns = n;
};
template <int m, int n, int k> struct __cpr_extent<matrix_a, m, n, k> {
  static constexpr int rows = m, columns = k;
};
template <int m, int n, int k> struct __cpr_extent<matrix_b, m, n, k> {
  static constexpr int rows = k, columns = n;
};

// What is computed with. Experimental types have nothing here: their functions end the run.
template <class T> struct __cpr_element {
  typedef T number;
  static constexpr bool known = true;
  static __cpr_member_body T widen(T x) { return x; }
};
template <> struct __cpr_element<__half> {
  typedef float number;
  static constexpr bool known = true;
  static __cpr_member_body float widen(__half x) { return __cpr_value(x); }
};
template <> struct __cpr_element<__nv_bfloat16> {
  typedef float number;
  static constexpr bool known = true;
  static __cpr_member_body float widen(__nv_bfloat16 x) { return __cpr_value(x); }
};
template <> struct __cpr_element<precision::tf32> {
  typedef float number;
  static constexpr bool known = true;
  // The product ignores the low 13 bits.
  static __cpr_member_body float widen(float x) {
    return __builtin_bit_cast(float, __builtin_bit_cast(unsigned, x) & 0xffffe000u);
  }
};
template <> struct __cpr_element<signed char> {
  typedef int number;
  static constexpr bool known = true;
  static __cpr_member_body int widen(signed char x) { return x; }
};
template <> struct __cpr_element<unsigned char> {
  typedef int number;
  static constexpr bool known = true;
  static __cpr_member_body int widen(unsigned char x) { return x; }
};
template <> struct __cpr_element<experimental::precision::u4> {
  typedef int number;
  static constexpr bool known = false;
  static __cpr_member_body int widen(unsigned) { return 0; }
};
template <> struct __cpr_element<experimental::precision::s4> {
  typedef int number;
  static constexpr bool known = false;
  static __cpr_member_body int widen(int) { return 0; }
};
template <> struct __cpr_element<experimental::precision::b1> {
  typedef int number;
  static constexpr bool known = false;
  static __cpr_member_body int widen(unsigned) { return 0; }
};

// Sums: of integers modulo 2^32 or saturated at the end, of doubles by fused operations. The
// product of two halves, bfloat16s or tf32s is exact in float or nearly so; sums are rounded to
// float.
__cpr_body float __cpr_accumulate(float s, float a, float b) { return s + a * b; }
__cpr_body double __cpr_accumulate(double s, double a, double b) { return __builtin_fma(a, b, s); }
__cpr_body long long __cpr_accumulate(long long s, int a, int b) { return s + (long long)a * b; }
__cpr_body float __cpr_start(float c) { return c; }
__cpr_body float __cpr_start(__half c) { return __cpr_value(c); }
__cpr_body double __cpr_start(double c) { return c; }
__cpr_body long long __cpr_start(int c) { return c; }
// satf: no infinities and no NaN.
__cpr_body void __cpr_finish(float &d, float s, bool Saturate) {
  if (Saturate)
    s = __builtin_isnan(s) ? 0 : __cpr_fmax(-__FLT_MAX__, __cpr_fmin(s, __FLT_MAX__));
  d = s;
}
__cpr_body void __cpr_finish(__half &d, float s, bool Saturate) {
  if (Saturate)
    s = __builtin_isnan(s) ? 0 : __cpr_fmax(-65504.0f, __cpr_fmin(s, 65504.0f));
  d = __cpr_round<__half>(s);
}
__cpr_body void __cpr_finish(double &d, double s, bool) { d = s; }
__cpr_body void __cpr_finish(int &d, long long s, bool Saturate) {
  if (Saturate)
    s = s > __INT_MAX__ ? __INT_MAX__ : s < -__INT_MAX__ - 1ll ? -__INT_MAX__ - 1ll : s;
  d = (int)(unsigned)(unsigned long long)s;
}

// The documented rules for addresses: a row or column starts at a multiple of the fragment's size,
// of 32 bytes at most, and the distance of two is a multiple of 16 bytes.
template <int FragmentBytes, int ElementBytes>
__cpr_body void __cpr_check_matrix(const void *p, unsigned ldm) {
  constexpr unsigned Start = FragmentBytes < 32 ? FragmentBytes : 32;
  constexpr unsigned Stride = FragmentBytes < 16 ? FragmentBytes : 16;
  if ((size_t)p % Start != 0)
    __cpr_emu_fault(Start == 32   ? "a wmma matrix whose address is not a multiple of 32 bytes"
                    : Start == 16 ? "a wmma matrix whose address is not a multiple of 16 bytes"
                                  : "a wmma matrix whose address is not a multiple of 8 bytes");
  if (ldm * ElementBytes % Stride != 0)
    __cpr_emu_fault(Stride == 16
                        ? "a wmma matrix whose leading dimension is not a multiple of 16 bytes"
                        : "a wmma matrix whose leading dimension is not a multiple of 8 bytes");
}

template <class Use, int m, int n, int k, class T, class Layout> struct __cpr_fragment {
  typedef fragment<Use, m, n, k, T, Layout> type;
  typedef typename helper_traits<T>::storage_element_type stored;
  static constexpr int rows = __cpr_extent<Use, m, n, k>::rows;
  static constexpr int columns = __cpr_extent<Use, m, n, k>::columns;
  static constexpr int own = rows * columns / 32; // elements per lane
  static constexpr int held = type::num_storage_elements;
};

template <class Use, int m, int n, int k, class T, class Layout, class Memory>
__cpr_body void __cpr_load(fragment<Use, m, n, k, T, Layout> &f, const Memory *p, unsigned ldm,
                           bool ByRows) {
  typedef __cpr_fragment<Use, m, n, k, T, Layout> F;
  __cpr_check_matrix<F::held * sizeof(Memory), sizeof(Memory)>(p, ldm);
  unsigned Lane = __cpr_emu_lane();
  for (int e = 0; e < F::own; ++e) {
    unsigned i = e * 32 + Lane;
    unsigned Row = i / F::columns, Column = i % F::columns;
    Memory v = p[ByRows ? (size_t)Row * ldm + Column : (size_t)Column * ldm + Row];
    for (int Copy = e; Copy < F::held; Copy += F::own)
      f.x[Copy] = v;
  }
}

template <class Layout> struct __cpr_by_rows {
  static constexpr bool value = true;
};
template <> struct __cpr_by_rows<col_major> {
  static constexpr bool value = false;
};

template <class Use, int m, int n, int k, class T, class Layout>
__cpr_body void load_matrix_sync(fragment<Use, m, n, k, T, Layout> &f,
                                 const typename helper_traits<T>::__memory_type *p, unsigned ldm) {
  if constexpr (__cpr_element<T>::known)
    __cpr_load(f, p, ldm, __cpr_by_rows<Layout>::value);
  else
    __cpr_emu_unsupported("wmma fragments of s4, u4 or b1");
}
template <int m, int n, int k, class T>
__cpr_body void load_matrix_sync(fragment<accumulator, m, n, k, T> &f, const T *p, unsigned ldm,
                                 layout_t Layout) {
  __cpr_load(f, p, ldm, Layout == mem_row_major);
}
template <int m, int n, int k, class T>
__cpr_body void store_matrix_sync(typename helper_traits<T>::storage_element_type *p,
                                  const fragment<accumulator, m, n, k, T> &f, unsigned ldm,
                                  layout_t Layout) {
  typedef __cpr_fragment<accumulator, m, n, k, T, void> F;
  __cpr_check_matrix<F::held * sizeof(T), sizeof(T)>(p, ldm);
  unsigned Lane = __cpr_emu_lane();
  for (int e = 0; e < F::own; ++e) {
    unsigned i = e * 32 + Lane;
    unsigned Row = i / F::columns, Column = i % F::columns;
    p[Layout == mem_row_major ? (size_t)Row * ldm + Column : (size_t)Column * ldm + Row] = f.x[e];
  }
}
template <class T, int Size, int Packed>
__cpr_body void fill_fragment(__frag_base<T, Size, Packed> &f,
                              const typename helper_traits<T>::fill_argument_type &v) {
  for (int e = 0; e < Packed; ++e)
    f.x[e] = v;
}

template <int m, int n, int k, class A, class B, class LA, class LB, class C, class D>
__cpr_body void mma_sync(fragment<accumulator, m, n, k, D> &d,
                         const fragment<matrix_a, m, n, k, A, LA> &a,
                         const fragment<matrix_b, m, n, k, B, LB> &b,
                         const fragment<accumulator, m, n, k, C> &c, bool Saturate) {
  if constexpr (__cpr_element<A>::known && __cpr_element<B>::known) {
    typedef __cpr_fragment<matrix_a, m, n, k, A, LA> FA;
    typedef __cpr_fragment<matrix_b, m, n, k, B, LB> FB;
    typedef typename __cpr_element<A>::number Number;
    struct Factors {
      Number a[FA::own], b[FB::own];
    } Mine;
    for (int e = 0; e < FA::own; ++e)
      Mine.a[e] = __cpr_element<A>::widen(a.x[e]);
    for (int e = 0; e < FB::own; ++e)
      Mine.b[e] = __cpr_element<B>::widen(b.x[e]);
    const Factors *All = (const Factors *)__cpr_emu_exchange(0xffffffff, &Mine, sizeof(Mine));
    unsigned Lane = __cpr_emu_lane();
    for (int e = 0; e < m * n / 32; ++e) {
      unsigned i = e * 32 + Lane;
      unsigned Row = i / n, Column = i % n;
      auto Sum = __cpr_start(c.x[e]);
      for (unsigned j = 0; j < k; ++j) {
        unsigned ia = Row * k + j, ib = j * n + Column;
        Sum = __cpr_accumulate(Sum, All[ia % 32].a[ia / 32], All[ib % 32].b[ib / 32]);
      }
      __cpr_finish(d.x[e], Sum, Saturate);
    }
  } else {
    __cpr_emu_unsupported("wmma fragments of s4, u4 or b1");
  }
}
template <int m, int n, int k, class A, class B, class LA, class LB>
__cpr_body void bmma_sync(fragment<accumulator, m, n, k, int> &,
                          const fragment<matrix_a, m, n, k, A, LA> &,
                          const fragment<matrix_b, m, n, k, B, LB> &,
                          const fragment<accumulator, m, n, k, int> &, experimental::bmmaBitOp,
                          experimental::bmmaAccumulateOp) __cpr_unsupported("wmma::bmma_sync")

// Ten digits, ties away from zero.
__cpr_body float __float_to_tf32(float x) {
  unsigned u = __builtin_bit_cast(unsigned, x);
  if ((u & 0x7f800000) == 0x7f800000)
    return x;
  return __builtin_bit_cast(float, (u + 0x1000u) & 0xffffe000u);
}

} // namespace wmma
} // namespace nvcuda
