//===- cuda/__memcpy_async.h - What cuda::pipeline and cuda::barrier share
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// The library of the toolkit has its names in a versioned inline namespace; so has this one, so
/// that qualified names read alike. These three headers also serve next to a toolkit's own, for
/// files with a barrier in shared memory (Parse.cpp).
///
//===----------------------------------------------------------------------===//
#pragma once

#include <cuda_runtime.h>

namespace cuda {
namespace std {
inline namespace __4 {
enum thread_scope {
  thread_scope_system,
  thread_scope_device,
  thread_scope_block,
  thread_scope_thread
};
typedef decltype(sizeof(0)) size_t;
typedef decltype((char *)0 - (char *)0) ptrdiff_t;
struct __empty_completion {
  __host__ __device__ void operator()() noexcept {}
};
enum memory_order {
  memory_order_relaxed,
  memory_order_consume,
  memory_order_acquire,
  memory_order_release,
  memory_order_acq_rel,
  memory_order_seq_cst
};
} // namespace __4
} // namespace std

inline namespace __4 {
using std::thread_scope;
constexpr thread_scope thread_scope_system = std::thread_scope_system;
constexpr thread_scope thread_scope_device = std::thread_scope_device;
constexpr thread_scope thread_scope_block = std::thread_scope_block;
constexpr thread_scope thread_scope_thread = std::thread_scope_thread;
using std::memory_order;
using std::memory_order_acq_rel;
using std::memory_order_acquire;
using std::memory_order_relaxed;
using std::memory_order_release;
using std::memory_order_seq_cst;

template <size_t Alignment> struct aligned_size_t {
  static constexpr size_t align = Alignment;
  size_t value;
  __host__ __device__ explicit constexpr aligned_size_t(size_t v) : value(v) {}
  __host__ __device__ constexpr operator size_t() const { return value; }
};

enum class async_contract_fulfillment { none, async };

template <thread_scope Scope, class Completion = std::__empty_completion> class barrier {
public:
  typedef unsigned long long arrival_token;
  barrier() = default;
  barrier(const barrier &) = delete;
  barrier &operator=(const barrier &) = delete;
  __host__ __device__ barrier(ptrdiff_t, Completion = Completion());
  // Empty, for Clang wants no code to be needed for a variable in shared memory.
  __host__ __device__ ~barrier() {}
#ifndef __CPR_EMULATE__
  friend __host__ __device__ void init(barrier *, ptrdiff_t) {}
  friend __host__ __device__ void init(barrier *, ptrdiff_t, Completion) {}
#else
  friend __cpr_both_body void init(barrier *b, ptrdiff_t n) {
    __cpr_emu_mbarrier_init(b, (unsigned)n);
  }
  friend __cpr_both_body void init(barrier *b, ptrdiff_t n, Completion) {
    if (sizeof(Completion) > 1)
      __cpr_emu_unsupported("a cuda::barrier with a completion function");
    __cpr_emu_mbarrier_init(b, (unsigned)n);
  }
#endif
  __host__ __device__ arrival_token arrive(ptrdiff_t = 1);
  __host__ __device__ void wait(arrival_token &&) const;
  __host__ __device__ bool try_wait(arrival_token &&) const;
  __host__ __device__ void wait_parity(bool) const;
  __host__ __device__ bool try_wait_parity(bool) const;
  __host__ __device__ void arrive_and_wait();
  __host__ __device__ void arrive_and_drop();
  static constexpr __host__ __device__ ptrdiff_t max() { return 1048575; }

private:
  unsigned long long __barrier;
};
namespace device {
template <thread_scope Scope>
__device__ unsigned long long *barrier_native_handle(barrier<Scope> &);
template <thread_scope Scope>
__device__ typename barrier<Scope>::arrival_token barrier_arrive_tx(barrier<Scope> &, ptrdiff_t,
                                                                    ptrdiff_t);
template <thread_scope Scope> __device__ void barrier_expect_tx(barrier<Scope> &, ptrdiff_t);
template <class T, class Size, thread_scope Scope>
__device__ void memcpy_async_tx(T *, const T *, Size, barrier<Scope> &);
} // namespace device

enum class pipeline_role { producer, consumer };
template <thread_scope Scope, unsigned char Stages> class pipeline_shared_state {
public:
  pipeline_shared_state() = default;
  pipeline_shared_state(const pipeline_shared_state &) = delete;
  pipeline_shared_state &operator=(const pipeline_shared_state &) = delete;

private:
  unsigned long long __stages[2 * Stages];
  unsigned int __refcount;
};
template <thread_scope Scope> class pipeline {
public:
  pipeline(pipeline &&) = default;
  pipeline(const pipeline &) = delete;
  pipeline &operator=(const pipeline &) = delete;
#ifdef __CPR_EMULATE__ // for make_pipeline()
  __host__ __device__ pipeline(char *State, unsigned char Stages)
      : __head(0), __tail(0), __stages_count(Stages), __acquire_parity(true), __wait_parity(false),
        __shared_state(State) {}
#endif
  __host__ __device__ ~pipeline();
  __host__ __device__ bool quit();
  __host__ __device__ void producer_acquire();
  __host__ __device__ void producer_commit();
  __host__ __device__ void consumer_wait();
  __host__ __device__ void consumer_release();

private:
  unsigned char __head, __tail, __stages_count;
  bool __acquire_parity, __wait_parity;
  char *__shared_state;
#ifdef __CPR_EMULATE__
  // Of a stage: 0 at which producers arrive, 1 at which consumers do.
  __device__ void *__barrier(unsigned Stage, unsigned Which) {
    return (unsigned long long *)__shared_state + 2 * Stage + Which;
  }
#endif
};
__host__ __device__ pipeline<thread_scope_thread> make_pipeline();
template <class Group, thread_scope Scope, unsigned char Stages>
__host__ __device__ pipeline<Scope> make_pipeline(const Group &,
                                                  pipeline_shared_state<Scope, Stages> *);
template <class Group, thread_scope Scope, unsigned char Stages>
__host__ __device__ pipeline<Scope> make_pipeline(const Group &,
                                                  pipeline_shared_state<Scope, Stages> *, size_t);
template <class Group, thread_scope Scope, unsigned char Stages>
__host__ __device__ pipeline<Scope>
make_pipeline(const Group &, pipeline_shared_state<Scope, Stages> *, pipeline_role);
template <unsigned char Prior>
__host__ __device__ void pipeline_consumer_wait_prior(pipeline<thread_scope_thread> &);
template <thread_scope Scope>
__host__ __device__ void pipeline_producer_commit(pipeline<thread_scope_thread> &,
                                                  barrier<Scope> &);

template <class T, class Size, thread_scope Scope, class Completion>
__host__ __device__ async_contract_fulfillment memcpy_async(T *, const T *, Size,
                                                            barrier<Scope, Completion> &);
template <class Group, class T, class Size, thread_scope Scope, class Completion>
__host__ __device__ async_contract_fulfillment memcpy_async(const Group &, T *, const T *, Size,
                                                            barrier<Scope, Completion> &);
template <class T, class Size, thread_scope Scope>
__host__ __device__ async_contract_fulfillment memcpy_async(T *, const T *, Size,
                                                            pipeline<Scope> &);
template <class Group, class T, class Size, thread_scope Scope>
__host__ __device__ async_contract_fulfillment memcpy_async(const Group &, T *, const T *, Size,
                                                            pipeline<Scope> &);
} // namespace __4
} // namespace cuda

#ifdef __CPR_EMULATE__
#include "../emulate/cuda_async.h"
#endif
