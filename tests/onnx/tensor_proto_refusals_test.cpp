// TensorProto: all refusals.
#include "support/tensor_files.h"

namespace broadloom::test::tensor_proto_refusals_test {
namespace {

testing::AssertionResult refuses(const Proto& proto, std::string_view part = "") {
  return test::fails(read_tensor(proto), Code::InvalidModel, part);
}

TEST(TensorProto, NegativeDimsAreRefused) {
  EXPECT_TRUE(refuses(raw_tensor(Dtype::uint8, {-1}, "a"), "axis 0 is -1"));
  EXPECT_TRUE(refuses(raw_tensor(Dtype::uint8, {2, INT64_MIN}, "a"), "axis 1"));
}

TEST(TensorProto, TwoNegativeDimsAreRefusedThoughTheirProductFits) {
  EXPECT_TRUE(refuses(raw_tensor(Dtype::uint8, {-1, -2}, "ab"), "negative"));
}

TEST(TensorProto, NegativeDimsBesideAZeroAreRefused) { EXPECT_TRUE(refuses(tensor_header(Dtype::uint8, {0, -2}), "negative")); }

TEST(TensorProto, RanksAbove255AreRefused) {
  EXPECT_TRUE(refuses(raw_tensor(Dtype::uint8, List(256, 1), "a"), "dims have 256 axes; a tensor can have at most 255"));
  EXPECT_TRUE(refuses(tensor_header(Dtype::uint8, List(1000000, 1)), "dims have 1000000 axes"));
  EXPECT_EQ(test::must(read_tensor(raw_tensor(Dtype::uint8, List(255, 1), "a"))).dims().size(), 255U);
}

TEST(TensorProto, TheFirstOfSeveralErrorsIsReported) {
  EXPECT_TRUE(refuses(tensor_header(static_cast<Dtype>(99), {-1}), "data_type is 99"));
}

TEST(TensorProto, DimsThatOverflowAreRefused) {
  const std::int64_t large = std::int64_t{1} << 40;
  EXPECT_TRUE(refuses(raw_tensor(Dtype::uint8, {large, large}, "a"), "too many elements"));
  EXPECT_TRUE(refuses(raw_tensor(Dtype::uint8, {std::int64_t{1} << 32, std::int64_t{1} << 32}, ""), "too many elements"));
  EXPECT_TRUE(refuses(tensor_header(Dtype::uint8, {large, large, 0}), "too many elements"));
}

TEST(TensorProto, HugeDimsWithLittleDataAreRefusedWithoutAnAllocation) {
  for (int id = 1; id <= dtype_count; ++id) {
    for (const std::int64_t size : {std::int64_t{1} << 50, max_count}) {
      EXPECT_TRUE(refuses(raw_tensor(static_cast<Dtype>(id), {size}, "a"))) << id;
      EXPECT_TRUE(refuses(tensor_header(static_cast<Dtype>(id), {size}).varint(5, 1))) << id;
      EXPECT_TRUE(refuses(tensor_header(static_cast<Dtype>(id), {size}).string(6, "a"))) << id;
    }
  }
}

TEST(TensorProto, AnInvalidTypeIsRefused) {
  EXPECT_TRUE(refuses(Proto().varint(1, 1).string(9, "abcd"), "data_type is 0, which is not an element type"));
  for (const std::int64_t id : {0, 27, -1, 1000}) {
    EXPECT_TRUE(refuses(Proto().varint(1, 1).varint(2, id).string(9, "abcd"), "which is not an element type")) << id;
  }
}

TEST(TensorProto, ElementsWithoutDataAreRefused) {
  for (int id = 1; id <= dtype_count; ++id) {
    const auto dtype = static_cast<Dtype>(id);
    EXPECT_TRUE(refuses(tensor_header(dtype, {2, 2}), "no data for the 4 elements of dims [2, 2]")) << id;
    EXPECT_TRUE(refuses(tensor_header(dtype, {}), "no data for the 1 element")) << id;
    EXPECT_TRUE(refuses(tensor_header(dtype, {1}).string(9, ""), "no data")) << id;
  }
}

TEST(TensorProto, TwoDataFieldsAreRefusedByName) {
  EXPECT_TRUE(refuses(test::float_tensor({1}, {7}).string(9, "abcd"), "both float_data and raw_data hold data"));
  EXPECT_TRUE(refuses(test::int64_tensor({1}, {7}).varint(5, 7), "both int32_data and int64_data hold data"));
}

TEST(TensorProto, DataInAnotherTypedFieldIsRefused) {
  for (int id = 1; id <= dtype_count; ++id) {
    const auto dtype = static_cast<Dtype>(id);
    const bool is_float = dtype == Dtype::float32 || dtype == Dtype::complex64;
    const bool is_double = dtype == Dtype::float64 || dtype == Dtype::complex128;
    const bool is_uint = dtype == Dtype::uint32 || dtype == Dtype::uint64;
    const bool is_other = !is_float && !is_double && !is_uint && dtype != Dtype::int64 && dtype != Dtype::string;
    const Proto header = tensor_header(dtype, {1});
    const auto with = [&](auto add) {
      Proto proto = header;
      add(proto);
      return proto;
    };
    if (!is_float) EXPECT_TRUE(refuses(with([](Proto& p) { p.fixed(4, 1.0F).fixed(4, 1.0F); }), "float_data")) << id;
    if (!is_double) EXPECT_TRUE(refuses(with([](Proto& p) { p.fixed(10, 1.0); }), "double_data")) << id;
    if (!is_uint) EXPECT_TRUE(refuses(with([](Proto& p) { p.varint(11, 1); }), "uint64_data")) << id;
    if (!is_other) EXPECT_TRUE(refuses(with([](Proto& p) { p.varint(5, 1); }), "int32_data")) << id;
    if (dtype != Dtype::int64) EXPECT_TRUE(refuses(with([](Proto& p) { p.varint(7, 1); }), "int64_data")) << id;
    if (dtype != Dtype::string) EXPECT_TRUE(refuses(with([](Proto& p) { p.string(6, "1"); }), "string_data")) << id;
  }
}

TEST(TensorProto, StringsInRawDataAreRefused) {
  EXPECT_TRUE(refuses(raw_tensor(Dtype::string, {1}, "abcdefgh"), "strings in raw_data"));
}

TEST(TensorProto, TooFewAndTooManyRawBytesAreRefused) {
  for (int id = 1; id <= dtype_count; ++id) {
    const auto dtype = static_cast<Dtype>(id);
    if (dtype == Dtype::string) continue;
    const auto size = static_cast<std::size_t>((5 * info(dtype).bits + 7) / 8);
    EXPECT_TRUE(refuses(raw_tensor(dtype, {5}, std::string(size + 1, '\0')), "raw_data has")) << id;
    EXPECT_TRUE(refuses(raw_tensor(dtype, {5}, std::string(size - 1, '\0')), "raw_data has")) << id;
    EXPECT_TRUE(refuses(raw_tensor(dtype, {0}, std::string(1, '\0')), "raw_data has 1 bytes")) << id;
  }
}

TEST(TensorProto, TooFewAndTooManyEntriesAreRefused) {
  for (const std::size_t count : {4U, 6U}) {
    EXPECT_TRUE(refuses(test::float_tensor({5}, std::vector<float>(count)), "float_data has"));
    EXPECT_TRUE(refuses(test::int64_tensor({5}, List(count)), "int64_data has"));
    EXPECT_TRUE(refuses(tensor_header(Dtype::int8, {5}).packed_varints(5, List(count)), "int32_data has"));
    EXPECT_TRUE(refuses(tensor_header(Dtype::uint64, {5}).varints(11, List(count)), "uint64_data has"));
    EXPECT_TRUE(refuses(tensor_header(Dtype::float64, {5}).packed_fixed(10, std::vector<double>(count)), "double_data has"));
    Proto text = tensor_header(Dtype::string, {5});
    for (std::size_t i = 0; i < count; ++i) text.string(6, "x");
    EXPECT_TRUE(refuses(text, "string_data has"));
  }
  EXPECT_TRUE(refuses(test::float_tensor({0}, {1}), "float_data has 1 entry"));
}

TEST(TensorProto, ComplexElementsTakeTwoEntries) {
  EXPECT_TRUE(refuses(tensor_header(Dtype::complex64, {2}).packed_fixed(4, std::vector<float>(2)), "has 2 entries"));
  EXPECT_TRUE(refuses(tensor_header(Dtype::complex128, {2}).packed_fixed(10, std::vector<double>(3)), "has 3 entries"));
}

TEST(TensorProto, PackedTypesTakeOneEntryAByte) {
  EXPECT_TRUE(refuses(tensor_header(Dtype::int4, {5}).packed_varints(5, List(1)), "has 1 entry"));
  EXPECT_TRUE(refuses(tensor_header(Dtype::int4, {5}).packed_varints(5, List(5)), "has 5 entries"));
  EXPECT_TRUE(refuses(tensor_header(Dtype::uint2, {9}).packed_varints(5, List(2)), "has 2 entries"));
  EXPECT_TRUE(refuses(tensor_header(Dtype::uint2, {9}).packed_varints(5, List(4)), "has 4 entries"));
}

TEST(TensorProto, EntriesThatTheTypeCannotHoldAreRefused) {
  const struct {
    Dtype dtype;
    std::int64_t entry;
  } cases[] = {{Dtype::boolean, 2},      {Dtype::boolean, -1},       {Dtype::int8, 128},      {Dtype::int8, -129},
               {Dtype::uint8, 256},      {Dtype::uint8, -1},         {Dtype::int16, 32768},   {Dtype::int16, -32769},
               {Dtype::uint16, 65536},   {Dtype::uint16, -1},        {Dtype::float16, 65536}, {Dtype::float16, -1},
               {Dtype::bfloat16, 65536}, {Dtype::float8e4m3fn, 256}, {Dtype::float8e5m2, -1}, {Dtype::int4, 256},
               {Dtype::uint4, -1},       {Dtype::float4e2m1, 256},   {Dtype::uint2, 256},     {Dtype::float8e8m0, 256}};
  for (const auto& [dtype, entry] : cases) {
    EXPECT_TRUE(refuses(tensor_header(dtype, {1}).varint(5, entry), "cannot hold")) << info(dtype).name << " " << entry;
  }
  EXPECT_TRUE(refuses(tensor_header(Dtype::uint32, {1}).varint(11, std::int64_t{1} << 32), "uint32 cannot hold"));
  EXPECT_TRUE(refuses(tensor_header(Dtype::uint32, {1}).varint(11, -1), "uint32 cannot hold"));
}

TEST(TensorProto, BoolsOtherThanZeroAndOneInRawDataAreRefused) {
  EXPECT_TRUE(refuses(raw_tensor(Dtype::boolean, {2}, "\x01\x02"), "element 1 is 2, which bool cannot hold"));
}

TEST(TensorProto, StringsThatAreNotUtf8AreRefused) {
  EXPECT_TRUE(refuses(tensor_header(Dtype::string, {2}).string(6, "ok").string(6, "\xFF"), "string 1 is not UTF-8"));
  EXPECT_TRUE(refuses(tensor_header(Dtype::string, {1}).string(6, "\xED\xA0\x80"), "string 0 is not UTF-8"));
}

Proto external(std::string_view location) {
  return tensor_header(Dtype::float32, {1}).varint(14, 1).message(13, Proto().string(1, "location").string(2, location));
}

TEST(TensorProto, ExternalDataIsRefusedWithItsFile) {
  EXPECT_TRUE(refuses(external("weights.bin"), "external data in file 'weights.bin'"));
}

TEST(TensorProto, ExternalDataOutsideTheFolderIsRefusedAsSuch) {
  for (const std::string_view location :
       {"", "/etc/passwd", "../secret", "a/../../b", "\\\\host\\share", "C:\\file", "file:x"}) {
    EXPECT_TRUE(refuses(external(location), "which is not a file beside the model")) << location;
  }
  EXPECT_TRUE(refuses(tensor_header(Dtype::float32, {1}).varint(14, 1), "which is not a file beside the model"));
}

TEST(TensorProto, SegmentsAreRefused) {
  EXPECT_TRUE(refuses(test::float_tensor({1}, {7}).message(3, Proto().varint(1, 0).varint(2, 1)), "segments"));
}

TEST(TensorProto, ANameThatIsNotUtf8IsRefused) {
  EXPECT_TRUE(refuses(test::float_tensor({1}, {7}, "\xFF"), "a name is not UTF-8"));
}

TEST(TensorProto, EveryTensorThatIsCutOffIsRefused) {
  for (const Proto& proto : {raw_tensor(Dtype::int16, {3}, "abcdef"), test::float_tensor({2}, {1, 2}),
                             test::int64_tensor({2}, {300, -1}), tensor_header(Dtype::string, {1}).string(6, "text")}) {
    for (std::size_t size = 0; size < proto.bytes().size(); ++size) {
      EXPECT_TRUE(test::fails(read_tensor(proto.bytes().substr(0, size)), Code::InvalidModel)) << size;
    }
  }
}

TEST(TensorProto, OneByteTooFewIsSeenByTheFieldThatLacksIt) {
  const std::string whole = raw_tensor(Dtype::int16, {3}, "abcdef").bytes();
  EXPECT_TRUE(test::fails(read_tensor(std::string_view(whole).substr(0, whole.size() - 1)), Code::InvalidModel,
                          "field 9 has 6 bytes, but only 5 are left"));
}

TEST(TensorProto, TheWrongWireTypeIsRefused) {
  EXPECT_TRUE(refuses(Proto().string(2, "x"), "field 2 has wire type 2, wanted 0"));
  EXPECT_TRUE(refuses(tensor_header(Dtype::uint8, {1}).varint(9, 1), "field 9 has wire type 0, wanted 2"));
  EXPECT_TRUE(refuses(tensor_header(Dtype::float32, {1}).varint(4, 1), "field 4"));
  EXPECT_TRUE(refuses(tensor_header(Dtype::float32, {1}).fixed(4, 1.0), "field 4"));
  EXPECT_TRUE(refuses(tensor_header(Dtype::float64, {1}).fixed(10, 1.0F), "field 10"));
  EXPECT_TRUE(refuses(tensor_header(Dtype::int64, {1}).fixed(7, 1.0), "field 7"));
}

TEST(TensorProto, BytesThatAreNotProtobufAreRefused) {
  EXPECT_TRUE(refuses(Proto().raw(std::string_view("\0", 1)), "0 is not a field number"));
  EXPECT_TRUE(refuses(Proto().tag(1, 3), "wire type 3"));
  EXPECT_TRUE(refuses(Proto().tag(100, 4), "wire type 4"));
  EXPECT_TRUE(refuses(Proto().tag(100, 6), "wire type 6"));
  EXPECT_TRUE(refuses(Proto().tag(100, 7), "wire type 7"));
  EXPECT_TRUE(refuses(Proto().tag(1, 0).raw(std::string(11, '\xFF')), "more than 10 bytes"));
  EXPECT_TRUE(refuses(Proto().tag(9, 2).number(UINT64_MAX).raw("a"), "only 1 are left"));
  EXPECT_TRUE(refuses(Proto().tag(100, 5).raw("abc"), "runs past the end"));
}

TEST(TensorProto, ANumberThatLeavesItsPackedListIsRefused) {
  // A list of one byte with a number that continues into the next field.
  EXPECT_TRUE(refuses(tensor_header(Dtype::int64, {1}).tag(7, 2).number(1).raw("\x80").raw("\x01"), "end of its list"));
  EXPECT_TRUE(refuses(tensor_header(Dtype::float32, {1}).tag(4, 2).number(3).raw("abc").varint(100, 1), "end of its list"));
  // At the end of the file, too.
  EXPECT_TRUE(refuses(tensor_header(Dtype::float32, {1}).tag(4, 2).number(3).raw("abc"), "end of its list"));
  EXPECT_TRUE(refuses(tensor_header(Dtype::int64, {1}).tag(7, 2).number(1).raw("\x80"), "end of its list"));
}

TEST(TensorProto, ErrorsHaveTheOffsetOfTheByte) {
  EXPECT_TRUE(refuses(test::float_tensor({1}, {7}).string(8, "\xFF"), "byte 10: a name is not UTF-8"));
}

}  // namespace
}  // namespace broadloom::test::tensor_proto_refusals_test
