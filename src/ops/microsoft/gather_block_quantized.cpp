// com.microsoft: GatherBlockQuantized, a Gather of elements that are quantised in blocks, as numbers. onnxruntime:
// docs/ContribOperators.md.
//
// An index that is out of range fails, as in onnxruntime 1.30 and for Gather. By the newest text it gives zeros.
#include "core/count.h"
#include "core/limits.h"
#include "core/text.h"
#include "kernels/elementwise/convert.h"
#include "kernels/movement/packed.h"
#include "kernels/products/block_dequantize.h"
#include "ops/call/arguments.h"
#include "ops/call/dense.h"
#include "ops/call/operator.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

using enum AttributeType;
using enum Option;
using enum TypeVariable;

constexpr TypeSet small_floats = types::added_19 | Dtype::float4e2m1;
constexpr AttributeSpec attributes[] = {with_default("bits", INT, 4), with_default("block_size", INT, 128),
                                        with_default("gather_axis", INT, 0), with_default("quantize_axis", INT, 1)};
constexpr Parameter inputs[] = {{"data", T1}, {"indices", Tind}, {"scales", T2}, {"zero_points", T1, Optional}};
constexpr Parameter outputs[] = {{"output", T2}};
constexpr Signature signature{attributes, inputs, outputs, {T1, T2, Tind}};
constexpr OperatorVersion versions[] = {
    {1, &signature, {types::int4 | types::uint4 | types::uint8 | small_floats, types::single_floats, types::indices}}};

// The facts that the attributes and the type of the data give.
struct Form {
  std::size_t bits;         // of an element
  std::int64_t in_element;  // elements that the last size of the data counts as one
  std::int64_t block;       // 0: the whole axis
  std::size_t gathered;     // axes
  std::size_t quantised;
};

bool is_small_float(Dtype dtype) { return small_floats.contains(dtype); }

Result<Form> form_of(const Call& call) {
  const Tensor& data = *call.inputs[0];
  const std::size_t rank = data.dims().size();
  const bool is_byte = data.dtype == Dtype::uint8;
  const std::int64_t bits = is_byte ? call.integer("bits") : info(data.dtype).bits;
  if (bits != 2 && bits != 4 && bits != 8) return fail(Code::InvalidArgument, "bits is {}, wanted 2, 4 or 8", bits);
  const std::int64_t block = call.integer("block_size");
  const bool is_block = block >= 16 && block <= max_count && (block & (block - 1)) == 0;
  if (!is_block && !(block == 0 && is_small_float(data.dtype))) {
    return fail(Code::InvalidArgument, "block_size is {}, wanted a power of 2 from 16 on", block);
  }
  BROADLOOM_TRY(gathered, resolve_axis("gather_axis", call.integer("gather_axis"), rank));
  BROADLOOM_TRY(quantised, resolve_axis("quantize_axis", call.integer("quantize_axis"), rank));
  if (is_byte && (gathered != 0 || quantised + 1 != rank)) {
    return fail(Code::InvalidArgument,
                "gather_axis is {} and quantize_axis is {}, wanted the first and the last axis for uint8", gathered, quantised);
  }
  if (is_small_float(data.dtype) && call.input(3) != nullptr) {
    return fail(Code::InvalidArgument, "'zero_points' is given for {}, which takes no zero points", data.dtype);
  }
  return Form{in_memory(bits), is_byte ? 8 / bits : 1, block, gathered, quantised};
}

// The dims of the elements.
SymbolicDims dims_of(const Call& call, const Form& form) {
  SymbolicDims dims = call.inputs[0]->dims();
  Size& last = dims[dims.size() - 1];
  last = call.sizes().multiply(last, form.in_element);
  return dims;
}

// The dims of scales: one for each block.
SymbolicDims dims_of_scales(const Call& call, const Form& form, SymbolicDims dims) {
  Size& size = dims[form.quantised];
  size = form.block == 0 ? Size(1) : call.sizes().ceil_divide(size, form.block);
  return dims;
}

Status check_parameters(const Call& call, const Form& form, const SymbolicDims& dims) {
  const SymbolicDims wanted = dims_of_scales(call, form, dims);
  const Tensor& scales = *call.inputs[2];
  if (!scales.is_ranked()) return {};
  bool fits = scales.dims().size() == wanted.size();
  for (std::size_t i = 0; fits && i < wanted.size(); ++i) {
    const bool is_stretched = is_small_float(call.inputs[0]->dtype) && i != form.quantised && !differ(scales.dims()[i], 1);
    fits = !differ(scales.dims()[i], wanted[i]) || is_stretched;
  }
  if (!fits) return impossible("'scales' has dims {}, wanted {}", scales.dims().values(), wanted.values());
  const Tensor* zeros = call.input(3);
  if (zeros == nullptr || !zeros->is_ranked()) return {};
  SymbolicDims packed = wanted;
  Size& last = packed[packed.size() - 1];
  last = call.sizes().ceil_divide(last, form.in_element);
  const SymbolicDims& own = zeros->dims();
  const bool are_same =
      std::equal(own.begin(), own.end(), packed.begin(), packed.end(), [](Size a, Size b) { return !differ(a, b); });
  return are_same ? Status() : impossible("'zero_points' has dims {}, wanted {}", own.values(), packed.values());
}

