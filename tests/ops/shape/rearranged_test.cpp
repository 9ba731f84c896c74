// Tile, DepthToSpace and SpaceToDepth: layouts of more axes than their results have.
#include "support/calls.h"
#include "support/random.h"

namespace broadloom::op {
extern const Operator depth_to_space, space_to_depth, tile;
}

namespace broadloom::test::rearranged_test {
namespace {

Result<Tensor> tiled(const Tensor& input, const List& repeats, std::int64_t opset = newest_opset) {
  const Tensor times = shape_of(repeats);
  return call(tile, {&input, &times}, {}, opset);
}

TEST(Tile, RepeatsEachAxis) {
  for (const std::int64_t opset : {6, 13}) {
    const Tensor result = must(tiled(floats({2, 2}, {1, 2, 3, 4}), {2, 2}, opset));
    EXPECT_EQ(list(result.dims()), (List{4, 4}));
    EXPECT_EQ(elements<float>(result), (std::vector<float>{1, 2, 1, 2, 3, 4, 3, 4, 1, 2, 1, 2, 3, 4, 3, 4}));
  }
}

TEST(Tile, AScalarHasNoRepeats) { EXPECT_EQ(elements<float>(must(tiled(floats({}, {7}), {}))), (std::vector<float>{7})); }

TEST(Tile, RepeatingNothingOrZeroTimesIsEmpty) {
  EXPECT_EQ(list(must(tiled(floats({0, 2}, {}), {3, 4})).dims()), (List{0, 8}));
  EXPECT_EQ(list(must(tiled(floats({2}, {1, 2}), {0})).dims()), (List{0}));
}

TEST(Tile, AnAxisOfSizeOneIsAView) {
  const Tensor input = floats({1, 2}, {1, 2});
  const Tensor result = must(tiled(input, {1000000, 1}));
  EXPECT_EQ(result.data(), input.data());
  EXPECT_EQ(list(result.dims()), (List{1000000, 2}));
}

TEST(Tile, VersionOneRepeatsOneAxis) {
  const Tensor input = floats({2, 1}, {1, 2});
  const Tensor three = floats({}, {3});
  const auto tiled_1 = [&](float axis, const Tensor& times) {
    const Tensor on = floats({1}, {axis});
    return call(tile, {&input, &times, &on}, {}, 1);
  };
  EXPECT_EQ(elements<float>(must(tiled_1(1, three))), (std::vector<float>{1, 1, 1, 2, 2, 2}));
  EXPECT_EQ(elements<float>(must(tiled_1(0, three))), (std::vector<float>{1, 2, 1, 2, 1, 2}));
  EXPECT_TRUE(fails(tiled_1(2, three), Code::InvalidArgument, "'axis' is 2, which is not an axis of 2"));
  EXPECT_TRUE(fails(tiled_1(0, floats({}, {1.5F})), Code::InvalidArgument, "'tiles' is 1.5, wanted an integer"));
  EXPECT_TRUE(fails(tiled_1(0, floats({2}, {1, 1})), Code::InvalidArgument, "'tiles' has dims [2], wanted one element"));
  EXPECT_TRUE(fails(tiled_1(0, floats({}, {-1})), Code::InvalidArgument, "axis 0 is repeated -1 times"));
}

TEST(Tile, RepeatsAreCheckedBeforeAnythingIsMade) {
  const Tensor input = floats({2, 2}, {1, 2, 3, 4});
  EXPECT_TRUE(fails(tiled(input, {2}), Code::InvalidArgument, "repeats has 1 entry, but input has 2 axes"));
  EXPECT_TRUE(fails(tiled(input, {2, -1}), Code::InvalidArgument, "axis 1 is repeated -1 times"));
  EXPECT_TRUE(fails(tiled(input, {INT64_MAX, 2}), Code::InvalidArgument,
                    "[2, 2] repeated [9223372036854775807, 2] times has too many"));
  EXPECT_TRUE(fails(tiled(input, {std::int64_t{1} << 40, std::int64_t{1} << 40}), Code::InvalidArgument, "too many elements"));
  EXPECT_TRUE(fails(tiled(input, {std::int64_t{1} << 40, 2}), Code::OutOfMemory));
}

TEST(Tile, MovesItemsOfEverySizeFromViews) {
  const Tensor packed = tensor_of<std::uint8_t>(Dtype::int8, {3}, {1, 2, 3});
  Tensor reversed = packed;
  reversed.layout = LayoutRef(Layout{{3}, {-1}});
  reversed.offset = 2;
  EXPECT_EQ(bytes_of(must(tiled(reversed, {2}))), (Bytes{3, 2, 1, 3, 2, 1}));
  EXPECT_EQ(string_elements(must(tiled(strings({2}, {"a", "bc"}), {2}))), (std::vector<std::string>{"a", "bc", "a", "bc"}));
  for (const Dtype dtype : {Dtype::boolean, Dtype::float16, Dtype::float32, Dtype::int64, Dtype::complex128}) {
    Bytes bytes(2 * item_size(dtype));
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = dtype == Dtype::boolean ? 1 : static_cast<std::uint8_t>(i);
    Bytes twice = bytes;
    twice.insert(twice.end(), bytes.begin(), bytes.end());
    EXPECT_EQ(bytes_of(must(tiled(tensor_of(dtype, {2}, bytes), {2}))), twice) << info(dtype).name;
  }
}

TEST(Tile, BeforeARunSizesAreProducts) {
  Expressions expressions;
  const Size n = expressions.name(0);
  const OperatorVersion& version = *must(select_version(tile, 13));
  const Tensor input{Dtype::float32, uniform_layout({n, 3})};
  const Tensor repeats = shape_of({2, n});
  const Tensor* in[] = {&input, &repeats};
  const Attributes attributes;
  Tensor output;
  Call before{version, in, attributes, {}, {&output, 1}, &expressions};
  must(tile.prepare(before));
  EXPECT_EQ(SizeList(output.dims()), (SizeList{expressions.multiply(n, 2), expressions.multiply(n, 3)}));
  const Tensor unknown{Dtype::int64, uniform_layout({2})};
  in[1] = &unknown;
  must(tile.prepare(before));
  EXPECT_EQ(SizeList(output.dims()), (SizeList{unknown_size, unknown_size}));
}

// The result by the definition, element by element.
std::vector<float> by_definition(const List& dims, std::int64_t b, bool is_crd) {
  const std::int64_t depth = dims[1] / (b * b);
  std::vector<float> result;
  for (std::int64_t n = 0; n < dims[0]; ++n)
    for (std::int64_t c = 0; c < depth; ++c)
      for (std::int64_t h = 0; h < dims[2] * b; ++h)
        for (std::int64_t w = 0; w < dims[3] * b; ++w) {
          const std::int64_t place = h % b * b + w % b;
          const std::int64_t channel = is_crd ? c * b * b + place : place * depth + c;
          result.push_back(static_cast<float>(((n * dims[1] + channel) * dims[2] + h / b) * dims[3] + w / b));
        }
  return result;
}

TEST(DepthToSpace, FollowsItsDefinitionAndSpaceToDepthUndoesIt) {
  Random random;
  for (int round = 0; round < 200; ++round) {
    const std::int64_t b = random.between(1, 4);
    const List dims{random.between(0, 3), b * b * random.between(1, 3), random.between(1, 4), random.between(1, 4)};
    std::vector<float> values(static_cast<std::size_t>(*checked_count(dims)));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
    const Tensor input = floats(dims_of(dims), values);
    const std::vector<Given> size{int_attribute("blocksize", b)};
    for (const std::int64_t opset : {1, 11, 13}) {
      const Tensor deep = must(call(depth_to_space, {&input}, size, opset));
      EXPECT_EQ(list(deep.dims()), (List{dims[0], dims[1] / (b * b), dims[2] * b, dims[3] * b}));
      EXPECT_EQ(elements<float>(deep), by_definition(dims, b, false));
      const Tensor back = must(call(space_to_depth, {&deep}, size, opset));
      EXPECT_EQ(list(back.dims()), dims);
      EXPECT_EQ(elements<float>(back), values);
    }
    std::vector<Given> crd = size;
    crd.push_back({"mode", AttributeType::STRING, strings({}, {"CRD"})});
    EXPECT_EQ(elements<float>(must(call(depth_to_space, {&input}, crd))), by_definition(dims, b, true));
    if (HasFailure()) return;
  }
}

TEST(DepthToSpace, MovesStringsAndWideItems) {
  const std::vector<Given> two{int_attribute("blocksize", 2)};
  const Tensor words = strings({1, 4, 1, 2}, {"a", "b", "c", "d", "e", "f", "g", "h"});
  EXPECT_EQ(string_elements(must(call(depth_to_space, {&words}, two))),
            (std::vector<std::string>{"a", "c", "b", "d", "e", "g", "f", "h"}));
  const Tensor wide = zeros(Dtype::complex128, {1, 4, 1, 2});
  EXPECT_EQ(bytes_of(must(call(depth_to_space, {&wide}, two))), Bytes(128));
}

TEST(DepthToSpace, SizesThatDoNotFitAreRefused) {
  const Tensor input = floats({1, 6, 1, 1}, std::vector<float>(6));
  EXPECT_TRUE(fails(call(depth_to_space, {&input}, {int_attribute("blocksize", 2)}), Code::InvalidArgument,
                    "DepthToSpace-13: input has 6 channels, which is not a multiple of 4"));
  // Empty, and so are its 2 ** 54 elements.
  const Tensor empty = floats({1, 0, std::int64_t{1} << 51, 2}, {});
  EXPECT_TRUE(
      fails(call(depth_to_space, {&empty}, {int_attribute("blocksize", 2)}), Code::InvalidArgument, "too many elements"));
  EXPECT_TRUE(fails(call(space_to_depth, {&input}, {int_attribute("blocksize", 2)}), Code::InvalidArgument,
                    "input has 1 rows, which is not a multiple of 2"));
  EXPECT_TRUE(
      fails(call(depth_to_space, {&input}, {int_attribute("blocksize", 0)}), Code::InvalidArgument, "'blocksize' is 0"));
  EXPECT_TRUE(
      fails(call(space_to_depth, {&input}, {int_attribute("blocksize", INT64_MAX)}), Code::InvalidArgument, "'blocksize' is"));
  const Tensor flat = floats({4}, std::vector<float>(4));
  EXPECT_TRUE(fails(call(depth_to_space, {&flat}, {int_attribute("blocksize", 2)}), Code::InvalidArgument, "wanted four axes"));
  const Tensor long_one = floats({1, 0, std::int64_t{1} << 40, 1}, {});
  EXPECT_TRUE(fails(call(depth_to_space, {&long_one}, {int_attribute("blocksize", 1 << 26)}), Code::InvalidArgument,
                    "the result of [1, 0, 1099511627776, 1] has too many elements"));
  const Tensor none = floats({0, 4, 1, 1}, {});
  EXPECT_EQ(list(must(call(depth_to_space, {&none}, {int_attribute("blocksize", 2)})).dims()), (List{0, 1, 2, 2}));
}

TEST(DepthToSpace, BeforeARunSizesAreExpressions) {
  Expressions expressions;
  const Size n = expressions.name(0);
  const OperatorVersion& version = *must(select_version(depth_to_space, 13));
  Tensor input{Dtype::float32, uniform_layout({n, 8, n, 3})};
  const Tensor* in[] = {&input};
  Attributes attributes;
  attributes.add(*find_spec(version, "blocksize")) = Value(std::int64_t{2});
  Tensor output;
  Call before{version, in, attributes, {}, {&output, 1}, &expressions};
  must(depth_to_space.prepare(before));
  EXPECT_EQ(SizeList(output.dims()), (SizeList{n, 2, expressions.multiply(n, 2), 6}));
  input.layout = LayoutRef::unranked();
  must(depth_to_space.prepare(before));
  EXPECT_EQ(SizeList(output.dims()), SizeList(4, unknown_size));
}

}  // namespace
}  // namespace broadloom::test::rearranged_test
