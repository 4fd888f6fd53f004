//===- Types.cpp - Element types and values of launch descriptions --------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Types.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include <limits>

using namespace llvm;
using namespace cuda_pipeline;
using namespace cuda_pipeline::launch;

using Kind = ElementType::Kind;

namespace {

ElementType type(Kind K, unsigned BaseBytes, unsigned Lanes = 1) {
  ElementType T;
  T.Base = K;
  T.BaseBytes = BaseBytes;
  T.Lanes = Lanes;
  return T;
}

// "unsigned  long long" and "long unsigned" are one type each: the words decide, in any order.
std::optional<ElementType> fromWords(StringRef Name) {
  SmallVector<StringRef> Words;
  SplitString(Name, Words);
  unsigned Unsigned = 0, Signed = 0, Long = 0, Short = 0, Char = 0, Int = 0;
  for (StringRef W : Words) {
    unsigned *Count = StringSwitch<unsigned *>(W)
                          .Case("unsigned", &Unsigned)
                          .Case("signed", &Signed)
                          .Case("long", &Long)
                          .Case("short", &Short)
                          .Case("char", &Char)
                          .Case("int", &Int)
                          .Default(nullptr);
    if (!Count)
      return std::nullopt;
    ++*Count;
  }
  if (Words.empty() || Unsigned + Signed > 1 || Long > 2 || Short > 1 || Char > 1 || Int > 1 ||
      (Char && Int + Long + Short) || (Short && Long))
    return std::nullopt;
  return type(Unsigned ? Kind::UnsignedInt : Kind::SignedInt, Char ? 1 : Short ? 2 : Long ? 8 : 4);
}

std::optional<ElementType> fromOneWord(StringRef Name) {
  constexpr Kind S = Kind::SignedInt, U = Kind::UnsignedInt;
  std::optional<ElementType> T =
      StringSwitch<std::optional<ElementType>>(Name)
          .Case("bool", type(Kind::Bool, 1))
          .Case("float", type(Kind::Float, 4))
          .Case("double", type(Kind::Double, 8))
          .Cases({"half", "__half"}, type(Kind::Half, 2))
          .Cases({"half2", "__half2"}, type(Kind::Half, 2, 2))
          .Cases({"bfloat16", "__nv_bfloat16", "nv_bfloat16"}, type(Kind::BFloat16, 2))
          .Cases({"bfloat162", "__nv_bfloat162", "nv_bfloat162"}, type(Kind::BFloat16, 2, 2))
          .Case("int8_t", type(S, 1))
          .Case("int16_t", type(S, 2))
          .Case("int32_t", type(S, 4))
          .Cases({"int64_t", "ptrdiff_t", "ssize_t"}, type(S, 8))
          .Case("uint8_t", type(U, 1))
          .Case("uint16_t", type(U, 2))
          .Case("uint32_t", type(U, 4))
          .Cases({"uint64_t", "size_t"}, type(U, 8))
          .Case("uchar", type(U, 1))
          .Case("ushort", type(U, 2))
          .Case("uint", type(U, 4))
          .Case("ulong", type(U, 8))
          .Default(std::nullopt);
  if (T)
    return T;
  // CUDA's vector types: a base and one to four lanes.
  if (Name.size() < 2 || Name.back() < '1' || Name.back() > '4')
    return std::nullopt;
  const unsigned Lanes = Name.back() - '0';
  return StringSwitch<std::optional<ElementType>>(Name.drop_back())
      .Case("float", type(Kind::Float, 4, Lanes))
      .Case("double", type(Kind::Double, 8, Lanes))
      .Case("char", type(S, 1, Lanes))
      .Case("short", type(S, 2, Lanes))
      .Case("int", type(S, 4, Lanes))
      .Cases({"long", "longlong"}, type(S, 8, Lanes))
      .Case("uchar", type(U, 1, Lanes))
      .Case("ushort", type(U, 2, Lanes))
      .Case("uint", type(U, 4, Lanes))
      .Cases({"ulong", "ulonglong"}, type(U, 8, Lanes))
      .Default(std::nullopt);
}

const fltSemantics &semantics(Kind K) {
  switch (K) {
  case Kind::Half:
    return APFloat::IEEEhalf();
  case Kind::BFloat16:
    return APFloat::BFloat();
  case Kind::Float:
    return APFloat::IEEEsingle();
  default:
    return APFloat::IEEEdouble();
  }
}

void append(std::vector<uint8_t> &Bytes, uint64_t Value, unsigned Count) {
  for (unsigned I = 0; I < Count; ++I)
    Bytes.push_back(static_cast<uint8_t>(Value >> (8 * I)));
}

} // namespace

