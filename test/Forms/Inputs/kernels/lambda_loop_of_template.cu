/* launch
kernel: smooth<8>
cases: [{N: 0}, {N: 1}, {N: 2}, {N: 7}]
grid: [3]
block: [64]
arguments:
  - {name: in, buffer: float, count: 3 * 64 * N, role: input}
  - {name: scale, buffer: float, count: 64, role: input}
  - {name: out, buffer: float, count: 3 * 64, role: inout}
  - {name: turns, value: N}
*/
// The loop in a lambda that captures some variables by value, in a loop over the parts.
template <int TAPS>
__global__ void smooth(const float *__restrict__ in, const float *__restrict__ scale, float *out, int turns) {
  __shared__ float row[64];
  const int lane = threadIdx.x;
  const float by = scale[lane];
  float sum = out[blockIdx.x * 64 + lane];
  const auto part = [&sum, in, lane, by](int first, int count) {
    // One row in a turn.
    int at = first;
    while (at < first + count) {
      row[lane] = __ldg(in + at * 64 + lane);
      __syncthreads();
#pragma unroll
      for (int k = 0; k < TAPS; ++k)
        sum = sum * 0.5f + row[(lane + k) % 64] * by;
      __syncthreads();
      ++at;
    }
  };
  for (int half = 0; half < 2; ++half) {
    part(blockIdx.x * turns, turns - half);
    sum += half;
  }
  out[blockIdx.x * 64 + lane] = sum;
}
template __global__ void smooth<8>(const float *, const float *, float *, int);

// LDG-NOT: const auto part
// LDG: { // part
// LDG: // One row in a turn.
// LDG: int at = first;
// LDG: int at_load = at;
// LDG-NOT: part(
