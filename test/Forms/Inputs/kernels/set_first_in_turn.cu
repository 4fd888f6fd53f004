// variables of the function that each turn sets first, for both phases
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  const int tx = threadIdx.x;
  float sum = 0.f, weight;
  int used, at;
  for (int k = 0; k < n; k += 64) {
    used = n - k < 64 ? n - k : 64;
    at = k + tx;
    weight = 1.f / (1 + (k >> 6));
    tile[tx] = tx < used && weight > 0.1f ? in[at] : 0.f;
    __syncthreads();
    for (int i = 0; i < used; ++i)
      sum = sum * 0.5f + tile[(i + tx) & 63] * weight;
    sum += at & 7;
    __syncthreads();
  }
  out[blockIdx.x * 64 + tx] = sum;
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 63}, {n: 64}, {n: 130}, {n: 200}, {n: 449}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: n + 64, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: n, scalar: int, value: n}
*/
