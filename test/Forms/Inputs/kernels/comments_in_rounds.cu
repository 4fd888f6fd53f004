/* launch
kernel: k
cases: [{tiles: 0, most: 4}, {tiles: 1, most: 1}, {tiles: 2, most: 0}, {tiles: 3, most: 2}, {tiles: 6, most: 9}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: 4096, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {value: tiles}
  - {value: most}
*/
// Comments that go on in the next line, in what is written out, moved and taken away.
__device__ void load(float *to, const float *from, int tx) { // C:\in\

  to[tx] = from[tx]; // see \  
 // and on
  to[tx + 64] = from[tx + 64]; // D:\

}
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles, int most) {
  __shared__ float tile[128], other[64], third[64]; // E:\
  
  const int tx = threadIdx.x; float sum = 0;
  auto loadThird = [&](int t) { // F:\

    third[tx] = in[t * 64 + tx + 7]; // G:\
  // on
  }; // H:\

  for (int t = 0; t < tiles; ++t) { // I:\

    if (t >= most) { // J:\

      break; // K:\

    } // L:\

    load(tile, in + t * 64, tx); // M:\

    loadThird(t); /* N:\
*/
    __syncthreads(); // O:\

    sum = sum * 0.5f + tile[127 - tx]; // P:\

    other[tx] = in[t * 64 + tx + 9]; // Q:\
    // on
    __syncthreads(); // R:\

    for (int i = 0; i < 64; ++i) // S:\

      sum = sum * 0.5f + tile[(tx + i) % 128] * other[i] - third[63 - i]; // T:\

    __syncthreads(); // U:\

  } // V:\

  out[blockIdx.x * 64 + tx] = sum; // W:\

}
void run(const float *in, float *out, int n, int m) { k<<<2, 64>>>(in, out, n, m); }
