//===- Lower.cpp - GPU code becomes host code that asks before it touches ===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Lower.h"
#include "NumberValues.h"
#include "Runtime.h"
#include "Waits.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PassManager.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Utils/Mem2Reg.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"
#include <map>
#include <set>

using namespace llvm;

namespace cuda_pipeline {
namespace emulator {

// NVPTX's address spaces.
enum : unsigned {
  Generic = 0,
  GlobalSpace = 1,
  SharedSpace = 3,
  ConstantSpace = 4,
  LocalSpace = 5
};

std::string entrySymbol(StringRef Kernel) { return ("__cpr_entry_" + Kernel).str(); }

namespace {

Error failure(const Twine &Message) { return createStringError(inconvertibleErrorCode(), Message); }

/// Not made by the compiler, as string literals are.
bool isOfUser(const GlobalVariable &G) {
  return !G.hasPrivateLinkage() && G.getAddressSpace() != Generic;
}

/// The last part of a qualified name: of `kernel(float*)::As` the array's.
std::string shortName(StringRef Symbol) {
  std::string Full = demangle(Symbol.str());
  StringRef Name = Full;
  int Depth = 0;
  for (size_t I = Name.size(); I-- > 1;) {
    char C = Name[I];
    Depth += C == ')' || C == '>' ? 1 : C == '(' || C == '<' ? -1 : 0;
    if (Depth == 0 && C == ':' && Name[I - 1] == ':')
      return Name.drop_front(I + 1).str();
  }
  return Full;
}

uint64_t elementBytes(Type *T, const DataLayout &Layout) {
  while (auto *Array = dyn_cast<ArrayType>(T))
    T = Array->getElementType();
  return std::max<uint64_t>(Layout.getTypeAllocSize(T), 1);
}

/// The numbers that \p T consists of.
void addLeaves(Type *T, uint64_t Offset, const DataLayout &Layout,
               std::vector<TypeLayout::Leaf> &To) {
  if (To.size() >= 256)
    return;
  if (auto *Array = dyn_cast<ArrayType>(T)) {
    std::vector<TypeLayout::Leaf> One;
    const uint64_t Bytes = Layout.getTypeAllocSize(Array->getElementType());
    addLeaves(Array->getElementType(), Offset, Layout, One);
    if (One.size() == 1 && !One[0].IsPointer && One[0].Count * One[0].Element.bytes() == Bytes) {
      One[0].Count *= Array->getNumElements();
      To.push_back(std::move(One[0]));
      return;
    }
    for (uint64_t I = 0; I != Array->getNumElements() && To.size() < 256; ++I)
      addLeaves(Array->getElementType(), Offset + I * Bytes, Layout, To);
    return;
  }
  if (auto *Struct = dyn_cast<StructType>(T)) {
    const StructLayout *Of = Layout.getStructLayout(Struct);
    for (unsigned I = 0; I != Struct->getNumElements(); ++I)
      addLeaves(Struct->getElementType(I), Offset + Of->getElementOffset(I), Layout, To);
    return;
  }
  TypeLayout::Leaf L;
  L.Offset = Offset;
  if (auto *Vector = dyn_cast<FixedVectorType>(T)) {
    L.Count = Vector->getNumElements();
    T = Vector->getElementType();
  }
  using Kind = ElementType::Kind;
  L.Element.BaseBytes = std::max<unsigned>(static_cast<unsigned>(Layout.getTypeStoreSize(T)), 1);
  L.IsPointer = T->isPointerTy();
  L.Element.Base = T->isFloatTy()    ? Kind::Float
                   : T->isDoubleTy() ? Kind::Double
                   : T->isHalfTy()   ? Kind::Half
                   : T->isBFloatTy() ? Kind::BFloat16
                   : L.IsPointer     ? Kind::Bytes
                                     : Kind::SignedInt;
  To.push_back(std::move(L));
}

class Lowering {
public:
  Lowering(Module &M, ArrayRef<std::string> Kernels, const Triple &Host,
           const DataLayout &HostLayout, bool WithHints, bool Numbered)
      : M(M), Ctx(M.getContext()), Kernels(Kernels), Host(Host), HostLayout(HostLayout),
        WithHints(WithHints), Numbered(Numbered) {
    Result.Sites.emplace_back();
  }

  Expected<LoweredModule> run() {
    if (Error E = keepKernels())
      return E;
    makeCopies();
    retarget();
    keepLoads();
    inlineLibrary();
    announcePromises();
    announceWholes();
    simplify();
    releaseLoads();
    saturate();
    checkDivisions();
    if (WithHints) {
      Result.Hints = launchHints(M);
      Hints = loadHints(M);
      if (const Instruction *For = waitsFor(M))
        Result.Waits = siteOf(For);
    }
    numberMeetings();
    if (!Numbered)
      countTurns();
    instrument();
    if (!Numbered)
      watchGuards();
    lowerCalls();
    if (Numbered)
      numberValues(M, [this](const Instruction *I) { return siteOf(I); });
    placeVariables();
    makeEntries();
    nameFunctions();
    stubUnknown();
    std::string Problem;
    raw_string_ostream Stream(Problem);
    if (verifyModule(M, &Stream))
      return failure("the emulator made invalid code: " + Stream.str());
    return std::move(Result);
  }

private:
  Error keepKernels();
  void makeCopies();
  void retarget();
  void keepLoads();
  void inlineLibrary();
  void announcePromises();
  void announceWholes();
  void simplify();
  void releaseLoads();
  void saturate();
  void checkDivisions();
  void numberMeetings();
  void countTurns();
  void instrument();
  void watchGuards();
  /// True: of a local variable.
  bool announce(Instruction *I, Value *Pointer, Value *Bytes, uint64_t Known, Align A,
                unsigned Kind);
  void lowerCalls();
  bool lowerIntrinsic(CallInst *Call, StringRef Name);
  void lowerAsm(CallInst *Call);
  void placeVariables();
  void makeEntries();
  void nameFunctions();
  void stubUnknown();

  unsigned siteOf(const Instruction *I);
  unsigned siteOf(const DILocation *Loc);
  /// A call of the machine that is told where it comes from: functions of the device library do not
  /// know their site, so it is left in a variable.
  void markSite(IRBuilder<> &B, const Instruction *I);
  FunctionCallee machine(StringRef Name, Type *Return, ArrayRef<Type *> Params) {
    return M.getOrInsertFunction(Name, FunctionType::get(Return, Params, false));
  }
  Value *text(IRBuilder<> &B, StringRef T) { return B.CreateGlobalString(T); }
  void replaceByUnsupported(CallInst *Call, const Twine &What);

