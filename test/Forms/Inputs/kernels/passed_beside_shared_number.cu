// Where the function's tiles come from says a number in shared memory.
__device__ void sum_up(const float *__restrict__ in, float *__restrict__ out, float *__restrict__ tile, int n) {
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    for (int i = threadIdx.x; i < 64; i += 64)
      tile[i] = in[t * 64 + i];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[i] * (i ^ threadIdx.x);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(64) passed_beside_shared_number(const int *__restrict__ where, const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ int index[4];
  __shared__ float tile[64];
  if (threadIdx.x < 4)
    index[threadIdx.x] = where[threadIdx.x] & 63;
  __syncthreads();
  sum_up(&in[index[3]], out, tile, n);
}
