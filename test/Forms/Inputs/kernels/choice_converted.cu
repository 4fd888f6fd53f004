// A choice between two ints, of one of which a load is a part, stored as an unsigned; and one of doubles as a float.
__global__ void __launch_bounds__(64) choice_converted(const int *__restrict__ in, const float *__restrict__ scale, float *__restrict__ out, int n) {
  __shared__ unsigned tile[64];
  __shared__ float factor[64];
  float sum = 0;
  for (int k = 0; k < n; k += 64) {
    const int at = k + threadIdx.x;
    tile[threadIdx.x] = at < n ? (in[at] + 15) & ~15 : -7;
    factor[threadIdx.x] = at < n ? scale[at] * 0.3 : 1.7;
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[i] % 1024u * factor[i ^ 3] * (i ^ threadIdx.x);
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
/* launch
kernel: choice_converted
cases: [{n: 0}, {n: 1}, {n: 64}, {n: 65}, {n: 130}, {n: 320}, {n: 450}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: int, count: 512, role: input}
  - {name: scale, buffer: float, count: 512, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: n, scalar: int, value: n}
*/
