// The range of the copy loop has a variable that is no constant expression.
template <typename T> __global__ void k(const T *__restrict__ in, T *__restrict__ out, int n) {
  __shared__ T tile[256];
  const int tx = threadIdx.x;
  T sum = 0;
  for (int t = 0; t < n; t += 256) {
    const int left = min(n - t, 256);
    for (int l = tx; l < left; l += 64)
      tile[l] = in[t + l];
    __syncthreads();
    for (int i = 0; i < left; ++i)
      sum = sum * T(0.5) + tile[(i + tx) % left];
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + tx] = sum;
}
void run(const float *in, float *out, int n) { k<float><<<2, 64>>>(in, out, n); }

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
