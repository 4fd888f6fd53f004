// what the block needs to know of a list comes into shared memory, and the inner loop, which works in place, stays as it is
struct List {
  int length, first;
};
__global__ void sums(const List *__restrict__ lists, float *__restrict__ work, float *__restrict__ out, int n) {
  __shared__ int pool[80];
  int *about = pool; float *tile = reinterpret_cast<float *>(pool + 2);
  const int x = threadIdx.x;
  float sum = 0.f;
  for (int l = 0; l < n; ++l) {
    if (x == 0)
      about[0] = lists[l].length & 127;
    else if (x == 1)
      about[1] = lists[l].first & 255;
    __syncthreads();
    for (int i = 0; i < about[0]; i += 64) {
      tile[x] = work[about[1] + i + blockIdx.x * 512 + x];
      __syncthreads();
      for (int j = 0; j < 64; ++j)
        sum = sum * 0.5f + tile[(x + j) & 63];
      work[about[1] + i + blockIdx.x * 512 + (x ^ 1)] = sum;
      __syncthreads();
    }
    __syncthreads();
  }
  out[blockIdx.x * 64 + x] = sum;
}
/* launch
kernel: sums
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 6}]
grid: 2
block: 64
arguments:
  - {name: lists, buffer: int, count: n * 2 + 2, role: input, fill: "uniform(0, 1000)"}
  - {name: work, buffer: float, count: 1024, role: inout}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: n, value: n}
*/
