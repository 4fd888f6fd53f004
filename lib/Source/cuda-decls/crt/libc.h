//===- crt/libc.h - C library functions of device code
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "../host_defines.h"
#include <stddef.h>

// Device versions of what the C library declares for the host: overloads by target. They must come
// before any standard header, so that using-declarations in std:: pick them up.
extern "C" {
__device__ int printf(const char *, ...);
__device__ int vprintf(const char *, const char *);
__device__ void *malloc(size_t) __attribute__((nothrow)) __attribute__((malloc));
__device__ void free(void *) __attribute__((nothrow));
__device__ void *memcpy(void *, const void *, size_t) __attribute__((nothrow));
__device__ void *memset(void *, int, size_t) __attribute__((nothrow));
__device__ void __assertfail(const char *, const char *, unsigned, const char *, size_t);
__device__ void __assert_fail(const char *, const char *, unsigned, const char *);
__device__ void abort() __attribute__((noreturn));

// The part of the host's C library that nvcc's own headers happen to pull in, for files that use it
// without including it. (What exists for the device above need not be repeated: nothing here is
// ever called.)
#ifdef __cplusplus
#define __cpr_nothrow noexcept(true)
#endif
__host__ void exit(int) __cpr_nothrow __attribute__((noreturn));
__host__ int rand(void) __cpr_nothrow;
__host__ void srand(unsigned int) __cpr_nothrow;
__host__ int atoi(const char *) __cpr_nothrow;
__host__ double atof(const char *) __cpr_nothrow;
__host__ void *calloc(size_t, size_t) __cpr_nothrow;
__host__ void *realloc(void *, size_t) __cpr_nothrow;
__host__ int memcmp(const void *, const void *, size_t) __cpr_nothrow;
__host__ void *memmove(void *, const void *, size_t) __cpr_nothrow;
__host__ int strcmp(const char *, const char *) __cpr_nothrow;
__host__ size_t strlen(const char *) __cpr_nothrow;
__host__ int puts(const char *);
#undef __cpr_nothrow
}

__device__ int clock();
__device__ long long clock64();
