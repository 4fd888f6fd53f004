extern "C" __global__ void __launch_bounds__(64)
k(float *__restrict__ in, float *__restrict__ out, int n, int m) {
  __shared__ float t[64];
  float s = 0.0f;
  for (int k = 0; k < n; ++k) {
    float *to = m > 3 ? t : in;
    to[threadIdx.x] = in[(k * gridDim.x + blockIdx.x) * 64 + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      s = s * 1.25f + t[j];
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = s;
}
