// Rule 4: a pointer in a parameter is what the host has set, unless a method sets it anew: then it may be the output's,
// and what a restrict pointer says no longer helps.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --unverified=pointers-in-structures-cannot-be-described -- %cpr
//--- bad.cu
struct View {
  const float *data;
  __device__ void set(const float *p) { data = p; }
};
__global__ void view(View v, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  v.set(y);
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = v.data[t * 128 + threadIdx.x]; // refused: load-reads-shared
    __syncthreads();
    sum += part[127 - threadIdx.x];
    y[(t + 1) * 128 + threadIdx.x] = sum;
    __syncthreads();
  }
}
//--- good.cu
struct View {
  const float *data;
  __device__ void set(const float *p) { data = p; }
};
__global__ void view(View v, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = v.data[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    y[(t + 1) * 128 + threadIdx.x] = sum;
    __syncthreads();
  }
}
