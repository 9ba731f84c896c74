#include "support/before_run.h"
#include "support/layouts.h"

namespace broadloom::op {
extern const Operator flatten, reshape;
}

namespace broadloom::test::reshape_test {
namespace {

Result<Tensor> reshaped(const Tensor& data, const List& target, const std::vector<Given>& given = {},
                        std::int64_t opset = newest_opset) {
  const Tensor wanted = shape_of(target);
  return call(op::reshape, {&data, &wanted}, given, opset);
}

List dims_after(const List& dims, const List& target, const std::vector<Given>& given = {}) {
  return list(must(reshaped(distinct(Dtype::float32, dims), target, given)).dims());
}

TEST(Reshape, TakesTheSizesOfTheTarget) {
  EXPECT_EQ(dims_after({2, 3, 4}, {4, 6}), (List{4, 6}));
  EXPECT_EQ(dims_after({2, 3}, {1, 6, 1}), (List{1, 6, 1}));
  EXPECT_EQ(dims_after({1}, {}), List{});
  EXPECT_EQ(dims_after({}, {1, 1}), (List{1, 1}));
}

TEST(Reshape, MinusOneIsTheRemainingSize) {
  EXPECT_EQ(dims_after({2, 3, 4}, {-1}), List{24});
  EXPECT_EQ(dims_after({2, 3, 4}, {2, -1, 2}), (List{2, 6, 2}));
  EXPECT_EQ(dims_after({0, 3}, {-1, 3}), (List{0, 3}));
}

TEST(Reshape, ZeroIsTheSizeOfTheInputsAxis) {
  EXPECT_EQ(dims_after({2, 3, 4}, {0, -1}), (List{2, 12}));
  EXPECT_EQ(dims_after({2, 3, 4}, {4, 0, 2}), (List{4, 3, 2}));
  EXPECT_EQ(dims_after({0, 3}, {0, 7}), (List{0, 7}));
}

TEST(Reshape, WithAllowzeroItIsASize) {
  EXPECT_EQ(dims_after({0, 3}, {3, 0}, {int_attribute("allowzero", 1)}), (List{3, 0}));
  EXPECT_TRUE(fails(reshaped(floats({0, 3}, {}), {0, -1}, {int_attribute("allowzero", 1)}), Code::InvalidArgument,
                    "shape is [0, -1]: with allowzero, 0 and -1 exclude each other"));
}

TEST(Reshape, OfVersion1TakesTheAttribute) {
  const Tensor data = floats({2, 3}, {1, 2, 3, 4, 5, 6});
  const Given target{"shape", AttributeType::INTS, int64s({2}, {3, -1})};
  EXPECT_EQ(list(must(call(op::reshape, {&data}, {target}, 1)).dims()), (List{3, 2}));
  EXPECT_TRUE(fails(call(op::reshape, {&data}, {}, 1), Code::InvalidArgument, "attribute 'shape' is missing"));
}

TEST(Reshape, IsAViewWhereStridesAllowIt) {
  const Tensor data = floats({2, 6}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
  EXPECT_EQ(must(reshaped(data, {3, 4})).data(), data.data());
  // Two rows with a gap between them: each can be split.
  const Tensor rows{Dtype::float32, data.layout, data.storage, 0};
  const Tensor split = must(reshaped(rows, {2, 2, 3}));
  EXPECT_EQ(split.storage.operator->(), rows.storage.operator->());
}

TEST(Reshape, KeepsTheOrderOfElementsOfEveryLayout) {
  Random random;
  for (const Dtype dtype : item_types) {
    const Tensor data = distinct(dtype, {3, 4, 2});
    const Tensor result = must(reshaped(scrambled(data, random), {6, 4}));
    EXPECT_EQ(list(result.dims()), (List{6, 4}));
    EXPECT_EQ(bytes_of(result), bytes_of(data));
  }
}

TEST(Reshape, OfNoElementsSizesBesideAZeroMayOverflowInt64) {
  const Tensor none = floats({0, 3}, {});
  const std::int64_t large = std::int64_t{1} << 40;
  const Given allowzero = int_attribute("allowzero", 1);
  EXPECT_TRUE(fails(reshaped(none, {large, large, 0}, {allowzero}), Code::InvalidArgument, "too many elements"));
  EXPECT_TRUE(fails(reshaped(none, {0, large, large}, {allowzero}), Code::InvalidArgument, "too many elements"));
  EXPECT_EQ(list(must(reshaped(none, {large, 0}, {allowzero})).dims()), (List{large, 0}));
}

TEST(Reshape, PackedAndStringElementsAreMoved) {
  const Tensor packed = tensor_of(Dtype::int4, {3, 2}, Bytes{0x21, 0x43, 0x65});
  EXPECT_EQ(bytes_of(must(reshaped(packed, {2, 3}))), (Bytes{0x21, 0x43, 0x65}));
  const Tensor texts = strings({2, 2}, {"a", "bc", "", "d"});
  EXPECT_EQ(string_elements(must(reshaped(texts, {4}))), (std::vector<std::string>{"a", "bc", "", "d"}));
}

TEST(Reshape, ATargetThatDoesNotFitIsRefused) {
  const Tensor data = floats({2, 3}, {1, 2, 3, 4, 5, 6});
  const auto refuses = [&](const List& target, std::string_view text) {
    return fails(reshaped(data, target), Code::InvalidArgument, text);
  };
  EXPECT_TRUE(refuses({4}, "cannot reshape [2, 3], of 6 elements, to [4]"));
  EXPECT_TRUE(refuses({4, -1}, "cannot reshape [2, 3], of 6 elements, to [4, -1]"));
  EXPECT_TRUE(refuses({-1, -1}, "only one size can be -1"));
  EXPECT_TRUE(refuses({-2, 3}, "entry 0 is -2"));
  EXPECT_TRUE(refuses({2, 3, 0}, "entry 2 is 0, but there is no such axis in [2, 3]"));
  EXPECT_TRUE(refuses({INT64_MAX, INT64_MAX}, "cannot reshape"));
  EXPECT_TRUE(refuses({INT64_MAX, INT64_MAX, -1}, "cannot reshape"));
  // Numbers that are reserved for symbolic sizes.
  EXPECT_TRUE(refuses({Size::highest_reserved, -1}, "wanted a size, or -1 for what is left"));
  EXPECT_TRUE(refuses({Size::highest_reserved - 7, 1}, "wanted a size, or -1 for what is left"));
  EXPECT_TRUE(refuses(List(256, 1), "256"));
}

TEST(Flatten, MakesTwoAxesOfThoseBeforeAndAfter) {
  const Tensor data = distinct(Dtype::float32, {2, 3, 4});
  for (const auto& [axis, dims] : std::vector<std::pair<std::int64_t, List>>{
           {0, {1, 24}}, {1, {2, 12}}, {2, {6, 4}}, {3, {24, 1}}, {-1, {6, 4}}, {-3, {1, 24}}}) {
    const Tensor flat = must(call(flatten, {&data}, {int_attribute("axis", axis)}));
    EXPECT_EQ(list(flat.dims()), dims) << axis;
    EXPECT_EQ(flat.data(), data.data());
  }
  EXPECT_EQ(list(must(call(flatten, {&data})).dims()), (List{2, 12}));
  EXPECT_TRUE(fails(call(flatten, {&data}, {int_attribute("axis", 4)}), Code::InvalidArgument, "'axis' is 4, wanted -3 to 3"));
}

TEST(Flatten, OfAScalarHasOneElement) {
  const Tensor scalar = floats({}, {7});
  EXPECT_EQ(list(must(call(flatten, {&scalar}, {int_attribute("axis", 0)})).dims()), (List{1, 1}));
}

TEST_F(BeforeRun, ReshapeFollowsExpressions) {
  const auto of = [&](const SizeList& dims, const SizeList& target, std::int64_t keeps_zeros = 0) {
    return sizes(op::reshape, {known(dims), shape_of(target)}, {int_attribute("allowzero", keeps_zeros)});
  };
  EXPECT_EQ(of({n(), 6}, {0, 2, 3}), "n 2 3");
  EXPECT_EQ(of({n(), 6}, {-1, 3}), "2*n 3");
  EXPECT_EQ(of({n(), m()}, {m(), n()}, 1), "m n");
  // A target size n of 0 would mean the input's size.
  EXPECT_EQ(of({n(), m()}, {m(), n()}), "? ?");
  // With an n of 0, every run fails.
  EXPECT_EQ(of({n(), m()}, {n(), -1}), "n m");
  EXPECT_EQ(of({2, 3}, {5, -1}), "error");
}

TEST_F(BeforeRun, ReshapeKnowsTheRankByTheTargetsLength) {
  EXPECT_EQ(sizes(op::reshape, {unranked(), indices({3})}), "? ? ?");
  EXPECT_EQ(sizes(op::reshape, {unranked(), shape_of({0, 2, -1})}), "? 2 ?");
  EXPECT_EQ(sizes(op::reshape, {known({2, 3}), indices({n()})}), "unknown");
}

TEST_F(BeforeRun, FlattenMultipliesSizes) {
  EXPECT_EQ(sizes(flatten, {known({n(), 3, m()})}, {int_attribute("axis", 2)}), "3*n m");
  EXPECT_EQ(sizes(flatten, {unranked()}), "? ?");
}

}  // namespace
}  // namespace broadloom::test::reshape_test
