//===- EvaluateTest.cpp - Launch descriptions to numbers -----------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

using namespace cuda_pipeline;
using namespace llvm;

namespace {

Expected<std::vector<ConcreteLaunch>> run(StringRef Text, const KernelSignature &K) {
  Expected<std::vector<LaunchDescription>> D = parseLaunch(Text, "f.yaml");
  if (!D)
    return D.takeError();
  return evaluate((*D)[0], K);
}

std::vector<ConcreteLaunch> good(StringRef Text, const KernelSignature &K) {
  auto L = run(Text, K);
  if (!L) {
    ADD_FAILURE() << toString(L.takeError());
    return std::vector<ConcreteLaunch>(3);
  }
  return std::move(*L);
}

std::string error(StringRef Text, const KernelSignature &K) {
  auto L = run(Text, K);
  return L ? "no error" : toString(L.takeError());
}

TEST(Evaluate, Complete) {
  KernelSignature K =
      kernel({pointer("A", "float", true), pointer("C", "half"), pointer("D", "half"),
              pointer("E", "int"), scalar("K", "int"), scalar("f", "float"), scalar("V", "float2"),
              structure(scalar("S", "Params"), 16)});
  auto L = good(R"(kernel: gemm<float, 32>
cases: [{N: 128, K: 32}, {N: 64, K: 5}]
let: {tiles: ceildiv(K, 32), last: tiles - 1}
grid: [N / 32, tiles]
block: [32, 8]
shared: tiles * 1024
arguments:
  - {buffer: float, count: N * K, role: input, fill: uniform(-0.5, N)}
  - {name: C, buffer: half, count: N * N, role: output, offset: N}
  - {name: D, same_as: C, offset: 2}
  - {name: E, buffer: null}
  - {name: K, scalar: int, value: K}
  - {name: f, value: 0.5}
  - {name: V, scalar: float2, value: [1, N]}
  - {name: S, fields: [{scalar: char, value: 1}, {scalar: float2, value: [1, 2]}]}
globals:
  - {name: g, type: int, fill: index(K)}
)",
                K);
  ASSERT_EQ(L.size(), 2u);
  EXPECT_EQ(L[0].Kernel, "gemm<float, 32>");
  EXPECT_EQ(L[0].Case, "N=128 K=32");
  EXPECT_EQ(L[1].Case, "N=64 K=5");
  EXPECT_EQ(L[0].Grid, (std::array<uint64_t, 3>{4, 1, 1}));
  EXPECT_EQ(L[0].Block, (std::array<uint64_t, 3>{32, 8, 1}));
  EXPECT_EQ(L[0].SharedBytes, 1024u);
  const auto &A = L[0].Arguments;
  ASSERT_EQ(A.size(), 8u);
  EXPECT_EQ(A[0].Name, "A") << "the parameter's name";
  EXPECT_EQ(A[0].Count, 128u * 32);
  EXPECT_EQ(A[0].Element.bytes(), 4u);
  EXPECT_EQ(A[0].Fill.K, BufferFill::Kind::Uniform);
  EXPECT_EQ(A[0].Fill.Low, -0.5);
  EXPECT_EQ(A[0].Fill.High, 128);
  EXPECT_EQ(L[1].Arguments[0].Fill.High, 64);
  EXPECT_EQ(A[1].Offset, 128u);
  EXPECT_EQ(A[1].Fill.K, BufferFill::Kind::Poison);
  EXPECT_EQ(A[2].SameAs, "C");
  EXPECT_EQ(A[2].Count, A[1].Count);
  EXPECT_EQ(A[2].Offset, 2u);
  EXPECT_EQ(A[2].Role, BufferRole::Output);
  EXPECT_EQ(A[2].ElementName, "half");
  EXPECT_TRUE(A[3].Null);
  EXPECT_EQ(toHex(ArrayRef(A[4].Value), true), "20000000");
  EXPECT_EQ(toHex(ArrayRef(A[5].Value), true), "0000003f");
  EXPECT_EQ(toHex(ArrayRef(A[6].Value), true), "0000803f00000043");
  EXPECT_EQ(toHex(ArrayRef(A[7].Value), true), "01000000000000000000803f00000040")
      << "float2 is aligned to 8 bytes";
  ASSERT_EQ(L[0].Globals.size(), 1u);
  EXPECT_EQ(L[0].Globals[0].Fill.Low, 32);
  EXPECT_EQ(L[0].Globals[0].Element.bytes(), 4u);
}

TEST(Evaluate, WithoutCases) {
  auto L = good("kernel: k\ngrid: 2\nblock: 3\n", kernel({}, "k"));
  ASSERT_EQ(L.size(), 1u);
  EXPECT_EQ(L[0].Case, "single");
}

