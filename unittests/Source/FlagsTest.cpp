//===- FlagsTest.cpp - nvcc's flags in Clang's words ------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TestFiles.h"
#include "cuda-pipeline/Source.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

using namespace cuda_pipeline;
using Strings = std::vector<std::string>;

static CompileFlags flags(const Strings &Args, llvm::StringRef Directory = "") {
  llvm::Expected<CompileFlags> Flags = translateFlags(Args, Directory);
  if (Flags)
    return *Flags;
  ADD_FAILURE() << llvm::toString(Flags.takeError());
  return {};
}
static Strings clangArgs(const Strings &Args) { return flags(Args).ClangArgs; }
static Strings archs(const Strings &Args) { return flags(Args).Archs; }
static Strings dropped(const Strings &Args) { return flags(Args).Dropped; }
static std::string error(const Strings &Args, llvm::StringRef Directory) {
  llvm::Expected<CompileFlags> Flags = translateFlags(Args, Directory);
  return Flags ? "" : llvm::toString(Flags.takeError());
}

TEST(Flags, NothingFromNothing) { EXPECT_EQ(flags({}), CompileFlags()); }

TEST(Flags, ProgramInputsAndOutputsGoAway) {
  CompileFlags Flags = flags({"/usr/local/cuda/bin/nvcc", "-c", "a.cu", "-o", "a.o", "-x", "cu",
                              "b.cu", "--output-file", "b.o", "--compile", "--x=cu"});
  EXPECT_EQ(Flags.ClangArgs, Strings());
  EXPECT_EQ(Flags.Dropped, Strings());
}

TEST(Flags, AfterTwoDashesOnlyInputsFollow) {
  EXPECT_EQ(clangArgs({"-DA", "--", "-DB"}), Strings({"-DA"}));
}

// --- Preprocessor ---------------------------------------------------------------------------

TEST(Flags, Macros) {
  EXPECT_EQ(clangArgs({"-DA", "-D", "B=1", "-D=C", "--define-macro=D=2", "--define-macro", "E"}),
            Strings({"-DA", "-DB=1", "-DC", "-DD=2", "-DE"}));
  EXPECT_EQ(clangArgs({"-UA", "-U", "B", "--undefine-macro", "C"}), Strings({"-UA", "-UB", "-UC"}));
}

TEST(Flags, ListsAreSplitAsNvccDoes) {
  EXPECT_EQ(clangArgs({"-DA=1,B=2"}), Strings({"-DA=1", "-DB=2"}));
  EXPECT_EQ(clangArgs({"-DX=\"p,q\""}), Strings({"-DX=\"p,q\""}));
  EXPECT_EQ(clangArgs({"-DF(a\\,b)=a"}), Strings({"-DF(a,b)=a"}));
  EXPECT_EQ(clangArgs({"-Ia,b"}), Strings({"-Ia", "-Ib"}));
}

TEST(Flags, BracketsProtectCommas) {
  EXPECT_EQ(clangArgs({"-DF(a,b)=a"}), Strings({"-DF(a,b)=a"}));
}

TEST(Flags, ClangSplitsNoLists) {
  EXPECT_EQ(clangArgs({"clang++-22", "-DA=1,B=2"}), Strings({"-DA=1,B=2"}));
}

TEST(Flags, IncludeDirectories) {
  EXPECT_EQ(clangArgs({"-Ia", "-I", "b", "-I=c", "--include-path=d", "--include-path", "e"}),
            Strings({"-Ia", "-Ib", "-Ic", "-Id", "-Ie"}));
  EXPECT_EQ(clangArgs({"-isystem=a", "-isystem", "b", "--system-include", "c,d", "-isystem/e"}),
            Strings({"-isystem", "a", "-isystem", "b", "-isystem", "c", "-isystem", "d", "-isystem",
                     "/e"}));
  EXPECT_EQ(clangArgs({"-iquote", "a", "-idirafter", "b"}),
            Strings({"-iquote", "a", "-idirafter", "b"}));
}

TEST(Flags, ForcedIncludes) {
  EXPECT_EQ(clangArgs({"-include", "a.h", "-include=b.h", "--pre-include", "c.h,d.h"}),
            Strings({"-include", "a.h", "-include", "b.h", "-include", "c.h", "-include", "d.h"}));
}