Status prepare(Call& call) {
  const Tensor& data = *call.inputs[0];
  const Tensor& indices = *call.inputs[1];
  if (!data.is_ranked()) return {};
  BROADLOOM_TRY(form, form_of(call));
  const SymbolicDims dims = dims_of(call, form);
  BROADLOOM_CHECK(check_parameters(call, form, dims));
  if (!indices.is_ranked()) return {};
  const SymbolicDims& places = indices.dims();
  BROADLOOM_CHECK(check_rank(dims.size() + places.size() - 1));
  SymbolicDims result(dims.size() + places.size() - 1);
  const Size* const gathered = dims.begin() + form.gathered;
  std::copy(gathered + 1, dims.end(),
            std::copy(places.begin(), places.end(), std::copy(dims.begin(), gathered, result.begin())));
  call.outputs[0] = known_dims(call.output_types[0], result);
  return {};
}

// The number that each pattern of the bits of an element stands for.
void write_numbers(float* to, Dtype dtype, std::size_t bits) {
  std::byte codes[256];
  std::byte packed[256];
  const std::size_t count = std::size_t{1} << bits;
  for (std::size_t i = 0; i < count; ++i) codes[i] = static_cast<std::byte>(i);
  if (is_packed(dtype)) pack(packed, codes, count, bits);
  convert(reinterpret_cast<std::byte*>(to), Dtype::float32, is_packed(dtype) ? packed : codes, dtype, count);
}

// Zero points in float32 with the dims of the scales. Rows of packed ones have a whole number of bytes.
Result<Tensor> zeros_of(const Call& call, const Form& form, const Tensor& scales, const float* numbers) {
  BROADLOOM_TRY(given, densify(*call.inputs[3]));
  if (form.in_element == 1) return in_type(given, Dtype::float32);
  BROADLOOM_TRY(zeros, make_tensor(Dtype::float32, scales.dims()));
  const std::int64_t row = scales.run_dims().back();
  const std::int64_t row_bytes = given.run_dims().back();
  auto* const to = reinterpret_cast<float*>(zeros.data());
  for (std::int64_t i = 0; i < zeros.count(); ++i) {
    const std::size_t bit = in_memory(i % row) * form.bits;
    const std::size_t byte = in_memory(i / row * row_bytes) + bit / 8;
    const std::size_t mask = (std::size_t{1} << form.bits) - 1;
    to[i] = numbers[std::to_integer<std::size_t>(given.data()[byte]) >> (bit % 8) & mask];
  }
  return std::move(zeros);
}

Status compute(Call& call) {
  const Tensor& output = call.outputs[0];
  if (output.count() == 0) return {};
  BROADLOOM_TRY(form, form_of(call));
  const SymbolicDims symbolic = dims_of(call, form);
  const std::span<const std::int64_t> dims = numbers_of(symbolic);
  BROADLOOM_TRY(data, densify(*call.inputs[0]));
  Tensor stretched = *call.inputs[2];
  stretched.layout = broadcast_to(stretched.layout, dims_of_scales(call, form, symbolic));
  BROADLOOM_TRY(scales, in_type(stretched, Dtype::float32));
  float numbers[256];
  write_numbers(numbers, data.dtype, form.bits);
  Tensor zeros;
  if (call.input(3) != nullptr) {
    BROADLOOM_TRY(given, zeros_of(call, form, scales, numbers));
    zeros = std::move(given);
  }
  BROADLOOM_TRY(indices, in_type(*call.inputs[1], Dtype::int64));
  const auto length = in_memory(dims[form.quantised]);
  const BlockQuantised blocks{data.data(),
                              form.bits,
                              numbers,
                              reinterpret_cast<const float*>(scales.data()),
                              zeros.has_elements() ? reinterpret_cast<const float*>(zeros.data()) : nullptr,
                              data.dtype == Dtype::uint8 ? static_cast<float>(1 << (form.bits - 1)) : 0,
                              length,
                              in_memory(count_of(dims.subspan(form.quantised + 1))),
                              form.block == 0 ? length : in_memory(form.block)};
  const std::int64_t size = dims[form.gathered];
  const std::int64_t outer = count_of(dims.first(form.gathered));
  const std::int64_t inner = count_of(dims.subspan(form.gathered + 1));
  const auto item = static_cast<std::int64_t>(item_size(output.dtype));
  BROADLOOM_TRY(row, make_tensor(Dtype::float32, {output.dtype == Dtype::float32 ? 0 : inner}));
  std::byte* to = output.data();
  for (std::int64_t o = 0; o < outer; ++o) {
    for (std::int64_t i = 0; i < indices.count(); ++i, to += inner * item) {
      const std::int64_t index = reinterpret_cast<const std::int64_t*>(indices.data())[i];
      const std::int64_t place = index < 0 ? index + size : index;
      if (place < 0 || place >= size) {
        return fail(Code::InvalidArgument, "indices has {}, wanted {} to {}", index, -size, size - 1);
      }
      BROADLOOM_CHECK(Watch::check(2 * static_cast<double>(inner)));
      const auto first = in_memory((o * size + place) * inner);
      const bool is_float = output.dtype == Dtype::float32;
      std::byte* const numbers_to = is_float ? to : row.data();
      blocks.write(reinterpret_cast<float*>(numbers_to), first, in_memory(inner));
      if (!is_float) convert(to, output.dtype, row.data(), Dtype::float32, in_memory(inner));
    }
  }
  return {};
}

}  // namespace

BROADLOOM_OPERATOR(op::microsoft, gather_block_quantized){
    .name = "GatherBlockQuantized",
    .domain = "com.microsoft",
    .versions = versions,
    .prepare = prepare,
    .compute = compute,
};

}  // namespace broadloom
