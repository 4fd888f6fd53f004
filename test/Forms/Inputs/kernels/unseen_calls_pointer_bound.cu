// B goes up to where it began and what the caller says. What is written behind the loop may be what it loads.
static __device__ void part(const float *A, float *D, int width, int pages) {
  __shared__ float sB[16][17];
  const int tx = threadIdx.x, ty = threadIdx.y, page = blockIdx.x % pages;
  const float *B = D + page * width;
  float *C = D + pages * width;
  const float *const last = B + width;
  float r[4] = {0.f, 0.f, 0.f, 0.f};
  do {
    for (int i = 0; i < 16; i += 4)
      sB[tx][ty + i] = B[tx + (ty + i) * 8];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      for (int i = 0; i < 4; ++i)
        r[i] += A[k] * sB[k][ty + i * 4];
    A += 16;
    B += 16;
    __syncthreads();
  } while (B < last);
  for (int i = 0; i < 4; ++i)
    C[blockIdx.x * 256 + (ty + i * 4) * 16 + tx] = r[i];
}
/* elsewhere
__global__ void parts(const float *in, float *out, int tiles) { part(in, out, tiles * 16 + 16, 1); }
*/
/* launch
kernel: parts
cases: [{tiles: 0}, {tiles: 1}, {tiles: 4}]
grid: 1
block: [16, 4]
arguments:
  - {name: in, buffer: float, count: tiles * 16 + 16, role: input}
  - {name: out, buffer: float, count: tiles * 16 + 512, role: inout}
  - {value: tiles}
*/
