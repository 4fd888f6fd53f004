//===- IsolateTest.cpp - Work that may crash or never end
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../../lib/Support/Isolate.h"
#include "gtest/gtest.h"
#include <csignal>
#include <unistd.h>

using namespace cuda_pipeline;
using namespace llvm;

namespace {

using Emit = function_ref<void(StringRef)>;

TEST(Isolate, EverythingArrives) {
  std::string Long(300000, 'x'); // more than a pipe holds
  IsolatedRun R = isolate(
      [&](Emit E) {
        E("a\n");
        E(Long);
      },
      60);
  EXPECT_EQ(R.End, IsolatedRun::Finished);
  EXPECT_EQ(R.Output, "a\n" + Long);
  EXPECT_EQ(R.Problem, "");
}

TEST(Isolate, ACrashKeepsWhatCameBefore) {
  IsolatedRun R = isolate(
      [](Emit E) {
        E("before\n");
        std::raise(SIGKILL); // not to be caught by a sanitizer
      },
      60);
  EXPECT_EQ(R.End, IsolatedRun::Crashed);
  EXPECT_EQ(R.Output, "before\n");
  EXPECT_EQ(R.Problem, "signal 9 (Killed)");
}

TEST(Isolate, AnExitStatusIsACrash) {
  IsolatedRun R = isolate([](Emit) { _exit(3); }, 60);
  EXPECT_EQ(R.End, IsolatedRun::Crashed);
  EXPECT_EQ(R.Problem, "exit status 3");
}

TEST(Isolate, AnEndlessLoopEnds) {
  IsolatedRun R = isolate(
      [](Emit E) {
        E("before\n");
        for (;;)
          pause();
      },
      0.3);
  EXPECT_EQ(R.End, IsolatedRun::TimedOut);
  EXPECT_EQ(R.Output, "before\n");
}

TEST(Isolate, ManyEachInItsOwn) {
  std::vector<std::string> Outputs(9);
  unsigned Bad = 0, Late = 0;
  isolateAll(
      9, 3, [](unsigned I) { return I == 4 ? 0.3 : 60; },
      [](unsigned I, Emit E) {
        E(std::string(100000 * I, char('a' + I)));
        if (I == 2)
          std::raise(SIGKILL);
        while (I == 4)
          pause();
      },
      [&](unsigned I, IsolatedRun R) {
        EXPECT_EQ(Outputs[I], "");
        Outputs[I] = R.Output;
        Bad += R.End == IsolatedRun::Crashed ? I : 0;
        Late += R.End == IsolatedRun::TimedOut ? I : 0;
      });
  for (unsigned I = 0; I < 9; ++I)
    EXPECT_EQ(Outputs[I], std::string(100000 * I, char('a' + I)));
  EXPECT_EQ(Bad, 2u);
  EXPECT_EQ(Late, 4u);
}

TEST(Isolate, NothingIsChangedHere) {
  int Value = 1;
  isolate([&](Emit) { Value = 2; }, 60);
  EXPECT_EQ(Value, 1);
}

} // namespace
