#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
__global__ void __launch_bounds__(64) k(const float *__restrict__ in, float *__restrict__ out, unsigned n) {
  __shared__ float s[160];
  const int x = threadIdx.x;
  float sum = 0;
  unsigned p;
  for (p = 0; p < n; p += 16) {
    unsigned left;
    left = (p + 16 < n ? n : p + 16) - p;
    for (unsigned i = x; i < left; i += 64)
      s[i] = in[p + i];
    __syncthreads();
    for (int j = 0; j < left; j++)
      sum = sum * 0.75f + s[j];
    __syncthreads();
  }
  out[blockIdx.x * 64 + x] = sum;
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 16}, {n: 35}, {n: 80}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: 160, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {value: n}
*/
