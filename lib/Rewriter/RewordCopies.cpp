//===- RewordCopies.cpp - Asynchronous copies that are waited for at once ---===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Model/AstUtil.h"
#include "../Model/KnownFunctions.h"
#include "../Model/LoopFacts.h"
#include "../Model/PtxText.h"
#include "Rewordings.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <map>

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

enum class Operation {
  ThreadCopy,   ///< __pipeline_memcpy_async
  ThreadCommit, ///< __pipeline_commit
  ThreadWait,   ///< __pipeline_wait_prior(0): for all that was committed
  GroupCopy,    ///< cooperative_groups::memcpy_async
  GroupWait,    ///< cooperative_groups::wait, and a barrier
  Other
};

/// What is asynchronous in a function.
struct AsyncCalls : ConstDynamicRecursiveASTVisitor {
  ASTContext &Context;
  std::map<const CallExpr *, Operation> Found;
  bool Assembly = false;
  explicit AsyncCalls(ASTContext &Context) : Context(Context) {}
  bool VisitCallExpr(const CallExpr *Call) override {
    const FunctionDecl *Callee = Call->getDirectCallee();
    if (!Callee || classifyFunction(Callee, Context) != FunctionKind::AsyncCopy)
      return true;
    const std::string Name = Callee->getQualifiedNameAsString();
    const bool OfGroups = StringRef(Name).starts_with("cooperative_groups::");
    StringRef Last = StringRef(Name).rsplit(':').second.empty() ? StringRef(Name) : StringRef(Name).rsplit(':').second;
    Operation &Op = Found.try_emplace(Call, Operation::Other).first->second;
    if (OfGroups)
      Op = Last == "memcpy_async" ? Operation::GroupCopy : Last == "wait" ? Operation::GroupWait : Operation::Other;
    else if (Name == "__pipeline_memcpy_async")
      Op = Operation::ThreadCopy;
    else if (Name == "__pipeline_commit")
      Op = Operation::ThreadCommit;
    else if (Name == "__pipeline_wait_prior" && Call->getNumArgs() == 1 && constantValue(Call->getArg(0), Context) == 0)
      Op = Operation::ThreadWait;
    return true;
  }
  bool VisitGCCAsmStmt(const GCCAsmStmt *Asm) override {
    Assembly |= readPtx(Asm, Context).AboutCopies;
    return true;
  }
};

class CopyRewording {
public:
  CopyRewording(const TileModel &M, ASTContext &Context, const std::set<std::string> &Taken)
      : M(M), Context(Context), Taken(Taken), Calls(Context) {}

  Rewording run() {
    // Who knows what the callers of a device function have begun.
    if (!M.Loop->IsKernel || !M.Facts || !M.Facts->Collector)
      return Rewording();
    Calls.TraverseStmt(M.Loop->Function->getBody());
    if (Calls.Found.empty() || Calls.Assembly || !nothingElseUnderWay())
      return Rewording();
    Rewording Out;
    std::vector<const CallExpr *> InLoop;
    for (const Stmt *S : M.Loop->Body->body())
      callsIn(S, InLoop);
    for (const CallExpr *Call : InLoop)
      if (!edit(Call, Out))
        return Rewording();
    Out.PinsArguments = M.Loop->IsTemplate;
    if (!InLoop.empty())
      Out.Said.push_back("asynchronous copies that are waited for at once are taken as plain ones");
    return Out;
  }

private:
  const TileModel &M;
  ASTContext &Context;
  const std::set<std::string> &Taken;
  AsyncCalls Calls;

  void callsIn(const Stmt *S, std::vector<const CallExpr *> &Out) const {
    if (!S)
      return;
    if (const auto *Call = dyn_cast<CallExpr>(S); Call && Calls.Found.count(Call))
      Out.push_back(Call);
    for (const Stmt *Child : S->children())
      callsIn(Child, Out);
  }

  /// The call that is the statement.
  const CallExpr *asCall(const Stmt *S) const {
    const auto *E = dyn_cast<Expr>(S);
    const auto *Call = E ? dyn_cast<CallExpr>(E->IgnoreUnlessSpelledInSource()) : nullptr;
    return Call && Calls.Found.count(Call) ? Call : nullptr;
  }

