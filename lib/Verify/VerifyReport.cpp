//===- VerifyReport.cpp - The verdict as text and JSON -------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cuda-pipeline/Verify.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <map>
#include <set>
#include <tuple>

using namespace llvm;

namespace cuda_pipeline {

StringRef toString(Verdict V) {
  switch (V) {
  case Verdict::Pass:
    return "pass";
  case Verdict::Fail:
    return "fail";
  case Verdict::CannotTell:
    return "cannot-tell";
  }
  llvm_unreachable("unknown verdict");
}

static std::string placeText(const VerifyPlace &P) {
  if (P.Line == 0)
    return P.File;
  std::string Text = formatv("{0}:{1}", P.File, P.Line).str();
  if (P.Column)
    Text += formatv(":{0}", P.Column).str();
  return Text;
}

Verdict VerifyReport::verdict() const {
  const Verdict V = verdictOf(Cases);
  return V == Verdict::Pass && (!ChangedNotRun.empty() || !notShown().empty()) ? Verdict::CannotTell
                                                                               : V;
}

/// Kernels of its cases, in their order; \p OnlyFound: those whose launches were searched for.
static std::vector<std::string> kernelsOf(const VerifyReport &R, bool OnlyFound) {
  std::vector<std::string> Names;
  for (const VerifyCase &C : R.Cases)
    if ((C.Found || !OnlyFound) && !is_contained(Names, C.Kernel))
      Names.push_back(C.Kernel);
  return Names;
}

/// Of one kernel.
static std::vector<const VerifyCase *> casesOf(const VerifyReport &R, StringRef Kernel,
                                               function_ref<bool(const VerifyCase &)> Counts) {
  std::vector<const VerifyCase *> Of;
  for (const VerifyCase &C : R.Cases)
    if (C.Kernel == Kernel && Counts(C))
      Of.push_back(&C);
  return Of;
}

std::string neverShown(ArrayRef<const VerifyCase *> Cases) {
  if (auto Hides = find_if(Cases, [](const VerifyCase *C) { return !C->Hidden.empty(); });
      Hides != Cases.end())
    return (*Hides)->Hidden;
  const bool OneWarp =
      all_of(Cases,
             [](const VerifyCase *C) { return C->Found && C->Threads <= 32 && !C->OneWarp; }) &&
      any_of(Cases, [](const VerifyCase *C) { return C->OfWarps; });
  return OneWarp ? "lanes of a warp wait for each other, and no launch was found in which a block "
                   "has more than one warp"
                 : "";
}

std::vector<VerifyLoop> furthestOf(ArrayRef<const VerifyCase *> Cases) {
  std::vector<VerifyLoop> All;
  for (const VerifyCase *C : Cases)
    for (const VerifyLoop &L : C->Loops) {
      auto Same = find_if(All, [&](const VerifyLoop &A) {
        return A.At.File == L.At.File && A.At.Line == L.At.Line && A.At.Column == L.At.Column;
      });
      if (Same == All.end()) {
        All.push_back(L);
        continue;
      }
      Same->Turns = std::max(Same->Turns, L.Turns);
      Same->Loads = std::max(Same->Loads, L.Loads);
      Same->Made = std::max(Same->Made, L.Made);
      Same->HasLoads |= L.HasLoads;
    }
  return All;
}

/// VerifyCoverage::Data.
static std::string dataInWords(ArrayRef<const VerifyCase *> Cases) {
  std::set<std::pair<std::string, std::string>> Decided; // place, and what
  size_t Without = 0;
  std::string Why;
  for (const VerifyCase *C : Cases) {
    if (!C->Data || !C->Data->Same) {
      ++Without;
      if (Why.empty())
        Why = C->Data ? C->Data->Why : "it was not looked at";
      continue;
    }
    for (const VerifyDecision &D : C->Data->Decided)
      Decided.emplace(placeText({sys::path::filename(D.At.File).str(), D.At.Line, D.At.Column}),
                      D.By == "branch"    ? "which way it goes"
                      : D.By == "address" ? "what is accessed"
                                          : "what threads do together");
  }
  if (Without != 0)
    return "not for other data" +
           (Without == Cases.size() ? std::string()
                                    : formatv(" in {0} of the launches", Without).str()) +
           ": " + Why;
  if (Decided.empty())
    return "";
  constexpr size_t Most = 2;
  std::string Text = "for all data that decide alike";
  for (const auto &[Index, D] : enumerate(Decided))
    if (Index < Most)
      Text += (Index == 0 ? " " : ", ") + D.second + " at " + D.first;
  return Text + (Decided.size() > Most ? formatv(" and at {0} more place{1}", Decided.size() - Most,
                                                 Decided.size() - Most == 1 ? "" : "s")
                                             .str()
                                       : "");
}

VerifyCoverage coverageOf(ArrayRef<const VerifyCase *> Cases,
                          function_ref<bool(const VerifyLoop &)> Counts) {
  VerifyCoverage V;
  std::map<std::tuple<std::string, unsigned, unsigned>, std::pair<bool, bool>> Guards;
  std::set<std::string> Orders;
  for (const VerifyCase *C : Cases) {
    V.Threads.insert(C->Threads);
    V.Blocks.insert(C->Block);
    if (!C->Order.empty())
      Orders.insert(C->Order);
    std::optional<uint64_t> Most;
    for (const VerifyLoop &L : C->Loops)
      if (L.HasLoads && Counts(L))
        Most = std::max(Most.value_or(0), L.Made);
    if (Most)
      V.Turns.insert(*Most);
    for (const VerifyGuard &G : C->Guards) {
      auto &[False, True] = Guards[{G.At.File, G.At.Line, G.At.Column}];
      False |= G.False;
      True |= G.True;
    }
  }
  V.Guards = static_cast<unsigned>(Guards.size());
  V.BothWays = static_cast<unsigned>(
      count_if(Guards, [](const auto &G) { return G.second.first && G.second.second; }));
  V.Order = join(Orders, ", ");
  V.Data = dataInWords(Cases);
  return V;
}

std::vector<std::pair<std::string, std::string>> VerifyReport::notShown() const {
  std::vector<std::pair<std::string, std::string>> All;
  const auto Unsteady = notSteady();
  for (const std::string &Kernel : kernelsOf(*this, /*OnlyFound=*/false)) {
    const std::vector<const VerifyCase *> Of =
        casesOf(*this, Kernel, [](const VerifyCase &) { return true; });
    if (any_of(Of, [](const VerifyCase *C) { return C->Result != Verdict::Pass; }))
      continue; // that says enough
    if (std::string Why = neverShown(Of); !Why.empty())
      All.emplace_back(Kernel, std::move(Why));
    if (none_of(Of, [](const VerifyCase *C) { return C->Found; }))
      continue;
    // What turns twice, whatever it is given, has been seen to.
    if (any_of(Of, [](const VerifyCase *C) { return C->AlwaysTurns && *C->AlwaysTurns < 3; }))
      continue;
    for (const auto &[Name, L] : Unsteady)
      if (Name == Kernel)
        All.emplace_back(Kernel, formatv("no launch was found in which the loop at {0} gets going: "
                                         "it made at most {1} turn{2} in a row, {3} of "
                                         "them with a load of the next tile",
                                         placeText(L.At), L.Turns, L.Turns == 1 ? "" : "s", L.Loads)
                                     .str());
  }
  return All;
}

std::vector<std::pair<std::string, VerifyLoop>> VerifyReport::notSteady() const {
  std::vector<std::pair<std::string, VerifyLoop>> All;
  for (const std::string &Kernel : kernelsOf(*this, /*OnlyFound=*/false))
    if (is_contained(Changed, Kernel))
      for (VerifyLoop &L :
           furthestOf(casesOf(*this, Kernel, [](const VerifyCase &) { return true; })))
        if (!L.steady())
          All.emplace_back(Kernel, std::move(L));
  return All;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static std::string runText(const VerifyRun &R) {
  std::string Text = formatv("{0} version, seed {1}", R.New ? "new" : "old", R.Seed).str();
  if (!R.Schedule.empty())
    Text += formatv(", threads {0}, copies land {1}{2}", R.Schedule,
                    R.Landing == "random" ? "at " : "", R.Landing)
                .str();
  return Text;
}

/// What launches that were searched for have shown: how often loops turned, which conditions went
/// one way only, in what blocks.
static std::string coverage(ArrayRef<const VerifyCase *> Cases) {
  const VerifyCoverage V = coverageOf(Cases, [](const VerifyLoop &) { return true; });
  auto List = [](const auto &Of) {
    std::string Text;
    for (uint64_t N : Of)
      Text += (Text.empty() ? "" : ", ") + std::to_string(N);
    return Text;
  };
  std::string Text = "blocks of " + List(V.Threads) + " threads";
  if (!V.Turns.empty())
    Text += "; turns " + List(V.Turns);
  if (V.Guards != 0)
    Text += formatv("; {0} of {1} conditions both ways", V.BothWays, V.Guards);
  return Text +
         (V.Order.empty() ? "; in every schedule"
                          : "; in the schedules that were run, for " + V.Order) +
         (V.Data.empty() ? "; for all data" : "; " + V.Data);
}

void writeText(const VerifyReport &Report, raw_ostream &OS) {
  size_t Width = 0;
  for (const VerifyCase &C : Report.Cases)
    if (!C.Found || C.Result != Verdict::Pass)
      Width = std::max(Width, C.Kernel.size() + C.Case.size() + 2);
  unsigned Passed = 0, Failed = 0, Unknown = 0;
  // Launches that were searched for: what they have shown, in one line for each kernel; of others
  // what went wrong.
  const auto NotShown = Report.notShown();
  for (const std::string &Kernel : kernelsOf(Report, /*OnlyFound=*/true)) {
    const std::vector<const VerifyCase *> Of = casesOf(
        Report, Kernel, [](const VerifyCase &C) { return C.Found && C.Result == Verdict::Pass; });
    if (Of.empty())
      continue;
    const bool Pass = all_of(Report.Cases,
                             [&](const VerifyCase &C) {
                               return C.Kernel != Kernel || C.Result == Verdict::Pass;
                             }) &&
                      none_of(NotShown, [&](const auto &N) { return N.first == Kernel; });
    OS << Kernel << "  " << (Pass ? "pass, " : "no difference so far, ") << Of.size()
       << (Of.size() == 1 ? " launch" : " launches") << " found: " << coverage(Of) << '\n';
  }
  for (const VerifyCase &C : Report.Cases) {
    if (C.Found && C.Result == Verdict::Pass) {
      ++Passed;
      continue;
    }
    std::string Head = C.Kernel + "  " + C.Case;
    OS << Head;
    OS.indent(static_cast<unsigned>(Width - Head.size() + 2));
    switch (C.Result) {
    case Verdict::Pass:
      ++Passed;
      OS << "pass  ";
      if (!C.Timing)
        OS << C.Runs << " runs\n";
      else
        OS << formatv("{0:F2} us -> {1:F2} us, {2:F3} times as fast\n", C.Timing->OldMicroseconds,
                      C.Timing->NewMicroseconds,
                      C.Timing->NewMicroseconds > 0
                          ? C.Timing->OldMicroseconds / C.Timing->NewMicroseconds
                          : 0.0);
      continue;
    case Verdict::Fail:
      ++Failed;
      OS << "FAIL  ";
      break;
    case Verdict::CannotTell:
      ++Unknown;
      OS << "cannot tell  ";
      break;
    }
    OS << C.Reason << '\n';
    if (C.Fault) {
      const VerifyFault &F = *C.Fault;
      if (!F.At.File.empty() || F.What != C.Reason)
        OS << "    " << placeText(F.At) << (F.At.File.empty() ? "" : ": ") << F.Kind << ": "
           << F.What << '\n';
      if (F.Other.Line && placeText(F.Other) != placeText(F.At))
        OS << "    " << placeText(F.Other) << ": the other one\n";
      if (!F.Thread.empty())
        OS << "    in " << F.Thread << '\n';
    }
    if (C.Run)
      OS << "    " << runText(*C.Run) << '\n';
  }
  for (const std::string &K : Report.NotCovered)
    if (!is_contained(Report.ChangedNotRun, K))
      OS << K << ": not run, because no launch is described\n";
  for (const std::string &K : Report.ChangedNotRun)
    OS << K << ": cannot tell  "
       << (is_contained(Report.Missing, K) ? "the new version does not have it\n"
                                           : "it is not as in the old version, and not run, "
                                             "because no launch of it is described\n");
  for (const auto &[Kernel, Why] : NotShown)
    OS << Kernel << ": cannot tell  " << Why << '\n';
  const std::vector<std::string> Found = kernelsOf(Report, /*OnlyFound=*/true);
  for (const auto &[Kernel, L] : Report.notSteady())
    if (!is_contained(Found, Kernel))
      OS << formatv("note: {0}: the loop at {1} made at most {2} turn{3} in a row, {4} of them "
                    "with a load of the next tile: its steady "
                    "state was not reached; describe a case with more tiles\n",
                    Kernel, placeText(L.At), L.Turns, L.Turns == 1 ? "" : "s", L.Loads);
  for (const std::string &A : Report.Assumptions)
    OS << "assumes: " << A << '\n';
  OS << Report.Cases.size() << (Report.Cases.size() == 1 ? " case" : " cases") << " ("
     << (Report.Device.empty() ? Report.Engine : Report.Engine + ", " + Report.Device)
     << "): " << Passed << " passed, " << Failed << " failed";
  if (Unknown)
    OS << ", " << Unknown << " without a verdict";
  OS << '\n';
  if (!Report.Repeat.empty())
    OS << "repeat with: " << Report.Repeat << '\n';
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static json::Value utf8(StringRef S) {
  return json::isUTF8(S) ? json::Value(S.str()) : json::Value(json::fixUTF8(S));
}

static json::Value toJSON(const VerifyPlace &P) {
  if (P.File.empty())
    return nullptr;
  return json::Object{{"file", utf8(P.File)}, {"line", P.Line}, {"column", P.Column}};
}

json::Value toJSON(const VerifyCase &C) {
  json::Object O{{"kernel", utf8(C.Kernel)},
                 {"case", utf8(C.Case)},
                 {"verdict", toString(C.Result)},
                 {"reason", C.Reason.empty() ? json::Value(nullptr) : utf8(C.Reason)},
                 {"runs", C.Runs},
                 {"accesses", C.Accesses},
                 {"async_copies", C.Copies},
                 {"fault", nullptr},
                 {"difference", nullptr},
                 {"run", nullptr},
                 {"timing", nullptr}};
  json::Array Loops;
  for (const VerifyLoop &L : C.Loops)
    Loops.push_back(json::Object{{"at", toJSON(L.At)},
                                 {"turns", L.Turns},
                                 {"loads", L.Loads},
                                 {"has_loads", L.HasLoads},
                                 {"made", L.Made}});
  O["loops"] = std::move(Loops);
  json::Array Guards;
  for (const VerifyGuard &G : C.Guards)
    Guards.push_back(json::Object{{"at", toJSON(G.At)}, {"false", G.False}, {"true", G.True}});
  O["guards"] = std::move(Guards);
  O["found"] = C.Found;
  O["threads"] = C.Threads;
  O["block"] = C.Block[0] ? json::Value(json::Array{C.Block[0], C.Block[1], C.Block[2]})
                          : json::Value(nullptr);
  O["order"] = C.Order.empty() ? json::Value(nullptr) : utf8(C.Order);
  O["data"] = nullptr;
  if (C.Data) {
    json::Array Decided;
    for (const VerifyDecision &D : C.Data->Decided)
      Decided.push_back(json::Object{{"by", D.By}, {"at", toJSON(D.At)}});
    O["data"] = json::Object{{"same", C.Data->Same},
                             {"decided", std::move(Decided)},
                             {"why", C.Data->Same ? json::Value(nullptr) : utf8(C.Data->Why)}};
  }
  O["one_warp"] = C.OneWarp;
  O["hidden"] = C.Hidden.empty() ? json::Value(nullptr) : json::Value(C.Hidden);
  O["of_warps"] = C.OfWarps;
  O["always_turns"] = C.AlwaysTurns ? json::Value(*C.AlwaysTurns) : json::Value(nullptr);
  if (C.Timing)
    O["timing"] = json::Object{{"old_microseconds", C.Timing->OldMicroseconds},
                               {"new_microseconds", C.Timing->NewMicroseconds},
                               {"rounds", C.Timing->Rounds}};
  if (C.Fault)
    O["fault"] = json::Object{{"kind", C.Fault->Kind},
                              {"what", utf8(C.Fault->What)},
                              {"at", toJSON(C.Fault->At)},
                              {"other", toJSON(C.Fault->Other)},
                              {"thread", utf8(C.Fault->Thread)}};
  if (C.Difference)
    O["difference"] =
        json::Object{{"buffer", utf8(C.Difference->Buffer)}, {"index", C.Difference->Index},
                     {"old_bits", C.Difference->OldBits},    {"new_bits", C.Difference->NewBits},
                     {"old_value", C.Difference->OldValue},  {"new_value", C.Difference->NewValue},
                     {"count", C.Difference->Count}};
  if (C.Run)
    O["run"] = json::Object{{"version", C.Run->New ? "new" : "old"},
                            {"schedule", C.Run->Schedule},
                            {"landing", C.Run->Landing},
                            {"seed", C.Run->Seed},
                            {"poison", C.Run->Poison}};
  return O;
}

static bool fromJSON(const json::Value &V, VerifyPlace &P, json::Path Path) {
  if (V.getAsNull())
    return true;
  json::ObjectMapper M(V, Path);
  return M && M.map("file", P.File) && M.map("line", P.Line) && M.map("column", P.Column);
}

static bool fromJSON(const json::Value &V, VerifyFault &F, json::Path Path) {
  json::ObjectMapper M(V, Path);
  const json::Object *O = V.getAsObject();
  return M && O && M.map("kind", F.Kind) && M.map("what", F.What) && M.map("thread", F.Thread) &&
         O->get("at") && fromJSON(*O->get("at"), F.At, Path.field("at")) && O->get("other") &&
         fromJSON(*O->get("other"), F.Other, Path.field("other"));
}

static bool fromJSON(const json::Value &V, VerifyDifference &D, json::Path Path) {
  json::ObjectMapper M(V, Path);
  return M && M.map("buffer", D.Buffer) && M.map("index", D.Index) &&
         M.map("old_bits", D.OldBits) && M.map("new_bits", D.NewBits) &&
         M.map("old_value", D.OldValue) && M.map("new_value", D.NewValue) &&
         M.map("count", D.Count);
}

static bool fromJSON(const json::Value &V, VerifyRun &R, json::Path Path) {
  json::ObjectMapper M(V, Path);
  std::string Version;
  bool Good = M && M.map("version", Version) && M.map("schedule", R.Schedule) &&
              M.map("landing", R.Landing) && M.map("seed", R.Seed) && M.map("poison", R.Poison);
  R.New = Version == "new";
  return Good;
}

static bool fromJSON(const json::Value &V, VerifyLoop &L, json::Path Path) {
  json::ObjectMapper M(V, Path);
  const json::Object *O = V.getAsObject();
  return M && O && M.map("turns", L.Turns) && M.map("loads", L.Loads) &&
         M.map("has_loads", L.HasLoads) && M.map("made", L.Made) && O->get("at") &&
         fromJSON(*O->get("at"), L.At, Path.field("at"));
}

static bool fromJSON(const json::Value &V, VerifyGuard &G, json::Path Path) {
  json::ObjectMapper M(V, Path);
  const json::Object *O = V.getAsObject();
  return M && O && M.map("false", G.False) && M.map("true", G.True) && O->get("at") &&
         fromJSON(*O->get("at"), G.At, Path.field("at"));
}

static bool fromJSON(const json::Value &V, VerifyData &D, json::Path Path) {
  json::ObjectMapper M(V, Path);
  const json::Object *O = V.getAsObject();
  std::optional<std::string> Why;
  if (!M || !O || !M.map("same", D.Same) || !M.mapOptional("why", Why))
    return false;
  D.Why = Why.value_or("");
  if (const json::Array *Decided = O->getArray("decided"))
    for (const auto &[Index, Value] : enumerate(*Decided)) {
      VerifyDecision &One = D.Decided.emplace_back();
      const json::Path At = Path.field("decided").index(Index);
      json::ObjectMapper Of(Value, At);
      const json::Object *Object = Value.getAsObject();
      if (!Of || !Object || !Of.map("by", One.By) || !Object->get("at") ||
          !fromJSON(*Object->get("at"), One.At, At.field("at")))
        return false;
    }
  return true;
}

bool fromJSON(const json::Value &V, VerifyCase &C, json::Path Path) {
  json::ObjectMapper M(V, Path);
  const json::Object *O = V.getAsObject();
  std::string Result;
  std::optional<std::string> Reason;
  if (!M || !O || !M.map("kernel", C.Kernel) || !M.map("case", C.Case) ||
      !M.map("verdict", Result) || !M.mapOptional("reason", Reason) || !M.map("runs", C.Runs) ||
      !M.map("accesses", C.Accesses) || !M.map("async_copies", C.Copies))
    return false;
  if (const json::Array *Loops = O->getArray("loops"))
    for (const auto &[Index, L] : enumerate(*Loops))
      if (!fromJSON(L, C.Loops.emplace_back(), Path.field("loops").index(Index)))
        return false;
  if (const json::Array *Guards = O->getArray("guards"))
    for (const auto &[Index, G] : enumerate(*Guards))
      if (!fromJSON(G, C.Guards.emplace_back(), Path.field("guards").index(Index)))
        return false;
  C.Found = O->getBoolean("found").value_or(false);
  C.OfWarps = O->getBoolean("of_warps").value_or(false);
  C.OneWarp = O->getBoolean("one_warp").value_or(false);
  C.Hidden = O->getString("hidden").value_or("").str();
  C.Order = O->getString("order").value_or("").str();
  if (std::optional<int64_t> Always = O->getInteger("always_turns"))
    C.AlwaysTurns = static_cast<uint64_t>(*Always);
  C.Threads = static_cast<unsigned>(O->getInteger("threads").value_or(0));
  if (const json::Array *Block = O->getArray("block"); Block && Block->size() == 3)
    for (unsigned D = 0; D != 3; ++D)
      C.Block[D] = static_cast<uint64_t>((*Block)[D].getAsInteger().value_or(0));
  C.Reason = Reason.value_or("");
  C.Result = Result == "pass"   ? Verdict::Pass
             : Result == "fail" ? Verdict::Fail
                                : Verdict::CannotTell;
  auto Part = [&](StringRef Key, auto &Field) {
    const json::Value *P = O->get(Key);
    if (!P || P->getAsNull())
      return true;
    Field.emplace();
    return fromJSON(*P, *Field, Path.field(Key));
  };
  return Part("fault", C.Fault) && Part("difference", C.Difference) && Part("run", C.Run) &&
         Part("data", C.Data);
}

json::Value toJSON(const VerifyReport &R) {
  json::Array Cases, Seeds, NotCovered;
  unsigned Counts[3] = {0, 0, 0};
  for (const VerifyCase &C : R.Cases) {
    Cases.push_back(toJSON(C));
    ++Counts[static_cast<unsigned>(C.Result)];
  }
  for (uint64_t S : R.Seeds)
    Seeds.push_back(S);
  for (const std::string &K : R.NotCovered)
    NotCovered.push_back(utf8(K));
  json::Array Changed, NotSteady;
  for (const std::string &K : R.ChangedNotRun)
    Changed.push_back(utf8(K));
  for (const auto &[Kernel, L] : R.notSteady())
    NotSteady.push_back(json::Object{
        {"kernel", utf8(Kernel)}, {"at", toJSON(L.At)}, {"turns", L.Turns}, {"loads", L.Loads}});
  json::Array NotShown;
  for (const auto &[Kernel, Why] : R.notShown())
    NotShown.push_back(json::Object{{"kernel", utf8(Kernel)}, {"why", utf8(Why)}});
  return json::Object{{"engine", R.Engine},
                      {"device", R.Device.empty() ? json::Value(nullptr) : utf8(R.Device)},
                      {"verdict", toString(R.verdict())},
                      {"old", utf8(R.Old)},
                      {"new", utf8(R.New)},
                      {"launch", R.Launch.empty() ? json::Value(nullptr) : utf8(R.Launch)},
                      {"seeds", std::move(Seeds)},
                      {"assumptions", json::Array(R.Assumptions)},
                      {"cases", std::move(Cases)},
                      {"passed", Counts[0]},
                      {"failed", Counts[1]},
                      {"cannot_tell", Counts[2]},
                      {"not_covered", std::move(NotCovered)},
                      {"changed_not_run", std::move(Changed)},
                      {"not_steady", std::move(NotSteady)},
                      {"not_shown", std::move(NotShown)},
                      {"repeat", utf8(R.Repeat)}};
}

} // namespace cuda_pipeline
