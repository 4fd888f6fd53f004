//===- LaunchShape.cpp - Block sizes and ratios from the AST --------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cuda-pipeline/LaunchShape.h"
#include "../Model/AstUtil.h"
#include "../Model/LaunchSizes.h"
#include "../Model/LoopFacts.h"
#include "../Model/OtherMeanings.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/SaveAndRestore.h"
#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

using Dim3 = std::array<uint64_t, 3>;

/// The launches of one kernel, and whether something else is done with its name.
struct KernelUses {
  std::vector<std::pair<const CUDAKernelCallExpr *, const FunctionDecl *>>
      Calls; ///< and where they stand
  bool Otherwise = false;
  bool Cooperative = false; ///< one of the launches: it needs all blocks on the GPU at once
  /// Values that its attribute for the largest dynamic shared memory is given, and where.
  std::vector<std::pair<const Expr *, const FunctionDecl *>> SizeAttributes;
};

struct FileUses {
  DeclMap<FunctionDecl, KernelUses> Of; ///< by canonical declaration
  bool CooperativeOfUnknown = false;   ///< a cooperative launch of a kernel that is not named there
  bool SizeAttributeOfUnknown = false; ///< the same of the attribute
  std::set<unsigned> Seen;             ///< offsets in the main file of names of functions
};

/// Names that the main file mentions inside of a conditional, or in a directive, at places that the
/// compiler has not come by: with other macros there may be another launch.
std::set<std::string> namesLeftOut(const ASTContext &Context, const std::set<unsigned> &Seen) {
  const SourceManager &SM = Context.getSourceManager();
  const FileID Main = SM.getMainFileID();
  StringRef Text = mainFileText(Context);
  Lexer Lex(SM.getLocForStartOfFile(Main), Context.getLangOpts(), Text.begin(), Text.begin(),
            Text.end());
  std::set<std::string> Names;
  unsigned Conditionals = 0;
  bool Directive = false, First = false;
  Token T;
  for (Lex.LexFromRawLexer(T); T.isNot(tok::eof); Lex.LexFromRawLexer(T)) {
    if (T.isAtStartOfLine())
      Directive = First = T.is(tok::hash);
    if (T.isNot(tok::raw_identifier))
      continue;
    StringRef Name = T.getRawIdentifier();
    if (Directive && std::exchange(First, false)) {
      Conditionals += Name.starts_with("if");
      Conditionals -= Name == "endif" && Conditionals > 0;
    } else if ((Directive || Conditionals > 0) && !Seen.count(SM.getFileOffset(T.getLocation()))) {
      Names.insert(Name.str());
    }
  }
  return Names;
}

class LaunchVisitor : public ConstDynamicRecursiveASTVisitor {
public:
  LaunchVisitor(FileUses &Uses, const SourceManager &SM) : Uses(Uses), SM(SM) {
    ShouldVisitTemplateInstantiations = true;
  }
  /// A closure is seen with the function around it: what that sets once, and nobody changes by
  /// another name, is the same whenever the closure is called.
  bool TraverseDecl(const Decl *D) override {
    const auto *F = dyn_cast_or_null<FunctionDecl>(D);
    SaveAndRestore Restore(Inside, F ? F : Inside);
    return ConstDynamicRecursiveASTVisitor::TraverseDecl(D);
  }
  bool VisitCUDAKernelCallExpr(const CUDAKernelCallExpr *Call) override {
    const FunctionDecl *Callee = Call->getDirectCallee();
    if (!Callee)
      return true;
    Callees.insert(Call->getCallee()->IgnoreParenImpCasts());
    Uses.Of[Callee->getCanonicalDecl()].Calls.push_back({Call, Inside});
    return true;
  }
  bool VisitCallExpr(const CallExpr *Call) override {
    const FunctionDecl *Callee = Call->getDirectCallee();
    if (!Callee || !Callee->getIdentifier())
      return true;
    if (Callee->getName().contains("FuncSetAttribute") && Call->getNumArgs() == 3)
      attribute(Call->getArg(0), Call->getArg(1), Call->getArg(2));
    if (!Callee->getName().contains("LaunchCooperativeKernel"))
      return true;
    const FunctionDecl *Kernel = Call->getNumArgs() ? namedFunction(Call->getArg(0)) : nullptr;
    if (Kernel)
      Uses.Of[Kernel->getCanonicalDecl()].Cooperative = true;
    else
      Uses.CooperativeOfUnknown = true;
    return true;
  }
  bool VisitFunctionDecl(const FunctionDecl *F) override { return seen(F->getLocation()); }
  bool VisitUnresolvedLookupExpr(const UnresolvedLookupExpr *E) override {
    return seen(E->getNameLoc());
  }
  bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
    seen(Ref->getLocation());
    if (const auto *F = dyn_cast<FunctionDecl>(Ref->getDecl()); F && !Callees.count(Ref))
      Uses.Of[F->getCanonicalDecl()].Otherwise = true;
    // Of cudaLaunchKernelEx and cuLaunchKernelEx.
    if (isa<EnumConstantDecl>(Ref->getDecl()))
      if (StringRef Name = Ref->getDecl()->getName();
          Name == "cudaLaunchAttributeCooperative" || Name == "CU_LAUNCH_ATTRIBUTE_COOPERATIVE")
        Uses.CooperativeOfUnknown = true;
    return true;
  }

