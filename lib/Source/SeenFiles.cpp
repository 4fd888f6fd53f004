//===- SeenFiles.cpp - A file system that notes what is asked of it ---===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "SeenFiles.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace cuda_pipeline {
namespace {

class Noting : public vfs::ProxyFileSystem {
public:
  Noting(IntrusiveRefCntPtr<vfs::FileSystem> Disk, std::shared_ptr<SeenFiles> Seen)
      : ProxyFileSystem(std::move(Disk)), Seen(std::move(Seen)) {}

  ErrorOr<vfs::Status> status(const Twine &Path) override {
    ErrorOr<vfs::Status> Found = ProxyFileSystem::status(Path);
    note(Path, Found);
    return Found;
  }
  bool exists(const Twine &Path) override { return status(Path).getError() == std::error_code(); }
  ErrorOr<std::unique_ptr<vfs::File>> openFileForRead(const Twine &Path) override {
    ErrorOr<std::unique_ptr<vfs::File>> Opened = ProxyFileSystem::openFileForRead(Path);
    note(Path, Opened ? (*Opened)->status() : ErrorOr<vfs::Status>(Opened.getError()));
    return Opened;
  }
  ErrorOr<std::unique_ptr<vfs::File>> openFileForReadBinary(const Twine &Path) override {
    return openFileForRead(Path);
  }
  vfs::directory_iterator dir_begin(const Twine &Folder, std::error_code &EC) override {
    vfs::directory_iterator First = ProxyFileSystem::dir_begin(Folder, EC);
    if (EC)
      note(Folder, EC);
    else
      (*Seen)[full(Folder)].Kind = SeenFile::Listing;
    return First;
  }

private:
  std::shared_ptr<SeenFiles> Seen;

  std::string full(const Twine &Path) const {
    SmallString<256> Full;
    Path.toVector(Full);
    (void)makeAbsolute(Full);
    return std::string(Full);
  }
  void note(const Twine &Path, const ErrorOr<vfs::Status> &Found) {
    SeenFile New;
    if (Found) {
      New.Kind = Found->isDirectory() ? SeenFile::Folder : SeenFile::File;
      if (New.Kind == SeenFile::File) {
        New.Size = Found->getSize();
        New.Time = Found->getLastModificationTime().time_since_epoch().count();
      }
    }
    Seen->try_emplace(full(Path), New);
  }
};

} // namespace

IntrusiveRefCntPtr<vfs::FileSystem> noteWhatIsSeen(IntrusiveRefCntPtr<vfs::FileSystem> Disk,
                                                   std::shared_ptr<SeenFiles> Seen) {
  return makeIntrusiveRefCnt<Noting>(std::move(Disk), std::move(Seen));
}

} // namespace cuda_pipeline
