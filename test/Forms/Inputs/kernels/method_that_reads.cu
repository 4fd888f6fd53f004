/* launch
kernel: k
cases: [{T: 0}, {T: 1}, {T: 2}, {T: 5}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: T * 64 + 64, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: tiles, value: T}
*/
// Methods that are not const, and change nothing of the object; one of them has the loop.
struct Walk {
  const float *in;
  float *out;
  int tiles;
  __device__ int count() { return tiles; }
  __device__ float at(int t) { return in[t * 64 + threadIdx.x]; }
  __device__ void run() {
    __shared__ float tile[64];
    float sum = 0.f;
    for (int t = 0; t < count(); ++t) {
      tile[threadIdx.x] = at(t);
      __syncthreads();
      for (int i = 0; i < 64; ++i)
        sum = sum * 0.5f + tile[i];
      __syncthreads();
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
  }
};
__global__ void __launch_bounds__(64) k(const float *in, float *out, int tiles) {
  Walk w{in, out, tiles};
  w.run();
}

// LDG: fetch_tile
