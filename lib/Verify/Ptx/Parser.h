//===- Parser.h - From the text of an asm statement to instructions -------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// The parser splits the text into statements, and a statement into mnemonic, modifiers and
/// operands (Parser.cpp). A function per family of instructions (the other files) then takes the
/// modifiers that it knows and turns the operands into registers. What nobody took is an error that
/// names the instruction: a modifier is never skipped because it is unknown.
///
/// The first error is kept and everything behind it does nothing, so that families need not check
/// each step.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_VERIFY_PTX_PARSER_H
#define CUDA_PIPELINE_VERIFY_PTX_PARSER_H

#include "Code.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/Twine.h"
#include <initializer_list>
#include <map>
#include <optional>

namespace cuda_pipeline {
namespace emulator {

/// An instruction type: ".f16x2" is {Float, 16, 2}.
struct Type {
  enum Kind : uint8_t { Bits, Unsigned, Signed, Float, BFloat, TFloat, E4M3, E5M2, Predicate };
  Kind K = Bits;
  uint8_t ElementBits = 0;
  uint8_t Lanes = 1;

  unsigned bits() const { return unsigned(ElementBits) * Lanes; }
  unsigned bytes() const { return bits() / 8; }
  bool isInteger() const { return K == Bits || K == Unsigned || K == Signed; }
  bool isSigned() const { return K == Signed; }
  bool is(Kind Wanted, unsigned Width, unsigned N = 1) const {
    return K == Wanted && ElementBits == Width && Lanes == N;
  }
  bool isFloat() const { return !isInteger() && K != Predicate; }
  static Type b(unsigned Width) { return {Bits, static_cast<uint8_t>(Width), 1}; }
  static std::optional<Type> parse(llvm::StringRef Text);
};

/// An operand of a statement as it is written.
struct ParsedOperand {
  enum Kind { Register, Integer, Real, Vector, Address, Sink, Special, Name };
  Kind K = Sink;
  uint16_t Index = NoRegister; ///< of a register, of an address's base
  unsigned Bits = 0;           ///< of that register; 1: a predicate
  bool Negated = false;
  uint64_t Value = 0;    ///< Integer; Real: the bits of `0f` and `0d` constants
  unsigned RealBits = 0; ///< 32, 64; 0: a decimal constant, in Decimal
  double Decimal = 0;
  int64_t Offset = 0;
  llvm::StringRef Text; ///< Special, Name
  std::vector<ParsedOperand> Elements;
  /// The q of `p|q`.
  uint16_t Second = NoRegister;
  unsigned SecondBits = 0;
  bool HasSecond = false;
};

class Parser;

/// One statement on its way to an instruction.
class Statement {
public:
  Statement(Parser &P, std::string Mnemonic);

  Parser &P;
  std::string Mnemonic; ///< all of it: "ld.global.nc.v4.f32"
  std::string Root;     ///< "ld"
  llvm::SmallVector<std::string, 8> Modifiers;
  llvm::SmallVector<ParsedOperand, 6> Operands;
  Instruction I;

  // Modifiers. Each takes the first that fits, wherever it stands.
  bool take(llvm::StringRef Modifier);
  bool takeAny(std::initializer_list<llvm::StringRef> Modifiers);
  /// Index of the one that was found, -1 if none.
  int takeOne(std::initializer_list<llvm::StringRef> Modifiers);
  std::optional<Type> takeType();
  /// The instruction's only type; an error if there is none.
  Type type();
  /// .rn, .rz, .rm, .rp
  std::optional<Rounding> takeRounding();
  void flag(llvm::StringRef Modifier, Instruction::Flag F);

  // Operands.
  size_t count() const { return Operands.size(); }
  /// The number of operands; all modifiers have been taken by now.
  bool expect(size_t Least, size_t Most);
  bool expect(size_t Number) { return expect(Number, Number); }
  /// Constants become registers that hold them, special registers are read by an instruction
  /// before.
  uint16_t source(size_t Operand, Type T);
  uint16_t source(const ParsedOperand &O, Type T);
  uint16_t destination(size_t Operand, Type T);
  uint16_t destination(const ParsedOperand &O, Type T);
  uint16_t predicate(size_t Operand);
  uint16_t predicateDestination(size_t Operand);
  uint16_t secondDestination(size_t Operand, unsigned Bits);
  bool isPredicate(size_t Operand) const;
  /// A constant, as cp.async's size and lop3's table.
  int64_t constant(size_t Operand);
  bool isConstant(size_t Operand) const;
  /// Fills I.A, I.Offset and the flag of the width.
  void address(size_t Operand);
  /// Appends a vector operand (or a single one, as a vector of one) to I's lists.
  unsigned list(size_t Operand, Type Element, bool IsDestination);

  void error(const llvm::Twine &Why);
  /// "'X' is not emulated".
  void unknown();
  bool failed() const;
  void emit(Handler Run);
  /// emit() or, without a function, unknown().
  void emitOr(Handler Run) { Run ? emit(Run) : unknown(); }

private:
  unsigned NextList = 0;
  bool mayWrite(const ParsedOperand &O, unsigned Bits);
};

class Parser {
public:
  Parser(llvm::StringRef Text, llvm::ArrayRef<unsigned> OperandBits);
  llvm::Expected<std::unique_ptr<PtxBlock>> parse();

  void error(const llvm::Twine &Message);
  bool Failed = false;
  std::string Message;

