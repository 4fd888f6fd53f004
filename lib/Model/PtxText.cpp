//===- PtxText.cpp - What the instructions of an asm statement do ---------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PtxText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <optional>

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

/// Instructions on registers of the thread or of its warp, up to the first dot (PTX ISA 8.5,
/// chapter 9.7).
bool computesOnRegisters(StringRef Name) {
  static const StringSet<> Names = {
      "abs",       "activemask", "add",   "addc",  "and",      "bfe",   "bfi",      "bfind",
      "bmsk",      "brev",       "clz",   "cnot",  "copysign", "cos",   "cvt",      "cvta",
      "div",       "dp2a",       "dp4a",  "ex2",   "fma",      "fns",   "isspacep", "lg2",
      "lop3",      "mad",        "mad24", "madc",  "max",      "min",   "mma",      "mov",
      "movmatrix", "mul",        "mul24", "neg",   "not",      "or",    "popc",     "prmt",
      "rcp",       "redux",      "rem",   "rsqrt", "sad",      "selp",  "set",      "setp",
      "shf",       "shfl",       "shl",   "shr",   "sin",      "slct",  "sqrt",     "sub",
      "subc",      "szext",      "tanh",  "testp", "vote",     "match", "xor",      "vabsdiff",
      "vabsdiff2", "vabsdiff4",  "vadd",  "vadd2", "vadd4",    "vmad",  "vmax",     "vmax2",
      "vmax4",     "vmin",       "vmin2", "vmin4", "vset",     "vset2", "vset4",    "vshl",
      "vshr",      "vsub",       "vsub2", "vsub4"};
  return Names.contains(Name);
}

/// `mov.u64`, `cvt.u32.u64`, `cvta.to.shared.u64`: the result is the number that was given, or the
/// same place's address in another space.
bool movesOnly(ArrayRef<StringRef> Opcode) {
  auto Is = [](StringRef Word, ArrayRef<StringRef> Words) { return is_contained(Words, Word); };
  return Is(Opcode.front(), {"cvta"}) ||
         (Is(Opcode.front(), {"mov", "cvt"}) && all_of(Opcode.drop_front(), [&](StringRef M) {
            return Is(M, {"u32", "b32", "u64", "b64"});
          }));
}

/// Bytes of `.v4.u32`; 0: not known.
unsigned sizeOfLoad(ArrayRef<StringRef> Modifiers) {
  unsigned Count = 1, Size = 0;
  for (StringRef M : Modifiers) {
    if (M.consume_front("v") && !M.empty() && llvm::isDigit(M.front())) {
      if (M.getAsInteger(10, Count))
        return 0;
    } else if (M.size() > 1 && StringRef("busf").contains(M.front()) && llvm::isDigit(M[1])) {
      unsigned Bits = 0;
      if (M.drop_front().take_while([](char C) { return llvm::isDigit(C); }).getAsInteger(10, Bits))
        return 0;
      Size = Bits / 8;
    }
  }
  return Count * Size;
}

/// `[%1]`, `[%1 + 16]`: the number of the operand, and the bytes.
std::optional<std::pair<unsigned, int64_t>> addressIn(StringRef Text) {
  const size_t Open = Text.find('['), Close = Text.find(']');
  if (Open == StringRef::npos || Close == StringRef::npos || Text.count('[') != 1)
    return std::nullopt;
  StringRef Inside = Text.slice(Open + 1, Close).trim();
  unsigned Operand = 0;
  if (!Inside.consume_front("\x01") || Inside.consumeInteger(10, Operand) ||
      !Inside.consume_front("\x02"))
    return std::nullopt;
  int64_t Offset = 0;
  Inside = Inside.trim();
  const bool Minus = Inside.starts_with("-");
  if (!Inside.empty() && (!(Inside.consume_front("+") || Inside.consume_front("-")) ||
                          Inside.trim().getAsInteger(0, Offset)))
    return std::nullopt;
  return std::make_pair(Operand, Minus ? -Offset : Offset);
}

