//===- Flags.cpp - nvcc's flags in Clang's words ----------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// One table says what each option is called, whether it has a value, and what becomes of it. nvcc,
/// Clang and the host compiler (-Xcompiler) share it, since their command lines are mixed freely:
/// CMake writes host flags into nvcc's command, and people paste either kind after `--`.
///
//===----------------------------------------------------------------------===//
#include "../Support/ReadFile.h"
#include "CommandParts.h"
#include "cuda-pipeline/Source.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/StringSaver.h"

using namespace llvm;

namespace cuda_pipeline {
namespace {

/// What becomes of an option.
enum class Action {
  Drop,        ///< listed among the dropped ones
  Forget,      ///< -c, -o FILE: says what the driver does, not what the code means
  Language,    ///< -x
  NoCode,      ///< -E, -M, --dryrun: nothing is compiled
  Keep,        ///< passed to Clang as it is, with its value
  KeepAs,      ///< passed to Clang under the name in `Text`, once per list element
  Define,      ///< passed to Clang as the flags in `Text` (nvcc defines a macro), unless "=false"
  Macro,       ///< nvcc defines the macro in `Text`, which headers that know Clang must not see
  FrontEnd,    ///< -Xclang: kept if it is one of FrontEndFeatures
  Archs,       ///< -arch
  Codes,       ///< -code
  Gencode,     ///< -gencode arch=...,code=...
  GpuArchs,    ///< Clang's --offload-arch: a list of real architectures
  CudaPath,    ///< Clang's --cuda-path
  HostFlags,   ///< flags of the host compiler
  OptionsFile, ///< more flags are in a file
};

enum class Value {
  None,
  One,      ///< `--name=value` or `--name value`
  List,     ///< the same, and commas separate elements
  Joined,   ///< only `--name=value` (Clang), or nothing
  Optional, ///< the next argument is the value if it is one of the words in `Text`
};

/// Whose option it is. Decides where a name means different things.
enum Dialect : unsigned { Nvcc = 1, Gnu = 2, Any = Nvcc | Gnu };

struct Option {
  StringLiteral Name; ///< without dashes; one or two are accepted
  Value Takes;
  Action Does;
  Dialect Whose = Any;
  StringLiteral Text = "";
};

// Looked up by the exact name, the first entry that fits the dialect.
constexpr Option Options[] = {
    // --- What changes the meaning of the code -----------------------------------------------
    {"define-macro", Value::List, Action::KeepAs, Any, "-D"},
    {"D", Value::List, Action::KeepAs, Any, "-D"},
    {"undefine-macro", Value::List, Action::KeepAs, Any, "-U"},
    {"U", Value::List, Action::KeepAs, Any, "-U"},
    {"include-path", Value::List, Action::KeepAs, Any, "-I"},
    {"I", Value::List, Action::KeepAs, Any, "-I"},
    {"system-include", Value::List, Action::KeepAs, Any, "-isystem "},
    {"isystem", Value::List, Action::KeepAs, Any, "-isystem "},
    {"pre-include", Value::List, Action::KeepAs, Any, "-include "},
    {"include", Value::List, Action::KeepAs, Any, "-include "},
    {"iquote", Value::One, Action::KeepAs, Gnu, "-iquote "},
    {"idirafter", Value::One, Action::KeepAs, Gnu, "-idirafter "},
    {"imacros", Value::One, Action::KeepAs, Gnu, "-imacros "},
    {"isysroot", Value::One, Action::KeepAs, Gnu, "-isysroot "},
    {"cxx-isystem", Value::One, Action::KeepAs, Gnu, "-cxx-isystem "},
    {"stdlib++-isystem", Value::One, Action::KeepAs, Gnu, "-stdlib++-isystem "},
    {"ivfsoverlay", Value::One, Action::KeepAs, Gnu, "-ivfsoverlay "},
    {"sysroot", Value::One, Action::KeepAs, Gnu, "--sysroot="},
    {"gcc-toolchain", Value::One, Action::KeepAs, Gnu, "--gcc-toolchain="},
    {"gcc-install-dir", Value::One, Action::KeepAs, Gnu, "--gcc-install-dir="},
    {"stdlib", Value::Joined, Action::Keep, Gnu},
    {"nostdinc", Value::None, Action::Keep, Gnu},
    {"nostdinc++", Value::None, Action::Keep, Gnu},
    {"nostdlibinc", Value::None, Action::Keep, Gnu},
    {"nobuiltininc", Value::None, Action::Keep, Gnu},
    {"undef", Value::None, Action::Keep, Gnu},
    {"pthread", Value::None, Action::Keep, Gnu},
    {"trigraphs", Value::None, Action::Keep, Gnu},
    {"ansi", Value::None, Action::Keep, Gnu},
    {"std", Value::One, Action::KeepAs, Any, "-std="},
    {"Xclang", Value::One, Action::FrontEnd, Gnu},
    {"rdc", Value::One, Action::Define, Nvcc, "-fgpu-rdc -D__CUDACC_RDC__"},
    {"relocatable-device-code", Value::One, Action::Define, Nvcc, "-fgpu-rdc -D__CUDACC_RDC__"},
    {"dc", Value::None, Action::Define, Nvcc, "-fgpu-rdc -D__CUDACC_RDC__"},
    {"device-c", Value::None, Action::Define, Nvcc, "-fgpu-rdc -D__CUDACC_RDC__"},
    {"dw", Value::None, Action::Define, Nvcc, "-fgpu-rdc -D__CUDACC_RDC__"},
    {"device-w", Value::None, Action::Define, Nvcc, "-fgpu-rdc -D__CUDACC_RDC__"},
    {"extensible-whole-program", Value::None, Action::Define, Nvcc, "-D__CUDACC_EWP__"},
    {"ewp", Value::None, Action::Define, Nvcc, "-D__CUDACC_EWP__"},
    // constexpr functions are host and device in Clang anyway; only the macro is missing.
    {"expt-relaxed-constexpr", Value::None, Action::Define, Any, "-D__CUDACC_RELAXED_CONSTEXPR__"},
    {"expt-extended-lambda", Value::None, Action::Macro, Nvcc, "__CUDACC_EXTENDED_LAMBDA__=1"},
    {"extended-lambda", Value::None, Action::Macro, Nvcc, "__CUDACC_EXTENDED_LAMBDA__=1"},
    // Not as a feature of Clang's: its pragmas are for the host, and need a library.
    {"fopenmp", Value::None, Action::Macro, Gnu, "_OPENMP=201511"},
    {"G", Value::None, Action::Define, Nvcc, "-D__CUDACC_DEBUG__"},
    {"device-debug", Value::None, Action::Define, Nvcc, "-D__CUDACC_DEBUG__"},
    // Clang maps sinf and others to the fast variants by this flag, as nvcc does by its own. Fast
    // floating-point semantics in general would also let isnan() fold away.
    {"use_fast_math", Value::None, Action::Define, Nvcc, "-fgpu-approx-transcendentals"},
    {"default-stream", Value::One, Action::Define, Nvcc,
     "per-thread:-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1"},

    // --- Architectures ----------------------------------------------------------------------
    {"gpu-architecture", Value::One, Action::Archs, Nvcc},
    {"arch", Value::One, Action::Archs, Nvcc},
    {"gpu-code", Value::List, Action::Codes, Nvcc},
    {"code", Value::List, Action::Codes, Nvcc},
    {"generate-code", Value::One, Action::Gencode, Nvcc},
    {"gencode", Value::One, Action::Gencode, Nvcc},
    {"cuda-gpu-arch", Value::List, Action::GpuArchs},
    {"offload-arch", Value::List, Action::GpuArchs},
    {"no-cuda-gpu-arch", Value::One, Action::Drop},
    {"no-offload-arch", Value::One, Action::Drop},

    // --- Flags in flags ---------------------------------------------------------------------
    {"compiler-options", Value::List, Action::HostFlags},
    {"Xcompiler", Value::List, Action::HostFlags},
    {"Xpreprocessor", Value::One, Action::HostFlags, Gnu},
    {"Xarch_device", Value::One, Action::HostFlags, Gnu},
    {"Xarch_host", Value::One, Action::Drop, Gnu},
    {"options-file", Value::List, Action::OptionsFile},
    {"optf", Value::List, Action::OptionsFile},
    {"cuda-path", Value::One, Action::CudaPath},

    // --- What the driver does ---------------------------------------------------------------
    {"o", Value::One, Action::Forget},
    {"output-file", Value::One, Action::Forget},
    {"c", Value::None, Action::Forget},
    {"compile", Value::None, Action::Forget},
    {"x", Value::One, Action::Language},
    {"S", Value::None, Action::Forget},
    {"E", Value::None, Action::NoCode},
    {"preprocess", Value::None, Action::NoCode},
    {"M", Value::None, Action::NoCode},
    {"MM", Value::None, Action::NoCode},
    {"generate-dependencies", Value::None, Action::NoCode},
    {"generate-nonsystem-dependencies", Value::None, Action::NoCode},
    {"dryrun", Value::None, Action::NoCode},
    {"fsyntax-only", Value::None, Action::Forget},
    {"cuda-device-only", Value::None, Action::Forget},
    {"cuda-host-only", Value::None, Action::Forget},
    {"offload-device-only", Value::None, Action::Forget},
    {"offload-host-only", Value::None, Action::Forget},
    {"cuda-compile-host-device", Value::None, Action::Forget},
    {"nocudalib", Value::None, Action::Forget},
    {"nogpulib", Value::None, Action::Forget},
    {"nocudainc", Value::None, Action::Forget},
    {"nogpuinc", Value::None, Action::Forget},

    // --- Dropped, but with a value that must go with them ------------------------------------
    {"dependency-output", Value::One, Action::Drop},
    {"MF", Value::One, Action::Drop},
    {"MT", Value::One, Action::Drop},
    {"MQ", Value::One, Action::Drop},
    {"MJ", Value::One, Action::Drop},
    {"dependency-target-name", Value::One, Action::Drop},
    {"library", Value::One, Action::Drop},
    {"l", Value::One, Action::Drop},
    {"library-path", Value::One, Action::Drop},
    {"L", Value::One, Action::Drop},
    {"output-directory", Value::One, Action::Drop},
    {"odir", Value::One, Action::Drop},
    {"compiler-bindir", Value::One, Action::Drop},
    {"ccbin", Value::One, Action::Drop},
    {"archiver-binary", Value::One, Action::Drop},
    {"arbin", Value::One, Action::Drop},
    {"cudart", Value::One, Action::Drop},
    {"cudadevrt", Value::One, Action::Drop},
    {"libdevice-directory", Value::One, Action::Drop},
    {"ldir", Value::One, Action::Drop},
    {"target-directory", Value::One, Action::Drop},
    {"target-dir", Value::One, Action::Drop},
    {"optimization-info", Value::One, Action::Drop},
    {"opt-info", Value::One, Action::Drop},
    {"O", Value::One, Action::Drop, Nvcc},
    {"O", Value::None, Action::Drop, Gnu},
    {"optimize", Value::One, Action::Drop},
    {"Ofc", Value::One, Action::Drop},
    {"Ofast-compile", Value::One, Action::Drop},
    {"dopt", Value::One, Action::Drop},
    {"ftemplate-backtrace-limit", Value::One, Action::Drop},
    {"ftemplate-depth", Value::One, Action::KeepAs, Any, "-ftemplate-depth="},
    {"m", Value::One, Action::Drop, Nvcc},
    {"machine", Value::One, Action::Drop},
    {"linker-options", Value::One, Action::Drop},
    {"Xlinker", Value::One, Action::Drop},
    {"archive-options", Value::One, Action::Drop},
    {"Xarchive", Value::One, Action::Drop},
    {"ptxas-options", Value::One, Action::Drop},
    {"Xptxas", Value::One, Action::Drop},
    {"nvlink-options", Value::One, Action::Drop},
    {"Xnvlink", Value::One, Action::Drop},
    {"Xcuda-ptxas", Value::One, Action::Drop},
    {"Xcuda-fatbinary", Value::One, Action::Drop},
    {"Xassembler", Value::One, Action::Drop},
    {"Xcudafe", Value::One, Action::Drop},
    {"Xopenmp-target", Value::One, Action::Drop},
    {"Xoffload-linker", Value::One, Action::Drop},
    {"mllvm", Value::One, Action::Drop},
    {"static-global-template-stub", Value::One, Action::Drop},
    {"device-entity-has-hidden-visibility", Value::One, Action::Drop},
    {"threads", Value::One, Action::Drop},
    {"t", Value::One, Action::Drop, Nvcc},
    {"split-compile", Value::One, Action::Drop},
    {"split-compile-extended", Value::One, Action::Drop},
    {"fdevice-time-trace", Value::One, Action::Drop},
    {"keep-dir", Value::One, Action::Drop},
    {"time", Value::One, Action::Drop, Nvcc},
    {"run-args", Value::One, Action::Drop},
    {"input-drive-prefix", Value::One, Action::Drop},
    {"idp", Value::One, Action::Drop},
    {"dependency-drive-prefix", Value::One, Action::Drop},
    {"ddp", Value::One, Action::Drop},
    {"drive-prefix", Value::One, Action::Drop},
    {"dp", Value::One, Action::Drop},
    {"entries", Value::One, Action::Drop},
    {"e", Value::One, Action::Drop},
    {"maxrregcount", Value::One, Action::Drop},
    {"ftz", Value::One, Action::Drop},
    {"prec-div", Value::One, Action::Drop},
    {"prec-sqrt", Value::One, Action::Drop},
    {"fmad", Value::One, Action::Define, Nvcc, "false:-ffp-contract=off"},
    {"Werror", Value::Optional, Action::Drop, Nvcc,
     "all-warnings cross-execution-space-call reorder default-stream-launch missing-launch-bounds "
     "ext-lambda-captures-this deprecated-declarations deprecated-gpu-targets"},
    {"diag-error", Value::One, Action::Drop},
    {"diag-suppress", Value::One, Action::Drop},
    {"diag-warn", Value::One, Action::Drop},
    {"host-linker-script", Value::One, Action::Drop},
    {"hls", Value::One, Action::Drop},
    {"brief-diagnostics", Value::One, Action::Drop},
    {"brief-diag", Value::One, Action::Drop},
    {"jump-table-density", Value::One, Action::Drop},
    {"jtd", Value::One, Action::Drop},
    {"device-stack-protector", Value::One, Action::Drop},
    {"compress-mode", Value::One, Action::Drop},
    {"frandom-seed", Value::One, Action::Drop},
    {"sanitize", Value::One, Action::Drop},
    {"qpp-config", Value::One, Action::Drop},
    {"maxregcount", Value::One, Action::Drop},
    {"target", Value::One, Action::Drop},
    {"include-pch", Value::One, Action::Drop, Gnu},
    {"resource-dir", Value::One, Action::Drop, Gnu},
    {"serialize-diagnostics", Value::One, Action::Drop, Gnu},
    {"dumpdir", Value::One, Action::Drop, Gnu},
    {"aux-info", Value::One, Action::Drop, Gnu},
    {"T", Value::One, Action::Drop, Gnu},
    {"z", Value::One, Action::Drop, Gnu},
    {"u", Value::One, Action::Drop, Gnu},
    {"param", Value::One, Action::Drop, Gnu},

    // --- Without a value, but they look like `-DNAME` to the table below ----------------------
    {"dlto", Value::None, Action::Drop},
    {"link", Value::None, Action::Drop},
    {"lib", Value::None, Action::Drop},
    {"lto", Value::None, Action::Drop},
    {"ltoir", Value::None, Action::Drop},
    {"lineinfo", Value::None, Action::Drop},
    {"optix-ir", Value::None, Action::Drop},
    {"objtemp", Value::None, Action::Drop},
};

// `-DNAME`: the value follows without a space. Looked up when no name above fits.
constexpr Option JoinedOptions[] = {
    {"D", Value::List, Action::KeepAs, Any, "-D"},
    {"U", Value::List, Action::KeepAs, Any, "-U"},
    {"I", Value::List, Action::KeepAs, Any, "-I"},
    {"isystem", Value::One, Action::KeepAs, Gnu, "-isystem "},
    {"iquote", Value::One, Action::KeepAs, Gnu, "-iquote "},
    {"idirafter", Value::One, Action::KeepAs, Gnu, "-idirafter "},
    {"Wp,", Value::List, Action::HostFlags, Gnu},
    {"x", Value::One, Action::Language},
    {"o", Value::One, Action::Forget},
};

// -f flags that change how code is read; all others are about code generation.
constexpr StringLiteral KeptFeatures[] = {
    "fchar8_t",
    "fno-char8_t",
    "fsigned-char",
    "fno-signed-char",
    "funsigned-char",
    "fno-unsigned-char",
    "fshort-enums",
    "fno-short-enums",
    "fms-extensions",
    "fdeclspec",
    "fgnu-keywords",
    "fno-gnu-keywords",
    "fgpu-rdc",
    "fno-gpu-rdc",
    "fwrapv",
    "fno-wrapv",
    "fconstexpr-depth",
    "fconstexpr-steps",
    "fbracket-depth",
    "fpack-struct",
    "fgpu-approx-transcendentals",
    "fcuda-approx-transcendentals",
    "fms-compatibility",
    "fdelayed-template-parsing",
    "frelaxed-template-template-args",
    "fno-rtti",
    "frtti",
    "fcoroutines",
    "faligned-allocation",
    "fno-aligned-allocation",
    "fsized-deallocation",
    "fno-sized-deallocation",
    "fshort-wchar",
    "fsingle-precision-constant",
};

// Of Clang's front end. Its other options may name files to write and libraries to load.
constexpr StringLiteral FrontEndFeatures[] = {
    "-fcuda-allow-variadic-functions", "-fno-cuda-allow-variadic-functions",
    "-fallow-half-arguments-and-returns", "-fnative-half-type",
    "-fnative-half-arguments-and-returns"};

/// Of ptxas: what changes code and writes nothing.
bool isHarmlessForPtxas(StringRef Option) {
  static constexpr StringLiteral Known[] = {"v",
                                            "verbose",
                                            "O",
                                            "opt-level",
                                            "maxrregcount",
                                            "fmad",
                                            "allow-expensive-optimizations",
                                            "dlcm",
                                            "def-load-cache",
                                            "dscm",
                                            "def-store-cache",
                                            "flcm",
                                            "force-load-cache",
                                            "fscm",
                                            "force-store-cache",
                                            "regUsageLevel",
                                            "register-usage-level",
                                            "warn-spills",
                                            "warn-on-spills",
                                            "warn-lmem-usage",
                                            "warn-on-local-memory-usage",
                                            "suppress-stack-size-warning",
                                            "disable-optimizer-constants",
                                            "Werror",
                                            "warning-as-error",
                                            "preserve-relocs",
                                            "disable-warnings",
                                            "w",
                                            "ftz",
                                            "prec-div",
                                            "prec-sqrt"};
  const StringRef Name = Option.ltrim('-').split('=').first;
  return all_of(Option, [](char C) { return isAlnum(C) || StringRef("-_=.").contains(C); }) &&
         (is_contained(Known, Name) || (Name.starts_with("O") && Name.size() == 2));
}

/// Response files may name response files; a file that names itself must not go on for ever.
constexpr unsigned MaxFileDepth = 16;

const Option *find(ArrayRef<Option> Table, StringRef Name, unsigned Dialects) {
  const Option *Found =
      llvm::find_if(Table, [&](const Option &O) { return (O.Whose & Dialects) && O.Name == Name; });
  return Found == Table.end() ? nullptr : Found;
}

const Option *findJoined(StringRef Body, unsigned Dialects) {
  for (const Option &O : JoinedOptions)
    if ((O.Whose & Dialects) && Body.size() > O.Name.size() && Body.starts_with(O.Name))
      return &O;
  return nullptr;
}

/// Elements of nvcc's lists: commas separate, except within double quotes or brackets and after a
/// backslash, which goes away. Brackets are our own leniency, for Clang's `-DF(a,b)=a`.
std::vector<std::string> splitList(StringRef Text) {
  std::vector<std::string> Elements(1);
  int Depth = 0;
  bool Quoted = false;
  for (size_t I = 0; I != Text.size(); ++I) {
    char C = Text[I];
    if (C == '\\' && I + 1 != Text.size() && Text[I + 1] == ',') {
      Elements.back() += Text[++I];
      continue;
    }
    if (C == '"')
      Quoted = !Quoted;
    else if (!Quoted && StringRef("([{").contains(C))
      ++Depth;
    else if (!Quoted && StringRef(")]}").contains(C))
      --Depth;
    if (C == ',' && !Quoted && Depth <= 0)
      Elements.emplace_back();
    else
      Elements.back() += C;
  }
  llvm::erase_if(Elements, [](const std::string &E) { return E.empty(); });
  return Elements;
}

std::vector<std::string> tokenize(StringRef Text) {
  BumpPtrAllocator Allocator;
  StringSaver Saver(Allocator);
  SmallVector<const char *, 16> Tokens;
  cl::TokenizeGNUCommandLine(Text, Saver, Tokens);
  return std::vector<std::string>(Tokens.begin(), Tokens.end());
}

/// "compute_86", "lto_86" and "86" are "sm_86" to us. Empty for "native", "all" and the like. The
/// GPU table is not asked: an architecture that is too old must be seen by the caller, because code
/// that is compiled for it as well cannot use what it lacks.
std::string archName(StringRef Text) {
  StringRef Rest = Text.trim(" \t\"'[]");
  for (StringRef Prefix : {"sm_", "compute_", "lto_"})
    if (Rest.consume_front(Prefix))
      break;
  StringRef Digits = Rest.take_while(isDigit);
  StringRef Suffix = Rest.drop_front(Digits.size());
  if (Digits.size() < 2 || Digits.size() > 3 || !(Suffix.empty() || Suffix == "a" || Suffix == "f"))
    return "";
  return ("sm_" + Rest).str();
}

class Translator {
public:
  explicit Translator(StringRef Directory) { Flags.Directory = Directory.str(); }

