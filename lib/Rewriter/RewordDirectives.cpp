//===- RewordDirectives.cpp - Branches of the preprocessor in a loop ------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// A loop with `#if` in it is another loop in each build. The build that is looked at gets a loop
/// without, and all others keep the one that there was:
///
///   for (..) {               #ifndef FAST
///   #ifdef FAST              for (..) {
///     f();                     g();
///   #else              ->    }
///     g();                   #else
///   #endif                   for (..) { .. }    as it was
///   }                        #endif
///
/// What each arm has is what a build has for which the condition holds, whether it is the one that
/// is looked at or not: no name changes its meaning in the loop.
///
/// So it is with a function whose text is to take the place of a call in the loop, and that has
/// such branches in it: where the loop stands under their conditions, the text is that of this
/// build.
///
//===----------------------------------------------------------------------===//

#include "../Model/AstUtil.h"
#include "../Model/RawTokens.h"
#include "Rewordings.h"
#include "clang/Basic/CharInfo.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

using Directive = SourceText::Directive;

class DirectiveRewording {
public:
  DirectiveRewording(const ASTContext &Context, const SourceText &Source,
                     ArrayRef<std::pair<unsigned, unsigned>> LeftOut)
      : Context(Context), File(mainFileText(Context)), Source(Source), LeftOut(LeftOut) {}

  /// Of a function's body.
  std::optional<DecidedBranches> ofBody(TextRange Body) {
    collect(Body.Begin, Body.End);
    if (Inside.empty() || !Others.empty() || !readGroups())
      return std::nullopt;
    return DecidedBranches{Conditions, Gone};
  }

  /// What holds at \p Offset by the directives around, as readGroup() has it. None where from \p
  /// Since on something may change what one of \p Asked asks.
  std::optional<std::set<std::string>> holdAt(unsigned Offset, unsigned Since,
                                              ArrayRef<std::string> Asked) const {
    struct Group {
      std::vector<std::string> Hold; ///< in the branch that is open
    };
    std::vector<Group> Open;
    for (const Directive &D : Source.Directives) {
      if (D.Begin >= Offset)
        break;
      const StringRef Name = D.Name;
      if (D.Begin > Since && mayChange(D, Asked))
        return std::nullopt;
      if (Name.starts_with("if"))
        Open.push_back({isPlain(D) ? operandsOf(D) : std::vector<std::string>()});
      else if (Name.starts_with("el") && !Open.empty())
        Open.back().Hold.clear();
      else if (Name == "endif" && !Open.empty())
        Open.pop_back();
    }
    std::set<std::string> Out;
    for (const Group &G : Open)
      Out.insert(G.Hold.begin(), G.Hold.end());
    return Out;
  }

  Rewording run(const TileModel &M) {
    Rewording Out;
    if (!findLoop(M))
      return Out;
    const bool OfLoop = !Inside.empty();
    if (OfLoop ? !readGroups() : !readCallees(M))
      return Out;
    if (Conditions.empty())
      return Out;
    const std::string NewLine = File.take_front(Begin).ends_with("\r\n") ? "\r\n" : "\n";
    // Behind the line in front, so that the loop's own keeps its place in the report.
    Out.Edits.push_back({Begin - unsigned(NewLine.size()), 0, NewLine + "#" + condition()});
    for (auto [From, To] : Gone)
      Out.Edits.push_back({From, To - From, ""});
    Out.Edits.push_back(
        {End, 0, NewLine + "#else" + NewLine + File.slice(Begin, End).str() + NewLine + "#endif"});
    Out.KeepsOldText = true;
    Out.Said.push_back(("builds for which the preprocessor decides otherwise in " +
                        Twine(OfLoop ? "the loop" : "a function that fills the tile") +
                        " keep it as it is")
                           .str());
    return Out;
  }

private:
  const ASTContext &Context;
  const StringRef File;
  const SourceText &Source;
  const ArrayRef<std::pair<unsigned, unsigned>> LeftOut;
  unsigned Begin = 0, End = 0;         ///< of the loop's lines, without the last line end
  std::vector<Directive> Inside;       ///< the conditional ones
  std::vector<Directive> Others;       ///< what defines names, but for pragmas
  std::vector<std::string> Conditions; ///< all of which hold in this build
  std::vector<std::pair<unsigned, unsigned>> Gone;

  unsigned lineBegin(unsigned Offset) const {
    const size_t At = File.take_front(Offset).find_last_of("\r\n");
    return At == StringRef::npos ? 0 : unsigned(At) + 1;
  }
  unsigned lineEnd(unsigned Offset) const {
    return unsigned(std::min(File.find_first_of("\r\n", Offset), File.size()));
  }
  unsigned nextLine(unsigned Offset) const {
    const unsigned At = lineEnd(Offset);
    return unsigned(
        std::min(At + (File.substr(At).starts_with("\r\n") ? 2 : 1), unsigned(File.size())));
  }