private:
  void attribute(const Expr *Of, const Expr *Which, const Expr *Value) {
    const auto *Ref = dyn_cast<DeclRefExpr>(Which->IgnoreParenCasts());
    const auto *Known = Ref ? dyn_cast<EnumConstantDecl>(Ref->getDecl()) : nullptr;
    if (Known && Known->getName() != "cudaFuncAttributeMaxDynamicSharedMemorySize" &&
        Known->getName() != "CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES")
      return;
    const FunctionDecl *Kernel = namedFunction(Of);
    if (Kernel && Known)
      Uses.Of[Kernel->getCanonicalDecl()].SizeAttributes.push_back({Value, Inside});
    else
      Uses.SizeAttributeOfUnknown = true;
  }

  static const FunctionDecl *namedFunction(const Stmt *S) {
    if (const auto *Ref = dyn_cast<DeclRefExpr>(S))
      return dyn_cast<FunctionDecl>(Ref->getDecl());
    for (const Stmt *Child : S->children())
      if (const FunctionDecl *F = Child ? namedFunction(Child) : nullptr)
        return F;
    return nullptr;
  }

  bool seen(SourceLocation Loc) {
    Loc = SM.getSpellingLoc(Loc);
    if (isInMainFile(SM, Loc))
      Uses.Seen.insert(SM.getFileOffset(Loc));
    return true;
  }

  FileUses &Uses;
  const SourceManager &SM;
  const FunctionDecl *Inside = nullptr;
  std::set<const Expr *> Callees;
};

template <class RangeT>
void scanMainFile(LaunchVisitor &V, const RangeT &Decls, const SourceManager &SM) {
  for (Decl *D : Decls) {
    if (isa<NamespaceDecl>(D) || isa<LinkageSpecDecl>(D)) {
      scanMainFile(V, cast<DeclContext>(D)->decls(), SM);
      continue;
    }
    if (SM.isInSystemHeader(SM.getExpansionLoc(D->getLocation())))
      continue;
    V.TraverseDecl(D);
  }
}

} // namespace

struct LaunchFinder::Impl {
  Impl(ASTContext &Context, std::function<bool(const FunctionDecl *)> IsSound)
      : Context(Context), IsSound(std::move(IsSound)),
        HasErrors(Context.getDiagnostics().hasErrorOccurred()) {}

  ASTContext &Context;
  const std::function<bool(const FunctionDecl *)> IsSound;
  const bool HasErrors;
  const OtherMeanings Others{Context};
  bool Scanned = false;
  FileUses Uses;
  std::optional<std::set<std::string>> LeftOut; ///< at the first question
  DeclMap<FunctionDecl, std::unique_ptr<LaunchSizes>> Sizes;
  DeclMap<FunctionDecl, std::optional<Dim3>> Blocks;

