// Sizes of launches that macros stand for: the macro is what is multiplied, and an argument is changed where it is a size and nothing else.
// RUN: %cpr %s --variant=cp-async --stages=2 -o %t.cu
// RUN: FileCheck %s < %t.cu
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles, int count) {
  extern __shared__ float tile[];
  const int tx = threadIdx.x;
  float sum = 0;
  for (int t = 0; t < tiles; ++t) {
    tile[tx] = in[t * 64 + tx];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[(tx + i) & 63];
    __syncthreads();
  }
  out[tx] = sum * count;
}
#define CHOICE sizeof(float) == 4 ? 256 : 512
#define SUM 128 + 128
#define LAUNCH(s) k<<<1, 64, s>>>(a, o, n, 1)
#define LAUNCH_AND_COUNT(s) k<<<1, 64, s>>>(a, o, n, (s) / 4)
#define LAUNCH_RAISED(s)                                                \
  cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, s); \
  k<<<1, 64, s>>>(a, o, n, 1)
#define THROUGH(s) LAUNCH_AND_COUNT(s)
void run(const float *a, float *o, int n) {
  // CHECK-LABEL: void run(
  const int bytes = 256;
  k<<<1, 64, CHOICE>>>(a, o, n, 1);
  // CHECK: k<<<1, 64, 2 * (CHOICE)>>>
  k<<<1, 64, SUM>>>(a, o, n, 1);
  // CHECK: k<<<1, 64, 2 * (SUM)>>>
  k<<<1, 64, bytes>>>(a, o, n, 1);
  // CHECK: k<<<1, 64, 2 * bytes>>>
  LAUNCH(bytes + 4);
  // CHECK: LAUNCH(2 * (bytes + 4));
  LAUNCH_AND_COUNT(256);
  // CHECK: LAUNCH_AND_COUNT(256);
  THROUGH(256);
  // CHECK: THROUGH(256);
  LAUNCH_RAISED(64 * sizeof(float));
  // CHECK: LAUNCH_RAISED(2 * (64 * sizeof(float)));
}
