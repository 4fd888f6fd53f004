//===- Record.h - Values as bytes, and back ------------------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// For what goes from one process of this program to another, or to its next run: exact, whatever
/// bytes a text has, and without a format that anybody else could rely on.
///
/// A type says once what it consists of, for both directions:
///
///     template <class Archive> void fields(Archive &A, Point &P) {
///       auto &[X, Y] = P; // a member that is added does not compile until it is here, too
///       A(X, Y);
///     }
///
/// Reading never goes beyond the bytes; what they do not hold is an error at the end (ok()).
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_SUPPORT_RECORD_H
#define CUDA_PIPELINE_LIB_SUPPORT_RECORD_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace cuda_pipeline {

class RecordWriter {
public:
  std::string Bytes;

  template <class... T> void operator()(const T &...Values) { (put(Values), ...); }

private:
  template <class T> void put(const T &Value) {
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>)
      Bytes.append(reinterpret_cast<const char *>(&Value), sizeof(T));
    else
      fields(*this, const_cast<T &>(Value)); // which leaves it as it is
  }
  void put(const std::string &Text) {
    put(uint64_t(Text.size()));
    Bytes += Text;
  }
  template <class T> void put(const std::vector<T> &List) {
    put(uint64_t(List.size()));
    for (const T &Value : List)
      put(Value);
  }
  template <class T> void put(const std::optional<T> &Value) {
    put(Value.has_value());
    if (Value)
      put(*Value);
  }
  void put(const llvm::StringSet<> &Set) {
    std::vector<std::string> Keys;
    for (const auto &Entry : Set)
      Keys.push_back(Entry.getKey().str());
    std::sort(Keys.begin(), Keys.end());
    put(Keys);
  }
};

class RecordReader {
public:
  explicit RecordReader(llvm::StringRef Bytes) : Bytes(Bytes) {}

  template <class... T> void operator()(T &...Values) { (get(Values), ...); }
  /// All values were there, and nothing else.
  bool ok() const { return !Short && Bytes.empty(); }

private:
  llvm::StringRef Bytes;
  bool Short = false;

  llvm::StringRef take(uint64_t Count) {
    Short |= Count > Bytes.size();
    if (Short)
      return "";
    const llvm::StringRef Taken = Bytes.take_front(Count);
    Bytes = Bytes.drop_front(Count);
    return Taken;
  }
  template <class T> void get(T &Value) {
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
      if (const llvm::StringRef Taken = take(sizeof(T)); !Taken.empty())
        std::memcpy(&Value, Taken.data(), sizeof(T));
    } else {
      fields(*this, Value);
    }
  }
  void get(std::string &Text) {
    uint64_t Size = 0;
    get(Size);
    Text = take(Size).str();
  }
  template <class T> void get(std::vector<T> &List) {
    uint64_t Size = 0;
    get(Size);
    List.clear();
    while (Size-- > 0 && !Short)
      get(List.emplace_back());
  }
  template <class T> void get(std::optional<T> &Value) {
    bool Has = false;
    get(Has);
    Value.reset();
    if (Has && !Short)
      get(Value.emplace());
  }
  void get(llvm::StringSet<> &Set) {
    std::vector<std::string> Keys;
    get(Keys);
    Set.clear();
    for (const std::string &K : Keys)
      Set.insert(K);
  }
};

template <class T> std::string toBytes(const T &Value) {
  RecordWriter W;
  W(Value);
  return std::move(W.Bytes);
}
/// None: \p Bytes are not of this type.
template <class T> std::optional<T> fromBytes(llvm::StringRef Bytes) {
  RecordReader R(Bytes);
  std::optional<T> Value(std::in_place);
  R(*Value);
  if (!R.ok())
    Value.reset();
  return Value;
}

} // namespace cuda_pipeline

#endif
