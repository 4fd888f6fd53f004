//===- TypesTest.cpp - Element types of launches and their values --------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Verify/Launch/Types.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

using namespace cuda_pipeline;
using namespace cuda_pipeline::launch;
using namespace llvm;

namespace {

std::string shape(StringRef Name) {
  std::optional<ElementType> T = elementType(Name);
  return T ? describe(*T) : "none";
}

TEST(Types, Names) {
  EXPECT_EQ(shape("float"), "float");
  EXPECT_EQ(shape("double"), "double");
  EXPECT_EQ(shape("half"), "half");
  EXPECT_EQ(shape("__half"), "half");
  EXPECT_EQ(shape("__nv_bfloat16"), "__nv_bfloat16");
  EXPECT_EQ(shape("half2"), "2 x half");
  EXPECT_EQ(shape("__nv_bfloat162"), "2 x __nv_bfloat16");
  EXPECT_EQ(shape("float4"), "4 x float");
  EXPECT_EQ(shape("double2"), "2 x double");
  EXPECT_EQ(shape("char4"), "4 x int8_t");
  EXPECT_EQ(shape("uchar3"), "3 x uint8_t");
  EXPECT_EQ(shape("ushort2"), "2 x uint16_t");
  EXPECT_EQ(shape("int4"), "4 x int32_t");
  EXPECT_EQ(shape("uint4"), "4 x uint32_t");
  EXPECT_EQ(shape("longlong2"), "2 x int64_t");
  EXPECT_EQ(shape("ulonglong1"), "uint64_t");
  EXPECT_EQ(shape("bool"), "bool");
  for (StringRef Name : {"int", "signed", "signed int", "int32_t", "std::int32_t"})
    EXPECT_EQ(shape(Name), "int32_t") << Name.str();
  for (StringRef Name : {"unsigned", "unsigned int", "uint", "uint32_t", "int unsigned"})
    EXPECT_EQ(shape(Name), "uint32_t") << Name.str();
  for (StringRef Name : {"char", "signed char", "int8_t"})
    EXPECT_EQ(shape(Name), "int8_t") << Name.str();
  for (StringRef Name : {"unsigned char", "uint8_t", "uchar"})
    EXPECT_EQ(shape(Name), "uint8_t") << Name.str();
  for (StringRef Name : {"long", "long int", "long long", "long  long int", "int64_t", "ptrdiff_t"})
    EXPECT_EQ(shape(Name), "int64_t") << Name.str();
  for (StringRef Name :
       {"unsigned long long", "unsigned long", "size_t", "std::size_t", "uint64_t"})
    EXPECT_EQ(shape(Name), "uint64_t") << Name.str();
  for (StringRef Name : {"short", "short int", "int16_t"})
    EXPECT_EQ(shape(Name), "int16_t") << Name.str();
  EXPECT_EQ(shape("unsigned short"), "uint16_t");
  EXPECT_EQ(shape("bytes:28"), "28 bytes");
  EXPECT_EQ(shape("bytes: 28"), "28 bytes");
  for (StringRef Name : {"", "float5", "float0", "half3", "bool2", "bytes:0", "bytes:", "bytes:x",
                         "void", "float *", "long short", "unsigned signed", "long long long",
                         "int int", "unsigned float", "const float", "Foo", "4"})
    EXPECT_EQ(shape(Name), "none") << Name.str();
}

TEST(Types, Alignment) {
  EXPECT_EQ(alignment(*elementType("float3")), 4u);
  EXPECT_EQ(alignment(*elementType("float4")), 16u);
  EXPECT_EQ(alignment(*elementType("half2")), 4u);
  EXPECT_EQ(alignment(*elementType("double4")), 16u);
  EXPECT_EQ(alignment(*elementType("uchar4")), 4u);
  EXPECT_EQ(alignment(*elementType("double")), 8u);
  EXPECT_EQ(alignment(*elementType("bytes:28")), 1u);
}

std::string bytes(StringRef TypeName, StringRef Text) {
  Names N;
  N["N"] = 300;
  std::vector<uint8_t> B;
  if (Error E = appendComponent(*elementType(TypeName), Text, N, B))
    return "error: " + toString(std::move(E));
  return toHex(ArrayRef(B), true);
}

TEST(Types, Integers) {
  EXPECT_EQ(bytes("int", "N"), "2c010000");
  EXPECT_EQ(bytes("int", "-1"), "ffffffff");
  EXPECT_EQ(bytes("int8_t", "-128"), "80");
  EXPECT_EQ(bytes("int8_t", "127"), "7f");
  EXPECT_EQ(bytes("int8_t", "128"), "error: 128 does not fit into int8_t (-128 to 127)");
  EXPECT_EQ(bytes("int8_t", "-129"), "error: -129 does not fit into int8_t (-128 to 127)");
  EXPECT_EQ(bytes("uint8_t", "N"), "error: N = 300 does not fit into uint8_t (0 to 255)");
  EXPECT_EQ(bytes("unsigned", "-1"), "error: -1 does not fit into uint32_t (0 to 4294967295)");
  EXPECT_EQ(bytes("unsigned", "4294967295"), "ffffffff");
  EXPECT_EQ(bytes("unsigned", "4294967296"),
            "error: 4294967296 does not fit into uint32_t (0 to 4294967295)");
  EXPECT_EQ(bytes("short", "N * 2"), "5802");
  EXPECT_EQ(bytes("int64_t", "-2"), "feffffffffffffff");
  EXPECT_EQ(bytes("uint64_t", "18446744073709551615"), "ffffffffffffffff");
  EXPECT_EQ(bytes("uint64_t", "0x8000000000000000"), "0000000000000080");
  EXPECT_EQ(bytes("bool", "true"), "01");
  EXPECT_EQ(bytes("bool", "N > 1000"), "00");
  EXPECT_EQ(bytes("bool", "2"), "error: 2 does not fit into bool (0 to 1)");
  EXPECT_EQ(bytes("int", "0.5"), "error: '0.5' in '0.5': expressions are integers");
  EXPECT_EQ(bytes("int", "true"), "error: 'true' is not defined; known names: N");
}

TEST(Types, FloatingPoint) {
  EXPECT_EQ(bytes("float", "1"), "0000803f");
  EXPECT_EQ(bytes("float", "0.1"), "cdcccc3d");
  EXPECT_EQ(bytes("float", "0.1f"), "cdcccc3d");
  EXPECT_EQ(bytes("float", "-0.0"), "00000080");
  EXPECT_EQ(bytes("float", "N / 2"), "00001643"); // 150
  EXPECT_EQ(bytes("float", "1e-3"), "6f12833a");
  EXPECT_EQ(bytes("float", "-inf"), "000080ff");
  EXPECT_EQ(bytes("float", "nan"), "0000c07f");
  EXPECT_EQ(bytes("float", "1e39"), "error: 1e39 is too large for a float");
  EXPECT_EQ(bytes("half", "0.1"), "662e");
  EXPECT_EQ(bytes("half", "65504"), "ff7b");
  EXPECT_EQ(bytes("half", "65520"), "error: 65520 is too large for a half");
  EXPECT_EQ(bytes("__nv_bfloat16", "0.1"), "cd3d");
  EXPECT_EQ(bytes("double", "0.1"), "9a9999999999b93f");
  EXPECT_EQ(bytes("float", "0x1p-2"), "0000803e");
  // One rounding: over double this would be a tie, and go the other way.
  EXPECT_EQ(bytes("float", "1.00000005960464477540"), "0100803f");
  EXPECT_EQ(bytes("float", "M"), "error: 'M' is not defined; known names: N");
}

TEST(Types, Structs) {
  EXPECT_EQ(bytes("bytes:3", "0"), "000000");
  EXPECT_EQ(bytes("bytes:3", "1"), "error: a struct has the value 0 (all bytes zero) or 'fields'");
}

} // namespace
