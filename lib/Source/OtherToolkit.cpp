//===- OtherToolkit.cpp - A toolkit that lies in the way --------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "OtherToolkit.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

using namespace llvm;

namespace cuda_pipeline {

bool isToolkitIncludeDir(StringRef Dir, StringRef WorkingDir) {
  SmallString<256> Base(Dir);
  if (!WorkingDir.empty())
    sys::path::make_absolute(WorkingDir, Base);
  SmallString<256> Runtime(Base), Internal(Base);
  sys::path::append(Runtime, "cuda_runtime.h");
  sys::path::append(Internal, "crt", "host_config.h");
  return sys::fs::exists(Runtime) && sys::fs::exists(Internal);
}

bool isToolkitHeader(StringRef Name) {
  for (StringRef Folder :
       {"crt", "cub", "thrust", "cuda", "cooperative_groups", "nv", "nvtx3", "cccl"})
    if (Name == Folder)
      return true;
  for (StringRef Prefix : {"cuda",
                           "cublas",
                           "cufft",
                           "curand",
                           "cusolver",
                           "cusparse",
                           "cudnn",
                           "cupti",
                           "cuComplex",
                           "cooperative_groups",
                           "nvrtc",
                           "nvml",
                           "nvjpeg",
                           "nvJitLink",
                           "nvPTXCompiler",
                           "nvToolsExt",
                           "nvfunctional",
                           "npp",
                           "sm_",
                           "device_atomic_functions",
                           "device_double_functions",
                           "device_functions",
                           "device_launch_parameters",
                           "device_types",
                           "driver_functions",
                           "driver_types",
                           "host_config",
                           "host_defines",
                           "vector_functions",
                           "vector_types",
                           "texture_",
                           "surface_",
                           "builtin_types",
                           "channel_descriptor",
                           "common_functions",
                           "library_types",
                           "math_functions",
                           "math_constants",
                           "mma.h",
                           "fatbinary",
                           "cuviddec"})
    if (Name.starts_with(Prefix))
      return true;
  return false;
}

std::vector<std::string> defaultToolkitDirs() {
  std::vector<std::string> Dirs;
  auto Look = [&](StringRef Dir) {
    if (!Dir.empty() && isToolkitIncludeDir(Dir, "") && !is_contained(Dirs, Dir))
      Dirs.push_back(Dir.str());
  };
  for (StringRef Dir : {"/usr/include", "/usr/local/include", "/usr/include/x86_64-linux-gnu",
                        "/usr/include/aarch64-linux-gnu"})
    Look(Dir);
  for (const char *Name : {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"})
    if (std::optional<std::string> Value = sys::Process::GetEnv(Name)) {
      SmallVector<StringRef> Parts;
      StringRef(*Value).split(Parts, sys::EnvPathSeparator);
      for (StringRef Dir : Parts)
        Look(Dir);
    }
  return Dirs;
}

namespace {

class WithoutToolkit : public vfs::ProxyFileSystem {
public:
  WithoutToolkit(IntrusiveRefCntPtr<vfs::FileSystem> Disk, std::vector<std::string> Folders)
      : ProxyFileSystem(std::move(Disk)), Dirs(std::move(Folders)) {
    for (std::string &Dir : Dirs)
      while (Dir.size() > 1 && Dir.back() == '/')
        Dir.pop_back();
  }
  ErrorOr<vfs::Status> status(const Twine &Path) override {
    return hidden(Path) ? std::make_error_code(std::errc::no_such_file_or_directory)
                        : ProxyFileSystem::status(Path);
  }
  bool exists(const Twine &Path) override { return !hidden(Path) && ProxyFileSystem::exists(Path); }
  ErrorOr<std::unique_ptr<vfs::File>> openFileForRead(const Twine &Path) override {
    if (hidden(Path))
      return std::make_error_code(std::errc::no_such_file_or_directory);
    return ProxyFileSystem::openFileForRead(Path);
  }

private:
  bool hidden(const Twine &Path) const {
    SmallString<256> Full;
    Path.toVector(Full);
    (void)makeAbsolute(Full);
    sys::path::remove_dots(Full, /*remove_dot_dot=*/true);
    return any_of(Dirs, [&](StringRef Dir) {
      StringRef Rest = Full;
      return Rest.consume_front(Dir) && Rest.consume_front("/") &&
             isToolkitHeader(Rest.split('/').first);
    });
  }
  std::vector<std::string> Dirs;
};

} // namespace

IntrusiveRefCntPtr<vfs::FileSystem> withoutToolkit(IntrusiveRefCntPtr<vfs::FileSystem> Disk,
                                                   std::vector<std::string> Dirs) {
  if (Dirs.empty())
    return Disk;
  return makeIntrusiveRefCnt<WithoutToolkit>(std::move(Disk), std::move(Dirs));
}

} // namespace cuda_pipeline
