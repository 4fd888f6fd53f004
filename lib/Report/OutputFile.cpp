//===- OutputFile.cpp - Reading inputs, writing outputs safely -----------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report/OutputFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"
#include <fcntl.h>
#include <unistd.h>

using namespace llvm;
namespace fs = llvm::sys::fs;

namespace cuda_pipeline {

static Error failure(const Twine &Message) {
  return createStringError(std::make_error_code(std::errc::io_error), Message);
}

// In lower case, as it goes behind a colon.
static std::string reason(std::error_code EC) {
  std::string S = EC.message();
  if (!S.empty())
    S[0] = toLower(S[0]);
  return S;
}

bool isToolOutput(StringRef Contents) {
  Contents.consume_front("\xEF\xBB\xBF");
  return Contents.take_until([](char C) { return C == '\n'; }).rtrim() == ToolOutputMarker;
}

// Writes everything or says why not.
static std::error_code writeAll(int FD, StringRef Contents) {
  while (!Contents.empty()) {
    ssize_t N = ::write(FD, Contents.data(), Contents.size());
    if (N < 0) {
      if (errno == EINTR)
        continue;
      return std::error_code(errno, std::generic_category());
    }
    Contents = Contents.drop_front(static_cast<size_t>(N));
  }
  return {};
}

static std::error_code writeDirectly(StringRef Path, StringRef Contents) {
  int FD;
  if (std::error_code EC = fs::openFileForWrite(Path, FD, fs::CD_OpenExisting))
    return EC;
  std::error_code Written = writeAll(FD, Contents);
  if (::close(FD) != 0 && !Written)
    return std::error_code(errno, std::generic_category());
  return Written;
}

Error writeFileAtomically(StringRef Path, StringRef Contents, StringRef ModeFrom) {
  auto Cannot = [&](const Twine &Why) { return failure("cannot write '" + Path + "': " + Why); };

  fs::file_status Link, Target;
  fs::status(Path, Link, /*follow=*/false);
  fs::status(Path, Target, /*follow=*/true);
  const bool Replaces = Target.type() == fs::file_type::regular_file;

  switch (Target.type()) {
  case fs::file_type::directory_file:
    return Cannot("it is a folder");
  case fs::file_type::regular_file:
  case fs::file_type::file_not_found:
  case fs::file_type::status_error:
    break;
  default: // devices, pipes, sockets
    if (std::error_code EC = writeDirectly(Path, Contents))
      return Cannot(reason(EC));
    return Error::success();
  }
  // /dev/stdout is a link to whatever the output has been redirected to.
  if (Path.starts_with("/dev/")) {
    if (std::error_code EC = writeDirectly(Path, Contents))
      return Cannot(reason(EC));
    return Error::success();
  }
  if (Link.type() == fs::file_type::symlink_file) {
    SmallString<128> Real;
    if (!fs::real_path(Path, Real))
      return Cannot("it is a symbolic link; name the file itself, '" + Real + "'");
    return Cannot("it is a symbolic link that leads nowhere");
  }
  if (Replaces && ::faccessat(AT_FDCWD, Path.str().c_str(), W_OK, AT_EACCESS) != 0)
    return Cannot("it is read-only");

  StringRef Folder = sys::path::parent_path(Path);
  if (Folder.empty())
    Folder = ".";
  if (!fs::is_directory(Folder))
    return Cannot("there is no folder '" + Folder + "'");

  fs::perms Mode = fs::perms_not_known;
  if (!ModeFrom.empty()) {
    fs::file_status From;
    if (std::error_code EC = fs::status(ModeFrom, From))
      return Cannot("the permissions of '" + ModeFrom + "' cannot be read: " + reason(EC));
    Mode = From.permissions();
    // A read-only input does not make an output that the next run cannot replace.
    if (!Replaces || !fs::equivalent(From, Target))
      Mode |= fs::owner_write;
  } else if (Replaces) {
    Mode = Target.permissions();
  }

  // In the same folder, because rename() works within one file system only. The leading dot keeps
  // it out of build systems' wildcards.
  SmallString<128> Model(Folder), Temporary;
  sys::path::append(Model, ".cuda-pipeline-rewrite-%%%%%%%%.tmp");
  int FD;
  if (std::error_code EC = fs::createUniqueFile(Model, FD, Temporary))
    return Cannot(reason(EC));
  sys::RemoveFileOnSignal(Temporary);
  scope_exit Clean([&] {
    fs::remove(Temporary);
    sys::DontRemoveFileOnSignal(Temporary);
  });

  std::error_code EC = writeAll(FD, Contents);
  // Before the mode: changing the owner clears the set-user-id bits. Only root can give files away;
  // for everybody else the owner is the same anyway.
  if (!EC && Replaces && (Target.getUser() != ::geteuid() || Target.getGroup() != ::getegid()))
    (void)!::fchown(FD, Target.getUser(), Target.getGroup());
  if (!EC && Mode != fs::perms_not_known)
    EC = fs::setPermissions(FD, Mode);
  // Without it a crash after the rename could leave an empty file under the final name.
  if (!EC && ::fsync(FD) != 0)
    EC = std::error_code(errno, std::generic_category());
  if (::close(FD) != 0 && !EC)
    EC = std::error_code(errno, std::generic_category());
  if (!EC)
    EC = fs::rename(Temporary, Path);
  if (EC)
    return Cannot(reason(EC));
  Clean.release();
  sys::DontRemoveFileOnSignal(Temporary);

  // So that the rename survives a crash too; some file systems cannot do it.
  int FolderFD = ::open(Folder.str().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (FolderFD >= 0) {
    (void)::fsync(FolderFD);
    ::close(FolderFD);
  }
  return Error::success();
}

Error OutputFiles::write(StringRef Path, StringRef Contents, StringRef ModeFrom) {
  std::optional<std::string> Old;
  if (fs::is_regular_file(Path))
    if (auto Buffer = MemoryBuffer::getFile(Path, /*IsText=*/false, /*RequiresNullTerminator=*/false, /*IsVolatile=*/true))
      Old = (*Buffer)->getBuffer().str();
  if (Error E = writeFileAtomically(Path, Contents, ModeFrom))
    return E;
  if (Old || fs::is_regular_file(Path))
    Written.push_back({Path.str(), std::move(Old)});
  return Error::success();
}

Error OutputFiles::takeBack() {
  Error All = Error::success();
  for (auto &[Path, Old] : reverse(Written)) {
    if (!Old)
      fs::remove(Path);
    else if (Error E = writeFileAtomically(Path, *Old))
      All = joinErrors(std::move(All), failure(toString(std::move(E)) + "; it keeps the new contents"));
  }
  Written.clear();
  return All;
}

Error writeFilesAtomically(ArrayRef<OutputFile> Files) {
  OutputFiles All;
  for (const OutputFile &F : Files)
    if (Error E = All.write(F.Path, F.Contents))
      return joinErrors(std::move(E), All.takeBack());
  return Error::success();
}

Expected<std::string> readInputFile(StringRef Path) {
  auto Cannot = [&](const Twine &Why) { return failure("cannot read '" + Path + "': " + Why); };
  if (fs::is_directory(Path))
    return Cannot("it is a folder");
  // What comes through a pipe can be read once, and Clang reads it again.
  if (fs::exists(Path) && !fs::is_regular_file(Path))
    return Cannot("it is no regular file; save what it holds in one");
  auto Buffer = MemoryBuffer::getFile(Path, /*IsText=*/false, /*RequiresNullTerminator=*/false,
                                      /*IsVolatile=*/true);
  if (!Buffer)
    return Cannot(reason(Buffer.getError()));
  StringRef Contents = (*Buffer)->getBuffer();
  if (Contents.empty())
    return Cannot("it is empty");
  if (Contents.contains('\0'))
    return Cannot("it is not a text file (it contains NUL bytes)");
  return Contents.str();
}

} // namespace cuda_pipeline
