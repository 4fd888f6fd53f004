// Rule 2: 8 or 16 bytes whose type is declared with less alignment. Where the addresses are multiples of as many if the pointers that
// the kernel is given are, it takes a word of the user's, and the tile is declared with the alignment.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t/granted --refused= --legal=cp-async,cp-async:3,ldg --options=--assume=aligned16 -- %cpr
// RUN: %python %S/Inputs/legality.py %t/shifted --refused=cp-async --legal=ldg,ldg-single --options=--assume=aligned16 "--count=x:tiles * 512 + 16" -- %cpr
// RUN: %python %S/Inputs/legality.py %t/stepped --refused=cp-async --legal=ldg --options=--assume=aligned16 "--count=x:tiles * 512 + 16" -- %cpr
// What is stepped is one variable or another, and a fraction of a multiple is none.
// RUN: %python %S/Inputs/legality.py %t/either --refused=cp-async --legal=ldg --options=--assume=aligned16 "--count=x:tiles * 512 + 16" -- %cpr
// RUN: %python %S/Inputs/legality.py %t/fraction --refused=cp-async --legal=ldg --options=--assume=aligned16 "--count=x:tiles * 512 + 16" -- %cpr
// RUN: %python %S/Inputs/legality.py %t/member --refused=cp-async --legal=ldg --options=--assume=aligned16 "--count=x:tiles * 1280 + 16" -- %cpr
// RUN: %python %S/Inputs/legality.py %t/called --refused=cp-async:2 --options=--assume=aligned16 --no-twin="what a function is given nobody has spoken of" -- %cpr
// The comment at the loop, the alignment of the stages, and the report; of cp-async alone.
// RUN: %cpr --variant=cp-async --assume=aligned16 %t/granted/good.cu -o %t.out.cu | FileCheck %s --check-prefix=SAID
// RUN: FileCheck %s --check-prefix=OUT < %t.out.cu
// RUN: %cpr --variant=ldg --assume=aligned16 %t/granted/good.cu -o %t.out.cu | FileCheck %s --check-prefix=LDG
// SAID: assumes: aligned16
// LDG-NOT: assumes: aligned16
// OUT: __shared__ __align__(16) Quad part_stages[{{.*}}][128];
// OUT: Assumes that the pointers into global memory that the kernel is given are multiples of 16 (--assume=aligned16).
// Without the word the refusal names it; where it would be of no use, not.
// RUN: not %cpr --variant=cp-async %t/granted/good.cu -o %t.out.cu | FileCheck %s --check-prefix=NAMED
// RUN: not %cpr --variant=cp-async %t/shifted/bad.cu -o %t.out.cu | FileCheck %s --check-prefix=OFNOUSE
// NAMED: --assume=aligned16
// OFNOUSE: with an alignment of 4 bytes
// OFNOUSE-NOT: assume=aligned16
// --unsafe-fixes is the same.
// RUN: %cpr --variant=cp-async --unsafe-fixes %t/granted/good.cu -o %t.out.cu | FileCheck %s --check-prefix=SAID
//--- granted/good.cu
struct Quad { float x, y, z, w; };
struct Pair { int a, b; };
struct Eight { unsigned short h[8]; };
struct Args { const Quad *in; float *out; int tiles; };

