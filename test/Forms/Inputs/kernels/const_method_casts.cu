struct V { int n, m; const float *p; __device__ float at(int i) const { return p[i]; } __device__ void set(const float *q) const { const_cast<V *>(this)->p = q; } };
__global__ void k(V v, const float *__restrict__ in, float *out, int *cnt, int tiles) {
  __shared__ float tile[64];
  float sum = 0.f;
  const int tx = threadIdx.x;

  __shared__ float sc[64]; sc[tx] = tx; __syncthreads();
  v.set(sc);
  for (int t = 0; t < tiles; ++t) {
    tile[tx] = v.p[tx];
    __syncthreads();
    for (int i = 0; i < 64; ++i) sum = sum * 0.98f + tile[(i + tx) & 63];
    sc[tx] += 1.f;
    __syncthreads();
  }
  out[blockIdx.x * 64 + tx] = sum;
}
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 3}, {tiles: 7}]
grid: 1
block: 64
arguments:
  - name: v
    fields: [{scalar: int, value: tiles}, {scalar: int, value: 0}, {scalar: unsigned long long, value: 0}]
  - {name: in, buffer: float, count: tiles * 64 + 64, role: input}
  - {name: out, buffer: float, count: 128, role: inout, fill: 0}
  - {name: cnt, buffer: int, count: 4, fill: value(3), role: inout}
  - {name: tiles, scalar: int, value: tiles}
*/
