//===- OutputFileTest.cpp - Reading inputs, writing outputs safely -------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report/OutputFile.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <set>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace cuda_pipeline;
using namespace llvm;
namespace fs = llvm::sys::fs;

namespace {

class OutputFile : public testing::Test {
protected:
  SmallString<128> Folder;

  void SetUp() override { ASSERT_FALSE(fs::createUniqueDirectory("output-test", Folder)); }
  void TearDown() override {
    ::chmod(Folder.c_str(), 0755);
    fs::remove_directories(Folder);
  }

  std::string path(StringRef Name) const { return (Folder + "/" + Name).str(); }
  void put(StringRef Name, StringRef Contents, unsigned Mode = 0644) const {
    std::error_code EC;
    {
      raw_fd_ostream OS(path(Name), EC);
      ASSERT_FALSE(EC);
      OS << Contents;
    }
    ASSERT_EQ(::chmod(path(Name).c_str(), Mode), 0);
  }
  std::string get(StringRef Name) const {
    auto Buffer = MemoryBuffer::getFile(path(Name), false, false);
    return Buffer ? (*Buffer)->getBuffer().str() : "<missing>";
  }
  unsigned mode(StringRef Name) const {
    struct stat S;
    return ::stat(path(Name).c_str(), &S) == 0 ? S.st_mode & 07777 : 0;
  }
  std::set<std::string> names() const {
    std::set<std::string> Names;
    std::error_code EC;
    for (fs::directory_iterator I(Folder, EC), E; I != E && !EC; I.increment(EC))
      Names.insert(sys::path::filename(I->path()).str());
    return Names;
  }
  // Empty: it worked.
  std::string write(StringRef Path, StringRef Contents, StringRef ModeFrom = "") const {
    Error E = writeFileAtomically(Path, Contents, ModeFrom);
    return E ? toString(std::move(E)) : "";
  }
  std::string read(StringRef Path) const {
    Expected<std::string> C = readInputFile(Path);
    return C ? "= " + *C : toString(C.takeError());
  }
};

// Root may write everywhere; permissions can only be tested as somebody else.
class Unprivileged {
public:
  Unprivileged() {
    if (::geteuid() == 0)
      Changed = ::seteuid(65534) == 0;
  }
  ~Unprivileged() {
    if (Changed && ::seteuid(0) != 0)
      std::abort();
  }
  bool ok() const { return ::geteuid() != 0; }

private:
  bool Changed = false;
};

using Names = std::set<std::string>;

TEST_F(OutputFile, New) {
  EXPECT_EQ(write(path("a.cu"), "text\r\n"), "");
  EXPECT_EQ(get("a.cu"), "text\r\n");
  mode_t Mask = ::umask(0);
  ::umask(Mask);
  EXPECT_EQ(mode("a.cu"), 0666u & ~Mask);
  EXPECT_EQ(names(), Names{"a.cu"});
}

TEST_F(OutputFile, Large) {
  std::string Big(5 << 20, 'x');
  EXPECT_EQ(write(path("a.cu"), Big), "");
  EXPECT_EQ(get("a.cu"), Big);
  EXPECT_EQ(write(path("a.cu"), ""), "");
  EXPECT_EQ(get("a.cu"), "");
}

TEST_F(OutputFile, ReplacesWithItsPermissions) {
  put("a.cu", "old", 0640);
  EXPECT_EQ(write(path("a.cu"), "new"), "");
  EXPECT_EQ(get("a.cu"), "new");
  EXPECT_EQ(mode("a.cu"), 0640u);
  EXPECT_EQ(names(), Names{"a.cu"});
}

TEST_F(OutputFile, PermissionsFromTheInput) {
  put("in.cu", "old", 0755);
  EXPECT_EQ(write(path("out.cu"), "new", path("in.cu")), "");
  EXPECT_EQ(mode("out.cu"), 0755u);
  // A read-only input: the next run must be able to replace the output.
  put("locked.cu", "old", 0444);
  EXPECT_EQ(write(path("out2.cu"), "new", path("locked.cu")), "");
  EXPECT_EQ(mode("out2.cu"), 0644u);
  EXPECT_NE(write(path("out3.cu"), "new", path("missing.cu")).find("permissions"),
            std::string::npos);
  EXPECT_EQ(names(), (Names{"in.cu", "locked.cu", "out.cu", "out2.cu"}));
}

TEST_F(OutputFile, TheOldFileIsNotTouched) {
  put("a.cu", "old");
  ASSERT_EQ(::link(path("a.cu").c_str(), path("b.cu").c_str()), 0);
  EXPECT_EQ(write(path("a.cu"), "new"), "");
  EXPECT_EQ(get("b.cu"), "old") << "written in place, not replaced";
}

TEST_F(OutputFile, SymbolicLink) {
  put("real.cu", "old");
  ASSERT_EQ(::symlink("real.cu", path("link.cu").c_str()), 0);
  std::string Message = write(path("link.cu"), "new");
  SmallString<128> Real;
  ASSERT_FALSE(fs::real_path(path("real.cu"), Real));
  EXPECT_EQ(Message, "cannot write '" + path("link.cu") +
                         "': it is a symbolic link; name the file itself, '" + Real.str().str() +
                         "'");
  EXPECT_EQ(get("real.cu"), "old");
  EXPECT_TRUE(fs::is_symlink_file(path("link.cu")));

  ASSERT_EQ(::symlink("nowhere", path("dangling.cu").c_str()), 0);
  EXPECT_EQ(write(path("dangling.cu"), "new"),
            "cannot write '" + path("dangling.cu") + "': it is a symbolic link that leads nowhere");
  EXPECT_EQ(names(), (Names{"real.cu", "link.cu", "dangling.cu"}));

  // A folder on the way may well be a link.
  ASSERT_EQ(::symlink(".", path("here").c_str()), 0);
  EXPECT_EQ(write(path("here/real.cu"), "new"), "");
  EXPECT_EQ(get("real.cu"), "new");
}

TEST_F(OutputFile, FolderInTheWay) {
  EXPECT_EQ(write(Folder, "new"), "cannot write '" + Folder.str().str() + "': it is a folder");
  EXPECT_EQ(write(path("no/such/a.cu"), "new"), "cannot write '" + path("no/such/a.cu") +
                                                    "': there is no folder '" + path("no/such") +
                                                    "'");
  put("file", "x");
  EXPECT_EQ(write(path("file/a.cu"), "new"),
            "cannot write '" + path("file/a.cu") + "': there is no folder '" + path("file") + "'");
  EXPECT_EQ(names(), Names{"file"});
}

TEST_F(OutputFile, NoPermission) {
  put("locked.cu", "old", 0444);
  ASSERT_EQ(::chmod(Folder.c_str(), 0777), 0);
  {
    Unprivileged Nobody;
    if (!Nobody.ok())
      GTEST_SKIP() << "cannot give up the rights of root";
    EXPECT_EQ(write(path("locked.cu"), "new"),
              "cannot write '" + path("locked.cu") + "': it is read-only");
  }
  ASSERT_EQ(::chmod(Folder.c_str(), 0555), 0);
  {
    Unprivileged Nobody;
    EXPECT_EQ(write(path("a.cu"), "new"), "cannot write '" + path("a.cu") + "': permission denied");
  }
  EXPECT_EQ(get("locked.cu"), "old");
  EXPECT_EQ(names(), Names{"locked.cu"});
}

TEST_F(OutputFile, DiskFull) {
  put("a.cu", "old");
  struct rlimit Before, Small;
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &Before), 0);
  auto *Handler = std::signal(SIGXFSZ, SIG_IGN);
  Small = Before;
  Small.rlim_cur = 1000;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &Small), 0);
  std::string Message = write(path("a.cu"), std::string(5000, 'x'));
  ::setrlimit(RLIMIT_FSIZE, &Before);
  std::signal(SIGXFSZ, Handler);
  EXPECT_EQ(Message, "cannot write '" + path("a.cu") + "': file too large");
  EXPECT_EQ(get("a.cu"), "old");
  EXPECT_EQ(names(), Names{"a.cu"});
}

