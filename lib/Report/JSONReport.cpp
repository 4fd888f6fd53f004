//===- JSONReport.cpp - The report as JSON -------------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The keys are an interface: other programs read them. Adding one is fine; renaming one, or
// changing what it means, needs a new schema_version. Which of them are always there, and how each
// says that something is not known, is said in docs/report.md and docs/schema/report.schema.json.
// llvm::json prints the keys of an object in alphabetical order, so equal reports give equal bytes.
//
//===----------------------------------------------------------------------===//

#include "cuda-pipeline/Report.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace llvm;

namespace cuda_pipeline {

static constexpr int SchemaVersion = 1;

StringRef toString(LoopStatus S) {
  switch (S) {
  case LoopStatus::Rewritten:
    return "rewritten";
  case LoopStatus::Opportunity:
    return "opportunity";
  case LoopStatus::Refused:
    return "refused";
  case LoopStatus::Unprofitable:
    return "unprofitable";
  case LoopStatus::AlreadyPipelined:
    return "already-pipelined";
  case LoopStatus::NotSelected:
    return "not-selected";
  case LoopStatus::Suppressed:
    return "suppressed";
  }
  return "not-selected";
}

StringRef toString(FileProblem P) {
  switch (P) {
  case FileProblem::None:
    return "none";
  case FileProblem::Unreadable:
    return "unreadable";
  case FileProblem::DoesNotParse:
    return "does-not-parse";
  case FileProblem::Crashed:
    return "crashed";
  case FileProblem::TimedOut:
    return "timed-out";
  }
  return "none";
}

// Paths and identifiers come from the file system and from the user's source: they may be in any
// encoding, JSON is UTF-8.
static json::Value text(StringRef S) {
  return json::isUTF8(S) ? json::Value(S.str()) : json::Value(json::fixUTF8(S));
}

static json::Value textOrNull(StringRef S) { return S.empty() ? json::Value(nullptr) : text(S); }

static json::Value positiveOrNull(unsigned N) {
  return N == 0 ? json::Value(nullptr) : json::Value(N);
}

// JSON has no infinity and no NaN.
static json::Value number(double D) {
  return std::isfinite(D) ? json::Value(D) : json::Value(nullptr);
}

template <typename Range, typename Fn> static json::Array array(const Range &Values, Fn ToValue) {
  json::Array A;
  for (const auto &V : Values)
    A.push_back(ToValue(V));
  return A;
}

static json::Value noteToJSON(const Note &N) {
  return json::Object{{"message", text(N.Message)},
                      {"line", positiveOrNull(N.Line)},
                      {"column", positiveOrNull(N.Column)}};
}

static json::Value reasonToJSON(const ReasonReport &R) {
  return json::Object{{"id", info(R.Id).Id.str()},          {"rule", info(R.Id).Rule},
                      {"message", text(R.Message)},         {"remedy", text(R.Remedy)},
                      {"line", positiveOrNull(R.Line)},     {"column", positiveOrNull(R.Column)},
                      {"notes", array(R.Notes, noteToJSON)}};
}

static json::Value bufferToJSON(const BufferReport &B) {
  return json::Object{{"name", text(B.Name)}, {"bytes", B.Bytes}};
}

static json::Value copyToJSON(const CopyReport &C) {
  return json::Object{{"buffer", text(C.Buffer)},
                      {"bytes_per_thread", C.BytesPerThread},
                      {"method", textOrNull(C.Method)},
                      {"line", positiveOrNull(C.Line)}};
}

static json::Value phaseToJSON(const PhaseReport &P) {
  return json::Object{{"kind", P.Kind}, {"line", P.Line}, {"end_line", P.EndLine}};
}

static json::Value candidateToJSON(const CandidateReport &C) {
  return json::Object{{"variant", text(C.Variant)},
                      {"stages", C.Stages},
                      {"score", number(C.Score)},
                      {"rejected", textOrNull(C.Rejected)}};
}

StringRef toString(SelfCheckReport::Verdict V) {
  switch (V) {
  case SelfCheckReport::Verdict::Pass:
    return "pass";
  case SelfCheckReport::Verdict::Fail:
    return "fail";
  case SelfCheckReport::Verdict::CannotTell:
    return "cannot-tell";
  case SelfCheckReport::Verdict::Off:
    return "off";
  }
  llvm_unreachable("unknown verdict");
}

json::Value toJSON(const SelfCheckReport &S) {
  return json::Object{{"verdict", toString(S.Result)},
                      {"variant", textOrNull(S.Variant)},
                      {"stages", positiveOrNull(S.Stages)},
                      {"why", textOrNull(S.Why)},
                      {"launches", S.Launches},
                      {"turns", json::Array(S.Turns)},
                      {"guards", json::Object{{"seen", S.Guards}, {"both_ways", S.BothWays}}},
                      {"shapes", json::Array(S.Blocks)},
                      {"order", textOrNull(S.Order)},
                      {"data", textOrNull(S.Data)}};
}

static json::Value widthToJSON(const WidthReport &W) {
  json::Object Out{
      {"buffers", array(W.Buffers, [](const std::string &Name) { return text(Name); })},
      {"line", positiveOrNull(W.Line)},
      {"bytes_before", int64_t(W.BytesBefore)},
      {"bytes_after", int64_t(W.BytesAfter)},
      {"test", textOrNull(W.Test)}};
  if (!W.WhyNot.empty()) {
    Out["why_not"] = text(W.WhyNot);
    Out["why_not_line"] = positiveOrNull(W.WhyLine);
  }
  return Out;
}

static json::Value layoutToJSON(const LayoutReport &L) {
  json::Object Out{{"buffer", text(L.Buffer)},
                   {"pitch_before", int64_t(L.PitchBefore)},
                   {"pitch_after", int64_t(L.PitchAfter)},
                   {"conflicts", array(L.Accesses, [](const ConflictReport &A) {
                      return json::Object{{"line", positiveOrNull(A.Line)},
                                          {"access", A.Write ? "store" : "load"},
                                          {"bytes", A.Bytes},
                                          {"times", A.Times},
                                          {"wavefronts_before", A.Before},
                                          {"wavefronts_after", A.After},
                                          {"wavefronts_least", A.Least}};
                    })}};
  if (!L.WhyNot.empty()) {
    Out["why_not"] = text(L.WhyNot);
    Out["why_not_line"] = positiveOrNull(L.Line);
  }
  return Out;
}

static json::Value loopToJSON(const LoopReport &L) {
  json::Value Smem = nullptr, Occupancy = nullptr, Ratio = nullptr, Function = nullptr;
  if (L.FunctionLine != 0)
    Function = json::Object{{"line", L.FunctionLine}, {"end_line", L.FunctionEndLine}};
  if (L.Smem.Limit != 0)
    Smem = json::Object{{"before", L.Smem.Before},
                        {"after", L.Smem.After},
                        {"limit", L.Smem.Limit},
                        {"complete", L.Smem.Complete}};
  if (L.HasOccupancy)
    Occupancy = json::Object{{"before", L.Occupancy.Before},
                             {"after", L.Occupancy.After},
                             {"limiter", textOrNull(L.Occupancy.Limiter)}};
  if (L.HasRatio)
    Ratio = json::Object{{"flops_per_byte", number(L.Ratio.FlopsPerByte)},
                         {"flops", L.Ratio.Flops},
                         {"bytes", L.Ratio.Bytes}};
  json::Object Out{
      {"kernel", text(L.Kernel)},
      {"is_kernel", L.IsKernel},
      {"line", L.Line},
      {"column", L.Column},
      {"end_line", L.EndLine},
      {"function", std::move(Function)},
      {"phases", array(L.Phases, phaseToJSON)},
      {"new_phases", array(L.NewPhases, phaseToJSON)},
      {"status", toString(L.Status).str()},
      {"applicability", L.MachineApplicable ? "machine-applicable" : "maybe-incorrect"},
      {"variant", textOrNull(L.Variant)},
      {"stages", positiveOrNull(L.Stages)},
      {"reasons", array(L.Reasons, reasonToJSON)},
      {"assumptions", array(L.Assumptions, [](const std::string &A) { return text(A); })},
      {"buffers", array(L.Buffers, bufferToJSON)},
      {"copies", array(L.Copies, copyToJSON)},
      {"smem", std::move(Smem)},
      {"occupancy", std::move(Occupancy)},
      {"block_size", textOrNull(L.BlockSize)},
      {"block_threads", positiveOrNull(L.BlockThreads)},
      {"ratio", std::move(Ratio)},
      {"candidates", array(L.Candidates, candidateToJSON)},
      {"why", textOrNull(L.Why)},
      {"self_check", L.SelfCheck ? toJSON(*L.SelfCheck) : json::Value(nullptr)},
  };
  if (!L.Widths.empty())
    Out["width"] = array(L.Widths, widthToJSON);
  if (!L.Layouts.empty())
    Out["layout"] = array(L.Layouts, layoutToJSON);
  if (!L.Inlined.empty())
    Out["inlined"] = array(L.Inlined, [](const std::string &Name) { return text(Name); });
  if (!L.Reworded.empty())
    Out["reworded"] = array(L.Reworded, [](const std::string &Said) { return text(Said); });
  if (!L.Hints.empty())
    Out["hints"] = array(L.Hints, [](const std::string &Said) { return text(Said); });
  if (!L.Gathered.empty())
    Out["gathered"] = array(L.Gathered, [](const std::string &Name) { return text(Name); });
  if (L.Dynamic) {
    json::Object Dynamic{{"stage_bytes", text(L.Dynamic->StageBytes)},
                         {"stages", L.Dynamic->Beside ? L.Stages - 1 : L.Stages},
                         {"block", textOrNull(L.Dynamic->Block)},
                         {"sizes", array(L.Dynamic->Sizes, [](const DynamicReport::Size &S) {
                            return json::Object{{"line", positiveOrNull(S.Line)},
                                                {"text", text(S.Text)}};
                          })}};
    if (L.Dynamic->InFront)
      Dynamic["bytes_in_front"] = int64_t(L.Dynamic->InFront);
    Out["dynamic_smem"] = std::move(Dynamic);
  }
  if (const std::optional<RegisterReport> &R = L.Registers)
    Out["registers"] = json::Object{{"arch", text(R->Arch)},
                                    {"before", R->Before},
                                    {"after", R->After},
                                    {"spill_before", R->SpillBefore},
                                    {"spill_after", R->SpillAfter},
                                    {"largest_block_before", R->LargestBefore},
                                    {"largest_block", R->LargestAfter},
                                    {"needed_block", R->Needed},
                                    {"launches", R->launches()}};
  if (L.StagedRegisters != 0)
    Out["staged_registers"] = L.StagedRegisters;
  if (!L.AskedBlock.empty())
    Out["asked_block"] = text(L.AskedBlock);
  if (L.AlthoughRefused)
    Out["although_refused"] = true;
  if (L.Withheld)
    Out["withheld"] = true;
  if (!L.InFile.empty())
    Out["in_file"] = text(L.InFile);
  return Out;
}

static json::Value fileToJSON(const FileReport &F) {
  json::Object Out{{"path", text(F.Path)},
                   {"output", textOrNull(F.Output)},
                   {"arch", textOrNull(F.Arch)},
                   {"loops", array(F.Loops, loopToJSON)}};
  if (F.Problem != FileProblem::None)
    Out["error"] =
        json::Object{{"kind", toString(F.Problem).str()}, {"message", text(F.ProblemText)}};
  if (!F.ReadBy.empty())
    Out["read_by"] = array(F.ReadBy, [](const std::string &Path) { return text(Path); });
  if (!F.Configurations.empty())
    Out["configurations"] =
        array(F.Configurations, [](const std::string &Name) { return text(Name); });
  if (!F.LeftOut.empty())
    Out["left_out"] = array(F.LeftOut, [](const std::string &Arch) { return text(Arch); });
  return Out;
}

json::Value toJSON(const Report &R) {
  json::Object Out{
      {"schema_version", SchemaVersion},
      {"tool_version", CPR_VERSION},
      {"arch", R.Archs.empty() ? json::Value(nullptr) : text(R.Archs.front())},
      {"archs", array(R.Archs, [](const std::string &A) { return text(A); })},
      {"files", array(R.Files, fileToJSON)},
      {"verify", R.Verify ? *R.Verify : json::Value(nullptr)},
  };
  if (R.Bench)
    Out["bench"] = *R.Bench;
  if (!R.Withheld.empty())
    Out["withheld"] = text(R.Withheld);
  return Out;
}

void renderJSON(const Report &R, raw_ostream &OS) { OS << formatv("{0:2}", toJSON(R)) << '\n'; }

} // namespace cuda_pipeline
