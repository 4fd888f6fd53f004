// What the store leaves out in one turn is what it has set in the turn before.
struct P {
  float a, b;
};
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ P s[64];
  s[threadIdx.x] = P{1.f, 2.f};
  __syncthreads();
  float sum = 0.f;
  for (int t = 0; t < tiles; ++t) {
    float P::*m = t % 2 ? &P::a : &P::b;
    s[threadIdx.x].*m = in[t * 64 + threadIdx.x];
    __syncthreads();
    sum = sum * 0.9f + s[63 - threadIdx.x].a + 2 * s[63 - threadIdx.x].b;
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
void run(const float *in, float *out, int tiles) { k<<<2, 64>>>(in, out, tiles); }
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
