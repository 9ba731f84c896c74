// Operators of com.microsoft with quantised weights, and what attention adds to a softmax, compared with naive C++.
#include <cmath>

#include "support/before_run.h"
#include "support/layouts.h"
#include "support/numbers.h"
#include "support/random.h"
#include "support/windows.h"

namespace broadloom::op {
extern const Operator lstm;
}
namespace broadloom::op::microsoft {
extern const Operator attention, dynamic_quantize_lstm, gather_block_quantized, group_query_attention, q_attention, q_gemm,
    qlinear_reduce_mean;
}

namespace broadloom::test::microsoft_weights_test {
namespace {

namespace ms = op::microsoft;

constexpr Dtype byte_types[] = {Dtype::int8, Dtype::uint8};

Tensor random_bytes(Random& random, Dtype dtype, const List& dims) {
  Numbers values(static_cast<std::size_t>(must(checked_count(dims_of(dims)))));
  const std::int64_t least = dtype == Dtype::int8 ? -128 : 0;
  for (double& value : values) value = static_cast<double>(random.between(least, least + 255));
  return tensor_of_numbers(dtype, dims, values);
}
Tensor number(double value) { return tensor_of_numbers(Dtype::float32, {}, {value}); }
Tensor random_int32s(Random& random, const List& dims) {
  Numbers values(static_cast<std::size_t>(must(checked_count(dims_of(dims)))));
  for (double& value : values) value = static_cast<double>(random.between(-500, 500));
  return tensor_of_numbers(Dtype::int32, dims, values);
}

TEST(QGemm, ScalesSumsOfEveryTypeAndForm) {
  Random random;
  for (int i = 0; i < 80; ++i) {
    const std::int64_t m = random.between(1, 9);
    const std::int64_t k = random.between(1, 20);
    const std::int64_t n = random.between(1, 20);
    const bool turns_a = random.one_in(2);
    const bool turns_b = random.one_in(2);
    const Dtype types[] = {byte_types[random.below(2)], byte_types[random.below(2)], byte_types[random.below(2)]};
    const Tensor a = random_bytes(random, types[0], turns_a ? List{k, m} : List{m, k});
    const Tensor b = random_bytes(random, types[1], turns_b ? List{n, k} : List{k, n});
    const Tensor a_zero = random_bytes(random, types[0], {});
    const bool is_of_columns = random.one_in(2);
    const List of_b = is_of_columns ? List{n} : List{};
    const Tensor b_zero = random_bytes(random, types[1], of_b);
    Numbers b_scales(is_of_columns ? static_cast<std::size_t>(n) : 1);
    for (double& scale : b_scales) scale = std::exp2(static_cast<double>(random.between(-6, -3)));
    const Tensor b_scale = tensor_of_numbers(Dtype::float32, of_b, b_scales);
    const Tensor a_scale = number(0.125);
    const List added_dims = std::vector<List>{{n}, {m, n}, {m, 1}, {1}, {}}[random.below(5)];
    const Tensor c = random_int32s(random, added_dims);
    const bool adds = random.one_in(2);
    const bool is_rounded = random.one_in(2);
    const Tensor y_scale = number(0.5);
    const Tensor y_zero = random_bytes(random, types[2], {});
    std::vector<const Tensor*> inputs{&a, &a_scale, &a_zero, &b, &b_scale, &b_zero};
    if (adds || is_rounded) inputs.push_back(adds ? &c : nullptr);
    if (is_rounded) inputs.insert(inputs.end(), {&y_scale, &y_zero});
    const Tensor y = must(call(ms::q_gemm, inputs,
                               {int_attribute("transA", turns_a ? 1 : 0),
                                int_attribute("transB", turns_b ? 1 : 0),
                                {"alpha", AttributeType::FLOAT, 2.0F}}));
    ASSERT_EQ(y.dtype, is_rounded ? types[2] : Dtype::float32);
    ASSERT_EQ(list(y.dims()), (List{m, n}));
    const Numbers found = numbers_of(y);
    const auto at = [](std::int64_t place) { return static_cast<std::size_t>(place); };
    for (std::int64_t row = 0; row < m; ++row) {
      for (std::int64_t column = 0; column < n; ++column) {
        double sum = 0;
        const std::size_t of_column = is_of_columns ? at(column) : 0;
        for (std::int64_t j = 0; j < k; ++j) {
          sum += (numbers_of(a)[at(turns_a ? j * m + row : row * k + j)] - numbers_of(a_zero)[0]) *
                 (numbers_of(b)[at(turns_b ? column * k + j : j * n + column)] - numbers_of(b_zero)[of_column]);
        }
        if (adds) {
          const std::int64_t rows = added_dims.size() == 2 ? added_dims[0] : 1;
          const std::int64_t columns = added_dims.empty() ? 1 : added_dims.back();
          sum += numbers_of(c)[at((rows == 1 ? 0 : row) * columns + (columns == 1 ? 0 : column))];
        }
        // Powers of two: exact.
        double wanted = sum * 2 * 0.125 * b_scales[of_column];
        if (is_rounded) {
          const double least = types[2] == Dtype::int8 ? -128 : 0;
          wanted = std::min(std::max(std::nearbyint(wanted / 0.5) + numbers_of(y_zero)[0], least), least + 255);
        }
        ASSERT_EQ(found[at(row * n + column)], wanted) << i;
      }
    }
  }
}

TEST(QGemm, WhatDoesNotFitIsRefused) {
  Random random;
  const Tensor a = random_bytes(random, Dtype::uint8, {2, 3});
  const Tensor b = random_bytes(random, Dtype::uint8, {3, 4});
  const Tensor zero = random_bytes(random, Dtype::uint8, {});
  const Tensor one = number(1);
  const auto refuses = [&](const std::vector<const Tensor*>& inputs, std::string_view part) {
    EXPECT_TRUE(fails(call(ms::q_gemm, inputs), Code::InvalidArgument, part));
  };
  refuses({&a, &one, &zero, &a, &one, &zero}, "cannot multiply");
  const Tensor cube = random_bytes(random, Dtype::uint8, {1, 2, 3});
  refuses({&cube, &one, &zero, &b, &one, &zero}, "'A' has dims [1, 2, 3], wanted 2 axes");
  for (const List& dims : {List{3}, List{2, 4, 1}, List{1, 2, 4}, List{3, 1}}) {
    const Tensor c = random_int32s(random, dims);
    refuses({&a, &one, &zero, &b, &one, &zero, &c}, "cannot add");
  }
  refuses({&a, &one, &zero, &b, &one, &zero, nullptr, &one, &one}, "'y_zero_point' is float32, wanted uint8 or int8");
}

TEST(QLinearReduceMean, RoundsTheMeanOfNumbers) {
  Random random;
  for (int i = 0; i < 40; ++i) {
    const Dtype dtype = byte_types[random.below(2)];
    const List dims{random.between(1, 4), random.between(1, 4), 4};
    const Tensor x = scrambled(random_bytes(random, dtype, dims), random);
    const Tensor zeros[] = {random_bytes(random, dtype, {}), random_bytes(random, dtype, {})};
    const Tensor scales[] = {number(0.25), number(0.5)};
    const std::int64_t keeps = random.between(0, 1);
    const Tensor y = must(call(ms::qlinear_reduce_mean, {&x, &scales[0], &zeros[0], &scales[1], &zeros[1]},
                               {ints("axes", {-1}), int_attribute("keepdims", keeps)}));
    ASSERT_EQ(list(y.dims()), (keeps != 0 ? List{dims[0], dims[1], 1} : List{dims[0], dims[1]}));
    const Numbers from = numbers_of(x);
    const Numbers found = numbers_of(y);
    for (std::size_t k = 0; k < found.size(); ++k) {
      const double sum = from[4 * k] + from[4 * k + 1] + from[4 * k + 2] + from[4 * k + 3] - 4 * numbers_of(zeros[0])[0];
      const double least = dtype == Dtype::int8 ? -128 : 0;
      const double level = std::nearbyint(sum / 4 * 0.25 / 0.5) + numbers_of(zeros[1])[0];
      ASSERT_EQ(found[k], std::min(std::max(level, least), least + 255));
    }
  }
}

// Elements of a few bits, packed along the last axis as bytes or as elements of their type.
TEST(GatherBlockQuantized, GathersNumbersOfEveryTypeAndAxis) {
  Random random;
  for (int i = 0; i < 120; ++i) {
    const Dtype dtype =
        std::vector<Dtype>{Dtype::uint8, Dtype::int4, Dtype::uint4, Dtype::float8e4m3fn, Dtype::float4e2m1}[random.below(5)];
    const bool is_byte = dtype == Dtype::uint8;
    const bool is_float = !is_byte && dtype != Dtype::int4 && dtype != Dtype::uint4;
    const std::int64_t bits = is_byte ? std::int64_t{2} << random.below(3) : info(dtype).bits;
    const std::int64_t in_byte = is_byte ? 8 / bits : 1;
    List dims{random.between(1, 4), random.between(1, 3), random.between(1, 24)};
    const std::size_t gathered = is_byte ? 0 : random.below(3);
    const std::size_t quantised = is_byte ? 2 : random.below(3);
    List stored = dims;
    dims[2] *= in_byte;
    const Tensor data = is_byte ? random_bytes(random, dtype, stored) : [&] {
      const Tensor codes = random_bytes(random, Dtype::uint8, {must(checked_count(dims_of(stored)))});
      Tensor packed = must(make_tensor(dtype, dims_of(stored)));
      for (std::size_t k = 0; k < dense_size(packed); ++k) packed.data()[k] = codes.data()[k];
      return must(densify(packed));
    }();
    // The numbers that the elements stand for.
    Numbers values(static_cast<std::size_t>(must(checked_count(dims_of(dims)))));
    if (is_byte) {
      for (std::size_t k = 0; k < values.size(); ++k) {
        const std::size_t bit = k * static_cast<std::size_t>(bits);
        values[k] = static_cast<double>(std::to_integer<int>(data.data()[bit / 8]) >> (bit % 8) & ((1 << bits) - 1));
      }
    } else {
      values = numbers_of(must(in_type(data, Dtype::float32)));
    }
    List blocks = dims;
    blocks[quantised] = (dims[quantised] + 15) / 16;
    const Tensor scales = random_tensor(random, Dtype::float32, blocks);
    const bool has_zeros = !is_float && !is_byte && random.one_in(2);
    const Tensor zeros = has_zeros ? must(in_type(random_tensor(random, Dtype::uint8, blocks), dtype)) : Tensor();
    const Tensor indices =
        tensor_of(Dtype::int64, dims_of({2}), std::vector<std::int64_t>{-1, random.between(0, dims[gathered] - 1)});
    std::vector<const Tensor*> inputs{&data, &indices, &scales};
    if (has_zeros) inputs.push_back(&zeros);
    const Tensor y = must(call(ms::gather_block_quantized, inputs,
                               {int_attribute("bits", is_byte ? bits : 4), int_attribute("block_size", 16),
                                int_attribute("gather_axis", static_cast<std::int64_t>(gathered)),
                                int_attribute("quantize_axis", static_cast<std::int64_t>(quantised) - 3)}));
    List wanted = dims;
    wanted[gathered] = 2;
    ASSERT_EQ(list(y.dims()), wanted);
    const Numbers found = numbers_of(y);
    const Numbers of_scales = numbers_of(scales);
    const Numbers of_zeros =
        has_zeros ? numbers_of(must(in_type(zeros, Dtype::float32))) : Numbers(of_scales.size(), is_byte ? 1 << (bits - 1) : 0);
    for (std::size_t k = 0; k < found.size(); ++k) {
      List at = coordinates_of(wanted, static_cast<std::int64_t>(k));
      at[gathered] = at[gathered] == 0            ? dims[gathered] - 1
                     : numbers_of(indices)[1] < 0 ? 0
                                                  : static_cast<std::int64_t>(numbers_of(indices)[1]);
      List block = at;
      block[quantised] /= 16;
      const auto parameter = static_cast<std::size_t>(number_of(blocks, block));
      const double value = (values[static_cast<std::size_t>(number_of(dims, at))] - of_zeros[parameter]) * of_scales[parameter];
      ASSERT_TRUE(found[k] == value || (std::isnan(value) && std::isnan(found[k])))
          << i << " " << k << ": " << found[k] << " " << value;
    }
  }
}

TEST(GatherBlockQuantized, ZeroPointsOfBytesArePackedRowByRow) {
  const Tensor data = tensor_of(Dtype::uint8, {2, 24}, std::vector<std::uint8_t>(48, 0x53));
  const Tensor indices = tensor_of(Dtype::int32, {1}, std::vector<std::int32_t>{1});
  const Tensor scales = floats({2, 3}, {1, 1, 1, 1, 2, 4});
  const Tensor zeros = tensor_of(Dtype::uint8, {2, 2}, std::vector<std::uint8_t>{0, 0, 0x21, 0x03});
  const std::vector<Given> given{int_attribute("block_size", 16)};
  const Numbers found = numbers_of(must(call(ms::gather_block_quantized, {&data, &indices, &scales, &zeros}, given)));
  ASSERT_EQ(found.size(), 48U);
  for (std::size_t k = 0; k < 48; ++k) {
    const double zero = k < 16 ? 1 : k < 32 ? 2 : 3;
    EXPECT_EQ(found[k], ((k % 2 == 0 ? 3 : 5) - zero) * (k < 16 ? 1 : k < 32 ? 2 : 4));
  }
}

TEST(GatherBlockQuantized, WhatDoesNotFitIsRefused) {
  const Tensor data = tensor_of(Dtype::uint8, {2, 8}, std::vector<std::uint8_t>(16));
  const Tensor indices = tensor_of(Dtype::int64, {1}, std::vector<std::int64_t>{2});
  const Tensor scales = floats({2, 1}, {1, 1});
  const auto refuses = [&](const Tensor& of, const std::vector<Given>& given, std::string_view part) {
    EXPECT_TRUE(fails(call(ms::gather_block_quantized, {&data, &indices, &of}, given), Code::InvalidArgument, part));
  };
  refuses(scales, {}, "indices has 2, wanted -2 to 1");
  refuses(scales, {int_attribute("block_size", 8)}, "block_size is 8, wanted a power of 2 from 16 on");
  refuses(scales, {int_attribute("block_size", 0)}, "block_size is 0");
  refuses(scales, {int_attribute("bits", 3)}, "bits is 3, wanted 2, 4 or 8");
  refuses(scales, {int_attribute("gather_axis", 1)}, "gather_axis is 1 and quantize_axis is 1");
  refuses(floats({2, 2}, {1, 1, 1, 1}), {}, "'scales' has dims [2, 2], wanted [2, 1]");
}

TEST(QAttention, IsAnAttentionOfNumbers) {
  Random random;
  for (int i = 0; i < 30; ++i) {
    const Dtype types[] = {byte_types[random.below(2)], byte_types[random.below(2)]};
    const Tensor x = random_bytes(random, types[0], {2, 3, 4});
    const Tensor w = random_bytes(random, types[1], {4, 24});
    const Tensor x_zero = random_bytes(random, types[0], {});
    const bool is_of_columns = random.one_in(2);
    const List of_w = is_of_columns ? List{24} : List{};
    const Tensor w_zero = random_bytes(random, types[1], of_w);
    const Tensor w_scale = tensor_of_numbers(Dtype::float32, of_w, Numbers(is_of_columns ? 24 : 1, 1.0 / 256));
    const Tensor x_scale = number(1.0 / 64);
    const Tensor bias = random_tensor(random, Dtype::float32, {24});
    Numbers of_x = numbers_of(x);
    for (double& value : of_x) value = (value - numbers_of(x_zero)[0]) / 64;
    Numbers of_w_numbers = numbers_of(w);
    for (std::size_t k = 0; k < of_w_numbers.size(); ++k)
      of_w_numbers[k] = (of_w_numbers[k] - numbers_of(w_zero)[is_of_columns ? k % 24 : 0]) / 256;
    const Tensor plain_x = tensor_of_numbers(Dtype::float32, {2, 3, 4}, of_x);
    const Tensor plain_w = tensor_of_numbers(Dtype::float32, {4, 24}, of_w_numbers);
    const std::int64_t before = random.between(0, 2);
    const Tensor past = random_tensor(random, Dtype::float32, {2, 2, 2, before, 4});
    const std::vector<Given> given{int_attribute("num_heads", 2), int_attribute("unidirectional", random.between(0, 1))};
    const std::vector<Tensor> found =
        must(call_all(ms::q_attention, {&x, &w, &bias, &x_scale, &w_scale, nullptr, &x_zero, &w_zero, &past}, given, {1, 2}));
    const std::vector<Tensor> wanted =
        must(call_all(ms::attention, {&plain_x, &plain_w, &bias, nullptr, &past}, given, {1, 2}));
    for (std::size_t k = 0; k < 2; ++k) {
      ASSERT_EQ(list(found[k].dims()), list(wanted[k].dims()));
      ASSERT_TRUE(are_near(found[k], numbers_of(wanted[k]), 1e-5));
    }
  }
}

// Queries of 0 weigh all keys alike.
TEST(GroupQueryAttention, ASinkTakesAPartOfTheWeights) {
  const Tensor query = floats({1, 2, 4}, {0, 0, 0, 0, 0, 0, 0, 0});
  const Tensor values = floats({1, 2, 2}, {3, 6, 9, 12});
  const Tensor lengths = tensor_of(Dtype::int32, {1}, std::vector<std::int32_t>{1});
  const Tensor total = tensor_of(Dtype::int32, {1}, std::vector<std::int32_t>{2});
  const auto attend = [&](const Tensor* sinks, std::vector<Given> given) {
    given.insert(given.end(), {int_attribute("num_heads", 2), int_attribute("kv_num_heads", 1)});
    return elements<float>(must(call(
        ms::group_query_attention,
        {&query, &values, &values, nullptr, nullptr, &lengths, &total, nullptr, nullptr, nullptr, nullptr, sinks}, given)));
  };
  const auto near = [](const std::vector<float>& found, const std::vector<float>& wanted) {
    ASSERT_EQ(found.size(), wanted.size());
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], wanted[i], 1e-5);
  };
  // One key and then two, beside a score of 0.
  near(attend(nullptr, {int_attribute("smooth_softmax", 1)}), {1.5F, 3, 1.5F, 3, 4, 6, 4, 6});
  const Tensor sinks = floats({2}, {std::log(2.0F), -INFINITY});
  near(attend(&sinks, {}), {1, 2, 3, 6, 3, 4.5F, 6, 9});
  const Tensor large = floats({2}, {INFINITY, 1000});
  near(attend(&large, {}), {0, 0, 0, 0, 0, 0, 0, 0});
  const Tensor one = floats({1}, {0});
  EXPECT_TRUE(
      fails(call(ms::group_query_attention,
                 {&query, &values, &values, nullptr, nullptr, &lengths, &total, nullptr, nullptr, nullptr, nullptr, &one},
                 {int_attribute("num_heads", 2), int_attribute("kv_num_heads", 1)}),
            Code::InvalidArgument, "'head_sink' has dims [1], wanted [2]"));
}

