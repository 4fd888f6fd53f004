//===- Emitter.cpp - What the variants' emitters share --------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/QualTypeNames.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Regex.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {

//===-- Patches ---------------------------------------------------------------===//

std::string Patches::apply(StringRef File, TextRange Whole) const {
  std::vector<std::pair<TextRange, std::string>> Sorted;
  for (const auto &P : List)
    if (Whole.contains(P.first))
      Sorted.push_back(P);
  // By position; of two that start together the longer one first. Insertions (empty) go first.
  llvm::stable_sort(Sorted, [](const auto &A, const auto &B) {
    if (A.first.Begin != B.first.Begin)
      return A.first.Begin < B.first.Begin;
    bool EmptyA = A.first.Begin == A.first.End, EmptyB = B.first.Begin == B.first.End;
    if (EmptyA != EmptyB)
      return EmptyA;
    return A.first.End > B.first.End;
  });
  std::string Out;
  // \p Step: from one character's offset in the file to the next one's; text of a patch has that of
  // the patch.
  auto Add = [&](StringRef Text, unsigned Offset, unsigned Step) {
    for (size_t I = 0; I < Text.size(); ++I, Offset += Step) {
      Out += Text[I];
      const bool Blank = I + 1 < Text.size() && (Text[I + 1] == '\n' || Text[I + 1] == '\r');
      if (Text[I] == '\n' && !Blank)
        for (const auto &[R, By] : Indented)
          Out += Offset >= R.Begin && Offset < R.End ? By : "";
    }
  };
  unsigned At = Whole.Begin;
  for (const auto &[R, Text] : Sorted) {
    if (R.Begin < At)
      continue; // inside of one that was replaced
    Add(File.slice(At, R.Begin), At, 1);
    Add(Text, R.Begin, 0);
    At = R.End;
  }
  Add(File.slice(At, Whole.End), At, 1);
  return Out;
}

//===-- Text and names ----------------------------------------------------------===//

namespace {

unsigned lineEnd(StringRef File, unsigned Offset) {
  size_t P = File.find('\n', Offset);
  return P == StringRef::npos ? File.size() : P;
}

/// The namespaces whose names can be said without them somewhere in the function, by `using
/// namespace`.
struct OpenNamespaces : ConstDynamicRecursiveASTVisitor {
  SetVector<const NamespaceDecl *> All;
  explicit OpenNamespaces(const FunctionDecl *Function) {
    TraverseStmt(Function->getBody());
    for (const DeclContext *Where = Function->getDeclContext(); Where; Where = Where->getParent())
      of(Where);
    for (size_t I = 0; I < All.size(); ++I)
      of(All[I]);
  }
  void of(const DeclContext *Where) {
    for (const UsingDirectiveDecl *D : Where->using_directives())
      VisitUsingDirectiveDecl(D);
  }
  bool VisitUsingDirectiveDecl(const UsingDirectiveDecl *D) override {
    All.insert(D->getNominatedNamespace());
    return true;
  }
};

} // namespace

std::string Emitter::indentAt(unsigned Offset) const {
  return File.drop_front(lineStart(File, Offset))
      .take_while([](char C) { return C == ' ' || C == '\t'; })
      .str();
}

SourceText readSourceText(const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  SourceText Out;
  DenseSet<const SrcMgr::ContentCache *> Seen; // without an include guard a file is entered often
  for (unsigned I = 0, E = SM.local_sloc_entry_size(); I < E; ++I) {
    const SrcMgr::SLocEntry &Entry = SM.getLocalSLocEntry(I);
    if (!Entry.isFile() || !Seen.insert(&Entry.getFile().getContentCache()).second)
      continue;
    // What is no file: the definitions of the command line, and tokens that were pasted together.
    if (Entry.getFile().getContentCache().OrigEntry &&
        SrcMgr::isSystem(Entry.getFile().getFileCharacteristic()))
      continue;
    FileID Id = SM.getFileID(SourceLocation::getFromRawEncoding(Entry.getOffset()));
    std::optional<StringRef> Text = SM.getBufferDataOrNone(Id);
    if (!Text)
      continue;
    // Macro bodies included, comments and strings not.
    Lexer Lex(SM.getLocForStartOfFile(Id), Context.getLangOpts(), Text->begin(), Text->begin(),
              Text->end());
    Lex.SetCommentRetentionState(Id == SM.getMainFileID());
    Token T;
    bool FirstOfLine = false; // nothing but comments in front of it
    SourceText::Directive *Current = nullptr;
    for (Lex.LexFromRawLexer(T); T.isNot(tok::eof); Lex.LexFromRawLexer(T)) {
      FirstOfLine |= T.isAtStartOfLine();
      if (T.isAtStartOfLine())
        Current = nullptr;
      const unsigned Begin = SM.getFileOffset(T.getLocation());
      if (T.is(tok::comment)) {
        Out.Comments.push_back({Begin, Begin + T.getLength()});
        continue;
      }
      if (T.is(tok::raw_identifier))
        Out.Names.insert(T.getRawIdentifier().str());
      if (FirstOfLine && T.is(tok::hash) && Id == SM.getMainFileID()) {
        Out.Directives.push_back({Begin, 0, ""});
        Current = &Out.Directives.back();
      } else if (Current && Current->Name.empty() && T.is(tok::raw_identifier)) {
        Current->Name = T.getRawIdentifier().str();
      }
      if (Current)
        Current->End = Begin + T.getLength();
      FirstOfLine = false;
    }
  }
  return Out;
}

Emitter::Emitter(const TileModel &M, const FetchStore &Cut, const Plan &P, ASTContext &Context,
                 const SourceText &Source, const GivenNames &Given)
    : M(M), Cut(Cut), P(P), Context(Context), Source(Source), Given(Given),
      File(mainFileText(Context)), Pattern(M.Facts->Function->once<TemplatePattern>(
                                       [&] { return TemplatePattern(M.Loop->Function); })) {
  joinComments();
}

/// `// C:\data\` and an empty line: who puts text behind the first line has it in the comment.
void Emitter::joinComments() {
  auto GoesOn = [&](const std::pair<unsigned, unsigned> &C) {
    const StringRef Text = File.slice(C.first, C.second);
    return !Text.starts_with("/*") && Text.contains('\n');
  };
  if (none_of(Source.Comments, GoesOn))
    return;
  for (char Mark = 1; Mark < 9 && !ReturnMark; ++Mark)
    if (!File.contains(Mark))
      (LineBreakMark ? ReturnMark : LineBreakMark) = Mark;
  if (!ReturnMark)
    return refuse(Reason::NotYet, M.Loop->Begin,
                  {"a file with control characters and a comment that goes on in the next line"});
  OneLineComments = File.str();
  for (const auto &C : make_filter_range(Source.Comments, GoesOn))
    for (unsigned I = C.first; I < C.second; ++I) {
      char &At = (*OneLineComments)[I];
      At = At == '\n' ? LineBreakMark : At == '\r' ? ReturnMark : At;
    }
  File = *OneLineComments;
}

/// \p Text as it stands in a file.
std::string Emitter::withLineBreaks(StringRef Text) const {
  std::string Out;
  for (char C : Text)
    if (C == '\n' || (LineBreakMark && C == LineBreakMark))
      Out += Newline;
    else if (C != '\r' && !(ReturnMark && C == ReturnMark))
      Out += C;
  return Out;
}

void Emitter::refuse(Reason Why, SourceLocation Where, std::vector<std::string> Args) {
  Out.Refusals.push_back({Why, Where, std::move(Args), {}});
}

bool isTaken(StringRef Name, const SourceText &Source, const ASTContext &Context) {
  return Source.Names.count(Name.str()) || Context.Idents.get(Name).hadMacroDefinition();
}

std::string Emitter::fresh(StringRef Base) {
  std::string Name = Base.str();
  auto Before = Given.Last.find(Name);
  unsigned I = Before == Given.Last.end() ? 1 : Before->second;
  while (isTaken(Name, Source, Context) || Given.Names.count(Name) || Out.Names.Names.count(Name))
    Name = (Base + Twine(++I)).str();
  Out.Names.Names.insert(Name);
  Out.Names.Last[Base.str()] = I;
  return Name;
}

void GivenNames::add(const GivenNames &More) {
  Names.insert(More.Names.begin(), More.Names.end());
  for (const auto &[Name, Number] : More.Last)
    Last[Name] = Number;
  Staged.insert(More.Staged.begin(), More.Staged.end());
  Aligned.insert(More.Aligned.begin(), More.Aligned.end());
}

/// Between these places there is nothing else.
bool Emitter::onlyComments(unsigned At, unsigned End) const {
  for (auto C = partition_point(Source.Comments, [&](const auto &C) { return C.first < At; });
       C != Source.Comments.end() && C->second <= End; ++C) {
    if (!File.slice(At, C->first).trim().empty())
      return false;
    At = C->second;
  }
  return File.slice(At, std::max(At, End)).trim().empty();
}

/// Finds all places in the file; refuses what cannot be edited in place.
bool Emitter::locate() {
  SourceLocation Where = M.Loop->Begin;
  auto Range = textRange(M.Loop->Loop->getSourceRange(), Context);
  const SourceManager &SM = Context.getSourceManager();
  if (!Range || M.Loop->Loop->getBeginLoc().isMacroID() ||
      M.Loop->Body->getLBracLoc().isMacroID() || M.Loop->Body->getRBracLoc().isMacroID()) {
    refuse(Reason::MacroText, Where, {"the loop"});
    return false;
  }
  if (M.Loop->testsLast()) // with the semicolon behind `while (condition)`
    Range = statementRange(M.Loop->Loop, Context);
  if (!Range) {
    refuse(Reason::MacroText, Where, {"the loop"});
    return false;
  }
  LoopText = *Range;
  ForBegin = LoopText.Begin;
  BodyOpen = SM.getFileOffset(M.Loop->Body->getLBracLoc()) + 1;
  if (File[BodyOpen - 1] != '{' || File[SM.getFileOffset(M.Loop->Body->getRBracLoc())] != '}') {
    refuse(Reason::NotYet, Where, {"a loop body in digraphs, <% and %>,"});
    return false;
  }
  Newline = File.take_front(lineEnd(File, BodyOpen)).ends_with("\r") ? "\r\n" : "\n";

  // The pragmas in front belong to the loop, with the comments between the two. Unknown ones are
  // not in the AST.
  const auto Behind = partition_point(
      Source.Directives, [&](const SourceText::Directive &D) { return D.Begin < LoopText.Begin; });
  for (const SourceText::Directive &D :
       reverse(ArrayRef(Source.Directives).take_front(Behind - Source.Directives.begin()))) {
    StringRef InFront = File.slice(lineStart(File, LoopText.Begin), LoopText.Begin);
    if (D.Name != "pragma" || !InFront.trim().empty() ||
        !File.slice(lineStart(File, D.Begin), D.Begin).trim().empty() ||
        !onlyComments(D.End, LoopText.Begin))
      break;
    LoopText.Begin = D.Begin;
  }
  if (M.Loop->Pragma && LoopText.Begin == ForBegin) {
    refuse(Reason::MacroText, Where, {"the pragma of the loop"});
    return false;
  }
  // Other directives inside could select text that was not analysed.
  for (auto D = partition_point(
           Source.Directives,
           [&](const SourceText::Directive &D) { return D.Begin <= LoopText.Begin; });
       D != Source.Directives.end() && D->Begin < LoopText.End; ++D)
    if (D->Name != "pragma") {
      refuse(Reason::PreprocessorInLoop, Where, {});
      return false;
    }
  Indent = indentAt(ForBegin);
  // Several statements take the place of one.
  ArrayRef<const Stmt *> Around(M.Loop->Ancestors);
  while (!Around.empty() && isa<AttributedStmt>(Around.back()))
    Around = Around.drop_back();
  if (Around.empty() || !isa<CompoundStmt>(Around.back()))
    NeedsBraces = true;
  else if (Around.size() > 1 && isa<SwitchStmt>(Around[Around.size() - 2]))
    NeedsBraces = true; // a later case label must not jump over the declarations
  else if (M.Facts->Function->HasGoto)
    NeedsBraces = true; // nor a goto
  if (!Around.empty() && isa<LabelStmt>(Around.back())) {
    refuse(Reason::EarlyExit, Where, {"label"});
    return false;
  }
  auto B0 = statementRange(M.Barriers[0], Context), B1 = statementRange(M.Barriers[1], Context);
  if (!B0 || !B1) {
    refuse(Reason::MacroText, (B0 ? M.Barriers[1] : M.Barriers[0])->getBeginLoc(), {"the barrier"});
    return false;
  }
  Barrier0 = *B0;
  Barrier1 = *B1;
  unsigned FirstBegin = 0, LastEnd = 0;
  std::vector<const Stmt *> InFront(M.Segments[0]);
  append_range(InFront, M.MovedToCompute);
  for (const Stmt *S : InFront) {
    auto R = statementRange(S, Context);
    if (!R) {
      refuse(Reason::MacroText, S->getBeginLoc(), {"this statement"});
      return false;
    }
    if (!FirstBegin || R->Begin < FirstBegin)
      FirstBegin = R->Begin;
    LastEnd = std::max(LastEnd, R->End);
  }
  for (unsigned I = 1; I < 3; ++I)
    for (const Stmt *S : M.Segments[I])
      if (is_contained(map_range(M.Advances, [](const Advance &A) { return A.Statement; }), S) &&
          !statementRange(S, Context)) {
        refuse(Reason::MacroText, S->getBeginLoc(), {"this statement"});
        return false;
      }
  // How far the body is indented: as its barriers are, or its first statement.
  Unit = "  ";
  for (unsigned At : {FirstBegin, Barrier1.Begin, Barrier0.Begin})
    if (std::string Inner = indentAt(At); Inner.size() > Indent.size() &&
                                          StringRef(Inner).starts_with(Indent) &&
                                          lineStart(File, At) + Inner.size() == At)
      Unit = Inner.substr(Indent.size());
  // Whole lines where possible: comments above the first statement, and behind the last one.
  unsigned TextBegin = BodyOpen;
  if (File.slice(BodyOpen, lineEnd(File, BodyOpen)).trim().empty())
    TextBegin = std::min<unsigned>(lineEnd(File, BodyOpen) + 1, FirstBegin);
  unsigned TextEnd = withTrailingComment({LastEnd, LastEnd}).End;
  LoadText = {TextBegin, TextEnd};
  BarrierComment = File.slice(TextEnd, Barrier0.Begin).trim().str();
  return true;
}

std::string Emitter::expressionText(const Expr *E) {
  const std::optional<TextRange> R = textRange(E->getSourceRange(), Context);
  const std::string T = R ? File.slice(R->Begin, R->End).str() : "";
  if (T.empty())
    refuse(Reason::MacroText, E->getExprLoc(), {"this expression"});
  return T;
}

/// As the operand of any operator: a macro's text says nothing about how its expansion binds.
std::string Emitter::operandText(const Expr *E) {
  std::string T = expressionText(E);
  const Expr *Inner = E->IgnoreImpCasts();
  if (const auto *Subst = dyn_cast<SubstNonTypeTemplateParmExpr>(Inner))
    return Subst->getBeginLoc().isMacroID() ? "(" + T + ")" : T;
  if (const auto *Constant = dyn_cast<ConstantExpr>(Inner))
    Inner = Constant->getSubExpr()->IgnoreImpCasts();
  bool Bare = isa<DeclRefExpr>(Inner) || isa<IntegerLiteral>(Inner) || asBuiltinIndex(Inner) ||
              isa<MemberExpr>(Inner) || isa<ParenExpr>(Inner);
  // A macro that is one literal is as good as the literal, and one with parentheses around it binds
  // as they do.
  bool Macro = E->getBeginLoc().isMacroID() || E->getEndLoc().isMacroID();
  return Bare && (!Macro || isa<IntegerLiteral>(Inner) || isa<ParenExpr>(Inner)) ? T
                                                                                 : "(" + T + ")";
}

std::string Emitter::statementText(const Stmt *S) {
  auto R = statementRange(S, Context);
  if (!R) {
    refuse(Reason::MacroText, S->getBeginLoc(), {"this statement"});
    return "";
  }
  return File.slice(R->Begin, R->End).str();
}

