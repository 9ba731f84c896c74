#include "support/calls.h"
#include "support/cases.h"
#include "support/layouts.h"

namespace broadloom::op {
extern const Operator scatter, scatter_elements, scatter_nd;
}

namespace broadloom::test::scatter_test {
namespace {

std::vector<Given> attributes(std::int64_t axis, std::string_view reduction) {
  std::vector<Given> given;
  if (axis != 0) given.push_back(int_attribute("axis", axis));
  if (!reduction.empty()) given.push_back({"reduction", AttributeType::STRING, strings({}, {std::string(reduction)})});
  return given;
}

Result<Tensor> scattered(const Tensor& data, const Tensor& indices, const Tensor& updates, std::int64_t axis = 0,
                         std::string_view reduction = "", std::int64_t opset = newest_opset) {
  return call(scatter_elements, {&data, &indices, &updates}, attributes(axis, reduction), opset);
}

Result<Tensor> scattered_nd(const Tensor& data, const Tensor& indices, const Tensor& updates, std::string_view reduction = "",
                            std::int64_t opset = newest_opset) {
  return call(scatter_nd, {&data, &indices, &updates}, attributes(0, reduction), opset);
}

void expect_floats(const Tensor& tensor, const List& dims, const std::vector<float>& values) {
  EXPECT_EQ(list(tensor.dims()), dims);
  EXPECT_EQ(elements<float>(tensor), values);
}

TEST(ScatterElements, WritesEachUpdateWhereItsIndexPoints) {
  const Tensor data = floats({3, 3}, std::vector<float>(9));
  const Tensor indices = int64s({2, 3}, {1, 0, 2, 0, 2, 1});
  const Tensor updates = floats({2, 3}, {1, 1.1F, 1.2F, 2, 2.1F, 2.2F});
  for (const std::int64_t opset : {11, 13, 16, 18}) {
    expect_floats(must(scattered(data, indices, updates, 0, "", opset)), {3, 3}, {2, 1.1F, 0, 1, 0, 2.2F, 0, 2.1F, 1.2F});
  }
  for (const std::int64_t opset : {9, 11}) {
    expect_floats(must(call(scatter, {&data, &indices, &updates}, {}, opset)), {3, 3}, {2, 1.1F, 0, 1, 0, 2.2F, 0, 2.1F, 1.2F});
  }
  expect_floats(data, {3, 3}, std::vector<float>(9));
  expect_floats(must(scattered(floats({1, 5}, {1, 2, 3, 4, 5}), int64s({1, 2}, {1, -2}), floats({1, 2}, {8, 9}), 1)), {1, 5},
                {1, 8, 3, 9, 5});
}

TEST(ScatterElements, TheLastUpdateOfAnElementWins) {
  expect_floats(must(scattered(floats({2}, {0, 0}), int64s({3}, {1, 1, 1}), floats({3}, {5, 6, 7}))), {2}, {0, 7});
}

TEST(ScatterElements, ReductionsTakeUpdatesTogether) {
  const Tensor data = floats({3}, {1, 2, 3});
  const Tensor indices = indices_of(false, {4}, {0, 0, 2, -3});
  const Tensor updates = floats({4}, {5, -6, 7, 2});
  expect_floats(must(scattered(data, indices, updates, 0, "none")), {3}, {2, 2, 7});
  expect_floats(must(scattered(data, indices, updates, 0, "add", 16)), {3}, {2, 2, 10});
  expect_floats(must(scattered(data, indices, updates, 0, "mul", 16)), {3}, {-60, 2, 21});
  expect_floats(must(scattered(data, indices, updates, 0, "max")), {3}, {5, 2, 7});
  expect_floats(must(scattered(data, indices, updates, 0, "min")), {3}, {-6, 2, 3});
}

TEST(ScatterElements, EachVersionHasItsReductions) {
  const Tensor one = floats({1}, {1});
  const Tensor zero = int64s({1}, {0});
  EXPECT_TRUE(fails(scattered(one, zero, one, 0, "max", 16), Code::InvalidArgument,
                    "attribute 'reduction' is 'max', wanted one of: none add mul"));
  EXPECT_TRUE(fails(scattered(one, zero, one, 0, "add", 13), Code::InvalidArgument, "no attribute 'reduction'"));
  EXPECT_TRUE(fails(scattered_nd(one, int64s({1, 1}, {0}), one, "min", 17), Code::InvalidArgument, "none add mul"));
}

// One element, reduced with two updates.
template <class T>
std::vector<T> reduced(Dtype dtype, std::string_view reduction, const std::vector<T>& values) {
  const std::size_t width = item_size(dtype) / sizeof(T);
  const auto first = values.begin() + static_cast<std::ptrdiff_t>(width);
  const Tensor data = tensor_of(dtype, {1}, std::vector<T>(values.begin(), first));
  const Tensor updates = tensor_of(dtype, {2}, std::vector<T>(first, values.end()));
  return elements<T>(must(scattered(data, int64s({2}, {0, 0}), updates, 0, reduction)));
}

template <class T>
void expect_integers(Dtype dtype) {
  using Wide = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::int64_t>;
  const T low = std::numeric_limits<T>::min();
  const T high = std::numeric_limits<T>::max();
  EXPECT_EQ(reduced<T>(dtype, "add", {high, 1, 1}), std::vector<T>{static_cast<T>(static_cast<Wide>(high) + 2)});
  EXPECT_EQ(reduced<T>(dtype, "mul", {high, high, 3}), std::vector<T>{3});
  EXPECT_EQ(reduced<T>(dtype, "max", {3, low, high}), std::vector<T>{high});
  EXPECT_EQ(reduced<T>(dtype, "min", {3, high, low}), std::vector<T>{low});
}

TEST(ScatterElements, IntegersWrap) {
  expect_integers<std::uint8_t>(Dtype::uint8);
  expect_integers<std::int8_t>(Dtype::int8);
  expect_integers<std::uint16_t>(Dtype::uint16);
  expect_integers<std::int16_t>(Dtype::int16);
  expect_integers<std::uint32_t>(Dtype::uint32);
  expect_integers<std::int32_t>(Dtype::int32);
  expect_integers<std::uint64_t>(Dtype::uint64);
  expect_integers<std::int64_t>(Dtype::int64);
}

TEST(ScatterElements, FloatsOfEveryWidthAreReduced) {
  EXPECT_EQ(reduced<double>(Dtype::float64, "add", {1, 1e-9, 2}), std::vector<double>{1 + 1e-9 + 2});
  EXPECT_EQ(reduced<float>(Dtype::complex64, "add", {1, 2, 3, 4, 5, 6}), (std::vector<float>{9, 12}));
  EXPECT_EQ(reduced<float>(Dtype::complex64, "mul", {1, 2, 3, 4, 0, 1}), (std::vector<float>{-10, -5}));
  EXPECT_EQ(reduced<double>(Dtype::complex128, "mul", {1, 2, 3, 4, 1, 0}), (std::vector<double>{-5, 10}));
  // 1 + 2^-10 (an ulp) + 2^-11 (half of one: to even); 65504 + 65504 is infinite; 2^-24 is the least subnormal.
  EXPECT_EQ(reduced<std::uint16_t>(Dtype::float16, "add", {0x3C00, 0x1400, 0x1000}), std::vector<std::uint16_t>{0x3C02});
  EXPECT_EQ(reduced<std::uint16_t>(Dtype::float16, "add", {0x7BFF, 0x7BFF, 0}), std::vector<std::uint16_t>{0x7C00});
  EXPECT_EQ(reduced<std::uint16_t>(Dtype::float16, "add", {0x0001, 0x0001, 0x8003}), std::vector<std::uint16_t>{0x8001});
  EXPECT_EQ(reduced<std::uint16_t>(Dtype::float16, "max", {0xBC00, 0xC000, 0xB800}), std::vector<std::uint16_t>{0xB800});
  EXPECT_EQ(reduced<std::uint16_t>(Dtype::bfloat16, "mul", {0x4000, 0x4040, 0xBF80}), std::vector<std::uint16_t>{0xC0C0});
  EXPECT_EQ(reduced<std::uint16_t>(Dtype::bfloat16, "add", {0x3F80, 0x3B80, 0}), std::vector<std::uint16_t>{0x3F80});
}

TEST(ScatterND, BlocksOfAnyLengthAreReduced) {
  for (const std::int64_t length : {1, 8, 9}) {
    const auto count = static_cast<std::size_t>(length);
    std::vector<float> wanted(2 * count, 3);
    std::fill_n(wanted.begin() + length, count, 5.5F);
    std::vector<float> updates(3 * count, 2);
    std::fill_n(updates.begin() + length, count, 2.5F);
    const Tensor data = floats({2, length}, std::vector<float>(2 * count, 1));
    const Tensor result = must(scattered_nd(data, int64s({3, 1}, {1, 1, 0}), floats({3, length}, updates), "add"));
    expect_floats(result, {2, length}, wanted);
  }
}

TEST(ScatterElements, EveryFloat16SurvivesTheAdditionOfZero) {
  std::vector<std::uint16_t> values(65536);
  std::vector<std::uint16_t> wanted(65536);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<std::uint16_t>(i);
    const bool is_nan = (i & 0x7FFFU) > 0x7C00U;
    wanted[i] = static_cast<std::uint16_t>(is_nan ? i | 0x200U : i);  // addition makes NaNs quiet
  }
  List numbers(values.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<std::int64_t>(i);
  const Tensor data = tensor_of(Dtype::float16, {65536}, values);
  const Tensor zero = tensor_of(Dtype::float16, {65536}, std::vector<std::uint16_t>(65536, 0x8000));
  EXPECT_EQ(elements<std::uint16_t>(must(scattered(data, int64s({65536}, numbers), zero, 0, "add"))), wanted);
}

TEST(ScatterElements, BoolsAreAddedByOrAndMultipliedByAnd) {
  for (const auto& [reduction, wanted] : std::vector<std::pair<std::string, Bytes>>{
           {"add", {0, 1, 1, 1}}, {"mul", {0, 0, 0, 1}}, {"max", {0, 1, 1, 1}}, {"min", {0, 0, 0, 1}}}) {
    EXPECT_EQ(
        bytes_of(must(scattered(bools({4}, {0, 0, 1, 1}), int64s({4}, {0, 1, 2, 3}), bools({4}, {0, 1, 0, 1}), 0, reduction))),
        wanted);
  }
}

TEST(ScatterElements, StringsAreReplacedOnly) {
  const Tensor data = strings({3}, {"a", "bc", ""});
  const Tensor updates = strings({1}, {"def"});
  EXPECT_EQ(string_elements(must(scattered(data, int64s({1}, {1}), updates))), (std::vector<std::string>{"a", "def", ""}));
  EXPECT_TRUE(fails(scattered(data, int64s({1}, {1}), updates, 0, "add"), Code::UnsupportedType,
                    "reduction 'add' is not defined for string"));
  const Tensor complex = zeros(Dtype::complex64, {1});
  EXPECT_TRUE(
      fails(scattered(complex, int64s({1}, {0}), complex, 0, "max"), Code::UnsupportedType, "not defined for complex64"));
}

TEST(ScatterElements, UpdatesHaveTheDimsOfIndices) {
  const Tensor data = floats({2, 2}, {1, 2, 3, 4});
  EXPECT_TRUE(fails(scattered(data, int64s({1, 2}, {0, 0}), floats({2, 1}, {0, 0})), Code::InvalidArgument,
                    "updates has dims [2, 1], wanted the places [1, 2]"));
  EXPECT_TRUE(
      fails(scattered(data, int64s({1, 3}, {0, 0, 0}), floats({1, 3}, {0, 0, 0})), Code::InvalidArgument, "indices has dims"));
  EXPECT_TRUE(fails(scattered(data, int64s({1, 2}, {0, 2}), floats({1, 2}, {0, 0})), Code::InvalidArgument,
                    "index 2 at [0, 1] of indices is out of bounds: axis 0 of [2, 2] takes -2 to 1"));
  expect_floats(must(scattered(data, int64s({0, 2}, {}), floats({0, 2}, {}))), {2, 2}, {1, 2, 3, 4});
}

TEST(ScatterElements, RandomCallsEqualTheUpdatesWrittenOneByOne) {
  Random random;
  for (int round = 0; round < rounds(1000); ++round) {
    const Dtype dtype = item_types[random.below(5)];
    const List dims = random_dims(random, 1 + random.below(4), round % 50 == 0 ? 20 : 4);
    const std::size_t axis = random.below(dims.size());
    List places = dims;
    for (auto& size : places) size = random.between(1, size);
    if (random.one_in(2)) places[axis] = random.between(1, 9);
    List values(static_cast<std::size_t>(*checked_count(places)));
    for (auto& value : values) value = random.between(-dims[axis], dims[axis] - 1);
    const Tensor data = distinct(dtype, dims);
    const Tensor indices = indices_of(random.one_in(2), places, values);
    const Tensor updates = distinct(dtype, places);
    const Tensor result = must(scattered(random.one_in(2) ? data : scrambled(data, random),
                                         random.one_in(2) ? indices : scrambled(indices, random),
                                         random.one_in(2) ? updates : scrambled(updates, random), static_cast<int>(axis)));
    Bytes wanted = bytes_of(data);
    for (std::int64_t i = 0; i < updates.count(); ++i) {
      List at = coordinates_of(places, i);
      const std::int64_t index = values[static_cast<std::size_t>(i)];
      at[axis] = index < 0 ? index + dims[axis] : index;
      const Bytes item = item_at(updates, i);
      const std::int64_t to = number_of(dims, at) * static_cast<std::int64_t>(item.size());
      std::copy(item.begin(), item.end(), wanted.begin() + to);
    }
    ASSERT_EQ(list(result.dims()), dims);
    ASSERT_EQ(bytes_of(result), wanted);
  }
}

TEST(ScatterND, WritesBlocksWhereTuplesPoint) {
  for (const std::int64_t opset : {11, 13, 16, 18}) {
    expect_floats(must(scattered_nd(floats({4}, {1, 2, 3, 4}), int64s({2, 1}, {3, -4}), floats({2}, {8, 9}), "", opset)), {4},
                  {9, 2, 3, 8});
    expect_floats(must(scattered_nd(floats({2, 2}, {1, 2, 3, 4}), int64s({1, 1}, {1}), floats({1, 2}, {8, 9}), "", opset)),
                  {2, 2}, {1, 2, 8, 9});
  }
}

TEST(ScatterND, ReductionsTakeWholeBlocksTogether) {
  const Tensor data = floats({2, 3}, {1, 2, 3, 4, 5, 6});
  const Tensor indices = int64s({2, 1}, {1, 1});
  const Tensor updates = floats({2, 3}, {2, 2, 9, 3, 3, 1});
  expect_floats(must(scattered_nd(data, indices, updates, "add", 16)), {2, 3}, {1, 2, 3, 9, 10, 16});
  expect_floats(must(scattered_nd(data, indices, updates, "mul", 16)), {2, 3}, {1, 2, 3, 24, 30, 54});
  expect_floats(must(scattered_nd(data, indices, updates, "max")), {2, 3}, {1, 2, 3, 4, 5, 9});
  expect_floats(must(scattered_nd(data, indices, updates, "min")), {2, 3}, {1, 2, 3, 2, 2, 1});
}

TEST(ScatterND, UpdatesHaveTheDimsOfPlacesAndBlocks) {
  const Tensor data = floats({2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_TRUE(fails(scattered_nd(data, int64s({1, 1}, {0}), floats({3}, {1, 2, 3})), Code::InvalidArgument,
                    "updates has dims [3], wanted the places [1], then the block [3]"));
  EXPECT_TRUE(fails(scattered_nd(data, int64s({1, 2}, {0, 3}), floats({1}, {1})), Code::InvalidArgument,
                    "index 3 at [0, 1] of indices is out of bounds: axis 1 of [2, 3] takes -3 to 2"));
  expect_floats(must(scattered_nd(data, int64s({0, 1}, {}), floats({0, 3}, {}))), {2, 3}, {1, 2, 3, 4, 5, 6});
  // Very many updates, with blocks without elements.
  const std::int64_t many = std::int64_t{1} << 50;
  const Tensor indices{Dtype::int64, uniform_layout({many, 1}), int64s({1}, {0}).storage};
  expect_floats(must(scattered_nd(floats({2, 0}, {}), indices, floats({many, 0}, {}))), {2, 0}, {});
}

TEST(ScatterND, RandomCallsEqualTheUpdatesWrittenOneByOne) {
  Random random;
  for (int round = 0; round < rounds(1000); ++round) {
    const Dtype dtype = item_types[random.below(5)];
    const List dims = random_dims(random, 1 + random.below(4));
    const std::size_t tuple = 1 + random.below(dims.size());
    const List places = random_dims(random, random.below(3), 9);
    List index_dims = places;
    index_dims.push_back(static_cast<std::int64_t>(tuple));
    List values(static_cast<std::size_t>(*checked_count(index_dims)));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = random.between(-dims[i % tuple], dims[i % tuple] - 1);
    List update_dims = places;
    update_dims.insert(update_dims.end(), dims.begin() + static_cast<std::ptrdiff_t>(tuple), dims.end());
    const Tensor data = distinct(dtype, dims);
    const Tensor indices = int64s(dims_of(index_dims), values);
    const Tensor updates = distinct(dtype, update_dims);
    const Tensor result = must(scattered_nd(random.one_in(2) ? data : scrambled(data, random),
                                            random.one_in(2) ? indices : scrambled(indices, random),
                                            random.one_in(2) ? updates : scrambled(updates, random)));
    Bytes wanted = bytes_of(data);
    for (std::int64_t i = 0; i < updates.count(); ++i) {
      const List at = coordinates_of(update_dims, i);
      const auto block = at.begin() + static_cast<std::ptrdiff_t>(places.size());
      const auto number = static_cast<std::size_t>(number_of(places, List(at.begin(), block)));
      List to;
      for (std::size_t t = 0; t < tuple; ++t) {
        const std::int64_t index = values[number * tuple + t];
        to.push_back(index < 0 ? index + dims[t] : index);
      }
      to.insert(to.end(), block, at.end());
      const Bytes item = item_at(updates, i);
      const std::int64_t place = number_of(dims, to) * static_cast<std::int64_t>(item.size());
      std::copy(item.begin(), item.end(), wanted.begin() + place);
    }
    ASSERT_EQ(list(result.dims()), dims);
    ASSERT_EQ(bytes_of(result), wanted);
  }
}

}  // namespace
}  // namespace broadloom::test::scatter_test
