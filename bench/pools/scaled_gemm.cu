// C = (A * scale) * B, the scale of each row in a part of the array that the tiles are in: A is multiplied on its way, B is not.
#define TS 32
__global__ void scaled_gemm(const float *__restrict__ A, const float *__restrict__ B, const float *__restrict__ scale, float *__restrict__ C, int n) {
  extern __shared__ float pool[];
  float *factor = pool;
  float *As = factor + TS;
  float *Bs = As + TS * TS;
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * TS + ty, col = blockIdx.x * TS + tx;
  if (ty == 0)
    factor[tx] = scale[blockIdx.y * TS + tx];
  __syncthreads();
  float sum = 0.f;
  for (int k = 0; k < n; k += TS) {
    As[ty * TS + tx] = A[row * n + k + tx] * factor[ty];
    Bs[ty * TS + tx] = B[(k + ty) * n + col];
    __syncthreads();
    for (int i = 0; i < TS; ++i)
      sum += As[ty * TS + i] * Bs[i * TS + tx];
    __syncthreads();
  }
  C[row * n + col] = sum;
}
void launch(const float *A, const float *B, const float *scale, float *C, int n) {
  scaled_gemm<<<dim3(n / TS, n / TS), dim3(TS, TS), (TS + 2 * TS * TS) * sizeof(float)>>>(A, B, scale, C, n);
}
