// A march through planes: the centre comes out of a pipeline of registers, which was filled two turns ago, only the halo out of
// global memory. With the barrier at the top as with the barrier at the end, the ldg variants keep the registers' order, and cp-async, which moves the load phase as a whole, cannot; the same where the
// registers are moved on by the compute phase.
// RUN: split-file %s %t
// RUN: %python %S/../Inputs/legality.py %t/top --refused= --legal=ldg,ldg-single "--count=in:(planes + 2) * 128" -- %cpr
// RUN: %python %S/../Inputs/legality.py %t/end --refused=cp-async:2,cp-async:3 "--count=in:(planes + 2) * 128" -- %cpr
// RUN: mkdir -p %t/end-ldg && cp %t/end/bad.cu %t/end-ldg/good.cu
// RUN: %python %S/../Inputs/legality.py %t/end-ldg --refused= --legal=ldg,ldg-single "--count=in:(planes + 2) * 128" -- %cpr
// RUN: %python %S/../Inputs/legality.py %t/in-compute --refused=cp-async:2,cp-async:3 --legal=ldg,ldg-single "--count=in:(planes + 1) * 128" -- %cpr
//--- top/good.cu
__global__ void fdtd(const float *__restrict__ in, float *__restrict__ out, int planes) {
  __shared__ float tile[130];
  float behind = 0.0f, current = in[threadIdx.x], front = in[128 + threadIdx.x];
  for (int z = 0; z < planes; ++z) {
    behind = current;
    current = front;
    front = in[(z + 2) * 128 + threadIdx.x];
    __syncthreads();
    if (threadIdx.x < 2)
      tile[threadIdx.x * 129] = in[(z + 1) * 128 + threadIdx.x * 127];
    tile[threadIdx.x + 1] = current;
    __syncthreads();
    out[z * 128 + threadIdx.x] = tile[threadIdx.x] + tile[threadIdx.x + 2] - behind - front;
  }
}
//--- end/bad.cu
__global__ void fdtd(const float *__restrict__ in, float *__restrict__ out, int planes) {
  __shared__ float tile[130];
  float behind = 0.0f, current = in[threadIdx.x], front = in[128 + threadIdx.x];
  for (int z = 0; z < planes; ++z) {
    behind = current; // refused: load-side-effect
    current = front;
    front = in[(z + 2) * 128 + threadIdx.x]; // refused: load-side-effect
    if (threadIdx.x < 2)
      tile[threadIdx.x * 129] = in[(z + 1) * 128 + threadIdx.x * 127];
    tile[threadIdx.x + 1] = current;
    __syncthreads();
    out[z * 128 + threadIdx.x] = tile[threadIdx.x] + tile[threadIdx.x + 2] - behind - front;
    __syncthreads();
  }
}
//--- end/good.cu
__global__ void fdtd(const float *__restrict__ in, float *__restrict__ out, int planes) {
  __shared__ float tile[130];
  float behind = 0.0f, current = in[threadIdx.x], front = in[128 + threadIdx.x];
  for (int z = 0; z < planes; ++z) {
    behind = current;
    current = front;
    front = in[(z + 2) * 128 + threadIdx.x];
    if (threadIdx.x < 2)
      tile[threadIdx.x * 129] = in[(z + 1) * 128 + threadIdx.x * 127];
    tile[threadIdx.x + 1] = current;
    __syncthreads();
    out[z * 128 + threadIdx.x] = tile[threadIdx.x] + tile[threadIdx.x + 2];
    __syncthreads();
  }
}
//--- in-compute/bad.cu
__global__ void fdtd(const float *__restrict__ in, float *__restrict__ out, int planes) {
  __shared__ float tile[130];
  float behind = 0.0f, current = in[threadIdx.x];
  for (int z = 0; z < planes; ++z) {
    if (threadIdx.x < 2)
      tile[threadIdx.x * 129] = in[z * 128 + threadIdx.x * 127];
    tile[threadIdx.x + 1] = current;
    __syncthreads();
    const float front = in[(z + 1) * 128 + threadIdx.x];
    out[z * 128 + threadIdx.x] = tile[threadIdx.x] + tile[threadIdx.x + 2] - behind - front;
    behind = current;
    current = front; // refused: counter-modified
    // says: 'current'
    __syncthreads();
  }
}
//--- in-compute/good.cu
__global__ void fdtd(const float *__restrict__ in, float *__restrict__ out, int planes) {
  __shared__ float tile[130];
  float behind = 0.0f, current = in[threadIdx.x];
  for (int z = 0; z < planes; ++z) {
    if (threadIdx.x < 2)
      tile[threadIdx.x * 129] = in[z * 128 + threadIdx.x * 127];
    tile[threadIdx.x + 1] = current;
    __syncthreads();
    const float front = in[(z + 1) * 128 + threadIdx.x];
    out[z * 128 + threadIdx.x] = tile[threadIdx.x] + tile[threadIdx.x + 2] - behind - front;
    behind = current;
    __syncthreads();
  }
}
