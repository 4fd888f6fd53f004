//===- InlineCalls.cpp - Copies that are made in called functions --------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InlineCalls.h"
#include "../Model/AstUtil.h"
#include "../Model/Closures.h"
#include "../Model/LoopFacts.h"
#include "../Model/OtherMeanings.h"
#include "../Model/PtxText.h"
#include "../Model/RawTokens.h"
#include "Rewordings.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SaveAndRestore.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <memory>

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

//===-- Returns in front of the end -----------------------------------------------===//

/// Of a function that returns nothing: each `return` as what it leaves out, where that can be said.
///
///   if (c) return; rest                 if (!(c)) { rest }
///   if (c) { some; return; } rest       if (c) { some; } else { rest }
///
/// What is behind the last brace of all these is the end of the function.
struct Exits {
  /// A statement that leaves out what is behind it.
  struct Exit {
    const IfStmt *If;
    const CompoundStmt *Block; ///< that has both
    bool Bare;                 ///< there is nothing in front of its `return`
  };
  std::vector<Exit> Of;
  /// All that are understood, also at the ends of branches, and the blocks that they are in; null:
  /// they are a branch by themselves.
  MapVector<const ReturnStmt *, const CompoundStmt *> Returns;

  explicit Exits(const FunctionDecl *Function) { find(Function->getBody()); }

  /// Not in a closure.
  static bool returns(const Stmt *S) {
    return S && !isa<LambdaExpr>(S) && (isa<ReturnStmt>(S) || any_of(S->children(), returns));
  }
  static bool isPlain(const IfStmt *If) {
    return !If->getInit() && !If->getConditionVariable() && !If->isConstexpr() &&
           !If->isConsteval();
  }
  static std::vector<const Stmt *> statementsOf(const Stmt *S) {
    if (const auto *Block = dyn_cast_or_null<CompoundStmt>(S))
      return {Block->body_begin(), Block->body_end()};
    return S ? std::vector<const Stmt *>{S} : std::vector<const Stmt *>();
  }
  static bool isReturn(const Stmt *S) {
    const auto *Return = dyn_cast<ReturnStmt>(S);
    return Return && !Return->getRetValue();
  }

private:
  /// Behind \p S the function ends.
  void find(const Stmt *S) { find(statementsOf(S), dyn_cast_or_null<CompoundStmt>(S)); }
  /// The same of \p List, the last of \p Block.
  void find(ArrayRef<const Stmt *> List, const CompoundStmt *Block) {
    for (size_t I = 0; I < List.size(); ++I) {
      const bool Last = I + 1 == List.size();
      if (Last && isReturn(List[I]))
        Returns.insert({cast<ReturnStmt>(List[I]), Block});
      if (Last && isa<CompoundStmt>(List[I]))
        find(List[I]);
      const auto *If = dyn_cast<IfStmt>(List[I]);
      if (!If || !isPlain(If) || !returns(If))
        continue;
      if (Last) {
        find(If->getThen());
        return find(If->getElse());
      }
      const std::vector<const Stmt *> Then = statementsOf(If->getThen());
      if (Then.empty() || !isReturn(Then.back()))
        return; // what is behind it is not all that is left out
      Of.push_back({If, Block, Then.size() == 1});
      find(If->getThen());
      // What it does else has the rest behind it.
      std::vector<const Stmt *> Rest(List.begin() + I + 1, List.end());
      if (If->getElse())
        Rest.insert(Rest.begin(), If->getElse());
      return find(Rest, Block);
    }
  }
};

//===-- What statements mean ------------------------------------------------------===//

/// Statements as text that says everything about them but where they stand and what their variables
/// are called.
class Meaning {
public:
  Meaning(ASTContext &Context) : Context(Context), OS(Text) {}

  /// \p D is the parameter number \p I, also of a template: of the function, then those of the
  /// template.
  void parameter(const ValueDecl *D, size_t I) { Known[D] = "p" + std::to_string(I); }
  /// The same for names of the place around: what has this name, and is a variable of the function
  /// there.
  void outside(std::string Name, size_t I) { Outside[std::move(Name)] = "p" + std::to_string(I); }
  /// What `this` points to is said so at the place around.
  void object(const Expr *E) { Object = E; }
  /// Or by a reference to the class \p T that is declared there.
  void object(QualType T) { ObjectType = T; }
  void object(const ValueDecl *Reference) { Known[Reference] = objectName(); }

  std::string of(ArrayRef<const Stmt *> Body) {
    for (const Stmt *S : Body)
      statement(S);
    return OS.str();
  }
  /// Of a function that ends behind them, and may do so in them: as Exits has it.
  std::string ofFunction(ArrayRef<const Stmt *> Body) {
    upToReturn(Body);
    return OS.str();
  }

private:
  ASTContext &Context;
  std::string Text;
  raw_string_ostream OS;
  DeclMap<ValueDecl, std::string> Known;
  std::map<std::string, std::string> Outside;
  const Expr *Object = nullptr;
  QualType ObjectType;
  unsigned Locals = 0;
  DeclSet<CXXMethodDecl> Running; ///< generic lambdas may name themselves
  static const char *objectName() { return "pobject"; }

  /// Of a place, const or not: which function is called says the function's own type.
  void typeOf(const Expr *E) {
    Qualifiers Dropped;
    type(E->isGLValue() ? Context.getUnqualifiedArrayType(E->getType(), Dropped) : E->getType());
  }
  void type(QualType T) {
    if (T.isNull()) {
      OS << ':';
      return;
    }
    // A closure's type is called by where its lambda stands; what is called is said at the call.
    const CXXRecordDecl *Class = T->getAsCXXRecordDecl();
    OS << ':' << (Class && Class->isLambda() ? "lambda" : T.getCanonicalType().getAsString());
    ofFunctions(T, 0);
  }

  /// A class or an enumeration of a function is called what another one at file scope may be
  /// called.
  void ofFunctions(QualType T, unsigned Depth) {
    constexpr unsigned MaxDepth = 8;
    T = T.getCanonicalType();
    while (T->isPointerType() || T->isReferenceType() || T->isArrayType())
      T = T->isArrayType() ? Context.getAsArrayType(T)->getElementType().getCanonicalType()
                           : T->getPointeeType().getCanonicalType();
    const TagDecl *Tag = T->getAsTagDecl();
    const auto *Class = dyn_cast_or_null<CXXRecordDecl>(Tag);
    if (!Tag || (Class && Class->isLambda()) || Depth > MaxDepth)
      return;
    if (const auto *In = dyn_cast_or_null<NamedDecl>(Tag->getParentFunctionOrMethod()))
      OS << " of " << In->getQualifiedNameAsString();
    if (const auto *Special = dyn_cast<ClassTemplateSpecializationDecl>(Tag))
      for (const TemplateArgument &Arg : Special->getTemplateArgs().asArray())
        if (Arg.getKind() == TemplateArgument::Type)
          ofFunctions(Arg.getAsType(), Depth + 1);
    if (const auto *Around = dyn_cast<TagDecl>(Tag->getDeclContext()))
      ofFunctions(Context.getCanonicalTagType(Around), Depth + 1);
  }

  /// The lambda's captures and what it does; of a generic one its calls say that.
  void lambda(const LambdaExpr *Lambda) {
    OS << "(lambda " << Lambda->isMutable();
    for (auto [C, Init] : zip(Lambda->captures(), Lambda->capture_inits())) {
      OS << ' ' << int(C.getCaptureKind());
      if (C.capturesVariable() && C.getCapturedVar()->isInitCapture())
        declaration(C.getCapturedVar());
      else
        statement(Init);
    }
    if (!Lambda->isGenericLambda())
      bodyOf(Lambda->getCallOperator());
    OS << ')';
  }
  void bodyOf(const FunctionDecl *Function) {
    for (const ParmVarDecl *Param : Function->parameters())
      declaration(Param);
    statement(Function->getBody());
  }

  /// A constant that has a name, as what it is: the parameter of a template, or a variable in its
  /// place.
  bool constant(const Expr *E) {
    const Expr *Inner = E;
    if (const auto *Subst = dyn_cast<SubstNonTypeTemplateParmExpr>(E))
      Inner = Subst->getReplacement();
    else if (const auto *Cast = dyn_cast<ImplicitCastExpr>(E);
             Cast && Cast->getCastKind() == CK_LValueToRValue) {
      const VarDecl *Var = referencedVar(Cast->getSubExpr());
      if (!Var || !Var->isConstexpr() || !Var->getType()->isIntegralOrEnumerationType())
        return false;
    } else {
      return false;
    }
    std::optional<int64_t> V = constantValue(Inner, Context);
    if (!V)
      return false;
    OS << "(constant " << *V;
    type(E->getType().getUnqualifiedType());
    OS << ')';
    return true;
  }

  void name(const ValueDecl *D) {
    if (const std::string *Param = parameterName(D)) {
      OS << *Param;
      return;
    }
    if (auto It = Known.find(D); It != Known.end()) {
      OS << It->second;
      return;
    }
    if (const auto *Var = dyn_cast<VarDecl>(D); Var && Var->isLocalVarDeclOrParm()) {
      OS << "outside " << D->getNameAsString();
      return;
    }
    if (const auto *Method = dyn_cast<CXXMethodDecl>(D);
        Method && Method->getParent()->isLambda()) {
      OS << "of a lambda";
      if (Method->isTemplateInstantiation() && Running.insert(Method).second) {
        bodyOf(Method);
        Running.erase(Method);
      }
      return;
    }
    D->getNameForDiagnostic(OS, Context.getPrintingPolicy(), /*Qualified=*/true);
    type(D->getType());
  }

  void declaration(const Decl *D) {
    OS << D->getDeclKindName();
    if (const auto *Value = dyn_cast<ValueDecl>(D)) {
      type(Value->getType());
      Known[Value] = "l" + std::to_string(Locals++);
    } else if (const auto *Named = dyn_cast<TypedefNameDecl>(D)) {
      type(Named->getUnderlyingType());
    }
    if (const auto *Var = dyn_cast<VarDecl>(D)) {
      OS << int(Var->getStorageClass()) << Var->hasAttr<CUDASharedAttr>() << Var->isConstexpr()
         << int(Var->getInitStyle());
      statement(Var->getInit());
    } else if (const auto *Assert = dyn_cast<StaticAssertDecl>(D)) {
      statement(Assert->getAssertExpr());
    }
  }

  /// The value of a variable, with const or without: of what a closure has a copy of, and of a
  /// parameter, or what stands for it, of which a copy is as good as the variable, and a pointer to
  /// an array's elements as the array.
  bool valueOfVariable(const Expr *E) {
    const auto *Cast = dyn_cast<ImplicitCastExpr>(E);
    if (!Cast || !is_contained({CK_LValueToRValue, CK_ArrayToPointerDecay}, Cast->getCastKind()))
      return false;
    const auto *Ref = dyn_cast<DeclRefExpr>(Cast->getSubExpr()->IgnoreParens());
    const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
    const std::string *Name = Var ? parameterName(Var) : nullptr;
    if (!Name && !(Var && Var->isLocalVarDeclOrParm() && Cast->getCastKind() == CK_LValueToRValue &&
                   !Var->getType().isVolatileQualified()))
      return false;
    OS << '(';
    if (Name)
      OS << *Name;
    else
      name(Var);
    type(E->getType().getUnqualifiedType());
    OS << ')';
    return true;
  }

  const std::string *parameterName(const ValueDecl *D) const {
    if (auto It = Known.find(D); It != Known.end())
      return It->second.front() == 'p' ? &It->second : nullptr;
    const auto *Var = dyn_cast<VarDecl>(D);
    auto It =
        Var && Var->isLocalVarDeclOrParm() ? Outside.find(D->getNameAsString()) : Outside.end();
    return It == Outside.end() ? nullptr : &It->second;
  }

  //===-- Branches --------------------------------------------------------------------===//

  /// Whether what is said is that \p E does not hold. `!(a < b)`, `a >= b` and `a < b` are all said
  /// with `<`.
  bool condition(const Expr *E) {
    bool Not = false;
    while (true) {
      if (const auto *Full = dyn_cast<ExprWithCleanups>(E)) {
        OS << "cleanups";
        E = Full->getSubExpr();
        continue;
      }
      E = E->IgnoreParens();
      const auto *Op = dyn_cast<UnaryOperator>(E);
      if (!Op || Op->getOpcode() != UO_LNot || !Op->getSubExpr()->getType()->isBooleanType())
        break;
      Not = !Not;
      E = Op->getSubExpr();
    }
    const auto *Op = dyn_cast<BinaryOperator>(E);
    const QualType Of = Op ? Op->getLHS()->getType() : QualType();
    // Of floats, neither may hold.
    if (!Op || !is_contained({BO_GE, BO_GT, BO_NE}, Op->getOpcode()) ||
        !(Of->isIntegralOrEnumerationType() || Of->isPointerType())) {
      statement(E);
      return Not;
    }
    OS << '(' << Op->getStmtClassName();
    typeOf(Op);
    OS << int(Op->getValueKind()) << ' '
       << BinaryOperator::getOpcodeStr(BinaryOperator::negateComparisonOp(Op->getOpcode()));
    statement(Op->getLHS());
    statement(Op->getRHS());
    OS << ')';
    return !Not;
  }

  /// One of them runs; \p Say says a list.
  template <typename Fn>
  void branches(const Expr *Condition, ArrayRef<const Stmt *> Then, ArrayRef<const Stmt *> Else,
                Fn Say) {
    OS << "(if";
    if (condition(Condition))
      std::swap(Then, Else);
    for (ArrayRef<const Stmt *> Arm : {Then, Else}) {
      OS << "(arm";
      Say(Arm);
      OS << ')';
    }
    OS << ')';
  }

  /// Behind \p List the function ends.
  void upToReturn(ArrayRef<const Stmt *> List) {
    for (size_t I = 0; I < List.size(); ++I) {
      const Stmt *S = List[I];
      const bool Last = I + 1 == List.size();
      if (Last && Exits::isReturn(S))
        return;
      if (Last && isa<CompoundStmt>(S)) {
        OS << '(' << S->getStmtClassName();
        upToReturn(Exits::statementsOf(S));
        OS << ')';
        return;
      }
      const auto *If = dyn_cast<IfStmt>(S);
      if (!If || !Exits::isPlain(If) || !Exits::returns(If)) {
        statement(S);
        continue;
      }
      std::vector<const Stmt *> Else =
          Last ? Exits::statementsOf(If->getElse()) : std::vector<const Stmt *>();
      if (!Last && If->getElse())
        Else.push_back(If->getElse());
      Else.insert(Else.end(), List.begin() + I + 1, List.end());
      branches(If->getCond(), Exits::statementsOf(If->getThen()), Else,
               [&](ArrayRef<const Stmt *> Arm) { upToReturn(Arm); });
      return;
    }
  }

