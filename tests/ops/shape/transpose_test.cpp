#include "support/before_run.h"
#include "support/layouts.h"

namespace broadloom::op {
extern const Operator transpose;
}

namespace broadloom::test::transpose_test {
namespace {

std::vector<Given> perm(const List& axes) { return {{"perm", AttributeType::INTS, shape_of(axes)}}; }

TEST(Transpose, ReversesTheAxesWithoutPerm) {
  const Tensor data = floats({2, 3}, {1, 2, 3, 4, 5, 6});
  const Tensor result = must(call(transpose, {&data}));
  EXPECT_EQ(list(result.dims()), (List{3, 2}));
  EXPECT_EQ(elements<float>(result), (std::vector<float>{1, 4, 2, 5, 3, 6}));
  const Tensor scalar = floats({}, {7});
  EXPECT_EQ(list(must(call(transpose, {&scalar})).dims()), List{});
}

TEST(Transpose, IsAView) {
  const Tensor data = floats({2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(must(call(transpose, {&data})).storage.operator->(), data.storage.operator->());
}

TEST(Transpose, OfEveryItemSizeAndPermFindsEachElement) {
  Random random;
  for (int i = 0; i < 200; ++i) {
    const List dims = random_dims(random, static_cast<std::size_t>(random.between(1, 5)));
    const Tensor data = distinct(item_types[static_cast<std::size_t>(random.between(0, 4))], dims);
    List axes(dims.size());
    for (std::size_t axis = 0; axis < axes.size(); ++axis) axes[axis] = static_cast<std::int64_t>(axis);
    for (std::size_t axis = axes.size(); axis-- > 1;) {
      std::swap(axes[axis], axes[static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(axis)))]);
    }
    const Tensor result = must(densify(must(call(transpose, {&data}, perm(axes)))));
    for (std::int64_t number = 0; number < data.count(); ++number) {
      const List at = coordinates_of(dims, number);
      List there(axes.size());
      for (std::size_t axis = 0; axis < axes.size(); ++axis) there[axis] = at[static_cast<std::size_t>(axes[axis])];
      EXPECT_EQ(item_at(result, number_of(list(result.dims()), there)), item_at(data, number));
    }
  }
}

TEST(Transpose, PackedAndStringElementsAreMoved) {
  const Tensor packed = tensor_of(Dtype::uint4, {2, 2}, Bytes{0x21, 0x43});
  EXPECT_EQ(bytes_of(must(call(transpose, {&packed}))), (Bytes{0x31, 0x42}));
  const Tensor texts = strings({2, 2}, {"a", "bc", "", "d"});
  EXPECT_EQ(string_elements(must(call(transpose, {&texts}))), (std::vector<std::string>{"a", "", "bc", "d"}));
}

TEST(Transpose, AnInvalidPermIsRefused) {
  const Tensor data = floats({2, 3}, {1, 2, 3, 4, 5, 6});
  const auto refuses = [&](const List& axes, std::string_view text) {
    return fails(call(transpose, {&data}, perm(axes)), Code::InvalidArgument, text);
  };
  EXPECT_TRUE(refuses({0}, "perm [0] has 1 axis, but data has 2"));
  EXPECT_TRUE(refuses({0, 0}, "twice"));
  EXPECT_TRUE(refuses({0, 2}, "which is not an axis of 2"));
  EXPECT_TRUE(refuses({-1, 0}, "perm [-1, 0] has a negative axis"));
}

TEST_F(BeforeRun, TransposeMovesSizes) {
  EXPECT_EQ(sizes(transpose, {known({n(), 2, m()})}, perm({2, 0, 1})), "m n 2");
  EXPECT_EQ(sizes(transpose, {known({n(), 2})}), "2 n");
  EXPECT_EQ(sizes(transpose, {unranked()}, perm({1, 0})), "? ?");
  EXPECT_EQ(sizes(transpose, {unranked()}), "unknown");
}

}  // namespace
}  // namespace broadloom::test::transpose_test
