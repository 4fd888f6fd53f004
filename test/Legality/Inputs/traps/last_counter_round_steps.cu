// An unsigned counter goes round by its step, to its first value again.
__global__ void __launch_bounds__(64) last_counter_round_steps(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  float sum = 0;
  int turns = 0;
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (unsigned t = 0; turns < n; t += 0x40000000u) {
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[i] * (i + threadIdx.x);
    ++turns;
    __syncthreads();
    tile[threadIdx.x] = in[(t >> 30) * 64 + threadIdx.x];
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
