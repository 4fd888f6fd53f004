#define MIN(a, b) ((a) < (b) ? (a) : (b))
__global__ void k(const float *__restrict__ in, float *__restrict__ out, size_t n) {
  __shared__ float s[64];
  const int x = threadIdx.x;
  float sum = 0;
  size_t i, at, t;
  size_t off, other;for(t=0;t<n;t+=16){size_t left;
    left = MIN(16+t,n)-t;
    off=t*2;
    other=off+16;
    for(i=threadIdx.x;i<left;i+=blockDim.x){
      at=i+off;
      s[i]=in[at]+in[other+i];
    }
    __syncthreads();
    for(i=0;i<left;++i)
      sum=sum*0.75f+s[i];
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + x] = sum;
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 16}, {n: 35}, {n: 80}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: 2 * n + 64, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {value: n}
*/
