// Compares programs with a naive walk over their operands, element by element.
#include "kernels/elementwise/program.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <vector>

#include "support/canaries.h"
#include "support/lists.h"

namespace broadloom::test::program_test {
namespace {

using Floats = std::vector<float>;

LayoutRef layout_of(const List& dims, const List& strides) { return Layout{dims_of(dims), dims_of(strides)}; }

// The position of an element relative to element 0.
std::int64_t place_of(const Layout& layout, std::size_t number) {
  std::int64_t place = 0;
  for (std::size_t i = layout.dims.size(); i-- > 0;) {
    const auto size = static_cast<std::size_t>(layout.run_dims()[i]);
    place += static_cast<std::int64_t>(number % size) * layout.strides[i];
    number /= size;
  }
  return place;
}

// Items of a layout, with others between them.
template <class T>
class Items {
 public:
  explicit Items(LayoutRef layout, int salt = 0) : layout_(std::move(layout)) {
    const Span span = span_of(*layout_);
    first_ = -span.lowest;
    for (std::int64_t i = 0; i <= span.highest - span.lowest; ++i) items_.push_back(static_cast<T>((i * 7 + salt) % 101));
  }
  const std::byte* data() const { return reinterpret_cast<const std::byte*>(items_.data() + first_); }
  const LayoutRef& layout() const { return layout_; }
  std::size_t count() const { return static_cast<std::size_t>(layout_->count()); }
  T at(std::size_t number) const { return items_[static_cast<std::size_t>(first_ + place_of(*layout_, number))]; }
  Program::Value add_to(Program& program, Dtype dtype) const { return program.operand(dtype, data(), layout_); }

