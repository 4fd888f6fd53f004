//===- Written.cpp - What code says, to compare with that of another version -===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Written.h"
#include "../Model/AstUtil.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/PrettyPrinter.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

PrintingPolicy policy(const ASTContext &Context) {
  PrintingPolicy P(Context.getLangOpts());
  P.SuppressTagKeyword = true;
  P.Bool = true;
  return P;
}

/// The macro that a token comes of, if the compiler has made it: `__LINE__`.
StringRef builtinMacro(SourceLocation Loc, const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  if (!Loc.isMacroID() || !SM.isWrittenInScratchSpace(SM.getSpellingLoc(Loc)))
    return "";
  const SourceLocation Name = SM.getSpellingLoc(SM.getImmediateExpansionRange(Loc).getBegin());
  bool Invalid = false;
  const char *Text = SM.getCharacterData(Name, &Invalid);
  return Invalid ? StringRef()
                 : StringRef(Text, Lexer::MeasureTokenLength(Name, SM, Context.getLangOpts()));
}

/// Collects text, and what is to be said beside it.
class Writer : public PrinterHelper {
public:
  explicit Writer(const ASTContext &Context)
      : Context(Context), Policy(policy(Context)), OS(Text) {}

  void add(const Stmt *S) {
    if (!S)
      return;
    S->printPretty(OS, this, Policy, 0, "\n", &Context);
    OS << '\n';
    struct Names : ConstDynamicRecursiveASTVisitor {
      Writer &W;
      explicit Names(Writer &W) : W(W) {}
      bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
        W.named(Ref->getDecl());
        return true;
      }
    };
    Names(*this).TraverseStmt(S);
  }
  void add(QualType T) { OS << T.getAsString(Policy) << '\n'; }
  void add(StringRef Word) { OS << Word << '\n'; }
  void add(const FunctionDecl *F) {
    if (const FunctionTemplateDecl *T = F->getDescribedFunctionTemplate())
      T->getTemplateParameters()->print(OS, Context, Policy);
    add(F->getType());
    for (const ParmVarDecl *P : F->parameters())
      add(P->getName());
    if (const auto *Constructor = dyn_cast<CXXConstructorDecl>(F))
      for (const CXXCtorInitializer *Init : Constructor->inits()) {
        if (!Init->isWritten() && !Init->isInClassMemberInitializer())
          continue;
        if (Init->isAnyMemberInitializer())
          OS << Init->getAnyMember()->getName() << ": ";
        add(Init->getInit());
      }
    add(F->getBody());
  }

  /// \p Set: what sets a local variable of the host. Without it they have no values.
  std::function<void(const VarDecl *)> OfLocal;

  bool handledStmt(Stmt *S, raw_ostream &To) override {
    if (isa<IntegerLiteral, clang::StringLiteral>(S)) {
      StringRef Macro = builtinMacro(S->getBeginLoc(), Context);
      if (Macro == "__LINE__" || Macro == "__FILE__" || Macro == "__FILE_NAME__") {
        To << Macro;
        return true;
      }
    }
    // Under whatever name.
    const auto *Ref = OfLocal ? dyn_cast<DeclRefExpr>(S) : nullptr;
    const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
    if (!Var || !Var->hasLocalStorage())
      return false;
    if (const auto *P = dyn_cast<ParmVarDecl>(Var))
      To << "$parameter" << P->getFunctionScopeIndex();
    else
      To << "$" << Numbers.try_emplace(Var, Numbers.size()).first->second;
    return true;
  }

  std::string result() {
    OS.flush();
    return utohexstr(xxh3_64bits(Text));
  }

private:
  void named(const ValueDecl *D) {
    if (!Seen.insert(D->getCanonicalDecl()).second)
      return;
    if (const auto *Constant = dyn_cast<EnumConstantDecl>(D)) {
      OS << Constant->getName() << " = " << Constant->getInitVal() << '\n';
    } else if (const auto *Var = dyn_cast<VarDecl>(D)) {
      if (Var->isLocalVarDecl() || isa<ParmVarDecl>(Var)) {
        if (OfLocal && !isa<ParmVarDecl>(Var))
          OfLocal(Var);
      } else if (const Expr *Init = Var->getAnyInitializer()) {
        OS << Var->getName() << " = ";
        add(Init);
      }
    } else if (const auto *F = dyn_cast<FunctionDecl>(D); F && OfLocal) {
      const FunctionDecl *Definition = nullptr;
      const SourceManager &SM = Context.getSourceManager();
      if (F->hasBody(Definition) &&
          !SM.isInSystemHeader(SM.getExpansionLoc(Definition->getLocation())) && ++Functions < 64)
        add(Definition);
    }
  }

  const ASTContext &Context;
  const PrintingPolicy Policy;
  std::string Text;
  raw_string_ostream OS;
  SmallPtrSet<const Decl *, 16> Seen;
  DenseMap<const VarDecl *, size_t> Numbers;
  unsigned Functions = 0;
};

