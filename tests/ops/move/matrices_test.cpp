// Trilu, EyeLike and ReverseSequence.
#include "support/calls.h"

namespace broadloom::op {
extern const Operator eye_like, reverse_sequence, trilu;
}

namespace broadloom::test::matrices_test {
namespace {

Result<Tensor> triangle(const Tensor& input, bool is_upper, std::int64_t k) {
  const Tensor diagonal = int64s({}, {k});
  return call(trilu, {&input, &diagonal}, {int_attribute("upper", is_upper ? 1 : 0)});
}

TEST(Trilu, KeepsOneTriangleOfEachMatrix) {
  const Tensor input = floats({2, 2, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  EXPECT_EQ(elements<float>(must(call(trilu, {&input}))), (std::vector<float>{1, 2, 3, 0, 5, 6, 7, 8, 9, 0, 11, 12}));
  EXPECT_EQ(elements<float>(must(triangle(input, false, 0))), (std::vector<float>{1, 0, 0, 4, 5, 0, 7, 0, 0, 10, 11, 0}));
  EXPECT_EQ(elements<float>(must(triangle(input, true, 1))), (std::vector<float>{0, 2, 3, 0, 0, 6, 0, 8, 9, 0, 0, 12}));
  EXPECT_EQ(elements<float>(must(triangle(input, false, -1))), (std::vector<float>{0, 0, 0, 4, 0, 0, 0, 0, 0, 10, 0, 0}));
}

TEST(Trilu, DiagonalsFarOutsideKeepAllOrNothing) {
  const Tensor input = floats({2, 2}, {1, 2, 3, 4});
  const std::vector<float> all{1, 2, 3, 4};
  for (const std::int64_t far : {std::int64_t{2}, std::int64_t{100}, INT64_MAX}) {
    EXPECT_EQ(elements<float>(must(triangle(input, true, far))), std::vector<float>(4));
    EXPECT_EQ(elements<float>(must(triangle(input, false, far))), all);
    EXPECT_EQ(elements<float>(must(triangle(input, true, -far - (far == INT64_MAX ? 1 : 0)))), all);
    EXPECT_EQ(elements<float>(must(triangle(input, false, -far))), std::vector<float>(4));
  }
  EXPECT_EQ(list(must(triangle(floats({2, 0}, {}), true, 0)).dims()), (List{2, 0}));
  EXPECT_EQ(list(must(triangle(floats({0, 2, 2}, {}), true, 0)).dims()), (List{0, 2, 2}));
}

TEST(Trilu, MovesItemsOfEverySizeFromViews) {
  const Tensor words = strings({2, 2}, {"a", "b", "c", "d"});
  EXPECT_EQ(string_elements(must(call(trilu, {&words}))), (std::vector<std::string>{"a", "b", "", "d"}));
  Tensor transposed = tensor_of<std::int16_t>(Dtype::int16, {2, 2}, {1, 2, 3, 4});
  transposed.layout = LayoutRef(Layout{{2, 2}, {1, 2}});
  EXPECT_EQ(elements<std::int16_t>(must(call(trilu, {&transposed}))), (std::vector<std::int16_t>{1, 3, 0, 4}));
  const Tensor wide = tensor_of(Dtype::complex128, {2, 1}, Bytes(32, 7));
  Bytes expected(32, 0);
  std::fill(expected.begin(), expected.begin() + 16, std::uint8_t{7});
  EXPECT_EQ(bytes_of(must(call(trilu, {&wide}))), expected);
}

TEST(Trilu, NeedsMatricesAndOneK) {
  const Tensor flat = floats({2}, {1, 2});
  EXPECT_TRUE(fails(call(trilu, {&flat}), Code::InvalidArgument, "Trilu-14: input has dims [2], wanted two axes or more"));
  const Tensor input = floats({1, 1}, {1});
  const Tensor two = shape_of({1, 2});
  EXPECT_TRUE(fails(call(trilu, {&input, &two}), Code::InvalidArgument, "'k' has 2 entries, wanted one"));
}

TEST(EyeLike, HasOnesOfTheGivenTypeOnTheDiagonal) {
  const Tensor input = floats({2, 3}, std::vector<float>(6, 5));
  for (const std::int64_t opset : {9, 22}) {
    EXPECT_EQ(elements<float>(must(call(eye_like, {&input}, {}, opset))), (std::vector<float>{1, 0, 0, 0, 1, 0}));
    EXPECT_EQ(elements<std::int64_t>(must(call(eye_like, {&input}, {int_attribute("dtype", 7), int_attribute("k", 1)}, opset))),
              (List{0, 1, 0, 0, 0, 1}));
  }
  EXPECT_EQ(elements<std::uint16_t>(must(call(eye_like, {&input}, {int_attribute("dtype", 16), int_attribute("k", -1)}))),
            (std::vector<std::uint16_t>{0, 0, 0, 0x3F80, 0, 0}));
  for (const std::int64_t far : {std::int64_t{3}, INT64_MAX, INT64_MIN, std::int64_t{-2}}) {
    EXPECT_EQ(bytes_of(must(call(eye_like, {&input}, {int_attribute("dtype", 9), int_attribute("k", far)}))), Bytes(6));
  }
  const Tensor none = floats({0, 3}, {});
  EXPECT_EQ(list(must(call(eye_like, {&none})).dims()), (List{0, 3}));
}

TEST(EyeLike, NeedsAMatrixAndATypeOfItsVersion) {
  const Tensor flat = floats({2}, {1, 2});
  EXPECT_TRUE(fails(call(eye_like, {&flat}), Code::InvalidArgument, "EyeLike-22: input has dims [2], wanted two axes"));
  const Tensor input = floats({1, 1}, {1});
  EXPECT_TRUE(fails(call(eye_like, {&input}, {int_attribute("dtype", 16)}, 9), Code::UnsupportedType,
                    "output 'output' cannot be bfloat16; EyeLike-22 (opset 22) allows it"));
  EXPECT_TRUE(fails(call(eye_like, {&input}, {int_attribute("dtype", 99)}), Code::InvalidArgument, "not an element type"));
}

TEST(EyeLike, AnInputOfUnknownTypeGivesAnOutputOfUnknownType) {
  const OperatorVersion& version = *must(select_version(eye_like, 22));
  const ElementType in[] = {ElementType(Dtype::undefined)};
  ElementType out[1];
  must(check_call({eye_like, version, 22}, in, std::span(out), Attributes()));
  EXPECT_FALSE(out[0].is_absent());
  EXPECT_FALSE(out[0].is_known());
}

TEST(ReverseSequence, ReversesTheBeginningOfEachSequence) {
  const Tensor input = floats({4, 4}, {0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15});
  const Tensor lengths = shape_of({4, 3, 2, 1});
  EXPECT_EQ(elements<float>(must(call(reverse_sequence, {&input, &lengths}))),
            (std::vector<float>{3, 6, 9, 12, 2, 5, 8, 13, 1, 4, 10, 14, 0, 7, 11, 15}));
  const Tensor rows = floats({2, 3, 2}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
  const Tensor two = shape_of({3, 0});
  EXPECT_EQ(elements<float>(
                must(call(reverse_sequence, {&rows, &two}, {int_attribute("batch_axis", 0), int_attribute("time_axis", 1)}))),
            (std::vector<float>{4, 5, 2, 3, 0, 1, 6, 7, 8, 9, 10, 11}));
  const Tensor words = strings({2, 1}, {"a", "b"});
  const Tensor both = shape_of({2});
  EXPECT_EQ(string_elements(must(call(reverse_sequence, {&words, &both}))), (std::vector<std::string>{"b", "a"}));
  const Tensor none = floats({0, 2}, {});
  const Tensor zeros = shape_of({0, 0});
  EXPECT_EQ(list(must(call(reverse_sequence, {&none, &zeros})).dims()), (List{0, 2}));
}

TEST(ReverseSequence, LengthsAndAxesAreChecked) {
  const Tensor input = floats({2, 2}, {1, 2, 3, 4});
  const auto reversed = [&](const List& lengths, std::int64_t batch, std::int64_t time) {
    const Tensor given = shape_of(lengths);
    return call(reverse_sequence, {&input, &given}, {int_attribute("batch_axis", batch), int_attribute("time_axis", time)});
  };
  EXPECT_TRUE(fails(reversed({1, 3}, 1, 0), Code::InvalidArgument, "sequence_lens has 3 at 1, wanted 0 to 2"));
  EXPECT_TRUE(fails(reversed({-1, 1}, 1, 0), Code::InvalidArgument, "sequence_lens has -1 at 0"));
  EXPECT_TRUE(fails(reversed({1}, 1, 0), Code::InvalidArgument, "sequence_lens has dims [1], wanted the batch's [2]"));
  EXPECT_TRUE(fails(reversed({1, 1}, 1, 1), Code::InvalidArgument, "batch_axis is 1 and time_axis 1"));
  EXPECT_TRUE(fails(reversed({1, 1}, 2, -1), Code::InvalidArgument, "batch_axis is 2 and time_axis -1"));
  EXPECT_TRUE(fails(reversed({1, 1}, INT64_MIN, -1), Code::InvalidArgument, "batch_axis is -9223372036854775808"));
}

TEST(ReverseSequence, BeforeARunTheDimsAreThoseOfTheInput) {
  Expressions expressions;
  const OperatorVersion& version = *must(select_version(reverse_sequence, 10));
  const Tensor input{Dtype::float32, uniform_layout({2, expressions.name(0)})};
  const Tensor lengths{Dtype::int64, LayoutRef::unranked()};
  const Tensor* in[] = {&input, &lengths};
  const Attributes attributes;
  Tensor output;
  Call before{version, in, attributes, {}, {&output, 1}, &expressions};
  must(reverse_sequence.prepare(before));
  EXPECT_EQ(output.dims(), input.dims());
}

}  // namespace
}  // namespace broadloom::test::matrices_test