std::optional<ElementType> cuda_pipeline::elementType(StringRef Name) {
  Name = Name.trim();
  Name.consume_front("std::");
  if (StringRef Size = Name; Size.consume_front("bytes:")) {
    unsigned Bytes;
    if (Size.trim().getAsInteger(10, Bytes) || Bytes == 0 || Bytes > (1u << 20))
      return std::nullopt;
    return type(Kind::Bytes, 1, Bytes);
  }
  if (std::optional<ElementType> T = fromOneWord(Name))
    return T;
  return fromWords(Name);
}

std::string launch::typeName(const ElementType &T) {
  const bool Unsigned = T.Base == Kind::UnsignedInt;
  std::string Name;
  switch (T.Base) {
  case Kind::Bytes:
    return formatv("bytes:{0}", T.bytes()).str();
  case Kind::Bool:
    Name = "bool";
    break;
  case Kind::Half:
    Name = "half";
    break;
  case Kind::BFloat16:
    Name = "__nv_bfloat16";
    break;
  case Kind::Float:
    Name = "float";
    break;
  case Kind::Double:
    Name = "double";
    break;
  case Kind::SignedInt:
  case Kind::UnsignedInt:
    if (T.Lanes == 1)
      Name = T.BaseBytes == 4 ? (Unsigned ? "unsigned" : "int")
                              : formatv("{0}int{1}_t", Unsigned ? "u" : "", 8 * T.BaseBytes).str();
    else
      Name = (Unsigned ? "u" : "") + std::string(T.BaseBytes == 1   ? "char"
                                                 : T.BaseBytes == 2 ? "short"
                                                 : T.BaseBytes == 4 ? "int"
                                                                    : "longlong");
    break;
  }
  if (T.Lanes != 1)
    Name += std::to_string(T.Lanes);
  // There are no vectors of truth values, and none of four halves.
  std::optional<ElementType> Same = elementType(Name);
  return Same && Same->Base == T.Base && Same->BaseBytes == T.BaseBytes && Same->Lanes == T.Lanes
             ? Name
             : "";
}

bool launch::isFloating(Kind K) {
  return K == Kind::Half || K == Kind::BFloat16 || K == Kind::Float || K == Kind::Double;
}

bool launch::isInteger(Kind K) {
  return K == Kind::Bool || K == Kind::SignedInt || K == Kind::UnsignedInt;
}

unsigned launch::alignment(const ElementType &T) {
  if (T.Base == Kind::Bytes || T.Lanes == 1 || T.Lanes == 3)
    return T.BaseBytes;
  return static_cast<unsigned>(std::min<uint64_t>(T.bytes(), 16));
}

void launch::integerRange(const ElementType &T, int64_t &Low, uint64_t &High) {
  if (T.Base == Kind::Bool) {
    Low = 0;
    High = 1;
    return;
  }
  const unsigned Bits = 8 * T.BaseBytes;
  const bool Signed = T.Base == Kind::SignedInt;
  Low = Signed ? minIntN(Bits) : 0;
  High = Signed ? static_cast<uint64_t>(maxIntN(Bits)) : maxUIntN(Bits);
}

std::string launch::describe(const ElementType &T) {
  std::string Base;
  switch (T.Base) {
  case Kind::Bool:
    Base = "bool";
    break;
  case Kind::SignedInt:
  case Kind::UnsignedInt:
    Base = formatv("{0}int{1}_t", T.Base == Kind::UnsignedInt ? "u" : "", 8 * T.BaseBytes).str();
    break;
  case Kind::Half:
    Base = "half";
    break;
  case Kind::BFloat16:
    Base = "__nv_bfloat16";
    break;
  case Kind::Float:
    Base = "float";
    break;
  case Kind::Double:
    Base = "double";
    break;
  case Kind::Bytes:
    return formatv("{0} bytes", T.bytes()).str();
  }
  return T.Lanes == 1 ? Base : formatv("{0} x {1}", T.Lanes, Base).str();
}

StringRef launch::knownTypes() {
  return "float, double, half, __nv_bfloat16, bool, int, unsigned, char, short, long long and so "
         "on, int8_t to uint64_t, vectors (half2, float4, uchar4), bytes:SIZE for structs";
}

std::optional<APFloat> launch::floatLiteral(StringRef Text) {
  Text = Text.trim();
  StringRef Digits = Text;
  const bool Negative = Digits.consume_front("-");
  if (!Negative)
    Digits.consume_front("+");
  if (Digits == "inf" || Digits == "infinity")
    return APFloat::getInf(APFloat::IEEEquad(), Negative);
  if (Digits == "nan")
    return APFloat::getQNaN(APFloat::IEEEquad(), Negative);
  if (Digits.empty() || (!isDigit(Digits[0]) && Digits[0] != '.'))
    return std::nullopt;
  // "0.5f", as it stands in a launch; but "0xf" ends in a digit.
  if (!Digits.starts_with_insensitive("0x") &&
      (Digits.ends_with_insensitive("f") || Digits.ends_with_insensitive("l")))
    Digits = Digits.drop_back();
  // With more digits than any type has, so that there is one rounding, to the parameter's type.
  APFloat Value(APFloat::IEEEquad());
  Expected<APFloat::opStatus> Status =
      Value.convertFromString(Digits, APFloat::rmNearestTiesToEven);
  if (!Status) {
    consumeError(Status.takeError());
    return std::nullopt;
  }
  if (Negative)
    Value.changeSign();
  return Value;
}

