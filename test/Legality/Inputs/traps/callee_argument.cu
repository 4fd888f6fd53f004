// The number that the function was given has another value where it is called.
template <int N> __device__ int skew(int i) { return i ^ N; }
constexpr int K = 3;
constexpr auto f = skew<K>;
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float s[32];
  float acc = 0;
  constexpr int K = 7;
  for (int t = 0; t < n;) {
    s[f(threadIdx.x ^ K)] = in[t * 32 + threadIdx.x];
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
