// What is kept in front of the loop is the address of the first stage.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float s[64];
  const float *kept[2] = {s, s + 1};
  const float *p = kept[threadIdx.x & 1];
  float sum = 0.f;
  for (int t = 0; t < tiles; ++t) {
    s[threadIdx.x] = in[t * 64 + threadIdx.x];
    __syncthreads();
    sum = sum * 0.5f + p[62 - threadIdx.x % 63];
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: tiles * 64 + 1, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {value: tiles}
*/
