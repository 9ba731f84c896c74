#include <cmath>
#include <complex>
#include <numbers>
#include <random>

#include "kernels/elementwise/convert.h"
#include "support/before_run.h"
#include "support/cases.h"
#include "support/random.h"

namespace broadloom::op {
extern const Operator blackman_window, dft, hamming_window, hann_window, mel_weight_matrix, stft;
}

namespace broadloom::test::signal_test {
namespace {

using Number = std::complex<double>;

std::vector<double> doubles(const Tensor& tensor) { return elements<double>(must(in_type(tensor, Dtype::float64))); }

Tensor of_doubles(Dtype dtype, const SymbolicDims& dims, const std::vector<double>& values) {
  return must(in_type(tensor_of(Dtype::float64, dims, values), dtype));
}

SymbolicDims dims_of(std::initializer_list<std::size_t> sizes) {
  SymbolicDims dims(sizes.size());
  std::size_t axis = 0;
  for (const std::size_t size : sizes) dims[axis++] = static_cast<std::int64_t>(size);
  return dims;
}

// The sum by which the transform is defined.
std::vector<Number> sums(const std::vector<Number>& x, bool is_inverse) {
  const std::size_t n = x.size();
  std::vector<Number> result(n);
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = 0; i < n; ++i) {
      const double angle = 2 * std::numbers::pi * static_cast<double>(i * k % n) / static_cast<double>(n);
      result[k] += x[i] * std::polar(1.0, is_inverse ? angle : -angle);
    }
    if (is_inverse) result[k] /= static_cast<double>(n);
  }
  return result;
}

struct Case {
  std::size_t length;  // of the signal
  std::size_t wanted;  // of the transform
  bool is_complex;
  bool is_inverse;
  bool is_half;
};

// The row that a naive transform gives, real and imaginary parts in turns.
std::vector<double> naive(const double* from, const Case& of) {
  const bool is_real_result = of.is_inverse && of.is_half;
  std::vector<Number> x(of.wanted);
  for (std::size_t i = 0; i < std::min(of.wanted, of.length); ++i)
    x[i] = of.is_complex ? Number(from[2 * i], from[2 * i + 1]) : Number(from[i]);
  if (is_real_result) {
    for (std::size_t i = 0; i <= of.wanted / 2; ++i) {
      if (i >= of.length) x[i] = 0;
      if (i == 0 || 2 * i == of.wanted) x[i] = x[i].real();
      x[(of.wanted - i) % of.wanted] = std::conj(x[i]);
    }
  }
  std::vector<double> result;
  for (const Number& number : sums(x, of.is_inverse)) {
    if (of.is_half && !of.is_inverse && result.size() == 2 * (of.wanted / 2 + 1)) break;
    result.push_back(number.real());
    if (!is_real_result) result.push_back(number.imag());
  }
  return result;
}

double tolerance_of(Dtype dtype) {
  switch (dtype) {
    case Dtype::float64: return 1e-13;
    case Dtype::float32: return 2e-6;
    case Dtype::float16: return 2e-3;
    default: return 1e-2;
  }
}

void expect_near(const std::vector<double>& results, const std::vector<double>& wanted, double tolerance) {
  ASSERT_EQ(results.size(), wanted.size());
  double scale = 1e-30;
  for (const double value : wanted) scale = std::max(scale, std::abs(value));
  for (std::size_t i = 0; i < wanted.size(); ++i) ASSERT_NEAR(results[i], wanted[i], tolerance * scale) << "at " << i;
}

// `rows` rows of the case, which a call transforms along axis 1 of [rows, length, parts].
void check(const Case& of, std::size_t rows, Dtype dtype, std::mt19937& random) {
  std::uniform_real_distribution<double> draw(-1, 1);
  const std::size_t row = of.length * (of.is_complex ? 2 : 1);
  std::vector<double> values(rows * row);
  for (double& value : values) value = draw(random);
  const Tensor input = of_doubles(dtype, dims_of({rows, of.length, of.is_complex ? 2U : 1U}), values);
  const std::vector<double> given = doubles(input);
  const Tensor length = int64s({}, {static_cast<std::int64_t>(of.wanted)});
  std::vector<double> wanted;
  for (std::size_t i = 0; i < rows; ++i) {
    for (const double value : naive(given.data() + i * row, of)) wanted.push_back(value);
  }
  const std::vector<Given> attributes{int_attribute("inverse", of.is_inverse ? 1 : 0),
                                      int_attribute("onesided", of.is_half ? 1 : 0)};
  const Tensor result = must(call(dft, {&input, &length}, attributes, 17));
  EXPECT_EQ(list(result.dims())[0], static_cast<std::int64_t>(rows));
  ASSERT_NO_FATAL_FAILURE(expect_near(doubles(result), wanted, tolerance_of(dtype)))
      << rows << " rows of " << of.length << ", transform of " << of.wanted << ", complex " << of.is_complex << ", inverse "
      << of.is_inverse << ", half " << of.is_half << ", type " << static_cast<int>(dtype);
}

