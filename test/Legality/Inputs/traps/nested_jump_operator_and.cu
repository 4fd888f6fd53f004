// The outer condition is an object, whose class has an && of its own.
struct B {
  int v;
  __device__ explicit operator bool() const { return v > 0; }
};
__device__ bool operator&&(B, bool b) { return !b; }
__global__ void __launch_bounds__(64) nested_jump_operator_and(const float *__restrict__ in, float *__restrict__ out, int n, int m, int l) {
  __shared__ float tile[64];
  float sum = 0;
  B b{m};
  for (int t = 0; t < n; ++t) {
    if (b) {
      const int k = t;
      if (k > 2)
        continue;
    }
    tile[threadIdx.x] = in[t * 64 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[i] * (i + threadIdx.x);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
