// How long a row is stands in an alias; the declaration says how many there are.
// options: --layout=pad
__global__ void layout_typedef_row(const float *A, float *C, int n) {
  using Row = float[32];
  __shared__ Row T[32];
  float s = 0;
  int tx = threadIdx.x, ty = threadIdx.y;
  for (int t = 0; t < n; ++t) {
    T[ty][tx] = A[t * 1024 + ty * 32 + tx];
    __syncthreads();
    for (int k = 0; k < 32; ++k) s += T[tx][k];
    if (A[0] > 1e30f) s += (&T[0][0])[ty * 32 + 3];
    __syncthreads();
  }
  C[threadIdx.y * blockDim.x + threadIdx.x] = s;
}
void launch(const float *A, float *C, int n) { layout_typedef_row<<<1, dim3(32, 32)>>>(A, C, n); }
/* launch
kernel: layout_typedef_row
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 5}]
grid: 1
block: [32, 32]
arguments:
  - {name: A, buffer: float, count: 70000, role: input, fill: uniform(2e30, 3e30)}
  - {name: C, buffer: float, count: 8192, role: inout}
  - {name: n, scalar: int, value: n}
*/