  /// All that the function copies asynchronously is waited for in the turn of the loop in which it is begun.
  bool nothingElseUnderWay() const {
    for (const Action &A : M.Facts->Collector->collect(M.Loop->Function->getBody()).Actions) {
      const auto *Asm = dyn_cast_or_null<GCCAsmStmt>(A.Where);
      const auto *Call = dyn_cast_or_null<CallExpr>(A.Where);
      if (A.Kind == Action::UnknownCall || (Asm && readPtx(Asm, Context).AboutCopies) ||
          (A.Function == FunctionKind::AsyncCopy && !(Call && Calls.Found.count(Call))))
        return false;
    }
    struct Bodies : ConstDynamicRecursiveASTVisitor {
      std::vector<const CompoundStmt *> Of;
      void add(const Stmt *Body) {
        if (const auto *Block = dyn_cast_or_null<CompoundStmt>(Body))
          Of.push_back(Block);
      }
      bool VisitForStmt(const ForStmt *S) override { return add(S->getBody()), true; }
      bool VisitWhileStmt(const WhileStmt *S) override { return add(S->getBody()), true; }
      bool VisitDoStmt(const DoStmt *S) override { return add(S->getBody()), true; }
    } B;
    B.TraverseStmt(M.Loop->Function->getBody());
    std::set<const CallExpr *> Closed;
    for (const CompoundStmt *Body : B.Of) {
      std::vector<const CallExpr *> Here;
      for (const Stmt *S : Body->body())
        callsIn(S, Here);
      if (isClosed(Body))
        Closed.insert(Here.begin(), Here.end());
      else if (Body == M.Loop->Body)
        return false;
    }
    return all_of(Calls.Found, [&](const auto &C) { return Closed.count(C.first) != 0; });
  }

  static bool leaves(const Stmt *S) {
    return S && (isa<BreakStmt>(S) || isa<ContinueStmt>(S) || isa<GotoStmt>(S) || isa<IndirectGotoStmt>(S) || isa<ReturnStmt>(S) ||
                 any_of(S->children(), leaves));
  }

  bool isClosed(const CompoundStmt *Body) const {
    bool UnderWay = false, Uncommitted = false, OfThreads = false, OfGroups = false;
    for (const Stmt *S : Body->body()) {
      if (const CallExpr *Call = asCall(S)) {
        const Operation Op = Calls.Found.find(Call)->second;
        if (Op == Operation::ThreadCommit) {
          Uncommitted = false;
          continue;
        }
        if (Op == Operation::ThreadWait || Op == Operation::GroupWait) {
          if (Uncommitted && Op == Operation::ThreadWait)
            return false;
          UnderWay = Uncommitted = false;
          continue;
        }
      }
      std::vector<const CallExpr *> Here;
      callsIn(S, Here);
      for (const CallExpr *Call : Here) {
        const Operation Op = Calls.Found.find(Call)->second;
        if (Op != Operation::ThreadCopy && Op != Operation::GroupCopy)
          return false;
        OfThreads |= Op == Operation::ThreadCopy;
        OfGroups |= Op == Operation::GroupCopy;
        UnderWay = true;
        Uncommitted |= Op == Operation::ThreadCopy;
      }
      if (UnderWay && leaves(S))
        return false;
    }
    return !UnderWay && !(OfThreads && OfGroups);
  }

  //===-- The new text --------------------------------------------------------------===//

  bool edit(const CallExpr *Call, Rewording &Out) const {
    switch (Calls.Found.find(Call)->second) {
    case Operation::ThreadCommit:
    case Operation::ThreadWait: {
      std::optional<Edit> Gone = withoutStatement(Call, Context);
      if (Gone)
        Out.Edits.push_back(*Gone);
      return Gone.has_value();
    }
    case Operation::GroupWait: {
      const std::string Group = blockOf(Call);
      return !Group.empty() && replace(Call, Group + ".sync()", Out);
    }
    case Operation::ThreadCopy: {
      const std::string Text = ofOneThread(Call);
      return !Text.empty() && replace(Call, Text, Out);
    }
    case Operation::GroupCopy: {
      const std::string Text = ofTheBlock(Call, Out);
      return !Text.empty() && replace(Call, Text, Out);
    }
    case Operation::Other:
      return false;
    }
    return false;
  }

