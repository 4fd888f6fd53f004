// What says the pitch is what a macro is given, which says it twice.
// options: --layout=pad
#define DOT(i) (T[i] * W[2 * (i)])
__constant__ float W[2048];
__global__ void layout_macro_twice(const float *A, float *C, int n) {
  __shared__ float T[32 * 32];
  float s = 0;
  int tx = threadIdx.x, ty = threadIdx.y;
  for (int t = 0; t < n; ++t) {
    for (int i = ty * blockDim.x + tx; i < 1024; i += blockDim.x * blockDim.y) T[i] = A[t * 1024 + i];
    __syncthreads();
    for (int k = 0; k < 32; ++k) s += T[32 * (tx % 32) + k];
    if (A[0] > 1e30f) s = DOT(32 * (tx % 8) + 1);
    __syncthreads();
  }
  C[threadIdx.y * blockDim.x + threadIdx.x] = s;
}
void launch(const float *A, float *C, int n) { layout_macro_twice<<<1, dim3(32, 32)>>>(A, C, n); }
/* launch
kernel: layout_macro_twice
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 5}]
grid: 1
block: [32, 32]
arguments:
  - {name: A, buffer: float, count: 70000, role: input, fill: uniform(2e30, 3e30)}
  - {name: C, buffer: float, count: 8192, role: inout}
  - {name: n, scalar: int, value: n}
*/
