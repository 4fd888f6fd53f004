// Two threads of the launch's block store different data to one element: rows of 16 threads on a pitch of 8.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg,ldg-single,cp-async -- %cpr
//--- bad.cu
#define PITCH 8
__global__ void __launch_bounds__(64) rows(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[4 * 16];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    tile[threadIdx.y * PITCH + threadIdx.x] = in[t * 64 + threadIdx.y * 16 + threadIdx.x]; // refused: racing-stores
    __syncthreads();
    for (int k = 0; k < 40; ++k)
      sum += tile[(threadIdx.x + k) % 40];
    __syncthreads();
  }
  out[threadIdx.y * 16 + threadIdx.x] = sum;
}
void launch(const float *in, float *out, int tiles) { rows<<<1, dim3(16, 4)>>>(in, out, tiles); }
//--- good.cu
#define PITCH 16
__global__ void __launch_bounds__(64) rows(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[4 * 16];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    tile[threadIdx.y * PITCH + threadIdx.x] = in[t * 64 + threadIdx.y * 16 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 40; ++k)
      sum += tile[(threadIdx.x + k) % 40];
    __syncthreads();
  }
  out[threadIdx.y * 16 + threadIdx.x] = sum;
}
void launch(const float *in, float *out, int tiles) { rows<<<1, dim3(16, 4)>>>(in, out, tiles); }
//--- launch.yaml
kernel: rows
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 1
block: [16, 4]
arguments:
  - {name: in, buffer: float, count: 64 * 5, role: input}
  - {name: out, buffer: float, count: 64, role: output}
  - {value: tiles}
