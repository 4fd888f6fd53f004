//===- ParseTest.cpp - Launch descriptions from YAML ---------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cuda-pipeline/Launch.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"
#include <random>

using namespace cuda_pipeline;
using namespace llvm;

namespace {

std::vector<LaunchDescription> parse(StringRef Text) {
  Expected<std::vector<LaunchDescription>> D = parseLaunch(Text, "f.yaml");
  if (!D) {
    ADD_FAILURE() << toString(D.takeError());
    return std::vector<LaunchDescription>(1);
  }
  return std::move(*D);
}

std::string error(StringRef Text) {
  Expected<std::vector<LaunchDescription>> D = parseLaunch(Text, "f.yaml");
  return D ? "no error" : toString(D.takeError());
}

constexpr StringLiteral Complete = R"(# a comment
kernel: gemm<float, 32>        # as in a launch
cases:
  - {N: 128, K: 32}
  - {N: 256, K: 3 * 32}
let:
  tiles: ceildiv(K, 32)
  both: tiles * N
grid: [N / 32, N / 32]
block: [32, 32]
shared: tiles * 4
arguments:
  - {name: A, buffer: float, count: N * K, role: input}
  - {name: B, buffer: float4, count: K * N / 4, role: input, fill: uniform(-1, 1)}
  - {name: C, buffer: half, count: N * N, role: output, offset: 16}
  - {name: D, same_as: C, offset: N}
  - {name: E, buffer: null}
  - {name: I, buffer: int, count: N, fill: uniform(0, min(N, K)), role: inout}
  - {name: K, scalar: int, value: K}
  - {name: V, scalar: float2, value: [0.5, -1]}
  - name: S
    fields:
      - {scalar: int, value: N}
      - {scalar: half2, value: [1, 0.25]}
  - {value: true}
globals:
  - {name: ns::coefficients, type: float, fill: 0.5}
  - {name: other, type: int}
)";

TEST(Parse, Complete) {
  auto All = parse(Complete);
  ASSERT_EQ(All.size(), 1u);
  const LaunchDescription &D = All[0];
  EXPECT_EQ(D.File, "f.yaml");
  EXPECT_EQ(D.Kernel, "gemm<float, 32>");
  EXPECT_EQ(D.Line, 2u);
  ASSERT_EQ(D.Cases.size(), 2u);
  EXPECT_EQ(D.Cases[1], (std::vector<std::pair<std::string, int64_t>>{{"N", 256}, {"K", 96}}));
  ASSERT_EQ(D.Let.size(), 2u);
  EXPECT_EQ(D.Let[0].first, "tiles");
  EXPECT_EQ(D.Let[0].second.Text, "ceildiv(K, 32)");
  EXPECT_EQ(D.Let[1].second.Line, 8u);
  ASSERT_EQ(D.Grid.size(), 2u);
  EXPECT_EQ(D.Grid[1].Text, "N / 32");
  EXPECT_EQ(D.Block[0].Line, 10u);
  EXPECT_EQ(D.Shared.Text, "tiles * 4");
  ASSERT_EQ(D.Arguments.size(), 10u);
  const auto &A = D.Arguments;
  EXPECT_TRUE(A[0].IsBuffer);
  EXPECT_EQ(A[0].Line, 13u);
  EXPECT_EQ(A[0].TypeName, "float");
  EXPECT_EQ(A[0].Count.Text, "N * K");
  EXPECT_EQ(A[0].Offset.Text, "0");
  EXPECT_EQ(A[0].Role, BufferRole::Input);
  EXPECT_EQ(A[0].Contents.K, BufferFill::Kind::Random);
  EXPECT_EQ(A[1].Contents.K, BufferFill::Kind::Uniform);
  EXPECT_EQ(A[1].Contents.Low.Text, "-1");
  EXPECT_EQ(A[1].Contents.High.Text, "1");
  EXPECT_EQ(A[2].Role, BufferRole::Output);
  EXPECT_EQ(A[2].Contents.K, BufferFill::Kind::Poison);
  EXPECT_EQ(A[2].Offset.Text, "16");
  EXPECT_EQ(A[3].SameAs, "C");
  EXPECT_TRUE(A[3].IsBuffer);
  EXPECT_TRUE(A[4].Null);
  EXPECT_EQ(A[5].Contents.High.Text, "min(N, K)");
  EXPECT_EQ(A[5].Role, BufferRole::InOut) << "the key behind a value with commas is still read";
  EXPECT_FALSE(A[6].IsBuffer);
  EXPECT_EQ(A[6].Values[0].Text, "K");
  EXPECT_EQ(A[7].Values.size(), 2u);
  ASSERT_EQ(A[8].Fields.size(), 2u);
  EXPECT_EQ(A[8].Fields[1].Values[1].Text, "0.25");
  EXPECT_EQ(A[9].Name, "");
  EXPECT_EQ(A[9].TypeName, "");
  ASSERT_EQ(D.Globals.size(), 2u);
  EXPECT_EQ(D.Globals[0].Name, "ns::coefficients");
  EXPECT_EQ(D.Globals[0].Contents.K, BufferFill::Kind::Value);
  EXPECT_EQ(D.Globals[0].Contents.Low.Text, "0.5");
  EXPECT_EQ(D.Globals[1].Contents.K, BufferFill::Kind::Random);
}

