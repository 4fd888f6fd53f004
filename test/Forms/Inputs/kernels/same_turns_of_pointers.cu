// Each thread has its own way through B, of one length.
template <class T, class N>
__global__ void gemm(const T *__restrict__ A, const T *__restrict__ B, T *__restrict__ C, N n,
                     N k) {
  __shared__ T sB[16][17];
  const int tx = threadIdx.x, ty = threadIdx.y;
  B += tx + (blockIdx.y * 16 + ty) * k;
  const T *const Bend = B + k;
  A += blockIdx.x * 64 + tx + ty * 16;
  T c[16] = {};
  while (B < Bend) {
    sB[tx][ty] = B[0];
    __syncthreads();
#pragma unroll
    for (int l = 0; l < 16; ++l) {
      const T a = A[l * n];
#pragma unroll
      for (int j = 0; j < 16; ++j)
        c[j] += a * sB[l][j];
    }
    A += 16 * n;
    B += 16;
    __syncthreads();
  }
  C += blockIdx.x * 64 + tx + ty * 16 + blockIdx.y * 16 * n;
  for (int j = 0; j < 16; ++j, C += n)
    *C = c[j];
}
template __global__ void gemm(const float *, const float *, float *, int, int);
