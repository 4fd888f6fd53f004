struct Copy {
  float *dst;
  float *src;
  __device__ void operator()(int i, int j) const {
    dst[i] = src[j];
    src[j] = 1.0f;
  }
};
extern "C" __global__ void __launch_bounds__(64)
k(float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float t[64];
  float s = 0.0f;
  for (int k = 0; k < n; ++k) {
    Copy c{t, in + (k * gridDim.x + blockIdx.x) * 64};
    c(threadIdx.x, threadIdx.x);
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      s = s * 1.25f + t[j];
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = s;
}