/// Names in \p Operands other than registers: variables, labels, functions.
bool namesSymbols(StringRef Operands, const StringSet<> &Registers) {
  for (size_t I = 0; I < Operands.size();) {
    const char C = Operands[I];
    StringRef Rest = Operands.drop_front(I);
    if (C == '\x01') { // an operand of the statement
      I = Operands.find('\x02', I) + 1;
      continue;
    }
    auto InName = [](char D) { return llvm::isAlnum(D) || D == '_' || D == '$' || D == '.'; };
    if (llvm::isDigit(C) || C == '%') { // 0f3F800000, %laneid
      I += 1 + Rest.drop_front().take_while(InName).size();
      continue;
    }
    if (llvm::isAlpha(C) || C == '_' || C == '$') {
      StringRef Name = Rest.take_while(InName);
      if (!Registers.contains(Name.split('.').first) && Name != "WARP_SZ")
        return true;
      I += Name.size();
      continue;
    }
    ++I;
  }
  return false;
}

/// The text with `\x01N\x02` for operand N, without comments.
std::optional<std::string> textWithOperands(const GCCAsmStmt *Asm, const ASTContext &Context) {
  SmallVector<GCCAsmStmt::AsmStringPiece, 8> Pieces;
  unsigned Where = 0;
  if (Asm->AnalyzeAsmString(Pieces, Context, Where))
    return std::nullopt;
  std::string Text;
  for (const GCCAsmStmt::AsmStringPiece &Piece : Pieces)
    Text += Piece.isString() ? Piece.getString()
                             : "\x01" + std::to_string(Piece.getOperandNo()) + "\x02";
  for (size_t At = Text.find("//"); At != std::string::npos; At = Text.find("//", At))
    Text.erase(At, std::min(Text.find('\n', At), Text.size()) - At);
  if (StringRef(Text).contains("/*"))
    return std::nullopt;
  return Text;
}

bool clobbersMemory(const GCCAsmStmt *Asm) {
  return any_of(seq(Asm->getNumClobbers()),
                [&](unsigned I) { return Asm->getClobber(I) == "memory"; });
}

/// PTX writes every place in memory in brackets. A clobbered "memory" is taken at its word, unless
/// the instructions are among those that only order what others do.
PtxMemory accessedMemory(const GCCAsmStmt *Asm) {
  auto StartsWith = [](StringRef Name, ArrayRef<StringRef> Prefixes) {
    return any_of(Prefixes, [&](StringRef P) { return Name.starts_with(P); });
  };
  const bool Clobbered = clobbersMemory(Asm);
  const std::string Text = Asm->getAsmString();
  SmallVector<StringRef, 4> Instructions;
  SplitString(Text, Instructions, ";\n");
  PtxMemory Result = PtxMemory::Nothing;
  for (StringRef Instruction : Instructions) {
    Instruction = Instruction.ltrim("{} \t\r");
    if (Instruction.consume_front("@")) // a predicate
      Instruction = Instruction.drop_while([](char C) { return !isSpace(C); }).ltrim();
    bool Place = false;
    for (size_t I = Instruction.find('['); I != StringRef::npos; I = Instruction.find('[', I + 1))
      Place |= I == 0 || Instruction[I - 1] != '%'; // %[name] is an operand
    if (Place && !Clobbered &&
        StartsWith(Instruction, {"ld.", "ldu.", "ldmatrix.", "prefetch", "tex.", "tld4."}) &&
        !Instruction.contains("volatile") && !Instruction.contains("acquire"))
      Result = PtxMemory::Reads;
    else if (Place || Instruction.contains("call") || Instruction.contains("wgmma"))
      return PtxMemory::Anything;
    else if (Clobbered && !Instruction.empty() &&
             !StartsWith(Instruction,
                         {"//", ".reg", "bar.", "barrier.", "membar", "fence", "cp.async.commit",
                          "cp.async.wait", "griddepcontrol", "nanosleep", "setmaxnreg"}))
      return PtxMemory::Anything;
  }
  return Result;
}

