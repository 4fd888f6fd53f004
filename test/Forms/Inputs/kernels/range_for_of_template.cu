template <typename T, int N>
__global__ void __launch_bounds__(64) k(const T *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ T t[N];
  float s = 0.0f;
  for (int k = 0; k < n; ++k) {
    t[threadIdx.x] = in[(k * gridDim.x + blockIdx.x) * N + threadIdx.x];
    __syncthreads();
    for (const T &x : t)
      s = s * 1.25f + x;
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = s;
}
template __global__ void k<float, 64>(const float *, float *, int);
