//===- AstUtil.cpp - Small questions about the AST ------------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AstUtil.h"
#include "KnownFunctions.h"
#include "OtherMeanings.h"
#include "RawTokens.h"
#include "cuda-pipeline/Source.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecordLayout.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/FoldingSet.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {

std::optional<int64_t> constantValue(const Expr *E, const ASTContext &Context) {
  if (!E || E->isValueDependent() || E->isTypeDependent() || E->containsErrors())
    return std::nullopt;
  if (!E->getType()->isIntegralOrUnscopedEnumerationType())
    return std::nullopt;
  Expr::EvalResult Result;
  if (!E->EvaluateAsInt(Result, Context, Expr::SE_NoSideEffects))
    return std::nullopt;
  const APSInt &V = Result.Val.getInt();
  if (V.isUnsigned() ? V.getActiveBits() > 63 : V.getSignificantBits() > 64)
    return std::nullopt;
  return V.getExtValue();
}

/// The member of cooperative_groups::thread_block that is called.
static StringRef blockMethod(const Expr *E) {
  const auto *Call = dyn_cast<CallExpr>(E);
  const auto *Method = Call ? dyn_cast_or_null<CXXMethodDecl>(Call->getDirectCallee()) : nullptr;
  if (!Method || !Method->getIdentifier() || Call->getNumArgs() != 0 ||
      !isLibraryFunction(Method, Method->getASTContext()))
    return "";
  const std::string Group = Method->getParent()->getQualifiedNameAsString();
  return Group == "cooperative_groups::thread_block" ||
                 Group == "cooperative_groups::__v1::thread_block"
             ? Method->getName()
             : "";
}

std::optional<BlockNumber> asBlockNumber(const Expr *E) {
  StringRef Name = blockMethod(E->IgnoreParenImpCasts());
  if (Name == "thread_rank")
    return BlockNumber::Rank;
  if (Name == "size" || Name == "num_threads")
    return BlockNumber::Size;
  return std::nullopt;
}

std::optional<BuiltinIndex> asBuiltinIndex(const Expr *E) {
  E = E->IgnoreParenImpCasts();
  if (const auto *Pseudo = dyn_cast<PseudoObjectExpr>(E))
    E = Pseudo->getSyntacticForm()->IgnoreParenImpCasts();
  const Expr *Base = nullptr;
  StringRef Member;
  if (const auto *Property = dyn_cast<MSPropertyRefExpr>(E)) {
    Base = Property->getBaseExpr();
    Member = Property->getPropertyDecl()->getName();
  } else if (const auto *M = dyn_cast<MemberExpr>(E); M && !M->isArrow()) {
    Base = M->getBase();
    if (M->getMemberDecl()->getIdentifier())
      Member = M->getMemberDecl()->getName();
  } else if (const auto *Ref = dyn_cast<DeclRefExpr>(E)) {
    if (Ref->getDecl()->getIdentifier() && Ref->getDecl()->getName() == "warpSize" &&
        Ref->getDecl()->getDeclContext()->isTranslationUnit())
      return BuiltinIndex{BuiltinVar::WarpSize, 0};
    return std::nullopt;
  }
  if (!Base || Member.size() != 1 || Member[0] < 'x' || Member[0] > 'z')
    return std::nullopt;
  Base = Base->IgnoreParenImpCasts();
  if (const auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(Base))
    Base = Temporary->getSubExpr()->IgnoreParenImpCasts();
  if (StringRef Of = blockMethod(Base); !Of.empty()) {
    if (Of == "thread_index")
      return BuiltinIndex{BuiltinVar::ThreadIdx, Member[0]};
    if (Of == "group_index")
      return BuiltinIndex{BuiltinVar::BlockIdx, Member[0]};
    if (Of == "group_dim" || Of == "dim_threads")
      return BuiltinIndex{BuiltinVar::BlockDim, Member[0]};
    return std::nullopt;
  }
  if (const auto *Opaque = dyn_cast<OpaqueValueExpr>(Base); Opaque && Opaque->getSourceExpr())
    Base = Opaque->getSourceExpr()->IgnoreParenImpCasts();
  const auto *Ref = dyn_cast<DeclRefExpr>(Base);
  if (!Ref || !isa<VarDecl>(Ref->getDecl()) || !Ref->getDecl()->getIdentifier() ||
      !Ref->getDecl()->getDeclContext()->getRedeclContext()->isTranslationUnit())
    return std::nullopt;
  StringRef Name = Ref->getDecl()->getName();
  if (Name == "threadIdx")
    return BuiltinIndex{BuiltinVar::ThreadIdx, Member[0]};
  if (Name == "blockIdx")
    return BuiltinIndex{BuiltinVar::BlockIdx, Member[0]};
  if (Name == "blockDim")
    return BuiltinIndex{BuiltinVar::BlockDim, Member[0]};
  if (Name == "gridDim")
    return BuiltinIndex{BuiltinVar::GridDim, Member[0]};
  return std::nullopt;
}

StringRef mainFileText(const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  return SM.getBufferData(SM.getMainFileID());
}

bool isInMainFile(const SourceManager &SM, SourceLocation Loc) {
  const FileID Main = SM.getMainFileID();
  if (Loc.isInvalid() || !SM.isInFileID(SM.getExpansionLoc(Loc), Main))
    return false;
  const PresumedLoc Presumed = SM.getPresumedLoc(Loc);
  return Presumed.isValid() && Presumed.getIncludeLoc() == SM.getIncludeLoc(Main);
}

bool mainFileIsHeader(const SourceManager &SM) {
  OptionalFileEntryRef Main = SM.getFileEntryRefForID(SM.getMainFileID());
  return Main && isHeaderName(Main->getName());
}

std::optional<TextRange> textRange(SourceRange Range, const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  if (Range.isInvalid())
    return std::nullopt;
  CharSourceRange File =
      Lexer::makeFileCharRange(CharSourceRange::getTokenRange(Range), SM, Context.getLangOpts());
  if (File.isInvalid())
    return std::nullopt;
  auto [BeginFile, Begin] = SM.getDecomposedLoc(File.getBegin());
  auto [EndFile, End] = SM.getDecomposedLoc(File.getEnd());
  if (BeginFile != SM.getMainFileID() || EndFile != SM.getMainFileID() || End < Begin)
    return std::nullopt;
  return TextRange{Begin, End};
}

/// `#define LOAD(to, from) to = *(float4 *)(from);`: the use of a macro that is one statement and
/// its semicolon.
static std::optional<TextRange> macroStatementRange(const Stmt *S, const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  auto InBody = [&](SourceLocation Loc) { // of an argument: where the parameter stands
    while (Loc.isMacroID() && SM.isMacroArgExpansion(Loc))
      Loc = SM.getImmediateExpansionRange(Loc).getBegin();
    return Loc;
  };
  const SourceLocation Begin = InBody(S->getBeginLoc()), End = InBody(S->getEndLoc());
  if (!Begin.isMacroID() || !End.isMacroID() || !SM.isAtStartOfImmediateMacroExpansion(Begin))
    return std::nullopt;
  const CharSourceRange Use = SM.getImmediateExpansionRange(Begin);
  if (!Use.getBegin().isFileID() ||
      SM.getImmediateExpansionRange(End).getBegin() != Use.getBegin() ||
      SM.getFileID(Use.getBegin()) != SM.getMainFileID())
    return std::nullopt;
  // Behind it the macro has its semicolon, and no more.
  const SourceLocation Last = SM.getSpellingLoc(End);
  if (SM.isWrittenInScratchSpace(Last))
    return std::nullopt;
  auto [File, Offset] = SM.getDecomposedLoc(Last);
  StringRef Text = SM.getBufferData(File);
  Lexer Raw(SM.getLocForStartOfFile(File), Context.getLangOpts(), Text.begin(),
            Text.begin() + Offset, Text.end());
  Token Next;
  Raw.LexFromRawLexer(Next); // the last one of the statement
  Raw.LexFromRawLexer(Next);
  if (Next.isNot(tok::semi) || Next.isAtStartOfLine())
    return std::nullopt;
  Raw.LexFromRawLexer(Next);
  if (Next.isNot(tok::eof) && !Next.isAtStartOfLine())
    return std::nullopt;
  const SourceLocation Close =
      Lexer::getLocForEndOfToken(Use.getEnd(), 0, SM, Context.getLangOpts());
  return TextRange{SM.getFileOffset(Use.getBegin()), SM.getFileOffset(Close)};
}

