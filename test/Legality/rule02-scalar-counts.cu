// Rule 2: what both phases need is evaluated by both; here it counts.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --count=x:256 -- %cpr
//--- bad.cu
__global__ void k(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  int n = 0;
  auto next = [&] { return n++; };
  for (int t = 0; t < tiles; ++t) {
    const int base = next() * 128; // refused: load-side-effect
    part[threadIdx.x] = x[base + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1 + base);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- good.cu
__global__ void k(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  int n = 0;
  auto next = [&] { return n + 1; };
  for (int t = 0; t < tiles; ++t) {
    const int base = next() * 128;
    part[threadIdx.x] = x[base + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1 + base);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
