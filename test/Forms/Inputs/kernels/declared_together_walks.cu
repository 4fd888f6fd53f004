__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[64], other[64];
  const int i = threadIdx.x;
  float sum = 0.f;
  const float *from = in + i;
  for (int t = 0; t < tiles; ++t) {
    float a = *from, /* the first */ b = from[64],
          c(0.5f);  // a constant
    const float *next = from + 128, *const last = from;
    from = next;
    tile[i] = a + c;
    other[i] = b * c;
    __syncthreads();
    for (int j = 0; j < 64; ++j) sum = sum * 0.98f + tile[(j + i) & 63] - other[j];
    __syncthreads();
  }
  out[blockIdx.x * 64 + i] = sum;
}
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: tiles * 128 + 128, role: input}
  - {name: out, buffer: float, count: 256, role: output}
  - {value: tiles}
*/