/// `bar.sync 0;`, `barrier.cta.sync.aligned %0;` with a 0.
FunctionKind barrierIn(StringRef Text, const GCCAsmStmt *Asm, const ASTContext &Context) {
  SmallVector<StringRef, 4> Instructions;
  SplitString(Text, Instructions, ";");
  for (StringRef &Instruction : Instructions)
    Instruction = Instruction.trim("{} \t\r\n");
  erase_if(Instructions, [](StringRef I) { return I.empty(); });
  if (Instructions.size() != 1)
    return FunctionKind::BarrierOther;
  StringRef Operands = Instructions.front();
  const StringRef Opcode = Operands.take_until([](char C) { return isSpace(C); });
  Operands = Operands.drop_front(Opcode.size()).trim();
  if (Opcode == "bar.warp.sync")
    return FunctionKind::WarpBarrier;
  static const StringSet<> OfTheBlock = {
      "bar.sync",         "bar.cta.sync",         "barrier.sync",
      "barrier.cta.sync", "barrier.sync.aligned", "barrier.cta.sync.aligned"};
  unsigned Operand = 0;
  if (Operands.consume_front("\x01")) {
    Expr::EvalResult Value;
    if (Operands.consumeInteger(10, Operand) || Operands != "\x02" ||
        Operand < Asm->getNumOutputs() || Operand - Asm->getNumOutputs() >= Asm->getNumInputs())
      return FunctionKind::BarrierOther;
    const Expr *Id = Asm->getInputExpr(Operand - Asm->getNumOutputs());
    if (Id->isValueDependent() || !Id->EvaluateAsInt(Value, Context) || Value.Val.getInt() != 0)
      return FunctionKind::BarrierOther;
  } else if (Operands != "0") {
    return FunctionKind::BarrierOther;
  }
  return OfTheBlock.contains(Opcode) ? FunctionKind::Barrier : FunctionKind::BarrierOther;
}

/// `st.shared.v4.f32`, `stmatrix`, `red.shared`; `ld.global`, `ld`: what stands at the beginning of
/// an instruction.
void readAccesses(PtxText &Result, StringRef Text) {
  SmallVector<StringRef, 8> Instructions;
  SplitString(Text, Instructions, ";\n");
  for (StringRef Instruction : Instructions) {
    Instruction = Instruction.ltrim("{} \t\r");
    if (Instruction.consume_front("@")) // a predicate
      Instruction = Instruction.drop_while([](char C) { return !llvm::isSpace(C); }).ltrim();
    const StringRef Opcode =
        Instruction.take_until([](char C) { return llvm::isSpace(C) || C == '['; });
    const StringRef Name = Opcode.split('.').first;
    const bool Shared = Opcode.contains(".shared") && !Opcode.contains(".shared::cluster");
    if (is_contained({"st", "stmatrix", "red", "atom"}, Name)) {
      Result.StoresShared |= Shared;
      Result.Stores |= !Opcode.contains(".global") && !Opcode.contains(".local");
    }
    Result.LoadsElsewhere |=
        is_contained({"ld", "ldu", "tex", "suld"}, Name) && !Opcode.contains(".shared");
  }
}

/// What is looked for by words, also where the instructions as a whole are not understood.
void readWords(PtxText &Result, StringRef Text) {
  auto SaysOneOf = [&](ArrayRef<StringRef> Words) {
    return any_of(Words, [&](StringRef Word) { return Text.contains(Word); });
  };
  Result.AboutCopies = Text.contains("cp.async");
  Result.WaitsForCopies = SaysOneOf({"wait_group", "wait_all"});
  Result.CopiesAsync = Result.AboutCopies && !SaysOneOf({"wait", "commit"});
  Result.TensorCores = SaysOneOf({"mma.sync", "wgmma"});
  Result.Exits = Text.contains("exit");
  Result.LoadsAnew = SaysOneOf({"atom.", "ld.volatile", "ld.acquire", "ld.relaxed", "ld.mmio",
                                "ld.cg", "ld.cv"}) ||
                     (Text.contains("ld.global") && !Text.contains(".nc"));
}

