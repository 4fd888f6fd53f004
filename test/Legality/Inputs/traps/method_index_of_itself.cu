struct Point {
  float x, y;
};
struct Body {
  int x, y;
  __device__ void set(const Point &p) {
    x = int(p.x);
    y = int(p.y);
  }
};
extern "C" __global__ void __launch_bounds__(64)
k(const Point *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ Body t[64];
  float s = 0.0f;
  for (int k = 0; k < n; ++k) {
    t[threadIdx.x].x = threadIdx.x;
    t[t[threadIdx.x].x].set(in[(k * gridDim.x + blockIdx.x) * 64 + threadIdx.x]);
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      s = s * 1.25f + t[j].x * t[j].y;
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = s;
}
