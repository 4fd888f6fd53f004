// The whole loop with its barriers stands inside of `if (i < n)`, and the others wait behind it.
// RUN: split-file %s %t
// RUN: %python %S/../Inputs/legality.py %t -- %cpr
//--- bad.cu
__global__ void forces(const float4 *__restrict__ body, float *__restrict__ out, int n) {
  __shared__ float4 near[128];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float f = 0.0f;
  if (i < n) { // refused: divergent-loop
    for (int t = 0; t < n; t += 128) {
      near[threadIdx.x] = body[t + threadIdx.x];
      __syncthreads();
      for (int j = 0; j < 128; j += 9)
        f += near[j].w - near[j].x * i;
      __syncthreads();
    }
    out[i] = f;
  }
  __syncthreads();
}
//--- good.cu
__global__ void forces(const float4 *__restrict__ body, float *__restrict__ out, int n) {
  __shared__ float4 near[128];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float f = 0.0f;
  if (blockIdx.x < n) {
    for (int t = 0; t < n; t += 128) {
      near[threadIdx.x] = body[t + threadIdx.x];
      __syncthreads();
      for (int j = 0; j < 128; j += 9)
        f += near[j].w - near[j].x * i;
      __syncthreads();
    }
    out[i] = f;
  }
  __syncthreads();
}
//--- launch.yaml
kernel: forces
cases: [{n: 0}, {n: 128}, {n: 256}, {n: 640}]
grid: 1
block: 128
arguments:
  - {name: body, buffer: float4, count: n, role: input}
  - {name: out, buffer: float, count: 128, role: inout}
  - {value: n}
