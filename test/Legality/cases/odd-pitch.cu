// A padded tile: a stage whose size is no multiple of 16 bytes leaves the next one unaligned for the vectors that are
// stored to it. The other tile's stages may lie anywhere.
// RUN: split-file %s %t
// RUN: %python %S/../Inputs/legality.py %t --refused=ldg,cp-async:2,cp-async:3,cp-async:4 --legal=ldg-single -- %cpr
//--- bad.cu
__global__ void padded(const int4 *__restrict__ src, const int *__restrict__ edge, int *__restrict__ dst, int tiles) {
  __shared__ alignas(16) int body[3 * 12 + 1]; // refused: shared-decl-form
  // says: 148 bytes
  __shared__ int border[7];
  const int me = threadIdx.x;
  int sum = 0;
  for (int t = 0; t < tiles; t += 1) {
    if (me < 9)
      *reinterpret_cast<int4 *>(body + me * 4) = src[t * 9 + me];
    if (me < 7)
      border[me] = edge[t * 7 + me];
    __syncthreads();
    for (int i = 0; i < 36; ++i)
      sum += body[i] ^ (border[i % 7] * me);
    __syncthreads();
  }
  dst[me] = sum;
}
//--- good.cu
__global__ void padded(const int4 *__restrict__ src, const int *__restrict__ edge, int *__restrict__ dst, int tiles) {
  __shared__ alignas(16) int body[3 * 12 + 4];
  __shared__ int border[7];
  const int me = threadIdx.x;
  int sum = 0;
  for (int t = 0; t < tiles; t += 1) {
    if (me < 9)
      *reinterpret_cast<int4 *>(body + me * 4) = src[t * 9 + me];
    if (me < 7)
      border[me] = edge[t * 7 + me];
    __syncthreads();
    for (int i = 0; i < 36; ++i)
      sum += body[i] ^ (border[i % 7] * me);
    __syncthreads();
  }
  dst[me] = sum;
}
//--- launch.yaml
kernel: padded
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 3}, {tiles: 7}]
grid: 1
block: 12
arguments:
  - {name: src, buffer: int4, count: tiles * 9, role: input}
  - {name: edge, buffer: int, count: tiles * 7, role: input}
  - {name: dst, buffer: int, count: 12, role: output}
  - {value: tiles}
