// A step of the compute phase's, by the state in front of its step.
__global__ void k(const float *__restrict__ in, const float *__restrict__ more, const int *__restrict__ idx, float *__restrict__ out, int n) {
  __shared__ float s[64];
  float acc = 0;
  int at = 3, x = 1;
  for (int t = 0; t < n; ++t) {
    x += at;
    at += 2;
    s[threadIdx.x] = in[at * 32 + threadIdx.x];
    s[32 + threadIdx.x] = more[t * 32 + threadIdx.x] + at;
    __syncthreads();
    for (int i = 0; i < 32; ++i) acc = acc * 0.5f + s[i] * (at + 1) + s[32 + i];
    acc += x;
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
  - {name: in, buffer: float, count: n * 256 + 1280, role: input}
  - {name: more, buffer: float, count: n * 256 + 1280, role: input}
  - {name: idx, buffer: int, count: n * 256 + 1280, role: input, fill: uniform(0, 7)}
  - {name: out, buffer: float, count: 32, role: output}
  - {name: n, scalar: int, value: n}
*/