  Module &M;
  LLVMContext &Ctx;
  ArrayRef<std::string> Kernels;
  const Triple &Host;
  const DataLayout &HostLayout;
  const bool WithHints, Numbered;
  LoweredModule Result;
  DenseMap<const Instruction *, uint8_t> Hints;
  std::map<std::tuple<std::string, unsigned, unsigned>, unsigned> SiteNumbers;
};

//===----------------------------------------------------------------------===//
// What is needed, for the host
//===----------------------------------------------------------------------===//

Error Lowering::keepKernels() {
  StringSet<> Wanted;
  for (const std::string &K : Kernels) {
    Function *F = M.getFunction(K);
    if (!F || F->isDeclaration())
      return failure("no kernel '" + demangle(K) + "' in the device code");
    Wanted.insert(K);
  }
  // Clang lists what other translation units may use; nothing of that counts here.
  for (StringRef List : {"llvm.used", "llvm.compiler.used"})
    if (GlobalVariable *Used = M.getGlobalVariable(List))
      Used->eraseFromParent();
  for (Function &F : M)
    if (!F.isDeclaration() && !Wanted.count(F.getName())) {
      F.setLinkage(GlobalValue::InternalLinkage);
      F.setComdat(nullptr);
    }
  for (GlobalVariable &G : M.globals())
    if (!G.isDeclaration() && !G.getName().starts_with("llvm.")) {
      G.setLinkage(GlobalValue::InternalLinkage);
      G.setComdat(nullptr);
    }
  for (GlobalAlias &A : M.aliases())
    A.setLinkage(GlobalValue::InternalLinkage);
  for (StringRef Name : {"llvm.global_ctors", "llvm.global_dtors"})
    if (GlobalVariable *G = M.getGlobalVariable(Name))
      G->eraseFromParent(); // device variables have constant initialisers
  std::vector<std::string> Variables;
  for (GlobalVariable &G : M.globals())
    if (isOfUser(G) && !G.isDeclaration() && G.getAddressSpace() == GlobalSpace)
      Variables.push_back(G.getName().str());
  ModuleAnalysisManager MAM;
  PassBuilder().registerModuleAnalyses(MAM);
  GlobalDCEPass().run(M, MAM);
  for (const std::string &Name : Variables)
    if (!M.getGlobalVariable(Name, /*AllowInternal=*/true))
      Result.Unused.push_back(shortName(Name));
  return Error::success();
}

void Lowering::retarget() {
  M.setTargetTriple(Host);
  M.setDataLayout(HostLayout);
  if (NamedMDNode *Annotations = M.getNamedMetadata("nvvm.annotations"))
    Annotations->eraseFromParent();
  for (Function &F : M) {
    F.setCallingConv(CallingConv::C);
    F.removeFnAttr("target-cpu");
    F.removeFnAttr("target-features");
    F.removeFnAttr("tune-cpu");
    F.addFnAttr("no-builtins"); // a loop that copies must stay one: its accesses are announced
    F.setDSOLocal(!F.isDeclaration());
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I))
        Call->setCallingConv(CallingConv::C);
  }
}

namespace {
/// The passes of one step, with what they want to know.
struct Passes {
  explicit Passes(const Triple &Host) : NoLibrary(Host) {
    NoLibrary.disableAllFunctions();
    FAM.registerPass([&] { return TargetLibraryAnalysis(NoLibrary); });
    PassBuilder PB;
    PB.registerModuleAnalyses(MAM);
    PB.registerCGSCCAnalyses(CAM);
    PB.registerFunctionAnalyses(FAM);
    PB.registerLoopAnalyses(LAM);
    PB.crossRegisterProxies(LAM, FAM, CAM, MAM);
  }
  TargetLibraryInfoImpl NoLibrary;
  LoopAnalysisManager LAM;
  FunctionAnalysisManager FAM;
  CGSCCAnalysisManager CAM;
  ModuleAnalysisManager MAM;
  ModulePassManager MPM;
};
} // namespace

/// Library bodies into their callers, and pointers into registers, so that it shows what they point
/// to.
void Lowering::inlineLibrary() {
  auto Inline = [&] {
    Passes P(Host);
    P.MPM.addPass(AlwaysInlinerPass(/*InsertLifetime=*/false));
    P.MPM.addPass(createModuleToFunctionPassAdaptor(PromotePass()));
    P.MPM.run(M, P.MAM);
  };
  if (Numbered)
    chooseInlining(M);
  Inline();
  if (Numbered && keepPure(M))
    Inline();
  // Where a compiler puts a local array it is aligned to what reads it at once.
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Local = dyn_cast<AllocaInst>(&I))
        if (std::optional<TypeSize> Size = Local->getAllocationSize(M.getDataLayout());
            !Size || Size->getFixedValue() >= 8)
          Local->setAlignment(std::max(Local->getAlign(), Align(16)));
}

/// `__builtin_assume_aligned(p, 16)`, `__builtin_assume(x)`, `__builtin_unreachable()`: nvcc relies
/// on what they say and makes vector accesses of it, for one. Here it is looked whether it holds,
/// and nothing relies on it.
void Lowering::announcePromises() {
  SmallVector<AssumeInst *> Assumptions;
  SmallVector<UnreachableInst *> Ends;
  for (Function &F : M)
    for (Instruction &I : instructions(F)) {
      if (auto *Assume = dyn_cast<AssumeInst>(&I))
        Assumptions.push_back(Assume);
      else if (auto *End = dyn_cast<UnreachableInst>(&I))
        Ends.push_back(End);
    }
  IRBuilder<> Types(Ctx);
  auto Promise = [&](StringRef Name, ArrayRef<Type *> Params) {
    FunctionCallee Callee = machine(Name, Types.getVoidTy(), Params);
    auto *F = cast<Function>(Callee.getCallee());
    F->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
    F->setDoesNotThrow();
    return Callee;
  };
  for (AssumeInst *Assume : Assumptions) {
    IRBuilder<> B(Assume);
    for (unsigned I = 0; I != Assume->getNumOperandBundles(); ++I) {
      const OperandBundleUse Bundle = Assume->getOperandBundleAt(I);
      if (Bundle.getTagName() != "align" || Bundle.Inputs.size() < 2 ||
          !Bundle.Inputs[0]->getType()->isPointerTy())
        continue;
      Value *Pointer = Bundle.Inputs[0];
      // Where the host has put a local variable is the host's business: counted from its beginning.
      Value *Local = getUnderlyingObject(Pointer, /*MaxLookup=*/0);
      if (!isa<AllocaInst>(Local))
        Local = ConstantPointerNull::get(B.getPtrTy());
      if (Pointer->getType()->getPointerAddressSpace() != Generic)
        Pointer = B.CreateAddrSpaceCast(Pointer, B.getPtrTy());
      Value *Offset = Bundle.Inputs.size() > 2
                          ? B.CreateSExtOrTrunc(Bundle.Inputs[2], B.getInt64Ty())
                          : B.getInt64(0);
      B.CreateCall(Promise("__cpr_emu_assume_aligned", {B.getPtrTy(), B.getPtrTy(), B.getInt64Ty(),
                                                        B.getInt64Ty(), B.getInt32Ty()}),
                   {Pointer, Local, B.CreateZExtOrTrunc(Bundle.Inputs[1], B.getInt64Ty()), Offset,
                    B.getInt32(siteOf(Assume))});
    }
    if (Value *Condition = Assume->getArgOperand(0);
        !isa<Constant>(Condition) || !cast<Constant>(Condition)->isOneValue())
      B.CreateCall(Promise("__cpr_emu_assume", {B.getInt32Ty(), B.getInt32Ty()}),
                   {B.CreateZExt(Condition, B.getInt32Ty()), B.getInt32(siteOf(Assume))});
    Assume->eraseFromParent();
  }
  for (UnreachableInst *End : Ends) {
    IRBuilder<> B(End);
    B.CreateCall(Promise("__cpr_emu_assume", {B.getInt32Ty(), B.getInt32Ty()}),
                 {B.getInt32(0), B.getInt32(siteOf(End))});
  }
}

