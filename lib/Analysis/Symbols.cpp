//===- Symbols.cpp - Unknown numbers, and what is known of them -----------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Symbols.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {

Symbols::Symbols(unsigned long MaxOperations) : Isl(MaxOperations) {
  Always = IslSet(isl_set_universe(isl_space_set_alloc(Isl.get(), 0, 0)));
}

IslSet Symbols::never() const { return IslSet(isl_set_empty(isl_set_get_space(Always.get()))); }

std::string Symbols::add(SymbolKind Kind, LoopNest Nest, std::string Text) {
  const char *Prefix = Kind == SymbolKind::Uniform ? "u" : Kind == SymbolKind::Range ? "r" : "q";
  std::string Name = Prefix + std::to_string(Table.size());
  Symbol &S = Table[Name];
  S.Kind = Kind;
  S.Nest = std::move(Nest);
  S.Text = std::move(Text);
  return Name;
}

void Symbols::know(StringRef Name, const Bounds &Fact) {
  Bounds &Known = Table[Name].Fact;
  if (!Known || !Fact)
    Known = Known ? Known : Fact;
  else
    Known = {IslVal(isl_val_max(Known.Least.take(), Fact.Least.take())),
             IslVal(isl_val_min(Known.Most.take(), Fact.Most.take()))};
}

const Symbol *Symbols::find(StringRef Name) const {
  auto It = Table.find(Name);
  return It == Table.end() ? nullptr : &It->second;
}

IslPwAff Symbols::constant(int64_t N) const {
  isl_space *Space = isl_set_get_space(Always.get());
  return IslPwAff(
      isl_pw_aff_val_on_domain(isl_set_universe(Space), isl_val_int_from_si(Isl.get(), N)));
}

IslPwAff Symbols::use(StringRef Name) const {
  isl_space *Space = isl_set_get_space(Always.get());
  Space = isl_space_add_dims(Space, isl_dim_param, 1);
  Space = isl_space_set_dim_name(Space, isl_dim_param, 0, Name.str().c_str());
  return IslPwAff(isl_pw_aff_var_on_domain(isl_local_space_from_space(Space), isl_dim_param, 0));
}

IslPwAff Symbols::scaled(const IslPwAff &A, int64_t By) const {
  return IslPwAff(isl_pw_aff_scale_val(A.take(), isl_val_int_from_si(Isl.get(), By)));
}

std::optional<std::string> Symbols::asSymbol(const IslPwAff &A) const {
  for (int I = 0, N = A ? int(isl_pw_aff_dim(A.get(), isl_dim_param)) : 0; I < N; ++I) {
    const char *Name = isl_pw_aff_get_dim_name(A.get(), isl_dim_param, unsigned(I));
    if (Name && isl_pw_aff_plain_is_equal(A.get(), use(Name).get()) == isl_bool_true)
      return std::string(Name);
  }
  return std::nullopt;
}

std::optional<int64_t> Symbols::asConstant(const IslPwAff &A) const {
  if (!A || answer(isl_pw_aff_isa_aff(A.get())) != Answer::Yes)
    return std::nullopt;
  isl_aff *Number = isl_pw_aff_as_aff(A.take());
  std::optional<int64_t> N;
  if (answer(isl_aff_is_cst(Number)) == Answer::Yes) {
    isl_val *Value = isl_aff_get_constant_val(Number);
    if (answer(isl_val_is_int(Value)) == Answer::Yes)
      N = isl_val_get_num_si(Value);
    isl_val_free(Value);
  }
  isl_aff_free(Number);
  return N;
}

int64_t Symbols::factorOf(StringRef Name, const IslPwAff &A) const {
  if (!A || answer(isl_pw_aff_isa_aff(A.get())) != Answer::Yes)
    return 0;
  isl_aff *Sum = isl_pw_aff_as_aff(A.take());
  int64_t Factor = 0;
  const int At = isl_aff_find_dim_by_name(Sum, isl_dim_param, Name.str().c_str());
  if (At >= 0 && isl_aff_dim(Sum, isl_dim_div) == 0) {
    isl_val *Value = isl_aff_get_coefficient_val(Sum, isl_dim_param, At);
    if (answer(isl_val_is_int(Value)) == Answer::Yes)
      Factor = isl_val_get_num_si(Value);
    isl_val_free(Value);
  }
  isl_aff_free(Sum);
  return Factor;
}

bool Symbols::speaksOf(const IslPwAff &A, StringRef Name) const {
  const int At = isl_pw_aff_find_dim_by_name(A.get(), isl_dim_param, Name.str().c_str());
  return !A || (At >= 0 && isl_pw_aff_involves_dims(A.get(), isl_dim_param, unsigned(At), 1) !=
                               isl_bool_false);
}

IslSet Symbols::between(const IslPwAff &A, int64_t Lo, int64_t Hi) const {
  return compare(isl_pw_aff_ge_set, A, constant(Lo)) & compare(isl_pw_aff_le_set, A, constant(Hi));
}

