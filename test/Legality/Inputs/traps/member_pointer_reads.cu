// The other member is loaded in the first turn alone.
struct P {
  float a, b;
};
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles, int which) {
  __shared__ P s[64];
  float P::*m = which ? &P::a : &P::b;
  float sum = 0.f;
  for (int t = 0; t < tiles; ++t) {
    s[threadIdx.x].a = in[t * 64 + threadIdx.x];
    if (t == 0)
      s[threadIdx.x].b = in[t * 64 + threadIdx.x] * 3;
    __syncthreads();
    sum = sum * 0.9f + s[63 - threadIdx.x].*m;
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
void run(const float *in, float *out, int tiles, int which) { k<<<2, 64>>>(in, out, tiles, which); }
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: tiles * 64 + 1, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {value: tiles}
  - {value: 0}
*/
