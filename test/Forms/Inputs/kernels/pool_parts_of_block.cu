// A sum for each thread lies in front of the tile: in a block of the size that the launch says it is a part of its own.
constexpr int threads = 64, values = 8, questions = 16, rows = 32;
__global__ void sums(const float *__restrict__ asked, const float *__restrict__ points, float *__restrict__ out, int tiles) {
  extern __shared__ float pool[];
  float *question = pool;
  float *part = question + questions * values;
  float *row = part + threads;
  const int t = threadIdx.x;
  for (int i = t; i < questions * values; i += threads)
    question[i] = asked[blockIdx.x * questions * values + i];
  part[t] = 0.f;
  __syncthreads();
  for (int b = 0; b < tiles; ++b) {
    for (int i = t; i < rows * values; i += threads)
      row[i] = points[b * rows * values + i];
    __syncthreads();
    float sum = 0.f;
    for (int r = 0; r < rows; ++r)
      for (int v = 0; v < values; ++v) {
        const float d = question[(t % questions) * values + v] - row[r * values + v];
        sum = sum * 0.5f + d;
      }
    part[t] += sum;
    __syncthreads();
  }
  out[blockIdx.x * threads + t] = part[t];
}
void run(const float *a, const float *b, float *c, int tiles) {
  sums<<<4, threads, (questions * values + threads + rows * values) * sizeof(float)>>>(a, b, c, tiles);
}
/* launch
kernel: sums
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 2
block: 64
shared: 1792
arguments:
  - {buffer: float, count: 256, role: input}
  - {buffer: float, count: tiles * 256, role: input}
  - {buffer: float, count: 128, role: output}
  - {value: tiles}
*/
