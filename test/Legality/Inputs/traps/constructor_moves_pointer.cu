// The constructor in the load phase moves the pointer that it is given by reference; a method of it takes the step.
struct Row {
  const float *from;
  __device__ Row(const float *&next, int n) { from = next; take(next, n); }
  __device__ void take(const float *&next, int n) { next += n; }
};
__global__ void __launch_bounds__(64) constructor_moves_pointer(const float *__restrict__ a, float *__restrict__ out, int n) {
  __shared__ float s[64];
  float sum = 0;
  const float *next = a;
  for (int t = 0; t < n; t += 64) {
    const Row row(next, 64);
    s[threadIdx.x] = row.from[threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i) {
      sum = sum * 0.5f + s[i] * (i ^ threadIdx.x);
    }
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum + (next - a);
}
/* launch
kernel: constructor_moves_pointer
cases: [{n: 0}, {n: 1}, {n: 64}, {n: 65}, {n: 128}, {n: 448}]
grid: 2
block: 64
arguments:
  - {buffer: float, count: n + 256, role: input}
  - {buffer: float, count: 128, role: output}
  - {value: n}
*/
