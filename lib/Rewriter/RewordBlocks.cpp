//===- RewordBlocks.cpp - Barriers in a block of the body -----------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// `for (..) { { __syncthreads(); .. } }`: statements of a block that is a statement of the body
/// are the body's own without its braces where
///
///   nothing that the block declares has the name of something that the body or the header of the
///   loop declares, or that is named behind the block: there it means what it meant;
///   nothing that it declares does something when the block ends;
///   no macro stands in front of it, which may be an `if` in another build.
///
/// `for (..) { if (t > 0) __syncthreads(); load; ..` and `for (..) { if (t > 0) { __syncthreads();
/// load; __syncthreads(); } ..`: a barrier in a turn that has nothing to wait for, the first one or
/// one that loads nothing, is one too many and no more where all threads of the block come by in
/// each turn, which the rest of the tool asks of a loop that begins with its barrier (rule 1 of
/// docs/soundness.md).
///
//===----------------------------------------------------------------------===//

#include "../Model/Barriers.h"
#include "../Model/ModelStep.h"
#include "../Model/RawTokens.h"
#include "Rewordings.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

class BlockRewording {
public:
  BlockRewording(const TileModel &M, const ASTContext &Context)
      : M(M), Context(Context), SM(Context.getSourceManager()), File(mainFileText(Context)) {}

  Rewording run() const {
    Rewording Out;
    for (const Stmt *S : M.Loop->Body->body())
      if (const auto *Block = dyn_cast<CompoundStmt>(S);
          Block && waits(Block) && mayOpen(Block, S)) {
        Out.Edits.push_back(withoutBrace(Block->getLBracLoc()));
        dedent(Block, Block->getLBracLoc(), Out.Edits);
        Out.Edits.push_back(withoutBrace(Block->getRBracLoc()));
      }
    if (!Out.empty())
      Out.Said.push_back("a block of the body with barriers in it is taken as statements of the "
                         "body");
    else if (const IfStmt *If = onlyWaits())
      waitAlways(If, Out);
    else if (const auto *If =
                 M.Loop->Body->body_empty() ? nullptr : dyn_cast<IfStmt>(M.Loop->Body->body_back()))
      skip(If, Out);
    return Out;
  }

private:
  const TileModel &M;
  const ASTContext &Context;
  const SourceManager &SM;
  const StringRef File;

  /// `for (..) { .. if (c) { .. } }`, with the loop's barriers in that block: the rest of a turn is
  /// left out where the condition does not hold.
  void skip(const IfStmt *If, Rewording &Out) const {
    const auto *Block = dyn_cast<CompoundStmt>(If->getThen());
    if (!M.Loop->asFor() || !M.Loop->asFor()->getInc() || !Block || If->getElse() ||
        If->getInit() || If->getConditionVariable() || If->isConstexpr() || If->isConsteval() ||
        !waits(Block) || !mayOpen(Block, If) ||
        // Its class may have an operator! of its own, in another build as well.
        !If->getCond()->IgnoreUnlessSpelledInSource()->getType()->isScalarType() ||
        hasOtherMeanings(M, Context) || any_of(namesOf(If->getCond()), [&](const NamedAt &Name) {
          const auto *Value = dyn_cast<ValueDecl>(Name.Decl);
          return Value && !isOfOneType(Value, M, Context);
        }))
      return;
    const std::optional<TextRange> Whole = statementRange(If, Context);
    const std::string Cond = textOf(If->getCond(), Context);
    const unsigned Open = SM.getFileOffset(Block->getLBracLoc());
    if (!Whole || Cond.empty() || If->getIfLoc().isMacroID() ||
        Whole->Begin != SM.getFileOffset(If->getIfLoc()) ||
        !commentsIn(File.slice(Whole->Begin, Open)).empty())
      return;
    const std::string Break = breakAt(File, Whole->Begin);
    const size_t End = File.find('\n', Open);
    const bool More = !File.slice(Open + 1, End).trim().empty();
    Out.Edits.push_back({Whole->Begin, Open + 1 - Whole->Begin,
                         "if (!(" + Cond + "))" + Break + "  continue;" + (More ? Break : "")});
    dedent(Block, If->getIfLoc(), Out.Edits);
    Out.Edits.push_back(withoutBrace(Block->getRBracLoc()));
    Out.PinsArguments |= M.Loop->IsTemplate;
    Out.Said.push_back("an 'if' around the rest of the body is taken as 'continue' where its "
                       "condition does not hold");
  }

  FunctionKind kind(const Stmt *S) const { return barrierOf(S, *M.Facts->Collector, Context); }

