//===- MakeHarness.cpp - The text of a GPU harness ------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../Support/Messages.h"
#include "cuda-pipeline/GpuHarness.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;
using namespace cuda_pipeline;

namespace {

constexpr struct {
  StringLiteral Name, Text;
} FixedFiles[] = {
#include "HarnessFiles.inc"
};

std::string literal(StringRef Text) {
  std::string Result = "\"";
  for (unsigned char C : Text) {
    if (C == '"' || C == '\\' || C == '?') // ?: trigraphs
      Result += {'\\', static_cast<char>(C)};
    else if (C < 0x20 || C >= 0x7f) // three digits, so that none of what follows belongs to it
      Result += {'\\', static_cast<char>('0' + (C >> 6)), static_cast<char>('0' + ((C >> 3) & 7)),
                 static_cast<char>('0' + (C & 7))};
    else
      Result += static_cast<char>(C);
  }
  return Result + "\"";
}

/// Headers lie where none of the user's can have the same name.
std::string inFolder(StringRef Name) {
  return (Name == "harness.cu" ? "" : "cpr-harness/") + Name.str();
}

uint64_t sizeOf(const KernelParameter &P) { return P.IsPointer ? 8 : P.Element.bytes(); }

bool ablated(const HarnessVersion &V) {
  return V.Kind == VersionKind::LoadsOnly || V.Kind == VersionKind::ComputeOnly;
}

class HarnessWriter {
public:
  explicit HarnessWriter(const HarnessRequest &R) : R(R) {
    for (const HarnessVersion &V : R.Versions) {
      std::string Stem = toString(V.Kind).str();
      const size_t Others =
          count_if(Stems, [&](const std::string &S) { return StringRef(S).starts_with(Stem); });
      Stems.push_back(Others ? Stem + std::to_string(Others + 1) : Stem);
    }
    for (const VerifyKernel &K : R.Kernels)
      for (const ConcreteLaunch &L : K.Launches)
        for (const ConcreteGlobal &G : L.Globals)
          if (!is_contained(Globals, G.Name))
            Globals.push_back(G.Name);
  }

  std::string cases() const {
    std::string Text;
    raw_string_ostream OS(Text);
    OS << "// The launches of this harness. Generated.\n#include \"tables.h\"\n\n";
    std::vector<std::string> Rows;
    for (const auto &[Kernel, K] : enumerate(R.Kernels))
      for (const ConcreteLaunch &L : K.Launches)
        Rows.push_back(writeCase(OS, Rows.size(), Kernel, L));
    OS << "static const cpr_harness::Case Cases[] = {\n";
    for (const std::string &Row : Rows)
      OS << "  " << Row << ",\n";
    OS << "};\n\nstatic const cpr_harness::VersionInfo Versions[] = {\n";
    for (const auto &[V, Stem] : zip(R.Versions, Stems)) {
      static constexpr StringLiteral Kinds[] = {"Old", "New", "LoadsOnly", "ComputeOnly"};
      OS << formatv("  {{cpr_harness::VersionInfo::{0}, {1}, {2}},\n",
                    Kinds[static_cast<int>(V.Kind)], literal(Stem), literal(V.Name));
    }
    OS << "};\n";
    return Text;
  }

  std::string fileOf(size_t Version) const { return Stems[Version] + ".cu"; }

