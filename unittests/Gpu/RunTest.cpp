//===- RunTest.cpp - The whole way of a GPU harness, on a pretended GPU --===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

///
/// nvcc and the CUDA runtime are replaced by those of fake-cuda/; everything else is real: the
/// script, the driver program with its comparisons, both shared objects, the result.
///
//===----------------------------------------------------------------------===//

#include "Requests.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "gtest/gtest.h"

using namespace cuda_pipeline;
using namespace llvm;

namespace {

// All versions of a kernel's body in one file, so that one build serves all of them.
struct Body {
  StringLiteral Name, Old, New;
  StringLiteral Verdict, Kind, Reason;
};
constexpr Body Bodies[] = {
    {"same", "b[i] = a[i] + 1;", "b[i] = 1 + a[i];", "pass", "", ""},
    {"differs", "b[i] = i;", "b[i] = i < 70 ? i : i + 1;", "fail", "difference",
     "the results differ"},
    {"unwritten", "if (i != 5) b[i] = i;", "if (i != 5) b[i] = i;", "pass", "", ""},
    {"forgets", "b[i] = 1;", "if (i != 5) b[i] = 1;", "fail", "difference", "the results differ"},
    {"behind", "b[i] = 1;", "b[i] = 1; b[n + 1] = 3;", "fail", "out-of-bounds",
     "new version: writes 4 bytes behind the end of b"},
    {"front", "b[i] = 1;", "b[i] = 1; b[-1] = 3;", "fail", "out-of-bounds",
     "new version: writes 4 bytes in front of b"},
    {"input", "b[i] = 1;", "b[i] = 1; if (i == 9) const_cast<float *>(a)[i] = 3;", "fail",
     "input-changed", "new version: writes to the input a[9]"},
    {"oldfront", "b[i] = 1; b[-1] = 3;", "b[i] = 1;", "cannot-tell", "out-of-bounds",
     "old version: writes 4 bytes in front of b"},
    {"unstable", "static float x; b[i] = x++;", "b[i] = i;", "cannot-tell", "unstable",
     "the old version gives different results from run to run on the same data"},
    {"contracted", "b[i] = CONTRACTED(1.5f, 1.0f);", "b[i] = 1.0f;", "fail", "contraction",
     "the results differ, but agree with -fmad=false: the compiler contracts other multiplications "
     "and "
     "additions in the new version"},
    {"later", "b[i] = 1;", "static int x; b[i] = x++ < 1000 ? 1 : 2;", "fail",
     "difference-after-timing", "the results agree after one launch, but differ after 7"},
    {"traps", "b[i] = 1;", "b[i] = 1; fakeTrap();", "fail", "launch",
     "new version: launch: fake error (cudaErrorLaunchFailure)"},
    {"oldtraps", "b[i] = 1; fakeTrap();", "b[i] = 1;", "cannot-tell", "launch",
     "old version: launch: fake error (cudaErrorLaunchFailure)"},
    {"global", "g[i % 8] = i;", "g[i % 8] = i + (i == 99);", "fail", "difference",
     "the results differ"},
    {"accumulates", "b[i] = i; c[i] += 1;", "b[i] = i; c[i] = c[i] + 1;", "pass", "", ""},
    {"data", "b[i] = a[i];",
     "b[i] = a[i] == EXPECTED[FIRST < 200 ? FIRST : 100 + i] ? a[i] : 12345; ++FIRST;", "pass", "",
     ""},
    {"arguments", "b[i] = 1;",
     "b[i] = n == 100 && v.x == 0.5f && v.y == -1 && p.n == 7 && p.x == 0.25 && none == nullptr && "
     "c == d - 3;",
     "pass", "", ""},
};

class RunHarness : public testing::Test {
protected:
  void SetUp() override { ::unsetenv("FAKE_GPU"); }
  void TearDown() override { ::unsetenv("FAKE_GPU"); }

