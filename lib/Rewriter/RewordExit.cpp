//===- RewordExit.cpp - Exits that are conditions -------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Model/AstUtil.h"
#include "../Model/LoopFacts.h"
#include "../Model/ModelStep.h"
#include "../Model/RawTokens.h"
#include "Rewordings.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {

void Rewording::add(Rewording More) {
  Edits.insert(Edits.end(), More.Edits.begin(), More.Edits.end());
  LinesOf.insert(More.LinesOf.begin(), More.LinesOf.end());
  Said.insert(Said.end(), More.Said.begin(), More.Said.end());
  MaySlowDown |= More.MaySlowDown;
  KeepsOldText |= More.KeepsOldText;
  PinsArguments |= More.PinsArguments;
  PinAt = std::max(PinAt, More.PinAt);
}

Rewording reword(const TileModel &M, ASTContext &Context, const std::set<std::string> &Taken) {
  Rewording Out;
  if (!M.Loop->Body || M.Loop->IsPattern)
    return Out;
  Out.add(rewordExit(M, Context));
  Out.add(rewordContinue(M, Context));
  Out.add(rewordCopies(M, Context, Taken));
  Out.add(rewordBlocks(M, Context));
  if (Out.empty())
    Out.add(rewordArms(M, Context, Taken));
  llvm::stable_sort(Out.Edits, [](const Edit &A, const Edit &B) { return A.Offset < B.Offset; });
  return Out;
}

Rewording rewordBranches(const TileModel &M, ASTContext &Context) {
  // In the template's own text: an instantiation has nothing left of a branch that it does not
  // take.
  const FunctionDecl *Pattern =
      M.Loop->IsTemplate ? M.Loop->Function->getTemplateInstantiationPattern() : nullptr;
  if (!Pattern || !Pattern->getBody() || !M.Barriers[0])
    return Rewording();
  const SourceManager &SM = Context.getSourceManager();
  struct Visitor : ConstDynamicRecursiveASTVisitor {
    const SourceManager &SM;
    SourceLocation Begin, End;
    std::vector<const IfStmt *> Found;
    Visitor(const SourceManager &SM, SourceLocation Begin, SourceLocation End)
        : SM(SM), Begin(SM.getExpansionLoc(Begin)), End(SM.getExpansionLoc(End)) {}
    bool VisitIfStmt(const IfStmt *If) override {
      const SourceLocation At = SM.getExpansionLoc(If->getBeginLoc());
      if (If->isConstexpr() && SM.isBeforeInTranslationUnit(Begin, At) &&
          SM.isBeforeInTranslationUnit(At, End))
        Found.push_back(If);
      return true;
    }
  } V(SM, M.Loop->Body->getLBracLoc(), M.Barriers[0]->getBeginLoc());
  V.TraverseStmt(Pattern->getBody());
  Rewording Out;
  for (const IfStmt *If : V.Found) {
    const SourceLocation Loc = If->getIfLoc();
    StringRef File = mainFileText(Context);
    if (Loc.isMacroID() || !isInMainFile(SM, Loc))
      return Rewording();
    const unsigned Begin = SM.getFileOffset(Loc) + 2; // if
    StringRef Rest = File.drop_front(Begin);
    const size_t Blank = Rest.size() - Rest.ltrim(" \t").size();
    if (!Rest.drop_front(Blank).starts_with("constexpr"))
      return Rewording();
    Out.Edits.push_back({Begin, unsigned(Blank + strlen("constexpr")), ""});
  }
  if (!Out.Edits.empty())
    Out.Said.push_back("'if constexpr' in the load phase is taken as 'if', so that all "
                       "instantiations are seen with both branches");
  return Out;
}

std::string indentOf(StringRef File, unsigned At) {
  return File.slice(File.rfind('\n', At) + 1, At)
      .take_while([](char C) { return C == ' ' || C == '\t'; })
      .str();
}

std::string breakAt(StringRef File, unsigned At) { return "\n" + indentOf(File, At); }

const OtherMeanings &otherMeaningsOf(const TileModel &M, const ASTContext &Context) {
  return M.Facts->Function->once<OtherMeanings>([&] { return OtherMeanings(Context); });
}