  void statement(const Stmt *S) {
    if (!S) {
      OS << "()";
      return;
    }
    // The tree has them in its shape.
    if (const auto *Paren = dyn_cast<ParenExpr>(S))
      return statement(Paren->getSubExpr());
    const auto *E = dyn_cast<Expr>(S);
    if (E && (constant(E) || valueOfVariable(E)))
      return;
    if (const auto *Cast = dyn_cast<ImplicitCastExpr>(S);
        Cast && Cast->isGLValue() && Cast->getCastKind() == CK_NoOp)
      return statement(Cast->getSubExpr()); // const
    // What the compiler notes about constants, and not what is computed.
    if (const auto *Constant = dyn_cast<ConstantExpr>(S))
      return statement(Constant->getSubExpr());
    if (const auto *Lambda = dyn_cast<LambdaExpr>(S))
      return lambda(Lambda);
    // What `if constexpr` leaves out is in no instantiation (CallInliner::takeArms()).
    if (const auto *If = dyn_cast<IfStmt>(S); If && !If->getInit() && !If->getConditionVariable())
      if (const std::optional<const Stmt *> Taken = If->getNondiscardedCase(Context)) {
        if (*Taken)
          statement(*Taken);
        return;
      }
    if (isa<NullStmt>(S))
      return;
    if (const auto *If = dyn_cast<IfStmt>(S); If && Exits::isPlain(If))
      return branches(If->getCond(), Exits::statementsOf(If->getThen()),
                      Exits::statementsOf(If->getElse()), [&](ArrayRef<const Stmt *> Arm) {
                        for (const Stmt *Of : Arm)
                          statement(Of);
                      });
    OS << '(' << S->getStmtClassName();
    if (E) {
      typeOf(E);
      OS << int(E->getValueKind());
    }
    if (const auto *Ref = dyn_cast<DeclRefExpr>(S)) {
      OS << ' ';
      name(Ref->getDecl());
    } else if (const auto *Member = dyn_cast<MemberExpr>(S)) {
      const bool OfThis = (Object || !ObjectType.isNull()) &&
                          isa<CXXThisExpr>(Member->getBase()->IgnoreParenImpCasts());
      OS << ' ' << (Member->isArrow() && !OfThis);
      if (const auto *Method = dyn_cast<CXXMethodDecl>(Member->getMemberDecl());
          Method && Method->getParent()->isLambda()) {
        name(Method);
      } else {
        OS << Member->getMemberDecl()->getQualifiedNameAsString();
        type(Member->getMemberDecl()->getType());
      }
      if (OfThis && Object) {
        statement(Object);
      } else if (OfThis) {
        OS << "(DeclRefExpr";
        type(ObjectType);
        OS << int(VK_LValue) << ' ' << objectName() << ')';
      } else {
        // To which base a member belongs its own name says.
        const Expr *Base = Member->getBase();
        for (const auto *Cast = dyn_cast<ImplicitCastExpr>(Base);
             Cast &&
             is_contained({CK_DerivedToBase, CK_UncheckedDerivedToBase}, Cast->getCastKind());
             Cast = dyn_cast<ImplicitCastExpr>(Base))
          Base = Cast->getSubExpr();
        statement(Base);
      }
      OS << ')';
      return;
    } else if (const auto *Op = dyn_cast<BinaryOperator>(S)) {
      OS << ' ' << Op->getOpcodeStr();
    } else if (const auto *Op = dyn_cast<UnaryOperator>(S)) {
      OS << ' ' << int(Op->getOpcode());
    } else if (const auto *Cast = dyn_cast<CastExpr>(S)) {
      OS << ' ' << Cast->getCastKindName();
    } else if (const auto *Int = dyn_cast<IntegerLiteral>(S)) {
      OS << ' ' << toString(Int->getValue(), 10, false);
    } else if (const auto *Float = dyn_cast<FloatingLiteral>(S)) {
      SmallString<32> Digits;
      Float->getValue().bitcastToAPInt().toString(Digits, 16, false);
      OS << ' ' << Digits;
    } else if (const auto *Char = dyn_cast<CharacterLiteral>(S)) {
      OS << ' ' << Char->getValue();
    } else if (const auto *Bool = dyn_cast<CXXBoolLiteralExpr>(S)) {
      OS << ' ' << Bool->getValue();
    } else if (const auto *String = dyn_cast<clang::StringLiteral>(S)) {
      OS << ' ' << toHex(String->getBytes());
    } else if (const auto *Size = dyn_cast<UnaryExprOrTypeTraitExpr>(S)) {
      OS << ' ' << int(Size->getKind());
      type(Size->getTypeOfArgument());
    } else if (const auto *Made = dyn_cast<CXXConstructExpr>(S)) {
      OS << ' ' << Made->getConstructor()->getQualifiedNameAsString()
         << Made->isListInitialization();
      type(Made->getConstructor()->getType());
    } else if (const auto *Asm = dyn_cast<GCCAsmStmt>(S)) {
      OS << ' ' << toHex(Asm->getAsmString()) << Asm->isVolatile() << Asm->getNumOutputs();
      for (unsigned I = 0; I < Asm->getNumOutputs(); ++I)
        OS << ' ' << Asm->getOutputConstraint(I);
      for (unsigned I = 0; I < Asm->getNumInputs(); ++I)
        OS << ' ' << Asm->getInputConstraint(I);
      for (unsigned I = 0; I < Asm->getNumClobbers(); ++I)
        OS << ' ' << Asm->getClobber(I);
    } else if (const auto *Attributed = dyn_cast<AttributedStmt>(S)) {
      for (const Attr *A : Attributed->getAttrs())
        OS << ' ' << A->getSpelling();
    }
    if (const auto *Declaration = dyn_cast<DeclStmt>(S)) {
      for (const Decl *D : Declaration->decls())
        declaration(D);
    } else {
      for (const Stmt *Child : S->children())
        statement(Child);
    }
    OS << ')';
  }
};

/// Of its body, without a `return` at the end of it.
std::vector<const Stmt *> statementsOf(const FunctionDecl *Function) {
  const auto *Body = cast<CompoundStmt>(Function->getBody());
  std::vector<const Stmt *> Statements(Body->body_begin(), Body->body_end());
  if (!Statements.empty() && isa<ReturnStmt>(Statements.back()))
    Statements.pop_back();
  return Statements;
}

/// What it returns at its end; null: nothing.
const Expr *valueOf(const FunctionDecl *Function) {
  const auto *Body = cast<CompoundStmt>(Function->getBody());
  const auto *Return = Body->body_empty() ? nullptr : dyn_cast<ReturnStmt>(Body->body_back());
  return Return ? Return->getRetValue() : nullptr;
}

/// \p Value, as it is returned or assigned: of a class without the copy of its bytes.
const Expr *returned(const Expr *Value) {
  return Value->getType()->isRecordType() ? stripNoOps(Value) : Value;
}

/// \p Object, or a reference to its class that stands for it: see Meaning::object().
std::string meaningOfBody(const FunctionDecl *Function, ASTContext &Context, const Expr *Object,
                          QualType ObjectType) {
  Meaning M(Context);
  M.object(Object);
  M.object(ObjectType);
  size_t I = 0;
  for (const ParmVarDecl *Param : Function->parameters())
    M.parameter(Param, I++);
  std::vector<const Stmt *> Statements = statementsOf(Function);
  if (const Expr *Value = valueOf(Function))
    Statements.push_back(returned(Value));
  else
    return M.ofFunction(Statements);
  return M.of(Statements);
}

/// The statement of a block that has the call in it, as the value of a variable or of an
/// assignment; null: none is so.
const Stmt *statementWith(const CallExpr *Call, const FunctionDecl *Caller) {
  struct Visitor : ConstDynamicRecursiveASTVisitor {
    const CallExpr *Call;
    const Stmt *Found = nullptr;
    explicit Visitor(const CallExpr *Call) : Call(Call) {}
    bool is(const Expr *E) const {
      return E && (E->IgnoreUnlessSpelledInSource() == Call ||
                   (E->getType()->isRecordType() && stripNoOps(E) == Call));
    }
    bool VisitCompoundStmt(const CompoundStmt *Block) override {
      for (const Stmt *S : Block->body()) {
        const auto *Declared = dyn_cast<DeclStmt>(S);
        const auto *Var = Declared && Declared->isSingleDecl()
                              ? dyn_cast<VarDecl>(Declared->getSingleDecl())
                              : nullptr;
        const auto *E = dyn_cast<Expr>(S);
        const auto *Assign =
            E ? dyn_cast<BinaryOperator>(E->IgnoreUnlessSpelledInSource()) : nullptr;
        if ((Var && is(Var->getInit())) ||
            (Assign && Assign->isAssignmentOp() && is(Assign->getRHS())))
          Found = S;
      }
      return !Found;
    }
  } V(Call);
  V.TraverseStmt(Caller->getBody());
  return V.Found;
}

//===-- The text ------------------------------------------------------------------===//

/// Edits of a stretch of any file.
struct TextOf {
  const SourceManager &SM;
  const LangOptions &Options;
  std::map<std::pair<FileID, unsigned>, std::pair<unsigned, std::string>>
      Replaced; ///< length and new text

  /// The text of \p Range with what is replaced in it; none where a macro has a part in its ends.
  std::optional<std::string> get(SourceRange Range) const {
    CharSourceRange R =
        Lexer::makeFileCharRange(CharSourceRange::getTokenRange(Range), SM, Options);
    if (R.isInvalid())
      return std::nullopt;
    auto [File, Begin] = SM.getDecomposedLoc(R.getBegin());
    auto [EndFile, End] = SM.getDecomposedLoc(R.getEnd());
    return File == EndFile ? get(File, Begin, End) : std::nullopt;
  }
  std::optional<std::string> get(FileID File, unsigned Begin, unsigned End) const {
    std::optional<StringRef> All = SM.getBufferDataOrNone(File);
    if (!All || End < Begin || End > All->size())
      return std::nullopt;
    std::string Text;
    for (auto It = Replaced.lower_bound({File, Begin});
         It != Replaced.end() && It->first.first == File && It->first.second < End; ++It) {
      Text += All->slice(Begin, It->first.second).str() + It->second.second;
      Begin = It->first.second + It->second.first;
    }
    return Text + All->slice(Begin, End).str();
  }
};

/// Of each `if constexpr` of a pattern whose condition hangs on the arguments: the arm that an
/// instantiation takes, null for none. Inner ones come first.
struct TakenArm {
  const Stmt *Arm = nullptr;
  bool InBlock = false; ///< no statement needs one in its place
};
using TakenArms = MapVector<const IfStmt *, TakenArm>;

/// \p Function: an instantiation of \p Pattern.
TakenArms takenArms(const FunctionDecl *Function, const FunctionDecl *Pattern) {
  struct Visitor : ConstDynamicRecursiveASTVisitor {
    std::vector<const IfStmt *> Of;
    DenseSet<const Stmt *> InBlocks;
    bool VisitCompoundStmt(const CompoundStmt *Block) override {
      InBlocks.insert(Block->body_begin(), Block->body_end());
      return true;
    }
    bool VisitIfStmt(const IfStmt *If) override {
      if (If->isConstexpr() && !If->getInit() && !If->getConditionVariable())
        Of.push_back(If);
      return true;
    }
  } Own, Written;
  Own.TraverseStmt(Function->getBody());
  Written.TraverseStmt(Pattern->getBody());
  TakenArms Out;
  for (const IfStmt *If : reverse(Written.Of)) {
    const IfStmt *Here = nullptr;
    unsigned Meant = 0; // a generic closure has several
    for (const IfStmt *Other : Own.Of)
      if (Other->getIfLoc() == If->getIfLoc()) {
        Here = Other;
        ++Meant;
      }
    const std::optional<const Stmt *> Taken =
        Meant == 1 ? Here->getNondiscardedCase(Function->getASTContext()) : std::nullopt;
    if (If->getCond()->isValueDependent() && Taken)
      Out[If] = {!*Taken                     ? nullptr
                 : *Taken == Here->getThen() ? If->getThen()
                                             : If->getElse(),
                 Written.InBlocks.contains(If)};
  }
  return Out;
}

/// What keeps the body of a function from standing at another place.
struct Obstacles : ConstDynamicRecursiveASTVisitor {
  const bool
      Once; ///< written out, there is no other text that a variable of all calls could be one of
  const TakenArms &Arms; ///< others do not stand there
  const Exits &Ends;
  std::string Found;
  Obstacles(bool Once, const TakenArms &Arms, const Exits &Ends)
      : Once(Once), Arms(Arms), Ends(Ends) {}
  bool TraverseIfStmt(const IfStmt *If) override {
    const auto Taken = Arms.find(If);
    return Taken == Arms.end() ? ConstDynamicRecursiveASTVisitor::TraverseIfStmt(If)
                               : TraverseStmt(Taken->second.Arm);
  }
  bool found(StringRef What) {
    Found = What.str();
    return false;
  }
  unsigned InLambda = 0;
  bool VisitReturnStmt(const ReturnStmt *Return) override {
    return InLambda || Ends.Returns.contains(Return) ||
           found(Return->getRetValue() ? "a 'return' in front of its end"
                                       : "a 'return' in a loop, or in a part of a branch");
  }
  bool VisitLabelStmt(const LabelStmt *) override { return found("a label"); }
  bool TraverseLambdaExpr(const LambdaExpr *Lambda) override {
    SaveAndRestore Inside(InLambda, InLambda + 1);
    return ConstDynamicRecursiveASTVisitor::TraverseLambdaExpr(Lambda);
  }
  bool VisitPredefinedExpr(const PredefinedExpr *) override { return found("its own name in it"); }
  bool VisitTagDecl(const TagDecl *) override { return found("a class of its own"); }
  bool VisitVarDecl(const VarDecl *Var) override {
    return !Once && (Var->isStaticLocal() || Var->hasAttr<CUDASharedAttr>())
               ? found("a variable that is not local to a call")
               : true;
  }
};

