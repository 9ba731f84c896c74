#include "core/tensor.h"

#include <algorithm>

#include "support/expect.h"
#include "support/lists.h"

namespace broadloom::test::tensor_test {
namespace {

List int64_values(const Tensor& tensor) {
  List values(static_cast<std::size_t>(tensor.count()));
  read_int64(tensor, values.data());
  return values;
}

TEST(MakeTensor, IsDenseWithRoomForItsElements) {
  for (int id = 1; id <= dtype_count; ++id) {
    const auto dtype = static_cast<Dtype>(id);
    const Tensor tensor = must(make_tensor(dtype, {3, 5}));
    EXPECT_EQ(tensor.dtype, dtype);
    EXPECT_TRUE(is_dense(tensor.layout));
    EXPECT_EQ(tensor.count(), 15);
    EXPECT_EQ(dense_size(tensor), static_cast<std::size_t>((15 * info(dtype).bits + 7) / 8)) << info(dtype).name;
    EXPECT_GE(tensor.storage->size(), dense_size(tensor)) << info(dtype).name;
  }
}

TEST(MakeTensor, AllocationsThatDoNotFitAreOutOfMemory) {
  EXPECT_TRUE(fails(make_tensor(Dtype::uint8, {std::int64_t{1} << 50}), Code::OutOfMemory));
  EXPECT_TRUE(fails(make_tensor(Dtype::float64, {max_count}), Code::OutOfMemory));
  EXPECT_TRUE(fails(make_tensor(Dtype::uint2, {max_count}), Code::OutOfMemory));
}

TEST(MakeTensor, ZeroSizeTensorsBesideHugeDimsFit) {
  const Tensor tensor = must(make_tensor(Dtype::complex128, {std::int64_t{1} << 52, 0}));
  EXPECT_EQ(tensor.count(), 0);
  EXPECT_EQ(dense_size(tensor), 0U);
}

TEST(Tensor, CopiesShareStorageAndAreFreedTogether) {
  const std::size_t before = Storage::bytes_in_use();
  {
    const Tensor tensor = must(make_tensor(Dtype::float32, {4}));
    const Tensor copy = tensor;  // NOLINT(performance-unnecessary-copy-initialization): the subject of this test
    EXPECT_EQ(copy.data(), tensor.data());
    EXPECT_TRUE(tensor.storage->is_shared());
    EXPECT_EQ(Storage::bytes_in_use(), before + 16);
  }
  EXPECT_EQ(Storage::bytes_in_use(), before);
}

TEST(MakeVector, HoldsItsValues) {
  const Tensor tensor = must(make_vector(List{3, -1, INT64_MIN}));
  EXPECT_EQ(tensor.dtype, Dtype::int64);
  EXPECT_EQ(list(tensor.dims()), (List{3}));
  EXPECT_EQ(int64_values(tensor), (List{3, -1, INT64_MIN}));
  EXPECT_EQ(must(make_vector(List{})).count(), 0);
}

TEST(ReadInt64, FollowsAnyStride) {
  const Tensor tensor = must(make_vector(List{1, 2, 3, 4, 5, 6, 7, 8, 9}));
  EXPECT_EQ(int64_values(Tensor{Dtype::int64, Layout{{3}, {4}}, tensor.storage}), (List{1, 5, 9}));
  EXPECT_EQ(int64_values(Tensor{Dtype::int64, Layout{{9}, {0}}, tensor.storage}), List(9, 1));
}

TEST(PackedElement, IsFoundWithinItsByte) {
  const std::byte int4s[] = {std::byte{0xA3}, std::byte{0x5C}};
  for (std::int64_t i = 0; i < 4; ++i)
    EXPECT_EQ(packed_element(Dtype::int4, int4s, i), (std::vector<unsigned>{3, 10, 12, 5})[static_cast<std::size_t>(i)]);
  const std::byte uint2s[] = {std::byte{0b11100100}};
  for (std::int64_t i = 0; i < 4; ++i) EXPECT_EQ(packed_element(Dtype::uint2, uint2s, i), static_cast<unsigned>(i));
}

Tensor filled(Dtype dtype, const Dims& dims) {
  Tensor tensor = must(make_tensor(dtype, dims));
  std::fill_n(tensor.data(), tensor.storage->size(), std::byte{0xFF});
  return tensor;
}

TEST(ClearPadding, ZeroesTheUnusedBitsOfTheLastByteOnly) {
  const struct {
    Dtype dtype;
    std::int64_t count;
    std::uint8_t last;
  } cases[] = {{Dtype::int4, 3, 0x0F},        {Dtype::int4, 4, 0xFF},  {Dtype::uint2, 5, 0b11}, {Dtype::uint2, 6, 0xF},
               {Dtype::uint2, 7, 0b00111111}, {Dtype::uint2, 8, 0xFF}, {Dtype::uint8, 3, 0xFF}, {Dtype::float4e2m1, 1, 0x0F}};
  for (const auto& [dtype, count, last] : cases) {
    Tensor tensor = filled(dtype, {count});
    clear_padding(tensor.dtype, tensor.count(), tensor.data());
    const std::size_t size = dense_size(tensor);
    EXPECT_EQ(tensor.data()[size - 1], static_cast<std::byte>(last)) << info(dtype).name << " " << count;
    for (std::size_t i = 0; i + 1 < size; ++i) EXPECT_EQ(tensor.data()[i], std::byte{0xFF}) << info(dtype).name << " " << count;
  }
}

TEST(ClearPadding, LeavesATensorWithoutElementsAlone) {
  Tensor tensor = filled(Dtype::int4, {0});
  clear_padding(tensor.dtype, tensor.count(), tensor.data());
  EXPECT_EQ(tensor.count(), 0);
}

TEST(CheckBools, BytesOtherThanZeroAndOneAreRefusedByTheirPlace) {
  Tensor tensor = must(make_tensor(Dtype::boolean, {3}));
  std::fill_n(tensor.data(), 3, std::byte{1});
  EXPECT_TRUE(succeeds(check_bools(tensor.data(), 3)));
  tensor.data()[2] = std::byte{2};
  EXPECT_TRUE(fails(check_bools(tensor.data(), 3), Code::InvalidArgument, "element 2 is 2, which bool cannot hold"));
}

}  // namespace
}  // namespace broadloom::test::tensor_test
