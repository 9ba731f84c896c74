// Compares the mathematical functions with the host's of higher precision. BROADLOOM_EVERY_FLOAT=1 in the environment
// makes the sweeps of float32 cover all 2^32 elements, in an hour instead of a few seconds. bench/functions.mjs compares the
// functions as compiled to wasm.
#include "kernels/elementwise/functions.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <random>
#include <vector>

#include "kernels/elementwise/loops.h"
#include "support/cases.h"

namespace broadloom::functions_test {
namespace {

using Real = long double;

struct Subject {
  const char* name;
  Operation operation;
  Real (*wanted)(Real x);
  int floats;      // the largest distance from the correctly rounded float, in ulp
  double doubles;  // the largest error of a double, in ulp
};

Real softplus(Real x) { return std::log1p(std::exp(-std::abs(x))) + (x > 0 ? x : Real{0}); }
Real normal_distribution(Real x) { return std::erfc(-x * std::sqrt(Real{0.5})) / 2; }

const Subject subjects[] = {
    {"exp", Operation::exp, [](Real x) { return std::exp(x); }, 1, 1.1},
    {"expm1", Operation::expm1, [](Real x) { return std::expm1(x); }, 2, 2.5},
    {"log", Operation::log, [](Real x) { return std::log(x); }, 1, 1},
    {"log1p", Operation::log1p, [](Real x) { return std::log1p(x); }, 1, 1},
    {"sigmoid", Operation::sigmoid, [](Real x) { return 1 / (1 + std::exp(-x)); }, 2, 2.5},
    {"softplus", Operation::softplus, softplus, 2, 2},
    {"sinh", Operation::sinh, [](Real x) { return std::sinh(x); }, 1, 2.5},
    {"cosh", Operation::cosh, [](Real x) { return std::cosh(x); }, 1, 2},
    {"tanh", Operation::tanh, [](Real x) { return std::tanh(x); }, 2, 3},
    {"asinh", Operation::asinh, [](Real x) { return std::asinh(x); }, 1, 2},
    {"acosh", Operation::acosh, [](Real x) { return std::acosh(x); }, 1, 2},
    {"atanh", Operation::atanh, [](Real x) { return std::atanh(x); }, 1, 2},
    {"sin", Operation::sin, [](Real x) { return std::sin(x); }, 2, 1},
    {"cos", Operation::cos, [](Real x) { return std::cos(x); }, 2, 1},
    {"tan", Operation::tan, [](Real x) { return std::tan(x); }, 1, 2.5},
    {"asin", Operation::asin, [](Real x) { return std::asin(x); }, 1, 3.5},
    {"acos", Operation::acos, [](Real x) { return std::acos(x); }, 1, 3.5},
    {"atan", Operation::atan, [](Real x) { return std::atan(x); }, 1, 3},
    {"erf", Operation::erf, [](Real x) { return std::erf(x); }, 2, 3},
    {"normal_distribution", Operation::normal_distribution, normal_distribution, 2, 7},
};

template <class T>
std::vector<T> computed(Operation operation, const std::vector<T>& x, const std::vector<T>& y = {}) {
  const InnerLoop loop = computation_of(operation, sizeof(T) == 4 ? Dtype::float32 : Dtype::float64).loop;
  std::vector<T> result(x.size());
  const std::byte* const from[] = {reinterpret_cast<const std::byte*>(x.data()), reinterpret_cast<const std::byte*>(y.data())};
  loop(reinterpret_cast<std::byte*>(result.data()), from, x.size());
  return result;
}

// NaN equals NaN, and zeros must have equal signs.
template <class T>
bool is_same(T a, T b) {
  return std::isnan(a) ? std::isnan(b) : a == b && std::signbit(a) == std::signbit(b);
}

// The number of floats between both.
std::int64_t distance(float a, float b) {
  const auto place = [](float x) {
    const auto bits = std::bit_cast<std::int32_t>(x);
    return std::int64_t{bits < 0 ? std::numeric_limits<std::int32_t>::min() - bits : bits};
  };
  return std::abs(place(a) - place(b));
}

// Infinity counts as the double after the largest one.
Real error_in_ulp(double computed, Real wanted) {
  int exponent = 0;
  std::frexp(wanted, &exponent);
  const Real next = std::isinf(computed) ? std::copysign(std::ldexp(Real{1}, 1024), Real{computed}) : Real{computed};
  return std::abs(next - wanted) / std::ldexp(Real{1}, std::max(std::min(exponent, 1024) - 53, -1074));
}

void expect_floats(const Subject& subject, const std::vector<float>& x) {
  const std::vector<float> results = computed(subject.operation, x);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto wanted = static_cast<float>(subject.wanted(Real{x[i]}));
    const bool is_right = std::isnan(wanted) || std::isnan(results[i]) || (wanted == 0 && results[i] == 0)
                              ? is_same(results[i], wanted)
                              : distance(results[i], wanted) <= subject.floats;
    ASSERT_TRUE(is_right) << subject.name << " of " << std::hexfloat << x[i] << " is " << results[i] << ", not " << wanted;
  }
}

void expect_doubles(const Subject& subject, const std::vector<double>& x) {
  const std::vector<double> results = computed(subject.operation, x);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Real wanted = subject.wanted(Real{x[i]});
    const bool is_near = std::signbit(results[i]) == std::signbit(wanted) && wanted != 0 &&
                         error_in_ulp(results[i], wanted) <= Real{subject.doubles};
    const bool is_right = is_near || is_same(results[i], static_cast<double>(wanted));
    ASSERT_TRUE(is_right) << subject.name << " of " << std::hexfloat << x[i] << " is " << results[i] << ", not " << wanted;
  }
}

