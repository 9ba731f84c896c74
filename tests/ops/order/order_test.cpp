// TopK and Unique.
#include <map>

#include "core/number.h"
#include "support/calls.h"
#include "support/layouts.h"

namespace broadloom::op {
extern const Operator top_k, unique;
}

namespace broadloom::test::order_test {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float inf = std::numeric_limits<float>::infinity();

Result<std::vector<Tensor>> top(const Tensor& x, std::int64_t k, std::vector<Given> given = {},
                                std::int64_t opset = newest_opset) {
  const Tensor count = int64s({1}, {k});
  if (opset < 10) {
    given.push_back(int_attribute("k", k));
    return call_all(top_k, {&x}, given, {opset, 2});
  }
  return call_all(top_k, {&x, &count}, given, {opset, 2});
}

void expect_top(const std::vector<Tensor>& found, const List& dims, const std::vector<float>& values, const List& indices) {
  EXPECT_EQ(list(found[0].dims()), dims);
  EXPECT_EQ(list(found[1].dims()), dims);
  EXPECT_EQ(elements<float>(found[0]), values);
  EXPECT_EQ(elements<std::int64_t>(found[1]), indices);
}

TEST(TopK, ReturnsTheGreatestElementsAndTheirIndices) {
  const Tensor x = floats({2, 4}, {0, 3, 1, 2, 7, 4, 6, 5});
  for (const std::int64_t opset : {1, 10, 11, 24}) {
    expect_top(must(top(x, 2, {}, opset)), {2, 2}, {3, 2, 7, 6}, {1, 3, 0, 2});
    expect_top(must(top(x, 1, {int_attribute("axis", 0)}, opset)), {1, 4}, {7, 4, 6, 5}, {1, 1, 1, 1});
  }
  expect_top(must(top(x, 3, {int_attribute("largest", 0), int_attribute("sorted", 0)})), {2, 3}, {0, 1, 2, 4, 5, 6},
             {0, 2, 3, 1, 3, 2});
}

TEST(TopK, TakesTheFirstOfEqualElements) {
  const Tensor x = floats({6}, {2, 1, 2, -0.0F, 0, 2});
  expect_top(must(top(x, 2)), {2}, {2, 2}, {0, 2});
  expect_top(must(top(x, 6)), {6}, {2, 2, 2, 1, -0.0F, 0}, {0, 2, 5, 1, 3, 4});
  expect_top(must(top(x, 3, {int_attribute("largest", 0)})), {3}, {-0.0F, 0, 1}, {3, 4, 1});
}

TEST(TopK, ANanIsGreaterThanAllNumbers) {
  const Tensor x = floats({5}, {1, nan, inf, -inf, -nan});
  EXPECT_EQ(elements<std::int64_t>(must(top(x, 5))[1]), (List{1, 4, 2, 0, 3}));
  EXPECT_EQ(elements<std::int64_t>(must(top(x, 5, {int_attribute("largest", 0)}))[1]), (List{3, 0, 2, 1, 4}));
}

TEST(TopK, EveryTypeOfNumbersHasItsOrder) {
  for (int id = 1; id <= dtype_count; ++id) {
    const auto dtype = static_cast<Dtype>(id);
    const TypeSet allowed = must(select_version(top_k, 24))->types[0];
    if (!allowed.contains(dtype)) continue;
    const bool has_sign = info(dtype).kind != DtypeKind::unsigned_integer;
    const std::vector<double> values{2, has_sign ? -1.0 : 1.0, 100, has_sign ? -100.0 : 0.0, 3};
    Tensor x = must(make_tensor(dtype, {5}));
    must(encode(dtype, values, x.data()));
    EXPECT_EQ(elements<std::int64_t>(must(top(x, 5))[1]), (List{2, 4, 0, 1, 3})) << info(dtype).name;
    EXPECT_EQ(elements<std::int64_t>(must(top(x, 2, {int_attribute("largest", 0)}))[1]), (List{3, 1})) << info(dtype).name;
  }
  EXPECT_EQ(elements<std::int64_t>(must(top(int64s({3}, {INT64_MAX - 1, INT64_MIN, INT64_MAX}), 3))[1]), (List{2, 0, 1}));
}

TEST(TopK, KIsAtMostTheSizeOfTheAxis) {
  const Tensor x = floats({2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_TRUE(fails(top(x, 4), Code::InvalidArgument, "TopK-24: k is 4, wanted 0 to the size of axis 1 of [2, 3]"));
  EXPECT_TRUE(fails(top(x, -1, {}, 1), Code::InvalidArgument, "k is -1"));
  EXPECT_TRUE(fails(top(x, 1, {int_attribute("axis", 2)}), Code::InvalidArgument, "'axis' is 2"));
  EXPECT_TRUE(fails(top(floats({}, {1}), 1), Code::InvalidArgument, "'axis' is -1"));
  expect_top(must(top(x, 0)), {2, 0}, {}, {});
  expect_top(must(top(floats({0, 3}, {}), 2)), {0, 2}, {}, {});
  expect_top(must(top(floats({3, 0}, {}), 0)), {3, 0}, {}, {});
  const Tensor two = int64s({2}, {1, 1});
  EXPECT_TRUE(fails(call_all(top_k, {&x, &two}, {}, {24, 2}), Code::InvalidArgument, "'K' has 2 entries"));
}

TEST(TopK, RandomCallsEqualASortOfAll) {
  Random random;
  for (int round = 0; round < 500; ++round) {
    List dims = random_dims(random, 1 + random.below(3), 5);
    const std::size_t axis = random.below(dims.size());
    dims[axis] = random.between(1, round % 10 == 0 ? 700 : 20);
    const std::int64_t k = random.between(1, dims[axis]);
    const bool is_largest = random.one_in(2);
    std::vector<float> values(static_cast<std::size_t>(*checked_count(dims)));
    for (auto& value : values) value = static_cast<float>(random.between(-20, 20));
    const Tensor x = floats(dims_of(dims), values);
    const auto found =
        must(top(random.one_in(2) ? x : scrambled(x, random), k,
                 {int_attribute("axis", static_cast<std::int64_t>(axis)), int_attribute("largest", is_largest)}));
    List out = dims;
    out[axis] = k;
    ASSERT_EQ(list(found[0].dims()), out);
    const auto indices = elements<std::int64_t>(found[1]);
    const auto best = elements<float>(found[0]);
    for (std::int64_t i = 0; i < found[0].count(); ++i) {
      List at = coordinates_of(out, i);
      if (at[axis] != 0) continue;
      std::vector<std::pair<float, std::int64_t>> all;
      for (std::int64_t j = 0; j < dims[axis]; ++j) {
        at[axis] = j;
        const float value = values[static_cast<std::size_t>(number_of(dims, at))];
        all.emplace_back(is_largest ? -value : value, j);
      }
      std::sort(all.begin(), all.end());
      for (std::int64_t j = 0; j < k; ++j) {
        at[axis] = j;
        const auto place = static_cast<std::size_t>(number_of(out, at));
        ASSERT_EQ(indices[place], all[static_cast<std::size_t>(j)].second);
        ASSERT_EQ(best[place], is_largest ? -all[static_cast<std::size_t>(j)].first : all[static_cast<std::size_t>(j)].first);
      }
    }
  }
}

// ---- Unique ----

std::vector<Tensor> unique_of(const Tensor& x, const std::vector<Given>& given = {}) {
  return must(call_all(unique, {&x}, given, {newest_opset, 4}));
}

void expect_numbers(const std::vector<Tensor>& found, const List& indices, const List& inverse, const List& counts) {
  EXPECT_EQ(elements<std::int64_t>(found[1]), indices);
  EXPECT_EQ(elements<std::int64_t>(found[2]), inverse);
  EXPECT_EQ(elements<std::int64_t>(found[3]), counts);
}

TEST(Unique, ReturnsEachElementOnceSortedOrInOrderOfAppearance) {
  const Tensor x = floats({2, 3}, {2, 1, 1, 3, 4, 3});
  const auto sorted = unique_of(x);
  EXPECT_EQ(elements<float>(sorted[0]), (std::vector<float>{1, 2, 3, 4}));
  expect_numbers(sorted, {1, 0, 3, 4}, {1, 0, 0, 2, 3, 2}, {2, 1, 2, 1});
  const auto unsorted = unique_of(x, {int_attribute("sorted", 0)});
  EXPECT_EQ(elements<float>(unsorted[0]), (std::vector<float>{2, 1, 3, 4}));
  expect_numbers(unsorted, {0, 1, 3, 4}, {0, 1, 1, 2, 3, 2}, {1, 2, 2, 1});
}

TEST(Unique, SlicesAreComparedAsWholes) {
  const Tensor x = floats({3, 3}, {1, 0, 0, 1, 0, 0, 2, 3, 4});
  const auto rows = unique_of(x, {int_attribute("axis", 0)});
  EXPECT_EQ(list(rows[0].dims()), (List{2, 3}));
  EXPECT_EQ(elements<float>(rows[0]), (std::vector<float>{1, 0, 0, 2, 3, 4}));
  expect_numbers(rows, {0, 2}, {0, 0, 1}, {2, 1});
  const Tensor y = floats({2, 4, 2}, {1, 1, 0, 1, 2, 1, 0, 1, 1, 1, 0, 1, 2, 1, 0, 1});
  const auto columns = unique_of(y, {int_attribute("axis", -2)});
  EXPECT_EQ(list(columns[0].dims()), (List{2, 3, 2}));
  EXPECT_EQ(elements<float>(columns[0]), (std::vector<float>{0, 1, 1, 1, 2, 1, 0, 1, 1, 1, 2, 1}));
  expect_numbers(columns, {1, 0, 2}, {1, 0, 2, 0}, {2, 1, 1});
}

TEST(Unique, ZerosAreEqualAndSoAreNans) {
  const auto found = unique_of(floats({6}, {nan, 0, -0.0F, inf, -nan, -inf}));
  expect_numbers(found, {5, 1, 3, 0}, {3, 1, 1, 2, 3, 0}, {1, 2, 1, 2});
}

TEST(Unique, ManyNumbersBetweenTheLimitsAreSorted) {
  Random random;
  List values{INT64_MIN, INT64_MAX, 0, -1};
  while (values.size() < 400)
    values.push_back(random.one_in(2) ? random.between(-99, 99) : random.between(INT64_MIN, INT64_MAX));
  std::map<std::int64_t, std::int64_t> counts;
  for (const std::int64_t value : values) ++counts[value];
  const auto found = unique_of(int64s({400}, values));
  List wanted;
  List wanted_counts;
  for (const auto& [value, count] : counts) {
    wanted.push_back(value);
    wanted_counts.push_back(count);
  }
  EXPECT_EQ(elements<std::int64_t>(found[0]), wanted);
  EXPECT_EQ(elements<std::int64_t>(found[3]), wanted_counts);
}

TEST(Unique, StringsAndComplexNumbersHaveAnOrderToo) {
  const auto words = unique_of(strings({5}, {"b", "", "ab", "b", "a"}));
  EXPECT_EQ(string_elements(words[0]), (std::vector<std::string>{"", "a", "ab", "b"}));
  expect_numbers(words, {1, 4, 2, 0}, {3, 0, 2, 3, 1}, {1, 1, 1, 2});
  const Given first_axis = int_attribute("axis", 0);
  EXPECT_EQ(string_elements(unique_of(strings({2, 2}, {"b", "a", "a", "b"}), {first_axis})[0]),
            (std::vector<std::string>{"a", "b", "b", "a"}));
  const auto complex = unique_of(tensor_of(Dtype::complex64, {3}, std::vector<float>{1, 2, 1, -2, 1, 2}));
  EXPECT_EQ(elements<float>(complex[0]), (std::vector<float>{1, -2, 1, 2}));
  const auto wide = unique_of(tensor_of(Dtype::complex128, {3}, std::vector<double>{1, 2, -1, 3, 1, 2}));
  expect_numbers(wide, {1, 0}, {1, 0, 1}, {1, 2});
}

TEST(Unique, NothingIsUniqueAmongNoElements) {
  const auto none = unique_of(floats({0, 2}, {}));
  EXPECT_EQ(list(none[0].dims()), List{0});
  expect_numbers(none, {}, {}, {});
  // Slices without elements are equal.
  const auto slices = unique_of(floats({0, 3}, {}), {int_attribute("axis", 1)});
  EXPECT_EQ(list(slices[0].dims()), (List{0, 1}));
  expect_numbers(slices, {0}, {0, 0, 0}, {3});
  const Tensor many = floats({0, std::int64_t{1} << 50}, {});
  EXPECT_TRUE(fails(call_all(unique, {&many}, {int_attribute("axis", 1)}), Code::OutOfMemory));
}

TEST(Unique, OnlyAsManyOutputsAsAreAskedFor) {
  const Tensor x = floats({3}, {2, 1, 2});
  for (std::size_t count = 1; count <= 4; ++count) {
    const auto found = must(call_all(unique, {&x}, {}, {11, count}));
    EXPECT_EQ(elements<float>(found[0]), (std::vector<float>{1, 2}));
    if (count > 2) EXPECT_EQ(elements<std::int64_t>(found[2]), (List{1, 0, 1}));
  }
  EXPECT_TRUE(fails(call_all(unique, {&x}, {int_attribute("axis", 1)}), Code::InvalidArgument, "'axis' is 1"));
}

TEST(Unique, RandomCallsEqualAMapOfSlices) {
  Random random;
  for (int round = 0; round < 300; ++round) {
    List dims = random_dims(random, 1 + random.below(3), 3);
    const std::size_t axis = random.below(dims.size());
    dims[axis] = random.between(1, 30);
    const bool is_flat = random.one_in(3);
    List values(static_cast<std::size_t>(*checked_count(dims)));
    for (auto& value : values) value = random.between(-1, is_flat ? 20 : 1);
    const Tensor x = int64s(dims_of(dims), values);
    std::vector<Given> given;
    if (!is_flat) given.push_back(int_attribute("axis", static_cast<std::int64_t>(axis)));
    const auto found = unique_of(random.one_in(2) ? x : scrambled(x, random), given);
    std::map<std::int64_t, List> slices;
    for (std::int64_t i = 0; i < x.count(); ++i) {
      slices[is_flat ? i : coordinates_of(dims, i)[axis]].push_back(values[static_cast<std::size_t>(i)]);
    }
    std::map<List, List> places;
    for (const auto& [number, slice] : slices) places[slice].push_back(number);
    List indices;
    List counts;
    List inverse(slices.size());
    for (const auto& [slice, numbers] : places) {
      for (const std::int64_t number : numbers)
        inverse[static_cast<std::size_t>(number)] = static_cast<std::int64_t>(indices.size());
      indices.push_back(numbers.front());
      counts.push_back(static_cast<std::int64_t>(numbers.size()));
    }
    expect_numbers(found, indices, inverse, counts);
    List out = is_flat ? List{static_cast<std::int64_t>(indices.size())} : dims;
    if (!is_flat) out[axis] = static_cast<std::int64_t>(indices.size());
    ASSERT_EQ(list(found[0].dims()), out);
    const auto unique_values = elements<std::int64_t>(found[0]);
    for (std::int64_t i = 0; i < found[0].count(); ++i) {
      List at = coordinates_of(out, i);
      std::size_t from = static_cast<std::size_t>(indices[static_cast<std::size_t>(is_flat ? i : at[axis])]);
      if (!is_flat) {
        at[axis] = static_cast<std::int64_t>(from);
        from = static_cast<std::size_t>(number_of(dims, at));
      }
      ASSERT_EQ(unique_values[static_cast<std::size_t>(i)], values[from]);
    }
  }
}

}  // namespace
}  // namespace broadloom::test::order_test
