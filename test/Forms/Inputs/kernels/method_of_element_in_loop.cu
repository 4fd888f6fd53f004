struct Point {
  float x, y;
};
struct Body {
  float x, y;
  __device__ void set(const Point &p) {
    x = p.x;
    this->y = p.y;
  }
};
extern "C" __global__ void __launch_bounds__(64)
k(const Point *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ Body t[128];
  float s = 0.0f;
  for (int k = 0; k < n; ++k) {
    for (int i = threadIdx.x; i < 128; i += 64)
      t[i].set(in[(k * gridDim.x + blockIdx.x) * 128 + i]);
    __syncthreads();
    for (int j = 0; j < 128; ++j)
      s = s * 1.25f + t[j].x * t[j].y;
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = s;
}
