struct Place {
  float2 pos[3];
  __device__ Place() {}
};
struct Particle : Place {
  float mass, pad;
};
__global__ void k(const Particle *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ Particle tile[64];
  const int i = threadIdx.x;
  float sum = 0.f;
  for (int t = 0; t < tiles; ++t) {
    const Particle p = in[t * 64 + i];
    tile[63 - i] = p;
    __syncthreads();
    for (int j = 0; j < 64; ++j) sum = sum * 0.98f + tile[(j + i) & 63].pos[2].y * tile[j].mass;
    __syncthreads();
  }
  out[blockIdx.x * 64 + i] = sum;
}
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: tiles * 64 * 8, role: input}
  - {name: out, buffer: float, count: 256, role: output}
  - {value: tiles}
*/
