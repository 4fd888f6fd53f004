// The kernel itself asks how much memory it was given, and computes with it.
__global__ void k(const float *__restrict__ in, float *out, int n) {
  extern __shared__ float s[];
  unsigned given;
  asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(given));
  float acc = given;
  for (int t = 0; t < n; ++t) {
    s[threadIdx.x] = in[t * 64 + threadIdx.x];
    __syncthreads();
    acc = acc * 0.5f + s[63 - threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = acc;
}
void launch(const float *a, float *b, int n) { k<<<1, 64, 256>>>(a, b, n); }
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 5}]
grid: 1
block: 64
shared: 256
arguments:
  - {buffer: float, count: 64 * n + 1, role: input}
  - {buffer: float, count: 64, role: output}
  - {value: n}
*/
