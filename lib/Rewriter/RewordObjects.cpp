//===- RewordObjects.cpp - Objects of which only members are named --------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// `Copy c{tile, in + i};` holds a pointer that is stored by, and one that is loaded by. What is
/// known of the pointers in one object is not known of each. An object that begins with a value for
/// each member, and of which nothing but members is named, is as good as a variable for each.
///
//===----------------------------------------------------------------------===//

#include "../Model/AstUtil.h"
#include "../Model/LoopFacts.h"
#include "Rewordings.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

/// Where a variable is named: its members, and everything else.
struct MembersOf : ConstDynamicRecursiveASTVisitor {
  const VarDecl *Object;
  std::vector<const MemberExpr *> Members;
  const DeclStmt *Declared = nullptr;
  unsigned Mentions = 0;
  bool ByAddress = false;
  explicit MembersOf(const VarDecl *Object) : Object(Object) { ShouldVisitImplicitCode = true; }
  bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
    Mentions += Ref->getDecl() == Object;
    return true;
  }
  bool VisitMemberExpr(const MemberExpr *Member) override {
    if (!Member->isArrow() && isa<FieldDecl>(Member->getMemberDecl()) &&
        referencedVar(Member->getBase()) == Object)
      Members.push_back(Member);
    return true;
  }
  bool VisitUnaryOperator(const UnaryOperator *Op) override {
    const auto *Member = dyn_cast<MemberExpr>(Op->getSubExpr()->IgnoreParens());
    ByAddress |=
        Op->getOpcode() == UO_AddrOf && Member && referencedVar(Member->getBase()) == Object;
    return true;
  }
  bool VisitDeclStmt(const DeclStmt *S) override {
    if (S->isSingleDecl() && S->getSingleDecl() == Object)
      Declared = S;
    return true;
  }
  bool VisitLambdaExpr(const LambdaExpr *Lambda) override {
    ByAddress |= any_of(Lambda->captures(), [&](const LambdaCapture &C) {
      return C.capturesVariable() && C.getCapturedVar() == Object;
    });
    return true;
  }
};

/// A class whose objects are their members: nothing runs when one is made, copied or left.
bool isPlainAggregate(const CXXRecordDecl *Record) {
  return Record && Record->hasDefinition() && Record->isAggregate() && !Record->isUnion() &&
         Record->getNumBases() == 0 && !Record->isPolymorphic() && Record->hasTrivialDestructor() &&
         !Record->field_empty() && all_of(Record->fields(), [](const FieldDecl *Field) {
           return !Field->isBitField() && Field->getIdentifier() && !Field->isMutable() &&
                  !Field->getType()->isArrayType() && !Field->getType()->isRecordType() &&
                  !Field->getType().isVolatileQualified() && !Field->hasAttrs();
         });
}

