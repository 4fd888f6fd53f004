#include <cuda_runtime.h>
namespace hp { struct pt { double x, y; }; template <class T> struct Box { T v; }; struct Args { struct pt { double x, y; }; const pt *in; }; inline namespace v2 { struct qt { double x, y; }; } }
struct pt { float x, y; __device__ pt() {} __device__ pt(const hp::pt &o) : x(o.x), y(o.y) {} __device__ operator hp::pt() const { return {x, y}; } };
namespace app {
struct qt { float x, y; };
__global__ void hl(const hp::pt *__restrict__ in, double *__restrict__ out, int n)
{
    __shared__ hp::pt s[64];
    double acc = 0; struct hp { struct pt { float x, y; __device__ void operator=(const ::hp::pt &o) { x = o.x; y = o.y; } __device__ operator ::hp::pt() const { return {x, y}; } }; };
    for (int t = 0; t < n; ++t) {
        s[threadIdx.x] = in[t * 64 + threadIdx.x];
        __syncthreads();
        acc += s[63 - threadIdx.x].x * s[threadIdx.x].y;
        __syncthreads();
    }
    out[threadIdx.x] = acc;
}
}
/* launch
kernel: app::hl
cases: [{t: 0}, {t: 1}, {t: 2}, {t: 5}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: double, count: "t*128", role: input}
  - {name: out, buffer: double, count: "64", role: output}
  - {name: n, value: "t"}
*/