/// A unary operator& takes objects of the class \p T, or seems to.
static bool overloadsAddressOf(QualType T) {
  const CXXRecordDecl *Record = T->getAsCXXRecordDecl();
  if (!Record || !Record->hasDefinition())
    return false;
  auto Declares = [](const DeclContext *Where, unsigned Operands) {
    const DeclarationName Name =
        Where->getParentASTContext().DeclarationNames.getCXXOperatorName(OO_Amp);
    return any_of(Where->lookup(Name), [&](const NamedDecl *D) {
      const FunctionDecl *F = D->getAsFunction();
      return !F || F->getNumParams() == Operands;
    });
  };
  for (const DeclContext *Where = Record->getDeclContext(); Where; Where = Where->getParent())
    if (Where->isLookupContext() && Declares(Where, 1))
      return true;
  return Declares(Record, 0) ||
         !Record->forallBases([&](const CXXRecordDecl *Base) { return !Declares(Base, 0); });
}

/// `&As[ty][tx]`, or `p` for `*p`.
std::string Emitter::addressText(const Expr *LValue) {
  const Expr *E = LValue->IgnoreParenImpCasts();
  if (const auto *Call = dyn_cast<CallExpr>(stripNoOps(LValue)); Call && !Call->isGLValue())
    return expressionText(Call->getArg(0)); // __ldg(p)
  if (const auto *Op = dyn_cast<UnaryOperator>(E);
      Op && Op->getOpcode() == UO_Deref && !Op->getOperatorLoc().isMacroID())
    return expressionText(Op->getSubExpr());
  // `p[0]`
  if (const Expr *Pointer = firstElementOf(stripNoOps(LValue)))
    return expressionText(Pointer);
  return addressOf(plainText(LValue), LValue->getType());
}

/// \p E is `p[0]` of a pointer that the file says outside of macros: that pointer, or null.
const Expr *Emitter::firstElementOf(const Expr *E) const {
  const auto *Element = dyn_cast<ArraySubscriptExpr>(E);
  if (!Element || Element->getRBracketLoc().isMacroID() ||
      !textRange(Element->getSourceRange(), Context))
    return nullptr;
  const Expr *Base = Element->getBase()->IgnoreImpCasts();
  const auto *Index = dyn_cast<IntegerLiteral>(Element->getIdx()->IgnoreImpCasts());
  const bool Zero = Index && Index->getValue() == 0 && !Index->getBeginLoc().isMacroID();
  return Zero && Base->getType()->isPointerType() && textRange(Base->getSourceRange(), Context)
             ? Base
             : nullptr;
}

/// The address is the same with and without the cast, and all that is implied in it: none goes to a
/// base class.
static bool keepsAddress(const ExplicitCastExpr *Cast) {
  auto Keeps = [](const CastExpr *C) {
    return is_contained({CK_BitCast, CK_NoOp, CK_LValueToRValue, CK_ArrayToPointerDecay},
                        C->getCastKind());
  };
  if (!Keeps(Cast))
    return false;
  const Expr *Written = Cast->getSubExprAsWritten();
  for (const Expr *E = Cast->getSubExpr(); E != Written;) {
    const auto *Implied = dyn_cast<ImplicitCastExpr>(E);
    if (!Implied || !Keeps(Implied))
      return false;
    E = Implied->getSubExpr();
  }
  return true;
}

/// The same for a parameter `void *`, or `const void *`, which takes any pointer: without the casts
/// of pointers to pointers.
std::string Emitter::voidAddressText(const Expr *LValue) {
  const Expr *E = LValue->IgnoreParenImpCasts(), *Pointer = nullptr;
  if (const auto *Op = dyn_cast<UnaryOperator>(E);
      Op && Op->getOpcode() == UO_Deref && !Op->getOperatorLoc().isMacroID())
    Pointer = Op->getSubExpr();
  else if (!(isa<CallExpr>(stripNoOps(LValue)) && !stripNoOps(LValue)->isGLValue()))
    Pointer = firstElementOf(stripNoOps(LValue));
  const auto *Cast = Pointer ? dyn_cast<ExplicitCastExpr>(Pointer->IgnoreParenImpCasts()) : nullptr;
  if (!Cast || isa<CXXFunctionalCastExpr>(Cast) || !keepsAddress(Cast) ||
      !Context.hasSameType(Cast->getType(), Pointer->getType()) ||
      Cast->getBeginLoc().isMacroID() || Cast->getEndLoc().isMacroID())
    return addressText(LValue);
  const Expr *Of = Cast->getSubExprAsWritten();
  const QualType T = Of->getType();
  // What a template's argument makes of it is not looked at, and the cast may be there for a
  // qualifier.
  if (!T->isPointerType() || !T->getPointeeType()->isObjectType() ||
      T->getPointeeType().isVolatileQualified() ||
      (T->getPointeeType().isConstQualified() &&
       !Cast->getType()->getPointeeType().isConstQualified()) ||
      Pattern.isDependent(Of->getSourceRange()) || !textRange(Of->getSourceRange(), Context))
    return addressText(LValue);
  return voidAddressOf(Of);
}

/// `&A[i]` without parentheses around it.
std::string Emitter::voidAddressOf(const Expr *Pointer) {
  while (const auto *Paren = dyn_cast<ParenExpr>(Pointer)) {
    if (Paren->getLParen().isMacroID() || Paren->getRParen().isMacroID() ||
        !textRange(Paren->getSubExpr()->getSourceRange(), Context))
      break;
    const auto *Comma = dyn_cast<BinaryOperator>(Paren->getSubExpr());
    if (Comma && Comma->getOpcode() == BO_Comma)
      break; // two arguments
    Pointer = Paren->getSubExpr();
  }
  return expressionText(Pointer);
}

/// The address of \p LValue, whatever `&` means for its type.
std::string Emitter::addressOf(const std::string &LValue, QualType T) const {
  return overloadsAddressOf(T) ? "__builtin_addressof(" + LValue + ")" : "&" + LValue;
}

/// Without the parentheses around it where the text allows; not for operands.
std::string Emitter::plainText(const Expr *E) {
  auto R = narrowestRange(E, Context);
  if (!R) {
    refuse(Reason::MacroText, E->getExprLoc(), {"this expression"});
    return "";
  }
  return File.slice(R->Begin, R->End).str();
}

/// The text of \p E with the split variables replaced by the load side's copies.
std::string Emitter::renamed(const Expr *E) {
  auto Whole = textRange(E->getSourceRange(), Context);
  if (!Whole) {
    refuse(Reason::MacroText, E->getExprLoc(), {"this expression"});
    return "";
  }
  struct Visitor : ConstDynamicRecursiveASTVisitor {
    Emitter &Em;
    Patches List;
    explicit Visitor(Emitter &Em) : Em(Em) {}
    bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
      const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
      auto It = Em.LoadName.find(Var);
      if (!Var || It == Em.LoadName.end())
        return true;
      const std::string Name = Em.loadName(Var);
      auto R = textRange(Ref->getSourceRange(), Em.Context);
      if (!R || Em.File.slice(R->Begin, R->End) != Var->getName()) {
        Em.refuse(Reason::MacroText, Ref->getLocation(), {"'" + Var->getNameAsString() + "'"});
        return true;
      }
      List.replace(*R, Name);
      return true;
    }
  } V(*this);
  V.TraverseStmt(E);
  return V.List.apply(File, *Whole);
}

/// The macros of the line of \p Where mean the same at the loop: none is defined on the way.
bool Emitter::isSameMacro(SourceLocation Where) const {
  const SourceManager &SM = Context.getSourceManager();
  const SourceLocation At = SM.getExpansionLoc(Where);
  if (!isInMainFile(SM, At))
    return false;
  const unsigned From = SM.getFileOffset(At);
  return none_of(Source.Directives, [&](const SourceText::Directive &D) {
    return D.Begin > From && D.Begin < LoopText.Begin && D.Name != "pragma";
  });
}

/// How the type \p Written, where that comes out of a macro, is said again: by the macro, if that
/// is all that it stands for. None: it comes out of none. Empty: it cannot be said.
std::optional<std::string> Emitter::macroFor(TypeLoc Written) const {
  const SourceManager &SM = Context.getSourceManager();
  SourceLocation First, Last;
  // `FLOAT4(x)` has a type in it, and is none.
  if (Written.isNull() || !Written.getBeginLoc().isMacroID() || !Written.getEndLoc().isMacroID() ||
      !Lexer::isAtStartOfMacroExpansion(Written.getBeginLoc(), SM, Context.getLangOpts(), &First) ||
      !Lexer::isAtEndOfMacroExpansion(Written.getEndLoc(), SM, Context.getLangOpts(), &Last))
    return std::nullopt;
  if (First.isMacroID() || Last.isMacroID() || SM.getFileID(First) != SM.getMainFileID() ||
      !isSameMacro(Written.getBeginLoc()))
    return "";
  return Lexer::getSourceText(CharSourceRange::getTokenRange(First, Last), SM,
                              Context.getLangOpts())
      .str();
}

/// Of what it points to, of its elements, without qualifiers.
static TypeLoc innermost(TypeLoc T) {
  while (!T.isNull() && T.getNextTypeLoc())
    T = T.getNextTypeLoc();
  return T;
}

TypeLoc Emitter::typeWritten(const ValueDecl *D) {
  const auto *Declarator = dyn_cast<DeclaratorDecl>(D);
  const TypeLoc T = innermost(Declarator && Declarator->getTypeSourceInfo()
                                  ? Declarator->getTypeSourceInfo()->getTypeLoc()
                                  : TypeLoc());
  const auto *Var = dyn_cast<VarDecl>(D);
  if (!T.isNull() && T.getAs<AutoTypeLoc>())
    return Var && Var->getInit() ? typeWritten(Var->getInit()) : TypeLoc();
  return T;
}

/// The same of what is reached by the expression \p E, through pointers, elements and members.
TypeLoc Emitter::typeWritten(const Expr *E) {
  while (true) {
    E = stripNoOps(E);
    if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
      return typeWritten(Ref->getDecl());
    if (const auto *Member = dyn_cast<MemberExpr>(E))
      return typeWritten(Member->getMemberDecl());
    if (const auto *Cast = dyn_cast<ExplicitCastExpr>(E))
      return innermost(Cast->getTypeInfoAsWritten() ? Cast->getTypeInfoAsWritten()->getTypeLoc()
                                                    : TypeLoc());
    if (const auto *Element = dyn_cast<ArraySubscriptExpr>(E))
      E = Element->getBase();
    else if (const auto *Unary = dyn_cast<UnaryOperator>(E))
      E = Unary->getSubExpr();
    else if (const auto *Choice = dyn_cast<ConditionalOperator>(E))
      E = Choice->getTrueExpr();
    else if (const auto *Binary = dyn_cast<BinaryOperator>(E))
      E = Binary->getLHS()->getType()->isPointerType() || Binary->isAssignmentOp()
              ? Binary->getLHS()
              : Binary->getRHS();
    else if (const auto *Cast = dyn_cast<ImplicitCastExpr>(E))
      E = Cast->getSubExpr();
    else if (const auto *Call = dyn_cast<CallExpr>(E)) {
      const FunctionDecl *F = Call->getDirectCallee();
      if (F && Call->getNumArgs() > 0 &&
          classifyFunction(F, F->getASTContext()) == FunctionKind::LoadPointer) {
        E = Call->getArg(0); // `__ldg(p)`
        continue;
      }
      const FunctionTypeLoc Function =
          F && F->getTypeSourceInfo()
              ? F->getTypeSourceInfo()->getTypeLoc().getAsAdjusted<FunctionTypeLoc>()
              : FunctionTypeLoc();
      const TypeLoc T = innermost(Function.isNull() ? TypeLoc() : Function.getReturnLoc());
      if (T.isNull() || !T.getAs<AutoTypeLoc>())
        return T;
      // `[&](int i) { return p[i]; }`
      const auto *Body = dyn_cast_or_null<CompoundStmt>(F->getBody());
      const auto *Return =
          Body && !Body->body_empty() ? dyn_cast<ReturnStmt>(Body->body_back()) : nullptr;
      if (!Return || !Return->getRetValue())
        return TypeLoc();
      E = Return->getRetValue();
    } else
      return TypeLoc();
  }
}

std::string Emitter::typeText(const VarDecl *Var) {
  const TypeLoc Written = typeWritten(Var);
  if (Var->getType()->getContainedDeducedType() && !Var->getType()->isReferenceType() &&
      Var->getInit() && !isSaid(Var->getType(), Var->getLocation(), Written))
    if (const std::optional<std::string> Sample = sampleText(Var->getInit()))
      return typeOf(*Sample);
  return typeText(Var->getType(), Var->getLocation(), Written);
}

/// The type of the expression \p Sample as a declaration says it.
std::string Emitter::typeOf(const std::string &Sample) const {
  return ofStd("decay<decltype(" + Sample + ")>::type");
}

std::string Emitter::ofStd(const std::string &Name) const {
  return (meansGlobal("std") ? "std::" : "::std::") + Name;
}

/// The type of \p E in the words of the pointer that is loaded through, or of the variable: who
/// builds the file with another meaning of these gets what they mean then.
std::string Emitter::typeText(const Expr *E, SourceRange Where) {
  QualType T = E->getType();
  if (Pattern.isDependent(Where)) // the template says it, by its own words or a parameter's
    return typeText(T, Where, TypeLoc());
  // A parameter that takes the value has words of its own, and so has what converts it to itself.
  const Expr *Place = stripNoOps(E);
  const auto *Call = dyn_cast<CallExpr>(Place);
  if (Call && !Call->isGLValue() && Call->getNumArgs() > 0 && Call->getDirectCallee() &&
      classifyFunction(Call->getDirectCallee(), Context) == FunctionKind::LoadPointer) {
    const QualType Of = Call->getArg(0)->IgnoreParenImpCasts()->getType();
    if (Of->isPointerType() || Of->isArrayType())
      T = Of->isPointerType() ? Of->getPointeeType() : Context.getAsArrayType(Of)->getElementType();
  }
  if (Place->isGLValue())
    T = Place->getType();
  if (!Context.hasSameUnqualifiedType(T, E->getType()))
    T = E->getType();
  const TypeLoc Written = typeWritten(E);
  if (!isSaid(T, Where, Written) || isOfVaryingClass(Place)) {
    // Of `in ? p[i] : real(0)` one side may have the words.
    if (const ConditionalOperator *Choice = asConditional(Place))
      for (const Expr *Side : {Choice->getTrueExpr(), Choice->getFalseExpr()}) {
        const Expr *Of = stripNoOps(Side);
        if (Context.hasSameUnqualifiedType(Of->getType(), T) &&
            isSaid(Of->getType(), Where, typeWritten(Of)))
          return typeText(Of->getType(), Where, typeWritten(Of));
      }
    if (const std::optional<std::string> Sample = sampleText(Place))
      return typeOf(*Sample);
  }
  return typeText(T, Where, Written);
}

/// An alias that the user's files give in a namespace, or for all in a class: another build may
/// give another one.
static bool isUsersOwn(const TypedefNameDecl *Alias) {
  const SourceManager &SM = Alias->getASTContext().getSourceManager();
  if (SM.isInSystemHeader(SM.getExpansionLoc(Alias->getLocation())) || Alias->isInvalidDecl())
    return false;
  for (const Decl *D = Alias; !isa<TranslationUnitDecl>(D); D = cast<Decl>(D->getDeclContext())) {
    // What an argument of a template makes of it is not said by a name.
    if (isa<ClassTemplateSpecializationDecl>(D))
      return false;
    if (D->getAccess() == AS_private || D->getAccess() == AS_protected ||
        D->getDeclContext()->isFunctionOrMethod())
      return false;
    if (const auto *Space = dyn_cast<NamespaceDecl>(D); Space && Space->isAnonymousNamespace())
      return false;
  }
  return true;
}

