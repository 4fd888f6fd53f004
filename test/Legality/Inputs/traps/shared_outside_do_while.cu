/* launch
kernel: k
cases: [{T: 0}, {T: 1}, {T: 2}, {T: 3}, {T: 6}]
grid: [2]
block: [32]
arguments:
  - {name: in, buffer: float, count: 64 * (T + 2), role: input}
  - {name: out, buffer: float, count: 256, role: output}
  - {name: tiles, value: T}
*/
// Declared in a branch, named by a macro, and the condition is tested last.
#define AT(i) tile[i]
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  const int tx = threadIdx.x;
  float sum = 0;
  if (tiles > 0) {
    __shared__ float tile[33]; // lives in here
    if (tx == 0)
      AT(32) = 1;
    int t = 0;
    do {
      AT(tx) = in[t * 32 + tx];
      __syncthreads();
      for (int j = 0; j < 33; ++j)
        sum = sum * 0.5f + AT((j + tx) % 33);
      __syncthreads();
      ++t;
    } while (t < tiles);
    __syncthreads();
    sum += AT(31 - tx);
  }
  out[blockIdx.x * 32 + tx] = sum;
}
