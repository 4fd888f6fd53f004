// A warp's barrier stands where the tile is shared by all warps.
// RUN: split-file %s %t
// RUN: %python %S/../Inputs/legality.py %t -- %cpr
//--- bad.cu
__global__ void products(const int *__restrict__ a, const int *__restrict__ b, int *__restrict__ c, int k) {
  __shared__ int as[8][16], bs[16][8];
  const int row = threadIdx.x / 8, col = threadIdx.x % 8;
  int sum = 0;
  for (int i = 0; i < k; ++i) {
    as[col][row] = a[i * 128 + threadIdx.x];
    bs[row][col] = b[i * 128 + threadIdx.x];
    __syncwarp(); // refused: barrier-partial
    for (int j = 0; j < 8; ++j)
      sum += as[j][row] * bs[15 - row][j];
    __syncthreads();
  }
  c[threadIdx.x] = sum;
}
//--- good.cu
__global__ void products(const int *__restrict__ a, const int *__restrict__ b, int *__restrict__ c, int k) {
  __shared__ int as[8][16], bs[16][8];
  const int row = threadIdx.x / 8, col = threadIdx.x % 8;
  int sum = 0;
  for (int i = 0; i < k; ++i) {
    as[col][row] = a[i * 128 + threadIdx.x];
    bs[row][col] = b[i * 128 + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 8; ++j)
      sum += as[j][row] * bs[15 - row][j];
    __syncthreads();
  }
  c[threadIdx.x] = sum;
}
