// Two instantiations have another number of elements for each thread, in blocks of one size.
template <int WIDE> __global__ void registers_of_instances(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[8 * WIDE];
  float sum = 0;
  for (int t = 0; t < tiles; ++t) {
    for (int i = threadIdx.x; i < 8 * WIDE; i += blockDim.x)
      tile[i] = in[t * 8 * WIDE + i];
    __syncthreads();
    for (int k = 0; k < 8 * WIDE; ++k)
      sum = sum * 0.5f + tile[k] * (k + threadIdx.x);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
template <int WIDE> void run(const float *in, float *out, int tiles) { registers_of_instances<WIDE><<<1, 64>>>(in, out, tiles); }
template void run<16>(const float *, float *, int);
template void run<36>(const float *, float *, int);
/* launch
kernel: registers_of_instances<36>
cases: [{tiles: 0, threads: 64}, {tiles: 1, threads: 64}, {tiles: 2, threads: 64}, {tiles: 5, threads: 64}, {tiles: 5, threads: 32}]
grid: 1
block: threads
arguments:
  - {name: in, buffer: float, count: tiles * 8 * 36, role: input}
  - {name: out, buffer: float, count: threads, role: output}
  - {name: tiles, scalar: int, value: tiles}
*/
