// The compute phase makes a macro of a word of the language.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float s[32];
  float acc = 0;
  for (int t = 0; t < n;) {
    s[threadIdx.x] = in[t * 32 + threadIdx.x];
    __syncthreads();
#define float double
    float u = 1.0f;
    acc += u;
#undef float
    for (int i = 0; i < 32; ++i)
      acc = acc * 0.5f + s[i];
    t += 1;
    __syncthreads();
  }
  out[threadIdx.x] = acc;
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 7}]
grid: 1
block: 32
arguments:
  - {name: in, buffer: float, count: n * 64 + 512, role: input}
  - {name: out, buffer: float, count: 32, role: output}
  - {name: n, scalar: int, value: n}
*/