TEST(Dft, IsTheSumOfItsDefinitionForAnyLengthAndForm) {
  const std::uint64_t seed = test::seed();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  const auto below = [&](std::size_t n) { return random() % n; };
  std::vector<std::size_t> lengths{1, 2, 3, 4, 5, 6, 7, 8, 11, 16, 31, 32, 48, 97, 127, 160, 250, 254, 262};
  for (int i = 0; i < rounds(12); ++i) lengths.push_back(1 + below(140));
  for (const std::size_t wanted : lengths) {
    const std::size_t length = below(3) == 0 ? wanted : 1 + below(2 * wanted);
    const std::size_t rows = 1 + below(6);
    const Dtype dtypes[] = {Dtype::float32, Dtype::float64, below(2) == 0 ? Dtype::float16 : Dtype::bfloat16};
    for (const Dtype dtype : dtypes) {
      check({length, wanted, true, false, false}, rows, dtype, random);
      check({length, wanted, true, true, false}, rows, dtype, random);
      check({length, wanted, true, true, true}, rows, dtype, random);
      check({length, wanted, false, false, false}, rows, dtype, random);
      check({length, wanted, false, false, true}, rows, dtype, random);
      check({length, wanted, false, true, false}, rows, dtype, random);
    }
  }
}

TEST(Dft, ALongRowComesBackFromItsSpectrum) {
  for (const std::int64_t length : {65536, 10007, 30000, 10001}) {
    std::vector<float> signal(static_cast<std::size_t>(length));
    for (std::size_t i = 0; i < signal.size(); ++i) signal[i] = static_cast<float>((i * 7919) % 1000) / 1000;
    const Tensor input = floats({1, length, 1}, signal);
    const Tensor size = int64s({}, {length});
    const Tensor spectrum = must(call(dft, {&input}, {int_attribute("onesided", 1)}));
    EXPECT_EQ(list(spectrum.dims()), (List{1, length / 2 + 1, 2}));
    const Tensor back = must(call(dft, {&spectrum, &size}, {int_attribute("onesided", 1), int_attribute("inverse", 1)}));
    EXPECT_EQ(list(back.dims()), (List{1, length, 1}));
    const std::vector<float> values = elements<float>(back);
    for (std::size_t i = 0; i < values.size(); ++i) ASSERT_NEAR(values[i], signal[i], 2e-6) << length << " at " << i;
  }
}

TEST(Dft, TransformsAlongAnyAxis) {
  std::vector<double> values(2 * 3 * 4 * 2);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::sin(static_cast<double>(i * i));
  const Tensor input = of_doubles(Dtype::float64, {2, 3, 4, 2}, values);
  for (const std::int64_t axis : {0, 1, 2, -4, -3, -2}) {
    const std::size_t place = static_cast<std::size_t>(axis < 0 ? axis + 4 : axis);
    const std::size_t sizes[] = {2, 3, 4};
    std::size_t step = 1;
    for (std::size_t i = 3; --i > place;) step *= sizes[i];
    std::vector<double> wanted(values.size());
    for (std::size_t at = 0; at < 24; ++at) {
      if (at / step % sizes[place] != 0) continue;
      std::vector<Number> row;
      for (std::size_t i = 0; i < sizes[place]; ++i)
        row.emplace_back(values[2 * (at + i * step)], values[2 * (at + i * step) + 1]);
      const auto result = sums(row, false);
      for (std::size_t i = 0; i < result.size(); ++i) {
        wanted[2 * (at + i * step)] = result[i].real();
        wanted[2 * (at + i * step) + 1] = result[i].imag();
      }
    }
    const Tensor number = int64s({}, {axis});
    expect_near(doubles(must(call(dft, {&input, nullptr, &number}))), wanted, 1e-13);
    expect_near(doubles(must(call(dft, {&input}, {int_attribute("axis", axis)}, 17))), wanted, 1e-13);
  }
}

