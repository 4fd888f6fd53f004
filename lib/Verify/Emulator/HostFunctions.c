/*===- HostFunctions.c - The C library as kernels see it ------------------===*\
|*
|* Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
|* See LICENSE for license information.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/
/* C, because in C++ these names are overloaded. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct cpr_host_function {
  const char *name;
  void *address;
};

#define HOST_FUNCTION(Name) {#Name, (void *)Name},
const struct cpr_host_function cpr_host_functions[] = {
#include "../../Source/cuda-decls/emulate/host_functions.def"
    /* What the code generator itself calls. */
    {"memcpy", (void *)memcpy},
    {"memmove", (void *)memmove},
    {"memset", (void *)memset},
    {0, 0}};
