// The number of an element, as the distance of its place from the first one.
// options: --layout=pad
__global__ void layout_element_number(const float *A, float *C, int n) {
  __shared__ float T[32][32];
  float s = 0;
  int tx = threadIdx.x, ty = threadIdx.y;
  const int mine = &T[ty][tx] - &T[0][0];
  for (int t = 0; t < n; ++t) {
    T[ty][tx] = A[t * 1024 + ty * 32 + tx];
    __syncthreads();
    for (int k = 0; k < 32; ++k) s += T[tx][k];
    __syncthreads();
  }
  C[mine] = s;
}
void launch(const float *A, float *C, int n) { layout_element_number<<<1, dim3(32, 32)>>>(A, C, n); }
/* launch
kernel: layout_element_number
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 5}]
grid: 1
block: [32, 32]
arguments:
  - {name: A, buffer: float, count: 70000, role: input}
  - {name: C, buffer: float, count: 8192, role: inout}
  - {name: n, scalar: int, value: n}
*/
