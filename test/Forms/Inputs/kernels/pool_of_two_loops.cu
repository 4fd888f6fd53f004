// Two loops whose tiles lie over each other, each with pointers of its own.
#define TS 16
__global__ void two(const float *__restrict__ A, const float *__restrict__ B, const float *__restrict__ D, float *__restrict__ C, int n) {
  extern __shared__ float pool[];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * TS + ty, col = blockIdx.x * TS + tx;
  float s = 0.f;
  for (int k = 0; k < n; k += TS) {
    pool[ty * TS + tx] = A[row * n + k + tx];
    pool[TS * TS + ty * TS + tx] = B[(k + ty) * n + col];
    __syncthreads();
    for (int i = 0; i < TS; ++i) s += pool[ty * TS + i] * pool[TS * TS + i * TS + tx];
    __syncthreads();
  }
  float u = 0.f;
  for (int k = 0; k < n; k += TS) {
    pool[ty * TS + tx] = D[row * n + k + tx];
    __syncthreads();
    for (int i = 0; i < TS; ++i) u += pool[ty * TS + i] * s;
    __syncthreads();
  }
  C[row * n + col] = s + u;
}
void launch(const float *A, const float *B, const float *D, float *C, int n) {
  two<<<dim3(n / TS, n / TS), dim3(TS, TS), 2 * TS * TS * sizeof(float)>>>(A, B, D, C, n);
}
/* launch
kernel: two
cases: [{n: 16}, {n: 32}, {n: 48}, {n: 80}]
grid: [1, 1]
block: [16, 16]
shared: 2048
arguments:
  - {name: A, buffer: float, count: n * n, role: input}
  - {name: B, buffer: float, count: n * n, role: input}
  - {name: D, buffer: float, count: n * n, role: input}
  - {name: C, buffer: float, count: n * n, role: output}
  - {value: n}
*/
