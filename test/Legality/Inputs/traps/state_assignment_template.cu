struct Cn { int k; Cn() = default; __device__ Cn(int a) : k(a) {} Cn(const Cn &) = default; template <class T> __device__ void operator=(T &o) { k = o.k + 1; } Cn &operator=(const Cn &) = default; };
__global__ void k(const float *__restrict__ in, const int *__restrict__ idx, float *__restrict__ out, int n) {
  __shared__ float s[64];
  int tx = threadIdx.x;
  float acc = 0;
  Cn c(0);
  for (; c.k < n; c.k++) {
    s[tx] = in[c.k * 64 + tx];
    __syncthreads();
    for (int j = 0; j < 64; ++j) acc += s[(tx + j) & 63] * (j + 1); acc += c.k;
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
