__global__ void gemm(double *C, const double *A, const double *B, int m, int lda, int ldb, int k,
                     int ldc) {
  __shared__ double Bb[16][17];
  const int tx = threadIdx.x, ty = threadIdx.y, id = ty * 16 + tx;
  B += tx + ty * ldb + blockIdx.y * 16 * ldb;
  A += blockIdx.x * 64 + id;
  const double *Bend = B + k;
  double c[16] = {0};
  do {
    double a[4] = {A[0], A[lda], A[2 * lda], A[3 * lda]};
    for (int i = 0; i < 16; i += 4)
      Bb[tx][ty + i] = B[i * ldb];
    __syncthreads();
    A += 4 * lda;
    for (int l = 0; l < 16; ++l) {
      for (int j = 0; j < 16; ++j)
        c[j] += a[l & 3] * Bb[l][j];
      if ((l & 3) == 3 && l < 15) {
        for (int i = 0; i < 4; ++i)
          a[i] = A[i * lda];
        A += 4 * lda;
      }
    }
    B += 16;
    __syncthreads();
  } while (B < Bend);
  C += blockIdx.x * 64 + id + blockIdx.y * 16 * ldc;
  for (int j = 0; j < 16; ++j)
    C[j * ldc] = c[j];
}
