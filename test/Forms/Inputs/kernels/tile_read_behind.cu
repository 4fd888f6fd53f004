/* launch
kernel: last
cases: [{T: 0}, {T: 1}, {T: 2}, {T: 3}, {T: 8}]
grid: [2]
block: [32]
arguments:
  - {name: in, buffer: double, count: 32 * (T + 1), role: input}
  - {name: out, buffer: double, count: 64, role: output}
  - {name: tiles, value: T}
*/
// What the last iteration has left is read behind the loop, and what there was before, where it took no turn.
__global__ void last(const double *in, double *out, int tiles) {
  __shared__ double tile[33];
  const int tx = threadIdx.x;
  tile[tx + 1] = tx * 0.25;
  __syncthreads();
  double sum = 0;
  for (int t = 0; t < tiles; ++t) {
    tile[tx] = in[t * 32 + tx];
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      sum += tile[(k + tx) % 32] * (k + 1);
    __syncthreads();
  }
  __syncthreads();
  out[blockIdx.x * 32 + tx] = sum + tile[tiles ? 31 - tx : tx + 1];
}

// ASYNC: // Epilogue: behind the loop the tile holds what the last iteration has left.
// ASYNC-NEXT: if (stage != 1)
// ASYNC-NEXT: for (unsigned element2 = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
// ASYNC-NEXT: element2 < sizeof(tile_stages[0]) / sizeof(tile_stages[0][0]); element2 += blockDim.x * blockDim.y * blockDim.z)
// ASYNC-NEXT: tile_stages[0][element2] = tile_stages[1][element2];
// ASYNC-NEXT: __syncthreads();
