//===- OutputFile.cpp - Reading inputs, writing outputs safely -----------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report/OutputFile.h"
#include "Support/ReadFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <mutex>
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

/// Of a symbolic link: the full path to which it leads.
static std::optional<std::string> targetOf(const SmallString<256> &Link) {
  char Text[4096];
  const ssize_t N = ::readlink(std::string(Link).c_str(), Text, sizeof(Text));
  if (N <= 0)
    return std::nullopt;
  SmallString<256> Target(StringRef(Text, static_cast<size_t>(N)));
  sys::path::make_absolute(sys::path::parent_path(Link), Target);
  return std::string(Target);
}

FileIdentity::FileIdentity(StringRef Path) {
  SmallString<256> At(Path);
  (void)fs::make_absolute(At);
  size_t Up = 0;
  for (unsigned Links = 0; fs::getUniqueID(At, Of);) {
    if (StringRef Name = sys::path::filename(At); Name == "..") {
      ++Up;
    } else if (Up > 0) {
      Up -= Name != ".";
    } else if (std::optional<std::string> Target = Links++ < 40 ? targetOf(At) : std::nullopt) {
      At = StringRef(*Target); // where nothing is yet
      continue;
    } else if (Name != ".") {
      Below = ("/" + Name + Below).str();
    }
    const StringRef Parent = sys::path::parent_path(At);
    if (Parent.empty())
      break;
    At = SmallString<256>(Parent);
  }
  for (; Up > 0; --Up) {
    At += "/..";
    (void)fs::getUniqueID(At, Of);
  }
  // There is something when the folders that are not there are left out, as in "none/../a.cu".
  fs::UniqueID There;
  if (!Below.empty() && !fs::getUniqueID(At + Below, There)) {
    Of = There;
    Below.clear();
  }
}

static std::optional<ReadFile> asItIs(StringRef Path) {
  int FD = -1;
  if (!fs::is_regular_file(Path) || fs::openFileForRead(Path, FD))
    return std::nullopt;
  scope_exit Close([&] { ::close(FD); });
  fs::file_status Status;
  if (fs::status(FD, Status))
    return std::nullopt;
  auto Buffer =
      MemoryBuffer::getOpenFile(fs::convertFDToNativeFile(FD), Path, /*FileSize=*/uint64_t(-1),
                                /*RequiresNullTerminator=*/false,
                                /*IsVolatile=*/true);
  if (!Buffer)
    return std::nullopt;
  return ReadFile{(*Buffer)->getBuffer().str(), Status.getUniqueID()};
}

Error stillAsRead(StringRef Path, const ReadFile &Was) {
  const std::optional<ReadFile> Now = asItIs(Path);
  if (Now && Now->Id == Was.Id && Now->Contents == Was.Contents)
    return Error::success();
  return failure("'" + Path + "' has " + (Now ? "changed" : "gone") + " since it was read; " +
                 (Now ? "it is kept, and " : "") + "nothing was written: run the command again");
}

/// ".cuda-pipeline-rewrite-PROCESS-XXXXXXXX.tmp": the leading dot keeps it out of build systems'
/// wildcards.
static constexpr StringLiteral TemporaryBegin = ".cuda-pipeline-rewrite-", TemporaryEnd = ".tmp";

