//===- StatisticsTest.cpp - Medians, quartiles, ratios of rounds ----------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../lib/Verify/Gpu/harness/statistics.h"
#include "gtest/gtest.h"

using namespace cuda_pipeline::statistics;

namespace {

TEST(Statistics, Quantiles) {
  EXPECT_EQ(median({}), 0);
  EXPECT_EQ(median({7}), 7);
  EXPECT_EQ(median({3, 1, 2}), 2);
  EXPECT_EQ(median({4, 1, 3, 2}), 2.5);
  // As numpy.percentile has it.
  const std::vector<double> V = {15, 20, 35, 40, 50};
  EXPECT_EQ(quantile(V, 0), 15);
  EXPECT_EQ(quantile(V, 0.25), 20);
  EXPECT_EQ(quantile(V, 0.75), 40);
  EXPECT_EQ(quantile(V, 1), 50);
  EXPECT_DOUBLE_EQ(quantile({1, 2, 3, 4}, 0.25), 1.75);
  EXPECT_DOUBLE_EQ(quantile({1, 2, 3, 4}, 0.75), 3.25);
}

TEST(Statistics, Spread) {
  const Spread S = spread({5, 1, 4, 2, 3});
  EXPECT_EQ(S.Least, 1);
  EXPECT_EQ(S.Low, 2);
  EXPECT_EQ(S.Median, 3);
  EXPECT_EQ(S.High, 4);
  EXPECT_EQ(S.Count, 5u);
  EXPECT_EQ(spread({}).Count, 0u);
}

TEST(Statistics, RatiosArePaired) {
  // The clock halves in the middle: the times of both versions double, their ratio does not change.
  const std::vector<double> Ratios = pairedRatios({10, 10, 20, 20}, {5, 5, 10, 10});
  EXPECT_EQ(Ratios, (std::vector<double>{2, 2, 2, 2}));
  EXPECT_EQ(uncertainty(Ratios), 0);
  // A round that one of them lacks is none.
  EXPECT_EQ(pairedRatios({4, 4, 4}, {2}).size(), 1u);
  EXPECT_EQ(pairedRatios({4, 4}, {0, 2}), (std::vector<double>{2}));
}

TEST(Statistics, Uncertainty) {
  EXPECT_EQ(uncertainty({1, 1}), std::numeric_limits<double>::infinity());
  std::vector<double> V;
  for (int I = 0; I <= 100; ++I)
    V.push_back(100 + I % 3); // quartiles 100 and 102, median 101
  const double Once = uncertainty(V);
  EXPECT_NEAR(Once, 1.57 * 2 / std::sqrt(101.0) / 101, 1e-12);
  for (int I = 0; I < 303; ++I)
    V.push_back(100 + I % 3);
  EXPECT_NEAR(uncertainty(V), Once / 2, 0.01 * Once)
      << "four times the rounds, half the uncertainty";
  // One round that something else disturbed counts for nothing.
  V.push_back(1e6);
  EXPECT_NEAR(uncertainty(V), Once / 2, 0.01 * Once);
}

} // namespace
