//===- Program.cpp - A kernel that can be run on the machine -------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Program.h"
#include "Runtime.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/xxhash.h"
#include "llvm/TargetParser/Host.h"
#include <cstring>

using namespace llvm;
using namespace llvm::orc;

namespace cuda_pipeline {
namespace emulator {

Program::~Program() = default;

static Error failure(const Twine &Message) {
  return createStringError(inconvertibleErrorCode(), Message);
}

Expected<std::unique_ptr<Program>> Program::load(const DeviceModule &Module,
                                                 ArrayRef<std::string> Kernels, bool WithHints,
                                                 bool Numbered, bool Elsewhere) {
  static const bool Initialised = [] {
    InitializeNativeTarget();
    InitializeNativeTargetAsmPrinter();
    return true;
  }();
  (void)Initialised;

  auto Ctx = std::make_unique<LLVMContext>();
  Expected<std::unique_ptr<llvm::Module>> M =
      parseBitcodeFile(MemoryBufferRef(Module.Bitcode, "device code"), *Ctx);
  if (!M)
    return M.takeError();

  // No extensions of the instruction set: results are the same on every machine.
  JITTargetMachineBuilder Target((Triple(sys::getProcessTriple())));
  // Making code takes far longer than running it: what it does most is to call the machine.
  Target.setCodeGenOptLevel(CodeGenOptLevel::None);
  Expected<DataLayout> Layout = Target.getDefaultDataLayoutForTarget();
  if (!Layout)
    return Layout.takeError();

  std::unique_ptr<Program> P(new Program);
  Expected<LoweredModule> Lowered =
      lower(**M, Kernels, Target.getTargetTriple(), *Layout, WithHints, Numbered);
  if (!Lowered)
    return Lowered.takeError();
  P->Lowered = std::move(*Lowered);
  P->Layouts = Module.Layouts;
  P->Space = std::make_unique<Memory>(Elsewhere);
  if (Numbered)
    P->Numbers = std::make_unique<ValueNumbers>(*P->Space);

  LLJITBuilder Builder;
  Builder.setJITTargetMachineBuilder(std::move(Target));
  // No constructors to run, and nothing of this process is found by accident.
  Builder.setPlatformSetUp(setUpInactivePlatform);
  Builder.setLinkProcessSymbolsByDefault(false);
  Expected<std::unique_ptr<LLJIT>> Jit = Builder.create();
  if (!Jit)
    return Jit.takeError();
  P->Jit = std::move(*Jit);

  SymbolMap Symbols;
  auto Define = [&](StringRef Name, uint64_t Address) {
    Symbols[P->Jit->mangleAndIntern(Name)] = {ExecutorAddr(Address), JITSymbolFlags::Exported};
  };
  for (const RuntimeSymbol &S : machineFunctions())
    Define(S.Name, reinterpret_cast<uint64_t>(S.Address));
  for (const RuntimeSymbol &S : hostFunctions())
    Define(S.Name, reinterpret_cast<uint64_t>(S.Address));
  // The same places in every run: the machine's memory lays arrays out in order.
  uint64_t Dynamic = 0, DynamicAlign = 16;
  for (const auto &S : P->Lowered.Shared)
    if (S.Dynamic)
      DynamicAlign = std::max(DynamicAlign, S.Align);
  for (const auto &S : P->Lowered.Shared)
    P->SharedAddresses.push_back(
        S.Dynamic ? 0 : P->Space->allocateShared(S.Name, S.Bytes, S.Align, S.ElementBytes));
  Dynamic = P->Space->allocateShared("dynamic shared memory", 0, DynamicAlign, 1);
  for (size_t I = 0; I != P->Lowered.Shared.size(); ++I) {
    if (P->Lowered.Shared[I].Dynamic)
      P->SharedAddresses[I] = Dynamic;
    Define(P->Lowered.Shared[I].Symbol, P->SharedAddresses[I]);
  }
  if (Error E = P->Jit->getMainJITDylib().define(absoluteSymbols(std::move(Symbols))))
    return E;
  if (Error E = P->Jit->addIRModule(ThreadSafeModule(std::move(*M), std::move(Ctx))))
    return E;
  for (const std::string &K : Kernels) {
    Expected<ExecutorAddr> Entry = P->Jit->lookup(entrySymbol(K));
    if (!Entry)
      return Entry.takeError();
    P->Entries[K] = Entry->toPtr<KernelEntry>();
  }
  for (const auto &V : P->Lowered.Variables) {
    Expected<ExecutorAddr> Where = P->Jit->lookup(V.Symbol);
    if (!Where)
      return Where.takeError();
    const uint8_t *Bytes = Where->toPtr<const uint8_t *>();
    P->VariableAddresses.push_back(Where->getValue());
    P->Initial.emplace_back(Bytes, Bytes + V.Bytes);
    P->Places[Where->getValue()] = {Where->getValue() + std::max<uint64_t>(V.Bytes, 1), V.Mangled};
  }
  for (const auto &F : P->Lowered.Functions) {
    Expected<ExecutorAddr> Where = P->Jit->lookup(F.Symbol);
    if (!Where)
      return Where.takeError();
    P->Places[Where->getValue()] = {Where->getValue() + 1, F.Mangled};
    P->FunctionAddresses.push_back(Where->getValue());
  }
  return P;
}

uint64_t Program::staticSharedBytes() const {
  uint64_t Sum = 0;
  for (const auto &S : Lowered.Shared)
    Sum += S.Bytes;
  return Sum;
}

ElementType Program::scalarOf(int Layout) const {
  ElementType Bytes;
  if (Layout < 0 || static_cast<size_t>(Layout) >= Layouts.size() || Layouts[Layout].Leaves.empty())
    return Bytes;
  ElementType One = Layouts[Layout].Leaves.front().Element;
  One.Lanes = 1;
  for (const TypeLayout::Leaf &L : Layouts[Layout].Leaves)
    if (L.IsPointer || L.Element.Base != One.Base || L.Element.BaseBytes != One.BaseBytes ||
        L.Offset % One.BaseBytes)
      return Bytes;
  return One;
}

std::string Program::place(Site S) const {
  if (S == 0 || S >= Lowered.Sites.size())
    return "";
  const SourcePlace &P = Lowered.Sites[S];
  return formatv("{0}:{1}:{2}", P.File, P.Line, P.Column).str();
}

void Program::nameAddresses(MutableArrayRef<uint8_t> Bytes, const OpenMemory *Open) const {
  for (size_t At = 0; At + 8 <= Bytes.size(); At += 8) {
    const uint64_t Word = support::endian::read64le(&Bytes[At]);
    if (auto [Region, Offset] = Open ? Open->name(Word) : std::pair<StringRef, int64_t>();
        !Region.empty()) {
      support::endian::write64le(&Bytes[At], xxh3_64bits(Region) + static_cast<uint64_t>(Offset));
      continue;
    }
    auto It = Places.upper_bound(Word);
    if (It != Places.begin() && Word < std::prev(It)->second.End)
      support::endian::write64le(&Bytes[At], xxh3_64bits(std::prev(It)->second.Mangled) +
                                                 (Word - std::prev(It)->first));
  }
}

std::vector<RunBuffer> Program::userVariables(const OpenMemory *Open) const {
  std::vector<RunBuffer> Found;
  for (size_t I = 0; I != Lowered.Variables.size(); ++I) {
    const auto &V = Lowered.Variables[I];
    if (!V.User || V.Constant)
      continue;
    const auto *From = reinterpret_cast<const uint8_t *>(VariableAddresses[I]);
    RunBuffer B;
    B.Name = V.Name;
    B.Mangled = V.Mangled;
    B.Bytes.assign(From, From + V.Bytes);
    nameAddresses(B.Bytes, any_of(V.Leaves, [](const TypeLayout::Leaf &L) { return L.IsPointer; })
                               ? Open
                               : nullptr);
    Found.push_back(std::move(B));
  }
  return Found;
}

Expected<RunResult> Program::run(const RunRequest &Request, const MachineOptions &Options) {
  auto Entry = Entries.find(Request.Kernel);
  if (Entry == Entries.end())
    return failure("the kernel '" + Request.Kernel + "' was not loaded");

  uint64_t Wanted = 0;
  for (const RunBuffer &B : Request.Buffers)
    Wanted += alignTo(B.Bytes.size(), 256) + 2 * Memory::RedZone;
  if (Wanted > Memory::GlobalArena)
    return failure(formatv("the buffers need {0} MiB; the emulator has {1}", Wanted >> 20,
                           Memory::GlobalArena >> 20));

  Memory &Mem = *Space;
  Mem.clear();
  uint64_t DynamicAlign = 16, Static = 0;
  for (const auto &S : Lowered.Shared) {
    if (S.Dynamic) {
      DynamicAlign = std::max(DynamicAlign, S.Align);
      continue;
    }
    Mem.allocateShared(S.Name, S.Bytes, S.Align, S.ElementBytes);
    Static += S.Bytes;
  }
  if (Static + Request.DynamicShared > MaxSharedBytes)
    return failure(formatv("{0} bytes of shared memory; no GPU gives a block more than {1}",
                           Static + Request.DynamicShared, MaxSharedBytes));
  std::string DynamicName = "dynamic shared memory";
  uint64_t DynamicElement = 1;
  for (const auto &S : Lowered.Shared)
    if (S.Dynamic) {
      DynamicName = S.Name;
      DynamicElement = S.ElementBytes;
    }
  Mem.allocateShared(DynamicName, Request.DynamicShared, DynamicAlign, DynamicElement);
  const size_t DynamicRegion = Mem.regions().size() - 1;

  std::optional<OpenMemory> Open;
  if (Request.Open)
    Open.emplace(Mem, Layouts, *Request.Open,
                 Request.MayReadOpen ? &*Request.MayReadOpen : nullptr);
  RunResult Result;
  Result.Buffers = Request.Buffers;
  std::vector<uint64_t> Addresses;
  for (const RunBuffer &B : Request.Buffers) {
    uint64_t At = Mem.allocateGlobal(B.Name, B.Bytes.size(), B.ElementBytes);
    std::copy(B.Bytes.begin(), B.Bytes.end(), reinterpret_cast<uint8_t *>(At));
    Addresses.push_back(At);
  }
  const size_t FirstBuffer = Mem.regions().size() - Request.Buffers.size();
  for (size_t I = 0; I != Request.MayReadBuffers.size(); ++I)
    Mem.region(FirstBuffer + I).MayRead = &Request.MayReadBuffers[I];
  std::map<std::string, size_t> VariableRegions;
  for (size_t I = 0; I != Lowered.Variables.size(); ++I) {
    const auto &V = Lowered.Variables[I];
    auto *To = reinterpret_cast<uint8_t *>(VariableAddresses[I]);
    std::copy(Initial[I].begin(), Initial[I].end(), To);
    for (const RunBuffer &G : Request.Globals)
      if (G.Name == V.Name && V.User)
        std::copy_n(G.Bytes.begin(), std::min<uint64_t>(G.Bytes.size(), V.Bytes), To);
    // What the host has written before the launch: all of constant memory, and numbers elsewhere;
    // counters and locks begin with 0.
    if (Open && V.User && !V.Initialised)
      Open->fill(V.Name, V.Leaves, /*Integers=*/V.InConstantMemory,
                 {To, static_cast<size_t>(V.Bytes)});
    Mem.registerOutside(V.Name, VariableAddresses[I], V.Bytes, !V.Constant, V.InConstantMemory);
    if (!V.User || V.Constant)
      continue;
    VariableRegions[V.Mangled] = Mem.regions().size() - 1;
    auto Limits = Request.MayReadVariables.find(V.Mangled);
    if (Limits != Request.MayReadVariables.end() &&
        Limits->second.size() == Mem.regions().back().Reads.size())
      Mem.region(VariableRegions[V.Mangled]).MayRead = &Limits->second;
  }
  const OpenMemory *Opened = Open ? &*Open : nullptr;
  Result.VariablesBefore = userVariables(Opened);

  // Pointers are arguments, too: their bytes must outlive the run.
  Machine::Launch L;
  L.Entry = Entry->second;
  L.Grid = Request.Grid;
  L.Block = Request.Block;
  L.DynamicShared = Request.DynamicShared;
  std::vector<uint64_t> Pointers(Request.Arguments.size(), 0);
  std::vector<std::vector<uint8_t>> Structs(Request.Arguments.size());
  auto OpenAt = [&](unsigned Index) { return Open ? Open->place(Request.OpenBuffers[Index]) : 0; };
  for (size_t I = 0; I != Request.Arguments.size(); ++I) {
    const RunArgument &A = Request.Arguments[I];
    if (A.Is == RunArgument::Scalar && A.Pointers.empty()) {
      L.Arguments.push_back(A.Value.data());
      continue;
    }
    if (A.Is == RunArgument::Scalar) {
      Structs[I] = A.Value;
      for (auto [Offset, Index] : A.Pointers) {
        const uint64_t At = OpenAt(Index);
        if (!At)
          return failure("there is no address space for memory without a size");
        if (Offset + 8 <= Structs[I].size())
          support::endian::write64le(&Structs[I][Offset], At);
      }
      L.Arguments.push_back(Structs[I].data());
      continue;
    }
    if (A.Is == RunArgument::Buffer)
      Pointers[I] = Addresses[A.BufferIndex] + A.Offset;
    if (A.Is == RunArgument::Open) {
      Pointers[I] = OpenAt(A.BufferIndex);
      if (!Pointers[I])
        return failure("there is no address space for memory without a size");
      Pointers[I] += A.Offset;
    }
    L.Arguments.push_back(&Pointers[I]);
  }

  MachineOptions Way = Options;
  Way.Numbers = Numbers.get();
  if (Numbers)
    Numbers->clear();
  Machine M(Mem, Way);
  std::vector<unsigned> Loads;
  for (const LoweredModule::TurningLoop &Loop : Lowered.Loops)
    Loads.push_back(Loop.Loads);
  M.watchLoops(Loads);
  M.knowFunctions(FunctionAddresses);
  Result.Guards.assign(2 * Lowered.Guards.size(), 0);
  __cpr_emu_guards = Result.Guards.data();
  Result.Failed = M.run(L);
  __cpr_emu_guards = nullptr;
  if (Open && Open->isExhausted())
    return failure(
        "the run is given more pointers to memory without a size than the emulator has room for");
  Result.Speculated = M.speculated();
  Result.Loops = M.loops();
  Result.Stats = M.statistics();
  for (size_t I = 0; I != Result.Buffers.size(); ++I) {
    std::copy_n(reinterpret_cast<const uint8_t *>(Addresses[I]), Result.Buffers[I].Bytes.size(),
                Result.Buffers[I].Bytes.begin());
    nameAddresses(Result.Buffers[I].Bytes);
  }
  Result.Variables = userVariables(Opened);
  if (Open) {
    Result.Opens = Open->images();
  }
  for (const Region &R : Mem.regions())
    if (!R.Shared && R.Hints)
      Result.Hints[R.Name] |= R.Hints;
  if (Numbers) {
    Result.Numbers = Numbers->written();
    Result.Decisions = Numbers->decisions();
    Result.Deciding = Numbers->deciding();
    Result.NumbersAreLost = Numbers->isExhausted();
  }
  Result.DynamicUsed = Mem.used(Mem.region(DynamicRegion));
  for (size_t I = 0; I != Result.Buffers.size(); ++I)
    Result.ReadOfBuffers.push_back(std::move(Mem.region(FirstBuffer + I).Reads));
  for (const auto &[Name, Index] : VariableRegions)
    Result.ReadOfVariables[Name] = std::move(Mem.region(Index).Reads);
  return Result;
}

} // namespace emulator
} // namespace cuda_pipeline
