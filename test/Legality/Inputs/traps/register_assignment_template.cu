struct P { float v; P() = default; P(const P &) = default; template <class T> __device__ P &operator=(T &&o) { v = o.v + 1; return *this; } P &operator=(const P &) = default; }; __device__ float val2(P p) { return p.v; }
__global__ void k(const float *__restrict__ in, const int *__restrict__ idx, float *__restrict__ out, int n) {
  __shared__ float s[64];
  int tx = threadIdx.x;
  float acc = 0;
  P *q = const_cast<P *>(reinterpret_cast<const P *>(in));
  for (int t = 0; t < n; ++t) {
    s[tx] = val2(q[t * 64 + tx]);
    __syncthreads();
    for (int j = 0; j < 64; ++j) acc += s[(tx + j) & 63] * (j + 1);
    __syncthreads();
  }
  out[blockIdx.x * 64 + tx] = acc;
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 7}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: "(n+2)*64*2", role: input}
  - {name: idx, buffer: int, count: "n+2", role: input, fill: "uniform(0, 64)"}
  - {name: out, buffer: float, count: 128, role: inout}
  - {name: n, value: n}
*/
