// The header asks for it.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float s[32];
  float acc = 0;
  int at = 1, t = 0;
  while (t + at < n) {
    at = at % 3 + 1;
    s[(threadIdx.x + at) & 31] = in[t * 32 + threadIdx.x];
    ++t;
    __syncthreads();
    for (int i = 0; i < 32; ++i)
      acc = acc * 0.5f + s[i] * at;
    __syncthreads();
  }
  out[threadIdx.x] = acc + at;
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 4}, {n: 7}]
grid: 1
block: 32
arguments:
  - {name: in, buffer: float, count: n * 256 + 1280, role: input}
  - {name: out, buffer: float, count: 32, role: output}
  - {name: n, scalar: int, value: n}
*/
