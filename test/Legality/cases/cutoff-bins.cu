// The number of bins of a turn is changed between load and compute, by what was loaded; and the number of the next bin is
// carried on by the copy loop.
// RUN: split-file %s %t
// RUN: %python %S/../Inputs/legality.py %t -- %cpr
//--- bad.cu
__global__ void cutoff(const float *__restrict__ bins, const int *__restrict__ order, float *__restrict__ out, int total) {
  __shared__ float atoms[8][16];
  const int me = threadIdx.x;
  float energy = 0.0f;
  int nbrid = 0, numbins = 8;
  for (int bin = 0; bin < total; bin += numbins) {
    for (int i = 0; i < 8; ++i) {
      atoms[i][me] = i < numbins && nbrid < total ? bins[order[nbrid] * 16 + me] : 0.0f;
      ++nbrid;
    }
    __syncthreads();
    if (atoms[0][0] > 0.5f)
      numbins = 4; // refused: counter-modified
      // says: 'numbins'
    for (int i = 0; i < numbins; ++i)
      for (int k = 0; k < 16; ++k)
        energy += atoms[i][k] * me;
    __syncthreads();
  }
  out[me] = energy;
}
//--- good.cu
__global__ void cutoff(const float *__restrict__ bins, const int *__restrict__ order, float *__restrict__ out, int total) {
  __shared__ float atoms[8][16];
  const int me = threadIdx.x;
  float energy = 0.0f;
  int nbrid = 0, numbins = 8;
  for (int bin = 0; bin < total; bin += numbins) {
    for (int i = 0; i < 8; ++i) {
      atoms[i][me] = i < numbins && nbrid < total ? bins[order[nbrid] * 16 + me] : 0.0f;
      ++nbrid;
    }
    __syncthreads();
    if (atoms[0][0] > 0.5f)
      energy = 4;
    for (int i = 0; i < numbins; ++i)
      for (int k = 0; k < 16; ++k)
        energy += atoms[i][k] * me;
    __syncthreads();
  }
  out[me] = energy;
}
//--- launch.yaml
kernel: cutoff
cases: [{total: 0}, {total: 1}, {total: 8}, {total: 19}, {total: 40}]
grid: 1
block: 16
arguments:
  - {name: bins, buffer: float, count: 50 * 16, role: input}
  - {name: order, buffer: int, count: total, role: input, fill: "uniform(0, 50)"}
  - {name: out, buffer: float, count: 16, role: output}
  - {value: total}
