// Cast and CastLike: convert elements to another type. ONNX: onnx/defs/tensor/defs.cc and old.cc, Cast and CastLike. For
// conversions of numbers that it leaves open, see kernels/elementwise/convert.h.
//
// Texts are numbers in plain or scientific form with spaces around them, or "NaN", "INF" and "Infinity" in upper or lower case.
// All others are errors, and so is a number that an integer type cannot hold. An integer type drops the fraction. Numbers are
// written with as few digits as read back, in scientific form from 1e17 on, or 1e8 for types smaller than float64, and below
// 1e-4. Bools are 1 and 0.
#include <cmath>
#include <limits>

#include "core/bits.h"
#include "core/count.h"
#include "core/decimal.h"
#include "core/limits.h"
#include "core/strings.h"
#include "core/text.h"
#include "kernels/elementwise/convert.h"
#include "ops/call/arguments.h"
#include "ops/call/dense.h"
#include "ops/call/operator.h"
#include "ops/elementwise.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

using enum AttributeType;
using enum TypeVariable;

constexpr AttributeSpec attributes_1[] = {required("to", STRING)};
constexpr AttributeSpec attributes_6[] = {data_type("to", true)};
constexpr AttributeSpec attributes_19[] = {with_default("saturate", INT, 1), data_type("to", true)};
constexpr AttributeSpec attributes_24[] = {one_of("round_mode", "up down nearest"), with_default("saturate", INT, 1),
                                           data_type("to", true)};
constexpr Parameter inputs[] = {{"input", T1}};
constexpr Parameter outputs[] = {{"output", T2}};
constexpr Signature signature_1{attributes_1, inputs, outputs, {T1, T2}};
constexpr Signature signature_6{attributes_6, inputs, outputs, {T1, T2}};
constexpr Signature signature_19{attributes_19, inputs, outputs, {T1, T2}};
constexpr Signature signature_24{attributes_24, inputs, outputs, {T1, T2}};

// All types except complex ones.
constexpr TypeSet all_9 = types::fixed_size | Dtype::string;
constexpr TypeSet all_13 = all_9 | types::added_13;
constexpr TypeSet all_19 = all_13 | types::added_19;
constexpr TypeSet all_21 = all_19 | types::added_21;
constexpr TypeSet all_23 = all_21 | types::added_23;
constexpr TypeSet all_24 = all_23 | types::added_24;
constexpr TypeSet all_25 = all_24 | types::added_25;

constexpr OperatorVersion row(int since, const Signature& signature, TypeSet types) {
  return {since, &signature, {types, types}};
}

constexpr OperatorVersion versions[] = {
    row(1, signature_1, types::fixed_size), row(6, signature_6, types::fixed_size), row(9, signature_6, all_9),
    row(13, signature_6, all_13),           row(19, signature_19, all_19),          row(21, signature_19, all_21),
    row(23, signature_19, all_23),          row(24, signature_24, all_24),          row(25, signature_24, all_25),
};

constexpr std::span like_attributes_24 = std::span(attributes_24).first<2>();
constexpr std::span like_attributes_19 = like_attributes_24.last<1>();
constexpr Parameter like_inputs[] = {{"input", T1}, {"target_type", T2}};
constexpr Signature like_15{{}, like_inputs, outputs, {T1, T2}};
constexpr Signature like_19{like_attributes_19, like_inputs, outputs, {T1, T2}};
constexpr Signature like_24{like_attributes_24, like_inputs, outputs, {T1, T2}};

constexpr OperatorVersion like_versions[] = {
    row(15, like_15, all_13), row(19, like_19, all_19), row(21, like_19, all_21),
    row(23, like_19, all_23), row(24, like_24, all_24), row(25, like_24, all_25),
};

bool is_same_letter(char a, char b) { return a == b || (a ^ b) == ('a' ^ 'A'); }

// Whether `text` is `word`, ignoring case. The word has lower-case letters and digits.
bool is_word(std::string_view text, std::string_view word) {
  if (text.size() != word.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_letter = word[i] >= 'a' && word[i] <= 'z';
    if (is_letter ? !is_same_letter(text[i], word[i]) : text[i] != word[i]) return false;
  }
  return true;
}

// Version 1 names the type as TensorProto.DataType does.
Result<Dtype> type_named(std::string_view name) {
  if (name == "FLOAT") return Dtype::float32;
  if (name == "DOUBLE") return Dtype::float64;
  for (int id = 1; id <= dtype_count; ++id) {
    const auto dtype = static_cast<Dtype>(id);
    if (dtype != Dtype::float32 && dtype != Dtype::float64 && is_word(name, info(dtype).name)) return dtype;
  }
  return fail(Code::InvalidArgument, "attribute 'to' is {}, which is not an element type", quoted(name));
}

