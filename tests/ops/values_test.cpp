// Tensors are values: sharing storage must not be observable.
#include "support/calls.h"

namespace broadloom::op {
extern const Operator constant, constant_of_shape, expand, identity, shape;
}

namespace broadloom::test::values_test {
namespace {

void write_first(Tensor& tensor, float value) { *reinterpret_cast<float*>(tensor.data()) = value; }

Tensor expanded(const Tensor& input, const List& sizes) {
  const Tensor dims = shape_of(sizes);
  return must(call(expand, {&input, &dims}));
}

TEST(Identity, ReturnsItsInputForEveryType) {
  for (int id = 1; id <= dtype_count; ++id) {
    const auto dtype = static_cast<Dtype>(id);
    if (dtype == Dtype::string) continue;
    const auto size = static_cast<std::size_t>(must(dense_bytes(dtype, 3)));
    const Tensor x = tensor_of(dtype, {3}, Bytes(size, 1));
    const Tensor y = must(call(identity, {&x}));
    EXPECT_EQ(list(y.dims()), List{3});
    EXPECT_EQ(bytes_of(y), Bytes(size, 1)) << info(dtype).name;
  }
}

TEST(Identity, ReturnsStringsScalarsAndEmptyTensors) {
  const Tensor text = strings({2}, {"a", ""});
  EXPECT_EQ(string_elements(must(call(identity, {&text}))), (std::vector<std::string>{"a", ""}));
  const Tensor scalar = floats({}, {3});
  EXPECT_EQ(elements<float>(must(call(identity, {&scalar}))), std::vector<float>{3});
  const Tensor empty = floats({0, 3}, {});
  EXPECT_EQ(list(must(call(identity, {&empty})).dims()), (List{0, 3}));
}

TEST(Identity, SharesStorageAndKeepsALazyLayout) {
  const Tensor x = floats({1}, {3});
  const Tensor y = expanded(x, {1000, 1000});
  const Tensor z = must(call(identity, {&y}));
  EXPECT_EQ(z.data(), x.data());
  EXPECT_TRUE(all_strides_are_zero(z));
}

TEST(Densify, GivesADenseTensorItself) {
  const Tensor x = floats({2}, {1, 2});
  EXPECT_EQ(must(densify(x)).data(), x.data());
}

TEST(Densify, WritesAViewOutAndLeavesItAsItIs) {
  const Tensor x = floats({2, 1}, {1, 2});
  const Tensor y = expanded(x, {2, 2});
  const Tensor dense = must(densify(y));
  EXPECT_NE(dense.data(), x.data());
  EXPECT_TRUE(is_dense(dense.layout));
  EXPECT_EQ(elements<float>(dense), (std::vector<float>{1, 1, 2, 2}));
  EXPECT_EQ(list(y.layout->strides), (List{1, 0}));
}

TEST(Densify, KeepsTheTextOfStringsAlive) {
  Tensor dense;
  {
    const Tensor y = expanded(strings({1}, {"text"}), {2});
    dense = must(densify(y));
  }
  EXPECT_EQ(string_elements(dense), (std::vector<std::string>{"text", "text"}));
}

TEST(Share, SharesStorageThatNobodyCanWrite) {
  const Tensor x = floats({2}, {1, 2});
  EXPECT_EQ(must(share(x)).data(), x.data());
}

TEST(Share, CopiesStorageWhoseViewWasHandedOut) {
  Tensor x = floats({2}, {1, 2});
  ASSERT_TRUE(succeeds(expose(x)));
  const Tensor y = must(share(x));
  EXPECT_NE(y.data(), x.data());
  EXPECT_FALSE(y.storage->exposed);
  write_first(x, 9);
  EXPECT_EQ(elements<float>(y), (std::vector<float>{1, 2}));
}

TEST(Expose, OfATensorThatOwnsItsStorageCopiesNothing) {
  Tensor x = floats({2}, {1, 2});
  const std::byte* data = x.data();
  ASSERT_TRUE(succeeds(expose(x)));
  EXPECT_EQ(x.data(), data);
  EXPECT_TRUE(x.storage->exposed);
  ASSERT_TRUE(succeeds(expose(x)));
  EXPECT_EQ(x.data(), data);
}

TEST(Expose, OfSharedStorageMakesACopy) {
  Tensor x = floats({2, 1}, {1, 2});
  const Tensor y = expanded(x, {2, 2});
  ASSERT_TRUE(succeeds(expose(x)));
  write_first(x, 9);
  EXPECT_EQ(elements<float>(y), (std::vector<float>{1, 1, 2, 2}));
  EXPECT_FALSE(y.storage->exposed);
}

TEST(Expose, OfAViewMakesItDense) {
  const Tensor x = floats({2, 1}, {1, 2});
  Tensor y = expanded(x, {2, 2});
  ASSERT_TRUE(succeeds(expose(y)));
  EXPECT_TRUE(is_dense(y.layout));
  write_first(y, 9);
  EXPECT_EQ(elements<float>(y), (std::vector<float>{9, 1, 2, 2}));
  EXPECT_EQ(elements<float>(x), (std::vector<float>{1, 2}));
}

TEST(Expose, OfAViewWhoseSourceWasFreedMakesItDenseToo) {
  Tensor y = expanded(floats({1}, {4}), {3});
  EXPECT_FALSE(y.storage->is_shared());
  ASSERT_TRUE(succeeds(expose(y)));
  EXPECT_EQ(elements<float>(y), (std::vector<float>{4, 4, 4}));
  write_first(y, 9);
  EXPECT_EQ(elements<float>(y), (std::vector<float>{9, 4, 4}));
}

TEST(Expose, OfPackedElementsKeepsThemAndZeroesThePadding) {
  const Tensor value = tensor_of(Dtype::int4, {1}, Bytes{0x0B});
  const Tensor dims = shape_of({5});
  Tensor y = must(call(constant_of_shape, {&dims}, {tensor_attribute("value", value)}));
  ASSERT_TRUE(succeeds(expose(y)));
  EXPECT_EQ(Bytes(reinterpret_cast<std::uint8_t*>(y.data()), reinterpret_cast<std::uint8_t*>(y.data()) + 3),
            (Bytes{0xBB, 0xBB, 0x0B}));
}

TEST(Expose, OutOfMemoryChangesNothing) {
  Tensor y = expanded(floats({1}, {4}), {std::int64_t{1} << 50});
  EXPECT_TRUE(fails(expose(y), Code::OutOfMemory));
  EXPECT_EQ(y.count(), std::int64_t{1} << 50);
  EXPECT_FALSE(y.storage->exposed);
  EXPECT_EQ(*reinterpret_cast<const float*>(y.data()), 4);
}

// Later writes through a view from before the call must not change the result.
TEST(Operators, DoNotFollowWritesThroughAnEarlierView) {
  Tensor x = floats({2}, {1, 2});
  ASSERT_TRUE(succeeds(expose(x)));
  const Tensor same = must(call(identity, {&x}));
  const Tensor wide = expanded(x, {2, 2});
  const Tensor kept = must(call(constant, {}, {tensor_attribute("value", x)}));
  Tensor one = floats({1}, {5});
  ASSERT_TRUE(succeeds(expose(one)));
  const Tensor dims = shape_of({3});
  const Tensor fives = must(call(constant_of_shape, {&dims}, {tensor_attribute("value", one)}));
  write_first(x, 9);
  write_first(one, 9);
  EXPECT_EQ(elements<float>(same), (std::vector<float>{1, 2}));
  EXPECT_EQ(elements<float>(wide), (std::vector<float>{1, 2, 1, 2}));
  EXPECT_EQ(elements<float>(kept), (std::vector<float>{1, 2}));
  EXPECT_EQ(elements<float>(fives), (std::vector<float>{5, 5, 5}));
}

TEST(Operators, DoNotFollowWritesThroughALaterView) {
  Tensor x = floats({2}, {1, 2});
  const Tensor same = must(call(identity, {&x}));
  const Tensor wide = expanded(x, {2, 2});
  ASSERT_TRUE(succeeds(expose(x)));
  write_first(x, 9);
  EXPECT_EQ(elements<float>(same), (std::vector<float>{1, 2}));
  EXPECT_EQ(elements<float>(wide), (std::vector<float>{1, 2, 1, 2}));
}

TEST(Operators, SeeWritesThroughAViewBeforeTheCall) {
  Tensor dims = shape_of({2, 3});
  ASSERT_TRUE(succeeds(expose(dims)));
  *reinterpret_cast<std::int64_t*>(dims.data()) = 4;
  EXPECT_EQ(list(must(call(constant_of_shape, {&dims})).dims()), (List{4, 3}));
}

TEST(Operators, FreeEverythingWhenTheirTensorsAreGone) {
  const std::size_t before = Storage::bytes_in_use();
  {
    const Tensor x = floats({2}, {1, 2});
    const Tensor wide = expanded(x, {3, 2});
    const Tensor dims = must(call(shape, {&wide}));
    const Tensor zeros = must(call(constant_of_shape, {&dims}));
    const Tensor dense = must(densify(wide));
    EXPECT_GT(Storage::bytes_in_use(), before);
  }
  EXPECT_EQ(Storage::bytes_in_use(), before);
}

TEST(Operators, AChainOfShapeConstantOfShapeAndExpandGivesItsElements) {
  const Tensor x = floats({2, 3}, std::vector<float>(6, 1));
  const Tensor dims = must(call(shape, {&x}));
  const Tensor sevens = must(call(constant_of_shape, {&dims}, {tensor_attribute("value", int64s({1}, {7}))}));
  const Tensor sizes = shape_of({2, 1, 1});
  const Tensor y = must(call(expand, {&sevens, &sizes}));
  EXPECT_EQ(list(y.dims()), (List{2, 2, 3}));
  EXPECT_EQ(elements<std::int64_t>(y), List(12, 7));
}

}  // namespace
}  // namespace broadloom::test::values_test
