// Behind the last row the image keeps what was there, and is multiplied by filter rows of zeros. What was there is the
// image's row before, and zero times that is zero; in a second buffer that nobody has filled it may be anything, also no number.
// RUN: split-file %s %t
// RUN: %python %S/../Inputs/legality.py %t --refused=ldg,cp-async:2,cp-async:3 --legal=ldg-single --wrong=ldg,cp-async:3 "--options=--block-size=128 --assume=block-size" -- %cpr
//--- bad.cu
__global__ void __launch_bounds__(128) filterActs(const float *__restrict__ images, const float *__restrict__ filters, float *__restrict__ targets, int pixels) {
  __shared__ float image[4][32];
  __shared__ float filter[4][32];
  const int col = threadIdx.x % 32, row = threadIdx.x / 32;
  float product = 0.0f;
  for (int p = 0; p < pixels; p += 4) {
    filter[row][col] = p + row < pixels ? filters[(p + row) * 32 + col] : 0.0f;
    if (p + row < pixels) // refused: stale-tile
      // says: 'image'
      image[row][col] = images[(p + row) * 32 + col];
    __syncthreads();
    for (int i = 0; i < 4; ++i)
      product += image[i][col] * filter[i][31 - col];
    __syncthreads();
  }
  targets[threadIdx.x] = product;
}
//--- good.cu
__global__ void __launch_bounds__(128) filterActs(const float *__restrict__ images, const float *__restrict__ filters, float *__restrict__ targets, int pixels) {
  __shared__ float image[4][32];
  __shared__ float filter[4][32];
  const int col = threadIdx.x % 32, row = threadIdx.x / 32;
  float product = 0.0f;
  for (int p = 0; p < pixels; p += 4) {
    filter[row][col] = p + row < pixels ? filters[(p + row) * 32 + col] : 0.0f;
    if (p + row < pixels)
      image[row][col] = images[(p + row) * 32 + col];
    __syncthreads();
    for (int i = 0; i < min(4, pixels - p); ++i)
      product += image[i][col] * filter[i][31 - col];
    __syncthreads();
  }
  targets[threadIdx.x] = product;
}
//--- launch.yaml
kernel: filterActs
cases: [{pixels: 0}, {pixels: 4}, {pixels: 6}, {pixels: 8}, {pixels: 9}, {pixels: 23}]
grid: 1
block: 128
arguments:
  - {name: images, buffer: float, count: pixels * 32, role: input}
  - {name: filters, buffer: float, count: pixels * 32, role: input}
  - {name: targets, buffer: float, count: 128, role: output}
  - {value: pixels}