 private:
  LayoutRef layout_;
  std::int64_t first_ = 0;
  std::vector<T> items_;
};

template <class T>
std::vector<T> run(Program& program, const Program::Value& value, std::size_t count) {
  Guarded to(count * sizeof(T), 0);
  EXPECT_TRUE(program.run(value, to.data(), count));
  EXPECT_TRUE(to.intact());
  std::vector<T> result(count);
  const auto bytes = to.written();
  if (count > 0) std::memcpy(result.data(), bytes.data(), bytes.size());
  return result;
}

const Layout layouts[] = {
    {{7, 3}, {0, 1}},      // a short row, repeated
    {{5, 300}, {0, 1}},    // one of more than a block
    {{300, 3}, {1, 0}},    // a column of short rows
    {{9, 20}, {1, 0}},     // rows that are filled
    {{5, 700}, {1, 0}},    // rows of one value, of more than a block
    {{40, 30}, {1, 40}},   // transposed
    {{6, 100}, {128, 1}},  // rows with gaps
    {{6, 10}, {16, 1}},    // short ones
    {{600}, {-1}},         // backwards
    {{4, 3, 50, 2}, {0, 2, 6, 1}},
    {{2, 130, 2, 1}, {0, 0, 3, 9}},
    {{3, 2, 300}, {1, 0, 0}},
    {{900}, {0}},  // one for all
    {{1, 1}, {5, 9}},
    {{}, {}},
};

// Adds a dense operand, so that the program has a step.
template <class T>
void expect_every_layout_is_read(Dtype dtype) {
  for (std::size_t i = 0; i < std::size(layouts); ++i) {
    const Items<T> items{LayoutRef(layouts[i])};
    const Items<T> dense{dense_layout(items.layout()->dims), 3};
    Program program;
    const Program::Value x = items.add_to(program, dtype);
    const Program::Value y = dense.add_to(program, dtype);
    const auto results = run<T>(program, program.rounded(program.apply(Operation::maximum, x, y)), items.count());
    for (std::size_t k = 0; k < results.size(); ++k) {
      ASSERT_EQ(results[k], std::max(items.at(k), dense.at(k))) << info(dtype).name << ", layout " << i << ", element " << k;
    }
  }
}

TEST(Program, ReadsOperandsOfEveryLayoutAndItemSize) {
  expect_every_layout_is_read<std::uint8_t>(Dtype::uint8);
  expect_every_layout_is_read<std::int16_t>(Dtype::int16);
  expect_every_layout_is_read<float>(Dtype::float32);
  expect_every_layout_is_read<double>(Dtype::float64);
}

TEST(Program, WritesResultsOfEveryCountExactly) {
  for (const std::size_t count : counts_around_vectors(1024)) {
    const auto size = static_cast<std::int64_t>(count);
    const Items<float> a{dense_layout({size})};
    const Items<float> b{layout_of({size}, {2})};
    const Items<float> c{layout_of({size}, {0}), 5};
    Program program;
    const Program::Value product =
        program.apply(Operation::multiply, a.add_to(program, Dtype::float32), b.add_to(program, Dtype::float32));
    const Program::Value sum = program.apply(Operation::add, product, c.add_to(program, Dtype::float32));
    const Floats results = run<float>(program, program.apply(Operation::subtract, sum, program.constant(2, sum)), count);
    for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(results[i], a.at(i) * b.at(i) + c.at(i) - 2) << count << " " << i;
  }
}

TEST(Program, TakesTwelveOperandsOfEightLayouts) {
  const List dims{12, 100};
  const List strides[] = {{100, 1}, {0, 1}, {1, 0}, {1, 12}, {200, 2}, {0, 0}, {-100, -1}, {128, 1}};
  std::vector<Items<float>> operands;
  for (std::size_t i = 0; i < Program::most_operands; ++i)
    operands.emplace_back(layout_of(dims, strides[i % std::size(strides)]), static_cast<int>(i));
  Program program;
  EXPECT_TRUE(program.has_room(12, 11));
  Program::Value sum = operands[0].add_to(program, Dtype::float32);
  for (std::size_t i = 1; i < operands.size(); ++i) {
    sum = program.apply(Operation::add, sum, operands[i].add_to(program, Dtype::float32));
  }
  EXPECT_FALSE(program.has_room(1, 0));
  EXPECT_TRUE(program.has_room(0, 41));
  EXPECT_FALSE(program.has_room(0, 42));
  const Floats results = run<float>(program, sum, 1200);
  for (std::size_t k = 0; k < results.size(); ++k) {
    float wanted = 0;
    for (const auto& operand : operands) wanted += operand.at(k);
    ASSERT_EQ(results[k], wanted) << k;
  }
}

// The next step and the last one read each step, so all steps need a block.
TEST(Program, KeepsValuesThatLaterStepsRead) {
  const Items<float> x{layout_of({1000}, {2})};
  Program program;
  std::vector<Program::Value> steps{x.add_to(program, Dtype::float32)};
  for (int i = 0; i < 20; ++i) steps.push_back(program.apply(Operation::add, steps.back(), program.constant(i, steps.back())));
  Program::Value sum = steps[0];
  for (std::size_t i = 1; i < steps.size(); ++i) sum = program.apply(Operation::add, sum, steps[i]);
  const Floats results = run<float>(program, sum, 1000);
  for (std::size_t k = 0; k < results.size(); ++k) {
    float step = x.at(k);
    float wanted = step;
    for (int i = 0; i < 20; ++i) wanted += step += static_cast<float>(i);
    ASSERT_EQ(results[k], wanted) << k;
  }
}

TEST(Program, MayWriteItsResultOverADenseOperand) {
  for (const std::size_t count : {1U, 4U, 255U, 256U, 1000U}) {
    const auto size = static_cast<std::int64_t>(count);
    Floats a(count);
    for (std::size_t i = 0; i < count; ++i) a[i] = static_cast<float>(i);
    const Items<float> b{layout_of({size}, {-1})};
    Program program;
    auto* bytes = reinterpret_cast<std::byte*>(a.data());
    const Program::Value x = program.operand(Dtype::float32, bytes, dense_layout({size}));
    const Program::Value sum = program.apply(Operation::add, b.add_to(program, Dtype::float32), x);
    EXPECT_TRUE(program.run(program.apply(Operation::multiply, sum, x), bytes, count));
    for (std::size_t i = 0; i < count; ++i) {
      const auto own = static_cast<float>(i);
      ASSERT_EQ(a[i], (b.at(i) + own) * own) << count << " " << i;
    }
  }
}

TEST(Program, AnOperandAloneIsWrittenDensely) {
  for (std::size_t i = 0; i < std::size(layouts); ++i) {
    const Items<float> x{LayoutRef(layouts[i])};
    Program program;
    const Floats results = run<float>(program, x.add_to(program, Dtype::float32), x.count());
    for (std::size_t k = 0; k < results.size(); ++k) ASSERT_EQ(results[k], x.at(k)) << i << " " << k;
  }
}

TEST(Program, AConstantAloneFillsTheResult) {
  Program program;
  const Program::Value like{0, Dtype::int16, false};
  // An int16 constant is computed in int32 and rounded by a step.
  const Program::Value constant = program.constant(-7, like);
  EXPECT_TRUE(constant.is_in_accumulate_type);
  EXPECT_EQ(run<std::int16_t>(program, program.rounded(constant), 300), std::vector<std::int16_t>(300, -7));
  Program other;
  EXPECT_EQ(run<float>(other, other.constant(0.5, {0, Dtype::float32, false}), 300), Floats(300, 0.5F));
}

TEST(Program, WritesNothingForAnEmptyResult) {
  Program program;
  const Program::Value x = program.operand(Dtype::float32, nullptr, dense_layout({0, 3}));
  EXPECT_TRUE(program.run(program.apply(Operation::negate, x), nullptr, 0));
}

// float16 cannot represent 2048 + 1, nor bfloat16 256 + 1.
TEST(Program, ResultsOfHalfPrecisionAreRoundedAtTheCallersRequest) {
  struct Case {
    Dtype dtype;
    std::uint16_t large;
    std::uint16_t one;
  };
  for (const Case& each : {Case{Dtype::float16, 0x6800, 0x3C00}, Case{Dtype::bfloat16, 0x4380, 0x3F80}}) {
    for (const bool is_rounded : {false, true}) {
      const std::vector<std::uint16_t> large(300, each.large);
      const std::vector<std::uint16_t> one(300, each.one);
      Program program;
      const auto operand = [&](const std::vector<std::uint16_t>& values) {
        return program.operand(each.dtype, reinterpret_cast<const std::byte*>(values.data()), dense_layout({300}));
      };
      const Program::Value x = operand(large);
      Program::Value sum = program.apply(Operation::add, x, operand(one));
      EXPECT_TRUE(sum.is_in_accumulate_type);
      if (is_rounded) sum = program.rounded(sum);
      const Program::Value rest = program.rounded(program.apply(Operation::subtract, sum, x));
      EXPECT_FALSE(rest.is_in_accumulate_type);
      const std::uint16_t wanted = is_rounded ? 0 : each.one;
      EXPECT_EQ(run<std::uint16_t>(program, rest, 300), std::vector<std::uint16_t>(300, wanted)) << info(each.dtype).name;
    }
  }
}

TEST(Program, WideningOrRoundingTwiceAddsNoStep) {
  const Items<float> x{dense_layout({4})};
  Program program;
  const Program::Value value = x.add_to(program, Dtype::float32);
  EXPECT_EQ(program.widened(value).number, value.number);
  EXPECT_EQ(program.rounded(value).number, value.number);
  const std::vector<std::uint16_t> halves(4, 0x3C00);
  const Program::Value half =
      program.operand(Dtype::float16, reinterpret_cast<const std::byte*>(halves.data()), dense_layout({4}));
  const Program::Value wide = program.widened(half);
  EXPECT_TRUE(wide.is_in_accumulate_type);
  EXPECT_EQ(program.widened(wide).number, wide.number);
  EXPECT_EQ(program.rounded(half).number, half.number);
}

TEST(Program, AValueThatIsReadAgainIsRoundedOnceWithoutAStore) {
  const std::vector<std::uint16_t> large(300, 0x6800);
  const std::vector<std::uint16_t> one(300, 0x3C00);
  Program program;
  const auto operand = [&](const std::vector<std::uint16_t>& values) {
    return program.operand(Dtype::float16, reinterpret_cast<const std::byte*>(values.data()), dense_layout({300}));
  };
  const Program::Value x = operand(large);
  const Program::Value sum = program.rounded(program.apply(Operation::add, x, operand(one)));
  const Program::Value again = program.widened(sum);
  const std::size_t steps = program.size();
  EXPECT_EQ(program.widened(sum).number, again.number);
  EXPECT_EQ(program.size(), steps);
  const Program::Value rest = program.apply(Operation::subtract, sum, x);
  EXPECT_EQ(program.size(), steps + 1);
  EXPECT_EQ(run<float>(program, program.convert(Dtype::float32, program.rounded(rest)), 300), std::vector<float>(300, 0));
  // The stored value is still there.
  EXPECT_EQ(run<std::uint16_t>(program, sum, 300), large);
}

TEST(Program, SelectTakesValuesInTwoForms) {
  const std::vector<std::uint16_t> x{0x3C00, 0x4000, 0xBC00, 0xC000};  // 1, 2, -1, -2
  Program program;
  const Program::Value half = program.operand(Dtype::float16, reinterpret_cast<const std::byte*>(x.data()), dense_layout({4}));
  const Program::Value is_negative = program.apply(Operation::less, half, program.constant(0, half));
  EXPECT_EQ(is_negative.dtype, Dtype::boolean);
  const Program::Value twice = program.apply(Operation::add, half, half);
  const Program::Value chosen = program.select(is_negative, twice, half);
  EXPECT_TRUE(chosen.is_in_accumulate_type);
  EXPECT_EQ(run<std::uint16_t>(program, program.rounded(chosen), 4),
            (std::vector<std::uint16_t>{0x3C00, 0x4000, 0xC000, 0xC400}));
}

// uint8 is converted to float64 through int32 and int64.
TEST(Program, ConversionsOfSeveralStepsUseBlocks) {
  EXPECT_TRUE(Program::can_convert(Dtype::float64, Dtype::uint8));
  EXPECT_FALSE(Program::can_convert(Dtype::bfloat16, Dtype::float64));
  for (const std::size_t count : {1U, 16U, 257U, 1000U}) {
    const Items<std::uint8_t> x{layout_of({static_cast<std::int64_t>(count)}, {3})};
    Program program;
    const Program::Value wide = program.convert(Dtype::float64, x.add_to(program, Dtype::uint8));
    const auto results = run<double>(program, wide, count);
    for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(results[i], x.at(i)) << count << " " << i;
  }
}

TEST(Program, OperandsBehindTheResultChangeNothing) {
  // From uint8 to uint64 there are two steps, as there would be a step and an operand.
  const Items<std::uint8_t> x(layout_of({40}, {1}));
  const Items<std::uint64_t> slope(layout_of({40}, {1}), 5);
  Program program;
  const Program::Value value = program.convert(Dtype::uint64, x.add_to(program, Dtype::uint8));
  slope.add_to(program, Dtype::uint64);
  const std::vector<std::uint64_t> results = run<std::uint64_t>(program, value, x.count());
  for (std::size_t i = 0; i < x.count(); ++i) EXPECT_EQ(results[i], x.at(i));
}

TEST(Program, BoolsAreMadeOfOperandsOfOtherSizes) {
  const Items<double> a{layout_of({20, 30}, {0, 1})};
  const Items<double> b{layout_of({20, 30}, {1, 0}), 50};
  Program program;
  const Program::Value less =
      program.apply(Operation::less, a.add_to(program, Dtype::float64), b.add_to(program, Dtype::float64));
  const auto results = run<std::uint8_t>(program, program.apply(Operation::logical_not, less), 600);
  for (std::size_t i = 0; i < 600; ++i) ASSERT_EQ(results[i], a.at(i) < b.at(i) ? 0 : 1) << i;
}

TEST(Program, ACustomStepTakesFiveValues) {
  const InnerLoop sum = [](std::byte* to, const std::byte* const* from, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      float total = 0;
      for (std::size_t k = 0; k < 5; ++k) {
        float value;
        std::memcpy(&value, from[k] + i * sizeof(float), sizeof(float));
        total += value;
      }
      std::memcpy(to + i * sizeof(float), &total, sizeof(float));
    }
  };
  std::vector<Items<float>> operands;
  for (int i = 0; i < 5; ++i) operands.emplace_back(layout_of({400}, {i}), i);
  Program program;
  std::vector<Program::Value> values;
  for (const auto& operand : operands) values.push_back(operand.add_to(program, Dtype::float32));
  const Floats results = run<float>(program, program.apply(sum, Dtype::float32, values), 400);
  for (std::size_t i = 0; i < 400; ++i) {
    float wanted = 0;
    for (const auto& operand : operands) wanted += operand.at(i);
    ASSERT_EQ(results[i], wanted) << i;
  }
}

TEST(Program, OfTooManyStepsIsRefused) {
  const Items<float> x(layout_of({3}, {1}));
  Program program;
  Program::Value value = x.add_to(program, Dtype::float32);
  for (std::size_t i = 1; i < Program::most_values; ++i) value = program.apply(Operation::negate, value);
  Guarded to(3 * sizeof(float), 0);
  Program longer;
  Program::Value last = x.add_to(longer, Dtype::float32);
  for (std::size_t i = 0; i < 2 * Program::most_values; ++i) last = longer.apply(Operation::negate, last);
  EXPECT_TRUE(program.run(value, to.data(), 3));
  const Status status = longer.run(last, to.data(), 3);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error()->message.view(), "a computation has more than 64 steps");
}