/// Mentions of a variable in a function, and the calls among them.
struct ClosureUses : ConstDynamicRecursiveASTVisitor {
  const VarDecl *Closure;
  const DeclStmt *Declaration = nullptr;
  unsigned Mentions = 0;
  std::vector<const CallExpr *> Calls;
  explicit ClosureUses(const VarDecl *Closure) : Closure(Closure) {}
  bool isCalledOnce() const { return Calls.size() == 1 && Mentions == 1; }
  bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
    Mentions += Ref->getDecl() == Closure;
    return true;
  }
  bool VisitCallExpr(const CallExpr *Call) override {
    if (calledClosure(Call) == Closure)
      Calls.push_back(Call);
    return true;
  }
  bool VisitDeclStmt(const DeclStmt *S) override {
    if (S->isSingleDecl() && S->getSingleDecl() == Closure)
      Declaration = S;
    return true;
  }
};

/// What names mean at a place of a function, of those that it declares itself.
class NamesAt {
public:
  NamesAt(const FunctionDecl *Function, const Stmt *At) : At(At) {
    for (const ParmVarDecl *Param : Function->parameters())
      Open.push_back(Param);
    IsFound = visit(Function->getBody());
  }
  /// Null: it means nothing that is declared there, or the place is none of the function's.
  const NamedDecl *find(StringRef Name) const {
    for (const NamedDecl *D : reverse(Open))
      if (IsFound && D->getIdentifier() && D->getName() == Name)
        return D;
    return nullptr;
  }

private:
  const Stmt *At;
  std::vector<const NamedDecl *> Open; ///< inner ones last
  bool IsFound;

  bool visit(const Stmt *S) {
    if (!S || S == At)
      return S;
    const size_t Outer = Open.size();
    if (const auto *Declaration = dyn_cast<DeclStmt>(S))
      for (const Decl *D : Declaration->decls()) {
        if (const auto *Named = dyn_cast<NamedDecl>(D))
          Open.push_back(Named);
        if (const auto *Bindings = dyn_cast<DecompositionDecl>(D))
          Open.insert(Open.end(), Bindings->bindings().begin(), Bindings->bindings().end());
        if (const auto *Var = dyn_cast<VarDecl>(D); Var && visit(Var->getInit()))
          return true;
      }
    if (const auto *Lambda = dyn_cast<LambdaExpr>(S)) {
      for (const LambdaCapture &C : Lambda->captures())
        if (C.capturesVariable() && C.getCapturedVar()->isInitCapture())
          Open.push_back(C.getCapturedVar());
      for (const ParmVarDecl *Param : Lambda->getCallOperator()->parameters())
        Open.push_back(Param);
    }
    if (const auto *Catch = dyn_cast<CXXCatchStmt>(S); Catch && Catch->getExceptionDecl())
      Open.push_back(Catch->getExceptionDecl());
    if (!isa<DeclStmt>(S) && any_of(S->children(), [&](const Stmt *C) { return visit(C); }))
      return true;
    // What is declared there is known up to the end of the block around.
    if (!isa<DeclStmt, SwitchCase, LabelStmt, AttributedStmt>(S))
      Open.resize(Outer);
    return false;
  }
};

/// Where the parameters of a function and of its template are named.
struct Mentions : ConstDynamicRecursiveASTVisitor {
  MapVector<const NamedDecl *, std::vector<SourceLocation>> Of; ///< in their order
  bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
    Of[Ref->getDecl()].push_back(Ref->getLocation());
    return true;
  }
  bool VisitTemplateTypeParmTypeLoc(TemplateTypeParmTypeLoc T) override {
    Of[T.getDecl()].push_back(T.getNameLoc());
    return true;
  }
};

/// What is known of a function, found once for all of its calls.
class KnownValues {
public:
  struct OfFunction {
    EffectCollector Collector;
    FunctionValues Values;
    OfFunction(ASTContext &Context, const FunctionDecl *Function)
        : Collector(Context, Function), Values(Context, Collector, Function) {}
  };
  explicit KnownValues(ASTContext &Context) : Context(Context) {}
  const OfFunction &of(const FunctionDecl *Function) {
    std::unique_ptr<OfFunction> &Known = All[Function];
    if (!Known)
      Known = std::make_unique<OfFunction>(Context, Function);
    return *Known;
  }

private:
  ASTContext &Context;
  std::map<const FunctionDecl *, std::unique_ptr<OfFunction>> All;
};

class CallInliner {
public:
  /// \p Caller: the function with the call.
  CallInliner(const TileModel &M, const FunctionDecl *Caller, ASTContext &Context,
              const SourceText &Source, ArrayRef<std::pair<unsigned, unsigned>> LeftOut,
              ValueNames &Values, KnownValues &Known)
      : M(M), Caller(Caller), Context(Context), SM(Context.getSourceManager()), Source(Source),
        LeftOut(LeftOut), Taken(Source.Names), Values(Values), Known(Known) {}

  std::string WhyNot; ///< of the last call that could not be written out

  std::optional<InlinedCall> inlined(const CallExpr *Call) {
    const FunctionDecl *Function = Call->getDirectCallee(), *Body = nullptr;
    if (!Function)
      return cannot("it is not called by name");
    const auto *Method = dyn_cast<CXXMethodDecl>(Function);
    const VarDecl *Closure = calledClosure(Call);
    const bool Functor = !Closure && Method && isa<CXXOperatorCallExpr>(Call) &&
                         Method->getOverloadedOperator() == OO_Call;
    if (!Function->getIdentifier() && !Closure && !Functor)
      return cannot("it is not called by name");
    const std::string Name = Closure   ? Closure->getNameAsString()
                             : Functor ? nameOfObject(Call->getArg(0))
                                       : Function->getNameAsString();
    const Expr *Object = nullptr;
    std::string Bound; // what the object is bound to
    if (Method && !Method->isStatic() && !Closure) {
      Object = plainObject(Call, Method);
      if (!Object)
        Bound = boundObject(Call, Method);
      if (!Object && Bound.empty())
        return cannot(
            "'" + Name +
            "' is a member of a class, and is not called for a variable of that class, or "
            "for another place of it without pointers");
    }
    if (!Function->hasBody(Body) || SM.isInSystemHeader(Body->getLocation()))
      return cannot("the text of '" + Name + "' is not the user's");
    // `sum = walk(A, tile);`: the value has a name, and then the statement.
    const bool Returns = !Body->getReturnType()->isVoidType();
    const QualType Returned = Body->getReturnType();
    const bool CanBeSet = Returned->isArithmeticType() ||
                          (Returned->isRecordType() && isPlainlyAssigned(Returned, Context) &&
                           canBeNamed(Returned, Call->getBeginLoc(), SM));
    const Stmt *Around = Returns && CanBeSet ? statementWith(Call, Caller) : nullptr;
    if ((Returns && (!Around || !valueOf(Body))) || Body->isVariadic())
      return cannot("'" + Name + "' returns a value" +
                    (Returns && CanBeSet
                         ? ", and the call is a part of something else than an assignment"
                         : ""));
    if (Closure && !meansTheSameOutside(Closure, Method, Call))
      return cannot("'" + Name + "' captures something else than the variables of these names");
    // The text says more than an instantiation.
    Pattern = Body->getTemplateInstantiationPattern();
    if (!Pattern || !Pattern->hasBody())
      Pattern = Body;
    const std::vector<const Stmt *> Statements = statementsOf(Pattern);
    bool Once = false;
    if (Closure) {
      ClosureUses Uses(Closure);
      Uses.TraverseStmt(Caller->getBody());
      Once = Uses.isCalledOnce();
    }
    const TakenArms Arms =
        Pattern != Body && isSettled(Call) ? takenArms(Body, Pattern) : TakenArms();
    const Exits Ends(Pattern);
    for (const Stmt *S : Statements) {
      Obstacles Own(Once, Arms, Ends);
      Own.TraverseStmt(S);
      if (!Own.Found.empty())
        return cannot("'" + Name + "' has " + Own.Found);
    }
    if (mayBeSpecialisedOtherwise(Call, Body))
      return cannot("in another build another specialisation of '" + Name + "' may be called");
    if (OtherMeanings::isInBranch(Pattern->getLocation(), Call->getBeginLoc(), Context))
      return cannot("'" + Name + "' is defined in a branch of the preprocessor (#if)");
    const std::optional<DecidedBranches> Branches =
        branchesOf(Pattern->getBody(), Context, Source, LeftOut);
    if (directiveIn(Pattern->getBody()->getSourceRange(),
                    Branches && holdAt(Call, Branches->Conditions)))
      return cannot("'" + Name + "' has a preprocessor directive in it, or __LINE__");
    if (const std::string Macro = meansLocalElsewhere(Pattern->getBody()->getSourceRange());
        !Macro.empty())
      return cannot("in another build the macro '" + Macro + "' in '" + Name +
                    "' may name a variable of the function with the call");
    std::optional<TextRange> Range = replacedRange(Around ? Around : Call, Context);
    const std::optional<TextRange> Itself = textRange(Call->getSourceRange(), Context);
    if (!Range || !Itself)
      return cannot("the call comes out of a macro");
    InlinedCall Out;
    Out.PinsArguments = hasDependentCall(Pattern->getBody()) || isChosenByArguments(Call);
    Out.Offset = Range->Begin;
    Out.Length = Range->End - Range->Begin;
    Out.Function = Closure ? Name : Function->getQualifiedNameAsString();
    if (!Bound.empty())
      Out.ObjectName = unusedName("self");
    Out.Meanings.insert(meaningOfBody(
        Body, Context, Object,
        Bound.empty() ? QualType() : Context.getCanonicalTagType(Method->getParent())));
    if ((Object || !Bound.empty()) &&
        !membersOf(Object ? textOf(Object, Context) : Out.ObjectName, Body, Name))
      return std::nullopt;

    StringRef File = mainFileText(Context);
    const size_t Line = File.rfind('\n', Range->Begin) + 1;
    const std::string Indent =
        File.drop_front(Line).take_while([](char C) { return C == ' ' || C == '\t'; }).str();
    const std::string In = Indent + unit(Indent);
    std::vector<std::string> Declarations;
    if (!bind(Call, Body, Out, Declarations))
      return cannot(WhyNot.empty()
                        ? "the parameters of '" + Name + "' cannot be declared in its place"
                        : WhyNot);
    // First, as it is asked for in front of the arguments.
    if (!Bound.empty())
      Declarations.insert(Declarations.begin(), Bound.substr(0, Bound.find('&') + 1) +
                                                    Out.ObjectName + " = " +
                                                    Bound.substr(Bound.find('&') + 1) + ";");
    Replaced.insert(Members.begin(), Members.end());
    const auto *Compound = cast<CompoundStmt>(Pattern->getBody());
    if (Compound->getLBracLoc().isMacroID() || Compound->getRBracLoc().isMacroID())
      return cannot("'" + Name + "' comes out of a macro");
    auto [BodyFile, Open] = SM.getDecomposedLoc(Compound->getLBracLoc());
    if (Branches)
      for (auto [From, To] : Branches->Gone) {
        Replaced.erase(Replaced.lower_bound({BodyFile, From}),
                       Replaced.lower_bound({BodyFile, To}));
        Replaced[{BodyFile, From}] = {
            To - From, lineMark(SM.getLocForStartOfFile(BodyFile).getLocWithOffset(To))};
      }
    if (!takeArms(Arms, Declarations))
      return cannot("what 'if constexpr' asks in '" + Name + "' comes out of a macro");
    if (!takeExits(Ends, Compound))
      return cannot("a 'return' of '" + Name + "', or what it hangs on, comes out of a macro");
    std::optional<std::string> Text = TextOf{SM, Context.getLangOpts(), Replaced}.get(
        BodyFile, Open + 1, SM.getFileOffset(endOf(Compound, Statements)));
    if (!Text)
      return cannot("the text of '" + Name + "' is not there");
    SmallVector<StringRef, 32> Lines;
    StringRef(*Text).split(Lines, '\n');
    const std::string Base(indentation(Lines), ' ');
    for (const Exits::Exit &E : Ends.Of) // they are one in the other
      if (E.Block == Compound) {
        *Text = StringRef(*Text).rtrim(" \t").str();
        if (!StringRef(*Text).ends_with("\n"))
          *Text += '\n';
        *Text += LessMark + (Base + "}");
      }
    const std::vector<unsigned> FileLines =
        withoutLineMarks(*Text, SM.getLineNumber(BodyFile, Open + 1));
    const bool IsInFile = lambdaAround(*M.Loop) || M.Loop->PassedTile;
    *Text = withDepths(*Text, IsInFile ? "" : unit(Indent));
    std::string Value, ValueText;
    if (Around) {
      Value = Values[Out.Offset];
      if (Value.empty())
        Values[Out.Offset] = Value = unusedName(Name + "_value");
      std::optional<std::string> Said =
          TextOf{SM, Context.getLangOpts(), Replaced}.get(valueOf(Pattern)->getSourceRange());
      if (!Said)
        return cannot("what '" + Name + "' returns comes out of a macro");
      ValueText = In + Value + " = " + *Said + ";\n";
      Out.Text = Body->getReturnType().getUnqualifiedType().getCanonicalType().getAsString(
                     Context.getPrintingPolicy()) +
                 " " + Value + ";\n" + Indent;
      Out.Lead = unsigned(Out.Text.size());
      Out.HasValue = true;
    }
    withoutUnused(Declarations, *Text + ValueText);
    Out.Text += "{ // " + Name + "\n";
    for (const std::string &D : Declarations)
      Out.Text += In + D + "\n";
    if (IsInFile)
      findInFile(Out, *Text, In, FileLines, SM.getColumnNumber(BodyFile, Open + 1));
    const std::string Statement = reindented(*Text, In);
    if (commentsThatGoOn(Statement) != commentsThatGoOn(*Text))
      return cannot(
          "'" + Name +
          "' has a comment that ends in a backslash, and would take in what is put behind it");
    Out.Text += Statement + ValueText + Indent + "}";
    if (Around)
      Out.Text += ("\n" + Indent + File.slice(Range->Begin, Itself->Begin) + Value +
                   File.slice(Itself->End, Range->End))
                      .str();
    Out.Declared = Declarations.size();
    return Out;
  }

private:
  /// Of a variable or a member.
  static std::string nameOfObject(const Expr *Object) {
    Object = Object->IgnoreParenImpCasts();
    const auto *Member = dyn_cast<MemberExpr>(Object);
    const ValueDecl *Named = Member ? Member->getMemberDecl() : referencedVar(Object);
    return Named && Named->getIdentifier() ? Named->getNameAsString() : "operator()";
  }

