// The closure of the function that fills the tile has that function's W by reference; the kernel has another W, and a loop
// around the call a third one.
template <int N>
__device__ void load(const float *a, float *s, unsigned tid, unsigned t) {
  constexpr unsigned W = 2;
  auto one = [&]<int R>(const float *from, float *to) {
    for (unsigned o = 0; o < R / W; o += 64)
      *reinterpret_cast<float2 *>(&to[(tid + o) * W]) = *reinterpret_cast<const float2 *>(&from[t + (tid + o) * W]);
  };
  one.template operator()<N>(a, s);
}
template <int N>
__global__ void __launch_bounds__(64) closure_name_of_kernel(const float *__restrict__ a, float *__restrict__ out, unsigned n) {
  constexpr unsigned W = 1;
  __shared__ alignas(16) float s[N];
  float sum = 0;
  for (unsigned t = 0; t < n; t += N) {
    load<N>(a, s, threadIdx.x, t);
    __syncthreads();
    for (unsigned W = 0; W < 2; ++W)
      for (unsigned j = 0; j < N; j += 2)
        sum = sum * 0.5f + s[j + W] * (j ^ threadIdx.x);
    __syncthreads();
  }
  out[threadIdx.x] = sum * W;
}
template __global__ void closure_name_of_kernel<128>(const float *, float *, unsigned);
/* launch
kernel: closure_name_of_kernel<128>
cases: [{n: 0}, {n: 128}, {n: 256}, {n: 384}, {n: 896}]
grid: 1
block: 64
arguments:
  - {buffer: float, count: n + 256, role: input}
  - {buffer: float, count: 64, role: output}
  - {value: n}
*/
