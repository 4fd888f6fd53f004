// What the copy loop leaves is loaded behind it, by the same counter.
template <int P> __device__ void bring(const float *from, float *tile, float own[2]) {
  int i;
#pragma unroll
  for (i = 0; i < P - 64; i += 64) {
    tile[i + threadIdx.x] = from[i + threadIdx.x];
  }
  if (i + threadIdx.x < P)
    tile[i + threadIdx.x] = from[i + threadIdx.x];
  __syncthreads();
  for (i = 0; i < 2; ++i)
    own[i] = tile[(threadIdx.x * 3 + i) % P];
}
__device__ float worth(float own[2]) { return own[0] - own[1] * 0.5f; }
__global__ void __launch_bounds__(64) counter_behind_loop(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[200];
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    float own[2];
    bring<200>(in + t * 200, tile, own);
    for (int k = 0; k < 200; k += 8)
      sum = sum * 0.5f + tile[k] * (k ^ threadIdx.x);
    sum += worth(own);
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
