__global__ void broken(float *data) { data[threadIdx.x] = undeclared; }
