// Pad of ONNX and of com.microsoft, and CenterCropPad: add borders to axes or remove them. ONNX: onnx/defs/tensor/defs.cc and
// old.cc; onnxruntime: docs/ContribOperators.md.
#include "kernels/movement/pad.h"

#include "core/count.h"
#include "core/text.h"
#include "kernels/elementwise/convert.h"
#include "ops/call/arguments.h"
#include "ops/call/dense.h"
#include "ops/call/inner_call.h"
#include "ops/named_operators.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

using enum AttributeType;
using enum Option;
using enum TypeVariable;

constexpr AttributeSpec mode_1 = one_of("mode", "constant reflect edge");
constexpr AttributeSpec attributes_1[] = {mode_1, required("paddings", INTS), with_default("value", FLOAT, 0)};
constexpr AttributeSpec attributes_2[] = {mode_1, required("pads", INTS), with_default("value", FLOAT, 0)};
constexpr AttributeSpec attributes_11[] = {mode_1};
constexpr AttributeSpec attributes_19[] = {one_of("mode", "constant reflect edge wrap")};
constexpr Parameter inputs_1[] = {{"data", T}};
constexpr Parameter inputs_11[] = {{"data", T}, {"pads", Dtype::int64}, {"constant_value", T, Optional}};
constexpr Parameter inputs_18[] = {
    {"data", T}, {"pads", Dtype::int64}, {"constant_value", T, Optional}, Parameter::list("axes", Tind, Optional)};
constexpr Parameter outputs[] = {{"output", T}};
constexpr Signature signature_1{attributes_1, inputs_1, outputs, {T}};
constexpr Signature signature_2{attributes_2, inputs_1, outputs, {T}};
constexpr Signature signature_11{attributes_11, inputs_11, outputs, {T}};
constexpr Signature signature_18{attributes_11, inputs_18, outputs, {T, Tind}};
constexpr Signature signature_19{attributes_19, inputs_18, outputs, {T, Tind}};

constexpr OperatorVersion versions[] = {
    {1, &signature_1, {types::floats}},
    {2, &signature_2, {types::floats}},
    {11, &signature_11, {types::integers | types::floats}},
    {13, &signature_11, {types::all_opset_13}},
    {18, &signature_18, {types::all_opset_13, types::indices}},
    {19, &signature_19, {types::all_opset_13, types::indices}},
    {21, &signature_19, {types::all_opset_21, types::indices}},
    {23, &signature_19, {types::all_opset_23, types::indices}},
    {24, &signature_19, {types::all_opset_24, types::indices}},
    {25, &signature_19, {types::all_opset_25, types::indices}},
};

constexpr Parameter microsoft_inputs[] = {{"data", T}, {"pads", Dtype::int64}, {"value", T, Optional}};
constexpr Signature microsoft_signature{attributes_19, microsoft_inputs, outputs, {T}};
constexpr OperatorVersion microsoft_versions[] = {{1, &microsoft_signature, {types::floats}}};

constexpr AttributeSpec crop_attributes[] = {{"axes", INTS}};
constexpr Parameter crop_inputs[] = {{"input_data", T}, Parameter::list("shape", Tind)};
constexpr Parameter crop_outputs[] = {{"output_data", T}};
constexpr Signature crop_signature{crop_attributes, crop_inputs, crop_outputs, {T, Tind}};

constexpr OperatorVersion crop_versions[] = {{18, &crop_signature, {types::all_opset_13, types::indices}}};

// The number of elements to add before and after each axis; negative numbers remove elements.
struct Borders {
  bool are_known = false;
  SymbolicDims before;
  SymbolicDims after;
};

PadMode mode_of(const Call& call) {
  const std::string_view word = call.word("mode");
  if (word == "reflect") return PadMode::reflect;
  if (word == "edge") return PadMode::edge;
  return word == "wrap" ? PadMode::wrap : PadMode::constant;
}

// An axis of the result. All sizes must be numbers, and the result's size must not be negative.
PaddedAxis padded_axis(std::int64_t from, std::int64_t before, std::int64_t after) {
  const std::int64_t size = from + before + after;
  const std::int64_t low = std::clamp<std::int64_t>(before, 0, size);
  const std::int64_t high = std::clamp<std::int64_t>(from + before, low, size);
  return {in_memory(size), in_memory(low), in_memory(high), in_memory(low == high ? 0 : low - before)};
}

Status check_mode(PadMode mode, std::int64_t from, std::int64_t before, std::int64_t after, std::size_t i) {
  const std::int64_t least = std::max<std::int64_t>(std::max(before, after), 0);
  const std::int64_t inner = from + std::min<std::int64_t>(before, 0) + std::min<std::int64_t>(after, 0);
  if (mode == PadMode::constant || least == 0 || (mode == PadMode::reflect ? least < inner : inner > 0)) return {};
  return fail(Code::InvalidArgument, "axis {} has {} indices to pad by {} and {} from: too few for this mode", i,
              std::max<std::int64_t>(inner, 0), before, after);
}

