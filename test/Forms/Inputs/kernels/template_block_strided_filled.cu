// A template that is dispatched for two types copies in steps of the block, and fills up what is left.
template <typename T> __global__ void k(const T *__restrict__ in, T *__restrict__ out, int n) {
  __shared__ T tile[256];
  const int tx = threadIdx.x;
  T sum = 0;
  for (int t = 0; t < n; t += 256) {
    for (int l = tx; l < 256; l += blockDim.x)
      tile[l] = t + l < n ? in[t + l] : T(0);
    __syncthreads();
    for (int i = 0; i < 256; ++i)
      sum = sum * T(0.5) + tile[(i + tx) & 255];
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + tx] = sum;
}
void run(const void *in, void *out, int n, bool wide) {
  const int threads = 64;
  if (wide)
    k<double><<<2, threads>>>((const double *)in, (double *)out, n);
  else
    k<float><<<2, threads>>>((const float *)in, (float *)out, n);
}

/* launch
kernel: k<float>
cases: [{n: 0}, {n: 1}, {n: 256}, {n: 257}, {n: 1000}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: n + 64, role: input}
  - {name: out, buffer: float, count: 2 * 64, role: output}
  - {value: n}
*/
