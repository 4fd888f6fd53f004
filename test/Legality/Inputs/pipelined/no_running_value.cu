// What is loaded is added to before it is stored, among others to what the turn before has left: a scan, and nothing is loaded ahead.
__global__ void scan(const float *__restrict__ in, float *__restrict__ out, int n, int turns) {
  __shared__ float part[128], carry;
  float run = 0;
  const int lane = threadIdx.x;
  int at = blockIdx.x * n + lane;
  const int end = blockIdx.x * n + n;
  if (lane == 127)
    carry = run;
  __syncthreads();
  for (int t = 0; t < turns; t++) {
    if (at >= end)
      run = 0;
    else
      run = in[at];
    if (lane == 0)
      run = run + carry;
    part[lane] = run;
    __syncthreads();
    for (int far = 1; far < 128; far *= 2) {
      if (lane >= far)
        run = run + part[lane - far];
      __syncthreads();
      part[lane] = run;
      __syncthreads();
    }
    if (at < end)
      out[at] = run;
    if (lane == 127)
      carry = run;
    at += 128;
    __syncthreads();
  }
}
