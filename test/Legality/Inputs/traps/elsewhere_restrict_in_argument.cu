// Another pointer is not __restrict__.
template <class W> __global__ void k(const float *src, W out, int tiles) {
  __shared__ float S[64]; const int tx = threadIdx.x; float acc = 0;
  for (int t = 0; t < tiles; ++t) {
    S[tx] = src[t * 64 + tx];
    __syncthreads();
    for (int i = 0; i < 64; ++i) acc = acc * 0.5f + S[(i + tx) & 63];
    out[t * 64 + tx] = acc;
    __syncthreads();
  }
}
template __global__ void k<float *__restrict__>(const float *, float *__restrict__, int);

/* elsewhere
template __global__ void k<float *>(const float *, float *, int);
*/
/* launch
kernel: k<float *>
cases: [{tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 1
block: 64
arguments:
  - {name: src, buffer: float, count: 64 * tiles + 640, role: inout}
  - {name: out, same_as: src, offset: 64}
  - {value: tiles}
*/
