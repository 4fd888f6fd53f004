/* launch
kernel: k
cases: [{T: 2}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: T * 64 + 64, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: tiles, value: T}
*/
// A method changes the object, in each thread by another number: what reads it afterwards is not the same in all.
struct Count {
  int tiles;
  __device__ int get() { return tiles; }
  __device__ void less(int by) { tiles -= by; }
};
__global__ void __launch_bounds__(64) k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[64];
  Count count{tiles};
  count.less(threadIdx.x / 32);
  float sum = 0.f;
  for (int t = 0; t < count.get(); ++t) {
    tile[threadIdx.x] = in[t * 64 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[i];
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
