// The block says how much of the dynamic array is used; launches in the file are given twice as much where that can be.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int n) {
  extern __shared__ float s[];
  float acc = 0.f;
  for (int t = 0; t < n; ++t) {
    s[threadIdx.x] = in[t * blockDim.x + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < blockDim.x; ++i)
      acc = acc * 0.5f + s[i];
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = acc;
}
// LDG: extern __shared__ float s[];
// LDG: // 2 stages of 's' need 2 times its bytes; launches that give less run the loop as it was.
// LDG-NEXT: const unsigned s_bytes = (4 * blockDim.x + 15) / 16 * 16;
// LDG-NEXT: unsigned given_bytes;
// LDG-NEXT: asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(given_bytes));
// LDG-NEXT: if (given_bytes >= 2 * s_bytes) {
// LDG-NEXT:   using s_type = decltype(s);
// LDG-NEXT:   char *const s_stages = reinterpret_cast<char *>(s);
// LDG: auto store_tile = [&](int stage) {
// LDG-NEXT:   auto &s = reinterpret_cast<s_type &>(s_stages[stage * s_bytes]);
// LDG-NEXT:   s[threadIdx.x] = s_reg;
// LDG: for (int t = 0; t < n; ++t) {
// LDG:   auto &s = reinterpret_cast<s_type &>(s_stages[stage * s_bytes]);
// LDG: for (int i = 0; i < blockDim.x; ++i)
// LDG-NEXT:     acc = acc * 0.5f + s[i];
// LDG: } else {
// LDG-NEXT:   for (int t = 0; t < n; ++t) {
// LDG-NEXT:     s[threadIdx.x] = in[t * blockDim.x + threadIdx.x];
// LDG-NEXT:     __syncthreads();
// LDG-NEXT:     for (int i = 0; i < blockDim.x; ++i)
// LDG-NEXT:       acc = acc * 0.5f + s[i];
// LDG-NEXT:     __syncthreads();
// LDG-NEXT:   }
// LDG-NEXT: }
// LDG-NEXT: out[blockIdx.x * blockDim.x + threadIdx.x] = acc;
// ASYNC: if (given_bytes >= 2 * s_bytes) {
// ASYNC: auto &s = reinterpret_cast<s_type &>(s_stages[stage * s_bytes]);
// ASYNC-NEXT: __pipeline_memcpy_async(&s[threadIdx.x], &in[t * blockDim.x + threadIdx.x], sizeof(float));
// SINGLE-NOT: given_bytes
void launches(const float *a, float *b, int n, int threads, size_t bytes) {
  const int fixed = 96;
  k<<<8, 256, 256 * sizeof(float)>>>(a, b, n);
  k<<<8, fixed, fixed * 4>>>(a, b, n);
  k<<<8, threads, bytes>>>(a, b, n);
  k<<<8, 1024, 48 * 1024>>>(a, b, n);
}
// LDG: k<<<8, 256, 2 * (256 * sizeof(float))>>>(a, b, n);
// LDG: k<<<8, fixed, 2 * (fixed * 4)>>>(a, b, n);
// LDG: k<<<8, threads, 2 * ((bytes + 15) / 16 * 16) <= 49152 ? 2 * ((bytes + 15) / 16 * 16) : bytes>>>(a, b, n);
// LDG: k<<<8, 1024, 48 * 1024>>>(a, b, n);
/* launch
kernel: k
cases: [{n: 0, b: 64}, {n: 1, b: 64}, {n: 2, b: 32}, {n: 7, b: 96}, {n: 3, b: 256}]
grid: 2
block: b
shared: 4 * b
arguments:
  - {buffer: float, count: n * b + 1, role: input}
  - {buffer: float, count: 2 * b, role: output}
  - {value: n}
*/
