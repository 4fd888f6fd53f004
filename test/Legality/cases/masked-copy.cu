// A copy under a mask is no full overwrite: the lanes that are left out keep what was there, and the compute phase
// reads them.
// RUN: split-file %s %t
// RUN: %python %S/../Inputs/legality.py %t --refused=ldg,cp-async --legal=ldg-single -- %cpr
//--- bad.cu
__global__ void blur(const float *__restrict__ image, float *__restrict__ out, int width, int strips) {
  __shared__ float rows[4][32];
  const int x = threadIdx.x % 32, y = threadIdx.x / 32;
  float sum = 0.0f;
  for (int s = 0; s < strips; ++s) {
    if (s * 32 + x < width)
      rows[y][x] = image[y * width + s * 32 + x]; // refused in line 6: stale-tile
    __syncthreads();
    for (int i = 0; i < 32; ++i)
      if (s * 32 < width)
        sum = sum * 0.5f + (s * 32 + i < width ? 1.0f : 0.0f) * (s == 0 && i + 32 > width ? 0.0f : rows[3 - y][i]);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
//--- good.cu
__global__ void blur(const float *__restrict__ image, float *__restrict__ out, int width, int strips) {
  __shared__ float rows[4][32];
  const int x = threadIdx.x % 32, y = threadIdx.x / 32;
  float sum = 0.0f;
  for (int s = 0; s < strips; ++s) {
    if (x < width)
      rows[y][x] = image[y * width + s * 32 + x];
    __syncthreads();
    for (int i = 0; i < 32; ++i)
      if (s * 32 < width)
        sum = sum * 0.5f + (s * 32 + i < width ? 1.0f : 0.0f) * (s == 0 && i + 32 > width ? 0.0f : rows[3 - y][i]);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
//--- launch.yaml
kernel: blur
cases: [{width: 40, strips: 0}, {width: 40, strips: 1}, {width: 40, strips: 2}, {width: 100, strips: 3}]
grid: 1
block: 128
arguments:
  - {name: image, buffer: float, count: 4 * 128, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {value: width}
  - {value: strips}
