#include "support/before_run.h"

namespace broadloom::op {
extern const Operator size;
}

namespace broadloom::test::size_test {
namespace {

std::int64_t size_of_dims(const List& dims, std::int64_t opset = newest_opset) {
  const Tensor data{Dtype::float32, uniform_layout(dims_of(dims)), zeros(Dtype::float32, {1}).storage};
  const Tensor result = must(call(op::size, {&data}, {}, opset));
  EXPECT_EQ(list(result.dims()), List{});
  return elements<std::int64_t>(result).at(0);
}

TEST(Size, IsTheNumberOfElements) {
  for (const std::int64_t opset : {1, 13, 25}) EXPECT_EQ(size_of_dims({2, 3, 4}, opset), 24) << opset;
  EXPECT_EQ(size_of_dims({}), 1);
  EXPECT_EQ(size_of_dims({3, 0}), 0);
  // A lazy tensor that repeats one element.
  EXPECT_EQ(size_of_dims({std::int64_t{1} << 40}), std::int64_t{1} << 40);
}

TEST_F(BeforeRun, SizeIsAnExpression) {
  EXPECT_EQ(sizes(op::size, {known({n(), 3})}), "");
  ASSERT_TRUE(outputs_[0].has_elements());
  EXPECT_EQ(*reinterpret_cast<const Size*>(outputs_[0].data()), expressions_.multiply(n(), 3));
  EXPECT_EQ(sizes(op::size, {unranked()}), "");
  EXPECT_FALSE(outputs_[0].has_elements());
}

}  // namespace
}  // namespace broadloom::test::size_test