bool hasOtherMeanings(const TileModel &M, const ASTContext &Context) {
  struct Known {
    bool Has;
  };
  return M.Facts->Function
      ->once<Known>([&] {
        const auto R = textRange(M.Loop->Function->getSourceRange(), Context);
        const SourceManager &SM = Context.getSourceManager();
        const SourceLocation Start = SM.getLocForStartOfFile(SM.getMainFileID());
        return Known{!R ||
                     otherMeaningsOf(M, Context)
                         .hasIn(Start.getLocWithOffset(R->Begin), Start.getLocWithOffset(R->End))};
      })
      .Has;
}

std::set<std::string> variablesOf(const Stmt *S) {
  struct Visitor : ConstDynamicRecursiveASTVisitor {
    std::set<std::string> Names;
    bool VisitVarDecl(const VarDecl *Var) override {
      Names.insert(Var->getNameAsString());
      return true;
    }
  } V;
  V.TraverseStmt(S);
  return std::move(V.Names);
}

bool leavesEarly(const Stmt *S, bool InLoop, bool InSwitch) {
  if (!S || isa<LambdaExpr>(S))
    return false;
  if (const auto *Asm = dyn_cast<GCCAsmStmt>(S))
    return Asm->isAsmGoto();
  if (isa<ReturnStmt, GotoStmt, IndirectGotoStmt, LabelStmt>(S))
    return true;
  if (isa<BreakStmt>(S))
    return !InLoop && !InSwitch;
  if (isa<ContinueStmt>(S))
    return !InLoop;
  InLoop |= isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(S);
  InSwitch |= isa<SwitchStmt>(S);
  return any_of(S->children(),
                [&](const Stmt *Child) { return leavesEarly(Child, InLoop, InSwitch); });
}

std::string freeName(const std::string &Base, const std::set<std::string> &Taken,
                     const ASTContext &Context) {
  std::string Name = Base;
  for (unsigned I = 2; Taken.count(Name) || Context.Idents.get(Name).hadMacroDefinition(); ++I)
    Name = Base + std::to_string(I);
  return Name;
}

void MadeLines::add(const std::string &Line, LineFrom Of) {
  Text += "\n" + Line;
  From.push_back(Of);
}

void MadeLines::addMoved(StringRef Lines, unsigned Number, const std::string &Indent) {
  SmallVector<StringRef, 32> All;
  Lines.split(All, '\n');
  while (!All.empty() && All.back().trim().empty())
    All.pop_back();
  std::optional<size_t> First;
  for (StringRef Line : All) {
    Line = Line.rtrim();
    const size_t Blanks = Line.size() - Line.ltrim(" \t").size();
    if (First || !Line.empty()) {
      if (!First)
        First = Blanks;
      const size_t Off = std::min(*First, Blanks);
      add(Line.empty() ? "" : Indent + Line.drop_front(Off).str(),
          {Number, int(Off) - int(Indent.size())});
    }
    ++Number;
  }
}

bool isRefusedIn(const Stmt *S, ArrayRef<Refusal> Refusals, ArrayRef<Reason> Why,
                 const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  return any_of(Refusals, [&](const Refusal &R) {
    return is_contained(Why, R.Why) && R.Where.isValid() && standsIn(R.Where, S, SM);
  });
}

std::vector<std::string> commentsIn(StringRef Text) {
  const std::string Copy = Text.str();
  LangOptions Options;
  Options.CPlusPlus = Options.CPlusPlus11 = Options.LineComment = true;
  Lexer Lex(SourceLocation(), Options, Copy.data(), Copy.data(), Copy.data() + Copy.size());
  Lex.SetCommentRetentionState(true);
  std::vector<std::string> Out;
  Token T;
  for (Lex.LexFromRawLexer(T); T.isNot(tok::eof); Lex.LexFromRawLexer(T))
    if (T.is(tok::comment))
      Out.emplace_back(Lex.getBufferLocation() - T.getLength(), T.getLength());
  return Out;
}