/// Macros that are empty in this build are no part of any node: `MAYBE_CONST float *p = ..`,
/// `#ifdef UNROLL`, on a line that may have begun as an earlier one.
static bool isInDirective(StringRef File, size_t Offset) {
  while (true) {
    const size_t Break = File.take_front(Offset).rfind('\n');
    const size_t Start = Break == StringRef::npos ? 0 : Break + 1;
    if (Start == 0 || !File.take_front(Break).rtrim("\r").ends_with("\\"))
      return File.drop_front(Start).ltrim(" \t").starts_with("#");
    Offset = Break;
  }
}

/// `UNROLL for (..)`. What stands in front of \p Begin of them belongs to the statement that begins
/// there: it goes where that goes.
static unsigned beginWithEmptyMacros(unsigned Begin, const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  const LangOptions &LangOpts = Context.getLangOpts();
  const SourceLocation Start = SM.getLocForStartOfFile(SM.getMainFileID());
  auto InFrontOf = [&](unsigned At) {
    return At ? Lexer::findPreviousToken(Start.getLocWithOffset(At), SM, LangOpts,
                                         /*IncludeComments=*/false)
              : std::nullopt;
  };
  auto IsExpanded = [&](SourceLocation At) { // to something: an empty one leaves no trace
    for (unsigned I = 0, E = SM.local_sloc_entry_size(); I < E; ++I)
      if (const SrcMgr::SLocEntry &Entry = SM.getLocalSLocEntry(I);
          Entry.isExpansion() && Entry.getExpansion().getExpansionLocStart() == At)
        return true;
    return false;
  };
  while (true) {
    std::optional<Token> Name = InFrontOf(Begin);
    // Its arguments, if it has any.
    for (unsigned Open = 0; Name && (Open || Name->is(tok::r_paren));) {
      Open += Name->is(tok::r_paren);
      Open -= Name->is(tok::l_paren);
      Name = InFrontOf(SM.getFileOffset(Name->getLocation()));
    }
    if (!Name || Name->isNot(tok::raw_identifier) ||
        isInDirective(mainFileText(Context), SM.getFileOffset(Name->getLocation())))
      return Begin;
    const auto Known = Context.Idents.find(Name->getRawIdentifier());
    if (Known == Context.Idents.end() || !Known->second->hadMacroDefinition() ||
        IsExpanded(Name->getLocation()))
      return Begin;
    Begin = SM.getFileOffset(Name->getLocation());
  }
}

std::optional<TextRange> statementRange(const Stmt *S, const ASTContext &Context) {
  std::optional<TextRange> R = statementNodeRange(S, Context);
  if (R)
    R->Begin = beginWithEmptyMacros(R->Begin, Context);
  return R;
}

std::optional<TextRange> replacedRange(const Stmt *S, const ASTContext &Context) {
  return isa<DeclStmt>(S) ? statementRange(S, Context) : statementNodeRange(S, Context);
}

std::optional<TextRange> statementNodeRange(const Stmt *S, const ASTContext &Context) {
  std::optional<TextRange> R = textRange(S->getSourceRange(), Context);
  if (isa<Expr, AsmStmt>(S))
    if (std::optional<TextRange> Whole = macroStatementRange(S, Context))
      return Whole;
  if (!R && isa<DeclStmt>(S)) {
    // `__shared__` is a macro itself.
    const SourceManager &SM = Context.getSourceManager();
    SourceLocation Begin = SM.getExpansionLoc(S->getBeginLoc());
    std::optional<TextRange> Tail = textRange(SourceRange(S->getEndLoc()), Context);
    if (!isInMainFile(SM, Begin) || !Tail)
      return std::nullopt;
    R = TextRange{SM.getFileOffset(Begin), Tail->End};
    StringRef Text = mainFileText(Context).slice(R->Begin, R->End);
    if (!Text.starts_with("__shared__") && !Text.starts_with("__align__"))
      return std::nullopt;
  }
  if (!R)
    return std::nullopt;
  // In `__shared__ alignas(16) float x[4];` the node begins behind the first attribute.
  if (const auto *Declaration = dyn_cast<DeclStmt>(S)) {
    const SourceManager &SM = Context.getSourceManager();
    for (const clang::Decl *D : Declaration->decls())
      for (const Attr *A : D->attrs()) {
        SourceLocation Loc = SM.getExpansionLoc(A->getLocation());
        if (Loc.isValid() && !A->isImplicit() && isInMainFile(SM, Loc))
          R->Begin = std::min(R->Begin, SM.getFileOffset(Loc));
      }
  }
  // A control statement ends where the statement under it ends.
  const Stmt *Tail = nullptr;
  if (const auto *If = dyn_cast<IfStmt>(S))
    Tail = If->getElse() ? If->getElse() : If->getThen();
  else if (const auto *For = dyn_cast<ForStmt>(S))
    Tail = For->getBody();
  else if (const auto *While = dyn_cast<WhileStmt>(S))
    Tail = While->getBody();
  else if (const auto *Range = dyn_cast<CXXForRangeStmt>(S))
    Tail = Range->getBody();
  else if (const auto *Attributed = dyn_cast<AttributedStmt>(S))
    Tail = Attributed->getSubStmt();
  if (Tail) {
    std::optional<TextRange> Last = statementNodeRange(Tail, Context);
    if (!Last)
      return std::nullopt;
    R->End = Last->End;
    return R;
  }
  if (isa<Expr>(S) || isa<DoStmt>(S) || isa<AsmStmt>(S) || isa<ReturnStmt>(S) ||
      isa<BreakStmt>(S) || isa<ContinueStmt>(S)) {
    // The semicolon belongs to the statement but not to its AST node; comments may stand before it.
    const SourceManager &SM = Context.getSourceManager();
    StringRef Text = mainFileText(Context);
    Lexer Raw(SM.getLocForStartOfFile(SM.getMainFileID()), Context.getLangOpts(), Text.begin(),
              Text.begin() + R->End, Text.end());
    Token Next;
    Raw.LexFromRawLexer(Next);
    if (Next.isNot(tok::semi))
      return std::nullopt;
    R->End = SM.getFileOffset(Next.getEndLoc());
  }
  return R;
}

std::string textOf(const Expr *E, const ASTContext &Context) {
  std::optional<TextRange> R = textRange(E->getSourceRange(), Context);
  return R ? mainFileText(Context).slice(R->Begin, R->End).str() : std::string();
}

