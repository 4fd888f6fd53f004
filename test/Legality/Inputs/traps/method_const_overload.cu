struct Point {
  float x, y;
};
__device__ float pick(const float *) { return 1.0f; }
__device__ float pick(float *) { return 2.0f; }
struct Body {
  float x, y;
  mutable float z;
  __device__ void set(const Point &p) const { z = p.x * pick(&x); }
};
extern "C" __global__ void __launch_bounds__(64)
k(const Point *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ Body t[64];
  float s = 0.0f;
  for (int k = 0; k < n; ++k) {
    t[threadIdx.x].y = in[(k * gridDim.x + blockIdx.x) * 64 + threadIdx.x].y;
    t[threadIdx.x].x = 0.0f;
    t[threadIdx.x].set(in[(k * gridDim.x + blockIdx.x) * 64 + threadIdx.x]);
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      s = s * 1.25f + t[j].z * t[j].y;
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = s;
}
