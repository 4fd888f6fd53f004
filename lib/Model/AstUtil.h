//===- AstUtil.h - Small questions about the AST --------------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Constant values, CUDA's builtin variables, and where an expression stands in the main file.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_MODEL_ASTUTIL_H
#define CUDA_PIPELINE_LIB_MODEL_ASTUTIL_H

#include "cuda-pipeline/DeclSet.h"
#include "cuda-pipeline/KLoop.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace cuda_pipeline {

/// Value of an integral constant expression; none when it is not one.
std::optional<int64_t> constantValue(const clang::Expr *E, const clang::ASTContext &Context);

enum class BuiltinVar { ThreadIdx, BlockIdx, BlockDim, GridDim, WarpSize };
struct BuiltinIndex {
  BuiltinVar Var;
  char Dim; ///< 'x', 'y', 'z'; 0 for warpSize
};
/// `threadIdx.x` and friends, in the forms that the toolkit's and the bundled headers give them;
/// `block.thread_index().x`.
std::optional<BuiltinIndex> asBuiltinIndex(const clang::Expr *E);
/// Of the whole block, as a cooperative group: `block.thread_rank()`, threadIdx.x + blockDim.x *
/// (threadIdx.y + ...), and `block.size()`, `block.num_threads()`.
enum class BlockNumber { Rank, Size };
std::optional<BlockNumber> asBlockNumber(const clang::Expr *E);

/// Half-open byte range in the main file.
struct TextRange {
  unsigned Begin = 0, End = 0;
  bool contains(const TextRange &O) const { return Begin <= O.Begin && O.End <= End; }
};
/// \p Loc, that of its expansion, stands in the main file: the one that is edited, which may be a
/// header of the one that is compiled (ParseRequest::Edited). A line marker in it may say that it
/// comes from elsewhere.
bool isInMainFile(const clang::SourceManager &SM, clang::SourceLocation Loc);
/// By its name the main file is one that others include: what it declares may be used where nobody
/// looks.
bool mainFileIsHeader(const clang::SourceManager &SM);
/// Where \p Range stands in the main file; none when a macro's body is involved in a way that has
/// no text of its own, or when it is in another file.
std::optional<TextRange> textRange(clang::SourceRange Range, const clang::ASTContext &Context);
/// The same for a statement, including the `;` that follows an expression statement.
std::optional<TextRange> statementNodeRange(const clang::Stmt *S, const clang::ASTContext &Context);
/// With the macros in front of it that are empty in this build, and go where it goes.
std::optional<TextRange> statementRange(const clang::Stmt *S, const clang::ASTContext &Context);
/// What other words take the place of: the macros in front of a declaration, which may qualify it,
/// go with it, and those in front of another statement, which may be an `if`, stay.
std::optional<TextRange> replacedRange(const clang::Stmt *S, const clang::ASTContext &Context);
/// Text of an expression as the user wrote it (macro calls kept); empty when there is none.
std::string textOf(const clang::Expr *E, const clang::ASTContext &Context);
llvm::StringRef mainFileText(const clang::ASTContext &Context);

/// `half`, `half2` and bfloat16's, and plain structures of them: classes whose assignments, not
/// trivial ones, copy the bytes.
bool isCudaNumber(const clang::CXXRecordDecl *Record);

/// `T b = a; b = a;` are good and copy the bytes.
bool isPlainlyCopied(clang::QualType T, const clang::ASTContext &Context);
/// `T b; b = a;` are good, and no more is done than to copy the bytes.
bool isPlainlyAssigned(clang::QualType T, const clang::ASTContext &Context);

/// Its declaration sets it.
bool beginsWithValue(const clang::VarDecl *Var);

/// Copying a value of the type copies its bytes: trivially copyable types, and CUDA's own small
/// number types, some of which have copy constructors that do just that.
bool copiesBytes(clang::QualType T, const clang::ASTContext &Context);

/// What the language says about the alignment of the lvalue \p E, in bytes: less than its type's
/// for the members of packed structures and for types that were declared with less.
uint64_t alignmentOf(const clang::Expr *E, const clang::ASTContext &Context);

/// Strips parentheses and casts that change neither bits nor type class: lvalue-to-rvalue, no-ops,
/// trivial copies of class objects, full-expression wrappers.
const clang::Expr *stripNoOps(const clang::Expr *E);

/// The assignment `LHS = RHS`, the language's own or by an operator; false: it is none.
bool matchAssignment(const clang::Expr *E, const clang::Expr *&LHS, const clang::Expr *&RHS);