Bounds Symbols::bounds(int64_t Lo, int64_t Hi) const {
  return {IslVal(isl_val_int_from_si(Isl.get(), Lo)), IslVal(isl_val_int_from_si(Isl.get(), Hi))};
}

Bounds Symbols::valuesOf(QualType T, const ASTContext &Context) const {
  if (T->isBooleanType())
    return bounds(0, 1);
  unsigned Bits = Context.getIntWidth(T);
  if (Bits > 64)
    return Bounds();
  if (T->isSignedIntegerOrEnumerationType())
    return bounds(minIntN(Bits), maxIntN(Bits));
  return {IslVal(isl_val_zero(Isl.get())), IslVal(isl_val_int_from_ui(Isl.get(), maxUIntN(Bits)))};
}

IslSet Symbols::inType(const IslPwAff &A, QualType T, const ASTContext &Context) const {
  const Bounds Values = valuesOf(T, Context);
  if (!Values)
    return IslSet();
  auto Number = [&](const IslVal &V) {
    return IslPwAff(
        isl_pw_aff_val_on_domain(isl_set_universe(isl_set_get_space(Always.get())), V.take()));
  };
  return compare(isl_pw_aff_ge_set, A, Number(Values.Least)) &
         compare(isl_pw_aff_le_set, A, Number(Values.Most));
}

// Bound by bound: an intersection with a set of them would look for a whole point each time.
IslSet Symbols::withFact(const IslSet &S, const char *Name) const {
  const Symbol *Found = find(Name);
  if (!S || !Found || !Found->Fact)
    return S;
  isl_set *Result = S.take();
  int At = isl_set_find_dim_by_name(Result, isl_dim_param, Name);
  if (At < 0) {
    At = isl_set_dim(Result, isl_dim_param);
    Result = isl_set_add_dims(Result, isl_dim_param, 1);
    Result = isl_set_set_dim_name(Result, isl_dim_param, unsigned(At), Name);
  }
  Result = isl_set_lower_bound_val(Result, isl_dim_param, unsigned(At), Found->Fact.Least.take());
  return IslSet(
      isl_set_upper_bound_val(Result, isl_dim_param, unsigned(At), Found->Fact.Most.take()));
}

IslSet Symbols::withFacts(const IslSet &S, const IslSet &Of) const {
  IslSet Result = S;
  for (int I = 0, N = isl_set_dim(Of.get(), isl_dim_param); I < N; ++I)
    if (const char *Name = isl_set_get_dim_name(Of.get(), isl_dim_param, unsigned(I));
        Name && isl_set_involves_dims(Of.get(), isl_dim_param, unsigned(I), 1) != isl_bool_false)
      Result = withFact(Result, Name);
  return Result;
}

IslSet Symbols::forSome(const IslSet &S, SymbolKind Kind) const {
  IslSet Known = withFacts(S);
  for (int I = isl_set_dim(Known.get(), isl_dim_param); I-- > 0;) {
    const char *Name = isl_set_get_dim_name(Known.get(), isl_dim_param, unsigned(I));
    if (const Symbol *Found = Name ? find(Name) : nullptr; Found && Found->Kind == Kind)
      Known = IslSet(isl_set_project_out(Known.take(), isl_dim_param, unsigned(I), 1));
  }
  return Known;
}

IslSet Symbols::forEveryPrivate(const IslSet &S) const {
  IslSet Everything(isl_set_universe(isl_set_get_space(S.get())));
  IslSet Known = withFacts(Everything, S);
  return Everything - forSome(Known - S, SymbolKind::Private);
}

IslSet Symbols::renamed(const IslSet &S, function_ref<bool(StringRef, const Symbol &)> Keep) const {
  isl_set *Result = S.take();
  for (int I = 0, N = isl_set_dim(Result, isl_dim_param); I < N; ++I) {
    const char *Given = isl_set_get_dim_name(Result, isl_dim_param, unsigned(I));
    std::string Name = Given ? Given : "";
    if (const Symbol *Found = find(Name); !Found || !Keep(Name, *Found))
      Result = isl_set_set_dim_name(Result, isl_dim_param, unsigned(I), otherName(Name).c_str());
  }
  return IslSet(Result);
}

IslPwAff Symbols::renamed(const IslPwAff &A,
                          function_ref<bool(StringRef, const Symbol &)> Keep) const {
  isl_pw_aff *Result = A.take();
  for (int I = 0, N = isl_pw_aff_dim(Result, isl_dim_param); I < N; ++I) {
    const char *Given = isl_pw_aff_get_dim_name(Result, isl_dim_param, unsigned(I));
    std::string Name = Given ? Given : "";
    if (const Symbol *Found = find(Name); !Found || !Keep(Name, *Found))
      Result = isl_pw_aff_set_dim_id(Result, isl_dim_param, unsigned(I),
                                     isl_id_alloc(Isl.get(), otherName(Name).c_str(), nullptr));
  }
  return IslPwAff(Result);
}