TEST(Flags, LanguageStandard) {
  EXPECT_EQ(clangArgs({"-std=c++17"}), Strings({"-std=c++17"}));
  EXPECT_EQ(clangArgs({"-std", "c++14"}), Strings({"-std=c++14"}));
  EXPECT_EQ(clangArgs({"--std=c++20"}), Strings({"-std=c++20"}));
}

// --- Architectures --------------------------------------------------------------------------

TEST(Flags, Arch) {
  EXPECT_EQ(archs({"-arch=sm_86"}), Strings({"sm_86"}));
  EXPECT_EQ(archs({"-arch", "compute_86"}), Strings({"sm_86"}));
  EXPECT_EQ(archs({"--gpu-architecture=sm_90a"}), Strings({"sm_90a"}));
  EXPECT_EQ(archs({"-arch=sm_75", "-arch=sm_86"}), Strings({"sm_86"})); // the last one counts
}

TEST(Flags, ArchsThatNameNoArchitecture) {
  CompileFlags Flags = flags({"-arch=somewhere"});
  EXPECT_EQ(Flags.Archs, Strings());
  EXPECT_EQ(Flags.Dropped, Strings({"-arch=somewhere"}));
}

TEST(Flags, ArchWithCodes) {
  EXPECT_EQ(archs({"-arch=compute_80", "-code=sm_86,sm_89"}), Strings({"sm_86", "sm_89", "sm_80"}));
  EXPECT_EQ(archs({"-arch=compute_80", "--gpu-code", "sm_80,compute_80"}), Strings({"sm_80"}));
}

TEST(Flags, Gencode) {
  const Strings Both = {"sm_80", "sm_86"};
  EXPECT_EQ(
      archs({"-gencode", "arch=compute_80,code=sm_80", "-gencode=arch=compute_86,code=sm_86"}),
      Both);
  EXPECT_EQ(archs({"--generate-code=arch=compute_80,code=[compute_80,sm_80]", "--generate-code",
                   "arch=compute_86,code=[sm_86]"}),
            Both);
  EXPECT_EQ(archs({"-gencode=arch=compute_80,code=\"sm_80,sm_86\""}), Both);
  EXPECT_EQ(archs({"-gencode=\"arch=compute_80\",\"code=[sm_80,sm_86,compute_80]\""}), Both);
  EXPECT_EQ(archs({"-gencode", "arch=compute_80,code=sm_80,sm_86"}), Both);
}

// Code for sm_86 that was compiled from compute_80 sees __CUDA_ARCH__ 800: both count.
TEST(Flags, GencodeWithAnOlderVirtualArchitecture) {
  EXPECT_EQ(archs({"-gencode", "arch=compute_80,code=sm_86"}), Strings({"sm_86", "sm_80"}));
  EXPECT_EQ(archs({"-gencode", "arch=compute_52,code=lto_70"}), Strings({"sm_70", "sm_52"}));
}

TEST(Flags, GencodeThatIsNotUnderstood) {
  EXPECT_EQ(archs({"-gencode", "nonsense"}), Strings());
  EXPECT_EQ(dropped({"-gencode", "nonsense"}), Strings({"-gencode nonsense"}));
}

TEST(Flags, ClangsArchs) {
  EXPECT_EQ(
      archs({"--cuda-gpu-arch=sm_80", "--offload-arch=sm_86,sm_90a", "--cuda-gpu-arch=sm_80"}),
      Strings({"sm_80", "sm_86", "sm_90a"}));
}

// --- Host compiler --------------------------------------------------------------------------

TEST(Flags, HostFlagsThatChangeTheMeaning) {
  EXPECT_EQ(clangArgs({"-Xcompiler", "-Wall,-DQ=1"}), Strings({"-DQ=1"}));
  EXPECT_EQ(clangArgs({"-Xcompiler=-fPIC", "-Xcompiler=-I/a"}), Strings({"-I/a"}));
  EXPECT_EQ(clangArgs({"--compiler-options", "'-DA','-DB'"}), Strings({"-DA", "-DB"}));
  EXPECT_EQ(clangArgs({"--compiler-options=-DA -O3 -isystem /b"}),
            Strings({"-DA", "-isystem", "/b"}));
  EXPECT_EQ(clangArgs({"-Xcompiler", "-isystem", "-Xcompiler", "/b"}), Strings({"-isystem", "/b"}));
  EXPECT_EQ(clangArgs({"-Wp,-DA,-DB"}), Strings({"-DA", "-DB"}));
  EXPECT_EQ(clangArgs({"clang", "-Wp,-DA,-DB", "-Xpreprocessor", "-DC"}),
            Strings({"-DA", "-DB", "-DC"}));
}

