//===- FolderOwner.cpp - Who may write to a folder ----------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FolderOwner.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"
#include <grp.h>
#include <pwd.h>
#include <unistd.h>
#include <vector>

using namespace llvm;

namespace cuda_pipeline {

/// Those of a group with nobody else in it may be what a umask gives to all of a user's files.
static bool isOwnGroup(uint32_t Group) {
  if (Group != ::getegid())
    return false;
  const passwd *Me = ::getpwuid(::geteuid());
  const struct group *G = ::getgrgid(Group);
  for (char **Name = G ? G->gr_mem : nullptr; Name && *Name; ++Name)
    if (!Me || StringRef(*Name) != Me->pw_name)
      return false;
  return true;
}

std::string whoElseMayWrite(const sys::fs::file_status &Folder, bool IsAbove) {
  if (Folder.getUser() != ::geteuid() && Folder.getUser() != 0)
    return "it belongs to another user";
  // In a sticky one only what is one's own can be replaced.
  if (IsAbove && (Folder.permissions() & sys::fs::sticky_bit))
    return "";
  if (Folder.permissions() & sys::fs::others_write)
    return "everybody may write to it";
  if (Folder.permissions() & sys::fs::group_write && Folder.getGroup() != 0 &&
      !isOwnGroup(Folder.getGroup()))
    return "a group may write to it";
  return "";
}

std::string whoElseMayMove(StringRef Folder) {
  SmallString<256> Full(Folder.rtrim('/'));
  (void)sys::fs::make_absolute(Full);
  std::vector<std::string> Left;
  auto Push = [&](StringRef Path) {
    for (auto I = sys::path::rbegin(Path), End = sys::path::rend(Path); I != End; ++I)
      Left.push_back(I->str());
  };
  Push(Full);
  SmallString<256> At;
  for (unsigned Links = 0; !Left.empty() && Links < 40;) {
    const std::string Name = std::move(Left.back());
    Left.pop_back();
    if (Name == "/")
      At = "/";
    else if (Name == "..")
      sys::path::remove_filename(At);
    else if (Name != ".")
      sys::path::append(At, Name);
    sys::fs::file_status Status;
    if (Left.empty() || sys::fs::status(At, Status, /*follow=*/false))
      break;
    if (Status.type() == sys::fs::file_type::symlink_file) {
      if (Status.getUser() != ::geteuid() && Status.getUser() != 0)
        return "'" + std::string(At) + "' is a symbolic link of another user";
      SmallString<256> Target;
      const std::string Link(At);
      Target.resize_for_overwrite(4096);
      const ssize_t N = ::readlink(Link.c_str(), Target.data(), Target.size());
      if (N <= 0)
        break;
      Target.truncate(size_t(N));
      ++Links;
      sys::path::remove_filename(At);
      Push(Target);
      continue;
    }
    std::string Why = whoElseMayWrite(Status, /*IsAbove=*/true);
    if (!Why.empty())
      return "'" + std::string(At) + "', in which it lies, is not safe: " + Why;
  }
  return "";
}

std::string whyNotMine(StringRef Folder) {
  std::string Why = whoElseMayMove(Folder);
  sys::fs::file_status Status;
  if (Why.empty() && !sys::fs::status(Folder, Status, /*follow=*/false))
    Why = Status.type() != sys::fs::file_type::directory_file
              ? "it is no folder"
              : whoElseMayWrite(Status, /*IsAbove=*/false);
  return Why;
}

} // namespace cuda_pipeline
