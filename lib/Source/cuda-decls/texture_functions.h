//===- texture_functions.h - Reads through texture and surface objects
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#define __TEXTURE_INDIRECT_FUNCTIONS_H__
#define __SURFACE_INDIRECT_FUNCTIONS_H__

#include "driver_types.h"

template <class T> __device__ T tex1Dfetch(cudaTextureObject_t, int);
template <class T> __device__ void tex1Dfetch(T *, cudaTextureObject_t, int);
template <class T> __device__ T tex1D(cudaTextureObject_t, float);
template <class T> __device__ void tex1D(T *, cudaTextureObject_t, float);
template <class T> __device__ T tex2D(cudaTextureObject_t, float, float);
template <class T> __device__ void tex2D(T *, cudaTextureObject_t, float, float);
template <class T> __device__ T tex2Dgather(cudaTextureObject_t, float, float, int = 0);
template <class T> __device__ T tex3D(cudaTextureObject_t, float, float, float);
template <class T> __device__ void tex3D(T *, cudaTextureObject_t, float, float, float);
template <class T> __device__ T tex1DLayered(cudaTextureObject_t, float, int);
template <class T> __device__ T tex2DLayered(cudaTextureObject_t, float, float, int);
template <class T> __device__ T tex1DLod(cudaTextureObject_t, float, float);
template <class T> __device__ T tex2DLod(cudaTextureObject_t, float, float, float);
template <class T> __device__ T tex3DLod(cudaTextureObject_t, float, float, float, float);
template <class T> __device__ T texCubemap(cudaTextureObject_t, float, float, float);

#define __cpr_mode cudaSurfaceBoundaryMode = cudaBoundaryModeTrap
template <class T> __device__ T surf1Dread(cudaSurfaceObject_t, int, __cpr_mode);
template <class T> __device__ void surf1Dread(T *, cudaSurfaceObject_t, int, __cpr_mode);
template <class T> __device__ T surf2Dread(cudaSurfaceObject_t, int, int, __cpr_mode);
template <class T> __device__ void surf2Dread(T *, cudaSurfaceObject_t, int, int, __cpr_mode);
template <class T> __device__ T surf3Dread(cudaSurfaceObject_t, int, int, int, __cpr_mode);
template <class T> __device__ void surf1Dwrite(T, cudaSurfaceObject_t, int, __cpr_mode);
template <class T> __device__ void surf2Dwrite(T, cudaSurfaceObject_t, int, int, __cpr_mode);
template <class T> __device__ void surf3Dwrite(T, cudaSurfaceObject_t, int, int, int, __cpr_mode);
#undef __cpr_mode

#ifdef __CPR_EMULATE__
#include "emulate/texture.h"
#endif
