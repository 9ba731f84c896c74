// Fusion of elementwise nodes: values between them are never written to memory.
#pragma once

#include "core/count.h"
#include "graph/structure/model.h"
#include "kernels/elementwise/program.h"

namespace broadloom {

// How a node is computed with others.
struct FusedNode {
  const Node* reader = nullptr;         // the last reader of its output, with which it is computed; nullptr: by itself
  const Node* root = nullptr;           // the node in whose program it is: the last of all readers, or itself
  const Node* transposed_by = nullptr;  // of a node by itself: the Transpose that is the only reader of its output
  std::uint32_t most_added = 0;         // the largest number of steps and constants that a program has for it
  bool is_elementwise = false;
};

// Finds elementwise nodes whose output only elementwise nodes of the same graph read, where all of these are computed with one
// node, and sets `graph.fused`. Values that they read live until that node has run. The graph's nodes must be sorted and
// checked. Fails when there is no memory.
Status fuse_nodes(Model& model, Graph& graph);

// How the node is computed.
const FusedNode& fusion_of(const Node& node);
// Whether a node makes the value that is computed with its reader.
inline bool is_fused_into_reader(const Value& value) {
  return value.producer != nullptr && fusion_of(*value.producer).reader != nullptr;
}

// The tensors of values, for code that computes nodes.
class FusionTensors {
 public:
  virtual Tensor& at(const Value& value) = 0;
  // Ensures that the value has elements.
  virtual Status give_elements(const Value& value) = 0;
  // Computes a fused node separately. Its output has its dims.
  virtual Status compute_fused(const Node& node) = 0;

  // Whether a fused node produces the value and was not computed yet: its tensor only has dims.
  bool is_waiting(const Value* value) { return value != nullptr && is_fused_into_reader(*value) && !at(*value).has_elements(); }

 protected:
  ~FusionTensors() = default;
};

// The computation of an elementwise node and of those that are fused into it.
class FusedProgram {
 public:
  // Builds the program for the node's output; `output` has its type and dims. Nodes that do not fit are computed separately.
  Status build(const Node& node, const Tensor& output, FusionTensors& tensors);

  // The dims in which the result's elements are written consecutively, and the layout of the result there:
  // it has another order of axes than the output if the reader is a Transpose.
  const Dims& dims() const { return dims_; }
  const LayoutRef& layout() const { return layout_; }
  std::size_t count() const { return in_memory(count_of(dims_)); }

  // The tensors of the operands, their values, and how many inputs of the nodes each is.
  std::span<const Tensor* const> operands() const { return {operands_, count_}; }
  std::span<const Value* const> values() const { return {values_, count_}; }
  std::span<const std::uint32_t> reads() const { return {reads_, count_}; }
  Program program;
  Program::Value result;

 private:
  Result<Program::Value> add(const Node& node, const Dims& dims, std::size_t operands, std::size_t values,
                             FusionTensors& tensors);

  const Node* root_ = nullptr;
  const Tensor* operands_[Program::most_operands];
  const Value* values_[Program::most_operands];
  std::uint32_t reads_[Program::most_operands];
  Program::Value elements_[Program::most_operands];
  std::size_t count_ = 0;
  // The values of other nodes of the program. Each takes a step at least.
  const Value* inner_[Program::most_values];
  Program::Value inner_elements_[Program::most_values];
  std::size_t inner_count_ = 0;
  Dims dims_;
  LayoutRef layout_;
};

}  // namespace broadloom
