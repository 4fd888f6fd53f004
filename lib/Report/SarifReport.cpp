//===- SarifReport.cpp - The report as SARIF 2.1.0 -----------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For code scanning: one result per loop that can be pipelined, with the rewrites as its fixes, and
// one per reason of a loop that is refused. The rules are the check and the reasons of Reasons.def.
// (SARIF 2.1.0, OASIS Standard, 27 March 2020; what GitHub wants of it: "SARIF support for code
// scanning".)
//
// - URIs are relative to the root of the sources where the paths were.
// - Fingerprints count loops of a kernel, not lines: a result is the same one after an edit
// elsewhere in the file.
// - Columns count UTF-16 units, where everything else here counts bytes.
//
//===----------------------------------------------------------------------===//

#include "../Support/Lines.h"
#include "cuda-pipeline/NoLint.h"
#include "cuda-pipeline/Report.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"
#include <map>

using namespace llvm;

namespace cuda_pipeline {
namespace {

/// A path as a URI reference (RFC 3986): bytes that mean something there, or nothing, are escaped.
std::string uriOf(StringRef Path) {
  std::string Out;
  if (sys::path::is_absolute(Path))
    Out = "file://";
  while (Path.consume_front("./"))
    ;
  for (char C : Path) {
    if (C == '\\' && sys::path::is_separator('\\'))
      C = '/';
    if (isAlnum(C) || StringRef("-._~/+@").contains(C))
      Out += C;
    else
      Out += "%" + toHex(StringRef(&C, 1));
  }
  return Out;
}

json::Object artifact(StringRef Path) {
  json::Object Location{{"uri", uriOf(Path)}};
  if (!sys::path::is_absolute(Path))
    Location["uriBaseId"] = "%SRCROOT%";
  return Location;
}

class SarifRenderer {
public:
  SarifRenderer(const Report &R, FileContents Contents) : R(R), Contents(Contents) {}

