// Another argument's counter is no number any more from the second turn on, and nothing ends the loop.
template <class T> __global__ void k(const float *__restrict__ src, float *__restrict__ out, int tiles, T most, T by) {
  __shared__ float S[64];
  const int tx = threadIdx.x;
  float acc = src[tx];
  T at = by - by;
  for (int t = 0; t < tiles; ++t) {
    if (at >= most)
      break;
    S[tx] = src[t * 64 + tx];
    __syncthreads();
    for (int i = 0; i < 64; ++i) acc = acc * 0.5f + S[(i + tx) & 63];
    at += by / most - by / most;
    __syncthreads();
  }
  out[tx] = acc;
}
template __global__ void k<int>(const float *, float *, int, int, int);

/* elsewhere
template __global__ void k<float>(const float *, float *, int, float, float);
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
  - {value: 1}
*/