/// By what CUDA's headers say of their own small classes.
static bool isNamedNumber(const CXXRecordDecl *Record) {
  if (!Record->getIdentifier() || !Record->getDeclContext()->isTranslationUnit() ||
      !Record->getASTContext().getSourceManager().isInSystemHeader(Record->getLocation()))
    return false; // a class of the user's may have the name
  StringRef Name = Record->getName();
  return Name == "__half" || Name == "__half2" || Name == "__nv_bfloat16" ||
         Name == "__nv_bfloat162";
}

bool isCudaNumber(const CXXRecordDecl *Record) {
  if (!Record)
    return false;
  if (isNamedNumber(Record))
    return true;
  // `struct { half2 a, b; }` copies what it is made of, one by one.
  Record = Record->getDefinition();
  if (!Record || Record->isUnion() || Record->isDependentContext() ||
      Record->hasUserDeclaredCopyConstructor() || Record->hasUserDeclaredCopyAssignment() ||
      Record->hasUserDeclaredMoveOperation() || Record->hasUserDeclaredDestructor() ||
      Record->hasUserDeclaredConstructor() || Record->isPolymorphic() ||
      !Record->hasTrivialDefaultConstructor() || Record->getNumBases() || Record->field_empty())
    return false;
  // `operator=(float)`, of what converts, and a template of one may be the better match.
  if (any_of(Record->decls(), [](const Decl *D) {
        const auto *Template = dyn_cast<FunctionTemplateDecl>(D);
        const auto *Method = dyn_cast<CXXMethodDecl>(Template ? Template->getTemplatedDecl() : D);
        return Method && !Method->isImplicit() && Method->getOverloadedOperator() == OO_Equal;
      }))
    return false;
  return all_of(Record->fields(), [&](const FieldDecl *Field) {
    const ASTContext &Context = Record->getASTContext();
    const QualType T = Context.getBaseElementType(Field->getType());
    return !Field->getType().isVolatileQualified() && !Field->getType().isConstQualified() &&
           (T.isTriviallyCopyableType(Context) || isCudaNumber(T->getAsCXXRecordDecl()));
  });
}

/// `*this`, or a part of it that is named by \p Field.
static bool isOwn(const Expr *E, const FieldDecl *Field) {
  const auto *Member = dyn_cast<MemberExpr>(E->IgnoreParenImpCasts());
  return Member && Member->isArrow() && Member->getMemberDecl() == Field &&
         isa<CXXThisExpr>(Member->getBase()->IgnoreParenImpCasts());
}
static bool isOf(const Expr *E, const ParmVarDecl *Other) {
  const auto *Ref = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts());
  return Ref && Ref->getDecl() == Other;
}

/// The class has nothing but members one behind the other, each of which is copied as its bytes.
static bool isMadeOfPlainMembers(const CXXRecordDecl *Record) {
  const ASTContext &Context = Record->getASTContext();
  if (!Record->hasDefinition() || Record->isDependentContext() || Record->isInvalidDecl() ||
      Record->isUnion() || Record->getNumBases() || Record->isPolymorphic() ||
      Record->field_empty() || !Record->hasTrivialDestructor())
    return false;
  const ASTRecordLayout &Layout = Context.getASTRecordLayout(Record);
  uint64_t Bits = 0;
  for (const FieldDecl *Field : Record->fields()) {
    const QualType T = Field->getType();
    if (!Field->getIdentifier() || Field->isBitField() || T.isConstQualified() ||
        T.isVolatileQualified() || T->isReferenceType() || T->isArrayType() ||
        !(T.isTriviallyCopyableType(Context) || isCudaNumber(T->getAsCXXRecordDecl())) ||
        Layout.getFieldOffset(Field->getFieldIndex()) != Bits)
      return false;
    Bits += Context.getTypeSize(T);
  }
  return Bits == uint64_t(Context.toBits(Layout.getSize()));
}

/// No build has another text of the class, as far as the user's files say.
static bool hasOneText(const CXXRecordDecl *Record) {
  const ASTContext &Context = Record->getASTContext();
  const SourceManager &SM = Context.getSourceManager();
  const SourceLocation Begin = Record->getBeginLoc(), End = Record->getEndLoc();
  if (Begin.isInvalid() || Begin.isMacroID() || End.isMacroID() || !Record->getIdentifier() ||
      SM.getFileID(Begin) != SM.getFileID(End) ||
      OtherMeanings::isInBranch(Begin, SM.getLocForStartOfFile(SM.getFileID(Begin)), Context))
    return false;
  const unsigned From = SM.getFileOffset(Begin), To = SM.getFileOffset(End);
  bool HasDirective = false;
  forEachRawToken(SM.getBufferData(SM.getFileID(Begin)).slice(From, To).str(),
                  [&](const Token &T, unsigned) { HasDirective |= T.is(tok::hash); });
  return !HasDirective && !OtherMeanings(Context).hasIn(Begin, End);
}

/// A body of the user's for `a = b` that copies each member of the class, or all of its bytes, and
/// does nothing else.
static bool copiesMembers(const CXXMethodDecl *Method) {
  const FunctionDecl *Defined = Method->getDefinition();
  const CXXRecordDecl *Record = Method->getParent();
  if (!Defined || Defined->isOutOfLine() || Method->isVolatile() || Method->isDeleted() ||
      Method->getNumParams() != 1 ||
      !(Method->isCopyAssignmentOperator() || Method->isMoveAssignmentOperator()) ||
      !isMadeOfPlainMembers(Record))
    return false;
  const ASTContext &Context = Record->getASTContext();
  const ParmVarDecl *Other = Defined->getParamDecl(0);
  const QualType Given = Other->getType();
  if (Given.getNonReferenceType().isVolatileQualified())
    return false;
  const auto *Body = dyn_cast_or_null<CompoundStmt>(Defined->getBody());
  std::vector<const Stmt *> Statements(Body ? Body->body_begin() : nullptr,
                                       Body ? Body->body_end() : nullptr);
  if (Statements.empty())
    return false;
  if (const auto *Return = dyn_cast<ReturnStmt>(Statements.back())) {
    const Expr *E = Return->getRetValue() ? Return->getRetValue()->IgnoreParenImpCasts() : nullptr;
    const auto *Self = dyn_cast_or_null<UnaryOperator>(E);
    if (E &&
        !(Self && Self->getOpcode() == UO_Deref && Method->getReturnType()->isReferenceType() &&
          isa<CXXThisExpr>(Self->getSubExpr()->IgnoreParenImpCasts())))
      return false;
    Statements.pop_back();
  }
  std::set<const FieldDecl *> Copied;
  for (const Stmt *S : Statements) {
    const auto *E = dyn_cast<Expr>(S);
    E = E ? E->IgnoreParens() : nullptr;
    if (const auto *Full = dyn_cast_or_null<FullExpr>(E))
      E = Full->getSubExpr()->IgnoreParens();
    const auto *Call = dyn_cast_or_null<CallExpr>(E);
    // memcpy(this, &other, sizeof(*this))
    if (const FunctionDecl *F = Call ? Call->getDirectCallee() : nullptr;
        F && F->getIdentifier() && Call->getNumArgs() == 3 && isLibraryFunction(F, Context) &&
        (F->getName() == "memcpy" || F->getName() == "__builtin_memcpy")) {
      const auto *From = dyn_cast<UnaryOperator>(Call->getArg(1)->IgnoreParenCasts());
      if (Statements.size() != 1 || !isa<CXXThisExpr>(Call->getArg(0)->IgnoreParenCasts()) ||
          !From || From->getOpcode() != UO_AddrOf || !isOf(From->getSubExpr(), Other) ||
          constantValue(Call->getArg(2), Context) !=
              Context.getTypeSizeInChars(Context.getCanonicalTagType(Record)).getQuantity())
        return false;
      return hasOneText(Record);
    }
    const Expr *To = nullptr, *From = nullptr;
    if (const auto *Op = dyn_cast_or_null<BinaryOperator>(E); Op && Op->getOpcode() == BO_Assign) {
      To = Op->getLHS();
      From = Op->getRHS();
    } else if (const auto *Op = dyn_cast_or_null<CXXOperatorCallExpr>(E);
               Op && Op->getOperator() == OO_Equal && Op->getNumArgs() == 2) {
      const auto *Of = dyn_cast_or_null<CXXMethodDecl>(Op->getDirectCallee());
      if (!Of || !(Of->isTrivial() || isCudaNumber(Of->getParent())))
        return false;
      To = Op->getArg(0);
      From = Op->getArg(1);
    }
    const auto *Read = From ? dyn_cast<MemberExpr>(From->IgnoreParenImpCasts()) : nullptr;
    const auto *Field = Read ? dyn_cast<FieldDecl>(Read->getMemberDecl()) : nullptr;
    if (!Field || Read->isArrow() || !isOf(Read->getBase(), Other) || !isOwn(To, Field) ||
        !Context.hasSameType(From->getType().getUnqualifiedType(),
                             Field->getType().getUnqualifiedType()) ||
        !Copied.insert(Field).second)
      return false;
  }
  return Copied.size() == size_t(std::distance(Record->field_begin(), Record->field_end())) &&
         hasOneText(Record);
}