  std::unique_ptr<Code> Result;
  uint16_t newRegister(uint64_t Initial);
  uint16_t constant(uint64_t Value);
  uint32_t name(llvm::StringRef Text);
  void jump(Statement &S, llvm::StringRef Label);
  bool CarrySet = false; ///< an instruction of the text has set the carry

private:
  struct Token {
    enum Kind { Word, Number, Operand, Punctuation, End } K = End;
    llvm::StringRef Text;
    unsigned Index = 0;
  };
  struct Symbol {
    uint16_t Register;
    unsigned Bits;
    unsigned Count; ///< of a vector; 0: a plain register
  };
  struct Scope {
    llvm::StringMap<Symbol> Symbols;
    llvm::StringMap<size_t> Labels;
    int Parent;
  };
  struct Fixup {
    size_t Instruction;
    int Scope;
    std::string Label;
    std::string Mnemonic;
  };

  void decode(llvm::StringRef Text);
  void tokenize();
  const Token &peek(unsigned Ahead = 0) const;
  bool is(char C, unsigned Ahead = 0) const;
  bool consume(char C);
  void statement();
  void declaration();
  void instruction();
  bool operand(ParsedOperand &O, unsigned Depth);
  bool plainOperand(ParsedOperand &O);
  bool addressOperand(ParsedOperand &O);
  bool word(ParsedOperand &O, llvm::StringRef Text);
  bool number(ParsedOperand &O, llvm::StringRef Text);
  bool expression(int64_t &Value, unsigned Depth, unsigned Level);
  const Symbol *find(llvm::StringRef Name) const;
  bool declare(llvm::StringRef Name, unsigned Bits, unsigned Count);
  void where();

  llvm::ArrayRef<unsigned> OperandBits;
  std::string Source;
  std::vector<Token> Tokens;
  size_t At = 0;
  std::deque<Scope> Scopes;
  int Current = -1;
  std::vector<Fixup> Fixups;
  std::map<uint64_t, uint16_t> Constants;
  std::string Mnemonic; ///< of the statement at hand, for messages
};

/// A family: instructions with one root. Table of all of them: Families.cpp.
using Family = void (*)(Statement &S);
Family findFamily(llvm::StringRef Root);

// Arithmetic.cpp: integers and logic.
void parseAddSub(Statement &S);
void parseMul(Statement &S);
void parseMad(Statement &S);
void parseDivRem(Statement &S);
void parseSad(Statement &S);
void parseNegAbs(Statement &S);
void parseMinMax(Statement &S);
void parseLogic(Statement &S);
void parseShift(Statement &S);
void parseFunnelShift(Statement &S);
void parseBitField(Statement &S);
void parseCountBits(Statement &S);
void parsePermute(Statement &S);
void parseLop3(Statement &S);
void parseDotProduct(Statement &S);
// Floating.cpp; those that are shared with integers hand over to these.
void parseFloatBinary(Statement &S, Type T);
void parseFloatMad(Statement &S, Type T);
void parseFloatNegAbs(Statement &S, Type T);
void parseFloatMinMax(Statement &S, Type T);
void parseFma(Statement &S);
void parseDivFloat(Statement &S, Type T);
void parseUnaryFloat(Statement &S);
void parseCopysign(Statement &S);
void parseTestp(Statement &S);
// Select.cpp
void parseSet(Statement &S);
void parseSetp(Statement &S);
void parseSelp(Statement &S);
void parseSlct(Statement &S);
// ConvertType.cpp
void parseCvt(Statement &S);
// Memory.cpp
void parseMov(Statement &S);
void parseLoadStore(Statement &S);
void parseAtom(Statement &S);
void parseCvta(Statement &S);
void parseIsspacep(Statement &S);
void parseCpAsync(Statement &S);
void parsePrefetch(Statement &S);
void parseFence(Statement &S);
// Mbarrier.cpp
void parseMbarrier(Statement &S);
void parseCpAsyncMbarrier(Statement &S);
// Control.cpp
void parseBra(Statement &S);
void parseBar(Statement &S);
void parseNothing(Statement &S);
void parseTrap(Statement &S);
void parseCreatePolicy(Statement &S);
// Warp.cpp
void parseShfl(Statement &S);
void parseVote(Statement &S);
void parseActivemask(Statement &S);
void parseMatch(Statement &S);
void parseRedux(Statement &S);
void parseElect(Statement &S);
// Matrix.cpp
void parseMma(Statement &S);
void parseLdmatrix(Statement &S);
void parseStmatrix(Statement &S);
void parseMovmatrix(Statement &S);

/// The handler `H<T>::run` for the C++ type of an integer type.
template <template <class> class H> Handler forInteger(Type T) {
  if (!T.isInteger() || T.Lanes != 1)
    return nullptr;
  switch (T.ElementBits) {
  case 8:
    return T.isSigned() ? &H<int8_t>::run : &H<uint8_t>::run;
  case 16:
    return T.isSigned() ? &H<int16_t>::run : &H<uint16_t>::run;
  case 32:
    return T.isSigned() ? &H<int32_t>::run : &H<uint32_t>::run;
  case 64:
    return T.isSigned() ? &H<int64_t>::run : &H<uint64_t>::run;
  default:
    return nullptr;
  }
}

} // namespace emulator
} // namespace cuda_pipeline

#endif
