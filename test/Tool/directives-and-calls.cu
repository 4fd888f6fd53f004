// What a call becomes is of the build that is looked at, as the function is: it is not written into the loop of the others.
// RUN: %cpr %s --variant=ldg-single -o %t.cu 2>&1 | FileCheck %s --check-prefix=SAID
// SAID: :[[@LINE+22]]:3: remark: pipelined with ldg-single, 1 stage
// SAID-DAG: the text of 'Element::set' takes the place of its call
// SAID-DAG: builds for which the preprocessor decides otherwise in the loop keep it as it is
// RUN: clang -E -P -x c++ -DTWICE %s > %t.old.i
// RUN: clang -E -P -x c++ -DTWICE %t.cu > %t.new.i
// RUN: diff -u %t.old.i %t.new.i
// RUN: clang -E -P -x c++ %t.cu | FileCheck %s --check-prefix=HERE
// HERE-NOT: .set(
#ifdef TWICE
struct Element {
  float value;
  __device__ void set(float v) { value = 2 * v; }
};
#else
struct Element {
  float value;
  __device__ void set(float v) { value = v; }
};
#endif
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ Element tile[64];
  float sum = 0;
  for (int k = 0; k < n; ++k) {
    tile[threadIdx.x].set(in[k * 64 + threadIdx.x]);
    __syncthreads();
    for (const Element &e : tile)
#ifdef TWICE
      sum -= e.value;
#else
      sum += e.value;
#endif
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
