__device__ void load(float &v, const float *from, int &count) {
  v = *from;
  ++count;
}
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float s[64], u[64];
  const int x = threadIdx.x;
  float sum = 0;
  int count = 0;
  for (int t = 0; t < n; ++t) {
    float v = 0;
    load(v, &in[t * 128 + x], count);
    s[x] = v;
    u[x] = count;
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      sum = sum * 0.75f + s[j] - u[(j * x) & 63];
    __syncthreads();
  }
  out[blockIdx.x * 64 + x] = sum + count;
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 5}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: n * 128 + 64, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {value: n}
*/
