/* launch
kernel: stencil
cases: [{T: 0}, {T: 1}, {T: 2}, {T: 3}, {T: 7}]
grid: [2]
block: [32, 2]
arguments:
  - {name: in, buffer: float, count: 64 * (T + 1), role: input}
  - {name: out, buffer: float, count: 64 * 2 * (T + 1), role: output}
  - {name: tiles, value: T}
*/
// The border of the tile is set once, in front of the loop.
__global__ void stencil(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float line[2][34];
  const int tx = threadIdx.x, ty = threadIdx.y;
  if (tx == 0) {
    line[ty][0] = 0;
    line[ty][33] = 1;
  }
  for (int t = 0; t < tiles; ++t) {
    line[ty][tx + 1] = in[t * 64 + ty * 32 + tx];
    __syncthreads();
    out[(blockIdx.x * tiles + t) * 64 + ty * 32 + tx] = line[ty][tx] - 2 * line[1 - ty][tx + 1] + line[ty][tx + 2];
    __syncthreads();
  }
}

// LDG: // Every stage begins with what the tile holds.
// LDG-NEXT: __syncthreads();
// LDG-NEXT: for (unsigned element = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
// LDG-NEXT: element < sizeof(line_stages[0]) / sizeof(line_stages[0][0][0]); element += blockDim.x * blockDim.y * blockDim.z)
// LDG-NEXT: (&line_stages[1][0][0])[element] = (&line_stages[0][0][0])[element];
// LDG-NEXT: __syncthreads();
// LDG-NOT: element2