  /// Of `if (c) ..`, what it does.
  static std::vector<const Stmt *> thenOf(const IfStmt *If) {
    const auto *Block = dyn_cast<CompoundStmt>(If->getThen());
    return Block ? std::vector<const Stmt *>(Block->body_begin(), Block->body_end())
                 : std::vector<const Stmt *>{If->getThen()};
  }

  /// The `if` of the body that has its first barriers: one and nothing else, or the load phase
  /// between two, which are the body's last ones, too. Null: it has none.
  const IfStmt *onlyWaits() const {
    // Threads that wait for each other by memory do not all come by one more barrier; nor is it
    // known who waits where an object ends.
    if (any_of(M.Facts->Function->whole().Accesses, [](const Access &A) { return A.Volatile; }) ||
        endsObjects(M.Loop->Function, Context) || hasOtherMeanings(M, Context))
      return nullptr;
    const IfStmt *Found = nullptr;
    unsigned Own = 0;
    for (const Stmt *S : M.Loop->Body->body()) {
      const auto *If = dyn_cast<IfStmt>(S);
      if (Effects E = M.Facts->Collector->collect(S);
          !E.hasBarrier() || kind(S) == FunctionKind::Barrier) {
        Own += kind(S) == FunctionKind::Barrier;
        if (!Found && Own != 0)
          return nullptr;
        continue;
      }
      if (Found || !If || If->getElse() || If->getInit() || If->getConditionVariable() ||
          If->isConstexpr() || If->isConsteval() || !computesOnly(If->getCond()))
        return nullptr;
      const std::vector<const Stmt *> Then = thenOf(If);
      if (Then.empty() || kind(Then.front()) != FunctionKind::Barrier)
        return nullptr;
      for (const Stmt *Inner : ArrayRef(Then).drop_front())
        if (Inner == Then.back() ? kind(Inner) != FunctionKind::Barrier
                                 : M.Facts->Collector->collect(Inner).hasBarrier())
          return nullptr;
      Found = If;
    }
    if (!Found)
      return nullptr;
    // Without a load between the two, other turns would do without a barrier that they need.
    return (thenOf(Found).size() == 1 ? Own == 1 && holdsBehindFirst(Found->getCond()) : Own == 0)
               ? Found
               : nullptr;
  }

  /// \p C says of each turn that it is not the first one: `t > 0`, `t != begin`, `t`.
  bool holdsBehindFirst(const Expr *C) const {
    const ForStmt *For = M.Loop->asFor();
    const auto *Init = For ? dyn_cast_or_null<DeclStmt>(For->getInit()) : nullptr;
    const auto *Counter =
        Init && Init->isSingleDecl() ? dyn_cast<VarDecl>(Init->getSingleDecl()) : nullptr;
    const Expr *Start = Counter ? initialValue(Counter) : nullptr;
    const auto *Step = For ? dyn_cast_or_null<UnaryOperator>(For->getInc()) : nullptr;
    const auto *Add = For ? dyn_cast_or_null<CompoundAssignOperator>(For->getInc()) : nullptr;
    const FunctionValues &Values = *M.Facts->Values;
    const std::optional<int64_t> By = Add ? Values.fold(Add->getRHS()) : std::nullopt;
    const bool Up =
        Step ? Step->isIncrementOp() : Add && Add->getOpcode() == BO_AddAssign && By && *By > 0;
    const bool Down =
        Step ? Step->isDecrementOp() : Add && Add->getOpcode() == BO_SubAssign && By && *By > 0;
    if (!Start || !Counter->getType()->isIntegerType() || (!Up && !Down) ||
        referencedVar(Step ? Step->getSubExpr() : Add->getLHS()) != Counter)
      return false;
    const auto IsStart = [&](const Expr *E) {
      const std::optional<int64_t> A = Values.fold(E), B = Values.fold(Start);
      return (A && B && *A == *B) ||
             (sameExpression(E->IgnoreParenImpCasts(), Start->IgnoreParenImpCasts(), Context) &&
              all_of(mentionedVars(E), [&](const VarDecl *V) {
                return V != Counter && (Values.isSetOnce(V) || Values.isUnchangedParameter(V));
              }));
    };
    C = C->IgnoreParenImpCasts();
    if (referencedVar(C) == Counter)
      return Values.fold(Start) == int64_t(0);
    const auto *Compares = dyn_cast<BinaryOperator>(C);
    if (!Compares)
      return false;
    const bool OnLeft = referencedVar(Compares->getLHS()->IgnoreParenImpCasts()) == Counter;
    if ((!OnLeft && referencedVar(Compares->getRHS()->IgnoreParenImpCasts()) != Counter) ||
        !IsStart(OnLeft ? Compares->getRHS() : Compares->getLHS()))
      return false;
    return Compares->getOpcode() == BO_NE ||
           Compares->getOpcode() == (OnLeft == Up ? BO_GT : BO_LT);
  }

