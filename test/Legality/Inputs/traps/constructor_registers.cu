// The constructor puts the address of the object where others find it; by that the compute phase sets what the load phase reads.
struct Sum;
struct List { Sum *first; };
struct Sum {
  float v;
  __device__ Sum(float x, List &all) { v = x; all.first = this; }
};
__global__ void __launch_bounds__(64) constructor_registers(const float *__restrict__ a, float *__restrict__ out, int n) {
  __shared__ float s[64];
  float sum = 0;
  List list;
  Sum all(2, list);
  for (int t = 0; t < n; t += 64) {
    s[threadIdx.x] = a[t + threadIdx.x] + all.v;
    __syncthreads();
    for (int i = 0; i < 64; ++i) {
      list.first->v = list.first->v * 0.5f + s[i] * (i ^ threadIdx.x);
    }
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = all.v + sum;
}
/* launch
kernel: constructor_registers
cases: [{n: 0}, {n: 1}, {n: 64}, {n: 65}, {n: 128}, {n: 448}]
grid: 2
block: 64
arguments:
  - {buffer: float, count: n + 256, role: input}
  - {buffer: float, count: 128, role: output}
  - {value: n}
*/