  /// The object of a call, a variable or a member of one, of the very class; null: it is another
  /// expression.
  const Expr *plainObject(const CallExpr *Call, const CXXMethodDecl *Method) const {
    const auto *Member = dyn_cast<CXXMemberCallExpr>(Call);
    const bool Functor =
        isa<CXXOperatorCallExpr>(Call) && Method->getOverloadedOperator() == OO_Call;
    if ((!Member && !Functor) || Method->isVirtual() || Method->isExplicitObjectMemberFunction() ||
        Method->getParent()->isLambda())
      return nullptr;
    const Expr *Object =
        (Member ? Member->getImplicitObjectArgument() : Call->getArg(0))->IgnoreParenImpCasts();
    const CXXRecordDecl *Class = Object->getType()->getAsCXXRecordDecl();
    if (!Class || Class->getCanonicalDecl() != Method->getParent()->getCanonicalDecl() ||
        textOf(Object, Context).empty())
      return nullptr;
    const Expr *Root = Object;
    while (const auto *Of = dyn_cast<MemberExpr>(Root)) {
      if (Of->isArrow() || !isa<FieldDecl>(Of->getMemberDecl()))
        return nullptr;
      Root = Of->getBase()->IgnoreParenImpCasts();
    }
    return referencedVar(Root) ? Object : nullptr;
  }

  /// The object of a call where it is another place: `auto &`, and what such a reference is bound
  /// to. Empty: it is none, or it is not known what is called.
  std::string boundObject(const CallExpr *Call, const CXXMethodDecl *Method) const {
    const auto *Member = dyn_cast<CXXMemberCallExpr>(Call);
    const bool Functor =
        isa<CXXOperatorCallExpr>(Call) && Method->getOverloadedOperator() == OO_Call;
    if ((!Member && !Functor) || Method->isVirtual() || Method->isExplicitObjectMemberFunction() ||
        Method->getParent()->isLambda())
      return "";
    const Expr *Object =
        (Member ? Member->getImplicitObjectArgument() : Call->getArg(0))->IgnoreImpCasts();
    const bool Arrow = Object->getType()->isPointerType();
    const QualType T = Arrow ? Object->getType()->getPointeeType() : Object->getType();
    const CXXRecordDecl *Class = T->getAsCXXRecordDecl();
    std::string Text = textOf(Object, Context);
    if (!Class || T.isVolatileQualified() || (!Arrow && !Object->isLValue()) || Text.empty())
      return "";
    // What is stored by a pointer in it is not seen better in another place.
    if (anyField(T, [](const FieldDecl *Field) {
          return Field->getType()->isPointerType() || Field->getType()->isReferenceType();
        }))
      return "";
    if (Arrow)
      Text = isa<DeclRefExpr, ParenExpr, MemberExpr, ArraySubscriptExpr, CallExpr>(Object)
                 ? "*" + Text
                 : "*(" + Text + ")";
    if (Class->getCanonicalDecl() == Method->getParent()->getCanonicalDecl())
      return "auto &" + Text;
    // `Base &self = tile[i];`
    const QualType Base = Context.getCanonicalTagType(Method->getParent());
    if (!Class->hasDefinition() || !Class->isDerivedFrom(Method->getParent()) ||
        !canBeNamed(Base, Call->getBeginLoc(), SM))
      return "";
    return (T.isConstQualified() ? "const " : "") + Base.getAsString(Context.getPrintingPolicy()) +
           " &" + Text;
  }

  std::string unusedName(const std::string &Base) const {
    std::string Name = Base;
    const auto IsGiven = [&] {
      return any_of(Values, [&](const auto &Given) { return Given.second == Name; });
    };
    for (unsigned I = 2; Taken.count(Name) || IsGiven(); ++I)
      Name = Base + std::to_string(I);
    return Name;
  }

