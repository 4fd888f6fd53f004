//===- RunHarness.cpp - Builds and runs a GPU harness ---------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../Support/Messages.h"
#include "../../Support/RunLimited.h"
#include "cuda-pipeline/GpuHarness.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace llvm;
using namespace cuda_pipeline;

using Step = HarnessError::Step;

char HarnessError::ID;

namespace {

Error failure(Step S, const Twine &Message) { return make_error<HarnessError>(S, Message.str()); }

std::string read(StringRef Path) {
  auto Buffer = MemoryBuffer::getFile(Path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  return Buffer ? (*Buffer)->getBuffer().str() : "";
}

/// A command in the folder of the harness; its output goes to \p Log.
struct Command {
  std::string Nvcc, Log;

  int run(std::vector<std::string> Words, unsigned Seconds, std::string &Problem) const {
    // `env` hands on the compiler without touching this program's own environment.
    const ErrorOr<std::string> Env = sys::findProgramByName("env");
    if (!Env) {
      Problem = "there is no program 'env'";
      return -1;
    }
    Words.insert(Words.begin(), {*Env, "NVCC=" + Nvcc});
    return runLimited(std::move(Words), Log, Seconds, Problem);
  }
};

} // namespace

Expected<GpuResult> cuda_pipeline::runHarness(const Harness &H, const HarnessRun &Run) {
  if (!sys::fs::can_execute(Run.Nvcc))
    return failure(Step::NoCompiler,
                   "no nvcc at '" + Run.Nvcc +
                       "'; --cuda-path=DIR names a toolkit, --emit-harness=DIR writes "
                       "what another machine can build and run");
  // The working directory of a child is ours, so its paths have to be absolute.
  SmallString<128> Folder(Run.Folder), Nvcc(Run.Nvcc);
  if (Run.Folder.empty()) {
    if (std::error_code EC = sys::fs::createUniqueDirectory("cuda-pipeline-gpu", Folder))
      return failure(Step::Write, "no temporary folder: " + EC.message());
  } else {
    sys::fs::make_absolute(Folder);
  }
  sys::fs::make_absolute(Nvcc);
  scope_exit Remove([&] {
    if (Run.Folder.empty())
      sys::fs::remove_directories(Folder);
  });
  if (Error E = writeHarness(H, Folder))
    return failure(Step::Write, toString(std::move(E)));

  auto path = [&](StringRef Name) { return (Folder + "/" + Name).str(); };
  std::string Problem;
  int Code = Command{Nvcc.str().str(), path("build.log")}.run({"sh", path("build.sh")},
                                                              Run.BuildSeconds, Problem);
  if (Code != 0)
    return failure(Step::Build, "nvcc does not build the GPU harness: " +
                                    (Code < 0 ? Problem : tellingLine(read(path("build.log")))));

  // An old result in a folder that is used again must not be taken for this run's.
  const std::string Result = path("result.json");
  sys::fs::remove(Result);
  std::vector<std::string> Words = {path("harness")};
  if (Run.Progress >= 0)
    Words.push_back("--progress=" + std::to_string(Run.Progress));
  Code = Command{Nvcc.str().str(), path("run.log")}.run(std::move(Words), Run.RunSeconds, Problem);
  const std::string Said = tellingLine(read(path("run.log")));
  if (Code == 4)
    return failure(Step::NoGpu, Said.empty() ? "no GPU" : Said);
  if (Code != 0 && Code != 1)
    return failure(Step::Run, "the GPU harness did not end: " +
                                  (Code < 0       ? Problem
                                   : Said.empty() ? "exit code " + std::to_string(Code)
                                                  : Said));
  Expected<GpuResult> R = readGpuResult(read(Result), "result.json", &H);
  if (!R)
    return failure(Step::Read, toString(R.takeError()));
  if ((Code == 0) != (R->verdict() == Verdict::Pass))
    return failure(Step::Read, "the GPU harness and its result disagree");
  return R;
}
