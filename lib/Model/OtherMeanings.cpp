//===- OtherMeanings.cpp - Names that mean something else in another build -===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OtherMeanings.h"
#include "RawTokens.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Basic/CharInfo.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include <set>

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
/// What a directive asks for, or takes back, somebody else may have defined.
void OtherMeanings::read(FileID File, const SourceManager &SM, const LangOptions &Options,
                         StringMap<Sayings> &Into) {
  const std::optional<StringRef> Text = SM.getBufferDataOrNone(File);
  if (!Text)
    return;
  Lexer Lex(SM.getLocForStartOfFile(File), Options, Text->begin(), Text->begin(), Text->end());
  // The last two tokens (a hash is one, however it is written), and the name in a typedef so far.
  StringRef Before[2], Typedef;
  bool IsTypedef = false;
  int Depth = 0;
  Sayings *Defined = nullptr; // in whose #define we are
  Token T;
  for (Lex.LexFromRawLexer(T); T.isNot(tok::eof); Lex.LexFromRawLexer(T)) {
    const StringRef Word = T.is(tok::hash) ? "#"
                           : T.is(tok::hashhash)
                               ? "##"
                               : Text->substr(SM.getFileOffset(T.getLocation()), T.getLength());
    if (T.isAtStartOfLine())
      Defined = nullptr;
    if (Defined) {
      std::string &Said = Defined->Directives.back().Text;
      // `#define F(x)` is another thing than `#define F (x)`.
      if (T.hasLeadingSpace() || !Said.empty())
        Said += ' ';
      Said += Word;
    }
    if (T.is(tok::raw_identifier)) {
      if (Before[0] == "#" && is_contained({"define", "undef"}, Before[1])) {
        Sayings &Of = Into[Word];
        Of.Directives.push_back({T.getLocation(), Before[1] == "define"});
        Defined = Of.Directives.back().IsDefine ? &Of : nullptr;
      } else if ((Before[0] == "#" && is_contained({"ifdef", "ifndef"}, Before[1])) ||
                 Before[1] == "defined" || (Before[1] == "(" && Before[0] == "defined")) {
        ++Into[Word].Others;
      }
      // `#pragma push_macro("X")`: nobody asks what there is behind the other one.
      if (Before[0] == "#" && Before[1] == "pragma")
        if (const StringRef Rest =
                Text->substr(SM.getFileOffset(T.getLocation())).split('\n').first;
            Rest.contains("_macro"))
          Into[Rest.split('"').second.split('"').first].Others += 2;
      if (Word == "typedef")
        IsTypedef = true, Depth = 0, Typedef = "";
      else if (IsTypedef && Depth == 0)
        Typedef = Word;
    } else if (T.is(tok::equal) && !Before[1].empty() && Before[0] == "using") {
      ++Into[Before[1]].Others;
    } else if (IsTypedef) {
      Depth += T.isOneOf(tok::l_brace, tok::l_square, tok::less)      ? 1
               : T.isOneOf(tok::r_brace, tok::r_square, tok::greater) ? -1
                                                                      : 0;
      if (T.is(tok::semi) && Depth <= 0) {
        if (!Typedef.empty())
          ++Into[Typedef].Others;
        IsTypedef = false;
      }
    }
    Before[0] = Before[1];
    Before[1] = Word;
  }
}

const OtherMeanings::Sayings *OtherMeanings::sayingsOf(StringRef Name) const {
  if (!Names) {
    Names.emplace();
    const SourceManager &SM = Context.getSourceManager();
    DenseSet<const FileEntry *> Seen;
    for (unsigned I = 0, N = SM.local_sloc_entry_size(); I != N; ++I) {
      const SrcMgr::SLocEntry &Entry = SM.getLocalSLocEntry(I);
      if (!Entry.isFile() || SrcMgr::isSystem(Entry.getFile().getFileCharacteristic()))
        continue;
      const OptionalFileEntryRef File = Entry.getFile().getContentCache().OrigEntry;
      if (File && Seen.insert(&File->getFileEntry()).second)
        read(SM.getFileID(SourceLocation::getFromRawEncoding(Entry.getOffset())), SM,
             Context.getLangOpts(), *Names);
    }
  }
  const auto It = Names->find(Name);
  return It == Names->end() ? nullptr : &It->second;
}

bool OtherMeanings::has(StringRef Name) const {
  const Sayings *Of = sayingsOf(Name);
  return Of && Of->count() > 1;
}