/// \p E as `c ? a : b`, maybe with parentheses and conversions between integers around it; or null.
const clang::ConditionalOperator *asConditional(const clang::Expr *E);

/// Where \p E stands in the main file, without the layers that stripNoOps() takes off as far as the
/// text allows: `FLOAT4(A[i])` of a macro that puts parentheses around its body keeps the macro's
/// call.
std::optional<TextRange> narrowestRange(const clang::Expr *E, const clang::ASTContext &Context);

/// True when both expressions are the same by structure (variables compared by declaration).
bool sameExpression(const clang::Expr *A, const clang::Expr *B, const clang::ASTContext &Context);

/// Variables that are mentioned at all, also those whose address or reference is used.
DeclSet<clang::VarDecl> mentionedVars(const clang::Stmt *S);

/// The variable that \p Ref names; of a name of a structured binding, the object without a name
/// that it is a part of. Null: none.
const clang::VarDecl *mentionedVar(const clang::DeclRefExpr *Ref);

/// A name in a statement, and what it means: variables, functions, types, enumerators, templates,
/// labels; evaluated or not.
struct NamedAt {
  const clang::NamedDecl *Decl;
  clang::SourceLocation Where;
};
std::vector<NamedAt> namesOf(const clang::Stmt *S);

/// What the function, or the class around it, declares by the name \p Name and what is seen in
/// front of \p Loop; null where the name means something from further outside, or nothing.
const clang::NamedDecl *declaredAround(const KLoop &Loop, const clang::IdentifierInfo *Name);

/// All that the name of \p T consists of (as at file scope) is declared in front of \p Where, and
/// may be named there. Arrays, functions and pointers to members are left to the caller to spell:
/// false.
bool canBeNamed(clang::QualType T, clang::SourceLocation Where, const clang::SourceManager &SM);

/// An object of the type \p T keeps its value: it is const, and nothing in it is mutable.
bool isConstObject(clang::QualType T);

/// The lambda that has the loop in it, the innermost one; null: it stands in the function itself.
const clang::LambdaExpr *lambdaAround(const KLoop &Loop);

/// Its name; empty: \p D is in no namespace with one.
llvm::StringRef outermostNamespace(const clang::Decl *D);
/// The qualified name of \p D as its header gives it: in `nvcuda`, whatever namespace of the user's
/// the header was included in. What is in no header of the toolkit has the name that it has.
std::string nameInHeader(const clang::NamedDecl *D);
/// Of the toolkit, the C++ library or the bundled declarations, not the user's.
bool isLibraryFunction(const clang::FunctionDecl *Function, const clang::ASTContext &Context);

/// Something is called where the scope of \p Var ends.
bool isLeftByCall(const clang::VarDecl *Var, const clang::ASTContext &Context);
/// The same of a variable, a parameter or a temporary of \p Function: nobody knows what is done
/// there, or who waits.
bool endsObjects(const clang::FunctionDecl *Function, const clang::ASTContext &Context);

/// \p F, where it is defined, has a shared array of its own.
bool declaresShared(const clang::FunctionDecl *F);

/// A part of a statement that means something else at another place, or each time that it is
/// written down.
struct MeantByPlace {
  std::string Name;
  clang::SourceLocation Where;
  bool NamesFunction; ///< `__func__`: elsewhere in the function it is the same
};
std::vector<MeantByPlace> meantByPlace(const clang::Stmt *S, const clang::ASTContext &Context);

/// The object that a call passes, if any, and the arguments for the parameters.
struct CallOperands {
  const clang::Expr *Object; ///< a pointer to it behind `->`
  llvm::ArrayRef<const clang::Expr *> Args;
};
CallOperands operandsOf(const clang::CallExpr *Call);

/// The declaration statement \p S declares \p Var.
bool declares(const clang::Stmt *S, const clang::VarDecl *Var);

/// `a = b` of a class, which copies the bytes.
bool isTrivialAssignment(const clang::CXXMethodDecl *Method);

/// How many arguments of \p Call stand in front of those for the parameters: the object of an
/// operator that is a method.
unsigned objectArguments(const clang::CallExpr *Call);

/// What the function with the body \p Body returns, without what lambdas in it return.
std::vector<const clang::Expr *> returnedValues(const clang::Stmt *Body);

/// \p T, or the elements of such an array, is a class in which \p Is holds for a member: its own,
/// of a base, or of a member's class.
bool anyField(clang::QualType T, llvm::function_ref<bool(const clang::FieldDecl *)> Is);