std::optional<Edit> withoutStatement(const Stmt *S, const ASTContext &Context) {
  std::optional<TextRange> R = statementRange(S, Context);
  if (!R)
    return std::nullopt;
  StringRef File = mainFileText(Context);
  const size_t Line = File.rfind('\n', R->Begin) + 1, End = File.find('\n', R->End);
  // What is said in it stays.
  StringRef Text = File.slice(R->Begin, R->End);
  if (Text.contains("//") || Text.contains("/*")) {
    const std::string Break =
        "\n" +
        File.slice(Line, R->Begin).take_while([](char C) { return C == ' ' || C == '\t'; }).str();
    // A `//` comment would take in what follows.
    const std::string Said =
        join(commentsIn(Text), Break) +
        (End == StringRef::npos || File.slice(R->End, End).trim().empty() ? "" : Break);
    return Edit{R->Begin, R->End - R->Begin, Said};
  }
  if (End != StringRef::npos && File.slice(Line, R->Begin).trim().empty() &&
      File.slice(R->End, End).trim().empty()) {
    // Of two blank lines that meet one goes, too, as does one at the beginning of a block.
    StringRef InFront = File.take_front(Line).drop_back(Line != 0);
    InFront = InFront.drop_front(InFront.rfind('\n') + 1).trim();
    const size_t Next = File.find('\n', End + 1);
    const bool Blank = Next != StringRef::npos && File.slice(End + 1, Next).trim().empty();
    return Edit{
        unsigned(Line),
        unsigned((Blank && (InFront.empty() || InFront.ends_with("{")) ? Next : End) + 1 - Line),
        ""};
  }
  unsigned Begin = R->Begin;
  while (End != StringRef::npos && File.slice(R->End, End).trim().empty() && Begin > Line &&
         StringRef(" \t").contains(File[Begin - 1]))
    --Begin;
  return Edit{Begin, R->End - Begin, ""};
}

const Expr *conditionOfExit(const Stmt *S) {
  const auto *If = dyn_cast_or_null<IfStmt>(S);
  if (!If || If->getElse() || If->getInit() || If->getConditionVariable() || If->isConstexpr() ||
      If->isConsteval())
    return nullptr;
  const Stmt *Then = If->getThen();
  if (const auto *Block = dyn_cast<CompoundStmt>(Then))
    Then = Block->size() == 1 ? Block->body_front() : nullptr;
  return isa_and_nonnull<BreakStmt>(Then) && !Then->getBeginLoc().isMacroID() ? If->getCond()
                                                                              : nullptr;
}

namespace {

/// `continue` of the loop with this body.
bool continues(const Stmt *S) {
  if (!S || isa<ForStmt>(S) || isa<WhileStmt>(S) || isa<DoStmt>(S) || isa<LambdaExpr>(S))
    return false;
  return isa<ContinueStmt>(S) || any_of(S->children(), continues);
}

} // namespace

/// With the text that \p TextOf has of an expression.
static std::string asOperand(const Expr *E, function_ref<std::string(const Expr *)> TextOf) {
  const std::string Text = TextOf(E);
  const Expr *Inner = E->IgnoreImpCasts();
  const auto *Op = dyn_cast<BinaryOperator>(Inner);
  const bool Loose = isa<ConditionalOperator>(Inner) ||
                     (Op && (Op->isAssignmentOp() || Op->isCommaOp() || Op->getOpcode() == BO_LOr));
  return Loose && !Text.empty() ? "(" + Text + ")" : Text;
}

std::string asOperand(const Expr *E, const ASTContext &Context) {
  return asOperand(E, [&](const Expr *Of) { return textOf(Of, Context); });
}

std::string negated(const Expr *C, const ASTContext &Context) {
  return negated(C, [&](const Expr *Of) { return textOf(Of, Context); });
}

std::string negated(const Expr *C, function_ref<std::string(const Expr *)> Text) {
  const Expr *Inner = C->IgnoreParenImpCasts();
  // A class may have a `!` of its own.
  if (const auto *Call = dyn_cast<CXXMemberCallExpr>(Inner);
      Call && isa_and_nonnull<CXXConversionDecl>(Call->getMethodDecl()))
    return "";
  if (const auto *Not = dyn_cast<UnaryOperator>(Inner); Not && Not->getOpcode() == UO_LNot) {
    std::string Of = asOperand(Not->getSubExpr()->IgnoreParens(), Text);
    if (!Of.empty())
      return Of;
  }
  const auto *Op = dyn_cast<BinaryOperator>(Inner);
  // Of floats, neither may hold.
  if (Op && Op->isComparisonOp() && Op->getOpcode() != BO_Cmp &&
      !Op->getLHS()->getType()->isFloatingType()) {
    const std::string L = Text(Op->getLHS()), R = Text(Op->getRHS());
    if (!L.empty() && !R.empty())
      return L + " " +
             BinaryOperator::getOpcodeStr(BinaryOperator::negateComparisonOp(Op->getOpcode()))
                 .str() +
             " " + R;
  }
  const std::string Whole = Text(C);
  return Whole.empty() ? Whole : "!(" + Whole + ")";
}