// Whether sums of a few such numbers cannot overflow.
bool is_moderate(std::int64_t size) { return size >= -max_count && size <= max_count; }

// The rule for dims. A result without borders is a view.
Status set_padded(Call& call, const Borders& borders, PadMode mode) {
  const Tensor& data = *call.inputs[0];
  const Sizes sizes = call.sizes();
  LayoutRef layout(data.dims());
  Layout& view = layout.edit();
  view.strides = data.layout->strides;
  std::int64_t offset = 0;
  bool is_view = data.has_elements();
  for (std::size_t i = 0; i < view.dims.size(); ++i) {
    const Size size = view.dims[i];
    if (!size.is_number() || !borders.before[i].is_number() || !borders.after[i].is_number() || !is_moderate(size.number())) {
      const Size padded = sizes.add(sizes.add(size, borders.before[i]), borders.after[i]);
      view.dims[i] = padded.is_negative() ? unknown_size : padded;
      is_view = false;
      continue;
    }
    const std::int64_t from = size.number();
    const std::int64_t before = borders.before[i].number();
    const std::int64_t after = borders.after[i].number();
    if (!is_moderate(before) || !is_moderate(after) || from + before + after < 0) {
      return fail(Code::InvalidArgument, "axis {} of size {} cannot be padded by {} and {}", i, from, before, after);
    }
    BROADLOOM_CHECK(check_mode(mode, from, before, after, i));
    view.dims[i] = from + before + after;
    is_view = is_view && before <= 0 && after <= 0;
    offset -= std::min<std::int64_t>(before, 0) * view.strides[i];
  }
  if (!is_view) {
    call.outputs[0] = known_dims(data.dtype, view.dims);
    return {};
  }
  BROADLOOM_TRY(cropped, view_of(data, std::move(layout), view.count() == 0 ? 0 : offset));
  call.outputs[0] = std::move(cropped);
  return {};
}

Status write_padded(Call& call, const Borders& borders, PadMode mode, const std::byte* value) {
  const Tensor& data = *call.inputs[0];
  Tensor& output = call.outputs[0];
  if (output.count() == 0) return {};
  BROADLOOM_TRY(dense, densify(data));
  InlineVector<PaddedAxis, 8> axes(data.dims().size(), PaddedAxis{});
  std::size_t used = 0;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    axes[i] = padded_axis(data.run_dims()[i], borders.before[i].number(), borders.after[i].number());
    if (borders.before[i] != 0 || borders.after[i] != 0) used = i + 1;
  }
  const std::size_t item = item_size(output.dtype);
  std::size_t block = item;
  std::size_t from_block = item;
  for (std::size_t i = axes.size(); i-- > 0;) {
    axes[i].block = block;
    axes[i].from_block = from_block;
    block *= axes[i].size;
    from_block *= in_memory(data.run_dims()[i]);
  }
  return pad(output.data(), dense.data(), axes.values().first(used), mode, value, item);
}

// The borders of the given axes, by default of all.
Result<Borders> read_borders(const Call& call) {
  const std::size_t rank = call.inputs[0]->dims().size();
  const std::string_view name = call.version.since_version == 1 ? "paddings" : "pads";
  BROADLOOM_TRY(pads, read_list(call, name, 2 * most_axes));
  BROADLOOM_TRY(axes, read_list(call, "axes"));
  Borders borders{false, SymbolicDims(rank, unknown_size), SymbolicDims(rank, unknown_size)};
  if (!pads.has_length || (axes.is_given && !axes.has_length)) return borders;
  const std::size_t count = axes.is_given ? axes.size() : rank;
  if (pads.size() != 2 * count) {
    return fail(Code::InvalidArgument, "{} has {} entr{y}, wanted {}: two for each axis", name, pads.size(), 2 * count);
  }
  if (axes.is_given) {
    if (!axes.are_numbers()) return borders;
    BROADLOOM_CHECK(resolve_axes("axes", axes.numbers(), rank));
    borders = {false, SymbolicDims(rank, 0), SymbolicDims(rank, 0)};
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t axis = axes.is_given ? *resolve_axis("axes", axes[i].number(), rank) : i;
    borders.before[axis] = pads[i];
    borders.after[axis] = pads[count + i];
  }
  borders.are_known = true;
  return borders;
}