bool OtherMeanings::visitNames(
    SourceLocation Begin, SourceLocation End,
    function_ref<bool(StringRef, const Sayings &, SourceLocation)> Do) const {
  const SourceManager &SM = Context.getSourceManager();
  const auto [File, First] = SM.getDecomposedLoc(Begin);
  const auto [EndFile, Last] = SM.getDecomposedLoc(End);
  const std::optional<StringRef> All = SM.getBufferDataOrNone(File);
  if (!All || File != EndFile || Last < First || Last > All->size())
    return false;
  // A name that is defined or taken back between the two is asked for anew at each place.
  const auto Changes = [&, File = File, First = First, Last = Last](const Sayings &Of) {
    return any_of(Of.Directives, [&](const Sayings::Directive &D) {
      const auto [In, At] = SM.getDecomposedLoc(D.At);
      return In == File && First <= At && At < Last;
    });
  };
  struct Piece {
    std::string Text;
    std::optional<unsigned> Place; ///< of the macro that it is what stands behind
  };
  std::vector<Piece> Waiting = {{All->slice(First, Last).str(), std::nullopt}};
  std::set<std::pair<std::string, unsigned>> Asked;
  for (bool Ends = false; !Waiting.empty() && !Ends;) {
    const Piece Now = std::move(Waiting.back());
    Waiting.pop_back();
    forEachRawToken(Now.Text, [&, First = First](const Token &T, unsigned Offset) {
      const Sayings *Of =
          Ends || T.isNot(tok::raw_identifier) ? nullptr : sayingsOf(T.getRawIdentifier());
      if (!Of)
        return;
      const unsigned Place = Now.Place ? *Now.Place : First + Offset;
      if (!Asked.insert({T.getRawIdentifier().str(), Changes(*Of) ? Place : First}).second)
        return;
      Ends = Do(T.getRawIdentifier(), *Of, Begin.getLocWithOffset(Place - First));
      for (const Sayings::Directive &D : Of->Directives)
        Waiting.push_back({D.Text, Place});
    });
  }
  return true;
}

bool OtherMeanings::hasIn(SourceLocation Begin, SourceLocation End) const {
  bool Found = false;
  const bool AreAsked =
      visitNames(Begin, End, [&](StringRef, const Sayings &Of, SourceLocation At) {
        // What is pasted together may be any name.
        return Found = variesAt(Of, At) ||
                       any_of(Of.Directives, [](const auto &D) { return D.pastes(); });
      });
  return Found || !AreAsked;
}

std::vector<OtherMeanings::Definition> OtherMeanings::definitionsIn(SourceLocation Begin,
                                                                    SourceLocation End) const {
  const auto WordsOf = [](StringRef Text) {
    std::set<std::string> Words;
    forEachRawToken(Text.str(), [&](const Token &T, unsigned) {
      if (T.is(tok::raw_identifier))
        Words.insert(T.getRawIdentifier().str());
    });
    return Words;
  };
  std::vector<Definition> Out;
  visitNames(Begin, End, [&](StringRef Name, const Sayings &Of, SourceLocation At) {
    const bool Varies = Of.count() > 1 || variesAt(Of, At);
    for (const Sayings::Directive &D : Of.Directives)
      if (D.pastes())
        Out.push_back({Name.str(), {}, {}, /*Pastes=*/true});
    if (Varies)
      for (const Sayings::Directive &D : Of.Directives) {
        const StringRef Text = D.Text;
        const auto [Parameters, Body] =
            Text.starts_with("(") ? Text.split(')') : std::pair(StringRef(), Text);
        Out.push_back({Name.str(), WordsOf(Parameters), WordsOf(Body)});
      }
    return false;
  });
  return Out;
}

bool OtherMeanings::has(QualType T) const {
  const SourceManager &SM = Context.getSourceManager();
  while (const auto *Alias = T.isNull() ? nullptr : T->getAs<TypedefType>()) {
    const TypedefNameDecl *D = Alias->getDecl();
    if (SM.isInSystemHeader(SM.getExpansionLoc(D->getLocation())))
      return false;
    if (has(D->getName()) ||
        (D->getTypeSourceInfo() && hasMacro(D->getTypeSourceInfo()->getTypeLoc().getBeginLoc())))
      return true;
    T = Alias->desugar();
  }
  return false;
}