  Error run(ArrayRef<std::string> Args);
  Expected<CompileFlags> finish();

private:
  Error translate(ArrayRef<std::string> Args, unsigned Dialects, unsigned Depth);
  Error apply(const Option &O, StringRef Spelling, StringRef Text, unsigned Dialects,
              unsigned Depth);
  Error readFile(StringRef Name, unsigned Dialects, unsigned Depth);
  void keep(StringRef As, StringRef Text);
  void addArch(StringRef Name);
  void addArchs(StringRef Virtual, ArrayRef<std::string> Codes);
  void gencode(StringRef Text);

  CompileFlags Flags;
  std::string Virtual;            ///< value of -arch
  std::vector<std::string> Codes; ///< values of -code
  std::vector<std::string> Host;  ///< values of -Xcompiler
  bool SeenOption = false;        ///< in front of it, words are programs
};

Error Translator::run(ArrayRef<std::string> Args) {
  // Clang splits no lists at commas; a Clang command is recognised by the program's name.
  unsigned Dialects = Any;
  for (StringRef Arg : Args) {
    if (Arg.starts_with("-") || Arg.starts_with("@"))
      break;
    if (sys::path::stem(Arg).starts_with("clang")) {
      Dialects = Gnu;
      Flags.ByClang = true;
    }
  }
  return translate(Args, Dialects, 0);
}

Error Translator::translate(ArrayRef<std::string> Args, unsigned Dialects, unsigned Depth) {
  for (size_t I = 0; I != Args.size(); ++I) {
    StringRef Arg = Args[I];
    if (Arg == "--") { // only inputs follow
      append_range(Flags.Inputs, Args.drop_front(I + 1));
      break;
    }
    if (Arg.size() > 1 && Arg.front() == '@') {
      if (Error E = readFile(Arg.drop_front(), Dialects, Depth))
        return E;
      continue;
    }
    if (Arg.size() < 2 || Arg.front() != '-') { // the program, a launcher before it, an input
      if (SeenOption || isCudaName(Arg))
        Flags.Inputs.push_back(Arg.str());
      continue;
    }
    SeenOption = true;

    StringRef Body = Arg.drop_front(Arg.starts_with("--") ? 2 : 1);
    auto [Name, Text] = Body.split('=');
    bool HasText = Name.size() != Body.size();
    const Option *Found = find(Options, Name, Dialects);
    if (Found && HasText && Found->Takes == Value::None)
      Found = nullptr; // `-G=1`: not this option
    if (Found) {
      bool Separate = !HasText && (Found->Takes == Value::One || Found->Takes == Value::List);
      if (!HasText && Found->Takes == Value::Optional && I + 1 != Args.size()) {
        SmallVector<StringRef, 8> Words;
        SplitString(Found->Text, Words);
        Separate = all_of(splitList(Args[I + 1]),
                          [&](const std::string &E) { return is_contained(Words, E); });
      }
      if (Separate && I + 1 == Args.size()) {
        Flags.Dropped.push_back(Arg.str()); // its value is missing; the compiler will complain
        continue;
      }
      std::string Spelling = Separate ? (Arg + " " + Args[I + 1]).str() : Arg.str();
      if (Separate)
        Text = Args[++I];
      if (Error E = apply(*Found, Spelling, Text, Dialects, Depth))
        return E;
      continue;
    }

    const Option *Joined = Arg.starts_with("--") ? nullptr : findJoined(Body, Dialects);
    if (Joined) {
      if (Error E = apply(*Joined, Arg, Body.drop_front(Joined->Name.size()), Dialects, Depth))
        return E;
      continue;
    }
    if (is_contained(KeptFeatures, Name))
      Flags.ClangArgs.push_back(Arg.str());
    else
      Flags.Dropped.push_back(Arg.str());
  }
  return Error::success();
}

Error Translator::apply(const Option &O, StringRef Spelling, StringRef Text, unsigned Dialects,
                        unsigned Depth) {
  // nvcc's long names, with which it takes them in one word.
  static const std::pair<StringLiteral, StringLiteral> OfCode[] = {
      {"ptxas-options", "ptxas-options"}, {"Xptxas", "ptxas-options"},
      {"maxrregcount", "maxrregcount"},   {"fmad", "fmad"},
      {"use_fast_math", "use_fast_math"}, {"ftz", "ftz"},
      {"prec-div", "prec-div"},           {"prec-sqrt", "prec-sqrt"}};
  if (Dialects & Nvcc)
    for (auto [Name, Long] : OfCode)
      if (O.Name == Name &&
          (Long != "ptxas-options" || all_of(splitList(Text), [](const std::string &Option) {
             return isHarmlessForPtxas(Option);
           })))
        Flags.OfCode.push_back(("--" + Long + (O.Takes == Value::None ? "" : "=" + Text)).str());
  bool Splits = O.Takes == Value::List && ((Dialects & Nvcc) || O.Does == Action::HostFlags);
  std::vector<std::string> Elements = Splits ? splitList(Text) : std::vector{Text.str()};

  switch (O.Does) {
  case Action::Drop:
    Flags.Dropped.push_back(Spelling.str());
    break;
  case Action::Forget:
    break;
  case Action::Language:
    Flags.Language = Text.str();
    break;
  case Action::NoCode:
    Flags.Compiles = false;
    break;
  case Action::Keep:
    Flags.ClangArgs.push_back(Spelling.str());
    break;
  case Action::KeepAs:
    for (const std::string &Element : Elements)
      keep(O.Text, Element);
    break;
  case Action::Define: {
    StringRef Adds = O.Text;
    auto [Needed, Rest] = Adds.split(':');
    if (Needed.size() != Adds.size()) { // "value:flags": only with this value
      Adds = Text == Needed ? Rest : "";
    } else if (Text == "false") {
      Adds = "";
    }
    SmallVector<StringRef, 2> Parts;
    SplitString(Adds, Parts);
    for (StringRef Part : Parts)
      if (!is_contained(Flags.ClangArgs, Part))
        Flags.ClangArgs.push_back(Part.str());
    if (Parts.empty())
      Flags.Dropped.push_back(Spelling.str());
    break;
  }
  case Action::Macro:
    if (!is_contained(Flags.Macros, O.Text))
      Flags.Macros.push_back(O.Text.str());
    break;
  case Action::FrontEnd:
    if (is_contained(FrontEndFeatures, Text)) {
      Flags.ClangArgs.push_back("-Xclang");
      Flags.ClangArgs.push_back(Text.str());
    } else {
      Flags.Dropped.push_back(Spelling.str());
    }
    break;
  case Action::Archs:
    if (Text == "native") {
      Flags.Native = true;
      break;
    }
    if (Text == "all" || Text == "all-major") {
      for (const std::string &Arch : everyArch(/*MajorOnly=*/Text == "all-major"))
        addArch(Arch);
      break;
    }
    Virtual = Text.str();
    if (archName(Text).empty())
      Flags.Dropped.push_back(Spelling.str());
    break;
  case Action::Codes:
    Codes.insert(Codes.end(), Elements.begin(), Elements.end());
    break;
  case Action::Gencode:
    gencode(Text);
    break;
  case Action::GpuArchs:
    Flags.ByClang = true;
    for (const std::string &Element : splitList(Text)) {
      if (Element == "native")
        Flags.Native = true;
      else if (archName(Element).empty())
        Flags.Dropped.push_back(Spelling.str());
      else
        addArch(archName(Element));
    }
    break;
  case Action::CudaPath:
    Flags.CudaPath = Text.str();
    break;
  case Action::HostFlags: {
    // `-Xcompiler "-I a",-fPIC` holds three; `-Xcompiler -isystem -Xcompiler DIR` is put together
    // by finish().
    for (const std::string &Element : Elements)
      append_range(Host, tokenize(Element));
    break;
  }
  case Action::OptionsFile:
    for (const std::string &Element : Elements)
      if (Error E = readFile(Element, Dialects, Depth))
        return E;
    break;
  }
  return Error::success();
}

void Translator::keep(StringRef As, StringRef Text) {
  if (As.consume_back(" ")) {
    Flags.ClangArgs.push_back(As.str());
    Flags.ClangArgs.push_back(Text.str());
  } else {
    Flags.ClangArgs.push_back((As + Text).str());
  }
}

Error Translator::readFile(StringRef Name, unsigned Dialects, unsigned Depth) {
  if (Depth == MaxFileDepth)
    return createStringError(std::errc::invalid_argument,
                             "options files are nested deeper than %u at '%s'; does a file name "
                             "itself?",
                             MaxFileDepth, Name.str().c_str());
  SmallString<256> Path(Name);
  if (!Flags.Directory.empty())
    sys::path::make_absolute(Flags.Directory, Path);
  ErrorOr<std::unique_ptr<MemoryBuffer>> Buffer = cuda_pipeline::readFile(Path, /*IsText=*/true);
  if (!Buffer)
    return createStringError(Buffer.getError(), "cannot read the options file '%s': %s",
                             Path.c_str(), Buffer.getError().message().c_str());
  return translate(tokenize((*Buffer)->getBuffer()), Dialects, Depth + 1);
}

void Translator::addArch(StringRef Name) {
  if (!Name.empty() && !is_contained(Flags.Archs, Name))
    Flags.Archs.push_back(Name.str());
}

/// The real architectures first: their limits count. Then the virtual one that the code was
/// compiled for: it decides `__CUDA_ARCH__`, and whether there are asynchronous copies at all.
void Translator::addArchs(StringRef Virtual, ArrayRef<std::string> Codes) {
  for (StringRef Code : Codes)
    addArch(archName(Code));
  addArch(archName(Virtual));
}

/// `arch=compute_80,code=sm_80`, `arch=compute_80,code=[sm_80,compute_80]`, with quotes or without;
/// nvcc also takes `code=sm_80,sm_86`.
void Translator::gencode(StringRef Text) {
  std::string Arch;
  std::vector<std::string> Codes;
  SmallVector<StringRef, 8> Parts;
  Text.split(Parts, ',');
  bool InCode = false;
  for (StringRef Part : Parts) {
    Part = Part.trim(" \t\"'[]");
    if (Part.consume_front("arch=")) {
      Arch = Part.str();
      InCode = false;
    } else if (Part.consume_front("code=")) {
      Codes.push_back(Part.str());
      InCode = true;
    } else if (InCode) {
      Codes.push_back(Part.str());
    }
  }
  bool Understood = !archName(Arch).empty() ||
                    any_of(Codes, [](const std::string &C) { return !archName(C).empty(); });
  if (Understood)
    addArchs(Arch, Codes);
  else
    Flags.Dropped.push_back(("-gencode " + Text).str());
}

Expected<CompileFlags> Translator::finish() {
  // The values of several -Xcompiler belong together. `-Wp,` may add to them.
  for (unsigned Round = 0; !Host.empty() && Round != MaxFileDepth; ++Round) {
    std::vector<std::string> Args = std::move(Host);
    Host.clear();
    if (Error E = translate(Args, Gnu, 0))
      return E;
  }
  addArchs(Virtual, Codes);
  return std::move(Flags);
}

} // namespace

std::vector<std::string> cudaInputs(const CompileFlags &Flags) {
  std::vector<std::string> Out;
  copy_if(Flags.Inputs, std::back_inserter(Out),
          [&](StringRef Input) { return isCudaName(Input) || isCudaLanguage(Flags.Language); });
  return Out;
}

Expected<CompileFlags> translateFlags(ArrayRef<std::string> Args, StringRef Directory) {
  Translator T(Directory);
  if (Error E = T.run(Args))
    return E;
  return T.finish();
}

} // namespace cuda_pipeline
