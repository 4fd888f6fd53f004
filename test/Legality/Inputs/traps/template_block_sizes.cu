// Each instantiation is launched in blocks of its own size.
template <int N> __global__ void k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[N];
  const int tx = threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; t += N) {
    const int left = min(n - t, N);
    for (int l = tx; l < left; l += blockDim.x)
      tile[l] = in[t + l];
    __syncthreads();
    for (int i = 0; i < left; ++i)
      sum = sum * float(0.5) + tile[(i + tx) % left];
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + tx] = sum;
}
void run(const float *in, float *out, int n) {
  k<64><<<2, 64>>>(in, out, n);
  k<256><<<2, 128>>>(in, out, n);
}

/* launch
kernel: k<256>
cases: [{n: 0}, {n: 1}, {n: 256}, {n: 257}, {n: 1000}]
grid: 2
block: 128
arguments:
  - {name: in, buffer: float, count: n + 64, role: input}
  - {name: out, buffer: float, count: 2 * 128, role: output}
  - {value: n}
*/
