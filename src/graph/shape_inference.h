// What is known of a model's values before it runs.
#pragma once

#include <vector>

#include "core/expressions.h"
#include "graph/control_flow.h"
#include "graph/model.h"

namespace broadloom {

// A constant's tensor as prepare may see it before a run: without elements that could be taken for expressions, and without
// long lists of integers, which are no shapes.
Tensor without_expressions(const Tensor& tensor);

// Prepares the nodes with what is known before a run: declared inputs (an input with a default is one), constants, and what
// follows. No node computes anything whose size the file names: costs follow the size of the file.
class ShapeInference {
 public:
  // `model` must outlive it. `needs_proof`: dims that the model declares for what nodes make are not believed, even if the
  // model cannot run here.
  explicit ShapeInference(const Model& model, bool needs_proof = false) : model_(model), needs_proof_(needs_proof) {}
  // What follows if a condition holds, or not: before run().
  void assume(const Value& condition, bool holds) {
    assumed_ = &condition;
    assumed_value_ = holds;
  }
  // Before all others.
  Status run();
  // Whether every run fails.
  bool fails() const { return fails_; }

  // What is known of a value: a rank, sizes that may be expressions() or unknown, elements of integers that may be, too.
  const Tensor& operator[](const Value& value) const { return tensors_[value.place]; }
  // Whether the model had the value when it was inferred.
  bool knows(const Value& value) const { return value.place < tensors_.size(); }
  // Whether the dims are only what the model declares: not even the rank followed, and nodes after it build on them. Only in
  // models that cannot run, where nothing could prove them wrong. There, sizes that do not follow are those declared, too.
  bool is_only_declared(const Value& value) const { return is_only_declared_[value.place] != 0; }
  const Expressions& expressions() const { return expressions_; }
  // Where a size comes from of which nothing is known: an axis of a value. By the numbers of Expressions::Part; no value for
  // one that no value has.
  struct Origin {
    const Value* value = nullptr;
    std::size_t axis = 0;
  };
  Origin origin(std::uint32_t part) const { return part < origins_.size() ? origins_[part] : Origin(); }
  // Adds a warning for each value whose declared dims contradict what is known. `model` is the one that was inferred.
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
  // Gives unknown sizes names of their own, as long as there are some.
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
  std::size_t conditions_ = 0;  // around the node that is looked at: it runs only if they hold
  bool fails_ = false;
  bool needs_proof_;  // also where no node is one that cannot run
  std::vector<Origin> origins_;
};

// Adds the warnings that ShapeInference has for the model.
Status warn_of_contradictions(Model& model);

}  // namespace broadloom
