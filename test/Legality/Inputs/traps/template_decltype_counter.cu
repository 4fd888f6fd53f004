template <int N> __global__ void k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float s[64]; int tx = threadIdx.x; float acc = 0; unsigned char t = 3;
  for (int t = 0; t < n; ++t) {
    decltype(t) o = blockIdx.x * n * 64 + 64 * (n - 1); s[tx] = in[o + tx];
    __syncthreads();
    for (int j = 0; j < 64; ++j) acc += s[j];
    __syncthreads();
  }
  out[blockIdx.x * 64 + tx] = acc + t;
}
template __global__ void k<2>(const float *__restrict__ in, float *__restrict__ out, int n);
/* launch
kernel: k<2>
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 6}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: "n*128", role: input}
  - {name: out, buffer: float, count: 128, role: inout}
  - {name: n, value: n}
*/
