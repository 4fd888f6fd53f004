//===- Expression.cpp - The integer expressions of launch descriptions ----===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Expression.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <limits>
#include <vector>

using namespace llvm;
using namespace cuda_pipeline;
using namespace cuda_pipeline::launch;

namespace {

// Weakest first. Equal precedence associates to the left; ?: is handled by itself, below all these.
struct BinaryOperator {
  StringLiteral Text;
  unsigned Precedence;
};
// Longer spellings come before their prefixes.
constexpr BinaryOperator BinaryOperators[] = {
    {"||", 1}, {"&&", 2}, {"==", 3}, {"!=", 3}, {"<=", 4}, {">=", 4}, {"<", 4},
    {">", 4},  {"+", 5},  {"-", 5},  {"*", 6},  {"/", 6},  {"%", 6},
};
constexpr unsigned UnaryPrecedence = 7;
// Deeper nesting is no expression that a person wrote; it would exhaust the stack.
constexpr unsigned MaxDepth = 200;

/// Evaluates while it parses. The first error ends it: from then on every function returns 0 at
/// once.
class Evaluator {
public:
  Evaluator(StringRef Text, const Names &Known, bool CheckOnly)
      : Whole(Text), Rest(Text), Known(Known), Unused(CheckOnly ? 1 : 0) {}

  Expected<int64_t> run() {
    int64_t Value = conditional();
    if (Message.empty() && !Rest.ltrim().empty())
      fail(formatv("unexpected '{0}' in '{1}'", word(), Whole).str());
    if (!Message.empty())
      return createStringError(inconvertibleErrorCode(), Message);
    return Value;
  }

private:
  StringRef Whole, Rest;
  const Names &Known;
  // Above 0: the operand is parsed, but its value is not used, so that nothing is computed.
  unsigned Unused;
  unsigned Depth = 0;
  std::string Message;

  int64_t fail(std::string What) {
    if (Message.empty())
      Message = std::move(What);
    Rest = "";
    return 0;
  }

  // What stands at the current place, for messages.
  StringRef word() {
    StringRef R = Rest.ltrim();
    size_t Length = R.find_if_not([](char C) { return isAlnum(C) || C == '_' || C == '.'; });
    return R.take_front(Length == 0 ? 1 : Length);
  }

  bool take(StringRef Token) {
    StringRef R = Rest.ltrim();
    if (!R.consume_front(Token))
      return false;
    Rest = R;
    return true;
  }

  void expect(StringRef Token) {
    if (!Message.empty() || take(Token))
      return;
    if (Rest.trim().empty())
      fail(formatv("missing '{0}' at the end of '{1}'", Token, Whole).str());
    else
      fail(formatv("expected '{0}' in front of '{1}' in '{2}'", Token, Rest.trim(), Whole).str());
  }

  int64_t conditional() {
    if (++Depth > MaxDepth)
      return fail("the expression is nested too deeply");
    int64_t Condition = binary(1);
    if (take("?")) {
      Unused += Condition == 0;
      int64_t Then = conditional();
      Unused -= Condition == 0;
      expect(":");
      Unused += Condition != 0;
      int64_t Else = conditional();
      Unused -= Condition != 0;
      Condition = Condition ? Then : Else;
    }
    --Depth;
    return Condition;
  }

  int64_t binary(unsigned MinPrecedence) {
    int64_t Left = unary();
    while (Message.empty()) {
      const BinaryOperator *Op = find_if(BinaryOperators, [&](const BinaryOperator &O) {
        return Rest.ltrim().starts_with(O.Text);
      });
      if (Op == std::end(BinaryOperators) || Op->Precedence < MinPrecedence)
        break;
      take(Op->Text);
      const bool Skip = (Op->Text == "&&" && !Left) || (Op->Text == "||" && Left);
      Unused += Skip;
      int64_t Right = binary(Op->Precedence + 1);
      Unused -= Skip;
      if (Message.empty())
        Left = apply(Op->Text, Left, Right);
    }
    return Left;
  }

  int64_t unary() {
    if (++Depth > MaxDepth)
      return fail("the expression is nested too deeply");
    int64_t Value;
    if (take("-"))
      Value = apply("-", 0, binary(UnaryPrecedence));
    else if (take("+"))
      Value = binary(UnaryPrecedence);
    else if (take("!"))
      Value = !binary(UnaryPrecedence);
    else
      Value = primary();
    --Depth;
    return Value;
  }