/// With assignments of its own that do that, and nothing else that a copy could be made by.
static bool copiesItself(const CXXRecordDecl *Record) {
  if (!Record || !isMadeOfPlainMembers(Record) || !Record->hasUserDeclaredCopyAssignment() ||
      Record->hasUserDeclaredMoveConstructor() || !Record->hasTrivialCopyConstructor())
    return false;
  return all_of(Record->decls(), [](const Decl *D) {
    const auto *Template = dyn_cast<FunctionTemplateDecl>(D);
    const auto *Method = dyn_cast<CXXMethodDecl>(Template ? Template->getTemplatedDecl() : D);
    if (const auto *Ctor = dyn_cast_or_null<CXXConstructorDecl>(Method))
      return !Template &&
             (!Ctor->isCopyOrMoveConstructor() || (Ctor->isTrivial() && !Ctor->isDeleted()));
    return !Method || Method->getOverloadedOperator() != OO_Equal ||
           (!Template && (Method->isTrivial() || copiesMembers(Method)));
  });
}

bool copiesBytes(QualType T, const ASTContext &Context) {
  const CXXRecordDecl *Record = T->getAsCXXRecordDecl();
  return T.isTriviallyCopyableType(Context) || isCudaNumber(Record) ||
         (!T.isVolatileQualified() && copiesItself(Record));
}

/// No template among the class's own constructors, or with \p Assignment among its assignments,
/// could be chosen in place of the one that copies bytes, and that one may be used.
static bool onlyPlainMembers(const CXXRecordDecl *Record, bool Assignment) {
  for (const Decl *D : Record->decls()) {
    const auto *Template = dyn_cast<FunctionTemplateDecl>(D);
    const auto *Method = dyn_cast<CXXMethodDecl>(Template ? Template->getTemplatedDecl() : D);
    if (!Method)
      continue;
    const auto *Ctor = dyn_cast<CXXConstructorDecl>(Method);
    const bool Concerns =
        Assignment ? Method->getOverloadedOperator() == OO_Equal : Ctor != nullptr;
    if (!Concerns)
      continue;
    if (Template)
      return false;
    const bool Copies =
        Assignment ? Method->isCopyAssignmentOperator() || Method->isMoveAssignmentOperator()
                   : Ctor->isCopyOrMoveConstructor();
    if (Assignment && !Copies)
      return false; // `operator=(float)`, of what converts
    if (Copies &&
        (Method->isDeleted() || !(Method->isTrivial() || (Assignment && copiesMembers(Method))) ||
         Method->getAccess() == AS_private || Method->getAccess() == AS_protected ||
         (Ctor && Ctor->isExplicit())))
      return false;
    if (Ctor && Ctor->isDefaultConstructor() && Method->isDeleted())
      return false;
  }
  return true;
}

bool anyField(QualType T, function_ref<bool(const FieldDecl *)> Is) {
  const RecordDecl *Record = T.isNull() || T->isDependentType()
                                 ? nullptr
                                 : T->getBaseElementTypeUnsafe()->getAsRecordDecl();
  Record = Record ? Record->getDefinition() : nullptr;
  if (!Record)
    return false;
  if (const auto *Class = dyn_cast<CXXRecordDecl>(Record))
    if (any_of(Class->bases(),
               [&](const CXXBaseSpecifier &Base) { return anyField(Base.getType(), Is); }))
      return true;
  return any_of(Record->fields(), [&](const FieldDecl *Field) {
    return Is(Field) || anyField(Field->getType(), Is);
  });
}

/// A part of it can be set only once.
static bool hasConstPart(QualType T) {
  return anyField(T, [](const FieldDecl *Field) {
    return Field->getType().isConstQualified() || Field->getType()->isReferenceType();
  });
}

bool isPlainlyCopied(QualType T, const ASTContext &Context) {
  const CXXRecordDecl *Record = T->getAsCXXRecordDecl();
  if (!Record || isCudaNumber(Record))
    return copiesBytes(T, Context);
  return copiesBytes(T, Context) && Record->hasDefinition() && !hasConstPart(T) &&
         onlyPlainMembers(Record, /*Assignment=*/false) &&
         onlyPlainMembers(Record, /*Assignment=*/true);
}

/// `T b;` of the class does no more than to set members to constants: what its default constructors
/// have to say, for the device, too, is `: a(0) {}`.
static bool beginsQuietly(const CXXRecordDecl *Record, const ASTContext &Context) {
  const auto IsConstant = [&](const Expr *E) {
    return E && !E->isValueDependent() && E->isEvaluatable(Context) && !E->HasSideEffects(Context);
  };
  Record = Record->getDefinition();
  if (!Record || Record->isDependentContext())
    return false;
  if (Record->hasTrivialDefaultConstructor())
    return true;
  if (!Record->hasDefaultConstructor() || Record->isUnion())
    return false;
  // A template may be the one that is taken.
  if (any_of(Record->decls(), [](const Decl *D) {
        const auto *Template = dyn_cast<FunctionTemplateDecl>(D);
        return Template && isa<CXXConstructorDecl>(Template->getTemplatedDecl());
      }))
    return false;
  for (const CXXConstructorDecl *Ctor : Record->ctors()) {
    if (!Ctor->isDefaultConstructor() || !Ctor->isUserProvided())
      continue;
    const FunctionDecl *Body = nullptr;
    if (Ctor->getNumParams() != 0 || !Ctor->hasAttr<CUDADeviceAttr>() || !Ctor->hasBody(Body))
      return false; // what a default argument does is done, too
    const auto *Block = dyn_cast_or_null<CompoundStmt>(Body->getBody());
    if (!Block || !Block->body_empty() ||
        any_of(cast<CXXConstructorDecl>(Body)->inits(), [&](const CXXCtorInitializer *Init) {
          return Init->isWritten() &&
                 !(Init->isMemberInitializer() &&
                   Init->getMember()->getType()->isArithmeticType() && IsConstant(Init->getInit()));
        }))
      return false;
  }
  const auto Is = [&](QualType T) {
    const CXXRecordDecl *Part = T->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
    return !Part || beginsQuietly(Part, Context);
  };
  return !Record->isPolymorphic() && Record->getNumVBases() == 0 &&
         all_of(Record->bases(),
                [&](const CXXBaseSpecifier &Base) { return Is(Base.getType()); }) &&
         all_of(Record->fields(), [&](const FieldDecl *Field) {
           return (!Field->hasInClassInitializer() ||
                   (Field->getType()->isArithmeticType() &&
                    IsConstant(Field->getInClassInitializer()))) &&
                  Is(Field->getType());
         });
}