  /// Members are named with \p Object in front of them, which others have to be allowed to.
  bool membersOf(const std::string &Object, const FunctionDecl *Body, const std::string &Name) {
    struct Visitor : ConstDynamicRecursiveASTVisitor {
      std::vector<const MemberExpr *> Of;
      unsigned This = 0;
      std::set<std::string> Declared;
      SmallSetVector<const VarDecl *, 4> Constants;
      bool Others = false;
      bool VisitMemberExpr(const MemberExpr *Member) override {
        if (isa<CXXThisExpr>(Member->getBase()->IgnoreParenImpCasts()))
          Of.push_back(Member);
        return true;
      }
      bool VisitCXXThisExpr(const CXXThisExpr *) override {
        ++This;
        return true;
      }
      bool VisitVarDecl(const VarDecl *Var) override {
        Declared.insert(Var->getNameAsString());
        return true;
      }
      bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
        if (!Ref->getDecl()->getDeclContext()->isRecord() || Ref->hasQualifier())
          return true;
        // `a = b` of elements that are of a class: found by them.
        if (isa<CXXMethodDecl>(Ref->getDecl()) &&
            Ref->getDecl()->getDeclName().getNameKind() == DeclarationName::CXXOperatorName)
          return true;
        const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
        if (Var && Var->isConstexpr() && Var->getType()->isIntegralOrEnumerationType() &&
            !Var->getType()->isEnumeralType())
          Constants.insert(Var);
        else
          Others = true;
        return true;
      }
    } V;
    V.TraverseStmt(Body->getBody());
    if (V.This != V.Of.size()) {
      WhyNot = "'" + Name + "' uses 'this' for more than its members";
      return false;
    }
    if (V.Others) {
      WhyNot = "'" + Name + "' uses a name of its class";
      return false;
    }
    ObjectText = Object;
    for (const std::string &Id : identifiersIn(ObjectText))
      if (V.Declared.count(Id)) {
        WhyNot = "'" + Name + "' declares another '" + Id + "'";
        return false;
      }
    for (const MemberExpr *Member : V.Of) {
      if (Member->getFoundDecl().getAccess() != AS_public &&
          Member->getMemberDecl()->getAccess() != AS_public) {
        WhyNot = "'" + Member->getMemberDecl()->getNameAsString() + "', which '" + Name +
                 "' uses, is not public";
        return false;
      }
      const SourceLocation At = Member->getMemberLoc(),
                           Begin = Member->isImplicitAccess() ? At : Member->getBeginLoc();
      if (At.isMacroID() || Begin.isMacroID()) {
        WhyNot = "'" + Name + "' names a member in a macro";
        return false;
      }
      auto [File, Offset] = SM.getDecomposedLoc(Begin);
      Members[{File, Offset}] = {SM.getFileOffset(At) - Offset, ObjectText + "."};
    }
    for (const VarDecl *Constant : V.Constants) {
      const std::optional<int64_t> Value =
          Constant->evaluateValue() && Constant->evaluateValue()->isInt()
              ? Constant->evaluateValue()->getInt().tryExtValue()
              : std::nullopt;
      if (!Value || V.Declared.count(Constant->getNameAsString())) {
        WhyNot = "'" + Name + "' uses a name of its class";
        return false;
      }
      ClassConstants.push_back(
          "constexpr " +
          Constant->getType().getUnqualifiedType().getAsString(Context.getPrintingPolicy()) + " " +
          Constant->getNameAsString() + " = " + std::to_string(*Value) + ";");
    }
    return true;
  }

  /// What is captured is what its name means at the call \p Where, and no copy differs from it.
  bool meansTheSameOutside(const VarDecl *Closure, const CXXMethodDecl *Call,
                           const CallExpr *Where) const {
    const CXXRecordDecl *Lambda = Call->getParent();
    for (const LambdaCapture &C : Lambda->captures()) {
      const auto *Var = C.capturesVariable() ? dyn_cast<VarDecl>(C.getCapturedVar()) : nullptr;
      if (!Var || Var->isInitCapture() ||
          (C.getCaptureKind() == LCK_ByCopy &&
           (!Call->isConst() ||
            (!M.Facts->Values->isSetOnce(Var) && !M.Facts->Values->isUnchangedParameter(Var)))))
        return false;
    }
    const FunctionDecl *Body = nullptr;
    if (!Call->hasBody(Body) || !M.Facts->Values->isSetOnce(Closure))
      return false;
    const NamesAt Here(Caller, Where);
    return all_of(mentionedVars(Body->getBody()), [&](const VarDecl *Var) {
      // Its own parameters and variables are declared anew.
      const DeclContext *Of = Var->getDeclContext();
      return Body->Encloses(Of) || Of->isTranslationUnit() || !Var->getIdentifier() ||
             Here.find(Var->getName()) == Var;
    });
  }

  /// Where the text of the body ends, without a `return` behind it.
  static SourceLocation endOf(const CompoundStmt *Body, ArrayRef<const Stmt *> Statements) {
    return Statements.size() == Body->size() || Body->body_back()->getBeginLoc().isMacroID()
               ? Body->getRBracLoc()
               : Body->body_back()->getBeginLoc();
  }

  std::nullopt_t cannot(std::string Why) {
    WhyNot = std::move(Why);
    return std::nullopt;
  }

  const TileModel &M;
  const FunctionDecl *Caller;
  ASTContext &Context;
  const SourceManager &SM;
  const SourceText &Source;
  const ArrayRef<std::pair<unsigned, unsigned>> LeftOut;
  const std::set<std::string> &Taken;
  ValueNames &Values;
  KnownValues &Known;
  const FunctionDecl *Pattern = nullptr;
  using Replacements = std::map<std::pair<FileID, unsigned>, std::pair<unsigned, std::string>>;
  Replacements Replaced, Members;
  std::string ObjectText; ///< empty: the function is no method
  std::vector<std::string> ClassConstants;
  std::vector<std::pair<std::string, std::string>> Sizes; ///< names, and their declarations

  /// A macro of the text that has several definitions, one of which says the name of a variable
  /// that the function with the call declares; empty: there is none.
  std::string meansLocalElsewhere(SourceRange Range) const {
    std::set<std::string> Names = variablesOf(Caller->getBody());
    for (const ParmVarDecl *Param : Caller->parameters())
      Names.insert(Param->getNameAsString());
    for (const OtherMeanings::Definition &D :
         otherMeaningsOf(M, Context)
             .definitionsIn(SM.getExpansionLoc(Range.getBegin()),
                            SM.getExpansionLoc(Range.getEnd())))
      for (const auto *Words : {&D.Parameters, &D.Body})
        for (const std::string &Word : *Words)
          if (Word != D.Name && Names.count(Word))
            return D.Name;
    return "";
  }

  /// Each build that has the call decides so in the function.
  bool holdAt(const CallExpr *Call, ArrayRef<std::string> Conditions) const {
    const std::optional<std::set<std::string>> Known =
        branchesAt(Call->getBeginLoc(), Pattern->getBody(), Conditions, Context, Source);
    return Known && all_of(Conditions, [&](const std::string &C) { return Known->count(C) != 0; });
  }

  /// A directive in the text, but for pragmas: it may select other text here. \p ButBranches: those
  /// that select have done so.
  bool directiveIn(SourceRange Range, bool ButBranches) const {
    auto [File, Begin] = SM.getDecomposedExpansionLoc(Range.getBegin());
    auto [EndFile, End] = SM.getDecomposedExpansionLoc(Range.getEnd());
    std::optional<StringRef> All = SM.getBufferDataOrNone(File);
    if (!All || File != EndFile)
      return true;
    Lexer Lex(SM.getLocForStartOfFile(File).getLocWithOffset(Begin), Context.getLangOpts(),
              All->begin() + Begin, All->begin() + Begin, All->end());
    Token T;
    bool Hash = false;
    for (Lex.LexFromRawLexer(T); T.isNot(tok::eof) && SM.getFileOffset(T.getLocation()) < End;
         Lex.LexFromRawLexer(T)) {
      const StringRef Word = T.is(tok::raw_identifier) ? T.getRawIdentifier() : StringRef();
      if (Hash && Word != "pragma" &&
          !(ButBranches && (Word.starts_with("if") || Word.starts_with("el") || Word == "endif")))
        return true;
      Hash = T.is(tok::hash) && T.isAtStartOfLine();
      if (T.is(tok::raw_identifier) &&
          is_contained({"__LINE__", "__COUNTER__", "__FILE__"}, T.getRawIdentifier()))
        return true;
    }
    return false;
  }

  /// How far the loop's body is indented.
  std::string unit(StringRef Indent) const {
    StringRef File = mainFileText(Context);
    const unsigned Loop = SM.getFileOffset(M.Loop->Begin);
    StringRef OfLoop = File.drop_front(File.rfind('\n', Loop) + 1).take_while([](char C) {
      return C == ' ' || C == '\t';
    });
    return Indent.size() > OfLoop.size() && Indent.starts_with(OfLoop)
               ? Indent.drop_front(OfLoop.size()).str()
               : "  ";
  }

  static std::set<std::string> identifiersIn(StringRef Text) {
    std::set<std::string> Names;
    std::string Copy = Text.str();
    LangOptions Options;
    Options.CPlusPlus = true;
    Lexer Lex(SourceLocation(), Options, Copy.data(), Copy.data(), Copy.data() + Copy.size());
    Token T;
    for (Lex.LexFromRawLexer(T); T.isNot(tok::eof); Lex.LexFromRawLexer(T))
      if (T.is(tok::raw_identifier))
        Names.insert(T.getRawIdentifier().str());
    return Names;
  }

  /// Of what is named in \p E, whatever the words are.
  static std::set<std::string> namesIn(const Expr *E) {
    struct Visitor : ConstDynamicRecursiveASTVisitor {
      std::set<std::string> Names;
      Visitor() { ShouldVisitImplicitCode = false; }
      void add(const NamedDecl *D) {
        for (; D && D->getIdentifier(); D = dyn_cast<NamedDecl>(D->getDeclContext()))
          Names.insert(D->getNameAsString());
      }
      bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
        add(Ref->getDecl());
        add(Ref->getFoundDecl());
        return true;
      }
      bool VisitSubstNonTypeTemplateParmExpr(const SubstNonTypeTemplateParmExpr *E) override {
        add(E->getParameter());
        return true;
      }
      bool VisitMemberExpr(const MemberExpr *Member) override {
        add(Member->getMemberDecl());
        return true;
      }
      bool VisitTypeLoc(TypeLoc T) override {
        if (const TagDecl *Tag = T.getType()->getAsTagDecl())
          add(Tag);
        if (const auto *Alias = T.getType()->getAs<TypedefType>())
          add(Alias->getDecl());
        if (const auto *Subst = T.getType()->getAs<SubstTemplateTypeParmType>())
          add(Subst->getReplacedParameter());
        if (const auto *Parm = T.getType()->getAs<TemplateTypeParmType>())
          add(Parm->getDecl());
        return true;
      }
    } V;
    V.TraverseStmt(E);
    return std::move(V.Names);
  }

  /// One parameter: what it is called, what is given for it, and whether that is the same by the
  /// same name.
  struct Binding {
    const NamedDecl *Param; ///< of the pattern
    std::string Given;
    bool Same = false;
  };

  /// As a number; empty: it is none.
  std::string constantDefault(const Expr *Arg) const {
    const Expr *Default = cast<CXXDefaultArgExpr>(Arg)->getExpr();
    const std::optional<int64_t> Value = Default->getType()->isIntegralOrEnumerationType()
                                             ? constantValue(Default, Context)
                                             : std::nullopt;
    if (Value && Default->getType()->isBooleanType())
      return *Value ? "true" : "false";
    return Value && !Default->getType()->isEnumeralType() ? std::to_string(*Value) : "";
  }

  bool bind(const CallExpr *Call, const FunctionDecl *Function, InlinedCall &Out,
            std::vector<std::string> &Declarations) {
    std::vector<Binding> All;
    const unsigned N = Function->getNumParams(), Object = objectArguments(Call);
    if (Call->getNumArgs() != N + Object || Pattern->getNumParams() != N)
      return false;
    std::vector<Binding> OfFunction;
    for (unsigned I = 0; I < N; ++I) {
      const Expr *Arg = Call->getArg(I + Object);
      Binding B{Pattern->getParamDecl(I),
                isa<CXXDefaultArgExpr>(Arg) ? constantDefault(Arg) : textOf(Arg, Context), false};
      // A number that the arguments of a template may have made.
      Out.PinsArguments |= isa<CXXDefaultArgExpr>(Arg) && Caller->isTemplateInstantiation();
      if (B.Given.empty() || (!B.Param->getIdentifier() && Arg->HasSideEffects(Context))) {
        WhyNot =
            "an argument is not there as text (a default that is no number, or out of a macro)";
        return false;
      }
      // Not copied anew: the variable of this name is not changed by either, and has the same type.
      const VarDecl *Var =
          referencedVar(Arg->getType()->isRecordType() ? stripNoOps(Arg) : Arg->IgnoreImpCasts());
      B.Same = Var && Var->getIdentifier() && Var->getName() == B.Param->getName() &&
               B.Given == B.Param->getName() &&
               (namedHere(Var, Function->getParamDecl(I)) ||
                sameHere(Var, Function->getParamDecl(I), Call));
      OfFunction.push_back(std::move(B));
    }
    if (!bindTemplate(Call, Function, Out, All) || !bindClass(Function, Out, All)) {
      WhyNot =
          "an argument of the template is not said in the call, and cannot be said in its place";
      return false;
    }
    All.insert(All.begin(), OfFunction.begin(), OfFunction.end());
    // A name that something given has, too, would hide it.
    std::set<std::string> Given = identifiersIn(ObjectText), Chosen;
    for (const Binding &B : All)
      if (!B.Same)
        Given.merge(identifiersIn(B.Given));
    // Also in macros.
    for (unsigned I = 0; I < Call->getNumArgs(); ++I)
      Given.merge(namesIn(Call->getArg(I)));
    Given.merge(namesIn(Call->getCallee()));
    const std::set<std::string> OfTemplates = templateNames(Caller);
    DeclMap<NamedDecl, std::string> NameOf;
    const auto Rename = [&](std::string Name) {
      const std::string Base = Name;
      for (unsigned I = 1; Taken.count(Name) || Chosen.count(Name); ++I)
        Name = Base + "_in" + (I > 1 ? std::to_string(I) : "");
      return Name;
    };
    for (Binding &B : All) {
      std::string Name = B.Param->getNameAsString();
      if (Name.empty()) { // nobody asks for it
        Out.Names.push_back(Name);
        B.Same = true;
        continue;
      }
      // A type with a name of one word takes the parameter's place itself.
      if (isa<TemplateTypeParmDecl>(B.Param) && !B.Same &&
          all_of(B.Given, [](char C) { return isAlnum(C) || C == '_' || C == ':'; })) {
        NameOf[B.Param] = B.Given;
        Out.Names.push_back(B.Given);
        B.Same = true;
        continue;
      }
      // So does a closure that has a name, where a copy of it would be no other one.
      if (const ParmVarDecl *Closure = closureParameter(B.Param, Function);
          Closure && (Closure->getType()->isReferenceType() || isAsGoodAsItsCopy(Closure)) &&
          all_of(B.Given, [](char C) { return isAlnum(C) || C == '_'; })) {
        NameOf[B.Param] = B.Given;
        Out.Names.push_back(B.Given);
        B.Same = true;
        continue;
      }
      if (!B.Same && (Given.count(Name) || OfTemplates.count(Name))) {
        Name = Rename(Name);
        if (B.Param->getName() == Name)
          return false;
      }
      Chosen.insert(Name);
      NameOf[B.Param] = Name;
      Out.Names.push_back(Name);
    }
    for (const VarDecl *Var : variablesNamed(OfTemplates)) {
      NameOf[Var] = Rename(Var->getNameAsString());
      Chosen.insert(NameOf[Var]);
    }
    if (!rename(NameOf, OfTemplates))
      return false;
    TextOf Texts{SM, Context.getLangOpts(), Replaced};
    auto Declare = [&](const Binding &B) {
      if (B.Same)
        return true;
      const std::string &Name = NameOf[B.Param];
      if (isa<TemplateTypeParmDecl>(B.Param)) {
        Declarations.push_back("using " + Name + " = " + B.Given + ";");
        return true;
      }
      const auto *Value = cast<ValueDecl>(B.Param);
      const auto *Declarator = cast<DeclaratorDecl>(Value);
      if (isa<NonTypeTemplateParmDecl>(B.Param)) {
        std::optional<std::string> Type =
            Texts.get(Declarator->getTypeSourceInfo()->getTypeLoc().getSourceRange());
        if (!Type)
          return false;
        Declarations.push_back("constexpr " + *Type + " " + Name + " = " + B.Given + ";");
        Sizes.push_back({Name, Declarations.back()});
        return true;
      }
      const auto *Param = cast<ParmVarDecl>(Value);
      if (const ParmVarDecl *Closure = closureParameter(Param, Function)) {
        Declarations.push_back("auto " + Name + " = " + B.Given + ";");
        return !Closure->getType()->isLValueReferenceType() || isAsGoodAsItsCopy(Closure);
      }
      if (Param->getOriginalType()->isArrayType()) {
        Declarations.push_back("auto *" + Name + " = " + B.Given + ";");
        return true;
      }
      // What the array is says the argument, in fewer words.
      if (const auto *Ref = Param->getType()->getAs<LValueReferenceType>();
          Ref && Ref->getPointeeType()->isArrayType()) {
        const bool Const = Context.getBaseElementType(Ref->getPointeeType()).isConstQualified();
        Declarations.push_back(std::string(Const ? "const " : "") + "auto &" + Name + " = " +
                               B.Given + ";");
        return true;
      }
      // With the name where the declarator has it, and no default argument.
      const SourceLocation Begin = Param->getBeginLoc(), At = Param->getLocation();
      SourceLocation End = Declarator->getTypeSourceInfo()->getTypeLoc().getEndLoc();
      if (Begin.isMacroID() || At.isMacroID() || End.isMacroID())
        return false;
      auto [File, From] = SM.getDecomposedLoc(Begin);
      const unsigned NameAt = SM.getFileOffset(At), NameEnd = NameAt + Param->getName().size();
      const unsigned To = std::max(
          NameEnd, SM.getFileOffset(Lexer::getLocForEndOfToken(End, 0, SM, Context.getLangOpts())));
      std::optional<std::string> Before = Texts.get(File, From, NameAt),
                                 Behind = Texts.get(File, NameEnd, To);
      if (!Before || !Behind)
        return false;
      Declarations.push_back(*Before + Name + *Behind + " = " + B.Given + ";");
      return true;
    };
    Declarations.insert(Declarations.end(), ClassConstants.begin(), ClassConstants.end());
    // Types and constants first: parameters are declared with them.
    for (bool OfTypes : {true, false})
      for (const Binding &B : All)
        if (isa<ParmVarDecl>(B.Param) != OfTypes && !Declare(B))
          return false;
    return true;
  }

  /// Without the template's numbers that nothing but the type of a parameter has named.
  void withoutUnused(std::vector<std::string> &Declarations, const std::string &Body) const {
    for (const auto &[Name, Declaration] : reverse(Sizes)) {
      std::string Rest = Body;
      for (const std::string &D : Declarations)
        if (D != Declaration)
          Rest += " " + D;
      if (!identifiersIn(Rest).count(Name))
        llvm::erase(Declarations, Declaration);
    }
  }

  /// The parameter is one more name of \p Var.
  bool namedHere(const VarDecl *Var, const ParmVarDecl *Param) const {
    return Param->getType()->isLValueReferenceType() &&
           Context.hasSameType(Var->getType().getNonReferenceType(),
                               Param->getType()->getPointeeType());
  }

  /// \p Var in place of a copy of it, or of a pointer to its elements: neither the copy nor the
  /// variable changes during the call.
  bool sameHere(const VarDecl *Var, const ParmVarDecl *Param, const CallExpr *Call) const {
    const QualType T =
        Var->getType()->isArrayType() ? Context.getDecayedType(Var->getType()) : Var->getType();
    if (!Context.hasSameType(T.getUnqualifiedType(), Param->getType().getUnqualifiedType()) ||
        Param->getType()->isReferenceType() || (isClosure(T) && !isAsGoodAsItsCopy(Param)) ||
        !(T->isScalarType() || (T->isRecordType() && isPlainlyCopied(T, Context))))
      return false;
    const auto *Callee = dyn_cast<FunctionDecl>(Param->getDeclContext());
    const FunctionDecl *Body = nullptr;
    if (!Callee || !Callee->hasBody(Body))
      return false;
    if (!Known.of(Body).Values.isUnchangedParameter(
            Body->getParamDecl(Param->getFunctionScopeIndex())))
      return false;
    if (Var->getType()->isArrayType())
      return true;
    const EffectCollector *Collector = M.Facts->Collector;
    const FunctionValues *Values = M.Facts->Values;
    if (Caller != M.Loop->Function) {
      Collector = &Known.of(Caller).Collector;
      Values = &Known.of(Caller).Values;
    }
    if (Values->isSetOnce(Var) || Values->isUnchangedParameter(Var))
      return true;
    return !Values->hasOtherNames(Var) &&
           none_of(Collector->collect(Call).Accesses, [&](const Access &A) {
             return A.Write && (A.touches(Var) || any_of(A.Roots, [](const MemoryRoot &R) {
                                  return R.In == Space::Local && !R.Decl;
                                }));
           });
  }

  static bool isClosure(const TemplateArgument &Arg) {
    return Arg.getKind() == TemplateArgument::Type && isClosure(Arg.getAsType());
  }
  static bool isClosure(QualType T) {
    const CXXRecordDecl *Class = T.getNonReferenceType()->getAsCXXRecordDecl();
    return Class && Class->isLambda();
  }
  /// The parameter of \p Function that \p Param of the pattern is, if it is given a closure.
  static const ParmVarDecl *closureParameter(const NamedDecl *Param, const FunctionDecl *Function) {
    const auto *OfPattern = dyn_cast<ParmVarDecl>(Param);
    const ParmVarDecl *Own =
        OfPattern ? Function->getParamDecl(OfPattern->getFunctionScopeIndex()) : nullptr;
    return Own && isClosure(Own->getType()) ? Own : nullptr;
  }
  /// No call changes what the closure has.
  static bool isAsGoodAsItsCopy(const ParmVarDecl *Closure) {
    return Closure->getType()
        .getNonReferenceType()
        ->getAsCXXRecordDecl()
        ->getLambdaCallOperator()
        ->isConst();
  }
  /// Not as the type of a parameter.
  bool isNamedElsewhere(const NamedDecl *Type) const {
    Mentions Found;
    Found.TraverseStmt(const_cast<Stmt *>(Pattern->getBody()));
    return Found.Of.count(Type) != 0;
  }

  bool bindTemplate(const CallExpr *Call, const FunctionDecl *Function, InlinedCall &Out,
                    std::vector<Binding> &All) {
    const FunctionTemplateDecl *Template = Function->getPrimaryTemplate();
    if (!Template)
      return true;
    const TemplateArgumentList *Args = Function->getTemplateSpecializationArgs();
    const Expr *Callee = Call->getCallee()->IgnoreParenImpCasts();
    const auto *Ref = dyn_cast<DeclRefExpr>(Callee);
    const auto *Member = dyn_cast<MemberExpr>(Callee); // `f.template operator()<4>(..)`
    const ArrayRef<TemplateArgumentLoc> Said =
        Ref      ? ArrayRef(Ref->getTemplateArgs(), Ref->getNumTemplateArgs())
        : Member ? Member->template_arguments()
                 : ArrayRef<TemplateArgumentLoc>();
    const TemplateParameterList *Params = Template->getTemplateParameters();
    // The pattern's own parameters are those of the declaration with the body.
    if (const FunctionTemplateDecl *Described = Pattern->getDescribedFunctionTemplate())
      Params = Described->getTemplateParameters();
    if ((!Ref && !Member) || !Args || Args->size() != Params->size())
      return false;
    for (unsigned I = 0; I < Params->size(); ++I) {
      const NamedDecl *Param = Params->getParam(I);
      const TemplateArgument &Arg = Args->get(I);
      if (!Param->getIdentifier() || Param->isParameterPack() ||
          isa<TemplateTemplateParmDecl>(Param))
        return false;
      // `auto` of a parameter is said by what it is given.
      if (Param->isImplicit())
        continue;
      Binding B{Param, "", false};
      // A closure has no type that can be said, and its parameter is one without.
      if (isClosure(Arg)) {
        if (isNamedElsewhere(Param))
          return false;
        continue;
      }
      if (I < Said.size()) {
        std::optional<TextRange> R = textRange(Said[I].getSourceRange(), Context);
        if (!R)
          return false;
        B.Given = mainFileText(Context).slice(R->Begin, R->End).str();
      } else {
        Out.PinsArguments = true;
        B.Given = defaultOf(Param);
        if (B.Given.empty())
          B.Given = deduced(Arg);
      }
      if (B.Given.empty())
        return false;
      // The kernel's own, or a constant of the same type.
      B.Same = B.Given == Param->getName();
      if (const auto *Value = dyn_cast<NonTypeTemplateParmDecl>(Param);
          B.Same && Value && I < Said.size())
        if (const TemplateArgumentLoc &Loc = Said[I];
            Loc.getArgument().getKind() == TemplateArgument::Expression) {
          const Expr *E = Loc.getSourceExpression()->IgnoreImpCasts();
          B.Same = Context.hasSameType(E->getType().getUnqualifiedType(),
                                       Arg.getKind() == TemplateArgument::Integral
                                           ? Arg.getIntegralType().getUnqualifiedType()
                                           : E->getType().getUnqualifiedType());
        }
      All.push_back(std::move(B));
    }
    return true;
  }

  /// Of a method of a class template: what of the class's arguments is mentioned.
  bool bindClass(const FunctionDecl *Function, InlinedCall &Out, std::vector<Binding> &All) const {
    const auto *Class = dyn_cast<ClassTemplateSpecializationDecl>(Function->getDeclContext());
    const auto *Method = dyn_cast<CXXMethodDecl>(Function);
    if (!Class || (ObjectText.empty() && !(Method && Method->isStatic())))
      return true;
    // Of a partial specialisation they are its own.
    const TemplateArgumentList &Args = Class->getTemplateInstantiationArgs();
    Mentions Found;
    Found.TraverseDecl(const_cast<FunctionDecl *>(Pattern));
    for (const auto &[Param, Places] : Found.Of) {
      const auto *Type = dyn_cast<TemplateTypeParmDecl>(Param);
      const auto *Value = dyn_cast<NonTypeTemplateParmDecl>(Param);
      if ((!Type && !Value) ||
          any_of(All, [&, Param = Param](const Binding &B) { return B.Param == Param; }))
        continue;
      const unsigned I = Type ? Type->getIndex() : Value->getIndex();
      if ((Type ? Type->getDepth() : Value->getDepth()) != 0 || I >= Args.size() ||
          Param->isParameterPack())
        return false;
      Binding B{Param, deduced(Args[I]), false};
      if (B.Given.empty())
        return false;
      B.Same = B.Given == Param->getName();
      Out.PinsArguments |= Caller->isTemplateInstantiation();
      All.push_back(std::move(B));
    }
    return true;
  }

  /// A number or a type that \p Arg says may be another one in another build.
  bool mayVary(const TemplateArgumentLoc &Arg) const {
    const OtherMeanings &Others = otherMeaningsOf(M, Context);
    switch (Arg.getArgument().getKind()) {
    case TemplateArgument::Expression:
      return Others.hasNumber(Arg.getSourceExpression());
    case TemplateArgument::Type:
      return Others.has(Arg.getArgument().getAsType()) ||
             Others.hasMacro(Arg.getTypeSourceInfo()->getTypeLoc().getBeginLoc());
    default:
      return true;
    }
  }
  bool mayVary(ArrayRef<TemplateArgumentLoc> Args) const {
    return any_of(Args, [&](const TemplateArgumentLoc &Arg) { return mayVary(Arg); });
  }

  /// The arguments that the class of \p T is said with: `Loader<0, COUNT>`, or a name for it.
  static SmallVector<TemplateArgumentLoc, 4> writtenArguments(TypeLoc T) {
    SmallVector<TemplateArgumentLoc, 4> Out;
    for (unsigned Depth = 0; T && Depth < 8; ++Depth) {
      T = T.getUnqualifiedLoc();
      if (const auto Special = T.getAs<TemplateSpecializationTypeLoc>()) {
        for (unsigned I = 0; I < Special.getNumArgs(); ++I)
          Out.push_back(Special.getArgLoc(I));
        return Out;
      }
      const auto Alias = T.getAs<TypedefTypeLoc>();
      const auto Ref = T.getAs<ReferenceTypeLoc>();
      if (!Alias && !Ref)
        return Out;
      T = Ref ? Ref.getPointeeLoc() : Alias.getDecl()->getTypeSourceInfo()->getTypeLoc();
    }
    return Out;
  }

  /// Which specialisation \p Call chooses, \p Function, and which numbers a class of such has,
  /// hangs on what another build may say otherwise.
  bool mayBeSpecialisedOtherwise(const CallExpr *Call, const FunctionDecl *Function) const {
    const Expr *Callee = Call->getCallee()->IgnoreParenImpCasts();
    const auto *Ref = dyn_cast<DeclRefExpr>(Callee);
    const auto IsElsewhere = [&](const Decl *D) {
      return OtherMeanings::isInBranch(D->getLocation(), Call->getBeginLoc(), Context);
    };
    if (const FunctionTemplateDecl *Template = Function->getPrimaryTemplate()) {
      bool Special = false;
      for (const FunctionDecl *F : Template->specializations()) {
        if (F->getTemplateSpecializationKind() != TSK_ExplicitSpecialization)
          continue;
        Special = true;
        const ASTTemplateArgumentListInfo *Args = F->getTemplateSpecializationArgsAsWritten();
        if (IsElsewhere(F) || (Args && mayVary(Args->arguments())))
          return true;
      }
      if (Special && Ref && mayVary(ArrayRef(Ref->getTemplateArgs(), Ref->getNumTemplateArgs())))
        return true;
    }
    const auto *Class = dyn_cast<ClassTemplateSpecializationDecl>(Function->getDeclContext());
    if (!Class)
      return false;
    ClassTemplateDecl *Template = Class->getSpecializedTemplate();
    for (const ClassTemplateSpecializationDecl *Other : Template->specializations())
      if (const ASTTemplateArgumentListInfo *Args = Other->getTemplateArgsAsWritten();
          Other->getSpecializationKind() == TSK_ExplicitSpecialization &&
          (IsElsewhere(Other) || (Args && mayVary(Args->arguments()))))
        return true;
    SmallVector<ClassTemplatePartialSpecializationDecl *, 4> Partial;
    Template->getPartialSpecializations(Partial);
    for (const ClassTemplatePartialSpecializationDecl *Other : Partial)
      if (const ASTTemplateArgumentListInfo *Args = Other->getTemplateArgsAsWritten();
          IsElsewhere(Other) || (Args && mayVary(Args->arguments())))
        return true;
    // Its numbers are said in the new text.
    TypeLoc Said;
    if (Ref && Ref->hasQualifier())
      Said = Ref->getQualifierLoc().getAsTypeLoc();
    else if (const auto *Member = dyn_cast<MemberExpr>(Callee))
      if (const VarDecl *Object = referencedVar(Member->getBase()->IgnoreParenImpCasts());
          Object && Object->getTypeSourceInfo())
        Said = Object->getTypeSourceInfo()->getTypeLoc();
    return mayVary(writtenArguments(Said)) ||
           any_of(*Template->getTemplateParameters(), [&](const NamedDecl *Param) {
             const auto *Value = dyn_cast<NonTypeTemplateParmDecl>(Param);
             return Value && Value->hasDefaultArgument() && mayVary(Value->getDefaultArgument());
           });
  }

  /// As the template says; empty: it has none. (What was deduced instead means something else, and
  /// is noticed.)
  std::string defaultOf(const NamedDecl *Param) const {
    const TemplateArgumentLoc *Default = nullptr;
    if (const auto *Type = dyn_cast<TemplateTypeParmDecl>(Param);
        Type && Type->hasDefaultArgument())
      Default = &Type->getDefaultArgument();
    else if (const auto *Value = dyn_cast<NonTypeTemplateParmDecl>(Param);
             Value && Value->hasDefaultArgument())
      Default = &Value->getDefaultArgument();
    return Default
               ? TextOf{SM, Context.getLangOpts(), {}}.get(Default->getSourceRange()).value_or("")
               : "";
  }

  /// What is called depends on the template's arguments.
  static bool hasDependentCall(const Stmt *S) {
    if (!S)
      return false;
    if (const auto *Call = dyn_cast<CallExpr>(S);
        Call && (Call->isTypeDependent() || isa<OverloadExpr>(Call->getCallee())))
      return true;
    return any_of(S->children(), hasDependentCall);
  }

  /// \p Call is in a template, and with other arguments of that it may call another function: one
  /// of a class that they say, an overload, a specialisation.
  bool isChosenByArguments(const CallExpr *Call) const {
    const FunctionDecl *Text = Caller->getTemplateInstantiationPattern();
    if (!Text || Text == Caller || !Text->hasBody())
      return false;
    const CallExpr *Written = callAt(Text->getBody(), Call->getSourceRange());
    if (!Written)
      return true;
    const Expr *Callee = Written->getCallee()->IgnoreParens();
    const auto *Lookup = dyn_cast<UnresolvedLookupExpr>(Callee);
    if (!Lookup)
      return !isa<DeclRefExpr, ImplicitCastExpr>(Callee) && Written->isTypeDependent();
    if (Lookup->requiresADL() &&
        any_of(Written->arguments(), [](const Expr *Arg) { return Arg->isTypeDependent(); }))
      return true;
    if (Lookup->getNumDecls() != 1)
      return true;
    const auto *Only =
        dyn_cast<FunctionTemplateDecl>((*Lookup->decls_begin())->getUnderlyingDecl());
    return !Only || any_of(Only->specializations(), [](const FunctionDecl *F) {
      return F->getTemplateSpecializationKind() == TSK_ExplicitSpecialization;
    });
  }

  /// Which instantiation is called does not hang on the arguments of a template around the call.
  bool isSettled(const CallExpr *Call) const {
    const FunctionDecl *Text = Caller->getTemplateInstantiationPattern();
    if (!Text || Text == Caller)
      return true;
    const CallExpr *Written =
        Text->hasBody() ? callAt(Text->getBody(), Call->getSourceRange()) : nullptr;
    return Written && Written->getDirectCallee() &&
           Written->getDirectCallee()->getCanonicalDecl() ==
               Call->getDirectCallee()->getCanonicalDecl();
  }

  static const CallExpr *callAt(const Stmt *S, SourceRange Where) {
    if (!S)
      return nullptr;
    if (const auto *Call = dyn_cast<CallExpr>(S); Call && Call->getSourceRange() == Where)
      return Call;
    for (const Stmt *Child : S->children())
      if (const CallExpr *Found = callAt(Child, Where))
        return Found;
    return nullptr;
  }

  /// In words of the function with the call; empty: it cannot be said.
  std::string deduced(const TemplateArgument &Arg) const {
    const FunctionDecl *Kernel = Caller;
    const FunctionTemplateDecl *Template = Kernel->getPrimaryTemplate();
    const TemplateArgumentList *Own = Kernel->getTemplateSpecializationArgs();
    if (Template && Own)
      for (unsigned I = 0; I < Own->size() && I < Template->getTemplateParameters()->size(); ++I)
        if (Own->get(I).structurallyEquals(Arg))
          return Template->getTemplateParameters()->getParam(I)->getNameAsString();
    if (Arg.getKind() == TemplateArgument::Integral)
      return toString(Arg.getAsIntegral(), 10);
    if (Arg.getKind() == TemplateArgument::Type)
      return Arg.getAsType().getAsString(Context.getPrintingPolicy());
    return "";
  }

  /// Names that no block of the function may declare anew: parameters of the templates around.
  static std::set<std::string> templateNames(const FunctionDecl *Function) {
    std::set<std::string> Names;
    const auto Add = [&](const TemplateParameterList *Params) {
      for (const NamedDecl *Param : *Params)
        Names.insert(Param->getNameAsString());
    };
    if (const FunctionTemplateDecl *Template = Function->getPrimaryTemplate())
      Add(Template->getTemplateParameters());
    if (const FunctionDecl *Text = Function->getTemplateInstantiationPattern())
      if (const FunctionTemplateDecl *Template = Text->getDescribedFunctionTemplate())
        Add(Template->getTemplateParameters());
    for (const DeclContext *In = Function->getDeclContext(); In; In = In->getParent())
      if (const auto *Class = dyn_cast<ClassTemplateSpecializationDecl>(In))
        Add(Class->getSpecializedTemplate()->getTemplateParameters());
    Names.erase("");
    return Names;
  }

  /// Of the pattern's own.
  std::vector<const VarDecl *> variablesNamed(const std::set<std::string> &Names) const {
    struct Visitor : ConstDynamicRecursiveASTVisitor {
      const std::set<std::string> &Names;
      std::vector<const VarDecl *> Found;
      explicit Visitor(const std::set<std::string> &Names) : Names(Names) {}
      bool VisitVarDecl(const VarDecl *Var) override {
        if (Var->getIdentifier() && Names.count(Var->getNameAsString()))
          Found.push_back(Var);
        return true;
      }
    } V(Names);
    V.TraverseStmt(Pattern->getBody());
    return std::move(V.Found);
  }

  /// \p Name stands so often in the pattern, from its parameters on.
  unsigned countIn(StringRef Name) const {
    const SourceLocation First = Pattern->getNumParams() ? Pattern->getParamDecl(0)->getBeginLoc()
                                                         : Pattern->getBody()->getBeginLoc();
    auto [File, Begin] = SM.getDecomposedExpansionLoc(First);
    const unsigned End = SM.getFileOffset(SM.getExpansionLoc(Pattern->getBody()->getEndLoc()));
    unsigned Count = 0;
    forEachRawToken(SM.getBufferData(File).slice(Begin, End).str(), [&](const Token &T, unsigned) {
      Count += T.is(tok::raw_identifier) && T.getRawIdentifier() == Name;
    });
    return Count;
  }

  /// Notes the new names of parameters wherever the pattern mentions them. \p OfTemplates: names
  /// that mean something at the new place, so that none of them may be left.
  bool rename(const DeclMap<NamedDecl, std::string> &NameOf,
              const std::set<std::string> &OfTemplates) {
    Replaced.clear();
    if (all_of(NameOf, [](const auto &P) { return P.first->getName() == P.second; }))
      return true;
    Mentions Found;
    Found.TraverseDecl(const_cast<FunctionDecl *>(Pattern));
    for (const auto &[Param, Name] : NameOf) {
      if (Param->getName() == Name)
        continue;
      std::vector<SourceLocation> Places = Found.Of[Param];
      if (isa<VarDecl>(Param) && !isa<ParmVarDecl>(Param))
        Places.push_back(Param->getLocation());
      else if (isa<ParmVarDecl>(Param) && Param->getDeclContext() != Pattern)
        Places.push_back(Param->getLocation()); // of a closure
      for (SourceLocation Loc : Places) {
        if (Loc.isMacroID())
          return false;
        auto [File, Offset] = SM.getDecomposedLoc(Loc);
        StringRef Text = SM.getBufferData(File).substr(Offset);
        if (!Text.starts_with(Param->getName()))
          return false;
        Replaced[{File, Offset}] = {unsigned(Param->getName().size()), Name};
      }
    }
    // Another instantiation could tell apart what this one cannot.
    for (const auto &[Param, Name] : NameOf) {
      if (Param->getName() == Name || !OfTemplates.count(Param->getNameAsString()))
        continue;
      unsigned Named = 0;
      for (const auto &[Place, New] : Replaced)
        Named += SM.getBufferData(Place.first).substr(Place.second).starts_with(Param->getName()) &&
                 New.first == Param->getName().size();
      for (const ParmVarDecl *Own : Pattern->parameters())
        Named += Own->getIdentifier() && Own->getName() == Param->getName();
      if (Named != countIn(Param->getName()))
        return false;
    }
    return true;
  }

  static size_t blank(StringRef Line) { return Line.size() - Line.ltrim(" \t").size(); }
  /// How far the first line is indented; others may be at the margin: comments, pragmas.
  static size_t indentation(ArrayRef<StringRef> Lines) {
    for (StringRef Line : Lines)
      if (!Line.trim().empty() && !Line.starts_with("#"))
        return blank(Line);
    return 0;
  }
  //===-- if constexpr --------------------------------------------------------------===//

  /// Around text from elsewhere in the file: the number of the line that follows.
  static constexpr char LineMark = '\x01';
  std::string lineMark(SourceLocation At) const {
    return LineMark + std::to_string(SM.getSpellingLineNumber(At)) + LineMark;
  }

  /// Takes the marks out. The line of the file that each line of \p Text is, the first one \p Line.
  static std::vector<unsigned> withoutLineMarks(std::string &Text, unsigned Line) {
    std::vector<unsigned> Lines = {Line};
    std::string Rest;
    for (size_t I = 0; I < Text.size(); ++I) {
      if (Text[I] == LineMark) {
        const size_t End = Text.find(LineMark, I + 1);
        Line = unsigned(std::stoul(Text.substr(I + 1, End - I - 1)));
        I = End;
        continue;
      }
      Rest += Text[I];
      if (Text[I] == '\n')
        Lines.push_back(++Line);
    }
    Text = std::move(Rest);
    return Lines;
  }

  /// Where nothing is a template, an arm that is left out would have to mean something: what is
  /// taken stands there alone. What decided on it is held in \p Declarations: another build must
  /// not get the arm of this one. False: that cannot be said.
  bool takeArms(const TakenArms &Arms, std::vector<std::string> &Declarations) {
    for (const auto &[If, Taken] : Arms) {
      const bool Then = Taken.Arm == If->getThen();
      const std::optional<std::string> Asked =
          TextOf{SM, Context.getLangOpts(), Replaced}.get(If->getCond()->getSourceRange());
      if (!Asked || StringRef(*Asked).contains('\n'))
        return false;
      Declarations.push_back("static_assert(" +
                             (Then && If->getCond()->getType()->isBooleanType()
                                  ? *Asked
                                  : (Then ? "!!(" : "!(") + *Asked + ")") +
                             ", \"the arm that is taken was chosen by this\");");
    }
    // Behind its brace, or behind the semicolon of an expression.
    const auto EndOf = [&](const Stmt *S) {
      return isa<Expr>(S)
                 ? Lexer::findLocationAfterToken(S->getEndLoc(), tok::semi, SM,
                                                 Context.getLangOpts(),
                                                 /*SkipTrailingWhitespace=*/false)
                 : Lexer::getLocForEndOfToken(S->getEndLoc(), 0, SM, Context.getLangOpts());
    };
    for (const auto &[If, Taken] : Arms) {
      const Stmt *Last = If->getElse() ? If->getElse() : If->getThen();
      // Of others the end is behind them.
      if (!isa<CompoundStmt, IfStmt, Expr>(Last) ||
          !(!Taken.Arm || isa<CompoundStmt, IfStmt, Expr>(Taken.Arm)) ||
          If->getBeginLoc().isMacroID() || Last->getEndLoc().isMacroID() || EndOf(Last).isInvalid())
        continue;
      auto [File, Begin] = SM.getDecomposedLoc(If->getBeginLoc());
      auto [EndFile, End] = SM.getDecomposedLoc(EndOf(Last));
      std::optional<std::string> Text = "";
      if (Taken.Arm)
        Text = TextOf{SM, Context.getLangOpts(), Replaced}.get(Taken.Arm->getSourceRange());
      if (File != EndFile || !Text)
        continue;
      if (Taken.Arm && isa<Expr>(Taken.Arm))
        *Text += ";";
      if (Taken.Arm)
        *Text = lineMark(Taken.Arm->getBeginLoc()) + *Text;
      else if (!Taken.InBlock)
        *Text = ";";
      else
        std::tie(Begin, End) = wholeLines(SM.getBufferData(File), Begin, End);
      Replaced.erase(Replaced.lower_bound({File, Begin}), Replaced.lower_bound({File, End}));
      Replaced[{File, Begin}] = {
          End - Begin, *Text + lineMark(SM.getLocForStartOfFile(File).getLocWithOffset(End))};
    }
    return true;
  }

  //===-- return ----------------------------------------------------------------------===//

  /// What is behind the line of the one, and from the line of the other on, stands one step deeper,
  /// or one less.
  static constexpr char DeeperMark = '\x02', LessMark = '\x03';

  /// Takes these out of \p Text. \p Unit: a step; strings of several lines stay as they are.
  static std::string withDepths(StringRef Text, StringRef Unit) {
    SmallVector<StringRef, 32> Lines;
    Text.split(Lines, '\n');
    const bool Stays = mayHaveStringOfLines(Text);
    std::string Out;
    unsigned Depth = 0;
    for (StringRef Line : Lines) {
      Depth -= unsigned(Line.count(LessMark));
      if (!Stays && !Line.trim().empty() && !Line.starts_with("#"))
        for (unsigned I = 0; I < Depth; ++I)
          Out += Unit;
      copy_if(Line, std::back_inserter(Out),
              [](char C) { return C != DeeperMark && C != LessMark; });
      Out += '\n';
      Depth += unsigned(Line.count(DeeperMark));
    }
    Out.pop_back();
    return Out;
  }

  static std::string indentIn(StringRef All, unsigned At) {
    return All.slice(All.rfind('\n', At) + 1, At)
        .take_while([](char C) { return C == ' ' || C == '\t'; })
        .str();
  }

  /// That \p If does not ask what it asks; empty: its words are those for a class, or of a macro.
  std::string negatedIn(const IfStmt *If, const TextOf &Texts) const {
    const Expr *Asks = If->getCond();
    if (Asks->isTypeDependent())
      return "";
    // Of a macro the text is not what it stands for.
    bool HasMacro =
        otherMeaningsOf(M, Context)
            .hasIn(SM.getExpansionLoc(If->getLParenLoc()), SM.getExpansionLoc(If->getRParenLoc()));
    struct Macros : ConstDynamicRecursiveASTVisitor {
      bool Found = false;
      bool VisitStmt(const Stmt *S) override {
        Found |= S->getBeginLoc().isMacroID() || S->getEndLoc().isMacroID();
        return true;
      }
    } Of;
    Of.TraverseStmt(Asks);
    HasMacro |= Of.Found;
    return negated(Asks, [&](const Expr *E) {
      if (!HasMacro)
        return Texts.get(E->getSourceRange()).value_or("");
      return E == Asks ? betweenParens(If, Texts) : std::string();
    });
  }
  std::string betweenParens(const IfStmt *If, const TextOf &Texts) const {
    auto [File, Begin] = SM.getDecomposedLoc(If->getLParenLoc());
    return Texts.get(File, Begin + 1, SM.getFileOffset(If->getRParenLoc())).value_or("");
  }

  /// What is left out by a `return` becomes a branch. False: that cannot be said.
  bool takeExits(const Exits &Ends, const CompoundStmt *Body) {
    const FileID File = SM.getFileID(Body->getLBracLoc());
    StringRef All = SM.getBufferData(File);
    std::map<unsigned, std::string> Closing; // what stands in front of a brace, by its place
    DenseSet<const Stmt *> Gone;             // with what has them
    for (const Exits::Exit &E : reverse(Ends.Of)) {
      const IfStmt *If = E.If;
      const Stmt *Then = If->getThen(), *Else = If->getElse();
      for (SourceLocation Loc :
           {If->getIfLoc(), If->getLParenLoc(), If->getRParenLoc(), Then->getBeginLoc(),
            Then->getEndLoc(), E.Block->getRBracLoc(), Else ? If->getElseLoc() : If->getIfLoc(),
            Else ? Else->getBeginLoc() : If->getIfLoc()})
        if (Loc.isMacroID() || SM.getFileID(Loc) != File)
          return false;
      if (E.Block != Body)
        Closing[SM.getFileOffset(E.Block->getRBracLoc())] +=
            LessMark + ("}\n" + indentIn(All, SM.getFileOffset(E.Block->getRBracLoc())));
      if (!E.Bare) {
        const unsigned At = SM.getFileOffset(Else ? If->getElseLoc() : Then->getEndLoc());
        Replaced[{File, At}] = {Else ? 4 : 1,
                                std::string(Else ? "else {" : "} else {") + DeeperMark};
        continue;
      }
      const TextOf Texts{SM, Context.getLangOpts(), Replaced};
      const auto *Return = cast<ReturnStmt>(Exits::statementsOf(Then).front());
      const unsigned Begin = SM.getFileOffset(If->getIfLoc()),
                     Left = SM.getFileOffset(If->getLParenLoc()),
                     Right = SM.getFileOffset(If->getRParenLoc());
      const SourceLocation Behind = Else ? Else->getBeginLoc()
                                    : isa<CompoundStmt>(Then)
                                        ? Then->getEndLoc().getLocWithOffset(1)
                                        : behindSemicolon(Return);
      if (Return->getBeginLoc().isMacroID() || Behind.isInvalid())
        return false;
      const unsigned End = SM.getFileOffset(Behind);
      if (All.slice(Begin, End).contains('#'))
        return false; // a pragma
      std::string Text, Asks = negatedIn(If, Texts);
      for (StringRef Part : {All.slice(Begin, Left), All.slice(Right, End)})
        for (const std::string &Comment : commentsIn(Part))
          Text += Comment + "\n" + indentIn(All, Begin);
      Text += Asks.empty()
                  ? "if (" + betweenParens(If, Texts) + ") {\n" + indentIn(All, Begin) + "} else {"
                  : "if (" + Asks + ") {";
      Replaced.erase(Replaced.lower_bound({File, Begin}), Replaced.lower_bound({File, End}));
      Replaced[{File, Begin}] = {End - Begin, Text + DeeperMark + lineMark(Behind)};
      Gone.insert(Return);
    }
    for (auto [Return, Block] : Ends.Returns) {
      if (Gone.contains(Return) || Block == Body)
        continue;
      const SourceLocation Behind = behindSemicolon(Return);
      if (Behind.isInvalid() || SM.getFileID(Return->getBeginLoc()) != File)
        return false;
      unsigned Begin = SM.getFileOffset(Return->getBeginLoc()), End = SM.getFileOffset(Behind);
      if (Block)
        std::tie(Begin, End) = wholeLines(All, Begin, End);
      else
        End = Begin + unsigned(strlen("return"));
      Replaced[{File, Begin}] = {End - Begin,
                                 lineMark(SM.getLocForStartOfFile(File).getLocWithOffset(End))};
    }
    for (const auto &[At, Text] : Closing) {
      auto &[Length, New] = Replaced[{File, At}];
      New = Text + lineMark(SM.getLocForStartOfFile(File).getLocWithOffset(At)) +
            (Length ? New : "}");
      Length = 1;
    }
    return true;
  }

  /// Invalid: a macro has a part in it.
  SourceLocation behindSemicolon(const ReturnStmt *Return) const {
    return Return->getBeginLoc().isMacroID()
               ? SourceLocation()
               : Lexer::findLocationAfterToken(Return->getEndLoc(), tok::semi, SM,
                                               Context.getLangOpts(),
                                               /*SkipTrailingWhitespaceAndNewLine=*/false);
  }

  /// With the rest of its lines, where there is nothing else in them.
  static std::pair<unsigned, unsigned> wholeLines(StringRef Text, unsigned Begin, unsigned End) {
    const size_t Line = Text.rfind('\n', Begin) + 1, Next = Text.find('\n', End);
    return Next != StringRef::npos && Text.slice(Line, Begin).trim().empty() &&
                   Text.slice(End, Next).trim().empty()
               ? std::pair(unsigned(Line), unsigned(Next + 1))
               : std::pair(Begin, End);
  }

  /// The text's lines, which are lines \p FileLines of the file and begin at \p Column of it, are
  /// reindented.
  static void findInFile(InlinedCall &Call, StringRef Text, StringRef Indent,
                         const std::vector<unsigned> &FileLines, unsigned Column) {
    SmallVector<StringRef, 32> Lines;
    Text.split(Lines, '\n');
    const auto *First = find_if(Lines, [](StringRef L) { return !L.trim().empty(); });
    Call.FileLines.assign(FileLines.begin() + (First - Lines.begin()), FileLines.end());
    Call.ColumnShift = int(indentation(Lines)) - int(Indent.size());
    Call.FirstShift =
        Call.ColumnShift + (First == Lines.begin() ? int(Column) - 1 : 0); // behind the brace
  }

  /// Whole lines, the outermost of them at \p Indent.
  static std::string reindented(StringRef Text, StringRef Indent) {
    SmallVector<StringRef, 32> Lines;
    Text.split(Lines, '\n');
    while (!Lines.empty() && Lines.front().trim().empty())
      Lines.erase(Lines.begin());
    // Behind a backslash an empty line ends a comment.
    while (!Lines.empty() && Lines.back().trim().empty() &&
           (Lines.size() < 2 || !Lines[Lines.size() - 2].rtrim().ends_with("\\")))
      Lines.pop_back();
    const size_t First = indentation(Lines);
    std::string Out;
    for (StringRef Line : Lines) {
      Line = Line.rtrim('\r');
      if (!Line.trim().empty())
        Out += Line.starts_with("#")
                   ? Line.str()
                   : (Indent + Line.drop_front(std::min(First, blank(Line)))).str();
      Out += "\n";
    }
    return Out;
  }
};