  bool replace(const CallExpr *Call, const std::string &Text, Rewording &Out) const {
    std::optional<TextRange> R = textRange(Call->getSourceRange(), Context);
    if (R)
      Out.Edits.push_back({R->Begin, R->End - R->Begin, Text});
    return R.has_value();
  }

  /// The expression of a pointer without conversions to `void *`, also those that are written out.
  static const Expr *pointer(const Expr *E) {
    for (;;) {
      E = E->IgnoreParenImpCasts();
      const auto *Cast = dyn_cast<ExplicitCastExpr>(E);
      if (!Cast || !Cast->getType()->isVoidPointerType())
        return E;
      E = Cast->getSubExpr();
    }
  }

  /// What it points to, without const; null for what has no size.
  QualType pointee(const Expr *E) const {
    QualType T = E->getType();
    T = T->isArrayType() ? Context.getAsArrayType(T)->getElementType() : T->getPointeeType();
    if (T.isNull() || T->isIncompleteType() || T->isFunctionType() || T->isDependentType() || T.isVolatileQualified())
      return QualType();
    return T->isArrayType() ? QualType() : T.getUnqualifiedType();
  }

  /// A value of it can be read and written, byte by byte the same.
  bool isPlain(QualType T) const {
    if (T->isArithmeticType())
      return !T->isBooleanType();
    const auto *Record = T->getAsCXXRecordDecl();
    return Record && Record->getIdentifier() && vectorOf(Record->getName());
  }
  static bool vectorOf(StringRef Name) {
    static const char *const Elements[] = {"char", "uchar", "short", "ushort", "int", "uint", "longlong", "ulonglong", "float", "double"};
    return !Name.empty() && is_contained({'2', '4'}, Name.back()) && is_contained(Elements, Name.drop_back());
  }

  /// A type of \p Bytes for elements of the type \p T.
  std::string wide(QualType T, uint64_t Bytes) const {
    const bool Float = !T.isNull() && T->isSpecificBuiltinType(BuiltinType::Float);
    const bool Int = !T.isNull() && T->isSpecificBuiltinType(BuiltinType::Int);
    switch (Bytes) {
    case 4:
      return Float ? "float" : Int ? "int" : "unsigned";
    case 8:
      return Float ? "float2" : Int ? "int2" : "uint2";
    case 16:
      return Float ? "float4" : Int ? "int4" : "uint4";
    }
    return "";
  }

  std::string text(const Expr *E) const { return textOf(E, Context); }
  static bool isPostfix(const Expr *E) { return isa<DeclRefExpr>(E) || isa<ArraySubscriptExpr>(E) || isa<MemberExpr>(E) || isa<CallExpr>(E); }

  /// What the pointer points to, as a value of \p As; empty: of its own type.
  std::string element(const Expr *Pointer, const std::string &As, bool Const) const {
    const std::string Whole = text(Pointer);
    if (Whole.empty())
      return "";
    if (!As.empty())
      return "*reinterpret_cast<" + std::string(Const ? "const " : "") + As + " *>(" + Whole + ")";
    if (const auto *Address = dyn_cast<UnaryOperator>(Pointer); Address && Address->getOpcode() == UO_AddrOf)
      return text(Address->getSubExpr());
    return isPostfix(Pointer) ? "*" + Whole : "*(" + Whole + ")";
  }

  std::string ofOneThread(const CallExpr *Call) const {
    if (Call->getNumArgs() < 3)
      return "";
    const Expr *To = pointer(Call->getArg(0)), *From = pointer(Call->getArg(1));
    const std::optional<int64_t> Bytes = constantValue(Call->getArg(2), Context);
    if (!Bytes || (*Bytes != 4 && *Bytes != 8 && *Bytes != 16))
      return "";
    const QualType T = pointee(To), S = pointee(From);
    const bool Own = !T.isNull() && !S.isNull() && Context.hasSameType(T, S) && isPlain(T) &&
                     Context.getTypeSizeInChars(T).getQuantity() == *Bytes;
    const std::string As = Own ? "" : wide(T, uint64_t(*Bytes));
    const std::string L = element(To, As, false), R = element(From, As, true);
    if (L.empty() || R.empty())
      return "";
    const Expr *Fill = Call->getNumArgs() > 3 ? Call->getArg(3)->IgnoreParenImpCasts() : nullptr;
    if (!Fill || isa<CXXDefaultArgExpr>(Fill) || constantValue(Fill, Context) == 0)
      return L + " = " + R;
    // All of it or nothing is filled with zeros.
    const auto *Cond = dyn_cast<ConditionalOperator>(Fill);
    const std::string If = Cond ? text(Cond->getCond()) : "";
    const std::string Zero = zero(Own ? T : QualType(), As);
    if (If.empty() || Zero.empty())
      return "";
    const auto A = constantValue(Cond->getTrueExpr(), Context), B = constantValue(Cond->getFalseExpr(), Context);
    if (A == 0 && B == *Bytes)
      return L + " = (" + If + ") ? " + R + " : " + Zero;
    if (A == *Bytes && B == 0)
      return L + " = (" + If + ") ? " + Zero + " : " + R;
    return "";
  }