constexpr StringLiteral Rest = "grid: 1\nblock: 32\n";

std::string argument(StringRef Body) {
  return ("kernel: k\ncases: [{N: 4}]\n" + Rest + "arguments:\n  - " + Body + "\n").str();
}

TEST(Parse, Spellings) {
  auto D = parse("kernel: k\ngrid: N\nblock: [ceildiv(N, 3), min(1, N), 1]\nlet: {N: 4}\n")[0];
  ASSERT_EQ(D.Cases.size(), 1u);
  EXPECT_TRUE(D.Cases[0].empty());
  ASSERT_EQ(D.Block.size(), 3u) << "commas within parentheses do not separate";
  EXPECT_EQ(D.Block[0].Text, "ceildiv(N, 3)");
  EXPECT_EQ(D.Block[1].Text, "min(1, N)");
  EXPECT_TRUE(D.Arguments.empty());
  EXPECT_EQ(D.Shared.Text, "0");

  D = parse("kernel: 'k'\ngrid: \"1 ? 2 : 3\"\nblock: >\n  1 +\n  2\n")[0];
  EXPECT_EQ(D.Grid[0].Text, "1 ? 2 : 3");
  EXPECT_EQ(D.Block[0].Text, "1 + 2");

  EXPECT_EQ(parse(("kernel: a\n" + Rest + "---\n# nothing\n---\nkernel: b\n" + Rest).str()).size(),
            2u);
  EXPECT_EQ(parse(("\xef\xbb\xbfkernel: a\n" + Rest).str())[0].Kernel, "a");
  EXPECT_EQ(parse(("kernel: a\r\ngrid: 1\r\nblock: 2\r\n"))[0].Block[0].Text, "2");
  EXPECT_EQ(parse(argument("{buffer: unsigned char, count: N}"))[0].Arguments[0].TypeName,
            "unsigned char");
  EXPECT_EQ(parse(argument("{buffer: bytes:12, count: N}"))[0].Arguments[0].TypeName, "bytes:12");
  EXPECT_TRUE(parse(argument("{buffer: ~}"))[0].Arguments[0].Null);
}

