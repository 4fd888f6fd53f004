// The least distance from any point of the block to any other: found over the block behind the loop, in the same memory.
#define NT 128
__global__ void reduction(const float2 *__restrict__ points, const float2 *__restrict__ others, float *__restrict__ least, int m) {
  extern __shared__ float2 near[];
  float *of = (float *)near;
  const int tid = threadIdx.x;
  const float2 p = points[blockIdx.x * NT + tid];
  float best = 1e30f;
  for (int t = 0; t < m; t += NT) {
    near[tid] = others[t + tid];
    __syncthreads();
#pragma unroll 8
    for (int k = 0; k < NT; ++k) {
      const float dx = p.x - near[k].x, dy = p.y - near[k].y;
      best = fminf(best, dx * dx + dy * dy);
    }
    __syncthreads();
  }
  of[tid] = best;
  __syncthreads();
  for (int d = NT / 2; d > 0; d /= 2) {
    if (tid < d)
      of[tid] = fminf(of[tid], of[tid + d]);
    __syncthreads();
  }
  if (tid == 0)
    least[blockIdx.x] = of[0];
}
void launch(const float2 *points, const float2 *others, float *least, int n, int m) {
  reduction<<<n / NT, NT, NT * sizeof(float2)>>>(points, others, least, m);
}