/// It is a member of an object whose class is named by an alias of the user's, or by arguments of a
/// template: another build may give another class, with other members.
bool Emitter::isOfVaryingClass(const Expr *E) const {
  const auto *Member = dyn_cast<MemberExpr>(stripNoOps(E));
  if (!Member)
    return false;
  const QualType Of = Member->isArrow() ? Member->getBase()->getType()->getPointeeType()
                                        : Member->getBase()->getType();
  if (const auto *Alias = Of->getAs<TypedefType>())
    if (!Context.getSourceManager().isInSystemHeader(
            Context.getSourceManager().getExpansionLoc(Alias->getDecl()->getLocation())))
      return true;
  const auto *Class = dyn_cast_or_null<ClassTemplateSpecializationDecl>(Of->getAsTagDecl());
  return (Class && any_of(Class->getTemplateArgs().asArray(),
                          [](const TemplateArgument &A) {
                            return A.getKind() != TemplateArgument::Integral;
                          })) ||
         isOfVaryingClass(Member->getBase());
}

/// The user's files say what the name of the type means.
bool Emitter::isUsersAlias(QualType T, TypeLoc Written) const {
  const auto *Alias = T->getAs<TypedefType>();
  return (Alias &&
          !Context.getSourceManager().isInSystemHeader(
              Context.getSourceManager().getExpansionLoc(Alias->getDecl()->getLocation()))) ||
         macroFor(Written);
}

/// What typeText makes of \p T are the author's own words for it. Else they are what an argument of
/// a template, or an alias that cannot be named, means in this build.
bool Emitter::isSaid(QualType T, SourceRange Where, TypeLoc Written) {
  if (Pattern.isDependent(Where) || T->isPointerType())
    return true;
  if (const auto *Alias = T->getAs<TypedefType>())
    if (const TypedefNameDecl *D = Alias->getDecl();
        D->getDeclContext() == M.Loop->Function ||
        D->getDeclContext()->getRedeclContext()->isTranslationUnit() || isUsersOwn(D) ||
        (T->getAsTagDecl() && T->getAsTagDecl()->getTypedefNameForAnonDecl() == D)) // its only name
      return true;
  if (Written.isNull() || !Context.hasSameUnqualifiedType(Written.getType(), T))
    return false;
  if (macroFor(Written) || Written.getAs<BuiltinTypeLoc>())
    return true;
  const auto *Tag = T->getAsTagDecl();
  if (const TypedefTypeLoc Alias = Written.getAs<TypedefTypeLoc>()) // of the system
    return Context.getSourceManager().isInSystemHeader(Alias.getDecl()->getLocation()) &&
           !Alias.getDecl()->getDeclContext()->isDependentContext() &&
           !isa<ClassTemplateSpecializationDecl>(Alias.getDecl()->getDeclContext());
  if (!Written.getAs<TagTypeLoc>() || !Tag)
    return false;
  for (const DeclContext *D = Tag; D; D = D->getParent())
    if (isa<ClassTemplateSpecializationDecl>(D))
      return false;
  return true;
}

/// What can stand behind `*` and in front of `[0]`.
static std::string asOperand(const std::string &Text) {
  return Text.front() == '*' || Text.front() == '&' ? "(" + Text + ")" : Text;
}

/// An expression with the type of \p E that can stand in front of the loop, and is not evaluated
/// there: without what the loop declares, and without indices. None: there is none.
std::optional<std::string> Emitter::sampleText(const Expr *E) {
  const auto Of = [&](const Expr *Part, StringRef Before,
                      StringRef Behind) -> std::optional<std::string> {
    std::optional<std::string> Text = sampleText(Part);
    if (Text)
      Text = (Before + asOperand(*Text) + Behind).str();
    return Text;
  };
  // The author's words, where they mean the same in front of the loop as where they stand.
  const auto Words = [&](SourceRange Where) -> std::optional<std::string> {
    const std::optional<TextRange> R = textRange(Where, Context);
    if (!R || declaredAnew(namesIn(*R), std::min(R->Begin, LoopText.Begin),
                           std::max(R->Begin, LoopText.Begin)))
      return std::nullopt;
    return File.slice(R->Begin, R->End).str();
  };
  const SourceManager &SM = Context.getSourceManager();
  E = E->IgnoreParens();
  if (const auto *Full = dyn_cast<FullExpr>(E))
    return sampleText(Full->getSubExpr());
  if (const auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(E))
    return sampleText(Temporary->getSubExpr());
  if (const auto *Bound = dyn_cast<CXXBindTemporaryExpr>(E))
    return sampleText(Bound->getSubExpr());
  if (const auto *Copy = dyn_cast<CXXConstructExpr>(E); Copy && !isa<CXXTemporaryObjectExpr>(E))
    return Copy->getConstructor()->isCopyOrMoveConstructor() && Copy->getNumArgs() >= 1
               ? sampleText(Copy->getArg(0))
               : std::nullopt;
  if (const auto *Cast = dyn_cast<ImplicitCastExpr>(E)) {
    const CastKind Kind = Cast->getCastKind();
    if (Kind == CK_ArrayToPointerDecay)
      return Of(Cast->getSubExpr(), "&", "[0]");
    return is_contained({CK_LValueToRValue, CK_NoOp, CK_FunctionToPointerDecay}, Kind)
               ? sampleText(Cast->getSubExpr())
               : std::nullopt;
  }
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E)) {
    const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
    if (!Var || Var->hasAttr<CUDASharedAttr>() ||
        any_of(M.Views, [&](const TileView &V) { return V.Var == Var; }))
      return std::nullopt;
    if (Var->hasLocalStorage() || Var->isStaticLocal()) {
      if (SM.isBeforeInTranslationUnit(Var->getLocation(), M.Loop->Begin) &&
          declaredAround(*M.Loop, Var->getIdentifier()) == Var)
        return Var->getNameAsString();
      // Of the loop: what it is made of may be from in front of it.
      return Var->getInit() && (Var->getType()->getContainedDeducedType() ||
                                Var->getType()->isReferenceType())
                 ? sampleText(Var->getInit())
                 : std::nullopt;
    }
    for (const DeclContext *In = Var->getDeclContext(); !In->isTranslationUnit();
         In = In->getParent())
      if (const auto *Space = dyn_cast<NamespaceDecl>(In); !Space || Space->isAnonymousNamespace())
        return std::nullopt;
    return "::" + Var->getQualifiedNameAsString();
  }
  if (isa<CXXThisExpr>(E))
    return std::string("this");
  if (const auto *Member = dyn_cast<MemberExpr>(E)) {
    if (!isa<FieldDecl>(Member->getMemberDecl()) || !Member->getMemberDecl()->getIdentifier())
      return std::nullopt;
    return Of(Member->getBase(), "",
              (Twine(Member->isArrow() ? "->" : ".") + Member->getMemberDecl()->getName()).str());
  }
  if (const auto *Element = dyn_cast<ArraySubscriptExpr>(E))
    return Element->getBase()->IgnoreImpCasts()->getType()->isArrayType()
               ? Of(Element->getBase()->IgnoreImpCasts(), "", "[0]")
               : Of(Element->getBase(), "", "[0]");
  if (const auto *Unary = dyn_cast<UnaryOperator>(E);
      Unary && (Unary->getOpcode() == UO_Deref || Unary->getOpcode() == UO_AddrOf))
    return Of(Unary->getSubExpr(), Unary->getOpcode() == UO_Deref ? "*" : "&", "");
  if (const auto *Binary = dyn_cast<BinaryOperator>(E);
      Binary && Binary->isAdditiveOp() && Binary->getType()->isPointerType())
    return sampleText(Binary->getLHS()->getType()->isPointerType() ? Binary->getLHS()
                                                                   : Binary->getRHS());
  if (const ConditionalOperator *Choice = asConditional(E)) {
    for (const Expr *Side : {Choice->getTrueExpr(), Choice->getFalseExpr()})
      if (Context.hasSameUnqualifiedType(stripNoOps(Side)->getType(), E->getType()))
        if (std::optional<std::string> Text = sampleText(Side))
          return Text;
    return std::nullopt;
  }
  if (const auto *Cast = dyn_cast<ExplicitCastExpr>(E);
      Cast && isa<CXXReinterpretCastExpr, CXXStaticCastExpr, CStyleCastExpr>(Cast)) {
    const TypeSourceInfo *To = Cast->getTypeInfoAsWritten();
    const std::optional<std::string> Type =
        To ? Words(To->getTypeLoc().getSourceRange()) : std::nullopt;
    return Type ? Of(Cast->getSubExpr(), "((" + *Type + ")", ")") : std::nullopt;
  }
  if (const auto *Call = dyn_cast<CallExpr>(E)) {
    // Called by a name, or as a method or an operator of what can be said.
    const FunctionDecl *F = Call->getDirectCallee();
    const auto [Object, Arguments] = operandsOf(Call);
    if (!F)
      return std::nullopt;
    std::string Text;
    if (Object) {
      const std::optional<std::string> Of = sampleText(Object);
      const auto *Operator = dyn_cast<CXXOperatorCallExpr>(Call);
      if (!Of ||
          (Operator && Operator->getOperator() != OO_Call &&
           Operator->getOperator() != OO_Subscript) ||
          isa<CXXConversionDecl>(F))
        return std::nullopt;
      const auto *Callee = dyn_cast<MemberExpr>(Call->getCallee()->IgnoreParenImpCasts());
      const bool Arrow = Callee && Callee->isArrow();
      Text = asOperand(*Of) + (Operator ? "" : Arrow ? "->" : ".");
      if (!Operator && (!F->getIdentifier() || (Callee && Callee->hasExplicitTemplateArgs())))
        return std::nullopt;
      Text += Operator ? "" : F->getNameAsString();
      if (Operator && Operator->getOperator() == OO_Subscript)
        return Text + "[0]";
    } else {
      const auto *Callee = dyn_cast<DeclRefExpr>(Call->getCallee()->IgnoreParenImpCasts());
      const std::optional<std::string> Name =
          Callee ? Words(Callee->getSourceRange()) : std::nullopt;
      if (!Name)
        return std::nullopt;
      Text = *Name;
    }
    Text += "(";
    for (const Expr *Argument : Arguments) {
      if (isa<CXXDefaultArgExpr>(Argument))
        break;
      const Expr *Given = Argument->IgnoreParenImpCasts();
      std::optional<std::string> Value = sampleText(Given);
      if (!Value && Given->getType()->isBuiltinType() &&
          (Given->isPRValue() || isa<DeclRefExpr>(Given))) // a sum, a counter of the loop
        Value = "(" +
                Given->getType().getCanonicalType().getUnqualifiedType().getAsString(
                    PrintingPolicy(Context.getLangOpts())) +
                ")0";
      if (!Value)
        return std::nullopt;
      Text += (Argument == Arguments.front() ? "" : ", ") + *Value;
    }
    return Text + ")";
  }
  return std::nullopt;
}

/// The type of the expression or variable at \p Where as it can be written at the loop. \p Written:
/// where the author does.
std::string Emitter::typeText(QualType T, SourceRange Where, TypeLoc Written) {
  PrintingPolicy Policy(Context.getLangOpts());
  Policy.SuppressTagKeyword = true;
  Policy.SuppressUnwrittenScope = true; // anonymous and inline namespaces
  Policy.Bool = true;
  T = T.getUnqualifiedType();
  // A name that the function gives the type in front of the loop is as good there as in it.
  if (const auto *Local = T->getAs<TypedefType>();
      Local && Local->getDecl()->getDeclContext() == M.Loop->Function &&
      Context.getSourceManager().isBeforeInTranslationUnit(Local->getDecl()->getLocation(),
                                                           M.Loop->Begin) &&
      declaredAround(*M.Loop, Local->getDecl()->getIdentifier()) == Local->getDecl())
    return Local->getDecl()->getNameAsString();
  if (const std::optional<std::string> Macro = macroFor(Written);
      Macro && Context.hasSameUnqualifiedType(Written.getType(), T)) {
    if (Macro->empty())
      refuse(Reason::MacroText, Where.getBegin(), {"the type '" + T.getAsString(Policy) + "'"});
    return *Macro;
  }
  if (Pattern.isDependent(Where)) {
    // `T` or `const T *`, where T is a parameter of this very template.
    if (const NamedDecl *Param = Pattern.ownParameter(T))
      return Param->getNameAsString();
    if (const auto *Pointer = T->getAs<PointerType>()) {
      QualType Pointee = Pointer->getPointeeType();
      if (const NamedDecl *Param = Pattern.ownParameter(Pointee);
          Param && !Pointee.isVolatileQualified())
        return (Pointee.isConstQualified() ? "const " : "") + Param->getNameAsString() + " *";
    }
    // Spelled out for these arguments.
    TypesMatter = true;
  } else if (const auto *Pointer = T->getAs<PointerType>();
             Pointer && !Pointer->getPointeeType()->isFunctionType() &&
             !Pointer->getPointeeType()->isArrayType() &&
             !(Pointer->getPointeeType()->isPointerType() &&
               Pointer->getPointeeType().hasQualifiers())) {
    const Qualifiers Of = Pointer->getPointeeType().getQualifiers();
    const std::string Pointee = typeText(Pointer->getPointeeType(), Where, Written);
    return (Of.hasConst() ? "const " : "") + std::string(Of.hasVolatile() ? "volatile " : "") +
           Pointee + (StringRef(Pointee).ends_with("*") ? "*" : " *");
  }
  QualType Plain = T.getCanonicalType();
  while (Plain->isPointerType())
    Plain = Plain->getPointeeType();
  if (Plain->isReferenceType() || !canBeNamed(Plain, M.Loop->Begin, Context.getSourceManager())) {
    refuse(Reason::NotYet, Where.getBegin(), {"a value of type '" + T.getAsString(Policy) + "'"});
    return "int";
  }
  // A name of file scope reads as the user wrote it; any other is spelled out.
  if (const auto *Typedef = T->getAs<TypedefType>()) {
    if (Typedef->getDecl()->getDeclContext()->getRedeclContext()->isTranslationUnit() &&
        meansGlobal(T.getAsString(Policy)))
      return T.getAsString(Policy);
    if (isUsersOwn(Typedef->getDecl()))
      return TypeName::getFullyQualifiedName(T, Context, Policy, /*WithGlobalNsPrefix=*/true);
  }
  T = T.getCanonicalType().getUnqualifiedType();
  std::string Text = T.getAsString(Policy);
  return meansGlobal(Text)
             ? Text
             : TypeName::getFullyQualifiedName(T, Context, Policy, /*WithGlobalNsPrefix=*/true);
}

/// At the loop, the names in \p Text mean what they mean at file scope: nothing between hides one
/// of them.
bool Emitter::meansGlobal(StringRef Text) const {
  bool Qualified = false; // behind `::`
  while (!Text.empty()) {
    if (!isAsciiIdentifierStart(Text.front())) {
      const bool Colons = Text.consume_front("::");
      Qualified = Colons || (Qualified && isWhitespace(Text.front()));
      if (!Colons)
        Text = Text.drop_front();
      continue;
    }
    StringRef Name = Text.take_while([](char C) { return isAsciiIdentifierContinue(C); });
    Text = Text.drop_front(Name.size());
    if (std::exchange(Qualified, false))
      continue;
    const IdentifierInfo *Id = &Context.Idents.get(Name);
    if (declaredAround(*M.Loop, Id))
      return false;
    auto Declares = [&](const DeclContext *Where) {
      return !Where->lookup(DeclarationName(Id)).empty();
    };
    for (const DeclContext *Where = M.Loop->Function->getDeclContext(); Where;
         Where = Where->getParent())
      if (Where->isNamespace() && Declares(Where))
        return false;
    if (any_of(M.Facts->Function
                   ->once<OpenNamespaces>([&] { return OpenNamespaces(M.Loop->Function); })
                   .All,
               Declares))
      return false;
  }
  return true;
}