bool OtherMeanings::hasMacro(SourceLocation At) const {
  const SourceManager &SM = Context.getSourceManager();
  for (; At.isMacroID(); At = SM.getImmediateMacroCallerLoc(At))
    if (has(Lexer::getImmediateMacroName(At, SM, Context.getLangOpts())))
      return true;
  return false;
}

bool OtherMeanings::hasNumber(const Expr *E, unsigned Depth) const {
  constexpr unsigned MaxDepth = 16;
  if (!E || Depth > MaxDepth)
    return E != nullptr;
  if (hasMacro(E->getBeginLoc()) || hasMacro(E->getEndLoc()))
    return true;
  if (const auto *Var = referencedVar(E); Var && Var->hasInit())
    if (isInBranch(Var->getLocation(), E->getBeginLoc(), Context) ||
        hasNumber(Var->getInit(), Depth + 1))
      return true;
  return any_of(E->children(), [&](const Stmt *Child) {
    return hasNumber(dyn_cast_or_null<Expr>(Child), Depth + 1);
  });
}

namespace {
struct Branch {
  unsigned Begin; ///< of the directive that it is behind
  unsigned Asked; ///< where the first one of that `#if` asks
  std::string
      Condition; ///< `defined(X)` or `!defined(X)`, which holds in it; empty: something else
};
} // namespace

/// What the directive asks, if that is no more than which macros there are: conditions all of which
/// hold behind it. Else one that is empty.
static SmallVector<std::string, 2> conditionsOf(StringRef Line) {
  const StringRef Word = Line.take_while(isAlpha);
  const StringRef Asked = Line.drop_front(Word.size()).split("//").first.split("/*").first.trim();
  if (Word != "if")
    return {((Word == "ifndef" ? "!defined(" : "defined(") + Asked + ")").str()};
  SmallVector<StringRef, 2> Parts;
  Asked.split(Parts, "&&");
  SmallVector<std::string, 2> Out;
  for (StringRef Part : Parts) {
    Part = Part.trim();
    const bool Not = Part.consume_front("!");
    Part = Part.ltrim();
    if (!Part.consume_front("defined"))
      return {""};
    Part = Part.trim();
    if (Part.consume_front("(") && !Part.consume_back(")"))
      return {""};
    Part = Part.trim();
    if (!isValidAsciiIdentifier(Part))
      return {""};
    Out.push_back(((Not ? "!defined(" : "defined(") + Part + ")").str());
  }
  return Out;
}

/// Every compiler of CUDA answers alike: it is a question to those of C and C++.
static bool asksForCuda(ArrayRef<std::string> Conditions) {
  return all_of(Conditions, [](StringRef C) {
    return C == "defined(__CUDACC__)" || C == "defined(__cplusplus)";
  });
}

/// The branches that are open at \p At.
static SmallVector<Branch, 4> branchesAt(SourceLocation At, const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  const auto [File, Offset] = SM.getDecomposedExpansionLoc(At);
  SmallVector<Branch, 4> Out;
  const std::optional<StringRef> Text = SM.getBufferDataOrNone(File);
  if (!Text)
    return Out;
  struct If {
    unsigned Begin, Asked;
    SmallVector<std::string, 2> Conditions;
    bool Counts; ///< it is neither the guard of a header nor a question to C++ compilers
  };
  SmallVector<If, 4> Open;
  Lexer Lex(SM.getLocForStartOfFile(File), Context.getLangOpts(), Text->begin(), Text->begin(),
            Text->end());
  Token T;
  bool Hash = false, First = true; // no token but of directives so far
  StringRef Guard;                 // the name that the last #ifndef at the top asks for
  unsigned Since = 0;              // tokens behind that
  for (Lex.LexFromRawLexer(T); T.isNot(tok::eof) && SM.getFileOffset(T.getLocation()) < Offset;
       Lex.LexFromRawLexer(T)) {
    const unsigned Begin = SM.getFileOffset(T.getLocation());
    const StringRef Word = Text->substr(Begin, T.getLength());
    ++Since;
    if (Hash && Word.starts_with("if")) {
      const StringRef Line =
          Text->substr(Begin).take_until([](char C) { return C == '\n' || C == '\r'; });
      const SmallVector<std::string, 2> Conditions = conditionsOf(Line);
      Open.push_back({Begin, Begin, Conditions, !asksForCuda(Conditions)});
      Guard = First && Word == "ifndef" ? Line.drop_front(Word.size()).trim() : StringRef();
      Since = 0;
    } else if (Hash && Word.starts_with("el") && !Open.empty()) {
      If &Last = Open.back();
      Last.Begin = Begin;
      std::string &Only = Last.Conditions.front();
      if (Word == "else" && Last.Conditions.size() == 1 && !Only.empty())
        Only = Only.front() == '!' ? Only.substr(1) : "!" + Only;
      else
        Last.Conditions = {""};
    } else if (Hash && Word == "endif" && !Open.empty()) {
      Open.pop_back();
    } else if (Since == 4 && !Guard.empty() && Word == Guard && !Open.empty()) {
      Open.back().Counts = false; // `#ifndef X`, `#define X`
    }
    Hash = T.is(tok::hash) && T.isAtStartOfLine();
    First &= Hash || (Since < 3 && !Guard.empty());
  }
  for (const If &I : Open)
    if (I.Counts)
      for (const std::string &Condition : I.Conditions)
        Out.push_back({I.Begin, I.Asked, Condition});
  return Out;
}

