// A factor that is larger than any array.
// options: --layout=pad
__global__ void layout_huge_factor(const float *A, float *C, int n) {
  __shared__ float T[32 * 32];
  float s = 0;
  int tx = threadIdx.x, ty = threadIdx.y;
  for (int t = 0; t < n; ++t) {
    for (int i = ty * blockDim.x + tx; i < 1024; i += blockDim.x * blockDim.y) T[i] = A[t * 1024 + i];
    __syncthreads();
    for (int k = 0; k < 32; ++k) s += T[(tx % 32) * 32 + k + (tx * 4611686018427387904LL) * 0];
    __syncthreads();
  }
  C[threadIdx.y * blockDim.x + threadIdx.x] = s;
}
void launch(const float *A, float *C, int n) { layout_huge_factor<<<1, dim3(32, 32)>>>(A, C, n); }
/* launch
kernel: layout_huge_factor
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 5}]
grid: 1
block: [32, 32]
arguments:
  - {name: A, buffer: float, count: 70000, role: input}
  - {name: C, buffer: float, count: 8192, role: inout}
  - {name: n, scalar: int, value: n}
*/
