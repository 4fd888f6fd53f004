// sum that the load phase begins for the compute phase
__global__ void k(const float *__restrict__ vec, float *__restrict__ mul, int batch) {
  __shared__ float part[64];
  const int col = threadIdx.x;
  const float weight = 0.25f * (col & 7) - 1.f;
  float res;
  int at, turn = 0;
  for (int b = 0; b < batch; ++b) {
    res = 0; // of this vector
    at = b * 64 + col;
    ++turn;
    part[col] = vec[b * 64 + col];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      res += part[(i + col) & 63] * weight;
    mul[at] = res * turn;
    __syncthreads();
  }
}
/* launch
kernel: k
cases: [{batch: 0}, {batch: 1}, {batch: 2}, {batch: 3}, {batch: 4}, {batch: 7}]
grid: 1
block: 64
arguments:
  - {name: vec, buffer: float, count: batch * 64 + 1, role: input}
  - {name: mul, buffer: float, count: batch * 64 + 1, role: output}
  - {name: batch, scalar: int, value: batch}
*/