bool isPlainlyAssigned(QualType T, const ASTContext &Context) {
  const CXXRecordDecl *Record = T->getAsCXXRecordDecl();
  if (!Record || isCudaNumber(Record))
    return copiesBytes(T, Context);
  return copiesBytes(T, Context) && Record->hasDefinition() && beginsQuietly(Record, Context) &&
         !hasConstPart(T) && onlyPlainMembers(Record, /*Assignment=*/true) &&
         none_of(Record->ctors(), [](const CXXConstructorDecl *Ctor) {
           return Ctor->isDefaultConstructor() &&
                  (Ctor->isDeleted() || Ctor->getAccess() == AS_private ||
                   Ctor->getAccess() == AS_protected);
         });
}

/// One layer of what stripNoOps() takes off; \p E itself when there is none.
static const Expr *stripLayer(const Expr *E) {
  if (const auto *Paren = dyn_cast<ParenExpr>(E))
    return Paren->getSubExpr();
  if (const auto *Full = dyn_cast<FullExpr>(E))
    return Full->getSubExpr();
  if (const auto *Temp = dyn_cast<MaterializeTemporaryExpr>(E))
    return Temp->getSubExpr();
  if (const auto *Bind = dyn_cast<CXXBindTemporaryExpr>(E))
    return Bind->getSubExpr();
  if (const auto *Cast = dyn_cast<CastExpr>(E)) {
    if (Cast->getCastKind() == CK_LValueToRValue || Cast->getCastKind() == CK_NoOp ||
        Cast->getCastKind() == CK_ConstructorConversion)
      return Cast->getSubExpr();
  } else if (const auto *Construct = dyn_cast<CXXConstructExpr>(E)) {
    const CXXConstructorDecl *Ctor = Construct->getConstructor();
    if (Ctor->isCopyOrMoveConstructor() && Construct->getNumArgs() == 1 &&
        (Ctor->isTrivial() || isCudaNumber(Ctor->getParent())))
      return Construct->getArg(0);
  }
  return E->IgnoreParens();
}

uint64_t alignmentOf(const Expr *E, const ASTContext &Context) {
  E = E->IgnoreParens();
  // Conversions to a value, and those that leave the object alone.
  while (const auto *Cast = dyn_cast<ImplicitCastExpr>(E)) {
    if (Cast->getCastKind() != CK_LValueToRValue && Cast->getCastKind() != CK_NoOp &&
        Cast->getCastKind() != CK_ArrayToPointerDecay)
      break;
    E = Cast->getSubExpr()->IgnoreParens();
  }
  uint64_t Align = Context.getTypeAlignInChars(E->getType()).getQuantity();
  if (const auto *Member = dyn_cast<MemberExpr>(E)) {
    if (const auto *Field = dyn_cast<FieldDecl>(Member->getMemberDecl());
        Field && !Field->isBitField())
      Align = std::min<uint64_t>(Align, Context.getDeclAlign(Field).getQuantity());
    const Expr *Base = Member->getBase();
    QualType Record = Member->isArrow() ? Base->getType()->getPointeeType() : Base->getType();
    uint64_t Whole = Member->isArrow() ? Context.getTypeAlignInChars(Record).getQuantity()
                                       : alignmentOf(Base, Context);
    // A record that lies less aligned than its type says.
    if (Whole < uint64_t(Context.getTypeAlignInChars(Record).getQuantity()))
      Align = std::min(Align, Whole);
    return Align;
  }
  if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(E)) {
    const Expr *Base = Sub->getBase()->IgnoreParenImpCasts();
    if (Base->getType()->isArrayType())
      Align = std::min(Align, alignmentOf(Base, Context));
  }
  return Align;
}

const Expr *stripNoOps(const Expr *E) {
  while (true) {
    const Expr *Next = stripLayer(E);
    if (Next == E)
      return E;
    E = Next;
  }
}

bool matchAssignment(const Expr *E, const Expr *&LHS, const Expr *&RHS) {
  E = E->IgnoreParens();
  if (const auto *Full = dyn_cast<FullExpr>(E))
    E = Full->getSubExpr()->IgnoreParens();
  if (const auto *Op = dyn_cast<BinaryOperator>(E); Op && Op->getOpcode() == BO_Assign) {
    LHS = Op->getLHS();
    RHS = Op->getRHS();
    return true;
  }
  if (const auto *Call = dyn_cast<CXXOperatorCallExpr>(E);
      Call && Call->getOperator() == OO_Equal && Call->getNumArgs() == 2) {
    LHS = Call->getArg(0);
    RHS = Call->getArg(1);
    return true;
  }
  return false;
}

const ConditionalOperator *asConditional(const Expr *E) {
  E = stripNoOps(E);
  if (const auto *Cast = dyn_cast<ImplicitCastExpr>(E);
      Cast && Cast->getCastKind() == CK_IntegralCast)
    E = stripNoOps(Cast->getSubExpr());
  return dyn_cast<ConditionalOperator>(E);
}

std::optional<TextRange> narrowestRange(const Expr *E, const ASTContext &Context) {
  std::optional<TextRange> Narrowest;
  while (true) {
    if (std::optional<TextRange> R = textRange(E->getSourceRange(), Context))
      Narrowest = R;
    const Expr *Next = stripLayer(E);
    if (Next == E)
      return Narrowest;
    E = Next;
  }
}

bool sameExpression(const Expr *A, const Expr *B, const ASTContext &Context) {
  FoldingSetNodeID IdA, IdB;
  A->IgnoreParens()->Profile(IdA, Context, /*Canonical=*/true);
  B->IgnoreParens()->Profile(IdB, Context, /*Canonical=*/true);
  return IdA == IdB;
}

const VarDecl *mentionedVar(const DeclRefExpr *Ref) {
  if (const auto *Binding = dyn_cast<BindingDecl>(Ref->getDecl()))
    return cast_or_null<VarDecl>(Binding->getDecomposedDecl());
  return dyn_cast<VarDecl>(Ref->getDecl());
}

DeclSet<VarDecl> mentionedVars(const Stmt *S) {
  struct Visitor : ConstDynamicRecursiveASTVisitor {
    DeclSet<VarDecl> Set;
    bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
      if (const VarDecl *Var = mentionedVar(Ref))
        Set.insert(Var);
      return true;
    }
  } V;
  V.TraverseStmt(S);
  return std::move(V.Set);
}

