struct S { float a, b; __device__ float nb() const { return (this + 1)->a + 1.f; } __device__ float own() const { return a + b; } __device__ const S &self() const { return *this; } __device__ const float *pa() const { return &a; } __device__ S operator-() const { return this[1]; } __device__ operator float() const { return this[1].b + 1.f; } __device__ float viaown() const { return own() + 1.f; } __device__ float arr(int i) const { return (&a)[i] + 1.f; } __device__ S next() const { return *(this + 1); } };
__device__ float nbf(const S &s) { return (&s + 1)->b + 1.f; }
__device__ float nbv(S s) { return s.a + s.b; }
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles, const int *__restrict__ idx) {
  __shared__ float tile[64];
  const int tx = threadIdx.x;
  float sum = 0.f;
  for (int t = 0; t < tiles; ++t) {
    const S *ii = (const S *)in; tile[tx] = (&ii[idx[t] * 32 + tx / 2])->nb();
    __syncthreads();
    for (int i = 0; i < 64; ++i) sum = sum * 0.5f + tile[(tx + i) % 64];
    __syncthreads();
  }
  out[tx] = sum;
}
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: 520, role: input}
  - {name: out, buffer: float, count: 64, role: output}
  - {value: tiles}
  - {name: idx, buffer: int, count: 8, role: input, fill: "uniform(0, 7)"}
*/
