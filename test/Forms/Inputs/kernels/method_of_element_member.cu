struct Pair {
  float a, b;
  __device__ void load(const float *p, int j) {
    a = p[j];
    b = p[j + 1];
  }
};
struct Body {
  int z;
  Pair x;
};
extern "C" __global__ void __launch_bounds__(64)
k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ Body t[64];
  float s = 0.0f;
  for (int k = 0; k < n; ++k) {
    t[threadIdx.x].x.load(in, 2 * ((k * gridDim.x + blockIdx.x) * 64 + threadIdx.x));
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      s = s * 1.25f + t[j].x.a * t[j].x.b;
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = s;
}