  bool computesOnly(const Expr *E) const {
    const Effects Does = M.Facts->Collector->collect(E);
    return onlyPureActions(Does) && onlyLocalAccesses(Does) &&
           none_of(Does.Accesses, [](const Access &A) { return A.Write || A.Volatile; });
  }

  /// It calls functions of the toolkit alone: what others do, and which ones they are, may be
  /// another thing in another build.
  bool isPlain(const Stmt *Barrier) const {
    struct Visitor : ConstDynamicRecursiveASTVisitor {
      const ASTContext &Context;
      bool Found = false;
      explicit Visitor(const ASTContext &Context) : Context(Context) {}
      bool VisitCallExpr(const CallExpr *Call) override {
        Found |= !Call->getDirectCallee() || !isLibraryFunction(Call->getDirectCallee(), Context);
        return !Found;
      }
    } V(Context);
    V.TraverseStmt(Barrier);
    return !V.Found;
  }

  /// The barriers of \p If without its condition.
  void waitAlways(const IfStmt *If, Rewording &Out) const {
    const std::vector<const Stmt *> Then = thenOf(If);
    const auto *Block = dyn_cast<CompoundStmt>(If->getThen());
    const std::optional<TextRange> Whole = replacedRange(If, Context),
                                   First = replacedRange(Then.front(), Context),
                                   Last = replacedRange(Then.back(), Context);
    if (!Whole || !First || !Last || If->getIfLoc().isMacroID() ||
        Whole->Begin != SM.getFileOffset(If->getIfLoc()))
      return;
    if (!isPlain(Then.front()) || !isPlain(Then.back()))
      return;
    // What the barrier names has to mean the same in front of the block.
    for (const Stmt *Barrier : {Then.front(), Then.back()})
      for (const NamedAt &Name : namesOf(Barrier))
        if (const SourceLocation At = SM.getExpansionLoc(Name.Decl->getLocation());
            Name.Decl->getParentFunctionOrMethod() && At.isValid() &&
            SM.isPointWithin(At, If->getBeginLoc(), If->getEndLoc()))
          return;
    const auto Text = [&](TextRange R) { return File.slice(R.Begin, R.End).str(); };
    const std::string Break = breakAt(File, Whole->Begin);
    if (Then.size() == 1) {
      const std::vector<std::string> Comments = commentsIn(Text(*Whole));
      if (!Comments.empty())
        return;
      Out.Edits.push_back({Whole->Begin, Whole->End - Whole->Begin, Text(*First)});
    } else {
      const std::optional<Edit> Without[] = {withoutStatement(Then.front(), Context),
                                             withoutStatement(Then.back(), Context)};
      const SourceLocation Close = Block->getRBracLoc();
      if (!Without[0] || !Without[1] || Close.isMacroID() || Then.size() == 2)
        return;
      const unsigned End = SM.getFileOffset(Close) + 1;
      Out.Edits.push_back({Whole->Begin, 0, Text(*First) + Break});
      Out.Edits.push_back(*Without[0]);
      Out.Edits.push_back(*Without[1]);
      Out.Edits.push_back({End, 0, Break + Text(*Last)});
    }
    Out.PinsArguments |= M.Loop->IsTemplate;
    Out.Said.push_back("a barrier under a condition is taken as one of every turn");
  }

  bool waits(const CompoundStmt *Block) const {
    const auto IsInBlock = [&](const Refusal &R) {
      const SourceLocation At = SM.getExpansionLoc(R.Where);
      return R.Why == Reason::BarrierNested && R.Where.isValid() &&
             SM.isPointWithin(At, Block->getLBracLoc(), Block->getRBracLoc());
    };
    return any_of(M.Refusals, IsInBlock) || any_of(M.TwoBufferRefusals, IsInBlock);
  }

  /// Adds what \p S declares directly; false: something else than a variable that ends quietly, an
  /// alias, or an assertion.
  static bool declaredBy(const Stmt *S, std::set<std::string> &Names) {
    const auto *Statement = dyn_cast_or_null<DeclStmt>(S);
    if (!Statement)
      return !isa_and_nonnull<LabelStmt>(S);
    for (const Decl *D : Statement->decls()) {
      if (isa<StaticAssertDecl>(D))
        continue;
      const auto *Var = dyn_cast<VarDecl>(D);
      if ((!Var && !isa<TypedefNameDecl>(D)) || isa<DecompositionDecl>(D) ||
          (Var && (Var->getType().isDestructedType() || Var->getType()->isReferenceType())))
        return false; // a temporary lives as long as a reference to it
      Names.insert(cast<NamedDecl>(D)->getNameAsString());
    }
    return true;
  }

