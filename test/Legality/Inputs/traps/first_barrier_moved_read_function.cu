__device__ float buf[256]; 
__device__ float run(int a) {
  __shared__ float s[64]; int tx = threadIdx.x; float acc = 0;
  for (int t = 0; t < 4; ++t) {
    __syncthreads();
    float c = buf[64 * 3 + (tx ^ 63)];
    s[tx] = buf[(t & 1) * 64 + tx];
    __syncthreads();
    acc += s[63 - tx] * c * a;
  }
  return acc;
}
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int n) {
  float a = run(1);
  buf[64 * 3 + threadIdx.x] = a;
  out[blockIdx.x * 64 + threadIdx.x] = a;
}
/* launch
kernel: k
cases: [{n: 1}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: "n*128", role: input}
  - {name: out, buffer: float, count: 128, role: inout}
  - {name: n, value: n}
globals:
  - {name: buf, type: float, fill: random}
*/
