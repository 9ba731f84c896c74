#include "ops/call/inner_call.h"

#include "core/text.h"
#include "ops/elementwise.h"

namespace broadloom {
namespace {

ElementTypes types_of(std::span<const Tensor* const> inputs) {
  ElementTypes types(inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i] != nullptr) types[i] = ElementType(inputs[i]->dtype);
  }
  return types;
}

Status check_declared(const OperatorVersion& version, const Attributes& attributes) {
  for (const Attribute& one : attributes) {
    const AttributeSpec* own = find_spec(version, one.spec->name);
    if (own == nullptr || own->type == one.spec->type) continue;
    return fail(Code::InvalidArgument, "attribute {} is {}, wanted {}", quoted(own->name), name_of(one.spec->type),
                name_of(own->type));
  }
  return {};
}

}  // namespace

InnerCall::InnerCall(const Call& outer, const Operator& op, std::span<const Tensor* const> inputs,
                     std::span<const Dtype> output_types, std::span<Tensor> outputs, const Attributes& attributes,
                     std::int64_t opset)
    : op_(op),
      opset_(opset),
      call_{newest_version(op, opset),
            inputs,
            attributes,
            output_types,
            outputs,
            outer.expressions,
            op.ready == nullptr ? nullptr : outer.packed} {
  Running::check_call_of(op);
}

Status InnerCall::check() const {
  const Selection selection{op_, call_.version, opset_};
  const ElementTypes inputs = types_of(call_.inputs);
  Dtypes made(call_.output_types.size());
  BROADLOOM_CHECK(check_call(selection, inputs.values(), std::span(made.data(), made.size()), call_.attributes));
  Status status = check_declared(call_.version, call_.attributes);
  for (std::size_t i = 0; status && i < made.size(); ++i) {
    const Dtype wanted = call_.output_types[i];
    if (made[i] == wanted || made[i] == Dtype::undefined || wanted == Dtype::undefined) continue;
    status = fail(Code::UnsupportedType, "gives {}, wanted {}", made[i], wanted);
  }
  return status ? Status() : Failure(in_operator(status.error(), selection));
}

Status InnerCall::prepare() {
  BROADLOOM_CHECK(check());
  [[maybe_unused]] const Running running(op_, call_);
  return op_.prepare(call_);
}

Status InnerCall::compute() {
  BROADLOOM_CHECK(check());
  [[maybe_unused]] const Running running(op_, call_);
  if (call_.is_empty()) return {};
  BROADLOOM_CHECK(check_operands(op_, call_));
  return op_.compute(call_);
}

Result<Ready> InnerCall::ready(PackedOperands* packed) const {
  BROADLOOM_CHECK(check());
  [[maybe_unused]] const Running running(op_, call_);
  return op_.ready(call_, packed);
}

Result<Program::Value> InnerCall::elements(Program& program, std::span<const Program::Value> inputs) const {
  BROADLOOM_CHECK(check());
  if (!has_program(op_, call_.version, types_of(call_.inputs).values(), call_.output_types[0])) {
    return fail(Code::UnsupportedType, "{} of {} cannot be fused", op_.name, call_.output_types[0]);
  }
  return add_elements(op_, call_, program, inputs);
}

Status InnerCall::run(ReadyCall& ready, std::byte* workspace, Finish* finish) const {
  [[maybe_unused]] const Running running(op_, call_);
  return finish == nullptr ? ready.run(call_, workspace) : ready.run_and_finish(call_, workspace, finish);
}

Result<Call*> InnerCall::checked() {
  BROADLOOM_CHECK(check());
  return &call_;
}

}  // namespace broadloom
