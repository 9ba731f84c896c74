// PRelu: negative elements times a slope. ONNX: onnx/defs/math/defs.cc and old.cc, PRelu.
#include "core/count.h"
#include "core/text.h"
#include "ops/call/arguments.h"
#include "ops/call/operator.h"
#include "ops/elementwise.h"
#include "ops/formula.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

using enum AttributeType;
using enum TypeVariable;

constexpr AttributeSpec consumed[] = {{"consumed_inputs", INTS}};
constexpr Parameter inputs[] = {{"X", T}, {"slope", T}};
constexpr Parameter outputs[] = {{"Y", T}};
constexpr Signature signature_1{consumed, inputs, outputs, {T}};
constexpr Signature signature_6{{}, inputs, outputs, {T}};

constexpr TypeSet numbers = types::floats | types::indices | types::uint32 | types::uint64;
constexpr OperatorVersion versions[] = {
    {1, &signature_1, {types::floats}},
    {6, &signature_6, {types::floats}},
    {7, &signature_6, {types::floats}},
    {9, &signature_6, {numbers}},
    {16, &signature_6, {numbers | types::added_13}},
};

bool is_of_channels(const Call& call) { return call.version.since_version < 7; }

// Before version 7, a slope has one element, or one for each channel on axis 1. Later it broadcasts to X.
Result<LayoutRef> layout_of_slope(const Call& call) {
  const SymbolicDims& dims = call.inputs[0]->dims();
  const Tensor& slope = *call.inputs[1];
  if (!is_of_channels(call)) {
    BROADLOOM_TRY(common, broadcast_dims(dims, slope.dims()));
    bool is_stretched = common.size() != dims.size();
    for (std::size_t i = 0; !is_stretched && i < dims.size(); ++i) is_stretched = dims[i].is_number() && dims[i] != common[i];
    if (!is_stretched) return slope.layout;
    return fail(Code::InvalidArgument, "cannot broadcast 'slope' {} to {}", slope.dims().values(), dims.values());
  }
  const SymbolicDims& own = slope.dims();
  const bool is_one = own.size() == 1 && (own[0] == 1 || !own[0].is_number());  // before a run, it may be
  if (own.size() == 0 || is_one) return LayoutRef();  // the layout of a scalar: a scalar X has no axis for the slope's
  const bool may_fit = own.size() == 1 && dims.size() > 1 && (own[0] == dims[1] || !dims[1].is_number());
  if (!may_fit) {
    return fail(Code::InvalidArgument, "'slope' has dims {}, wanted one element, or one for each channel of {}", own.values(),
                dims.values());
  }
  LayoutRef layout(SymbolicDims(dims.size() - 1, 1));
  layout.edit().dims[0] = own[0];
  layout.edit().strides[0] = slope.layout->strides[0];
  return layout;
}

Status prepare(Call& call) {
  if (call.inputs[0]->is_ranked() && call.inputs[1]->is_ranked()) {
    const Result<LayoutRef> layout = layout_of_slope(call);
    if (!layout) return Failure(layout.error());
  }
  return prepare_like_input(call);
}

// Unsigned elements are never below 0.
Program::Value elements(const Call&, Program& program, std::span<const Program::Value> x) {
  if (x[0].dtype == Dtype::uint32 || x[0].dtype == Dtype::uint64) return x[0];
  const Formula input(program, x[0]);
  return select(input < 0, input * Formula(program, x[1]), input).value();
}

Status compute(Call& call) {
  BROADLOOM_TRY(layout, layout_of_slope(call));
  Tensor& output = call.outputs[0];
  const Tensor& slope = *call.inputs[1];
  Program program;
  const Program::Value x[] = {add_operand(program, *call.inputs[0], output.dims()),
                              add_operand(program, {slope.dtype, layout, slope.storage, slope.offset}, output.dims())};
  const Program::Value result = program.rounded(elements(call, program, x));
  return program.run(result, output.data(), in_memory(output.count()));
}

}  // namespace

BROADLOOM_OPERATOR(op, prelu){
    .name = "PRelu",
    .versions = versions,
    .prepare = prepare,
    .compute = compute,
    .elements = elements,
    .most_steps = 6,
    .kernels = loops(Operation::multiply, Operation::less),
};

}  // namespace broadloom
