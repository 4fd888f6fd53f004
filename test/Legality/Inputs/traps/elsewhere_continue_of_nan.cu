// Of numbers that may be no number, the opposite of a comparison is another one.
template <class T> __global__ void k(const T *__restrict__ src, T *__restrict__ out, int tiles, T most) {
  __shared__ T S[64];
  const int tx = threadIdx.x;
  T acc = src[tx];
  for (int t = 0; t < tiles; ++t) {
    __syncthreads();
    S[tx] = src[t * 64 + tx];
    __syncthreads();
    const T last = S[63 - tx] / most * most;
    if (last >= most) continue;
    acc = acc * 3 + last + 1;
  }
  out[tx] = acc;
}
template __global__ void k<int>(const int *, int *, int, int);

/* elsewhere
template __global__ void k<float>(const float *, float *, int, float);
*/
/* launch
kernel: k<float>
cases: [{tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 1
block: 64
arguments:
  - {buffer: float, count: 64 * tiles + 64, role: input}
  - {buffer: float, count: 64, role: output}
  - {value: tiles}
  - {value: 0}
*/
