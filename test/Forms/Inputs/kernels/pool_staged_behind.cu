// Convolution: channel by channel, image with halo and weights in one pool.
#define T 16
#define R 1
#define W (T + 2 * R)
#define OC 4
__global__ void conv(const float *__restrict__ in, const float *__restrict__ w, float *__restrict__ out, int C, int H, int Wd) {
  extern __shared__ float pool[];
  float *img = pool;
  float *wt = pool + W * W;
  int tx = threadIdx.x, ty = threadIdx.y, tid = ty * T + tx;
  int x0 = blockIdx.x * T, y0 = blockIdx.y * T, o0 = blockIdx.z * OC;
  float acc[OC] = {};
  for (int c = 0; c < C; ++c) {
    for (int i = tid; i < W * W; i += T * T) {
      int y = y0 + i / W - R, x = x0 + i % W - R;
      img[i] = (y >= 0 && y < H && x >= 0 && x < Wd) ? in[(c * H + y) * Wd + x] : 0.f;
    }
    if (tid < OC * 9)
      wt[tid] = w[((o0 + tid / 9) * C + c) * 9 + tid % 9];
    __syncthreads();
    for (int o = 0; o < OC; ++o)
      for (int dy = 0; dy < 3; ++dy)
        for (int dx = 0; dx < 3; ++dx)
          acc[o] += img[(ty + dy) * W + tx + dx] * wt[o * 9 + dy * 3 + dx];
    __syncthreads();
  }
  // transposed through the pool
  for (int o = 0; o < OC; ++o) pool[o * T * T + tid] = acc[o];
  __syncthreads();
  for (int i = tid; i < OC * T * T; i += T * T) {
    int o = i / (T * T), p = i % (T * T);
    int y = y0 + p / T, x = x0 + p % T;
    if (y < H && x < Wd) out[((o0 + o) * H + y) * Wd + x] = pool[i];
  }
}
void launch(const float *in, const float *w, float *out, int C, int H, int Wd, int O) {
  conv<<<dim3((Wd + T - 1) / T, (H + T - 1) / T, O / OC), dim3(T, T), OC * T * T * sizeof(float)>>>(in, w, out, C, H, Wd);
}
/* launch
kernel: conv
cases: [{C: 0}, {C: 1}, {C: 2}, {C: 5}]
grid: [2, 3, 2]
block: [16, 16]
shared: 4096
arguments:
  - {name: in, buffer: float, count: (C + 1) * 41 * 23, role: input}
  - {name: w, buffer: float, count: 8 * (C + 1) * 9, role: input}
  - {name: out, buffer: float, count: 8 * 41 * 23, role: output}
  - {value: C}
  - {value: 41}
  - {value: 23}
*/