/// The variable that \p E is a part of, and the first member on the way there.
const VarDecl *rootOf(const Expr *E, StringRef &Member) {
  E = E->IgnoreParenCasts();
  if (const auto *M = dyn_cast<MemberExpr>(E)) {
    const VarDecl *Var = rootOf(M->getBase(), Member);
    if (Member.empty() && M->getMemberDecl()->getIdentifier())
      Member = M->getMemberDecl()->getName();
    return Var;
  }
  if (const auto *Element = dyn_cast<ArraySubscriptExpr>(E))
    return rootOf(Element->getBase(), Member);
  const auto *Ref = dyn_cast<DeclRefExpr>(E);
  return Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
}

/// What a host function sets its variables by, other than where they are declared.
struct Setters : ConstDynamicRecursiveASTVisitor {
  struct Setter {
    const VarDecl *Var;
    std::string Member;
    const Stmt *By;
  };
  std::vector<Setter> Found;

  void note(const Expr *Place, const Stmt *By) {
    StringRef Member;
    if (const VarDecl *Var = rootOf(Place, Member))
      Found.push_back({Var, Member.str(), By});
  }
  bool VisitBinaryOperator(const clang::BinaryOperator *B) override {
    if (B->isAssignmentOp())
      note(B->getLHS(), B);
    return true;
  }
  bool VisitUnaryOperator(const clang::UnaryOperator *U) override {
    if (U->isIncrementDecrementOp())
      note(U->getSubExpr(), U);
    return true;
  }
  bool VisitCallExpr(const CallExpr *Call) override {
    if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(Call);
        Operator && Operator->isAssignmentOp()) {
      note(Operator->getArg(0), Call);
      return true;
    }
    // What is given an address may set what is there; a launch does not.
    const FunctionDecl *Callee = Call->getDirectCallee();
    if (Callee && Callee->getIdentifier() && Callee->getName().contains("Launch"))
      return true;
    for (const Expr *Arg : Call->arguments())
      if (const auto *Address = dyn_cast<clang::UnaryOperator>(Arg->IgnoreParenCasts());
          Address && Address->getOpcode() == UO_AddrOf)
        note(Address->getSubExpr(), Call);
    return true;
  }
};

} // namespace

std::string writtenFunction(const FunctionDecl *F, const ASTContext &Context) {
  Writer W(Context);
  W.add(F);
  return W.result();
}

/// Where \p W comes to a local variable, it says what sets it; of \p But nothing.
static void sayWhatSets(Writer &W, const Setters &Set, const VarDecl *But = nullptr) {
  W.OfLocal = [&W, &Set, But](const VarDecl *Var) {
    if (Var == But)
      return;
    W.add(Var->getInit());
    for (const Setters::Setter &S : Set.Found)
      if (S.Var == Var)
        W.add(S.By);
  };
}

std::string HostValues::from(const Expr *E) const {
  Setters Set;
  Set.TraverseStmt(F->getBody());
  Writer W(Context);
  sayWhatSets(W, Set);
  W.add(E);
  return W.result();
}

std::string HostValues::fromMembers(const VarDecl *Config, StringRef Field) const {
  Setters Set;
  Set.TraverseStmt(F->getBody());
  Writer W(Context);
  sayWhatSets(W, Set, Config);
  const Expr *Init = Config->getInit() ? Config->getInit()->IgnoreImplicit() : nullptr;
  const auto *List = dyn_cast_or_null<InitListExpr>(Init);
  const RecordDecl *Record = List ? List->getType()->getAsRecordDecl() : nullptr;
  if (Record && std::distance(Record->field_begin(), Record->field_end()) == List->getNumInits()) {
    for (auto [Number, Member] : enumerate(Record->fields()))
      if (Member->getName().starts_with(Field))
        W.add(List->getInit(Number));
  } else {
    W.add(Init);
  }
  for (const Setters::Setter &S : Set.Found)
    if (S.Var == Config && (S.Member.empty() || StringRef(S.Member).starts_with(Field)))
      W.add(S.By);
  return W.result();
}

} // namespace cuda_pipeline