  static HarnessRun run() {
    HarnessRun R;
    R.Nvcc = CPR_FAKE_NVCC;
    return R;
  }
};

KernelSignature kernel(StringRef Name) {
  KernelSignature S = signature(Name.str(), {"const float *a", "float *b", "int n", "float *c",
                                             "float *d", "float2 v", "bytes:16 p", "int *none"});
  S.Parameters[6].Type = "Params";
  return S;
}

void addBody(HarnessRequest &R, const Body &B) {
  constexpr StringLiteral Parameters =
      "(const float *a, float *b, int n, float *c, float *d, float2 v, "
      "Params p, int *none) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (i >= n) return;\n  ";
  R.Versions[0].Text += ("__global__ void " + B.Name + Parameters + B.Old + "\n}\n").str();
  R.Versions[1].Text += ("__global__ void " + B.Name + Parameters + B.New + "\n}\n").str();
  add(R, kernel(B.Name),
      ("kernel: " + B.Name +
       "\ncases: [{n: 100}]\ngrid: [2]\nblock: [64]\narguments:\n"
       "- {buffer: float, count: n, role: input}\n- {buffer: float, count: n, role: output}\n"
       "- {value: n}\n- {name: c, buffer: float, count: n}\n- {name: d, same_as: c, offset: 3}\n"
       "- {value: [0.5, -1]}\n- {fields: [{scalar: int, value: 7}, {scalar: double, value: "
       "0.25}]}\n"
       "- {buffer: null}\nglobals: [{name: g, type: int}]\n")
          .str());
}

HarnessRequest request(ArrayRef<Body> Which) {
  HarnessRequest R;
  R.Arch = "sm_90";
  R.Rounds = 2;
  // Both define the same things, main() included.
  std::string Common = "struct float2 { float x, y; };\nstruct Params { int n; double x; };\n"
                       "__device__ int g[8];\nint main() { return 1; }\n"
                       "#ifdef FAKE_NO_CONTRACTION\n#define CONTRACTED(a, b) b\n#else\n"
                       "#define CONTRACTED(a, b) a\n#endif\n";
  R.Versions[0].Text = R.Versions[1].Text = Common;
  // What fillBuffer() says the first buffer of 'data' contains, for both seeds, must be what the
  // harness puts there; all launches behind the second one are timed, on the data of the last seed.
  HarnessRequest Data;
  for (const Body &B : Bodies)
    if (B.Name == "data")
      addBody(Data, B);
  R.Versions[1].Text += "static int FIRST = 0;\nstatic const float EXPECTED[] = {";
  for (uint64_t Seed : R.Seeds) {
    const ConcreteLaunch &L = Data.Kernels[0].Launches[0];
    std::vector<float> Values(L.Arguments[0].Count);
    fillBuffer(L, L.Arguments[0], Seed, reinterpret_cast<uint8_t *>(Values.data()));
    for (float V : Values)
      R.Versions[1].Text += formatv("{0}f, ", format("%.9e", V)).str();
  }
  R.Versions[1].Text += "0};\n";
  for (const Body &B : Which)
    addBody(R, B);
  return R;
}

Harness make(const HarnessRequest &R) {
  auto H = makeHarness(R);
  if (!H)
    ADD_FAILURE() << toString(H.takeError());
  return H ? std::move(*H) : Harness();
}

TEST_F(RunHarness, VerdictsOfAllKinds) {
  HarnessRequest R = request(Bodies);
  auto Result = runHarness(make(R), run());
  ASSERT_TRUE(static_cast<bool>(Result)) << toString(Result.takeError());
  EXPECT_EQ(Result->Gpu, "Fake \"GPU\"");
  EXPECT_EQ(Result->ComputeCapability, "9.0");
  EXPECT_EQ(Result->Driver, "12.8");
  EXPECT_EQ(Result->Runtime, "13.0");
  EXPECT_EQ(Result->Arch, "sm_90");
  EXPECT_EQ(Result->Seeds, R.Seeds);
  EXPECT_EQ(Result->verdict(), Verdict::Fail);
  ASSERT_EQ(Result->Cases.size(), std::size(Bodies));
  for (size_t I = 0; I < std::size(Bodies); ++I) {
    const Body &B = Bodies[I];
    const GpuCase &C = Result->Cases[I];
    SCOPED_TRACE(B.Name.str());
    EXPECT_EQ(C.Kernel, B.Name);
    EXPECT_EQ(C.Case, "n=100");
    EXPECT_EQ(C.Result, B.Verdict == "pass"   ? Verdict::Pass
                        : B.Verdict == "fail" ? Verdict::Fail
                                              : Verdict::CannotTell);
    EXPECT_EQ(C.Kind, B.Kind);
    EXPECT_EQ(C.Reason, B.Reason);
    EXPECT_EQ(C.Timed, B.Verdict == "pass" || B.Name == "later");
    if (C.Timed) {
      EXPECT_EQ(C.Rounds, 2u);
      EXPECT_GT(C.OldMicroseconds, 0);
    }
  }
  auto Case = [&](StringRef Name) {
    for (const GpuCase &C : Result->Cases)
      if (C.Kernel == Name && C.Difference)
        return *C.Difference;
    ADD_FAILURE() << "no difference in " << Name.str();
    return VerifyDifference();
  };
  VerifyDifference D = Case("differs");
  EXPECT_EQ(D.Buffer, "b");
  EXPECT_EQ(D.Index, 70u);
  EXPECT_EQ(D.Count, 30u);
  EXPECT_EQ(D.OldBits, "0x428c0000");
  EXPECT_EQ(D.NewBits, "0x428e0000");
  EXPECT_EQ(D.OldValue, "70");
  EXPECT_EQ(D.NewValue, "71");
  D = Case("forgets");
  EXPECT_EQ(D.Index, 5u);
  EXPECT_EQ(D.Count, 1u);
  D = Case("global");
  EXPECT_EQ(D.Buffer, "g");
  EXPECT_EQ(D.Index, 3u);
  EXPECT_EQ(D.OldValue, "99");
}

HarnessRequest small() { return request(ArrayRef(Bodies).take_front(1)); }

TEST_F(RunHarness, AllPass) {
  SmallString<128> Folder;
  ASSERT_FALSE(sys::fs::createUniqueDirectory("harness run", Folder)); // with a space in it
  Harness H = make(small());
  HarnessRun Run = run();
  Run.Folder = Folder.str().str();
  auto Result = runHarness(H, Run);
  ASSERT_TRUE(static_cast<bool>(Result)) << toString(Result.takeError());
  EXPECT_EQ(Result->verdict(), Verdict::Pass);
  EXPECT_EQ(Result->HarnessId, H.Id);
  EXPECT_TRUE(sys::fs::exists(Folder + "/result.json")) << "a folder that was named is kept";
  EXPECT_FALSE(sys::fs::exists(Folder + "/old-contraction.so")) << "built only when it is needed";

  // By hand, with options.
  const std::string Program = (Folder + "/harness").str(), Other = (Folder + "/other.json").str();
  const std::string ResultOption = "--result=" + Other;
  auto execute = [&](std::vector<StringRef> Options) {
    Options.insert(Options.begin(), Program);
    std::optional<StringRef> Silent[] = {StringRef(), StringRef(), StringRef()};
    return sys::ExecuteAndWait(Program, Options, std::nullopt, Silent);
  };
  EXPECT_EQ(execute({"--seeds=7,8,9", "--rounds=0", "--guard=0", "--poison=0", ResultOption}), 0);
  auto Text = MemoryBuffer::getFile(Other);
  ASSERT_TRUE(static_cast<bool>(Text));
  Result = readGpuResult((*Text)->getBuffer(), "other.json", &H);
  ASSERT_TRUE(static_cast<bool>(Result)) << toString(Result.takeError());
  EXPECT_EQ(Result->Seeds, (std::vector<uint64_t>{7, 8, 9}));
  EXPECT_FALSE(Result->Cases[0].Timed);
  EXPECT_EQ(execute({"--seeds=x"}), 2);
  EXPECT_EQ(execute({"--nonsense=1"}), 2);
  sys::fs::remove_directories(Folder);
}

void expectFailure(Expected<GpuResult> R, HarnessError::Step Step, StringRef Message) {
  ASSERT_FALSE(static_cast<bool>(R));
  Error Rest = handleErrors(R.takeError(), [&](const HarnessError &E) {
    EXPECT_EQ(E.step(), Step);
    EXPECT_EQ(E.cannotRunHere(),
              Step == HarnessError::Step::NoCompiler || Step == HarnessError::Step::NoGpu);
    std::string Text;
    raw_string_ostream OS(Text);
    E.log(OS);
    EXPECT_NE(Text.find(Message.str()), std::string::npos) << Text;
    EXPECT_FALSE(StringRef(Text).contains('\n')) << Text;
  });
  EXPECT_FALSE(static_cast<bool>(Rest)) << toString(std::move(Rest));
}

TEST_F(RunHarness, NoCompiler) {
  HarnessRun Run = run();
  Run.Nvcc = "/nowhere/bin/nvcc";
  expectFailure(runHarness(make(small()), Run), HarnessError::Step::NoCompiler,
                "no nvcc at '/nowhere/bin/nvcc'");
}

TEST_F(RunHarness, DoesNotBuild) {
  HarnessRequest R = small();
  R.Versions[1].Text += "int broken(;\n";
  expectFailure(runHarness(make(R), run()), HarnessError::Step::Build, "new.cu:");
}

TEST_F(RunHarness, ParametersOfAnotherSize) {
  HarnessRequest R = small();
  R.Kernels[0].Old.Parameters[2] = R.Kernels[0].New.Parameters[2] = parameter("long n");
  expectFailure(runHarness(make(R), run()), HarnessError::Step::Build,
                "the parameters of same have other sizes than was said");
}

TEST_F(RunHarness, FolderCannotBeWritten) {
  HarnessRun Run = run();
  Run.Folder = "/dev/null/x";
  expectFailure(runHarness(make(small()), Run), HarnessError::Step::Write, "/dev/null/x");
}

// One build for what can happen when it runs.
TEST_F(RunHarness, NoGpuCrashAndTimeout) {
  HarnessRequest R = request(ArrayRef(Bodies).take_front(2));
  R.TimeoutSeconds = 0.1;
  Harness H = make(R);
  ::setenv("FAKE_GPU", "none", 1);
  expectFailure(runHarness(H, run()), HarnessError::Step::NoGpu, "no GPU: fake error");
  ::setenv("FAKE_GPU", "crash", 1);
  expectFailure(runHarness(H, run()), HarnessError::Step::Run, "the GPU harness did not end");
  ::setenv("FAKE_GPU", "hang", 1);
  auto Result = runHarness(H, run());
  ASSERT_TRUE(static_cast<bool>(Result)) << toString(Result.takeError());
  ASSERT_EQ(Result->Cases.size(), 2u);
  EXPECT_EQ(Result->Cases[0].Kind, "timeout");
  EXPECT_EQ(Result->Cases[1].Kind, "not-run");
  EXPECT_EQ(Result->verdict(), Verdict::CannotTell);
}

} // namespace
