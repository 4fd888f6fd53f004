//===- emulate/copy.h - Copies of any length by asynchronous ones
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// The library splits a copy into pieces of 16, 8 or 4 bytes, as far as both ends are aligned, and
/// gives them to the threads of the group in turn. What is not from global to shared memory, and a
/// rest of less than 4 bytes, is copied at once.
///
//===----------------------------------------------------------------------===//
#pragma once

#include "machine.h"

template <class Word>
__cpr_body void __cpr_copy_words(char *To, const char *From, size_t Bytes, unsigned Rank, unsigned Size) {
  for (size_t i = Rank * sizeof(Word); i + sizeof(Word) <= Bytes; i += Size * sizeof(Word))
    *(Word *)(To + i) = *(const Word *)(From + i);
}
// This thread's part of a copy.
__cpr_body void __cpr_copy_part(void *Shared, const void *Global, size_t Bytes, unsigned Rank,
                                unsigned Size) {
  char *To = (char *)Shared;
  const char *From = (const char *)Global;
  unsigned Both = (unsigned)(size_t)To | (unsigned)(size_t)From;
  if (!__cpr_emu_is_space(To, "shared") || !__cpr_emu_is_space(From, "global") || Both % 4 != 0) {
    // Plain loads and stores, by words where that is possible.
    if ((Both | Bytes) % 4 == 0)
      __cpr_copy_words<unsigned int>(To, From, Bytes, Rank, Size);
    else
      __cpr_copy_words<unsigned char>(To, From, Bytes, Rank, Size);
    return;
  }
  unsigned Piece = Both % 16 == 0 ? 16 : Both % 8 == 0 ? 8 : 4;
  size_t Whole = Bytes / Piece * Piece;
  for (size_t i = (size_t)Rank * Piece; i < Whole; i += (size_t)Size * Piece)
    __cpr_emu_copy_async(To + i, From + i, Piece, 0);
  // The rest: by fours, then by bytes.
  size_t Fours = Bytes / 4 * 4;
  for (size_t i = Whole + (size_t)Rank * 4; i < Fours; i += (size_t)Size * 4)
    __cpr_emu_copy_async(To + i, From + i, 4, 0);
  __cpr_copy_words<unsigned char>(To + Fours, From + Fours, Bytes - Fours, Rank, Size);
}
// What the size promises about both ends: cuda::aligned_size_t<16>.
template <class Count> __cpr_body unsigned __cpr_promised(const Count &) { return 1; }
template <size_t Alignment> __cpr_body unsigned __cpr_promised(const cuda::aligned_size_t<Alignment> &) {
  return Alignment;
}
template <class Count>
__cpr_body void __cpr_check_promise(const void *To, const void *From, const Count &Bytes) {
  if (((size_t)To | (size_t)From | (size_t)Bytes) % __cpr_promised(Bytes) != 0)
    __cpr_emu_fault("a memcpy_async that promises more alignment than there is");
}
