// An array in an aligned class: its elements are aligned together.
// options: --layout=pad
struct __align__(16) V { float v[4]; };
__global__ void layout_vector_array(const float *A, float *C, int n) {
  __shared__ float T[32][32];
  float s = 0;
  int tx = threadIdx.x, ty = threadIdx.y;
  for (int t = 0; t < n; ++t) {
    T[ty][tx] = A[t * 1024 + ty * 32 + tx];
    __syncthreads();
    const V *row = reinterpret_cast<const V *>(&T[tx][0]);
    s += row[ty & 7].v[2] + row[ty & 7].v[3];
    __syncthreads();
  }
  C[threadIdx.y * blockDim.x + threadIdx.x] = s;
}
void launch(const float *A, float *C, int n) { layout_vector_array<<<1, dim3(32, 32)>>>(A, C, n); }
/* launch
kernel: layout_vector_array
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 5}]
grid: 1
block: [32, 32]
arguments:
  - {name: A, buffer: float, count: 70000, role: input}
  - {name: C, buffer: float, count: 8192, role: inout}
  - {name: n, scalar: int, value: n}
*/