std::string shape(StringRef Lines, std::optional<unsigned> MaxThreads = std::nullopt) {
  KernelSignature K = kernel({}, "k");
  K.MaxThreads = MaxThreads;
  return error(("kernel: k\n" + Lines + "\n").str(), K);
}

TEST(Evaluate, Shape) {
  EXPECT_EQ(shape("grid: 1\nblock: 1024"), "no error");
  EXPECT_EQ(shape("grid: 1\nblock: 1025"),
            "f.yaml:3: 'block' is 1025 in x; it must be between 1 and 1024");
  EXPECT_EQ(shape("grid: 1\nblock: [1, 1, 65]"),
            "f.yaml:3: 'block' is 65 in z; it must be between 1 and 64");
  EXPECT_EQ(shape("grid: 1\nblock: 0"),
            "f.yaml:3: 'block' is 0 in x; it must be between 1 and 1024");
  EXPECT_EQ(shape("grid: 1\nblock: [32, 33]"),
            "f.yaml:3: a block of 1056 threads; 1024 is the limit");
  EXPECT_EQ(shape("grid: 1\nblock: 257", 256),
            "f.yaml:3: a block of 257 threads; the launch bounds of 'k' allow 256");
  EXPECT_EQ(shape("grid: 1\nblock: 256", 256), "no error");
  EXPECT_EQ(shape("grid: [1, 65536]\nblock: 1"),
            "f.yaml:2: 'grid' is 65536 in y; it must be between 1 and 65535");
  EXPECT_EQ(shape("grid: 2147483647\nblock: 1"), "no error");
  EXPECT_EQ(shape("grid: 2147483648\nblock: 1"),
            "f.yaml:2: 'grid' is 2147483648 in x; it must be between 1 and 2147483647");
  EXPECT_EQ(shape("grid: -1\nblock: 1"),
            "f.yaml:2: 'grid' is -1 in x; it must be between 1 and 2147483647");
  EXPECT_EQ(shape("grid: 1\nblock: 1\nshared: 232448"), "no error");
  EXPECT_EQ(shape("grid: 1\nblock: 1\nshared: 232449"),
            "f.yaml:4: 'shared' is 232449; it must be between 0 and 232448");
  EXPECT_EQ(shape("grid: 1\nblock: 1\nshared: -4"),
            "f.yaml:4: 'shared' is -4; it must be between 0 and 232448");
  EXPECT_EQ(shape("grid: 1\nblock: 1\nflops: -4"),
            "f.yaml:4: 'flops' is -4; it must be between 0 and 4611686018427387904");
  EXPECT_EQ(shape("cases: [{N: 32}, {N: 0}]\ngrid: 1\nblock: N"),
            "f.yaml:4: case N=0: 'block' is 0 in x; it must be between 1 and 1024");
  EXPECT_EQ(shape("cases: [{N: 0}]\nlet: {a: 1 / N}\ngrid: 1\nblock: 1"),
            "f.yaml:3: case N=0: division by zero in '1 / N'");
}

/// One argument for one parameter.
std::string argument(StringRef Body, KernelParameter P) {
  return error(
      ("kernel: k\ncases: [{N: 4}]\ngrid: 1\nblock: 1\narguments:\n  - {" + Body + "}\n").str(),
      kernel({std::move(P)}, "k"));
}

TEST(Evaluate, NumberAndOrder) {
  KernelSignature K = kernel({pointer("A", "float"), scalar("", "int")}, "k");
  EXPECT_EQ(error("kernel: k\ngrid: 1\nblock: 1\n", K),
            "f.yaml:1: 0 arguments, but 'k' has 2 parameters (A, argument 2)");
  EXPECT_EQ(error("kernel: k\ngrid: 1\nblock: 1\narguments: [{value: 1}]\n", kernel({}, "k")),
            "f.yaml:1: 1 argument, but 'k' has 0 parameters");
  K = kernel({scalar("N", "int"), scalar("K", "int")}, "k");
  EXPECT_EQ(
      error("kernel: k\ngrid: 1\nblock: 1\narguments:\n- {name: K, value: 1}\n- {value: 1}\n", K),
      "f.yaml:5: 'K' is parameter 2 of 'k', but argument 1 here; arguments are in the order of the "
      "parameters");
  EXPECT_EQ(
      error("kernel: k\ngrid: 1\nblock: 1\narguments: [{name: x, value: 1}, {value: 1}]\n", K),
      "no error");
  // Parameters of a pack have one name.
  K = kernel({scalar("args", "int"), scalar("args", "int")}, "k");
  auto L = good("kernel: k\ngrid: 1\nblock: 1\narguments: [{value: 1}, {value: 1}]\n", K);
  EXPECT_EQ(L[0].Arguments[1].Name, "argument 2");
}

