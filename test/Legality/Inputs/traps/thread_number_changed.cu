// The function changes the number.
/* launch
kernel: sum
cases: [{N: 0}, {N: 5}, {N: 64}, {N: 164}, {N: 333}]
grid: 3
block: [16, 4]
arguments:
  - {name: A, buffer: float, count: 3 * N, role: input}
  - {name: C, buffer: float, count: 192, role: output}
  - {name: n, value: N}
*/
template <int T> __device__ float all(const float *p, int n, int tid, int half) {
  __shared__ float s[T]; tid = tid ^ 1;
  float acc = 0;
  for (int t = 0; t < n; t += T) {
    for (int i = tid; i < T; i += 64)
      s[i] = t + i < n ? p[t + i] : 0.f;
    __syncthreads();
    for (int k = 0; k < T; ++k)
      acc += s[k] * (k + tid + half);
    __syncthreads();
  }
  return acc;
}
template <int T> __device__ __forceinline__ float outer(const float *p, int n, int tid) {
  return all<T>(p, n, tid, tid >> 1);
}
__global__ void sum(const float *__restrict__ A, float *__restrict__ C, int n) {
  int tid = threadIdx.x;
  tid += threadIdx.y * blockDim.x;
  const int t2 = threadIdx.y * 16 + threadIdx.x;
  C[blockIdx.x * 64 + tid] = outer<64>(A + blockIdx.x * n, n, t2) + outer<128>(A + blockIdx.x * n, n, t2);
}