TEST(Flags, HostFlagsOfCodeGenerationAreDropped) {
  CompileFlags Flags = flags({"-Xcompiler", "-fPIC,-O3,-march=native,-fopenmp"});
  EXPECT_EQ(Flags.ClangArgs, Strings());
  EXPECT_EQ(Flags.Dropped, Strings({"-fPIC", "-O3", "-march=native"}));
}

TEST(Flags, HostFlagsAreNotNvccs) { EXPECT_EQ(archs({"-Xcompiler", "-arch=sm_86"}), Strings()); }

// --- nvcc's own -----------------------------------------------------------------------------

TEST(Flags, OptionsThatDefineAMacro) {
  const Strings Rdc = {"-fgpu-rdc", "-D__CUDACC_RDC__"};
  for (const Strings &Args :
       {Strings{"-rdc=true"}, Strings{"-rdc", "true"}, Strings{"-dc"}, Strings{"-dw"},
        Strings{"--relocatable-device-code=true"}, Strings{"-dc", "-rdc=true"}})
    EXPECT_EQ(clangArgs(Args), Rdc) << llvm::join(Args, " ");
  EXPECT_EQ(clangArgs({"-rdc=false"}), Strings());
  EXPECT_EQ(clangArgs({"--expt-relaxed-constexpr"}), Strings({"-D__CUDACC_RELAXED_CONSTEXPR__"}));
  EXPECT_EQ(clangArgs({"-G"}), Strings({"-D__CUDACC_DEBUG__"}));
  EXPECT_EQ(clangArgs({"-use_fast_math"}), Strings({"-fgpu-approx-transcendentals"}));
  EXPECT_EQ(clangArgs({"--default-stream", "per-thread"}),
            Strings({"-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1"}));
  EXPECT_EQ(clangArgs({"-default-stream=legacy"}), Strings());
}

// Each must eat its value: what remains would be taken for an input.
TEST(Flags, DroppedOptionsTakeTheirValueAlong) {
  for (const char *Name : {"-ccbin",
                           "--compiler-bindir",
                           "-Xptxas",
                           "--ptxas-options",
                           "-Xnvlink",
                           "-Xlinker",
                           "-Xcudafe",
                           "-maxrregcount",
                           "--threads",
                           "-t",
                           "-MF",
                           "-MT",
                           "-odir",
                           "-L",
                           "-l",
                           "--keep-dir",
                           "-cudart",
                           "-diag-suppress",
                           "-ftz",
                           "-prec-div",
                           "-prec-sqrt",
                           "-fmad",
                           "--split-compile",
                           "-O",
                           "--optimize",
                           "-m",
                           "-ldir",
                           "-jtd",
                           "-mllvm",
                           "-target",
                           "--compress-mode",
                           "-time",
                           "-e",
                           "-qpp-config",
                           "--Ofast-compile"}) {
    CompileFlags Flags = flags({Name, "-DNOT_A_MACRO", "-DA"});
    EXPECT_EQ(Flags.ClangArgs, Strings({"-DA"})) << Name;
    EXPECT_EQ(Flags.Dropped, Strings({std::string(Name) + " -DNOT_A_MACRO"})) << Name;
  }
}

TEST(Flags, DroppedOptionsWithoutAValue) {
  for (const char *Name : {"-g",
                           "-lineinfo",
                           "-O3",
                           "-w",
                           "-Wall",
                           "-Wno-deprecated-gpu-targets",
                           "-m64",
                           "-t4",
                           "-forward-unknown-to-host-compiler",
                           "-MD",
                           "-MMD",
                           "-MP",
                           "-dlto",
                           "-dlink",
                           "-restrict",
                           "-keep",
                           "-res-usage",
                           "-ptx",
                           "-lm",
                           "-L/a",
                           "-pg",
                           "--fdevice-syntax-only",
                           "-Werror",
                           "--no-such-flag-at-all",
                           "-link",
                           "-lib"}) {
    CompileFlags Flags = flags({Name, "-DA"});
    EXPECT_EQ(Flags.ClangArgs, Strings({"-DA"})) << Name;
    EXPECT_EQ(Flags.Dropped, Strings({Name})) << Name;
  }
}

