// A member begins with a value.
struct Particle {
  float2 pos[3];
  float mass, pad = 1.f;
  Particle(int) : mass(0), pad(0) {}
  __device__ Particle() {}
};
__global__ void k(const Particle *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ __align__(16) char bytes[64 * 32];
  Particle *tile = reinterpret_cast<Particle *>(bytes);
  const int i = threadIdx.x;
  float sum = 0.f;
  for (int t = 0; t < tiles; ++t) {
    tile[i] = in[t * 64 + i];
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
