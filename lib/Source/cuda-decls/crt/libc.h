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
// without including it. Host code cannot use the device's versions.
#if __cplusplus >= 201103L
#define __cpr_nothrow noexcept(true)
#else
#define __cpr_nothrow throw()
#endif
int printf(const char *, ...);
int sprintf(char *, const char *, ...) __cpr_nothrow;
int snprintf(char *, size_t, const char *, ...) __cpr_nothrow;
int puts(const char *);
int putchar(int);
void *malloc(size_t) __cpr_nothrow;
void *calloc(size_t, size_t) __cpr_nothrow;
void *realloc(void *, size_t) __cpr_nothrow;
void free(void *) __cpr_nothrow;
void *memcpy(void *, const void *, size_t) __cpr_nothrow;
void *memmove(void *, const void *, size_t) __cpr_nothrow;
void *memset(void *, int, size_t) __cpr_nothrow;
int memcmp(const void *, const void *, size_t) __cpr_nothrow;
int strcmp(const char *, const char *) __cpr_nothrow;
int strncmp(const char *, const char *, size_t) __cpr_nothrow;
char *strcpy(char *, const char *) __cpr_nothrow;
size_t strlen(const char *) __cpr_nothrow;
void exit(int) __cpr_nothrow __attribute__((noreturn));
void abort() __cpr_nothrow __attribute__((noreturn));
char *getenv(const char *) __cpr_nothrow;
int atoi(const char *) __cpr_nothrow;
double atof(const char *) __cpr_nothrow;
int rand() __cpr_nothrow;
void srand(unsigned int) __cpr_nothrow;
#ifdef __linux__ // <sys/types.h>, which its <stdlib.h> includes
typedef unsigned char u_char;
typedef unsigned short ushort, u_short;
typedef unsigned int uint, u_int;
typedef unsigned long ulong, u_long;
typedef __PTRDIFF_TYPE__ ssize_t;
typedef long off_t;
#endif
#ifndef RAND_MAX
#define RAND_MAX 2147483647
#endif
#ifndef EXIT_SUCCESS
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#endif
int abs(int) __cpr_nothrow;
long labs(long) __cpr_nothrow;
#ifdef __linux__
typedef long clock_t;
typedef long time_t;
clock_t clock() __cpr_nothrow;
time_t time(time_t *) __cpr_nothrow;
#endif

// Only double and the names with f: overloads for float are <cmath>'s, and would exclude it.
#define __cpr_host1(F)                                                                             \
  double F(double) __cpr_nothrow;                                                                  \
  float F##f(float) __cpr_nothrow;
#define __cpr_host2(F)                                                                             \
  double F(double, double) __cpr_nothrow;                                                          \
  float F##f(float, float) __cpr_nothrow;
__cpr_host1(acos)
__cpr_host1(acosh)
__cpr_host1(asin)
__cpr_host1(asinh)
__cpr_host1(atan)
__cpr_host1(atanh)
__cpr_host1(cbrt)
__cpr_host1(ceil)
__cpr_host1(cos)
__cpr_host1(cosh)
__cpr_host1(erf)
__cpr_host1(erfc)
__cpr_host1(exp)
__cpr_host1(exp2)
__cpr_host1(expm1)
__cpr_host1(fabs)
__cpr_host1(floor)
__cpr_host1(log)
__cpr_host1(log10)
__cpr_host1(log1p)
__cpr_host1(log2)
__cpr_host1(nearbyint)
__cpr_host1(rint)
__cpr_host1(round)
__cpr_host1(sin)
__cpr_host1(sinh)
__cpr_host1(sqrt)
__cpr_host1(tan)
__cpr_host1(tanh)
__cpr_host1(tgamma)
__cpr_host1(trunc)
__cpr_host2(atan2)
__cpr_host2(copysign)
__cpr_host2(fmax)
__cpr_host2(fmin)
__cpr_host2(fmod)
__cpr_host2(hypot)
__cpr_host2(pow)
__cpr_host2(remainder)
double fma(double, double, double) __cpr_nothrow;
float fmaf(float, float, float) __cpr_nothrow;
#undef __cpr_host1
#undef __cpr_host2
#undef __cpr_nothrow
}

// In device code.
__device__ int clock();
__device__ long long clock64();

#ifdef __CPR_EMULATE__
#include "../emulate/libc.h"
#endif