std::vector<NamedAt> namesOf(const Stmt *S) {
  struct Visitor : ConstDynamicRecursiveASTVisitor {
    std::vector<NamedAt> All;
    bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
      All.push_back({Ref->getDecl(), Ref->getLocation()});
      return true;
    }
    bool VisitOverloadExpr(const OverloadExpr *Ref) override {
      for (const NamedDecl *D : Ref->decls())
        All.push_back({D, Ref->getNameLoc()});
      return true;
    }
    bool VisitTypedefTypeLoc(TypedefTypeLoc T) override {
      All.push_back({T.getDecl(), T.getNameLoc()});
      return true;
    }
    bool VisitUsingTypeLoc(UsingTypeLoc T) override {
      All.push_back({T.getDecl(), T.getNameLoc()});
      return true;
    }
    bool VisitTagTypeLoc(TagTypeLoc T) override {
      All.push_back({T.getDecl(), T.getNameLoc()});
      return true;
    }
    bool VisitSizeOfPackExpr(const SizeOfPackExpr *E) override {
      All.push_back({E->getPack(), E->getPackLoc()});
      return true;
    }
    bool VisitGotoStmt(const GotoStmt *Goto) override {
      All.push_back({Goto->getLabel(), Goto->getLabelLoc()});
      return true;
    }
  } V;
  V.TraverseStmt(S);
  return std::move(V.All);
}

const NamedDecl *declaredAround(const KLoop &Loop, const IdentifierInfo *Name) {
  const NamedDecl *Meant = nullptr;
  auto Declare = [&](const Decl *D) {
    if (const auto *Parts = dyn_cast<DecompositionDecl>(D)) {
      for (const BindingDecl *Part : Parts->bindings())
        if (Part->getIdentifier() == Name)
          Meant = Part;
    } else if (const auto *Named = dyn_cast<NamedDecl>(D);
               Named && Named->getIdentifier() == Name) {
      Meant = Named;
    } else if (const auto *Enum = dyn_cast<EnumDecl>(D); Enum && !Enum->isScoped()) {
      for (const EnumConstantDecl *Constant : Enum->enumerators())
        if (Constant->getIdentifier() == Name)
          Meant = Constant;
    }
  };
  // From the outside in: the classes, the template's parameters, the function's, and the blocks.
  SmallVector<const CXXRecordDecl *, 2> Classes;
  for (const DeclContext *C = Loop.Function->getDeclContext(); C; C = C->getParent())
    if (const auto *Class = dyn_cast<CXXRecordDecl>(C))
      Classes.push_back(Class);
  for (const CXXRecordDecl *Class : reverse(Classes)) {
    if (const auto *Special = dyn_cast<ClassTemplateSpecializationDecl>(Class))
      for (const NamedDecl *Param : *Special->getSpecializedTemplate()->getTemplateParameters())
        Declare(Param);
    auto Members = [&](const CXXRecordDecl *Record) {
      for (const NamedDecl *Member : Record->lookup(DeclarationName(Name)))
        Meant = Member;
      return true;
    };
    if (Class->hasDefinition()) {
      Class->forallBases(Members);
      Members(Class);
    }
  }
  if (const FunctionTemplateDecl *Template = Loop.Function->getPrimaryTemplate())
    for (const NamedDecl *Param : *Template->getTemplateParameters())
      Declare(Param);
  for (const ParmVarDecl *Param : Loop.Function->parameters())
    Declare(Param);
  ArrayRef<const Stmt *> Around(Loop.Ancestors);
  for (size_t I = 0; I != Around.size(); ++I) {
    const Stmt *Within = I + 1 < Around.size() ? Around[I + 1] : Loop.Loop;
    // Of an if, a loop, a switch: what its head declares.
    for (const Stmt *Child : Around[I]->children()) {
      if (Child == Within)
        break;
      if (const auto *Declaration = dyn_cast_or_null<DeclStmt>(Child))
        for (const Decl *D : Declaration->decls())
          Declare(D);
    }
  }
  return Meant;
}

/// The names of what \p D is declared in, and its own.
static bool canBeNamed(const TagDecl *D, SourceLocation Where, const SourceManager &SM) {
  const auto *Special = dyn_cast<ClassTemplateSpecializationDecl>(D);
  auto InFront = [&](const Decl *One) { // and not a friend's, which says the name to nobody
    return One->getFriendObjectKind() == Decl::FOK_None &&
           (One->getLocation().isInvalid() ||
            SM.isBeforeInTranslationUnit(One->getLocation(), Where));
  };
  const bool Declared = Special ? any_of(Special->getSpecializedTemplate()->redecls(), InFront)
                                : any_of(D->redecls(), InFront);
  if (!Declared || D->getParentFunctionOrMethod() || D->getAccess() == AS_private ||
      D->getAccess() == AS_protected || (!D->getIdentifier() && !D->getTypedefNameForAnonDecl()))
    return false;
  auto Argument = [&](const TemplateArgument &Arg) {
    auto One = [&](const TemplateArgument &A) {
      return A.getKind() == TemplateArgument::Type ? canBeNamed(A.getAsType(), Where, SM)
             : A.getKind() == TemplateArgument::Integral
                 ? canBeNamed(A.getIntegralType(), Where, SM)
                 : false;
    };
    return Arg.getKind() == TemplateArgument::Pack ? all_of(Arg.pack_elements(), One) : One(Arg);
  };
  if (Special && !all_of(Special->getTemplateArgs().asArray(), Argument))
    return false;
  const auto *Around = dyn_cast<TagDecl>(D->getDeclContext());
  return !Around || canBeNamed(Around, Where, SM);
}

bool canBeNamed(QualType T, SourceLocation Where, const SourceManager &SM) {
  T = T.getCanonicalType();
  if (T->isPointerType() || T->isReferenceType())
    return canBeNamed(T->getPointeeType(), Where, SM);
  if (const TagDecl *Tag = T->getAsTagDecl())
    return canBeNamed(Tag, Where, SM);
  return isa<BuiltinType, VectorType>(T);
}

bool isConstObject(QualType T) {
  const CXXRecordDecl *Record = T->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
  return T.isConstQualified() && !(Record && Record->hasDefinition() && Record->hasMutableFields());
}

StringRef outermostNamespace(const Decl *D) {
  StringRef Name;
  for (const DeclContext *C = D->getDeclContext(); C; C = C->getParent())
    if (const auto *Space = dyn_cast<NamespaceDecl>(C); Space && Space->getIdentifier())
      Name = Space->getName();
  return Name;
}

std::string nameInHeader(const NamedDecl *D) {
  const SourceManager &SM = D->getASTContext().getSourceManager();
  std::string Name = D->getQualifiedNameAsString();
  if (!SM.isInSystemHeader(D->getLocation()))
    return Name;
  // The outermost of what the header itself opens.
  const NamespaceDecl *Outermost = nullptr;
  for (const DeclContext *C = D->getDeclContext(); C; C = C->getParent())
    if (const auto *Space = dyn_cast<NamespaceDecl>(C)) {
      if (!SM.isInSystemHeader(Space->getLocation()))
        break;
      Outermost = Space;
    }
  if (!Outermost || !Outermost->getIdentifier() || Outermost->getName() != "nvcuda")
    return Name;
  StringRef Rest = Name;
  Rest.consume_front(StringRef(Outermost->getQualifiedNameAsString()).drop_back(strlen("nvcuda")));
  return Rest.str();
}

bool isLibraryFunction(const FunctionDecl *Function, const ASTContext &Context) {
  auto ByLibrary = [&](const FunctionDecl *F) {
    return F->getLocation().isInvalid() ||
           Context.getSourceManager().isInSystemHeader(F->getLocation());
  };
  // The user may declare it once more; with a body it is the user's.
  if (const FunctionDecl *Definition = Function->getDefinition())
    return ByLibrary(Definition);
  return Function->getBuiltinID() || any_of(Function->redecls(), ByLibrary);
}

