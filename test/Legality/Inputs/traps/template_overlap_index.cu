// Indices are computed in a type that may be narrow.
template <typename T, typename I> __global__ void k(const T *__restrict__ in, T *__restrict__ out, int tiles) {
  __shared__ T s[512];
  const int tx = threadIdx.x;
  T acc = T(0);
  for (int t = 0; t < tiles; ++t) {
    for (int j = 0; j < 2; ++j)
      s[I(tx + j * 256)] = in[t * 64 + tx + j * 64];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      acc = acc * T(3) + s[i];
    __syncthreads();
  }
  out[blockIdx.x * 64 + tx] = acc;
}
template __global__ void k<float, int>(const float *, float *, int);

/* elsewhere
template __global__ void k<float, unsigned char>(const float *, float *, int);
*/
/* launch
kernel: k<float, unsigned char>
cases: [{tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 2
block: 64
arguments:
  - {buffer: float, count: 64 * tiles + 320, role: input}
  - {buffer: float, count: 128, role: output}
  - {value: tiles}
*/
