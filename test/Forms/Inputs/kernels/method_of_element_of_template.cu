template <int N>
struct Row {
  float v[N];
  __device__ void fill(const float *p) {
    for (int i = 0; i < N; ++i)
      v[i] = p[i];
  }
};
extern "C" __global__ void __launch_bounds__(64)
k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ Row<4> t[64];
  float s = 0.0f;
  for (int k = 0; k < n; ++k) {
    t[threadIdx.x].fill(in + ((k * gridDim.x + blockIdx.x) * 64 + threadIdx.x) * 4);
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      s = s * 1.25f + t[j].v[0] * t[j].v[1] - t[j].v[2] * t[j].v[3];
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = s;
}
