#include "kernels/reduce/reduction_steps.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/items.h"
#include "support/random.h"

namespace broadloom::test::reduction_steps_test {
namespace {

using Before = Reduction::Before;
using After = Reduction::After;
using Floats = std::vector<float>;

Floats floats_at(const std::byte* from, std::size_t count) {
  Floats floats(count);
  std::memcpy(floats.data(), from, count * sizeof(float));
  return floats;
}

template <class T>
void expect_identity(Dtype dtype, const std::vector<T>& elements) {
  for (const Operation operation : {Operation::add, Operation::multiply, Operation::minimum, Operation::maximum}) {
    const ReductionSteps steps(Reduction{operation}, dtype, 1);
    ASSERT_EQ(steps.item_size(), sizeof(T));
    for (const T element : elements) {
      T result{};
      const std::byte* const operands[] = {reinterpret_cast<const std::byte*>(&element), steps.identity()};
      steps.loop()(reinterpret_cast<std::byte*>(&result), operands, 1);
      ASSERT_EQ(result, element) << info(dtype).name << ", operation " << static_cast<int>(operation);
    }
  }
}

template <class T>
std::vector<T> extremes() {
  using Limits = std::numeric_limits<T>;
  return {Limits::lowest(), 0, 1, Limits::max()};
}

TEST(ReductionSteps, TheIdentityLeavesTheExtremesOfEachTypeUnchanged) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  expect_identity<float>(Dtype::float32, {-infinity, infinity, std::numeric_limits<float>::lowest()});
  expect_identity<double>(Dtype::float64, extremes<double>());
  expect_identity<std::int8_t>(Dtype::int8, extremes<std::int8_t>());
  expect_identity<std::uint8_t>(Dtype::uint8, extremes<std::uint8_t>());
  expect_identity<std::int32_t>(Dtype::int32, extremes<std::int32_t>());
  expect_identity<std::uint32_t>(Dtype::uint32, extremes<std::uint32_t>());
  expect_identity<std::int64_t>(Dtype::int64, extremes<std::int64_t>());
  expect_identity<std::uint64_t>(Dtype::uint64, extremes<std::uint64_t>());
  expect_identity<std::uint8_t>(Dtype::boolean, {0, 1});
}

TEST(ReductionSteps, ElementsAreLoadedShiftedAndThenSquared) {
  Random random;
  const auto halves = random_items<std::uint16_t>(random, 37, 0x3C00, 0x4400);  // float16 from 1 to 4
  const auto shifts = random_items<float>(random, 37, -1, 1);
  ReductionSteps steps({Operation::add, Before::square, After::nothing, address(shifts)}, Dtype::float16, 37);
  EXPECT_FALSE(steps.is_plain());
  EXPECT_EQ(steps.given_size(), 2U);
  EXPECT_EQ(steps.item_size(), 4U);
  EXPECT_EQ(steps.stored_size(), 2U);
  const Floats loaded = floats_at(steps.loaded(address(halves), 37), 37);
  const Floats prepared = floats_at(steps.prepared(address(halves), address(shifts), 37), 37);
  for (std::size_t i = 0; i < 37; ++i) {
    EXPECT_EQ(loaded[i], std::ldexp(static_cast<float>(1024 + halves[i] % 1024), halves[i] / 1024 - 25));
    EXPECT_EQ(prepared[i], (loaded[i] - shifts[i]) * (loaded[i] - shifts[i]));
  }
}

TEST(ReductionSteps, ResultsAreDividedOrTheirRootsAndLogarithmsAreTaken) {
  const Floats results{1, 4, 9};
  const Floats shifts{7, std::numeric_limits<float>::infinity(), 5, 2};
  const auto finished = [&](After after) {
    ReductionSteps steps({Operation::add, Before::nothing, after, after == After::log_and_shift ? address(shifts) : nullptr},
                         Dtype::float32, 4);
    Floats changed = results;
    Floats to(3);
    steps.finish(address(to), address(changed), 1, 3);
    return to;
  };
  EXPECT_EQ(finished(After::nothing), results);
  EXPECT_EQ(finished(After::mean), (Floats{0.25F, 1, 2.25F}));
  EXPECT_EQ(finished(After::square_root), (Floats{1, 2, 3}));
  const Floats log = finished(After::log);
  EXPECT_NEAR(log[2], std::log(9.0F), 1e-6);
  EXPECT_EQ(finished(After::log_and_shift), (Floats{log[0], log[1] + 5, log[2] + 2}));  // the first one's shift is infinite
}

}  // namespace
}  // namespace broadloom::test::reduction_steps_test
