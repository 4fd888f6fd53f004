//===- Findings.h - What verification and bench have found, in words ------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// From their JSON, so that a result of another machine or another run looks the same. A key that
/// is not there is not spoken of. The text and the page say these sentences; what the page has in
/// tables, the text has in lines.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_REPORT_FINDINGS_H
#define CUDA_PIPELINE_LIB_REPORT_FINDINGS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"
#include <string>
#include <vector>

namespace cuda_pipeline {

/// With that many digits, and no zeros at the end.
std::string number(double Value, unsigned Digits = 2);

std::string textOf(const llvm::json::Object &O, llvm::StringRef Key);
/// As JSON has it; empty where it is not there, or null.
std::string valueOf(const llvm::json::Object &O, llvm::StringRef Key);
/// Rounded for reading; empty where it is no number.
std::string numberOf(const llvm::json::Object &O, llvm::StringRef Key, unsigned Digits);
const llvm::json::Array &listOf(const llvm::json::Object &O, llvm::StringRef Key);
void eachObject(const llvm::json::Array &List,
                llvm::function_ref<void(const llvm::json::Object &)> Do);
/// "cannot tell"
std::string verdictInWords(llvm::StringRef Verdict);
/// "In the emulator"
std::string engineInWords(llvm::StringRef Engine);

//===--- verification -----------------------------------------------------------===//

/// "Old: a.cu, new: b.cu, on GPU, launched as x.yaml says."
std::string comparedInWords(const llvm::json::Object &Verification);
/// What is wrong in a case, a sentence each.
std::vector<std::string> faultsOf(const llvm::json::Object &Case);
/// "2 passed, 0 failed, 0 without a verdict; seeds 1, 2."
std::string countsInWords(const llvm::json::Object &Verification);
/// "k: not run, because no launch is described."
std::vector<std::string> notCovered(const llvm::json::Object &Verification);
/// Who has compiled and read it, and what the two readings do not agree on.
std::vector<std::string> readersOf(const llvm::json::Object &SassArch);
struct SassResource {
  llvm::StringRef Key, Words;
};
llvm::ArrayRef<SassResource> sassResources();
/// "lines 5 to 9: overlapped, because .."
std::string sassVerdict(const llvm::json::Object &SassLoop);
/// Instructions, loads, what stands between; then the counts by class.
std::vector<std::string> sassNumbers(const llvm::json::Object &SassLoop);

//===--- timings -------------------------------------------------------------------===//

/// Where and how it was measured, a sentence each.
std::vector<std::string> benchHead(const llvm::json::Object &Bench);
/// " (41 %)" of what this GPU was seen to reach; empty where that is not known.
std::string partOfCeiling(const llvm::json::Object &Bench, const llvm::json::Object &Case,
                          const llvm::json::Object &Result, llvm::StringRef Key);
/// "cp-async waits for .."; empty where nothing is known of it.
std::string stallsInWords(const llvm::json::Object &Result);
/// Of the case as a whole: its ceiling, the halves alone.
std::vector<std::string> caseSentences(const llvm::json::Object &Case);

} // namespace cuda_pipeline

#endif
