// Small functions make the copies: their text takes the place of the calls.
__device__ void put(float *to, float value) { *to = value; }
__device__ __forceinline__ void row(float *tile, const float *from, int i) {
  // one element each
  tile[i] = from[i];
}
__global__ void k(const float *__restrict__ A, const float *__restrict__ B, float *C, int n) {
  __shared__ float a[64], b[64];
  float sum = 0.f;
  for (int t = 0; t < n; ++t) {
    put(&a[threadIdx.x], A[t * 64 + threadIdx.x]);
    if (threadIdx.x < 64)
      row(b, B + t * 64, threadIdx.x);
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + a[i] * b[63 - i];
    __syncthreads();
  }
  C[threadIdx.x] = sum;
}
// LDG: auto fetch_tile = [&](int t) {
// LDG: { // put
// LDG: { // row
// LDG-NEXT: const float *from = B + t * 64;
// LDG-NEXT: int i = threadIdx.x;
// LDG-NEXT: // one element each
// LDG-NEXT: b_reg = from[i];
// LDG: auto store_tile = [&](int stage) {
// LDG: { // row
// LDG-NEXT: float *tile = b;
// LDG-NEXT: int i = threadIdx.x;
// LDG-NEXT: tile[i] = b_reg;
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 5}]
grid: 1
block: 64
arguments:
  - {buffer: float, count: 64 * n + 1, role: input}
  - {buffer: float, count: 64 * n + 1, role: input}
  - {buffer: float, count: 64, role: output}
  - {value: n}
*/