  std::string zero(QualType Own, std::string As) const {
    if (!Own.isNull() && Own->isArithmeticType())
      return Own->isSpecificBuiltinType(BuiltinType::Float) ? "0.0f" : Own->isFloatingType() ? "0.0" : "0";
    if (!Own.isNull())
      As = Own->getAsCXXRecordDecl()->getName().str();
    if (As == "float")
      return "0.0f";
    if (As == "int")
      return "0";
    if (As == "unsigned")
      return "0u";
    const bool Float = StringRef(As).starts_with("float");
    std::string Out = "make_" + As + "(";
    for (int I = 0, N = As.back() - '0'; I < N; ++I)
      Out += std::string(I ? ", " : "") + (Float ? "0.0f" : "0");
    return Out + ")";
  }

  /// The name of the block that copies; empty: it is another group, or has no name.
  std::string blockOf(const CallExpr *Call) const {
    const Expr *Group = Call->getNumArgs() ? Call->getArg(0)->IgnoreParenImpCasts() : nullptr;
    const auto *Record = Group ? Group->getType().getNonReferenceType()->getAsCXXRecordDecl() : nullptr;
    if (!Record || !Record->getIdentifier() || Record->getName() != "thread_block")
      return "";
    const auto *Made = dyn_cast<CallExpr>(Group->IgnoreUnlessSpelledInSource());
    const FunctionDecl *By = Made ? Made->getDirectCallee() : nullptr;
    return isa<DeclRefExpr>(Group) || (By && By->getIdentifier() && By->getName() == "this_thread_block") ? text(Group) : "";
  }

  std::string ofTheBlock(const CallExpr *Call, Rewording &Out) const {
    const std::string Group = blockOf(Call);
    if (Group.empty() || Call->getNumArgs() != 4 || !standsAlone(Call))
      return "";
    const Expr *To = pointer(Call->getArg(1)), *From = pointer(Call->getArg(2));
    const QualType T = pointee(To), S = pointee(From);
    const Expr *Size = Call->getArg(3)->IgnoreUnlessSpelledInSource();
    // `cuda::aligned_size_t<16>(bytes)`: so are both ends, and so is the number.
    uint64_t Aligned = 0;
    if (const auto *Record = Size->getType()->getAsCXXRecordDecl()) {
      const auto *Special = dyn_cast<ClassTemplateSpecializationDecl>(Record);
      if (!Special || !Special->getIdentifier() || Special->getName() != "aligned_size_t" || Special->getTemplateArgs().size() == 0 ||
          Special->getTemplateArgs()[0].getKind() != TemplateArgument::Integral)
        return "";
      Aligned = Special->getTemplateArgs()[0].getAsIntegral().getZExtValue();
      if (const auto *Cast = dyn_cast<CXXFunctionalCastExpr>(Size))
        Size = Cast->getSubExpr()->IgnoreUnlessSpelledInSource();
      if (const auto *Made = dyn_cast<CXXConstructExpr>(Size); Made && Made->getNumArgs() == 1)
        Size = Made->getArg(0);
      if (Size->getType()->isRecordType())
        return "";
    }
    if (T.isNull() || S.isNull())
      return "";
    const bool Own = Aligned < 16 && Context.hasSameType(T, S) && isPlain(T);
    const std::string As = Own ? "" : Aligned >= 16 ? wide(T, 16) : "";
    const uint64_t Unit = Own ? uint64_t(Context.getTypeSizeInChars(T).getQuantity()) : 16;
    if (!Own && As.empty())
      return "";
    const std::string Count = count(Size, Unit, Aligned != 0 && Aligned % Unit == 0);
    const std::string L = indexed(To, As, false), R = indexed(From, As, true);
    if (Count.empty() || L.empty() || R.empty())
      return "";
    Out.MaySlowDown |= Aligned < 16 && Unit < 16;
    std::set<StringRef> Mentioned;
    for (const VarDecl *Var : mentionedVars(Call))
      Mentioned.insert(Var->getName());
    std::string I = "i";
    while (Mentioned.count(I) || (I != "i" && Taken.count(I)))
      I += I == "i" ? "_copy" : "_";
    std::optional<TextRange> At = textRange(Call->getSourceRange(), Context);
    StringRef File = mainFileText(Context);
    std::string Indent;
    if (At)
      Indent = File.drop_front(File.rfind('\n', At->Begin) + 1).take_while([](char C) { return C == ' ' || C == '\t'; }).str();
    return "for (unsigned " + I + " = " + Group + ".thread_rank(); " + I + " < " + Count + "; " + I + " += " + Group + ".size())\n" +
           Indent + (StringRef(Indent).starts_with("\t") ? "\t" : "  ") + L + "[" + I + "] = " + R + "[" + I + "]";
  }

