// SGEMM, C = A * B, all row-major: 64x64 tiles of C, 256 threads with 4x4 elements each. A is transposed on its way to the tile, which takes
// four stores of one element; B is copied by 16 bytes.
constexpr int BM = 64, BN = 64, BK = 16;

__global__ void __launch_bounds__(256) sgemm(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int M, int N,
                                             int K) {
  __shared__ float As[BK * BM];
  __shared__ float Bs[BK * BN];
  const int row = blockIdx.y * BM, col = blockIdx.x * BN;
  const int x = threadIdx.x % 16, y = threadIdx.x / 16;
  const int rowA = threadIdx.x / (BK / 4), colA = threadIdx.x % (BK / 4) * 4;
  const int rowB = threadIdx.x / (BN / 4), colB = threadIdx.x % (BN / 4) * 4;
  float sum[4][4] = {};
  for (int k = 0; k < K; k += BK) {
    const float4 a = *reinterpret_cast<const float4 *>(&A[(row + rowA) * K + k + colA]);
    As[(colA + 0) * BM + rowA] = a.x;
    As[(colA + 1) * BM + rowA] = a.y;
    As[(colA + 2) * BM + rowA] = a.z;
    As[(colA + 3) * BM + rowA] = a.w;
    *reinterpret_cast<float4 *>(&Bs[rowB * BN + colB]) = *reinterpret_cast<const float4 *>(&B[(k + rowB) * N + col + colB]);
    __syncthreads();
    for (int i = 0; i < BK; ++i) {
      const float4 u = *reinterpret_cast<const float4 *>(&As[i * BM + y * 4]);
      const float4 v = *reinterpret_cast<const float4 *>(&Bs[i * BN + x * 4]);
      const float m[4] = {u.x, u.y, u.z, u.w}, n[4] = {v.x, v.y, v.z, v.w};
      for (int p = 0; p < 4; ++p)
        for (int q = 0; q < 4; ++q)
          sum[p][q] += m[p] * n[q];
    }
    __syncthreads();
  }
  for (int p = 0; p < 4; ++p)
    *reinterpret_cast<float4 *>(&C[(row + y * 4 + p) * N + col + x * 4]) = make_float4(sum[p][0], sum[p][1], sum[p][2], sum[p][3]);
}
