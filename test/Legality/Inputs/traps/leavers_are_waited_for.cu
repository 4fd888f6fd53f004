__global__ void k(float *__restrict__ f, const float4 *__restrict__ p, int n) {
  __shared__ float4 t[64];
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    float4 me = p[i];
    float a = 0;
    for (int j = 0; j < n; j += blockDim.x) {
      t[threadIdx.x] = p[j + threadIdx.x];
      __syncthreads();
      for (int k = 0; k < 64; k++) a += t[k].w * (t[k].x - me.x) * (k + 1);
      __syncthreads();
    }
    f[i] = a;
  }
  __syncthreads();
  f[threadIdx.x] += t[threadIdx.x ^ 1].x;
}
/* launch
kernel: k
cases: [{n: 0}, {n: 64}, {n: 200}, {n: 300}, {n: 400}]
grid: 2
block: 64
arguments:
  - {name: f, buffer: float, count: 512, role: inout}
  - {name: p, buffer: float4, count: 512, role: input}
  - {name: n, value: n}
*/
