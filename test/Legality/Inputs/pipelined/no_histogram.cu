// Bins are counted up while the next values are loaded.
__global__ void k(const int *__restrict__ in, int *__restrict__ out, int n) {
  __shared__ int bins[64], tile[64];
  const int i = threadIdx.x;
  bins[i] = 0;
  __syncthreads();
  for (int t = 0; t < n; ++t) {
    const int v = in[t * 64 + i];
    tile[i] = v;
    __syncthreads();
    atomicAdd(&bins[tile[63 - i] & 63], v & 1);
    __syncthreads();
  }
  out[blockIdx.x * 64 + i] = bins[i];
}