/// What is asked of all instructions, also of those that are not understood.
void readPlaces(PtxText &Result, StringRef Text, const GCCAsmStmt *Asm) {
  StringSet<> Registers;
  std::vector<const Expr *> All;
  for (unsigned I = 0; I != Asm->getNumInputs(); ++I)
    All.push_back(Asm->getInputExpr(I));
  bool Branches = false, Looks = false, Sleeps = false;
  SmallVector<StringRef, 8> Instructions;
  SplitString(Text, Instructions, ";\n");
  for (StringRef Instruction : Instructions) {
    auto Trim = [&] { Instruction = Instruction.trim("{} \t\r\n"); };
    Trim();
    // `WAIT:`, `@!p bra WAIT`
    while (true) {
      const StringRef Name = Instruction.take_while(
          [](char C) { return llvm::isAlnum(C) || C == '_' || C == '$' || C == '%'; });
      StringRef Rest = Instruction.drop_front(Name.size()).ltrim();
      if (Name.empty() || !Rest.consume_front(":") || Rest.starts_with(":"))
        break;
      Instruction = Rest;
      Trim();
    }
    if (Instruction.consume_front("@"))
      Instruction = Instruction.drop_while([](char C) { return !llvm::isSpace(C); }).ltrim();
    if (Instruction.starts_with(".reg")) {
      SmallVector<StringRef, 4> Names;
      Instruction.rsplit('.')
          .second.drop_while([](char C) { return !llvm::isSpace(C); })
          .split(Names, ',');
      for (StringRef Name : Names) // `%r<4>`, too
        Registers.insert(Name.trim().ltrim('%').split('<').first.rtrim("0123456789"));
      continue;
    }
    const StringRef Opcode = Instruction.take_until([](char C) { return llvm::isSpace(C); });
    const StringRef Operands = Instruction.drop_front(Opcode.size());
    SmallVector<StringRef, 8> Modifiers;
    Opcode.split(Modifiers, '.');
    auto Says = [&](StringRef M) {
      return any_of(Modifiers,
                    [&](StringRef Is) { return Is == M || Is.starts_with((M + "::").str()); });
    };
    const StringRef Name = Modifiers.empty() ? "" : Modifiers.front();
    Branches |= Name == "bra" || Name == "brx" || Name == "call";
    Result.Calls |= Name == "call";
    Sleeps |= Name == "nanosleep";
    const bool OtherSpace = Says("global") || Says("const") || Says("param") || Says("local");
    Result.LoadsAnew |= ((Name == "ld" || Name == "ldu") && !Says("nc") && !Says("const") &&
                         !Says("param") && !Says("local") && !Says("shared")) ||
                        Name == "suld" || Name == "multimem";
    if (Name == "wgmma" || Name == "tcgen05") // by descriptors
      Result.SharedPlaces.push_back(All);
    if (Name == "mov" && !Operands.contains('[')) {
      // `mov.u32 %0, table;`
      SmallVector<StringRef, 4> Parts;
      Operands.split(Parts, ',');
      for (StringRef Part : Parts) {
        Part = Part.trim();
        const StringRef Stem = Part.rtrim("0123456789");
        if (!Part.empty() &&
            (llvm::isAlpha(Part.front()) || Part.front() == '_' || Part.front() == '$') &&
            !Registers.contains(Stem) && Part != "WARP_SZ" && Part != "_")
          Result.SharedPlaces.push_back({});
      }
    }
    for (size_t Open = Operands.find('['), Number = 0; Open != StringRef::npos;
         Open = Operands.find('[', Open + 1), ++Number) {
      Looks = true;
      // A copy between two spaces has shared memory at one end: the first one, if it says so.
      const bool TwoSpaces = Says("shared") && OtherSpace;
      if (OtherSpace &&
          !(TwoSpaces && (Number == 0) == (Opcode.find("shared") < Opcode.find("global"))))
        continue;
      StringRef Inside = Operands.slice(Open + 1, Operands.find(']', Open)).trim();
      unsigned Operand = 0;
      if (Inside.consume_front("\x01") && !Inside.consumeInteger(10, Operand)) {
        if (Operand >= Asm->getNumOutputs() && Operand - Asm->getNumOutputs() < Asm->getNumInputs())
          Result.SharedPlaces.push_back({Asm->getInputExpr(Operand - Asm->getNumOutputs())});
        else
          Result.SharedPlaces.push_back(All);
        continue;
      }
      const StringRef Register =
          Inside.ltrim('%')
              .take_while([](char C) { return llvm::isAlnum(C) || C == '_'; })
              .rtrim("0123456789");
      Result.SharedPlaces.push_back(Registers.contains(Register) ? All
                                                                 : std::vector<const Expr *>());
    }
  }
  Result.MayLoop = Sleeps || Result.Calls || (Branches && Looks);
}