__global__ void plain(const Quad *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ Quad part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x].x * part[threadIdx.x].w;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void advanced(const Pair *__restrict__ x, int *__restrict__ y, int tiles) {
  __shared__ Pair part[128];
  int sum = 0;
  const Pair *p = x + threadIdx.x * 2 / 2;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = *p;
    __syncthreads();
    sum += part[127 - threadIdx.x].a - part[threadIdx.x].b;
    __syncthreads();
    p += 128;
  }
  y[threadIdx.x] = sum;
}
__global__ void computed(const unsigned short *__restrict__ x, int *__restrict__ y, int tiles) {
  __shared__ unsigned short part[1024];
  int sum = 0;
  for (int t = 0; t < tiles; ++t) {
    const int at = threadIdx.x % 16 * 8;
    if (threadIdx.x < 16)
      *reinterpret_cast<Eight *>(&part[at]) = *reinterpret_cast<const Eight *>(x + t * 128 + at);
    __syncthreads();
    sum += part[127 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void guarded(const Quad *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ Quad part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    Quad v = {};
    if (t < tiles)
      v = x[t * 128 + threadIdx.x];
    part[threadIdx.x] = v;
    __syncthreads();
    sum += part[127 - threadIdx.x].x * part[threadIdx.x].w;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- shifted/bad.cu
struct Quad { float x, y, z, w; };
__global__ void shifted(const float *__restrict__ x, float *__restrict__ y, int tiles, int by) {
  __shared__ Quad part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = reinterpret_cast<const Quad *>(x + by)[t * 128 + threadIdx.x]; // refused: copy-width
    __syncthreads();
    sum += part[127 - threadIdx.x].x * part[threadIdx.x].w;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- shifted/good.cu
struct Quad { float x, y, z, w; };
__global__ void shifted(const float *__restrict__ x, float *__restrict__ y, int tiles, int by) {
  __shared__ Quad part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = reinterpret_cast<const Quad *>(x + by * 4)[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x].x * part[threadIdx.x].w;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- stepped/bad.cu
struct Quad { float x, y, z, w; };
__global__ void stepped(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ Quad part[128];
  float sum = 0.0f;
  int at = 0;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = *reinterpret_cast<const Quad *>(&x[at + threadIdx.x * 4]); // refused: copy-width
    __syncthreads();
    sum += part[127 - threadIdx.x].x * part[threadIdx.x].w;
    __syncthreads();
    at += 510;
  }
  y[threadIdx.x] = sum;
}
//--- stepped/good.cu
struct Quad { float x, y, z, w; };
__global__ void stepped(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ Quad part[128];
  float sum = 0.0f;
  int at = 0;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = *reinterpret_cast<const Quad *>(&x[at + threadIdx.x * 4]);
    __syncthreads();
    sum += part[127 - threadIdx.x].x * part[threadIdx.x].w;
    __syncthreads();
    at += 512;
  }
  y[threadIdx.x] = sum;
}
//--- either/bad.cu
struct Quad { float x, y, z, w; };
__global__ void either(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ Quad part[128];
  float sum = 0.0f;
  int at = 0, other = 0;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = *reinterpret_cast<const Quad *>(&x[t * 512 + at + threadIdx.x * 4]); // refused: copy-width
    __syncthreads();
    sum += part[127 - threadIdx.x].x * part[threadIdx.x].w;
    __syncthreads();
    (t & 1 ? other : at) += 1;
  }
  y[threadIdx.x] = sum + other;
}
//--- either/good.cu
struct Quad { float x, y, z, w; };
__global__ void either(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ Quad part[128];
  float sum = 0.0f;
  int at = 0, other = 0;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = *reinterpret_cast<const Quad *>(&x[t * 512 + at + threadIdx.x * 4]);
    __syncthreads();
    sum += part[127 - threadIdx.x].x * part[threadIdx.x].w;
    __syncthreads();
    other += 1;
  }
  y[threadIdx.x] = sum + other;
}
//--- fraction/bad.cu
struct Quad { float x, y, z, w; };
__global__ void fraction(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ Quad part[128];
  float sum = 0.0f;
  int at = 8;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = *reinterpret_cast<const Quad *>(&x[t * 512 + at + threadIdx.x * 4]); // refused: copy-width
    __syncthreads();
    sum += part[127 - threadIdx.x].x * part[threadIdx.x].w;
    __syncthreads();
    at *= 0.25f;
  }
  y[threadIdx.x] = sum;
}
//--- fraction/good.cu
struct Quad { float x, y, z, w; };
__global__ void fraction(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ Quad part[128];
  float sum = 0.0f;
  int at = 8;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = *reinterpret_cast<const Quad *>(&x[t * 512 + at + threadIdx.x * 4]);
    __syncthreads();
    sum += part[127 - threadIdx.x].x * part[threadIdx.x].w;
    __syncthreads();
    at *= 0;
  }
  y[threadIdx.x] = sum;
}
//--- member/bad.cu
struct Quad { float x, y, z, w; };
struct Row { float head[6]; Quad data; };
__global__ void member(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ Quad part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = reinterpret_cast<const Row *>(x)[t * 128 + threadIdx.x].data; // refused: copy-width
    __syncthreads();
    sum += part[127 - threadIdx.x].x * part[threadIdx.x].w;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- member/good.cu
struct Quad { float x, y, z, w; };
struct Row { float head[4]; Quad data; };
__global__ void member(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ Quad part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = reinterpret_cast<const Row *>(x)[t * 128 + threadIdx.x].data;
    __syncthreads();
    sum += part[127 - threadIdx.x].x * part[threadIdx.x].w;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- called/bad.cu
struct Quad { float x, y, z, w; };
__device__ __noinline__ float part(const Quad *__restrict__ x, int tiles) {
  __shared__ Quad part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x]; // refused: copy-width
    __syncthreads();
    sum += part[127 - threadIdx.x].x * part[threadIdx.x].w;
    __syncthreads();
  }
  return sum;
}
__global__ void called(const Quad *__restrict__ x, float *__restrict__ y, int tiles) {
  y[threadIdx.x] = part(x, tiles);
}