Result<Dtype> output_type(const Attributes& attributes) {
  const Attribute& to = *attributes.find("to");
  if (to.spec->type == INT) return *dtype_from_id(to.value.integer);
  if (!to.value.is_present) return type_named({});
  return type_named(string_at(to.value.tensor, *reinterpret_cast<const StringRef*>(to.value.tensor.data())));
}

// ---- Texts ----

// Texts are read and written in the wide forms of convert.cpp.
bool is_real(Dtype dtype) { return info(dtype).kind == DtypeKind::real_float || info(dtype).kind == DtypeKind::mini_float; }
Dtype wide_type(Dtype dtype) { return is_real(dtype) ? Dtype::float64 : dtype == Dtype::uint64 ? Dtype::uint64 : Dtype::int64; }

// Steps of a number as a decimal, for the clock and for budgets of work. A power of ten or of two is multiplied step by step,
// so a real number takes 4 us, and the largest and the least of float64 take 150 us.
double steps_of_decimal(Dtype dtype) { return is_real(dtype) ? 1 << 15 : 64; }

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view spaces = " \t\n\r";
  while (!text.empty() && spaces.find(text.front()) != spaces.npos) text.remove_prefix(1);
  while (!text.empty() && spaces.find(text.back()) != spaces.npos) text.remove_suffix(1);
  return text;
}

// Parses a text to the bits of a number in the wide form of `dtype`.
std::optional<std::uint64_t> read_number(std::string_view text, Dtype dtype) {
  text = trimmed(text);
  const bool is_negative = text.starts_with('-');
  if (is_negative || text.starts_with('+')) text.remove_prefix(1);
  const std::optional<Decimal> decimal = Decimal::parse(text);
  if (is_real(dtype)) {
    double value;
    if (decimal) {
      value = decimal->to_double(dtype != Dtype::float64);
    } else if (is_word(text, "nan")) {
      value = std::numeric_limits<double>::quiet_NaN();
    } else if (is_word(text, "inf") || is_word(text, "infinity")) {
      value = std::numeric_limits<double>::infinity();
    } else {
      return std::nullopt;
    }
    return bits_as<std::uint64_t>(is_negative ? -value : value);
  }
  if (!decimal) return std::nullopt;
  if (dtype == Dtype::boolean) return decimal->to_double(true) != 0 ? 1 : 0;
  const std::optional<std::uint64_t> magnitude = decimal->to_integer();
  const bool is_signed = info(dtype).kind == DtypeKind::signed_integer;
  const std::uint64_t largest = UINT64_MAX >> (64 - info(dtype).bits + (is_signed ? 1 : 0));
  const std::uint64_t least = is_signed ? largest + 1 : 0;
  if (!magnitude || *magnitude > (is_negative ? least : largest)) return std::nullopt;
  return is_negative ? 0 - *magnitude : *magnitude;
}

Status cast_from_texts(const Tensor& input, Tensor& output, const Rounding& rounding) {
  const auto* refs = reinterpret_cast<const StringRef*>(input.data());
  const std::int64_t count = input.count();
  std::uint64_t block[block_items];
  for (std::int64_t done = 0; done < count; done += block_items) {
    const auto part = in_memory(std::min<std::int64_t>(block_items, count - done));
    for (std::size_t i = 0; i < part; ++i) {
      const std::string_view text = string_at(input, refs[done + static_cast<std::int64_t>(i)]);
      BROADLOOM_CHECK(Watch::check(steps_of_decimal(output.dtype) + 64 * static_cast<double>(text.size())));
      const std::optional<std::uint64_t> number = read_number(text, output.dtype);
      if (!number) {
        return fail(Code::InvalidArgument, "element {} is {}, which {} cannot hold", done + static_cast<std::int64_t>(i),
                    quoted(text), output.dtype);
      }
      block[i] = *number;
    }
    std::byte* to = output.data() + done * info(output.dtype).bits / 8;
    convert(to, output.dtype, reinterpret_cast<const std::byte*>(block), wide_type(output.dtype), part, rounding);
  }
  return {};
}

// Rounds to the fewest digits that identify the element.
void shorten(Decimal& decimal, Dtype dtype, double magnitude) {
  const Rounding nearest{true, PowerRounding::nearest};
  std::size_t least = 1;
  std::size_t most = 17;
  while (least < most) {
    const std::size_t digits = (least + most) / 2;
    Decimal shorter = decimal;
    shorter.round(digits);
    const double value = shorter.to_double(dtype != Dtype::float64);
    if (round_to(dtype, value, nearest) == round_to(dtype, magnitude, nearest)) {
      most = digits;
    } else {
      least = digits + 1;
    }
  }
  decimal.round(least);
}

