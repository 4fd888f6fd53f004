// Rule 4: the bound of the copy loop changes in a lambda that is called through a function pointer.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg-single -- %cpr
//--- bad.cu
template <typename F> __device__ void call(F &f) { f(); }
__global__ void k(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128], last[32];
  float sum = 0.0f;
  int n = 64;
  auto grow = [&n]() mutable { n += 64; };
  void (*run)(decltype(grow) &) = call<decltype(grow)>;
  run(grow);
  for (int t = 0; t < tiles; ++t) {
    int at = t * 128 + threadIdx.x;
    for (int i = threadIdx.x; i < n; i += 32) { // refused: block-size-needed
      if (i < 128)
        part[i] = x[at];
      at += 32;
    }
    last[threadIdx.x] = x[at - 32];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += i < n ? part[i] * (i + 1) + last[i % 32] : 0;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- good.cu
template <typename F> __device__ void call(F &f) { f(); }
__global__ void k(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128], last[32];
  float sum = 0.0f;
  int n = 64;
  auto grow = [n]() mutable { n += 64; };
  void (*run)(decltype(grow) &) = call<decltype(grow)>;
  run(grow);
  for (int t = 0; t < tiles; ++t) {
    int at = t * 128 + threadIdx.x;
    for (int i = threadIdx.x; i < n; i += 32) {
      if (i < 128)
        part[i] = x[at];
      at += 32;
    }
    last[threadIdx.x] = x[at - 32];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += i < n ? part[i] * (i + 1) + last[i % 32] : 0;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- launch.yaml
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 1
block: 32
arguments:
  - {name: x, buffer: float, count: tiles * 128, role: input}
  - {name: y, buffer: float, count: 2048, role: output}
  - {value: tiles}
