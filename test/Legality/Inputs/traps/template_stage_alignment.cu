// The array is aligned by its declaration; how long it is depends on the argument, and what stands behind it is a stage.
template <int N> __global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ alignas(16) float s[N];
  const int tx = threadIdx.x;
  float acc = 0.f;
  for (int t = 0; t < tiles; ++t) {
    if (tx < 16)
      *(float4 *)&s[tx * 4] = *(const float4 *)&in[t * 64 + tx * 4];
    if (tx < N - 64)
      s[64 + tx] = in[t + tx];
    __syncthreads();
    for (int i = 0; i < N; ++i)
      acc = acc * 0.5f + s[i];
    __syncthreads();
  }
  out[blockIdx.x * 64 + tx] = acc;
}
template __global__ void k<64>(const float *, float *, int);
template __global__ void k<68>(const float *, float *, int);

/* elsewhere
template __global__ void k<66>(const float *, float *, int);
*/
/* launch
kernel: k<66>
cases: [{tiles: 1}, {tiles: 2}, {tiles: 3}]
grid: 2
block: 64
arguments:
  - {buffer: float, count: 64 * tiles + 8, role: input}
  - {buffer: float, count: 128, role: output}
  - {value: tiles}
*/
