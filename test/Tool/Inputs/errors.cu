#include <no/such/header.h>
#include "sound.cuh"
#define WIDTH 64
#ifndef TILE
#define TILE 64
#endif
#define PAIR (TILE * 2)
#ifdef USE_HALF
typedef int elem;
#else
typedef float elem;
#endif
#if __CUDA_ARCH__ >= 700 && WIDTH > 32
#define FAST 1
#else
#define FAST 0
#endif
struct Opaque { missing::Type t; int n; };
struct Plain { int n; };
template <class T> struct Traits { static constexpr int Width = 64; };
template <> struct Traits<Plain> { static constexpr int Width = nothing; };
template <class T> struct Plainly { static constexpr int Width = 64; };
__device__ int broken(int i) { return undeclared(i); }
__device__ int partner(int i) { return (i + FAST) % WIDTH; }
__device__ float weight(float x) { return x * 0.5f; }
__device__ float weight(missing::Half x);
__device__ float weightOf(float x) { return x * 0.5f; }
#define LOAD s[threadIdx.x] = in[t * 64 + threadIdx.x]

__global__ void ok(const float *__restrict__ in, float *out, int n, Plain) {
  __shared__ float s[WIDTH];
  float acc = 0.f;
  for (int t = 0; t < n; ++t) {
    s[threadIdx.x] = in[t * 64 + threadIdx.x];
    __syncthreads();
    acc += weightOf(s[partner(threadIdx.x)]) * Plainly<float>::Width;
    __syncthreads();
  }
  out[threadIdx.x] = acc;
}
template <int N> __global__ void templated(const float *__restrict__ in, float *out, int n) {
  __shared__ float s[N];
  float acc = 0.f;
  for (int t = 0; t < n; ++t) {
    s[threadIdx.x] = in[t * N + threadIdx.x];
    __syncthreads();
    acc += s[threadIdx.x ^ 1];
    __syncthreads();
  }
  out[threadIdx.x] = acc;
}
__global__ void ownError(const float *__restrict__ in, float *out, int n) {
  __shared__ float s[WIDTH];
  for (int t = 0; t < n; ++t) {
    LOAD;
    __syncthreads();
    out[t] = oops(s[0]);
    __syncthreads();
  }
}
__global__ void aMacro(const float *__restrict__ in, float *out, int n) {
  __shared__ float s[PAIR];
  for (int t = 0; t < n; ++t) {
    LOAD;
    __syncthreads();
    out[t] = s[0];
    __syncthreads();
  }
}
__global__ void aType(const elem *__restrict__ in, float *out, int n) {
  __shared__ float s[WIDTH];
  for (int t = 0; t < n; ++t) {
    LOAD;
    __syncthreads();
    out[t] = s[0];
    __syncthreads();
  }
}
__global__ void aCall(const float *__restrict__ in, float *out, int n) {
  __shared__ float s[WIDTH];
  for (int t = 0; t < n; ++t) {
    LOAD;
    __syncthreads();
    out[t] = s[broken(0)];
    __syncthreads();
  }
}
__global__ void anOverload(const float *__restrict__ in, float *out, int n) {
  __shared__ float s[WIDTH];
  for (int t = 0; t < n; ++t) {
    LOAD;
    __syncthreads();
    out[t] = weight(s[0]);
    __syncthreads();
  }
}
__global__ void aParameter(const float *__restrict__ in, float *out, Opaque o) {
  __shared__ float s[WIDTH];
  for (int t = 0; t < o.n; ++t) {
    LOAD;
    __syncthreads();
    out[t] = s[0];
    __syncthreads();
  }
}
__global__ void aSpecialisation(const float *__restrict__ in, float *out, int n) {
  __shared__ float s[Traits<float>::Width];
  for (int t = 0; t < n; ++t) {
    LOAD;
    __syncthreads();
    out[t] = s[0];
    __syncthreads();
  }
}
#ifdef WITH_MORE
__global__ void more(const float *__restrict__ in, float *out, int n) {
#else
__global__ void aConditional(const float *__restrict__ in, float *out, int n) {
#endif
  __shared__ float s[WIDTH];
  for (int t = 0; t < n; ++t) {
    LOAD;
    __syncthreads();
    out[t] = s[0];
    __syncthreads();
  }
}
__global__ void conditionalInside(const float *__restrict__ in, float *out, int n) {
  __shared__ float s[WIDTH];
  for (int t = 0; t < n; ++t) {
    LOAD;
    __syncthreads();
    out[t] = s[0];
    __syncthreads();
  }
#ifdef MORE
  out[n] = 1.f;
#endif
}
__global__ void fromHeader(const float *__restrict__ in, float *out, int n) {
  __shared__ float s[WIDTH];
  for (int t = 0; t < n; ++t) {
    LOAD;
    __syncthreads();
    out[t] = s[headersIndex()] + s[soundIndex()];
    __syncthreads();
  }
}
void launch(missing::Type t, float *p, int n) {
  ok<<<1, 64>>>(t.data(), p, n, Plain());
  templated<64><<<1, 64>>>(p, p, n);
}
