// Each kernel reads more than it has stored, as far as can be shown. Where the tool gives an example, its numbers must be possible.
struct Both {
  int stored, read;
};
#define FRAME(name, before, store, read)                                                               \
  __global__ void name(const int *__restrict__ idx, const float *__restrict__ in, float *__restrict__ out, \
                       int n, Both given) {                                                            \
    __shared__ float tile[64];                                                                         \
    const int i = threadIdx.x;                                                                         \
    float sum = 0.f;                                                                                   \
    before                                                                                             \
    for (int t = 0; t < n; ++t) {                                                                      \
      if (i < (store)) tile[i] = in[t * 64 + i];                                                       \
      __syncthreads();                                                                                 \
      for (int j = 0; j < (read); ++j) sum += tile[j];                                                 \
      __syncthreads();                                                                                 \
    }                                                                                                  \
    out[blockIdx.x * 64 + i] = sum;                                                                    \
  }
FRAME(sameElement, , idx[t], idx[t + 0])
FRAME(elementsThatMayBeOne, , idx[t], idx[0] + 1)
FRAME(byPointer, const int *p = idx; , idx[t], *(p + t))
FRAME(ownStructure, Both own; own.stored = n; own.read = own.stored;, t + own.stored, t + own.read)
FRAME(ownArray, int own[2]; own[0] = n; own[1] = n; own[i & 1] = n;, t + own[0], t + own[1])
FRAME(inShared, __shared__ int bound[2]; if (i < 2) bound[i] = n; __syncthreads();, t + bound[0], t + bound[1])
FRAME(oneElement, , idx[t], 64)
FRAME(oneMember, , t + given.stored, 64)
FRAME(theCounter, , t, 64)
