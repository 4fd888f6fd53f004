// options: --block-size=64 --assume=block-size
// `k0 + threadIdx.x` is unsigned, and the guard is not.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int from, int to) {
  __shared__ float tile[64];
  float sum = 0.f;
  for (int k0 = from; k0 < to; k0 += 64) {
    const int k = k0 + threadIdx.x;
    if (k < to)
      tile[threadIdx.x] = in[k];
    __syncthreads();
    const int many = min(64, to - k0);
    for (int i = 0; i < many; ++i)
      sum = sum * 0.5f + tile[i];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
/* launch
kernel: k
cases: [{to: 3}, {to: 5}, {to: 64}, {to: 67}, {to: 200}, {to: 400}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: 512, role: input}
  - {name: out, buffer: float, count: 64, role: output}
  - {value: 3}
  - {value: to}
*/