/// Calls of memcpy and its like become what Clang makes of them in host code. In device code they
/// are functions without a body for Clang, which would run on the host, past everything that is
/// checked.
void Lowering::makeCopies() {
  for (const StringRef Name : {"memcpy", "memmove", "memset"}) {
    Function *Library = M.getFunction(Name);
    if (!Library || !Library->isDeclaration())
      continue;
    for (User *U : make_early_inc_range(Library->users())) {
      auto *Call = dyn_cast<CallInst>(U);
      if (!Call || Call->getCalledOperand() != Library || Call->arg_size() != 3)
        continue;
      IRBuilder<> B(Call);
      Value *To = Call->getArgOperand(0), *With = Call->getArgOperand(1),
            *Bytes = Call->getArgOperand(2);
      if (Name == "memcpy")
        B.CreateMemCpy(To, MaybeAlign(), With, MaybeAlign(), Bytes);
      else if (Name == "memmove")
        B.CreateMemMove(To, MaybeAlign(), With, MaybeAlign(), Bytes);
      else
        B.CreateMemSet(To, B.CreateTrunc(With, B.getInt8Ty()), Bytes, MaybeAlign());
      Call->replaceAllUsesWith(To);
      Call->eraseFromParent();
    }
  }
}

/// A struct is copied as a whole, which GPUs do at once if its alignment allows it; below it may
/// become loads of those members alone that are used.
void Lowering::announceWholes() {
  SmallVector<AnyMemTransferInst *> Work;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Move = dyn_cast<AnyMemTransferInst>(&I))
        Work.push_back(Move);
  IRBuilder<> Types(Ctx);
  FunctionCallee Whole;
  for (AnyMemTransferInst *Move : Work) {
    IRBuilder<> B(Move);
    for (bool Write : {false, true}) {
      Value *Pointer = Write ? Move->getRawDest() : Move->getRawSource();
      const Align A = (Write ? Move->getDestAlign() : Move->getSourceAlign()).valueOrOne();
      if (isa<AllocaInst>(getUnderlyingObject(Pointer, /*MaxLookup=*/0)) ||
          (Write && A == Align(1)))
        continue;
      if (!Whole) {
        Whole = machine("__cpr_emu_whole", Types.getVoidTy(),
                        {Types.getPtrTy(), Types.getInt64Ty(), Types.getInt32Ty(),
                         Types.getInt32Ty(), Types.getInt32Ty()});
        auto *F = cast<Function>(Whole.getCallee());
        F->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
        F->setDoesNotThrow();
        F->addParamAttr(0, Attribute::getWithCaptureInfo(Ctx, CaptureInfo::none()));
      }
      Value *Flat = Pointer->getType()->getPointerAddressSpace() == Generic
                        ? Pointer
                        : B.CreateAddrSpaceCast(Pointer, B.getPtrTy());
      B.CreateCall(Whole, {Flat, B.CreateZExtOrTrunc(Move->getLength(), B.getInt64Ty()),
                           B.getInt32(static_cast<uint32_t>(A.value())), B.getInt32(Write),
                           B.getInt32(siteOf(Move))});
    }
  }
}

/// Locals into registers; nothing that moves an access to memory or makes one up.
void Lowering::simplify() {
  Passes P(Host);
  FunctionPassManager FPM;
  FPM.addPass(SROAPass(SROAOptions::PreserveCFG));
  FPM.addPass(EarlyCSEPass());
  FPM.addPass(InstCombinePass());
  FPM.addPass(SROAPass(SROAOptions::PreserveCFG));
  FPM.addPass(EarlyCSEPass());
  P.MPM.addPass(createModuleToFunctionPassAdaptor(std::move(FPM)));
  P.MPM.addPass(GlobalDCEPass());
  P.MPM.run(M, P.MAM);
}

static constexpr StringLiteral Kept = "cpr.kept", Guards = "cpr.guard";

/// A load whose value nobody uses is still an access: it must not be optimised away before it is
/// seen.
void Lowering::keepLoads() {
  for (Function &F : M) {
    if (!F.getSubprogram())
      continue; // of the device library, which is to be inlined into registers
    for (Instruction &I : instructions(F)) {
      if (isa<BranchInst, SelectInst>(I)) // those of the device library are not the user's
        I.setMetadata(Guards, MDNode::get(Ctx, {}));
      auto *L = dyn_cast<LoadInst>(&I);
      if (!L || L->isVolatile() || isa<AllocaInst>(getUnderlyingObject(L->getPointerOperand())))
        continue;
      L->setVolatile(true);
      L->setMetadata(Kept, MDNode::get(Ctx, {}));
    }
  }
}

void Lowering::releaseLoads() {
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *L = dyn_cast<LoadInst>(&I); L && L->getMetadata(Kept)) {
        L->setVolatile(false);
        L->setMetadata(Kept, nullptr);
      }
}

/// Conversions to integers saturate on a GPU, and are poison in C++ when they overflow. A NaN
/// becomes 0; the largest negative number for 64 bits on some GPUs, which nobody may rely on.
void Lowering::saturate() {
  SmallVector<Instruction *> Work;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (isa<FPToSIInst>(I) || isa<FPToUIInst>(I))
        Work.push_back(&I);
  for (Instruction *I : Work) {
    IRBuilder<> B(I);
    Intrinsic::ID Id = isa<FPToSIInst>(I) ? Intrinsic::fptosi_sat : Intrinsic::fptoui_sat;
    Value *From = I->getOperand(0);
    I->replaceAllUsesWith(B.CreateIntrinsic(Id, {I->getType(), From->getType()}, {From}));
    I->eraseFromParent();
  }
}

/// A division by zero ends a process on the host, and gives some number on a GPU, which nobody may
/// rely on.
void Lowering::checkDivisions() {
  SmallVector<BinaryOperator *> Work;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *B = dyn_cast<BinaryOperator>(&I);
          B && B->isIntDivRem() && !isa<Constant>(B->getOperand(1)) && B->getType()->isIntegerTy())
        Work.push_back(B);
  for (BinaryOperator *Divide : Work) {
    IRBuilder<> B(Divide);
    Value *By = Divide->getOperand(1);
    Type *T = Divide->getType();
    Value *Zero = B.CreateICmpEQ(By, ConstantInt::get(T, 0));
    B.CreateCall(machine("__cpr_emu_divide", B.getVoidTy(), {B.getInt32Ty(), B.getInt32Ty()}),
                 {B.CreateZExt(Zero, B.getInt32Ty()), B.getInt32(siteOf(Divide))});
    // The one quotient that does not fit.
    if (Divide->getOpcode() == Instruction::SDiv || Divide->getOpcode() == Instruction::SRem) {
      Value *Overflows = B.CreateAnd(
          B.CreateICmpEQ(By, ConstantInt::getAllOnesValue(T)),
          B.CreateICmpEQ(Divide->getOperand(0),
                         ConstantInt::get(T, APInt::getSignedMinValue(T->getIntegerBitWidth()))));
      By = B.CreateSelect(Overflows, ConstantInt::get(T, 1), By);
      Divide->setOperand(1, By);
    }
  }
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

unsigned Lowering::siteOf(const Instruction *I) {
  const DILocation *Loc = I->getDebugLoc();
  // Code without a line belongs to what is before it.
  for (const Instruction *P = I; !Loc && P; P = P->getPrevNode())
    Loc = P->getDebugLoc();
  return siteOf(Loc);
}

unsigned Lowering::siteOf(const DILocation *Loc) {
  if (!Loc || Loc->getLine() == 0)
    return 0;
  auto Key = std::make_tuple(Loc->getFilename().str(), Loc->getLine(), Loc->getColumn());
  auto [It, New] = SiteNumbers.try_emplace(Key, Result.Sites.size());
  if (New) {
    SourcePlace P;
    P.File = std::get<0>(Key);
    P.Line = Loc->getLine();
    P.Column = Loc->getColumn();
    Result.Sites.push_back(std::move(P));
  }
  return It->second;
}

