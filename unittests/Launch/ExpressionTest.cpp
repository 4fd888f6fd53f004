//===- ExpressionTest.cpp - The integer expressions of launches ----------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Verify/Launch/Expression.h"
#include "gtest/gtest.h"

using namespace cuda_pipeline::launch;
using namespace llvm;

namespace {

Names names() {
  Names N;
  N["N"] = 100;
  N["K"] = 7;
  N["zero"] = 0;
  return N;
}

std::string eval(StringRef Text) {
  Expected<int64_t> V = evaluateExpression(Text, names());
  return V ? std::to_string(*V) : "error: " + toString(V.takeError());
}

TEST(Expression, Operators) {
  EXPECT_EQ(eval("1 + 2 * 3"), "7");
  EXPECT_EQ(eval("(1 + 2) * 3"), "9");
  EXPECT_EQ(eval("10 - 4 - 3"), "3") << "left to right";
  EXPECT_EQ(eval("100 / 7 / 2"), "7");
  EXPECT_EQ(eval("7 % 4 * 2"), "6");
  EXPECT_EQ(eval("-7 / 2"), "-3") << "as in C";
  EXPECT_EQ(eval("-7 % 2"), "-1");
  EXPECT_EQ(eval("- - 3"), "3");
  EXPECT_EQ(eval("+3"), "3");
  EXPECT_EQ(eval("-2 * 3"), "-6");
  EXPECT_EQ(eval("2 * -3"), "-6");
  EXPECT_EQ(eval("1 < 2"), "1");
  EXPECT_EQ(eval("2<=1"), "0");
  EXPECT_EQ(eval("2 > 1"), "1");
  EXPECT_EQ(eval("1 >= 2"), "0");
  EXPECT_EQ(eval("1 == 1"), "1");
  EXPECT_EQ(eval("1 != 1"), "0");
  EXPECT_EQ(eval("1 < 2 == 1"), "1");
  EXPECT_EQ(eval("1 || 0 && 0"), "1") << "&& binds tighter";
  EXPECT_EQ(eval("!0 + 1"), "2");
  EXPECT_EQ(eval("!5"), "0");
  EXPECT_EQ(eval("N > 3 ? 1 : 2"), "1");
  EXPECT_EQ(eval("zero ? 1 : K ? 2 : 3"), "2") << "right to left";
  EXPECT_EQ(eval("1 ? zero ? 5 : 6 : 7"), "6");
  EXPECT_EQ(eval("0x10 + 010"), "26") << "a leading zero is not octal";
  EXPECT_EQ(eval(" ( ( K ) ) "), "7");
}

TEST(Expression, Functions) {
  EXPECT_EQ(eval("min(N, K)"), "7");
  EXPECT_EQ(eval("max(N, K * 20)"), "140");
  EXPECT_EQ(eval("ceildiv(N, K)"), "15");
  EXPECT_EQ(eval("ceildiv(98, K)"), "14");
  EXPECT_EQ(eval("ceildiv(0, K)"), "0");
  EXPECT_EQ(eval("ceildiv(-7, 2)"), "-3");
  EXPECT_EQ(eval("min(max(1, 2), ceildiv(9, 2)) * 2"), "4");
}

TEST(Expression, NothingIsComputedThatIsNotUsed) {
  EXPECT_EQ(eval("zero ? 1 / zero : 5"), "5");
  EXPECT_EQ(eval("1 ? 5 : 1 / zero"), "5");
  EXPECT_EQ(eval("zero && 1 / zero"), "0");
  EXPECT_EQ(eval("1 || 1 / zero"), "1");
  EXPECT_EQ(eval("zero ? ceildiv(1, zero) : 3"), "3");
}

TEST(Expression, Arithmetic) {
  EXPECT_EQ(eval("9223372036854775807"), "9223372036854775807");
  EXPECT_EQ(eval("-9223372036854775807 - 1"), "-9223372036854775808");
  EXPECT_EQ(eval("9223372036854775808"), "error: '9223372036854775808' does not fit into 64 bits");
  EXPECT_EQ(eval("99999999999999999999"),
            "error: '99999999999999999999' in '99999999999999999999' is no integer of 64 bits");
  EXPECT_EQ(eval("9223372036854775807 + 1"),
            "error: '9223372036854775807 + 1' does not fit into 64 bits");
  EXPECT_EQ(eval("-9223372036854775807 - 2"),
            "error: '-9223372036854775807 - 2' does not fit into 64 bits");
  EXPECT_EQ(eval("9223372036854775807 * 2"),
            "error: '9223372036854775807 * 2' does not fit into 64 bits");
  EXPECT_EQ(eval("(-9223372036854775807 - 1) / -1"),
            "error: '(-9223372036854775807 - 1) / -1' does not fit into 64 bits");
  EXPECT_EQ(eval("(-9223372036854775807 - 1) % -1"),
            "error: '(-9223372036854775807 - 1) % -1' does not fit into 64 bits");
  EXPECT_EQ(eval("N / zero"), "error: division by zero in 'N / zero'");
  EXPECT_EQ(eval("N % zero"), "error: division by zero in 'N % zero'");
  EXPECT_EQ(eval("ceildiv(N, zero)"),
            "error: ceildiv by 0 in 'ceildiv(N, zero)'; the divisor must be positive");
}

TEST(Expression, Errors) {
  EXPECT_EQ(eval(""), "error: the expression is empty");
  EXPECT_EQ(eval("  "), "error: the expression is empty");
  EXPECT_EQ(eval("N *"), "error: 'N *' ends too early");
  EXPECT_EQ(eval("N N"), "error: unexpected 'N' in 'N N'");
  EXPECT_EQ(eval("(N"), "error: missing ')' at the end of '(N'");
  EXPECT_EQ(eval("(N 3)"), "error: expected ')' in front of '3)' in '(N 3)'");
  EXPECT_EQ(eval("N)"), "error: unexpected ')' in 'N)'");
  EXPECT_EQ(eval("* N"), "error: unexpected '*' in '* N'");
  EXPECT_EQ(eval("N ? 1"), "error: missing ':' at the end of 'N ? 1'");
  EXPECT_EQ(eval("min(N)"), "error: expected ',' in front of ')' in 'min(N)'");
  EXPECT_EQ(eval("min N"), "error: expected '(' in front of 'N' in 'min N'");
  EXPECT_EQ(eval("1.5"), "error: '1.5' in '1.5': expressions are integers");
  EXPECT_EQ(eval("12ab"), "error: '12ab' in '12ab' is no integer of 64 bits");
  EXPECT_EQ(eval("M + 1"), "error: 'M' is not defined; known names: K, N, zero");
  EXPECT_EQ(eval("N & 3"), "error: unexpected '&' in 'N & 3'");
  EXPECT_EQ(eval("N = 3"), "error: unexpected '=' in 'N = 3'");
  EXPECT_EQ(eval(std::string(1000, '(') + "1"), "error: the expression is nested too deeply");
  EXPECT_EQ(eval(std::string(1000, '-') + "1"), "error: the expression is nested too deeply");
}

TEST(Expression, CheckIgnoresValues) {
  Names N = names();
  EXPECT_FALSE(errorToBool(checkExpression("N / zero + ceildiv(1, zero)", N)));
  EXPECT_TRUE(errorToBool(checkExpression("zero ? M : 1", N)));
  EXPECT_TRUE(errorToBool(checkExpression("N +", N)));
}

TEST(Expression, Names) {
  EXPECT_TRUE(isName("N"));
  EXPECT_TRUE(isName("_a1"));
  for (StringRef Bad : {"", "1a", "a b", "a-b", "min", "max", "ceildiv", "a.b"})
    EXPECT_FALSE(isName(Bad)) << Bad.str();
  EXPECT_EQ(listOf(Names()), "none");
}

} // namespace
