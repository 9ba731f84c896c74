#include "support/before_run.h"
#include "support/layouts.h"

namespace broadloom::op {
extern const Operator split;
}

namespace broadloom::test::split_test {
namespace {

const Tensor& table() {
  static const Tensor tensor = floats({2, 5}, {0, 1, 2, 3, 4, 10, 11, 12, 13, 14});
  return tensor;
}

// Splits by sizes: an input, or an attribute before version 13.
Result<std::vector<Tensor>> by_sizes(const List& parts, std::size_t outputs, std::int64_t axis = 1,
                                     std::int64_t opset = newest_opset) {
  const Tensor split_sizes = shape_of(parts);
  const Given at = int_attribute("axis", axis);
  if (opset >= 13) return call_all(split, {&table(), &split_sizes}, {at}, {opset, outputs});
  return call_all(split, {&table()}, {at, {"split", AttributeType::INTS, split_sizes}}, {opset, outputs});
}

Result<std::vector<Tensor>> in_equal(std::size_t outputs, std::int64_t axis, std::int64_t opset = newest_opset) {
  std::vector<Given> given{int_attribute("axis", axis)};
  if (opset >= 18) given.push_back(int_attribute("num_outputs", static_cast<std::int64_t>(outputs)));
  return call_all(split, {&table()}, given, {opset, outputs});
}

TEST(Split, MakesPartsOfTheGivenSizes) {
  for (const std::int64_t opset : {1, 2, 11, 13, 18}) {
    const auto parts = must(by_sizes({1, 0, 4}, 3, 1, opset));
    EXPECT_EQ(elements<float>(parts[0]), (std::vector<float>{0, 10}));
    EXPECT_EQ(list(parts[1].dims()), (List{2, 0}));
    EXPECT_EQ(elements<float>(parts[2]), (std::vector<float>{1, 2, 3, 4, 11, 12, 13, 14}));
  }
}

TEST(Split, PartsAreViews) {
  for (const Tensor& part : must(by_sizes({2, 3}, 2))) EXPECT_EQ(part.storage.operator->(), table().storage.operator->());
}

TEST(Split, MakesEqualPartsWithoutSizes) {
  for (const std::int64_t opset : {2, 13, 18}) {
    const auto parts = must(in_equal(2, 0, opset));
    EXPECT_EQ(elements<float>(parts[1]), (std::vector<float>{10, 11, 12, 13, 14}));
  }
}

TEST(Split, FromVersion18OnTheLastPartMayBeSmaller) {
  const auto parts = must(in_equal(3, -1));
  EXPECT_EQ(list(parts[0].dims()), (List{2, 2}));
  EXPECT_EQ(elements<float>(parts[2]), (std::vector<float>{4, 14}));
  EXPECT_TRUE(fails(in_equal(2, 1, 13), Code::InvalidArgument, "cannot split an axis of size 5 into 2 equal parts"));
  EXPECT_TRUE(fails(in_equal(4, 1), Code::InvalidArgument, "cannot split an axis of size 5 into 4 parts of size 2"));
}

TEST(Split, SizesThatDoNotFitAreRefused) {
  EXPECT_TRUE(fails(by_sizes({2, 2}, 2), Code::InvalidArgument, "split's entries sum up to 4, but the axis has size 5"));
  EXPECT_TRUE(fails(by_sizes({INT64_MAX, INT64_MAX}, 2), Code::InvalidArgument, "sum up to more than 2^63"));
  EXPECT_TRUE(fails(by_sizes({6, -1}, 2), Code::InvalidArgument, "split holds -1; sizes cannot be negative"));
  EXPECT_TRUE(fails(by_sizes({2, 3}, 3), Code::InvalidArgument, "split has 2 entries, but the call has 3 outputs"));
  EXPECT_TRUE(fails(by_sizes({5}, 1, 2), Code::InvalidArgument, "which is not an axis of 2"));
  EXPECT_TRUE(fails(call_all(split, {&table()}, {int_attribute("num_outputs", 3)}, {18, 2}), Code::InvalidArgument,
                    "num_outputs is 3, but the call has 2 outputs"));
  const Tensor all = shape_of({1, 1});
  EXPECT_TRUE(fails(call_all(split, {&table(), &all}, {int_attribute("num_outputs", 2)}, {18, 2}), Code::InvalidArgument,
                    "split and num_outputs exclude each other"));
}

TEST(Split, StringsAreMoved) {
  const Tensor sizes = shape_of({1, 2});
  const Tensor texts = strings({3}, {"a", "bc", "d"});
  const auto pieces = must(call_all(split, {&texts, &sizes}, {}, {newest_opset, 2}));
  EXPECT_EQ(string_elements(pieces[1]), (std::vector<std::string>{"bc", "d"}));
}

TEST_F(BeforeRun, SplitFollowsExpressions) {
  EXPECT_EQ(sizes(split, {known({n(), 6}), shape_of({2, 4})}, {int_attribute("axis", 1)}, 2), "n 2; n 4");
  EXPECT_EQ(sizes(split, {known({6, n()})}, {int_attribute("num_outputs", 3)}, 3), "2 n; 2 n; 2 n");
  EXPECT_EQ(sizes(split, {known({6, n()})}, {}, 2, 13), "3 n; 3 n");
  EXPECT_EQ(sizes(split, {known({3, m()}), indices({2})}, {}, 2), "? m; ? m");
  EXPECT_EQ(sizes(split, {unranked(), shape_of({1, 2})}, {}, 2), "unknown; unknown");
}

}  // namespace
}  // namespace broadloom::test::split_test
