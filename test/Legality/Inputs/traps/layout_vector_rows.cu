// Rows of vectors by a cast.
// options: --layout=pad
__global__ void layout_vector_rows(const float *A, float *C, int n) {
  __shared__ float T[32][32];
  float s = 0;
  int tx = threadIdx.x, ty = threadIdx.y;
  for (int t = 0; t < n; ++t) {
    T[ty][tx] = A[t * 1024 + ty * 32 + tx];
    __syncthreads();
    const float4 (*P)[8] = (const float4 (*)[8])&T[0][0];
    for (int k = 0; k < 8; ++k) { float4 v = P[tx][k]; s += v.x + v.y * v.z + v.w; }
    __syncthreads();
  }
  C[threadIdx.y * blockDim.x + threadIdx.x] = s;
}
void launch(const float *A, float *C, int n) { layout_vector_rows<<<1, dim3(32, 32)>>>(A, C, n); }
/* launch
kernel: layout_vector_rows
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 5}]
grid: 1
block: [32, 32]
arguments:
  - {name: A, buffer: float, count: 70000, role: input}
  - {name: C, buffer: float, count: 8192, role: inout}
  - {name: n, scalar: int, value: n}
*/
