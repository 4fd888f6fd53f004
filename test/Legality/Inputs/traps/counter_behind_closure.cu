// A closure has the counter by reference and reads it in the loop, which has one of its own now.
__global__ void __launch_bounds__(64) counter_behind_closure(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[264];
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    int i;
    auto place = [&] { return i; };
    for (i = 0; i < 136; i += 64) {
      tile[i + threadIdx.x] = in[t * 200 + i + threadIdx.x];
      sum += place();
    }
    if (i + threadIdx.x < 200)
      tile[i + threadIdx.x] = in[t * 200 + i + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 200; k += 8)
      sum = sum * 0.5f + tile[k] * (k ^ threadIdx.x);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
