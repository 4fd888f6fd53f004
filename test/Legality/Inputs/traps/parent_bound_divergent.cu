// The number of turns is asked by a reference, and differs from thread to thread.
struct Counter { int &n; };

__global__ void k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  const int tx = threadIdx.x;
  float sum = 0.f;
  int turns = n;
  Counter c{turns};
  turns += tx & 32 ? 64 : 0;
  for (int t = 0; t < c.n; t += 64) {
    tile[tx] = in[t + tx];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[(i + tx) & 63];
    __syncthreads();
  }
  __syncthreads();
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
