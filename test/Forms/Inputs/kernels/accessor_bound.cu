struct View {
  int pad[2], size;
  __device__ int getSize() const { return size; }
};
__global__ void k(View shape, const float *__restrict__ in, float *__restrict__ out) {
  __shared__ float tile[64];
  float sum = 0.f;
  const int tx = threadIdx.x;
  for (int t = 0; t < shape.getSize(); ++t) {
    tile[tx] = in[t * 64 + tx];
    __syncthreads();
    for (int i = 0; i < 64; ++i) sum = sum * 0.98f + tile[(i + tx) & 63];
    __syncthreads();
  }
  out[blockIdx.x * 64 + tx] = sum;
}
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 1
block: 64
arguments:
  - name: shape
    fields: [{scalar: int, value: 0}, {scalar: int, value: 1}, {scalar: int, value: tiles}]
  - {name: in, buffer: float, count: tiles * 64, role: input}
  - {name: out, buffer: float, count: 64, role: output}
*/
