// The last tile is not full, and its guard has no else. Reading all of it takes what an older tile left behind; reading
// as far as it was filled is harmless.
// RUN: split-file %s %t
// RUN: %python %S/../Inputs/legality.py %t --refused=ldg,cp-async --legal=ldg-single "--options=--block-size=64 --assume=block-size" -- %cpr
//--- bad.cu
__global__ void __launch_bounds__(64) distances(const float2 *__restrict__ point, float *__restrict__ out, int n) {
  __shared__ float2 near[64];
  float sum = 0.0f;
  for (int t = 0; t < n; t += 64) {
    if (t + threadIdx.x < n)
      near[threadIdx.x] = point[t + threadIdx.x];
    __syncthreads();
    int count = min(64, n);
    for (int j = 0; j < count; ++j)
      sum += near[j].x * near[j].y + threadIdx.x; // refused in line 5: stale-tile
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
//--- good.cu
__global__ void __launch_bounds__(64) distances(const float2 *__restrict__ point, float *__restrict__ out, int n) {
  __shared__ float2 near[64];
  float sum = 0.0f;
  for (int t = 0; t < n; t += 64) {
    if (t + threadIdx.x < n)
      near[threadIdx.x] = point[t + threadIdx.x];
    __syncthreads();
    int count = min(64, n - t);
    for (int j = 0; j < count; ++j)
      sum += near[j].x * near[j].y + threadIdx.x;
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
//--- launch.yaml
kernel: distances
cases: [{n: 0}, {n: 1}, {n: 64}, {n: 65}, {n: 200}]
grid: 1
block: 64
arguments:
  - {name: point, buffer: float2, count: n, role: input}
  - {name: out, buffer: float, count: 64, role: output}
  - {value: n}
