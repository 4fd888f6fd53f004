// The functions that fill the tile have branches of the preprocessor: the text of this build takes the place of the call, and
// the loop stands under what has been asked in them.
__device__ void put(float *to, const float *from) {
#if defined(HALF) && !defined(TWICE)
  *to = *from * 0.5f;
#elif defined(TWICE)
  *to = *from + *from;
#else
  *to = *from;
#endif
}
__device__ void load(float *s, const float *__restrict__ g, int t, int n) {
  const int i = t + threadIdx.x;
#ifndef UNCHECKED
  if (i >= n) {
#ifdef ONES
    s[threadIdx.x] = 1;
#else
    s[threadIdx.x] = 0;
#endif
    return;
  }
#endif
  put(s + threadIdx.x, g + i);
}
__global__ void __launch_bounds__(64) called_directives(const float *__restrict__ a, float *__restrict__ out, int n) {
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
kernel: called_directives
cases: [{n: 0}, {n: 1}, {n: 64}, {n: 65}, {n: 129}, {n: 448}]
grid: 2
block: 64
arguments:
  - {buffer: float, count: n + 512, role: input}
  - {buffer: float, count: 128, role: output}
  - {value: n}
*/
