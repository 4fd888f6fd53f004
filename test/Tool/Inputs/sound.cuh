#ifndef SOUND_CUH
#define SOUND_CUH
#ifdef FROM_THE_MISSING_HEADER
#define INDEX 1
#else
#define INDEX 0
#endif
__device__ inline int headersIndex() { return INDEX; }
__device__ inline int soundIndex() { return 3; }
#endif
