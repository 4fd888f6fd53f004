// Rule 2: making the closure that is called has effects of its own.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t/captured --refused=ldg-single -- %cpr
// RUN: %python %S/Inputs/legality.py %t/returned --refused=ldg,ldg-single,cp-async -- %cpr
//--- captured/bad.cu
__global__ void made(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  int at = 0;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[([v = at++] { return v; }()) * 128 + threadIdx.x]; // refused: load-side-effect
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1 + at);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- captured/good.cu
__global__ void made(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  int at = 0;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[([v = t] { return v; }()) * 128 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1 + at);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- returned/bad.cu
__device__ auto adder(int v) { return [v](int w) { return v + w; }; }
__global__ void made(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  int at = 0;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[adder(128 * at++)(threadIdx.x)]; // refused: not-yet-supported
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- returned/good.cu
__device__ auto adder(int v) { return [v](int w) { return v + w; }; }
__global__ void made(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  int at = 0;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[128 * t + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