TEST(Parse, Fills) {
  using Kind = BufferFill::Kind;
  struct {
    const char *Text, *Type;
    Kind K;
    const char *Low, *High;
  } Cases[] = {
      {"random", "float", Kind::Random, "0", "0"},
      {"poison", "float", Kind::Poison, "0", "0"},
      {"uniform(0, N)", "int", Kind::Uniform, "0", "N"},
      {"uniform(-0.5, 1e3)", "half", Kind::Uniform, "-0.5", "1e3"},
      {"uniform(min(1, N), max(2, N))", "int", Kind::Uniform, "min(1, N)", "max(2, N)"},
      {"index", "int", Kind::Index, "0", "0"},
      {"index(N * 2)", "int", Kind::Index, "N * 2", "0"},
      {"value(N)", "int", Kind::Value, "N", "0"},
      {"7", "int", Kind::Value, "7", "0"},
      {"-7", "int", Kind::Value, "-7", "0"},
      {"0.25", "float", Kind::Value, "0.25", "0"},
      {"nan", "float", Kind::Value, "nan", "0"},
      {"0", "bytes:8", Kind::Value, "0", "0"},
  };
  for (const auto &C : Cases) {
    SCOPED_TRACE(C.Text);
    for (bool Flow : {true, false}) {
      std::string Text =
          Flow ? argument(std::string("{buffer: ") + C.Type + ", fill: " + C.Text + ", count: N}")
               : argument(std::string("buffer: ") + C.Type + "\n    fill: " + C.Text +
                          "\n    count: N");
      const LaunchDescription::Fill F = parse(Text)[0].Arguments[0].Contents;
      EXPECT_EQ(F.K, C.K);
      EXPECT_EQ(F.Low.Text, C.Low);
      EXPECT_EQ(F.High.Text, C.High);
    }
  }
}

TEST(Parse, Roles) {
  EXPECT_EQ(parse(argument("{buffer: int, count: 1}"))[0].Arguments[0].Role, BufferRole::InOut);
  EXPECT_EQ(parse(argument("{buffer: int, count: 1, role: inout}"))[0].Arguments[0].Role,
            BufferRole::InOut);
}

TEST(Parse, ErrorsOfTheFile) {
  EXPECT_EQ(error(""),
            "f.yaml:1: there is no launch description in this file; --emit-launch writes one");
  EXPECT_EQ(error("# only this\n"),
            "f.yaml:1: there is no launch description in this file; --emit-launch writes one");
  EXPECT_EQ(error("- a\n"),
            "f.yaml:1: a launch description is a mapping that begins with 'kernel: NAME'");
  EXPECT_EQ(error("\n\nhello\n"),
            "f.yaml:3: a launch description is a mapping that begins with 'kernel: NAME'");
  EXPECT_EQ(error("grid: 1\nblock: 1\n"),
            "f.yaml:1: 'kernel' is missing: the name as in a launch, such as gemm<float, 32>");
  EXPECT_EQ(error("kernel:\ngrid: 1\n"), "f.yaml:1: 'kernel' needs a word");
  EXPECT_EQ(error(("kernel: k\n" + Rest + "colour: red\n").str()),
            "f.yaml:4: 'colour' is no key of a launch description; known are arguments, block, "
            "bytes, cases, "
            "flops, globals, grid, kernel, let, new_shared, shared, unit");
  EXPECT_EQ(error(("kernel: k\n" + Rest + "flops: 1\nunit: int4\n").str()),
            "f.yaml:5: 'int4' is no unit; known are fp32, fp64, tensor, int8");
  EXPECT_EQ(error(("kernel: k\n" + Rest + "unit: fp32\n").str()),
            "f.yaml:4: 'unit' says what makes the operations of 'flops', which is missing");
  EXPECT_EQ(error("kernel: k\nkernel: l\n"),
            "f.yaml:2: 'kernel' is there twice; the first is in line 1");
  EXPECT_EQ(error("kernel: k\nblock: 1\n"),
            "f.yaml:1: 'grid' is missing: one to three expressions, such as [N / 32, 4]");
  EXPECT_EQ(error("kernel: k\ngrid: 1\n"),
            "f.yaml:1: 'block' is missing: one to three expressions, such as [N / 32, 4]");
  EXPECT_EQ(error("kernel: k\nblock: 1\ngrid: [1, 2, 3, 4]\n"),
            "f.yaml:3: 'grid' needs one to three expressions, such as [N / 32, 4]");
  EXPECT_EQ(error("kernel: k\nblock: 1\ngrid: []\n"),
            "f.yaml:3: 'grid' needs one to three expressions, such as [N / 32, 4]");
  EXPECT_EQ(error("kernel: k\nblock: 1\ngrid: {x: 1}\n"),
            "f.yaml:3: 'grid' needs one to three expressions, such as [N / 32, 4]");
  EXPECT_EQ(error("kernel: k\nblock: 1\ngrid: [1, [2]]\n"), "f.yaml:3: 'grid' needs an expression");
  EXPECT_EQ(error("kernel: k\nblock: M\ngrid: 1\n"),
            "f.yaml:2: 'block': 'M' is not defined; known names: none");
  EXPECT_EQ(error("kernel: k\nblock: 1\ngrid: [1,\n  1 +]\n"),
            "f.yaml:4: 'grid': '1 +' ends too early");
  EXPECT_EQ(error(("kernel: k\n" + Rest + "shared: x\n").str()),
            "f.yaml:4: 'shared': 'x' is not defined; known names: none");
  // The second document has lines of the file, too.
  EXPECT_EQ(error(("kernel: a\n" + Rest + "---\nkernel: b\nblock: 1\ngrid: z\n").str()),
            "f.yaml:7: 'grid': 'z' is not defined; known names: none");
}