Error launch::appendComponent(const ElementType &T, StringRef Text, const Names &Known,
                              std::vector<uint8_t> &Bytes) {
  Text = Text.trim();
  if (T.Base == Kind::Bytes) {
    // Only zero has the same meaning for every struct.
    if (Text != "0")
      return createStringError("a struct has the value 0 (all bytes zero) or 'fields'");
    Bytes.insert(Bytes.end(), T.bytes(), 0);
    return Error::success();
  }
  if (isFloating(T.Base)) {
    std::optional<APFloat> Value = floatLiteral(Text);
    if (!Value) {
      Expected<int64_t> Integer = evaluateExpression(Text, Known);
      if (!Integer)
        return Integer.takeError();
      Value.emplace(APFloat::IEEEquad());
      Value->convertFromAPInt(APInt(64, static_cast<uint64_t>(*Integer), true), true,
                              APFloat::rmNearestTiesToEven);
    }
    const bool Finite = Value->isFinite();
    bool Inexact;
    Value->convert(semantics(T.Base), APFloat::rmNearestTiesToEven, &Inexact);
    if (Finite && !Value->isFinite())
      return createStringError(
          formatv("{0} is too large for a {1}", Text, describe(type(T.Base, T.BaseBytes))).str());
    append(Bytes, Value->bitcastToAPInt().getZExtValue(), T.BaseBytes);
    return Error::success();
  }
  if (T.Base == Kind::Bool && (Text == "true" || Text == "false")) {
    append(Bytes, Text == "true", 1);
    return Error::success();
  }
  uint64_t Value;
  int64_t Low;
  uint64_t High;
  integerRange(T, Low, High);
  // Literals above the range of the expressions exist for one type only.
  if (T.Base != Kind::UnsignedInt || T.BaseBytes != 8 || Text.getAsInteger(0, Value)) {
    Expected<int64_t> Integer = evaluateExpression(Text, Known);
    if (!Integer)
      return Integer.takeError();
    if (*Integer < Low || (*Integer > 0 && static_cast<uint64_t>(*Integer) > High))
      return createStringError(
          formatv("{0}{1} does not fit into {2} ({3} to {4})", Text,
                  Text == std::to_string(*Integer) ? "" : " = " + std::to_string(*Integer),
                  describe(type(T.Base, T.BaseBytes)), Low, High)
              .str());
    Value = static_cast<uint64_t>(*Integer);
  }
  append(Bytes, Value, T.BaseBytes);
  return Error::success();
}

Expected<double> launch::number(StringRef Text, const Names &Known) {
  std::optional<APFloat> Literal = floatLiteral(Text);
  if (Literal && Text.find_first_of(".eEin") != StringRef::npos &&
      !Text.contains_insensitive("0x")) {
    bool Inexact;
    const bool Finite = Literal->isFinite();
    Literal->convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &Inexact);
    if (Finite && !Literal->isFinite())
      return createStringError(formatv("{0} is too large for a double", Text).str());
    return Literal->convertToDouble();
  }
  Expected<int64_t> Integer = evaluateExpression(Text, Known);
  if (!Integer)
    return Integer.takeError();
  constexpr int64_t Exact = int64_t(1) << 53;
  if (*Integer > Exact || *Integer < -Exact)
    return createStringError(formatv("{0} is beyond 2^53, what a fill can do", *Integer).str());
  return static_cast<double>(*Integer);
}

fill::Spec launch::fillSpec(const ElementType &T, const BufferFill &F) {
  static_assert(
      static_cast<int>(Kind::Bytes) == static_cast<int>(fill::Base::Bytes) &&
          static_cast<int>(Kind::Half) == static_cast<int>(fill::Base::Half) &&
          static_cast<int>(BufferFill::Kind::Poison) == static_cast<int>(fill::Kind::Poison) &&
          static_cast<int>(BufferFill::Kind::Value) == static_cast<int>(fill::Kind::Value),
      "Fill.h repeats the enumerations of the public headers in the same order");
  return {static_cast<fill::Base>(T.Base), T.BaseBytes, T.Lanes,
          static_cast<fill::Kind>(F.K),    F.Low,       F.High};
}
