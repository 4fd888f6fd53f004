//===- GitHubReport.cpp - The report as GitHub annotations ---------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One workflow command per annotation, on a line of its own:
//   ::warning file=a.cu,line=42,endLine=60,col=3,title=cuda-pipeline::message
// In messages and properties %, CR and LF are written as %25, %0D and %0A; in properties also the
// separators : and , (GitHub Actions toolkit, packages/core/src/command.ts).
//
//===----------------------------------------------------------------------===//

#include "../Support/Terminal.h"
#include "cuda-pipeline/Report.h"

using namespace llvm;

namespace cuda_pipeline {

/// Names and source come from anybody, and the log that the annotations are in is looked at on
/// terminals, too.
static void escape(StringRef Text, bool IsProperty, raw_ostream &OS) {
  const std::string Harmless = harmless(Text);
  for (char C : Harmless) {
    switch (C) {
    case '%':
      OS << "%25";
      break;
    case '\r':
      OS << "%0D";
      break;
    case '\n':
      OS << "%0A";
      break;
    case ':':
      OS << (IsProperty ? "%3A" : ":");
      break;
    case ',':
      OS << (IsProperty ? "%2C" : ",");
      break;
    default:
      OS << C;
    }
  }
}

static void annotate(StringRef Level, StringRef Path, unsigned Line, unsigned EndLine,
                     unsigned Column, StringRef Title, StringRef Message, raw_ostream &OS) {
  OS << "::" << Level << " file=";
  escape(Path, /*IsProperty=*/true, OS);
  if (Line != 0)
    OS << ",line=" << Line;
  if (EndLine > Line)
    OS << ",endLine=" << EndLine;
  else if (Column != 0) // GitHub rejects columns on ranges of several lines
    OS << ",col=" << Column;
  OS << ",title=";
  escape(Title, /*IsProperty=*/true, OS);
  OS << "::";
  escape(Message, /*IsProperty=*/false, OS);
  OS << '\n';
}

static std::string planInWords(const LoopReport &L) {
  std::string S = planInWords(L.Variant, L.Stages);
  for (const std::string &A : L.Assumptions)
    S += "\nassumes: " + A;
  if (L.SelfCheck && L.SelfCheck->Result != SelfCheckReport::Verdict::Off)
    S += "\n" + selfCheckInWords(*L.SelfCheck);
  return S;
}

void renderGitHub(const Report &R, raw_ostream &OS) {
  for (const FileReport &F : R.Files) {
    if (F.Problem != FileProblem::None)
      annotate("error", F.Path, 0, 0, 0, "cuda-pipeline",
               ("not analysed: " + toString(F.Problem) + ": " + F.ProblemText).str(), OS);
    for (const LoopReport &L : F.Loops) {
      switch (L.Status) {
      case LoopStatus::Opportunity:
        annotate("warning", F.Path, L.Line, L.EndLine, L.Column, "cuda-pipeline",
                 "pipeline this tile loop with " + planInWords(L), OS);
        break;
      case LoopStatus::Rewritten:
        annotate(L.AlthoughRefused ? "error" : "notice", F.Path, L.Line, L.EndLine, L.Column,
                 "cuda-pipeline",
                 (L.AlthoughRefused ? "NOT SOUND, for tests only: refused, and " : "") +
                     ((L.Withheld ? "not written, would be pipelined with " : "pipelined with ") +
                      planInWords(L)),
                 OS);
        break;
      case LoopStatus::Refused:
        for (const ReasonReport &Why : L.Reasons) {
          std::string Message = "tile loop is not pipelined: " + Why.Message;
          if (!Why.Remedy.empty())
            Message += "\n" + Why.Remedy;
          annotate("notice", F.Path, Why.Line != 0 ? Why.Line : L.Line, 0,
                   Why.Line != 0 ? Why.Column : L.Column,
                   ("cuda-pipeline: " + info(Why.Id).Id).str(), Message, OS);
        }
        break;
      case LoopStatus::Unprofitable:
      case LoopStatus::AlreadyPipelined:
      case LoopStatus::NotSelected:
      case LoopStatus::Suppressed:
        break; // nothing to do for anybody
      }
    }
  }
}

} // namespace cuda_pipeline
