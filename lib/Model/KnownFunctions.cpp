//===- KnownFunctions.cpp - What CUDA's own functions do ------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KnownFunctions.h"
#include "AstUtil.h"
#include "Pointers.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;
using clang::ClassTemplateSpecializationDecl;
using clang::CXXRecordDecl;
using clang::Expr;
using clang::QualType;
using clang::TemplateArgument;

namespace cuda_pipeline {
namespace {

// C and CUDA math functions of <math.h>; the f and l forms are added below.
constexpr const char *MathStems[] = {
    "acos",     "acosh",    "asin",       "asinh",  "atan",    "atan2",     "atanh",     "cbrt",
    "ceil",     "copysign", "cos",        "cosh",   "cospi",   "erf",       "erfc",      "erfcinv",
    "erfcx",    "erfinv",   "exp",        "exp10",  "exp2",    "expm1",     "fabs",      "fdim",
    "fdivide",  "floor",    "fma",        "fmax",   "fmin",    "fmod",      "hypot",     "ilogb",
    "j0",       "j1",       "ldexp",      "lgamma", "log",     "log10",     "log1p",     "log2",
    "logb",     "lrint",    "lround",     "llrint", "llround", "nearbyint", "nextafter", "norm3d",
    "norm4d",   "normcdf",  "normcdfinv", "pow",    "rcbrt",   "remainder", "rhypot",    "rint",
    "rnorm3d",  "rnorm4d",  "round",      "rsqrt",  "scalbln", "scalbn",    "sin",       "sinh",
    "sinpi",    "sqrt",     "tan",        "tanh",   "tgamma",  "trunc",     "y0",        "y1",
    "saturate",
};

// Integer and bit functions, comparisons, device intrinsics that compute on registers only.
constexpr const char *PureNames[] = {
    "abs",
    "labs",
    "llabs",
    "min",
    "max",
    "umin",
    "umax",
    "llmin",
    "llmax",
    "ullmin",
    "ullmax",
    "isnan",
    "isinf",
    "isfinite",
    "signbit",
    "__isnan",
    "__isinf",
    "__finite",
    "__isnanf",
    "__isinff",
    "__clz",
    "__clzll",
    "__popc",
    "__popcll",
    "__ffs",
    "__ffsll",
    "__brev",
    "__brevll",
    "__byte_perm",
    "__funnelshift_l",
    "__funnelshift_r",
    "__funnelshift_lc",
    "__funnelshift_rc",
    "__mul24",
    "__umul24",
    "__mulhi",
    "__umulhi",
    "__mul64hi",
    "__umul64hi",
    "__sad",
    "__usad",
    "__hadd",
    "__rhadd",
    "__uhadd",
    "__urhadd",
    "__dp4a",
    "__dp2a_lo",
    "__dp2a_hi",
    "__fns",
    "__saturatef",
    "__expf",
    "__exp10f",
    "__logf",
    "__log2f",
    "__log10f",
    "__sinf",
    "__cosf",
    "__tanf",
    "__powf",
    "__fdividef",
    "__frsqrt_rn",
    "__tanhf",
    "__float_as_int",
    "__int_as_float",
    "__float_as_uint",
    "__uint_as_float",
    "__double_as_longlong",
    "__longlong_as_double",
    "__double2hiint",
    "__double2loint",
    "__hiloint2double",
    "__cvta_generic_to_shared",
    "__cvta_generic_to_global",
    "__builtin_expect",
    "__builtin_assume",
    "__builtin_assume_aligned",
    "__assume",
    "__nv_cvt_float_to_fp8",
    "__nv_cvt_fp8_to_halfraw",
};

// Families `__fadd_rn`, `__dmul_rz`, `__fmaf_ru`, ...: operation, then a rounding mode.
bool isRoundedArithmetic(StringRef N) {
  StringRef Stem = N;
  if (!(Stem.consume_back("_rn") || Stem.consume_back("_rz") || Stem.consume_back("_ru") ||
        Stem.consume_back("_rd")))
    return false;
  static const StringSet<> Stems = {
      "__fadd", "__fsub", "__fmul",  "__fdiv",  "__fmaf",  "__fsqrt", "__frcp",   "__dadd",
      "__dsub", "__dmul", "__ddiv",  "__fma",   "__dsqrt", "__drcp",  "__frsqrt", "__hadd",
      "__hsub", "__hmul", "__hadd2", "__hsub2", "__hmul2", "__ffma2", "__fadd2",  "__fmul2"};
  return Stems.contains(Stem);
}

// Families `__float2half_rn`, `__half22float2`, `__int2float_rz`, ...: type, "2", type, rounding.
bool isConversion(StringRef N) {
  if (!N.consume_front("__"))
    return false;
  for (StringRef Rounding : {"_rn", "_rz", "_ru", "_rd"})
    if (N.consume_back(Rounding))
      break;
  static const StringSet<> Types = {"float",  "double", "half",  "half2",  "bfloat16", "bfloat162",
                                    "float2", "int",    "uint",  "ll",     "ull",      "short",
                                    "ushort", "char",   "uchar", "halves", "floats"};
  for (size_t I = 1; I + 1 < N.size(); ++I)
    if (N[I] == '2' && Types.contains(N.take_front(I)) && Types.contains(N.drop_front(I + 1)))
      return true;
  return false;
}

// Half and bfloat16 arithmetic: `__hadd`, `__hfma2_relu`, `hexp`, `__heq`, ...
bool isHalfArithmetic(StringRef N) {
  static const StringSet<> Stems = {"__hadd",
                                    "__hsub",
                                    "__hmul",
                                    "__hdiv",
                                    "__hfma",
                                    "__hneg",
                                    "__habs",
                                    "__hmin",
                                    "__hmax",
                                    "__heq",
                                    "__hne",
                                    "__hlt",
                                    "__hle",
                                    "__hgt",
                                    "__hge",
                                    "__hisnan",
                                    "__hisinf",
                                    "__hcmadd",
                                    "hexp",
                                    "hexp2",
                                    "hexp10",
                                    "hlog",
                                    "hlog2",
                                    "hlog10",
                                    "hsqrt",
                                    "hrsqrt",
                                    "hrcp",
                                    "hsin",
                                    "hcos",
                                    "htanh",
                                    "hfloor",
                                    "hceil",
                                    "htrunc",
                                    "hrint",
                                    "h2exp",
                                    "h2exp2",
                                    "h2exp10",
                                    "h2log",
                                    "h2log2",
                                    "h2log10",
                                    "h2sqrt",
                                    "h2rsqrt",
                                    "h2rcp",
                                    "h2sin",
                                    "h2cos",
                                    "h2tanh",
                                    "h2floor",
                                    "h2ceil",
                                    "h2trunc",
                                    "h2rint",
                                    "h2div",
                                    "__hbeq",
                                    "__hbne",
                                    "__hblt",
                                    "__hble",
                                    "__hbgt",
                                    "__hbge",
                                    "__lowhigh2highlow",
                                    "__lows2half2",
                                    "__highs2half2",
                                    "__low2half",
                                    "__high2half",
                                    "__low2half2",
                                    "__high2half2",
                                    "__low2float",
                                    "__high2float",
                                    "__low2bfloat16",
                                    "__high2bfloat16",
                                    "__low2bfloat162",
                                    "__high2bfloat162",
                                    "__halves2half2",
                                    "__halves2bfloat162",
                                    "__floats2half2_rn",
                                    "__floats2bfloat162_rn",
                                    "__half_as_short",
                                    "__half_as_ushort",
                                    "__short_as_half",
                                    "__ushort_as_half",
                                    "__bfloat16_as_short",
                                    "__bfloat16_as_ushort",
                                    "__short_as_bfloat16",
                                    "__ushort_as_bfloat16",
                                    "make_half2",
                                    "make_bfloat162"};
  StringRef S = N;
  S.consume_back("_relu");
  S.consume_back("_sat");
  if (Stems.contains(S))
    return true;
  S.consume_back("_nan");
  S.consume_back("u2");
  S.consume_back("2");
  S.consume_back("u");
  return Stems.contains(S);
}

bool isSimdInWord(StringRef N) {
  // __vadd4, __vabsdiffu2, __vcmpgts4, ...: arithmetic on bytes and half words of a register.
  if (!N.consume_front("__v"))
    return false;
  return N.ends_with("2") || N.ends_with("4") || N.starts_with("imax") || N.starts_with("imin") ||
         N.starts_with("ib");
}

// cuComplex.h: double precision, and single with an f behind.
constexpr const char *ComplexStems[] = {"cuCreal", "cuCimag", "cuConj", "cuCadd", "cuCsub",
                                        "cuCmul",  "cuCdiv",  "cuCabs", "cuCfma"};

const StringSet<> &pureNames() {
  static const StringSet<> Names = [] {
    StringSet<> S;
    for (const char *N : PureNames)
      S.insert(N);
    for (const char *M : MathStems) {
      S.insert(M);
      S.insert((Twine(M) + "f").str());
      S.insert((Twine(M) + "l").str());
    }
    for (const char *T : {"char", "uchar", "short", "ushort", "int", "uint", "long", "ulong",
                          "longlong", "ulonglong", "float", "double"})
      for (const char *W : {"1", "2", "3", "4"})
        S.insert((Twine("make_") + T + W).str());
    for (const char *Stem : ComplexStems) {
      S.insert(Stem);
      S.insert((Twine(Stem) + "f").str());
    }
    for (const char *N : {"make_cuComplex", "make_cuFloatComplex", "make_cuDoubleComplex",
                          "cuComplexFloatToDouble", "cuComplexDoubleToFloat"})
      S.insert(N);
    S.insert("make_double4_16a");
    S.insert("make_double4_32a");
    return S;
  }();
  return Names;
}

FunctionKind classifyWmma(StringRef N) {
  return StringSwitch<FunctionKind>(N)
      .Case("load_matrix_sync", FunctionKind::FragmentLoad)
      .Case("store_matrix_sync", FunctionKind::FragmentStore)
      .Cases({"mma_sync", "fill_fragment", "bmma_sync"}, FunctionKind::FragmentMath)
      .Case("__float_to_tf32", FunctionKind::Pure)
      .Default(FunctionKind::Unknown);
}

} // namespace

/// A tile of the block that is a warp or a part of one.
static bool isTileOfWarp(const clang::CXXRecordDecl *Group) {
  const auto *Tile = dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(Group);
  return Tile && Tile->getIdentifier() &&
         is_contained({"thread_block_tile", "__static_size_thread_block_tile_base"},
                      Tile->getName()) &&
         Tile->getTemplateArgs().size() > 0 &&
         Tile->getTemplateArgs()[0].getKind() == clang::TemplateArgument::Integral &&
         Tile->getTemplateArgs()[0].getAsIntegral().ule(32);
}

/// `warp.shfl_down(v, 1)`
static bool isExchangeInTile(const clang::FunctionDecl *Function) {
  const auto *Method = dyn_cast<clang::CXXMethodDecl>(Function);
  return Method && Method->getIdentifier() && isTileOfWarp(Method->getParent()) &&
         is_contained({"shfl", "shfl_up", "shfl_down", "shfl_xor", "any", "all", "ballot",
                       "match_any", "match_all"},
                      Method->getName());
}

/// Of a texture object. Others write what they have found, or whether they have, to a pointer.
static bool returnsTexel(const clang::FunctionDecl *Function, const clang::ASTContext &Context) {
  return !Function->getReturnType()->isVoidType() && Function->getNumParams() > 0 &&
         Function->getParamDecl(0)->getType()->isIntegerType() &&
         all_of(Function->parameters(), [&](const clang::ParmVarDecl *Param) {
           return Param->getType()->isArithmeticType() ||
                  (Param->getType()->isRecordType() && copiesBytes(Param->getType(), Context));
         });
}

/// `complex<float>` of the library. One of a class of the user's does what that class does.
static bool isComplex(clang::QualType T) {
  const auto *Class = dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(
      T.getNonReferenceType()->getAsCXXRecordDecl());
  if (!Class || !Class->getIdentifier() || Class->getName() != "complex" ||
      Class->getTemplateArgs().size() == 0)
    return false;
  const clang::TemplateArgument &Of = Class->getTemplateArgs()[0];
  return Of.getKind() == clang::TemplateArgument::Type && Of.getAsType()->isArithmeticType() &&
         is_contained({"std", "cuda", "thrust"}, outermostNamespace(Class));
}

/// `z.real()`, and what complex.h has: they compute with what they are given, and a method that is
/// given something sets its object.
static bool computesWithComplex(const clang::FunctionDecl *Function) {
  if (!Function->getIdentifier())
    return false;
  const auto IsNumber = [](clang::QualType T) {
    return T.getNonReferenceType()->isArithmeticType() || isComplex(T);
  };
  const auto Takes = [&](const clang::ParmVarDecl *P) { return isComplex(P->getType()); };
  const auto *Method = dyn_cast<clang::CXXMethodDecl>(Function);
  if (!all_of(Function->parameters(),
              [&](const clang::ParmVarDecl *P) { return IsNumber(P->getType()); }))
    return false;
  if (Method)
    return !Method->isStatic() && is_contained({"real", "imag"}, Method->getName()) &&
           isComplex(Method->getASTContext().getCanonicalTagType(Method->getParent()));
  static const StringSet<> Names = {"real",  "imag",  "abs",   "arg",   "norm", "conj", "proj",
                                    "polar", "exp",   "log",   "log10", "pow",  "sqrt", "sin",
                                    "cos",   "tan",   "sinh",  "cosh",  "tanh", "asin", "acos",
                                    "atan",  "asinh", "acosh", "atanh"};
  return Names.contains(Function->getName()) && IsNumber(Function->getReturnType()) &&
         (any_of(Function->parameters(), Takes) || isComplex(Function->getReturnType()));
}

FunctionKind classifyFunction(const clang::FunctionDecl *Function,
                              const clang::ASTContext &Context) {
  if (!isLibraryFunction(Function, Context))
    return FunctionKind::Unknown;
  const std::string Name = nameInHeader(Function);
  if (StringRef(Name).starts_with("cooperative_groups::") && isExchangeInTile(Function))
    return FunctionKind::Warp;
  if (computesWithComplex(Function))
    return FunctionKind::Pure;
  const FunctionKind Kind = classifyFunctionName(Name);
  return Kind != FunctionKind::LoadTexture || returnsTexel(Function, Context)
             ? Kind
             : FunctionKind::Unknown;
}

namespace {

/// `memcpy(&f, &u, 4)`. Bytes that may be a pointer are not followed.
bool isMemoryCopy(const clang::FunctionDecl *Function, ArrayRef<const clang::Expr *> Arguments,
                  const clang::ASTContext &Context) {
  if (!Function || !Function->getIdentifier() || Arguments.size() != 3 ||
      !isLibraryFunction(Function, Context) ||
      !is_contained({"memcpy", "__builtin_memcpy", "memmove", "__builtin_memmove"},
                    Function->getName()))
    return false;
  return all_of(Arguments.take_front(2), [](const clang::Expr *E) {
    for (const auto *Cast = dyn_cast<clang::CastExpr>(E->IgnoreParens());
         Cast && Cast->getSubExpr()->getType()->isPointerType();
         Cast = dyn_cast<clang::CastExpr>(E->IgnoreParens()))
      E = Cast->getSubExpr();
    const clang::QualType Of =
        E->getType()->isPointerType() ? E->getType()->getPointeeType() : clang::QualType();
    return !Of.isNull() && Of->isObjectType() && !Of.isVolatileQualified() && !holdsPointers(Of);
  });
}

/// What the `sync()` of a cooperative group waits for.
FunctionKind barrierOfGroup(const clang::CXXRecordDecl *Group) {
  if (!Group || !Group->getIdentifier())
    return FunctionKind::BarrierOther;
  StringRef Name = Group->getName();
  if (Name == "thread_block")
    return FunctionKind::Barrier;
  return Name == "coalesced_group" || isTileOfWarp(Group) ? FunctionKind::WarpBarrier
                                                          : FunctionKind::BarrierOther;
}

/// `cg::reduce(warp, value, cg::plus<float>())`: numbers are exchanged as by shuffles. A function
/// of the user's may do anything.
bool isReduction(const clang::FunctionDecl *Function, ArrayRef<const clang::Expr *> Arguments) {
  if (!Function->getIdentifier() || Function->getName() != "reduce" || Arguments.size() != 3)
    return false;
  auto ClassOf = [](const clang::Expr *E) {
    return E->IgnoreParenImpCasts()->getType().getNonReferenceType()->getAsCXXRecordDecl();
  };
  const clang::CXXRecordDecl *How = ClassOf(Arguments[2]);
  return isTileOfWarp(ClassOf(Arguments[0])) &&
         Arguments[1]->getType().getNonReferenceType()->isArithmeticType() && How &&
         How->getIdentifier() &&
         StringRef(How->getQualifiedNameAsString()).starts_with("cooperative_groups::") &&
         is_contained({"plus", "less", "greater", "bit_and", "bit_or", "bit_xor"}, How->getName());
}

} // namespace

FunctionKind classifyCall(const clang::FunctionDecl *Function,
                          ArrayRef<const clang::Expr *> Arguments,
                          const clang::ASTContext &Context) {
  const FunctionKind Kind = classifyFunction(Function, Context);
  if (Kind == FunctionKind::Unknown && isMemoryCopy(Function, Arguments, Context))
    return FunctionKind::MemoryCopy;
  if (Kind == FunctionKind::Unknown && isLibraryFunction(Function, Context) &&
      StringRef(Function->getQualifiedNameAsString()).starts_with("cooperative_groups::") &&
      isReduction(Function, Arguments))
    return FunctionKind::Warp;
  if (Kind != FunctionKind::BarrierOther || !Function->getIdentifier())
    return Kind;
  if (Function->getName() == "__barrier_sync" && Arguments.size() == 1) {
    clang::Expr::EvalResult Id;
    const bool Whole = !Arguments[0]->isValueDependent() &&
                       Arguments[0]->EvaluateAsInt(Id, Context) && Id.Val.getInt() == 0;
    return Whole ? FunctionKind::Barrier : Kind;
  }
  if (Function->getName() != "sync")
    return Kind;
  if (const auto *Method = dyn_cast<clang::CXXMethodDecl>(Function))
    return barrierOfGroup(Method->getParent());
  return Arguments.size() == 1 ? barrierOfGroup(Arguments[0]
                                                    ->IgnoreParenImpCasts()
                                                    ->getType()
                                                    .getNonReferenceType()
                                                    ->getAsCXXRecordDecl())
                               : Kind;
}

FunctionKind classifyFunctionName(StringRef Name) {
  Name.consume_front("::");
  if (Name.consume_front("nvcuda::wmma::")) {
    Name.consume_front("experimental::");
    return classifyWmma(Name);
  }
  if (Name.starts_with("cooperative_groups::")) {
    if (Name == "cooperative_groups::thread_block::sync" ||
        Name == "cooperative_groups::__v1::thread_block::sync")
      return FunctionKind::Barrier;
    StringRef Last = Name.rsplit("::").second;
    if (Last == "this_thread_block" || Last == "thread_rank" || Last == "size" ||
        Last == "num_threads" || Last == "tiled_partition" || Last == "thread_index" ||
        Last == "group_index" || Last == "meta_group_rank" || Last == "meta_group_size" ||
        Last == "dim_threads" || Last == "group_dim")
      return FunctionKind::Pure;
    if (Name.contains("grid_group") || Name.contains("multi_grid"))
      return FunctionKind::GridBarrier;
    if (Last.contains("async") || Last == "wait" || Last == "wait_prior")
      return FunctionKind::AsyncCopy;
    if (Last == "sync")
      return FunctionKind::BarrierOther;
    return FunctionKind::Unknown;
  }
  if (Name.starts_with("cuda::") && (Name.contains("pipeline") || Name.contains("memcpy_async")))
    return FunctionKind::AsyncCopy;
  if (Name.starts_with("__pipeline_") || Name.starts_with("nvcuda::experimental::"))
    return FunctionKind::AsyncCopy;
  StringRef Unqualified = Name;
  if (Unqualified.consume_front("std::")) {
    // libstdc++ nests them in an inline namespace now and then.
    Unqualified.consume_front("__1::");
    Unqualified.consume_front("__cxx11::");
    if (Unqualified.contains("::"))
      return FunctionKind::Unknown;
  }
  if (Name.starts_with("cuda::std::"))
    Unqualified = Name.rsplit("::").second;
  if (Unqualified.contains("::"))
    return FunctionKind::Unknown;
  StringRef N = Unqualified;

  FunctionKind K =
      StringSwitch<FunctionKind>(N)
          .Cases({"__syncthreads", "__nvvm_barrier0", "__nvvm_barrier_cta_sync_aligned_all"},
                 FunctionKind::Barrier)
          .Cases({"__syncthreads_count", "__syncthreads_and", "__syncthreads_or"},
                 FunctionKind::BarrierValue)
          .Cases({"__barrier_sync", "__barrier_sync_count", "__named_barrier_sync"},
                 FunctionKind::BarrierOther)
          .Case("__syncwarp", FunctionKind::WarpBarrier)
          .Cases({"__threadfence", "__threadfence_block", "__threadfence_system"},
                 FunctionKind::Fence)
          .Cases({"printf", "vprintf", "puts", "putchar"}, FunctionKind::Print)
          .Cases({"__trap", "__assert_fail", "__assertfail", "__brkpt", "abort"},
                 FunctionKind::Trap)
          .Cases({"exit", "__exit", "__builtin_trap", "__builtin_unreachable"}, FunctionKind::Trap)
          .Cases({"clock", "clock64", "__nanosleep", "globaltimer"}, FunctionKind::Clock)
          .Cases({"__ldg", "__ldcg", "__ldca", "__ldcs", "__ldlu"}, FunctionKind::LoadPointer)
          .Cases({"tex1D", "tex1Dfetch", "tex1DLod", "tex1DGrad", "tex1DLayered"},
                 FunctionKind::LoadTexture)
          .Cases({"tex2D", "tex2DLod", "tex2DGrad", "tex2DLayered", "tex2Dgather"},
                 FunctionKind::LoadTexture)
          .Cases({"tex3D", "tex3DLod", "tex3DGrad", "texCubemap"}, FunctionKind::LoadTexture)
          .Cases({"__stwb", "__stcg", "__stcs", "__stwt"}, FunctionKind::StorePointer)
          .Cases({"sincos", "sincosf", "__sincosf", "sincospi", "sincospif"},
                 FunctionKind::SeveralResults)
          .Cases({"frexp", "frexpf", "modf", "modff", "remquo", "remquof"},
                 FunctionKind::SeveralResults)
          .Cases({"__activemask", "__ballot_sync", "__any_sync", "__all_sync"}, FunctionKind::Warp)
          .Cases({"__match_any_sync", "__match_all_sync", "__laneid"}, FunctionKind::Warp)
          .Default(FunctionKind::Unknown);
  if (K != FunctionKind::Unknown)
    return K;
  if (N.starts_with("atomic") || N.starts_with("__iAtomic") || N.starts_with("__uAtomic"))
    return FunctionKind::Atomic;
  if (N.starts_with("__shfl_") || (N.starts_with("__reduce_") && N.ends_with("_sync")))
    return FunctionKind::Warp;
  if (pureNames().contains(N) || isRoundedArithmetic(N) || isConversion(N) || isHalfArithmetic(N) ||
      isSimdInWord(N))
    return FunctionKind::Pure;
  return FunctionKind::Unknown;
}

bool isAtomicUpdate(StringRef Name) {
  Name.consume_front("::");
  if (!Name.consume_front("atomic"))
    return false;
  if (!Name.consume_back("_block"))
    Name.consume_back("_system");
  return is_contained({"Add", "Sub", "Exch", "Min", "Max", "Inc", "Dec", "CAS", "And", "Or", "Xor"},
                      Name);
}

std::optional<FragmentShape> fragmentShape(QualType Fragment, const Expr *Layout,
                                           const clang::ASTContext &Context) {
  const auto *Class = dyn_cast_or_null<ClassTemplateSpecializationDecl>(
      Fragment.getNonReferenceType()->getAsCXXRecordDecl());
  if (!Class || nameInHeader(Class) != "nvcuda::wmma::fragment")
    return std::nullopt;
  const clang::TemplateArgumentList &Args = Class->getTemplateArgs();
  if (Args.size() < 5)
    return std::nullopt;
  const auto NameOf = [&](unsigned I) -> std::string {
    const CXXRecordDecl *Tag = I < Args.size() && Args[I].getKind() == TemplateArgument::Type
                                   ? Args[I].getAsType()->getAsCXXRecordDecl()
                                   : nullptr;
    return Tag ? Tag->getNameAsString() : "";
  };
  unsigned Extent[3];
  for (unsigned I = 0; I < 3; ++I) {
    if (Args[I + 1].getKind() != TemplateArgument::Integral)
      return std::nullopt;
    Extent[I] = unsigned(Args[I + 1].getAsIntegral().getZExtValue());
  }
  const auto [M, N, K] = Extent;
  const std::string Use = NameOf(0), Order = NameOf(5);
  FragmentShape Out;
  if (Use == "accumulator") {
    const std::optional<int64_t> ByColumns = Layout ? constantValue(Layout, Context) : std::nullopt;
    if (!ByColumns)
      return std::nullopt;
    Out.Lines = *ByColumns ? N : M;
    Out.Length = *ByColumns ? M : N;
    return Out;
  }
  if ((Use != "matrix_a" && Use != "matrix_b") || (Order != "row_major" && Order != "col_major"))
    return std::nullopt;
  Out.IsOperand = true;
  Out.AlongK = (Use == "matrix_a") == (Order == "row_major");
  const unsigned Other = Use == "matrix_a" ? M : N;
  Out.Lines = Out.AlongK ? Other : K;
  Out.Length = Out.AlongK ? K : Other;
  return Out;
}

} // namespace cuda_pipeline
