__global__ void k(float *__restrict__ a, int n) {
  __shared__ float4 s[32];
  for (int t = n - 1; t >= 0; --t) {
    float4 *v = reinterpret_cast<float4 *>(a + t * 128);
    s[threadIdx.x] = v[threadIdx.x];
    __syncthreads();
    const float4 w = s[31 - threadIdx.x];
    v[threadIdx.x] = make_float4(w.w, w.z * 0.5f, w.y, w.x);
    __syncthreads();
  }
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 6}]
grid: 1
block: 32
arguments:
  - {name: a, buffer: float, count: n * 128 + 4, role: inout}
  - {name: n, scalar: int, value: n}
*/
