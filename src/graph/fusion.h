// Elementwise nodes that are computed together: what lies between them is never written to memory.
#pragma once

#include "graph/graph.h"
#include "kernels/program.h"

namespace broadloom {

// Finds nodes whose one output has a single reader, an elementwise node of the same graph, and sets their `fused_into`; values
// that they read live until that one has run. Where the reader is a Transpose, sets `transposed_by`. The graph's nodes are in
// order and checked.
void join_nodes(Graph& graph);

// Where whoever computes nodes has the tensors of values.
class FusionTensors {
 public:
  virtual Tensor& at(const Value& value) = 0;
  // Makes sure that the value has elements.
  virtual Status give_elements(const Value& value) = 0;
  // Computes a fused node by itself. Its output has its dims.
  virtual Status compute_fused(const Node& node) = 0;

  // Whether a fused node makes the value, and has not been computed: its tensor has its dims.
  bool is_waiting(const Value* value) {
    return value != nullptr && value->producer != nullptr && value->producer->fused_into != nullptr &&
           !at(*value).has_elements();
  }

 protected:
  ~FusionTensors() = default;
};

// The computation of an elementwise node and of those that are fused into it.
class FusedProgram {
 public:
  // For the node's output, of which `output` has the type and dims. Fused nodes that do not fit are computed by themselves.
  Status build(const Node& node, const Tensor& output, FusionTensors& tensors);

  // The dims in which the result's elements are to be written one behind the other, and the layout that finds them there:
  // another order of axes than the output's where its reader is a Transpose.
  const Dims& dims() const { return dims_; }
  const LayoutRef& layout() const { return layout_; }
  std::size_t count() const { return static_cast<std::size_t>(count_of(dims_)); }

  // Operand i is one of the tensors.
  std::span<const Tensor* const> operands() const { return {operands_, count_}; }
  Program program;
  Program::Value result;

 private:
  Result<Program::Value> add(const Node& node, const Dims& dims, std::size_t operands, std::size_t values,
                             FusionTensors& tensors);

  const Tensor* operands_[Program::most_operands];
  std::size_t count_ = 0;
  Dims dims_;
  LayoutRef layout_;
};

}  // namespace broadloom
