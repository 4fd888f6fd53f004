//===- statistics.h - What rounds of timing say -----------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// The harness decides with these when it has measured enough, and the report is made with them
/// from the times that the harness has written down: one text, so that both mean the same.
///
/// Times of a GPU have a long tail on one side (another process, a change of clocks), so nothing
/// here is a mean. A round runs every version once; what slows a whole round down (the clock, the
/// temperature) is in the times of all its versions and not in their ratios.
///
//===----------------------------------------------------------------------===//
#ifndef CPR_HARNESS_STATISTICS_H
#define CPR_HARNESS_STATISTICS_H

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace cuda_pipeline {
namespace statistics {

/// Between the two values next to it, as most programs have it (Hyndman and Fan's seventh); 0 of
/// nothing.
inline double quantile(std::vector<double> Values, double At) {
  if (Values.empty())
    return 0;
  std::sort(Values.begin(), Values.end());
  const double Place = At * static_cast<double>(Values.size() - 1);
  const size_t Below = static_cast<size_t>(Place);
  if (Below + 1 >= Values.size())
    return Values.back();
  return Values[Below] + (Place - static_cast<double>(Below)) * (Values[Below + 1] - Values[Below]);
}

inline double median(const std::vector<double> &Values) { return quantile(Values, 0.5); }

struct Spread {
  double Least = 0, Low = 0, Median = 0, High = 0; ///< minimum, quartile, median, quartile
  size_t Count = 0;
};

inline Spread spread(const std::vector<double> &Values) {
  Spread S;
  S.Count = Values.size();
  if (Values.empty())
    return S;
  S.Least = *std::min_element(Values.begin(), Values.end());
  S.Low = quantile(Values, 0.25);
  S.Median = median(Values);
  S.High = quantile(Values, 0.75);
  return S;
}

/// How many times as fast the new version was, round by round. Rounds that only one of them has do
/// not count.
inline std::vector<double> pairedRatios(const std::vector<double> &Old,
                                        const std::vector<double> &New) {
  std::vector<double> Ratios;
  for (size_t I = 0; I < Old.size() && I < New.size(); ++I)
    if (New[I] > 0)
      Ratios.push_back(Old[I] / New[I]);
  return Ratios;
}

/// How far the median may be off, as a part of it: half the notch of a box plot (McGill, Tukey and
/// Larsen), about two standard errors. Two values or less say nothing about that.
inline double uncertainty(const std::vector<double> &Values) {
  const Spread S = spread(Values);
  if (S.Count < 3 || !(S.Median > 0))
    return std::numeric_limits<double>::infinity();
  return 1.57 * (S.High - S.Low) / std::sqrt(static_cast<double>(S.Count)) / S.Median;
}

} // namespace statistics
} // namespace cuda_pipeline

#endif
