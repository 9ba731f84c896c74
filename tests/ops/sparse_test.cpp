#include "ops/sparse.h"

#include "support/tensors.h"

namespace broadloom::test::sparse_test {
namespace {

Result<Tensor> to_dense(const SparseTensor& tensor) {
  BROADLOOM_CHECK(check_sparse(tensor));
  BROADLOOM_TRY(dense, make_tensor(tensor.values.dtype, tensor.dims));
  BROADLOOM_CHECK(write_dense(tensor, dense));
  return std::move(dense);
}

SparseTensor sparse(const std::vector<float>& values, Tensor indices, const Dims& dims) {
  return {floats({static_cast<std::int64_t>(values.size())}, values), std::move(indices), dims};
}

testing::AssertionResult refuses(const SparseTensor& tensor, std::string_view part) {
  return fails(to_dense(tensor), Code::InvalidArgument, part);
}

TEST(SparseTensor, LinearIndicesPlaceTheirValues) {
  const Tensor dense = must(to_dense(sparse({1, 2, 3}, int64s({3}, {0, 2, 5}), {2, 3})));
  EXPECT_EQ(list(dense.dims()), (List{2, 3}));
  EXPECT_EQ(elements<float>(dense), (std::vector<float>{1, 0, 2, 0, 0, 3}));
}

TEST(SparseTensor, CoordinatesPlaceTheirValues) {
  const Tensor dense = must(to_dense(sparse({1, 2, 3}, int64s({3, 2}, {0, 1, 1, 0, 1, 2}), {2, 3})));
  EXPECT_EQ(elements<float>(dense), (std::vector<float>{0, 1, 0, 2, 0, 3}));
}

TEST(SparseTensor, OneAxisTakesBothKindsOfIndices) {
  EXPECT_EQ(elements<float>(must(to_dense(sparse({7}, int64s({1}, {2}), {4})))), (std::vector<float>{0, 0, 7, 0}));
  EXPECT_EQ(elements<float>(must(to_dense(sparse({7}, int64s({1, 1}, {2}), {4})))), (std::vector<float>{0, 0, 7, 0}));
}

TEST(SparseTensor, ThreeAxesOfCoordinatesAreRowMajor) {
  const Tensor dense = must(to_dense(sparse({1, 2}, int64s({2, 3}, {0, 1, 1, 1, 0, 0}), {2, 2, 2})));
  EXPECT_EQ(elements<float>(dense), (std::vector<float>{0, 0, 0, 1, 2, 0, 0, 0}));
}

TEST(SparseTensor, ExplicitZerosAreKeptWithTheirSign) {
  EXPECT_EQ(elements<std::uint32_t>(must(to_dense(sparse({0.0F, -0.0F}, int64s({2}, {0, 1}), {2})))),
            (std::vector<std::uint32_t>{0, 0x80000000}));
}

TEST(SparseTensor, NoValuesNeedNoIndices) {
  EXPECT_EQ(elements<float>(must(to_dense({floats({0}, {}), Tensor{}, {2, 1}}))), (std::vector<float>{0, 0}));
  EXPECT_EQ(elements<float>(must(to_dense(sparse({}, int64s({0}, {}), {2})))), (std::vector<float>{0, 0}));
  EXPECT_EQ(elements<float>(must(to_dense(sparse({}, int64s({0, 1}, {}), {2})))), (std::vector<float>{0, 0}));
}

TEST(SparseTensor, EveryElementMayBeGiven) {
  EXPECT_EQ(elements<float>(must(to_dense(sparse({4, 5}, int64s({2}, {0, 1}), {2})))), (std::vector<float>{4, 5}));
}

TEST(SparseTensor, EveryItemSizeIsPlaced) {
  for (int id = 1; id <= dtype_count; ++id) {
    const auto dtype = static_cast<Dtype>(id);
    if (is_packed(dtype) || dtype == Dtype::string) continue;
    const std::size_t size = item_size(dtype);
    const Tensor value = tensor_of(dtype, {1}, Bytes(size, 1));
    Bytes expected(3 * size, 0);
    std::fill_n(expected.begin() + static_cast<std::ptrdiff_t>(size), size, std::uint8_t{1});
    EXPECT_EQ(bytes_of(must(to_dense({value, int64s({1}, {1}), {3}}))), expected) << info(dtype).name;
  }
}

TEST(SparseTensor, PackedElementsAreMovedBetweenBitPositions) {
  const Tensor fours = tensor_of(Dtype::int4, {3}, Bytes{0xBA, 0x0C});
  EXPECT_EQ(bytes_of(must(to_dense({fours, int64s({3}, {1, 2, 6}), {7}}))), (Bytes{0xA0, 0x0B, 0x00, 0x0C}));
  const Tensor twos = tensor_of(Dtype::uint2, {3}, Bytes{0b00'11'10'01});
  EXPECT_EQ(bytes_of(must(to_dense({twos, int64s({3}, {0, 3, 4}), {5}}))), (Bytes{0b10'00'00'01, 0b11}));
}

TEST(SparseTensor, StringsElsewhereAreEmpty) {
  const Tensor dense = must(to_dense({strings({2}, {"a", "bc"}), int64s({2}, {0, 2}), {4}}));
  EXPECT_EQ(string_elements(dense), (std::vector<std::string>{"a", "", "bc", ""}));
  EXPECT_EQ(string_elements(must(to_dense({strings({0}, {}), Tensor{}, {2}}))), (std::vector<std::string>{"", ""}));
}

TEST(SparseTensor, AScalarIsRefused) {
  EXPECT_TRUE(refuses({floats({0}, {}), Tensor{}, {}}, "dims are empty"));
  EXPECT_TRUE(refuses(sparse({1}, int64s({1}, {0}), {}), "at least one axis"));
}

TEST(SparseTensor, DimsBelowOneAreRefused) {
  EXPECT_TRUE(refuses({floats({0}, {}), Tensor{}, {2, 0}}, "axis 1 is 0"));
  EXPECT_TRUE(refuses({floats({0}, {}), Tensor{}, {-3}}, "axis 0 is -3"));
  EXPECT_TRUE(refuses({floats({0}, {}), Tensor{}, {-3, -3}}, "below 1"));
}

TEST(SparseTensor, DimsThatOverflowAreRefused) {
  const std::int64_t large = std::int64_t{1} << 40;
  EXPECT_TRUE(refuses({floats({0}, {}), Tensor{}, {large, large}}, "too many elements"));
}

TEST(SparseTensor, ADenseSizeThatDoesNotFitIsOutOfMemory) {
  EXPECT_TRUE(fails(to_dense({floats({0}, {}), Tensor{}, {std::int64_t{1} << 50}}), Code::OutOfMemory));
}

TEST(SparseTensor, ValuesOfAnotherRankThanOneAreRefused) {
  EXPECT_TRUE(refuses({floats({}, {1}), int64s({1}, {0}), {2}}, "values have dims []"));
  EXPECT_TRUE(refuses({floats({1, 1}, {1}), int64s({1}, {0}), {2}}, "values have dims [1, 1]"));
}

TEST(SparseTensor, ValuesWithoutIndicesAreRefused) {
  EXPECT_TRUE(refuses({floats({2}, {1, 2}), Tensor{}, {2}}, "2 values without indices"));
}

TEST(SparseTensor, IndicesOfAnotherTypeAreRefused) {
  EXPECT_TRUE(refuses(sparse({1}, zeros(Dtype::int32, {1}), {2}), "indices are int32, wanted int64"));
}

TEST(SparseTensor, IndicesOfAnotherShapeAreRefused) {
  EXPECT_TRUE(refuses(sparse({1}, int64s({2}, {0, 1}), {4}), "indices have dims [2]"));
  EXPECT_TRUE(refuses(sparse({1, 2}, int64s({1}, {0}), {4}), "indices have dims [1]"));
  EXPECT_TRUE(refuses(sparse({1}, int64s({}, {0}), {4}), "indices have dims []"));
  EXPECT_TRUE(refuses(sparse({1}, int64s({1, 1}, {0}), {4, 4}), "wanted [1] or [1, 2]"));
  EXPECT_TRUE(refuses(sparse({1}, int64s({1, 3}, {0, 0, 0}), {4, 4}), "indices have dims [1, 3]"));
  EXPECT_TRUE(refuses(sparse({1}, int64s({2, 2}, {0, 0, 0, 1}), {4, 4}), "indices have dims [2, 2]"));
  EXPECT_TRUE(refuses(sparse({1}, int64s({1, 1, 1}, {0}), {4}), "indices have dims [1, 1, 1]"));
}

TEST(SparseTensor, LinearIndicesOutOfRangeAreRefused) {
  EXPECT_TRUE(refuses(sparse({1}, int64s({1}, {6}), {2, 3}), "index 0 is 6, outside 0 to 5"));
  EXPECT_TRUE(refuses(sparse({1}, int64s({1}, {-1}), {2, 3}), "index 0 is -1"));
  EXPECT_TRUE(refuses(sparse({1, 2}, int64s({2}, {0, INT64_MAX}), {2, 3}), "index 1 is"));
}

TEST(SparseTensor, CoordinatesOutOfRangeAreRefusedOnEveryAxis) {
  EXPECT_TRUE(refuses(sparse({1}, int64s({1, 2}, {0, 3}), {2, 3}), "index 0 is [0, 3], outside dims [2, 3]"));
  EXPECT_TRUE(refuses(sparse({1}, int64s({1, 2}, {2, 0}), {2, 3}), "index 0 is [2, 0]"));
  EXPECT_TRUE(refuses(sparse({1}, int64s({1, 2}, {1, -1}), {2, 3}), "index 0 is [1, -1]"));
}

TEST(SparseTensor, IndicesThatAreNotStrictlyAscendingAreRefused) {
  EXPECT_TRUE(refuses(sparse({1, 2}, int64s({2}, {3, 1}), {4}), "index 1 is [1]; indices must be strictly ascending"));
  EXPECT_TRUE(refuses(sparse({1, 2}, int64s({2}, {1, 1}), {4}), "strictly ascending"));
  EXPECT_TRUE(refuses(sparse({1, 2}, int64s({2, 2}, {1, 0, 0, 1}), {2, 2}), "index 1 is [0, 1]"));
  EXPECT_TRUE(refuses(sparse({1, 2}, int64s({2, 2}, {1, 1, 1, 1}), {2, 2}), "strictly ascending"));
}

}  // namespace
}  // namespace broadloom::test::sparse_test