namespace {

/// What the user's own code declares under a name, anywhere in the file or in headers that are not
/// the system's.
struct UsersNames {
  std::set<const IdentifierInfo *> Inside, Global; ///< in a class, namespace or function; in none
  explicit UsersNames(ASTContext &Context) {
    struct Visitor : ConstDynamicRecursiveASTVisitor {
      UsersNames &To;
      const SourceManager &SM;
      Visitor(UsersNames &To, const SourceManager &SM) : To(To), SM(SM) {
        ShouldVisitTemplateInstantiations = false;
      }
      bool TraverseDecl(const Decl *D) override {
        if (D && !isa<TranslationUnitDecl>(D) && D->getLexicalDeclContext()->isTranslationUnit() &&
            SM.isInSystemHeader(SM.getExpansionLoc(D->getLocation())))
          return true;
        return ConstDynamicRecursiveASTVisitor::TraverseDecl(D);
      }
      bool VisitNamedDecl(const NamedDecl *D) override {
        if (const IdentifierInfo *Id = D->getIdentifier())
          (D->getDeclContext()->getRedeclContext()->isTranslationUnit() && !D->isTemplateParameter()
               ? To.Global
               : To.Inside)
              .insert(Id);
        return true;
      }
    } V(*this, Context.getSourceManager());
    V.TraverseAST(Context);
  }
};

} // namespace

std::string Emitter::ours(StringRef Name) {
  const IdentifierInfo *Id = &Context.Idents.get(Name);
  if (Id->hadMacroDefinition()) {
    refuse(Reason::NotYet, M.Loop->Begin,
           {"a macro with the name '" + Name.str() + "', which the rewritten loop needs,"});
    return Name.str();
  }
  if (!Source.Names.count(Name.str()))
    return Name.str();
  // Named in the file, and not (or for other architectures only) what the toolkit declares.
  const SourceManager &SM = Context.getSourceManager();
  const bool OfToolkit = any_of(Context.getTranslationUnitDecl()->lookup(DeclarationName(Id)),
                                [&](const NamedDecl *D) {
                                  return SM.isInSystemHeader(SM.getExpansionLoc(D->getLocation()));
                                });
  const UsersNames &Known =
      M.Facts->Function->once<UsersNames>([&] { return UsersNames(Context); });
  if (!OfToolkit || Known.Global.count(Id))
    refuse(Reason::NotYet, M.Loop->Begin,
           {"another '" + Name.str() + "' than CUDA's, which the rewritten loop needs,"});
  return (Known.Inside.count(Id) ? "::" : "") + Name.str();
}

/// \p Text, in which names of CUDA's variables stand.
std::string Emitter::oursIn(std::string Text) {
  for (StringRef Name : {"threadIdx", "blockDim"}) {
    const std::string As = StringRef(Text).contains(Name) ? ours(Name) : Name.str();
    for (size_t At = 0; As != Name && (At = Text.find(Name.str(), At)) != std::string::npos;
         At += As.size())
      Text.replace(At, Name.size(), As);
  }
  return Text;
}

/// The names in \p Text that begin one are keywords, or declared at file scope in front of the
/// loop. (An argument may be one that another translation unit gives to the template of a header.)
bool Emitter::isDeclaredInFront(StringRef Text) const {
  const SourceManager &SM = Context.getSourceManager();
  bool Qualified = false;
  while (!Text.empty()) {
    if (!isAsciiIdentifierStart(Text.front())) {
      const size_t Other = isDigit(Text.front()) ? Text.find_if_not(isAlnum) : 1;
      Qualified = Text.consume_front("::");
      if (!Qualified)
        Text = Text.drop_front(std::min(Other, Text.size()));
      continue;
    }
    StringRef Name = Text.take_while([](char C) { return isAsciiIdentifierContinue(C); });
    Text = Text.drop_front(Name.size());
    if (std::exchange(Qualified, false))
      continue;
    const IdentifierInfo &Id = Context.Idents.get(Name);
    if (Id.getTokenID() == tok::identifier &&
        none_of(Context.getTranslationUnitDecl()->lookup(DeclarationName(&Id)),
                [&](const NamedDecl *D) {
                  const SourceLocation At = SM.getExpansionLoc(D->getLocation());
                  return At.isInvalid() || SM.isBeforeInTranslationUnit(At, M.Loop->Begin);
                }))
      return false;
  }
  return true;
}

/// The state that the load side needs a copy of. With one buffer the store runs in its own
/// iteration: what it alone needs
/// (`plane = (plane + 1) % 3;` for the place of a store) it finds in the main loop's variables.
void Emitter::splitForLoads() {
  Split = M.Split;
  if (P.Kind != Variant::LdgSingle)
    return;
  // Nothing but the header is needed, until it shows.
  auto InHeader = [&](const VarDecl *V) {
    return HeaderVars.count(V) || (M.Loop->condition() && mentions(M.Loop->condition(), V)) ||
           (M.Loop->step() && mentions(M.Loop->step(), V)) ||
           (M.Loop->start() && mentions(M.Loop->start(), V));
  };
  Split.remove_if([&](const VarDecl *V) { return !InHeader(V); });
  for (bool Changed = true; std::exchange(Changed, false);) {
    forgetHalves();
    DeclSet<VarDecl> Needed = varsInHalf(Half::Fetch);
    // An advance is one statement: what it needs for one variable it needs for all.
    for (const Advance &A : M.Advances)
      if (A.LoadSide && any_of(A.Vars, [&](const VarDecl *V) { return Split.count(V) != 0; }))
        Needed.insert(A.Vars.begin(), A.Vars.end());
    for (const VarDecl *V : M.Split)
      if (Needed.count(V) && Split.insert(V))
        Changed = true;
  }
  forgetHalves();
}

/// `a += aStep, b += bStep`: one after the other.
std::vector<const Expr *> Emitter::stepParts() const {
  std::vector<const Expr *> Parts, Left;
  if (M.Loop->step())
    Left.push_back(M.Loop->step());
  while (!Left.empty()) {
    const Expr *E = Left.back();
    Left.pop_back();
    const auto *Comma = dyn_cast<BinaryOperator>(E->IgnoreParens());
    if (Comma && Comma->getOpcode() == BO_Comma) {
      Left.push_back(Comma->getRHS());
      Left.push_back(Comma->getLHS());
    } else {
      Parts.push_back(E);
    }
  }
  return Parts;
}

/// What the header counts besides, and the load side has no use for (`b += bStep` where only `a` is
/// in the addresses), stays the main loop's own.
void Emitter::withoutIdleState() {
  const std::vector<const Expr *> Parts = stepParts();
  if (Parts.size() < 2 ||
      any_of(M.Facts->Condition.Accesses, [](const Access &A) { return A.Write; }))
    return;
  DeclMap<VarDecl, const Expr *> StepOf;
  for (const Expr *Part : Parts) {
    const Expr *E = Part->IgnoreParens(), *To = nullptr;
    if (const auto *Unary = dyn_cast<UnaryOperator>(E); Unary && Unary->isIncrementDecrementOp())
      To = Unary->getSubExpr();
    else if (const auto *Binary = dyn_cast<BinaryOperator>(E); Binary && Binary->isAssignmentOp())
      To = Binary->getLHS();
    const VarDecl *Var = To ? referencedVar(To) : nullptr;
    unsigned Writes = 0;
    for (const Access &A : M.Facts->Collector->collect(E).Accesses)
      Writes += A.Write;
    if (!Var || Writes != 1 || !StepOf.try_emplace(Var, Part).second)
      return;
  }
  DeclSet<VarDecl> Needed;
  const bool Async = P.Kind == Variant::CpAsync;
  for (Half H :
       Async ? std::vector<Half>{Half::Async} : std::vector<Half>{Half::Fetch, Half::Store})
    for (const VarDecl *V : varsInHalf(H))
      Needed.insert(V);
  auto NeededFor = [&](const VarDecl *V) {
    if (Needed.count(V) || !HeaderVars.count(V) || !StepOf.count(V) || isNamedElsewhere(V) ||
        (M.Loop->condition() && mentions(M.Loop->condition(), V)))
      return true;
    if (any_of(M.Advances, [&](const Advance &A) { return mentions(A.Statement, V); }))
      return true;
    if (const auto *Start = dyn_cast_or_null<DeclStmt>(M.Loop->start()))
      for (const clang::Decl *D : Start->decls())
        if (const auto *Other = dyn_cast<VarDecl>(D); Other && Other != V && Split.count(Other) &&
                                                      Other->hasInit() &&
                                                      mentions(Other->getInit(), V))
          return true;
    if (isa_and_nonnull<Expr>(M.Loop->start()))
      return true; // its start may be a part of another's
    return any_of(StepOf, [&](const auto &Step) {
      return Step.first != V && Split.count(Step.first) && mentions(Step.second, V);
    });
  };
  for (bool Changed = true; std::exchange(Changed, false);) {
    const std::vector<const VarDecl *> Now(Split.begin(), Split.end());
    for (const VarDecl *V : Now)
      if (!NeededFor(V)) {
        Split.remove(V);
        Changed = true;
      }
  }
  forgetHalves();
}

/// The load side takes \p A along: for state of its own, or that nobody else has.
bool Emitter::loadSide(const Advance &A) const {
  return A.LoadSide &&
         any_of(A.Vars, [&](const VarDecl *V) { return Split.count(V) || !M.Split.count(V); });
}

/// Of an integer literal of this type; empty: it has none, or needs none.
static std::string suffixOf(QualType T) {
  const auto *Builtin = T->getAs<BuiltinType>();
  switch (Builtin ? Builtin->getKind() : BuiltinType::Void) {
  case BuiltinType::UInt:
    return "u";
  case BuiltinType::ULong:
    return "ul";
  case BuiltinType::ULongLong:
    return "ull";
  case BuiltinType::Long:
    return "l";
  case BuiltinType::LongLong:
    return "ll";
  default:
    return "";
  }
}

/// `for (int t = 0; t < n; ++t)`: in front of the loop 0 says as much as a variable that is set to
/// it, and in the loop the next turn's counter is one more constant.
bool Emitter::startsPlainly() {
  const auto *Decl = dyn_cast_or_null<DeclStmt>(M.Loop->start());
  const auto *Condition = M.Loop->condition()
                              ? dyn_cast<BinaryOperator>(M.Loop->condition()->IgnoreParenImpCasts())
                              : nullptr;
  if (Running || !Decl || !Condition || !Condition->isComparisonOp() || !M.Loop->step())
    return false;
  const VarDecl *Asked = referencedVar(Condition->getLHS());
  if (!Asked || !Split.count(Asked) ||
      any_of(Split, [&](const VarDecl *V) { return mentions(Condition->getRHS(), V); }))
    return false;
  for (const VarDecl *V : Split) {
    if (!is_contained(Decl->decls(), V) || !V->hasInit() ||
        V->getInit()->getBeginLoc().isMacroID() || V->getInitStyle() != VarDecl::CInit)
      return false;
    const Expr *Start = V->getInit();
    const auto *Literal = dyn_cast<IntegerLiteral>(Start->IgnoreImpCasts());
    const VarDecl *Other = referencedVar(Start);
    // `0 < n` compares as the variable would: as an int, or as what both are.
    const bool Int = V->getType()->isSpecificBuiltinType(BuiltinType::Int);
    const bool AsBoth =
        V->getType()->isIntegerType() && !V->getType()->isBooleanType() &&
        Context.getTypeSize(V->getType()) >= Context.getTypeSize(Context.IntTy) &&
        (V != Asked || Context.hasSameUnqualifiedType(
                           V->getType(), Condition->getRHS()->IgnoreParenImpCasts()->getType()));
    const std::string Suffix = suffixOf(V->getType());
    if (Literal
            ? (!Int && !AsBoth && Suffix.empty()) || Pattern.isDependent(V->getLocation()) ||
                  V->getType().isVolatileQualified() || !Literal->getType()->isIntegerType() ||
                  (V == Asked && Condition->getOpcode() != BO_LT && Condition->getOpcode() != BO_NE)
            : !Other || !Context.hasSameUnqualifiedType(Other->getType(), V->getType()) ||
                  HeaderVars.count(Other) || Other->getType().isVolatileQualified() ||
                  M.Facts->Modified.count(Other))
      return false;
    First[V] = expressionText(Start);
    // `0u < n` where n is an int compares as the variable would, too.
    if (Literal && !Int && !AsBoth && isDigit(First[V].back()))
      First[V] += Suffix;
    else if (Literal && !Int && !AsBoth &&
             !Context.hasSameUnqualifiedType(Literal->getType(), V->getType()))
      return false;
  }
  return plainSteps().size() == Split.size();
}

/// `n > 0` rather than `0 < n`, where the loop's `t < n` is asked of the first tile; empty: as it
/// is written.
std::string Emitter::firstComparison() {
  if (!StartsPlainly || InLoop)
    return "";
  const auto *Asked = dyn_cast<BinaryOperator>(M.Loop->condition()->IgnoreParenImpCasts());
  const auto *Counter = Asked ? dyn_cast<DeclRefExpr>(Asked->getLHS()->IgnoreImpCasts()) : nullptr;
  const auto *Var = Counter ? dyn_cast<VarDecl>(Counter->getDecl()) : nullptr;
  auto It = First.find(Var);
  if (It == First.end() || !isDigit(It->second.front()) ||
      M.Loop->condition() != M.Loop->condition()->IgnoreParens() ||
      !Asked->getRHS()->getType()->isIntegerType() ||
      !textRange(Asked->getRHS()->getSourceRange(), Context) ||
      Pattern.isDependent(Asked->getRHS()->getSourceRange()))
    return "";
  StringRef Operator;
  switch (Asked->getOpcode()) {
  case BO_LT:
    Operator = " > ";
    break;
  case BO_NE:
    Operator = " != ";
    break;
  default:
    return "";
  }
  const std::string Bound = renamed(Asked->getRHS());
  return StringRef(Bound).contains('\n') ? "" : Bound + Operator.str() + It->second;
}

/// There is a first tile in any case: `0 < gridDim.x`.
bool Emitter::holdsAtFirst() {
  if (firstComparison().empty())
    return false;
  const auto *Asked = cast<BinaryOperator>(M.Loop->condition()->IgnoreParenImpCasts());
  const auto *Counter = cast<DeclRefExpr>(Asked->getLHS()->IgnoreImpCasts());
  const std::string &Start = First.at(cast<VarDecl>(Counter->getDecl()));
  const std::optional<BuiltinIndex> Size = asBuiltinIndex(Asked->getRHS()->IgnoreParenImpCasts());
  return Size && (Size->Var == BuiltinVar::BlockDim || Size->Var == BuiltinVar::GridDim) &&
         StringRef(Start).take_while([](char C) { return isDigit(C); }) == "0";
}

/// Header variables, split state, and the names of everything new.
void Emitter::names() {
  if (const auto *Decl = dyn_cast_or_null<DeclStmt>(M.Loop->start()))
    for (const clang::Decl *D : Decl->decls())
      if (const auto *Var = dyn_cast<VarDecl>(D))
        HeaderVars.insert(Var);
  for (const Effects *Part : {&M.Facts->Init, &M.Facts->Condition, &M.Facts->Increment})
    for (const Access &A : Part->Accesses)
      if (A.Write)
        for (const MemoryRoot &R : A.Roots)
          if (const auto *Var = dyn_cast_or_null<VarDecl>(R.Decl))
            HeaderVars.insert(Var);
  splitForLoads();
  withoutIdleState();
  bool AdvancedElsewhere = any_of(M.Advances, [&](const Advance &A) {
    return loadSide(A) && any_of(A.Vars, [&](const VarDecl *V) { return Split.count(V) != 0; });
  });
  bool OtherSplit = any_of(Split, [&](const VarDecl *V) { return !HeaderVars.count(V); });
  unsigned Distance = P.Kind == Variant::CpAsync ? P.Stages - 1 : 1;
  // What a condition changes it has to change once per tile, and no more behind the last one.
  ConditionCounts = any_of(M.Facts->Condition.Accesses, [](const Access &A) { return A.Write; });
  Running = Distance > 1 || ConditionCounts || !M.Loop->step() || AdvancedElsewhere || OtherSplit ||
            any_of(M.ChangedInLoad, [&](const VarDecl *V) { return Split.count(V) != 0; });
  for (const VarDecl *V : Split)
    LoadName[V] = fresh((V->getName() + (Running ? "_load" : "_next")).str());
  StartsPlainly = startsPlainly();
  if (P.Stages > 1)
    Loop.Stage = fresh("stage");
  if (P.Kind == Variant::CpAsync) {
    nameStageCount();
    LoadTile = fresh("load_tile");
  } else {
    FetchTile = fresh("fetch_tile");
    StoreTile = fresh("store_tile");
  }
}

