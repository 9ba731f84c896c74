// A call of an operator.
#include <algorithm>
#include <vector>

#include "attributes.h"
#include "core/memory.h"
#include "frame.h"
#include "functions.h"
#include "onnx/node_model.h"
#include "operands.h"
#include "ops/call/dense.h"
#include "ops/chosen.h"
#include "ops/operators.h"
#include "tensors.h"

namespace broadloom {

namespace {

// Where nobody named an opset, the model's is the oldest that chooses this version of the operator: runtimes know it soonest.
[[gnu::cold, gnu::noinline]] Status write_files([[maybe_unused]] const Selection& selection, [[maybe_unused]] const Call& call,
                                                [[maybe_unused]] ResultForm wanted) {
  if constexpr (chosen::models) {
    const std::int64_t opset = wanted == ResultForm::files ? selection.opset : selection.version.since_version;
    BROADLOOM_TRY(files, write_node_model({selection.op, selection.version, opset}, call));
    return write_tensors(files);
  } else {
    return fail(Code::InvalidArgument,
                "this module was built without the part 'models': npm run build -- --for ... --with models");
  }
}

// Runs a call whose types are checked.
Status run_and_write(const Selection& selection, Call& call, ResultForm wanted) {
  BROADLOOM_CHECK(run_call(selection, call));
  if (wanted != ResultForm::outputs) return write_files(selection, call, wanted);
  BROADLOOM_CHECK(write_tensors(call.outputs));
  return {};
}

[[gnu::cold, gnu::noinline]] Status call_for_several(const Selection& selection, std::span<const Tensor* const> inputs,
                                                     std::span<const ElementType> types, const Attributes& attributes,
                                                     ResultForm wanted) {
  std::size_t count = selection.version.outputs().size();
  if (selection.op.count_outputs != nullptr) {
    // The operands that it counts by are checked first.
    Dtype type{};
    BROADLOOM_CHECK(check_call(selection, types, std::span(&type, 1), attributes));
    BROADLOOM_TRY(counted, selection.op.count_outputs({selection.version, inputs, attributes, {}, {}}));
    count = counted;
  }
  BROADLOOM_CHECK(require_outputs(count));
  std::vector<Tensor> outputs(count);
  Dtypes output_types(count);
  BROADLOOM_CHECK(check_call(selection, types, std::span(output_types.data(), output_types.size()), attributes));
  Call call{selection.version, inputs, attributes, output_types, outputs};
  return run_and_write(selection, call, wanted);
}

// The types of a call that check_call accepted. Another call of these types without attributes needs no check: it would be a
// fifth of a small call.
struct CheckedTypes {
  static constexpr std::size_t most_inputs = 3;

  const OperatorVersion* version = nullptr;
  std::size_t count = 0;
  ElementType inputs[most_inputs];
  Dtype output{};

  bool are_of(const Selection& selection, std::span<const ElementType> types) const {
    return version == &selection.version && count == types.size() && std::equal(types.begin(), types.end(), inputs);
  }
};

// One for some operators each.
constexpr std::size_t checked_places = 16;
constinit CheckedTypes checked_types[checked_places];

Status check_types(const Selection& selection, std::size_t number, std::span<const ElementType> types,
                   const Attributes& attributes, Dtype& output) {
  CheckedTypes& checked = checked_types[number % checked_places];
  const bool has_place = types.size() <= CheckedTypes::most_inputs && attributes.begin() == attributes.end();
  if (has_place && checked.are_of(selection, types)) {
    output = checked.output;
    return {};
  }
  BROADLOOM_CHECK(check_call(selection, types, std::span(&output, 1), attributes));
  if (has_place) {
    checked.version = &selection.version;
    checked.count = types.size();
    std::copy(types.begin(), types.end(), checked.inputs);
    checked.output = output;
  }
  return {};
}

Status call(const Selection& selection, std::size_t number, FrameReader& frame, ResultForm wanted) {
  const std::size_t count = frame.size();
  if (count > 8) BROADLOOM_CHECK(require_memory(count, sizeof(void*) + sizeof(Dtype)));
  Operands inputs{InlineVector<const Tensor*, 8>::of_size(count), {}};
  BROADLOOM_CHECK(read_operands(frame, selection, inputs));
  Attributes attributes;
  BROADLOOM_CHECK(read_attributes(frame, selection, attributes));
  auto types = ElementTypes::of_size(count);
  for (std::size_t i = 0; i < count; ++i) {
    const Tensor* const input = inputs.tensors[i];
    types[i] = input == nullptr ? ElementType() : ElementType(input->dtype);
    if (input != nullptr) BROADLOOM_CHECK(check_exposed(*input));
  }
  if (selection.version.outputs().size() != 1 || selection.op.count_outputs != nullptr) {
    return call_for_several(selection, inputs.tensors.values(), types.values(), attributes, wanted);
  }
  Tensor output;
  Dtype output_type{};
  BROADLOOM_CHECK(check_types(selection, number, types.values(), attributes, output_type));
  Call arguments{selection.version, inputs.tensors.values(), attributes, {&output_type, 1}, {&output, 1}};
  return run_and_write(selection, arguments, wanted);
}

}  // namespace

// inputs, attributes -> tensors: the outputs, or the files of write_node_model
double callOperator(int number, double opset, int wanted) {
  const auto place = static_cast<std::size_t>(number);
  const Operator& op = *all_operators()[place];
  return finish([&]() -> Status {
    BROADLOOM_CHECK(require_memory());
    BROADLOOM_TRY(version, select_version(op, static_cast<std::int64_t>(opset)));
    const Selection selection{op, *version, static_cast<std::int64_t>(opset)};
    FrameReader frame;
    Status status = call(selection, place, frame, static_cast<ResultForm>(wanted));
    if (!status && status.error()->op.empty()) return Failure(in_operator(status.error(), selection));
    return status;
  }());
}

}  // namespace broadloom