  /// Nothing, or one comment that ends with the line.
  static bool isOneComment(StringRef Rest) {
    Rest = Rest.trim();
    return Rest.empty() || (Rest.starts_with("//") && !Rest.ends_with("\\")) ||
           (Rest.starts_with("/*") && Rest.ends_with("*/") && Rest.count("/*") == 1);
  }

  /// The loop has its lines for itself, and the pragmas in front of it theirs.
  bool findLoop(const TileModel &M) {
    const std::optional<TextRange> Loop = statementRange(M.Loop->Loop, Context);
    if (!Loop || !File.slice(lineBegin(Loop->Begin), Loop->Begin).trim().empty() ||
        !isOneComment(File.slice(Loop->End, lineEnd(Loop->End))))
      return false;
    Begin = lineBegin(Loop->Begin);
    if (Begin == 0)
      return false;
    End = lineEnd(Loop->End);
    for (const Directive &D : reverse(Source.Directives)) {
      if (D.Begin >= Begin)
        continue;
      if (D.Name != "pragma" || !File.slice(lineEnd(D.End), Begin).trim().empty() ||
          !File.slice(lineBegin(D.Begin), D.Begin).trim().empty())
        break;
      Begin = lineBegin(D.Begin);
    }
    const StringRef Text = File.slice(Begin, End);
    if (Text.contains("push_macro") || Text.contains("pop_macro")) // names change their meaning
      return false;
    collect(Begin, End);
    return true;
  }

  void collect(unsigned From, unsigned To) {
    for (const Directive &D : Source.Directives)
      if (D.Begin >= From && D.Begin < To && D.Name != "pragma")
        (isConditional(D) ? Inside : Others).push_back(D);
  }
  static bool isConditional(const Directive &D) {
    const StringRef Name = D.Name;
    return Name.starts_with("if") || Name.starts_with("el") || Name == "endif";
  }

  /// What functions that are called in the load phase ask, and what is not known at the loop.
  bool readCallees(const TileModel &M) {
    if (none_of(M.Refusals, [](const Refusal &R) { return R.Why == Reason::CopyInCallee; }))
      return false;
    DenseSet<const FunctionDecl *> Seen;
    std::vector<const Stmt *> Open(M.Segments[0].begin(), M.Segments[0].end());
    while (!Open.empty()) {
      const Stmt *S = Open.back();
      Open.pop_back();
      if (!S)
        continue;
      for (const Stmt *Child : S->children())
        Open.push_back(Child);
      const auto *Call = dyn_cast<CallExpr>(S);
      const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr, *Body = nullptr;
      if (!Callee || !Callee->hasBody(Body) || !Body->getBody() || !Seen.insert(Body).second)
        continue;
      Open.push_back(Body->getBody());
      const std::optional<DecidedBranches> Of =
          branchesOf(Body->getBody(), Context, Source, LeftOut);
      if (!Of)
        continue;
      const std::optional<std::set<std::string>> Known =
          branchesAt(M.Loop->Begin, Body->getBody(), Of->Conditions, Context, Source);
      if (!Known)
        return false;
      for (const std::string &Condition : Of->Conditions)
        if (!Known->count(Condition) && !is_contained(Conditions, Condition))
          Conditions.push_back(Condition);
    }
    return true;
  }

  /// What \p D defines, or takes in, may have a part in what is asked.
  bool mayChange(const Directive &D, ArrayRef<std::string> Asked) const {
    const StringRef Name = D.Name;
    if (isConditional(D))
      return false;
    if (Name == "pragma")
      return File.slice(D.Begin, D.End).contains("_macro");
    if (Name != "define" && Name != "undef")
      return Name != "error" && Name != "warning";
    const StringRef Defined = nameIn(wordsOf(D).drop_front(Name.size()));
    return Defined.empty() || any_of(Asked, [&](StringRef Question) {
             Question.consume_front("!");
             return !Question.consume_front("defined(") || !Question.consume_back(")") ||
                    nameIn(Question) != Question || Question == Defined;
           });
  }

