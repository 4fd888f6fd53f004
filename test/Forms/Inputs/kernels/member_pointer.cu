struct P {
  float a, b;
};
__global__ void k(const float *__restrict__ in, float *__restrict__ out, P *more, int tiles) {
  float P::*m = tiles % 2 ? &P::a : &P::b;
  __shared__ P s[64];
  P *at = s + threadIdx.x;
  float sum = 0.f;
  for (int t = 0; t < tiles; ++t) {
    s[threadIdx.x].a = in[t * 64 + threadIdx.x];
    at->*(&P::b) = in[t * 64 + threadIdx.x] * 3.f;
    __syncthreads();
    sum = sum * 0.9f + s[63 - threadIdx.x].*m;
    __syncthreads();
  }
  more[blockIdx.x * 64 + threadIdx.x].*m = sum;
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
void run(const float *in, float *out, P *more, int tiles) { k<<<2, 64>>>(in, out, more, tiles); }
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: tiles * 64 + 1, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: more, buffer: bytes:8, count: 128, role: inout}
  - {value: tiles}
*/
