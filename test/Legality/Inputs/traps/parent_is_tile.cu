// The compute phase reads the tile by a reference in an object.
struct TileView { float (&t)[64]; __device__ TileView(float (&u)[64]) : t(u) {} __device__ float at(int i) const { return t[i & 63]; } };

__global__ void k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  const int tx = threadIdx.x;
  float sum = 0.f;
  TileView v(tile);
  for (int t = 0; t < n; t += 64) {
    tile[tx] = in[blockIdx.x * 512 + t + tx];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + v.at(i + tx);
    __syncthreads();
  }
  out[blockIdx.x * 64 + tx] = sum;
}
void run(const float *in, float *out, int n) { k<<<2, 64>>>(in, out, n); }
/* launch
kernel: k
cases: [{n: 0}, {n: 64}, {n: 128}, {n: 192}, {n: 448}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: 2048, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: n, scalar: int, value: n}
*/