const Expr *leftHandSide(const Expr *E) {
  const Expr *LHS = nullptr, *RHS = nullptr;
  return matchAssignment(E, LHS, RHS) ? LHS : nullptr;
}

const Expr *rightHandSide(const Expr *E) {
  const Expr *LHS = nullptr, *RHS = nullptr;
  return matchAssignment(E, LHS, RHS) ? RHS : nullptr;
}

const Expr *singleStatement(const Stmt *Arm) {
  while (const auto *Compound = dyn_cast_or_null<CompoundStmt>(Arm))
    Arm = Compound->size() == 1 ? Compound->body_front() : nullptr;
  return dyn_cast_or_null<Expr>(Arm);
}

bool isLeftByCall(const VarDecl *Var, const ASTContext &Context) {
  return Var->needsDestruction(Context) == QualType::DK_cxx_destructor ||
         Var->hasAttr<CleanupAttr>();
}

bool endsObjects(const FunctionDecl *Function, const ASTContext &Context) {
  struct Visitor : ConstDynamicRecursiveASTVisitor {
    const ASTContext &Context;
    bool Found = false;
    explicit Visitor(const ASTContext &Context) : Context(Context) {}
    bool VisitVarDecl(const VarDecl *Var) override {
      Found |= !Var->getType()->isDependentType() && isLeftByCall(Var, Context);
      return !Found;
    }
    bool VisitCXXBindTemporaryExpr(const CXXBindTemporaryExpr *) override {
      Found = true;
      return false;
    }
    bool VisitMaterializeTemporaryExpr(const MaterializeTemporaryExpr *E) override {
      Found |= E->getStorageDuration() == SD_Automatic &&
               E->getType().isDestructedType() != QualType::DK_none;
      return !Found;
    }
  } V(Context);
  V.TraverseDecl(Function);
  return V.Found;
}

bool declaresShared(const FunctionDecl *F) {
  const FunctionDecl *Definition = F ? F->getDefinition() : nullptr;
  return Definition && any_of(Definition->decls(), [](const Decl *D) {
           return isa<VarDecl>(D) && D->hasAttr<CUDASharedAttr>();
         });
}

bool isTrivialAssignment(const CXXMethodDecl *Method) {
  return (Method->isCopyAssignmentOperator() || Method->isMoveAssignmentOperator()) &&
         (Method->isTrivial() || isCudaNumber(Method->getParent()) || copiesMembers(Method));
}

unsigned objectArguments(const CallExpr *Call) {
  const auto *Method = dyn_cast_or_null<CXXMethodDecl>(Call->getDirectCallee());
  // A static `operator()` is given its object, too, and has no parameter for it; `this auto &&Self`
  // is one.
  return isa<CXXOperatorCallExpr>(Call) && Method && !Method->isExplicitObjectMemberFunction() ? 1
                                                                                               : 0;
}

CallOperands operandsOf(const CallExpr *Call) {
  ArrayRef<const Expr *> Args(Call->getArgs(), Call->getNumArgs());
  if (const auto *Member = dyn_cast<CXXMemberCallExpr>(Call))
    return {Member->getImplicitObjectArgument(), Args};
  return objectArguments(Call) ? CallOperands{Args.front(), Args.drop_front()}
                               : CallOperands{nullptr, Args};
}

bool declares(const Stmt *S, const VarDecl *Var) {
  const auto *Decl = dyn_cast_or_null<DeclStmt>(S);
  return Decl && is_contained(Decl->decls(), Var);
}

std::vector<MeantByPlace> meantByPlace(const Stmt *S, const ASTContext &Context) {
  struct Visitor : ConstDynamicRecursiveASTVisitor {
    const ASTContext &Context;
    std::vector<MeantByPlace> Found;
    explicit Visitor(const ASTContext &Context) : Context(Context) {}
    bool VisitPredefinedExpr(const PredefinedExpr *E) override {
      Found.push_back({E->getIdentKindName().str(), E->getLocation(), true});
      return true;
    }
    bool TraverseStmt(const Stmt *S) override {
      // What assert says of its place is for people.
      const auto *Call = dyn_cast_or_null<CallExpr>(S);
      return (Call && Call->getDirectCallee() &&
              classifyFunction(Call->getDirectCallee(), Context) == FunctionKind::Trap) ||
             ConstDynamicRecursiveASTVisitor::TraverseStmt(S);
    }
    bool VisitSourceLocExpr(const SourceLocExpr *E) override {
      Found.push_back({E->getBuiltinStr().str(), E->getLocation(), false});
      return true;
    }
    bool VisitCXXDefaultArgExpr(const CXXDefaultArgExpr *E) override {
      return TraverseStmt(E->getExpr());
    }
    bool VisitIntegerLiteral(const IntegerLiteral *E) override {
      const SourceManager &SM = Context.getSourceManager();
      for (SourceLocation Loc = E->getLocation(); Loc.isMacroID();
           Loc = SM.getImmediateMacroCallerLoc(Loc))
        if (StringRef Name = Lexer::getImmediateMacroName(Loc, SM, Context.getLangOpts());
            Name == "__LINE__" || Name == "__COUNTER__") {
          Found.push_back({Name.str(), SM.getExpansionLoc(Loc), false});
          break;
        }
      return true;
    }
  } V(Context);
  V.TraverseStmt(S);
  return std::move(V.Found);
}

std::vector<const Expr *> returnedValues(const Stmt *Body) {
  struct Visitor : ConstDynamicRecursiveASTVisitor {
    std::vector<const Expr *> Values;
    bool VisitReturnStmt(const ReturnStmt *Return) override {
      if (Return->getRetValue())
        Values.push_back(Return->getRetValue());
      return true;
    }
    bool TraverseStmt(const Stmt *S) override {
      return isa_and_nonnull<LambdaExpr>(S) || ConstDynamicRecursiveASTVisitor::TraverseStmt(S);
    }
  } V;
  V.TraverseStmt(Body);
  return std::move(V.Values);
}

const Expr *initialValue(const VarDecl *Var) {
  const Expr *Init = Var->getInit();
  const auto *List = dyn_cast_or_null<InitListExpr>(Init);
  return List && List->getNumInits() == 1 && Var->getType()->isScalarType() ? List->getInit(0)
                                                                            : Init;
}

/// A constructor that touches nothing of what it makes.
static bool setsNothing(const CXXConstructorDecl *Constructor) {
  if (Constructor->isTrivial())
    return true;
  const FunctionDecl *Body = nullptr;
  if (!Constructor->hasBody(Body) || !Body->getBody() || !isa<CompoundStmt>(Body->getBody()) ||
      !cast<CompoundStmt>(Body->getBody())->body_empty())
    return false;
  // Written or not: of bases and of members that are classes.
  return all_of(cast<CXXConstructorDecl>(Body)->inits(), [](const CXXCtorInitializer *Init) {
    return Init->getInit() && leavesUnset(Init->getInit());
  });
}

bool leavesUnset(const Expr *Init) {
  const auto *Construct = dyn_cast<CXXConstructExpr>(Init->IgnoreImplicit());
  return Construct && Construct->getNumArgs() == 0 && !Construct->requiresZeroInitialization() &&
         setsNothing(Construct->getConstructor());
}

bool beginsWithValue(const VarDecl *Var) { return Var->hasInit() && !leavesUnset(Var->getInit()); }