TEST(Functions, AreNearTheRightFloatInEveryExponent) {
  const bool takes_all = std::getenv("BROADLOOM_EVERY_FLOAT") != nullptr;
  // 841 mantissas of each exponent and sign, or 280 in a short run.
  const std::uint64_t step = takes_all ? 1 : test::is_deep() ? 9973 : 29'989;
  for (const Subject& subject : subjects) {
    std::vector<float> x;
    for (std::uint64_t bits = 0; bits < std::uint64_t{1} << 32U; bits += step) {
      x.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
      if (x.size() < 4096) continue;
      expect_floats(subject, x);
      if (HasFatalFailure()) return;
      x.clear();
    }
    expect_floats(subject, x);
  }
}

// The ends of the ranges of polynomials, of argument reductions and of results.
TEST(Functions, AreNearTheRightFloatAtTheEndsOfTheirRanges) {
  std::vector<float> x;
  const float points[] = {0x1p-126F,   0x1p-24F, 0.3465736F,  0.414213562F, 0.5F,       0.70710678F, 1,
                          1.41421356F, 2,        2.41421356F, 4.1F,         9.01F,      14.17F,      16.6F,
                          64,          87.3365F, 88.722839F,  89,           103.27893F, 104,         0x1p20F,
                          0x1p24F,     0x1p30F,  0x1p64F,     3.4028235e38F};
  for (const float point : points) {
    float below = point;
    float above = point;
    for (int i = 0; i < 500; ++i) {
      x.insert(x.end(), {below, above, -below, -above});
      below = std::nextafter(below, 0.0F);
      above = std::nextafter(above, std::numeric_limits<float>::infinity());
    }
  }
  // Multiples of pi / 2 have sines or cosines near 0.
  for (int quarters = 1; quarters < 20000; ++quarters) {
    const auto angle = static_cast<float>(quarters * (std::acos(-1.0) / 2));
    x.insert(x.end(), {angle, -angle, std::nextafter(angle, 0.0F), angle * 0x1p10F, angle * 0x1p80F});
  }
  for (const Subject& subject : subjects) {
    expect_floats(subject, x);
    if (HasFatalFailure()) return;
  }
}

TEST(Functions, AreNearTheRightDouble) {
  std::mt19937_64 random(1);
  for (const Subject& subject : subjects) {
    std::vector<double> x;
    for (int i = 0; i < 50000; ++i) {
      const std::uint64_t bits = random();
      x.push_back(std::bit_cast<double>(bits));
      // Most doubles are too large or too small to be interesting.
      const auto exponent = static_cast<int>(bits % 48) - 37;
      x.push_back(std::ldexp(std::bit_cast<double>((bits >> 12U) | 0x3ff0000000000000U), exponent) *
                  ((bits & 64U) != 0 ? 1 : -1));
    }
    expect_doubles(subject, x);
    if (HasFatalFailure()) return;
  }
}

// 6381956970095103 * 2^797 is the double that is nearest to a multiple of pi / 2 (J.-M. Muller, "Elementary Functions").
TEST(Functions, SinesOfTheHardestAnglesAreNearTheRightDouble) {
  std::vector<double> x{std::ldexp(6381956970095103.0, 797),
                        0x1.921fb54442d18p0,
                        0x1.921fb54442d18p1,
                        0x1p20,
                        0x1.fffffffffffffp19,
                        0x1.fffffffffffffp1023};
  for (int quarters = 1; quarters < 20000; ++quarters) x.push_back(quarters * (std::acos(-1.0) / 2));
  for (int exponent = 0; exponent < 1000; ++exponent) x.push_back(std::ldexp(std::acos(-1.0), exponent));
  for (const Subject& subject : subjects) {
    if (subject.operation >= Operation::sin && subject.operation <= Operation::tan) expect_doubles(subject, x);
  }
}

