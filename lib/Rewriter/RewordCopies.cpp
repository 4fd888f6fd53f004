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
#include "AsyncOperations.h"
#include "ElementWords.h"
#include "Rewordings.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include <map>

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

/// Calls of a function and assembly in it.
struct CallsAndAssembly : ConstDynamicRecursiveASTVisitor {
  std::vector<const CallExpr *> Calls;
  std::vector<const GCCAsmStmt *> Assembly;
  bool VisitCallExpr(const CallExpr *Call) override { return Calls.push_back(Call), true; }
  bool VisitGCCAsmStmt(const GCCAsmStmt *Asm) override { return Assembly.push_back(Asm), true; }
};

/// The same for all loops of a function.
struct CopiesOfFunction {
  std::map<const Stmt *, AsyncOperation> Operations;
  /// All of them are waited for in the turn of a loop in which they are begun, and nothing else
  /// that is called copies asynchronously. None: nobody has asked.
  mutable std::optional<bool> Closed;
  mutable std::set<const CompoundStmt *> Open; ///< bodies of loops where something is under way
};

class CopyRewording : ElementWords {
public:
  /// \p M: of a loop in a kernel that was looked into.
  CopyRewording(const TileModel &M, ASTContext &Context, const std::set<std::string> &Taken)
      : ElementWords(M, Context), Taken(Taken),
        Known(M.Facts->Function->once<CopiesOfFunction>([&] {
          return CopiesOfFunction{asyncOperations(M.Loop->Function, Context), std::nullopt, {}};
        })),
        Operations(Known.Operations) {}

  Rewording run() {
    if (Operations.empty() || !nothingElseUnderWay())
      return Rewording();
    Rewording Out;
    std::vector<const Stmt *> InLoop;
    for (const Stmt *S : M.Loop->Body->body())
      operationsIn(S, InLoop);
    for (const Stmt *S : InLoop)
      if (!edit(S, Operations.find(S)->second, Out))
        return Rewording();
    for (const Stmt *S : InLoop)
      for (const VarDecl *Var : mentionedVars(S))
        if (const auto *Class = Var->getType()->getAsCXXRecordDecl();
            Class && Class->getIdentifier() &&
            (Class->getName() == "pipeline" || Class->getName() == "aligned_size_t"))
          Replaced.insert(Var);
    takeOutUnused(InLoop, Out);
    Out.PinsArguments = M.Loop->IsTemplate;
    if (!InLoop.empty())
      Out.Said.push_back("asynchronous copies that are waited for at once are taken as plain ones");
    return Out;
  }

private:
  const std::set<std::string> &Taken;
  const CopiesOfFunction &Known;
  const std::map<const Stmt *, AsyncOperation> &Operations;

  void operationsIn(const Stmt *S, std::vector<const Stmt *> &Out) const {
    if (!S)
      return;
    if (Operations.count(S))
      return Out.push_back(S);
    for (const Stmt *Child : S->children())
      operationsIn(Child, Out);
  }

  /// The operation that the statement is; null: it is none.
  const Stmt *asOperation(const Stmt *S) const {
    if (const auto *E = dyn_cast<Expr>(S))
      S = E->IgnoreUnlessSpelledInSource();
    return Operations.count(S) ? S : nullptr;
  }

  /// All that the function copies asynchronously is waited for in the turn of the loop in which it
  /// is begun.
  bool nothingElseUnderWay() const {
    if (!Known.Closed)
      Known.Closed = allAreClosed();
    return *Known.Closed && !Known.Open.count(M.Loop->Body);
  }
  bool allAreClosed() const {
    auto IsAsync = [&](const Action &A) {
      const auto *Asm = dyn_cast_or_null<GCCAsmStmt>(A.Where);
      return A.Function == FunctionKind::AsyncCopy || (Asm && readPtx(Asm, Context).AboutCopies);
    };
    for (const Action &A : M.Facts->Function->whole().Actions)
      if (A.Kind == Action::UnknownCall)
        return false;
    CallsAndAssembly All;
    All.TraverseStmt(M.Loop->Function->getBody());
    for (const CallExpr *Call : All.Calls)
      if (!Operations.count(Call) &&
          any_of(M.Facts->Collector->collect(Call).Actions, [&](const Action &A) {
            return IsAsync(A) && A.Where != Call && !Operations.count(A.Where);
          }))
        return false;
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
    std::set<const Stmt *> Closed;
    for (const CompoundStmt *Body : B.Of) {
      std::vector<const Stmt *> Here;
      for (const Stmt *S : Body->body())
        operationsIn(S, Here);
      if (isClosed(Body))
        Closed.insert(Here.begin(), Here.end());
      else
        Known.Open.insert(Body);
    }
    return all_of(Operations, [&](const auto &O) {
      return O.second.Is == AsyncOperation::Elsewhere || Closed.count(O.first) != 0;
    });
  }

