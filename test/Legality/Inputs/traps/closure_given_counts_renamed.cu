// a function gets a copy of a closure that counts
template <class F> __device__ void fill(float *s, F f, const float *in) { s[threadIdx.x] = in[threadIdx.x + f()]; }
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float s[64];
  const int x = threadIdx.x;
  float sum = 0.f;
  auto next = [c = 0]() mutable { return c++; };
  for (int t = 0; t < n; t += 64) {
    fill(s, next, in + t);
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + s[(x + i) & 63];
    __syncthreads();
  }
  out[blockIdx.x * 64 + x] = sum;
}
/* launch
kernel: k
cases: [{n: 0}, {n: 64}, {n: 128}, {n: 320}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: 1024, role: input}
  - {name: out, buffer: float, count: 1024, role: output}
  - {name: n, value: n}
*/
