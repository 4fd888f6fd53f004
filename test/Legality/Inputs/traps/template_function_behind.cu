template <int M> struct Fin { static __device__ float f(float *w, int tx, float a) { return a; } };
template <> struct Fin<2> { static __device__ float f(float *w, int tx, float a) { w[tx] = a; __syncthreads(); return w[63 - tx]; } };
template <int M> __global__ void k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float s[64]; __shared__ float w[64]; int tx = threadIdx.x; float acc = 0; w[tx] = tx;
  for (int t = 0; t < n; ++t) {
    s[tx] = in[(blockIdx.x * n + t) * 64 + tx];
    __syncthreads();
    acc += s[63 - tx] * w[tx ^ 1];
    __syncthreads();
  }
  acc = Fin<M>::f(w, tx, acc);
  out[blockIdx.x * 64 + tx] = acc;
}
template __global__ void k<1>(const float *__restrict__ in, float *__restrict__ out, int n);
/* launch
kernel: k<1>
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 6}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: "n*128", role: input}
  - {name: out, buffer: float, count: 128, role: inout}
  - {name: n, value: n}
*/
