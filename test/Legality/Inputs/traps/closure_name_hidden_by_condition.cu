// The closure names the W in front of the loop; where it is called another one hides that: of a condition.
struct Two { unsigned first, second; };
__global__ void __launch_bounds__(64) closure_name_hidden_by_condition(const float *__restrict__ a, float *__restrict__ out, unsigned n) {
  unsigned W = 2;
  __shared__ float s[64];
  float sum = 0;
  auto load = [&](float *to, unsigned t) { to[threadIdx.x] = a[t + threadIdx.x * W]; };
  for (unsigned t = 0; t < n; t += 128) {
    if (unsigned W = 1)
      load(s, t);
    __syncthreads();
    for (unsigned j = 0; j < 64; ++j)
      sum = sum * 0.5f + s[j] * (j ^ threadIdx.x);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
/* launch
kernel: closure_name_hidden_by_condition
cases: [{n: 0}, {n: 128}, {n: 256}, {n: 384}, {n: 896}]
grid: 1
block: 64
arguments:
  - {buffer: float, count: n + 256, role: input}
  - {buffer: float, count: 64, role: output}
  - {value: n}
*/
