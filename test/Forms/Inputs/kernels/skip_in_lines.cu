// The condition of the turns that are left out has empty lines in it; in front of it a tile is filled that stays.
__global__ void __launch_bounds__(64) k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float s[64], kept[64];
  const int tx = threadIdx.x;
  float sum = 0.f;
  for (int t = 0; t < n; ++t) {
    if (t % 3 == 1 ||


        t == 5)
      continue;
    s[tx] = in[t * 64 + tx];
    kept[tx] = t;
    __syncthreads();
    for (int j = 0; j < 64; ++j) sum = sum * 0.5f + s[(j + tx) % 64];
    __syncthreads();
  }
  out[tx] = sum + (n ? kept[tx] : 0);
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 9}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: 4096, role: input}
  - {name: out, buffer: float, count: 64, role: output}
  - {name: n, scalar: int, value: n}
*/