  // The launches behind the user's text. The user's macros are in force here: apart from the names
  // that the user wrote, only keywords and names of our own are used.
  std::string side() const {
    std::string Text;
    raw_string_ostream OS(Text);
    OS << "// One version with a table of its launches. Generated.\n"
          "#include \"cpr-harness/side.h\"\n\n"
          "#define main cpr_harness_main_of_the_file\n"
          "#include CPR_HARNESS_SOURCE\n"
          "#undef main\n\n";
    for (const auto &[Index, K] : enumerate(R.Kernels)) {
      const KernelSignature &S = K.Old;
      OS << formatv("static auto *const cpr_harness_kernel_{0} = {1};\n", Index, function(S));
      OS << formatv("static_assert(cpr_harness_fits<decltype(&*cpr_harness_kernel_{0}), "
                    "cpr_harness_sizes<",
                    Index);
      for (const auto &[I, P] : enumerate(S.Parameters))
        OS << (I ? ", " : "") << sizeOf(P);
      OS << ">>(), " << literal("the parameters of " + S.Name + " have other sizes than was said")
         << ");\n";
    }
    OS << "\nstatic cpr_harness_status cpr_harness_launch(int cpr_harness_k, const "
          "cpr_harness_shape "
          "&cpr_harness_s, void **cpr_harness_a) {\n  switch (cpr_harness_k) {\n";
    for (size_t I = 0; I < R.Kernels.size(); ++I)
      OS << formatv("  case {0}: return cpr_harness_run(cpr_harness_kernel_{0}, cpr_harness_s, "
                    "cpr_harness_a);\n",
                    I);
    OS << "  }\n  return cudaErrorInvalidValue;\n}\n"
          "\nstatic cpr_harness_status cpr_harness_prepare(int cpr_harness_k, cpr_harness_size "
          "cpr_harness_s, cpr_harness_size "
          "*cpr_harness_n) {\n  switch (cpr_harness_k) {\n";
    for (size_t I = 0; I < R.Kernels.size(); ++I)
      OS << formatv("  case {0}: return cpr_harness_ready(cpr_harness_kernel_{0}, cpr_harness_s, "
                    "cpr_harness_n);\n",
                    I);
    OS << "  }\n  return cudaErrorInvalidValue;\n}\n"
          "\nstatic cpr_harness_status cpr_harness_global(int cpr_harness_i, void **cpr_harness_p, "
          "cpr_harness_size *cpr_harness_n) {\n  switch (cpr_harness_i) {\n";
    for (const auto &[I, Name] : enumerate(Globals))
      OS << formatv("  case {0}: *cpr_harness_n = sizeof({1}); return "
                    "cudaGetSymbolAddress(cpr_harness_p, {1});\n",
                    I, Name);
    OS << "  }\n  return cudaErrorInvalidValue;\n}\n"
       << formatv("\nextern \"C\" const cpr_harness_sides *cpr_harness_side() {{\n"
                  "  static const cpr_harness_sides cpr_harness_table = {{{0}, {1}, "
                  "cpr_harness_prepare, cpr_harness_launch, cpr_harness_global};\n  return "
                  "&cpr_harness_table;\n}\n",
                  R.Kernels.size(), Globals.size());
    return Text;
  }

  std::string build() const {
    std::string Flags = "-w -O3 -arch=" + shellWord(R.Arch);
    if (none_of(R.NvccFlags,
                [](StringRef F) { return F.starts_with("-std") || F.starts_with("--std"); }))
      Flags += " -std=c++17";
    for (const std::string &F : R.NvccFlags)
      Flags += " " + shellWord(F);
    std::string Text;
    raw_string_ostream OS(Text);
    OS << R"sh(#!/bin/sh
# Builds the harness beside this file:     sh build.sh && ./harness
# Another compiler than nvcc on PATH:      NVCC=/path/to/nvcc sh build.sh
# All versions without contraction, too:  sh build.sh contraction
# The harness does the last by itself if the results differ and a compiler is there.
cd "$(dirname "$0")" || exit 2
NVCC=${NVCC:-nvcc}
version() { # NAME SUFFIX FLAG...
  name=$1 suffix=$2
  shift 2
  "$NVCC" )sh"
       << Flags
       << R"sh( "$@" -shared -Xcompiler -fPIC -Xlinker -Bsymbolic "-DCPR_HARNESS_SOURCE=\"$name.cu\"" side.cu -o "$name$suffix.so" && return
  echo "build.sh: $name.cu does not compile" >&2
  return 1
}
waits=
if [ "$1" = contraction ]; then
)sh";
    for (const auto &[V, Stem] : zip(R.Versions, Stems))
      if (!ablated(V))
        OS << "  version " << Stem << " -contraction -fmad=false & waits=\"$waits $!\"\n";
    OS << R"sh(  status=0
  for one in $waits; do wait $one || status=1; done
  exit $status
fi
)sh";
    for (const auto &[V, Stem] : zip(R.Versions, Stems))
      if (!ablated(V))
        OS << "version " << Stem << " \"\" & waits=\"$waits $!\"\n";
      else // the others are timed without it
        OS << "rm -f " << Stem << ".so; version " << Stem << " \"\" &\n";
    OS << R"sh("$NVCC" -w -O2 -std=c++17 -arch=)sh" << shellWord(R.Arch)
       << R"sh( harness.cu -o harness -ldl
status=$?
for one in $waits; do wait $one || status=1; done
wait
exit $status
)sh";
    return Text;
  }

  // What the numbers in cases.h and the command line depend on.
  std::string settings(StringRef Id) const {
    std::string Seeds;
    for (uint64_t S : R.Seeds)
      Seeds += formatv("{0}{1}u", Seeds.empty() ? "" : ", ", S).str();
    const BenchOptions Bench = R.Bench.value_or(BenchOptions());
    return formatv("#define CPR_HARNESS {0}\n#define CPR_ARCH {1}\n#define CPR_SEEDS {{{2}}\n"
                   "#define CPR_ROUNDS {3}\n#define CPR_TIMEOUT {4}\n#define CPR_BENCH "
                   "{5}\n#define CPR_TIME_LIMIT {6}\n"
                   "#define CPR_COLD {7}\n#define CPR_NCU {8}\n\n",
                   literal(Id), literal(R.Arch), Seeds, R.Bench ? Bench.Rounds : R.Rounds,
                   R.TimeoutSeconds, R.Bench ? 1 : 0, Bench.TimeLimitSeconds, Bench.Cold ? 1 : 0,
                   literal(Bench.Ncu ? "ncu" : ""))
        .str();
  }

