// Half of the threads turn, without a barrier if m <= 3; then all wait in a destructor. Now the half waits in the loop: deadlock.
struct Meet {
  __device__ ~Meet() { __syncthreads(); }
};
__global__ void __launch_bounds__(64) barrier_of_destructor(const float *__restrict__ in, float *__restrict__ out, int n, int m) {
  __shared__ float tile[64];
  float sum = 0;
  Meet meet;
  tile[threadIdx.x] = 0;
  __syncthreads();
  if (threadIdx.x < 32) {
    for (int t = 0; t < n; ++t) {
      if (m > 3) {
        __syncthreads();
        tile[threadIdx.x] = in[t * 64 + threadIdx.x];
        __syncthreads();
      }
      for (int i = 0; i < 64; ++i)
        sum = sum * 0.5f + tile[i] * (i + threadIdx.x);
    }
  }
  out[threadIdx.x] = sum;
}
