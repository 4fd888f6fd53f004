// The loop is in a function that is given the tile as a pointer, and returns what it has computed.
__device__ float walk(const float *values, int count, float *part, float weight) {
  float total = 1.f;
  for (int i = 0; i < count; i += 64) {
    __syncthreads();
    part[threadIdx.x] = values[i + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      total = total * weight + part[(k + threadIdx.x) % 64];
  }
  return total * 2.f;
}

template <int Weight> __global__ void __launch_bounds__(64) k(const float *__restrict__ values, float *__restrict__ out, int tiles) {
  __shared__ float part[64];
  const int me = blockIdx.x * 64 + threadIdx.x;
  float total = 0.25f;
  if (tiles > 1) {
    total += walk(values + blockIdx.x * 32, tiles * 64, part, 1.0f / Weight);
  }
  out[me] = total;
}
template __global__ void k<3>(const float *__restrict__, float *__restrict__, int);
/* launch
kernel: k<3>
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 2
block: 64
arguments:
  - {name: values, buffer: float, count: 6 * 64, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: tiles, scalar: int, value: tiles}
*/

// LDG: float walk_value;
// LDG: walk_value = total * 2.f;
// LDG: total += walk_value;