TEST(Flags, WerrorTakesAKindOnlyIfItIsOne) {
  EXPECT_EQ(dropped({"-Werror", "all-warnings", "-DA"}), Strings({"-Werror all-warnings"}));
  EXPECT_EQ(dropped({"-Werror", "reorder,default-stream-launch"}),
            Strings({"-Werror reorder,default-stream-launch"}));
  EXPECT_EQ(dropped({"-Werror", "a.cu"}), Strings({"-Werror"}));
}

TEST(Flags, AValueThatIsMissing) {
  EXPECT_EQ(dropped({"-DA", "-Xptxas"}), Strings({"-Xptxas"}));
  EXPECT_EQ(clangArgs({"-I"}), Strings());
}

// --- Clang's --------------------------------------------------------------------------------

TEST(Flags, ClangsOwn) {
  CompileFlags Flags =
      flags({"clang++", "-xcuda", "--cuda-host-only", "-fsyntax-only", "--cuda-path=/opt/cuda",
             "-nocudalib", "-stdlib=libc++", "-fms-extensions", "-Xclang",
             "-fcuda-allow-variadic-functions", "-ofile.o", "--sysroot=/s", "-nostdinc++"});
  EXPECT_EQ(Flags.CudaPath, "/opt/cuda");
  EXPECT_EQ(Flags.ClangArgs,
            Strings({"-stdlib=libc++", "-fms-extensions", "-Xclang",
                     "-fcuda-allow-variadic-functions", "--sysroot=/s", "-nostdinc++"}));
  EXPECT_EQ(Flags.Dropped, Strings());
}

// What Clang's front end could write, and load.
TEST(Flags, TheFrontEndsOwnAreDropped) {
  CompileFlags Flags = flags({"nvcc", "-Xclang", "-dependency-file", "-Xclang", "F", "-Xcompiler",
                              "-Xclang -load -Xclang x.so", "-DA"});
  EXPECT_EQ(Flags.ClangArgs, Strings({"-DA"}));
  EXPECT_EQ(Flags.Dropped,
            Strings({"-Xclang -dependency-file", "-Xclang F", "-Xclang -load", "-Xclang x.so"}));
  EXPECT_EQ(flags({"nvcc", "-Xptxas", "-v,-O3"}).OfCode, Strings({"--ptxas-options=-v,-O3"}));
  EXPECT_EQ(flags({"nvcc", "-Xptxas", "--output-file=F"}).OfCode, Strings());
  EXPECT_EQ(flags({"nvcc", "-Xptxas", "-v,-o,F"}).OfCode, Strings());
}

TEST(Flags, EveryArchitecture) {
  const Strings All = archs({"-arch=all"}), Major = archs({"--gpu-architecture", "all-major"});
  EXPECT_EQ(All.size(), 11u);
  EXPECT_EQ(All.front(), "sm_75");
  EXPECT_EQ(Major, Strings({"sm_75", "sm_80", "sm_90", "sm_100", "sm_110", "sm_120"}));
  EXPECT_TRUE(flags({"nvcc", "-arch=native"}).Native);
  EXPECT_EQ(archs({"-arch=native"}), Strings());
}

TEST(Flags, NvccsMacros) {
  EXPECT_EQ(flags({"nvcc", "--expt-extended-lambda", "-extended-lambda", "-Xcompiler=-O2,-fopenmp"})
                .Macros,
            Strings({"__CUDACC_EXTENDED_LAMBDA__=1", "_OPENMP=201511"}));
  EXPECT_FALSE(flags({"nvcc", "-DA"}).ByClang);
  EXPECT_TRUE(flags({"clang++-22", "-xcuda"}).ByClang);
  EXPECT_TRUE(flags({"--offload-arch=sm_80"}).ByClang);
}

