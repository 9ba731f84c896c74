// Values that follow from constants: a plan computes them once.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/structure/graph.h"

namespace broadloom {

// The bytes of a tensor that is to be made; too_many where memory cannot have them.
inline constexpr std::uint64_t too_many = UINT64_MAX;
std::uint64_t bytes_to_make(const Tensor& tensor);

// Lets storage that was let go have its bytes again.
Status bring_back(std::span<const Tensor* const> tensors);

// Large results of nodes that read nothing but constants, such as weights that a Cast widens. Plans for several dims share
// them, and what is packed of them.
class ComputedConstants {
 public:
  enum class Outcome : std::uint8_t {
    none,   // they may not be kept, or the node fails
    found,  // another plan computed them
    made,
  };
  // Computes the outputs of a prepared call of constants. They are kept for other plans if `are_fixed`: the operands are the
  // same in all.
  Outcome compute(const Node& node, Call& call, bool are_fixed);
  // Whether what follows from constants may be kept: it is small, or not much larger than they are.
  static bool may_keep(const Call& call);
  // Forgets those that nobody else has.
  void release_unused();

 private:
  bool find(const Node& node, std::span<Tensor> outputs) const;
  void add(const Node& node, std::span<const Tensor> outputs);

  struct Entry {
    const Node* node;
    std::vector<Tensor> outputs;
  };
  std::vector<Entry> entries_;
};

}  // namespace broadloom