/// Of `%1`; null: it is no input.
const Expr *inputOf(const GCCAsmStmt *Asm, StringRef Operand) {
  unsigned I = 0;
  Operand = Operand.trim();
  if (!Operand.consume_front("\x01") || Operand.consumeInteger(10, I) || Operand != "\x02" ||
      I >= Asm->getNumInputs())
    return nullptr;
  return Asm->getInputExpr(I);
}

/// `cp.async.cg.shared.global.L2::128B [%0], [%1], 16, %2;` and what belongs to it.
void readCopy(PtxText &Result, StringRef Text, const GCCAsmStmt *Asm, const ASTContext &Context) {
  Text = Text.trim("{}; \t\r\n");
  if (Text.contains(';') || Asm->isAsmGoto() || Asm->getNumOutputs() != 0)
    return;
  const StringRef Opcode = Text.take_until([](char C) { return llvm::isSpace(C); });
  SmallVector<StringRef, 4> Operands;
  Text.drop_front(Opcode.size()).split(Operands, ',');
  auto Input = [&](StringRef Operand) { return inputOf(Asm, Operand); };
  auto Number = [&](StringRef Operand) -> std::optional<int64_t> {
    int64_t Value = 0;
    Expr::EvalResult Result;
    if (!Operand.trim().getAsInteger(0, Value))
      return Value;
    const Expr *E = Input(Operand);
    if (!E || E->isValueDependent() || !E->EvaluateAsInt(Result, Context))
      return std::nullopt;
    return Result.Val.getInt().getExtValue();
  };
  PtxCopy C;
  if (Opcode == "cp.async.commit_group" && Operands.size() == 1 && Operands[0].trim().empty()) {
    C.Is = PtxCopy::Commit;
  } else if (Opcode == "cp.async.wait_all" && Operands.size() == 1 && Operands[0].trim().empty()) {
    C.Is = PtxCopy::WaitAll;
  } else if (Opcode == "cp.async.wait_group" && Operands.size() == 1 && Number(Operands[0]) == 0) {
    C.Is = PtxCopy::Wait;
  } else if (Opcode.starts_with("cp.async.ca.shared") || Opcode.starts_with("cp.async.cg.shared")) {
    SmallVector<StringRef, 8> Modifiers;
    Opcode.split(Modifiers, '.');
    // How much the cache fetches besides is no matter of what is copied; a policy would be another
    // operand.
    const bool Known = all_of(drop_begin(Modifiers, 3), [](StringRef M) {
      return is_contained({"shared", "shared::cta", "global", "L2::64B", "L2::128B", "L2::256B"},
                          M);
    });
    if (!Known || !is_contained(Modifiers, "global") || Operands.size() < 3 || Operands.size() > 4)
      return;
    auto Place = [&](StringRef Operand) -> const Expr * {
      Operand = Operand.trim();
      return Operand.consume_front("[") && Operand.consume_back("]") ? Input(Operand) : nullptr;
    };
    const std::optional<int64_t> Bytes = Number(Operands[2]);
    C.To = Place(Operands[0]);
    C.From = Place(Operands[1]);
    C.Size = Operands.size() == 4 ? Input(Operands[3]) : nullptr;
    if (!C.To || !C.From || !Bytes || (*Bytes != 4 && *Bytes != 8 && *Bytes != 16) ||
        (Operands.size() == 4 && !C.Size) || (C.Size && !C.Size->getType()->isIntegerType()))
      return;
    C.Bytes = unsigned(*Bytes);
    C.Is = PtxCopy::Copy;
  }
  Result.Copy = C;
}

/// `{ .reg .pred p; setp.ne.b32 p, %2, 0; @p st.shared.v4.f32 [%0 + 16], {%1, ..}; }`
class StoreReader {
public:
  explicit StoreReader(const GCCAsmStmt *Asm) : Asm(Asm) {}

