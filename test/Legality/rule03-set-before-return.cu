// Rule 3: what a called function has set through a reference is set also where it returns early.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg,cp-async --legal=ldg-single -- %cpr
//--- bad.cu
__device__ void turn(int &at) {
  if (at == 1) {
    at = 0;
    return;
  }
  at = 1;
}
static __global__ void calls(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[2][128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    int at = t & 1;
    turn(at);
    part[at][threadIdx.x] = x[t * 128 + threadIdx.x]; // refused: stale-tile
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[1][i] * (i + 1);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run(const float *x, float *y, int tiles) { calls<<<1, 128>>>(x, y, tiles); }
//--- good.cu
__device__ void turn(int &at) {
  if (at == 1) {
    at = 1;
    return;
  }
  at = 1;
}
static __global__ void calls(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[2][128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    int at = t & 1;
    turn(at);
    part[at][threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[1][i] * (i + 1);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run(const float *x, float *y, int tiles) { calls<<<1, 128>>>(x, y, tiles); }
