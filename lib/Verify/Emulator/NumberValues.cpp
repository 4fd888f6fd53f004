//===- NumberValues.cpp - Code that numbers what it computes -------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "NumberValues.h"
#include "Runtime.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace cuda_pipeline {
namespace emulator {

/// The attribute of a function that makes one value of others and does nothing else. Its value is a
/// hash of the body.
static constexpr StringLiteral Pure = "cpr-pure", Candidate = "cpr-maybe-pure";

static bool isPlainValue(const Type *T) {
  if (const auto *S = dyn_cast<StructType>(T))
    return S->getNumElements() != 0 && all_of(S->elements(), isPlainValue);
  return T->isIntOrIntVectorTy() || T->isFPOrFPVectorTy();
}

void chooseInlining(Module &M) {
  CallGraph Graph(M);
  for (scc_iterator<CallGraph *> I = scc_begin(&Graph); !I.isAtEnd(); ++I) {
    Function *F = (*I).front()->getFunction();
    if (I.hasCycle() || !F || F->isDeclaration() || !F->hasLocalLinkage())
      continue;
    F->removeFnAttr(Attribute::NoInline);
    F->removeFnAttr(Attribute::OptimizeNone);
    F->removeFnAttr(Attribute::AlwaysInline);
    if (!F->hasAddressTaken() && isPlainValue(F->getReturnType()) &&
        all_of(F->args(), [](const Argument &A) { return isPlainValue(A.getType()); })) {
      F->addFnAttr(Candidate);
      F->addFnAttr(Attribute::NoInline);
    } else {
      F->addFnAttr(Attribute::AlwaysInline);
    }
  }
}

/// None: it may do something else, or depend on who calls it.
static std::optional<uint64_t> hashOfPure(const Function &F) {
  std::string Text;
  raw_string_ostream OS(Text);
  DenseMap<const Value *, unsigned> Names;
  for (const Argument &A : F.args())
    Names.try_emplace(&A, Names.size());
  for (const BasicBlock &Block : F) {
    Names.try_emplace(&Block, Names.size());
    for (const Instruction &I : Block)
      Names.try_emplace(&I, Names.size());
  }
  for (const Instruction &I : instructions(F)) {
    if (I.isDebugOrPseudoInst() || I.isLifetimeStartOrEnd())
      continue;
    const Value *Pointer = getLoadStorePointerOperand(&I);
    const auto *Call = dyn_cast<CallInst>(&I);
    if (Call) {
      const Function *Callee = Call->getCalledFunction();
      if (!Callee || Callee->getName().starts_with("llvm.nvvm."))
        return std::nullopt;
      if (Callee->hasFnAttribute(Pure))
        OS << Callee->getFnAttribute(Pure).getValueAsString();
      else if (Callee->isDeclaration() &&
               ((Callee->isIntrinsic() && (!I.mayReadOrWriteMemory() || isa<AssumeInst>(I))) ||
                hostFunction(Callee->getName())))
        OS << Callee->getName();
      else
        return std::nullopt;
      if (any_of(Call->args(), [](const Value *V) {
            return V->getType()->isPointerTy() && !isa<AllocaInst>(getUnderlyingObject(V));
          }))
        return std::nullopt;
    } else if (Pointer ? !isa<AllocaInst>(getUnderlyingObject(Pointer, /*MaxLookup=*/0))
                       : I.mayReadOrWriteMemory()) {
      return std::nullopt;
    }
    OS << I.getOpcodeName();
    I.getType()->print(OS << ' ');
    if (const auto *Compare = dyn_cast<CmpInst>(&I))
      OS << ' ' << Compare->getPredicate();
    if (const auto *Local = dyn_cast<AllocaInst>(&I))
      Local->getAllocatedType()->print(OS << ' ');
    if (const auto *Step = dyn_cast<GetElementPtrInst>(&I))
      Step->getSourceElementType()->print(OS << ' ');
    if (const auto *Part = dyn_cast<ExtractValueInst>(&I))
      for (unsigned Index : Part->indices())
        OS << ' ' << Index;
    if (const auto *Part = dyn_cast<InsertValueInst>(&I))
      for (unsigned Index : Part->indices())
        OS << ' ' << Index;
    if (const auto *Shuffle = dyn_cast<ShuffleVectorInst>(&I))
      for (int Lane : Shuffle->getShuffleMask())
        OS << ' ' << Lane;
    for (const Value *Operand : I.operands()) {
      if (isa<Function>(Operand) || Operand->getType()->isMetadataTy())
        continue;
      if (auto Name = Names.find(Operand); Name != Names.end())
        OS << " v" << Name->second;
      else if (isa<GlobalValue>(Operand) || !isa<Constant>(Operand) || isa<ConstantExpr>(Operand))
        return std::nullopt;
      else
        Operand->printAsOperand(OS << ' ');
    }
    if (const auto *Phi = dyn_cast<PHINode>(&I))
      for (const BasicBlock *From : Phi->blocks())
        OS << " b" << Names.lookup(From);
    OS << '\n';
  }
  return xxh3_64bits(Text);
}

bool keepPure(Module &M) {
  bool Others = false;
  CallGraph Graph(M);
  for (scc_iterator<CallGraph *> I = scc_begin(&Graph); !I.isAtEnd(); ++I) {
    Function *F = (*I).front()->getFunction();
    if (!F || F->isDeclaration() || !F->hasFnAttribute(Candidate))
      continue;
    // (Without a branch nothing is decided in it, and what only moves bits is better seen through.)
    if (std::optional<uint64_t> Hash = F->size() > 1 ? hashOfPure(*F) : std::nullopt) {
      F->addFnAttr(Pure, utohexstr(*Hash));
      continue;
    }
    F->removeFnAttr(Attribute::NoInline);
    F->addFnAttr(Attribute::AlwaysInline);
    Others = true;
  }
  return Others;
}

namespace {

/// The machine's own, which is no memory of the kernel.
bool isMachines(const Value *Pointer) {
  const Value *Object = getUnderlyingObject(Pointer, /*MaxLookup=*/0);
  if (const auto *L = dyn_cast<LoadInst>(Object))
    Object = L->getPointerOperand();
  const auto *G = dyn_cast<GlobalVariable>(Object);
  return G && G->getName().starts_with("__cpr_emu_");
}

class Numbering {
public:
  Numbering(Function &F, function_ref<Site(const Instruction *)> SiteOf)
      : F(F), M(*F.getParent()), Layout(M.getDataLayout()), SiteOf(SiteOf), B(M.getContext()),
        Word(B.getInt64Ty()) {}
  void run();

private:
  void findNumbered();
  void visit(Instruction &I);
  void visitCall(CallInst &Call);

