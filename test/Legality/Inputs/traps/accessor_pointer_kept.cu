// the index keeps an address in the object
struct Row {
  __device__ float &operator[](int i) const { return data[i * strides[0]]; }
  float *data;
  int *strides;
};
struct Array {
  __device__ Row operator[](int i) {
    int *at = strides + 1;
    kept = at;
    return Row{data + i * strides[0], at};
  }
  float *data;
  int offset[2], strides[2];
  int *kept;
};
__global__ void sums(float *__restrict__ from, float *__restrict__ factors, float *__restrict__ to, int tiles) {
  __shared__ float s[64];
  Array in{from, {0, 0}, {64, 1}, nullptr};
  const int x = threadIdx.x;
  float sum = 0.f;
  for (int t = 0; t < tiles; ++t) {
    s[x] = in[t][x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + s[(i + x) & 63];
    __syncthreads();
  }
  to[blockIdx.x * 64 + x] = sum;
}
/* launch
kernel: sums
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 3}, {tiles: 6}]
grid: 2
block: 64
arguments:
  - {name: from, buffer: float, count: tiles * 64 + 1, role: input}
  - {name: factors, buffer: float, count: tiles * 64 + 1, role: input}
  - {name: to, buffer: float, count: 128, role: output}
  - {name: tiles, value: tiles}
*/
