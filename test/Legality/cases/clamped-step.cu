// The number of elements of a tile is step and bound at once, and the last tile clamps it: between load and compute, where the
// next tile's addresses need it; in front of the load, where the compute phase needs it, too, and under a condition also keeps
// it; or in front of the load alone. And it may hang on what was loaded.
// RUN: rm -rf %t && split-file %s %t
// RUN: cp %t/launch.yaml %t/between && cp %t/launch.yaml %t/top && cp %t/launch.yaml %t/alone
// RUN: cp %t/launch.yaml %t/kept && cp %t/launch.yaml %t/found
// RUN: %python %S/../Inputs/legality.py %t/between --refused= --legal=cp-async:2,cp-async:3,ldg,ldg-single -- %cpr
// RUN: %python %S/../Inputs/legality.py %t/top --refused= --legal=cp-async:2,cp-async:3,ldg,ldg-single -- %cpr
// RUN: %python %S/../Inputs/legality.py %t/alone --refused= --legal=cp-async:2,cp-async:3,ldg,ldg-single -- %cpr
// RUN: %python %S/../Inputs/legality.py %t/kept --refused= --legal=cp-async:2,cp-async:3,ldg,ldg-single -- %cpr
// RUN: %python %S/../Inputs/legality.py %t/found -- %cpr
//--- between/good.cu
__global__ void potentials(const float *__restrict__ charge, float *__restrict__ out, int n) {
  __shared__ float box[128];
  float sum = 0.0f;
  int size = 128;
  for (int first = 0; first < n; first += size) {
    box[threadIdx.x] = threadIdx.x < min(size, n - first) ? charge[first + threadIdx.x] : 0.5f;
    __syncthreads();
    size = min(size, n - first);
    for (int i = 0; i < size; ++i)
      sum += box[i] * (i + threadIdx.x);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
//--- top/good.cu
__global__ void potentials(const float *__restrict__ charge, float *__restrict__ out, int n) {
  __shared__ float box[128];
  float sum = 0.0f;
  int size = 128;
  for (int first = 0; first < n; first += size) {
    size = min(size, n - first);
    box[threadIdx.x] = threadIdx.x < size && first + threadIdx.x < n ? charge[first + threadIdx.x] : 0.5f;
    __syncthreads();
    for (int i = 0; i < size; ++i)
      sum += box[i] * (i + threadIdx.x);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
//--- alone/good.cu
__global__ void potentials(const float *__restrict__ charge, float *__restrict__ out, int n) {
  __shared__ float box[128];
  float sum = 0.0f;
  int size = 128;
  for (int first = 0; first < n; first += size) {
    const int count = min(size, n - first);
    size = count;
    box[threadIdx.x] = threadIdx.x < count ? charge[first + threadIdx.x] : 0.5f;
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += box[i] * (i + threadIdx.x);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
//--- kept/good.cu
__global__ void potentials(const float *__restrict__ charge, float *__restrict__ out, int n) {
  __shared__ float box[128];
  float sum = 0.0f;
  int size = 128;
  for (int first = 0; first < n; first += size) {
    if (first + size > n) size = n - first;
    box[threadIdx.x] = threadIdx.x < size && first + threadIdx.x < n ? charge[first + threadIdx.x] : 0.5f;
    __syncthreads();
    for (int i = 0; i < size; ++i)
      sum += box[i] * (i + threadIdx.x);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
//--- found/bad.cu
__global__ void potentials(const float *__restrict__ charge, float *__restrict__ out, int n) {
  __shared__ float box[128];
  float sum = 0.0f;
  int size = 128;
  for (int first = 0; first < n; first += size) {
    box[threadIdx.x] = first + threadIdx.x < n ? charge[first + threadIdx.x] : 0.5f;
    __syncthreads();
    for (int i = 0; i < size; ++i)
      sum += box[i] * (i + threadIdx.x);
    size = box[0] > 0.25f ? 64 : 96; // refused: counter-modified
    // says: 'size'
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
//--- found/good.cu
__global__ void potentials(const float *__restrict__ charge, float *__restrict__ out, int n) {
  __shared__ float box[128];
  float sum = 0.0f;
  int size = 128;
  for (int first = 0; first < n; first += size) {
    box[threadIdx.x] = first + threadIdx.x < n ? charge[first + threadIdx.x] : 0.5f;
    __syncthreads();
    for (int i = 0; i < size; ++i)
      sum += box[i] * (i + threadIdx.x);
    sum += box[0] > 0.25f ? 64 : 96;
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
//--- launch.yaml
kernel: potentials
cases: [{n: 0}, {n: 1}, {n: 128}, {n: 200}, {n: 500}, {n: 641}]
grid: 1
block: 128
arguments:
  - {name: charge, buffer: float, count: n, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {value: n}
