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
// The text of the method has a variable by the name of the object.
struct Tile {
  float v[64];


  __device__ void load(const float *from) { { float tile = 1.0f; v[threadIdx.x] = tile * from[threadIdx.x]; } }
  __device__ float at(int i) const { return v[i]; }
};
__global__ void __launch_bounds__(64) k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ Tile tile;
  float sum = 0.f;
  for (int t = 0; t < tiles; ++t) {
    tile.load(in + t * 64);
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile.at(i);
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
