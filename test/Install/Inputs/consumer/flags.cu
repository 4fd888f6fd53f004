#include "generated.h"
#include "header.h"
#include <system.h>
#if !defined(OF_VARIABLE) || !defined(OF_FOLDER) || !defined(OF_LINKED) || !defined(OF_LANGUAGE) || OF_SOURCE != 3
#error a definition is missing
#endif
#if OF_PROPERTY != 5 || !defined(OF_TYPE_SHARED_LIBRARY) || !defined(kernels_EXPORTS) || __cplusplus != 201402L
#error a property is missing
#endif
#if !defined(GENERATED) || !defined(HEADER) || !defined(SYSTEM) || !defined(__CUDACC_RDC__) || defined(OF_OTHER_LANGUAGE)
#error a header or a mode is missing
#endif
__global__ void flags(const float *in, float *out, int n) {
  __shared__ float tile[256];
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    tile[threadIdx.x] = in[t * 256 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 256; ++i)
      sum += tile[i];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
