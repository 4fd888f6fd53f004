// Declared inside of the loop, which is the only statement of an if; what is behind it stands on the same line.
__global__ void k(const float *__restrict__ in, float *out, int n) {
  float acc = 0.f;
  if (n > 1)
    for (int t = 0; t < n; ++t) {
      extern __shared__ float s[];
      s[threadIdx.x] = in[t * 64 + threadIdx.x];
      __syncthreads();
      /* one
         tile */
      acc = acc * 0.5f + s[threadIdx.x ^ 1] + s[63 - threadIdx.x];
      __syncthreads();
    } // all of them
  else acc = 7.f; out[threadIdx.x] = acc;
}
void launch(const float *a, float *b, int n) { k<<<1, 64, 64 * sizeof *a>>>(a, b, n); }
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