  /// \p S: the statement of the body that it is, or is a part of.
  bool mayOpen(const CompoundStmt *Block, const Stmt *S) const {
    const SourceLocation Open = Block->getLBracLoc(), Close = Block->getRBracLoc();
    for (SourceLocation At : {Open, Close})
      if (At.isMacroID() || !isInMainFile(SM, At))
        return false;
    if (File[SM.getFileOffset(Open)] != '{' || File[SM.getFileOffset(Close)] != '}')
      return false;
    const std::optional<TextRange> Whole = statementRange(Block, Context);
    if (!Whole || Whole->Begin != SM.getFileOffset(Open))
      return false;
    std::set<std::string> Own, Around;
    for (const Stmt *Inner : Block->body())
      if (!declaredBy(Inner, Own))
        return false;
    for (const Stmt *Other : M.Loop->Body->body())
      if (const auto *Statement = dyn_cast<DeclStmt>(Other))
        for (const Decl *D : Statement->decls())
          if (const auto *Named = dyn_cast<NamedDecl>(D))
            Around.insert(Named->getNameAsString());
    struct Declared : ConstDynamicRecursiveASTVisitor { // by the header
      std::set<std::string> &Names;
      explicit Declared(std::set<std::string> &Names) : Names(Names) {}
      bool VisitVarDecl(const VarDecl *Var) override {
        Names.insert(Var->getNameAsString());
        return true;
      }
    } V(Around);
    for (const Stmt *Part : M.Loop->Loop->children())
      if (Part && Part != M.Loop->Body)
        V.TraverseStmt(Part);
    // As it is written, also where no instantiation has it, and as it is read, also out of macros.
    const unsigned From = SM.getFileOffset(Close) + 1,
                   To = SM.getFileOffset(SM.getExpansionLoc(M.Loop->Body->getRBracLoc()));
    const std::string Behind = File.slice(From, To).str();
    forEachRawToken(Behind, [&](const Token &T, unsigned) {
      if (T.is(tok::raw_identifier))
        Around.insert(T.getRawIdentifier().str());
    });
    const auto *At = find(M.Loop->Body->body(), S);
    for (const Stmt *Later : make_range(std::next(At), M.Loop->Body->body_end()))
      for (const NamedAt &Name : namesOf(Later))
        Around.insert(Name.Decl->getNameAsString());
    return none_of(Own, [&](const std::string &Name) { return Around.count(Name) != 0; });
  }

  size_t lineOf(unsigned Offset) const { return File.rfind('\n', Offset) + 1; }
  bool isFirstOfLine(unsigned Offset) const {
    return File.slice(lineOf(Offset), Offset).trim().empty();
  }

  /// Lines of the block stand as far in as the block did.
  void dedent(const CompoundStmt *Block, SourceLocation From, std::vector<Edit> &Edits) const {
    const unsigned Open = SM.getFileOffset(From), Close = SM.getFileOffset(Block->getRBracLoc());
    const unsigned First =
        Block->body_empty()
            ? Close
            : SM.getFileOffset(SM.getExpansionLoc(Block->body_front()->getBeginLoc()));
    if (!isFirstOfLine(Open) || !isFirstOfLine(First) ||
        mayHaveStringOfLines(File.slice(Open, Close)))
      return;
    const StringRef Outer = File.slice(lineOf(Open), Open),
                    Inner = File.slice(lineOf(First), First);
    if (!Inner.starts_with(Outer))
      return;
    for (size_t Line = File.find('\n', Open) + 1; Line < lineOf(Close);
         Line = File.find('\n', Line) + 1)
      if (File.drop_front(Line).starts_with(Inner) && Inner != Outer)
        Edits.push_back({unsigned(Line), unsigned(Inner.size() - Outer.size()), ""});
  }

  /// With its line if nothing else is on it.
  Edit withoutBrace(SourceLocation At) const {
    const unsigned Begin = SM.getFileOffset(At);
    const size_t Line = lineOf(Begin), End = File.find('\n', Begin);
    if (End != StringRef::npos && isFirstOfLine(Begin) && File.slice(Begin + 1, End).trim().empty())
      return Edit{unsigned(Line), unsigned(End + 1 - Line), ""};
    return Edit{Begin, 1, " "};
  }
};

} // namespace

Rewording rewordBlocks(const TileModel &M, ASTContext &Context) {
  if (!M.Loop->Body || M.Loop->IsPattern)
    return Rewording();
  return BlockRewording(M, Context).run();
}

} // namespace cuda_pipeline
