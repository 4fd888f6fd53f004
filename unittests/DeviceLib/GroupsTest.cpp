//===- GroupsTest.cpp - Warps, groups and copies of the device library ---===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Emulated.h"
#include <numeric>

namespace {

TEST(Warp, Shuffles) {
  Emulated E(R"(
    #include <cuda_fp16.h>
    template <class T> __device__ void shuffle(T mine, int d, int w, T *out) {
      out[0] = __shfl_sync(~0u, mine, d, w);
      out[1] = __shfl_up_sync(~0u, mine, d, w);
      out[2] = __shfl_down_sync(~0u, mine, d, w);
      out[3] = __shfl_xor_sync(~0u, mine, d, w);
    }
    __global__ void ints(int *d, int *w, int *out) { shuffle((int)threadIdx.x, *d, *w, out + 4 * threadIdx.x); }
    __global__ void doubles(int *d, int *w, double *out) { shuffle(threadIdx.x + 0.5, *d, *w, out + 4 * threadIdx.x); }
    __global__ void halves(int *d, int *w, half2 *out) {
      shuffle(half2(half((int)threadIdx.x), half(0)), *d, *w, out + 4 * threadIdx.x);
    })");
  for (int Width = 1; Width <= 32; Width *= 2)
    for (int Delta = 0; Delta != 32; ++Delta) {
      std::vector<int> D = {Delta}, W = {Width}, Out(128);
      std::vector<double> DOut(128);
      std::vector<uint32_t> HOut(128);
      E.pass("ints", 32, D, W, Out);
      E.pass("doubles", 32, D, W, DOut);
      E.pass("halves", 32, D, W, HOut);
      for (int Lane = 0; Lane != 32; ++Lane) {
        // The programming guide, in words: within the segment, or one's own.
        int First = Lane / Width * Width, Last = First + Width - 1;
        int Index = First + Delta % Width;
        int Up = Lane - Delta >= First ? Lane - Delta : Lane;
        int Down = Lane + Delta <= Last ? Lane + Delta : Lane;
        int Xor = (Lane ^ Delta) <= Last ? Lane ^ Delta : Lane;
        const int From[] = {Index, Up, Down, Xor};
        for (int K = 0; K != 4; ++K) {
          ASSERT_EQ(Out[size_t(4 * Lane + K)], From[K])
              << K << " delta " << Delta << " width " << Width << " lane " << Lane;
          ASSERT_EQ(DOut[size_t(4 * Lane + K)], From[K] + 0.5);
        }
      }
      ASSERT_EQ(HOut[4 * 5] & 0xffff,
                HOut[4 * size_t(5 / Width * Width + Delta % Width) + 1 * 0] & 0xffff);
    }
}

// Lanes go on one after another, and the first may have returned before the last looks at what was
// exchanged.
TEST(Warp, LanesThatHaveReturnedSince) {
  Emulated E(R"(
    __global__ void last(unsigned *out) {
      out[threadIdx.x] = __match_any_sync(~0u, 5);
    }
    __global__ void sums(unsigned *out) { out[threadIdx.x] = __reduce_add_sync(~0u, 1u); }
    __global__ void same(unsigned *out) {
      int p; out[threadIdx.x] = __match_all_sync(~0u, 5, &p) == ~0u && p && __uni_sync(~0u, 1);
    })");
  for (auto [Kernel, Expected] :
       {std::pair("last", ~0u), std::pair("sums", 32u), std::pair("same", 1u)}) {
    std::vector<unsigned> Out(32);
    E.pass(Kernel, 32, Out);
    EXPECT_EQ(Out, std::vector<unsigned>(32, Expected)) << Kernel;
  }
}

TEST(Warp, VotesMatchesAndReductions) {
  Emulated E(R"(
    __global__ void all(int *in, unsigned *out) {
      int t = threadIdx.x, v = in[t];
      unsigned *r = out + 16 * t;
      r[0] = __ballot_sync(~0u, v & 1); r[1] = __any_sync(~0u, v > 100); r[2] = __all_sync(~0u, v >= 0);
      r[3] = __uni_sync(~0u, v & 1); r[4] = __match_any_sync(~0u, v);
      int p; r[5] = __match_all_sync(~0u, v / 1000, &p); r[6] = p; r[7] = __match_all_sync(~0u, v, &p); r[8] = p;
      r[9] = __reduce_add_sync(~0u, v); r[10] = __reduce_min_sync(~0u, -v); r[11] = __reduce_max_sync(~0u, (unsigned)v);
      r[12] = __reduce_xor_sync(~0u, (unsigned)v); r[13] = __reduce_and_sync(~0u, (unsigned)v | 64);
      if (t % 2) r[14] = __ballot_sync(0xaaaaaaaa, v & 2); else r[14] = __ballot_sync(0x55555555, v & 1);
      r[15] = __syncthreads_count(v & 1) + 100 * __syncthreads_and(v >= 0) + 1000 * __syncthreads_or(v > 1000);
    }
    __global__ void lacking(unsigned *out) { if (threadIdx.x < 16) out[threadIdx.x] = __ballot_sync(0xff, 1); })");
  std::vector<int> In;
  for (int I = 0; I != 32; ++I)
    In.push_back(I * 7 % 13);
  std::vector<unsigned> Out(512);
  E.pass("all", 32, In, Out);
  unsigned Odd = 0, Two = 0, Xor = 0, And = ~0u;
  for (unsigned I = 0; I != 32; ++I) {
    Odd |= unsigned(In[I] & 1) << I;
    Two |= unsigned(In[I] >> 1 & 1) << I;
    Xor ^= unsigned(In[I]);
    And &= unsigned(In[I]) | 64;
  }
  for (unsigned I = 0; I != 32; ++I) {
    unsigned Same = 0;
    for (unsigned K = 0; K != 32; ++K)
      Same |= unsigned(In[K] == In[I]) << K;
    const unsigned Want[] = {Odd,
                             0,
                             1,
                             0,
                             Same,
                             ~0u,
                             1,
                             0,
                             0,
                             unsigned(std::accumulate(In.begin(), In.end(), 0)),
                             unsigned(-12),
                             12,
                             Xor,
                             And,
                             I % 2 ? Two & 0xaaaaaaaa : Odd & 0x55555555,
                             unsigned(__builtin_popcount(Odd)) + 100};
    for (unsigned K = 0; K != 16; ++K)
      ASSERT_EQ(Out[16 * I + K], Want[K]) << K << " in lane " << I;
  }
  E.run("lacking", 32, Out);
  EXPECT_NE(E.Fault.find("lacks the calling lane"), std::string::npos) << E.Fault;
}

TEST(CooperativeGroups, TilesAndCoalescedThreads) {
  Emulated E(R"(
    #include <cooperative_groups.h>
    #include <cooperative_groups/reduce.h>
    #include <cooperative_groups/scan.h>
    namespace cg = cooperative_groups;
    __global__ void tiles(int *out) {
      int t = threadIdx.x, *r = out + 16 * t;
      cg::thread_block b = cg::this_thread_block();
      auto tile = cg::tiled_partition<8>(b);
      cg::thread_block_tile<4> inner = cg::tiled_partition<4>(tile);
      r[0] = tile.thread_rank(); r[1] = tile.meta_group_rank(); r[2] = tile.meta_group_size(); r[3] = inner.meta_group_rank();
      r[4] = inner.meta_group_size(); r[5] = tile.shfl(t, 3); r[6] = tile.shfl_xor(t, 5); r[7] = tile.shfl_down(t, 2);
      r[8] = tile.ballot(t % 3 == 0); r[9] = cg::reduce(tile, t, cg::plus<int>()); r[10] = cg::reduce(inner, t, cg::greater<int>());
      r[11] = cg::inclusive_scan(tile, t); r[12] = cg::exclusive_scan(tile, t, cg::plus<int>()); r[13] = b.thread_rank() + b.size();
      cg::thread_group g = cg::tiled_partition(b, 16);
      r[14] = g.thread_rank() + 100 * g.size(); g.sync();
      r[15] = tile.any(t == 9) + 10 * tile.all(t < 32);
    }
    __global__ void parts(int *out) {
      int t = threadIdx.x, *r = out + 16 * t;
      auto w = cg::coalesced_threads();
      auto odd = cg::binary_partition(w, t % 2);
      r[0] = odd.thread_rank(); r[1] = odd.size(); r[2] = odd.shfl(t, 2); r[3] = odd.shfl_up(t, 1);
      r[4] = cg::reduce(odd, t, cg::plus<int>()); r[5] = odd.meta_group_rank(); r[6] = odd.ballot(t < 8);
      auto label = cg::labeled_partition(w, t % 3);
      r[7] = label.thread_rank(); r[8] = label.size(); r[9] = label.meta_group_rank(); r[10] = label.meta_group_size();
      r[11] = cg::exclusive_scan(label, t); auto q = cg::tiled_partition(odd, 4); r[12] = q.shfl(t, 0); r[13] = q.size();
      r[14] = odd.match_any(t / 4); r[15] = label.shfl_down(t, 1);
    }
    // Lanes in a branch, in a loop that they leave one after the other, and those that wait elsewhere.
    __global__ void branches(int *out) {
      int t = threadIdx.x, *r = out + 16 * t;
      if (t == 9) return;
      for (int i = 0; i < 16; ++i) r[i] = 0;
      if (t % 3 == 0) {
        r[0] = __activemask();
        auto g = cg::coalesced_threads();
        r[1] = g.size() + 100 * g.thread_rank();
        r[2] = __shfl_sync(__activemask(), t, 27);
      } else {
        r[0] = __activemask();
        __syncwarp(r[0]);
        r[3] = __activemask();
      }
      int rounds = 0;
      for (int i = 0; i < t % 4; ++i) rounds += __popc(__activemask());
      r[4] = rounds;
      asm volatile("activemask.b32 %0;" : "=r"(r[5]));
    }
    __global__ void big(int *out) { auto t = cg::tiled_partition<64>(cg::this_thread_block()); t.sync(); })");
  std::vector<int> Out(16 * 64);
  E.pass("tiles", 64, Out);
  for (int T = 0; T != 64; ++T) {
    int F = T / 8 * 8, Ballot = 0, Scan = 0;
    for (int K = 0; K != 8; ++K) {
      Ballot |= ((F + K) % 3 == 0) << K;
      Scan += F + K <= T ? F + K : 0;
    }
    const int Want[] = {T % 8,
                        T / 8,
                        8,
                        T % 8 / 4,
                        2,
                        F + 3,
                        T ^ 5,
                        T % 8 < 6 ? T + 2 : T,
                        Ballot,
                        8 * F + 28,
                        T / 4 * 4 + 3,
                        Scan,
                        Scan - T,
                        T + 64,
                        T % 16 + 1600,
                        (F == 8) + 10 * (F < 32)};
    for (int K = 0; K != 16; ++K)
      ASSERT_EQ(Out[size_t(16 * T + K)], Want[K]) << K << " in thread " << T;
  }
  E.pass("branches", 40, Out);
  const unsigned All = ~(1u << 9), Thirds = 0x49249249u & All;
  for (int T = 0; T != 32; ++T) {
    if (T == 9)
      continue;
    auto Rank = [](unsigned Set, int Lane) { return llvm::popcount(Set & ((1u << Lane) - 1)); };
    bool Third = T % 3 == 0;
    int Rounds = 0;
    for (int I = 0; I < T % 4; ++I)
      for (int K = 0; K != 32; ++K)
        Rounds += K != 9 && K % 4 > I;
    const int Want[] = {int(Third ? Thirds : All & ~Thirds),
                        Third ? llvm::popcount(Thirds) + 100 * Rank(Thirds, T) : 0,
                        Third ? 27 : 0,
                        int(Third ? 0 : All & ~Thirds),
                        Rounds,
                        int(All)};
    for (int K = 0; K != 6; ++K)
      ASSERT_EQ(Out[size_t(16 * T + K)], Want[K]) << K << " in thread " << T;
  }
  EXPECT_EQ(Out[16 * 36], 1 << 4 | 1 << 7 | 1 << 1); // thread 36 of the second warp's 8
  E.pass("parts", 32, Out);
  for (int T = 0; T != 32; ++T) {
    int P = T % 2, L = T % 3, Rank = T / 2, Size = L == 2 ? 10 : 11, Scan = 0;
    for (int K = L; K < T; K += 3)
      Scan += K;
    int Match = 0;
    for (int K = P, R = 0; K < 32; K += 2, ++R)
      Match |= (K / 4 == T / 4) << R;
    const int Want[] = {Rank,
                        16,
                        4 + P,
                        Rank ? T - 2 : T,
                        240 + 16 * P,
                        P,
                        15,
                        T / 3,
                        Size,
                        L,
                        3,
                        Scan,
                        Rank / 4 * 8 + P,
                        4,
                        Match,
                        T / 3 + 1 < Size ? T + 3 : T};
    for (int K = 0; K != 16; ++K)
      ASSERT_EQ(Out[size_t(16 * T + K)], Want[K]) << K << " in thread " << T;
  }
  E.run("big", 64, Out);
  EXPECT_NE(E.Fault.find("a tile of more than 32 threads"), std::string::npos) << E.Fault;
}

TEST(Copies, PrimitivesGroupsAndPipelines) {
  Emulated E(R"(
    #include <cuda_pipeline_primitives.h>
    #include <cuda_pipeline.h>
    #include <cooperative_groups.h>
    #include <cooperative_groups/memcpy_async.h>
    #include <cuda/pipeline>
    #include <cuda/barrier>
    namespace cg = cooperative_groups;
    __global__ void primitives(float4 *in, float4 *out) {
      __shared__ float4 s[2][32];
      int t = threadIdx.x;
      __pipeline_memcpy_async(&s[0][t], in + t, 16);
      __pipeline_commit();
      __pipeline_memcpy_async(&s[1][t], in + 32 + t, 16, 12);
      __pipeline_commit();
      __pipeline_wait_prior(1);
      out[t] = s[0][t];
      __pipeline_wait_prior(0);
      out[32 + t] = s[1][t];
    }
    __global__ void early(float4 *in, float4 *out) {
      __shared__ float4 s[2][32];
      int t = threadIdx.x;
      __pipeline_memcpy_async(&s[0][t], in + t, 16);
      __pipeline_commit();
      __pipeline_wait_prior(1);
      out[t] = s[0][t];
    }
    __global__ void groups(char *in, char *out) {
      __shared__ __align__(16) char s[512];
      cg::thread_block b = cg::this_thread_block();
      cg::memcpy_async(b, s, in, 403);
      cg::memcpy_async(b, s + 405, in + 403, 50);
      cg::wait_prior<1>(b);
      for (int i = threadIdx.x; i < 403; i += blockDim.x) out[i] = s[i];
      cg::wait(b);
      for (int i = threadIdx.x; i < 50; i += blockDim.x) out[403 + i] = s[405 + i];
    }
    __global__ void stages(float *in, float *out) {
      __shared__ float s[2][32];
      int t = threadIdx.x;
      auto pipe = cuda::make_pipeline();
      for (int i = 0; i < 8; ++i) {
        if (i == 0) { pipe.producer_acquire(); cuda::memcpy_async(&s[0][t], in + t, sizeof(float), pipe); pipe.producer_commit(); }
        if (i + 1 < 8) {
          pipe.producer_acquire();
          cuda::memcpy_async(&s[(i + 1) % 2][t], in + 32 * (i + 1) + t, sizeof(float), pipe);
          pipe.producer_commit();
        }
        pipe.consumer_wait();
        out[32 * i + t] = s[i % 2][t];
        pipe.consumer_release();
      }
    }
    __global__ void bar(float *in, float *out) {
      __shared__ float s[32];
      __shared__ cuda::barrier<cuda::thread_scope_block> b;
      auto g = cg::this_thread_block();
      if (threadIdx.x == 0) init(&b, blockDim.x);
      __syncthreads();
      cuda::memcpy_async(g, s, in, sizeof(s), b);
      b.arrive_and_wait();
      out[threadIdx.x] = s[31 - threadIdx.x];
    }
    __global__ void promised(float *in, float *out) {
      __shared__ __align__(16) float s[32];
      cg::memcpy_async(cg::this_thread_block(), s, in + 1, cuda::aligned_size_t<16>(16));
    }
    __global__ void old(float4 *in, float4 *out) {
      __shared__ float4 s[32];
      nvcuda::experimental::pipeline p;
      nvcuda::experimental::memcpy_async(s[threadIdx.x], in[threadIdx.x], p);
      p.commit_and_wait();
      out[threadIdx.x] = s[threadIdx.x];
    }
    __global__ void uninitialised(float *in, float *out) {
      __shared__ cuda::barrier<cuda::thread_scope_block> b;
      b.wait(b.arrive());
    }
    struct Done { __device__ void operator()() {} int *p; };
    __global__ void completion(float *in, float *out) {
      __shared__ cuda::barrier<cuda::thread_scope_block, Done> b;
      if (threadIdx.x == 0) init(&b, 32, Done());
    }
    __global__ void global(float *in, float *out) {
      auto *b = (cuda::barrier<cuda::thread_scope_device> *)out;
      if (threadIdx.x == 0) init(b, 32);
    }
    // 12 of 32 threads leave after the first phase, those that stay give 20 arrivals in two calls.
    __global__ void drop(float *in, float *out) {
      __shared__ cuda::barrier<cuda::thread_scope_block> b;
      __shared__ float s[32];
      int t = threadIdx.x;
      if (t == 0) init(&b, 32);
      __syncthreads();
      s[t] = in[t];
      if (t >= 20) { b.arrive_and_drop(); return; }
      b.arrive_and_wait();
      float v = 0;
      if (t % 2 == 0) { v = s[31 - t]; b.wait(b.arrive(2)); }
      else b.wait_parity(true); // has nothing to say
      s[t] = v + 1;
      __syncthreads();
      out[t] = s[19 - t];
    }
    __global__ void many(float *in, float *out) {
      __shared__ cuda::barrier<cuda::thread_scope_block> b;
      if (threadIdx.x == 0) init(&b, 31);
      __syncthreads();
      b.arrive(31);
      b.arrive(32);
    })");
  std::vector<float> In(256), Out(256);
  std::iota(In.begin(), In.end(), 1.0f);
  E.pass("primitives", 32, In, Out);
  for (size_t I = 0; I != 256; ++I)
    ASSERT_EQ(Out[I], I >= 128 && I % 4 != 0 ? 0.0f : In[I]) << I;
  E.run("early", 32, In, Out);
  EXPECT_NE(E.Fault.find("in flight"), std::string::npos) << E.Fault;
  EXPECT_EQ(E.Place.substr(0, 14), "kernels.cu:27:") << E.Place;
  std::vector<uint8_t> Bytes(512), Copied(512);
  for (size_t I = 0; I != 512; ++I)
    Bytes[I] = static_cast<uint8_t>(I * 37 + 1);
  E.pass("groups", 48, Bytes, Copied);
  for (size_t I = 0; I != 453; ++I)
    ASSERT_EQ(Copied[I], Bytes[I]) << I;
  Out.assign(256, 0);
  E.pass("stages", 32, In, Out);
  EXPECT_EQ(Out, In);
  E.pass("bar", 32, In, Out);
  EXPECT_EQ(Out[5], In[26]);
  E.run("promised", 32, In, Out);
  EXPECT_EQ(E.Fault, "a memcpy_async that promises more alignment than there is");
  Out.assign(256, 0);
  E.pass("old", 32, In, Out);
  EXPECT_EQ(Out[127], In[127]);
  E.run("uninitialised", 32, In, Out);
  EXPECT_EQ(E.Fault, "an mbarrier is used that was not initialised");
  E.run("completion", 32, In, Out);
  EXPECT_EQ(E.Fault, "a cuda::barrier with a completion function");
  E.run("global", 32, In, Out);
  EXPECT_EQ(E.Fault, "an mbarrier that is not in shared memory");
  E.pass("drop", 32, In, Out);
  EXPECT_EQ(Out[3], In[15] + 1);
  E.run("many", 32, In, Out);
  EXPECT_EQ(E.Fault, "32 arrivals at an mbarrier whose phase expects 31 more");
}

} // namespace
