// The second tile is loaded while the first is worked on, but the first is not ahead of anything.
__global__ void k(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ out, int n) {
  __shared__ float keys[64], values[64];
  const int i = threadIdx.x;
  float sum = 0.f;
  for (int t = 0; t < n; ++t) {
    keys[i] = A[t * 64 + i];
    __syncthreads();
    values[i] = B[t * 64 + i];
    float s = 0.f;
    for (int j = 0; j < 64; ++j) s += keys[j ^ i];
    __syncthreads();
    for (int j = 0; j < 64; ++j) sum += s * values[j];
    __syncthreads();
  }
  out[blockIdx.x * 64 + i] = sum;
}
