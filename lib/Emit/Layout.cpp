//===- Layout.cpp - The new loop as lines of text -------------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// The one place that makes lines of a PipelinedLoop. It decides nothing but where lines begin and
/// whether braces are needed.
///
//===----------------------------------------------------------------------===//

#include "cuda-pipeline/PipelinedLoop.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace cuda_pipeline {

std::string StagedTile::element(StringRef Which) const {
  const std::string Of = all_of(Which, [](char C) { return isAlnum(C) || C == '_'; })
                             ? Which.str()
                             : ("(" + Which + ")").str();
  switch (In) {
  case TilePlace::Array:
    return (Stages + "[" + Which + "]").str();
  case TilePlace::Dynamic:
    return "reinterpret_cast<" + Type + " &>(" + Stages + "[" +
           (Which == "0" ? "0" : Of + " * " + Bytes) + "])";
  case TilePlace::Beside:
    if (Which == "0")
      return Stages;
    return Of + " == 0 ? " + Stages + " : reinterpret_cast<decltype(" + Stages + ")>(" + More +
           "[(" + Of + " - 1) * " + Bytes + BehindTiles + "])";
  }
  llvm_unreachable("a place of stages");
}

std::string PipelinedLoop::count(int Less) const {
  if (StageCount.empty())
    return std::to_string(int(Stages) - Less);
  return Less == 0 ? StageCount : StageCount + " - " + std::to_string(Less);
}

std::string PipelinedLoop::slot(const Slot &S) const {
  if (S.Number)
    return std::to_string(*S.Number);
  if (S.Ahead == 0)
    return Stage;
  if (S.Ahead + 1 != Stages)
    return "(" + Stage + " + " + std::to_string(S.Ahead) + ") % " + count();
  // Without a division: the stage in front of the current one is the last to be filled.
  return Stages == 2 ? Stage + " ^ 1" : Stage + " == 0 ? " + count(1) + " : " + Stage + " - 1";
}

namespace {

StringRef conditionOf(LoopPart::Threads By) {
  switch (By) {
  case LoopPart::Threads::All:
    return "";
  case LoopPart::Threads::First:
    return "if (threadIdx.x == 0) ";
  case LoopPart::Threads::AllButFirst:
    return "if (threadIdx.x != 0) ";
  }
  llvm_unreachable("threads");
}

std::string nextLines(const LoopPart &P, const std::string &At) {
  if (P.Values.empty())
    return At + P.Declares + P.Text + "\n";
  std::string Text;
  for (const NextValue &V : P.Values)
    Text += At + V.Declares + V.Name + " = " + V.Value + ";\n";
  return Text;
}

} // namespace

std::string PipelinedLoop::print(ArrayRef<LoopPart> Parts, const std::string &At) const {
  std::string Text;
  auto Line = [&](const LoopPart &P, const Twine &Statement) {
    Text += (At + conditionOf(P.By) + Statement + "\n").str();
  };
  for (const LoopPart &P : Parts)
    switch (P.What) {
    case LoopPart::Kind::Text:
    case LoopPart::Kind::Carry:
      Text += P.Text;
      break;
    case LoopPart::Kind::Comment:
      Line(P, "// " + P.Text);
      break;
    case LoopPart::Kind::Function:
      Text += At + "auto " + P.Name + " = [&](" + P.Text + ") {\n" + print(P.Body, At + Unit) + At +
              "};\n";
      break;
    case LoopPart::Kind::Bind:
      Line(P, "auto &" + Tiles[P.Tile].Name + " = " + Tiles[P.Tile].element(slot(*P.Of)) + ";");
      break;
    case LoopPart::Kind::Call: {
      std::string Arguments = P.Of ? slot(*P.Of) : "";
      for (const LoopArgument &A : P.Arguments)
        Arguments += (Arguments.empty() ? "" : ", ") + A.Text;
      Line(P, P.Name + "(" + Arguments + ");" + (P.Text.empty() ? "" : " // " + P.Text));
      break;
    }
    case LoopPart::Kind::If: {
      const bool Braces = P.Body.size() != 1;
      Line(P, "if (" + P.Text + (Braces ? ") {" : ")"));
      Text += print(P.Body, At + Unit);
      if (Braces)
        Text += At + "}\n";
      break;
    }
    case LoopPart::Kind::ForStages:
      Line(P,
           "for (int " + Stage + " = 0; " + Stage + " < " + count(P.Less) + "; ++" + Stage + ") {");
      Text += print(P.Body, At + Unit) + At + "}\n";
      break;
    case LoopPart::Kind::Ask:
      Line(P, P.Declares + P.Name + " = " + P.Text + ";");
      break;
    case LoopPart::Kind::Next:
      Text += nextLines(P, At);
      break;
    case LoopPart::Kind::StepLoad:
    case LoopPart::Kind::Barrier:
      Line(P, P.Text);
      break;
    case LoopPart::Kind::Commit:
      Line(P, Commit + "();");
      break;
    case LoopPart::Kind::Wait:
      Line(P, Wait + "(" + count(P.Less) + ");");
      break;
    case LoopPart::Kind::Advance:
      if (Stages == 2 && P.Less == 1)
        Line(P, Stage + " ^= 1;");
      else
        Line(P, Stage + " = " + Stage + " == " + count(P.Less) + " ? 0 : " + Stage + " + 1;");
      break;
    }
  return Text;
}

std::string PipelinedLoop::head() const {
  std::string Text =
      print(Front, Indent) + print(Prologue, Indent) + Header + print(Top, Indent + Unit);
  if (StringRef(Text).ends_with("\n"))
    Text.pop_back();
  return Text.substr(std::min(Text.size(), Indent.size()));
}

} // namespace cuda_pipeline
