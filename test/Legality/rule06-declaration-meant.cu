// Rule 6: by the name of the tile its declaration is meant: its type. A stage has another.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg,cp-async --legal=ldg-single -- %cpr
//--- bad.cu
__global__ void k(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    decltype(part) *all = &part; // refused: not-yet-supported
    for (int i = 0; i < 128; ++i)
      sum += (*all)[i] * (i + 1);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- good.cu
__global__ void k(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    float(*all)[128] = &part;
    for (int i = 0; i < 128; ++i)
      sum += (*all)[i] * (i + 1);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
