// The object has its own address by its constructor, and what is summed up by that is its own member.
struct Sum {
  float v;
  Sum *me;
  __device__ Sum(float x) { init(x); me = this; }
  __device__ void init(float x) { v = x; }
  __device__ void add(float x) { me->v = me->v * 0.5f + x; }
};
__global__ void __launch_bounds__(64) constructor_keeps_itself(const float *__restrict__ a, float *__restrict__ out, int n) {
  __shared__ float s[64];
  float sum = 0;
  Sum all(2);
  float first = 0;
  for (int t = 0; t < n; t += 64) {
    s[threadIdx.x] = a[t + threadIdx.x] + all.v;
    __syncthreads();
    for (int i = 0; i < 64; ++i) {
      all.add(s[i] * (i ^ threadIdx.x));
    }
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = all.v + sum;
}
/* launch
kernel: constructor_keeps_itself
cases: [{n: 0}, {n: 1}, {n: 64}, {n: 65}, {n: 128}, {n: 448}]
grid: 2
block: 64
arguments:
  - {buffer: float, count: n + 256, role: input}
  - {buffer: float, count: 128, role: output}
  - {value: n}
*/