TEST(Dft, RefusesInputsThatAreNotSignals) {
  const Tensor real = floats({1, 2, 1}, {1, 2});
  const Tensor complex = floats({1, 1, 2}, {1, 2});
  const auto refused = [](const std::vector<const Tensor*>& inputs, const std::vector<Given>& given, std::string_view part) {
    return fails(call(dft, inputs, given), Code::InvalidArgument, part);
  };
  const Tensor three = floats({1, 1, 3}, {1, 2, 3});
  const Tensor one_axis = floats({2}, {1, 2});
  EXPECT_TRUE(refused({&one_axis}, {}, "'input' has dims [2], wanted two axes or more"));
  EXPECT_TRUE(refused({&three}, {}, "'input' has dims [1, 1, 3], wanted 1 or 2 as the last"));
  EXPECT_TRUE(refused({&complex}, {int_attribute("onesided", 1)}, "wanted 1 as the last: onesided needs a real signal"));
  EXPECT_TRUE(refused({&real}, {int_attribute("onesided", 1), int_attribute("inverse", 1)}, "wanted 2 as the last"));
  EXPECT_TRUE(refused({&complex}, {int_attribute("onesided", 1), int_attribute("inverse", 1)}, "has length 0, wanted 1"));
  for (const std::int64_t axis : {2, -1}) {
    const Tensor number = int64s({}, {axis});
    EXPECT_TRUE(refused({&real, nullptr, &number}, {}, "is the last one"));
  }
  const Tensor far = int64s({}, {3});
  EXPECT_TRUE(refused({&real, nullptr, &far}, {}, "axis"));
  for (const std::int64_t length : {std::int64_t{0}, std::int64_t{-1}, INT64_MIN}) {
    const Tensor number = int64s({}, {length});
    EXPECT_TRUE(refused({&real, &number}, {}, "wanted 1 or more"));
  }
  const Tensor large = int64s({}, {std::int64_t{1} << 40});
  EXPECT_TRUE(fails(call(dft, {&real, &large}), Code::OutOfMemory));
}

TEST(Dft, WithoutRowsThereIsNothingToTransform) {
  const Tensor input = floats({0, 4, 1}, {});
  EXPECT_EQ(list(must(call(dft, {&input})).dims()), (List{0, 4, 2}));
}

TEST(Stft, FramesOverlapAndAreMultipliedByTheWindow) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> draw(-1, 1);
  for (const Dtype dtype : {Dtype::float32, Dtype::float64, Dtype::float16}) {
    for (const bool is_complex : {false, true}) {
      for (const std::size_t frame : {16U, 25U, 17U, 1U}) {
        const std::size_t length = 61;
        const std::size_t parts = is_complex ? 2 : 1;
        std::vector<double> values(2 * length * parts);
        for (double& value : values) value = draw(random);
        std::vector<double> weights(frame);
        for (double& weight : weights) weight = draw(random);
        const Tensor signal = of_doubles(dtype, dims_of({2, length, parts}), values);
        const Tensor window = of_doubles(dtype, dims_of({frame}), weights);
        const std::vector<double> given = doubles(signal);
        const std::vector<double> factors = doubles(window);
        const Tensor step = int64s({}, {7});
        std::vector<double> wanted;
        for (std::size_t batch = 0; batch < 2; ++batch) {
          for (std::size_t at = 0; at + frame <= length; at += 7) {
            std::vector<double> row(frame * parts);
            for (std::size_t i = 0; i < row.size(); ++i) row[i] = given[(batch * length + at) * parts + i] * factors[i / parts];
            for (const double value : naive(row.data(), {frame, frame, is_complex, false, !is_complex}))
              wanted.push_back(value);
          }
        }
        const Tensor result = must(call(stft, {&signal, &step, &window}, {int_attribute("onesided", is_complex ? 0 : 1)}));
        expect_near(doubles(result), wanted, dtype == Dtype::float16 ? 4e-3 : tolerance_of(dtype));
      }
    }
  }
}

