// What the last turn has loaded is read behind the loop, in a function that is given a part of it.
__device__ float half_of(const float *from) {
  return from[31 - threadIdx.x / 2] * 0.5f;
}
__global__ void __launch_bounds__(64) last_seen_in_function(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  float sum = 0;
  const float *upper = tile + 32;
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (int t = 0; t < n; ++t) {
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[i] * (i + threadIdx.x);
    __syncthreads();
    tile[threadIdx.x] = in[(t + 1) * 64 + threadIdx.x];
    __syncthreads();
  }
  sum += half_of(upper);
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
