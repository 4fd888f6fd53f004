__global__ void k(float *a, int n) {
  __shared__ float s[128];
  for (int k0 = 0; k0 < n; k0 += blockDim.x) {
    const int i = k0 + threadIdx.x;
    s[threadIdx.x] = i < n ? a[i] : 0.f;
    __syncthreads();
    float v = 0;
    for (int j = 0; j <= threadIdx.x; ++j)
      v += s[j];
    if (i < n)
      a[i] = v;
    __syncthreads();
  }
}
/* launch
kernel: k
cases: [{n: 0}, {n: 95}, {n: 96}, {n: 200}, {n: 600}]
grid: 1
block: 96
arguments:
  - {name: a, buffer: float, count: n + 1, role: inout}
  - {name: n, scalar: int, value: n}
*/
