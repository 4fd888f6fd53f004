// The threads take turns in filling the elements: an element whose thread has returned keeps what another thread has
// stored in an earlier iteration. That is defined, and with two buffers it is something else.
// RUN: split-file %s %t
// RUN: %python %S/../Inputs/legality.py %t --refused=ldg,cp-async --legal=ldg-single --wrong=ldg,cp-async -- %cpr
//--- bad.cu
static __global__ void spread(const float *__restrict__ in, float *__restrict__ out, int tiles, int live) {
  __shared__ float tile[128];
  if (threadIdx.x >= live)
    return;
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    tile[(threadIdx.x + t) % 128] = in[t * 128 + threadIdx.x]; // refused: stale-tile
    __syncthreads();
    for (int k = 0; k < live + t && k < 128; ++k)
      sum += tile[k] * (float)(k + 1);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
static void run(const float *in, float *out, int tiles, int live) { spread<<<1, 128>>>(in, out, tiles, live); }
//--- good.cu
static __global__ void spread(const float *__restrict__ in, float *__restrict__ out, int tiles, int live) {
  __shared__ float tile[128];
  if (blockIdx.x >= live)
    return;
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    tile[(threadIdx.x + t) % 128] = in[t * 128 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < live + t && k < 128; ++k)
      sum += tile[k] * (float)(k + 1);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
static void run(const float *in, float *out, int tiles, int live) { spread<<<1, 128>>>(in, out, tiles, live); }
//--- launch.yaml
kernel: spread
cases: [{tiles: 0, live: 100}, {tiles: 1, live: 100}, {tiles: 2, live: 1}, {tiles: 5, live: 100}, {tiles: 33, live: 40}, {tiles: 5, live: 128}]
grid: 1
block: 128
arguments:
  - {name: in, buffer: float, count: "tiles * 128", role: input}
  - {name: out, buffer: float, count: 128, role: inout}
  - {value: tiles}
  - {value: live}
