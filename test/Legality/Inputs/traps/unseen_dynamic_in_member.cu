// The destructor of a member of a base knows the dynamic shared memory by another name.
extern __shared__ float table[];
struct Write {
  float *to;
  __device__ Write(float *to) : to(to) { table[1024 + threadIdx.x] = threadIdx.x; }
  __device__ ~Write() { to[threadIdx.x] = table[1024 + threadIdx.x]; }
};
struct Holds { Write last; };
struct Is : Holds { int n; };
__global__ void k(const float *__restrict__ in, float *w, float *__restrict__ out, int tiles) {
  extern __shared__ float tile[];
  float sum = 0.f;
  const int tx = threadIdx.x;
  Is keeps{{{w}}, 1};
  for (int t = 0; t < tiles; ++t) {
    tile[tx] = in[t * 64 + tx];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[(i + tx) & 63];
    __syncthreads();
  }
  out[tx] = sum;
}
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 1
block: 64
shared: 16384
arguments:
  - {name: in, buffer: float, count: tiles * 64, role: input}
  - {name: w, buffer: float, count: 64, role: inout}
  - {name: out, buffer: float, count: 64, role: output}
  - {name: tiles, value: tiles}
*/