TEST(Flags, WaysOfCompiling) {
  std::vector<CompileFlags> Ways = {
      flags({"nvcc", "-arch=sm_86", "-DA"}),
      flags({"nvcc", "-arch=sm_60", "-gencode", "arch=compute_90,code=sm_90"}),
      flags({"nvcc", "-DA", "-arch=sm_86", "-O3"}), flags({"nvcc"})};
  Ways[1].From = "entry 2";
  Strings LeftOut;
  auto All = settleArchs(Ways, {}, std::nullopt, LeftOut);
  ASSERT_TRUE(bool(All)) << llvm::toString(All.takeError());
  EXPECT_EQ(*All, Strings({"sm_86", "sm_90", "sm_80"}));
  EXPECT_EQ(LeftOut, Strings({"sm_60"}));
  ASSERT_EQ(Ways.size(), 3u); // the third is the first once more
  EXPECT_EQ(nameOf(Ways[1], "sm_90", Ways[0]), "sm_90 without -DA (entry 2)");
  std::vector<CompileFlags> Old = {flags({"nvcc", "-arch=sm_70"})};
  Toolkit Cuda;
  Cuda.Version = "13.0";
  EXPECT_FALSE(llvm::errorToBool(settleArchs(Old, {}, std::nullopt, LeftOut).takeError()));
  Old = {flags({"nvcc", "-arch=sm_70"})};
  EXPECT_EQ(llvm::toString(settleArchs(Old, {}, Cuda, LeftOut).takeError()),
            "compiled for sm_70 alone, too old for CUDA 13.0, where sm_75 is the oldest; say with "
            "--arch which are to be looked at");
}

// --- Files of options -----------------------------------------------------------------------

TEST(Flags, OptionsFiles) {
  TestDir Dir;
  Dir.write("a.rsp", "-DA -arch=sm_86\n\"-DS=\\\"x y\\\"\" @b.rsp\n");
  Dir.write("b.rsp", "-DB");
  for (const Strings &Args : {Strings{"@a.rsp"}, Strings{"--options-file", "a.rsp"},
                              Strings{"-optf=a.rsp"}, Strings{"@" + Dir.path("a.rsp")}}) {
    CompileFlags Flags = flags(Args, Dir.path());
    EXPECT_EQ(Flags.ClangArgs, Strings({"-DA", "-DS=\"x y\"", "-DB"})) << llvm::join(Args, " ");
    EXPECT_EQ(Flags.Archs, Strings({"sm_86"}));
  }
}

TEST(Flags, AnOptionsFileThatIsMissing) {
  TestDir Dir;
  std::string Text = error({"@none.rsp"}, Dir.path());
  EXPECT_NE(Text.find("cannot read the options file '" + Dir.path("none.rsp") + "'"),
            std::string::npos)
      << Text;
  EXPECT_NE(error({"-optf", "."}, Dir.path()), ""); // a directory
}

TEST(Flags, AnOptionsFileThatNamesItself) {
  TestDir Dir;
  Dir.write("loop.rsp", "-DA @loop.rsp");
  std::string Text = error({"@loop.rsp"}, Dir.path());
  EXPECT_NE(Text.find("nested deeper than 16"), std::string::npos) << Text;
}

// --- What CMake writes ------------------------------------------------------------------------

TEST(Flags, CMakesNvccCommand) {
  CompileFlags Flags =
      flags({"/usr/local/cuda/bin/nvcc",
             "-forward-unknown-to-host-compiler",
             "-DNDEBUG",
             "--options-file",
             "CMakeFiles/app.dir/includes_CUDA.rsp",
             "-O3",
             "-DNDEBUG",
             "-std=c++17",
             "--generate-code=arch=compute_80,code=[compute_80,sm_80]",
             "--generate-code=arch=compute_86,code=[sm_86]",
             "-Xcompiler=-fPIC",
             "-isystem=/usr/x",
             "-MD",
             "-MT",
             "app.o",
             "-MF",
             "app.o.d",
             "-x",
             "cu",
             "-rdc=true",
             "-c",
             "/src/app.cu",
             "-o",
             "app.o"},
            [] {
              static TestDir Dir;
              Dir.write("CMakeFiles/app.dir/includes_CUDA.rsp", "-I/src/include -isystem=/usr/y");
              return Dir.path();
            }());
  EXPECT_EQ(Flags.ClangArgs,
            Strings({"-DNDEBUG", "-I/src/include", "-isystem", "/usr/y", "-DNDEBUG", "-std=c++17",
                     "-isystem", "/usr/x", "-fgpu-rdc", "-D__CUDACC_RDC__"}));
  EXPECT_EQ(Flags.Archs, Strings({"sm_80", "sm_86"}));
}