  /// Empty: the statement does something else.
  std::vector<PtxStore> read(StringRef Text) {
    Text = Text.trim();
    if (Asm->isAsmGoto() || Asm->getNumOutputs() != 0)
      return {};
    if (Text.consume_front("{") && !Text.consume_back("}"))
      return {};
    SmallVector<StringRef, 8> Instructions;
    Text.split(Instructions, ';');
    for (StringRef Instruction : Instructions)
      if (Instruction = Instruction.trim(); !Instruction.empty() && !instruction(Instruction))
        return {};
    return std::move(Stores);
  }

private:
  struct Place {
    const Expr *Operand = nullptr;
    bool IsPointer = false;
  };
  const GCCAsmStmt *Asm;
  std::vector<PtxStore> Stores;
  StringSet<> Declared;
  StringMap<Place> Places;                             ///< what registers are worth
  StringMap<std::pair<const Expr *, bool>> Predicates; ///< the operand, and whether it is 0

  const Expr *input(StringRef Operand) const { return inputOf(Asm, Operand); }

  bool instruction(StringRef Text) {
    if (Text.consume_front(".reg")) {
      StringRef Type = Text.ltrim().take_until([](char C) { return llvm::isSpace(C); });
      SmallVector<StringRef, 4> Names;
      Text.ltrim().drop_front(Type.size()).split(Names, ',');
      for (StringRef Name : Names)
        if (Name.contains('<') || !Declared.insert(Name.trim()).second)
          return false;
      return true;
    }
    PtxStore S;
    if (Text.consume_front("@")) {
      S.Unless = Text.consume_front("!");
      const StringRef Name = Text.take_until([](char C) { return llvm::isSpace(C); });
      const auto It = Predicates.find(Name);
      if (It == Predicates.end())
        return false;
      S.If = It->second.first;
      S.Unless ^= It->second.second;
      Text = Text.drop_front(Name.size()).ltrim();
    }
    const StringRef Opcode = Text.take_until([](char C) { return llvm::isSpace(C) || C == '['; });
    StringRef Operands = Text.drop_front(Opcode.size()).trim();
    SmallVector<StringRef, 6> Words;
    Opcode.split(Words, '.');
    if (Words.front() == "st")
      return store(S, drop_begin(Words), Operands);
    return !S.If && setsRegister(Opcode, Operands);
  }

  bool setsRegister(StringRef Opcode, StringRef Operands) {
    SmallVector<StringRef, 4> Parts;
    Operands.split(Parts, ',');
    for (StringRef &Part : Parts)
      Part = Part.trim();
    // Once each, so that what is known of them stays so.
    if (Parts.size() < 2 || !Declared.contains(Parts[0]) || Places.count(Parts[0]) ||
        Predicates.count(Parts[0]))
      return false;
    if (is_contained({"setp.ne.b32", "setp.ne.u32", "setp.ne.s32", "setp.eq.b32", "setp.eq.u32",
                      "setp.eq.s32"},
                     Opcode)) {
      const Expr *E = input(Parts[1]);
      if (Parts.size() != 3 || Parts[2] != "0" || !E)
        return false;
      Predicates[Parts[0]] = {E, Opcode.starts_with("setp.eq")};
      return true;
    }
    if (Parts.size() != 2)
      return false;
    Place P;
    if (Opcode == "cvta.to.shared.u64" && input(Parts[1]))
      P = {input(Parts[1]), true};
    else if (const auto It = Places.find(Parts[1]);
             It != Places.end() && (Opcode == "cvt.u32.u64" || Opcode == "mov.u64"))
      P = It->second;
    else
      return false;
    Places[Parts[0]] = P;
    return true;
  }