  /// One number for each scalar that \p T consists of.
  Type *numbersOf(Type *T) const {
    if (auto *S = dyn_cast<StructType>(T)) {
      SmallVector<Type *> Elements;
      for (Type *E : S->elements())
        Elements.push_back(numbersOf(E));
      return StructType::get(M.getContext(), Elements);
    }
    if (auto *A = dyn_cast<ArrayType>(T))
      return ArrayType::get(numbersOf(A->getElementType()), A->getNumElements());
    if (auto *V = dyn_cast<FixedVectorType>(T))
      return FixedVectorType::get(Word, V->getNumElements());
    return Word;
  }
  bool isNumbered(const Value *V) const { return May.contains(V); }
  Value *number(Value *V) const {
    if (Value *N = Numbers.lookup(V))
      return N;
    return Constant::getNullValue(numbersOf(V->getType()));
  }
  static unsigned lanes(const Type *T) {
    const auto *V = dyn_cast<FixedVectorType>(T);
    return V ? V->getNumElements() : 0;
  }
  uint64_t bytesOf(Type *T) const {
    return std::max<uint64_t>(Layout.getTypeStoreSize(T->getScalarType()).getFixedValue(), 1);
  }
  Value *constant(uint64_t C, Value *Like) const { return ConstantInt::get(Like->getType(), C); }

