// --print=maps: the bytes that each access touches.
// RUN: %cpr --print=maps %s | FileCheck %s
// CHECK-LABEL: loop walk
// CHECK: load reads in: 16 bytes at {{.*}}threadIdx.x
// CHECK-NEXT: load writes tile: 16 bytes at {{.*}} -> { [16threadIdx.x] } when {{.*}}0 <= threadIdx.x <= 15 and {{.*}}n > t
// CHECK-NEXT: compute reads tile: 4 bytes at {{.*}} -> { [4{{.*}}] } when {{.*}}0 <= r{{.*}} <= 63
// CHECK-NEXT: compute reads tile: 4 bytes at {{.*}} -> { [4where[t] * where[t + 1]] } when
// CHECK-NEXT: compute reads tile: anywhere
static __global__ void walk(const float *__restrict__ in, const int *__restrict__ where, float *__restrict__ out, int n) {
  __shared__ __align__(16) float tile[64];
  float sum = 0;
  for (int t = 0; t < n; t += 64) {
    if (threadIdx.x < 16)
      *(float4 *)&tile[4 * threadIdx.x] = *(const float4 *)&in[t + 4 * threadIdx.x];
    __syncthreads();
    for (int k = 63; k >= 0; --k)
      sum += tile[k];
    sum += tile[where[t] * where[t + 1]];
    const float *p = tile;
    while (sum > 0 && *p > 0)
      sum -= *p, p += n;
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
void run(const float *in, const int *where, float *out, int n) { walk<<<1, 64>>>(in, where, out, n); }