/// Of an assignment; null of anything else.
const clang::Expr *leftHandSide(const clang::Expr *E);
const clang::Expr *rightHandSide(const clang::Expr *E);
/// The expression that \p Arm is, maybe in braces; null of anything else.
const clang::Expr *singleStatement(const clang::Stmt *Arm);

/// The value that a variable of a scalar type begins with: `4` of `int n = 4;`, `int n(4);` and
/// `int n{4};`. Null: none.
const clang::Expr *initialValue(const clang::VarDecl *Var);
/// An object that is initialised by \p Init holds nothing yet: its constructor does nothing
/// (`float4 v;`). A value that the language makes of no words, as that of `T()`, `T{}` and of
/// members with initialisers of their own, is one.
bool leavesUnset(const clang::Expr *Init);

/// How a declaration says the value that its variable begins with.
struct InitialWords {
  enum FormKind {
    Nothing,    ///< `T v;` of a class whose constructor sets it: `T()` says the same
    Expression, ///< `T v = E;`
    Braces,     ///< `T v{E};`, `T v = {E};`, with the braces: behind the type's name an expression
    Parens,     ///< `T v(E);`, with the parentheses: the same
  } Form = Nothing;
  TextRange Text; ///< empty for Nothing
};
/// None: it has no value, stands in a macro or in another file, or is declared in another way.
std::optional<InitialWords> initialWords(const clang::VarDecl *Var,
                                         const clang::ASTContext &Context);

/// What the lvalue \p E is a member of, or a member's member (`tile[i].a.x`: `tile[i]`); without
/// members \p E.
const clang::Expr *objectOf(const clang::Expr *E);

/// `a += 1, b += 2`: its parts, one after the other; of any other expression, itself.
std::vector<const clang::Expr *> commaParts(const clang::Expr *E);

/// The pointer under casts that keep its address: they make another type of the same bytes.
const clang::Expr *withoutPointerCasts(const clang::Expr *Pointer);
/// What `&x` names, under casts of the pointer, which make another type of the same bytes; null:
/// the pointer is made in another way.
const clang::Expr *addressedObject(const clang::Expr *Pointer);

/// The variable that a plain reference names; null otherwise.
const clang::VarDecl *referencedVar(const clang::Expr *E);

//===-- Control flow --------------------------------------------------------===//

/// A for, while or do loop, or one over a range.
bool isLoop(const clang::Stmt *S);
/// Of an if, a switch or a loop; null: it has none.
const clang::Expr *conditionOf(const clang::Stmt *S);
/// Of a loop or a switch; null otherwise.
const clang::Stmt *bodyOf(const clang::Stmt *S);
/// \p Inner is \p S or stands in it.
bool encloses(const clang::Stmt *S, const clang::Stmt *Inner);
bool hasGoto(const clang::Stmt *S);
/// In the text, macros where they are expanded, \p At stands in \p S.
bool standsIn(clang::SourceLocation At, const clang::Stmt *S, const clang::SourceManager &SM);
/// A `continue` of the loop with the body \p S.
bool hasContinue(const clang::Stmt *S);
/// A label of a `switch` around \p S.
bool hasCase(const clang::Stmt *S);
/// How often \p In names \p Var, also where it is not evaluated.
unsigned countMentions(const clang::VarDecl *Var, llvm::ArrayRef<const clang::Stmt *> In);

/// Calls \p F for the statements under \p S that are no control flow.
template <typename Fn> void forEachLeaf(const clang::Stmt *S, Fn F) {
  using namespace clang;
  if (!S)
    return;
  if (llvm::isa<CompoundStmt>(S)) {
    for (const Stmt *Child : S->children())
      forEachLeaf(Child, F);
  } else if (const auto *Attributed = llvm::dyn_cast<AttributedStmt>(S)) {
    forEachLeaf(Attributed->getSubStmt(), F);
  } else if (const auto *If = llvm::dyn_cast<IfStmt>(S)) {
    forEachLeaf(If->getThen(), F);
    forEachLeaf(If->getElse(), F);
  } else if (const auto *For = llvm::dyn_cast<ForStmt>(S)) {
    forEachLeaf(For->getBody(), F);
  } else if (const auto *While = llvm::dyn_cast<WhileStmt>(S)) {
    forEachLeaf(While->getBody(), F);
  } else if (const auto *Do = llvm::dyn_cast<DoStmt>(S)) {
    forEachLeaf(Do->getBody(), F);
  } else {
    F(S);
  }
}

/// \p Call is a statement of \p S by itself: nobody takes its value.
bool isDiscardedIn(const clang::Stmt *S, const clang::Stmt *Call);

} // namespace cuda_pipeline

#endif