/// The places where threads meet get their numbers in the order of the code: where lanes of a warp
/// are at several, the machine lets those at the first go on first.
void Lowering::numberMeetings() {
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallInst>(&I); Call && Call->isConvergent())
        siteOf(Call);
}

/// Threads of a block wait for each other there, or for what a copy brings.
static bool isWait(const CallInst &Call) {
  if (Call.isInlineAsm()) {
    StringRef Text = cast<InlineAsm>(Call.getCalledOperand())->getAsmString();
    return Text.contains("bar.") || Text.contains("barrier") || Text.contains("cp.async.wait");
  }
  const Function *Callee = Call.getCalledFunction();
  StringRef Name = Callee ? Callee->getName() : "";
  return Name.starts_with("llvm.nvvm.barrier") || Name.starts_with("llvm.nvvm.bar.") ||
         Name.starts_with("__cpr_emu_barrier") || Name.starts_with("__cpr_emu_sync_warp") ||
         Name.starts_with("__cpr_emu_mbarrier") || Name.starts_with("__cpr_emu_wait");
}

/// From global memory, as far as can be told.
static bool isGlobalLoad(const Instruction &I) {
  const Value *From = nullptr;
  if (auto *L = dyn_cast<LoadInst>(&I))
    From = L->getPointerOperand();
  else if (auto *Move = dyn_cast<AnyMemTransferInst>(&I))
    From = Move->getRawSource();
  else if (auto *Call = dyn_cast<CallInst>(&I))
    return Call->isInlineAsm()
               ? StringRef(cast<InlineAsm>(Call->getCalledOperand())->getAsmString())
                     .contains("cp.async.c")
               : Call->getCalledFunction() &&
                     Call->getCalledFunction()->getName() == "__cpr_emu_copy_async";
  if (!From)
    return false;
  const Value *Object = getUnderlyingObject(From, /*MaxLookup=*/0);
  auto *Variable = dyn_cast<GlobalVariable>(Object);
  return !isa<AllocaInst>(Object) && !(Variable && (Variable->getAddressSpace() == SharedSpace ||
                                                    Variable->getName().starts_with("__cpr_emu")));
}

/// The blocks of \p L that a turn which comes by \p Block may come by as well.
static std::set<BasicBlock *> ofTheSameTurn(BasicBlock *Block, const Loop &L) {
  std::set<BasicBlock *> Found = {Block};
  auto Walk = [&](auto Next) {
    std::vector<BasicBlock *> Left = {Block};
    while (!Left.empty()) {
      BasicBlock *From = Left.back();
      Left.pop_back();
      Next(From, [&](BasicBlock *To) {
        if (L.contains(To) && Found.insert(To).second)
          Left.push_back(To);
      });
    }
  };
  Walk([&](BasicBlock *From, auto Go) {
    for (BasicBlock *To : successors(From))
      if (To != L.getHeader())
        Go(To);
  });
  Walk([&](BasicBlock *From, auto Go) {
    if (From != L.getHeader())
      for (BasicBlock *To : predecessors(From))
        Go(To);
  });
  return Found;
}

/// Loops in which threads wait report when they are entered, when they turn, and when a turn gets
/// to where it loads: a loop within counts as a load if it has one.
void Lowering::countTurns() {
  TargetLibraryInfoImpl NoLibrary(Host);
  NoLibrary.disableAllFunctions();
  std::set<const Function *> Waiting, Loading;
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (Function &F : M)
      for (Instruction &I : instructions(F)) {
        auto *Call = dyn_cast<CallInst>(&I);
        if ((Call && isWait(*Call)) || (Call && Waiting.count(Call->getCalledFunction())))
          Changed |= Waiting.insert(&F).second;
        if (isGlobalLoad(I) || (Call && Loading.count(Call->getCalledFunction())))
          Changed |= Loading.insert(&F).second;
      }
  }
  auto Any = [&](BasicBlock &Block, bool (*Is)(const Instruction &),
                 const std::set<const Function *> &Callees) {
    return any_of(Block, [&](Instruction &I) {
      auto *Call = dyn_cast<CallInst>(&I);
      return Is(I) ||
             (Call && Call->getCalledFunction() && Callees.count(Call->getCalledFunction()));
    });
  };
  auto Waits = [](const Instruction &I) { return isa<CallInst>(I) && isWait(cast<CallInst>(I)); };
  struct Report {
    Instruction *Before;
    const char *Name;
    unsigned Loop, Load;
  };
  std::vector<Report> Reports;
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    DominatorTree Tree(F);
    LoopInfo Loops(Tree);
    TargetLibraryInfo Library(NoLibrary);
    AssumptionCache Assumptions(F);
    ScalarEvolution Evolution(F, Library, Assumptions, Tree, Loops);
    for (Loop *L : Loops.getLoopsInPreorder()) {
      auto Own = [&](BasicBlock *Block) { return Loops.getLoopFor(Block) == L; };
      if (none_of(L->blocks(),
                  [&](BasicBlock *Block) { return Own(Block) && Any(*Block, +Waits, Waiting); }))
        continue;
      const unsigned Number = static_cast<unsigned>(Result.Loops.size());
      LoweredModule::TurningLoop T;
      if (const DILocation *Loc = L->getStartLoc())
        T.Site = siteOf(Loc);
      T.AsksFirst = L->isLoopExiting(L->getHeader());
      // One way out: no break that data decide.
      if (const auto *Taken = L->getExitingBlock()
                                  ? dyn_cast<SCEVConstant>(Evolution.getBackedgeTakenCount(L))
                                  : nullptr)
        T.Always = Taken->getAPInt().getLimitedValue() + (T.AsksFirst ? 0 : 1);
      std::set<BasicBlock *> Loads;
      for (BasicBlock *Block : L->blocks()) {
        if (!Any(*Block, isGlobalLoad, Loading))
          continue;
        // Of a loop within: the block in front of it.
        Loop *Inner = Loops.getLoopFor(Block);
        while (Inner != L && Inner->getParentLoop() != L)
          Inner = Inner->getParentLoop();
        BasicBlock *Where = Inner == L ? Block : Inner->getLoopPredecessor();
        if (Where)
          Loads.insert(Where);
      }
      for (BasicBlock *Block : Loads) {
        Reports.push_back(
            {&*Block->getFirstInsertionPt(), "__cpr_emu_turn_loads", Number, T.Loads++});
        T.Aside.push_back(none_of(ofTheSameTurn(Block, *L),
                                  [&](BasicBlock *Other) { return Any(*Other, +Waits, Waiting); }));
      }
      Reports.push_back({&*L->getHeader()->getFirstInsertionPt(), "__cpr_emu_turn", Number, 0});
      for (BasicBlock *From : predecessors(L->getHeader()))
        if (!L->contains(From))
          Reports.push_back({From->getTerminator(), "__cpr_emu_enter_loop", Number, 0});
      Result.Loops.push_back(T);
    }
  }
  for (const Report &R : llvm::reverse(Reports)) {
    IRBuilder<> B(R.Before);
    B.CreateCall(machine(R.Name, B.getVoidTy(), {B.getInt32Ty(), B.getInt32Ty()}),
                 {B.getInt32(R.Loop), B.getInt32(R.Load)});
  }
}

void Lowering::markSite(IRBuilder<> &B, const Instruction *I) {
  Constant *Site = M.getOrInsertGlobal("__cpr_emu_site", B.getInt32Ty());
  B.CreateStore(B.getInt32(siteOf(I)), Site);
}