/// The object as variables, if that is what it is.
void addVariables(const VarDecl *Object, const TileModel &M, ASTContext &Context,
                  const std::set<std::string> &Taken, Rewording &Out) {
  const auto *Record = Object->getType()->getAsCXXRecordDecl();
  const auto *List = Object->hasInit()
                         ? dyn_cast<InitListExpr>(Object->getInit()->IgnoreUnlessSpelledInSource())
                         : nullptr;
  if (!isPlainAggregate(Record) || !List || !Object->hasLocalStorage() || Object->hasAttrs() ||
      Object->getType().isVolatileQualified() || Object->getLocation().isMacroID())
    return;
  if (List->isSyntacticForm() && List->getSemanticForm())
    List = List->getSemanticForm();
  MembersOf Uses(Object);
  Uses.TraverseStmt(M.Loop->Function->getBody());
  const std::optional<TextRange> Whole =
      Uses.Declared ? statementRange(Uses.Declared, Context) : std::nullopt;
  if (!Whole || Uses.ByAddress || Uses.Mentions != Uses.Members.size() || Uses.Members.empty() ||
      List->getNumInits() != unsigned(std::distance(Record->field_begin(), Record->field_end())) ||
      !commentsIn(mainFileText(Context).slice(Whole->Begin, Whole->End)).empty())
    return;
  std::map<const FieldDecl *, std::string> Names;
  std::string Text;
  const std::string Break = breakAt(mainFileText(Context), Whole->Begin);
  std::set<std::string> Chosen;
  unsigned I = 0;
  for (const FieldDecl *Field : Record->fields()) {
    const Expr *Init = List->getInit(I++);
    QualType T = Field->getType();
    if (Object->getType().isConstQualified() && !T->isReferenceType())
      T.addConst();
    const std::string Value =
        isa<ImplicitValueInitExpr, CXXDefaultInitExpr, InitListExpr>(Init->IgnoreParenImpCasts())
            ? ""
            : textOf(Init, Context);
    QualType Named = T.getNonReferenceType();
    while (Named->isPointerType() || Named->isArrayType())
      Named = Named->isPointerType() ? Named->getPointeeType() : Context.getBaseElementType(Named);
    if (Value.empty() || !canBeNamed(Named.getCanonicalType().getUnqualifiedType(),
                                     Object->getLocation(), Context.getSourceManager()))
      return;
    std::string Name = Object->getNameAsString() + "_" + Field->getNameAsString();
    for (unsigned K = 2; Taken.count(Name) || Chosen.count(Name); ++K)
      Name = Object->getNameAsString() + "_" + Field->getNameAsString() + std::to_string(K);
    Chosen.insert(Name);
    Names[Field] = Name;
    std::string Declared = Name;
    T.getAsStringInternal(Declared, Context.getPrintingPolicy());
    Text += (Text.empty() ? "" : Break) + Declared + " = " + Value + ";";
  }
  std::vector<Edit> Edits = {{Whole->Begin, Whole->End - Whole->Begin, Text}};
  for (const MemberExpr *Member : Uses.Members) {
    const auto It = Names.find(cast<FieldDecl>(Member->getMemberDecl()));
    const std::optional<TextRange> At = textRange(Member->getSourceRange(), Context);
    if (It == Names.end() || !At || Member->getMemberLoc().isMacroID() ||
        Member->getBeginLoc().isMacroID() || Whole->contains(*At))
      return;
    // A list of values is in the tree twice.
    const Edit Named = {At->Begin, At->End - At->Begin, It->second};
    if (!is_contained(Edits, Named))
      Edits.push_back(Named);
  }
  append_range(Out.Edits, Edits);
  Out.Said.push_back("the members of '" + Object->getNameAsString() +
                     "' are taken as variables of their own");
}

} // namespace

Rewording rewordObjects(const TileModel &M, ASTContext &Context,
                        const std::set<std::string> &Taken) {
  Rewording Out;
  if (!M.Loop->Body || M.Loop->IsPattern || !M.Facts || !M.Facts->Collector || !M.Barriers[0])
    return Out;
  // Those that the load phase stores by, or loads.
  std::vector<const VarDecl *> Objects;
  for (const Stmt *S : M.Segments[0])
    for (const VarDecl *Var : mentionedVars(S))
      if (Var->getType()->isRecordType() && !is_contained(Objects, Var))
        Objects.push_back(Var);
  llvm::sort(Objects, [&](const VarDecl *A, const VarDecl *B) {
    return Context.getSourceManager().isBeforeInTranslationUnit(A->getLocation(), B->getLocation());
  });
  for (const VarDecl *Var : Objects) {
    const auto *Record = Var->getType()->getAsCXXRecordDecl();
    if (Record && Record->hasDefinition() && any_of(Record->fields(), [](const FieldDecl *Field) {
          return Field->getType()->isPointerType() || Field->getType()->isReferenceType();
        }))
      addVariables(Var, M, Context, Taken, Out);
  }
  Out.PinsArguments = !Out.empty() && M.Loop->IsTemplate;
  return Out;
}

} // namespace cuda_pipeline
