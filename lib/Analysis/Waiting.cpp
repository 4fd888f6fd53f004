//===- Waiting.cpp - Kernels that wait for other blocks ---------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Waiting.h"
#include "../Model/AstUtil.h"
#include "../Model/Effects.h"
#include "../Model/KnownFunctions.h"
#include "../Model/Names.h"
#include "../Model/Pointers.h"
#include "../Model/PtxText.h"
#include "LoopEnds.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

bool isLocal(const Expr *E) {
  const auto *Ref = dyn_cast<DeclRefExpr>(E->IgnoreParens());
  const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  return Var && Var->hasLocalStorage() && !Var->getType()->isReferenceType();
}

/// The variable whose value changes with the lvalue \p E, or with what its address \p E points to:
/// itself, a member or an element of it. What a pointer variable points to is none.
const VarDecl *changedVar(const Expr *E) {
  while (E) {
    E = E->IgnoreParens();
    if (const auto *Cast = dyn_cast<CastExpr>(E)) {
      if (Cast->getCastKind() == CK_LValueToRValue)
        return nullptr;
      E = Cast->getSubExpr();
    } else if (const auto *Member = dyn_cast<MemberExpr>(E); Member && !Member->isArrow()) {
      E = Member->getBase();
    } else if (const auto *Element = dyn_cast<ArraySubscriptExpr>(E)) {
      E = Element->getBase();
    } else if (const auto *Address = dyn_cast<UnaryOperator>(E);
               Address && Address->getOpcode() == UO_AddrOf) {
      E = Address->getSubExpr();
    } else {
      const auto *Ref = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts());
      return Ref ? mentionedVar(Ref) : nullptr;
    }
  }
  return nullptr;
}

/// Where \p S stands in the loop: which statements in it are the loop's own.
struct Binding {
  bool Break = true, Continue = true;
  /// In \p S.
  Binding within(const Stmt *S) const {
    return {Break && !isLoop(S) && !isa<SwitchStmt>(S), Continue && !isLoop(S)};
  }
};

/// \p S has what ends the loop, or begins its next turn.
bool leaves(const Stmt *S, Binding Own) {
  if (!S)
    return false;
  if (const auto *Asm = dyn_cast<GCCAsmStmt>(S))
    return StringRef(Asm->getAsmString()).contains("exit");
  return (Own.Break && isa<BreakStmt>(S)) || isa<ReturnStmt>(S) || isa<GotoStmt>(S) ||
         (Own.Continue && isa<ContinueStmt>(S)) ||
         any_of(S->children(), [&](const Stmt *C) { return leaves(C, Own.within(S)); });
}

/// Has a goto to what stands before it: \p Labels.
bool goesBack(const Stmt *S, DenseSet<const LabelDecl *> &Labels) {
  if (!S)
    return false;
  if (const auto *Label = dyn_cast<LabelStmt>(S))
    Labels.insert(Label->getDecl());
  if (const auto *Goto = dyn_cast<GotoStmt>(S); Goto && Labels.contains(Goto->getLabel()))
    return true;
  return isa<IndirectGotoStmt>(S) ||
         any_of(S->children(), [&](const Stmt *C) { return goesBack(C, Labels); });
}

class WaitFinder {
public:
  WaitFinder(const ReachedCode &Code, ASTContext &Context) : Code(Code), Context(Context) {}

  std::optional<Waiting> inFunction(const FunctionDecl *F) {
    Maybe = SourceLocation();
    if (const SourceLocation Here = seenIn(F); Here.isValid())
      return Waiting{Here, OfGrid ? Waiting::Kind::Grid : Waiting::Kind::Spins, ""};
    if (Maybe.isValid())
      return Waiting{Maybe, Waiting::Kind::MaySpin, ""};
    return std::nullopt;
  }

private:
  SourceLocation seenIn(const FunctionDecl *F) {
    Function = F;
    OfGrid = false;
    Collector.reset();
    Exposed.reset();
    Leads.reset();
    const Stmt *Body = F->getBody();
    SourceLocation Here = atOnce(Body);
    if (const auto *Ctor = dyn_cast<CXXConstructorDecl>(F))
      for (const CXXCtorInitializer *Init : Ctor->inits())
        if (Here.isInvalid())
          Here = atOnce(Init->getInit());
    if (Here.isValid() || !readsAnew(Body, Any))
      return Here;
    const bool Recursive = Code.isRecursive(F);
    DenseSet<const LabelDecl *> Labels;
    if (Recursive || goesBack(Body, Labels))
      Here = inLoop(Body, Recursive);
    return Here.isValid() ? Here : inLoops(Body);
  }

  const ReachedCode &Code;
  ASTContext &Context;
  const FunctionDecl *Function = nullptr;
  bool OfGrid = false;  ///< what was found is a barrier of the grid
  SourceLocation Maybe; ///< a loop that may wait
  std::unique_ptr<EffectCollector> Collector;
  using VarSet = DenseSet<const VarDecl *>;

  /// Which reads count.
  struct Reads {
    bool InLoop;  ///< in another turn of the loop that is looked at; else anywhere
    bool Plain;   ///< ordinary loads
    bool Tickets; ///< `atomicAdd(next, 1)`
    bool Given;   ///< ordinary loads by what the function was given, too, not only by what it has
                  ///< from elsewhere
  };
  static constexpr Reads Any = {false, true, true, true};
  DenseMap<std::pair<const FunctionDecl *, unsigned>, bool>
      Known; ///< of called functions, by what counts

  static const FunctionDecl *definitionOf(const FunctionDecl *F) {
    const FunctionDecl *Defined = nullptr;
    return F && F->hasBody(Defined) && Defined->getBody() && !Defined->isDependentContext()
               ? Defined
               : nullptr;
  }

  //===-- What is read anew -----------------------------------------------------===//

  /// Methods of the library's atomic objects and barriers.
  enum class Object { None, Reads, Swaps, Waits };
  Object kindOfObject(const FunctionDecl *F) const {
    const auto *Method = dyn_cast<CXXMethodDecl>(F);
    if (!Method || !Method->getParent()->getIdentifier() || !isOfToolkit(F, Context))
      return Object::None;
    const StringRef Name = Method->getParent()->getName();
    const bool Barrier =
        Name.contains("barrier") || Name.contains("semaphore") || Name.contains("latch");
    if (!Name.contains("atomic") && !Barrier)
      return Object::None;
    // Of the threads of one block.
    if (const auto *Class = dyn_cast<ClassTemplateSpecializationDecl>(Method->getParent());
        Class && Barrier)
      for (const TemplateArgument &Arg : Class->getTemplateArgs().asArray()) {
        const auto *Scope = Arg.getKind() == TemplateArgument::Integral
                                ? Arg.getIntegralType()->getAs<EnumType>()
                                : nullptr;
        const EnumDecl *Enum = Scope ? Scope->getDecl()->getDefinition() : nullptr;
        for (const EnumConstantDecl *C :
             Enum ? Enum->enumerators() : EnumDecl::enumerator_range({}, {}))
          if (C->getName() == "thread_scope_block" &&
              APSInt::isSameValue(C->getInitVal(), Arg.getAsIntegral()))
            return Object::None;
      }
    const StringRef Called = F->getIdentifier() ? F->getName() : "";
    if (Called.contains("wait") || Called.contains("acquire"))
      return Called.starts_with("try") ? Object::Reads : Object::Waits;
    if (Called.starts_with("compare_exchange"))
      return Object::Swaps;
    return isa<CXXConversionDecl>(F) || Called == "load" || Called == "exchange" ||
                   Called.starts_with("test") || Called.starts_with("fetch")
               ? Object::Reads
               : Object::None;
  }

