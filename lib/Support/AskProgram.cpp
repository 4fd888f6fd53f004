//===- AskProgram.cpp - What another program says to a question ------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "AskProgram.h"
#include "Isolate.h"
#include "llvm/Support/FormatVariadic.h"
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace llvm;

extern char **environ;

namespace cuda_pipeline {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds Patience(50); ///< until the next look at the clock and at Stop

/// Starts the program with \p End as its standard input and output. An errno.
int start(ArrayRef<std::string> Words, int End, pid_t &Process) {
  std::vector<char *> Arguments;
  for (const std::string &Word : Words)
    Arguments.push_back(const_cast<char *>(Word.c_str()));
  Arguments.push_back(nullptr);
  posix_spawn_file_actions_t Files;
  posix_spawnattr_t Attributes;
  posix_spawn_file_actions_init(&Files);
  posix_spawnattr_init(&Attributes);
  for (int Standard : {STDIN_FILENO, STDOUT_FILENO})
    posix_spawn_file_actions_adddup2(&Files, End, Standard);
  // What this thread keeps from itself is not to be kept from the program.
  sigset_t None;
  sigemptyset(&None);
  posix_spawnattr_setsigmask(&Attributes, &None);
  posix_spawnattr_setpgroup(&Attributes, 0);
  posix_spawnattr_setflags(&Attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
  const int Error =
      posix_spawn(&Process, Words.front().c_str(), &Files, &Attributes, Arguments.data(), environ);
  posix_spawnattr_destroy(&Attributes);
  posix_spawn_file_actions_destroy(&Files);
  return Error;
}

/// Sends \p Left and reads what comes, as far as both go without waiting. False: nothing more will
/// come.
bool exchange(int Socket, StringRef &Left, std::string &Text) {
  pollfd Wait = {Socket, static_cast<short>(Left.empty() ? POLLIN : POLLIN | POLLOUT), 0};
  if (poll(&Wait, 1, static_cast<int>(Patience.count())) <= 0)
    return true;
  if (Wait.revents & POLLOUT) {
    // Without a signal where nobody reads any more: that would end this program.
    const ssize_t N = send(Socket, Left.data(), Left.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (N > 0)
      Left = Left.drop_front(static_cast<size_t>(N));
    else if (errno != EINTR && errno != EAGAIN)
      Left = StringRef();
    if (Left.empty())
      shutdown(Socket, SHUT_WR);
  }
  if (Wait.revents & (POLLIN | POLLHUP | POLLERR)) {
    char Buffer[65536];
    const ssize_t N = recv(Socket, Buffer, sizeof(Buffer), MSG_DONTWAIT);
    if (N > 0)
      Text.append(Buffer, static_cast<size_t>(N));
    return N > 0 || (N < 0 && (errno == EINTR || errno == EAGAIN));
  }
  return true;
}

} // namespace

ProgramAnswer askProgram(ArrayRef<std::string> Words, StringRef Question, double Seconds,
                         const std::atomic<bool> &Stop) {
  ProgramAnswer A;
  int Ends[2];
  pid_t Process = 0;
  int Error = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, Ends) == 0 ? 0 : errno;
  if (Error == 0) {
    Error = start(Words, Ends[1], Process);
    close(Ends[1]);
    if (Error != 0)
      close(Ends[0]);
  }
  if (Error != 0) {
    A.End = ProgramAnswer::NotStarted;
    A.Problem = std::strerror(Error);
    return A;
  }
  const auto Deadline =
      Clock::now() + std::chrono::milliseconds(static_cast<int64_t>(Seconds * 1000));
  if (Question.empty())
    shutdown(Ends[0], SHUT_WR);
  int Status = 0;
  for (bool Open = true, Ended = false; !Ended;) {
    if (Stop || Clock::now() >= Deadline) {
      A.End = Stop ? ProgramAnswer::Stopped : ProgramAnswer::TimedOut;
      A.Problem = Stop ? "stopped" : formatv("not done after {0} seconds", Seconds).str();
      kill(-Process, SIGKILL);
      while (waitpid(Process, &Status, 0) < 0 && errno == EINTR)
        ;
      break;
    }
    if (Open)
      Open = exchange(Ends[0], Question, A.Text);
    else if (pid_t P = waitpid(Process, &Status, WNOHANG); P != 0)
      Ended = P == Process || errno != EINTR;
    else
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  close(Ends[0]);
  if (A.End != ProgramAnswer::Given)
    return A;
  A.Problem = crashInWords(Status);
  if (!A.Problem.empty())
    A.End = ProgramAnswer::Crashed;
  return A;
}

} // namespace cuda_pipeline