TEST(Parse, ErrorsOfYAML) {
  EXPECT_EQ(error("kernel: k\ngrid: [1, 2\nblock: 1\n").substr(0, 20), "f.yaml:3: not YAML: ");
  EXPECT_EQ(error("kernel: k\ngrid: [1 > 0 ? 2 : 3]\n"),
            "f.yaml:2: 'grid' needs an expression; one with ?: needs quotes");
  EXPECT_EQ(error("kernel: k\ngrid: [1, *a]\n").substr(0, 50),
            "f.yaml:2: '*' at the start of a value is a YAML al");
  EXPECT_NE(error("kernel: k\ngrid: 1 > 0 ? 2 : 3\n").find("an expression with ?: needs quotes"),
            std::string::npos);
  EXPECT_EQ(error("kernel: &a k\ngrid: *a\n"),
            "f.yaml:2: '*' at the start of a value is a YAML alias; put the expression in quotes");
  EXPECT_EQ(error("kernel: k\n? [a]\n: b\n"), "f.yaml:2: a key must be a word");
  EXPECT_EQ(error("kernel: " + std::string(40, '[') + std::string(40, ']') + "\n"),
            "f.yaml:1: nested too deeply");
  EXPECT_EQ(error("a\tb: {\n").substr(0, 7), "f.yaml:");
}

TEST(Parse, ErrorsOfCases) {
  auto Cases = [](StringRef Text) {
    return error(("kernel: k\n" + Rest + "cases:" + Text + "\n").str());
  };
  constexpr StringLiteral List =
      "f.yaml:4: 'cases' is a list with a line for each case, such as '- {N: 128, K: 32}'";
  EXPECT_EQ(Cases(""), List);
  EXPECT_EQ(Cases(" []"), List);
  EXPECT_EQ(Cases(" {N: 1}"), List);
  EXPECT_EQ(Cases(" [1]"),
            "f.yaml:4: a case is a list of names with their values, such as {N: 128, K: 32}");
  EXPECT_EQ(Cases("\n - {1N: 1}"),
            "f.yaml:5: '1N' can be no name: letters, digits and _, and not min, max or ceildiv");
  EXPECT_EQ(Cases("\n - {min: 1}"),
            "f.yaml:5: 'min' can be no name: letters, digits and _, and not min, max or ceildiv");
  EXPECT_EQ(Cases("\n - {N: [1]}"), "f.yaml:5: 'N' needs an integer");
  EXPECT_EQ(Cases("\n - {N: x}"),
            "f.yaml:5: 'N' needs an integer: 'x' is not defined; known names: none");
  EXPECT_EQ(Cases("\n - {N: 1, K: N}"),
            "f.yaml:5: 'K' needs an integer: 'N' is not defined; known names: none");
  EXPECT_EQ(Cases("\n - {N: 1.5}"),
            "f.yaml:5: 'N' needs an integer: '1.5' in '1.5': expressions are integers");
  EXPECT_EQ(Cases("\n - {N: 1}\n - {K: 1}"),
            "f.yaml:6: this case defines 'K', which the first case does not");
  EXPECT_EQ(Cases("\n - {N: 1, K: 2}\n - {N: 1}"),
            "f.yaml:6: this case lacks 'K', which the first case defines");
}

