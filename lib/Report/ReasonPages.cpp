//===- ReasonPages.cpp - explain, rules and docs/reasons.md --------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cuda-pipeline/Reasons.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

using namespace llvm;

namespace cuda_pipeline {

// The message with "..." where the arguments go.
static std::string openMessage(const ReasonInfo &I) {
  const std::string Open[] = {"...", "...", "...", "...", "..."};
  return formatReason(I.Value, Open);
}

static void wrap(StringRef Text, raw_ostream &OS, unsigned Indent = 0) {
  constexpr size_t Width = 80;
  SmallVector<StringRef> Words;
  Text.split(Words, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  size_t Column = 0;
  for (StringRef Word : Words) {
    if (Column != 0 && Indent + Column + 1 + Word.size() > Width) {
      OS << '\n';
      Column = 0;
    }
    if (Column != 0) {
      OS << ' ';
      ++Column;
    } else {
      OS.indent(Indent);
    }
    OS << Word;
    Column += Word.size();
  }
  OS << '\n';
}

// The raw strings of the registry begin and end with a line break.
static StringRef code(StringRef Example) { return Example.trim('\n'); }

static void indented(StringRef Example, raw_ostream &OS) {
  SmallVector<StringRef> Lines;
  code(Example).split(Lines, '\n');
  for (StringRef Line : Lines) {
    if (!Line.empty())
      OS << "    " << Line;
    OS << '\n';
  }
}

static std::string ruleInWords(const ReasonInfo &I) {
  if (I.Rule == 0)
    return "form of the source text";
  return ("soundness rule " + Twine(I.Rule) + ": " + ruleTitle(I.Rule)).str();
}

void renderExplain(Reason R, raw_ostream &OS) {
  const ReasonInfo &I = info(R);
  OS << I.Id << " (" << ruleInWords(I) << ")\n\n";
  wrap(openMessage(I), OS, /*Indent=*/2);
  OS << '\n';
  wrap(I.Text, OS);
  if (!I.Before.empty()) { // what a mistake of the tool provokes, nobody can say
    OS << "\nRefused:\n\n";
    indented(I.Before, OS);
    OS << "\nAccepted, as far as this reason goes:\n\n";
    indented(I.After, OS);
  }
  OS << "\nWhat makes it possible:\n";
  wrap(I.Remedy, OS);
}

static StringRef howInWords(const AssumptionInfo &A) {
  switch (A.How) {
  case AssumptionInfo::Granted:
    return "granted by --assume";
  case AssumptionInfo::Always:
    return "granted always, and named";
  case AssumptionInfo::Option:
    return "of --keep-going";
  case AssumptionInfo::Verified:
    return "granted to verify by --assume";
  }
  return "";
}

void renderExplain(const AssumptionInfo &A, raw_ostream &OS) {
  OS << A.Id << " (an assumption, " << howInWords(A) << ")\n\n";
  wrap(A.Words, OS, /*Indent=*/2);
  OS << '\n';
  wrap(A.Text, OS);
}

// Rules 1 to 13, then what concerns the text only.
static SmallVector<unsigned> rulesInOrder() {
  SmallVector<unsigned> Rules;
  for (unsigned Rule = 1; Rule <= LastRule; ++Rule)
    Rules.push_back(Rule);
  Rules.push_back(0);
  return Rules;
}

void renderRules(raw_ostream &OS) {
  size_t Width = 0;
  for (const ReasonInfo &I : allReasons())
    Width = std::max(Width, I.Id.size());
  ListSeparator BlankLine("\n");
  for (unsigned Rule : rulesInOrder()) {
    OS << StringRef(BlankLine);
    if (Rule != 0)
      OS << "Rule " << Rule << ": ";
    OS << ruleTitle(Rule) << '\n';
    for (const ReasonInfo &I : allReasons())
      if (I.Rule == Rule)
        OS << "  " << left_justify(I.Id, Width) << "  " << openMessage(I) << '\n';
  }
  OS << "\nAssumptions\n";
  for (const AssumptionInfo &A : allAssumptions())
    OS << "  " << left_justify(A.Id, Width) << "  " << A.Words << " (" << howInWords(A) << ")\n";
  OS << "\n'explain ID' says more about one of them; the rules are in docs/soundness.md.\n";
}

void renderReasonsMarkdown(raw_ostream &OS) {
  OS << "# Why a loop was not rewritten\n\n"
        "<!-- Generated from include/cuda-pipeline/Reasons.def; change that file. -->\n\n"
        "Every loop that is not rewritten has at least one of these reasons in the report. The id "
        "is "
        "stable:\nit is the `id` of the JSON report, and `cuda-pipeline-rewrite explain ID` prints "
        "the "
        "text below. The\nrules are those of [soundness.md](soundness.md). The examples assume the "
        "usual declarations around\nthem (`tx` is `threadIdx.x`, blocks have 256 threads).\n";
  for (unsigned Rule : rulesInOrder()) {
    OS << "\n## " << (Rule != 0 ? "Rule " + std::to_string(Rule) + ": " : "") << ruleTitle(Rule)
       << '\n';
    for (const ReasonInfo &I : allReasons()) {
      if (I.Rule != Rule)
        continue;
      OS << "\n### " << I.Id << "\n\n`" << openMessage(I) << "`\n\n";
      wrap(I.Text, OS);
      if (!I.Before.empty())
        OS << "\nRefused:\n```cuda\n"
           << code(I.Before) << "\n```\nAccepted:\n```cuda\n"
           << code(I.After) << "\n```\n";
      else
        OS << '\n';
      wrap(("**What makes it possible:** " + I.Remedy).str(), OS);
    }
  }
  OS << "\n## Assumptions\n\nWhat a rewrite rests on that the source does not show: `assumptions` "
        "of the JSON report.\n";
  for (const AssumptionInfo &A : allAssumptions()) {
    // One has the name of a reason.
    OS << "\n### " << (reasonFromId(A.Id) ? "assumption " : "") << A.Id << "\n\n`" << A.Words
       << "` (" << howInWords(A) << ")\n\n";
    wrap(A.Text, OS);
  }
}

} // namespace cuda_pipeline