namespace {

class ExitRewording {
public:
  ExitRewording(const TileModel &M, ASTContext &Context)
      : M(M), L(*M.Loop), Context(Context), SM(Context.getSourceManager()) {}

  Rewording run() {
    Rewording Out = nestedJump();
    if (!Out.empty())
      return Out;
    const Expr *Condition = L.condition();
    const bool Always = !Condition || constantValue(Condition, Context).value_or(0) != 0;
    if (L.testsLast()) {
      const Expr *Exit = L.Body->size() > 1 ? conditionOfExit(L.Body->body_back()) : nullptr;
      return Exit && Condition ? atTheEnd(Exit, Always ? nullptr : Condition) : Out;
    }
    const auto *While = dyn_cast<WhileStmt>(L.Loop);
    const ForStmt *For = L.asFor();
    if ((!While && !For) || (While && While->getConditionVariable()) ||
        (For && For->getConditionVariable()) || L.Body->size() < 2)
      return Out;
    for (const Stmt *S : L.Body->body()) {
      if (const Expr *Exit = conditionOfExit(S))
        return atTheTop(S, Exit, Always ? nullptr : Condition);
      if (!declaresTilesOnly(S) && !declaresNumber(S))
        break;
    }
    const Expr *Exit = conditionOfExit(L.Body->body_back());
    return Exit && Always && !L.start() && !L.step() ? atTheEnd(Exit, nullptr) : Out;
  }

private:
  const TileModel &M;
  const KLoop &L;
  ASTContext &Context;
  const SourceManager &SM;
  DeclMap<VarDecl, std::string> Numbers; ///< declared in front of the exit, in other words

  /// `if (a) { int first = n - w; if (t < first) continue; }`, and nothing else, is `if (a && t <
  /// (n
  /// - w)) continue;`. The same of `break`.
  Rewording nestedJump() {
    Rewording Out;
    if (hasOtherMeanings(M, Context))
      return Out;
    for (const Stmt *S : L.Body->body()) {
      const auto *If = dyn_cast<IfStmt>(S);
      const Stmt *Jump = nullptr;
      const std::string Asks = If && !jumpOf(If->getThen()) ? jumpsIf(If, Jump) : "";
      const std::optional<TextRange> Whole =
          Asks.empty() ? std::nullopt : replacedRange(If, Context);
      if (!Whole || If->getIfLoc().isMacroID() || Whole->Begin != SM.getFileOffset(If->getIfLoc()))
        continue;
      const StringRef File = mainFileText(Context);
      if (File.slice(Whole->Begin, Whole->End).contains('#'))
        continue; // a pragma
      const std::string Break = breakAt(File, Whole->Begin);
      std::string Comments; // in front of all of it
      for (const std::string &Comment : commentsIn(File.slice(Whole->Begin, Whole->End)))
        Comments += Comment + Break;
      const char *Words = isa<BreakStmt>(Jump) ? "break" : "continue";
      Out.Edits.push_back({Whole->Begin, Whole->End - Whole->Begin,
                           Comments + "if (" + Asks + ")" + Break + "  " + Words + ";"});
      Out.Said.push_back("a '" + std::string(Words) + "' in a block is under one condition");
    }
    return Out;
  }

  /// \p S is a `break` or `continue`, maybe in braces; null: it is something else.
  static const Stmt *jumpOf(const Stmt *S) {
    const auto *Block = dyn_cast<CompoundStmt>(S);
    if (Block && Block->size() == 1)
      S = Block->body_front();
    return isa<BreakStmt, ContinueStmt>(S) && !S->getBeginLoc().isMacroID() ? S : nullptr;
  }

