// Rule 1: the head of the loop around has a variable of its own, or a range.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t/variable "--count=x:(tiles + 2) * 128" -- %cpr
// RUN: %python %S/Inputs/legality.py %t/range --refused=ldg,ldg-single "--count=x:(tiles + 2) * 128" -- %cpr
//--- variable/bad.cu
__global__ void some(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int r = 0; int left = (threadIdx.x < 64 ? 3 : 2) - r; ++r) // refused: divergent-loop
    for (int t = 0; t < tiles; ++t) {
      part[threadIdx.x] = x[(t + r) * 128 + threadIdx.x];
      __syncthreads();
      for (int i = 0; i < 128; ++i)
        sum += part[i] * (i + 1);
      __syncthreads();
    }
  y[threadIdx.x] = sum;
}
//--- variable/good.cu
__global__ void some(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int r = 0; int left = (blockIdx.x < 64 ? 3 : 2) - r; ++r)
    for (int t = 0; t < tiles; ++t) {
      part[threadIdx.x] = x[(t + r) * 128 + threadIdx.x];
      __syncthreads();
      for (int i = 0; i < 128; ++i)
        sum += part[i] * (i + 1);
      __syncthreads();
    }
  y[threadIdx.x] = sum;
}
//--- range/bad.cu
struct Rounds {
  int n;
  struct It {
    int i;
    __device__ bool operator!=(It o) const { return i != o.i; }
    __device__ int operator*() const { return i; }
    __device__ void operator++() { ++i; }
  };
  __device__ It begin() const { return {0}; }
  __device__ It end() const { return {n}; }
};
__global__ void some(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int r : Rounds{threadIdx.x < 64 ? 3 : 2}) // refused: divergent-loop
    for (int t = 0; t < tiles; ++t) {
      part[threadIdx.x] = x[(t + r) * 128 + threadIdx.x];
      __syncthreads();
      for (int i = 0; i < 128; ++i)
        sum += part[i] * (i + 1);
      __syncthreads();
    }
  y[threadIdx.x] = sum;
}
//--- range/good.cu
struct Rounds {
  int n;
  struct It {
    int i;
    __device__ bool operator!=(It o) const { return i != o.i; }
    __device__ int operator*() const { return i; }
    __device__ void operator++() { ++i; }
  };
  __device__ It begin() const { return {0}; }
  __device__ It end() const { return {n}; }
};
__global__ void some(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int r : Rounds{blockIdx.x < 64 ? 3 : 2})
    for (int t = 0; t < tiles; ++t) {
      part[threadIdx.x] = x[(t + r) * 128 + threadIdx.x];
      __syncthreads();
      for (int i = 0; i < 128; ++i)
        sum += part[i] * (i + 1);
      __syncthreads();
    }
  y[threadIdx.x] = sum;
}
