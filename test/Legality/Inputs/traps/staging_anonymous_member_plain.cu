// The same without a fill.
struct P { union { struct { float a, b; }; float c[2]; }; };
__global__ void k(const P *__restrict__ A, float *__restrict__ out, int tiles, int n) {
  __shared__ P S[64];
  const int tx = threadIdx.x;
  float acc = 0.f;
  for (int t = 0; t < tiles; ++t) {
    P v = A[t * 64 + tx]; S[tx].a = v.b; S[tx].b = v.a;
    __syncthreads();
    for (int i = 0; i < 64; ++i) acc = acc * 0.98f + S[(i + tx) & 63].a - 2*S[(i + tx) & 63].b;
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
  - {name: A, buffer: float, count: tiles * 128 + 128, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: tiles, value: tiles}
  - {name: n, value: "tiles * 64 - 17"}
*/
