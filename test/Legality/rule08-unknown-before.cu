// Rule 8: what a call that cannot be followed, assembly or a destructor has written in front of the loop needs the
// loop's first barrier, as the second tile of three stages is loaded before it.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t/pointer --refused=cp-async:3 --legal=cp-async:2,ldg,ldg-single --count=x:128 "--count=d:max(256, tiles * 128)" -- %cpr
// RUN: %python %S/Inputs/legality.py %t/assembly --refused=cp-async:3 --legal=cp-async:2,ldg,ldg-single --count=x:128 "--count=d:max(256, tiles * 128)" -- %cpr
// RUN: %python %S/Inputs/legality.py %t/destructor --refused=cp-async:3 --legal=cp-async:2,ldg,ldg-single --count=x:128 "--count=d:max(256, tiles * 128)" -- %cpr
//--- pointer/bad.cu
__device__ void fill(float *d, const float *x) { d[255 - threadIdx.x] = x[threadIdx.x]; }
__global__ void before(const float *__restrict__ x, float *__restrict__ y, float *d, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  void (*f)(float *, const float *) = fill;
  f(d, x);
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = d[t * 128 + threadIdx.x]; // refused: barrier-orders-other
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- pointer/good.cu
__device__ void fill(float *d, const float *x) { d[255 - threadIdx.x] = x[threadIdx.x]; }
__global__ void before(const float *__restrict__ x, float *__restrict__ y, float *d, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  void (*f)(float *, const float *) = fill;
  f(d, x);
  __syncthreads();
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = d[t * 128 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- assembly/bad.cu
__global__ void before(const float *__restrict__ x, float *__restrict__ y, float *d, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  asm volatile("st.global.f32 [%0], %1;" ::"l"(d + 255 - threadIdx.x), "f"(x[threadIdx.x]) : "memory");
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = d[t * 128 + threadIdx.x]; // refused: barrier-orders-other
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- assembly/good.cu
__global__ void before(const float *__restrict__ x, float *__restrict__ y, float *d, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  asm volatile("st.global.f32 [%0], %1;" ::"l"(d + 255 - threadIdx.x), "f"(x[threadIdx.x]) : "memory");
  __syncthreads();
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = d[t * 128 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- destructor/bad.cu
struct Last {
  float *p;
  __device__ ~Last() { *p = 3; }
};
__global__ void before(const float *__restrict__ x, float *__restrict__ y, float *d, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  { Last last = {d + 255 - threadIdx.x}; }
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = d[t * 128 + threadIdx.x]; // refused: barrier-orders-other
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- destructor/good.cu
struct Last {
  float *p;
  __device__ ~Last() {}
};
__global__ void before(const float *__restrict__ x, float *__restrict__ y, float *d, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  { Last last = {d + 255 - threadIdx.x}; }
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = d[t * 128 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