  /// As mix() of ValueNumbers.h, lane by lane.
  Value *mixed(Value *X, Value *Y) {
    Y = B.CreateMul(B.CreateXor(Y, constant(MixBy[1], Y)), constant(MixBy[2], Y));
    Y = B.CreateOr(B.CreateShl(Y, constant(32, Y)), B.CreateLShr(Y, constant(32, Y)));
    X = B.CreateXor(B.CreateMul(B.CreateAdd(X, constant(MixBy[0], X)), constant(MixBy[3], X)), Y);
    X = B.CreateMul(B.CreateXor(X, B.CreateLShr(X, constant(29, X))), constant(MixBy[1], X));
    return B.CreateXor(X, B.CreateLShr(X, constant(32, X)));
  }
  /// The bits of each lane.
  Value *bitsOf(Value *V) {
    Type *T = V->getType();
    Type *To = lanes(T) ? FixedVectorType::get(Word, lanes(T)) : static_cast<Type *>(Word);
    if (T->isPtrOrPtrVectorTy())
      return B.CreatePtrToInt(V, To);
    if (T->isFPOrFPVectorTy()) {
      const unsigned Bits = T->getScalarSizeInBits();
      Type *Int = B.getIntNTy(Bits);
      V = B.CreateBitCast(V, lanes(T) ? FixedVectorType::get(Int, lanes(T)) : Int);
    }
    if (V->getType()->getScalarSizeInBits() > 64) {
      Value *High = B.CreateTrunc(B.CreateLShr(V, ConstantInt::get(V->getType(), 64)), To);
      return B.CreateXor(B.CreateTrunc(V, To), B.CreateMul(High, constant(MixBy[0], High)));
    }
    return B.CreateZExtOrTrunc(V, To);
  }
  /// What stands for \p V where it is computed with: its number, or else its bits.
  Value *identity(Value *V) {
    if (isa<StructType, ArrayType>(V->getType()))
      return folded(number(V)); // none is computed with
    Value *Own;
    if (V->getType()->isPointerTy()) {
      Own = B.CreateCall(runtime("__cpr_num_pointer", Word, {B.getPtrTy()}), {flat(V)});
    } else {
      Value *Bits = bitsOf(V);
      Own = mixed(Bits, constant(MixBy[0], Bits));
    }
    if (!isNumbered(V))
      return Own;
    Value *N = number(V);
    return B.CreateSelect(B.CreateICmpEQ(N, constant(0, N)), Own, N);
  }
  /// One number of many; zero if all are.
  Value *folded(Value *N) {
    Type *T = N->getType();
    if (T == Word)
      return N;
    Value *All = nullptr, *Any = nullptr;
    const unsigned Count = lanes(T) ? lanes(T)
                           : isa<ArrayType>(T)
                               ? static_cast<unsigned>(cast<ArrayType>(T)->getNumElements())
                               : cast<StructType>(T)->getNumElements();
    for (unsigned I = 0; I != Count; ++I) {
      Value *One = lanes(T) ? B.CreateExtractElement(N, I) : folded(B.CreateExtractValue(N, I));
      All = All ? mixed(All, One) : One;
      Any = Any ? B.CreateOr(Any, One) : One;
    }
    if (!All)
      return B.getInt64(0);
    return B.CreateSelect(B.CreateICmpEQ(Any, B.getInt64(0)), B.getInt64(0), All);
  }
  /// The number of what \p Name makes of \p Operands, of type \p T: lane by lane where both have
  /// lanes. The order of the first two is nothing if \p Commutes.
  Value *computed(StringRef Name, Type *T, ArrayRef<Value *> Operands, bool Commutes = false) {
    if (isa<StructType, ArrayType>(T)) {
      Value *All = Constant::getNullValue(numbersOf(T));
      const unsigned Count = isa<ArrayType>(T)
                                 ? static_cast<unsigned>(cast<ArrayType>(T)->getNumElements())
                                 : cast<StructType>(T)->getNumElements();
      for (unsigned I = 0; I != Count; ++I) {
        Type *Part = isa<ArrayType>(T) ? cast<ArrayType>(T)->getElementType()
                                       : cast<StructType>(T)->getElementType(I);
        All = B.CreateInsertValue(All, computed((Name + "." + Twine(I)).str(), Part, Operands), I);
      }
      return All;
    }
    const unsigned Lanes = lanes(T);
    Value *Any = nullptr;
    SmallVector<Value *> Ids;
    for (Value *V : Operands) {
      Value *Id = identity(V), *N = number(V);
      if (lanes(V->getType()) != Lanes || isa<StructType, ArrayType>(V->getType())) {
        Id = folded(Id);
        N = folded(N);
        if (Lanes) {
          Id = B.CreateVectorSplat(Lanes, Id);
          N = B.CreateVectorSplat(Lanes, N);
        }
      }
      Ids.push_back(Id);
      Any = Any ? B.CreateOr(Any, N) : N;
    }
    if (!Any)
      return Constant::getNullValue(numbersOf(T));
    if (Commutes) {
      Value *Less = B.CreateICmpULT(Ids[0], Ids[1]);
      Value *Low = B.CreateSelect(Less, Ids[0], Ids[1]);
      Ids[1] = B.CreateSelect(Less, Ids[1], Ids[0]);
      Ids[0] = Low;
    }
    Value *All = constant(xxh3_64bits(Name), Ids.front());
    for (Value *Id : Ids)
      All = mixed(All, Id);
    All =
        B.CreateOr(B.CreateAnd(All, constant(HashBits, All)), constant(sizeBits(bytesOf(T)), All));
    return B.CreateSelect(B.CreateICmpEQ(Any, constant(0, Any)), constant(0, All), All);
  }
  /// \p N, unless one operand says nothing: `t * 64 + x` of the first tile is `x` where `t` is
  /// known to be 0. Integers only: `1.0f * x` is another NaN than `x`, and maybe no denormal.
  Value *withoutNeutral(BinaryOperator &I, Value *N) {
    uint64_t Neutral = 0;
    bool EitherSide = false, Absorbs = false;
    switch (I.getOpcode()) {
    case Instruction::Add:
      EitherSide = true;
      break;
    case Instruction::Sub:
    case Instruction::Shl:
    case Instruction::LShr:
    case Instruction::AShr:
      break;
    case Instruction::Mul:
      EitherSide = Absorbs = true;
      [[fallthrough]];
    case Instruction::SDiv:
    case Instruction::UDiv:
      Neutral = 1;
      break;
    default:
      return N;
    }
    for (unsigned Side : {1u, 0u}) {
      if (Side == 0 && !EitherSide)
        break;
      Value *Of = I.getOperand(Side), *Other = number(I.getOperand(1 - Side));
      auto Is = [&](uint64_t What) {
        return B.CreateAnd(B.CreateICmpEQ(number(Of), constant(0, N)),
                           B.CreateICmpEQ(bitsOf(Of), constant(What, N)));
      };
      N = B.CreateSelect(Is(Neutral), Other, N);
      if (Absorbs)
        N = B.CreateSelect(Is(0), constant(0, N), N);
    }
    return N;
  }
  std::string nameOf(const Instruction &I) const {
    std::string Name;
    raw_string_ostream OS(Name);
    OS << I.getOpcodeName() << ' ';
    if (const auto *Compare = dyn_cast<CmpInst>(&I))
      OS << CmpInst::getPredicateName(Compare->getPredicate()) << ' ';
    if (const auto *Call = dyn_cast<CallInst>(&I))
      OS << (Call->getCalledFunction() ? Call->getCalledFunction()->getName() : "");
    I.getType()->getScalarType()->print(OS);
    for (const Value *Operand : I.operands())
      if (!Operand->getType()->isLabelTy() && !Operand->getType()->isMetadataTy())
        Operand->getType()->getScalarType()->print(OS << ' ');
    return Name;
  }