/// Kind as in Thread.h's Access, or 4: an update.
bool Lowering::announce(Instruction *I, Value *Pointer, Value *Bytes, uint64_t Known, Align A,
                        unsigned Kind) {
  IRBuilder<> B(I);
  Value *Object = getUnderlyingObject(Pointer, /*MaxLookup=*/0);
  if (auto *Local = dyn_cast<AllocaInst>(Object)) {
    std::optional<TypeSize> Size = Local->getAllocationSize(M.getDataLayout());
    if (Size && Known) {
      APInt Offset(64, 0);
      Value *Base = Pointer->stripAndAccumulateConstantOffsets(M.getDataLayout(), Offset,
                                                               /*AllowNonInbounds=*/true);
      if (Base == Local && Offset.sge(0) && (Offset + Known).sle(Size->getFixedValue()))
        return true;
    }
    if (Size) {
      FunctionCallee Check = machine("__cpr_emu_check_local", B.getVoidTy(),
                                     {B.getPtrTy(), B.getInt64Ty(), B.getPtrTy(), B.getInt64Ty(),
                                      B.getInt32Ty(), B.getInt32Ty()});
      B.CreateCall(Check, {Pointer, Bytes, Local, B.getInt64(Size->getFixedValue()),
                           B.getInt32(static_cast<uint32_t>(A.value())), B.getInt32(siteOf(I))});
      return true;
    }
  }
  // What lanes have given to each other lies in the machine.
  if (auto *Call = dyn_cast<CallInst>(Object))
    if (Function *Callee = Call->getCalledFunction();
        Callee && Callee->getName() == "__cpr_emu_exchange")
      return false;
  Value *Flat = Pointer->getType()->getPointerAddressSpace() == Generic
                    ? Pointer
                    : B.CreateAddrSpaceCast(Pointer, B.getPtrTy());
  const char *Names[] = {"__cpr_emu_read", "__cpr_emu_write", "__cpr_emu_atomic_read",
                         "__cpr_emu_atomic_write", "__cpr_emu_atomic_update"};
  FunctionCallee Check = machine(Names[Kind], B.getVoidTy(),
                                 {B.getPtrTy(), B.getInt64Ty(), B.getInt32Ty(), B.getInt32Ty()});
  const uint32_t Hint = Kind == 0 ? Hints.lookup(I) : 0;
  B.CreateCall(Check,
               {Flat, Bytes, B.getInt32(static_cast<uint32_t>(A.value()) | Hint << HintShift),
                B.getInt32(siteOf(I))});
  return false;
}

/// Which way conditions go: a byte for each way, which is set when it is taken. And turns of all
/// loops, lest one go on for ever.
void Lowering::watchGuards() {
  IRBuilder<> Types(Ctx);
  Constant *Where = nullptr;
  for (Function &F : M) {
    if (F.isDeclaration() || !F.getSubprogram())
      continue;
    DominatorTree Tree(F);
    LoopInfo Loops(Tree);
    SmallVector<std::pair<Instruction *, Value *>> Found;
    for (Instruction &I : instructions(F)) {
      if (!I.getMetadata(Guards))
        continue;
      if (auto *Branch = dyn_cast<BranchInst>(&I); Branch && Branch->isConditional())
        Found.push_back({&I, Branch->getCondition()});
      else if (auto *Select = dyn_cast<SelectInst>(&I);
               Select && Select->getCondition()->getType()->isIntegerTy(1))
        Found.push_back({&I, Select->getCondition()});
    }
    for (Loop *L : Loops.getLoopsInPreorder()) {
      // Where each turn touches memory the limit of accesses does.
      BasicBlock *Latch = L->getLoopLatch();
      if (!L->getHeader()->getTerminator()->getMetadata(Guards) &&
          !(Latch && Latch->getTerminator()->getMetadata(Guards)))
        continue; // of the device library
      if (Latch && any_of(L->blocks(), [&](BasicBlock *Block) {
            return Tree.dominates(Block, Latch) && any_of(*Block, [](const Instruction &I) {
                     auto *Call = dyn_cast<CallInst>(&I);
                     const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
                     return Callee && is_contained({"__cpr_emu_read", "__cpr_emu_write",
                                                    "__cpr_emu_atomic_update"},
                                                   Callee->getName());
                   });
          }))
        continue;
      IRBuilder<> B(&*L->getHeader()->getFirstInsertionPt());
      B.CreateCall(machine("__cpr_emu_tick", B.getVoidTy(), {B.getInt32Ty()}),
                   {B.getInt32(siteOf(&*L->getHeader()->getFirstInsertionPt()))});
    }
    for (auto [I, Condition] : Found) {
      if (isa<Constant>(Condition))
        continue;
      // Whether a loop goes on: seen both ways as soon as it comes to an end.
      const Loop *L = isa<BranchInst>(I) ? Loops.getLoopFor(I->getParent()) : nullptr;
      if (L && L->isLoopExiting(I->getParent()))
        continue;
      IRBuilder<> B(I);
      if (!Where)
        Where = M.getOrInsertGlobal("__cpr_emu_guards", B.getPtrTy());
      Value *Number = B.CreateAdd(B.CreateZExt(Condition, B.getInt64Ty()),
                                  B.getInt64(2 * Result.Guards.size()));
      B.CreateStore(B.getInt8(1),
                    B.CreateGEP(B.getInt8Ty(), B.CreateLoad(B.getPtrTy(), Where), Number));
      LoweredModule::Guard G;
      G.Site = siteOf(I);
      Result.Guards.push_back(G);
    }
  }
}

void Lowering::instrument() {
  const DataLayout &Layout = M.getDataLayout();
  SmallVector<Instruction *> Work;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (I.mayReadOrWriteMemory())
        Work.push_back(&I);
  IRBuilder<> B(Ctx);
  for (Instruction *I : Work) {
    auto Fixed = [&](Type *T) { return Layout.getTypeStoreSize(T).getFixedValue(); };
    if (auto *L = dyn_cast<LoadInst>(I)) {
      uint64_t N = Fixed(L->getType());
      bool Weak = !L->isAtomic() && !L->isVolatile();
      // Where the host has put a local variable is the host's business.
      if (announce(I, L->getPointerOperand(), B.getInt64(N), N, L->getAlign(), Weak ? 0 : 2) &&
          !L->isAtomic())
        L->setAlignment(Align(1));
    } else if (auto *S = dyn_cast<StoreInst>(I)) {
      uint64_t N = Fixed(S->getValueOperand()->getType());
      bool Weak = !S->isAtomic() && !S->isVolatile();
      if (announce(I, S->getPointerOperand(), B.getInt64(N), N, S->getAlign(), Weak ? 1 : 3) &&
          !S->isAtomic())
        S->setAlignment(Align(1));
    } else if (auto *RMW = dyn_cast<AtomicRMWInst>(I)) {
      uint64_t N = Fixed(RMW->getValOperand()->getType());
      announce(I, RMW->getPointerOperand(), B.getInt64(N), N, Align(N), 4);
    } else if (auto *X = dyn_cast<AtomicCmpXchgInst>(I)) {
      uint64_t N = Fixed(X->getNewValOperand()->getType());
      announce(I, X->getPointerOperand(), B.getInt64(N), N, Align(N), 4);
    } else if (auto *Move = dyn_cast<AnyMemTransferInst>(I)) {
      auto *Length = dyn_cast<ConstantInt>(Move->getLength());
      uint64_t N = Length ? Length->getZExtValue() : 0;
      Value *Bytes = IRBuilder<>(I).CreateZExtOrTrunc(Move->getLength(), B.getInt64Ty());
      if (announce(I, Move->getRawSource(), Bytes, N, Move->getSourceAlign().valueOrOne(), 0))
        Move->setSourceAlignment(Align(1));
      if (announce(I, Move->getRawDest(), Bytes, N, Move->getDestAlign().valueOrOne(), 1))
        Move->setDestAlignment(Align(1));
    } else if (auto *Set = dyn_cast<AnyMemSetInst>(I)) {
      auto *Length = dyn_cast<ConstantInt>(Set->getLength());
      uint64_t N = Length ? Length->getZExtValue() : 0;
      Value *Bytes = IRBuilder<>(I).CreateZExtOrTrunc(Set->getLength(), B.getInt64Ty());
      if (announce(I, Set->getRawDest(), Bytes, N, Set->getDestAlign().valueOrOne(), 1))
        Set->setDestAlignment(Align(1));
    }
  }
}

