// A dynamic array of bytes, declared at namespace scope, which casts cut into tiles of different types.
extern __shared__ __align__(16) char memory[];
__global__ void k(const float4 *__restrict__ A, const int *__restrict__ B, float *C, int n) {
  float4 *a = reinterpret_cast<float4 *>(memory);
  int *b = (int *)(memory + 64 * sizeof(float4));
  float sum = 0.f;
  for (int t = 0; t < n; ++t) {
    if (threadIdx.x < 64) {
      a[threadIdx.x] = A[t * 64 + threadIdx.x];
      b[threadIdx.x] = B[t * 64 + threadIdx.x];
    }
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + a[i].x * b[i] - a[63 - i].w;
    __syncthreads();
  }
  C[threadIdx.x] = sum;
}
// LDG: const unsigned memory_bytes = 1280;
// ASYNC: const unsigned memory_bytes = 1280;
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 5}]
grid: 1
block: 96
shared: 1280
arguments:
  - {buffer: float4, count: 64 * n + 1, role: input}
  - {buffer: int, count: 64 * n + 1, role: input, fill: "uniform(-9, 9)"}
  - {buffer: float, count: 96, role: output}
  - {value: n}
*/
