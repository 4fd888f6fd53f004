#define UNIT 16
// c[x][y] += a[k][x] * b[k][y], both with a ragged last slice of k.
__global__ void contract(float *__restrict__ c, const float *__restrict__ a, const float *__restrict__ b, int sizeX, int sizeY, int sizeK, int strideA,
                         int strideB) {
  __shared__ float smA[UNIT][UNIT * 2 + 1];
  __shared__ float smB[UNIT][UNIT * 2];
  int upper = 0;
  int offset;
  const int rangeX = min(UNIT * 2, sizeX - (int)blockIdx.x * UNIT * 2);
  const int rangeY = min(UNIT * 2, sizeY - (int)blockIdx.y * UNIT * 2);
  float reg[2][2] = {};
  for (int l = 0; l < sizeK; l += UNIT) {
    offset = (l + UNIT) - sizeK;
    if (offset > 0)
      upper = offset;
    if (threadIdx.y < UNIT - upper)
      for (int r = 0; r < 2; ++r)
        if (threadIdx.x + r * UNIT < rangeX)
          smA[threadIdx.y][threadIdx.x + r * UNIT] = a[(l + threadIdx.y) * strideA + blockIdx.x * UNIT * 2 + threadIdx.x + r * UNIT];
    if (threadIdx.y < UNIT - upper)
      for (int r = 0; r < 2; ++r)
        if (threadIdx.x + r * UNIT < rangeY)
          smB[threadIdx.y][threadIdx.x + r * UNIT] = b[(l + threadIdx.y) * strideB + blockIdx.y * UNIT * 2 + threadIdx.x + r * UNIT];
    __syncthreads();
    for (int ll = 0; ll < UNIT - upper; ++ll)
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j)
          reg[i][j] += smA[ll][threadIdx.x + i * UNIT] * smB[ll][threadIdx.y + j * UNIT];
    __syncthreads();
  }
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      if (threadIdx.x + i * UNIT < rangeX && threadIdx.y + j * UNIT < rangeY)
        c[(blockIdx.x * UNIT * 2 + threadIdx.x + i * UNIT) * sizeY + blockIdx.y * UNIT * 2 + threadIdx.y + j * UNIT] = reg[i][j];
}
/* launch
kernel: contract
cases: [{k: 0}, {k: 5}, {k: 16}, {k: 33}, {k: 48}, {k: 100}]
grid: [2, 1]
block: [16, 16]
arguments:
  - {name: c, buffer: float, count: 40 * 28, role: inout}
  - {name: a, buffer: float, count: k * 44 + 64, role: input}
  - {name: b, buffer: float, count: k * 32 + 64, role: input}
  - {name: sizeX, scalar: int, value: 40}
  - {name: sizeY, scalar: int, value: 28}
  - {name: sizeK, scalar: int, value: k}
  - {name: strideA, scalar: int, value: 44}
  - {name: strideB, scalar: int, value: 32}
*/