  /// When all that \p If does is done: it jumps so. Empty: it does something else.
  std::string jumpsIf(const IfStmt *If, const Stmt *&Jump) {
    std::string Asks = withoutNumbers(If->getCond(), asOperand(If->getCond(), Context));
    if (If->getElse() || If->getInit() || If->getConditionVariable() || If->isConstexpr() ||
        If->isConsteval() || If->getIfLoc().isMacroID() || Asks.empty() ||
        !isScalar(If->getCond()) || !computesOnly(If->getCond()))
      return "";
    if (const Stmt *Own = jumpOf(If->getThen())) {
      if (Jump && Jump->getStmtClass() != Own->getStmtClass())
        return "";
      Jump = Own;
      return Asks;
    }
    const auto *Block = dyn_cast<CompoundStmt>(If->getThen());
    SmallVector<std::string, 2> Inner;
    if (!Block)
      return "";
    for (const Stmt *S : Block->body()) {
      if (Inner.empty() && declaresNumber(S))
        continue;
      const auto *Next = dyn_cast<IfStmt>(S);
      Inner.push_back(Next ? jumpsIf(Next, Jump) : "");
      if (Inner.back().empty())
        return "";
    }
    if (Inner.empty())
      return "";
    const std::string Any = join(Inner, " || ");
    return Asks + " && " + (Inner.size() > 1 ? "(" + Any + ")" : Any);
  }

  /// An integer, written as such or as `auto`.
  static bool isNumber(const VarDecl *Var) {
    const QualType T = Var->getType().getNonReferenceType();
    return T->isIntegerType() && !T->isEnumeralType() && !T.isVolatileQualified() &&
           (isa<BuiltinType>(T.getTypePtr()) || isa<AutoType>(T.getTypePtr()));
  }

  /// Arithmetic on integers that are variables: it has no effect, and may be done again.
  bool isArithmetic(const Expr *E) const {
    E = E->IgnoreParens();
    if (!E->getType()->isIntegerType() || E->getType().isVolatileQualified())
      return false;
    if (isa<IntegerLiteral>(E) || asBuiltinIndex(E))
      return true;
    // Its type is the same in all instantiations.
    if (const auto *Subst = dyn_cast<SubstNonTypeTemplateParmExpr>(E))
      return isa<BuiltinType>(Subst->getParameter()->getType().getTypePtr());
    if (const auto *Choice = dyn_cast<ConditionalOperator>(E))
      return isArithmetic(Choice->getCond()) && isArithmetic(Choice->getTrueExpr()) &&
             isArithmetic(Choice->getFalseExpr());
    if (const auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(E))
      return isArithmetic(Temporary->getSubExpr());
    if (const auto *Call = dyn_cast<CallExpr>(E)) {
      const FunctionDecl *Callee = Call->getDirectCallee();
      return Callee && Callee->getIdentifier() && isLibraryFunction(Callee, Context) &&
             is_contained({"min", "max"}, Callee->getName()) && Call->getNumArgs() == 2 &&
             all_of(Call->arguments(), [&](const Expr *Arg) { return isArithmetic(Arg); });
    }
    if (const auto *Ref = dyn_cast<DeclRefExpr>(E)) {
      const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
      return Var && !Var->getType()->isReferenceType() &&
             (Var->hasLocalStorage() || Var->isConstexpr()) && isNumber(Var);
    }
    if (isa<ImplicitCastExpr, CStyleCastExpr, CXXStaticCastExpr, CXXFunctionalCastExpr>(E))
      return isArithmetic(cast<CastExpr>(E)->getSubExpr());
    const auto *Unary = dyn_cast<UnaryOperator>(E);
    const auto *Binary = dyn_cast<BinaryOperator>(E);
    if (Unary)
      return !Unary->isIncrementDecrementOp() && Unary->isArithmeticOp() &&
             isArithmetic(Unary->getSubExpr());
    return Binary && !Binary->isAssignmentOp() && !Binary->isCommaOp() &&
           isArithmetic(Binary->getLHS()) && isArithmetic(Binary->getRHS());
  }

  /// `const int left = n - t * 64;`: what is asked behind it can be asked in front of it, with this
  /// in its place.
  bool declaresNumber(const Stmt *S) {
    const auto *Declaration = dyn_cast<DeclStmt>(S);
    if (!Declaration)
      return false;
    for (const Decl *D : Declaration->decls()) {
      const auto *Var = dyn_cast<VarDecl>(D);
      if (!Var || !Var->hasLocalStorage() || !Var->hasInit() || Var->hasAttrs() ||
          Var->getType()->isReferenceType() || !isNumber(Var) || !isArithmetic(Var->getInit()))
        return false;
      const std::string Said = withoutNumbers(Var->getInit(), textOf(Var->getInit(), Context));
      if (Said.empty())
        return false;
      const std::string Type = Var->getType().getUnqualifiedType().getCanonicalType().getAsString(
          Context.getPrintingPolicy());
      Numbers[Var] = Context.hasSameUnqualifiedType(
                         Var->getType(), Var->getInit()->IgnoreParenImpCasts()->getType())
                         ? "(" + Said + ")"
                         : "static_cast<" + Type + ">(" + Said + ")";
    }
    return true;
  }

