// The tile's addresses come from a table in shared memory: one that is written in the same turn, before a barrier of its own;
// or one that the compute phase writes for the next turn.
// RUN: split-file %s %t
// RUN: %python %S/../Inputs/legality.py %t/same-turn --count=image:512 "--larger=a phase less is two statements" -- %cpr
// RUN: %python %S/../Inputs/legality.py %t/next-turn --count=image:512 -- %cpr
//--- same-turn/bad.cu
__global__ void implicit(const float *__restrict__ image, float *__restrict__ out, int steps) {
  __shared__ int offset[128];
  __shared__ float patch[128];
  float sum = 0.0f;
  for (int k = 0; k < steps; ++k) {
    offset[threadIdx.x] = (k * 37 + threadIdx.x * 3) % 512;
    __syncthreads(); // refused: barrier-shape
    patch[threadIdx.x] = image[offset[127 - threadIdx.x]];
    __syncthreads();
    sum += patch[127 - threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
//--- same-turn/good.cu
__global__ void implicit(const float *__restrict__ image, float *__restrict__ out, int steps) {
  __shared__ int offset[128];
  __shared__ float patch[128];
  float sum = 0.0f;
  for (int k = 0; k < steps; ++k) {
    patch[threadIdx.x] = image[(k * 37 + (127 - threadIdx.x) * 3) % 512];
    __syncthreads();
    sum += patch[127 - threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
//--- next-turn/bad.cu
__global__ void implicit(const float *__restrict__ image, float *__restrict__ out, int steps) {
  __shared__ int offset[128];
  __shared__ float patch[128];
  float sum = 0.0f;
  offset[threadIdx.x] = threadIdx.x * 3;
  __syncthreads();
  for (int k = 0; k < steps; ++k) {
    patch[threadIdx.x] = image[offset[127 - threadIdx.x]]; // refused: load-reads-shared
    // says: 'offset'
    __syncthreads();
    sum += patch[127 - threadIdx.x];
    offset[threadIdx.x] = ((k + 1) * 37 + threadIdx.x * 3) % 512;
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
//--- next-turn/good.cu
__global__ void implicit(const float *__restrict__ image, float *__restrict__ out, int steps) {
  __shared__ int offset[128];
  __shared__ float patch[128];
  float sum = 0.0f;
  offset[threadIdx.x] = threadIdx.x * 3;
  __syncthreads();
  for (int k = 0; k < steps; ++k) {
    patch[threadIdx.x] = image[(k * 37 + (127 - threadIdx.x) * 3) % 512];
    __syncthreads();
    sum += patch[127 - threadIdx.x];
    offset[threadIdx.x] = ((k + 1) * 37 + threadIdx.x * 3) % 512;
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