private:
  const HarnessRequest &R;
  std::vector<std::string> Globals, Stems;

  // An overloaded name needs the types, which otherwise had better not be repeated: they can be
  // written in ways that mean nothing behind the kernel.
  std::string function(const KernelSignature &S) const {
    const bool Overloaded = S.Overloaded || any_of(R.Kernels, [&](const VerifyKernel &Other) {
                              return Other.Old.Name == S.Name && Other.Old.Mangled != S.Mangled;
                            });
    if (!Overloaded)
      return "&" + S.Name;
    std::string Types;
    for (const KernelParameter &P : S.Parameters)
      Types += (Types.empty() ? "" : ", ") + P.Type;
    return formatv("static_cast<void (*)({0})>(&{1})", Types, S.Name).str();
  }

  static std::string spec(const ElementType &T, const BufferFill &F) {
    static constexpr StringLiteral Types[] = {"Bool",     "SignedInt", "UnsignedInt", "Half",
                                              "BFloat16", "Float",     "Double",      "Bytes"};
    static constexpr StringLiteral Kinds[] = {"Random", "Uniform", "Value", "Index", "Poison"};
    auto number = [](double V) {
      return formatv("cpr_harness::fromBits({0:x}u) /* {1} */", bit_cast<uint64_t>(V), V).str();
    };
    const bool Bounds = F.K != BufferFill::Kind::Random && F.K != BufferFill::Kind::Poison;
    return formatv(
               "{{cuda_pipeline::fill::Base::{0}, {1}, {2}, cuda_pipeline::fill::Kind::{3}, {4}, "
               "{5}}",
               Types[static_cast<int>(T.Base)], T.BaseBytes, T.Lanes, Kinds[static_cast<int>(F.K)],
               Bounds ? number(F.Low) : "0", Bounds ? number(F.High) : "0")
        .str();
  }

  static std::string noSpec() { return spec(ElementType(), BufferFill()); }

  static std::string dimensions(const std::array<uint64_t, 3> &D) {
    return formatv("{{{0}u, {1}u, {2}u}", D[0], D[1], D[2]).str();
  }

  /// Dynamic shared memory of a version. What it does with more than the original is given is what
  /// it is there for.
  std::string shared(size_t Version, size_t Kernel, const ConcreteLaunch &L) const {
    const VerifyKernel &K = R.Kernels[Kernel];
    if (R.Versions[Version].Kind != VersionKind::New)
      return formatv("{0}u", L.SharedBytes);
    if (L.NewSharedBytes)
      return formatv("{0}u", *L.NewSharedBytes);
    if (std::optional<SharedDemand> D = K.demand(Version)) {
      std::optional<uint64_t> Enough = D->enough(L.SharedBytes);
      return Enough ? formatv("{0}u", std::max(*Enough, L.SharedBytes)).str()
                    : "cpr_harness::AllShared";
    }
    return formatv("{0}u", L.SharedBytes);
  }

  // The tables of one case; returns its row in the table of cases.
  std::string writeCase(raw_ostream &OS, size_t Number, size_t Kernel,
                        const ConcreteLaunch &L) const {
    std::string Table;
    for (const auto &[I, A] : enumerate(L.Arguments)) {
      static constexpr StringLiteral Roles[] = {"Input", "Output", "InOut"};
      const std::string Role = ("cpr_harness::Role::" + Roles[static_cast<int>(A.Role)]).str();
      std::string Form = "Value", Spec = noSpec(), Value = "nullptr";
      uint64_t Count = 0, Offset = 0, Of = 0;
      if (!A.IsBuffer) {
        Value = formatv("Value_{0}_{1}", Number, I).str();
        OS << formatv("static const unsigned char {0}[] = {{", Value);
        for (const auto &[B, Byte] : enumerate(A.Value))
          OS << (B ? ", " : "") << unsigned(Byte);
        OS << "};\n";
      } else if (A.Null) {
        Form = "Null";
      } else {
        Offset = A.Offset * A.Element.bytes();
        Form = A.SameAs.empty() ? "Buffer" : "SameAs";
        Spec = spec(A.Element, A.Fill);
        Count = A.Count;
        for (const auto &[J, Other] : enumerate(L.Arguments))
          if (Other.Name == A.SameAs)
            Of = J;
      }
      Table += formatv("  {{cpr_harness::Argument::{0}, {1}, {2}, {3}u, {4}, {5}u, {6}, {7}},\n",
                       Form, literal(A.Name), Spec, Count, Role, Offset, Of, Value)
                   .str();
    }
    std::string ArgumentTable = "nullptr", GlobalTable = "nullptr";
    if (!L.Arguments.empty()) {
      ArgumentTable = formatv("Arguments_{0}", Number).str();
      OS << "static const cpr_harness::Argument " << ArgumentTable << "[] = {\n" << Table << "};\n";
    }
    if (!L.Globals.empty()) {
      GlobalTable = formatv("Globals_{0}", Number).str();
      OS << "static const cpr_harness::Global " << GlobalTable << "[] = {\n";
      for (const ConcreteGlobal &G : L.Globals)
        OS << formatv("  {{{0}, {1}, {2}},\n", literal(G.Name),
                      find(Globals, G.Name) - Globals.begin(), spec(G.Element, G.Fill));
      OS << "};\n";
    }
    OS << "static const cpr_harness::Shape Launches_" << Number << "[] = {";
    for (const auto &[I, V] : enumerate(R.Versions)) {
      OS << (I ? ", " : "");
      if (is_contained(V.NotFor, Kernel))
        OS << "{}";
      else
        OS << formatv("{{{0}, {1}, {2}}", dimensions(L.Grid), dimensions(L.Block),
                      shared(I, Kernel, L));
    }
    OS << "};\n";
    return formatv("{{{0}, {1}, {2}, Launches_{3}, {4}, {5}, {6}, {7}}", Kernel, literal(L.Kernel),
                   literal(L.Case), Number, L.Arguments.size(), ArgumentTable, L.Globals.size(),
                   GlobalTable)
        .str();
  }
};

