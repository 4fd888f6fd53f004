//===- ExportFixes.cpp - For clang-apply-replacements -------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Units.h"
#include "cuda-pipeline/NoLint.h"
#include "clang/Tooling/DiagnosticsYaml.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/YAMLTraits.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {

std::string fixesAsYaml(const Report &R) {
  tooling::TranslationUnitDiagnostics All;
  for (const FileReport &F : R.Files) {
    SmallString<256> Full(F.Path);
    (void)sys::fs::make_absolute(Full);
    if (All.MainSourceFile.empty())
      All.MainSourceFile = std::string(Full);
    for (const LoopReport &L : F.Loops) {
      const std::vector<Message> Said = messagesOf(L, F.Arch);
      if (Said.empty() || L.Part.empty())
        continue;
      tooling::DiagnosticMessage Message(Said.front().Text);
      Message.FilePath = std::string(Full);
      Message.FileOffset = L.Part.front().Offset;
      for (const Edit &E : L.Part)
        if (Error Overlap =
                Message.Fix[Full].add(tooling::Replacement(Full, E.Offset, E.Length, E.Text)))
          consumeError(std::move(Overlap)); // edits of a part do not overlap
      tooling::Diagnostic D(TileLoopCheckName, tooling::Diagnostic::Warning,
                            sys::path::parent_path(Full));
      D.Message = std::move(Message);
      All.Diagnostics.push_back(std::move(D));
    }
  }
  std::string Text;
  raw_string_ostream OS(Text);
  yaml::Output Yaml(OS);
  Yaml << All;
  return Text;
}

} // namespace cuda_pipeline
