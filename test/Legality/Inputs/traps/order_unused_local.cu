// Nothing but a local that nobody needs has to do with the step in the load phase.
__global__ void k(const float *__restrict__ in, const float *__restrict__ more, const int *__restrict__ idx, float *__restrict__ out, int n) {
  __shared__ float s[32];
  float acc = 0;
  int a = 2, c = 3, d = 0;
  for (int t = 0; t < n; ++t) {
    const int l1 = a;
    a += 1;
    s[threadIdx.x] = more[t * 32 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 32; ++i) acc = acc * 0.5f + s[i];
    __syncthreads();
  }
  out[blockIdx.x * 32 + threadIdx.x] = acc + a;
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 4}, {n: 7}]
grid: 1
block: 32
arguments:
  - {name: in, buffer: float, count: n * 256 + 1280, role: input}
  - {name: more, buffer: float, count: n * 256 + 1280, role: input}
  - {name: idx, buffer: int, count: n * 256 + 1280, role: input, fill: uniform(0, 7)}
  - {name: out, buffer: float, count: 32, role: output}
  - {name: n, scalar: int, value: n}
*/