/// `static_assert(BM == 64 || BM == 128, ..)`: what was shown for these instantiations only.
namespace {

/// For each parameter the conditions of which one holds.
using ArgumentBox = std::vector<std::vector<std::string>>;

/// The same combinations in fewer boxes: two that differ in one parameter alone are one.
std::vector<ArgumentBox> merged(std::vector<ArgumentBox> Boxes) {
  auto Merge = [](ArgumentBox &Into, const ArgumentBox &From) {
    std::optional<size_t> Where;
    for (size_t I = 0; I < Into.size(); ++I)
      if (Into[I].size() != From[I].size() ||
          !std::is_permutation(Into[I].begin(), Into[I].end(), From[I].begin())) {
        if (Where)
          return false;
        Where = I;
      }
    if (Where)
      for (const std::string &Condition : From[*Where])
        if (!is_contained(Into[*Where], Condition))
          Into[*Where].push_back(Condition);
    return true;
  };
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (size_t I = 0; I < Boxes.size(); ++I) {
      auto Rest = std::remove_if(Boxes.begin() + I + 1, Boxes.end(),
                                 [&](const ArgumentBox &Box) { return Merge(Boxes[I], Box); });
      Changed |= Rest != Boxes.end();
      Boxes.erase(Rest, Boxes.end());
    }
  }
  return Boxes;
}

/// Empty: always true.
std::string conditionText(const ArgumentBox &Box) {
  std::vector<std::string> Conditions;
  for (const std::vector<std::string> &Any : Box)
    if (!(Any.size() == 2 && (Any[0] == "!" + Any[1] || Any[1] == "!" + Any[0])))
      Conditions.push_back(Any.size() > 1 ? "(" + join(Any, " || ") + ")" : Any.front());
  std::string Text = join(Conditions, " && ");
  if (Conditions.size() == 1 && StringRef(Text).starts_with("(")) // not of a trait
    return Text.substr(1, Text.size() - 2);
  return Text;
}

} // namespace

std::string Emitter::argumentsAssert() {
  if (!M.Loop->IsTemplate)
    return TextAsserts;
  std::set<std::string> Copied = copiedTypes();
  ArgumentsMatter Matter = P.Matter;
  // `typename Traits<T, N>::type` depends on all of them.
  Matter.Types |= TypesMatter;
  Matter.Values |= TypesMatter;
  std::string Text;
  if (Matter.Values || Matter.Types)
    Text = knownArgumentsAssert(Matter);
  if (Matter.Types && !Text.empty())
    return Text; // these have been looked at
  for (const std::string &Param : Matter.Numbers)
    Text += typeAssert(Param,
                       "!" + trait("is_class", Param) + " && !" + trait("is_union", Param) +
                           " && !" + trait("is_enum", Param),
                       &TypeArgument::IsNumber, "what is loaded is computed with");
  Copied.insert(Matter.Copied.begin(), Matter.Copied.end());
  for (const std::string &Param : Copied)
    if (!Matter.Numbers.count(Param))
      Text += typeAssert(Param, trait("is_trivially_copyable", Param),
                         &TypeArgument::IsPlainlyCopied, "what is loaded is copied as bytes");
  return Text + TextAsserts;
}

/// The types of what is copied that are made of the template's arguments, and are none of them.
std::set<std::string> Emitter::copiedTypes() {
  std::vector<const Expr *> Copied;
  for (const GlobalLoad &Load : Cut.Loads)
    Copied.push_back(Pattern.typedPart(Load.Cut));
  for (const TileCopy &C : M.Copies)
    Copied.push_back(C.Destination);
  std::vector<SourceRange> Asked; // under the parameter's name, which P.Matter has
  for (const Expr *E : Copied)
    if (Pattern.ownParameter(E->getType()))
      Asked.push_back(typedPlace(E));
  std::set<std::string> Types;
  for (const Expr *E : Copied) {
    const SourceRange Where = typedPlace(E);
    if (!Pattern.isDependent(Where) ||
        any_of(Asked, [&](SourceRange R) { return Pattern.haveSameType(R, Where); }))
      continue;
    Asked.push_back(Where);
    Types.insert(typeText(E, Where));
  }
  return Types;
}

/// The standard library's `std::NAME<ARGUMENTS>::value`, which every compiler that takes the file
/// has.
std::string Emitter::trait(StringRef Name, const std::string &Arguments) const {
  return ofStd((Name + "<" + Arguments + ">::value").str());
}

/// \p Type where it can be named.
std::string Emitter::isSame(const TypeArgument &Argument) {
  if (!meansGlobal(Argument.Type) || !isDeclaredInFront(Argument.Type))
    refuse(Reason::NotYet, M.Loop->Begin,
           {"the template argument '" + Argument.Type + "' where its name means something else"});
  return trait("is_same", Argument.Param + ", " + Argument.Type);
}

/// That \p Param is as it has to be, or one of those that have been looked at without being so.
std::string Emitter::typeAssert(const std::string &Param, const std::string &Condition,
                                bool TypeArgument::*Holds, StringRef Why) {
  std::vector<std::string> Any;
  for (const TemplateArguments &A : P.Arguments)
    for (const TypeArgument &T : A.Types)
      if (T.Param == Param && !(T.*Holds))
        if (std::string Same = isSame(T); !is_contained(Any, Same))
          Any.push_back(Same);
  const bool Several = StringRef(Condition).contains("&&") && !Any.empty();
  Any.insert(Any.begin(), Several ? "(" + Condition + ")" : Condition);
  return "static_assert(" + join(Any, " || ") + ",\n" + Indent + Unit + Unit + "\"" + Why.str() +
         "\");\n" + Indent;
}

/// Empty: they are not told apart by anything.
std::string Emitter::knownArgumentsAssert(const ArgumentsMatter &Matter) {
  std::vector<ArgumentBox> Boxes;
  for (const TemplateArguments &A : P.Arguments) {
    ArgumentBox Box;
    if (Matter.Types)
      for (const TypeArgument &T : A.Types)
        Box.push_back({isSame(T)});
    if (Matter.Values)
      for (const std::string &Value : A.Values)
        Box.push_back({Value});
    if (Box.empty())
      return ""; // no arguments to depend on
    Boxes.push_back(std::move(Box));
  }
  if (Boxes.empty()) {
    refuse(Reason::NotYet, M.Loop->Begin,
           {"a template with arguments other than numbers and types of file scope that are "
            "declared in front of it"});
    return "";
  }
  std::vector<std::string> Each;
  for (const ArgumentBox &Box : merged(std::move(Boxes)))
    Each.push_back(conditionText(Box));
  if (is_contained(Each, "")) // every combination there is
    return "";
  if (Each.size() > 1)
    for (std::string &Text : Each)
      if (StringRef(Text).contains("&&"))
        Text = "(" + Text + ")";
  std::string In = Indent + Unit + Unit;
  return "static_assert(" + join(Each, " ||\n" + In + "          ") + ",\n" + In +
         "\"the pipelined loop was checked for these arguments\");\n" + Indent;
}

/// Gives every tile its stages: renames the declaration and adds a dimension in front.
/// More than two stages are counted in several places: by one constant, where that can be declared
/// in front of the tiles.
void Emitter::nameStageCount() {
  if (P.Stages < 3 || P.Dynamic || P.Beside)
    return;
  const SourceManager &SM = Context.getSourceManager();
  const DeclStmt *FirstOne = nullptr;
  for (const auto &B : M.Buffers) {
    if (!B->Decl->isStaticLocal() || !B->Statement || B->Decl->getLocation().isMacroID() ||
        !statementRange(B->Statement, Context))
      return;
    if (auto It = Given.Staged.find(B->Decl->getLocation()); It != Given.Staged.end()) {
      // Of another loop, which has declared one.
      if (It->second.Stages != P.Stages || It->second.Count.empty())
        return;
      Loop.StageCount = It->second.Count;
    } else if (!FirstOne ||
               SM.isBeforeInTranslationUnit(B->Statement->getBeginLoc(), FirstOne->getBeginLoc())) {
      FirstOne = B->Statement;
    }
  }
  if (!Loop.StageCount.empty())
    return;
  const auto R = FirstOne ? statementRange(FirstOne, Context) : std::nullopt;
  // On a line of its own, else the constant would stand behind something; and where no jump leads
  // past it.
  struct Jumps : ConstDynamicRecursiveASTVisitor {
    const DeclStmt *Over;
    bool Found = false, In = false;
    bool TraverseSwitchStmt(const SwitchStmt *S) override {
      const bool Outer = std::exchange(In, true);
      const bool Result = ConstDynamicRecursiveASTVisitor::TraverseSwitchStmt(S);
      In = Outer;
      return Result;
    }
    bool VisitDeclStmt(const DeclStmt *S) override {
      Found |= S == Over && In;
      return true;
    }
    bool VisitLabelStmt(const LabelStmt *) override {
      Found = true;
      return true;
    }
  } J;
  J.Over = FirstOne;
  J.TraverseStmt(M.Loop->Function->getBody());
  if (J.Found || !R || !File.slice(lineStart(File, R->Begin), R->Begin).trim().empty())
    return;
  StageCountAt = FirstOne;
  Loop.StageCount = fresh("STAGES");
}

void Emitter::declareStages() {
  const SourceManager &SM = Context.getSourceManager();
  std::set<const DeclStmt *> Aligned;
  bool CountDeclared = false;
  for (const auto &B : M.Buffers) {
    const VarDecl *Var = B->Decl;
    std::string Name = Var->getNameAsString();
    if (B->DeclaredInLoop) {
      // It moves in front of the loop; the name must mean the same there.
      struct Visitor : ConstDynamicRecursiveASTVisitor {
        StringRef Name;
        const VarDecl *Var;
        bool Clash = false;
        bool VisitVarDecl(const VarDecl *V) override {
          Clash |= V != Var && V->getIdentifier() && V->getName() == Name;
          return true;
        }
      } V;
      V.Name = Name;
      V.Var = Var;
      V.TraverseDecl(M.Loop->Function);
      if (V.Clash)
        refuse(Reason::SharedDeclForm, Var->getLocation(),
               {Name, "another variable of the function has this name"});
    }
    if (P.Stages < 2)
      continue;
    staysVisible(Var);
    if (P.Dynamic) {
      nameDynamicStages(*B);
      continue;
    }
    if (P.Beside) {
      if (MoreStages.empty())
        nameStagesBeside();
      StageArray[Var] = fresh(Name + "_first");
      continue;
    }
    if (Var->getLocation().isMacroID() || !B->Statement || !statementRange(B->Statement, Context) ||
        !isInMainFile(SM, Var->getLocation())) {
      refuse(Reason::MacroText, Var->getLocation(), {"the declaration of '" + Name + "'"});
      continue;
    }
    const uint64_t Alignment = alignmentOfStages(*B);
    if (B->Bytes % Alignment != 0) {
      const bool Declared = uint64_t(Context.getDeclAlign(Var).getQuantity()) == Alignment;
      refuse(Reason::SharedDeclForm, Var->getLocation(),
             {Name, "its " + std::to_string(B->Bytes) + " bytes are no multiple of the " +
                        std::to_string(Alignment) + " bytes to which it is " +
                        (Declared ? "declared" : "accessed") + " aligned"});
      continue;
    }
    unsigned Stages = P.Stages;
    if (auto It = Given.Staged.find(Var->getLocation()); It != Given.Staged.end()) {
      StageArray[Var] = It->second.Name;
      Stages = It->second.Stages;
      if (Stages < P.Stages) {
        refuse(Reason::SharedDeclForm, Var->getLocation(),
               {Name, "another loop has given it " + std::to_string(Stages) + " stages"});
        continue;
      }
    } else {
      StageArray[Var] = fresh(Name + "_stages");
      Out.Names.Staged[Var->getLocation()] = {StageArray[Var], Stages, Loop.StageCount};
      if (B->Statement == StageCountAt && !CountDeclared) {
        CountDeclared = true;
        const auto R = statementRange(StageCountAt, Context);
        Edited.replace({R->Begin, R->Begin}, "constexpr int " + Loop.StageCount + " = " +
                                                 std::to_string(Stages) + ";\n" +
                                                 indentAt(R->Begin));
      }
    }
    sizesOfStage(*B->Statement);
    // `alignas(16) float s[N]` is aligned, but not what stands behind N floats.
    if (M.Loop->IsTemplate &&
        Alignment > uint64_t(Context.getTypeAlignInChars(Var->getType()).getQuantity()))
      StageAsserts += Indent + "static_assert(sizeof(" + StageArray[Var] + "[0]) % " +
                      std::to_string(Alignment) + " == 0, \"every stage keeps the alignment\");\n";
    // Outside of the loop the first stage stands for it.
    if ((B->usedOutside() || staysBeside()) && !B->DeclaredInLoop) {
      const auto R = statementRange(B->Statement, Context);
      const unsigned End = withTrailingComment(*R).End;
      Edited.replace({End, End}, "\n" + indentAt(R->Begin) + "auto &" + Name + " = " +
                                     StageArray[Var] + "[0];");
    }
    unsigned At = SM.getFileOffset(Var->getLocation());
    // Two loops that use one tile both say so, in the same words.
    const auto Known = Given.Staged.find(Var->getLocation());
    const bool ByName =
        Known != Given.Staged.end() ? !Known->second.Count.empty() : StageCountAt != nullptr;
    const std::string Count =
        Known != Given.Staged.end() && ByName ? Known->second.Count : Loop.StageCount;
    std::string Declared = ByName ? Count : std::to_string(Stages);
    if (MutatorOfTests)
      MutatorOfTests->declaredStages(Declared, Stages);
    Edited.replace({At, At + unsigned(Name.size())}, StageArray[Var] + "[" + Declared + "]");
    uint64_t Natural = Context.getDeclAlign(Var).getQuantity();
    if (Alignment > Natural && Aligned.insert(B->Statement).second) {
      uint64_t Strictest = Alignment;
      for (const auto &Other : M.Buffers)
        if (Other->Statement == B->Statement)
          Strictest = std::max(Strictest, alignmentOfStages(*Other));
      const unsigned Place = SM.getFileOffset(B->Statement->getBeginLoc());
      if (auto It = Given.Aligned.find(Place); It == Given.Aligned.end()) {
        Out.Names.Aligned[Place] = Strictest;
      } else if (It->second < Strictest) {
        refuse(Reason::SharedDeclForm, Var->getLocation(),
               {Name, "another loop needs it aligned to " + std::to_string(It->second) +
                          " bytes, and this one to " + std::to_string(Strictest)});
        continue;
      } else {
        Strictest = It->second;
      }
      auto R = statementRange(B->Statement, Context);
      size_t Keyword = R ? File.slice(R->Begin, R->End).find("__shared__") : StringRef::npos;
      if (Keyword == StringRef::npos) {
        refuse(Reason::MacroText, Var->getLocation(), {"'__shared__' of '" + Name + "'"});
        continue;
      }
      unsigned After = R->Begin + Keyword + strlen("__shared__");
      Edited.replace({After, After}, " __align__(" + std::to_string(Strictest) + ")");
    }
  }
}

/// `// 16 * 64 floats = 4 KB`, beside or above a declaration, is now said of one stage of it.
void Emitter::sizesOfStage(const Stmt &Declaration) {
  const auto R = statementRange(&Declaration, Context);
  if (!R)
    return;
  static const Regex Size("[0-9] ?([KMkm]i?B|[Bb]ytes?|B)([^A-Za-z0-9]|$)");
  const unsigned AboveBegin = commentsAbove(R->Begin).Begin,
                 BesideEnd = withTrailingComment(*R).End;
  for (const auto &[From, To] : Source.Comments) {
    const bool Beside = From >= R->End && To <= BesideEnd;
    const bool Above = From >= AboveBegin && To <= R->Begin;
    const StringRef Comment = File.slice(From, To).rtrim();
    if ((!Beside && !Above) || !Comment.starts_with("//") || !Size.match(Comment))
      continue;
    const unsigned End = From + unsigned(Comment.size());
    if (none_of(Edited.all(), [&](const auto &Other) {
          return Other.first.Begin == End && Other.first.End == End;
        }))
      Edited.replace({End, End}, Comment.ends_with(".") ? " (Each stage.)" : " (each stage)");
  }
}

