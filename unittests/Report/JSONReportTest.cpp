//===- JSONReportTest.cpp - The keys that other programs read ------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Samples.h"
#include "llvm/Support/JSON.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace cuda_pipeline;
using namespace llvm;

namespace {

std::string render(const Report &R) {
  std::string S;
  raw_string_ostream OS(S);
  renderJSON(R, OS);
  return S;
}

json::Value parse(StringRef Text) {
  Expected<json::Value> V = json::parse(Text);
  if (!V) {
    ADD_FAILURE() << toString(V.takeError());
    return nullptr;
  }
  return *V;
}

// Not Object::getNull(): GCC and Clang return its std::optional<std::nullptr_t> differently, and
// the LLVM libraries may come from the other one.
bool isNull(const json::Object &O, StringRef Key) {
  const json::Value *V = O.get(Key);
  return V && V->kind() == json::Value::Null;
}

void expectKeys(const json::Object &O, std::initializer_list<StringRef> Keys) {
  for (StringRef K : Keys)
    EXPECT_NE(O.get(K), nullptr) << "no key " << K.str();
}

// The keys of the documented interface. Removing one here is a new schema_version.
TEST(JSONReport, Keys) {
  json::Value V = parse(render(sampleReport()));
  const json::Object &Top = *V.getAsObject();
  expectKeys(Top, {"schema_version", "tool_version", "arch", "files"});
  EXPECT_EQ(Top.getInteger("schema_version"), 1);
  EXPECT_EQ(Top.getString("arch"), StringRef("sm_86"));
  EXPECT_EQ(Top.getArray("archs")->size(), 2u);

  const json::Object &File = *(*Top.getArray("files"))[0].getAsObject();
  expectKeys(File, {"path", "output", "loops"});
  EXPECT_EQ(File.getString("output"), StringRef("dir/a.pipelined.cu"));
  // Each file has its own; that of the report is the first one.
  EXPECT_EQ(File.getString("arch"), StringRef("sm_86"));
  EXPECT_EQ((*Top.getArray("files"))[1].getAsObject()->getString("arch"), StringRef("sm_90"));
  EXPECT_EQ(Top.get("withheld"), nullptr);

  const json::Object &Loop = *(*File.getArray("loops"))[0].getAsObject();
  expectKeys(Loop, {"kernel",        "line",     "column", "end_line",   "status",
                    "applicability", "variant",  "stages", "reasons",    "assumptions",
                    "buffers",       "copies",   "smem",   "occupancy",  "ratio",
                    "candidates",    "function", "phases", "new_phases", "block_threads"});
  EXPECT_EQ(Loop.getString("kernel"), StringRef("gemm"));
  EXPECT_EQ(Loop.getInteger("line"), 42);
  EXPECT_EQ(Loop.getInteger("column"), 3);
  EXPECT_EQ(Loop.getInteger("end_line"), 60);
  EXPECT_EQ(Loop.getString("status"), StringRef("rewritten"));
  EXPECT_EQ(Loop.getString("applicability"), StringRef("machine-applicable"));
  EXPECT_EQ(Loop.getString("variant"), StringRef("cp-async"));
  EXPECT_EQ(Loop.getInteger("stages"), 3);
  EXPECT_TRUE(Loop.getArray("reasons")->empty());
  EXPECT_EQ((*Loop.getArray("assumptions"))[0].getAsString(),
            StringRef("registers: 64 per thread are enough"));

  EXPECT_EQ(Loop.getObject("function")->getInteger("end_line"), 70);
  const json::Object &Phase = *(*Loop.getArray("phases"))[1].getAsObject();
  EXPECT_EQ(Phase.getString("kind"), StringRef("barrier"));
  EXPECT_EQ(Phase.getInteger("line"), 46);
  EXPECT_EQ(Phase.getInteger("end_line"), 47);
  EXPECT_EQ(Loop.getArray("new_phases")->size(), 1u);
  EXPECT_EQ(Loop.getInteger("block_threads"), 256);

  const json::Object &Buffer = *(*Loop.getArray("buffers"))[0].getAsObject();
  EXPECT_EQ(Buffer.getString("name"), StringRef("As"));
  EXPECT_EQ(Buffer.getInteger("bytes"), 8192);
  const json::Object &Copy = *(*Loop.getArray("copies"))[0].getAsObject();
  EXPECT_EQ(Copy.getString("buffer"), StringRef("As"));
  EXPECT_EQ(Copy.getInteger("bytes_per_thread"), 16);
  EXPECT_EQ(Copy.getString("method"), StringRef("cp.async"));
  const json::Object &Smem = *Loop.getObject("smem");
  EXPECT_EQ(Smem.getInteger("before"), 16384);
  EXPECT_EQ(Smem.getInteger("after"), 49152);
  EXPECT_EQ(Smem.getInteger("limit"), 49152);
  const json::Object &Occupancy = *Loop.getObject("occupancy");
  EXPECT_EQ(Occupancy.getInteger("before"), 6);
  EXPECT_EQ(Occupancy.getInteger("after"), 2);
  EXPECT_EQ(Occupancy.getString("limiter"), StringRef("shared-memory"));
  const json::Object &Ratio = *Loop.getObject("ratio");
  EXPECT_EQ(Ratio.getNumber("flops_per_byte"), 31.5);
  EXPECT_EQ(Ratio.getInteger("flops"), 1048576);
  EXPECT_EQ(Ratio.getInteger("bytes"), 33288);
  const json::Object &Chosen = *(*Loop.getArray("candidates"))[0].getAsObject();
  EXPECT_EQ(Chosen.getString("variant"), StringRef("cp-async"));
  EXPECT_EQ(Chosen.getInteger("stages"), 3);
  EXPECT_EQ(Chosen.getNumber("score"), 1.35);
  EXPECT_TRUE(isNull(Chosen, "rejected"));
  const json::Object &Other = *(*Loop.getArray("candidates"))[1].getAsObject();
  EXPECT_EQ(Other.getString("rejected"), StringRef("cp-async scores higher"));
}

TEST(JSONReport, Withheld) {
  Report R = sampleReport();
  R.Withheld = "it is Sunday";
  R.Files[0].Output.clear();
  R.Files[0].Loops[0].Withheld = true;
  json::Value V = parse(render(R));
  EXPECT_EQ(V.getAsObject()->getString("withheld"), StringRef("it is Sunday"));
  const json::Object &File = *(*V.getAsObject()->getArray("files"))[0].getAsObject();
  EXPECT_TRUE(isNull(File, "output"));
  const json::Object &Loop = *(*File.getArray("loops"))[0].getAsObject();
  EXPECT_EQ(Loop.getString("status"), StringRef("rewritten"));
  EXPECT_EQ(Loop.getBoolean("withheld"), true);
}

TEST(JSONReport, Reasons) {
  json::Value V = parse(render(sampleReport()));
  const json::Object &File = *(*V.getAsObject()->getArray("files"))[1].getAsObject();
  EXPECT_TRUE(isNull(File, "output"));
  const json::Object &Loop = *(*File.getArray("loops"))[0].getAsObject();
  EXPECT_EQ(Loop.getString("status"), StringRef("refused"));
  const json::Array &Reasons = *Loop.getArray("reasons");
  ASSERT_EQ(Reasons.size(), 2u);
  const json::Object &Stale = *Reasons[0].getAsObject();
  EXPECT_EQ(Stale.getString("id"), StringRef("stale-tile"));
  EXPECT_EQ(Stale.getInteger("rule"), 3);
  EXPECT_EQ(Stale.getInteger("line"), 12);
  EXPECT_TRUE(Stale.getString("message")->contains("elements 1024 to 1151"));
  EXPECT_EQ(Stale.getArray("notes")->size(), 2u);
  EXPECT_TRUE(isNull(*Reasons[1].getAsObject(), "line"));
  // What is not known is null, not zero.
  for (StringRef Key : {"variant", "stages", "smem", "occupancy", "ratio", "block_size",
                        "block_threads", "function", "why"})
    EXPECT_TRUE(isNull(Loop, Key)) << Key.str();
}

TEST(JSONReport, StatusesAndApplicability) {
  const std::pair<LoopStatus, StringRef> All[] = {
      {LoopStatus::Rewritten, "rewritten"},
      {LoopStatus::Opportunity, "opportunity"},
      {LoopStatus::Refused, "refused"},
      {LoopStatus::Unprofitable, "unprofitable"},
      {LoopStatus::AlreadyPipelined, "already-pipelined"},
      {LoopStatus::NotSelected, "not-selected"},
      {LoopStatus::Suppressed, "suppressed"},
  };
  for (auto [Status, Name] : All)
    EXPECT_EQ(toString(Status), Name);
  LoopReport L = rewrittenLoop();
  L.MachineApplicable = false;
  EXPECT_NE(render(reportOf(L)).find(R"("applicability": "maybe-incorrect")"), std::string::npos);
}

TEST(JSONReport, EqualReportsGiveEqualBytes) {
  EXPECT_EQ(render(sampleReport()), render(sampleReport()));
  EXPECT_TRUE(StringRef(render(Report())).ends_with("}\n"));
  parse(render(Report()));
}

TEST(JSONReport, OddValues) {
  LoopReport L = rewrittenLoop();
  L.Kernel = "a\"b\\\n\x01";
  L.Why = "Latin-1: \xe9";
  L.Smem.Limit = UINT64_MAX;
  L.Ratio.FlopsPerByte = std::nan("");
  L.Candidates[0].Score = INFINITY;
  json::Value V = parse(render(reportOf(L, "caf\xe9.cu")));
  const json::Object &File = *(*V.getAsObject()->getArray("files"))[0].getAsObject();
  EXPECT_EQ(File.getString("path"), StringRef("caf\xef\xbf\xbd.cu"));
  const json::Object &Loop = *(*File.getArray("loops"))[0].getAsObject();
  EXPECT_EQ(Loop.getString("kernel"), StringRef("a\"b\\\n\x01"));
  EXPECT_TRUE(isNull(*Loop.getObject("ratio"), "flops_per_byte"));
  EXPECT_EQ(Loop.getObject("smem")->get("limit")->getAsUINT64(), UINT64_MAX);
}

} // namespace