TEST(Parse, ErrorsOfLet) {
  auto Let = [](StringRef Text) {
    return error(("kernel: k\ncases: [{N: 1}]\n" + Rest + "let:" + Text + "\n").str());
  };
  EXPECT_EQ(Let(" [1]"),
            "f.yaml:5: 'let' is a list of names with expressions, such as 'tiles: N / 32'");
  EXPECT_EQ(Let("\n  a-b: 1"),
            "f.yaml:6: 'a-b' can be no name: letters, digits and _, and not min, max or ceildiv");
  EXPECT_EQ(Let("\n  N: 1"), "f.yaml:6: 'N' is already defined by the cases");
  EXPECT_EQ(Let("\n  a: b\n  b: 1"), "f.yaml:6: 'a': 'b' is not defined; known names: N")
      << "in order";
  EXPECT_EQ(Let("\n  a: a"), "f.yaml:6: 'a': 'a' is not defined; known names: N");
  EXPECT_EQ(Let("\n  a: [1]"), "f.yaml:6: 'a' needs an expression");
}

TEST(Parse, ErrorsOfArguments) {
  auto Bad = [](StringRef Body) { return error(argument(Body)); };
  EXPECT_EQ(error(("kernel: k\n" + Rest + "arguments: 3\n").str()),
            "f.yaml:4: 'arguments' is a list with a line for each parameter, such as "
            "'- {name: A, buffer: float, count: N, role: input}'");
  EXPECT_EQ(Bad("A"), "f.yaml:6: an argument is a mapping, such as "
                      "{name: A, buffer: float, count: N, role: input}");
  EXPECT_EQ(
      Bad("{buffer: float, cuont: 3}"),
      "f.yaml:6: 'cuont' is no key of an argument; known are buffer, count, fields, fill, name, "
      "offset, role, same_as, scalar, value");
  EXPECT_EQ(Bad("{name: A}"), "f.yaml:6: an argument has one of 'buffer: TYPE', 'same_as: NAME', "
                              "'value: ...' and 'fields: [...]'");
  EXPECT_EQ(Bad("{buffer: int, value: 3}"),
            "f.yaml:6: an argument has one of 'buffer: TYPE', 'same_as: NAME', 'value: ...' and "
            "'fields: [...]', not several of them");
  EXPECT_EQ(Bad("{value: 3, count: 3}"), "f.yaml:6: 'count' does not go with 'value'");
  EXPECT_EQ(Bad("{buffer: null, count: 3}"), "f.yaml:6: 'count' does not go with 'buffer: null'");
  EXPECT_EQ(Bad("{same_as: B, role: input}"), "f.yaml:6: 'role' does not go with 'same_as'");
  EXPECT_EQ(Bad("{fields: [], offset: 3}"), "f.yaml:6: 'offset' does not go with 'fields'");
  EXPECT_EQ(Bad("{name: A, value: 1}\n  - {name: A, value: 2}"),
            "f.yaml:7: there are two arguments with the name 'A'");
  EXPECT_EQ(Bad("{name: [A], value: 1}"), "f.yaml:6: 'name' needs a word");
  EXPECT_EQ(
      Bad("{buffer: flaot, count: 3}"),
      "f.yaml:6: 'buffer': 'flaot' is no known type; known are float, double, half, "
      "__nv_bfloat16, bool, int, unsigned, char, short, long long and so on, int8_t to uint64_t, "
      "vectors (half2, float4, uchar4), bytes:SIZE for structs");
  EXPECT_EQ(Bad("{buffer: float}"), "f.yaml:6: 'count' is missing: the number of elements");
  EXPECT_EQ(Bad("{buffer: float, count: M}"),
            "f.yaml:6: 'count': 'M' is not defined; known names: N");
  EXPECT_EQ(Bad("{buffer: float, count: N, offset: M}"),
            "f.yaml:6: 'offset': 'M' is not defined; known names: N");
  EXPECT_EQ(Bad("{buffer: float, count: N, role: in}"),
            "f.yaml:6: 'in' is no role; known are input, output, inout");
  EXPECT_EQ(Bad("{same_as: B}"), "f.yaml:6: same_as: there is no other argument with the name 'B'");
  EXPECT_EQ(Bad("{name: A, same_as: A}"),
            "f.yaml:6: same_as: there is no other argument with the name 'A'");
  EXPECT_EQ(Bad("{same_as: B}\n  - {name: B, value: 1}"),
            "f.yaml:6: same_as: 'B' is no buffer of its own");
  EXPECT_EQ(Bad("{name: A, same_as: B}\n  - {name: B, same_as: A}"),
            "f.yaml:6: same_as: 'B' is no buffer of its own");
}

