// One temporary carries first the one tile's value and then the other's: each load needs a register of its
// own. The vector's components are stored apart, transposed.
// RUN: split-file %s %t
// RUN: %python %S/../Inputs/legality.py %t --refused= --legal=ldg,ldg-single -- %cpr
//--- good.cu
__global__ void gather(const float4 *__restrict__ a, const float4 *__restrict__ b, float *__restrict__ c, int steps) {
  __shared__ float as[4][33];
  __shared__ float bs[32][4];
  const int lane = threadIdx.x;
  float acc[4] = {0.f, 0.f, 0.f, 0.f};
  float4 tmp;
  for (int k = 0; k != steps; ++k) {
    tmp = a[k * 32 + lane];
    as[0][lane] = tmp.x;
    as[1][lane] = tmp.y;
    as[2][lane] = tmp.z;
    as[3][lane] = tmp.w;
    tmp = b[k * 32 + lane];
    bs[lane][0] = tmp.x;
    bs[lane][1] = tmp.y;
    *reinterpret_cast<float2 *>(&bs[lane][2]) = make_float2(tmp.z, tmp.w);
    __syncthreads();
    for (int i = 0; i < 32; ++i)
      for (int j = 0; j < 4; ++j)
        acc[j] += as[j][lane ^ i] * bs[i][3 - j];
    __syncthreads();
  }
  for (int j = 0; j < 4; ++j)
    c[j * 32 + lane] = acc[j];
}
//--- launch.yaml
kernel: gather
cases: [{steps: 0}, {steps: 1}, {steps: 2}, {steps: 3}, {steps: 6}]
grid: 1
block: 32
arguments:
  - {name: a, buffer: float4, count: steps * 32, role: input}
  - {name: b, buffer: float4, count: steps * 32, role: input}
  - {name: c, buffer: float, count: 128, role: output}
  - {value: steps}