  FunctionCallee runtime(StringRef Name, Type *Return, ArrayRef<Type *> Params) {
    FunctionCallee Callee = M.getOrInsertFunction(Name, FunctionType::get(Return, Params, false));
    cast<Function>(Callee.getCallee())->setDoesNotThrow();
    return Callee;
  }
  void decide(Decision::Kind K, Value *Of, const Instruction *At) {
    if (!isNumbered(Of))
      return;
    // Where an array lies is no matter of data, and is another place in another version: its
    // indices are.
    if (auto *Step = dyn_cast<GetElementPtrInst>(Of); Step && K == Decision::Address) {
      for (Value *Operand : Step->operands())
        decide(K, Operand, At);
      return;
    }
    if (auto *Cast = dyn_cast<CastInst>(Of);
        Cast && K == Decision::Address && (isa<AddrSpaceCastInst, SExtInst, ZExtInst>(Cast)))
      return decide(K, Cast->getOperand(0), At);
    Value *N = number(Of);
    if (!N->getType()->isIntegerTy())
      N = folded(N);
    B.CreateCall(
        runtime("__cpr_num_decides", B.getVoidTy(), {Word, B.getInt32Ty(), B.getInt32Ty()}),
        {N, B.getInt32(K), B.getInt32(SiteOf(At))});
  }
  /// Whatever the data are, it is not known what happens here.
  void notFollowed(const Instruction *At) {
    B.CreateCall(
        runtime("__cpr_num_decides", B.getVoidTy(), {Word, B.getInt32Ty(), B.getInt32Ty()}),
        {B.getInt64(1), B.getInt32(Decision::Call), B.getInt32(SiteOf(At))});
  }
  Value *flat(Value *Pointer) {
    return Pointer->getType()->getPointerAddressSpace() == 0
               ? Pointer
               : B.CreateAddrSpaceCast(Pointer, B.getPtrTy());
  }
  Value *at(Value *Pointer, uint64_t Offset) {
    return Offset ? B.CreateConstGEP1_64(B.getInt8Ty(), Pointer, Offset) : Pointer;
  }
  Value *loaded(Value *Pointer, Type *T);
  void stored(Value *Pointer, Type *T, Value *N);
  /// \p V is put into memory, and \p To is read there, \p Shift bytes on (or back); around it are
  /// zeros.
  Value *moved(Value *V, Type *To, int64_t Shift);
  bool isWholeBytes(const Type *T) const {
    return T->isPtrOrPtrVectorTy() ||
           (T->isIntOrIntVectorTy() || T->isFPOrFPVectorTy() ? T->getScalarSizeInBits() % 8 == 0
                                                             : false);
  }