TEST(Program, ConstantsOfIntegersWrapAround) {
  const Items<std::uint8_t> bytes(layout_of({2}, {1}));
  const auto with = [&](double number) {
    Program program;
    const Program::Value x = bytes.add_to(program, Dtype::uint8);
    const Program::Value sum = program.rounded(program.apply(Operation::add, x, program.constant(number, x)));
    return run<std::uint8_t>(program, sum, 2)[1];
  };
  const int second = bytes.at(1);
  EXPECT_EQ(with(-1), second - 1);
  EXPECT_EQ(with(256 + 3), second + 3);
  EXPECT_EQ(with(-0x1p70), second);
  EXPECT_EQ(with(std::numeric_limits<double>::infinity()), second);
}

TEST(Program, InAnotherOrderOfAxesWritesTheTransposedResult) {
  const Items<float> x(layout_of({3, 5}, {5, 1}));
  const Items<float> y(layout_of({3, 5}, {0, 1}));
  Program program;
  const Program::Value a = x.add_to(program, Dtype::float32);
  const Program::Value sum = program.apply(Operation::add, a, y.add_to(program, Dtype::float32));
  EXPECT_EQ(program.operand_bytes(), (15 + 5) * 4);
  const std::int64_t order[] = {1, 0};
  program.transpose(order);
  const Floats found = run<float>(program, sum, 15);
  for (std::size_t i = 0; i < 15; ++i) {
    const std::size_t from = i % 3 * 5 + i / 3;
    EXPECT_EQ(found[i], x.at(from) + y.at(from));
  }
}

}  // namespace
}  // namespace broadloom::test::program_test
