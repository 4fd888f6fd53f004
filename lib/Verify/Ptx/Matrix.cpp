//===- Matrix.cpp - mma, ldmatrix, stmatrix, movmatrix ------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Lanes exchange their parts of the matrices, already as numbers, and each computes its own part
/// of the result by Mma.h.
///
/// The rows of ldmatrix are read by the lane that gives a row's address, before it meets the
/// others, and the rows of stmatrix are written by that lane afterwards. So a bad address, a row
/// that another thread is writing, or a copy in flight is laid to the thread whose address it is,
/// and shared memory that only its own cp.async.wait_group made visible to a thread is visible to
/// the rows that this thread addresses and to no others.
///
//===----------------------------------------------------------------------===//
#include "Lanes.h"
#include "Mma.h"
#include "Parser.h"
#include <algorithm>
#include <cmath>

using namespace llvm;
using namespace cuda_pipeline;
using namespace cuda_pipeline::emulator;

namespace {

constexpr uint32_t WholeWarp = 0xffffffff;

enum Element : uint8_t { HalfE, BFloat16E, TF32E, DoubleE, S8E, U8E, S4E, U4E, BitE, E4M3E, E5M2E };
enum Accumulator : uint8_t { HalfC, FloatC, DoubleC, IntC };

// Fields of the instruction. Mode, Mode2: elements of A and B; Count: rows; Offset: k; Width: what
// D and C are. Vectors: D, A, B, C.
enum : uint8_t { HalfD = 1, HalfInC = 2, AndBits = 4, ColumnMajorA = 8, ColumnMajorB = 16 };

unsigned perRegister(uint8_t E) {
  switch (E) {
  case HalfE:
  case BFloat16E:
    return 2;
  case S8E:
  case U8E:
  case E4M3E:
  case E5M2E:
    return 4;
  case S4E:
  case U4E:
    return 8;
  default: // also bits: 32 of them are one word here
    return 1;
  }
}

// One register as numbers.
void expand(uint8_t E, uint64_t R, float *To) {
  switch (E) {
  case HalfE:
    To[0] = halfToFloat(static_cast<uint16_t>(R));
    To[1] = halfToFloat(static_cast<uint16_t>(R >> 16));
    break;
  case BFloat16E:
    To[0] = bfloat16ToFloat(static_cast<uint16_t>(R));
    To[1] = bfloat16ToFloat(static_cast<uint16_t>(R >> 16));
    break;
  case TF32E:
    To[0] = truncateToTF32(bitCast<float>(static_cast<uint32_t>(R)));
    break;
  default:
    for (unsigned I = 0; I != 4; ++I)
      To[I] = static_cast<float>(decode(E == E4M3E ? E4M3 : E5M2, R >> (8 * I) & 0xff));
  }
}
void expand(uint8_t, uint64_t R, double *To) { *To = bitCast<double>(R); }
void expand(uint8_t, uint64_t R, uint32_t *To) { *To = static_cast<uint32_t>(R); }
void expand(uint8_t E, uint64_t R, int16_t *To) {
  for (unsigned I = 0; I != perRegister(E); ++I) {
    if (E == S8E)
      To[I] = static_cast<int8_t>(R >> (8 * I));
    else if (E == U8E)
      To[I] = static_cast<uint8_t>(R >> (8 * I));
    else if (E == U4E)
      To[I] = R >> (4 * I) & 15;
    else
      To[I] = static_cast<int16_t>(((R >> (4 * I) & 15) ^ 8) - 8);
  }
}

uint32_t canonical(float V) { return std::isnan(V) ? 0x7fffffffu : bitCast<uint32_t>(V); }
uint64_t canonical(double V) { return std::isnan(V) ? 0xfff8000000000000u : bitCast<uint64_t>(V); }

// Element E of C, and of D.
float accumulator(const Frame &F, const Instruction &I, unsigned E) {
  const uint16_t *C = F.list(I, 3);
  if (I.Width & HalfInC)
    return halfToFloat(static_cast<uint16_t>(F.R[C[E / 2]] >> (16 * (E % 2))));
  return F.get<float>(C[E]);
}
void setResult(Frame &F, const Instruction &I, unsigned E, float V) {
  const uint16_t *D = F.list(I, 0);
  if (!(I.Width & HalfD)) {
    F.set<uint32_t>(D[E], canonical(V));
    return;
  }
  uint64_t Mask = uint64_t(0xffff) << (16 * (E % 2));
  F.R[D[E / 2]] = (F.R[D[E / 2]] & ~Mask & 0xffffffff) | uint64_t(floatToHalf(V)) << (16 * (E % 2));
}

// The scalar product for one element.
float element(Frame &F, const Instruction &I, unsigned E, const float *Row, const float *Column,
              unsigned K) {
  return dot(Row, Column, 1, K, accumulator(F, I, E));
}
double element(Frame &F, const Instruction &I, unsigned E, const double *Row, const double *Column,
               unsigned K) {
  return dot(Row, Column, 1, K, F.get<double>(F.list(I, 3)[E]));
}
int32_t element(Frame &F, const Instruction &I, unsigned E, const int16_t *Row,
                const int16_t *Column, unsigned K) {
  return dot(Row, Column, 1, K, F.get<int32_t>(F.list(I, 3)[E]), I.has(Instruction::Saturate));
}
int32_t element(Frame &F, const Instruction &I, unsigned E, const uint32_t *Row,
                const uint32_t *Column, unsigned K) {
  return dotBits(Row, Column, 1, K, F.get<int32_t>(F.list(I, 3)[E]), I.Width & AndBits);
}
void setResult(Frame &F, const Instruction &I, unsigned E, double V) {
  F.R[F.list(I, 0)[E]] = canonical(V);
}
void setResult(Frame &F, const Instruction &I, unsigned E, int32_t V) {
  F.set<uint32_t>(F.list(I, 0)[E], static_cast<uint32_t>(V));
}

/// T: what is multiplied; MaxA and MaxB: elements of A and B in a lane.
template <class T, unsigned MaxA, unsigned MaxB>
void multiplyMatrices(Frame &F, const Instruction &I) {
  constexpr unsigned MaxK = MaxB * 4;
  struct Fragments {
    T A[MaxA], B[MaxB];
  } Mine;
  const unsigned Per = perRegister(I.Mode), Rows = I.Count;
  const auto K = static_cast<unsigned>(I.Offset);
  const uint16_t *A = F.list(I, 1), *B = F.list(I, 2);
  for (unsigned R = 0; R != I.Lengths[1]; ++R)
    expand(I.Mode, F.R[A[R]], Mine.A + R * Per);
  for (unsigned R = 0; R != I.Lengths[2]; ++R)
    expand(I.Mode2, F.R[B[R]], Mine.B + R * Per);
  std::fill(Mine.A + I.Lengths[1] * Per, std::end(Mine.A), T(0));
  std::fill(Mine.B + I.Lengths[2] * Per, std::end(Mine.B), T(0));
  const auto *All = meet(F, I, WholeWarp, Mine, true);

  // The rows and columns of this lane's part of D, from the lanes that hold them.
  T Row[2][MaxK], Column[2][MaxK];
  const unsigned Lane = F.T.lane(), First = placeInC(Lane, 0).Column;
  for (unsigned Q = 0; Q != 4; ++Q) {
    unsigned From = Lane / 4 * 4 + Q;
    for (unsigned R = 0; R != I.Lengths[1]; ++R)
      for (unsigned E = 0; E != Per; ++E) {
        Place P = placeInA(Rows, Per, From, R, E);
        Row[P.Row / 8][P.Column] = All[From].Value.A[R * Per + E];
      }
    for (unsigned C = 0; C != 2; ++C) {
      From = (First + C) * 4 + Q;
      for (unsigned R = 0; R != I.Lengths[2]; ++R)
        for (unsigned E = 0; E != Per; ++E)
          Column[C][placeInB(Per, From, R, E).Row] = All[From].Value.B[R * Per + E];
    }
  }
  // D and C may be the same registers.
  decltype(element(F, I, 0, Row[0], Column[0], K)) Results[4];
  for (unsigned E = 0; E != Rows / 4; ++E)
    Results[E] = element(F, I, E, Row[E / 2], Column[E % 2], K);
  for (unsigned E = 0; E != Rows / 4; ++E)
    setResult(F, I, E, Results[E]);
}

/// mma.m8n8k4 of half: a product per pair of four lanes.
void multiplyQuads(Frame &F, const Instruction &I) {
  struct Fragments {
    float A[4], B[4], C[8];
  } Mine;
  const uint16_t *A = F.list(I, 1), *B = F.list(I, 2);
  for (unsigned R = 0; R != 2; ++R) {
    expand(HalfE, F.R[A[R]], Mine.A + 2 * R);
    expand(HalfE, F.R[B[R]], Mine.B + 2 * R);
  }
  for (unsigned E = 0; E != 8; ++E)
    Mine.C[E] = accumulator(F, I, E);
  const auto *All = meet(F, I, WholeWarp, Mine, true);
  float MatrixA[8][4], MatrixB[4][8], MatrixC[8][8];
  const unsigned Lane = F.T.lane();
  for (unsigned L = 0; L != 32; ++L) {
    if (quadPair(L) != quadPair(Lane))
      continue;
    for (unsigned E = 0; E != 4; ++E) {
      Place P = quadPlaceInA(I.Width & ColumnMajorA, L, E);
      MatrixA[P.Row][P.Column] = All[L].Value.A[E];
      P = quadPlaceInB(I.Width & ColumnMajorB, L, E);
      MatrixB[P.Row][P.Column] = All[L].Value.B[E];
    }
    for (unsigned E = 0; E != 8; ++E) {
      Place P = quadPlaceInC(!(I.Width & HalfInC), L, E);
      MatrixC[P.Row][P.Column] = All[L].Value.C[E];
    }
  }
  for (unsigned E = 0; E != 8; ++E) {
    Place P = quadPlaceInC(!(I.Width & HalfD), Lane, E);
    setResult(F, I, E, dot(MatrixA[P.Row], MatrixB[0] + P.Column, 8, 4, MatrixC[P.Row][P.Column]));
  }
}

//===----------------------------------------------------------------------===//
// ldmatrix and its relatives: matrices of 8 x 8 elements of 16 bits
//===----------------------------------------------------------------------===//

struct MatrixRow {
  uint16_t E[8];
};

/// Count matrices; Mode: transposed. Lanes 8 * i .. 8 * i + 7 have the addresses of matrix i.
void loadMatrix(Frame &F, const Instruction &I) {
  const unsigned Lane = F.T.lane();
  MatrixRow Mine = {};
  F.noteAddress(I.A); // also of lanes whose address says nothing
  if (Lane < 8u * I.Count) {
    uint64_t Address = F.address(I);
    F.T.access(Access::Read, Address, sizeof(Mine), sizeof(Mine), F.At);
    std::memcpy(&Mine, reinterpret_cast<const void *>(Address), sizeof(Mine));
  }
  const auto *All = meet(F, I, WholeWarp, Mine, true);
  const uint16_t *To = F.list(I, 0);
  for (unsigned M = 0; M != I.Count; ++M) {
    uint32_t V = 0;
    for (unsigned E = 0; E != 2; ++E) {
      unsigned Row = Lane / 4, Column = Lane % 4 * 2 + E;
      if (I.Mode)
        std::swap(Row, Column);
      V |= uint32_t(All[M * 8 + Row].Value.E[Column]) << (16 * E);
    }
    F.set<uint32_t>(To[M], V);
  }
}

struct MatrixParts {
  uint32_t Part[4];
};

void storeMatrix(Frame &F, const Instruction &I) {
  const unsigned Lane = F.T.lane();
  MatrixParts Mine = {};
  F.noteAddress(I.A);
  const uint16_t *From = F.list(I, 0);
  for (unsigned M = 0; M != I.Count; ++M)
    Mine.Part[M] = F.get<uint32_t>(From[M]);
  const auto *All = meet(F, I, WholeWarp, Mine, true);
  if (Lane >= 8u * I.Count)
    return;
  MatrixRow Row;
  for (unsigned X = 0; X != 8; ++X) {
    unsigned R = Lane % 8, C = X;
    if (I.Mode)
      std::swap(R, C);
    Row.E[X] = static_cast<uint16_t>(All[R * 4 + C / 2].Value.Part[Lane / 8] >> (16 * (C % 2)));
  }
  uint64_t Address = F.address(I);
  F.T.access(Access::Write, Address, sizeof(Row), sizeof(Row), F.At);
  std::memcpy(reinterpret_cast<void *>(Address), &Row, sizeof(Row));
}

void transposeMatrix(Frame &F, const Instruction &I) {
  const unsigned Lane = F.T.lane();
  const auto *All = meet<uint32_t>(F, I, WholeWarp, F.get<uint32_t>(I.A), true);
  uint32_t V = 0;
  for (unsigned E = 0; E != 2; ++E) {
    unsigned Row = Lane % 4 * 2 + E, Column = Lane / 4;
    V |= (All[Row * 4 + Column / 2].Value >> (16 * (Column % 2)) & 0xffff) << (16 * E);
  }
  F.set<uint32_t>(I.D, V);
}

std::optional<Element> elementOf(StringRef Name) {
  return StringSwitch<std::optional<Element>>(Name)
      .Case("f16", HalfE)
      .Case("bf16", BFloat16E)
      .Case("tf32", TF32E)
      .Case("f64", DoubleE)
      .Case("s8", S8E)
      .Case("u8", U8E)
      .Case("s4", S4E)
      .Case("u4", U4E)
      .Case("b1", BitE)
      .Case("e4m3", E4M3E)
      .Case("e5m2", E5M2E)
      .Default(std::nullopt);
}
std::optional<Accumulator> accumulatorOf(StringRef Name) {
  return StringSwitch<std::optional<Accumulator>>(Name)
      .Case("f16", HalfC)
      .Case("f32", FloatC)
      .Case("f64", DoubleC)
      .Case("s32", IntC)
      .Default(std::nullopt);
}

bool isInteger(uint8_t E) { return E >= S8E && E <= BitE; }

/// The shapes of the ISA, but for those that are sparse or scaled.
bool isShape(StringRef Shape, Element A) {
  switch (A) {
  case HalfE:
    return Shape == "m8n8k4" || Shape == "m16n8k8" || Shape == "m16n8k16";
  case BFloat16E:
    return Shape == "m16n8k8" || Shape == "m16n8k16";
  case TF32E:
    return Shape == "m16n8k4" || Shape == "m16n8k8";
  case DoubleE:
    return Shape == "m8n8k4" || Shape == "m16n8k4" || Shape == "m16n8k8" || Shape == "m16n8k16";
  case S8E:
  case U8E:
    return Shape == "m8n8k16" || Shape == "m16n8k16" || Shape == "m16n8k32";
  case S4E:
  case U4E:
    return Shape == "m8n8k32" || Shape == "m16n8k32" || Shape == "m16n8k64";
  case BitE:
    return Shape == "m8n8k128" || Shape == "m16n8k128" || Shape == "m16n8k256";
  case E4M3E:
  case E5M2E:
    return Shape == "m16n8k16" || Shape == "m16n8k32";
  }
  return false;
}

/// Takes .sync.aligned and sets the mark.
bool begin(Statement &S) {
  S.I.Extra = markOf(S.Mnemonic);
  if (S.take("sync")) {
    if (S.take("aligned"))
      return true;
  }
  S.unknown();
  return false;
}

} // namespace