/// All threads of the block take part; what was written before is seen by all of them. \p
/// Statement: with `@stage@` for the element of a stage.
std::string Emitter::carry(const TileBuffer &B, const std::string &At, std::string Statement) {
  const std::string Each = fresh("element"), &Stages = StageArray[B.Decl];
  unsigned Rank = 0;
  for (QualType T = B.Decl->getType(); const auto *Array = Context.getAsConstantArrayType(T);
       T = Array->getElementType())
    ++Rank;
  std::string First, Size;
  for (unsigned I = 0; I < Rank; ++I)
    First += "[0]";
  // A structure of arrays would be one thread's work.
  constexpr int64_t Vector = 16;
  std::string Word;
  const QualType Base = Context.getBaseElementType(B.Decl->getType());
  if (Context.getTypeSizeInChars(Base).getQuantity() > Vector)
    Word = Context.getTypeAlignInChars(Base).getQuantity() % 4 == 0 ? "unsigned" : "unsigned char";
  Size = Word.empty() ? Stages + "[0]" + First : Word;
  auto Element = [&](const std::string &Which) {
    const std::string Of = Stages + "[" + Which + "]";
    if (!Word.empty())
      return "reinterpret_cast<" + Word + " *>(&" + Of + ")[" + Each + "]";
    return Rank == 1 ? Of + "[" + Each + "]" : "(&" + Of + First + ")[" + Each + "]";
  };
  for (size_t Open; (Open = Statement.find('@')) != std::string::npos;) {
    const size_t Close = Statement.find('@', Open + 1);
    Statement.replace(Open, Close + 1 - Open,
                      Element(Statement.substr(Open + 1, Close - Open - 1)));
  }
  return At + "for (unsigned " + Each + " = " +
         oursIn("threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)") + ";\n" +
         At + "     " + Each + " < sizeof(" + Stages + "[0]) / sizeof(" + Size + "); " + Each +
         " += " + oursIn("blockDim.x * blockDim.y * blockDim.z") + ")\n" + At + Unit + Statement +
         "\n";
}

LoopParts Emitter::carryIn() {
  std::string Text;
  for (const auto &B : M.Buffers)
    if (any_of(P.Carried,
               [&](const CarriedTile &C) { return C.In && C.Tile == B->Decl->getLocation(); })) {
      std::string Others, To = "1";
      if (P.Stages > 2) {
        To = Loop.Stage;
        Others = "for (int " + To + " = 1; " + To + " < " + Loop.count() + "; ++" + To + ")\n" +
                 Indent + Unit + Unit;
      }
      Text += carry(*B, Indent, Others + "@" + To + "@ = @0@;");
    }
  if (Text.empty())
    return entryBarrier();
  const LoopPart Barrier = LoopPart::barrier(barrierText(M.BarrierFirst ? 1 : 0));
  return {LoopPart::comment("Every stage begins with what the tile holds."), Barrier,
          LoopPart::carry(std::move(Text)), Barrier, LoopPart::blank()};
}

LoopParts Emitter::carryBack() {
  const std::string Last = Loop.count(1), &Stage = Loop.Stage;
  const std::string Which =
      P.Stages == 2 ? Last : Stage + " == 0 ? " + Last + " : " + Stage + " - 1";
  std::string Text;
  for (const auto &B : M.Buffers)
    if (any_of(P.Carried,
               [&](const CarriedTile &C) { return C.Back && C.Tile == B->Decl->getLocation(); }))
      Text += carry(*B, Indent + Unit, "@0@ = @" + Which + "@;");
  if (Text.empty())
    return {};
  // In the first stage it is already where the last iteration had that one.
  const bool Several = StringRef(Text).count("for (") > 1;
  return {LoopPart::comment(
              "Epilogue: behind the loop the tile holds what the last iteration has left."),
          LoopPart::carry(Indent + "if (" + Stage + " != 1)" +
                          (Several ? " {\n" + Text + Indent + "}\n" : "\n" + Text)),
          LoopPart::barrier(barrierText(1))};
}

template <typename Fn> static void forEachToken(const std::string &Text, Fn Do) {
  LangOptions Options;
  Options.CPlusPlus = true;
  Options.LineComment = true;
  Lexer Lex(SourceLocation(), Options, Text.data(), Text.data(), Text.data() + Text.size());
  Token T;
  for (Lex.LexFromRawLexer(T); T.isNot(tok::eof); Lex.LexFromRawLexer(T))
    Do(T, unsigned(Lex.getBufferLocation() - Text.data()) - T.getLength());
}

/// The places of the identifier \p Name in \p Text, which are not members or in namespaces.
static std::vector<unsigned> placesOf(StringRef Name, const std::string &Text) {
  std::vector<unsigned> Places;
  tok::TokenKind Before = tok::unknown;
  forEachToken(Text, [&](const Token &T, unsigned At) {
    if (T.is(tok::raw_identifier) && T.getRawIdentifier() == Name &&
        !is_contained({tok::period, tok::arrow, tok::coloncolon}, Before))
      Places.push_back(At);
    Before = T.getKind();
  });
  return Places;
}

/// `auto &tile = tile_stages[stage];` stands at the top of the body, and of what is made of the
/// load phase.
void Emitter::staysVisible(const VarDecl *Var) {
  for (const Stmt *S : M.Loop->Body->body())
    if (const auto *Declaration = dyn_cast<DeclStmt>(S))
      for (const clang::Decl *D : Declaration->decls())
        if (const auto *Named = dyn_cast<NamedDecl>(D);
            Named && Named != Var && Named->getIdentifier() == Var->getIdentifier())
          refuse(Reason::SharedDeclForm, Named->getLocation(),
                 {Var->getNameAsString(), "another declaration in the loop has this name"});
}

/// A token that the preprocessor has made: pasted, or out of a number of its own.
static bool hasMadeTokens(const Stmt *S, const SourceManager &SM) {
  return S && (SM.isWrittenInScratchSpace(SM.getSpellingLoc(S->getBeginLoc())) ||
               any_of(S->children(), [&](const Stmt *Child) { return hasMadeTokens(Child, SM); }));
}

/// A branch that no instantiation takes leaves nothing in the syntax tree, and stays in the text;
/// so does what a pack expands to.
void Emitter::wholeLoadPhase() {
  if (!M.Loop->IsTemplate)
    return;
  const std::string Text = File.slice(LoadText.Begin, Barrier0.Begin).str();
  StringRef Before;
  forEachToken(Text, [&](const Token &T, unsigned At) {
    const StringRef Here = StringRef(Text).substr(At, T.getLength());
    if (Here == "constexpr" && Before == "if")
      refuse(Reason::NotYet, M.Loop->Begin, {"'if constexpr' in the load phase"});
    else if (T.is(tok::ellipsis) && Before != "sizeof")
      refuse(Reason::NotYet, M.Loop->Begin, {"a pack expansion in the load phase"});
    Before = Here;
  });
}

/// What steps from tile to tile also stands where no tile has its stage.
void Emitter::stepsNameNoTile() {
  auto HasStages = [&](const VarDecl *Var) {
    return StageArray.count(Var) ||
           any_of(M.Views, [&](const TileView &V) { return V.Var == Var; });
  };
  for (const Advance &A : M.Advances) {
    if (!A.LoadSide && A.Segment > 0)
      continue;
    for (const VarDecl *Var : mentionedVars(A.Statement))
      if (HasStages(Var))
        refuse(Reason::LoadForm, A.Statement->getBeginLoc(),
               {"a step that names '" + Var->getNameAsString() + "'"});
  }
}

/// One of \p Names that the function declares anew between the two offsets; null if there is none.
const NamedDecl *Emitter::declaredAnew(const std::set<std::string> &Names, unsigned From,
                                       unsigned To) const {
  struct Visitor : ConstDynamicRecursiveASTVisitor {
    const std::set<std::string> &Names;
    unsigned From, To;
    const SourceManager &SM;
    const NamedDecl *Found = nullptr;
    Visitor(const std::set<std::string> &Names, unsigned From, unsigned To, const SourceManager &SM)
        : Names(Names), From(From), To(To), SM(SM) {
      ShouldVisitImplicitCode = true;
    }
    bool VisitNamedDecl(const NamedDecl *D) override {
      const SourceLocation At = SM.getExpansionLoc(D->getLocation());
      if (At.isInvalid() || !isInMainFile(SM, At) || SM.getFileOffset(At) < From ||
          SM.getFileOffset(At) >= To)
        return true;
      // `using namespace n;` may declare any of them.
      if (isa<UsingDirectiveDecl>(D) || (D->getIdentifier() && Names.count(D->getNameAsString())))
        Found = D;
      return !Found;
    }
  } V(Names, From, To, Context.getSourceManager());
  V.TraverseStmt(M.Loop->Function->getBody());
  return V.Found;
}

/// The text of \p S moves, past those declarations of the load phase that \p Passes holds for.
void Emitter::meansTheSame(const Stmt *S, function_ref<bool(const Stmt *)> Passes) {
  const auto R = statementRange(S, Context);
  if (!R)
    return refuse(Reason::MacroText, S->getBeginLoc(), {"this statement"});
  const std::set<std::string> Names = namesIn(*R);
  for (const Stmt *Other : M.Segments[0]) {
    if (Other == S || !isa<DeclStmt>(Other) || !Passes(Other))
      continue;
    const auto There = statementRange(Other, Context);
    if (!There)
      refuse(Reason::MacroText, Other->getBeginLoc(), {"this statement"});
    else if (declaredAnew(Names, There->Begin, There->End))
      refuse(Reason::NotYet, Other->getBeginLoc(),
             {"a declaration that gives another meaning to a name in the load phase"});
  }
}

bool Emitter::isBehind(const Stmt *A, const Stmt *B) const {
  return Context.getSourceManager().isBeforeInTranslationUnit(B->getBeginLoc(), A->getBeginLoc());
}

/// They are declared where the tiles get their stages, and in the same words.
void Emitter::removeViews() {
  const SourceManager &SM = Context.getSourceManager();
  const DeclStmt *Last = nullptr;
  for (const TileView &V : M.Views) {
    const std::string Name = V.Var->getNameAsString();
    staysVisible(V.Var);
    if (V.Statement == Last)
      continue;
    Last = V.Statement;
    const auto R = statementRange(V.Statement, Context);
    if (!R || V.Var->getLocation().isMacroID() || !isInMainFile(SM, V.Var->getLocation())) {
      refuse(Reason::MacroText, V.Var->getLocation(), {"the declaration of '" + Name + "'"});
      continue;
    }
    if (const NamedDecl *D = declaredAnew(namesIn(*R), R->End, BodyOpen))
      refuse(Reason::SharedDeclForm, D->getLocation(),
             {Name, isa<UsingDirectiveDecl>(D)
                        ? "'using namespace' stands behind it"
                        : "another '" + D->getNameAsString() + "' is declared behind it"});
    if (!meantByPlace(V.Statement, Context).empty() || hasMadeTokens(V.Statement, SM))
      refuse(Reason::SharedDeclForm, V.Var->getLocation(),
             {Name, "it says where it stands (__LINE__, __COUNTER__, __func__)"});
    // It may stand under a condition, or macros may mean something else behind it.
    for (const SourceText::Directive &D : Source.Directives)
      if (D.Begin > R->Begin && D.Begin < LoopText.Begin && D.Name != "pragma") {
        refuse(Reason::NotYet, V.Var->getLocation(),
               {"a preprocessor directive between '" + Name +
                "', which points into a tile, and the loop"});
        break;
      }
    remove(V.Statement, Edited, true);
  }
}

/// `unsigned char bytes[16];` that is written as one uint4: while all of it was in registers its
/// place did not matter. A lambda knows it by reference.
void Emitter::alignStaging() {
  MapVector<const VarDecl *, uint64_t> Wanted;
  for (const Access &A : M.Facts->Segment[0].Accesses)
    for (const MemoryRoot &R : A.Roots)
      if (const auto *Var = dyn_cast_or_null<VarDecl>(R.Decl);
          Var && R.In == Space::Local && Var->hasLocalStorage() && !isa<ParmVarDecl>(Var) &&
          !Var->getType()->isReferenceType() && !M.Facts->DeclaredInBody.count(Var) &&
          A.Alignment > uint64_t(Context.getDeclAlign(Var).getQuantity()))
        Wanted[Var] = std::max(Wanted[Var], A.Alignment);
  if (Wanted.empty())
    return;
  struct Visitor : ConstDynamicRecursiveASTVisitor {
    DeclMap<VarDecl, const DeclStmt *> Of;
    bool VisitDeclStmt(const DeclStmt *S) override {
      for (const clang::Decl *D : S->decls())
        if (const auto *Var = dyn_cast<VarDecl>(D))
          Of[Var] = S;
      return true;
    }
  } V;
  V.TraverseStmt(M.Loop->Function->getBody());
  MapVector<const DeclStmt *, uint64_t> Strictest;
  for (const auto &[Var, Alignment] : Wanted)
    if (const DeclStmt *S = V.Of[Var])
      Strictest[S] = std::max(Strictest[S], Alignment);
  for (const auto &[S, Alignment] : Strictest) {
    const auto R = statementRange(S, Context);
    if (!R) {
      refuse(Reason::MacroText, S->getBeginLoc(), {"a declaration that is to be aligned"});
      continue;
    }
    Edited.replace({R->Begin, R->Begin}, "__align__(" + std::to_string(Alignment) + ") ");
  }
}

//===-- The load side's state ---------------------------------------------------===//

std::string Emitter::loadStateDeclarations() {
  std::string Text;
  if (StartsPlainly)
    return Text;
  // Start values by header variable.
  DeclMap<VarDecl, const Expr *> Start;
  std::vector<const VarDecl *> StartOrder;
  if (const auto *Decl = dyn_cast_or_null<DeclStmt>(M.Loop->start())) {
    for (const clang::Decl *D : Decl->decls())
      if (const auto *Var = dyn_cast<VarDecl>(D); Var && Var->hasInit()) {
        Start[Var] = Var->getInit();
        StartOrder.push_back(Var);
      }
  } else if (const auto *E = dyn_cast_or_null<Expr>(M.Loop->start())) {
    std::vector<const Expr *> Work = {E};
    while (!Work.empty()) {
      const Expr *W = Work.back()->IgnoreParens();
      Work.pop_back();
      if (const auto *Op = dyn_cast<BinaryOperator>(W)) {
        if (Op->getOpcode() == BO_Comma) {
          Work.push_back(Op->getRHS());
          Work.push_back(Op->getLHS());
          continue;
        }
        if (Op->getOpcode() == BO_Assign)
          if (const VarDecl *Var = referencedVar(Op->getLHS())) {
            Start[Var] = Op->getRHS();
            StartOrder.push_back(Var);
            continue;
          }
      }
      refuse(Reason::LoopForm, W->getExprLoc(), {"its first part is not a plain assignment"});
    }
  }
  // In the order of the header, since a later start value may use an earlier one.
  std::vector<const VarDecl *> Order;
  for (const VarDecl *V : Split)
    if (!Start.count(V))
      Order.push_back(V);
  for (const VarDecl *V : StartOrder)
    if (Split.count(V))
      Order.push_back(V);
  for (const VarDecl *V : Order) {
    // What the header declares without a value has none, and no name in front of the loop.
    std::string Init = Start.count(V)                 ? renamed(Start[V])
                       : declares(M.Loop->start(), V) ? ""
                                                      : V->getNameAsString();
    Text += Indent + typeText(V);
    if (!StringRef(Text).ends_with("*"))
      Text += " ";
    Text += LoadName[V] + (Init.empty() ? "" : " = " + Init) + ";\n";
  }
  return Text;
}

LoopParts Emitter::onlyIf(std::string Condition, LoopParts Body) {
  if (Condition.empty())
    return Body;
  return {LoopPart::onlyIf(std::move(Condition), std::move(Body))};
}

