// The number of elements is no multiple of the tile, and there may be fewer tiles than stages: prologue and
// epilogue overlap, and each of them must use the loop's own bound. The arrays end where the data end.
// The guards store something else than zero where there is nothing to load, and it counts; one in each spelling.
// RUN: split-file %s %t
// RUN: %python %S/../Inputs/legality.py %t --refused= --legal=cp-async:2,cp-async:3,cp-async:4,cp-async:8,ldg,ldg-single -- %cpr
//--- good.cu
__global__ void series(const float *__restrict__ value, const int *__restrict__ key, const float *__restrict__ bias,
                       float *__restrict__ out, int n) {
  __shared__ float vs[64];
  __shared__ int ks[64];
  __shared__ float bs[64];
  float acc = 0.0f;
  for (int first = 0; first < n; first += 64) {
    const int at = first + threadIdx.x;
    vs[threadIdx.x] = at < n ? value[at] : 3.25f;
    if (at < n) {
      ks[threadIdx.x] = key[at];
    } else {
      ks[threadIdx.x] = -1;
    }
    if (at >= n)
      bs[threadIdx.x] = -7.5f;
    else
      bs[threadIdx.x] = bias[at];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      acc = acc * 0.75f + vs[i] + bs[(i + threadIdx.x) % 64] * ks[i];
    __syncthreads();
  }
  out[threadIdx.x] = acc;
}
//--- launch.yaml
kernel: series
cases: [{n: 0}, {n: 1}, {n: 63}, {n: 64}, {n: 65}, {n: 129}, {n: 449}, {n: 1100}]
grid: 1
block: 64
arguments:
  - {name: value, buffer: float, count: n, role: input}
  - {name: key, buffer: int, count: n, role: input, fill: "uniform(-1, 5)"}
  - {name: bias, buffer: float, count: n, role: input}
  - {name: out, buffer: float, count: 64, role: output}
  - {value: n}