  json::Value render() {
    addRule(TileLoopCheckName, "A tile loop can be software-pipelined",
            "The loads of the next tile can run under the compute on this one.", "warning");
    for (const FileReport &F : R.Files)
      file(F);
    json::Object Driver{{"name", "cuda-pipeline-rewrite"},
                        {"semanticVersion", CPR_VERSION},
                        {"rules", std::move(Rules)}};
    json::Object Run{
        {"tool", json::Object{{"driver", std::move(Driver)}}},
        {"invocations", json::Array{invocation()}},
        {"columnKind", "utf16CodeUnits"},
        {"newlineSequences", json::Array{"\r\n", "\n", "\r"}}, // Clang's
        {"originalUriBaseIds",
         json::Object{
             {"%SRCROOT%",
              json::Object{
                  {"description",
                   json::Object{{"text", "the folder that relative paths count from"}}}}}}},
        {"results", std::move(Results)}};
    if (json::Array Checked = selfChecks(); !Checked.empty())
      Run["properties"] = json::Object{{"selfCheck", std::move(Checked)}};
    return json::Object{{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                        {"version", "2.1.0"},
                        {"runs", json::Array{std::move(Run)}}};
  }

private:
  const Report &R;
  FileContents Contents;
  json::Array Rules, Results;
  struct Contained {
    std::string Text;
    LineTable Lines{""};
  };
  mutable std::map<std::string, Contained> Texts;
  std::map<std::string, unsigned> RuleIndex;

  /// Of what was rewritten, which is no result.
  json::Array selfChecks() const {
    json::Array Out;
    for (const FileReport &F : R.Files)
      for (const LoopReport &L : F.Loops)
        if (L.Status == LoopStatus::Rewritten && L.SelfCheck &&
            L.SelfCheck->Result != SelfCheckReport::Verdict::Off)
          Out.push_back(json::Object{
              {"location",
               json::Object{{"physicalLocation", place(F, L.Line, L.Column, L.EndLine)}}},
              {"selfCheck", toJSON(*L.SelfCheck)}});
    return Out;
  }

  unsigned addRule(StringRef Id, StringRef Short, StringRef Full, StringRef Level) {
    auto [It, New] = RuleIndex.try_emplace(Id.str(), unsigned(Rules.size()));
    if (New)
      Rules.push_back(
          json::Object{{"id", Id.str()},
                       {"shortDescription", json::Object{{"text", json::fixUTF8(Short)}}},
                       {"fullDescription", json::Object{{"text", json::fixUTF8(Full)}}},
                       {"help", json::Object{{"text", json::fixUTF8(Full)}}},
                       {"defaultConfiguration", json::Object{{"level", Level.str()}}},
                       {"properties", json::Object{{"tags", json::Array{"performance", "cuda"}}}}});
    return It->second;
  }

  /// Files that were not looked at to the end: without them the list of results is not all that
  /// there is.
  json::Object invocation() const {
    json::Array Notifications;
    for (const FileReport &F : R.Files)
      if (F.Problem != FileProblem::None)
        Notifications.push_back(json::Object{
            {"level", "error"},
            {"message",
             json::Object{
                 {"text", json::fixUTF8((toString(F.Problem) + ": " + F.ProblemText).str())}}},
            {"locations", json::Array{json::Object{{"physicalLocation", place(F, 0, 0, 0)}}}}});
    const bool Complete = Notifications.empty();
    json::Object Out{{"executionSuccessful", Complete}};
    if (!Complete)
      Out["toolExecutionNotifications"] = std::move(Notifications);
    return Out;
  }

  void file(const FileReport &F) {
    std::map<std::string, unsigned> Count; // loops by kernel
    for (const LoopReport &L : F.Loops) {
      const std::string Loop = L.Kernel + "#" + std::to_string(Count[L.Kernel]++);
      if (L.Status == LoopStatus::Opportunity) {
        std::vector<Message> Said = messagesOf(L, F.Arch);
        json::Object Result =
            result(F, TileLoopCheckName, RuleIndex[TileLoopCheckName.str()], "warning",
                   Said.front().Text, L.Line, L.Column, L.EndLine, Loop);
        json::Array Related;
        for (const Message &M : drop_begin(Said))
          Related.push_back(
              json::Object{{"message", json::Object{{"text", json::fixUTF8(M.Text)}}},
                           {"physicalLocation", place(F, M.Line ? M.Line : L.Line, M.Column, 0)}});
        Result["relatedLocations"] = std::move(Related);
        if (!L.Fixes.empty())
          Result["fixes"] = fixes(F, L);
        Results.push_back(std::move(Result));
      } else if (L.Status == LoopStatus::Refused) {
        for (const ReasonReport &Why : L.Reasons) {
          const ReasonInfo &Info = info(Why.Id);
          const unsigned Rule = addRule(Info.Id, Info.Id, Info.Text, "note");
          std::string Said = "tile loop is not pipelined: " + Why.Message;
          if (!Why.Remedy.empty())
            Said += ". To make it possible: " + Why.Remedy;
          json::Object Result = result(F, Info.Id, Rule, "note", Said, Why.Line ? Why.Line : L.Line,
                                       Why.Line ? Why.Column : L.Column, 0, Loop);
          if (L.SelfCheck)
            Result["properties"] = json::Object{{"selfCheck", toJSON(*L.SelfCheck)}};
          Results.push_back(std::move(Result));
        }
      }
    }
  }

  /// The lines of \p F, asked for once.
  const LineTable &linesOf(const FileReport &F) const {
    auto [It, New] = Texts.try_emplace(F.Path);
    if (New) {
      It->second.Text = Contents(F.Path);
      It->second.Lines = LineTable(It->second.Text);
    }
    return It->second.Lines;
  }

  /// UTF-16 units in \p Before; what is no UTF-8 counts a unit for each byte.
  static unsigned units(StringRef Before) {
    unsigned Out = 0;
    while (!Before.empty()) {
      const auto *At = Before.bytes_begin();
      const unsigned Bytes = getNumBytesForUTF8(*At);
      const bool Legal = Bytes <= Before.size() && isLegalUTF8Sequence(At, At + Bytes);
      Out += Legal && Bytes == 4 ? 2 : 1;
      Before = Before.drop_front(Legal ? Bytes : 1);
    }
    return Out;
  }

  /// \p Column counts bytes, from 1; 0: none.
  json::Object place(const FileReport &F, unsigned Line, unsigned Column, unsigned EndLine) const {
    json::Object Region;
    if (Line != 0) {
      Region["startLine"] = Line;
      if (Column != 0) {
        Region["startColumn"] = units(linesOf(F).line(Line).take_front(Column - 1)) + 1;
      }
      if (EndLine > Line)
        Region["endLine"] = EndLine;
    }
    json::Object Place{{"artifactLocation", artifact(F.Path)}};
    if (!Region.empty())
      Place["region"] = std::move(Region);
    return Place;
  }

  json::Object result(const FileReport &F, StringRef Rule, unsigned Index, StringRef Level,
                      StringRef Said, unsigned Line, unsigned Column, unsigned EndLine,
                      StringRef Loop) const {
    const std::string Key = (F.Path + "\0" + Loop + "\0" + Rule).str();
    return json::Object{
        {"ruleId", Rule.str()},
        {"ruleIndex", Index},
        {"level", Level.str()},
        {"message", json::Object{{"text", json::fixUTF8(Said)}}},
        {"locations",
         json::Array{json::Object{{"physicalLocation", place(F, Line, Column, EndLine)}}}},
        {"partialFingerprints",
         json::Object{{"kernelLoop/v1", formatv("{0:x-16}", xxh3_64bits(Key)).str()}}}};
  }

  json::Object at(const FileReport &F, unsigned Begin, unsigned End) const {
    const LineTable &Lines = linesOf(F);
    const StringRef Text = Texts.find(F.Path)->second.Text;
    auto Column = [&](unsigned Offset) {
      return units(Text.slice(Lines.begin(Lines.lineOf(Offset)), Offset)) + 1;
    };
    return json::Object{{"startLine", Lines.lineOf(Begin)},
                        {"startColumn", Column(Begin)},
                        {"endLine", Lines.lineOf(End)},
                        {"endColumn", Column(End)}};
  }

  json::Array fixes(const FileReport &F, const LoopReport &L) {
    json::Array Out;
    for (const Fix &Each : L.Fixes) {
      json::Array Replacements;
      for (const Edit &E : Each.Edits) {
        json::Object Replacement{{"deletedRegion", at(F, E.Offset, E.Offset + E.Length)}};
        if (!E.Text.empty())
          Replacement["insertedContent"] = json::Object{{"text", json::fixUTF8(E.Text)}};
        Replacements.push_back(std::move(Replacement));
      }
      Out.push_back(json::Object{
          {"description", json::Object{{"text", "pipeline this tile loop with " +
                                                    planInWords(Each.Variant, Each.Stages)}}},
          {"artifactChanges",
           json::Array{json::Object{{"artifactLocation", artifact(F.Path)},
                                    {"replacements", std::move(Replacements)}}}}});
    }
    return Out;
  }
};

} // namespace

void renderSarif(const Report &R, FileContents Contents, raw_ostream &OS) {
  OS << formatv("{0:2}", SarifRenderer(R, Contents).render()) << '\n';
}

} // namespace cuda_pipeline
