// The same under a guard, of three.
__global__ void k(const int *__restrict__ in, int *__restrict__ out, int n, int most) {
  __shared__ int s[64], r[64], q[64];
  const int x = threadIdx.x;
  int value = 0;
  for (int t = 0; t < n; ++t) {
    if (t * 64 + x < most)
      q[x] = r[63 - x] = s[x] = __ldg(&in[t * 64 + x]);
    else
      q[x] = r[63 - x] = s[x] = 0;
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      value = value * 3 + s[i] - r[(i + x) & 63] * q[i];
    __syncthreads();
  }
  out[blockIdx.x * 64 + x] = value;
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 6}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: int, count: n * 64 + 1, role: input, fill: "uniform(-50, 50)"}
  - {name: out, buffer: int, count: 128, role: output}
  - {name: n, scalar: int, value: n}
  - {name: most, scalar: int, value: n * 64 - 9}
*/