  /// \p Text, which is made of the words of \p E, in which the numbers are said otherwise; empty:
  /// it cannot be.
  std::string withoutNumbers(const Expr *E, const std::string &Text) const {
    struct Visitor : ConstDynamicRecursiveASTVisitor {
      std::vector<const DeclRefExpr *> All;
      std::set<const Expr *> Read; ///< and not bound to something
      bool VisitDeclRefExpr(const DeclRefExpr *Ref) override { return All.push_back(Ref), true; }
      bool VisitImplicitCastExpr(const ImplicitCastExpr *Cast) override {
        if (Cast->getCastKind() == CK_LValueToRValue)
          Read.insert(Cast->getSubExpr()->IgnoreParens());
        return true;
      }
    } V;
    V.ShouldVisitImplicitCode = true;
    V.TraverseStmt(E);
    std::map<StringRef, StringRef> Words;
    size_t Named = 0;
    for (const DeclRefExpr *Ref : V.All) {
      const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
      const auto Known = Var ? Numbers.find(Var) : Numbers.end();
      if (Known == Numbers.end())
        continue;
      if (Ref->getLocation().isMacroID() || !V.Read.count(Ref))
        return "";
      Words[Var->getName()] = Known->second;
      ++Named;
    }
    std::string Out;
    unsigned Done = 0;
    size_t Replaced = 0;
    forEachRawToken(Text, [&](const Token &T, unsigned At) {
      const auto Word = Words.find(StringRef(Text).substr(At, T.getLength()));
      if (T.isNot(tok::raw_identifier) || Word == Words.end())
        return;
      Out += StringRef(Text).slice(Done, At).str() + Word->second.str();
      Done = At + T.getLength();
      ++Replaced;
    });
    // What is said again behind something that is done may be another number.
    if (Named && (!computesOnly(E) || hasOtherMeanings(M, Context)))
      return "";
    // A member of that name, or what another variable of that name is called.
    return Replaced == Named ? Out + Text.substr(Done) : "";
  }

  bool computesOnly(const Expr *E) const {
    const Effects Does = M.Facts->Collector->collect(E);
    return onlyPureActions(Does) && none_of(Does.Accesses, [](const Access &A) {
             return A.Write || A.Volatile || A.mayTouch(Space::Unknown);
           });
  }

  /// A macro in it may name a variable of the body in another build.
  bool saysOther(const Expr *E) const {
    const auto R = textRange(E->getSourceRange(), Context);
    if (!R)
      return true;
    const std::set<std::string> Names = variablesOf(L.Body);
    const SourceManager &SM = Context.getSourceManager();
    const SourceLocation Start = SM.getLocForStartOfFile(SM.getMainFileID());
    const auto Others =
        otherMeaningsOf(M, Context)
            .definitionsIn(Start.getLocWithOffset(R->Begin), Start.getLocWithOffset(R->End));
    return any_of(Others, [&](const OtherMeanings::Definition &D) {
      // Its parameters are its own.
      return D.Pastes || any_of(D.Body, [&](const std::string &Word) {
               return Word != D.Name && !D.Parameters.count(Word) && Names.count(Word) != 0;
             });
    });
  }

  /// A class may have operators of its own.
  static bool isScalar(const Expr *E) {
    E = E->IgnoreUnlessSpelledInSource()->IgnoreParens();
    if (const auto *Not = dyn_cast<UnaryOperator>(E); Not && Not->getOpcode() == UO_LNot)
      return isScalar(Not->getSubExpr());
    return E->getType()->isScalarType();
  }

  static bool complete(const std::optional<Edit> &Taken, const std::string &Stays) {
    return Taken && !Stays.empty();
  }

  std::optional<unsigned> offsetOf(SourceLocation Loc) const {
    if (Loc.isMacroID() || !SM.isInFileID(Loc, SM.getMainFileID()))
      return std::nullopt;
    return SM.getFileOffset(Loc);
  }