TEST(Functions, OfZerosInfinitiesAndNanAreThoseOfC) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const double pi = std::acos(-1.0);
  const struct {
    Operation operation;
    double x, wanted;
  } cases[] = {
      {Operation::exp, -infinity, 0},
      {Operation::exp, infinity, infinity},
      {Operation::exp, 0, 1},
      {Operation::expm1, -infinity, -1},
      {Operation::expm1, -0.0, -0.0},
      {Operation::log, 0, -infinity},
      {Operation::log, -0.0, -infinity},
      {Operation::log, 1, 0},
      {Operation::log, -1, nan},
      {Operation::log, -infinity, nan},
      {Operation::log, infinity, infinity},
      {Operation::log1p, -1, -infinity},
      {Operation::log1p, -0.0, -0.0},
      {Operation::log1p, -2, nan},
      {Operation::log1p, infinity, infinity},
      {Operation::sigmoid, -infinity, 0},
      {Operation::sigmoid, infinity, 1},
      {Operation::sigmoid, -0.0, 0.5},
      {Operation::softplus, -infinity, 0},
      {Operation::softplus, infinity, infinity},
      {Operation::sinh, -0.0, -0.0},
      {Operation::sinh, -infinity, -infinity},
      {Operation::cosh, -infinity, infinity},
      {Operation::tanh, -0.0, -0.0},
      {Operation::tanh, 0, 0},
      {Operation::tanh, -infinity, -1},
      {Operation::asinh, -infinity, -infinity},
      {Operation::asinh, -0.0, -0.0},
      {Operation::acosh, 1, 0},
      {Operation::acosh, 0.5, nan},
      {Operation::acosh, -3, nan},
      {Operation::acosh, infinity, infinity},
      {Operation::atanh, 1, infinity},
      {Operation::atanh, -1, -infinity},
      {Operation::atanh, -0.0, -0.0},
      {Operation::atanh, 2, nan},
      {Operation::sin, -0.0, -0.0},
      {Operation::sin, infinity, nan},
      {Operation::cos, -infinity, nan},
      {Operation::cos, -0.0, 1},
      {Operation::tan, -0.0, -0.0},
      {Operation::tan, infinity, nan},
      {Operation::asin, -0.0, -0.0},
      {Operation::asin, 1, pi / 2},
      {Operation::asin, -1, -pi / 2},
      {Operation::asin, 1.5, nan},
      {Operation::asin, infinity, nan},
      {Operation::acos, 1, 0},
      {Operation::acos, -1, pi},
      {Operation::acos, -1.5, nan},
      {Operation::acos, -infinity, nan},
      {Operation::atan, -0.0, -0.0},
      {Operation::atan, -infinity, -pi / 2},
      {Operation::erf, -0.0, -0.0},
      {Operation::erf, 0, 0},
      {Operation::erf, -infinity, -1},
      {Operation::normal_distribution, -infinity, 0},
      {Operation::normal_distribution, infinity, 1},
      {Operation::normal_distribution, -0.0, 0.5},
  };
  for (const auto& [operation, x, wanted] : cases) {
    const auto narrow = static_cast<float>(x);
    EXPECT_TRUE(is_same(computed<double>(operation, {x})[0], wanted)) << int(operation) << " of " << x;
    EXPECT_TRUE(is_same(computed<float>(operation, {narrow})[0], static_cast<float>(wanted))) << int(operation) << " of " << x;
  }
  for (const Subject& subject : subjects) {
    EXPECT_TRUE(std::isnan(computed<double>(subject.operation, {nan})[0])) << subject.name;
    EXPECT_TRUE(std::isnan(computed<float>(subject.operation, {static_cast<float>(-nan)})[0])) << subject.name;
  }
}

// A lane that takes the slow path does not change the bits of the others.
TEST(Functions, OfAnElementDoNotDependOnItsNeighbours) {
  const float others[] = {0, -0.0F, 1e-40F, -1, 1e30F, -200, std::numeric_limits<float>::infinity(), 0.3F, 1e-3F, 100};
  std::mt19937 random(2);
  std::uniform_real_distribution<float> usual(-3, 3);
  for (const Subject& subject : subjects) {
    for (int i = 0; i < 2000; ++i) {
      const float x = usual(random);
      const float alone = computed<float>(subject.operation, {x, x, x, x})[0];
      const float beside = computed<float>(subject.operation, {x, others[random() % 10], 1, others[random() % 10]})[0];
      ASSERT_TRUE(is_same(alone, beside)) << subject.name << " of " << x;
      const double wide = x;
      ASSERT_TRUE(is_same(computed<double>(subject.operation, {wide, wide})[0],
                          computed<double>(subject.operation, {wide, others[random() % 10]})[0]))
          << subject.name << " of " << x;
    }
  }
}

}  // namespace
}  // namespace broadloom::functions_test
