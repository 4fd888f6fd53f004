/* launch
kernel: gemm
cases: [{T: 0}, {T: 1}, {T: 2}, {T: 3}, {T: 6}]
grid: [2]
block: [16, 16]
arguments:
  - {name: A, buffer: float, count: 2 * 16 * 16 * (T + 1), role: input}
  - {name: B, buffer: float, count: 16 * 16 * (T + 1), role: input}
  - {name: C, buffer: float, count: 512, role: output}
  - {name: tiles, value: T}
*/
// The tiles' memory is used again, to turn the result round before it is stored.
__global__ void gemm(const float *A, const float *B, float *C, int tiles) {
  __shared__ float As[16][16], Bs[16][16];
  const int tx = threadIdx.x, ty = threadIdx.y;
  float acc = 0;
  for (int t = 0; t < tiles; ++t) {
    As[ty][tx] = A[((blockIdx.x * tiles + t) * 16 + ty) * 16 + tx];
    Bs[ty][tx] = B[(t * 16 + ty) * 16 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  float *turned = &As[0][0];
  turned[tx * 16 + ty] = acc;
  __syncthreads();
  C[(blockIdx.x * 16 + ty) * 16 + tx] = turned[ty * 16 + tx];
}

// ASYNC-NOT: Every stage begins
// ASYNC: if (stage != 1)
// ASYNC-NEXT: for (unsigned element
// ASYNC-NEXT: element < sizeof(As_stages[0])
// ASYNC-NEXT: (&As_stages[0][0][0])[element] = (&As_stages[1][0][0])[element];
// ASYNC-NEXT: __syncthreads();
// LDG-NOT: element
