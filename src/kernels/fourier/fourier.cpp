#include "kernels/fourier/fourier.h"

#include <algorithm>
#include <cstring>

#include "core/count.h"
#include "core/limits.h"
#include "core/memory.h"
#include "core/storage.h"
#include "kernels/fourier/passes.h"
#include "kernels/fourier/roots.h"
#include "kernels/movement/planes.h"
#include "kernels/movement/square.h"

namespace broadloom {

using fourier::Complex;
using fourier::Interleaved;
using fourier::Roots;

namespace fourier {
namespace {

template <class V>
struct ItemIn {
  using Type = std::remove_cvref_t<decltype(V{}[0])>;
};
template <>
struct ItemIn<float> {
  using Type = float;
};
template <>
struct ItemIn<double> {
  using Type = double;
};
template <class V>
using Item = typename ItemIn<V>::Type;

template <class T>
const T* numbers_at(const std::byte* bytes) {
  return reinterpret_cast<const T*>(bytes);
}

// A row is split into four lanes where its length is a multiple of this.
constexpr std::size_t split_multiple = 16;

// The length of the convolution for a transform.
std::size_t convolution_length(std::size_t length) {
  std::size_t result = split_multiple;
  while (result < 2 * length - 1) result *= 2;
  // Three quarters, if they are enough.
  const std::size_t smaller = result / 4 * 3;
  return smaller % split_multiple == 0 && smaller >= 2 * length - 1 ? smaller : result;
}

// Makes the spectrum of a real signal from the spectrum of its even elements + i times its odd ones, in place: the numbers `i`
// and `length` - `i` of one give those of the other. The inverse makes the latter, twice as large.
template <class V>
void fold_spectrum(V* data, std::size_t length, const Roots<Item<V>>& halves, bool is_inverse) {
  const Interleaved<V> numbers(data);
  const auto factor = static_cast<Item<V>>(is_inverse ? 1 : 0.5);
  for (std::size_t i = 0; i <= length / 2; ++i) {
    const auto first = numbers.at(i);
    const auto last = conjugate(numbers.at(length - i));
    auto root = turned(halves.at(i));
    if (is_inverse) root = conjugate(root);
    const auto sum = scaled(first + last, factor);
    const auto difference = scaled(first - last, factor) * root;
    numbers.set(length - i, conjugate(sum - difference));
    numbers.set(i, sum + difference);
  }
}

// ---- A row in four lanes: the first pass has vectors of consecutive elements ----

// Four complex numbers: of two vectors the parts with even and with odd numbers; and back.
template <std::size_t odd, std::size_t... byte>
Lanes<float> even_or_odd(const Vector& first, const Vector& second, std::index_sequence<byte...>) {
  return as<Lanes<float>>(shuffle(first, second, std::index_sequence<(byte / 4 * 8 + odd * 4 + byte % 4)...>()));
}
Complex<Lanes<float>> load_complex(const float* from) {
  constexpr std::make_index_sequence<vector_bytes> bytes;
  const auto* const at = reinterpret_cast<const std::byte*>(from);
  const Vector first = load(at);
  const Vector second = load(at + vector_bytes);
  return {even_or_odd<0>(first, second, bytes), even_or_odd<1>(first, second, bytes)};
}

// Result number 4 k + q is lane q of the transform of part q at k.
void split_pass(float* to, const float* from, std::size_t length, const float* roots, bool swapped) {
  const std::size_t part = length / 4;
  for (std::size_t i = 0; i < part; i += 4) {
    const auto number = [&](std::size_t k) {
      const auto read = load_complex(from + 2 * (i + k * part));
      return swapped ? Complex<Lanes<float>>{read.im, read.re} : read;
    };
    Complex<Lanes<float>> a[] = {number(0), number(1), number(2), number(3)};
    butterfly<4>(a);
    const auto root = load_complex(roots + 2 * i);
    const auto square = root * root;
    a[1] = a[1] * root;
    a[2] = a[2] * square;
    a[3] = a[3] * (square * root);
    const auto re = transposed(Square<4>{{as<Vector>(a[0].re), as<Vector>(a[1].re), as<Vector>(a[2].re), as<Vector>(a[3].re)}});
    const auto im = transposed(Square<4>{{as<Vector>(a[0].im), as<Vector>(a[1].im), as<Vector>(a[2].im), as<Vector>(a[3].im)}});
    auto* const at = reinterpret_cast<std::byte*>(to + 8 * i);
    const auto write = [&](std::size_t k) {
      store(at + 2 * k * vector_bytes, re.rows[k]);
      store(at + (2 * k + 1) * vector_bytes, im.rows[k]);
    };
    write(0), write(1), write(2), write(3);
  }
}

// Real and imaginary parts in turns, from vectors of each.
void join_lanes(float* data, std::size_t length, bool swapped) {
  constexpr std::make_index_sequence<vector_bytes> bytes;
  auto* at = reinterpret_cast<std::byte*>(data);
  for (std::size_t i = 0; i < length; i += 4, at += 2 * vector_bytes) {
    Vector re = load(at);
    Vector im = load(at + vector_bytes);
    if (swapped) std::swap(re, im);
    store(at, interleave<4, 0>(re, im, bytes));
    store(at + vector_bytes, interleave<4, 1>(re, im, bytes));
  }
}

}  // namespace
}  // namespace fourier

using namespace fourier;

// ---- Tables of a form ----

Fourier::Fourier(const Form& form, Dtype dtype)
    : form_(form),
      dtype_(dtype),
      is_folded_(form.length % 2 == 0 && (form.output == Output::real || (!form.is_complex && !form.is_inverse))),
      length_(is_folded_ ? form.length / 2 : form.length),
      passes_of_(has_passes(length_) ? length_ : convolution_length(length_)) {}

Fourier::~Fourier() { release(tables_); }

std::size_t Fourier::result_numbers() const {
  if (form_.output == Output::real) return form_.length;
  return 2 * (form_.output == Output::half ? form_.length / 2 + 1 : form_.length);
}

// A multiple of four, so that both buffers are aligned when their items are single numbers.
Count Fourier::vectors() const { return whole_vectors(std::max(Count(passes_of_), Count(form_.length) + 1)) * 2; }

Count Fourier::workspace_bytes() const { return vectors() * 2 * vector_bytes; }

// The filter is the inverse chirp on both sides of 0. Its scale is the scale of the inverse transform that follows.
template <class T>
Status Fourier::set_filter(std::byte* to) {
  const Interleaved<T> numbers(reinterpret_cast<T*>(to));
  const Roots<T> chirp{numbers_at<T>(chirp_), 1};
  const std::size_t size = passes_of_;
  std::memset(to, 0, 2 * sizeof(T) * size);
  for (std::size_t i = 0; i < length_; ++i) {
    const auto value = scaled(conjugate(chirp.at(i)), 1 / static_cast<T>(size));
    numbers.set(i, value);
    if (i > 0) numbers.set(size - i, value);
  }
  BROADLOOM_TRY(memory, Storage::allocate(inner_->workspace_bytes()));
  Status status = inner_->run(to, to, 0, 1, nullptr, memory->data());
  return status;
}

Status Fourier::set_tables() {
  const bool is_double = dtype_ == Dtype::float64;
  const std::size_t number = 2 * item_size(dtype_);
  const bool is_convolution = passes_of_ != length_;
  if (is_convolution) {
    BROADLOOM_TRY(inner, make({passes_of_, passes_of_, true, false, Output::full}, dtype_));
    inner_ = std::move(inner);
  }
  const std::size_t halves = is_folded_ ? length_ / 2 + 1 : 0;
  const std::size_t roots = is_convolution ? length_ : passes_of_;
  const Count count = Count(halves) + roots + (is_convolution ? passes_of_ : 0);
  tables_ = static_cast<std::byte*>(allocate(count * number));
  if (tables_ == nullptr) return Failure(out_of_memory(count * number));
  const auto write = [&](std::byte* to, std::size_t numbers, std::uint64_t length, Series series) {
    if (is_double) return write_roots(reinterpret_cast<double*>(to), 0, numbers, length, series);
    write_roots(reinterpret_cast<float*>(to), 0, numbers, length, series);
  };
  write(tables_, roots, length_, is_convolution ? Series::chirp : Series::circle);
  std::byte* const half = tables_ + number * roots;
  write(half, halves, form_.length, Series::circle);
  halves_ = half;
  if (!is_convolution) return {};
  chirp_ = tables_;
  std::byte* const filter = half + number * halves;
  filter_ = filter;
  return is_double ? set_filter<double>(filter) : set_filter<float>(filter);
}

Result<std::unique_ptr<Fourier>> Fourier::make(const Form& form, Dtype dtype) {
  BROADLOOM_CHECK(require_memory());
  // Nobody waits for more, and the numbers of tables have 32 bits.
  constexpr std::size_t most_length = std::size_t{1} << 28;
  if (form.length > most_length) return Failure(out_of_memory(Count(form.length) * 32));
  std::unique_ptr<Fourier> made(new Fourier(form, dtype));
  BROADLOOM_CHECK(made->set_tables());
  return made;
}

// ---- Transforms ----

template <class V>
V* Fourier::transform_passes(V* data, V* spare, bool swapped) const {
  using T = Item<V>;
  const T* const roots = numbers_at<T>(tables_);
  if constexpr (std::is_same_v<V, float>) {
    split_pass(spare, data, passes_of_, roots, swapped);
    auto* const result =
        reinterpret_cast<float*>(transform_lanes(reinterpret_cast<Lanes<float>*>(spare), reinterpret_cast<Lanes<float>*>(data),
                                                 passes_of_ / 4, Roots<float>{roots, 4}, false));
    join_lanes(result, passes_of_, swapped);
    return result;
  } else {
    return transform_lanes(data, spare, passes_of_, Roots<T>{roots, 1}, swapped);
  }
}

template <class V>
V* Fourier::convolve(V* data, V* spare, bool swapped) const {
  using T = Item<V>;
  const Roots<T> chirp{numbers_at<T>(chirp_), 1};
  const Roots<T> filter{numbers_at<T>(filter_), 1};
  const auto multiply = [&](V* by, const Roots<T>& factors, std::size_t count, bool is_swapped) {
    const Interleaved<V> numbers(by, is_swapped);
    for (std::size_t i = 0; i < count; ++i) numbers.set(i, numbers.at(i) * factors.at(i));
  };
  multiply(data, chirp, length_, swapped);
  std::memset(static_cast<void*>(data + 2 * length_), 0, 2 * (passes_of_ - length_) * sizeof(V));
  V* const spectrum = inner_->transform_passes(data, spare, swapped);
  multiply(spectrum, filter, passes_of_, swapped);
  V* const result = inner_->transform_passes(spectrum, spectrum == data ? spare : data, !swapped);
  multiply(result, chirp, length_, swapped);
  return result;
}

template <class V>
V* Fourier::transform(V* data, V* spare, bool swapped) const {
  return inner_ ? convolve(data, spare, swapped) : transform_passes(data, spare, swapped);
}

// The half spectrum of a folded real row.
template <class V>
V* Fourier::half_spectrum(V* data, V* spare) const {
  V* const spectrum = transform(data, spare, false);
  const Interleaved<V> numbers(spectrum);
  numbers.set(length_, numbers.at(0));
  fold_spectrum(spectrum, length_, Roots<Item<V>>{numbers_at<Item<V>>(halves_), 1}, false);
  return spectrum;
}

const Lanes<float>* Fourier::run_lanes(std::byte* workspace) const {
  auto* const data = lanes(workspace);
  auto* const spare = data + in_memory(vectors());
  if (is_folded_) return half_spectrum(data, spare);
  for (std::size_t i = form_.length; i-- > 0;) {
    data[2 * i] = data[i];
    data[2 * i + 1] = Lanes<float>{};
  }
  return transform(data, spare, false);
}

template <class V>
void Fourier::run_rows(std::byte* to, const std::byte* from, std::ptrdiff_t from_step, std::size_t count,
                       const std::byte* window, std::byte* workspace) const {
  using T = Item<V>;
  constexpr auto item = static_cast<std::ptrdiff_t>(sizeof(T));
  constexpr auto vector = static_cast<std::ptrdiff_t>(sizeof(V));
  const bool is_real_result = form_.output == Output::real;
  V* data = reinterpret_cast<V*>(workspace);
  V* spare = data + in_memory(vectors());
  // Without imaginary parts, real elements are read to the other buffer first.
  const bool is_spread = !form_.is_complex && !is_folded_;
  const std::size_t given = form_.given * (form_.is_complex ? 2 : 1);
  const std::size_t wanted = is_real_result ? 2 * (form_.length / 2 + 1) : 2 * length_;
  V* const read = is_spread ? spare : data;
  // NOLINTNEXTLINE(bugprone-sizeof-expression): the lanes of a vector; one where it is a number.
  if (count < sizeof(V) / sizeof(T)) std::memset(static_cast<void*>(read), 0, given * sizeof(V));
  transpose_plane(reinterpret_cast<std::byte*>(read), from, {given, count, vector, from_step, item}, sizeof(T));
  if (window != nullptr || form_.is_inverse) {
    const T scale = 1 / static_cast<T>(form_.length);
    for (std::size_t i = 0; i < given; ++i) {
      read[i] *= window == nullptr ? scale : numbers_at<T>(window)[form_.is_complex ? i / 2 : i];
    }
  }
  if (!is_spread) {
    std::memset(static_cast<void*>(data + given), 0, (wanted - given) * sizeof(V));
  } else {
    std::memset(static_cast<void*>(data), 0, wanted * sizeof(V));
    for (std::size_t i = 0; i < given; ++i) data[2 * i] = read[i];
  }
  const Roots<T> halves{numbers_at<T>(halves_), 1};
  const Interleaved<V> half(data);
  if (is_real_result) half.im[0] = V{};
  if (is_real_result && is_folded_) {
    half.im[2 * length_] = V{};
    fold_spectrum(data, length_, halves, true);
  } else if (is_real_result) {
    for (std::size_t i = 1; i <= length_ / 2; ++i) half.set(length_ - i, conjugate(half.at(i)));
  }
  const bool is_half = is_folded_ && !is_real_result;
  data = is_half ? half_spectrum(data, spare) : transform(data, spare, form_.is_inverse);
  const Interleaved<V> numbers(data);
  if (is_half) {
    if (form_.output == Output::full) {
      for (std::size_t i = 1; i < length_; ++i) numbers.set(form_.length - i, conjugate(numbers.at(i)));
    }
  } else if (is_real_result && !is_folded_) {
    for (std::size_t i = 1; i < length_; ++i) data[i] = data[2 * i];
  }
  const std::size_t written = result_numbers();
  transpose_plane(to, reinterpret_cast<const std::byte*>(data), {count, written, times(written, item), vector, item},
                  sizeof(T));
}

// Lanes have a row each, unless few rows are left, or a row of each lane does not fit the cache.
bool Fourier::has_split_rows(std::size_t count) const {
  constexpr std::size_t large = 4096;
  return passes_of_ % split_multiple == 0 && (count < 3 || passes_of_ >= large || inner_);
}

Status Fourier::run(std::byte* to, const std::byte* from, std::ptrdiff_t from_step, std::size_t count, const std::byte* window,
                    std::byte* workspace) const {
  const bool is_double = dtype_ == Dtype::float64;
  const std::size_t result_bytes = result_numbers() * item_size(dtype_);
  while (count > 0) {
    std::size_t rows = 1;
    // A transform takes about four steps for each number.
    BROADLOOM_CHECK(Watch::check(4 * static_cast<double>(form_.length)));
    if (is_double) {
      run_rows<double>(to, from, from_step, 1, window, workspace);
    } else if (has_split_rows(count)) {
      run_rows<float>(to, from, from_step, 1, window, workspace);
    } else {
      rows = std::min(lanes_of<float>, count);
      run_rows<Lanes<float>>(to, from, from_step, rows, window, workspace);
    }
    to += rows * result_bytes;
    from += times(rows, from_step);
    count -= rows;
  }
  return {};
}

}  // namespace broadloom
