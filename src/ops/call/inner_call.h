// Calls of one operator by another. Each passes the checks that a node passes.
#pragma once

#include "ops/call/operator.h"
#include "ops/call/ready_call.h"

namespace broadloom {

// A call of `op` as a part of `outer`: of the version that this opset selects, with these inputs, types of outputs, outputs and
// attributes. All of them, and `outer`, stay where they are as long as the inner call is used. The inner operator reads those
// attributes of `outer` that its version declares, too.
//
// Each method fails as check_call does; when a declared attribute has another type than in the version; and when the operator
// gives its outputs other types than `output_types` has.
class InnerCall {
 public:
  InnerCall(const Call& outer, const Operator& op, std::span<const Tensor* const> inputs, std::span<const Dtype> output_types,
            std::span<Tensor> outputs, const Attributes& attributes, std::int64_t opset = newest_opset);

  Status check() const;

  // As Operator's functions of these names. Outputs have elements in `compute`, which gets the operand that `ready` packed.
  Status prepare();
  Status compute();
  Result<Ready> ready(PackedOperands* packed) const;
  // The result of Operator::elements, rounded. Fails when programs do not support the types, too.
  Result<Program::Value> elements(Program& program, std::span<const Program::Value> inputs) const;
  // Runs the call of `ready`, which has checked it.
  Status run(ReadyCall& ready, std::byte* workspace, Finish* finish = nullptr) const;
  // Operator::extra_work, of a prepared call.
  double extra_work() const { return op_.extra_work(call_); }
  // The call for functions that several operators share.
  Result<Call*> checked();

 private:
  const Operator& op_;
  std::int64_t opset_;
  Call call_;
};

}  // namespace broadloom
