// Loops and switches within one another, 64 deep: whether threads leave one of them early is asked once for each, not once
// for each pair, or for each way through them. (With a time that doubles per level this does not end.)
// RUN: timeout 300 %cpr check %s --cuda-path=none --exit-zero | FileCheck %s
// CHECK: pipeline this tile loop
// CHECK: 1 loop: 1 can be pipelined, 0 refused

#define FOUR(Head) Head Head Head Head
#define DEEP(Head) FOUR(FOUR(FOUR(Head)))

__global__ void deep(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  DEEP(for (int i = 0; i < tiles; ++i))
  sum += 1.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    DEEP(while (sum < part[0]))
    DEEP(switch (tiles) case 3:)
    DEEP(for (int k = 0; k < 128; ++k))
    sum += part[k];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

int main() {
  deep<<<8, 128>>>(nullptr, nullptr, 4);
}
