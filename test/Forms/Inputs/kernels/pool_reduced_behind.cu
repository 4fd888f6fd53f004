// Distances, minimum over the block behind the loop, in the same memory.
#define NT 128
__global__ void nearest(const float *__restrict__ P, const float *__restrict__ R, float *__restrict__ out, int n, int m) {
  extern __shared__ float buf[];
  int tid = threadIdx.x;
  int i = blockIdx.x * NT + tid;
  float x = P[2 * i], y = P[2 * i + 1];
  float best = 1e30f;
  float *sx = buf, *sy = buf + NT;
  for (int t = 0; t < m; t += NT) {
    sx[tid] = R[2 * (t + tid)];
    sy[tid] = R[2 * (t + tid) + 1];
    __syncthreads();
    for (int k = 0; k < NT; ++k) {
      float dx = x - sx[k], dy = y - sy[k];
      best = fminf(best, dx * dx + dy * dy);
    }
    __syncthreads();
  }
  buf[tid] = best;
  __syncthreads();
  for (int d = NT / 2; d > 0; d /= 2) {
    if (tid < d) buf[tid] = fminf(buf[tid], buf[tid + d]);
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = buf[0];
}
void launch(const float *P, const float *R, float *out, int n, int m) {
  nearest<<<n / NT, NT, 2 * NT * sizeof(float)>>>(P, R, out, n, m);
}
