// Two named tiles, the loop is unrolled by hand; the next tile is on its way through registers.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float even[64], odd[64];
  const int i = threadIdx.x;
  float sum = 0.f;
  even[i] = in[i];
  __syncthreads();
  for (int t = 0; t < n; t += 2) {
    float v = in[(t + 1) * 64 + i];
    for (int j = 0; j < 64; ++j) sum += even[j ^ i];
    odd[i] = v;
    __syncthreads();
    v = in[(t + 2) * 64 + i];
    for (int j = 0; j < 64; ++j) sum += odd[j ^ i];
    even[i] = v;
    __syncthreads();
  }
  out[blockIdx.x * 64 + i] = sum;
}