// The levels of an input with whole numbers from 0 to 255 are these numbers.
TEST(DynamicQuantizeLSTM, IsAnLstmWhoseInputsAreRounded) {
  Random random;
  for (const std::string_view direction : {"forward", "reverse", "bidirectional"}) {
    const std::int64_t directions = direction == "bidirectional" ? 2 : 1;
    const Dtype dtype = byte_types[random.below(2)];
    const Tensor w = random_bytes(random, dtype, {directions, 3, 20});
    const Tensor r = random_bytes(random, dtype, {directions, 5, 20});
    const bool is_of_columns = random.one_in(2);
    const List of_w = is_of_columns ? List{directions, 20} : List{directions};
    const Tensor zeros = random_bytes(random, dtype, of_w);
    const Tensor scales = tensor_of_numbers(Dtype::float32, of_w,
                                            Numbers(static_cast<std::size_t>(must(checked_count(dims_of(of_w)))), 1.0 / 128));
    const Tensor x = random_tensor(random, Dtype::float32, {4, 2, 3});
    const auto turned = [&](const Tensor& weights, std::int64_t rows) {
      Numbers numbers(static_cast<std::size_t>(directions * 20 * rows));
      for (std::int64_t k = 0; k < directions * rows * 20; ++k) {
        const std::int64_t d = k / (rows * 20);
        const std::int64_t place = (d * 20 + k % 20) * rows + k / 20 % rows;
        const std::int64_t parameter = is_of_columns ? d * 20 + k % 20 : d;
        numbers[static_cast<std::size_t>(place)] =
            (numbers_of(weights)[static_cast<std::size_t>(k)] - numbers_of(zeros)[static_cast<std::size_t>(parameter)]) / 128;
      }
      return tensor_of_numbers(Dtype::float32, {directions, 20, rows}, numbers);
    };
    const Tensor plain_w = turned(w, 3);
    const Tensor plain_r = turned(r, 5);
    const std::vector<Given> given{word("direction", std::string(direction)), int_attribute("hidden_size", 5)};
    const std::vector<Tensor> found = must(
        call_all(ms::dynamic_quantize_lstm,
                 {&x, &w, &r, nullptr, nullptr, nullptr, nullptr, nullptr, &scales, &zeros, &scales, &zeros}, given, {1, 3}));
    const std::vector<Tensor> wanted = must(call_all(op::lstm, {&x, &plain_w, &plain_r}, given, {14, 3}));
    for (std::size_t k = 0; k < 3; ++k) {
      ASSERT_EQ(list(found[k].dims()), list(wanted[k].dims()));
      ASSERT_TRUE(are_near(found[k], numbers_of(wanted[k]), 0.05));
      // Rounding is seen.
      EXPECT_NE(numbers_of(found[k]), numbers_of(wanted[k]));
    }
  }
}

