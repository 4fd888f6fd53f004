//===- Isolate.cpp - Work that may crash or never end --------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Isolate.h"
#include "llvm/Support/FormatVariadic.h"
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;

namespace cuda_pipeline {

IsolatedRun isolate(function_ref<void(function_ref<void(StringRef)>)> Work, double Seconds) {
  IsolatedRun Result;
  int Pipe[2];
  if (pipe(Pipe) != 0) {
    Result.End = IsolatedRun::NotStarted;
    Result.Problem = std::strerror(errno);
    return Result;
  }
  // What is buffered would be written twice.
  std::fflush(nullptr);
  pid_t Child = fork();
  if (Child < 0) {
    Result.End = IsolatedRun::NotStarted;
    Result.Problem = std::strerror(errno);
    close(Pipe[0]);
    close(Pipe[1]);
    return Result;
  }
  if (Child == 0) {
    close(Pipe[0]);
    // The parent reports a crash; no stack dump, no core.
    for (int Signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT})
      std::signal(Signal, SIG_DFL);
    Work([&](StringRef Text) {
      while (!Text.empty()) {
        ssize_t N = write(Pipe[1], Text.data(), Text.size());
        if (N < 0 && errno == EINTR)
          continue;
        if (N <= 0)
          _exit(1);
        Text = Text.drop_front(static_cast<size_t>(N));
      }
    });
    close(Pipe[1]);
    // No destructors: they are the parent's.
    _exit(0);
  }
  close(Pipe[1]);

  using Clock = std::chrono::steady_clock;
  Clock::time_point Deadline =
      Clock::now() + std::chrono::milliseconds(static_cast<int64_t>(Seconds * 1000));
  bool TimedOut = false;
  for (;;) {
    auto Left = std::chrono::duration_cast<std::chrono::milliseconds>(Deadline - Clock::now()).count();
    if (Left <= 0) {
      TimedOut = true;
      break;
    }
    pollfd Wait = {Pipe[0], POLLIN, 0};
    int Ready = poll(&Wait, 1, static_cast<int>(std::min<int64_t>(Left, 1000000)));
    if (Ready < 0 && errno == EINTR)
      continue;
    if (Ready == 0)
      continue;
    char Buffer[65536];
    ssize_t N = read(Pipe[0], Buffer, sizeof(Buffer));
    if (N < 0 && errno == EINTR)
      continue;
    if (N <= 0)
      break;
    Result.Output.append(Buffer, static_cast<size_t>(N));
  }
  close(Pipe[0]);
  if (TimedOut)
    kill(Child, SIGKILL);
  int Status = 0;
  while (waitpid(Child, &Status, 0) < 0 && errno == EINTR)
    ;
  if (TimedOut) {
    Result.End = IsolatedRun::TimedOut;
    Result.Problem = formatv("not done after {0} seconds", Seconds).str();
  } else if (WIFSIGNALED(Status)) {
    Result.End = IsolatedRun::Crashed;
    Result.Problem =
        formatv("signal {0} ({1})", WTERMSIG(Status), strsignal(WTERMSIG(Status))).str();
  } else if (WEXITSTATUS(Status) != 0) {
    Result.End = IsolatedRun::Crashed;
    Result.Problem = formatv("exit status {0}", WEXITSTATUS(Status)).str();
  }
  return Result;
}

} // namespace cuda_pipeline
