// The compute phase of this instantiation does not name the second tile, nor the pointer into it: the text does.
// LDG: for (int t = 0; t < tiles; ++t) {
// LDG: auto &other = other_stages[stage];
// LDG-NEXT: float *o = other;
template <bool Two> __global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float s[64], other[64];
  const int tx = threadIdx.x;
  float *o = other;
  float sum = 0.f;
  for (int t = 0; t < tiles; ++t) {
    s[tx] = in[t * 64 + tx];
    o[tx] = in[t * 64 + 63 - tx];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      if constexpr (Two)
        sum = sum * 0.5f + s[(tx + i) % 64] * o[i];
      else
        sum = sum * 0.5f + s[(tx + i) % 64];
    __syncthreads();
  }
  out[tx] = sum;
}
template __global__ void k<false>(const float *__restrict__ in, float *__restrict__ out, int tiles);
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
