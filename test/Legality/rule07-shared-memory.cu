// Rule 7: two stages of 25,600 bytes are more than 48 KB of static shared memory; in dynamic shared memory there are no
// stages of a tile that is used outside of the loop.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg,cp-async --legal=ldg-single -- %cpr
//--- bad.cu
constexpr int SIZE = 6400;
__global__ void large(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[SIZE];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) { // refused: shared-memory-limit
    // says: 51200
    for (int i = 0; i < SIZE; i += 256)
      part[i + threadIdx.x] = x[t * SIZE + i + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < SIZE; ++k)
      sum += part[k];
    __syncthreads();
  }
  y[threadIdx.x] = sum + part[threadIdx.x];
}
//--- good.cu
constexpr int SIZE = 6400;
__global__ void large(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[SIZE];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    for (int i = 0; i < SIZE; i += 256)
      part[i + threadIdx.x] = x[t * SIZE + i + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < SIZE; ++k)
      sum += part[k];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- launch.yaml
kernel: large
cases: [{tiles: 1}, {tiles: 3}]
grid: 1
block: 256
new_shared: 25600
arguments:
  - {name: x, buffer: float, count: tiles * 6400, role: input}
  - {name: y, buffer: float, count: 256, role: output}
  - {value: tiles}
