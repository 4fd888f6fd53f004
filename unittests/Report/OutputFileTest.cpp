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
#include <csignal>
#include <set>
#include <sys/resource.h>
#include <sys/stat.h>
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

} // namespace