  /// Of `#if A && B` each, in the words of questionOf(). Empty: it may say something else.
  std::vector<std::string> operandsOf(const Directive &D) const {
    const std::string All = questionOf(D);
    if (!StringRef(All).starts_with("("))
      return {All};
    std::vector<std::string> Out;
    int Depth = 0;
    StringRef Rest = StringRef(All).drop_front().drop_back();
    for (size_t I = 0; I <= Rest.size(); ++I) {
      const bool Last = I == Rest.size();
      Depth += Last ? 0 : Rest[I] == '(' ? 1 : Rest[I] == ')' ? -1 : 0;
      if (!Last && (Depth != 0 || !Rest.substr(I).starts_with(" && ")))
        continue;
      if (!isOperand(Rest.take_front(I)))
        return {All};
      Out.push_back(Rest.take_front(I).str());
      Rest = Rest.drop_front(Last ? I : I + strlen(" && "));
      if (Last)
        break;
      I = size_t(-1);
    }
    return Out;
  }
  /// `defined(A)`, `(A == 2)`, or not so.
  static bool isOperand(StringRef Part) {
    Part.consume_front("!");
    if (Part.consume_front("defined(") && Part.consume_back(")"))
      return !Part.empty() && nameIn(Part) == Part;
    if (!Part.starts_with("("))
      return false;
    int Depth = 0;
    for (size_t I = 0; I < Part.size(); ++I) {
      Depth += Part[I] == '(' ? 1 : Part[I] == ')' ? -1 : 0;
      if (Depth == 0)
        return I + 1 == Part.size() && !Part.contains('\'') && !Part.contains('"');
    }
    return false;
  }

  /// Behind the `#`; empty: that is spelt otherwise.
  StringRef wordsOf(const Directive &D) const {
    StringRef Words = File.slice(D.Begin, D.End);
    return Words.consume_front("#") ? Words.ltrim() : "";
  }

  /// It has its line for itself, but for a comment that ends there.
  bool isPlain(const Directive &D) const {
    return isOneComment(File.slice(D.End, lineEnd(D.End))) && wordsOf(D).starts_with(D.Name) &&
           File.slice(lineBegin(D.Begin), D.Begin).trim().empty() &&
           !File.slice(D.Begin, D.End).contains('\n') && !File.slice(D.Begin, D.End).contains("/*");
  }

  /// What the loop defines in front of it has no part in what it asks.
  bool meansTheSameInFront(const Directive &D) const {
    if (D.Name == "else" || D.Name == "endif")
      return true;
    for (const Directive &Other : Others) {
      if (Other.Begin > D.Begin)
        continue;
      const StringRef Defined = nameIn(wordsOf(Other).drop_front(Other.Name.size()));
      if ((Other.Name != "define" && Other.Name != "undef") || Defined.empty() ||
          !asksForOthers(D, Defined))
        return false;
    }
    return true;
  }

  /// Whether names are defined, and \p Name is none of them. A macro in `#if MODE == 2` may name
  /// anything.
  bool asksForOthers(const Directive &D, StringRef Name) const {
    const StringRef Asked = wordsOf(D).drop_front(D.Name.size());
    if (StringRef(D.Name).ends_with("def"))
      return nameIn(Asked) != Name;
    bool Others = true, Defined = false;
    forEachRawToken(Asked.str(), [&](const Token &T, unsigned At) {
      if (T.isNot(tok::raw_identifier))
        return;
      const StringRef Word = Asked.substr(At, T.getLength());
      Others &= Word == "defined" || (Defined && Word != Name);
      Defined = Word == "defined";
    });
    return Others;
  }
  static StringRef nameIn(StringRef Words) {
    return Words.ltrim().take_while([](char C) { return isAsciiIdentifierContinue(C); });
  }

  bool isLeftOut(unsigned Offset) const {
    return any_of(
        LeftOut, [&](const auto &Range) { return Range.first <= Offset && Offset < Range.second; });
  }

  /// What the directive asks, as an operand; empty: that depends on where it stands.
  std::string questionOf(const Directive &D) const {
    const std::string Asked = wordsOf(D).drop_front(D.Name.size()).trim().str();
    if (StringRef(D.Name).ends_with("ndef"))
      return "!defined(" + Asked + ")";
    if (StringRef(D.Name).ends_with("def"))
      return "defined(" + Asked + ")";
    if (StringRef(Asked).contains("__LINE__") || StringRef(Asked).contains("__COUNTER__"))
      return "";
    // `#if defined(A)` asks as `#ifdef A` does.
    for (StringRef Not : {"", "!"})
      if (StringRef Rest = Asked; Rest.consume_front((Not + "defined(").str()) &&
                                  Rest.consume_back(")") && nameIn(Rest) == Rest)
        return Asked;
    return "(" + Asked + ")";
  }

  /// Fills in Conditions and Gone. False: something is not understood.
  bool readGroups() {
    size_t I = 0;
    while (I < Inside.size())
      if (!readGroup(I))
        return false;
    return true;
  }

