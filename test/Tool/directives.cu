// A loop with branches of the preprocessor is pipelined for the build that is looked at. All other builds have the loop that they had.
// RUN: %cpr %s --variant=ldg-single -o %t.cu 2>&1 | FileCheck %s --check-prefix=SAID
// SAID: :[[@LINE+45]]:3: remark: pipelined with ldg-single, 1 stage
// SAID: builds for which the preprocessor decides otherwise in the loop keep it as it is
// RUN: FileCheck %s --check-prefix=TEXT < %t.cu
// TEXT:      {{^}}#if !defined(FAST) && (WIDTH > 2) && !defined(WEIGHTS)
// TEXT-NEXT: {{^}}  // The next tile on its way
// TEXT-NOT:  {{^}}#if
// TEXT:      sum += tile[j];
// TEXT-NOT:  weights
// TEXT:      {{^}}#else
// TEXT-NEXT: {{^}}#pragma unroll 1
// TEXT-NEXT: {{^}}  for (int k = 0; k < n; ++k) {
// TEXT:      #endif /* FAST */
// TEXT:      {{^}}#endif{{$}}
// TEXT-NEXT: {{^}}  out[threadIdx.x] = sum;
//
// RUN: clang -E -P -x c++ -DFAST %s > %t.old.i
// RUN: clang -E -P -x c++ -DFAST %t.cu > %t.new.i
// RUN: diff -u %t.old.i %t.new.i
// RUN: clang -E -P -x c++ -DWEIGHTS %s > %t.old.i
// RUN: clang -E -P -x c++ -DWEIGHTS %t.cu > %t.new.i
// RUN: diff -u %t.old.i %t.new.i
// RUN: clang -E -P -x c++ -DWIDTH=1 %s > %t.old.i
// RUN: clang -E -P -x c++ -DWIDTH=1 %t.cu > %t.new.i
// RUN: diff -u %t.old.i %t.new.i
// RUN: clang -E -P -x c++ -DWIDTH=1 -DFAST %s > %t.old.i
// RUN: clang -E -P -x c++ -DWIDTH=1 -DFAST %t.cu > %t.new.i
// RUN: diff -u %t.old.i %t.new.i
// RUN: clang -E -P -x c++ %s > %t.old.i
// RUN: clang -E -P -x c++ %t.cu > %t.new.i
// RUN: not diff %t.old.i %t.new.i > /dev/null
//
// The other builds are looked at with their flags.
// RUN: %cpr %s --variant=ldg-single -o %t.fast.cu -- -DFAST 2>&1 | FileCheck %s --check-prefix=SAID
// RUN: FileCheck %s --check-prefix=FAST < %t.fast.cu
// FAST: {{^}}#ifdef FAST
// FAST: sum += tile[0] * 2;
// FAST: {{^}}#else
//
#ifndef WIDTH
#define WIDTH 4
#endif
__global__ void k(const float *__restrict__ in, const float *__restrict__ weights, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < n; ++k) {
    tile[threadIdx.x] = in[k * 64 + threadIdx.x];
    __syncthreads();
#ifdef FAST // half of it
    sum += tile[0] * 2;
#elif WIDTH > 2
    for (int j = 0; j < 64; ++j)
#ifdef WEIGHTS
      sum += tile[j] * weights[j];
#else
      sum += tile[j];
#endif
#else
    sum += tile[1];
#endif /* FAST */
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
