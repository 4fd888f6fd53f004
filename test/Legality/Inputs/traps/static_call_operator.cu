// A static call operator is called with an object that has no parameter.
// options: --extra-arg=-std=c++23
struct Put {
  static __device__ void operator()(float *aside, float *to, float v) { *to = v + *aside; }
};
__global__ void k(float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float tile[64];
  const int tx = threadIdx.x;
  float sum = 0.f;
  Put put;
  y[tx] = 0.5f;
  for (int t = 0; t < tiles; ++t) {
    tile[tx] = x[t * 64 + tx];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[(tx + i) % 64];
    put(y + tx, x + (t + 1) * 64 + tx, sum);
    __syncthreads();
  }
  y[tx] = sum;
}
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 1
block: 64
arguments:
  - {name: x, buffer: float, count: 512, role: inout}
  - {name: y, buffer: float, count: 64, role: output}
  - {value: tiles}
*/