Error checkRequest(const HarnessRequest &R) {
  size_t Cases = 0;
  for (const VerifyKernel &K : R.Kernels) {
    Cases += K.Launches.size();
    bool Same = K.Old.Parameters.size() == K.New.Parameters.size();
    for (auto [A, B] : zip(K.Old.Parameters, K.New.Parameters))
      Same = Same && sizeOf(A) == sizeOf(B) && A.IsPointer == B.IsPointer;
    if (!Same)
      return createStringError(
          formatv("'{0}' has other parameters in the new version", K.Old.Name).str());
  }
  if (Cases == 0)
    return createStringError("there is no launch to make a GPU harness for");
  return Error::success();
}

} // namespace

StringRef cuda_pipeline::toString(VersionKind K) {
  switch (K) {
  case VersionKind::Old:
    return "old";
  case VersionKind::New:
    return "new";
  case VersionKind::LoadsOnly:
    return "loads-only";
  case VersionKind::ComputeOnly:
    return "compute-only";
  }
  llvm_unreachable("unknown kind of version");
}

Expected<Harness> cuda_pipeline::makeHarness(const HarnessRequest &Request) {
  if (Error E = checkRequest(Request))
    return E;
  HarnessWriter Writer(Request);
  Harness H;
  for (const auto &File : FixedFiles)
    H.Files.emplace_back(inFolder(File.Name), File.Text.str());
  H.Files.insert(H.Files.end(), Request.Extra.begin(), Request.Extra.end());
  for (const auto &[I, V] : enumerate(Request.Versions))
    H.Files.emplace_back(Writer.fileOf(I), V.Text);
  H.Files.emplace_back("side.cu", Writer.side());
  H.Files.emplace_back("build.sh", Writer.build());
  H.Files.emplace_back(inFolder("cases.h"), Writer.cases());
  std::string All = Writer.settings("");
  for (const auto &[Name, Text] : H.Files)
    All += Name + '\0' + Text + '\0';
  H.Id = formatv("{0:x-16}", xxh3_64bits(All)).str();
  H.Files.back().second = Writer.settings(H.Id) + H.Files.back().second;
  return H;
}

Error cuda_pipeline::writeHarness(const Harness &H, StringRef Folder) {
  auto failed = [](const Twine &Path, std::error_code EC) {
    return createStringError(EC, "%s: %s", Path.str().c_str(), EC.message().c_str());
  };
  if (std::error_code EC = sys::fs::create_directories(Folder))
    return failed(Folder, EC);
  for (const auto &[Name, Text] : H.Files) {
    SmallString<128> Path(Folder);
    sys::path::append(Path, Name);
    if (std::error_code EC = sys::fs::create_directories(sys::path::parent_path(Path)))
      return failed(Path, EC);
    std::error_code EC;
    raw_fd_ostream OS(Path, EC);
    if (!EC) {
      OS << Text;
      OS.close();
      EC = OS.error();
      OS.clear_error();
    }
    if (EC)
      return failed(Path, EC);
  }
  return Error::success();
}
