// A name of the language.
#define T 64
__global__ void forces(const float4 *__restrict__ pos, float4 *__restrict__ out, int n) {
  __shared__ float4 tile[T];
  const int i = blockIdx.x * T + threadIdx.x;
  float4 p = pos[i];
  float ax = 0, ay = 0;
  for (int t = 0; t < n; t += T) {
    tile[threadIdx.x] = pos[t + threadIdx.x];
    __syncthreads();
#define threadIdx blockIdx
    for (int k = 0; k < T; ++k) {
      float dx = tile[k].x - p.x, dy = tile[k].y - p.y;
      ax += dx * rsqrtf(dx * dx + dy * dy + 1.0f);
      ay += dy;
    }
    __syncthreads();
  }
  out[i] = make_float4(ax, ay, 0, 0);
}
/* launch
kernel: forces
cases: [{n: 0}, {n: 64}, {n: 128}, {n: 192}, {n: 448}]
grid: 1
block: 64
arguments:
  - {name: pos, buffer: float4, count: n + 128, role: input}
  - {name: out, buffer: float4, count: 64, role: output}
  - {name: n, scalar: int, value: n}
*/
