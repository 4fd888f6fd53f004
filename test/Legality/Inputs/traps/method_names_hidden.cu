struct Point {
  float x, y;
};
struct Body {
  float x, y;
  __device__ void set(float x, const Point &k) {
    float p = x, threads = k.y;
    this->x = p;
    y = threads;
  }
};
extern "C" __global__ void __launch_bounds__(64)
k(const Point *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ Body t[64];
  float s = 0.0f;
  for (int k = 0; k < n; ++k) {
    const int p = threadIdx.x, x = 1, y = 2;
    t[p].set(in[(k * gridDim.x + blockIdx.x) * 64 + threadIdx.x].x, in[(k * gridDim.x + blockIdx.x) * 64 + p + x - y + 1]);
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      s = s * 1.25f + t[j].x * t[j].y;
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = s;
}