TEST(Stft, WithoutAWindowTheFrameHasAGivenLengthOrTheSignals) {
  const Tensor signal = floats({1, 8, 1}, {1, 2, 3, 4, 5, 6, 7, 8});
  const Tensor flat = floats({1, 8}, {1, 2, 3, 4, 5, 6, 7, 8});
  const Tensor step = int64s({}, {3});
  const Tensor four = int64s({}, {4});
  const Tensor framed = must(call(stft, {&signal, &step, nullptr, &four}));
  EXPECT_EQ(list(framed.dims()), (List{1, 2, 3, 2}));
  EXPECT_EQ(elements<float>(framed), (std::vector<float>{10, 0, -2, 2, -2, 0, 22, 0, -2, 2, -2, 0}));
  EXPECT_EQ(elements<float>(must(call(stft, {&flat, &step, nullptr, &four}))), elements<float>(framed));
  EXPECT_EQ(list(must(call(stft, {&signal, &step})).dims()), (List{1, 1, 5, 2}));
}

TEST(Stft, RefusesFramesThatDoNotFit) {
  const Tensor signal = floats({1, 4, 1}, {1, 2, 3, 4});
  const Tensor complex = floats({1, 2, 2}, {1, 2, 3, 4});
  const Tensor window = floats({3}, {1, 1, 1});
  const Tensor one = int64s({}, {1});
  const auto refused = [](const std::vector<const Tensor*>& inputs, std::string_view part) {
    return fails(call(stft, inputs), Code::InvalidArgument, part);
  };
  for (const std::int64_t step : {std::int64_t{0}, INT64_MIN}) {
    const Tensor number = int64s({}, {step});
    EXPECT_TRUE(refused({&signal, &number, &window}, "'frame_step' is"));
  }
  const Tensor two = int64s({}, {2});
  const Tensor five = int64s({}, {5});
  EXPECT_TRUE(refused({&signal, &one, &window, &two}, "'window' has dims [3], wanted [2]: the frame_length"));
  EXPECT_TRUE(refused({&signal, &one, nullptr, &five}, "the frame has length 5, more than the signal's 4"));
  EXPECT_TRUE(refused({&complex, &one, nullptr, &two}, "onesided needs a real signal"));
  EXPECT_TRUE(refused({&signal, &one, &signal}, "'window' has dims [1, 4, 1], wanted one axis"));
  EXPECT_TRUE(refused({&window, &one}, "wanted [batch, length, 1 or 2]"));
  const Tensor far = int64s({}, {std::int64_t{1} << 62});
  EXPECT_EQ(list(must(call(stft, {&signal, &far, &window})).dims()), (List{1, 1, 2, 2}));
}

TEST(Windows, ArePeriodicOrSymmetric) {
  const auto window = [](const Operator& op, std::int64_t size, std::int64_t periodic) {
    const Tensor number = int64s({}, {size});
    return elements<double>(
        must(call(op, {&number},
                  {int_attribute("output_datatype", static_cast<int>(Dtype::float64)), int_attribute("periodic", periodic)})));
  };
  expect_near(window(hann_window, 4, 1), {0, 0.5, 1, 0.5}, 1e-16);
  expect_near(window(hann_window, 5, 0), {0, 0.5, 1, 0.5, 0}, 1e-16);
  expect_near(window(hamming_window, 4, 1), {4.0 / 46, 25.0 / 46, 1, 25.0 / 46}, 1e-15);
  expect_near(window(blackman_window, 4, 1), {0, 0.34, 1, 0.34}, 1e-15);
  for (const Operator* op : {&hann_window, &hamming_window, &blackman_window}) {
    const std::vector<double> periodic = window(*op, 700, 1);
    const std::vector<double> symmetric = window(*op, 701, 0);
    for (std::size_t i = 0; i < 700; ++i) EXPECT_EQ(periodic[i], symmetric[i]);
  }
}

TEST(Windows, HaveAnyNumericType) {
  const Tensor four = int64s({}, {4});
  const auto in = [&](Dtype dtype) {
    return must(call(hann_window, {&four}, {int_attribute("output_datatype", static_cast<int>(dtype))}));
  };
  EXPECT_EQ(elements<std::uint8_t>(in(Dtype::uint8)), (std::vector<std::uint8_t>{0, 0, 1, 0}));
  EXPECT_EQ(elements<std::uint16_t>(in(Dtype::float16)), (std::vector<std::uint16_t>{0, 0x3800, 0x3C00, 0x3800}));
  EXPECT_TRUE(fails(call(hann_window, {&four}, {int_attribute("output_datatype", static_cast<int>(Dtype::boolean))}),
                    Code::UnsupportedType));
  for (const std::int64_t size : {std::int64_t{0}, INT64_MIN}) {
    const Tensor number = int64s({}, {size});
    EXPECT_TRUE(fails(call(hann_window, {&number}), Code::InvalidArgument, "'size' is"));
  }
  const Tensor two = int64s({2}, {1, 2});
  EXPECT_TRUE(fails(call(hann_window, {&two}), Code::InvalidArgument, "'size' has 2 entries, wanted one"));
}