  /// From the `#if` at \p I to behind its `#endif`.
  bool readGroup(size_t &I) {
    if (!StringRef(Inside[I].Name).starts_with("if"))
      return false;
    std::vector<const Directive *> Parts = {&Inside[I]};
    std::vector<std::pair<size_t, size_t>> Nested; // in each part
    for (size_t From = ++I, Depth = 0;; ++I) {
      if (I == Inside.size())
        return false;
      const StringRef Name = Inside[I].Name;
      const bool Mine = Depth == 0 && (Name.starts_with("el") || Name == "endif");
      if (Mine) {
        Nested.push_back({From, I});
        From = I + 1;
        Parts.push_back(&Inside[I]);
      }
      if (Name.starts_with("if"))
        ++Depth;
      else if (Name == "endif" && Depth-- == 0)
        break;
    }
    ++I;
    if (any_of(Parts, [&](const Directive *D) { return !isPlain(*D) || !meansTheSameInFront(*D); }))
      return false;
    // What is left out of the file ends behind the directive that ends it.
    std::optional<size_t> Taken;
    for (size_t P = 0; P + 1 < Parts.size(); ++P)
      if (!isLeftOut(Parts[P + 1]->Begin - 1)) {
        if (Taken)
          return false;
        Taken = P;
      }
    for (size_t P = 0; P + 1 < Parts.size() && P <= Taken.value_or(P); ++P) {
      if (Parts[P]->Name == "else")
        break;
      const std::string Asked = questionOf(*Parts[P]);
      if (Asked.empty())
        return false;
      const bool Holds = Taken == P;
      std::string Condition = Holds                               ? Asked
                              : StringRef(Asked).starts_with("!") ? Asked.substr(1)
                                                                  : "!" + Asked;
      if (!is_contained(Conditions, Condition))
        Conditions.push_back(std::move(Condition));
    }
    const bool HasElse = Parts[Parts.size() - 2]->Name == "else";
    if (HasElse && !Taken)
      return false;
    const unsigned First = lineBegin(Parts.front()->Begin), Last = nextLine(Parts.back()->End);
    if (!Taken) {
      Gone.push_back({First, Last});
      return true;
    }
    Gone.push_back({First, nextLine(Parts[*Taken]->End)});
    for (size_t N = Nested[*Taken].first; N < Nested[*Taken].second;)
      if (!readGroup(N))
        return false;
    Gone.push_back({lineBegin(Parts[*Taken + 1]->Begin), Last});
    return true;
  }

  /// `if A && B`, or the shorter words for one name.
  std::string condition() const {
    const StringRef Only = Conditions.front();
    if (Conditions.size() == 1)
      for (auto [In, Word] : {std::pair("defined(", "ifdef "), std::pair("!defined(", "ifndef ")})
        if (Only.starts_with(In))
          return Word + Only.drop_front(StringRef(In).size()).drop_back().str();
    if (Conditions.size() == 1 && Only.starts_with("("))
      return "if " + Only.drop_front().drop_back().str();
    return "if " + join(Conditions, " && ");
  }
};

} // namespace

Rewording rewordDirectives(const TileModel &M, const ASTContext &Context, const SourceText &Source,
                           ArrayRef<std::pair<unsigned, unsigned>> LeftOut) {
  if (!M.Loop->Body || M.Loop->IsPattern)
    return Rewording();
  return DirectiveRewording(Context, Source, LeftOut).run(M);
}

std::optional<DecidedBranches> branchesOf(const Stmt *Body, const ASTContext &Context,
                                          const SourceText &Source,
                                          ArrayRef<std::pair<unsigned, unsigned>> LeftOut) {
  const std::optional<TextRange> R = textRange(Body->getSourceRange(), Context);
  return R ? DirectiveRewording(Context, Source, LeftOut).ofBody(*R) : std::nullopt;
}

std::optional<std::set<std::string>> branchesAt(SourceLocation At, const Stmt *Body,
                                                ArrayRef<std::string> Asked,
                                                const ASTContext &Context,
                                                const SourceText &Source) {
  const SourceManager &SM = Context.getSourceManager();
  const SourceLocation Place = SM.getExpansionLoc(At);
  const std::optional<TextRange> R = textRange(Body->getSourceRange(), Context);
  if (!R || !isInMainFile(SM, Place) || SM.getFileOffset(Place) < R->End)
    return std::nullopt;
  return DirectiveRewording(Context, Source, {}).holdAt(SM.getFileOffset(Place), R->Begin, Asked);
}

} // namespace cuda_pipeline