  /// The pointer as what an index follows.
  std::string indexed(const Expr *Pointer, const std::string &As, bool Const) const {
    const std::string Whole = text(Pointer);
    if (Whole.empty())
      return "";
    if (!As.empty())
      return "reinterpret_cast<" + std::string(Const ? "const " : "") + As + " *>(" + Whole + ")";
    return isPostfix(Pointer) ? Whole : "(" + Whole + ")";
  }

  /// How many units of \p Unit bytes; empty: it may be none of them, or a part of one more.
  std::string count(const Expr *Bytes, uint64_t Unit, bool IsMultiple) const {
    if (const std::optional<int64_t> N = constantValue(Bytes, Context))
      return *N >= 0 && uint64_t(*N) % Unit == 0 ? std::to_string(uint64_t(*N) / Unit) : "";
    const auto *Product = dyn_cast<BinaryOperator>(Bytes->IgnoreParenImpCasts());
    if (Product && Product->getOpcode() == BO_Mul)
      for (auto [Size, Other] : {std::pair(Product->getLHS(), Product->getRHS()), {Product->getRHS(), Product->getLHS()}})
        if (isa<UnaryExprOrTypeTraitExpr>(Size->IgnoreParenImpCasts()) && constantValue(Size, Context) == int64_t(Unit)) {
          const Expr *Rest = Other->IgnoreParenImpCasts();
          const std::string Text = text(Rest);
          return Text.empty() || isPostfix(Rest) ? Text : "(" + Text + ")";
        }
    const std::string Text = text(Bytes);
    return IsMultiple && !Text.empty() ? "(" + Text + ") / " + std::to_string(Unit) : "";
  }

  /// It is a statement, and a loop can be one in its place.
  bool standsAlone(const CallExpr *Call) const {
    struct Parents : ConstDynamicRecursiveASTVisitor {
      const CallExpr *Call;
      bool Alone = false;
      explicit Parents(const CallExpr *Call) : Call(Call) {}
      bool is(const Stmt *S) const {
        const auto *E = dyn_cast_or_null<Expr>(S);
        return E && E->IgnoreUnlessSpelledInSource() == Call;
      }
      bool VisitCompoundStmt(const CompoundStmt *S) override {
        Alone |= any_of(S->body(), [&](const Stmt *Child) { return is(Child); });
        return true;
      }
      bool VisitForStmt(const ForStmt *S) override { return Alone |= is(S->getBody()), true; }
      bool VisitIfStmt(const IfStmt *S) override { return Alone |= is(S->getThen()) && !S->getElse(), true; }
    } P(Call);
    P.TraverseStmt(M.Loop->Body);
    return P.Alone;
  }
};

} // namespace

Rewording rewordCopies(const TileModel &M, ASTContext &Context, const std::set<std::string> &Taken) {
  return CopyRewording(M, Context, Taken).run();
}

} // namespace cuda_pipeline
