// The directives stand in the middle of statements, and the return does.
__device__ void load(float *s, const float *__restrict__ g, int t, int n) {
  s[threadIdx.x] = 3;
  if (t + (int)threadIdx.x >= n
#ifdef LESS
      - 5
#endif
  )
#ifndef LESS
    return;
#else
    s[threadIdx.x] = 0;
#endif
  s[threadIdx.x] = g[t + threadIdx.x]
#ifdef LESS
                   + 1
#endif
      ;
}
__global__ void __launch_bounds__(64) called_directive_in_statement(const float *__restrict__ a, float *__restrict__ out, int n) {
  __shared__ float s[64];
  float sum = 0;
  for (int t = 0; t < n; t += 64) {
    load(s, a, t, n);
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + s[i] * (i ^ threadIdx.x);
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
/* launch
kernel: called_directive_in_statement
cases: [{n: 0}, {n: 1}, {n: 64}, {n: 65}, {n: 129}, {n: 448}]
grid: 2
block: 64
arguments:
  - {buffer: float, count: n + 512, role: input}
  - {buffer: float, count: 128, role: output}
  - {value: n}
*/
