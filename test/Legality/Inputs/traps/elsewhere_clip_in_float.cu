// Elsewhere the end is a float: what is not clipped would come by way of a float as well.
template <class T> __global__ void k(const float *__restrict__ src, float *__restrict__ out, int tiles, T n) {
  __shared__ float S[64];
  const int tx = threadIdx.x;
  float acc = src[tx];
  int step = 16777217;
  for (int t = 0; t < tiles; ++t) {
    if (t * 64 + 64 > n)
      step = n - t * 64;
    S[tx] = tx < step ? src[t * 64 + tx] : 0.f;
    __syncthreads();
    for (int i = 0; i < 64; ++i) acc = acc * 0.5f + S[(i + tx) & 63];
    acc += step & 1;
    __syncthreads();
  }
  out[tx] = acc;
}
template __global__ void k<int>(const float *, float *, int, int);

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
  - {value: 64 * tiles - 7}
*/