Result<Tensor> mel(std::int64_t bands, std::int64_t length, std::int64_t rate, float lower, float upper) {
  const Tensor numbers[] = {int64s({}, {bands}), int64s({}, {length}), int64s({}, {rate})};
  const Tensor edges[] = {floats({}, {lower}), floats({}, {upper})};
  return call(mel_weight_matrix, {&numbers[0], &numbers[1], &numbers[2], &edges[0], &edges[1]});
}

TEST(MelWeightMatrix, BandsAreTrianglesThatReachOne) {
  const Tensor matrix = must(mel(8, 16, 8192, 0, 4096));
  EXPECT_EQ(list(matrix.dims()), (List{9, 8}));
  const std::vector<float> weights = elements<float>(matrix);
  for (std::size_t band = 0; band < 8; ++band) {
    float most = 0;
    for (std::size_t row = 0; row < 9; ++row) most = std::max(most, weights[row * 8 + band]);
    EXPECT_EQ(most, 1);
  }
}

TEST(MelWeightMatrix, RefusesBandsOutsideOfTheSpectrum) {
  EXPECT_TRUE(fails(mel(8, 16, 8192, 0, 1e6), Code::InvalidArgument, "do not lie in the spectrum, from 0 to 4096 Hz"));
  EXPECT_TRUE(fails(mel(8, 16, 8192, -600, 4096), Code::InvalidArgument, "do not lie in the spectrum"));
  EXPECT_TRUE(fails(mel(8, 16, 8192, 0, NAN), Code::InvalidArgument, "do not lie in the spectrum"));
  EXPECT_TRUE(fails(mel(8, 16, 8192, 4096, 0), Code::InvalidArgument, "do not lie in the spectrum"));
  EXPECT_TRUE(fails(mel(0, 16, 8192, 0, 4096), Code::InvalidArgument, "'num_mel_bins' is 0, wanted 1 or more"));
  EXPECT_TRUE(fails(mel(8, 16, 0, 0, 4096), Code::InvalidArgument, "'sample_rate' is 0, wanted 1 or more"));
  EXPECT_TRUE(fails(mel(std::int64_t{1} << 40, std::int64_t{1} << 40, 8192, 0, 4096), Code::InvalidArgument));
}

class SignalsBeforeARun : public BeforeRun {};

TEST_F(SignalsBeforeARun, SizesFollowFromLengthsAndSteps) {
  EXPECT_EQ(sizes(hann_window, {int64s({}, {9})}), "9");
  EXPECT_EQ(sizes(hann_window, {int64s({}, {n()})}), "n");
  EXPECT_EQ(sizes(hann_window, {indices({})}), "?");
  const std::vector<Given> half{int_attribute("onesided", 1)};
  const std::vector<Given> half_inverse{int_attribute("onesided", 1), int_attribute("inverse", 1)};
  EXPECT_EQ(sizes(dft, {known({n(), 16, 1})}, half), "n 9 2");
  EXPECT_EQ(sizes(dft, {known({n(), 9, 2})}, half_inverse), "n 16 1");
  EXPECT_EQ(sizes(dft, {known({n(), 9, 1}), int64s({}, {m()})}), "n m 2");
  EXPECT_EQ(sizes(dft, {known({n(), 9, 1}), indices({}), int64s({}, {0})}), "? 9 2");
  EXPECT_EQ(sizes(dft, {unranked()}), "unknown");
  EXPECT_EQ(sizes(dft, {known({n(), 9, 3})}), "error");
  EXPECT_EQ(sizes(stft, {known({n(), 100, 1}), int64s({}, {10}), known({20})}), "n 9 11 2");
  EXPECT_EQ(sizes(stft, {known({n(), m(), 1}), int64s({}, {1}), known({20})}, {int_attribute("onesided", 0)}), "n m - 19 20 2");
  EXPECT_EQ(sizes(stft, {unranked(), indices({}), unranked()}), "? ? ? 2");
  const std::vector<Tensor> of_mel{int64s({}, {n()}), int64s({}, {16}), indices({}), known({}), unranked()};
  EXPECT_EQ(sizes(mel_weight_matrix, of_mel), "9 n");
}

}  // namespace
}  // namespace broadloom::test::signal_test
