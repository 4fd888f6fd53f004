template <typename F> __device__ void call(F &f) { f(); }
__global__ void k(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  int n = 64;
  auto grow = [&] { n += 64; };
  void (*run)(decltype(grow) &) = call<decltype(grow)>;
  run(grow);
  for (int t = 0; t < tiles; ++t) {
    for (int i = threadIdx.x; i < n; i += 32)
      part[i] = x[t * 128 + i];
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
block: 32
arguments:
  - {name: x, buffer: float, count: 16384, role: input}
  - {name: y, buffer: float, count: 2048, role: output}
  - {value: tiles}
*/
