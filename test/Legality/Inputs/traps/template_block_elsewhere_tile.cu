// Another instantiation has a larger tile, of which each thread copies more.
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
void run(const float *in, float *out, int n) { k<256><<<2, 64>>>(in, out, n); }

/* elsewhere
template __global__ void k<512>(const float *, float *, int);
*/
/* launch
kernel: k<512>
cases: [{n: 0}, {n: 1}, {n: 256}, {n: 257}, {n: 1000}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: n + 64, role: input}
  - {name: out, buffer: float, count: 2 * 64, role: output}
  - {value: n}
*/
