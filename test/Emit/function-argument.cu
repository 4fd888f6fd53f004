// A function that is a template's argument is pinned by its name.
// RUN: %{exit} 1 %cpr %s --variant=ldg-single --self-check=off --diff | FileCheck %s
// CHECK: +  static_assert(N == 64 && (F == functions::first<float> || F == functions::second),
typedef float (*Fun)(float, float);
namespace functions {
template <typename T> __device__ T first(T a, T b) { return a * 0.5f + b; }
__device__ float second(float a, float b) { return a * 0.25f - b; }
}
template <int N, Fun F> __global__ void sums(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[N];
  float sum = 0;
  for (int k = 0; k < n; k += N) {
    tile[threadIdx.x] = in[k + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < N; ++i)
      sum = F(sum, tile[i]);
    __syncthreads();
  }
  out[blockIdx.x * N + threadIdx.x] = sum;
}
void run(const float *in, float *out, int n) {
  sums<64, functions::first<float>><<<2, 64>>>(in, out, n);
  sums<64, functions::second><<<2, 64>>>(in, out, n);
}
