#include "core/dtype.h"

#include <gtest/gtest.h>

namespace broadloom::dtype_test {
namespace {

// Written from onnx.proto (TensorProto.DataType), independently of the table.
struct Row {
  int id;
  std::string_view name;
  int bits;
  DtypeKind kind;
};
constexpr Row rows[] = {
    {1, "float32", 32, DtypeKind::real_float},
    {2, "uint8", 8, DtypeKind::unsigned_integer},
    {3, "int8", 8, DtypeKind::signed_integer},
    {4, "uint16", 16, DtypeKind::unsigned_integer},
    {5, "int16", 16, DtypeKind::signed_integer},
    {6, "int32", 32, DtypeKind::signed_integer},
    {7, "int64", 64, DtypeKind::signed_integer},
    {8, "string", 64, DtypeKind::string},
    {9, "bool", 8, DtypeKind::boolean},
    {10, "float16", 16, DtypeKind::mini_float},
    {11, "float64", 64, DtypeKind::real_float},
    {12, "uint32", 32, DtypeKind::unsigned_integer},
    {13, "uint64", 64, DtypeKind::unsigned_integer},
    {14, "complex64", 64, DtypeKind::complex},
    {15, "complex128", 128, DtypeKind::complex},
    {16, "bfloat16", 16, DtypeKind::mini_float},
    {17, "float8e4m3fn", 8, DtypeKind::mini_float},
    {18, "float8e4m3fnuz", 8, DtypeKind::mini_float},
    {19, "float8e5m2", 8, DtypeKind::mini_float},
    {20, "float8e5m2fnuz", 8, DtypeKind::mini_float},
    {21, "uint4", 4, DtypeKind::unsigned_integer},
    {22, "int4", 4, DtypeKind::signed_integer},
    {23, "float4e2m1", 4, DtypeKind::mini_float},
    {24, "float8e8m0", 8, DtypeKind::mini_float},
    {25, "uint2", 2, DtypeKind::unsigned_integer},
    {26, "int2", 2, DtypeKind::signed_integer},
};

TEST(Dtype, EveryTypeOfOnnxHasItsNameBitsAndKind) {
  EXPECT_EQ(std::size(rows), static_cast<std::size_t>(dtype_count));
  for (const Row& row : rows) {
    const auto dtype = dtype_from_id(row.id);
    ASSERT_TRUE(dtype) << row.id;
    EXPECT_EQ(static_cast<int>(*dtype), row.id);
    EXPECT_EQ(info(*dtype).name, row.name);
    EXPECT_EQ(info(*dtype).bits, row.bits) << row.name;
    EXPECT_EQ(info(*dtype).kind, row.kind) << row.name;
  }
}

TEST(Dtype, NumbersOutsideTheTableAreNotTypes) {
  for (const std::int64_t id : {std::int64_t{0}, std::int64_t{27}, std::int64_t{-1}, std::int64_t{1} << 32,
                                (std::int64_t{1} << 32) + 1, INT64_MAX, INT64_MIN}) {
    EXPECT_FALSE(dtype_from_id(id)) << id;
  }
}

TEST(Dtype, ExactlyTheTypesBelowAByteArePacked) {
  for (const Row& row : rows) {
    const auto dtype = static_cast<Dtype>(row.id);
    EXPECT_EQ(is_packed(dtype), row.bits < 8) << row.name;
    if (row.bits >= 8) EXPECT_EQ(item_size(dtype) * 8, static_cast<std::size_t>(row.bits)) << row.name;
  }
}

TEST(TypeSet, ContainsItsMembersAndNoOthers) {
  constexpr TypeSet set = Dtype::float32 | Dtype::int2 | Dtype::string;
  for (const Row& row : rows) {
    EXPECT_EQ(set.contains(static_cast<Dtype>(row.id)), row.id == 1 || row.id == 26 || row.id == 8) << row.name;
  }
  EXPECT_FALSE(TypeSet().contains(Dtype::float32));
}

TEST(TypeSet, BitsAreNumberedByTensorProtoDataType) {
  EXPECT_EQ((Dtype::float32 | Dtype::uint8).bits(), 0b110U);
  EXPECT_EQ(TypeSet(Dtype::int2).bits(), 1U << 26U);
}

TEST(TypeSet, OnlyASetOfOneHasASingleType) {
  for (const Row& row : rows) EXPECT_EQ(TypeSet(static_cast<Dtype>(row.id)).single(), static_cast<Dtype>(row.id));
  EXPECT_EQ(TypeSet().single(), Dtype::undefined);
  EXPECT_EQ((Dtype::float32 | Dtype::int2).single(), Dtype::undefined);
}

TEST(TypeSet, UnionHasTheMembersOfBoth) {
  constexpr TypeSet united = (Dtype::float32 | Dtype::int8) | (Dtype::int8 | Dtype::uint2);
  EXPECT_EQ(united.bits(), (1U << 1U) | (1U << 3U) | (1U << 25U));
}

}  // namespace
}  // namespace broadloom::dtype_test
