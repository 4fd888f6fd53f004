//===- Parser.cpp - From the text of an asm statement to instructions ---===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/xxhash.h"
#include <algorithm>

using namespace llvm;
using namespace cuda_pipeline;
using namespace cuda_pipeline::emulator;

// What an uninitialised register holds: a NaN in every width.
static constexpr uint64_t Poison = 0xfff7fdfdfff7fdfd;
static constexpr unsigned MaxDepth = 32;
// Stands for an operand in the decoded text: mark, number, mark.
static constexpr char OperandMark = '\1';

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

std::optional<Type> Type::parse(StringRef Text) {
  return StringSwitch<std::optional<Type>>(Text)
      .Case("b8", Type{Bits, 8, 1})
      .Case("b16", Type{Bits, 16, 1})
      .Case("b32", Type{Bits, 32, 1})
      .Case("b64", Type{Bits, 64, 1})
      .Case("b128", Type{Bits, 128, 1})
      .Case("u8", Type{Unsigned, 8, 1})
      .Case("u16", Type{Unsigned, 16, 1})
      .Case("u32", Type{Unsigned, 32, 1})
      .Case("u64", Type{Unsigned, 64, 1})
      .Case("s8", Type{Signed, 8, 1})
      .Case("s16", Type{Signed, 16, 1})
      .Case("s32", Type{Signed, 32, 1})
      .Case("s64", Type{Signed, 64, 1})
      .Case("u16x2", Type{Unsigned, 16, 2})
      .Case("s16x2", Type{Signed, 16, 2})
      .Case("f16", Type{Float, 16, 1})
      .Case("f16x2", Type{Float, 16, 2})
      .Case("f32", Type{Float, 32, 1})
      .Case("f32x2", Type{Float, 32, 2})
      .Case("f64", Type{Float, 64, 1})
      .Case("bf16", Type{BFloat, 16, 1})
      .Case("bf16x2", Type{BFloat, 16, 2})
      .Case("tf32", Type{TFloat, 32, 1})
      .Case("e4m3", Type{E4M3, 8, 1})
      .Case("e5m2", Type{E5M2, 8, 1})
      .Case("e4m3x2", Type{E4M3, 8, 2})
      .Case("e5m2x2", Type{E5M2, 8, 2})
      .Case("pred", Type{Predicate, 1, 1})
      .Default(std::nullopt);
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

Statement::Statement(Parser &P, std::string M) : P(P), Mnemonic(std::move(M)) {
  SmallVector<StringRef, 8> Parts;
  StringRef(Mnemonic).split(Parts, '.');
  Root = Parts.front().str();
  for (StringRef Part : drop_begin(Parts))
    Modifiers.push_back(Part.str());
}

bool Statement::failed() const { return P.Failed; }
void Statement::error(const Twine &Why) { P.error("'" + Mnemonic + "': " + Why); }
void Statement::unknown() { P.error("'" + Mnemonic + "' is not emulated"); }

bool Statement::take(StringRef Modifier) {
  auto *It = llvm::find(Modifiers, Modifier);
  if (It == Modifiers.end())
    return false;
  Modifiers.erase(It);
  return true;
}

int Statement::takeOne(std::initializer_list<StringRef> Wanted) {
  int Index = 0;
  for (StringRef M : Wanted) {
    if (take(M))
      return Index;
    ++Index;
  }
  return -1;
}

bool Statement::takeAny(std::initializer_list<StringRef> Wanted) {
  bool Any = false;
  for (StringRef M : Wanted)
    Any |= take(M);
  return Any;
}

std::optional<Type> Statement::takeType() {
  for (auto *It = Modifiers.begin(); It != Modifiers.end(); ++It)
    if (std::optional<Type> T = Type::parse(*It)) {
      Modifiers.erase(It);
      return T;
    }
  return std::nullopt;
}

Type Statement::type() {
  if (std::optional<Type> T = takeType())
    return *T;
  unknown();
  return Type::b(32);
}

std::optional<Rounding> Statement::takeRounding() {
  switch (takeOne({"rn", "rz", "rm", "rp"})) {
  case 0:
    return Rounding::NearestEven;
  case 1:
    return Rounding::Zero;
  case 2:
    return Rounding::Down;
  case 3:
    return Rounding::Up;
  default:
    return std::nullopt;
  }
}

void Statement::flag(StringRef Modifier, Instruction::Flag F) {
  if (take(Modifier))
    I.Flags |= F;
}

bool Statement::expect(size_t Least, size_t Most) {
  // What is wrong with an instruction that is not known is not its operands.
  if (!Modifiers.empty())
    unknown();
  if (Operands.size() >= Least && Operands.size() <= Most)
    return !failed();
  if (Least == Most)
    error(formatv("{0} operands, expected {1}", Operands.size(), Least));
  else
    error(formatv("{0} operands, expected {1} to {2}", Operands.size(), Least, Most));
  return false;
}

static void readSpecial(Frame &F, const Instruction &I) {
  uint64_t Value = 0;
  const std::string &Name = F.C.Names[I.Extra];
  if (!F.T.specialRegister(Name.c_str(), Value))
    F.T.unsupported("the special register '%" + Name + "' is not emulated", F.At);
  F.R[I.D] = Value;
}

static void negatePredicate(Frame &F, const Instruction &I) { F.R[I.D] = !F.predicate(I.A); }

uint16_t Statement::source(const ParsedOperand &O, Type T) {
  if (failed())
    return 0;
  switch (O.K) {
  case ParsedOperand::Register: {
    if ((O.Bits == 1) != (T.K == Type::Predicate) || O.HasSecond) {
      error(O.Bits == 1 ? "a predicate where a value is expected"
                        : "a value where a predicate is expected");
      return 0;
    }
    if (O.Bits < T.bits()) {
      error(formatv("an operand of {0} bits where {1} are read", O.Bits, T.bits()));
      return 0;
    }
    if (!O.Negated)
      return O.Index;
    if (T.K != Type::Predicate) {
      error("'!' in front of a value");
      return 0;
    }
    Instruction Not;
    Not.Run = negatePredicate;
    Not.A = O.Index;
    Not.D = P.newRegister(0);
    P.Result->Instructions.push_back(Not);
    return Not.D;
  }
  case ParsedOperand::Integer:
    if (T.K == Type::Predicate)
      return P.constant((O.Value != 0) != O.Negated);
    if (T.isFloat() && T.ElementBits > 16) {
      error("an integer constant where a floating-point one is expected");
      return 0;
    }
    return P.constant(O.Value);
  case ParsedOperand::Real: {
    if (T.is(Type::Float, 64))
      return P.constant(O.RealBits == 64   ? O.Value
                        : O.RealBits == 32 ? bitCast<uint64_t>(double(
                                                 bitCast<float>(static_cast<uint32_t>(O.Value))))
                                           : bitCast<uint64_t>(O.Decimal));
    double Value = O.RealBits == 64 ? bitCast<double>(O.Value) : O.Decimal;
    if ((T.is(Type::Float, 32) || T.is(Type::TFloat, 32) || T.is(Type::Bits, 32)))
      return P.constant(O.RealBits == 32 ? O.Value : bitCast<uint32_t>(static_cast<float>(Value)));
    if (T.is(Type::Bits, 64) && O.RealBits == 64)
      return P.constant(O.Value);
    error("a floating-point constant does not fit the type");
    return 0;
  }
  case ParsedOperand::Special: {
    if (T.K == Type::Predicate) {
      error("a special register where a predicate is expected");
      return 0;
    }
    Instruction Read;
    Read.Run = readSpecial;
    Read.D = P.newRegister(0);
    Read.Extra = P.name(O.Text);
    P.Result->Instructions.push_back(Read);
    return Read.D;
  }
  case ParsedOperand::Sink:
    error("'_' is no operand here");
    return 0;
  case ParsedOperand::Name:
    error("'" + O.Text + "' is not declared in the asm statement");
    return 0;
  case ParsedOperand::Vector:
  case ParsedOperand::Address:
    error("an operand of the wrong kind");
    return 0;
  }
  return 0;
}

uint16_t Statement::source(size_t Operand, Type T) {
  if (Operand < Operands.size())
    return source(Operands[Operand], T);
  error("an operand is missing");
  return 0;
}

bool Statement::mayWrite(const ParsedOperand &O, unsigned Bits) {
  if (failed())
    return false;
  if (O.K != ParsedOperand::Register || O.Negated) {
    error("the result must be a register");
    return false;
  }
  if ((O.Bits == 1) != (Bits == 1)) {
    error(O.Bits == 1 ? "the result is no predicate" : "the result is a predicate");
    return false;
  }
  if (O.Bits < Bits) {
    error(formatv("a result of {0} bits in a register of {1}", Bits, O.Bits));
    return false;
  }
  return true;
}

uint16_t Statement::destination(const ParsedOperand &O, Type T) {
  if (O.K == ParsedOperand::Sink && !O.HasSecond)
    return P.newRegister(0);
  return mayWrite(O, T.bits()) ? O.Index : uint16_t(0);
}

uint16_t Statement::destination(size_t Operand, Type T) {
  if (Operand < Operands.size())
    return destination(Operands[Operand], T);
  error("an operand is missing");
  return 0;
}

uint16_t Statement::predicate(size_t Operand) {
  return source(Operand, Type{Type::Predicate, 1, 1});
}
uint16_t Statement::predicateDestination(size_t Operand) {
  return destination(Operand, Type{Type::Predicate, 1, 1});
}

uint16_t Statement::secondDestination(size_t Operand, unsigned Bits) {
  if (Operand >= Operands.size() || !Operands[Operand].HasSecond)
    return NoRegister;
  ParsedOperand &O = Operands[Operand];
  O.HasSecond = false; // taken
  if (O.Second == NoRegister)
    return NoRegister; // '_'
  if ((O.SecondBits == 1) != (Bits == 1) || O.SecondBits < Bits) {
    error("the second result does not fit its register");
    return NoRegister;
  }
  return O.Second;
}

bool Statement::isPredicate(size_t Operand) const {
  return Operand < Operands.size() && Operands[Operand].K == ParsedOperand::Register &&
         Operands[Operand].Bits == 1;
}

bool Statement::isConstant(size_t Operand) const {
  return Operand < Operands.size() && Operands[Operand].K == ParsedOperand::Integer;
}

int64_t Statement::constant(size_t Operand) {
  if (isConstant(Operand))
    return static_cast<int64_t>(Operands[Operand].Value);
  error("a constant is expected as operand " + Twine(Operand + 1));
  return 0;
}

void Statement::address(size_t Operand) {
  if (failed())
    return;
  if (Operand >= Operands.size() || Operands[Operand].K != ParsedOperand::Address)
    return error("operand " + Twine(Operand + 1) + " must be an address in brackets");
  const ParsedOperand &O = Operands[Operand];
  I.A = O.Index;
  I.Offset = O.Offset;
  if (O.Index != NoRegister && O.Bits != 32 && O.Bits != 64)
    return error("an address must have 32 or 64 bits");
  if (O.Index != NoRegister && O.Bits == 32)
    I.Flags |= Instruction::NarrowAddress;
}

unsigned Statement::list(size_t Operand, Type Element, bool IsDestination) {
  if (Operand >= Operands.size()) {
    error("an operand is missing");
    return 0;
  }
  if (NextList == 0)
    I.Lists = static_cast<uint32_t>(P.Result->Lists.size());
  if (NextList == 4 || failed()) {
    error("too many vectors");
    return 0;
  }
  SmallVector<uint16_t, 8> Registers;
  auto Add = [&](const ParsedOperand &O) {
    Registers.push_back(IsDestination ? destination(O, Element) : source(O, Element));
  };
  const ParsedOperand &O = Operands[Operand];
  if (O.K == ParsedOperand::Vector)
    for (const ParsedOperand &E : O.Elements)
      Add(E);
  else
    Add(O);
  P.Result->Lists.insert(P.Result->Lists.end(), Registers.begin(), Registers.end());
  I.Lengths[NextList++] = static_cast<uint8_t>(Registers.size());
  return static_cast<unsigned>(Registers.size());
}

void Statement::emit(Handler Run) {
  if (failed())
    return;
  if (!Modifiers.empty())
    return unknown();
  for (const ParsedOperand &O : Operands)
    if (O.HasSecond)
      return error("a second result after '|' where there is none");
  I.Run = Run;
  P.Result->Instructions.push_back(I);
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

Parser::Parser(StringRef Text, ArrayRef<unsigned> OperandBits)
    : Result(std::make_unique<Code>()), OperandBits(OperandBits) {
  Result->OperandCount = static_cast<unsigned>(OperandBits.size());
  Result->TextHash = xxh3_64bits(Text);
  if (OperandBits.size() > 256)
    error("an asm statement with more than 256 operands");
  for (unsigned Bits : OperandBits)
    if (Bits > 64)
      error("an asm statement with an operand of more than 64 bits is not emulated");
  decode(Text);
}

void Parser::error(const Twine &What) {
  if (Failed)
    return;
  Failed = true;
  Message = What.str();
}

void Parser::where() {
  if (!Mnemonic.empty())
    return error("'" + Mnemonic + "': cannot be parsed at '" + peek().Text + "'");
  error(peek().K == Token::End ? "the PTX of the asm statement ends too early"
                               : "PTX that cannot be parsed at '" + peek().Text + "'");
}

/// LLVM's escapes: `$0`, `${0:modifier}`, `$$`, `${:uid}`, and `$(`, `$|`, `$)`.
void Parser::decode(StringRef Text) {
  Source.reserve(Text.size());
  auto Number = [&](StringRef Digits) {
    unsigned Index = 0;
    if (Digits.getAsInteger(10, Index) || Index >= OperandBits.size())
      return error("the asm statement has no operand '%" + Digits.take_while(isAlnum) + "'");
    Source += OperandMark;
    Source += std::to_string(Index);
    Source += OperandMark;
  };
  for (size_t I = 0; I < Text.size(); ++I) {
    char C = Text[I];
    if (C != '$') {
      // Also keeps the mark out of the text.
      Source += C == '\n' || isPrint(C) ? C : ' ';
      continue;
    }
    StringRef Rest = Text.drop_front(I + 1);
    if (Rest.empty())
      return error("the PTX of the asm statement ends in '$'");
    if (isDigit(Rest[0])) {
      StringRef Digits = Rest.take_while(isDigit);
      Number(Digits);
      I += Digits.size();
    } else if (Rest[0] == '{') {
      size_t Close = Rest.find('}');
      if (Close == StringRef::npos)
        return error("the PTX of the asm statement ends within '${'");
      StringRef Inside = Rest.slice(1, Close);
      if (Inside == ":uid")
        Source += '0'; // labels are local to the statement anyway
      else
        Number(Inside.split(':').first);
      I += Close + 1;
    } else if (StringRef("$(|)").contains(Rest[0])) {
      Source += Rest[0] == '(' ? '{' : Rest[0] == ')' ? '}' : Rest[0];
      ++I;
    } else {
      return error("a '$' in the PTX of an asm statement that stands for nothing");
    }
  }
}

static bool isWordStart(char C) {
  return isAlpha(C) || C == '_' || C == '%' || C == '.' || C == '$';
}

void Parser::tokenize() {
  StringRef S = Source;
  size_t I = 0;
  auto Push = [&](Token::Kind K, size_t Begin, unsigned Index = 0) {
    Tokens.push_back({K, S.slice(Begin, I), Index});
  };
  while (I < S.size() && !Failed) {
    char C = S[I];
    size_t Begin = I;
    if (isSpace(C)) {
      ++I;
    } else if (S.substr(I, 2) == "//") {
      I = std::min(S.find('\n', I), S.size());
    } else if (S.substr(I, 2) == "/*") {
      size_t Close = S.find("*/", I + 2);
      if (Close == StringRef::npos)
        return error("a comment in PTX that does not end");
      I = Close + 2;
    } else if (C == OperandMark) {
      size_t Close = S.find(OperandMark, I + 1);
      unsigned Index = 0;
      S.slice(I + 1, Close).getAsInteger(10, Index);
      I = Close + 1;
      Push(Token::Operand, Begin, Index);
      Tokens.back().Text = "an operand";
    } else if (isDigit(C)) {
      bool Prefixed = C == '0' && I + 1 < S.size() && isAlpha(S[I + 1]);
      for (; I < S.size(); ++I) {
        bool Exponent = !Prefixed && (S[I] == '+' || S[I] == '-') && toLower(S[I - 1]) == 'e' &&
                        S.slice(Begin, I).contains('.');
        if (!isAlnum(S[I]) && S[I] != '.' && !Exponent)
          break;
      }
      Push(Token::Number, Begin);
    } else if (isWordStart(C)) {
      while (I < S.size()) {
        if (isAlnum(S[I]) || isWordStart(S[I]))
          ++I;
        else if (S.substr(I, 2) == "::")
          I += 2;
        else
          break;
      }
      Push(Token::Word, Begin);
    } else if (StringRef("{}[]()@!,;:|+-*/%~<>&^=").contains(C)) {
      ++I;
      Push(Token::Punctuation, Begin);
    } else {
      return error(Twine("a character that PTX does not have: '") + Twine(C) + "'");
    }
  }
}

const Parser::Token &Parser::peek(unsigned Ahead) const {
  static const Token TheEnd;
  return At + Ahead < Tokens.size() ? Tokens[At + Ahead] : TheEnd;
}

bool Parser::is(char C, unsigned Ahead) const {
  const Token &T = peek(Ahead);
  return T.K == Token::Punctuation && T.Text[0] == C;
}

bool Parser::consume(char C) {
  if (!is(C))
    return false;
  ++At;
  return true;
}

//===----------------------------------------------------------------------===//
// Registers and names
//===----------------------------------------------------------------------===//

uint16_t Parser::newRegister(uint64_t Initial) {
  size_t Index = Result->OperandCount + Result->Initial.size();
  if (Index >= MaxRegisters) {
    error(formatv("an asm statement with more than {0} registers", MaxRegisters));
    return 0;
  }
  Result->Initial.push_back(Initial);
  return static_cast<uint16_t>(Index);
}

uint16_t Parser::constant(uint64_t Value) {
  auto [It, New] = Constants.try_emplace(Value, 0);
  if (New)
    It->second = newRegister(Value);
  return It->second;
}

uint32_t Parser::name(StringRef Text) {
  auto It = llvm::find(Result->Names, Text);
  if (It != Result->Names.end())
    return static_cast<uint32_t>(It - Result->Names.begin());
  Result->Names.push_back(Text.str());
  return static_cast<uint32_t>(Result->Names.size() - 1);
}

const Parser::Symbol *Parser::find(StringRef Name) const {
  for (int S = Current; S >= 0; S = Scopes[S].Parent) {
    auto It = Scopes[S].Symbols.find(Name);
    if (It != Scopes[S].Symbols.end())
      return &It->second;
  }
  return nullptr;
}

bool Parser::declare(StringRef Name, unsigned Bits, unsigned Count) {
  Symbol S;
  S.Bits = Bits;
  S.Count = Count;
  S.Register = newRegister(Poison);
  for (unsigned I = 1; I < Count && !Failed; ++I)
    newRegister(Poison);
  if (!Scopes[Current].Symbols.try_emplace(Name, S).second)
    error("the register '" + Name + "' is declared twice");
  return !Failed;
}

/// .reg [.v2|.v4] .TYPE NAME [<N>] {, NAME [<N>]} ;
void Parser::declaration() {
  SmallVector<StringRef, 6> Words;
  std::string All;
  // ".reg .b32 x" and ".reg.b32 x".
  while (peek().K == Token::Word && peek().Text.starts_with(".")) {
    SmallVector<StringRef, 4> Parts;
    peek().Text.drop_front().split(Parts, '.');
    Words.append(Parts.begin(), Parts.end());
    All += peek().Text;
    ++At;
  }
  Mnemonic = All;
  if (Words.front() == "pragma" || Words.front() == "loc") {
    while (peek().K != Token::End && !is(';'))
      ++At;
    if (!consume(';'))
      where();
    return;
  }
  if (Words.front() != "reg" || Words.size() < 2 || Words.size() > 3)
    return error("'" + All + "' is not emulated");
  unsigned Vector = 0;
  if (Words.size() == 3) {
    Vector = Words[1] == "v2" ? 2 : Words[1] == "v4" ? 4 : 0;
    if (!Vector)
      return error("'" + All + "' is not emulated");
  }
  std::optional<Type> T = Type::parse(Words.back());
  if (!T || T->bits() > 64)
    return error("'" + All + "' is not emulated");
  do {
    if (peek().K != Token::Word || peek().Text.starts_with("."))
      return where();
    StringRef Name = peek().Text;
    ++At;
    if (!consume('<')) {
      if (!declare(Name, T->bits(), Vector))
        return;
      continue;
    }
    unsigned N = 0;
    if (peek().K != Token::Number || peek().Text.getAsInteger(0, N) || Vector)
      return where();
    ++At;
    if (!consume('>'))
      return where();
    for (unsigned I = 0; I != N; ++I)
      if (!declare((Name + Twine(I)).str(), T->bits(), 0))
        return;
  } while (consume(','));
  if (!consume(';'))
    where();
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

static bool isSpecialRegister(StringRef Name) {
  StringRef Base = Name;
  for (StringRef Vector : {"tid.", "ntid.", "ctaid.", "nctaid.", "clusterid.", "nclusterid.",
                           "cluster_ctaid.", "cluster_nctaid."})
    if (Base.consume_front(Vector))
      return Base == "x" || Base == "y" || Base == "z";
  return StringSwitch<bool>(Name)
      .Cases({"laneid", "warpid", "nwarpid", "smid", "nsmid", "gridid"}, true)
      .Cases({"lanemask_eq", "lanemask_le", "lanemask_lt", "lanemask_ge", "lanemask_gt"}, true)
      .Cases({"clock", "clock_hi", "clock64", "globaltimer", "globaltimer_lo", "globaltimer_hi"},
             true)
      .Cases({"dynamic_smem_size", "total_smem_size", "aggr_smem_size"}, true)
      .Cases({"cluster_ctarank", "cluster_nctarank", "is_explicit_cluster"}, true)
      .Default(false);
}

/// A name that is an operand.
bool Parser::word(ParsedOperand &O, StringRef Text) {
  if (Text == "_") {
    O.K = ParsedOperand::Sink;
    return true;
  }
  auto ToRegister = [&](uint16_t Register, unsigned Bits) {
    O.K = ParsedOperand::Register;
    O.Index = Register;
    O.Bits = Bits;
  };
  if (const Symbol *S = find(Text)) {
    if (!S->Count) {
      ToRegister(S->Register, S->Bits);
      return true;
    }
    O.K = ParsedOperand::Vector;
    for (unsigned I = 0; I != S->Count; ++I) {
      ParsedOperand E;
      E.K = ParsedOperand::Register;
      E.Index = static_cast<uint16_t>(S->Register + I);
      E.Bits = S->Bits;
      O.Elements.push_back(E);
    }
    return true;
  }
  auto [Base, Component] = Text.rsplit('.');
  if (const Symbol *S = Component.size() == 1 ? find(Base) : nullptr) {
    size_t Index = StringRef("xyzw").find(Component[0]);
    if (Index == StringRef::npos)
      Index = StringRef("rgba").find(Component[0]);
    if (Index >= S->Count) { // also npos
      where();
      return false;
    }
    ToRegister(static_cast<uint16_t>(S->Register + Index), S->Bits);
    return true;
  }
  if (Text == "WARP_SZ") {
    O.K = ParsedOperand::Integer;
    O.Value = 32;
    return true;
  }
  StringRef Special = Text;
  if (Special.consume_front("%") && isSpecialRegister(Special)) {
    O.K = ParsedOperand::Special;
    O.Text = Special;
    return true;
  }
  O.K = ParsedOperand::Name;
  O.Text = Text;
  return true;
}

bool Parser::number(ParsedOperand &O, StringRef Text) {
  StringRef Rest = Text;
  for (auto [Prefix, Digits] : {std::pair("0f", 8u), {"0F", 8u}, {"0d", 16u}, {"0D", 16u}}) {
    if (!Rest.consume_front(Prefix))
      continue;
    O.K = ParsedOperand::Real;
    O.RealBits = Digits * 4;
    return Rest.size() == Digits && !Rest.getAsInteger(16, O.Value);
  }
  if (Text.contains('.')) {
    O.K = ParsedOperand::Real;
    O.RealBits = 0;
    return !Text.getAsDouble(O.Decimal);
  }
  O.K = ParsedOperand::Integer;
  Rest = Rest.rtrim("uU");
  return !Rest.getAsInteger(0, O.Value);
}

static std::optional<int64_t> apply(char Operator, int64_t Left, int64_t Right) {
  auto L = static_cast<uint64_t>(Left), R = static_cast<uint64_t>(Right);
  switch (Operator) {
  case '+':
    return static_cast<int64_t>(L + R);
  case '-':
    return static_cast<int64_t>(L - R);
  case '*':
    return static_cast<int64_t>(L * R);
  case '/':
  case '%':
    if (Right == 0 || (Right == -1 && L == uint64_t(1) << 63))
      return std::nullopt;
    return Operator == '/' ? Left / Right : Left % Right;
  case '<':
    return R < 64 ? static_cast<int64_t>(L << R) : 0;
  case '>':
    return Left >> std::min<uint64_t>(R, 63);
  case '&':
    return Left & Right;
  case '|':
    return Left | Right;
  default:
    return Left ^ Right;
  }
}

/// A constant expression of integers. Levels: | ^ & shifts sums products.
bool Parser::expression(int64_t &Value, unsigned Depth, unsigned Level) {
  if (Depth > MaxDepth)
    return false;
  static const StringRef Operators[] = {"|", "^", "&", "<>", "+-", "*/%"};
  if (Level == std::size(Operators)) {
    if (consume('-')) {
      if (!expression(Value, Depth + 1, Level))
        return false;
      Value = static_cast<int64_t>(-static_cast<uint64_t>(Value));
      return true;
    }
    if (consume('+'))
      return expression(Value, Depth + 1, Level);
    if (consume('~')) {
      if (!expression(Value, Depth + 1, Level))
        return false;
      Value = ~Value;
      return true;
    }
    if (consume('('))
      return expression(Value, Depth + 1, 0) && consume(')');
    ParsedOperand O;
    if (peek().K == Token::Word && peek().Text == "WARP_SZ") {
      Value = 32;
      ++At;
      return true;
    }
    if (peek().K != Token::Number || !number(O, peek().Text) || O.K != ParsedOperand::Integer)
      return false;
    Value = static_cast<int64_t>(O.Value);
    ++At;
    return true;
  }
  if (!expression(Value, Depth + 1, Level + 1))
    return false;
  while (peek().K == Token::Punctuation && Operators[Level].contains(peek().Text[0])) {
    char Operator = peek().Text[0];
    if (Operator == '<' || Operator == '>') {
      if (!is(Operator, 1))
        return false;
      ++At;
    }
    ++At;
    int64_t Right;
    if (!expression(Right, Depth + 1, Level + 1))
      return false;
    std::optional<int64_t> R = apply(Operator, Value, Right);
    if (!R)
      return false;
    Value = *R;
  }
  return true;
}

/// A register, a constant or a name.
bool Parser::plainOperand(ParsedOperand &O) {
  const Token &T = peek();
  if (T.K == Token::Operand) {
    O.K = ParsedOperand::Register;
    O.Index = static_cast<uint16_t>(T.Index);
    O.Bits = OperandBits[T.Index];
    ++At;
    return true;
  }
  if (T.K == Token::Word && T.Text != "WARP_SZ") {
    if (!word(O, T.Text))
      return false;
    ++At;
    return true;
  }
  bool Minus = is('-') && peek(1).K == Token::Number;
  const Token &First = Minus ? peek(1) : T;
  if (First.K == Token::Number) {
    if (!number(O, First.Text))
      return false;
    if (O.K == ParsedOperand::Real) {
      if (Minus) {
        O.Decimal = -O.Decimal;
        if (O.RealBits)
          O.Value ^= uint64_t(1) << (O.RealBits - 1);
      }
      At += Minus ? 2 : 1;
      return true;
    }
  }
  int64_t Value;
  if (!expression(Value, 0, 0))
    return false;
  O.K = ParsedOperand::Integer;
  O.Value = static_cast<uint64_t>(Value);
  return true;
}

/// Behind '[': a register or a constant, and what is added to it.
bool Parser::addressOperand(ParsedOperand &O) {
  ParsedOperand Base;
  if (!plainOperand(Base))
    return false;
  O.K = ParsedOperand::Address;
  if (Base.K == ParsedOperand::Register) {
    O.Index = Base.Index;
    O.Bits = Base.Bits;
  } else if (Base.K == ParsedOperand::Integer) {
    O.Offset = static_cast<int64_t>(Base.Value);
  } else if (Base.K == ParsedOperand::Name) {
    error("'" + Mnemonic + "': '" + Base.Text + "' is not declared in the asm statement");
    return false;
  } else {
    return false;
  }
  while (is('+') || is('-')) {
    bool Minus = is('-');
    ++At;
    int64_t Value;
    if (!expression(Value, 0, 5)) // products: the sums are this loop
      return false;
    uint64_t Sum = static_cast<uint64_t>(O.Offset);
    Sum += Minus ? -static_cast<uint64_t>(Value) : static_cast<uint64_t>(Value);
    O.Offset = static_cast<int64_t>(Sum);
  }
  return consume(']');
}

bool Parser::operand(ParsedOperand &O, unsigned Depth) {
  if (consume('['))
    return addressOperand(O);
  if (is('{')) {
    if (Depth)
      return false;
    ++At;
    O.K = ParsedOperand::Vector;
    do {
      ParsedOperand E;
      if (O.Elements.size() == 64 || !operand(E, Depth + 1))
        return false;
      O.Elements.push_back(std::move(E));
    } while (consume(','));
    return consume('}');
  }
  if (consume('!'))
    O.Negated = true;
  if (!plainOperand(O))
    return false;
  if ((O.K == ParsedOperand::Register || O.K == ParsedOperand::Sink) && consume('|')) {
    ParsedOperand Second;
    if (!plainOperand(Second) ||
        (Second.K != ParsedOperand::Register && Second.K != ParsedOperand::Sink))
      return false;
    O.HasSecond = true;
    O.Second = Second.Index;
    O.SecondBits = Second.Bits;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Statements of the text
//===----------------------------------------------------------------------===//

void Parser::instruction() {
  uint16_t Guard = NoRegister;
  bool GuardNot = false;
  if (consume('@')) {
    GuardNot = consume('!');
    ParsedOperand O;
    if (!plainOperand(O) || O.K != ParsedOperand::Register || O.Bits != 1)
      return error("a guard that is no predicate, in front of '" + peek().Text + "'");
    Guard = O.Index;
  }
  if (peek().K != Token::Word)
    return where();
  Mnemonic = peek().Text.str();
  ++At;
  while (peek().K == Token::Word && peek().Text.starts_with(".")) {
    Mnemonic += peek().Text;
    ++At;
  }
  Statement S(*this, Mnemonic);
  Family F = findFamily(S.Root);
  if (!F)
    return S.unknown();
  while (!is(';')) {
    ParsedOperand O;
    if (!operand(O, 0))
      return where();
    S.Operands.push_back(std::move(O));
    if (!consume(',') && !is(';'))
      return where();
  }
  ++At;
  S.I.Guard = Guard;
  S.I.GuardNot = GuardNot;
  size_t Before = Result->Instructions.size();
  F(S);
  if (!Failed && Result->Instructions.size() == Before)
    S.unknown(); // a family that made nothing of it
}

void Parser::statement() {
  Mnemonic.clear();
  if (consume(';'))
    return;
  if (consume('{')) {
    // Scopes stay, because labels are looked up at the end.
    Scopes.emplace_back();
    Scopes.back().Parent = Current;
    Current = static_cast<int>(Scopes.size()) - 1;
    return;
  }
  if (consume('}')) {
    if (Current == 0)
      return error("the PTX of an asm statement closes a '}' that it has not opened");
    Current = Scopes[Current].Parent;
    return;
  }
  if (peek().K == Token::Word && is(':', 1)) {
    if (!Scopes[Current].Labels.try_emplace(peek().Text, Result->Instructions.size()).second)
      return error("the label '" + peek().Text + "' is defined twice");
    At += 2;
    return;
  }
  if (peek().K == Token::Word && peek().Text.starts_with("."))
    return declaration();
  instruction();
}

void Parser::jump(Statement &S, StringRef Label) {
  Fixups.push_back({Result->Instructions.size() - 1, Current, Label.str(), S.Mnemonic});
}

Expected<std::unique_ptr<PtxBlock>> Parser::parse() {
  if (!Failed)
    tokenize();
  Scopes.emplace_back();
  Scopes.back().Parent = -1;
  Current = 0;
  while (!Failed && At < Tokens.size())
    statement();
  if (!Failed && Current != 0)
    error("the PTX of an asm statement opens a '{' that it does not close");
  for (const Fixup &F : Fixups) {
    if (Failed)
      break;
    const size_t *Target = nullptr;
    for (int S = F.Scope; S >= 0 && !Target; S = Scopes[S].Parent) {
      auto It = Scopes[S].Labels.find(F.Label);
      if (It != Scopes[S].Labels.end())
        Target = &It->second;
    }
    if (!Target)
      error("'" + F.Mnemonic + "': there is no label '" + F.Label + "'");
    else
      Result->Instructions[F.Instruction].Offset = static_cast<int64_t>(*Target);
  }
  if (Failed)
    return createStringError(inconvertibleErrorCode(), Message);
  return std::unique_ptr<PtxBlock>(std::move(Result));
}

Expected<std::unique_ptr<PtxBlock>> PtxBlock::parse(StringRef Text,
                                                    ArrayRef<unsigned> OperandBits) {
  return Parser(Text, OperandBits).parse();
}