TEST_F(OutputFile, Devices) {
  EXPECT_EQ(write("/dev/null", "text"), "");
  struct stat S;
  ASSERT_EQ(::stat("/dev/null", &S), 0);
  EXPECT_TRUE(S_ISCHR(S.st_mode)) << "replaced by a file!";
  if (fs::exists("/dev/full")) {
    EXPECT_EQ(write("/dev/full", "text"), "cannot write '/dev/full': no space left on device");
  }
}

TEST_F(OutputFile, EmptyFolderNameIsTheCurrentOne) {
  SmallString<128> Before;
  ASSERT_FALSE(fs::current_path(Before));
  ASSERT_FALSE(fs::set_current_path(Folder));
  EXPECT_EQ(write("a.cu", "text"), "");
  ASSERT_FALSE(fs::set_current_path(Before));
  EXPECT_EQ(get("a.cu"), "text");
}

TEST_F(OutputFile, Read) {
  put("a.cu", "text\r\n");
  EXPECT_EQ(read(path("a.cu")), "= text\r\n");
  EXPECT_EQ(read(path("no.cu")), "cannot read '" + path("no.cu") + "': no such file or directory");
  EXPECT_EQ(read(Folder), "cannot read '" + Folder.str().str() + "': it is a folder");
  put("empty.cu", "");
  EXPECT_EQ(read(path("empty.cu")), "cannot read '" + path("empty.cu") + "': it is empty");
  put("binary.cu", StringRef("\x7f"
                             "ELF\0\0",
                             6));
  EXPECT_EQ(read(path("binary.cu")), "cannot read '" + path("binary.cu") +
                                         "': it is not a text file (it contains NUL bytes)");
  put("locked.cu", "text", 0);
  ASSERT_EQ(::chmod(Folder.c_str(), 0777), 0);
  Unprivileged Nobody;
  if (Nobody.ok()) {
    EXPECT_EQ(read(path("locked.cu")),
              "cannot read '" + path("locked.cu") + "': permission denied");
  }
}

