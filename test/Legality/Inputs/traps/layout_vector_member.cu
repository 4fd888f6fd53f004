// One member of a vector: the whole vector is aligned.
// options: --layout=pad
__global__ void layout_vector_member(const float *A, float *C, int n) {
  __shared__ float T[32][32];
  float s = 0;
  int tx = threadIdx.x, ty = threadIdx.y;
  for (int t = 0; t < n; ++t) {
    T[ty][tx] = A[t * 1024 + ty * 32 + tx];
    __syncthreads();
    for (int k = 0; k < 30; k += 3) s += T[tx][k];
    if (A[0] > 1e30f) s = reinterpret_cast<const float4 *>(&T[tx][0])[1].x;
    __syncthreads();
  }
  C[threadIdx.y * blockDim.x + threadIdx.x] = s;
}
void launch(const float *A, float *C, int n) { layout_vector_member<<<1, dim3(32, 32)>>>(A, C, n); }
/* launch
kernel: layout_vector_member
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 5}]
grid: 1
block: [32, 32]
arguments:
  - {name: A, buffer: float, count: 70000, role: input, fill: uniform(2e30, 3e30)}
  - {name: C, buffer: float, count: 8192, role: inout}
  - {name: n, scalar: int, value: n}
*/