std::string Emitter::asInitializer(const std::string &Condition) const {
  const Expr *E = M.Loop->condition()->IgnoreParenImpCasts();
  const auto *Op = dyn_cast<BinaryOperator>(E);
  // A class may say explicitly that it is good as a condition.
  if (E->getType()->isRecordType() || isa<CXXMemberCallExpr>(E))
    return "static_cast<bool>(" + Condition + ")";
  return Op && (Op->isAssignmentOp() || Op->getOpcode() == BO_Comma) ? "(" + Condition + ")"
                                                                     : Condition;
}

std::string Emitter::condition() {
  const std::string Turned = firstComparison();
  return Turned.empty() ? renamed(M.Loop->condition()) : Turned;
}

std::string Emitter::stepLoadSide() {
  if (!M.Loop->step())
    return "";
  std::string Step;
  // Without what is the main loop's own: a part may read a counter of both, and set what the
  // compute phase alone uses.
  const std::vector<const Expr *> Parts = stepParts();
  auto Own = [&](const Expr *Part) {
    bool Sets = false, SetsOthers = false;
    for (const Access &A : M.Facts->Collector->collect(Part).Accesses)
      for (const MemoryRoot &R : A.Roots)
        if (A.Write)
          (isa_and_nonnull<VarDecl>(R.Decl) && Split.count(cast<VarDecl>(R.Decl)) ? Sets
                                                                                  : SetsOthers) =
              true;
    if (Sets && SetsOthers)
      refuse(Reason::NotYet, Part->getExprLoc(),
             {"a step that sets something of the load phase and something that is not its own at "
              "once"});
    return Sets;
  };
  if (all_of(Parts, Own))
    Step = renamed(M.Loop->step());
  else
    for (const Expr *Part : Parts)
      if (Own(Part))
        Step += (Step.empty() ? "" : ", ") + renamed(Part);
  return Step + ";";
}

LoopParts Emitter::stepPart() {
  std::string Step = stepLoadSide();
  if (Step.empty())
    return {};
  return {LoopPart::stepLoad(std::move(Step))};
}

/// One update per header variable, each of itself alone: `t + 1`, `k + BK`. Empty where the loop
/// steps in another way
/// (`++t, ++t`).
std::vector<Emitter::PlainStep> Emitter::plainSteps() {
  std::vector<PlainStep> Steps;
  for (const Expr *Part : stepParts()) {
    const Expr *E = Part->IgnoreParens();
    const auto *Binary = dyn_cast<BinaryOperator>(E);
    const VarDecl *Var = nullptr;
    std::string Value, By;
    if (const auto *Unary = dyn_cast<UnaryOperator>(E); Unary && Unary->isIncrementDecrementOp()) {
      Var = referencedVar(Unary->getSubExpr());
      if (Var)
        By = Unary->isIncrementOp() ? " + 1" : " - 1";
    } else if (Binary && Binary->isAssignmentOp()) {
      Var = referencedVar(Binary->getLHS());
      bool OtherState = any_of(M.Facts->Collector->collect(Binary->getRHS()).Accesses,
                               [](const Access &A) { return A.Write; });
      for (const VarDecl *V : HeaderVars)
        OtherState |= V != Var && mentions(Binary->getRHS(), V);
      if (Var && !OtherState) {
        if (Binary->getOpcode() == BO_AddAssign)
          By = " + " + operandText(Binary->getRHS());
        else if (Binary->getOpcode() == BO_SubAssign)
          By = " - " + operandText(Binary->getRHS());
        else if (Binary->getOpcode() == BO_Assign)
          Value = expressionText(Binary->getRHS());
      }
    }
    if (Var && HeaderVars.count(Var) && !LoadName.count(Var) && M.Split.count(Var))
      continue; // the main loop's own
    if (Var && !By.empty())
      Value = Var->getNameAsString() + By;
    if (!Var || Value.empty() || !LoadName.count(Var) ||
        any_of(Steps, [&](const PlainStep &Step) { return Step.Var == Var; }))
      return {};
    Steps.push_back({Var, std::move(Value), std::move(By)});
  }
  return Steps;
}

LoopPart Emitter::stepToNext() {
  LoopPart Next;
  Next.What = LoopPart::Kind::Next;
  for (PlainStep &Step : plainSteps()) {
    std::string Type;
    if (StartsPlainly) {
      Type = typeText(Step.Var);
      Type = Step.Var->getType()->isPointerType() ? Type + "const " : "const " + Type + " ";
    }
    Next.Values.push_back({std::move(Type), LoadName[Step.Var], Step.Var->getNameAsString(),
                           std::move(Step.Value), std::move(Step.By)});
  }
  if (!Next.Values.empty())
    return Next;
  for (const VarDecl *V : Split)
    Next.Declares += LoadName[V] + " = " + V->getNameAsString() + "; ";
  Next.Text = stepLoadSide();
  return Next;
}

bool Emitter::mentions(const Stmt *S, const VarDecl *V) {
  struct Visitor : ConstDynamicRecursiveASTVisitor {
    const VarDecl *V;
    bool Found = false;
    bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
      Found |= Ref->getDecl() == V;
      return !Found;
    }
  } Vis;
  Vis.V = V;
  Vis.TraverseStmt(S);
  return Vis.Found;
}

std::string Emitter::parameters(ArrayRef<const VarDecl *> Vars, bool WithStage) {
  std::string Text = WithStage ? "int " + Loop.Stage : "";
  for (const VarDecl *V : Vars) {
    if (!Text.empty())
      Text += ", ";
    bool ByReference = M.ChangedInLoad.count(V) != 0;
    for (const Advance &A : M.Advances)
      ByReference |= loadSide(A) && is_contained(A.Vars, V);
    std::string Type = typeText(V);
    if (!StringRef(Type).ends_with("*"))
      Type += " ";
    Text += Type + (ByReference ? "&" : "") + V->getNameAsString();
  }
  return Text;
}

std::vector<LoopArgument> Emitter::arguments(ArrayRef<const VarDecl *> Vars) {
  std::vector<LoopArgument> Out;
  for (const VarDecl *V : Vars)
    Out.push_back({loadName(V), V});
  return Out;
}

/// How the stages of every tile are spelt, in the order of the model.
void Emitter::nameTiles() {
  std::string Behind;
  for (const auto &B : M.Buffers) {
    StagedTile T;
    T.Name = B->Decl->getNameAsString();
    if (const auto It = StageArray.find(B->Decl); It != StageArray.end()) // else there is one
      T.Stages = It->second;
    if (asksForMemory()) {
      T.In = P.Dynamic ? StagedTile::Place::Dynamic : StagedTile::Place::Beside;
      T.Type = TileType;
      T.Bytes = StageBytes;
      T.More = MoreStages;
      T.BehindTiles = Behind;
      if (P.Beside)
        Behind += " + " + sizeText(*B, T.Stages);
    }
    Loop.Tiles.push_back(std::move(T));
  }
}

/// `auto &As = As_stages[Which];` for the tiles that are \p Named and those that views need, and
/// these behind them.
LoopParts Emitter::bind(function_ref<bool(const VarDecl *)> Named, Slot Of) {
  if (P.Stages < 2)
    return {};
  DeclSet<VarDecl> Needed;
  std::vector<const DeclStmt *> Statements;
  for (const TileView &V : reverse(M.Views))
    if (Needed.count(V.Var) || Named(V.Var)) {
      Needed.merge(mentionedVars(V.Statement));
      if (Statements.empty() || Statements.back() != V.Statement)
        Statements.push_back(V.Statement);
    }
  LoopParts Parts;
  for (size_t I = 0; I < M.Buffers.size(); ++I) {
    const VarDecl *Tile = M.Buffers[I]->Decl;
    if (!Needed.count(Tile) && !Named(Tile))
      continue;
    LoopPart Bind;
    Bind.What = LoopPart::Kind::Bind;
    Bind.Tile = I;
    Bind.Of = Of;
    Parts.push_back(std::move(Bind));
  }
  const std::string At = Indent + Unit;
  for (const DeclStmt *S : reverse(Statements))
    if (auto R = statementRange(S, Context))
      Parts.push_back(
          LoopPart::text((At + File.slice(R->Begin, withTrailingComment(*R).End) + "\n").str()));
  return Parts;
}

/// In what the text of a template says and this instantiation leaves out.
bool Emitter::isNamedElsewhere(const VarDecl *Var) const {
  return any_of(
      M.Facts->Function->once<HiddenMentions>([&] { return HiddenMentions(M.Loop->Function); }).All,
      [&](const HiddenMention &H) { return H.Var == Var; });
}

LoopParts Emitter::bindInLoad() {
  // Beside it the fetch has tiles of its own.
  const DeclSet<VarDecl> InStore = mixes() ? varsInHalf(Half::Store) : DeclSet<VarDecl>();
  auto Named = [&](const VarDecl *Var) {
    return isNamedElsewhere(Var) ||
           (mixes() ? InStore.count(Var) != 0
                    : any_of(M.Segments[0], [&](const Stmt *S) { return mentions(S, Var); }));
  };
  return bind(Named, Slot::current());
}

/// No element of a tile is asked for in the fetch, unless it starts copies, but its size: `i <
/// sizeof(As) / sizeof(As[0])`.
LoopParts Emitter::bindInFetch() {
  const DeclSet<VarDecl> Named = namedInFetch();
  return bind([&](const VarDecl *Var) { return Named.count(Var) != 0; },
              mixes() ? Slot::current() : Slot::number(0));
}

LoopParts Emitter::bindInCompute() {
  auto Named = [&](const VarDecl *Var) {
    for (unsigned I = 1; I < 3; ++I)
      for (const Stmt *S : M.Segments[I])
        if (mentions(S, Var))
          return true;
    return isNamedElsewhere(Var) ||
           any_of(M.SharedScalars, [&](const Stmt *S) { return mentions(S, Var); });
  };
  return bind(Named, Slot::current());
}

/// \p E in front of the loop, where a tile goes by the name of its stages.
std::string Emitter::withFirstStages(const Expr *E) {
  std::string With = operandText(E);
  if (staysBeside())
    return With; // the first stage is where the tile was
  for (const auto &[Tile, Stages] : StageArray) {
    const std::vector<unsigned> Places = placesOf(Tile->getName(), With);
    if (Places.empty() && mentions(E, Tile))
      refuse(Reason::MacroText, E->getExprLoc(),
             {"'" + Tile->getNameAsString() + "' in this expression"});
    for (unsigned Place : reverse(Places))
      With.replace(Place, Tile->getName().size(), Stages + "[0]");
  }
  return With;
}

std::set<const Stmt *> Emitter::neutralInCompute() const {
  std::vector<const Stmt *> Parts(M.SharedScalars);
  for (unsigned I = 1; I < 3; ++I)
    append_range(Parts, M.Segments[I]);
  for (const Advance &A : M.Advances)
    if (A.Segment == 0 && A.ComputeSide)
      Parts.push_back(A.Statement);
  return neutralFor(Parts);
}

/// What of segment 0 the compute slice runs too: scalars and its own advances.
std::string Emitter::computeTop(StringRef At) {
  std::string Text;
  const std::set<const Stmt *> Neutral = neutralInCompute();
  for (const Stmt *S : M.Segments[0]) {
    bool Keep = is_contained(M.SharedScalars, S) || Neutral.count(S);
    for (const Advance &A : M.Advances)
      Keep |= A.Statement == S && A.ComputeSide;
    if (Keep)
      Text += (At + statementText(S) + "\n").str();
  }
  return Text + movedStatements(At);
}

/// With their comments, and the stages in place of the tiles where they are named.
std::string Emitter::movedStatements(StringRef At) {
  std::string Text;
  for (const Stmt *S : M.MovedToCompute) {
    meansTheSame(S, [&](const Stmt *Other) { return isBehind(Other, S); });
    if (auto R = statementRange(S, Context))
      Text += (At + File.slice(withComments(*R).Begin, withComments(*R).End) + "\n").str();
  }
  return Text;
}

/// Variables around the loop that the half steps from tile to tile: "; each call steps A and B".
/// Empty: none.
std::string Emitter::advancesOf(Half H) {
  const DeclSet<VarDecl> Used = varsInHalf(H);
  std::vector<std::string> Names;
  for (const Advance &A : M.Advances)
    if (loadSide(A) && (A.Segment > 0 || keeps(A.Statement, H)))
      for (const VarDecl *V : A.Vars)
        if (Used.count(V) && !Split.count(V) && !is_contained(Names, V->getNameAsString()))
          Names.push_back(V->getNameAsString());
  if (Names.empty())
    return "";
  const std::string Last = Names.size() > 1 ? " and " + Names.back() : "";
  if (Names.size() > 1)
    Names.pop_back();
  return "; each call steps " + join(Names, ", ") + Last;
}

/// What the user has said, in the program's terms.
static std::string inWords(StringRef Assumption) {
  const AssumptionInfo *A = assumptionFromId(Assumption);
  return A ? A->Words.str() : "this holds";
}

std::string Emitter::assumptionsComment() {
  std::string Text;
  if (!P.RefusedFor.empty())
    Text = "// NOT SOUND, for tests only: refused for " + join(P.RefusedFor, ", ") + ".\n" + Indent;
  std::vector<std::string> Granted;
  for (const std::string &Name : P.Assumptions)
    if (Name != "file-errors")
      Granted.push_back(Name);
  if (Granted.size() != P.Assumptions.size())
    Text +=
        "// Rewritten although this file does not parse as a whole (--keep-going, file-errors).\n" +
        Indent;
  if (!Granted.empty())
    for (const std::string &Name : Granted)
      Text += "// Assumes that " + inWords(Name) + " (--assume=" + Name + ").\n" + Indent;
  return Text;
}

//===-- Edits -------------------------------------------------------------------===//

void Emitter::replaceLoopHead(const std::string &Text) {
  // Everything from the loop's keyword to the first barrier.
  std::string Lead, Tail;
  // What follows on the barrier's line must not look as if it were under the last `if`.
  unsigned End = Barrier0.End;
  StringRef Rest = File.slice(End, lineEnd(File, End));
  if (!Rest.trim().empty() && !Rest.ltrim().starts_with("//")) {
    End += static_cast<unsigned>(Rest.size() - Rest.ltrim().size());
    Tail = "\n" + Indent + Unit;
  }
  // What is said of the loop stays above it.
  unsigned Begin = LoopText.Begin;
  if (const TextRange Above = commentsOfLoop(); Above.Begin < Above.End)
    Begin = Above.Begin + unsigned(File.slice(Above.Begin, Above.End).find_first_not_of(" \t"));
  // A pragma, or a comment, at the beginning of its line says nothing about the indentation.
  StringRef Before = File.slice(lineStart(File, Begin), Begin);
  if (Before.empty())
    Lead = Indent;
  else if (!Before.trim().empty())
    Lead = "\n" + Indent;
  Edited.replace({Begin, End}, Lead + (bracesOfTheirOwn() ? "{\n" + Indent : "") +
                                   argumentsAssert() + Text + Tail);
}

/// \p R with a comment behind it that ends with the line.
TextRange Emitter::withTrailingComment(TextRange R) const {
  unsigned End = lineEnd(File, R.End);
  auto First = partition_point(Source.Comments, [&](const auto &C) { return C.first < R.End; });
  for (auto It = First; It != Source.Comments.end() && It->first < End; ++It)
    if (TextRange C = {It->first, It->second}; C.Begin >= R.End && C.End <= End &&
                                               File.slice(R.End, C.Begin).trim().empty() &&
                                               File.slice(C.End, End).trim().empty())
      R.End = C.Begin + File.slice(C.Begin, C.End).rtrim().size();
  return R;
}

/// What was said of the barrier must not be said of what takes its place.
void Emitter::replaceTrailingBarrier(const std::string &Text) {
  if (!M.BarrierFirst) {
    const TextRange R = withComments(Barrier1);
    if (Text != File.slice(R.Begin, R.End))
      Edited.replace(R, Text);
  } else if (!Text.empty()) {
    // At the end of the body, where nothing stands for it.
    const unsigned Brace = Context.getSourceManager().getFileOffset(M.Loop->Body->getRBracLoc());
    StringRef Inside = File.take_front(Brace).rtrim();
    const bool OwnLine = File.slice(lineStart(File, Brace), Brace).trim().empty();
    Edited.replace({unsigned(Inside.size()), unsigned(Inside.size())},
                   "\n" + Indent + Unit + Text + (OwnLine ? "" : "\n" + Indent));
  }
}

