//===- Configurations.cpp - In which ways a file is compiled ---------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../Support/ReadFile.h"
#include "cuda-pipeline/Source.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Program.h"

using namespace llvm;

namespace cuda_pipeline {

/// What \p Program says, run with \p Args; empty: nothing.
static std::string saidBy(StringRef Program, ArrayRef<StringRef> Args) {
  SmallString<128> Said;
  if (!sys::fs::can_execute(Program) ||
      sys::fs::createTemporaryFile("cuda-pipeline-arch", "txt", Said))
    return "";
  FileRemover Remove(Said);
  std::vector<StringRef> All = {Program};
  All.insert(All.end(), Args.begin(), Args.end());
  const std::optional<StringRef> Redirects[] = {StringRef(""), StringRef(Said), StringRef("")};
  if (sys::ExecuteAndWait(Program, All, std::nullopt, Redirects, /*SecondsToWait=*/30) != 0)
    return "";
  auto Text = lookInto(Said);
  return Text ? (*Text)->getBuffer().ltrim().split('\n').first.trim().str() : "";
}

std::string archOfThisMachine(const std::optional<Toolkit> &Cuda) {
  // nvcc's own answer: "86". The driver's: "8.6".
  std::string Said = Cuda ? saidBy(Cuda->Root + "/bin/__nvcc_device_query", {}) : "";
  Said = StringRef(Said).split(',').first.str();
  if (Said.empty())
    if (ErrorOr<std::string> Smi = sys::findProgramByName("nvidia-smi"))
      Said = saidBy(*Smi, {"--query-gpu=compute_cap", "--format=csv,noheader"});
  erase(Said, '.');
  Expected<std::string> Arch = normalizeArch(Said);
  if (Arch)
    return *Arch;
  consumeError(Arch.takeError());
  return "";
}

/// The oldest architecture that \p Cuda still compiles for: 7.5 since 13.0. Without one, nobody
/// knows who compiles it.
static unsigned oldestOf(const std::optional<Toolkit> &Cuda) {
  unsigned Major = 0;
  return Cuda && !StringRef(Cuda->Version).split('.').first.getAsInteger(10, Major) && Major >= 13
             ? 75
             : 0;
}

static unsigned numberOf(StringRef Arch) {
  unsigned Number = 0;
  Arch.consume_front("sm_");
  return Arch.take_while(isDigit).getAsInteger(10, Number) ? 0 : Number;
}

Expected<std::vector<std::string>> settleArchs(std::vector<CompileFlags> &Ways,
                                               ArrayRef<std::string> Given,
                                               const std::optional<Toolkit> &Cuda,
                                               std::vector<std::string> &LeftOut) {
  // What no toolkit here compiles for is in no build of this machine.
  constexpr unsigned OldestKnown = 70;
  const unsigned Oldest = oldestOf(Cuda);
  std::vector<std::string> All;
  for (CompileFlags &Way : Ways) {
    if (!Given.empty()) {
      Way.Archs = Given;
    } else if (Way.Native) {
      const std::string Here = archOfThisMachine(Cuda);
      if (Here.empty())
        return createStringError("compiled with -arch=native, for the GPU of the machine that "
                                 "builds it, and here is none; "
                                 "name it with --arch");
      Way.Archs.push_back(Here);
      Way.Native = false;
    }
    std::vector<std::string> Known, Old;
    std::string Why;
    for (const std::string &Arch : Way.Archs) {
      const unsigned Number = numberOf(Arch);
      const bool Gone = Number != 0 && Number < Oldest;
      // Where the toolkit that is here could compile for it, what it makes of the file matters.
      const bool Ancient = Number >= 10 && Number < OldestKnown && (!Cuda || Oldest != 0);
      Expected<std::string> Normal = normalizeArch(Arch);
      if (Given.empty() && (Gone || Ancient)) {
        consumeError(Normal.takeError());
        Old.push_back(Arch);
        if (!is_contained(LeftOut, Arch))
          LeftOut.push_back(Arch);
      } else if (!Normal) {
        const std::string Said = toString(Normal.takeError());
        Why = Why.empty() ? Said : Why;
      } else if (!is_contained(Known, *Normal)) {
        Known.push_back(*Normal);
      }
    }
    if (!Why.empty())
      return createStringError("compiled for " + Why +
                               "; say with --arch which are to be looked at");
    if (Known.empty() && !Way.Archs.empty())
      return createStringError(
          "compiled for " + join(Old, ", ") + " alone, too old for " +
          (Oldest
               ? "CUDA " + Cuda->Version + ", where sm_" + std::to_string(Oldest) + " is the oldest"
               : "this program, where sm_" + std::to_string(OldestKnown) + " is the oldest") +
          "; say with --arch which are to be looked at");
    Way.Archs = Known.empty() ? std::vector<std::string>{"sm_80"} : Known;
    for (const std::string &Arch : Way.Archs)
      if (!is_contained(All, Arch))
        All.push_back(Arch);
  }
  std::vector<CompileFlags> Different;
  for (CompileFlags &Way : Ways)
    if (none_of(Different, [&](const CompileFlags &D) {
          return D.ClangArgs == Way.ClangArgs && D.Archs == Way.Archs &&
                 D.Directory == Way.Directory && D.ByClang == Way.ByClang &&
                 D.Macros == Way.Macros && D.OfCode == Way.OfCode;
        }))
      Different.push_back(std::move(Way));
  Ways = std::move(Different);
  return All;
}

/// What \p A has more of than \p B.
static std::string more(ArrayRef<std::string> A, ArrayRef<std::string> B) {
  std::string Text;
  std::vector<std::string> Left(B);
  for (const std::string &Flag : A) {
    auto It = find(Left, Flag);
    if (It != Left.end())
      Left.erase(It);
    else
      Text += " " + Flag;
  }
  return Text;
}

std::string nameOf(const CompileFlags &Way, StringRef Arch, const CompileFlags &First) {
  std::string Name = Arch.str();
  std::string With = more(Way.ClangArgs, First.ClangArgs) + more(Way.OfCode, First.OfCode),
              Without = more(First.ClangArgs, Way.ClangArgs) + more(First.OfCode, Way.OfCode);
  if (Way.ByClang != First.ByClang)
    (Way.ByClang ? With : Without) += " clang";
  if (!With.empty())
    Name += " with" + With;
  if (!Without.empty())
    Name += (With.empty() ? "" : ",") + std::string(" without") + Without;
  if (!Way.From.empty() && Way.From != First.From)
    Name += " (" + Way.From + ")";
  return Name;
}

std::vector<Configuration> configurationsOf(const ParseRequest &Request,
                                            ArrayRef<std::string> Archs) {
  std::vector<Configuration> All;
  auto Add = [&](const CompileFlags &Way) {
    const bool Own =
        any_of(Way.Archs, [&](const std::string &A) { return is_contained(Archs, A); });
    for (const std::string &Arch : Archs)
      if (!Own || is_contained(Way.Archs, Arch))
        All.push_back({&Way, Arch, nameOf(Way, Arch, Request.Flags)});
  };
  Add(Request.Flags);
  for (const CompileFlags &Way : Request.Others)
    Add(Way);
  return All;
}

} // namespace cuda_pipeline