/// In a called function.
bool storesByAssembly(const Effects &E, const ASTContext &Context) {
  return any_of(E.Actions, [&](const Action &A) {
    const auto *Asm = dyn_cast_or_null<GCCAsmStmt>(A.Where);
    return A.InCallee && Asm && !readPtx(Asm, Context).PlainStores.empty();
  });
}

/// Something is called where a temporary of \p S ends.
bool hasDestructor(const Stmt *S) {
  return S && (isa<CXXBindTemporaryExpr>(S) || any_of(S->children(), hasDestructor));
}

/// Call statements of the load phase that write shared memory.
std::vector<const CallExpr *> storingCalls(const TileModel &M, const ASTContext &Context) {
  std::vector<const CallExpr *> Calls;
  bool Others = false;
  std::vector<const Stmt *> Open(M.Segments[0].begin(), M.Segments[0].end());
  while (!Open.empty()) {
    const Stmt *S = Open.back();
    Open.pop_back();
    if (!S)
      continue;
    if (const auto *E = dyn_cast<Expr>(S)) {
      // Temporaries for parameters by reference live to the end of the block instead.
      const auto *Cleanups = dyn_cast<ExprWithCleanups>(E);
      const auto *Call = dyn_cast<CallExpr>(
          (Cleanups && !hasDestructor(Cleanups) ? Cleanups->getSubExpr() : E)->IgnoreParens());
      const Effects Of = M.Facts->Collector->collect(S);
      if (storesByAssembly(Of, Context) || any_of(Of.Accesses, [](const Access &A) {
            return A.InCallee && A.Write &&
                   (A.mayTouch(Space::Shared) || A.mayTouch(Space::Unknown));
          })) {
        Others |= !Call;
        if (Call)
          Calls.push_back(Call);
      }
      continue;
    }
    for (const Stmt *Child : S->children())
      Open.push_back(Child);
  }
  return Others ? std::vector<const CallExpr *>() : Calls;
}

