__device__ const float first[4] = {1.f, 2.f, 3.f, 4.f}, second[4] = {5.f, 6.f, 7.f, 8.f};
__device__ const float *const rows[2] = {first, second};
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[64], other[64];
  const int i = threadIdx.x;
  float sum = 0.f;
  for (int t = 0; t < tiles; ++t) {
    float g = in[t * 64 + i], h = in[t * 64 + 63 - i] * 2.f;
    const auto *const row = rows[in[t * 64] > 0.5f];
    tile[i] = g;
    g += 2.f;
    other[i] = h - g;
    __syncthreads();
    for (int j = 0; j < 64; ++j) sum = sum * 0.98f + tile[(j + i) & 63] * g - other[j] + h;
    g = row[3];
    __syncthreads();
    sum += g * h;
  }
  out[blockIdx.x * 64 + i] = sum;
}
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: tiles * 64, role: input}
  - {name: out, buffer: float, count: 256, role: output}
  - {value: tiles}
*/
