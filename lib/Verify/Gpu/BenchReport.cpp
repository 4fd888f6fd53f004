//===- BenchReport.cpp - The times of versions as text, Markdown and JSON -===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../Support/Printable.h"
#include "cuda-pipeline/Bench.h"
#include "harness/statistics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace cuda_pipeline;

//===----------------------------------------------------------------------===//
// From times to a report
//===----------------------------------------------------------------------===//

Verdict BenchReport::verdict() const { return verdictOf(Cases); }

static BenchTime timeOf(const std::vector<double> &Microseconds) {
  const statistics::Spread S = statistics::spread(Microseconds);
  return {S.Median, S.Least, S.Low, S.High, S.Count};
}

BenchReport cuda_pipeline::makeBenchReport(const GpuResult &Result,
                                           std::vector<BenchVersion> Versions,
                                           ArrayRef<VerifyKernel> Kernels,
                                           ArrayRef<std::string> NotAblated) {
  BenchReport R;
  R.Gpu = Result.Gpu;
  R.ComputeCapability = Result.ComputeCapability;
  R.Driver = Result.Driver;
  R.Cuda = Result.Runtime;
  R.Arch = Result.Arch;
  R.Clocks = Result.Clocks.value_or(GpuClocks());
  R.Ceilings = Result.Ceilings;
  R.L2 = Result.L2;
  R.NcuProblem = Result.NcuProblem;
  // The harness has them in the order of the descriptions.
  std::vector<std::pair<size_t, const ConcreteLaunch *>> Launches;
  for (const auto &[I, K] : enumerate(Kernels))
    for (const ConcreteLaunch &L : K.Launches)
      Launches.push_back({I, &L});
  for (const auto &[Index, From] : enumerate(Result.Cases)) {
    BenchCase &C = R.Cases.emplace_back();
    C.Kernel = From.Kernel;
    C.Case = From.Case;
    C.Result = From.Result;
    C.Reason = From.Reason;
    const ConcreteLaunch *Launch = Index < Launches.size() ? Launches[Index].second : nullptr;
    if (Launch && Launches[Index].first < NotAblated.size())
      C.NotAblated = NotAblated[Launches[Index].first];
    if (Launch && Launch->Flops)
      C.Unit = Launch->Unit;
    const std::vector<double> *Old = nullptr;
    for (const GpuVersion &V : From.Versions) {
      if (V.Version >= Versions.size())
        continue;
      const VersionKind Kind = Versions[V.Version].Kind;
      const bool Right = V.Result == Verdict::Pass && !V.Microseconds.empty();
      if (Kind == VersionKind::LoadsOnly || Kind == VersionKind::ComputeOnly) {
        if (Right)
          (Kind == VersionKind::LoadsOnly ? C.LoadsOnly : C.ComputeOnly) =
              statistics::median(V.Microseconds);
        else if (C.NotAblated.empty())
          C.NotAblated = toString(Kind).str() + ": " + V.Reason;
        continue;
      }
      BenchResult &To = C.Results.emplace_back();
      To.Version = V.Version;
      To.Result = V.Result;
      To.Reason = V.Reason;
      To.DynamicShared = V.DynamicShared;
      if (V.Result == Verdict::Fail ||
          (V.Result == Verdict::CannotTell && C.Result == Verdict::Pass))
        C.Result = V.Result;
      if (!Right)
        continue;
      To.Time = timeOf(V.Microseconds);
      To.LaunchesPerRound = V.LaunchesPerRound;
      To.Stalls = V.Stalls;
      if (Kind == VersionKind::Old)
        Old = &V.Microseconds;
      if (Old && To.Time->Median > 0) {
        const statistics::Spread Ratios =
            statistics::spread(statistics::pairedRatios(*Old, V.Microseconds));
        To.Ratio = statistics::median(*Old) / To.Time->Median;
        To.RatioLow = Ratios.Low;
        To.RatioHigh = Ratios.High;
      }
      if (Launch && Launch->Bytes && To.Time->Median > 0)
        To.GBps = static_cast<double>(*Launch->Bytes) / To.Time->Median / 1e3;
      if (Launch && Launch->Flops && To.Time->Median > 0)
        To.Gflops = static_cast<double>(*Launch->Flops) / To.Time->Median / 1e3;
    }
    if (C.LoadsOnly && C.ComputeOnly)
      for (BenchResult &To : C.Results)
        if (To.Time && To.Time->Median > 0)
          To.OverlapEfficiency = std::max(*C.LoadsOnly, *C.ComputeOnly) / To.Time->Median;
  }
  R.Versions = std::move(Versions);
  return R;
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

namespace {

/// A column is shown if a row has something in it.
struct Table {
  std::vector<std::string> Head;
  struct Row {
    std::vector<std::string> Cells;
    std::string Instead; ///< of all cells but the first
  };
  std::vector<Row> Rows;

  std::vector<size_t> columns() const {
    std::vector<size_t> Shown;
    // The second one also has what stands instead of all others.
    for (size_t I = 0; I < Head.size(); ++I)
      if (I <= 1 ||
          any_of(Rows, [&](const Row &R) { return I < R.Cells.size() && !R.Cells[I].empty(); }))
        Shown.push_back(I);
    return Shown;
  }

  void writeText(raw_ostream &OS) const {
    const std::vector<size_t> Shown = columns();
    std::vector<size_t> Width(Head.size());
    for (size_t I : Shown) {
      Width[I] = Head[I].size();
      for (const Row &R : Rows)
        if (I < R.Cells.size())
          Width[I] = std::max(Width[I], R.Cells[I].size());
    }
    auto Line = [&](const Row &R) {
      std::string Text;
      for (size_t I : Shown) {
        const std::string Cell = I < R.Cells.size() ? R.Cells[I] : "";
        // Names to the left, numbers to the right.
        Text += "  ";
        if (I == 0) {
          Text += Cell + std::string(Width[I] - Cell.size(), ' ');
          if (!R.Instead.empty()) {
            Text += "  " + R.Instead;
            break;
          }
        } else {
          Text += std::string(Width[I] - Cell.size(), ' ') + Cell;
        }
      }
      OS << StringRef(Text).rtrim() << '\n';
    };
    Line({Head, ""});
    for (const Row &R : Rows)
      Line(R);
  }

  void writeMarkdown(raw_ostream &OS) const {
    const std::vector<size_t> Shown = columns();
    auto Escaped = [](StringRef Text) {
      std::string Out;
      for (char C : Text)
        Out += C == '|' ? std::string("\\|") : std::string(1, C);
      return Out;
    };
    OS << '|';
    for (size_t I : Shown)
      OS << ' ' << Escaped(Head[I]) << " |";
    OS << "\n|";
    for (size_t I : Shown)
      OS << (I ? "---:|" : "---|");
    OS << '\n';
    for (const Row &R : Rows) {
      OS << '|';
      for (size_t I : Shown) {
        const bool First = I == 0;
        std::string Cell = I < R.Cells.size() ? R.Cells[I] : "";
        if (!R.Instead.empty() && !First)
          Cell = I == Shown[1] ? R.Instead : "";
        OS << ' ' << Escaped(Cell) << " |";
      }
      OS << '\n';
    }
  }
};

std::string percentOf(double Value, double Most) {
  return Most > 0 ? formatv(" ({0:F0}%)", 100 * Value / Most).str() : "";
}

Table tableOf(const BenchReport &R, const BenchCase &C) {
  Table T;
  T.Head = {"variant", "median us", "min",
            "q1..q3",  "n",         "speed-up",
            "q1..q3",  "GB/s",      C.Unit == "int8" ? "GOP/s" : "GFLOP/s",
            "overlap", "dynamic B", "waits for"};
  const double Most = R.Ceilings.of(C.Unit);
  for (const BenchResult &X : C.Results) {
    const BenchVersion &V = R.Versions[X.Version];
    Table::Row Row;
    Row.Cells = {printable(V.Name) + (V.Auto ? " (auto)" : "")};
    if (!X.Time) {
      StringRef Word = X.Result == Verdict::Fail         ? "WRONG: "
                       : X.Result == Verdict::CannotTell ? "cannot tell: "
                       : X.Reason.empty()                ? "not timed"
                                                         : "not timed: ";
      Row.Instead = Word.str() + printable(X.Reason);
      T.Rows.push_back(std::move(Row));
      continue;
    }
    const bool New = V.Kind != VersionKind::Old && X.Ratio;
    Row.Cells.push_back(formatv("{0:F2}", X.Time->Median));
    Row.Cells.push_back(formatv("{0:F2}", X.Time->Least));
    Row.Cells.push_back(formatv("{0:F2}..{1:F2}", X.Time->Low, X.Time->High));
    Row.Cells.push_back(std::to_string(X.Time->Rounds));
    Row.Cells.push_back(New                          ? formatv("{0:F3}", *X.Ratio).str()
                        : V.Kind == VersionKind::Old ? "1"
                                                     : "");
    Row.Cells.push_back(New ? formatv("{0:F3}..{1:F3}", X.RatioLow, X.RatioHigh).str() : "");
    Row.Cells.push_back(
        X.GBps ? formatv("{0:F1}", *X.GBps).str() + percentOf(*X.GBps, R.Ceilings.CopyGBps) : "");
    Row.Cells.push_back(X.Gflops ? formatv("{0:F1}", *X.Gflops).str() + percentOf(*X.Gflops, Most)
                                 : "");
    Row.Cells.push_back(X.OverlapEfficiency ? formatv("{0:F2}", *X.OverlapEfficiency).str() : "");
    Row.Cells.push_back(X.DynamicShared ? std::to_string(X.DynamicShared) : "");
    // The three for which most warps wait; issuing is no wait.
    std::vector<std::pair<double, std::string>> Waits;
    for (const auto &[What, Warps] : X.Stalls)
      if (What != "selected" && Warps >= 0.05)
        Waits.push_back({Warps, What});
    llvm::sort(Waits, [](const auto &A, const auto &B) { return A.first > B.first; });
    std::string Text;
    for (size_t I = 0; I < Waits.size() && I < 3; ++I)
      Text += formatv("{0}{1} {2:F2}", I ? ", " : "", Waits[I].second, Waits[I].first).str();
    Row.Cells.push_back(Text);
    T.Rows.push_back(std::move(Row));
  }
  return T;
}

std::string deviceText(const BenchReport &R) {
  std::string Text = formatv("{0} (compute capability {1}), driver {2}, CUDA {3}, compiled for {4}",
                             R.Gpu, R.ComputeCapability, R.Driver, R.Cuda, R.Arch);
  return Text;
}

std::string clocksText(const BenchReport &R) {
  if (R.Clocks.Source.empty())
    return "";
  if (R.Clocks.Source != "nvml")
    return formatv(
        "clocks: at most {0:F0} MHz, memory {1:F0} MHz (not measured: NVML is not there)",
        R.Clocks.SmMHz, R.Clocks.MemoryMHz);
  return formatv(
      "clocks while kernels ran: {0:F0} MHz ({1:F0} to {2:F0}), memory {3:F0} MHz (NVML)",
      R.Clocks.SmMHz, R.Clocks.SmLeast, R.Clocks.SmMost, R.Clocks.MemoryMHz);
}

std::string ceilingsText(const BenchReport &R) {
  std::string Text;
  auto Add = [&](StringRef What, double Value, StringRef Unit) {
    if (Value > 0)
      Text += formatv("{0}{1} {2:F0} {3}", Text.empty() ? "ceilings measured in this run: " : ", ",
                      What, Value, Unit)
                  .str();
  };
  Add("copy", R.Ceilings.CopyGBps, "GB/s");
  Add("FFMA", R.Ceilings.FfmaGflops, "GFLOP/s");
  Add("DFMA", R.Ceilings.DfmaGflops, "GFLOP/s");
  Add("half mma", R.Ceilings.TensorGflops, "GFLOP/s");
  Add("int8 mma", R.Ceilings.ImmaGops, "GOP/s");
  return Text;
}

std::string l2Text(const BenchReport &R) {
  return R.L2 == "cold"   ? "L2 cache: overwritten before every launch"
         : R.L2 == "warm" ? "L2 cache: as the launch before has left it"
                          : "";
}

std::string limitText(const BenchCase &C) {
  if (C.LoadsOnly && C.ComputeOnly)
    return formatv(
        "loads only {0:F2} us, compute only {1:F2} us: the limit of pipelining is {2:F2} us",
        *C.LoadsOnly, *C.ComputeOnly, std::max(*C.LoadsOnly, *C.ComputeOnly));
  return C.NotAblated.empty()
             ? ""
             : "no times of loads only and compute only: " + printable(C.NotAblated);
}

std::string caseVerdict(const BenchCase &C) {
  return C.Result == Verdict::Pass   ? "pass"
         : C.Result == Verdict::Fail ? "FAIL"
                                     : "cannot tell: " + printable(C.Reason);
}

std::vector<std::string> headLines(const BenchReport &R) {
  std::vector<std::string> Lines = {deviceText(R)};
  for (std::string Line : {clocksText(R), ceilingsText(R), l2Text(R)})
    if (!Line.empty())
      Lines.push_back(std::move(Line));
  if (!R.NcuProblem.empty())
    Lines.push_back("no stall reasons: " + printable(R.NcuProblem));
  return Lines;
}

json::Value utf8(StringRef S) {
  return json::isUTF8(S) ? json::Value(S.str()) : json::Value(json::fixUTF8(S));
}

json::Value orNull(std::optional<double> V) { return V ? json::Value(*V) : json::Value(nullptr); }
json::Value measured(double V) { return V > 0 ? json::Value(V) : json::Value(nullptr); }

} // namespace

void cuda_pipeline::writeText(const BenchReport &R, raw_ostream &OS) {
  for (const std::string &Line : headLines(R))
    OS << Line << '\n';
  for (const BenchCase &C : R.Cases) {
    OS << '\n'
       << printable(C.Kernel) << "  " << printable(C.Case) << "  " << caseVerdict(C) << '\n';
    tableOf(R, C).writeText(OS);
    if (std::string Limit = limitText(C); !Limit.empty())
      OS << "  " << Limit << '\n';
  }
  if (!R.NotMade.empty())
    OS << '\n';
  for (const std::string &Line : R.NotMade)
    OS << printable(Line) << '\n';
  if (!R.Repeat.empty())
    OS << "\nrepeat with: " << printable(R.Repeat) << '\n';
}

void cuda_pipeline::writeMarkdown(const BenchReport &R, raw_ostream &OS) {
  for (const std::string &Line : headLines(R))
    OS << "- " << Line << '\n';
  for (const BenchCase &C : R.Cases) {
    OS << "\n### `" << C.Kernel << "`, " << C.Case << ": " << caseVerdict(C) << "\n\n";
    tableOf(R, C).writeMarkdown(OS);
    if (std::string Limit = limitText(C); !Limit.empty())
      OS << '\n' << Limit << '\n';
  }
  if (!R.NotMade.empty())
    OS << '\n';
  for (const std::string &Line : R.NotMade)
    OS << "- " << printable(Line) << '\n';
  if (!R.Repeat.empty())
    OS << "\nRepeat with:\n\n    " << printable(R.Repeat) << '\n';
}

json::Value cuda_pipeline::toJSON(const BenchReport &R) {
  json::Array Versions, Cases, NotMade;
  for (const BenchVersion &V : R.Versions)
    Versions.push_back(json::Object{{"name", utf8(V.Name)},
                                    {"file", utf8(V.File)},
                                    {"kind", toString(V.Kind)},
                                    {"made", V.Made.empty() ? json::Value(nullptr) : utf8(V.Made)},
                                    {"auto", V.Auto}});
  for (const BenchCase &C : R.Cases) {
    json::Array Results;
    std::optional<double> OfOld;
    for (const BenchResult &X : C.Results) {
      json::Object Stalls;
      for (const auto &[What, Warps] : X.Stalls)
        Stalls[What] = Warps;
      auto Time = [&](double BenchTime::*Which) {
        return X.Time ? json::Value((*X.Time).*Which) : json::Value(nullptr);
      };
      if (R.Versions[X.Version].Kind == VersionKind::Old)
        OfOld = X.OverlapEfficiency;
      Results.push_back(json::Object{
          {"version", utf8(R.Versions[X.Version].Name)},
          {"verdict", toString(X.Result)},
          {"reason", X.Reason.empty() ? json::Value(nullptr) : utf8(X.Reason)},
          {"median_us", Time(&BenchTime::Median)},
          {"min_us", Time(&BenchTime::Least)},
          {"q1_us", Time(&BenchTime::Low)},
          {"q3_us", Time(&BenchTime::High)},
          {"n", X.Time ? X.Time->Rounds : 0},
          {"launches_per_round", X.LaunchesPerRound},
          {"ratio", orNull(X.Ratio)},
          {"ratio_low", X.Ratio ? json::Value(X.RatioLow) : json::Value(nullptr)},
          {"ratio_high", X.Ratio ? json::Value(X.RatioHigh) : json::Value(nullptr)},
          {"gbps", orNull(X.GBps)},
          {"gflops", orNull(X.Gflops)},
          {"overlap_efficiency", orNull(X.OverlapEfficiency)},
          {"dynamic_shared_bytes", X.DynamicShared},
          {"stalls", X.Stalls.empty() ? json::Value(nullptr) : json::Value(std::move(Stalls))}});
    }
    Cases.push_back(json::Object{
        {"kernel", utf8(C.Kernel)},
        {"case", utf8(C.Case)},
        {"verdict", toString(C.Result)},
        {"reason", C.Reason.empty() ? json::Value(nullptr) : utf8(C.Reason)},
        {"results", std::move(Results)},
        {"loads_only_us", orNull(C.LoadsOnly)},
        {"compute_only_us", orNull(C.ComputeOnly)},
        {"overlap_efficiency", orNull(OfOld)},
        {"not_ablated", C.NotAblated.empty() ? json::Value(nullptr) : utf8(C.NotAblated)},
        {"unit", C.Unit.empty() ? json::Value(nullptr) : json::Value(C.Unit)}});
  }
  for (const std::string &Line : R.NotMade)
    NotMade.push_back(utf8(Line));
  return json::Object{
      {"schema_version", 1},
      {"command", "bench"},
      {"tool_version", R.ToolVersion},
      {"gpu", utf8(R.Gpu)},
      {"compute_capability", R.ComputeCapability},
      {"driver", R.Driver},
      {"cuda", R.Cuda},
      {"arch", R.Arch},
      {"verdict", toString(R.verdict())},
      {"clocks", json::Object{{"sm_mhz", measured(R.Clocks.SmMHz)},
                              {"sm_mhz_min", measured(R.Clocks.SmLeast)},
                              {"sm_mhz_max", measured(R.Clocks.SmMost)},
                              {"mem_mhz", measured(R.Clocks.MemoryMHz)},
                              {"source", R.Clocks.Source.empty() ? json::Value(nullptr)
                                                                 : json::Value(R.Clocks.Source)}}},
      {"versions", std::move(Versions)},
      {"ceilings", json::Object{{"copy_gbps", measured(R.Ceilings.CopyGBps)},
                                {"ffma_gflops", measured(R.Ceilings.FfmaGflops)},
                                {"dfma_gflops", measured(R.Ceilings.DfmaGflops)},
                                {"tensor_gflops", measured(R.Ceilings.TensorGflops)},
                                {"imma_gops", measured(R.Ceilings.ImmaGops)}}},
      {"l2", R.L2},
      {"ncu_problem", R.NcuProblem.empty() ? json::Value(nullptr) : utf8(R.NcuProblem)},
      {"cases", std::move(Cases)},
      {"not_made", std::move(NotMade)},
      {"repeat", utf8(R.Repeat)}};
}
