//===- Project.cpp - Which headers are the project's own --------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Project.h"
#include "Support/ReadFile.h"
#include "Units.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace cuda_pipeline {
namespace {

bool isBelow(StringRef Path, StringRef Folder) {
  return Folder == "/" || (Path.consume_front(Folder) && (Path.empty() || Path.starts_with("/")));
}

bool isRepository(StringRef Folder) {
  return any_of(ArrayRef<StringRef>{".git", ".hg", ".svn"},
                [&](StringRef Name) { return sys::fs::exists(Folder + "/" + Name); });
}

/// CMAKE_HOME_DIRECTORY of the cache in \p Folder; empty: there is none.
std::string sourcesOfCMake(StringRef Folder) {
  auto Cache = readFile(Folder + "/CMakeCache.txt");
  if (!Cache)
    return "";
  constexpr StringLiteral Key = "\nCMAKE_HOME_DIRECTORY:INTERNAL=";
  const StringRef Text = (*Cache)->getBuffer();
  const size_t At = Text.find(Key);
  return At == StringRef::npos ? ""
                               : realPath(Text.substr(At + Key.size()).split('\n').first.trim());
}

/// The folder around \p Sources that has a folder for headers as well; empty: there is none. Not
/// the user's own folder or the system's: what is below these belongs to many projects.
std::string aroundHeaders(StringRef Sources) {
  SmallString<128> Home;
  (void)sys::path::home_directory(Home);
  const std::string Own = realPath(Home);
  unsigned Depth = 0;
  for (StringRef Up = Sources; Depth <= 4 && sys::path::has_parent_path(Up) && Up != Own &&
                               Up != "/usr" && Up != "/usr/local" && Up != "/opt";
       ++Depth) {
    if (any_of(ArrayRef<StringRef>{"include", "inc", "includes", "headers"},
               [&](StringRef Name) { return sys::fs::is_directory(Up + "/" + Name); }))
      return Up.str();
    Up = sys::path::parent_path(Up);
    if (Up == "/")
      break;
  }
  return "";
}

} // namespace

Project::Project(ArrayRef<std::string> Files, StringRef BuildDir, bool IsDatabase) {
  std::string Common;
  for (const std::string &File : Files) {
    const StringRef Folder = sys::path::parent_path(File);
    if (Common.empty())
      Common = Folder.str();
    while (!isBelow(Folder, Common))
      Common = sys::path::parent_path(Common).str();
  }
  if (Common.empty())
    return;
  auto Add = [&](StringRef Root) {
    if (!Root.empty() && Root != "/" && isBelow(Common, Root) && !is_contained(Roots, Root))
      Roots.push_back(Root.str());
  };
  if (Common != "/")
    Roots.push_back(Common);
  std::string Folder = realPath(BuildDir);
  if (!Folder.empty() && !sys::fs::is_directory(Folder))
    Folder = sys::path::parent_path(Folder).str();
  if (IsDatabase && !Folder.empty()) {
    Add(Folder);
    Add(sys::path::parent_path(Folder));
    if (!isBelow(Common, Folder))
      Build = Folder;
  }
  for (StringRef Up = Folder; !Up.empty() && Up != "/"; Up = sys::path::parent_path(Up))
    if (std::string Sources = sourcesOfCMake(Up); !Sources.empty()) {
      if (Up == Sources || !isBelow(Common, Up)) {
        Add(Sources);
        if (Up != Sources)
          Build = Up.str();
      }
      break;
    }
  for (StringRef Up = Common; !Up.empty() && Up != "/"; Up = sys::path::parent_path(Up))
    if (isRepository(Up)) {
      Add(Up);
      break;
    }
  // Nothing else says how far it goes.
  if (Roots.size() == 1 && Build.empty())
    Add(aroundHeaders(Common));
}

bool Project::has(StringRef Path) const {
  static constexpr StringLiteral Foreign[] = {
      "third_party", "third-party", "thirdparty", "3rdparty", "3rd_party",
      "external",    "extern",      "vendor",     "_deps",    "submodules"};
  if (!Build.empty() && isBelow(Path, Build))
    return false;
  return any_of(Roots, [&](StringRef Root) {
    if (!isBelow(Path, Root))
      return false;
    for (StringRef Folder = sys::path::parent_path(Path); Folder != Root && !Folder.empty();
         Folder = sys::path::parent_path(Folder))
      if (is_contained(Foreign, sys::path::filename(Folder)) || isRepository(Folder))
        return false;
    return true;
  });
}

bool mayInclude(StringRef File, const CompileFlags &Flags, StringRef Header) {
  std::vector<std::string> Folders;
  auto Full = [&](StringRef Path, StringRef From) {
    SmallString<256> Out(Path);
    if (From.empty())
      (void)sys::fs::make_absolute(Out);
    else
      sys::path::make_absolute(From, Out);
    return std::string(Out);
  };
  std::vector<std::string> Left = {Full(File, "")};
  for (size_t I = 0; I < Flags.ClangArgs.size(); ++I) {
    const StringRef Arg = Flags.ClangArgs[I];
    const bool Next = I + 1 < Flags.ClangArgs.size();
    if (Arg.starts_with("-I") && Arg.size() > 2)
      Folders.push_back(Full(Arg.drop_front(2), Flags.Directory));
    else if (Next &&
             is_contained(ArrayRef<StringRef>{"-I", "-isystem", "-iquote", "-idirafter"}, Arg))
      Folders.push_back(Full(Flags.ClangArgs[++I], Flags.Directory));
    else if (Next && Arg == "-include")
      Left.push_back(Full(Flags.ClangArgs[++I], Flags.Directory));
  }
  // More are not a kernel's headers, but the system's.
  constexpr unsigned Most = 4000;
  StringSet<> Seen;
  while (!Left.empty() && Seen.size() < Most) {
    const std::string Path = std::move(Left.back());
    Left.pop_back();
    const std::string Real = realPath(Path);
    if (Real.empty() || !Seen.insert(Real).second)
      continue;
    if (Real == Header)
      return true;
    auto Buffer = readFile(Real);
    if (!Buffer)
      continue;
    for (StringRef Rest = (*Buffer)->getBuffer(); !Rest.empty();) {
      StringRef Line;
      std::tie(Line, Rest) = Rest.split('\n');
      Line = Line.ltrim();
      if (!Line.consume_front("#") || !(Line = Line.ltrim()).consume_front("include"))
        continue;
      Line = Line.ltrim();
      const bool Quoted = Line.consume_front("\"");
      if (!Quoted && !Line.consume_front("<"))
        continue;
      const StringRef Name = Line.take_until([&](char C) { return C == (Quoted ? '"' : '>'); });
      if (Quoted)
        if (std::string Beside = Full(Name, sys::path::parent_path(Path));
            sys::fs::exists(Beside)) {
          Left.push_back(std::move(Beside));
          continue;
        }
      for (const std::string &Folder : Folders)
        if (std::string There = Full(Name, Folder); sys::fs::exists(There)) {
          Left.push_back(std::move(There));
          break;
        }
    }
  }
  return false;
}

} // namespace cuda_pipeline
