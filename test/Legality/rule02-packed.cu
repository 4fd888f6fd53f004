// Rule 2: a member of a packed structure lies anywhere; an ordinary load of it is split, cp.async is not.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=cp-async --legal=ldg,ldg-single -- %cpr
//--- bad.cu
struct __attribute__((packed)) Item { char kind[4]; float value[2]; };
__global__ void items(const Item *__restrict__ item, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = item[t * 16 + threadIdx.x].value[1]; // refused: copy-width
    // says: 1 byte
    __syncthreads();
    sum += part[127 - threadIdx.x] > 0;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- good.cu
struct Item { char kind[4]; float value[2]; };
__global__ void items(const Item *__restrict__ item, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = item[t * 16 + threadIdx.x].value[1];
    __syncthreads();
    sum += part[127 - threadIdx.x] > 0;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- launch.yaml
kernel: items
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 1
block: 128
arguments:
  - {name: item, buffer: "bytes:12", count: 512, role: input}
  - {name: y, buffer: float, count: 128, role: output}
  - {value: tiles}