//===----------------------------------------------------------------------===//
// Built-in variables, barriers, inline PTX
//===----------------------------------------------------------------------===//

void Lowering::replaceByUnsupported(CallInst *Call, const Twine &What) {
  IRBuilder<> B(Call);
  markSite(B, Call);
  SmallString<128> Storage;
  B.CreateCall(machine("__cpr_emu_unsupported", B.getVoidTy(), {B.getPtrTy()}),
               {text(B, What.toStringRef(Storage))});
  if (!Call->getType()->isVoidTy())
    Call->replaceAllUsesWith(PoisonValue::get(Call->getType()));
  Call->eraseFromParent();
}

void Lowering::lowerCalls() {
  SmallVector<CallInst *> Work;
  for (Function &F : M)
    for (Instruction &I : instructions(F)) {
      if (auto *Call = dyn_cast<CallInst>(&I))
        Work.push_back(Call);
    }
  for (CallInst *Call : Work) {
    if (Call->isInlineAsm()) {
      lowerAsm(Call);
      continue;
    }
    Function *Callee = Call->getCalledFunction();
    if (!Callee) {
      IRBuilder<> B(Call);
      B.CreateCall(machine("__cpr_emu_call", B.getVoidTy(), {B.getPtrTy(), B.getInt32Ty()}),
                   {Call->getCalledOperand(), B.getInt32(siteOf(Call))});
      continue;
    }
    StringRef Name = Callee->getName();
    if (Name.starts_with("llvm.nvvm.") || Name == "llvm.trap" || Name == "llvm.debugtrap" ||
        Name == "llvm.ubsantrap") {
      if (!lowerIntrinsic(Call, Name))
        replaceByUnsupported(Call, "'" + Name.drop_front(5) + "' is not emulated");
    } else if (Name.starts_with("__cpr_emu_") && Callee->isDeclaration()) {
      // Those that were put in by instrument() bring their site along.
      if (!Name.starts_with("__cpr_emu_read") && !Name.starts_with("__cpr_emu_write") &&
          !Name.starts_with("__cpr_emu_atomic_") && Name != "__cpr_emu_check_local" &&
          Name != "__cpr_emu_whole" && !Name.starts_with("__cpr_emu_turn") &&
          Name != "__cpr_emu_enter_loop" && Name != "__cpr_emu_tick" &&
          Name != "__cpr_emu_divide" && Name != "__cpr_emu_call" &&
          !Name.starts_with("__cpr_emu_assume")) {
        IRBuilder<> B(Call);
        markSite(B, Call);
      }
    } else if (Callee->isDeclaration() && !Callee->isIntrinsic() && !hostFunction(Name)) {
      IRBuilder<> B(Call); // stubUnknown() will complain of it
      markSite(B, Call);
    }
  }
  SmallVector<FenceInst *> Fences;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Fence = dyn_cast<FenceInst>(&I))
        Fences.push_back(Fence);
  for (FenceInst *Fence : Fences) {
    IRBuilder<> B(Fence);
    B.CreateCall(machine("__cpr_emu_fence", B.getVoidTy(), {}), {});
    Fence->eraseFromParent();
  }
}

bool Lowering::lowerIntrinsic(CallInst *Call, StringRef Name) {
  IRBuilder<> B(Call);
  Type *I32 = B.getInt32Ty();
  auto Finish = [&](Value *With) {
    if (With)
      Call->replaceAllUsesWith(With);
    Call->eraseFromParent();
    return true;
  };
  if (Name == "llvm.trap" || Name == "llvm.debugtrap" || Name == "llvm.ubsantrap") {
    markSite(B, Call);
    B.CreateCall(machine("__cpr_emu_fault", B.getVoidTy(), {B.getPtrTy()}),
                 {text(B, "the kernel executes a trap")});
    return Finish(nullptr);
  }
  Name.consume_front("llvm.nvvm.");

  StringRef Register = Name;
  if (Register.consume_front("read.ptx.sreg.")) {
    // The hot ones are in the context: Tid, Ntid, Ctaid, Nctaid, Lane (Machine.h).
    const char *Groups[] = {"tid", "ntid", "ctaid", "nctaid"};
    int Index = Register == "laneid" ? 12 : -1;
    for (int G = 0; G != 4; ++G)
      for (int D = 0; D != 3; ++D)
        if (Register == (Twine(Groups[G]) + "." + Twine("xyz"[D])).str())
          Index = G * 3 + D;
    if (Index >= 0) {
      Constant *Where = M.getOrInsertGlobal("__cpr_emu_context", B.getPtrTy());
      Value *Context = B.CreateLoad(B.getPtrTy(), Where);
      return Finish(B.CreateLoad(I32, B.CreateConstInBoundsGEP1_32(I32, Context, Index)));
    }
    markSite(B, Call);
    Value *V = B.CreateCall(machine("__cpr_emu_special_register", B.getInt64Ty(), {B.getPtrTy()}),
                            {text(B, Register)});
    return Finish(B.CreateZExtOrTrunc(V, Call->getType()));
  }

  auto Barrier = [&](Value *Id, Value *Threads, Value *Predicate) {
    markSite(B, Call);
    return B.CreateCall(machine("__cpr_emu_barrier", I32, {I32, I32, I32}),
                        {Id, Threads, Predicate});
  };
  StringRef Rest = Name;
  if (Rest.consume_front("barrier.cta.")) {
    Value *Id = Call->getArgOperand(0);
    bool Count = Rest.ends_with(".count");
    Value *Threads = Count ? Call->getArgOperand(1) : B.getInt32(0);
    if (Rest.starts_with("sync.")) {
      Barrier(Id, Threads, B.getInt32(0));
      return Finish(nullptr);
    }
    if (Rest.starts_with("arrive.")) {
      markSite(B, Call);
      B.CreateCall(machine("__cpr_emu_barrier_arrive", B.getVoidTy(), {I32, I32}), {Id, Threads});
      return Finish(nullptr);
    }
    if (Rest.starts_with("red.")) {
      Value *Predicate = Call->getArgOperand(Call->arg_size() - 1);
      Predicate = B.CreateZExtOrTrunc(Predicate, I32);
      Predicate = B.CreateZExt(B.CreateICmpNE(Predicate, B.getInt32(0)), I32);
      bool And = Rest.starts_with("red.and.");
      Value *V = Barrier(Id, Threads, And ? B.CreateXor(Predicate, 1) : Predicate);
      if (Rest.starts_with("red.popc."))
        return Finish(B.CreateZExtOrTrunc(V, Call->getType()));
      V = And ? B.CreateICmpEQ(V, B.getInt32(0)) : B.CreateICmpNE(V, B.getInt32(0));
      return Finish(B.CreateZExtOrTrunc(V, Call->getType()));
    }
    return false;
  }
  if (Name == "bar.warp.sync") {
    markSite(B, Call);
    B.CreateCall(machine("__cpr_emu_sync_warp", B.getVoidTy(), {I32}), {Call->getArgOperand(0)});
    return Finish(nullptr);
  }
  if (Name == "activemask") {
    markSite(B, Call);
    return Finish(B.CreateCall(machine("__cpr_emu_active_mask", I32, {})));
  }
  if (Name == "membar.cta" || Name.starts_with("fence.proxy."))
    return Finish(nullptr); // for the block alone, or between ways to the same memory
  if (Name.starts_with("membar.") || Name.starts_with("fence.")) {
    B.CreateCall(machine("__cpr_emu_fence", B.getVoidTy(), {}), {});
    return Finish(nullptr);
  }
  if (Name.starts_with("isspacep.")) {
    Value *V = B.CreateCall(machine("__cpr_emu_is_space", I32, {B.getPtrTy(), B.getPtrTy()}),
                            {Call->getArgOperand(0), text(B, Name.drop_front(9))});
    return Finish(B.CreateICmpNE(V, B.getInt32(0)));
  }
  if (Name == "nanosleep")
    return Finish(nullptr);
  return false;
}

