//===- Launch.h - How a kernel is launched for verification ---------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// A launch description says which kernel is run on which sizes and data. It is a small YAML file
/// (docs/launch.md), one document per kernel:
///
///     kernel: gemm<float, 32>        # as in a launch
///     cases:                         # every case is one run; the names are free
///       - {N: 128, K: 32}
///       - {N: 256, K: 96}
///     let:                           # more names, in order, from those above
///       tiles: ceildiv(K, 32)
///     grid: [N / 32, N / 32]         # one to three expressions
///     block: [32, 32]
///     shared: 0                      # dynamic shared memory, bytes
///     arguments:                     # in the order of the parameters
///       - {name: A, buffer: float, count: N * K, role: input}
///       - {name: B, buffer: float, count: K * N, role: input, fill: uniform(-1, 1)}
///       - {name: C, buffer: float, count: N * N, role: output}
///       - {name: K, scalar: int, value: K}
///     globals:                       # __device__ and __constant__ variables, by name
///       - {name: coefficients, type: float, fill: uniform(-1, 1)}
///
/// A case is evaluated to a `ConcreteLaunch`, in which everything is a number; both engines run
/// that. Sizes are in bytes or elements as named; expressions are 64-bit integers with + - * / %,
/// comparisons, && || !, ?:, parentheses, min(a, b), max(a, b), ceildiv(a, b).
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LAUNCH_H
#define CUDA_PIPELINE_LAUNCH_H

#include "cuda-pipeline/DeviceModule.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cuda_pipeline {

enum class BufferRole { Input, Output, InOut };

/// What a buffer contains before the launch. Random data are fresh for every seed.
struct BufferFill {
  enum class Kind {
    Random,  ///< floating point: uniform in [-1, 1) with all mantissa bits; integers: all bits
    Uniform, ///< uniform in [Low, High), for integers Low..High-1: index arrays, small integers
    Value,   ///< every element is Low
    Index,   ///< element i is Low + i, integers modulo their type
    Poison,  ///< bits that differ from run to run: what nobody may depend on
  };
  Kind K = Kind::Random;
  double Low = 0, High = 0;
};

/// An argument of one launch, all sizes known.
struct ConcreteArgument {
  std::string Name;
  bool IsBuffer = false;

  // Buffers.
  ElementType Element;
  std::string ElementName; ///< as in the description: "float4"
  uint64_t Count = 0;      ///< elements; 0 is allowed (the kernel must not touch it)
  uint64_t Offset = 0;     ///< elements: the argument points this far into the buffer
  BufferRole Role = BufferRole::InOut;
  BufferFill Fill;
  std::string SameAs; ///< another argument's name: both point into that one's buffer. Element,
                      ///< Count, Role and Fill are that one's
  bool Null = false;  ///< the argument is a null pointer

  // Scalars: the bytes of the value in the parameter's type, little-endian.
  std::vector<uint8_t> Value;
};

/// A global variable that is filled before every launch and compared behind it. It has as many
/// elements as fit into the variable, exactly; an engine that finds a rest reports it.
struct ConcreteGlobal {
  std::string Name;
  ElementType Element;
  std::string ElementName;
  BufferFill Fill;
};

struct ConcreteLaunch {
  std::string Kernel; ///< as written
  std::string Case;   ///< "N=128 K=32": names the case in every message; "single" without names
  std::array<uint64_t, 3> Grid = {1, 1, 1}, Block = {1, 1, 1};
  uint64_t SharedBytes = 0;
  /// Of the new version. None: as much, and if it asks how much it gets while the original does
  /// not, also more.
  std::optional<uint64_t> NewSharedBytes;
  /// Besides, since the new version's own host code gives it so much.
  std::vector<uint64_t> NewSharedAlso;
  /// For `bench`: operations and bytes of global memory of one launch; none: nobody has said.
  std::optional<uint64_t> Flops, Bytes;
  std::string Unit; ///< that the operations are made by: "fp32", "fp64", "tensor", "int8"; "": none
                    ///< that a ceiling is known of
  std::vector<ConcreteArgument> Arguments;
  std::vector<ConcreteGlobal> Globals;
};