  const KernelUses &usesOf(const FunctionDecl *Kernel) {
    if (!std::exchange(Scanned, true)) {
      LaunchVisitor V(Uses, Context.getSourceManager());
      scanMainFile(V, Context.getTraversalScope(), Context.getSourceManager());
    }
    return Uses.Of[Kernel->getCanonicalDecl()];
  }

  /// Something that the preprocessor left out names the kernel.
  bool isLeftOut(const FunctionDecl *Kernel) {
    usesOf(Kernel); // what is seen
    if (!LeftOut)
      LeftOut = namesLeftOut(Context, Uses.Seen);
    return LeftOut->count(Kernel->getNameAsString()) != 0;
  }

  /// For what is called by kernels: of any of them.
  bool mayBeCooperative(const FunctionDecl *Function) {
    const KernelUses &Own = usesOf(Function);
    if (Function->hasAttr<CUDAGlobalAttr>())
      return Own.Cooperative || (Own.Otherwise && Uses.CooperativeOfUnknown);
    return Uses.CooperativeOfUnknown ||
           any_of(Uses.Of, [](const auto &Kernel) { return Kernel.second.Cooperative; });
  }

  /// No launch has another block in a build that nobody has named: by a macro, by a variable that
  /// is another one there, or, where the block is in a variable that changes, by anything that the
  /// function has there.
  bool isBlockOfEachBuild(const FunctionDecl *Kernel) {
    struct Visitor : ConstDynamicRecursiveASTVisitor {
      bool Changes = false;
      bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
        const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
        Changes |= Var && Var->hasLocalStorage() && !Var->getType().isConstQualified();
        return true;
      }
      bool VisitSubstNonTypeTemplateParmExpr(const SubstNonTypeTemplateParmExpr *) override {
        return Changes = true; // whoever calls the function has said it
      }
    };
    return all_of(usesOf(Kernel).Calls, [&](const auto &Use) {
      const auto &[Call, F] = Use;
      if (!F || F->isDependentContext() || !Call->getConfig())
        return true; // as commonBlock() takes it
      const Expr *Block = Call->getConfig()->getArg(1);
      Visitor V;
      V.TraverseStmt(Block);
      return !Others.hasNumber(Block) && (!V.Changes || !Others.hasFunction(F));
    });
  }

  std::optional<Dim3> blockOf(const FunctionDecl *Kernel) {
    auto [It, New] = Blocks.try_emplace(Kernel->getCanonicalDecl());
    if (New)
      It->second = commonBlock(usesOf(Kernel));
    return It->second;
  }

  DynamicSizes dynamicSizesOf(const FunctionDecl *Kernel) {
    DynamicSizes Out;
    usesOf(Kernel);
    Out.Fixed = Uses.SizeAttributeOfUnknown || isLeftOut(Kernel) || HasErrors;
    for (const auto &[Function, Use] : Uses.Of) {
      if (Function->getLocation() != Kernel->getCanonicalDecl()->getLocation())
        continue;
      for (const auto &[Call, F] : Use.Calls)
        if (const CallExpr *Config = Call->getConfig(); Config && Config->getNumArgs() > 2) {
          add(Out.Launches, Config->getArg(2), F);
          addBare(Out.Bare, *Call, *Config);
        }
      for (const auto &[Value, F] : Use.SizeAttributes)
        Out.Fixed |= !add(Out.Attributes, Value, F);
    }
    // The argument of a macro that is something else as well keeps its value.
    auto SaysMore = [&](const DynamicSize &S) {
      const ArgumentOfMacro &A = Arguments[S.Offset];
      return A.Meant.size() != A.Named;
    };
    erase_if(Out.Launches, SaysMore);
    const size_t Attributes = Out.Attributes.size();
    erase_if(Out.Attributes, SaysMore);
    Out.Fixed |= Attributes != Out.Attributes.size();
    return Out;
  }