  /// It adds something to what it returns, so that it comes to an end though nobody else does
  /// anything.
  bool isTicket(const CallExpr *Call) const {
    const FunctionDecl *F = Call->getDirectCallee();
    const StringRef Name = F && F->getIdentifier() ? F->getName() : "";
    const auto [Of, Args] = operandsOf(Call);
    const unsigned By = Of ? 0 : 1;
    if (By >= Args.size() ||
        none_of(ArrayRef<StringRef>{"Add", "Inc", "Sub", "Dec", "fetch_add", "fetch_sub"},
                [&](StringRef W) { return Name.contains(W); }))
      return false;
    const std::optional<int64_t> Value = constantValue(Args[By], Context);
    return !Value || *Value != 0;
  }

  /// \p S itself, not its parts, reads memory that another block may have written meanwhile.
  bool isAnew(const Stmt *S, Reads Which) {
    if (const auto *Cast = dyn_cast<ImplicitCastExpr>(S)) {
      const Expr *From = Cast->getSubExpr();
      if (Cast->getCastKind() != CK_LValueToRValue)
        return false;
      // Shared memory is the block's own; that of a cluster is there all at once.
      if (From->getType().isVolatileQualified() && !isLocal(From) && mayBeMemory(From))
        return !(Which.InLoop && isSwapped(From));
      return readsPlainly(From, Which);
    }
    if (const auto *Call = dyn_cast<CallExpr>(S))
      return callReadsAnew(Call, Which);
    if (const auto *Construct = dyn_cast<CXXConstructExpr>(S)) {
      const CXXConstructorDecl *Ctor = Construct->getConstructor();
      if (Ctor->isCopyOrMoveConstructor() && Ctor->isTrivial() && Construct->getNumArgs() == 1)
        return Construct->getArg(0)->isGLValue() && readsPlainly(Construct->getArg(0), Which);
      const ArrayRef<const Expr *> Args(Construct->getArgs(), Construct->getNumArgs());
      return bodyReadsAnew(Ctor, Args, Which) ||
             (Ctor->getParent()->getDestructor() &&
              bodyReadsAnew(Ctor->getParent()->getDestructor(), Args, Which));
    }
    // What is made by a list, too, has a destructor.
    if (const auto *Temporary = dyn_cast<CXXBindTemporaryExpr>(S)) {
      const CXXDestructorDecl *Destructor = Temporary->getTemporary()->getDestructor();
      const Expr *Made = Temporary->getSubExpr();
      return Destructor && bodyReadsAnew(Destructor, Made, Which);
    }
    if (const auto *Asm = dyn_cast<GCCAsmStmt>(S))
      return readPtx(Asm, Context).LoadsAnew;
    return isa<AtomicExpr>(S) || isa<MSAsmStmt>(S);
  }

  bool readsAnew(const Stmt *S, Reads Which) {
    return S && (isAnew(S, Which) ||
                 any_of(S->children(), [&](const Stmt *C) { return readsAnew(C, Which); }));
  }

