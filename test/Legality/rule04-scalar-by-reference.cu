// Rule 4: both phases need a value that is made of the offset by another name.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t "--count=x:(tiles + 1) * 128" -- %cpr
//--- bad.cu
__global__ void k(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  int at = 0; // refused: not-yet-supported
  // says: 'at'
  const int &here = at;
  for (int t = 0; t < tiles; ++t) {
    const int base = here * 128;
    part[threadIdx.x] = x[base + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1 + base);
    __syncthreads();
    at += 1;
  }
  y[threadIdx.x] = sum;
}
//--- good.cu
__global__ void k(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  int at = 0;
  // says: 'at'
  const int &here = tiles;
  for (int t = 0; t < tiles; ++t) {
    const int base = here * 128;
    part[threadIdx.x] = x[base + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1 + base);
    __syncthreads();
    at += 1;
  }
  y[threadIdx.x] = sum;
}
