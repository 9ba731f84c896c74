// Compares softmaxes and normalisations with naive C++ in double.
#include <limits>

#include "support/before_run.h"
#include "support/cases.h"
#include "support/numbers.h"
#include "support/windows.h"

namespace broadloom::op {
extern const Operator batch_normalization, cum_sum, group_normalization, hardmax, instance_normalization, layer_normalization,
    log_softmax, lp_normalization, mean_variance_normalization, rms_normalization, softmax;
}

namespace broadloom::test::normalization_test {
namespace {

constexpr Dtype real_types[] = {Dtype::float16, Dtype::bfloat16, Dtype::float32, Dtype::float64};
constexpr double infinity = HUGE_VAL;

Given epsilon(double value) { return {"epsilon", AttributeType::FLOAT, static_cast<float>(value)}; }

std::string dense_bytes_of(const Tensor& tensor) {
  const Tensor dense = must(densify(tensor));
  return {reinterpret_cast<const char*>(dense.data()), dense_size(dense)};
}

// The group number of each element.
struct Groups {
  std::vector<std::size_t> of;
  std::size_t count = 0;
};
Groups groups_along(const List& dims, const std::vector<bool>& reduced) {
  List kept = dims;
  for (std::size_t i = 0; i < dims.size(); ++i) kept[i] = reduced[i] ? 1 : dims[i];
  Groups groups;
  groups.count = static_cast<std::size_t>(must(checked_count(dims_of(kept))));
  const std::int64_t count = must(checked_count(dims_of(dims)));
  for (std::int64_t i = 0; i < count; ++i) {
    List at = coordinates_of(dims, i);
    for (std::size_t axis = 0; axis < dims.size(); ++axis) at[axis] = reduced[axis] ? 0 : at[axis];
    groups.of.push_back(static_cast<std::size_t>(number_of(kept, at)));
  }
  return groups;
}
std::vector<bool> from_axis(std::size_t rank, std::size_t first, std::size_t end) {
  std::vector<bool> axes(rank);
  for (std::size_t i = first; i < end; ++i) axes[i] = true;
  return axes;
}

// The sums of `value(i)` over the elements of each group.
template <class Value>
Numbers sums(const Groups& groups, Value value) {
  Numbers result(groups.count);
  for (std::size_t i = 0; i < groups.of.size(); ++i) result[groups.of[i]] += value(i);
  return result;
}

Numbers softmax_of(const Numbers& x, const Groups& groups, bool is_log) {
  Numbers largest(groups.count, -infinity);
  for (std::size_t i = 0; i < x.size(); ++i) largest[groups.of[i]] = std::max(largest[groups.of[i]], x[i]);
  const Numbers sum = sums(groups, [&](std::size_t i) { return std::exp(x[i] - largest[groups.of[i]]); });
  Numbers y(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double shifted = x[i] - largest[groups.of[i]];
    y[i] = is_log ? shifted - std::log(sum[groups.of[i]]) : std::exp(shifted) / sum[groups.of[i]];
  }
  return y;
}

struct Statistics {
  Numbers mean;
  Numbers factor;
};
Statistics statistics_of(const Numbers& x, const Groups& groups, double its_epsilon, bool has_mean = true) {
  const Numbers counts = sums(groups, [](std::size_t) { return 1; });
  Statistics result{Numbers(groups.count), Numbers(groups.count)};
  if (has_mean) result.mean = sums(groups, [&](std::size_t i) { return x[i] / counts[groups.of[i]]; });
  const Numbers variance = sums(groups, [&](std::size_t i) {
    const double difference = x[i] - result.mean[groups.of[i]];
    return difference * difference / counts[groups.of[i]];
  });
  for (std::size_t i = 0; i < groups.count; ++i) result.factor[i] = 1 / std::sqrt(variance[i] + its_epsilon);
  return result;
}
Numbers normalized(const Numbers& x, const Groups& groups, const Statistics& by) {
  Numbers y(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) y[i] = (x[i] - by.mean[groups.of[i]]) * by.factor[groups.of[i]];
  return y;
}

std::size_t count_of_dims(const List& dims) { return static_cast<std::size_t>(must(checked_count(dims_of(dims)))); }

// Random dims, one of them possibly long; numbers; and a tensor of these in a random layout.
struct Input {
  List dims;
  Numbers values;
  Tensor x;