  Function &F;
  Module &M;
  const DataLayout &Layout;
  function_ref<Site(const Instruction *)> SiteOf;
  IRBuilder<> B;
  IntegerType *Word;
  DenseSet<const Value *> May; ///< what may have a number
  DenseMap<const Value *, Value *> Numbers;
};

Value *Numbering::loaded(Value *Pointer, Type *T) {
  if (isa<StructType, ArrayType>(T)) {
    Value *All = Constant::getNullValue(numbersOf(T));
    if (auto *S = dyn_cast<StructType>(T)) {
      const StructLayout *Of = Layout.getStructLayout(S);
      for (unsigned I = 0; I != S->getNumElements(); ++I)
        All = B.CreateInsertValue(
            All, loaded(at(Pointer, Of->getElementOffset(I)), S->getElementType(I)), I);
      return All;
    }
    auto *A = cast<ArrayType>(T);
    const uint64_t Bytes = Layout.getTypeAllocSize(A->getElementType()).getFixedValue();
    for (unsigned I = 0; I != A->getNumElements(); ++I)
      All = B.CreateInsertValue(All, loaded(at(Pointer, I * Bytes), A->getElementType()), I);
    return All;
  }
  const uint64_t Bytes = bytesOf(T);
  auto One = [&](uint64_t Offset) {
    return B.CreateCall(
        runtime("__cpr_num_load", Word, {B.getPtrTy(), B.getInt32Ty(), B.getInt32Ty()}),
        {at(Pointer, Offset), B.getInt32(static_cast<uint32_t>(Bytes)),
         B.getInt32(T->isPtrOrPtrVectorTy())});
  };
  if (!lanes(T))
    return One(0);
  Value *All = Constant::getNullValue(numbersOf(T));
  for (unsigned I = 0; I != lanes(T); ++I)
    All = B.CreateInsertElement(All, One(I * Bytes), I);
  return All;
}

void Numbering::stored(Value *Pointer, Type *T, Value *N) {
  if (auto *S = dyn_cast<StructType>(T)) {
    const StructLayout *Of = Layout.getStructLayout(S);
    for (unsigned I = 0; I != S->getNumElements(); ++I)
      stored(at(Pointer, Of->getElementOffset(I)), S->getElementType(I),
             B.CreateExtractValue(N, I));
    return;
  }
  if (auto *A = dyn_cast<ArrayType>(T)) {
    const uint64_t Bytes = Layout.getTypeAllocSize(A->getElementType()).getFixedValue();
    for (unsigned I = 0; I != A->getNumElements(); ++I)
      stored(at(Pointer, I * Bytes), A->getElementType(), B.CreateExtractValue(N, I));
    return;
  }
  const uint64_t Bytes = bytesOf(T);
  FunctionCallee Store =
      runtime("__cpr_num_store", B.getVoidTy(), {B.getPtrTy(), B.getInt32Ty(), Word});
  if (!lanes(T)) {
    B.CreateCall(Store, {Pointer, B.getInt32(static_cast<uint32_t>(Bytes)), N});
    return;
  }
  for (unsigned I = 0; I != lanes(T); ++I)
    B.CreateCall(Store, {at(Pointer, I * Bytes), B.getInt32(static_cast<uint32_t>(Bytes)),
                         B.CreateExtractElement(N, I)});
}

Value *Numbering::moved(Value *V, Type *To, int64_t Shift) {
  const uint64_t From = Layout.getTypeStoreSize(V->getType()).getFixedValue(),
                 Size = Layout.getTypeStoreSize(To).getFixedValue();
  const uint64_t Zeros = std::max(From, Size) + static_cast<uint64_t>(std::abs(Shift)),
                 Room = From + 2 * Zeros;
  IRBuilder<> Top(&*F.getEntryBlock().getFirstInsertionPt());
  Value *Place = Top.CreateAlloca(ArrayType::get(B.getInt8Ty(), Room));
  B.CreateMemSet(Place, B.getInt8(0), Room, Align(1));
  B.CreateCall(runtime("__cpr_num_fill", B.getVoidTy(), {B.getPtrTy(), Word, Word}),
               {Place, B.getInt64(Room), B.getInt64(0)});
  B.CreateAlignedStore(V, at(Place, Zeros), Align(1));
  stored(at(Place, Zeros), V->getType(), number(V));
  return loaded(B.CreateConstGEP1_64(B.getInt8Ty(), Place,
                                     static_cast<uint64_t>(static_cast<int64_t>(Zeros) + Shift)),
                To);
}

void Numbering::findNumbered() {
  SmallVector<const Value *> Work;
  auto Add = [&](const Value *V) {
    if (!V->getType()->isVoidTy() && May.insert(V).second)
      Work.push_back(V);
  };
  for (Instruction &I : instructions(F)) {
    if (auto *L = dyn_cast<LoadInst>(&I)) {
      if (!isMachines(L->getPointerOperand()))
        Add(L);
    } else if (isa<AtomicRMWInst, AtomicCmpXchgInst>(I)) {
      Add(&I);
    }
  }
  while (!Work.empty())
    for (const User *U : Work.pop_back_val()->users()) {
      const auto *I = dyn_cast<Instruction>(U);
      if (!I)
        continue;
      // What the machine returns is decided by what it is given, and that is reported.
      if (const auto *Call = dyn_cast<CallInst>(I);
          Call && Call->getCalledFunction() &&
          Call->getCalledFunction()->getName().starts_with("__cpr_emu_"))
        continue;
      Add(I);
    }
}

void Numbering::run() {
  findNumbered();
  SmallVector<PHINode *> Phis;
  // In an order in which operands come first; of unreachable code nothing is wanted.
  for (BasicBlock *Block : ReversePostOrderTraversal<Function *>(&F)) {
    SmallVector<Instruction *> Work;
    for (Instruction &I : *Block)
      Work.push_back(&I);
    for (Instruction *I : Work) {
      if (auto *Phi = dyn_cast<PHINode>(I)) {
        if (isNumbered(Phi)) {
          B.SetInsertPoint(Phi);
          Numbers[Phi] = B.CreatePHI(numbersOf(Phi->getType()), Phi->getNumIncomingValues());
          Phis.push_back(Phi);
        }
        continue;
      }
      B.SetInsertPoint(I);
      B.SetCurrentDebugLocation(I->getDebugLoc());
      visit(*I);
    }
  }
  for (PHINode *Phi : Phis)
    for (unsigned I = 0; I != Phi->getNumIncomingValues(); ++I)
      cast<PHINode>(Numbers[Phi])
          ->addIncoming(number(Phi->getIncomingValue(I)), Phi->getIncomingBlock(I));
}

void Numbering::visit(Instruction &I) {
  Type *T = I.getType();
  if (auto *L = dyn_cast<LoadInst>(&I)) {
    if (!isNumbered(L))
      return;
    decide(Decision::Address, L->getPointerOperand(), L);
    Numbers[L] = loaded(flat(L->getPointerOperand()), T);
    return;
  }
  if (auto *S = dyn_cast<StoreInst>(&I)) {
    if (isMachines(S->getPointerOperand()))
      return;
    decide(Decision::Address, S->getPointerOperand(), S);
    stored(flat(S->getPointerOperand()), S->getValueOperand()->getType(),
           number(S->getValueOperand()));
    return;
  }
  if (auto *RMW = dyn_cast<AtomicRMWInst>(&I)) {
    decide(Decision::Address, RMW->getPointerOperand(), RMW);
    Value *Pointer = flat(RMW->getPointerOperand());
    Value *Before = loaded(Pointer, T);
    Numbers[RMW] = Before;
    B.SetInsertPoint(RMW->getNextNode()); // its value is what was there
    const bool Exchanges = RMW->getOperation() == AtomicRMWInst::Xchg;
    stored(Pointer, T,
           Exchanges
               ? number(RMW->getValOperand())
               : computed(("atomic " + AtomicRMWInst::getOperationName(RMW->getOperation())).str(),
                          T, {RMW, RMW->getValOperand()}));
    return;
  }
  if (auto *X = dyn_cast<AtomicCmpXchgInst>(&I)) {
    decide(Decision::Address, X->getPointerOperand(), X);
    decide(Decision::Threads, X->getCompareOperand(), X);
    Value *Pointer = flat(X->getPointerOperand());
    Type *Of = X->getCompareOperand()->getType();
    Value *Before = loaded(Pointer, Of);
    B.CreateCall(
        runtime("__cpr_num_decides", B.getVoidTy(), {Word, B.getInt32Ty(), B.getInt32Ty()}),
        {Before, B.getInt32(Decision::Threads), B.getInt32(SiteOf(X))});
    Numbers[X] = B.CreateInsertValue(Constant::getNullValue(numbersOf(T)), Before, 0);
    B.SetInsertPoint(X->getNextNode());
    stored(Pointer, Of,
           B.CreateSelect(B.CreateExtractValue(X, 1), number(X->getNewValOperand()), Before));
    return;
  }
  if (auto *Call = dyn_cast<CallInst>(&I))
    return visitCall(*Call);
  if (auto *Branch = dyn_cast<BranchInst>(&I)) {
    if (Branch->isConditional())
      decide(Decision::Branch, Branch->getCondition(), Branch);
    return;
  }
  if (auto *Switch = dyn_cast<SwitchInst>(&I))
    return decide(Decision::Branch, Switch->getCondition(), Switch);
  if (isa<IndirectBrInst, CallBrInst, InvokeInst>(I))
    return notFollowed(&I);
  if (!isNumbered(&I) || T->isVoidTy())
    return;

  Value *&Mine = Numbers[&I];
  if (isa<FreezeInst>(I) || isa<AddrSpaceCastInst>(I)) {
    Mine = number(I.getOperand(0));
  } else if (auto *Select = dyn_cast<SelectInst>(&I)) {
    Value *Condition = Select->getCondition();
    Value *Chosen =
        B.CreateSelect(Condition, number(Select->getTrueValue()), number(Select->getFalseValue()));
    if (isNumbered(Condition) && !isa<StructType, ArrayType>(T)) {
      Value *Either =
          computed("select", T, {Condition, Select->getTrueValue(), Select->getFalseValue()});
      Value *N = number(Condition);
      if (lanes(N->getType()) != lanes(T))
        N = lanes(T) ? B.CreateVectorSplat(lanes(T), folded(N)) : folded(N);
      Chosen = B.CreateSelect(B.CreateICmpEQ(N, constant(0, N)), Chosen, Either);
    } else if (isNumbered(Condition)) {
      decide(Decision::Branch, Condition, Select);
    }
    Mine = Chosen;
  } else if (auto *Cast = dyn_cast<CastInst>(&I);
             Cast && isWholeBytes(Cast->getSrcTy()) && isWholeBytes(Cast->getDestTy()) &&
             is_contained({Instruction::BitCast, Instruction::Trunc, Instruction::ZExt,
                           Instruction::PtrToInt, Instruction::IntToPtr},
                          static_cast<Instruction::CastOps>(Cast->getOpcode()))) {
    Value *From = Cast->getOperand(0);
    const bool SameLanes = lanes(Cast->getSrcTy()) == lanes(Cast->getDestTy());
    if (SameLanes && bytesOf(Cast->getSrcTy()) == bytesOf(Cast->getDestTy()))
      Mine = number(From);
    else if (SameLanes && lanes(Cast->getSrcTy()))
      Mine = computed(nameOf(I), T, {From});
    else
      Mine = moved(From, T, 0);
  } else if (auto *Shift = dyn_cast<BinaryOperator>(&I);
             Shift && Shift->isLogicalShift() && T->isIntegerTy() && isWholeBytes(T) &&
             isa<ConstantInt>(Shift->getOperand(1)) &&
             cast<ConstantInt>(Shift->getOperand(1))->getZExtValue() % 8 == 0) {
    const auto By =
        static_cast<int64_t>(cast<ConstantInt>(Shift->getOperand(1))->getZExtValue() / 8);
    Mine = moved(Shift->getOperand(0), T, Shift->getOpcode() == Instruction::Shl ? -By : By);
  } else if (auto *Bits = dyn_cast<BinaryOperator>(&I); Bits && Bits->isBitwiseLogicOp() &&
                                                        T->isIntegerTy() && isWholeBytes(T) &&
                                                        bytesOf(T) <= 8) {
    Value *X = Bits->getOperand(0), *Y = Bits->getOperand(1);
    const auto Op = Bits->getOpcode() == Instruction::Or    ? ValueNumbers::Bitwise::Or
                    : Bits->getOpcode() == Instruction::And ? ValueNumbers::Bitwise::And
                                                            : ValueNumbers::Bitwise::Xor;
    Value *Bytewise =
        B.CreateCall(runtime("__cpr_num_bitwise", Word,
                             {B.getInt32Ty(), Word, Word, Word, Word, B.getInt32Ty()}),
                     {B.getInt32(static_cast<uint32_t>(Op)), number(X), bitsOf(X), number(Y),
                      bitsOf(Y), B.getInt32(static_cast<uint32_t>(bytesOf(T)))});
    Mine = B.CreateSelect(B.CreateICmpEQ(Bytewise, B.getInt64(ValueNumbers::Mixture)),
                          computed(nameOf(I), T, {X, Y}, /*Commutes=*/true), Bytewise);
  } else if (auto *Extract = dyn_cast<ExtractElementInst>(&I)) {
    Value *N = number(Extract->getVectorOperand());
    decide(Decision::Address, Extract->getIndexOperand(), Extract);
    Mine = B.CreateExtractElement(N, Extract->getIndexOperand());
  } else if (auto *Insert = dyn_cast<InsertElementInst>(&I)) {
    decide(Decision::Address, Insert->getOperand(2), Insert);
    Mine = B.CreateInsertElement(number(Insert->getOperand(0)), number(Insert->getOperand(1)),
                                 Insert->getOperand(2));
  } else if (auto *Shuffle = dyn_cast<ShuffleVectorInst>(&I)) {
    Mine = B.CreateShuffleVector(number(Shuffle->getOperand(0)), number(Shuffle->getOperand(1)),
                                 Shuffle->getShuffleMask());
  } else if (auto *Extract = dyn_cast<ExtractValueInst>(&I)) {
    Mine = B.CreateExtractValue(number(Extract->getAggregateOperand()), Extract->getIndices());
  } else if (auto *Insert = dyn_cast<InsertValueInst>(&I)) {
    Mine = B.CreateInsertValue(number(Insert->getAggregateOperand()),
                               number(Insert->getInsertedValueOperand()), Insert->getIndices());
  } else {
    SmallVector<Value *> Operands(I.operands());
    auto *Binary = dyn_cast<BinaryOperator>(&I);
    Mine = computed(nameOf(I), T, Operands, Binary && Binary->isCommutative());
    if (Binary)
      Mine = withoutNeutral(*Binary, Mine);
  }
}

void Numbering::visitCall(CallInst &Call) {
  Function *Callee = Call.getCalledFunction();
  Type *T = Call.getType();
  if (!Callee)
    return notFollowed(&Call);
  if (auto *Move = dyn_cast<AnyMemTransferInst>(&Call)) {
    for (Value *V : {Move->getRawDest(), Move->getRawSource(), Move->getLength()})
      decide(Decision::Address, V, Move);
    B.CreateCall(runtime("__cpr_num_copy", B.getVoidTy(), {B.getPtrTy(), B.getPtrTy(), Word}),
                 {flat(Move->getRawDest()), flat(Move->getRawSource()),
                  B.CreateZExtOrTrunc(Move->getLength(), Word)});
    return;
  }
  if (auto *Set = dyn_cast<AnyMemSetInst>(&Call)) {
    for (Value *V : {Set->getRawDest(), Set->getLength()})
      decide(Decision::Address, V, Set);
    B.CreateCall(runtime("__cpr_num_fill", B.getVoidTy(), {B.getPtrTy(), Word, Word}),
                 {flat(Set->getRawDest()), B.CreateZExtOrTrunc(Set->getLength(), Word),
                  number(Set->getValue())});
    return;
  }
  const StringRef Name = Callee->getName();
  if (Name.starts_with("__cpr_num_") || isa<AssumeInst, DbgInfoIntrinsic>(Call) ||
      Call.isLifetimeStartOrEnd())
    return;
  if (Name.starts_with("__cpr_emu_")) {
    // Accesses are announced, and their places are looked at where they are made; the rest says
    // nothing of what becomes of values.
    for (StringRef Silent :
         {"__cpr_emu_read", "__cpr_emu_write", "__cpr_emu_atomic_", "__cpr_emu_access",
          "__cpr_emu_whole", "__cpr_emu_check_local", "__cpr_emu_assume", "__cpr_emu_divide",
          "__cpr_emu_tick", "__cpr_emu_is_space", "__cpr_emu_ptx"})
      if (Name.starts_with(Silent))
        return;
    const bool Copies = Name == "__cpr_emu_copy_async";
    for (Value *Given : Call.args())
      decide(Copies                     ? Decision::Address
             : Name == "__cpr_emu_call" ? Decision::Call
                                        : Decision::Threads,
             Given, &Call);
    return;
  }
  if (Callee->hasFnAttribute(Pure)) {
    if (isNumbered(&Call)) {
      SmallVector<Value *> Given(Call.args());
      Numbers[&Call] =
          computed(("pure " + Callee->getFnAttribute(Pure).getValueAsString()).str(), T, Given);
    }
    return;
  }
  if (!Callee->isDeclaration())
    return notFollowed(&Call);
  // A function of the C library, or of the code generator's: what it returns is made of what it is
  // given.
  SmallVector<Value *> Given;
  for (Value *V : Call.args())
    if (!V->getType()->isPointerTy() && !V->getType()->isMetadataTy())
      Given.push_back(V);
  if (isNumbered(&Call))
    Numbers[&Call] = computed(nameOf(Call), T, Given,
                              isa<IntrinsicInst>(Call) &&
                                  cast<IntrinsicInst>(Call).isCommutative() && Given.size() >= 2);
  B.SetInsertPoint(Call.getNextNode());
  for (Value *V : Call.args())
    if (V->getType()->isPointerTy()) {
      // frexp, modf, remquo: a second result.
      Type *Second = StringSwitch<Type *>(Name)
                         .Case("modf", B.getDoubleTy())
                         .Case("modff", B.getFloatTy())
                         .Default(B.getInt32Ty());
      stored(flat(V), Second, computed((Name + " second").str(), Second, Given));
    }
}

} // namespace

void numberValues(Module &M, function_ref<Site(const Instruction *)> SiteOf) {
  for (Function &F : M)
    if (!F.isDeclaration() && !F.hasFnAttribute(Pure))
      Numbering(F, SiteOf).run();
}

} // namespace emulator
} // namespace cuda_pipeline
