//===- Versions.cpp - Two versions of a file, side by side ----------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Versions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/FormatVariadic.h"
#include <set>
#include <tuple>

using namespace llvm;

namespace cuda_pipeline {

StringRef plainName(StringRef Kernel) {
  StringRef Name = Kernel.split('<').first;
  return Name.substr(Name.rfind(':') + 1);
}

/// A struct that the kernel is given by value may be another one now, by the same name.
static bool sameSizes(const KernelSignature &A, const KernelSignature &B) {
  return std::equal(A.Parameters.begin(), A.Parameters.end(), B.Parameters.begin(),
                    B.Parameters.end(), [](const KernelParameter &P, const KernelParameter &Q) {
                      return P.IsPointer == Q.IsPointer &&
                             (P.IsPointer || P.Element.bytes() == Q.Element.bytes());
                    });
}

std::vector<VerifyKernel> kernelsToSearch(ArrayRef<DeviceModule> Versions,
                                          ArrayRef<VerifyKernel> Described, bool OnlyChanged) {
  const DeviceModule &Old = Versions[0], &New = Versions[1];
  std::vector<VerifyKernel> Found;
  for (bool All : {false, true}) {
    if (All && OnlyChanged)
      break;
    for (const KernelSignature &K : Old.Kernels) {
      auto Now =
          find_if(New.Kernels, [&](const KernelSignature &N) { return N.Mangled == K.Mangled; });
      if (Now == New.Kernels.end() || !sameSizes(K, *Now) ||
          (!All && sameCode(Old, New, K.Mangled)) ||
          any_of(Described, [&](const VerifyKernel &V) { return V.Old.Mangled == K.Mangled; }))
        continue;
      VerifyKernel V;
      V.Old = K;
      V.New = *Now;
      V.Search = V.Undescribed = true;
      for (const KernelLaunch &L : Old.Launches)
        if (L.Mangled == K.Mangled && L.SharedBytes && (L.Block || *L.SharedBytes))
          if (VerifyKernel::KnownSize Size = {L.Block, *L.SharedBytes, {}};
              !is_contained(V.Sizes, Size))
            V.Sizes.push_back(std::move(Size));
      for (size_t I = 0; I != Versions.size(); ++I)
        V.Demands.push_back(I == 0 ? K.Shared : Now->Shared);
      Found.push_back(std::move(V));
    }
    if (!Found.empty() || !Described.empty())
      break;
  }
  return Found;
}

void findChanges(const DeviceModule &Old, const DeviceModule &New, ArrayRef<VerifyKernel> Run,
                 VerifyReport &R) {
  std::vector<std::string> Kernels;
  for (const KernelSignature &K : New.Kernels) {
    Kernels.push_back(K.Mangled);
    const bool IsRun =
        any_of(Run, [&](const VerifyKernel &V) { return V.New.Mangled == K.Mangled; });
    if (!IsRun)
      R.NotCovered.push_back(K.launchName());
    if (sameCode(Old, New, K.Mangled))
      continue;
    R.Changed.push_back(K.Name);
    if (!IsRun)
      R.ChangedNotRun.push_back(K.launchName());
  }
  auto Add = [](std::vector<std::string> &To, const std::string &Name) {
    if (!is_contained(To, Name))
      To.push_back(Name);
  };
  // Of what no kernel of the file reaches.
  const std::vector<std::string> Reached = reachedCode(New, Kernels);
  for (const auto &[Symbol, Code] : New.Code) {
    auto Was = Old.Code.find(Symbol);
    if (!Code.OfUser || is_contained(Reached, Symbol) ||
        (Was != Old.Code.end() && Was->second.Text == Code.Text))
      continue;
    // An inline function that nothing has called before, and that is as it was.
    auto Said = Old.Bodies.find(Symbol), Says = New.Bodies.find(Symbol);
    if (Was != Old.Code.end() || Said == Old.Bodies.end() || Says == New.Bodies.end() ||
        Said->second.Says != Says->second.Says)
      Add(R.ChangedNotRun, demangle(StringRef(Symbol).drop_front()));
  }
  // Of what there is no code of.
  for (const auto &[Key, Body] : New.Bodies) {
    auto Was = Old.Bodies.find(Key);
    if (!Body.Instantiated && !New.Code.count("@" + Body.Symbol) &&
        (Was == Old.Bodies.end() || Was->second.Says != Body.Says))
      Add(R.ChangedNotRun, Body.Name);
  }
  // What is not there any more. (An instantiation is, as long as its template is.)
  auto Missing = [&](const std::string &Name) {
    if (is_contained(R.ChangedNotRun, Name))
      return;
    R.ChangedNotRun.push_back(Name);
    R.Missing.push_back(Name);
  };
  // What kernels that are still there have used was run with them, or they are said to have
  // changed.
  std::vector<std::string> Compared;
  for (const KernelSignature &K : Old.Kernels)
    if (is_contained(Kernels, K.Mangled))
      Compared.push_back(K.Mangled);
  const std::vector<std::string> Used = reachedCode(Old, Compared);
  for (const auto &[Key, Body] : Old.Bodies)
    if (!New.Bodies.count(Key) && !is_contained(Used, "@" + Body.Symbol) &&
        none_of(Run,
                [&Body = Body](const VerifyKernel &V) { return V.Old.Mangled == Body.Symbol; })) {
      auto Kernel = find_if(Old.Kernels, [&Body = Body](const KernelSignature &K) {
        return K.Mangled == Body.Symbol;
      });
      Missing(Kernel == Old.Kernels.end() ? Body.Name : Kernel->launchName());
    }
  for (const auto &[Symbol, Code] : Old.Code)
    if (Code.OfUser && !Code.Function && !New.Code.count(Symbol) && !is_contained(Used, Symbol))
      Missing(demangle(StringRef(Symbol).drop_front()));
}

static std::string sizeText(const std::array<uint64_t, 3> &Size) {
  return formatv("({0}, {1}, {2})", Size[0], Size[1], Size[2]);
}

void compareLaunches(const DeviceModule &Old, const DeviceModule &New,
                     std::vector<VerifyKernel> &Run, std::vector<VerifyCase> &Found) {
  // Of a kernel, or of what is called so and may be any.
  auto Of = [](const DeviceModule &M, StringRef Mangled, StringRef Callee) {
    std::vector<const KernelLaunch *> All;
    for (const std::vector<KernelLaunch> *Launches : {&M.Launches, &M.OtherLaunches})
      for (const KernelLaunch &L : *Launches)
        if (L.Mangled == Mangled && L.Callee == Callee)
          All.push_back(&L);
    stable_sort(All,
                [](const KernelLaunch *A, const KernelLaunch *B) { return A->Line < B->Line; });
    return All;
  };
  // Constants are compared as such; else that which they are computed from.
  auto SameSize = [](const auto &A, const auto &B, const std::string &From,
                     const std::string &Now) { return A && B ? *A == *B : From == Now; };
  auto SameShape = [&](const KernelLaunch &O, const KernelLaunch &L) {
    return SameSize(O.Grid, L.Grid, O.GridFrom, L.GridFrom) &&
           SameSize(O.Block, L.Block, O.BlockFrom, L.BlockFrom);
  };
  constexpr uint64_t WithoutAsking = 48 * 1024;
  /// As much as the file's calls of cudaFuncSetAttribute allow; none: one of them is no constant.
  auto Allowed = [&](const DeviceModule &M, const KernelSignature &K, bool &Asks) {
    std::optional<uint64_t> Most = WithoutAsking;
    Asks = false;
    for (const SharedAllowance &A : M.Allowances)
      if (A.Mangled.empty() || A.Mangled == K.Mangled) {
        Asks = true;
        Most = Most && A.Bytes ? std::optional(std::max(*Most, *A.Bytes)) : std::nullopt;
      }
    return Most;
  };
  auto Tell = [&](const std::string &Kernel, const KernelLaunch &L, Verdict V,
                  const std::string &Why, bool Fault = false) {
    VerifyCase C;
    C.Kernel = Kernel;
    C.Case = formatv("launch in line {0}", L.Line);
    C.Result = V;
    C.Reason = Why;
    if (Fault) {
      C.Fault.emplace();
      C.Fault->Kind = "launch";
      C.Fault->What = Why;
    }
    Found.push_back(std::move(C));
  };
  /// True: they are as many, each to be compared with that at its place.
  auto Paired = [&](const std::string &Kernel, ArrayRef<const KernelLaunch *> Was,
                    ArrayRef<const KernelLaunch *> Is) {
    if (Was.size() == Is.size())
      return true;
    for (const KernelLaunch *L : Is)
      if (none_of(Was, [&](const KernelLaunch *O) {
            return SameShape(*O, *L) && O->SharedBytes == L->SharedBytes;
          }))
        Tell(Kernel, *L, Verdict::CannotTell, "the old version has no launch like this one");
    for (const KernelLaunch *O : Was)
      if (none_of(Is, [&](const KernelLaunch *L) { return SameShape(*O, *L); }))
        Tell(Kernel, *O, Verdict::CannotTell,
             "the new version has no launch like this one of the old version");
    return false;
  };
  auto CompareShapes = [&](const std::string &Kernel, const KernelLaunch &O,
                           const KernelLaunch &L) {
    for (auto [What, From, To, FromWhat, ToWhat] :
         {std::tuple("the grid", &O.Grid, &L.Grid, &O.GridFrom, &L.GridFrom),
          std::tuple("the block", &O.Block, &L.Block, &O.BlockFrom, &L.BlockFrom)}) {
      if (SameSize(*From, *To, *FromWhat, *ToWhat))
        continue;
      if (*From && *To)
        Tell(Kernel, L, Verdict::CannotTell,
             formatv("{0} is {1}, and {2} in the old version: it was not run so", What,
                     sizeText(**To), sizeText(**From)));
      else
        Tell(Kernel, L, Verdict::CannotTell,
             formatv("{0} is not computed as in the old version: it was not run so", What));
    }
  };
  // Of what may be any kernel.
  std::set<std::string> Callees;
  for (const DeviceModule *M : {&Old, &New})
    for (const KernelLaunch &L : M->OtherLaunches)
      if (L.Mangled.empty())
        Callees.insert(L.Callee);
  for (const std::string &Callee : Callees) {
    const std::vector<const KernelLaunch *> Was = Of(Old, "", Callee), Is = Of(New, "", Callee);
    if (Paired(Callee, Was, Is))
      for (auto [O, L] : zip(Was, Is))
        CompareShapes(Callee, *O, *L);
  }
  for (const KernelSignature &K : New.Kernels) {
    auto Before =
        find_if(Old.Kernels, [&](const KernelSignature &O) { return O.Mangled == K.Mangled; });
    if (Before == Old.Kernels.end())
      continue;
    auto Runs = find_if(Run, [&](const VerifyKernel &V) { return V.New.Mangled == K.Mangled; });
    const std::vector<const KernelLaunch *> Was = Of(Old, Before->Mangled, ""),
                                            Is = Of(New, K.Mangled, "");
    bool Asks = false, Asked = false;
    const std::optional<uint64_t> Most = Allowed(New, K, Asks),
                                  Earlier = Allowed(Old, *Before, Asked);
    const bool Pairs = Paired(K.Name, Was, Is);
    for (size_t N = 0; Pairs && N != Is.size(); ++N) {
      const KernelLaunch &O = *Was[N], &L = *Is[N];
      CompareShapes(K.Name, O, L);
      if (!L.SharedBytes || L.SharedBytes == O.SharedBytes)
        continue;
      if (Most && *L.SharedBytes > *Most)
        Tell(K.Name, L, Verdict::Fail,
             formatv(
                 "{0} bytes of dynamic shared memory, and {1}{2}: the launch fails", *L.SharedBytes,
                 Asks ? "cudaFuncSetAttribute allows " : "without cudaFuncSetAttribute there are ",
                 *Most),
             /*Fault=*/true);
      bool Taken = false;
      if (Runs != Run.end() && O.SharedBytes)
        for (ConcreteLaunch &C : Runs->Launches)
          if (C.SharedBytes == *O.SharedBytes && (!O.Block || C.Block == *O.Block)) {
            C.NewSharedAlso.push_back(*L.SharedBytes);
            Taken = true;
          }
      if (Runs != Run.end() && O.SharedBytes)
        for (VerifyKernel::KnownSize &Size : Runs->Sizes)
          if (Size == VerifyKernel::KnownSize{O.Block, *O.SharedBytes, {}}) {
            Size.New.push_back(*L.SharedBytes);
            Taken = true;
          }
      if (!Taken)
        Tell(K.Name, L, Verdict::CannotTell,
             formatv("{0} bytes of dynamic shared memory, and {1} in the old version: no case that "
                     "is described was run so",
                     *L.SharedBytes,
                     O.SharedBytes ? std::to_string(*O.SharedBytes) : "another number"));
    }
    // What is described, against what the host code allows. Launches that ask, and take what they
    // get, do not fail.
    if (Runs != Run.end() && Asks && Most &&
        any_of(Is, [](const KernelLaunch *L) { return !L->AsksItself && !L->Configured; }))
      for (const ConcreteLaunch &C : Runs->Launches)
        if (const uint64_t Bytes = C.NewSharedBytes.value_or(C.SharedBytes);
            Bytes > *Most && (!Asked || !Earlier || *Earlier > *Most))
          Tell(K.Name, *Is.front(), Verdict::Fail,
               formatv("{0} bytes of dynamic shared memory are described, and cudaFuncSetAttribute "
                       "allows {1}: the launch fails",
                       Bytes, *Most),
               /*Fault=*/true);
  }
}

} // namespace cuda_pipeline
