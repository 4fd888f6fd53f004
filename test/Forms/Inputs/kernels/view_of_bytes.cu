// Pointers into one array, set in front of the loop: declared where it gets its stage.
// LDG: char raw_stages[2][512];
// LDG-NOT: float *a
// LDG: auto store_tile = [&](int stage) {
// LDG-NEXT: auto &raw = raw_stages[stage];
// LDG-NEXT: float *a = reinterpret_cast<float *>(raw);
// LDG-NEXT: float *b = reinterpret_cast<float *>(raw + 256);
// LDG: for (int t = 0; t < tiles; ++t) {
// LDG: auto &raw = raw_stages[stage];
// LDG-NEXT: float *a = reinterpret_cast<float *>(raw);
// LDG-NEXT: float *b = reinterpret_cast<float *>(raw + 256);
// LDG-NEXT: keep_rounding();
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ __align__(16) char raw[512];
  float *a = reinterpret_cast<float *>(raw);
  float *b = reinterpret_cast<float *>(raw + 256);
  const int tx = threadIdx.x;
  float sum = 0.f;
  for (int t = 0; t < tiles; ++t) {
    a[tx] = in[t * 64 + tx]; b[tx] = in[t * 64 + 63 - tx];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + a[(tx + i) % 64] * b[i];
    __syncthreads();
  }
  out[tx] = sum;
}
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: 512, role: input}
  - {name: out, buffer: float, count: 64, role: output}
  - {value: tiles}
*/