TEST(Parse, ErrorsOfScalars) {
  auto Bad = [](StringRef Body) { return error(argument(Body)); };
  EXPECT_EQ(Bad("{scalar: int}"), "f.yaml:6: 'value' is missing");
  EXPECT_EQ(Bad("{scalar: integer, value: 3}").substr(0, 41),
            "f.yaml:6: 'scalar': 'integer' is no known");
  EXPECT_EQ(Bad("{scalar: int, value: M}"),
            "f.yaml:6: 'value': 'M' is not defined; known names: N");
  EXPECT_EQ(Bad("{scalar: int, value: 0.5}"),
            "f.yaml:6: 'value': '0.5' in '0.5': expressions are integers");
  EXPECT_EQ(Bad("{scalar: float, value: 0.5.5}"),
            "f.yaml:6: 'value': '0.5.5' in '0.5.5': expressions are integers");
  EXPECT_EQ(Bad("{scalar: int, value: {a: 1}}"),
            "f.yaml:6: 'value' needs a number or an expression");
  EXPECT_EQ(Bad("{scalar: int2, value: [[1], 2]}"),
            "f.yaml:6: 'value' needs a number or an expression");
  EXPECT_EQ(Bad("{scalar: int2, value: [1]}"), "f.yaml:6: 'value' has 1 components, int2 has 2");
  EXPECT_EQ(Bad("{scalar: int2, value: 1}"),
            "f.yaml:6: 'value' of a int2 is a list of 2 components, such as [1, 2]");
  EXPECT_EQ(Bad("{fields: []}"), "f.yaml:6: 'fields' is a list of the struct's members, such as "
                                 "[{scalar: int, value: N}, {scalar: float, value: 0.5}]");
  EXPECT_EQ(Bad("{fields: [3]}"),
            "f.yaml:6: a field is a mapping, such as {scalar: int, value: N}");
  EXPECT_EQ(Bad("{fields: [{scalar: int}]}"),
            "f.yaml:6: a field has 'scalar: TYPE' and 'value: ...'");
  EXPECT_EQ(Bad("{fields: [{scalar: int, value: 1, name: x}]}"),
            "f.yaml:6: 'name' is no key of a field; known are scalar, value");
}

TEST(Parse, ErrorsOfFills) {
  auto Bad = [](StringRef Fill, StringRef Type = "int") {
    return error(argument(("{buffer: " + Type + ", count: N, fill: " + Fill + "}").str()));
  };
  constexpr StringLiteral Known = " is no fill; known are random, uniform(LOW, HIGH), index, "
                                  "index(START), value(X), a number, poison";
  EXPECT_EQ(Bad("randm"), ("f.yaml:6: 'randm'" + Known).str());
  EXPECT_EQ(Bad("N"), ("f.yaml:6: 'N'" + Known).str());
  EXPECT_EQ(Bad("uniform"), ("f.yaml:6: 'uniform'" + Known).str());
  EXPECT_EQ(Bad("normal(0, 1)"), ("f.yaml:6: 'normal(0, 1)'" + Known).str());
  EXPECT_EQ(Bad("[1]"), "f.yaml:6: 'fill' needs one of random, uniform(LOW, HIGH), index, "
                        "index(START), value(X), a number, poison");
  EXPECT_EQ(Bad("uniform(1)"), "f.yaml:6: 'fill': uniform takes 2 values, not 1");
  EXPECT_EQ(Bad("uniform(1, 2, 3)"), "f.yaml:6: 'fill': uniform takes 2 values, not 3");
  EXPECT_EQ(Bad("index()"), "f.yaml:6: 'fill': index takes 1 value, not 0");
  EXPECT_EQ(Bad("random(3)"), "f.yaml:6: 'fill': random takes no values");
  EXPECT_EQ(Bad("uniform(0, M)"), "f.yaml:6: 'fill': 'M' is not defined; known names: N");
  EXPECT_EQ(Bad("uniform(0, 0.5)"), "f.yaml:6: 'fill': 0.5 is no value of int");
  EXPECT_EQ(Bad("0.5"), "f.yaml:6: 'fill': 0.5 is no value of int");
  EXPECT_EQ(Bad("nan"), "f.yaml:6: 'fill': nan is no value of int");
  EXPECT_EQ(
      Bad("index", "bytes:8"),
      "f.yaml:6: 'fill': bytes can be random, poison or 0; for other contents give the buffer the "
      "type of the struct's members");
  EXPECT_EQ(
      error(argument("{buffer: int, count: N, role: output, fill: 0}")),
      "f.yaml:6: an output starts poisoned, so it has no fill; a buffer whose contents the kernel "
      "reads has the role inout");
}

