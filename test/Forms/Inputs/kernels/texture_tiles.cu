// Tiles of a texture, of a vector type, at fractions of texels, with an edge; what is stored is not restricted.
__global__ __launch_bounds__(64) void k(float *out, cudaTextureObject_t image, float scale, int n) {
  __shared__ float4 tile[64];
  __shared__ short ids[64];
  const int tx = threadIdx.x;
  float4 sum = make_float4(0.f, 0.f, 0.f, 0.f);
  for (int t = 0; t < n; t += 64) {
    const float u = (t + tx) * scale;
    tile[tx] = t + tx < n ? tex2D<float4>(image, u, blockIdx.x) : make_float4(0.f, 0.f, 0.f, 0.f);
    ids[tx] = tex1Dfetch<short>(image, t + tx);
    __syncthreads();
    for (int i = 0; i < 64; ++i) {
      sum.x = sum.x * 0.75f + tile[(i + tx) % 64].x;
      sum.w += tile[(ids[i] + tx) & 63].w;
    }
    out[blockIdx.x * 64 + tx] = sum.x;
    __syncthreads();
  }
  out[blockIdx.x * 64 + tx] = sum.x + sum.w;
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 64}, {n: 65}, {n: 300}]
grid: 2
block: 64
arguments:
  - {name: out, buffer: float, count: 128, role: output}
  - {value: 78}
  - {value: 0.4}
  - {value: n}
*/
