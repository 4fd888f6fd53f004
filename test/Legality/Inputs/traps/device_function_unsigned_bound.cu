// -1 < 8u does not hold: no turn, and no barrier, but for the blocks that begin at 0.
template <int From> __device__ void body(const float *in, float *out) {
  __shared__ float tile[64];
  const int tx = threadIdx.x;
  float sum = 0.f;
  for (int t = From; t < 8u; ++t) {
    tile[tx] = in[t * 64 + tx];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[(tx + i) % 64];
    __syncthreads();
  }
  out[tx] += sum;
}
__global__ void k(const float *in, float *out, int n) {
  if (threadIdx.x < 32)
    body<-1>(in, out);
  body<0>(in, out);
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: 512, role: input}
  - {name: out, buffer: float, count: 64, role: inout}
  - {name: n, scalar: int, value: n}
*/
