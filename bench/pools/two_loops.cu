// D = (A * B) * (row sums of E): two loops over one array, by the same pointers.
#define TS 32
__global__ void two_loops(const float *__restrict__ A, const float *__restrict__ B, const float *__restrict__ E, float *__restrict__ D, int n) {
  extern __shared__ float pool[];
  float *X = pool, *Y = pool + TS * TS;
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * TS + ty, col = blockIdx.x * TS + tx;
  float product = 0.f, sum = 0.f;
  for (int k = 0; k < n; k += TS) {
    X[ty * TS + tx] = A[row * n + k + tx];
    Y[ty * TS + tx] = B[(k + ty) * n + col];
    __syncthreads();
    for (int i = 0; i < TS; ++i)
      product += X[ty * TS + i] * Y[i * TS + tx];
    __syncthreads();
  }
  for (int k = 0; k < n; k += TS) {
    X[ty * TS + tx] = E[row * n + k + tx];
    __syncthreads();
    for (int i = 0; i < TS; ++i)
      sum += X[ty * TS + i];
    __syncthreads();
  }
  D[row * n + col] = product * sum;
}
void launch(const float *A, const float *B, const float *E, float *D, int n) {
  two_loops<<<dim3(n / TS, n / TS), dim3(TS, TS), 2 * TS * TS * sizeof(float)>>>(A, B, E, D, n);
}
