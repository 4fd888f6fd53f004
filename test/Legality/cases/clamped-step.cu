// The number of elements of a tile is step and bound at once, and is changed between load and compute.
// RUN: split-file %s %t
// RUN: %python %S/../Inputs/legality.py %t -- %cpr
//--- bad.cu
__global__ void potentials(const float *__restrict__ charge, float *__restrict__ out, int n) {
  __shared__ float box[128];
  float sum = 0.0f;
  int size = 128;
  for (int first = 0; first < n; first += size) {
    box[threadIdx.x] = threadIdx.x < size ? charge[first + threadIdx.x] : 0.0f;
    __syncthreads();
    for (int i = 0; i < size; ++i)
      sum += box[i] * (i + threadIdx.x);
    if (box[0] > 0.5f)
      size = 64; // refused: counter-modified
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
//--- good.cu
__global__ void potentials(const float *__restrict__ charge, float *__restrict__ out, int n) {
  __shared__ float box[128];
  float sum = 0.0f;
  int size = 128;
  for (int first = 0; first < n; first += size) {
    box[threadIdx.x] = threadIdx.x < size ? charge[first + threadIdx.x] : 0.0f;
    __syncthreads();
    for (int i = 0; i < size; ++i)
      sum += box[i] * (i + threadIdx.x);
    if (box[0] > 0.5f)
      sum = 64;
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
//--- launch.yaml
kernel: potentials
cases: [{n: 0}, {n: 128}, {n: 256}, {n: 640}]
grid: 1
block: 128
arguments:
  - {name: charge, buffer: float, count: n, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {value: n}
