// A list that a macro says has no class in front of it that it could be given.
__device__ inline float4 mk() { return make_float4(1,2,3,4); }
#define F4 {1,2,3,4}
__global__ void k(const float4 *__restrict__ A, float *__restrict__ out, int tiles, int n) {
  __shared__ float Q[64*5];
  const int tx = threadIdx.x;
  float acc = 0.f;
  for (int t = 0; t < tiles; ++t) {
    float4 v = F4; if (t * 64 + tx < n) v = A[t * 64 + tx]; Q[tx*5] = v.x; Q[tx*5+1] = v.y; Q[tx*5+2] = v.z; Q[tx*5+3] = v.w;
    __syncthreads();
    for (int i = 0; i < 64; ++i) for (int c = 0; c < 4; ++c) acc = acc * 0.98f + Q[((i + tx) & 63)*5+c];
    __syncthreads();
  }
  out[blockIdx.x * 64 + tx] = acc;
}
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 3}, {tiles: 4}, {tiles: 7}]
grid: 2
block: 64
arguments:
  - {name: A, buffer: float4, count: tiles * 64 + 64, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: tiles, value: tiles}
  - {name: n, value: "tiles * 64 - 17"}
*/
