// A variable of the call's block has the function's name.
__device__ int one(int i) { return i ^ 1; }
__device__ int two(int i) { return i ^ 2; }
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float s[32];
  float acc = 0;
  constexpr auto f = one;
  const auto one = two;
  for (int t = 0; t < n;) {
    s[f(threadIdx.x) + one(0) - 2] = in[t * 32 + threadIdx.x];
    __syncthreads();

    for (int i = 0; i < 32; ++i)
      acc = acc * 0.5f + s[i];
    t += 1;
    __syncthreads();
  }
  out[threadIdx.x] = acc;
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 7}]
grid: 1
block: 32
arguments:
  - {name: in, buffer: float, count: n * 64 + 512, role: input}
  - {name: out, buffer: float, count: 32, role: output}
  - {name: n, scalar: int, value: n}
*/
