// The address of a tile goes by way of two statements of which neither keeps it alone, or by way of a function that several
// call: what stands around a loop is looked at together where one part has to do with what another one does.
// RUN: %cpr check %s --variant=ldg --exit-zero 2>&1 | FileCheck %s
__device__ const float *last;
__device__ void keep(const float *p) { last = p; }
__device__ float get(const float *p, int i) { return p[63 - i]; }

__global__ void __launch_bounds__(64) togetherInOneBlock(const float *__restrict__ A, float *C, int n) {
  __shared__ float tile[64];
  const int tx = threadIdx.x;
  float s = 0;
  // CHECK: :[[@LINE+2]]:{{[0-9]+}}: warning: tile loop of kernel 'togetherInOneBlock' is not pipelined
  // CHECK: :[[@LINE+16]]:{{[0-9]+}}: note: tile 'tile' is also used outside of the loop
  for (int t = 0; t < n; t += 64) {
    tile[tx] = A[t + tx];
    __syncthreads();
    s += tile[63 - tx];
    __syncthreads();
  }
  const float *p = tile;
  // CHECK: :[[@LINE+2]]:{{[0-9]+}}: warning: tile loop of kernel 'togetherInOneBlock' is not pipelined
  // CHECK: :[[@LINE+7]]:{{[0-9]+}}: note: tile 'tile' is also used outside of the loop
  for (int t = 0; t < n; t += 64) {
    tile[tx] = A[t + tx];
    __syncthreads();
    s += tile[63 - tx];
    __syncthreads();
  }
  last = p;
  // CHECK: :[[@LINE+2]]:{{[0-9]+}}: warning: tile loop of kernel 'togetherInOneBlock' is not pipelined
  // CHECK: :[[@LINE-2]]:{{[0-9]+}}: note: tile 'tile' is also used outside of the loop
  for (int t = 0; t < n; t += 64) {
    tile[tx] = A[t + tx];
    __syncthreads();
    s += tile[63 - tx];
    __syncthreads();
  }
  C[tx] = s;
}
void run1(const float *A, float *C, int n) { togetherInOneBlock<<<1, 64>>>(A, C, n); }

__global__ void __launch_bounds__(64) togetherInTwoBlocks(const float *__restrict__ A, float *C, int n) {
  __shared__ float tile[64];
  const int tx = threadIdx.x;
  float s = 0;
  const float *p = tile;
  for (int r = 0; r < n; ++r) {
    last = p;
    // CHECK: :[[@LINE+2]]:{{[0-9]+}}: warning: tile loop of kernel 'togetherInTwoBlocks' is not pipelined
    // CHECK: :[[@LINE-2]]:{{[0-9]+}}: note: tile 'tile' is also used outside of the loop
    for (int t = 0; t < n; t += 64) {
      tile[tx] = A[t + tx];
      __syncthreads();
      s += tile[63 - tx];
      __syncthreads();
    }
  }
  C[tx] = s;
}
void run2(const float *A, float *C, int n) { togetherInTwoBlocks<<<1, 64>>>(A, C, n); }

__global__ void __launch_bounds__(64) keptByACalled(const float *__restrict__ A, float *C, int n) {
  __shared__ float tile[64];
  __shared__ float other[64];
  const int tx = threadIdx.x;
  float s = 0;
  // CHECK: :[[@LINE+2]]:{{[0-9]+}}: warning: tile loop of kernel 'keptByACalled' is not pipelined
  // CHECK: :[[@LINE+7]]:{{[0-9]+}}: note: tile 'tile' is also used outside of the loop
  for (int t = 0; t < n; t += 64) {
    tile[tx] = A[t + tx];
    __syncthreads();
    s += tile[63 - tx];
    __syncthreads();
  }
  keep(other);
  keep(tile);
  C[tx] = s;
}
void run3(const float *A, float *C, int n) { keptByACalled<<<1, 64>>>(A, C, n); }

__global__ void __launch_bounds__(64) onlyInItself(const float *__restrict__ A, float *C, int n) {
  __shared__ float tile[64];
  const int tx = threadIdx.x;
  float s = 0;
  // CHECK: :[[@LINE+2]]:{{[0-9]+}}: warning: tile loop of kernel 'onlyInItself' is not pipelined
  // CHECK: :[[@LINE+4]]:{{[0-9]+}}: note: the address of tile 'tile' is kept longer than one statement
  for (int t = 0; t < n; t += 64) {
    tile[tx] = A[t + tx];
    __syncthreads();
    keep(tile);
    s += tile[63 - tx];
    __syncthreads();
  }
  // CHECK: :[[@LINE+2]]:{{[0-9]+}}: warning: tile loop of kernel 'onlyInItself' is not pipelined
  // CHECK: :[[@LINE-5]]:{{[0-9]+}}: note: tile 'tile' is also used outside of the loop
  for (int t = 0; t < n; t += 64) {
    tile[tx] = A[t + tx];
    __syncthreads();
    s += tile[63 - tx];
    __syncthreads();
  }
  C[tx] = s;
}
void run4(const float *A, float *C, int n) { onlyInItself<<<1, 64>>>(A, C, n); }

__global__ void __launch_bounds__(64) ofTheirOwn(const float *__restrict__ A, float *C, int n) {
  __shared__ float tile[64];
  const int tx = threadIdx.x;
  float s = 0;
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: warning: pipeline this tile loop with ldg
  for (int t = 0; t < n; t += 64) {
    tile[tx] = A[t + tx];
    __syncthreads();
    const float *p = tile;
    s += p[63 - tx] + get(tile, tx);
    __syncthreads();
  }
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: warning: pipeline this tile loop with ldg
  for (int t = 0; t < n; t += 64) {
    tile[tx] = A[t + tx];
    __syncthreads();
    const float *p = tile;
    s += p[63 - tx] + get(tile, tx);
    __syncthreads();
  }
  C[tx] = s;
}
void run5(const float *A, float *C, int n) { ofTheirOwn<<<1, 64>>>(A, C, n); }
// CHECK: 9 loops: 2 can be pipelined, 7 refused