  /// The place is in memory that other blocks can write, as far as the expression says.
  bool mayBeMemory(const Expr *E) const {
    while (true) {
      E = E->IgnoreParens();
      if (const auto *Member = dyn_cast<MemberExpr>(E)) {
        if (Member->isArrow() || Member->getMemberDecl()->getType()->isReferenceType())
          return true;
        E = Member->getBase();
      } else if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(E)) {
        E = Sub->getBase()->IgnoreParenImpCasts();
        if (!E->getType()->isArrayType())
          return true;
      } else if (const auto *Cast = dyn_cast<CastExpr>(E); Cast && Cast->isGLValue()) {
        E = Cast->getSubExpr();
      } else if (const auto *Step = dyn_cast<UnaryOperator>(E);
                 Step && Step->isIncrementDecrementOp()) {
        E = Step->getSubExpr();
      } else if (const auto *Op = dyn_cast<BinaryOperator>(E); Op && Op->isAssignmentOp()) {
        E = Op->getLHS();
      } else {
        break;
      }
    }
    const auto *Ref = dyn_cast<DeclRefExpr>(E);
    if (!Ref)
      return E->isGLValue() && !isa<MaterializeTemporaryExpr>(E) && !isa<clang::StringLiteral>(E);
    const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
    if (!Var) // an enumerator is no memory
      return isa<BindingDecl>(Ref->getDecl());
    if (Var->getType()->isReferenceType())
      return true;
    return !Var->hasLocalStorage() && !Var->hasAttr<CUDASharedAttr>() &&
           !Var->hasAttr<CUDAConstantAttr>() && !Var->isConstexpr() &&
           !isConstObject(Context.getBaseElementType(Var->getType()));
  }

  /// Its address is made of a parameter, or of `this`.
  static bool isGiven(const Expr *E) {
    while (true) {
      E = E->IgnoreParenCasts();
      if (isa<CXXThisExpr>(E))
        return true;
      if (const auto *Member = dyn_cast<MemberExpr>(E))
        E = Member->getBase();
      else if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(E))
        E = Sub->getBase();
      else if (const auto *Op = dyn_cast<UnaryOperator>(E))
        E = Op->getSubExpr();
      else if (const auto *Op = dyn_cast<BinaryOperator>(E); Op && Op->isAdditiveOp())
        E = Op->getLHS()->getType()->isPointerType() ? Op->getLHS() : Op->getRHS();
      else
        return isa_and_nonnull<ParmVarDecl>(referencedVar(E));
    }
  }

  /// A function that gets the argument may get to memory by it.
  bool leads(const Expr *Arg, Reads Which) const {
    if (!Which.Given && isGiven(Arg))
      return false;
    const QualType T = Arg->getType().getNonReferenceType();
    if (Arg->isGLValue() && Arg->IgnoreParenImpCasts()->isPRValue()) // a temporary
      return T->isPointerType() || holdsPointers(T);
    if (const Expr *E = Arg->IgnoreParenCasts();
        isOwnObject(E) || isOwnObject(Arg) || isa<CXXConstructExpr, InitListExpr>(E)) {
      const VarDecl *Var = changedVar(E);
      return holdsPointers(Var ? Var->getType() : T);
    }
    // A number may be an address.
    const bool IsAddress =
        T->isIntegerType() && !T->isDependentType() && Context.getTypeSize(T) == 64;
    return Arg->isGLValue() || T->isPointerType() || T->isArrayType() || holdsPointers(T) ||
           IsAddress;
  }

  /// The lvalue is read by an ordinary load, in which the loop may find something else each time.
  bool readsPlainly(const Expr *E, Reads Which) {
    if (!Which.Plain || !mayBeMemory(E) || asBuiltinIndex(E) || (!Which.Given && isGiven(E)))
      return false;
    if (!Which.InLoop)
      return true;
    if (isSwapped(E) || !staysAt(E))
      return false;
    if (!Collector)
      Collector = std::make_unique<EffectCollector>(Context, Function);
    return any_of(Collector->rootsOf(E), [](const MemoryRoot &R) {
      return (R.In == Space::Global || R.In == Space::Unknown) && !isReadOnlyParameter(R.Decl);
    });
  }

  /// The same place may be read in the next turn: nothing in its address surely steps on.
  bool staysAt(const Stmt *Address) {
    if (!Ordered &&
        any_of(mentionedVars(Address), [&](const VarDecl *V) { return ChangedBy.contains(V); }))
      return false;
    return !placeGoesOn(Address);
  }

  /// `p[i & 3]` comes round again.
  bool placeGoesOn(const Stmt *S) {
    const auto *E = dyn_cast<Expr>(S);
    E = E ? E->IgnoreParenCasts() : nullptr;
    if (const auto *Sub = dyn_cast_or_null<ArraySubscriptExpr>(E))
      return placeGoesOn(Sub->getBase()) || goesOn(Sub->getIdx(), nullptr);
    if (const auto *Op = dyn_cast_or_null<UnaryOperator>(E);
        Op && (Op->getOpcode() == UO_Deref || Op->getOpcode() == UO_AddrOf))
      return placeGoesOn(Op->getSubExpr());
    if (const auto *Op = dyn_cast_or_null<BinaryOperator>(E);
        Op && Op->isAdditiveOp() && Op->getType()->isPointerType())
      return Op->getLHS()->getType()->isPointerType()
                 ? placeGoesOn(Op->getLHS()) || goesOn(Op->getRHS(), nullptr)
                 : placeGoesOn(Op->getRHS()) || goesOn(Op->getLHS(), nullptr);
    if (const auto *Member = dyn_cast_or_null<MemberExpr>(E))
      return placeGoesOn(Member->getBase());
    if (E && E->getType()->isIntegerType() && !E->isGLValue())
      return goesOn(E, nullptr);
    return any_of(mentionedVars(S), [&](const VarDecl *V) { return Stepped.contains(V); });
  }

  bool callReadsAnew(const CallExpr *Call, Reads Which) {
    const FunctionDecl *F = Call->getDirectCallee();
    if (!F) // by a pointer to a function that is named somewhere, or not seen at all
      return !Call->isTypeDependent() &&
             !isa<CXXPseudoDestructorExpr>(Call->getCallee()->IgnoreParens());
    const std::string Name = F->getQualifiedNameAsString();
    const FunctionKind Kind = classifyFunction(F, Context);
    const bool Atomic =
        Kind == FunctionKind::Atomic ||
        any_of(ArrayRef<StringRef>{"__nvvm_atom", "__nv_atomic", "__sync_", "__atomic_"},
               [&](StringRef Prefix) { return StringRef(Name).starts_with(Prefix); });
    const Object Of = kindOfObject(F);
    if (Atomic || Of == Object::Swaps)
      return !(Which.InLoop && isProgress(Call)) && (Which.Tickets || !isTicket(Call));
    if (Of != Object::None)
      return Which.Tickets || !isTicket(Call);
    if (Kind == FunctionKind::LoadPointer && Call->getNumArgs() > 0)
      return Name == "__ldcg" ||
             (Name != "__ldg" && Which.Plain && (!Which.InLoop || staysAt(Call->getArg(0))));
    if (Name == "__ldcv" || waitsItself(Call))
      return true;
    if (Kind != FunctionKind::Unknown)
      return false;
    SmallVector<const Expr *, 4> Args(Call->arguments());
    if (const auto *Member = dyn_cast<CXXMemberCallExpr>(Call);
        Member && Member->getImplicitObjectArgument())
      Args.push_back(Member->getImplicitObjectArgument());
    if (isOfToolkit(F, Context)) {
      const bool Copies = F->getIdentifier() &&
                          (F->getName().contains("memcpy") || F->getName().contains("memmove"));
      return Copies && Args.size() > 1 && Which.Plain && !isOwnObject(Args[1]) &&
             (!Which.InLoop || staysAt(Args[1]));
    }
    return bodyReadsAnew(F, Args, Which);
  }

  /// The address of a variable of the thread, or of shared memory.
  static bool isOwnObject(const Expr *E) {
    const VarDecl *Var = changedVar(E->IgnoreParenCasts());
    return Var && (Var->hasLocalStorage() || Var->hasAttr<CUDASharedAttr>()) &&
           !Var->getType()->isPointerType() && !Var->getType()->isReferenceType();
  }

  bool bodyReadsAnew(const FunctionDecl *F, ArrayRef<const Expr *> Args, Reads Which) {
    const FunctionDecl *Defined = definitionOf(F);
    if (!Defined || isOfToolkit(Defined, Context))
      return false;
    // With other arguments it reads something else.
    const bool Plain = Which.Plain && (!Which.InLoop ||
                                       all_of(Args, [&](const Expr *Arg) { return staysAt(Arg); }));
    const bool Given = any_of(Args, [&](const Expr *Arg) { return leads(Arg, Which); });
    const Reads There = {false, Plain, Which.Tickets, Given};
    const unsigned Key = unsigned(Plain) + 2 * Which.Tickets + 4 * Given;
    auto [It, New] = Known.try_emplace({Defined, Key}, false);
    if (!New)
      return It->second;
    bool Found = readsAnew(Defined->getBody(), There);
    if (const auto *Ctor = dyn_cast<CXXConstructorDecl>(Defined))
      for (const CXXCtorInitializer *Init : Ctor->inits())
        Found |= readsAnew(Init->getInit(), There);
    return Known[{Defined, Key}] = Found;
  }

  bool isGridBarrier(const CallExpr *Call) const {
    const FunctionDecl *F = Call->getDirectCallee();
    if (!F)
      return false;
    // `sync(this_grid())`
    auto IsGrid = [](const Expr *Arg) {
      const CXXRecordDecl *Record = Arg->getType().getNonReferenceType()->getAsCXXRecordDecl();
      return Record && Record->getIdentifier() && Record->getName().contains("grid_group");
    };
    const StringRef Name = F->getIdentifier() ? F->getName() : "";
    const bool Syncs = (Name.contains("sync") || Name.contains("wait")) && isOfToolkit(F, Context);
    return classifyFunction(F, Context) == FunctionKind::GridBarrier ||
           (Syncs && any_of(Call->arguments(), IsGrid));
  }

  /// Why else sleep?
  bool waitsItself(const CallExpr *Call) const {
    const FunctionDecl *F = Call->getDirectCallee();
    return F && ((F->getIdentifier() && F->getName().contains("nanosleep")) ||
                 kindOfObject(F) == Object::Waits || isGridBarrier(Call));
  }

  //===-- Loops -----------------------------------------------------------------===//

  /// What waits in whatever place it stands.
  SourceLocation atOnce(const Stmt *S) {
    if (!S || isa<LambdaExpr>(S)) // a body of its own
      return SourceLocation();
    if (const auto *Call = dyn_cast<CallExpr>(S); Call && waitsItself(Call)) {
      OfGrid = isGridBarrier(Call);
      return Call->getExprLoc();
    }
    if (const auto *Asm = dyn_cast<GCCAsmStmt>(S); Asm && readPtx(Asm, Context).MayLoop)
      return Asm->getAsmLoc();
    for (const Stmt *Child : S->children())
      if (SourceLocation Here = atOnce(Child); Here.isValid())
        return Here;
    return SourceLocation();
  }

  SourceLocation inLoops(const Stmt *S) {
    if (!S || isa<LambdaExpr>(S))
      return SourceLocation();
    if (isLoop(S))
      if (SourceLocation Here = inLoop(S, false); Here.isValid())
        return Here;
    for (const Stmt *Child : S->children())
      if (SourceLocation Here = inLoops(Child); Here.isValid())
        return Here;
    return SourceLocation();
  }

  // Of the loop that is looked at.
  SmallVector<const Stmt *, 4> Parts;
  SmallVector<const Stmt *, 16> Always; ///< what each turn that goes on has done
  DenseMap<const VarDecl *, SmallVector<const Stmt *, 2>> ChangedBy; ///< variables
  VarSet Stepped;  ///< of these: with another value in each turn
  VarSet Fresh;    ///< of these: with values that were read in this turn
  VarSet ReadFrom; ///< of these: with values that were read, in whatever way
  SmallVector<const CallExpr *, 2> Swaps;
  bool Ordered = false; ///< the compiler does not take loads out of it, nor does it end where it
                        ///< finds nothing new
  bool Bounded = false; ///< it ends though no memory changes
  bool Tickets = true, Shared = false;
  bool Recursive = false;                    ///< the calls of the function are jumps back
  std::optional<DeclSet<ValueDecl>> Exposed; ///< variables of the function that have other names
  DenseSet<const CallExpr *> Inlined;

  bool ByPlainReads = true; ///< such reads count
  Reads here() const { return {true, !Bounded && ByPlainReads, Tickets, true}; }

  /// \p Loop: or the body of a function that is one by goto or recursion.
  SourceLocation inLoop(const Stmt *Loop, bool ByCalls) {
    if (!readsAnew(Loop, Any))
      return SourceLocation();
    Recursive = ByCalls;
    Parts.clear();
    for (const Stmt *Child : Loop->children())
      if (const auto *For = dyn_cast<ForStmt>(Loop); Child && !(For && Child == For->getInit()))
        Parts.push_back(Child);
    ChangedBy.clear();
    for (VarSet *Set : {&Stepped, &ReadFrom})
      Set->clear();
    Swaps.clear();
    Ordered = Bounded = false;
    for (const Stmt *S : Parts)
      look(S);
    findStepped(Loop);
    Bounded = isLoop(Loop) &&
              ((conditionOf(Loop) && isBound(conditionOf(Loop), true)) ||
               any_of(Always, [&](const Stmt *S) {
                 const auto *If = dyn_cast<IfStmt>(S);
                 return If && ((surelyLeaves(If->getThen()) && isBound(If->getCond(), false)) ||
                               (surelyLeaves(If->getElse()) && isBound(If->getCond(), true)));
               }));
    // A search that goes on by what it finds.
    Bounded = Bounded || (isLoop(Loop) && endsByItself(Loop, Function, Context));
    if (Bounded && !readsAnew(Loop, {false, false, true, true}))
      return SourceLocation();
    for (size_t Before = ~size_t(0); Before != ReadFrom.size();) {
      Before = ReadFrom.size();
      for (const Stmt *S : Parts)
        findRead(S);
    }
    const SourceLocation Here = exitOfAny(Loop);
    if (Here.isInvalid() || !writesMemory(Loop))
      return Here;
    ByPlainReads = false;
    const SourceLocation Surely = exitOfAny(Loop);
    ByPlainReads = true;
    if (Surely.isInvalid() && Maybe.isInvalid())
      Maybe = Here;
    return Surely;
  }

  /// Once with all values that were read, and once with those of tickets left out and of shared
  /// variables in.
  SourceLocation exitOfAny(const Stmt *Loop) {
    Tickets = true, Shared = false;
    SourceLocation Here = exitOf(Loop);
    if (Here.isInvalid() && !Bounded) {
      Tickets = false, Shared = true;
      Here = exitOf(Loop);
    }
    return Here;
  }

  /// An assignment in it goes to memory that other blocks can read.
  bool writesMemory(const Stmt *S) {
    if (!S)
      return false;
    const auto *Op = dyn_cast<BinaryOperator>(S);
    const auto *Step = dyn_cast<UnaryOperator>(S);
    const Expr *To = Op && Op->isAssignmentOp()               ? Op->getLHS()
                     : Step && Step->isIncrementDecrementOp() ? Step->getSubExpr()
                                                              : nullptr;
    if (To && mayBeMemory(To)) {
      if (!Collector)
        Collector = std::make_unique<EffectCollector>(Context, Function);
      if (any_of(Collector->rootsOf(To), [](const MemoryRoot &R) {
            return R.In == Space::Global || R.In == Space::Unknown;
          }))
        return true;
    }
    return any_of(S->children(), [&](const Stmt *C) { return writesMemory(C); });
  }

  SourceLocation exitOf(const Stmt *Loop) {
    Fresh.clear();
    for (size_t Before = ~size_t(0); Before != Fresh.size();) {
      Before = Fresh.size();
      for (const Stmt *S : Parts)
        spread(S, false);
    }
    if (const Expr *Cond = isLoop(Loop) ? conditionOf(Loop) : nullptr; Cond && isFresh(Cond))
      return Cond->getExprLoc();
    return wayOut(isLoop(Loop) ? bodyOf(Loop) : Loop, {true, !Bounded});
  }

  /// What \p S and its parts change, and whether they order memory.
  void look(const Stmt *S) {
    if (!S)
      return;
    forEachChange(S, [&](const VarDecl *V) { ChangedBy[V].push_back(S); });
    if (const auto *Call = dyn_cast<CallExpr>(S)) {
      const FunctionDecl *F = Call->getDirectCallee();
      const FunctionKind Kind = F ? classifyFunction(F, Context) : FunctionKind::Unknown;
      if (F && (StringRef(F->getQualifiedNameAsString()).contains("CAS") ||
                kindOfObject(F) == Object::Swaps))
        Swaps.push_back(Call);
      using K = FunctionKind;
      Ordered |=
          !is_contained({K::Unknown, K::Pure, K::SeveralResults, K::LoadPointer, K::LoadTexture,
                         K::FragmentLoad, K::FragmentStore, K::FragmentMath, K::Warp, K::Clock},
                        Kind) ||
          !F || (Kind == K::Unknown && kindOfObject(F) != Object::None) ||
          (Kind == K::Unknown && orders(F));
    } else if (const auto *Asm = dyn_cast<GCCAsmStmt>(S)) {
      Ordered |= !readPtx(Asm, Context).Understood || readPtx(Asm, Context).OrdersMemory;
    } else if (const auto *E = dyn_cast<Expr>(S)) {
      Ordered |= isa<AtomicExpr>(E) || (E->isGLValue() && E->getType().isVolatileQualified());
    }
    for (const Stmt *Child : S->children())
      look(Child);
  }

  /// A called function has something in it that orders memory.
  bool orders(const FunctionDecl *F) {
    const FunctionDecl *Defined = definitionOf(F);
    if (!Defined)
      return !isOfToolkit(F, Context);
    auto [It, New] = Orders.try_emplace(Defined, false);
    if (!New)
      return It->second;
    auto In = [&](const Stmt *S, auto &&Again) -> bool {
      if (!S)
        return false;
      if (const auto *Call = dyn_cast<CallExpr>(S)) {
        const FunctionDecl *Callee = Call->getDirectCallee();
        using K = FunctionKind;
        const K Kind = Callee ? classifyFunction(Callee, Context) : K::Unknown;
        if (!Callee ||
            is_contained(
                {K::Atomic, K::Barrier, K::BarrierValue, K::BarrierOther, K::GridBarrier, K::Fence},
                Kind) ||
            (Kind == K::Unknown && orders(Callee)))
          return true;
      }
      if (isa<GCCAsmStmt>(S) || isa<AtomicExpr>(S))
        return true;
      if (const auto *E = dyn_cast<Expr>(S);
          E && E->isGLValue() && E->getType().isVolatileQualified())
        return true;
      return any_of(S->children(), [&](const Stmt *C) { return Again(C, Again); });
    };
    const bool Found = !isOfToolkit(Defined, Context) && In(Defined->getBody(), In);
    return Orders[Defined] = Found;
  }
  DenseMap<const FunctionDecl *, bool> Orders;

  /// What \p S itself, not its parts, may change.
  template <typename Fn> static void forEachChange(const Stmt *S, Fn Changed) {
    auto Lvalue = [&](const Expr *E) {
      if (const VarDecl *V = changedVar(E))
        Changed(V);
    };
    if (const auto *Declaration = dyn_cast<DeclStmt>(S)) {
      for (const clang::Decl *D : Declaration->decls())
        if (const auto *V = dyn_cast<VarDecl>(D))
          Changed(V);
    } else if (const auto *Op = dyn_cast<BinaryOperator>(S)) {
      if (Op->isAssignmentOp())
        Lvalue(Op->getLHS());
    } else if (const auto *Op = dyn_cast<UnaryOperator>(S)) {
      if (Op->isIncrementDecrementOp())
        Lvalue(Op->getSubExpr());
    } else if (const auto *Asm = dyn_cast<GCCAsmStmt>(S)) {
      for (unsigned I = 0; I < Asm->getNumOutputs(); ++I)
        Lvalue(Asm->getOutputExpr(I));
    } else if (const auto *Call = dyn_cast<CallExpr>(S)) {
      for (const Expr *Argument : Call->arguments())
        if (Argument->isGLValue() || Argument->getType()->isPointerType())
          Lvalue(Argument);
      if (const auto *Member = dyn_cast<CXXMemberCallExpr>(Call);
          Member && Member->getImplicitObjectArgument())
        Lvalue(Member->getImplicitObjectArgument());
    } else if (const auto *Construct = dyn_cast<CXXConstructExpr>(S)) {
      if (!Construct->getConstructor()->isTrivial())
        for (const Expr *Argument : Construct->arguments())
          if (Argument->isGLValue() || Argument->getType()->isPointerType())
            Lvalue(Argument);
    }
  }

  //===-- What goes on by itself --------------------------------------------------===//

  /// The expression reads memory.
  bool reads(const Stmt *S) { return readsAnew(S, Any); }

  /// Variables that a turn surely changes, by what it does in any case.
  void findStepped(const Stmt *Loop) {
    Always.clear();
    if (!isLoop(Loop)) {
      if (Recursive)
        steppedByCalls(Loop);
      return;
    }
    if (const auto *For = dyn_cast<ForStmt>(Loop); For && For->getInc())
      Always.push_back(For->getInc());
    if (const auto *Range = dyn_cast<CXXForRangeStmt>(Loop))
      Always.push_back(Range->getInc());
    if (const Expr *Cond = conditionOf(Loop))
      Always.push_back(Cond);
    if (const auto *Compound = dyn_cast_or_null<CompoundStmt>(bodyOf(Loop));
        Compound && !hasContinue(Compound))
      append_range(Always, Compound->body());
    else if (bodyOf(Loop) && !Compound)
      Always.push_back(bodyOf(Loop));
    for (size_t Before = ~size_t(0); Before != Stepped.size();) {
      Before = Stepped.size();
      for (const Stmt *S : Always)
        step(S);
    }
  }
  void step(const Stmt *S) {
    if (const auto *If = dyn_cast_or_null<IfStmt>(S))
      return step(If->getCond());
    if (!S || isLoop(S) ||
        isa<SwitchStmt, ConditionalOperator, LambdaExpr, LabelStmt, SwitchCase>(S))
      return;
    if (const auto *Logical = dyn_cast<BinaryOperator>(S); Logical && Logical->isLogicalOp())
      return step(Logical->getLHS());
    auto StepsOn = [&](const VarDecl *V, const Expr *To) {
      if (ChangedBy.lookup(V).size() == 1 && referencedVar(To->IgnoreParenCasts()) != V &&
          goesOn(To, V))
        Stepped.insert(V);
    };
    if (const auto *Op = dyn_cast<UnaryOperator>(S); Op && Op->isIncrementDecrementOp()) {
      if (const VarDecl *V = referencedVar(Op->getSubExpr()); V && goesOneWay(V))
        Stepped.insert(V);
    } else if (const auto *Op = dyn_cast<BinaryOperator>(S); Op && Op->isAssignmentOp()) {
      if (const VarDecl *V = referencedVar(Op->getLHS())) {
        using O = BinaryOperatorKind;
        if (!Op->isCompoundAssignmentOp())
          StepsOn(V, Op->getRHS());
        else if (is_contained({BO_AddAssign, BO_SubAssign}, O(Op->getOpcode())) && goesOneWay(V) &&
                 isTheSame(Op->getRHS()) && constantValue(Op->getRHS(), Context) != 0)
          Stepped.insert(V);
      }
    } else if (const auto *Decl = dyn_cast<DeclStmt>(S)) {
      for (const clang::Decl *D : Decl->decls())
        if (const auto *V = dyn_cast<VarDecl>(D); V && V->hasInit())
          StepsOn(V, V->getInit());
    } else if (const auto *Op = dyn_cast<CXXOperatorCallExpr>(S);
               Op && is_contained({OO_PlusPlus, OO_MinusMinus, OO_PlusEqual, OO_MinusEqual},
                                  Op->getOperator())) {
      if (const VarDecl *V = referencedVar(Op->getArg(0)->IgnoreParenImpCasts()))
        Stepped.insert(V);
    }
    for (const Stmt *Child : S->children())
      step(Child);
  }
  /// Nothing takes a step back.
  bool goesOneWay(const VarDecl *V) {
    const ArrayRef<const Stmt *> Changes = ChangedBy[V];
    auto Steps = [&](const Stmt *S, BinaryOperatorKind By, bool Up) {
      if (const auto *Unary = dyn_cast<UnaryOperator>(S))
        return Unary->isIncrementOp() == Up;
      const auto *Op = dyn_cast<BinaryOperator>(S);
      return Op && Op->getOpcode() == By && isTheSame(Op->getRHS());
    };
    return Changes.size() == 1 ||
           all_of(Changes, [&](const Stmt *S) { return Steps(S, BO_AddAssign, true); }) ||
           all_of(Changes, [&](const Stmt *S) { return Steps(S, BO_SubAssign, false); });
  }

  /// The same in each turn, and not read anew. Where nothing orders memory, the compiler reads a
  /// place once.
  bool isTheSame(const Expr *E) {
    return !readsAnew(E, {false, Ordered, true, true}) &&
           none_of(mentionedVars(E), [&](const VarDecl *V) { return ChangedBy.contains(V); });
  }

  /// The value is another one in each turn, if \p V (or what steps) is: `i + 1`, `t * 64`. What
  /// comes round again is none: `(i + 1) % n`. What is found at a place that goes on is taken for
  /// one: `next[i]`.
  bool goesOn(const Expr *E, const VarDecl *V) {
    E = E->IgnoreParenImpCasts();
    if (const auto *Cast = dyn_cast<ExplicitCastExpr>(E))
      return goesOn(Cast->getSubExpr(), V);
    auto Steps = [&](const Expr *Part) {
      return any_of(mentionedVars(Part),
                    [&](const VarDecl *W) { return W == V || Stepped.contains(W); });
    };
    if (const auto *Op = dyn_cast<BinaryOperator>(E)) {
      const bool Left = Steps(Op->getLHS()), Right = Steps(Op->getRHS());
      if (Op->isLogicalOp() || Op->isComparisonOp() ||
          !(Op->isAdditiveOp() || Op->getOpcode() == BO_Mul || Op->isShiftOp()))
        return false;
      // Half of it is zero at last, and so is twice zero.
      if (V && !Op->isAdditiveOp() && mentionedVars(Op).count(V))
        return false;
      return Left && Right ? goesOn(Op->getLHS(), V) && goesOn(Op->getRHS(), V)
             : Left        ? goesOn(Op->getLHS(), V) && isTheSame(Op->getRHS())
                           : Right && goesOn(Op->getRHS(), V) && isTheSame(Op->getLHS());
    }
    if (const VarDecl *W = referencedVar(E))
      return Stepped.contains(W) || W == V;
    if (const auto *Unary = dyn_cast<UnaryOperator>(E); Unary && Unary->isArithmeticOp())
      return goesOn(Unary->getSubExpr(), V);
    return !isa<AbstractConditionalOperator>(E) && Steps(E);
  }

  /// Parameters for which the function's own calls of itself pass something else.
  void steppedByCalls(const Stmt *S) {
    if (!S)
      return;
    if (const auto *Call = dyn_cast<CallExpr>(S);
        Call && definitionOf(Call->getDirectCallee()) == Function) {
      const auto Args = operandsOf(Call).Args;
      for (unsigned I = 0; I < Args.size() && I < Function->getNumParams(); ++I)
        if (referencedVar(Args[I]->IgnoreParenCasts()) != Function->getParamDecl(I))
          Stepped.insert(Function->getParamDecl(I));
    }
    for (const Stmt *Child : S->children())
      steppedByCalls(Child);
  }

  /// The loop goes on while \p Cond is \p While, and that ends at last, since what a part of it
  /// looks at goes on in each turn.
  bool isBound(const Expr *Cond, bool While) {
    const Expr *E = Cond->IgnoreParenImpCasts();
    if (const auto *Not = dyn_cast<UnaryOperator>(E); Not && Not->getOpcode() == UO_LNot)
      return isBound(Not->getSubExpr(), !While);
    if (const auto *Op = dyn_cast<BinaryOperator>(E); Op && Op->isLogicalOp()) {
      const bool Left = isBound(Op->getLHS(), While), Right = isBound(Op->getRHS(), While);
      return (Op->getOpcode() == BO_LAnd) == While ? Left || Right : Left && Right;
    }
    return stepsIn(Cond); // with the casts by which it is read
  }
  /// `break;`, with whatever in front of it.
  static bool surelyLeaves(const Stmt *S) {
    const auto *Compound = dyn_cast_or_null<CompoundStmt>(S);
    return S && (isa<BreakStmt, ReturnStmt>(S) ||
                 (Compound && !Compound->body_empty() && surelyLeaves(Compound->body_back())));
  }
  /// Its value is made of what steps; that is not the address of what is read.
  bool stepsIn(const Stmt *S) {
    if (!S || isAnew(S, Any))
      return false;
    if (const auto *Ref = dyn_cast<DeclRefExpr>(S))
      if (const VarDecl *V = mentionedVar(Ref); V && Stepped.contains(V))
        return true;
    return any_of(S->children(), [&](const Stmt *C) { return stepsIn(C); });
  }

  //===-- Compare and swap ----------------------------------------------------------===//

  /// Variables that got their value from memory or from an atomic operation, in this loop.
  void findRead(const Stmt *S) {
    if (!S)
      return;
    forEachChange(S, [&](const VarDecl *V) {
      const Expr *Value = isa<DeclStmt>(S) ? V->getInit() : nullptr;
      if (const auto *Op = dyn_cast<BinaryOperator>(S))
        Value = Op->getRHS();
      else if (const auto *Call = dyn_cast<CallExpr>(S))
        Value = Call; // through a reference
      if (Value && (reads(Value) || any_of(mentionedVars(Value),
                                           [&](const VarDecl *W) { return ReadFrom.contains(W); })))
        ReadFrom.insert(V);
    });
    for (const Stmt *Child : S->children())
      findRead(Child);
  }

  static std::pair<const Expr *, const Expr *> expectedAndDesired(const CallExpr *Call) {
    const auto [Of, Args] = operandsOf(Call);
    const unsigned First = Of ? 0 : 1;
    return Args.size() > First + 1 ? std::make_pair(Args[First], Args[First + 1])
                                   : std::make_pair(nullptr, nullptr);
  }

  /// It ends the loop as soon as nobody interferes: expected is what the loop has read, something
  /// else is set, and the loop looks whether that has worked.
  bool isProgress(const CallExpr *Call) {
    const auto [Expected, Desired] = expectedAndDesired(Call);
    if (!Expected || !is_contained(Swaps, Call))
      return false;
    const Expr *E = Expected->IgnoreParenCasts(), *D = Desired->IgnoreParenCasts();
    if (sameExpression(E, D, Context) || !isInEachTurn(Call))
      return false;
    const DeclSet<VarDecl> Vars = mentionedVars(Expected);
    const bool ByReference = operandsOf(Call).Object; // where it fails it sets what it expects next
    if (ByReference)
      return all_of(Vars, [&](const VarDecl *V) {
        return !isSetFrom(V, [&](const Expr *To) { return !reads(To); });
      });
    if (none_of(Vars, [&](const VarDecl *V) { return ReadFrom.contains(V); }) ||
        !isAsRead(Expected))
      return false;
    return any_of(Parts, [&](const Stmt *S) { return comparesResult(S, Call, Vars); });
  }

  /// No turn goes on without it: else the turn may wait for what makes it worth trying.
  bool isInEachTurn(const CallExpr *Call) const {
    auto In = [&](const Stmt *S, auto &&Again) -> bool {
      if (!S || S == Call)
        return S;
      if (const auto *If = dyn_cast<IfStmt>(S))
        return Again(If->getInit(), Again) || Again(If->getConditionVariableDeclStmt(), Again) ||
               Again(If->getCond(), Again);
      if (const auto *Switch = dyn_cast<SwitchStmt>(S))
        return Again(Switch->getCond(), Again);
      if (const auto *Chosen = dyn_cast<AbstractConditionalOperator>(S))
        return Again(Chosen->getCond(), Again);
      if (const auto *Logical = dyn_cast<BinaryOperator>(S); Logical && Logical->isLogicalOp())
        return Again(Logical->getLHS(), Again);
      if (isLoop(S) || isa<LambdaExpr, LabelStmt, SwitchCase>(S))
        return false;
      return any_of(S->children(), [&](const Stmt *C) { return Again(C, Again); });
    };
    return any_of(Always, [&](const Stmt *S) { return In(S, In); });
  }

  /// The value is what a load or the operation itself has found, unchanged: it is nobody's wish.
  bool isAsRead(const Expr *E, unsigned Depth = 0) {
    E = E->IgnoreParenImpCasts();
    if (Depth > 8)
      return false;
    if (const auto *Cast = dyn_cast<ExplicitCastExpr>(E))
      return isAsRead(Cast->getSubExpr(), Depth);
    if (const auto *Op = dyn_cast<BinaryOperator>(E); Op && Op->getOpcode() == BO_Assign)
      return isAsRead(Op->getRHS(), Depth);
    if (const VarDecl *V = changedVar(E);
        V && V->hasLocalStorage() && !V->getType()->isReferenceType()) // or `assumed.bits`
      return areAllSets(V, [&](const Expr *To) { return isAsRead(To, Depth + 1); });
    if (const auto *Call = dyn_cast<CallExpr>(E)) {
      const FunctionDecl *F = Call->getDirectCallee();
      const StringRef Name = F && F->getIdentifier() ? F->getName() : "";
      // The same bits by another type.
      if ((Name.contains("_as_") || Name.contains("bit_cast")) && Call->getNumArgs() == 1)
        return isAsRead(Call->getArg(0), Depth);
      return F && (is_contained(Swaps, Call) ||
                   (isOfToolkit(F, Context) && callReadsAnew(Call, Any) && !isTicket(Call)));
    }
    return E->isGLValue() && mayBeMemory(E);
  }

  /// All that the loop sets \p V to, as a whole, \p Are; nothing else changes it.
  bool areAllSets(const VarDecl *V, function_ref<bool(const Expr *)> Are) const {
    const auto It = ChangedBy.find(V);
    return It == ChangedBy.end() || all_of(It->second, [&](const Stmt *S) {
             const auto *Op = dyn_cast<BinaryOperator>(S);
             return isa<DeclStmt>(S) ? !V->getInit() || Are(V->getInit())
                                     : Op && Op->getOpcode() == BO_Assign && Are(Op->getRHS());
           });
  }

  /// An assignment in the loop sets \p V to something that \p Is.
  bool isSetFrom(const VarDecl *V, function_ref<bool(const Expr *)> Is) const {
    const auto It = ChangedBy.find(V);
    return It != ChangedBy.end() && any_of(It->second, [&](const Stmt *S) {
             const auto *Op = dyn_cast<BinaryOperator>(S);
             return isa<DeclStmt>(S) ? V->hasInit() && Is(V->getInit()) : Op && Is(Op->getRHS());
           });
  }

  /// \p E is what \p Call returned.
  bool isResult(const Expr *E, const CallExpr *Call) const {
    return encloses(E, Call) || any_of(mentionedVars(E), [&](const VarDecl *V) {
             return isSetFrom(V, [&](const Expr *To) { return encloses(To, Call); });
           });
  }
  bool isComparison(const Expr *E, const CallExpr *Call, const DeclSet<VarDecl> &Expected) const {
    const auto *Op = dyn_cast<BinaryOperator>(E);
    if (!Op || !Op->isEqualityOp())
      return false;
    auto Mentions = [&](const Expr *Side) {
      return any_of(mentionedVars(Side), [&](const VarDecl *V) { return Expected.count(V) != 0; });
    };
    return (isResult(Op->getLHS(), Call) && Mentions(Op->getRHS())) ||
           (isResult(Op->getRHS(), Call) && Mentions(Op->getLHS()));
  }
  bool comparesResult(const Stmt *S, const CallExpr *Call, const DeclSet<VarDecl> &Expected) const {
    if (!S)
      return false;
    if (const auto *E = dyn_cast<Expr>(S); E && isComparison(E, Call, Expected))
      return true;
    return any_of(S->children(), [&](const Stmt *C) { return comparesResult(C, Call, Expected); });
  }
  /// Whether it has worked.
  bool isOutcome(const Expr *E) {
    return any_of(Swaps, [&](const CallExpr *Call) {
      const Expr *Expected = expectedAndDesired(Call).first;
      return Expected && !operandsOf(Call).Object &&
             isComparison(E, Call, mentionedVars(Expected)) && isProgress(Call);
    });
  }

  /// A read of the place that such an operation sets.
  bool isSwapped(const Expr *Place) {
    auto PlaceOf = [&](const Expr *Address) -> const Expr * {
      Address = Address->IgnoreParenCasts();
      const auto *Of = dyn_cast<UnaryOperator>(Address);
      return Of && Of->getOpcode() == UO_AddrOf ? Of->getSubExpr()->IgnoreParens() : nullptr;
    };
    Place = Place->IgnoreParens();
    return any_of(Swaps, [&](const CallExpr *Call) {
      if (operandsOf(Call).Object || Call->getNumArgs() < 3)
        return false;
      const Expr *Address = Call->getArg(0);
      bool Same = PlaceOf(Address) && sameExpression(PlaceOf(Address), Place, Context);
      if (const auto *Star = dyn_cast<UnaryOperator>(Place); Star && Star->getOpcode() == UO_Deref)
        Same |= sameExpression(Star->getSubExpr()->IgnoreParenCasts(), Address->IgnoreParenCasts(),
                               Context);
      if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(Place))
        if (const auto *Sum = dyn_cast<BinaryOperator>(Address->IgnoreParenCasts());
            Sum && Sum->getOpcode() == BO_Add)
          Same |= sameExpression(Sub->getBase()->IgnoreParenCasts(),
                                 Sum->getLHS()->IgnoreParenCasts(), Context) &&
                  sameExpression(Sub->getIdx()->IgnoreParenCasts(),
                                 Sum->getRHS()->IgnoreParenCasts(), Context);
      return Same && isProgress(Call);
    });
  }

  //===-- Where the values go -------------------------------------------------------===//

  bool isFresh(const Stmt *S) {
    if (!S)
      return false;
    if (const auto *Ref = dyn_cast<DeclRefExpr>(S))
      if (const VarDecl *V = mentionedVar(Ref); V && leadsToFresh(V))
        return true;
    if (const auto *E = dyn_cast<Expr>(S); E && !Swaps.empty() && isOutcome(E))
      return false;
    if (isAnew(S, here()))
      return true;
    if (const auto *Call = dyn_cast<CallExpr>(S);
        Call && lambdaBody(Call) && Inlined.insert(Call).second) {
      bool Found = isFresh(lambdaBody(Call));
      Inlined.erase(Call);
      if (Found)
        return true;
    }
    return any_of(S->children(), [&](const Stmt *C) { return isFresh(C); });
  }

  /// It is fresh, or another name of what is, or a way to it.
  bool leadsToFresh(const VarDecl *V) {
    if (Fresh.contains(V))
      return true;
    if (!Leads) {
      Leads.emplace();
      findLeads(Function->getBody());
    }
    SmallVector<const VarDecl *, 8> Ways = {V};
    VarSet Seen = {V};
    while (!Ways.empty()) {
      const auto It = Leads->find(Ways.pop_back_val());
      if (It == Leads->end())
        continue;
      for (const VarDecl *To : It->second)
        if (Fresh.contains(To))
          return true;
        else if (Seen.insert(To).second)
          Ways.push_back(To);
    }
    return false;
  }

  /// References and pointers, and what has pointers in it: the variables that they are made of.
  void findLeads(const Stmt *S) {
    if (!S)
      return;
    auto Note = [&](const VarDecl *V, const Expr *From) {
      const QualType T = V->getType();
      if (From &&
          (T->isReferenceType() || T->isPointerType() || T->isArrayType() || holdsPointers(T)))
        for (const VarDecl *W : mentionedVars(From))
          (*Leads)[V].push_back(W);
    };
    if (const auto *Declaration = dyn_cast<DeclStmt>(S)) {
      for (const clang::Decl *D : Declaration->decls())
        if (const auto *V = dyn_cast<VarDecl>(D))
          Note(V, V->getInit());
    } else if (const auto *Op = dyn_cast<BinaryOperator>(S); Op && Op->isAssignmentOp()) {
      if (const VarDecl *V = changedVar(Op->getLHS()))
        Note(V, Op->getRHS());
    }
    for (const Stmt *Child : S->children())
      findLeads(Child);
  }
  std::optional<DenseMap<const VarDecl *, SmallVector<const VarDecl *, 2>>>
      Leads; ///< of the function

  static const Stmt *lambdaBody(const CallExpr *Call) {
    const auto *Method = dyn_cast_or_null<CXXMethodDecl>(Call->getDirectCallee());
    return Method && Method->getParent()->isLambda() ? Method->getBody() : nullptr;
  }

  /// Values that were read in this turn go into variables, by \p S or because \p S is done at all.
  void spread(const Stmt *S, bool Control) {
    if (!S)
      return;
    auto Holds = [&](const VarDecl *V) {
      return V->hasLocalStorage() || (Shared && V->hasAttr<CUDASharedAttr>());
    };
    forEachChange(S, [&](const VarDecl *V) {
      if (Fresh.contains(V) || !Holds(V))
        return;
      if (Control || isFresh(isa<DeclStmt>(S) ? V->getInit() : S))
        Fresh.insert(V);
      // What `get<0>(x)` returns for a name of a structured binding.
      if (const auto *Parts = isa<DeclStmt>(S) ? dyn_cast<DecompositionDecl>(V) : nullptr)
        for (const BindingDecl *Part : Parts->bindings())
          if (const VarDecl *Held = Part->getHoldingVar(); Held && isFresh(Held->getInit()))
            Fresh.insert(V);
    });
    // By another name.
    const auto *Store = dyn_cast<BinaryOperator>(S);
    if (isa<CallExpr, CXXConstructExpr, CXXBindTemporaryExpr>(S)
            ? isAnew(S, here())
            : Store && Store->isAssignmentOp() && !isLocal(Store->getLHS()) &&
                  (Control || isFresh(Store->getRHS()))) {
      if (!Exposed)
        Exposed = namedElsewhere(Function->getBody(), Context, Function, NamesThat::Change);
      for (const ValueDecl *D : *Exposed)
        if (const auto *V = dyn_cast<VarDecl>(D); V && Holds(V))
          Fresh.insert(V);
    }
    if (const auto *Call = dyn_cast<CallExpr>(S);
        Call && lambdaBody(Call) && Inlined.insert(Call).second) {
      spread(lambdaBody(Call), Control);
      Inlined.erase(Call);
    }
    bool Depends =
        Control || (conditionOf(S) && isFresh(conditionOf(S))) || shortcutOf(S).isValid();
    for (const Stmt *Child : S->children())
      spread(Child, Depends);
  }

  bool callsBack(const Stmt *S) const {
    if (!S)
      return false;
    if (const auto *Call = dyn_cast<CallExpr>(S))
      if (const FunctionDecl *Defined = definitionOf(Call->getDirectCallee());
          Defined && Code.isRecursive(Defined))
        return true;
    return any_of(S->children(), [&](const Stmt *C) { return callsBack(C); });
  }

  /// A condition in an inner loop or a switch, of what was read in this turn, under which that is
  /// left: what stands behind it there depends on it, too.
  SourceLocation shortcut(const Stmt *S, Binding Own) {
    if (!S || isa<LambdaExpr>(S))
      return SourceLocation();
    if (isa<IfStmt>(S) || isa<SwitchStmt>(S))
      if (const Expr *Cond = conditionOf(S); Cond && leaves(S, Own) && isFresh(Cond))
        return Cond->getExprLoc();
    for (const Stmt *Child : S->children())
      if (SourceLocation Here = shortcut(Child, Own.within(S)); Here.isValid())
        return Here;
    return SourceLocation();
  }
  SourceLocation shortcutOf(const Stmt *Inner) {
    if (const auto *Switch = dyn_cast<SwitchStmt>(Inner))
      return shortcut(Switch->getBody(), {true, false});
    return isLoop(Inner) ? shortcut(bodyOf(Inner), {}) : SourceLocation();
  }

  /// A condition of what was read in this turn, under which the loop is left.
  SourceLocation wayOut(const Stmt *S, Binding Own) {
    if (!S || isa<LambdaExpr>(S))
      return SourceLocation();
    if (isa<IfStmt>(S) || isa<SwitchStmt>(S) || (Recursive && isLoop(S)))
      if (const Expr *Cond = conditionOf(S);
          Cond && (leaves(S, Own) || (Recursive && callsBack(S))) && isFresh(Cond))
        return Cond->getExprLoc();
    if ((isa<SwitchStmt>(S) || isLoop(S)) && (leaves(S, Own) || (Recursive && callsBack(S))))
      if (const SourceLocation Here = shortcutOf(S); Here.isValid())
        return Here;
    if (const auto *Chosen = dyn_cast<AbstractConditionalOperator>(S);
        Chosen && Recursive && callsBack(S) && isFresh(Chosen->getCond()))
      return Chosen->getExprLoc();
    if (const auto *Logical = dyn_cast<BinaryOperator>(S);
        Logical && Logical->isLogicalOp() && Recursive && callsBack(S) && isFresh(Logical))
      return Logical->getExprLoc();
    for (const Stmt *Child : S->children())
      if (SourceLocation Here = wayOut(Child, Own.within(S)); Here.isValid())
        return Here;
    return SourceLocation();
  }
};

} // namespace

