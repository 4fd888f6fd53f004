//===- Isolate.cpp - Work that may crash or never end --------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Isolate.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <poll.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace llvm;

namespace cuda_pipeline {

std::string crashInWords(int Status) {
  if (WIFSIGNALED(Status))
    return formatv("signal {0} ({1})", WTERMSIG(Status), strsignal(WTERMSIG(Status))).str();
  return WEXITSTATUS(Status) != 0 ? formatv("exit status {0}", WEXITSTATUS(Status)).str() : "";
}
namespace {

using Clock = std::chrono::steady_clock;

struct Child {
  unsigned Job;
  pid_t Process;
  int Pipe; ///< from which its output is read
  double Seconds;
  Clock::time_point Deadline;
  IsolatedRun Run;
};

std::optional<Child> begin(unsigned Job, double Seconds,
                           function_ref<void(unsigned, EmitText)> Work, IsolatedRun &Failed) {
  auto Fail = [&] {
    Failed.End = IsolatedRun::NotStarted;
    Failed.Problem = std::strerror(errno);
    return std::nullopt;
  };
  int Pipe[2];
  // Not for the programs that a child, or another one beside it, may start.
  if (pipe(Pipe) != 0)
    return Fail();
  for (int End : Pipe)
    fcntl(End, F_SETFD, FD_CLOEXEC);
  // What is buffered would be written twice.
  std::fflush(nullptr);
  outs().flush();
  const pid_t Process = fork();
  if (Process < 0) {
    const int Error = errno;
    close(Pipe[0]);
    close(Pipe[1]);
    errno = Error;
    return Fail();
  }
  if (Process == 0) {
    close(Pipe[0]);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL); // nobody would read its answer
#endif
#ifndef __SANITIZE_ADDRESS__ // whose own report of a crash is worth more
    // The parent reports a crash; no stack dump, no core.
    for (int Signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT})
      std::signal(Signal, SIG_DFL);
#endif
    Work(Job, [&](StringRef Text) {
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
  return Child{Job,
               Process,
               Pipe[0],
               Seconds,
               Clock::now() + std::chrono::milliseconds(static_cast<int64_t>(Seconds * 1000)),
               {}};
}

/// Reads what is there. False: it has said all that it will.
bool readSome(Child &C) {
  char Buffer[65536];
  const ssize_t N = read(C.Pipe, Buffer, sizeof(Buffer));
  if (N < 0 && errno == EINTR)
    return true;
  if (N > 0)
    C.Run.Output.append(Buffer, static_cast<size_t>(N));
  return N > 0;
}

IsolatedRun end(Child &C, bool TimedOut) {
  close(C.Pipe);
  if (TimedOut)
    kill(C.Process, SIGKILL);
  int Status = 0;
  while (waitpid(C.Process, &Status, 0) < 0 && errno == EINTR)
    ;
  if (TimedOut) {
    C.Run.End = IsolatedRun::TimedOut;
    raw_string_ostream(C.Run.Problem) << format("not done after %g seconds", C.Seconds);
  } else if (C.Run.Problem = crashInWords(Status); !C.Run.Problem.empty()) {
    C.Run.End = IsolatedRun::Crashed;
  }
  return std::move(C.Run);
}

} // namespace

void isolateAll(unsigned Count, unsigned AtOnce, function_ref<double(unsigned)> Seconds,
                function_ref<void(unsigned, EmitText)> Work,
                function_ref<void(unsigned, IsolatedRun)> Done) {
  std::vector<Child> Running;
  for (unsigned Next = 0; Next < Count || !Running.empty();) {
    if (Next < Count && Running.size() < AtOnce) {
      IsolatedRun Failed;
      if (std::optional<Child> C = begin(Next, Seconds(Next), Work, Failed))
        Running.push_back(std::move(*C));
      else
        Done(Next, std::move(Failed));
      ++Next;
      continue;
    }
    std::vector<pollfd> Waits;
    Clock::time_point First = Clock::time_point::max();
    for (const Child &C : Running) {
      Waits.push_back({C.Pipe, POLLIN, 0});
      First = std::min(First, C.Deadline);
    }
    const auto Left =
        std::chrono::duration_cast<std::chrono::milliseconds>(First - Clock::now()).count() + 1;
    if (poll(Waits.data(), Waits.size(), static_cast<int>(std::clamp<int64_t>(Left, 0, 1000000))) <
        0)
      continue;
    for (size_t I = Running.size(); I-- > 0;) {
      const bool Ended = Waits[I].revents != 0 && !readSome(Running[I]);
      const bool TimedOut = !Ended && Clock::now() >= Running[I].Deadline;
      if (!Ended && !TimedOut)
        continue;
      Child C = std::move(Running[I]);
      Running.erase(Running.begin() + static_cast<std::ptrdiff_t>(I));
      const unsigned Job = C.Job;
      Done(Job, end(C, TimedOut));
    }
  }
}

IsolatedRun isolate(function_ref<void(EmitText)> Work, double Seconds) {
  IsolatedRun Result;
  isolateAll(
      1, 1, [&](unsigned) { return Seconds; }, [&](unsigned, EmitText Emit) { Work(Emit); },
      [&](unsigned, IsolatedRun Run) { Result = std::move(Run); });
  return Result;
}

} // namespace cuda_pipeline
