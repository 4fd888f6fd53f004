#pragma once

template <int TILE>
__global__ void rows(const float *__restrict__ matrix, const float *__restrict__ vector, float *__restrict__ out, int columns) {
  __shared__ float part[TILE];
  const int row = blockIdx.x * TILE + threadIdx.x;
  float sum = 0.0f;
  for (int k = 0; k < columns; k += TILE) {
    part[threadIdx.x] = vector[k + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < TILE; ++i)
      sum += matrix[row * columns + k + i] * part[i];
    __syncthreads();
  }
  out[row] = sum;
}
