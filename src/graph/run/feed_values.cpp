#include "graph/run/feed_values.h"

#include "core/count.h"
#include "core/memory.h"
#include "core/number.h"
#include "core/text.h"

namespace broadloom {
namespace {

bool is_integer(Dtype dtype) {
  const DtypeKind kind = info(dtype).kind;
  return kind == DtypeKind::signed_integer || kind == DtypeKind::unsigned_integer;
}

bool is_wide(Dtype dtype) { return dtype == Dtype::int64 || dtype == Dtype::uint64; }

// The type whose elements lie in the same arrays of JavaScript, as themselves.
Dtype array_type(Dtype dtype) {
  const auto& [name, bits, kind] = info(dtype);
  if (kind == DtypeKind::complex) return bits == 64 ? Dtype::float32 : Dtype::float64;
  if (kind == DtypeKind::mini_float && bits == 16) return Dtype::uint16;
  return bits < 8 || kind == DtypeKind::mini_float || kind == DtypeKind::boolean ? Dtype::uint8 : dtype;
}

// ---- Dims ----

[[gnu::cold]] Failure no_dims(const ValueInfo& input, Error error) {
  append_dims(error->message, input);
  error->message.append(": give lists within lists, or a tensor");
  return Failure(error);
}

[[gnu::cold]] Failure no_dims(const ValueInfo& input, std::int64_t count, const char* problem) {
  return no_dims(input, make_error(Code::InvalidArgument, "{} element{s} {} dims ", count, problem));
}

[[gnu::cold]] Failure no_packed_dims(const ValueInfo& input) {
  return no_dims(input, make_error(Code::InvalidArgument, "packed bytes do not tell dims "));
}

// The declared dims, for `count` elements. An open size follows from the count if there is one, or if all open ones are 1.
Result<Dims> declared_dims(const ValueInfo& input, std::int64_t count) {
  BROADLOOM_CHECK(require_memory(input.dims.size(), sizeof(std::int64_t)));
  std::int64_t known = 1;
  std::size_t open = 0;
  bool fits = true;
  for (const Dimension& dim : input.dims) {
    if (dim.value < 0) ++open;
    if (dim.value >= 0 && __builtin_mul_overflow(known, dim.value, &known)) fits = false;
  }
  fits = fits && (known == 0 ? count == 0 : count % known == 0 && (open > 0 || count == known));
  if (!fits) return no_dims(input, count, "cannot fill");
  const std::int64_t rest = known == 0 ? 0 : count / known;
  if (open > 0 && (known == 0 || (open > 1 && rest != 1))) return no_dims(input, count, "do not tell");
  Dims dims(input.dims.size(), rest);
  std::size_t axis = 0;
  for (const Dimension& dim : input.dims) {
    if (dim.value >= 0) dims[axis] = dim.value;
    ++axis;
  }
  return std::move(dims);
}

// The dims of elements that were given with `dims`.
Result<Dims> dims_of_feed(const ValueInfo& input, std::span<const std::int64_t> dims) {
  BROADLOOM_CHECK(require_memory(dims.size(), sizeof(std::int64_t)));
  const bool is_nested = dims.size() > 1;
  if (is_nested || !input.has_shape || input.dims.size() == dims.size()) return Dims(dims);
  return declared_dims(input, count_of(dims));
}

// ---- Elements ----

[[gnu::cold]] Failure other_kind(const Tensor& given, FeedForm form, Dtype wanted) {
  if (form == FeedForm::array) return fail(Code::InvalidArgument, "an array of {}, wanted {}", given.dtype, wanted);
  const char* kind = given.dtype == Dtype::string ? "strings" : given.dtype == Dtype::boolean ? "booleans" : "numbers";
  return fail(Code::InvalidArgument, "{}, wanted {}", kind, wanted);
}

// The bytes of `given` as elements of `dtype`.
Result<Tensor> reinterpret(const Tensor& given, Dtype dtype, const Dims& dims) {
  BROADLOOM_TRY(count, checked_count(dims.values()));
  if (array_length(dtype, count) != given.count()) {
    return fail(Code::InvalidArgument, "data has {} entr{y}, but {} of dims {} has {}", given.count(), dtype, dims.values(),
                array_length(dtype, count));
  }
  Tensor result{dtype, dense_layout(dims), given.storage, given.offset};
  if (dtype == Dtype::boolean) BROADLOOM_CHECK(check_bools(result.data(), count));
  if (is_packed(dtype)) clear_padding(dtype, count, result.data());
  return std::move(result);
}

// A typed array says how many elements there are, unless they share bytes.
Result<Tensor> read_array(const ValueInfo& input, const Tensor& given) {
  const DtypeInfo& type = info(input.dtype);
  if (is_packed(input.dtype)) {
    for (const Dimension& dim : input.dims) {
      if (dim.value < 0) return no_packed_dims(input);
    }
    if (!input.has_shape) return no_packed_dims(input);
    BROADLOOM_CHECK(require_memory(input.dims.size(), sizeof(std::int64_t)));
    Dims dims(input.dims.size());
    std::int64_t* next = dims.data();
    for (const Dimension& dim : input.dims) *next++ = dim.value;
    return reinterpret(given, input.dtype, dims);
  }
  const std::int64_t entries = type.kind == DtypeKind::complex ? 2 : 1;
  const std::int64_t count[] = {(given.count() + entries - 1) / entries};
  BROADLOOM_TRY(dims, dims_of_feed(input, count));
  return reinterpret(given, input.dtype, dims);
}

[[gnu::cold]] Failure cannot_hold(std::int64_t i, std::int64_t bits, bool is_signed, Dtype dtype) {
  const Part value = is_signed || bits >= 0 ? Part(bits) : Part(static_cast<double>(static_cast<std::uint64_t>(bits)));
  return fail(Code::InvalidArgument, "element {} is {}, which {} cannot hold", i, value, dtype);
}

// 64-bit integers of the other sign. Those that both types hold have the same bits.
Result<Tensor> with_sign(const Tensor& given, Dtype dtype) {
  const auto* values = reinterpret_cast<const std::int64_t*>(given.data());
  for (std::int64_t i = 0; i < given.count(); ++i) {
    if (values[i] < 0) return cannot_hold(i, values[i], given.dtype == Dtype::int64, dtype);
  }
  return Tensor{dtype, given.layout, given.storage, given.offset};
}

// The elements as float64, all exact. `dtype` is that in which they are wanted.
Result<Tensor> as_doubles(const Tensor& given, Dtype dtype) {
  if (given.dtype == Dtype::float64) return given;
  BROADLOOM_TRY(numbers, make_tensor(Dtype::float64, given.dims()));
  auto* to = reinterpret_cast<double*>(numbers.data());
  if (!is_wide(given.dtype)) {
    decode(given.dtype, given.data(), given.count(), to);
    return std::move(numbers);
  }
  const bool is_signed = given.dtype == Dtype::int64;
  const auto* values = reinterpret_cast<const std::int64_t*>(given.data());
  for (std::int64_t i = 0; i < given.count(); ++i) {
    const bool is_exact = values[i] <= max_count && values[i] >= (is_signed ? -max_count : 0);
    if (!is_exact) return cannot_hold(i, values[i], is_signed, dtype);
    to[i] = static_cast<double>(values[i]);
  }
  return std::move(numbers);
}

// Complex numbers are lists of two numbers; one number alone is a real one.
Result<Tensor> write_complex(const Tensor& numbers, Dtype dtype) {
  const std::span<const std::int64_t> dims = numbers.run_dims();
  const auto* values = reinterpret_cast<const double*>(numbers.data());
  const double real[] = {dims.empty() ? values[0] : 0, 0};
  if (!dims.empty() && dims.back() != 2) return fail(Code::InvalidArgument, "a complex number is a list of two numbers");
  BROADLOOM_TRY(result, make_tensor(dtype, Dims(dims.first(dims.empty() ? 0 : dims.size() - 1))));
  const std::size_t size = in_memory(Count(result.count()) * 2);
  BROADLOOM_CHECK(encode(dtype, {dims.empty() ? real : values, size}, result.data()));
  return std::move(result);
}

// The values as elements of the type, with the dims that they have.
Result<Tensor> convert(const Tensor& given, Dtype dtype) {
  if (given.dtype == dtype) return given;
  if (is_wide(given.dtype) && is_wide(dtype)) return with_sign(given, dtype);
  BROADLOOM_TRY(numbers, as_doubles(given, dtype));
  if (info(dtype).kind == DtypeKind::complex && numbers.count() > 0) return write_complex(numbers, dtype);
  BROADLOOM_TRY(result, make_tensor(dtype, given.dims()));
  const auto* values = reinterpret_cast<const double*>(numbers.data());
  BROADLOOM_CHECK(encode(dtype, {values, in_memory(numbers.count())}, result.data()));
  return std::move(result);
}

Result<Tensor> read_values(const ValueInfo& input, const Tensor& given) {
  BROADLOOM_TRY(elements, convert(given, input.dtype));
  BROADLOOM_TRY(dims, dims_of_feed(input, elements.run_dims()));
  return Tensor{input.dtype, dense_layout(dims), elements.storage, elements.offset};
}

// Whether values of the one type may become elements of the other.
bool are_of_kind(Dtype given, Dtype wanted) {
  const auto is_apart = [](Dtype dtype) { return dtype == Dtype::string || dtype == Dtype::boolean; };
  return given == wanted || (!is_apart(given) && wanted != Dtype::string);
}

Result<Tensor> read_feed(const ValueInfo& input, const Tensor& given, FeedForm form) {
  const Dtype wanted = input.dtype;
  if (form == FeedForm::rows && (is_packed(wanted) || info(wanted).kind == DtypeKind::mini_float))
    return fail(Code::InvalidArgument, "typed arrays in a list, which may be bits of {}: give lists of numbers", wanted);
  if (form != FeedForm::array) {
    if (given.count() != 0 && !are_of_kind(given.dtype, wanted)) return other_kind(given, form, wanted);
    return read_values(input, given);
  }
  if (given.dtype == wanted || given.dtype == array_type(wanted)) return read_array(input, given);
  const bool are_integers = is_integer(given.dtype) && is_integer(wanted) && !is_packed(wanted);
  return are_integers ? read_values(input, given) : other_kind(given, form, wanted);
}

}  // namespace

Result<Tensor> declared_tensor(const ValueInfo& input, const Tensor& given, FeedForm form) {
  if (!input.is_tensor() || input.dtype == Dtype::undefined) return given;
  BROADLOOM_CHECK(require_memory());
  Result<Tensor> tensor = read_feed(input, given, form);
  if (!tensor) tensor.error()->message.prepend("input {}: ", quoted(input.name));
  return tensor;
}

}  // namespace broadloom
