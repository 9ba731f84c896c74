// TensorProto: reading every element type from every field that may hold it, and writing.
#include "support/tensor_files.h"

namespace broadloom::test::tensor_proto_test {
namespace {

std::string as_string(const Bytes& bytes) { return {bytes.begin(), bytes.end()}; }

// Five elements of a type, so that every packed type ends within a byte. Padding is zero.
Bytes sample(Dtype dtype) {
  const std::size_t size = static_cast<std::size_t>((5 * info(dtype).bits + 7) / 8);
  Bytes bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::uint8_t>(0x91 + 37 * i);
  if (dtype == Dtype::boolean) bytes = {1, 0, 1, 1, 0};
  if (info(dtype).bits == 4) bytes.back() &= 0x0F;
  if (info(dtype).bits == 2) bytes.back() &= 0x03;
  return bytes;
}

// The entries of the varint fields: sign-extended for signed types, bit patterns for others, bytes for packed ones.
List entries(Dtype dtype, const Bytes& bytes) {
  const std::size_t size = is_packed(dtype) ? 1 : item_size(dtype);
  const bool is_signed = info(dtype).kind == DtypeKind::signed_integer && !is_packed(dtype);
  List values;
  for (std::size_t i = 0; i < bytes.size(); i += size) {
    std::uint64_t value = 0;
    std::memcpy(&value, bytes.data() + i, size);
    const auto unused = static_cast<unsigned>(64 - 8 * size);
    values.push_back(is_signed ? static_cast<std::int64_t>(value << unused) >> unused : static_cast<std::int64_t>(value));
  }
  return values;
}

template <class Bits>
std::vector<Bits> words(const Bytes& bytes) {
  std::vector<Bits> values(bytes.size() / sizeof(Bits));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

// The typed field of a type, from onnx.proto.
std::uint32_t varint_field(Dtype dtype) {
  if (dtype == Dtype::int64) return 7;
  return dtype == Dtype::uint32 || dtype == Dtype::uint64 ? 11 : 5;
}

Proto typed(Dtype dtype, const Bytes& bytes, bool packed) {
  Proto proto = tensor_header(dtype, {5});
  if (dtype == Dtype::float32 || dtype == Dtype::complex64) {
    if (packed) return proto.packed_fixed(4, words<std::uint32_t>(bytes));
    for (const std::uint32_t word : words<std::uint32_t>(bytes)) proto.fixed(4, word);
    return proto;
  }
  if (dtype == Dtype::float64 || dtype == Dtype::complex128) {
    if (packed) return proto.packed_fixed(10, words<std::uint64_t>(bytes));
    for (const std::uint64_t word : words<std::uint64_t>(bytes)) proto.fixed(10, word);
    return proto;
  }
  return packed ? proto.packed_varints(varint_field(dtype), entries(dtype, bytes))
                : proto.varints(varint_field(dtype), entries(dtype, bytes));
}

void expect_sample(const Proto& proto, Dtype dtype, const char* form) {
  const auto tensor = read_tensor(proto);
  ASSERT_TRUE(test::succeeds(tensor)) << info(dtype).name << " " << form;
  EXPECT_EQ(tensor->dtype, dtype);
  EXPECT_EQ(list(tensor->dims()), List{5});
  EXPECT_EQ(test::bytes_of(*tensor), sample(dtype)) << info(dtype).name << " " << form;
}

TEST(TensorProto, EveryTypeIsReadFromRawData) {
  for (int id = 1; id <= dtype_count; ++id) {
    const auto dtype = static_cast<Dtype>(id);
    if (dtype == Dtype::string) continue;
    expect_sample(tensor_header(dtype, {5}).string(9, as_string(sample(dtype))), dtype, "raw");
  }
}

TEST(TensorProto, EveryTypeIsReadFromItsTypedFieldPackedAndUnpacked) {
  for (int id = 1; id <= dtype_count; ++id) {
    const auto dtype = static_cast<Dtype>(id);
    if (dtype == Dtype::string) continue;
    expect_sample(typed(dtype, sample(dtype), true), dtype, "packed");
    expect_sample(typed(dtype, sample(dtype), false), dtype, "unpacked");
  }
}

TEST(TensorProto, PackedAndUnpackedPartsOfOneFieldFollowEachOther) {
  const Proto proto = tensor_header(Dtype::int64, {5}).packed_varints(7, {1, 2}).varint(7, 3).packed_varints(7, {4, 5});
  EXPECT_EQ(elements<std::int64_t>(must(read_tensor(proto))), (List{1, 2, 3, 4, 5}));
}

TEST(TensorProto, DimsAreReadPackedAndUnpacked) {
  const Proto packed = Proto().packed_varints(1, {2, 1, 3}).varint(2, 2).string(9, "abcdef");
  EXPECT_EQ(list(must(read_tensor(packed)).dims()), (List{2, 1, 3}));
  const Proto unpacked = Proto().varints(1, {2, 1, 3}).varint(2, 2).string(9, "abcdef");
  EXPECT_EQ(list(must(read_tensor(unpacked)).dims()), (List{2, 1, 3}));
}

TEST(TensorProto, FieldsMayComeInAnyOrder) {
  const Proto proto = Proto().string(9, "ab").string(8, "name").varint(2, 2).varint(1, 2);
  EXPECT_EQ(test::bytes_of(must(read_tensor(proto))), (Bytes{'a', 'b'}));
}

TEST(TensorProto, NoDimsIsAScalar) {
  EXPECT_EQ(list(must(read_tensor(test::float_tensor({}, {7}))).dims()), List{});
  EXPECT_EQ(elements<float>(must(read_tensor(test::raw_tensor(Dtype::float32, {}, std::string("\0\0\xE0\x40", 4))))),
            std::vector<float>{7});
}

TEST(TensorProto, PackedTypesOfRankZeroAreRead) {
  for (const Dtype dtype : {Dtype::int2, Dtype::uint2, Dtype::int4, Dtype::uint4, Dtype::float4e2m1}) {
    EXPECT_EQ(test::bytes_of(must(read_tensor(test::raw_tensor(dtype, {}, "\x01")))), Bytes{1}) << info(dtype).name;
  }
}

TEST(TensorProto, ATensorWithoutElementsNeedsNoDataAndMayHaveEmptyFields) {
  for (int id = 1; id <= dtype_count; ++id) {
    const auto dtype = static_cast<Dtype>(id);
    for (const Proto& proto : {tensor_header(dtype, {2, 0}), tensor_header(dtype, {2, 0}).string(9, "")}) {
      const auto tensor = read_tensor(proto);
      ASSERT_TRUE(test::succeeds(tensor)) << info(dtype).name;
      EXPECT_EQ(list(tensor->dims()), (List{2, 0}));
      EXPECT_EQ(test::bytes_of(*tensor), Bytes{});
    }
  }
  EXPECT_EQ(must(read_tensor(tensor_header(Dtype::float32, {0}).string(4, ""))).count(), 0);
}

TEST(TensorProto, AnEmptyRawDataBesideAnotherFieldCountsAsNone) {
  EXPECT_EQ(elements<float>(must(read_tensor(test::float_tensor({1}, {7}).string(9, "")))), std::vector<float>{7});
}

TEST(TensorProto, StringsAreReadFromStringData) {
  const Proto proto = tensor_header(Dtype::string, {2, 2})
                          .string(6, "a")
                          .string(6, "")
                          .string(6, "\xE2\x82\xAC")
                          .string(6, std::string("x\0y", 3));
  const Tensor tensor = must(read_tensor(proto));
  EXPECT_EQ(list(tensor.dims()), (List{2, 2}));
  EXPECT_EQ(test::string_elements(tensor), (std::vector<std::string>{"a", "", "\xE2\x82\xAC", std::string("x\0y", 3)}));
}

TEST(TensorProto, NegativeEntriesOfInt32DataAreReadInShortAndLongForm) {
  const Proto longer = tensor_header(Dtype::int32, {1}).varint(5, -2);
  EXPECT_EQ(elements<std::int32_t>(must(read_tensor(longer))), (std::vector<std::int32_t>{-2}));
  const Proto shorter = tensor_header(Dtype::int32, {1}).varint(5, 0xFFFFFFFE);
  EXPECT_EQ(elements<std::int32_t>(must(read_tensor(shorter))), (std::vector<std::int32_t>{-2}));
}

TEST(TensorProto, LimitsOfIntegersAreRead) {
  EXPECT_EQ(elements<std::int64_t>(must(read_tensor(test::int64_tensor({2}, {INT64_MIN, INT64_MAX})))),
            (List{INT64_MIN, INT64_MAX}));
  EXPECT_EQ(elements<std::uint64_t>(must(read_tensor(tensor_header(Dtype::uint64, {1}).varint(11, -1)))),
            (std::vector<std::uint64_t>{UINT64_MAX}));
  EXPECT_EQ(elements<std::uint32_t>(must(read_tensor(tensor_header(Dtype::uint32, {1}).varint(11, UINT32_MAX)))),
            (std::vector<std::uint32_t>{UINT32_MAX}));
}

TEST(TensorProto, PaddingBitsAreIgnored) {
  EXPECT_EQ(test::bytes_of(must(read_tensor(test::raw_tensor(Dtype::int4, {3}, "\x21\xF3")))), (Bytes{0x21, 0x03}));
  EXPECT_EQ(test::bytes_of(must(read_tensor(test::raw_tensor(Dtype::uint2, {5}, "\xE4\xFE")))), (Bytes{0xE4, 0x02}));
  EXPECT_EQ(test::bytes_of(must(read_tensor(tensor_header(Dtype::int4, {3}).varints(5, {0x21, 0xF3})))), (Bytes{0x21, 0x03}));
}

TEST(TensorProto, FieldsThatCarryNoDataAreSkipped) {
  const Proto proto = test::float_tensor({1}, {7}).string(12, "doc").message(16, Proto().string(1, "k").string(2, "v"));
  EXPECT_EQ(elements<float>(must(read_tensor(proto))), std::vector<float>{7});
}

TEST(TensorProto, FieldsOfLaterFormatsAreSkipped) {
  const Proto proto = test::float_tensor({1}, {7}).varint(1000, 1).fixed(1001, 1.0F).fixed(1002, 1.0).string(1003, "x");
  EXPECT_EQ(elements<float>(must(read_tensor(proto))), std::vector<float>{7});
}

TEST(TensorProto, TheNameIsRead) {
  const Proto proto = test::float_tensor({1}, {7}, "x\xC3\xA9");
  Source source(proto.bytes());
  WireReader message(source, "");
  std::string_view name;
  read_tensor_proto(message, &name);
  EXPECT_TRUE(source.ok());
  EXPECT_EQ(name, "x\xC3\xA9");
}

TEST(TensorProto, DataLocationDefaultIsNotExternalData) {
  EXPECT_EQ(elements<float>(must(read_tensor(test::float_tensor({1}, {7}).varint(14, 0)))), std::vector<float>{7});
}

TEST(WriteTensorProto, WritesDimsTypeAndRawData) {
  EXPECT_EQ(test::written(floats({2, 1}, {1, -2})),
            std::string("\x08\x02\x08\x01\x10\x01\x4A\x08\x00\x00\x80\x3F\x00\x00\x00\xC0", 16));
  EXPECT_EQ(test::written(test::strings({2}, {"a", ""})), std::string("\x08\x02\x10\x08\x32\x01"
                                                                      "a\x32\x00",
                                                                      9));
}

TEST(WriteTensorProto, EveryTypeIsReadBack) {
  for (int id = 1; id <= dtype_count; ++id) {
    const auto dtype = static_cast<Dtype>(id);
    if (dtype == Dtype::string) continue;
    const Tensor again = must(read_tensor(test::written(test::tensor_of(dtype, {5}, sample(dtype)))));
    EXPECT_EQ(again.dtype, dtype);
    EXPECT_EQ(list(again.dims()), List{5});
    EXPECT_EQ(test::bytes_of(again), sample(dtype)) << info(dtype).name;
  }
}

TEST(WriteTensorProto, ScalarsEmptyTensorsAndLongOnesAreReadBack) {
  for (const List& dims : {List{}, List{0}, List{3, 0, 1000}, List{200}, List{300, 1, 7}, List(20, 1)}) {
    const Tensor tensor = test::zeros(Dtype::int16, test::dims_of(dims));
    const Tensor again = must(read_tensor(test::written(tensor)));
    EXPECT_EQ(list(again.dims()), dims);
    EXPECT_EQ(test::bytes_of(again), test::bytes_of(tensor));
  }
}

TEST(WriteTensorProto, StringsAreReadBack) {
  const std::vector<std::string> text{"", "\xE2\x82\xAC", std::string(300, 'x'), std::string("a\0b", 3)};
  EXPECT_EQ(test::string_elements(must(read_tensor(test::written(test::strings({4}, text))))), text);
  EXPECT_EQ(must(read_tensor(test::written(test::strings({0}, {})))).count(), 0);
}

TEST(WriteTensorProto, ViewsAreWrittenOut) {
  const Tensor x = floats({2, 1}, {1, 2});
  const Tensor view{x.dtype, broadcast_to(x.layout, {2, 2}), x.storage};
  EXPECT_EQ(elements<float>(must(read_tensor(test::written(view)))), (std::vector<float>{1, 1, 2, 2}));
}

TEST(WriteTensorProto, PaddingBitsAreZero) {
  const std::string bytes = test::written(test::tensor_of(Dtype::int4, {3}, Bytes{0x21, 0xF3}));
  EXPECT_EQ(bytes.substr(bytes.size() - 2), "\x21\x03");
}

TEST(WriteTensorProto, AViewThatDoesNotFitIsOutOfMemory) {
  const Tensor x = floats({}, {1});
  const Tensor huge{x.dtype, uniform_layout({std::int64_t{1} << 50}), x.storage};
  EXPECT_TRUE(test::fails(write_tensor_proto(huge), Code::OutOfMemory));
}

}  // namespace
}  // namespace broadloom::test::tensor_proto_test
