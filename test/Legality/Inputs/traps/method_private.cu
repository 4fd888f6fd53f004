struct Point {
  float x, y;
};
class Body {
  float x;

public:
  float y;
  __device__ void set(const Point &p) {
    x = p.x;
    y = p.y;
  }
  __device__ float get() const { return x; }
};
extern "C" __global__ void __launch_bounds__(64)
k(const Point *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ Body t[64];
  float s = 0.0f;
  for (int k = 0; k < n; ++k) {
    t[threadIdx.x].set(in[(k * gridDim.x + blockIdx.x) * 64 + threadIdx.x]);
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      s = s * 1.25f + t[j].get() * t[j].y;
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = s;
}
