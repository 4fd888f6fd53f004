//===- Explain.cpp - The reasons, from their registry -----------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "cuda-pipeline/Reasons.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace cuda_pipeline {

ExitCode explainReasons(ArrayRef<std::string> Ids, raw_ostream &OS, raw_ostream &Errs) {
  // All ids are looked up first: a mistyped one is not lost behind pages of text.
  for (StringRef Id : Ids) {
    if (reasonFromId(Id) || assumptionFromId(Id))
      continue;
    StringRef Nearest;
    unsigned Best = 4; // further away it is a guess, not a typo
    auto Try = [&](StringRef Known) {
      unsigned Distance = Id.edit_distance(Known, /*AllowReplacements=*/true, Best);
      if (Distance < Best) {
        Best = Distance;
        Nearest = Known;
      }
    };
    for (const ReasonInfo &R : allReasons())
      Try(R.Id);
    for (const AssumptionInfo &A : allAssumptions())
      Try(A.Id);
    errorLine(Errs) << "no reason is called '" << Id << "'; "
                    << (Nearest.empty() ? "'rules' lists them"
                                        : ("did you mean '" + Nearest + "'?").str());
    return ExitUsage;
  }

  ListSeparator BlankLine("\n");
  for (StringRef Id : Ids) {
    OS << StringRef(BlankLine);
    const std::optional<Reason> R = reasonFromId(Id);
    if (R)
      renderExplain(*R, OS);
    if (const AssumptionInfo *A = assumptionFromId(Id)) { // one has the name of a reason
      OS << (R ? "\n" : "");
      renderExplain(*A, OS);
    }
  }
  return ExitDone;
}

ExitCode listRules(ReportFormat Format, raw_ostream &OS) {
  if (Format == ReportFormat::Json) {
    json::OStream J(OS, 2);
    J.array([&] {
      for (const ReasonInfo &R : allReasons())
        J.object([&] {
          J.attribute("id", R.Id);
          J.attribute("rule", R.Rule);
          J.attribute("message", R.Message);
          J.attribute("remedy", R.Remedy);
          J.attribute("text", R.Text);
        });
    });
    OS << '\n';
    return ExitDone;
  }

  renderRules(OS);
  return ExitDone;
}

} // namespace cuda_pipeline
