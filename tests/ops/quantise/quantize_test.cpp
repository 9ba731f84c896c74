// Compares QuantizeLinear, DequantizeLinear and DynamicQuantizeLinear with naive C++.
#include <cmath>
#include <limits>

#include "core/number.h"
#include "kernels/elementwise/convert.h"
#include "support/before_run.h"
#include "support/calls.h"
#include "support/layouts.h"
#include "support/random.h"

namespace broadloom::op {
extern const Operator dequantize_linear, dynamic_quantize_linear, quantize_linear;
}

namespace broadloom::test::quantize_test {
namespace {

Tensor of(Dtype dtype, const List& dims, const std::vector<double>& values) {
  Tensor tensor = must(make_tensor(dtype, dims_of(dims)));
  must(encode(dtype, values, tensor.data()));
  return tensor;
}

std::vector<double> numbers(const Tensor& tensor) {
  const Tensor dense = must(densify(tensor));
  std::vector<double> values(static_cast<std::size_t>(dense.count()));
  decode(dense.dtype, dense.storage->data(), dense.count(), values.data());
  return values;
}

Given output_type(Dtype dtype) { return int_attribute("output_dtype", static_cast<int>(dtype)); }

TEST(Quantize, RoundsToEvenAddsTheZeroPointAndSaturates) {
  const Tensor x = floats({8}, {0, 1, 3, 5, -1, 1000, -1000, 2.4F});
  const Tensor scale = floats({}, {2});
  const Tensor zero = of(Dtype::uint8, {}, {10});
  for (const std::int64_t opset : {10, 13, 19, 21, 23, 24, 25, 28}) {
    const Tensor y = must(call(quantize_linear, {&x, &scale, &zero}, {}, opset));
    EXPECT_EQ(y.dtype, Dtype::uint8);
    EXPECT_EQ(numbers(y), (std::vector<double>{10, 10, 12, 12, 10, 255, 0, 11})) << opset;
  }
  EXPECT_EQ(bytes_of(must(call(quantize_linear, {&x, &scale}))), (Bytes{0, 0, 2, 2, 0, 255, 0, 1}));
}

TEST(Quantize, InfinitiesSaturateAndNanIsTheLeast) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const Tensor x = floats({3}, {infinity, -infinity, std::numeric_limits<float>::quiet_NaN()});
  const Tensor scale = floats({}, {1});
  const Tensor zero = of(Dtype::int8, {}, {3});
  EXPECT_EQ(numbers(must(call(quantize_linear, {&x, &scale, &zero}))), (std::vector<double>{127, -128, -128}));
}

constexpr Dtype integer_types[] = {Dtype::int8, Dtype::uint8, Dtype::int16, Dtype::uint16,
                                   Dtype::int4, Dtype::uint4, Dtype::int2,  Dtype::uint2};

// The smallest and largest number of an integer type.
std::pair<double, double> range_of(Dtype dtype) {
  const bool is_signed = info(dtype).kind == DtypeKind::signed_integer;
  const double values = std::exp2(info(dtype).bits);
  return is_signed ? std::pair(-values / 2, values / 2 - 1) : std::pair(0.0, values - 1);
}

TEST(Quantize, EveryIntegerTypeHasItsRange) {
  const Tensor x = floats({5}, {-1e6F, -1, 0, 1, 1e6F});
  const Tensor scale = floats({}, {1});
  for (const Dtype dtype : integer_types) {
    const auto [least, greatest] = range_of(dtype);
    const Tensor y = must(call(quantize_linear, {&x, &scale}, {output_type(dtype)}));
    EXPECT_EQ(y.dtype, dtype);
    EXPECT_EQ(numbers(y), (std::vector<double>{least, std::max(least, -1.0), 0, 1, greatest})) << info(dtype).name;
    const Tensor back = must(call(dequantize_linear, {&y, &scale}));
    EXPECT_EQ(back.dtype, Dtype::float32);
    EXPECT_EQ(numbers(back), numbers(y));
  }
}

// Which parameter belongs to each element of x: one for all, or the one with its index along the axis or with its block.
struct Granularity {
  List dims;
  std::size_t axis = 0;
  std::int64_t block = 0;  // 0: one for each index of the axis
  bool is_one = false;

