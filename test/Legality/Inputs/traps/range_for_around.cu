struct Rounds {
  int n;
  struct It {
    int i;
    __device__ bool operator!=(It o) const { return i != o.i; }
    __device__ int operator*() const { return i; }
    __device__ void operator++() { ++i; }
  };
  __device__ It begin() const { return {0}; }
  __device__ It end() const { return {n}; }
};
__global__ void k(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int r : Rounds{threadIdx.x < 64 ? 3 : 2})
    for (int t = 0; t < tiles; ++t) {
      part[threadIdx.x] = x[t * 128 + r + threadIdx.x];
      __syncthreads();
      for (int i = 0; i < 128; ++i)
        sum += part[i] * (i + 1);
      __syncthreads();
    }
  y[threadIdx.x] = sum;
}
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 1
block: 128
arguments:
  - {name: x, buffer: float, count: 16384, role: input}
  - {name: y, buffer: float, count: 2048, role: output}
  - {value: tiles}
*/
