/* launch
kernel: relax
cases: [{passes: 1, n: 64}, {passes: 3, n: 192}, {passes: 4, n: 128}]
grid: [1]
block: [64]
arguments:
  - {name: in, buffer: float, count: 256, role: input}
  - {name: out, buffer: float, count: 512, role: inout}
  - {name: last, same_as: out}
  - {name: n, value: n}
  - {name: passes, value: passes}
*/
// As in gathered_behind_stores.cu, but a barrier stands between the stores and the next pass: the load of 'former' may move in front of the
// barrier of the loop.
__global__ void relax(const float *__restrict__ in, float *out, const float *last, int n, int passes) {
  __shared__ float tile[64], former[64];
  const int tid = threadIdx.x;
  for (int pass = 0; pass < passes; ++pass) {
    float sum = 0;
    for (int t = 0; t < n; t += 64) {
      tile[tid] = in[t + tid];
      __syncthreads();
      for (int k = 0; k < 64; ++k)
        sum += tile[k] * 0.25f;
      __syncthreads();
      former[tid] = last[t + 63 - tid];
      __syncthreads();
      sum += former[tid];
      __syncthreads();
    }
    out[pass * 64 + tid] = sum;
    __syncthreads();
  }
}
