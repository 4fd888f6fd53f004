// As address_number_behind_reference, but the number is made in front of the loop; in the loop the function is called for the
// tile alone.
__device__ int first(const int (&a)[64]) {
  const int *p = a;
  return p[0];
}
__device__ int whereIs(const int *tile) {
  int numbers[64];
  numbers[0] = (int)__cvta_generic_to_shared(tile);
  return first(numbers);
}

__global__ void __launch_bounds__(64) places(const int *__restrict__ in, int *__restrict__ out, int tiles) {
  __shared__ int tile[64];
  const int at = whereIs(tile) & 0xffff;
  int sum = 0;
  for (int t = 0; t < tiles; ++t) {
    tile[threadIdx.x] = in[t * 64 + threadIdx.x];
    __syncthreads();
    sum += tile[63 - threadIdx.x] + first(tile) + at;
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
/* launch
kernel: places
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: int, count: tiles * 64, role: input}
  - {name: out, buffer: int, count: 64, role: output}
  - {name: tiles, value: tiles}
*/
