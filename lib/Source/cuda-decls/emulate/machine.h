//===- machine.h - What the emulated GPU offers to device code
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// With __CPR_EMULATE__ the bundled declarations get bodies (the headers in this folder), so that a
/// kernel can be run on a CPU. They are ordinary device code; what only the machine can do is
/// below, and is explained in lib/Verify/Ptx/Thread.h. Loads and stores in a body are checked like
/// the kernel's own, and messages name the line of the kernel that called, because every body is
/// inlined and has no lines of its own (__cpr_body).
///
//===----------------------------------------------------------------------===//
#pragma once

#define __cpr_body __device__ inline __attribute__((always_inline, nodebug))
#define __cpr_both_body __host__ __device__ inline __attribute__((always_inline, nodebug))
#define __cpr_member_body __device__ __attribute__((always_inline, nodebug))

// A function that is declared and has no meaning here: a run that calls it ends with its name.
#define __cpr_unsupported(What)                                                                    \
  { __cpr_emu_unsupported(What); }

extern "C" {
// cp.async
__device__ void __cpr_emu_copy_async(void *Shared, const void *Global, unsigned Bytes,
                                     unsigned ZeroFill);
__device__ void __cpr_emu_commit_group();
__device__ void __cpr_emu_wait_group(unsigned Pending);
__device__ void __cpr_emu_wait_all();

// A fault if the address is one of shared or local memory.
__device__ void __cpr_emu_need_global(const void *Address);
// A fault if the launch has written one of the bytes.
__device__ void __cpr_emu_need_lasting(const void *Address, unsigned Bytes);

// Barriers. Threads 0: the whole block. The result counts the threads with a predicate that is set.
__device__ unsigned __cpr_emu_barrier(unsigned Id, unsigned Threads, int Predicate)
    __attribute__((convergent));
__device__ void __cpr_emu_barrier_arrive(unsigned Id, unsigned Threads) __attribute__((convergent));
__device__ void __cpr_emu_sync_warp(unsigned Mask) __attribute__((convergent));

// mbarrier. A phase is named by the state that an arrival has returned, or by its parity.
__device__ void __cpr_emu_mbarrier_init(void *Barrier, unsigned Count);
__device__ void __cpr_emu_mbarrier_invalidate(void *Barrier);
__device__ unsigned long long __cpr_emu_mbarrier_arrive(void *Barrier, unsigned Count, unsigned Drop);
__device__ void __cpr_emu_mbarrier_arrive_on_copies(void *Barrier, unsigned Counted);
__device__ void __cpr_emu_mbarrier_wait(const void *Barrier, unsigned Parity,
                                        unsigned long long Phase) __attribute__((convergent));
__device__ unsigned __cpr_emu_mbarrier_test(const void *Barrier, unsigned Parity,
                                            unsigned long long Phase) __attribute__((convergent));

// Every lane of Mask gives Bytes and gets 32 slots of Bytes, one per lane; valid until the next
// call.
__device__ const void *__cpr_emu_exchange(unsigned Mask, const void *Mine, unsigned Bytes)
    __attribute__((convergent));
__device__ unsigned __cpr_emu_lane();
// Lanes of the warp that have not returned, and those that come to this place together.
__device__ unsigned __cpr_emu_live_lanes();
// Those that took part in the last exchange; some may have returned since.
__device__ unsigned __cpr_emu_met_lanes();
__device__ unsigned __cpr_emu_active_mask() __attribute__((convergent));

// An access that is performed by other means than a load or a store of the body.
// Kind: 0 read, 1 write, 2 atomic read, 3 atomic write.
__device__ void __cpr_emu_access(unsigned Kind, const void *Address, size_t Bytes, unsigned Align);

// Fences order accesses of other blocks as well, which the machine cannot see from the accesses
// alone.
__device__ void __cpr_emu_fence();

// Space: "shared", "global", "local", "const".
__device__ unsigned __cpr_emu_is_space(const void *Address, const char *Space);

// Special registers by PTX name ("dynamic_smem_size", "clock64").
__device__ unsigned long long __cpr_emu_special_register(const char *Name);

__device__ void __cpr_emu_fault(const char *What) __attribute__((noreturn));
__device__ void __cpr_emu_unsupported(const char *What) __attribute__((noreturn));
}