/// The one call of the lambda \p Lambda, which is the value of a variable.
const CallExpr *onlyCallOf(const LambdaExpr *Lambda, const TileModel &M, std::string &WhyNot) {
  const VarDecl *Closure = variableOf(Lambda, M.Loop->Function);
  if (!Closure) {
    WhyNot = "the lambda is not the value of a variable";
    return nullptr;
  }
  ClosureUses Uses(Closure);
  Uses.TraverseStmt(M.Loop->Function->getBody());
  if (Uses.isCalledOnce())
    return Uses.Calls.front();
  WhyNot = "'" + Closure->getNameAsString() +
           "' is called in more than one place, or used for something else";
  return nullptr;
}

/// What stands at \p Call may mean something else there than at \p Function, by a directive between
/// the two. What belongs to other branches of an `#if` around the call is in no build that has the
/// call.
bool saysOtherwise(StringRef Text, unsigned Function, unsigned Call) {
  if (Call < Function)
    return StringRef(Text).slice(Call, Function).contains('#');
  // Of each `#if` that is open, whether its branch has such a directive; the first one is for what
  // is in none.
  SmallVector<bool, 4> Open = {false};
  bool Hash = false, IsPragma = false;
  const std::string Between = Text.slice(Function, Call).str();
  forEachRawToken(Between, [&](const Token &T, unsigned) {
    if (IsPragma &&
        !(T.is(tok::raw_identifier) && is_contained({"unroll", "nounroll"}, T.getRawIdentifier())))
      Open.back() = true;
    IsPragma = false;
    if (std::exchange(Hash, T.is(tok::hash) && T.isAtStartOfLine())) {
      const StringRef Word = T.is(tok::raw_identifier) ? T.getRawIdentifier() : StringRef();
      if (Word.starts_with("if")) {
        Open.push_back(false);
      } else if (Word == "pragma") {
        IsPragma = true;
      } else if (Word.starts_with("el") && Open.size() > 1) {
        Open.back() = false;
      } else {
        if (Word == "endif" && Open.size() > 1)
          Open.pop_back();
        Open.back() = true;
      }
    }
  });
  return Hash || IsPragma || is_contained(Open, true);
}

