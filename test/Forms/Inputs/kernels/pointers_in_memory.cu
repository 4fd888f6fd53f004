// A batch: the pointers come from arrays of them.
__global__ void k(const float *const *A, const float *const *B, float *const *C, int n) {
  __shared__ float As[8][9], Bs[8][9];
  const float *a = A[blockIdx.z];
  const float *b = B[blockIdx.z];
  float *c = C[blockIdx.z];
  const int x = threadIdx.x % 8, y = threadIdx.x / 8;
  float acc = 0.f;
  for (int t = 0; t < n; t += 8) {
    As[y][x] = a[y * n + t + x];
    Bs[y][x] = b[(t + y) * 8 + x];
    __syncthreads();
    for (int i = 0; i < 8; ++i)
      acc = acc * 0.75f + As[y][i] * Bs[i][x];
    __syncthreads();
  }
  c[y * 8 + x] = acc;
}
void run(const float *const *a, const float *const *b, float *const *c, int n) { k<<<dim3(1, 1, 2), 64>>>(a, b, c, n); }
