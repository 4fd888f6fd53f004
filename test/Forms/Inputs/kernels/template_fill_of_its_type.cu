// Each type has a register of its own, and one name for it.
template <typename T> __global__ void k(const T *__restrict__ in, T *__restrict__ out, int tiles) {
  __shared__ T tile[64];
  T acc = T(0);
  const int n = tiles * 64 - 5;
  for (int t = 0; t < tiles; ++t) {
    const int at = t * 64 + threadIdx.x;
    tile[threadIdx.x] = at < n ? in[at] : T(0);
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      acc = acc * T(0.5) + tile[i];
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = acc;
}
template __global__ void k<float>(const float *, float *, int);
template __global__ void k<double>(const double *, double *, int);
// LDG: T tile_reg;
/* launch
kernel: k<double>
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 3}, {tiles: 4}, {tiles: 7}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: double, count: (tiles * 64 + 64) * 1, role: input}
  - {name: out, buffer: double, count: 128, role: output}
  - {name: tiles, scalar: int, value: tiles}
*/