// Prints a number in the wide form of `dtype`.
std::string_view write_number(char* to, std::uint64_t bits, Dtype dtype) {
  const auto real = bits_as<double>(bits);
  if (is_real(dtype) && std::isnan(real)) return "NaN";
  const bool is_negative = dtype != Dtype::uint64 && bits >> 63 != 0;
  if (is_real(dtype) && std::isinf(real)) return is_negative ? "-INF" : "INF";
  *to = '-';
  char* digits = to + (is_negative ? 1 : 0);
  constexpr int all_plain = 20;
  std::size_t size;
  if (is_real(dtype)) {
    Decimal decimal(std::abs(real));
    shorten(decimal, dtype, std::abs(real));
    size = decimal.write(digits, dtype == Dtype::float64 ? 17 : 8);
  } else {
    size = Decimal(is_negative ? 0 - bits : bits).write(digits, all_plain);
  }
  return {to, size + in_memory(digits - to)};
}

Result<Tensor> cast_to_texts(const Tensor& input) {
  const auto each = [&](auto use) -> Status {
    const std::int64_t count = input.count();
    std::uint64_t block[block_items];
    char text[Decimal::longest];
    for (std::int64_t done = 0; done < count; done += block_items) {
      const auto part = in_memory(std::min<std::int64_t>(block_items, count - done));
      const std::byte* from = input.data() + done * info(input.dtype).bits / 8;
      convert(reinterpret_cast<std::byte*>(block), wide_type(input.dtype), from, input.dtype, part);
      for (std::size_t i = 0; i < part; ++i) {
        BROADLOOM_CHECK(Watch::check(steps_of_decimal(input.dtype)));
        BROADLOOM_CHECK(use(write_number(text, block[i], input.dtype)));
      }
    }
    return {};
  };
  std::int64_t bytes = 0;
  BROADLOOM_CHECK(each([&](std::string_view text) -> Status {
    bytes += static_cast<std::int64_t>(text.size());
    return {};
  }));
  BROADLOOM_TRY(writer, StringWriter::make(input.dims(), bytes));
  BROADLOOM_CHECK(each([&](std::string_view text) { return writer.add(text); }));
  return writer.finish();
}

Status prepare(Call& call) {
  const Tensor& input = *call.inputs[0];
  const Dtype dtype = call.output_types[0];
  if (input.dtype == dtype) {
    BROADLOOM_TRY(shared, share(input));
    call.outputs[0] = std::move(shared);
  } else if (input.is_ranked()) {
    call.outputs[0] = known_dims(dtype, input.dims());
  }
  return {};
}

// Before a run: elements that may be expressions stay so in other integers. In other types they are not known.
Status cast_sizes(const Call& call, const Tensor& input, Tensor& output) {
  const std::int64_t count = input.count();
  const bool holds_sizes = has_size_elements(output);
  for (std::int64_t i = 0; i < count; ++i) {
    const Size size = size_at(input, i);
    if (holds_sizes) {
      set_size_at(output, i, call.sizes().unless_wrapping(size, output.dtype));
    } else if (!size.is_number()) {
      output = known_dims(output.dtype, output.dims());
      return {};
    }
  }
  return {};
}

Status compute(Call& call) {
  BROADLOOM_TRY(input, densify(*call.inputs[0]));
  Tensor& output = call.outputs[0];
  if (has_sizes(call)) {
    BROADLOOM_CHECK(cast_sizes(call, input, output));
    if (!output.has_elements() || has_size_elements(output)) return {};
  }
  const std::string_view mode = call.word("round_mode");
  const Rounding rounding{call.integer("saturate") != 0, mode == "down"      ? PowerRounding::down
                                                         : mode == "nearest" ? PowerRounding::nearest
                                                                             : PowerRounding::up};
  if (input.dtype == Dtype::string) return cast_from_texts(input, output, rounding);
  if (output.dtype == Dtype::string) {
    BROADLOOM_TRY(texts, cast_to_texts(input));
    output = std::move(texts);
    return {};
  }
  const auto count = in_memory(input.count());
  return convert_watched(output.data(), output.dtype, input.data(), input.dtype, count, rounding);
}

double extra_work(const Call& call) {
  const Tensor& input = *call.inputs[0];
  const Dtype to = call.output_types[0];
  if ((input.dtype == Dtype::string) == (to == Dtype::string)) return 0;
  return static_cast<double>(input.count()) * steps_of_decimal(input.dtype == Dtype::string ? to : input.dtype);
}

Program::Value elements(const Call& call, Program& program, std::span<const Program::Value> x) {
  return program.convert(call.output_types[0], x[0]);
}

}  // namespace

BROADLOOM_OPERATOR(op, cast){
    .name = "Cast",
    .versions = versions,
    .output_type = output_type,
    .prepare = prepare,
    .compute = compute,
    .elements = elements,
    .extra_work = extra_work,
    .traits = {.computes_sizes = true},
};
BROADLOOM_OPERATOR(op, cast_like){
    .name = "CastLike",
    .versions = like_versions,
    .prepare = prepare,
    .compute = compute,
    .extra_work = extra_work,
    .traits = {.computes_sizes = true},
};

}  // namespace broadloom