void Lowering::lowerAsm(CallInst *Call) {
  auto *Asm = cast<InlineAsm>(Call->getCalledOperand());
  std::string Text = Asm->getAsmString().str();
  InlineAsm::ConstraintInfoVector Constraints = Asm->ParseConstraints();
  IRBuilder<> B(Call);
  const DataLayout &Layout = M.getDataLayout();

  // Operands in PTX's order: outputs, then inputs. An input that is tied to an output ("+r") starts
  // that output's register off as well.
  struct Operand {
    Value *In = nullptr; ///< null: an output
    Type *Ty = nullptr;
    int TiedTo = -1;
  };
  std::vector<Operand> Operands;
  SmallVector<Type *> Outputs;
  if (auto *Struct = dyn_cast<StructType>(Call->getType()))
    Outputs.append(Struct->element_begin(), Struct->element_end());
  else if (!Call->getType()->isVoidTy())
    Outputs.push_back(Call->getType());
  unsigned Out = 0, Arg = 0;
  for (const InlineAsm::ConstraintInfo &C : Constraints) {
    if (C.Type == InlineAsm::isClobber)
      continue;
    if (C.Type == InlineAsm::isLabel || C.isIndirect)
      return replaceByUnsupported(Call, "an asm statement with a memory operand is not emulated");
    Operand O;
    if (C.Type == InlineAsm::isOutput) {
      O.Ty = Outputs[Out++];
    } else {
      O.In = Call->getArgOperand(Arg++);
      O.Ty = O.In->getType();
      StringRef Code = C.Codes.empty() ? "" : StringRef(C.Codes.front());
      int Match = -1;
      if (!Code.getAsInteger(10, Match))
        O.TiedTo = Match;
      // An immediate is part of the text.
      auto *Immediate = dyn_cast<ConstantInt>(O.In);
      if (Immediate && (Code == "n" || Code == "i")) {
        std::string From = "$" + std::to_string(Operands.size());
        std::string To = std::to_string(Immediate->getSExtValue());
        for (size_t At = 0; (At = Text.find(From, At)) != std::string::npos;) {
          char Next = At + From.size() < Text.size() ? Text[At + From.size()] : ' ';
          bool Escaped = At > 0 && Text[At - 1] == '$';
          if (isDigit(Next) || Escaped) {
            At += From.size();
            continue;
          }
          Text.replace(At, From.size(), To);
          At += To.size();
        }
      }
    }
    Operands.push_back(O);
  }
  std::vector<unsigned> Bits;
  for (const Operand &O : Operands) {
    uint64_t N = Layout.getTypeSizeInBits(O.Ty).getFixedValue();
    if (N > 64 || !(O.Ty->isIntegerTy() || O.Ty->isFloatingPointTy() || O.Ty->isPointerTy()))
      return replaceByUnsupported(
          Call, "an asm statement with an operand of more than 64 bits is not emulated");
    Bits.push_back(static_cast<unsigned>(N));
  }
  Expected<std::unique_ptr<PtxBlock>> Block = PtxBlock::parse(Text, Bits);
  if (!Block)
    return replaceByUnsupported(Call, "inline PTX: " + toString(Block.takeError()));

  auto ToBits = [&](Value *V) -> Value * {
    if (V->getType()->isPointerTy()) {
      if (V->getType()->getPointerAddressSpace() != Generic)
        V = B.CreateAddrSpaceCast(V, B.getPtrTy());
      return B.CreatePtrToInt(V, B.getInt64Ty());
    }
    if (V->getType()->isFloatingPointTy())
      V = B.CreateBitCast(V, B.getIntNTy(V->getType()->getPrimitiveSizeInBits()));
    return B.CreateZExtOrTrunc(V, B.getInt64Ty());
  };
  Function *F = Call->getFunction();
  IRBuilder<> Top(&*F->getEntryBlock().getFirstInsertionPt());
  auto *ArrayTy = ArrayType::get(B.getInt64Ty(), std::max<size_t>(Operands.size(), 1));
  AllocaInst *Array = Top.CreateAlloca(ArrayTy);
  auto Slot = [&](unsigned I) { return B.CreateConstInBoundsGEP2_32(ArrayTy, Array, 0, I); };
  for (unsigned I = 0; I != Operands.size(); ++I) {
    B.CreateStore(Operands[I].In ? ToBits(Operands[I].In) : B.getInt64(0), Slot(I));
    if (Operands[I].TiedTo >= 0)
      B.CreateStore(ToBits(Operands[I].In), Slot(static_cast<unsigned>(Operands[I].TiedTo)));
  }
  Value *Address =
      B.CreateIntToPtr(B.getInt64(reinterpret_cast<uint64_t>(Block->get())), B.getPtrTy());
  Result.Ptx.push_back(std::move(*Block));
  if (Numbered)
    B.CreateCall(
        machine("__cpr_emu_ptx_numbered", B.getVoidTy(),
                {B.getPtrTy(), B.getPtrTy(), B.getInt32Ty(), B.getInt32Ty(), B.getInt32Ty()}),
        {Address, Array, B.getInt32(siteOf(Call)),
         B.getInt32(static_cast<uint32_t>(Operands.size())),
         B.getInt32(static_cast<uint32_t>(Outputs.size()))});
  else
    B.CreateCall(
        machine("__cpr_emu_ptx", B.getVoidTy(), {B.getPtrTy(), B.getPtrTy(), B.getInt32Ty()}),
        {Address, Array, B.getInt32(siteOf(Call))});

  auto FromBits = [&](Value *V, Type *Ty) -> Value * {
    if (Ty->isPointerTy())
      return B.CreateIntToPtr(V, Ty);
    V = B.CreateTrunc(V, B.getIntNTy(static_cast<unsigned>(Layout.getTypeSizeInBits(Ty))));
    return Ty->isFloatingPointTy() ? B.CreateBitCast(V, Ty) : V;
  };
  if (!Outputs.empty()) {
    Value *All = PoisonValue::get(Call->getType());
    for (unsigned I = 0; I != Outputs.size(); ++I) {
      Value *V = FromBits(B.CreateLoad(B.getInt64Ty(), Slot(I)), Outputs[I]);
      All = Call->getType()->isStructTy() ? B.CreateInsertValue(All, V, I) : V;
    }
    Call->replaceAllUsesWith(All);
  }
  Call->eraseFromParent();
}

