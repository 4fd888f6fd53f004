// A function that calls itself with the arguments swapped.
__device__ int pick(int a, int b, int depth) { return depth > 0 ? pick(b, a, depth - 1) : b * 1; }
__global__ __launch_bounds__(64) void k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  const int tx = threadIdx.x;
  const int end = pick(n, 64, 3);
  float sum = 0.f;
  for (int j = threadIdx.x; j < end; j += 64) {
    tile[tx] = in[j];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.98f + tile[(i + tx) % 64];
    __syncthreads();
  }
  __syncthreads();
  for (int i = 0; i < n - end; ++i)
    sum += in[end + i];
  out[blockIdx.x * 64 + tx] = sum;
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 63}, {n: 64}, {n: 65}, {n: 300}, {n: 384}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: n + 1024, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {value: n}
*/