/// A directive between the two may change which macros there are.
static bool mayChangeMacros(FileID File, unsigned Begin, unsigned End, const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  const std::optional<StringRef> Text = SM.getBufferDataOrNone(File);
  if (!Text)
    return true;
  Lexer Lex(SM.getLocForStartOfFile(File).getLocWithOffset(Begin), Context.getLangOpts(),
            Text->begin() + Begin, Text->begin() + Begin, Text->end());
  Token T;
  bool Hash = false;
  for (Lex.LexFromRawLexer(T); T.isNot(tok::eof) && SM.getFileOffset(T.getLocation()) < End;
       Lex.LexFromRawLexer(T)) {
    if (Hash && T.is(tok::raw_identifier) &&
        is_contained({"define", "undef", "include", "include_next", "import", "pragma"},
                     T.getRawIdentifier()))
      return true;
    Hash = T.is(tok::hash) && T.isAtStartOfLine();
  }
  return false;
}

namespace {

/// What a function is made of.
class Parts : public ConstDynamicRecursiveASTVisitor {
public:
  explicit Parts(const SourceManager &SM) : SM(SM) {}
  std::vector<const Decl *> Found; ///< each once, in an order that its contents may add to
  void add(const Decl *D) {
    if (const auto *Function = dyn_cast<FunctionDecl>(D)) {
      const FunctionDecl *Body = nullptr;
      D = Function->hasBody(Body) ? Body : Function;
    }
    if (D->getLocation().isValid() && !SM.isInSystemHeader(SM.getExpansionLoc(D->getLocation())) &&
        Seen.insert(D).second)
      Found.push_back(D);
  }
  bool VisitDeclRefExpr(const DeclRefExpr *Ref) override { return add(Ref->getDecl()), true; }
  bool VisitMemberExpr(const MemberExpr *Member) override {
    return add(Member->getMemberDecl()), true;
  }
  bool VisitCXXConstructExpr(const CXXConstructExpr *E) override {
    return add(E->getConstructor()), true;
  }
  bool VisitSubstNonTypeTemplateParmExpr(const SubstNonTypeTemplateParmExpr *E) override {
    return TraverseStmt(E->getReplacement());
  }
  bool VisitTypedefTypeLoc(TypedefTypeLoc T) override { return add(T.getDecl()), true; }
  bool VisitTagTypeLoc(TagTypeLoc T) override { return add(T.getDecl()), true; }

private:
  const SourceManager &SM;
  std::set<const Decl *> Seen;
};

/// The text has a line of the preprocessor that is no pragma.
bool hasDirective(StringRef Text) {
  bool Found = false, Hash = false;
  forEachRawToken(Text.str(), [&](const Token &T, unsigned) {
    Found |= Hash && !(T.is(tok::raw_identifier) && T.getRawIdentifier() == "pragma");
    Hash = T.is(tok::hash) && T.isAtStartOfLine();
  });
  return Found;
}

} // namespace

