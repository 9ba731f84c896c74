#include "support/calls.h"
#include "support/random.h"

namespace broadloom::op {
extern const Operator expand;
}

namespace broadloom::test::expand_test {
namespace {

Result<Tensor> expanded(const Tensor& input, const List& sizes, std::int64_t opset = newest_opset) {
  const Tensor dims = shape_of(sizes);
  return call(expand, {&input, &dims}, {}, opset);
}

void expect_floats(const Tensor& tensor, const List& dims, const std::vector<float>& values) {
  EXPECT_EQ(list(tensor.dims()), dims);
  EXPECT_EQ(elements<float>(tensor), values);
}

TEST(Expand, StretchesAxesOfSizeOne) {
  for (const std::int64_t opset : {8, 12, 13, 25}) {
    expect_floats(must(expanded(floats({3, 1}, {1, 2, 3}), {3, 2}, opset)), {3, 2}, {1, 1, 2, 2, 3, 3});
    expect_floats(must(expanded(floats({1, 2}, {1, 2}), {3, 2}, opset)), {3, 2}, {1, 2, 1, 2, 1, 2});
  }
}

TEST(Expand, TheShapeMayHaveFewerAxesThanTheInput) {
  expect_floats(must(expanded(floats({2, 1}, {1, 2}), {2})), {2, 2}, {1, 1, 2, 2});
  expect_floats(must(expanded(floats({2, 2}, {1, 2, 3, 4}), {1})), {2, 2}, {1, 2, 3, 4});
}

TEST(Expand, AnEmptyShapeKeepsTheInput) {
  expect_floats(must(expanded(floats({2}, {1, 2}), {})), {2}, {1, 2});
  expect_floats(must(expanded(floats({}, {7}), {})), {}, {7});
}

TEST(Expand, AZeroAgainstMoreIsRefusedInBothDirections) {
  EXPECT_TRUE(fails(expanded(floats({0}, {}), {2}), Code::InvalidArgument, "cannot broadcast [0] to [2]"));
  EXPECT_TRUE(fails(expanded(floats({2}, {1, 2}), {0}), Code::InvalidArgument, "cannot broadcast [2] to [0]"));
}

TEST(Expand, SizesThatDifferAreRefusedWithBothShapesAndTheAxis) {
  EXPECT_TRUE(fails(expanded(floats({3, 4}, std::vector<float>(12)), {2, 4}), Code::InvalidArgument,
                    "Expand-13: cannot broadcast [3, 4] to [2, 4]: axis 0 is 3, wanted 2"));
  EXPECT_TRUE(fails(expanded(floats({2}, {1, 2}), {3}, 8), Code::InvalidArgument, "Expand-8: cannot broadcast"));
}

TEST(Expand, NegativeSizesAreRefused) {
  EXPECT_TRUE(fails(expanded(floats({1}, {1}), {-1}), Code::InvalidArgument, "input 'shape' holds [-1]: entry 0 is -1"));
  EXPECT_TRUE(fails(expanded(floats({2}, {1, 2}), {3, -1}), Code::InvalidArgument, "entry 1 is -1"));
}

TEST(Expand, TheShapeMustHaveOneAxis) {
  const Tensor x = floats({1}, {1});
  const Tensor scalar = int64s({}, {3});
  EXPECT_TRUE(fails(call(expand, {&x, &scalar}), Code::InvalidArgument, "input 'shape' has dims []"));
  const Tensor matrix = int64s({2, 1}, {3, 4});
  EXPECT_TRUE(fails(call(expand, {&x, &matrix}), Code::InvalidArgument, "input 'shape' has dims [2, 1]"));
}

TEST(Expand, TheShapeMustBeInt64) {
  const Tensor x = floats({1}, {1});
  for (const Dtype dtype : {Dtype::int32, Dtype::uint64, Dtype::float32, Dtype::string}) {
    const Tensor dims = zeros(dtype, {1});
    EXPECT_TRUE(fails(call(expand, {&x, &dims}), Code::UnsupportedType, "input 'shape' cannot be")) << info(dtype).name;
  }
}

TEST(Expand, ACountThatOverflowsIsRefused) {
  const std::int64_t large = std::int64_t{1} << 40;
  EXPECT_TRUE(fails(expanded(floats({1}, {1}), {large, large}), Code::InvalidArgument, "too many elements"));
  EXPECT_TRUE(fails(expanded(floats({1}, {1}), {INT64_MAX}), Code::InvalidArgument, "too many elements"));
}

TEST(Expand, EveryItemSizeKeepsEveryBit) {
  for (int id = 1; id <= dtype_count; ++id) {
    const auto dtype = static_cast<Dtype>(id);
    if (dtype == Dtype::string || !must(select_version(expand, 13))->types[0].contains(dtype)) continue;
    const std::size_t size = item_size(dtype);
    Bytes column(2 * size);
    for (std::size_t i = 0; i < column.size(); ++i)
      column[i] = dtype == Dtype::boolean ? 1 : static_cast<std::uint8_t>(0xF0 + i);
    Bytes expected;
    for (std::size_t row = 0; row < 2; ++row) {
      for (int times = 0; times < 3; ++times) {
        const auto from = column.begin() + static_cast<std::ptrdiff_t>(row * size);
        expected.insert(expected.end(), from, from + static_cast<std::ptrdiff_t>(size));
      }
    }
    EXPECT_EQ(bytes_of(must(expanded(tensor_of(dtype, {2, 1}, column), {2, 3}))), expected) << info(dtype).name;
  }
}

TEST(Expand, StringsAreRepeated) {
  const Tensor result = must(expanded(strings({2, 1}, {"a", "\xC3\xA9"}), {2, 2}));
  EXPECT_EQ(string_elements(result), (std::vector<std::string>{"a", "a", "\xC3\xA9", "\xC3\xA9"}));
}

TEST(Expand, TheResultIsAViewUntilItIsRead) {
  const Tensor x = floats({3, 1}, {1, 2, 3});
  const std::size_t before = Storage::bytes_in_use();
  const Tensor y = must(expanded(x, {1000000, 3, 1000000}));
  EXPECT_EQ(y.data(), x.data());
  EXPECT_EQ(list(y.layout->strides), (List{0, 1, 0}));
  EXPECT_EQ(Storage::bytes_in_use(), before);
}

TEST(Expand, AViewCanBeExpandedAgain) {
  const Tensor x = floats({2, 1, 1}, {1, 2});
  const Tensor y = must(expanded(x, {2, 1, 2}));
  const Tensor z = must(expanded(y, {2, 2, 2}));
  EXPECT_EQ(z.data(), x.data());
  expect_floats(z, {2, 2, 2}, {1, 1, 1, 1, 2, 2, 2, 2});
}

TEST(Expand, AHugeResultIsMadeAndOnlyReadingItIsOutOfMemory) {
  const Tensor y = must(expanded(floats({1}, {1}), {std::int64_t{1} << 50}));
  EXPECT_EQ(y.count(), std::int64_t{1} << 50);
  EXPECT_TRUE(fails(densify(y), Code::OutOfMemory));
}

TEST(Expand, AShapeThatIsAViewIsRead) {
  const Tensor two = must(expanded(int64s({1}, {2}), {3}));
  const Tensor x = floats({}, {5});
  expect_floats(must(call(expand, {&x, &two})), {2, 2, 2}, std::vector<float>(8, 5));
}

TEST(Expand, RandomShapesEqualTheElementsFoundOneByOne) {
  Random random;
  for (int round = 0; round < 3000; ++round) {
    const std::size_t rank = random.below(6);
    List out(rank);
    for (auto& size : out) size = random.one_in(20) ? 0 : random.between(1, 4);
    // The input lacks some leading axes and has some sizes 1; so does the shape.
    List in(out.begin() + static_cast<std::ptrdiff_t>(random.below(rank + 1)), out.end());
    List sizes = out;
    for (std::size_t i = 0; i < in.size(); ++i) {
      if (random.one_in(2))
        in[i] = 1;
      else if (random.one_in(3))
        sizes[rank - in.size() + i] = 1;
    }
    const std::int64_t count = *checked_count(in);
    std::vector<float> values(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
    std::vector<float> expected;
    for (std::int64_t i = 0; i < *checked_count(out); ++i) {
      std::int64_t rest = i;
      std::int64_t at = 0;
      std::int64_t step = 1;
      for (std::size_t back = 1; back <= in.size(); ++back) {
        const std::int64_t size = in[in.size() - back];
        at += size == 1 ? 0 : rest % out[rank - back] * step;
        rest /= out[rank - back];
        step *= size;
      }
      expected.push_back(values[static_cast<std::size_t>(at)]);
    }
    expect_floats(must(expanded(floats(dims_of(in), values), sizes)), out, expected);
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace broadloom::test::expand_test