  List parameter_dims() const {
    if (is_one) return {};
    if (block == 0) return {dims[axis]};
    List result = dims;
    result[axis] = (dims[axis] + block - 1) / block;
    return result;
  }
  std::size_t place(std::int64_t number) const {
    if (is_one) return 0;
    List at = coordinates_of(dims, number);
    if (block == 0) return static_cast<std::size_t>(at[axis]);
    at[axis] /= block;
    return static_cast<std::size_t>(number_of(parameter_dims(), at));
  }
};

TEST(Quantize, RandomGranularitiesAreAsOneByOne) {
  Random random;
  for (int i = 0; i < 300; ++i) {
    const Dtype dtype = integer_types[random.below(std::size(integer_types))];
    Granularity how{random_dims(random, 1 + random.below(3), 7)};
    how.axis = random.below(how.dims.size());
    how.is_one = random.one_in(4);
    if (random.one_in(2) && !how.is_one) how.block = random.between(1, 5);
    const List dims = how.parameter_dims();
    const auto count = static_cast<std::size_t>(count_of(dims));
    const auto [least, greatest] = range_of(dtype);
    std::vector<double> scales(count);
    std::vector<double> zeros(count);
    for (double& scale : scales) scale = std::exp2(static_cast<double>(random.between(-3, 3)));
    for (double& zero : zeros) zero = static_cast<double>(random.between(static_cast<int>(least), static_cast<int>(greatest)));
    std::vector<double> values(static_cast<std::size_t>(count_of(how.dims)));
    for (double& value : values) value = static_cast<double>(random.between(-400, 400)) / 8;
    const Tensor dense = of(Dtype::float32, how.dims, values);
    const Tensor x = random.one_in(2) ? scrambled(dense, random) : dense;
    Tensor scale = of(Dtype::float32, dims, scales);
    if (random.one_in(2)) scale = scrambled(scale, random);
    const Tensor zero = of(dtype, dims, zeros);
    const bool has_zero = random.one_in(2);
    const auto axis = static_cast<std::int64_t>(how.axis);
    const std::vector<Given> given{
        int_attribute("axis", random.one_in(2) ? axis : axis - static_cast<std::int64_t>(how.dims.size())),
        int_attribute("block_size", how.block)};
    std::vector<Given> all = given;
    if (!has_zero) all.push_back(output_type(dtype));
    const Tensor y = must(call(quantize_linear, {&x, &scale, has_zero ? &zero : nullptr}, all));
    const Tensor back = must(call(dequantize_linear, {&y, &scale, has_zero ? &zero : nullptr}, given));
    ASSERT_EQ(y.dtype, dtype);
    ASSERT_EQ(list(y.dims()), how.dims);
    const std::vector<double> results = numbers(y);
    const std::vector<double> real = numbers(back);
    for (std::size_t k = 0; k < values.size(); ++k) {
      const std::size_t place = how.place(static_cast<std::int64_t>(k));
      const double offset = has_zero ? zeros[place] : 0;
      const double wanted = std::clamp(std::nearbyint(values[k] / scales[place]) + offset, least, greatest);
      ASSERT_EQ(results[k], wanted) << info(dtype).name << " " << values[k] << " / " << scales[place] << " + " << offset;
      ASSERT_EQ(real[k], (wanted - offset) * scales[place]) << info(dtype).name;
    }
  }
}

TEST(Quantize, TheLastBlockMayBeShorter) {
  const Tensor x = floats({2, 3}, {1, 2, 3, 4, 5, 6});
  const Tensor scale = floats({2, 2}, {1, 0.5F, 2, 1});
  const Given blocks = int_attribute("block_size", 2);
  EXPECT_EQ(bytes_of(must(call(quantize_linear, {&x, &scale}, {blocks}))), (Bytes{1, 2, 6, 2, 2, 6}));
  const Tensor columns = floats({1, 3}, {1, 2, 0.5F});
  EXPECT_EQ(bytes_of(must(call(quantize_linear, {&x, &columns}, {int_attribute("block_size", 5), int_attribute("axis", 0)}))),
            (Bytes{1, 1, 6, 4, 2, 12}));
}

TEST(Quantize, TheDivisionIsInTheTypeOfTheScaleOrPrecision) {
  // 2049 / 1: as float16, 2048.
  const Tensor x = of(Dtype::int32, {1}, {2049});
  const Tensor scale = of(Dtype::float16, {}, {1});
  const Tensor zero = of(Dtype::uint16, {}, {0});
  EXPECT_EQ(numbers(must(call(quantize_linear, {&x, &scale, &zero}))), std::vector<double>{2048});
  const Given precise = int_attribute("precision", static_cast<int>(Dtype::float32));
  EXPECT_EQ(numbers(must(call(quantize_linear, {&x, &scale, &zero}, {precise}))), std::vector<double>{2049});
  // 32771 / 2 is 16385.5. bfloat16 keeps eight bits of it.
  const Tensor integers = of(Dtype::int32, {2}, {32771, 5});
  const Tensor two = of(Dtype::int32, {}, {2});
  EXPECT_EQ(numbers(must(call(quantize_linear, {&integers, &two, &zero}))), (std::vector<double>{16386, 2}));
  const Given rough = int_attribute("precision", static_cast<int>(Dtype::bfloat16));
  EXPECT_EQ(numbers(must(call(quantize_linear, {&integers, &two, &zero}, {rough}))), (std::vector<double>{16384, 2}));
  const Tensor power = of(Dtype::float8e8m0, {}, {4});
  EXPECT_EQ(numbers(must(call(quantize_linear, {&x, &power, &zero}))), std::vector<double>{512});
  const Tensor half = of(Dtype::float16, {2}, {3, 5});
  EXPECT_EQ(numbers(must(call(quantize_linear, {&half, &two, &zero}))), (std::vector<double>{2, 2}));
  EXPECT_EQ(numbers(must(call(quantize_linear, {&half, &power, &zero}))), (std::vector<double>{1, 1}));
  EXPECT_EQ(numbers(must(call(quantize_linear, {&half, &scale, &zero}, {}, 21))), (std::vector<double>{3, 5}));
  const Given widest = int_attribute("precision", static_cast<int>(Dtype::float64));
  EXPECT_EQ(numbers(must(call(quantize_linear, {&half, &scale, &zero}, {widest}))), (std::vector<double>{3, 5}));
}

TEST(Quantize, ResultsInFloat8AndFloat4AreNotRoundedToIntegers) {
  const Tensor x = floats({6}, {1.1F, -0.0F, 1000, -1e9F, 3, 0.02F});
  const Tensor scale = floats({}, {2});
  for (const Dtype dtype : {Dtype::float8e4m3fn, Dtype::float8e4m3fnuz, Dtype::float8e5m2, Dtype::float8e5m2fnuz}) {
    for (const bool saturates : {false, true}) {
      const Tensor zero = of(dtype, {}, {0});
      const Tensor y = must(call(quantize_linear, {&x, &scale, &zero}, {int_attribute("saturate", saturates ? 1 : 0)}));
      ASSERT_EQ(y.dtype, dtype);
      const std::vector<float> values = elements<float>(x);
      for (std::size_t i = 0; i < values.size(); ++i) {
        EXPECT_EQ(bytes_of(y)[i], round_to(dtype, values[i] / 2, {saturates, PowerRounding::up})) << info(dtype).name;
      }
      const Tensor back = must(call(dequantize_linear, {&y, &scale, &zero}));
      const std::vector<double> real = numbers(back);
      const std::vector<double> stored = numbers(y);
      for (std::size_t i = 0; i < real.size(); ++i) EXPECT_TRUE(real[i] == 2 * stored[i] || std::isnan(stored[i]));
    }
  }
  const Tensor four = must(call(quantize_linear, {&x, &scale}, {output_type(Dtype::float4e2m1)}));
  EXPECT_EQ(numbers(four), (std::vector<double>{0.5, 0, 6, -6, 1.5, 0}));
  EXPECT_EQ(bytes_of(four)[0], 0x01) << "-0 and the zero point are 0";
  const Tensor one = of(Dtype::float4e2m1, {}, {1});
  EXPECT_EQ(numbers(must(call(quantize_linear, {&x, &scale, &one}))), (std::vector<double>{1.5, 1, 6, -6, 2, 1}));
  EXPECT_EQ(numbers(must(call(dequantize_linear, {&four, &scale, &one}))), (std::vector<double>{-1, -2, 10, -14, 1, -2}));
}

TEST(Quantize, ScalesAndZeroPointsMustFit) {
  const Tensor x = floats({2, 3}, {1, 2, 3, 4, 5, 6});
  const Tensor three = floats({3}, {1, 1, 1});
  const Tensor two = floats({2}, {1, 1});
  const Tensor matrix = floats({2, 2}, {1, 1, 1, 1});
  const Tensor zero = of(Dtype::uint8, {}, {0});
  EXPECT_TRUE(fails(call(quantize_linear, {&x, &two}), Code::InvalidArgument,
                    "a scale or zero point of dims [2] is not for x of dims [2, 3], axis 1 and block_size 0"));
  EXPECT_TRUE(fails(call(quantize_linear, {&x, &three}, {}, 10), Code::InvalidArgument, "dims [3] is not for x"));
  EXPECT_TRUE(
      fails(call(quantize_linear, {&x, &three}, {int_attribute("axis", 2)}), Code::InvalidArgument, "not an axis of 2"));
  EXPECT_TRUE(fails(call(quantize_linear, {&x, &matrix}), Code::InvalidArgument, "is not for x"));
  EXPECT_TRUE(
      fails(call(quantize_linear, {&x, &matrix}, {int_attribute("block_size", 3)}), Code::InvalidArgument, "is not for x"));
  EXPECT_TRUE(
      fails(call(quantize_linear, {&x, &matrix}, {int_attribute("block_size", -2)}), Code::InvalidArgument, "is not for x"));
  EXPECT_TRUE(fails(call(quantize_linear, {&x, &three, &zero}, {output_type(Dtype::int8)}), Code::InvalidArgument,
                    "output_dtype is int8, but the zero point is uint8"));
  EXPECT_TRUE(fails(call(quantize_linear, {&x, &three}, {int_attribute("precision", 6)}), Code::InvalidArgument,
                    "precision is int32, wanted float32"));
  EXPECT_TRUE(
      fails(call(quantize_linear, {&x, &three}, {output_type(Dtype::int64)}), Code::UnsupportedType, "'y' cannot be int64"));
  EXPECT_TRUE(fails(call(quantize_linear, {&x, &three}, {int_attribute("output_dtype", 99)}), Code::InvalidArgument,
                    "attribute 'output_dtype' is 99, which is not an element type"));
  EXPECT_EQ(must(call(quantize_linear, {&x, &three}, {int_attribute("output_dtype", 0)})).dtype, Dtype::uint8);
}

TEST(Quantize, TensorsWithoutElementsStayEmpty) {
  const Tensor x = floats({0, 3}, {});
  const Tensor three = floats({3}, {1, 1, 1});
  const Tensor none = floats({0, 2}, {});
  const Tensor blocks = floats({0, 3}, {});
  const Tensor y = must(call(quantize_linear, {&x, &three}));
  EXPECT_EQ(list(y.dims()), (List{0, 3}));
  EXPECT_EQ(list(must(call(quantize_linear, {&x, &none}, {int_attribute("block_size", 2)})).dims()), (List{0, 3}));
  EXPECT_EQ(
      list(must(call(dequantize_linear, {&y, &blocks}, {int_attribute("block_size", 2), int_attribute("axis", 0)})).dims()),
      (List{0, 3}));
}

// ---- DequantizeLinear ----

TEST(Dequantize, SubtractsTheZeroPointAndScales) {
  const Tensor x = of(Dtype::uint8, {4}, {0, 3, 128, 255});
  const Tensor scale = floats({}, {2});
  const Tensor zero = of(Dtype::uint8, {}, {128});
  for (const std::int64_t opset : {10, 13, 19, 21, 23, 24, 25, 28}) {
    const Tensor y = must(call(dequantize_linear, {&x, &scale, &zero}, {}, opset));
    EXPECT_EQ(y.dtype, Dtype::float32);
    EXPECT_EQ(numbers(y), (std::vector<double>{-256, -250, 0, 254})) << opset;
  }
}

TEST(Dequantize, TheOutputHasTheScalesTypeOrTheOneThatIsNamed) {
  const Tensor x = of(Dtype::int8, {2}, {3, -100});
  const Tensor scale = of(Dtype::float16, {}, {0.5});
  EXPECT_EQ(must(call(dequantize_linear, {&x, &scale})).dtype, Dtype::float16);
  EXPECT_EQ(must(call(dequantize_linear, {&x, &scale}, {}, 19)).dtype, Dtype::float16);
  const Tensor named = must(call(dequantize_linear, {&x, &scale}, {output_type(Dtype::bfloat16)}));
  EXPECT_EQ(named.dtype, Dtype::bfloat16);
  EXPECT_EQ(numbers(named), (std::vector<double>{1.5, -50}));
  const Tensor power = of(Dtype::float8e8m0, {}, {2});
  EXPECT_EQ(numbers(must(call(dequantize_linear, {&x, &power}, {output_type(Dtype::float32)}))),
            (std::vector<double>{6, -200}));
  EXPECT_TRUE(fails(call(dequantize_linear, {&x, &power}), Code::UnsupportedType, "'y' cannot be float8e8m0"));
}

TEST(Dequantize, HalvesAreRoundedOnce) {
  // 2051.0009... rounds to 2052 in float16. If 2049 were rounded first, the result would be 2050.
  const Tensor x = of(Dtype::uint16, {1}, {2049});
  const Tensor scale = of(Dtype::float16, {}, {1.0009765625});
  EXPECT_EQ(numbers(must(call(dequantize_linear, {&x, &scale}))), std::vector<double>{2052});
}

TEST(Dequantize, Int32HasNoZeroPointButZero) {
  const Tensor x = of(Dtype::int32, {2}, {INT32_MIN, 16777217});
  const Tensor scale = floats({}, {1});
  const Tensor zero = of(Dtype::int32, {}, {0});
  const Tensor one = of(Dtype::int32, {}, {1});
  EXPECT_EQ(numbers(must(call(dequantize_linear, {&x, &scale, &zero}))), (std::vector<double>{-0x1p31, 16777216}));
  EXPECT_TRUE(fails(call(dequantize_linear, {&x, &scale, &one}), Code::InvalidArgument, "the zero point of int32 must be 0"));
}

// ---- DynamicQuantizeLinear ----

void expect_dynamic(const Tensor& x, const Bytes& y, float scale, std::uint8_t zero) {
  const std::vector<Tensor> outputs = must(call_all(dynamic_quantize_linear, {&x}, {}, {newest_opset, 3}));
  EXPECT_EQ(bytes_of(outputs[0]), y);
  EXPECT_EQ(elements<float>(outputs[1]), std::vector<float>{scale});
  EXPECT_EQ(bytes_of(outputs[2]), Bytes{zero});
  EXPECT_EQ(list(outputs[1].dims()), List{});
  EXPECT_EQ(list(outputs[2].dims()), List{});
  EXPECT_EQ(list(outputs[0].dims()), list(x.dims()));
}

TEST(DynamicQuantize, TheRangeIncludingZeroIsMappedToThatOfUint8) {
  expect_dynamic(floats({6}, {0, 2, -3, -2.5F, 1.34F, 0.5F}), {153, 255, 0, 26, 221, 179}, 5.0F / 255, 153);
  expect_dynamic(floats({3}, {51, 102, 255}), {51, 102, 255}, 1, 0);
  expect_dynamic(floats({1, 3}, {-51, -102, -255}), {204, 153, 0}, 1, 255);
  expect_dynamic(floats({2}, {0, 0}), {0, 0}, 1, 0);
  expect_dynamic(floats({0}, {}), {}, 1, 0);
}

// ---- Before a run ----

using QuantizeBeforeRun = BeforeRun;

TEST_F(QuantizeBeforeRun, TheOutputHasTheDimsOfX) {
  EXPECT_EQ(sizes(quantize_linear, {known({n(), 3}), known({3})}), "n 3");
  EXPECT_EQ(sizes(quantize_linear, {known({4, 3}), known({n()})}), "4 3");
  EXPECT_EQ(sizes(quantize_linear, {known({4, 3}), known({2})}), "error");
  EXPECT_EQ(sizes(dequantize_linear, {known({n(), m()}, Dtype::int8), unranked()}), "n m");
  EXPECT_EQ(sizes(dequantize_linear, {unranked(Dtype::int8), known({})}), "unknown");
  EXPECT_EQ(sizes(dynamic_quantize_linear, {known({n(), 2})}, {}, 3), "n 2; ; ");
  EXPECT_EQ(sizes(dynamic_quantize_linear, {unranked()}, {}, 3), "unknown; ; ");
}

}  // namespace
}  // namespace broadloom::test::quantize_test