  template <typename Range> bool store(PtxStore &S, Range Words, StringRef Operands) {
    std::vector<StringRef> Rest(Words.begin(), Words.end());
    auto Next = [&](ArrayRef<StringRef> Any) {
      if (Rest.empty() || !is_contained(Any, Rest.front()))
        return false;
      Rest.erase(Rest.begin());
      return true;
    };
    Next({"weak"});
    if (!Next({"shared", "shared::cta"}))
      return false;
    size_t Count = 1;
    if (!Rest.empty() && is_contained({"v2", "v4"}, Rest.front())) {
      Count = Rest.front() == "v2" ? 2 : 4;
      Rest.erase(Rest.begin());
    }
    if (Rest.size() != 1 || Rest.front().size() < 2 ||
        Rest.front().drop_front().getAsInteger(10, S.Bits) ||
        !StringRef("fbus").contains(Rest.front().front()) ||
        !is_contained({8u, 16u, 32u, 64u}, S.Bits))
      return false;
    S.Kind = Rest.front().front();
    const size_t Close = Operands.find(']');
    if (!Operands.starts_with("[") || Close == StringRef::npos ||
        !address(S, Operands.slice(1, Close)))
      return false;
    Operands = Operands.drop_front(Close + 1).trim();
    if (!Operands.consume_front(","))
      return false;
    Operands = Operands.trim();
    if (Count != 1 && (!Operands.consume_front("{") || !Operands.consume_back("}")))
      return false;
    SmallVector<StringRef, 4> Parts;
    Operands.split(Parts, ',');
    for (StringRef Part : Parts)
      if (const Expr *Value = input(Part))
        S.Values.push_back(Value);
    if (Parts.size() != Count || S.Values.size() != Count)
      return false;
    Stores.push_back(S);
    return true;
  }

  bool address(PtxStore &S, StringRef Inside) const {
    Inside = Inside.trim();
    const StringRef Base =
        Inside.take_until([](char C) { return C == '+' || C == '-' || llvm::isSpace(C); });
    if (const auto It = Places.find(Base); It != Places.end()) {
      S.Address = It->second.Operand;
      S.IsPointer = It->second.IsPointer;
    } else {
      S.Address = input(Base);
    }
    Inside = Inside.drop_front(Base.size()).trim();
    const bool Minus = Inside.starts_with("-");
    if (!Inside.empty() && (!(Inside.consume_front("+") || Inside.consume_front("-")) ||
                            Inside.trim().getAsInteger(0, S.Offset)))
      return false;
    if (Minus)
      S.Offset = -S.Offset;
    return S.Address && std::abs(S.Offset) < (1 << 20);
  }
};

/// The inputs whose values are nothing but addresses.
void readOperands(PtxText &Result, StringRef Text, const GCCAsmStmt *Asm) {
  for (unsigned I = 0; I != Asm->getNumInputs(); ++I) {
    const std::string Operand = "\x01" + std::to_string(Asm->getNumOutputs() + I) + "\x02";
    bool Value = llvm::isDigit(Asm->getInputConstraint(I).front()); // also an output
    int Brackets = 0;
    for (size_t At = 0; At < Text.size(); ++At) {
      Brackets += (Text[At] == '[') - (Text[At] == ']');
      Value |= Brackets == 0 && Text.substr(At).starts_with(Operand);
    }
    if (!Value)
      Result.OnlyAddresses.push_back(Asm->getInputExpr(I));
  }
}

