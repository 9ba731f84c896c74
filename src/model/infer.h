// What is known of a model's values before it runs.
#pragma once

#include <vector>

#include "model/model.h"

namespace broadloom {

// What is known of a value.
struct Inferred {
  bool has_dims = false;
  bool is_only_declared = false;  // the dims are what the model declares: no node was asked
  bool has_elements = false;      // those of the tensors are the value's, or follow from dims
};

// Runs the nodes that can run on stand-ins for what is not known before a run (an input with a default is one), so that no
// operator's rules for dims are written twice: operators are lazy, and a stand-in is one element whatever its dims. A node
// whose dims depend on unknown elements, or that refuses the stand-ins, makes values without dims.
class Inference {
 public:
  // `model` must outlive it.
  explicit Inference(const Model& model) : model_(model), unknown_sizes_(model.symbol_count) {}
  // Before all others.
  Status run();

  // By the numbers of values.
  const Inferred& operator[](std::size_t value) const { return values_[value]; }
  std::size_t rank_of(std::size_t value) const { return tensors_[0][value].dims().size(); }

  // A size is a number, or else -1 and the number of its name; without a name, no number below the model's symbol_count.
  struct Size {
    std::int64_t value;
    std::size_t symbol;
  };
  Size size_of(std::size_t value, std::size_t axis) const;

 private:
  Status stand_in(const Value& value, const ValueInfo& info);
  void infer_outputs(const Node& node);

  const Model& model_;
  std::vector<Inferred> values_;
  std::vector<Tensor> tensors_[2];  // as found in two runs in which unknown sizes had different numbers
  std::size_t unknown_sizes_;
};

}  // namespace broadloom