TEST_F(OutputFile, Marker) {
  std::string M = ToolOutputMarker.str();
  EXPECT_TRUE(isToolOutput(M));
  EXPECT_TRUE(isToolOutput(M + "\nint x;\n"));
  EXPECT_TRUE(isToolOutput(M + "\r\nint x;\r\n"));
  EXPECT_TRUE(isToolOutput("\xEF\xBB\xBF" + M + "\n"));
  EXPECT_FALSE(isToolOutput(""));
  EXPECT_FALSE(isToolOutput("int x;\n"));
  EXPECT_FALSE(isToolOutput("\n" + M + "\n"));
  EXPECT_FALSE(isToolOutput(M + " Not any more.\n"));
  EXPECT_FALSE(isToolOutput(" " + M));
  EXPECT_EQ(M.find('\n'), std::string::npos);
  EXPECT_LE(M.size(), 100u);
  EXPECT_EQ(M.rfind("//", 0), 0u);
}

TEST_F(OutputFile, Identity) {
  put("a.cu", "text");
  put("b.cu", "text");
  ASSERT_FALSE(fs::create_directory(path("sub")));
  ASSERT_FALSE(fs::create_link("a.cu", path("soft")));
  ASSERT_FALSE(fs::create_hard_link(path("a.cu"), path("hard")));
  ASSERT_FALSE(fs::create_link("sub", path("folder")));
  ASSERT_FALSE(fs::create_link("sub/not-yet", path("dangling")));
  ASSERT_FALSE(fs::create_link("turning", path("turning")));
  auto Same = [&](StringRef A, StringRef B) {
    const FileIdentity X(path(A)), Y(path(B));
    return !(X < Y) && !(Y < X);
  };
  for (StringRef Name :
       {"./a.cu", "sub/../a.cu", "sub/..//./a.cu", "soft", "hard", "folder/../a.cu"})
    EXPECT_TRUE(Same("a.cu", Name)) << Name.str();
  EXPECT_FALSE(Same("a.cu", "b.cu"));
  // What is not there yet.
  for (StringRef Name : {"folder/not-yet", "sub/./not-yet", "dangling", "sub/none/../not-yet",
                         "sub/none/./deeper/../../not-yet"})
    EXPECT_TRUE(Same("sub/not-yet", Name)) << Name.str();
  EXPECT_TRUE(Same("none/../a.cu", "a.cu"));
  EXPECT_TRUE(Same("none/deep/x", "none/./deep/y/../x"));
  for (StringRef Name : {"not-yet", "sub/not", "sub", "sub/not-yet/x", "turning"})
    EXPECT_FALSE(Same("sub/not-yet", Name)) << Name.str();
}

