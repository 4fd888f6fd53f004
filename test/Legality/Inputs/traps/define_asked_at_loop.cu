// The line in front of the loop asks for a macro.
#define FAST 1
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float s[64];
  float acc = 0;
#ifdef FAST
  for (int t = 0; t < n; ++t) {
    s[threadIdx.x] = in[t * 64 + threadIdx.x];
    __syncthreads();
    acc = acc + 1 + s[63 - threadIdx.x];
    __syncthreads();
  }
#endif
  out[threadIdx.x] = acc;
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 4}, {n: 7}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: n * 128 + 640, role: input}
  - {name: out, buffer: float, count: 64, role: output}
  - {name: n, scalar: int, value: n}
*/
