// In a variable that the host sets, in a structure in memory, and in shared memory.
struct Operand {
  const float *data;
  int pitch;
};
__constant__ Operand weights;
__device__ const float *bias;
__global__ void k(const Operand *operands, float *__restrict__ out, int tiles) {
  __shared__ float tile[64], other[64], third[64];
  __shared__ const float *chosen;
  const int tx = threadIdx.x;
  if (tx == 0)
    chosen = operands[blockIdx.x].data;
  __syncthreads();
  const Operand mine = operands[blockIdx.x + 1];
  float sum = 0.f;
  for (int t = 0; t < tiles; ++t) {
    tile[tx] = chosen[t * 64 + tx];
    other[tx] = mine.data[t * 64 + tx] * 0.5f;
    third[tx] = weights.data[t * 64 + tx] + bias[t * 64 + tx];
    __syncthreads();
    sum = sum * 0.5f + tile[63 - tx] + other[tx ^ 1] * third[tx ^ 2];
    __syncthreads();
  }
  out[blockIdx.x * 64 + tx] = sum;
}
void run(const Operand *o, float *out, int n) { k<<<1, 64>>>(o, out, n); }
