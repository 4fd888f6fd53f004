// All turns but the first one wait in front of their load.
__global__ void __launch_bounds__(64) barrier_under_condition(const float *__restrict__ in, float *__restrict__ out, int first, int n) {
  __shared__ float tile[64];
  float s = 0;
  for (int t = first; t < n; ++t) {
    const float *from = in + t * 64;
    if (t != first) {
      __syncthreads();
    }
    tile[threadIdx.x] = from[threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      s = s * 0.5f + tile[i] * (i + threadIdx.x);
  }
  out[blockIdx.x * 64 + threadIdx.x] = s;
}
