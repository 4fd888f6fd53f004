// Both halves of the block load and compute, each when the other does not; two tiles a turn.
__device__ void load(const float *from, float *to) { to[threadIdx.x % 64] = from[threadIdx.x % 64]; }
__device__ float work(const float *tile) {
  float s = 0.f;
  for (int j = 0; j < 64; ++j) s += tile[(j + threadIdx.x) % 64];
  return s;
}
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float pool[2 * 64];
  const bool second = threadIdx.x >= 64;
  float sum = 0.f;
  if (!second) load(in, pool);
  __syncthreads();
  for (int t = 0; t < n; t += 2) {
    if (second) {
      if (t + 1 < n) load(in + (t + 1) * 64, pool + 64);
      __syncthreads();
      sum += work(pool);
      __syncthreads();
      if (t + 1 < n) sum += work(pool + 64);
    } else {
      sum += work(pool);
      __syncthreads();
      if (t + 1 < n) sum += work(pool + 64);
      __syncthreads();
      if (t + 2 < n) load(in + (t + 2) * 64, pool);
    }
    __syncthreads();
  }
  out[blockIdx.x * 128 + threadIdx.x] = sum;
}
