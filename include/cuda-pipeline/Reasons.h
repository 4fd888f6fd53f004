//===- Reasons.h - The registry of reasons --------------------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Every refusal has a reason from one X-macro registry, Reasons.def. The text, the JSON id, the
/// SARIF rule, `explain ID`, `rules` and docs/reasons.md are derived from it.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_REASONS_H
#define CUDA_PIPELINE_REASONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>
#include <string>

namespace cuda_pipeline {

enum class Reason {
#define CPR_REASON(Name, Id, Rule, Message, Remedy, Text, Before, After) Name,
#include "cuda-pipeline/Reasons.def"
};

struct ReasonInfo {
  Reason Value;
  llvm::StringRef Name;    ///< enumerator
  llvm::StringRef Id;      ///< "stale-tile"
  unsigned Rule;           ///< soundness rule 1..13 of docs; 0: form of the source text
  llvm::StringRef Message; ///< formatv pattern, {0}, {1}, ...
  llvm::StringRef Remedy;
  llvm::StringRef Text;          ///< paragraph for `explain`
  llvm::StringRef Before, After; ///< small code examples
};

llvm::ArrayRef<ReasonInfo> allReasons();
const ReasonInfo &info(Reason R);
std::optional<Reason> reasonFromId(llvm::StringRef Id);
/// Fills in the message pattern; missing arguments become empty.
std::string formatReason(Reason R, llvm::ArrayRef<std::string> Args);

/// What a rewrite rests on that only the user can know; Assumptions.def.
struct AssumptionInfo {
  /// By --assume; without being asked for; by another option; by --assume, of a version that is
  /// verified and of no rewrite.
  enum HowType { Granted, Always, Option, Verified } How;
  llvm::StringRef Id;    ///< "no-alias"
  llvm::StringRef Words; ///< half a sentence
  llvm::StringRef Text;  ///< paragraph for `explain`
};
llvm::ArrayRef<AssumptionInfo> allAssumptions();
/// Null: there is none by that name.
const AssumptionInfo *assumptionFromId(llvm::StringRef Id);

/// The id that \p Id is most likely a slip of, for "did you mean"; none when nothing is near.
std::optional<llvm::StringRef> nearestReasonId(llvm::StringRef Id);

/// Name of a soundness rule of docs/soundness.md: "Coverage" for 3; 0: "Source text".
llvm::StringRef ruleTitle(unsigned Rule);
constexpr unsigned LastRule = 13;

/// `explain ID`: everything that the registry knows about one reason, wrapped to 80 columns.
void renderExplain(Reason R, llvm::raw_ostream &OS);
void renderExplain(const AssumptionInfo &A, llvm::raw_ostream &OS);
/// `rules`: all reasons with their messages, by soundness rule.
void renderRules(llvm::raw_ostream &OS);
/// docs/reasons.md.
void renderReasonsMarkdown(llvm::raw_ostream &OS);

} // namespace cuda_pipeline

#endif
