// The name is declared again only behind the closure's call, or in a block that has ended.
__global__ void __launch_bounds__(64) closure_name_behind(const float *__restrict__ a, float *__restrict__ out, unsigned n) {
  unsigned W = 2;
  __shared__ float s[64];
  float sum = 0;
  { unsigned W = 5; sum += W; }
  auto load = [&](float *to, unsigned t) { to[threadIdx.x] = a[t + threadIdx.x * W]; };
  for (unsigned t = 0; t < n; t += 128) {
    { unsigned W = 1; sum += W; }
    for (unsigned W = 0; W < 2; ++W) sum += W;
    load(s, t);
    __syncthreads();
    unsigned W = 1;
    for (unsigned j = 0; j < 64; ++j)
      sum = sum * 0.5f + s[j] * (j ^ threadIdx.x) + W;
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
/* launch
kernel: closure_name_behind
cases: [{n: 0}, {n: 128}, {n: 256}, {n: 384}, {n: 896}]
grid: 1
block: 64
arguments:
  - {buffer: float, count: n + 256, role: input}
  - {buffer: float, count: 64, role: output}
  - {value: n}
*/