  static bool leaves(const Stmt *S) {
    return S && (isa<BreakStmt>(S) || isa<ContinueStmt>(S) || isa<GotoStmt>(S) ||
                 isa<IndirectGotoStmt>(S) || isa<ReturnStmt>(S) || any_of(S->children(), leaves));
  }

  /// What is done one after the other, also in blocks of its own.
  static void append(const CompoundStmt *Block, std::vector<const Stmt *> &Out) {
    for (const Stmt *S : Block->body())
      if (const auto *Inner = dyn_cast<CompoundStmt>(S))
        append(Inner, Out);
      else
        Out.push_back(S);
  }

  bool isClosed(const CompoundStmt *Body) const {
    bool UnderWay = false, Uncommitted = false;
    unsigned Groups = 0; ///< that were committed, and not waited for
    std::set<int> Kinds;
    std::vector<const Stmt *> InOrder;
    append(Body, InOrder);
    for (const Stmt *S : InOrder) {
      if (const Stmt *Operation = asOperation(S)) {
        const AsyncOperation &Op = Operations.find(Operation)->second;
        Kinds.insert(Op.Kind);
        switch (Op.Is) {
        case AsyncOperation::Commit:
          Uncommitted = false;
          ++Groups;
          continue;
        case AsyncOperation::WaitFirst:
          if (Groups > 1)
            return false;
          [[fallthrough]];
        case AsyncOperation::Wait:
          if (Uncommitted)
            return false;
          [[fallthrough]];
        case AsyncOperation::WaitAll:
        case AsyncOperation::GroupWait:
          UnderWay = Uncommitted = false;
          Groups = 0;
          continue;
        case AsyncOperation::Nothing:
          continue;
        default:
          break;
        }
      }
      std::vector<const Stmt *> Here;
      operationsIn(S, Here);
      for (const Stmt *Operation : Here) {
        const AsyncOperation &Op = Operations.find(Operation)->second;
        if (Op.Is != AsyncOperation::Copy && Op.Is != AsyncOperation::GroupCopy)
          return false;
        Kinds.insert(Op.Kind);
        UnderWay = true;
        Uncommitted |= Op.Is == AsyncOperation::Copy;
      }
      if (UnderWay && leaves(S))
        return false;
    }
    return !UnderWay && Groups == 0 && Kinds.size() < 2;
  }

  //===-- The new text --------------------------------------------------------------===//

  bool edit(const Stmt *S, const AsyncOperation &Op, Rewording &Out) {
    const auto *Call = dyn_cast<CallExpr>(S);
    switch (Op.Is) {
    case AsyncOperation::Commit:
    case AsyncOperation::Wait:
    case AsyncOperation::WaitAll:
    case AsyncOperation::WaitFirst:
    case AsyncOperation::Nothing: {
      std::optional<Edit> Gone = withoutStatement(S, Context);
      if (Gone)
        Out.Edits.push_back(*Gone);
      return Gone.has_value();
    }
    case AsyncOperation::GroupWait: {
      const std::string Group = blockOf(Call);
      return !Group.empty() && replace(S, Group + ".sync()", Out);
    }
    case AsyncOperation::Copy: {
      const std::string Text = ofOneThread(Op, S);
      return !Text.empty() && replace(S, Text, Out);
    }
    case AsyncOperation::GroupCopy: {
      const std::string Text = ofTheBlock(Call, Out);
      return !Text.empty() && replace(S, Text, Out);
    }
    case AsyncOperation::Elsewhere:
      return true;
    case AsyncOperation::Other:
      return false;
    }
    return false;
  }

