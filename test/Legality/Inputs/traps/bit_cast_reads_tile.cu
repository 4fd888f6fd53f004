__global__ void k(const float *__restrict__ in, const int *__restrict__ idx, float *__restrict__ out, int n) {
  __shared__ float s[64];
  int tx = threadIdx.x;
  float acc = 0;
  for (int t = 0; t < n; ++t) {
    if (tx < 32 || t == 0) s[tx] = in[t * 64 + tx];
    __syncthreads();
    for (int j = 0; j < 64; ++j) acc += __builtin_bit_cast(float, s[(tx + j) & 63]) * (j + 1);
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