TEST(Parse, ErrorsOfGlobals) {
  auto Bad = [](StringRef Text) {
    return error(("kernel: k\n" + Rest + "globals:\n  - " + Text + "\n").str());
  };
  EXPECT_EQ(error(("kernel: k\n" + Rest + "globals: x\n").str()),
            "f.yaml:4: 'globals' is a list, such as "
            "'- {name: coefficients, type: float, fill: uniform(-1, 1)}'");
  EXPECT_EQ(Bad("x"), "f.yaml:5: a global is a mapping, such as "
                      "{name: coefficients, type: float, fill: uniform(-1, 1)}");
  EXPECT_EQ(Bad("{name: x}"),
            "f.yaml:5: a global has 'name: NAME' and 'type: TYPE', that of its elements");
  EXPECT_EQ(Bad("{name: x, type: int, count: 3}"),
            "f.yaml:5: 'count' is no key of a global; known are fill, name, type");
  EXPECT_EQ(Bad("{name: x, type: int}\n  - {name: x, type: int}"),
            "f.yaml:6: there are two globals with the name 'x'");
  EXPECT_EQ(Bad("{name: x, type: foo}").substr(0, 35), "f.yaml:5: 'type': 'foo' is no known");
}

// The complete example of the user's page is read, so the page cannot get out of step.
TEST(Parse, ExamplesOfTheDocumentation) {
  auto File = MemoryBuffer::getFile(CPR_DOCS_DIR "/launch.md");
  ASSERT_TRUE(static_cast<bool>(File));
  SmallVector<StringRef> Parts;
  (*File)->getBuffer().split(Parts, "```");
  unsigned Examples = 0;
  for (size_t I = 1; I < Parts.size(); I += 2) {
    if (!Parts[I].consume_front("yaml\n"))
      continue;
    ++Examples;
    EXPECT_EQ(error(Parts[I]), "no error") << Parts[I].str();
  }
  EXPECT_GE(Examples, 2u);
}

// Whatever the text is, there is a value or one line. Cutting and mutating the complete example
// reaches the odd corners of the YAML reader.
TEST(Parse, NeverCrashes) {
  auto tryOne = [](StringRef Text) {
    Expected<std::vector<LaunchDescription>> D = parseLaunch(Text, "f.yaml");
    if (D)
      return;
    std::string Message = toString(D.takeError());
    EXPECT_EQ(StringRef(Message).take_front(7), "f.yaml:") << Text.str();
    EXPECT_FALSE(StringRef(Message).contains('\n')) << Message;
  };
  for (size_t I = 0; I < Complete.size(); ++I)
    tryOne(Complete.take_front(I));
  std::mt19937 Random(1);
  constexpr StringLiteral Characters = "{}[]():,-#*&!|>'\"%@`?~ \n\tNa0.\\";
  for (unsigned I = 0; I < 3000; ++I) {
    std::string Text = Complete.str();
    for (unsigned Change = 0; Change < 1 + I % 3; ++Change) {
      size_t At = Random() % Text.size();
      switch (Random() % 3) {
      case 0:
        Text[At] = Characters[Random() % Characters.size()];
        break;
      case 1:
        Text.erase(At, 1 + Random() % 5);
        break;
      default:
        Text.insert(At, 1, Characters[Random() % Characters.size()]);
      }
    }
    tryOne(Text);
  }
}

} // namespace