  int64_t primary() {
    if (!Message.empty())
      return 0;
    if (take("(")) {
      int64_t Value = conditional();
      expect(")");
      return Value;
    }
    StringRef Word = word();
    if (Rest.trim().empty())
      return fail(Whole.trim().empty() ? std::string("the expression is empty")
                                       : formatv("'{0}' ends too early", Whole).str());
    if (isDigit(Word[0])) {
      Rest = Rest.ltrim().drop_front(Word.size());
      uint64_t Value;
      // A leading zero is no octal number here; 0x is understood.
      const bool Hex = Word.starts_with_insensitive("0x");
      if ((Hex ? Word.drop_front(2) : Word).getAsInteger(Hex ? 16 : 10, Value))
        return fail((Word.contains('.')
                         ? formatv("'{0}' in '{1}': expressions are integers", Word, Whole)
                         : formatv("'{0}' in '{1}' is no integer of 64 bits", Word, Whole))
                        .str());
      if (Value > static_cast<uint64_t>(std::numeric_limits<int64_t>::max()))
        return fail(formatv("'{0}' does not fit into 64 bits", Word).str());
      return static_cast<int64_t>(Value);
    }
    if (!isAlpha(Word[0]) && Word[0] != '_')
      return fail(formatv("unexpected '{0}' in '{1}'", Word, Whole).str());
    Rest = Rest.ltrim().drop_front(Word.size());
    if (Word == "min" || Word == "max" || Word == "ceildiv")
      return call(Word);
    auto Found = Known.find(Word);
    if (Found == Known.end())
      return fail(formatv("'{0}' is not defined; known names: {1}", Word, listOf(Known)).str());
    return Found->second;
  }

  int64_t call(StringRef Function) {
    expect("(");
    int64_t A = conditional();
    expect(",");
    int64_t B = conditional();
    expect(")");
    if (!Message.empty())
      return 0;
    if (Function == "min")
      return std::min(A, B);
    if (Function == "max")
      return std::max(A, B);
    if (Unused)
      return 0;
    if (B <= 0)
      return fail(formatv("ceildiv by {0} in '{1}'; the divisor must be positive", B, Whole).str());
    // Truncation rounds towards zero, which is already up for negative numbers.
    return A / B + (A % B > 0);
  }

  int64_t apply(StringRef Op, int64_t A, int64_t B) {
    if (Unused)
      return 0;
    int64_t Result = 0;
    bool Overflow = false;
    if (Op == "+")
      Overflow = AddOverflow(A, B, Result);
    else if (Op == "-")
      Overflow = SubOverflow(A, B, Result);
    else if (Op == "*")
      Overflow = MulOverflow(A, B, Result);
    else if (Op == "/" || Op == "%") {
      if (B == 0)
        return fail(formatv("division by zero in '{0}'", Whole).str());
      Overflow = A == std::numeric_limits<int64_t>::min() && B == -1;
      if (!Overflow)
        Result = Op == "/" ? A / B : A % B;
    } else if (Op == "<")
      Result = A < B;
    else if (Op == ">")
      Result = A > B;
    else if (Op == "<=")
      Result = A <= B;
    else if (Op == ">=")
      Result = A >= B;
    else if (Op == "==")
      Result = A == B;
    else if (Op == "!=")
      Result = A != B;
    else if (Op == "&&")
      Result = A && B;
    else
      Result = A || B;
    if (Overflow)
      return fail(formatv("'{0}' does not fit into 64 bits", Whole).str());
    return Result;
  }
};

} // namespace

Expected<int64_t> launch::evaluateExpression(StringRef Text, const Names &Known) {
  return Evaluator(Text, Known, /*CheckOnly=*/false).run();
}

Error launch::checkExpression(StringRef Text, const Names &Known) {
  return Evaluator(Text, Known, /*CheckOnly=*/true).run().takeError();
}

bool launch::isName(StringRef Text) {
  if (Text.empty() || isDigit(Text[0]) || Text == "min" || Text == "max" || Text == "ceildiv")
    return false;
  return all_of(Text, [](char C) { return isAlnum(C) || C == '_'; });
}

std::string launch::listOf(const Names &Known) {
  std::vector<StringRef> Sorted(Known.keys().begin(), Known.keys().end());
  llvm::sort(Sorted);
  return Sorted.empty() ? "none" : join(Sorted, ", ");
}
