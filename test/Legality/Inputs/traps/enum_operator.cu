enum Slot { First, Second };
__device__ Slot &operator++(Slot &s) {
  if (s == Second) {
    s = First;
    return s;
  }
  s = Second;
  return s;
}
static __global__ void k(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[2][128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    Slot s = t & 1 ? Second : First;
    ++s;
    part[s][threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[Second][i] * (i + 1);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run(const float *x, float *y, int tiles) { k<<<1, 128>>>(x, y, tiles); }
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
