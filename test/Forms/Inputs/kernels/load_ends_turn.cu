// A turn ends with the load of the next tile, under a condition; a number of the turn is made in front of the compute phase.
__global__ void __launch_bounds__(64)
    load_ends_turn(const float *__restrict__ in, const float *__restrict__ weights, float *__restrict__ out, int n, int first) {
  __shared__ float tile[64];
  __shared__ float other[2][32];
  float sum = 0;
  tile[threadIdx.x] = in[first * 64 + threadIdx.x];
  if (threadIdx.x < 32)
    other[0][threadIdx.x] = other[1][threadIdx.x] = weights[first];
  __syncthreads(); // the first one is there
#pragma unroll 2
  for (int t = first; t < n; t += 2) {
    const int next = t + 2, at = next * 64 + threadIdx.x;
    const int row = next % 7;
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[(i + threadIdx.x) % 64] * other[i & 1][i / 2];
    __syncthreads(); // done with it
    // The next one.
    if (next < n) {
      tile[threadIdx.x] = in[next * 64 + threadIdx.x];
      for (int i = threadIdx.x; i < 64; i += 64)
        other[i % 2][i / 2] = weights[row + t + i];
    }
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