//===----------------------------------------------------------------------===//
// Variables, entries, and what is left
//===----------------------------------------------------------------------===//

void Lowering::placeVariables() {
  const DataLayout &Layout = M.getDataLayout();
  SmallVector<GlobalVariable *> Globals;
  for (GlobalVariable &G : M.globals())
    Globals.push_back(&G);
  for (GlobalVariable *G : Globals) {
    if (G->getName().starts_with("__cpr_emu_") || G->getName().starts_with("llvm."))
      continue;
    Type *T = G->getValueType();
    // The object of a conversion (`dim3 t = threadIdx;`) has an address, and nothing in it.
    if (G->isDeclaration() &&
        is_contained({"threadIdx", "blockIdx", "blockDim", "gridDim"}, G->getName())) {
      G->setInitializer(Constant::getNullValue(T));
      G->setLinkage(GlobalValue::InternalLinkage);
      G->setDSOLocal(true);
      continue;
    }
    uint64_t Bytes = T->isSized() ? Layout.getTypeAllocSize(T).getFixedValue() : 0;
    std::string Name = shortName(G->getName());
    if (G->getAddressSpace() == SharedSpace) {
      LoweredModule::SharedVariable S;
      S.Name = Name;
      S.Bytes = Bytes;
      S.Align = G->getAlign().valueOrOne().value();
      S.ElementBytes = elementBytes(T, Layout);
      S.Dynamic = G->isDeclaration();
      S.Symbol = "__cpr_shared_" + std::to_string(Result.Shared.size());
      // An address that the linker is given.
      auto *Place = new GlobalVariable(M, T, false, GlobalValue::ExternalLinkage, nullptr, S.Symbol,
                                       nullptr, GlobalValue::NotThreadLocal, SharedSpace);
      Place->setAlignment(G->getAlign());
      G->replaceAllUsesWith(Place);
      G->eraseFromParent();
      Result.Shared.push_back(std::move(S));
      continue;
    }
    if (G->isDeclaration())
      continue; // stubUnknown() is for functions; the linker names it
    LoweredModule::DeviceVariable V;
    V.Name = Name;
    V.Mangled = G->getName().str();
    V.Bytes = Bytes;
    V.InConstantMemory = G->getAddressSpace() == ConstantSpace;
    V.Constant = V.InConstantMemory || G->isConstant();
    V.User = isOfUser(*G);
    V.Initialised = G->hasInitializer() && !G->getInitializer()->isNullValue() &&
                    !isa<UndefValue>(G->getInitializer());
    addLeaves(T, 0, Layout, V.Leaves);
    V.Symbol = "__cpr_variable_" + std::to_string(Result.Variables.size());
    G->setName(V.Symbol);
    V.Symbol = G->getName().str();
    G->setLinkage(GlobalValue::ExternalLinkage);
    G->setDSOLocal(false);
    // The host writes `__constant__` variables before a launch.
    G->setConstant(false);
    Result.Variables.push_back(std::move(V));
  }
}

void Lowering::nameFunctions() {
  for (Function &F : M)
    if (!F.isDeclaration() && F.hasAddressTaken()) {
      const std::string Symbol = "__cpr_function_" + std::to_string(Result.Functions.size());
      GlobalAlias::create(F.getValueType(), 0, GlobalValue::ExternalLinkage, Symbol, &F, &M);
      Result.Functions.push_back({F.getName().str(), Symbol});
    }
}

void Lowering::makeEntries() {
  for (const std::string &K : Kernels) {
    Function *F = M.getFunction(K);
    IRBuilder<> B(Ctx);
    auto *Ty = FunctionType::get(B.getVoidTy(), {B.getPtrTy()}, false);
    Function *Entry = Function::Create(Ty, GlobalValue::ExternalLinkage, entrySymbol(K), M);
    B.SetInsertPoint(BasicBlock::Create(Ctx, "", Entry));
    SmallVector<Value *> Args;
    for (Argument &A : F->args()) {
      Value *Where = B.CreateLoad(
          B.getPtrTy(), B.CreateConstInBoundsGEP1_32(B.getPtrTy(), Entry->getArg(0), A.getArgNo()));
      if (A.hasByValAttr()) {
        // A copy per thread: a kernel may write its parameters.
        Type *T = A.getParamByValType();
        AllocaInst *Copy = B.CreateAlloca(T);
        Copy->setAlignment(std::max(Copy->getAlign(), Align(16)));
        MaybeAlign Wanted = A.getParamAlign();
        if (Wanted)
          Copy->setAlignment(std::max(Copy->getAlign(), *Wanted));
        const uint64_t Bytes = M.getDataLayout().getTypeAllocSize(T).getFixedValue();
        B.CreateMemCpy(Copy, Copy->getAlign(), Where, Align(1), Bytes);
        if (Numbered) // its memory was another thread's before
          B.CreateCall(machine("__cpr_num_fill", B.getVoidTy(),
                               {B.getPtrTy(), B.getInt64Ty(), B.getInt64Ty()}),
                       {Copy, B.getInt64(Bytes), B.getInt64(0)});
        Args.push_back(Copy);
      } else {
        Args.push_back(B.CreateAlignedLoad(A.getType(), Where, Align(1)));
      }
    }
    CallInst *Call = B.CreateCall(F, Args);
    for (Argument &A : F->args())
      if (A.hasByValAttr()) {
        Call->addParamAttr(A.getArgNo(), Attribute::getWithByValType(Ctx, A.getParamByValType()));
        if (MaybeAlign Wanted = A.getParamAlign())
          Call->addParamAttr(A.getArgNo(), Attribute::getWithAlignment(Ctx, *Wanted));
      }
    B.CreateRetVoid();
    F->setLinkage(GlobalValue::InternalLinkage);
    F->setComdat(nullptr);
  }
}

/// Functions without a body: the machine's and the host's stay; others end the run when they are
/// called, and not before.
void Lowering::stubUnknown() {
  SmallVector<Function *> Unknown;
  for (Function &F : M) {
    if (!F.isDeclaration() || F.isIntrinsic() || F.getName().starts_with("__cpr_emu_") ||
        F.getName().starts_with("__cpr_num_"))
      continue;
    if (!hostFunction(F.getName()))
      Unknown.push_back(&F);
  }
  for (Function *F : Unknown) {
    if (F->use_empty()) {
      F->eraseFromParent();
      continue;
    }
    std::string Name = demangle(F->getName().str());
    // (What stands for a function that there is none of ends the program.)
    if (Result.Unseen.empty() && F->getName() != "__cxa_pure_virtual" &&
        F->getName() != "__cxa_deleted_virtual") {
      Result.Unseen = Name;
      for (const User *U : F->users())
        if (const auto *Call = dyn_cast<CallInst>(U))
          Result.UnseenAt = siteOf(Call);
    }
    F->deleteBody();
    IRBuilder<> B(BasicBlock::Create(Ctx, "", F));
    B.CreateCall(machine("__cpr_emu_unsupported", B.getVoidTy(), {B.getPtrTy()}),
                 {text(B, "a call of '" + Name + "', which is not emulated")});
    B.CreateUnreachable();
    F->setLinkage(GlobalValue::InternalLinkage);
  }
}

} // namespace

Expected<LoweredModule> lower(Module &M, ArrayRef<std::string> Kernels, const Triple &Host,
                              const DataLayout &HostLayout, bool WithHints, bool Numbered) {
  return Lowering(M, Kernels, Host, HostLayout, WithHints, Numbered).run();
}

} // namespace emulator
} // namespace cuda_pipeline