bool Symbols::speaksOf(const IslSet &S, SymbolKind Kind) const {
  for (int I = 0, N = isl_set_dim(S.get(), isl_dim_param); I < N; ++I) {
    const char *Name = isl_set_get_dim_name(S.get(), isl_dim_param, unsigned(I));
    const Symbol *Found = Name ? find(Name) : nullptr;
    if (Found && Found->Kind == Kind &&
        isl_set_involves_dims(S.get(), isl_dim_param, unsigned(I), 1) != isl_bool_false)
      return true;
  }
  return false;
}

bool Symbols::isSteady(const IslPwAff &A) const {
  for (int I = 0, N = A ? int(isl_pw_aff_dim(A.get(), isl_dim_param)) : 0; I < N; ++I) {
    const char *Name = isl_pw_aff_get_dim_name(A.get(), isl_dim_param, unsigned(I));
    const Symbol *Found = Name ? find(Name) : nullptr;
    if ((!Found || !Found->Steady) &&
        isl_pw_aff_involves_dims(A.get(), isl_dim_param, unsigned(I), 1) != isl_bool_false)
      return false;
  }
  return bool(A);
}

bool Symbols::speaksOf(const IslPwAff &A, SymbolKind Kind) const {
  for (int I = 0, N = isl_pw_aff_dim(A.get(), isl_dim_param); I < N; ++I) {
    const char *Name = isl_pw_aff_get_dim_name(A.get(), isl_dim_param, unsigned(I));
    const Symbol *Found = Name ? find(Name) : nullptr;
    if (Found && Found->Kind == Kind &&
        isl_pw_aff_involves_dims(A.get(), isl_dim_param, unsigned(I), 1) != isl_bool_false)
      return true;
  }
  return false;
}

void Symbols::addOfMemory(const IslSet &S, StringSet<> &To) const {
  for (int I = 0, N = isl_set_dim(S.get(), isl_dim_param); I < N; ++I) {
    const char *Name = isl_set_get_dim_name(S.get(), isl_dim_param, unsigned(I));
    const Symbol *Found = Name ? find(Name) : nullptr;
    if (Found && Found->OfMemory &&
        isl_set_involves_dims(S.get(), isl_dim_param, unsigned(I), 1) != isl_bool_false)
      To.insert(Name);
  }
}

bool Symbols::speaksOfLost(const IslSet &S) const {
  for (int I = 0, N = isl_set_dim(S.get(), isl_dim_param); I < N; ++I) {
    const char *Name = isl_set_get_dim_name(S.get(), isl_dim_param, unsigned(I));
    const Symbol *Found = Name ? find(Name) : nullptr;
    if ((!Found || Found->Lost) &&
        isl_set_involves_dims(S.get(), isl_dim_param, unsigned(I), 1) != isl_bool_false)
      return true;
  }
  return false;
}

bool Symbols::speaksOfLost(const IslPwAff &A) const {
  for (int I = 0, N = isl_pw_aff_dim(A.get(), isl_dim_param); I < N; ++I) {
    const char *Name = isl_pw_aff_get_dim_name(A.get(), isl_dim_param, unsigned(I));
    const Symbol *Found = Name ? find(Name) : nullptr;
    if ((!Found || Found->Lost) &&
        isl_pw_aff_involves_dims(A.get(), isl_dim_param, unsigned(I), 1) != isl_bool_false)
      return true;
  }
  return false;
}

IslSet Symbols::onUniform(const IslSet &S) const {
  IslSet Result = S;
  for (int I = isl_set_dim(Result.get(), isl_dim_param); I-- > 0;) {
    const char *Name = isl_set_get_dim_name(Result.get(), isl_dim_param, unsigned(I));
    const Symbol *Found = Name ? find(Name) : nullptr;
    if (!Found || Found->Kind != SymbolKind::Uniform)
      Result = IslSet(isl_set_project_out(Result.take(), isl_dim_param, unsigned(I), 1));
  }
  return Result;
}

std::string Symbols::text(IslSet S) const {
  isl_set *Named = S.take();
  for (int I = 0, N = isl_set_dim(Named, isl_dim_param); I < N; ++I) {
    const char *Name = isl_set_get_dim_name(Named, isl_dim_param, unsigned(I));
    const Symbol *Found = Name ? find(Name) : nullptr;
    if (Found && !Found->Text.empty() &&
        isl_set_find_dim_by_name(Named, isl_dim_param, Found->Text.c_str()) < 0)
      Named = isl_set_set_dim_name(Named, isl_dim_param, unsigned(I), Found->Text.c_str());
  }
  char *Written = isl_set_to_str(Named);
  isl_set_free(Named);
  std::string Text = Written ? Written : "";
  free(Written);
  return Text;
}

std::string Symbols::text(IslPwAff A) const {
  return A ? text(IslSet(isl_map_range(isl_map_from_pw_aff(A.take())))) : "anywhere";
}

} // namespace cuda_pipeline