  std::string ofOneThread(const AsyncOperation &Op, const Stmt *Where) {
    const std::optional<SharedPlace> To = sharedPlace(Op.To, Where, Op.Bytes);
    const Expr *From = pointer(Op.From);
    if (const Expr *P = pointerOfNumber(From))
      From = pointer(P);
    if (!To || !(From->getType()->isPointerType() || From->getType()->isArrayType()))
      return "";
    const QualType T = pointee(To->Pointer), S = pointee(From);
    const bool Own = !T.isNull() && !S.isNull() && Context.hasSameType(T, S) && isPlain(T) &&
                     Context.getTypeSizeInChars(T).getQuantity() == Op.Bytes;
    // As what the source points to, if that is so wide.
    const bool OfSource = !Own && !S.isNull() && isPlain(S) && S->isRecordType() &&
                          Context.getTypeSizeInChars(S).getQuantity() == Op.Bytes;
    const std::string As = Own        ? ""
                           : OfSource ? S->getAsCXXRecordDecl()->getName().str()
                                      : wide(T, Op.Bytes);
    const std::string L = elementAt(*To, As, Op.Bytes), R = element(From, OfSource ? "" : As, true);
    if (L.empty() || R.empty())
      return "";
    if (!Op.If)
      return L + " = " + R;
    const std::string Words = text(Op.If), Zero = zero(Own ? T : QualType(), As);
    if (Words.empty() || Zero.empty())
      return "";
    const std::string If = referencedVar(Op.If) ? Words : "(" + Words + ")";
    return L + " = " + If + " ? " + (Op.Unless ? Zero + " : " + R : R + " : " + Zero);
  }

  std::string zero(QualType Own, std::string As) const {
    if (!Own.isNull() && Own->isArithmeticType())
      return Own->isSpecificBuiltinType(BuiltinType::Float) ? "0.0f"
             : Own->isFloatingType()                        ? "0.0"
                                                            : "0";
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
    const auto *Record =
        Group ? Group->getType().getNonReferenceType()->getAsCXXRecordDecl() : nullptr;
    if (!Record || !Record->getIdentifier() || Record->getName() != "thread_block")
      return "";
    const auto *Made = dyn_cast<CallExpr>(Group->IgnoreUnlessSpelledInSource());
    const FunctionDecl *By = Made ? Made->getDirectCallee() : nullptr;
    return isa<DeclRefExpr>(Group) ||
                   (By && By->getIdentifier() && By->getName() == "this_thread_block")
               ? text(Group)
               : "";
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
      if (!Special || !Special->getIdentifier() || Special->getName() != "aligned_size_t" ||
          Special->getTemplateArgs().size() == 0 ||
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
      Indent = indentOf(File, At->Begin);
    return "for (unsigned " + I + " = " + Group + ".thread_rank(); " + I + " < " + Count + "; " +
           I + " += " + Group + ".size())\n" + Indent +
           (StringRef(Indent).starts_with("\t") ? "\t" : "  ") + L + "[" + I + "] = " + R + "[" +
           I + "]";
  }

  /// How many units of \p Unit bytes; empty: it may be none of them, or a part of one more.
  std::string count(const Expr *Bytes, uint64_t Unit, bool IsMultiple) const {
    if (otherMeaningsOf(M, Context).hasNumber(Bytes))
      return "";
    if (const std::optional<int64_t> N = constantValue(Bytes, Context))
      return *N >= 0 && uint64_t(*N) % Unit == 0 ? std::to_string(uint64_t(*N) / Unit) : "";
    const auto *Product = dyn_cast<BinaryOperator>(Bytes->IgnoreParenImpCasts());
    if (Product && Product->getOpcode() == BO_Mul)
      for (auto [Size, Other] : {std::pair(Product->getLHS(), Product->getRHS()),
                                 {Product->getRHS(), Product->getLHS()}})
        if (isa<UnaryExprOrTypeTraitExpr>(Size->IgnoreParenImpCasts()) &&
            constantValue(Size, Context) == int64_t(Unit)) {
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
      bool VisitIfStmt(const IfStmt *S) override {
        return Alone |= is(S->getThen()) && !S->getElse(), true;
      }
    } P(Call);
    P.TraverseStmt(M.Loop->Body);
    return P.Alone;
  }
};

} // namespace

Rewording rewordCopies(const TileModel &M, ASTContext &Context,
                       const std::set<std::string> &Taken) {
  // Who knows what the callers of a device function have begun.
  if (!M.Loop->IsKernel || !M.Facts || !M.Facts->Collector)
    return Rewording();
  return CopyRewording(M, Context, Taken).run();
}

} // namespace cuda_pipeline
