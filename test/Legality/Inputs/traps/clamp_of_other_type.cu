// What is compared is a float, and a number without a sign: the literal that it begins with is an int.
__global__ void __launch_bounds__(64) clamp_of_other_type(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  float sum = 0;
  for (int k = 0; k < n; k += 64) {
    float far = 65;
    if (far / 2 > 32)
      far = 33.5f;
    unsigned rows = 64;
    if (rows > n - 128)
      rows = 17;
    tile[threadIdx.x] = threadIdx.x < rows && threadIdx.x < far ? in[k + threadIdx.x] : 0.0f;
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[i] * (i ^ threadIdx.x) + far + rows;
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
/* launch
kernel: clamp_of_other_type
cases: [{n: 0}, {n: 1}, {n: 64}, {n: 100}, {n: 140}, {n: 320}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: 512, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: n, scalar: int, value: n}
*/
