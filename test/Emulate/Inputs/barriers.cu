// One loop over tiles, synchronised in all the ways in which people do by hand. -DREFERENCE: with
// __syncthreads(). -DBUG=n: the kernel named there lacks one thing.
#include <cooperative_groups.h>
#include <cstdint>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline.h>

#ifndef BUG
#define BUG 0
#endif

constexpr int T = 64;     // floats of a tile, and threads that compute
constexpr int Stages = 3;

__device__ float step(float acc, const float *tile, int t) {
  return acc * 0.5f + tile[t] - 0.25f * tile[(t * 7 + 3) % T];
}

#ifdef REFERENCE
__device__ void plain(const float *in, float *out, int n) {
  __shared__ float tile[T];
  float acc = 0;
  int t = threadIdx.x;
  for (int i = 0; i < n; ++i) {
    if (t < T)
      tile[t] = in[i * T + t];
    __syncthreads();
    if (t < T)
      acc = step(acc, tile, t);
    __syncthreads();
  }
  if (t < T)
    out[t] = acc;
}
#define KERNEL(Name) extern "C" __global__ void Name(const float *in, float *out, int n) { plain(in, out, n); }
KERNEL(split)
KERNEL(with_barrier)
KERNEL(with_pipeline)
KERNEL(count_of_producers)
KERNEL(roles)
KERNEL(primitives)
KERNEL(ptx)
KERNEL(named)
#else

namespace cg = cooperative_groups;
using barrier_t = cuda::barrier<cuda::thread_scope_block>;

// arrive() and wait() apart: what lies between them touches nothing that is shared.
extern "C" __global__ void split(const float *in, float *out, int n) {
  __shared__ float tile[2][T];
  __shared__ barrier_t bar;
  int t = threadIdx.x;
  if (t == 0)
    init(&bar, T);
#if BUG != 1
  __syncthreads();
#endif
  float acc = 0;
  for (int i = 0; i < n; ++i) {
    tile[i % 2][t] = in[i * T + t];
    barrier_t::arrival_token token = bar.arrive();
    acc *= 1.0f;
#if BUG == 2
    acc = step(acc, tile[i % 2], t);
    bar.wait(static_cast<barrier_t::arrival_token &&>(token));
#else
    bar.wait(static_cast<barrier_t::arrival_token &&>(token));
    acc = step(acc, tile[i % 2], t);
#endif
  }
  out[t] = acc;
}

// Copies that the barrier waits for.
extern "C" __global__ void with_barrier(const float *in, float *out, int n) {
  __shared__ alignas(16) float tile[T];
  __shared__ barrier_t full;
  auto block = cg::this_thread_block();
  if (block.thread_rank() == 0)
    init(&full, block.size());
  block.sync();
  float acc = 0;
  int t = threadIdx.x;
  for (int i = 0; i < n; ++i) {
    cuda::memcpy_async(block, tile, in + i * T, cuda::aligned_size_t<16>(T * sizeof(float)), full);
#if BUG != 3
    full.arrive_and_wait();
#endif
    acc = step(acc, tile, t);
#if BUG != 4
    block.sync();
#endif
  }
  out[t] = acc;
}

// A pipeline of the whole block; all threads load and compute.
extern "C" __global__ void with_pipeline(const float *in, float *out, int n) {
  __shared__ alignas(16) float tile[Stages][T];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, Stages> state;
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  float acc = 0;
  for (int compute = 0, fetch = 0; compute < n; ++compute) {
    for (; fetch < n && fetch < compute + Stages; ++fetch) {
#if BUG != 5
      pipe.producer_acquire();
#endif
      cuda::memcpy_async(block, tile[fetch % Stages], in + fetch * T, T * sizeof(float), pipe);
#if BUG != 6
      pipe.producer_commit();
#endif
    }
#if BUG != 7
    pipe.consumer_wait();
#endif
    acc = step(acc, tile[compute % Stages], block.thread_rank());
#if BUG != 8
    pipe.consumer_release();
#endif
  }
  out[block.thread_rank()] = acc;
}

