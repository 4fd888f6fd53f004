// Half of the window stays from turn to turn: with two buffers it would be that of the turn before.
__global__ void slide(const float *__restrict__ in, float *__restrict__ out, int turns) {
  __shared__ float window[64];
  float sum = 0.0f;
  window[32 + threadIdx.x] = in[threadIdx.x];
  __syncthreads();

  // The tile loop.
  for (int t = 0; t < turns; ++t) {
    window[(t & 1) * 32 + threadIdx.x] = in[t * 32 + threadIdx.x];
    __syncthreads();
    sum = sum * 0.5f + window[31 - threadIdx.x] - window[63 - threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
