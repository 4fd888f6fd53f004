// Rule 2: 16 bytes that are aligned to 4 only.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=cp-async --legal=ldg,ldg-single -- %cpr
//--- bad.cu
struct Point { float x, y, z, w; };
__global__ void points(const Point *__restrict__ in, float *__restrict__ y, int tiles) {
  __shared__ Point part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = in[t * 128 + threadIdx.x]; // refused: copy-width
    __syncthreads();
    sum += part[127 - threadIdx.x].x * part[threadIdx.x].w;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- good.cu
struct alignas(16) Point { float x, y, z, w; };
__global__ void points(const Point *__restrict__ in, float *__restrict__ y, int tiles) {
  __shared__ Point part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = in[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x].x * part[threadIdx.x].w;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