  /// The head of the loop, from the keyword to its parenthesis.
  std::optional<TextRange> head() const {
    const ForStmt *For = L.asFor(); // or a `while`
    auto Begin = offsetOf(L.Loop->getBeginLoc());
    auto End = offsetOf(For ? For->getRParenLoc() : cast<WhileStmt>(L.Loop)->getRParenLoc());
    return Begin && End ? std::optional(TextRange{*Begin, *End + 1}) : std::nullopt;
  }

  /// It does nothing, and is in front of what ends the loop as well as behind.
  static bool declaresTilesOnly(const Stmt *S) {
    const auto *Declaration = dyn_cast<DeclStmt>(S);
    return Declaration && all_of(Declaration->decls(), [](const Decl *D) {
             const auto *Var = dyn_cast<VarDecl>(D);
             return Var && Var->hasAttr<CUDASharedAttr>();
           });
  }

  /// \p S: the statement with the exit, behind nothing that is done.
  Rewording atTheTop(const Stmt *S, const Expr *Exit, const Expr *Condition) const {
    Rewording Out;
    const std::optional<Edit> Taken = withoutStatement(S, Context);
    const std::string Stays = withoutNumbers(Exit, negated(Exit, Context));
    const std::optional<TextRange> Head = head();
    if (!complete(Taken, Stays) || !Head || saysOther(Exit))
      return Out;
    if (Condition) {
      const std::optional<TextRange> R = textRange(Condition->getSourceRange(), Context);
      const std::string First = asOperand(Condition, Context);
      if (!R || First.empty() || !isScalar(Condition) || !isScalar(Exit))
        return Out;
      Out.Edits.push_back({R->Begin, R->End - R->Begin, First + " && " + Stays});
    } else if (!L.start() && !L.step()) {
      Out.Edits.push_back({Head->Begin, Head->End - Head->Begin, "while (" + Stays + ")"});
    } else if (std::optional<TextRange> Between = emptyCondition()) {
      Out.Edits.push_back({Between->Begin, Between->End - Between->Begin, " " + Stays});
    } else {
      return Out;
    }
    Out.Edits.push_back(*Taken);
    Out.Said.push_back("the 'break' at the top of the loop is a part of its condition");
    return Out;
  }

  /// \p Condition: of a `do`, which is looked at behind the exit.
  Rewording atTheEnd(const Expr *Exit, const Expr *Condition) const {
    Rewording Out;
    const std::optional<Edit> Taken = withoutStatement(L.Body->body_back(), Context);
    const std::string Stays = negated(Exit, Context);
    if (!complete(Taken, Stays) || continues(L.Body) || saysOther(Exit))
      return Out;
    // Behind the body nobody knows its variables.
    DeclSet<VarDecl> Own;
    for (const Stmt *S : L.Body->body())
      if (const auto *Declaration = dyn_cast<DeclStmt>(S))
        for (const Decl *D : Declaration->decls()) {
          if (!isa<VarDecl>(D))
            return Out;
          Own.insert(cast<VarDecl>(D));
        }
    if (any_of(mentionedVars(Exit), [&](const VarDecl *Var) { return Own.count(Var) != 0; }))
      return Out;
    if (L.testsLast()) {
      const std::optional<TextRange> R = textRange(L.condition()->getSourceRange(), Context);
      const std::string Then = Condition ? asOperand(Condition, Context) : "";
      if (!R || (Condition && (Then.empty() || !isScalar(Condition) || !isScalar(Exit))))
        return Out;
      Out.Edits.push_back({R->Begin, R->End - R->Begin, Condition ? Stays + " && " + Then : Stays});
    } else {
      const std::optional<TextRange> Head = head();
      const std::optional<unsigned> Brace = offsetOf(L.Body->getRBracLoc());
      if (!Head || !Brace)
        return Out;
      Out.Edits.push_back({Head->Begin, Head->End - Head->Begin, "do"});
      Out.Edits.push_back({*Brace + 1, 0, " while (" + Stays + ");"});
    }
    Out.Edits.push_back(*Taken);
    Out.Said.push_back("the 'break' at the end of the loop is its condition");
    return Out;
  }

