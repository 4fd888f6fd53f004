template <int M> struct Pre { static __device__ void f(float *w, int i) { } };
template <> struct Pre<2> { static __device__ void f(float *w, int i) { w[i] = 3; } };
template <int M> __global__ void k(float *in, float *__restrict__ out, int n) {
  __shared__ float s[64]; int tx = threadIdx.x; float acc = 0;
  for (int t = 1; t < n; ++t) Pre<M>::f(in, (blockIdx.x * n + t) * 64 + 63 - tx);
  for (int t = 0; t < n; ++t) {
    s[tx] = in[(blockIdx.x * n + t) * 64 + tx];
    __syncthreads();
    acc += s[63 - tx];
    __syncthreads();
  }
  out[blockIdx.x * 64 + tx] = acc;
}
template __global__ void k<1>(float *in, float *__restrict__ out, int n);
/* launch
kernel: k<1>
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 6}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: "n*128", role: inout}
  - {name: out, buffer: float, count: 128, role: inout}
  - {name: n, value: n}
*/
