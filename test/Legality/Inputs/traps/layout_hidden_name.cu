// The name of how long a row is means something else where the tile is filled.
// options: --layout=pad
constexpr int BM = 32, BK = 32;
__global__ void layout_hidden_name(const float *A, float *C, int n) {
  __shared__ float T[BM * BK];
  float s = 0;
  int tx = threadIdx.x, ty = threadIdx.y;
  for (int t = 0; t < n; ++t) {
    int i = ty * 32 + tx; { const int BK = 16; T[i] = A[t * 1024 + i + BK]; }
    __syncthreads();
    for (int k = 0; k < 32; ++k) s += T[tx * 32 + k];
    __syncthreads();
  }
  C[threadIdx.y * blockDim.x + threadIdx.x] = s;
}
void launch(const float *A, float *C, int n) { layout_hidden_name<<<1, dim3(32, 32)>>>(A, C, n); }
/* launch
kernel: layout_hidden_name
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 5}]
grid: 1
block: [32, 32]
arguments:
  - {name: A, buffer: float, count: 70000, role: input}
  - {name: C, buffer: float, count: 8192, role: inout}
  - {name: n, scalar: int, value: n}
*/