/// A run that is killed leaves its temporary file. It is nobody's when its process is gone, and
/// when it is old: a process of another machine may write to the same folder.
static void removeLeftovers(StringRef Folder) {
  static std::mutex Lock;
  static StringSet<> LookedAt;
  {
    std::lock_guard<std::mutex> Guard(Lock);
    if (!LookedAt.insert(Folder).second)
      return;
  }
  const auto Now = std::chrono::system_clock::now();
  std::error_code EC;
  for (fs::directory_iterator I(Folder, EC, /*follow_symlinks=*/false), End; I != End && !EC;
       I.increment(EC)) {
    StringRef Name = sys::path::filename(I->path());
    int Process = 0;
    if (!Name.consume_front(TemporaryBegin) || !Name.consume_back(TemporaryEnd) ||
        Name.size() < 10 || Name[Name.size() - 9] != '-' ||
        Name.drop_back(9).getAsInteger(10, Process) || Process <= 0)
      continue;
    fs::file_status Status;
    if (fs::status(I->path(), Status, /*follow=*/false) ||
        Status.type() != fs::file_type::regular_file || Status.getUser() != ::geteuid() ||
        Now - Status.getLastModificationTime() < std::chrono::hours(1))
      continue;
    if (::kill(Process, 0) != 0 && errno == ESRCH)
      fs::remove(I->path());
  }
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

Error writeFileAtomically(StringRef Path, StringRef Contents, StringRef ModeFrom,
                          const ReadFile *Replaced) {
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

  // In the same folder, because rename() works within one file system only.
  removeLeftovers(Folder);
  SmallString<128> Model(Folder), Temporary;
  sys::path::append(Model, formatv("{0}{1}-%%%%%%%%{2}", TemporaryBegin,
                                   sys::Process::getProcessId(), TemporaryEnd)
                               .str());
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
  // As late as can be: writing may have taken a while.
  if (!EC && Replaced) {
    fs::status(Path, Link, /*follow=*/false);
    if (Link.type() == fs::file_type::symlink_file)
      return Cannot("it has become a symbolic link since it was read");
    if (Error E = stillAsRead(Path, *Replaced))
      return E;
  }
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

//===--- all files of a run ---------------------------------------------------===//

/// A terminal, a pipe, /dev/null: written to as often as one likes, and nothing is lost.
static bool isStream(StringRef Path) {
  fs::file_status Status;
  if (fs::status(Path, Status))
    return false;
  return Status.type() != fs::file_type::regular_file &&
         Status.type() != fs::file_type::directory_file;
}

Error OutputFiles::protect(StringRef Path, StringRef What) {
  if (isStream(Path))
    return Error::success();
  Entry &E = Known[FileIdentity(Path)];
  if (E.What.empty())
    E.What = What.str();
  if (E.By.empty())
    return Error::success();
  return failure("'" + Path + "' is " + What + " and would be overwritten by " + E.By);
}

Error OutputFiles::claim(StringRef Path, StringRef By) {
  if (isStream(Path))
    return Error::success();
  Entry &E = Known[FileIdentity(Path)];
  if (!E.What.empty())
    return failure("'" + Path + "' is " + E.What + " and would be overwritten by " + By);
  if (!E.By.empty())
    return failure("'" + Path + "' would be written twice, by " + E.By + " and by " + By);
  E.By = By.str();
  return Error::success();
}

StringRef OutputFiles::protectedAs(StringRef Path) const {
  auto It = Known.find(FileIdentity(Path));
  return It == Known.end() ? StringRef() : StringRef(It->second.What);
}

Error OutputFiles::write(StringRef Path, StringRef Contents, StringRef ModeFrom,
                         const ReadFile *Replaces) {
  const bool Stream = isStream(Path);
  const FileIdentity Is(Path);
  if (!Stream && !Replaces)
    if (auto It = Known.find(Is); It != Known.end() && !It->second.What.empty())
      return failure("'" + Path + "' is " + It->second.What + "; it is kept");
  // Two names that were none of a file yet may turn out to be one.
  if (!Stream && Done.count(Is))
    return failure("'" + Path + "' would be written twice");
  const std::optional<ReadFile> Old = asItIs(Path);
  if (Error E = writeFileAtomically(Path, Contents, ModeFrom, Replaces))
    return E;
  if (Stream || Path.starts_with("/dev/"))
    return Error::success();
  Replaced R;
  R.Path = Path.str();
  if (Old)
    R.Old = Old->Contents;
  R.New.Contents = Contents.str();
  if (fs::getUniqueID(Path, R.New.Id))
    return Error::success();
  Done.insert(FileIdentity(Path));
  Written.push_back(std::move(R));
  return Error::success();
}

Error OutputFiles::makeFolder(StringRef Path) {
  if (Path.empty() || fs::is_directory(Path))
    return Error::success();
  if (Error E = makeFolder(sys::path::parent_path(Path)))
    return E;
  if (std::error_code EC = fs::create_directory(Path))
    return failure("cannot create the folder '" + Path + "': " + reason(EC));
  Made.push_back(Path.str());
  return Error::success();
}

static std::string hashOf(StringRef Contents) {
  return formatv("{0:x-16}{1:x-}", xxh3_64bits(Contents), Contents.size()).str();
}

Error OutputFiles::writeFolder(StringRef Folder,
                               ArrayRef<std::pair<std::string, std::string>> Files, StringRef By) {
  auto Below = [&](StringRef Name) {
    SmallString<128> Path(Folder);
    sys::path::append(Path, Name);
    return std::string(Path);
  };
  // "HASH NAME" in each line.
  const std::string MarkPath = Below(FolderMarkName);
  const std::optional<ReadFile> OldMark = asItIs(MarkPath);
  StringSet<> Ours;
  for (StringRef Rest = OldMark ? StringRef(OldMark->Contents) : ""; !Rest.empty();) {
    StringRef Line;
    std::tie(Line, Rest) = Rest.split('\n');
    Ours.insert(Line);
  }
  std::string Mark;
  for (const auto &[Name, Contents] : Files) {
    const std::string Path = Below(Name);
    if (Error E = claim(Path, By))
      return E;
    if (std::optional<ReadFile> There = asItIs(Path);
        There && There->Contents != Contents &&
        !Ours.contains(hashOf(There->Contents) + " " + Name))
      return failure("'" + Path +
                     "' exists and was not written by this tool, or was changed since; it is kept "
                     "(name another folder)");
    Mark += hashOf(Contents) + " " + Name + "\n";
  }
  if (Error E = claim(MarkPath, By))
    return E;
  for (const auto &[Name, Contents] : Files) {
    const std::string Path = Below(Name);
    if (Error E = makeFolder(sys::path::parent_path(Path)))
      return E;
    if (Error E = write(Path, Contents))
      return E;
  }
  return write(MarkPath, Mark);
}

Error OutputFiles::takeBack() {
  Error All = Error::success();
  for (const Replaced &R : reverse(Written)) {
    // What somebody has saved there meanwhile is worth more than what was there before.
    if (Error Changed = stillAsRead(R.Path, R.New)) {
      consumeError(std::move(Changed));
      if (fs::exists(R.Path))
        All = joinErrors(std::move(All),
                         failure("'" + R.Path + "' was changed meanwhile; it is left as it is"));
    } else if (!R.Old) {
      fs::remove(R.Path);
    } else if (Error E = writeFileAtomically(R.Path, *R.Old, "", &R.New)) {
      All = joinErrors(std::move(All),
                       failure(toString(std::move(E)) + "; it keeps the new contents"));
    }
  }
  Written.clear();
  Done.clear();
  for (const std::string &Folder : reverse(Made))
    (void)::rmdir(Folder.c_str()); // not where somebody else has put something
  Made.clear();
  return All;
}

Expected<std::string> readInputFile(StringRef Path, fs::UniqueID *Id) {
  auto Cannot = [&](const Twine &Why) { return failure("cannot read '" + Path + "': " + Why); };
  if (fs::is_directory(Path))
    return Cannot("it is a folder");
  // What comes through a pipe can be read once, and Clang reads it again.
  if (fs::exists(Path) && !fs::is_regular_file(Path))
    return Cannot("it is no regular file; save what it holds in one");
  int FD = -1;
  if (std::error_code EC = fs::openFileForRead(Path, FD))
    return Cannot(reason(EC));
  scope_exit Close([&] { ::close(FD); });
  auto Buffer =
      MemoryBuffer::getOpenFile(fs::convertFDToNativeFile(FD), Path, /*FileSize=*/uint64_t(-1),
                                /*RequiresNullTerminator=*/false, /*IsVolatile=*/true);
  if (!Buffer)
    return Cannot(reason(Buffer.getError()));
  fs::file_status Status;
  if (Id && !fs::status(FD, Status))
    *Id = Status.getUniqueID();
  noteRead(Path);
  StringRef Contents = (*Buffer)->getBuffer();
  if (Contents.empty())
    return Cannot("it is empty");
  if (Contents.contains('\0'))
    return Cannot("it is not a text file (it contains NUL bytes)");
  return Contents.str();
}

} // namespace cuda_pipeline
