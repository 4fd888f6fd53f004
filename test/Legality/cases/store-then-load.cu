// What one turn stores, the next one loads: the load may not be hoisted over the store. The same pointer, so that no
// promise about pointers helps.
// RUN: split-file %s %t
// RUN: %python %S/../Inputs/legality.py %t -- %cpr
// RUN: %python %S/../Inputs/legality.py %t --options=--assume=no-alias -- %cpr
//--- bad.cu
__global__ void diffuse(double *__restrict__ line, const double *__restrict__ flux, int steps) {
  __shared__ double cell[130];
  for (int s = 0; s < steps; ++s) {
    cell[threadIdx.x] = line[s * 128 + threadIdx.x];
    __syncthreads();
    double mean = 0.5 * (cell[threadIdx.x] + cell[127 - threadIdx.x]);
    line[(s + 1) * 128 + threadIdx.x] = mean * flux[s]; // refused: may-alias
    // says: 'line'
    // note: loaded here
    __syncthreads();
  }
}
//--- good.cu
__global__ void diffuse(double *__restrict__ line, const double *__restrict__ flux, int steps) {
  __shared__ double cell[130];
  for (int s = 0; s < steps; ++s) {
    cell[threadIdx.x] = flux[s * 128 + threadIdx.x];
    __syncthreads();
    double mean = 0.5 * (cell[threadIdx.x] + cell[127 - threadIdx.x]);
    line[(s + 1) * 128 + threadIdx.x] = mean * flux[s];
    __syncthreads();
  }
}