std::optional<InitialWords> initialWords(const VarDecl *Var, const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  const SourceLocation Name = Var->getLocation();
  if (!Var->hasInit() || leavesUnset(Var->getInit()) || Name.isMacroID() || !isInMainFile(SM, Name))
    return std::nullopt;
  // The tokens behind the name, up to the end of the declarator.
  const FileID Id = SM.getMainFileID();
  const StringRef File = SM.getBufferData(Id);
  Lexer Lex(SM.getLocForStartOfFile(Id), Context.getLangOpts(), File.begin(),
            File.begin() + SM.getFileOffset(Name), File.end());
  Token T;
  auto Next = [&] {
    Lex.LexFromRawLexer(T);
    return SM.getFileOffset(T.getLocation());
  };
  Next();
  InitialWords Out;
  unsigned At = Next();
  while (T.is(tok::r_paren)) // `float (v) = 0;`
    At = Next();
  if (T.is(tok::semi)) {
    if (!isa<CXXConstructExpr>(Var->getInit()->IgnoreImplicit()))
      return std::nullopt;
    return Out;
  }
  if (T.is(tok::equal)) {
    At = Next();
    Out.Form = T.is(tok::l_brace) ? InitialWords::Braces : InitialWords::Expression;
  } else if (T.is(tok::l_brace)) {
    Out.Form = InitialWords::Braces;
  } else if (T.is(tok::l_paren)) {
    Out.Form = InitialWords::Parens;
  } else {
    return std::nullopt;
  }
  Out.Text.Begin = At;
  for (unsigned Depth = 0; T.isNot(tok::eof); At = Next()) {
    if (T.is(tok::hash) && T.isAtStartOfLine())
      return std::nullopt;
    // `a < b, c > d` may be one expression or the end of this one: only single declarations are
    // asked for.
    if (Depth == 0 && T.is(tok::semi))
      return Out;
    Depth += T.isOneOf(tok::l_paren, tok::l_brace, tok::l_square);
    if (T.isOneOf(tok::r_paren, tok::r_brace, tok::r_square) && Depth-- == 0)
      return std::nullopt;
    Out.Text.End = At + T.getLength();
  }
  return std::nullopt;
}

const Expr *objectOf(const Expr *E) {
  while (true) {
    E = stripNoOps(E);
    const auto *Member = dyn_cast<MemberExpr>(E);
    if (!Member || Member->isArrow())
      return E;
    E = Member->getBase();
  }
}

const VarDecl *referencedVar(const Expr *E) {
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts()))
    return dyn_cast<VarDecl>(Ref->getDecl());
  return nullptr;
}

const LambdaExpr *lambdaAround(const KLoop &Loop) {
  for (const Stmt *S : reverse(Loop.Ancestors))
    if (const auto *Lambda = dyn_cast<LambdaExpr>(S))
      return Lambda;
  return nullptr;
}

//===-- Control flow --------------------------------------------------------===//

bool isLoop(const Stmt *S) {
  return isa<ForStmt>(S) || isa<WhileStmt>(S) || isa<DoStmt>(S) || isa<CXXForRangeStmt>(S);
}

const Expr *conditionOf(const Stmt *S) {
  if (const auto *If = dyn_cast<IfStmt>(S))
    return If->getCond();
  if (const auto *Switch = dyn_cast<SwitchStmt>(S))
    return Switch->getCond();
  if (const auto *For = dyn_cast<ForStmt>(S))
    return For->getCond();
  if (const auto *While = dyn_cast<WhileStmt>(S))
    return While->getCond();
  if (const auto *Do = dyn_cast<DoStmt>(S))
    return Do->getCond();
  return nullptr;
}

const Stmt *bodyOf(const Stmt *S) {
  if (const auto *Switch = dyn_cast<SwitchStmt>(S))
    return Switch->getBody();
  if (const auto *For = dyn_cast<ForStmt>(S))
    return For->getBody();
  if (const auto *While = dyn_cast<WhileStmt>(S))
    return While->getBody();
  if (const auto *Do = dyn_cast<DoStmt>(S))
    return Do->getBody();
  if (const auto *Range = dyn_cast<CXXForRangeStmt>(S))
    return Range->getBody();
  return nullptr;
}

bool encloses(const Stmt *S, const Stmt *Inner) {
  return S == Inner ||
         (S && any_of(S->children(), [&](const Stmt *C) { return encloses(C, Inner); }));
}

bool standsIn(SourceLocation At, const Stmt *S, const SourceManager &SM) {
  return SM.isPointWithin(SM.getExpansionLoc(At), SM.getExpansionLoc(S->getBeginLoc()),
                          SM.getExpansionLoc(S->getEndLoc()));
}

std::vector<const Expr *> commaParts(const Expr *E) {
  const auto *Comma = dyn_cast<BinaryOperator>(E->IgnoreParens());
  if (!Comma || Comma->getOpcode() != BO_Comma)
    return {E};
  std::vector<const Expr *> Parts = commaParts(Comma->getLHS());
  append_range(Parts, commaParts(Comma->getRHS()));
  return Parts;
}

const Expr *withoutPointerCasts(const Expr *Pointer) {
  const Expr *E = Pointer->IgnoreParens();
  for (const auto *Cast = dyn_cast<CastExpr>(E);
       Cast && is_contained({CK_BitCast, CK_NoOp}, Cast->getCastKind());
       Cast = dyn_cast<CastExpr>(E))
    E = Cast->getSubExpr()->IgnoreParens();
  return E;
}

const Expr *addressedObject(const Expr *Pointer) {
  const auto *Address = dyn_cast<UnaryOperator>(withoutPointerCasts(Pointer));
  return Address && Address->getOpcode() == UO_AddrOf ? Address->getSubExpr() : nullptr;
}

bool hasContinue(const Stmt *S) {
  return S && !isLoop(S) && !isa<LambdaExpr>(S) &&
         (isa<ContinueStmt>(S) || any_of(S->children(), hasContinue));
}

bool hasCase(const Stmt *S) {
  return S && !isa<SwitchStmt>(S) && !isa<Expr>(S) &&
         (isa<SwitchCase>(S) || any_of(S->children(), hasCase));
}

unsigned countMentions(const VarDecl *Var, ArrayRef<const Stmt *> In) {
  struct Visitor : ConstDynamicRecursiveASTVisitor {
    const VarDecl *Var;
    unsigned Count = 0;
    bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
      Count += Ref->getDecl() == Var;
      return true;
    }
  } V;
  V.Var = Var;
  for (const Stmt *S : In)
    V.TraverseStmt(S);
  return V.Count;
}

bool hasGoto(const Stmt *S) {
  return S && (isa<GotoStmt>(S) || isa<IndirectGotoStmt>(S) || any_of(S->children(), hasGoto));
}

bool isDiscardedIn(const Stmt *S, const Stmt *Call) {
  bool Found = false;
  forEachLeaf(S, [&](const Stmt *Leaf) {
    const auto *E = dyn_cast<Expr>(Leaf);
    if (const auto *Full = dyn_cast_or_null<FullExpr>(E))
      E = Full->getSubExpr();
    while (E) {
      E = E->IgnoreParens();
      const auto *Cast = dyn_cast<CastExpr>(E);
      if (!Cast || Cast->getCastKind() != CK_ToVoid)
        break;
      E = Cast->getSubExpr();
    }
    Found |= E && E == Call;
  });
  return Found;
}

} // namespace cuda_pipeline