Status prepare(Call& call) {
  const Tensor& data = *call.inputs[0];
  const Tensor* value = call.input(2);
  if (value != nullptr && value->is_ranked() && are_numbers(value->dims()) && value->count() != 1) {
    return fail(Code::InvalidArgument, "constant_value has dims {}, wanted one element", value->dims().values());
  }
  if (!data.is_ranked()) return {};
  BROADLOOM_TRY(borders, read_borders(call));
  if (call.is_run() && !borders.are_known) return {};
  return set_padded(call, borders, mode_of(call));
}

Status compute(Call& call) {
  std::byte item[16] = {};
  const std::byte* value = item;
  if (call.version.since_version < 11) {
    const float number = call.number("value");
    convert(item, call.outputs[0].dtype, reinterpret_cast<const std::byte*>(&number), Dtype::float32, 1);
  } else if (call.input(2) != nullptr) {
    value = call.input(2)->data();
  }
  BROADLOOM_TRY(borders, read_borders(call));
  return write_padded(call, borders, mode_of(call), value);
}

// ---- com.microsoft ----

// Pads may have a first axis of size 1.
Tensor with_one_axis(const Tensor& pads) {
  if (!pads.is_ranked() || pads.dims().size() != 2 || differ(pads.dims()[0], 1)) return pads;
  Tensor view = pads;
  view.layout = LayoutRef(Layout{SymbolicDims{pads.dims()[1]}, Dims{pads.layout->strides[1]}});
  return view;
}

constexpr std::int64_t opset_of_pad = 19;

// The call of ONNX's Pad.
class PadCall {
 public:
  explicit PadCall(const Call& call)
      : pads_(with_one_axis(*call.inputs[1])),
        inputs_{call.inputs[0], &pads_, call.input(2)},
        call_(call, op::pad, inputs_, call.output_types, call.outputs, call.attributes, opset_of_pad) {}
  InnerCall& call() { return call_; }

 private:
  Tensor pads_;
  const Tensor* inputs_[3];
  InnerCall call_;
};

Status prepare_microsoft(Call& call) { return PadCall(call).call().prepare(); }
Status compute_microsoft(Call& call) { return PadCall(call).call().compute(); }

// ---- CenterCropPad ----

// ONNX: if the number is odd, the end gets the additional element.
Result<Borders> crop_borders(const Call& call) {
  const SymbolicDims& dims = call.inputs[0]->dims();
  BROADLOOM_TRY(shape, read_list(call, "shape"));
  BROADLOOM_TRY(axes, read_list(call, "axes"));
  const std::size_t count = axes.is_given ? axes.size() : dims.size();
  if (shape.has_length && shape.size() != count) {
    return fail(Code::InvalidArgument, "shape has {} entr{y}, wanted {}: one for each axis", shape.size(), count);
  }
  if (axes.is_given) BROADLOOM_CHECK(resolve_axes("axes", axes.numbers(), dims.size()));
  const Sizes sizes = call.sizes();
  Borders borders{shape.has_length, SymbolicDims(dims.size(), 0), SymbolicDims(dims.size(), 0)};
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t axis = axes.is_given ? *resolve_axis("axes", axes[i].number(), dims.size()) : i;
    const Size wanted = shape.has_length ? shape[i] : unknown_size;
    if (wanted.is_negative()) {
      return fail(Code::InvalidArgument, "shape is {}: entry {} is {}; sizes cannot be negative", shape.values.values(), i,
                  wanted);
    }
    const Size more = sizes.subtract(wanted, dims[axis]);
    borders.before[axis] = more.is_number() ? more.number() / 2 : 0;
    borders.after[axis] = sizes.subtract(more, borders.before[axis]);
  }
  return borders;
}

Status prepare_crop(Call& call) {
  if (!call.inputs[0]->is_ranked()) return {};
  BROADLOOM_TRY(borders, crop_borders(call));
  if (call.is_run() && !borders.are_known) return {};
  return set_padded(call, borders, PadMode::constant);
}

Status compute_crop(Call& call) {
  constexpr std::byte zero[16] = {};
  BROADLOOM_TRY(borders, crop_borders(call));
  return write_padded(call, borders, PadMode::constant, zero);
}

}  // namespace

BROADLOOM_OPERATOR(op, pad){
    .name = "Pad",
    .versions = versions,
    .prepare = prepare,
    .compute = compute,
    .data_movement_inputs = inputs_at({0, 2}),
};
BROADLOOM_OPERATOR(op::microsoft, pad){
    .name = "Pad",
    .domain = "com.microsoft",
    .versions = microsoft_versions,
    .prepare = prepare_microsoft,
    .compute = compute_microsoft,
    .data_movement_inputs = inputs_at({0, 2}),
    .calls = {&op::pad},
};
BROADLOOM_OPERATOR(op, center_crop_pad){
    .name = "CenterCropPad",
    .versions = crop_versions,
    .prepare = prepare_crop,
    .compute = compute_crop,
    .data_movement_inputs = inputs_at({0}),
};

}  // namespace broadloom