TEST(Evaluate, Kinds) {
  EXPECT_EQ(argument("value: 1", pointer("A", "float")),
            "f.yaml:6: case N=4: 'A' is a pointer (float *); it needs 'buffer', 'same_as' or "
            "'buffer: null'");
  EXPECT_EQ(argument("buffer: int, count: 1", scalar("n", "int")),
            "f.yaml:6: case N=4: 'n' is no pointer (int); it needs 'value'");
  EXPECT_EQ(argument("scalar: float, value: 1", scalar("n", "int")),
            "f.yaml:6: case N=4: 'n' is int (int32_t), but the description says float");
  EXPECT_EQ(argument("scalar: double, value: 1", scalar("x", "float")),
            "f.yaml:6: case N=4: 'x' is float (float), but the description says double");
  EXPECT_EQ(argument("scalar: int, value: 1", scalar("n", "size_t")), "no error");
  EXPECT_EQ(argument("scalar: int, value: -1", scalar("n", "size_t")),
            "f.yaml:6: case N=4: 'n': -1 does not fit into uint64_t (0 to 18446744073709551615)");
  EXPECT_EQ(argument("value: N * 100", scalar("n", "uint8_t")),
            "f.yaml:6: case N=4: 'n': N * 100 = 400 does not fit into uint8_t (0 to 255)");
  EXPECT_EQ(argument("value: 1", scalar("v", "int2")),
            "f.yaml:6: case N=4: 'v' has 2 components, its value has 1");
  EXPECT_EQ(argument("value: 1e6", scalar("h", "half")),
            "f.yaml:6: case N=4: 'h': 1e6 is too large for a half");
}

TEST(Evaluate, Fields) {
  auto S = [](unsigned Bytes) { return structure(scalar("p", "Params"), Bytes); };
  EXPECT_EQ(argument("fields: [{scalar: int, value: N}, {scalar: char, value: 1}]", S(8)),
            "no error");
  EXPECT_EQ(argument("fields: [{scalar: int, value: N}, {scalar: char, value: 1}]", S(12)),
            "f.yaml:6: case N=4: the fields of 'p' have 8 bytes, but Params has 12");
  EXPECT_EQ(
      argument("fields: [{scalar: char, value: N * 100}]", S(1)),
      "f.yaml:6: case N=4: 'p, field 1': N * 100 = 400 does not fit into int8_t (-128 to 127)");
  EXPECT_EQ(argument("fields: [{scalar: int, value: N}]", scalar("n", "int")),
            "f.yaml:6: case N=4: 'n' is no struct (int); it needs 'value'");
  EXPECT_EQ(argument("value: 0", S(12)), "no error");
  EXPECT_EQ(argument("value: 1", S(12)),
            "f.yaml:6: case N=4: 'p': a struct has the value 0 (all bytes zero) or 'fields'");
}

TEST(Evaluate, Buffers) {
  EXPECT_EQ(argument("buffer: float, count: 0", pointer("A", "float")), "no error");
  EXPECT_EQ(argument("buffer: float, count: N - 5", pointer("A", "float")),
            "f.yaml:6: case N=4: 'count' is -1; it must be between 0 and 274877906944");
  EXPECT_EQ(argument("buffer: float, count: 274877906945", pointer("A", "float")),
            "f.yaml:6: case N=4: 'count' is 274877906945; it must be between 0 and 274877906944");
  EXPECT_EQ(argument("buffer: float, count: N, offset: N + 1", pointer("A", "float")),
            "f.yaml:6: case N=4: 'offset' is 5; it must be between 0 and 4");
  EXPECT_EQ(
      argument("buffer: half, count: N", pointer("A", "float")),
      "f.yaml:6: case N=4: 'A' points to float (4 bytes), but the description says half (2 bytes)");
  // Components in place of vectors and of structs that have one type throughout.
  EXPECT_EQ(argument("buffer: float, count: N", pointer("A", "float4")), "no error");
  EXPECT_EQ(
      argument("buffer: float, count: N + 1", pointer("A", "float4")),
      "f.yaml:6: case N=4: 'A' has 5 elements of float, which is no multiple of float4 (16 bytes)");
  EXPECT_EQ(argument("buffer: half, count: N", pointer("A", "float4")),
            "f.yaml:6: case N=4: 'A' points to float4 (16 bytes), but the description says half (2 "
            "bytes)");
  // Bit patterns of halves lie in arrays of unsigned short.
  EXPECT_EQ(argument("buffer: half, count: N", pointer("A", "unsigned short")), "no error");
  EXPECT_EQ(argument("buffer: float4, count: N", pointer("A", "void")), "no error");
  EXPECT_EQ(argument("buffer: bytes:12, count: N", structure(pointer("A", "Body"), 12)),
            "no error");
  EXPECT_EQ(argument("buffer: float, count: N * 3", structure(pointer("A", "Body"), 12)),
            "no error");
  EXPECT_EQ(
      argument("buffer: float, count: N", structure(pointer("A", "Body"), 12)),
      "f.yaml:6: case N=4: 'A' has 4 elements of float, which is no multiple of Body (12 bytes)");
  EXPECT_EQ(argument("buffer: double, count: N", structure(pointer("A", "Body"), 12)),
            "f.yaml:6: case N=4: 'A' points to Body (12 bytes), but the description says double (8 "
            "bytes)");
  EXPECT_EQ(argument("buffer: float, count: N, role: output", pointer("A", "float", true)),
            "f.yaml:6: case N=4: 'A' is const (const float *), so it can be no output");
  KernelParameter Pointers = pointer("A", "float *");
  Pointers.Element = ElementType{ElementType::Kind::UnsignedInt, 8, 1};
  EXPECT_EQ(
      argument("buffer: float, count: N", Pointers),
      "f.yaml:6: case N=4: 'A' points to pointers (float * *), which a launch description cannot "
      "fill");
  KernelSignature K = kernel({pointer("A", "float"), pointer("B", "half")}, "k");
  EXPECT_EQ(
      error("kernel: k\ngrid: 1\nblock: 1\narguments:\n  - {name: A, buffer: float, count: 1}\n"
            "  - {name: B, same_as: A}\n",
            K),
      "f.yaml:6: 'B' points to half (2 bytes), but the description says float (4 bytes)");
}

