// Where the block size comes from. A flag is a claim.
// RUN: %cpr --print=budget %s | FileCheck %s
// RUN: %cpr --print=budget --block-size=32x4 --kernel=bare %s | FileCheck %s --check-prefix=FLAG
// CHECK-LABEL: loop bare
// CHECK: block unknown
// FLAG: block 32x4x1 bound or claim
__global__ void bare(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float tile[128];
  float s = 0.f;
  for (int t = 0; t < n; ++t) {
    tile[threadIdx.y * 32 + threadIdx.x] = x[t * 128 + threadIdx.y * 32 + threadIdx.x];
    __syncthreads();
    s += tile[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = s;
}
// Launches that do not agree: no fact.
// CHECK-LABEL: loop twice
// CHECK-NOT: exact
// CHECK-LABEL: loop visible
static __global__ void twice(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float tile[128];
  float s = 0.f;
  for (int t = 0; t < n; ++t) {
    if (threadIdx.x < 128)
      tile[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    s += tile[threadIdx.x % 128];
    __syncthreads();
  }
  y[threadIdx.x] = s;
}
// Other files may launch it, too: no fact.
// CHECK-NOT: exact
__global__ void visible(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float tile[128];
  float s = 0.f;
  for (int t = 0; t < n; ++t) {
    tile[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    s += tile[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = s;
}
void launch(const float *x, float *y, int n) {
  twice<<<1, 128>>>(x, y, n);
  twice<<<1, 256>>>(x, y, n);
  visible<<<1, 128>>>(x, y, n);
}