private:
  /// Null: nothing can be said about what \p Host computes.
  const LaunchSizes *sizesIn(const FunctionDecl *Host) {
    auto [It, New] = Sizes.try_emplace(Host);
    if (New && IsSound(Host))
      It->second = std::make_unique<LaunchSizes>(Context, Host);
    return It->second.get();
  }

  /// Text that stands for a size: by its place in the file.
  struct ArgumentOfMacro {
    std::set<unsigned> Meant; ///< sizes that it is, by where they are expanded
    unsigned Named = 1; ///< how often a macro that it is an argument of names it; 1 of other text
  };
  std::map<unsigned, ArgumentOfMacro> Arguments;

  /// How often the text at \p Loc, the argument of a macro or of several, one in the other, is in
  /// what they stand for.
  unsigned timesNamed(SourceLocation Loc) const {
    const SourceManager &SM = Context.getSourceManager();
    unsigned Times = 1;
    while (Loc.isMacroID()) {
      if (!SM.isMacroArgExpansion(Loc)) {
        Loc = SM.getImmediateExpansionRange(Loc).getBegin();
        continue;
      }
      Times *= namedInDefinition(SM.getSpellingLoc(SM.getImmediateExpansionRange(Loc).getBegin()));
      Loc = SM.getImmediateSpellingLoc(Loc);
    }
    return Times;
  }

  /// Of the parameter of a macro at \p Loc of its definition: how often it is named there. 0: that
  /// is not seen.
  unsigned namedInDefinition(SourceLocation Loc) const {
    const SourceManager &SM = Context.getSourceManager();
    auto [File, At] = SM.getDecomposedLoc(Loc);
    std::optional<StringRef> All = SM.getBufferDataOrNone(File);
    if (!All || At >= All->size())
      return 0;
    // From the `#` to the end of the last line that goes on.
    auto GoesOn = [&](size_t LineEnd) {
      return LineEnd != 0 && All->take_front(LineEnd).rtrim("\r").ends_with("\\");
    };
    size_t Begin = At;
    do {
      Begin = All->rfind('\n', Begin);
      if (Begin == StringRef::npos)
        break;
    } while (GoesOn(Begin));
    Begin = Begin == StringRef::npos ? 0 : Begin + 1;
    size_t End = At;
    do {
      End = All->find('\n', End + 1);
    } while (End != StringRef::npos && GoesOn(End));
    End = std::min(End, All->size());
    StringRef Name;
    unsigned Times = 0;
    for (bool Counting : {false, true}) {
      Lexer Lex(SM.getLocForStartOfFile(File).getLocWithOffset(Begin), Context.getLangOpts(),
                All->begin() + Begin, All->begin() + Begin, All->end());
      Token T;
      for (Lex.LexFromRawLexer(T); T.isNot(tok::eof) && SM.getFileOffset(T.getLocation()) < End;
           Lex.LexFromRawLexer(T))
        if (T.is(tok::raw_identifier) && !Counting && SM.getFileOffset(T.getLocation()) == At)
          Name = T.getRawIdentifier();
        else if (T.is(tok::raw_identifier) && Counting)
          Times += T.getRawIdentifier() == Name;
    }
    return Times > 1 ? Times - 1 : 0; // without the one that declares it
  }

  /// False: its text is not to be changed.
  bool add(std::vector<DynamicSize> &To, const Expr *E, const FunctionDecl *In) {
    if (isa<CXXDefaultArgExpr>(E))
      return false;
    std::optional<TextRange> R = textRange(E->getSourceRange(), Context);
    if (!R)
      return false;
    ArgumentOfMacro &Argument = Arguments[R->Begin];
    Argument.Meant.insert(E->getBeginLoc().getRawEncoding());
    Argument.Named = timesNamed(E->getBeginLoc());
    const bool Pattern = In && In->isDependentContext(); // its instantiations are here, too
    std::optional<uint64_t> Bytes;
    if (In && In->hasBody() && !Pattern)
      if (const LaunchSizes *Of = sizesIn(In))
        Bytes = Of->count(E);
    for (DynamicSize &Known : To)
      if (Known.Offset == R->Begin) {
        if (!Pattern)
          Known.Bytes =
              Known.Bytes && Bytes ? std::optional(std::max(*Known.Bytes, *Bytes)) : std::nullopt;
        return true;
      }
    if (Pattern)
      return true;
    const SourceManager &SM = Context.getSourceManager();
    std::string Text = mainFileText(Context).slice(R->Begin, R->End).str();
    // The name of a macro, which may stand for a sum.
    if (E->getBeginLoc().isMacroID() && !isDigit(Text.front()) &&
        all_of(Text, [](char C) { return isAlnum(C) || C == '_'; }))
      Text = "(" + Text + ")";
    To.push_back({R->Begin, R->End - R->Begin, SM.getExpansionLineNumber(E->getBeginLoc()),
                  std::move(Text), Bytes,
                  !E->HasSideEffects(Context, /*IncludePossibleEffects=*/true)});
    return true;
  }

  void addBare(std::vector<BareLaunch> &To, const CUDAKernelCallExpr &Call,
               const CallExpr &Config) {
    const Expr *Bytes = Config.getArg(2);
    const bool Absent = isa<CXXDefaultArgExpr>(Bytes);
    if (!Absent && constantValue(Bytes, Context) != 0)
      return;
    std::optional<TextRange> R =
        textRange(Config.getArg(Absent ? 1 : 2)->getSourceRange(), Context);
    std::optional<TextRange> Callee = textRange(Call.getCallee()->getSourceRange(), Context);
    const auto *Ref = dyn_cast<DeclRefExpr>(Call.getCallee()->IgnoreParenImpCasts());
    if (!R || !Callee || !Ref || !namesOne(*Ref))
      return;
    // Behind the argument of a macro it would be another one.
    const SourceLocation At = Config.getArg(Absent ? 1 : 2)->getBeginLoc();
    if (Absent ? At.isMacroID() && Context.getSourceManager().isMacroArgExpansion(At)
               : timesNamed(At) != 1)
      return;
    if (Absent)
      R->Begin = R->End;
    const std::string Kernel = mainFileText(Context).slice(Callee->Begin, Callee->End).str();
    if (none_of(To, [&](const BareLaunch &Known) { return Known.Offset == R->Begin; }))
      To.push_back({R->Begin, R->End - R->Begin,
                    Context.getSourceManager().getExpansionLineNumber(Call.getBeginLoc()), Kernel});
  }

  /// No overload, and no argument of a template that the call's arguments say: its address can be
  /// taken by the same words.
  static bool namesOne(const DeclRefExpr &Ref) {
    const auto *Kernel = dyn_cast<FunctionDecl>(Ref.getDecl());
    if (!Kernel || !Kernel->getDeclName().isIdentifier())
      return false;
    SmallPtrSet<const Decl *, 4> Named;
    for (const NamedDecl *D :
         Kernel->getDeclContext()->getRedeclContext()->lookup(Kernel->getDeclName()))
      Named.insert(D->getCanonicalDecl());
    if (Named.size() > 1)
      return false;
    const FunctionTemplateDecl *Template = Kernel->getPrimaryTemplate();
    if (!Template)
      return true;
    const TemplateParameterList *Params = Template->getTemplateParameters();
    return Ref.hasExplicitTemplateArgs() && Ref.getNumTemplateArgs() == Params->size() &&
           none_of(*Params, [](const NamedDecl *P) { return P->isParameterPack(); });
  }

  /// The block of all launches; none where one is not known or they differ.
  std::optional<Dim3> commonBlock(const KernelUses &Kernel) {
    std::optional<Dim3> Common;
    for (const auto &[Call, F] : Kernel.Calls) {
      const CallExpr *Config = Call->getConfig();
      // A template's own text launches nothing; its instantiations are here, too.
      if (F && F->isDependentContext())
        continue;
      if (!F || !F->hasBody() || !Config || Config->getNumArgs() < 2)
        return std::nullopt;
      const LaunchSizes *Of = sizesIn(F);
      std::optional<Dim3> Block = Of ? Of->dim3(Config->getArg(1)) : std::nullopt;
      if (!Block || (Common && *Common != *Block) ||
          any_of(*Block, [](uint64_t N) { return N < 1 || N > 1024; }))
        return std::nullopt;
      Common = Block;
    }
    return Common;
  }
};