  /// Between the semicolons of `for (start; ; step)`.
  std::optional<TextRange> emptyCondition() const {
    const auto Open = offsetOf(L.asFor()->getLParenLoc()),
               Close = offsetOf(L.asFor()->getRParenLoc());
    if (!Open || !Close)
      return std::nullopt;
    StringRef File = mainFileText(Context);
    Lexer Lex(SM.getLocForStartOfFile(SM.getMainFileID()), Context.getLangOpts(), File.begin(),
              File.begin() + *Open, File.end());
    std::vector<unsigned> Semicolons;
    Token Tok;
    for (unsigned Depth = 0; !Lex.LexFromRawLexer(Tok);) {
      const unsigned At = SM.getFileOffset(Tok.getLocation());
      if (At >= *Close)
        break;
      if (Tok.isOneOf(tok::l_paren, tok::l_brace, tok::l_square))
        ++Depth;
      else if (Tok.isOneOf(tok::r_paren, tok::r_brace, tok::r_square))
        --Depth;
      else if (Tok.is(tok::semi) && Depth == 1)
        Semicolons.push_back(At);
    }
    if (Semicolons.size() != 2)
      return std::nullopt;
    StringRef Text = File.slice(Semicolons[0] + 1, Semicolons[1]);
    if (!Text.trim().empty() && Text.trim() != "true" && Text.trim() != "1")
      return std::nullopt;
    return TextRange{Semicolons[0] + 1, Semicolons[1]};
  }
};

} // namespace

const ContinueStmt *continueAtTheEnd(const Stmt *S) {
  const auto *If = dyn_cast_or_null<IfStmt>(S);
  if (!If || If->getElse() || If->getInit() || If->getConditionVariable() || If->isConstexpr() ||
      If->isConsteval())
    return nullptr;
  const Stmt *Then = If->getThen();
  if (const auto *Block = dyn_cast<CompoundStmt>(Then))
    Then = Block->body_empty() ? nullptr : Block->body_back();
  return dyn_cast_or_null<ContinueStmt>(Then);
}

Rewording rewordContinue(const TileModel &M, ASTContext &Context) {
  if (!M.Loop->Body || !M.Barriers[0] || !M.Barriers[1])
    return Rewording();
  const SourceManager &SM = Context.getSourceManager();
  const StringRef File = mainFileText(Context);
  const SourceLocation Close = M.Loop->Body->getRBracLoc();
  if (Close.isMacroID() || !isInMainFile(SM, Close))
    return Rewording();
  Rewording Out;
  std::string Braces;
  const unsigned End = SM.getFileOffset(Close);
  const unsigned Line = unsigned(File.rfind('\n', End)) + 1;
  const bool Alone = Line && File.slice(Line, End).trim().empty();
  for (const Stmt *S : M.Segments[M.BarrierFirst ? 1 : 2]) {
    const ContinueStmt *Continue = continueAtTheEnd(S);
    if (!Continue)
      continue;
    const auto *If = cast<IfStmt>(S);
    const std::optional<TextRange> Whole = statementRange(If, Context);
    const auto *Block = dyn_cast<CompoundStmt>(If->getThen());
    if (!Whole)
      return Rewording();
    if (Block && Block->size() > 1) {
      const std::optional<Edit> Taken = withoutStatement(Continue, Context);
      if (!Taken)
        return Rewording();
      Out.Edits.push_back(*Taken);
      Out.Edits.push_back({Whole->End, 0, " else {"});
    } else {
      const std::string Stays = negated(If->getCond(), Context);
      // What is said in it would be lost.
      if (Stays.empty() || !commentsIn(File.slice(Whole->Begin, Whole->End)).empty())
        return Rewording();
      Out.Edits.push_back({Whole->Begin, Whole->End - Whole->Begin, "if (" + Stays + ") {"});
    }
    const StringRef Begin = File.drop_front(File.rfind('\n', Whole->Begin) + 1);
    Braces = Alone ? Begin.take_while([](char C) { return C == ' ' || C == '\t'; }).str() + "}\n" +
                         Braces
                   : Braces + "}";
  }
  if (Out.Edits.empty())
    return Out;
  Out.Edits.push_back({Alone ? Line : End, 0, Braces});
  Out.Said.push_back("what a 'continue' behind the last barrier leaves out is under its condition");
  // Of other types the opposite of a comparison may be another one: neither holds of a NaN.
  Out.PinsArguments = M.Loop->IsTemplate;
  return Out;
}

Rewording rewordExit(const TileModel &M, ASTContext &Context) {
  Rewording Out = ExitRewording(M, Context).run();
  Out.PinsArguments = M.Loop->IsTemplate && !Out.empty();
  return Out;
}

} // namespace cuda_pipeline
