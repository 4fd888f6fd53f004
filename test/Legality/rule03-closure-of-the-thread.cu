// Rule 3: what a closure holds of each thread decides which elements are written.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg,cp-async -- %cpr
//--- bad.cu
static __global__ void some(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  auto row = [r = (int)threadIdx.x / 64] { return r; };
  for (int t = 0; t < tiles; ++t) {
    const int mine = row();
    if (t == 0 || mine > 0) // refused: stale-tile
      part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    if (t == 0 || mine > 0)
      for (int i = 0; i < 128; ++i)
        sum += part[i] * (i + 1);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run(const float *x, float *y, int tiles) { some<<<1, 128>>>(x, y, tiles); }
//--- good.cu
static __global__ void some(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  auto row = [r = (int)blockIdx.x / 64] { return r; };
  for (int t = 0; t < tiles; ++t) {
    const int mine = row();
    if (t == 0 || mine > 0)
      part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    if (t == 0 || mine > 0)
      for (int i = 0; i < 128; ++i)
        sum += part[i] * (i + 1);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run(const float *x, float *y, int tiles) { some<<<1, 128>>>(x, y, tiles); }