/// The calls of the function with the loop, each place once: of a template's instantiations the
/// first.
std::vector<const CallSite *> callsOf(const KLoop &Loop, const TileModel &M, std::string &WhyNot) {
  std::vector<const CallSite *> Out;
  CallSites *Calls = M.Facts->Function->Calls.get();
  const std::vector<CallSite> *Sites = Calls ? Calls->seen(Loop.Function) : nullptr;
  if (!Sites)
    return Out;
  const SourceManager &SM = Loop.Function->getASTContext().getSourceManager();
  const bool InHeader = mainFileIsHeader(SM);
  for (const CallSite &S : *Sites) {
    // Those in other files find the function as it was.
    const SourceLocation At = SM.getExpansionLoc(S.Call->getBeginLoc());
    if (InHeader && !isInMainFile(SM, At))
      continue;
    // And to other files the header may say something else between the two.
    if (const SourceLocation End = SM.getExpansionLoc(Loop.Function->getEndLoc());
        InHeader &&
        (!isInMainFile(SM, End) || saysOtherwise(mainFileText(Loop.Function->getASTContext()),
                                                 SM.getFileOffset(End), SM.getFileOffset(At)))) {
      WhyNot = "between '" + Loop.Function->getNameAsString() +
               "' and its call there are branches of the preprocessor (#if)";
      return {};
    }
    // There would be one more call in each text that takes the place of one.
    if (S.Caller->getBody()->getBeginLoc() == Loop.Function->getBody()->getBeginLoc()) {
      WhyNot = "'" + Loop.Function->getNameAsString() + "' calls itself";
      return {};
    }
    if (none_of(Out, [&](const CallSite *Known) {
          return Known->Call->getBeginLoc() == S.Call->getBeginLoc();
        }))
      Out.push_back(&S);
  }
  return Out;
}

/// Closures of which all calls are written out go, with the lines that are theirs.
void removeClosures(std::vector<InlinedCall> &Out, ArrayRef<const CallExpr *> Calls,
                    const TileModel &M, const ASTContext &Context) {
  DeclMap<VarDecl, unsigned> Count;
  for (const CallExpr *Call : Calls)
    if (const VarDecl *Closure = calledClosure(Call))
      ++Count[Closure];
  StringRef File = mainFileText(Context);
  for (const auto &[Closure, Written] : Count) {
    ClosureUses Uses(Closure);
    Uses.TraverseStmt(M.Loop->Function->getBody());
    std::optional<TextRange> R =
        Uses.Declaration ? statementRange(Uses.Declaration, Context) : std::nullopt;
    if (!R || Uses.Mentions != Written)
      continue;
    const size_t Line = File.rfind('\n', R->Begin) + 1, End = File.find('\n', R->End);
    if (End == StringRef::npos)
      continue;
    const bool Alone =
        File.slice(Line, R->Begin).trim().empty() && File.slice(R->End, End).trim().empty();
    InlinedCall Removal;
    Removal.Offset = Alone ? unsigned(Line) : R->Begin;
    Removal.Length =
        Alone ? unsigned(End + 1 - Line)
              : unsigned(R->End +
                         File.substr(R->End).take_while([](char C) { return C == ' '; }).size() -
                         R->Begin);
    Out.push_back(std::move(Removal));
  }
}

} // namespace

bool storesByAssembly(const TileModel &M, ASTContext &Context) {
  return M.Facts && storesByAssembly(M.Facts->Segment[0], Context);
}

bool storesByObject(const TileModel &M) {
  return M.Facts &&
         any_of(M.Refusals, [](const Refusal &R) { return R.Why == Reason::LoadForm; }) &&
         any_of(M.Facts->Segment[0].Accesses, [](const Access &A) {
           return A.InCallee && A.Write && A.mayTouch(Space::Shared) && A.Roots.size() > 1;
         });
}

std::vector<InlinedCall> inlineCalls(const TileModel &M, ASTContext &Context,
                                     const SourceText &Source,
                                     ArrayRef<std::pair<unsigned, unsigned>> LeftOut,
                                     ValueNames &Values, std::vector<CallObstacle> &WhyNot) {
  std::vector<InlinedCall> Out;
  std::string Why;
  bool Several = false, All = true;
  if (!M.Facts || !M.Facts->Collector || M.Loop->IsPattern)
    return Out;
  std::vector<const CallExpr *> Calls;
  std::vector<const FunctionDecl *> Callers; // of each call; none: the function with the loop
  if (const LambdaExpr *Lambda = lambdaAround(*M.Loop)) {
    const CallExpr *Call = onlyCallOf(Lambda, M, Why);
    if (!Call) {
      if (!Why.empty())
        WhyNot.push_back({Why, {}});
      return Out;
    }
    Calls.push_back(Call);
  } else if (M.Loop->PassedTile) {
    for (const CallSite *Site : callsOf(*M.Loop, M, Why)) {
      Calls.push_back(Site->Call);
      Callers.push_back(Site->Caller);
    }
    if (!Why.empty())
      WhyNot.push_back({Why, {}});
    Several = Calls.size() > 1;
  } else {
    Calls = storingCalls(M, Context);
    Several = true;
  }
  KnownValues Known(Context);
  for (size_t I = 0; I < Calls.size(); ++I) {
    const CallExpr *Call = Calls[I];
    CallInliner Inliner(M, Callers.empty() ? M.Loop->Function : Callers[I], Context, Source,
                        LeftOut, Values, Known);
    std::optional<InlinedCall> New = Inliner.inlined(Call);
    if (!New) {
      // Each call has a reason of its own, which is not that of its neighbour.
      WhyNot.push_back({Inliner.WhyNot, Several ? Call->getExprLoc() : SourceLocation()});
      All = false;
      continue;
    }
    Out.push_back(std::move(*New));
  }
  if (!All)
    return {};
  removeClosures(Out, Calls, M, Context);
  llvm::sort(Out, [](const InlinedCall &A, const InlinedCall &B) { return A.Offset < B.Offset; });
  return Out;
}

std::vector<std::string> commentsThatGoOn(StringRef Text) {
  std::vector<std::string> Out;
  if (!Text.contains("//"))
    return Out;
  for (const std::string &Comment : commentsIn(Text))
    if (!StringRef(Comment).starts_with("/*") && StringRef(Comment).contains('\n')) {
      Out.emplace_back();
      copy_if(Comment, std::back_inserter(Out.back()), [](char C) { return !isWhitespace(C); });
    }
  llvm::sort(Out);
  return Out;
}

bool meansTheSame(const InlinedCall &Call, unsigned Offset, ASTContext &Context, bool MayBeUnused) {
  struct Visitor : ConstDynamicRecursiveASTVisitor {
    const InlinedCall &Call;
    const SourceLocation Where;
    ASTContext &Context;
    std::set<std::string> Meanings;
    Visitor(const InlinedCall &Call, SourceLocation Where, ASTContext &Context)
        : Call(Call), Where(Where), Context(Context) {
      ShouldVisitTemplateInstantiations = true;
    }
    bool VisitCompoundStmt(const CompoundStmt *Block) override {
      if (Block->getLBracLoc() != Where || Block->size() < Call.Declared)
        return true;
      Meaning M(Context);
      std::set<std::string> Declared;
      DeclSet<VarDecl> Own;
      std::vector<const Stmt *> Body(Block->body_begin(), Block->body_end());
      for (unsigned I = 0; I < Call.Declared; ++I)
        if (const auto *Statement = dyn_cast<DeclStmt>(Body[I]);
            Statement && Statement->isSingleDecl())
          if (const auto *Value = dyn_cast<VarDecl>(Statement->getSingleDecl())) {
            auto It = llvm::find(Call.Names, Value->getNameAsString());
            if (!Call.ObjectName.empty() && Value->getName() == Call.ObjectName)
              M.object(Value);
            else if (It != Call.Names.end())
              M.parameter(Value, size_t(It - Call.Names.begin()));
            Declared.insert(Value->getNameAsString());
            // What is given for it was said where none of the others was declared.
            if (!Value->isConstexpr() && any_of(mentionedVars(Value->getInit()),
                                                [&](const VarDecl *V) { return Own.count(V); })) {
              Meanings.insert("");
              return true;
            }
            Own.insert(Value);
          }
      for (size_t I = 0; I < Call.Names.size(); ++I)
        if (!Declared.count(Call.Names[I]))
          M.outside(Call.Names[I], I);
      Body.erase(Body.begin(), Body.begin() + Call.Declared);
      if (Call.HasValue) {
        const auto *Last = Body.empty() ? nullptr : dyn_cast<Expr>(Body.back());
        const Expr *To = nullptr, *Value = nullptr;
        if (const auto *Full = dyn_cast_or_null<ExprWithCleanups>(Last))
          Last = Full->getSubExpr();
        if (!Last || !matchAssignment(Last, To, Value))
          return true;
        Body.back() = returned(Value);
      }
      Meanings.insert(M.of(Body));
      return true;
    }
    // Of a template only instantiations mean something.
    bool TraverseDecl(const Decl *D) override {
      const auto *Function = dyn_cast_or_null<FunctionDecl>(D);
      return (Function && Function->isDependentContext()) ||
             ConstDynamicRecursiveASTVisitor::TraverseDecl(D);
    }
  };
  if (Call.isRemoval())
    return true;
  const SourceManager &SM = Context.getSourceManager();
  Visitor V(Call, SM.getLocForStartOfFile(SM.getMainFileID()).getLocWithOffset(Offset), Context);
  for (Decl *D : Context.getTraversalScope())
    if (!SM.isInSystemHeader(SM.getExpansionLoc(D->getLocation())))
      V.TraverseDecl(D);
  return (MayBeUnused || !V.Meanings.empty()) &&
         all_of(V.Meanings, [&](const std::string &M) { return Call.Meanings.count(M) != 0; });
}

} // namespace cuda_pipeline
