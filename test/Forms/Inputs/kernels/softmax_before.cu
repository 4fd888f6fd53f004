// What the state was before this tile: copied in front of the barrier, used behind it. And a fill that is a double.
__global__ void __launch_bounds__(64) k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  const int tx = threadIdx.x;
  float most = -1e30f, sum = 0.f;
  for (int t = 0; t < n; t += 64) {
    float before = most;
    tile[tx] = t + tx < n ? in[t + tx] : 0.0;
    float scale = sum;
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      most = fmaxf(most, tile[i] * (1 + tx));
    sum = sum * expf(before - most) + scale * 0.125f;
    for (int i = 0; i < 64; ++i)
      sum += expf(tile[i] - most);
    __syncthreads();
  }
  out[blockIdx.x * 64 + tx] = sum + most;
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 64}, {n: 100}, {n: 129}, {n: 300}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: n, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: n, scalar: int, value: n}
*/

// LDG: fetch_tile = [&](int t) {
// LDG-NOT: float before
// LDG: float before = most;
