// Behind the last barrier a thread reads what another one overwrites.
__global__ void k(const float *__restrict__ in, float *out, int n) {
  __shared__ float s[64];
  const int tx = threadIdx.x;
  float most = 0.f;
  for (int t = 0; t < n; ++t) {
    s[tx] = in[t * 64 + tx];
    __syncthreads();
    for (int half = 32; half > 0; half >>= 1) {
      if (tx < half && s[tx + half] > s[tx])
        s[tx] = s[tx + half];
      __syncthreads();
    }
    if (tx == 1)
      most += s[0];
  }
  if (tx == 1)
    out[0] = most;
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 6}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: n * 64 + 64, role: input}
  - {name: out, buffer: float, count: 1, role: output}
  - {name: n, scalar: int, value: n}
*/