void emulator::parseMma(Statement &S) {
  if (!begin(S))
    return;
  Instruction &I = S.I;
  auto *Shape =
      llvm::find_if(S.Modifiers, [](StringRef M) { return M.starts_with("m") && M.contains('n'); });
  if (Shape == S.Modifiers.end())
    return S.unknown();
  std::string Name = *Shape;
  S.Modifiers.erase(Shape);
  // Layouts and types by their order.
  SmallVector<bool, 2> ColumnMajor;
  for (int L; ColumnMajor.size() < 2 && (L = S.Modifiers.empty()       ? -1
                                             : S.Modifiers[0] == "row" ? 0
                                             : S.Modifiers[0] == "col" ? 1
                                                                       : -1) >= 0;) {
    ColumnMajor.push_back(L);
    S.Modifiers.erase(S.Modifiers.begin());
  }
  S.flag("satfinite", Instruction::Saturate);
  bool RoundToNearest = S.take("rn"); // of doubles: the only rounding that there is here
  bool And = S.take("and"), Xor = S.take("xor"), Popc = S.take("popc");
  if (S.Modifiers.size() != 4 || ColumnMajor.size() != 2)
    return S.unknown();
  std::optional<Accumulator> D = accumulatorOf(S.Modifiers[0]), C = accumulatorOf(S.Modifiers[3]);
  std::optional<Element> A = elementOf(S.Modifiers[1]), B = elementOf(S.Modifiers[2]);
  if (!A || !B || !C || !D || !isShape(Name, *A) || !isShape(Name, *B))
    return S.unknown();
  S.Modifiers.clear();

  // What goes together.
  bool Quad = *A == HalfE && Name == "m8n8k4";
  bool Integer = isInteger(*A);
  bool SameWidth = perRegister(*A) == perRegister(*B) && Integer == isInteger(*B);
  bool Mixed = (*A == S8E || *A == U8E || *A == S4E || *A == U4E || *A == E4M3E || *A == E5M2E);
  bool HalfSums = *A == HalfE || *A == E4M3E || *A == E5M2E;
  bool Sums = Integer         ? *D == IntC && *C == IntC
              : *A == DoubleE ? *D == DoubleC && *C == DoubleC
              : HalfSums      ? (*D <= FloatC && *C <= FloatC && (Quad || *D == *C))
                              : *D == FloatC && *C == FloatC;
  bool Fits = SameWidth && (!RoundToNearest || *A == DoubleE) && (*A == *B || Mixed) && Sums &&
              (Quad || (!ColumnMajor[0] && ColumnMajor[1])) &&
              (!I.has(Instruction::Saturate) || (Integer && *A != BitE)) &&
              (*A == BitE ? Popc && And != Xor : !Popc && !And && !Xor);
  if (!Fits || (Quad && *D == HalfC && *C == FloatC))
    return S.unknown();
  if (!S.expect(4))
    return;

  I.Mode = *A;
  I.Mode2 = *B;
  I.Count = StringRef(Name).starts_with("m16") ? 16 : 8;
  unsigned K = 0;
  StringRef(Name).split('k').second.getAsInteger(10, K);
  if (*A == BitE)
    K /= 32; // words
  I.Offset = K;
  I.Width = static_cast<uint8_t>((*D == HalfC ? HalfD : 0) | (*C == HalfC ? HalfInC : 0) |
                                 (And ? AndBits : 0) | (ColumnMajor[0] ? ColumnMajorA : 0) |
                                 (ColumnMajor[1] ? ColumnMajorB : 0));
  Type Register = *A == DoubleE ? Type{Type::Float, 64, 1} : Type::b(32);
  unsigned RegistersB = Quad ? 2 : K / (4 * perRegister(*A));
  unsigned RegistersA = Quad ? 2 : RegistersB * I.Count / 8;
  auto RegistersOf = [&](Accumulator X) {
    unsigned Elements = Quad ? 8 : I.Count / 4;
    return X == HalfC ? Elements / 2 : Elements;
  };
  // "f" operands are 32 bits like all others.
  bool Complete = S.list(0, Register, true) == RegistersOf(*D);
  Complete &= S.list(1, Register, false) == RegistersA;
  Complete &= S.list(2, Register, false) == RegistersB;
  Complete &= S.list(3, Register, false) == RegistersOf(*C);
  if (!Complete)
    return S.error("the vectors do not have the shape's number of registers");
  if (Quad)
    return S.emit(multiplyQuads);
  if (*A == DoubleE)
    return S.emit(multiplyMatrices<double, 8, 4>);
  if (*A == BitE)
    return S.emit(multiplyMatrices<uint32_t, 4, 2>);
  if (Integer)
    return S.emit(multiplyMatrices<int16_t, 32, 16>);
  if (perRegister(*A) == 4)
    return S.emit(multiplyMatrices<float, 16, 8>);
  S.emit(multiplyMatrices<float, 8, 4>);
}

