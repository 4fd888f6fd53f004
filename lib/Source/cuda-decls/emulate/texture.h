//===- emulate/texture.h - Textures and surfaces are not emulated
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "machine.h"

#define __cpr_tex(F, ...)                                                                          \
  template <class T> __cpr_body T F(__VA_ARGS__) __cpr_unsupported("textures (" #F ")")
#define __cpr_tex_to(F, ...)                                                                       \
  template <class T> __cpr_body void F(__VA_ARGS__) __cpr_unsupported("textures (" #F ")")
#define __cpr_surf(F, ...)                                                                         \
  template <class T> __cpr_body T F(__VA_ARGS__) __cpr_unsupported("surfaces (" #F ")")
#define __cpr_surf_to(F, ...)                                                                      \
  template <class T> __cpr_body void F(__VA_ARGS__) __cpr_unsupported("surfaces (" #F ")")
__cpr_tex(tex1Dfetch, cudaTextureObject_t, int)
__cpr_tex_to(tex1Dfetch, T *, cudaTextureObject_t, int)
__cpr_tex(tex1D, cudaTextureObject_t, float)
__cpr_tex_to(tex1D, T *, cudaTextureObject_t, float)
__cpr_tex(tex2D, cudaTextureObject_t, float, float)
__cpr_tex_to(tex2D, T *, cudaTextureObject_t, float, float)
__cpr_tex(tex2Dgather, cudaTextureObject_t, float, float, int)
__cpr_tex(tex3D, cudaTextureObject_t, float, float, float)
__cpr_tex_to(tex3D, T *, cudaTextureObject_t, float, float, float)
__cpr_tex(tex1DLayered, cudaTextureObject_t, float, int)
__cpr_tex(tex2DLayered, cudaTextureObject_t, float, float, int)
__cpr_tex(tex1DLod, cudaTextureObject_t, float, float)
__cpr_tex(tex2DLod, cudaTextureObject_t, float, float, float)
__cpr_tex(tex3DLod, cudaTextureObject_t, float, float, float, float)
__cpr_tex(texCubemap, cudaTextureObject_t, float, float, float)
__cpr_surf(surf1Dread, cudaSurfaceObject_t, int, cudaSurfaceBoundaryMode)
__cpr_surf_to(surf1Dread, T *, cudaSurfaceObject_t, int, cudaSurfaceBoundaryMode)
__cpr_surf(surf2Dread, cudaSurfaceObject_t, int, int, cudaSurfaceBoundaryMode)
__cpr_surf_to(surf2Dread, T *, cudaSurfaceObject_t, int, int, cudaSurfaceBoundaryMode)
__cpr_surf(surf3Dread, cudaSurfaceObject_t, int, int, int, cudaSurfaceBoundaryMode)
__cpr_surf_to(surf1Dwrite, T, cudaSurfaceObject_t, int, cudaSurfaceBoundaryMode)
__cpr_surf_to(surf2Dwrite, T, cudaSurfaceObject_t, int, int, cudaSurfaceBoundaryMode)
__cpr_surf_to(surf3Dwrite, T, cudaSurfaceObject_t, int, int, int, cudaSurfaceBoundaryMode)
#undef __cpr_tex
#undef __cpr_tex_to
#undef __cpr_surf
#undef __cpr_surf_to