/// In front of the first tile, for a loop that begins with a barrier: what was done before the loop
/// comes before it.
LoopParts Emitter::entryBarrier() const {
  if (!M.BarrierFirst || !P.EntryBarrier)
    return {};
  return {LoopPart::barrier(barrierText(1))};
}

std::string Emitter::barrierText(unsigned I) const {
  // `block.sync()` of a group that the body makes.
  if (any_of(mentionedVars(M.Barriers[I]), [&](const VarDecl *Var) {
        return M.Facts->DeclaredInBody.count(Var) || declares(M.Loop->start(), Var);
      }))
    return "__syncthreads();";
  const TextRange &R = I == 0 ? Barrier0 : Barrier1;
  return File.slice(R.Begin, R.End).str();
}

std::string Emitter::barrierComment(StringRef At) const {
  if (BarrierComment.empty())
    return "";
  SmallVector<StringRef, 4> Lines;
  StringRef(BarrierComment).split(Lines, '\n');
  // The lines of a block comment keep their places to each other.
  const bool OfLines = all_of(Lines, [](StringRef Line) { return Line.ltrim().starts_with("//"); });
  std::string Text;
  for (StringRef Line : Lines)
    Text += (Text.empty() || OfLines ? At.str() + Line.ltrim().str() : Line.str()) + "\n";
  return Text;
}

/// At its own place, with what is said of it.
std::string Emitter::trailingBarrierText() const {
  const std::string Text = barrierText(1);
  if (Text != File.slice(Barrier1.Begin, Barrier1.End))
    return Text;
  const TextRange R = withComments(Barrier1);
  return File.slice(R.Begin, R.End).str();
}

/// The statement with the comment lines above it and the comment behind it, when they have their
/// lines for themselves.
TextRange Emitter::withComments(TextRange R) const {
  R = withTrailingComment(R);
  TextRange Above = commentsAbove(R.Begin);
  if (Above.Begin < Above.End)
    R.Begin = Above.Begin + File.slice(Above.Begin, Above.End).find_first_not_of(" \t");
  return R;
}

/// Whole lines with nothing but a comment, directly above the line of \p At; empty where something
/// else stands in front of \p At.
TextRange Emitter::commentsAbove(unsigned At) const {
  unsigned Line = lineStart(File, At);
  TextRange R = {Line, Line};
  if (!File.slice(Line, At).trim().empty())
    return R;
  // Inside of the loop, or in front of it.
  unsigned Limit = At > BodyOpen ? BodyOpen : 0;
  auto Behind =
      partition_point(Source.Comments, [&](const auto &C) { return C.second <= R.Begin; });
  for (auto [From, To] :
       reverse(ArrayRef(Source.Comments).take_front(Behind - Source.Comments.begin()))) {
    TextRange C = {From, To};
    if (C.End > R.Begin)
      continue;
    unsigned Begin = lineStart(File, C.Begin);
    // Its lines, the last one directly above, and nothing else on them.
    if (Begin < Limit || !File.slice(Begin, C.Begin).trim().empty() ||
        !File.slice(C.End, R.Begin).trim().empty() || File.slice(C.End, R.Begin).count('\n') != 1)
      break;
    R.Begin = Begin;
  }
  return R;
}

void Emitter::removeLoadOnlyAdvances() {
  for (const Advance &A : M.Advances)
    if (A.Segment > 0 && A.LoadSide && !A.ComputeSide)
      remove(A.Statement, Edited, true);
}

void Emitter::writeBehind() {
  std::string Out = "\n" + StringRef(Loop.print(Loop.Behind, Indent)).rtrim('\n').str() +
                    (bracesOfTheirOwn() ? "\n" + Indent + "}" : "");
  // What follows on the same line must not end up in a comment.
  const unsigned End = withTrailingComment({LoopText.End, LoopText.End}).End;
  if (!File.slice(End, lineEnd(File, End)).trim().empty())
    Out += "\n" + Indent;
  Edited.replace({End, End}, Out);
}

/// The mutated value, where a test asks for that, as text.
void Emitter::write() {
  if (MutatorOfTests)
    MutatorOfTests->loop(Loop, M, toString(P.Kind));
  replaceLoopHead(Loop.head());
  const std::string In = Indent + Unit;
  const std::string Tail = Loop.print(Loop.Tail, In);
  replaceTrailingBarrier(
      StringRef(Tail).drop_front(std::min(Tail.size(), In.size())).rtrim('\n').str());
  writeBehind();
}

EmitResult Emitter::run() {
  if (!locate())
    return std::move(Out);
  Loop.Stages = P.Stages;
  if (P.Kind == Variant::CpAsync || mixes()) {
    Loop.Commit = ours(Loop.Commit);
    Loop.Wait = ours(Loop.Wait);
  }
  names();
  wholeLoadPhase();
  declareStages();
  if (P.Stages > 1)
    stepsNameNoTile();
  if (P.Stages > 1 && !staysBeside()) // else the loop stays beside, and needs them
    removeViews();
  nameTiles();
  removeLoadOnlyAdvances();
  if (P.Kind != Variant::CpAsync)
    alignStaging();
  switch (P.Kind) {
  case Variant::CpAsync:
    emitAsync();
    break;
  case Variant::Ldg:
  case Variant::Mixed:
    emitLdg();
    break;
  case Variant::LdgSingle:
    emitLdgSingle();
    break;
  }
  if (!Loop.Front.empty()) // else it was refused before it was made
    write();
  computeFindsItsNames();
  if (staysBeside())
    keepLoopBeside();
  if (failed())
    return std::move(Out);
  sayWords();
  for (const auto &[R, Text] : Edited.all()) {
    // Declarations inside of the replaced head were moved along with it.
    bool Inside = false;
    for (const auto &[Other, OtherText] : Edited.all())
      if (R.Begin == R.End) // what is put in at its edge stays
        Inside |= Other.Begin < R.Begin && R.End < Other.End;
      else
        Inside |= &Other != &R && Other.Begin <= R.Begin && R.End <= Other.End &&
                  (Other.Begin != R.Begin || Other.End != R.End) &&
                  Other.End - Other.Begin > R.End - R.Begin;
    if (Inside)
      continue;
    // One kind of line ending.
    Out.Result.List.push_back({R.Begin, R.End - R.Begin, withLineBreaks(Text)});
  }
  llvm::stable_sort(Out.Result.List, [](const Edit &A, const Edit &B) {
    return std::make_pair(A.Offset, A.Length > 0) < std::make_pair(B.Offset, B.Length > 0);
  });
  // Two edits of one place would tear each other's text apart.
  for (size_t I = 1; I < Out.Result.List.size(); ++I)
    if (Out.Result.List[I].Offset < Out.Result.List[I - 1].Offset + Out.Result.List[I - 1].Length) {
      refuse(Reason::NotYet, M.Loop->Begin, {"text of this form around the loop's statements"});
      break;
    }
  Out.Result.Headers = P.Headers;
  if (any_of(Out.Result.List, [](const Edit &E) {
        return StringRef(E.Text).contains("std::is_") || StringRef(E.Text).contains("std::decay<");
      }))
    Out.Result.Headers.push_back("type_traits");
  return std::move(Out);
}

void Emitter::sayWords() {
  EmittedWords &W = Out.Words;
  for (const std::string *Name : {&LoadTile, &FetchTile, &StoreTile})
    if (!Name->empty()) {
      W.LoadFunctions.insert(*Name);
      W.Phases[*Name] = PhaseKind::Load;
    }
  for (const auto &[Load, Register] : Registers)
    W.Phases[Register.Declared] = PhaseKind::Load;
  W.Phases["__pipeline_commit"] = PhaseKind::Load;
  W.Phases["__pipeline_wait_prior"] = PhaseKind::Barrier;
  // A copy that keeps its name is the user's word, too.
  for (const auto &[Var, Name] : LoadName)
    if (Name != Var->getNameAsString())
      W.Phases[Name] = PhaseKind::Advance;
  if (!Loop.Stage.empty())
    W.Phases[Loop.Stage] = PhaseKind::Advance;
  for (const auto &[Var, Name] : StageArray)
    W.Tiles.insert(Name);
  for (unsigned I : {0, 1})
    if (M.Barriers[I])
      W.Barriers.push_back(barrierText(I));
}

EmitResult emit(const TileModel &Model, const FetchStore &Cut, const Plan &P, ASTContext &Context,
                const SourceText &Source, const GivenNames &Given) {
  return Emitter(Model, Cut, P, Context, Source, Given).run();
}

//===-- Applying ------------------------------------------------------------------===//

namespace {

/// A file's #include directives that are always active (outside of every conditional but an include
/// guard around the whole file) and outside of all braces.
struct IncludeLines {
  std::vector<std::pair<unsigned, std::string>> Active; ///< offset behind the line, header's name
  unsigned Top = 0; ///< behind the leading comments, `#pragma once` and the guard
  /// Where another header goes: behind the <headers> at the top, but in front of everything that
  /// may define macros, which could take its names away (`#define N 1024`).
  unsigned Insert = 0;
};

struct Directive {
  std::string Name, Rest;
  unsigned Next = 0;   ///< offset of the line behind it
  unsigned Braces = 0; ///< how deep in braces
};

/// What the preprocessor would see of the directives, as tokens: nothing inside of comments and
/// strings.
class DirectiveReader {
public:
  explicit DirectiveReader(StringRef Source) : Text(Source.str()) {
    LangOptions Options;
    Options.CPlusPlus = true;
    Options.LineComment = true;
    Lexer Lex(SourceLocation(), Options, Text.data(), Text.data(), Text.data() + Text.size());
    Lex.SetCommentRetentionState(true);
    bool First = true;
    Token T;
    Lex.LexFromRawLexer(T);
    auto Begin = [&] { return unsigned(Lex.getBufferLocation() - Text.data()) - T.getLength(); };
    while (T.isNot(tok::eof)) {
      unsigned At = Begin();
      if (T.is(tok::comment)) {
        // Behind a directive on its line: the line ends where the comment does.
        unsigned Behind = lineEnd(Text, At + T.getLength()) + 1;
        if (!List.empty() && At < List.back().Next)
          List.back().Next = std::max(List.back().Next, Behind);
        else if (First)
          LeadingComments = Behind;
      } else if (T.is(tok::hash) && T.isAtStartOfLine()) {
        First = false;
        Directive D;
        unsigned RestBegin = 0, RestEnd = At + 1;
        Lex.LexFromRawLexer(T);
        if (T.is(tok::raw_identifier) && !T.isAtStartOfLine()) {
          D.Name = T.getRawIdentifier().str();
          RestBegin = RestEnd = Begin() + T.getLength();
          Lex.LexFromRawLexer(T);
        }
        while (T.isNot(tok::eof) && !T.isAtStartOfLine() && T.isNot(tok::comment)) {
          RestEnd = Begin() + T.getLength();
          Lex.LexFromRawLexer(T);
        }
        if (RestBegin)
          D.Rest = StringRef(Text).slice(RestBegin, RestEnd).trim().str();
        D.Next = lineEnd(Text, RestEnd) + 1;
        D.Braces = Braces;
        List.push_back(std::move(D));
        CodeBehind = false;
        continue; // T is the next token already
      } else {
        First = false;
        CodeBehind = true;
        CodeInFront |= List.empty();
        Braces += T.is(tok::l_brace);
        Braces -= T.is(tok::r_brace) && Braces > 0;
      }
      Lex.LexFromRawLexer(T);
    }
  }

  std::vector<Directive> List;
  unsigned LeadingComments = 0; ///< offset behind them
  bool CodeInFront = false;     ///< of the first directive
  bool CodeBehind = false;      ///< of the last directive

  /// `#ifndef X`, `#define X` ... `#endif` around everything.
  bool hasGuard() const {
    if (List.size() < 3 || CodeInFront || CodeBehind || List[0].Name != "ifndef" ||
        List[1].Name != "define" || List[1].Rest != List[0].Rest)
      return false;
    int Depth = 0;
    for (size_t I = 0; I < List.size(); ++I) {
      Depth += StringRef(List[I].Name).starts_with("if");
      Depth -= List[I].Name == "endif";
      if (Depth == 0)
        return I + 1 == List.size();
      if (Depth == 1 && StringRef(List[I].Name).starts_with("el"))
        return false;
    }
    return false;
  }

private:
  std::string Text;
  unsigned Braces = 0;
};

IncludeLines scanIncludes(StringRef Text) {
  IncludeLines Out;
  DirectiveReader Reader(Text);
  auto Bounded = [&](unsigned Offset) { return std::min<unsigned>(Offset, Text.size()); };
  Out.Top = Text.starts_with("\xef\xbb\xbf") ? 3 : 0; // a byte order mark stays first
  Out.Top = std::max(Out.Top, Bounded(Reader.LeadingComments));
  bool Guard = Reader.hasGuard();
  if (Guard)
    Out.Top = Bounded(Reader.List[1].Next);
  else if (!Reader.CodeInFront && !Reader.List.empty() && Reader.List[0].Name == "pragma" &&
           Reader.List[0].Rest == "once")
    Out.Top = Bounded(Reader.List[0].Next);
  int Depth = Guard ? -1 : 0;
  bool Macros = false;
  Out.Insert = Out.Top;
  for (const Directive &D : Reader.List) {
    Depth += StringRef(D.Name).starts_with("if");
    Depth -= D.Name == "endif";
    StringRef Rest = D.Rest;
    Macros |= (D.Name == "define" && !(Guard && &D == &Reader.List[1])) || D.Name == "undef" ||
              (D.Name == "include" && !Rest.starts_with("<"));
    if (!Macros && D.Name == "include" && Depth == 0 && D.Braces == 0)
      Out.Insert = Bounded(D.Next);
    if (D.Name == "include" && Depth == 0 && D.Braces == 0 &&
        (Rest.starts_with("<") || Rest.starts_with("\"")))
      Out.Active.push_back(
          {Bounded(D.Next),
           Rest.drop_front().take_until([](char C) { return C == '>' || C == '"'; }).str()});
  }
  return Out;
}

} // namespace

/// The header that an #include names has \p Header, too.
static bool brings(StringRef Included, StringRef Header) {
  auto Is = [&](StringRef Name) {
    return Included == Name ||
           (Included.ends_with(Name) && Included.drop_back(Name.size()).ends_with("/"));
  };
  return Is(Header) || (Header == "cuda_pipeline_primitives.h" && Is("cuda_pipeline.h"));
}

std::vector<Edit> withIncludes(StringRef Text, std::vector<Edit> List,
                               ArrayRef<std::string> Headers) {
  std::string Newline = Text.contains("\r\n") ? "\r\n" : "\n";
  unsigned FirstEdit = Text.size();
  for (const Edit &E : List)
    FirstEdit = std::min(FirstEdit, E.Offset);
  IncludeLines Lines = scanIncludes(Text);
  unsigned At = Lines.Insert <= FirstEdit ? Lines.Insert : Lines.Top;
  std::string Includes;
  for (const std::string &H : Headers) {
    bool Present = any_of(
        Lines.Active, [&](const auto &L) { return L.first <= FirstEdit && brings(L.second, H); });
    if (!Present)
      Includes += "#include <" + H + ">" + Newline;
  }
  bool OwnLine = At == 0 || Text[At - 1] == '\n' || At == 3; // behind a byte order mark
  if (!Includes.empty())
    List.push_back({At, 0, (OwnLine ? "" : Newline) + Includes});
  llvm::stable_sort(List, [](const Edit &A, const Edit &B) { return A.Offset < B.Offset; });
  return List;
}

std::string applyEdits(StringRef Text, std::vector<Edit> List, ArrayRef<std::string> Headers) {
  std::string Out;
  unsigned At = 0;
  for (const Edit &E : withIncludes(Text, std::move(List), Headers)) {
    assert(E.Offset >= At && "edits overlap");
    Out += Text.slice(At, E.Offset);
    Out += E.Text;
    At = E.Offset + E.Length;
  }
  Out += Text.drop_front(At);
  return Out;
}

} // namespace cuda_pipeline
