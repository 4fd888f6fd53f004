// Each thread reads what it has stored itself, in front of the barrier.
__global__ void k(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ out, int n) {
  __shared__ float first[64], second[64];
  const int i = threadIdx.x;
  float sum = 0.f;
  for (int t = 0; t < n; ++t) {
    first[i] = A[t * 64 + i];
    second[i] = B[t * 64 + i];
    sum += first[i] * second[i];
    __syncthreads();
    for (int j = 0; j < 64; ++j) sum += first[j ^ i] - second[j];
    __syncthreads();
  }
  out[blockIdx.x * 64 + i] = sum;
}