bool OtherMeanings::hasFunction(const FunctionDecl *Function) const {
  const SourceManager &SM = Context.getSourceManager();
  const SourceLocation Here = SM.getExpansionLoc(Function->getBeginLoc());
  Parts Of(SM);
  Of.add(Function);
  for (size_t I = 0; I < Of.Found.size(); ++I) {
    const Decl *D = Of.Found[I];
    const CharSourceRange Text = SM.getExpansionRange(D->getSourceRange());
    const SourceLocation Begin = Text.getBegin(), End = Lexer::getLocForEndOfToken(
                                                      Text.getEnd(), 0, SM, Context.getLangOpts());
    if (D->getLocation() != Function->getLocation() && isInBranch(Begin, Here, Context))
      return true;
    if (Begin.isInvalid() || End.isInvalid() || SM.getFileID(Begin) != SM.getFileID(End) ||
        hasIn(Begin, End) ||
        hasDirective(Lexer::getSourceText(CharSourceRange::getCharRange(Begin, End), SM,
                                          Context.getLangOpts())))
      return true;
    // An enumerator is what the ones in front of it are, too.
    if (const auto *Number = dyn_cast<EnumConstantDecl>(D))
      Of.add(cast<EnumDecl>(Number->getDeclContext()));
    Of.TraverseDecl(D);
  }
  return false;
}

bool OtherMeanings::isInBranch(SourceLocation At, SourceLocation From, const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  if (At.isInvalid() || SM.isInSystemHeader(SM.getExpansionLoc(At)))
    return false;
  const FileID File = SM.getFileID(SM.getExpansionLoc(At));
  SmallVector<Branch, 4> Here;
  if (File == SM.getFileID(SM.getExpansionLoc(From)))
    Here = branchesAt(From, Context);
  const auto AskTheSame = [&](const Branch &B, const Branch &H) {
    return !B.Condition.empty() && B.Condition == H.Condition &&
           !mayChangeMacros(File, std::min(B.Asked, H.Asked), std::max(B.Asked, H.Asked), Context);
  };
  return any_of(branchesAt(At, Context), [&](const Branch &B) {
    return none_of(Here, [&](const Branch &H) { return H.Begin == B.Begin || AskTheSame(B, H); });
  });
}

bool OtherMeanings::variesAt(const Sayings &Of, SourceLocation At) const {
  if (Of.Others)
    return Of.count() > 1;
  const SourceManager &SM = Context.getSourceManager();
  const FileID File = SM.getFileID(At);
  // Which it is behind all that comes first: defined in no build, in some, or in all.
  enum { No, Some, All } Defined = No;
  const auto Say = [&](const Sayings::Directive &D) {
    bool MayBeLeftOut = isInBranch(D.At, At, Context);
    for (SourceLocation From = SM.getIncludeLoc(SM.getFileID(D.At)); From.isValid();
         From = SM.getIncludeLoc(SM.getFileID(From)))
      MayBeLeftOut |= isInBranch(From, At, Context);
    if (D.IsDefine)
      Defined = !MayBeLeftOut ? All : std::max(Defined, Some);
    else if (Defined != No)
      Defined = !MayBeLeftOut ? No : Some;
  };
  const auto FirstDefine = find_if(Of.Directives, [](const auto &D) { return D.IsDefine; });
  const std::string Text = FirstDefine == Of.Directives.end() ? "" : FirstDefine->Text;
  // Nobody knows in which order headers are read, but that one that defines it comes first.
  for (const Sayings::Directive &D : Of.Directives) {
    if (D.IsDefine && D.Text != Text)
      return true;
    if (SM.getFileID(D.At) == File)
      continue;
    if (!D.IsDefine)
      return true;
    Say(D);
  }
  for (const Sayings::Directive &D : Of.Directives)
    if (SM.getFileID(D.At) == File && SM.getFileOffset(D.At) < SM.getFileOffset(At))
      Say(D);
  return Defined == Some;
}

std::string OtherMeanings::macroAround(const Expr *E) const {
  const SourceManager &SM = Context.getSourceManager();
  for (SourceLocation At = E->getBeginLoc(); At.isMacroID();
       At = SM.getImmediateMacroCallerLoc(At)) {
    if (SM.isMacroArgExpansion(At)) {
      // Where the parameter stands in the macro's body, and where that is expanded.
      const SourceLocation Use =
          SM.getSLocEntry(SM.getFileID(At)).getExpansion().getExpansionLocStart();
      const SourceLocation Name = SM.getSpellingLoc(SM.getImmediateExpansionRange(Use).getBegin());
      const std::string Macro =
          Lexer::getSourceText(CharSourceRange::getTokenRange(Name), SM, Context.getLangOpts())
              .str();
      if (has(Macro))
        return Macro;
    }
  }
  return "";
}

} // namespace cuda_pipeline