TEST(DynamicQuantizeLSTM, ParametersBelongToDirectionsOrColumns) {
  Random random;
  const Tensor x = random_tensor(random, Dtype::float32, {2, 1, 3});
  const Tensor w = random_bytes(random, Dtype::uint8, {1, 3, 8});
  const Tensor r = random_bytes(random, Dtype::uint8, {1, 2, 8});
  const Tensor zero = random_bytes(random, Dtype::uint8, {1});
  const Tensor scale = floats({1}, {1});
  const Tensor few = floats({1, 4}, {1, 1, 1, 1});
  const auto run = [&](const Tensor& weights, const Tensor& of) {
    return call(ms::dynamic_quantize_lstm,
                {&x, &weights, &r, nullptr, nullptr, nullptr, nullptr, nullptr, &of, &zero, &scale, &zero});
  };
  EXPECT_TRUE(succeeds(run(w, scale)));
  EXPECT_TRUE(fails(run(w, few), Code::InvalidArgument, "'W_scale' has dims [1, 4], wanted [1, 8]"));
  EXPECT_TRUE(fails(run(random_bytes(random, Dtype::uint8, {3, 8}), scale), Code::InvalidArgument,
                    "'W' has dims [3, 8], wanted 3 axes"));
}

class MicrosoftWeightsBeforeARun : public BeforeRun {};

