#include "ops/normalize.h"

#include "core/text.h"
#include "kernels/convert.h"
#include "ops/dense.h"

namespace broadloom {

using Value = Program::Value;

Value Affine::value(Program& program, const Parts& parts, Dtype dtype) const {
  Layout stretched = layout;
  stretched.dims[0] = parts.layout().dims[0];
  stretched.strides[0] = step;
  const std::byte* first = tensor.data() + parts.first() * step * static_cast<std::int64_t>(item_size(tensor.dtype));
  return converted(program, program.operand(tensor.dtype, first, LayoutRef(stretched)), dtype);
}

namespace {

using Before = Reduction::Before;
using After = Reduction::After;

constexpr std::size_t mean = 0;
constexpr std::size_t factor = 1;  // what elements are multiplied by: 1 / deviation

// Replaces the mean of squares by the factor.
Status invert(const Parts& parts, const Normalization& how) {
  Program program;
  const LayoutRef layout = dense_layout({static_cast<std::int64_t>(parts.groups())});
  Value value = program.operand(parts.statistics_type(), parts.statistic(factor), layout);
  const Value small = program.constant(how.epsilon, value);
  if (!how.is_root_last) value = program.apply(Operation::add, value, small);
  value = program.apply(Operation::square_root, value);
  if (how.is_root_last) value = program.apply(Operation::add, value, small);
  value = program.apply(Operation::divide, program.constant(1, value), value);
  return program.run(value, parts.statistic(factor), parts.groups());
}

Status normalize_part(const Parts& parts, Tensor& output, const Normalization& how) {
  const std::byte* shifts = nullptr;
  if (how.has_mean) {
    shifts = parts.statistic(mean);
    parts.reduce(mean, {Operation::add, Before::nothing, After::mean});
  }
  parts.reduce(factor, {Operation::add, Before::square, After::mean, shifts});
  BROADLOOM_CHECK(invert(parts, how));
  const Dtype wide = widening_of(output.dtype).dtype;
  Program program;
  Value value = parts.elements(program, wide);
  if (how.has_mean) value = program.apply(Operation::subtract, value, parts.statistic(program, mean, wide));
  value = program.apply(Operation::multiply, value, parts.statistic(program, factor, wide));
  if (how.scale.tensor.has_elements()) {
    value = program.apply(Operation::multiply, value, how.scale.value(program, parts, wide));
  }
  if (how.bias.tensor.has_elements()) value = program.apply(Operation::add, value, how.bias.value(program, parts, wide));
  return program.run(converted(program, value, output.dtype), parts.place_in(output), parts.count());
}

// Writes the statistics of a part to an output that is asked for.
void store(const Parts& parts, Call& call, std::size_t output, std::size_t statistic) {
  if (output >= call.outputs.size()) return;
  Tensor& tensor = call.outputs[output];
  std::byte* to = tensor.data() + parts.groups_before() * item_size(tensor.dtype);
  convert(to, tensor.dtype, parts.statistic(statistic), parts.statistics_type(), parts.groups());
}

}  // namespace

Status normalize(Call& call, const Dims& dims, const AxisSet& reduced, const Normalization& how) {
  BROADLOOM_TRY(input, densify(*call.inputs[0]));
  Parts parts(input, dims, reduced);
  BROADLOOM_CHECK(parts.allocate(2));
  while (parts.next()) {
    BROADLOOM_CHECK(normalize_part(parts, call.outputs[0], how));
    store(parts, call, 1, mean);
    store(parts, call, 2, factor);
  }
  return {};
}

Status prepare_like_input(Call& call) {
  const Tensor& input = *call.inputs[0];
  if (input.is_ranked()) call.outputs[0] = known_dims(call.output_types[0], input.dims());
  return {};
}

Status check_length(const Call& call, std::size_t input, Size length) {
  const Tensor& parameter = *call.inputs[input];
  if (!parameter.is_ranked()) return {};
  const Dims& dims = parameter.dims();
  if (dims.size() == 1 && (dims[0] == length || !is_number(dims[0]) || !is_number(length))) return {};
  return fail(Code::InvalidArgument, "{} has dims {}, wanted [{}]", quoted(call.version.inputs()[input].name), dims.values(),
              length);
}

}  // namespace broadloom