/// One document: the text of its expressions, with the line that each came from.
struct LaunchDescription {
  std::string File; ///< "" for one that was inferred
  struct Expression {
    std::string Text;
    unsigned Line = 0;
  };
  /// Low and High are floating-point literals or expressions.
  struct Fill {
    BufferFill::Kind K = BufferFill::Kind::Random;
    Expression Low, High;
  };
  struct Field {
    std::string TypeName;
    std::vector<Expression> Values; ///< one, or one per component of a vector
  };
  struct Argument {
    std::string Name;
    unsigned Line = 0;
    bool IsBuffer = false;
    std::string TypeName; ///< "float", "float4", "bytes:28"; scalars: may be empty
    Expression Count, Offset;
    std::vector<Expression> Values; ///< scalars: one, or one per component of a vector
    std::vector<Field> Fields;      ///< a struct by value: its members in order
    BufferRole Role = BufferRole::InOut;
    Fill Contents;
    std::string SameAs;
    bool Null = false;
  };
  struct Global {
    std::string Name;
    unsigned Line = 0;
    std::string TypeName;
    Fill Contents;
  };
  std::string Kernel;
  unsigned Line = 0;
  std::vector<std::vector<std::pair<std::string, int64_t>>> Cases; ///< at least one, maybe empty
  std::vector<std::pair<std::string, Expression>> Let;
  std::vector<Expression> Grid, Block; ///< 1 to 3
  Expression Shared;
  std::optional<Expression> NewShared;
  std::optional<Expression> Flops, Bytes;
  std::string Unit;
  std::vector<Argument> Arguments;
  std::vector<Global> Globals;
};

/// The type of a name as it stands in a description, "float4" or "unsigned char"; none: not known.
std::optional<ElementType> elementType(llvm::StringRef Name);

/// Reads a YAML stream. Errors are one line that begins with \p File and the line:
/// "launch.yaml:7: 'cuont' is no key of an argument; known are buffer, count, ...".
llvm::Expected<std::vector<LaunchDescription>> parseLaunch(llvm::StringRef Text,
                                                           llvm::StringRef File);

/// Numbers for every case, checked against the kernel: number and kind of the arguments, element
/// sizes, at most 1,024 threads, grid limits, sizes that are not negative and below 2^40 bytes.
llvm::Expected<std::vector<ConcreteLaunch>> evaluate(const LaunchDescription &Description,
                                                     const KernelSignature &Kernel);

/// What can be said from the file alone: a launch whose grid and block are constants, and whose
/// pointers have constant sizes. An error that says what is missing.
llvm::Expected<LaunchDescription> inferLaunch(const DeviceModule &Module,
                                              const KernelSignature &Kernel);

/// Comments of a description: none of them needs to be there.
struct LaunchComments {
  std::vector<std::string> Above;     ///< lines in front of the document
  std::vector<std::string> Cases;     ///< behind the line of each
  std::vector<std::string> Arguments; ///< above the line of each
};
/// One document, without the line that separates it from others: parseLaunch() makes the same of
/// it.
std::string launchText(const LaunchDescription &Description, const LaunchComments &Comments = {});

/// What is known of a kernel's launches.
struct FoundDescription {
  std::string Text; ///< one document; empty: there is none
  std::string Why;  ///< then: why not, a phrase
};

/// `--emit-launch`: valid YAML with comments. For each kernel what was found (\p Found: one for
/// each of them, or none at all), else a template to be filled in, with what is known from the
/// signature, the launch bounds and the launches in the file.
std::string launchTemplate(const DeviceModule &Module, llvm::ArrayRef<KernelSignature> Kernels,
                           llvm::ArrayRef<FoundDescription> Found = {});

/// Writes what buffer \p Argument of \p Launch contains at the start of the run with \p Seed, all
/// Count elements of it. The GPU harness has the same bytes.
void fillBuffer(const ConcreteLaunch &Launch, const ConcreteArgument &Argument, uint64_t Seed,
                uint8_t *Data);
/// The same for a global variable of \p Count elements.
void fillGlobal(const ConcreteLaunch &Launch, const ConcreteGlobal &Global, uint64_t Count,
                uint64_t Seed, uint8_t *Data);

} // namespace cuda_pipeline

#endif
