#include "support/calls.h"
#include "support/random.h"

namespace broadloom::op {
extern const Operator center_crop_pad, pad;
}

namespace broadloom::test::pad_test {
namespace {

Given mode(const std::string& word) { return {"mode", AttributeType::STRING, strings({}, {word})}; }
Given ints(std::string_view name, const List& values) { return {name, AttributeType::INTS, shape_of(values)}; }

Result<Tensor> padded(const Tensor& data, const List& pads, const std::string& word = "constant",
                      std::int64_t opset = newest_opset) {
  const Tensor borders = shape_of(pads);
  return call(pad, {&data, &borders}, {mode(word)}, opset);
}

TEST(Pad, AddsTheValueOnBothSides) {
  const Tensor data = floats({2, 2}, {1, 2, 3, 4});
  const Tensor borders = shape_of({0, 1, 1, 2});
  const Tensor value = floats({}, {9});
  const std::vector<float> expected{9, 1, 2, 9, 9, 9, 3, 4, 9, 9, 9, 9, 9, 9, 9};
  for (const std::int64_t opset : {11, 13, 18, 19, 21, 23, 24, 25}) {
    const Tensor result = must(call(pad, {&data, &borders, &value}, {}, opset));
    EXPECT_EQ(list(result.dims()), (List{3, 5}));
    EXPECT_EQ(elements<float>(result), expected);
  }
  for (const auto& [opset, name] : {std::pair{1, "paddings"}, {2, "pads"}}) {
    const Given nine{"value", AttributeType::FLOAT, 9.0F};
    EXPECT_EQ(elements<float>(must(call(pad, {&data}, {ints(name, {0, 1, 1, 2}), nine}, opset))), expected);
    const Tensor halves = tensor_of<std::uint16_t>(Dtype::float16, {1}, {0x3C00});
    EXPECT_EQ(elements<std::uint16_t>(must(call(pad, {&halves}, {ints(name, {1, 0}), nine}, opset))),
              (std::vector<std::uint16_t>{0x4880, 0x3C00}));
  }
  EXPECT_EQ(elements<float>(must(padded(floats({1}, {5}), {1, 1}))), (std::vector<float>{0, 5, 0}));
}

TEST(Pad, ReflectsRepeatsTheEdgeOrWraps) {
  const Tensor data = floats({3}, {1, 2, 3});
  EXPECT_EQ(elements<float>(must(padded(data, {2, 1}, "reflect"))), (std::vector<float>{3, 2, 1, 2, 3, 2}));
  EXPECT_EQ(elements<float>(must(padded(data, {2, 4}, "edge"))), (std::vector<float>{1, 1, 1, 2, 3, 3, 3, 3, 3}));
  EXPECT_EQ(elements<float>(must(padded(data, {4, 5}, "wrap"))), (std::vector<float>{3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2}));
}

TEST(Pad, NegativeNumbersTakeAwayAndAreAView) {
  const Tensor data = floats({2, 3}, {1, 2, 3, 4, 5, 6});
  const Tensor view = must(padded(data, {-1, -1, 0, -1}));
  EXPECT_EQ(view.data(), data.data() + 4 * sizeof(float));
  EXPECT_EQ(elements<float>(view), (std::vector<float>{5}));
  EXPECT_EQ(must(padded(data, {0, 0, 0, 0})).data(), data.data());
  EXPECT_EQ(elements<float>(must(padded(data, {0, -1, 0, 1}))), (std::vector<float>{2, 3, 0, 5, 6, 0}));
  EXPECT_EQ(elements<float>(must(padded(data, {0, -1, 0, 1}, "edge"))), (std::vector<float>{2, 3, 3, 5, 6, 6}));
  EXPECT_EQ(elements<float>(must(padded(data, {0, 2, 0, -4}))), (std::vector<float>{0, 0}));
  EXPECT_EQ(list(must(padded(data, {-1, 0, -1, 0})).dims()), (List{0, 3}));
}

TEST(Pad, OnlyTheGivenAxesArePadded) {
  const Tensor data = floats({1, 2}, {1, 2});
  const Tensor borders = shape_of({1, 0, 0, 1});
  const Tensor axes = tensor_of<std::int32_t>(Dtype::int32, {2}, {-1, 0});
  EXPECT_EQ(elements<float>(must(call(pad, {&data, &borders, nullptr, &axes}))), (std::vector<float>{0, 1, 2, 0, 0, 0}));
  const Tensor twice = tensor_of<std::int32_t>(Dtype::int32, {2}, {1, -1});
  EXPECT_TRUE(fails(call(pad, {&data, &borders, nullptr, &twice}), Code::InvalidArgument, "'axes' has axis 1 twice"));
}

TEST(Pad, AnEmptyInputIsPaddedWithTheValueOnly) {
  EXPECT_EQ(elements<float>(must(padded(floats({0}, {}), {1, 2}))), (std::vector<float>{0, 0, 0}));
  EXPECT_EQ(list(must(padded(floats({0, 2}, {}), {0, 1, 0, 0}, "edge")).dims()), (List{0, 3}));
  EXPECT_TRUE(
      fails(padded(floats({0}, {}), {1, 0}, "edge"), Code::InvalidArgument, "axis 0 has 0 indices to pad by 1 and 0 from"));
}

TEST(Pad, PadsThatDoNotFitAreRefused) {
  const Tensor data = floats({3}, {1, 2, 3});
  EXPECT_TRUE(fails(padded(data, {3, 0}, "reflect"), Code::InvalidArgument, "axis 0 has 3 indices to pad by 3 and 0 from"));
  EXPECT_TRUE(fails(padded(data, {-2, -2}), Code::InvalidArgument, "axis 0 of size 3 cannot be padded by -2 and -2"));
  EXPECT_TRUE(fails(padded(data, {1}), Code::InvalidArgument, "pads has 1 entry, wanted 2"));
  EXPECT_TRUE(fails(padded(data, {1, 1}, "wrap", 18), Code::InvalidArgument, "attribute 'mode' is 'wrap', wanted one of"));
  EXPECT_TRUE(fails(padded(data, {INT64_MAX, INT64_MAX}), Code::InvalidArgument, "cannot be padded"));
  EXPECT_TRUE(fails(padded(data, {std::int64_t{1} << 50, 0}), Code::OutOfMemory));
  const Tensor borders = shape_of({1, 1});
  const Tensor two = floats({2}, {1, 2});
  EXPECT_TRUE(
      fails(call(pad, {&data, &borders, &two}), Code::InvalidArgument, "constant_value has dims [2], wanted one element"));
}

TEST(Pad, MovesItemsOfEverySize) {
  const Tensor nibbles = tensor_of<std::uint8_t>(Dtype::int4, {3}, {0x21, 0x03});
  EXPECT_EQ(bytes_of(must(padded(nibbles, {1, 1}, "wrap"))), (Bytes{0x13, 0x32, 0x01}));
  const Tensor borders = shape_of({1, 0});
  const Tensor seven = tensor_of<std::uint8_t>(Dtype::int4, {1}, {0x07});
  EXPECT_EQ(bytes_of(must(call(pad, {&nibbles, &borders, &seven}))), (Bytes{0x17, 0x32}));
  const Tensor pairs = tensor_of<std::uint8_t>(Dtype::uint2, {2}, {0x0D});
  EXPECT_EQ(bytes_of(must(padded(pairs, {1, 2}))), (Bytes{0x34, 0x00}));
  const Tensor words = strings({2}, {"a", "bc"});
  const Tensor word = strings({}, {"xyz"});
  EXPECT_EQ(string_elements(must(call(pad, {&words, &borders, &word}))), (std::vector<std::string>{"xyz", "a", "bc"}));
  EXPECT_EQ(string_elements(must(padded(words, {1, 1}))), (std::vector<std::string>{"", "a", "bc", ""}));
  for (const Dtype dtype : {Dtype::uint8, Dtype::float16, Dtype::float32, Dtype::float64, Dtype::complex128}) {
    const std::size_t size = item_size(dtype);
    Bytes bytes(2 * size);
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i + 1);
    Bytes expected(bytes.begin() + static_cast<std::ptrdiff_t>(size), bytes.end());
    expected.insert(expected.end(), bytes.begin(), bytes.end());
    EXPECT_EQ(bytes_of(must(padded(tensor_of(dtype, {2}, bytes), {1, 0}, "reflect"))), expected) << info(dtype).name;
  }
}

TEST(Pad, RandomBordersEqualTheElementsFoundOneByOne) {
  Random random;
  const std::string words[] = {"constant", "reflect", "edge", "wrap"};
  for (int round = 0; round < 1000; ++round) {
    const std::string& word = words[random.below(4)];
    const std::size_t rank = 1 + random.below(4);
    List dims(rank);
    List pads(2 * rank);
    List out(rank);
    for (std::size_t i = 0; i < rank; ++i) {
      dims[i] = random.between(1, 4);
      const auto border = [&](std::int64_t least) {
        return random.one_in(3) ? 0 : random.between(least, word == "reflect" ? dims[i] - 1 : 5);
      };
      pads[i] = border(0);
      pads[rank + i] = border(0);
      out[i] = dims[i] + pads[i] + pads[rank + i];
    }
    // The data is a view: the axes of the storage are reversed.
    const std::int64_t count = *checked_count(dims);
    std::vector<float> values(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i + 1);
    Layout layout{dims_of(dims), dims_of(List(rank))};
    std::int64_t stride = 1;
    for (std::size_t i = 0; i < rank; ++i) {
      layout.strides[i] = stride;
      stride *= dims[i];
    }
    Tensor data = floats({count}, values);
    data.layout = LayoutRef(layout);
    std::vector<float> expected;
    for (std::int64_t i = 0; i < *checked_count(out); ++i) {
      std::int64_t rest = i;
      std::int64_t at = 0;
      bool is_border = false;
      for (std::size_t axis = rank; axis-- > 0;) {
        const std::int64_t size = dims[axis];
        std::int64_t index = rest % out[axis] - pads[axis];
        rest /= out[axis];
        is_border = is_border || index < 0 || index >= size;
        if (word == "edge") index = std::clamp<std::int64_t>(index, 0, size - 1);
        if (word == "reflect") index = index < 0 ? -index : index >= size ? 2 * size - 2 - index : index;
        if (word == "wrap") index = (index % size + size) % size;
        at += index * layout.strides[axis];
      }
      expected.push_back(word == "constant" && is_border ? 0 : values[static_cast<std::size_t>(at)]);
    }
    const Tensor result = must(padded(data, pads, word));
    EXPECT_EQ(list(result.dims()), out);
    EXPECT_EQ(elements<float>(result), expected) << word;
    if (HasFailure()) return;
  }
}

TEST(Pad, BeforeARunSizesAreSums) {
  Expressions expressions;
  const Size n = expressions.name(0);
  const OperatorVersion& version = *must(select_version(pad, 18));
  const Tensor data{Dtype::float32, uniform_layout({n, 3})};
  Tensor pads = shape_of({1, 2, n, 0});
  const Tensor* in[] = {&data, &pads};
  const Attributes attributes;
  Tensor output;
  Call before{version, in, attributes, {}, {&output, 1}, &expressions};
  must(pad.prepare(before));
  EXPECT_EQ(SizeList(output.dims()), (SizeList{expressions.add(expressions.multiply(n, 2), 1), 5}));
  pads = Tensor{Dtype::int64, uniform_layout({4})};
  must(pad.prepare(before));
  EXPECT_EQ(SizeList(output.dims()), (SizeList{unknown_size, unknown_size}));
}

Result<Tensor> cropped(const Tensor& data, const SizeList& shape, const std::vector<Given>& given = {}) {
  const Tensor sizes = shape_of(shape);
  return call(center_crop_pad, {&data, &sizes}, given);
}

TEST(CenterCropPad, CropsAndPadsAroundTheMiddle) {
  const Tensor data = floats({5}, {1, 2, 3, 4, 5});
  EXPECT_EQ(elements<float>(must(cropped(data, {3}))), (std::vector<float>{2, 3, 4}));
  EXPECT_EQ(elements<float>(must(cropped(data, {2}))), (std::vector<float>{2, 3}));
  EXPECT_EQ(must(cropped(data, {2})).data(), data.data() + sizeof(float));
  EXPECT_EQ(elements<float>(must(cropped(data, {8}))), (std::vector<float>{0, 1, 2, 3, 4, 5, 0, 0}));
  EXPECT_EQ(elements<float>(must(cropped(floats({2, 3}, {1, 2, 3, 4, 5, 6}), {3, 1}))), (std::vector<float>{2, 5, 0}));
  EXPECT_EQ(elements<float>(must(cropped(floats({2, 3}, {1, 2, 3, 4, 5, 6}), {1}, {ints("axes", {-1})}))),
            (std::vector<float>{2, 5}));
  EXPECT_EQ(string_elements(must(cropped(strings({1}, {"a"}), {2}))), (std::vector<std::string>{"a", ""}));
  EXPECT_EQ(list(must(cropped(data, {0})).dims()), (List{0}));
}

TEST(CenterCropPad, ShapesThatDoNotFitAreRefused) {
  const Tensor data = floats({5}, {1, 2, 3, 4, 5});
  EXPECT_TRUE(fails(cropped(data, {1, 2}), Code::InvalidArgument, "shape has 2 entries, wanted 1"));
  EXPECT_TRUE(fails(cropped(data, {-1}), Code::InvalidArgument, "entry 0 is -1; sizes cannot be negative"));
  EXPECT_TRUE(fails(cropped(data, {INT64_MAX}), Code::InvalidArgument, "cannot be padded"));
}

TEST(CenterCropPad, BeforeARunTheSizesAreThoseAskedFor) {
  Expressions expressions;
  const Size n = expressions.name(0);
  const Size m = expressions.name(1);
  const OperatorVersion& version = *must(select_version(center_crop_pad, 18));
  const Tensor data{Dtype::float32, uniform_layout({n, 3})};
  const Tensor shape = shape_of({m, 7});
  const Tensor* in[] = {&data, &shape};
  const Attributes attributes;
  Tensor output;
  Call before{version, in, attributes, {}, {&output, 1}, &expressions};
  must(center_crop_pad.prepare(before));
  EXPECT_EQ(SizeList(output.dims()), (SizeList{m, 7}));
}

}  // namespace
}  // namespace broadloom::test::pad_test