LaunchFinder::LaunchFinder(ASTContext &Context, std::function<bool(const FunctionDecl *)> IsSound)
    : P(std::make_unique<Impl>(Context, std::move(IsSound))) {}
LaunchFinder::~LaunchFinder() = default;

LaunchShape LaunchFinder::shapeOf(const FunctionDecl *Kernel, const LaunchShape &FromCommandLine) {
  LaunchShape Shape;
  if (const auto *Bounds = Kernel->getAttr<CUDALaunchBoundsAttr>()) {
    if (auto Threads = constantValue(Bounds->getMaxThreads(), P->Context);
        Threads && *Threads > 0) {
      Shape.X = Shape.MaxThreads = static_cast<unsigned>(*Threads);
      Shape.Origin = ShapeOrigin::LaunchBounds;
    }
    if (Bounds->getMinBlocks())
      if (auto Blocks = constantValue(Bounds->getMinBlocks(), P->Context); Blocks && *Blocks > 0)
        Shape.MinBlocks = static_cast<unsigned>(*Blocks);
  }
  if (Kernel->hasAttr<CUDAGlobalAttr>())
    if (std::optional<Dim3> Block = P->blockOf(Kernel)) {
      Shape.X = static_cast<unsigned>((*Block)[0]);
      Shape.Y = static_cast<unsigned>((*Block)[1]);
      Shape.Z = static_cast<unsigned>((*Block)[2]);
      Shape.Origin = ShapeOrigin::Launch;
      bool Internal = Kernel->getFormalLinkage() == Linkage::Internal;
      // In a file with errors there may be launches in what did not parse.
      Shape.Exact = Internal && !P->usesOf(Kernel).Otherwise && !P->isLeftOut(Kernel) &&
                    !P->HasErrors && !mainFileIsHeader(P->Context.getSourceManager()) &&
                    P->isBlockOfEachBuild(Kernel);
    }
  Shape.Cooperative = P->mayBeCooperative(Kernel);
  if (FromCommandLine.known()) {
    const LaunchShape Found = Shape;
    Shape = FromCommandLine;
    Shape.Cooperative = Found.Cooperative;
    Shape.MaxThreads = Found.MaxThreads;
    Shape.MinBlocks = Found.MinBlocks;
  }
  return Shape;
}

