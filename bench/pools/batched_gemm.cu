// A batch of small products in double; what comes out is transposed in the memory of the tiles.
#define TS 16
__global__ void batched_gemm(const double *__restrict__ A, const double *__restrict__ B, double *__restrict__ C, int n) {
  extern __shared__ double both[];
  double *As = both, *Bs = both + TS * TS;
  const double *a = A + blockIdx.z * n * n, *b = B + blockIdx.z * n * n;
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * TS + ty, col = blockIdx.x * TS + tx;
  double sum = 0;
  for (int k = 0; k < n; k += TS) {
    As[ty * TS + tx] = row < n && k + tx < n ? a[row * n + k + tx] : 0.0;
    Bs[ty * TS + tx] = col < n && k + ty < n ? b[(k + ty) * n + col] : 0.0;
    __syncthreads();
    for (int i = 0; i < TS; ++i)
      sum += As[ty * TS + i] * Bs[i * TS + tx];
    __syncthreads();
  }
  both[tx * TS + ty] = sum;
  __syncthreads();
  const int r = blockIdx.x * TS + ty, c = blockIdx.y * TS + tx;
  if (r < n && c < n)
    C[blockIdx.z * n * n + r * n + c] = both[ty * TS + tx];
}
void launch(const double *A, const double *B, double *C, int n, int batch) {
  batched_gemm<<<dim3((n + TS - 1) / TS, (n + TS - 1) / TS, batch), dim3(TS, TS), 2 * TS * TS * sizeof(double)>>>(A, B, C, n);
}
