// Stepped by the counter of a while.
__global__ void k(const float *__restrict__ in, const float *__restrict__ more, float *__restrict__ out, int n) {
  __shared__ float s[64];
  float acc = 0;
  int at = 1;
    int t = 0;
  while (t < n) {
    at += t;
    s[threadIdx.x] = in[at * 32 + threadIdx.x] * at;
    s[32 + threadIdx.x] = more[t * 32 + threadIdx.x] + at;
    __syncthreads();
    for (int i = 0; i < 32; ++i) acc = acc * 0.5f + s[i] * (at + 1) + s[32 + i]; ++t;
    __syncthreads();
  }
  out[blockIdx.x * 32 + threadIdx.x] = acc;
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 4}, {n: 7}]
grid: 1
block: 32
arguments:
  - {name: in, buffer: float, count: n * 128 + 640, role: input}
  - {name: more, buffer: float, count: n * 128 + 640, role: input}
  - {name: out, buffer: float, count: 32, role: output}
  - {name: n, scalar: int, value: n}
*/