DynamicSizes LaunchFinder::dynamicSizesOf(const FunctionDecl *Kernel) {
  return P->dynamicSizesOf(Kernel);
}

LaunchShape findLaunchShape(const FunctionDecl *Kernel, ASTContext &Context,
                            const LaunchShape &FromCommandLine) {
  return LaunchFinder(Context).shapeOf(Kernel, FromCommandLine);
}

namespace {

/// Counts operations of one thread in the compute phase, multiplied by the trip counts around them.
struct OperationCount {
  uint64_t Flops = 0;        ///< per thread
  uint64_t WarpFlops = 0;    ///< per warp (tensor operations)
  uint64_t Instructions = 0; ///< per thread, rough
  bool Known = true;
};

class OperationCounter {
public:
  OperationCounter(const FunctionValues &Values, ASTContext &Context)
      : Values(Values), Context(Context) {}

  OperationCount Count;

  void visit(const Stmt *S, uint64_t Times, unsigned Depth = 0) {
    if (!S || Times == 0 || Depth > 200)
      return;
    if (const auto *For = dyn_cast<ForStmt>(S)) {
      std::optional<uint64_t> Trips = trips(For);
      if (!Trips) {
        Count.Known = false;
        return;
      }
      visit(For->getBody(), Times * *Trips, Depth + 1);
      return;
    }
    if (isa<WhileStmt>(S) || isa<DoStmt>(S)) {
      Count.Known = false;
      return;
    }
    if (const auto *Call = dyn_cast<CallExpr>(S))
      call(Call, Times, Depth);
    else if (const auto *Op = dyn_cast<BinaryOperator>(S)) {
      if (isArithmetic(Op) && Op->getType()->isRealFloatingType()) {
        Count.Flops += Times;
        Count.Instructions += Times;
      } else if (isArithmetic(Op) && Op->isCompoundAssignmentOp()) {
        Count.Instructions += Times;
      }
    } else if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(S)) {
      const Expr *Base = Sub->getBase()->IgnoreParenImpCasts();
      if (!isa<ArraySubscriptExpr>(Base))
        Count.Instructions += Times;
    }
    if (const auto *Lambda = dyn_cast<LambdaExpr>(S)) {
      (void)Lambda;
      return;
    }
    for (const Stmt *Child : S->children())
      visit(Child, Times, Depth + 1);
  }

private:
  const FunctionValues &Values;
  ASTContext &Context;