std::optional<Waiting> findWaiting(const ReachedCode &Code) {
  WaitFinder Finder(Code, Code.Bodies.front().Function->getASTContext());
  std::optional<Waiting> Found;
  for (const ReachedCode::Body &B : Code.Bodies)
    if (!B.Known)
      if (std::optional<Waiting> Here = Finder.inFunction(B.Function);
          Here && (!Found || Here->isSeen())) {
        Here->Where = ReachedCode::placeOf(B, Here->Where);
        Found = std::move(Here);
        if (Found->isSeen())
          return Found;
      }
  if (!Found && !Code.NotSeen.empty())
    return Waiting{Code.NotSeen.front().Where, Waiting::Kind::NotSeen, Code.NotSeen.front().What};
  return Found;
}

std::optional<Waiting> findWaitingKernel(ASTContext &Context) {
  struct Visitor : DynamicRecursiveASTVisitor {
    const SourceManager &SM;
    std::optional<Waiting> Found;
    explicit Visitor(const SourceManager &SM) : SM(SM) { ShouldVisitTemplateInstantiations = true; }
    bool TraverseDecl(Decl *D) override {
      // The kernels of the toolkit's headers are not those that call the user's functions.
      if (D && !isa<TranslationUnitDecl>(D) &&
          SM.isInSystemHeader(SM.getExpansionLoc(D->getLocation())))
        return true;
      return DynamicRecursiveASTVisitor::TraverseDecl(D);
    }
    bool VisitFunctionDecl(FunctionDecl *F) override {
      if (!F->hasAttr<CUDAGlobalAttr>() || !F->isThisDeclarationADefinition() ||
          F->isDependentContext())
        return true;
      const std::optional<Waiting> Here = findWaiting(ReachedCode(F));
      if (Here && (!Found || Here->isSeen()))
        Found = Here;
      return !Found || !Found->isSeen();
    }
  } V(Context.getSourceManager());
  V.TraverseAST(Context);
  return V.Found;
}

} // namespace cuda_pipeline
