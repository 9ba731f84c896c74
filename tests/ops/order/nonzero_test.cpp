#include "core/number.h"
#include "support/calls.h"
#include "support/layouts.h"

namespace broadloom::op {
extern const Operator compress, non_zero, one_hot;
}

namespace broadloom::test::nonzero_test {
namespace {

void expect_places(const Tensor& tensor, const List& dims, const List& values) {
  EXPECT_EQ(list(tensor.dims()), dims);
  EXPECT_EQ(elements<std::int64_t>(tensor), values);
}

TEST(NonZero, ReturnsTheCoordinatesOfNonzeroElements) {
  const Tensor x = floats({2, 2}, {1, 0, -0.0F, std::numeric_limits<float>::quiet_NaN()});
  for (const std::int64_t opset : {9, 13}) expect_places(must(call(non_zero, {&x}, {}, opset)), {2, 2}, {0, 1, 0, 1});
}

TEST(NonZero, EveryTypeHasAZero) {
  for (int id = 1; id <= dtype_count; ++id) {
    const auto dtype = static_cast<Dtype>(id);
    if (!must(select_version(non_zero, 13))->types[0].contains(dtype) || dtype == Dtype::string) continue;
    Tensor x = zeros(dtype, {3});
    const std::size_t size = item_size(dtype);
    const DtypeKind kind = info(dtype).kind;
    x.data()[size] = std::byte{1};
    const bool is_float = kind == DtypeKind::real_float || kind == DtypeKind::mini_float || kind == DtypeKind::complex;
    x.data()[3 * size - 1] = std::byte{0x80};
    if (kind == DtypeKind::complex) x.data()[2 * size + size / 2 - 1] = std::byte{0x80};
    expect_places(must(call(non_zero, {&x})), {1, is_float ? 1 : 2}, is_float ? List{1} : List{1, 2});
  }
  const Tensor text = strings({3}, {"", "0", ""});
  expect_places(must(call(non_zero, {&text})), {1, 1}, {1});
}

TEST(NonZero, AScalarHasNoCoordinates) {
  const Tensor x = floats({}, {2});
  expect_places(must(call(non_zero, {&x})), {0, 1}, {});
  const Tensor none = floats({0, 3}, {});
  expect_places(must(call(non_zero, {&none})), {2, 0}, {});
}

TEST(NonZero, RandomCallsEqualTheElementsFoundOneByOne) {
  Random random;
  for (int round = 0; round < 300; ++round) {
    const List dims = random_dims(random, 1 + random.below(4), 8);
    Tensor x = distinct(item_types[random.below(5)], dims);
    const auto size = static_cast<std::int64_t>(item_size(x.dtype));
    std::vector<List> wanted;
    for (std::int64_t i = 0; i < x.count(); ++i) {
      const bool is_set = random.one_in(2);
      std::memset(x.data() + i * size, is_set ? 1 : 0, static_cast<std::size_t>(size));
      if (is_set) wanted.push_back(coordinates_of(dims, i));
    }
    const Tensor given = random.one_in(2) ? x : scrambled(x, random);
    List rows;
    for (std::size_t axis = 0; axis < dims.size(); ++axis) {
      for (const List& at : wanted) rows.push_back(at[axis]);
    }
    const auto rank = static_cast<std::int64_t>(dims.size());
    expect_places(must(call(non_zero, {&given})), {rank, static_cast<std::int64_t>(wanted.size())}, rows);
  }
}

Result<Tensor> compressed(const Tensor& input, const Tensor& condition, const std::vector<Given>& given = {},
                          std::int64_t opset = newest_opset) {
  return call(compress, {&input, &condition}, given, opset);
}

TEST(Compress, TakesTheSlicesForWhichTheConditionHolds) {
  const Tensor x = floats({3, 2}, {1, 2, 3, 4, 5, 6});
  for (const std::int64_t opset : {9, 11}) {
    EXPECT_EQ(elements<float>(must(compressed(x, bools({3}, {0, 1, 1}), {int_attribute("axis", 0)}, opset))),
              (std::vector<float>{3, 4, 5, 6}));
    EXPECT_EQ(elements<float>(must(compressed(x, bools({2}, {0, 1}), {int_attribute("axis", 1)}, opset))),
              (std::vector<float>{2, 4, 6}));
  }
  EXPECT_EQ(list(must(compressed(x, bools({2}, {0, 1}), {int_attribute("axis", -1)})).dims()), (List{3, 1}));
  const Tensor flat = must(compressed(x, bools({5}, {0, 1, 0, 0, 1})));
  EXPECT_EQ(list(flat.dims()), List{2});
  EXPECT_EQ(elements<float>(flat), (std::vector<float>{2, 5}));
}

TEST(Compress, AConditionMayBeShorterAndHoldsNowhereBeyond) {
  const Tensor x = floats({3, 1}, {1, 2, 3});
  EXPECT_EQ(elements<float>(must(compressed(x, bools({1}, {1}), {int_attribute("axis", 0)}))), std::vector<float>{1});
  EXPECT_EQ(list(must(compressed(x, bools({0}, {}), {int_attribute("axis", 0)})).dims()), (List{0, 1}));
  EXPECT_EQ(elements<float>(must(compressed(x, bools({5}, {0, 0, 1, 0, 0})))), std::vector<float>{3});
  EXPECT_TRUE(fails(compressed(x, bools({4}, {0, 0, 0, 1})), Code::InvalidArgument,
                    "condition holds at 3, but there are 3 to choose from"));
  EXPECT_TRUE(fails(compressed(x, bools({1, 1}, {1})), Code::InvalidArgument, "condition has dims [1, 1]"));
  EXPECT_TRUE(fails(compressed(x, bools({1}, {1}), {int_attribute("axis", 2)}), Code::InvalidArgument, "'axis' is 2"));
}

TEST(Compress, StringsAreKept) {
  EXPECT_EQ(string_elements(must(compressed(strings({3}, {"a", "bc", "d"}), bools({3}, {0, 1, 1})))),
            (std::vector<std::string>{"bc", "d"}));
}

TEST(Compress, RandomCallsEqualTheElementsFoundOneByOne) {
  Random random;
  for (int round = 0; round < 500; ++round) {
    const List dims = random_dims(random, 1 + random.below(3), round % 20 == 0 ? 20 : 5);
    const std::size_t axis = random.below(dims.size());
    const bool is_flat = random.one_in(3);
    const Tensor x = distinct(item_types[random.below(5)], dims);
    Bytes chosen(static_cast<std::size_t>(is_flat ? x.count() : dims[axis]));
    for (auto& one : chosen) one = random.one_in(2) ? 1 : 0;
    std::vector<Given> given;
    if (!is_flat) given.push_back(int_attribute("axis", static_cast<std::int64_t>(axis)));
    const Tensor condition = bools({static_cast<std::int64_t>(chosen.size())}, chosen);
    const Tensor result = must(compressed(random.one_in(2) ? x : scrambled(x, random),
                                          random.one_in(2) ? condition : scrambled(condition, random), given));
    Bytes wanted;
    for (std::int64_t i = 0; i < x.count(); ++i) {
      const std::int64_t at = is_flat ? i : coordinates_of(dims, i)[axis];
      const Bytes item = item_at(x, i);
      if (chosen[static_cast<std::size_t>(at)] != 0) wanted.insert(wanted.end(), item.begin(), item.end());
    }
    ASSERT_EQ(bytes_of(result), wanted);
  }
}

Result<Tensor> one_hot_of(const Tensor& indices, const Tensor& depth, const Tensor& values, std::int64_t axis = -1,
                          std::int64_t opset = newest_opset) {
  return call(one_hot, {&indices, &depth, &values}, {int_attribute("axis", axis)}, opset);
}

TEST(OneHot, PutsOneValueAtEachIndexAndAnotherElsewhere) {
  const Tensor off_and_on = floats({2}, {-1, 5});
  for (const std::int64_t opset : {9, 11}) {
    const Tensor rows = must(one_hot_of(int64s({3}, {0, 2, 2}), int64s({}, {3}), off_and_on, -1, opset));
    EXPECT_EQ(list(rows.dims()), (List{3, 3}));
    EXPECT_EQ(elements<float>(rows), (std::vector<float>{5, -1, -1, -1, -1, 5, -1, -1, 5}));
    const Tensor columns = must(one_hot_of(int64s({2}, {0, 2}), int64s({1}, {3}), off_and_on, 0, opset));
    EXPECT_EQ(list(columns.dims()), (List{3, 2}));
    EXPECT_EQ(elements<float>(columns), (std::vector<float>{5, -1, -1, -1, -1, 5}));
  }
}

TEST(OneHot, AnIndexOutOfRangeSetsNoElement) {
  const Tensor off_and_on = floats({2}, {0, 1});
  EXPECT_EQ(elements<float>(must(one_hot_of(int64s({4}, {2, -3, INT64_MIN, INT64_MAX}), int64s({}, {2}), off_and_on))),
            std::vector<float>(8));
  const Tensor large = tensor_of(Dtype::uint64, {1}, std::vector<std::uint64_t>{UINT64_MAX});
  EXPECT_EQ(elements<float>(must(one_hot_of(large, int64s({}, {2}), off_and_on))), std::vector<float>(2));
  const float inf = std::numeric_limits<float>::infinity();
  const Tensor odd = floats({3}, {inf, -inf, std::numeric_limits<float>::quiet_NaN()});
  EXPECT_EQ(elements<float>(must(one_hot_of(odd, int64s({}, {2}), off_and_on))), std::vector<float>(6));
}

TEST(OneHot, NegativeIndicesCountFromTheEndSinceVersion11) {
  const Tensor index = int64s({1}, {-1});
  const Tensor depth = int64s({}, {3});
  const Tensor off_and_on = floats({2}, {0, 1});
  const auto of = [&](std::int64_t opset) {
    return elements<float>(must(call(one_hot, {&index, &depth, &off_and_on}, {}, opset)));
  };
  EXPECT_EQ(of(11), (std::vector<float>{0, 0, 1}));
  EXPECT_EQ(of(9), (std::vector<float>{0, 0, 0}));
}

TEST(OneHot, IndicesAndDepthAreOfAnyTypeOfNumbers) {
  const Tensor off_and_on = floats({2}, {0, 1});
  for (int id = 1; id <= dtype_count; ++id) {
    const auto dtype = static_cast<Dtype>(id);
    if (!must(select_version(one_hot, 11))->types[0].contains(dtype)) continue;
    Tensor two = must(make_tensor(dtype, {}));
    must(encode(dtype, std::vector<double>{2}, two.data()));
    Tensor indices = must(make_tensor(dtype, {2}));
    must(encode(dtype, std::vector<double>{1, 0}, indices.data()));
    EXPECT_EQ(elements<float>(must(one_hot_of(indices, two, off_and_on))), (std::vector<float>{0, 1, 1, 0}))
        << info(dtype).name;
  }
  // Fractions are dropped.
  EXPECT_EQ(elements<float>(must(one_hot_of(floats({2}, {1.9F, -0.9F}), floats({}, {2.5F}), off_and_on))),
            (std::vector<float>{0, 1, 1, 0}));
}

TEST(OneHot, ValuesAreOfAnyItemSizeOrStrings) {
  const Tensor words = strings({2}, {"off", "on"});
  EXPECT_EQ(string_elements(must(one_hot_of(int64s({}, {1}), int64s({}, {3}), words))),
            (std::vector<std::string>{"off", "on", "off"}));
  for (const Dtype dtype : item_types) {
    const Tensor values = distinct(dtype, {2});
    const Tensor result = must(one_hot_of(int64s({1}, {0}), int64s({}, {2}), values));
    EXPECT_EQ(item_at(result, 0), item_at(values, 1));
    EXPECT_EQ(item_at(result, 1), item_at(values, 0));
  }
}

TEST(OneHot, WrongDepthsValuesAndAxesAreRefused) {
  const Tensor off_and_on = floats({2}, {0, 1});
  const Tensor index = int64s({1}, {0});
  EXPECT_TRUE(fails(one_hot_of(index, int64s({}, {-1}), off_and_on), Code::InvalidArgument, "depth is -1"));
  EXPECT_TRUE(fails(one_hot_of(index, int64s({2}, {1, 1}), off_and_on), Code::InvalidArgument, "depth has dims [2]"));
  EXPECT_TRUE(fails(one_hot_of(index, int64s({}, {1}), floats({3}, {0, 1, 2})), Code::InvalidArgument, "values has dims [3]"));
  EXPECT_TRUE(fails(one_hot_of(index, int64s({}, {1}), off_and_on, 2), Code::InvalidArgument, "'axis' is 2"));
  EXPECT_TRUE(fails(one_hot_of(index, floats({}, {1e30F}), off_and_on), Code::InvalidArgument, "too many elements"));
  EXPECT_EQ(list(must(one_hot_of(index, int64s({}, {0}), off_and_on)).dims()), (List{1, 0}));
}

TEST(OneHot, RandomCallsEqualTheElementsFoundOneByOne) {
  Random random;
  for (int round = 0; round < 300; ++round) {
    const List dims = random_dims(random, random.below(4), round % 20 == 0 ? 12 : 4);
    const std::size_t axis = random.below(dims.size() + 1);
    const std::int64_t depth = random.between(1, 6);
    List values(static_cast<std::size_t>(*checked_count(dims)));
    for (auto& value : values) value = random.between(-depth - 1, depth + 1);
    const Tensor indices = indices_of(random.one_in(2), dims, values);
    const Tensor result = must(one_hot_of(random.one_in(2) ? indices : scrambled(indices, random), int64s({}, {depth}),
                                          floats({2}, {0, 1}), static_cast<std::int64_t>(axis)));
    List out = dims;
    out.insert(out.begin() + static_cast<std::ptrdiff_t>(axis), depth);
    ASSERT_EQ(list(result.dims()), out);
    const std::vector<float> found = elements<float>(result);
    for (std::int64_t i = 0; i < result.count(); ++i) {
      List at = coordinates_of(out, i);
      const std::int64_t here = at[axis];
      at.erase(at.begin() + static_cast<std::ptrdiff_t>(axis));
      std::int64_t index = values[static_cast<std::size_t>(number_of(dims, at))];
      if (index < 0) index += depth;
      ASSERT_EQ(found[static_cast<std::size_t>(i)], index == here ? 1 : 0);
    }
  }
}

}  // namespace
}  // namespace broadloom::test::nonzero_test
