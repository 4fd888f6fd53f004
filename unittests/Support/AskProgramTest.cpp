//===- AskProgramTest.cpp - What another program says to a question --------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../../lib/Support/AskProgram.h"
#include "gtest/gtest.h"
#include <chrono>
#include <csignal>
#include <thread>

using namespace cuda_pipeline;

namespace {
using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point Begin) {
  return std::chrono::duration<double>(Clock::now() - Begin).count();
}

ProgramAnswer shell(const std::string &Script, llvm::StringRef Question = "", double Seconds = 60) {
  static const std::atomic<bool> Never{false};
  return askProgram({"/bin/sh", "-c", Script}, Question, Seconds, Never);
}
} // namespace

TEST(AskProgram, AnswersOfAnyLength) {
  EXPECT_EQ(shell("cat", "what").Text, "what");
  EXPECT_EQ(shell("cat").Text, "");
  // More than fits between the two, in both directions at once, and bytes of every kind.
  std::string Long;
  for (unsigned I = 0; I != 3000000; ++I)
    Long += static_cast<char>(I * 7);
  const ProgramAnswer A = shell("cat", Long);
  EXPECT_EQ(A.End, ProgramAnswer::Given) << A.Problem;
  EXPECT_TRUE(A.Text == Long);
  EXPECT_EQ(A.Problem, "");
}

TEST(AskProgram, WhatDoesNotListenEndsNobody) {
  const std::string Long(3000000, 'x');
  EXPECT_EQ(shell("exec 0<&-; echo yes", Long).Text, "yes\n");
  EXPECT_EQ(shell("exit 3", Long).Problem, "exit status 3");
}

TEST(AskProgram, CrashesAndMissingPrograms) {
  const ProgramAnswer Crash = shell("echo before; kill -SEGV $$");
  EXPECT_EQ(Crash.End, ProgramAnswer::Crashed);
  EXPECT_EQ(Crash.Text, "before\n");
  EXPECT_EQ(Crash.Problem, "signal 11 (Segmentation fault)");
  const std::atomic<bool> Never{false};
  EXPECT_EQ(askProgram({"/nowhere/program"}, "", 60, Never).End, ProgramAnswer::NotStarted);
}

// Neither does what the program has started itself live on, which holds its output open.
TEST(AskProgram, TimeAndStop) {
  const Clock::time_point Begin = Clock::now();
  EXPECT_EQ(shell("sleep 100; true", "", 0.2).End, ProgramAnswer::TimedOut);
  EXPECT_EQ(shell("exec 0<&- 1>&-; sleep 100; true", "", 0.2).End, ProgramAnswer::TimedOut);
  std::atomic<bool> Stop{false};
  std::thread Other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    Stop = true;
  });
  EXPECT_EQ(askProgram({"/bin/sh", "-c", "sleep 100; true"}, "", 60, Stop).End,
            ProgramAnswer::Stopped);
  Other.join();
  EXPECT_LT(secondsSince(Begin), 30);
}

TEST(AskProgram, SignalsThatTheCallerKeepsFromItself) {
  sigset_t Kept, Before;
  sigemptyset(&Kept);
  sigaddset(&Kept, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &Kept, &Before);
  EXPECT_EQ(shell("kill -TERM $$; sleep 1; echo no").Problem, "signal 15 (Terminated)");
  pthread_sigmask(SIG_SETMASK, &Before, nullptr);
}
