//===- CodeText.cpp - Device code of two versions, compared ---------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Every function, variable and type of a module as its text in LLVM's language, without numbers
/// that count what else is in the module and without lines of the source, and with the names of
/// what it uses. A kernel is the same in two versions if its text is, and so is all that it uses.
///
//===----------------------------------------------------------------------===//
#include "../Source/BundledDecls.h"
#include "Collect.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

using namespace llvm;

namespace cuda_pipeline {

namespace {

bool isNameChar(char C) { return isAlnum(C) || StringRef("_.$-").contains(C); }

/// The name at the start of \p Text, which begins with @ or %; empty: a number, or none.
StringRef nameAt(StringRef Text) {
  StringRef Rest = Text.drop_front();
  if (Rest.consume_front("\""))
    return Text.take_front(Rest.find('"') + 3);
  StringRef Name = Rest.take_while(isNameChar);
  return Name.empty() || all_of(Name, isDigit) ? StringRef() : Text.take_front(Name.size() + 1);
}

/// A line without metadata and the numbers of attributes: `, !dbg !12`, ` #3`.
std::string withoutNumbers(StringRef Line) {
  std::string Out;
  for (size_t I = 0; I < Line.size(); ++I) {
    StringRef Rest = Line.drop_front(I);
    if (Rest.front() == '"') { // a string of characters is what it is
      const size_t End = Rest.find('"', 1);
      Out += Rest.take_front(End == StringRef::npos ? Rest.size() : End + 1);
      I += (End == StringRef::npos ? Rest.size() : End + 1) - 1;
      continue;
    }
    const bool Metadata = Rest.starts_with(", !") || Rest.starts_with(" !");
    if (Metadata || (Rest.starts_with(" #") && Rest.size() > 2 && isDigit(Rest[2]))) {
      size_t Skip = Metadata ? Rest.find('!') : 1;
      while (Skip < Rest.size() &&
             (Rest[Skip] == '!' || Rest[Skip] == '#' || isNameChar(Rest[Skip]) ||
              (Rest[Skip] == ' ' && Skip + 1 < Rest.size() && Rest[Skip + 1] == '!')))
        ++Skip;
      I += Skip - 1;
      continue;
    }
    Out += Rest.front();
  }
  return Out;
}

} // namespace

std::map<std::string, DeviceCode> codeOf(const Module &M) {
  std::string Printed;
  raw_string_ostream Stream(Printed);
  M.print(Stream, nullptr);

  std::map<std::string, DeviceCode> All;
  DeviceCode *Current = nullptr;
  for (StringRef Rest = Printed; !Rest.empty();) {
    StringRef Line;
    std::tie(Line, Rest) = Rest.split('\n');
    const bool Begins = Line.starts_with("define ");
    const bool Single = Line.starts_with("@") || Line.starts_with("declare ") ||
                        (Line.starts_with("%") && Line.contains(" = type "));
    if (Begins || Single) {
      StringRef At = Line.drop_front(Line.starts_with("%") ? 0 : Line.find('@'));
      Current = &All[nameAt(At).str()];
      Current->Function = !Line.starts_with("%") && !Line.starts_with("@");
    }
    // What an assertion says is where it stands.
    if (Current && !Line.starts_with(";") && !Line.trim().starts_with("#dbg") &&
        !Line.contains("@__assert"))
      Current->Text += withoutNumbers(Line) + "\n";
    if (Single || Line == "}")
      Current = nullptr;
  }
  for (const Function &F : M)
    if (const DISubprogram *Where = F.getSubprogram())
      if (auto Found = All.find(("@" + F.getName()).str()); Found != All.end())
        Found->second.OfUser = !Where->getFilename().starts_with(bundledIncludeDir());
  // Those of the bundled declarations are the same in both versions.
  for (const GlobalVariable &G : M.globals())
    if (const unsigned Space = G.getAddressSpace(); !G.hasLocalLinkage() && !G.isDeclaration() &&
                                                    (Space == 1 || Space == 4)) // global, constant
      if (auto Found = All.find(("@" + G.getName()).str()); Found != All.end())
        Found->second.OfUser = true;
  // Names, and what stands for a name that only counts: a literal's, by what it is.
  for (auto &[Symbol, Code] : All) {
    std::string Text;
    for (size_t I = 0; I < Code.Text.size();) {
      StringRef Rest = StringRef(Code.Text).drop_front(I);
      StringRef Name = Rest.front() == '@' || Rest.front() == '%' ? nameAt(Rest) : StringRef();
      auto Found = Name.empty() ? All.end() : All.find(Name.str());
      if (Found == All.end()) {
        Text += Rest.front();
        ++I;
        continue;
      }
      const bool Literal = Name.starts_with("@.str") || Name.starts_with("@__const.") ||
                           Name.starts_with("@constinit");
      if (!Literal || Name == Symbol)
        Text += Literal ? StringRef("@literal") : Name;
      else
        Text += "{" + StringRef(Found->second.Text).split('=').second.str() + "}";
      if (!Literal && Name != Symbol && !is_contained(Code.Uses, Name.str()))
        Code.Uses.push_back(Name.str());
      I += Name.size();
    }
    Code.Text = std::move(Text);
  }
  return All;
}

std::vector<std::string> reachedCode(const DeviceModule &Module,
                                     const std::vector<std::string> &From) {
  std::set<std::string> Seen;
  std::vector<std::string> Order;
  for (const std::string &Symbol : From)
    if (Seen.insert("@" + Symbol).second)
      Order.push_back("@" + Symbol);
  for (size_t I = 0; I != Order.size(); ++I)
    if (auto Found = Module.Code.find(Order[I]); Found != Module.Code.end())
      for (const std::string &Used : Found->second.Uses)
        if (Seen.insert(Used).second)
          Order.push_back(Used);
  return Order;
}

bool sameCode(const DeviceModule &Old, const DeviceModule &New, const std::string &Symbol) {
  const std::vector<std::string> All = reachedCode(New, {Symbol});
  return all_of(All, [&](const std::string &Name) {
    auto A = Old.Code.find(Name), B = New.Code.find(Name);
    return A != Old.Code.end() && B != New.Code.end() && A->second.Text == B->second.Text;
  });
}

} // namespace cuda_pipeline
