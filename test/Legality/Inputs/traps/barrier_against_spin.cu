// Half of the threads turn, without a barrier if m <= 3; the others spin on a flag. Now the half waits for them in the loop: deadlock.
__global__ void __launch_bounds__(64) barrier_against_spin(const float *__restrict__ in, float *__restrict__ out, int n, int m) {
  __shared__ float tile[64];
  __shared__ volatile int flag;
  float sum = 0;
  tile[threadIdx.x] = 0;
  flag = 0;
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
    if (threadIdx.x == 0)
      flag = 1;
  } else {
    while (!flag)
      ;
  }
  out[threadIdx.x] = sum;
}
