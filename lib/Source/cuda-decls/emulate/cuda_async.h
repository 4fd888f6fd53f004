//===- emulate/cuda_async.h - Bodies of cuda::barrier, cuda::pipeline, cuda::memcpy_async
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// A barrier is an mbarrier, as in the library. Emulated are those in shared memory.
///
/// A pipeline of one thread is a queue of groups of copies: __head counts stages that were committed,
/// __tail stages that were released; both run over. One that threads share has two barriers for each
/// stage, at which producers and consumers arrive; __head and __tail are stages, and the parities
/// change when they run around.
///
//===----------------------------------------------------------------------===//
#pragma once

#include "copy.h"

namespace cuda {
inline namespace __4 {

#define __cpr_barrier template <thread_scope Scope, class Completion>
__cpr_body void __cpr_init_barrier(void *Barrier, ptrdiff_t Count, unsigned CompletionBytes) {
  if (CompletionBytes > 1)
    __cpr_emu_unsupported("a cuda::barrier with a completion function");
  __cpr_emu_mbarrier_init(Barrier, (unsigned)Count);
}
__cpr_barrier __cpr_both_body barrier<Scope, Completion>::barrier(ptrdiff_t Count, Completion) {
  __cpr_init_barrier(this, Count, sizeof(Completion));
}
__cpr_barrier __cpr_both_body typename barrier<Scope, Completion>::arrival_token
barrier<Scope, Completion>::arrive(ptrdiff_t Count) {
  return __cpr_emu_mbarrier_arrive(this, (unsigned)Count, 0);
}
__cpr_barrier __cpr_both_body void barrier<Scope, Completion>::wait(arrival_token &&t) const {
  __cpr_emu_mbarrier_wait(this, 0, t);
}
__cpr_barrier __cpr_both_body bool barrier<Scope, Completion>::try_wait(arrival_token &&t) const {
  return __cpr_emu_mbarrier_test(this, 0, t);
}
__cpr_barrier __cpr_both_body void barrier<Scope, Completion>::wait_parity(bool p) const {
  __cpr_emu_mbarrier_wait(this, 1, p);
}
__cpr_barrier __cpr_both_body bool barrier<Scope, Completion>::try_wait_parity(bool p) const {
  return __cpr_emu_mbarrier_test(this, 1, p);
}
__cpr_barrier __cpr_both_body void barrier<Scope, Completion>::arrive_and_drop() {
  __cpr_emu_mbarrier_arrive(this, 1, 1);
}
__cpr_barrier __cpr_both_body void barrier<Scope, Completion>::arrive_and_wait() {
  __cpr_emu_mbarrier_wait(this, 0, __cpr_emu_mbarrier_arrive(this, 1, 0));
}
#undef __cpr_barrier
namespace device {
template <thread_scope Scope>
__cpr_body unsigned long long *barrier_native_handle(barrier<Scope> &b) {
  return (unsigned long long *)&b;
}
template <thread_scope Scope>
__cpr_body typename barrier<Scope>::arrival_token barrier_arrive_tx(barrier<Scope> &, ptrdiff_t,
                                                                    ptrdiff_t)
    __cpr_unsupported("cuda::device::barrier_arrive_tx")
template <thread_scope Scope>
__cpr_body void barrier_expect_tx(barrier<Scope> &, ptrdiff_t)
    __cpr_unsupported("cuda::device::barrier_expect_tx")
template <class T, class Size, thread_scope Scope>
__cpr_body void memcpy_async_tx(T *, const T *, Size, barrier<Scope> &)
    __cpr_unsupported("cuda::device::memcpy_async_tx")
} // namespace device

template <thread_scope Scope> __cpr_both_body pipeline<Scope>::~pipeline() {}
template <thread_scope Scope> __cpr_both_body bool pipeline<Scope>::quit() {
  __cpr_emu_unsupported("cuda::pipeline::quit");
}
template <thread_scope Scope> __cpr_both_body void pipeline<Scope>::producer_acquire() {
  if (__shared_state) // a thread alone does not wait for itself
    __cpr_emu_mbarrier_wait(__barrier(__head, 1), 1, __acquire_parity);
}
template <thread_scope Scope> __cpr_both_body void pipeline<Scope>::producer_commit() {
  if (!__shared_state) {
    __cpr_emu_commit_group();
    ++__head;
    return;
  }
  __cpr_emu_mbarrier_arrive_on_copies(__barrier(__head, 0), 0);
  __cpr_emu_mbarrier_arrive(__barrier(__head, 0), 1, 0);
  if (++__head == __stages_count) {
    __head = 0;
    __acquire_parity = !__acquire_parity;
  }
}
template <thread_scope Scope> __cpr_both_body void pipeline<Scope>::consumer_wait() {
  if (__shared_state) {
    __cpr_emu_mbarrier_wait(__barrier(__tail, 0), 1, __wait_parity);
    return;
  }
  // As libcu++ does: the wait takes the stage, and nothing is given back.
  unsigned char Stages = (unsigned char)(__head - __tail);
  if (Stages == 0)
    return;
  __cpr_emu_wait_group(Stages - 1u);
  ++__tail;
}
template <thread_scope Scope> __cpr_both_body void pipeline<Scope>::consumer_release() {
  if (!__shared_state)
    return;
  __cpr_emu_mbarrier_arrive(__barrier(__tail, 1), 1, 0);
  if (++__tail == __stages_count) {
    __tail = 0;
    __wait_parity = !__wait_parity;
  }
}

__cpr_both_body pipeline<thread_scope_thread> make_pipeline() {
  return pipeline<thread_scope_thread>(nullptr, 0);
}
template <thread_scope Scope, class Group>
__cpr_body pipeline<Scope> __cpr_make_pipeline(const Group &g, void *State, unsigned char Stages,
                                               unsigned Producers, unsigned Consumers) {
  if (Scope == thread_scope_thread)
    __cpr_emu_unsupported("a cuda::pipeline of one thread with a shared state");
  if (g.thread_rank() == 0)
    for (unsigned i = 0; i < Stages; ++i) {
      __cpr_emu_mbarrier_init((unsigned long long *)State + 2 * i, Producers);
      __cpr_emu_mbarrier_init((unsigned long long *)State + 2 * i + 1, Consumers);
    }
  g.sync();
  return pipeline<Scope>((char *)State, Stages);
}
template <class Group, thread_scope Scope, unsigned char Stages>
__cpr_both_body pipeline<Scope> make_pipeline(const Group &g,
                                              pipeline_shared_state<Scope, Stages> *s) {
  unsigned All = (unsigned)g.size();
  return __cpr_make_pipeline<Scope>(g, s, Stages, All, All);
}
template <class Group, thread_scope Scope, unsigned char Stages>
__cpr_both_body pipeline<Scope>
make_pipeline(const Group &g, pipeline_shared_state<Scope, Stages> *s, size_t Producers) {
  return __cpr_make_pipeline<Scope>(g, s, Stages, (unsigned)Producers,
                                    (unsigned)g.size() - (unsigned)Producers);
}
template <class Group, thread_scope Scope, unsigned char Stages>
__cpr_both_body pipeline<Scope>
make_pipeline(const Group &g, pipeline_shared_state<Scope, Stages> *s, pipeline_role Role) {
  // The producers count themselves.
  unsigned *Count = (unsigned *)((unsigned long long *)s + 2 * Stages);
  if (g.thread_rank() == 0)
    *Count = 0;
  g.sync();
  if (Role == pipeline_role::producer)
    atomicAdd(Count, 1u);
  g.sync();
  unsigned Producers = *Count;
  return __cpr_make_pipeline<Scope>(g, s, Stages, Producers, (unsigned)g.size() - Producers);
}
template <unsigned char Prior>
__cpr_both_body void pipeline_consumer_wait_prior(pipeline<thread_scope_thread> &) {
  __cpr_emu_wait_group(Prior);
}
template <thread_scope Scope>
__cpr_both_body void pipeline_producer_commit(pipeline<thread_scope_thread> &, barrier<Scope> &b) {
  __cpr_emu_mbarrier_arrive_on_copies(&b, 0);
}

// The group of one.
template <class Group> __cpr_both_body unsigned __cpr_group_rank(const Group &g) {
  return (unsigned)g.thread_rank();
}
template <class Group> __cpr_both_body unsigned __cpr_group_size(const Group &g) {
  return (unsigned)g.size();
}
// A pipeline binds them when it commits.
template <thread_scope Scope, class Completion>
__cpr_body void __cpr_bind_copies(barrier<Scope, Completion> &b) {
  __cpr_emu_mbarrier_arrive_on_copies(&b, 0);
}
template <thread_scope Scope> __cpr_body void __cpr_bind_copies(pipeline<Scope> &) {}
#define __cpr_memcpy_async(Head, Group, Rank, Count, Sink)                                         \
  template <Head class T, class Size, thread_scope Scope __cpr_more>                               \
  __cpr_both_body async_contract_fulfillment memcpy_async(Group T *To, const T *From, Size Bytes,  \
                                                          Sink &s) {                               \
    __cpr_check_promise(To, From, Bytes);                                                          \
    __cpr_copy_part(To, From, (size_t)Bytes, Rank, Count);                                         \
    __cpr_bind_copies(s);                                                                          \
    return async_contract_fulfillment::async;                                                      \
  }
#define __cpr_comma ,
#define __cpr_more , class Completion
__cpr_memcpy_async(, , 0, 1, barrier<Scope __cpr_comma Completion>)
__cpr_memcpy_async(class Group __cpr_comma, const Group &g __cpr_comma, __cpr_group_rank(g),
                   __cpr_group_size(g), barrier<Scope __cpr_comma Completion>)
#undef __cpr_more
#define __cpr_more
__cpr_memcpy_async(, , 0, 1, pipeline<Scope>)
__cpr_memcpy_async(class Group __cpr_comma, const Group &g __cpr_comma, __cpr_group_rank(g),
                   __cpr_group_size(g), pipeline<Scope>)
#undef __cpr_more
#undef __cpr_comma
#undef __cpr_memcpy_async

} // namespace __4
} // namespace cuda
