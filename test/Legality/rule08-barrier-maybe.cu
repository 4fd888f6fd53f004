// Rule 8: a barrier that some other way leads around does not order what was written before the loop.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t/and --refused=cp-async:3 --legal=cp-async:2,ldg,ldg-single --count=x:128 "--count=d:max(256, tiles * 128)" -- %cpr
// RUN: %python %S/Inputs/legality.py %t/conditional --refused=cp-async:3 --legal=cp-async:2,ldg,ldg-single --count=x:128 "--count=d:max(256, tiles * 128)" -- %cpr
// RUN: %python %S/Inputs/legality.py %t/label --refused=cp-async:3 --legal=cp-async:2,ldg,ldg-single --count=x:128 "--count=d:max(256, tiles * 128)" -- %cpr
// RUN: %python %S/Inputs/legality.py %t/continue --refused=cp-async:3 --legal=cp-async:2,ldg,ldg-single --count=x:128 "--count=d:max(256, tiles * 128)" -- %cpr
//--- and/bad.cu
__global__ void before(const float *__restrict__ x, float *__restrict__ y, float *d, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  d[255 - threadIdx.x] = x[threadIdx.x];
  tiles > 100 && (__syncthreads(), true);
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = d[t * 128 + threadIdx.x]; // refused: barrier-orders-other
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- and/good.cu
__global__ void before(const float *__restrict__ x, float *__restrict__ y, float *d, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  d[255 - threadIdx.x] = x[threadIdx.x];
  (__syncthreads());
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = d[t * 128 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- conditional/bad.cu
__global__ void before(const float *__restrict__ x, float *__restrict__ y, float *d, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  d[255 - threadIdx.x] = x[threadIdx.x];
  tiles > 100 ? __syncthreads() : void();
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = d[t * 128 + threadIdx.x]; // refused: barrier-orders-other
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- conditional/good.cu
__global__ void before(const float *__restrict__ x, float *__restrict__ y, float *d, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  d[255 - threadIdx.x] = x[threadIdx.x];
  (void)__syncthreads_or(tiles);
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = d[t * 128 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- label/bad.cu
__global__ void before(const float *__restrict__ x, float *__restrict__ y, float *d, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  d[255 - threadIdx.x] = x[threadIdx.x];
  switch (tiles) {
  case 1:
    __syncthreads();
  default:
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = d[t * 128 + threadIdx.x]; // refused: barrier-orders-other
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    __syncthreads();
  }
  }
  y[threadIdx.x] = sum;
}
//--- label/good.cu
__global__ void before(const float *__restrict__ x, float *__restrict__ y, float *d, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  d[255 - threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  switch (tiles) {
  case 1:
    __syncthreads();
  default:
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = d[t * 128 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    __syncthreads();
  }
  }
  y[threadIdx.x] = sum;
}
//--- continue/bad.cu
__global__ void around(const float *__restrict__ x, float *__restrict__ y, float *d, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int r = 0; r < 3; ++r) {
    for (int t = 0; t < tiles; ++t) {
      part[threadIdx.x] = d[t * 128 + threadIdx.x]; // refused: barrier-orders-other
      __syncthreads();
      for (int i = 0; i < 128; ++i)
        sum += part[i] * (i + 1);
      __syncthreads();
    }
    d[255 - threadIdx.x] = sum * 1e-6f;
    if (r == 0)
      continue;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- continue/good.cu
__global__ void around(const float *__restrict__ x, float *__restrict__ y, float *d, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int r = 0; r < 3; ++r) {
    for (int t = 0; t < tiles; ++t) {
      part[threadIdx.x] = d[t * 128 + threadIdx.x];
      __syncthreads();
      for (int i = 0; i < 128; ++i)
        sum += part[i] * (i + 1);
      __syncthreads();
    }
    d[255 - threadIdx.x] = sum * 1e-6f;
    if (r == 0)
      sum *= 0.5f;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
