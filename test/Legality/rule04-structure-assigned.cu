// Rule 4: the same, by assignment of the whole structure.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --unverified=pointers-in-structures-cannot-be-described -- %cpr
//--- bad.cu
struct View {
  const float *data;
  int pitch;
};
__global__ void view(View v, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  View other;
  other.data = y;
  v = other;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = v.data[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    y[(t + 1) * 128 + threadIdx.x] = sum; // refused: may-alias
    __syncthreads();
  }
}
//--- good.cu
struct View {
  const float *data;
  int pitch;
};
__global__ void view(View v, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  View other;
  other.data = y;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = v.data[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    y[(t + 1) * 128 + threadIdx.x] = sum;
    __syncthreads();
  }
}
