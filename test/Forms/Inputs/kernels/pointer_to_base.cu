// The cast goes to a base class that lies behind another one: it changes the address.
struct First { int a; };
struct Second { float b; };
struct Both : First, Second {};
__global__ void k(const Both *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ Second s[64];
  float sum = 0.f;
  for (int t = 0; t < tiles; ++t) {
    s[threadIdx.x] = static_cast<const Second *>(&in[t * 64 + threadIdx.x])[0];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + s[(threadIdx.x + i) % 64].b;
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
// ASYNC: static_cast<const Second *>(&in[t
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: 1024, role: input}
  - {name: out, buffer: float, count: 64, role: output}
  - {value: tiles}
*/
