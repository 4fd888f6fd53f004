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
//===----------------------------------------------------------------------===//

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
        // Its class may have an operator! of its own.
        !If->getCond()->IgnoreUnlessSpelledInSource()->getType()->isScalarType())
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

  bool waits(const CompoundStmt *Block) const {
    return any_of(M.Refusals, [&](const Refusal &R) {
      const SourceLocation At = SM.getExpansionLoc(R.Where);
      return R.Why == Reason::BarrierNested && R.Where.isValid() &&
             SM.isPointWithin(At, Block->getLBracLoc(), Block->getRBracLoc());
    });
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
