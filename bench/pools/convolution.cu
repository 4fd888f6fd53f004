// 3 x 3 convolution, channel by channel: image with its border and weights in one array, which the results go through at last.
#define TILE 16
#define WIDE (TILE + 2)
#define OUT 4
__global__ void convolution(const float *__restrict__ in, const float *__restrict__ w, float *__restrict__ out, int channels, int height, int width) {
  extern __shared__ float pool[];
  float *image = pool, *weights = pool + WIDE * WIDE;
  const int tx = threadIdx.x, ty = threadIdx.y, tid = ty * TILE + tx;
  const int x0 = blockIdx.x * TILE, y0 = blockIdx.y * TILE, o0 = blockIdx.z * OUT;
  float sum[OUT] = {};
  for (int c = 0; c < channels; ++c) {
    for (int i = tid; i < WIDE * WIDE; i += TILE * TILE) {
      const int y = y0 + i / WIDE - 1, x = x0 + i % WIDE - 1;
      image[i] = y >= 0 && y < height && x >= 0 && x < width ? in[(c * height + y) * width + x] : 0.f;
    }
    if (tid < OUT * 9)
      weights[tid] = w[((o0 + tid / 9) * channels + c) * 9 + tid % 9];
    __syncthreads();
    for (int o = 0; o < OUT; ++o)
      for (int dy = 0; dy < 3; ++dy)
        for (int dx = 0; dx < 3; ++dx)
          sum[o] += image[(ty + dy) * WIDE + tx + dx] * weights[o * 9 + dy * 3 + dx];
    __syncthreads();
  }
  for (int o = 0; o < OUT; ++o)
    pool[o * TILE * TILE + tid] = sum[o];
  __syncthreads();
  for (int i = tid; i < OUT * TILE * TILE; i += TILE * TILE) {
    const int o = i / (TILE * TILE), p = i % (TILE * TILE);
    const int y = y0 + p / TILE, x = x0 + p % TILE;
    if (y < height && x < width)
      out[((o0 + o) * height + y) * width + x] = pool[i];
  }
}
void launch(const float *in, const float *w, float *out, int channels, int height, int width, int maps) {
  convolution<<<dim3((width + TILE - 1) / TILE, (height + TILE - 1) / TILE, maps / OUT), dim3(TILE, TILE), OUT * TILE * TILE * sizeof(float)>>>(in, w, out, channels, height, width);
}
