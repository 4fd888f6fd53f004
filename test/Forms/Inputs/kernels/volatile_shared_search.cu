// A search in a volatile tile that ends when it has found something: nobody is waited for.
__global__ void __launch_bounds__(64) k(const int *__restrict__ in, const int *__restrict__ ids, int *__restrict__ out, int n) {
  __shared__ volatile int tile[64];
  const int tx = threadIdx.x, id = ids[blockIdx.x * 64 + tx];
  int found = -1;
  for (int t = 0; t < n; t += 64) {
    tile[tx] = t + tx < n ? in[t + tx] : -5;
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      if ((tile[j] & 15) == (id & 15)) {
        found = t + j;
        break;
      }
    __syncthreads();
  }
  out[blockIdx.x * 64 + tx] = found;
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 63}, {n: 64}, {n: 65}, {n: 300}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: int, count: n + 64, role: input}
  - {name: ids, buffer: int, count: 128, role: input}
  - {name: out, buffer: int, count: 128, role: output}
  - {value: n}
*/