  static bool isArithmetic(const BinaryOperator *Op) {
    switch (Op->getOpcode()) {
    case BO_Add:
    case BO_Sub:
    case BO_Mul:
    case BO_Div:
    case BO_AddAssign:
    case BO_SubAssign:
    case BO_MulAssign:
    case BO_DivAssign:
      return true;
    default:
      return false;
    }
  }

  std::optional<uint64_t> trips(const ForStmt *For) const {
    const auto *Init = dyn_cast_or_null<DeclStmt>(For->getInit());
    if (!Init || !Init->isSingleDecl() || !For->getCond() || !For->getInc())
      return std::nullopt;
    const auto *Counter = dyn_cast<VarDecl>(Init->getSingleDecl());
    const auto *Cond = dyn_cast<BinaryOperator>(For->getCond()->IgnoreParenImpCasts());
    if (!Counter || !Counter->hasInit() || !Cond || referencedVar(Cond->getLHS()) != Counter)
      return std::nullopt;
    std::optional<int64_t> Begin = Values.fold(Counter->getInit());
    std::optional<int64_t> End = Values.fold(Cond->getRHS());
    int64_t Step = 1;
    const Expr *Inc = For->getInc()->IgnoreParenImpCasts();
    if (const auto *Assign = dyn_cast<BinaryOperator>(Inc)) {
      std::optional<int64_t> S = Values.fold(Assign->getRHS());
      if (Assign->getOpcode() != BO_AddAssign || !S || *S <= 0)
        return std::nullopt;
      Step = *S;
    } else if (!isa<UnaryOperator>(Inc)) {
      return std::nullopt;
    }
    if (!Begin || !End)
      return std::nullopt;
    int64_t Last = *End + (Cond->getOpcode() == BO_LE ? 1 : 0);
    return Last <= *Begin ? 0 : (Last - *Begin + Step - 1) / Step;
  }

  void call(const CallExpr *Call, uint64_t Times, unsigned Depth) {
    const FunctionDecl *Callee = Call->getDirectCallee();
    if (!Callee)
      return;
    std::string Name = nameInHeader(Callee);
    FunctionKind Kind = classifyFunction(Callee, Context);
    if (Kind == FunctionKind::FragmentMath && StringRef(Name).ends_with("mma_sync")) {
      // fragment<Use, m, n, k, ...>: the shape is in the type of the first argument.
      if (const auto *Spec = dyn_cast_or_null<ClassTemplateSpecializationDecl>(
              Call->getArg(0)->getType()->getAsCXXRecordDecl())) {
        const TemplateArgumentList &Args = Spec->getTemplateArgs();
        uint64_t Shape = 1;
        for (unsigned I = 1; I <= 3 && I < Args.size(); ++I)
          if (Args[I].getKind() == TemplateArgument::Integral)
            Shape *= Args[I].getAsIntegral().getZExtValue();
        Count.WarpFlops += Times * 2 * Shape;
        Count.Instructions += Times * std::max<uint64_t>(1, Shape / 512);
      }
      return;
    }
    if (Kind == FunctionKind::FragmentLoad) {
      Count.Instructions += Times * 2;
      return;
    }
    if (Kind == FunctionKind::Pure) {
      StringRef N = StringRef(Name).rsplit("::").second.empty()
                        ? StringRef(Name)
                        : StringRef(Name).rsplit("::").second;
      bool Fma = N.starts_with("fma") || N.starts_with("__fma") || N.starts_with("__hfma");
      bool Dp4a = N.starts_with("__dp4a");
      if (!N.starts_with("make_"))
        Count.Instructions += Times;
      if (Callee->getReturnType()->isRealFloatingType() || Fma)
        Count.Flops += Times * (Fma ? 2 : 1);
      if (Dp4a)
        Count.Flops += Times * 8;
      return;
    }
    // A helper with a visible body is counted where it is called.
    const FunctionDecl *Definition = nullptr;
    if (Kind == FunctionKind::Unknown && Callee->hasBody(Definition) && Depth < 100 &&
        !Context.getSourceManager().isInSystemHeader(Definition->getLocation()))
      visit(Definition->getBody(), Times, Depth + 50);
  }
};

