//===- DeviceModule.h - A CUDA file as device code that can be run --------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// The other reading of a .cu file: not as a tree to be analysed, but as LLVM bitcode of its device
/// side, for verification. Clang reads the file on the bundled declarations, in the same way as for
/// the analysis (Source.h), and generates unoptimised code for the GPU; nothing of it is specific
/// to the machine that will run it. Inline PTX, barriers and built-in variables are still in it, as
/// inline assembly and intrinsics; the emulator gives them a meaning.
///
/// With the bitcode come the signatures of the kernels that can be launched (templates: every
/// instantiation) and the launches that the file itself makes, as far as their sizes are constants.
/// All of this is plain data: no Clang or LLVM type outlives the step that makes it,
/// compileDevice() of CompileDevice.h.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_DEVICEMODULE_H
#define CUDA_PIPELINE_DEVICEMODULE_H

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace cuda_pipeline {

/// What an element of a buffer, or a scalar argument, consists of.
struct ElementType {
  enum class Kind { Bool, SignedInt, UnsignedInt, Half, BFloat16, Float, Double, Bytes };
  Kind Base = Kind::Bytes;
  unsigned BaseBytes = 1; ///< of one component
  unsigned Lanes = 1;     ///< float4: 4. Bytes: the size of the struct
  uint64_t bytes() const { return uint64_t(BaseBytes) * Lanes; }
};

/// The numbers and pointers that a type consists of: what a function needs to fill memory of that
/// type with values that make sense.
struct TypeLayout {
  struct Leaf {
    std::string Name;    ///< within the type: ".K", ".size[1]"; empty: the type is nothing else
    uint64_t Offset = 0; ///< of the first, in bytes
    uint64_t Count = 1;  ///< so many in a row, Element.bytes() from each to the next
    ElementType Element; ///< pointers: 8 bytes
    bool IsPointer = false;
    int Pointee = -1; ///< of a pointer: in DeviceModule::Layouts; -1: nobody knows, or it points to
                      ///< its own kind
  };
  std::string Name; ///< of the type, as written
  uint64_t Bytes = 1;
  std::vector<Leaf>
      Leaves; ///< by offset; bytes that are in none of them are padding, or of a union
};

struct KernelParameter {
  std::string Name; ///< empty when the source has none
  std::string Type; ///< as written, after substitution: "const float *__restrict__"
  bool IsPointer = false;
  std::string ElementName; ///< pointer: the pointee without qualifiers ("float4"); else the type
  ElementType Element;     ///< pointer to void or to an incomplete type: one byte
  bool PointeeConst = false;
  bool Restrict = false;
  int Layout = -1; ///< in DeviceModule::Layouts: of the pointee, else of the type; -1: not known
  /// The type without `__restrict__`, which makes no other function.
  std::string plainType() const {
    std::string Out = Type;
    for (const char *Word : {"__restrict__", "__restrict"})
      for (size_t At; (At = Out.find(Word)) != std::string::npos;)
        Out.erase(At, std::char_traits<char>::length(Word));
    while (!Out.empty() && Out.back() == ' ')
      Out.pop_back();
    return Out;
  }
};

/// A kernel reads %dynamic_smem_size: it does one thing with little dynamic shared memory and
/// another with more, as the tool's own text does where stages are in it
/// (lib/Emit/DynamicStages.cpp).
struct SharedDemand {
  bool Known = true;  ///< it only compares the number, with what is known here
  uint64_t Bytes = 0; ///< these are enough
  /// And so many times what a tile has, whose size only the launch knows: as much as the original
  /// is given.
  uint64_t Times = 0;
  uint64_t Alignment =
      16; ///< to a multiple of which a tile's size is rounded up: DynamicStages::Alignment
  /// None: nobody knows.
  std::optional<uint64_t> enough(uint64_t OfOriginal) const {
    if (!Known || (Times > 0 && OfOriginal == 0))
      return std::nullopt;
    return std::max(Bytes, Times * ((OfOriginal + Alignment - 1) / Alignment * Alignment));
  }
};

/// An integer parameter that bounds a loop with a barrier in it.
struct TileLoopBound {
  std::string Parameter;
  uint64_t PerTurn =
      0; ///< so much more of it is one turn more; 0: as much as a block has threads in x
};

struct KernelSignature {
  std::string Name;    ///< as one writes it in a launch: "gemm<float, 32>", "ns::gemm"
  std::string Mangled; ///< its symbol in the bitcode
  unsigned Line = 0;   ///< of the definition, 1-based
  std::vector<KernelParameter> Parameters;
  /// From __launch_bounds__: the largest block, in threads.
  std::optional<unsigned> MaxThreads;
  bool Overloaded = false; ///< another kernel of the file has the name
  std::vector<TileLoopBound> TileLoops;
  std::optional<SharedDemand> Shared;
  /// By which a launch description names it: with the parameters' types where the name alone is not
  /// enough.
  std::string launchName() const {
    if (!Overloaded)
      return Name;
    std::string Types;
    for (const KernelParameter &P : Parameters)
      Types += (Types.empty() ? "" : ", ") + P.plainType();
    return Name + "(" + Types + ")";
  }
};

/// A `kernel<<<grid, block, shared>>>(...)` in the file. What is not a constant is missing.
struct KernelLaunch {
  std::string Mangled; ///< of the kernel; empty: not known
  std::string Callee;  ///< then, how it is called there
  unsigned Line = 0;
  std::optional<std::array<uint64_t, 3>> Grid, Block;
  std::string GridFrom, BlockFrom;     ///< a number of all that they are computed from
  std::optional<uint64_t> SharedBytes; ///< dynamic shared memory; 0 where the launch names none
  bool AsksItself = false; ///< `cudaFuncSetAttribute(.., N) == cudaSuccess ? N : 0`: it gives no
                           ///< more than it gets
  bool Configured =
      false; ///< by a structure: how much dynamic shared memory is in it is not looked at
  /// Per argument: the text as written, and the value where it is an integer constant.
  struct Argument {
    std::string Text;
    std::optional<int64_t> Value;
    /// Pointers: the bytes that a cudaMalloc in the same function gave it, where constant.
    std::optional<uint64_t> Bytes;
  };
  std::vector<Argument> Arguments;
};

/// cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes)
struct SharedAllowance {
  std::string Mangled; ///< of the kernel; empty: not known
  unsigned Line = 0;
  std::optional<uint64_t> Bytes; ///< where it is a constant
};

/// A function or variable of the device code, to compare with that of another version.
struct DeviceCode {
  std::string Text; ///< without what says where it stands in the file
  std::vector<std::string> Uses;
  bool Function = false;
  bool OfUser = false; ///< a function or variable that is none of the bundled declarations'
};

struct DeviceModule {
  std::string Bitcode;
  std::vector<KernelSignature> Kernels;
  std::vector<TypeLayout> Layouts; ///< of what parameters are and point to
  std::vector<KernelLaunch> Launches;
  std::vector<KernelLaunch> OtherLaunches; ///< by a function, as cudaLaunchKernel, or of a kernel
                                           ///< that is not known: without arguments
  std::vector<SharedAllowance> Allowances;
  std::map<std::string, DeviceCode> Code; ///< by symbol
  /// Functions of device code, by what tells them apart. Of a template that nothing instantiates
  /// and of an inline function that nothing calls there is no code, only what they say.
  struct Body {
    std::string Name;   ///< to call it by
    std::string Symbol; ///< in Code; empty: a template, or a member of one
    std::string Says;
    bool Instantiated = false;
  };
  std::map<std::string, Body> Bodies;
  /// Functions of the host that do not compile and were left out (ParseRequest::KeepGoing).
  std::vector<std::string> LeftOut;
};

/// What \p Symbol is and all that it uses, in both modules: is anything of it not the same?
bool sameCode(const DeviceModule &Old, const DeviceModule &New, const std::string &Symbol);
/// \p From and all that they use.
std::vector<std::string> reachedCode(const DeviceModule &Module,
                                     const std::vector<std::string> &From);

} // namespace cuda_pipeline

#endif