TEST(Evaluate, Fills) {
  auto Fill = [](StringRef F, StringRef Type) {
    return argument(("buffer: " + Type + ", count: N, fill: " + F).str(), pointer("A", Type.str()));
  };
  EXPECT_EQ(Fill("uniform(-128, 128)", "int8_t"), "no error") << "the end is not a value";
  EXPECT_EQ(Fill("uniform(-128, 129)", "int8_t"),
            "f.yaml:6: case N=4: 'fill': 129 is no value of int8_t");
  EXPECT_EQ(Fill("uniform(-1, 3)", "unsigned"),
            "f.yaml:6: case N=4: 'fill': -1 is no value of unsigned");
  EXPECT_EQ(
      Fill("uniform(4, N)", "int"),
      "f.yaml:6: case N=4: 'fill': uniform(4, N) is empty; the second value is the end, not the "
      "last one");
  EXPECT_EQ(Fill("uniform(1, nan)", "float").substr(0, 32), "f.yaml:6: case N=4: 'fill': unif");
  EXPECT_EQ(Fill("256", "uint8_t"), "f.yaml:6: case N=4: 'fill': 256 is no value of uint8_t");
  EXPECT_EQ(Fill("value(1 / (N - 4))", "int"),
            "f.yaml:6: case N=4: 'fill': division by zero in '1 / (N - 4)'");
  EXPECT_EQ(Fill("9007199254740993", "int64_t"),
            "f.yaml:6: case N=4: 'fill': 9007199254740993 is beyond 2^53, what a fill can do");
  EXPECT_EQ(Fill("1e400", "double"), "f.yaml:6: case N=4: 'fill': 1e400 is too large for a double");
  EXPECT_EQ(Fill("2", "bool"), "f.yaml:6: case N=4: 'fill': 2 is no value of bool");
}

TEST(Evaluate, Contents) {
  auto L = good("kernel: k\ncases: [{N: 4}, {N: 5}]\ngrid: 1\nblock: 1\narguments:\n"
                "  - {name: A, buffer: uint8_t, count: N, fill: index(3)}\n"
                "  - {name: B, buffer: uint8_t, count: 4}\n"
                "globals: [{name: G, type: half, fill: 1}]\n",
                kernel({pointer("A", "uint8_t"), pointer("B", "uint8_t")}, "k"));
  std::vector<uint8_t> Data(4);
  fillBuffer(L[0], L[0].Arguments[0], 1, Data.data());
  EXPECT_EQ(Data, (std::vector<uint8_t>{3, 4, 5, 6}));
  std::vector<uint8_t> First(4), Second(4), Other(4);
  fillBuffer(L[0], L[0].Arguments[1], 1, First.data());
  fillBuffer(L[0], L[0].Arguments[1], 2, Second.data());
  fillBuffer(L[1], L[1].Arguments[1], 1, Other.data());
  EXPECT_NE(First, Second);
  EXPECT_NE(First, Other) << "cases have data of their own";
  fillGlobal(L[0], L[0].Globals[0], 2, 1, Data.data());
  EXPECT_EQ(Data, (std::vector<uint8_t>{0, 0x3c, 0, 0x3c}));
}

} // namespace
