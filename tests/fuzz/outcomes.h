// Expectations of targets about results.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "support/models.h"
#include "support/numbers.h"

namespace broadloom::fuzz {

using test::succeeds;

// An error has a code and a text. It is forgotten, so that the next one can be made.
template <class Outcome>
Code expect_proper_error(const Outcome& result) {
  const ErrorDetails& details = *result.error().operator->();
  EXPECT_LE(static_cast<int>(details.code), static_cast<int>(Code::LimitExceeded));
  EXPECT_FALSE(details.message.view().empty());
  const Code code = details.code;
  Error::forget();
  return code;
}

// Whether an error is about memory or a limit of the targets (target.cpp): other ways to the same result may need less.
inline bool is_about_size(Code code) { return code == Code::OutOfMemory || code == Code::LimitExceeded; }

// Results with more elements are lazy, or would take the time of many small ones. They are not compared.
inline constexpr std::int64_t most_compared = std::int64_t{1} << 20;

// Whether two dense floating-point elements are NaN. ONNX does not say which bits a NaN has, nor does the machine.
inline bool are_nan(Dtype dtype, const std::byte* a, const std::byte* b) {
  double numbers[2];
  decode(dtype, a, 1, numbers);
  decode(dtype, b, 1, numbers + 1);
  return std::isnan(numbers[0]) && std::isnan(numbers[1]);
}

// Expects the same type, dims and elements.
inline void expect_same(const Tensor& a, const Tensor& b) {
  ASSERT_EQ(a.dtype, b.dtype);
  ASSERT_EQ(test::list(a.dims()), test::list(b.dims()));
  if (a.count() > most_compared) return;
  if (a.dtype == Dtype::string) {
    EXPECT_EQ(test::string_elements(a), test::string_elements(b));
    return;
  }
  const Result<Tensor> first = densify(a);
  if (!first) return static_cast<void>(expect_proper_error(first));
  const Result<Tensor> second = densify(b);
  if (!second) return static_cast<void>(expect_proper_error(second));
  const std::size_t size = dense_size(*first);
  if (size == 0 || std::memcmp(first->data(), second->data(), size) == 0) return;
  const DtypeKind kind = info(a.dtype).kind;
  const bool may_be_nan = kind == DtypeKind::real_float || kind == DtypeKind::mini_float || kind == DtypeKind::complex;
  const Dtype part = a.dtype == Dtype::complex64 ? Dtype::float32 : a.dtype == Dtype::complex128 ? Dtype::float64 : a.dtype;
  const std::size_t step = std::max(item_size(part), std::size_t{1});
  for (std::size_t at = 0; at < size; at += step) {
    if (std::memcmp(first->data() + at, second->data() + at, step) == 0) continue;
    ASSERT_TRUE(may_be_nan && !is_packed(part) && are_nan(part, first->data() + at, second->data() + at))
        << "byte " << at << " of " << size << " differs, in " << info(a.dtype).name << " "
        << testing::PrintToString(test::list(a.dims()));
  }
}

inline void expect_same(const std::vector<Tensor>& a, const std::vector<Tensor>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    SCOPED_TRACE("output " + std::to_string(i));
    expect_same(a[i], b[i]);
  }
}

}  // namespace broadloom::fuzz
