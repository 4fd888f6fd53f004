//===- emulate/texture.h - What textures hold
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Nobody writes to a texture while a kernel reads it. So what it holds at a place is some number
/// that hangs on the object and on the place alone, and is another one nearly everywhere else. What
/// the texture of a program holds is not known here, nor how it is filtered. Surfaces are written
/// to and are not emulated.
///
//===----------------------------------------------------------------------===//
#pragma once

#include "machine.h"

// SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
__cpr_body unsigned long long __cpr_mix(unsigned long long State, unsigned long long With) {
  unsigned long long Z = State + With + 0x9e3779b97f4a7c15ull;
  Z = (Z ^ (Z >> 30)) * 0xbf58476d1ce4e5b9ull;
  Z = (Z ^ (Z >> 27)) * 0x94d049bb133111ebull;
  return Z ^ (Z >> 31);
}
__cpr_body unsigned long long __cpr_bits(int X) { return (unsigned)X; }
__cpr_body unsigned long long __cpr_bits(float X) { return __float_as_uint(X + 0.f); } // -0 is 0
__cpr_body unsigned long long __cpr_place(unsigned long long State) { return State; }
template <class C, class... R>
__cpr_body unsigned long long __cpr_place(unsigned long long State, C Coordinate, R... Rest) {
  return __cpr_place(__cpr_mix(State, __cpr_bits(Coordinate)), Rest...);
}

// Numbers of any type from all of its bits; floating ones of moderate size.
template <class T> __cpr_body void __cpr_number(T &To, unsigned long long Bits) { To = (T)Bits; }
__cpr_body void __cpr_number(float &To, unsigned long long Bits) {
  To = (float)(int)(Bits >> 48) / 8192.f - 4.f;
}
__cpr_body void __cpr_number(double &To, unsigned long long Bits) {
  To = (double)(long long)(Bits >> 24) / 137438953472. - 4.;
}
template <class T, class C>
__cpr_body void __cpr_components(T &To, C T::*, unsigned long long Bits) {
  C *Each = (C *)&To; // x, y, z, w
  for (unsigned I = 0; I < sizeof(T) / sizeof(C); ++I)
    __cpr_number(Each[I], __cpr_mix(Bits, I + 1));
}
template <class T> __cpr_body auto __cpr_fill(T &To, unsigned long long Bits, int) -> decltype((void)&T::x) {
  __cpr_components(To, &T::x, Bits);
}
template <class T> __cpr_body void __cpr_fill(T &To, unsigned long long Bits, long) {
  __cpr_number(To, Bits);
}
template <class T, class... C> __cpr_body T __cpr_texel(cudaTextureObject_t Of, C... Coordinates) {
  T Texel;
  __cpr_fill(Texel, __cpr_place(__cpr_mix(Of, sizeof...(C)), Coordinates...), 0);
  return Texel;
}

#define __cpr_tex1(F, A)                                                                           \
  template <class T> __cpr_body T F(cudaTextureObject_t Of, A X) { return __cpr_texel<T>(Of, X); }
#define __cpr_tex2(F, A, B)                                                                        \
  template <class T> __cpr_body T F(cudaTextureObject_t Of, A X, B Y) {                            \
    return __cpr_texel<T>(Of, X, Y);                                                               \
  }
#define __cpr_tex3(F, A, B, C)                                                                     \
  template <class T> __cpr_body T F(cudaTextureObject_t Of, A X, B Y, C Z) {                       \
    return __cpr_texel<T>(Of, X, Y, Z);                                                            \
  }
#define __cpr_tex4(F, A, B, C, D)                                                                  \
  template <class T> __cpr_body T F(cudaTextureObject_t Of, A X, B Y, C Z, D W) {                  \
    return __cpr_texel<T>(Of, X, Y, Z, W);                                                         \
  }
__cpr_tex1(tex1Dfetch, int)
__cpr_tex1(tex1D, float)
__cpr_tex2(tex2D, float, float)
__cpr_tex3(tex2Dgather, float, float, int)
__cpr_tex3(tex3D, float, float, float)
__cpr_tex2(tex1DLayered, float, int)
__cpr_tex3(tex2DLayered, float, float, int)
__cpr_tex2(tex1DLod, float, float)
__cpr_tex3(tex2DLod, float, float, float)
__cpr_tex4(tex3DLod, float, float, float, float)
__cpr_tex3(texCubemap, float, float, float)
template <class T> __cpr_body void tex1Dfetch(T *To, cudaTextureObject_t Of, int X) {
  *To = tex1Dfetch<T>(Of, X);
}
template <class T> __cpr_body void tex1D(T *To, cudaTextureObject_t Of, float X) {
  *To = tex1D<T>(Of, X);
}
template <class T> __cpr_body void tex2D(T *To, cudaTextureObject_t Of, float X, float Y) {
  *To = tex2D<T>(Of, X, Y);
}
template <class T> __cpr_body void tex3D(T *To, cudaTextureObject_t Of, float X, float Y, float Z) {
  *To = tex3D<T>(Of, X, Y, Z);
}
#undef __cpr_tex1
#undef __cpr_tex2
#undef __cpr_tex3
#undef __cpr_tex4

#define __cpr_surf(F, ...)                                                                         \
  template <class T> __cpr_body T F(__VA_ARGS__) __cpr_unsupported("surfaces (" #F ")")
#define __cpr_surf_to(F, ...)                                                                      \
  template <class T> __cpr_body void F(__VA_ARGS__) __cpr_unsupported("surfaces (" #F ")")
__cpr_surf(surf1Dread, cudaSurfaceObject_t, int, cudaSurfaceBoundaryMode)
__cpr_surf_to(surf1Dread, T *, cudaSurfaceObject_t, int, cudaSurfaceBoundaryMode)
__cpr_surf(surf2Dread, cudaSurfaceObject_t, int, int, cudaSurfaceBoundaryMode)
__cpr_surf_to(surf2Dread, T *, cudaSurfaceObject_t, int, int, cudaSurfaceBoundaryMode)
__cpr_surf(surf3Dread, cudaSurfaceObject_t, int, int, int, cudaSurfaceBoundaryMode)
__cpr_surf_to(surf1Dwrite, T, cudaSurfaceObject_t, int, cudaSurfaceBoundaryMode)
__cpr_surf_to(surf2Dwrite, T, cudaSurfaceObject_t, int, int, cudaSurfaceBoundaryMode)
__cpr_surf_to(surf3Dwrite, T, cudaSurfaceObject_t, int, int, int, cudaSurfaceBoundaryMode)
#undef __cpr_surf
#undef __cpr_surf_to
