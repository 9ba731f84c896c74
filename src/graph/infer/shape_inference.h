// Shape inference: types, dims and elements of a model's values that are known before it runs.
#pragma once

#include <vector>

#include "core/expressions.h"
#include "graph/structure/control_flow.h"
#include "graph/structure/model.h"

namespace broadloom {

// A constant's tensor for prepare before a run: without elements if they have reserved values (core/size.h) or are
// long lists of integers, which are not shapes.
Tensor without_expressions(const Tensor& tensor);

// Prepares the nodes before a run, with declared inputs (including those with a default), constants, and inferred
// values. No node computes a result whose size only the file determines: the cost is linear in the size of the file.
class ShapeInference {
 public:
  // `model` must outlive it. Without `needs_proof`, it is for people: what the file says is taken as true. With it, declared
  // dims of nodes' outputs are not used, even if the model is not supported; int32 elements hold no expressions; an initializer
  // that is an input may be fed; and equal names are equal sizes only with `trusts_names`.
  explicit ShapeInference(const Model& model, bool needs_proof = false, bool trusts_names = false)
      : model_(model),
        expressions_(needs_proof),
        needs_proof_(needs_proof),
        is_for_people_(!needs_proof),
        trusts_names_(trusts_names || !needs_proof) {}
  // Assumes that a condition holds, or not. Must precede run().
  void assume(const Value& condition, bool holds) {
    assumed_ = &condition;
    assumed_value_ = holds;
  }
  // Must precede all functions below.
  Status run();
  // Infers a node that was added after run(), whose inputs are inferred or initializers.
  Status add(const Node& node);
  // Whether every run fails.
  bool fails() const { return fails_; }

  // The inferred tensor of a value: a rank, sizes that may be expressions() or unknown, and integer elements that may be, too.
  const Tensor& operator[](const Value& value) const { return tensors_[value.place]; }
  // Whether run() or add() came to the value.
  bool knows(const Value& value) const { return value.place < tensors_.size(); }
  // Whether the dims are only declared: the rank could not be inferred, and nodes after it use the declaration. This happens
  // only in unsupported models, where no run can contradict it. There, unknown sizes are replaced by declared ones, too.
  bool is_only_declared(const Value& value) const { return is_only_declared_[value.place] != 0; }
  const Expressions& expressions() const { return expressions_; }
  // The origin of an unknown size: an axis of a value. By the numbers of Expressions::Part; value is nullptr for
  // a size that no value has.
  struct Origin {
    const Value* value = nullptr;
    std::size_t axis = 0;
  };
  Origin origin(std::uint32_t part) const { return part < origins_.size() ? origins_[part] : Origin(); }
  // Adds a warning for each value whose declared dims contradict the inferred ones. `model` must be the inferred one.
  void warn_of_contradictions(Model& model) const;

 private:
  Status infer(const Graph& graph);
  Status infer(const Node& node);
  Status prepare(const Node& node);
  static Status prepare_refused(const Node& node, Call& call);
  void compute(const Operator& op, Call& call);
  Status infer_if(const Node& node);
  Status infer_loop(const Node& node);
  void set_inputs_of_body(const Node& node, const BodyParts& parts, std::span<const Tensor> states);
  void infer_outputs_of_loop(const Node& node, const BodyParts& parts, std::span<const Tensor> states);
  Status take_declared(const Node& node);
  bool contradicts(const Value& value) const;
  // Replaces unknown sizes by fresh ones, up to the limit.
  void name_unknown_sizes(const Value& value, Tensor& tensor);
  Size fresh(const Value& value, std::size_t axis);
  void set_outputs(const Node& node, std::span<Tensor> outputs);
  void set_failing() { fails_ = fails_ || conditions_ == 0; }
  Tensor declared(const Value& value, const ValueInfo& info);
  Tensor& at(const Value* value) { return tensors_[value->place]; }

  const Model& model_;
  Expressions expressions_;
  std::vector<Tensor> tensors_;
  std::vector<char> is_only_declared_;
  std::size_t fresh_left_ = 0;
  std::size_t repeated_left_ = 0;
  const Value* assumed_ = nullptr;
  bool assumed_value_ = false;
  std::size_t conditions_ = 0;  // the number of conditions under which the current node runs
  bool fails_ = false;
  bool needs_proof_;  // also set if all nodes are supported
  bool is_for_people_;
  bool trusts_names_;
  std::vector<Origin> origins_;
};

// Runs ShapeInference, and adds its warnings to the model.
Status warn_of_contradictions(Model& model);

}  // namespace broadloom
