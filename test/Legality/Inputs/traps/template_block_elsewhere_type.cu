// Another instantiation is launched in smaller blocks.
template <typename T> __global__ void k(const T *__restrict__ in, T *__restrict__ out, int n) {
  __shared__ T tile[256];
  const int tx = threadIdx.x;
  T sum = 0;
  for (int t = 0; t < n; t += 256) {
    const int left = min(n - t, 256);
    for (int l = tx; l < left; l += blockDim.x)
      tile[l] = in[t + l];
    __syncthreads();
    for (int i = 0; i < left; ++i)
      sum = sum * T(0.5) + tile[(i + tx) % left];
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + tx] = sum;
}
void run(const float *in, float *out, int n) { k<float><<<2, 64>>>(in, out, n); }

/* elsewhere
template __global__ void k<double>(const double *, double *, int);
*/
/* launch
kernel: k<double>
cases: [{n: 0}, {n: 1}, {n: 256}, {n: 257}, {n: 1000}]
grid: 2
block: 32
arguments:
  - {name: in, buffer: double, count: n + 64, role: input}
  - {name: out, buffer: double, count: 2 * 32, role: output}
  - {value: n}
*/
