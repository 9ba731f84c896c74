#include "ops/call/operator.h"

#ifdef BROADLOOM_CHECKS_USES

#include <cstdio>
#include <cstdlib>

namespace broadloom {
namespace {

TypeSet types_of(const Call& call) {
  TypeSet types;
  for (const Tensor* input : call.inputs) types = input == nullptr ? types : types | input->dtype;
  for (const Dtype type : call.output_types) types = types | type;
  return types;
}

// An operator that runs graphs is none of their nodes' callers.
bool is_caller(const Operator* op) { return op != nullptr && !op->traits.has_graphs; }

}  // namespace

thread_local const Operator* Running::op_ = nullptr;

// A caller may have the operators that it calls compute otherwise, and give them types of its own choice: its row has these.
Running::Running(const Operator& op, const Call& call)
    : asker_{op.name, is_caller(op_) ? op.kernels | asker->kernels : op.kernels,
             is_caller(op_) ? asker->types : types_of(call)},
      outer_(asker),
      outer_op_(op_) {
  asker = &asker_;
  op_ = &op;
}

Running::~Running() {
  asker = outer_;
  op_ = outer_op_;
}

void Running::check_call_of(const Operator& op) {
  if (!is_caller(op_) || op_->calls.are_by_name()) return;
  for (const Operator* one : op_->calls.list()) {
    if (one == &op) return;
  }
  std::fprintf(stderr, "%.*s calls %.*s, which its row does not name\n", static_cast<int>(op_->name.size()), op_->name.data(),
               static_cast<int>(op.name.size()), op.name.data());
  std::abort();
}

}  // namespace broadloom

#endif
