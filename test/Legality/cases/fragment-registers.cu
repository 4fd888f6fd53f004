// The register that holds the loaded value is the compute phase's fragment as well: the next tile is loaded into
// another one, and handed over with the store.
// RUN: split-file %s %t
// RUN: %python %S/../Inputs/legality.py %t --refused= --legal=ldg,ldg-single -- %cpr
//--- good.cu
__global__ void fragments(const float *__restrict__ a, float *__restrict__ c, int k) {
  __shared__ float as[128];
  float frag[2] = {0.0f, 0.0f};
  float acc = 0.0f;
  for (int i = 0; i < k; ++i) {
    frag[0] = a[i * 128 + threadIdx.x];
    as[threadIdx.x] = frag[0];
    __syncthreads();
    for (int j = 0; j < 128; j += 16) {
      frag[1] = as[j + threadIdx.x / 8];
      acc += frag[0] * frag[1];
    }
    __syncthreads();
  }
  c[threadIdx.x] = acc;
}