OperationCount countOperations(const TileModel &Model, ASTContext &Context) {
  OperationCounter C(*Model.Facts->Values, Context);
  for (const Stmt *S : Model.Segments[1])
    C.visit(S, 1);
  return C.Count;
}

/// Turns per thread, on average, of a strided copy loop that starts at the thread's index: the last
/// turn need not be for all threads.
double meanTrips(const CopyLoop &Loop, const TileModel &Model, uint64_t Threads) {
  std::optional<ValueRange> First = Model.Facts->Values->range(Loop.Begin);
  uint64_t Starts = First ? std::min<uint64_t>(Threads, First->Hi + 1) : Threads;
  int64_t End = *Loop.turns().EndMost + (Loop.Inclusive ? 1 : 0);
  uint64_t Turns = 0;
  for (int64_t Begin = 0; Begin < int64_t(Starts) && Begin < End; ++Begin)
    Turns += divideCeil(uint64_t(End - Begin), uint64_t(*Loop.turns().StepValue));
  return double(Turns) / double(Starts);
}

} // namespace

ComputeLoadRatio computeRatio(const TileModel &Model, ASTContext &Context,
                              const LaunchShape &Shape) {
  ComputeLoadRatio R;
  if (!Model.Facts || !Model.understood())
    return R;
  OperationCount Count = countOperations(Model, Context);
  uint64_t Threads = Shape.known() ? Shape.threads() : 0;
  for (const auto &B : Model.Buffers) {
    // The payload: what the copies of all threads bring, at most the array (padding is not loaded).
    uint64_t Copied = 0;
    bool Known = Threads != 0;
    for (const TileCopy &C : Model.Copies) {
      if (C.Buffer != B.get() || C.IsFill)
        continue;
      double Stores = Threads; // of all threads
      for (const CopyLoop *Loop : C.Loops) {
        if (!Loop->turns().MaxTrips || !Loop->turns().StepValue || !Threads) {
          Known = false;
          break;
        }
        Stores *= Loop->turns().ConstantTrips ? *Loop->turns().MaxTrips
                                              : meanTrips(*Loop, Model, Threads);
      }
      if (C.Guard == GuardKind::Other)
        Known = false;
      Copied += C.Bytes * uint64_t(std::llround(Stores));
    }
    R.Bytes += Known ? std::min(Copied, B->Bytes ? B->Bytes : Copied) : B->Bytes;
  }
  R.Flops = Count.Flops * Threads + Count.WarpFlops * ((Threads + 31) / 32);
  R.Known = Count.Known && Threads != 0 && R.Bytes != 0;
  return R;
}

uint64_t estimateComputeInstructions(const TileModel &Model, ASTContext &Context) {
  if (!Model.Facts || !Model.understood())
    return 0;
  OperationCount Count = countOperations(Model, Context);
  return Count.Known ? Count.Instructions : 0;
}

} // namespace cuda_pipeline