TEST_F(MicrosoftWeightsBeforeARun, SizesFollowFromSizes) {
  const Tensor byte = known({}, Dtype::uint8);
  const Tensor one = known({});
  EXPECT_EQ(sizes(ms::q_gemm, {known({n(), 4}, Dtype::uint8), one, byte, known({4, m()}, Dtype::uint8), one, byte}), "n m");
  EXPECT_EQ(sizes(ms::q_gemm, {known({n(), 4}, Dtype::uint8), one, byte, known({5, m()}, Dtype::uint8), one, byte}), "error");
  EXPECT_EQ(sizes(ms::qlinear_reduce_mean, {known({n(), 3, m()}, Dtype::uint8), one, byte, one, byte},
                  {ints("axes", {1}), int_attribute("keepdims", 1)}),
            "n 1 m");
  EXPECT_EQ(sizes(ms::gather_block_quantized, {known({100, 32}, Dtype::uint8), indices({n(), m()}), known({100, 4})},
                  {int_attribute("block_size", 16)}),
            "n m 64");
  EXPECT_EQ(
      sizes(ms::dynamic_quantize_lstm, {known({n(), m(), 3}), known({1, 3, 8}, Dtype::uint8), known({1, 2, 8}, Dtype::uint8),
                                        unranked(), unranked(Dtype::int32), unranked(), unranked(), unranked(), known({1}),
                                        known({1}, Dtype::uint8), known({1}), known({1}, Dtype::uint8)}),
      "n 1 m 2");
  EXPECT_EQ(sizes(ms::q_attention, {known({n(), m(), 4}, Dtype::uint8), known({4, 24}, Dtype::uint8), known({24}), one, one},
                  {int_attribute("num_heads", 2)}),
            "n m 8");
}

}  // namespace
}  // namespace broadloom::test::microsoft_weights_test
