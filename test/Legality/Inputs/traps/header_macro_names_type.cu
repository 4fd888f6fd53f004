// The step is said again in the body, where the macro's type is another one.
__global__ void k(const float *__restrict__ A, float *__restrict__ out, int tiles) {
  __shared__ float S[64];
  const int tx = threadIdx.x;
  float acc = 0.f;
  int t = 0; typedef double T;
#define LIM (sizeof(T) / 4)
  for (; t < 5; t += LIM) {
    S[tx] = A[(int)t*64+tx]; typedef float T; __syncthreads(); for (int i = 0; i < 64; ++i) acc = acc * 0.98f + S[(i + tx) & 63];  acc += (T)0.5; __syncthreads();
  }
  out[tx] = acc;
}
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 1
block: 64
arguments:
  - {name: A, buffer: float, count: 64 * (tiles + 8), role: input}
  - {name: out, buffer: float, count: 64, role: output}
  - {value: tiles}
*/