TEST_F(OutputFile, ReplacesOnlyWhatWasRead) {
  auto Replace = [&](const ReadFile &Was) {
    Error E = writeFileAtomically(path("a.cu"), "new", "", &Was);
    return E ? toString(std::move(E)) : "";
  };
  ReadFile Was;
  auto Read = [&] {
    Was.Contents = cantFail(readInputFile(path("a.cu"), &Was.Id));
    return Was;
  };
  put("a.cu", "old");
  EXPECT_EQ(Replace(Read()), "");
  EXPECT_EQ(get("a.cu"), "new");
  // Saved.
  Read();
  put("a.cu", "mine");
  EXPECT_NE(Replace(Was).find("has changed since it was read; it is kept"), std::string::npos);
  EXPECT_EQ(get("a.cu"), "mine");
  // Another file of the same contents.
  Read();
  put("b.cu", "mine");
  ASSERT_FALSE(fs::rename(path("b.cu"), path("a.cu")));
  EXPECT_NE(Replace(Was).find("has changed since it was read"), std::string::npos);
  // A link to the very file.
  Read();
  ASSERT_FALSE(fs::rename(path("a.cu"), path("b.cu")));
  ASSERT_FALSE(fs::create_link("b.cu", path("a.cu")));
  EXPECT_NE(Replace(Was), "");
  EXPECT_EQ(get("b.cu"), "mine");
  // Gone.
  fs::remove(path("a.cu"));
  EXPECT_NE(Replace(Was).find("has gone since it was read"), std::string::npos);
  EXPECT_EQ(get("a.cu"), "<missing>");
}

TEST_F(OutputFile, AllOrNone) {
  put("old.txt", "old");
  OutputFiles Files;
  ASSERT_FALSE(errorToBool(Files.makeFolder(path("x/y"))));
  ASSERT_FALSE(errorToBool(Files.makeFolder(path("z"))));
  for (StringRef Name : {"old.txt", "new.txt", "x/y/deep.txt", "saved.txt", "z/kept.txt"})
    ASSERT_FALSE(errorToBool(Files.write(path(Name), "new")));
  put("saved.txt", "mine"); // meanwhile
  put("z/mine.txt", "mine");
  const std::string Said = toString(Files.takeBack());
  EXPECT_NE(Said.find("saved.txt' was changed meanwhile; it is left as it is"), std::string::npos)
      << Said;
  EXPECT_EQ(get("old.txt"), "old");
  EXPECT_EQ(get("new.txt"), "<missing>");
  EXPECT_EQ(get("saved.txt"), "mine");
  using Names = std::set<std::string>;
  EXPECT_EQ(names(), (Names{"old.txt", "saved.txt", "z"}))
      << "the folders that were made are gone, but for one in use";
}

