// Compares MatMul, Gemm, Einsum and Det with naive C++.
#include <cmath>
#include <limits>

#include "support/before_run.h"
#include "support/calls.h"
#include "support/numbers.h"
#include "support/random.h"

namespace broadloom::op {
extern const Operator det, einsum, gemm, mat_mul;
}

namespace broadloom::test::products_test {
namespace {

Given number(std::string_view name, float value) { return {name, AttributeType::FLOAT, value}; }
Given equation(const std::string& text) { return {"equation", AttributeType::STRING, strings({}, {text})}; }

constexpr Dtype product_types[] = {Dtype::float32, Dtype::float64, Dtype::float16, Dtype::bfloat16,
                                   Dtype::int32,   Dtype::int64,   Dtype::uint32,  Dtype::uint64};

// ---- MatMul ----

TEST(MatMul, BatchesBroadcastAndVectorsAreRowsAndColumns) {
  const Tensor matrix = floats({2, 3}, {1, 2, 3, 4, 5, 6});
  const Tensor vector = floats({3}, {1, 10, 100});
  const Tensor column = must(call(mat_mul, {&matrix, &vector}));
  EXPECT_EQ(list(column.dims()), List{2});
  EXPECT_EQ(elements<float>(column), (std::vector<float>{321, 654}));
  const Tensor pair = floats({2}, {1, 10});
  const Tensor row = must(call(mat_mul, {&pair, &matrix}));
  EXPECT_EQ(list(row.dims()), List{3});
  EXPECT_EQ(elements<float>(row), (std::vector<float>{41, 52, 63}));
  const Tensor dot = must(call(mat_mul, {&vector, &vector}));
  EXPECT_EQ(list(dot.dims()), List{});
  EXPECT_EQ(elements<float>(dot), std::vector<float>{10101});
  const Tensor one = floats({2, 1, 1, 3}, {1, 0, 0, 0, 1, 0});
  const Tensor other = floats({2, 3, 1}, {1, 2, 3, 4, 5, 6});
  const Tensor product = must(call(mat_mul, {&one, &other}));
  EXPECT_EQ(list(product.dims()), (List{2, 2, 1, 1}));
  EXPECT_EQ(elements<float>(product), (std::vector<float>{1, 4, 2, 5}));
}

TEST(MatMul, RandomMatricesOfEveryTypeEqualTheNaiveLoop) {
  Random random;
  for (int i = 0; i < 200; ++i) {
    const Dtype dtype = product_types[random.below(std::size(product_types))];
    const std::int64_t rows = random.between(0, 9);
    const std::int64_t sums = random.between(0, 20);
    const std::int64_t columns = random.between(0, 18);
    const List batch = random_dims(random, random.below(3), 3);
    List dims_a = batch;
    List dims_b(batch.begin() + static_cast<std::ptrdiff_t>(random.below(batch.size() + 1)), batch.end());
    for (auto& size : dims_a) size = random.one_in(4) ? 1 : size;
    for (auto& size : dims_b) size = random.one_in(4) ? 1 : size;
    const SymbolicDims both = must(broadcast_dims(sizes_of(dims_a), sizes_of(dims_b)));
    for (const std::int64_t size : {rows, sums}) dims_a.push_back(size);
    for (const std::int64_t size : {sums, columns}) dims_b.push_back(size);
    const Tensor a = random_tensor(random, dtype, dims_a);
    const Tensor b = random_tensor(random, dtype, dims_b);
    const Tensor y = must(call(mat_mul, {&a, &b}));
    List wanted_dims = list(both);
    for (const std::int64_t size : {rows, columns}) wanted_dims.push_back(size);
    ASSERT_EQ(list(y.dims()), wanted_dims);
    List sizes_a = list(both);
    List sizes_b = sizes_a;
    for (const std::int64_t size : {rows, sums}) sizes_a.push_back(size);
    for (const std::int64_t size : {sums, columns}) sizes_b.push_back(size);
    const auto stretched = [](const Tensor& x, const List& dims) {
      return numbers_of({x.dtype, broadcast_to(x.layout, dims_of(dims)), x.storage, x.offset});
    };
    const std::vector<double> first = stretched(a, sizes_a);
    const std::vector<double> second = stretched(b, sizes_b);
    const std::vector<double> results = numbers_of(y);
    for (std::size_t at = 0; at < results.size(); ++at) {
      const auto place = static_cast<std::int64_t>(at);
      const std::int64_t column = place % columns;
      const std::int64_t row = place / columns;
      double sum = 0;
      for (std::int64_t k = 0; k < sums; ++k) {
        sum += first[static_cast<std::size_t>(row * sums + k)] *
               second[static_cast<std::size_t>((row / rows * sums + k) * columns + column)];
      }
      ASSERT_EQ(results[at], sum) << info(dtype).name;
    }
  }
}

TEST(MatMul, AnEmptySumIsZero) {
  const Tensor a = floats({2, 0}, {});
  const Tensor b = floats({0, 3}, {});
  EXPECT_EQ(elements<float>(must(call(mat_mul, {&a, &b}))), (std::vector<float>(6, 0)));
  const Tensor c = floats({3, 0}, {});
  EXPECT_EQ(list(must(call(mat_mul, {&b, &c})).dims()), (List{0, 0}));
}

TEST(MatMul, IntegersWrapAround) {
  const Tensor a = tensor_of<std::int32_t>(Dtype::int32, {1, 2}, {INT32_MAX, 1});
  const Tensor b = tensor_of<std::int32_t>(Dtype::int32, {2, 1}, {2, -5});
  EXPECT_EQ(elements<std::int32_t>(must(call(mat_mul, {&a, &b}))), std::vector<std::int32_t>{-7});
  const Tensor c = int64s({1}, {INT64_MIN});
  const Tensor d = int64s({1}, {3});
  EXPECT_EQ(elements<std::int64_t>(must(call(mat_mul, {&c, &d}))), List{INT64_MIN});
}

TEST(MatMul, HalvesAreRoundedOnce) {
  // 2048 + 1 + 1: one by one, each 1 would be lost.
  const Tensor a = tensor_of<std::uint16_t>(Dtype::float16, {3}, {0x6800, 0x3C00, 0x3C00});
  const Tensor b = tensor_of<std::uint16_t>(Dtype::float16, {3}, {0x3C00, 0x3C00, 0x3C00});
  EXPECT_EQ(elements<std::uint16_t>(must(call(mat_mul, {&a, &b}))), std::vector<std::uint16_t>{0x6801});
}

TEST(MatMul, DimsThatDoNotMatchAreRefused) {
  const Tensor a = floats({2, 3}, {1, 2, 3, 4, 5, 6});
  const Tensor scalar = floats({}, {1});
  EXPECT_TRUE(fails(call(mat_mul, {&a, &a}), Code::InvalidArgument, "cannot multiply [2, 3] by [2, 3]: 3 columns, 2 rows"));
  EXPECT_TRUE(fails(call(mat_mul, {&a, &scalar}), Code::InvalidArgument, "cannot multiply [2, 3] by []: a scalar"));
  const Tensor x = floats({2, 1, 1}, {1, 2});
  const Tensor y = floats({3, 1, 1}, {1, 2, 3});
  EXPECT_TRUE(fails(call(mat_mul, {&x, &y}), Code::InvalidArgument, "[2]"));
  const Tensor integers = int64s({1}, {1});
  EXPECT_TRUE(fails(call(mat_mul, {&integers, &integers}, {}, 8), Code::UnsupportedType, "MatMul-9 (opset 9) allows it"));
}

TEST(MatMul, AViewOfMoreElementsThanMemoryHasIsRefused) {
  const Tensor one = floats({}, {1});
  const std::int64_t many = std::int64_t{1} << 40;
  const Tensor row{Dtype::float32, uniform_layout({1, many}), one.storage};
  const Tensor column{Dtype::float32, uniform_layout({many, 1}), one.storage};
  EXPECT_TRUE(fails(call(mat_mul, {&row, &column}), Code::OutOfMemory, ""));
}

// ---- Gemm ----

TEST(Gemm, IsAlphaTimesTheProductAndBetaTimesC) {
  const Tensor a = floats({3, 2}, {1, 4, 2, 5, 3, 6});
  const Tensor b = floats({2, 3}, {1, 0, 1, 0, 1, 1});
  const Tensor c = floats({2}, {10, 20});
  for (const std::int64_t opset : {7, 9, 11, 13, 28}) {
    const Tensor y =
        must(call(gemm, {&a, &b, &c},
                  {number("alpha", 2), number("beta", 0.5F), int_attribute("transA", 1), int_attribute("transB", 1)}, opset));
    EXPECT_EQ(list(y.dims()), (List{2, 2}));
    EXPECT_EQ(elements<float>(y), (std::vector<float>{13, 20, 25, 32}));
  }
  EXPECT_EQ(elements<float>(must(call(gemm, {&b, &a}))), (std::vector<float>{4, 10, 5, 11}));
  EXPECT_EQ(elements<float>(must(call(gemm, {&b, &a, nullptr}, {number("alpha", -1)}))),
            (std::vector<float>{-4, -10, -5, -11}));
}

TEST(Gemm, OldVersionsBroadcastWhenTheyAreAskedTo) {
  const Tensor a = floats({1, 1}, {2});
  const Tensor b = floats({1, 2}, {3, 4});
  const Tensor c = floats({1}, {1});
  for (const std::int64_t opset : {1, 6}) {
    EXPECT_TRUE(fails(call(gemm, {&a, &b, &c}, {}, opset), Code::InvalidArgument, "cannot add [1] to [1, 2]"));
    const Tensor y = must(call(gemm, {&a, &b, &c}, {int_attribute("broadcast", 1)}, opset));
    EXPECT_EQ(elements<float>(y), (std::vector<float>{7, 9}));
    const Tensor whole = must(call(gemm, {&a, &b, &b}, {}, opset));
    EXPECT_EQ(elements<float>(whole), (std::vector<float>{9, 12}));
  }
  EXPECT_TRUE(fails(call(gemm, {&a, &b}, {}, 9), Code::InvalidArgument, "takes 3 inputs, got 2"));
}

TEST(Gemm, OnlyMatricesAreMultipliedAndOnlyCIsStretched) {
  const Tensor a = floats({2, 1}, {1, 2});
  const Tensor b = floats({1, 2}, {3, 4});
  const Tensor vector = floats({1}, {1});
  const Tensor wide = floats({1, 2, 2}, {1, 2, 3, 4});
  const Tensor three = floats({3}, {1, 2, 3});
  EXPECT_TRUE(fails(call(gemm, {&vector, &b}), Code::InvalidArgument, "cannot multiply [1], wanted a matrix"));
  EXPECT_TRUE(fails(call(gemm, {&a, &a}), Code::InvalidArgument, "cannot multiply [2, 1] by [2, 1]"));
  EXPECT_TRUE(fails(call(gemm, {&a, &b, &wide}), Code::InvalidArgument, "cannot add [1, 2, 2] to [2, 2]"));
  EXPECT_TRUE(fails(call(gemm, {&a, &b, &three}), Code::InvalidArgument, "cannot add [3] to [2, 2]"));
  // Axes of size 1 are not stretched to the dims of C.
  EXPECT_TRUE(succeeds(call(gemm, {&b, &a, &vector}, {}, 13)));
  const Tensor pair = floats({2}, {1, 2});
  EXPECT_TRUE(fails(call(gemm, {&b, &a, &pair}), Code::InvalidArgument, "cannot add [2] to [1, 1]"));
}

TEST(Gemm, IntegersAreMultipliedByFractionsAsNumbers) {
  const Tensor a = tensor_of<std::int32_t>(Dtype::int32, {1, 2}, {3, 4});
  const Tensor b = tensor_of<std::int32_t>(Dtype::int32, {2, 2}, {1, 2, 3, 4});
  const Tensor c = tensor_of<std::int32_t>(Dtype::int32, {}, {5});
  using Integers = std::vector<std::int32_t>;
  EXPECT_EQ(elements<std::int32_t>(must(call(gemm, {&a, &b, &c}))), (Integers{20, 27}));
  EXPECT_EQ(elements<std::int32_t>(must(call(gemm, {&a, &b, &c}, {number("alpha", -2), number("beta", 3)}))),
            (Integers{-15, -29}));
  // 7.5 + 2.5 and 11 + 2.5
  EXPECT_EQ(elements<std::int32_t>(must(call(gemm, {&a, &b, &c}, {number("alpha", 0.5F), number("beta", 0.5F)}))),
            (Integers{10, 13}));
  EXPECT_EQ(elements<std::int32_t>(must(call(gemm, {&a, &b}, {number("alpha", 0.5F)}))), (Integers{7, 11}));
}

TEST(Gemm, NegativeFactorsOfUnsignedIntegersWrapAround) {
  const Tensor a = tensor_of<std::uint64_t>(Dtype::uint64, {1, 2}, {1, 1});
  const Tensor b = tensor_of<std::uint64_t>(Dtype::uint64, {2, 1}, {2, 3});
  const Tensor c = tensor_of<std::uint64_t>(Dtype::uint64, {1}, {3});
  using Integers = std::vector<std::uint64_t>;
  EXPECT_EQ(elements<std::uint64_t>(must(call(gemm, {&a, &b, &c}, {number("beta", -1)}))), Integers{2});
  EXPECT_EQ(elements<std::uint64_t>(must(call(gemm, {&a, &b}, {number("alpha", -1)}))), Integers{0 - std::uint64_t{5}});
  EXPECT_EQ(elements<std::uint64_t>(must(call(gemm, {&a, &b}, {number("alpha", 0x1p62F)}))), Integers{std::uint64_t{1} << 62U});
}

TEST(Gemm, HalvesAreRoundedOnce) {
  // 2048 + 1, and 1 for C, is 2050. If 2048 + 1 were rounded, it would be 2048.
  const Tensor a = tensor_of<std::uint16_t>(Dtype::float16, {1, 2}, {0x6800, 0x3C00});
  const Tensor b = tensor_of<std::uint16_t>(Dtype::float16, {2, 1}, {0x3C00, 0x3C00});
  const Tensor c = tensor_of<std::uint16_t>(Dtype::float16, {}, {0x3C00});
  EXPECT_EQ(elements<std::uint16_t>(must(call(gemm, {&a, &b, &c}))), std::vector<std::uint16_t>{0x6801});
  EXPECT_EQ(elements<std::uint16_t>(must(call(gemm, {&a, &b}))), std::vector<std::uint16_t>{0x6800});
}

// ---- Einsum ----

// Sums over all indices of every letter. Each letter has one size.
std::vector<double> summed(const std::string& operands, const std::string& result, const std::vector<Tensor>& inputs,
                           const std::vector<std::int64_t>& sizes) {
  std::vector<std::string> terms{""};
  for (const char letter : operands) {
    if (letter == ',') {
      terms.emplace_back();
    } else {
      terms.back() += letter;
    }
  }
  std::vector<std::vector<double>> values;
  values.reserve(inputs.size());
  for (const Tensor& input : inputs) values.push_back(numbers_of(input));
  const auto size_of = [&](char letter) { return sizes[static_cast<std::size_t>(letter - 'a')]; };
  const auto dims_of = [&](const std::string& term) {
    List dims;
    for (const char letter : term) dims.push_back(size_of(letter));
    return dims;
  };
  List all(sizes.begin(), sizes.end());
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (operands.find(static_cast<char>('a' + i)) == std::string::npos) all[i] = 1;
  }
  std::vector<double> sums(static_cast<std::size_t>(count_of(dims_of(result))));
  for (std::int64_t i = 0; i < count_of(all); ++i) {
    const List at = coordinates_of(all, i);
    const auto place = [&](const std::string& term) {
      List places;
      for (const char letter : term) places.push_back(at[static_cast<std::size_t>(letter - 'a')]);
      return static_cast<std::size_t>(number_of(dims_of(term), places));
    };
    double product = 1;
    for (std::size_t k = 0; k < terms.size(); ++k) product *= values[k][place(terms[k])];
    sums[place(result)] += product;
  }
  return sums;
}

TEST(Einsum, RandomEquationsAreAsLoopsOverAllLetters) {
  Random random;
  constexpr Dtype types[] = {Dtype::float32, Dtype::float64, Dtype::float16, Dtype::int16, Dtype::int32, Dtype::int64};
  for (int i = 0; i < 300; ++i) {
    const Dtype dtype = types[random.below(std::size(types))];
    const std::vector<std::int64_t> sizes = random_dims(random, 5, 3);
    std::string operands;
    std::vector<Tensor> tensors;
    const std::size_t count = 1 + random.below(3);
    for (std::size_t k = 0; k < count; ++k) {
      if (k > 0) operands += ',';
      List dims;
      for (std::size_t left = random.below(4); left > 0; --left) {
        const std::size_t letter = random.below(sizes.size());
        operands += static_cast<char>('a' + letter);
        dims.push_back(sizes[letter]);
      }
      tensors.push_back(random_tensor(random, dtype, dims));
      // Sums of other numbers than 1 may not be exact.
      if (dtype == Dtype::float16) {
        const auto elements = static_cast<std::size_t>(tensors.back().count());
        tensors.back() = tensor_of(dtype, tensors.back().dims(), std::vector<std::uint16_t>(elements, 0x3C00));
      }
    }
    std::string result;
    for (char letter = 'a'; letter <= 'e'; ++letter) {
      if (operands.find(letter) != std::string::npos && random.one_in(2))
        result.insert(random.below(result.size() + 1), 1, letter);
    }
    std::vector<const Tensor*> inputs;
    inputs.reserve(count);
    for (const Tensor& tensor : tensors) inputs.push_back(&tensor);
    std::string text = operands;
    text += "->";
    text += result;
    const Tensor y = must(call(einsum, inputs, {equation(text)}));
    ASSERT_EQ(numbers_of(y), summed(operands, result, tensors, sizes)) << text << " " << info(dtype).name;
  }
}

TEST(Einsum, AnImplicitResultHasDotsAndSingleLettersInAsciiOrder) {
  const Tensor x = floats({2, 3}, {1, 2, 3, 4, 5, 6});
  const Tensor square = floats({2, 2}, {1, 2, 3, 4});
  for (const char* turned : {"bA", "ba", "za", "ZA", "aZ"}) {
    EXPECT_EQ(list(must(call(einsum, {&x}, {equation(turned)})).dims()), (List{3, 2})) << turned;
  }
  EXPECT_EQ(list(must(call(einsum, {&x}, {equation("yz")})).dims()), (List{2, 3}));
  EXPECT_EQ(elements<float>(must(call(einsum, {&square}, {equation(" i i ")}))), std::vector<float>{5});
  EXPECT_EQ(elements<float>(must(call(einsum, {&square}, {equation("ii->i")}))), (std::vector<float>{1, 4}));
  const Tensor y = must(call(einsum, {&x, &square}, {equation("b...,bc")}));
  EXPECT_EQ(list(y.dims()), (List{3, 2}));
  EXPECT_EQ(elements<float>(y), (std::vector<float>{13, 18, 17, 24, 21, 30}));
  EXPECT_EQ(elements<float>(must(call(einsum, {&x}, {equation("ij->")}))), std::vector<float>{21});
}

TEST(Einsum, DotsBroadcastAndSizesOfOneStretch) {
  const Tensor a = floats({2, 1, 2}, {1, 2, 3, 4});
  const Tensor b = floats({3, 2}, {1, 0, 0, 1, 1, 1});
  const Tensor y = must(call(einsum, {&a, &b}, {equation("...i,...i->...")}));
  EXPECT_EQ(list(y.dims()), (List{2, 3}));
  EXPECT_EQ(elements<float>(y), (std::vector<float>{1, 2, 3, 3, 4, 7}));
  const Tensor swapped = must(call(einsum, {&a}, {equation("i...->...i")}));
  EXPECT_EQ(list(swapped.dims()), (List{1, 2, 2}));
  EXPECT_EQ(swapped.storage->data(), a.storage->data());
  const Tensor one = floats({1}, {10});
  const Tensor many = floats({3}, {1, 2, 3});
  EXPECT_EQ(elements<float>(must(call(einsum, {&one, &many}, {equation("i,i->i")}))), (std::vector<float>{10, 20, 30}));
  EXPECT_EQ(elements<float>(must(call(einsum, {&one, &many}, {equation("i,i")}))), std::vector<float>{60});
}

TEST(Einsum, ASumOfOneProductBeginsWithZero) {
  const Tensor a = floats({2}, {-0.0F, 2});
  const Tensor b = floats({2}, {3, -0.0F});
  const Tensor y = must(call(einsum, {&a, &b}, {equation("i,i->i")}));
  EXPECT_EQ(elements<std::uint32_t>(y), (std::vector<std::uint32_t>{0, 0}));
}

TEST(Einsum, EmptyAxesSumToZero) {
  const Tensor a = floats({2, 0}, {});
  EXPECT_EQ(elements<float>(must(call(einsum, {&a}, {equation("ij->i")}))), (std::vector<float>{0, 0}));
  EXPECT_EQ(elements<float>(must(call(einsum, {&a, &a}, {equation("ij,kj->ik")}))), (std::vector<float>(4, 0)));
  EXPECT_EQ(list(must(call(einsum, {&a, &a}, {equation("ij,ik->jk")})).dims()), (List{0, 0}));
}

TEST(Einsum, SmallTypesAreRoundedOrWrappedOnce) {
  const Tensor halves = tensor_of<std::uint16_t>(Dtype::float16, {3}, {0x6800, 0x3C00, 0x3C00});
  EXPECT_EQ(elements<std::uint16_t>(must(call(einsum, {&halves}, {equation("i->")}))), std::vector<std::uint16_t>{0x6801});
  const Tensor bytes = tensor_of<std::int8_t>(Dtype::int8, {2}, {100, 100});
  EXPECT_EQ(elements<std::int8_t>(must(call(einsum, {&bytes}, {equation("i->")}))), std::vector<std::int8_t>{-56});
}

TEST(Einsum, EquationsThatMeanNothingAreRefused) {
  const Tensor x = floats({2, 3}, {1, 2, 3, 4, 5, 6});
  const auto refuses = [&](const std::string& text, std::string_view message, std::size_t count = 1) {
    const std::vector<const Tensor*> inputs(count, &x);
    return fails(call(einsum, inputs, {equation(text)}), Code::InvalidArgument, message);
  };
  EXPECT_TRUE(refuses("ij,jk->ik", "is not one of 1 operand"));
  EXPECT_TRUE(refuses("ij->ij", "is not one of 2 operands", 2));
  EXPECT_TRUE(refuses("i1->i", "has '1', wanted letters and '...' once"));
  EXPECT_TRUE(refuses("i..->i", "has '.'"));
  EXPECT_TRUE(refuses("...i...->i", "has '.'"));
  EXPECT_TRUE(refuses("ijk->i", "'ijk' is not for an operand of dims [2, 3]"));
  EXPECT_TRUE(refuses("i->i", "'i' is not for an operand of dims [2, 3]"));
  EXPECT_TRUE(refuses("ij->k", "each axis once, and of an operand's"));
  EXPECT_TRUE(refuses("ij->ii", "each axis once"));
  EXPECT_TRUE(refuses("i...->i", "dots only with dots"));
  EXPECT_TRUE(refuses("ij,ji->i", "cannot broadcast", 2));
  EXPECT_TRUE(refuses("ij->i->j", "has '-'"));
}

TEST(Einsum, TwentyThousandOperandsTakeAMoment) {
  const Tensor x = floats({2}, {1, 1});
  const std::vector<const Tensor*> operands(20'000, &x);
  std::string terms = "i";
  for (std::size_t i = 1; i < operands.size(); ++i) terms += ",i";
  EXPECT_EQ(elements<float>(must(call(einsum, operands, {equation(terms + "->i")}))), (std::vector<float>{1, 1}));
}

TEST(Einsum, AProductThatNoMemoryHoldsIsRefused) {
  const Tensor one = floats({}, {1});
  const Tensor many{Dtype::float32, uniform_layout({1 << 20}), one.storage};
  EXPECT_TRUE(fails(call(einsum, {&many, &many, &many}, {equation("i,j,k->ijk")}), Code::OutOfMemory, "") ||
              fails(call(einsum, {&many, &many, &many}, {equation("i,j,k->ijk")}), Code::InvalidArgument, ""));
}

// ---- Det ----

TEST(Det, IsTheProductOfThePivots) {
  const Tensor matrices = floats({2, 2, 2}, {1, 2, 3, 4, 0, 1, 1, 0});
  const Tensor y = must(call(det, {&matrices}));
  EXPECT_EQ(list(y.dims()), List{2});
  EXPECT_EQ(elements<float>(y), (std::vector<float>{-2, -1}));
  EXPECT_EQ(list(must(call(det, {&matrices}, {}, 11)).dims()), List{2});
  const Tensor three = tensor_of<double>(Dtype::float64, {3, 3}, {2, -1, 0, -1, 2, -1, 0, -1, 2});
  EXPECT_NEAR(elements<double>(must(call(det, {&three})))[0], 4, 1e-12);
  const Tensor singular = floats({3, 3}, {1, 2, 3, 2, 4, 6, 1, 1, 1});
  EXPECT_EQ(elements<float>(must(call(det, {&singular})))[0], 0);
  const Tensor empty = floats({2, 0, 0}, {});
  EXPECT_EQ(elements<float>(must(call(det, {&empty}))), (std::vector<float>{1, 1}));
  const Tensor half = tensor_of<std::uint16_t>(Dtype::bfloat16, {1, 1}, {0xC040});
  EXPECT_EQ(elements<std::uint16_t>(must(call(det, {&half}))), std::vector<std::uint16_t>{0xC040});
  constexpr float none = std::numeric_limits<float>::quiet_NaN();
  const Tensor undefined = floats({2, 2}, {none, 1, 1, 1});
  EXPECT_TRUE(std::isnan(elements<float>(must(call(det, {&undefined})))[0]));
}

TEST(Det, RandomMatricesAreTheSumOverPermutations) {
  Random random;
  for (int i = 0; i < 50; ++i) {
    const std::int64_t size = random.between(1, 4);
    const Tensor x = random_tensor(random, Dtype::float32, {size, size});
    const std::vector<double> values = numbers_of(x);
    std::vector<std::size_t> order(static_cast<std::size_t>(size));
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
    double sum = 0;
    do {
      double product = 1;
      for (std::size_t k = 0; k < order.size(); ++k) {
        product *= values[k * order.size() + order[k]];
        for (std::size_t j = 0; j < k; ++j) product *= order[j] > order[k] ? -1 : 1;
      }
      sum += product;
    } while (std::next_permutation(order.begin(), order.end()));
    ASSERT_NEAR(elements<float>(must(call(det, {&x})))[0], sum, 1e-4);
  }
}

TEST(Det, OnlySquareMatricesHaveOne) {
  const Tensor x = floats({2, 3}, {1, 2, 3, 4, 5, 6});
  const Tensor vector = floats({1}, {1});
  EXPECT_TRUE(fails(call(det, {&x}), Code::InvalidArgument, "dims [2, 3], wanted square matrices"));
  EXPECT_TRUE(fails(call(det, {&vector}), Code::InvalidArgument, "dims [1], wanted square matrices"));
}

// ---- Before a run ----

using ProductsBeforeRun = BeforeRun;

TEST_F(ProductsBeforeRun, SizesFollowAsFarAsTheyAreKnown) {
  EXPECT_EQ(sizes(mat_mul, {known({n(), 1, m(), 4}), known({8, 4, 5})}), "n 8 m 5");
  EXPECT_EQ(sizes(mat_mul, {known({4}), known({8, n(), m()})}), "8 m");
  EXPECT_EQ(sizes(mat_mul, {known({n(), 4}), known({5, 4})}), "error");
  EXPECT_EQ(sizes(mat_mul, {known({n(), 4}), unranked()}), "unknown");
  EXPECT_EQ(sizes(gemm, {known({4, n()}), unranked()}, {int_attribute("transA", 1)}), "n ?");
  EXPECT_EQ(sizes(gemm, {known({n(), 4}), known({4, 7}), known({m()})}), "n 7");
  EXPECT_EQ(sizes(gemm, {known({n(), 4}), known({4, 7}), known({8})}), "error");
  EXPECT_EQ(sizes(det, {known({n(), 3, 3})}), "n");
  EXPECT_EQ(sizes(det, {known({n(), m(), 3})}), "n");
  EXPECT_EQ(sizes(det, {unranked()}), "unknown");
}

TEST_F(ProductsBeforeRun, LettersHaveTheSizesThatAreKnown) {
  EXPECT_EQ(sizes(einsum, {known({n(), 4}), known({4, m()})}, {equation("ij,jk->ki")}), "m n");
  EXPECT_EQ(sizes(einsum, {known({n(), m()})}, {equation("ij->ji")}), "m n");
  EXPECT_EQ(sizes(einsum, {known({n(), 1, 2, 3}), known({5, 3, m()})}, {equation("...ij,...jk->...ik")}), "n 5 2 m");
  EXPECT_EQ(sizes(einsum, {unranked(), known({4, m()})}, {equation("ij,jk->ik")}), "? m");
  EXPECT_EQ(sizes(einsum, {unranked(), known({4, m()})}, {equation("...j,jk->...k")}), "unknown");
  EXPECT_EQ(sizes(einsum, {known({3}), known({4})}, {equation("i,i")}), "error");
}

}  // namespace
}  // namespace broadloom::test::products_test
