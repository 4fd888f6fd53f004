//===- MemoryTest.cpp - Loads, stores, atomics, asynchronous copies, barriers ===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "MockWarp.h"
#include "Verify/Ptx/Convert.h"
#include "gtest/gtest.h"
#include <cstring>

using namespace llvm;
using namespace cuda_pipeline::emulator;

namespace {

using Operands = std::vector<std::vector<uint64_t>>;

uint64_t address(const void *P) { return reinterpret_cast<uint64_t>(P); }

struct MemoryTest : testing::Test {
  MockWarp Warp{1};
  alignas(32) uint32_t Global[16] = {};

  /// One thread; the operands afterwards.
  std::vector<uint64_t> run(StringRef Text, ArrayRef<unsigned> Bits, std::vector<uint64_t> In) {
    Operands O = {std::move(In)};
    Warp.Events.clear();
    EXPECT_TRUE(Warp.run(*parsed(Text, Bits), O)) << Warp.Failure << "\n in " << Text.str();
    return O[0];
  }
  std::string failure(StringRef Text, ArrayRef<unsigned> Bits, std::vector<uint64_t> In) {
    Operands O = {std::move(In)};
    Warp.Events.clear();
    EXPECT_FALSE(Warp.run(*parsed(Text, Bits), O));
    return Warp.Failure;
  }
  Event event(Event::Kind K, uint64_t A = 0, uint64_t B = 0, uint64_t C = 0, uint64_t D = 0) {
    return {K, 0, A, B, C, D};
  }
};

TEST_F(MemoryTest, LoadsAndStores) {
  Global[0] = 0x80818283;
  Global[1] = 0x11223344;
  uint64_t G = address(Global);
  EXPECT_EQ(run("ld.global.u32 $0, [$1];", {32, 64}, {0, G})[0], 0x80818283u);
  ASSERT_EQ(Warp.Events.size(), 1u);
  EXPECT_EQ(Warp.Events[0], event(Event::Read, G, 4, 4));
  EXPECT_EQ(uint32_t(run("ld.s8 $0, [$1+1];", {32, 64}, {0, G})[0]), 0xffffff82u);
  EXPECT_EQ(run("ld.global.nc.L1::no_allocate.L2::128B.u16 $0, [$1 + 2];", {16, 64}, {0, G})[0],
            0x8081u);
  auto V = run("ld.global.v2.b32 {$0, $1}, [$2];", {32, 32, 64}, {0, 0, G});
  EXPECT_EQ(V[0], 0x80818283u);
  EXPECT_EQ(V[1], 0x11223344u);
  EXPECT_EQ(Warp.Events[0], event(Event::Read, G, 8, 8));
  run("st.global.cs.v4.f32 [$0+32], {$1, $1, $2, $2};", {64, 32, 32}, {G, 1, 2});
  EXPECT_EQ(Warp.Events[0], event(Event::Write, G + 32, 16, 16));
  EXPECT_EQ(Global[8], 1u);
  EXPECT_EQ(Global[11], 2u);
  run("st.u8 [$0+-0], $1;", {64, 32}, {G, 0x123});
  EXPECT_EQ(Global[0], 0x80818223u);
  // A 32-bit address of shared memory, and what is above its bits.
  run("st.shared.b64 [$0+8], $1;", {32, 64}, {Warp.sharedAddress() | uint64_t(7) << 32, 99});
  EXPECT_EQ(Warp.Shared[8], 99);
  EXPECT_EQ(Warp.Events[0], event(Event::Write, Warp.sharedAddress(8), 8, 8));
  run("ld.volatile.shared.u32 $0, [$1];", {32, 32}, {0, Warp.sharedAddress()});
  EXPECT_EQ(Warp.Events[0], event(Event::AtomicRead, Warp.sharedAddress(), 4, 4));
  run("ld.acquire.gpu.global.u32 $0, [$1];", {32, 64}, {0, G});
  // A read takes over what was published, and publishes nothing.
  ASSERT_EQ(Warp.Events.size(), 1u);
  EXPECT_EQ(Warp.Events[0].K, Event::AtomicRead);
  run("st.global.L2::cache_hint.u32 [$0], $1, $2;", {64, 32, 64}, {G, 5, 0});
  EXPECT_EQ(Global[0], 5u);
  run("{ .reg .pred p; setp.ne.b32 p, $1, 0; @p st.global.u32 [$0], 77; }", {64, 32}, {G, 0});
  EXPECT_TRUE(Warp.Events.empty());
  EXPECT_EQ(Global[0], 5u);
}

TEST_F(MemoryTest, WrongAddresses) {
  uint64_t G = address(Global);
  EXPECT_EQ(failure("ld.global.v4.u32 {$0,$0,$0,$0}, [$1];", {32, 64}, {0, G + 4}),
            "fault: misaligned");
  EXPECT_NE(failure("ld.shared.u32 $0, [$1];", {32, 64}, {0, G}).find("not one of shared memory"),
            std::string::npos);
  EXPECT_EQ(failure("ld.global.u32 $0, [$1];", {32, 64}, {0, Warp.sharedAddress()}),
            "fault: an access to global memory at an address of shared memory");
  EXPECT_EQ(failure("st.shared.u32 [16], 1;", {}, {}), "fault: bounds");
  EXPECT_EQ(parseError("ld.shared::cluster.u32 $0, [$0];", {32}),
            "'ld.shared::cluster.u32' is not emulated");
  EXPECT_EQ(parseError("st.const.u32 [$0], $0;", {32}), "'st.const.u32' is not emulated");
  EXPECT_EQ(parseError("ld.global.v4.u32 {$0, $0}, [$0];", {32}),
            "'ld.global.v4.u32': a vector of 4 elements is expected");
  EXPECT_EQ(parseError("ld.global.v8.b64 {$0,$0,$0,$0,$0,$0,$0,$0}, [$0];", {64}),
            "'ld.global.v8.b64' is not emulated");
}

TEST_F(MemoryTest, Atomics) {
  uint64_t G = address(Global);
  auto Atom = [&](StringRef Text, uint32_t Old, uint64_t B, uint64_t C = 0) {
    Global[0] = Old;
    auto O = run(Text, {32, 64, 32, 32}, {0, G, B, C});
    EXPECT_EQ(O[0] & 0xffffffff, Old) << Text.str();
    EXPECT_EQ(Warp.Events[0], event(Event::AtomicRead, G, 4, 4));
    EXPECT_EQ(Warp.Events[1], event(Event::AtomicWrite, G, 4, 4));
    return Global[0];
  };
  EXPECT_EQ(Atom("atom.global.add.u32 $0, [$1], $2;", 5, 7), 12u);
  EXPECT_EQ(Atom("atom.add.s32 $0, [$1], $2;", 5, 0xffffffff), 4u);
  EXPECT_EQ(Atom("atom.relaxed.gpu.global.and.b32 $0, [$1], $2;", 0xff, 0x0f), 0x0fu);
  EXPECT_EQ(Atom("atom.or.b32 $0, [$1], $2;", 0xf0, 0x0f), 0xffu);
  EXPECT_EQ(Atom("atom.xor.b32 $0, [$1], $2;", 0xf0, 0xff), 0x0fu);
  EXPECT_EQ(Atom("atom.exch.b32 $0, [$1], $2;", 1, 2), 2u);
  EXPECT_EQ(Atom("atom.cas.b32 $0, [$1], $2, $3;", 1, 1, 9), 9u);
  EXPECT_EQ(Atom("atom.cas.b32 $0, [$1], $2, $3;", 1, 2, 9), 1u);
  EXPECT_EQ(Atom("atom.min.s32 $0, [$1], $2;", 1, 0xffffffff), 0xffffffffu);
  EXPECT_EQ(Atom("atom.max.u32 $0, [$1], $2;", 1, 0xffffffff), 0xffffffffu);
  EXPECT_EQ(Atom("atom.inc.u32 $0, [$1], $2;", 3, 3), 0u);
  EXPECT_EQ(Atom("atom.inc.u32 $0, [$1], $2;", 2, 3), 3u);
  EXPECT_EQ(Atom("atom.dec.u32 $0, [$1], $2;", 0, 3), 3u);
  EXPECT_EQ(Atom("atom.global.add.f32 $0, [$1], $2;", 0x3f800000, 0x3f800000), 0x40000000u);
  EXPECT_EQ(Atom("atom.global.add.noftz.f16x2 $0, [$1], $2;", 0x3c003c00, 0x3c004000), 0x40004200u);
  EXPECT_EQ(Atom("atom.global.add.noftz.bf16x2 $0, [$1], $2;", 0x3f803f80, 0x3f800000),
            0x40003f80u);

  Global[0] = Global[1] = 0x3f800000;
  run("red.global.add.v2.f32 [$0], {$1, $2};", {64, 32, 32}, {G, 0x3f800000, 0x40000000});
  EXPECT_EQ(Global[0], 0x40000000u);
  EXPECT_EQ(Global[1], 0x40400000u);
  EXPECT_EQ(Warp.Events[0], event(Event::AtomicRead, G, 8, 8));
  run("red.release.gpu.global.add.u32 [$0], 1;", {64}, {G});
  EXPECT_EQ(Global[0], 0x40000001u);
  EXPECT_EQ(Warp.Events[0].K, Event::Fence);
  run("atom.shared.add.u64 $0, [$1], $0;", {64, 32}, {4, Warp.sharedAddress()});
  EXPECT_EQ(Warp.Shared[0], 4);
  EXPECT_EQ(parseError("red.cas.b32 [$0], $0, $0;", {32}), "'red.cas.b32' is not emulated");
  EXPECT_EQ(parseError("atom.inc.s32 $0, [$0], $0;", {32}), "'atom.inc.s32' is not emulated");
}

TEST_F(MemoryTest, AsynchronousCopies) {
  uint64_t G = address(Global), S = Warp.sharedAddress();
  auto Copy = [&](StringRef Text, std::vector<uint64_t> In) {
    run(Text, {32, 64, 32, 64}, std::move(In));
    EXPECT_EQ(Warp.Events.size(), 1u);
    return Warp.Events.empty() ? event(Event::Fence) : Warp.Events[0];
  };
  EXPECT_EQ(Copy("cp.async.cg.shared.global [$0], [$1], 16;", {S, G, 0, 0}),
            event(Event::CopyAsync, S, G, 16, 0));
  EXPECT_EQ(Copy("cp.async.ca.shared.global [$0+16], [$1+-4], 4;", {S, G, 0, 0}),
            event(Event::CopyAsync, S + 16, G - 4, 4, 0));
  EXPECT_EQ(Copy("cp.async.ca.shared::cta.global.L2::128B [$0], [$1], 8, $2;", {S, G, 3, 0}),
            event(Event::CopyAsync, S, G, 8, 5));
  EXPECT_EQ(Copy("cp.async.cg.shared.global [$0], [$1], 16, 0;", {S, G, 0, 0}),
            event(Event::CopyAsync, S, G, 16, 16));
  EXPECT_EQ(
      Copy("cp.async.cg.shared.global.L2::cache_hint.L2::256B [$0], [$1], 16, $3;", {S, G, 0, 1}),
      event(Event::CopyAsync, S, G, 16, 0));
  EXPECT_EQ(Copy("cp.async.cg.shared.global.L2::cache_hint [$0], [$1], 16, $2, $3;", {S, G, 4, 1}),
            event(Event::CopyAsync, S, G, 16, 12));
  // A source in a 32-bit register, and what is above its bits.
  run("cp.async.ca.shared.global [$0], [$1], 4;", {32, 32}, {S, 0x100000040});
  EXPECT_EQ(Warp.Events.at(0), event(Event::CopyAsync, S, 0x40, 4, 0));
  const char *Ignore =
      "{ .reg .pred p; setp.ne.b32 p, $2, 0; cp.async.cg.shared.global [$0], [$1], 16, p; }";
  EXPECT_EQ(Copy(Ignore, {S, G, 1, 0}), event(Event::CopyAsync, S, G, 16, 16));
  EXPECT_EQ(Copy(Ignore, {S, G, 0, 0}), event(Event::CopyAsync, S, G, 16, 0));
  EXPECT_EQ(failure("cp.async.ca.shared.global [$0], [$1], 8, $2;", {32, 64, 32}, {S, G, 9}),
            "fault: cp.async of 8 bytes with a source size of 9");
  EXPECT_EQ(Copy("cp.async.commit_group;", {0, 0, 0, 0}), event(Event::Commit));
  EXPECT_EQ(Copy("cp.async.wait_group 2;", {0, 0, 0, 0}), event(Event::WaitGroup, 2));
  EXPECT_EQ(Copy("cp.async.wait_all;", {0, 0, 0, 0}), event(Event::WaitAll));
  EXPECT_EQ(parseError("cp.async.wait_group $0;", {32}),
            "'cp.async.wait_group': a constant is expected as operand 1");
}

TEST_F(MemoryTest, Barriers) {
  auto First = [&](StringRef Text, ArrayRef<unsigned> Bits, std::vector<uint64_t> In) {
    run(Text, Bits, std::move(In));
    return Warp.Events.empty() ? event(Event::Fence) : Warp.Events[0];
  };
  EXPECT_EQ(First("bar.sync 0;", {}, {}), event(Event::Barrier, 0, 0, 0));
  EXPECT_EQ(First("barrier.sync.aligned $0, $1;", {32, 32}, {3, 64}),
            event(Event::Barrier, 3, 64, 0));
  EXPECT_EQ(First("barrier.cta.sync 1, 128;", {}, {}), event(Event::Barrier, 1, 128, 0));
  EXPECT_EQ(First("bar.arrive 2, 96;", {}, {}), event(Event::Arrive, 2, 96));
  EXPECT_EQ(First("bar.warp.sync 0x1;", {}, {}), event(Event::SyncWarp, 1));
  EXPECT_EQ(failure("bar.sync 0, 0;", {}, {}), "fault: a barrier for no threads");

  const char *Red = "{ .reg .pred p, q; setp.ne.b32 p, $1, 0; bar.red.%s.pred q, 0, p;"
                    " selp.b32 $0, 1, 0, q; }";
  auto Reduce = [&](const char *Op, bool Mine, unsigned Count) {
    std::string Text = Red;
    Text.replace(Text.find("%s"), 2, Op);
    Warp.BarrierResult = Count;
    return run(Text, {32, 32}, {0, Mine})[0];
  };
  EXPECT_EQ(Reduce("or", true, 1), 1u);
  EXPECT_EQ(Reduce("or", false, 0), 0u);
  // For .and, those are counted for whom it is false.
  EXPECT_EQ(Reduce("and", true, 0), 1u);
  EXPECT_EQ(Warp.Events[0].C, 0u);
  EXPECT_EQ(Reduce("and", false, 1), 0u);
  EXPECT_EQ(Warp.Events[0].C, 1u);
  Warp.BarrierResult = 5;
  EXPECT_EQ(
      run("{ .reg .pred p; setp.eq.b32 p, 1, 1; bar.red.popc.u32 $0, 0, 32, !p; }", {32}, {0})[0],
      5u);
  EXPECT_EQ(Warp.Events[0], event(Event::Barrier, 0, 32, 0));
  EXPECT_EQ(parseError("barrier.cluster.arrive;"), "'barrier.cluster.arrive' is not emulated");
}

TEST_F(MemoryTest, BarrierObjects) {
  uint64_t S = Warp.sharedAddress(64);
  auto First = [&](StringRef Text, std::vector<uint64_t> In) {
    std::vector<unsigned> Bits = {32, 64, 32};
    run(Text, Bits, std::move(In));
    return Warp.Events.empty() ? event(Event::Fence) : Warp.Events[0];
  };
  EXPECT_EQ(First("mbarrier.init.shared::cta.b64 [$0], $2;", {S, 0, 96}),
            event(Event::MbarrierInit, S, 96));
  EXPECT_EQ(First("mbarrier.init.b64 [$1+8], 7;", {0, S, 0}), event(Event::MbarrierInit, S + 8, 7));
  EXPECT_EQ(First("mbarrier.inval.shared.b64 [$0];", {S, 0, 0}),
            event(Event::MbarrierInvalidate, S));
  EXPECT_EQ(First("mbarrier.arrive.shared.b64 _, [$0];", {S, 0, 0}),
            event(Event::MbarrierArrive, S, 1, 0));
  EXPECT_EQ(First("mbarrier.arrive.release.cta.shared::cta.b64 _, [$0], $2;", {S, 0, 3}),
            event(Event::MbarrierArrive, S, 3, 0));
  EXPECT_EQ(First("mbarrier.arrive_drop.shared.b64 _, [$0], 2;", {S, 0, 0}),
            event(Event::MbarrierArrive, S, 2, 1));
  Warp.MbarrierState = (uint64_t(5) << 20) + 31;
  EXPECT_EQ(run("mbarrier.arrive.shared.b64 $1, [$0];", {32, 64}, {S, 0})[1], Warp.MbarrierState);
  EXPECT_EQ(
      run("{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [$0]; mbarrier.pending_count.b64 $1, s; }",
          {32, 32}, {S, 0})[1],
      31u);
  EXPECT_EQ(First("cp.async.mbarrier.arrive.noinc.shared.b64 [$0];", {S, 0, 0}),
            event(Event::MbarrierOnCopies, S, 1));
  EXPECT_EQ(First("cp.async.mbarrier.arrive.shared::cta.b64 [$0];", {S, 0, 0}),
            event(Event::MbarrierOnCopies, S, 0));
  EXPECT_EQ(First("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [$0], $1; }", {S, 77, 0}),
            event(Event::MbarrierTest, S, 0, 77));
  // The loop that everybody writes.
  Warp.TestsThatFail = 3;
  run("{ .reg .pred p; again: mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 p, [$0], $2, "
      "1000;"
      " @p bra done; bra again; done: }",
      {32, 64, 32}, {S, 0, 1});
  ASSERT_EQ(Warp.Events.size(), 4u);
  EXPECT_EQ(Warp.Events[3], event(Event::MbarrierTest, S, 1, 1));
  EXPECT_EQ(failure("mbarrier.arrive.shared.b64 _, [$0], 0;", {32}, {S}),
            "fault: an arrival of 0 threads at an mbarrier");
  EXPECT_EQ(parseError("mbarrier.arrive.expect_tx.shared.b64 _, [$0], 64;", {32}),
            "'mbarrier.arrive.expect_tx.shared.b64' is not emulated");
  EXPECT_EQ(parseError("mbarrier.arrive.noComplete.shared.b64 $1, [$0], 1;", {32, 64}),
            "'mbarrier.arrive.noComplete.shared.b64' is not emulated");
  EXPECT_EQ(parseError("mbarrier.arrive.relaxed.cta.shared.b64 _, [$0];", {32}),
            "'mbarrier.arrive.relaxed.cta.shared.b64' is not emulated");
}

TEST_F(MemoryTest, FencesHintsAndTraps) {
  for (const char *Text : {"membar.gl;", "fence.acq_rel.gpu;", "fence.sc.sys;"}) {
    run(Text, {}, {});
    ASSERT_EQ(Warp.Events.size(), 1u) << Text;
    EXPECT_EQ(Warp.Events[0].K, Event::Fence);
  }
  for (const char *Text :
       {"membar.cta;", "fence.acq_rel.cta;", "fence.proxy.async;", "fence.proxy.async.shared::cta;",
        "prefetch.global.L2 [$0];", "prefetch.global.L1 [$0+64];", "nanosleep.u32 20;",
        "griddepcontrol.wait;", "setmaxnreg.inc.sync.aligned.u32 232;",
        "createpolicy.fractional.L2::evict_last.b64 $0, 1.0;", "prefetchu.L1 [$0];"}) {
    run(Text, {64}, {0});
    EXPECT_TRUE(Warp.Events.empty()) << Text;
  }
  EXPECT_EQ(failure("trap;", {}, {}), "fault: the kernel executes a trap");
  EXPECT_EQ(failure("mov.u32 $0, %smid;", {32}, {0}),
            "unsupported: the special register '%smid' is not emulated");
  EXPECT_EQ(failure("L: bra L;", {}, {}), "unsupported: a loop in PTX that does not end");
  EXPECT_EQ(run("{ .reg .pred p; isspacep.shared p, $1; selp.u32 $0, 1, 0, p; }", {32, 64},
                {0, Warp.sharedAddress()})[0],
            1u);
  EXPECT_EQ(run("{ .reg .pred p; isspacep.global p, $1; selp.u32 $0, 1, 0, p; }", {32, 64},
                {0, Warp.sharedAddress()})[0],
            0u);
}

} // namespace
