//===- Emulated.h - Runs the kernels of a test on the emulator -----------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// The bodies of the bundled declarations are device code, so they are tested as such: small
/// kernels, compiled and run as verification does it, whose results the test computes in another
/// way.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_UNITTESTS_DEVICELIB_EMULATED_H
#define CUDA_PIPELINE_UNITTESTS_DEVICELIB_EMULATED_H

#include "../../lib/Verify/Emulator/Program.h"
#include "cuda-pipeline/CompileDevice.h"
#include "gtest/gtest.h"
#include <cstring>

/// A file with kernels, compiled.
class Emulated {
public:
  explicit Emulated(const std::string &Source, const std::string &Arch = "sm_80") {
    cuda_pipeline::ParseRequest Request;
    Request.File = "kernels.cu";
    Request.Arch = Arch;
    Request.Contents = Source;
    std::string Messages;
    auto Compiled = cuda_pipeline::compileDevice(Request, {}, Messages);
    if (!Compiled) {
      ADD_FAILURE() << llvm::toString(Compiled.takeError()) << "\n" << Messages;
      return;
    }
    Module = std::move(*Compiled);
    std::vector<std::string> Names;
    for (const auto &K : Module.Kernels)
      Names.push_back(K.Mangled);
    auto Loaded = cuda_pipeline::emulator::Program::load(Module, Names);
    if (!Loaded)
      ADD_FAILURE() << llvm::toString(Loaded.takeError());
    else
      Program = std::move(*Loaded);
  }

  /// Runs one block of \p Threads; every vector is a buffer that the kernel may read and write.
  template <class... Vectors>
  void run(const std::string &Kernel, unsigned Threads, Vectors &...Data) {
    Fault = "";
    Place = "";
    if (!Program)
      return;
    cuda_pipeline::emulator::RunRequest Request;
    for (const auto &K : Module.Kernels)
      if (K.Name == Kernel)
        Request.Kernel = K.Mangled;
    ASSERT_FALSE(Request.Kernel.empty()) << "no kernel " << Kernel;
    Request.Block = {Threads, 1, 1};
    (add(Request, Data), ...);
    auto Result = Program->run(Request, cuda_pipeline::emulator::MachineOptions());
    ASSERT_TRUE(static_cast<bool>(Result)) << llvm::toString(Result.takeError());
    if (Result->Failed) {
      Fault = Result->Failed->What;
      Place = Program->place(Result->Failed->At);
    }
    size_t Index = 0;
    (fetch(Result->Buffers[Index++], Data), ...);
  }
  /// The same, and nothing goes wrong.
  template <class... Vectors>
  void pass(const std::string &Kernel, unsigned Threads, Vectors &...Data) {
    run(Kernel, Threads, Data...);
    EXPECT_EQ(Fault, "") << Kernel << " at " << Place;
  }

  std::string Fault, Place; ///< of the last run; empty: none

private:
  template <class T>
  static void add(cuda_pipeline::emulator::RunRequest &Request, const std::vector<T> &Data) {
    cuda_pipeline::emulator::RunBuffer B;
    B.Name = "buffer" + std::to_string(Request.Buffers.size());
    B.ElementBytes = sizeof(T);
    B.Bytes.resize(Data.size() * sizeof(T));
    std::memcpy(B.Bytes.data(), Data.data(), B.Bytes.size());
    cuda_pipeline::emulator::RunArgument A;
    A.Is = cuda_pipeline::emulator::RunArgument::Buffer;
    A.BufferIndex = static_cast<unsigned>(Request.Buffers.size());
    Request.Buffers.push_back(std::move(B));
    Request.Arguments.push_back(A);
  }
  template <class T>
  static void fetch(const cuda_pipeline::emulator::RunBuffer &B, std::vector<T> &Data) {
    std::memcpy(Data.data(), B.Bytes.data(), B.Bytes.size());
  }

  cuda_pipeline::DeviceModule Module;
  std::unique_ptr<cuda_pipeline::emulator::Program> Program;
};

#endif