  Input(Random& random, Dtype dtype, std::size_t least_rank, double size = 3) {
    dims = random_dims(random, least_rank + random.below(5 - least_rank), 4);
    if (!dims.empty() && random.one_in(2)) dims[random.below(dims.size())] = random.between(1, 600);
    set(random, dtype, size);
  }
  Input(Random& random, Dtype dtype, List its_dims) : dims(std::move(its_dims)) { set(random, dtype, 3); }

 private:
  void set(Random& random, Dtype dtype, double size) {
    values = random_numbers(random, dtype, count_of_dims(dims), -size, size);
    const Tensor dense = tensor_of_numbers(dtype, dims, values);
    x = random.one_in(3) ? scrambled(dense, random) : dense;
  }
};

std::int64_t any_sign(Random& random, std::size_t axis, std::size_t rank) {
  return static_cast<std::int64_t>(axis) - (random.one_in(2) ? static_cast<std::int64_t>(rank) : 0);
}

// ---- Softmax and LogSoftmax ----

TEST(Softmax, RandomTensorsOfEveryTypeAndVersion) {
  Random random;
  for (const Dtype dtype : real_types) {
    for (int i = 0; i < rounds(60); ++i) {
      const Input input(random, dtype, 1, 20);
      const std::size_t rank = input.dims.size();
      const std::size_t axis = random.below(rank);
      const std::int64_t opset = dtype != Dtype::bfloat16 && random.one_in(2) ? 11 : 13;
      const Groups groups = groups_along(input.dims, from_axis(rank, axis, opset < 13 ? rank : axis + 1));
      for (const bool is_log : {false, true}) {
        const Operator& op = is_log ? log_softmax : softmax;
        const Tensor y = must(call(op, {&input.x}, {int_attribute("axis", any_sign(random, axis, rank))}, opset));
        ASSERT_EQ(list(y.dims()), input.dims);
        ASSERT_TRUE(are_near(y, softmax_of(input.values, groups, is_log), precision_of(dtype)))
            << op.name << " " << info(dtype).name << " along " << axis << " of " << rank;
      }
    }
  }
}

TEST(Softmax, ARowHasAllAxesFromTheAxisOnAndSince13OnlyTheAxis) {
  const Tensor x = floats({2, 2, 2}, {0, 0, 0, 0, 0, 0, 0, 0});
  const auto of = [&](std::int64_t opset, const std::vector<Given>& given) {
    return elements<float>(must(call(softmax, {&x}, given, opset)));
  };
  EXPECT_EQ(of(1, {}), std::vector<float>(8, 0.25F));
  EXPECT_EQ(of(12, {int_attribute("axis", -3)}), std::vector<float>(8, 0.125F));
  EXPECT_EQ(of(13, {}), std::vector<float>(8, 0.5F));
  EXPECT_EQ(of(13, {int_attribute("axis", 0)}), std::vector<float>(8, 0.5F));
}

TEST(Softmax, LargeNumbersDoNotOverflow) {
  const Tensor x = floats({2, 3}, {10000, 10001, 10002, -1e38F, 0, 1e38F});
  EXPECT_TRUE(are_near(must(call(softmax, {&x})), {0.0900305732, 0.2447284711, 0.6652409558, 0, 0, 1}, 1e-6));
  EXPECT_TRUE(are_near(must(call(log_softmax, {&x})), {-2.4076059644, -1.4076059644, -0.4076059644, -2e38, -1e38, 0}, 1e-6));
}

TEST(Softmax, RowsOfInfinitiesAreNanAndOthersAreNot) {
  const float inf = std::numeric_limits<float>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Tensor x = floats({4, 2}, {-inf, -inf, inf, 1, -inf, 1, std::numeric_limits<float>::quiet_NaN(), 1});
  EXPECT_TRUE(are_near(must(call(softmax, {&x})), {nan, nan, nan, nan, 0, 1, nan, nan}, 0));
  EXPECT_TRUE(are_near(must(call(log_softmax, {&x})), {nan, nan, nan, nan, -infinity, 0, nan, nan}, 0));
}

TEST(Softmax, OfNothingIsNothing) {
  for (const Operator* op : {&softmax, &log_softmax}) {
    for (const List& dims : {List{0, 3}, List{3, 0}}) {
      const Tensor x = floats(dims_of(dims), {});
      EXPECT_EQ(list(must(call(*op, {&x})).dims()), dims);
      EXPECT_EQ(list(must(call(*op, {&x}, {}, 11)).dims()), dims);
    }
  }
}

TEST(Softmax, AScalarHasNoAxis) {
  const Tensor x = floats({}, {1});
  EXPECT_TRUE(fails(call(softmax, {&x}), Code::InvalidArgument, "'axis' is -1, but a scalar has no axes"));
  const Tensor y = floats({2}, {1, 2});
  EXPECT_TRUE(fails(call(log_softmax, {&y}, {}, 1), Code::InvalidArgument, "'axis' is 1, which is not an axis of 1"));
}

TEST(Softmax, TensorsLargerThanAPartHaveTheSameResults) {
  // Parts have 64 KiB: many rows, one row, and a part of each row.
  Random random;
  for (const List& dims : {List{100, 700}, List{2, 40000}, List{3, 100, 150}}) {
    const Input input(random, Dtype::float32, dims);
    for (std::size_t axis = 0; axis < dims.size(); ++axis) {
      const Groups groups = groups_along(dims, from_axis(dims.size(), axis, axis + 1));
      const Tensor y = must(call(softmax, {&input.x}, {int_attribute("axis", static_cast<std::int64_t>(axis))}));
      EXPECT_TRUE(are_near(y, softmax_of(input.values, groups, false), 1e-6));
    }
  }
}

// ---- LayerNormalization and RMSNormalization ----

TEST(LayerNormalization, RandomTensorsOfEveryType) {
  Random random;
  for (const Dtype dtype : real_types) {
    for (int i = 0; i < rounds(60); ++i) {
      const Input input(random, dtype, 1);
      const std::size_t rank = input.dims.size();
      const std::size_t axis = random.below(rank);
      const List own(input.dims.begin() + static_cast<std::ptrdiff_t>(axis), input.dims.end());
      const Input scale(random, dtype, own);
      const Input bias(random, dtype, own);
      const Groups groups = groups_along(input.dims, from_axis(rank, axis, rank));
      const Statistics by = statistics_of(input.values, groups, 0.25);
      Numbers wanted = normalized(input.values, groups, by);
      const std::size_t size = scale.values.size();
      const bool has_bias = random.one_in(2);
      for (std::size_t k = 0; k < wanted.size(); ++k) {
        wanted[k] = wanted[k] * scale.values[k % size] + (has_bias ? bias.values[k % size] : 0);
      }
      const Dtype stash = random.one_in(2) ? Dtype::bfloat16 : Dtype::float32;
      const std::vector<Given> given{int_attribute("axis", any_sign(random, axis, rank)), epsilon(0.25),
                                     int_attribute("stash_type", static_cast<std::int64_t>(stash))};
      std::vector<const Tensor*> inputs{&input.x, &scale.x};
      if (has_bias) inputs.push_back(&bias.x);
      const auto outputs = must(call_all(layer_normalization, inputs, given, {newest_opset, 3}));
      ASSERT_TRUE(are_near(outputs[0], wanted, 3 * precision_of(dtype))) << info(dtype).name << " from " << axis;
      List kept = input.dims;
      std::fill(kept.begin() + static_cast<std::ptrdiff_t>(axis), kept.end(), 1);
      ASSERT_EQ(list(outputs[1].dims()), kept);
      ASSERT_EQ(outputs[2].dtype, stash);
      ASSERT_TRUE(are_near(outputs[1], by.mean, precision_of(stash)));
      ASSERT_TRUE(are_near(outputs[2], by.factor, precision_of(stash)));
    }
  }
}

TEST(LayerNormalization, ScaleAndBiasStretchToTheInput) {
  const Tensor x = floats({2, 2, 2}, {1, 3, 2, 6, 0, 2, 5, 7});
  const auto of = [&](const Tensor& scale) { return must(call(layer_normalization, {&x, &scale}, {epsilon(0)})); };
  const Numbers plain{-1, 1, -1, 1, -1, 1, -1, 1};
  const auto times = [&](const Numbers& factors) {
    Numbers result = plain;
    for (std::size_t i = 0; i < result.size(); ++i) result[i] *= factors[i];
    return result;
  };
  EXPECT_TRUE(are_near(of(floats({}, {2})), times({2, 2, 2, 2, 2, 2, 2, 2}), 1e-6));
  EXPECT_TRUE(are_near(of(floats({1, 1, 2}, {2, 3})), times({2, 3, 2, 3, 2, 3, 2, 3}), 1e-6));
  // One factor for each row, or for some of them.
  EXPECT_TRUE(are_near(of(floats({2, 1}, {2, 3})), times({2, 2, 3, 3, 2, 2, 3, 3}), 1e-6));
  EXPECT_TRUE(are_near(of(floats({2, 1, 2}, {2, 3, 4, 5})), times({2, 3, 2, 3, 4, 5, 4, 5}), 1e-6));
  const Tensor larger = floats({2, 1, 1, 1}, {2, 3});
  EXPECT_TRUE(fails(call(layer_normalization, {&x, &larger}), Code::InvalidArgument,
                    "scale or bias has dims [2, 1, 1, 1], which do not stretch to [2, 2, 2]"));
  const Tensor other = floats({3}, {1, 2, 3});
  EXPECT_TRUE(fails(call(layer_normalization, {&x, &other}), Code::InvalidArgument));
}

TEST(LayerNormalization, AScaleForEachRowIsFoundInEveryPart) {
  std::vector<float> values(40000);
  std::vector<float> factors(20000);
  Numbers wanted(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = i % 2 == 0 ? -1 : 1;
    if (i % 2 == 0) factors[i / 2] = static_cast<float>(i % 77);
    wanted[i] = static_cast<double>(values[i] * factors[i / 2]);
  }
  const Tensor x = floats({20000, 2}, values);
  const Tensor scale = floats({20000, 1}, factors);
  EXPECT_TRUE(are_near(must(call(layer_normalization, {&x, &scale}, {epsilon(0)})), wanted, 1e-6));
}

TEST(LayerNormalization, TheStashTypeIsThatOfTheStatistics) {
  const Tensor x = floats({1, 2}, {1, 2});
  const Tensor scale = floats({2}, {1, 1});
  const auto of = [&](std::int64_t type, std::size_t outputs) {
    return call_all(layer_normalization, {&x, &scale}, {int_attribute("stash_type", type)}, {17, outputs});
  };
  EXPECT_EQ(must(of(16, 2))[1].dtype, Dtype::bfloat16);
  EXPECT_EQ(must(of(11, 1))[0].dtype, Dtype::float32);
  EXPECT_TRUE(fails(of(11, 2), Code::UnsupportedType, "output 'Mean' cannot be float64"));
  EXPECT_TRUE(fails(of(99, 2), Code::InvalidArgument, "attribute 'stash_type' is 99, which is not an element type"));
}

TEST(LayerNormalization, OfNothingIsNothingAndItsMeanIsNan) {
  const Tensor x = floats({2, 0}, {});
  const Tensor scale = floats({0}, {});
  const auto outputs = must(call_all(layer_normalization, {&x, &scale}, {}, {17, 2}));
  EXPECT_EQ(list(outputs[0].dims()), (List{2, 0}));
  EXPECT_TRUE(std::isnan(elements<float>(outputs[1])[1]));
  const Tensor none = floats({0, 2}, {});
  const Tensor two = floats({2}, {1, 1});
  EXPECT_EQ(list(must(call(layer_normalization, {&none, &two})).dims()), (List{0, 2}));
}

TEST(RmsNormalization, RandomTensorsOfEveryPairOfTypes) {
  Random random;
  for (const Dtype dtype : real_types) {
    for (const Dtype result : real_types) {
      for (int i = 0; i < 15; ++i) {
        const Input input(random, dtype, 1);
        const std::size_t rank = input.dims.size();
        const std::size_t axis = random.below(rank);
        const Input scale(random, result, List(input.dims.begin() + static_cast<std::ptrdiff_t>(axis), input.dims.end()));
        const Groups groups = groups_along(input.dims, from_axis(rank, axis, rank));
        Numbers wanted = normalized(input.values, groups, statistics_of(input.values, groups, 0.25, false));
        for (std::size_t k = 0; k < wanted.size(); ++k) wanted[k] *= scale.values[k % scale.values.size()];
        const Tensor y = must(call(rms_normalization, {&input.x, &scale.x},
                                   {int_attribute("axis", static_cast<std::int64_t>(axis)), epsilon(0.25)}));
        ASSERT_EQ(y.dtype, result);
        const double precision = std::max(precision_of(dtype == Dtype::float64 ? dtype : Dtype::float32), precision_of(result));
        ASSERT_TRUE(are_near(y, wanted, 3 * precision)) << info(dtype).name << " to " << info(result).name;
      }
    }
  }
}

// ---- GroupNormalization and InstanceNormalization ----

TEST(GroupNormalization, RandomTensorsOfEveryTypeAndVersion) {
  Random random;
  for (const Dtype dtype : real_types) {
    for (int i = 0; i < rounds(40); ++i) {
      const std::int64_t groups = random.between(1, 3);
      const std::int64_t each = random.between(1, 3);
      List dims{random.between(1, 3), groups * each, random.between(1, 30)};
      if (random.one_in(2)) dims.push_back(random.between(1, 20));
      const Input input(random, dtype, dims);
      const bool is_old = random.one_in(2);
      const Input scale(random, dtype, List{is_old ? groups : dims[1]});
      const Input bias(random, dtype, List{is_old ? groups : dims[1]});
      const std::size_t unit = count_of_dims(dims) / static_cast<std::size_t>(dims[0] * dims[1]);
      Groups own;
      own.count = static_cast<std::size_t>(dims[0] * groups);
      for (std::size_t k = 0; k < input.values.size(); ++k) own.of.push_back(k / (unit * static_cast<std::size_t>(each)));
      Numbers wanted = normalized(input.values, own, statistics_of(input.values, own, 0.25));
      for (std::size_t k = 0; k < wanted.size(); ++k) {
        const std::size_t channel = k / unit % static_cast<std::size_t>(dims[1]);
        const std::size_t place = is_old ? channel / static_cast<std::size_t>(each) : channel;
        wanted[k] = wanted[k] * scale.values[place] + bias.values[place];
      }
      const Tensor y = must(call(group_normalization, {&input.x, &scale.x, &bias.x},
                                 {int_attribute("num_groups", groups), epsilon(0.25)}, is_old ? 18 : 21));
      ASSERT_TRUE(are_near(y, wanted, 3 * precision_of(dtype))) << info(dtype).name;
      // With as many groups as channels, it is InstanceNormalization.
      if (each != 1) continue;
      const Tensor z = must(call(instance_normalization, {&input.x, &scale.x, &bias.x}, {epsilon(0.25)}));
      ASSERT_EQ(numbers_of(z), numbers_of(y));
    }
  }
}

TEST(GroupNormalization, GroupsDivideTheChannelsAndParametersAreOneForEach) {
  const Tensor x = floats({1, 4, 1}, {1, 2, 3, 4});
  const Tensor two = floats({2}, {1, 1});
  const Tensor four = floats({4}, {1, 1, 1, 1});
  const auto of = [&](const Tensor& parameter, std::int64_t groups, std::int64_t opset) {
    return call(group_normalization, {&x, &parameter, &parameter}, {int_attribute("num_groups", groups)}, opset);
  };
  EXPECT_TRUE(succeeds(of(two, 2, 18)));
  EXPECT_TRUE(succeeds(of(four, 2, 21)));
  EXPECT_TRUE(fails(of(four, 2, 18), Code::InvalidArgument, "'scale' has dims [4], wanted [2]"));
  EXPECT_TRUE(fails(of(two, 2, 21), Code::InvalidArgument, "'scale' has dims [2], wanted [4]"));
  EXPECT_TRUE(fails(of(four, 3, 21), Code::InvalidArgument, "'num_groups' is 3, which does not divide 4 channels"));
  EXPECT_TRUE(fails(of(four, 0, 21), Code::InvalidArgument, "'num_groups' is 0"));
  EXPECT_TRUE(fails(of(four, INT64_MIN, 21), Code::InvalidArgument, "'num_groups' is -9223372036854775808"));
  const Tensor flat = floats({4}, {1, 2, 3, 4});
  EXPECT_TRUE(fails(call(instance_normalization, {&flat, &four, &four}), Code::InvalidArgument, "wanted [N, C, ...]"));
  EXPECT_TRUE(fails(call(instance_normalization, {&x, &four, &two}), Code::InvalidArgument, "'B' has dims [2], wanted [4]"));
}

TEST(GroupNormalization, OfNothingIsNothing) {
  for (const List& dims : {List{0, 2, 3}, List{2, 2, 0}}) {
    const Tensor x = floats(dims_of(dims), {});
    const Tensor two = floats({2}, {1, 1});
    EXPECT_EQ(list(must(call(instance_normalization, {&x, &two, &two})).dims()), dims);
  }
  const Tensor x = floats({2, 0, 3}, {});
  const Tensor none = floats({0}, {});
  EXPECT_EQ(list(must(call(instance_normalization, {&x, &none, &none})).dims()), (List{2, 0, 3}));
}

// ---- MeanVarianceNormalization and LpNormalization ----

TEST(MeanVarianceNormalization, RandomTensorsOfEveryTypeOverAnyAxes) {
  Random random;
  for (const Dtype dtype : real_types) {
    for (int i = 0; i < rounds(40); ++i) {
      const Input input(random, dtype, 4);
      std::vector<bool> reduced{true, false, true, true};
      std::vector<Given> given;
      if (random.one_in(2)) {
        List axes;
        for (std::size_t axis = 0; axis < 4; ++axis) {
          reduced[axis] = random.one_in(2);
          if (reduced[axis]) axes.push_back(any_sign(random, axis, 4));
        }
        if (axes.empty()) reduced = std::vector<bool>(4, true);
        given = {{"axes", AttributeType::INTS, shape_of(axes)}};
      }
      const Groups groups = groups_along(input.dims, reduced);
      Numbers wanted(input.values.size());
      const Statistics by = statistics_of(input.values, groups, 0);
      for (std::size_t k = 0; k < wanted.size(); ++k) {
        const double deviation = 1 / by.factor[groups.of[k]];
        wanted[k] = (input.values[k] - by.mean[groups.of[k]]) / (deviation + 1e-9);
      }
      // A few elements may have a small deviation.
      const Numbers smallest = sums(groups, [](std::size_t) { return 1; });
      if (*std::min_element(smallest.begin(), smallest.end()) < 4) continue;
      ASSERT_TRUE(are_near(must(call(mean_variance_normalization, {&input.x}, given)), wanted, 20 * precision_of(dtype)))
          << info(dtype).name;
    }
  }
}

TEST(MeanVarianceNormalization, ElementsThatAreEqualBecomeZeros) {
  const Tensor x = floats({1, 1, 1, 3}, {4, 4, 4});
  EXPECT_EQ(elements<float>(must(call(mean_variance_normalization, {&x}))), std::vector<float>(3, 0));
  const Tensor flat = floats({3}, {1, 2, 3});
  EXPECT_TRUE(
      fails(call(mean_variance_normalization, {&flat}), Code::InvalidArgument, "'axes' is 2, which is not an axis of 1"));
}

TEST(LpNormalization, RandomTensorsOfEveryType) {
  Random random;
  for (const Dtype dtype : real_types) {
    for (int i = 0; i < rounds(60); ++i) {
      const Input input(random, dtype, 1);
      const std::size_t rank = input.dims.size();
      const std::size_t axis = random.below(rank);
      const bool is_sum = random.one_in(2);
      const Groups groups = groups_along(input.dims, from_axis(rank, axis, axis + 1));
      const Numbers norms =
          sums(groups, [&](std::size_t k) { return is_sum ? std::abs(input.values[k]) : input.values[k] * input.values[k]; });
      Numbers wanted(input.values.size());
      for (std::size_t k = 0; k < wanted.size(); ++k) {
        const double norm = norms[groups.of[k]];
        wanted[k] = norm == 0 ? 0 : input.values[k] / (is_sum ? norm : std::sqrt(norm));
      }
      const Tensor y = must(call(lp_normalization, {&input.x},
                                 {int_attribute("axis", any_sign(random, axis, rank)), int_attribute("p", is_sum ? 1 : 2)}));
      ASSERT_TRUE(are_near(y, wanted, precision_of(dtype))) << info(dtype).name;
    }
  }
}

TEST(LpNormalization, ElementsThatAreAllZeroStaySo) {
  const Tensor x = floats({2, 2}, {0, -0.0F, 3, 4});
  EXPECT_EQ(elements<float>(must(call(lp_normalization, {&x}))), (std::vector<float>{0, 0, 0.6F, 0.8F}));
  EXPECT_TRUE(fails(call(lp_normalization, {&x}, {int_attribute("p", 3)}), Code::InvalidArgument, "'p' is 3, wanted 1 or 2"));
  EXPECT_TRUE(fails(call(lp_normalization, {&x}, {int_attribute("axis", 2)}), Code::InvalidArgument, "not an axis of 2"));
}

// ---- BatchNormalization ----

TEST(BatchNormalization, RandomTensorsOfEveryTypeAndVersion) {
  Random random;
  for (const Dtype dtype : real_types) {
    for (int i = 0; i < rounds(60); ++i) {
      const std::int64_t opsets[] = {1, 6, 7, 9, 14, 15};
      const std::int64_t opset = dtype == Dtype::bfloat16 ? 15 : opsets[random.below(6)];
      const Input input(random, dtype, 1);
      const List& dims = input.dims;
      const bool is_spatial = opset > 7 || random.one_in(2);
      List own = is_spatial ? List{dims.size() == 1 ? 1 : dims[1]} : List(dims.begin() + 1, dims.end());
      if (!is_spatial && dims.size() == 1) own = {};
      const Input scale(random, dtype, own);
      const Input bias(random, dtype, own);
      const Input mean(random, dtype, own);
      Numbers variances = random_numbers(random, dtype, scale.values.size(), 0.5, 4);
      const Tensor variance = tensor_of_numbers(dtype, own, variances);
      std::size_t inner = 1;
      for (std::size_t k = 2; is_spatial && k < dims.size(); ++k) inner *= static_cast<std::size_t>(dims[k]);
      Numbers wanted(input.values.size());
      for (std::size_t k = 0; k < wanted.size(); ++k) {
        const std::size_t c = k / inner % scale.values.size();
        wanted[k] = (input.values[k] - mean.values[c]) / std::sqrt(variances[c] + 0.25) * scale.values[c] + bias.values[c];
      }
      std::vector<Given> given{epsilon(0.25)};
      if (opset < 6) given.push_back({"consumed_inputs", AttributeType::INTS, shape_of({0})});
      if (opset < 9) given.push_back(int_attribute("spatial", is_spatial ? 1 : 0));
      if (opset < 7 && random.one_in(2)) given.push_back(int_attribute("is_test", 1));
      const Tensor y = must(call(batch_normalization, {&input.x, &scale.x, &bias.x, &mean.x, &variance}, given, opset));
      ASSERT_EQ(list(y.dims()), dims);
      ASSERT_TRUE(are_near(y, wanted, 3 * precision_of(dtype))) << info(dtype).name << " " << opset;
    }
  }
}

TEST(BatchNormalization, ChannelsThatLieLastStayThereAndNoBitChanges) {
  Random random;
  for (const Dtype dtype : real_types) {
    for (const List& dims : {List{2, 3, 5, 7}, List{1, 17, 4, 4}, List{3, 2, 9}, List{1, 4, 1, 6}}) {
      const Tensor x = random_tensor(random, dtype, dims);
      const Tensor last = channels_last(x);
      const List own{dims[1]};
      const Tensor number = random_tensor(random, dtype, own);
      const Tensor variance =
          tensor_of_numbers(dtype, own, random_numbers(random, dtype, static_cast<std::size_t>(own[0]), 0.5, 4));
      const auto normalized = [&](const Tensor& image) {
        return must(call(batch_normalization, {&image, &number, &number, &number, &variance}));
      };
      const Tensor y = normalized(last);
      EXPECT_TRUE(have_same_positions(y.layout, last.layout));
      ASSERT_EQ(dense_bytes_of(y), dense_bytes_of(normalized(x))) << info(dtype).name;
    }
  }
}

TEST(BatchNormalization, ParametersMayHaveOtherTypesThanTheInput) {
  const Tensor x = tensor_of_numbers(Dtype::float16, {1, 2}, {1, 2});
  const Tensor one = floats({2}, {1, 2});
  const Tensor wide = tensor_of<double>(Dtype::float64, {2}, {1, 3});
  const Tensor y = must(call(batch_normalization, {&x, &one, &one, &wide, &wide}, {epsilon(0)}));
  EXPECT_EQ(y.dtype, Dtype::float16);
  EXPECT_TRUE(are_near(y, {1, 2 - 2 / std::sqrt(3.0)}, 1e-3));
}

TEST(BatchNormalization, TrainingIsRefused) {
  const Tensor x = floats({1, 2}, {1, 2});
  const Tensor one = floats({2}, {1, 2});
  const std::vector<const Tensor*> inputs{&x, &one, &one, &one, &one};
  const auto refused = [](const auto& result) { return fails(result, Code::InvalidArgument, "training is not supported"); };
  EXPECT_TRUE(refused(call(batch_normalization, inputs, {int_attribute("training_mode", 1)})));
  EXPECT_TRUE(refused(call_all(batch_normalization, inputs, {}, {15, 3})));
  EXPECT_TRUE(refused(call_all(batch_normalization, inputs, {}, {9, 5})));
  EXPECT_TRUE(refused(call_all(batch_normalization, inputs, {int_attribute("is_test", 0)}, {6, 5})));
  // With one output, there are no outputs of training.
  EXPECT_TRUE(succeeds(call(batch_normalization, inputs, {int_attribute("is_test", 0)}, 6)));
}

TEST(BatchNormalization, ParametersAreOneForEachChannel) {
  const Tensor x = floats({1, 2}, {1, 2});
  const Tensor two = floats({2}, {1, 2});
  const Tensor three = floats({3}, {1, 2, 3});
  EXPECT_TRUE(fails(call(batch_normalization, {&x, &two, &two, &three, &two}), Code::InvalidArgument,
                    "'input_mean' has dims [3], wanted [2]"));
  const Tensor scalar = floats({}, {1});
  EXPECT_TRUE(fails(call(batch_normalization, {&scalar, &two, &two, &two, &two}), Code::InvalidArgument, "wanted [N, C, ...]"));
  const Tensor image = floats({1, 2, 1}, {1, 2});
  EXPECT_TRUE(fails(call(batch_normalization, {&image, &two, &two, &two, &two}, {int_attribute("spatial", 0)}, 7),
                    Code::InvalidArgument));
  const Tensor none = floats({0, 2}, {});
  EXPECT_EQ(list(must(call(batch_normalization, {&none, &two, &two, &two, &two})).dims()), (List{0, 2}));
}

// ---- Before a run ----

using NormalizationBeforeRun = BeforeRun;

TEST_F(NormalizationBeforeRun, DimsAreThoseOfTheInput) {
  const Tensor x = known({n(), 4, m()});
  const Tensor four = known({4});
  EXPECT_EQ(sizes(softmax, {x}), "n 4 m");
  EXPECT_EQ(sizes(softmax, {unranked()}), "unknown");
  EXPECT_EQ(sizes(layer_normalization, {x, known({m()})}, {}, 3), "n 4 m; n 4 1; n 4 1");
  EXPECT_EQ(sizes(layer_normalization, {x, unranked()}, {int_attribute("axis", 1)}, 2), "n 4 m; n 1 1");
  EXPECT_EQ(sizes(layer_normalization, {unranked(), four}, {}, 2), "unknown; unknown");
  EXPECT_EQ(sizes(layer_normalization, {x, known({3, 1})}), "error");
  EXPECT_EQ(sizes(rms_normalization, {x, known({m()})}), "n 4 m");
  EXPECT_EQ(sizes(group_normalization, {x, four, known({n()})}, {int_attribute("num_groups", 2)}), "n 4 m");
  EXPECT_EQ(sizes(group_normalization, {x, known({3}), four}, {int_attribute("num_groups", 2)}), "error");
  EXPECT_EQ(sizes(group_normalization, {known({n(), m()}), known({3}), four}, {int_attribute("num_groups", 2)}), "n m");
  EXPECT_EQ(sizes(instance_normalization, {unranked(), four, four}), "unknown");
  EXPECT_EQ(sizes(mean_variance_normalization, {known({n(), 3, 4, m()})}), "n 3 4 m");
  EXPECT_EQ(sizes(mean_variance_normalization, {known({n(), 3})}), "error");
  EXPECT_EQ(sizes(lp_normalization, {x}), "n 4 m");
  EXPECT_EQ(sizes(lp_normalization, {unranked()}), "unknown");
}

TEST_F(NormalizationBeforeRun, OutputsOfTrainingHaveTheDimsOfTheMean) {
  const Tensor x = known({n(), 4, m()});
  const Tensor four = known({4});
  EXPECT_EQ(sizes(batch_normalization, {x, four, four, four, four}), "n 4 m");
  EXPECT_EQ(sizes(batch_normalization, {x, four, four, four, four}, {}, 3), "n 4 m; 4; 4");
  EXPECT_EQ(sizes(batch_normalization, {x, four, four, unranked(), four}, {}, 5, 7),
            "n 4 m; unknown; unknown; unknown; unknown");
  EXPECT_EQ(sizes(batch_normalization, {x, four, four, known({3}), four}), "error");
  EXPECT_EQ(sizes(batch_normalization, {unranked(), four, four, four, four}), "unknown");
}

// A hostile file may have such sizes: no loop runs over the axes of a tensor without elements.
TEST(Normalizations, OfNoElementsReturnAtOnceForAnyOtherAxes) {
  constexpr std::int64_t huge = std::int64_t{1} << 50;
  const auto empty = [](const List& dims) { return must(make_tensor(Dtype::float32, Dims(std::span(dims)))); };
  const Tensor rows = empty({huge, 0});
  const Tensor none = empty({0});
  for (const Operator* op : {&softmax, &log_softmax, &hardmax, &lp_normalization}) {
    EXPECT_EQ(list(must(call(*op, {&rows})).dims()), (List{huge, 0})) << op->name;
  }
  EXPECT_EQ(must(call(layer_normalization, {&rows, &none})).count(), 0);
  EXPECT_EQ(must(call(rms_normalization, {&rows, &none})).count(), 0);
  const Tensor axis = int64s({}, {1});
  const Tensor planes = empty({3, 0, huge});
  EXPECT_EQ(must(call(cum_sum, {&planes, &axis})).count(), 0);
  const Tensor channels = empty({1, 0, 1});
  EXPECT_EQ(must(call(group_normalization, {&channels, &none, &none}, {int_attribute("num_groups", huge)})).count(), 0);
}

}  // namespace
}  // namespace broadloom::test::normalization_test
