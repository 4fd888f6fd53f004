// The break asks for numbers that are declared in front of it.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int n, int last) {
  __shared__ float s[64];
  float acc = 0;
  for (int b = 0; b < last; ++b) {
    const int start = b * 64;
    const auto left = n - start;
    if (left <= 0 || start > 300)
      break;
    s[threadIdx.x] = b * 64 + (int)threadIdx.x < n ? in[b * 64 + threadIdx.x] : 0.5f;
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      acc = acc * 0.5f + s[i] * left;
    __syncthreads();
  }
  out[threadIdx.x] = acc;
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 64}, {n: 65}, {n: 128}, {n: 500}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: n + 64, role: input}
  - {name: out, buffer: float, count: 64, role: output}
  - {name: n, scalar: int, value: n}
  - {name: last, scalar: int, value: 6}
*/
