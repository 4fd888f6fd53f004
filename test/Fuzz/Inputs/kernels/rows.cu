#include "rows.cuh"

template __global__ void rows<32>(const float *, const float *, float *, int);