/// Whether the instructions are understood, and what they load.
void readInstructions(PtxText &Result, StringRef Text, const GCCAsmStmt *Asm) {
  StringSet<> Registers;
  SmallVector<StringRef, 4> Instructions;
  SplitString(Text, Instructions, ";");
  bool Moves = true;
  for (StringRef Instruction : Instructions) {
    Instruction = Instruction.trim("{} \t\r\n");
    if (Instruction.consume_front("@")) // a predicate
      Instruction = Instruction.drop_while([](char C) { return !llvm::isSpace(C); }).ltrim();
    if (Instruction.empty())
      continue;
    if (Instruction.starts_with(".reg")) { // .reg .pred p, q
      SmallVector<StringRef, 4> Names;
      Instruction.rsplit('.')
          .second.drop_while([](char C) { return !llvm::isSpace(C); })
          .split(Names, ',');
      for (StringRef Name : Names)
        Registers.insert(Name.trim());
      continue;
    }
    SmallVector<StringRef, 8> Modifiers;
    const StringRef Opcode = Instruction.take_until([](char C) { return llvm::isSpace(C); });
    Opcode.split(Modifiers, '.');
    const StringRef Name = Modifiers.front();
    // `mov.u32 %0, tile;` takes an address, and names what may have another name soon.
    if (namesSymbols(Instruction.drop_front(Opcode.size()), Registers))
      return;
    Result.OfTheWarp |= is_contained(
        {"activemask", "ldmatrix", "match", "mma", "movmatrix", "redux", "shfl", "vote"}, Name);
    if (!Instruction.contains('[')) {
      if (!computesOnRegisters(Name))
        return;
      Moves &= movesOnly(Modifiers);
      continue;
    }
    const bool Matrix = Name == "ldmatrix";
    auto Says = [&](StringRef M) { return is_contained(Modifiers, M); };
    // Loads that others may have to see, or that ask the memory anew.
    if ((!Matrix && Name != "ld") ||
        any_of(ArrayRef<StringRef>{"volatile", "acquire", "relaxed", "mmio", "cv"}, Says))
      return;
    std::optional<std::pair<unsigned, int64_t>> Address = addressIn(Instruction);
    if (!Address || Address->first < Asm->getNumOutputs() ||
        Address->first - Asm->getNumOutputs() >= Asm->getNumInputs() ||
        llvm::isDigit(Asm->getInputConstraint(Address->first - Asm->getNumOutputs()).front()))
      return; // an output, which the instructions may have set before
    PtxLoad Load;
    Load.Address = Asm->getInputExpr(Address->first - Asm->getNumOutputs());
    Load.Offset = Address->second;
    // Each of the threads that give an address gives that of a row of 16 bytes.
    Load.Bytes = Matrix ? 16 : sizeOfLoad(Modifiers);
    Load.Shared = any_of(Modifiers,
                         [](StringRef M) { return M == "shared" || M.starts_with("shared::cta"); });
    if (Load.Bytes == 0 || Says("local") || Says("param") || any_of(Modifiers, [](StringRef M) {
          return M.starts_with("shared::cluster") || M.starts_with("param::");
        }))
      return;
    Result.Loads.push_back(Load);
  }
  Result.Understood = true;
  Result.MovesOnly = Moves && Result.Loads.empty();
}

} // namespace

PtxText readPtx(const GCCAsmStmt *Asm, const ASTContext &Context) {
  PtxText Result;
  readWords(Result, Asm->getAsmString());
  readAccesses(Result, Asm->getAsmString());
  Result.Memory = accessedMemory(Asm);
  Result.OrdersMemory = Asm->isVolatile() && clobbersMemory(Asm);
  std::optional<std::string> Known = textWithOperands(Asm, Context);
  const std::string Text = Known ? *Known : Asm->getAsmString();
  auto Says = [&](StringRef Word) { return StringRef(Text).contains(Word); };
  readPlaces(Result, Text, Asm);
  if (!Known) {
    Result.SharedPlaces.push_back({});
    Result.MayLoop |= Says("bra");
    Result.LoadsAnew |= Says("ld.");
  }
  if (Says("bar.") || Says("barrier.")) {
    Result.Function =
        Known && Result.OrdersMemory ? barrierIn(Text, Asm, Context) : FunctionKind::BarrierOther;
    Result.Understood =
        Result.Function == FunctionKind::Barrier || Result.Function == FunctionKind::WarpBarrier;
  }
  // Registers that are not the same at another time, or in a kernel with more shared memory.
  if (!Known ||
      any_of(ArrayRef<StringRef>{"%clock", "%globaltimer", "smem_size", "%pm", "%is_explicit"},
             Says))
    return Result;
  readOperands(Result, Text, Asm);
  if (Result.AboutCopies)
    readCopy(Result, Text, Asm, Context);
  if (Result.StoresShared)
    Result.PlainStores = StoreReader(Asm).read(Text);
  if (Result.Function != FunctionKind::Unknown)
    return Result;
  readInstructions(Result, Text, Asm);
  if (Result.Understood)
    Result.Function = FunctionKind::Pure;
  return Result;
}

bool isLikeExpression(const GCCAsmStmt *Asm, const ASTContext &Context) {
  const PtxText Ptx = readPtx(Asm, Context);
  return Ptx.Function == FunctionKind::Pure && !Ptx.OfTheWarp && !Asm->isAsmGoto() &&
         Asm->getNumOutputs() > 0 && all_of(Ptx.Loads, [](const PtxLoad &L) {
           return !L.Shared && L.Address->getType()->isPointerType();
         });
}

} // namespace cuda_pipeline