/// .m8n8, .x1 .x2 .x4, .trans, .shared, .b16
static bool matrixModifiers(Statement &S) {
  if (!begin(S))
    return false;
  int N = S.takeOne({"x1", "x2", "x4"});
  S.I.Mode = S.take("trans");
  if (S.takeAny({"shared", "shared::cta"}))
    S.I.Flags |= Instruction::SharedSpace;
  if (N < 0 || !S.take("m8n8") || !S.take("b16")) {
    S.unknown();
    return false;
  }
  S.I.Count = static_cast<uint8_t>(1u << N);
  return S.expect(2);
}

void emulator::parseLdmatrix(Statement &S) {
  if (!matrixModifiers(S))
    return;
  S.address(1);
  if (S.list(0, Type::b(32), true) != S.I.Count)
    return S.error("the vector does not have a register per matrix");
  S.emit(loadMatrix);
}

void emulator::parseStmatrix(Statement &S) {
  if (!matrixModifiers(S))
    return;
  S.address(0);
  if (S.list(1, Type::b(32), false) != S.I.Count)
    return S.error("the vector does not have a register per matrix");
  S.emit(storeMatrix);
}

void emulator::parseMovmatrix(Statement &S) {
  if (!begin(S))
    return;
  if (!S.take("m8n8") || !S.take("trans") || !S.take("b16"))
    return S.unknown();
  if (!S.expect(2))
    return;
  S.I.D = S.destination(0, Type::b(32));
  S.I.A = S.source(1, Type::b(32));
  S.emit(transposeMatrix);
}
