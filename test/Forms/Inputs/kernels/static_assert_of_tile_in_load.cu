__global__ void k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float s[64]; int tx = threadIdx.x; float acc = 0; 
  for (int t = 0; t < n; ++t) {
    int o = (blockIdx.x * n + t) * 64; static_assert(sizeof(s) == 256, ""); s[tx] = in[o + tx];
    __syncthreads();
    for (int j = 0; j < 64; ++j) acc += s[j] * (j + 1); 
    __syncthreads();
  }
  out[blockIdx.x * 64 + tx] = acc;
}
void run(const float *in, float *out, int n) { k<<<2, 64>>>(in, out, n); }
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 6}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: "n*128", role: input}
  - {name: out, buffer: float, count: 128, role: inout}
  - {name: n, value: n}
*/
