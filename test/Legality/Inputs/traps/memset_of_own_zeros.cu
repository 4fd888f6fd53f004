// pairs that do not begin as zeros
#include <cstring>
struct Pair {
  float x = 1.f, y = 2.f;
};
__global__ void sums(const float *__restrict__ rows, const int *__restrict__ index, float *__restrict__ out, int n) {
  __shared__ float space[32 * 32];
  Pair *tile = reinterpret_cast<Pair *>(space);
  __shared__ short count[32];
  const int x = threadIdx.x;
  float sum = 0.f;
  for (int b = 0; b < n; b += 32) {
    if (x < 32) {
      memset(&count[x], 0, sizeof(short));
      if (b + x < n) {
        for (int i = 0; i < 16; ++i)
          tile[x * 16 + i].x = tile[x * 16 + i].y = rows[index[b + x] * 16 + i];
        count[x] = 1;
      } else
        memset(&tile[x * 16], 0, 16 * sizeof(Pair));
    }
    __syncthreads();
    for (int i = 0; i < 32; ++i)
      sum = sum * 0.5f + tile[i * 16 + x % 16].y * count[i];
    __syncthreads();
  }
  out[blockIdx.x * 64 + x] = sum;
}
/* launch
kernel: sums
cases: [{n: 0}, {n: 32}, {n: 40}, {n: 64}, {n: 170}]
grid: 2
block: 64
arguments:
  - {name: rows, buffer: float, count: 1024, role: input}
  - {name: index, buffer: int, count: 256, role: input, fill: "uniform(0, 63)"}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: n, value: n}
*/
