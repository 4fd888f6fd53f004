// Nobody says how many rows there are, but the tiles have room for so many only.
__global__ void k(const double *__restrict__ in, double *__restrict__ out, int n, int rows, unsigned lines) {
  __shared__ double s[32 * 33];
  __shared__ float2 t[4 * 8][32];
  const int x = threadIdx.x % 32, y = threadIdx.x / 32;
  float2 *const row = &t[y][0] + x;
  for (int i = 0; i < n; ++i) {
    for (int j = y; j < rows; j += 8)
      s[j * 33 + x] = in[i * 1024 + j * 32 + x];
    for (unsigned j = 0; j < lines; ++j) {
      const unsigned at = j * 256;
      row[at].x = in[i * 1024 + at];
      row[at].y = in[i * 1024 + at + x];
    }
    __syncthreads();
    if (x < rows)
      for (int j = y; j < 32; j += 8)
        out[i * 1024 + j * 32 + x] = s[x * 33 + j] + (lines ? t[j % lines * 8][x].x - t[j % lines * 8 + 7][x].y : 0);
    __syncthreads();
  }
}
/* launch
kernel: k
cases: [{n: 0, r: 3, l: 1}, {n: 1, r: 32, l: 4}, {n: 2, r: 17, l: 0}, {n: 3, r: 0, l: 2}, {n: 5, r: 31, l: 3}]
grid: 1
block: 256
arguments:
  - {name: in, buffer: double, count: n * 1024 + 1024, role: input}
  - {name: out, buffer: double, count: n * 1024 + 1024, role: output}
  - {name: n, scalar: int, value: n}
  - {name: rows, scalar: int, value: r}
  - {name: lines, scalar: int, value: l}
*/
