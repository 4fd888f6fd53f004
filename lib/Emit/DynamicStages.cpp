//===- DynamicStages.cpp - Stages in dynamic shared memory ----------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// The stages of a tile in dynamic shared memory lie behind each other, the first one where the
/// tile was. Whether the launch has given enough for them is known when the kernel runs:
///
///   const unsigned s_bytes = 4096;                               // one stage
///   unsigned given_bytes;
///   asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(given_bytes));
///   if (given_bytes >= 2 * s_bytes) {
///     using s_type = decltype(s);
///     char *const s_stages = reinterpret_cast<char *>(s);
///     ...                                                        // auto &s =
///     reinterpret_cast<s_type &>(s_stages[...]);
///   } else {
///     ...                                                        // the loop as it was
///   }
///
/// Static tiles with more stages than static shared memory can hold do the same: the first stage is
/// where the tiles are, and the others are in dynamic shared memory.
///
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {

void Emitter::nameDynamicStages(const TileBuffer &B) {
  const std::string Name = B.Decl->getNameAsString();
  StageArray[B.Decl] = fresh(Name + "_stages");
  TileType = fresh(Name + "_type");
  StageBytes = fresh(Name + "_bytes");
  GivenBytes = fresh("given_bytes");
}

void Emitter::nameStagesBeside() {
  // Every kernel with stages of this alignment declares the same array.
  uint64_t Alignment = 16;
  for (const auto &B : M.Buffers)
    Alignment = std::max(Alignment, B->Alignment);
  MoreStages = fresh(Alignment == 16 ? std::string("more_stages")
                                     : "more_stages_" + std::to_string(Alignment));
  StageBytes = fresh("stage_bytes");
  GivenBytes = fresh("given_bytes");
}

/// Of a stage of the tile that is called \p Name, so that what follows is aligned.
std::string Emitter::sizeText(const TileBuffer &B, const std::string &Name) const {
  const uint64_t Alignment = std::max<uint64_t>(B.Alignment, 16);
  if (!M.Loop->IsTemplate && B.Bytes % Alignment == 0)
    return "sizeof(" + Name + ")";
  const std::string A = std::to_string(Alignment);
  return "(sizeof(" + Name + ") + " + std::to_string(Alignment - 1) + ") / " + A + " * " + A;
}

/// What the pipelined loop needs in front, lines that begin at the indentation; empty for other
/// tiles.
std::string Emitter::dynamicStages() const {
  if (P.isBeside()) {
    uint64_t Alignment = 16;
    for (const auto &B : M.Buffers)
      Alignment = std::max(Alignment, B->Alignment);
    std::string Text = "extern __shared__ __align__(" + std::to_string(Alignment) + ") char " +
                       MoreStages + "[];\n" + Indent;
    for (const auto &B : M.Buffers)
      Text +=
          "auto &" + StageArray.at(B->Decl) + " = " + B->Decl->getNameAsString() + ";\n" + Indent;
    return Text;
  }
  if (!P.Dynamic)
    return "";
  const VarDecl *Tile = M.Buffers.front()->Decl;
  const std::string Name = Tile->getNameAsString();
  return "using " + TileType + " = decltype(" + Name + ");\n" + Indent + "char *const " +
         StageArray.at(Tile) + " = reinterpret_cast<char *>(" + Name + ");\n" + Indent;
}

/// The loop's text means the same at two places of the function.
bool Emitter::canStandTwice() {
  struct Visitor : ConstDynamicRecursiveASTVisitor {
    SourceLocation Where;
    const char *What = "";
    bool found(SourceLocation Loc, const char *Kind) {
      Where = Loc;
      What = Kind;
      return false;
    }
    bool VisitLabelStmt(const LabelStmt *S) override { return found(S->getBeginLoc(), "a label"); }
    bool VisitVarDecl(const VarDecl *Var) override {
      if (Var->hasAttr<CUDASharedAttr>() && !Var->hasExternalStorage())
        return found(Var->getLocation(), "a shared array");
      if (Var->isStaticLocal() && !Var->isConstexpr() && !Var->hasAttr<CUDASharedAttr>())
        return found(Var->getLocation(), "a static variable");
      return true;
    }
  } V;
  V.TraverseStmt(static_cast<const Stmt *>(M.Loop->Loop));
  if (V.Where.isValid()) {
    refuse(Reason::NotYet, V.Where,
           {std::string(V.What) +
            " in a loop that has to stay beside its pipelined version, for launches with " +
            (asksForMemory() ? "less dynamic shared memory," : "other blocks,")});
    return false;
  }
  // Its lines are indented.
  const std::string Text = File.slice(LoopText.Begin, LoopText.End).str();
  Lexer Lex(SourceLocation(), Context.getLangOpts(), Text.data(), Text.data(),
            Text.data() + Text.size());
  Token T;
  for (Lex.LexFromRawLexer(T); T.isNot(tok::eof); Lex.LexFromRawLexer(T))
    if (tok::isLiteral(T.getKind()) &&
        StringRef(T.getLiteralData(), T.getLength()).contains('\n')) {
      refuse(
          Reason::NotYet, M.Loop->Begin,
          {"a string of several lines in a loop that has to stay beside its pipelined version,"});
      return false;
    }
  return true;
}

/// Lines of a stretch of text that begins at the loop's place, one level further in. Directives at
/// the beginning of their lines stay there.
static std::string indented(StringRef Text, StringRef Indent, StringRef Unit) {
  std::string Out = (Indent + Unit).str();
  Text = Text.trim();
  for (size_t I = 0; I < Text.size(); ++I) {
    Out += Text[I];
    if (Text[I] == '\n' && I + 1 < Text.size() && !is_contained({'\n', '\r', '#'}, Text[I + 1]))
      Out += Unit;
  }
  return Out;
}

/// Takes all edits of the loop together: the pipelined loop where there is memory enough and the
/// block is as it has to be, else the loop.
void Emitter::keepLoopBeside() {
  if (failed() || !canStandTwice())
    return;
  const TextRange Whole = {LoopText.Begin, withTrailingComment({LoopText.End, LoopText.End}).End};
  const std::string In = Places.NeedsBraces ? Indent + Unit : Indent;
  const std::string Stages = std::to_string(P.Stages);
  std::string Bytes, Needed, LeftOut, Block = oursIn(P.AskBlock.text()), Text;
  if (!asksForMemory()) {
    Text = P.AskBlock.isLeast()
               ? "// This is for blocks that are not small; in others the loop runs as it was.\n"
               : "// This is for blocks of one size; in others the loop runs as it was.\n";
  } else if (P.Dynamic) {
    Bytes = P.Dynamic->Bytes;
    Needed = Stages;
    Block = P.Dynamic->Block.empty() ? Block : oursIn(P.Dynamic->Block);
    const std::string Name = M.Buffers.front()->Decl->getNameAsString();
    LeftOut = P.Dynamic->InFront ? std::to_string(P.Dynamic->InFront) + " + " : "";
    Text = "// " + Stages + " stages of '" + Name +
           (LeftOut.empty()
                ? "' need " + Stages + " times its bytes;"
                : "', all but its first " + std::to_string(P.Dynamic->InFront) + " bytes:") +
           " launches that give less run the loop as it was.\n";
  } else {
    Needed = std::to_string(P.Stages - 1);
    for (const auto &B : M.Buffers)
      Bytes += (Bytes.empty() ? "" : " + ") + sizeText(*B, B->Decl->getNameAsString());
    Text = "// " + Stages +
           " stages are more than static shared memory can hold: all but the first are in dynamic "
           "shared memory. " +
           "Launches\n" + In + "// that give too little of it run the loop as it was.\n";
  }
  std::string Memory;
  if (asksForMemory()) {
    const std::string Type = StringRef(Bytes).contains("size_t") ? "size_t " : "unsigned ";
    Text += In + "const " + Type + StageBytes + " = " + Bytes + ";\n";
    Text += In + "unsigned " + GivenBytes + ";\n";
    Text += In + "asm(\"mov.u32 %0, %%dynamic_smem_size;\" : \"=r\"(" + GivenBytes + "));\n";
    Memory = GivenBytes + " >= " + LeftOut + (Needed == "1" ? "" : Needed + " * ") + StageBytes;
    if (!Block.empty())
      Block += " &&\n" + In + "    ";
  }
  Out.Words.Test = "if (" + Block + Memory + ") {";
  Text += In + Out.Words.Test + "\n";
  const std::string More = Places.NeedsBraces ? Unit + Unit : Unit;
  Text += indented(Edited.apply(File, Whole), Indent, More) + "\n";
  Text += In + "} else {\n";
  Out.Words.Kept = indented(File.slice(Whole.Begin, Whole.End), Indent, More);
  Text += Out.Words.Kept + "\n";
  Text += In + "}";
  if (Places.NeedsBraces)
    Text = "{\n" + In + Text + "\n" + Indent + "}";
  // A pragma at the beginning of its line says nothing about the indentation.
  StringRef InFront = File.slice(lineStart(File, Whole.Begin), Whole.Begin);
  if (!InFront.trim().empty())
    Text = "\n" + Indent + Text;
  else if (InFront.size() < Indent.size())
    Text = Indent + Text;
  if (!File.slice(Whole.End, File.find('\n', Whole.End)).trim().empty())
    Text += "\n" + Indent;
  Patches Rest;
  for (const auto &[R, Replacement] : Edited.all())
    if (!Whole.contains(R))
      Rest.replace(R, Replacement);
  Rest.replace(Whole, Text);
  Edited = std::move(Rest);
}

} // namespace cuda_pipeline
