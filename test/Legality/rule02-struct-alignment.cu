// Rule 2: a struct of four floats has the alignment of one, and one of three shorts has no size of the instruction, nor pieces of one. The
// message says which of the two it is.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t/alignment --refused=cp-async --legal=ldg,ldg-single -- %cpr
// RUN: %python %S/Inputs/legality.py %t/size --refused=cp-async --legal=ldg,ldg-single -- %cpr
//--- alignment/bad.cu
struct Particle {
  float x, y, z, mass;
};
__global__ void forces(const Particle *__restrict__ p, float *__restrict__ f, int tiles) {
  __shared__ Particle part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = p[t * 128 + threadIdx.x]; // refused: copy-width
    // says: moves 16 bytes with an alignment of 4 bytes at a time
    __syncthreads();
    sum += part[127 - threadIdx.x].x * part[127 - threadIdx.x].mass;
    __syncthreads();
  }
  f[threadIdx.x] = sum;
}
//--- alignment/good.cu
struct alignas(16) Particle {
  float x, y, z, mass;
};
__global__ void forces(const Particle *__restrict__ p, float *__restrict__ f, int tiles) {
  __shared__ Particle part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = p[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x].x * part[127 - threadIdx.x].mass;
    __syncthreads();
  }
  f[threadIdx.x] = sum;
}
//--- alignment/launch.yaml
kernel: forces
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 1
block: 128
arguments:
  - {name: p, buffer: float, count: 4 * 128 * tiles, role: input}
  - {name: f, buffer: float, count: 128, role: inout}
  - {value: tiles}
//--- size/bad.cu
using Vector = short3;
__global__ void forces(const Vector *__restrict__ p, float *__restrict__ f, int tiles) {
  __shared__ Vector part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = p[t * 128 + threadIdx.x]; // refused: copy-width
    // says: moves 6 bytes at a time
    __syncthreads();
    sum += part[127 - threadIdx.x].x * part[127 - threadIdx.x].z;
    __syncthreads();
  }
  f[threadIdx.x] = sum;
}
//--- size/good.cu
using Vector = short4;
__global__ void forces(const Vector *__restrict__ p, float *__restrict__ f, int tiles) {
  __shared__ Vector part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = p[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x].x * part[127 - threadIdx.x].z;
    __syncthreads();
  }
  f[threadIdx.x] = sum;
}