// The last 32 of 96 threads load, the others compute.
template <class Pipe>
__device__ void warp_specialised(Pipe &pipe, bool loads, float (*tile)[T], const float *in, float *out,
                                 int n) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  if (loads) {
    for (int i = 0; i < n; ++i) {
      pipe.producer_acquire();
      cuda::memcpy_async(warp, tile[i % 2], in + i * T, cuda::aligned_size_t<8>(T * sizeof(float)), pipe);
      pipe.producer_commit();
    }
    return;
  }
  float acc = 0;
  int t = threadIdx.x % T;
  for (int i = 0; i < n; ++i) {
    pipe.consumer_wait();
#if BUG == 9
    pipe.consumer_release();
    acc = step(acc, tile[i % 2], t);
#else
    acc = step(acc, tile[i % 2], t);
    pipe.consumer_release();
#endif
  }
  out[t] = acc;
}
extern "C" __global__ void count_of_producers(const float *in, float *out, int n) {
  __shared__ alignas(16) float tile[2][T];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  auto block = cg::this_thread_block();
  // Producers are the threads of the lowest ranks.
  auto pipe = cuda::make_pipeline(block, &state, 32);
  bool loads = threadIdx.x < 32;
  auto warp = cg::tiled_partition<32>(block);
  float acc = 0;
  for (int i = 0; i < n; ++i)
    if (loads) {
      pipe.producer_acquire();
      cuda::memcpy_async(warp, tile[i % 2], in + i * T, T * sizeof(float), pipe);
      pipe.producer_commit();
    } else {
      pipe.consumer_wait();
      acc = step(acc, tile[i % 2], threadIdx.x - 32);
      pipe.consumer_release();
    }
  if (!loads)
    out[threadIdx.x - 32] = acc;
}
extern "C" __global__ void roles(const float *in, float *out, int n) {
  __shared__ alignas(16) float tile[2][T];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  bool loads = threadIdx.x >= T;
  auto pipe = cuda::make_pipeline(cg::this_thread_block(), &state,
                                  loads ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
  warp_specialised(pipe, loads, tile, in, out, n);
}

// Two barriers for each buffer, by hand.
extern "C" __global__ void primitives(const float *in, float *out, int n) {
  __shared__ float tile[2][T];
  __shared__ __mbarrier_t full[2], empty[2];
  int t = threadIdx.x;
  if (t < 2) {
    __mbarrier_init(&full[t], 32);
    __mbarrier_init(&empty[t], BUG == 10 ? T - 1 : T);
  }
  __syncthreads();
  if (t >= T) {
    for (int i = 0; i < n; ++i) {
      while (!__mbarrier_test_wait_parity(&empty[i % 2], (i / 2 & 1) ^ 1))
        ;
      for (int e = t - T; e < T; e += 32)
        __pipeline_memcpy_async(&tile[i % 2][e], &in[i * T + e], 4);
#if BUG != 11
      __pipeline_arrive_on(&full[i % 2]);
#endif
      __mbarrier_arrive(&full[i % 2]);
    }
  } else {
    float acc = 0;
    for (int i = 0; i < n; ++i) {
      while (!__mbarrier_try_wait_parity(&full[i % 2], i / 2 & (BUG == 12 ? 0 : 1), 1000))
        ;
      acc = step(acc, tile[i % 2], t);
      __mbarrier_arrive(&empty[i % 2]);
    }
    out[t] = acc;
  }
}

// The same in PTX, with a loop in the asm statement.
__device__ uint32_t shared_address(const void *p) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}
__device__ void wait_parity(uint64_t *bar, uint32_t parity) {
  asm volatile("{\n"
               ".reg .pred p;\n"
               "WAIT:\n"
               "mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n"
               "@p bra DONE;\n"
               "bra WAIT;\n"
               "DONE:\n"
               "}\n" ::"r"(shared_address(bar)),
               "r"(parity)
               : "memory");
}
extern "C" __global__ void ptx(const float *in, float *out, int n) {
  __shared__ alignas(16) float tile[2][T];
  __shared__ alignas(8) uint64_t full[2], empty[2];
  int t = threadIdx.x;
  if (t < 2) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(&full[t])), "r"(32));
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(&empty[t])), "r"(T));
  }
  __syncthreads();
  if (t >= T) {
    for (int i = 0; i < n; ++i) {
#if BUG != 13
      wait_parity(&empty[i % 2], (i / 2 & 1) ^ 1);
#endif
      if (t - T < T / 4)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                         shared_address(&tile[i % 2][(t - T) * 4])),
                     "l"(in + i * T + (t - T) * 4)
                     : "memory");
      asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(
                       shared_address(&full[i % 2]))
                   : "memory");
    }
  } else {
    float acc = 0;
    for (int i = 0; i < n; ++i) {
      wait_parity(&full[i % 2], i / 2 & 1);
      acc = step(acc, tile[i % 2], t);
      asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(&empty[i % 2]))
                   : "memory");
    }
    out[t] = acc;
  }
}

// bar.sync of some warps with bar.arrive of the others: 1 and 2 are full, 3 and 4 empty.
__device__ void named_sync(int id) { asm volatile("bar.sync %0, 96;" ::"r"(id) : "memory"); }
__device__ void named_arrive(int id) { asm volatile("bar.arrive %0, 96;" ::"r"(id) : "memory"); }
extern "C" __global__ void named(const float *in, float *out, int n) {
  __shared__ float tile[2][T];
  int t = threadIdx.x;
  if (t >= T) {
    for (int i = 0; i < n; ++i) {
      if (i >= 2)
        named_sync(3 + i % 2);
      for (int e = t - T; e < T; e += 32)
        tile[i % 2][e] = in[i * T + e];
#if BUG == 14
      if (i > 0)
        tile[(i + 1) % 2][t - T] = in[(i - 1) * T + t - T];
#endif
      named_arrive(1 + i % 2);
#if BUG == 15
      tile[i % 2][t - T] = in[i * T + t - T];
#endif
    }
  } else {
    float acc = 0;
    for (int i = 0; i < n; ++i) {
      named_sync(1 + i % 2);
      acc = step(acc, tile[i % 2], t);
      if (i + 2 < n)
        named_arrive(3 + i % 2);
    }
    out[t] = acc;
  }
}
#endif
