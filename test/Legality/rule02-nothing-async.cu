// Rule 2: what is computed on the way is no asynchronous copy by whatever name, and a cp-async without any copy is none.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t/reference --refused=cp-async --legal=ldg,ldg-single -- %cpr
// RUN: %python %S/Inputs/legality.py %t/rvalue --refused=cp-async --legal=ldg-single -- %cpr
// RUN: %python %S/Inputs/legality.py %t/chain --refused=cp-async --legal=ldg-single "--larger=both references" -- %cpr
// RUN: %python %S/Inputs/legality.py %t/one-of-two --refused=cp-async --legal=ldg-single -- %cpr
//--- reference/bad.cu
__global__ void scaled(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    const float &s = in[t * 128 + threadIdx.x] * 2.f;
    tile[threadIdx.x] = s; // refused: copy-converted
    __syncthreads();
    sum += tile[127 - threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
//--- reference/good.cu
__global__ void scaled(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    const float &s = in[t * 128 + threadIdx.x];
    tile[threadIdx.x] = s;
    __syncthreads();
    sum += tile[127 - threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
//--- rvalue/bad.cu
__global__ void scaled(const int *__restrict__ in, int *__restrict__ out, int tiles) {
  __shared__ int tile[128];
  int sum = 0;
  for (int t = 0; t < tiles; ++t) {
    int &&s = in[t * 128 + threadIdx.x] + 1;
    tile[threadIdx.x] = s; // refused: copy-converted
    __syncthreads();
    sum += tile[127 - threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
//--- rvalue/good.cu
__global__ void scaled(const int *__restrict__ in, int *__restrict__ out, int tiles) {
  __shared__ int tile[128];
  int sum = 0;
  for (int t = 0; t < tiles; ++t) {
    int s = in[t * 128 + threadIdx.x];
    tile[threadIdx.x] = s;
    __syncthreads();
    sum += tile[127 - threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
//--- chain/bad.cu
__global__ void scaled(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    const float &half = in[t * 128 + threadIdx.x] * .5f;
    const float &more = half + 1.f;
    tile[threadIdx.x] = more; // refused: copy-converted
    __syncthreads();
    sum += tile[127 - threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
//--- chain/good.cu
__global__ void scaled(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    const float &half = in[t * 128 + threadIdx.x];
    const float &more = half;
    tile[threadIdx.x] = more;
    __syncthreads();
    sum += tile[127 - threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
//--- one-of-two/bad.cu
__global__ void scaled(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[128], other[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    const float &s = in[t * 128 + threadIdx.x] * 2.f;
    tile[threadIdx.x] = s; // refused: copy-converted
    other[threadIdx.x] = in[t * 128 + threadIdx.x];
    __syncthreads();
    sum += tile[127 - threadIdx.x] * other[threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
//--- one-of-two/good.cu
__global__ void scaled(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[128], other[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    const float &s = in[t * 128 + threadIdx.x];
    tile[threadIdx.x] = s;
    other[threadIdx.x] = in[t * 128 + threadIdx.x];
    __syncthreads();
    sum += tile[127 - threadIdx.x] * other[threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