TEST_F(OutputFile, NothingTwice) {
  put("in.cu", "text");
  put("free.txt", "text");
  ASSERT_FALSE(fs::create_hard_link(path("in.cu"), path("hard.txt")));
  OutputFiles Files;
  auto Said = [](Error E) { return E ? toString(std::move(E)) : ""; };
  EXPECT_EQ(Said(Files.protect(path("in.cu"), "an input")), "");
  EXPECT_EQ(Files.protectedAs(path("hard.txt")), "an input");
  EXPECT_EQ(Said(Files.claim(path("hard.txt"), "--report")),
            "'" + path("hard.txt") + "' is an input and would be overwritten by --report");
  EXPECT_EQ(Said(Files.claim(path("free.txt"), "--report")), "");
  EXPECT_EQ(Said(Files.claim(path("./free.txt"), "-o")),
            "'" + path("./free.txt") + "' would be written twice, by --report and by -o");
  EXPECT_EQ(Said(Files.protect(path("free.txt"), "a file that was read")),
            "'" + path("free.txt") +
                "' is a file that was read and would be overwritten by --report");
  // Also what nobody has claimed.
  EXPECT_EQ(Said(Files.write(path("hard.txt"), "new")),
            "'" + path("hard.txt") + "' is an input; it is kept");
  EXPECT_EQ(get("in.cu"), "text");
  EXPECT_EQ(Said(Files.write(path("a.txt"), "one")), "");
  EXPECT_EQ(Said(Files.write(path("./a.txt"), "two")),
            "'" + path("./a.txt") + "' would be written twice");
  EXPECT_EQ(get("a.txt"), "one");
  for (int I = 0; I < 2; ++I)
    EXPECT_EQ(Said(Files.write("/dev/null", "text")), "");
}

TEST_F(OutputFile, Folders) {
  using Files = std::vector<std::pair<std::string, std::string>>;
  auto Write = [&](const Files &F) {
    OutputFiles Out;
    Error E = Out.writeFolder(path("h"), F, "--emit-harness");
    if (!E)
      return std::string();
    const std::string Said = toString(std::move(E));
    cantFail(Out.takeBack());
    return Said;
  };
  EXPECT_EQ(Write({{"a", "1"}, {"sub/b", "2"}}), "");
  EXPECT_EQ(Write({{"a", "3"}, {"sub/b", "2"}}), "");
  EXPECT_EQ(get("h/a"), "3");
  put("h/result", "measured");
  put("h/sub/b", "mine");
  EXPECT_EQ(Write({{"a", "4"}, {"sub/b", "5"}}),
            "'" + path("h/sub/b") +
                "' exists and was not written by this tool, or was changed since; it is kept (name "
                "another folder)");
  EXPECT_EQ(get("h/a"), "3");
  EXPECT_EQ(get("h/sub/b"), "mine");
  EXPECT_EQ(Write({{"a", "4"}, {"result", "5"}}).substr(0, path("h/result").size() + 2),
            "'" + path("h/result") + "'");
  EXPECT_EQ(get("h/a"), "3");
  // What stands there already is nobody's loss.
  put("h/sub/b", "5");
  EXPECT_EQ(Write({{"a", "4"}, {"sub/b", "5"}}), "");
}

TEST_F(OutputFile, Leftovers) {
  const pid_t Gone = ::fork();
  if (Gone == 0)
    ::_exit(0);
  ASSERT_EQ(::waitpid(Gone, nullptr, 0), Gone);
  auto Put = [&](const std::string &Name, bool Old) {
    put(Name, "half");
    int FD = ::open(path(Name).c_str(), O_WRONLY);
    ASSERT_GE(FD, 0);
    if (Old) {
      ASSERT_FALSE(fs::setLastAccessAndModificationTime(FD, std::chrono::system_clock::now() -
                                                                std::chrono::hours(2)));
    }
    ::close(FD);
  };
  const std::string Begin = ".cuda-pipeline-rewrite-", Dead = std::to_string(Gone),
                    Alive = std::to_string(::getpid());
  Put(Begin + Dead + "-0123abcd.tmp", true); // the one that goes
  Put(Begin + Dead + "-0123abce.tmp", false);
  Put(Begin + Alive + "-0123abcd.tmp", true);
  Put(Begin + "x-0123abcd.tmp", true);
  Put(Begin + Dead + "-0123abcd.txt", true);
  Put("cuda-pipeline-rewrite-" + Dead + "-0123abcd.tmp", true);
  std::set<std::string> Before = names();
  EXPECT_EQ(write(path("a.cu"), "text"), "");
  Before.erase(Begin + Dead + "-0123abcd.tmp");
  Before.insert("a.cu");
  EXPECT_EQ(names(), Before);
}

} // namespace
