#include "support/calls.h"

namespace broadloom::op {
extern const Operator constant_of_shape;
}

namespace broadloom::test::constant_of_shape_test {
namespace {

Result<Tensor> constant_of(const List& sizes) {
  const Tensor dims = shape_of(sizes);
  return call(constant_of_shape, {&dims});
}

Result<Tensor> constant_of(const List& sizes, const Tensor& value) {
  const Tensor dims = shape_of(sizes);
  return call(constant_of_shape, {&dims}, {tensor_attribute("value", value)});
}

TEST(ConstantOfShape, WithoutAValueIsFloat32Zero) {
  const Tensor result = must(constant_of({2, 3}));
  EXPECT_EQ(result.dtype, Dtype::float32);
  EXPECT_EQ(list(result.dims()), (List{2, 3}));
  EXPECT_EQ(elements<std::uint32_t>(result), std::vector<std::uint32_t>(6, 0));
}

TEST(ConstantOfShape, TheValueGivesTypeAndElements) {
  const Tensor result = must(constant_of({2, 2}, int64s({1}, {-7})));
  EXPECT_EQ(result.dtype, Dtype::int64);
  EXPECT_EQ(elements<std::int64_t>(result), (List{-7, -7, -7, -7}));
}

TEST(ConstantOfShape, EveryItemSizeIsRepeated) {
  for (int id = 1; id <= dtype_count; ++id) {
    const auto dtype = static_cast<Dtype>(id);
    if (is_packed(dtype) || info(dtype).kind == DtypeKind::complex || dtype == Dtype::string) continue;
    Bytes item(item_size(dtype));
    for (std::size_t i = 0; i < item.size(); ++i) item[i] = dtype == Dtype::boolean ? 1 : static_cast<std::uint8_t>(i + 1);
    Bytes expected;
    for (int i = 0; i < 35; ++i) expected.insert(expected.end(), item.begin(), item.end());
    EXPECT_EQ(bytes_of(must(constant_of({5, 7}, tensor_of(dtype, {1}, item)))), expected) << info(dtype).name;
  }
}

TEST(ConstantOfShape, TheFillIsExactToTheBit) {
  for (const std::uint32_t bits : {0x80000000U, 0x7FC00001U, 0xFF800000U, 0x7F800001U}) {
    const Tensor value = tensor_of(Dtype::float32, {1}, std::vector<std::uint32_t>{bits});
    EXPECT_EQ(elements<std::uint32_t>(must(constant_of({3}, value))), std::vector<std::uint32_t>(3, bits));
  }
}

TEST(ConstantOfShape, AnEmptyShapeGivesAScalar) {
  const Tensor result = must(constant_of({}, floats({1}, {4})));
  EXPECT_EQ(list(result.dims()), List{});
  EXPECT_EQ(elements<float>(result), std::vector<float>{4});
}

TEST(ConstantOfShape, AZeroEntryGivesATensorWithoutElements) {
  for (const List& sizes : {List{0}, List{3, 0}, List{0, 4, 5}, List{2, 0, 2}}) {
    const Tensor result = must(constant_of(sizes));
    EXPECT_EQ(list(result.dims()), sizes);
    EXPECT_EQ(elements<float>(result), std::vector<float>{});
  }
}

TEST(ConstantOfShape, PackedElementsFillTheirBytesAndThePaddingIsZero) {
  const Tensor four = tensor_of(Dtype::int4, {1}, Bytes{0x0D});
  EXPECT_EQ(bytes_of(must(constant_of({1}, four))), (Bytes{0x0D}));
  EXPECT_EQ(bytes_of(must(constant_of({2}, four))), (Bytes{0xDD}));
  EXPECT_EQ(bytes_of(must(constant_of({3}, four))), (Bytes{0xDD, 0x0D}));
  EXPECT_EQ(bytes_of(must(constant_of({3, 3}, four))), (Bytes{0xDD, 0xDD, 0xDD, 0xDD, 0x0D}));
  EXPECT_EQ(bytes_of(must(constant_of({0}, four))), Bytes{});
  EXPECT_EQ(bytes_of(must(constant_of({}, four))), (Bytes{0x0D}));
  const Tensor two = tensor_of(Dtype::uint2, {1}, Bytes{0b10});
  EXPECT_EQ(bytes_of(must(constant_of({5}, two))), (Bytes{0b10101010, 0b10}));
  const Tensor small_float = tensor_of(Dtype::float4e2m1, {1}, Bytes{0x07});
  EXPECT_EQ(bytes_of(must(constant_of({3}, small_float))), (Bytes{0x77, 0x07}));
}

TEST(ConstantOfShape, AnyTensorOfOneElementIsAValue) {
  for (const Dims& dims : {Dims{}, Dims{1}, Dims{1, 1}, Dims{1, 1, 1, 1, 1, 1, 1}}) {
    EXPECT_EQ(elements<float>(must(constant_of({2}, floats(dims, {3})))), (std::vector<float>{3, 3}));
  }
}

TEST(ConstantOfShape, AValueOfMoreOrFewerElementsIsRefused) {
  EXPECT_TRUE(fails(constant_of({2}, floats({2}, {1, 2})), Code::InvalidArgument, "dims [2] and 2 elements, wanted one"));
  EXPECT_TRUE(fails(constant_of({2}, floats({0}, {})), Code::InvalidArgument, "dims [0] and 0 elements"));
  EXPECT_TRUE(fails(constant_of({2}, floats({1, 3}, {1, 2, 3})), Code::InvalidArgument, "wanted one"));
}

TEST(ConstantOfShape, ANegativeEntryIsRefusedWithItsIndex) {
  EXPECT_TRUE(fails(constant_of({2, -1}), Code::InvalidArgument, "input 'input' holds [2, -1]: entry 1 is -1"));
  EXPECT_TRUE(fails(constant_of({INT64_MIN}), Code::InvalidArgument, "entry 0"));
}

TEST(ConstantOfShape, ANegativeEntryBesideAZeroIsRefused) {
  EXPECT_TRUE(fails(constant_of({0, -1}), Code::InvalidArgument, "entry 1 is -1"));
  EXPECT_TRUE(fails(constant_of({-1, 0}), Code::InvalidArgument, "entry 0 is -1"));
}

TEST(ConstantOfShape, TheShapeMustHaveOneAxis) {
  const Tensor scalar = int64s({}, {3});
  EXPECT_TRUE(fails(call(constant_of_shape, {&scalar}), Code::InvalidArgument, "dims [], wanted one axis"));
  const Tensor matrix = int64s({1, 2}, {3, 4});
  EXPECT_TRUE(fails(call(constant_of_shape, {&matrix}), Code::InvalidArgument, "dims [1, 2], wanted one axis"));
  const Tensor empty_matrix = int64s({0, 2}, {});
  EXPECT_TRUE(fails(call(constant_of_shape, {&empty_matrix}), Code::InvalidArgument, "wanted one axis"));
}

TEST(ConstantOfShape, TheShapeMustBeInt64) {
  for (const Dtype dtype : {Dtype::int32, Dtype::uint64, Dtype::float32, Dtype::string, Dtype::int4}) {
    const Tensor dims = zeros(dtype, {1});
    EXPECT_TRUE(fails(call(constant_of_shape, {&dims}), Code::UnsupportedType, "input 'input' cannot be")) << info(dtype).name;
  }
}

TEST(ConstantOfShape, AnElementCountThatOverflowsIsRefused) {
  const std::int64_t large = std::int64_t{1} << 40;
  EXPECT_TRUE(fails(constant_of({large, large}), Code::InvalidArgument, "too many elements"));
  EXPECT_TRUE(fails(constant_of({large, large, 0}), Code::InvalidArgument, "too many elements"));
  EXPECT_TRUE(fails(constant_of({INT64_MAX}), Code::InvalidArgument, "too many elements"));
}

TEST(ConstantOfShape, TheResultIsOneElementUntilItIsRead) {
  const std::size_t before = Storage::bytes_in_use();
  const Tensor result = must(constant_of({1000, 1000, 1000}));
  EXPECT_TRUE(all_strides_are_zero(result));
  EXPECT_LE(Storage::bytes_in_use() - before, 64U);
}

TEST(ConstantOfShape, TheResultSharesTheStorageOfTheValue) {
  const Tensor value = floats({1}, {2});
  EXPECT_EQ(must(constant_of({9, 9}, value)).data(), value.data());
}

TEST(ConstantOfShape, AHugeResultIsMadeAndOnlyReadingItIsOutOfMemory) {
  const Tensor result = must(constant_of({std::int64_t{1} << 50}));
  EXPECT_EQ(result.count(), std::int64_t{1} << 50);
  EXPECT_TRUE(fails(densify(result), Code::OutOfMemory));
  const Tensor largest = must(constant_of({max_count}, zeros(Dtype::float64, {1})));
  EXPECT_TRUE(fails(densify(largest), Code::OutOfMemory, "more than 2^53 - 1 bytes"));
}

TEST(ConstantOfShape, AShapeThatIsItselfLazyIsRead) {
  const Tensor threes = must(constant_of({4}, int64s({1}, {3})));
  const Tensor result = must(call(constant_of_shape, {&threes}));
  EXPECT_EQ(list(result.dims()), (List{3, 3, 3, 3}));
  EXPECT_EQ(elements<float>(result), std::vector<float>(81, 0));
}

TEST(ConstantOfShape, AShapeOfMoreEntriesThanATensorCanHaveAxesIsRefused) {
  for (const std::int64_t length : {std::int64_t{256}, std::int64_t{1} << 40, max_count}) {
    const Tensor ones = must(constant_of({length}, int64s({1}, {1})));
    EXPECT_TRUE(fails(call(constant_of_shape, {&ones}), Code::InvalidArgument, "a tensor can have at most 255"));
  }
  const Tensor ones = must(constant_of({255}, int64s({1}, {1})));
  EXPECT_EQ(must(call(constant_of_shape, {&ones})).dims().size(), 255U);
}

TEST(ConstantOfShape, RanksBeyondTheUsualWork) {
  List sizes(100, 1);
  sizes[50] = 3;
  const Tensor result = must(constant_of(sizes));
  EXPECT_EQ(list(result.dims()), sizes);
  EXPECT_EQ(elements<float>(result), std::vector<float>(3, 0));
}

TEST(ConstantOfShape, AnErrorLeavesNoStorageBehind) {
  const std::size_t before = Storage::bytes_in_use();
  EXPECT_TRUE(fails(constant_of({2, -1}, floats({1}, {1})), Code::InvalidArgument));
  EXPECT_TRUE(fails(constant_of({INT64_MAX, 2}), Code::InvalidArgument));
  EXPECT_EQ(Storage::bytes_in_use(), before);
}

}  // namespace
}  // namespace broadloom::test::constant_of_shape_test
