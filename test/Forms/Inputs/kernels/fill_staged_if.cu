// A staging variable with a fill: the copy takes the place of the load, and the fill is its else; the register takes the
// place of the variable, so that the store does not ask again.
// ASYNC: auto &s = s_stages[stage];
// ASYNC-NEXT: if (t * 64 + tx < len) __pipeline_memcpy_async(&s[tx], &in[t * 64 + tx], sizeof(float));
// ASYNC-NEXT: else
// ASYNC-NEXT: s[tx] = 0.f;
// ASYNC-NEXT: };
// LDG: v_reg = 0.f;
// LDG-NEXT: if (t * 64 + tx < len) v_reg = in[t * 64 + tx];
// LDG-NEXT: };
// LDG: auto &s = s_stages[stage];
// LDG-NEXT: float v = v_reg;
// LDG-NEXT: s[tx] = v;
// LDG-NEXT: };
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles, int len) {
  __shared__ float s[64];
  const int tx = threadIdx.x;
  float sum = 0.f;
  for (int t = 0; t < tiles; ++t) {
    float v = 0.f;
    if (t * 64 + tx < len) v = in[t * 64 + tx];
    s[tx] = v;
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + s[(tx + i) % 64];
    __syncthreads();
  }
  out[tx] = sum;
}
/* launch
kernel: k
cases: [{tiles: 0, len: 9}, {tiles: 1, len: 3}, {tiles: 2, len: 100}, {tiles: 5, len: 300}, {tiles: 5, len: 130}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: 512, role: input}
  - {name: out, buffer: float, count: 64, role: output}
  - {value: tiles}
  - {value: len}
*/
