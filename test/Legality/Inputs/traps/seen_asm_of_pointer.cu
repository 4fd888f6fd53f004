// Assembly that is given the address of another array, by functions and variables, is no use of the dynamic one.
struct Place { unsigned at; };
__device__ unsigned place(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ void put(unsigned at, float v) { asm volatile("st.shared.f32 [%0], %1;" ::"r"(at), "f"(v) : "memory"); }
__device__ float get(Place of) {
  float v;
  asm volatile("ld.shared.f32 %0, [%1];" : "=f"(v) : "r"(of.at) : "memory");
  return v;
}
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  extern __shared__ float tile[];
  float sum = 0.f;
  const int tx = threadIdx.x;
  __shared__ float other[64];
  const unsigned begin = place(other);
  put(begin + 4 * tx, tx);
  Place of = {begin + 4 * tx};
  for (int t = 0; t < tiles; ++t) {
    tile[tx] = in[t * 64 + tx];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[(i + tx) & 63];
    __syncthreads();
  }
  sum += get(of);
  out[tx] = sum;
}
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 1
block: 64
shared: 1024
arguments:
  - {name: in, buffer: float, count: tiles * 64, role: input}
  - {name: out, buffer: float, count: 64, role: output}
  - {name: tiles, value: tiles}
*/
